//! How texts are read as programs.

use std::borrow::Cow;
use std::sync::Arc;

use frank_syntax::lines::unified;
use frank_syntax::notebook::{is_notebook, program};
use frank_syntax::outline::Outline;

/// What is made of a text before anything reads it.
pub(crate) struct Reading<'t> {
    /// As a program.
    pub text: Cow<'t, str>,
    pub outline: Outline,
    /// As it was written, if it is read in another way.
    pub written: Option<Arc<str>>,
}

impl<'t> Reading<'t> {
    pub fn new(path: &str, text: &'t str) -> Reading<'t> {
        let text = unified(text);
        if is_notebook(path) {
            let read = program(&text);
            return Reading {
                text: read.text.into(),
                outline: read.outline,
                written: Some(text.into()),
            };
        }
        Reading {
            outline: Outline::new(&text),
            text,
            written: None,
        }
    }
}
