//! Values and derivatives of operators (commands `frank.run`, `frank.derivative`; the command line
//! runs the same).
//!
//! What is smooth, what differentiates and what evaluates is found by types, never by names. A
//! question is planned on a snapshot, which checks and lowers the terms to run; the plan holds
//! nothing of the snapshot and is run elsewhere, under limits.
//!
//! # Example
//!
//! ```
//! use frank_analysis::files::Files;
//! use frank_ide::Analysis;
//! use frank_ide::evaluate::Question;
//! use frank_interpreter::Limits;
//!
//! let mut files = Files::new(None);
//! let text = "include ad\n\ncube : X -> [Smooth X]X\ncube x = t x (t x x)\n";
//! let file = files.set_text("cube.fk", text);
//! let analysis = Analysis::new(files.snapshot());
//!
//! let at = ["2".to_owned()];
//! let question = Question { at: Some(&at), ..Question::default() };
//! let plan = analysis.derivative_plan(file, "cube", &question)?;
//! // Nothing of the files is needed any more, so another thread could go on from here.
//! drop(analysis);
//! let result = plan.run(&Limits::default(), |_done, _all| {});
//! assert_eq!(result.value.as_deref(), Ok("8.0"));
//! assert_eq!(result.derivatives[0].values.as_deref(), Ok(&["12.0".to_owned()][..]));
//! # Ok::<(), frank_ide::Refusal>(())
//! ```

mod cells;
mod checkpoints;
mod closed;
mod difference;
mod digits;
mod execute;
mod findings;
mod granting;
mod law;
mod marked;
mod plan;
mod planning;
mod point;
mod result;
mod roles;
mod run;
mod sampling;
mod shape;
mod soundness;
mod staged;
mod stamp;
mod steps;
mod subject;
mod template;
mod terms;
mod write;

use frank_analysis::builtin::ref_state;
use frank_analysis::db::{Db, SourceFile};
use frank_analysis::declarations::sound_signature;
use frank_analysis::files::LIBRARY_DIR;
use frank_analysis::program::OperatorDef;
use frank_syntax::ast::Symbol;

pub use frank_staging::{Formulas, Style as FormulaStyle};

pub use cells::CellTerm;
pub use closed::ClosedDerivative;
pub use difference::{Difference, Verdict};
pub use digits::few_digits;
pub use plan::{LawPlan, Plan, Question, RunPlan};
pub use result::{
    Checks, Derivative, DerivativeResult, EvaluationError, Group, InFile, LawResult, RunResult,
    label,
};
pub use roles::Number;
pub use sampling::Order;
pub(crate) use sampling::Sampler;
pub use staged::{Extent, StageQuestion, Staged, StagedPlan};

use crate::names::{Def, scope_of};
use crate::rename::Refusal;
use crate::{Analysis, FilePosition};
pub(crate) use roles::tools;
use shape::SmoothFunction;
pub(crate) use soundness::Soundness;

/// A smooth operator: something to differentiate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmoothOperator {
    pub name: String,
    /// How many arguments it takes, those included that are held fixed.
    pub arity: usize,
    /// The numbers that its evaluator computes with.
    pub number: Number,
    /// The derivative operators in scope, in the order of the program.
    pub derivatives: Vec<String>,
    /// The point that its doc comment names, by a line `| at 2.0`: a text for each argument.
    pub point: Option<Vec<String>>,
}

/// A smooth operator with what is in scope for it.
struct Smooth<'db, D> {
    operator: OperatorDef,
    function: &'db SmoothFunction,
    number: Number,
    /// The derivative operators, at least one.
    derivatives: D,
}

impl Smooth<'_, ()> {
    fn find(
        db: &dyn Db,
        scope: SourceFile,
        name: Symbol,
    ) -> Option<Smooth<'_, impl Iterator<Item = OperatorDef>>> {
        let operator = stamp::known_as(db, scope, name)?;
        let function =
            shape::smooth_function(db, scope, operator.0.scope, operator.0.name).as_ref()?;
        let tools = tools(db, scope);
        let (_, interface, number) = tools.evaluator(&function.interfaces)?;
        let own = tools
            .derivatives
            .iter()
            .filter(move |(_, own)| own == interface);
        let mut derivatives = own.map(|(derivative, _)| *derivative).peekable();
        derivatives.peek()?;
        Some(Smooth {
            operator,
            function,
            number: *number,
            derivatives,
        })
    }
}

/// Whether an operator needs something, of no number, that nobody handles where it is evaluated by itself.
fn lacks_handlers(db: &dyn Db, operator: OperatorDef) -> bool {
    let declared = sound_signature(db, operator.0.scope, operator.0.name).as_ref();
    declared.is_some_and(|declared| {
        let row = declared.types.row(declared.computation.ability);
        let mut plain = row.instances.iter().filter(|one| one.args.is_empty());
        plain.any(|one| one.interface != ref_state(db))
    })
}

/// Whether a name of a program means an operator that can be differentiated there.
pub(crate) fn is_smooth(db: &dyn Db, scope: SourceFile, name: Symbol) -> bool {
    Smooth::find(db, scope, name).is_some_and(|smooth| !lacks_handlers(db, smooth.operator))
}

