//! What editors ask for, on whole and broken programs and on programs of several files. What the
//! answers say is tested where they are made; here it matters that they arrive.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::{Client, Fixture, Scratch, usual_capabilities};
use serde_json::{Value, json};

const URI: &str = "untitled:Untitled-1";

fn open(marked: &str) -> (Client, Fixture) {
    let mut client = Client::start(&[]);
    let fixture = Fixture::new(marked);
    client.open(URI, &fixture.text);
    (client, fixture)
}

fn document() -> Value {
    json!({ "textDocument": { "uri": URI } })
}

const STATE: &str = "\
interface State S = get : S | put : S -> Unit

state : S -> <State S>X -> X
state _ x = x
state s <g$1et -> k> = state s (k s)
state _ <put s -> k> = state s (k unit)

-- Counts up.
tick : [State Int]Int
tick! = let n$3 = $4get! in put (n + 1); n

main : {Int}
main! = sta$0te 1 (ti$2ck!; tick!)
";

#[test]
fn hover_is_markdown_or_text() {
    let (mut client, fixture) = open(STATE);
    let hover = client.call("textDocument/hover", fixture.position(URI, '2'));
    assert_eq!(hover["contents"]["kind"], "markdown");
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("tick : [State Int]Int") && text.contains("Counts up."),
        "{text}"
    );
    let mut start = fixture.at('2');
    start["character"] = json!(start["character"].as_u64().unwrap() - 2);
    assert_eq!(hover["range"]["start"], start);

    let mut capabilities = usual_capabilities();
    capabilities["textDocument"]["hover"] = json!({});
    let mut client = Client::start_with(&[], capabilities, Value::Null);
    client.open(URI, &fixture.text);
    let hover = client.call("textDocument/hover", fixture.position(URI, '2'));
    assert_eq!(hover["contents"]["kind"], "plaintext");
    assert!(!hover["contents"]["value"].as_str().unwrap().contains("```"));
}

#[test]
fn info_is_structure_and_text() {
    let marked = "\
interface State S = get : S | put : S -> Unit

state : S -> <State S>X -> X
state _ x = x
state s <get -> k> = state s (k s)
state _ <put s -> k> = state s (k unit)

main : {Int}
main! = state 1 ($0get!; wrong; 2)
$1
";
    let (mut client, fixture) = open(marked);
    let info = client.call("frank/info", fixture.position(URI, '0'));
    assert_eq!(
        info["types"],
        json!(["interface State S = get : S", "here : [State Int]Int"])
    );
    let instance = &info["ability"]["instances"][0];
    assert_eq!(instance["instance"], "State Int");
    assert_eq!(instance["active"], true);
    assert_eq!(instance["by"][0]["text"], "handled by state");
    assert_eq!(instance["by"][0]["location"]["range"]["start"]["line"], 8);
    assert_eq!(info["findings"][0]["code"], "FK0101");
    let text = info["text"].as_str().unwrap();
    assert!(
        text.contains("State Int  (active)\n    handled by state  9:9"),
        "{text}"
    );
    assert!(text.contains("Error FK0101\n  "), "{text}");
    assert_eq!(
        client.call("frank/info", fixture.position(URI, '1')),
        Value::Null
    );

    let run = json!({ "command": "frank.run", "arguments": [URI, "main"] });
    let mended = fixture.text.replace("wrong; ", "");
    client.replace(URI, &mended);
    client.call("workspace/executeCommand", run);
    let info = client.call("frank/info", fixture.position(URI, '0'));
    assert_eq!(
        info["results"],
        json!([{ "text": "main = 2", "stale": false }])
    );
    assert!(
        info["text"]
            .as_str()
            .unwrap()
            .ends_with("Last result\n  main = 2\n")
    );
}

#[test]
fn go_to_everything() {
    let (mut client, fixture) = open(STATE);
    let lines = |answer: Value| -> Vec<u64> {
        let places = answer.as_array().unwrap().clone();
        let line = |place: &Value| {
            let range = place.get("targetSelectionRange").unwrap_or(&place["range"]);
            range["start"]["line"].as_u64().unwrap()
        };
        places.iter().map(line).collect()
    };
    let mut go = |method: &str, mark: char| {
        lines(client.call(
            &format!("textDocument/{method}"),
            fixture.position(URI, mark),
        ))
    };
    assert_eq!(go("definition", '0'), [3, 4, 5]);
    assert_eq!(go("declaration", '0'), [2]);
    assert_eq!(go("definition", '4'), [0]);
    assert_eq!(go("implementation", '4'), [4]);
}

#[test]
fn references_and_highlights() {
    let (mut client, fixture) = open(STATE);
    let mut params = fixture.position(URI, '4');
    params["context"] = json!({ "includeDeclaration": true });
    let found = client.call("textDocument/references", params);
    assert_eq!(found.as_array().unwrap().len(), 3, "{found}");
    let found = client.call("textDocument/documentHighlight", fixture.position(URI, '3'));
    assert_eq!(found.as_array().unwrap().len(), 3, "{found}");
}

