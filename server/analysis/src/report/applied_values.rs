//! Values that are applied: in `f x` the signature says that `f` is an `Int`.

use std::collections::HashMap;

use frank_syntax::ast::{ItemKind, NodeId, PatternKind, Symbol, TermId};

use super::Reporter;
use super::places::{is_own, port_node};
use super::roots::{Gathered, place};
use super::words::ordinal;
use crate::builtin;
use crate::db::{ItemSource, item};
use crate::declarations::data_type;
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::hypothesis::{Change, Hypothesis};
use crate::infer::problem::{Mark, Problem};
use crate::infer::{Resolved, infer_operator_if};
use crate::program::{DataDef, TermDef};
use crate::scopes::LocalKind;
use crate::show::Show;
use crate::types::{Ty, TyKind};

impl Reporter<'_> {
    /// A parameter that is applied in several places is of the wrong type once.
    pub(super) fn applied_parameters(&mut self, problems: &[Problem], gathered: &mut Gathered) {
        let mut firsts: HashMap<usize, Mark> = HashMap::new();
        for problem in problems {
            let Problem::NotAFunction { source, head, .. } = problem else {
                continue;
            };
            let Some((_, _, port)) = self.port_of_variable(*source, *head) else {
                continue;
            };
            match firsts.get(&port) {
                Some(first) => {
                    self.settled.insert(problem.mark());
                    let note = (
                        place(self.db, problem),
                        "it is applied here, too".to_owned(),
                    );
                    gathered.notes.entry(*first).or_default().push(note);
                }
                None => {
                    firsts.insert(port, problem.mark());
                }
            }
        }
    }

    /// The message for what is applied, or forced, and is no computation.
    pub(super) fn not_a_function(
        &mut self,
        mark: Mark,
        source: ItemSource,
        head: TermId,
        found: Ty,
        given: usize,
    ) -> Diagnostic {
        let node = item(self.db, source).terms[head].id;
        let verb = if given == 0 { "forced" } else { "applied" };
        let shown = self.ty(found);
        let name = self.head_text(source, head, None);
        let mut problem = Diagnostic::new(
            Code::NotAFunction,
            Location::node(source, node),
            format!("{name} has type `{shown}`, which is no computation, so it cannot be {verb}"),
        );
        if let (TyKind::Data(data, _), 0) = (self.inference.table.kind(found), given)
            && *data == builtin::reference(self.db)
        {
            let problem =
                problem.help(format!("`read {}` is what it holds", name.replace('`', "")));
            return match self.surroundings(source).ancestors(head).next() {
                Some(call) => {
                    let item = item(self.db, source);
                    let text = format!("read {}", name.replace('`', ""));
                    let text = match self.surroundings(source).needs_parentheses(item, call) {
                        true => format!("({text})"),
                        false => text,
                    };
                    let at = Location::node(source, item.terms[call].id);
                    problem.fix(fixes::replace(at, &text, format!("write `{text}`")))
                }
                None => problem,
            };
        }
        if let Some((place, port, index)) = self.port_of_variable(source, head) {
            problem = problem.related(
                Location::node(place, port),
                format!("`{shown}` is declared here, in the {} port", ordinal(index)),
            );
            if given == 0
                && let Some(operator) = self.operator
                && self.handles_port(TermDef::Operator(operator), index)
                && let Some(pattern) = self.pattern_of_port(source, index)
            {
                let name = name.replace('`', "");
                let written = format!("<{name}>");
                return problem
                    .help(format!(
                        "`{name}` is what the argument gives when it has performed everything; the pattern \
                         `{written}` takes it before that, and `{name}!` performs it"
                    ))
                    .fix(Fix {
                        safe: false,
                        ..fixes::replace(pattern, &written, format!("write `{written}`"))
                    });
            }
            let meant = self.type_as_function(mark, source, (index, given));
            if given == 0 {
                problem = problem.help("leave out the `!`: the value is there already");
                let whole = self.surroundings(source).ancestors(head).next();
                if let Some(whole) = whole {
                    let at = Location::node(source, item(self.db, source).terms[whole].id);
                    problem = problem.fix(Fix {
                        safe: false,
                        ..fixes::replace(at, &name.replace('`', ""), "leave out the `!`".to_owned())
                    });
                }
            }
            let help = |ty: &str| {
                let or = if given == 0 { "or, " } else { "" };
                format!("{or}to take a computation there, its type needs braces of its own: `{ty}`")
            };
            return match meant {
                Some(ty) => {
                    let at = Location::node(place, port);
                    let title = format!("write `{ty}` in the signature");
                    // What is given to it elsewhere may be a value as well.
                    let fix = Fix {
                        safe: false,
                        ..fixes::replace(at, &ty, title)
                    };
                    Diagnostic {
                        undecided: true,
                        ..problem.help(help(&ty)).fix(fix)
                    }
                }
                None => problem.help(help(&format!("{{{}_}}", "_ -> ".repeat(given)))),
            };
        }
        if let (TyKind::Data(data, _), true) = (self.inference.table.kind(found), given > 0)
            && let Some(constructor) = self.only_wrapper(*data)
        {
            return problem.help(format!(
                "a pattern takes the computation out of it: `({constructor} f)`"
            ));
        }
        problem.help(if given == 0 {
            "leave out the `!`: the value is there already"
        } else {
            "only operators, commands and suspended computations take arguments"
        })
    }

    /// The constructor of a data type that has but one, around a computation.
    fn only_wrapper(&self, data: DataDef) -> Option<Symbol> {
        let declared = data_type(self.db, data.0.scope, data.0.name).as_ref()?;
        let [constructor] = &declared.constructors[..] else {
            return None;
        };
        let [field] = constructor.fields[..] else {
            return None;
        };
        let holds = matches!(declared.types.kind(field), TyKind::Computation(_));
        holds.then_some(constructor.name)
    }

    /// The port that a pattern variable of the operator stands for, where its type is written.
    pub(super) fn port_of_variable(
        &self,
        source: ItemSource,
        head: TermId,
    ) -> Option<(ItemSource, NodeId, usize)> {
        let operator = self.operator?;
        let body = self.inference.body(source)?;
        let Some(Resolved::Local(local)) = body.names.get(head) else {
            return None;
        };
        let local = body.locals.get(local.0 as usize)?;
        if local.kind != LocalKind::Pattern {
            return None;
        }
        let item = item(self.db, source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return None;
        };
        let index =
            clause
                .patterns
                .iter()
                .position(|pattern| match item.patterns[*pattern].kind {
                    PatternKind::Name(name) => name.id == local.node,
                    _ => false,
                })?;
        let (place, node) = port_node(self.db, TermDef::Operator(operator), index)?;
        is_own(self.db, place).then_some((place, node, index))
    }

    /// Where a clause has its pattern for a port.
    fn pattern_of_port(&self, source: ItemSource, index: usize) -> Option<Location> {
        let item = item(self.db, source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return None;
        };
        let pattern = *clause.patterns.get(index)?;
        Some(Location::node(source, item.patterns[pattern].id))
    }

    /// The type that a port would have to take for its parameter to be a function of so many arguments,
    /// if all of it follows from the clauses.
    fn type_as_function(
        &mut self,
        mark: Mark,
        source: ItemSource,
        (port, arguments): (usize, usize),
    ) -> Option<String> {
        let operator = self.operator?;
        let (term, _) = item(self.db, source).terms.iter().next()?;
        self.trials = self.trials.checked_sub(1)?;
        let hypothesis = Hypothesis {
            source,
            term,
            change: Change::Take(port, arguments),
        };
        let tried = infer_operator_if(self.db, operator, self.order, Some(hypothesis))?;
        let mut left = tried.problems.iter().map(Problem::mark);
        if left.any(|left| left == mark || !self.base.contains(&left)) {
            return None;
        }
        let show = Show {
            table: &tried.table,
            values: &tried.rigid_values,
            effects: &tried.rigid_effects,
            budget: self.budget,
            metas: Some(&self.metas),
        };
        let text = show.ty(tried.computation.as_ref()?.ports.get(port)?.ty);
        (!text.contains(['_', '…'])).then_some(text)
    }
}
