//! What the answering thread and the sockets both know of messages.

use jupyter_protocol::{
    JupyterMessage, JupyterMessageContent, KernelInfoReply, LanguageInfo, ReplyStatus,
    ShutdownReply, UnknownMessage,
};

use crate::received::Received;

/// What there is to do.
pub enum Work {
    Asked(Box<Received>),
    End,
}

/// What the kernel says of itself.
pub fn kernel_info() -> KernelInfoReply {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    KernelInfoReply {
        status: ReplyStatus::Ok,
        protocol_version: "5.3".to_owned(),
        implementation: "frank".to_owned(),
        implementation_version: version.clone(),
        language_info: LanguageInfo {
            name: "frank".to_owned(),
            version: version.clone(),
            mimetype: Some("text/x-frank".to_owned()),
            file_extension: Some(".fk".to_owned()),
            pygments_lexer: Some("text".to_owned()),
            codemirror_mode: None,
            nbconvert_exporter: None,
        },
        banner: format!("Frank {version}"),
        help_links: Vec::new(),
        debugger: false,
        error: None,
    }
}

/// That the kernel ends.
pub fn shutdown_reply(restart: bool) -> ShutdownReply {
    ShutdownReply {
        restart,
        status: ReplyStatus::Ok,
        error: None,
    }
}

/// What is answered to a request that lacks something: an error, under the name of its reply. What is no request has no
/// answer.
pub fn refusal(asked: &JupyterMessage, reason: &str) -> Option<JupyterMessageContent> {
    let name = asked.header.msg_type.strip_suffix("_request")?;
    let error = serde_json::json!({
        "status": "error",
        "ename": "WrongRequest",
        "evalue": reason,
        "traceback": [reason],
    });
    let reply = UnknownMessage {
        msg_type: format!("{name}_reply"),
        content: error,
    };
    Some(reply.into())
}
