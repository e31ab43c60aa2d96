//! As much of JSON Schema as the schema of SARIF uses, apart from patterns and formats of strings.

use serde_json::Value;

/// Where a document is not what a schema wants.
pub fn mistakes(schema: &Value, document: &Value) -> Vec<String> {
    let mut checker = Checker {
        root: schema,
        mistakes: Vec::new(),
    };
    checker.check(schema, document, "");
    checker.mistakes
}

struct Checker<'s> {
    root: &'s Value,
    mistakes: Vec<String>,
}

impl Checker<'_> {
    fn mistake(&mut self, at: &str, message: String) {
        self.mistakes.push(format!("{at}: {message}"));
    }

    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let mut checker = Checker {
            root: self.root,
            mistakes: Vec::new(),
        };
        checker.check(schema, value, "");
        checker.mistakes.is_empty()
    }

    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(reference.trim_start_matches('#'));
            let target = target.unwrap_or_else(|| panic!("{reference} leads nowhere"));
            return self.check(target, value, at);
        }
        let Some(keywords) = schema.as_object() else {
            return;
        };
        for (keyword, wanted) in keywords {
            self.keyword(keyword, wanted, schema, value, at);
        }
    }

    fn keyword(&mut self, keyword: &str, wanted: &Value, schema: &Value, value: &Value, at: &str) {
        let count = wanted
            .as_u64()
            .map(|count| usize::try_from(count).expect("small"));
        let list = || wanted.as_array().expect("a list");
        match keyword {
            "type" => {
                let types = wanted
                    .as_array()
                    .cloned()
                    .unwrap_or_else(|| vec![wanted.clone()]);
                if !types
                    .iter()
                    .any(|name| has_type(name.as_str().expect("a name"), value))
                {
                    self.mistake(at, format!("{value} is no {wanted}"));
                }
            }
            "enum" if !list().contains(value) => {
                self.mistake(at, format!("{value} is none of {wanted}"))
            }
            "const" if wanted != value => self.mistake(at, format!("{value} is not {wanted}")),
            "minimum" if value.as_f64() < wanted.as_f64() => {
                self.mistake(at, format!("{value} < {wanted}"))
            }
            "maximum" if value.as_f64() > wanted.as_f64() => {
                self.mistake(at, format!("{value} > {wanted}"))
            }
            "anyOf" if !list().iter().any(|one| self.fits(one, value)) => {
                self.mistake(at, format!("{value} fits none of {wanted}"));
            }
            "oneOf" if list().iter().filter(|one| self.fits(one, value)).count() != 1 => {
                self.mistake(at, format!("{value} fits not one of {wanted}"));
            }
            "not" if self.fits(wanted, value) => self.mistake(at, format!("{value} fits {wanted}")),
            "minItems" if value.as_array().map(Vec::len) < count => {
                self.mistake(at, format!("fewer than {wanted} entries"));
            }
            "uniqueItems" if wanted == true => {
                let entries = value.as_array().map_or(&[][..], Vec::as_slice);
                if entries
                    .iter()
                    .enumerate()
                    .any(|(i, entry)| entries[..i].contains(entry))
                {
                    self.mistake(at, "an entry comes twice".to_owned());
                }
            }
            "items" => {
                for (i, entry) in value.as_array().into_iter().flatten().enumerate() {
                    self.check(wanted, entry, &format!("{at}/{i}"));
                }
            }
            "required" => {
                for name in list().iter().map(|name| name.as_str().expect("a name")) {
                    if value.is_object() && value.get(name).is_none() {
                        self.mistake(at, format!("`{name}` is missing"));
                    }
                }
            }
            "properties" | "additionalProperties" => {
                let known = schema.get("properties");
                for (name, field) in value.as_object().into_iter().flatten() {
                    let at = format!("{at}/{name}");
                    match known.and_then(|known| known.get(name)) {
                        Some(schema) if keyword == "properties" => self.check(schema, field, &at),
                        None if wanted == false => {
                            self.mistake(&at, "nobody knows this".to_owned())
                        }
                        None if keyword != "properties" => self.check(wanted, field, &at),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("an unknown type {other}"),
    }
}

#[test]
fn mistakes_are_found() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": { "a": { "type": "integer", "minimum": 1 }, "b": { "items": { "enum": ["x"] } } }
    });
    for (document, count) in [
        (serde_json::json!({ "a": 1, "b": ["x"] }), 0),
        (serde_json::json!({ "a": 0, "b": ["y"], "c": 1 }), 3),
        (serde_json::json!({}), 1),
        (serde_json::json!([]), 1),
    ] {
        assert_eq!(mistakes(&schema, &document).len(), count, "{document}");
    }
}
