//! Terms in a normal form, for formulas that people read: sums of products of powers. Rules are those of real numbers,
//! not of floats.

use std::cmp::Ordering;

use crate::graph::{Binary, Graph, Line, Operand, Unary};

/// So many terms the product of two sums may have before it stays a product.
const MOST_TERMS: usize = 8;

/// What stands in a product, by its number among the [`Atoms`].
pub(crate) type AtomId = usize;

/// What is not taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Atom {
    Input(usize),
    Function(&'static str, Vec<Sum>),
    /// A power whose exponent is no number.
    Power(Sum, Sum),
    /// A sum as a factor.
    Group(Sum),
}

/// A number times powers of atoms, which are in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Product {
    pub factor: f64,
    pub powers: Vec<(AtomId, f64)>,
}

impl Product {
    fn degree(&self) -> f64 {
        self.powers.iter().map(|(_, exponent)| exponent).sum()
    }
}

/// Products with different powers, those of the highest degree first. None of them is the sum 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Sum(pub Vec<Product>);

/// The atoms of some sums.
#[derive(Debug, Default)]
pub(crate) struct Atoms(Vec<Atom>);

impl Atoms {
    pub fn get(&self, id: AtomId) -> Option<&Atom> {
        self.0.get(id)
    }

    /// All of them, each behind those that it contains.
    pub fn all(&self) -> &[Atom] {
        &self.0
    }

    fn id(&mut self, atom: Atom) -> AtomId {
        let known = self.0.iter().position(|known| *known == atom);
        known.unwrap_or_else(|| {
            self.0.push(atom);
            self.0.len() - 1
        })
    }

    fn atom(&mut self, atom: Atom) -> Sum {
        let powers = vec![(self.id(atom), 1.0)];
        Sum(vec![Product {
            factor: 1.0,
            powers,
        }])
    }

    fn function(&mut self, name: &'static str, arguments: Vec<Sum>) -> Sum {
        self.atom(Atom::Function(name, arguments))
    }

    /// A sum as one product.
    fn single(&mut self, sum: Sum) -> Product {
        let mut terms = sum.0.into_iter();
        match (terms.next(), terms.next()) {
            (None, _) => Product {
                factor: 0.0,
                powers: Vec::new(),
            },
            (Some(only), None) => only,
            (Some(first), Some(second)) => {
                let all = [first, second].into_iter().chain(terms);
                Product {
                    factor: 1.0,
                    powers: vec![(self.id(Atom::Group(Sum(all.collect()))), 1.0)],
                }
            }
        }
    }

    fn times(&mut self, x: Sum, y: Sum) -> Sum {
        let is_number = |sum: &Sum| matches!(&sum.0[..], [only] if only.powers.is_empty());
        if x.0.len() * y.0.len() > MOST_TERMS && !is_number(&x) && !is_number(&y) {
            let (x, y) = (self.single(x), self.single(y));
            return collected(vec![product(&x, &y)]);
        }
        let all = x.0.iter().flat_map(|x| y.0.iter().map(|y| product(x, y)));
        collected(all.collect())
    }

    /// A power whose exponent is a number.
    fn power(&mut self, x: Sum, exponent: f64) -> Sum {
        if exponent == 0.0 {
            return number(1.0);
        }
        let whole = exponent.fract() == 0.0;
        let one = self.single(x);
        let plain = matches!(&one.powers[..], [(_, own)] if *own == 1.0) && one.factor == 1.0;
        if whole || plain || (one.powers.is_empty() && one.factor > 0.0) {
            let powers = one.powers.iter().map(|(id, own)| (*id, own * exponent));
            return collected(vec![Product {
                factor: libm::pow(one.factor, exponent),
                powers: powers.collect(),
            }]);
        }
        let id = self.id(Atom::Group(Sum(vec![one])));
        Sum(vec![Product {
            factor: 1.0,
            powers: vec![(id, exponent)],
        }])
    }

    fn one(&mut self, unary: Unary, x: Sum) -> Sum {
        match unary {
            Unary::Negate => self.times(number(-1.0), x),
            Unary::Recip => self.power(x, -1.0),
            Unary::PowInt(i) => self.power(x, i as f64),
            Unary::PowReal(y) => self.power(x, y),
            Unary::Sqrt => self.power(x, 0.5),
            // It only keeps a logarithm from 0.
            Unary::Positive => x,
            other => self.function(other.name(), vec![x]),
        }
    }

    fn two(&mut self, binary: Binary, x: Sum, y: Sum) -> Sum {
        match binary {
            Binary::Plus => collected([x.0, y.0].concat()),
            Binary::Minus => {
                let y = self.times(number(-1.0), y);
                collected([x.0, y.0].concat())
            }
            Binary::Times | Binary::Scale => self.times(x, y),
            Binary::Divide => {
                let y = self.power(y, -1.0);
                self.times(x, y)
            }
            Binary::Pow => match &y.0[..] {
                [] => number(1.0),
                [only] if only.powers.is_empty() => self.power(x, only.factor),
                _ => self.atom(Atom::Power(x, y)),
            },
            Binary::Min | Binary::Max | Binary::Above => self.function(binary.name(), vec![x, y]),
        }
    }

    /// The results of a graph.
    pub fn results(&mut self, graph: &Graph) -> Vec<Sum> {
        let mut lines: Vec<Sum> = Vec::new();
        for line in graph.lines() {
            let value = match *line {
                Line::One(unary, x) => {
                    let x = self.operand(&lines, x);
                    self.one(unary, x)
                }
                Line::Two(binary, x, y) => {
                    let (x, y) = (self.operand(&lines, x), self.operand(&lines, y));
                    self.two(binary, x, y)
                }
            };
            lines.push(value);
        }
        let results = graph.results().iter();
        results
            .map(|result| self.operand(&lines, *result))
            .collect()
    }

    fn operand(&mut self, lines: &[Sum], operand: Operand) -> Sum {
        match operand {
            Operand::Input(i) => self.atom(Atom::Input(i)),
            Operand::Line(i) => lines.get(i).cloned().unwrap_or_default(),
            Operand::Number(factor) => number(factor),
        }
    }
}

fn number(factor: f64) -> Sum {
    collected(vec![Product {
        factor,
        powers: Vec::new(),
    }])
}

fn product(x: &Product, y: &Product) -> Product {
    let mut powers = x.powers.clone();
    for (id, exponent) in &y.powers {
        match powers.iter_mut().find(|(own, _)| own == id) {
            Some((_, own)) => *own += exponent,
            None => powers.push((*id, *exponent)),
        }
    }
    powers.retain(|(_, exponent)| *exponent != 0.0);
    powers.sort_by_key(|(id, _)| *id);
    Product {
        factor: x.factor * y.factor,
        powers,
    }
}

/// Products put together whose powers are the same.
fn collected(products: Vec<Product>) -> Sum {
    let mut all: Vec<Product> = Vec::new();
    for product in products {
        match all.iter_mut().find(|own| own.powers == product.powers) {
            Some(own) => own.factor += product.factor,
            None => all.push(product),
        }
    }
    all.retain(|product| product.factor != 0.0);
    all.sort_by(|x, y| match y.degree().total_cmp(&x.degree()) {
        Ordering::Equal => {
            let ids = |product: &Product| product.powers.iter().map(|p| p.0).collect::<Vec<_>>();
            ids(x).cmp(&ids(y))
        }
        other => other,
    });
    Sum(all)
}
