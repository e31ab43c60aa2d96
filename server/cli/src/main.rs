//! The command `frank`.
use frank_analysis::files::Files;
use std::collections::BTreeSet;

fn load(files: &mut Files, path: &str, seen: &mut BTreeSet<String>) {
    if !seen.insert(path.to_owned()) { return; }
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let dir = path.rsplit_once('/').map_or(".", |(d, _)| d).to_owned();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("include ") {
            load(files, &format!("{dir}/{}.fk", name.trim()), seen);
        }
    }
    files.set_text(path, &text);
}

fn main() {
    let mut errors = false;
    for path in std::env::args().skip(2) {
        let mut files = Files::new(None);
        load(&mut files, &path, &mut BTreeSet::new());
        let Some(file) = files.file(&path) else { println!("cannot read {path}"); continue };
        let text = files.text(file);
        for d in frank_analysis::check::file_diagnostics(files.db(), file) {
            let range = files.range(d.location);
            let start = usize::from(range.start());
            let line = text[..start].matches('\n').count() + 1;
            errors |= d.is_error();
            println!("{path}:{line}: {} {}: {} [{}]", d.severity.word(), d.code.as_str(), d.message, &text[start..usize::from(range.end())]);
            for h in &d.help { println!("    help: {h}"); }
            for r in &d.related { println!("    note: {} @ {:?}", r.message, files.range(r.location)); }
        }
    }
    std::process::exit(i32::from(errors));
}
