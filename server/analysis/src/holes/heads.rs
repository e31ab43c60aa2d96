//! What can begin a term: names in sight, literals, braces, operators between two terms.

use std::rc::Rc;
use std::sync::Arc;

use frank_syntax::ast::Symbol;

use super::adaptors::{dropping, under};
use super::probe::{Probe, SearchLocal, Side, Subgoal};
use super::written::{Place, Token, text};
use crate::builtin;
use crate::declarations::{data_type, interface};
use crate::program::{CommandDef, ConstructorDef, Definition, OperatorDef};
use crate::types::{Computation, Port, Signature, Ty, TyKind, usual_names};

/// What a term begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeadKind {
    Local,
    Constructor,
    Braces,
    /// A command that the ability offers.
    Command,
    /// The operator at hand itself.
    Itself,
    /// An operator of the program.
    Operator,
    /// An operator of a library.
    Library,
    /// A literal, an operation between two terms, or a case.
    Form,
    /// A call of an operator that gives a value of any type: it says little.
    Generic,
}

/// Something that a term can begin with, whether it fits or not.
#[derive(Debug, Clone)]
pub(super) enum Head {
    Constructor(ConstructorDef),
    /// A command of the active instance, or of one behind it: so many are dropped.
    Command {
        command: CommandDef,
        dropped: usize,
    },
    Operator {
        name: Symbol,
        operator: OperatorDef,
        signature: Arc<Signature>,
        kind: HeadKind,
        /// It stands as a value, and is not called.
        as_value: bool,
        /// A call gives a value of any type, whatever it is given.
        gives_anything: bool,
    },
    Local {
        local: SearchLocal,
        as_value: bool,
    },
    Braces,
    /// Clauses for all that a port adds, in braces.
    Clauses,
    /// A case over a local.
    Case(SearchLocal),
    Literal(&'static str),
    Infix(&'static str),
}

/// A way to begin a term that fits a goal: what is written, and what its parts must be.
pub(super) struct Begun {
    pub token: Token,
    pub parts: Vec<Subgoal>,
}

/// How much of a term a head is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    /// How much of its weight it takes: one for a name, and more for what says little.
    pub own: u32,
    /// How many parts follow.
    pub parts: u32,
}

impl Extent {
    /// The weight of the smallest terms that begin so.
    pub fn least(self) -> u32 {
        self.own + self.parts
    }
}

/// The text of a beginning with holes for its parts.
pub(super) fn with_holes(begun: &Begun, place: Place) -> String {
    let mut tokens = vec![begun.token.clone()];
    tokens.extend(std::iter::repeat_n(Token::Hole, begun.token.parts()));
    text(&tokens, place)
}

impl Probe<'_> {
    /// The ways to use a local: as a value, and called.
    pub(super) fn local_heads(&mut self, local: &SearchLocal) -> Vec<Head> {
        let head = |as_value| Head::Local {
            local: local.clone(),
            as_value,
        };
        let mut heads = vec![head(true)];
        if let TyKind::Computation(_) = self.table().kind(local.ty) {
            heads.push(head(false));
        }
        heads
    }

    /// The locals of a goal, and the forms that its type has, as what a term can begin with.
    pub(super) fn own_heads(&mut self, goal: &Subgoal) -> Vec<Head> {
        let mut heads = Vec::new();
        for local in goal.locals.iter() {
            heads.extend(self.local_heads(local));
        }
        match self.table().kind(goal.ty).clone() {
            TyKind::Computation(_) => heads.extend([Head::Braces, Head::Clauses]),
            TyKind::Int => heads.extend(numbers(&self.literals.naturals, goal)),
            TyKind::Float => heads.extend(numbers(&self.literals.floats, goal)),
            TyKind::Data(data, _) if data == builtin::true_(self.db).data => {
                heads.extend(COMPARISONS.map(Head::Infix));
            }
            _ => {}
        }
        heads
    }

