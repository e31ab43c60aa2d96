//! What comes of a command that is all that a handler is given.
//!
//! | Handler | What comes of it |
//! |---|---|
//! | `catch <abort -> _> h = h!` | `catch abort! {x}` is `x` |
//! | `run x <ask -> k> = k x` | `run x ask!` is `x` |
//! | `eval s <get -> k> = eval s (k s)`, `eval _ x = x` | `eval s get!` is `s` |

use frank_syntax::ast::{
    Clause, Item, ItemKind, Name, PatternId, PatternKind, Symbol, TermId, TermKind,
};

use crate::db::{Db, SourceFile, item};
use crate::program::{CommandDef, OperatorDef, TermDef, resolve_term};

/// Whether a handler's own clauses say by themselves, and in fewer words, what comes of a command of which the port at a
/// position is given nothing but that.
pub(super) fn answers_at_once(
    db: &dyn Db,
    operator: OperatorDef,
    at: usize,
    command: CommandDef,
) -> bool {
    let clauses = operator.items(db).clauses.iter();
    let clauses = clauses.filter_map(|source| {
        let item: &Item = item(db, *source);
        match &item.kind {
            ItemKind::Clause { clause, .. } => Some((item, clause)),
            _ => None,
        }
    });
    let clauses: Vec<(&Item, &Clause)> = clauses.collect();
    let scope = operator.0.scope;
    let answer = clauses.iter().find_map(|(item, clause)| {
        let reader = Reader { db, scope, item };
        reader.answer(clause, at, operator, command)
    });
    match answer {
        Some(Answer::AtOnce) => true,
        // What the command gives is a value then.
        Some(Answer::Again) => clauses.iter().any(|(item, clause)| {
            let reader = Reader { db, scope, item };
            reader.is_value_clause(clause, at) && reader.is_plain(clause.body)
        }),
        Some(Answer::Other) | None => false,
    }
}

/// What the clause for a command does.
enum Answer {
    /// It gives what is at hand, or goes on with that and handles nothing more.
    AtOnce,
    /// It goes on with what is at hand, and handles the rest as before.
    Again,
    Other,
}

/// Reads a clause.
struct Reader<'a> {
    db: &'a dyn Db,
    scope: SourceFile,
    item: &'a Item,
}

impl Reader<'_> {
    /// What a clause does with a command, if it is for that one, whatever else the operator is given.
    fn answer(
        &self,
        clause: &Clause,
        at: usize,
        operator: OperatorDef,
        command: CommandDef,
    ) -> Option<Answer> {
        let PatternKind::Command {
            name,
            index,
            args,
            continuation,
        } = &self.item.patterns[*clause.patterns.get(at)?].kind
        else {
            return None;
        };
        let meant = resolve_term(self.db, self.scope, name.symbol);
        if meant != Some(TermDef::Command(command)) || *index != 0 {
            return None;
        }
        let others = clause.patterns.iter().enumerate();
        let mut others = others
            .filter(|(place, _)| *place != at)
            .map(|(_, other)| other);
        if !others.all(|other| self.takes_all(*other))
            || !args.iter().all(|arg| self.takes_all(*arg))
        {
            return Some(Answer::Other);
        }
        let goes_on = |term: TermId| match &self.item.terms[term].kind {
            TermKind::Apply { head, args } => {
                let resumed = self
                    .name(*head)
                    .is_some_and(|name| name == continuation.symbol);
                resumed && args.iter().all(|arg| self.is_plain(*arg))
            }
            _ => false,
        };
        let is_again = |term: TermId| match &self.item.terms[term].kind {
            TermKind::Apply { head, args } => {
                let mut places = args.iter().enumerate();
                self.name(*head) == Some(operator.0.name)
                    && places.all(|(place, arg)| match place == at {
                        true => goes_on(*arg),
                        false => self.is_plain(*arg),
                    })
            }
            _ => false,
        };
        let body = clause.body;
        Some(if is_again(body) {
            Answer::Again
        } else if goes_on(body) || self.is_plain(body) || self.is_run(body) {
            Answer::AtOnce
        } else {
            Answer::Other
        })
    }

    /// Whether a clause is for the value of the port at a position, whatever all are.
    fn is_value_clause(&self, clause: &Clause, at: usize) -> bool {
        clause.patterns.get(at).is_some() && clause.patterns.iter().all(|one| self.takes_all(*one))
    }

    /// Whether a pattern takes any value, and gives it a name at most.
    fn takes_all(&self, pattern: PatternId) -> bool {
        match &self.item.patterns[pattern].kind {
            PatternKind::Name(name) => self.is_variable(name.symbol),
            _ => false,
        }
    }

    /// Whether a term is a variable, or a constructor without arguments.
    fn is_plain(&self, term: TermId) -> bool {
        self.name(term).is_some_and(|name| {
            let meant = resolve_term(self.db, self.scope, name);
            matches!(meant, None | Some(TermDef::Constructor(_)))
        })
    }

    /// Whether a term is `h!`, where `h` is a variable.
    fn is_run(&self, term: TermId) -> bool {
        match &self.item.terms[term].kind {
            TermKind::Apply { head, args } if args.is_empty() => {
                self.name(*head).is_some_and(|name| self.is_variable(name))
            }
            _ => false,
        }
    }

    fn is_variable(&self, name: Symbol) -> bool {
        let meant = resolve_term(self.db, self.scope, name);
        !matches!(meant, Some(TermDef::Constructor(_)))
    }

    fn name(&self, term: TermId) -> Option<Symbol> {
        match &self.item.terms[term].kind {
            TermKind::Name(Name { symbol, .. }) => Some(*symbol),
            _ => None,
        }
    }
}
