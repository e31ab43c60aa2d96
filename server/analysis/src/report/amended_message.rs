//! What is told of a declaration that should say something else, and how that is written.

use frank_syntax::ast::{Adjustment, InstanceExpr, ItemKind, NodeId, Symbol, TypeArg};
use text_size::TextRange;

use super::Reporter;
use super::amendments::Amended;
use super::candidates::{
    Argument, arguments, chosen_number, floats, instance_within, silent_computations,
};
use super::places::{result_ability, result_node, signature_item};
use super::users::{inference_if, user};
use super::words::ordinal;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::hypothesis::Amendment;
use crate::infer::problem::Problem;
use crate::infer::{Inference, infer_operator};
use crate::program::{CommandDef, OperatorDef, TermDef};
use crate::show::Show;
use crate::types::Arg;

/// A declaration whose uses read it in another way.
struct Declared<'r, 'a> {
    reporter: &'r Reporter<'a>,
    amended: Amended,
    source: ItemSource,
    arguments: Vec<Argument>,
}

impl Reporter<'_> {
    /// The finding about a declaration that should say something else.
    pub(super) fn amendment(&self, amended: Amended) -> Option<Diagnostic> {
        let (source, arguments) = arguments(self.db, amended.definition)?;
        let declared = Declared {
            reporter: self,
            amended,
            source,
            arguments,
        };
        let mut problem = declared.told()?;
        let mut also = "this would be right then";
        for place in [amended.taken, amended.given].into_iter().flatten() {
            if place == problem.location {
                continue;
            }
            problem = problem.related(place, also);
            also = "this would be right then, too";
        }
        Some(problem)
    }
}

impl Declared<'_, '_> {
    fn told(&self) -> Option<Diagnostic> {
        match self.amended.amendment {
            Amendment::Exchange(a, b) => self.exchanged(a, b),
            Amendment::Unsuspend(index) => self.unsuspended(index),
            Amendment::Suspend(index) => self.suspended(index),
            Amendment::List(index) => self.list(index),
            Amendment::Written(index, ty) => self.of_type(index, ty.as_str()),
            Amendment::Without(index) => self.without(index),
            Amendment::More(ty) => self.with_one_more(ty.as_str()),
            Amendment::Function(first, count) => self.function(first, count),
            Amendment::Result(ty) => self.result(ty.as_str(), true),
            Amendment::AnyResult => {
                let meant =
                    self.meant(|show, known| Some(show.ty(known.computation.as_ref()?.result)))?;
                self.result(&meant, false)
            }
            Amendment::Instance(index) => self.instances(&[index]),
            Amendment::Instances => {
                let count = instances(self.reporter, self.operator()?)?.1.len();
                self.instances(&(0..count).collect::<Vec<_>>())
            }
            Amendment::Layer(index) => self.layer(index),
            Amendment::Peel(index) => self.peeled(index),
            Amendment::Perform(index) => self.performing(index),
            Amendment::Number(index) => self.with_numbers(index),
            // It is tried out for what it says of the port.
            Amendment::AnyPort(_) => None,
        }
    }

    fn exchanged(&self, a: usize, b: usize) -> Option<Diagnostic> {
        let (first, second) = (self.at(a)?, self.at(b)?);
        let (one, other) = (self.text(first)?, self.text(second)?);
        let others = match self.amended.taken {
            Some(_) => self.both(),
            None => format!("all its {}", self.givers()),
        };
        let message = format!(
            "the {} and the {} {} of `{}` are the wrong way round: {others} have them in the other order",
            ordinal(a),
            ordinal(b),
            self.what(),
            self.amended.definition.name()
        );
        let edit = |location, text: &str| Edit {
            location,
            position: Position::Replace,
            text: text.to_owned(),
        };
        let fix = Fix {
            title: "exchange the two types".to_owned(),
            edits: vec![edit(first, other), edit(second, one)],
            // Those who give alone may all be wrong.
            safe: self.amended.taken.is_some(),
        };
        Some(
            Diagnostic::new(Code::TypeMismatch, first, message)
                .help(format!("exchange the two types, `{one}` and `{other}`"))
                .fix(fix),
        )
    }

    fn unsuspended(&self, index: usize) -> Option<Diagnostic> {
        let place = self.at(index)?;
        let inner = self.text(place)?.strip_prefix('{')?.strip_suffix('}')?;
        let inner = self.as_argument(inner.trim());
        let message = self.reads(index, "is a suspended computation here, and a value");
        Some(
            Diagnostic::new(Code::TypeMismatch, place, message)
                .help(format!("leave out the braces: `{inner}`"))
                .fix(fixes::replace(place, &inner, format!("write `{inner}`"))),
        )
    }