    /// Begins a term of a goal by a head, if that fits. What it unifies stays so: whoever asks takes it back.
    pub(super) fn begin(&mut self, head: &Head, goal: &Subgoal) -> Option<Begun> {
        let (token, parts) = match head {
            Head::Constructor(constructor) => {
                let definition = constructor.data.0;
                let declared = data_type(self.db, definition.scope, definition.name).as_ref()?;
                let made = self.table().constructor(declared, *constructor)?;
                self.table().unify(goal.ty, made.data).ok()?;
                let fields = made.fields.into_iter();
                let parts: Vec<Subgoal> = fields.map(|ty| goal.part(ty, goal.ambient)).collect();
                let token = if *constructor == builtin::nil(self.db) {
                    Token::Literal("[]")
                } else if *constructor == builtin::cons(self.db) {
                    Token::Infix("::")
                } else {
                    plain(constructor.name.as_str(), parts.len())
                };
                (token, parts)
            }
            Head::Command { command, dropped } => self.command(*command, *dropped, goal)?,
            Head::Operator {
                name,
                signature,
                as_value,
                ..
            } => {
                let computation = self.table().instantiate(signature);
                self.use_of(name.as_str(), Arc::new(computation), *as_value, goal)?
            }
            Head::Local {
                local,
                as_value: true,
                ..
            } => {
                self.table().unify(goal.ty, local.ty).ok()?;
                (plain(&local.name, 0), Vec::new())
            }
            Head::Local { local, .. } => {
                let TyKind::Computation(computation) = self.table().kind(local.ty).clone() else {
                    return None;
                };
                self.use_of(&local.name, computation, false, goal)?
            }
            Head::Braces => self.braces(goal)?,
            Head::Clauses => self.clauses(goal)?,
            Head::Case(local) => self.case(local, goal)?,
            Head::Literal(text) => (Token::Literal(text), Vec::new()),
            Head::Infix(operator) => {
                let ty = match COMPARISONS.contains(operator) {
                    true => self.table().fresh_number(),
                    false => goal.ty,
                };
                let operand = |side| Subgoal {
                    operand_of: Some((*operator, side)),
                    ..goal.part(ty, goal.ambient)
                };
                (
                    Token::Infix(operator),
                    [Side::Left, Side::Right].map(operand).to_vec(),
                )
            }
        };
        Some(Begun { token, parts })
    }

    /// How much of a term a head is.
    pub(super) fn extent(&mut self, head: &Head) -> Extent {
        let db = self.db;
        let (own, parts) = match head {
            Head::Constructor(ConstructorDef { data, index, .. }) => {
                let declared = data_type(db, data.0.scope, data.0.name).as_ref();
                let own = declared.and_then(|declared| declared.constructors.get(*index as usize));
                (1, own.map_or(0, |own| own.fields.len()))
            }
            Head::Command { command, dropped } => {
                let Definition { scope, name } = command.interface.0;
                let declared = interface(db, scope, name).as_ref();
                let own =
                    declared.and_then(|declared| declared.commands.get(command.index as usize));
                let adaptor = u32::from(*dropped > 0);
                (1 + adaptor, own.map_or(0, |own| own.args.len()))
            }
            Head::Operator { as_value: true, .. } | Head::Local { as_value: true, .. } => (1, 0),
            Head::Operator {
                signature, kind, ..
            } => {
                // What can give anything comes after what gives what is needed.
                let own = match kind {
                    HeadKind::Generic => 3,
                    _ => 1,
                };
                (own, signature.computation.ports.len())
            }
            Head::Local { local, .. } => {
                let ports = match self.table().kind(local.ty) {
                    TyKind::Computation(computation) => computation.ports.len(),
                    _ => 0,
                };
                (1, ports)
            }
            Head::Braces => (0, 1),
            // One at least.
            Head::Clauses => (2, 1),
            Head::Case(local) => {
                let constructors = match self.table().kind(local.ty) {
                    TyKind::Data(data, _) => data_type(db, data.0.scope, data.0.name).as_ref(),
                    _ => None,
                };
                (2, constructors.map_or(0, |data| data.constructors.len()))
            }
            Head::Literal(_) => (1, 0),
            Head::Infix(_) => (1, 2),
        };
        Extent {
            own,
            parts: parts as u32,
        }
    }

