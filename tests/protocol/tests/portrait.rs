//! What a hover and a lens say of a smooth operator: its formulas. Pictures depend on how the server was built, and are
//! tested with the command line.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::{Client, usual_capabilities};
use serde_json::{Value, json};

const URI: &str = "untitled:Untitled-1";

const PROGRAM: &str = "\
include ad-compare

-- Three times itself.
cube : X -> [Smooth X]X
cube x = times x (times x x)

area : X -> X -> [Smooth X]X
area x y = plus (times x y) (cube x)

loop : X -> [Smooth X]X
loop x = loop (times x x)

sign : X -> [Compare X, Smooth X]X
sign x = if (lessS x (c 0)) {n x} {x}

long : X -> Int -> [Smooth X]X
long x i = if (i == 0) {x} {long (sinS x) (i - 1)}

-- | at 1 300
longer : X -> Int -> [Smooth X]X
longer x i = long x i
";

/// How often one asks: evaluations that a hover has not waited for are there later.
const TRIES: usize = 200;

fn open(capabilities: Value) -> Client {
    let mut client = Client::start_with(&[], capabilities, Value::Null);
    client.open(URI, PROGRAM);
    client
}

fn able(own: Value) -> Value {
    let mut capabilities = usual_capabilities();
    capabilities["experimental"] = own;
    capabilities
}

/// The hover at a place.
fn hover(client: &mut Client, (line, character): (u32, u32)) -> String {
    let place = json!({
        "textDocument": { "uri": URI },
        "position": { "line": line, "character": character },
    });
    let hover = client.call("textDocument/hover", place);
    hover["contents"]["value"].as_str().unwrap().to_owned()
}

/// The hover at a place, once it has some words.
fn hover_with(client: &mut Client, place: (u32, u32), words: &str) -> String {
    let mut last = String::new();
    for _ in 0..TRIES {
        last = hover(client, place);
        if last.contains(words) {
            return last;
        }
    }
    panic!("no `{words}` in {last}");
}

#[test]
fn a_hover_has_formulas_wherever_the_operator_is_named() {
    let mut client = open(usual_capabilities());
    let formulas = "```text\ncube = x³\n∂cube/∂x = 3·x²\n```";
    for place in [(3, 1), (4, 0), (7, 30)] {
        let text = hover_with(&mut client, place, formulas);
        // The type is above, the documentation below.
        let parts = ["cube : X", formulas, "Three times itself."].map(|part| text.find(part));
        assert!(parts[0] < parts[1] && parts[1] < parts[2], "{text}");
        assert!(!text.contains("$$") && !text.contains("data:"), "{text}");
    }
    // Of the library's every arithmetic would have one.
    assert!(!hover(&mut client, (4, 10)).contains("∂"));
    client.replace(URI, &PROGRAM.replace("times x x)", "times x (c 2))"));
    hover_with(&mut client, (3, 1), "∂cube/∂x = 4·x");
}

#[test]
fn clients_get_what_they_can_show() {
    let mut plain = usual_capabilities();
    plain["textDocument"]["hover"] = json!({});
    let mut client = open(plain);
    let text = hover_with(&mut client, (6, 1), "∂area/∂y = x");
    assert!(
        text.contains("\narea = x³ + x·y\n") && !text.contains("```"),
        "{text}"
    );

    let mut client = open(able(json!({ "frankMath": true })));
    let text = hover_with(&mut client, (6, 1), "\\end{aligned}\n$$");
    assert!(
        text.contains("\\frac{\\partial \\mathit{area}}{\\partial y} &= x\n"),
        "{text}"
    );
}

#[test]
fn settings_decide() {
    let mut client = Client::spawn(&[]);
    client.settings = Some(json!({ "hover": { "formulas": false } }));
    client.initialize(&[], usual_capabilities(), Value::Null);
    client.open(URI, PROGRAM);
    // The settings come while the first hovers are answered.
    let is_off = (0..TRIES).any(|_| {
        let text = hover(&mut client, (3, 1));
        assert!(text.contains("cube : X"), "{text}");
        !text.contains('∂')
    });
    assert!(is_off);
    client.settings = Some(json!({ "hover": { "math": "on" } }));
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": null }),
    );
    hover_with(&mut client, (3, 1), "\\partial x} &= 3 x^{2}");
}

#[test]
fn what_has_no_formula_says_why() {
    let mut client = open(usual_capabilities());
    hover_with(
        &mut client,
        (9, 1),
        "No formula: finding one takes too long",
    );
    // What compares names the place, and what there is instead.
    let text = hover_with(&mut client, (12, 1), "No formula: a comparison depends on");
    assert!(
        text.contains("`relu` choose in the graph, at Untitled-1:14:14"),
        "{text}"
    );
    let text = hover_with(&mut client, (19, 1), "Too large for a formula: ");
    assert!(
        text.contains("v0 = sin(x)\nv1 = ") && text.contains("\n…\n"),
        "{text}"
    );
}

#[test]
fn a_lens_has_the_derivative_and_leads_to_the_picture() {
    let mut client = open(able(json!({ "frankPlot": true })));
    let lenses = client.call(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": URI } }),
    );
    let own = |lens: &&Value| lens["data"]["leads"] == "plot";
    let own: Vec<Value> = lenses
        .as_array()
        .unwrap()
        .iter()
        .filter(own)
        .cloned()
        .collect();
    assert_eq!(own.len(), 6);
    let title = (0..TRIES).find_map(|_| {
        let command = client.call("codeLens/resolve", own[0].clone())["command"].clone();
        assert_eq!(command["command"], "frank.plot");
        assert_eq!(command["arguments"], json!([URI, "cube"]));
        let title = command["title"].as_str().unwrap().to_owned();
        title.contains('=').then_some(title)
    });
    assert_eq!(title.as_deref(), Some("∂cube/∂x = 3·x²"));
    // What has none leads there all the same.
    let command = client.call("codeLens/resolve", own[2].clone())["command"].clone();
    assert_eq!(command["title"], "∂ plot");
}