    fn suspended(&self, index: usize) -> Option<Diagnostic> {
        let place = self.at(index)?;
        let written = format!("{{{}{}}}", self.ability(), self.text(place)?);
        let message = self.reads(index, "is a value here, and a suspended computation");
        Some(
            Diagnostic::new(Code::TypeMismatch, place, message)
                .help(format!("write braces around it: `{written}`"))
                .fix(fixes::replace(
                    place,
                    &written,
                    format!("write `{written}`"),
                )),
        )
    }

    fn list(&self, index: usize) -> Option<Diagnostic> {
        let place = self.at(index)?;
        let one = self.text(place)?;
        let (written, many) = match one {
            "Char" => ("String".to_owned(), "a `String`"),
            _ if one.contains(' ') && !one.starts_with('(') => {
                (format!("List ({one})"), "a list of these")
            }
            _ => (format!("List {one}"), "a list of these"),
        };
        let message = self.reads(index, &format!("is `{one}` here, and {many}"));
        let problem = Diagnostic::new(Code::TypeMismatch, place, message);
        Some(instead(problem, &self.as_argument(&written), true))
    }

    fn of_type(&self, index: usize, ty: &str) -> Option<Diagnostic> {
        let place = self.at(index)?;
        let here = format!("is `{}` here, and `{ty}`", self.text(place)?);
        let problem = Diagnostic::new(Code::TypeMismatch, place, self.reads(index, &here));
        Some(instead(problem, &self.as_argument(ty), false))
    }

    fn without(&self, index: usize) -> Option<Diagnostic> {
        let place = self.at(index)?;
        let message = format!(
            "the {} {} of `{}`, `{}`, is one too many for {}",
            ordinal(index),
            self.what(),
            self.amended.definition.name(),
            self.text(place)?,
            self.both()
        );
        let problem = Diagnostic::new(Code::WrongArgumentCount, place, message);
        let problem = problem.help("leave it out");
        Some(match self.left_out(index) {
            Some(fix) => problem.fix(fix),
            None => problem,
        })
    }

    /// The fix that leaves an argument out.
    fn left_out(&self, index: usize) -> Option<Fix> {
        let db = self.reporter.db;
        let start = |node: NodeId| Location::node(self.source, node).in_item(db).start();
        let next = match (self.arguments.get(index + 1), self.amended.definition) {
            (Some(next), _) => next.node,
            (None, TermDef::Operator(operator)) => {
                let (_, ability) = result_ability(db, operator)?;
                let (_, result) = result_node(db, operator)?;
                // What takes nothing has braces or an ability in its type.
                let is_plain = self.arguments.len() == 1 && ability == result;
                (!is_plain).then_some(ability)?
            }
            (None, TermDef::Command(command)) => self.result_of(command)?,
            (None, TermDef::Constructor(_)) => return None,
        };
        let range = TextRange::new(start(self.arguments.get(index)?.node), start(next));
        let place = Location::range(self.source, range);
        Some(Fix {
            safe: false,
            ..fixes::replace(place, "", "leave it out".to_owned())
        })
    }

    fn with_one_more(&self, ty: &str) -> Option<Diagnostic> {
        if let TermDef::Command(command) = self.amended.definition {
            let place = Location::node(self.source, self.result_of(command)?);
            let message = format!(
                "`{}` has one argument more, `{ty}`, in {}",
                command.name,
                self.both()
            );
            let written = format!("{ty} -> {}", self.text(place)?);
            let problem = Diagnostic::new(Code::WrongArgumentCount, place, message);
            return Some(instead(problem, &written, false));
        }
        let (ItemKind::Data { constructors, .. }, TermDef::Constructor(constructor)) = (
            &item(self.reporter.db, self.source).kind,
            self.amended.definition,
        ) else {
            return None;
        };
        let declared = constructors.get(constructor.index as usize)?;
        let place = Location::node(self.source, declared.id);
        let message = format!(
            "`{}` has one argument more, `{ty}`, in {}",
            constructor.name,
            self.both()
        );
        let written = format!("{} {ty}", self.text(place)?);
        let problem = Diagnostic::new(Code::ConstructorArguments, place, message);
        Some(instead(problem, &written, false))
    }

