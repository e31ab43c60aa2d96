//! The rules of the style, one by one. Expected texts are what a reader should see.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::*;

fn formatted(text: &str) -> String {
    format(text, &FormatOptions::default()).apply(text)
}

/// Checks what `text` becomes, and all that formatting promises.
#[track_caller]
fn check(text: &str, expect: &str) {
    properties::check(text, 100);
    let formatted = formatted(text);
    assert!(
        formatted == expect,
        "expected\n{expect}\nbut got\n{formatted}"
    );
}

/// Checks that a text is formatted already.
#[track_caller]
fn same(text: &str) {
    check(text, text);
}

#[test]
fn blanks_in_types() {
    check("f:Int->Int\n", "f : Int -> Int\n");
    check(
        "f :  {S-> <State S>X->[Console]X}\n",
        "f : {S -> <State S> X -> [Console] X}\n",
    );
    check(
        "f : < I |J T , K>X -> [ 0|I ]( List X )\n",
        "f : <I|J T, K> X -> [0|I] (List X)\n",
    );
    check(
        "f : <I ( s a->s a ),J|K (D X)>X -> [E|]X\n",
        "f : <I(s a -> s a), J|K (D X)> X -> [E|] X\n",
    );
    check(
        "data D X[ E ]Y [ ]=c X ( D X )|d\n",
        "data D X [E] Y [] = c X (D X) | d\n",
    );
    check(
        "interface I=a:Int->Int|b X:X\n",
        "interface I = a : Int -> Int | b X : X\n",
    );
    check("interface I=[ J X,K ]\n", "interface I = [J X, K]\n");
    check("include   ad-paper\n", "include ad-paper\n");
    check(
        "interface C X =\n  c :\n    {[C X , S] X} -> X\n",
        "interface C X =\n  c :\n    {[C X, S] X} -> X\n",
    );
}

/// An ability belongs to the braces behind it, or to the peg that the braces are in.
#[test]
fn abilities_before_braces() {
    check("x : [] {Int}\n", "x : []{Int}\n");
    check("f : [I] {Int} -> [J]{Int}\n", "f : [I]{Int} -> [J] {Int}\n");
    check(
        "f : Job X [E|] {Int} -> {[A]{Int}}\n",
        "f : Job X [E|]{Int} -> {[A] {Int}}\n",
    );
    check(
        "f : {[A] {Int} -> Int} -> ([A] {Int})\n",
        "f : {[A]{Int} -> Int} -> ([A]{Int})\n",
    );
    check(
        "interface I = c : A -> [E|] {Int}\n",
        "interface I = c : A -> [E|]{Int}\n",
    );
    check("data D = c ([E|] {Int})\n", "data D = c ([E|]{Int})\n");
}

#[test]
fn blanks_in_terms_and_patterns() {
    check("f x=x+1*-2 - -y\n", "f x = x + 1 * -2 - -y\n");
    check("f -1 - 2=- - x\n", "f -1 -2 = - -x\n");
    check("main!=f!;g (h x) !\n", "main! = f!; g (h x)!\n");
    check("main!= 3\nf <m>= 3\n", "main! = 3\nf <m> = 3\n");
    check("f x = x!=1\n", "f x = x != 1\n");
    check("f x = x<y<1\n", "f x = x < y < 1\n");
    check(
        "f x = <I,J ( s a->s )>x<y\n",
        "f x = <I, J(s a -> s)> x < y\n",
    );
    check("f x = (<I>(g x)) y\n", "f x = (<I> (g x)) y\n");
    check(
        "f<c . 1 (d x)->k>[x,y ,_]( x::xs )= k x\n",
        "f <c.1 (d x) -> k> [x, y, _] (x :: xs) = k x\n",
    );
    check(
        "f x = {x y->x|!->1| <m>->m!}\n",
        "f x = {x y -> x | ! -> 1 | <m> -> m!}\n",
    );
    check("f x = { x<y }\n", "f x = {x < y}\n");
    check("f x = {-x}\n", "f x = {-x}\n");
    check("f x=let y=x in y\n", "f x = let y = x in y\n");
    check("f x = g'a' \"b\"\n", "f x = g'a' \"b\"\n");
    check(
        "f x = g 'a'\"b\"1.5(h 2)\n",
        "f x = g 'a' \"b\" 1.5 (h 2)\n",
    );
    check("f x = [  ]::[ [1,2],{ } ]\n", "f x = [] :: [[1, 2], {}]\n");
}

