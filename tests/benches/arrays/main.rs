//! What arrays and tensors cost: time and memory of a run, beside autograd with numpy.
//!
//! ```text
//! cargo bench -p frank-tests --bench arrays
//! cargo bench -p frank-tests --bench arrays -- --peer PYTHON      # the absolute path of a Python that has autograd
//! ```
//!
//! A line has the name of a workload, milliseconds of one repetition, MiB of the whole run, and a value, which has to be
//! the peer's to nine digits.

use std::process::Command;
use std::time::Instant;

use frank_analysis::files::Files;
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::program::{TermDef, resolve_term};
use frank_interpreter::{Limits, Machine, Script, compile};
use frank_syntax::ast::Symbol;

/// Names, programs, and how often each does its work.
const WORKLOADS: &[(&str, &str, u32)] = &[
    ("fill", include_str!("fill.fk"), 1),
    ("set", include_str!("set.fk"), 1),
    ("product", include_str!("product.fk"), 50),
    ("network", include_str!("network.fk"), 50),
    ("digits", include_str!("digits.fk"), 200),
];

/// What one of them includes, an example, and the lines that it reads.
const EXAMPLE: (&str, &str) = (
    "network.fk",
    include_str!("../../../docs/examples/digits/network.fk"),
);
const LINES: &str = include_str!("../../../docs/examples/digits/digits.txt");

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let peer = args.iter().position(|arg| arg == "--peer");
    let theirs = peer.and_then(|at| args.get(at + 1)).map(|python| {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/arrays/peer.py");
        let ran = Command::new(python).arg(script).output().expect("Python");
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        String::from_utf8_lossy(&ran.stdout).into_owned()
    });
    let mut unseen = theirs.iter().flat_map(|all| all.lines()).count();
    for (name, text, times) in WORKLOADS {
        let (millis, mib, value) = run(text);
        let millis = millis / f64::from(*times);
        println!("{name:<8} {millis:>9.2} ms {mib:>7.1} MiB  {value}");
        let same = |line: &&str| line.split_whitespace().next() == Some(name);
        let Some(line) = theirs.iter().flat_map(|all| all.lines()).find(same) else {
            continue;
        };
        unseen -= 1;
        println!("  autograd: {line}");
        let found = line.split_whitespace().last();
        let found: f64 = found.and_then(|word| word.parse().ok()).expect("a value");
        let own: f64 = value.parse().expect("a number");
        assert!(
            (own - found).abs() <= 1e-9 * (1.0 + own.abs()),
            "{own} and {found}"
        );
    }
    assert_eq!(
        unseen, 0,
        "the peer has values that nothing was compared with"
    );
    assert!(
        theirs.is_none_or(|all| !all.is_empty()),
        "the peer said nothing"
    );
}

/// Milliseconds, MiB and the value of a program.
fn run(text: &str) -> (f64, f64, String) {
    let mut files = Files::new(None);
    files.set_text(EXAMPLE.0, EXAMPLE.1);
    files.set_text("main.fk", text);
    let root = files.file("main.fk").expect("the file");
    let Some(TermDef::Operator(main)) = resolve_term(files.db(), root, Symbol::new("main")) else {
        panic!("there is no `main`");
    };
    let program = link(files.db(), &[EntryPoint::Operator(main)]).expect("a program");
    let code = compile(&program).expect("code");
    let mut host = Script::new(LINES);
    let mut machine = Machine::new(&code, 0, Limits::default(), &mut host);
    let start = Instant::now();
    let value = machine.run().expect("a value");
    let took = start.elapsed().as_secs_f64() * 1000.0;
    let entry = program.entries.first().expect("an entry");
    let shown = machine
        .show(&program, &entry.ty, value, 100)
        .expect("a text");
    (
        took,
        machine.stats().peak_bytes as f64 / f64::from(1 << 20),
        shown,
    )
}
