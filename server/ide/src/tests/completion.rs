use expect_test::{Expect, expect};

use super::fixture::Fixture;

/// The first items at the cursor: rank, label, what is inserted if that is not the label, detail.
fn check_first(count: usize, fixture: &str, expected: Expect) {
    let fixture = Fixture::new(fixture);
    let found = fixture.analysis().completions(fixture.cursor());
    let mut out = String::new();
    match found {
        None => out.push_str("nothing\n"),
        Some(found) => {
            let at = crate::FileRange {
                file: fixture.cursor().file,
                range: found.replace_range,
            };
            out.push_str(&format!("in place of `{}`\n", fixture.text(at)));
            for item in found.items.iter().take(count) {
                let insert = match item.insert == item.label {
                    true => String::new(),
                    false => format!(" => {}", item.insert.replace('\n', "⏎")),
                };
                let detail = item
                    .detail
                    .as_ref()
                    .map_or(String::new(), |d| format!(" | {d}"));
                out.push_str(&format!("{} {}{insert}{detail}\n", item.rank, item.label));
            }
        }
    }
    expected.assert_eq(&out);
}

fn check(fixture: &str, expected: Expect) {
    check_first(8, fixture, expected);
}

const STATE: &str = "data Bit = off | on
data Box X = box X Bit
interface State S = get : S | put : S -> Unit
state : S -> <State S>X -> X
state _ x = x
";

fn with_state(rest: &str) -> String {
    format!("{STATE}{rest}")
}

