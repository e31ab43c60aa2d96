//! What is shown of a smooth operator beside its type: formulas of it and of its derivatives, and their graphs.
//!
//! Both come of running it, on names and at points, under limits that keep a hover quick. What was found is kept as long
//! as the operator and all that it reaches are the same.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use frank_ide::evaluate::{
    FormulaStyle, Formulas, InFile, SmoothOperator, StageQuestion, StagedPlan,
};
use frank_ide::plot::{PlotPlan, PlotQuestion};
use frank_interpreter::Limits;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use tokio::sync::watch;
use web_time::Instant;

use crate::commands;
use crate::pictures::{self, HOVER};
use crate::request_snapshot::{RequestSnapshot, Target};
use crate::results::EvaluationKind;
use crate::settings::PlotTheme;

/// So many steps an operator may take on names, and for each place of its graph.
const STEPS: u64 = 1_000_000;
/// So long all evaluations for both together may take.
const TIME: Duration = Duration::from_millis(500);
const MEMORY: usize = 128 << 20;
/// So many operations are shown of what is too large for a formula.
const FIRST: usize = 5;
/// Formulas with more letters are for no hover, and no lens.
const LONGEST: usize = 1000;
const LONGEST_TITLE: usize = 60;
/// Editors cut long hovers off, VS Code those of more than 100,000 letters.
const LONGEST_PICTURE: usize = 80_000;
/// So many operators are remembered.
const MOST_KEPT: usize = 500;

/// What in an address would end it, or mean something in Markdown or HTML.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'\'')
    .add(b'(')
    .add(b')')
    .add(b'*')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'_')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// What is to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wanted {
    formulas: Option<FormulaStyle>,
    picture: Option<PlotTheme>,
}

impl Wanted {
    /// For a hover, by what the settings say and what the client can show.
    pub fn in_hover(snapshot: &RequestSnapshot) -> Wanted {
        let hovers = snapshot.settings.editor.hovers;
        let client = &snapshot.capabilities;
        let math = client.markdown_hover && hovers.math.unwrap_or(client.shows_math);
        let style = match math {
            true => FormulaStyle::Latex,
            false => FormulaStyle::Text,
        };
        let plots = client.markdown_hover && hovers.plots.unwrap_or(client.shows_pictures);
        Wanted {
            formulas: hovers.formulas.unwrap_or(true).then_some(style),
            picture: (pictures::CAN_DRAW && plots).then_some(hovers.theme),
        }
    }

    /// For a lens.
    pub fn in_lens(snapshot: &RequestSnapshot) -> Wanted {
        let formulas = snapshot.settings.editor.hovers.formulas.unwrap_or(true);
        Wanted {
            formulas: formulas.then_some(FormulaStyle::Text),
            picture: None,
        }
    }
}

/// Why an operator has no formula, and the place in the program that this is about.
#[derive(Debug, Clone)]
struct NoFormula {
    reason: String,
    place: Option<InFile>,
}

/// What was found of an operator.
#[derive(Debug, Clone)]
pub struct Portrait {
    /// In which style, and why there are none.
    formulas: Option<(FormulaStyle, Result<Formulas, NoFormula>)>,
    /// An address that is the picture.
    picture: Option<String>,
}

/// What is known of operators, and what is being found. An operator can be looked at in several ways.
#[derive(Default)]
pub struct Memory {
    known: Mutex<HashMap<Subject, Known>>,
}

/// What the file is known by, the operator's name, and what is wanted of it.
type Subject = (Arc<str>, String, Wanted);

/// A portrait, or nothing while it is being found, for all who wait for it.
pub type Waiting = watch::Receiver<Option<Portrait>>;

struct Known {
    /// A number for all that the portrait depends on.
    state: u64,
    portrait: Waiting,
}

impl Memory {
    fn all(&self) -> MutexGuard<'_, HashMap<Subject, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known, or being found, of an operator in a state.
    fn get(&self, subject: &Subject, state: u64) -> Option<Waiting> {
        let all = self.all();
        let known = all.get(subject).filter(|known| known.state == state)?;
        // Of one that was given up nothing comes.
        let is_found = known.portrait.borrow().is_some();
        (is_found || known.portrait.has_changed().is_ok()).then(|| known.portrait.clone())
    }

    /// The portrait of an operator, which `start` begins to find unless somebody else does.
    fn find(
        &self,
        subject: &Subject,
        state: u64,
        start: impl FnOnce(watch::Sender<Option<Portrait>>),
    ) -> Waiting {
        if let Some(known) = self.get(subject, state) {
            return known;
        }
        let (found, portrait) = watch::channel(None);
        let mut all = self.all();
        if all.len() >= MOST_KEPT {
            all.clear();
        }
        let known = Known {
            state,
            portrait: portrait.clone(),
        };
        all.insert(subject.clone(), known);
        drop(all);
        start(found);
        portrait
    }
}

