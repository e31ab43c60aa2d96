//! The findings in a file that count: what analysis finds, after what the project's settings, the
//! comments in the file and the disk say about it.

use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::{Code, Diagnostic};
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::snapshot::Snapshot;

use crate::config::{Config, Holes};
use crate::includes::{Unreadable, explain_unreadable};
use crate::suppress::suppress;

/// What decides on the findings in a file.
pub struct Settings<'s> {
    /// The configurations of the file. The first one that sets the severity of a code decides.
    pub configs: &'s [&'s Config],
    /// What holes count as if none of them says it.
    pub holes: Holes,
    pub unreadable: &'s Unreadable,
    /// False if no comment in the file can allow a finding, which saves looking for one.
    pub may_suppress: bool,
}

/// The findings in a file that count, each once, in the order of their places. `more` are those that were found otherwise, as
/// by evaluations; they count as all others do.
pub fn findings(
    snapshot: &Snapshot,
    file: SourceFile,
    more: Vec<Diagnostic>,
    settings: &Settings,
) -> Vec<Diagnostic> {
    let db = snapshot.db();
    let mut found = file_diagnostics(db, file);
    found.extend(more);
    explain_unreadable(db, file, settings.unreadable, &mut found);
    if settings.may_suppress {
        suppress(snapshot, file, &mut found);
    }
    found.retain_mut(|finding| {
        let mut set = settings.configs.iter();
        let by_default = || (finding.code == Code::Hole).then(|| Some(settings.holes.severity()));
        let set = set.find_map(|config| config.severity_of(finding.code));
        match set.or_else(by_default) {
            None => true,
            Some(None) => false,
            Some(Some(severity)) => {
                finding.severity = severity;
                true
            }
        }
    });
    found.sort_by_cached_key(|finding| {
        let range = snapshot.range(finding.location);
        let message = finding.message.clone();
        (range.start(), range.end(), finding.code, message)
    });
    found.dedup_by(|a, b| a.location == b.location && a.code == b.code && a.message == b.message);
    found
}
