//! What the functions of a program share while it is compiled: numbers for functions, ports,
//! constants, names and places, and the list of what is still to be lowered.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use frank_core::{
    Adjustment, CommandId, Effect, Handler, OperatorBody, OperatorId, Place, Program, Renaming,
    Term, TermId,
};

use super::context::{ContextId, Contexts, HOST, UNKNOWN};
use super::direct::Clause;
use super::handlers::{adds, is_for};
use super::ir::{Kind, State};
use super::lost::Lost;
use super::shapes::{ANY, CodeId, Shapes, ShapesId};
use super::terms::Facts;
use super::{deep, raw, small};
use crate::code::{
    ANY_INTERFACE, Callable, CommandEntry, Debug, Function, NO_INTERFACE, NONE, Port, Slot,
    StaticArg, StaticValue, Step, Words, place_in_program,
};
use crate::performance::Performed;
use crate::value::{Value, View};

/// A function to be lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Job {
    /// An operator in a context, for arguments of some shapes.
    Operator(OperatorId, ContextId, ShapesId),
    /// A command of an operator's last port: its place in that port's entries. The context is that
    /// around the operator; the command's arguments are of some shapes.
    Command(OperatorId, CommandId, u16, u32, ContextId, ShapesId),
    CatchAlls(OperatorId, ContextId),
    /// A thunk of something, in a context, for captured values of some shapes.
    Thunk(TermId, u32, ContextId, ShapesId),
    Entry(usize),
}

/// What code mentions that may have to be compiled.
pub(super) enum Mentioned {
    Function(u32),
    Static(u32),
    Constant(Value),
}

/// What goes wrong is remembered; compilation goes on with something harmless.
pub(super) struct Shared<'p> {
    pub program: &'p Program,
    pub facts: Facts<'p>,
    pub words: Words,
    /// Whether no port and no adaptor mentions the interface of cells, so that they are handled
    /// by nobody but the machine.
    pub cells_are_plain: bool,
    /// What is known of handlers; nothing if the program is not to be specialised.
    pub contexts: Contexts,
    pub specialise: bool,
    /// What became of the commands in the code.
    pub performed: Vec<Performed>,
    /// Clauses that cannot stand in the place of their commands, by [`super::direct`].
    pub unfit: HashSet<Clause>,
    /// Terms that are known to call something where they stand under adaptors.
    pub calling: HashSet<(TermId, ContextId)>,
    /// Code that is known to call something where it is applied.
    pub calling_code: HashSet<(CodeId, ContextId)>,
    /// How large all operators are that stand in the place of applications to objects.
    pub placed: usize,
    /// The functions of operators in contexts that are known, or for shapes.
    pub(super) specialised: HashMap<(OperatorId, ContextId, ShapesId), u32>,
    pub shapes: Shapes,
    /// The states that functions take as their last parameters, of those that do.
    pub handed: HashMap<u32, Rc<[State]>>,
    /// The same of operators in contexts, as far as that was asked.
    pub(super) states: HashMap<(OperatorId, ContextId), Rc<[State]>>,
    /// The contexts that each operator is made for.
    pub(super) versions: HashMap<OperatorId, HashSet<ContextId>>,
    pub(super) further_versions: usize,
    /// The operators that know nothing of their handlers in some context, and why.
    pub(super) lost: HashMap<OperatorId, Lost>,
    pub functions: Vec<Function>,
    pub ports: Vec<Port>,
    pub statics: Vec<StaticValue>,
    pub strings: Vec<Vec<char>>,
    pub callables: Vec<Option<Callable>>,
    pub debugs: Vec<Debug>,
    pub names: Vec<String>,
    pub failed: Option<String>,
    queue: VecDeque<(Job, u32)>,
    /// Thunks that no code mentions up to now: where they are known where they are applied, none may.
    unmentioned: HashMap<u32, Job>,
    pub(super) numbers: HashMap<Job, u32>,
    /// The operators of the library that can come to call `fail`, once that was asked.
    failing: Option<HashSet<OperatorId>>,
    debug_ids: HashMap<Debug, u32>,
    name_ids: HashMap<String, u32>,
    string_ids: HashMap<String, u32>,
    pattern_ids: HashMap<String, u32>,
    wide_ids: HashMap<i64, u32>,
    closure_ids: HashMap<u32, u32>,
    construct_ids: HashMap<(u32, Vec<(u64, bool)>), u32>,
}

