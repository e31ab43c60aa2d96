//! `frank find`: what has a type.

use std::collections::HashMap;
use std::io::{self, Write};

use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::Severity;
use frank_ide::{Analysis, ByType, Mistake, Searched, SymbolKind, TypeMatch};
use frank_syntax::visible::visible;
use serde::Serialize;

use crate::Outcome;
use crate::args::{AnswerFormat, Color, FindArgs};
use crate::findings::SourceRange;
use crate::json;
use crate::output::{self, colored, complain};
use crate::project::Project;
use crate::report::human::{Mark, Message};
use crate::source::{Position, Source};

/// The name of the type in messages.
const TYPE: &str = "<type>";

/// Searches what the arguments name, and the library.
pub fn run(args: &FindArgs, color: Color) -> io::Result<Outcome> {
    let project = match args.library_only {
        true => Project::empty(&args.project),
        false => Project::open(&args.paths, &args.project),
    };
    let unusable = project.report_problems();
    let analysis = Analysis::new(project.files.snapshot());
    let searched = Searched {
        from: None,
        files: project.all(),
    };
    let found = match analysis.find_by_type(&args.ty, &searched, args.limit) {
        Ok(found) => found,
        Err(mistakes) => {
            for mistake in &mistakes {
                tell(&args.ty, mistake, Severity::Error, color)?;
            }
            return Ok(Outcome::Unusable);
        }
    };
    for note in &found.notes {
        tell(&args.ty, note, Severity::Hint, color)?;
    }
    let mut places = Places {
        project: &project,
        analysis: &analysis,
        known: HashMap::new(),
    };
    let mut out = output::stdout();
    match args.format {
        AnswerFormat::Human => human(&mut out, &found, &mut places)?,
        AnswerFormat::Json => {
            for one in &found.found {
                let object = serde_json::to_string(&places.object(one))?;
                writeln!(out, "{}", json::visible(&object))?;
            }
        }
    }
    if found.total > 0 {
        return Ok(match unusable {
            true => Outcome::Unusable,
            false => Outcome::Success,
        });
    }
    let nearest = found.nearest.as_ref().map(|nearest| {
        let (place, ..) = places.place(nearest);
        let signature = nearest.signature();
        format!("; the nearest is `{}`, {place}", visible(&signature))
    });
    complain(format_args!(
        "nothing has this type, or one that says the same{}",
        nearest.unwrap_or_default()
    ));
    Ok(Outcome::Findings)
}

/// Draws what is wrong with the type.
fn tell(ty: &str, mistake: &Mistake, severity: Severity, color: Color) -> io::Result<()> {
    let place = SourceRange {
        source: 0,
        start: mistake.range.start().into(),
        end: mistake.range.end().into(),
    };
    let message = Message {
        severity,
        text: &mistake.message,
        code: mistake.code,
        marks: vec![Mark {
            place: &place,
            label: None,
        }],
        notes: Vec::new(),
        help: mistake.help.iter().map(String::as_str).collect(),
    };
    let source = Source::new(TYPE.to_owned(), TYPE.to_owned(), ty.to_owned());
    let colored = colored(color, &io::stderr());
    message.write(&mut output::stderr(), &[source], colored)
}

fn human(out: &mut impl Write, found: &ByType, places: &mut Places<'_>) -> io::Result<()> {
    for one in &found.found {
        let (place, ..) = places.place(one);
        let container = one.container.map(|name| match one.kind {
            SymbolKind::Command => format!("command of {name}"),
            _ => format!("constructor of {name}"),
        });
        // Where a file of one's own is, its name says already.
        let include = one.include.filter(|_| one.library);
        let include = include.map(|name| format!("include {name}"));
        let said = [Some(place), include, container, one.reason()];
        let said: Vec<String> = said.into_iter().flatten().collect();
        writeln!(
            out,
            "{}\n  {}",
            visible(&one.signature()),
            visible(&said.join("; "))
        )?;
    }
    let more = found.total - found.found.len();
    if more > 0 {
        writeln!(out, "\n{more} more, with `--limit {}`", found.total)?;
    }
    Ok(())
}

/// An answer. The form is stable.
#[derive(Serialize)]
struct Object<'f> {
    name: &'f str,
    kind: &'f str,
    #[serde(rename = "type")]
    ty: &'f str,
    /// The data type of a constructor, the interface of a command.
    of: Option<&'f str>,
    file: String,
    #[serde(flatten)]
    position: Position,
    library: bool,
    include: Option<&'f str>,
    fit: &'f str,
    why: Option<&'f str>,
}

/// Where things are, with the texts of the files.
struct Places<'p> {
    project: &'p Project,
    analysis: &'p Analysis,
    known: HashMap<SourceFile, Source>,
}

impl Places<'_> {
    /// `file:line:column`, and each for itself.
    fn place(&mut self, found: &TypeMatch) -> (String, String, Position) {
        let at = found.target.focus;
        let source = self.known.entry(at.file).or_insert_with(|| {
            let path = at.file.path(self.analysis.db());
            let text = self.analysis.snapshot().text(at.file);
            Source::new(self.project.names.show(path), path.to_owned(), text)
        });
        let position = source.position(at.range.start().into());
        let Position { line, column } = position;
        let place = format!("{}:{line}:{column}", source.shown());
        (place, source.name.clone(), position)
    }

    fn object<'f>(&mut self, found: &'f TypeMatch) -> Object<'f> {
        let (_, file, position) = self.place(found);
        Object {
            name: found.name.as_str(),
            kind: found.kind.word(),
            ty: &found.ty,
            of: found.container.map(|name| name.as_str()),
            file,
            position,
            library: found.library,
            include: found.include.map(|name| name.as_str()),
            fit: found.fit,
            why: Some(found.detail.as_str()).filter(|why| !why.is_empty()),
        }
    }
}
