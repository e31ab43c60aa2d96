//! Where lines begin.
//!
//! The line breaks of an item are its author's. For each line that continues an item there are a few
//! columns that it may begin in, its *stops*: two columns to the right of the line that it belongs to,
//! or below something that it stands beside. A line that begins at a stop stays with what that stop
//! is attached to; all others go to the first of their stops.

use super::layout::{Layout, Line, Stop};
use super::token::{Bracket, Kind, NONE};
use crate::outline::OutlineKind;

/// So many tokens are looked at to find one above; a long list is not searched to its start for each
/// of its lines.
const SIBLINGS: usize = 64;

/// What is known about the inside of a bracket, or of an item outside of all brackets, from what was
/// read of it.
struct Level {
    /// The bracket, or `NONE`.
    opener: usize,
    /// The first token of the line that the bracket is on; of an item, its first token.
    home: usize,
    /// True if the line ends behind the bracket.
    hanging: bool,
    /// The first token of the present clause body, element or type, and that of the present
    /// statement within it: behind `;`, `in` and the `=` of a `let` there begins another.
    sequence: usize,
    statement: usize,
    /// The latest operator of the statement.
    operator: usize,
    begins_sequence: bool,
    begins_statement: bool,
    /// The first token inside.
    element: usize,
    lets: Vec<usize>,
    siblings: Vec<usize>,
    /// The latest `:` and `=`.
    colon: usize,
    equals: usize,
}

impl Level {
    fn new(opener: usize, home: usize, hanging: bool) -> Level {
        Level {
            opener,
            home,
            hanging,
            sequence: NONE,
            statement: NONE,
            operator: NONE,
            begins_sequence: true,
            begins_statement: true,
            element: NONE,
            lets: Vec::new(),
            siblings: Vec::new(),
            colon: NONE,
            equals: NONE,
        }
    }
}

/// The tokens that can stand below one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Element,
    Separator,
    Arrow,
    Other,
}

fn shape(kind: Kind) -> Shape {
    match kind {
        Kind::Name
        | Kind::Keyword
        | Kind::Let
        | Kind::Number
        | Kind::Text
        | Kind::Negate
        | Kind::Open(_)
        | Kind::BlockComment => Shape::Element,
        Kind::Equals
        | Kind::Bar
        | Kind::InnerBar
        | Kind::Comma
        | Kind::Semicolon
        | Kind::Operator => Shape::Separator,
        Kind::Arrow => Shape::Arrow,
        _ => Shape::Other,
    }
}

/// Finds the columns of all tokens, given where lines are broken.
pub(super) fn find_columns(layout: &mut Layout) {
    layout.find_lines();
    for part in 0..layout.parts.len() {
        let Some(kind) = layout.parts.get(part).map(|part| part.kind) else {
            break;
        };
        indent(layout, part, kind);
    }
    layout.align();
    layout.place_comments();
}

/// Finds the stops of the lines of one item and gives its tokens their adjusted columns.
fn indent(layout: &mut Layout, item: usize, kind: OutlineKind) {
    let Some(lines) = layout.item_lines(item) else {
        return;
    };
    let mut indenter = Indenter {
        kind,
        levels: Vec::new(),
        previous: NONE,
        head: NONE,
        barred: Vec::new(),
    };
    for line in lines.clone() {
        let first = layout
            .lines
            .get(line)
            .and_then(|line| layout.token(line.code));
        if let Some(bar) = first.filter(|first| first.kind == Kind::Bar) {
            indenter.barred.push(bar.parent);
        }
    }
    indenter.barred.sort_unstable();
    for index in lines {
        let Some(line) = layout.lines.get(index).cloned() else {
            continue;
        };
        if line.code != NONE {
            indenter.line(layout, &line);
        }
    }
}

struct Indenter {
    kind: OutlineKind,
    levels: Vec<Level>,
    /// The code token before.
    previous: usize,
    /// The first code token of the item.
    head: usize,
    /// The brackets (`NONE` for the item) that have lines which begin with a `|`.
    barred: Vec<usize>,
}

impl Indenter {
    fn line(&mut self, layout: &mut Layout, line: &Line) {
        if self.head == NONE {
            self.head = line.code;
            self.levels.push(Level::new(NONE, line.code, false));
        } else if let Some(level) = self.levels.last()
            && let Some((stop, stops)) = self.stops(layout, line.code, level)
        {
            let stop = self.choose(layout, line, level, stop, &stops);
            layout.attach(line, stop);
        }
        for index in line.first..line.end {
            self.token(layout, index);
        }
    }