/// Makes the edits of a text document edit in a text of ASCII.
fn apply(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let line = position["line"].as_u64().unwrap() as usize;
        let lines = text.split_inclusive(['\n', '\r']);
        let start: usize = lines.take(line).map(str::len).sum();
        start + position["character"].as_u64().unwrap() as usize
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (
                offset(&range["start"]),
                offset(&range["end"]),
                edit["newText"].as_str().unwrap(),
            )
        })
        .collect();
    edits.sort_by_key(|(start, end, _)| std::cmp::Reverse((*start, *end)));
    let mut text = text.to_owned();
    for (start, end, new) in edits {
        text.replace_range(start..end, new);
    }
    text
}

#[test]
fn rename_across_files() {
    let dir = Scratch::with(&[("lib.fk", "one : {Int}\none! = 1\n")]);
    let mut client = Client::start(&[dir.path()]);
    let (main, lib) = (dir.uri("main.fk"), dir.uri("lib.fk"));
    let fixture = Fixture::new("include lib\nmain : {Int}\nmain! = on$0e! + one!\n");
    client.open(&main, &fixture.text);
    client.findings(&main);
    let prepared = client.call("textDocument/prepareRename", fixture.position(&main, '0'));
    assert_eq!(prepared["placeholder"], "one");
    let mut params = fixture.position(&main, '0');
    params["newName"] = json!("uno");
    let edit = client.call("textDocument/rename", params.clone());
    let changes = edit["documentChanges"].as_array().unwrap();
    assert_eq!(changes.len(), 2);
    for change in changes {
        let uri = &change["textDocument"]["uri"];
        if *uri == json!(main) {
            assert_eq!(change["textDocument"]["version"], 1);
            let new = apply(&fixture.text, &change["edits"]);
            assert_eq!(new, "include lib\nmain : {Int}\nmain! = uno! + uno!\n");
        } else {
            assert_eq!(
                (uri, &change["textDocument"]["version"]),
                (&json!(lib), &Value::Null)
            );
        }
    }
    for bad in ["main", "2x", "let"] {
        params["newName"] = json!(bad);
        let error = client
            .try_call("textDocument/rename", params.clone())
            .unwrap_err();
        assert_eq!(error["code"], -32803, "{bad}: {error}");
    }
}

#[test]
fn symbols() {
    let (mut client, _) = open(STATE);
    let symbols = client.call("textDocument/documentSymbol", document());
    let names: Vec<&str> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["State", "state", "tick", "main"]);
    assert_eq!(symbols[0]["children"][0]["name"], "get");
    for symbol in symbols.as_array().unwrap() {
        let (all, name) = (&symbol["range"], &symbol["selectionRange"]);
        let line = |range: &Value, end: &str| range[end]["line"].as_u64().unwrap();
        assert!(line(all, "start") <= line(name, "start"));
        assert!(line(name, "end") <= line(all, "end"));
    }
    let found = client.call("workspace/symbol", json!({ "query": "tic" }));
    assert_eq!(found[0]["name"], "tick");

    let mut client = Client::start_with(&[], json!({}), Value::Null);
    client.open(URI, &Fixture::new(STATE).text);
    let symbols = client.call("textDocument/documentSymbol", document());
    assert_eq!(symbols[1]["name"], "get");
    assert_eq!(symbols[1]["containerName"], "State");
}

#[test]
fn where_lines_are_folded_each_fold_is_one_of_its_own() {
    let folding = json!({ "textDocument": { "foldingRange": { "lineFoldingOnly": true } } });
    let mut client = Client::start_with(&[], folding, Value::Null);
    client.open(
        URI,
        "f : Int -> Int\nf x = case x {\n  0 -> 1\n| n -> n\n}\n",
    );
    let folds = client.call("textDocument/foldingRange", document());
    let lines = |fold: &Value| (fold["startLine"].as_u64(), fold["endLine"].as_u64());
    let all: Vec<_> = folds.as_array().unwrap().iter().map(lines).collect();
    let mut once = all.clone();
    once.dedup();
    assert_eq!(all, once, "{folds}");
    assert!(all.contains(&(Some(1), Some(4))), "{folds}");
}

#[test]
fn structure() {
    let (mut client, fixture) = open(STATE);
    let folds = client.call("textDocument/foldingRange", document());
    assert!(
        folds
            .as_array()
            .unwrap()
            .iter()
            .all(|fold| { fold["startLine"].as_u64() < fold["endLine"].as_u64() })
    );
    let positions = json!([fixture.at('0'), fixture.at('3')]);
    let params = json!({ "textDocument": { "uri": URI }, "positions": positions });
    let around = client.call("textDocument/selectionRange", params);
    assert_eq!(around.as_array().unwrap().len(), 2);
    let mut depth = 0;
    let mut range = &around[0];
    while !range.is_null() {
        depth += 1;
        range = &range["parent"];
    }
    assert!(depth >= 4, "{around}");
    let linked = client.call(
        "textDocument/linkedEditingRange",
        Fixture::new(&STATE.replace("state s <g$1et", "st$5ate s <get")).position(URI, '5'),
    );
    assert_eq!(linked["ranges"].as_array().unwrap().len(), 4, "{linked}");
    client.open("untitled:b", "include prelude\n");
    let links = client.call(
        "textDocument/documentLink",
        json!({ "textDocument": { "uri": "untitled:b" } }),
    );
    assert!(
        links[0]["target"]
            .as_str()
            .unwrap()
            .ends_with("/prelude.fk")
    );
}

