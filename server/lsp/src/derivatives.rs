//! Derivatives as JSON, for clients of the server and readers of `frank derive --json`.

use frank_ide::evaluate::{Derivative, DerivativeResult, Verdict};
use frank_interpreter::show_float;
use serde_json::{Value, json};

/// `{"at", "variables", "value", "derivatives", "agree"}`, with `"second"` and `"checked"` where
/// they were asked for; `agree` and `checked` are null where nothing was found. All numbers are texts,
/// as Frank prints them.
pub fn as_json(result: &DerivativeResult) -> Value {
    let mut object = json!({
        "at": result.at,
        "variables": result.variables,
        "value": result.value.as_ref().ok(),
        "derivatives": listed(result, &result.derivatives, false),
        "agree": result.agrees(),
    });
    if let Some(fields) = object.as_object_mut() {
        if let Some(seconds) = &result.seconds {
            fields.insert("second".to_owned(), listed(result, seconds, true));
        }
        if result.checks.is_some() {
            fields.insert("checked".to_owned(), json!(result.passes_check()));
        }
    }
    object
}

fn listed(result: &DerivativeResult, all: &[Derivative], second: bool) -> Value {
    let each = |one: &Derivative| match &one.values {
        Err(failure) => json!({ "by": one.by, "values": [], "error": failure.message }),
        Ok(values) => {
            let mut object = json!({ "by": one.by, "values": values });
            if let Some(differences) = result.differences(second)
                && let Some(fields) = object.as_object_mut()
            {
                let verdicts = result.verdicts(values, second);
                let said = verdicts.iter().zip(differences);
                let said = said.map(|(verdict, difference)| match verdict {
                    Verdict::CannotTell(why) => json!({ "says": "cannot tell", "why": why }),
                    Verdict::Agrees | Verdict::Disagrees => json!({
                        "says": match verdict {
                            Verdict::Agrees => "agrees",
                            _ => "disagrees",
                        },
                        "estimate": show_float(difference.estimate),
                        "error": show_float(difference.error),
                    }),
                });
                fields.insert("differences".to_owned(), said.collect());
            }
            object
        }
    };
    all.iter().map(each).collect()
}
