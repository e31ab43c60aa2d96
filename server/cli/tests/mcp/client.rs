//! A client of the server, made of the protocol's crate, and what it is answered.

use std::path::Path;
use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, CallToolResult, Tool};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::{ServiceExt, model::ContentBlock};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

/// A server with a client.
pub struct Client {
    pub service: RunningService<RoleClient, ()>,
    pub child: Child,
    tools: Vec<Tool>,
}

/// What a tool answers.
#[derive(Debug)]
pub struct Answer {
    pub is_error: bool,
    /// Its text.
    pub text: String,
    /// Its object; `null` if there is none.
    pub object: Value,
}

impl Client {
    /// A server with some arguments behind the directory. It is started elsewhere.
    pub async fn start(directory: &Path, arguments: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_frank"));
        command.arg("mcp").arg(directory).args(arguments);
        Client::of(command.current_dir("/")).await
    }

    /// A server that a command starts.
    pub async fn of(command: &mut Command) -> Client {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("it starts");
        let streams = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let service = ().serve(streams).await.expect("a handshake");
        let tools = service.list_all_tools().await.expect("tools");
        Client {
            service,
            child,
            tools,
        }
    }

    pub fn tool(&self, name: &str) -> &Tool {
        let found = self.tools.iter().find(|tool| tool.name == name);
        found.unwrap_or_else(|| panic!("there is no tool `{name}`"))
    }

    pub fn names(&self) -> Vec<&str> {
        self.tools.iter().map(|tool| &*tool.name).collect()
    }

    /// What a call is answered, whatever its answer is.
    pub async fn try_call(&self, name: &str, arguments: Value) -> Result<Answer, ServiceError> {
        let arguments = arguments.as_object().expect("an object").clone();
        let params = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        let result = self.service.call_tool(params).await?;
        self.fits(name, &result);
        Ok(answer(result))
    }

    /// The answer of a tool.
    pub async fn call(&self, name: &str, arguments: Value) -> Answer {
        let answer = self.try_call(name, arguments).await;
        answer.expect("no error of the protocol")
    }

    /// The object of a tool's answer, which is no error.
    pub async fn object(&self, name: &str, arguments: Value) -> Value {
        let answer = self.call(name, arguments).await;
        assert!(!answer.is_error, "{}", answer.text);
        answer.object
    }

    /// The object of a tool's answer, which is an error.
    pub async fn failure(&self, name: &str, arguments: Value) -> Value {
        let answer = self.call(name, arguments).await;
        assert!(answer.is_error, "{}", answer.text);
        assert!(answer.object.is_object(), "{}", answer.text);
        answer.object
    }

    /// Why a tool does not take some arguments.
    pub async fn refusal(&self, name: &str, arguments: Value) -> String {
        let answer = self.call(name, arguments).await;
        assert!(answer.is_error, "{}", answer.text);
        assert_eq!(answer.object, Value::Null, "{}", answer.text);
        answer.text
    }

    /// Compares an answer with the schema that the tool has announced.
    fn fits(&self, name: &str, result: &CallToolResult) {
        let schema = self.tool(name).output_schema.as_deref();
        let Some(object) = &result.structured_content else {
            let is_refusal = result.is_error == Some(true);
            assert!(
                schema.is_none() || is_refusal,
                "{name} gives no object: {result:?}"
            );
            return;
        };
        let schema = schema.unwrap_or_else(|| panic!("{name} has no schema, and gives {object}"));
        fits(&Value::Object(schema.clone()), object, name);
        let [ContentBlock::Text(text)] = &result.content[..] else {
            panic!("{name}: no text for old clients: {result:?}");
        };
        assert_eq!(
            serde_json::from_str::<Value>(&text.text).ok().as_ref(),
            Some(object)
        );
    }
}

fn answer(result: CallToolResult) -> Answer {
    let texts = result.content.iter().map(|block| match block {
        ContentBlock::Text(text) => text.text.as_str(),
        other => panic!("no text: {other:?}"),
    });
    Answer {
        is_error: result.is_error == Some(true),
        text: texts.collect(),
        object: result.structured_content.unwrap_or_default(),
    }
}

/// Whether a value is as a schema says, as far as the server's schemas go.
fn fits(schema: &Value, value: &Value, at: &str) {
    let types = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().map(|one| one.as_str().unwrap()).collect(),
        _ => panic!("{at}: a schema without a type: {schema}"),
    };
    let is = |name: &&str| match *name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{at}: an unknown type `{other}`"),
    };
    assert!(types.iter().any(is), "{at} is no {types:?}: {value}");
    if let Some(known) = schema["enum"].as_array() {
        assert!(known.contains(value), "{at} is none of {known:?}: {value}");
    }
    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
        fits(&schema["items"], item, &format!("{at}.{i}"));
    }
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required {
        assert!(
            value.get(name.as_str().unwrap()).is_some(),
            "{at} has no {name}: {value}"
        );
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        match &schema["properties"][name] {
            Value::Null => assert!(
                schema["additionalProperties"] != json!(false),
                "{at} may have no `{name}`: {value}"
            ),
            inner if inner["type"] == "array" && inner["items"]["type"] == "array" => {}
            inner => fits(inner, field, &format!("{at}.{name}")),
        }
    }
}
