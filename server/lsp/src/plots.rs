//! Pictures as JSON, for clients of the server and readers of `frank plot --format json`.

use frank_ide::plot::{Plot, Shown};
use serde_json::{Value, json};

/// `{"call", "variable", "x", "y", "at", "point": [{"variable", "value"}]}`, and `"curves"`, each `{"label", "order", "at", "pieces"}`, or `"surface"`,
/// `{"other", "at", "xs", "ys", "rows", "z"}`. JSON has no nan: `null` stands where there is no value.
pub fn as_json(plot: &Plot) -> Value {
    let point = plot.point.iter();
    let point = point.map(|(variable, value)| json!({ "variable": variable, "value": value }));
    let mut object = json!({
        "call": plot.call,
        "point": point.collect::<Value>(),
        "variable": plot.variable,
        "x": [plot.x.0, plot.x.1],
        "y": [plot.y.0, plot.y.1],
        "at": plot.at,
    });
    let (name, value) = match &plot.shown {
        Shown::Curves(curves) => {
            let all = curves.iter().map(|curve| {
                json!({
                    "label": curve.label,
                    "order": curve.order,
                    "at": curve.at,
                    "pieces": curve.pieces,
                })
            });
            ("curves", all.collect::<Value>())
        }
        Shown::Surface {
            other,
            xs,
            ys,
            rows,
            z,
            at,
        } => (
            "surface",
            json!({ "other": other, "at": at, "xs": xs, "ys": ys, "rows": rows, "z": [z.0, z.1] }),
        ),
    };
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
    object
}
