//! Where messages begin and end in a stream: a header with their length, as the protocols of editors have it.
//!
//! [`frame`] looks at the bytes that have come so far. They may be anything.

mod surrogates;

pub use surrogates::mend_surrogates;

/// More bytes than this before a message are no header.
pub const MOST_HEADERS: usize = 64 << 10;

/// More bytes than this in one message are no message.
const MOST: usize = 1 << 30;

/// Which headers a connection may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Headers {
    /// Any: those that the protocol does not know are passed over.
    Any,
    /// Those of the protocol alone. What sends others, such as a browser, speaks another protocol.
    Own,
}

/// What some bytes begin with.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// Not all of it is there.
    Partial,
    /// Something that is not of this protocol.
    Foreign,
    /// No message begins before this many bytes.
    Garbage { length: usize },
    /// Where the message is.
    Message { start: usize, end: usize },
}

/// Looks for the message at the beginning of some bytes.
pub fn frame(bytes: &[u8], headers: Headers) -> Frame {
    if headers == Headers::Own && !has_own_headers(bytes) {
        return Frame::Foreign;
    }
    let Some((header, start)) = header(bytes) else {
        // Nobody has that many headers.
        return match bytes.len() > MOST_HEADERS {
            true => garbage(bytes.len(), headers),
            false => Frame::Partial,
        };
    };
    let length = header.split(|byte| *byte == b'\n').find_map(|line| {
        let (name, value) = name_and_value(line)?;
        let is_length = name.eq_ignore_ascii_case("Content-Length");
        is_length.then(|| value.parse::<usize>().ok().filter(|length| *length <= MOST))?
    });
    match length {
        Some(length) if bytes.len() < start + length => Frame::Partial,
        Some(length) => Frame::Message {
            start,
            end: start + length,
        },
        None => garbage(start, headers),
    }
}

fn garbage(length: usize, headers: Headers) -> Frame {
    match headers {
        Headers::Any => Frame::Garbage { length },
        Headers::Own => Frame::Foreign,
    }
}

fn name_and_value(line: &[u8]) -> Option<(&str, &str)> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    Some((name.trim(), value.trim()))
}

/// Whether the lines of a header, as far as they are there, are those of the protocol.
fn has_own_headers(bytes: &[u8]) -> bool {
    let mut any = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if !line.ends_with(b"\n") {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            match any {
                true => break,
                false => continue,
            }
        }
        any = true;
        let own = |name: &str| ["content-length", "content-type"].contains(&name);
        if !name_and_value(line).is_some_and(|(name, _)| own(&name.to_ascii_lowercase())) {
            return false;
        }
    }
    true
}

/// The lines before the first empty one, and where what follows it starts.
fn header(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let (mut first, mut start) = (0, 0);
    loop {
        let end = start + bytes.get(start..)?.iter().position(|byte| *byte == b'\n')?;
        let blank = bytes.get(start..end)?.iter().all(u8::is_ascii_whitespace);
        if blank && start > first {
            return Some((bytes.get(first..start)?, end + 1));
        }
        start = end + 1;
        if blank {
            // Line breaks behind a message are not worth a complaint.
            first = start;
        }
    }
}