#[test]
fn calls_both_ways() {
    let (mut client, fixture) = open(STATE);
    let items = client.call(
        "textDocument/prepareCallHierarchy",
        fixture.position(URI, '2'),
    );
    assert_eq!(items[0]["name"], "tick");
    let calls = client.call("callHierarchy/incomingCalls", json!({ "item": items[0] }));
    assert_eq!(calls[0]["from"]["name"], "main");
    assert_eq!(calls[0]["fromRanges"].as_array().unwrap().len(), 2);
    let calls = client.call("callHierarchy/outgoingCalls", json!({ "item": items[0] }));
    let names: Vec<&str> = calls
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["to"]["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"get") && names.contains(&"put"),
        "{names:?}"
    );
}

#[test]
fn formatting() {
    let (mut client, fixture) =
        open("f:Int->Int\nf x=x+1   \n\ng :   Int\n  $0-> Int$1\ng x =   x\n");
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": URI }, "options": options });
    let edits = client.call("textDocument/formatting", params.clone());
    let all = apply(&fixture.text, &edits);
    assert!(
        all.starts_with("f : Int -> Int\nf x = x + 1\n\ng : Int\n"),
        "{all}"
    );
    let mut part = params.clone();
    part["range"] = fixture.range('0', '1');
    let edits = client.call("textDocument/rangeFormatting", part);
    let some = apply(&fixture.text, &edits);
    assert!(
        some.starts_with("f:Int->Int\nf x=x+1   \n\ng : Int\n"),
        "{some}"
    );

    // All lines end alike.
    let apple = "f : Int -> Int\rf x=x\r\rg : Int -> Int\rg x = x\r";
    client.replace(URI, apple);
    let edits = client.call("textDocument/formatting", params.clone());
    assert_eq!(
        apply(apple, &edits),
        "f : Int -> Int\nf x = x\n\ng : Int -> Int\ng x = x\n"
    );

    let typed = Fixture::new("f:Int->Int\nf x=x+1\n$0\n");
    client.replace(URI, &typed.text);
    let mut on_type = params;
    on_type["position"] = typed.at('0');
    on_type["ch"] = json!("\n");
    let edits = client.call("textDocument/onTypeFormatting", on_type.clone());
    assert_eq!(apply(&typed.text, &edits), "f:Int->Int\nf x = x + 1\n\n");

    // The blanks at the cursor stay as they are.
    let typed = Fixture::new("f x=g  y\n  z$0 \nh:{Int}\n");
    client.replace(URI, &typed.text);
    on_type["position"] = typed.at('0');
    on_type["ch"] = json!("}");
    let edits = client.call("textDocument/onTypeFormatting", on_type);
    assert_eq!(apply(&typed.text, &edits), "f x = g y\n  z \nh:{Int}\n");
}

#[test]
fn fixes() {
    let (mut client, fixture) =
        open("main : {Int}\nmain! = doubl$0e 1\n\ndouble_ : Int -> Int\ndouble_ x = x\n");
    client.replace(URI, &fixture.text.replace("double_", "doubled"));
    let params = json!({
        "textDocument": { "uri": URI },
        "range": fixture.range('0', '0'),
        "context": { "diagnostics": [] },
    });
    let actions = client.call("textDocument/codeAction", params.clone());
    let action = &actions[0];
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["diagnostics"][0]["code"], "FK0101");
    let edit = &action["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"]["version"], 2);
    assert_eq!(edit["edits"][0]["newText"], "doubled");
    // Titles are those of a menu.
    assert_eq!(action["title"], "Write `doubled`");
    assert_eq!(action["isPreferred"], true);
}

/// What a fix leaves to be filled in is selected, where the client can show a place. Fixes write at several
/// places, in whatever order they were found.
#[test]
fn the_gap_that_a_fix_leaves_is_selected() {
    let mut capabilities = usual_capabilities();
    capabilities["window"]["showDocument"] = json!({ "support": true });
    let mut client = Client::start_with(&[], capabilities, Value::Null);
    let mut gaps = 0;
    for program in [
        "data T = a | b\n\n-- 𝒳\nf : T -> Int\nf a = 1\n",
        "q a = 2\n\nq : Int -> Int\n\nmain : {Int}\nmain! = evaluate 3\n",
        "f : Int -> Int -> Int\nf x y = x + y\n\nmain : {Int}\nmain! = f 1\n",
    ] {
        client.open(URI, program);
        let lines = program.lines().count();
        let params = json!({
            "textDocument": { "uri": URI },
            "range": { "start": { "line": 0, "character": 0 }, "end": { "line": lines, "character": 0 } },
            "context": { "diagnostics": [], "only": ["quickfix"] },
        });
        let actions = client.call("textDocument/codeAction", params);
        for action in actions.as_array().unwrap() {
            let Some(place) = action["command"]["arguments"].get(1) else {
                continue;
            };
            let fixed = apply(program, &action["edit"]["documentChanges"][0]["edits"]);
            let at = |end: &str, field: &str| place[end][field].as_u64().unwrap() as usize;
            let line = fixed.lines().nth(at("start", "line")).unwrap();
            assert_eq!(
                &line[at("start", "character")..at("end", "character")],
                "_",
                "{fixed}"
            );
            gaps += 1;
        }
        client.close(URI);
    }
    assert!(gaps >= 2, "{gaps}");
}

