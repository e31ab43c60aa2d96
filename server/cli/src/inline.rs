//! Pictures between the lines of a terminal: which it shows, by what it says of itself in the environment, and how
//! large they are. It is not asked: many do not answer, and what others answer would stand in the input of a program.

use std::io;

use crate::args::{Color, PictureFormat};
use crate::output;

/// The widest picture, in columns, if nobody asks for another one.
const MOST_COLUMNS: usize = 100;
/// A letter has so many pixels, if a picture is to be as wide as some letters.
const LETTER: (usize, usize) = (8, 16);

/// What a picture for standard output is written as.
pub fn format(color: Color) -> PictureFormat {
    // Whoever wants no colours wants no other escape sequences, and one that only prints has none.
    if !output::is_capable(&io::stdout()) || !output::colored(color, &io::stdout()) {
        return PictureFormat::Text;
    }
    shown_by(|name| std::env::var(name).unwrap_or_default())
}

/// What a terminal shows; `says` gives a variable of the environment, or nothing.
fn shown_by(says: impl Fn(&str) -> String) -> PictureFormat {
    let term = says("TERM");
    let is = |names: &[&str]| names.iter().any(|name| term.starts_with(name));
    // These stand between this program and the terminal, and hand on text alone.
    let between = ["TMUX", "STY", "ZELLIJ"];
    if between.iter().any(|name| !says(name).is_empty()) || is(&["tmux", "screen"]) {
        return PictureFormat::Text;
    }
    let konsole: u32 = says("KONSOLE_VERSION").parse().unwrap_or_default();
    match &*says("TERM_PROGRAM") {
        "ghostty" | "WezTerm" => PictureFormat::Kitty,
        _ if is(&["xterm-kitty", "xterm-ghostty"]) => PictureFormat::Kitty,
        _ if !says("KITTY_WINDOW_ID").is_empty() => PictureFormat::Kitty,
        "iTerm.app" | "mintty" => PictureFormat::Sixel,
        _ if is(&["foot", "mlterm", "contour"]) || konsole >= 22_04_00 => PictureFormat::Sixel,
        _ => PictureFormat::Text,
    }
}

/// How large a picture is that fits into the terminal: in columns, and in pixels.
pub fn room() -> (usize, (u32, u32)) {
    let (columns, rows) = output::size();
    let columns = columns.clamp(20, MOST_COLUMNS);
    let width = columns * LETTER.0;
    // The line of the prompt stays in sight.
    let height = (width * 3 / 5).min(rows.saturating_sub(2).max(10) * LETTER.1);
    let pixels = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
    (columns, (pixels(width), pixels(height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(said: &[(&str, &str)], expected: PictureFormat) {
        let says = |name: &str| {
            let mut said = said.iter().filter(|(own, _)| *own == name);
            said.next().map_or("", |(_, value)| value).to_owned()
        };
        assert_eq!(shown_by(says), expected, "{said:?}");
    }

    #[test]
    fn terminals_say_what_they_show() {
        check(&[("TERM", "xterm-kitty")], PictureFormat::Kitty);
        let vscode = [("TERM", "xterm-256color"), ("TERM_PROGRAM", "vscode")];
        check(&vscode, PictureFormat::Text);
        let wezterm = [("TERM", "xterm-256color"), ("TERM_PROGRAM", "WezTerm")];
        check(&wezterm, PictureFormat::Kitty);
        check(&[("TERM", "foot-direct")], PictureFormat::Sixel);
        let konsole = |version| [("TERM", "xterm-256color"), ("KONSOLE_VERSION", version)];
        check(&konsole("210800"), PictureFormat::Text);
        check(&konsole("220401"), PictureFormat::Sixel);
        check(&[], PictureFormat::Text);
    }

    #[test]
    fn what_stands_between_hands_on_text() {
        let kitty = ("KITTY_WINDOW_ID", "1");
        check(&[kitty, ("TERM", "xterm-256color")], PictureFormat::Kitty);
        check(&[kitty, ("TERM", "tmux-256color")], PictureFormat::Text);
        let nested = [
            kitty,
            ("TERM", "xterm-kitty"),
            ("TMUX", "/tmp/tmux-0/default"),
        ];
        check(&nested, PictureFormat::Text);
    }
}
