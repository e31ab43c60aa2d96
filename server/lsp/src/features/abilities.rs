//! Abilities as stacks of instances, as clients get them.

use frank_ide::{Origin, Stack, StackInstance};
use serde::Serialize;
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::RequestSnapshot;

/// An ability, by interface, the active instance of each first.
#[derive(Debug, Serialize)]
pub struct Ability {
    pub instances: Vec<Instance>,
    pub rest: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Instance {
    pub instance: String,
    pub active: bool,
    /// Who brings it and handles its commands.
    pub by: Vec<By>,
}

#[derive(Debug, Serialize)]
pub struct By {
    pub text: String,
    pub location: Option<lsp::Location>,
}

/// An ability as a client gets it.
pub fn ability(snapshot: &RequestSnapshot, stack: Stack) -> Ability {
    let instance = |instance: StackInstance| Instance {
        instance: instance.shown,
        active: instance.active,
        by: instance
            .origins
            .into_iter()
            .map(|origin| by(snapshot, origin))
            .collect(),
    };
    Ability {
        instances: stack.instances.into_iter().map(instance).collect(),
        rest: stack.rest,
    }
}

fn by(snapshot: &RequestSnapshot, origin: Origin) -> By {
    By {
        text: origin.text,
        location: origin.at.and_then(|at| snapshot.location(at)),
    }
}