    fn function(&self, first: usize, count: usize) -> Option<Diagnostic> {
        let db = self.reporter.db;
        let (first, last) = (self.at(first)?, self.at(first + count - 1)?);
        let range = first.in_item(db).cover(last.in_item(db));
        let place = Location::range(self.source, range);
        let function = self.text(place)?;
        let message = format!(
            "`{}` has a port for each of `{function}` here, and one for a function for {}",
            self.amended.definition.name(),
            self.both()
        );
        let written = format!("{{{function}}}");
        Some(
            Diagnostic::new(Code::WrongPatternCount, place, message)
                .help(format!("the type of a function has braces: `{written}`"))
                .fix(Fix {
                    safe: false,
                    ..fixes::replace(place, &written, format!("write `{written}`"))
                }),
        )
    }

    fn result(&self, meant: &str, safe: bool) -> Option<Diagnostic> {
        let node = match self.amended.definition {
            TermDef::Operator(operator) => result_node(self.reporter.db, operator)?.1,
            TermDef::Command(command) => self.result_of(command)?,
            TermDef::Constructor(_) => return None,
        };
        let place = Location::node(self.source, node);
        let message = format!(
            "`{}` gives `{}` here, and `{meant}` for {}",
            self.amended.definition.name(),
            self.text(place)?,
            self.both()
        );
        let problem = Diagnostic::new(Code::TypeMismatch, place, message);
        Some(instead(problem, meant, safe))
    }

    /// The finding about instances of an operator's ability that have other arguments in its clauses and its calls.
    fn instances(&self, which: &[usize]) -> Option<Diagnostic> {
        let operator = self.operator()?;
        let (_, written) = instances(self.reporter, operator)?;
        let (mut has, mut need, mut edits) = (Vec::new(), Vec::new(), Vec::new());
        for index in which {
            let at = Location::node(self.source, written.get(*index)?.id);
            let text = self.text(at)?;
            let meant = self.meant(|show, known| {
                let ability = known.computation.as_ref()?.ability;
                let row = known.table.row(ability);
                Some(show.instance(row.instances.get(*index)?))
            });
            let meant = match self.amended.taken {
                Some(_) => meant?,
                None => self.instance_around(written.get(*index)?.interface.symbol)?,
            };
            if text != meant {
                has.push(format!("`{text}`"));
                need.push(format!("`{meant}`"));
                edits.push(Edit {
                    location: at,
                    position: Position::Replace,
                    text: meant,
                });
            }
        }
        let place = edits.first()?.location;
        let (has, need) = (has.join(" and "), need.join(" and "));
        let who = match self.amended.taken {
            Some(_) => "its clauses and its calls need",
            None => "where it is called there is",
        };
        let message = format!("`{}` has {has} here, and {who} {need}", operator.0.name);
        let fix = Fix {
            title: format!("write {need}"),
            edits,
            safe: false,
        };
        let problem = match (self.amended.taken, self.amended.given) {
            (Some(_), _) => Diagnostic::new(Code::TypeMismatch, place, message),
            // The file with the signature alone says nothing of the calls in others.
            (None, Some(call))
                if call.item.file(self.reporter.db) != self.source.file(self.reporter.db) =>
            {
                let here = format!(
                    "`{}` has {has} in its signature, and here there is {need}",
                    operator.0.name
                );
                Diagnostic::new(Code::AbilityMismatch, call, here).related(place, "the signature")
            }
            (None, _) => Diagnostic::new(Code::AbilityMismatch, place, message),
        };
        Some(problem.help(format!("write {need}")).fix(fix))
    }

    /// The active instance of an interface where an operator is called that needs another one.
    fn instance_around(&self, interface: Symbol) -> Option<String> {
        let known = infer_operator(self.reporter.db, self.amended.teller)?;
        let show = Show {
            table: &known.table,
            values: &known.rigid_values,
            effects: &known.rigid_effects,
            ..self.reporter.show()
        };
        known.problems.iter().find_map(|problem| {
            let Problem::Ability {
                definition: Some(called),
                ambient,
                ..
            } = problem
            else {
                return None;
            };
            let row = known.table.row(*ambient);
            let mut instances = row.instances.iter().rev();
            let active = instances.find(|one| one.interface.0.name == interface)?;
            // An ability without instances is what a signature says of itself already.
            let adds = active.args.iter().any(|arg| match arg {
                Arg::Ability(ability) => !known.table.row(*ability).instances.is_empty(),
                Arg::Type(_) => false,
            });
            (*called == self.amended.definition && adds).then(|| show.instance(active))
        })
    }

