//! Lenses, and what they evaluate: results, refusals, limits, cancellation, stale results. What
//! the results are is tested where they are computed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use frank_protocol_tests::{Client, Fixture, Scratch, usual_capabilities};
use serde_json::{Value, json};

const URI: &str = "untitled:Untitled-1";

const PROGRAM: &str = "\
include ad-paper

cube : X -> [Smooth X]X
cube x = p (c 1) (p (t (t x x) x) (n (t (c 4) (c 4))))

other : {Int}
other! = 1

loop : {Int}
loop! = loop!

main : [Console]Int
main! = ouint 7; evaluate (d cube 2)
";

fn open(text: &str) -> Client {
    let mut client = Client::start(&[]);
    client.open(URI, text);
    client
}

fn lenses(client: &mut Client, uri: &str) -> Vec<Value> {
    let document = json!({ "textDocument": { "uri": uri } });
    let lenses = client.call("textDocument/codeLens", document);
    let lenses = lenses.as_array().unwrap().clone();
    let resolve = |lens: Value| match lens.get("command") {
        Some(_) => lens,
        None => client.call("codeLens/resolve", lens),
    };
    lenses.into_iter().map(resolve).collect()
}

/// `line: title` of each lens that evaluates.
fn titles(client: &mut Client, uri: &str) -> Vec<String> {
    let evaluating = lenses(client, uri)
        .into_iter()
        .filter(|lens| lens["command"]["command"] != "frank.showReferences");
    evaluating
        .map(|lens| {
            let line = &lens["range"]["start"]["line"];
            format!("{line}: {}", lens["command"]["title"].as_str().unwrap())
        })
        .collect()
}

/// The results that stand behind what they are about.
fn hints(client: &mut Client, uri: &str) -> Vec<String> {
    let range = json!({
        "textDocument": { "uri": uri },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 1000, "character": 0 } },
    });
    let hints = client.call("textDocument/inlayHint", range);
    let hints = hints.as_array().unwrap().iter();
    let results = hints.filter(|hint| hint["paddingLeft"] == true);
    results
        .map(|hint| {
            let at = &hint["position"];
            format!(
                "{}:{}: {}",
                at["line"],
                at["character"],
                hint["label"].as_str().unwrap()
            )
        })
        .collect()
}

fn execute(client: &mut Client, command: &str, arguments: Value) -> Result<Value, Value> {
    let params = json!({ "command": command, "arguments": arguments });
    client.try_call("workspace/executeCommand", params)
}

#[test]
fn the_server_offers_what_can_be_evaluated() {
    let mut client = open(PROGRAM);
    assert_eq!(
        titles(&mut client, URI),
        [
            "2: ∂ derivative",
            "5: ▶ run",
            "8: ▶ run",
            "11: ▶ run",
            "12: ∂ evaluate"
        ]
    );
    let commands = client.capabilities["executeCommandProvider"]["commands"].clone();
    let commands: Vec<&str> = commands
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    for lens in lenses(&mut client, URI) {
        assert!(commands.contains(&lens["command"]["command"].as_str().unwrap()));
    }
}

#[test]
fn every_lens_can_be_executed_as_it_is() {
    let mut client = open(PROGRAM);
    for lens in lenses(&mut client, URI) {
        let name = lens["command"]["arguments"][1].clone();
        if name != "loop" {
            let arguments = lens["command"]["arguments"].clone();
            execute(
                &mut client,
                lens["command"]["command"].as_str().unwrap(),
                arguments,
            )
            .unwrap();
        }
    }
    assert_eq!(
        titles(&mut client, URI),
        [
            "2: ∂ cube 1 = -14 · ∂ = 3 (d, grad, gradc agree)",
            "5: ▶ other = 1",
            "8: ▶ run",
            "11: ▶ main = 12 · prints \"7\"",
            "12: ∂ cube 2 = -7 · ∂ = 12 (d, grad, gradc agree)",
        ]
    );
    assert_eq!(
        hints(&mut client, URI),
        [
            "2:23: cube 1 = -14 · ∂ = 3 (d, grad, gradc agree)",
            "5:13: other = 1",
            "11:19: main = 12 · prints \"7\"",
            "12:35: cube 2 = -7 · ∂ = 12 (d, grad, gradc agree)",
        ]
    );
}

