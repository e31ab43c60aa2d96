//! Compiles the generated parser and its scanner.

fn main() {
    let sources = ["src/parser.c", "src/scanner.c"];
    let mut build = cc::Build::new();
    build.include("src").std("c11").warnings(false);
    for source in sources {
        build.file(source);
        println!("cargo::rerun-if-changed={source}");
    }
    build.compile("tree-sitter-frank");
}
