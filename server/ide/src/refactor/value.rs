//! What the values at a port can look like: patterns, with the terms that make the same values again.

use frank_analysis::builtin;
use frank_analysis::declarations::{data_type, interface};
use frank_analysis::program::{TermDef, resolve_term};
use frank_analysis::types::{Instance, Port, TyKind, Types, usual_names};
use frank_syntax::ast::{PatternId, PatternKind, Symbol};

use super::site::Site;
use super::text::{Level, as_argument};

/// A form that a value can have.
#[derive(Debug, Clone)]
pub(super) struct Form {
    pub pattern: String,
    /// The term that makes the value again; of a catch-all, the suspended computation.
    pub term: (String, Level),
    /// What running the computation of a catch-all comes to.
    pub forced: Option<(String, Level)>,
    /// The constructor or command, with the number of the command's instance.
    pub head: Option<(TermDef, u32)>,
}

/// Names for new variables, none of them taken twice.
struct Names<'s, 'a> {
    site: &'s Site<'a>,
    taken: Vec<String>,
    /// The variable whose place they take; `None` where nothing reads what they stand for.
    replaced: Option<Symbol>,
}

impl<'s, 'a> Names<'s, 'a> {
    fn new(site: &'s Site<'a>, replaced: Option<Symbol>) -> Names<'s, 'a> {
        Names {
            site,
            taken: Vec::new(),
            replaced,
        }
    }

    fn next(&mut self, wanted: &[&str]) -> String {
        let Some(replaced) = self.replaced else {
            return "_".to_owned();
        };
        let name = self.site.fresh_for(replaced, wanted, &self.taken);
        self.taken.push(name.clone());
        name
    }
}

/// The forms of the values of a variable's type: one for each constructor. `replaced` is the variable, if something
/// needs what it stands for.
pub(super) fn constructors(
    site: &Site<'_>,
    pattern: PatternId,
    replaced: Option<Symbol>,
) -> Option<Vec<Form>> {
    let typed = site.typed.as_ref()?;
    let db = site.view.db();
    let ty = *typed.body().pattern_types.get(pattern)?;
    let TyKind::Data(data, _) = typed.inference.table.kind(ty) else {
        return None;
    };
    let data = *data;
    let declared = data_type(db, data.0.scope, data.0.name).as_ref()?;
    let mut forms = Vec::new();
    for (index, constructor) in declared.constructors.iter().enumerate() {
        let mut names = Names::new(site, replaced);
        let Some(TermDef::Constructor(def)) = resolve_term(db, site.scope(), constructor.name)
            .filter(|def| matches!(def, TermDef::Constructor(def) if def.data == data))
        else {
            // Another definition hides the constructor here, so that it cannot be matched.
            if data != builtin::list(db) {
                return None;
            }
            return Some(list_forms(
                site,
                &declared.types,
                &declared.constructors.get(1)?.fields,
                replaced,
            ));
        };
        if data == builtin::list(db) {
            return Some(list_forms(
                site,
                &declared.types,
                &declared.constructors.get(1)?.fields,
                replaced,
            ));
        }
        debug_assert_eq!(def.index as usize, index);
        let fields: Vec<String> = constructor
            .fields
            .iter()
            .map(|field| names.next(usual_names(declared.types.kind(*field))))
            .collect();
        forms.push(applied(
            constructor.name.as_str(),
            &fields,
            Some((TermDef::Constructor(def), 0)),
        ));
    }
    Some(forms)
}

fn applied(name: &str, fields: &[String], head: Option<(TermDef, u32)>) -> Form {
    match fields {
        [] => Form {
            pattern: name.to_owned(),
            term: (name.to_owned(), Level::Name),
            forced: None,
            head,
        },
        _ => {
            let text = format!("{name} {}", fields.join(" "));
            Form {
                pattern: format!("({text})"),
                term: (text, Level::Use),
                forced: None,
                head,
            }
        }
    }
}

/// Lists have a syntax of their own, which no definition can hide.
fn list_forms(
    site: &Site<'_>,
    types: &Types,
    fields: &[frank_analysis::types::Ty],
    replaced: Option<Symbol>,
) -> Vec<Form> {
    let db = site.view.db();
    let mut names = Names::new(site, replaced);
    let parts: Vec<String> = fields
        .iter()
        .map(|field| names.next(usual_names(types.kind(*field))))
        .collect();
    let text = parts.join(" :: ");
    let head = |def| Some((TermDef::Constructor(def), 0));
    vec![
        Form {
            pattern: "[]".to_owned(),
            term: ("[]".to_owned(), Level::Atom),
            forced: None,
            head: head(builtin::nil(db)),
        },
        Form {
            pattern: format!("({text})"),
            term: (text, Level::Cons),
            forced: None,
            head: head(builtin::cons(db)),
        },
    ]
}

