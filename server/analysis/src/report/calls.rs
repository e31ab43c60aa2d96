//! Wrong numbers of arguments and patterns, and things that cannot be applied or matched.

use frank_syntax::ast::{
    CompType, ItemKind, ParamKind, PatternId, PatternKind, Symbol, TermId, TermKind, TypeKind,
};
use text_size::TextRange;

use super::Reporter;
use super::places::{is_own, port_node, signature_item, visible_names};
use super::words::{are, article, count, ordinal, patterns_are, variables};
use crate::builtin;
use crate::db::{Db, ItemSource, item, parsed};
use crate::declarations::{constructor_arity, declaration_problems, signature};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::Resolved;
use crate::infer::hypothesis::Change;
use crate::infer::problem::{ClauseHead, Mark};
use crate::lower_types::counted;
use crate::params::{TypeNamespace, params};
use crate::program::{
    CommandDef, ConstructorDef, Definition, InterfaceDef, OperatorDef, TermDef, resolve_data,
    resolve_row, resolve_term,
};
use crate::surroundings::Parent;
use crate::types::{Ty, TyKind};

impl Reporter<'_> {
    pub(super) fn argument_count(
        &mut self,
        at: Location,
        head: TermId,
        definition: Option<TermDef>,
        function: Ty,
        wanted: usize,
        given: usize,
    ) -> Diagnostic {
        let source = at.item;
        let name = self.head_text(source, head, definition);
        let is_if = definition.is_some_and(|definition| definition.name().as_str() == "if");
        if let Some(finding) = self.forced_continuation(source, head, given) {
            return finding;
        }
        let mut problem = Diagnostic::new(
            Code::WrongArgumentCount,
            at,
            format!(
                "{name} takes {}, but {} given",
                count(wanted, "arguments"),
                are(given)
            ),
        );
        let computation = match self.inference.table.kind(function) {
            TyKind::Computation(computation) => Some(computation.clone()),
            _ => None,
        };
        if let Some(computation) = computation {
            if wanted == 0 {
                problem = problem.help(format!(
                    "`!` after it runs it: `{}!`",
                    name.replace('`', "")
                ));
            } else if let left =
                self.left_over((source, head, definition), &computation.ports, given)
                && let Some(port) = computation.ports.get(left)
            {
                let added = match self.added_by(&port.adjustments) {
                    Some(added) => format!(", which may use {added}"),
                    None => String::new(),
                };
                let port = port.clone();
                let takes = self.type_left_over((source, head, definition), left);
                let takes = takes.unwrap_or_else(|| match self.is_unknown(port.ty) {
                    true => "a value of any type".to_owned(),
                    false => article(&self.ty(port.ty)),
                });
                problem = problem.help(format!(
                    "what is left over is its {} port, which takes {takes}{added}",
                    ordinal(left)
                ));
                if given == 2 && is_if {
                    problem = problem.help(
                        "`when c {…}`, from the prelude, has no second branch, and gives `unit`",
                    );
                } else if given > 0 && left == given && self.may_be_suspended(source, head) {
                    problem = problem.help(format!(
                        "to give the rest later, put braces around the call: `{{{0} -> … {0}}}`",
                        variables(wanted - given)
                    ));
                }
            }
            let is_case =
                definition == Some(TermDef::Operator(builtin::case(self.db))) && given > wanted;
            if is_case {
                problem = problem.help(
                    "`case` matches one value: several are matched as one, `case (pair a b) {(pair 0 0) -> …}`, \
                     or by the clauses of an operator",
                );
            } else if given > wanted && wanted > 0 && self.has_call_among(source, head) {
                problem =
                    problem.help("an argument that is a call itself needs parentheses: `f (g x)`");
            } else if given == wanted + 1 && wanted > 0 {
                problem = problem.help("one is too many: leave it out, or make one of two");
            }
            if given > wanted
                && self.gives_computation(definition)
                && let TyKind::Computation(result) = self.inference.table.kind(computation.result)
                && wanted + result.ports.len() == given
            {
                problem = problem.help(
                    "what it gives is a computation that takes the others: put the call and its \
                     own arguments in parentheses, `(f x) y`",
                );
            }
        }
        match definition {
            Some(definition) => {
                problem.rests_on = self.miscounting(definition, given).into_iter().collect();
                self.declared(problem, definition)
            }
            None => problem,
        }
    }

    /// Whether a port of an operator handles commands: it runs its argument itself.
    pub(super) fn handles_port(&self, definition: TermDef, index: usize) -> bool {
        let TermDef::Operator(operator) = definition else {
            return false;
        };
        let declared = signature(self.db, operator.0.scope, operator.0.name).as_ref();
        declared.is_some_and(|declared| {
            let port = declared.computation.ports.get(index);
            port.is_some_and(|port| port.added().next().is_some())
        })
    }

    /// Whether what is called gives a computation of whatever type its arguments are: a signature says so.
    fn gives_computation(&self, definition: Option<TermDef>) -> bool {
        let Some(TermDef::Operator(operator)) = definition else {
            return true;
        };
        let declared = signature(self.db, operator.0.scope, operator.0.name).as_ref();
        declared.is_none_or(|declared| {
            let result = declared.types.kind(declared.computation.result);
            matches!(result, TyKind::Computation(_))
        })
    }

    /// Whether a term is a hole: what would stand there may take arguments, and is not written without them.
    pub(super) fn is_hole(&self, source: ItemSource, term: TermId) -> bool {
        let body = self.inference.body(source);
        body.is_some_and(|body| matches!(body.names.get(term), Some(Resolved::Hole)))
    }

    /// Whether an argument of a call names something that takes arguments.
    fn has_call_among(&self, source: ItemSource, head: TermId) -> bool {
        let Some(Parent::Term(call)) = self.surroundings(source).parent(head) else {
            return false;
        };
        let (TermKind::Apply { args, .. }, Some(body)) = (
            &item(self.db, source).terms[call].kind,
            self.inference.body(source),
        ) else {
            return false;
        };
        let is_function = |arg: &TermId| match body.types.get(*arg) {
            Some(ty) => matches!(
                self.inference.table.kind(*ty),
                TyKind::Computation(computation) if !computation.ports.is_empty()
            ),
            None => false,
        };
        let is_name = |arg: &TermId| {
            matches!(item(self.db, source).terms[*arg].kind, TermKind::Name(_))
                && !self.is_hole(source, *arg)
        };
        args.split_last()
            .is_some_and(|(_, before)| before.iter().any(|arg| is_name(arg) && is_function(arg)))
    }

    pub(super) fn thunk_for_value(
        &self,
        source: ItemSource,
        term: TermId,
        expected: Ty,
    ) -> Diagnostic {
        let item = item(self.db, source);
        let node = item.terms[term].id;
        let is_empty =
            matches!(&item.terms[term].kind, TermKind::Thunk { clauses } if clauses.is_empty());
        if is_empty && builtin::is_unit(self.db, self.inference.table.kind(expected)) {
            let at = Location::node(source, node);
            return Diagnostic::new(
                Code::NotAComputation,
                at,
                "empty braces are no value: the one that says nothing is `unit`",
            )
            .help("write `unit`")
            .fix(fixes::replace(at, "unit", "write `unit`".to_owned()));
        }
        let mut problem = Diagnostic::new(
            Code::NotAComputation,
            Location::node(source, node),
            format!(
                "a suspended computation stands where a value of type `{}` is needed",
                self.ty(expected)
            ),
        );
        let takes = match &item.terms[term].kind {
            TermKind::Thunk { clauses } => {
                clauses.first().map_or(0, |clause| clause.patterns.len())
            }
            _ => 0,
        };
        problem = if takes == 0 {
            problem.help("leave out the braces to compute the value here")
        } else {
            problem.help("apply it, or give the value itself")
        };
        // The braces of a port may have been forgotten in a signature.
        let call = self.surroundings(source).argument_of(item, term);
        if let Some((call, index)) = call
            && let TermKind::Apply { head, .. } = &item.terms[call].kind
            && let Some(definition) = self.definition_of(source, *head)
            && let Some((place, port)) = port_node(self.db, definition, index)
            && is_own(self.db, place)
        {
            problem.rests_on = self.applying(definition, index).into_iter().collect();
            let problem = problem.related(
                Location::node(place, port),
                format!(
                    "the {} port of `{}` takes a value",
                    ordinal(index),
                    definition.name()
                ),
            );
            if self.handles_port(definition, index) {
                return problem;
            }
            return problem.help(format!(
                "if `{}` is to run it, the port's type needs braces: `{{{}{}}}`",
                definition.name(),
                "_ -> ".repeat(takes),
                self.ty(expected)
            ));
        }
        problem
    }

    pub(super) fn constructor_arguments(
        &self,
        at: Location,
        constructor: ConstructorDef,
        wanted: usize,
        given: usize,
        pattern: bool,
    ) -> Diagnostic {
        let place = if pattern { "patterns" } else { "arguments" };
        let name = constructor.name;
        let mut problem = Diagnostic::new(
            Code::ConstructorArguments,
            at,
            format!(
                "the constructor `{name}` takes {}, but {} given",
                count(wanted, place),
                are(given)
            ),
        );
        let variables = variables(wanted);
        if !pattern && given == 0 && wanted > 0 {
            problem = problem.help(format!(
                "its arguments stand behind it, `{name} {variables}`; a constructor is no function: to pass \
                 it as one, write `{{{variables} -> {name} {variables}}}`"
            ));
        } else if pattern && wanted > 0 {
            problem = problem.help(format!(
                "write `({name} {variables})`, with `_` for what is not needed"
            ));
        } else if wanted == 0 {
            problem = problem.help(format!("`{name}` stands alone"));
        } else {
            problem = problem.help("arguments that are calls themselves need parentheses");
        }
        // What was read as the type of an argument is perhaps a constructor of its own.
        let data = constructor.data.0;
        let declaration = declaration_problems(self.db, data.scope, data.name, TypeNamespace::Data);
        let mut of_declaration = declaration.iter();
        problem.told_elsewhere |= of_declaration.any(|one| one.code == Code::UnknownType);
        self.declared(problem, TermDef::Constructor(constructor))
    }

    /// The finding about `{length}` where a function is needed: `length` is one.
    pub(super) fn braces_around_function(
        &mut self,
        mark: Mark,
        at: Location,
        head: ClauseHead,
        given: usize,
    ) -> Option<Diagnostic> {
        let ClauseHead::Thunk(thunk) = head else {
            return None;
        };
        let source = at.item;
        let terms = &item(self.db, source).terms;
        let TermKind::Thunk { clauses } = &terms[thunk].kind else {
            return None;
        };
        let [clause] = &clauses[..] else { return None };
        let TermKind::Name(name) = &terms[clause.body].kind else {
            return None;
        };
        if given > 0 || !self.try_out(source, thunk, Change::Unbrace)?.solves(mark) {
            return None;
        }
        let name = name.symbol;
        let place = Location::node(source, terms[thunk].id);
        Some(
            Diagnostic::new(
                Code::WrongPatternCount,
                place,
                format!("`{name}` is the function that is needed, and the braces suspend it"),
            )
            .help(format!("write `{name}`"))
            .fix(fixes::replace(
                place,
                name.as_str(),
                format!("write `{name}`"),
            )),
        )
    }

    pub(super) fn pattern_count(
        &self,
        at: Location,
        head: ClauseHead,
        wanted: usize,
        given: usize,
        ty: Option<Ty>,
    ) -> Diagnostic {
        match head {
            ClauseHead::Operator(_) => {
                let Some(operator) = self.operator else {
                    return Diagnostic::new(
                        Code::WrongPatternCount,
                        at,
                        "a wrong number of patterns",
                    );
                };
                let name = operator.0.name;
                let mut problem = Diagnostic::new(
                    Code::WrongPatternCount,
                    at,
                    format!(
                        "`{name}` has {}, but this clause has {}",
                        count(wanted, "ports"),
                        count(given, "patterns")
                    ),
                );
                problem = self.count_help(problem, operator, wanted, given);
                self.declared(problem, TermDef::Operator(operator))
            }
            ClauseHead::Thunk(_) => {
                let needed = ty.map_or_else(String::new, |ty| {
                    format!(": {} is needed", article(&self.ty(ty)))
                });
                let problem = Diagnostic::new(
                    Code::WrongPatternCount,
                    at,
                    format!(
                        "this clause has {}, but it should have {}{needed}",
                        count(given, "patterns"),
                        wanted
                    ),
                );
                let parentheses = self.without_pattern_parentheses(at, (wanted, given));
                if let Some((at, text)) = parentheses {
                    return pattern_in_parentheses(problem, at, &text);
                }
                let patterns = variables(wanted);
                match (wanted, given) {
                    (0, _) => problem.help(
                        "the computation takes no arguments: leave out the patterns and the `->`",
                    ),
                    (_, 0) => problem.help(format!(
                        "write `{{{patterns} -> …}}`, with `_` for what is not needed"
                    )),
                    _ => problem.help(
                        ty.and_then(|ty| self.taken_together(ty, given, None))
                            .unwrap_or_else(|| {
                                "there is one pattern for each argument that it is applied to"
                                    .to_owned()
                            }),
                    ),
                }
            }
        }
    }

    /// What may have been meant by a clause with too many or too few patterns.
    fn count_help(
        &self,
        problem: Diagnostic,
        operator: OperatorDef,
        wanted: usize,
        given: usize,
    ) -> Diagnostic {
        let name = operator.0.name;
        let Some((source, signature)) = signature_item(self.db, operator) else {
            return problem;
        };
        let ItemKind::Signature { ty, .. } = &signature.kind else {
            return problem;
        };
        let result = match &signature.types[ty.peg.ty].kind {
            TypeKind::Computation(result) => Some(result.ports.len()),
            _ => None,
        };
        if let Some(more) = result
            && wanted + more == given
        {
            return problem.help(format!(
                "`{name}` gives a computation that takes the rest: give it as `{{{} -> …}}`, or leave \
                 out the braces around the result in the signature",
                variables(more)
            ));
        }
        if wanted == 0 {
            return problem.help(format!(
                "it takes no arguments: begin the clause with `{name}! =`"
            ));
        }
        if given == 0
            && let Some((interface, meant)) = self.performed(source, ty)
        {
            let at = Location::node(source, ty.id);
            return problem
                .help(format!(
                    "`{interface}` is an interface: what an operator performs stands in brackets before \
                     what it gives, `{meant}`"
                ))
                .fix(fixes::replace(at, &meant, format!("write `{meant}`")));
        }
        if given < wanted {
            return problem
                .help("each port has a pattern: a variable, or `_` if the argument is not needed");
        }
        let parentheses = self.without_pattern_parentheses(problem.location, (wanted, given));
        if let Some((at, text)) = parentheses {
            return pattern_in_parentheses(problem, at, &text);
        }
        problem.help(format!(
            "write a port in the signature for each pattern, or leave out {}",
            if given == wanted + 1 {
                "one pattern"
            } else {
                "the patterns beyond"
            }
        ))
    }

    /// Of `Console -> Unit`, whose ports are all named like interfaces, one of these and what is meant:
    /// `{[Console]Unit}`.
    fn performed(&self, source: ItemSource, ty: &CompType) -> Option<(Symbol, String)> {
        let item = item(self.db, source);
        let text = |node| {
            let range = parsed(self.db, source).source_map.range(node);
            let range = std::ops::Range::<usize>::from(range);
            source.text(self.db).get(range)
        };
        let mut first = None;
        let mut instances = Vec::new();
        for port in &ty.ports {
            let TypeKind::Name { name, .. } = &item.types[port.ty].kind else {
                return None;
            };
            let is_type = resolve_data(self.db, self.scope, name.symbol).is_some();
            if is_type || resolve_row(self.db, self.scope, name.symbol).is_none() {
                return None;
            }
            first.get_or_insert(name.symbol);
            instances.push(text(item.types[port.ty].id)?);
        }
        let gives = text(item.types[ty.peg.ty].id)?;
        Some((first?, format!("{{[{}]{gives}}}", instances.join(", "))))
    }

    /// The constructor and its patterns in the clause with a pattern too many, if they are one pattern that
    /// lacks its parentheses: where they stand, and the pattern. A constructor may be in the wrong case.
    fn without_pattern_parentheses(
        &self,
        surplus: Location,
        (wanted, given): (usize, usize),
    ) -> Option<(Location, String)> {
        let source = surplus.item;
        let item = item(self.db, source);
        let place = |pattern: &PatternId| Location::node(source, item.patterns[*pattern].id);
        let mut clauses = item.clauses();
        let clause =
            clauses.find(|clause| clause.patterns.get(wanted).map(place) == Some(surplus))?;
        let missing = given.checked_sub(wanted)?;
        let mut candidates = clause.patterns.windows(missing + 1);
        let (first, last, constructor) = candidates.find_map(|patterns| {
            let (first, last) = (patterns.first()?, patterns.last()?);
            let constructor = match &item.patterns[*first].kind {
                PatternKind::Name(name) => self.constructor_meant(name.symbol, missing)?,
                PatternKind::Constructor { name, args } if args.is_empty() => {
                    self.constructor_meant(name.symbol, missing)?
                }
                _ => return None,
            };
            Some((first, last, constructor))
        })?;
        let (first, last) = (place(first).in_item(self.db), place(last).in_item(self.db));
        let behind = TextRange::new(first.end(), last.end());
        let rest = source
            .text(self.db)
            .get(std::ops::Range::<usize>::from(behind))?;
        let whole = Location::range(source, TextRange::new(first.start(), last.end()));
        Some((whole, format!("({constructor}{rest})")))
    }

    /// The constructor with so many arguments that a name in a pattern is, or is but for capital letters.
    fn constructor_meant(&self, name: Symbol, arguments: usize) -> Option<Symbol> {
        let takes = |constructor| constructor_arity(self.db, constructor) == Some(arguments);
        if let Some(TermDef::Constructor(known)) = resolve_term(self.db, self.scope, name) {
            return takes(known).then_some(name);
        }
        let mut visible = visible_names(self.db, self.scope).iter();
        visible.find_map(|(other, definition)| match definition {
            TermDef::Constructor(known)
                if takes(*known) && other.as_str().eq_ignore_ascii_case(name.as_str()) =>
            {
                Some(*other)
            }
            _ => None,
        })
    }

    pub(super) fn not_a_constructor(&self, at: Location, name: Symbol, bare: bool) -> Diagnostic {
        let message = if bare {
            format!("`({name})` is a pattern only if `{name}` is a constructor")
        } else {
            format!("`{name}` is no constructor, so it cannot take arguments in a pattern")
        };
        let problem = Diagnostic::new(Code::NotAConstructor, at, message);
        if bare {
            let problem = problem.help("leave out the parentheses to bind a variable");
            match self.without_parentheses(at, name) {
                Some(fix) => problem.fix(fix),
                None => problem,
            }
        } else {
            problem.help("only constructors have patterns with arguments")
        }
    }

    /// The edit that drops the parentheses of the pattern that a name stands in.
    fn without_parentheses(
        &self,
        name_at: Location,
        name: Symbol,
    ) -> Option<crate::diagnostics::Fix> {
        let crate::diagnostics::At::Node(node) = name_at.at else {
            return None;
        };
        let item = item(self.db, name_at.item);
        let (_, pattern) = item
            .patterns
            .iter()
            .find(|(_, pattern)| match &pattern.kind {
                frank_syntax::ast::PatternKind::Constructor { name, args } => {
                    name.id == node && args.is_empty()
                }
                _ => false,
            })?;
        let whole = Location::node(name_at.item, pattern.id);
        let start = usize::from(whole.in_item(self.db).start());
        // `f(x)` is a clause as well.
        let before = name_at.item.text(self.db).get(..start);
        let blank = match before
            .is_some_and(|before| before.ends_with(frank_syntax::lexer::is_name_part))
        {
            true => " ",
            false => "",
        };
        let title = "leave out the parentheses".to_owned();
        Some(crate::fixes::replace(
            whole,
            &format!("{blank}{name}"),
            title,
        ))
    }

    pub(super) fn not_a_command(
        &self,
        at: Location,
        name: Symbol,
        known: Option<TermDef>,
    ) -> Diagnostic {
        let what = match known {
            Some(TermDef::Operator(_)) => "an operator",
            Some(TermDef::Constructor(_)) => "a constructor",
            _ => "no command",
        };
        let problem = Diagnostic::new(
            Code::NotACommand,
            at,
            format!("`{name}` is {what}, and a pattern `<… -> k>` handles a command"),
        );
        match known {
            Some(TermDef::Constructor(_)) => {
                problem.help(format!("a pattern for values has no `< >`: `({name} …)`"))
            }
            _ => problem.help("name a command of an interface that the port adds"),
        }
    }

    pub(super) fn command_arguments(
        &self,
        at: Location,
        command: CommandDef,
        wanted: usize,
        given: usize,
    ) -> Diagnostic {
        let problem = Diagnostic::new(
            Code::WrongPatternCount,
            at,
            format!(
                "the command `{}` takes {}, but {} given before its `->`",
                command.name,
                count(wanted, "arguments"),
                patterns_are(given)
            ),
        );
        let patterns = match wanted {
            0 => String::new(),
            n => format!(" {}", variables(n)),
        };
        let mut problem = problem.help(format!("write `<{}{patterns} -> k>`", command.name));
        if given == 0 {
            problem = problem.fix(Fix {
                title: format!("write `{}{}`", command.name, " _".repeat(wanted)),
                edits: vec![Edit {
                    location: at,
                    position: Position::After,
                    text: " _".repeat(wanted),
                }],
                // What the command is given may be of use.
                safe: false,
            });
        }
        self.declared(problem, TermDef::Command(command))
    }

    pub(super) fn not_handled(
        &self,
        at: Location,
        command: CommandDef,
        index: u32,
        added: &[InterfaceDef],
    ) -> Diagnostic {
        let interface = command.interface.0.name;
        let own = added
            .iter()
            .filter(|other| **other == command.interface)
            .count();
        if own > 0 {
            let last = own - 1;
            return Diagnostic::new(
                Code::CommandNotHandled,
                at,
                format!(
                    "this port adds {}, and `.{index}` counts them from the right, beginning with 0",
                    counted(own as u32, interface)
                ),
            )
            .help(if last == 0 {
                format!("leave out the `.{index}`")
            } else {
                format!("`.{last}` is the left-most")
            });
        }
        let mut problem = Diagnostic::new(
            Code::CommandNotHandled,
            at,
            format!(
                "this port does not add an instance of `{interface}`, so `{}` cannot be handled here",
                command.name
            ),
        );
        problem.told_elsewhere = self.is_defined_twice(command.name);
        if let Some(meant) = self.command_instead(at.item, command, added) {
            return self.of_another_interface(problem, at, meant);
        }
        let interface = head_text(self.db, command.interface);
        let item = item(self.db, at.item);
        let is_within = |pattern: &PatternId| {
            let whole = Location::node(at.item, item.patterns[*pattern].id);
            whole.in_item(self.db).contains_range(at.in_item(self.db))
        };
        let is_operators = matches!(&item.kind, ItemKind::Clause { clause, .. }
            if clause.patterns.iter().any(is_within));
        problem.help(match is_operators {
            true => format!("write `<{interface}>` before the type of the port whose commands are handled"),
            // Such a type cannot be written there.
            false => format!(
                "braces handle commands where a computation with a port `<{interface}>` is wanted: hand them on \
                 there, or define an operator with such a port"
            ),
        })
    }
}

/// An interface with its parameters, as its declaration begins.
fn head_text(db: &dyn Db, interface: InterfaceDef) -> String {
    let Definition { scope, name } = interface.0;
    let params = params(db, scope, name, TypeNamespace::Row);
    let written = params.all.iter().take(params.written);
    let written = written.map(|(name, kind)| match kind {
        ParamKind::Value => format!(" {name}"),
        ParamKind::Effect => format!(" [{name}]"),
    });
    format!("{name}{}", written.collect::<String>())
}

fn pattern_in_parentheses(problem: Diagnostic, at: Location, text: &str) -> Diagnostic {
    problem
        .help(format!(
            "a pattern with arguments stands in parentheses: `{text}`"
        ))
        .fix(fixes::replace(at, text, format!("write `{text}`")))
}
