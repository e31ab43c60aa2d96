//! Holes: which there are (requests `frank/holes`, `frank/nextHole`), and what is known of each: its goal
//! (`frank/goal`, hovers, `frank check -v`).

mod bench;
mod fill;
mod fits;
mod refine;
mod trial;

use std::collections::HashSet;

use frank_analysis::db::{ItemSource, SourceFile, has_syntax_errors, item};
use frank_analysis::diagnostics::{Code, Diagnostic, Location};
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::holes::sentence as missing;
use frank_analysis::holes::{Fit, Probe, finding, holes, shown_type, undecided};
use frank_analysis::scopes::LocalKind;
use frank_analysis::surroundings::Surroundings;
use frank_syntax::ast::tree::{Node, path_at};
use frank_syntax::ast::{Item, ItemKind, NodeId, TermId, TermKind};
use frank_syntax::outline::OutlineKind;
use frank_syntax::parse::parse_term;
use text_size::{TextRange, TextSize};

pub use fill::{Filled, FilledTerm, Filling};
pub use fits::HoleFit;
pub(crate) use fits::Known;
pub(crate) use trial::Trial;

use crate::hover_text::{Hover, HoverPart};
use crate::stack::Stack;
use crate::view::{Spot, Typed, View, slice};
use crate::{Analysis, FilePosition};

/// What an ability has besides its instances, where what is wrong around a hole hides it.
const UNKNOWN_REST: &str = "and what else there is, which is not known";

/// A hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// Where it stands in its file.
    pub range: TextRange,
    /// `_` or `_name`.
    pub name: String,
    /// The type that its place needs; `None` if nothing is known of it.
    pub ty: Option<String>,
    /// The operator that it is in.
    pub inside: String,
}

/// All that is known of a hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    pub hole: Hole,
    /// What of the type is not decided, and why.
    pub undecided: Option<String>,
    /// The ability that a term there runs in; `None` if nothing is known of it.
    pub ability: Option<Stack>,
    /// The locals in sight, the innermost first.
    pub locals: Vec<GoalLocal>,
}

/// A local at a hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalLocal {
    pub name: String,
    pub ty: String,
    /// It is the continuation of a command: `k` takes the command's result.
    pub is_continuation: bool,
    pub fit: Fit,
}

/// A hole in an item, with what the checker knows of the item's operator.
pub(crate) struct HoleAt<'a> {
    pub view: View<'a>,
    pub typed: Typed<'a>,
    pub term: TermId,
}

impl Analysis {
    /// The holes of a file, in the order of the text.
    pub fn holes(&self, file: SourceFile) -> Vec<Hole> {
        let holes = self.all_holes(file);
        holes.filter_map(|hole| hole.summary()).collect()
    }

