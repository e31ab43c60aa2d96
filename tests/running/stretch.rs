//! Several rules of the operational semantics at once lead to the states to which they lead one by one.

use frank_core::TermId;
use frank_semantics::show::{self, Shower};
use frank_semantics::state::{Focus, State};
use frank_semantics::{Semantics, Simple};
use frank_tests::{blocks, files_under, project_root};

use crate::{Compiled, compiled_files};

/// So many rules of each program are looked at.
const RULES: u64 = 600;

fn shown(semantics: &Semantics<'_>, state: &State) -> String {
    let limits = show::Limits {
        frames: 6,
        depth: 6,
        parts: 60,
        width: 100,
    };
    let text = Shower::new(semantics, limits).state(state);
    let output = semantics.store.text(state.printed);
    format!("{text:?}\n{output}{:?}", semantics.place(state))
}

/// Whether a term is one to stop at: some are, all over a program.
fn is_stop(term: TermId) -> bool {
    term.into_raw().into_u32() % 7 == 3
}

fn stops_at(state: &State) -> bool {
    matches!(state.focus, Focus::Term(term, _) if is_stop(term))
}

/// How many states there were by rules, and how many of them by several rules at once.
fn compare(compiled: &Compiled, stops: bool) -> (u64, u64) {
    let program = &compiled.program;
    let simple = Simple::new(program, |term| stops && is_stop(term));
    let input = "3 4\nsome input\n";
    let (mut slow, mut fast) = (
        Semantics::new(program, input),
        Semantics::new(program, input),
    );
    let (Some(mut by_one), Some(mut by_many)) = (slow.start(0), fast.start(0)) else {
        return (0, 0);
    };
    let mut count = 0;
    while fast.clock < RULES && !matches!(by_many.focus, Focus::Done(_)) {
        // Sometimes there is little room.
        let most = 1 + count % 40;
        let before = fast.clock;
        let led = fast.advance_far(by_many.clone(), &simple, most);
        assert!(fast.clock > before && fast.clock - before <= most);
        let mut last = None;
        while slow.clock < fast.clock {
            assert!(
                last.is_none() || !stops || !stops_at(&by_one),
                "a state to stop at was left out: {}",
                shown(&slow, &by_one)
            );
            match slow.step(&by_one) {
                Ok((rule, next)) => {
                    by_one = next;
                    last = Some(Ok(rule));
                }
                Err(stuck) => {
                    last = Some(Err(stuck));
                    break;
                }
            }
        }
        match led {
            Ok((rule, next)) => {
                assert_eq!(last, Some(Ok(rule)));
                by_many = next;
                assert_eq!(shown(&fast, &by_many), shown(&slow, &by_one));
            }
            Err(stuck) => {
                assert_eq!(last, Some(Err(stuck)));
                break;
            }
        }
        count += 1;
    }
    (slow.clock, count)
}

#[test]
fn several_rules_at_once_lead_to_the_same_states() {
    let (mut rules, mut states) = (0, 0);
    for path in files_under(&project_root().join("tests/conformance"), "md") {
        let chapter = std::fs::read_to_string(&path).unwrap();
        for block in blocks(&chapter) {
            let Ok(compiled) = compiled_files(&block.files) else {
                continue;
            };
            for stops in [false, true] {
                let (by_one, by_many) = compare(&compiled, stops);
                rules += by_one;
                states += by_many;
            }
        }
    }
    assert!(rules > 50_000, "{rules} rules");
    assert!(states * 3 < rules * 2, "{states} states for {rules} rules");
}
