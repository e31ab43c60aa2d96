//! Declarations that all who use them read in another way: what is declared is the mistake, and not what
//! the clauses and the calls say, which agree.
//!
//! Of a declaration that is used wrongly, changes are tried out in everything that names it. One is taken if it
//! brings nothing and makes right what was wrong at both ends: where the name is given arguments, and
//! where these are taken.

use frank_syntax::ast::Symbol;

use super::candidates::{candidates, of_clauses, of_uses, other_abilities};
use super::places::is_own;
use super::roots::place;
use super::selections::fitting;
use super::users::{User, bettered, marks_if, sides, user, users};
use crate::db::{Db, SourceFile, has_syntax_errors, item};
use crate::diagnostics::Location;
use crate::infer::hypothesis::{Amendment, Change, Hypothesis, Order};
use crate::infer::problem::{Problem, marks};
use crate::infer::{Inference, infer_operator, infer_operator_if};
use crate::program::{OperatorDef, TermDef, resolve_term};
use crate::surroundings::{Parent, Surroundings};

/// What a declaration should say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amended {
    pub definition: TermDef,
    pub amendment: Amendment,
    /// The operator among whose findings it is told.
    pub teller: OperatorDef,
    /// A place where the arguments are taken that would be right, if one is wrong.
    pub taken: Option<Location>,
    /// A place where arguments are given that would be right, if one is wrong.
    pub given: Option<Location>,
}

impl Amended {
    /// What has one more instance for data of its numbers, or should be of the numbers themselves.
    fn is_layer(&self) -> bool {
        matches!(self.amendment, Amendment::Layer(_) | Amendment::Peel(_))
    }

    /// The type of an argument is another one, whatever the declared one is made of.
    fn is_written(&self) -> bool {
        matches!(self.amendment, Amendment::Written(..))
    }

    fn is_instance(&self) -> bool {
        matches!(
            self.amendment,
            Amendment::Instance(_) | Amendment::Instances
        )
    }
}

