//! Functions run on names: how often, and where their operations stand.

use frank_interpreter::Limits;

use super::fixture::Fixture;
use crate::evaluate::{FormulaStyle, StageQuestion};

/// A limit that ends the run with derivatives ends the search for formulas: values alone would pass for all of them.
#[test]
fn formulas_are_looked_for_once() {
    let text = "include ad\n\nloop : X -> [Smooth X]X\nloop x = loop (t x x)\n";
    let fixture = Fixture::new(text);
    let plan = fixture
        .analysis()
        .staged_plan(fixture.main(), "loop", &StageQuestion::default())
        .unwrap();
    // Somebody is told of each 2^18 steps.
    let limits = Limits {
        steps: Some((2 << 18) + 1),
        ..Limits::default()
    };
    let mut told = 0;
    let failure = plan
        .formulas(&limits, || told += 1, (FormulaStyle::Text, 5))
        .unwrap_err();
    assert!(failure.limit, "{}", failure.message);
    assert_eq!(told, 2);
    // Code has values alone then.
    let mut told = 0;
    assert!(plan.run(&limits, || told += 1).is_err());
    assert_eq!(told, 4);
}

/// The terms that the operations of a graph come of, in its order.
fn origins(text: &str, name: &str, asked: &StageQuestion<'_>) -> Vec<Option<String>> {
    let fixture = Fixture::new(text);
    let asked = StageQuestion {
        origins: true,
        ..*asked
    };
    let plan = fixture
        .analysis()
        .staged_plan(fixture.main(), name, &asked)
        .unwrap();
    let staged = plan.run(&Limits::default(), || {}).unwrap();
    let graph = &staged.unit.functions.last().unwrap().graph;
    assert_eq!(staged.origins.len(), graph.lines().len());
    let origins = staged.origins.iter().map(|place| {
        let (path, bytes) = place.as_ref()?;
        assert_eq!(path, "main.fk");
        Some(text[bytes.start as usize..bytes.end as usize].to_owned())
    });
    origins.collect()
}

/// What is written down is the same whether somebody asks where it stands.
#[test]
fn every_line_has_its_term() {
    let text = "include ad\n\nwave : X -> [Smooth X]X\nwave x = t (sinS x) (expS x)\n";
    let fast = StageQuestion {
        fast: true,
        ..StageQuestion::default()
    };
    let terms = origins(text, "wave", &fast);
    let (sine, exponential, product) = ("sinS x", "expS x", "t (sinS x) (expS x)");
    let known: Vec<&str> = terms.iter().flatten().map(String::as_str).collect();
    assert_eq!(known.len(), terms.len());
    // Values first; then what carries back, the last operation first.
    assert_eq!(known[..3], [sine, exponential, product]);
    let last = |term| known.iter().rposition(|own| *own == term);
    assert!(last(exponential) < last(sine), "{known:?}");
}
