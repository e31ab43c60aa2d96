//! From the typed core to the machine's code.
//!
//! Operators, thunks, entries and the commands of handlers become functions. Each is lowered to a
//! tree of blocks ([`lower`], [`matching`], [`handlers`]), where it is found out which use of a
//! variable is its last ([`liveness`]); then registers are given out and instructions written
//! ([`emit`]). Only what the entries reach is compiled. Nothing here depends on the native stack:
//! what recurses does so on a stack that grows on the heap.

mod apply;
mod arguments;
mod cleanup;
mod context;
mod deep_handlers;
mod direct;
mod emit;
mod ends;
mod function;
mod handed;
mod handing_on;
mod handlers;
mod ir;
mod known_code;
mod liveness;
mod lost;
mod lower;
mod matching;
mod moves;
mod objects;
mod registers;
mod resumptions;
mod shapes;
mod shared;
mod states;
mod terms;
mod tree;
mod versions;

use frank_core::Program;
use la_arena::Idx;

use crate::code::{self, Code};
use emit::Emitter;
use shared::{Job, Shared};

/// Why a program cannot be run. No program that analysis found to be without errors gets here,
/// except one that is too large for the machine's numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileError {
    pub message: String,
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CompileError {}

/// Whether operators are compiled once for each set of handlers known to be around them, so that
/// commands go straight to their clauses. A run gives the same either way, and counts the same
/// steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Specialise {
    #[default]
    Yes,
    No,
}

/// Compiles all that a program's entries reach.
///
/// # Errors
/// Of a program that is too large for the machine's numbers.
pub fn compile(program: &Program) -> Result<Code, CompileError> {
    compile_with(program, Specialise::default())
}

/// The same, with or without specialisation.
///
/// # Errors
/// As [`compile`].
pub fn compile_with(program: &Program, specialise: Specialise) -> Result<Code, CompileError> {
    let mut shared = Shared::new(program, specialise == Specialise::Yes);
    let mut emitter = Emitter::new();
    let mut entries = Vec::new();
    for (i, entry) in program.entries.iter().enumerate() {
        let place = program.places.get(entry.term).copied();
        entries.push(shared.entry(i, &entry.name, place));
    }
    while let Some((job, function)) = shared.next() {
        let body = match job {
            Job::Operator(id, context, shapes) => {
                handlers::operator(&mut shared, id, context, shapes)
            }
            Job::CatchAlls(id, context) => handlers::catch_alls(&mut shared, id, context),
            Job::Thunk(term, name, context, shapes) => {
                handlers::thunk(&mut shared, term, name, context, shapes)
            }
            Job::Entry(i) => match program.entries.get(i) {
                Some(entry) => handlers::entry(&mut shared, &entry.name, entry.term),
                None => continue,
            },
            Job::Command(id, command, seen, at, context, shapes) => {
                let known = (context, shapes);
                let (body, simple) = handlers::command(&mut shared, id, command, seen, known, None);
                if simple.contains(&true) && shapes == shapes::ANY {
                    let performed = shared.performed.len();
                    let (body, _) =
                        handlers::command(&mut shared, id, command, seen, known, Some(simple));
                    // They are those of the first.
                    shared.performed.truncate(performed);
                    if body.regions.iter().all(|r| !r.calls && !r.captures) {
                        let name = shared.operator_name(id);
                        let place = program.operators[id].place;
                        let window = shared.number(name, Some(place));
                        emitter.function(&mut shared, window, body, true);
                        let operator = shared.operator_in(id, context);
                        let last = shared.last_port(operator);
                        if let Some(port) = last.and_then(|p| shared.ports.get_mut(p as usize))
                            && let Some(entry) = port.entries.get_mut(at as usize)
                        {
                            entry.window = window;
                        }
                    }
                }
                body
            }
        };
        emitter.function(&mut shared, function, body, false);
    }
    emitter.finish(shared, entries)
}

/// The number of an id.
fn raw<T>(id: Idx<T>) -> u32 {
    id.into_raw().into_u32()
}

/// A number of ports or instances. There are never more than the registers hold, which is checked
/// when they are given out.
fn small(n: u32) -> u16 {
    n.min(u16::MAX as u32) as u16
}

/// Runs something that recurses, on a stack that grows.
fn deep<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, run)
}

const _: () = assert!(code::MARK == 0);
