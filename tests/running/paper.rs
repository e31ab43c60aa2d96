//! Every evaluation trace that the paper displays, state for state, in its notation: `«…»` is the focus, which the
//! paper underlines, and `⟦…⟧` is frozen, which it highlights. A display without a focus is one of the whole term.
//! Blanks do not count.

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::link::{EntryPoint, link};
use frank_semantics::Semantics;
use frank_semantics::show::{Limits, Shower, Text};
use frank_semantics::trace::{self, trace};

/// The states of a term, with marks.
fn states(include: &str, term: &str) -> Vec<(String, Text)> {
    let mut files = Files::new(None);
    let scope = files.set_text("main.fk", include);
    assert!(
        file_diagnostics(files.db(), scope)
            .iter()
            .all(|finding| !finding.is_error())
    );
    let source = files.term(scope, term);
    let program = link(files.db(), &[EntryPoint::Term { scope, source }]).unwrap();
    let mut semantics = Semantics::new(&program, "");
    let first = semantics.start(0).unwrap();
    let run = trace(&mut semantics, first, trace::Limits::default());
    let mut shower = Shower::new(&semantics, Limits::default());
    let shown = run.moments.iter().map(|moment| {
        let rule = moment.rule.map_or("start", |rule| rule.name());
        (rule.to_owned(), shower.state(&moment.state))
    });
    shown.collect()
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// A state as the displays are written; marks only where the display has such ones.
fn marked(shown: &Text, display: &str) -> String {
    let (focus, frozen) = (display.contains('«'), display.contains('⟦'));
    let mut all = String::new();
    for (at, c) in shown.text.chars().chain([' ']).enumerate() {
        if focus && at == shown.focus.end {
            all.push('»');
        }
        for _ in shown.frozen.iter().filter(|part| frozen && part.end == at) {
            all.push('⟧');
        }
        for _ in shown
            .frozen
            .iter()
            .filter(|part| frozen && part.start == at)
        {
            all.push('⟦');
        }
        if focus && at == shown.focus.start {
            all.push('«');
        }
        all.push(c);
    }
    without_blanks(&all)
}

/// Finds the displays one after the other among the states of a term.
fn displays(include: &str, term: &str, displays: &[&str]) {
    let states = states(include, term);
    let mut rest = states.iter();
    for display in displays {
        let wanted = without_blanks(display);
        let found = rest.any(|(_, shown)| marked(shown, display) == wanted);
        let all: Vec<String> = states
            .iter()
            .map(|(_, shown)| marked(shown, display))
            .collect();
        assert!(found, "{display}\nis not among\n{}", all.join("\n"));
    }
}

const AD: &str = "include ad-paper\n";

#[test]
fn a_continuation_of_state() {
    let program = "\
include prelude
state : {S -> <State S>X -> [Console]X}
state _ x            = print \"end\"; x
state s <get   -> k> = print \"get\"; state s (k s)
state _ <put s -> k> = print \"put\"; state s (k unit)
";
    displays(
        program,
        "2 + (state 1 (put (get! + get!); get!))",
        &[
            "2 + state 1 (put («get!» + get!); get!)",
            "2 + state 1 ⟦(put («get!» + get!); get!)⟧",
            "2 + («print \"get\"»; state 1 ({r -> (put (r + get!); get!)} 1))",
        ],
    );
}

/// All of it up to the second command, with nothing in between.
#[test]
fn evaluation() {
    let term = "evaluate (p (c 1) (p (t (t 2 2) 2) (n (t 4 4))))";
    let expected = [
        "evaluate (p «(c 1)» (p (t (t 2 2) 2) (n (t 4 4))))",
        "evaluate (p ⟦«(c 1)»⟧ (p (t (t 2 2) 2) (n (t 4 4))))",
        "evaluate ⟦(p «(c 1)» (p (t (t 2 2) 2) (n (t 4 4))))⟧",
        "evaluate «({x -> (p x (p (t (t 2 2) 2) (n (t 4 4))))} 1)»",
        "evaluate (p 1 (p (t (t 2 2) 2) (n (t 4 4))))",
        "evaluate (p 1 (p (t «(t 2 2)» 2) (n (t 4 4))))",
        "evaluate (p 1 (p (t ⟦«(t 2 2)»⟧ 2) (n (t 4 4))))",
        "evaluate (p 1 (p ⟦(t «(t 2 2)» 2)⟧ (n (t 4 4))))",
        "evaluate (p 1 ⟦(p (t «(t 2 2)» 2) (n (t 4 4)))⟧)",
        "evaluate ⟦(p 1 (p (t «(t 2 2)» 2) (n (t 4 4))))⟧",
        "evaluate ({x -> (p 1 (p (t x 2) (n (t 4 4))))} «(2 * 2)»)",
        "evaluate «({x -> (p 1 (p (t x 2) (n (t 4 4))))} 4)»",
        "evaluate (p 1 (p (t 4 2) (n (t 4 4))))",
    ];
    let states = states(AD, term);
    assert_eq!(states[0].1.text, term);
    for ((_, shown), display) in states[1..].iter().zip(expected) {
        assert_eq!(marked(shown, display), without_blanks(display));
    }
    assert_eq!(states.last().unwrap().1.text, "-7");
}

#[test]
fn forward_mode() {
    let program =
        "p (c 1) (p (t (t (dual 2 1) (dual 2 1)) (dual 2 1)) (n (t (dual 4 0) (dual 4 0))))";
    let rest = "(p (t (t (dual 2 1) (dual 2 1)) (dual 2 1)) (n (t (dual 4 0) (dual 4 0))))";
    displays(
        AD,
        &format!("evaluate (diff ({program}))"),
        &[
            &format!("evaluate (diff ⟦(p «(c 1)» {rest})⟧)"),
            &format!(
                "evaluate (let r = dual «(op0 (constE 1))» (c 0) in diff ({{x -> (p x {rest})}} r))"
            ),
            &format!("evaluate (let r = dual «(c 1)» (c 0) in diff ({{x -> (p x {rest})}} r))"),
            "evaluate (diff (p (dual 1 0) (p (t «(t (dual 2 1) (dual 2 1))» (dual 2 1))
                                            (n (t (dual 4 0) (dual 4 0))))))",
            "dual -7 12",
        ],
    );
}

