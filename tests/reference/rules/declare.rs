//! Reading types as they are written: kinds, arguments left out, aliases, adaptors
//! (docs/language/types.md, docs/language/items.md, docs/language/effect-variable.md).

use std::collections::BTreeSet;

use frank_syntax::ast::{
    AbilityExpr, AdaptorExpr, Adjustment as AdjustmentExpr, CompType, InstanceExpr, Item, ItemKind,
    ParamKind, Symbol, Tail as TailExpr, TypeArg, TypeId, TypeKind,
};

use super::names::{Param, World, params};
use super::solve::Checked;
use super::types::{
    Ability, Adaptor, Adjustment, Arg, Computation, Id, Instance, Port, Replacement, Tail, Type,
};

/// What is wrong with a type or an instance of that name, which may have parameters that its head lacks.
pub const TOO_MANY: &str = " has too many arguments";

/// Reads the types of one item.
pub struct Reader<'a> {
    pub world: &'a World,
    pub scope: usize,
    pub item: &'a Item,
    /// The parameters in scope; `None` in a signature, where every name is a variable.
    pub params: Option<Vec<Param>>,
    /// The aliases that are being expanded.
    pub inside: Vec<Id>,
}

impl Reader<'_> {
    /// Whether ε is in scope: it is in signatures, and where it is a parameter.
    fn knows_epsilon(&self) -> bool {
        let Some(params) = &self.params else {
            return true;
        };
        let mut params = params.iter();
        params.any(|one| one.is_effect && one.name == Symbol::implicit_effect())
    }

    fn param(&self, name: Symbol) -> Option<Param> {
        let params = self.params.iter().flatten();
        params.copied().find(|one| one.name == name)
    }

    pub fn ty(&self, id: TypeId) -> Checked<Type> {
        let (name, args, parenthesised) = match &self.item.types[id].kind {
            TypeKind::Computation(it) => {
                return Ok(Type::Thunk(Box::new(self.computation(it)?)));
            }
            TypeKind::Name {
                name,
                args,
                parenthesised,
            } => (name.symbol, args, *parenthesised),
            TypeKind::Missing => return Err("a type is missing".to_owned()),
        };
        let simple = match name.as_str() {
            "Int" => Some(Type::Int),
            "Char" => Some(Type::Char),
            "String" => Some(self.world.string()),
            _ => None,
        };
        // A parameter for a type hides a data type, but not one in parentheses.
        let param = self.param(name);
        let hides = param.filter(|param| !param.is_effect);
        let data = self.world.find_data(self.scope, name);
        let ty = match (simple, hides, data) {
            (Some(simple), _, _) => simple,
            (None, Some(_), None) => Type::Rigid(name),
            (None, Some(_), Some(_)) if !parenthesised => Type::Rigid(name),
            (None, _, Some(data)) => {
                let args = self.args(name, args, &self.world.data(data).params)?;
                return Ok(Type::Data(data, args));
            }
            (None, None, None) if name.as_str() == "Float" => Type::Float,
            (None, None, None) if param.is_some() => {
                return Err(format!("{name} is an ability"));
            }
            (None, None, None) if self.params.is_none() => Type::Rigid(name),
            (None, None, None) => return Err(format!("there is no type {name}")),
        };
        if args.is_empty() {
            Ok(ty)
        } else {
            Err(format!("{name} takes no arguments"))
        }
    }

    /// As many arguments as parameters, and of their kinds. The last one may be left out if it is
    /// an ability and ε is in scope.
    fn args(&self, name: Symbol, written: &[TypeArg], params: &[Param]) -> Checked<Vec<Arg>> {
        let left_out = written.len() + 1 == params.len()
            && params.last().is_some_and(|param| param.is_effect)
            && self.knows_epsilon();
        if written.len() > params.len() {
            return Err(format!("{name}{TOO_MANY}"));
        }
        if written.len() < params.len() && !left_out {
            return Err(format!("{name} has too few arguments"));
        }
        let mut args = Vec::new();
        for (arg, param) in written.iter().zip(params) {
            args.push(match arg {
                TypeArg::Type(ty) if !param.is_effect => Arg::Type(self.ty(*ty)?),
                TypeArg::Ability(ability) if param.is_effect => {
                    Arg::Ability(self.ability(ability)?)
                }
                _ => return Err("an argument of the wrong kind".to_owned()),
            });
        }
        if left_out {
            args.push(Arg::Ability(epsilon()));
        }
        Ok(args)
    }

    fn ability(&self, written: &AbilityExpr) -> Checked<Ability> {
        let tail = match &written.tail {
            TailExpr::Closed => Tail::Closed,
            TailExpr::Implicit => Tail::Rigid(Symbol::implicit_effect()),
            TailExpr::Named(name) => {
                let known = match self.param(name.symbol) {
                    Some(param) => param.is_effect,
                    None => self.params.is_none(),
                };
                if !known {
                    return Err(format!("there is no effect variable {}", name.symbol));
                }
                Tail::Rigid(name.symbol)
            }
        };
        let instances = self.instances(&written.instances)?;
        Ok(Ability { tail, instances })
    }

    pub fn instances(&self, written: &[InstanceExpr]) -> Checked<Vec<Instance>> {
        let mut all = Vec::new();
        for one in written {
            all.extend(self.instance(one)?);
        }
        Ok(all)
    }

    /// One instance, or those that an alias stands for.
    fn instance(&self, written: &InstanceExpr) -> Checked<Vec<Instance>> {
        let name = written.interface.symbol;
        let interface = self.world.find_row(self.scope, name);
        let interface = interface.ok_or_else(|| format!("there is no interface {name}"))?;
        let row = self.world.row(interface);
        let args = self.args(name, &written.args, &row.params)?;
        let ItemKind::Alias { instances, .. } = &row.source.item.kind else {
            return Ok(vec![Instance { interface, args }]);
        };
        if self.inside.contains(&interface) {
            return Ok(Vec::new());
        }
        let inside = Reader {
            world: self.world,
            scope: interface.scope,
            item: &row.source.item,
            params: Some(row.params.clone()),
            inside: self.inside.iter().copied().chain([interface]).collect(),
        };
        let replacement = replacement(&row.params, &args);
        // What is wrong with an alias is said where it is defined.
        let instances = inside.instances(instances).unwrap_or_default();
        Ok(instances
            .iter()
            .map(|one| replacement.instance(one))
            .collect())
    }

    pub fn computation(&self, written: &CompType) -> Checked<Computation> {
        let mut ports = Vec::new();
        for port in &written.ports {
            let mut adjustments = Vec::new();
            for adjustment in &port.adjustments {
                match adjustment {
                    AdjustmentExpr::Adaptor(adaptor) => {
                        let adaptor = adaptor_of(self.world, self.scope, adaptor)?;
                        adjustments.push(Adjustment::Adapt(adaptor));
                    }
                    AdjustmentExpr::Instance(instance) => {
                        let added = self.instance(instance)?;
                        adjustments.extend(added.into_iter().map(Adjustment::Add));
                    }
                }
            }
            let ty = self.ty(port.ty)?;
            ports.push(Port { adjustments, ty });
        }
        let ability = match &written.peg.ability {
            Some(ability) => self.ability(ability)?,
            None => epsilon(),
        };
        let result = self.ty(written.peg.ty)?;
        for port in &mut ports {
            fits_peg(port, &ability)?;
        }
        Ok(Computation {
            ports,
            ability,
            result,
        })
    }
}

