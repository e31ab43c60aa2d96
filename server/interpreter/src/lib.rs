//! Typed core to values.