#[test]
fn comments_keep_their_places() {
    check(
        "f : {Int}   -- a  \n--b\ng : {Int}--c\n",
        "f : {Int} -- a\n--b\ng : {Int} --c\n",
    );
    check(
        "f x = {--a--}g{--b--}[{--c--}x{--d--},y{--e--}]{-- f--}\n",
        "f x = {--a--} g {--b--} [{--c--} x {--d--}, y {--e--}] {-- f--}\n",
    );
    check("f x = { -- a\n  x}\n", "f x = { -- a\n  x}\n");
    check(
        "  -- a\nf x =\n -- b\n  g\n      -- c\n    x\n   -- d\n",
        "-- a\nf x =\n  -- b\n  g\n    -- c\n    x\n-- d\n",
    );
    check(
        "f x = {--\n  as  it is  \n--}   x\n",
        "f x = {--\n  as  it is  \n--}   x\n",
    );
    check("f x = {\n  x\n-- a\n}\n", "f x = {\n  x\n  -- a\n}\n");
    check(
        "f x = {\n  x;\n-- a\n  y\n}\n",
        "f x = {\n  x;\n  -- a\n  y\n}\n",
    );
    check(
        " {-- a --} f : {Int}\n           g:{Int}\n",
        " {-- a --} f : {Int}\n           g : {Int}\n",
    );
}

#[test]
fn blank_lines_and_ends_of_lines() {
    check(
        "\n\n\nf : {Int}\n\n\n\ng : {Int} \t\n \n",
        "f : {Int}\n\ng : {Int}\n",
    );
    check(
        "f : {Int}\n-- a\n\n\n-- b\ng : {Int}",
        "f : {Int}\n-- a\n\n-- b\ng : {Int}\n",
    );
    check("f x =\n\n\n  x;\n\n  y\n", "f x =\n\n  x;\n\n  y\n");
    check(
        "f:{Int}\r\n\r\n\r\ng:{Int}\r\n",
        "f : {Int}\r\n\r\ng : {Int}\r\n",
    );
    check("f:{Int}\r\ng x =\n  x", "f : {Int}\r\ng x =\r\n  x\r\n");
    check("\u{feff}\n\nf:{Int}", "\u{feff}f : {Int}\n");
    check("", "");
    check(" \n\n", "");
    check("\n\n  -- a  \n\n\n-- b", "  -- a\n\n-- b\n");
}

#[test]
fn alignment_is_kept() {
    same("data Nullary = constE Int\ndata Unary   = negateE\ndata Binary  = plusE | timesE\n");
    same("op0 (constE i)     = c i\nop1 negateE    x   = n x\nop2 plusE      x y = p x y\n");
    same("f : {Int}       -- a\nlong : {String} -- b\n");
    same("f x = { a   -> 1\n      | bcd -> 2}\n");
    // A blank behind a bracket is for what stands behind a `|` below, and for nothing else.
    check(
        "f x = { a -> 1}\nf y = { b -> 2}\n",
        "f x = {a -> 1}\nf y = {b -> 2}\n",
    );
    // Comments between the lines do not part them.
    same("-- a\nf x  = 1\n-- b\nf yy = 2\n");
}

#[test]
fn alignment_is_never_invented() {
    check("f x   = 1\ng yyyyyy = 2\n", "f x = 1\ng yyyyyy = 2\n");
    check("f x   = 1\n\nf yyy = 2\n", "f x = 1\n\nf yyy = 2\n");
    check("f  x = 1\ng  y = 2\n", "f x = 1\ng y = 2\n");
    check("f (a)  b = c\n", "f (a) b = c\n");
}

#[test]
fn items_of_other_kinds_are_aligned_by_their_comments_alone() {
    check(
        "include  prelude\nf      : {Int}\nf!       = 1\n",
        "include prelude\nf : {Int}\nf! = 1\n",
    );
    check(
        "total : List  Int -> Int\ntotal xs      = 1\n",
        "total : List Int -> Int\ntotal xs = 1\n",
    );
    same("include prelude -- a\nf : {Int}       -- b\nf! = 1          -- c\n");
}

#[test]
fn alignment_moves_with_what_is_aligned() {
    check(
        "f(c x)    = 1\nf (c x y) = 2\n",
        "f (c x)   = 1\nf (c x y) = 2\n",
    );
    check("f x    =1\nf yy   =2\n", "f x  = 1\nf yy = 2\n");
}

