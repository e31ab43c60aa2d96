//! A slow, simple type checker of Frank, written from the rules of the language book
//! (docs/language.md and its chapters) to compare the real one with. It is made for being read
//! beside the book: types are trees, what variables stand for is a map, and every item is checked
//! from scratch. It shares nothing with the real checker but the parser.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::rc::Rc;

use frank_syntax::ast::{Item, ItemKind, Symbol};
use frank_syntax::outline::{OutlineItem, OutlineKind, split};
use frank_syntax::parse::parse_item;

pub mod adapt;
mod declare;
mod names;
mod patterns;
pub mod solve;
mod terms;
pub mod types;

pub use declare::TOO_MANY;
use declare::{Reader, leads_to, mentions_epsilon};
use names::{Command, Constructor, Param, Row, Scope, Source, World, clause, params};
use solve::{Checked, Solution};
use terms::{Checker, Locals};
use types::Id;

/// An item that breaks a rule: its file, which of the file's items it is, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    pub file: String,
    pub item: usize,
    pub reason: String,
}

/// What there is to say about a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Some item does not parse.
    NoProgram,
    /// Some includes, declarations or signatures are wrong, so that clauses mean nothing yet.
    Declarations(Vec<Fault>),
    /// The clauses that are wrong; there may be none.
    Clauses(Vec<Fault>),
}

/// The checker, with the library that programs include.
pub struct Reference {
    world: World,
    /// The scope of each library file.
    library: BTreeMap<String, usize>,
    texts: Vec<(String, String)>,
    parsed: Parsed,
}

/// Items by their texts, `None` where one does not parse: many programs share many items.
type Parsed = RefCell<HashMap<String, Option<Rc<Item>>>>;

impl Reference {
    /// Reads the library from the directory that has its files.
    pub fn new(directory: &Path) -> Reference {
        let mut texts = Vec::new();
        for entry in std::fs::read_dir(directory).expect("there is a library") {
            let path = entry.expect("the library can be listed").path();
            if path.extension().is_some_and(|extension| extension == "fk") {
                let name = path
                    .file_stem()
                    .expect("files have names")
                    .to_string_lossy();
                let text = std::fs::read_to_string(&path).expect("the library can be read");
                texts.push((name.into_owned(), text));
            }
        }
        texts.sort();
        let mut reference = Reference {
            world: World::default(),
            library: BTreeMap::new(),
            texts,
            parsed: Parsed::default(),
        };
        reference.load("builtin");
        for (name, _) in reference.texts.clone() {
            reference.load(&name);
        }
        reference
    }

    /// Reads a file of the library, and first those that it includes.
    fn load(&mut self, name: &str) -> Option<usize> {
        if let Some(known) = self.library.get(name) {
            return Some(*known);
        }
        let (_, text) = self.texts.iter().find(|(one, _)| one == name)?;
        let items = self
            .read(&format!("{name}.fk"), text)
            .expect("the library parses");
        let mut libraries = Vec::new();
        for include in includes(&items) {
            if let Some(included) = self.load(include.as_str()) {
                self.see(included, &mut libraries);
            }
        }
        libraries.extend(self.library.get("builtin"));
        let number = self.world.scopes.len();
        self.world
            .scopes
            .push(Scope::new(number, &libraries, &items));
        self.library.insert(name.to_owned(), number);
        let faults = declare(&mut self.world, number);
        assert_eq!(faults, [], "the library's declarations are right");
        Some(number)
    }

    /// Adds a library file, after those that it includes itself; the built-in one comes last of
    /// all, and later.
    fn see(&self, library: usize, libraries: &mut Vec<usize>) {
        let under = &self.world.scopes[library].visible;
        for one in under.iter().skip(1).chain([&library]) {
            if !libraries.contains(one) && self.library.get("builtin") != Some(one) {
                libraries.push(*one);
            }
        }
    }

    /// The clauses of the library that are wrong.
    pub fn library(&self) -> Vec<Fault> {
        let scopes = self.library.values();
        scopes
            .flat_map(|scope| clauses(&self.world, *scope))
            .collect()
    }

    /// Judges the program that begins with a file of these, each a name and a text.
    pub fn judge(&mut self, files: &[(String, String)], root: &str) -> Verdict {
        let mut own = Vec::new();
        let mut libraries = Vec::new();
        let mut faults = Vec::new();
        let mut seen = BTreeSet::new();
        if !self.gather(
            files,
            root,
            &mut seen,
            &mut own,
            &mut libraries,
            &mut faults,
        ) {
            return Verdict::NoProgram;
        }
        libraries.extend(self.library.get("builtin"));
        let number = self.world.scopes.len();
        self.world.scopes.push(Scope::new(number, &libraries, &own));
        faults.extend(declare(&mut self.world, number));
        let verdict = if faults.is_empty() {
            Verdict::Clauses(clauses(&self.world, number))
        } else {
            Verdict::Declarations(faults)
        };
        self.world.scopes.truncate(number);
        verdict
    }

