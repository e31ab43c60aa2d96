//! From written types to types: names, kinds, the implicit ε, aliases (language reference,
//! section 4 "Type variables", "The implicit ε", "Aliases").

mod adaptor;
mod misplaced;
mod names;
mod parameters;

use std::collections::HashMap;
use std::sync::Arc;

use frank_syntax::ast::{
    AbilityExpr, Adjustment as AdjustmentExpr, CompType, InstanceExpr, Item, ItemKind, Name,
    NodeId, ParamKind, Port as PortExpr, Symbol, Tail as TailExpr, TypeArg, TypeId, TypeKind,
};
use frank_syntax::stack::ensure_sufficient_stack;

use crate::db::{Db, ItemSource, SourceFile, TextKind, has_syntax_errors, item};
use crate::diagnostics::{
    Code, Definer, Diagnostic, Edit, Fix, Location, Position, PossibleCause, Severity,
    similar_names,
};
use crate::neighbours::{self, Namespace};
use crate::params::{TypeNamespace, params};
use crate::program::{
    AliasDef, RowDef, data_item, library_with_type, resolve_data, row_item, scope_index,
};
use crate::spelling::Spellings;
use crate::types::{
    Ability, Adjustment, Arg, Computation, Instance, Params, Port, Tail, Ty, TyKind, Types,
};

pub use adaptor::adaptor_of;
use adaptor::{command_interface, of_command};

/// So many instances at most come out of the aliases in one ability. Aliases that double each
/// other would otherwise fill the memory.
const MOST_INSTANCES: usize = 10_000;
/// So many aliases at most stand inside one another.
const DEEPEST_ALIAS: usize = 200;

/// Lowers the types of one item into an arena of their own.
pub struct Lowering<'db> {
    db: &'db dyn Db,
    /// The scope in which the item's names are looked up.
    scope: SourceFile,
    /// The scopes in which a query's names are looked up that the first one does not have.
    elsewhere: &'db [SourceFile],
    source: ItemSource,
    pub types: Types,
    values: HashMap<Symbol, Ty>,
    effects: HashMap<Symbol, Ability>,
    /// The names of the variables, by their numbers.
    pub value_names: Vec<Symbol>,
    pub effect_names: Vec<Symbol>,
    /// Whether unbound names become variables, as in a signature.
    open: bool,
    /// The aliases that are being expanded.
    expanding: Vec<AliasDef>,
    /// The alias being checked came up again among its own instances.
    cyclic: bool,
    /// The circle that the alias being checked is in has been reported.
    told_of_cycle: bool,
    /// An alias was cut off because it stands for too much.
    too_large: bool,
    /// Aliases that lead to others are nested deeper than is followed.
    too_deep: bool,
    /// An alias that was expanded has errors, so that nobody knows what it stands for.
    pub rests_on_errors: bool,
    /// What a port adds to the ability, or how it rearranges it, is wrong, and so is not in what came out. All else that
    /// is wrong is there as [`TyKind::Error`] or [`Tail::Error`].
    pub lacks_adjustments: bool,
    pub problems: Vec<Diagnostic>,
}

impl<'db> Lowering<'db> {
    /// For a signature, in which unbound names are variables.
    pub fn of_signature(db: &'db dyn Db, scope: SourceFile, source: ItemSource) -> Lowering<'db> {
        Lowering {
            db,
            scope,
            elsewhere: &[],
            source,
            types: Types::default(),
            values: HashMap::new(),
            effects: HashMap::new(),
            value_names: Vec::new(),
            effect_names: Vec::new(),
            open: true,
            expanding: Vec::new(),
            cyclic: false,
            told_of_cycle: false,
            too_large: false,
            too_deep: false,
            rests_on_errors: false,
            lacks_adjustments: false,
            problems: Vec::new(),
        }
    }

    /// For a data type, an interface or an alias, in which only parameters may appear.
    pub fn of_declaration(
        db: &'db dyn Db,
        scope: SourceFile,
        source: ItemSource,
        params: &Params,
    ) -> Lowering<'db> {
        let mut lowering = Lowering::of_signature(db, scope, source);
        lowering.open = false;
        lowering.bind(params);
        lowering
    }

    /// Brings parameters into scope; gives back what they hid.
    pub fn bind(&mut self, params: &Params) {
        for (name, kind) in &params.all {
            match kind {
                ParamKind::Value => {
                    self.fresh_value(*name);
                }
                ParamKind::Effect => {
                    self.fresh_effect(*name);
                }
            }
        }
    }

    /// Takes the parameters that were bound last out of scope again.
    pub fn unbind(&mut self, params: &Params) {
        for (name, kind) in &params.all {
            match kind {
                ParamKind::Value => {
                    self.values.remove(name);
                    self.value_names.pop();
                }
                ParamKind::Effect => {
                    self.effects.remove(name);
                    self.effect_names.pop();
                }
            }
        }
    }

    fn fresh_value(&mut self, name: Symbol) -> Ty {
        let ty = self
            .types
            .ty(TyKind::Variable(self.value_names.len() as u32));
        self.value_names.push(name);
        if !self.is_any(name) {
            self.values.insert(name, ty);
        }
        ty
    }