/// The forms of what an argument at a port can come to: a value, or a command that the port adds.
pub(super) fn computations(
    site: &Site<'_>,
    port: &Port,
    replaced: Option<Symbol>,
) -> Option<Vec<Form>> {
    let db = site.view.db();
    let typed = site.typed.as_ref()?;
    let mut names = Names::new(site, replaced);
    let value = names.next(usual_names(typed.inference.table.kind(port.ty)));
    let mut forms = vec![Form {
        term: (format!("{{{value}}}"), Level::Atom),
        forced: Some((value.clone(), Level::Name)),
        pattern: value,
        head: None,
    }];
    let added: Vec<&Instance> = port.added().collect();
    // The active instance comes first, as its commands are the ones that need no number.
    for (place, instance) in added.iter().enumerate().rev() {
        let right = added.iter().skip(place + 1);
        let index = right
            .filter(|other| other.interface == instance.interface)
            .count();
        let declared =
            interface(db, instance.interface.0.scope, instance.interface.0.name).as_ref()?;
        for command in &declared.commands {
            let def = resolve_term(db, site.scope(), command.name).filter(
                |def| matches!(def, TermDef::Command(def) if def.interface == instance.interface),
            )?;
            let mut names = Names::new(site, replaced);
            let args: Vec<String> = command
                .args
                .iter()
                .map(|arg| names.next(usual_names(declared.types.kind(*arg))))
                .collect();
            let k = names.next(&["k"]);
            let name = command.name;
            let numbered = match index {
                0 => name.to_string(),
                n => format!("{name}.{n}"),
            };
            let patterns: String = args.iter().map(|arg| format!(" {arg}")).collect();
            let call = match args.is_empty() {
                true => (format!("{name}!"), Level::Nullary),
                false => (format!("{name}{patterns}"), Level::Use),
            };
            let call = match index {
                0 => call,
                n => {
                    let hidden = vec![instance.interface.0.name.to_string(); n].join(", ");
                    let call = match call.1 {
                        Level::Use => format!("({})", call.0),
                        _ => call.0,
                    };
                    (format!("<{hidden}> {call}"), Level::Use)
                }
            };
            let resumed = format!("{k} {}", as_argument(&call.0, call.1));
            forms.push(Form {
                pattern: format!("<{numbered}{patterns} -> {k}>"),
                term: (format!("{{{resumed}}}"), Level::Atom),
                forced: Some((resumed, Level::Use)),
                head: Some((def, index as u32)),
            });
        }
    }
    Some(forms)
}

/// What a pattern matches at its top: a constructor or a command, if all within it are variables.
pub(super) fn shallow_head(site: &Site<'_>, pattern: PatternId) -> Option<(TermDef, u32)> {
    use super::clauses::takes_all_values;
    let db = site.view.db();
    let all = |parts: &[PatternId]| parts.iter().all(|part| takes_all_values(site, *part));
    let named = |name: frank_syntax::ast::Symbol| resolve_term(db, site.scope(), name);
    match &site.item().patterns[pattern].kind {
        PatternKind::Name(name) => {
            let def = named(name.symbol).filter(|def| matches!(def, TermDef::Constructor(_)));
            Some((def?, 0))
        }
        PatternKind::Constructor { name, args } if all(args) => Some((named(name.symbol)?, 0)),
        PatternKind::Command {
            name, args, index, ..
        } if all(args) => Some((named(name.symbol)?, *index)),
        PatternKind::List(elements) if elements.is_empty() => {
            Some((TermDef::Constructor(builtin::nil(db)), 0))
        }
        PatternKind::Cons { head, tail } if all(&[*head, *tail]) => {
            Some((TermDef::Constructor(builtin::cons(db)), 0))
        }
        _ => None,
    }
}

/// The term that makes what a pattern matches again, if it is a value; every variable in it must have
/// a name.
pub(super) fn rebuilt(site: &Site<'_>, pattern: PatternId) -> Option<(String, Level)> {
    let argument = |part: &PatternId| {
        let (text, level) = rebuilt(site, *part)?;
        Some(as_argument(&text, level))
    };
    match &site.item().patterns[pattern].kind {
        PatternKind::Name(name) if name.symbol.is_wildcard() => None,
        PatternKind::Name(name) => Some((name.symbol.to_string(), Level::Name)),
        PatternKind::Constructor { name, args } if args.is_empty() => {
            Some((name.symbol.to_string(), Level::Name))
        }
        PatternKind::Constructor { name, args } => {
            let args: Option<Vec<String>> = args.iter().map(argument).collect();
            Some((format!("{} {}", name.symbol, args?.join(" ")), Level::Use))
        }
        PatternKind::Integer(Some(value)) if *value < 0 => Some((value.to_string(), Level::Negate)),
        PatternKind::Integer(_) | PatternKind::Char(_) | PatternKind::String(_) => {
            let range = site.view.range(site.item().patterns[pattern].id);
            Some((site.slice(range).to_owned(), Level::Atom))
        }
        PatternKind::List(elements) => {
            let elements: Option<Vec<String>> = elements
                .iter()
                .map(|part| rebuilt(site, *part).map(|(text, _)| text))
                .collect();
            Some((format!("[{}]", elements?.join(", ")), Level::Atom))
        }
        PatternKind::Cons { head, tail } => {
            let (head, level) = rebuilt(site, *head)?;
            let head = match level <= Level::Cons {
                true => format!("({head})"),
                false => head,
            };
            let (tail, _) = rebuilt(site, *tail)?;
            Some((format!("{head} :: {tail}"), Level::Cons))
        }
        // What is performed is no value.
        _ => None,
    }
}
