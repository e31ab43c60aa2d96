//! Executables that are not what was built.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;

use super::{build, first_difference, programs, start};
use crate::support::{Dir, Run};

/// An executable that is damaged in several ways. It is never in the memory of this process, whose size
/// others measure.
struct Damaged {
    dir: Dir,
    /// The whole executable, and the part that is `frank`.
    length: u64,
    program: u64,
    /// Where the second word of its seal is, its format.
    format: u64,
}

impl Damaged {
    fn new() -> Damaged {
        let dir = programs();
        build(&dir, "p.fk --entry cells -o whole");
        let whole = dir.path().join("whole");
        let frank = Path::new(env!("CARGO_BIN_EXE_frank"));
        let length = |path: &Path| fs::metadata(path).expect("there").len();
        Damaged {
            length: length(&whole),
            program: length(frank),
            // The mark of this program is empty.
            format: first_difference(&whole, frank).expect("a seal"),
            dir,
        }
    }

    fn contents(&self) -> Vec<u8> {
        let mut contents = Vec::new();
        let mut whole = File::open(self.dir.path().join("whole")).expect("there");
        whole.seek(SeekFrom::Start(self.program)).expect("so long");
        whole.read_to_end(&mut contents).expect("bytes");
        contents
    }

    /// Runs what comes of a change. A copy is changed, and copied by another process: what this one has
    /// open for writing may be open in what other tests start meanwhile, and such a file does not start.
    fn changed(&self, args: &[&str], change: impl FnOnce(&File)) -> Run {
        let copy = |from: &str, to: &str| {
            let copied = Command::new("cp")
                .args([from, to])
                .current_dir(self.dir.path())
                .status();
            assert!(copied.expect("cp").success());
        };
        copy("whole", "draft");
        let draft = File::options()
            .write(true)
            .open(self.dir.path().join("draft"));
        change(&draft.expect("there"));
        copy("draft", "p");
        start(&self.dir, "p", args)
    }

    /// What is said of a change, whatever the executable is asked.
    fn said(&self, change: impl Fn(&File)) -> String {
        let run = self.changed(&[], &change);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        let info = self.changed(&["--frank-info"], change);
        assert_eq!((info.code, &info.stderr), (2, &run.stderr));
        run.stderr
    }

    /// What is said of other contents, with a seal that fits them.
    fn said_with(&self, contents: &[u8]) -> String {
        let words = [contents.len() as u64, u64::from(crc32fast::hash(contents))];
        self.said(|file| {
            file.set_len(self.program).expect("cut");
            file.write_all_at(contents, self.program).expect("written");
            for (word, at) in words.iter().zip([16, 24]) {
                let word = word.to_ne_bytes();
                file.write_all_at(&word, self.format + at).expect("written");
            }
        })
    }
}

/// Each damage to a program is said, and ends it.
#[test]
fn damage_is_said() {
    let damaged = Damaged::new();
    let (length, format) = (damaged.length, damaged.format);
    let begin = "frank: this program is damaged: ";
    for cut in [1, 100] {
        let left = length - cut;
        assert_eq!(
            damaged.said(|file| file.set_len(left).expect("cut")),
            format!(
                "{begin}its file has {left} bytes, and had {length} when it was built; \
                 build it or copy it again\n"
            )
        );
    }
    let contents = damaged.contents();
    let last = contents.last().expect("a byte");
    assert_eq!(
        damaged.said(|file| file.write_all_at(&[last ^ 1], length - 1).expect("written")),
        format!("{begin}its code is not what was built into it; build it or copy it again\n")
    );
    assert_eq!(
        damaged.said(|file| file.write_all_at(&[9], format).expect("written")),
        format!(
            "{begin}it is laid out in the way 9, which this version does not know; \
             build it or copy it again\n"
        )
    );
    let elsewhere = (damaged.program - 4).to_ne_bytes();
    let said = damaged.said(|file| file.write_all_at(&elsewhere, format + 8).expect("written"));
    assert!(said.starts_with(begin), "{said}");

    let mut other = contents.clone();
    assert_eq!(other.get(1..6), Some(env!("CARGO_PKG_VERSION").as_bytes()));
    other[5] = b'9';
    assert_eq!(
        damaged.said_with(&other),
        format!(
            "frank: this program was built by frank 0.1.9, and frank {} cannot run it; build it again\n",
            env!("CARGO_PKG_VERSION")
        )
    );
    for other in [&b""[..], b"#!/bin/sh\n", &contents[..40]] {
        let said = damaged.said_with(other);
        assert!(said.starts_with(begin), "{said}");
    }
    // What is behind it is none of its business, as a signature is.
    let signed = damaged.changed(&[], |file| {
        file.write_all_at(b"signature", length).expect("written");
    });
    assert_eq!(signed.whole(), "1\n2\nexit 0\n");
}
