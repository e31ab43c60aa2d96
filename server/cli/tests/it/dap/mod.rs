//! `frank dap`: every request, on the real binary.

mod client;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::Dir;
use client::Client;

const PROGRAM: &str = "\
include prelude

tick : [State Int] Int
tick! =
  let x = get! in
  put (x + 1);
  x * 2

interface Choice = pick : Bool

choose : <Choice>X -> List X
choose x = [x]
choose <pick -> k> = append (choose (k true)) (choose (k false))

append : List X -> List X -> List X
append [] ys = ys
append (x :: xs) ys = x :: append xs ys

fact : Int -> Int
fact n = if (n < 1) {1} {n * fact (n - 1)}

main : {List Int}
main! =
  let a = evalState 1 tick! in
  let b = fact 3 in
  choose (a + b + (if pick! {1} {2}))

echo : [Console] Unit
echo! = ouch inch!; ouch inch!

half : Int -> Int
half 0 = 0

stuck : {Int}
stuck! = half 7

forever : {Int}
forever! = forever!

stopAt : <Abort>X -> Int
stopAt x = 1
stopAt <abort -> _> = 2

dropped : {Int}
dropped! = stopAt abort!

count : Int -> Int -> Int
count 0 total = total
count n total = count (n - 1) (total + n)

long : {Int}
long! = count 100000 0

sumTo : Int -> Int
sumTo 0 = 0
sumTo n = n + sumTo (n - 1)

forgets : <Abort>X -> Int
forgets x = 1
forgets <abort -> k> = 2

forgotten : {Int}
forgotten! = forgets abort!

outer : Int -> Int
outer n =
  let a = evalState n tick! in
  let b = evalState a tick! in
  a + b

passes : {Int}
passes! =
  let c = outer 3 in
  c + 1

divides : {Int}
divides! = 1 / (2 - 2)

many : Int -> [State Int] Int
many 0 = get!
many n = put (get! + 1); many (n - 1)

repeats : [State Int] Int
repeats! =
  let d = many 100 in
  d + 1

counts : {Int}
counts! = evalState 0 repeats!
";

/// The line of the program, from 1, that begins so.
fn line(begin: &str) -> i64 {
    let mut lines = PROGRAM.lines();
    lines.position(|line| line.starts_with(begin)).unwrap() as i64 + 1
}

/// A folder with the program; what is to be launched; the file.
fn dir() -> (Dir, PathBuf) {
    let dir = Dir::new(&[("p.fk", PROGRAM), ("input.txt", "ab")]);
    let file = dir.path().join("p.fk");
    (dir, file)
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn lines_stop_and_the_value_is_printed() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file }));
    // Nothing is evaluated on the line of a signature, so the next one is taken.
    assert_eq!(client.lines(&file, &[6, 18]), [json!(6), json!(20)]);
    client.configured();
    assert_eq!(
        client.stopped(),
        ("breakpoint".to_owned(), "tick:6".to_owned())
    );
    assert_eq!(client.scope(1, "Locals"), [pair("x", "1")]);
    let stack = client.stack();
    assert_eq!(stack[0], "tick:6");
    let handler = "handler of State: evalState 1 □:";
    assert!(
        stack.iter().any(|frame| frame.starts_with(handler)),
        "{stack:?}"
    );
    for n in ["3", "2", "1", "0"] {
        assert_eq!(
            client.go("continue"),
            ("breakpoint".to_owned(), "fact:20".to_owned())
        );
        assert_eq!(client.scope(1, "Locals"), [pair("n", n)]);
    }
    client.call("continue", json!({ "threadId": 1 }));
    assert_eq!(client.ended(), 0);
    assert_eq!(client.printed("stdout"), "[9, 10]\n");
    client.call("disconnect", Value::Null);
    assert!(client.hang_up());
}

