//! For which processor machine code is made, and how.

use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::JITBuilder;
use cranelift_module::default_libcall_names;

/// What makes modules of machine code; `None` where Cranelift has none for this processor.
pub fn jit() -> Option<JITBuilder> {
    let mut flags = settings::builder();
    let chosen = [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("opt_level", "speed"),
        // Calls in tail position need them.
        ("preserve_frame_pointers", "true"),
        (
            "enable_verifier",
            if cfg!(debug_assertions) {
                "true"
            } else {
                "false"
            },
        ),
    ];
    for (name, value) in chosen {
        flags.set(name, value).ok()?;
    }
    let isa = cranelift_native::builder().ok()?;
    let isa = isa.finish(settings::Flags::new(flags)).ok()?;
    Some(JITBuilder::with_isa(isa, default_libcall_names()))
}
