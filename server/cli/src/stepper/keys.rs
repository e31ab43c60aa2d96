//! Which key is which action.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Question;

/// What a person can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Next,
    Back,
    PageDown,
    PageUp,
    First,
    Last,
    NextCommand,
    PreviousCommand,
    /// To the handler's answer.
    Handled,
    Over,
    Out,
    /// To where the value at the focus was made.
    Made,
    /// To where the last jump began.
    Return,
    FindNext,
    FindPrevious,
    Down,
    Up,
    /// Folds what is large, or shows all of it.
    Fold,
    /// Twice as much of a large term is opened, or half as much.
    More,
    Less,
    Help,
    Ask(Question),
    /// Of what is open before the run, else of the run.
    Close,
    Quit,
    /// A character of an answer.
    Write(char),
    Erase,
    Complete,
    /// The answer is whole.
    Answer,
    /// Nothing is asked for any more.
    Dismiss,
}

/// What is said of the keys, in the order of their use.
pub const HELP: &[(&str, &str)] = &[
    ("→ l space", "the next state"),
    ("← h", "the state before"),
    ("c  C", "the next command, the command before"),
    ("i", "the next command of an interface, or with a name"),
    ("a", "the handler's answer to the command"),
    ("o", "over: until the focus has its value"),
    ("u", "out: until the frame around the focus has its value"),
    ("m", "where the value at the focus was made"),
    ("b", "back to where the last jump began"),
    ("/  n  N", "search a text; again; backwards"),
    ("#", "the state with a number"),
    ("PgDn PgUp", "20 states on, 20 back"),
    ("Home g, End G", "the first state, the last one"),
    ("↓ ↑", "move the term"),
    ("f", "unfold all of a large term, or fold it again"),
    ("+ -", "open more of it, or less"),
    ("q", "quit"),
];

/// The keys that the last line names.
pub const SHORT: &str =
    "→ next  ← back  c command  a answer  o over  m made  / search  ? all keys  q quit";

/// What a key means, while a question is asked or not.
pub fn action(key: KeyEvent, is_asked: bool) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') if is_asked => Some(Action::Dismiss),
            KeyCode::Char('c' | 'd') => Some(Action::Quit),
            _ => None,
        };
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    if is_asked {
        return match key.code {
            KeyCode::Char(c) => Some(Action::Write(c)),
            KeyCode::Backspace => Some(Action::Erase),
            KeyCode::Tab => Some(Action::Complete),
            KeyCode::Enter => Some(Action::Answer),
            KeyCode::Esc => Some(Action::Dismiss),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Right | KeyCode::Enter | KeyCode::Char('l' | ' ') => Action::Next,
        KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') => Action::Back,
        KeyCode::PageDown => Action::PageDown,
        KeyCode::PageUp => Action::PageUp,
        KeyCode::Home | KeyCode::Char('g') => Action::First,
        KeyCode::End | KeyCode::Char('G') => Action::Last,
        KeyCode::Char('c') => Action::NextCommand,
        KeyCode::Char('C') => Action::PreviousCommand,
        KeyCode::Char('i') => Action::Ask(Question::Name),
        KeyCode::Char('a') => Action::Handled,
        KeyCode::Char('o') => Action::Over,
        KeyCode::Char('u') => Action::Out,
        KeyCode::Char('m') => Action::Made,
        KeyCode::Char('b') => Action::Return,
        KeyCode::Char('/') => Action::Ask(Question::Text),
        KeyCode::Char('n') => Action::FindNext,
        KeyCode::Char('N') => Action::FindPrevious,
        KeyCode::Char('#') => Action::Ask(Question::Number),
        KeyCode::Down | KeyCode::Char('j') => Action::Down,
        KeyCode::Up | KeyCode::Char('k') => Action::Up,
        KeyCode::Char('f') => Action::Fold,
        KeyCode::Char('+' | '=') => Action::More,
        KeyCode::Char('-') => Action::Less,
        KeyCode::Char('?') => Action::Help,
        KeyCode::Char('q') => Action::Close,
        KeyCode::Esc => Action::Dismiss,
        _ => return None,
    })
}
