//! For which processor machine code is made, and how.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;

/// A module whose memory goes with it. Whoever calls its code borrows it meanwhile.
pub struct OwnModule(ManuallyDrop<JITModule>);

impl OwnModule {
    pub fn new(builder: JITBuilder) -> OwnModule {
        OwnModule(ManuallyDrop::new(JITModule::new(builder)))
    }
}

impl Deref for OwnModule {
    type Target = JITModule;

    fn deref(&self) -> &JITModule {
        &self.0
    }
}

impl DerefMut for OwnModule {
    fn deref_mut(&mut self) -> &mut JITModule {
        &mut self.0
    }
}

impl Drop for OwnModule {
    fn drop(&mut self) {
        // SAFETY: the module is taken out here alone.
        let module = unsafe { ManuallyDrop::take(&mut self.0) };
        // SAFETY: none of its code runs any more: what runs it borrows what owns this, and no address of it is kept but
        // beside this.
        unsafe { module.free_memory() };
    }
}

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
