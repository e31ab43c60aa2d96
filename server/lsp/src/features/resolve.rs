//! What is sent along with an answer, so that a part of it can be asked for later.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_lsp::ls_types::Uri;

/// The `data` of something that is resolved later: the document that it is in, and what the feature
/// has to know again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ResolveData<D> {
    pub uri: Uri,
    #[serde(flatten)]
    pub item: D,
}

impl<D: Serialize> ResolveData<D> {
    /// As the client is sent it.
    pub fn write(uri: &Uri, item: D) -> Option<Value> {
        let uri = uri.clone();
        serde_json::to_value(ResolveData { uri, item }).ok()
    }
}

impl<D: DeserializeOwned> ResolveData<D> {
    /// As the client sends it back; `None` if it is something else.
    pub fn read(data: Option<&Value>) -> Option<ResolveData<D>> {
        serde_json::from_value(data?.clone()).ok()
    }
}
