//! Tree to meaning.
