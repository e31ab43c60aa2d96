//! Each tool, on right and on wrong input.

use rmcp::model::ReadResourceRequestParams;
use rmcp::model::ResourceContents;
use serde_json::{Value, json};

use crate::client::Client;
use crate::support::{BAD, Dir, GOOD};

const COUNTER: &str = "\
include prelude

-- > double 2
-- = 4
double : Int -> Int
double n = n + n

tick : [State Int] Int
tick! = put (get! + 1); get!

main : {Int}
main! = evalState 1 tick!

greet : [Console] Int
greet! = ouch 'h'; ouch 'i'; 7

echo : [Console] Char
echo! = inch!
";

const SMOOTH: &str = "\
include ad

cube : X -> [Smooth X] X
cube x = t x (t x x)
";

#[tokio::test]
async fn tools_say_what_they_take_and_do() {
    let dir = Dir::new(&[]);
    let client = Client::start(dir.path(), &[]).await;
    let names = [
        "check", "fix", "explain", "holes", "fill", "find", "run", "eval", "step", "derive",
        "test", "fmt",
    ];
    assert_eq!(client.names(), names);
    for name in names {
        let tool = client.tool(name);
        let described = tool.description.as_deref().unwrap_or_default();
        assert!(described.len() > 100, "{name}: {described}");
        let hints = tool.annotations.as_ref().expect("hints");
        assert_eq!(hints.read_only_hint, Some(true), "{name}");
        assert_eq!(hints.destructive_hint, Some(false), "{name}");
        let input = Value::Object((*tool.input_schema).clone());
        assert_eq!(input["type"], "object", "{name}");
        assert_eq!(input["additionalProperties"], false, "{name}");
        assert!(input["properties"].get("write").is_none(), "{name}");
        for (argument, schema) in input["properties"].as_object().unwrap() {
            assert!(schema["description"].is_string(), "{name}: {argument}");
        }
    }
    let info = client.service.peer_info().expect("said");
    assert!(info.instructions.as_deref().unwrap().contains("check"));
    let unknown = client
        .service
        .call_tool(rmcp::model::CallToolRequestParams::new("che\u{1b}ck"));
    let unknown = unknown.await.expect_err("no tool").to_string();
    assert!(unknown.contains("no tool `che\\u{1b}ck`"), "{unknown}");
}

#[tokio::test]
async fn check_gives_findings() {
    let dir = Dir::new(&[("good.fk", GOOD), ("sub/bad.fk", BAD)]);
    let client = Client::start(dir.path(), &[]).await;
    let all = client.failure("check", json!({})).await;
    assert_eq!((&all["errors"], &all["warnings"]), (&json!(1), &json!(0)));
    let finding = &all["findings"][0];
    assert_eq!(finding["file"], "sub/bad.fk");
    assert_eq!(finding["code"], "FK0210");
    assert_eq!(finding["range"]["start"]["line"], 2);
    let good = client.object("check", json!({ "path": "good.fk" })).await;
    assert_eq!(good["findings"], json!([]));
    let text = client.failure("check", json!({ "text": BAD })).await;
    assert_eq!(text["findings"][0]["file"], "<stdin>");
    // A text includes what lies in the directory.
    let shapes = "include good\nother : {Int}\nother! = main! + 1\n";
    client.object("check", json!({ "text": shapes })).await;
    // Broken text has findings, too, and is shown as it is.
    let broken = client
        .failure("check", json!({ "text": "main : {\u{1b}[31m" }))
        .await;
    assert!(broken["errors"].as_u64() > Some(0), "{broken}");
    let refusal = client.refusal("check", json!({ "path": "good.fk", "text": GOOD }));
    assert_eq!(refusal.await, "give `path` or `text`, not both of them");
    let refusal = client.refusal("check", json!({ "file": "good.fk" })).await;
    assert_eq!(
        refusal,
        "there is no argument `file`; this tool takes `path`, `text`"
    );
    let refusal = client
        .refusal("check", json!({ "path": ["good.fk"] }))
        .await;
    assert_eq!(refusal, "`path` has to be a string");
}

