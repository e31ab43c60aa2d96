//! Points: an argument for each parameter, written as Frank writes numbers, lists and data.
//!
//! `2`, `-1.5e3`, `nan`, `[1, 2, 3]`, `pair 1 2`, `(pair 1 [2, 3])`. What is held fixed is any term
//! that needs no parentheses. Arguments stand behind each other, with blanks or commas between them.

use std::fmt::Write;

use frank_analysis::report::words::{are, count};
use frank_core::Term;

use super::roles::Number;
use super::shape::{Fixed, Shape};
use crate::rename::Refusal;

/// An argument: numbers in a shape.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree<T> {
    Leaf(T),
    List(Vec<Tree<T>>),
    /// A constructor and what it has.
    Record(String, Vec<Tree<T>>),
    /// A term that is held fixed.
    Fixed(String),
}

impl<T> Tree<T> {
    /// Its numbers, in the order of the text.
    pub fn leaves(&self) -> Vec<&T> {
        let mut found = Vec::new();
        let mut work = vec![self];
        while let Some(tree) = work.pop() {
            match tree {
                Tree::Leaf(leaf) => found.push(leaf),
                Tree::List(inner) | Tree::Record(_, inner) => work.extend(inner.iter().rev()),
                Tree::Fixed(_) => {}
            }
        }
        found
    }

    /// Its shape alone, in which what is held fixed is left open.
    pub fn shape(&self) -> Tree<()> {
        match self {
            Tree::Leaf(_) => Tree::Leaf(()),
            Tree::List(inner) => Tree::List(inner.iter().map(Tree::shape).collect()),
            Tree::Record(name, inner) => {
                Tree::Record(name.clone(), inner.iter().map(Tree::shape).collect())
            }
            Tree::Fixed(_) => Tree::Fixed("_".to_owned()),
        }
    }

    /// The text of it, given what stands for its numbers. As an `argument` it has the parentheses
    /// that it needs there; `leaf` gets whether it stands in the place of one.
    pub fn text(&self, argument: bool, leaf: &mut dyn FnMut(&T, bool) -> String) -> String {
        match self {
            Tree::Leaf(number) => leaf(number, argument),
            Tree::List(inner) => {
                let inner: Vec<String> = inner.iter().map(|tree| tree.text(false, leaf)).collect();
                format!("[{}]", inner.join(", "))
            }
            Tree::Record(name, inner) => {
                let mut text = name.clone();
                for tree in inner {
                    // Writing to a string cannot fail.
                    let _ = write!(text, " {}", tree.text(true, leaf));
                }
                match argument && !inner.is_empty() {
                    true => format!("({text})"),
                    false => text,
                }
            }
            Tree::Fixed(text) => text.clone(),
        }
    }
}

/// A number of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Numeral {
    Int(i64),
    Float(f64),
}

impl Numeral {
    /// The number that a text says, which is computed with as `number`.
    ///
    /// # Errors
    /// It is no number, or none of these.
    pub fn new(text: &str, number: Number) -> Result<Numeral, Refusal> {
        let value: f64 = text
            .parse()
            .map_err(|_| Refusal(format!("`{text}` is no number")))?;
        match number {
            Number::Float => Ok(Numeral::Float(value)),
            Number::Int => match text.parse::<i64>() {
                Ok(value) => Ok(Numeral::Int(value)),
                // Beyond that, what is written need not be the number that it is read as.
                Err(_) if value.fract() == 0.0 && value.abs() < 9e15 => {
                    Ok(Numeral::Int(value as i64))
                }
                Err(_) => Err(Refusal(format!(
                    "the derivative is computed on `Int`, and `{text}` is no integer"
                ))),
            },
        }
    }

    /// The number as a term.
    pub fn term(self) -> Term {
        match self {
            Numeral::Int(value) => Term::Int(value),
            Numeral::Float(value) => Term::Float(value),
        }
    }

    /// A number of the same kind; of a whole one the nearest.
    pub fn another(self, value: f64) -> Numeral {
        match self {
            Numeral::Int(_) => Numeral::Int(value.round() as i64),
            Numeral::Float(_) => Numeral::Float(value),
        }
    }

