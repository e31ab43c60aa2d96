//! Messages for what the checker found.

use frank_syntax::ast::{Item, ItemKind, NodeId, Symbol, TermId, TermKind};

use crate::db::{Db, ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Location, similar_name};
use crate::fixes;
use crate::infer::problem::{ClauseHead, Origin, Problem};
use crate::infer::table::Clash;
use crate::infer::{Inference, LocalSort};
use crate::lower::counted;
use crate::program::{OperatorDef, TermDef, operator_items, scope_index};
use crate::show::{MESSAGE_BUDGET, Show, show_adaptor};
use crate::types::{Ability, Instance, Tail, Ty, TyKind};

/// Turns what was found in one operator or term into messages.
pub struct Reporter<'a> {
    pub db: &'a dyn Db,
    pub scope: crate::db::SourceFile,
    pub operator: Option<OperatorDef>,
    pub inference: &'a Inference,
}

impl Reporter<'_> {
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.inference.problems.iter().filter_map(|problem| self.diagnostic(problem)).collect()
    }

    fn show(&self) -> Show<'_> {
        Show {
            table: &self.inference.table,
            values: &self.inference.rigid_values,
            effects: &self.inference.rigid_effects,
            budget: MESSAGE_BUDGET,
            metas: None,
        }
    }

    fn ty(&self, ty: Ty) -> String {
        self.show().ty(ty)
    }

    fn ability(&self, ability: Ability) -> String {
        self.show().ability(ability)
    }

    fn item(&self, source: ItemSource) -> &Item {
        item(self.db, source)
    }

    fn diagnostic(&self, problem: &Problem) -> Option<Diagnostic> {
        let at = |source: &ItemSource, node: &NodeId| Location::node(*source, *node);
        Some(match problem {
            Problem::UnknownName { source, node, name, scope, pattern } => {
                return self.unknown_name(at(source, node), *name, scope, *pattern);
            }
            Problem::WildcardRead { source, node } => Diagnostic::new(
                Code::WildcardRead,
                at(source, node),
                "`_` stands for a value that is thrown away, so it cannot be read",
            )
            .help("give the variable a name where it is bound, and use that name here"),
            Problem::Shadowed { source, node, definition } => {
                let name = definition.name();
                let what = match definition {
                    TermDef::Constructor(_) => "constructor",
                    TermDef::Command(_) => "command",
                    TermDef::Operator(_) => "operator",
                };
                Diagnostic::new(
                    Code::ShadowedDefinition,
                    at(source, node),
                    format!("this variable has the name of the {what} `{name}`, which `{name}` \
                             goes on to mean"),
                )
                .help("give the variable another name")
            }
            Problem::BoundTwice { source, node, first, name } => Diagnostic::new(
                Code::DuplicateVariable,
                at(source, node),
                format!("the variable `{name}` is bound twice in the patterns of one clause"),
            )
            .related(at(source, first), format!("`{name}` is bound here first"))
            .help("give one of them another name, or `_` if it is not needed"),
            Problem::Mismatch { source, node, term, expected, found, clash, origin, .. } => {
                self.mismatch(at(source, node), *source, *term, *expected, *found, clash, *origin)
            }
            Problem::ThunkForValue { source, term, expected } => {
                let node = self.item(*source).terms[*term].id;
                Diagnostic::new(
                    Code::NotAComputation,
                    at(source, &node),
                    format!(
                        "a suspended computation stands where a value of type `{}` is needed",
                        self.ty(*expected)
                    ),
                )
                .help("leave out the braces to compute the value here")
            }
            Problem::ConstructorArguments { source, node, constructor, wanted, given, pattern } => {
                let place = if *pattern { "patterns" } else { "arguments" };
                let mut problem = Diagnostic::new(
                    Code::ConstructorArguments,
                    at(source, node),
                    format!(
                        "the constructor `{}` takes {}, but {} given",
                        constructor.name,
                        count(*wanted, place),
                        are(*given)
                    ),
                );
                if !*pattern && *given == 0 && *wanted > 0 {
                    let variables = variables(*wanted);
                    problem = problem.help(format!(
                        "a constructor is no function; to pass it as one, write `{{{variables} -> \
                         {} {variables}}}`",
                        constructor.name
                    ));
                }
                self.declared(problem, TermDef::Constructor(*constructor))
            }
            Problem::ConstructorForced { source, node, constructor } => Diagnostic::new(
                Code::ConstructorArguments,
                at(source, node),
                format!("`{}` is a constructor, and there is nothing to run in it", constructor.name),
            )
            .help("leave out the `!`"),
            Problem::ArgumentCount { source, node, head, definition, function, wanted, given } => {
                self.argument_count(*source, *node, *head, *definition, *function, *wanted, *given)
            }
            Problem::NotAFunction { source, head, found, given } => {
                let node = self.item(*source).terms[*head].id;
                let verb = if *given == 0 { "forced" } else { "applied" };
                Diagnostic::new(
                    Code::NotAFunction,
                    at(source, &node),
                    format!(
                        "this has type `{}`, which is no computation, so it cannot be {verb}",
                        self.ty(*found)
                    ),
                )
                .help(if *given == 0 {
                    "leave out the `!`: the value is there already"
                } else {
                    "only operators, commands and suspended computations take arguments"
                })
            }
            Problem::NoInstance { source, node, command, ambient, .. } => {
                self.no_instance(at(source, node), *command, *ambient)
            }
            Problem::Ability { source, node, definition, needed, ambient, clash, .. } => {
                self.ability_clash(at(source, node), *definition, *needed, *ambient, clash)
            }
            Problem::InvalidAdaptor { source, node, adaptor, ambient } => Diagnostic::new(
                Code::InvalidAdaptor,
                at(source, node),
                format!(
                    "the adaptor names {}, and the ability here, `{}`, has {}",
                    counted(adaptor.taken, adaptor.interface.0.name),
                    self.ability(*ambient),
                    self.instance_count(*ambient, adaptor)
                ),
            )
            .help("an adaptor rearranges instances that are there; leave it out, or name fewer"),
            Problem::InvalidPortAdaptor { source, node, adaptor, ambient, definition } => {
                let name = definition.map_or("the callee".to_owned(), |d| format!("`{}`", d.name()));
                Diagnostic::new(
                    Code::InvalidAdaptor,
                    at(source, node),
                    format!(
                        "{name} adapts this argument by `<{}>`, which names {}, and the ability \
                         here, `{}`, has {}",
                        show_adaptor(adaptor),
                        counted(adaptor.taken, adaptor.interface.0.name),
                        self.ability(*ambient),
                        self.instance_count(*ambient, adaptor)
                    ),
                )
            }
            Problem::Adaptor(diagnostic) => (**diagnostic).clone(),
            Problem::PatternCount { source, node, head, wanted, given, ty } => {
                self.pattern_count(*source, *node, *head, *wanted, *given, *ty)
            }
            Problem::NotAConstructor { source, node, name, bare, .. } => {
                let location = at(source, node);
                let message = if *bare {
                    format!("`({name})` is a pattern only if `{name}` is a constructor")
                } else {
                    format!("`{name}` is no constructor, so it cannot take arguments in a pattern")
                };
                let problem = Diagnostic::new(Code::NotAConstructor, location, message);
                if *bare {
                    problem.help("leave out the parentheses to bind a variable")
                } else {
                    problem.help("only constructors have patterns with arguments")
                }
            }
            Problem::NotACommand { source, node, name, known } => {
                let what = match known {
                    Some(TermDef::Operator(_)) => "an operator",
                    Some(TermDef::Constructor(_)) => "a constructor",
                    _ => "no command",
                };
                Diagnostic::new(
                    Code::NotACommand,
                    at(source, node),
                    format!("`{name}` is {what}, and a pattern `<… -> k>` handles a command"),
                )
            }
            Problem::NotHandled { source, node, command, index, added, .. } => {
                self.not_handled(at(source, node), *command, *index, added)
            }
            Problem::CommandArguments { source, node, command, wanted, given } => {
                let problem = Diagnostic::new(
                    Code::WrongPatternCount,
                    at(source, node),
                    format!(
                        "the command `{}` takes {}, but {} given before its `->`",
                        command.name,
                        count(*wanted, "arguments"),
                        patterns_are(*given)
                    ),
                );
                self.declared(problem, TermDef::Command(*command))
            }
            Problem::Escape { source, node, command, variable } => Diagnostic::new(
                Code::EscapingVariable,
                at(source, node),
                format!(
                    "the type `{variable}` of the command `{}` differs at every use, so it must \
                     not leave this clause",
                    command.name
                ),
            )
            .help(format!(
                "use values of type `{variable}` only inside the clause, for instance as the \
                 argument of its continuation"
            )),
            Problem::NumberTooLarge { source, node } => Diagnostic::new(
                Code::NumberTooLarge,
                at(source, node),
                format!("this number is larger than the largest `Int`, {}", i64::MAX),
            ),
        })
    }

    /// Adds where a name is declared, if that is in the user's own files.
    fn declared(&self, problem: Diagnostic, definition: TermDef) -> Diagnostic {
        let Some((source, node)) = declaration(self.db, definition) else { return problem };
        if source.file(self.db).origin(self.db) == crate::db::Origin::Library {
            return problem;
        }
        let name = definition.name();
        problem.related(Location::node(source, node), format!("`{name}` is declared here"))
    }

    fn unknown_name(
        &self,
        at: Location,
        name: Symbol,
        locals: &[Symbol],
        pattern: bool,
    ) -> Option<Diagnostic> {
        let candidates = visible_names(self.db, self.scope);
        let known = candidates.iter().filter(|candidate| match candidate.1 {
            TermDef::Operator(_) => !pattern,
            TermDef::Constructor(_) | TermDef::Command(_) => true,
        });
        let locals = locals.iter().map(|name| name.as_str());
        let suggestion =
            similar_name(name.as_str(), known.map(|(name, _)| name.as_str()).chain(locals));
        if crate::check::may_be_defined(self.db, self.scope, name, suggestion.is_some()) {
            return None;
        }
        let what = if pattern { "constructor or command" } else { "definition" };
        let mut problem = Diagnostic::new(
            Code::UnknownName,
            at,
            format!("there is no {what} `{name}` in sight"),
        );
        if let Some(suggestion) = suggestion {
            problem = problem.help(format!("did you mean `{suggestion}`?"));
            problem = problem.fix(fixes::rename(at, suggestion));
        } else if let Some(library) = crate::check::library_with(self.db, name) {
            problem = problem
                .help(format!("the library file `{library}` defines it: add `include {library}`"));
        }
        Some(problem)
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one problem")]
    fn mismatch(
        &self,
        at: Location,
        source: ItemSource,
        term: Option<TermId>,
        expected: Ty,
        found: Ty,
        clash: &Clash,
        origin: Origin,
    ) -> Diagnostic {
        let (wanted, given) = (self.ty(expected), self.ty(found));
        let problem = match clash {
            Clash::Infinite { variable, within } => Diagnostic::new(
                Code::InfiniteType,
                at,
                format!(
                    "this would need a type that contains itself: `{}` = `{}`",
                    self.ty(*variable),
                    self.ty(*within)
                ),
            ),
            Clash::InfiniteAbility { .. } => Diagnostic::new(
                Code::InfiniteType,
                at,
                format!(
                    "this would need an ability that contains itself: `{wanted}` is needed, and \
                     `{given}` is given"
                ),
            ),
            Clash::NotANumber(_) if term.is_none() => Diagnostic::new(
                Code::TypeMismatch,
                at,
                format!("this pattern is a number, and values of type `{wanted}` are matched"),
            ),
            Clash::NotANumber(not) => {
                let not = self.ty(*not);
                let operand = matches!(origin, Origin::Operand { .. });
                if operand {
                    Diagnostic::new(
                        Code::NotANumber,
                        at,
                        format!("arithmetic and comparisons take numbers, but this has type `{not}`"),
                    )
                } else {
                    Diagnostic::new(
                        Code::TypeMismatch,
                        at,
                        format!("this is a number, but a value of type `{wanted}` is needed"),
                    )
                }
            }
            _ if term.is_none() => Diagnostic::new(
                Code::TypeMismatch,
                at,
                format!("this pattern matches values of type `{given}`, but `{wanted}` is matched"),
            ),
            _ => Diagnostic::new(
                Code::TypeMismatch,
                at,
                format!("this has type `{given}`, but `{wanted}` is needed"),
            ),
        };
        let problem = self.inner_difference(problem, clash, expected, found);
        let problem = self.forgotten_force(problem, at, term, expected, found);
        self.origin(problem, source, origin, expected)
    }

    /// Says where two large types differ.
    fn inner_difference(
        &self,
        problem: Diagnostic,
        clash: &Clash,
        expected: Ty,
        found: Ty,
    ) -> Diagnostic {
        let table = &self.inference.table;
        match clash {
            Clash::Types(a, b)
                if table.head(*a) != table.head(expected) && table.head(*b) != table.head(found) =>
            {
                problem.help(format!(
                    "they differ where one has `{}` and the other `{}`",
                    self.ty(*a),
                    self.ty(*b)
                ))
            }
            Clash::Abilities(a, b) => problem.help(format!(
                "their abilities differ: `{}` and `{}`",
                self.ability(*a),
                self.ability(*b)
            )),
            Clash::PortCount(..) => problem.help("they take different numbers of arguments"),
            Clash::Adjustments(..) => problem.help("their ports adjust the ability differently"),
            _ => problem,
        }
    }

    /// `f` where `f!` is meant.
    fn forgotten_force(
        &self,
        problem: Diagnostic,
        at: Location,
        term: Option<TermId>,
        expected: Ty,
        found: Ty,
    ) -> Diagnostic {
        let table = &self.inference.table;
        let TyKind::Computation(computation) = table.kind(found) else { return problem };
        if term.is_none() || !computation.ports.is_empty() {
            return problem;
        }
        if table.head(computation.result) == table.head(expected)
            || self.ty(computation.result) == self.ty(expected)
        {
            let mut problem = problem.help("write `!` after it to run the computation here");
            problem.code = Code::ForgottenForce;
            return problem.fix(crate::diagnostics::Fix {
                title: "run it with `!`".to_owned(),
                edits: vec![crate::diagnostics::Edit {
                    location: at,
                    position: crate::diagnostics::Position::After,
                    text: "!".to_owned(),
                }],
                certain: false,
            });
        }
        problem
    }

    /// Says where an expectation comes from.
    fn origin(
        &self,
        problem: Diagnostic,
        source: ItemSource,
        origin: Origin,
        expected: Ty,
    ) -> Diagnostic {
        let wanted = self.ty(expected);
        match origin {
            Origin::Argument { call, index } => {
                let item = self.item(source);
                let TermKind::Apply { head, .. } = &item.terms[call].kind else { return problem };
                let definition = self.inference.body(source).and_then(|b| b.names.get(*head));
                if let Some(crate::infer::Resolved::Definition(definition)) = definition
                    && let Some((place, node)) = port_node(self.db, *definition, index)
                    && place.file(self.db).origin(self.db) == crate::db::Origin::Workspace
                {
                    return problem.related(
                        Location::node(place, node),
                        format!(
                            "`{wanted}` is required here: the {} port of `{}`",
                            ordinal(index),
                            definition.name()
                        ),
                    );
                }
                problem.related(
                    Location::node(source, item.terms[*head].id),
                    format!("`{wanted}` is required by the {} port of this", ordinal(index)),
                )
            }
            Origin::Field { constructor, index } => {
                let definition = TermDef::Constructor(constructor);
                match field_node(self.db, constructor, index) {
                    Some((place, node))
                        if place.file(self.db).origin(self.db) == crate::db::Origin::Workspace =>
                    {
                        problem.related(
                            Location::node(place, node),
                            format!(
                                "`{wanted}` is required here: the {} argument of `{}`",
                                ordinal(index),
                                definition.name()
                            ),
                        )
                    }
                    _ => problem,
                }
            }
            Origin::Result => {
                let Some(operator) = self.operator else { return problem };
                match result_node(self.db, operator) {
                    Some((place, node)) => problem.related(
                        Location::node(place, node),
                        format!("`{}` says here that its clauses give `{wanted}`", operator.0.name),
                    ),
                    None => problem,
                }
            }
            Origin::Operand { operation } => {
                let item = self.item(source);
                match &item.terms[operation].kind {
                    TermKind::Binary { operator_id, operator, .. } => problem.related(
                        Location::node(source, *operator_id),
                        format!("both operands of `{}` have one number type", operator.symbol()),
                    ),
                    _ => problem,
                }
            }
            Origin::Element { list } => problem.related(
                Location::node(source, self.item(source).terms[list].id),
                "all elements of a list have one type",
            ),
            Origin::Free | Origin::ThunkResult { .. } | Origin::LetMatch => problem,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one problem")]
    fn argument_count(
        &self,
        source: ItemSource,
        node: NodeId,
        head: TermId,
        definition: Option<TermDef>,
        function: Ty,
        wanted: usize,
        given: usize,
    ) -> Diagnostic {
        let name = match (definition, &self.item(source).terms[head].kind) {
            (Some(definition), _) => format!("`{}`", definition.name()),
            (None, TermKind::Name(name)) => format!("`{}`", name.symbol),
            _ => "this".to_owned(),
        };
        let mut problem = Diagnostic::new(
            Code::WrongArgumentCount,
            Location::node(source, node),
            format!("{name} takes {}, but {} given", count(wanted, "arguments"), are(given)),
        );
        if wanted == 0 {
            problem = problem.help("it takes no arguments: `!` after it runs it");
        } else if given < wanted
            && let TyKind::Computation(computation) = self.inference.table.kind(function)
            && let Some(port) = computation.ports.get(given)
        {
            problem = problem.help(format!("its next port takes a `{}`", self.ty(port.ty)));
        }
        match definition {
            Some(definition) => self.declared(problem, definition),
            None => problem,
        }
    }

    fn no_instance(
        &self,
        at: Location,
        command: crate::program::CommandDef,
        ambient: Ability,
    ) -> Diagnostic {
        let interface = command.interface.0.name;
        let mut problem = Diagnostic::new(
            Code::MissingAbility,
            at,
            format!(
                "the command `{}` needs an instance of `{interface}`, and the ability here, `{}`, \
                 has none",
                command.name,
                self.ability(ambient)
            ),
        );
        problem = match self.operator.and_then(|operator| result_ability(self.db, operator)) {
            Some((place, node)) => problem.related(
                Location::node(place, node),
                format!("an ability with `{interface}` here would allow it"),
            ),
            None => problem,
        };
        problem.help(format!(
            "handle `{interface}` around this, or add it to the ability of the signature"
        ))
    }

    fn ability_clash(
        &self,
        at: Location,
        definition: Option<TermDef>,
        needed: Ability,
        ambient: Ability,
        clash: &Clash,
    ) -> Diagnostic {
        let table = &self.inference.table;
        let name = definition.map_or("this".to_owned(), |d| format!("`{}`", d.name()));
        let (need, have) = (table.row(needed), table.row(ambient));
        let lacking: Vec<&Instance> = lacking(&need.instances, &have.instances);
        if let (Some(first), false) = (lacking.first(), matches!(have.tail, Tail::Meta(_))) {
            let interface = first.interface.0.name;
            let all = have.instances.iter().filter(|i| i.interface == first.interface).count();
            let message = if all == 0 {
                format!(
                    "{name} needs an instance of `{interface}`, and the ability here, `{}`, has none",
                    self.ability(ambient)
                )
            } else {
                let wanted = need.instances.iter().filter(|i| i.interface == first.interface);
                format!(
                    "{name} needs {}, and the ability here, `{}`, has {all}",
                    counted(wanted.count() as u32, interface),
                    self.ability(ambient)
                )
            };
            let mut problem = Diagnostic::new(Code::MissingAbility, at, message);
            if let Some((place, node)) = self.operator.and_then(|o| result_ability(self.db, o)) {
                problem = problem.related(
                    Location::node(place, node),
                    format!("an ability with `{interface}` here would allow it"),
                );
            }
            return problem.help(format!(
                "handle `{interface}` around this, or add it to the ability of the signature"
            ));
        }
        let mut problem = Diagnostic::new(
            Code::AbilityMismatch,
            at,
            format!(
                "{name} needs the ability `{}`, and the ability here is `{}`",
                self.ability(needed),
                self.ability(ambient)
            ),
        );
        if let Clash::Types(a, b) = clash {
            problem = problem.help(format!(
                "they differ where one has `{}` and the other `{}`",
                self.ty(*a),
                self.ty(*b)
            ));
        }
        match (need.tail, have.tail) {
            (Tail::Closed, _) | (_, Tail::Closed) if need.tail != have.tail => {
                problem.help("one of them is closed: it allows nothing but what it lists")
            }
            _ => problem.help(
                "an adaptor such as `<I>` hides an instance that the callee does not have",
            ),
        }
    }

    fn instance_count(&self, ambient: Ability, adaptor: &crate::types::Adaptor) -> String {
        let row = self.inference.table.row(ambient);
        match row.instances.iter().filter(|i| i.interface == adaptor.interface).count() {
            0 => "none".to_owned(),
            n => n.to_string(),
        }
    }

    fn pattern_count(
        &self,
        source: ItemSource,
        node: NodeId,
        head: ClauseHead,
        wanted: usize,
        given: usize,
        ty: Option<Ty>,
    ) -> Diagnostic {
        let location = Location::node(source, node);
        match head {
            ClauseHead::Operator(_) => {
                let name = self.operator.map_or_else(String::new, |o| o.0.name.to_string());
                let problem = Diagnostic::new(
                    Code::WrongPatternCount,
                    location,
                    format!(
                        "`{name}` has {}, but this clause has {}",
                        count(wanted, "ports"),
                        count(given, "patterns")
                    ),
                );
                match self.operator {
                    Some(operator) => self.declared(problem, TermDef::Operator(operator)),
                    None => problem,
                }
            }
            ClauseHead::Thunk(_) => {
                let needed = ty.map_or_else(String::new, |ty| {
                    format!(": a `{}` is needed", self.ty(ty))
                });
                Diagnostic::new(
                    Code::WrongPatternCount,
                    location,
                    format!(
                        "this clause has {}, but it should have {}{needed}",
                        count(given, "patterns"),
                        wanted
                    ),
                )
            }
        }
    }

    fn not_handled(
        &self,
        at: Location,
        command: crate::program::CommandDef,
        index: u32,
        added: &[crate::program::InterfaceDef],
    ) -> Diagnostic {
        let interface = command.interface.0.name;
        let own = added.iter().filter(|i| **i == command.interface).count();
        let message = if own == 0 {
            format!(
                "this port does not add an instance of `{interface}`, so `{}` cannot be handled here",
                command.name
            )
        } else {
            format!(
                "this port adds {}, and `.{index}` counts from 0",
                counted(own as u32, interface)
            )
        };
        let problem = Diagnostic::new(Code::CommandNotHandled, at, message);
        if own == 0 {
            problem.help(format!(
                "write `<{interface} …>` before the type of the port whose commands are handled"
            ))
        } else {
            problem
        }
    }
}

/// The instances of `need` that `have` has too few of.
fn lacking<'a>(need: &'a [Instance], have: &[Instance]) -> Vec<&'a Instance> {
    need.iter()
        .enumerate()
        .filter(|(i, instance)| {
            let of = |list: &[Instance]| {
                list.iter().filter(|other| other.interface == instance.interface).count()
            };
            let before = need.iter().take(*i);
            let earlier = before.filter(|other| other.interface == instance.interface).count();
            earlier >= of(have)
        })
        .map(|(_, instance)| instance)
        .collect()
}

