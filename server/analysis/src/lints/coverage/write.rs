//! What to write instead of clauses: those that are missing, with names in their patterns and a hole for each
//! body, and those that stand in the wrong order.

use std::ops::Range;

use frank_syntax::ast::{Clause, ItemKind, PatternKind};
use text_size::{TextRange, TextSize};

use super::matrix::Witness;
use super::{Match, Subject};
use crate::builtin;
use crate::db::{item, parsed};
use crate::declarations::{data_type, interface};
use crate::diagnostics::{Edit, Fix, Location, Position};
use crate::free_names::FreeNames;
use crate::program_roots::programs_of;
use crate::types::{Ty, Types, usual_names};

/// Names for variables of types that are not known, in the order in which they are taken.
const NAMES: &[&str] = &["x", "y", "z", "w", "v", "u"];

impl Match<'_> {
    /// The missing clauses behind those that are there.
    pub(super) fn write(&self, missing: &[Vec<Witness>]) -> Option<Fix> {
        let (index, last) = self.clauses.last()?;
        let (source, _) = self.inference.bodies.get(*index)?;
        let text = source.text(self.db);
        let map = &parsed(self.db, *source).source_map;
        let mut heads: Vec<String> = Vec::new();
        for patterns in missing {
            let head = self.named_head(patterns)?;
            if !heads.contains(&head) {
                heads.push(head);
            }
        }
        let (at, written) = match self.subject {
            Subject::Operator(_) => {
                // Behind a comment at the end of the line, too.
                let end = TextSize::of(text.trim_end());
                let start = usize::from(map.range(item(self.db, *source).id).start());
                let indent = indent(text, start);
                let lines = heads.iter().map(|head| format!("\n{indent}{head} = _"));
                (end, lines.collect::<String>())
            }
            Subject::Thunk(_) => {
                let range = map.range(last.id);
                let start = usize::from(range.start());
                let lines = self.clauses.iter().any(|(_, clause)| {
                    let start = usize::from(map.range(clause.id).start());
                    let before = text.get(..start).unwrap_or_default();
                    let line = before.rsplit('\n').next().unwrap_or_default();
                    let line = line.trim_matches(|c: char| c.is_whitespace() || c == '|');
                    before.contains('\n') && line.is_empty()
                });
                let bar = match lines {
                    true => {
                        let column = indent(text, start).len();
                        format!("\n{}| ", " ".repeat(column.saturating_sub(2)))
                    }
                    false => " | ".to_owned(),
                };
                let clauses = heads.iter().map(|head| format!("{bar}{head} -> _"));
                (range.end(), clauses.collect::<String>())
            }
        };
        let title = match &heads[..] {
            [_] => "write the missing clause".to_owned(),
            all => format!("write the {} missing clauses", all.len()),
        };
        Some(Fix {
            title,
            edits: vec![Edit {
                location: Location::range(*source, TextRange::empty(at)),
                position: Position::Replace,
                text: written,
            }],
            safe: false,
        })
    }

    /// The head of a clause, with names that nothing else in sight has.
    fn named_head(&self, patterns: &[Witness]) -> Option<String> {
        let (index, _) = self.clauses.first()?;
        let (source, _) = self.inference.bodies.get(*index)?;
        let file = source.file(self.db);
        let scope = programs_of(self.db, file).first().copied().unwrap_or(file);
        let mut names = FreeNames::new(scope, []);
        let mut head: Vec<String> = Vec::new();
        if let Subject::Operator(operator) = self.subject {
            let name = operator.0.name;
            head.push(if patterns.is_empty() {
                format!("{name}!")
            } else {
                name.to_string()
            });
        }
        for (port, witness) in patterns.iter().enumerate() {
            let known = match witness {
                Witness::Any => self.name_at(port),
                _ => None,
            };
            head.push(match known.filter(|name| names.take(name)) {
                Some(name) => name,
                None => {
                    let port = self.ports.get(port);
                    let kind = port.map(|port| self.inference.table.kind(port.ty));
                    self.named(witness, kind.map_or(NAMES, usual_names), &mut names)
                }
            });
        }
        Some(head.join(" "))
    }

    /// The name that another clause gives to the values of a port.
    fn name_at(&self, port: usize) -> Option<String> {
        self.clauses.iter().find_map(|(index, clause)| {
            let (source, body) = self.inference.bodies.get(*index)?;
            let item = item(self.db, *source);
            let pattern = *clause.patterns.get(port)?;
            match &item.patterns[pattern].kind {
                PatternKind::Name(name)
                    if super::is_variable(body, pattern) && !name.symbol.is_wildcard() =>
                {
                    Some(name.symbol.to_string())
                }
                _ => None,
            }
        })
    }

    /// A pattern whose variables have names: those of `wanted` if it is one itself.
    fn named(&self, witness: &Witness, wanted: &[&str], names: &mut FreeNames) -> String {
        // Names by the types that fields and arguments are declared with.
        let all = |args: &[Witness], types: Option<(&Types, &[Ty])>, names: &mut FreeNames| {
            let named = args.iter().enumerate().map(|(index, arg)| {
                let ty = types.and_then(|(types, all)| Some(types.kind(*all.get(index)?)));
                self.named(arg, ty.map_or(NAMES, usual_names), names)
            });
            named.collect::<Vec<String>>()
        };
        match witness {
            Witness::Any => names.next(self.db, wanted),
            Witness::Finished(value) => self.named(value, wanted, names),
            Witness::Command(command, index, args) => {
                let number = match index {
                    0 => String::new(),
                    n => format!(".{n}"),
                };
                let owner = command.interface.0;
                let declared = interface(self.db, owner.scope, owner.name).as_ref();
                let types = declared.and_then(|declared| {
                    let command = declared.commands.get(command.index as usize)?;
                    Some((&declared.types, &command.args[..]))
                });
                let args = all(args, types, names);
                let args: String = args.iter().map(|arg| format!(" {arg}")).collect();
                let k = names.next(self.db, &["k"]);
                format!("<{}{number}{args} -> {k}>", command.name)
            }
            Witness::Constructor(constructor, args) if !args.is_empty() => {
                let owner = constructor.data.0;
                let declared = data_type(self.db, owner.scope, owner.name).as_ref();
                let types = declared.and_then(|declared| {
                    let constructor = declared.constructors.get(constructor.index as usize)?;
                    Some((&declared.types, &constructor.fields[..]))
                });
                let named = all(args, types, names);
                if *constructor == builtin::cons(self.db) && args.len() == 2 {
                    format!("({})", named.join(" :: "))
                } else {
                    format!("({} {})", constructor.name, named.join(" "))
                }
            }
            Witness::Constructor(..) | Witness::Other | Witness::Integer(_) | Witness::Char(_) => {
                self.pattern(witness)
            }
        }
    }
}

