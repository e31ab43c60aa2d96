//! Changes of programs that leave what they do as it is. `^^^` marks a selection, `$0` a cursor.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::fixture::Fixture;
use crate::{FileRange, Refactor};

/// The files as they become, or why they do not.
fn done(refactor: Refactor, fixture: &str) -> String {
    let fixture = Fixture::new(fixture);
    let at = match fixture.ranges().first() {
        Some(range) => *range,
        None => FileRange {
            file: fixture.cursor().file,
            range: text_size::TextRange::empty(fixture.cursor().offset),
        },
    };
    let analysis = fixture.analysis();
    let offered = analysis.refactorings(at);
    let Some(offered) = offered.iter().find(|offered| offered.refactor == refactor) else {
        let why = analysis.refactor(at, refactor).expect_err("is not offered");
        return format!("not offered: {why}\n");
    };
    let edits = match analysis.refactor(at, refactor) {
        Ok(edits) => edits,
        Err(why) => return format!("{}: refused: {why}\n", offered.title),
    };
    let mut out = format!("{}\n\n", offered.title);
    for (path, file) in &fixture.sources {
        let mut text = fixture.files.text(*file);
        for edit in edits.iter().rev().filter(|edit| edit.at.file == *file) {
            text.replace_range(std::ops::Range::<usize>::from(edit.at.range), &edit.text);
        }
        if fixture.sources.len() > 1 {
            let _ = writeln!(out, "//- {path}");
        }
        out.push_str(&text);
    }
    out
}

fn check(refactor: Refactor, fixture: &str, expected: Expect) {
    expected.assert_eq(&done(refactor, fixture));
}

const ASK: &str = "interface Ask = ask : Int\n\nreader : Int -> <Ask>X -> X\nreader n <ask -> k> = reader n (k n)\nreader _ x          = x\n\n";

fn with_ask(text: &str) -> String {
    // The marks stand below the lines that they are about, so the text goes in front.
    format!("{ASK}{text}")
}

