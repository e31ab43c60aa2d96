//! Values in one word.
//!
//! A value is 64 bits. Every bit pattern below `0xFFF9 << 48` is a float; above that the upper
//! sixteen bits say what the other forty-eight mean. The space is free for tags because a NaN
//! that arithmetic makes has a payload of zero, and no other NaN gets in: literals and the results
//! of library functions pass through [`Value::float`], which knows a single NaN.
//!
//! | upper 16 bits | meaning | lower 48 bits |
//! |---|---|---|
//! | `FFF9` | an integer that fits | 48 bits, signed |
//! | `FFFA` | a constructor without arguments | tag (16), constructor (32) |
//! | `FFFB` | another small value | kind (16), payload (32) |
//! | `FFFC` | a constructor with arguments | tag (16), handle (32) |
//! | `FFFD` | something to call | kind (16), handle (32) |
//! | `FFFE` | a reference | handle (32) |
//! | `FFFF` | a frame, a join of two stacks, a wide integer, an array | kind (16), handle (32) |
//!
//! From `FFFC` on a value owns a reference to a heap object, so one comparison shows whether
//! copying it has to count.

use serde::{Deserialize, Serialize};

/// A value, or a link of the machine's own. Copying the word does not count the reference: that
/// is up to [`crate::heap::Heap::dup`] and [`crate::heap::Heap::drop`].
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value(pub u64);

const INT: u64 = 0xFFF9;
const NULLARY: u64 = 0xFFFA;
const SMALL: u64 = 0xFFFB;
const CONSTRUCTED: u64 = 0xFFFC;
const CALLABLE: u64 = 0xFFFD;
const REFERENCE: u64 = 0xFFFE;
const SYSTEM: u64 = 0xFFFF;

const FIRST_POINTER: u64 = CONSTRUCTED << 48;
const PAYLOAD: u64 = (1 << 48) - 1;

/// Kinds of small values.
const CHAR: u64 = 0;
const OPERATOR: u64 = 1;
const COMMAND: u64 = 2;
const BOTTOM: u64 = 3;

/// Kinds of things to call.
const CLOSURE: u64 = 0;
const CONTINUATION: u64 = 1;
const PAUSED: u64 = 2;
const FINISHED: u64 = 3;
const ARGUMENT: u64 = 4;
const WAITING: u64 = 5;

/// Kinds of the machine's own objects.
const FRAME: u64 = 0;
const JOIN: u64 = 1;
const WIDE: u64 = 2;
const ARRAY: u64 = 3;

/// The tag kept in the word of a constructor whose own tag is this or more.
pub const LARGE_TAG: u32 = 0xFFFF;

/// What a value is, for those who look at one rarely: printing, errors, calls through a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Float,
    Int,
    /// An integer that does not fit into the word; the handle of its object.
    Wide(u32),
    Char,
    /// A constructor without arguments: its id.
    Nullary(u32),
    Constructed(u32),
    Operator(u32),
    Command(u32),
    Closure(u32),
    Continuation(u32),
    /// A continuation that is nothing but frames: the innermost.
    Waiting(u32),
    /// The thunk that a catch-all makes of a paused argument.
    Paused(u32),
    /// An argument that is paused at a command. Never the value of a term.
    Argument(u32),
    /// The thunk that a catch-all makes of a finished argument.
    Finished(u32),
    Reference(u32),
    Array(u32),
    Frame(u32),
    Join(u32),
    Bottom,
}

impl Value {
    /// The first word that points to an object; all above it do.
    pub const FIRST_POINTER: u64 = FIRST_POINTER;
    /// The upper bits of an integer in its word.
    pub const INT_BITS: u64 = INT << 48;

    /// The end of a segment of the stack; also what an empty register holds.
    pub const BOTTOM: Value = Value::small(BOTTOM, 0);

    pub fn float(x: f64) -> Value {
        if x.is_nan() {
            Value(f64::NAN.to_bits())
        } else {
            Value(x.to_bits())
        }
    }

    /// The result of a basic operation on floats, whose NaN has no payload.
    #[inline(always)]
    pub fn basic_float(x: f64) -> Value {
        Value(x.to_bits())
    }

