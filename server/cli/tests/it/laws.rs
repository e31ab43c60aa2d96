//! Laws, which `frank test` tries.

use expect_test::expect;

use crate::support::Dir;

#[test]
fn laws_are_tried() {
    let dir = Dir::new(&[(
        "a.fk",
        "include prelude\n\ndata Tree = leaf | node Tree Int Tree\n\n\
         -- > mirror leaf\n-- = leaf\n-- for all t : Tree. sumOf (mirror t) == sumOf t\n\
         -- for all xs : List (Pair Int Char), m : Maybe Bool,\n--     u : Unit, x : Float, s : String.\n\
         --     length (rev xs) == length xs -- as long\n\
         mirror : Tree -> Tree\nmirror leaf = leaf\nmirror (node l x r) = node (mirror r) x (mirror l)\n\n\
         sumOf : Tree -> Int\nsumOf leaf = 0\nsumOf (node l x r) = sumOf l + x + sumOf r\n",
    )]);
    dir.run("test").expect(expect![[r#"
        1 example and 2 laws in 1 file: all right
        exit 0
    "#]]);
}

/// Values for which a law does not hold are as small as can be, and stand as a program would have them.
#[test]
fn counterexamples_are_small() {
    let dir = Dir::new(&[(
        "a.fk",
        "include prelude\n\ndata Tree = leaf | node Tree Int Tree\n\n\
         -- for all x : Int, y : Int. x - y == y - x\n\
         -- for all xs : List Int, ys : List Int. same (rev (append xs ys)) (append (rev xs) (rev ys))\n\
         -- for all t : Tree. depth t <= 2\n\
         -- for all x : Int. 10 / x == 10 / x\n\
         -- for all m : Maybe Int. got m == got m\n\
         -- for all x : Float. x + 1.0 > x\n\
         -- for all s : String, c : Char. length s <= 3\n\
         -- for all x : Int. x > 0 - 20\n\
         depth : Tree -> Int\ndepth leaf = 0\ndepth (node l _ r) = let a = depth l in let b = depth r in 1 + if (a < b) {b} {a}\n\n\
         same : List Int -> List Int -> Bool\nsame (x :: xs) (y :: ys) = and (x == y) (same xs ys)\nsame [] [] = true\nsame _ _ = false\n\n\
         got : Maybe Int -> Int\ngot (just x) = x\n",
    )]);
    dir.run("test").expect(expect![[r#"
        a.fk:5:4: for all x : Int, y : Int. x - y == y - x
          is false for x = 0, y = 1
          found by try 2 of 100 with seed 0, then made smaller

        a.fk:6:4: for all xs : List Int, ys : List Int. same (rev (append xs ys)) (append (rev xs) (rev ys))
          is false for xs = [0], ys = [1]
          found by try 3 of 100 with seed 0, then made smaller

        a.fk:7:4: for all t : Tree. depth t <= 2
          is false for t = node (node (node leaf 0 leaf) 0 leaf) 0 leaf
          found by try 5 of 100 with seed 0, then made smaller

        a.fk:8:4: for all x : Int. 10 / x == 10 / x
          fails for x = 0
          found by try 1 of 100 with seed 0
        error: division by zero in `10 / 0`
         --> <term>:1:18
          |
        1 | for all x : Int. 10 / x == 10 / x
          |                  ^^^^^^
          |
          = note: with 10, 0
          = note: the stack, from the inside:
                  in the term

        a.fk:9:4: for all m : Maybe Int. got m == got m
          fails for m = nothing
          found by try 2 of 100 with seed 0
        error: no clause of `got` matches
          --> a.fk:22:1
           |
        22 | got : Maybe Int -> Int
           | ^^^
           |
           = note: with nothing
           = note: the stack, from the inside:
                   in `got`, a.fk:22:1

        a.fk:10:4: for all x : Float. x + 1.0 > x
          is false for x = 2.1966458015248012e16
          found by try 17 of 100 with seed 0, then made smaller

        a.fk:11:4: for all s : String, c : Char. length s <= 3
          is false for s = "aaaa", c = 'a'
          found by try 5 of 100 with seed 0, then made smaller

        a.fk:12:4: for all x : Int. x > 0 - 20
          is false for x = -20
          found by try 8 of 100 with seed 0, then made smaller

        8 laws in 1 file: 8 failed
        exit 1
    "#]]);
}

/// The values depend on the seed alone.
#[test]
fn seeds_and_tries() {
    let dir = Dir::new(&[(
        "a.fk",
        "-- for all x : Int. x < 100\nf : Int -> Int\nf x = x\n",
    )]);
    let first = dir.run("test --seed 7");
    assert_eq!(first.whole(), dir.run("test --seed 7").whole());
    assert!(first.stdout.contains("with seed 7"), "{}", first.stdout);
    assert!(first.stdout.contains("x = 100\n"), "{}", first.stdout);
    assert_eq!(dir.run("test --tries 1").code, 0);
    assert_eq!(dir.run("test --tries 0").code, 2);
}

/// The last fifth of the tries has numbers from the ends of their types. What overflows there, has no number of another type or
/// counts up to one of them is no counterexample; what is false is.
#[test]
fn laws_at_the_ends() {
    let dir = Dir::new(&[(
        "a.fk",
        "-- for all x : Int. x + 1 > x\n\
         -- for all x : Int. 0 - (0 - x) == x\n\
         -- for all x : Int, y : Int. x - y == 0 - (y - x)\n\
         -- for all x : Int. downFrom x\n\
         -- for all x : Float. x == x\n\
         -- for all x : Int. x < 2147483648\n\
         -- for all x : Int. x > 0 - 9223372036854775807\n\
         -- for all x : Float. x - x == 0.0\n\
         -- for all xs : List Int. isSmall xs\n\
         -- for all x : Int. x * 10000000000000 == x * 10000000000000\n\
         downFrom : Int -> Bool\ndownFrom x = if (x < 1) {true} {downFrom (x - 1)}\n\n\
         isSmall : List Int -> Bool\nisSmall [] = true\nisSmall (x :: xs) = if (x < 9007199254740992) {isSmall xs} {false}\n\n\
         if : Bool -> {[E|]X} -> {[E|]X} -> [E|]X\nif true t _ = t!\nif false _ e = e!\n",
    )]);
    dir.run("test").expect(expect![[r#"
        a.fk:6:4: for all x : Int. x < 2147483648
          is false for x = 2147483648
          found by try 85 of 100 with seed 0

        a.fk:7:4: for all x : Int. x > 0 - 9223372036854775807
          is false for x = -9223372036854775807
          found by try 93 of 100 with seed 0, then made smaller

        a.fk:8:4: for all x : Float. x - x == 0.0
          is false for x = inf
          found by try 88 of 100 with seed 0

        a.fk:9:4: for all xs : List Int. isSmall xs
          is false for xs = [9007199254740992]
          found by try 81 of 100 with seed 0, then made smaller

        a.fk:10:4: for all x : Int. x * 10000000000000 == x * 10000000000000
          fails for x = 922338
          found by try 59 of 100 with seed 0, then made smaller
        error: `922338 * 10000000000000` overflows `Int`
         --> <term>:1:18
          |
        1 | for all x : Int. x * 10000000000000 == x * 10000000000000
          |                  ^^^^^^^^^^^^^^^^^^
          |
          = note: with 922338, 10000000000000
          = note: the stack, from the inside:
                  in the term

        10 laws in 1 file: 5 failed
        exit 1
    "#]]);
}

/// The dot of a law is none of another language's; what stands behind it may be.
#[test]
fn names_in_laws() {
    let dir = Dir::new(&[(
        "a.fk",
        "include prelude\n\n\
         -- for all xs : List Float. lenght xs < 4\n\
         -- for all x : Int. x > 0 || x < 1\n\
         f : Int -> Int\nf x = x\n",
    )]);
    dir.run("test").expect(expect![[r#"
        a.fk:3:4: for all xs : List Float. lenght xs < 4
        error[FK0101]: there is no definition `lenght` in sight
         --> <term>:1:26
          |
        1 | for all xs : List Float. lenght xs < 4
          |                          ^^^^^^
          |
          = help: did you mean `length`?

        a.fk:4:4: for all x : Int. x > 0 || x < 1
        error[FK0012]: Frank has no `||`
         --> <term>:1:24
          |
        1 | for all x : Int. x > 0 || x < 1
          |                        ^^
          |
          = help: `orElse a {b}`, from the prelude, looks at `b` only if `a` is `false`; `or a b` at both

        2 laws in 1 file: 2 failed
        exit 1
    "#]]);
}

/// What is wrong with a law is told where it is wrong.
#[test]
fn mistakes_in_laws() {
    let dir = Dir::new(&[(
        "a.fk",
        "include map\n\ninterface Ask = asked : Int\n\n\
         -- for all x : Int. x == )\n\
         -- for all x : Int. x + 1\n\
         -- for all x : Int, y : Char. x == y\n\
         -- for all x : Maybe Foo Int. true\n\
         -- for all x : Maybe. true\n\
         -- for all x : Foo, xs : List Endles. true\n\
         -- for all x : Int. x == asked!\n\
         -- for all x y : Int. x == y\n\
         -- for all f : {Int -> Int}. true\n\
         -- for all f : Int -> Int. true\n\
         -- for all xs : List X. true\n\
         -- for all m : Map Int Int. true\n\
         -- for all r : Ref Int. true\n\
         -- for all s : Endless. true\n\
         -- for all x : Int. false\n\
         -- = true\n\
         data Endless = more Int Endless\n",
    )]);
    dir.run("test").expect(expect![[r#"
        a.fk:5:4: for all x : Int. x == )
        error[FK0001]: expected a term after `==`, found `)`
         --> <term>:1:23
          |
        1 | for all x : Int. x == )
          |                       ^

        a.fk:6:4: for all x : Int. x + 1
        error[FK0201]: this has type `Int`, but `Bool` is needed
         --> <term>:1:18
          |
        1 | for all x : Int. x + 1
          |                  ^^^^^

        a.fk:7:4: for all x : Int, y : Char. x == y
        error[FK0201]: this has type `Char`, but `Int` is needed
         --> <term>:1:33
          |
        1 | for all x : Int, y : Char. x == y
          |                              -- ^
          |                              |
          |                              both operands of `==` have one number type

        a.fk:8:4: for all x : Maybe Foo Int. true
        error[FK0208]: `Maybe` takes one argument, `X`, but 2 are given
         --> <term>:1:23
          |
        1 | for all x : Maybe Foo Int. true
          |                       ^^^
          |
          = help: write `Maybe X`, with a type of your own for it

        error[FK0102]: there is no type `Foo`, and a law is about values of types that there are
         --> <term>:1:19
          |
        1 | for all x : Maybe Foo Int. true
          |                   ^^^
          |
          = help: write a type such as `Int` for it, or define `data Foo = …`

        a.fk:9:4: for all x : Maybe. true
        error[FK0208]: `Maybe` takes one argument, `X`, but none is given
         --> <term>:1:13
          |
        1 | for all x : Maybe. true
          |             ^^^^^
          |
          = help: write `Maybe X`, with a type of your own for it

        a.fk:10:4: for all x : Foo, xs : List Endles. true
        error[FK0102]: there is no type `Foo`, and a law is about values of types that there are
         --> <term>:1:13
          |
        1 | for all x : Foo, xs : List Endles. true
          |             ^^^
          |
          = help: write a type such as `Int` for it, or define `data Foo = …`

        error[FK0102]: there is no type `Endles`, and a law is about values of types that there are
         --> <term>:1:28
          |
        1 | for all x : Foo, xs : List Endles. true
          |                            ^^^^^^
          |
          = help: did you mean `Endless`?

        a.fk:11:4: for all x : Int. x == asked!
          the law needs `Ask`, which nobody handles here

        a.fk:12:4: for all x y : Int. x == y
          a variable and its type, `x : Int`, should be where `x y` stands: a law is written `-- for all x : Int, ys : List Int. term`

        a.fk:13:4: for all f : {Int -> Int}. true
          no values can be made up for `f`: its type holds a computation, and values are made up of `Int`, `Float`, `Char`, `String`, `Bool`, `Unit`, `List`, `Pair`, `Maybe`, and data types whose constructors hold such

        a.fk:14:4: for all f : Int -> Int. true
          `f` is said to be a function: write its type with braces, `{…}`, and a law that does without it, for no functions are made up

        a.fk:15:4: for all xs : List X. true
        error[FK0102]: there is no type `X`, and a law is about values of types that there are
         --> <term>:1:19
          |
        1 | for all xs : List X. true
          |                   ^
          |
          = help: write a type such as `Int` for it, or define `data X = …`

        a.fk:16:4: for all m : Map Int Int. true
          no values can be made up for `m`: what order a `Map` is in is not part of its type: take a `List`, and make one of it by `mapFromList`

        a.fk:17:4: for all r : Ref Int. true
          no values can be made up for `r`: `Ref` has no constructors, and values are made up of `Int`, `Float`, `Char`, `String`, `Bool`, `Unit`, `List`, `Pair`, `Maybe`, and data types whose constructors hold such

        a.fk:18:4: for all s : Endless. true
          no values can be made up for `s`: every value of its type would have to be infinite

        a.fk:19:4: for all x : Int. false
          is false for x = 0
          found by try 1 of 100 with seed 0

        a.fk:20:6: = true
          this value belongs to no example: `-- = …` stands directly below the term, `-- > …`

        1 example and 15 laws in 1 file: 16 failed
        exit 1
    "#]]);
}

/// All tries of a law together have the time of one example.
#[test]
fn a_law_that_takes_too_long() {
    let dir = Dir::new(&[(
        "a.fk",
        "-- for all x : Int. loop!\nloop : {Bool}\nloop! = loop!\n",
    )]);
    dir.run("test --steps 1000").expect(expect![[r#"
        a.fk:1:4: for all x : Int. loop!
          comes to the end of a limit for x = 0
          found by try 1 of 100 with seed 0
        error: the step limit is reached
         --> a.fk:3:9
          |
        3 | loop! = loop!
          |         ^^^^^
          |
          = note: the stack, from the inside:
                  in `loop`, a.fk:3:9

        1 law in 1 file: 1 failed
        exit 1
    "#]]);
}