/// More findings than there is room for are cut off where one ends.
#[tokio::test]
async fn many_findings_are_cut_off() {
    let dir = Dir::new(&[]);
    let client = Client::start(dir.path(), &[]).await;
    let wrong = (0..3000).map(|i| format!("f{i} : Int\nf{i} = 'x'\n\n"));
    let text: String = wrong.collect();
    let found = client.failure("check", json!({ "text": text })).await;
    let count = found["findings"].as_array().unwrap().len();
    assert!((100..3000).contains(&count), "{count}");
    let messages = found["messages"].as_str().unwrap();
    assert!(messages.contains("wrote more than 256 KiB"), "{messages}");
}

#[tokio::test]
async fn explain_knows_codes_and_words() {
    let dir = Dir::new(&[]);
    let client = Client::start(dir.path(), &[]).await;
    let page = client.call("explain", json!({ "code": "FK0202" })).await;
    assert!(!page.is_error && page.text.contains("lift"), "{page:?}");
    let words = client.call("explain", json!({ "code": "lift" })).await;
    assert!(words.text.starts_with("FK0202"), "{words:?}");
    let all = client.call("explain", json!({})).await;
    assert!(all.text.lines().count() > 50, "{all:?}");
    let none = client.call("explain", json!({ "code": "FK9999" })).await;
    assert!(
        none.is_error && none.text.contains("no code FK9999"),
        "{none:?}"
    );
    // No option of the command.
    let none = client.call("explain", json!({ "code": "--help" })).await;
    assert!(none.is_error && none.text.contains("no code"), "{none:?}");
}

/// A hole in an operator with an example, and one in a program that has an error, too.
const HOLES: &str = "\
include prelude

interface Log = log : Int -> Unit

-- > twice 3
-- = 6
twice : Int -> Int
twice n = _

note : Int -> {Int -> [Log] Int} -> [Log] Int
note n f = log n; _ + 1

wrong : Int
wrong = 'x'
";

#[tokio::test]
async fn holes_have_goals() {
    let dir = Dir::new(&[("sub/holes.fk", HOLES), ("good.fk", GOOD)]);
    let client = Client::start(dir.path(), &[]).await;
    for source in [
        json!({}),
        json!({ "path": "sub" }),
        json!({ "path": "sub/holes.fk" }),
        json!({ "text": HOLES }),
    ] {
        let found = client.object("holes", source.clone()).await;
        let holes = found["holes"].as_array().unwrap();
        assert_eq!(holes.len(), 2, "{source}: {found}");
        let goal = &holes[1]["goal"];
        assert_eq!(
            (&goal["type"], &goal["inside"]),
            (&json!("Int"), &json!("note"))
        );
        assert_eq!(goal["ability"]["instances"][0]["instance"], "Log", "{goal}");
        let fits: Vec<&Value> = goal["locals"].as_array().unwrap().iter().collect();
        let f = fits.iter().find(|local| local["name"] == "f").unwrap();
        assert_eq!(f["written"], "f _", "{goal}");
    }
    let none = client.object("holes", json!({ "text": GOOD })).await;
    assert_eq!(none["holes"], json!([]));
    // They are findings as well.
    let found = client.failure("check", json!({ "text": HOLES })).await;
    assert_eq!(found["findings"][0]["goal"]["inside"], "twice", "{found}");
    let refusal = client.refusal("holes", json!({ "path": "gone.fk" })).await;
    assert_eq!(refusal, "there is no file or directory `gone.fk`");
}

#[tokio::test]
async fn fill_gives_what_fits() {
    let dir = Dir::new(&[("holes.fk", HOLES)]);
    let client = Client::start(dir.path(), &[]).await;
    let twice = json!({ "path": "holes.fk", "line": 8, "column": 11 });
    let found = client.object("fill", twice).await;
    let [hole] = &found["holes"].as_array().unwrap()[..] else {
        panic!("{found}");
    };
    assert_eq!(
        (&hole["inside"], &hole["type"]),
        (&json!("twice"), &json!("Int"))
    );
    let fits = hole["fits"].as_array().unwrap();
    assert!(fits.iter().any(|fit| fit["text"] == "n"), "{hole}");
    let first = &hole["terms"][0];
    assert_eq!(
        (&first["text"], &first["examples"]),
        (&json!("n + n"), &json!(true))
    );
    // What it says checks.
    let filled = HOLES.replace("twice n = _", "twice n = n + n");
    let left = client.object("holes", json!({ "text": filled })).await;
    assert_eq!(left["holes"].as_array().unwrap().len(), 1);
    let all = json!({ "text": HOLES, "seconds": 0.2 });
    let all = client.object("fill", all).await;
    assert_eq!(all["holes"].as_array().unwrap().len(), 2, "{all}");
    let none = client.failure("fill", json!({ "path": "holes.fk", "line": 1 }));
    let none = none.await;
    assert!(
        none["messages"].as_str().unwrap().contains("no hole there"),
        "{none}"
    );
    let refusal = client.refusal("fill", json!({ "path": "holes.fk", "column": 1 }));
    assert_eq!(refusal.await, "`column` needs a `line`");
}