#[test]
fn steps_go_over_into_out_and_back() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "stopOnEntry": true }));
    client.configured();
    assert_eq!(client.stopped().0, "entry");
    client.lines(&file, &[25]);
    assert_eq!(client.go("continue").1, "main:25");
    client.lines(&file, &[]);
    // To the call, then over it.
    assert_eq!(
        client.go("stepIn"),
        ("step".to_owned(), "main:25".to_owned())
    );
    assert_eq!(client.scope(1, "State")[0], pair("focus", "fact 3"));
    assert_eq!(client.go("next").1, "main:26");
    assert_eq!(client.scope(1, "Locals"), [pair("a", "2"), pair("b", "6")]);
    // Back before the call it stands in the middle of it.
    assert_eq!(client.go("stepBack").0, "step");
    assert!(
        client
            .stack()
            .iter()
            .filter(|frame| frame.contains("fact"))
            .count()
            >= 4
    );
    client.lines(&file, &[20]);
    assert_eq!(client.go("reverseContinue").0, "breakpoint");
    assert_eq!(client.scope(1, "Locals"), [pair("n", "0")]);
    for n in ["1", "2", "3"] {
        assert_eq!(
            client.go("reverseContinue"),
            ("breakpoint".to_owned(), "fact:20".to_owned())
        );
        assert_eq!(client.scope(1, "Locals"), [pair("n", n)]);
    }
    // Out of it.
    client.lines(&file, &[]);
    // The caller has the value, and what comes next is the next line.
    assert_eq!(client.go("stepOut").1, "main:25");
    assert_eq!(client.scope(1, "State")[0], pair("focus", "6"));
    assert_eq!(client.go("stepIn").1, "main:26");
    assert_eq!(client.scope(1, "Locals"), [pair("a", "2"), pair("b", "6")]);
    assert_eq!(client.go("reverseContinue").0, "entry");
    // A rule at a time.
    let by_rules = json!({ "threadId": 1, "granularity": "instruction" });
    for applied in ["1", "2"] {
        client.call("stepIn", by_rules.clone());
        client.stopped();
        assert_eq!(client.scope(1, "State")[2], pair("rules applied", applied));
    }
    client.call("stepBack", by_rules);
    client.stopped();
    assert_eq!(client.scope(1, "State")[2], pair("rules applied", "1"));
}

#[test]
fn a_step_over_a_command_has_its_result() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file }));
    client.lines(&file, &[5]);
    client.configured();
    assert_eq!(client.stopped().1, "tick:5");
    assert_eq!(client.go("stepIn").1, "tick:5");
    assert_eq!(client.scope(1, "State")[0], pair("focus", "get!"));
    assert_eq!(client.go("next").1, "tick:6");
    assert_eq!(client.scope(1, "Locals"), [pair("x", "1")]);
    assert_eq!(client.go("stepIn").1, "tick:6");
    assert_eq!(client.go("next").1, "tick:7");
}

#[test]
fn what_happens_to_commands_stops() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file }));
    let all = [
        "performed",
        "handled",
        "captured",
        "resumed",
        "resumedAgain",
    ];
    let all = all.map(|id| json!({ "filterId": id, "condition": "Choice" }));
    client.filters(json!(all));
    client.configured();
    let mut seen = Vec::new();
    for _ in 0..4 {
        let event = client.event("stopped");
        assert_eq!(event["reason"], "exception");
        seen.push(event["description"].as_str().unwrap().to_owned());
        let info = client.call("exceptionInfo", json!({ "threadId": 1 }));
        assert_eq!(info["description"], event["description"]);
        client.call("continue", json!({ "threadId": 1 }));
    }
    assert_eq!(
        seen,
        [
            "`pick` is performed",
            "the continuation of `pick` is captured",
            "the continuation of `pick` is resumed",
            "the continuation of `pick` is resumed a second time",
        ]
    );
    client.ended();
}

