//! What has a type (`frank/findByType`, `frank find`): operators, constructors and commands, with where they are
//! and the `include` that they take.

pub use frank_analysis::by_type::Mistake;
use frank_analysis::by_type::{Fit, Found, Query, nearest, search, type_of, type_text};
use frank_analysis::db::{Db, Origin, SourceFile, Workspace, parsed};
use frank_analysis::program::{TermDef, resolve_include, scope_files};
use frank_syntax::ast::{ItemKind, Symbol};
use frank_syntax::parse::parse_item;

use crate::Analysis;
use crate::names::{Def, scope_of};
use crate::refactor::with_parentheses;
use crate::symbols::on_one_line;
use crate::target::{SymbolKind, Target, operator_kind};
use crate::text::of_signature;
use crate::view::slice;

/// Where to search.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The file in whose program the type stands, if there is one: what its names mean comes first, and what it
    /// includes needs no `include`.
    pub from: Option<SourceFile>,
    /// The files to search, in the order in which what fits equally well is to be told; those of the program come
    /// first, and the library behind them all.
    pub files: Vec<SourceFile>,
}

/// Something that has a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeMatch {
    pub name: Symbol,
    pub kind: SymbolKind,
    /// Its type on one line, as a signature has it.
    pub ty: String,
    /// The data type of a constructor, the interface of a command.
    pub container: Option<Symbol>,
    pub target: Target,
    /// Whether it is built in, as the library is.
    pub library: bool,
    /// The name that a program has to include for it; `None` where it is there already, or cannot be included.
    pub include: Option<Symbol>,
    /// In a word how it fits: `exact`, `order`, `isomorphic`, `general`, `applied`, `effects` or `special`.
    pub fit: &'static str,
    /// What tells the types apart, such as `X = Int` or `thunk`; empty if nothing does.
    pub detail: String,
}

impl TypeMatch {
    /// Whether it has the very type.
    pub fn is_exact(&self) -> bool {
        self.fit == Fit::Exact.word()
    }

    /// `name : type`
    pub fn signature(&self) -> String {
        format!("{} : {}", self.name, self.ty)
    }

