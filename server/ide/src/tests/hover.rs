use expect_test::{Expect, expect};

use super::fixture::Fixture;

/// Compares what the cursor shows, as Markdown, with the text it is about in front.
fn check(fixture: &str, expected: Expect) {
    let fixture = Fixture::new(fixture);
    let analysis = fixture.analysis();
    let at = fixture.cursor();
    let shown = match analysis.hover(at) {
        Some(hover) => {
            let about = crate::FileRange {
                file: at.file,
                range: hover.range,
            };
            let text = hover.markdown(|place| Some(fixture.place(place)));
            format!("{}\n---\n{text}\n", fixture.place(about))
        }
        None => "nothing\n".to_owned(),
    };
    expected.assert_eq(&shown);
}

const STATE: &str = "
include prelude
-- Runs a computation with a state.
state : S -> <State S>X -> X
state _ x = x
state s <get -> k> = state s (k s)
state _ <put s -> k> = state s (k unit)
";

#[test]
fn an_operator_shows_its_signature_and_comment() {
    check(
        &format!(
            "{STATE}
main : {{Int}}
main! = $0state 1 (put (get! + get!); get!)
"
        ),
        expect![[r#"
    main.fk:10:9 `state`
    ---
    ```frank
    state : S -> <State S>X -> X
    ```

    Here: `Int -> <State Int>Int -> Int`

    Ability: `ε`

    ---

    Runs a computation with a state.
"#]],
    );
}

#[test]
fn a_command_shows_its_instance_and_receivers() {
    check(
        &format!(
            "{STATE}
main : {{Int}}
main! = state 1 (put (get! + $0get!); get!)
"
        ),
        expect![[r#"
    main.fk:10:30 `get`
    ---
    ```frank
    interface State S = get : S
    ```

    Here: `[State Int]Int`

    Performed at `State Int`, the only instance of its interface here.

    Received by

    - [`state`](main.fk:10:9 `state`)

    Ability: `State Int`; `ε`

    ---

    A state of type `S`, to be read with `get!` and replaced with `put s`.
"#]],
    );
    check(
        &format!(
            "{STATE}
tick : [State Int]Int
tick! = put ($0get! + 1); get!
main : {{Int}}
main! = state 1 (state 'x' (<State> tick!))
other : {{Int}}
other! = map {{x -> state x tick!}} [1]; 1
"
        ),
        expect![[r#"
    main.fk:10:14 `get`
    ---
    ```frank
    interface State S = get : S
    ```

    Here: `[State Int]Int`

    Performed at `State Int`, the only instance of its interface here.

    Received by

    - [`state`](main.fk:12:9 `state`) in `main`, possibly
    - [`state`](main.fk:14:20 `state`) in `other`, possibly

    Ability: `State Int`; `ε`

    ---

    A state of type `S`, to be read with `get!` and replaced with `put s`.
"#]],
    );
}

#[test]
fn a_command_under_adaptors_reaches_another_handler() {
    check(
        &format!(
            "{STATE}
outer : {{S -> <State S>X -> X}}
outer s <m> = state s m!
main : {{Int}}
main! = outer 1 (state 'x' (<State(s a b -> s b a)> $0get!))
"
        ),
        expect![[r#"
    main.fk:12:53 `get`
    ---
    ```frank
    interface State S = get : S
    ```

    Here: `[State Char, State Int]Int`

    Performed at `State Int`, the active one of 2 instances here.

    Received by

    - [`outer`](main.fk:12:9 `outer`)

    Ability: **`State Int`**, then `State Char`; `ε`

    ---

    A state of type `S`, to be read with `get!` and replaced with `put s`.
"#]],
    );
}

#[test]
fn a_command_in_a_function_reaches_the_handlers_of_who_runs_it() {
    check(
        "
include ad
main : {Float}
main! = evaluate (d {x -> $0ap1 negateE x} 2)
",
        expect![[r#"
            main.fk:4:27 `ap1`
            ---
            ```frank
            interface Smooth X = ap1 : Unary -> X -> X
            ```

            Here: `Unary -> Dual Float -> [Smooth Float, Smooth (Dual Float)]Dual Float`

            Performed at `Smooth (Dual Float)`, the active one of 2 instances here.

            Received by

            - [`diff`](library:/ad.fk:574:13 `diff`) in `d`, possibly

            Ability: **`Smooth (Dual Float)`**, then `Smooth Float`; `ε`

            ---

            Smooth operations on `X`, one command for each number of operands. What they
            do to an `X` the handler decides.
        "#]],
    );
    check(
        "
include ad
main : {Float}
main! = evaluate (d {x -> case x {y -> $0ap1 negateE y}} 2)
",
        expect![[r#"
            main.fk:4:40 `ap1`
            ---
            ```frank
            interface Smooth X = ap1 : Unary -> X -> X
            ```

            Here: `Unary -> Dual Float -> [Smooth Float, Smooth (Dual Float)]Dual Float`

            Performed at `Smooth (Dual Float)`, the active one of 2 instances here.

            Received by

            - [`diff`](library:/ad.fk:574:13 `diff`) in `d`, possibly

            Ability: **`Smooth (Dual Float)`**, then `Smooth Float`; `ε`

            ---

            Smooth operations on `X`, one command for each number of operands. What they
            do to an `X` the handler decides.
        "#]],
    );
}

#[test]
fn a_command_goes_to_the_host() {
    check(
        "
include prelude
main : [Console]Unit
main! = $0ouch 'x'
",
        expect![[r#"
    main.fk:4:9 `ouch`
    ---
    ```frank
    interface Console = ouch : Char -> Unit
    ```

    Here: `Char -> [Console]Unit`

    Performed at `Console`, the only instance of its interface here.

    Received by

    - [`the host`](main.fk:3:1 `main`), where `main` is the entry

    Ability: `Console`; `ε`

    ---

    The terminal. `inch` waits for the next character of the input, `ouch`
    prints a character, `ouint` prints an integer in decimal.
"#]],
    );
}

#[test]
fn a_clause_shows_what_its_continuation_takes_and_gives() {
    check(
        "
include prelude
state : S -> <State S>X -> X
state s <$0get -> k> = state s (k s)
",
        expect![[r#"
    main.fk:4:10 `get`
    ---
    ```frank
    interface State S = get : S
    ```

    ```frank
    k : {S -> [State S]X}
    ```

    `k` goes on where the command was performed: it takes the command's result, of type `S`, and gives `X`. It needs the ability `State S`; `ε`.

    ---

    A state of type `S`, to be read with `get!` and replaced with `put s`.
"#]],
    );
    check(
        "
include prelude
state : S -> <State S>X -> X
state s <get -> k> = state s ($0k s)
state s <m> = state s m!
",
        expect![[r#"
    main.fk:4:31 `k`
    ---
    ```frank
    k : {S -> [State S]X}
    ```

    `k` goes on where the command was performed: it takes the command's result, of type `S`, and gives `X`. It needs the ability `State S`; `ε`.

    Ability: `State S`; `ε`
"#]],
    );
    check(
        "
include prelude
state : S -> <State S>X -> X
state s <m$0> = state s m!
",
        expect![[r#"
    main.fk:4:10 `m`
    ---
    ```frank
    m : {[State S]X}
    ```

    `m!` goes on with the argument, command and all, and gives `X`. It needs the ability `State S`; `ε`.
"#]],
    );
}

#[test]
fn an_adaptor_shows_the_ability_on_both_sides() {
    check(
        "
include ad-paper
f : X -> [Smooth X, Smooth (Dual X)] (Dual X)
f x = dual x (<$0Smooth(s a b -> s a)> (c 0))
",
        expect![[r#"
    main.fk:4:16 `Smooth`
    ---
    ```frank
    interface Smooth X =
        ap0 : Nullary -> X
      | ap1 : Unary   -> X -> X
      | ap2 : Binary  -> X -> X -> X
    ```

    ```frank
    <Smooth(s a b -> s a)>
    ```

    Around it: **`Smooth (Dual X)`**, then `Smooth X`; `ε`

    Under it: `Smooth X`; `ε`

    ---

    Smooth operations on `X`, one command for each number of operands. What a
    constant, a negation, a sum or a product of `X` is, the handler decides.
"#]],
    );
}

#[test]
fn numbers_show_which_they_are() {
    check(
        "
include ad
f : Float -> Float
f x = x $0* 2
",
        expect![[r#"
    main.fk:4:9 `*`
    ---
    ```frank
    * : Float -> Float -> Float
    ```

    Ability: `ε`
"#]],
    );
    check(
        "
include ad
f : Float -> Float
f x = x * $02
",
        expect![[r#"
    main.fk:4:11 `2`
    ---
    ```frank
    2 : Float
    ```

    A natural number, read as a `Float`.

    Ability: `ε`
"#]],
    );
    check(
        "f : {Int}\nf! = -$0 3\n",
        expect![[r#"
        main.fk:2:6 `- 3`
        ---
        ```frank
        - 3 : Int
        ```

        On `Int`.

        Ability: `ε`
    "#]],
    );
}

#[test]
fn terms_patterns_types_and_members() {
    check(
        "f : Int -> List Int\nf x = [x, $0\"no\"]\n",
        expect![[r#"
        main.fk:2:11 `"no"`
        ---
        ```frank
        "no" : String
        ```

        Ability: `ε`
    "#]],
    );
    check(
        "f : List (List Int) -> Int\nf ($0[] :: _) = 1\n",
        expect![[r#"
        main.fk:2:4 `[]`
        ---
        ```frank
        [] : List Int
        ```
    "#]],
    );
    check(
        "include prelude\nf : $0Maybe Int -> Int\n",
        expect![[r#"
        main.fk:2:5 `Maybe`
        ---
        ```frank
        data Maybe X = nothing | just X
        ```

        ---

        A value, or none.
    "#]],
    );
    check(
        "include prelude\nf : Maybe Int -> Int\nf ($0just x) = x\n",
        expect![[r#"
        main.fk:3:4 `just`
        ---
        ```frank
        just X : Maybe X
        ```

        ---

        A value, or none.
    "#]],
    );
    check(
        "f : {X -> [$0E|]X}\n",
        expect![[r#"
        main.fk:1:12 `E`
        ---
        ```frank
        [E] -- an ability
        ```
    "#]],
    );
    check(
        "f : Int -> $0Int\n",
        expect![[r#"
        main.fk:1:12 `Int`
        ---
        ```frank
        Int
        ```

        Integers of 64 bits. Overflow is a run-time error.
    "#]],
    );
}

#[test]
fn an_operator_without_a_signature_shows_what_is_inferred() {
    check(
        "f x = [x]\ng : {List Int}\ng! = $0f 1\n",
        expect![[r#"
        main.fk:3:6 `f`
        ---
        ```frank
        f : X -> List X
        ```

        Ability: `ε`
    "#]],
    );
}