    /// The items of a file, if all of them parse.
    fn read(&self, file: &str, text: &str) -> Option<Vec<Source>> {
        let mut parsed = self.parsed.borrow_mut();
        if parsed.len() > 10_000 {
            parsed.clear();
        }
        let outline = split(text);
        let item = |(index, one): (usize, &OutlineItem)| {
            let text = one.text(text);
            let item = match parsed.get(text) {
                Some(known) => known.clone(),
                None => {
                    let new = parse_item(text);
                    let new = new.errors.is_empty().then(|| Rc::new(new.item));
                    parsed.insert(text.to_owned(), new.clone());
                    new
                }
            };
            Some(Source {
                file: file.to_owned(),
                index,
                item: item.filter(|_| !one.left_of_column)?,
            })
        };
        outline.iter().enumerate().map(item).collect()
    }

    /// Collects the items of a file, behind those of the files that it includes. Gives false if
    /// something does not parse.
    fn gather(
        &self,
        files: &[(String, String)],
        name: &str,
        seen: &mut BTreeSet<String>,
        own: &mut Vec<Source>,
        libraries: &mut Vec<usize>,
        faults: &mut Vec<Fault>,
    ) -> bool {
        if !seen.insert(name.to_owned()) {
            return true;
        }
        let Some(text) = text_of(files, name) else {
            return true;
        };
        let Some(items) = self.read(name, text) else {
            return false;
        };
        for source in &items {
            let ItemKind::Include { name: included } = &source.item.kind else {
                continue;
            };
            let included = included.symbol.as_str();
            let beside = beside(name, included);
            if text_of(files, &beside).is_some() {
                if !self.gather(files, &beside, seen, own, libraries, faults) {
                    return false;
                }
            } else if let Some(library) = self.library.get(included) {
                self.see(*library, libraries);
            } else {
                faults.push(fault(source, format!("there is no file {included}")));
            }
        }
        own.extend(items);
        true
    }
}

fn text_of<'a>(files: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut files = files.iter();
    files
        .find(|(one, _)| one == name)
        .map(|(_, text)| text.as_str())
}

/// The path of a file that another one includes.
fn beside(file: &str, included: &str) -> String {
    match file.rsplit_once('/') {
        Some((directory, _)) => format!("{directory}/{included}.fk"),
        None => format!("{included}.fk"),
    }
}

/// The files of a program that no other one includes.
pub fn roots(files: &[(String, String)]) -> Vec<&str> {
    let mut included = BTreeSet::new();
    for (name, text) in files {
        let outline = split(text);
        let includes = outline
            .iter()
            .filter(|item| item.kind == OutlineKind::Include);
        let others = includes.filter_map(|item| Some(beside(name, item.name?.as_str())));
        included.extend(others.filter(|one| one != name));
    }
    let names = files.iter().map(|(name, _)| name.as_str());
    names.filter(|name| !included.contains(*name)).collect()
}

fn includes(items: &[Source]) -> Vec<Symbol> {
    let names = items.iter().filter_map(|source| match &source.item.kind {
        ItemKind::Include { name } => Some(name.symbol),
        _ => None,
    });
    names.collect()
}

fn fault(source: &Source, reason: String) -> Fault {
    Fault {
        file: source.file.clone(),
        item: source.index,
        reason,
    }
}

/// Reads all declarations of a scope; gives those that are wrong.
fn declare(world: &mut World, scope: usize) -> Vec<Fault> {
    gain_epsilon(world, scope);
    let mut faults = Vec::new();
    let here = &world.scopes[scope];
    for (source, name) in &here.duplicates {
        faults.push(fault(source, format!("{name} is defined twice")));
    }
    let mut constructors = Vec::new();
    for (name, data) in &here.data {
        match read_data(world, scope, &data.source, &data.params) {
            Ok(found) => constructors.push((*name, found)),
            Err(reason) => faults.push(fault(&data.source, reason)),
        }
    }
    let mut commands = Vec::new();
    for (name, row) in &here.rows {
        let id = Id { scope, name: *name };
        match read_row(world, id, row) {
            Ok(found) => commands.push((*name, found)),
            Err(reason) => faults.push(fault(&row.source, reason)),
        }
    }
    let mut signatures = Vec::new();
    for (name, operator) in &here.operators {
        let Some(source) = &operator.signature else {
            if let (Some(first), Some(names::Meaning::Operator(_))) =
                (operator.clauses.first(), world.find_term(scope, *name))
            {
                faults.push(fault(first, format!("{name} has no signature")));
            }
            continue;
        };
        let ItemKind::Signature { ty, .. } = &source.item.kind else {
            continue;
        };
        match reader(world, scope, source, None).computation(ty) {
            Ok(ty) => signatures.push((*name, ty)),
            Err(reason) => faults.push(fault(source, reason)),
        }
    }
    let here = &mut world.scopes[scope];
    for (name, found) in constructors {
        here.data
            .entry(name)
            .and_modify(|data| data.constructors = found);
    }
    for (name, found) in commands {
        here.rows.entry(name).and_modify(|row| row.commands = found);
    }
    for (name, ty) in signatures {
        here.operators
            .entry(name)
            .and_modify(|operator| operator.ty = Some(ty));
    }
    faults
}

