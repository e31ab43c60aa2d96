//! Computations that a call gives back, though it would have run what it is given.
//!
//! `evalState 0 {tick!}` gives the computation in the braces: `evalState` runs its argument itself, and
//! what is written there runs at once, but for the braces.

use frank_syntax::ast::{Item, TermId, TermKind};

use super::Reporter;
use super::ability::MOST_RELATED;
use super::mismatch::Mismatch;
use super::words::{article, ordinal};
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position, Related};
use crate::fixes;
use crate::infer::hypothesis::Change;
use crate::infer::table::Clash;
use crate::infer::{Resolved, ResolvedPattern};
use crate::program::TermDef;
use crate::types::{Ty, TyKind};

/// So many arguments in braces at most are tried out without.
const MOST_SUSPENDED: usize = 4;

impl Reporter<'_> {
    /// The message for a call of the wrong type whose argument should not be suspended.
    pub(super) fn given_back(
        &mut self,
        mismatch: Mismatch<'_>,
        call: TermId,
    ) -> Option<Diagnostic> {
        let source = mismatch.source;
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return None;
        };
        let name = self.head_text(source, *head, self.definition_of(source, *head));
        if let Some(finding) = self.given_back_inside(mismatch, args)? {
            return Some(finding);
        }
        for (index, arg) in args.iter().enumerate() {
            if let TermKind::Thunk { clauses } = &item.terms[*arg].kind {
                let braces = matches!(&clauses[..], [clause] if clause.patterns.is_empty());
                if braces
                    && self.has_computation(mismatch)
                    && self.would_do(mismatch, *arg, Change::Unbrace)?
                {
                    let at = Location::node(source, item.terms[*arg].id);
                    return Some(self.needless_braces(at, &name, index));
                }
                continue;
            }
            let mut before = Vec::new();
            for term in self.given(source, item, *arg, &mut before) {
                if self.would_do(mismatch, term, Change::Force)? {
                    before.push(term);
                    return Some(self.unforced(mismatch, &before, term, &name));
                }
            }
        }
        None
    }

    /// As [`Self::given_back`], for the calls that are arguments of the call: `attempt (run {f!})`. `None` once
    /// enough has been tried.
    fn given_back_inside(
        &mut self,
        mismatch: Mismatch<'_>,
        args: &[TermId],
    ) -> Option<Option<Diagnostic>> {
        let source = mismatch.source;
        let item = item(self.db, source);
        if !self.has_computation(mismatch) {
            return Some(None);
        }
        let mut work = args.to_vec();
        let mut tried = 0;
        while let Some(call) = work.pop() {
            let TermKind::Apply { head, args } = &item.terms[call].kind else {
                continue;
            };
            for (index, arg) in args.iter().enumerate() {
                let is_braces = matches!(
                    &item.terms[*arg].kind,
                    TermKind::Thunk { clauses }
                        if matches!(&clauses[..], [clause] if clause.patterns.is_empty())
                );
                if !is_braces || tried == MOST_SUSPENDED {
                    continue;
                }
                tried += 1;
                if self.would_do(mismatch, *arg, Change::Unbrace)? {
                    let name = self.head_text(source, *head, self.definition_of(source, *head));
                    let at = Location::node(source, item.terms[*arg].id);
                    return Some(Some(self.needless_braces(at, &name, index)));
                }
            }
            work.extend(args);
        }
        Some(None)
    }

    /// Whether what is there is a computation, alone or as a part, where something else is needed.
    fn has_computation(&self, mismatch: Mismatch<'_>) -> bool {
        let is_computation =
            |ty: Ty| matches!(self.inference.table.kind(ty), TyKind::Computation(_));
        let differs = match mismatch.clash {
            Clash::Types(a, b) => is_computation(*a) != is_computation(*b),
            Clash::NotANumber(other) => is_computation(*other),
            _ => false,
        };
        differs || is_computation(mismatch.found)
    }

    /// The message for a computation whose result is needed, where the variable that stands for it is bound
    /// by `let`: `let c = next in f c` for `let c = next! in f c`.
    pub(super) fn unforced_let(
        &mut self,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Option<Diagnostic> {
        let source = mismatch.source;
        let body = self.inference.body(source)?;
        let Some(Resolved::Local(local)) = body.names.get(term) else {
            return None;
        };
        let binding = body.lets.iter().find_map(|(term, pattern)| match pattern {
            ResolvedPattern::Binds(other) if other == local => Some(term),
            _ => None,
        })?;
        let item = item(self.db, source);
        let TermKind::Let { bound, name, .. } = &item.terms[binding].kind else {
            return None;
        };
        let is_name = matches!(item.terms[*bound].kind, TermKind::Name(_));
        if !is_name || !self.would_do(mismatch, *bound, Change::Force)? {
            return None;
        }
        let at = Location::node(source, item.terms[*bound].id);
        let text = self.term_text(source, *bound)?;
        let needed = article(&self.ty(mismatch.expected));
        let problem = Diagnostic::new(
            Code::ForgottenForce,
            at,
            format!(
                "`{text}` is a suspended computation, and so is `{}`; its result is needed",
                name.symbol
            ),
        )
        .related(mismatch.at, format!("{needed} is needed here"))
        .help("write `!` after it to run the computation here");
        Some(problem.fix(Fix {
            title: "run it with `!`".to_owned(),
            edits: vec![Edit {
                location: at,
                position: Position::After,
                text: "!".to_owned(),
            }],
            safe: true,
        }))
    }

    /// The message for a computation whose result is needed, where the variable that stands for it is what
    /// a handler gave back: `case (attempt {f!}) {(just x) -> x + 1}`.
    pub(super) fn given_back_before(
        &mut self,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Option<Diagnostic> {
        let source = mismatch.source;
        let item = item(self.db, source);
        let body = self.inference.body(source)?;
        let Some(Resolved::Local(_)) = body.names.get(term) else {
            return None;
        };
        let calls = item.terms.iter().filter_map(|(_, data)| match &data.kind {
            TermKind::Apply { head, args } => Some((*head, args)),
            _ => None,
        });
        let mut suspended: Vec<(TermId, TermId, usize)> = Vec::new();
        for (head, args) in calls {
            let Some(ty) = body.types.get(head) else {
                continue;
            };
            let TyKind::Computation(function) = self.inference.table.kind(*ty) else {
                continue;
            };
            for (index, (port, arg)) in function.ports.iter().zip(args).enumerate() {
                let is_braces = matches!(
                    &item.terms[*arg].kind,
                    TermKind::Thunk { clauses }
                        if matches!(&clauses[..], [clause] if clause.patterns.is_empty())
                );
                if is_braces && !port.adjustments.is_empty() {
                    suspended.push((head, *arg, index));
                }
            }
        }
        for (head, arg, index) in suspended.into_iter().take(MOST_SUSPENDED) {
            if self.would_do(mismatch, arg, Change::Unbrace)? {
                let name = self.head_text(source, head, self.definition_of(source, head));
                let at = Location::node(source, item.terms[arg].id);
                return Some(self.needless_braces(at, &name, index));
            }
        }
        None
    }

    /// Whether a change of an argument takes a mismatch away; `None` once enough has been tried.
    pub(super) fn would_do(
        &mut self,
        mismatch: Mismatch<'_>,
        term: TermId,
        change: Change,
    ) -> Option<bool> {
        let trial = self.try_out(mismatch.source, term, change)?;
        let solves = trial.solves(mismatch.mark);
        if solves {
            self.settled.extend(trial.solved);
        }
        Some(solves)
    }

    /// The suspended computations that a term gives: itself, or in a constructor. Those that it throws
    /// away before go to `before`.
    fn given(
        &self,
        source: ItemSource,
        item: &Item,
        term: TermId,
        before: &mut Vec<TermId>,
    ) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            match &item.terms[term].kind {
                TermKind::Let { body, .. } => work.push(*body),
                TermKind::Sequence { first, second } => {
                    let is_name = matches!(item.terms[*first].kind, TermKind::Name(_));
                    if is_name && self.is_suspended(source, *first) {
                        before.push(*first);
                    }
                    work.push(*second);
                }
                TermKind::Apply { head, args } => {
                    if let Some(TermDef::Constructor(_)) = self.definition_of(source, *head) {
                        work.extend(args);
                    }
                }
                TermKind::Name(_) if self.is_suspended(source, term) => found.push(term),
                _ => {}
            }
        }
        found
    }

    fn needless_braces(&self, at: Location, name: &str, index: usize) -> Diagnostic {
        let problem = Diagnostic::new(
            Code::ForgottenForce,
            at,
            format!(
                "the braces suspend this: {name} would run its {} argument itself, and gives back the \
                 computation that it is given",
                ordinal(index)
            ),
        )
        .help("leave out the braces");
        match fixes::leave_out_braces(self.db, at) {
            Some(fix) => problem.fix(fix),
            None => problem,
        }
    }

    fn unforced(
        &self,
        mismatch: Mismatch<'_>,
        terms: &[TermId],
        last: TermId,
        name: &str,
    ) -> Diagnostic {
        let source = mismatch.source;
        let item = item(self.db, source);
        let place = |term: TermId| Location::node(source, item.terms[term].id);
        let edits = terms.iter().map(|term| Edit {
            location: place(*term),
            position: Position::After,
            text: "!".to_owned(),
        });
        let text = self.term_text(source, last);
        let this = text.map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        Diagnostic::new(
            Code::ForgottenForce,
            place(last),
            format!(
                "{this} is a suspended computation, which {name} does not run: the call has to give {}",
                article(&self.ty(mismatch.expected))
            ),
        )
        .help("write `!` after it to run the computation here")
        .fix(Fix {
            title: "run it with `!`".to_owned(),
            edits: edits.collect(),
            safe: true,
        })
    }

    /// A variable of an item whose computation is to run in several places is one mistake, told at the first.
    pub(super) fn forced_once(&mut self) {
        let mut told: Vec<Diagnostic> = Vec::with_capacity(self.found.len());
        for finding in std::mem::take(&mut self.found) {
            let is_same = |one: &&mut Diagnostic| {
                one.code == Code::ForgottenForce
                    && one.location.item == finding.location.item
                    && one.message == finding.message
                    && one.help == finding.help
            };
            let is_force = finding.code == Code::ForgottenForce;
            match told.iter_mut().find(is_same).filter(|_| is_force) {
                Some(first) if first.related.len() < MOST_RELATED => {
                    // Run in several places, it may have to be handled in each.
                    first.undecided = true;
                    let note = "it is needed here, too".to_owned();
                    first.related.push(Related {
                        location: finding.location,
                        message: note,
                    });
                    for fix in &mut first.fixes {
                        fix.safe = false;
                        let mut same = finding.fixes.iter();
                        let same = same.find(|other| other.title == fix.title);
                        fix.edits
                            .extend(same.into_iter().flat_map(|same| same.edits.clone()));
                    }
                }
                _ => told.push(finding),
            }
        }
        self.found = told;
    }

    /// Whether a term is a computation that takes no arguments.
    fn is_suspended(&self, source: ItemSource, term: TermId) -> bool {
        let body = self.inference.body(source);
        let ty = body.and_then(|body| body.types.get(term));
        ty.is_some_and(|ty| match self.inference.table.kind(*ty) {
            TyKind::Computation(computation) => computation.ports.is_empty(),
            _ => false,
        })
    }
}