#[test]
fn runs_answer_with_value_and_output() {
    let mut client = open(PROGRAM);
    let answer = execute(&mut client, "frank.run", json!([URI, "main"])).unwrap();
    assert_eq!(answer["value"], "12");
    assert_eq!(answer["output"], "7");
    assert!(answer["steps"].as_u64().unwrap() > 10);
    assert!(answer["millis"].is_u64());
}

#[test]
fn derivatives_answer_with_every_operator() {
    let mut client = open(PROGRAM);
    for at in [json!(["2"]), json!([2]), json!(2), json!("2"), json!([2.0])] {
        let answer = execute(
            &mut client,
            "frank.derivative",
            json!([URI, "cube", { "at": at }]),
        );
        let answer = answer.unwrap();
        assert_eq!(answer["at"], json!(["2"]));
        assert_eq!(answer["value"], "-7");
        assert_eq!(
            answer["derivatives"],
            json!([
                { "by": "d", "values": ["12"] },
                { "by": "grad", "values": ["12"] },
                { "by": "gradc", "values": ["12"] },
            ])
        );
        assert_eq!(answer["agree"], true);
    }
    // Without a point it is the last one.
    for options in [json!({}), json!({ "at": [] }), Value::Null] {
        let answer = execute(
            &mut client,
            "frank.derivative",
            json!([URI, "cube", options]),
        );
        assert_eq!(answer.unwrap()["at"], json!(["2"]));
    }
}

#[test]
fn options_that_a_derivative_has_not_are_refused() {
    let mut client = open(PROGRAM);
    for (options, reason) in [
        (json!("2"), "`frank.derivative` takes"),
        (json!([2]), "`frank.derivative` takes"),
        (json!({ "point": [2] }), "has no option `point`"),
        (json!({ "at": [2], "order": 3 }), "`frank.derivative` takes"),
    ] {
        let arguments = json!([URI, "cube", options]);
        let refused = execute(&mut client, "frank.derivative", arguments).unwrap_err();
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains(reason), "{message}");
    }
}

/// A comment is for people.
#[test]
fn a_value_without_end_is_not_written_into_a_comment() {
    let text = "-- > many 2000\nmany : Int -> List Int\nmany 0 = []\nmany n = n :: many (n - 1)\n";
    let mut client = open(text);
    let refused = execute(&mut client, "frank.writeValue", json!([URI, 0])).unwrap_err();
    let message = refused["message"].as_str().unwrap();
    assert!(
        message.contains("the value has 10893 characters"),
        "{message}"
    );
}

#[test]
fn second_derivatives_and_differences_are_asked_for() {
    let mut client = open(PROGRAM);
    let mut ask = |options: Value| {
        execute(
            &mut client,
            "frank.derivative",
            json!([URI, "cube", options]),
        )
        .unwrap()
    };
    let plain = ask(json!({ "at": [2], "order": 1, "check": false }));
    assert!(plain.get("second").is_none() && plain.get("checked").is_none());
    assert_eq!(plain["variables"], json!(["x"]));
    let whole = ask(json!({ "at": [2], "order": 2, "check": true }));
    let seconds = whole["second"].as_array().unwrap();
    assert!(seconds.iter().any(|one| one["by"] == "d of grad"));
    for one in seconds {
        assert_eq!(one["values"], json!(["12"]));
    }
    for one in seconds
        .iter()
        .chain(whole["derivatives"].as_array().unwrap())
    {
        assert_eq!(one["differences"][0]["says"], "agrees");
        assert_eq!(one["differences"][0]["estimate"], "12.0");
    }
    assert_eq!(whole["checked"], true);
    let text = whole["text"].as_str().unwrap();
    assert!(
        text.contains(" · ∂² = 12 (") && text.ends_with(" · differences agree"),
        "{text}"
    );
    // The lens says the same.
    assert_eq!(titles(&mut client, URI)[0], format!("2: ∂ {text}"));
    // An application that stands in the program takes the same.
    let closed = json!([URI, "main", { "closed": 0, "order": 2, "check": true }]);
    let closed = execute(&mut client, "frank.derivative", closed).unwrap();
    assert_eq!(closed["checked"], true);
    assert_eq!(closed["second"][0]["values"], json!(["12"]));
}

