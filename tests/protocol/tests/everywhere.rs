//! Every request at every place of programs, whole and broken: an answer or a refusal, and never
//! trouble.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::Client;
use serde_json::{Value, json};

const URI: &str = "untitled:Untitled-1";

const WHOLE: &str = "\
include prelude
data Tree X = leaf | node (Tree X) X (Tree X)
interface Ask X = ask : Int -> X
-- | at 2.0
walk : <Ask Int>X -> [State Int]X
walk x = x
walk <ask n -> k> = put (n + get!); walk (k get!)
g : {<State(s a -> s a a)|> X -> [State Int] X}
g x = x
flat : Tree X -> List X
flat leaf = []
flat (node l x r) = append (flat l) (x :: (flat r))
some : Int -> [State Int]Int
some n = n + _rest
main : {List Int}
main! = evalState 1 (let y = walk (ask 'c') in case \"λ∂\" {(c :: _) -> [y, -1] | m -> [2]})
";

const METHODS: [&str; 17] = [
    "frank/info",
    "frank/findByType",
    "frank/goal",
    "frank/nextHole",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/documentHighlight",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
    "textDocument/prepareCallHierarchy",
    "textDocument/linkedEditingRange",
    "textDocument/references",
    "textDocument/rename",
];

fn check(text: &str) {
    let mut client = Client::start(&[]);
    client.open(URI, text);
    let mut asked = Vec::new();
    for (line, content) in text.split('\n').enumerate() {
        // One column too many: a client may be behind.
        for character in 0..=content.encode_utf16().count() + 1 {
            for method in METHODS {
                let params = json!({
                    "textDocument": { "uri": URI },
                    "position": { "line": line, "character": character },
                    "context": { "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
                    "newName": "renamed",
                    "type": "Tree X -> [Ask X]_",
                });
                let id = client.request(method, params);
                asked.push((id, method, line, character));
            }
            let range = json!({
                "start": { "line": line, "character": character },
                "end": { "line": line + 1, "character": 0 },
            });
            for method in [
                "textDocument/codeAction",
                "textDocument/inlayHint",
                "textDocument/semanticTokens/range",
            ] {
                let params = json!({
                    "textDocument": { "uri": URI },
                    "range": range,
                    "context": { "diagnostics": [] },
                });
                asked.push((client.request(method, params), method, line, character));
            }
            let params = json!({
                "textDocument": { "uri": URI },
                "positions": [{ "line": line, "character": character }],
            });
            let method = "textDocument/selectionRange";
            asked.push((client.request(method, params), method, line, character));
        }
        for (id, method, line, character) in asked.drain(..) {
            if let Err(error) = client.wait(id) {
                let refused = ["textDocument/rename", "textDocument/prepareRename"];
                assert!(
                    refused.contains(&method) && error["code"] != -32603,
                    "{method} at {line}:{character} of\n{text}\n{error}"
                );
            }
        }
    }
    let answer = client.call("frank/selfTest", json!({ "do": "text", "uri": URI }));
    assert_eq!(answer["document"], Value::from(text));
}

#[test]
fn everything_everywhere_in_a_whole_program() {
    check(WHOLE);
}

#[test]
fn everything_everywhere_in_broken_programs() {
    // As somebody types it: the text ends in the middle of an item.
    for end in [190, 330] {
        check(&WHOLE[..end]);
    }
    check(&WHOLE.replace(['(', '}', '='], ""));
}
