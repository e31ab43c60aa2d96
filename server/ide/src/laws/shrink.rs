//! Smaller values in place of one: those first that are much smaller.

use frank_core::{Program, Type};

use super::types::Types;
use super::value::Value;

/// So many elements of a list at most are taken away one by one, or made smaller.
const MOST_ELEMENTS: usize = 24;

/// The values that are tried in place of one. Whoever goes on from one of them comes to an end.
pub(super) fn smaller(program: &Program, types: &Types, ty: &Type, value: &Value) -> Vec<Value> {
    let mut found = match (value, ty) {
        (Value::Int(number), _) => ints(*number).into_iter().map(Value::Int).collect(),
        (Value::Float(number), _) => floats(*number).into_iter().map(Value::Float).collect(),
        (Value::Char(c), _) => chars(*c).into_iter().map(Value::Char).collect(),
        (Value::String(all), _) => {
            let other = |c: &char| chars(*c);
            lists(all, other).into_iter().map(Value::String).collect()
        }
        (Value::List(all), Type::Data(_, args)) => {
            let element = args.first().unwrap_or(&Type::Unknown);
            let other = |one: &Value| smaller(program, types, element, one);
            lists(all, other).into_iter().map(Value::List).collect()
        }
        (Value::List(_), _) => Vec::new(),
        (Value::Made(..), _) => made(program, types, ty, value),
    };
    found.retain(|other| !other.is(value));
    found
}

/// Zero, then half the way there, and so on; without a sign before with one.
fn ints(number: i64) -> Vec<i64> {
    let mut found = Vec::new();
    if number == 0 {
        return found;
    }
    found.push(0);
    if number < 0 {
        // The least integer has no counterpart.
        found.push(number.checked_neg().unwrap_or(i64::MAX));
    }
    let mut step = number / 2;
    while step != 0 {
        found.push(number - step);
        step /= 2;
    }
    found
}

fn floats(number: f64) -> Vec<f64> {
    let is = |other: f64| number.to_bits() == other.to_bits();
    if is(0.0) {
        return Vec::new();
    }
    let mut found = vec![0.0];
    if number.is_sign_negative() {
        found.push(-number);
    }
    // What lies between zero and one has a smaller one above it.
    if !is(1.0) && (number > 1.0 || number.fract() != 0.0) {
        found.push(1.0);
    }
    if number.abs() > 1.0 {
        if number.is_infinite() {
            found.push(f64::MAX.copysign(number));
        }
        // From very large numbers the halves lead nowhere soon.
        found.push(number.abs().sqrt().trunc());
        found.push(number.trunc());
        found.push((number / 2.0).trunc());
        if number.fract() == 0.0 && number.abs() < 1e15 {
            found.push(number - number.signum());
        }
    }
    found
}

fn chars(c: char) -> Vec<char> {
    let simple = ['a', 'b', '0', ' '];
    let others = simple.into_iter();
    others.take_while(|other| *other != c).collect()
}

/// Less of a list, then the same length with smaller elements.
fn lists<T: Clone>(all: &[T], smaller: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    let mut part = all.len();
    while part > 0 {
        // Pieces of this length are left out, each in turn.
        let starts = (0..all.len()).step_by(part).take(MOST_ELEMENTS);
        for start in starts {
            let kept = |(position, _): &(usize, &T)| !(start..start + part).contains(position);
            let kept = all.iter().enumerate().filter(kept);
            found.push(kept.map(|(_, one)| one.clone()).collect());
        }
        part /= 2;
    }
    for (position, one) in all.iter().enumerate().take(MOST_ELEMENTS) {
        for other in smaller(one) {
            let mut changed = all.to_vec();
            if let Some(place) = changed.get_mut(position) {
                *place = other;
            }
            found.push(changed);
        }
    }
    found
}

/// Constructors without arguments, then parts of the same type, then the same constructor with smaller parts.
fn made(program: &Program, types: &Types, ty: &Type, value: &Value) -> Vec<Value> {
    let Value::Made(own, fields) = value else {
        return Vec::new();
    };
    let ways = types.ways(ty);
    let mut found = Vec::new();
    let simpler = ways.iter().take_while(|way| way.constructor != *own);
    let plain = simpler.filter(|way| way.fields.is_empty());
    found.extend(plain.map(|way| Value::Made(way.constructor, Vec::new())));
    let Some(way) = ways.iter().find(|way| way.constructor == *own) else {
        return found;
    };
    let typed = way.fields.iter().zip(fields);
    let same = typed.clone().filter(|(field, _)| *field == ty);
    found.extend(same.map(|(_, part)| part.clone()));
    for (position, (field, part)) in typed.enumerate() {
        for other in smaller(program, types, field, part) {
            let mut fields = fields.clone();
            if let Some(place) = fields.get_mut(position) {
                *place = other;
            }
            found.push(Value::Made(*own, fields));
        }
    }
    found
}
