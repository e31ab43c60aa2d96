//! What is hot is compiled, and run.

use std::cell::RefCell;
use std::ops::Range;

use cranelift_codegen::Context as Codegen;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module};
use frank_interpreter::Code;
use frank_interpreter::backend::{
    Backend, Effects, Flat, Function, GraphCode, Identity, Instr, NONE, NOWHERE, Node, Parts,
    Prepare, Site,
};

use crate::effects;
use crate::graphs;
use crate::hot::{Known, MachineCode, SHORT, functions};
use crate::lower::{Callees, Entry, Lower, entries, signature};
use crate::memory;
use crate::runtime::{self, Begin, Closure, Context, Receiver};
use crate::target::{self, OwnModule};
use crate::webs::Webs;

/// In programs that are larger, distances in the tables of what there is do not fit into an instruction.
const MOST_OF_PROGRAM: usize = 1 << 26;

/// When functions are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Eagerness {
    /// When they are hot.
    #[default]
    Hot,
    /// All at once, before the run: for tests.
    All,
}

/// The machine code of one program.
pub struct Native {
    /// Which program's.
    identity: Identity,
    /// Of the objects of the last run.
    memory: Vec<u64>,
    eagerness: Eagerness,
    /// Made when something is hot.
    compiler: Option<Compiler>,
    /// Whether there can be none: Cranelift has no code for this processor.
    is_impossible: bool,
    /// The functions by where they begin, in order.
    functions: Vec<Known>,
    /// Where machine code was left after a short stay since the machine was looked at last, and the functions in which it
    /// rests.
    left: RefCell<Vec<usize>>,
    resting: Vec<usize>,
    /// For each instruction whether machine code takes over there; empty as long as there is none.
    entries: Vec<bool>,
    /// For each instruction, and for each site, what machine code there is.
    by_instruction: Box<[Begin]>,
    by_site: Box<[Begin]>,
    receivers: Box<[Receiver]>,
    closures: Box<[Closure]>,
}

#[derive(Clone, Copy)]
struct Imports {
    allocate: FuncId,
    drop_value: FuncId,
    open_closure: FuncId,
    leave_frame: FuncId,
    pow: FuncId,
    capture: FuncId,
    leave: FuncId,
    unwind: FuncId,
    resume: FuncId,
    give: FuncId,
}

impl Native {
    /// Machine code for a program, none at first.
    pub fn new(code: &Code, eagerness: Eagerness) -> Native {
        let parts = Parts::of(code);
        let mut native = Native {
            identity: parts.identity,
            memory: Vec::new(),
            eagerness,
            compiler: None,
            is_impossible: parts.instrs.len().max(parts.sites.len()) > MOST_OF_PROGRAM,
            functions: functions(&parts),
            left: RefCell::default(),
            resting: Vec::new(),
            entries: Vec::new(),
            by_instruction: vec![Begin::NONE; parts.instrs.len()].into_boxed_slice(),
            by_site: vec![Begin::NONE; parts.sites.len()].into_boxed_slice(),
            receivers: parts.sites.iter().map(receiver).collect(),
            closures: parts.functions.iter().map(closure).collect(),
        };
        if eagerness == Eagerness::All {
            for i in 0..native.functions.len() {
                if native.functions.get_mut(i).is_some_and(Known::try_once) {
                    native.compile(code, i);
                }
            }
        }
        native
    }

    fn function_at(&self, pc: usize) -> Option<usize> {
        let after = self
            .functions
            .partition_point(|known| known.range.start <= pc);
        after.checked_sub(1)
    }

    /// Counts that the machine was in a function, and compiles it when that was often enough.
    fn seen_in(&mut self, code: &Code, function: usize) {
        if self.functions.get_mut(function).is_some_and(Known::see) {
            self.compile(code, function);
        }
    }