/// `no arguments`, `1 argument`, `2 arguments`
fn count(n: usize, plural: &str) -> String {
    match n {
        0 => format!("no {plural}"),
        1 => format!("1 {}", plural.strip_suffix('s').unwrap_or(plural)),
        n => format!("{n} {plural}"),
    }
}

fn are(n: usize) -> String {
    match n {
        0 => "none is".to_owned(),
        1 => "1 is".to_owned(),
        n => format!("{n} are"),
    }
}

fn patterns_are(n: usize) -> String {
    match n {
        0 => "no pattern is".to_owned(),
        1 => "1 pattern is".to_owned(),
        n => format!("{n} patterns are"),
    }
}

/// `x`, `x y`, `x y z`, then `x1 x2 …`
fn variables(n: usize) -> String {
    let names: Vec<String> = match n {
        0..=3 => ["x", "y", "z"].iter().take(n).map(|name| (*name).to_owned()).collect(),
        n => (1..=n).map(|i| format!("x{i}")).collect(),
    };
    names.join(" ")
}

fn ordinal(index: usize) -> String {
    match index {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        3 => "fourth".to_owned(),
        n => {
            let n = n + 1;
            let suffix = match (n % 100, n % 10) {
                (11..=13, _) => "th",
                (_, 1) => "st",
                (_, 2) => "nd",
                (_, 3) => "rd",
                _ => "th",
            };
            format!("{n}{suffix}")
        }
    }
}