/// What is known or being found, or how to find it.
pub enum Found {
    Known(Waiting),
    ToFind(Box<Prepared>),
}

/// Evaluations that no longer need the files.
pub struct Prepared {
    subject: Subject,
    /// A number for all that the portrait depends on.
    state: u64,
    formulas: Option<(FormulaStyle, StagedPlan)>,
    picture: Option<(PlotTheme, PlotPlan)>,
    pub limits: Limits,
}

/// Plans what there is to know of an operator that is named at a place; `None` if nothing is.
pub fn at_place(snapshot: &RequestSnapshot, target: &Target, memory: &Memory) -> Option<Found> {
    let wanted = Wanted::in_hover(snapshot);
    let smooth = snapshot.analysis.smooth_at(target.position())?;
    prepare(snapshot, target, (smooth, wanted), memory)
}

/// Plans what a lens says of an operator; `None` if nothing is to be said.
pub fn for_lens(
    snapshot: &RequestSnapshot,
    target: &Target,
    name: &str,
    memory: &Memory,
) -> Option<Found> {
    let wanted = Wanted::in_lens(snapshot);
    let smooth = snapshot.analysis.smooth_operator(target.file, name)?;
    prepare(snapshot, target, (smooth, wanted), memory)
}

fn prepare(
    snapshot: &RequestSnapshot,
    target: &Target,
    (smooth, wanted): (SmoothOperator, Wanted),
    memory: &Memory,
) -> Option<Found> {
    if wanted.formulas.is_none() && wanted.picture.is_none() {
        return None;
    }
    let (analysis, file) = (&snapshot.analysis, target.file);
    let document = snapshot.document(file)?;
    let name = &smooth.name;
    // The point that was looked at last is marked.
    let last = commands::subject(&document.key, name, EvaluationKind::Derivative);
    let last = snapshot.results.last_point(&last);
    let limits = lower(snapshot.settings.limits(&document.key));
    let mut hasher = DefaultHasher::new();
    analysis.derivative_stamp(file, name).hash(&mut hasher);
    (&smooth.point, last, limits.steps, limits.time).hash(&mut hasher);
    let state = hasher.finish();
    let subject = (document.key.clone(), name.clone(), wanted);
    if let Some(known) = memory.get(&subject, state) {
        return Some(Found::Known(known));
    }
    // What cannot be staged or drawn says so where somebody asks for it.
    let formulas = wanted.formulas.and_then(|style| {
        let plan = analysis.staged_plan(file, name, &StageQuestion::default());
        Some((style, plan.ok()?))
    });
    let picture = wanted.picture.and_then(|theme| {
        let plan = |at| {
            let question = PlotQuestion {
                at,
                order: 1,
                ..PlotQuestion::default()
            };
            analysis.plot_plan(file, name, &question).ok()
        };
        // The last point may be one for other arguments than there are now.
        let at_last = last.and_then(|last| plan(Some(last)));
        Some((theme, at_last.or_else(|| plan(None))?))
    });
    Some(Found::ToFind(Box::new(Prepared {
        subject,
        state,
        formulas,
        picture,
        limits,
    })))
}

/// The limits for what nobody has asked for by itself.
fn lower(limits: Limits) -> Limits {
    Limits {
        steps: Some(limits.steps.map_or(STEPS, |steps| steps.min(STEPS))),
        time: Some(limits.time.map_or(TIME, |time| time.min(TIME))),
        memory: limits.memory.min(MEMORY),
        ..limits
    }
}

impl Prepared {
    /// The portrait, which `start` is given the evaluation of unless that runs already.
    pub fn find(
        self,
        memory: &Memory,
        start: impl FnOnce(Prepared, watch::Sender<Option<Portrait>>),
    ) -> Waiting {
        let (subject, state) = (self.subject.clone(), self.state);
        memory.find(&subject, state, |found| start(self, found))
    }

    /// Evaluates within limits, whose time is that of all evaluations together.
    pub fn run(self, limits: &Limits, mut progress: impl FnMut()) -> Portrait {
        let began = Instant::now();
        let formulas = self.formulas.map(|(style, plan)| {
            let found = plan.formulas(limits, &mut progress, (style, FIRST));
            let found = found.map_err(|failure| match failure.limit {
                true => NoFormula {
                    reason: "finding one takes too long".to_owned(),
                    place: None,
                },
                false => NoFormula {
                    reason: failure.message,
                    place: failure.place,
                },
            });
            (style, found)
        });
        let picture = self.picture.and_then(|(theme, plan)| {
            let left = limits.time.map(|time| time.saturating_sub(began.elapsed()));
            let limits = Limits {
                time: left,
                ..limits.clone()
            };
            let plot = plan.draw(&limits, &mut progress).ok()?;
            let svg = pictures::svg(&plot, theme, HOVER)?;
            let svg = utf8_percent_encode(&svg, ENCODED);
            let address = format!("data:image/svg+xml;utf8,{svg}");
            (address.len() <= LONGEST_PICTURE).then_some(address)
        });
        Portrait { formulas, picture }
    }
}