    #[inline(always)]
    pub fn as_float(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// An integer, if it fits into the word.
    #[inline(always)]
    pub fn int(i: i64) -> Option<Value> {
        if (i << 16) >> 16 == i {
            Some(Value((INT << 48) | (i as u64 & PAYLOAD)))
        } else {
            None
        }
    }

    /// An integer of at most 47 bits, as the machine's own counters are.
    #[inline(always)]
    pub fn small_int(i: u64) -> Value {
        debug_assert!(i < 1 << 47);
        Value((INT << 48) | (i & PAYLOAD))
    }

    /// Whether both are integers in their words; asked of integers only.
    #[inline(always)]
    pub fn both_fit(self, other: Value) -> bool {
        // Other integers have all upper bits set.
        (self.0 | other.0) < (INT + 1) << 48
    }

    /// The sum of two integers in their words, if it fits, too.
    #[inline(always)]
    pub fn plus(self, other: Value) -> Option<Value> {
        // In the upper 48 bits a sum that does not fit overflows.
        let sum = ((self.0 << 16) as i64).checked_add((other.0 << 16) as i64)?;
        Some(Value((INT << 48) | (sum as u64 >> 16)))
    }

    /// Their difference.
    #[inline(always)]
    pub fn minus(self, other: Value) -> Option<Value> {
        let difference = ((self.0 << 16) as i64).checked_sub((other.0 << 16) as i64)?;
        Some(Value((INT << 48) | (difference as u64 >> 16)))
    }

    #[inline(always)]
    pub fn fits(self) -> bool {
        self.0 >> 48 == INT
    }

    /// The integer in the word.
    #[inline(always)]
    pub fn as_small_int(self) -> i64 {
        ((self.0 << 16) as i64) >> 16
    }

    const fn small(kind: u64, payload: u32) -> Value {
        Value((SMALL << 48) | (kind << 32) | payload as u64)
    }

    pub const fn char(c: char) -> Value {
        Value::small(CHAR, c as u32)
    }

    pub const fn operator(id: u32) -> Value {
        Value::small(OPERATOR, id)
    }

    pub const fn command(id: u32) -> Value {
        Value::small(COMMAND, id)
    }

    pub fn nullary(tag: u32, constructor: u32) -> Value {
        Value((NULLARY << 48) | ((tag.min(LARGE_TAG) as u64) << 32) | constructor as u64)
    }

    #[inline(always)]
    pub fn constructed(tag: u32, handle: u32) -> Value {
        Value((CONSTRUCTED << 48) | ((tag.min(LARGE_TAG) as u64) << 32) | handle as u64)
    }

    const fn pointer(upper: u64, kind: u64, handle: u32) -> Value {
        Value((upper << 48) | (kind << 32) | handle as u64)
    }

    pub const fn closure(handle: u32) -> Value {
        Value::pointer(CALLABLE, CLOSURE, handle)
    }

    pub const fn continuation(handle: u32) -> Value {
        Value::pointer(CALLABLE, CONTINUATION, handle)
    }

    pub const fn waiting(frame: u32) -> Value {
        Value::pointer(CALLABLE, WAITING, frame)
    }

    pub const fn paused(handle: u32) -> Value {
        Value::pointer(CALLABLE, PAUSED, handle)
    }

    pub const fn argument(handle: u32) -> Value {
        Value::pointer(CALLABLE, ARGUMENT, handle)
    }

    pub const fn finished(handle: u32) -> Value {
        Value::pointer(CALLABLE, FINISHED, handle)
    }

    pub const fn reference(handle: u32) -> Value {
        Value::pointer(REFERENCE, 0, handle)
    }

    #[inline(always)]
    pub const fn frame(handle: u32) -> Value {
        Value::pointer(SYSTEM, FRAME, handle)
    }

    pub const fn join(handle: u32) -> Value {
        Value::pointer(SYSTEM, JOIN, handle)
    }

    pub const fn wide(handle: u32) -> Value {
        Value::pointer(SYSTEM, WIDE, handle)
    }

    pub const fn array(handle: u32) -> Value {
        Value::pointer(SYSTEM, ARRAY, handle)
    }

    #[inline(always)]
    pub fn is_pointer(self) -> bool {
        self.0 >= FIRST_POINTER
    }

    #[inline(always)]
    pub fn is_reference(self) -> bool {
        self.0 >> 48 == REFERENCE
    }

    #[inline(always)]
    pub fn is_bottom(self) -> bool {
        self == Value::BOTTOM
    }

    #[inline(always)]
    pub fn is_frame(self) -> bool {
        self.0 >> 32 == (SYSTEM << 16) | FRAME
    }

    #[inline(always)]
    pub fn is_closure(self) -> bool {
        self.0 >> 32 == (CALLABLE << 16) | CLOSURE
    }

    #[inline(always)]
    pub fn is_continuation(self) -> bool {
        self.0 >> 32 == (CALLABLE << 16) | CONTINUATION || self.is_waiting()
    }

    #[inline(always)]
    pub fn is_waiting(self) -> bool {
        self.0 >> 32 == (CALLABLE << 16) | WAITING
    }

    #[inline(always)]
    pub fn is_argument(self) -> bool {
        self.0 >> 32 == (CALLABLE << 16) | ARGUMENT
    }

    #[inline(always)]
    pub fn is_constructed(self) -> bool {
        self.0 >> 48 == CONSTRUCTED
    }

    /// The handle of the object that a pointer refers to.
    #[inline(always)]
    pub fn handle(self) -> u32 {
        self.0 as u32
    }

    /// The tag of a constructor with or without arguments, `0xFFFF` if it is that or more.
    #[inline(always)]
    pub fn tag(self) -> u32 {
        (self.0 >> 32) as u32 & 0xFFFF
    }

    /// The code point of a character.
    #[inline(always)]
    pub fn code_point(self) -> u32 {
        self.0 as u32
    }

    pub fn as_char(self) -> char {
        char::from_u32(self.code_point()).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    pub fn view(self) -> View {
        let payload = self.0 as u32;
        let kind = (self.0 >> 32) & 0xFFFF;
        match (self.0 >> 48, kind) {
            (INT, _) => View::Int,
            (NULLARY, _) => View::Nullary(payload),
            (SMALL, CHAR) => View::Char,
            (SMALL, OPERATOR) => View::Operator(payload),
            (SMALL, COMMAND) => View::Command(payload),
            (SMALL, _) => View::Bottom,
            (CONSTRUCTED, _) => View::Constructed(payload),
            (CALLABLE, CLOSURE) => View::Closure(payload),
            (CALLABLE, CONTINUATION) => View::Continuation(payload),
            (CALLABLE, PAUSED) => View::Paused(payload),
            (CALLABLE, ARGUMENT) => View::Argument(payload),
            (CALLABLE, WAITING) => View::Waiting(payload),
            (CALLABLE, _) => View::Finished(payload),
            (REFERENCE, _) => View::Reference(payload),
            (SYSTEM, FRAME) => View::Frame(payload),
            (SYSTEM, JOIN) => View::Join(payload),
            (SYSTEM, ARRAY) => View::Array(payload),
            (SYSTEM, _) => View::Wide(payload),
            _ => View::Float,
        }
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.view() {
            View::Float => write!(f, "{:?}", self.as_float()),
            View::Int => write!(f, "{}", self.as_small_int()),
            other => write!(f, "{other:?}"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn small_integers_keep_their_sign() {
        for i in [0, 1, -1, (1 << 47) - 1, -(1 << 47)] {
            assert_eq!(Value::int(i).map(Value::as_small_int), Some(i));
        }
        assert_eq!(Value::int(1 << 47), None);
        assert_eq!(Value::int(i64::MIN), None);
    }

    #[test]
    fn sums_that_do_not_fit_are_noticed() {
        let int = |i: i64| Value::int(i).unwrap();
        let (most, least) = ((1 << 47) - 1, -(1 << 47));
        assert_eq!(int(most).plus(int(1)), None);
        assert_eq!(int(least).minus(int(1)), None);
        assert_eq!(int(most).minus(int(-1)), None);
        assert_eq!(int(most).plus(int(least)), Some(int(-1)));
        assert_eq!(int(-3).minus(int(-5)), Some(int(2)));
        assert_eq!(int(-3).plus(int(-5)), Some(int(-8)));
    }

    #[test]
    fn no_float_is_taken_for_anything_else() {
        let zero = std::hint::black_box(0.0);
        for x in [
            0.0,
            -0.0,
            1.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            -f64::MIN_POSITIVE,
        ] {
            assert_eq!(Value::float(x).view(), View::Float);
        }
        // What the processor makes of an invalid operation is not passed through `float`.
        for nan in [
            zero / zero,
            f64::INFINITY - f64::INFINITY,
            -(zero / zero),
            f64::NAN,
        ] {
            assert_eq!(Value::basic_float(nan).view(), View::Float);
            assert_eq!(Value::basic_float(nan * 2.0 + zero).view(), View::Float);
        }
        let odd = f64::from_bits(0xFFFF_0000_0000_0001);
        assert!(odd.is_nan());
        assert_eq!(Value::float(odd).view(), View::Float);
    }

    #[test]
    fn pointers_are_recognised_by_one_comparison() {
        for v in [
            Value::closure(7),
            Value::reference(7),
            Value::frame(7),
            Value::wide(7),
        ] {
            assert!(v.is_pointer());
            assert_eq!(v.handle(), 7);
        }
        for v in [
            Value::char('x'),
            Value::operator(3),
            Value::BOTTOM,
            Value::nullary(1, 9),
        ] {
            assert!(!v.is_pointer());
        }
    }
}
