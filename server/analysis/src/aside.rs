//! Results that salsa keeps with fewer dependencies than it would record.
//!
//! Salsa validates a result by asking of everything that went into it whether it has changed. Where that is too
//! much, a query computes *aside*: through another handle to the database, so that nothing of it is
//! recorded. The query then has to read something that changes whenever the result may.
//!
//! Whether it does is checked, not only argued: a database that verifies ([`crate::files::Files::verify`])
//! computes each such result again whenever it is read, and panics if it is another one by now. The
//! tests of edits run with it.

use std::fmt::Debug;

use crate::db::Db;

/// What a query computed aside. It can only be read together with the computation, so that nobody
/// reads what cannot be verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside<T>(T);

impl<T: PartialEq + Debug> Aside<T> {
    /// Computes without a record of what is read. To be called in a query, which must have read, or must
    /// read, something that changes whenever the result may.
    pub fn new(db: &dyn Db, compute: impl FnOnce(&dyn Db) -> T) -> Aside<T> {
        let other = db.handle();
        Aside(salsa::attach_allow_change(&other, || compute(&other)))
    }

    /// The result. `compute` is what it was made with.
    ///
    /// # Panics
    ///
    /// If the database verifies and the result would be another one now.
    pub fn get(&self, db: &dyn Db, compute: impl FnOnce(&dyn Db) -> T) -> &T {
        if db.verifies() {
            let Aside(now) = Aside::new(db, compute);
            assert_eq!(self.0, now, "a result computed aside is out of date");
        }
        &self.0
    }

    /// The result as it was at some time: the reader sees to what has changed since.
    pub fn perhaps_outdated(&self) -> &T {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Aside;
    use crate::db::{Db, SourceFile};
    use crate::files::Files;

    fn first_text(db: &dyn Db, file: SourceFile) -> Option<String> {
        let first = file.outline(db).first()?;
        Some(first.item.text(db).to_string())
    }

    /// Forgets to record that it depends on the file.
    #[salsa::tracked]
    fn careless(db: &dyn Db, file: SourceFile) -> Aside<Option<String>> {
        Aside::new(db, |db| first_text(db, file))
    }

    fn edited(verify: bool) -> Option<String> {
        let mut files = Files::new(None);
        if verify {
            files.verify();
        }
        let file = files.set_text("main.fk", "a : {Int}\na! = 1\n");
        careless(files.db(), file);
        files.edit(file, "a : {Char}\na! = 1\n", 5..8, 4);
        let kept = careless(files.db(), file);
        kept.get(files.db(), |db| first_text(db, file)).clone()
    }

    #[test]
    #[should_panic = "out of date"]
    fn what_is_out_of_date_is_noticed() {
        edited(true);
    }

    #[test]
    fn nobody_pays_for_that_otherwise() {
        assert!(edited(false).is_some());
    }
}
