//! Which request a thread works on: a report of a crash names it.

use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    static METHOD: RefCell<Option<Arc<str>>> = const { RefCell::new(None) };
}

/// The method of the request that this thread works on, if it works on one.
pub fn method() -> Option<Arc<str>> {
    METHOD.try_with(|method| method.borrow().clone()).ok()?
}

/// Does some work for a request, and says so meanwhile. What was in hand before is so again afterwards, also if the
/// work panics.
pub fn during<T>(method: Option<Arc<str>>, work: impl FnOnce() -> T) -> T {
    struct Restore(Option<Arc<str>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            METHOD.set(self.0.take());
        }
    }
    let _restore = Restore(METHOD.replace(method));
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_in_hand_is_so_again_after_a_panic() {
        during(Some("outer".into()), || {
            let inner = std::panic::catch_unwind(|| {
                during(Some("inner".into()), || {
                    assert_eq!(method().as_deref(), Some("inner"));
                    std::panic::resume_unwind(Box::new(()));
                });
            });
            assert!(inner.is_err());
            assert_eq!(method().as_deref(), Some("outer"));
        });
        assert_eq!(method(), None);
    }
}
