//! Patterns.

use super::Lowering;
use crate::ast::{Pattern, PatternId, PatternKind};
use crate::error::SyntaxErrorKind;
use crate::language::Kind;
use crate::literal;
use crate::stack::ensure_sufficient_stack;

impl Lowering<'_> {
    /// The current node as a pattern.
    pub(super) fn pattern(&mut self, kind: Kind) -> PatternId {
        // Patterns nest in brackets alone, and brackets nest to a limit.
        ensure_sufficient_stack(|| {
            let id = self.id();
            let kind = self.pattern_kind(kind).unwrap_or(PatternKind::Missing);
            self.patterns.alloc(Pattern { id, kind })
        })
    }

    fn pattern_kind(&mut self, kind: Kind) -> Option<PatternKind> {
        match kind {
            Kind::VariablePattern => self.name().map(PatternKind::Name),
            Kind::Natural if self.range().is_empty() => None,
            Kind::Natural => Some(PatternKind::Integer(self.integer(false))),
            Kind::NegativeNatural => {
                let mut value = None;
                self.children(|this, kind| {
                    if kind == Kind::Natural && !this.range().is_empty() {
                        value = Some(this.integer(true));
                    }
                });
                value.map(PatternKind::Integer)
            }
            Kind::Character => self.character().map(PatternKind::Char),
            Kind::String => Some(PatternKind::String(self.string())),
            Kind::ListPattern => Some(PatternKind::List(self.patterns_inside())),
            Kind::ConsPattern => {
                let mut parts = self.patterns_inside().into_iter();
                let head = parts.next().unwrap_or_else(|| self.missing_pattern());
                let tail = parts.next().unwrap_or_else(|| self.missing_pattern());
                Some(PatternKind::Cons { head, tail })
            }
            Kind::ConstructorPattern => {
                let mut name = None;
                let mut args = Vec::new();
                self.children(|this, kind| match kind {
                    Kind::Name => name = this.name(),
                    _ if kind.is_pattern() => args.push(this.pattern(kind)),
                    _ => {}
                });
                Some(PatternKind::Constructor { name: name?, args })
            }
            Kind::CatchAllPattern => {
                let mut name = None;
                self.children(|this, kind| {
                    if kind == Kind::Name {
                        name = this.name();
                    }
                });
                name.map(PatternKind::CatchAll)
            }
            Kind::CommandPattern => self.command_pattern(),
            _ => None,
        }
    }

    fn patterns_inside(&mut self) -> Vec<PatternId> {
        let mut patterns = Vec::new();
        self.children(|this, kind| {
            if kind.is_pattern() {
                patterns.push(this.pattern(kind));
            }
        });
        patterns
    }

    fn command_pattern(&mut self) -> Option<PatternKind> {
        let mut name = None;
        let mut index = 0;
        let mut after_dot = false;
        let mut args = Vec::new();
        let mut continuation = None;
        self.children(|this, kind| match kind {
            Kind::Name if name.is_none() => name = this.name(),
            Kind::Name => continuation = this.name(),
            Kind::Dot => after_dot = true,
            Kind::Natural if after_dot => {
                after_dot = false;
                match literal::natural(this.node_text()).and_then(|value| u32::try_from(value).ok())
                {
                    Some(value) => index = value,
                    None => {
                        let range = this.range();
                        this.error(
                            SyntaxErrorKind::NumberTooLarge,
                            range,
                            "no ability has so many instances",
                        );
                    }
                }
            }
            _ if kind.is_pattern() => args.push(this.pattern(kind)),
            _ => {}
        });
        Some(PatternKind::Command {
            name: name?,
            index,
            args,
            continuation: continuation?,
        })
    }

    /// The current natural with a sign in front, or none; `None` after an error.
    fn integer(&mut self, negative: bool) -> Option<i64> {
        let value = literal::natural(self.node_text()).and_then(|value| match negative {
            true => 0i64.checked_sub_unsigned(value),
            false => i64::try_from(value).ok(),
        });
        if value.is_none() {
            self.number_too_large();
        }
        value
    }
}