    /// A computation that has a name: as a value, or called, under the adaptors that it needs.
    fn use_of(
        &mut self,
        name: &str,
        computation: Arc<Computation>,
        as_value: bool,
        goal: &Subgoal,
    ) -> Option<(Token, Vec<Subgoal>)> {
        if as_value {
            let ty = self.table().types.ty(TyKind::Computation(computation));
            self.table().unify(goal.ty, ty).ok()?;
            return Some((plain(name, 0), Vec::new()));
        }
        self.table().unify(goal.ty, computation.result).ok()?;
        let (adaptors, ambient) = self.adaptors_to(computation.ability, goal.ambient)?;
        let table = self.table();
        let ports = computation.ports.iter();
        let parts: Vec<Subgoal> = ports
            .map(|port| goal.part(port.ty, table.adjusted(&port.adjustments, ambient)))
            .collect();
        Some((under(adaptors, called(name, parts.len())), parts))
    }

    /// A command that an instance offers: the active one as it is, one behind it under adaptors.
    fn command(
        &mut self,
        command: CommandDef,
        dropped: usize,
        goal: &Subgoal,
    ) -> Option<(Token, Vec<Subgoal>)> {
        let definition = command.interface.0;
        let declared = interface(self.db, definition.scope, definition.name).as_ref()?;
        let own = declared.commands.get(command.index as usize)?;
        let row = self.table().row(goal.ambient);
        let mut instances = row.instances.iter().rev();
        let mut instances = instances
            .by_ref()
            .filter(|one| one.interface == command.interface);
        let instance = instances.nth(dropped)?;
        let performed = self.table().command(declared, own, &instance.args);
        self.table().unify(goal.ty, performed.result).ok()?;
        let adaptors = dropping(command.interface, dropped);
        let ambient = self.adapted(&adaptors, goal.ambient);
        let args = performed.args.into_iter();
        let parts: Vec<Subgoal> = args.map(|ty| goal.part(ty, ambient)).collect();
        let token = called(command.name.as_str(), parts.len());
        Some((under(adaptors, token), parts))
    }

    /// A computation in braces, where one is wanted whose ports take values.
    fn braces(&mut self, goal: &Subgoal) -> Option<(Token, Vec<Subgoal>)> {
        let TyKind::Computation(computation) = self.table().kind(goal.ty).clone() else {
            return None;
        };
        let handles = |port: &Port| !port.adjustments.is_empty();
        if computation.ports.iter().any(handles) {
            return None;
        }
        let mut locals = goal.locals.as_ref().clone();
        let mut variables = Vec::with_capacity(computation.ports.len());
        for port in &computation.ports {
            let name = self.bind(port.ty, &mut locals);
            variables.push(name);
        }
        let part = Subgoal {
            locals: Rc::new(locals),
            at_once: false,
            ..goal.part(computation.result, computation.ability)
        };
        Some((Token::Braces { variables }, vec![part]))
    }

    /// A computation in braces that handles what its only port adds: a clause for each command, and one for values.
    fn clauses(&mut self, goal: &Subgoal) -> Option<(Token, Vec<Subgoal>)> {
        let TyKind::Computation(computation) = self.table().kind(goal.ty).clone() else {
            return None;
        };
        let [port] = &computation.ports[..] else {
            return None;
        };
        let mut patterns = Vec::new();
        for (instance, number) in port.numbered() {
            let number = match number {
                0 => String::new(),
                number => format!(".{number}"),
            };
            let definition = instance.interface.0;
            let declared = interface(self.db, definition.scope, definition.name).as_ref()?;
            for command in &declared.commands {
                let performed = self.table().command(declared, command, &instance.args);
                let mut locals = goal.locals.as_ref().clone();
                let args = performed.args.into_iter();
                let args: String = args
                    .map(|ty| format!(" {}", self.bind(ty, &mut locals)))
                    .collect();
                let k = self.bind_as(&["k"], goal.ty, &mut locals);
                patterns.push(format!("<{}{number}{args} -> {k}>", command.name));
            }
        }
        if patterns.is_empty() {
            return None;
        }
        patterns.push(self.bind(port.ty, &mut goal.locals.as_ref().clone()));
        let part = goal.part(computation.result, computation.ability);
        let parts = vec![part; patterns.len()];
        Some((Token::Clauses { patterns }, parts))
    }