#[test]
fn several_points_are_answered_at_once() {
    let mut client = open(PROGRAM);
    let points = json!([URI, "cube", { "points": [[2], ["3"], 4] }]);
    let answer = execute(&mut client, "frank.derivative", points).unwrap();
    assert_eq!(answer["at"], json!(["2"]));
    let more = answer["more"].as_array().unwrap();
    let values: Vec<&Value> = more
        .iter()
        .map(|one| &one["derivatives"][0]["values"])
        .collect();
    assert_eq!(values, [&json!(["27"]), &json!(["48"])]);
    let title = titles(&mut client, URI).remove(0);
    assert!(
        title.contains("cube 2 = -7") && title.contains("; cube 4 = "),
        "{title}"
    );
    // The last of them is remembered.
    let again = execute(&mut client, "frank.derivative", json!([URI, "cube"])).unwrap();
    assert_eq!(again["at"], json!(["4"]));
}

#[test]
fn lists_and_what_is_fixed_are_given_as_texts() {
    let text = "\
include ad

power : Int -> List X -> [Smooth X] X
power n xs = sumS (map {x -> powi x n} xs)
";
    let mut client = open(text);
    assert_eq!(titles(&mut client, URI), ["2: ∂ derivative"]);
    for at in [
        json!([2, "[1, 2]"]),
        json!(["2 [1, 2]"]),
        json!("2, [1, 2]"),
    ] {
        let arguments = json!([URI, "power", { "at": at, "check": true }]);
        let answer = execute(&mut client, "frank.derivative", arguments).unwrap();
        assert_eq!(answer["at"], json!(["2", "[1.0, 2.0]"]));
        assert_eq!(answer["variables"], json!(["xs.1", "xs.2"]));
        assert_eq!(answer["derivatives"][0]["values"], json!(["2.0", "4.0"]));
        assert_eq!(answer["checked"], true);
    }
    // The point of last time is read again.
    let answer = execute(&mut client, "frank.derivative", json!([URI, "power"])).unwrap();
    assert_eq!(answer["value"], "5.0");
}

#[test]
fn derivatives_that_differences_contradict_are_errors() {
    let text = "\
include ad
f : X -> [Smooth X]X
f x = t x x
d : {(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)} -> X -> [Smooth X]X
d g x = t (c 2) (dv (diff (g (dual x (<Smooth> (c 1))))))
";
    let mut client = open(text);
    let arguments = json!([URI, "f", { "at": [1], "check": true }]);
    let answer = execute(&mut client, "frank.derivative", arguments).unwrap();
    assert_eq!(answer["checked"], false, "{answer}");
    client.until("the contradiction", |client| {
        let mut all = client.published[URI].diagnostics.iter();
        all.any(|finding| {
            finding["message"]
                .as_str()
                .unwrap()
                .contains("differences disagree")
        })
    });
}

#[test]
fn what_is_refused_says_why() {
    let text = format!("{PROGRAM}\nbroken : {{Int}}\nbroken! = 'x'\n");
    let mut client = open(&text);
    let mut refused = |command: &str, arguments: Value| {
        let error = execute(&mut client, command, arguments).unwrap_err();
        (
            error["code"].as_i64().unwrap(),
            error["message"].as_str().unwrap().to_owned(),
        )
    };
    let (code, message) = refused("frank.run", json!([URI, "broken"]));
    assert_eq!(code, -32803);
    assert!(
        message.starts_with("`broken` has errors: this has type `Char`"),
        "{message}"
    );
    let (_, message) = refused("frank.run", json!([URI, "cube"]));
    assert!(message.contains("takes arguments"), "{message}");
    let (_, message) = refused("frank.derivative", json!([URI, "other"]));
    assert!(message.contains("has no derivative"), "{message}");
    let (_, message) = refused("frank.derivative", json!([URI, "cube", { "at": [1, 2] }]));
    assert!(message.contains("takes 1 number"), "{message}");
    let (_, message) = refused("frank.derivative", json!([URI, "main", { "closed": 5 }]));
    assert!(message.contains("any more"), "{message}");
    for arguments in [
        json!([]),
        json!([URI]),
        json!([1, 2]),
        json!([URI, "cube", { "at": [{}] }]),
        json!([URI, "cube", { "order": 3 }]),
        json!([URI, "cube", { "check": 1 }]),
        json!([URI, "cube", { "points": 2 }]),
    ] {
        let (code, message) = refused("frank.derivative", arguments);
        assert_eq!(code, -32602, "{message}");
        assert!(message.contains("takes [uri"), "{message}");
    }
    let (code, message) = refused("frank.explode", json!([]));
    assert_eq!(code, -32602);
    assert!(
        message.contains("there is no command `frank.explode`"),
        "{message}"
    );
    let (_, message) = refused("frank.run", json!(["untitled:nowhere", "main"]));
    assert!(message.contains("is not known"), "{message}");
}