#[tokio::test]
async fn find_goes_by_type() {
    let own = "include prelude\n\nsums : List Int -> {Int}\nsums xs = sum xs\n";
    let dir = Dir::new(&[("own.fk", own)]);
    let client = Client::start(dir.path(), &[]).await;
    let map = json!({ "type": "{X -> [E|]Y} -> List X -> [E|]List Y" });
    let found = client.object("find", map).await;
    assert_eq!(found["found"][0]["name"], "map");
    assert_eq!(found["found"][0]["include"], "prelude");
    for source in [
        json!({}),
        json!({ "path": "own.fk" }),
        json!({ "text": own }),
    ] {
        let mut arguments = source.clone();
        arguments["type"] = json!("List Int -> Int");
        arguments["limit"] = json!(100);
        let found = client.object("find", arguments).await;
        let found = found["found"].as_array().unwrap();
        assert!(found.iter().any(|one| one["name"] == "sums"), "{source}");
    }
    let handlers = json!({ "type": "<Abort> X -> …", "limit": 1 });
    let handlers = client.object("find", handlers).await;
    assert_eq!(handlers["found"].as_array().unwrap().len(), 1, "{handlers}");
    let wrong = client
        .failure("find", json!({ "type": "Lsit X -> Int" }))
        .await;
    assert!(
        wrong["messages"].as_str().unwrap().contains("did you mean"),
        "{wrong}"
    );
    let option = client.failure("find", json!({ "type": "--help" })).await;
    assert_eq!(option["found"], json!([]));
    let refusal = client.refusal("find", json!({})).await;
    assert_eq!(refusal, "`type` is missing: it has to be a string");
}

#[tokio::test]
async fn run_gives_value_and_output() {
    let dir = Dir::new(&[("counter.fk", COUNTER), ("bad.fk", BAD)]);
    let client = Client::start(dir.path(), &[]).await;
    let main = client.object("run", json!({ "path": "counter.fk" })).await;
    assert_eq!((&main["value"], &main["output"]), (&json!("2"), &json!("")));
    let greet = json!({ "path": "counter.fk", "entry": "greet" });
    let greet = client.object("run", greet).await;
    assert_eq!(
        (&greet["value"], &greet["output"]),
        (&json!("7"), &json!("hi\n"))
    );
    let echo = json!({ "path": "counter.fk", "entry": "echo", "input": "ä" });
    assert_eq!(client.object("run", echo).await["value"], "'ä'");
    let text = json!({ "text": "main : {Int}\nmain! = 6 * 7" });
    assert_eq!(client.object("run", text).await["value"], "42");
    let bad = client.failure("run", json!({ "path": "bad.fk" })).await;
    assert_eq!(
        (&bad["ended"], &bad["value"]),
        (&json!("errors"), &Value::Null)
    );
    assert!(
        bad["messages"].as_str().unwrap().contains("FK0210"),
        "{bad}"
    );
    let text = json!({ "text": "main : {Int}\nmain! = 1 / 0" });
    let failed = client.failure("run", text).await;
    assert_eq!(failed["ended"], "failed");
    assert!(
        failed["messages"].as_str().unwrap().contains("zero"),
        "{failed}"
    );
    let hole = client.failure("run", json!({ "text": "main : {Int}\nmain! = 1 + _" }));
    let hole = hole.await;
    assert_eq!(hole["ended"], "failed");
    let says = hole["messages"].as_str().unwrap();
    assert!(says.contains("Int") && says.contains(":2:13"), "{hole}");
    let entry = json!({ "path": "counter.fk", "entry": "--help" });
    let unusable = client.failure("run", entry).await;
    assert_eq!(unusable["ended"], "unusable");
    let refusal = client.refusal("run", json!({})).await;
    assert_eq!(refusal, "give `path`, a file, or `text`, a program");
    let refusal = client.refusal("run", json!({ "path": "." })).await;
    assert_eq!(refusal, "`path` is a directory: name a file in it");
    let refusal = client.refusal("run", json!({ "text": GOOD, "input": "x" }));
    assert!(refusal.await.starts_with("`input` needs a `path`"));
}

