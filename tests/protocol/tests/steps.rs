//! `frank/step`: a run state by state, and the lens that leads there.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::{Client, Scratch, usual_capabilities};
use serde_json::{Value, json};

const URI: &str = "untitled:Untitled-1";

const PROGRAM: &str = "\
include prelude

tick : [State Int] Int
tick! = put (get! + 1); get!

main : [Console] Int
main! = print \"é\"; evalState 1 tick!

half : Int -> Int
half 0 = 0

loop : {Int}
loop! = loop!
";

fn step(client: &mut Client, asked: Value) -> Result<Value, Value> {
    let mut params = json!({ "textDocument": { "uri": URI } });
    for (name, value) in asked.as_object().unwrap() {
        params[name] = value.clone();
    }
    client.try_call("frank/step", params)
}

/// A part of a text, counted in characters.
fn part(text: &str, range: &Value) -> String {
    let (start, end) = (
        range[0].as_u64().unwrap() as usize,
        range[1].as_u64().unwrap() as usize,
    );
    text.chars().skip(start).take(end - start).collect()
}

#[test]
fn states_with_their_places() {
    let mut client = Client::start(&[]);
    client.open(URI, PROGRAM);
    let answer = step(&mut client, json!({ "name": "main" })).unwrap();
    let states = answer["states"].as_array().unwrap();
    assert_eq!(states.last().unwrap()["term"], "2");
    assert_eq!(
        (&answer["cut"], answer.get("failure")),
        (&json!(false), None)
    );
    let captured = states
        .iter()
        .find(|state| state["rule"] == "handle")
        .unwrap();
    let term = captured["term"].as_str().unwrap();
    assert_eq!(term, "evalState 1 ({r -> (put (r + 1); get!)} 1)");
    assert_eq!(
        part(term, &captured["focus"]),
        "({r -> (put (r + 1); get!)} 1)"
    );
    let (sources, place) = (&answer["sources"], &captured["place"]);
    let source = &sources[place[0].as_u64().unwrap() as usize];
    // The library's clause stands in a file that the client can open.
    assert!(
        source["uri"].as_str().unwrap().ends_with("prelude.fk"),
        "{source}"
    );
    assert_eq!(
        part(
            source["text"].as_str().unwrap(),
            &json!([place[1], place[2]])
        ),
        "k s"
    );
    let own = sources
        .as_array()
        .unwrap()
        .iter()
        .find(|source| source["uri"] == URI);
    assert_eq!(own.unwrap()["text"], PROGRAM);
    let printed = states.iter().filter_map(|state| state["printed"].as_str());
    assert_eq!(printed.collect::<Vec<_>>(), ["é"]);
}

#[test]
fn terms_pages_and_refusals() {
    let mut client = Client::start(&[]);
    client.open(URI, PROGRAM);
    let answer = step(&mut client, json!({ "term": "half 3" })).unwrap();
    assert_eq!(answer["failure"], "no clause of `half` matches");
    assert_eq!(answer["sources"][0]["text"], "half 3");
    let page = step(&mut client, json!({ "name": "main", "html": true })).unwrap();
    assert!(
        page["html"]
            .as_str()
            .unwrap()
            .starts_with("<!doctype html>")
    );
    for (asked, word) in [
        (json!({ "name": "half" }), "takes arguments"),
        (json!({ "name": "tick" }), "nobody handles"),
        (json!({ "name": "nobody" }), "nobody"),
        (json!({ "term": "half 'x'" }), "Char"),
        (json!({}), "`name`"),
        (json!({ "name": "main", "term": "1" }), "`term`"),
    ] {
        let error = step(&mut client, asked.clone()).unwrap_err();
        assert!(
            error["message"].as_str().unwrap().contains(word),
            "{asked}: {error}"
        );
    }
}

/// A run without an end is cut, and the server answers others meanwhile.
#[test]
fn long_runs_are_cut() {
    let mut client = Client::start(&[]);
    client.open(URI, PROGRAM);
    let params = json!({ "textDocument": { "uri": URI }, "name": "loop" });
    let asked = client.request("frank/step", params);
    client.call(
        "textDocument/hover",
        json!({ "textDocument": { "uri": URI }, "position": { "line": 2, "character": 1 } }),
    );
    let answer = client.wait(asked).unwrap();
    assert_eq!(answer["cut"], true);
    assert!(answer["states"].as_array().unwrap().len() > 5_000);
}

#[test]
fn lenses_are_for_clients_that_have_their_commands() {
    let dir = Scratch::new();
    for shows in [false, true] {
        let mut capabilities = usual_capabilities();
        capabilities["experimental"] = json!({ "frankStep": shows, "frankDebug": shows });
        let mut client = Client::start_with(&[dir.path()], capabilities, Value::Null);
        client.open(URI, PROGRAM);
        let lenses = client.call(
            "textDocument/codeLens",
            json!({ "textDocument": { "uri": URI } }),
        );
        for (title, command) in [("⏵ step", "frank.step"), ("⏵ debug", "frank.debug")] {
            let all = lenses.as_array().unwrap().iter();
            let own: Vec<&Value> = all
                .filter(|lens| lens["command"]["command"] == command)
                .collect();
            assert_eq!(!own.is_empty(), shows, "{lenses}");
            for lens in own {
                assert_eq!(lens["command"]["title"], title);
                assert_eq!(lens["command"]["arguments"][0], URI);
            }
        }
    }
}