    /// The finding about computations that run where the commands of other ports are handled, and may not
    /// perform them.
    fn performing(&self, index: usize) -> Option<Diagnostic> {
        let db = self.reporter.db;
        let item = item(db, self.source);
        let ItemKind::Signature { ty, .. } = &item.kind else {
            return None;
        };
        let adjustments = ty.ports.iter().flat_map(|port| &port.adjustments);
        let instances = adjustments.filter_map(|one| match one {
            Adjustment::Instance(instance) => self.text(Location::node(self.source, instance.id)),
            Adjustment::Adaptor(_) => None,
        });
        let instances = instances.collect::<Vec<_>>().join(", ");
        let place = self.at(index)?;
        let start = place.in_item(db).start();
        let results = silent_computations(item, self.arguments.get(index)?.ty);
        let mut written = self.text(place)?.to_owned();
        for result in results.iter().rev() {
            let at = Location::node(self.source, *result).in_item(db).start() - start;
            let at = usize::from(at);
            written
                .is_char_boundary(at)
                .then(|| written.insert_str(at, &format!("[{instances}]")))?;
        }
        let message = format!(
            "`{}` runs the computations in its {} port where `{instances}` is handled, and `{}` does not say that \
             they perform it",
            self.amended.definition.name(),
            ordinal(index),
            self.text(place)?
        );
        let problem = Diagnostic::new(Code::MissingAbility, place, message);
        Some(instead(problem, &written, true))
    }

    fn layer(&self, index: usize) -> Option<Diagnostic> {
        let argument = self.arguments.get(index)?;
        let within = instance_within(item(self.reporter.db, self.source), argument.ty)?;
        let place = Location::node(self.source, within.id);
        let (outer, interface) = (self.text(place)?, within.interface.symbol);
        let port = self.text(self.at(index)?)?;
        let port = port.trim_start_matches('(').trim_end_matches(')');
        let message = format!(
            "the clauses of `{}` use `{interface} ({port})`, and its signature allows `{outer}` alone",
            self.amended.definition.name()
        );
        let written = format!("{outer}, {interface} ({port})");
        let problem = Diagnostic::new(Code::MissingAbility, place, message);
        Some(instead(problem, &written, false))
    }

    fn peeled(&self, index: usize) -> Option<Diagnostic> {
        let db = self.reporter.db;
        let argument = self.arguments.get(index)?;
        let around = item(db, self.source);
        let within = instance_within(around, argument.ty)?;
        let [TypeArg::Type(part)] = &within.args[..] else {
            return None;
        };
        let part = self.text(Location::node(self.source, around.types[*part].id))?;
        let place = self.at(index)?;
        let plain = |at| {
            let text = self.text(at)?;
            Some(text.trim_start_matches('(').trim_end_matches(')'))
        };
        let whole = plain(place)?;
        let (_, result) = result_node(db, self.operator()?)?;
        let ports = (0..self.arguments.len()).filter_map(|index| self.at(index));
        let all = ports.chain([Location::node(self.source, result)]);
        let same = all.filter(|at| plain(*at) == Some(whole));
        let edits = same.map(|location| Edit {
            location,
            position: Position::Replace,
            text: part.to_owned(),
        });
        let message = format!(
            "`{}` is for `{whole}` here, and for `{part}` in {}",
            self.amended.definition.name(),
            self.both()
        );
        Some(
            Diagnostic::new(Code::TypeMismatch, place, message)
                .help(format!("write `{part}` for `{whole}`"))
                .fix(Fix {
                    title: format!("write `{part}` for `{whole}`"),
                    edits: edits.collect(),
                    safe: false,
                }),
        )
    }

    fn with_numbers(&self, index: usize) -> Option<Diagnostic> {
        let around = item(self.reporter.db, self.source);
        let number = chosen_number(self.reporter.db, self.operator()?)?;
        let ty = self.arguments.get(index)?.ty;
        let edits: Vec<Edit> = floats(around, ty)
            .into_iter()
            .map(|node| Edit {
                location: Location::node(self.source, node),
                position: Position::Replace,
                text: number.to_string(),
            })
            .collect();
        let place = edits.first()?.location;
        let here = format!("is of `Float`s here, and of the `{number}` of its ability");
        Some(
            Diagnostic::new(Code::TypeMismatch, place, self.reads(index, &here))
                .help(format!("write `{number}` for `Float`"))
                .fix(Fix {
                    title: format!("write `{number}` for `Float`"),
                    edits,
                    safe: false,
                }),
        )
    }

