//! The front end: Frank texts come in; names, types, findings and the typed core come out.
//!
//! The crate never fails: every term has a type and every item a meaning, however broken the text.
//! It does no input or output and knows no editor protocol: texts are given to it, and it asks for
//! none.
//!
//! # The way through
//!
//! | Question | Answer |
//! |---|---|
//! | how do texts and edits come in? | [`files::Files`]; another thread reads a [`snapshot::Snapshot`] |
//! | what is wrong with a file, or with a term? | [`file_findings`] |
//! | what does a finding say, and where? | [`diagnostics::Diagnostic`] |
//! | which definition does a name mean? | [`program`]; for local variables, [`scopes`] |
//! | what does a declaration say? | [`declarations`], in terms of [`types`] |
//! | which type and ability does a term have? | [`check::inference`], written as text by [`show`] and [`inferred`] |
//! | how do I get something to run? | [`link::link`] |
//!
//! To change the checker, read [`types`], [`infer`], [`report`] and [`lints`], in this order. What
//! makes it incremental is in [`db`], which has its inputs, and then in [`groups`] and [`aside`].
//!
//! Two words are used everywhere. An *item* is a piece of a file that is parsed by itself: a
//! declaration, a signature, one clause. A *scope* is the file whose names count: the root of a
//! program, or a library file. All offsets are bytes, and the first byte is 0.
//!
//! # Example
//!
//! ```
//! use std::ops::Range;
//!
//! use frank_analysis::check::inference;
//! use frank_analysis::diagnostics::Code;
//! use frank_analysis::file_findings::file_diagnostics;
//! use frank_analysis::files::Files;
//! use frank_analysis::inferred;
//! use frank_analysis::link::{EntryPoint, link};
//! use frank_syntax::ast::Symbol;
//!
//! let mut files = Files::new(None);
//! let file = files.set_text("double.fk", "double : Int -> Int\ndouble n = 'c'\n");
//!
//! let findings = file_diagnostics(files.db(), file);
//! assert_eq!(findings.len(), 1);
//! assert_eq!(findings[0].code, Code::TypeMismatch);
//! let range = Range::<usize>::from(files.range(findings[0].location));
//! assert_eq!(range, 31..34); // the bytes of `'c'`
//!
//! // An edit: five bytes take the place of those three.
//! files.edit(file, "double : Int -> Int\ndouble n = n + n\n", range, 5);
//! assert!(file_diagnostics(files.db(), file).is_empty());
//!
//! let name = Symbol::new("double");
//! let checked = inference(files.db(), file, name).as_ref().expect("there is such an operator");
//! let signature = inferred::signature(files.db(), file, checked);
//! assert_eq!(signature.as_deref(), Some("Int -> Int"));
//!
//! let source = files.term(file, "double 21");
//! let program = link(files.db(), &[EntryPoint::Term { scope: file, source }])?;
//! assert_eq!(program.entries[0].ty, frank_core::Type::Int);
//! # Ok::<(), frank_analysis::link::LinkError>(())
//! ```

pub mod aside;
pub mod builtin;
pub mod by_type;
mod changes;
pub mod check;
pub mod copies;
pub mod db;
pub mod declarations;
pub mod definitions;
pub mod derivatives;
pub mod diagnostics;
pub mod entries;
pub mod file_findings;
pub mod files;
pub mod fixes;
pub mod free_names;
mod grouping;
pub mod groups;
pub mod holes;
pub mod index;
pub mod infer;
pub mod inferred;
pub mod interrupt;
pub mod link;
pub mod lints;
mod lower_types;
pub mod marked;
mod neighbours;
pub mod params;
pub mod parts;
mod performs;
pub mod program;
pub mod program_roots;
mod reading;
pub mod report;
pub mod scopes;
pub mod show;
pub mod snapshot;
pub mod spelling;
pub mod surroundings;
pub mod truth_values;
pub mod types;