    fn fresh_effect(&mut self, name: Symbol) -> Ability {
        let tail = Tail::Variable(self.effect_names.len() as u32);
        self.effect_names.push(name);
        let ability = self.types.ability(tail, Arc::from([]));
        if !self.is_any(name) {
            self.effects.insert(name, ability);
        }
        ability
    }

    fn report(&mut self, code: Code, node: NodeId, message: String) {
        self.problems.push(Diagnostic::new(
            code,
            Location::node(self.source, node),
            message,
        ));
    }

    /// A type in which nothing is wrong, or one that fits everywhere: what is wrong in it is told once. Of an item
    /// that does not parse nobody knows what was meant.
    pub fn sound_ty(&mut self, item: &Item, id: TypeId) -> Ty {
        let before = self.errors();
        let ty = self.ty(item, id);
        match self.errors() > before || has_syntax_errors(self.db, self.source) {
            true => self.types.ty(TyKind::Error),
            false => ty,
        }
    }

    fn errors(&self) -> usize {
        let problems = self.problems.iter();
        problems
            .filter(|problem| problem.severity == Severity::Error)
            .count()
    }

    pub fn ty(&mut self, item: &Item, id: TypeId) -> Ty {
        let expr = &item.types[id];
        ensure_sufficient_stack(|| match &expr.kind {
            TypeKind::Missing => self.types.ty(TyKind::Error),
            TypeKind::Computation(computation) => {
                let computation = self.computation(item, computation);
                self.types.ty(TyKind::Computation(Arc::new(computation)))
            }
            TypeKind::Name {
                name,
                args,
                parenthesised,
            } => self.named(item, expr.id, *name, args, *parenthesised),
        })
    }

    fn named(
        &mut self,
        item: &Item,
        whole: NodeId,
        name: Name,
        args: &[TypeArg],
        parenthesised: bool,
    ) -> Ty {
        let symbol = name.symbol;
        let data = self.data(symbol, args.len());
        if let Some(variable) = self.values.get(&symbol).copied()
            && !(parenthesised && data.is_some())
        {
            if let Some(arg) = args.first() {
                let at = self.arg_node(item, arg);
                self.report(
                    Code::WrongTypeArguments,
                    at,
                    format!("`{symbol}` is a type variable, which takes no arguments"),
                );
                return self.types.ty(TyKind::Error);
            }
            return variable;
        }
        if let Some(data) = data {
            let params = params(self.db, data.0.scope, symbol, TypeNamespace::Data);
            return match self.args(item, whole, name, params, args) {
                Some(args) => self.types.ty(TyKind::Data(data, args)),
                None => self.types.ty(TyKind::Error),
            };
        }
        if let Some(primitive) = primitive(self.db, symbol, &mut self.types) {
            if let Some(arg) = args.first() {
                let at = self.arg_node(item, arg);
                self.report(
                    Code::WrongTypeArguments,
                    at,
                    format!("`{symbol}` takes no arguments"),
                );
                return self.types.ty(TyKind::Error);
            }
            return self.types.ty(primitive);
        }
        // A law is about values, which no variable has.
        let of_law = self.source.kind(self.db) == TextKind::LawTypes;
        if self.open && args.is_empty() && !of_law {
            self.hint_misspelling(name);
            return self.fresh_value(symbol);
        }
        if args.is_empty()
            && let Some(told) = self.left_out_parameter(item, name)
        {
            return told;
        }
        let similar = self.similar_types(symbol);
        let message = if of_law {
            format!(
                "there is no type `{symbol}`, and a law is about values of types that there are"
            )
        } else if self.open {
            format!("there is no data type `{symbol}`, and a type variable takes no arguments")
        } else {
            format!("there is no type `{symbol}` here: it is neither a parameter nor a data type")
        };
        let at = Location::node(self.source, name.id);
        let mut problem = Diagnostic::new(Code::UnknownType, at, message);
        let is_row = self.row(symbol).is_some();
        let definer = match is_row {
            true => None,
            false => self.definer(symbol, &similar, &mut problem),
        };
        if is_row {
            problem = problem.help(format!(
                "`{symbol}` is an interface: it stands in an ability, `[{symbol} …]X`, or before what a \
                 handler takes, `<{symbol} …>X`"
            ));
        } else if let Some(definer) = definer {
            problem = problem.lacks_include(definer, "declares");
        } else if !similar.is_empty() {
            problem = crate::fixes::did_you_mean(problem, at, &similar);
        } else if of_law {
            problem = problem.help(format!(
                "write a type such as `Int` for it, or define `data {symbol} = …`"
            ));
        } else if self.open {
            problem = problem.help(format!(
                "define `data {symbol} X = …`, or leave the arguments out"
            ));
        } else if self.may_be_constructor(item, name) {
            problem = problem
                .help(format!(
                    "if `{symbol}` is a constructor of its own, a bar stands in front of it: `| {symbol}`"
                ))
                .fix(Fix {
                    title: format!("write `| {symbol}`"),
                    edits: vec![Edit {
                        location: at,
                        position: Position::Before,
                        text: "| ".to_owned(),
                    }],
                    safe: false,
                });
        } else if let Some(command) = self.command_around(item, name) {
            problem = problem.help(format!(
                "define `data {symbol} = …`, or make `{symbol}` a parameter of the item, or of the \
                 command: `{} {symbol} : …`",
                command.symbol
            ));
            problem = self.as_parameter_of_command(problem, command, symbol);
        } else {
            problem = problem.help(format!(
                "define `data {symbol} = …`, or make `{symbol}` a parameter of the item"
            ));
        }
        self.problems.push(problem);
        self.types.ty(TyKind::Error)
    }