    /// The stop that the line is at, or else the first.
    fn choose(
        &self,
        layout: &Layout,
        line: &Line,
        level: &Level,
        default: Stop,
        stops: &[Stop],
    ) -> Stop {
        let Some(first) = layout.token(line.first).filter(|first| !first.free) else {
            return default;
        };
        let is_at = |stop: &Stop| {
            let anchor = layout.token(stop.anchor);
            anchor.is_some_and(|anchor| anchor.raw + stop.offset == first.raw)
                && !layout.on_free_line(stop.anchor)
        };
        if let Some(stop) = std::iter::once(&default)
            .chain(stops)
            .find(|stop| is_at(stop))
        {
            return *stop;
        }
        let Some(code) = layout.token(line.code) else {
            return default;
        };
        let own = shape(code.kind);
        // The arguments of something at the start of a line stay to the right of it.
        let continues = own != Shape::Other && self.continues(layout, line.code);
        let from = if continues && layout.begins_line(level.statement) {
            level.statement + 1
        } else {
            0
        };
        let found = level
            .siblings
            .iter()
            .rev()
            .take(SIBLINGS)
            .find(|&&sibling| {
                let above = layout
                    .token(sibling)
                    .map_or(Shape::Other, |token| shape(token.kind));
                let fits = match (own, above) {
                    (Shape::Other, _) | (_, Shape::Other) => false,
                    (Shape::Separator, Shape::Element) => code.kind == Kind::Operator,
                    (own, above) => own == above,
                };
                fits && sibling >= from
                    && is_at(&Stop {
                        anchor: sibling,
                        offset: 0,
                    })
            });
        found.map_or(default, |&anchor| Stop { anchor, offset: 0 })
    }

    /// True if the token goes on with the statement that the token before is in.
    fn continues(&self, layout: &Layout, index: usize) -> bool {
        let ends = layout.token(self.previous).is_some_and(|previous| {
            previous.kind.ends_operand()
                || matches!(
                    previous.kind,
                    Kind::Close(_) | Kind::Operator | Kind::Negate | Kind::Let | Kind::Keyword
                )
        });
        let starts = layout.token(index).is_some_and(|token| {
            matches!(shape(token.kind), Shape::Element) || token.kind == Kind::Operator
        });
        ends && starts
    }