/// Whoever has written some clauses stands in one of them.
#[test]
fn missing_clauses_are_offered_on_each_clause() {
    let (mut client, fixture) = open(
        "data T = a | b | c\n\nf : T -> Int\nf a = $01\nf $1b = case b {b -> 2}\n\ng : Int\ng! = $23\n",
    );
    let mut titles = |at| {
        let params = json!({
            "textDocument": { "uri": URI },
            "range": fixture.range(at, at),
            "context": { "diagnostics": [], "only": ["quickfix"] },
        });
        let actions = client.call("textDocument/codeAction", params);
        let actions = actions.as_array().unwrap().iter();
        let titles = actions.map(|action| action["title"].as_str().unwrap().to_owned());
        titles
            .filter(|title| title.contains("clause"))
            .collect::<Vec<_>>()
    };
    let first = titles('0');
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!(titles('1'), first);
    // Nothing is offered at another operator.
    assert_eq!(titles('2'), Vec::<String>::new());
}

/// What a `case` lacks is offered on each of its clauses, and not what the operator around it lacks.
#[test]
fn missing_clauses_are_offered_on_each_clause_of_a_case() {
    let (mut client, fixture) = open(
        "data T = a | b | c\n\nf : T -> T -> Int\nf a x = $0case x {a -> $11 | b $2-> 2}\nf b x = $31\n\n\
         g : T -> Int\ng x = case x {\n    a -> 1\n  | b -> case x {a -> $45}\n  }\n",
    );
    let mut fixed = |at| {
        let params = json!({
            "textDocument": { "uri": URI },
            "range": fixture.range(at, at),
            "context": { "diagnostics": [], "only": ["quickfix"] },
        });
        let actions = client.call("textDocument/codeAction", params);
        let actions = actions.as_array().unwrap().iter();
        let clauses = actions.filter(|one| one["title"].as_str().unwrap().contains("clause"));
        let edits = clauses.map(|one| one["edit"]["documentChanges"][0]["edits"].clone());
        edits
            .map(|edits| edits[0]["newText"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let case = fixed('1');
    assert_eq!(case, [" | c -> _"]);
    assert_eq!(fixed('2'), case);
    assert_eq!(fixed('3'), ["\nf c x = _"]);
    assert_eq!(fixed('4'), [" | b -> _ | c -> _"]);
}

/// Whoever adds a port wants to name what comes through it next.
#[test]
fn a_new_port_is_selected() {
    let text = "f : Int -> Int\nf 0 = 1\nf n = n\n\nmain : {Int}\nmain! = f 1\n";
    for lazily in [true, false] {
        let mut capabilities = usual_capabilities();
        capabilities["window"]["showDocument"] = json!({ "support": true });
        if !lazily {
            capabilities["textDocument"]["codeAction"]["resolveSupport"] = Value::Null;
        }
        let mut client = Client::start_with(&[], capabilities, Value::Null);
        client.open(URI, text);
        for (line, clause) in [(0, 1), (2, 2)] {
            let at = json!({ "line": line, "character": 0 });
            let params = json!({
                "textDocument": { "uri": URI },
                "range": { "start": at, "end": at },
                "context": { "diagnostics": [], "only": ["refactor.rewrite"] },
            });
            let actions = client.call("textDocument/codeAction", params);
            let mut actions = actions.as_array().unwrap().iter();
            let action = actions.find(|one| one["title"] == "Add a port to `f`");
            let mut action = action.unwrap().clone();
            if lazily {
                action = client.call("codeAction/resolve", action);
            }
            assert_eq!(action["command"]["command"], "frank.select", "{action}");
            let place = &action["command"]["arguments"][1];
            assert_eq!(place["start"], json!({ "line": clause, "character": 4 }));
            assert_eq!(place["end"], json!({ "line": clause, "character": 5 }));
        }
    }
}

/// A handler's clauses are written with the commands, the arity and the names of the interface that its
/// port adds: as snippets where the client has them, else as plain text.
#[test]
fn clauses_are_completed_for_the_interface_of_the_port() {
    let interface =
        "interface State S = get : S | put : S -> Unit\n\nstate : S -> <State S>X -> X\n";
    let fixture = Fixture::new(&format!("{interface}state _ x = x\nstate n <$0\n"));
    let below = Fixture::new(&format!(
        "{interface}state _ x = x\nstate s <get -> k> = state s (k s)\n$0\n"
    ));
    for (snippets, written) in [
        (
            true,
            [
                ("get", "get -> ${1:k}>"),
                ("put", "put ${1:s} -> ${2:k}>"),
                (
                    "get …",
                    "get -> ${1:k}> = $2\nstate n <put ${3:s} -> ${4:k}> = $5",
                ),
                (
                    "state s <put x -> k>",
                    "state ${1:s} <put ${2:x} -> ${3:k}> = $4",
                ),
            ],
        ),
        (
            false,
            [
                ("get", "get -> k>"),
                ("put", "put s -> k>"),
                ("get …", "get -> k> = \nstate n <put s -> k> = "),
                ("state s <put x -> k>", "state s <put x -> k> = "),
            ],
        ),
    ] {
        let mut capabilities = usual_capabilities();
        capabilities["textDocument"]["completion"]["completionItem"]["snippetSupport"] =
            json!(snippets);
        let mut client = Client::start_with(&[], capabilities, Value::Null);
        let mut offered = Vec::new();
        for fixture in [&fixture, &below] {
            client.open(URI, &fixture.text);
            let list = client.call("textDocument/completion", fixture.position(URI, '0'));
            offered.extend(list["items"].as_array().unwrap().clone());
            client.close(URI);
        }
        for (label, text) in written {
            let item = offered.iter().find(|item| item["label"] == label);
            let item = item.unwrap_or_else(|| panic!("{label}: {offered:#?}"));
            assert_eq!(item["textEdit"]["newText"], text);
            let format = if snippets { json!(2) } else { Value::Null };
            assert_eq!(item["insertTextFormat"], format, "{item}");
        }
    }
}

fn fix_all(client: &mut Client, uri: &str, only: &str) -> Value {
    let start = json!({ "line": 0, "character": 0 });
    let params = json!({
        "textDocument": { "uri": uri },
        "range": { "start": start, "end": start },
        "context": { "diagnostics": [], "only": [only] },
    });
    client.call("textDocument/codeAction", params)
}

/// What an editor does when it saves a file, with `source.fixAll` among its actions.
#[test]
fn fixing_all() {
    let shapes = "twice : Int -> Int\ntwice n = n + n\n\nplus x = twcie x + x\n";
    let text = "include shapes\ninclude ad-paper\n\nbroken = (((\n\nmain : {Int}\n\
                main! = let unused = 1 in evaluate (d {x -> t x (d {y -> p x y} (c 1))} (c 1))\n\n\
                other : {Int}\nother! = twcie 2 + plus 3\n\ndata = |\n";
    let scratch = Scratch::with(&[("shapes.fk", shapes), ("main.fk", text)]);
    let mut client = Client::start(&[scratch.path()]);
    let kinds = &client.capabilities["codeActionProvider"]["codeActionKinds"];
    for kind in ["source.fixAll", "source.fixAll.frank"] {
        assert!(kinds.as_array().unwrap().contains(&json!(kind)), "{kinds}");
    }
    let uri = scratch.uri("main.fk");
    client.open(&uri, text);
    for only in ["source.fixAll", "source.fixAll.frank", "source"] {
        let actions = fix_all(&mut client, &uri, only);
        assert_eq!(actions.as_array().unwrap().len(), 1, "{actions}");
        assert_eq!(actions[0]["kind"], "source.fixAll.frank");
        let changes = actions[0]["edit"]["documentChanges"].as_array().unwrap();
        // Another file is fixed when that one is saved.
        assert_eq!(changes.len(), 1, "{actions}");
        assert_eq!(changes[0]["textDocument"]["uri"], uri.as_str());
        let fixed = apply(text, &changes[0]["edits"]);
        let expected = text
            .replace("unused", "_")
            .replace("p x y", "p (lift x) y")
            .replace("twcie", "twice");
        assert_eq!(fixed, expected);
    }
    client.replace(
        &uri,
        &text
            .replace("twcie", "twice")
            .replace("unused", "_")
            .replace("p x", "p (lift x)"),
    );
    assert_eq!(fix_all(&mut client, &uri, "source.fixAll"), json!([]));
    // Nobody who asks for a menu gets it.
    let start = json!({ "line": 6, "character": 0 });
    let params = json!({
        "textDocument": { "uri": uri },
        "range": { "start": start, "end": start },
        "context": { "diagnostics": [] },
    });
    client.replace(&uri, text);
    let actions = client.call("textDocument/codeAction", params);
    for action in actions.as_array().unwrap() {
        assert_ne!(action["kind"], "source.fixAll.frank");
    }
    let neighbour = scratch.uri("shapes.fk");
    client.open(&neighbour, shapes);
    let actions = fix_all(&mut client, &neighbour, "source.fixAll");
    assert_eq!(
        apply(shapes, &actions[0]["edit"]["documentChanges"][0]["edits"]),
        "twice : Int -> Int\ntwice n = n + n\n\nplus : Int -> Int\nplus x = twice x + x\n"
    );
}

/// Comments that allow a finding keep it from being fixed, and one that allows nothing goes itself.
#[test]
fn fixes_and_comments_that_allow() {
    let text = "main : {Int}\nmain! = let x = 1 in 2 -- frank: allow FK0405\n\n-- frank: allow FK0201\nf : {Int}\nf! = main!\n";
    let (mut client, _) = open(text);
    let actions = fix_all(&mut client, URI, "source.fixAll");
    assert_eq!(
        apply(text, &actions[0]["edit"]["documentChanges"][0]["edits"]),
        "main : {Int}\nmain! = let x = 1 in 2 -- frank: allow FK0405\n\nf : {Int}\nf! = main!\n"
    );
}

#[test]
fn refactorings() {
    let (mut client, fixture) = open("main : {Int}\nmain! = 1 + $02 * 3$1\n");
    let params = json!({
        "textDocument": { "uri": URI },
        "range": fixture.range('0', '1'),
        "context": { "diagnostics": [], "only": ["refactor.extract"] },
    });
    let actions = client.call("textDocument/codeAction", params.clone());
    let titles: Vec<&Value> = actions
        .as_array()
        .unwrap()
        .iter()
        .map(|a| &a["title"])
        .collect();
    assert_eq!(titles, ["Extract to an operator", "Extract to `let`"]);
    // The edits are made once the action is chosen.
    assert_eq!(actions[0]["kind"], "refactor.extract");
    assert!(actions[0]["edit"].is_null());
    let resolved = client.call("codeAction/resolve", actions[0].clone());
    let edits = &resolved["edit"]["documentChanges"][0]["edits"];
    assert_eq!(
        apply(&fixture.text, edits),
        "main : {Int}\nmain! = 1 + extracted!\n\nextracted : {Int}\nextracted! = 2 * 3\n"
    );
    // What was offered for another text is not done.
    client.replace(URI, "main : {Int}\nmain! = 1 + 22 * 3\n");
    let refused = client.try_call("codeAction/resolve", actions[0].clone());
    assert!(
        refused.unwrap_err()["message"]
            .as_str()
            .unwrap()
            .contains("has changed")
    );
}

#[test]
fn refactorings_for_clients_that_resolve_nothing() {
    let mut capabilities = usual_capabilities();
    capabilities["textDocument"]["codeAction"]["resolveSupport"] = Value::Null;
    let mut client = Client::start_with(&[], capabilities, Value::Null);
    client.open(URI, "main : {Int}\nmain! = let x = 1 in x + 2\n");
    let cursor = json!({ "line": 1, "character": 12 });
    let params = json!({
        "textDocument": { "uri": URI },
        "range": { "start": cursor, "end": cursor },
        "context": { "diagnostics": [], "only": ["refactor.inline"] },
    });
    let actions = client.call("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "Inline `x`");
    let edits = &actions[0]["edit"]["documentChanges"][0]["edits"];
    let text = "main : {Int}\nmain! = let x = 1 in x + 2\n";
    assert_eq!(apply(text, edits), "main : {Int}\nmain! = 1 + 2\n");
}

/// The words of an answer as `line:column+length type`.
fn words(client: &Client, data: &[Value]) -> Vec<String> {
    let legend = &client.capabilities["semanticTokensProvider"]["legend"];
    let numbers: Vec<u64> = data.iter().map(|number| number.as_u64().unwrap()).collect();
    let (mut line, mut column) = (0, 0);
    let mut words = Vec::new();
    for token in numbers.chunks(5) {
        if token[0] > 0 {
            line += token[0];
            column = 0;
        }
        column += token[1];
        let kind = legend["tokenTypes"][token[3] as usize].as_str().unwrap();
        words.push(format!("{line}:{column}+{} {kind}/{}", token[2], token[4]));
    }
    words
}

fn full(client: &mut Client) -> (String, Vec<Value>) {
    let answer = client.call("textDocument/semanticTokens/full", document());
    let id = answer["resultId"].as_str().unwrap().to_owned();
    (id, answer["data"].as_array().unwrap().clone())
}

/// Makes the edits of an answer, all of which count in the words before them.
fn put_in(data: &mut Vec<Value>, delta: &Value) {
    for edit in delta["edits"].as_array().unwrap().iter().rev() {
        let start = edit["start"].as_u64().unwrap() as usize;
        let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
        data.splice(start..end, edit["data"].as_array().unwrap().iter().cloned());
    }
}

#[test]
fn colours_of_places_far_apart_change_apart() {
    let text = frank_tests::generate::program(3000);
    let mut client = Client::start(&[]);
    client.open(URI, &text);
    let (mut id, mut data) = full(&mut client);
    let texts = [
        text.replacen("a * 2", "a * 2 + 1", 1),
        text.replace("a0 + b0", "b0")
            .replacen("range4 (from + 1) to", "range4 from\n to", 1)
            .replace("note40 y", "note40 (y)"),
        text.replace("total7 xs = ", "total7 xs = -- seven\n  ")
            .replace("range44 0", "range44 1 + 0"),
        text.replace("-- Collects what was logged, in order.\n", "\n"),
        text.clone(),
    ];
    let mut edits = Vec::new();
    for text in texts {
        client.replace(URI, &text);
        let mut params = document();
        params["previousResultId"] = json!(id);
        let delta = client.call("textDocument/semanticTokens/full/delta", params);
        edits.push(delta["edits"].as_array().unwrap().len());
        put_in(&mut data, &delta);
        let (fresh_id, fresh) = full(&mut client);
        assert_eq!(words(&client, &data), words(&client, &fresh));
        id = fresh_id;
    }
    assert!(edits[1] >= 3 && edits[2] >= 2, "{edits:?}");
}

#[test]
fn colours_and_what_changes_of_them() {
    let (mut client, fixture) = open(STATE);
    let (mut id, mut data) = full(&mut client);
    let all = words(&client, &data);
    for word in [
        "0:0+9 keyword/0",
        "0:10+5 interface/1",
        "4:9+3 method/4",
        "9:24+1 operator/0",
    ] {
        assert!(
            all.iter().any(|one| one == word) || word.contains("operator"),
            "{word}: {all:?}"
        );
    }
    // Changes of all kinds; the answer to each is put into the last one.
    let texts = [
        fixture.text.replace("tick! =", "tick!\n  ="),
        fixture.text.replace("tick! =", "tick!  ="),
        format!("-- 𝒳 above\r\n\r\n{}", fixture.text),
        fixture.text.replace("Counts up.", "Counts\r\n-- up."),
        fixture.text.clone(),
        fixture
            .text
            .lines()
            .take(8)
            .map(|line| format!("{line}\n"))
            .collect(),
        String::new(),
        "a : {String}\na! = \"é\"\n".to_owned(),
        "a : {String}\na! = \"xy\" b\n".to_owned(),
        "a : {String}\na! =\"x\n".to_owned(),
        fixture.text.clone(),
    ];
    for text in texts {
        client.replace(URI, &text);
        let mut params = document();
        params["previousResultId"] = json!(id);
        let delta = client.call("textDocument/semanticTokens/full/delta", params);
        put_in(&mut data, &delta);
        let (fresh_id, fresh) = full(&mut client);
        assert_eq!(words(&client, &data), words(&client, &fresh), "{text:?}");
        id = fresh_id;
    }
    // An answer that the server does not know any more is answered with everything.
    let mut params = document();
    params["previousResultId"] = json!("forgotten");
    let whole = client.call("textDocument/semanticTokens/full/delta", params);
    assert_eq!(whole["data"].as_array().unwrap(), &data);
    // A part of the text has a part of the words.
    let mut params = document();
    params["range"] = json!({
        "start": { "line": 7, "character": 0 }, "end": { "line": 9, "character": 5 },
    });
    let part = client.call("textDocument/semanticTokens/range", params);
    let part = words(&client, part["data"].as_array().unwrap());
    let all = words(&client, &data);
    assert!(
        !part.is_empty() && part.iter().all(|word| all.contains(word)),
        "{part:?}"
    );
}

#[test]
fn broken_programs_are_answered_about() {
    let broken =
        "main : {Int}\nmain! = (dou$0ble (1 + \n\ndouble : Int -> Int\ndouble x = x + \n\nf : \n";
    let (mut client, fixture) = open(broken);
    for method in [
        "hover",
        "definition",
        "declaration",
        "typeDefinition",
        "implementation",
        "documentHighlight",
        "linkedEditingRange",
        "prepareCallHierarchy",
    ] {
        client.call(
            &format!("textDocument/{method}"),
            fixture.position(URI, '0'),
        );
    }
    for method in [
        "documentSymbol",
        "foldingRange",
        "documentLink",
        "semanticTokens/full",
    ] {
        client.call(&format!("textDocument/{method}"), document());
    }
    let hover = client.call("textDocument/hover", fixture.position(URI, '0'));
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("double : Int -> Int")
    );
}

/// The capability of each request that the server answers.
const CAPABILITIES: [(&str, &str); 35] = [
    ("diagnostic", "/diagnosticProvider"),
    (
        "workspace_diagnostic",
        "/diagnosticProvider/workspaceDiagnostics",
    ),
    ("hover", "/hoverProvider"),
    ("goto_definition", "/definitionProvider"),
    ("goto_declaration", "/declarationProvider"),
    ("goto_type_definition", "/typeDefinitionProvider"),
    ("goto_implementation", "/implementationProvider"),
    ("references", "/referencesProvider"),
    ("document_highlight", "/documentHighlightProvider"),
    ("prepare_rename", "/renameProvider/prepareProvider"),
    ("rename", "/renameProvider"),
    ("document_symbol", "/documentSymbolProvider"),
    ("symbol", "/workspaceSymbolProvider"),
    ("semantic_tokens_full", "/semanticTokensProvider/full"),
    (
        "semantic_tokens_full_delta",
        "/semanticTokensProvider/full/delta",
    ),
    ("semantic_tokens_range", "/semanticTokensProvider/range"),
    ("completion", "/completionProvider"),
    ("completion_resolve", "/completionProvider/resolveProvider"),
    ("signature_help", "/signatureHelpProvider"),
    ("inlay_hint", "/inlayHintProvider"),
    ("prepare_call_hierarchy", "/callHierarchyProvider"),
    ("incoming_calls", "/callHierarchyProvider"),
    ("outgoing_calls", "/callHierarchyProvider"),
    ("folding_range", "/foldingRangeProvider"),
    ("selection_range", "/selectionRangeProvider"),
    ("document_link", "/documentLinkProvider"),
    ("linked_editing_range", "/linkedEditingRangeProvider"),
    ("code_action", "/codeActionProvider"),
    ("code_action_resolve", "/codeActionProvider/resolveProvider"),
    ("code_lens", "/codeLensProvider"),
    ("code_lens_resolve", "/codeLensProvider/resolveProvider"),
    ("execute_command", "/executeCommandProvider"),
    ("formatting", "/documentFormattingProvider"),
    ("range_formatting", "/documentRangeFormattingProvider"),
    ("on_type_formatting", "/documentOnTypeFormattingProvider"),
];

/// A client asks for nothing that the server does not announce.
#[test]
fn what_the_server_answers_is_announced() {
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../server/lsp/src/backend.rs"
    );
    let source = std::fs::read_to_string(source).unwrap();
    let (own, methods) = source
        .split_once("impl LanguageServer for Backend")
        .unwrap();
    let methods = methods.split("async fn ").skip(1);
    // Those whose answers are written by a worker.
    let own = own.split("pub async fn ").skip(1);
    let own = own.filter(|method| {
        method
            .split('{')
            .next()
            .unwrap()
            .contains("Result<Written>")
    });
    let client = Client::start(&[]);
    let mut count = 0;
    for method in methods.chain(own) {
        let (name, _) = method.split_once('(').unwrap();
        let is_notification =
            name.starts_with("did_") || name.starts_with("init") || name == "shutdown";
        if is_notification {
            continue;
        }
        count += 1;
        let known = CAPABILITIES.iter().find(|(known, _)| *known == name);
        let (_, pointer) = known.unwrap_or_else(|| {
            panic!(
                "the server answers `{name}`: name its capability here, and its method in the lists of \
                 everywhere.rs and random.rs"
            )
        });
        let announced = client.capabilities.pointer(pointer).unwrap_or(&Value::Null);
        assert!(
            !announced.is_null() && *announced != json!(false),
            "announce `{name}` in `announce` of server/lsp/src/features/mod.rs: there is no {pointer}"
        );
    }
    assert_eq!(
        count,
        CAPABILITIES.len(),
        "requests that are gone are named here"
    );
}

#[test]
fn what_has_a_type_is_found_from_a_document_and_from_none() {
    let dir = Scratch::new();
    let beside = dir.write("beside.fk", "include prelude\n\nthere : Nat -> Float\n");
    dir.write("broken.fk", ")))\nthere : Nat ->\n");
    let main = dir.write("main.fk", "include prelude\n\nhere : Nat -> Float\n");
    let mut client = Client::start(&[dir.path()]);
    client.open(&main, "include prelude\n\nhere : Nat -> Float\n");
    let mut ask = |params: Value| client.call("frank/findByType", params);
    let document = json!({ "uri": main });
    let found = ask(json!({ "type": "Nat -> Float", "textDocument": document }));
    let of = |found: &Value, key: &str| -> Vec<Value> {
        let all = found["found"].as_array().unwrap();
        all.iter().map(|one| one[key].clone()).collect()
    };
    assert_eq!(of(&found, "name"), ["here", "there"]);
    assert_eq!(of(&found, "include"), [Value::Null, json!("beside")]);
    assert_eq!(of(&found, "fit"), ["exact", "exact"]);
    assert_eq!(found["found"][1]["location"]["uri"], json!(beside));
    assert_eq!(
        found["found"][1]["location"]["range"]["start"],
        json!({ "line": 2, "character": 0 })
    );
    assert_eq!(found["found"][1]["text"], "beside.fk:3; include beside");

    let map = ask(json!({ "type": "List X -> {X -> Y} -> List Y", "limit": 1 }));
    assert_eq!(of(&map, "name"), ["map"]);
    assert_eq!(of(&map, "fit"), ["order"]);
    assert_eq!(of(&map, "include"), ["prelude"]);
    assert_eq!(of(&map, "library"), [true]);
    assert_eq!(map["found"][0]["type"], "{X -> Y} -> List X -> List Y");
    // Included already.
    let map = ask(json!({ "type": "List X -> {X -> Y} -> List Y", "textDocument": document }));
    assert_eq!(of(&map, "include"), [Value::Null]);

    let command = ask(json!({ "type": "Char -> [Console]Unit" }));
    assert_eq!(of(&command, "kind"), ["command"]);
    assert_eq!(of(&command, "of"), ["Console"]);

    let wrong = ask(json!({ "type": "ä -> Lsit X" }));
    assert_eq!(wrong["total"], 0);
    assert_eq!(wrong["mistakes"][0]["range"], json!([5, 9]));
    assert_eq!(wrong["mistakes"][0]["code"], "FK0102");
    assert_eq!(
        wrong["mistakes"][0]["help"],
        json!(["did you mean `List`?"])
    );

    let none = ask(json!({ "type": "Nat -> Bool" }));
    assert_eq!(none["total"], 0);
    assert_eq!(none["nearest"]["name"], "there");
}