    /// Why it is an answer although its type is another one: `special: X = Int`; `None` if it is the very type.
    pub fn reason(&self) -> Option<String> {
        match (self.is_exact(), self.detail.is_empty()) {
            (true, _) => None,
            (false, true) => Some(self.fit.to_owned()),
            (false, false) => Some(format!("{}: {}", self.fit, self.detail)),
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByType {
    /// The best ones first.
    pub found: Vec<TypeMatch>,
    /// How many there are with those that were left out.
    pub total: usize,
    /// Where nothing was found, what fits best but for an argument or the result.
    pub nearest: Option<TypeMatch>,
    /// What may have been meant otherwise in the query.
    pub notes: Vec<Mistake>,
}

impl Analysis {
    /// What has the type that a text says, at most `limit` of it.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, with ranges in its bytes.
    pub fn find_by_type(
        &self,
        text: &str,
        searched: &Searched,
        limit: usize,
    ) -> Result<ByType, Vec<Mistake>> {
        let db = self.db();
        let builtin = Workspace::get(db).builtin(db);
        let own = searched.from.map(|file| scope_of(db, file));
        let mut files: Vec<(SourceFile, SourceFile)> = Vec::new();
        let of_user = searched.files.iter().copied();
        // A file of the program in which the type stands is looked at as a part of that.
        let in_scope = |file: SourceFile| {
            let is_own = |scope: &SourceFile| scope_files(db, *scope).0.contains(&file);
            own.filter(is_own).unwrap_or_else(|| scope_of(db, file))
        };
        files.extend(of_user.map(|file| (file, in_scope(file))));
        files.sort_by_key(|(_, scope)| Some(*scope) != own);
        files.extend(self.library_in_order().map(|file| (file, file)));
        // What the library calls a type counts before what some file of the workspace does.
        let mut scopes: Vec<SourceFile> = self.library_in_order().collect();
        scopes.extend(files.iter().map(|(_, scope)| *scope));
        let mut seen = std::collections::HashSet::new();
        scopes.retain(|scope| seen.insert(*scope));
        let scope = own.unwrap_or(builtin);
        let source = self.snapshot().ty(scope, &type_text(text));
        let query = Query::read(db, scope, &scopes, source)?;
        let all = search(db, &query, &files);
        let shown = all.iter().take(limit);
        let nearest = match all.is_empty() {
            true => nearest(db, &query, &files),
            false => None,
        };
        Ok(ByType {
            total: all.len(),
            found: shown.filter_map(|one| self.type_match(own, one)).collect(),
            nearest: nearest.and_then(|one| self.type_match(own, &one)),
            notes: query.notes,
        })
    }

    /// The files of the library, what every program has and the prelude first.
    fn library_in_order(&self) -> impl Iterator<Item = SourceFile> {
        let db = self.db();
        let prelude = self.snapshot().library_file(Symbol::new("prelude"));
        let first = [Some(Workspace::get(db).builtin(db)), prelude];
        let first: Vec<SourceFile> = first.into_iter().flatten().collect();
        let others = self.snapshot().library_files();
        let others: Vec<SourceFile> = others.filter(|file| !first.contains(file)).collect();
        first.into_iter().chain(others)
    }

    fn type_match(&self, scope: Option<SourceFile>, found: &Found) -> Option<TypeMatch> {
        let db = self.db();
        let (kind, container) = match found.def {
            TermDef::Operator(operator) => (operator_kind(db, operator), None),
            TermDef::Constructor(constructor) => {
                (SymbolKind::Constructor, Some(constructor.data.0.name))
            }
            TermDef::Command(command) => (SymbolKind::Command, Some(command.interface.0.name)),
        };
        Some(TypeMatch {
            name: found.def.name(),
            kind,
            ty: type_of_found(db, found.def)?,
            container,
            target: self.declared(Def::from(found.def))?,
            library: found.file.origin(db) == Origin::Library,
            include: include_for(db, scope, found.file),
            fit: found.fit.fit.word(),
            detail: found.fit.detail.clone(),
        })
    }
}

/// The type of something on one line: that of an operator as it is written.
fn type_of_found(db: &dyn Db, def: TermDef) -> Option<String> {
    if let TermDef::Operator(operator) = def {
        let source = *operator.items(db).signatures.first()?;
        let parsed = parsed(db, source);
        let ItemKind::Signature { ty, .. } = &parsed.item.kind else {
            return None;
        };
        let whole = source.text(db);
        let range = with_parentheses(whole, parsed.source_map.range(ty.id));
        return Some(on_one_line(slice(whole, range)));
    }
    let signature = type_of(db, def)?;
    Some(of_signature(&signature, |show| {
        let computation = &signature.computation;
        match def {
            // A constructor without arguments is a value.
            TermDef::Constructor(_) if computation.ports.is_empty() => show.ty(computation.result),
            _ => show.signature(computation),
        }
    }))
}

/// The name by which a program includes a file, if it has to.
fn include_for(db: &dyn Db, scope: Option<SourceFile>, file: SourceFile) -> Option<Symbol> {
    let builtin = Workspace::get(db).builtin(db);
    let is_there = scope.is_some_and(|scope| {
        let (own, libraries) = scope_files(db, scope);
        own.contains(&file) || libraries.contains(&file)
    });
    if file == builtin || is_there {
        return None;
    }
    let path = file.path(db);
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let name = name.strip_suffix(".fk")?;
    let is_name = parse_item(&format!("include {name}")).errors.is_empty();
    let name = Symbol::new(name);
    // Without a program any file beside it may include it.
    let leads_there = resolve_include(db, scope.unwrap_or(file), name) == Some(file);
    (is_name && leads_there || file.origin(db) == Origin::Library).then_some(name)
}