    /// Whether a name that is no type stands as an argument of a constructor in a data type, and is written as the
    /// constructor is.
    fn may_be_constructor(&self, item: &Item, name: Name) -> bool {
        let ItemKind::Data { constructors, .. } = &item.kind else {
            return false;
        };
        let is_small = |name: Symbol| name.as_str().starts_with(char::is_lowercase);
        let is_long = name.symbol.as_str().chars().nth(1).is_some();
        let mut around = constructors.iter().filter(|constructor| {
            let mut arguments = constructor.args.iter();
            arguments.any(|argument| match &item.types[*argument].kind {
                TypeKind::Name {
                    name: own, args, ..
                } => own.id == name.id && args.is_empty(),
                _ => false,
            })
        });
        is_small(name.symbol)
            && is_long
            && around.any(|constructor| is_small(constructor.name.symbol))
    }

    /// The fix that makes a name a parameter of a command alone.
    fn as_parameter_of_command(
        &self,
        problem: Diagnostic,
        command: Name,
        name: Symbol,
    ) -> Diagnostic {
        problem.fix(Fix {
            title: format!("make `{name}` a parameter of `{}`", command.symbol),
            edits: vec![Edit {
                location: Location::node(self.source, command.id),
                position: Position::After,
                text: format!(" {name}"),
            }],
            safe: false,
        })
    }

    /// The command whose type a name stands in.
    fn command_around(&self, item: &Item, name: Name) -> Option<Name> {
        let ItemKind::Interface { commands, .. } = &item.kind else {
            return None;
        };
        let range = |node| Location::node(self.source, node).in_item(self.db);
        let mut around = commands
            .iter()
            .filter(|command| range(command.id).contains_range(range(name.id)));
        around.next().map(|command| command.name)
    }

    /// The file that declares a name exactly and is not included. An item that does not parse, or a file that
    /// is not there, may declare it as well.
    fn definer(&self, name: Symbol, similar: &[&str], problem: &mut Diagnostic) -> Option<Definer> {
        problem.cause = Some(PossibleCause {
            name,
            lacks_includes: similar.is_empty(),
            file: None,
        });
        let file = self.source.file(self.db);
        let library = library_with_type(self.db, name);
        let beside = neighbours::defining(self.db, self.scope, file, Namespace::Types, name);
        neighbours::definer(self.db, file, library, beside)
    }

