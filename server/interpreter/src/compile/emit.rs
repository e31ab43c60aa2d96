//! The code of a program, put together from its functions.

use std::collections::HashMap;

use super::function::Function;
use super::ir::Body;
use super::liveness;
use super::registers::{Assignment, Registers};
use super::shared::{Mentioned, Shared};
use super::{CompileError, cleanup};
use crate::code::{
    CONSTANTS, Code, Command, CommandEntry, Constructor, FailedMatch, Identity, Instr, NONE,
    NOWHERE, Operand, Reg, Service, Site, WINDOW,
};
use crate::heap::{INFO_BITS, MAX_WORDS};
use crate::value::Value;

/// Writes the code of all functions.
pub(super) struct Emitter {
    pub instrs: Vec<Instr>,
    debug_of: Vec<u32>,
    pub pool: Vec<u16>,
    pub sites: Vec<Site>,
    pub targets: Vec<u32>,
    pub word_tables: Vec<(Vec<(u64, u32)>, u32)>,
    pub failed_matches: Vec<FailedMatch>,
    constants: Vec<Value>,
    constant_ids: HashMap<u64, usize>,
    too_large: Option<&'static str>,
    /// What the code that was written last mentions.
    mentioned: Vec<Mentioned>,
}

impl Emitter {
    pub fn new() -> Emitter {
        Emitter {
            instrs: Vec::new(),
            debug_of: Vec::new(),
            pool: Vec::new(),
            sites: vec![Site {
                pc: 0,
                to: NOWHERE,
                count: 0,
                saved: 0,
                debug: 0,
            }],
            targets: Vec::new(),
            word_tables: Vec::new(),
            failed_matches: Vec::new(),
            constants: Vec::new(),
            constant_ids: HashMap::new(),
            too_large: None,
            mentioned: Vec::new(),
        }
    }

    /// Writes a function, to run in the low registers or in the window.
    pub fn function(&mut self, shared: &mut Shared<'_>, number: u32, mut body: Body, window: bool) {
        cleanup::clean(&mut body, shared);
        let notes = liveness::analyse(&mut body, shared.program);
        let pc = self.here();
        let parameters = body.parameters.clone();
        let debug = body.debug;
        let mut function = Function {
            registers: Assignment::new(body.kinds.len()),
            hints: HashMap::new(),
            base: if window { WINDOW } else { 0 },
            jumps: HashMap::new(),
            out: self,
            shared,
            body,
            notes,
            debug,
        };
        function.collect_hints();
        for (i, parameter) in parameters.iter().enumerate() {
            function
                .registers
                .set(*parameter, i.min(u16::MAX as usize / 2) as Reg);
        }
        let entry = function.body.entry;
        let registers = function.registers_at(entry, &Registers::default());
        function.block(entry, registers);
        if let Some(slot) = shared.functions.get_mut(number as usize) {
            slot.pc = pc;
            slot.parameters = parameters.len().min(u16::MAX as usize) as u16;
        }
        for mentioned in self.mentioned.drain(..) {
            shared.mentioned(mentioned);
        }
    }

    pub fn here(&self) -> u32 {
        self.instrs.len() as u32
    }

    pub fn limit(&mut self, what: &'static str) {
        self.too_large.get_or_insert(what);
    }

    pub fn push(&mut self, instr: Instr, debug: u32) -> usize {
        match instr {
            Instr::Closure { function, .. }
            | Instr::Call { function, .. }
            | Instr::TailCall { function, .. } => {
                self.mentioned.push(Mentioned::Function(function));
            }
            Instr::Static { id, .. } => self.mentioned.push(Mentioned::Static(id)),
            _ => {}
        }
        self.instrs.push(instr);
        self.debug_of.push(debug);
        self.instrs.len() - 1
    }

    /// Takes the last instruction back.
    pub fn unpush(&mut self) {
        self.instrs.pop();
        self.debug_of.pop();
    }

    pub fn site(&mut self, site: Site) -> u32 {
        if site.count as usize + 1 > MAX_WORDS {
            self.limit("variables that live across a call");
        }
        self.sites.push(site);
        self.sites.len() as u32 - 1
    }

    /// A list of operands in the pool.
    pub fn operands(&mut self, operands: &[Operand]) -> u32 {
        let start = self.pool.len() as u32;
        self.pool.extend(operands.iter().map(|o| o.0));
        start
    }

    /// The index of a constant.
    pub fn constant(&mut self, value: Value) -> usize {
        self.mentioned.push(Mentioned::Constant(value));
        *self.constant_ids.entry(value.0).or_insert_with(|| {
            self.constants.push(value);
            self.constants.len() - 1
        })
    }

    /// The register of a constant, if it has one.
    pub fn constant_register(&mut self, value: Value) -> Option<Reg> {
        let id = self.constant(value);
        (id < (WINDOW - CONSTANTS) as usize).then(|| CONSTANTS + id as Reg)
    }