#[test]
fn a_constructor_in_a_pattern_is_no_local() {
    check(
        &with_state("flip : Bit -> Bit -> Bit\nflip on other = o$0\n"),
        expect![[r#"
            in place of `o`
            0 other | Bit
            2 off | off : Bit
            2 on | on : Bit
            15 ouch | interface Console = ouch : Char -> Unit
            15 ouint | interface Console = ouint : Int -> Unit
            30 box | box X Bit : Box X
            31 acos | Float -> Float
            31 charToInt | Char -> Int
        "#]],
    );
}

#[test]
fn terms_that_fit_come_first() {
    check(
        "f : Int -> Char -> Int\nf n c = $0\n",
        expect![[r#"
            in place of ``
            1 n | Int
            2 f | Int -> Char -> Int
            3 charToInt | Char -> Int
            3 floor | Float -> Int
            3 round | Float -> Int
            3 truncate | Float -> Int
            7 case | X -> {X -> Y} -> Y
            7 fail | String -> X
        "#]],
    );
    check(
        "f : Int -> Char -> Int\nf n c = n + $0",
        expect![[r#"
            in place of ``
            1 n | Int
            2 f | Int -> Char -> Int
            3 charToInt | Char -> Int
            3 floor | Float -> Int
            3 round | Float -> Int
            3 truncate | Float -> Int
            7 case | X -> {X -> Y} -> Y
            7 fail | String -> X
        "#]],
    );
    check(
        &with_state("f : Int -> Box Int\nf n = box n $0\n"),
        expect![[r#"
            in place of ``
            2 off | off : Bit
            2 on | on : Bit
            6 state => (state $0) | S -> <State S>X -> X
            7 case => (case $0) | X -> {X -> Y} -> Y
            7 fail => (fail $0) | String -> X
            8 n | Int
            10 box => (box $0) | box X Bit : Box X
            10 f => (f $0) | Int -> Box Int
        "#]],
    );
    check(
        &with_state("f : Int -> Box Int\nf n = let b = on in box n o$0\n"),
        expect![[r#"
            in place of `o`
            2 off | off : Bit
            2 on | on : Bit
            15 ouch => (ouch $0) | interface Console = ouch : Char -> Unit
            15 ouint => (ouint $0) | interface Console = ouint : Int -> Unit
            30 box => (box $0) | box X Bit : Box X
            31 acos => (acos $0) | Float -> Float
            31 charToInt => (charToInt $0) | Char -> Int
            31 cons => (cons $0) | cons X (List X) : List X
        "#]],
    );
    check(
        &with_state("g : [State Char]Char\ng! = $0\n"),
        expect![[r#"
            in place of ``
            2 g! | [State Char]Char
            2 get! | interface State S = get : S
            3 intToChar | Int -> Char
            6 state | S -> <State S>X -> X
            7 case | X -> {X -> Y} -> Y
            7 fail | String -> X
            10 box | box X Bit : Box X
            10 off | off : Bit
        "#]],
    );
    check(
        &with_state("f : {Int -> Bit} -> Bit\nf h = $0"),
        expect![[r#"
            in place of ``
            0 h | {Int -> Bit}
            2 f | {Int -> Bit} -> Bit
            2 off | off : Bit
            2 on | on : Bit
            6 state | S -> <State S>X -> X
            7 case | X -> {X -> Y} -> Y
            7 fail | String -> X
            10 box | box X Bit : Box X
        "#]],
    );
}

#[test]
fn what_is_written_narrows_the_list() {
    check(
        &with_state("f : {Bit}\nf! = sta$0\n"),
        expect![[r#"
        in place of `sta`
        6 state | S -> <State S>X -> X
    "#]],
    );
    check(
        &with_state("f : {Bit}\nf! = state$0 on 2\n"),
        expect![[r#"
        in place of `state`
        6 state | S -> <State S>X -> X
    "#]],
    );
    check(
        "include prelude\nf : {Int}\nf! = evSt$0\n",
        expect![[r#"
        in place of `evSt`
        37 evalState | S -> <State S>X -> X
    "#]],
    );
}

#[test]
fn functions_and_cases() {
    check_first(
        3,
        "include prelude\nf : List Int -> List Int\nf xs = map $0 xs\n",
        expect![[r#"
        in place of ``
        1 {x -> …} => {${1:x} -> $0} | {Int -> Int}
        5 compose => (compose $0) | {Y -> Z} -> {X -> Y} -> {X -> Z}
        5 const => (const $0) | X -> {Y -> X}
    "#]],
    );
    check_first(
        3,
        &with_state("f : Bit -> Int\nf x = case x $0\n"),
        expect![[r#"
        in place of ``
        1 {x -> …} => {${1:x} -> $0} | {Bit -> Int}
        2 f | Bit -> Int
        2 { all cases of Bit } => { off -> $1⏎  | on -> $2 } | {Bit -> Int}
    "#]],
    );
    check_first(
        4,
        &with_state("f : Bit -> Int\nf x = case x {o$0\n"),
        expect![[r#"
            in place of `o`
            6 off | off : Bit
            6 on | on : Bit
            15 ouch | interface Console = ouch : Char -> Unit
            15 ouint | interface Console = ouint : Int -> Unit
        "#]],
    );
}

#[test]
fn command_patterns() {
    check(
        &with_state("state s <$0\n"),
        expect![[r#"
            in place of ``
            0 get => get -> ${1:k}> | interface State S = get : S
            0 put => put ${1:x} -> ${2:k}> | interface State S = put : S -> Unit
            1 get … => get -> ${1:k}> = $2⏎state s <put ${3:x} -> ${4:k}> = $5 | all 2 clauses
            7 m | whatever the argument does
        "#]],
    );
    check(
        &with_state("state s <get -> k> = state s (k s)\nstate s <p$0 -> k> = 1\n"),
        expect![[r#"
        in place of `p`
        0 put | interface State S = put : S -> Unit
    "#]],
    );
    check(
        &with_state("state s <get -> k> = state s (k s)\nstate s <$0> = 1\n"),
        expect![[r#"
            in place of ``
            0 put => put ${1:x} -> ${2:k} | interface State S = put : S -> Unit
            6 get => get -> ${1:k} | interface State S = get : S
            7 m | whatever the argument does
        "#]],
    );
    check(
        &with_state("two : <State Int, State Char>X -> X\ntwo <$0\n"),
        expect![[r#"
            in place of ``
            0 get => get -> ${1:k}> | interface State S = get : S
            0 get.1 => get.1 -> ${1:k}> | interface State S = get : S
            0 put => put ${1:c} -> ${2:k}> | interface State S = put : S -> Unit
            0 put.1 => put.1 ${1:n} -> ${2:k}> | interface State S = put : S -> Unit
            1 get.1 … => get.1 -> ${1:k}> = $2⏎two <put.1 ${3:n} -> ${4:k}> = $5⏎two <get -> ${6:k}> = $7⏎two <put ${8:c} -> ${9:k}> = $10⏎two ${11:x} = $12 | all 5 clauses
            7 m | whatever the argument does
        "#]],
    );
    check(
        &with_state("run : {<State Int>X -> X} -> Int\nf : {Int}\nf! = run {<$0\n"),
        expect![[r#"
            in place of ``
            0 get => get -> ${1:k}> | interface State S = get : S
            0 put => put ${1:n} -> ${2:k}> | interface State S = put : S -> Unit
            1 get … => get -> ${1:k}> -> $2 | <put ${3:n} -> ${4:k}> -> $5 | ${6:x} -> $7 | all 3 clauses
        "#]],
    );
}

#[test]
fn value_patterns() {
    check(
        &with_state("f : Box Int -> Bit -> Int\nf $0 y = 1\n"),
        expect![[r#"
            in place of ``
            0 box => (box ${1:x} ${2:y}) | box X Bit : Box X
            8 off | off : Bit
            8 on | on : Bit
            9 cons => (cons ${1:x} ${2:xs}) | cons X (List X) : List X
            9 false | false : Bool
            9 nil | nil : List X
            9 true | true : Bool
            9 unit | unit : Unit
        "#]],
    );
    check(
        &with_state("f : Box Int -> Int\nf (box x o$0) = 1\n"),
        expect![[r#"
            in place of `o`
            0 off | off : Bit
            0 on | on : Bit
            28 box => (box ${1:x} ${2:y}) | box X Bit : Box X
            29 cons => (cons ${1:x} ${2:xs}) | cons X (List X) : List X
        "#]],
    );
    check(
        &with_state("f : Bit -> Int\nf $0\n"),
        expect![[r#"
            in place of ``
            0 off | off : Bit
            0 on | on : Bit
            8 box => (box ${1:x} ${2:y}) | box X Bit : Box X
            9 cons => (cons ${1:x} ${2:xs}) | cons X (List X) : List X
            9 false | false : Bool
            9 nil | nil : List X
            9 true | true : Bool
            9 unit | unit : Unit
        "#]],
    );
}

#[test]
fn adaptors() {
    check(
        &with_state("f : [State Int, State Char]Int\nf! = <$0> get!\n"),
        expect![[r#"
        in place of ``
        0 State | hides State Char
        1 State(s a b -> s b a) | makes State Int active, State Char the next
        1 State(s a b -> s b) | hides State Int, keeps State Char
        3 State(s a b -> s a) | hides State Char
        4 State(s a -> s a a) | doubles State Char
    "#]],
    );
    check(
        &with_state("f : [State Int]Int\nf! = 1 + <S$0\n"),
        expect![[r#"
        in place of `S`
        0 State => State> | hides State Int
        4 State(s a -> s a a) => State(s a -> s a a)> | doubles State Int
    "#]],
    );
}

#[test]
fn types_and_interfaces() {
    check_first(
        5,
        &with_state("f : B$0\n"),
        expect![[r#"
        in place of `B`
        1 Bit
        1 Box | X
        3 Bool
    "#]],
    );
    check(
        &with_state("f : X -> [$0"),
        expect![[r#"
        in place of ``
        1 State => State ${1:S} | S
        3 Console
        3 RefState
    "#]],
    );
    check_first(
        3,
        &with_state("f : X -> <St$0>Y -> X"),
        expect![[r#"
        in place of `St`
        1 State => State ${1:S} | S
        23 RefState
    "#]],
    );
    check_first(
        3,
        &with_state("f : X -> [E|]Y -> {X -> [E|$0"),
        expect![[r#"
        in place of ``
        1 State => State ${1:S} | S
        3 Console
        3 RefState
    "#]],
    );
    check_first(
        4,
        "data Tree X = leaf | node (Tree $0\n",
        expect![[r#"
        in place of ``
        0 X
        1 Tree | X
        2 Char
        2 Float
    "#]],
    );
    check_first(
        4,
        "interface Tree X = a : $0\n",
        expect![[r#"
        in place of ``
        0 X
        2 Char
        2 Float
        2 Int
    "#]],
    );
}

#[test]
fn items_and_their_clauses() {
    check_first(
        6,
        "include prelude\nstate : S -> <State S>X -> X\n$0\nmain : {Int}\n",
        expect![[r#"
            in place of ``
            1 state … => state ${1:s} ${2:x} = $3⏎state ${4:s} <get -> ${5:k}> = $6⏎state ${7:s} <put ${8:x} -> ${9:k}> = $10 | all 3 clauses
            2 main => main! = $0 | []Int
            2 state => state ${1:s} ${2:x} = $0 | S -> <State S>X -> X
            20 data => data ${1:Name} = ${2:constructor}
            20 include => include $0
            20 interface => interface ${1:Name} = ${2:command} : ${3:Unit}
        "#]],
    );
    check_first(
        6,
        &with_state("f : Bit -> Int\nf$0"),
        expect![[r#"
        in place of `f`
        1 f … => f off = $1⏎f on = $2 | all 2 clauses
        2 f => f ${1:x} = $0 | Bit -> Int
        40 interface => interface ${1:Name} = ${2:command} : ${3:Unit}
    "#]],
    );
    check_first(
        6,
        "inc$0\n",
        expect![[r#"
        in place of `inc`
        20 include => include $0
        50 interface => interface ${1:Name} = ${2:command} : ${3:Unit}
    "#]],
    );
    check(
        "$0",
        expect![[r#"
        in place of ``
        20 data => data ${1:Name} = ${2:constructor}
        20 interface => interface ${1:Name} = ${2:command} : ${3:Unit}
        20 include => include $0
    "#]],
    );
}

/// Enter behind it ends the line, as behind any name.
#[test]
fn a_whole_keyword_is_left_as_it_is() {
    check_first(
        3,
        "main : {Int}\nmain! = let x = 1 in$0\n",
        expect![[r#"
            in place of `in`
            7 intToChar => (intToChar $0) | Int -> Char
            14 in
            15 inch! | interface Console = inch : Char
        "#]],
    );
}

#[test]
fn clauses_know_the_interface() {
    let state = "data Bit = off | on\ninterface State S = get : S | put : S -> Unit\n";
    let check_first = |count, rest: &str, expected: Expect| {
        check_first(count, &format!("{state}{rest}"), expected);
    };
    // Right behind `<`, each clause, and all of them.
    check_first(
        4,
        "run : S -> <State S>X -> X\nrun s <$0\n",
        expect![[r#"
            in place of ``
            0 get => get -> ${1:k}> | interface State S = get : S
            0 put => put ${1:x} -> ${2:k}> | interface State S = put : S -> Unit
            1 get … => get -> ${1:k}> = $2⏎run s <put ${3:x} -> ${4:k}> = $5⏎run s ${6:x} = $7 | all 3 clauses
            7 m | whatever the argument does
        "#]],
    );
    check_first(
        4,
        "run : S -> <State S>X -> X\nrun s x = x\nrun s <$0\n",
        expect![[r#"
            in place of ``
            0 get => get -> ${1:k}> | interface State S = get : S
            0 put => put ${1:x} -> ${2:k}> | interface State S = put : S -> Unit
            1 get … => get -> ${1:k}> = $2⏎run s <put ${3:x} -> ${4:k}> = $5 | all 2 clauses
            7 m | whatever the argument does
        "#]],
    );
    check_first(
        4,
        "run : <State Int>X -> Int -> X\nrun x _ = x\nrun <$0\n",
        expect![[r#"
            in place of ``
            0 get => get -> ${1:k}> | interface State S = get : S
            0 put => put ${1:n} -> ${2:k}> | interface State S = put : S -> Unit
            1 get … => get -> ${1:k}> ${2:n} = $3⏎run <put ${4:n} -> ${5:k}> ${6:m} = $7 | all 2 clauses
            7 m | whatever the argument does
        "#]],
    );
    // On the line below clauses, those that are missing.
    check_first(
        4,
        "run : S -> <State S>X -> X\nrun _ x = x\n$0\n\nmain : {Int}\n",
        expect![[r#"
            in place of ``
            1 run … => run ${1:s} <get -> ${2:k}> = $3⏎run ${4:s} <put ${5:x} -> ${6:k}> = $7 | all 2 clauses
            2 main => main! = $0 | []Int
            2 run s <get -> k> => run ${1:s} <get -> ${2:k}> = $3 | missing clause
            2 run s <put x -> k> => run ${1:s} <put ${2:x} -> ${3:k}> = $4 | missing clause
        "#]],
    );
    check_first(
        3,
        "run : S -> <State S>X -> X\nrun _ x = x\nrun s <get -> k> = run s (k s)\nr$0\n",
        expect![[r#"
            in place of `r`
            2 run s <put x -> k> => run ${1:s} <put ${2:x} -> ${3:k}> = $4 | missing clause
            3 run => run ${1:s} ${2:x} = $0 | S -> <State S>X -> X
            40 interface => interface ${1:Name} = ${2:command} : ${3:Unit}
        "#]],
    );
    // In braces.
    check_first(
        4,
        "run : {<State Int>X -> X} -> Int\nf : {Int}\nf! = run {<$0}\n",
        expect![[r#"
            in place of ``
            0 get => get -> ${1:k}> | interface State S = get : S
            0 put => put ${1:n} -> ${2:k}> | interface State S = put : S -> Unit
            1 get … => get -> ${1:k}> -> $2 | <put ${3:n} -> ${4:k}> -> $5 | ${6:x} -> $7 | all 3 clauses
        "#]],
    );
    check_first(
        1,
        "run : {<State Int>X -> X} -> Int\nf : {Int}\nf! = run $0\n",
        expect![[r#"
            in place of ``
            1 { all 3 clauses } => { <get -> ${1:k}> -> $2⏎  | <put ${3:n} -> ${4:k}> -> $5⏎  | ${6:x} -> $7 } | {<State Int>_ -> _}
        "#]],
    );
    // What the clause and the program name already is not taken for a variable.
    check_first(
        2,
        "n : {Int}\nn! = 1\nrun : Int -> <State Int>X -> X\nrun m <$0\n",
        expect![[r#"
            in place of ``
            0 get => get -> ${1:k}> | interface State S = get : S
            0 put => put ${1:i} -> ${2:k}> | interface State S = put : S -> Unit
        "#]],
    );
}

#[test]
fn includes() {
    check(
        "include $0\n//- lib.fk\nx : {Int}\n",
        expect![[r#"
            in place of ``
            1 ad | library:/ad.fk
            1 ad-batch | library:/ad-batch.fk
            1 ad-checkpoint | library:/ad-checkpoint.fk
            1 ad-compare | library:/ad-compare.fk
            1 ad-custom | library:/ad-custom.fk
            1 ad-debug | library:/ad-debug.fk
            1 ad-fixpoint | library:/ad-fixpoint.fk
            1 ad-modes | library:/ad-modes.fk
        "#]],
    );
    check(
        "include l$0\n//- lib.fk\nx : {Int}\n",
        expect![[r#"
            in place of `l`
            1 lists | library:/lists.fk
            1 log | library:/log.fk
            2 lib | lib.fk
            21 ad-special | library:/ad-special.fk
            21 ad-taylor | library:/ad-taylor.fk
            21 clock | library:/clock.fk
            21 file | library:/file.fk
            21 prelude | library:/prelude.fk
        "#]],
    );
    check(
        "include ad$0\n",
        expect![[r#"
            in place of `ad`
            0 ad | library:/ad.fk
            1 ad-batch | library:/ad-batch.fk
            1 ad-checkpoint | library:/ad-checkpoint.fk
            1 ad-compare | library:/ad-compare.fk
            1 ad-custom | library:/ad-custom.fk
            1 ad-debug | library:/ad-debug.fk
            1 ad-fixpoint | library:/ad-fixpoint.fk
            1 ad-modes | library:/ad-modes.fk
        "#]],
    );
}

#[test]
fn a_path_is_written_as_a_whole() {
    check(
        "include ad-paper$0\n//- ad-paper.fk\nx : {Int}\n//- ad-paper-checkpoint.fk\ny : {Int}\n",
        expect![[r#"
            in place of `ad-paper`
            0 ad-paper | ad-paper.fk
            2 ad-paper-checkpoint | ad-paper-checkpoint.fk
        "#]],
    );
    check(
        "include my$0-own\n//- my-own.fk\nx : {Int}\n",
        expect![[r#"
            in place of `my-own`
            2 my-own | my-own.fk
        "#]],
    );
    check(
        "include\u{3000}my-$0\n//- my-own.fk\nx : {Int}\n",
        expect![[r#"
            in place of `my-`
            2 my-own | my-own.fk
        "#]],
    );
    check(
        "include my-$0 -- a comment\n//- my-own.fk\nx : {Int}\n",
        expect![[r#"
            in place of `my-`
            2 my-own | my-own.fk
        "#]],
    );
}

#[test]
fn what_can_be_performed_here_comes_first() {
    check(
        "include prelude\ninterface Gen X = yield : X -> Unit\n\nnums : Int -> [Gen Int]Unit\nnums n = yield n\n\nmain : {[Console]Unit}\nmain! = $0\n",
        expect![[r#"
            in place of ``
            2 main! | [Console]Unit
            3 mapM | {X -> Y} -> List X -> Unit
            3 ouch | interface Console = ouch : Char -> Unit
            3 ouint | interface Console = ouint : Int -> Unit
            3 print | String -> [Console]Unit
            3 printInt | Int -> [Console]Unit
            3 printLine | String -> [Console]Unit
            3 repeat | Int -> {[]X} -> Unit
        "#]],
    );
}

#[test]
fn what_nobody_handles_here_comes_last() {
    let first = |main: &str| {
        let fixture = Fixture::new(&format!(
            "include prelude\ninterface Gen = gen : Int\n\nnums : Int -> [Gen]Unit\nnums n = unit\n\n\
             main : {{[Console]Unit}}\n{main}\n"
        ));
        let found = fixture.analysis().completions(fixture.cursor()).unwrap();
        let labels: Vec<String> = found.items.into_iter().map(|item| item.label).collect();
        labels
    };
    let state = first("main! = evalState 1 (g$0)");
    let place = |labels: &[String], name: &str| labels.iter().position(|label| label == name);
    assert!(place(&state, "get!") < place(&state, "gen!"), "{state:?}");
    let plain = first("main! = n$0");
    assert!(place(&plain, "not") < place(&plain, "nums"), "{plain:?}");
}

#[test]
fn the_line_below_goes_on_with_the_item_above() {
    check_first(
        2,
        &with_state("f : Bit -> Bit\nf x =\n  $0\n\nmain : {Int}\n"),
        expect![[r#"
        in place of ``
        0 x | Bit
        2 f | Bit -> Bit
    "#]],
    );
}

#[test]
fn nothing_in_comments_literals_and_new_names() {
    check(
        "f : {Int}\nf! = 1 -- x $0\n",
        expect![[r#"
        nothing
    "#]],
    );
    check(
        "f : {Int}\nf! = \"a $0\"\n",
        expect![[r#"
        nothing
    "#]],
    );
    check(
        "f : {Int}\nf! = 12$0\n",
        expect![[r#"
        nothing
    "#]],
    );
    check(
        "f : {Int}\nf! = let x$0 = 1 in 2\n",
        expect![[r#"
        in place of `x`
    "#]],
    );
    check(
        "data T$0 = t\n",
        expect![[r#"
        in place of `T`
    "#]],
    );
}

/// What begins with `_` by chance is no answer to a hole.
#[test]
fn at_a_hole_what_fits_is_all_there_is() {
    check_first(
        100,
        "_other : {Char -> Char}\n_other! = {x -> x}\n\nf : Char -> Char\nf _unused = _$0\n",
        expect![[r#"
            in place of `_`
            0 _unused
            0 f _ => f ${1:_}
            0 _other _ => _other ${1:_}
            0 intToChar _ => intToChar ${1:_}
            0 fail _ => fail ${1:_}
            0 case _ _ => case ${1:_} ${2:_}
        "#]],
    );
}
