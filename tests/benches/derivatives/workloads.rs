//! The Frank programs that are measured.

use std::time::Duration;

use cpu_time::ThreadTime;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::program::{TermDef, resolve_term};
use frank_core::Program;
use frank_interpreter::{Code, Limits, Machine, Script, Stats, compile};
use frank_syntax::ast::Symbol;

use crate::{graph, native};

/// Where everything is differentiated.
pub const AT: f64 = 0.4;

/// What is done with the smooth program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Plain,
    Forward,
    Reverse,
    Twice,
    Checkpointed,
}

impl Mode {
    pub const ALL: [Mode; 5] = [
        Mode::Plain,
        Mode::Forward,
        Mode::Reverse,
        Mode::Twice,
        Mode::Checkpointed,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Mode::Plain => "plain",
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
            Mode::Twice => "twice",
            Mode::Checkpointed => "checkpointed",
        }
    }
}

/// The smooth program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Tail,
    Deep,
    Fold,
    Graph,
}

impl Shape {
    pub const ALL: [Shape; 4] = [Shape::Tail, Shape::Deep, Shape::Fold, Shape::Graph];

    fn name(self) -> &'static str {
        match self {
            Shape::Tail => "tail recursion",
            Shape::Deep => "deep recursion",
            Shape::Fold => "fold",
            Shape::Graph => "random graph",
        }
    }
}

/// A differentiated program of a size.
pub struct Workload {
    mode: Mode,
    shape: Shape,
    /// Rounds of the loop or the graph.
    rounds: u64,
    /// Into how many stretches checkpoints cut it.
    stretches: u64,
}

impl Workload {
    /// With about so many operations; `None` where the shape has no such size or mode.
    pub fn new(mode: Mode, shape: Shape, operations: u64) -> Option<Workload> {
        let each = match shape {
            Shape::Graph => graph::OPERATIONS,
            _ => 3,
        };
        let rounds = operations / each;
        // The root of the number of operations is the number of cells in a stretch.
        let stretches = ((operations as f64).sqrt() as u64).max(1);
        match mode {
            Mode::Checkpointed if shape != Shape::Tail => None,
            Mode::Checkpointed => Some(Workload {
                mode,
                shape,
                rounds: rounds / stretches * stretches,
                stretches,
            }),
            _ if shape != Shape::Tail && ![30_000, 300_000, 1_000_000].contains(&operations) => {
                None
            }
            _ if shape == Shape::Graph && operations != 300_000 => None,
            _ => Some(Workload {
                mode,
                shape,
                rounds,
                stretches: 0,
            }),
        }
    }

    pub fn name(&self) -> String {
        let thousands = (self.operations() as f64 / 1e3).round();
        let size = match thousands < 999.0 {
            true => format!("{thousands}k"),
            false => format!("{}M", (thousands / 1e3).round()),
        };
        format!("{} {} {size}", self.mode.name(), self.shape.name())
    }

    pub fn is_tail(&self) -> bool {
        self.shape == Shape::Tail
    }

    pub fn operations(&self) -> u64 {
        match self.shape {
            Shape::Graph => self.rounds * graph::OPERATIONS,
            _ => self.rounds * 3,
        }
    }

    /// The text of the program.
    pub fn text(&self) -> String {
        let rounds = self.rounds;
        let program = match self.shape {
            Shape::Graph => graph::frank(),
            _ => include_str!("../programs/loop.fk").to_owned(),
        };
        let body = match self.shape {
            Shape::Tail => format!("tailLoop {rounds} x"),
            Shape::Deep => format!("deepLoop {rounds} x"),
            Shape::Fold => format!("foldLoop {rounds} x"),
            Shape::Graph => format!("graphs {rounds} x"),
        };
        let main = match self.mode {
            Mode::Plain => format!("evaluate (let x = c {AT} in {body})"),
            Mode::Forward => format!("evaluate (d {{x -> {body}}} {AT})"),
            Mode::Reverse => format!("evaluate (grad {{x -> {body}}} {AT})"),
            Mode::Twice => format!("evaluate (d2 {{x -> {body}}} {AT})"),
            Mode::Checkpointed => {
                let each = rounds / self.stretches;
                format!("checkpointed {} {each} {AT}", self.stretches)
            }
        };
        format!("{program}\nmain : {{[RefState] Float}}\nmain! = {main}\n")
    }