    /// The functions of a handler's clauses for the commands that a function performs.
    fn clauses(&self, code: &Code, function: usize, handler: Node) -> Vec<usize> {
        let parts = Parts::of(code);
        let known = self.functions.get(function);
        let instrs = known.and_then(|known| parts.instrs.get(known.range.clone()));
        let first = parts.first_of.get(handler.port as usize);
        let (Some(instrs), Some(first), true) = (instrs, first, handler.direct) else {
            return Vec::new();
        };
        let clause = |instr: &Instr| {
            let Instr::Perform { command, .. } = instr else {
                return None;
            };
            let command = parts.commands.get(*command as usize)?;
            let entry = parts.commands_of.get((*first + command.index) as usize);
            let entry = entry.filter(|_| command.interface == handler.interface)?;
            let begins = match entry.window {
                NONE => entry.function,
                window => window,
            };
            self.function_at(begins as usize).filter(|_| begins != NONE)
        };
        let mut clauses: Vec<usize> = instrs.iter().filter_map(clause).collect();
        clauses.sort_unstable();
        clauses.dedup();
        clauses
    }

    /// Compiles a function.
    fn compile(&mut self, code: &Code, function: usize) {
        let Some(known) = self.functions.get(function) else {
            return;
        };
        let (range, window) = (known.range.clone(), known.parameters);
        if self.compiler.is_none() && !self.is_impossible {
            self.compiler = Compiler::new();
            self.is_impossible = self.compiler.is_none();
        }
        let Some(compiler) = &mut self.compiler else {
            return;
        };
        let parts = Parts::of(code);
        // What cannot be compiled stays on the machine.
        let written = compiler.write(&parts, &self.functions, &range, window);
        if let Some(known) = self.functions.get_mut(function) {
            known.machine_code = written;
        }
        self.set_entries(function, true);
    }

    /// Has machine code take over in a function, or no longer.
    fn set_entries(&mut self, function: usize, takes_over: bool) {
        let known = self.functions.get(function);
        let Some(machine_code) = known.and_then(|known| known.machine_code.as_ref()) else {
            return;
        };
        self.entries.resize(self.by_instruction.len(), false);
        for (i, entry) in machine_code.entries.iter().enumerate() {
            let begin = match takes_over {
                true => Begin {
                    code: machine_code.address,
                    entry: i as u64,
                },
                false => Begin::NONE,
            };
            match *entry {
                Entry::At(pc) => {
                    if let Some(slot) = self.entries.get_mut(pc) {
                        *slot = takes_over;
                    }
                    if let Some(slot) = self.by_instruction.get_mut(pc) {
                        *slot = begin;
                    }
                }
                Entry::Back(site) => {
                    if let Some(slot) = self.by_site.get_mut(site as usize) {
                        *slot = begin;
                    }
                }
            }
        }
    }

    /// Lets machine code rest that was left often, and tries again that which has rested.
    fn rest(&mut self) {
        for function in self.left.take() {
            if self.functions.get_mut(function).is_some_and(Known::tire) {
                self.set_entries(function, false);
                self.resting.push(function);
            }
        }
        for function in std::mem::take(&mut self.resting) {
            match self.functions.get_mut(function).is_some_and(Known::rest) {
                true => self.set_entries(function, true),
                false => self.resting.push(function),
            }
        }
    }
}