    fn similar_types(&self, symbol: Symbol) -> Vec<&'db str> {
        let mut similar = self
            .scopes()
            .map(|scope| self.similar_types_in(scope, symbol));
        similar
            .find(|similar| !similar.is_empty())
            .unwrap_or_default()
    }

    fn similar_types_in(&self, scope: SourceFile, symbol: Symbol) -> Vec<&'db str> {
        let names = type_names(self.db, scope);
        let mut foreign = FOREIGN_TYPES.iter();
        let known = foreign.find(|(foreign, _)| *foreign == symbol.as_str());
        if let Some((_, known)) = known.filter(|(_, known)| names.contains(&Symbol::new(known))) {
            return vec![known];
        }
        // A parameter that is written with small letters or capitals.
        let mut parameters = self.value_names.iter();
        let is_same = |name: &&Symbol| name.as_str().eq_ignore_ascii_case(symbol.as_str());
        if let Some(parameter) = parameters.find(is_same).filter(|_| !self.open) {
            return vec![parameter.as_str()];
        }
        let near = type_spellings(self.db, scope).near(symbol.as_str());
        similar_names(symbol.as_str(), near)
    }

    /// A long name of a variable that is one slip away from a data type is worth a hint.
    fn hint_misspelling(&mut self, name: Name) {
        let text = name.symbol.as_str();
        if self.row(name.symbol).is_some() {
            let at = Location::node(self.source, name.id);
            let message = format!("`{text}` is a type variable here, and not the interface");
            self.problems.push(
                Diagnostic::new(Code::LikelyMisspeltType, at, message).help(format!(
                    "an interface is no type: it stands in an ability, `[{text}]X`, or before what a handler \
                     takes, `<{text}>X`"
                )),
            );
            return;
        }
        if text.chars().count() < 3 {
            return;
        }
        let mut meant = self
            .scopes()
            .filter_map(|scope| misspelt_type(self.db, scope, name.symbol));
        if let Some(suggestion) = meant.next() {
            let at = Location::node(self.source, name.id);
            self.problems.push(
                Diagnostic::new(
                    Code::LikelyMisspeltType,
                    at,
                    format!("`{text}` is a type variable here, for there is no type of that name"),
                )
                .help(format!("if the data type is meant, write `{suggestion}`"))
                .fix(crate::fixes::rename(at, suggestion.as_str())),
            );
        }
    }

    /// An effect variable that has the name of an interface may be meant as an instance.
    fn hint_interface(&mut self, name: Name) {
        if self.row(name.symbol).is_none() {
            return;
        }
        let at = Location::node(self.source, name.id);
        let message = format!(
            "`{}` is an effect variable here, and not the interface: a bar follows it",
            name.symbol
        );
        let mut problem = Diagnostic::new(Code::LikelyMisspeltType, at, message)
            .help("instances are separated by commas");
        problem.fixes = crate::fixes::comma_for_bar(self.db, self.source, name.id)
            .into_iter()
            .collect();
        self.problems.push(problem);
    }

    fn arg_node(&self, item: &Item, arg: &TypeArg) -> NodeId {
        match arg {
            TypeArg::Type(ty) => item.types[*ty].id,
            TypeArg::Ability(ability) => ability.id,
        }
    }

    fn implicit_in_scope(&self) -> bool {
        self.open || self.effects.contains_key(&Symbol::implicit_effect())
    }

    /// Whether what declares a type or an interface does not parse, so that nobody knows what it takes.
    fn is_unread(&self, name: Symbol) -> bool {
        let declared = [
            data_item(self.db, self.scope, name),
            row_item(self.db, self.scope, name),
        ];
        let mut declared = declared.into_iter().flatten();
        declared.any(|source| has_syntax_errors(self.db, source))
    }

    /// Arguments for parameters; a last effect argument may be left out where ε is in scope.
    fn args(
        &mut self,
        item: &Item,
        whole: NodeId,
        name: Name,
        params: &Params,
        args: &[TypeArg],
    ) -> Option<Arc<[Arg]>> {
        let wanted = params.all.len();
        let last_is_effect = params
            .all
            .last()
            .is_some_and(|(_, kind)| *kind == ParamKind::Effect);
        let elided = args.len() + 1 == wanted && last_is_effect && self.implicit_in_scope();
        let are_kinds = |((_, kind), arg): (&(Symbol, ParamKind), &TypeArg)| match arg {
            TypeArg::Type(_) => *kind == ParamKind::Value,
            TypeArg::Ability(_) => *kind == ParamKind::Effect,
        };
        let fits = args.len() == wanted || elided;
        if !(fits && params.all.iter().zip(args).all(are_kinds)) && self.is_unread(name.symbol) {
            for arg in args {
                self.any_arg(item, arg);
            }
            return None;
        }
        if !fits {
            // Those that it lacks may be for what is too many.
            if let Some((taken, others)) = args.split_at_checked(wanted)
                && self.lacks_parameters(name.symbol)
            {
                for arg in others {
                    self.any_arg(item, arg);
                }
                return self.args(item, whole, name, params, taken);
            }
            // A last effect argument may be left out, and nobody has to know of it.
            let may_omit = last_is_effect && self.implicit_in_scope() && args.len() + 1 < wanted;
            let shown = wanted - usize::from(may_omit);
            let list: Vec<String> = params.all.iter().take(shown).map(show_param).collect();
            let takes = match shown {
                0 => "takes no arguments".to_owned(),
                1 => format!("takes one argument, `{}`", list.join(" ")),
                _ => format!("takes {shown} arguments, `{}`", list.join(" ")),
            };
            if let Some(problem) = self.nested_arguments(item, name, wanted, args) {
                self.problems.push(problem);
                return None;
            }
            let at = args
                .get(wanted)
                .map_or(name.id, |extra| self.arg_node(item, extra));
            let at = if args.len() > wanted { at } else { name.id };
            let _ = whole;
            let given = match args.len() {
                0 => "none is given".to_owned(),
                1 => "one is given".to_owned(),
                n => format!("{n} are given"),
            };
            let at = Location::node(self.source, at);
            let message = format!("`{}` {takes}, but {given}", name.symbol);
            let own = match list.iter().any(|one| one.starts_with('[')) {
                true => "types and abilities",
                false if shown == 1 => "a type",
                false => "types",
            };
            let those = if shown == 1 { "it" } else { "these" };
            let help = match shown {
                0 => "leave the arguments out".to_owned(),
                _ => format!(
                    "write `{} {}`, with {own} of your own for {those}",
                    name.symbol,
                    list.join(" ")
                ),
            };
            let problem = Diagnostic::new(Code::WrongTypeArguments, at, message).help(help);
            self.problems.push(problem);
            // The arguments are looked at all the same: what is wrong in them is wrong anyway.
            for arg in args {
                self.any_arg(item, arg);
            }
            return None;
        }
        let mut lowered = Vec::with_capacity(wanted);
        let mut fine = true;
        let kinds = params
            .all
            .iter()
            .filter(|(_, kind)| *kind == ParamKind::Value);
        let types = args.iter().filter(|arg| matches!(arg, TypeArg::Type(_)));
        let reordered = kinds.count() == types.count();
        for ((param, kind), arg) in params.all.iter().zip(args) {
            match (kind, arg) {
                (ParamKind::Value, TypeArg::Type(ty)) => {
                    lowered.push(Arg::Type(self.ty(item, *ty)))
                }
                (ParamKind::Effect, TypeArg::Ability(ability)) => {
                    lowered.push(Arg::Ability(self.ability(item, ability)));
                }
                (kind, arg) => {
                    let at = self.arg_node(item, arg);
                    let message = match kind {
                        ParamKind::Value => format!(
                            "the parameter `{param}` of `{}` stands for a type, and this is an ability",
                            name.symbol
                        ),
                        ParamKind::Effect => format!(
                            "the parameter `[{param}]` of `{}` stands for an ability, and this is a type",
                            name.symbol
                        ),
                    };
                    // Arguments in another order are one mistake.
                    if fine || !reordered {
                        self.report(Code::WrongKind, at, message);
                    }
                    fine = false;
                    self.any_arg(item, arg);
                }
            }
        }
        if elided {
            let implicit = self.implicit();
            lowered.push(Arg::Ability(implicit));
        }
        fine.then(|| lowered.into())
    }

    fn any_arg(&mut self, item: &Item, arg: &TypeArg) {
        match arg {
            TypeArg::Type(ty) => {
                self.ty(item, *ty);
            }
            TypeArg::Ability(ability) => {
                self.ability(item, ability);
            }
        }
    }

    /// `[ε|]`, where ε is in scope.
    fn implicit(&mut self) -> Ability {
        let name = Symbol::implicit_effect();
        match self.effects.get(&name) {
            Some(ability) => *ability,
            None if self.open => self.fresh_effect(name),
            // An item whose definition mentions ε has it as a parameter, so this is an item
            // that is broken in another way.
            None => self.unknown_ability(),
        }
    }

    /// An ability that agrees with every other.
    fn unknown_ability(&mut self) -> Ability {
        self.types.ability(Tail::Error, Arc::from([]))
    }

    pub fn computation(&mut self, item: &Item, computation: &CompType) -> Computation {
        let mut ports = Vec::with_capacity(computation.ports.len());
        for port in &computation.ports {
            let before = self.errors();
            let adjustments = self.adjustments(item, port);
            self.lacks_adjustments |= self.errors() > before;
            ports.push((adjustments, self.ty(item, port.ty)));
        }
        let ability = match &computation.peg.ability {
            Some(ability) => self.ability(item, ability),
            None => self.implicit(),
        };
        let before = self.errors();
        let result = match self.ability_behind(item, &computation.peg) {
            Some(result) => result,
            None => self.ty(item, computation.peg.ty),
        };
        // An ability that stands at the type may be the peg's.
        let ability = match self.errors() > before && has_ability(item, computation.peg.ty) {
            true => self.unknown_ability(),
            false => ability,
        };
        let before = self.errors();
        let ports = ports
            .into_iter()
            .map(|(adjustments, ty)| Port {
                adjustments: self.settle(adjustments, ability),
                ty,
            })
            .collect();
        self.lacks_adjustments |= self.errors() > before;
        Computation {
            ports,
            ability,
            result,
        }
    }

    fn adjustments(&mut self, item: &Item, port: &PortExpr) -> Vec<(NodeId, Adjustment)> {
        let mut adjustments = Vec::with_capacity(port.adjustments.len());
        for adjustment in &port.adjustments {
            match adjustment {
                AdjustmentExpr::Adaptor(expr) => {
                    let scope = self.scope_of_row(expr.interface.symbol);
                    let resolved = adaptor_of(self.db, scope, self.source, expr);
                    self.problems.extend(resolved.problems);
                    let adaptor = resolved.adaptor.map(Adjustment::Adaptor);
                    adjustments.extend(adaptor.map(|adaptor| (expr.id, adaptor)));
                }
                AdjustmentExpr::Instance(expr) => {
                    let mut instances = Vec::new();
                    self.instances(item, expr, &mut instances);
                    let instances = instances.into_iter().map(Adjustment::Instance);
                    adjustments.extend(instances.map(|instance| (expr.id, instance)));
                }
            }
        }
        adjustments
    }

    /// Checks a port's adaptors against the peg's ability, and counts what an adaptor that keeps
    /// nothing drops there.
    fn settle(
        &mut self,
        adjustments: Vec<(NodeId, Adjustment)>,
        peg: Ability,
    ) -> Arc<[Adjustment]> {
        if adjustments
            .iter()
            .all(|(_, a)| matches!(a, Adjustment::Instance(_)))
        {
            return adjustments
                .into_iter()
                .map(|(_, adjustment)| adjustment)
                .collect();
        }
        let row = self.types.row(peg);
        // An interface that is not known may be the one that is missing.
        let is_unknown = |problem: &Diagnostic| problem.code == Code::UnknownInterface;
        let judged = row.tail != Tail::Error && !self.problems.iter().any(is_unknown);
        let mut counts: HashMap<_, u32> = HashMap::new();
        for instance in row.instances.iter() {
            *counts.entry(instance.interface).or_default() += 1;
        }
        let mut settled = Vec::with_capacity(adjustments.len());
        for (node, mut adjustment) in adjustments {
            match &mut adjustment {
                Adjustment::Adaptor(adaptor) => {
                    let count = counts.entry(adaptor.interface).or_default();
                    let (taken, had) = (adaptor.taken, *count);
                    // From here on the adaptor is one that drops so many.
                    if std::mem::take(&mut adaptor.drops_all) {
                        adaptor.taken = taken.max(had);
                    }
                    *count = had.saturating_sub(adaptor.taken) + adaptor.kept.len() as u32;
                    let interface = adaptor.interface.0.name;
                    if had < taken && judged {
                        let has = match had {
                            0 => "none".to_owned(),
                            had => had.to_string(),
                        };
                        let message = format!(
                            "the adaptor names {}, and the ability of this port's peg has {has}",
                            counted(taken, interface)
                        );
                        let at = Location::node(self.source, node);
                        self.problems.push(
                            Diagnostic::new(Code::InvalidAdaptor, at, message).help(format!(
                                "an adaptor of a port rearranges the instances of the ability behind \
                                 the last arrow: name fewer, or add `{interface}` there"
                            )),
                        );
                        continue;
                    }
                }
                Adjustment::Instance(instance) => {
                    *counts.entry(instance.interface).or_default() += 1
                }
            }
            settled.push(adjustment);
        }
        settled.into()
    }

    pub fn ability(&mut self, item: &Item, expr: &AbilityExpr) -> Ability {
        let mut instances = Vec::new();
        let mut is_known = true;
        for (i, instance) in expr.instances.iter().enumerate() {
            let before = self.problems.len();
            let errors = self.errors();
            let rested_on_errors = std::mem::take(&mut self.rests_on_errors);
            self.instances(item, instance, &mut instances);
            if i == 0 && matches!(expr.tail, TailExpr::Implicit) && instance.args.is_empty() {
                self.suggest_tail(before, expr);
            }
            if self.errors() > errors || self.rests_on_errors {
                // It may be of any interface, and the active one of all to its left.
                instances.clear();
                is_known = false;
            }
            self.rests_on_errors |= rested_on_errors;
        }
        let tail = match &expr.tail {
            TailExpr::Closed => self.types.ability(Tail::Closed, Arc::from([])),
            TailExpr::Implicit => self.implicit(),
            TailExpr::Named(name) => match self.effects.get(&name.symbol) {
                Some(ability) => *ability,
                None if self.open => {
                    self.hint_interface(*name);
                    self.fresh_effect(name.symbol)
                }
                None => {
                    self.report(
                        Code::UnknownEffect,
                        name.id,
                        format!(
                            "there is no effect parameter `{0}` here; an item's parameters name it \
                             as `[{0}]`",
                            name.symbol
                        ),
                    );
                    self.unknown_ability()
                }
            },
        };
        let tail = match is_known {
            true => tail,
            false => self.unknown_ability(),
        };
        if instances.is_empty() {
            tail
        } else {
            self.types.extended(tail, instances)
        }
    }

    /// The first name of an ability, if nothing is known of it, may be meant as the tail.
    fn suggest_tail(&mut self, problem: usize, expr: &AbilityExpr) {
        let [first, others @ ..] = &expr.instances[..] else {
            return;
        };
        let Some(problem) = self.problems.get_mut(problem) else {
            return;
        };
        if problem.code != Code::UnknownInterface || !problem.help.is_empty() {
            return;
        }
        let name = first.interface.symbol;
        let written = if others.is_empty() {
            format!("`[{name}|]`")
        } else {
            format!("`[{name}|…]`")
        };
        problem.help.push(format!(
            "if it stands for any ability, a bar follows it: {written}"
        ));
        if others.is_empty() {
            let at = Location::node(self.source, first.interface.id);
            let text = format!("{name}|");
            let title = format!("write {written}");
            // Or its definition is what is missing.
            problem.fixes.push(Fix {
                safe: false,
                ..crate::fixes::replace(at, &text, title)
            });
        }
    }

    /// Lowers an instance; an alias gives several.
    pub fn instances(&mut self, item: &Item, expr: &InstanceExpr, into: &mut Vec<Instance>) {
        let name = expr.interface;
        if let Some(problem) = self.instances_without_commas(item, expr) {
            self.problems.push(problem);
            return;
        }
        match self.row(name.symbol) {
            Some(RowDef::Interface(interface)) => {
                let namespace = TypeNamespace::Row;
                let params = params(self.db, interface.0.scope, name.symbol, namespace);
                if let Some(args) = self.args(item, expr.id, name, params, &expr.args) {
                    into.push(Instance { interface, args });
                }
            }
            Some(RowDef::Alias(alias)) => {
                let namespace = TypeNamespace::Row;
                let params = params(self.db, alias.0.scope, name.symbol, namespace);
                if let Some(args) = self.args(item, expr.id, name, params, &expr.args) {
                    self.expand(alias, params, &args, expr, into);
                }
            }
            None => {
                let names = self.scopes().flat_map(|scope| row_names(self.db, scope));
                let known = names.map(|name| name.as_str());
                let at = Location::node(self.source, name.id);
                let mut problem = Diagnostic::new(
                    Code::UnknownInterface,
                    at,
                    format!("there is no interface `{}`", name.symbol),
                );
                let similar = similar_names(name.symbol.as_str(), known);
                let definer = self.definer(name.symbol, &similar, &mut problem);
                if self.data(name.symbol, expr.args.len()).is_some() {
                    problem = problem.help(format!(
                        "`{}` is a data type; abilities are made of interfaces",
                        name.symbol
                    ));
                } else if let Some(interface) = command_interface(self.db, self.scope, name.symbol)
                {
                    problem = of_command(problem, at, name.symbol, interface);
                } else if let Some(definer) = definer {
                    problem = problem.lacks_include(definer, "declares");
                } else if !similar.is_empty() {
                    problem = crate::fixes::did_you_mean(problem, at, &similar);
                }
                self.problems.push(problem);
                for arg in &expr.args {
                    self.any_arg(item, arg);
                }
            }
        }
    }

    /// Puts the instances of an alias in its place, its parameters replaced.
    fn expand(
        &mut self,
        alias: AliasDef,
        params: &Params,
        args: &[Arg],
        use_site: &InstanceExpr,
        into: &mut Vec<Instance>,
    ) {
        if self.expanding.contains(&alias) {
            // One circle is one mistake: it is told at one of its aliases.
            let names = self.expanding.iter().map(|alias| alias.0.name.as_str());
            let told = names.min() == Some(alias.0.name.as_str());
            self.cyclic |= told && self.expanding.first() == Some(&alias);
            self.report_cycle(alias, use_site);
            return;
        }
        let Some(source) = alias.item(self.db) else {
            return;
        };
        let body = item(self.db, source);
        let ItemKind::Alias { instances, .. } = &body.kind else {
            return;
        };
        if self.expanding.len() > DEEPEST_ALIAS {
            self.too_deep = true;
            return self.report_too_large(alias, use_site);
        }
        if into.len() > MOST_INSTANCES {
            return;
        }
        // The alias's own item is another text in another scope, whose problems are its own.
        let mut inner = Lowering::of_declaration(
            self.db,
            alias.0.scope,
            source,
            &Params {
                all: Vec::new(),
                written: 0,
            },
        );
        inner.types = std::mem::take(&mut self.types);
        inner.expanding = std::mem::take(&mut self.expanding);
        inner.expanding.push(alias);
        for ((name, _), arg) in params.all.iter().zip(args) {
            match arg {
                Arg::Type(ty) => {
                    inner.values.insert(*name, *ty);
                }
                Arg::Ability(ability) => {
                    inner.effects.insert(*name, *ability);
                }
            }
        }
        let mut own = Vec::new();
        for instance in instances {
            inner.instances(body, instance, &mut own);
        }
        inner.expanding.pop();
        self.rests_on_errors |= inner.rests_on_errors
            || has_syntax_errors(self.db, source)
            || inner.problems.iter().any(Diagnostic::is_error);
        self.types = inner.types;
        self.expanding = inner.expanding;
        if inner.cyclic {
            self.cyclic = true;
        }
        // What is too large by itself is told where it is declared.
        let by_itself = own.len() > MOST_INSTANCES;
        own.truncate(MOST_INSTANCES + 1);
        into.append(&mut own);
        self.too_deep |= inner.too_deep;
        if inner.too_deep || (into.len() > MOST_INSTANCES && !by_itself) {
            self.report_too_large(alias, use_site);
        }
        into.truncate(MOST_INSTANCES + 1);
        self.report_cycle(alias, use_site);
    }

    /// Reports, once, the use of an alias with which there are too many instances.
    fn report_too_large(&mut self, alias: AliasDef, use_site: &InstanceExpr) {
        if !std::mem::replace(&mut self.too_large, true) {
            self.report(
                Code::AliasTooLarge,
                use_site.interface.id,
                format!("the alias `{}` stands for too many instances", alias.0.name),
            );
        }
    }

    /// Reports, in the item of the alias being checked, the instance that leads back to it.
    fn report_cycle(&mut self, instance: AliasDef, use_site: &InstanceExpr) {
        let [own] = self.expanding[..] else { return };
        if !std::mem::take(&mut self.cyclic) || std::mem::replace(&mut self.told_of_cycle, true) {
            return;
        }
        let name = own.0.name;
        let message = if instance == own {
            format!("the alias `{name}` is defined through itself")
        } else {
            format!(
                "the alias `{name}` is defined through itself, by way of `{}`",
                instance.0.name
            )
        };
        self.report(Code::CyclicAlias, use_site.interface.id, message);
    }

    /// Marks the alias whose own item is being checked, so that a cycle is seen and reported.
    pub fn checking(&mut self, alias: AliasDef) {
        self.expanding.push(alias);
    }
}