impl<'p> Shared<'p> {
    pub fn new(program: &'p Program, specialise: bool) -> Shared<'p> {
        let mut shared = Shared {
            program,
            facts: Facts::new(program),
            cells_are_plain: !mentions_cells(program),
            contexts: Contexts::new(),
            specialise,
            performed: Vec::new(),
            unfit: HashSet::new(),
            calling: HashSet::new(),
            calling_code: HashSet::new(),
            placed: 0,
            specialised: HashMap::new(),
            shapes: Shapes::new(),
            handed: HashMap::new(),
            states: HashMap::new(),
            versions: HashMap::new(),
            further_versions: 0,
            lost: HashMap::new(),
            words: Words {
                unit: Value::BOTTOM,
                true_: Value::BOTTOM,
                false_: Value::BOTTOM,
                nil: Value::BOTTOM,
                cons: 0,
                cons_tag: 0,
                nothing: Value::BOTTOM,
                just: 0,
                just_tag: 0,
                left: 0,
                left_tag: 0,
                right: 0,
                right_tag: 0,
            },
            functions: Vec::new(),
            ports: Vec::new(),
            statics: Vec::new(),
            strings: Vec::new(),
            callables: vec![None; program.operators.len()],
            debugs: Vec::new(),
            names: Vec::new(),
            failed: None,
            queue: VecDeque::new(),
            unmentioned: HashMap::new(),
            numbers: HashMap::new(),
            failing: None,
            debug_ids: HashMap::new(),
            name_ids: HashMap::new(),
            string_ids: HashMap::new(),
            pattern_ids: HashMap::new(),
            wide_ids: HashMap::new(),
            closure_ids: HashMap::new(),
            construct_ids: HashMap::new(),
        };
        shared.name("");
        shared.debug(0, None);
        let known = &program.known;
        for (id, word) in [
            (known.unit, 0),
            (known.true_, 1),
            (known.false_, 2),
            (known.nil, 3),
            (known.nothing, 4),
        ] {
            let Some(id) = id else { continue };
            let value = shared.nullary(raw(id));
            match word {
                0 => shared.words.unit = value,
                1 => shared.words.true_ = value,
                2 => shared.words.false_ = value,
                3 => shared.words.nil = value,
                _ => shared.words.nothing = value,
            }
        }
        let words = &mut shared.words;
        for (known, constructor, tag) in [
            (known.cons, &mut words.cons, &mut words.cons_tag),
            (known.just, &mut words.just, &mut words.just_tag),
            (known.left, &mut words.left, &mut words.left_tag),
            (known.right, &mut words.right, &mut words.right_tag),
        ] {
            let Some(known) = known else { continue };
            *constructor = raw(known);
            *tag = program.constructors[known].tag;
        }
        shared
    }

    /// Something that no checked program contains.
    pub fn fail(&mut self, message: String) {
        self.failed.get_or_insert(message);
    }

    /// The next function to lower, with its number.
    pub fn next(&mut self) -> Option<(Job, u32)> {
        self.queue.pop_front()
    }

    /// A number for a function made by someone else.
    pub fn number(&mut self, name: u32, place: Option<Place>) -> u32 {
        let debug = self.debug(name, place);
        self.functions.push(Function {
            pc: 0,
            parameters: 0,
            captured: 0,
            ports: Vec::new(),
            debug,
        });
        self.functions.len() as u32 - 1
    }

    /// Has what code mentions compiled.
    pub fn mentioned(&mut self, mentioned: Mentioned) {
        match mentioned {
            Mentioned::Function(function) => {
                if let Some(job) = self.unmentioned.remove(&function) {
                    self.queue.push_back((job, function));
                }
            }
            Mentioned::Static(id) => match self.statics.get(id as usize).cloned() {
                Some(StaticValue::Closure { function }) => {
                    self.mentioned(Mentioned::Function(function));
                }
                Some(StaticValue::Construct { args, .. }) => {
                    for arg in args {
                        deep(|| match arg {
                            StaticArg::Constant(value) => {
                                self.mentioned(Mentioned::Constant(value));
                            }
                            StaticArg::Static(id) => self.mentioned(Mentioned::Static(id)),
                        });
                    }
                }
                Some(StaticValue::String(_) | StaticValue::Wide(_)) | None => {}
            },
            Mentioned::Constant(value) => {
                if let View::Operator(id) = value.view() {
                    self.operator(id_of(id));
                }
            }
        }
    }

    pub(super) fn reserve(&mut self, job: Job, name: u32, place: Option<Place>) -> u32 {
        if let Some(number) = self.numbers.get(&job) {
            return *number;
        }
        let number = self.number(name, place);
        self.numbers.insert(job, number);
        self.queue.push_back((job, number));
        number
    }

    pub fn entry(&mut self, index: usize, name: &str, place: Option<Place>) -> u32 {
        let name = self.name(name);
        self.reserve(Job::Entry(index), name, place)
    }

    /// What is known around the program's entries.
    pub fn outermost(&self) -> ContextId {
        match self.specialise {
            true => HOST,
            false => UNKNOWN,
        }
    }

    /// What is known under an operator's last argument.
    pub fn under(&mut self, id: OperatorId, outside: ContextId) -> ContextId {
        match self.specialise && self.facts.is_deep(id) {
            true => self.contexts.under(id, outside),
            false => UNKNOWN,
        }
    }

    /// The function of an operator for calls in a context; none for a builtin one.
    pub fn operator_in(&mut self, id: OperatorId, context: ContextId) -> u32 {
        let OperatorBody::Handler(handler) = &self.program.operators[id].body else {
            return self.operator(id);
        };
        let context = self.relevant(id, context);
        if context == UNKNOWN {
            return self.operator(id);
        }
        if let Some(function) = self.specialised.get(&(id, context, ANY)) {
            return *function;
        }
        self.new_operator(id, handler, context, ANY)
    }

    /// The function of an operator for any context; none for a builtin one.
    pub fn operator(&mut self, id: OperatorId) -> u32 {
        let slot = raw(id) as usize;
        match self.callables.get(slot) {
            Some(Some(Callable::Function(function))) => return *function,
            Some(Some(Callable::Builtin(_))) => return NONE,
            _ => {}
        }
        match &self.program.operators[id].body {
            OperatorBody::Builtin(builtin) => {
                self.set_callable(slot, Callable::Builtin(*builtin));
                NONE
            }
            OperatorBody::Handler(handler) => self.new_operator(id, handler, UNKNOWN, ANY),
        }
    }

    pub(super) fn new_operator(
        &mut self,
        id: OperatorId,
        handler: &Handler,
        context: ContextId,
        shapes: ShapesId,
    ) -> u32 {
        let operator = &self.program.operators[id];
        let name = self.name(&operator.name);
        let place = Some(operator.place);
        let function = self.reserve(Job::Operator(id, context, shapes), name, place);
        match (context, shapes) {
            (UNKNOWN, ANY) => self.set_callable(raw(id) as usize, Callable::Function(function)),
            _ => {
                self.specialised.insert((id, context, shapes), function);
            }
        }
        let states = self.states_for(id, context);
        if !states.is_empty() {
            self.handed.insert(function, states);
        }
        let debug = self.debug(name, place);
        let mut ports = Vec::new();
        for (i, port) in handler.ports.iter().enumerate() {
            if port.adjustments.is_empty() {
                ports.push(None);
                continue;
            }
            let number = self.port_of(&port.adjustments, i, function, debug);
            ports.push(Some(number));
            if i + 1 == handler.ports.len() && adds(port) {
                self.commands_of(id, number, context);
            }
        }
        if let Some(slot) = self.functions.get_mut(function as usize) {
            slot.ports = ports;
        }
        function
    }

    fn set_callable(&mut self, slot: usize, callable: Callable) {
        if let Some(slot) = self.callables.get_mut(slot) {
            *slot = Some(callable);
        }
    }

    /// The functions for the commands of an operator's last port.
    fn commands_of(&mut self, id: OperatorId, port: u32, context: ContextId) {
        let program = self.program;
        let name = self.operator_name(id);
        let place = Some(program.operators[id].place);
        let Some(handler) = self.facts.handler(id) else {
            return;
        };
        let any = self.reserve(Job::CatchAlls(id, context), name, place);
        let slots = self
            .ports
            .get(port as usize)
            .map(|p| p.slots.clone())
            .unwrap_or_default();
        let mut entries = Vec::new();
        let mut starts = Vec::new();
        for slot in &slots {
            starts.push(entries.len() as u32);
            let interface = &program.interfaces[id_of::<frank_core::Interface>(slot.interface)];
            for command in &interface.commands {
                let own = handler
                    .clauses
                    .iter()
                    .any(|c| is_for(&c.patterns, *command, slot.seen));
                let function = if own {
                    let at = entries.len() as u32;
                    let job = Job::Command(id, *command, slot.seen, at, context, ANY);
                    self.reserve(job, name, place)
                } else {
                    NONE
                };
                entries.push(CommandEntry {
                    function,
                    window: NONE,
                });
            }
        }
        if let Some(port) = self.ports.get_mut(port as usize) {
            port.any = any;
            port.entries = entries;
            for (slot, start) in port.slots.iter_mut().zip(starts) {
                slot.entries = start;
            }
        }
    }

    /// The port of a function's parameter, if it adjusts the ability.
    pub fn port(&self, function: u32, index: usize) -> Option<u32> {
        self.functions
            .get(function as usize)?
            .ports
            .get(index)
            .copied()
            .flatten()
    }

    /// The function of a thunk.
    pub fn thunk(&mut self, term: TermId, name: u32) -> u32 {
        let job = Job::Thunk(term, name, UNKNOWN, ANY);
        if let Some(known) = self.numbers.get(&job) {
            return *known;
        }
        let place = self.program.places.get(term).copied();
        let function = self.number(name, place);
        self.numbers.insert(job, function);
        self.unmentioned.insert(function, job);
        let frank_core::Term::Thunk(handler) = &self.program.terms[term] else {
            return function;
        };
        let debug = self.debug(name, place);
        let mut ports = Vec::new();
        for (i, port) in handler.ports.iter().enumerate() {
            ports.push(
                (!port.adjustments.is_empty())
                    .then(|| self.port_of(&port.adjustments, i, function, debug)),
            );
        }
        if let Some(slot) = self.functions.get_mut(function as usize) {
            slot.ports = ports;
        }
        function
    }

    /// The port of a function's last parameter.
    pub fn last_port(&self, function: u32) -> Option<u32> {
        self.functions
            .get(function as usize)?
            .ports
            .last()
            .copied()
            .flatten()
    }

    fn port_of(&mut self, adjustments: &[Adjustment], at: usize, function: u32, debug: u32) -> u32 {
        let mut slots: Vec<Slot> = Vec::new();
        let mut steps = Vec::new();
        for adjustment in adjustments {
            match adjustment {
                Adjustment::Add(interface) => {
                    let interface = raw(*interface);
                    for slot in slots.iter_mut().filter(|s| s.interface == interface) {
                        slot.seen += 1;
                    }
                    steps.push(Step::Add {
                        interface,
                        slot: slots.len() as u16,
                    });
                    slots.push(Slot {
                        interface,
                        seen: 0,
                        entries: 0,
                    });
                }
                Adjustment::Rename(renaming) => steps.push(rename(renaming)),
            }
        }
        let interface = match steps.as_slice() {
            [Step::Add { interface, .. }] => *interface,
            _ => ANY_INTERFACE,
        };
        self.add_port(Port {
            interface,
            steps,
            slots,
            entries: Vec::new(),
            any: NONE,
            enter: NONE,
            position: small(at as u32),
            function,
            debug,
        })
    }

    /// The adaptors of a term.
    pub fn adaptors(&mut self, renamings: &[Renaming], debug: u32) -> u32 {
        let steps: Vec<Step> = renamings.iter().map(rename).collect();
        self.add_port(Port {
            interface: if steps.is_empty() {
                NO_INTERFACE
            } else {
                ANY_INTERFACE
            },
            steps,
            slots: Vec::new(),
            entries: Vec::new(),
            any: NONE,
            enter: NONE,
            position: 0,
            function: NONE,
            debug,
        })
    }

    fn add_port(&mut self, port: Port) -> u32 {
        self.ports.push(port);
        self.ports.len() as u32 - 1
    }

    /// The command that a failed match performs where it is handled.
    pub fn abort(&self) -> Option<CommandId> {
        self.program
            .known
            .abort
            .filter(|c| self.program.commands[*c].arity == 0)
    }

    // --- constants ---

    /// The word of a constructor without arguments.
    pub fn nullary(&self, constructor: u32) -> Value {
        let tag = self.program.constructors[id_of::<frank_core::Constructor>(constructor)].tag;
        Value::nullary(tag, constructor)
    }

    fn static_value(&mut self, value: StaticValue) -> u32 {
        self.statics.push(value);
        self.statics.len() as u32 - 1
    }

    pub fn string(&mut self, s: &str) -> u32 {
        if let Some(id) = self.string_ids.get(s) {
            return *id;
        }
        let id = self.static_value(StaticValue::String(s.to_owned()));
        self.string_ids.insert(s.to_owned(), id);
        id
    }

    /// A string that a value is compared with.
    pub fn pattern_string(&mut self, s: &str) -> u32 {
        if let Some(id) = self.pattern_ids.get(s) {
            return *id;
        }
        self.strings.push(s.chars().collect());
        let id = self.strings.len() as u32 - 1;
        self.pattern_ids.insert(s.to_owned(), id);
        id
    }

    pub fn wide(&mut self, i: i64) -> u32 {
        if let Some(id) = self.wide_ids.get(&i) {
            return *id;
        }
        let id = self.static_value(StaticValue::Wide(i));
        self.wide_ids.insert(i, id);
        id
    }

    /// A thunk that captures nothing.
    pub fn constant_closure(&mut self, function: u32) -> u32 {
        if let Some(id) = self.closure_ids.get(&function) {
            return *id;
        }
        let id = self.static_value(StaticValue::Closure { function });
        self.closure_ids.insert(function, id);
        id
    }

    /// A constructor applied to constants, if all arguments are that.
    pub fn constant_construct(&mut self, constructor: u32, args: &[Kind]) -> Option<u32> {
        let args: Option<Vec<StaticArg>> = args
            .iter()
            .map(|kind| match kind {
                Kind::Constant(value) => Some(StaticArg::Constant(*value)),
                Kind::Static(id) => Some(StaticArg::Static(*id)),
                Kind::Unknown | Kind::Plain => None,
            })
            .collect();
        let args = args?;
        let words = args.iter().map(|arg| match arg {
            StaticArg::Constant(value) => (value.0, false),
            StaticArg::Static(id) => (*id as u64, true),
        });
        let key = (constructor, words.collect());
        if let Some(id) = self.construct_ids.get(&key) {
            return Some(*id);
        }
        let id = self.static_value(StaticValue::Construct { constructor, args });
        self.construct_ids.insert(key, id);
        Some(id)
    }

    // --- names and places ---

    pub fn name(&mut self, name: &str) -> u32 {
        if let Some(id) = self.name_ids.get(name) {
            return *id;
        }
        self.names.push(name.to_owned());
        let id = self.names.len() as u32 - 1;
        self.name_ids.insert(name.to_owned(), id);
        id
    }

    pub fn operator_name(&mut self, id: OperatorId) -> u32 {
        self.name(&self.program.operators[id].name)
    }

    pub fn debug(&mut self, name: u32, place: Option<Place>) -> u32 {
        self.debug_within(name, place, NONE)
    }

    /// A place in an operator that was put in place of its call.
    pub fn debug_within(&mut self, name: u32, place: Option<Place>, site: u32) -> u32 {
        let debug = Debug { name, place, site };
        if let Some(id) = self.debug_ids.get(&debug) {
            return *id;
        }
        self.debugs.push(debug);
        let id = self.debugs.len() as u32 - 1;
        self.debug_ids.insert(debug, id);
        id
    }

    /// Whether something stands in a file that is not the library's, or was put there.
    pub fn is_in_program(&self, debug: u32) -> bool {
        place_in_program(&self.debugs, debug, |file| self.program.files[file].library).is_some()
    }

    /// Whether an operator of the library can come to call `fail`, or a built-in operator that asks
    /// for the call in the program as well.
    pub fn leads_to_fail(&mut self, id: OperatorId) -> bool {
        let program = self.program;
        let failing = self.failing.get_or_insert_with(|| failing(program));
        failing.contains(&id)
    }

    /// Some place in the program, for what has none of its own.
    pub fn any_place(&self) -> Option<Place> {
        self.program.operators.iter().next().map(|(_, o)| o.place)
    }
}

/// The operators of the library that mention `fail` or its like, or one another that does.
fn failing(program: &Program) -> HashSet<OperatorId> {
    let mut users: HashMap<OperatorId, Vec<OperatorId>> = HashMap::new();
    let mut queue = Vec::new();
    for (id, operator) in program.operators.iter() {
        match &operator.body {
            OperatorBody::Builtin(builtin) if builtin.effect() == Effect::AsksForCall => {
                queue.push(id)
            }
            OperatorBody::Handler(handler) if program.files[operator.place.file].library => {
                for used in program.operators_in(handler) {
                    users.entry(used).or_default().push(id);
                }
            }
            _ => {}
        }
    }
    let mut failing = HashSet::new();
    while let Some(id) = queue.pop() {
        for user in users.remove(&id).unwrap_or_default() {
            if failing.insert(user) {
                queue.push(user);
            }
        }
    }
    failing
}

fn rename(renaming: &Renaming) -> Step {
    Step::Rename {
        interface: raw(renaming.interface),
        taken: renaming.taken,
        kept: renaming.kept.clone(),
    }
}

/// The id of a number made by [`raw`].
pub(super) fn id_of<T>(raw: u32) -> la_arena::Idx<T> {
    la_arena::Idx::from_raw(la_arena::RawIdx::from_u32(raw))
}

/// Whether some port or adaptor of a program mentions the interface of cells.
fn mentions_cells(program: &Program) -> bool {
    let Some(read) = program.known.read else {
        return false;
    };
    let cells = program.commands[read].interface;
    let handler = |handler: &Handler| {
        handler.ports.iter().any(|port| {
            port.adjustments.iter().any(|a| match a {
                Adjustment::Add(interface) => *interface == cells,
                Adjustment::Rename(renaming) => renaming.interface == cells,
            })
        })
    };
    program.operators.iter().any(|(_, o)| match &o.body {
        OperatorBody::Handler(h) => handler(h),
        OperatorBody::Builtin(_) => false,
    }) || program.terms.iter().any(|(_, term)| match term {
        Term::Thunk(h) => handler(h),
        Term::Adapted { renamings, .. } => renamings.iter().any(|r| r.interface == cells),
        _ => false,
    })
}