/// `[ε|]`
fn epsilon() -> Ability {
    Ability::just(Tail::Rigid(Symbol::implicit_effect()))
}

/// The adaptors of a port must be valid in its own peg's ability. One that drops all instances
/// drops as many as are in sight there.
fn fits_peg(port: &mut Port, peg: &Ability) -> Checked {
    let mut instances = peg.clone();
    for adjustment in &mut port.adjustments {
        let Adjustment::Adapt(adaptor) = adjustment else {
            continue;
        };
        let in_sight = instances.of(adaptor.interface).len();
        if in_sight < adaptor.left {
            return Err(format!("a port's adaptor lacks {}", adaptor.interface.name));
        }
        if adaptor.right.is_none() {
            adaptor.left = in_sight;
            adaptor.right = Some(Vec::new());
        }
        // Only how many there are matters here, so any of them may stand for another.
        let kept = in_sight - adaptor.left + adaptor.right.iter().flatten().count();
        let interface = adaptor.interface;
        instances.instances.retain(|one| one.interface != interface);
        let args = Vec::new();
        let some = Instance { interface, args };
        instances.instances.extend(std::iter::repeat_n(some, kept));
    }
    Ok(())
}

/// An adaptor as it is written. On its left stand the rest and names for the last instances, on
/// its right first the rest and then any of those names; of a name that is repeated the last place
/// counts.
pub fn adaptor_of(world: &World, scope: usize, written: &AdaptorExpr) -> Checked<Adaptor> {
    let name = written.interface.symbol;
    let interface = world.find_row(scope, name);
    let interface = interface.ok_or_else(|| format!("there is no interface {name}"))?;
    if world.row(interface).is_alias {
        return Err(format!("{name} is an alias"));
    }
    let Some(shape) = &written.shape else {
        let right = Some(Vec::new());
        return Ok(Adaptor {
            interface,
            left: 1,
            right,
        });
    };
    let left: Vec<Symbol> = shape.left.iter().map(|name| name.symbol).collect();
    let Some((rest, names)) = shape.right.split_first() else {
        let right = None;
        return Ok(Adaptor {
            interface,
            left: left.len(),
            right,
        });
    };
    if rest.symbol != shape.rest.symbol {
        return Err("an adaptor's right side does not begin with the rest".to_owned());
    }
    let mut right = Vec::new();
    for name in names {
        let place = left.iter().rposition(|one| *one == name.symbol);
        right.push(place.ok_or_else(|| format!("an adaptor does not name {}", name.symbol))?);
    }
    Ok(Adaptor {
        interface,
        left: left.len(),
        right: Some(right),
    })
}

