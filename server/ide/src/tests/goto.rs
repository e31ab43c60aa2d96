use super::fixture::Fixture;
use crate::goto::Goto;
use crate::{Analysis, FilePosition, FileRange};

type Ask = fn(&Analysis, FilePosition) -> Option<Goto>;

/// Asks at the cursor and compares with the marked ranges.
fn check(ask: Ask, fixture: &str) {
    let fixture = Fixture::new(fixture);
    let analysis = fixture.analysis();
    let found = ask(&analysis, fixture.cursor());
    let mut found: Vec<FileRange> = found.map_or_else(Vec::new, |goto| {
        goto.targets.iter().map(|t| t.focus).collect()
    });
    let mut wanted = fixture.ranges();
    let key = |range: &FileRange| {
        (
            range.file.path(fixture.files.db()).to_owned(),
            range.range.start(),
        )
    };
    found.sort_by_key(key);
    wanted.sort_by_key(key);
    let shown = |ranges: &[FileRange]| ranges.iter().map(|r| fixture.place(*r)).collect::<Vec<_>>();
    assert_eq!(shown(&found), shown(&wanted));
}

#[test]
fn a_local_leads_to_where_it_is_bound() {
    check(
        Analysis::definition,
        "
f : Int -> Int
f x = let y = x in $0y
          ^
",
    );
    check(
        Analysis::definition,
        "
f : Int -> Int
f x = case 1 {y -> x$0}
  ^
",
    );
}

#[test]
fn constructors_and_commands_mean_themselves_under_any_binding() {
    check(
        Analysis::definition,
        "
data T = t
         ^
f : {T -> T}
f x = let g = {x -> x} in $0t
",
    );
}

#[test]
fn an_operator_leads_to_its_clauses_and_a_clause_to_the_signature() {
    check(
        Analysis::definition,
        "
f : Int -> Int
f 0 = 1
^
f n = 2
^
main : {Int}
main! = $0f 3
",
    );
    check(
        Analysis::definition,
        "
f : Int -> Int
^
f$0 0 = 1
",
    );
    check(
        Analysis::declaration,
        "
f : Int -> Int
^
f 0 = 1
main : {Int}
main! = $0f 3
",
    );
}

#[test]
fn interfaces_types_and_variables() {
    check(
        Analysis::definition,
        "
interface Ask = ask : Int
          ^^^
f : {<$0Ask> X -> X}
",
    );
    check(
        Analysis::definition,
        "
data Pair A B = mk A B
data Two A = two $0A
         ^
",
    );
    check(
        Analysis::definition,
        "
f : X -> {[E|]Y} -> [$0E|]X
           ^
",
    );
}

#[test]
fn adaptor_names_lead_into_the_adaptor() {
    check(
        Analysis::definition,
        "
interface I X = i : X
f : {[I Int, I Char]Int}
f! = <I(s a b -> s b $0a)> i!
          ^
",
    );
}

#[test]
fn includes_lead_to_files_and_names_into_them() {
    check(
        Analysis::definition,
        "
include lib
f : {Int}
f! = $0g!
//- lib.fk
g : {Int}
g! = 1
^
",
    );
    let fixture = Fixture::new("include $0prelude\n");
    let analysis = fixture.analysis();
    let goto = analysis.definition(fixture.cursor()).expect("a file");
    assert_eq!(
        goto.targets[0].focus.file.path(fixture.files.db()),
        "library:/prelude.fk"
    );
    let fixture = Fixture::new("include prelude\nf : {Int}\nf! = $0fst (pair 1 2)\n");
    let analysis = fixture.analysis();
    let goto = analysis.definition(fixture.cursor()).expect("an operator");
    assert_eq!(
        goto.targets[0].focus.file.path(fixture.files.db()),
        "library:/prelude.fk"
    );
}

#[test]
fn a_term_leads_to_its_data_type() {
    check(
        Analysis::type_definition,
        "
data T = t
     ^
f : T -> T
f x = $0x
",
    );
    check(
        Analysis::type_definition,
        "
data T = t
     ^
f : Int -> T
f x = t
g : {T}
g! = $0f 1
",
    );
}

#[test]
fn what_handles_a_command() {
    check(
        Analysis::implementation,
        "
interface State S = get$0 : S | put : S -> Unit
f : S -> <State S>X -> X
f s <get -> k> = f s (k s)
     ^^^
f _ <put s -> k> = f s (k unit)
f _ x = x
g : <State S, State T>X -> X
g <get.1 -> k> = g (k k)
   ^^^
",
    );
    check(
        Analysis::implementation,
        "
interface $0State S = get : S | put : S -> Unit
f : S -> <State S>X -> X
f s <get -> k> = f s (k s)
     ^^^
f _ <put s -> k> = f s (k unit)
     ^^^
f _ x = x
",
    );
    check(
        Analysis::implementation,
        "
data $0Bit = off | on
           ^^^   ^^
",
    );
}