    /// The holes of a file with what the checker knows of each, in the order of the text.
    fn all_holes(&self, file: SourceFile) -> impl Iterator<Item = HoleAt<'_>> {
        let items = self.snapshot().items(file);
        // Nothing is asked of the checker where no name can be one.
        let may_have = |item: &Item| item.terms.iter().any(|(_, term)| may_be_hole(&term.kind));
        let clauses = items.filter(move |(entry, _)| {
            entry.kind == OutlineKind::Clause && may_have(item(self.db(), entry.item))
        });
        clauses.flat_map(|(entry, _)| self.holes_in(self.view_of(entry.item)))
    }

    /// Findings about the holes of a file's items that do not parse: those have none by themselves, since the text may be read
    /// wrongly. Where it is read as another language's, nothing is told.
    pub fn holes_in_broken_items(&self, file: SourceFile) -> Vec<Diagnostic> {
        let db = self.db();
        let broken = self.all_holes(file);
        let broken = broken.filter(|hole| has_syntax_errors(db, hole.view.source));
        let broken: Vec<HoleAt<'_>> = broken.collect();
        if broken.is_empty() {
            return Vec::new();
        }
        let found = file_diagnostics(db, file).into_iter();
        let other = found.filter(|finding| finding.code == Code::OtherLanguage);
        let other: HashSet<ItemSource> = other.map(|finding| finding.location.item).collect();
        let broken = broken.into_iter();
        let broken = broken.filter(|hole| !other.contains(&hole.view.source));
        let findings = broken.map(|hole| {
            let HoleAt { view, typed, term } = &hole;
            let missing = missing(&typed.inference, typed.body(), *term);
            finding(Location::node(view.source, hole.node()), missing)
        });
        findings.collect()
    }

    /// The hole behind a place in the order of the text, or before it; round the end of the file if need be.
    pub fn hole_beside(&self, at: FilePosition, forwards: bool) -> Option<Hole> {
        let holes = self.holes(at.file);
        let behind = |hole: &&Hole| hole.range.start() > at.offset;
        let before = |hole: &&Hole| hole.range.end() < at.offset;
        match forwards {
            true => holes.iter().find(behind).or(holes.first()).cloned(),
            false => holes.iter().rev().find(before).or(holes.last()).cloned(),
        }
    }

    /// What is known of the hole at a place; `None` where there is none.
    pub fn goal(&self, at: FilePosition) -> Option<Goal> {
        let hole = self.hole_at(at)?;
        let mut probe = Probe::new(self.db(), hole.view.operator()?)?;
        self.goal_of(&hole, &mut probe)
    }

    /// The goals of all holes of a file, in the order of the text.
    pub fn goals(&self, file: SourceFile) -> Vec<Goal> {
        let mut probe: Option<Probe<'_>> = None;
        let mut found = Vec::new();
        for hole in self.all_holes(file) {
            let operator = hole.view.operator();
            if probe.as_ref().map(Probe::operator) != operator {
                probe = operator.and_then(|operator| Probe::new(self.db(), operator));
            }
            let goal = probe.as_mut();
            found.extend(goal.and_then(|probe| self.goal_of(&hole, probe)));
        }
        found
    }

    /// The hole at a place, the one that ends there included.
    pub fn hole_of(&self, at: FilePosition) -> Option<Hole> {
        self.hole_at(at)?.summary()
    }

    /// The hole at a place, with what the checker knows of it.
    pub(crate) fn hole_at(&self, at: FilePosition) -> Option<HoleAt<'_>> {
        let spot = self.spot(at)?;
        let Spot { view, offset } = spot;
        let name_at = |offset: TextSize| {
            let path = path_at(view.item(), view.map(), offset);
            let term = path.iter().rev().find_map(|node| match node {
                Node::Term(term) => Some(*term),
                _ => None,
            });
            term.filter(|term| may_be_hole(&view.item().terms[*term].kind))
        };
        let before = || name_at(offset.checked_sub(TextSize::new(1))?);
        let term = name_at(offset).or_else(before)?;
        self.holes_in(view).find(|hole| hole.term == term)
    }

    fn holes_in<'a>(&'a self, view: View<'a>) -> impl Iterator<Item = HoleAt<'a>> {
        let typed = view.typed().into_iter();
        typed.flat_map(move |typed| {
            let mut terms: Vec<TermId> = holes(typed.body()).collect();
            terms.sort_by_key(|term| view.range(view.item().terms[*term].id).start());
            terms.into_iter().map(move |term| HoleAt {
                view,
                typed: typed.clone(),
                term,
            })
        })
    }

    fn goal_of(&self, hole: &HoleAt<'_>, probe: &mut Probe<'_>) -> Option<Goal> {
        let HoleAt { view, typed, term } = hole;
        let goal = probe.goal(view.source, *term)?;
        let body = typed.body();
        let mut locals = Vec::new();
        for binder in body.scopes.seen_at(*term) {
            let local = body.locals.iter().find(|one| one.node == binder.name.id);
            let Some(local) = local.filter(|local| !local.name.is_wildcard()) else {
                continue;
            };
            locals.push(GoalLocal {
                name: local.name.to_string(),
                ty: typed.ty(local.ty),
                is_continuation: local.kind == LocalKind::Continuation,
                fit: probe.fit_of(local.name.as_str(), &goal),
            });
        }
        let around = Surroundings::new(view.item());
        Some(Goal {
            hole: hole.summary()?,
            undecided: undecided(
                self.db(),
                &typed.inference,
                view.item(),
                &around,
                body,
                *term,
            ),
            ability: self
                .stack(*view, typed, *term)
                .filter(|ability| !ability.instances.is_empty() || ability.rest.is_some()),
            locals,
        })
    }
}