    /// Puts the parts together.
    pub fn finish(
        mut self,
        mut shared: Shared<'_>,
        entries: Vec<u32>,
    ) -> Result<Code, CompileError> {
        let program = shared.program;
        for i in 0..shared.ports.len() {
            let Some((function, position)) = shared.ports.get(i).map(|p| (p.function, p.position))
            else {
                continue;
            };
            let Some(debug) = shared.functions.get(function as usize).map(|f| f.debug) else {
                continue;
            };
            let done: Vec<Operand> = (0..position).map(|r| Operand::new(r, false)).collect();
            let saved = self.operands(&done);
            // `pc` stands for the function until all functions have one.
            let pc = shared.functions.get(function as usize).map_or(0, |f| f.pc);
            let site = self.site(Site {
                pc,
                to: position,
                count: position,
                saved,
                debug,
            });
            if let Some(port) = shared.ports.get_mut(i) {
                port.enter = site;
            }
        }
        let limits: [(usize, usize, &'static str); 4] = [
            (self.sites.len(), 1 << INFO_BITS, "calls"),
            (program.constructors.len(), 1 << INFO_BITS, "constructors"),
            (
                shared.functions.len(),
                1 << INFO_BITS,
                "thunks and operators",
            ),
            (self.instrs.len(), NONE as usize, "instructions"),
        ];
        for (count, limit, what) in limits {
            if count >= limit {
                self.limit(what);
            }
        }
        if program
            .constructors
            .iter()
            .any(|(_, c)| c.fields.len() > MAX_WORDS)
        {
            self.limit("arguments of a constructor");
        }
        if let Some(what) = self.too_large {
            return Err(CompileError {
                message: format!("the program has too many {what}"),
            });
        }
        if let Some(message) = shared.failed {
            return Err(CompileError {
                message: format!("the core is malformed: {message}"),
            });
        }
        for instr in &mut self.instrs {
            if let Instr::Call { function, .. } | Instr::TailCall { function, .. } = instr {
                *function = shared.functions.get(*function as usize).map_or(0, |f| f.pc);
            }
        }
        let mut commands_of = Vec::new();
        let mut first_of = Vec::new();
        for port in &mut shared.ports {
            let first = commands_of.len() as u32;
            first_of.push(first);
            for slot in &mut port.slots {
                slot.entries += first;
            }
            let begins = |number: u32| shared.functions.get(number as usize).map_or(NONE, |f| f.pc);
            commands_of.extend(port.entries.drain(..).map(|entry| CommandEntry {
                function: begins(entry.function),
                window: begins(entry.window),
            }));
        }
        let known = &program.known;
        let service = |id: frank_core::CommandId| match Some(id) {
            id if id == known.inch => Service::Inch,
            id if id == known.ouch => Service::Ouch,
            id if id == known.ouint => Service::Ouint,
            id if id == known.new => Service::New,
            id if id == known.read => Service::Read,
            id if id == known.write => Service::Write,
            _ => match (known.picture(id), known.outside(id)) {
                (Some(kind), _) => Service::Picture(kind),
                (None, Some(asked)) => Service::Outside(asked),
                (None, None) => Service::None,
            },
        };
        let index_of = |id: frank_core::CommandId| {
            let interface = &program.interfaces[program.commands[id].interface];
            interface
                .commands
                .iter()
                .position(|c| *c == id)
                .unwrap_or(0) as u32
        };
        Ok(Code {
            identity: Identity::default(),
            instrs: self.instrs,
            debug_of: self.debug_of,
            pool: self.pool,
            sites: self.sites,
            functions: shared.functions,
            ports: shared.ports,
            commands_of,
            first_of,
            targets: self.targets,
            word_tables: self.word_tables,
            constants: self.constants,
            statics: shared.statics,
            strings: shared.strings,
            failed_matches: self.failed_matches,
            commands: program
                .commands
                .iter()
                .map(|(id, c)| Command {
                    interface: super::raw(c.interface),
                    index: index_of(id),
                    service: service(id),
                })
                .collect(),
            command_names: program
                .commands
                .iter()
                .map(|(_, c)| c.name.clone())
                .collect(),
            interfaces: program
                .interfaces
                .iter()
                .map(|(_, i)| i.name.clone())
                .collect(),
            constructors: program
                .constructors
                .iter()
                .map(|(id, c)| {
                    let shown = &program.constructors[program.shown_as(id)];
                    Constructor {
                        name: shown.name.clone(),
                        tag: c.tag,
                        arity: shown.fields.len() as u32,
                    }
                })
                .collect(),
            operators: shared.callables,
            entries,
            debugs: shared.debugs,
            library: program
                .files
                .iter()
                .filter(|(_, file)| file.library)
                .map(|(id, _)| id)
                .collect(),
            names: shared.names,
            performed: shared.performed,
            words: shared.words,
            abort: shared
                .program
                .known
                .abort
                .filter(|c| program.commands[*c].arity == 0)
                .map(super::raw),
        })
    }
}