/// Arguments in the place of parameters.
pub fn replacement(params: &[Param], args: &[Arg]) -> Replacement {
    let mut replacement = Replacement::default();
    for (param, arg) in params.iter().zip(args) {
        match arg {
            Arg::Type(ty) => drop(replacement.types.insert(param.name, ty.clone())),
            Arg::Ability(ability) => {
                replacement.abilities.insert(param.name, ability.clone());
            }
        }
    }
    replacement
}

/// Whether an alias mentions another, `target`, itself or through those that it mentions with
/// arguments that they can have.
pub fn leads_to(world: &World, alias: Id, target: Id, seen: &mut BTreeSet<Id>) -> bool {
    let row = world.row(alias);
    let ItemKind::Alias { instances, .. } = &row.source.item.kind else {
        return false;
    };
    let inside = Reader {
        world,
        scope: alias.scope,
        item: &row.source.item,
        params: Some(row.params.clone()),
        inside: Vec::new(),
    };
    instances.iter().any(|one| {
        let mentioned = world.find_row(alias.scope, one.interface.symbol);
        mentioned.is_some_and(|id| {
            let name = one.interface.symbol;
            inside.args(name, &one.args, &world.row(id).params).is_ok()
                && (id == target || (seen.insert(id) && leads_to(world, id, target, seen)))
        })
    })
}

/// Whether an item's definition mentions ε: by an ability without a tail, a computation type
/// without an ability, a parameter `[]`, or another item that mentions ε, used with exactly the parameters that are
/// written there (docs/language/effect-variable.md, "In items").
pub fn mentions_epsilon(world: &World, scope: usize, item: &Item) -> bool {
    let look = Look { world, scope, item };
    let epsilon = |params: &[frank_syntax::ast::Param]| {
        params.iter().any(|param| {
            param.kind == ParamKind::Effect && param.name.symbol == Symbol::implicit_effect()
        })
    };
    match &item.kind {
        ItemKind::Data { params, .. }
        | ItemKind::Interface { params, .. }
        | ItemKind::Alias { params, .. }
            if epsilon(params) =>
        {
            true
        }
        ItemKind::Data {
            params: own,
            constructors,
            ..
        } => {
            let params = params(own);
            let mut fields = constructors.iter().flat_map(|one| &one.args);
            fields.any(|ty| look.ty(*ty, &params))
        }
        ItemKind::Interface {
            params: own,
            commands,
            ..
        } => commands.iter().any(|command| {
            let params: Vec<Param> = params(own)
                .into_iter()
                .chain(params(&command.params))
                .collect();
            let mut types = command.args.iter().chain([&command.result]);
            types.any(|ty| look.ty(*ty, &params))
        }),
        ItemKind::Alias {
            params: own,
            instances,
            ..
        } => {
            let params = params(own);
            instances.iter().any(|one| look.instance(one, &params))
        }
        _ => false,
    }
}

struct Look<'a> {
    world: &'a World,
    scope: usize,
    item: &'a Item,
}

impl Look<'_> {
    fn ty(&self, ty: TypeId, params: &[Param]) -> bool {
        match &self.item.types[ty].kind {
            TypeKind::Computation(it) => {
                let in_port = |one: &AdjustmentExpr| match one {
                    AdjustmentExpr::Adaptor(_) => false,
                    AdjustmentExpr::Instance(one) => self.instance(one, params),
                };
                let mut ports = it.ports.iter();
                ports.any(|port| port.adjustments.iter().any(in_port) || self.ty(port.ty, params))
                    || it
                        .peg
                        .ability
                        .as_ref()
                        .is_none_or(|one| self.ability(one, params))
                    || self.ty(it.peg.ty, params)
            }
            TypeKind::Name {
                name,
                args,
                parenthesised,
            } => {
                let name = name.symbol;
                let hidden = !parenthesised && params.iter().any(|one| one.name == name);
                let data = self.world.find_data(self.scope, name).filter(|_| !hidden);
                let through = data.is_some_and(|id| {
                    let data = self.world.data(id);
                    data.mentions_epsilon && args.len() == data.written
                });
                through || args.iter().any(|arg| self.arg(arg, params))
            }
            TypeKind::Missing => false,
        }
    }

    fn arg(&self, arg: &TypeArg, params: &[Param]) -> bool {
        match arg {
            TypeArg::Type(ty) => self.ty(*ty, params),
            TypeArg::Ability(ability) => self.ability(ability, params),
        }
    }

    fn ability(&self, ability: &AbilityExpr, params: &[Param]) -> bool {
        let tail = match &ability.tail {
            TailExpr::Closed => false,
            TailExpr::Implicit => true,
            TailExpr::Named(name) => name.symbol == Symbol::implicit_effect(),
        };
        tail || ability
            .instances
            .iter()
            .any(|one| self.instance(one, params))
    }

    fn instance(&self, instance: &InstanceExpr, params: &[Param]) -> bool {
        let row = self.world.find_row(self.scope, instance.interface.symbol);
        let through = row.is_some_and(|id| {
            let row = self.world.row(id);
            row.mentions_epsilon && instance.args.len() == row.written
        });
        through || instance.args.iter().any(|arg| self.arg(arg, params))
    }
}
