//! What comparisons give.

use frank_syntax::ast::Symbol;

use crate::builtin::{false_, true_};
use crate::db::{Db, SourceFile};
use crate::declarations::data_type;
use crate::program::{ConstructorDef, DataDef, resolve_data};

/// The truth values of a scope: its `Bool`, `true` and `false`. A program's own `Bool` takes the
/// place of the built-in one where it has both of these; comparisons give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TruthValues {
    pub data: DataDef,
    pub true_: ConstructorDef,
    pub false_: ConstructorDef,
}

/// The truth values of the scope of a program.
#[salsa::tracked(returns(copy))]
pub fn truth_values(db: &dyn Db, scope: SourceFile) -> TruthValues {
    let own = resolve_data(db, scope, Symbol::new("Bool")).and_then(|data| {
        let declared = data_type(db, data.0.scope, data.0.name).as_ref()?;
        let constructor = |wanted: &str| {
            let mut all = declared.constructors.iter().enumerate();
            let (index, found) = all.find(|(_, c)| c.name.as_str() == wanted)?;
            let index = index as u32;
            found.fields.is_empty().then_some(ConstructorDef {
                data,
                index,
                name: found.name,
            })
        };
        let plain = declared.params.all.is_empty();
        let (true_, false_) = (constructor("true")?, constructor("false")?);
        plain.then_some(TruthValues {
            data,
            true_,
            false_,
        })
    });
    let data = true_(db).data;
    own.unwrap_or(TruthValues {
        data,
        true_: true_(db),
        false_: false_(db),
    })
}