/// What a declaration of a program should say for everything that is wrong with its arguments to be right.
#[salsa::tracked]
pub fn amended(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Amended> {
    let definition = resolve_term(db, scope, name)?;
    let (source, mut amendments) = candidates(db, definition)?;
    let is_sound = is_own(db, source) && !has_syntax_errors(db, source);
    if definition.scope() != scope || !is_sound {
        return None;
    }
    // What an operator's own clauses say is asked first: there may be many who call it.
    if let TermDef::Operator(operator) = definition {
        let own = user(db, operator)?;
        if own.before.is_empty() {
            return of_calls(db, operator);
        }
        amendments.extend(of_clauses(db, operator, &own));
        amendments.retain(|amendment| bettered(db, definition, *amendment, &own).is_some());
    }
    let is_operator = matches!(definition, TermDef::Operator(_));
    if is_operator && amendments.is_empty() {
        return None;
    }
    let mut users = users(db, definition);
    if !is_operator {
        amendments.extend(of_uses(db, definition, &users));
    }
    // Those with something wrong tell soonest that a change is none.
    users.sort_by_key(|user| user.before.is_empty());
    let is_wrong = |user: &User| user.inference.problems.iter().any(Problem::is_error);
    if !users.iter().any(is_wrong) {
        return None;
    }
    let tried = amendments
        .into_iter()
        .filter_map(|amendment| try_amendment(db, definition, source.file(db), amendment, &users));
    let mut best: Option<(usize, Amended)> = None;
    for (solved, amended) in tried {
        match &best {
            Some((most, _)) if *most > solved => {}
            // Data that its callers have is meant to be there.
            Some((most, known))
                if *most == solved
                    && matches!(known.amendment, Amendment::Layer(_))
                    && matches!(amended.amendment, Amendment::Peel(_)) => {}
            // The layer is one that those who call it have, too.
            Some((most, known)) if *most == solved && known.is_layer() && amended.is_instance() => {
            }
            Some((most, known)) if *most == solved && known.is_instance() && amended.is_layer() => {
                best = Some((solved, amended));
            }
            // What the declared type becomes a part of is known better.
            Some((most, known))
                if *most == solved && amended.is_written() && !known.is_written() => {}
            // One of them is enough.
            Some((most, known))
                if *most == solved
                    && known.is_instance()
                    && amended.amendment == Amendment::Instances => {}
            // Nobody knows which of two is meant.
            Some((most, _)) if *most == solved => return None,
            _ => best = Some((solved, amended)),
        }
    }
    best.map(|(_, amended)| amended)
}

/// What a signature that its own clauses agree with should say for all who call it: an instance in its ability is of
/// another ability there, as in `Threads [Console]`.
fn of_calls(db: &dyn Db, operator: OperatorDef) -> Option<Amended> {
    let definition = TermDef::Operator(operator);
    let amendments = other_abilities(db, operator);
    if amendments.is_empty() {
        return None;
    }
    let mut users = users(db, definition);
    // At one call alone an adaptor is missing there, and the signature is right.
    if users
        .iter_mut()
        .any(|user| fits_adapted(db, definition, user))
    {
        return None;
    }
    let is_call = |problem: &&Problem| matches!(problem, Problem::Ability { definition: Some(called), .. } if *called == definition);
    let mut fitting = amendments.into_iter().filter_map(|amendment| {
        let mut first: Option<(OperatorDef, Location)> = None;
        for user in &users {
            let after = marks_if(db, definition, amendment, user)?;
            if !after.is_subset(&user.before) {
                return None;
            }
            // Where one of them is right, the others are wrong.
            let is_right = !user.inference.problems.iter().any(|one| is_call(&one));
            if user.operator != operator && is_right {
                return None;
            }
            for problem in user.inference.problems.iter().filter(is_call) {
                if after.contains(&problem.mark()) {
                    return None;
                }
                first = first.or(Some((user.operator, place(db, problem))));
            }
        }
        let (teller, given) = first?;
        Some(Amended {
            definition,
            amendment,
            teller,
            taken: None,
            given: Some(given),
        })
    });
    let one = fitting.next()?;
    // Nobody knows which of two is meant.
    fitting.next().is_none().then_some(one)
}

/// Whether a call fits under an adaptor whose ability is not that around it.
fn fits_adapted(db: &dyn Db, definition: TermDef, user: &mut User) -> bool {
    let Inference {
        problems, table, ..
    } = &mut user.inference;
    problems.iter().any(|problem| {
        let Problem::Ability {
            source,
            head,
            definition: Some(called),
            needed,
            ambient,
            ..
        } = problem
        else {
            return false;
        };
        let parent = Surroundings::new(item(db, *source)).parent(*head);
        let (true, Some(Parent::Term(call))) = (*called == definition, parent) else {
            return false;
        };
        let mut adaptors = fitting(table, *needed, *ambient).into_iter();
        adaptors.any(|adaptors| {
            let hypothesis = Hypothesis {
                source: *source,
                term: call,
                change: Change::Adapt(adaptors),
            };
            let order = Order::default();
            let after = infer_operator_if(db, user.operator, order, Some(hypothesis));
            after.is_some_and(|after| {
                let after = marks(&after.problems);
                after.is_subset(&user.before) && !after.contains(&problem.mark())
            })
        })
    })
}

/// How many problems a change makes right, if it brings none, and where.
fn try_amendment(
    db: &dyn Db,
    definition: TermDef,
    file: SourceFile,
    amendment: Amendment,
    users: &[User],
) -> Option<(usize, Amended)> {
    let (mut solved, mut taken, mut given, mut teller) = (0, None, None, None);
    for user in users {
        let Some(after) = marks_if(db, definition, amendment, user) else {
            continue;
        };
        if !after.is_subset(&user.before) {
            return None;
        }
        let gone = |problem: &&Problem| problem.is_error() && !after.contains(&problem.mark());
        for problem in user.inference.problems.iter().filter(gone) {
            solved += 1;
            let around = item(db, problem.source());
            let (takes, gives) = sides(definition, user.operator, around);
            let here = place(db, problem);
            taken = taken.or(takes.then_some(here));
            given = given.or(gives.then_some(here));
            let is_beside = problem.source().file(db) == file;
            teller = teller.or(is_beside.then_some(user.operator));
        }
    }
    let teller = match definition {
        TermDef::Operator(operator) => operator,
        TermDef::Constructor(_) | TermDef::Command(_) => teller?,
    };
    let is_operator = matches!(definition, TermDef::Operator(_));
    // Where their number is wrong, one of them may be missing parentheses, and the others are moved by that.
    let is_miscounted = || {
        let mut problems = users.iter().flat_map(|user| &user.inference.problems);
        problems.any(|problem| matches!(problem, Problem::ConstructorArguments { .. }))
    };
    let is_plain = match amendment {
        Amendment::Exchange(..) if !is_operator && is_miscounted() => false,
        // Its own clauses say what is run where the commands are handled.
        Amendment::Perform(_) => taken.is_some() && solved > 1,
        // What is wrong in the clauses alone may be many other things.
        Amendment::Layer(_) => taken.is_some() && given.is_some(),
        // A single misfit may as well be any other mistake.
        _ if taken.is_some() => given.is_some() && solved > 1,
        // Patterns may say nothing of what they take. One use has two misfits.
        Amendment::Exchange(..) => !is_operator && given.is_some() && solved > 2,
        _ => false,
    };
    let amended = Amended {
        definition,
        amendment,
        teller,
        taken,
        given,
    };
    is_plain.then_some((solved, amended))
}

/// Whether a use of a name is no better known to be wrong than its declaration: what takes its arguments
/// has errors itself.
#[salsa::tracked(returns(copy))]
pub fn is_contested(db: &dyn Db, scope: SourceFile, name: Symbol) -> bool {
    let Some(definition) = resolve_term(db, scope, name) else {
        return false;
    };
    if definition.scope() != scope {
        return false;
    }
    if let TermDef::Operator(operator) = definition {
        return infer_operator(db, operator).is_some_and(|inference| !inference.is_sound());
    }
    let users = users(db, definition);
    users.iter().any(|user| {
        let mut errors = user.inference.problems.iter().filter(|one| one.is_error());
        errors.any(|problem| sides(definition, user.operator, item(db, problem.source())).0)
    })
}