/// Whether a type has an ability among its arguments.
fn has_ability(item: &Item, ty: TypeId) -> bool {
    match &item.types[ty].kind {
        TypeKind::Name { args, .. } => {
            let mut args = args.iter();
            args.any(|arg| matches!(arg, TypeArg::Ability(_)))
        }
        _ => false,
    }
}

/// `1 instance of Smooth`, `2 instances of Smooth`
pub fn counted(count: u32, interface: Symbol) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} instance{plural} of `{interface}`")
}

fn show_param((name, kind): &(Symbol, ParamKind)) -> String {
    match kind {
        ParamKind::Value => name.to_string(),
        ParamKind::Effect => format!("[{name}]"),
    }
}

/// The names of all data types in sight, for suggestions.
#[salsa::tracked]
pub fn type_names(db: &dyn Db, scope: SourceFile) -> Vec<Symbol> {
    let index = scope_index(db, scope);
    let scopes = std::iter::once(scope).chain(index.libraries.iter().copied());
    let mut names: Vec<Symbol> = scopes
        .flat_map(|scope| scope_index(db, scope).data_names())
        .collect();
    names.extend(["Int", "Float", "Char", "String"].map(Symbol::new));
    names.sort_unstable_by_key(|name| name.as_str());
    names
}

#[salsa::tracked]
fn type_spellings(db: &dyn Db, scope: SourceFile) -> Spellings {
    Spellings::new(type_names(db, scope).iter().copied())
}