#[test]
fn limits_say_where_it_stopped() {
    let options = json!({ "limits": { "steps": 20_000 } });
    let mut client = Client::start_with(&[], usual_capabilities(), options);
    client.open(URI, PROGRAM);
    let error = execute(&mut client, "frank.run", json!([URI, "loop"])).unwrap_err();
    assert_eq!(error["code"], -32803);
    let message = error["message"].as_str().unwrap();
    assert_eq!(
        message,
        "`loop`: the step limit is reached after 20000 steps, in `loop` (untitled:Untitled-1:10)"
    );
    assert_eq!(error["data"]["output"], "");
    assert_eq!(
        titles(&mut client, URI)[2],
        "8: ▶ loop: the step limit is reached after 20000 steps, in `loop`"
    );
}

#[test]
fn limits_come_from_the_project() {
    let files = [
        (
            "frank.toml",
            "[limits]\ntimeout = \"50ms\"\noutput = \"1KiB\"\n",
        ),
        (
            "main.fk",
            "loop : {Int}\nloop! = loop!\nprints : [Console]Int\nprints! = ouint 1; prints!\n",
        ),
    ];
    let dir = Scratch::with(&files);
    let mut client = Client::start(&[dir.path()]);
    let uri = dir.uri("main.fk");
    client.open(&uri, files[1].1);
    let error = execute(&mut client, "frank.run", json!([uri, "loop"])).unwrap_err();
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("the time limit is reached after") && message.ends_with("(main.fk:2)"),
        "{message}"
    );
    let error = execute(&mut client, "frank.run", json!([uri, "prints"])).unwrap_err();
    assert_eq!(error["data"]["output"].as_str().unwrap().len(), 1024);
}

#[test]
fn results_go_stale_and_stay() {
    let mut client = open(PROGRAM);
    for name in ["main", "other"] {
        execute(&mut client, "frank.run", json!([URI, name])).unwrap();
    }
    execute(
        &mut client,
        "frank.derivative",
        json!([URI, "cube", { "at": ["2"] }]),
    )
    .unwrap();
    // An edit that matters to nothing that was evaluated.
    client.replace(
        URI,
        &PROGRAM.replace("loop! = loop!", "-- Forever.\nloop! = 1 + loop!"),
    );
    let fresh = [
        "2: ∂ cube 2 = -7 · ∂ = 12 (d, grad, gradc agree)",
        "5: ▶ other = 1",
        "8: ▶ run",
        "12: ▶ main = 12 · prints \"7\"",
        "13: ∂ evaluate",
    ];
    assert_eq!(titles(&mut client, URI), fresh);
    client.replace(URI, &PROGRAM.replace("(t (t x x) x)", "(t x x)"));
    let stale = [
        "2: ∂ cube 2 = -7 · ∂ = 12 (d, grad, gradc agree) (stale)",
        "5: ▶ other = 1",
        "8: ▶ run",
        "11: ▶ main = 12 · prints \"7\" (stale)",
        "12: ∂ evaluate",
    ];
    assert_eq!(titles(&mut client, URI), stale);
    // What is as it was gives what it gave.
    client.replace(URI, PROGRAM);
    assert_eq!(titles(&mut client, URI)[0], fresh[0]);
}

#[test]
fn an_edit_elsewhere_redraws() {
    let main = "include lib\nmain : {Int}\nmain! = two!\n";
    let dir = Scratch::with(&[("lib.fk", "two : {Int}\ntwo! = 2\n"), ("main.fk", main)]);
    let mut client = Client::start(&[dir.path()]);
    let (lib, uri) = (dir.uri("lib.fk"), dir.uri("main.fk"));
    client.open(&uri, main);
    client.open(&lib, "two : {Int}\ntwo! = 2\n");
    client.findings(&lib);
    let refreshes = |client: &Client| {
        let all = client.requests.iter();
        all.filter(|request| request["method"] == "workspace/codeLens/refresh")
            .count()
    };
    let before = refreshes(&client);
    execute(&mut client, "frank.run", json!([uri, "main"])).unwrap();
    client.until("lenses are redrawn", |client| refreshes(client) > before);
    assert_eq!(titles(&mut client, &uri), ["1: ▶ main = 2"]);
    let before = refreshes(&client);
    client.replace(&lib, "two : {Int}\ntwo! = 3\n");
    client.until("lenses are redrawn", |client| refreshes(client) > before);
    assert_eq!(titles(&mut client, &uri), ["1: ▶ main = 2 (stale)"]);
}

