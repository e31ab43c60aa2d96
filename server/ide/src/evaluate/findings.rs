//! Findings from evaluated derivatives.

use frank_analysis::db::SourceFile;
use frank_analysis::db::item_name;
use frank_analysis::diagnostics::{Code, Diagnostic, Location};

use super::result::{DerivativeResult, label};
use crate::Analysis;

impl Analysis {
    /// The finding for an operator of a file whose derivatives, one result for each point, differ from
    /// one another or from finite differences. `None` if none does, or the program has changed since.
    pub fn disagreement(
        &self,
        file: SourceFile,
        operator: &str,
        results: &[DerivativeResult],
    ) -> Option<Diagnostic> {
        let wrong = |result: &DerivativeResult| result.disagrees() || result.fails_check();
        let stamp = results.first()?.stamp;
        if !results.iter().any(wrong) || stamp != self.derivative_stamp(file, operator) {
            return None;
        }
        let item = self.operator_item(file, operator)?;
        let name = Location::node(item, item_name(self.db(), item)?);
        let message = label(results, false);
        Some(Diagnostic::new(Code::DerivativesDisagree, name, message))
    }
}