    /// The default stop for a line that begins with the code token `index`, and further ones.
    fn stops(&self, layout: &Layout, index: usize, level: &Level) -> Option<(Stop, Vec<Stop>)> {
        let token = layout.token(index)?;
        let at = |anchor, offset| Stop { anchor, offset };
        let home = at(level.home, 2);
        let below = |anchor: usize, fallback: Stop| {
            if anchor == NONE {
                fallback
            } else {
                at(anchor, 0)
            }
        };
        let first_of = |anchor: usize| layout.line_first(anchor);
        let previous = layout.token(self.previous)?.kind;
        Some(match token.kind {
            // Layout does not count these, so they may not go back to the item column.
            Kind::Close(Bracket::Angle) => {
                let bracket = at(level.opener, 0);
                if level.hanging {
                    (home, vec![bracket])
                } else {
                    (bracket, vec![home])
                }
            }
            Kind::Close(_) => {
                let (line, bracket) = (at(level.home, 0), at(level.opener, 0));
                if level.hanging {
                    (line, vec![bracket])
                } else {
                    (bracket, vec![line])
                }
            }
            Kind::Bar if level.opener == NONE => {
                if layout.ends_line(level.equals) || level.equals == NONE {
                    (home, vec![below(level.equals, home)])
                } else {
                    (at(level.equals, 0), vec![home])
                }
            }
            Kind::Bar | Kind::InnerBar | Kind::Comma if level.opener != NONE => {
                let bracket = at(level.opener, 0);
                if level.hanging {
                    (home, vec![bracket])
                } else {
                    (bracket, vec![home])
                }
            }
            // Its tip stands below the `:` or bracket that the type begins with.
            Kind::Arrow => {
                let mark = if level.opener == NONE {
                    level.colon
                } else {
                    level.opener
                };
                if self.kind == OutlineKind::Clause || mark == NONE {
                    (home, Vec::new())
                } else if layout.ends_line(mark) {
                    (at(first_of(mark), 2), vec![home])
                } else {
                    // The paper's other way: in the same columns for names of all lengths.
                    let fixed = if level.opener == NONE { 4 } else { 6 };
                    (at(mark, -1), vec![home, at(self.head, fixed)])
                }
            }
            Kind::In => {
                let opening = level.lets.last().copied().unwrap_or(NONE);
                (
                    below(opening, home),
                    vec![below(level.sequence, home), home],
                )
            }
            _ => match previous {
                Kind::Semicolon | Kind::In => {
                    let first = level.sequence;
                    let default = if first != NONE
                        && (layout.begins_line(first)
                            || first == level.element && level.opener != NONE)
                    {
                        at(first, 0)
                    } else {
                        home
                    };
                    (
                        default,
                        vec![below(first, home), below(level.statement, home), home],
                    )
                }
                // The first of several is as far to the right as those behind a `|`.
                Kind::Open(Bracket::Brace) if self.barred.binary_search(&level.opener).is_ok() => {
                    (at(level.home, 4), vec![home])
                }
                Kind::Open(_) => (home, Vec::new()),
                Kind::Equals if level.opener == NONE && level.lets.is_empty() => {
                    let several = self.kind != OutlineKind::Clause
                        && self.barred.binary_search(&NONE).is_ok();
                    let (two, four) = (at(self.head, 2), at(self.head, 4));
                    if several {
                        (four, vec![two])
                    } else {
                        (two, Vec::new())
                    }
                }
                Kind::Arrow if self.kind != OutlineKind::Clause => {
                    (below(level.sequence, home), vec![home])
                }
                Kind::Equals | Kind::Arrow | Kind::Colon => {
                    let line = first_of(self.previous);
                    // Behind a `|` or `{` the clause begins two columns later.
                    let inner = at(layout.second_of(line), 2);
                    (at(line, 2), vec![inner, home])
                }
                Kind::Comma => {
                    let first = level.element;
                    let default = if layout.begins_line(first) || first == level.opener + 1 {
                        below(first, home)
                    } else {
                        home
                    };
                    (default, vec![home])
                }
                Kind::Bar => (home, vec![below(level.element, home)]),
                _ => {
                    let first = level.statement;
                    if first == NONE {
                        (home, Vec::new())
                    } else if layout.begins_line(first) {
                        let beside = if token.kind == Kind::Open(Bracket::Brace) {
                            vec![at(first, 0)]
                        } else {
                            Vec::new()
                        };
                        // Behind an operator that begins a line are the arguments of its operand.
                        let deeper =
                            token.kind != Kind::Operator && layout.begins_line(level.operator);
                        if deeper {
                            (at(level.operator, 2), vec![at(first, 2)])
                        } else {
                            (at(first, 2), beside)
                        }
                    } else {
                        (at(first_of(first), 2), vec![home])
                    }
                }
            },
        })
    }

    /// Takes a token in.
    fn token(&mut self, layout: &Layout, index: usize) {
        let Some(token) = layout.token(index) else {
            return;
        };
        if token.kind.is_comment() {
            return;
        }
        if token.kind.is_close() {
            self.levels.pop();
        }
        let clause = matches!(self.kind, OutlineKind::Clause);
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        if !token.kind.is_close() {
            if level.element == NONE {
                level.element = index;
            }
            if level.begins_sequence {
                level.sequence = index;
                level.begins_sequence = false;
                level.begins_statement = true;
            }
            if level.begins_statement {
                level.statement = index;
                level.operator = NONE;
                level.begins_statement = false;
            }
        }
        level.siblings.push(index);
        match token.kind {
            Kind::Let => level.lets.push(index),
            Kind::In => {
                level.lets.pop();
                level.begins_statement = true;
            }
            Kind::Semicolon => level.begins_statement = true,
            Kind::Operator => level.operator = index,
            Kind::Equals => {
                if level.lets.is_empty() {
                    level.begins_sequence = true;
                } else {
                    level.begins_statement = true;
                }
                level.equals = index;
            }
            Kind::Arrow if clause => level.begins_sequence = true,
            Kind::Arrow => level.begins_statement = true,
            Kind::Bar | Kind::InnerBar | Kind::Comma => level.begins_sequence = true,
            Kind::Colon => {
                level.colon = index;
                level.begins_sequence = true;
            }
            Kind::Open(_) => {
                let home = if layout.line_of(index) == layout.line_of(self.head) {
                    self.head
                } else {
                    layout.line_first(index)
                };
                self.levels
                    .push(Level::new(index, home, layout.ends_line(index)));
            }
            _ => {}
        }
        self.previous = index;
    }
}
