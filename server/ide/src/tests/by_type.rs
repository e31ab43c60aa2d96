//! Search by type.

use super::fixture::Fixture;
use crate::{ByType, Mistake, Searched};

/// What is found from the first file of a fixture, the library behind its files.
fn find(fixture: &str, query: &str, limit: usize) -> Result<ByType, Vec<Mistake>> {
    let fixture = Fixture::new(fixture);
    let searched = Searched {
        from: None,
        files: fixture.sources.iter().map(|(_, file)| *file).collect(),
    };
    fixture.analysis().find_by_type(query, &searched, limit)
}

/// A line for each of the first things found: its name and why it is one.
fn lines(found: &ByType) -> Vec<String> {
    let line = |one: &crate::TypeMatch| {
        let reason = one.reason().map(|reason| format!(" ({reason})"));
        format!("{}{}", one.name, reason.unwrap_or_default())
    };
    found.found.iter().map(line).collect()
}

#[test]
fn explore() {
    for query in include_str!("queries.txt").lines() {
        println!("=== {query}");
        match find("-- nothing\n", query, 8) {
            Ok(found) => {
                for (one, line) in found.found.iter().zip(lines(&found)) {
                    println!("   {line}      {}", one.ty);
                }
                println!("   total {} nearest {:?} notes {:?}", found.total, found.nearest.as_ref().map(|n| n.signature()), found.notes);
            }
            Err(mistakes) => println!("   {mistakes:?}"),
        }
    }
}
