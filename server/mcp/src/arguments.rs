//! The arguments of a call. What does not fit is told in a sentence for the client, with what was expected.

use std::time::Duration;

use frank_syntax::visible::visible;
use rmcp::model::JsonObject;
use serde_json::Value;

/// The longest text that can be an argument of a process, in bytes: less than what every system takes.
const LONGEST_WORD: usize = 30_000;

/// The arguments of a call that are not read yet.
#[derive(Debug)]
pub struct Arguments {
    given: JsonObject,
}

impl Arguments {
    /// What was given, if the tool with this schema has arguments of these names. `null` stands for what is not given.
    pub fn new(given: Option<JsonObject>, schema: &JsonObject) -> Result<Arguments, String> {
        let mut given = given.unwrap_or_default();
        let known = schema.get("properties").and_then(Value::as_object);
        let unknown = given
            .keys()
            .find(|name| !known.is_some_and(|known| known.contains_key(*name)));
        if let Some(name) = unknown {
            let known = known.into_iter().flat_map(JsonObject::keys);
            let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
            return Err(format!(
                "there is no argument `{}`; this tool takes {}",
                visible(name),
                known.join(", ")
            ));
        }
        given.retain(|_, value| !value.is_null());
        Ok(Arguments { given })
    }

    fn take<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let Some(value) = self.given.remove(name) else {
            return Ok(None);
        };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(format!("`{name}` has to be {expected}")),
        }
    }

    /// A text of any length.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        self.take(name, "a string", |value| match value {
            Value::String(text) => Some(text),
            _ => None,
        })
    }

    /// A text that becomes an argument of a process.
    pub fn word(&mut self, name: &str) -> Result<Option<String>, String> {
        self.text(name)?.map(|text| word(name, text)).transpose()
    }

    /// The same, and there has to be one.
    pub fn needed_word(&mut self, name: &str) -> Result<String, String> {
        let word = self.word(name)?;
        word.ok_or_else(|| format!("`{name}` is missing: it has to be a string"))
    }

    /// Several such texts; one may stand without brackets.
    pub fn words(&mut self, name: &str) -> Result<Vec<String>, String> {
        let texts = self.take(name, "an array of strings", |value| match value {
            Value::String(text) => Some(vec![text]),
            Value::Array(items) => {
                let texts = items.into_iter().map(|item| match item {
                    Value::String(text) => Some(text),
                    _ => None,
                });
                texts.collect()
            }
            _ => None,
        })?;
        let texts = texts.unwrap_or_default();
        if texts.iter().map(String::len).sum::<usize>() > LONGEST_WORD {
            return Err(format!(
                "`{name}` has more than {LONGEST_WORD} bytes in all"
            ));
        }
        texts.into_iter().map(|text| word(name, text)).collect()
    }

    /// Whether something is wanted; it is not where nothing is said.
    pub fn flag(&mut self, name: &str) -> Result<bool, String> {
        let flag = self.take(name, "true or false", |value| value.as_bool())?;
        Ok(flag.unwrap_or_default())
    }

    /// A number to count with, from 1.
    pub fn count(&mut self, name: &str) -> Result<Option<u64>, String> {
        self.take(name, "a whole number from 1", |value| {
            value.as_u64().filter(|count| *count > 0)
        })
    }

    /// A number from 0.
    pub fn number(&mut self, name: &str) -> Result<Option<u64>, String> {
        self.take(name, "a whole number from 0", |value| value.as_u64())
    }

    /// A time in seconds.
    pub fn seconds(&mut self, name: &str) -> Result<Option<Duration>, String> {
        self.take(name, "a number of seconds above 0", |value| {
            let seconds = value.as_f64().filter(|seconds| *seconds > 0.0)?;
            Duration::try_from_secs_f64(seconds).ok()
        })
    }
}

fn word(name: &str, text: String) -> Result<String, String> {
    if text.contains('\0') {
        return Err(format!("`{name}` has a NUL character in it"));
    }
    if text.len() > LONGEST_WORD {
        return Err(format!("`{name}` is longer than {LONGEST_WORD} bytes"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(given: Value) -> Result<Arguments, String> {
        let schema = json!({ "properties": { "a": {}, "b": {} } });
        let given = given.as_object().cloned();
        Arguments::new(given, schema.as_object().expect("an object"))
    }

    #[test]
    fn what_was_expected_is_said() {
        let one = |value: Value| arguments(json!({ "a": value })).expect("known names");
        assert_eq!(
            arguments(json!({ "c\u{1b}": 1 })).expect_err("unknown"),
            "there is no argument `c\\u{1b}`; this tool takes `a`, `b`"
        );
        assert_eq!(
            one(json!(1)).text("a"),
            Err("`a` has to be a string".to_owned())
        );
        assert_eq!(
            one(json!(null)).needed_word("a"),
            Err("`a` is missing: it has to be a string".to_owned())
        );
        assert_eq!(
            one(json!("x\0y")).word("a"),
            Err("`a` has a NUL character in it".to_owned())
        );
        assert!(one(json!("x".repeat(40_000))).word("a").is_err());
        assert!(
            one(json!(["x".repeat(20_000), "y".repeat(20_000)]))
                .words("a")
                .is_err()
        );
        assert_eq!(one(json!("x")).words("a"), Ok(vec!["x".to_owned()]));
        assert!(one(json!(["x", 1])).words("a").is_err());
        assert_eq!(one(json!(true)).flag("a"), Ok(true));
        assert!(one(json!("true")).flag("a").is_err());
        assert_eq!(one(json!(7)).count("a"), Ok(Some(7)));
        for wrong in [json!(0), json!(-1), json!(1.5), json!("7")] {
            assert!(one(wrong.clone()).count("a").is_err(), "{wrong}");
        }
        assert_eq!(
            one(json!(0.5)).seconds("a"),
            Ok(Some(Duration::from_millis(500)))
        );
        for wrong in [json!(0), json!(-1), json!(1e300), json!("2s")] {
            assert!(one(wrong.clone()).seconds("a").is_err(), "{wrong}");
        }
        assert!(arguments(json!({})).expect("none").flag("b") == Ok(false));
    }
}
