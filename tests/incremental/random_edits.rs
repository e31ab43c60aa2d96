//! Random edits of real programs: after each, analysis must know what it would know from scratch.

use frank_tests::properties::follows_edits;
use frank_tests::{files_under, project_root};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;

/// What is found is kept for groups of items, and these programs have several.
#[test]
fn random_edits_of_long_programs_do_too() {
    let library = project_root().join("server/library");
    let mut programs = vec![frank_tests::generate::program(400)];
    for name in ["prelude.fk", "ad.fk"] {
        programs.push(std::fs::read_to_string(library.join(name)).unwrap());
    }
    programs.par_iter().for_each(|program| {
        follows_edits(program, &mut StdRng::seed_from_u64(8), 60);
    });
}

#[test]
fn random_edits_lead_where_a_fresh_check_leads() {
    let root = project_root();
    let mut paths = files_under(&root.join("docs/examples"), "fk");
    paths.push(root.join("server/library/ad-paper.fk"));
    paths.par_iter().for_each(|path| {
        let program = std::fs::read_to_string(path).unwrap();
        let mut rng = StdRng::seed_from_u64(program.len() as u64);
        follows_edits(&program, &mut rng, 150);
    });
}
