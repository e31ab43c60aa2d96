//! What is known of the names in a session: `:info` and `:browse`.

use frank_analysis::db::SourceFile;
use frank_analysis::program::{resolve_data, resolve_row, resolve_term};
use frank_ide::markdown::literal;
use frank_ide::{Analysis, Def, FileRange, Hover};
use frank_syntax::ast::Symbol;
use text_size::TextRange;

use super::definitions::Definitions;

/// What a name stands for, in Markdown: its type, its documentation, and where it is defined. A name may
/// stand for a type and for something in terms; each is told. `None` if it stands for nothing.
pub fn info(definitions: &Definitions, name: &str) -> Option<String> {
    let project = &definitions.project;
    let analysis = Analysis::new(project.files.snapshot());
    let (db, scope, name) = (analysis.db(), definitions.scope(), Symbol::new(name));
    let place = |at: FileRange| {
        if at.file == scope {
            return "defined here".to_owned();
        }
        let before = analysis.snapshot().text(at.file);
        let before = before
            .get(..usize::from(at.range.start()))
            .unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let name = literal(&project.names.visible(at.file.path(db)));
        format!("defined in {name}:{line}")
    };
    let term = resolve_term(db, scope, name).map(Def::from);
    let data = resolve_data(db, scope, name).map(Def::Data);
    let row = resolve_row(db, scope, name).map(Def::from);
    let all = [term, data, row].into_iter().flatten().map(|def| {
        let about = Hover {
            range: TextRange::default(),
            parts: analysis.about(def),
        };
        let place = analysis.declared(def).map(|target| place(target.focus));
        format!(
            "{}\n\n{}\n",
            about.markdown(|_| None),
            place.unwrap_or_default()
        )
    });
    let all: Vec<String> = all.collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// A line for each definition of a file: its name, and its signature or what it consists of.
pub fn contents(definitions: &Definitions, file: SourceFile) -> Vec<String> {
    let analysis = Analysis::new(definitions.project.files.snapshot());
    let symbols = analysis.document_symbols(file).into_iter();
    let lines = symbols.map(|symbol| match symbol.detail {
        Some(detail) => format!("{} : {detail}", symbol.name),
        None => {
            let parts: Vec<String> = symbol.children.into_iter().map(|part| part.name).collect();
            format!("{} = {}", symbol.name, parts.join(" | "))
        }
    });
    lines.collect()
}