    /// The same in Rust, written by hand.
    pub fn native(&self) -> (f64, Duration) {
        // Otherwise the compiler computes what does not change.
        let x = std::hint::black_box(AT);
        let rounds = self.rounds;
        let start = ThreadTime::now();
        let value = match self.shape {
            Shape::Graph => {
                let graph = graph::graph();
                match self.mode {
                    Mode::Plain => graph::evaluate(&graph, rounds, x),
                    Mode::Forward => graph::evaluate(&graph, rounds, native::Dual(x, 1.0)).1,
                    Mode::Twice => {
                        let x = native::Dual(native::Dual(x, 1.0), native::Dual(1.0, 0.0));
                        graph::evaluate(&graph, rounds, x).1.1
                    }
                    Mode::Reverse | Mode::Checkpointed => {
                        native::gradient(x, |x| graph::evaluate(&graph, rounds, x))
                    }
                }
            }
            _ => match self.mode {
                Mode::Plain => native::repeat(rounds, x),
                Mode::Forward => native::repeat(rounds, native::Dual(x, 1.0)).1,
                Mode::Twice => {
                    let x = native::Dual(native::Dual(x, 1.0), native::Dual(1.0, 0.0));
                    native::repeat(rounds, x).1.1
                }
                Mode::Reverse => native::gradient(x, |x| native::repeat(rounds, x)),
                Mode::Checkpointed => {
                    native::checkpointed(self.stretches, rounds / self.stretches, x)
                }
            },
        };
        (std::hint::black_box(value), start.elapsed())
    }
}

/// The loop over integers, `n` rounds.
pub fn integers(n: u64) -> String {
    let program = include_str!("../programs/loop.fk");
    format!("{program}\nmain : {{Int}}\nmain! = plainInt {n} 0\n")
}

/// A program ready to run.
pub struct Prepared {
    program: Program,
    code: Code,
    /// Kept from run to run, as a long run would keep it.
    #[cfg(feature = "native")]
    native: std::cell::RefCell<frank_native::Native>,
}

/// Checks and compiles a program that is right.
pub fn prepare(text: &str) -> Prepared {
    prepare_files(&[("main.fk".to_owned(), text.to_owned())])
}

/// Checks and compiles files that are right, of which the last is the root.
pub fn prepare_files(program: &[(String, String)]) -> Prepared {
    let mut files = Files::new(None);
    let set = program
        .iter()
        .map(|(name, text)| files.set_text(name, text));
    let root = set.last().unwrap();
    let db = files.db();
    if let Some(problem) = file_diagnostics(db, root).iter().find(|p| p.is_error()) {
        panic!("{}", problem.message);
    }
    let Some(TermDef::Operator(main)) = resolve_term(db, root, Symbol::new("main")) else {
        panic!("there is no `main`");
    };
    let program = link(db, &[EntryPoint::Operator(main)]).unwrap();
    let code = compile(&program).unwrap();
    Prepared {
        #[cfg(feature = "native")]
        native: frank_native::Native::new(&code, frank_native::Eagerness::Hot).into(),
        program,
        code,
    }
}

impl Prepared {
    /// The value, what the run used, and how long it took.
    pub fn run(&self) -> ((String, Stats), Duration) {
        let mut host = Script::new("");
        #[cfg(feature = "native")]
        let mut native = self.native.borrow_mut();
        let start = ThreadTime::now();
        let machine = Machine::new(&self.code, 0, Limits::default(), &mut host);
        #[cfg(feature = "native")]
        let machine = machine.with_backend(&mut *native);
        let mut machine = machine;
        let value = machine.run();
        let took = start.elapsed();
        let ty = &self.program.entries[0].ty;
        let value = value.and_then(|value| machine.show(&self.program, ty, value, 1 << 20));
        let value = value.unwrap_or_else(|error| panic!("{error:#?}"));
        ((value, machine.stats()), took)
    }
}