    pub fn as_float(self) -> f64 {
        match self {
            Numeral::Int(value) => value as f64,
            Numeral::Float(value) => value,
        }
    }

    /// The number as Frank prints it.
    pub fn shown(self) -> String {
        match self {
            Numeral::Int(value) => value.to_string(),
            Numeral::Float(value) => frank_interpreter::show_float(value),
        }
    }
}

/// A piece of a point's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Open(char),
    Close(char),
    Comma,
    /// A number, a name, a string; with the text around it.
    Word(&'a str),
}

/// A token with the place in its text.
#[derive(Debug, Clone, Copy)]
struct Spot<'a> {
    token: Token<'a>,
    text: &'a str,
    start: usize,
    end: usize,
}

fn tokens<'a>(text: &'a str, found: &mut Vec<Spot<'a>>) -> Result<(), Refusal> {
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        let token = match first {
            ' ' | '\t' | '\n' | '\r' => continue,
            ',' => Token::Comma,
            '(' | '[' => Token::Open(first),
            ')' | ']' => Token::Close(first),
            '"' | '\'' => {
                let mut closed = false;
                while let Some((_, next)) = rest.next() {
                    if next == '\\' {
                        rest.next();
                    } else if next == first {
                        closed = true;
                        break;
                    }
                }
                if !closed {
                    return Err(Refusal(format!("a `{first}` in `{text}` is not closed")));
                }
                Token::Word(text)
            }
            _ => {
                let inside = |c: &char| !c.is_whitespace() && !",()[]\"".contains(*c);
                while rest.peek().is_some_and(|(_, next)| inside(next)) {
                    rest.next();
                }
                Token::Word(text)
            }
        };
        let end = rest.peek().map_or(text.len(), |(at, _)| *at);
        let token = match token {
            Token::Word(_) => Token::Word(text.get(start..end).unwrap_or_default()),
            other => other,
        };
        found.push(Spot {
            token,
            text,
            start,
            end,
        });
    }
    Ok(())
}

/// Reads arguments.
pub(super) struct Reader<'a> {
    spots: Vec<Spot<'a>>,
    at: usize,
    number: Number,
}

