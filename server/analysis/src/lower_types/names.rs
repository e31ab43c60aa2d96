//! Which data types and interfaces the names of an item can mean: those of one scope, and in a type that is looked
//! for those of all scopes that are searched.

use frank_syntax::ast::Symbol;

use super::Lowering;
use crate::db::{Db, ItemSource, Origin, SourceFile};
use crate::params::{TypeNamespace, params};
use crate::program::{DataDef, RowDef, own_data, own_row, resolve_data, resolve_row};

impl<'db> Lowering<'db> {
    /// For a type that is looked for, whose names can be those of several scopes. Each `_` in it is a variable of
    /// its own.
    pub fn of_query(
        db: &'db dyn Db,
        scope: SourceFile,
        elsewhere: &'db [SourceFile],
        source: ItemSource,
    ) -> Lowering<'db> {
        Lowering {
            elsewhere,
            ..Lowering::of_signature(db, scope, source)
        }
    }

    /// Whether a name stands for anything, and for something else at each place.
    pub(super) fn is_any(&self, name: Symbol) -> bool {
        name.is_wildcard() && !self.elsewhere.is_empty()
    }

    /// The scopes in which names are looked up.
    pub(super) fn scopes(&self) -> impl Iterator<Item = SourceFile> + use<'db> {
        std::iter::once(self.scope).chain(self.elsewhere.iter().copied())
    }

    /// The data type of a name; in a query, one that takes so many arguments if there is such a one.
    pub(super) fn data(&self, name: Symbol, count: usize) -> Option<DataDef> {
        let own = resolve_data(self.db, self.scope, name);
        if own.is_some() || self.elsewhere.is_empty() {
            return own;
        }
        // Some file of a workspace may well define `data X`, and the query means a variable.
        let is_letter = count == 0 && name.as_str().chars().nth(1).is_none();
        let of_user = |scope: &SourceFile| scope.origin(self.db) == Origin::Workspace;
        let scopes = self.elsewhere.iter();
        let scopes = scopes.filter(|scope| !(is_letter && of_user(scope)));
        let mut first = None;
        for data in scopes.filter_map(|scope| own_data(self.db, *scope, name)) {
            let params = params(self.db, data.0.scope, name, TypeNamespace::Data);
            if params.written == count {
                return Some(data);
            }
            first = first.or(Some(data));
        }
        first
    }

    /// What a name in an ability means.
    pub(super) fn row(&self, name: Symbol) -> Option<RowDef> {
        let elsewhere = || {
            let mut rows = self.elsewhere.iter();
            rows.find_map(|scope| own_row(self.db, *scope, name))
        };
        resolve_row(self.db, self.scope, name).or_else(elsewhere)
    }

    /// The scope in which the name of an interface is looked up.
    pub(super) fn scope_of_row(&self, name: Symbol) -> SourceFile {
        let has = |scope: &SourceFile| own_row(self.db, *scope, name).is_some();
        match resolve_row(self.db, self.scope, name) {
            Some(_) => self.scope,
            None => self
                .elsewhere
                .iter()
                .copied()
                .find(has)
                .unwrap_or(self.scope),
        }
    }
}