impl<'a> HoleAt<'a> {
    pub fn node(&self) -> NodeId {
        self.view.item().terms[self.term].id
    }

    /// `_` or `_name`.
    pub fn name(&self) -> &str {
        self.view.node_text(self.node())
    }

    /// Whether it stands in parentheses alone, as it is written.
    fn is_in_parentheses(&self) -> bool {
        let (before, after) = self.around();
        before.trim_end().ends_with('(') && after.trim_start().starts_with(')')
    }

    /// The text of the item before the hole, and behind it.
    fn around(&self) -> (&'a str, &'a str) {
        let text = self.view.text();
        let range = self.view.range(self.node());
        let before = TextRange::up_to(range.start());
        let after = TextRange::new(range.end(), TextSize::of(text));
        (slice(text, before), slice(text, after))
    }

    fn summary(&self) -> Option<Hole> {
        let ItemKind::Clause { name, .. } = &self.view.item().kind else {
            return None;
        };
        Some(Hole {
            range: self.view.file_range(self.node()).range,
            name: self.name().to_owned(),
            ty: shown_type(&self.typed.inference, self.typed.body(), self.term),
            inside: name.symbol.to_string(),
        })
    }
}

impl Goal {
    /// The goal as a hover.
    pub(crate) fn hover(&self) -> Hover {
        Hover {
            range: self.hole.range,
            parts: self.parts(),
        }
    }

    fn parts(&self) -> Vec<HoverPart> {
        let mut parts = Vec::new();
        let ty = self.hole.ty.as_deref().unwrap_or("_");
        parts.push(HoverPart::Code(format!("{} : {ty}", self.hole.name)));
        let why = self.undecided.as_ref();
        parts.extend(why.map(|why| HoverPart::Text(sentence(why))));
        if let Some(ability) = &self.ability {
            let mut list = vec!["What a term here may do:".to_owned()];
            for instance in &ability.instances {
                let who: Vec<&str> = instance.origins.iter().map(|one| &*one.text).collect();
                list.push(format!("- `{}`: {}", instance.shown, who.join("; ")));
            }
            let rest = ability.rest.as_deref();
            list.push(format!("- {}", rest.unwrap_or(UNKNOWN_REST)));
            parts.push(HoverPart::Text(list.join("\n")));
        }
        if !self.locals.is_empty() {
            let mut list = vec!["In sight:".to_owned()];
            let locals = self.locals.iter();
            list.extend(locals.map(|local| {
                let how = match local.use_shown() {
                    Some(shown) => format!(", fits as `{shown}`"),
                    None => String::new(),
                };
                format!("- `{} : {}`{}{how}", local.name, local.ty, local.note())
            }));
            parts.push(HoverPart::Text(list.join("\n")));
        }
        parts
    }

    /// The goal in lines of plain text, for a terminal.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match (&self.hole.ty, &self.undecided) {
            (Some(ty), None) => lines.push(format!("goal: {ty}")),
            (Some(ty), Some(why)) => lines.push(format!("goal: {ty} ({why})")),
            (None, Some(why)) => lines.push(format!("goal: any type: {why}")),
            (None, None) => lines.push("goal: any type".to_owned()),
        }
        if let Some(ability) = &self.ability {
            let rest = ability.rest.as_ref().map(|rest| format!("[{rest}]"));
            if ability.instances.is_empty() {
                lines.extend(rest.map(|rest| format!("ability here: {rest}")));
            } else {
                lines.push("ability here, the active instance of each interface first:".to_owned());
                for instance in &ability.instances {
                    let who: Vec<&str> = instance.origins.iter().map(|one| &*one.text).collect();
                    lines.push(format!("  {}: {}", instance.shown, who.join("; ")));
                }
                lines.push(match rest {
                    Some(rest) => format!("  {rest}: from whoever calls"),
                    None => format!("  {UNKNOWN_REST}"),
                });
            }
        }
        if !self.locals.is_empty() {
            lines.push("in sight:".to_owned());
        }
        let locals = self.locals.iter();
        lines.extend(locals.map(|local| format!("  {}", local.shown())));
        lines
    }
}

