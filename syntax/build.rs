//! Compiles the generated parser, its scanner, and the reader of its table.

fn main() {
    let sources = ["src/parser.c", "src/scanner.c", "src/table.c"];
    let mut build = cc::Build::new();
    // For WebAssembly there is no C library; tree-sitter brings the headers that scanners need.
    println!("cargo::rerun-if-env-changed=DEP_TREE_SITTER_LANGUAGE_WASM_HEADERS");
    if let Some(headers) = std::env::var_os("DEP_TREE_SITTER_LANGUAGE_WASM_HEADERS") {
        build.include(headers);
    }
    // The parser runs on every key press; unoptimised it is several times slower.
    build.include("src").std("c11").warnings(false).opt_level(3);
    for source in sources {
        build.file(source);
        println!("cargo::rerun-if-changed={source}");
    }
    build.compile("tree-sitter-frank");
}
