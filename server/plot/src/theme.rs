//! What colours a picture has.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    #[default]
    Light,
    Dark,
    /// For a background that is not known: nothing behind it, and colours that can be read on white and on black.
    Neutral,
}
