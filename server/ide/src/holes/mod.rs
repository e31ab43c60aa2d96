//! Holes: which there are (requests `frank/holes`, `frank/nextHole`), and what is known of each: its goal
//! (`frank/goal`, hovers, `frank check -v`).

mod fill;
mod fits;
mod refine;
mod trial;

use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::holes::{Fit, Probe, holes, shown_type, undecided};
use frank_analysis::scopes::LocalKind;
use frank_analysis::surroundings::Surroundings;
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{ItemKind, NodeId, TermId, TermKind};
use frank_syntax::outline::OutlineKind;
use frank_syntax::parse::parse_term;
use text_size::{TextRange, TextSize};

pub use fill::{Filled, FilledTerm, Filling};
pub use fits::HoleFit;

use crate::hover::HoverPart;
use crate::info::Stack;
use crate::view::{Typed, View};
use crate::{Analysis, FilePosition};

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
    /// The ability that a term there runs in.
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
        let db = self.db();
        let mut found = Vec::new();
        for (entry, _) in self.snapshot().items(file) {
            // Most items have none, which their texts say.
            let is_clause = entry.kind == OutlineKind::Clause;
            if !is_clause || !mentions_hole(entry.item.text(db)) {
                continue;
            }
            for hole in self.holes_of(entry.item) {
                found.extend(hole.summary());
            }
        }
        found.sort_by_key(|hole: &Hole| hole.range.start());
        found
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
        let db = self.db();
        let mut probes: Vec<Probe<'_>> = Vec::new();
        let mut found = Vec::new();
        for (entry, _) in self.snapshot().items(file) {
            let is_clause = entry.kind == OutlineKind::Clause;
            if !is_clause || !mentions_hole(entry.item.text(db)) {
                continue;
            }
            for hole in self.holes_of(entry.item) {
                let Some(operator) = hole.view.operator() else {
                    continue;
                };
                if probes.last().is_none_or(|one| one.operator() != operator) {
                    probes.extend(Probe::new(db, operator));
                }
                if let Some(probe) = probes.last_mut() {
                    found.extend(self.goal_of(&hole, probe));
                }
            }
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
        let before = TextSize::new(1);
        let path = spot.path();
        let at_end = spot.offset.checked_sub(before).map(|offset| {
            frank_syntax::ast::tree::path_at(spot.view.item(), spot.view.map(), offset)
        });
        let term = innermost_term(&path).or(innermost_term(&at_end.unwrap_or_default()))?;
        let mut own = self.holes_in(spot.view);
        own.find(|hole| hole.term == term)
    }

    fn holes_of(&self, source: ItemSource) -> impl Iterator<Item = HoleAt<'_>> {
        self.holes_in(self.view_of(source))
    }

    fn holes_in<'a>(&'a self, view: View<'a>) -> impl Iterator<Item = HoleAt<'a>> {
        let typed = view.typed();
        let terms = typed.as_ref().map(|typed| holes(typed.body()).collect());
        let terms: Vec<TermId> = terms.unwrap_or_default();
        terms.into_iter().filter_map(move |term| {
            Some(HoleAt {
                view,
                typed: typed.clone()?,
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
            let own = probe.body(view.source).and_then(|body| {
                let mut locals = body.locals.iter();
                locals.find(|one| one.node == binder.name.id)
            });
            let (Some(local), Some(own)) = (local, own) else {
                continue;
            };
            if local.name.is_wildcard() {
                continue;
            }
            let ty = own.ty;
            locals.push(GoalLocal {
                name: local.name.to_string(),
                ty: typed.ty(local.ty),
                is_continuation: local.kind == LocalKind::Continuation,
                fit: probe.fit_of_local(local.name.as_str(), ty, &goal),
            });
        }
        let around = Surroundings::new(view.item());
        Some(Goal {
            hole: hole.summary()?,
            undecided: undecided(&typed.inference, view.item(), &around, body, *term),
            ability: self.stack(*view, typed, *term),
            locals,
        })
    }
}

impl HoleAt<'_> {
    pub fn node(&self) -> NodeId {
        self.view.item().terms[self.term].id
    }

    fn summary(&self) -> Option<Hole> {
        let ItemKind::Clause { name, .. } = &self.view.item().kind else {
            return None;
        };
        Some(Hole {
            range: self.view.file_range(self.node()).range,
            name: self.view.node_text(self.node()).to_owned(),
            ty: shown_type(&self.typed.inference, self.typed.body(), self.term),
            inside: name.symbol.to_string(),
        })
    }
}

impl Goal {
    /// The goal as parts of a hover.
    pub(crate) fn parts(&self) -> Vec<HoverPart> {
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
            if let Some(rest) = &ability.rest {
                list.push(format!("- {rest}"));
            }
            parts.push(HoverPart::Text(list.join("\n")));
        }
        if !self.locals.is_empty() {
            let mut list = vec!["In sight:".to_owned()];
            for local in &self.locals {
                let how = match local.use_shown() {
                    Some(shown) => format!(", fits as `{shown}`"),
                    None => String::new(),
                };
                let note = if local.is_continuation {
                    ", the continuation"
                } else {
                    ""
                };
                list.push(format!("- `{} : {}`{note}{how}", local.name, local.ty));
            }
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
                let rest = rest.as_deref().unwrap_or("nothing");
                lines.push(format!("ability here: {rest}"));
            } else {
                lines.push("ability here, the active instance of each interface first:".to_owned());
                for instance in &ability.instances {
                    let who: Vec<&str> = instance.origins.iter().map(|one| &*one.text).collect();
                    lines.push(format!("  {}: {}", instance.shown, who.join("; ")));
                }
                lines.extend(rest.map(|rest| format!("  {rest}: from whoever calls")));
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
        let note = match self.is_continuation {
            true => ", the continuation",
            false => "",
        };
        let how = match self.use_shown() {
            Some(shown) => format!(": fits as `{shown}`"),
            None => String::new(),
        };
        format!("{} : {}{note}{how}", self.name, self.ty)
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

/// The innermost term on a path.
fn innermost_term(path: &[Node<'_>]) -> Option<TermId> {
    path.iter().rev().find_map(|node| match node {
        Node::Term(term) => Some(*term),
        _ => None,
    })
}

/// Whether a text has a word that begins with `_`: only then it can have a hole.
fn mentions_hole(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|c| {
        let begins = c == '_' && !(before.is_alphanumeric() || before == '_' || before == '\'');
        before = c;
        begins
    })
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
        format!(
            "{} beginnings of terms tried in {seconds:.1} s, all terms of {} parts at most; {} fit{examples}",
            self.tried, self.complete_to, self.found
        )
    }
}