#[test]
fn continuations_open_to_their_frames() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file }));
    client.lines(&file, &[13]);
    client.configured();
    assert_eq!(client.stopped().1, "choose:13");
    let scopes = client.call("scopes", json!({ "frameId": 1 }));
    let locals = client.variables(&scopes["scopes"][0]["variablesReference"]);
    assert_eq!(locals[0]["name"], "k");
    assert_eq!(locals[0]["type"], "{Bool -> [Choice]X}");
    let parts = client.variables(&locals[0]["variablesReference"]);
    assert_eq!(
        (&parts[0]["name"], &parts[0]["value"]),
        (&json!("waits at"), &json!("pick!"))
    );
    assert_eq!(parts[1]["value"], "not yet");
    assert_eq!(parts[2]["value"], "main");
    let inside = client.variables(&parts[2]["variablesReference"]);
    assert_eq!(
        (&inside[0]["name"], &inside[0]["value"]),
        (&json!("a"), &json!("2"))
    );
    // It can be tried out, and stays as it was.
    assert_eq!(client.evaluate("choose (k true)"), Ok("[9]".to_owned()));
    let again = client.call(
        "evaluate",
        json!({ "expression": "k", "frameId": 1, "context": "watch" }),
    );
    let parts = client.variables(&again["variablesReference"]);
    assert_eq!(parts[1]["value"], "not yet");
}

#[test]
fn terms_are_evaluated_under_the_handlers_around() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file }));
    client.lines(&file, &[7]);
    client.configured();
    assert_eq!(client.stopped().1, "tick:7");
    assert_eq!(client.evaluate("x + 10"), Ok("11".to_owned()));
    assert_eq!(client.evaluate("get!"), Ok("2".to_owned()));
    assert_eq!(client.evaluate("put 7; get! + x"), Ok("8".to_owned()));
    assert_eq!(client.evaluate("get!"), Ok("2".to_owned()));
    // A term may have handlers of its own, one in another.
    let nested = client.evaluate("choose (if pick! {pick!} {false})");
    assert_eq!(nested, Ok("[true, false, false]".to_owned()));
    let nested = client.evaluate("evalState 5 (put (x + get!); get!) + get!");
    assert_eq!(nested, Ok("8".to_owned()));
    assert!(client.evaluate("y").unwrap_err().contains('y'));
    assert!(client.evaluate("x +").is_err());
    assert!(client.evaluate("forever!").unwrap_err().contains("1000000"));
    let hover = json!({ "expression": "x", "frameId": 1, "context": "hover" });
    let hover = client.call("evaluate", hover);
    assert_eq!(
        (&hover["result"], &hover["type"]),
        (&json!("1"), &json!("Int"))
    );
}

#[test]
fn conditions_hits_and_logs() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file }));
    let wanted =
        json!([{ "line": 20, "condition": "n == 1" }, { "line": 20, "logMessage": "n is {n}" }]);
    client.breakpoints(&file, wanted);
    client.configured();
    assert_eq!(client.stopped().0, "breakpoint");
    assert_eq!(client.scope(1, "Locals"), [pair("n", "1")]);
    assert_eq!(client.printed("console"), "n is 3\nn is 2\nn is 1\n");
    client.call("continue", json!({ "threadId": 1 }));
    client.ended();

    let mut client = Client::launch(json!({ "program": file }));
    client.breakpoints(&file, json!([{ "line": 20, "hitCondition": "3" }]));
    let wrong = client.breakpoints(&file, json!([{ "line": 20, "hitCondition": "often" }]));
    assert_eq!(wrong[0]["verified"], false);
    client.breakpoints(&file, json!([{ "line": 20, "hitCondition": "% 2" }]));
    client.filters(json!([{ "filterId": "ended" }]));
    client.configured();
    client.stopped();
    assert_eq!(client.scope(1, "Locals"), [pair("n", "2")]);
    client.go("continue");
    assert_eq!(client.scope(1, "Locals"), [pair("n", "0")]);
    // The hits have their numbers on the way back, and forth again.
    assert_eq!(client.go("continue").0, "exception");
    for n in ["0", "2"] {
        assert_eq!(client.go("reverseContinue").0, "breakpoint");
        assert_eq!(client.scope(1, "Locals"), [pair("n", n)]);
    }
    assert_eq!(client.go("reverseContinue").0, "entry");
    for n in ["2", "0"] {
        assert_eq!(client.go("continue").0, "breakpoint");
        assert_eq!(client.scope(1, "Locals"), [pair("n", n)]);
    }
}