/// Items that mention ε gain it as a last parameter, if they do not write it themselves. One
/// mention leads to others, so this goes on until there are no more.
fn gain_epsilon(world: &mut World, scope: usize) {
    let gain = |params: &mut Vec<Param>| {
        let epsilon = Param {
            name: Symbol::implicit_effect(),
            is_effect: true,
        };
        if !params.contains(&epsilon) {
            params.push(epsilon);
        }
    };
    loop {
        let here = &world.scopes[scope];
        let new =
            |known: bool, source: &Source| !known && mentions_epsilon(world, scope, &source.item);
        let mut data = here.data.iter();
        let data = data.find(|(_, it)| new(it.mentions_epsilon, &it.source));
        let mut rows = here.rows.iter();
        let row = rows.find(|(_, it)| new(it.mentions_epsilon, &it.source));
        let (data, row) = (data.map(|(name, _)| *name), row.map(|(name, _)| *name));
        let here = &mut world.scopes[scope];
        if let Some(data) = data.and_then(|name| here.data.get_mut(&name)) {
            data.mentions_epsilon = true;
            gain(&mut data.params);
        } else if let Some(row) = row.and_then(|name| here.rows.get_mut(&name)) {
            row.mentions_epsilon = true;
            gain(&mut row.params);
        } else {
            return;
        }
    }
}

fn reader<'a>(
    world: &'a World,
    scope: usize,
    source: &'a Source,
    params: Option<Vec<Param>>,
) -> Reader<'a> {
    Reader {
        world,
        scope,
        item: &source.item,
        params,
        inside: Vec::new(),
    }
}

/// Parameters of one item have different names.
fn differ(params: &[Param]) -> Checked {
    let mut seen = BTreeSet::new();
    match params.iter().find(|param| !seen.insert(param.name)) {
        Some(again) => Err(format!("the parameter {} is named twice", again.name)),
        None => Ok(()),
    }
}

fn read_data(
    world: &World,
    scope: usize,
    source: &Source,
    params: &[Param],
) -> Checked<Vec<Constructor>> {
    differ(params)?;
    let reader = reader(world, scope, source, Some(params.to_vec()));
    let ItemKind::Data { constructors, .. } = &source.item.kind else {
        return Err("this is no data type".to_owned());
    };
    let constructors = constructors.iter().map(|constructor| {
        let fields = constructor.args.iter().map(|ty| reader.ty(*ty));
        Ok(Constructor {
            name: constructor.name.symbol,
            fields: fields.collect::<Checked<_>>()?,
        })
    });
    constructors.collect()
}

fn read_row(world: &World, id: Id, row: &Row) -> Checked<Vec<Command>> {
    differ(&row.params)?;
    let mut reader = reader(world, id.scope, &row.source, Some(row.params.clone()));
    let declared = match &row.source.item.kind {
        ItemKind::Interface { commands, .. } => commands,
        ItemKind::Alias { instances, .. } => {
            reader.inside.push(id);
            reader.instances(instances)?;
            if leads_to(world, id, id, &mut BTreeSet::new()) {
                return Err(format!("{} is defined through itself", id.name));
            }
            return Ok(Vec::new());
        }
        _ => return Err("this is no interface".to_owned()),
    };
    let mut commands = Vec::new();
    for command in declared {
        let own = params(&command.params);
        let all: Vec<Param> = row.params.iter().chain(&own).copied().collect();
        differ(&all)?;
        reader.params = Some(all);
        let args = command.args.iter().map(|ty| reader.ty(*ty));
        commands.push(Command {
            params: own,
            args: args.collect::<Checked<_>>()?,
            result: reader.ty(command.result)?,
        });
    }
    Ok(commands)
}

/// The clauses of a scope that are wrong. Each is checked by itself: a signature has no variables
/// that clauses could choose.
fn clauses(world: &World, scope: usize) -> Vec<Fault> {
    let mut faults = Vec::new();
    for operator in world.scopes[scope].operators.values() {
        let Some(ty) = &operator.ty else { continue };
        for source in &operator.clauses {
            let mut checker = Checker {
                world,
                scope,
                item: &source.item,
                solution: Solution::default(),
            };
            if let Err(reason) = checker.clause(clause(source), ty, &Locals::new()) {
                faults.push(fault(source, reason));
            }
        }
    }
    faults.sort();
    faults
}