/// Where a name of a term is declared.
pub fn declaration(db: &dyn Db, definition: TermDef) -> Option<(ItemSource, NodeId)> {
    let index = scope_index(db, definition.scope());
    let entry = index.terms.get(&definition.name())?.first()?;
    let node = match entry.node {
        Some(node) => node,
        None => match &item(db, entry.item).kind {
            ItemKind::Signature { name, .. } | ItemKind::Clause { name, .. } => name.id,
            _ => return None,
        },
    };
    Some((entry.item, node))
}

fn signature_item(db: &dyn Db, operator: OperatorDef) -> Option<(ItemSource, &Item)> {
    let items = operator_items(db, operator.0.scope, operator.0.name);
    let source = *items.signatures.first()?;
    Some((source, item(db, source)))
}

/// The type of a port, where it is written.
fn port_node(db: &dyn Db, definition: TermDef, index: usize) -> Option<(ItemSource, NodeId)> {
    match definition {
        TermDef::Operator(operator) => {
            let (source, item) = signature_item(db, operator)?;
            let ItemKind::Signature { ty, .. } = &item.kind else { return None };
            Some((source, ty.ports.get(index)?.id))
        }
        TermDef::Command(command) => {
            let source = command.interface.item(db)?;
            let item = item(db, source);
            let ItemKind::Interface { commands, .. } = &item.kind else { return None };
            let arg = *commands.get(command.index as usize)?.args.get(index)?;
            Some((source, item.types[arg].id))
        }
        TermDef::Constructor(_) => None,
    }
}

