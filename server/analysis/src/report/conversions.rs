//! A value that holds what is needed, or can be made into it: `fromMaybe 0 m`, `read r`, `just x`, `showInt n`.

use frank_syntax::ast::{BinaryOperator, Symbol, TermId, TermKind};

use super::Reporter;
use super::mismatch::Mismatch;
use super::words::article;
use crate::db::item;
use crate::declarations::data_type;
use crate::diagnostics::{Diagnostic, Edit, Fix, Location, Position};
use crate::program::{DataDef, TermDef, resolve_term};
use crate::types::{Arg, Ty, TyKind};

impl Reporter<'_> {
    /// Says how what is needed is had from what is there, where nothing else has been said.
    pub(super) fn converted(
        &mut self,
        problem: Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Diagnostic {
        let (wanted, given) = (mismatch.expected, mismatch.found);
        let terms = &item(self.db, mismatch.source).terms;
        // What is in braces is where such a value is wanted, or wrong itself.
        let has_braces = match &terms[term].kind {
            TermKind::Apply { args, .. } => args
                .iter()
                .any(|arg| matches!(terms[*arg].kind, TermKind::Thunk { .. })),
            _ => false,
        };
        if !problem.fixes.is_empty() || has_braces || self.is_unknown(given) {
            return problem;
        }
        if let Some(problem) = self.list_for_element(&problem, mismatch, term) {
            return problem;
        }
        let found = self.inference.table.kind(given).clone();
        if self.is_string(wanted) {
            let shows = match &found {
                TyKind::Int => "showInt",
                TyKind::Float => "showFloat",
                TyKind::Data(data, _) if data.0.name.as_str() == "Bool" => "showBool",
                _ => return self.constructed(problem, mismatch, term),
            };
            let help = format!("`{shows}` makes a `String` of {}", article(&self.ty(given)));
            return self.by_operator(problem, mismatch, term, shows, help);
        }
        if let TyKind::Data(data, args) = &found {
            let fits: Vec<bool> = args
                .iter()
                .map(|arg| matches!(arg, Arg::Type(part) if self.is_same(wanted, *part)))
                .collect();
            match (data.0.name.as_str(), &fits[..]) {
                ("Ref", [true]) => {
                    let help = "`read` gives what a cell holds".to_owned();
                    return self.by_operator(problem, mismatch, term, "read", help);
                }
                ("Pair", [first, second]) if first != second => {
                    let (part, which) = match first {
                        true => ("fst", "first"),
                        false => ("snd", "second"),
                    };
                    let help = format!("`{part}`, from the prelude, gives the {which} of the two");
                    return self.by_operator(problem, mismatch, term, part, help);
                }
                ("Maybe", [true]) => {
                    return problem.help(
                        "there may be nothing in it: `fromMaybe d m`, from the prelude, gives what is in `m`, \
                         or `d`, and `case m {nothing -> … | (just x) -> …}` tells the two apart",
                    );
                }
                _ => {}
            }
        }
        self.constructed(problem, mismatch, term)
    }

    /// Whether two types are known and could be equal; any number is one where a number is needed.
    fn is_same(&mut self, wanted: Ty, part: Ty) -> bool {
        if self.is_unknown(part) && !self.is_number(part) {
            return false;
        }
        match self.is_unknown(wanted) {
            true => self.is_number(wanted) && self.is_number(part),
            false => self.agree(wanted, part),
        }
    }

    /// An operator around a term, if it is in sight.
    fn by_operator(
        &mut self,
        problem: Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
        name: &str,
        help: String,
    ) -> Diagnostic {
        let known = resolve_term(self.db, self.scope, Symbol::new(name));
        let is_callable = matches!(known, Some(TermDef::Operator(_) | TermDef::Command(_)));
        if !is_callable {
            return problem;
        }
        self.applied(problem.help(help), mismatch, term, name)
    }

    /// The constructor that makes what is needed of what is there, if there is one alone.
    fn constructed(
        &mut self,
        problem: Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Diagnostic {
        let TyKind::Data(data, args) = self.inference.table.kind(mismatch.expected).clone() else {
            return problem;
        };
        let Some(name) = self.constructor_of(data, &args, mismatch.found) else {
            return problem;
        };
        let help = format!(
            "`{name}` makes {} of it",
            article(&self.ty(mismatch.expected))
        );
        self.applied(problem.help(help), mismatch, term, name.as_str())
    }

    fn constructor_of(&mut self, data: DataDef, args: &[Arg], found: Ty) -> Option<Symbol> {
        let declared = data_type(self.db, data.0.scope, data.0.name).clone()?;
        let mut fitting = Vec::new();
        for constructor in &declared.constructors {
            let [field] = constructor.fields[..] else {
                continue;
            };
            let fits = match declared.types.kind(field) {
                TyKind::Variable(index) => {
                    let mut types = args.iter().filter_map(|arg| match arg {
                        Arg::Type(ty) => Some(*ty),
                        Arg::Ability(_) => None,
                    });
                    let part = types.nth(*index as usize);
                    part.is_some_and(|part| !self.is_unknown(part) && self.agree(part, found))
                }
                TyKind::Computation(_) | TyKind::Meta(_) | TyKind::Error => false,
                TyKind::Data(_, args) if !args.is_empty() => false,
                plain => plain == self.inference.table.kind(found),
            };
            if fits {
                fitting.push(constructor.name);
            }
        }
        let [one] = fitting[..] else { return None };
        let known = resolve_term(self.db, self.scope, one);
        let is_meant = matches!(known, Some(TermDef::Constructor(known)) if known.data == data);
        is_meant.then_some(one)
    }

    fn applied(
        &mut self,
        problem: Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
        name: &str,
    ) -> Diagnostic {
        let item = item(self.db, mismatch.source);
        let fix = self.applied_fix(mismatch.source, item, term, name, 0);
        problem.fix(Fix { safe: false, ..fix })
    }

    /// `xs :: ys` where both are lists of one type.
    fn list_for_element(
        &mut self,
        problem: &Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Option<Diagnostic> {
        let source = mismatch.source;
        let item = item(self.db, source);
        let operation = self.surroundings(source).ancestors(term).next()?;
        let TermKind::Binary {
            operator: BinaryOperator::Cons,
            left,
            right,
            ..
        } = &item.terms[operation].kind
        else {
            return None;
        };
        let body = self.inference.body(source)?;
        let whole = *body.types.get(operation)?;
        let is_list = *left == term && !self.is_unknown(whole) && self.agree(whole, mismatch.found);
        if !is_list || resolve_term(self.db, self.scope, Symbol::new("append")).is_none() {
            return None;
        }
        let (_, first) = self.whole(source, *left)?;
        let (_, second) = self.whole(source, *right)?;
        let argument = |text: String| match text.contains(' ') && !text.starts_with(['(', '[', '{'])
        {
            true => format!("({text})"),
            false => text,
        };
        let text = format!("append {} {}", argument(first), argument(second));
        let edit = Edit {
            location: Location::node(source, item.terms[operation].id),
            position: Position::Replace,
            text: text.clone(),
        };
        Some(
            problem
                .clone()
                .help("`::` puts an element before a list; `append`, from the prelude, puts two lists together")
                .fix(Fix {
                    title: format!("write `{text}`"),
                    edits: vec![edit],
                    safe: false,
                }),
        )
    }
}