#[test]
fn operators_and_columns_have_breakpoints() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file }));
    let answer = client.call(
        "setFunctionBreakpoints",
        json!({ "breakpoints": [{ "name": "append" }, { "name": "no" }] }),
    );
    assert_eq!(answer["breakpoints"][0]["verified"], true);
    assert_eq!(answer["breakpoints"][1]["verified"], false);
    let arguments = json!({ "source": { "path": file }, "line": 20 });
    let places = client.call("breakpointLocations", arguments);
    let columns: Vec<i64> = places["breakpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["column"].as_i64().unwrap())
        .collect();
    assert!(columns.len() > 4 && columns.is_sorted(), "{columns:?}");
    // The body `n * fact (n - 1)` in its braces.
    let column = PROGRAM.lines().nth(19).unwrap().find("n *").unwrap() as i64 + 1;
    let set = client.breakpoints(&file, json!([{ "line": 20, "column": column }]));
    assert_eq!(set[0]["column"], column);
    // Inside of a term it is at that.
    let inside = client.breakpoints(&file, json!([{ "line": 20, "column": column + 5 }]));
    assert_eq!(inside[0]["column"], column + 4);
    client.breakpoints(&file, json!([{ "line": 20, "column": column }]));
    client.configured();
    assert_eq!(client.stopped().1, "{…} in fact:20");
    client.lines(&file, &[]);
    assert_eq!(client.go("continue").1, "append:17");
}

#[test]
fn failures_stop_where_they_are() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "entry": "stuck" }));
    client.configured();
    let event = client.event("stopped");
    assert_eq!(event["reason"], "exception");
    assert_eq!(event["description"], "no clause of `half` matches");
    assert_eq!(client.top(), "stuck:35");
    assert_eq!(client.go("stepBack").0, "step");
    assert_eq!(client.go("continue").0, "exception");
    client.call("continue", json!({ "threadId": 1 }));
    assert_eq!(client.ended(), 3);

    // Where nobody wants that, the run ends.
    let mut client = Client::launch(json!({ "program": file, "entry": "stuck" }));
    client.filters(json!([]));
    client.configured();
    assert_eq!(client.ended(), 3);
    assert_eq!(client.printed("stderr"), "no clause of `half` matches\n");
}

#[test]
fn a_dropped_continuation_and_the_end() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "entry": "dropped" }));
    let answer = client.filters(json!([
        { "filterId": "dropped" }, { "filterId": "ended" }, { "filterId": "performed", "condition": "Nobody" },
    ]));
    assert_eq!(answer["breakpoints"][2]["verified"], false);
    client.configured();
    assert_eq!(
        client.event("stopped")["description"],
        "the continuation of `abort` is dropped"
    );
    client.call("continue", json!({ "threadId": 1 }));
    assert_eq!(
        client.event("stopped")["description"],
        "the run ends with 2"
    );
    assert_eq!(client.top(), format!("dropped:{}", line("dropped :")));
    assert_eq!(client.go("reverseContinue").0, "exception");
    client.call("terminate", Value::Null);
    client.ended();
}

#[test]
fn input_is_typed_read_from_a_file_or_given() {
    let (dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "entry": "echo" }));
    client.filters(json!([{ "filterId": "ended" }]));
    client.configured();
    while !client.printed("console").contains("waits for input") {
        let event = client.next();
        client.events.push(event);
    }
    client.call(
        "evaluate",
        json!({ "expression": "xyz", "context": "repl" }),
    );
    assert_eq!(client.event("stopped")["reason"], "exception");
    assert_eq!(client.printed("stdout"), "xy");
    // Going back neither asks nor prints again.
    assert_eq!(client.go("reverseContinue").0, "entry");
    assert_eq!(client.go("continue").0, "exception");
    assert_eq!(client.printed("stdout"), "xy");
    client.call("continue", json!({ "threadId": 1 }));
    client.ended();

    for input in [
        json!({ "inputFile": dir.path().join("input.txt") }),
        json!({ "input": "ab" }),
    ] {
        let mut arguments = json!({ "program": file, "entry": "echo" });
        arguments
            .as_object_mut()
            .unwrap()
            .extend(input.as_object().unwrap().clone());
        let mut client = Client::launch(arguments);
        client.configured();
        assert_eq!(client.ended(), 0);
        assert_eq!(client.printed("stdout"), "ab\nunit\n");
    }
}

