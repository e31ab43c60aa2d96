//! Pictures between the lines of a terminal, for those that show some: in the protocol of kitty, and as sixels.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use icy_sixel::{BackgroundMode, SixelImage};

use crate::chart::png;
use crate::subject::{Size, Subject};
use crate::theme::Theme;

/// How a terminal is told of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// <https://sw.kovidgoyal.net/kitty/graphics-protocol>: a PNG in pieces.
    Kitty,
    /// Rows of six pixels, in at most 256 colours, as DEC's terminals had them.
    Sixel,
}

/// Kitty's protocol takes so many characters in a piece.
const PIECE: usize = 4096;

/// The picture as escape sequences, and a line feed behind them. Of kitty it is asked to fill so many columns, if that is
/// known; else each of its pixels is one of the terminal's.
///
/// # Errors
/// The image could not be made; with the reason.
pub fn inline<'a>(
    what: impl Into<Subject<'a>>,
    theme: Theme,
    size: Size,
    protocol: Protocol,
    columns: Option<usize>,
) -> Result<String, String> {
    match protocol {
        Protocol::Kitty => {
            // It is made smaller by the terminal, which may have more pixels than one thinks.
            let scale = if columns.is_some() { 2.0 } else { 1.0 };
            Ok(kitty(&png(what, theme, size, scale)?, columns))
        }
        Protocol::Sixel => sixel(&png(what, theme, size, 1.0)?),
    }
}

/// A PNG in kitty's protocol: shown where the cursor is; the terminal answers nothing.
fn kitty(png: &[u8], columns: Option<usize>) -> String {
    let encoded = STANDARD.encode(png);
    let columns = columns.map_or_else(String::new, |columns| format!(",c={columns}"));
    let mut control = format!("a=T,f=100,q=2{columns},");
    let mut out = String::new();
    let mut rest = encoded.as_str();
    loop {
        let (piece, behind) = rest.split_at(rest.len().min(PIECE));
        let more = u8::from(!behind.is_empty());
        out.push_str(&format!("\u{1b}_G{control}m={more};{piece}\u{1b}\\"));
        if behind.is_empty() {
            out.push('\n');
            return out;
        }
        rest = behind;
        control.clear();
    }
}

/// A PNG as sixels. What is transparent in it is not painted.
fn sixel(png: &[u8]) -> Result<String, String> {
    let image = pixels(png)?;
    let sixels = image.with_background_mode(BackgroundMode::Transparent);
    let sixels = sixels.encode().map_err(|error| error.to_string())?;
    Ok(sixels + "\n")
}

/// The pixels of a PNG, with what lies between transparent and not decided: that cannot be said in sixels.
fn pixels(png: &[u8]) -> Result<SixelImage, String> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let length = reader
        .output_buffer_size()
        .ok_or("the image is too large")?;
    let mut pixels = vec![0; length];
    let info = reader
        .next_frame(&mut pixels)
        .map_err(|error| error.to_string())?;
    pixels.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::GrayscaleAlpha => pixels
            .chunks_exact(2)
            .flat_map(|pixel| match pixel {
                [gray, alpha] => [*gray, *gray, *gray, *alpha],
                _ => [0; 4],
            })
            .collect(),
        _ => pixels,
    };
    SixelImage::try_from_rgba(rgba, info.width as usize, info.height as usize)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of four pixels, red, green, blue, and nothing.
    fn four() -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, 2, 2);
        encoder.set_color(png::ColorType::Rgba);
        let mut writer = encoder.write_header().expect("a header");
        #[rustfmt::skip]
        let pixels = [
            255, 0, 0, 255,  0, 255, 0, 255,
            0, 0, 255, 255,  0, 0, 0, 0,
        ];
        writer.write_image_data(&pixels).expect("pixels");
        writer.finish().expect("an end");
        out
    }

    #[test]
    fn sixels_are_the_pixels() {
        let text = sixel(&four()).expect("sixels");
        assert!(text.starts_with("\u{1b}P") && text.ends_with("\u{1b}\\\n"));
        let image = SixelImage::decode(text.trim_end().as_bytes()).expect("an image");
        // Whoever reads it fills the last row of six.
        assert_eq!((image.width, image.height), (2, 6));
        let near = |at: usize, wanted: [u8; 3]| {
            let pixel = &image.pixels[4 * at..4 * at + 4];
            let is_near = pixel.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) < 4);
            assert!(is_near && pixel[3] == 255, "{at}: {pixel:?}");
        };
        near(0, [255, 0, 0]);
        near(1, [0, 255, 0]);
        near(2, [0, 0, 255]);
        assert_eq!(image.pixels[15], 0, "nothing is painted there");
    }

    #[test]
    fn pieces_are_the_picture() {
        let picture: Vec<u8> = (0..10_000u32).map(|n| (n % 251) as u8).collect();
        let text = kitty(&picture, Some(80));
        let pieces: Vec<(&str, &str)> = text
            .trim_end()
            .split_terminator("\u{1b}\\")
            .map(|piece| piece.strip_prefix("\u{1b}_G").expect("a piece"))
            .map(|piece| piece.split_once(';').expect("what is controlled"))
            .collect();
        let controls: Vec<&str> = pieces.iter().map(|(control, _)| *control).collect();
        assert_eq!(controls, ["a=T,f=100,q=2,c=80,m=1", "m=1", "m=1", "m=0"]);
        assert!(pieces.iter().all(|(_, piece)| piece.len() <= PIECE));
        let all: String = pieces.iter().map(|(_, piece)| *piece).collect();
        assert_eq!(STANDARD.decode(all).expect("base64"), picture);
    }
}
