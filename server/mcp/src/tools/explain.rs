//! What findings mean.

use serde_json::json;

use super::{Effect, Plan, Row, as_text, task, tool};
use crate::child::Input;
use crate::schema;

pub const EXPLAIN: Row = Row {
    describe: |_| {
        tool(
            ("explain", "Explain a finding"),
            "Explains a kind of finding of the Frank checker, with a wrong and a right program. Without a code it lists \
             all; with words it lists those whose pages have them. Examples: {\"code\": \"FK0202\"}, {\"code\": \"lift\"}.",
            schema::object(
                json!({ "code": schema::text("A code such as FK0201, or words") }),
                &[],
            ),
            Effect::Reads,
        )
    },
    plan: |mut arguments, workspace| {
        let code = arguments.word("code")?;
        let words = ["--"].into_iter().chain(code.as_deref());
        Ok(Plan {
            task: task("explain", words, Input::Nothing, workspace.limits.time),
            answer: Box::new(as_text),
        })
    },
};