#[test]
fn a_run_can_be_paused_and_left() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "entry": "forever" }));
    client.configured();
    assert!(
        client
            .try_call("stackTrace", json!({ "threadId": 1 }))
            .is_err()
    );
    client.call("pause", json!({ "threadId": 1 }));
    let (reason, top) = client.stopped();
    assert_eq!(reason, "pause");
    assert!(top.starts_with("forever:"), "{top}");
    client.call("continue", json!({ "threadId": 1 }));
    client.call("disconnect", Value::Null);
    assert!(client.hang_up());
}

#[test]
fn a_long_run_goes_back() {
    let (_dir, file) = dir();
    let limits = json!({ "program": file, "entry": "long", "memory": 64 << 20 });
    let mut client = Client::launch(limits);
    client.filters(json!([{ "filterId": "ended" }]));
    client.breakpoints(&file, json!([{ "line": 49, "condition": "n == 100000" }]));
    client.configured();
    assert_eq!(client.stopped().0, "breakpoint");
    client.breakpoints(&file, json!([{ "line": 49, "condition": "n == 50000" }]));
    assert_eq!(client.go("continue").0, "breakpoint");
    assert_eq!(client.scope(1, "Locals")[0], pair("n", "50000"));
    assert_eq!(client.go("continue").0, "exception");
    assert_eq!(client.go("reverseContinue").0, "breakpoint");
    assert_eq!(client.scope(1, "Locals")[0], pair("n", "50000"));
}

#[test]
fn terms_and_library_texts() {
    let (_dir, file) = dir();
    let mut client = Client::launch(
        json!({ "program": file, "term": "evalState 5 tick!", "stopOnEntry": true }),
    );
    client.configured();
    client.stopped();
    let sources = client.call("loadedSources", Value::Null);
    let sources = sources["sources"].as_array().unwrap();
    let prelude = sources
        .iter()
        .find(|source| source["name"] == "prelude.fk")
        .unwrap();
    let reference = prelude["sourceReference"].clone();
    let text = client.call(
        "source",
        json!({ "source": prelude, "sourceReference": reference }),
    );
    let text = text["content"].as_str().unwrap();
    let line = text
        .lines()
        .position(|line| line.starts_with("evalState"))
        .unwrap() as i64;
    let set = client.call("setBreakpoints", json!({ "source": { "sourceReference": reference }, "breakpoints": [{ "line": line + 2 }] }));
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    assert_eq!(client.go("continue").0, "breakpoint");
    assert!(client.top().starts_with("evalState:"));
    let threads = client.call("threads", Value::Null);
    assert_eq!(threads["threads"][0]["id"], 1);
}

#[test]
fn what_cannot_be_launched_is_said() {
    let dir = Dir::new(&[
        ("p.fk", "main : {Int}\nmain! = x\n"),
        (
            "ok.fk",
            "main : {Int}\nmain! = 1\ntwice : Int -> Int\ntwice n = n + n\n",
        ),
    ]);
    let launch = |arguments: Value| {
        let mut client = Client::spawn();
        client.call("initialize", json!({}));
        client.try_call("launch", arguments).unwrap_err()
    };
    assert!(launch(json!({ "program": dir.path().join("p.fk") })).contains("p.fk:2:9"));
    assert!(launch(json!({ "program": dir.path().join("none.fk") })).contains("none.fk"));
    assert!(launch(json!({ "program": dir.path() })).contains("directory"));
    assert!(launch(json!({})).contains("`program`"));
    assert_eq!(
        launch(json!({ "program": 1 })),
        "the attribute `program` has to be the path of a file, as a text, not 1"
    );
    assert_eq!(
        launch(json!({ "program": "p.fk", "term": null, "steps": -5 })),
        "the attribute `steps` has to be a number of rules: whole, and not below 0, not -5"
    );
    assert!(launch(json!("p.fk")).contains("object"));
    let ok = dir.path().join("ok.fk");
    assert!(launch(json!({ "program": ok, "entry": "nain" })).contains("main"));
    assert_eq!(
        launch(json!({ "program": ok, "entry": "twice" })),
        "`twice` cannot be run: it takes arguments; `\"term\"` takes a call of it with some"
    );
    assert!(launch(json!({ "program": ok, "term": "1 + " })).contains("FK"));
    assert!(launch(json!({ "program": ok, "input": "", "inputFile": "x" })).contains("exclude"));
    assert!(launch(json!({ "program": ok, "inputFile": "no-such-file" })).contains("no-such-file"));
    // Nothing else comes before it, and attaching is no way.
    let mut client = Client::spawn();
    let by_uri = client.try_call("initialize", json!({ "pathFormat": "uri" }));
    assert_eq!(
        by_uri,
        Err("files are named by their paths, not as `uri`".to_owned())
    );
    client.call("initialize", json!({}));
    assert!(client.try_call("threads", Value::Null).is_err());
    assert!(
        client
            .try_call("attach", json!({}))
            .unwrap_err()
            .contains("launch")
    );
}

