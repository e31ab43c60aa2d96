//! A module that notes which of its functions are called.

use walrus::ir::{Const, GlobalSet, Value};
use walrus::{ConstExpr, Module, ValType};

/// Has each function set a global of its own, which is exported.
pub fn mark(module: &mut Module) {
    for (number, function) in crate::functions(module).into_iter().enumerate() {
        let never = ConstExpr::Value(Value::I32(0));
        let global = module.globals.add_local(ValType::I32, true, false, never);
        module.exports.add(&format!("called {number}"), global);
        let function = module.funcs.get_mut(function).kind.unwrap_local_mut();
        let value = Value::I32(1);
        function
            .builder_mut()
            .func_body()
            .instr_at(0, Const { value })
            .instr_at(1, GlobalSet { global });
    }
}
