//! Answer to protocol.