#[test]
fn nested_derivatives() {
    let function = "{x -> t x (d {y -> p (lift x) y} (c 1))}";
    displays(
        AD,
        &format!("evaluate (d {function} (c 1))"),
        &[
            &format!("evaluate (d {function} «(c 1)»)"),
            &format!("evaluate «(d {function} 1)»"),
            &format!("evaluate (dv (diff ({function} (dual 1 (<Smooth> «(c 1)»)))))"),
            &format!("evaluate ⟦(dv (diff ({function} (dual 1 (<Smooth> «(c 1)»)))))⟧"),
            "1",
        ],
    );
}

#[test]
fn reverse_mode() {
    let body = "let y = c 4 in p (c 1) (p (t (t x x) x) (n (t y y)))";
    displays(
        AD,
        &format!("evaluate (grad {{x -> {body}}} 2)"),
        &[
            &format!("evaluate «(grad {{x -> {body}}} 2)»"),
            &format!(
                "evaluate (let z = prop 2 (new «(c 0)») in
                   reverse (write (deriv ({{x -> {body}}} z)) (<Smooth> (c 1)));
                   read (deriv z))"
            ),
            &format!(
                "evaluate (
                   reverse (write (deriv «({{x -> {body}}} (prop 2 <z>))») (<Smooth> (c 1)));
                   read (deriv (prop 2 <z>)))"
            ),
            "evaluate (
               reverse (write (deriv (
                 let y = «c 4» in
                 p (c 1) (p (t (t (prop 2 <z>) (prop 2 <z>)) (prop 2 <z>)) (n (t y y)))
               )) (<Smooth> (c 1)));
               read (deriv (prop 2 <z>)))",
            "evaluate (
               reverse (write (deriv (
                 p (prop 1 <r2>)
                   (p (t «(t (prop 2 <z>) (prop 2 <z>))» (prop 2 <z>))
                      (n (t (prop 4 <r1>) (prop 4 <r1>))))
               )) (<Smooth> (c 1)));
               read (deriv (prop 2 <z>)))",
            "evaluate (
               reverse ⟦(write (deriv (
                 p (prop 1 <r2>)
                   (p (t «(t (prop 2 <z>) (prop 2 <z>))» (prop 2 <z>))
                      (n (t (prop 4 <r1>) (prop 4 <r1>))))
               )) (<Smooth> (c 1)))⟧;
               read (deriv (prop 2 <z>)))",
            "evaluate (
               reverse (write (deriv (
                 p (prop 1 <r2>)
                   (p (t (prop 4 <r3>) (prop 2 <z>))
                      (n (t (prop 4 <r1>) (prop 4 <r1>))))
               )) (<Smooth> (c 1)));
               write <z> (p (read <z>) (t (der2L timesE 2 2) (read (deriv (prop 4 <r3>)))));
               write <z> (p (read <z>) (t (der2R timesE 2 2) (read (deriv (prop 4 <r3>)))));
               read (deriv (prop 2 <z>)))",
            "evaluate (
               reverse (write <r8> (<Smooth> (c 1)));
               write <r2> (p (read <r2>) (t (der2L plusE 1 -8) (read (deriv (prop -7 <r8>)))));
               write <r7> (p (read <r7>) (t (der2R plusE 1 -8) (read (deriv (prop -7 <r8>)))));
               write <r4> (p (read <r4>) (t (der2L plusE 8 -16) (read (deriv (prop -8 <r7>)))));
               write <r6> (p (read <r6>) (t (der2R plusE 8 -16) (read (deriv (prop -8 <r7>)))));
               write <r5> (p (read <r5>) (t (der1 negateE 16) (read (deriv (prop -16 <r6>)))));
               write <r1> (p (read <r1>) (t (der2L timesE 4 4) (read (deriv (prop 16 <r5>)))));
               write <r1> (p (read <r1>) (t (der2R timesE 4 4) (read (deriv (prop 16 <r5>)))));
               write <r3> (p (read <r3>) (t (der2L timesE 4 2) (read (deriv (prop 8 <r4>)))));
               write <z> (p (read <z>) (t (der2R timesE 4 2) (read (deriv (prop 8 <r4>)))));
               write <z> (p (read <z>) (t (der2L timesE 2 2) (read (deriv (prop 4 <r3>)))));
               write <z> (p (read <z>) (t (der2R timesE 2 2) (read (deriv (prop 4 <r3>)))));
               read (deriv (prop 2 <z>)))",
            "12",
        ],
    );
}