/// Names that other languages have for a type, and Frank's.
const FOREIGN_TYPES: [(&str, &str); 17] = [
    ("Integer", "Int"),
    ("integer", "Int"),
    ("Double", "Float"),
    ("double", "Float"),
    ("Boolean", "Bool"),
    ("boolean", "Bool"),
    ("Str", "String"),
    ("str", "String"),
    ("Long", "Int"),
    ("long", "Int"),
    ("Option", "Maybe"),
    ("Optional", "Maybe"),
    ("Result", "Either"),
    ("Array", "List"),
    ("Vec", "List"),
    ("Void", "Unit"),
    ("void", "Unit"),
];

/// The data type that the name of a type variable is likely a misspelling of: one that another language calls
/// so, that differs in capitals alone, or, for a name with a capital, in a letter or two.
pub(crate) fn misspelt_type(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Symbol> {
    let names = type_names(db, scope);
    let text = name.as_str();
    let mut foreign = FOREIGN_TYPES.iter().filter(|(foreign, _)| *foreign == text);
    let known = foreign.next().map_or(text, |(_, known)| known);
    let same = names
        .iter()
        .find(|other| other.as_str().eq_ignore_ascii_case(known));
    let capital = text.chars().next().is_some_and(char::is_uppercase);
    match same {
        Some(same) => Some(*same),
        None if capital => similar_names(text, type_spellings(db, scope).near(text))
            .first()
            .map(|similar| Symbol::new(similar)),
        None => None,
    }
}

/// The type of a name that takes no arguments; `None` if there is no such type in sight.
pub(crate) fn plain_type(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
    types: &mut Types,
) -> Option<Ty> {
    let kind = match resolve_data(db, scope, name) {
        Some(data) => {
            let params = params(db, data.0.scope, name, TypeNamespace::Data);
            params
                .all
                .is_empty()
                .then(|| TyKind::Data(data, Arc::from([])))
        }
        None => primitive(db, name, types),
    };
    kind.map(|kind| types.ty(kind))
}

/// A type without variables and computations, from its text; `None` for others.
pub(crate) fn closed_type(
    db: &dyn Db,
    scope: SourceFile,
    text: Symbol,
    types: &mut Types,
) -> Option<Ty> {
    let parsed = frank_syntax::parse::parse_item(&format!("takes : {text} -> Unit"));
    match &parsed.item.kind {
        ItemKind::Signature { ty, .. } if parsed.errors.is_empty() => match &ty.ports[..] {
            [port] if port.adjustments.is_empty() => {
                closed_part(db, scope, &parsed.item, port.ty, types)
            }
            _ => None,
        },
        _ => None,
    }
}

fn closed_part(
    db: &dyn Db,
    scope: SourceFile,
    item: &Item,
    ty: TypeId,
    types: &mut Types,
) -> Option<Ty> {
    let TypeKind::Name { name, args, .. } = &item.types[ty].kind else {
        return None;
    };
    if args.is_empty() {
        return plain_type(db, scope, name.symbol, types);
    }
    let mut part = |arg: &TypeArg| match arg {
        TypeArg::Type(ty) => closed_part(db, scope, item, *ty, types).map(Arg::Type),
        TypeArg::Ability(_) => None,
    };
    let args: Arc<[Arg]> = args.iter().map(&mut part).collect::<Option<_>>()?;
    let data = resolve_data(db, scope, name.symbol)?;
    let params = params(db, data.0.scope, data.0.name, TypeNamespace::Data);
    let is_value = |(_, kind): &(Symbol, ParamKind)| *kind == ParamKind::Value;
    let fits = params.all.len() == args.len() && params.all.iter().all(is_value);
    fits.then(|| types.ty(TyKind::Data(data, args)))
}

/// The built-in type of a name that no data type has.
fn primitive(db: &dyn Db, name: Symbol, types: &mut Types) -> Option<TyKind> {
    match name.as_str() {
        "Int" => Some(TyKind::Int),
        "Float" => Some(TyKind::Float),
        "Char" => Some(TyKind::Char),
        // `List Char`, whatever the program calls `List`.
        "String" => {
            let char = Arg::Type(types.ty(TyKind::Char));
            Some(TyKind::Data(crate::builtin::list(db), Arc::from([char])))
        }
        _ => None,
    }
}

/// The names of all interfaces and aliases in sight, for suggestions.
#[salsa::tracked]
pub fn row_names(db: &dyn Db, scope: SourceFile) -> Vec<Symbol> {
    let index = scope_index(db, scope);
    let scopes = std::iter::once(scope).chain(index.libraries.iter().copied());
    let mut names: Vec<Symbol> = scopes
        .flat_map(|scope| scope_index(db, scope).interface_names())
        .collect();
    names.sort_unstable_by_key(|name| name.as_str());
    names
}
