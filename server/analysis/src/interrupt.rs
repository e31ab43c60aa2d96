//! Checks that somebody may end before they are done, on the thread that asked for them. What an edit ends in another
//! thread is salsa's affair.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use salsa::Cancelled;

/// A flag that is set when the work on a thread is to end.
type Flag = Arc<AtomicBool>;

thread_local! {
    static ASKED: RefCell<Option<Flag>> = const { RefCell::new(None) };
}

/// That the work was ended before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// What was there before comes back, however the work ends.
struct Before(Option<Flag>);

impl Drop for Before {
    fn drop(&mut self) {
        ASKED.set(self.0.take());
    }
}

/// Does what asks for checks, until it is done or the flag is set. What is known by then stays known.
///
/// # Errors
/// The flag was set while something was being checked. What the work has changed is as it was left.
pub fn until<T>(asked: &Flag, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
    let _before = Before(ASKED.replace(Some(asked.clone())));
    Cancelled::catch(AssertUnwindSafe(work)).map_err(|cancelled| match cancelled {
        Cancelled::Local => Interrupted,
        // Meant for who asked for all this.
        other => resume_unwind(Box::new(other)),
    })
}

/// Ends the work here if that was asked for. To be called where a query begins something that may take long.
pub(crate) fn look() {
    let is_asked = ASKED.with_borrow(|asked| {
        let flag = asked.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    });
    if is_asked {
        // As salsa does it: no hook for panics sees it.
        resume_unwind(Box::new(Cancelled::Local));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::operator_diagnostics;
    use crate::files::Files;
    use frank_syntax::ast::Symbol;

    #[test]
    fn a_check_ends_when_it_is_asked_to_and_can_be_asked_for_again() {
        let mut files = Files::new(None);
        let file = files.set_text("main.fk", "a : {Int}\na! = 'x'\n");
        let check = || operator_diagnostics(files.db(), file, Symbol::new("a")).len();
        let flag = Flag::default();
        flag.store(true, Ordering::Relaxed);
        assert_eq!(until(&flag, check), Err(Interrupted));
        flag.store(false, Ordering::Relaxed);
        assert_eq!(until(&flag, check), Ok(1));
        // Whoever does not ask for it is not interrupted, and what is known is no work.
        flag.store(true, Ordering::Relaxed);
        assert_eq!(check(), 1);
        assert_eq!(until(&flag, check), Ok(1));
    }
}