#[test]
fn disagreement_is_an_error_until_it_is_stale() {
    let text = "\
include ad-paper
f : X -> [Smooth X]X
f x = t x x
wrong : {(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)} -> X -> [Smooth X]X
wrong g x = p (c 1) (d g x)
";
    let mut client = open(text);
    assert_eq!(client.findings(URI), [] as [Value; 0]);
    execute(
        &mut client,
        "frank.derivative",
        json!([URI, "f", { "at": [3] }]),
    )
    .unwrap();
    client.until("the disagreement", |client| {
        client.published[URI].diagnostics.len() == 1
    });
    let found = client.published[URI].diagnostics[0].clone();
    assert_eq!(found["severity"], 1);
    assert_eq!(found["code"], "FK0417");
    assert_eq!(
        found["range"]["start"],
        json!({ "line": 1, "character": 0 })
    );
    assert_eq!(
        found["message"],
        "f 3 = 9 · ∂ disagree: wrong = 7, d = 6, grad = 6, gradc = 6"
    );
    // It counts as other findings do: comments allow it, settings change it.
    let allowed = text.replace("f : X", "-- frank: allow FK0417\nf : X");
    client.replace(URI, &allowed);
    assert_eq!(client.findings(URI), [] as [Value; 0]);
    client.replace(URI, text);
    let settings = json!({ "settings": { "frank": { "severity": { "FK0417": "hint" } } } });
    client.settings = Some(settings["settings"]["frank"].clone());
    client.notify("workspace/didChangeConfiguration", settings);
    client.until("it is a hint", |client| {
        let found = client.published[URI].diagnostics.first();
        found.is_some_and(|found| found["severity"] == 4)
    });
    client.replace(URI, &text.replace("p (c 1) (d g x)", "d g x"));
    assert_eq!(client.findings(URI), [] as [Value; 0]);
}

#[test]
fn slow_evaluations_delay_nobody() {
    let mut client = open(PROGRAM);
    client.findings(URI);
    let params = json!({ "command": "frank.run", "arguments": [URI, "loop"] });
    let slow: Vec<i64> = (0..100)
        .map(|_| client.request("workspace/executeCommand", params.clone()))
        .collect();
    let fixture = Fixture::new(&PROGRAM.replace("d cube 2", "d cu$0be 2"));
    for _ in 0..20 {
        let hover = client.call("textDocument/hover", fixture.position(URI, '0'));
        assert!(hover.is_object());
    }
    // Nor do they keep an edit waiting.
    client.replace(URI, &PROGRAM.replace("other! = 1", "other! = 'x'"));
    assert_eq!(client.codes(URI), ["6:FK0201"]);
    // All of them are still under way.
    for id in &slow {
        client.cancel(*id);
    }
    for id in slow {
        assert_eq!(client.wait(id).unwrap_err()["code"], -32800);
    }
    let answer = execute(&mut client, "frank.run", json!([URI, "main"])).unwrap();
    assert_eq!(answer["value"], "12");
}

#[test]
fn progress_is_shown_and_cancels() {
    let mut client = open(PROGRAM);
    let params = json!({ "command": "frank.run", "arguments": [URI, "loop"] });
    let slow = client.request("workspace/executeCommand", params);
    let kind = |message: &Value, kind: &str| {
        message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind
    };
    client.until("progress begins", |client| {
        client
            .notifications
            .iter()
            .any(|message| kind(message, "begin"))
    });
    let begin = client
        .notifications
        .iter()
        .find(|message| kind(message, "begin"))
        .unwrap();
    assert_eq!(begin["params"]["value"]["title"], "Frank: running loop");
    assert_eq!(begin["params"]["value"]["cancellable"], true);
    let token = begin["params"]["token"].clone();
    client.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    assert_eq!(client.wait(slow).unwrap_err()["code"], -32800);
    client.until("progress ends", |client| {
        client
            .notifications
            .iter()
            .any(|message| kind(message, "end"))
    });
    // What was interrupted is not shown.
    assert_eq!(titles(&mut client, URI)[2], "8: ▶ run");
}

