//! Tasks beside the main loop: who runs them, and how long they may take.
//!
//! Over a connection, tokio runs them on its threads. A server inside of another program ([`crate::embedded`])
//! has one thread and no clock that wakes it: tasks run there when a message comes, and nothing waits for a time.

use std::cell::RefCell;
use std::future::Future;
use std::time::Duration;

use futures::executor::LocalSpawner;
use futures::task::LocalSpawnExt;

thread_local! {
    /// Who runs the tasks of this thread, if it is not tokio.
    static SPAWNER: RefCell<Option<LocalSpawner>> = const { RefCell::new(None) };
}

/// Time was up.
#[derive(Debug)]
pub struct Elapsed;

/// Does something whose tasks `spawner` runs.
pub fn with_spawner<R>(spawner: &LocalSpawner, work: impl FnOnce() -> R) -> R {
    let earlier = SPAWNER.replace(Some(spawner.clone()));
    let result = work();
    SPAWNER.set(earlier);
    result
}

fn spawner() -> Option<LocalSpawner> {
    SPAWNER.with_borrow(Clone::clone)
}

/// Runs a task; nobody waits for it.
pub fn spawn(task: impl Future<Output = ()> + Send + 'static) {
    match spawner() {
        // The executor may be gone, and with it whoever wanted to know.
        Some(spawner) => _ = spawner.spawn_local(task),
        None => _ = tokio::spawn(task),
    }
}

/// Waits for something, at most so long.
///
/// # Errors
/// It took longer. On one thread nothing does: it is waited for as long as there is a client.
pub async fn within<R>(time: Duration, it: impl Future<Output = R>) -> Result<R, Elapsed> {
    let on_one_thread = spawner().is_some();
    match on_one_thread {
        true => Ok(it.await),
        false => tokio::time::timeout(time, it).await.map_err(|_| Elapsed),
    }
}
