//! Search by type.

use expect_test::{Expect, expect};

use super::fixture::Fixture;
use crate::{ByType, Mistake, Searched, TypeMatch};

/// What is found in the files of a fixture and the library, and the mistakes in a query.
fn find(fixture: &Fixture, query: &str, limit: usize) -> Result<ByType, Vec<Mistake>> {
    let searched = Searched {
        from: None,
        files: fixture.sources.iter().map(|(_, file)| *file).collect(),
    };
    fixture.analysis().find_by_type(query, &searched, limit)
}

/// `name : type (why it is an answer)`
fn line(one: &TypeMatch) -> String {
    let reason = one.reason().map(|reason| format!(" ({reason})"));
    format!("{}{}", one.signature(), reason.unwrap_or_default())
}

/// A query with the first of what is found.
fn shown(fixture: &Fixture, query: &str, limit: usize) -> String {
    let mut out = format!("{}\n", query.escape_debug());
    match find(fixture, query, limit) {
        Ok(found) => {
            for one in &found.found {
                out += &format!("    {}\n", line(one));
            }
            if let Some(nearest) = &found.nearest {
                out += &format!("    nearest: {}\n", line(nearest));
            }
            for note in &found.notes {
                out += &format!("    note: {}\n", told(query, note));
            }
        }
        Err(mistakes) => {
            for mistake in &mistakes {
                out += &format!("    {}\n", told(query, mistake));
            }
        }
    }
    out
}

/// A mistake with the text that it is at.
fn told(query: &str, mistake: &Mistake) -> String {
    let at = query.get(std::ops::Range::<usize>::from(mistake.range));
    let help = mistake.help.iter().map(|help| format!("; {help}"));
    let code = mistake.code.map(|code| format!("{code} "));
    format!(
        "{}`{}`: {}{}",
        code.unwrap_or_default(),
        at.expect("a part of the query").escape_debug(),
        mistake.message,
        help.collect::<String>()
    )
}

