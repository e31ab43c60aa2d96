//! Two types side by side, with `…` for the parts in which they agree.

use std::collections::{HashMap, HashSet};

use frank_syntax::stack::ensure_sufficient_stack;

use super::{Context, MESSAGE_BUDGET, Show, WHOLE_BUDGET};
use crate::types::{Ability, Adjustment, Arg, Computation, Instance, Ty, TyKind};

/// Parts of so many letters at most are written even where both types have them.
const SHORT: usize = 12;
/// So deep at most two types are followed to where they differ; what lies deeper is shown alone.
const DEEPEST: usize = 40;

impl Show<'_> {
    /// The text of two types that differ. If they are large, what they have in common is left
    /// out, unless the types are wanted whole.
    pub fn difference(&self, a: Ty, b: Ty) -> (String, String) {
        let (whole_a, whole_b) = (self.ty(a), self.ty(b));
        let fits = |text: &str| !text.contains('…') && text.chars().count() <= self.line();
        if fits(&whole_a) && fits(&whole_b) {
            return (whole_a, whole_b);
        }
        let mut difference = Difference {
            show: self,
            equal: HashMap::new(),
            shown: HashSet::new(),
            left: MESSAGE_BUDGET,
        };
        let differing = difference.types(a, b, Context::Top, DEEPEST);
        if differing.0 == differing.1 {
            (whole_a, whole_b)
        } else {
            differing
        }
    }

    /// How long a type may be before it is abbreviated.
    fn line(&self) -> usize {
        if self.budget >= WHOLE_BUDGET {
            usize::MAX
        } else {
            80
        }
    }

    fn argument(&self, ty: Ty, context: Context) -> String {
        self.written(|writer| writer.ty(ty, context))
    }

    fn adjustments(&self, adjustments: &[Adjustment]) -> String {
        self.written(|writer| writer.adjustments(adjustments))
    }
}

/// Two types at work. They are walked as graphs: what two parts have been found to be, they are
/// wherever the two meet again.
struct Difference<'a> {
    show: &'a Show<'a>,
    equal: HashMap<(Ty, Ty), bool>,
    /// The parts that have been shown to differ.
    shown: HashSet<(Ty, Ty)>,
    /// How many more of them are shown.
    left: usize,
}

