//! The types of a law's variables, and all types that values of them have parts of: how to make each.

use std::collections::HashMap;

use frank_core::{ConstructorId, Program, Type};

/// So many types at most are looked at. More come of types that contain ever larger ones.
const MOST_TYPES: usize = 500;

/// What values are made of, for messages.
const MADE_OF: &str = "values are made up of `Int`, `Float`, `Char`, `String`, `Bool`, `Unit`, `List`, `Pair`, `Maybe`, and data \
                       types whose constructors hold such";

/// Types whose constructors would give values that nothing else makes, with the operator that makes them.
const MADE_BY: [(&str, &str, &str); 2] = [
    ("Map", "mapNode", "mapFromList"),
    ("Set", "setOf", "setFromList"),
];

/// A way to make a value of a data type.
#[derive(Debug)]
pub(super) struct Way {
    pub constructor: ConstructorId,
    pub fields: Vec<Type>,
    /// How deep the least value made in this way is.
    pub height: u32,
}

/// All data types that values of some types have parts of, with the ways to make them, the least deep one first.
#[derive(Debug, Default)]
pub(super) struct Types(HashMap<Type, Vec<Way>>);

impl Types {
    /// Of the variables of a law.
    ///
    /// # Errors
    /// Values of one of the types cannot be made up; with a sentence that says why, and what can.
    pub fn of(program: &Program, variables: &[(String, Type)]) -> Result<Types, String> {
        let mut types = Types::default();
        for (name, ty) in variables {
            types
                .reach(program, ty)
                .map_err(|why| format!("no values can be made up for `{name}`: {why}"))?;
        }
        types.measure();
        for (name, ty) in variables {
            if types.height(ty).is_none() {
                return Err(format!(
                    "no values can be made up for `{name}`: every value of its type would have to be infinite"
                ));
            }
        }
        for ways in types.0.values_mut() {
            ways.retain(|way| way.height < u32::MAX);
            ways.sort_by_key(|way| way.height);
        }
        Ok(types)
    }

    /// The ways to make a value of a data type.
    pub fn ways(&self, ty: &Type) -> &[Way] {
        self.0.get(ty).map_or(&[], Vec::as_slice)
    }

    /// The deepest of the least values that a type's values have to hold; `None` if there are only infinite ones.
    pub fn height(&self, ty: &Type) -> Option<u32> {
        let Some(ways) = self.0.get(ty) else {
            return Some(0);
        };
        let least = ways.iter().map(|way| way.height).min()?;
        (least < u32::MAX).then_some(least)
    }

    /// Notes a type and those of its parts.
    fn reach(&mut self, program: &Program, ty: &Type) -> Result<(), String> {
        let mut queue = vec![ty.clone()];
        while let Some(ty) = queue.pop() {
            if self.0.contains_key(&ty) {
                continue;
            }
            let (data, args) = match &ty {
                Type::Int | Type::Float | Type::Char => continue,
                Type::Data(data, args) => (&program.data[*data], args),
                Type::Computation => {
                    return Err(format!("its type holds a computation, and {MADE_OF}"));
                }
                Type::Parameter(_) | Type::Unknown => {
                    return Err(
                        "its type has a variable: write a type for it, such as `Int`".to_owned(),
                    );
                }
            };
            let name = &data.name;
            let constructor = |id: &ConstructorId| program.constructors[*id].name.as_str();
            let has = |wanted: &str| data.constructors.iter().any(|id| constructor(id) == wanted);
            let made_by = MADE_BY.iter().find(|(own, one, _)| name == own && has(one));
            if let Some((_, _, by)) = made_by {
                return Err(format!(
                    "what order a `{name}` is in is not part of its type: take a `List`, and make one of it by `{by}`"
                ));
            }
            if data.constructors.is_empty() {
                return Err(format!("`{name}` has no constructors, and {MADE_OF}"));
            }
            if self.0.len() >= MOST_TYPES {
                return Err("its type holds ever larger types".to_owned());
            }
            let plain = data.constructors.iter().filter(|id| {
                let mut standing = data.standing.iter();
                !standing.any(|(own, _)| own == *id)
            });
            let ways = plain.map(|id| {
                let fields = program.constructors[*id].fields.iter();
                Way {
                    constructor: *id,
                    fields: fields.map(|field| field.instance(args)).collect(),
                    height: u32::MAX,
                }
            });
            let ways: Vec<Way> = ways.collect();
            queue.extend(ways.iter().flat_map(|way| way.fields.iter().cloned()));
            self.0.insert(ty, ways);
        }
        Ok(())
    }

    /// Finds how deep the least values are, from below.
    fn measure(&mut self) {
        loop {
            let least: HashMap<Type, Option<u32>> = self
                .0
                .keys()
                .map(|ty| (ty.clone(), self.height(ty)))
                .collect();
            let height = |ty: &Type| least.get(ty).copied().unwrap_or(Some(0));
            let mut changed = false;
            for way in self.0.values_mut().flatten() {
                let fields: Option<Vec<u32>> = way.fields.iter().map(height).collect();
                let deepest = fields.map(|all| all.into_iter().max().unwrap_or(0));
                if let Some(deepest) = deepest
                    && deepest + 1 < way.height
                {
                    way.height = deepest + 1;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }
}