impl Analysis {
    /// What there is to know about an operator of a file's program before it is differentiated;
    /// `None` if its type is not that of a smooth operator, it has errors or reaches some, or nothing
    /// sound in scope can evaluate it or differentiate it.
    pub fn smooth_operator(&self, file: SourceFile, name: &str) -> Option<SmoothOperator> {
        let db = self.db();
        let scope = scope_of(db, file);
        let Smooth {
            operator,
            function,
            number,
            derivatives,
        } = Smooth::find(db, scope, Symbol::new(name))?;
        let mut soundness = Soundness::new(db);
        let mut is_sound = |operator| !soundness.reaches_errors(operator);
        let own = is_sound(operator);
        let sound = derivatives.filter(|derivative| own && is_sound(*derivative));
        let derivatives: Vec<String> = sound.map(|d| d.0.name.to_string()).collect();
        if derivatives.is_empty() {
            return None;
        }
        let point = subject::said_point(db, operator, function, number);
        Some(SmoothOperator {
            name: name.to_owned(),
            arity: function.parameters.len(),
            number,
            derivatives,
            point: point.ok().flatten(),
        })
    }

    /// The smooth operator of a file's program that a name at a place means; `None` of the library's, which are as
    /// frequent as arithmetic.
    pub fn smooth_at(&self, at: FilePosition) -> Option<SmoothOperator> {
        let db = self.db();
        let Def::Operator(operator) = self.spot(at)?.name()?.def else {
            return None;
        };
        let known = stamp::known_as(db, scope_of(db, at.file), operator.0.name)?;
        let own = known == operator && !operator.0.scope.path(db).starts_with(LIBRARY_DIR);
        own.then(|| self.smooth_operator(at.file, operator.0.name.as_str()))?
    }

    /// A number that changes when the derivative of an operator may have changed. Results that
    /// carry another one are stale.
    pub fn derivative_stamp(&self, file: SourceFile, name: &str) -> u64 {
        let db = self.db();
        stamp::derivative_stamp(db, scope_of(db, file), Symbol::new(name))
    }

    /// A number that changes when running an operator may give something else.
    pub fn run_stamp(&self, file: SourceFile, name: &str) -> u64 {
        let db = self.db();
        stamp::run_stamp(db, scope_of(db, file), Symbol::new(name))
    }

    /// The terms that give an operator's value and its derivatives at a point, checked and
    /// lowered. Where the program takes derivatives itself, each refuses the numbers of another.
    ///
    /// # Errors
    /// The operator cannot be differentiated, or the point does not fit; with the reason.
    pub fn derivative_plan(
        &self,
        file: SourceFile,
        name: &str,
        question: &Question<'_>,
    ) -> Result<Plan, Refusal> {
        marked::of_operator(self, file, name, question)
    }

    /// The points that texts such as `2`, `[1, 2]` and `pair 1 2` say for an operator: as many as
    /// its arguments make, each with a text for every argument.
    ///
    /// # Errors
    /// The operator cannot be differentiated, or the texts do not fit; with the reason.
    pub fn points(
        &self,
        file: SourceFile,
        name: &str,
        texts: &[String],
    ) -> Result<Vec<Vec<String>>, Refusal> {
        subject::points(self, file, name, texts)
    }

    /// As [`Analysis::derivative_plan`], for an application of a derivative operator that stands
    /// in a program and needs nothing from around it. It has its point.
    ///
    /// # Errors
    /// Nothing evaluates it, or its operator is wrong for its function; with the reason.
    pub fn closed_plan(
        &self,
        closed: &ClosedDerivative,
        question: &Question<'_>,
    ) -> Result<Plan, Refusal> {
        marked::of_closed(self, closed, question)
    }

    /// How to stage an operator and its derivatives: to run them on names, for the graph of what they compute.
    ///
    /// # Errors
    /// The operator cannot be differentiated, or not by the library, or the point does not fit; with the reason.
    pub fn staged_plan(
        &self,
        file: SourceFile,
        name: &str,
        asked: &StageQuestion<'_>,
    ) -> Result<StagedPlan, Refusal> {
        staged::of_operator(self, file, name, asked)
    }

    /// An operator without ports, checked and lowered.
    ///
    /// # Errors
    /// It takes arguments, has errors, or needs what nothing answers; with the reason.
    pub fn run_plan(&self, file: SourceFile, name: &str) -> Result<RunPlan, Refusal> {
        planning::of_run(self, file, name)
    }

    /// A term in the scope of a file, such as an example in a comment, checked and lowered.
    ///
    /// # Errors
    /// It has errors, or needs what nothing answers; with the reason.
    pub fn term_plan(&self, file: SourceFile, text: &str) -> Result<RunPlan, Refusal> {
        planning::of_term(self, file, text)
    }

    /// A number that changes when evaluating a term in the scope of a file may give something else.
    pub fn term_stamp(&self, file: SourceFile, text: &str) -> u64 {
        let scope = planning::scope_of_terms(self.db(), file);
        let source = self.snapshot().term(scope, text);
        stamp::term_stamp(self.db(), scope, source)
    }

    /// A law in a comment of a file, checked and lowered.
    ///
    /// # Errors
    /// It has errors, needs what nothing answers, or has a variable for which no values can be made up; with the reason.
    pub fn law_plan(&self, file: SourceFile, text: &str) -> Result<LawPlan, Refusal> {
        planning::of_law(self, file, text)
    }

    /// A number that changes when trying a law in the scope of a file may end in another way.
    pub fn law_stamp(&self, file: SourceFile, text: &str) -> u64 {
        let scope = planning::scope_of_terms(self.db(), file);
        let source = self.snapshot().law(scope, text);
        stamp::law_stamp(self.db(), scope, source)
    }

    /// The terms of a notebook, or of a cell of one, in order, each checked and lowered.
    pub fn cell_terms(&self, file: SourceFile) -> Vec<CellTerm> {
        cells::terms(self, file)
    }

    /// A number that changes when evaluating one of these terms may give something else; `None` if there
    /// are none.
    pub fn cell_stamp(&self, file: SourceFile) -> Option<u64> {
        cells::stamp(self, file)
    }
}
