//! The command in a terminal: keys go in, and what stands on the screen is read.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::Dir;

/// Longer than any wait for the screen takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is drawn at once comes within this time.
const SETTLED: Duration = Duration::from_millis(200);

/// The command in a terminal.
pub struct Screen {
    child: Child,
    keys: File,
    #[cfg(feature = "plot")]
    terminal: File,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
}

impl Screen {
    pub fn start(dir: &Dir, args: &[&str]) -> Screen {
        Screen::that_says(dir, args, &[("TERM", "xterm-256color")])
    }

    /// In a terminal that says this of itself in the environment.
    pub fn that_says(dir: &Dir, args: &[&str], says: &[(&str, &str)]) -> Screen {
        let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&main).unwrap();
        unlockpt(&main).unwrap();
        let name = ptsname(&main, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        let terminal: OwnedFd = rustix::fs::open(&name, flags, Mode::empty()).unwrap();
        let size = Winsize {
            ws_row: 24,
            ws_col: 100,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&terminal, size).unwrap();
        let mut command = dir.command_with(args);
        for name in [
            "TMUX",
            "STY",
            "ZELLIJ",
            "TERM_PROGRAM",
            "KITTY_WINDOW_ID",
            "KONSOLE_VERSION",
        ] {
            command.env_remove(name);
        }
        command.envs(says.iter().copied());
        command.stdin(Stdio::from(terminal.try_clone().unwrap()));
        command.stdout(Stdio::from(terminal.try_clone().unwrap()));
        command.stderr(Stdio::from(terminal.try_clone().unwrap()));
        let child = command.spawn().unwrap();
        let keys = File::from(main);
        let mut screen = keys.try_clone().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Screen {
            child,
            keys,
            #[cfg(feature = "plot")]
            terminal: File::from(terminal),
            output,
            parser: vt100::Parser::new(24, 100, 0),
        }
    }

    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until something stands on the screen.
    #[track_caller]
    pub fn until(&mut self, text: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let contents = self.parser.screen().contents();
            let found = contents.contains(text);
            let patience = match found {
                // A screen comes in pieces.
                true => SETTLED,
                false => deadline.saturating_duration_since(Instant::now()),
            };
            match self.output.recv_timeout(patience) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(_) if found => return contents,
                Err(_) => panic!("`{text}` is not on the screen:\n{contents}"),
            }
        }
    }

    /// What looks as if it were frozen, or is for a handler that takes it.
    pub fn marked(&self) -> String {
        let screen = self.parser.screen();
        let (rows, columns) = screen.size();
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cells = cells.filter_map(|(row, column)| screen.cell(row, column));
        let marked = cells.filter(|cell| cell.bgcolor() != vt100::Color::Default);
        marked.map(vt100::Cell::contents).collect()
    }

    /// All that was written, at the end.
    #[cfg(feature = "plot")]
    pub fn written(mut self) -> String {
        // The terminal stays open behind the last word: what nobody has read yet may be lost when it is closed.
        const END: &[u8] = b"\0written\0";
        self.child.wait().unwrap();
        self.terminal.write_all(END).unwrap();
        let mut all = Vec::new();
        while !all.ends_with(END) {
            let bytes = self.output.recv_timeout(PATIENCE);
            all.extend(bytes.expect("all that was written can be read"));
        }
        all.truncate(all.len() - END.len());
        String::from_utf8(all).unwrap()
    }

    /// The exit code, after the last key.
    pub fn end(mut self) -> i32 {
        let code = self.child.wait().unwrap().code();
        code.expect("it ends by itself")
    }
}