    /// A case over a local whose type is a data type of few constructors.
    fn case(&mut self, local: &SearchLocal, goal: &Subgoal) -> Option<(Token, Vec<Subgoal>)> {
        const MOST_CONSTRUCTORS: usize = 4;
        let TyKind::Data(data, _) = self.table().kind(local.ty).clone() else {
            return None;
        };
        let declared = data_type(self.db, data.0.scope, data.0.name).as_ref()?;
        let count = declared.constructors.len();
        if count == 0 || count > MOST_CONSTRUCTORS || !declared.standing.is_empty() {
            return None;
        }
        let (mut patterns, mut parts, mut variables) = (Vec::new(), Vec::new(), Vec::new());
        for (index, constructor) in declared.constructors.iter().enumerate() {
            let definition = ConstructorDef {
                data,
                index: index as u32,
                name: constructor.name,
            };
            let made = self.table().constructor(declared, definition)?;
            self.table().unify(local.ty, made.data).ok()?;
            let mut locals = goal.locals.as_ref().clone();
            let fields = made.fields.into_iter();
            let names: Vec<String> = fields.map(|ty| self.bind(ty, &mut locals)).collect();
            patterns.push(if definition == builtin::cons(self.db) {
                format!("({})", names.join(" :: "))
            } else if definition == builtin::nil(self.db) {
                "[]".to_owned()
            } else if names.is_empty() {
                constructor.name.to_string()
            } else {
                format!("({} {})", constructor.name, names.join(" "))
            });
            parts.push(Subgoal {
                locals: Rc::new(locals),
                ..goal.part(goal.ty, goal.ambient)
            });
            variables.extend(names);
        }
        let token = Token::Case {
            subject: local.name.clone(),
            patterns,
            variables,
        };
        Some((token, parts))
    }

    /// Binds a variable of a type under a name that no local has.
    pub(super) fn bind(&mut self, ty: Ty, locals: &mut Vec<SearchLocal>) -> String {
        let usual = usual_names(self.table().kind(ty));
        self.bind_as(usual, ty, locals)
    }

    fn bind_as(&mut self, usual: &[&'static str], ty: Ty, locals: &mut Vec<SearchLocal>) -> String {
        let taken = |name: &str| locals.iter().any(|local| local.name == name);
        let free = usual.iter().find(|name| !taken(name));
        let name = match free {
            Some(name) => (*name).to_owned(),
            None => {
                let base = usual.last().copied().unwrap_or("x");
                let mut numbered = (1..).map(|number| format!("{base}{number}"));
                numbered.find(|name| !taken(name)).unwrap_or_default()
            }
        };
        let order = locals.len().cast_signed();
        locals.push(SearchLocal {
            name: name.clone(),
            ty,
            is_part: true,
            order,
            is_used: false,
        });
        name
    }
}

impl Head {
    pub fn kind(&self) -> HeadKind {
        match self {
            Head::Constructor(_) => HeadKind::Constructor,
            Head::Command { .. } => HeadKind::Command,
            Head::Operator { kind, .. } => *kind,
            Head::Local { .. } => HeadKind::Local,
            Head::Braces | Head::Clauses => HeadKind::Braces,
            Head::Case(_) | Head::Literal(_) | Head::Infix(_) => HeadKind::Form,
        }
    }
}

/// What compares two numbers of a type.
pub(super) const COMPARISONS: [&str; 6] = ["<", ">", "<=", ">=", "==", "!="];

/// The literals and the operations of a type of numbers, but for those that would leave a number as it is, divide by zero or
/// divide zero.
fn numbers(literals: &[&'static str], goal: &Subgoal) -> Vec<Head> {
    // The first two are zero and one.
    let idle = match goal.operand_of {
        Some(("+", _) | ("-", Side::Right)) => 1,
        Some(("*", _) | ("/", Side::Right)) => 2,
        Some(("/", Side::Left)) => 1,
        _ => 0,
    };
    let literals = literals.iter().skip(idle).copied().map(Head::Literal);
    literals
        .chain(["+", "-", "*", "/"].map(Head::Infix))
        .collect()
}

/// A name with so many arguments, as a value.
pub(super) fn plain(name: &str, arguments: usize) -> Token {
    Token::Use {
        name: name.to_owned(),
        adaptors: None,
        arguments,
        forced: false,
    }
}

/// A name that is called.
fn called(name: &str, arguments: usize) -> Token {
    Token::Use {
        name: name.to_owned(),
        adaptors: None,
        arguments,
        forced: arguments == 0,
    }
}
