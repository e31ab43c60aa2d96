//! What handlers of derivatives need of memory.

use frank_interpreter::{Limits, Stats};

use crate::compiled;

const PROGRAM: &str = "
include ad

run : Int -> X -> [Smooth X] X
run n x = let a = c 0.5 in let b = c 0.3 in loop n a b x

loop : Int -> X -> X -> X -> [Smooth X] X
loop 0 a b x = x
loop n a b x = loop (n - 1) a b (p (t (t x x) a) b)

chain : Int -> Int -> Prop X -> [Checkpoint X, Smooth (Prop X)] Prop X
chain 0 m x = x
chain n m x = chain (n - 1) m (checkpoint {run m x})
";

fn stats(main: &str) -> Stats {
    let text = format!("{PROGRAM}\nmain : {{[RefState]Float}}\nmain! = {main}\n");
    let ran = compiled(&text).run(Limits::default(), "");
    ran.value.unwrap();
    ran.stats
}

/// Clauses that only compute leave nothing on the stack, however many branches they have.
#[test]
fn evaluation_makes_no_frames() {
    let stats = stats("evaluate (run 20000 0.4)");
    assert!(stats.peak_objects < 5, "{stats:?}");
    assert_eq!(stats.captures, 0);
}

#[test]
fn forward_mode_needs_no_memory() {
    let stats = stats("evaluate (d {x -> run 20000 x} 0.4)");
    assert!(stats.peak_objects < 50, "{stats:?}");
    assert_eq!(stats.captures, 0);
}

/// Reverse mode keeps a cell and a frame for every operation, at most 200 bytes.
#[test]
fn reverse_mode_needs_little_memory() {
    let stats = stats("evaluate (grad {x -> run 20000 x} 0.4)");
    assert!(stats.peak_cells > 60_000, "{stats:?}");
    assert!(stats.peak_bytes < 200 * 60_000, "{stats:?}");
}

/// With √N checkpoints the most cells that are live at a time grow like √N.
#[test]
fn checkpoints_free_what_they_free() {
    let peak = |n: u64| {
        let root = (n as f64).sqrt() as u64;
        let main = format!(
            "evaluate (gradc {{x -> <RefState, Smooth(s a b -> s b)> (chain {root} {root} x)}} 0.4)"
        );
        stats(&main)
    };
    let (small, large) = (peak(2_500), peak(40_000));
    assert!(
        small.peak_cells < 10 * 50 && large.peak_cells < 10 * 200,
        "{small:?} {large:?}"
    );
    assert!(large.peak_objects < 40 * 200, "{large:?}");
    assert!(large.peak_cells < 5 * small.peak_cells);
}