fn field_node(
    db: &dyn Db,
    constructor: crate::program::ConstructorDef,
    index: usize,
) -> Option<(ItemSource, NodeId)> {
    let source = constructor.data.item(db)?;
    let item = item(db, source);
    let ItemKind::Data { constructors, .. } = &item.kind else { return None };
    let arg = *constructors.get(constructor.index as usize)?.args.get(index)?;
    Some((source, item.types[arg].id))
}

fn result_node(db: &dyn Db, operator: OperatorDef) -> Option<(ItemSource, NodeId)> {
    let (source, item) = signature_item(db, operator)?;
    let ItemKind::Signature { ty, .. } = &item.kind else { return None };
    Some((source, item.types[ty.peg.ty].id))
}

/// The ability of a signature, or its result where no ability is written.
fn result_ability(db: &dyn Db, operator: OperatorDef) -> Option<(ItemSource, NodeId)> {
    let (source, item) = signature_item(db, operator)?;
    let ItemKind::Signature { ty, .. } = &item.kind else { return None };
    let node = match &ty.peg.ability {
        Some(ability) => ability.id,
        None => item.types[ty.peg.ty].id,
    };
    Some((source, node))
}

/// Every term name in sight with what it means, for suggestions.
pub fn visible_names(db: &dyn Db, scope: crate::db::SourceFile) -> Vec<(Symbol, TermDef)> {
    let index = scope_index(db, scope);
    let scopes = std::iter::once(scope).chain(index.libraries.iter().copied());
    let mut names: Vec<(Symbol, TermDef)> = Vec::new();
    for scope in scopes {
        let index = scope_index(db, scope);
        let entries = index.terms.iter();
        names.extend(entries.filter_map(|(name, all)| Some((*name, all.first()?.def))));
    }
    names.sort_by_key(|(name, _)| name.as_str());
    names.dedup_by_key(|(name, _)| *name);
    names
}

/// Whether a local's sort is a let, a pattern variable, or a resumption.
pub fn local_word(sort: LocalSort) -> &'static str {
    match sort {
        LocalSort::Let | LocalSort::Pattern => "variable",
        LocalSort::Continuation => "continuation",
        LocalSort::CatchAll => "computation",
    }
}
