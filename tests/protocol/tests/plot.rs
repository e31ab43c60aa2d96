//! `frank/plot`, an operator and its derivatives as numbers, and `frank/graph`, what they compute. Whether there is a
//! picture depends on how the server was built.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::Client;
use serde_json::{Value, json};

const URI: &str = "untitled:Untitled-1";

const PROGRAM: &str = "\
include ad-compare

-- | at 2 3
area : X -> X -> [Smooth X]X
area x y = times x (times y y)

root : X -> [Smooth X]X
root x = sqrtS (minus x (c 100))

loop : X -> [Smooth X]X
loop x = loop x

sign : X -> [Compare X, Smooth X]X
sign x = if (lessS x (c 0)) {negate x} {x}
";

fn plot(client: &mut Client, asked: Value) -> Result<Value, Value> {
    let mut params = json!({ "textDocument": { "uri": URI } });
    for (name, value) in asked.as_object().unwrap() {
        params[name] = value.clone();
    }
    client.try_call("frank/plot", params)
}

fn points(answer: &Value, curve: usize) -> Vec<(f64, f64)> {
    let pieces = &answer["curves"][curve]["pieces"];
    let pieces: Vec<Vec<(f64, f64)>> = serde_json::from_value(pieces.clone()).unwrap();
    pieces.concat()
}

#[test]
fn one_variable_is_varied_and_another_moved() {
    let mut client = Client::start(&[]);
    client.open(URI, PROGRAM);
    let asked = json!({ "name": "area", "from": 0, "to": 4, "over": ["y"], "moved": { "x": 5 } });
    let answer = plot(&mut client, asked).unwrap();
    assert_eq!(answer["call"], "area (x = 5.0)");
    let point = json!([{ "variable": "x", "value": 5.0 }, { "variable": "y", "value": 3.0 }]);
    assert_eq!(answer["point"], point);
    for (y, value) in points(&answer, 0) {
        assert!((value - 5.0 * y * y).abs() < 1e-12, "{value} at {y}");
    }
    for (y, slope) in points(&answer, 1) {
        assert!((slope - 10.0 * y).abs() < 1e-12, "{slope} at {y}");
    }
}

#[test]
fn what_cannot_be_drawn_has_its_reason() {
    let mut client = Client::start(&[]);
    client.open(URI, PROGRAM);
    let said = [
        (
            json!({ "name": "area", "moved": { "z": 1 } }),
            "no variable `z`",
        ),
        (json!({ "name": "area", "from": 2, "to": 2 }), "not smaller"),
        (
            json!({ "name": "root", "from": 0, "to": 1 }),
            "no finite value",
        ),
        (json!({ "name": "absent" }), "`absent`"),
        (json!({ "name": "area", "theme": "blue" }), "blue"),
    ];
    for (asked, words) in said {
        let error = plot(&mut client, asked.clone()).unwrap_err();
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(words), "{asked}: {message}");
    }
}

#[test]
fn one_that_does_not_end_is_ended_by_the_client() {
    let mut client = Client::start(&[]);
    client.open(URI, PROGRAM);
    let params = json!({ "textDocument": { "uri": URI }, "name": "loop" });
    let asked = client.request("frank/plot", params);
    client.cancel(asked);
    let error = client.wait(asked).unwrap_err();
    assert_eq!(error["code"], -32800);
}

fn graph(client: &mut Client, asked: Value) -> Result<Value, Value> {
    let mut params = json!({ "textDocument": { "uri": URI } });
    for (name, value) in asked.as_object().unwrap() {
        params[name] = value.clone();
    }
    client.try_call("frank/graph", params)
}

#[test]
fn a_graph_is_at_a_point_and_its_nodes_have_places() {
    let mut client = Client::start(&[]);
    client.open(URI, PROGRAM);
    let answer = graph(&mut client, json!({ "name": "area", "moved": { "y": 7 } })).unwrap();
    let point = json!([{ "variable": "x", "value": 2.0 }, { "variable": "y", "value": 7.0 }]);
    assert_eq!(answer["point"], point);
    assert_eq!(answer["missing"], Value::Null);
    // Of a server that draws.
    if let Some(svg) = answer["svg"].as_str() {
        let places = answer["places"].as_array().unwrap();
        let at = |place: &Value| {
            assert_eq!(place["uri"], URI);
            let start = &place["range"]["start"];
            (start["line"].as_u64(), start["character"].as_u64())
        };
        let starts: Vec<_> = places.iter().map(at).collect();
        for column in [11, 20] {
            assert!(starts.contains(&(Some(4), Some(column))), "{starts:?}");
        }
        assert!(svg.contains("data-place=\"1\"") && svg.contains("Untitled-1:5:12"));
    }
    let error = graph(&mut client, json!({ "name": "area", "moved": { "z": 1 } })).unwrap_err();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("no variable `z`"), "{message}");
}

#[test]
fn what_compares_has_no_graph_and_leads_to_the_comparison() {
    let mut client = Client::start(&[]);
    client.open(URI, PROGRAM);
    let error = graph(&mut client, json!({ "name": "sign" })).unwrap_err();
    let message = error["message"].as_str().unwrap();
    for part in [
        "a comparison depends on",
        "`relu` choose in the graph",
        "at Untitled-1:14:14",
    ] {
        assert!(message.contains(part), "{message}");
    }
    let start = json!({ "line": 13, "character": 13 });
    assert_eq!(error["data"]["place"]["range"]["start"], start);
}
