//! Parses whole programs item by item.

use std::path::Path;

use frank_syntax::outline::split;
use frank_syntax::parse::parse_item;

#[test]
fn the_library_parses() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/library");
    for entry in std::fs::read_dir(library).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for item in split(&text) {
            let text = item.text(&text);
            let parsed = parse_item(text);
            assert_eq!(parsed.errors, [], "{}: {text}", path.display());
            println!("{:?}", parsed.item.kind);
        }
    }
}