#[tokio::test]
async fn eval_takes_a_term() {
    let dir = Dir::new(&[("counter.fk", COUNTER)]);
    let client = Client::start(dir.path(), &[]).await;
    let sum = client
        .object("eval", json!({ "term": "sum (range 1 100)" }))
        .await;
    assert_eq!(sum["value"], "5050");
    let double = json!({ "term": "double 4", "path": "counter.fk" });
    assert_eq!(client.object("eval", double).await["value"], "8");
    let double = json!({ "term": "-7", "text": COUNTER });
    assert_eq!(client.object("eval", double).await["value"], "-7");
    let wrong = client.failure("eval", json!({ "term": "1 + 'x'" })).await;
    assert_eq!(wrong["ended"], "errors");
    let refusal = client
        .refusal("eval", json!({ "path": "counter.fk" }))
        .await;
    assert_eq!(refusal, "`term` is missing: it has to be a string");
}

#[tokio::test]
async fn step_gives_states() {
    let dir = Dir::new(&[("counter.fk", COUNTER)]);
    let client = Client::start(dir.path(), &[]).await;
    let commands = json!({ "path": "counter.fk", "commands": true });
    let commands = client.object("step", commands).await;
    let states = commands["states"].as_array().unwrap();
    assert_eq!(states.len(), 3, "{commands}");
    assert_eq!(states[1]["term"], "evalState 1 (put 2; get!)");
    let some = json!({ "text": COUNTER, "term": "double 4", "states": 1, "from": 2 });
    let some = client.object("step", some).await;
    assert_eq!(some["states"].as_array().unwrap().len(), 1, "{some}");
    assert!(
        some["messages"]
            .as_str()
            .unwrap()
            .contains("there are more states")
    );
    let echo = json!({ "path": "counter.fk", "entry": "echo", "input": "x" });
    let states = client.object("step", echo).await["states"].take();
    assert_eq!(states.as_array().unwrap().last().unwrap()["term"], "'x'");
    let failed = json!({ "text": "main : {Int}\nmain! = 1 / 0" });
    let failed = client.failure("step", failed).await;
    assert!(!failed["states"].as_array().unwrap().is_empty(), "{failed}");
    let both = json!({ "path": "counter.fk", "entry": "main", "term": "1" });
    let refusal = client.refusal("step", both).await;
    assert_eq!(refusal, "give `term` or `entry`, not both of them");
    let zero = json!({ "path": "counter.fk", "from": 0 });
    let refusal = client.refusal("step", zero).await;
    assert_eq!(refusal, "`from` has to be a whole number from 1");
}

#[tokio::test]
async fn derive_gives_points() {
    let dir = Dir::new(&[("smooth.fk", SMOOTH)]);
    let client = Client::start(dir.path(), &[]).await;
    let at = json!({ "path": "smooth.fk", "name": "cube", "at": ["2", "-1"], "second": true, "check": true });
    let derived = client.object("derive", at).await;
    let points = derived["points"].as_array().unwrap();
    assert_eq!(points.len(), 2, "{derived}");
    assert_eq!(points[0]["value"], "8.0");
    assert_eq!(points[0]["derivatives"][0]["values"], json!(["12.0"]));
    assert_eq!(points[1]["derivatives"][0]["values"], json!(["3.0"]));
    assert_eq!(points[0]["checked"], true);
    let text = json!({ "text": SMOOTH, "name": "cube" });
    assert_eq!(
        client.object("derive", text).await["points"][0]["value"],
        "1.0"
    );
    let none = json!({ "text": SMOOTH, "name": "main" });
    let none = client.failure("derive", none).await;
    assert!(
        none["messages"].as_str().unwrap().contains("main"),
        "{none}"
    );
}