    /// Where an argument is written.
    fn at(&self, index: usize) -> Option<Location> {
        let argument = self.arguments.get(index)?;
        Some(Location::node(self.source, argument.node))
    }

    fn text(&self, location: Location) -> Option<&str> {
        let range = location.in_item(self.reporter.db);
        let text = self.source.text(self.reporter.db);
        text.get(std::ops::Range::<usize>::from(range))
    }

    /// What the declared name has.
    fn what(&self) -> &'static str {
        match self.amended.definition {
            TermDef::Operator(_) => "port",
            TermDef::Constructor(_) | TermDef::Command(_) => "argument",
        }
    }

    /// Where that is given.
    fn givers(&self) -> &'static str {
        match self.amended.definition {
            TermDef::Operator(_) => "calls",
            TermDef::Constructor(_) | TermDef::Command(_) => "uses",
        }
    }

    /// Where it is taken, and where it is given.
    fn both(&self) -> String {
        let takers = match self.amended.definition {
            TermDef::Operator(_) => "clauses",
            TermDef::Constructor(_) => "patterns",
            TermDef::Command(_) => "handlers",
        };
        format!("its {takers} and its {}", self.givers())
    }

    /// The sentence about an argument that is one thing here, and another for those who use the name.
    fn reads(&self, index: usize, here: &str) -> String {
        format!(
            "the {} {} of `{}` {here} for {}",
            ordinal(index),
            self.what(),
            self.amended.definition.name(),
            self.both()
        )
    }

    fn operator(&self) -> Option<OperatorDef> {
        match self.amended.definition {
            TermDef::Operator(operator) => Some(operator),
            TermDef::Constructor(_) | TermDef::Command(_) => None,
        }
    }

    /// The type of what a command gives, where it is declared.
    fn result_of(&self, command: CommandDef) -> Option<NodeId> {
        let item = item(self.reporter.db, self.source);
        let ItemKind::Interface { commands, .. } = &item.kind else {
            return None;
        };
        let declared = commands.get(command.index as usize)?;
        Some(item.types[declared.result].id)
    }

    /// What the clauses of an operator say that its signature should say, as text; `None` if they leave it open.
    fn meant(&self, text: impl Fn(&Show<'_>, &Inference) -> Option<String>) -> Option<String> {
        let Amended {
            definition,
            amendment,
            ..
        } = self.amended;
        let own = user(self.reporter.db, self.operator()?)?;
        let known = inference_if(self.reporter.db, definition, amendment, &own)?;
        let show = Show {
            table: &known.table,
            values: &known.rigid_values,
            effects: &known.rigid_effects,
            ..self.reporter.show()
        };
        text(&show, &known).filter(|text| !text.contains(['_', '…']))
    }

    /// A type as it can stand behind a constructor.
    fn as_argument(&self, ty: &str) -> String {
        match self.amended.definition {
            TermDef::Constructor(_) if ty.contains(' ') => format!("({ty})"),
            _ => ty.to_owned(),
        }
    }

    /// The ability that is written in an operator's signature, for a computation that it runs.
    fn ability(&self) -> &str {
        let written = || {
            let (_, item) = signature_item(self.reporter.db, self.operator()?)?;
            let ItemKind::Signature { ty, .. } = &item.kind else {
                return None;
            };
            self.text(Location::node(self.source, ty.peg.ability.as_ref()?.id))
        };
        written().unwrap_or_default()
    }
}

/// The instances that are written in an operator's ability.
fn instances<'a>(
    reporter: &'a Reporter<'_>,
    operator: OperatorDef,
) -> Option<(ItemSource, &'a [InstanceExpr])> {
    let (source, item) = signature_item(reporter.db, operator)?;
    let ItemKind::Signature { ty, .. } = &item.kind else {
        return None;
    };
    Some((source, &ty.peg.ability.as_ref()?.instances))
}

/// A finding with what to write where it is.
fn instead(problem: Diagnostic, written: &str, safe: bool) -> Diagnostic {
    let fix = fixes::replace(problem.location, written, format!("write `{written}`"));
    problem
        .help(format!("write `{written}`"))
        .fix(Fix { safe, ..fix })
}