#[test]
fn continuation_lines() {
    check("f x =\n x\n", "f x =\n  x\n");
    check("f x =\n      x\n", "f x =\n  x\n");
    check(
        "f x =\n\tlet y = 1 in\n\ty\n",
        "f x =\n  let y = 1 in\n  y\n",
    );
    check(
        "f x =\n    let y = 1 in\n    g\n        y;\n     y\n",
        "f x =\n  let y = 1 in\n  g\n    y;\n  y\n",
    );
    check("f x =\n  g x\n  y\n", "f x =\n  g x\n    y\n");
    same("f x =\n  g x\n    y\n    z\n");
    same("f x =\n  g x\n    (y\n      z)\n    z\n");
    same("f x =\n  let y =\n    g x in\n  y\n");
    same("f x =\n  let y = x\n  in y\n");
    same("f x = let y = x in\n      y\n");
    same("f x = g x;\n      y\n");
    same("f x =\n  x\n    + y\n      z\n");
    same("f x = [\n  1,\n  2\n]\n");
    same("f x = [1,\n       2,\n       3]\n");
    same("f x = [ 1\n      , 2\n      , 3\n      ]\n");
    check("f x = [1,\n  2,\n     3]\n", "f x = [1,\n  2,\n       3]\n");
    same("f x = if (x > 0) {\n  y\n} {\n  z\n}\n");
}

#[test]
fn clauses_on_lines() {
    same("f x =\n  case x\n    { nothing -> 1\n    | just y  -> y\n    }\n");
    same("f x =\n  case x {\n      nothing -> 1\n    | just y  -> y\n  }\n");
    same("f x =\n  case x {\n      nothing ->\n        1\n    | just y ->\n      y\n  }\n");
    same("f x = case x {nothing -> 1\n             | just y -> y}\n");
    check(
        "f x = case x {\n nothing -> 1\n| just y -> y\n}\n",
        "f x = case x {\n    nothing -> 1\n  | just y -> y\n}\n",
    );
    same("f x = g {y ->\n  y;\n  x\n}\n");
}

#[test]
fn declarations_on_lines() {
    same("interface I =\n    a : {Int}\n  | b : {Int}\n");
    same("interface I =\n  a : {Int}\n");
    same("interface I = a : {Int}\n            | b : {Int}\n");
    check(
        "interface I =\n        a : {Int}\n      | b : {Int}\n",
        "interface I =\n    a : {Int}\n  | b : {Int}\n",
    );
    check(
        "interface I = a : {Int}\n    | b : {Int}\n",
        "interface I = a : {Int}\n            | b : {Int}\n",
    );
    same("data D = a | b\n       | c\n");
    same("f : A\n -> B\n -> C\n");
    check("f : A\n     -> B\n", "f : A\n -> B\n");
    same("f :\n  A\n  -> B\n");
    same("f : A ->\n    B ->\n    C\n");
    same("f : {A\n   -> B}\n -> C\n");
}

#[test]
fn items_stay_in_their_column() {
    check(
        "   f : {Int}\n   f! =\n       1\n",
        "   f : {Int}\n   f! =\n     1\n",
    );
    check("f! = g (\n  1\n)\n", "f! = g (\n  1\n)\n");
    check("f : <\n > D ->\n D\n", "f : <\n  > D ->\n    D\n");
}

#[test]
fn broken_items_stay_as_they_are() {
    check(
        "f:{Int}\ng x = ( 1\nh:{Int}\n",
        "f : {Int}\ng x = ( 1\nh : {Int}\n",
    );
    check("f x= ) \n\n\n\ng:{Int}", "f x= ) \n\ng : {Int}\n");
    check(
        "  f:{Int}\n g:{Int}\n  h:{Int}",
        "  f : {Int}\n g:{Int}\n  h : {Int}\n",
    );
    check(
        "f:{Int}\ng! =  1 {-- a\nh:{Int}\n",
        "f : {Int}\ng! =  1 {-- a\nh : {Int}\n",
    );
    check("f:{Int}\nx  +  y\n", "f : {Int}\nx  +  y\n");
    // No alignment with those.
    check("f x    = 1\nf (y   = 2\n", "f x = 1\nf (y   = 2\n");
}

fn wrapped(text: &str, columns: usize) -> String {
    properties::check(text, columns);
    format(text, &FormatOptions { columns }).apply(text)
}

