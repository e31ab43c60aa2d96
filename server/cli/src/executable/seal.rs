//! Where an executable has the contents that were built into it, and whether they are whole.
//!
//! The contents stand behind the copy of this program. The seal says how long both are, and has the
//! contents' checksum, which is against accidents and not against malice. It is written into the
//! copy, in the place of [`MARK`]: to look there costs nothing, and whatever is cut off of the file, it
//! stays. macOS starts no executable that was changed itself, so there the seal is at the end of the file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memmem;

use super::Unusable;

const WORDS: usize = 6;
/// How long a seal is, in bytes.
const LENGTH: usize = WORDS * 8;

/// What a seal begins with.
const MAGIC: [u64; 2] = [0x6b6e_6172_66ff_9e01, 0xb7d3_41c8_5ea2_0f96];
/// The layout of seals and contents. 0 is a seal of nothing.
const FORMAT: u64 = 1;

/// The place of the seal in every copy. Atomic, so that no compiler takes it for what it is here. What a
/// seal begins with may stand elsewhere in this program, too; with these last words it does not.
#[used]
static MARK: [AtomicU64; WORDS] = [
    AtomicU64::new(MAGIC[0]),
    AtomicU64::new(MAGIC[1]),
    AtomicU64::new(0),
    AtomicU64::new(0x91c4_07e8_d25b_3af6),
    AtomicU64::new(0x3d8e_f1a0_64b7_c952),
    AtomicU64::new(0xe60b_9d47_1f83_a5c1),
];

/// Whether the seal is at the end of the file instead.
const AT_END: bool = cfg!(target_os = "macos");

/// What was built into an executable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seal {
    /// How long the copy of this program is, in bytes, and the contents behind it.
    program: u64,
    contents: u64,
    checksum: u32,
}

impl Seal {
    fn of(program: &[u8], contents: &[u8]) -> Seal {
        Seal {
            program: program.len() as u64,
            contents: contents.len() as u64,
            checksum: crc32fast::hash(contents),
        }
    }

    fn bytes(self) -> [u8; LENGTH] {
        let [first, second] = MAGIC;
        bytes([
            first,
            second,
            FORMAT,
            self.program,
            self.contents,
            self.checksum.into(),
        ])
    }

    /// The seal that some words are; nothing if they are none, or one of nothing.
    fn read(words: [u64; WORDS]) -> Result<Option<Seal>, Unusable> {
        let [first, second, format, program, contents, checksum] = words;
        if [first, second] != MAGIC || format == 0 {
            return Ok(None);
        }
        match u32::try_from(checksum) {
            Ok(checksum) if format == FORMAT => Ok(Some(Seal {
                program,
                contents,
                checksum,
            })),
            _ => Err(Unusable::Content(format!(
                "it is laid out in the way {format}, which this version does not know"
            ))),
        }
    }

    /// The contents in the file that has the seal.
    fn contents(self, file: &mut (impl Read + Seek)) -> Result<Vec<u8>, Unusable> {
        let there = file.seek(SeekFrom::End(0)).map_err(closed)?;
        let whole = self.program.checked_add(self.contents);
        let whole = whole.ok_or(Unusable::Changed)?;
        if there < whole {
            return Err(Unusable::Cut(there, whole));
        }
        file.seek(SeekFrom::Start(self.program)).map_err(closed)?;
        // There are so many bytes in the file, so there is room for them.
        let length = usize::try_from(self.contents).unwrap_or_default();
        let mut contents = Vec::with_capacity(length);
        let mut part = file.take(self.contents);
        part.read_to_end(&mut contents).map_err(closed)?;
        match crc32fast::hash(&contents) == self.checksum {
            true => Ok(contents),
            false => Err(Unusable::Changed),
        }
    }
}

fn bytes(words: [u64; WORDS]) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    for (to, word) in bytes.chunks_exact_mut(8).zip(words) {
        to.copy_from_slice(&word.to_ne_bytes());
    }
    bytes
}

fn closed(error: io::Error) -> Unusable {
    Unusable::Closed(error.to_string())
}

/// The words in the mark of this program as it runs.
fn mark() -> [u64; WORDS] {
    std::hint::black_box(&MARK)
        .each_ref()
        .map(|word| word.load(Ordering::Relaxed))
}