/// Queries with the first three of what is found for each.
fn check(fixture: &str, queries: &[&str], expected: Expect) {
    let fixture = Fixture::new(fixture);
    let lines = queries.iter().map(|query| shown(&fixture, query, 3));
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn what_has_the_type_comes_first_whatever_its_variables_are_called() {
    check(
        "-- nothing\n",
        &[
            "{X -> [E|]Y} -> List X -> [E|]List Y",
            "{a -> b} -> List a -> List b",
            "map : {X -> Y} -> List X -> List Y",
            "{{X -> Y} -> List X -> List Y}",
            "Pair X Y -> X",
            "String -> [Console]Unit",
            "Int -> Int -> Int",
            "S -> <State S> X -> X",
            "X -> Maybe X",
            "Maybe X",
            "Ref X -> [RefState]X",
            "[Abort]X",
            "{X -> Y -> Z} -> {Y -> X -> Z}",
        ],
        expect![[r#"
            {X -> [E|]Y} -> List X -> [E|]List Y
                map : {X -> Y} -> List X -> List Y
            {a -> b} -> List a -> List b
                map : {X -> Y} -> List X -> List Y
            map : {X -> Y} -> List X -> List Y
                map : {X -> Y} -> List X -> List Y
            {{X -> Y} -> List X -> List Y}
                map : {X -> Y} -> List X -> List Y
            Pair X Y -> X
                fst : Pair X Y -> X
                const : X -> {Y -> X} (isomorphic: curried, pair)
                snd : Pair X Y -> Y (isomorphic: pair)
            String -> [Console]Unit
                print : String -> [Console] Unit
                printLine : String -> [Console] Unit
                fail : String -> X (general: X = Unit, [Console])
            Int -> Int -> Int
                minInt : Int -> Int -> Int
                maxInt : Int -> Int -> Int
                rem : Int -> Int -> Int
            S -> <State S> X -> X
                evalState : S -> <State S> X -> X
            X -> Maybe X
                just : X -> Maybe X
                tail : List X -> [Abort] (List X) (special: X = List X')
            Maybe X
                nothing : Maybe X
                abort : [Abort]X (isomorphic: maybe)
                just : X -> Maybe X (applied)
            Ref X -> [RefState]X
                read : Ref X -> [RefState]X
                takeCell : Ref X -> [RefState, Smooth X] X (effects: [Smooth X])
            [Abort]X
                abort : [Abort]X
                head : List X -> [Abort] X (applied)
                orAbort : Maybe X -> [Abort] X (applied)
            {X -> Y -> Z} -> {Y -> X -> Z}
                flip : {X -> Y -> Z} -> {Y -> X -> Z}
                id : X -> X (general: X = {Y -> X -> Z})
        "#]],
    );
}

#[test]
fn arguments_may_change_places() {
    check(
        "-- nothing\n",
        &[
            "List X -> {X -> Y} -> List Y",
            "<State S> X -> S -> Pair X S",
            "{X -> Y -> Y} -> Y -> List X -> Y",
            "Maybe X -> X -> X",
            "List X -> Int -> List X",
        ],
        expect![[r#"
            List X -> {X -> Y} -> List Y
                map : {X -> Y} -> List X -> List Y (order)
            <State S> X -> S -> Pair X S
                runState : S -> <State S> X -> Pair X S (order)
                runUndo : S -> <State S, Undo> X -> Pair X S (effects: handles more)
            {X -> Y -> Y} -> Y -> List X -> Y
                foldr : {X -> Y -> Y} -> Y -> List X -> Y
                foldl : {Y -> X -> Y} -> Y -> List X -> Y (order)
            Maybe X -> X -> X
                fromMaybe : X -> Maybe X -> X (order)
                catch : <Abort> X -> {X} -> X (isomorphic: thunk, maybe)
                const : X -> {Y -> X} (general: Y = Maybe X)
            List X -> Int -> List X
                take : Int -> List X -> List X (order)
                drop : Int -> List X -> List X (order)
                const : X -> {Y -> X} (general: X = List X, Y = Int)
        "#]],
    );
}

#[test]
fn types_that_say_the_same_count() {
    check(
        "include prelude\n\npack : Pair Int Char -> Unit -> String\n\nlater : Int -> {[Console]Unit}\n",
        &[
            "List X -> Maybe X",
            "Int -> List X -> Maybe X",
            "Maybe X -> {X} -> X",
            "X -> Y -> X",
            "Bool -> X -> X -> X",
            "Pair Int Int -> Int",
            "{[Abort]X} -> Maybe X",
            "{Y -> X -> Z} -> X -> Y -> Z",
            "Char -> Int -> String",
            "Int -> [Console]Unit",
        ],
        expect![[r#"
            List X -> Maybe X
                head : List X -> [Abort] X (isomorphic: maybe)
                last : List X -> [Abort] X (isomorphic: maybe)
                oneOf : List X -> [Choice, Abort] X (effects: [Choice])
            Int -> List X -> Maybe X
                nth : Int -> List X -> [Abort] X (isomorphic: maybe)
            Maybe X -> {X} -> X
                fromMaybe : X -> Maybe X -> X (isomorphic: thunk)
                catch : <Abort> X -> {X} -> X (isomorphic: maybe)
                const : X -> {Y -> X} (general: Y = Maybe X)
            X -> Y -> X
                const : X -> {Y -> X} (isomorphic: curried)
                fst : Pair X Y -> X (isomorphic: pair)
                snd : Pair X Y -> Y (isomorphic: pair)
            Bool -> X -> X -> X
                if : Bool -> {X} -> {X} -> X (isomorphic: thunk)
            Pair Int Int -> Int
                minInt : Int -> Int -> Int (isomorphic: pair)
                maxInt : Int -> Int -> Int (isomorphic: pair)
                rem : Int -> Int -> Int (isomorphic: pair)
            {[Abort]X} -> Maybe X
                attempt : <Abort> X -> Maybe X (isomorphic: thunk)
                orAbort : Maybe X -> [Abort] X (isomorphic: thunk)
                id : X -> X (general: X = Maybe X)
            {Y -> X -> Z} -> X -> Y -> Z
                flip : {X -> Y -> Z} -> {Y -> X -> Z} (isomorphic: curried)
            Char -> Int -> String
                pack : Pair Int Char -> Unit -> String (isomorphic: pair, unit)
                replicate : Int -> X -> List X (general: X = Char)
            Int -> [Console]Unit
                ouint : Int -> [Console]Unit
                printInt : Int -> [Console] Unit
                later : Int -> {[Console]Unit} (isomorphic: thunk)
        "#]],
    );
}

#[test]
fn more_general_and_more_special_types_come_behind() {
    check(
        "-- nothing\n",
        &[
            "List Int -> Int",
            "String -> Int",
            "Bool -> Bool",
            "{X -> Bool} -> List X -> List X",
            "List X -> Int",
            "List a -> a",
            "Int -> [State Int]Unit",
            "Int -> [0]Float",
        ],
        expect![[r#"
            List Int -> Int
                sum : List Int -> Int
                volume : List Int -> Int
                length : List X -> Int (general: X = Int)
            String -> Int
                fail : String -> X (general: X = Int)
                length : List X -> Int (general: X = Char)
                expecting : String -> [Parser]X (effects: [Parser])
            Bool -> Bool
                not : Bool -> Bool
                id : X -> X (general: X = Bool)
                wholly : X -> [Parser] X (effects: [Parser])
            {X -> Bool} -> List X -> List X
                filter : {X -> Bool} -> List X -> List X
                takeWhile : {X -> Bool} -> List X -> List X
                dropWhile : {X -> Bool} -> List X -> List X
            List X -> Int
                length : List X -> Int
                sum : List Int -> Int (special: X = Int)
                volume : List Int -> Int (special: X = Int)
            List a -> a
                head : List X -> [Abort] X (effects: [Abort])
                sumS : List X -> [Smooth X] X (effects: [Smooth a])
                rosenbrock : List X -> [Smooth X] X (effects: [Smooth a])
            Int -> [State Int]Unit
                put : S -> [State S]Unit (general: S = Int)
                writtenFor : Int -> Unit (general: [State Int])
                noteNode : Int -> Unit (general: [State Int])
            Int -> [0]Float
                toFloat : Int -> Float (general: [0])
        "#]],
    );
}

#[test]
fn effects_and_handlers() {
    check(
        "interface Ask = question : String -> Bool\n\
         \n\
         answer : <Ask> X -> X\n\
         both : <Ask, Console> X -> X\n\
         behind : Bool -> <Ask> X -> Maybe X\n\
         asks : Int -> [Ask, Console]Bool\n",
        &[
            "<Abort> X -> …",
            "<Ask> X -> ...",
            "<Ask> X -> X",
            "[Ask]Bool",
            "… -> [Ask]Bool",
            "Int -> [Ask]Bool",
            "[Console]Unit",
            "_ -> _ -> Bool",
            "Bool -> _",
        ],
        expect![[r#"
            <Abort> X -> …
                attempt : <Abort> X -> Maybe X
                catch : <Abort> X -> {X} -> X
                orAbort : Maybe X -> [Abort] X (isomorphic: maybe)
            <Ask> X -> ...
                answer : <Ask> X -> X
                both : <Ask, Console> X -> X (effects: handles more)
            <Ask> X -> X
                answer : <Ask> X -> X
                both : <Ask, Console> X -> X (effects: handles more)
            [Ask]Bool
                question : String -> [Ask]Bool (applied)
                asks : Int -> [Ask, Console]Bool (effects: [Console])
            … -> [Ask]Bool
                question : String -> [Ask]Bool
                asks : Int -> [Ask, Console]Bool (effects: [Console])
            Int -> [Ask]Bool
                isEven : Int -> Bool (general: [Ask])
                isOdd : Int -> Bool (general: [Ask])
                asks : Int -> [Ask, Console]Bool (effects: [Console])
            [Console]Unit
                ouch : Char -> [Console]Unit (applied)
                ouint : Int -> [Console]Unit (applied)
                print : String -> [Console] Unit (applied)
            _ -> _ -> Bool
                eqc : Char -> Char -> Bool
                and : Bool -> Bool -> Bool
                or : Bool -> Bool -> Bool
            Bool -> _
                not : Bool -> Bool
                showBool : Bool -> String
                jsonBool : Bool -> Json
        "#]],
    );
}

/// As in a port that adds instances, in a computation that is handed over.
#[test]
fn what_a_thunk_performs_is_handled() {
    check(
        "-- nothing\n",
        &[
            "{[Choice, Abort]X} -> List X",
            "{[Choice, Abort]X} -> Maybe X",
            "Int -> {[State Int]Unit} -> Int",
            "{[Yield Int]Unit} -> List Int",
            "{[Writer W]Unit} -> Pair Unit (List W)",
        ],
        expect![[r#"
            {[Choice, Abort]X} -> List X
                allChoices : <Choice, Abort> X -> List X (isomorphic: thunk)
                abortOneWay : <Choice, Abort> X -> List X (isomorphic: thunk)
            {[Choice, Abort]X} -> Maybe X
                firstChoice : <Choice, Abort> X -> Maybe X (isomorphic: thunk)
            Int -> {[State Int]Unit} -> Int
                execState : S -> <State S> X -> S (general: S = Int, X = Unit)
            {[Yield Int]Unit} -> List Int
                collect : <Yield X> Y -> List X (general: X = Int, Y = Unit)
            {[Writer W]Unit} -> Pair Unit (List W)
                runWriter : <Writer W> X -> Pair X (List W) (general: X = Unit)
        "#]],
    );
}

#[test]
fn names_are_those_of_the_library_and_of_the_workspace() {
    check(
        "include shapes\n\n//- shapes.fk\ndata Shape = circle Float | square Float\n\n\
         area : Shape -> Float\n\n\
         //- other.fk\ndata X = x\n\nonly : X -> Shape -> X\n",
        &["Shape -> Float", "Float -> Shape", "X -> X", "Dual X -> X"],
        expect![[r#"
            Shape -> Float
                area : Shape -> Float
            Float -> Shape
                circle : Float -> Shape
                square : Float -> Shape
            X -> X
                id : X -> X
                n : X -> [Smooth X] X (effects: [Smooth X])
                negate : X -> [Smooth X] X (effects: [Smooth X])
            Dual X -> X
                v : Dual X -> X
                dv : Dual X -> X
                v : Dual X -> X
        "#]],
    );
}

#[test]
fn what_is_wrong_with_a_query_is_said() {
    check(
        "-- nothing\n",
        &[
            "",
            "\t",
            "Foo X -> Int",
            "Mayb X -> Int",
            "Strng -> Int",
            "List X Y -> Int",
            "List X ->",
            "{X -> ",
            "X} -> {Y",
            "X -> [Consle]Unit",
            "X -> {… -> Int}",
            "(X -> Y) -> List X",
            "X -> Y where",
            "1 + 2",
            "List [Console] -> Int",
            "Ref X -> Nat -> Bool -> Unit",
            "Nat -> Bool",
            "\u{1b}[31m -> X",
        ],
        expect![[r#"

                ``: there is no type to look for; write it as in a signature: `List X -> Int`, `<Abort> X -> …`, `[Console]Unit`
            \t
                `\t`: there is no type to look for; write it as in a signature: `List X -> Int`, `<Abort> X -> …`, `[Console]Unit`
            Foo X -> Int
                FK0102 `Foo`: there is no data type `Foo`, and a type variable takes no arguments
            Mayb X -> Int
                FK0102 `Mayb`: there is no data type `Mayb`, and a type variable takes no arguments; did you mean `Maybe`?
            Strng -> Int
                charToInt : Char -> Int (special: Strng = Char)
                round : Float -> Int (special: Strng = Float)
                floor : Float -> Int (special: Strng = Float)
                note: FK0410 `Strng`: `Strng` is a type variable here, for there is no type of that name; if the data type is meant, write `String`
            List X Y -> Int
                FK0208 `Y`: `List` takes one argument, `X`, but 2 are given; write `List X`, with a type of your own for it
            List X ->
                FK0001 `>`: expected a type after `->`, found the end of the type
            {X -> 
                FK0001 `>`: expected a type after `->`, found the end of the type; this `{` is open
            X} -> {Y
                FK0003 `}`: nothing opens this `}`; leave it out, or write the `{` that it closes
                FK0002 `{`: this `{` is never closed; `}` is needed before the end
            X -> [Consle]Unit
                FK0103 `Consle`: there is no interface `Consle`; did you mean `Console`?
            X -> {… -> Int}
                `…`: `…` stands for other arguments of the whole type, or for any result; within a type `_` stands for any type
            (X -> Y) -> List X
                FK0001 `->`: expected `)` after `X`, found `->`; the type of a function has braces: `{A -> B}`
            X -> Y where
                FK0102 `Y`: there is no data type `Y`, and a type variable takes no arguments
            1 + 2
                FK0001 `1`: expected a type, found `1`
            List [Console] -> Int
                FK0209 `[Console]`: the parameter `X` of `List` stands for a type, and this is an ability
            Ref X -> Nat -> Bool -> Unit
            Nat -> Bool
                nearest: suc : Nat -> Nat
            \u{1b}[31m -> X
                FK0007 `\u{1b}`: the character U+001B has no meaning here; leave it out
                FK0002 `[`: this `[` is never closed; `]` is needed before this
        "#]],
    );
}

#[test]
fn no_query_is_too_deep_or_too_long() {
    let fixture = Fixture::new("-- nothing\n");
    let deep = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    for query in [
        deep("{", "X", "}", 10_000),
        deep("(", "X", ")", 10_000),
        deep("[", "", "]", 10_000),
        deep("{", "", "", 10_000),
        deep("List (", "X", ")", 10_000),
        "X -> ".repeat(20_000),
        format!("{}X", "X -> ".repeat(200_000)),
    ] {
        let mistakes = find(&fixture, &query, 3).expect_err("a mistake");
        let length = query.len();
        let within = |mistake: &Mistake| usize::from(mistake.range.end()) <= length;
        assert!(!mistakes.is_empty() && mistakes.iter().all(within));
    }
    for query in [
        deep("{", "X", "}", 900),
        deep("{", "X -> Y", "}", 900),
        deep("List (", "X", ")", 900),
        format!("{}X", "X -> ".repeat(300)),
        format!("{}X", "{X -> Y} -> ".repeat(30)),
        "…".repeat(10_000),
    ] {
        assert!(find(&fixture, &query, 3).is_ok(), "{query}");
    }
}

#[test]
fn what_is_broken_hides_nothing_else() {
    check(
        "include prelude\n\
         good : Ref Int -> Nat\n\
         bad : Ref Int -> Naught Char\n\
         unparsed : Ref Int -> ->\n\
         data Broken X = broken (Nowhere X) | whole Int\n\
         )))\n\
         better : Ref Int -> Nat\n\
         better r = \"no\"\n\
         //- other.fk\n\
         include prelude\n\
         include nothing\n\
         best : Ref Int -> Nat\n\
         untyped r = r\n",
        &["Ref Int -> Nat", "Int -> Broken X", "Ref Int -> Naught X"],
        expect![[r#"
            Ref Int -> Nat
                good : Ref Int -> Nat
                better : Ref Int -> Nat
                best : Ref Int -> Nat
            Int -> Broken X
                whole : Int -> Broken X
            Ref Int -> Naught X
                FK0102 `Naught`: there is no data type `Naught`, and a type variable takes no arguments
        "#]],
    );
}

/// What of the first things found has to be included for them.
fn includes(fixture: &Fixture, query: &str, from: bool) -> String {
    let searched = Searched {
        from: from.then(|| fixture.main()),
        files: fixture.sources.iter().map(|(_, file)| *file).collect(),
    };
    let found = fixture.analysis().find_by_type(query, &searched, 3);
    let found = found.expect("a type").found;
    let line = |one: &TypeMatch| {
        let include = one.include.map_or("nothing", |name| name.as_str());
        format!("{}, include {include}\n", fixture.place(one.target.focus))
    };
    found.iter().map(line).collect()
}

#[test]
fn places_and_includes() {
    let fixture = Fixture::new(
        "include beside\n\nhere : Nat -> Float\n//- beside.fk\nthere : Nat -> Float\n\
         //- else.fk\nelsewhere : Nat -> Float\n",
    );
    let query = "Nat -> Float";
    expect![[r#"
        main.fk:3:1 `here`, include main
        beside.fk:1:1 `there`, include beside
        else.fk:1:1 `elsewhere`, include else
    "#]]
    .assert_eq(&includes(&fixture, query, false));
    expect![[r#"
        main.fk:3:1 `here`, include nothing
        beside.fk:1:1 `there`, include nothing
        else.fk:1:1 `elsewhere`, include else
    "#]]
    .assert_eq(&includes(&fixture, query, true));
    expect![[r#"
        library:/prelude.fk:178:1 `natToInt`, include prelude
    "#]]
    .assert_eq(&includes(&fixture, "Nat -> Int", true));
    expect![[r#"
        library:/builtin.fk:59:1 `charToInt`, include nothing
        library:/text.fk:56:1 `digitValue`, include text
    "#]]
    .assert_eq(&includes(&fixture, "Char -> Int", true));
    let found = find(&fixture, query, 1).expect("a type");
    assert_eq!((found.found.len(), found.total), (1, 3));
}