#[tokio::test]
async fn test_runs_examples() {
    let wrong = "-- > half 8\n-- = 5\nhalf : Int -> Int\nhalf n = n / 2\n";
    let dir = Dir::new(&[("counter.fk", COUNTER), ("wrong.fk", wrong)]);
    let client = Client::start(dir.path(), &[]).await;
    let right = client.call("test", json!({ "path": "counter.fk" })).await;
    assert!(
        !right.is_error && right.text.contains("1 example"),
        "{right:?}"
    );
    let all = client.call("test", json!({})).await;
    assert!(all.is_error && all.text.contains("should be 5"), "{all:?}");
}

#[tokio::test]
async fn test_tries_laws() {
    let dir = Dir::new(&[(
        "near.fk",
        "-- for all x : Int. isNear x\nisNear : Int -> Bool\nisNear x = x < 50\n",
    )]);
    let client = Client::start(dir.path(), &[]).await;
    let few = client.call("test", json!({ "tries": 1 })).await;
    assert!(!few.is_error && few.text.contains("1 law"), "{few:?}");
    let many = json!({ "tries": 500, "seed": 7 });
    let many = client.call("test", many).await;
    assert!(many.is_error, "{many:?}");
    assert!(many.text.contains("is false for x = 50\n"), "{many:?}");
    assert!(many.text.contains("of 500 with seed 7"), "{many:?}");
    let refusal = client.refusal("test", json!({ "seed": -1 })).await;
    assert!(refusal.contains("a whole number from 0"), "{refusal}");
}

#[tokio::test]
async fn fmt_gives_the_text() {
    let wide = "main   : {Int}\nmain!  =  6*7\n";
    let dir = Dir::new(&[("wide.fk", wide), ("good.fk", GOOD)]);
    let client = Client::start(dir.path(), &[]).await;
    let formatted = "main : {Int}\nmain! = 6 * 7\n";
    for source in [json!({ "path": "wide.fk" }), json!({ "text": wide })] {
        assert_eq!(client.object("fmt", source).await["text"], formatted);
    }
    let all = client.object("fmt", json!({ "path": "." })).await;
    assert_eq!(all["files"], json!(["wide.fk"]));
    assert_eq!(dir.read("wide.fk"), wide);
    let refusal = client.refusal("fmt", json!({})).await;
    assert!(refusal.starts_with("give `path`"), "{refusal}");
}

#[tokio::test]
async fn fix_gives_a_difference() {
    let dir = Dir::new(&[("fixable.fk", crate::places::FIXABLE)]);
    let client = Client::start(dir.path(), &[]).await;
    for source in [
        json!({ "path": "fixable.fk" }),
        json!({ "text": crate::places::FIXABLE }),
    ] {
        let fixed = client.object("fix", source).await;
        let diff = fixed["diff"].as_str().unwrap();
        assert!(diff.contains("\n-") && diff.contains("\n+"), "{diff}");
    }
    assert_eq!(dir.read("fixable.fk"), crate::places::FIXABLE);
    let none = client.object("fix", json!({ "text": GOOD })).await;
    assert_eq!(none["diff"], "");
    let refusal = client.refusal("fix", json!({ "path": "gone.fk" })).await;
    assert_eq!(refusal, "there is no file or directory `gone.fk`");
}

#[tokio::test]
async fn resources_are_the_library_and_explanations() {
    let dir = Dir::new(&[]);
    let client = Client::start(dir.path(), &[]).await;
    let resources = client.service.list_all_resources().await.unwrap();
    let uris: Vec<&str> = resources.iter().map(|one| one.uri.as_str()).collect();
    assert!(uris.contains(&"frank://library/prelude.fk"), "{uris:?}");
    let read = async |uri: &str| {
        let read = client
            .service
            .read_resource(ReadResourceRequestParams::new(uri));
        read.await.map(|read| match &read.contents[0] {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            other => panic!("no text: {other:?}"),
        })
    };
    for uri in uris {
        assert!(read(uri).await.unwrap().contains(" : "), "{uri}");
    }
    let templates = client.service.list_all_resource_templates().await.unwrap();
    assert_eq!(templates[0].uri_template, "frank://explain/{code}");
    let page = read("frank://explain/FK0201").await.unwrap();
    assert!(page.starts_with("FK0201"), "{page}");
    for uri in [
        "frank://explain/FK9999",
        "frank://explain/lift",
        "frank://explain/-h",
        "frank://library/../prelude.fk",
        "file:///etc/passwd",
    ] {
        let error = read(uri).await.expect_err(uri).to_string();
        assert!(error.contains("there is no resource"), "{error}");
    }
}