/// How machine code is called: context, entry, a value that comes back, its address.
type Call = unsafe extern "C" fn(*mut Context<'_>, u64, u64, *const u8) -> u64;

/// Writes machine code.
struct Compiler {
    module: OwnModule,
    frontend: FunctionBuilderContext,
    codegen: Codegen,
    imports: Imports,
    /// Calls machine code from Rust.
    call: Call,
}

impl Compiler {
    /// `None` where Cranelift has no code for this processor, or the system gives no memory for code.
    fn new() -> Option<Compiler> {
        let mut builder = target::jit()?;
        builder.symbol("allocate", runtime::allocate as *const u8);
        builder.symbol("drop_value", runtime::drop_value as *const u8);
        builder.symbol("open_closure", runtime::open_closure as *const u8);
        builder.symbol("leave_frame", runtime::leave_frame as *const u8);
        builder.symbol("pow", runtime::pow as *const u8);
        builder.symbol("capture", effects::capture as *const u8);
        builder.symbol("leave", effects::leave as *const u8);
        builder.symbol("unwind", effects::unwind as *const u8);
        builder.symbol("resume", effects::resume as *const u8);
        builder.symbol("give", effects::give as *const u8);
        let mut module = OwnModule::new(builder);
        let (word, float) = (AbiParam::new(types::I64), AbiParam::new(types::F64));
        let mut import = |name: &str, params: &[AbiParam], returns: &[AbiParam]| {
            let mut signature = module.make_signature();
            signature.params.extend(params.iter().copied());
            signature.returns.extend(returns.iter().copied());
            module
                .declare_function(name, Linkage::Import, &signature)
                .ok()
        };
        let imports = Imports {
            allocate: import("allocate", &[word; 3], &[word])?,
            drop_value: import("drop_value", &[word; 2], &[])?,
            open_closure: import("open_closure", &[word; 4], &[])?,
            leave_frame: import("leave_frame", &[word; 2], &[word])?,
            pow: import("pow", &[float; 2], &[float])?,
            capture: import("capture", &[word; 2], &[word])?,
            leave: import("leave", &[word; 2], &[])?,
            unwind: import("unwind", &[word; 2], &[])?,
            resume: import("resume", &[word; 2], &[word])?,
            give: import("give", &[word; 2], &[word])?,
        };
        let mut codegen = module.make_context();
        let mut frontend = FunctionBuilderContext::new();
        let call = trampoline(&mut module, &mut codegen, &mut frontend)?;
        Some(Compiler {
            module,
            frontend,
            codegen,
            imports,
            call,
        })
    }

    /// Compiles a function of the program: its machine code, and its entries there.
    fn write(
        &mut self,
        parts: &Parts<'_>,
        known: &[Known],
        range: &Range<usize>,
        window: u16,
    ) -> Option<MachineCode> {
        let written = self.define(parts, known, range, window);
        self.module.clear_context(&mut self.codegen);
        let (id, entries) = written?;
        self.module.finalize_definitions().ok()?;
        Some(MachineCode {
            address: self.module.get_finalized_function(id),
            entries,
        })
    }

    fn define(
        &mut self,
        parts: &Parts<'_>,
        known: &[Known],
        range: &Range<usize>,
        window: u16,
    ) -> Option<(FuncId, Vec<Entry>)> {
        let parameters = |function: u32| {
            let at = known.binary_search_by_key(&(function as usize), |known| known.range.start);
            let known = at.ok().and_then(|i| known.get(i));
            known.map_or(0, |known| known.parameters)
        };
        let webs = Webs::of(parts, range.clone(), window, &parameters)?;
        let entries = entries(parts, range.clone(), &webs);
        if entries.is_empty() {
            return None;
        }
        let id = self
            .module
            .declare_anonymous_function(&code_signature())
            .ok()?;
        self.codegen.func.signature = code_signature();
        let mut builder = FunctionBuilder::new(&mut self.codegen.func, &mut self.frontend);
        let mut import = |id| self.module.declare_func_in_func(id, builder.func);
        let (itself, allocate) = (import(id), import(self.imports.allocate));
        let (drop_value, pow) = (import(self.imports.drop_value), import(self.imports.pow));
        let open_closure = import(self.imports.open_closure);
        let leave_frame = import(self.imports.leave_frame);
        let (capture, leave) = (import(self.imports.capture), import(self.imports.leave));
        let unwind = import(self.imports.unwind);
        let (resume, give) = (import(self.imports.resume), import(self.imports.give));
        let mut float = self.module.make_signature();
        float.params.push(AbiParam::new(types::F64));
        float.returns.push(AbiParam::new(types::F64));
        let callees = Callees {
            itself,
            allocate,
            drop_value,
            open_closure,
            leave_frame,
            pow,
            capture,
            leave,
            unwind,
            resume,
            give,
            code: builder.import_signature(code_signature()),
            float: builder.import_signature(float),
        };
        Lower::function(
            &mut builder,
            parts,
            &parameters,
            webs,
            callees,
            range.clone(),
            entries.clone(),
        );
        builder.finalize(self.module.target_config());
        self.module.define_function(id, &mut self.codegen).ok()?;
        Some((id, entries))
    }
}

fn closure(function: &Function) -> Closure {
    Closure {
        pc: function.pc,
        captured: u32::from(function.captured),
    }
}

fn receiver(site: &Site) -> Receiver {
    Receiver {
        pc: site.pc,
        to: match site.to {
            NOWHERE => Receiver::NOWHERE,
            to => u32::from(to) * 8,
        },
    }
}

/// The signature of machine code, whose calls in tail position take no room.
fn code_signature() -> Signature {
    signature(Signature::new(CallConv::Tail))
}

/// A function with the calling convention of C that calls machine code.
fn trampoline(
    module: &mut JITModule,
    codegen: &mut Codegen,
    frontend: &mut FunctionBuilderContext,
) -> Option<Call> {
    let mut of_c = signature(module.make_signature());
    of_c.params.push(AbiParam::new(types::I64));
    let id = module.declare_anonymous_function(&of_c).ok()?;
    codegen.func.signature = of_c;
    let mut builder = FunctionBuilder::new(&mut codegen.func, frontend);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    let code = builder.import_signature(code_signature());
    if let [args @ .., address] = builder.block_params(block).to_vec().as_slice() {
        let call = builder.ins().call_indirect(code, *address, args);
        let results = builder.inst_results(call).to_vec();
        builder.ins().return_(&results);
    }
    builder.seal_all_blocks();
    builder.finalize(module.target_config());
    module.define_function(id, codegen).ok()?;
    module.clear_context(codegen);
    module.finalize_definitions().ok()?;
    let address = module.get_finalized_function(id);
    // SAFETY: the address is that of the function just written, whose signature is this one.
    Some(unsafe { std::mem::transmute::<*const u8, Call>(address) })
}

impl Backend for Native {
    fn is_for(&self, code: &Code) -> bool {
        self.identity == Parts::of(code).identity
    }

    fn sample(&mut self, code: &Code, pc: usize, handler: Option<Node>) {
        if !self.is_for(code) {
            return;
        }
        if self.eagerness == Eagerness::Hot {
            self.rest();
        }
        let Some(function) = self.function_at(pc) else {
            return;
        };
        self.seen_in(code, function);
        // Clauses that call nothing count no steps, so nobody is ever seen in them.
        let clauses = handler.map(|node| self.clauses(code, function, node));
        for clause in clauses.unwrap_or_default() {
            self.seen_in(code, clause);
        }
    }

    fn runs_of_graph(&self) -> u64 {
        match self.eagerness {
            Eagerness::All => 0,
            Eagerness::Hot => graphs::WORTH,
        }
    }

    fn graph(&mut self, flat: &Flat, operations: Range<usize>) -> Option<Box<dyn GraphCode>> {
        let part = graphs::Part::new(flat, operations)?;
        Some(Box::new(part))
    }

    fn prepare(&self) -> Prepare {
        memory::prepare
    }

    fn kept_memory(&mut self) -> &mut Vec<u64> {
        &mut self.memory
    }

    fn entries(&self) -> &[bool] {
        &self.entries
    }

    fn run(&self, pc: usize, machine: &mut dyn Effects, fuel: &mut u64) -> Option<usize> {
        let begin = self.by_instruction.get(pc)?;
        let compiler = self.compiler.as_ref()?;
        let machine: *mut dyn Effects = machine;
        // SAFETY: it is borrowed for this call, and so for as long as machine code runs.
        let room = unsafe { (*machine).room() };
        if room.identity != self.identity || begin.code.is_null() {
            return None;
        }
        let mut context = Context {
            registers: room.registers.as_mut_ptr(),
            base: room.heap.base(),
            heap: room.heap,
            statics: room.statics.as_mut_ptr(),
            fuel: *fuel,
            functions: self.by_instruction.as_ptr(),
            sites: self.by_site.as_ptr(),
            receivers: self.receivers.as_ptr(),
            closures: self.closures.as_ptr(),
            stack: room.stack,
            room: room.nodes.len() as u64,
            nodes: room.nodes.as_mut_ptr(),
            handling: room.handling,
            window: room.window,
            first_of: room.first_of.as_ptr(),
            commands_of: room.commands_of.as_ptr(),
            machine,
        };
        // SAFETY: the machine runs the program that this is the code of. `begin` was made by `enter` from finished machine
        // code with this signature, which lives as long as the module. The context's addresses are those of what is borrowed for this call, and of tables that are not
        // changed while it lasts.
        let pc = unsafe { (compiler.call)(&mut context, begin.entry, 0, begin.code) };
        let (pc, steps) = (pc as usize, *fuel - context.fuel);
        *fuel = context.fuel;
        // SAFETY: as above, and machine code has ended.
        unsafe { (*machine).set_stack(context.stack) };
        if steps < SHORT
            && let Some(function) = self.function_at(pc)
            && self.functions.get(function).is_some_and(Known::leave)
        {
            self.left.borrow_mut().push(function);
        }
        Some(pc)
    }
}
