//! The committed parser is the grammar's, as far as that can be seen without the generator.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::Path;

/// The checksum of POSIX's `cksum`.
fn cksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: u8| {
        (0..8).fold(crc ^ u32::from(byte) << 24, |crc, _| {
            if crc >> 31 == 1 {
                crc << 1 ^ 0x04c1_1db7
            } else {
                crc << 1
            }
        })
    };
    let crc = bytes.iter().fold(0, |crc, &byte| step(crc, byte));
    let mut length = bytes.len();
    let mut crc = crc;
    while length > 0 {
        crc = step(crc, length as u8);
        length >>= 8;
    }
    !crc
}

#[test]
fn the_parser_is_the_grammars() {
    assert_eq!(cksum(b"123456789"), 930_766_865);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recorded = std::fs::read_to_string(root.join("src/generated.cksum")).unwrap();
    assert_eq!(recorded.lines().count(), 4);
    for line in recorded.lines() {
        let mut words = line.split(' ');
        let (sum, size, file) = (
            words.next().unwrap(),
            words.next().unwrap(),
            words.next().unwrap(),
        );
        let bytes = std::fs::read(root.join(file)).unwrap();
        let found = (cksum(&bytes).to_string(), bytes.len().to_string());
        assert_eq!(
            found,
            (sum.to_owned(), size.to_owned()),
            "{file} changed: run scripts/generate.sh"
        );
    }
}
