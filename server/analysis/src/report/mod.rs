//! Messages for what the checker found.
//!
//! The checker says what does not fit; here it becomes a sentence, with the places that explain
//! it and what to do. A fix is tried out before it is named (`trial.rs`), and a finding that
//! goes with the fix of another one is left out.

mod ability;
mod adaptor;
mod allowing;
mod amended_message;
mod amendments;
mod applied_values;
mod arithmetic;
mod bare_commands;
mod bare_definitions;
pub mod broken_off;
mod callees;
mod calls;
mod candidates;
pub mod catalogue;
mod collected;
mod compared_brackets;
mod continuations;
mod conversions;
mod ended_calls;
mod families;
mod forced_calls;
mod given_back;
pub mod habits;
mod handed_on;
mod handled_again;
mod hidden_variables;
mod infix_words;
mod inner_handlers;
mod instance_arguments;
mod lift;
mod lines;
mod list_pairs;
mod made_by;
mod mapped;
mod mismatch;
mod misplaced_patterns;
mod missing_arguments;
mod misspelt_commands;
mod moved;
mod named_like_constructors;
pub mod once;
mod one_number;
mod orders;
mod origins;
mod other_numbers;
mod other_operators;
mod performing;
pub mod places;
mod port_braces;
mod reasons;
mod roots;
mod rows;
mod selections;
mod slips;
mod suspended;
mod swapped;
pub mod syntax;
mod taken_out;
mod trial;
mod type_names;
mod users;
pub mod words;
mod wrong_declarations;
mod wrong_elements;
mod wrong_functions;
mod wrong_lifts;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use frank_syntax::ast::{Item, NodeId, Symbol, TermId, TermKind};

use crate::db::{Db, ItemSource, SourceFile, Workspace, has_syntax_errors, item, parsed};
use crate::declarations::declaration_problems;
use crate::diagnostics::{
    At, Code, Diagnostic, Fix, Location, MOST_SIMILAR, PossibleCause, similar_names,
};
use crate::fixes;
use crate::holes;
use crate::infer::Inference;
use crate::infer::hypothesis::Order;
use crate::infer::problem::{Expectation, Mark, Problem};
use crate::neighbours::{self, Namespace};
use crate::params::TypeNamespace;
use crate::program::{DataDef, Definition, InterfaceDef, OperatorDef, TermDef, library_with};
use crate::show::{MESSAGE_BUDGET, MetaNames, WHOLE_BUDGET};
use crate::surroundings::Surroundings;
use crate::types::{Ability, Ty};
use ability::Unfit;
use mismatch::Mismatch;
use places::visible_spellings;
pub use places::{declaration, visible_names};

/// A term of so many letters at most is quoted in a message.
const LONGEST_QUOTE: usize = 40;

/// Turns what was found in one operator or term into messages.
pub struct Reporter<'a> {
    db: &'a dyn Db,
    scope: SourceFile,
    operator: Option<OperatorDef>,
    inference: &'a mut Inference,
    budget: usize,
    /// How flexible variables are written: an undecided tail takes what there is.
    metas: MetaNames,
    /// The marks of all problems.
    base: HashSet<Mark>,
    /// The problems that go with the fix of another one.
    settled: HashSet<Mark>,
    /// How many changes may still be tried out.
    trials: u32,
    /// The interfaces that the operator's signature would only have to allow.
    allowable: HashSet<InterfaceDef>,
    /// The order in which the definition was checked.
    order: Order,
    /// The interfaces that the operator's signature has been found to lack, with the finding.
    lacking: HashMap<InterfaceDef, usize>,
    /// The same for what is suspended in data, by the constructor and the argument.
    lacking_within: HashMap<(InterfaceDef, TermDef, usize), usize>,
    found: Vec<Diagnostic>,
    surroundings: RefCell<HashMap<ItemSource, Rc<Surroundings>>>,
}