impl<'a> Reader<'a> {
    pub fn new(texts: &[&'a str], number: Number) -> Result<Reader<'a>, Refusal> {
        let mut spots = Vec::new();
        for text in texts {
            tokens(text, &mut spots)?;
        }
        Ok(Reader {
            spots,
            at: 0,
            number,
        })
    }

    fn peek(&self) -> Option<Token<'a>> {
        self.spots.get(self.at).map(|spot| spot.token)
    }

    /// What stands here, for a message.
    fn here(&self) -> String {
        match self.spots.get(self.at) {
            Some(spot) => format!(
                "`{}`",
                spot.text.get(spot.start..spot.end).unwrap_or_default()
            ),
            None => "the end".to_owned(),
        }
    }

    fn commas(&mut self) {
        while self.peek() == Some(Token::Comma) {
            self.at += 1;
        }
    }

    /// Whether nothing is left but commas.
    pub fn at_end(&mut self) -> bool {
        self.commas();
        self.at >= self.spots.len()
    }

    fn close(&mut self, close: char) -> Result<(), Refusal> {
        if self.peek() == Some(Token::Close(close)) {
            self.at += 1;
            return Ok(());
        }
        let here = self.here();
        Err(Refusal(format!("`{close}` is needed, where {here} stands")))
    }

    /// The next argument.
    pub fn argument(&mut self, shape: &Shape) -> Result<Tree<Numeral>, Refusal> {
        self.commas();
        self.tree(shape)
    }

    fn tree(&mut self, shape: &Shape) -> Result<Tree<Numeral>, Refusal> {
        if let Shape::Fixed(kind) = shape {
            return self.fixed(*kind);
        }
        if self.peek() == Some(Token::Open('(')) {
            self.at += 1;
            let inner = self.tree(shape)?;
            self.close(')')?;
            return Ok(inner);
        }
        match shape {
            Shape::Number => self.numeral().map(Tree::Leaf),
            Shape::List(inner) => self.list(inner),
            Shape::Record(constructor, fields) => {
                let name = constructor.name.as_str();
                if self.peek() != Some(Token::Word(name)) {
                    let here = self.here();
                    return Err(Refusal(format!(
                        "{here} stands where `{name}` with {} is needed",
                        count(fields.len(), "arguments")
                    )));
                }
                self.at += 1;
                let fields = fields.iter().map(|field| self.tree(field));
                Ok(Tree::Record(
                    name.to_owned(),
                    fields.collect::<Result<_, _>>()?,
                ))
            }
            Shape::Fixed(kind) => self.fixed(*kind),
        }
    }

    fn list(&mut self, inner: &Shape) -> Result<Tree<Numeral>, Refusal> {
        if self.peek() != Some(Token::Open('[')) {
            let here = self.here();
            return Err(Refusal(format!(
                "{here} stands where a list such as `[1, 2]` is needed"
            )));
        }
        self.at += 1;
        let mut elements = Vec::new();
        if self.peek() != Some(Token::Close(']')) {
            elements.push(self.tree(inner)?);
            while self.peek() == Some(Token::Comma) {
                self.at += 1;
                elements.push(self.tree(inner)?);
            }
        }
        self.close(']')?;
        Ok(Tree::List(elements))
    }

    fn numeral(&mut self) -> Result<Numeral, Refusal> {
        let Some(Token::Word(text)) = self.peek() else {
            let here = self.here();
            return Err(Refusal(format!("{here} stands where a number is needed")));
        };
        self.at += 1;
        Numeral::new(text, self.number)
    }

    /// One term: a word, or whatever stands in brackets.
    fn fixed(&mut self, kind: Fixed) -> Result<Tree<Numeral>, Refusal> {
        let Some(first) = self.spots.get(self.at).copied() else {
            return Err(Refusal("an argument is missing at the end".to_owned()));
        };
        let mut open = 0usize;
        let mut last = first;
        while let Some(spot) = self.spots.get(self.at).copied() {
            self.at += 1;
            last = spot;
            match spot.token {
                Token::Open(_) => open += 1,
                Token::Close(_) => open = open.saturating_sub(1),
                Token::Comma | Token::Word(_) => {}
            }
            if open == 0 {
                break;
            }
        }
        // What is open at the end of one text goes not on in another.
        let end = match std::ptr::eq(first.text, last.text) {
            true => last.end,
            false => first.text.len(),
        };
        let text = first.text.get(first.start..end).unwrap_or_default();
        Ok(Tree::Fixed(match text.parse::<f64>() {
            Ok(value) if kind == Fixed::Float && value.is_nan() => "(0.0 / 0.0)".to_owned(),
            Ok(value) if kind == Fixed::Float && value.is_infinite() => match value > 0.0 {
                true => "(1.0 / 0.0)".to_owned(),
                false => "(-1.0 / 0.0)".to_owned(),
            },
            Ok(_) if text.starts_with('-') => format!("({text})"),
            _ => text.to_owned(),
        }))
    }
}

/// The arguments in texts, as many as there are parameters, or a multiple of that: several points.
///
/// # Errors
/// What stands there does not fit, or the numbers do not come out even.
pub(super) fn points(
    name: &str,
    parameters: &[Shape],
    texts: &[String],
    number: Number,
) -> Result<Vec<Vec<Tree<Numeral>>>, Refusal> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut reader = Reader::new(&texts, number)?;
    let mut found = Vec::new();
    let mut given = 0;
    while !reader.at_end() {
        let mut point = Vec::new();
        for shape in parameters {
            if reader.at_end() {
                return Err(wrong_number(name, parameters, given));
            }
            point.push(reader.argument(shape)?);
            given += 1;
        }
        found.push(point);
    }
    if found.is_empty() {
        let shown = |shape| match usual(shape, number) {
            Some(tree) => tree.text(true, &mut |number: &Numeral, _| number.shown()),
            None => "…".to_owned(),
        };
        let example: Vec<String> = parameters.iter().map(shown).collect();
        return Err(Refusal(format!(
            "no point is given: `{name}` takes {}, such as `{}`",
            count(parameters.len(), what(parameters)),
            example.join(" ")
        )));
    }
    Ok(found)
}

