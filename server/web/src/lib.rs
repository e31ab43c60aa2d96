//! The language server as WebAssembly: what a worker of a browser calls.
//!
//! Built by `server/web/build`, with a little JavaScript made by `wasm-bindgen`. All that it knows of Frank is in
//! [`frank_lsp`]: messages come in and go out as JSON.

use frank_lsp::embedded::Embedded;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// A JavaScript function that takes a message for the client.
    #[wasm_bindgen(typescript_type = "(message: string) => void")]
    pub type Send;

    #[wasm_bindgen(method, structural)]
    fn call(this: &Send, receiver: &JsValue, message: &str);
}

/// A server with one client.
#[wasm_bindgen]
pub struct Server {
    server: Embedded,
}

#[wasm_bindgen]
impl Server {
    /// A server that calls `send` with each message to the client, as JSON. With `self_test` it answers requests that
    /// only tests make.
    #[wasm_bindgen(constructor)]
    pub fn new(send: Send, self_test: Option<bool>) -> Server {
        console_error_panic_hook::set_once();
        let send = move |message: String| send.call(&JsValue::UNDEFINED, &message);
        Server {
            server: Embedded::new(send, self_test.unwrap_or(false)),
        }
    }

    /// Takes a message of the client's, as JSON, and does all that comes of it.
    pub fn receive(&mut self, message: &str) {
        self.server.receive(message);
    }

    /// In how many milliseconds [`wake`](Server::wake) is to be called if no message comes; `undefined` for never.
    pub fn wait(&self) -> Option<f64> {
        let wait = self.server.wakes_in()?;
        Some(1e3 * wait.as_secs_f64())
    }

    /// Does what has waited for the time that it is now.
    pub fn wake(&mut self) {
        self.server.wake();
    }
}