/// The messages for the problems of an operator, or of a term on its own. The table of the
/// inference is used to try things out, and is left as it was.
pub fn diagnostics(
    db: &dyn Db,
    scope: SourceFile,
    operator: Option<OperatorDef>,
    inference: &mut Inference,
) -> Vec<Diagnostic> {
    if inference.problems.is_empty() {
        return Vec::new();
    }
    let mut closest = orders::closest(db, scope, operator, inference);
    let (inference, order) = match &mut closest {
        Some((other, order)) => (other, *order),
        None => (inference, Order::default()),
    };
    let problems = std::mem::take(&mut inference.problems);
    let verbose = Workspace::get(db).verbose(db);
    let mut reporter = Reporter {
        db,
        scope,
        operator,
        inference: &mut *inference,
        budget: if verbose {
            WHOLE_BUDGET
        } else {
            MESSAGE_BUDGET
        },
        metas: MetaNames {
            elided: true,
            ..MetaNames::default()
        },
        base: crate::infer::problem::marks(&problems),
        settled: HashSet::new(),
        trials: 0,
        allowable: HashSet::new(),
        order,
        lacking: HashMap::new(),
        lacking_within: HashMap::new(),
        found: Vec::with_capacity(problems.len()),
        surroundings: RefCell::default(),
    };
    reporter.trials = reporter.trials_for();
    let mut gathered = reporter.gather(&problems);
    for problem in &problems {
        // What is missing is told, whatever else is wrong around it.
        let is_hole = matches!(problem, Problem::Hole { .. });
        if (is_hole || !reporter.settled.contains(&problem.mark()))
            && let Some(mut finding) = reporter.diagnostic(problem)
        {
            if !is_hole && gathered.consequences.contains(&problem.mark()) {
                continue;
            }
            for (place, note) in gathered.notes.remove(&problem.mark()).unwrap_or_default() {
                if place != finding.location {
                    finding = finding.related(place, note);
                }
            }
            reporter.found.push(finding);
        }
    }
    reporter.bare_commands(&problems);
    reporter.hidden_variables(&problems);
    reporter.forced_once();
    reporter.leave_contested();
    reporter.leave_duplicates();
    let found = reporter.found;
    inference.problems = problems;
    found
}