#[test]
fn anything_may_come() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "stopOnEntry": true }));
    client.configured();
    client.stopped();
    client.send_raw("Content-Length: 3\r\n\r\n{]}");
    client.send_raw("X: y\r\n\r\n");
    assert!(
        client
            .try_call("noSuchRequest\u{1b}", Value::Null)
            .unwrap_err()
            .contains("noSuchRequest")
    );
    for id in [12345, -3] {
        let refused = client.try_call("scopes", json!({ "frameId": id }));
        assert!(refused.is_err_and(|reason| reason.starts_with("there is no frame")));
    }
    for reference in [999, -1] {
        let asked = json!({ "variablesReference": reference });
        let refused = client.try_call("variables", asked);
        assert!(refused.is_err_and(|reason| reason.starts_with("there are no variables")));
    }
    for (command, arguments) in [
        (
            "stackTrace",
            json!({ "startFrame": -1, "levels": 9_000_000_000_i64 }),
        ),
        (
            "setBreakpoints",
            json!({ "source": { "path": file }, "breakpoints": [{ "line": -7 }, { "line": 1_i64 << 40, "column": -1 }] }),
        ),
        (
            "breakpointLocations",
            json!({ "source": { "path": "/none" }, "line": 1 }),
        ),
        ("loadedSources", json!({})),
    ] {
        client.call(command, arguments);
    }
    for (command, arguments) in [
        ("evaluate", json!({ "expression": "" })),
        ("evaluate", json!({ "expression": "}{", "frameId": 1 })),
        (
            "evaluate",
            json!({ "expression": "-- only a comment", "frameId": 1 }),
        ),
        ("source", json!({ "sourceReference": 77 })),
        ("scopes", json!({ "frameId": "one" })),
        ("launch", json!({})),
    ] {
        assert!(client.try_call(command, arguments).is_err(), "{command}");
    }
    assert!(client.hang_up());
}

#[test]
fn a_step_at_the_end_of_a_body_leaves_one_caller() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "term": "sumTo 3" }));
    let at = PROGRAM.lines().position(|line| line.starts_with("sumTo 0"));
    let line = at.unwrap() + 1;
    client.breakpoints(&file, json!([{ "line": line }]));
    client.configured();
    assert_eq!(client.stopped().0, "breakpoint");
    let mut depths = Vec::new();
    let depth = |client: &mut Client| {
        let trace = client.call("stackTrace", json!({ "threadId": 1 }));
        trace["stackFrames"].as_array().unwrap().len()
    };
    depths.push(depth(&mut client));
    for _ in 0..3 {
        client.go("next");
        depths.push(depth(&mut client));
    }
    assert_eq!(depths, [4, 3, 2, 1]);
}

#[test]
fn breakpoints_that_cannot_count_are_refused() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file }));
    let asked = json!({
        "source": { "path": file },
        "breakpoints": [
            { "line": 0 }, { "line": -3 }, { "line": 18, "condition": "n <" },
            { "line": 18, "condition": "n < 2" },
        ],
    });
    let answer = client.call("setBreakpoints", asked);
    let said: Vec<(bool, &str)> = answer["breakpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| {
            (
                point["verified"] == true,
                point["message"].as_str().unwrap_or(""),
            )
        })
        .collect();
    assert_eq!(said[0], (false, "there is no line 0: the first is 1"));
    assert_eq!(said[1], (false, "there is no line -3: the first is 1"));
    assert!(
        !said[2].0 && said[2].1.starts_with("the condition `n <` is no term: "),
        "{said:?}"
    );
    assert!(said[3].0, "{said:?}");
}