#[test]
fn a_term_becomes_an_operator() {
    check(
        Refactor::ExtractOperator,
        "main : {Int}\nmain! = 1 + 2 * 3\n            ^^^^^\n",
        expect![[r#"
            Extract to an operator

            main : {Int}
            main! = 1 + extracted!

            extracted : {Int}
            extracted! = 2 * 3
        "#]],
    );
    // The variables that it reads become ports; literals get the type that they have here.
    check(
        Refactor::ExtractOperator,
        "f : Float -> Float -> Float\nf x y = x * (y + 1)\n             ^^^^^\n\ng : Int -> Int\ng x = x\n",
        expect![[r#"
            Extract to an operator

            f : Float -> Float -> Float
            f x y = x * extracted y

            extracted : Float -> Float
            extracted y = y + 1

            g : Int -> Int
            g x = x
        "#]],
    );
    // What runs where it was keeps its ability, and has no more than it needs.
    check(
        Refactor::ExtractOperator,
        &with_ask(
            "f : Int -> [Ask, Console]Int\nf x = ouint x; x + ask!\n               ^^^^^^^^\n",
        ),
        expect![[r#"
            Extract to an operator

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            f : Int -> [Ask, Console]Int
            f x = ouint x; extracted x

            extracted : Int -> [Ask] Int
            extracted x = x + ask!
        "#]],
    );
    check(
        Refactor::ExtractOperator,
        &with_ask(
            "f : Int -> [Ask, Console]Int\nf x = ouint x; x + (x * 2)\n                    ^^^^^\n",
        ),
        expect![[r#"
            Extract to an operator

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            f : Int -> [Ask, Console]Int
            f x = ouint x; x + extracted x

            extracted : Int -> Int
            extracted x = x * 2
        "#]],
    );
    // An ability that a parameter brings along.
    check(
        Refactor::ExtractOperator,
        &with_ask(
            "f : {Int -> Int} -> Int -> [Ask]Int\nf g x = ask! + <Ask> (g (x + 1))\n               ^^^^^^^^^^^^^^^^^\n",
        ),
        expect![[r#"
            Extract to an operator

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            f : {Int -> Int} -> Int -> [Ask]Int
            f g x = ask! + extracted g x

            extracted : {Int -> Int} -> Int -> [Ask] Int
            extracted g x = <Ask> (g (x + 1))
        "#]],
    );
    // A handler in braces has the type that its port gives it.
    check(
        Refactor::ExtractOperator,
        &with_ask(
            "with : {<Ask>Int -> Int} -> Int\nwith h = h ask!\n\nmain : {Int}\nmain! = with {<ask -> k> -> 1 | x -> x}\n             ^^^^^^^^^^^^^^^^^^^^^^^^^^\n",
        ),
        expect![[r#"
            Extract to an operator

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            with : {<Ask>Int -> Int} -> Int
            with h = h ask!

            main : {Int}
            main! = with extracted!

            extracted : {{<Ask> Int -> Int}}
            extracted! = {<ask -> k> -> 1 | x -> x}
        "#]],
    );
    check(
        Refactor::ExtractOperator,
        "main : {Int}\nmain! = let x = 1 in x\n                     ^\n",
        expect![[r#"
            not offered: there is nothing here that this could change
        "#]],
    );
}

#[test]
fn a_term_gets_a_name() {
    check(
        Refactor::ExtractLet,
        "main : {Int}\nmain! = 1 + 2 * 3\n            ^^^^^\n",
        expect![[r#"
            Extract to `let`

            main : {Int}
            main! = let value = 2 * 3 in 1 + value
        "#]],
    );
    check(
        Refactor::ExtractLet,
        "f : Int -> Int\nf x = x\nmain : {Int}\nmain! =\n  f (f\n    (f 1))\n       ^\n",
        expect![[r#"
            Extract to `let`

            f : Int -> Int
            f x = x
            main : {Int}
            main! =
              let value = 1 in
              f (f
                (f value))
        "#]],
    );
    // Nothing may come before what came before it.
    check(
        Refactor::ExtractLet,
        &with_ask("f : Int -> [Ask]Int\nf x = f ask! + f (x + 1)\n                 ^^^^^^^\n"),
        expect![[r#"
            Extract to `let`

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            f : Int -> [Ask]Int
            f x = f ask! + (let value = x + 1 in f value)
        "#]],
    );
    // A handler's argument is a place of its own.
    check(
        Refactor::ExtractLet,
        &with_ask("main : {Int}\nmain! = reader 1 (1 + ask!)\n                      ^^^^\n"),
        expect![[r#"
            Extract to `let`

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            main : {Int}
            main! = reader 1 (let value = ask! in 1 + value)
        "#]],
    );
    check(
        Refactor::ExtractLet,
        &with_ask("main : {Int}\nmain! = reader (2 + 1) (1 + ask!)\n                ^^^^^\n"),
        expect![[r#"
            Extract to `let`

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            main : {Int}
            main! = let value = 2 + 1 in reader value (1 + ask!)
        "#]],
    );
    check(
        Refactor::ExtractLet,
        "value : Int -> Int\nvalue x = x; let y = value (x + 1) in y\n                            ^^^^^\n",
        expect![[r#"
            Extract to `let`

            value : Int -> Int
            value x = x; let value1 = x + 1 in let y = value value1 in y
        "#]],
    );
}

#[test]
fn a_let_goes() {
    check(
        Refactor::InlineLet,
        "f : Int -> Int\nf y = let x$0 = y + 1 in x * 2\n",
        expect![[r#"
            Inline `x`

            f : Int -> Int
            f y = (y + 1) * 2
        "#]],
    );
    // From a use, with comments kept.
    check(
        Refactor::InlineLet,
        "f : Int -> Int\nf y =\n  let x = 1 in -- one\n  y + $0x * x\n",
        expect![[r#"
            Inline `x`

            f : Int -> Int
            f y =
              -- one
              y + 1 * 1
        "#]],
    );
    check(
        Refactor::InlineLet,
        "f : Int -> Int\nf y = let x$0 = f y in x + x\n",
        expect![[r#"
            not offered: what `x` stands for would be evaluated 2 times
        "#]],
    );
    check(
        Refactor::InlineLet,
        "f : Int -> Int\nf y = let x$0 = f y in f 1 + x\n",
        expect![[r#"
            not offered: what `x` stands for would be evaluated at another time, or elsewhere
        "#]],
    );
    check(
        Refactor::InlineLet,
        "f : Int -> Int\nf y = let x$0 = y in case 1 {y -> x + y}\n",
        expect![[r#"
            not offered: `y` means something else where it would come to stand
        "#]],
    );
    // A number that is a `Float` here stays one.
    check(
        Refactor::InlineLet,
        "f : Float -> Float\nf y = let x$0 = 1 in let z = x / 2 in y + z + x\n",
        expect![[r#"
            Inline `x`

            f : Float -> Float
            f y = let z = 1.0 / 2 in y + z + 1.0
        "#]],
    );
}

#[test]
fn an_operator_is_inlined() {
    check(
        Refactor::InlineOperator,
        "-- Twice.\ntwice : Int -> Int\ntwice x = x + x\n\nmain : {Int}\nmain! = 3 * $0twice 4\n",
        expect![[r#"
            Inline `twice`

            main : {Int}
            main! = 3 * (4 + 4)
        "#]],
    );
    // What does something is evaluated once, and before the body.
    check(
        Refactor::InlineOperator,
        "twice : Int -> Int\ntwice x = x + x\n\nmain : {Int}\nmain! = 3 * $0twice (twice 1)\n",
        expect![[r#"
            Inline `twice`

            twice : Int -> Int
            twice x = x + x

            main : {Int}
            main! = 3 * (let x = twice 1 in x + x)
        "#]],
    );
    check(
        Refactor::InlineOperator,
        "f : Int -> Int -> Int\nf x y = x + y\n\nmain : {Int}\nmain! = let y = 1 in $0f (f 1 y) (f y 2)\n",
        expect![[r#"
            Inline `f`

            f : Int -> Int -> Int
            f x y = x + y

            main : {Int}
            main! = let y = 1 in let x = f 1 y in let y1 = f y 2 in x + y1
        "#]],
    );
    check(
        Refactor::InlineOperator,
        "third : {Float}\nthird! = 1 / 3\n\nmain : {Float}\nmain! = let x = $0third! in x + 1.5\n",
        expect![[r#"
            Inline `third`

            main : {Float}
            main! = let x = 1.0 / 3.0 in x + 1.5
        "#]],
    );
    check(
        Refactor::InlineOperator,
        "f : Int -> Int\nf x = $0f x\n",
        expect![[r#"
            not offered: there is nothing here that this could change
        "#]],
    );
    check(
        Refactor::InlineOperator,
        &with_ask("main : {Int}\nmain! = $0reader 1 ask!\n"),
        expect![[r#"
            not offered: there is nothing here that this could change
        "#]],
    );
    check(
        Refactor::InlineOperator,
        "g : Int -> Int\ng x = x + one!\n\none : {Int}\none! = 1\n\nf : Int -> Int\nf one = $0g one\n",
        expect![[r#"
            not offered: there is nothing here that this could change
        "#]],
    );
    check(
        Refactor::InlineOperatorEverywhere,
        "one$0 : {Int}\none! = 1\n\nf : Int -> Int\nf x = x + one!\n\ng : {{Int}}\ng! = one\n",
        expect![[r#"
            Inline `one` everywhere

            f : Int -> Int
            f x = x + 1

            g : {{Int}}
            g! = {1}
        "#]],
    );
}

#[test]
fn eta() {
    check(
        Refactor::EtaExpand,
        "include prelude\n\ninc : Int -> Int\ninc x = x + 1\n\nmain : {List Int}\nmain! = map $0inc [1]\n",
        expect![[r#"
            Eta-expand `inc`

            include prelude

            inc : Int -> Int
            inc x = x + 1

            main : {List Int}
            main! = map {n -> inc n} [1]
        "#]],
    );
    // What the callee handles goes on to it.
    check(
        Refactor::EtaExpand,
        &with_ask(
            "with : {Int -> <Ask>Int -> Int} -> Int\nwith h = h 1 ask!\n\nmain : {Int}\nmain! = with $0reader\n",
        ),
        expect![[r#"
            Eta-expand `reader`

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            with : {Int -> <Ask>Int -> Int} -> Int
            with h = h 1 ask!

            main : {Int}
            main! = with {n <m> -> reader n m!}
        "#]],
    );
    check(
        Refactor::EtaContract,
        &with_ask(
            "with : {Int -> <Ask>Int -> Int} -> Int\nwith h = h 1 ask!\n\nmain : {Int}\nmain! = with {$0n <m> -> reader n m!}\n",
        ),
        expect![[r#"
            Eta-contract to `reader`

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            with : {Int -> <Ask>Int -> Int} -> Int
            with h = h 1 ask!

            main : {Int}
            main! = with reader
        "#]],
    );
    check(
        Refactor::EtaContract,
        "f : {Int -> Int} -> {Int -> Int}\nf g = {$0x -> g x}\n",
        expect![[r#"
            Eta-contract to `g`

            f : {Int -> Int} -> {Int -> Int}
            f g = g
        "#]],
    );
    check(
        Refactor::EtaContract,
        "f : {Int -> {Int -> Int}} -> {Int -> Int}\nf g = {$0x -> g x x}\n",
        expect![[r#"
            not offered: there is nothing here that this could change
        "#]],
    );
}

#[test]
fn patterns_are_split() {
    check(
        Refactor::Split,
        "data Shape = circle Int | square Int | dot\n\narea : Shape -> Int\narea s$0 = size s\n\nsize : Shape -> Int\nsize _ = 1\n",
        expect![[r#"
            Split `s` by constructors

            data Shape = circle Int | square Int | dot

            area : Shape -> Int
            area (circle n) = size (circle n)
            area (square n) = size (square n)
            area dot = size dot

            size : Shape -> Int
            size _ = 1
        "#]],
    );
    // What the clauses above take is left out.
    check(
        Refactor::Split,
        "length : List X -> Int\nlength [] = 0\nlength $0xs = 1\n",
        expect![[r#"
            Split `xs` by constructors

            length : List X -> Int
            length [] = 0
            length (_ :: _) = 1
        "#]],
    );
    check(
        Refactor::Split,
        "f : List Int -> Int\nf xs = case xs {ys$0 -> f ys}\n",
        expect![[r#"
            Split `ys` by constructors

            f : List Int -> Int
            f xs = case xs {[] -> f [] | (x :: ys) -> f (x :: ys)}
        "#]],
    );
    // A catch-all becomes the commands, which are performed again where it was forced.
    check(
        Refactor::Split,
        "interface State = get : Int | put : Int -> Unit\n\nouter : <State>Int -> [State]Int\nouter <$0m> = outer m! + 1\n",
        expect![[r#"
            Split `<m>` by the commands of its port

            interface State = get : Int | put : Int -> Unit

            outer : <State>Int -> [State]Int
            outer n = outer n + 1
            outer <get -> k> = outer (k get!) + 1
            outer <put n -> k> = outer (k (put n)) + 1
        "#]],
    );
    check(
        Refactor::Split,
        "interface State = get : Int | put : Int -> Unit\n\nlater : <State, State>Int -> [State]{[ε|State, State, State]Int}\nlater <$0m> = m\n",
        expect![[r#"
            Split `<m>` by the commands of its port

            interface State = get : Int | put : Int -> Unit

            later : <State, State>Int -> [State]{[ε|State, State, State]Int}
            later n = {n}
            later <get -> k> = {k get!}
            later <put n -> k> = {k (put n)}
            later <get.1 -> k> = {k (<State> get!)}
            later <put.1 n -> k> = {k (<State> (put n))}
        "#]],
    );
}

#[test]
fn clauses_are_merged() {
    check(
        Refactor::Merge,
        "data Shape = circle Int | square Int | dot\n\narea : Shape -> Int\narea (circle$0 n) = size (circle n) 1\narea (square n) = size (square n) 1\narea dot        = size dot 1\n\nsize : Shape -> Int -> Int\nsize _ n = n\n",
        expect![[r#"
            Merge the clauses of these constructors

            data Shape = circle Int | square Int | dot

            area : Shape -> Int
            area x = size x 1

            size : Shape -> Int -> Int
            size _ n = n
        "#]],
    );
    check(
        Refactor::Merge,
        "f : Bool -> Int\nf b = case b {true$0 -> 1 | false -> 1}\n",
        expect![[r#"
            Merge the clauses of these constructors

            f : Bool -> Int
            f b = case b {_ -> 1}
        "#]],
    );
    check(
        Refactor::Merge,
        "f : Bool -> Int\nf true$0  = 1\nf false = 2\n",
        expect![[r#"
            not offered: the clauses do different things
        "#]],
    );
    check(
        Refactor::Merge,
        "interface State = get : Int | put : Int -> Unit\n\nlater : <State>Int -> [State]{[ε|State, State]Int}\nlater n             = {n}\nlater <get$0 -> k>    = {k get!}\nlater <put m -> k>  = {k (put m)}\n",
        expect![[r#"
            Merge the clauses of these commands

            interface State = get : Int | put : Int -> Unit

            later : <State>Int -> [State]{[ε|State, State]Int}
            later <m> = m
        "#]],
    );
}

#[test]
fn ports_come_and_go() {
    check(
        Refactor::AddPort,
        "include prelude\n\ninc$0 : Int -> Int\ninc x = x + 1\n\nmain : {List Int}\nmain! = inc (inc 1) :: map inc [1]\n//- other.fk\ninclude main\nother : {Int}\nother! = inc 2\n",
        expect![[r#"
            Add a port to `inc`

            //- main.fk
            include prelude

            inc : Int -> Unit -> Int
            inc x _ = x + 1

            main : {List Int}
            main! = inc (inc 1 unit) unit :: map {n -> inc n unit} [1]
            //- other.fk
            include main
            other : {Int}
            other! = inc 2 unit
        "#]],
    );
    check(
        Refactor::AddPort,
        "one : {Int}\n$0one! = 1\n\nmain : {Int}\nmain! = one! + one!\n",
        expect![[r#"
            Add a port to `one`

            one : {Unit -> Int}
            one _ = 1

            main : {Int}
            main! = one unit + one unit
        "#]],
    );
    check(
        Refactor::RemovePort,
        "include prelude\n\nfirst : Int -> Int$0 -> Int\nfirst x _ = x\n\nmain : {List Int}\nmain! = first (first 1 2) 3 :: map {x -> first x x} [1]\n",
        expect![[r#"
            Remove this port of `first`

            include prelude

            first : Int -> Int
            first x = x

            main : {List Int}
            main! = first (first 1) :: map {x -> first x} [1]
        "#]],
    );
    check(
        Refactor::RemovePort,
        "one : Unit -> [Console]Int\none $0_ = 1\n\nmain : {[Console]Int}\nmain! = one unit\n",
        expect![[r#"
            Remove this port of `one`

            one : {[Console] Int}
            one! = 1

            main : {[Console]Int}
            main! = one!
        "#]],
    );
    check(
        Refactor::RemovePort,
        "one : Int -> Int\none $0_ = 1\n\nmain : {Int}\nmain! = one (one 1)\n",
        expect![[r#"
            Remove this port of `one`: refused: an argument for this port may do something when it is evaluated
        "#]],
    );
    // What an argument does still happens.
    check(
        Refactor::RemovePort,
        "say : Int -> [Console] Int\nsay n = ouint n; n\n\none : Int -> Int$0 -> Int\none x _ = x\n\nmain : [Console] Int\nmain! = one 1 (say 2) + one 3 (let y = say 4 in y)\n",
        expect![[r#"
            Remove this port of `one`

            say : Int -> [Console] Int
            say n = ouint n; n

            one : Int -> Int
            one x = x

            main : [Console] Int
            main! = (say 2; one 1) + ((let y = say 4 in y); one 3)
        "#]],
    );
    check(
        Refactor::RemovePort,
        "say : Int -> [Console] Int\nsay n = ouint n; n\n\none : Int -> Int$0 -> Int\none x _ = x\n\nmain : [Console] Int\nmain! = one (say 1) (say 2)\n",
        expect![[r#"
            Remove this port of `one`: refused: an argument for this port may do something when it is evaluated
        "#]],
    );
    check(
        Refactor::RemovePort,
        "one : Int -> Int\none $0x = x\n",
        expect![[r#"
            not offered: there is nothing here that this could change
        "#]],
    );
}

#[test]
fn comments_are_not_refactored() {
    check(
        Refactor::ExplicitEffect,
        "-- > twice {x -> x$0} 1\ntwice : {Int -> Int} -> Int -> Int\ntwice f x = f (f x)\n",
        expect![[r#"
            not offered: there is nothing here that this could change
        "#]],
    );
}

#[test]
fn the_implicit_effect() {
    check(
        Refactor::ExplicitEffect,
        &with_ask("f$0 : {Int -> Int} -> {[Ask]Int} -> Int\nf g _ = g 1\n"),
        expect![[r#"
            Write the implicit ε

            interface Ask = ask : Int

            reader : Int -> <Ask>X -> X
            reader n <ask -> k> = reader n (k n)
            reader _ x          = x

            f : {Int -> [ε|] Int} -> {[ε|Ask] Int} -> [ε|] Int
            f g _ = g 1
        "#]],
    );
    check(
        Refactor::ExplicitEffect,
        "data Job$0 X = job {X} | done\n\nrun : Job X -> X\nrun (job f) = f!\nrun done = run done\n",
        expect![[r#"
            Write the implicit ε

            data Job X [] = job {[ε|] X} | done

            run : Job X -> X
            run (job f) = f!
            run done = run done
        "#]],
    );
    check(
        Refactor::ExplicitEffect,
        "data Job X = job {X} | done\n\nrun : List (Job X) -> Job X$0 -> X\nrun _ (job f) = f!\nrun xs done = run xs done\n",
        expect![[r#"
            Write the implicit ε

            data Job X = job {X} | done

            run : List (Job X [ε|]) -> Job X [ε|] -> [ε|] X
            run _ (job f) = f!
            run xs done = run xs done
        "#]],
    );
    check(
        Refactor::ImplicitEffect,
        "data Job X = job {X} | done\n\nrun : [ε|]{Int} -> List (Job X [ε|]) -> {Int -> [ε|] Job X}$0 -> [ε|Console] X\nrun _ _ f = <Console> (run2 (f 1))\n\nrun2 : Job X -> X\nrun2 (job f) = f!\nrun2 done = run2 done\n",
        expect![[r#"
            Leave out the ε

            data Job X = job {X} | done

            run : {Int} -> List (Job X) -> {Int -> Job X} -> [Console] X
            run _ _ f = <Console> (run2 (f 1))

            run2 : Job X -> X
            run2 (job f) = f!
            run2 done = run2 done
        "#]],
    );
}

#[test]
fn a_case_that_hides_a_variable_becomes_clauses() {
    // The `n` of the pattern is the one that `list` is made of again.
    check(
        Refactor::CaseToClauses,
        "f : Int -> {List Int -> List Int}\nf n = {list -> case list {nil -> list | (n :: rest) -> list}$0}\n",
        expect![[r#"
            Turn `case` into clauses

            f : Int -> {List Int -> List Int}
            f n = {nil -> nil | (n :: rest) -> n :: rest}
        "#]],
    );
}

#[test]
fn case_and_clauses() {
    check(
        Refactor::CaseToClauses,
        "length : List X -> Int -> Int\nlength xs n = $0case xs {\n    [] -> n\n  | (_ :: ys) -> length ys (n + 1)\n}\n",
        expect![[r#"
            Turn `case` into clauses

            length : List X -> Int -> Int
            length [] n = n
            length (_ :: ys) n = length ys (n + 1)
        "#]],
    );
    // What is looked at as a whole is made again.
    check(
        Refactor::CaseToClauses,
        "f : List Int -> List Int\nf xs = case $0xs {[] -> xs | (_ :: ys) -> f (1 :: xs)}\n",
        expect![[r#"
            Turn `case` into clauses

            f : List Int -> List Int
            f [] = []
            f (n :: ys) = f (1 :: (n :: ys))
        "#]],
    );
    check(
        Refactor::CaseToClauses,
        "f : {{List Int -> Int}}\nf! = {xs -> case xs {[] -> 0$0 | (x :: _) -> x}}\n",
        expect![[r#"
            Turn `case` into clauses

            f : {{List Int -> Int}}
            f! = {[] -> 0 | (x :: _) -> x}
        "#]],
    );
    check(
        Refactor::ClausesToCase,
        "length : List X -> Int -> Int\n$0length []        n = n\nlength (_ :: ys) m = length ys (m + 1)\n",
        expect![[r#"
            Turn the clauses into `case`

            length : List X -> Int -> Int
            length xs n = case xs {
                [] -> n
              | (_ :: ys) -> length ys (n + 1)
            }
        "#]],
    );
    check(
        Refactor::ClausesToCase,
        "f : Bool -> Bool -> Int\nf$0 true false = 1\nf _ _ = 2\n",
        expect![[r#"
            not offered: the clauses differ in several patterns
        "#]],
    );
}

#[test]
fn broken_items_beside_do_not_matter() {
    check(
        Refactor::ExtractLet,
        "broken : {Int\nmain : {Int}\nmain! = 1 + 2 * 3\n            ^^^^^\nworse = ((\n",
        expect![[r#"
            Extract to `let`

            broken : {Int
            main : {Int}
            main! = let value = 2 * 3 in 1 + value
            worse = ((
        "#]],
    );
    check(
        Refactor::Split,
        "f : Bool -> Int\nf $0b = 1 +\n",
        expect![[r#"
            not offered: there is nothing here that this could change
        "#]],
    );
}
