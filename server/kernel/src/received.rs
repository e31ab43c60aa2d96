//! Messages as they arrive. Not all clients are careful: what a message lacks is put in where the protocol says what
//! goes without saying, and else it is kept with what is wrong, so that it can be answered.

use jupyter_protocol::{JupyterMessage, JupyterMessageContent, UnknownMessage};
use jupyter_zmq_client::RawMessage;
use serde_json::{Value, json};

/// A message.
pub struct Received {
    pub message: JupyterMessage,
    /// What is wrong with its content, so that nobody knows what it asks for; a sentence.
    pub lacks: Option<String>,
}

/// A message whose signature is right.
///
/// # Errors
/// It does not say what kind of message it is, so that it has no answer; a sentence.
pub fn received(raw: RawMessage) -> Result<Received, String> {
    let RawMessage {
        zmq_identities,
        jparts,
    } = raw;
    let mut parts = jparts.into_iter();
    let mut part = || parts.next().unwrap_or_default();
    let (header, parent, metadata, content) = (part(), part(), part(), part());
    let no_header = |error| format!("its header cannot be read: {error}");
    let header: Value = serde_json::from_slice(&header).map_err(no_header)?;
    let usual = json!({ "username": "", "session": "", "version": "5.0" });
    let header: jupyter_protocol::Header =
        serde_json::from_value(with_usual(header, &usual)).map_err(no_header)?;
    let kind = header.msg_type.clone();
    let content = serde_json::from_slice(&content).map_err(|error| error.to_string());
    let content = content.and_then(|content| {
        let content = with_usual(content, &usual_content(&kind));
        let read = JupyterMessageContent::from_type_and_content(&kind, content);
        read.map_err(|error| error.to_string())
    });
    let (content, lacks) = match content {
        Ok(content) => (content, None),
        Err(reason) => {
            let content = UnknownMessage {
                msg_type: kind.clone(),
                content: json!({}),
            };
            let lacks =
                format!("the content of this `{kind}` is not as the protocol has it: {reason}");
            (content.into(), Some(lacks))
        }
    };
    let message = JupyterMessage {
        zmq_identities,
        header,
        // That of a message that nobody caused is empty.
        parent_header: serde_json::from_slice(&parent).ok(),
        metadata: serde_json::from_slice(&metadata).unwrap_or_else(|_| json!({})),
        content,
        buffers: parts.collect(),
        channel: None,
    };
    Ok(Received { message, lacks })
}

/// What the content of a kind of message is where it does not say it.
fn usual_content(kind: &str) -> Value {
    match kind {
        "execute_request" => json!({
            "silent": false,
            "store_history": true,
            "user_expressions": {},
            "allow_stdin": true,
            "stop_on_error": true,
        }),
        "history_request" => json!({
            "output": false,
            "raw": true,
            "unique": false,
            "pattern": "*",
            // All of them.
            "n": i32::MAX,
        }),
        "comm_open" => json!({ "data": {} }),
        "shutdown_request" => json!({ "restart": false }),
        _ => json!({}),
    }
}

/// An object with the fields of another one that it has not, or has as `null`.
fn with_usual(mut object: Value, usual: &Value) -> Value {
    if let (Some(fields), Some(usual)) = (object.as_object_mut(), usual.as_object()) {
        for (name, value) in usual {
            let field = fields.entry(name.as_str()).or_insert(Value::Null);
            if field.is_null() {
                *field = value.clone();
            }
        }
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(header: &Value, content: &str) -> Result<Received, String> {
        let parts = [&header.to_string(), "{}", "{}", content].map(str::to_owned);
        received(RawMessage {
            zmq_identities: Vec::new(),
            jparts: parts.into_iter().map(Into::into).collect(),
        })
    }

    fn header(kind: &str) -> Value {
        json!({ "msg_id": "1", "msg_type": kind })
    }

    #[test]
    fn what_goes_without_saying_is_put_in() {
        let Ok(found) = of(
            &header("execute_request"),
            r#"{"code": "1", "silent": true}"#,
        ) else {
            panic!("it can be read");
        };
        assert_eq!(found.lacks, None);
        let JupyterMessageContent::ExecuteRequest(request) = found.message.content else {
            panic!("a request");
        };
        assert!(request.silent && request.store_history && request.stop_on_error);
    }

    #[test]
    fn a_search_of_the_history_needs_no_number() {
        for content in [
            r#"{"hist_access_type": "search", "pattern": "1*"}"#,
            r#"{"hist_access_type": "search", "pattern": "1*", "n": null}"#,
        ] {
            let Ok(found) = of(&header("history_request"), content) else {
                panic!("it can be read");
            };
            assert_eq!(found.lacks, None);
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        for (kind, content, missing) in [
            ("execute_request", "{}", "`code`"),
            ("complete_request", r#"{"code": ""}"#, "`cursor_pos`"),
            ("inspect_request", "[]", "invalid"),
            ("is_complete_request", "{", "EOF"),
        ] {
            let Ok(found) = of(&header(kind), content) else {
                panic!("it has a header");
            };
            assert_eq!(found.message.header.msg_type, kind);
            let lacks = found.lacks.expect("it lacks something");
            assert!(lacks.contains(kind) && lacks.contains(missing), "{lacks}");
        }
        for wrong in [
            json!({}),
            json!([]),
            json!({ "msg_type": "execute_request" }),
        ] {
            let Err(reason) = of(&wrong, "{}") else {
                panic!("{wrong} is no header");
            };
            assert!(reason.contains("header"), "{reason}");
        }
    }
}
