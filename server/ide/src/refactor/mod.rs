//! Changes of a program that leave what it does as it is (LSP `textDocument/codeAction`, kinds
//! `refactor.*`).
//!
//! To offer one costs little: a look at the item. To make it costs more, since every change is tried
//! out on a copy of the program before it is answered ([`trial`]): it must bring no new finding. What
//! types cannot see is up to each refactoring: the order of evaluation, and names that would come to
//! mean something else.

mod case;
mod clauses;
mod effect;
mod eta;
mod extract;
mod inline_let;
mod inline_operator;
mod merge;
mod port;
mod site;
mod split;
mod text;
mod trial;
mod value;

use frank_analysis::db::Origin;
use frank_analysis::diagnostics::Code;
use text_size::TextRange;

use crate::rename::{Refusal, TextEdit};
use crate::tokens::{Lexeme, words};
use crate::{Analysis, FileRange};
use site::Site;

pub(crate) use text::with_parentheses;
pub(crate) use trial::{key, smallest_edit};

/// A way to change a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refactor {
    ExtractOperator,
    ExtractLet,
    InlineLet,
    InlineOperator,
    InlineOperatorEverywhere,
    EtaExpand,
    EtaContract,
    Split,
    Merge,
    AddPort,
    RemovePort,
    ExplicitEffect,
    ImplicitEffect,
    CaseToClauses,
    ClausesToCase,
}

/// What kind of refactoring one is, as editors know them (LSP `CodeActionKind`, `refactor.extract` and
/// its like).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefactorKind {
    Extract,
    Inline,
    Rewrite,
}

impl Refactor {
    /// Every refactoring, in the order in which a menu shows them.
    pub const ALL: &'static [Refactor] = &[
        Refactor::ExtractOperator,
        Refactor::ExtractLet,
        Refactor::InlineLet,
        Refactor::InlineOperator,
        Refactor::InlineOperatorEverywhere,
        Refactor::EtaExpand,
        Refactor::EtaContract,
        Refactor::Split,
        Refactor::Merge,
        Refactor::AddPort,
        Refactor::RemovePort,
        Refactor::ExplicitEffect,
        Refactor::ImplicitEffect,
        Refactor::CaseToClauses,
        Refactor::ClausesToCase,
    ];

    /// The name under which an editor asks for it again.
    pub fn name(self) -> &'static str {
        match self {
            Refactor::ExtractOperator => "extract.operator",
            Refactor::ExtractLet => "extract.let",
            Refactor::InlineLet => "inline.let",
            Refactor::InlineOperator => "inline.operator",
            Refactor::InlineOperatorEverywhere => "inline.operator.all",
            Refactor::EtaExpand => "rewrite.eta.expand",
            Refactor::EtaContract => "rewrite.eta.contract",
            Refactor::Split => "rewrite.split",
            Refactor::Merge => "rewrite.merge",
            Refactor::AddPort => "rewrite.port.add",
            Refactor::RemovePort => "rewrite.port.remove",
            Refactor::ExplicitEffect => "rewrite.effect.explicit",
            Refactor::ImplicitEffect => "rewrite.effect.implicit",
            Refactor::CaseToClauses => "rewrite.case.clauses",
            Refactor::ClausesToCase => "rewrite.clauses.case",
        }
    }

    /// The refactoring of a name.
    pub fn parse(name: &str) -> Option<Refactor> {
        let mut all = Refactor::ALL.iter().copied();
        all.find(|refactor| refactor.name() == name)
    }

    /// Under which of an editor's menus it belongs.
    pub fn kind(self) -> RefactorKind {
        match self {
            Refactor::ExtractOperator | Refactor::ExtractLet => RefactorKind::Extract,
            Refactor::InlineLet | Refactor::InlineOperator | Refactor::InlineOperatorEverywhere => {
                RefactorKind::Inline
            }
            _ => RefactorKind::Rewrite,
        }
    }

    fn plan<'s>(self, site: &'s Site<'_>) -> Option<Plan<'s>> {
        match self {
            Refactor::ExtractOperator => extract::to_operator(site),
            Refactor::ExtractLet => extract::to_let(site),
            Refactor::InlineLet => inline_let::plan(site),
            Refactor::InlineOperator => inline_operator::here(site),
            Refactor::InlineOperatorEverywhere => inline_operator::everywhere(site),
            Refactor::EtaExpand => eta::expand(site),
            Refactor::EtaContract => eta::contract(site),
            Refactor::Split => split::plan(site),
            Refactor::Merge => merge::plan(site),
            Refactor::AddPort => port::add(site),
            Refactor::RemovePort => port::remove(site),
            Refactor::ExplicitEffect => effect::explicit(site),
            Refactor::ImplicitEffect => effect::implicit(site),
            Refactor::CaseToClauses => case::to_clauses(site),
            Refactor::ClausesToCase => case::from_clauses(site),
        }
    }
}