#[test]
fn what_is_not_there_is_said() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "stopOnEntry": true }));
    client.configured();
    client.stopped();
    let asked = [
        (
            "stackTrace",
            json!({ "threadId": 7 }),
            "there is no thread 7: the run is thread 1",
        ),
        (
            "variables",
            json!({ "variablesReference": 4711 }),
            "there are no variables 4711 here: `scopes` and `variables` name those that there are",
        ),
    ];
    for (request, arguments, reason) in asked {
        assert_eq!(client.try_call(request, arguments), Err(reason.to_owned()));
    }
    let mut other = Client::spawn();
    other.call("initialize", json!({ "adapterID": "frank" }));
    let reason = other.try_call("launch", json!({ "program": file, "entry": "mian" }));
    let reason = reason.unwrap_err();
    assert_eq!(
        reason,
        r#"there is no operator `mian` to run; did you mean `"entry": "main"`?"#
    );
}

#[test]
fn braces_can_be_logged() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "term": "sumTo 1" }));
    let at = PROGRAM.lines().position(|line| line.starts_with("sumTo n"));
    let line = at.unwrap() + 1;
    client.breakpoints(
        &file,
        json!([{ "line": line, "logMessage": "{{n}} is {n}" }]),
    );
    client.configured();
    client.event("terminated");
    let logged = client
        .events
        .iter()
        .find(|event| event["body"]["category"] == "console");
    assert_eq!(logged.unwrap()["body"]["output"], "{n} is 1\n");
}

/// Handlers in what is stepped over or out of are no ends of it.
#[test]
fn a_step_over_a_call_passes_the_handlers_in_it() {
    let (_dir, file) = dir();
    let at = line("  let c");
    let mut client = Client::launch(json!({ "program": file, "entry": "passes" }));
    client.lines(&file, &[at]);
    client.configured();
    assert_eq!(client.stopped().1, format!("passes:{at}"));
    client.lines(&file, &[]);
    client.go("stepIn");
    assert_eq!(client.scope(1, "State")[0], pair("focus", "outer 3"));
    assert_eq!(client.go("next").1, format!("passes:{}", at + 1));
    assert_eq!(client.scope(1, "Locals"), [pair("c", "18")]);
    // Out of the body that has the handlers, from before the second one.
    client.lines(&file, &[line("  let b = evalState a")]);
    assert_eq!(client.go("reverseContinue").0, "breakpoint");
    assert_eq!(client.go("stepOut").1, format!("passes:{at}"));
    assert_eq!(client.scope(1, "State")[0], pair("focus", "18"));
    // Out of what a handler has resumed: its clause has put the frames into its own body.
    assert_eq!(client.go("reverseContinue").0, "breakpoint");
    client.go("stepIn");
    client.go("stepIn");
    assert!(client.top().starts_with("tick:"), "{}", client.top());
    client.go("stepOut");
    assert!(client.top().starts_with("evalState:"), "{}", client.top());
}

/// Each step shows another place: the call of the run is where the run begins, and a call is passed with its arguments.
#[test]
fn a_step_shows_something_else() {
    let (_dir, file) = dir();
    let at = line("  let c");
    for step in ["next", "stepIn"] {
        let launch = json!({ "program": file, "entry": "passes", "stopOnEntry": true });
        let mut client = Client::launch(launch);
        client.configured();
        assert_eq!(client.stopped().0, "entry");
        assert_eq!(client.go(step).1, format!("passes:{at}"));
    }
    let mut client = Client::launch(json!({ "program": file, "entry": "passes" }));
    let column = "  let c = ".len() + 1;
    client.breakpoints(&file, json!([{ "line": at, "column": column }]));
    client.configured();
    assert_eq!(client.stopped().1, format!("passes:{at}"));
    assert_eq!(client.go("next").1, format!("passes:{}", at + 1));
    assert_eq!(client.scope(1, "Locals"), [pair("c", "18")]);
}

