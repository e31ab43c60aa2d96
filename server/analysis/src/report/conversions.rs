//! A value that holds what is needed, or can be made into it: `fromMaybe 0 m`, `read r`, `just x`, `showInt n`.

use frank_syntax::ast::{BinaryOperator, Item, ItemKind, Symbol, TermId, TermKind};

use super::Reporter;
use super::mismatch::Mismatch;
use super::words::article;
use crate::db::{ItemSource, Origin, item};
use crate::declarations::data_type;
use crate::diagnostics::{Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::ResolvedPattern;
use crate::infer::problem::Expectation;
use crate::infer::table::Clash;
use crate::program::{DataDef, TermDef, resolve_term};
use crate::surroundings::{is_arithmetic, is_atomic};
use crate::types::{Ability, Arg, Computation, Replacement, Ty, TyKind};

impl Reporter<'_> {
    /// Says how a `Float` is made of an `Int`. Of arithmetic with a `/` in it the operands are converted:
    /// between `Int`s it rounds.
    pub(super) fn made_a_float(
        &mut self,
        problem: Diagnostic,
        source: ItemSource,
        term: TermId,
    ) -> Diagnostic {
        let item = item(self.db, source);
        let problem = problem
            .help("numbers are never converted silently: `toFloat` makes a `Float` of an `Int`");
        let whole = self.applied_fix(source, item, term, "toFloat", 0);
        let (operands, divides) = operands(item, term);
        if operands == [term] {
            return problem.fix(whole);
        }
        // Whether it is computed before the conversion or behind it makes a difference.
        let whole = Fix {
            safe: false,
            ..whole
        };
        if !divides {
            return problem.fix(whole);
        }
        let edits = operands.iter().flat_map(|operand| {
            let at = Location::node(source, item.terms[*operand].id);
            match item.terms[*operand].kind {
                TermKind::Natural(_) => vec![Edit {
                    location: at,
                    position: Position::After,
                    text: ".0".to_owned(),
                }],
                _ => self.applied_fix(source, item, *operand, "toFloat", 0).edits,
            }
        });
        let apart = Fix {
            title: "make a `Float` of each operand".to_owned(),
            edits: edits.collect(),
            safe: false,
        };
        problem
            .help("`/` between `Int`s leaves out what is behind the point: convert its operands")
            .fix(apart)
            .fix(whole)
    }

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
        let problem = match self.is_branch_of_when(mismatch) {
            true => problem
                .help("`when` gives no value: `if c {…} {…}`, from the prelude, gives one of two"),
            false => problem,
        };
        if !problem.fixes.is_empty() || has_braces || self.is_unknown(given) {
            return problem;
        }
        if let Some(problem) = self.list_for_element(&problem, mismatch, term) {
            return problem;
        }
        if let Some(problem) = self.without_constructor(&problem, mismatch, term) {
            return problem;
        }
        if let Some(problem) = self.other_part(&problem, mismatch, term) {
            return problem;
        }
        if let Some(problem) = self.resumed_with(&problem, mismatch, term) {
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
        if found == TyKind::Float {
            let constants =
                self.constant_operators(mismatch.source, term, wanted, mismatch.ambient);
            if let Some(constant) = constants.first() {
                let name = constant.0.name;
                let help = format!("`{name}` makes {} of a number", article(&self.ty(wanted)));
                return self.by_operator(problem, mismatch, term, name.as_str(), help);
            }
        }
        if let TyKind::Data(data, args) = &found {
            let fits: Vec<bool> = args
                .iter()
                .map(|arg| matches!(arg, Arg::Type(part) if self.is_same(mismatch, *part)))
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
                    let may_abort = self.may_perform(mismatch.ambient, "Abort");
                    if may_abort && problem.help.is_empty() {
                        let help = "`orAbort`, from the prelude, gives what is in it, and aborts if there is \
                                    nothing";
                        let problem =
                            self.by_operator(problem, mismatch, term, "orAbort", help.to_owned());
                        return problem.help("or `fromMaybe d m` gives `d` then");
                    }
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

    /// Whether an ability has an instance of an interface of this name.
    fn may_perform(&self, ability: Ability, interface: &str) -> bool {
        let row = self.inference.table.row(ability);
        let mut instances = row.instances.iter();
        instances.any(|instance| instance.interface.0.name.as_str() == interface)
    }

    /// `fst p` where the second of the two is needed, and the reverse.
    fn other_part(
        &mut self,
        problem: &Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Option<Diagnostic> {
        let item = item(self.db, mismatch.source);
        let TermKind::Apply { head, args } = &item.terms[term].kind else {
            return None;
        };
        let [pair] = args[..] else { return None };
        let TyKind::Data(_, parts) = self
            .inference
            .table
            .kind(self.type_of(mismatch.source, pair)?)
        else {
            return None;
        };
        let [Arg::Type(first), Arg::Type(second)] = parts[..] else {
            return None;
        };
        let called = self.definition_of(mismatch.source, *head)?;
        let (other, part, which) = match called.name().as_str() {
            "fst" => ("snd", second, "second"),
            "snd" => ("fst", first, "first"),
            _ => return None,
        };
        let known = resolve_term(self.db, self.scope, Symbol::new(other))?;
        if known.scope() != called.scope() || !self.is_same(mismatch, part) {
            return None;
        }
        let at = Location::node(mismatch.source, item.terms[*head].id);
        Some(
            problem
                .clone()
                .help(format!("`{other}` gives the {which} of the two"))
                .fix(Fix {
                    safe: false,
                    ..fixes::rename(at, other)
                }),
        )
    }

    /// `p * 0.9` where `p` is an `Int`: the literal rounded would be another number, and what comes out is to be.
    pub(super) fn rounded_result(
        &self,
        problem: &Diagnostic,
        source: ItemSource,
        term: TermId,
        origin: Expectation,
    ) -> Option<Diagnostic> {
        let Expectation::Operand { operation } = origin else {
            return None;
        };
        let item = item(self.db, source);
        let TermKind::Float(bits) = &item.terms[term].kind else {
            return None;
        };
        let TermKind::Binary {
            left,
            right,
            operator,
            ..
        } = &item.terms[operation].kind
        else {
            return None;
        };
        if bits.value().fract() == 0.0 || !is_arithmetic(item, operation) {
            return None;
        }
        let text = |term: TermId| self.term_text(source, term);
        let float = |other: TermId| {
            let text = text(other)?;
            let is_argument = is_atomic(item, other);
            Some(match (other == term, is_argument) {
                (true, _) => text,
                (false, true) => format!("toFloat {text}"),
                (false, false) => format!("toFloat ({text})"),
            })
        };
        let symbol = operator.symbol();
        let written = format!("round ({} {symbol} {})", float(*left)?, float(*right)?);
        let mut problem = problem.clone();
        problem.undecided = true;
        let at = Location::node(source, item.terms[operation].id);
        Some(
            problem
                .help(format!(
                    "numbers are never converted silently: `{written}` computes with floats; `floor` and \
                     `truncate` make an `Int` of one, too"
                ))
                .fix(Fix {
                    safe: false,
                    ..fixes::replace(at, &written, format!("write `{written}`"))
                }),
        )
    }

    /// In a clause for a command that does not go on, a value of the type that the command gives: its continuation
    /// takes it.
    fn resumed_with(
        &mut self,
        problem: &Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Option<Diagnostic> {
        let (pattern, name) = self.unused_continuation(mismatch.source)?;
        let body = self.inference.body(mismatch.source)?;
        let local = match body.patterns.get(pattern)? {
            ResolvedPattern::Command { continuation, .. } => (*continuation)?,
            _ => return None,
        };
        let own = body.locals.get(local.0 as usize)?.ty;
        let TyKind::Computation(resumed) = self.inference.table.kind(own) else {
            return None;
        };
        let taken = resumed.ports.first()?.ty;
        // What goes on is handled again by the call that stands there.
        if let TermKind::Apply { head, args } = &item(self.db, mismatch.source).terms[term].kind
            && self.operator.map(TermDef::Operator) == self.definition_of(mismatch.source, *head)
        {
            let fits = |reporter: &mut Self, arg: &TermId| {
                let ty = reporter.type_of(mismatch.source, *arg);
                ty.is_some_and(|ty| reporter.agree(taken, ty))
            };
            let arg = args.iter().copied().find(|arg| fits(self, arg))?;
            let given = self.term_text(mismatch.source, arg)?;
            let help = format!("`{name}` is not used: `({name} {given})` goes on with `{given}`");
            let problem = problem.clone().help(help);
            return is_atomic(item(self.db, mismatch.source), arg)
                .then(|| self.applied(problem, mismatch, arg, name.as_str()));
        }
        if !self.is_same(mismatch, mismatch.expected) || !self.agree(taken, mismatch.found) {
            return None;
        }
        // The rest of the argument needs the operator around it again.
        let item = item(self.db, mismatch.source);
        let ItemKind::Clause { name: own, clause } = &item.kind else {
            return None;
        };
        if clause.patterns.len() != 1 {
            return None;
        }
        let given = match self.term_text(mismatch.source, term)? {
            text if is_atomic(item, term) => text,
            text => format!("({text})"),
        };
        let own = own.symbol;
        let help = format!("`{name}` is not used: `{own} ({name} {given})` goes on with it");
        let start = format!("{own} ({name}");
        let fix = self.applied_fix(mismatch.source, item, term, &start, 1);
        Some(problem.clone().help(help).fix(Fix { safe: false, ..fix }))
    }

    /// Says how numbers are shown to a function on strings: `{x -> print (showInt x)}` for `print`.
    pub(super) fn handed_for_strings(
        &self,
        problem: Diagnostic,
        mismatch: Mismatch<'_>,
        (wanted, given): (&Computation, &Computation),
    ) -> Diagnostic {
        let ([needed], [own], Some(term)) = (&wanted.ports[..], &given.ports[..], mismatch.term)
        else {
            return problem;
        };
        let table = &self.inference.table;
        let shows = match table.kind(needed.ty) {
            TyKind::Float => "showFloat",
            _ if self.is_number(needed.ty) => "showInt",
            _ => return problem,
        };
        let is_name = matches!(
            item(self.db, mismatch.source).terms[term].kind,
            TermKind::Name(_)
        );
        let known = resolve_term(self.db, self.scope, Symbol::new(shows));
        let Some(name) = self.term_text(mismatch.source, term).filter(|_| is_name) else {
            return problem;
        };
        if !self.is_string(own.ty) || !matches!(known, Some(TermDef::Operator(_))) {
            return problem;
        }
        let text = format!("{{x -> {name} ({shows} x)}}");
        let help = format!("`{shows}` makes a `String` of each: `{text}`");
        let title = format!("write `{text}`");
        problem.help(help).fix(Fix {
            safe: false,
            ..fixes::replace(mismatch.at, &text, title)
        })
    }

    /// Whether a part of what is there could be what is needed. Where a number is, what is not known of the
    /// part may be one.
    fn is_same(&mut self, mismatch: Mismatch<'_>, part: Ty) -> bool {
        let wanted = mismatch.expected;
        let needs_number = matches!(mismatch.clash, Clash::NotANumber(_)) && self.is_number(wanted);
        (needs_number || !self.is_unknown(part)) && self.agree(wanted, part)
    }

    /// Whether a value stands where the prelude's `when` runs something for what it does.
    fn is_branch_of_when(&self, mismatch: Mismatch<'_>) -> bool {
        let Expectation::ThunkResult { thunk } = mismatch.origin else {
            return false;
        };
        let source = mismatch.source;
        let item = item(self.db, source);
        let call = self.surroundings(source).argument_of(item, thunk);
        let head = match call.map(|(call, _)| &item.terms[call].kind) {
            Some(TermKind::Apply { head, .. }) => *head,
            _ => return false,
        };
        matches!(
            self.definition_of(source, head),
            Some(TermDef::Operator(operator))
                if operator.0.name.as_str() == "when"
                    && operator.0.scope.origin(self.db) == Origin::Library
        )
    }

    /// What is said of a constructor around what is needed: `just (just x)`.
    fn without_constructor(
        &mut self,
        problem: &Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Option<Diagnostic> {
        let source = mismatch.source;
        let terms = &item(self.db, source).terms;
        let TermKind::Apply { head, args } = &terms[term].kind else {
            return None;
        };
        let ([argument], TermKind::Name(name)) = (&args[..], &terms[*head].kind) else {
            return None;
        };
        let Some(TermDef::Constructor(constructor)) =
            resolve_term(self.db, self.scope, name.symbol)
        else {
            return None;
        };
        let is_own = matches!(
            self.inference.table.kind(mismatch.found),
            TyKind::Data(data, _) if *data == constructor.data
        );
        let inner = self.type_of(source, *argument)?;
        // A constructor of a constructor's argument is one too many; of other arguments it may be the mistake that it
        // is asked for something else.
        let is_twice = matches!(mismatch.origin, Expectation::Field { constructor: outer, .. } if outer == constructor);
        if !is_own || !is_twice || self.is_unknown(inner) || !self.agree(mismatch.expected, inner) {
            return None;
        }
        let (at, _) = self.whole(source, term)?;
        let (_, text) = self.whole(source, *argument)?;
        let problem = problem
            .clone()
            .help(format!("leave out one `{}`", name.symbol));
        Some(problem.fix(Fix {
            safe: false,
            ..fixes::replace(at, &text, format!("leave out one `{}`", name.symbol))
        }))
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
        let (mut values, mut effects) = (Vec::new(), Vec::new());
        for arg in args {
            match arg {
                Arg::Type(ty) => values.push(*ty),
                Arg::Ability(ability) => effects.push(*ability),
            }
        }
        let mut fitting = Vec::new();
        for constructor in &declared.constructors {
            let [field] = constructor.fields[..] else {
                continue;
            };
            // A constructor around anything, or around something to run, is no conversion.
            let holds_data = match declared.types.kind(field) {
                TyKind::Computation(_) | TyKind::Meta(_) | TyKind::Error => false,
                TyKind::Variable(_) => !self.is_unknown(found),
                _ => true,
            };
            let with = Replacement {
                values: &values,
                effects: &effects,
            };
            let table = &mut self.inference.table;
            let part = table.types.copy(&declared.types, field, with);
            let fits = holds_data && !self.is_unknown(part) && self.agree(part, found);
            if fits {
                fitting.push(constructor.name);
            }
        }
        let [one] = fitting[..] else { return None };
        let known = resolve_term(self.db, self.scope, one);
        let is_meant = matches!(known, Some(TermDef::Constructor(known)) if known.data == data);
        is_meant.then_some(one)
    }

    pub(super) fn applied(
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

/// The operands of an arithmetic term, without the operations, and whether one of these is a division; of
/// any other term itself.
fn operands(item: &Item, term: TermId) -> (Vec<TermId>, bool) {
    let mut found = Vec::new();
    let mut divides = false;
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        match &item.terms[term].kind {
            TermKind::Binary {
                operator,
                left,
                right,
                ..
            } if is_arithmetic(item, term) => {
                divides |= *operator == BinaryOperator::Divide;
                work.extend([*right, *left]);
            }
            TermKind::Negate(operand) => work.push(*operand),
            _ => found.push(term),
        }
    }
    (found, divides)
}