/// The seal at the end of a file, if there is one.
fn at_end(file: &mut (impl Read + Seek)) -> Result<Option<Seal>, Unusable> {
    let length = file.seek(SeekFrom::End(0)).map_err(closed)?;
    if length < LENGTH as u64 {
        return Ok(None);
    }
    let mut end = [0; LENGTH];
    file.seek(SeekFrom::Start(length - LENGTH as u64))
        .and_then(|_| file.read_exact(&mut end))
        .map_err(closed)?;
    let mut words = [0; WORDS];
    for (word, from) in words.iter_mut().zip(end.chunks_exact(8)) {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(from);
        *word = u64::from_ne_bytes(bytes);
    }
    Seal::read(words)
}

/// The file that this process runs.
///
/// # Errors
/// Where it cannot be found or read.
pub fn own_file() -> io::Result<File> {
    // Another file may have its name by now.
    if cfg!(target_os = "linux")
        && let Ok(file) = File::open("/proc/self/exe")
    {
        return Ok(file);
    }
    File::open(own_path()?)
}

/// Where that file is.
///
/// # Errors
/// Where that cannot be found out.
pub fn own_path() -> io::Result<PathBuf> {
    std::env::current_exe()
}

/// What was built into this executable; nothing if nothing was.
///
/// # Errors
/// Of what was built into it and is not there as it was.
pub fn own_contents() -> Result<Option<Vec<u8>>, Unusable> {
    if AT_END {
        // Without the right to read it, it is what it would be with nothing at its end.
        let Ok(mut file) = own_file() else {
            return Ok(None);
        };
        let seal = at_end(&mut file)?;
        return seal.map(|seal| seal.contents(&mut file)).transpose();
    }
    let Some(seal) = Seal::read(mark())? else {
        return Ok(None);
    };
    let mut file = own_file().map_err(closed)?;
    seal.contents(&mut file).map(Some)
}

/// An executable: the file of this process, with contents behind it and a seal.
pub struct Sealed<'p> {
    before: &'p [u8],
    mark: Vec<u8>,
    behind: &'p [u8],
    contents: &'p [u8],
    end: Vec<u8>,
}

impl<'p> Sealed<'p> {
    /// One of the bytes of this process's file. Nothing if its mark is not there once, as in what was
    /// packed.
    pub fn new(program: &'p [u8], contents: &'p [u8]) -> Option<Sealed<'p>> {
        let seal = Seal::of(program, contents).bytes().to_vec();
        if AT_END {
            return Some(Sealed {
                before: program,
                mark: Vec::new(),
                behind: &[],
                contents,
                end: seal,
            });
        }
        let mark = bytes(mark());
        let mut places = memmem::find_iter(program, &mark);
        let (Some(at), None) = (places.next(), places.next()) else {
            return None;
        };
        Some(Sealed {
            before: program.get(..at)?,
            mark: seal,
            behind: program.get(at + LENGTH..)?,
            contents,
            end: Vec::new(),
        })
    }

    /// Its bytes, in parts.
    pub fn parts(&self) -> [&[u8]; 5] {
        [
            self.before,
            &self.mark,
            self.behind,
            self.contents,
            &self.end,
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_seal_at_the_end_finds_what_is_before_it() {
        let seal = Seal::of(b"program", b"contents");
        let whole = [&b"program"[..], b"contents", &seal.bytes()].concat();
        let mut file = Cursor::new(whole.clone());
        assert_eq!(at_end(&mut file), Ok(Some(seal)));
        assert_eq!(seal.contents(&mut file).as_deref(), Ok(&b"contents"[..]));
        let mut cut = Cursor::new(whole.get(..whole.len() - 1).unwrap_or_default());
        assert_eq!(at_end(&mut cut), Ok(None));
        let mut short = Cursor::new(b"program");
        assert_eq!(at_end(&mut short), Ok(None));
        assert_eq!(seal.contents(&mut short), Err(Unusable::Cut(7, 15)));
        let mut other = Cursor::new(b"program, and others");
        assert_eq!(seal.contents(&mut other), Err(Unusable::Changed));
    }

    #[test]
    fn no_seal_is_believed_that_is_none() {
        let [first, second] = MAGIC;
        assert_eq!(Seal::read([first, second, 0, 9, 9, 9]), Ok(None));
        assert_eq!(Seal::read([first, 1, 1, 9, 9, 9]), Ok(None));
        assert!(Seal::read([first, second, 2, 9, 9, 9]).is_err());
        assert!(Seal::read([first, second, 1, 9, 9, u64::MAX]).is_err());
        let endless = Seal {
            program: u64::MAX,
            contents: 1,
            checksum: 0,
        };
        let refused = endless.contents(&mut Cursor::new(b""));
        assert_eq!(refused, Err(Unusable::Changed));
        assert_eq!(Seal::read(mark()), Ok(None), "this is no built program");
    }
}