#[test]
fn checkpointed_reverse_mode() {
    displays(
        AD,
        "evaluate (gradc {x ->
           let y = c 2 in
           let z = checkpoint {p x y} in
           let a = checkpoint {let w = checkpoint {t x z} in p w y} in
           p a x
         } (c 2))",
        &[
            "evaluate (
               reversec (<Smooth(s a -> s)> (reverse (write (deriv (
                 let z = prop 4 <r2> in
                 let a = checkpoint {
                   let w = checkpoint {t (prop 2 <z>) z} in
                   p w (prop 2 <r1>)} in
                 p a (prop 2 <z>)
               )) (<Smooth> (c 1)))));
               reversec (write (deriv (<Smooth(s a b -> s b), RefState>
                   {p (prop 2 <z>) (prop 2 <r1>)}!))
                 (read (deriv (prop 4 <r2>))));
               read (deriv (prop 2 <z>)))",
            "evaluate (
               reversec (<Smooth(s a -> s)> (
                 reverse (write <r4> 1);
                 write <r3> (p (read <r3>) (t (der2L plusE 10 2) (read (deriv (prop 12 <r4>)))));
                 write <z> (p (read <z>) (t (der2R plusE 10 2) (read (deriv (prop 12 <r4>)))))));
               reversec (write (deriv (<Smooth(s a b -> s b), RefState>
                   {let w = checkpoint {t (prop 2 <z>) (prop 4 <r2>)} in
                    p w (prop 2 <r1>)}!))
                 (read (deriv (prop 10 <r3>))));
               reversec (write (deriv (<Smooth(s a b -> s b), RefState>
                   {p (prop 2 <z>) (prop 2 <r1>)}!))
                 (read (deriv (prop 4 <r2>))));
               read (deriv (prop 2 <z>)))",
        ],
    );
}
