//! Which files of a crate use each other.
//!
//! A file uses another one if it names something in it: by `use`, or by a path that begins with
//! `crate` or `super`. A module and the modules in it are one thing that is told in several files, so
//! that they may use each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use frank_tests::files_under;
use syn::visit::Visit;

/// A module as the names from the crate's root to it.
type Module = Vec<String>;

/// The circles in a folder of source, each as the paths of its files from `root` on.
pub fn of(root: &Path, source: &str) -> Vec<BTreeSet<String>> {
    let folder = root.join(source);
    let mut files: BTreeMap<Module, String> = BTreeMap::new();
    let mut parsed = Vec::new();
    for path in files_under(&folder, "rs") {
        let inside = path.strip_prefix(&folder).unwrap().with_extension("");
        let parts = inside
            .iter()
            .map(|part| part.to_string_lossy().into_owned());
        let mut module: Module = parts.collect();
        if module.iter().any(|part| part == "tests") {
            continue;
        }
        if ["mod", "lib", "main"].contains(&module.last().unwrap().as_str()) {
            module.pop();
        }
        let name = path.strip_prefix(root).unwrap().to_string_lossy();
        files.insert(module.clone(), name.replace('\\', "/"));
        let text = std::fs::read_to_string(&path).unwrap();
        parsed.push((module, syn::parse_file(&text).unwrap()));
    }
    let mut uses: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, file) in parsed {
        let mut paths = Paths::default();
        paths.visit_file(&file);
        let used = paths.found.iter().map(|path| target(&files, &module, path));
        let apart = |other: &Module| {
            !other.is_empty() && !other.starts_with(&module) && !module.starts_with(other)
        };
        uses.insert(module.clone(), used.filter(apart).collect());
    }
    let reach: BTreeMap<&Module, BTreeSet<&Module>> = uses
        .keys()
        .map(|from| (from, reachable(&uses, from)))
        .collect();
    let circles: BTreeSet<BTreeSet<String>> = reach
        .iter()
        .filter(|(from, reached)| reached.contains(*from))
        .map(|(from, reached)| {
            let back = reached.iter().filter(|other| reach[**other].contains(from));
            back.map(|module| files[*module].clone()).collect()
        })
        .collect();
    circles.into_iter().collect()
}

/// The modules that one comes to by one use or more.
fn reachable<'u>(
    uses: &'u BTreeMap<Module, BTreeSet<Module>>,
    from: &Module,
) -> BTreeSet<&'u Module> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Module> = uses[from].iter().collect();
    while let Some(module) = open.pop() {
        if reached.insert(module) {
            open.extend(&uses[module]);
        }
    }
    reached
}

/// The module with a file that a path in another one leads to.
fn target(files: &BTreeMap<Module, String>, module: &Module, path: &[String]) -> Module {
    let mut found = match path[0].as_str() {
        "crate" => Module::new(),
        _ => module.clone(),
    };
    for part in path {
        match part.as_str() {
            "crate" | "self" => {}
            "super" => {
                found.pop();
            }
            _ => found.push(part.clone()),
        }
    }
    while !files.contains_key(&found) {
        found.pop();
    }
    found
}

/// The paths in a file that begin with `crate`, `super` or `self`, those in its tests left out.
#[derive(Default)]
struct Paths {
    found: Vec<Vec<String>>,
}

impl Paths {
    fn add(&mut self, path: Vec<String>) {
        if ["crate", "super", "self"].contains(&path[0].as_str()) {
            self.found.push(path);
        }
    }

    fn tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| {
            let mut path = before.to_vec();
            path.push(name.to_string());
            path
        };
        match tree {
            syn::UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) => self.add(with(&name.ident)),
            syn::UseTree::Rename(rename) => self.add(with(&rename.ident)),
            syn::UseTree::Glob(_) => self.add(before.to_vec()),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.tree(before, tree));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&[], &item.tree);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let in_tests = item.attrs.iter().any(|attr| attr.path().is_ident("cfg"));
        if !in_tests {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.add(segments.map(|segment| segment.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }
}