#[test]
fn progress_has_the_token_that_the_client_gave() {
    let mut client = open(PROGRAM);
    let params = json!({
        "command": "frank.derivative",
        "arguments": [URI, "cube"],
        "workDoneToken": "mine",
    });
    client.call("workspace/executeCommand", params);
    client.until("progress ends", |client| {
        client
            .notifications
            .iter()
            .any(|message| message["params"]["value"]["kind"] == "end")
    });
    let mut kinds = Vec::new();
    for message in &client.notifications {
        assert_eq!(message["params"]["token"], "mine");
        kinds.push(message["params"]["value"]["kind"].as_str().unwrap());
    }
    assert_eq!(
        (kinds.first(), kinds.last()),
        (Some(&"begin"), Some(&"end"))
    );
    assert!(kinds.len() > 2, "{kinds:?}");
}

#[test]
fn shutting_down_ends_evaluations() {
    let mut client = open(PROGRAM);
    client.findings(URI);
    let params = json!({ "command": "frank.run", "arguments": [URI, "loop"] });
    for _ in 0..4 {
        client.request("workspace/executeCommand", params.clone());
    }
    let start = Instant::now();
    assert!(client.shut_down().success());
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn references_can_be_shown_by_the_server() {
    let text = "interface Ask = ask : Int\nanswer : <Ask>X -> X\nanswer x = x\nanswer <ask -> k> = answer (k 1)\n";
    let mut capabilities = usual_capabilities();
    capabilities["window"]["showDocument"] = json!({ "support": true });
    let mut client = Client::start_with(&[], capabilities, Value::Null);
    client.open(URI, text);
    let lens = lenses(&mut client, URI).remove(0);
    assert_eq!(lens["command"]["title"], "handled by answer");
    assert_eq!(
        lens["command"]["arguments"][2][0]["range"]["start"]["line"],
        3
    );
    let arguments = lens["command"]["arguments"].clone();
    execute(&mut client, "frank.showReferences", arguments).unwrap();
    client.until("the place is shown", |client| {
        client.requests.iter().any(|request| {
            request["method"] == "window/showDocument"
                && request["params"]["selection"]["start"]["line"] == 3
        })
    });
    // Several places are a choice, and none is a message.
    let lens = lenses(&mut client, URI).remove(2);
    assert_eq!(lens["command"]["title"], "1 reference");
    let mut places = lens["command"]["arguments"].clone();
    let place = places[2][0].clone();
    places[2] = json!([place, place]);
    execute(&mut client, "frank.showReferences", places.clone()).unwrap();
    client.until("a choice is asked for", |client| {
        client
            .requests
            .iter()
            .any(|request| request["method"] == "window/showMessageRequest")
    });
    places[2] = json!([]);
    execute(&mut client, "frank.showReferences", places).unwrap();
    client.until("a message", |client| {
        let mut all = client.notifications.iter();
        all.any(|message| message["params"]["message"] == "There are none.")
    });
}

#[test]
fn lenses_can_be_turned_off() {
    let options = json!({
        "lenses": { "run": false, "derivative": false, "handlers": false, "references": false },
        "hints": { "results": false },
    });
    let mut client = Client::start_with(&[], usual_capabilities(), options);
    client.open(URI, PROGRAM);
    assert_eq!(lenses(&mut client, URI), [] as [Value; 0]);
    execute(&mut client, "frank.run", json!([URI, "other"])).unwrap();
    assert_eq!(hints(&mut client, URI), [] as [String; 0]);
}

#[test]
fn a_broken_file_offers_what_is_whole() {
    let text = PROGRAM.replace("other! = 1", "other! = (1");
    let mut client = open(&format!("{text}\nlast : {{Int}}\nlast! = }}\n"));
    let titles = titles(&mut client, URI);
    assert_eq!(titles[0], "2: ∂ derivative");
    assert!(
        !titles.iter().any(|title| title.starts_with("5:")),
        "{titles:?}"
    );
}

#[test]
fn examples_are_listed_checked_and_written() {
    let text = "-- > double 2\n-- = 4\n-- > double 3\n-- = 7\n-- > wrong\ndouble : Int -> Int\ndouble n = n + n\n  -- > double\n  --     5\n";
    let mut client = open(text);
    let document = json!({ "textDocument": { "uri": URI } });
    let listed = client.call("frank/examples", document);
    let listed: Vec<(&Value, &Value)> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["term"], &one["value"]))
        .collect();
    assert_eq!(
        listed,
        [
            (&json!("double 2"), &json!("4")),
            (&json!("double 3"), &json!("7")),
            (&json!("wrong"), &Value::Null),
            (&json!("double\n5"), &Value::Null),
        ]
    );
    let mut check = |line: u32| {
        let answer = execute(&mut client, "frank.check", json!([URI, line])).unwrap();
        (
            answer["right"].clone(),
            answer["text"].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(check(0), (json!(true), "✓ 4".to_owned()));
    assert_eq!(check(2), (json!(false), "✗ 6, should be 7".to_owned()));
    let (right, why) = check(4);
    assert!(right == false && why.contains("`wrong`"), "{why}");
    let problem = execute(&mut client, "frank.check", json!([URI, 5])).unwrap_err();
    let message = problem["message"].as_str().unwrap();
    assert!(
        message.contains("there is no example on line 6"),
        "{message}"
    );
    assert_eq!(
        titles(&mut client, URI),
        ["0: ✓ 4", "2: ✗ 6, should be 7", "4: ▶ check", "7: ▶ check"]
    );

    // The value is written below the term, or in the place of the old one.
    let mut written = |line: u32| {
        let before = client.requests.len();
        execute(&mut client, "frank.writeValue", json!([URI, line])).unwrap();
        client.until("an edit", |client| {
            let mut new = client.requests.iter().skip(before);
            new.any(|request| request["method"] == "workspace/applyEdit")
        });
        let edits = client.requests.iter().rev();
        let mut edits = edits.filter(|request| request["method"] == "workspace/applyEdit");
        let edit = &edits.next().unwrap()["params"]["edit"];
        let changes = edit.pointer("/documentChanges/0/edits/0");
        let change = changes.unwrap_or(&edit["changes"][URI][0]);
        let start = &change["range"]["start"];
        (
            start["line"].clone(),
            change["newText"].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(written(2), (json!(3), "6".to_owned()));
    assert_eq!(written(7), (json!(8), "\n  -- = 10".to_owned()));
}

/// Laws stand beside examples in everything that an editor asks.
#[test]
fn laws_are_listed_and_checked() {
    let text = "-- > double 2\n-- for all n : Int. double n == 2 * n\n-- for all n : Int,\n--     m : Int. double n - m < 1000\n\
                -- for all n : Intt. true\n-- for all n : Int. 1 / n == 0 - double 0\ndouble : Int -> Int\ndouble n = n + n\n";
    let mut client = open(text);
    let document = json!({ "textDocument": { "uri": URI } });
    let listed = client.call("frank/examples", document);
    let listed: Vec<(&Value, &Value)> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["kind"], &one["term"]))
        .collect();
    let (example, law) = (json!("example"), json!("law"));
    assert_eq!(
        listed,
        [
            (&example, &json!("double 2")),
            (&law, &json!("for all n : Int. double n == 2 * n")),
            (
                &law,
                &json!("for all n : Int,\nm : Int. double n - m < 1000")
            ),
            (&law, &json!("for all n : Intt. true")),
            (&law, &json!("for all n : Int. 1 / n == 0 - double 0")),
        ]
    );
    assert_eq!(
        titles(&mut client, URI),
        [
            "0: ▶ check",
            "1: ▶ check law",
            "2: ▶ check law",
            "4: ▶ check law",
            "5: ▶ check law"
        ]
    );
    let mut check = |line: u32| {
        let answer = execute(&mut client, "frank.check", json!([URI, line])).unwrap();
        assert_eq!(answer["value"], Value::Null);
        (
            answer["right"].clone(),
            answer["text"].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(check(1), (json!(true), "✓ holds for 100 values".to_owned()));
    let (right, why) = check(2);
    assert!(
        right == false && why.starts_with("✗ is false for n = "),
        "{why}"
    );
    let (right, why) = check(4);
    assert!(right == false && why.contains("no type `Intt`"), "{why}");
    assert_eq!(
        check(5),
        (
            json!(false),
            "✗ fails for n = 0: division by zero in `1 / 0`".to_owned()
        )
    );
    let shown = titles(&mut client, URI);
    assert_eq!(shown[1], "1: ✓ holds for 100 values");
    assert_eq!(shown[3], "4: ▶ check law");
    assert_eq!(
        shown[4],
        "5: ✗ fails for n = 0: division by zero in `1 / 0`"
    );
    // A law has no value.
    let refused = execute(&mut client, "frank.writeValue", json!([URI, 1])).unwrap_err();
    let refused = refused["message"].as_str().unwrap();
    assert!(refused.contains("a law has no value"), "{refused}");

    // What a law reaches has changed, or the types of its variables.
    client.replace(
        URI,
        &text.replace("double n = n + n", "double n = 2 * n + 1"),
    );
    let shown = titles(&mut client, URI);
    assert_eq!(shown[1], "1: ✓ holds for 100 values (stale)");
}

#[test]
fn a_smooth_operator_says_how_many_arguments_it_takes() {
    let mut client = open(PROGRAM);
    let mut ask = |name: &str| {
        let about = json!({ "textDocument": { "uri": URI }, "name": name });
        client.call("frank/smooth", about)
    };
    assert_eq!(ask("cube")["arity"], 1);
    assert_eq!(ask("cube")["derivatives"], json!(["d", "grad", "gradc"]));
    assert_eq!(ask("other"), Value::Null);
}

#[test]
fn a_result_stands_once_and_with_few_digits() {
    let mut capabilities = usual_capabilities();
    capabilities["textDocument"]["codeLens"] = json!({});
    let mut client = Client::start_with(&[], capabilities, Value::Null);
    client.open(URI, "third : {Float}\nthird! = 1.0 / 3.0\n");
    execute(&mut client, "frank.run", json!([URI, "third"])).unwrap();
    assert_eq!(titles(&mut client, URI), ["0: ▶ third = 0.3333"]);
    assert_eq!(hints(&mut client, URI), [] as [String; 0]);
    let hover = client.call(
        "textDocument/hover",
        json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 1 } }),
    );
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("third = 0.3333333333333333"), "{text}");
}

