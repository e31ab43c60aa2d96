use expect_test::{Expect, expect};

use super::fixture::Fixture;
use crate::{FilePosition, LensKind, LensSettings};

const ALL: LensSettings = LensSettings {
    run: true,
    derivative: true,
    examples: true,
    handlers: true,
    references: true,
};

fn check(text: &str, wanted: LensSettings, expected: Expect) {
    let fixture = Fixture::new(text);
    let analysis = fixture.analysis();
    let file = fixture.main();
    let text = fixture.files.text(file);
    let mut said = String::new();
    for lens in analysis.lenses(file, wanted) {
        let at = &text[std::ops::Range::<usize>::from(lens.range)];
        let about = match lens.kind {
            LensKind::Handlers | LensKind::References => {
                let at = FilePosition {
                    file,
                    offset: lens.range.start(),
                };
                let places = analysis.lens_places(at, lens.kind);
                format!("{} ({})", places.title, places.places.len())
            }
            kind => format!("{kind:?}"),
        };
        said.push_str(&format!("{at}: {about}\n"));
    }
    expected.assert_eq(&said);
}

const PROGRAM: &str = "include ad
data Box X = box X
interface Ask = ask : Int
answer : <Ask>X -> X
answer x = x
answer <ask -> k> = answer (k 1)
again : <Ask>X -> X
again x = x
again <ask -> k> = again (k 2)
sq : X -> [Smooth X]X
sq x = t x x
main : [RefState, Console]Int
main! = answer (ask! + again (ask!))
needs : [Ask]Int
needs! = ask!
twice : [Console, Console]Unit
twice! = unit
broken : {Int}
broken! = 'x'
slope : {Float}
slope! = evaluate (d sq 3)
";

#[test]
fn what_a_definition_offers() {
    check(
        PROGRAM,
        ALL,
        expect![[r#"
            Ask: handled by answer, again (2)
            Ask: 3 references (3)
            answer: 2 references (2)
            again: 2 references (2)
            sq: Derivative
            sq: 1 reference (1)
            main: Run
            slope: Run
            d sq 3: ClosedDerivative(0)
        "#]],
    );
}

#[test]
fn each_kind_can_be_turned_off() {
    let none = LensSettings {
        run: false,
        derivative: false,
        examples: false,
        handlers: false,
        references: false,
    };
    check(PROGRAM, none, expect![[""]]);
    check(
        PROGRAM,
        LensSettings { run: true, ..none },
        expect![[r#"
            main: Run
            slope: Run
        "#]],
    );
    check(
        PROGRAM,
        LensSettings {
            derivative: true,
            ..none
        },
        expect![[r#"
            sq: Derivative
            d sq 3: ClosedDerivative(0)
        "#]],
    );
}

#[test]
fn interfaces_without_handlers_say_so() {
    check(
        "interface Ask = ask : Int\n",
        ALL,
        expect![[r#"
            Ask: no handlers (0)
        "#]],
    );
}

#[test]
fn examples_can_be_checked() {
    check(
        "-- Twice.\n-- > f 1\n-- = 2\n-- for all x : Int. f x == 2 * x\nf : Int -> Int\nf x = x + x\n-- > f\n--     2\n-- = 3\n",
        ALL,
        expect![[r#"
            f 1: Example
            for all x : Int. f x == 2 * x: Example
            f
            --     2: Example
        "#]],
    );
}

#[test]
fn a_local_of_the_same_name_is_no_reference() {
    let references = LensSettings {
        run: false,
        derivative: false,
        examples: false,
        handlers: false,
        ..ALL
    };
    check(
        "n : {Int}\nn! = 1\n\nf : Int -> Int\nf n = let k = n in {n -> n} (n + k)\n\nk : {Int}\nk! = f 1\n",
        references,
        expect![[r#"
            f: 1 reference (1)
        "#]],
    );
}

#[test]
fn what_reaches_an_error_offers_nothing_to_run() {
    check(
        "include ad\n\nwrong : {Int}\nwrong! = 'x'\n\nhelper : {Int}\nhelper! = wrong!\n\n\
         main : {Int}\nmain! = helper! + 1\n\nother : {Int}\nother! = fine!\n\nfine : {Int}\nfine! = 1\n\n\
         sq : X -> [Smooth X]X\nsq x = (helper!; t x x)\n",
        LensSettings {
            references: false,
            ..ALL
        },
        expect![[r#"
            other: Run
            fine: Run
        "#]],
    );
}

#[test]
fn of_doubled_definitions_one_has_a_lens() {
    check(
        "main : {Int}\nmain! = f 1\n\nf : Int -> Int\nf x = x\n\nmain : {Int}\n\nf : Int -> Int\n",
        ALL,
        expect![[r#"
            f: 1 reference (1)
        "#]],
    );
}

#[test]
fn what_nobody_handles_is_not_evaluated() {
    check(
        "include ad\n\nloss : X -> [Smooth X, Abort]X\nloss x = if true {t x x} {abort!}\n\n\
         cost : X -> [RefState, Smooth X]X\ncost x = t x x\n",
        LensSettings {
            references: false,
            ..ALL
        },
        expect![[r#"
            cost: Derivative
        "#]],
    );
}