impl Difference<'_> {
    fn types(&mut self, a: Ty, b: Ty, context: Context, depth: usize) -> (String, String) {
        let table = self.show.table;
        let (a, b) = (table.head(a), table.head(b));
        let texts = (
            self.show.argument(a, context),
            self.show.argument(b, context),
        );
        let is_short = |text: &str| !text.contains('…') && text.chars().count() <= SHORT;
        let are_short = is_short(&texts.0) && is_short(&texts.1);
        if self.equal(a, b) || (texts.0 == texts.1 && !texts.0.contains('…')) {
            return if are_short { texts } else { both("…") };
        }
        if are_short {
            return texts;
        }
        if self.left == 0 || !self.shown.insert((a, b)) {
            return both("…");
        }
        self.left -= 1;
        if depth == 0 {
            let (a, b) = self.innermost(a, b);
            let part = |ty| format!("…{}…", self.show.argument(ty, Context::Top));
            return (part(a), part(b));
        }
        match (table.types.kind(a), table.types.kind(b)) {
            (TyKind::Data(x, xs), TyKind::Data(y, ys)) if x == y && xs.len() == ys.len() => {
                let mut parts = Sides::new(x.0.name.as_str());
                for pair in xs.iter().zip(ys.iter()) {
                    parts.push(" ");
                    parts.add(self.args(pair.0, pair.1, depth - 1));
                }
                if context == Context::Argument && !xs.is_empty() {
                    parts.wrap("(", ")");
                }
                parts.done()
            }
            (TyKind::Computation(x), TyKind::Computation(y)) if x.ports.len() == y.ports.len() => {
                let mut parts = Sides::new("");
                parts.add(self.computations(x, y, depth - 1));
                parts.wrap("{", "}");
                parts.done()
            }
            _ => texts,
        }
    }

    fn args(&mut self, a: &Arg, b: &Arg, depth: usize) -> (String, String) {
        match (a, b) {
            (Arg::Type(a), Arg::Type(b)) => self.types(*a, *b, Context::Argument, depth),
            (Arg::Ability(a), Arg::Ability(b)) => self.abilities(*a, *b, depth),
            _ => both("…"),
        }
    }

    fn computations(&mut self, a: &Computation, b: &Computation, depth: usize) -> (String, String) {
        let mut parts = Sides::new("");
        for (x, y) in a.ports.iter().zip(&b.ports) {
            if !x.adjustments.is_empty() || !y.adjustments.is_empty() {
                let texts = (
                    self.show.adjustments(&x.adjustments),
                    self.show.adjustments(&y.adjustments),
                );
                parts.add(if texts.0 == texts.1 {
                    both("<…>")
                } else {
                    texts
                });
            }
            parts.add(self.types(x.ty, y.ty, Context::Top, depth));
            parts.push(" -> ");
        }
        parts.add(self.abilities(a.ability, b.ability, depth));
        parts.add(self.types(a.result, b.result, Context::Top, depth));
        parts.done()
    }

    fn abilities(&mut self, a: Ability, b: Ability, depth: usize) -> (String, String) {
        let texts = (self.show.ability(a), self.show.ability(b));
        if texts.0 == texts.1 && !texts.0.contains('…') {
            return if texts.0.chars().count() <= SHORT {
                texts
            } else {
                both("[…]")
            };
        }
        let table = self.show.table;
        let (x, y) = (table.row(a), table.row(b));
        let alike = |(x, y): (&Instance, &Instance)| x.interface == y.interface;
        let aligned = x.tail == y.tail
            && x.instances.len() == y.instances.len()
            && x.instances.iter().zip(y.instances.iter()).all(alike);
        if !aligned || depth == 0 {
            return texts;
        }
        let mut parts = Sides::new("[");
        for (i, (x, y)) in x.instances.iter().zip(y.instances.iter()).enumerate() {
            if i > 0 {
                parts.push(", ");
            }
            parts.push(x.interface.0.name.as_str());
            for pair in x.args.iter().zip(y.args.iter()) {
                parts.push(" ");
                parts.add(self.args(pair.0, pair.1, depth - 1));
            }
        }
        parts.push("]");
        parts.done()
    }

    /// Whether two types are data of the same kind all the way down.
    fn equal(&mut self, a: Ty, b: Ty) -> bool {
        let table = self.show.table;
        let (a, b) = (table.head(a), table.head(b));
        if a == b {
            return true;
        }
        if let Some(known) = self.equal.get(&(a, b)) {
            return *known;
        }
        let equal = match (table.types.kind(a), table.types.kind(b)) {
            (TyKind::Data(x, xs), TyKind::Data(y, ys)) if x == y && xs.len() == ys.len() => {
                ensure_sufficient_stack(|| {
                    let mut pairs = xs.iter().zip(ys.iter());
                    pairs.all(|pair| match pair {
                        (Arg::Type(x), Arg::Type(y)) => self.equal(*x, *y),
                        (x, y) => x == y,
                    })
                })
            }
            (x, y) => x == y,
        };
        self.equal.insert((a, b), equal);
        equal
    }

    /// The first parts of two types, as deep as can be, that differ.
    fn innermost(&mut self, mut a: Ty, mut b: Ty) -> (Ty, Ty) {
        let table = self.show.table;
        loop {
            (a, b) = (table.head(a), table.head(b));
            let parts = match (table.types.kind(a), table.types.kind(b)) {
                (TyKind::Data(x, xs), TyKind::Data(y, ys)) if x == y => {
                    let mut pairs = xs.iter().zip(ys.iter());
                    pairs.find_map(|pair| match pair {
                        (Arg::Type(x), Arg::Type(y)) if !self.equal(*x, *y) => Some((*x, *y)),
                        _ => None,
                    })
                }
                _ => None,
            };
            match parts {
                Some(parts) => (a, b) = parts,
                None => return (a, b),
            }
        }
    }
}

fn both(text: &str) -> (String, String) {
    (text.to_owned(), text.to_owned())
}

/// Two texts that grow together.
struct Sides(String, String);

impl Sides {
    fn new(start: &str) -> Sides {
        Sides(start.to_owned(), start.to_owned())
    }

    fn push(&mut self, text: &str) {
        self.0.push_str(text);
        self.1.push_str(text);
    }

    fn add(&mut self, (a, b): (String, String)) {
        self.0.push_str(&a);
        self.1.push_str(&b);
    }

    fn wrap(&mut self, open: &str, close: &str) {
        self.0 = format!("{open}{}{close}", self.0);
        self.1 = format!("{open}{}{close}", self.1);
    }

    fn done(self) -> (String, String) {
        (self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use crate::file_findings::file_diagnostics;
    use crate::files::Files;

    /// What is said of two types that are so many times pairs of themselves.
    fn said(times: usize) -> String {
        let chain = |name: &str, bottom: &str| {
            let steps = (1..=times).map(|n| {
                let before = n - 1;
                format!("  let {name}{n} = pair {name}{before} {name}{before} in\n")
            });
            format!("  let {name}0 = {bottom} in\n{}", steps.collect::<String>())
        };
        let (x, y) = (chain("x", "'a'"), chain("y", "\"a\""));
        let text = format!(
            "include prelude\n\nsame : {{X -> X -> Int}}\nsame _ _ = 1\n\nmain : {{Int}}\nmain! =\n\
             {x}{y}  same x{times} y{times}\n"
        );
        let mut files = Files::new(None);
        let file = files.set_text("main.fk", &text);
        let found = file_diagnostics(files.db(), file);
        let [problem] = &found[..] else {
            panic!("one finding: {found:?}");
        };
        format!("{}; {}", problem.message, problem.help.join("; "))
    }

    #[test]
    fn types_that_double_are_shown_where_they_differ() {
        for times in [8, 25, 60] {
            let said = said(times);
            assert!(said.len() < 1_500, "{said}");
            for part in ["Char", "String", "they differ where one has"] {
                assert!(said.contains(part), "{said}");
            }
        }
    }
}