impl GoalLocal {
    /// The local with its type and how it fits, on a line.
    pub fn shown(&self) -> String {
        let how = match self.use_shown() {
            Some(shown) => format!(": fits as `{shown}`"),
            None => String::new(),
        };
        format!("{} : {}{}{how}", self.name, self.ty, self.note())
    }

    fn note(&self) -> &'static str {
        match self.is_continuation {
            true => ", the continuation",
            false => "",
        }
    }

    /// How it fits, in a word or two; `None` if it does not.
    pub fn fit_shown(&self) -> Option<&'static str> {
        match self.fit {
            Fit::AsIs => Some("as it is"),
            Fit::Forced => Some("forced"),
            Fit::Applied(_) => Some("applied"),
            Fit::Lifted(_) => Some("lifted"),
            Fit::No => None,
        }
    }

    /// How it is written where it fits; `None` if it does not.
    pub fn use_shown(&self) -> Option<String> {
        let name = &self.name;
        match &self.fit {
            Fit::AsIs => Some(name.clone()),
            Fit::Forced => Some(format!("{name}!")),
            Fit::Applied(ports) => Some(format!("{name}{}", " _".repeat(*ports))),
            Fit::Lifted(shown) => Some(shown.clone()),
            Fit::No => None,
        }
    }
}

/// What is said, as a sentence.
fn sentence(said: &str) -> String {
    let mut chars = said.chars();
    match chars.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), chars.as_str()),
        None => String::new(),
    }
}

/// Whether a term can be a hole, as it is written.
fn may_be_hole(term: &TermKind) -> bool {
    matches!(term, TermKind::Name(name) if name.symbol.as_str().starts_with('_'))
}

/// The places of the holes `_` in the text of a term.
pub fn holes_in(term: &str) -> Vec<TextRange> {
    let parsed = parse_term(term);
    let terms = parsed.item.terms.iter();
    let holes = terms.filter(|(_, term)| match &term.kind {
        TermKind::Name(name) => name.symbol.is_wildcard(),
        _ => false,
    });
    let mut places: Vec<TextRange> = holes
        .map(|(_, term)| parsed.source_map.range(term.id))
        .collect();
    places.sort_by_key(|place| place.start());
    places
}

impl Filled {
    /// What was tried and how long, in a sentence.
    pub fn note(&self) -> String {
        let seconds = self.elapsed.as_secs_f64();
        let examples = match self.examples {
            0 => String::new(),
            1 => ", run on one example".to_owned(),
            examples => format!(", run on {examples} examples"),
        };
        let fails = |term: &FilledTerm| term.examples_hold == Some(false);
        let none_holds = !self.terms.is_empty() && self.terms.iter().all(fails);
        let hold = match self.examples {
            1 => "makes the example hold",
            _ => "makes all the examples hold",
        };
        let none_holds = match (none_holds, self.run) {
            (false, _) => String::new(),
            (true, None) => format!("; no term within {} parts {hold}", self.complete_to),
            (true, Some(run)) => format!("; none of the {run} that were run {hold}"),
        };
        let unended = match self.unended {
            0 => String::new(),
            unended => format!("; with {unended} of them an example did not end within its limits"),
        };
        let unusable: String = (self.unusable.iter().map(|why| format!("; {why}"))).collect();
        format!(
            "{} terms begun in {seconds:.1} s, all of {} parts at most; {} fit{examples}{unended}{none_holds}{unusable}",
            self.tried, self.complete_to, self.found
        )
    }
}