impl Portrait {
    /// The place that what is said instead of formulas is about.
    pub fn place(&self) -> Option<&InFile> {
        let (_, found) = self.formulas.as_ref()?;
        found.as_ref().err()?.place.as_ref()
    }

    /// The formulas for a hover, as Markdown or as plain text, or a line that says why there are none, with what the
    /// place is called that this is about.
    pub fn formulas(&self, markdown: bool, place: Option<&str>) -> Option<String> {
        let (style, found) = self.formulas.as_ref()?;
        let (head, lines, more) = match found {
            Err(NoFormula { reason, .. }) => {
                let place = place.map(|place| format!(", at {place}"));
                return Some(format!("No formula: {reason}{}", place.unwrap_or_default()));
            }
            Ok(Formulas::Whole(lines)) => {
                let length: usize = lines.iter().map(|(_, formula)| formula.len()).sum();
                if length > LONGEST {
                    return Some("No formula: it would be too long to be read".to_owned());
                }
                (None, lines, false)
            }
            Ok(Formulas::TooLarge { operations, first }) => {
                let head = format!("Too large for a formula: {operations} operations");
                (Some(head), first, true)
            }
        };
        let mut text = String::new();
        if let Some(head) = head {
            text += &head;
            text += if markdown { "\n\n" } else { "\n" };
        }
        match (markdown, style) {
            (true, FormulaStyle::Latex) => {
                let lines = lines.iter();
                let lines: Vec<String> = lines
                    .map(|(what, formula)| format!("{what} &= {formula}"))
                    .chain(more.then(|| "&\\;\\;\\vdots".to_owned()))
                    .collect();
                text += "$$\n\\begin{aligned}\n";
                text += &lines.join(" \\\\\n");
                text += "\n\\end{aligned}\n$$";
            }
            _ => {
                let lines = lines.iter();
                let lines: Vec<String> = lines
                    .map(|(what, formula)| format!("{what} = {formula}"))
                    .chain(more.then(|| "…".to_owned()))
                    .collect();
                let lines = lines.join("\n");
                match markdown {
                    true => text += &format!("```text\n{lines}\n```"),
                    false => text += &lines,
                }
            }
        }
        Some(text)
    }

    /// The picture for a hover in Markdown.
    pub fn picture(&self) -> Option<String> {
        let address = self.picture.as_ref()?;
        Some(format!("![graphs]({address})"))
    }

    /// The derivatives for a lens, if they are short.
    pub fn title(&self) -> Option<String> {
        let (_, Ok(Formulas::Whole(lines))) = self.formulas.as_ref()? else {
            return None;
        };
        let derivatives = lines.iter().filter(|(what, _)| what.starts_with('∂'));
        let all: Vec<String> = derivatives
            .map(|(what, formula)| format!("{what} = {formula}"))
            .collect();
        let title = all.join(", ");
        (!title.is_empty() && title.chars().count() <= LONGEST_TITLE).then_some(title)
    }
}

#[cfg(test)]
mod tests {
    use super::{FormulaStyle, Memory, Portrait, Subject, Wanted};

    fn subject() -> Subject {
        let wanted = Wanted {
            formulas: Some(FormulaStyle::Text),
            picture: None,
        };
        ("cube.fk".into(), "cube".to_owned(), wanted)
    }

    const NOTHING: Portrait = Portrait {
        formulas: None,
        picture: None,
    };

    /// Who asks while somebody else waits, waits for the same evaluation.
    #[test]
    fn what_is_asked_again_is_evaluated_once() {
        let memory = Memory::default();
        let mut begun = Vec::new();
        let mut first = memory.find(&subject(), 1, |found| begun.push(found));
        let second = memory.find(&subject(), 1, |found| begun.push(found));
        assert_eq!(begun.len(), 1);
        assert!(second.borrow().is_none());
        for found in begun.drain(..) {
            let _ = found.send(Some(NOTHING));
        }
        assert!(first.borrow_and_update().is_some() && second.borrow().is_some());
        let third = memory.find(&subject(), 1, |found| begun.push(found));
        assert!(begun.is_empty() && third.borrow().is_some());
        // After an edit it is another question.
        memory.find(&subject(), 2, |found| begun.push(found));
        assert_eq!(begun.len(), 1);
    }

    /// What was given up, as by a server that shuts down or a panic, is begun anew.
    #[test]
    fn what_was_given_up_is_begun_again() {
        let memory = Memory::default();
        memory.find(&subject(), 1, drop);
        let mut begun = 0;
        memory.find(&subject(), 1, |_| begun += 1);
        assert_eq!(begun, 1);
    }
}
