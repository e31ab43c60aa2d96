//! How the items of a file are cut into groups, and how the groups follow edits.
//!
//! A group keeps its identity, and with it what is known of it, when items come or go in others.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use frank_syntax::outline::OutlineKind;
use salsa::{Durability, Setter};

use crate::db::{Database, Group, ItemSource, OutlineEntry, SourceFile, is_declaration};

/// How many items a new group has. Groups that are edited have between half and twice as many.
const SIZE: usize = 64;

/// The groups of a new file's items.
pub(crate) fn cut(db: &Database, entries: &[OutlineEntry]) -> Arc<[Group]> {
    entries.chunks(SIZE).map(|own| new_group(db, own)).collect()
}

fn new_group(db: &Database, entries: &[OutlineEntry]) -> Group {
    Group::builder(entries.into(), (), ())
        .durability(Durability::HIGH)
        .texts_durability(Durability::LOW)
        .new(db)
}

/// Puts entries in the place of some of a file's others, which are given by position.
pub(crate) fn replace(
    db: &mut Database,
    file: SourceFile,
    old: Range<usize>,
    entries: &[OutlineEntry],
) {
    let groups: Vec<Group> = file.groups(db).to_vec();
    let length = |group: usize| groups.get(group).map_or(0, |group| group.entries(db).len());
    // The groups that the edit touches, and the position of the first one's first item.
    let (mut first, mut start) = (0, 0);
    let at = old.start + usize::from(!old.is_empty());
    while first + 1 < groups.len() && start + length(first) < at {
        start += length(first);
        first += 1;
    }
    let (mut last, mut count) = (first, 0);
    while last < groups.len() && (last == first || start + count < old.end) {
        count += length(last);
        last += 1;
    }
    // Small ones are put together with their neighbours.
    while last < groups.len() && count + entries.len() < SIZE / 2 + old.len() {
        count += length(last);
        last += 1;
    }
    let touched = groups.get(first..last).unwrap_or_default();
    let before: Vec<OutlineEntry> = touched
        .iter()
        .flat_map(|group| group.entries(db).iter().copied())
        .collect();
    let kept_start = before.iter().take(old.start - start);
    let kept_end = before.iter().skip(old.end - start);
    let all: Vec<OutlineEntry> = kept_start.chain(entries).chain(kept_end).copied().collect();
    let pieces = match all.len() {
        length if length <= 2 * SIZE => 1,
        length => length.div_ceil(SIZE),
    };
    let mut known = touched.iter();
    let mut now: Vec<Group> = Vec::with_capacity(pieces);
    for own in all.chunks(all.len().div_ceil(pieces).max(1)) {
        let group = match known.next() {
            Some(group) => {
                if **group.entries(db) != *own {
                    group.set_entries(db).to(own.into());
                }
                *group
            }
            None => new_group(db, own),
        };
        now.push(group);
    }
    if now != touched {
        let before = groups.iter().take(first);
        let after = groups.iter().skip(last);
        let all: Arc<[Group]> = before.chain(&now).chain(after).copied().collect();
        file.set_groups(db).to(all);
    }
}

/// Tells the groups of items that have another text. These stand at some positions of a file, perhaps with
/// others between them.
pub(crate) fn touch(
    db: &mut Database,
    file: SourceFile,
    positions: Range<usize>,
    changed: &HashSet<ItemSource>,
) {
    let groups: Vec<Group> = file.groups(db).to_vec();
    let mut start = 0;
    for group in groups {
        let end = start + group.entries(db).len();
        if start < positions.end && positions.start < end {
            let own = group.entries(db).iter();
            let own = own.filter(|entry| changed.contains(&entry.item));
            let kinds: Vec<OutlineKind> = own.map(|entry| entry.kind).collect();
            if !kinds.is_empty() {
                let durability = Durability::LOW;
                group.set_texts(db).with_durability(durability).to(());
            }
            if kinds.into_iter().any(is_declaration) {
                group.set_declarations(db).to(());
            }
        }
        start = end;
    }
}