/// What is waited for is followed through any number of commands.
#[test]
fn a_step_over_many_commands_ends() {
    let (_dir, file) = dir();
    let at = line("  let d");
    let mut client = Client::launch(json!({ "program": file, "entry": "counts" }));
    client.lines(&file, &[at]);
    client.configured();
    assert_eq!(client.stopped().1, format!("repeats:{at}"));
    client.lines(&file, &[]);
    client.go("stepIn");
    assert_eq!(client.go("next").1, format!("repeats:{}", at + 1));
    assert_eq!(client.scope(1, "Locals"), [pair("d", "100")]);
    client.lines(&file, &[line("many 0")]);
    assert_eq!(client.go("reverseContinue").0, "breakpoint");
    assert_eq!(client.go("stepOut").1, format!("repeats:{at}"));
}

/// A breakpoint does not leave an operator that the run does not reach.
#[test]
fn a_breakpoint_stays_where_it_was_set() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "entry": "passes" }));
    let lines = ["choose x", "choose :", "append (x", "outer :", "divides!"].map(line);
    let asked = lines.map(|line| json!({ "line": line }));
    let set = client.breakpoints(&file, json!(asked));
    let said: Vec<&Value> = set.iter().map(|point| &point["message"]).collect();
    for (at, name) in [(0, "choose"), (1, "choose"), (2, "append"), (4, "divides")] {
        assert_eq!(*said[at], format!("the run does not reach `{name}`"));
        assert_eq!(set[at]["verified"], false);
        assert_eq!(set[at].get("line"), None);
    }
    assert_eq!(set[3]["line"], line("  let a = evalState n"));
    let mut ids: Vec<i64> = set
        .iter()
        .map(|point| point["id"].as_i64().unwrap())
        .collect();
    ids.dedup();
    assert_eq!(ids.len(), 5);
}

/// A continuation with a name that the clause does not use is dropped, too.
#[test]
fn a_continuation_that_is_not_used_is_dropped() {
    let (_dir, file) = dir();
    let mut client = Client::launch(json!({ "program": file, "entry": "forgotten" }));
    client.filters(json!([{ "filterId": "dropped" }]));
    client.configured();
    assert_eq!(
        client.event("stopped")["description"],
        "the continuation of `abort` is dropped"
    );
    // One that is used is not.
    let mut client = Client::launch(json!({ "program": file }));
    client.filters(json!([{ "filterId": "dropped" }]));
    client.configured();
    assert_eq!(client.ended(), 0);
}

/// A failed operation is shown as a whole, and the end of the run is said with its place.
#[test]
fn a_failure_has_its_place() {
    let (_dir, file) = dir();
    let column = "divides! = ".len() + 1;
    let mut client = Client::launch(json!({ "program": file, "entry": "divides" }));
    client.configured();
    client.event("stopped");
    let trace = client.call("stackTrace", json!({ "threadId": 1 }));
    let top = &trace["stackFrames"][0];
    assert_eq!(
        (&top["line"], &top["column"]),
        (&json!(line("divides!")), &json!(column))
    );
    client.call("continue", json!({ "threadId": 1 }));
    let failed = loop {
        let event = client.event("output");
        if event["category"] == "stderr" {
            break event;
        }
    };
    assert_eq!(
        (&failed["line"], &failed["column"]),
        (&json!(line("divides!")), &json!(column))
    );
    assert_eq!(failed["source"]["name"], "p.fk");
    client.event("terminated");
    let after = client.try_call("stackTrace", json!({ "threadId": 1 }));
    assert!(after.is_err_and(|reason| reason.starts_with("the run is over")));
}

/// Pictures are asked for, and not shown; in the end one is told of them.
#[test]
fn pictures_are_counted() {
    let program = "include picture\n\nmain : [Picture] Int\n\
                   main! =\n  histogram (titled \"\") [1.0, 2.0];\n  histogram (titled \"\") [1.0, 3.0];\n  7\n";
    let dir = Dir::new(&[("draws.fk", program)]);
    let mut client = Client::launch(json!({ "program": dir.path().join("draws.fk") }));
    client.configured();
    assert_eq!(client.ended(), 0);
    assert_eq!(client.printed("stdout"), "7\n");
    assert_eq!(
        client.printed("console"),
        "2 pictures are not shown here: `frank run` shows them\n"
    );
}
