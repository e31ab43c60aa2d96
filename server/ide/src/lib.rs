//! Position to answer.
