//! What is left to the machine.

use frank_core::Builtin;
use frank_interpreter::backend::{Instr, Keeper};

use crate::runtime;

/// Objects of up to so many words have a class of their own size; larger ones the machine takes apart.
pub const EXACT: usize = 127;

/// Whether an instruction is left to the machine.
pub fn is_foreign(instr: &Instr) -> bool {
    match instr {
        Instr::Constant { .. }
        | Instr::Reverse { .. }
        | Instr::CatchAll { .. }
        | Instr::PausedArg { .. }
        | Instr::PausedContinuation { .. }
        | Instr::BranchString { .. }
        | Instr::BranchCommand { .. }
        | Instr::SwitchConstructor { .. }
        | Instr::PerformMany { .. }
        | Instr::Pause { .. }
        | Instr::Adapt { .. }
        | Instr::EnterPort { .. }
        | Instr::LeavePort { .. }
        | Instr::Fail { .. }
        | Instr::Reinstall { .. }
        | Instr::Begin
        | Instr::SetDone { begun: true, .. }
        | Instr::Under
        | Instr::Pack { .. }
        | Instr::WindowLeave => true,
        Instr::UnpackN { count, .. } => *count as usize > EXACT,
        Instr::Rest { keeper, .. } => !matches!(keeper, Keeper::Known(_)),
        Instr::Builtin { builtin, .. } => !computes(*builtin),
        _ => false,
    }
}

/// Whether a built-in operator is computed by machine code.
fn computes(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Sqrt
            | Builtin::Abs
            | Builtin::Pow
            | Builtin::IsNaN
            | Builtin::EqualChars
            | Builtin::ToFloat
            | Builtin::CharToInt
    ) || runtime::address_of(builtin).is_some()
}
