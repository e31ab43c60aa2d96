//! What the parser says about texts that are wrong.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fmt::Write;

use expect_test::{Expect, expect};
use frank_syntax::parse::{ParsedItem, parse_item, parse_term};
use text_size::TextRange;

fn render(text: &str, parsed: &ParsedItem) -> String {
    let mut shown = String::new();
    for error in &parsed.errors {
        writeln!(shown, "{:?}: {}", error.kind, error.message).unwrap();
        underline(&mut shown, text, error.range, "");
        for (range, message) in &error.related {
            underline(&mut shown, text, *range, message);
        }
        if let Some(help) = &error.help {
            writeln!(shown, "  help: {help}").unwrap();
        }
    }
    shown
}

fn underline(shown: &mut String, text: &str, range: TextRange, message: &str) {
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let before = text[line_start..start].chars().count();
    let width = text[start..end].chars().count().max(1);
    let marked = format!(
        "  {line}\n  {}{} {message}",
        " ".repeat(before),
        "^".repeat(width)
    );
    for line in marked.lines() {
        writeln!(shown, "{}", line.trim_end()).unwrap();
    }
}

#[track_caller]
fn check(texts: &[&str], expect: Expect) {
    let shown: Vec<String> = texts
        .iter()
        .map(|text| render(text, &parse_item(text)))
        .collect();
    expect.assert_eq(&shown.join("\n"));
}

#[track_caller]
fn check_terms(texts: &[&str], expect: Expect) {
    let shown: Vec<String> = texts
        .iter()
        .map(|text| render(text, &parse_term(text)))
        .collect();
    expect.assert_eq(&shown.join("\n"));
}

