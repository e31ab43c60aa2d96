//! Where the pictures go that a program draws: into files, or between the lines that it prints.
//!
//! A program built without the feature `plot` runs others all the same, and says how many pictures it did not show.

use std::cell::Cell;
use std::io;
use std::path::PathBuf;

use frank_interpreter::picture::Picture;
use frank_workspace::disk::System;
use frank_workspace::obstacle::no_directory;

use crate::args::{Color, PictureArgs, PictureFormat, PictureTheme};
use crate::drawn;
use crate::inline;
use crate::output::{self, complain, count, visible_path};

/// So many lines at most a picture of letters has: what was printed around it stays in sight.
const MOST_ROWS: usize = 22;
/// So many columns at most.
const MOST_COLUMNS: usize = 100;
/// It has so many at least, whatever the terminal says of its size.
const LEAST: usize = 10;

/// What becomes of a program's pictures.
pub struct Gallery {
    /// The directory for files, if they are wanted.
    directory: Option<PathBuf>,
    theme: Option<PictureTheme>,
    color: Color,
    /// The number of the last file.
    written: Cell<usize>,
    /// How many are written since somebody was told.
    untold: Cell<usize>,
    /// How many cannot be shown, since somebody was told.
    missing: Cell<usize>,
    /// Shows a picture, as SVG and in letters, instead of all that.
    page: Option<Page>,
}

/// A page that shows pictures, as SVG or in letters.
pub type Page = Box<dyn Fn(&str, &str)>;

impl Gallery {
    /// # Errors
    /// Pictures cannot be put where they are wanted; with a sentence.
    pub fn new(args: &PictureArgs, color: Color) -> Result<Gallery, String> {
        if let Some(directory) = &args.pictures {
            if !drawn::CAN_DRAW {
                return Err(format!("`--pictures`: {}", drawn::CANNOT));
            }
            if let Some((way, obstacle)) = no_directory(directory) {
                return Err(format!(
                    "{}: {obstacle}, and `--pictures` takes a directory; name another",
                    visible_path(&way)
                ));
            }
        }
        Ok(Gallery {
            directory: args.pictures.clone(),
            theme: args.theme,
            ..Gallery::on_terminal(color)
        })
    }

    /// One that shows pictures between the lines.
    pub fn on_terminal(color: Color) -> Gallery {
        Gallery {
            directory: None,
            theme: None,
            color,
            written: Cell::new(0),
            untold: Cell::new(0),
            missing: Cell::new(0),
            page: None,
        }
    }

    /// One that shows pictures on a page.
    #[cfg(feature = "kernel")]
    pub fn on_page(page: Page) -> Gallery {
        Gallery {
            page: Some(page),
            ..Gallery::on_terminal(Color::Never)
        }
    }

    /// Takes a picture. Gives what is to be written behind what was printed so far, if it goes between the lines.
    ///
    /// # Errors
    /// It can be written nowhere; with the reason.
    pub fn take(&self, picture: &Picture) -> Result<Option<String>, String> {
        if !drawn::CAN_DRAW {
            self.missing.set(self.missing.get() + 1);
            return Ok(None);
        }
        if let Some(page) = &self.page {
            let (svg, letters) = drawn::for_page(picture)?;
            page(&svg, &letters);
            return Ok(None);
        }
        if self.directory.is_some() {
            return self.write(picture).map(|()| None);
        }
        let theme = self.theme.unwrap_or(PictureTheme::Neutral);
        let format = inline::format(self.color);
        if format != PictureFormat::Text {
            let (columns, size) = inline::room();
            return drawn::inline(picture, format, theme, (Some(columns), size)).map(Some);
        }
        let (columns, rows) = output::size();
        let columns = columns.clamp(LEAST, MOST_COLUMNS);
        let size = (columns, rows.saturating_sub(2).clamp(LEAST, MOST_ROWS));
        let colored = output::colored(self.color, &io::stdout());
        drawn::text(picture, colored, size).map(Some)
    }

    fn write(&self, picture: &Picture) -> Result<(), String> {
        let Some(directory) = &self.directory else {
            return Ok(());
        };
        let number = self.written.get() + 1;
        let path = directory.join(name(number));
        // What is behind a link is somebody's, perhaps the program itself.
        if path.is_symlink() {
            return Err(format!(
                "{}: this is a link, which a picture does not follow; remove it, or name another directory",
                visible_path(&path)
            ));
        }
        let svg = drawn::svg(picture, self.theme.unwrap_or(PictureTheme::Light), None)?;
        std::fs::create_dir_all(directory)
            .map_err(|error| format!("{}: {error}", visible_path(directory)))?;
        frank_workspace::write::write(&System, &path, svg.as_bytes())
            .map_err(|error| format!("{}: {error}", visible_path(&path)))?;
        self.written.set(number);
        self.untold.set(self.untold.get() + 1);
        Ok(())
    }

    /// Says where the pictures are, or that some are not shown.
    pub fn finish(&self) {
        let untold = self.untold.take();
        if let (Some(directory), true) = (&self.directory, untold > 0) {
            let last = self.written.get();
            let names = match untold {
                1 => name(last),
                _ => format!("{} to {}", name(last + 1 - untold), name(last)),
            };
            complain(format_args!(
                "{} in {}: {names}",
                count(untold, "picture"),
                visible_path(directory)
            ));
        }
        if let Some(sentence) = self.not_shown() {
            complain(format_args!("{sentence}"));
        }
    }

    /// That pictures are not shown, if there were some.
    pub fn not_shown(&self) -> Option<String> {
        let missing = self.missing.take();
        let pictures = count(missing, "picture");
        (missing > 0).then(|| format!("{pictures} not shown: {}", drawn::CANNOT))
    }
}

/// The name of a file: names sort as their pictures were drawn.
fn name(number: usize) -> String {
    format!("picture-{number:04}.svg")
}