#[test]
fn lenses_of_one_line_say_what_they_are_about() {
    let text = "include ad\ntotal : {Float}\ntotal! = evaluate (d {x -> t x x} 2) + evaluate (d {x -> t x x} 3)\n";
    let mut client = open(text);
    assert_eq!(
        titles(&mut client, URI),
        [
            "1: ▶ run",
            "2: ∂ evaluate d {x -> t x x} 2",
            "2: ∂ evaluate d {x -> t x x} 3",
        ]
    );
    // Where something is wrong, nothing is offered that would be refused.
    client.replace(
        URI,
        &text
            .replace("include ad\n", "include ad\n-- x\n")
            .replace("3)", "'c')"),
    );
    assert_eq!(titles(&mut client, URI), [] as [String; 0]);
}

#[test]
fn a_run_that_failed_leaves_a_mark_until_its_program_changes() {
    let text = "include prelude\n\nhalf : Int -> Int\nhalf n = 10 / n\n\nmain : [Console]Int\n\
                main! = print \"a\\n\"; half 0 + 1\n";
    let mut client = open(text);
    let run = json!({ "command": "frank.run", "arguments": [URI, "main"] });
    client
        .try_call("workspace/executeCommand", run)
        .unwrap_err();
    let is_mark = |found: &Value| found["source"] == "frank run";
    let shown = |client: &Client| client.published.get(URI).map(|one| one.diagnostics.clone());
    client.until("the mark", |client| {
        shown(client).is_some_and(|found| found.iter().any(is_mark))
    });
    let marks = shown(&client).unwrap();
    let mark = marks.iter().find(|found| is_mark(found)).unwrap();
    assert_eq!(mark["range"]["start"]["line"], 3, "{mark}");
    assert_eq!(mark["severity"], 3);
    let message = mark["message"].as_str().unwrap();
    assert!(
        message.starts_with("the last run of `main` failed here: division by zero"),
        "{message}"
    );
    assert!(message.ends_with("it had printed:\na"), "{message}");
    let related = mark["relatedInformation"].as_array().unwrap();
    assert_eq!(related[0]["message"], "in `half`", "{mark}");

    let actions = client.call(
        "textDocument/codeAction",
        json!({
            "textDocument": { "uri": URI },
            "range": mark["range"],
            "context": { "diagnostics": [] },
        }),
    );
    let again = actions.as_array().unwrap().iter();
    let again = again.filter(|action| action["title"] == "Run `main` again");
    let again: Vec<&Value> = again.collect();
    assert_eq!(
        again[0]["command"]["arguments"],
        json!([URI, "main"]),
        "{actions}"
    );

    client.replace(URI, &text.replace("half 0", "half 5"));
    client.until("no mark", |client| {
        shown(client).is_some_and(|found| found.is_empty())
    });
}
