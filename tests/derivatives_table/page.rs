//! The list of differences on the page `docs/derivatives.md`.

use std::fmt::Write;

use expect_test::expect_file;
use frank_tests::book::book_root;

use crate::differences::DIFFERENCES;

const BEGIN: &str = "<!-- The table is made from tests/derivatives_table/differences.rs. -->\n\n";
const END: &str = "\n<!-- The end of the table. -->\n";

/// The list as a table.
fn table() -> String {
    let mut table =
        "| operation | at | what | `ad` | JAX | reason |\n|---|---|---|---|---|---|\n".to_owned();
    for class in DIFFERENCES {
        let _infallible = writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} |",
            class.primitive, class.at, class.what, class.ours, class.jax, class.reason
        );
    }
    table
}

/// The page has the list that the tests compare with. `UPDATE_EXPECT=1` writes it there.
#[test]
fn the_page_has_the_list() {
    let page = std::fs::read_to_string(book_root().join("derivatives.md")).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{BEGIN}{}{END}{after}", table());
    expect_file!["../../docs/derivatives.md"].assert_eq(&expected);
}