/// A refactoring that a place offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refactoring {
    pub refactor: Refactor,
    /// What it does, as an editor's menu shows it.
    pub title: String,
}

/// Ways to make a change, the nicest first.
type Candidates = Result<Vec<Vec<TextEdit>>, Refusal>;

/// What a refactoring would do.
struct Plan<'s> {
    title: String,
    build: Box<dyn Fn() -> Candidates + 's>,
    /// Building it takes more than a look at one operator.
    expensive: bool,
}

impl<'s> Plan<'s> {
    fn new(title: String, build: impl Fn() -> Candidates + 's) -> Option<Plan<'s>> {
        Some(Plan {
            title,
            build: Box::new(build),
            expensive: false,
        })
    }

    /// As [`Plan::new`], for a plan that is only built when it is applied.
    fn expensive(title: String, build: impl Fn() -> Candidates + 's) -> Option<Plan<'s>> {
        let plan = Plan::new(title, build)?;
        Some(Plan {
            expensive: true,
            ..plan
        })
    }

    fn is_possible(&self) -> bool {
        self.expensive || (self.build)().is_ok()
    }
}

fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(why.into()))
}

impl Analysis {
    /// What can be done at a range, which is empty for a cursor. Whether the result would be right is
    /// only known once it is asked for.
    pub fn refactorings(&self, at: FileRange) -> Vec<Refactoring> {
        let Some(site) = self.site(at) else {
            return Vec::new();
        };
        let plans = Refactor::ALL.iter().filter_map(|refactor| {
            let plan = refactor.plan(&site).filter(Plan::is_possible)?;
            Some(Refactoring {
                refactor: *refactor,
                title: plan.title,
            })
        });
        plans.collect()
    }

    /// The edits that a refactoring makes at a range, in the order of the files.
    ///
    /// # Errors
    /// Why it cannot be done there.
    pub fn refactor(&self, at: FileRange, refactor: Refactor) -> Result<Vec<TextEdit>, Refusal> {
        let nothing = || Refusal("there is nothing here that this could change".to_owned());
        let site = self.site(at).ok_or_else(nothing)?;
        let plan = refactor.plan(&site).ok_or_else(nothing)?;
        let candidates = (plan.build)()?;
        let library = candidates
            .iter()
            .flatten()
            .find(|edit| edit.at.file.origin(self.db()) == Origin::Library);
        if let Some(edit) = library {
            let path = edit.at.file.path(self.db());
            return refuse(format!("`{path}` is built in and cannot be changed"));
        }
        // Of the clauses of a split pattern, one that can never match is left out.
        let unless = (refactor == Refactor::Split).then_some(Code::UnreachableClause);
        self.first_sound(candidates, unless)
    }

    /// The item that a range is in.
    fn site(&self, at: FileRange) -> Option<Site<'_>> {
        if at.file.origin(self.db()) == Origin::Library {
            return None;
        }
        let spot = self.spot(crate::FilePosition {
            file: at.file,
            offset: at.range.start(),
        })?;
        let whole = TextRange::up_to(crate::view::size(spot.view.text().len()));
        let selection = TextRange::at(spot.offset, at.range.len());
        if !whole.contains_range(selection) || is_in_comment(spot.view.text(), selection) {
            return None;
        }
        Site::new(spot.view, selection)
    }
}

/// Whether a range begins in a comment, or at the end of one: what stands there is no program.
fn is_in_comment(text: &str, range: TextRange) -> bool {
    let start = usize::from(range.start());
    words(text).iter().any(|word| {
        let is_comment = matches!(word.lexeme, Lexeme::LineComment | Lexeme::BlockComment);
        is_comment && word.range.start < start && start <= word.range.end
    })
}
