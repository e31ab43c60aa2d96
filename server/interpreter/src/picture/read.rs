//! Pictures from the values of a run, whatever these are made of.

use frank_core::PictureKind;

use super::bins::bins;
use super::{Drawn, MOST_COUNTED, MOST_LETTERS, MOST_POINTS, Picture, Series};
use crate::print;

/// Values of a run, to be looked at.
pub trait Values {
    type Value: Copy;

    /// An argument of a constructor, if the value has one there.
    fn field(&self, value: Self::Value, index: usize) -> Option<Self::Value>;

    fn float(&self, value: Self::Value) -> f64;

    fn char(&self, value: Self::Value) -> char;
}

/// The picture that a command asks for.
///
/// # Errors
/// There is none to be drawn; with a sentence that says why.
pub fn read<V: Values>(
    kind: PictureKind,
    [caption, data]: [V::Value; 2],
    values: &V,
) -> Result<Picture, String> {
    let name = kind.name();
    let data = match kind {
        PictureKind::Plot => series(values, data, name).map(|(all, out)| (Drawn::Lines(all), out)),
        PictureKind::Scatter => {
            series(values, data, name).map(|(all, out)| (Drawn::Points(all), out))
        }
        PictureKind::Histogram => histogram(values, data),
        PictureKind::Image => image(values, data),
    };
    let (drawn, left_out) = data.map_err(|reason| format!("`{name}` {reason}"))?;
    let text = |index| values.field(caption, index).map(|text| shown(values, text));
    Ok(Picture {
        title: text(0).unwrap_or_default(),
        right: text(1).unwrap_or_default(),
        up: text(2).unwrap_or_default(),
        drawn,
        left_out,
    })
}

/// The items of a list.
fn items<V: Values>(values: &V, list: V::Value) -> impl Iterator<Item = V::Value> + '_ {
    let mut rest = list;
    std::iter::from_fn(move || {
        let item = values.field(rest, 0)?;
        rest = values.field(rest, 1)?;
        Some(item)
    })
}

/// A text as it stands beside a picture.
fn shown<V: Values>(values: &V, text: V::Value) -> String {
    let text = items(values, text).map(|c| values.char(c));
    print::visible(text, MOST_LETTERS)
}

/// Why there is nothing to draw, or too much.
type Reason = String;

fn too_many(what: &str, most: usize) -> Reason {
    format!(
        "of more than {most} {what}, which is the most: leave out some, such as all but every tenth"
    )
}

/// Why numbers between these cannot be drawn.
fn too_far(low: f64, high: f64) -> Option<Reason> {
    let far = !(high - low).is_finite();
    far.then(|| format!("from {low:e} to {high:e}, which is too far for an axis"))
}

fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    numbers.fold(none, |(low, high), x| (low.min(x), high.max(x)))
}

/// Named points, and how many of them are not finite.
fn series<V: Values>(
    values: &V,
    list: V::Value,
    name: &str,
) -> Result<(Vec<Series>, usize), Reason> {
    let mut all = Vec::new();
    let mut count = 0;
    for one in items(values, list) {
        let (Some(name), Some(points)) = (values.field(one, 0), values.field(one, 1)) else {
            continue;
        };
        let mut read = Vec::new();
        for point in items(values, points) {
            count += 1;
            if count > MOST_POINTS {
                return Err(too_many("points", MOST_POINTS));
            }
            let number = |index| {
                values
                    .field(point, index)
                    .map_or(f64::NAN, |x| values.float(x))
            };
            read.push((number(0), number(1)));
        }
        all.push(Series {
            name: shown(values, name),
            points: read,
        });
        // Names alone are no points, and may be many.
        if all.len() > MOST_POINTS {
            return Err(too_many("lists of points", MOST_POINTS));
        }
    }
    if count == 0 {
        return Err(match all.len() {
            0 => format!(
                "of an empty list: there is nothing to draw. It takes lists of points with their names, as in \
                 `{name} (titled \"…\") [pair \"name\" points]`"
            ),
            _ => "of no points: there is nothing to draw".to_owned(),
        });
    }
    let finite = || all.iter().flat_map(Series::finite);
    let drawn = finite().count();
    if drawn == 0 {
        return Err(format!(
            "of {}, none of which has two finite numbers: there is nothing to draw",
            counted(count, "point")
        ));
    }
    let (x, y) = (range(finite().map(|p| p.0)), range(finite().map(|p| p.1)));
    match too_far(x.0, x.1).or_else(|| too_far(y.0, y.1)) {
        Some(reason) => Err(reason),
        None => Ok((all, count - drawn)),
    }
}

fn histogram<V: Values>(values: &V, list: V::Value) -> Result<(Drawn, usize), Reason> {
    let mut numbers = Vec::new();
    for x in items(values, list) {
        if numbers.len() == MOST_COUNTED {
            return Err(too_many("numbers", MOST_COUNTED));
        }
        numbers.push(values.float(x));
    }
    let count = numbers.len();
    numbers.retain(|x| x.is_finite());
    let left_out = count - numbers.len();
    match (count, numbers.len()) {
        (0, _) => return Err("of no numbers: there is nothing to count".to_owned()),
        (_, 0) => {
            let all = counted(count, "number");
            return Err(format!(
                "of {all}, none of which is finite: there is nothing to draw"
            ));
        }
        _ => {}
    }
    let (low, high) = range(numbers.iter().copied());
    if let Some(reason) = too_far(low, high) {
        return Err(reason);
    }
    let (edges, counts) = bins(numbers);
    Ok((Drawn::Histogram { edges, counts }, left_out))
}

fn image<V: Values>(values: &V, list: V::Value) -> Result<(Drawn, usize), Reason> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut count = 0;
    for row in items(values, list) {
        let mut numbers = Vec::new();
        for x in items(values, row) {
            count += 1;
            if count > MOST_POINTS {
                return Err(too_many("numbers", MOST_POINTS));
            }
            let x = values.float(x);
            numbers.push(if x.is_finite() { x } else { f64::NAN });
        }
        let width = rows.first().map_or(numbers.len(), Vec::len);
        if numbers.len() != width {
            return Err(format!(
                "of rows of different lengths: the first has {}, and row {} has {}",
                counted(width, "number"),
                rows.len() + 1,
                numbers.len()
            ));
        }
        if width == 0 {
            return Err("of rows without numbers: there is nothing to draw".to_owned());
        }
        rows.push(numbers);
    }
    let finite = || rows.iter().flatten().copied().filter(|x| x.is_finite());
    match (count, finite().count()) {
        (0, _) => Err("of no rows: there is nothing to draw".to_owned()),
        (_, 0) => {
            let all = counted(count, "number");
            Err(format!(
                "of {all}, none of which is finite: there is nothing to draw"
            ))
        }
        (_, drawn) => {
            let (low, high) = range(finite());
            match too_far(low, high) {
                Some(reason) => Err(reason),
                None => Ok((Drawn::Image(rows), count - drawn)),
            }
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