impl Match<'_> {
    /// Moves a clause of an operator below the others: each takes the place of the one before it.
    /// The fix that leaves an operator's clause out. That may be what was meant, and the others not.
    pub(super) fn left_out(&self, number: usize) -> Option<Fix> {
        let (index, clause) = self.clauses.get(number)?;
        let (source, _) = self.inference.bodies.get(*index)?;
        let item = item(self.db, *source);
        let is_own =
            matches!(&item.kind, ItemKind::Clause { clause: own, .. } if own.id == clause.id);
        let start = parsed(self.db, *source).source_map.range(item.id).start();
        let range = TextRange::new(start, TextSize::of(source.text(self.db)));
        let place = Location::range(*source, range);
        is_own.then(|| Fix {
            title: "leave the clause out".to_owned(),
            edits: vec![Edit {
                location: place,
                position: Position::Replace,
                text: String::new(),
            }],
            safe: false,
        })
    }

    pub(super) fn moved_below(&self, first: u32) -> Option<Fix> {
        let clauses = self.clauses.get(first as usize..)?;
        let place = |(index, clause): &(usize, &Clause)| {
            let (source, _) = self.inference.bodies.get(*index)?;
            let item = item(self.db, *source);
            let is_own =
                matches!(&item.kind, ItemKind::Clause { clause: own, .. } if own.id == clause.id);
            let range = parsed(self.db, *source).source_map.range(item.id);
            let text = source.text(self.db).get(Range::<usize>::from(range))?;
            let text = text.trim_end();
            let range = TextRange::at(range.start(), TextSize::of(text));
            is_own.then(|| (Location::range(*source, range), text))
        };
        let places: Vec<(Location, &str)> = clauses.iter().map(place).collect::<Option<_>>()?;
        let next = places.iter().cycle().skip(1);
        let edits = places.iter().zip(next).map(|((at, _), (_, new))| Edit {
            location: *at,
            position: Position::Replace,
            text: (*new).to_owned(),
        });
        Some(Fix {
            title: "move the first clause below".to_owned(),
            edits: edits.collect(),
            safe: false,
        })
    }
}

/// As many blanks as there are columns in front of an offset.
fn indent(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or_default();
    let column = before.chars().rev().take_while(|c| *c != '\n').count();
    " ".repeat(column)
}