fn what(parameters: &[Shape]) -> &'static str {
    match parameters.iter().all(|shape| *shape == Shape::Number) {
        true => "numbers",
        false => "arguments",
    }
}

/// Says that a function takes another number of arguments.
pub(super) fn wrong_number(name: &str, parameters: &[Shape], given: usize) -> Refusal {
    Refusal(format!(
        "`{name}` takes {}, and {} given",
        count(parameters.len(), what(parameters)),
        are(given)
    ))
}

/// An argument where nobody says which: 1 for each number, lists of two.
pub(super) fn usual(shape: &Shape, number: Number) -> Option<Tree<Numeral>> {
    Some(match shape {
        Shape::Number => Tree::Leaf(match number {
            Number::Int => Numeral::Int(1),
            Number::Float => Numeral::Float(1.0),
        }),
        Shape::List(inner) => {
            let one = usual(inner, number)?;
            Tree::List(vec![one.clone(), one])
        }
        Shape::Record(constructor, fields) => Tree::Record(
            constructor.name.to_string(),
            fields
                .iter()
                .map(|field| usual(field, number))
                .collect::<Option<_>>()?,
        ),
        Shape::Fixed(Fixed::Int | Fixed::Float) => Tree::Fixed("1".to_owned()),
        Shape::Fixed(Fixed::Char) => Tree::Fixed("'a'".to_owned()),
        Shape::Fixed(Fixed::Bool) => Tree::Fixed("true".to_owned()),
        Shape::Fixed(Fixed::List | Fixed::Other) => return None,
    })
}

/// A value as Frank prints it, by its shape: the numbers in it. In the place of a number may stand
/// one of a way of differentiation, such as `dual 2.0 1.0`, whose first part counts.
pub(super) fn value_of(text: &str, shape: &Shape, lifted: bool) -> Option<Tree<String>> {
    let mut spots = Vec::new();
    tokens(text, &mut spots).ok()?;
    let mut at = 0;
    let tree = printed(&spots, &mut at, shape, lifted)?;
    (at == spots.len()).then_some(tree)
}

fn printed(
    spots: &[Spot<'_>],
    at: &mut usize,
    shape: &Shape,
    lifted: bool,
) -> Option<Tree<String>> {
    let token = |at: usize| spots.get(at).map(|spot| spot.token);
    if token(*at)? == Token::Open('(') {
        *at += 1;
        let inner = printed(spots, at, shape, lifted)?;
        (token(*at)? == Token::Close(')')).then_some(())?;
        *at += 1;
        return Some(inner);
    }
    match shape {
        Shape::Number => {
            if lifted {
                *at += 1;
            }
            let Token::Word(text) = token(*at)? else {
                return None;
            };
            *at += 1;
            // The other parts of it.
            if lifted {
                let mut open = 0usize;
                loop {
                    match token(*at) {
                        Some(Token::Open(_)) => open += 1,
                        Some(Token::Close(_)) if open > 0 => open -= 1,
                        Some(Token::Word(_)) => {}
                        Some(Token::Comma) if open > 0 => {}
                        _ => break,
                    }
                    *at += 1;
                }
            }
            Some(Tree::Leaf(text.to_owned()))
        }
        Shape::List(inner) => {
            (token(*at)? == Token::Open('[')).then_some(())?;
            *at += 1;
            let mut elements = Vec::new();
            while token(*at)? != Token::Close(']') {
                if token(*at)? == Token::Comma {
                    *at += 1;
                }
                elements.push(printed(spots, at, inner, lifted)?);
            }
            *at += 1;
            Some(Tree::List(elements))
        }
        Shape::Record(constructor, fields) => {
            (token(*at)? == Token::Word(constructor.name.as_str())).then_some(())?;
            *at += 1;
            let fields = fields.iter().map(|field| printed(spots, at, field, lifted));
            Some(Tree::Record(
                constructor.name.to_string(),
                fields.collect::<Option<_>>()?,
            ))
        }
        Shape::Fixed(_) => None,
    }
}

/// A point's arguments as Frank prints them.
pub(super) fn shown(at: &[Tree<Numeral>]) -> Vec<String> {
    let texts = at
        .iter()
        .map(|tree| tree.text(true, &mut |number, _| number.shown()));
    texts.collect()
}