#[test]
fn terms() {
    check(
        &[
            "f x =",
            "f x = |",
            "f x = a +",
            "f x = a + * b",
            "f x = a = b",
            "f x = let y = 2 in",
            "f x = let y = 2",
            "f x = let y 2 in y",
            "f x = let = 2 in y",
            "f x = 1 + let y = 2 in y",
            "f x = let data = 2 in y",
            "f x = a; ",
            "f x = data",
            "f x = [a, b",
            "f x = [a b,, c]",
            "f x = g x in y",
            "f x = {a -> b | }",
            "f x = {a, b -> c}",
            "f x = {<get -> > -> 3}",
            "f x = {<get a k> -> 3}",
            "f x = <I(s a -> s)",
            "f x = <I(s a s)> g",
            "f x = <3> g",
            "f x = a . b",
            "f x = {y -> | z -> 3}",
            "f x = case y { just z -> z | nothing -> }",
            "f x = (a + = b)",
        ],
        expect![[r#"
            BrokenOff: expected a term after `=`, found the end of the item
              f x =
                  ^

            Unexpected: expected a term after `=`, found `|`
              f x = |
                    ^

            BrokenOff: expected a term after `+`, found the end of the item
              f x = a +
                      ^

            Unexpected: expected a term after `+`, found `*`
              f x = a + * b
                        ^

            Unexpected: expected the end of the item or an operator after `a`, found `=`
              f x = a = b
                      ^
              help: write `==` to compare, or `let x = … in …` to name

            BrokenOff: expected a term after the keyword `in`, found the end of the item
              f x = let y = 2 in
                               ^

            BrokenOff: expected `in` or an operator after `2`, found the end of the item
              f x = let y = 2
                            ^
              f x = let y = 2
                    ^^^ this `let` needs an `in`
              help: write `let x = … in …`

            Unexpected: expected `=` after `y`, found `2`
              f x = let y 2 in y
                          ^

            Unexpected: expected the name that `let` binds after the keyword `let`, found `=`
              f x = let = 2 in y
                        ^

            Unexpected: expected a term after `+`, found the keyword `let`
              f x = 1 + let y = 2 in y
                        ^^^
              help: put the `let` in parentheses

            Unexpected: expected the name that `let` binds after the keyword `let`, found the keyword `data`
              f x = let data = 2 in y
                        ^^^^
              help: `data` is a reserved word

            BrokenOff: expected a term after `;`, found the end of the item
              f x = a;
                     ^

            Unexpected: expected a term after `=`, found the keyword `data`
              f x = data
                    ^^^^
              help: `data` is a reserved word

            UnclosedBracket: this `[` is never closed
              f x = [a, b
                    ^
              f x = [a, b
                        ^ `]` is needed before the end

            Unexpected: expected a term after `,`, found `,`
              f x = [a b,, c]
                         ^

            Unexpected: expected the end of the item or an operator after `x`, found the keyword `in`
              f x = g x in y
                        ^^
              help: `in` is a reserved word

            Unexpected: expected a term after `|`, found `}`
              f x = {a -> b | }
                              ^

            Unexpected: expected `->`, or a further pattern, after `a`, found `,`
              f x = {a, b -> c}
                      ^
              help: patterns are separated by blanks

            Unexpected: expected a name for the continuation after `->`, found `>`
              f x = {<get -> > -> 3}
                             ^

            Unexpected: expected a pattern or `->` after `k`, found `>`
              f x = {<get a k> -> 3}
                             ^
              help: the continuation needs a name: `<c x -> k>`; `<m>` matches any computation

            BrokenOff: expected `>` or `,` after `)`, found the end of the item
              f x = <I(s a -> s)
                               ^

            Unexpected: expected a name or `->` after `s`, found `)`
              f x = <I(s a s)> g
                            ^

            Unexpected: expected an adaptor or `>` after `<`, found `3`
              f x = <3> g
                     ^

            Unexpected: expected the end of the item or an operator after `a`, found `.`
              f x = a . b
                      ^

            Unexpected: expected a term after `->`, found `|`
              f x = {y -> | z -> 3}
                          ^

            Unexpected: expected a term after `->`, found `}`
              f x = case y { just z -> z | nothing -> }
                                                      ^

            Unexpected: expected a term after `+`, found `=`
              f x = (a + = b)
                         ^
        "#]],
    );
}

#[test]
fn heads() {
    check(
        &[
            "f",
            "f x",
            "f x y z",
            "f!",
            "f = 3",
            "f :: Int",
            "f x : Int",
            "f! x = 3",
            "f x! = 3",
            "f (x = 3",
            "f (a :: b :: c) = 3",
            "f 1.5 = 3",
            "f <get -> k = 3",
            "f <get k> = 3",
            "f <get x -> > = 3",
            "f x, y = 3",
            "f {x} = 3",
            "f [a b] = 3",
            "f -x = 3",
            "f data = 3",
            "f () = 3",
            "f (3) = 4",
            "f == 3",
            "f <c.x -> k> = 2",
        ],
        expect![[r#"
            BrokenOff: expected `:`, `!` or a pattern after `f`, found the end of the item
              f
              ^

            BrokenOff: expected `=` after the patterns of `f`, found the end of the item
              f x
                ^

            BrokenOff: expected `=` after the patterns of `f`, found the end of the item
              f x y z
                    ^

            BrokenOff: expected `=` after `f!`, found the end of the item
              f!
               ^

            Unexpected: expected `!` or patterns between `f` and `=`
              f = 3
                ^
              help: patterns stand in front of `=`, as in `f x = …`; an operator without arguments is defined by `f! = …`

            Unexpected: expected `:`, `!` or a pattern after `f`, found `::`
              f :: Int
                ^^

            Unexpected: expected `=` after the patterns of `f`, found `:`
              f x : Int
                  ^

            Unexpected: expected `=` after `f!`, found `x`
              f! x = 3
                 ^

            Unexpected: expected `=` after the patterns of `f`, found `!`
              f x! = 3
                 ^

            UnclosedBracket: this `(` is never closed
              f (x = 3
                ^
              f (x = 3
                   ^ `)` is needed before this

            Unexpected: expected `)` after `b`, found `::`
              f (a :: b :: c) = 3
                        ^^
              help: each `::` of a pattern needs parentheses: `(a :: (b :: c))`

            Unexpected: expected `:`, `!` or a pattern after `f`, found `1.5`
              f 1.5 = 3
                ^^^
              help: no pattern is a float: bind it to a name and compare that

            Unexpected: expected `>` after `k`, found `=`
              f <get -> k = 3
                          ^

            Unexpected: expected a pattern or `->` after `k`, found `>`
              f <get k> = 3
                      ^
              help: the continuation needs a name: `<c x -> k>`; `<m>` matches any computation

            Unexpected: expected a name for the continuation after `->`, found `>`
              f <get x -> > = 3
                          ^

            Unexpected: expected `=` after the patterns of `f`, found `,`
              f x, y = 3
                 ^
              help: patterns are separated by blanks

            Unexpected: expected `:`, `!` or a pattern after `f`, found `{`
              f {x} = 3
                ^

            Unexpected: expected `]` or `,` after `a`, found `b`
              f [a b] = 3
                   ^

            Unexpected: expected a number after `-`, found `x`
              f -x = 3
                 ^

            Unexpected: expected `:`, `!` or a pattern after `f`, found the keyword `data`
              f data = 3
                ^^^^
              help: `data` is a reserved word

            Unexpected: expected a pattern after `(`, found `)`
              f () = 3
                 ^

            Unexpected: expected `::` after `3`, found `)`
              f (3) = 4
                  ^

            Unexpected: expected `:`, `!` or a pattern after `f`, found `==`
              f == 3
                ^^

            Unexpected: expected a number after `.`, found `x`
              f <c.x -> k> = 2
                   ^
        "#]],
    );
}

#[test]
fn declarations() {
    check(
        &[
            "data",
            "data X",
            "data X Y",
            "data = a",
            "data X = a | | b",
            "data X = a |",
            "data X [E = a",
            "data X = a : Int",
            "data Int = a",
            "data X = Int",
            "interface",
            "interface I",
            "interface I =",
            "interface I = a",
            "interface I = a :",
            "interface I = a : X ->",
            "interface I = a : X | b",
            "interface I = [A, B",
            "interface I = [A | B]",
            "interface I = a : <J> X",
            "interface I = a : [E] X",
            "include",
            "include 3",
            "include a - b",
            "include a.b",
            "in = 3",
            "| a",
            "(f) x = 3",
            "let x = 3",
            "Int : 3",
            "x = 3 y = 4",
        ],
        expect![[r#"
            BrokenOff: expected the name of a data type after the keyword `data`, found the end of the item
              data
                 ^

            BrokenOff: expected a parameter or `=` after `X`, found the end of the item
              data X
                   ^

            BrokenOff: expected a parameter or `=` after `Y`, found the end of the item
              data X Y
                     ^

            Unexpected: expected the name of a data type after the keyword `data`, found `=`
              data = a
                   ^

            Unexpected: expected a constructor after `|`, found `|`
              data X = a | | b
                           ^

            BrokenOff: expected a constructor after `|`, found the end of the item
              data X = a |
                         ^

            UnclosedBracket: this `[` is never closed
              data X [E = a
                     ^
              data X [E = a
                        ^ `]` is needed before this

            Unexpected: expected `|` or the end of the item after `a`, found `:`
              data X = a : Int
                         ^

            Unexpected: expected the name of a data type after the keyword `data`, found `Int`
              data Int = a
                   ^^^
              help: `Int` is a reserved word

            Unexpected: expected a constructor after `=`, found `Int`
              data X = Int
                       ^^^
              help: `Int` is a reserved word

            BrokenOff: expected the name of an interface after the keyword `interface`, found the end of the item
              interface
                      ^

            BrokenOff: expected a parameter or `=` after `I`, found the end of the item
              interface I
                        ^

            BrokenOff: expected a command after `=`, found the end of the item
              interface I =
                          ^

            BrokenOff: expected a parameter or `:` after `a`, found the end of the item
              interface I = a
                            ^

            BrokenOff: expected a type after `:`, found the end of the item
              interface I = a :
                              ^

            BrokenOff: expected a type after `->`, found the end of the item
              interface I = a : X ->
                                   ^

            BrokenOff: expected a parameter or `:` after `b`, found the end of the item
              interface I = a : X | b
                                    ^

            UnclosedBracket: this `[` is never closed
              interface I = [A, B
                            ^
              interface I = [A, B
                                ^ `]` is needed before the end

            Unexpected: expected `]` or `,` after `A`, found `|`
              interface I = [A | B]
                               ^

            Unexpected: expected a type after `:`, found `<`
              interface I = a : <J> X
                                ^

            Unexpected: an ability stands in front of braces or of an operator's result
              interface I = a : [E] X
                                ^^^

            BrokenOff: expected the name of a file after the keyword `include`, found the end of the item
              include
                    ^

            Unexpected: expected the name of a file after the keyword `include`, found `3`
              include 3
                      ^

            Unexpected: expected the end of the item after `a`, found `-`
              include a - b
                        ^

            Unexpected: expected the end of the item after `a`, found `.`
              include a.b
                       ^

            Unexpected: an item begins with a name, `data`, `interface` or `include`, not with the keyword `in`
              in = 3
              ^^
              help: indent the line if it belongs to the item above

            Unexpected: an item begins with a name, `data`, `interface` or `include`, not with `|`
              | a
              ^
              help: indent the line if it belongs to the item above

            Unexpected: an item begins with a name, `data`, `interface` or `include`, not with `(`
              (f) x = 3
              ^

            Unexpected: an item begins with a name, `data`, `interface` or `include`, not with the keyword `let`
              let x = 3
              ^^^
              help: indent the line if it belongs to the item above

            Unexpected: an item begins with a name, `data`, `interface` or `include`, not with `Int`
              Int : 3
              ^^^
              help: `Int` is a reserved word

            Unexpected: expected `!` or patterns between `x` and `=`
              x = 3 y = 4
                ^
              help: patterns stand in front of `=`, as in `x y = …`; an operator without arguments is defined by `x! = …`
        "#]],
    );
}

#[test]
fn signatures() {
    check(
        &[
            "f :",
            "f : Int",
            "f : List X",
            "f : A ->",
            "f : A -> -> B",
            "f : {A -> B",
            "f : [Console",
            "f : [Console]",
            "f : A -> [0|Console B",
            "f : <State S X -> Y",
            "f : <State S>",
            "f : <I(s a -> s)> X -> Y",
            "f : <I X|> X -> Y",
            "f : A -> <I>B",
            "f : [E]A -> B",
            "f : [E]{A -> [F]B} -> C",
            "f : A = B",
            "f : A, B -> C",
            "f : A -> B -> 3",
            "f : [1|I]X",
            "f : (A -> B) -> C",
            "f : A | B",
            "f : let",
            "f : [I]",
            "f : {}",
            "f : { -> A}",
            "f : ([E]X) -> X",
        ],
        expect![[r#"
            BrokenOff: expected a type after `:`, found the end of the item
              f :
                ^

            BareType: an operator's type needs braces, an arrow, or an ability in front
              f : Int
                  ^^^
              help: for an operator without arguments write `{Int}`

            BareType: an operator's type needs braces, an arrow, or an ability in front
              f : List X
                  ^^^^^^
              help: for an operator without arguments write `{List X}`

            BrokenOff: expected a type after `->`, found the end of the item
              f : A ->
                     ^

            Unexpected: expected a type after `->`, found `->`
              f : A -> -> B
                       ^^

            UnclosedBracket: this `{` is never closed
              f : {A -> B
                  ^
              f : {A -> B
                        ^ `}` is needed before the end

            UnclosedBracket: this `[` is never closed
              f : [Console
                  ^
              f : [Console
                         ^ `]` is needed before the end

            BrokenOff: expected a type after `]`, found the end of the item
              f : [Console]
                          ^

            UnclosedBracket: this `[` is never closed
              f : A -> [0|Console B
                       ^
              f : A -> [0|Console B
                                  ^ `]` is needed before the end

            Unexpected: expected `>`, `|` or `,` after `X`, found `->`
              f : <State S X -> Y
                             ^^

            BrokenOff: expected a type after `>`, found the end of the item
              f : <State S>
                          ^

            Unexpected: this adaptor needs a `|` behind it
              f : <I(s a -> s)> X -> Y
                   ^^^^^^^^^^^
              help: write `I(s a -> s) |`, and the instances behind the bar

            Unexpected: an adaptor has no type arguments: left of `|` stand adaptors
              f : <I X|> X -> Y
                     ^

            Habit: `<…>` stands before the type of an argument whose commands are handled, and this is the result's
              f : A -> <I>B
                       ^^^
              help: what a result may perform stands in brackets: `[I]`

            Unexpected: an ability stands in front of braces or of an operator's result
              f : [E]A -> B
                  ^^^

            Unexpected: these braces have an ability already
              f : [E]{A -> [F]B} -> C
                  ^^^

            Unexpected: expected `->` or the end of the item after `A`, found `=`
              f : A = B
                    ^

            Unexpected: expected `->` or the end of the item after `A`, found `,`
              f : A, B -> C
                   ^

            Unexpected: expected a type after `->`, found `3`
              f : A -> B -> 3
                            ^

            Unexpected: the tail of an ability is `0` or an effect variable
              f : [1|I]X
                   ^

            Unexpected: expected `)` after `A`, found `->`
              f : (A -> B) -> C
                     ^^
              help: the type of a function has braces: `{A -> B}`

            Unexpected: expected `->` or the end of the item after `A`, found `|`
              f : A | B
                    ^

            Unexpected: expected a type after `:`, found the keyword `let`
              f : let
                  ^^^
              help: `let` is a reserved word

            BrokenOff: expected a type after `]`, found the end of the item
              f : [I]
                    ^

            Unexpected: expected a type after `{`, found `}`
              f : {}
                   ^

            Unexpected: expected a type after `{`, found `->`
              f : { -> A}
                    ^^

            Unexpected: an ability stands in front of braces or of an operator's result
              f : ([E]X) -> X
                   ^^^
        "#]],
    );
}

#[test]
fn brackets_and_literals() {
    check(
        &[
            "f x = (a",
            "f x = ((a",
            "f x = (a + ",
            "f x = a)",
            "f x = (a]",
            "f x = [(a]",
            "f x = {a) b}",
            "f x = let y = (a in b",
            "f x = g \"abc",
            "f x = (g \"abc)",
            "f x = g [\"abc, x,\n  \"def\", y]",
            "f x = 'a",
            "f x = 'ab'",
            "f x = ''",
            "f x = \"a\\qb\\xg\"",
            "f x = '\\q'",
            "f x = a # b",
            "f x = \\y -> y",
            "f x = a {-- b",
            "f x = (a {-- b)",
            "f x = {-- b",
            "f x = a −− b",
            "f x = a $ b $ c",
            "f x = 99999999999999999999",
            "f 9223372036854775808 = 1",
            "f -9223372036854775808 = 1",
            "f <c.99999999999 -> k> = 2",
            "f x = 1.0e999",
            "f x = {a -> (b | c -> d}",
            "f x = a\u{a0}b",
            "f x = “a”",
            "f x = a\u{3}b",
        ],
        expect![[r#"
            UnclosedBracket: this `(` is never closed
              f x = (a
                    ^
              f x = (a
                     ^ `)` is needed before the end

            UnclosedBracket: this `(` is never closed
              f x = ((a
                     ^
              f x = ((a
                      ^ `)` is needed before the end
              f x = ((a
                    ^ nor is this one

            BrokenOff: expected a term after `+`, found the end of the item
              f x = (a +
                       ^
              f x = (a +
                    ^ this `(` is open

            UnopenedBracket: nothing opens this `)`
              f x = a)
                     ^
              help: leave it out, or write the `(` that it closes

            UnclosedBracket: this `(` is never closed
              f x = (a]
                    ^
              f x = (a]
                      ^ `)` is needed here

            UnclosedBracket: this `(` is never closed
              f x = [(a]
                     ^
              f x = [(a]
                       ^ `)` is needed before this

            UnopenedBracket: nothing opens this `)`
              f x = {a) b}
                      ^
              help: leave it out, or write the `(` that it closes

            UnclosedBracket: this `(` is never closed
              f x = let y = (a in b
                            ^
              f x = let y = (a in b
                               ^^ `)` is needed before this

            UnclosedString: this string has no end
              f x = g "abc
                      ^^^^
              help: write `"` before the end of the line

            UnclosedString: this string has no end
              f x = (g "abc)
                       ^^^^^
              help: write `"` before the end of the line

            UnclosedString: this string has no end
              f x = g ["abc, x,
                       ^^^^^^^^
              help: write `"` before the end of the line

            UnclosedChar: this character has no end
              f x = 'a
                    ^^
              help: write `'` behind the character

            Unexpected: only one character can stand between single quotation marks
              f x = 'ab'
                    ^^^^
              help: a string has double quotation marks

            Unexpected: between these quotation marks a character is missing
              f x = ''
                    ^^

            BadEscape: there is no such escape; a backslash itself is written `\\`
              f x = "a\qb\xg"
                      ^^
            BadEscape: digits are missing in this escape
              f x = "a\qb\xg"
                         ^^

            BadEscape: there is no such escape; a backslash itself is written `\\`
              f x = '\q'
                     ^^

            BadCharacter: the character `#` has no meaning in Frank
              f x = a # b
                      ^

            BadCharacter: the character `\` has no meaning in Frank
              f x = \y -> y
                    ^

            UnclosedComment: this comment has no end
              f x = a {-- b
                      ^^^
              help: write `--}` where it ends; every `{--` inside it needs one of its own

            UnclosedComment: this comment has no end
              f x = (a {-- b)
                       ^^^
              help: write `--}` where it ends; every `{--` inside it needs one of its own

            UnclosedComment: this comment has no end
              f x = {-- b
                    ^^^
              help: write `--}` where it ends; every `{--` inside it needs one of its own

            BadCharacter: the characters `−−` have no meaning in Frank
              f x = a −− b
                      ^^
              help: write `-`

            BadCharacter: the character `$` has no meaning in Frank
              f x = a $ b $ c
                      ^
            BadCharacter: the character `$` has no meaning in Frank
              f x = a $ b $ c
                          ^

            NumberTooLarge: this number does not fit in 64 bits
              f x = 99999999999999999999
                    ^^^^^^^^^^^^^^^^^^^^

            NumberTooLarge: this number does not fit in 64 bits
              f 9223372036854775808 = 1
                ^^^^^^^^^^^^^^^^^^^


            NumberTooLarge: no ability has so many instances
              f <c.99999999999 -> k> = 2
                   ^^^^^^^^^^^

            NumberTooLarge: this number does not fit in 64 bits
              f x = 1.0e999
                    ^^^^^^^

            UnclosedBracket: this `(` is never closed
              f x = {a -> (b | c -> d}
                          ^
              f x = {a -> (b | c -> d}
                             ^ `)` is needed before this

            BadCharacter: the character U+00A0 has no meaning here
              f x = a b
                     ^
              help: write an ordinary blank

            BadCharacter: the character `“` has no meaning in Frank
              f x = “a”
                    ^
              help: write `"` around a string
            BadCharacter: the character `”` has no meaning in Frank
              f x = “a”
                      ^
              help: write `"` around a string

            BadCharacter: the character U+0003 has no meaning here
              f x = ab
                     ^
              help: leave it out
        "#]],
    );
}

#[test]
fn heads_of_applications() {
    check(
        &[
            "f x = {y -> y} x",
            "f x = 3 x",
            "f x = (a + b) x",
            "f x = (a + b)!",
            "f x = \"a\"!",
            "f x = [a] b",
            "f x = <I> g x",
            "f x = <I> (g x)",
            "f x = (<I> g) x",
            "f x = <I> {y}",
            "f x = <I> (a + b)",
            "f x = ((g)) x",
            "f x = (g!)! y",
            "f x = g!!",
            "f x = g !x",
            "f x = (let y = 2 in y) x",
        ],
        expect![[r#"
            NotAHead: a suspended computation in braces cannot be applied: only a name can, or a use in parentheses
              f x = {y -> y} x
                    ^^^^^^^^
              help: give it a name: `let f = {…} in f x`

            NotAHead: a number cannot be applied: only a name can, or a use in parentheses
              f x = 3 x
                    ^
              help: an operator between the two may be missing, or parentheses around an argument

            NotAHead: this term cannot be applied: only a name can, or a use in parentheses
              f x = (a + b) x
                    ^^^^^^^
              help: an operator between the two may be missing, or parentheses around an argument

            NotAHead: this term cannot be applied: only a name can, or a use in parentheses
              f x = (a + b)!
                    ^^^^^^^
              help: an operator between the two may be missing, or parentheses around an argument

            NotAHead: a string cannot be applied: only a name can, or a use in parentheses
              f x = "a"!
                    ^^^
              help: an operator between the two may be missing, or parentheses around an argument

            NotAHead: a list cannot be applied: only a name can, or a use in parentheses
              f x = [a] b
                    ^^^
              help: an operator between the two may be missing, or parentheses around an argument

            Unexpected: an adapted operator needs parentheses before it can have arguments
              f x = <I> g x
                          ^
              help: write `<I> (f x)` to adapt the call, or `(<I> f) x` to adapt `f` alone



            NotAHead: a suspended computation in braces cannot be adapted: only a name can, or a use in parentheses
              f x = <I> {y}
                        ^^^
              help: an adaptor stands before what performs commands: `<I> f!`, or `<I> (f x)`

            NotAHead: this term cannot be adapted: only a name can, or a use in parentheses
              f x = <I> (a + b)
                        ^^^^^^^
              help: an adaptor stands before what performs commands: `<I> f!`, or `<I> (f x)`



            Unexpected: expected the end of the item or an operator after `!`, found `!`
              f x = g!!
                      ^


            NotAHead: this term cannot be applied: only a name can, or a use in parentheses
              f x = (let y = 2 in y) x
                    ^^^^^^^^^^^^^^^^
              help: an operator between the two may be missing, or parentheses around an argument
        "#]],
    );
}

#[test]
fn terms_on_their_own() {
    check_terms(
        &["", "1 +", "f x\ng y", "(a", "f x = 3", "-- a", "{-- a", ")"],
        expect![[r#"
            BrokenOff: expected a term, found the end of the term

              ^

            BrokenOff: expected a term after `+`, found the end of the term
              1 +
                ^


            UnclosedBracket: this `(` is never closed
              (a
              ^
              (a
               ^ `)` is needed before the end

            Unexpected: expected the end of the term or an operator after `x`, found `=`
              f x = 3
                  ^
              help: write `==` to compare, or `let x = … in …` to name

            BrokenOff: expected a term, found the end of the term
              -- a
                  ^

            UnclosedComment: this comment has no end
              {-- a
              ^^^
              help: write `--}` where it ends; every `{--` inside it needs one of its own

            Unexpected: expected a term, found `)`
              )
              ^
        "#]],
    );
}

/// A gap of a string goes over the end of a line, and what stands behind it is not in the string.
#[test]
fn gaps_before_an_arrow() {
    for text in [
        "f x = {\"\\\n  \\x\" -> 1 | _ -> 2}",
        "f x = {\"a\\ \t\n\n \\\" -> 1}",
        "f x = {(c \"\\^\\\" '\\\"') -> 1}",
    ] {
        assert_eq!(render(text, &parse_item(text)), "", "{text}");
    }
}

#[test]
fn an_open_literal_ends_before_the_break_of_its_line() {
    for text in ["f! = \"abc\r\n", "f! = 'ab\r\n"] {
        let parsed = parse_item(text);
        let [error] = &parsed.errors[..] else {
            panic!("{}", render(text, &parsed));
        };
        let range: std::ops::Range<usize> = error.range.into();
        assert_eq!(&text[range], text[5..].trim_end());
    }
}