impl Reporter<'_> {
    fn ty(&self, ty: Ty) -> String {
        self.show().ty(ty)
    }

    fn ability(&self, ability: Ability) -> String {
        self.show().ability(ability)
    }

    fn item(&self, source: ItemSource) -> &Item {
        item(self.db, source)
    }

    /// The names of the locals that a name in the place of a term can read.
    fn locals_at(&self, source: ItemSource, term: TermId) -> Vec<Symbol> {
        let body = self.inference.body(source);
        body.map_or_else(Vec::new, |body| body.scopes.names_at(term))
    }

    fn surroundings(&self, source: ItemSource) -> Rc<Surroundings> {
        let mut known = self.surroundings.borrow_mut();
        let made = known.entry(source);
        made.or_insert_with(|| Rc::new(Surroundings::new(item(self.db, source))))
            .clone()
    }

    /// The text of a term, if it is short.
    fn term_text(&self, source: ItemSource, term: TermId) -> Option<String> {
        let node = self.item(source).terms[term].id;
        let range = parsed(self.db, source).source_map.range(node);
        let text = source
            .text(self.db)
            .get(range.start().into()..range.end().into())?;
        let short =
            !text.is_empty() && text.chars().count() <= LONGEST_QUOTE && !text.contains('\n');
        short.then(|| text.to_owned())
    }

    /// Whether parentheses stand directly around a term.
    fn is_parenthesised(&self, source: ItemSource, term: TermId) -> bool {
        self.is_parenthesised_node(source, self.item(source).terms[term].id)
    }

    fn is_parenthesised_node(&self, source: ItemSource, node: NodeId) -> bool {
        places::has_parentheses(self.db, Location::node(source, node))
    }

    fn diagnostic(&mut self, problem: &Problem) -> Option<Diagnostic> {
        let at = |source: &ItemSource, node: &NodeId| Location::node(*source, *node);
        // What a constructor or a command takes is not known where its declaration did not parse.
        let constructor = match problem {
            Problem::ConstructorArguments { constructor, .. }
            | Problem::Mismatch {
                origin: Expectation::Field { constructor, .. },
                ..
            } => Some(constructor),
            _ => None,
        };
        let command = match problem {
            Problem::ArgumentCount {
                definition: Some(TermDef::Command(command)),
                ..
            }
            | Problem::CommandArguments { command, .. } => Some(command),
            _ => None,
        };
        let declared = constructor.and_then(|constructor| constructor.data.item(self.db));
        let declared = declared.or(command.and_then(|command| command.interface.item(self.db)));
        if declared.is_some_and(|declared| has_syntax_errors(self.db, declared)) {
            return None;
        }
        if constructor.is_some_and(|constructor| self.lacks_type_arguments(constructor.data)) {
            return None;
        }
        Some(match problem {
            Problem::UnknownName {
                source,
                node,
                name,
                scope,
                pattern,
            } => {
                return Some(self.unknown_name(at(source, node), *name, scope, *pattern));
            }
            Problem::Hole { source, node } => self.hole(at(source, node)),
            Problem::Shadowed {
                source,
                node,
                definition,
            } => shadowed(at(source, node), *definition),
            Problem::BoundTwice {
                source,
                node,
                first,
                name,
            } => Diagnostic::new(
                Code::DuplicateVariable,
                at(source, node),
                format!("the variable `{name}` is bound twice in the patterns of one clause"),
            )
            .related(at(source, first), format!("`{name}` is bound here first"))
            .help("give one of them another name, or `_` if it is not needed")
            .help(format!(
                "a pattern compares nothing: `{name} == y` does, and for strings `eqString {name} y`"
            )),
            Problem::Mismatch {
                source,
                node,
                term,
                expected,
                found,
                clash,
                decided,
                origin,
                ambient,
            } => self.mismatch(Mismatch {
                mark: problem.mark(),
                at: at(source, node),
                source: *source,
                term: *term,
                expected: *expected,
                found: *found,
                clash,
                decided: *decided,
                origin: *origin,
                ambient: *ambient,
            }),
            Problem::ThunkForValue {
                source,
                term,
                expected,
            } => self.thunk_for_value(*source, *term, *expected),
            Problem::ConstructorArguments {
                source,
                node,
                constructor,
                wanted,
                given,
                pattern,
            } => {
                let location = at(source, node);
                if given > wanted
                    && let Some(head) = self.called_constructor(*source, *node, *pattern)
                    && let Some(missing) = self.missing_between(*source, head, *wanted)
                {
                    return Some(missing);
                }
                self.constructor_arguments(location, *constructor, *wanted, *given, *pattern)
            }
            Problem::ConstructorForced {
                source,
                node,
                constructor,
            } => {
                let problem = Diagnostic::new(
                    Code::ConstructorArguments,
                    at(source, node),
                    format!(
                        "`{}` is a constructor, and there is nothing to run in it",
                        constructor.name
                    ),
                );
                let fix = fixes::leave_out_force(self.db, *source, *node);
                Diagnostic {
                    fixes: fix.into_iter().collect(),
                    ..problem.help("leave out the `!`")
                }
            }
            Problem::ArgumentCount {
                source,
                node,
                head,
                definition,
                function,
                wanted,
                given,
            } => {
                let location = at(source, node);
                if given > wanted
                    && let Some(missing) = self.missing_between(*source, *head, *wanted)
                {
                    return Some(missing);
                }
                self.argument_count(location, *head, *definition, *function, *wanted, *given)
            }
            Problem::NotAFunction {
                source,
                head,
                found,
                given,
            } => match self.missing_between(*source, *head, 0) {
                Some(missing) => missing,
                None => self.not_a_function(problem.mark(), *source, *head, *found, *given),
            },
            Problem::NoInstance {
                source,
                node,
                term,
                command,
                instance,
                ambient,
            } => {
                let location = at(source, node);
                let mark = problem.mark();
                return self.no_instance(mark, location, *term, *command, instance, *ambient);
            }
            Problem::Ability {
                source,
                node,
                head,
                definition,
                needed,
                ambient,
                clash,
            } => {
                return self.ability_clash(Unfit {
                    mark: problem.mark(),
                    at: at(source, node),
                    source: *source,
                    head: *head,
                    definition: *definition,
                    needed: *needed,
                    ambient: *ambient,
                    clash,
                });
            }
            Problem::InvalidAdaptor {
                source,
                node,
                adaptor,
                ambient,
            } => self.invalid_adaptor(at(source, node), adaptor, *ambient, None),
            Problem::InvalidPortAdaptor {
                source,
                node,
                adaptor,
                ambient,
                definition,
            } => self.invalid_adaptor(at(source, node), adaptor, *ambient, Some(*definition)),
            Problem::Adaptor(diagnostic) => (**diagnostic).clone(),
            Problem::PatternCount {
                source,
                node,
                head,
                wanted,
                given,
                ty,
            } => {
                let at = at(source, node);
                self.braces_around_function(problem.mark(), at, *head, *given)
                    .unwrap_or_else(|| self.pattern_count(at, *head, *wanted, *given, *ty))
            }
            Problem::NotAConstructor {
                source,
                node,
                name,
                bare,
                ..
            } => self.not_a_constructor(at(source, node), *name, *bare),
            Problem::NotACommand {
                source,
                node,
                name,
                known,
            } => self.not_a_command(at(source, node), *name, *known),
            Problem::NotHandled {
                source,
                node,
                command,
                index,
                added,
                ..
            } => self.not_handled(at(source, node), *command, *index, added),
            Problem::CommandArguments {
                source,
                node,
                command,
                wanted,
                given,
            } => self.command_arguments(at(source, node), *command, *wanted, *given),
            Problem::Escape {
                source,
                node,
                command,
                variable,
            } => Diagnostic::new(
                Code::EscapingVariable,
                at(source, node),
                format!(
                    "the type `{variable}` of the command `{}` differs at every use, so it must \
                     not leave this clause",
                    command.name
                ),
            )
            .help(format!(
                "use values of type `{variable}` only inside the clause, for instance as the \
                 argument of its continuation"
            )),
            Problem::NumberTooLarge { source, node } => Diagnostic::new(
                Code::NumberTooLarge,
                at(source, node),
                format!("this number is larger than the largest `Int`, {}", i64::MAX),
            )
            .help("write it as a `Float`, with a point or an exponent"),
        })
    }

    /// Whether the types in a declaration have too many arguments or too few: what its constructors take is
    /// not known then.
    fn lacks_type_arguments(&self, data: DataDef) -> bool {
        let Definition { scope, name } = data.0;
        let problems = declaration_problems(self.db, scope, name, TypeNamespace::Data);
        let mut codes = problems.iter().map(|problem| problem.code);
        codes.any(|code| code == Code::WrongTypeArguments)
    }

    /// Adds where a name is declared, if that is in the user's own files.
    fn declared(&self, problem: Diagnostic, definition: TermDef) -> Diagnostic {
        let Some((source, node)) = declaration(self.db, definition) else {
            return problem;
        };
        if !places::is_own(self.db, source) {
            return problem;
        }
        let name = definition.name();
        problem.related(
            Location::node(source, node),
            format!("`{name}` is declared here"),
        )
    }

    /// The message for `_` in the place of a term: what is missing there.
    fn hole(&self, at: Location) -> Diagnostic {
        let body = self.inference.body(at.item);
        let sentence = match (body, self.term_at(at)) {
            (Some(body), Some(term)) => holes::sentence(self.inference, body, term),
            _ => holes::SENTENCE.to_owned(),
        };
        holes::finding(at, sentence)
    }

    /// The term that stands at a node.
    fn term_at(&self, at: Location) -> Option<TermId> {
        let At::Node(node) = at.at else { return None };
        let mut terms = self.item(at.item).terms.iter();
        terms.find_map(|(term, data)| (data.id == node).then_some(term))
    }

    fn unknown_name(
        &self,
        at: Location,
        name: Symbol,
        locals: &[Symbol],
        pattern: bool,
    ) -> Diagnostic {
        let fits = |definition: TermDef| match definition {
            TermDef::Operator(_) => !pattern,
            TermDef::Constructor(_) | TermDef::Command(_) => true,
        };
        let library = library_with(self.db, name, fits);
        let file = at.item.file(self.db);
        let beside = neighbours::defining(self.db, self.scope, file, Namespace::Terms, name);
        let similar = match library.or(beside) {
            Some(_) => Vec::new(),
            None => self
                .command_meant(at)
                .map(|command| vec![command.as_str()])
                .unwrap_or_else(|| self.similar_definitions(name, locals, fits)),
        };
        if let Some(continuation) = self.continuation_meant(at.item, name).filter(|_| !pattern) {
            return Diagnostic::new(
                Code::UnknownName,
                at,
                format!("there is no `{name}` here: the continuation is called `{continuation}`"),
            )
            .help(format!("write `{continuation}`"))
            .fix(Fix {
                safe: false,
                ..fixes::rename(at, continuation.as_str())
            });
        }
        if !pattern && self.is_in_own_let(at, name) {
            return Diagnostic::new(
                Code::UnknownName,
                at,
                format!("a `let` does not see itself: `{name}` is not in sight in what it names"),
            )
            .help(format!(
                "make it an operator of its own, with a signature: `{name} : …`, and `{name} … = …`"
            ));
        }
        let what = if pattern {
            "constructor or command"
        } else {
            "definition"
        };
        let mut problem = Diagnostic::new(
            Code::UnknownName,
            at,
            format!("there is no {what} `{name}` in sight"),
        );
        problem.cause = Some(PossibleCause {
            name,
            lacks_includes: similar.is_empty(),
            file: None,
        });
        if let Some(definer) = neighbours::definer(self.db, file, library, beside) {
            problem = problem.lacks_include(definer, "defines");
        } else if !similar.is_empty() {
            problem = fixes::did_you_mean(problem, at, &similar);
        } else if pattern {
            problem = problem.help("only constructors and commands can be matched by name");
        } else {
            problem = problem.help(format!(
                "define it (`{name} : …` and `{name} … = …`), or bind it as a variable around this"
            ));
        }
        problem
    }

    /// Whether a name stands in the term that a `let` of that name binds.
    fn is_in_own_let(&self, at: Location, name: Symbol) -> bool {
        let Some(term) = self.term_at(at) else {
            return false;
        };
        let terms = &self.item(at.item).terms;
        let surroundings = self.surroundings(at.item);
        let mut inside = term;
        surroundings.ancestors(term).any(|around| {
            let below = std::mem::replace(&mut inside, around);
            matches!(&terms[around].kind, TermKind::Let { name: own, bound, .. }
                if *bound == below && own.symbol == name)
        })
    }

    /// The definitions in sight that a name may be a misspelling of, and the locals: the program's own
    /// first.
    fn similar_definitions(
        &self,
        name: Symbol,
        locals: &[Symbol],
        fits: impl Fn(TermDef) -> bool,
    ) -> Vec<&'static str> {
        let known = visible_names(self.db, self.scope);
        let near = visible_spellings(self.db, self.scope).near(name.as_str());
        let near = near.into_iter().filter_map(|name| {
            let at = known.binary_search_by_key(&name, |(name, _)| name.as_str());
            let (_, definition) = *known.get(at.ok()?)?;
            fits(definition).then_some((name, definition))
        });
        let (own, libraries): (Vec<_>, Vec<_>) =
            near.partition(|(_, definition)| definition.scope() == self.scope);
        let names = |all: Vec<(&'static str, TermDef)>| -> Vec<&'static str> {
            all.into_iter().map(|(name, _)| name).collect()
        };
        let all_locals = locals;
        let locals = locals.iter().map(|name| name.as_str());
        let (own, libraries) = (names(own), names(libraries));
        // `maxInt` and `maxFloat` for `max`.
        let is_longer = |candidate: &&str| {
            let rest = candidate.strip_prefix(name.as_str());
            let types = ["Int", "Float", "String", "Char", "Bool"];
            rest.is_some_and(|rest| types.contains(&rest))
        };
        let all = own.iter().chain(&libraries).copied();
        let mut similar: Vec<&str> = all.filter(is_longer).collect();
        similar.extend(similar_names(name.as_str(), own.into_iter().chain(locals)));
        similar.extend(similar_names(name.as_str(), libraries));
        if similar.is_empty() {
            similar.extend(short_slips(name, all_locals));
        }
        similar.truncate(MOST_SIMILAR);
        similar
    }
}