#[test]
fn long_lines() {
    assert_eq!(
        wrapped("f x = let y = g x in let z = h y in k y z\n", 30),
        "f x =\n  let y = g x in\n  let z = h y in\n  k y z\n"
    );
    assert_eq!(
        wrapped("f x = let y = g x in k y z\n", 24),
        "f x =\n  let y = g x in k y z\n"
    );
    assert_eq!(
        wrapped("f : Aaaa -> Bbbb -> Cccc\n", 20),
        "f : Aaaa\n -> Bbbb\n -> Cccc\n"
    );
    assert_eq!(
        wrapped("data D = aaaa | bbbb | cccc\n", 20),
        "data D = aaaa\n       | bbbb\n       | cccc\n"
    );
    assert_eq!(
        wrapped("f x = g [1111, 2222, 3333, 4444]\n", 20),
        "f x =\n  g [1111, 2222,\n     3333, 4444]\n"
    );
    assert_eq!(
        wrapped("f x = aaaa + bbbb * cccc - dddd\n", 20),
        "f x =\n  aaaa + bbbb * cccc\n    - dddd\n"
    );
    // What cannot be broken stays, and comments never matter.
    assert_eq!(
        wrapped("f x = \"aaaaaaaaaaaaaaaaaaaaaaaaa\"\n", 20),
        "f x =\n  \"aaaaaaaaaaaaaaaaaaaaaaaaa\"\n"
    );
    assert_eq!(
        wrapped("f x = x -- aaaaaaaaaaaaaaaaaaaaaa\n", 20),
        "f x = x -- aaaaaaaaaaaaaaaaaaaaaa\n"
    );
}

#[test]
fn parts() {
    let text = "f:{D}\ng:{D}\n\nh:{D}\ni:{D}\n";
    let part = |range| format_range(text, range, &FormatOptions::default()).apply(text);
    assert_eq!(part(0..0), "f : {D}\ng:{D}\n\nh:{D}\ni:{D}\n");
    assert_eq!(part(6..7), "f:{D}\ng : {D}\n\nh:{D}\ni:{D}\n");
    assert_eq!(part(6..15), "f:{D}\ng : {D}\n\nh : {D}\ni:{D}\n");
    assert_eq!(part(100..200), "f:{D}\ng:{D}\n\nh:{D}\ni : {D}\n");
    // A part of a paragraph is aligned with the rest of it.
    let text = "data A   = a\ndata Bcd = b\n";
    assert!(format_range(text, 0..3, &FormatOptions::default()).is_unchanged());
}

/// The programs of the paper that introduced this style.
#[test]
fn the_paper() {
    same(
        include_str!("../../../server/library/ad-paper.fk")
            .replace("[Checkpoint X , Smooth", "[Checkpoint X, Smooth")
            .replace(" \n", "\n")
            .as_str(),
    );
    same(
        "state _ x            = print \"end\"; x\n\
          state s <get   -> k> = print \"get\"; state s (k s)\n\
          state _ <put s -> k> = print \"put\"; state s (k unit)\n",
    );
    same(
        "main! = evaluate (diff (\n  p (c 1) (p (t (t (dual 2 1) (dual 2 1)) (dual 2 1))\n             (n (t (dual 4 0) (dual 4 0))))\n))\n",
    );
    same(
        "main! = evaluate (grad {x ->\n  let y = c 4 in p (c 1) (p (t (t x x) x) (n (t y y)))\n} 2)\n",
    );
    same("main! = evaluate (dv (diff (\n  {x -> t x (d {y -> p (lift x) y} (c 1))}\n)))\n");
    same(
        "main! = evaluate (\n  reverse (write (deriv (\n    let y = c 4 in\n    p (c 1) (p (t (t x x) x)\n               (n (t y y)))\n  )) (<Smooth> (c 1)));\n  read (deriv x))\n",
    );
    same(
        "main! = evaluate (gradc {x ->\n  let y = c 2 in\n  let z = checkpoint {p x y} in\n  let a = checkpoint {let w = checkpoint {t x z} in p w y} in\n  p a x\n} (c 2))\n",
    );
    same(
        "f x =\n  reverse x;\n  write z (p (read z)\n    (t (der2L timesE 2 2) (read (deriv (prop 4 r)))));\n  read (deriv x)\n",
    );
    same(
        "main! = evaluate (\n  reverse (write (deriv (\n    p (prop 1 r2)\n      (p (t (t (prop 2 z) (prop 2 z)) (prop 2 z))\n         (n (t (prop 4 r1) (prop 4 r1))))\n  )) (<Smooth> (c 1)));\n  read (deriv (prop 2 z)))\n",
    );
}
