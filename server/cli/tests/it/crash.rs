//! What a panic leaves: a report without anything of a program in it.

use std::path::{Path, PathBuf};

use crate::lsp::Server;
use crate::support::{Dir, finish};

const SECRET: &str = "secretName";

fn reports(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

/// Has a server with a program open panic some times in a row; gives what it said on standard error.
fn panics(dir: &Dir, variable: &str, times: u32) -> String {
    let mut command = dir.command("lsp --stdio --self-test");
    command.env("FRANK_CRASH_REPORTS", variable);
    let (mut server, _) = Server::start_with(command);
    let text = format!("{SECRET} : {{Int}}\\n{SECRET}! = 1\\n");
    let document =
        format!(r#"{{"uri":"file:///a.fk","languageId":"frank","version":1,"text":"{text}"}}"#);
    server.send(&format!(
        r#""method":"textDocument/didOpen","params":{{"textDocument":{document}}}"#
    ));
    for number in 0..times {
        let id = 10 + number;
        server.send(&format!(
            r#""id":{id},"method":"frank/selfTest","params":{{"do":"panic"}}"#
        ));
        let answer = server.until(&format!(r#""id":{id}"#));
        assert!(answer.contains("internal error"), "{answer}");
    }
    server.said()
}

#[test]
fn a_request_that_panics_leaves_a_report() {
    let dir = Dir::new(&[]);
    let folder = dir.path().join("reports");
    let said = panics(&dir, folder.to_str().expect("UTF-8"), 1);
    let [file] = &reports(&folder)[..] else {
        panic!("{:?}", reports(&folder));
    };
    let report = std::fs::read_to_string(file).expect("text");
    for line in [
        concat!("version: ", env!("CARGO_PKG_VERSION")),
        "command: lsp",
        "request: frank/selfTest",
        "thread: frank-worker-",
        "place: server",
        "message: ",
    ] {
        assert!(
            report.lines().any(|found| found.starts_with(line)),
            "{line}: {report}"
        );
    }
    // The calls that led there.
    assert!(
        report.contains("\n   0: ") && report.contains("pool::work_on"),
        "{report}"
    );
    assert!(!report.contains(SECRET), "{report}");
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .expect("UTF-8");
    assert!(
        said.contains("internal error at ") && said.contains(name),
        "{said}"
    );
    assert!(!said.contains(SECRET), "{said}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            file.metadata().expect("a file").permissions().mode() & 0o777,
            0o600
        );
    }

    // The doctor knows of it.
    let mut doctor = dir.command("doctor");
    doctor.env("FRANK_CRASH_REPORTS", &folder);
    let run = finish(doctor, "");
    assert!(
        run.stdout.contains("1 report, the last one is") && run.stdout.contains(name),
        "{}",
        run.stdout
    );
}

#[test]
fn reports_do_not_pile_up() {
    let dir = Dir::new(&[]);
    let folder = dir.path().join("reports");
    for number in 10..40 {
        dir.write(&format!("reports/crash-10000000{number}-1-0.txt"), "old");
    }
    dir.write("reports/notes.txt", "the user's own");
    panics(&dir, folder.to_str().expect("UTF-8"), 8);
    let left = reports(&folder);
    let new = left.iter().filter(|file| {
        std::fs::read_to_string(file).is_ok_and(|text| text.contains("frank/selfTest"))
    });
    assert_eq!((new.count(), left.len()), (5, 21), "{left:?}");
    assert!(folder.join("notes.txt").is_file());
}

#[test]
fn a_user_can_have_no_reports() {
    let dir = Dir::new(&[]);
    let said = panics(&dir, "off", 1);
    assert!(
        said.contains("internal error at ") && !said.contains("please send"),
        "{said}"
    );
    assert_eq!(reports(dir.path()), Vec::<PathBuf>::new());
}