/// Of variables of two letters, those that begin with the first one of a name as long, as `ys` and `yx` do.
fn short_slips(name: Symbol, locals: &[Symbol]) -> Vec<&'static str> {
    let letters = |name: &str| name.chars().collect::<Vec<_>>();
    let [first, second] = letters(name.as_str())[..] else {
        return Vec::new();
    };
    let mut found: Vec<&'static str> = locals
        .iter()
        .map(|local| local.as_str())
        .filter(|local| {
            let local = letters(local);
            local.len() == 2 && (local.first() == Some(&first) || local[..] == [second, first])
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn shadowed(at: Location, definition: TermDef) -> Diagnostic {
    let name = definition.name();
    let what = match definition {
        TermDef::Constructor(_) => "constructor",
        TermDef::Command(_) => "command",
        TermDef::Operator(_) => "operator",
    };
    Diagnostic::new(
        Code::ShadowedDefinition,
        at,
        format!(
            "this variable is named like the {what} `{name}`: wherever `{name}` is read, the {what} \
             is meant"
        ),
    )
    .help(match definition {
        TermDef::Command(_) => format!(
            "give the variable another name; to handle the command, write `<{name} -> k>`, with what it is given before the arrow"
        ),
        _ => "give the variable another name".to_owned(),
    })
}
