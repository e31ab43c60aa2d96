//! The console of a running program: standard input and output.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use frank_interpreter::picture::Picture;
use frank_interpreter::{Host, Input, Reply, Request};
use frank_syntax::visible::visible_lines;

use crate::gallery::Gallery;
use crate::granted::Granted;

/// How much output is gathered before it is written.
const BUFFER: usize = 1 << 14;
/// How long a line may be, in bytes, that is written again as what the input stands behind.
const LONGEST_PROMPT: usize = 60;
/// How often somebody who waits for input looks whether to go on waiting.
#[cfg(unix)]
const TICK: Duration = Duration::from_millis(30);

/// What a program prints, on its way to standard output or to a page. Shared between the running program and
/// those who write when it pauses.
#[derive(Clone)]
pub struct Output(Rc<RefCell<Buffer>>);

struct Buffer {
    to: Box<dyn Write>,
    bytes: Vec<u8>,
    /// People read it on a terminal, which the program is not to control: what is not to be seen is
    /// escaped. Anywhere else what the program prints goes out as it is.
    terminal: bool,
    /// What was printed after the last line break, as far as it is short.
    line: String,
    /// Something was printed after the last line break.
    in_line: bool,
    /// Nobody reads what is printed any more.
    closed: bool,
}

impl Output {
    fn new(to: Box<dyn Write>, terminal: bool) -> Output {
        Output(Rc::new(RefCell::new(Buffer {
            to,
            bytes: Vec::new(),
            terminal,
            line: String::new(),
            in_line: false,
            closed: false,
        })))
    }

    fn push(&self, c: char) -> io::Result<()> {
        let mut buffer = self.0.borrow_mut();
        if buffer.closed {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let mut bytes = [0; 4];
        let c_text = &*c.encode_utf8(&mut bytes);
        let shown = match buffer.terminal {
            true => visible_lines(c_text),
            false => Cow::Borrowed(c_text),
        };
        buffer.bytes.extend_from_slice(shown.as_bytes());
        buffer.in_line = c != '\n';
        if !buffer.in_line {
            buffer.line.clear();
        } else if buffer.line.len() <= LONGEST_PROMPT {
            let shown = shown.into_owned();
            buffer.line.push_str(&shown);
        }
        if buffer.bytes.len() < BUFFER {
            Ok(())
        } else {
            buffer.flush()
        }
    }

    /// Writes what has been printed so far.
    pub fn flush(&self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }

    /// Writes what has been printed so far, and ends a line that was begun.
    pub fn finish(&self) -> io::Result<()> {
        let mut buffer = self.0.borrow_mut();
        if buffer.in_line {
            buffer.bytes.push(b'\n');
            buffer.in_line = false;
        }
        buffer.flush()
    }

    /// Writes bytes as they are, on lines of their own behind what has been printed so far.
    pub fn write_below(&self, bytes: &[u8]) -> io::Result<()> {
        self.finish()?;
        let mut buffer = self.0.borrow_mut();
        buffer.line.clear();
        buffer.bytes.extend_from_slice(bytes);
        buffer.flush()
    }

    /// What stands in front of the input that is asked for now: the line that was begun, or nothing on a
    /// line of its own where that is long.
    fn before_input(&self) -> io::Result<String> {
        let is_long = self.0.borrow().line.len() > LONGEST_PROMPT;
        if is_long && self.0.borrow().terminal {
            self.finish()?;
            self.0.borrow_mut().line.clear();
        }
        Ok(self.0.borrow().line.clone())
    }

    /// Says that whoever answered has ended the line.
    fn answered(&self) {
        let mut buffer = self.0.borrow_mut();
        if buffer.terminal {
            buffer.line.clear();
            buffer.in_line = false;
        }
    }

    /// Whether nobody reads what is printed any more.
    pub fn is_closed(&self) -> bool {
        self.0.borrow().closed
    }
}

impl Buffer {
    fn flush(&mut self) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let written = self.to.write_all(&self.bytes);
        let result = written.and_then(|()| self.to.flush());
        self.bytes.clear();
        self.closed |= result
            .as_ref()
            .is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        result
    }
}

/// Where a program's input comes from if somebody reads lines before and after it, who has read ahead.
pub trait Lines {
    /// The next line, without its end; `None` if there is none. `before` is what the program has printed
    /// in front of it.
    ///
    /// # Errors
    /// [`ErrorKind::Interrupted`] if the user wants the program to end, [`ErrorKind::TimedOut`] if its time is over.
    fn line(&mut self, before: &str) -> io::Result<Option<String>>;
}

/// Answers the commands of `Console`, and has those of `Picture` answered.
pub struct Terminal<'l, 'g> {
    /// Instead of standard input.
    lines: Option<&'l mut dyn Lines>,
    pub output: Output,
    gallery: &'g Gallery,
    /// What the program may touch beside the terminal; nothing unless somebody says so.
    pub granted: Option<&'g Granted>,
    input: VecDeque<u8>,
    ended: bool,
    cancelled: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// The deadline passed while the program waited for input.
    pub timed_out: bool,
    /// The program wanted to print and nobody read it any more, which ended it.
    pub output_closed: bool,
}

impl<'l, 'g> Terminal<'l, 'g> {
    /// A console whose program may be ended from outside, or by the clock. It reads `lines`, or standard
    /// input. Pictures go to the gallery.
    pub fn new(
        gallery: &'g Gallery,
        cancelled: Arc<AtomicBool>,
        timeout: Option<Duration>,
        lines: Option<&'l mut dyn Lines>,
    ) -> Terminal<'l, 'g> {
        let output = Output::new(Box::new(io::stdout()), io::stdout().is_terminal());
        Terminal::with(gallery, output, cancelled, timeout, lines)
    }

    /// The same with a page that shows what is printed, as a terminal does.
    #[cfg(feature = "kernel")]
    pub fn on_page(
        gallery: &'g Gallery,
        page: Box<dyn Write>,
        cancelled: Arc<AtomicBool>,
        timeout: Option<Duration>,
        lines: &'l mut dyn Lines,
    ) -> Terminal<'l, 'g> {
        Terminal::with(
            gallery,
            Output::new(page, true),
            cancelled,
            timeout,
            Some(lines),
        )
    }

    fn with(
        gallery: &'g Gallery,
        output: Output,
        cancelled: Arc<AtomicBool>,
        timeout: Option<Duration>,
        lines: Option<&'l mut dyn Lines>,
    ) -> Terminal<'l, 'g> {
        Terminal {
            lines,
            output,
            gallery,
            granted: None,
            input: VecDeque::new(),
            ended: false,
            cancelled,
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            timed_out: false,
            output_closed: false,
        }
    }

    /// Waits for input, if there is none. Gives what comes instead of a character, if the program is not to go on.
    fn wait(&mut self, wanted: usize) -> Result<(), Input> {
        while self.input.len() < wanted && !self.ended {
            if self.cancelled.load(Ordering::Relaxed) {
                return Err(Input::Cancelled);
            }
            if self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
            {
                self.timed_out = true;
                return Err(Input::Cancelled);
            }
            if let Some(lines) = &mut self.lines {
                let line = self.output.before_input();
                match line.and_then(|before| lines.line(&before)) {
                    Ok(Some(line)) => {
                        self.output.answered();
                        self.input.extend(line.into_bytes());
                        self.input.push_back(b'\n');
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {
                        return Err(Input::Cancelled);
                    }
                    Err(error) if error.kind() == ErrorKind::TimedOut => {
                        self.timed_out = true;
                        return Err(Input::Cancelled);
                    }
                    Ok(None) => self.ended = true,
                    Err(error) => return Err(unreadable(&error)),
                }
                continue;
            }
            let mut bytes = [0; 4096];
            match read_input(&mut bytes) {
                Ok(None) => {}
                Ok(Some(0)) => self.ended = true,
                Err(error) => return Err(unreadable(&error)),
                Ok(Some(count)) => self.input.extend(bytes.iter().take(count)),
            }
        }
        Ok(())
    }
}

/// What a program is told whose input cannot be read. What went wrong is not the end of the input: the program would
/// take what it has read for all.
fn unreadable(error: &io::Error) -> Input {
    Input::Failed(format!("the input cannot be read: {error}"))
}

impl Host for Terminal<'_, '_> {
    fn inch(&mut self) -> Input {
        if self.input.is_empty() && self.output.flush().is_err() {
            self.output_closed = self.output.is_closed();
            return Input::Cancelled;
        }
        if let Err(instead) = self.wait(1) {
            return instead;
        }
        let Some(first) = self.input.front().copied() else {
            return Input::End;
        };
        let length = match first {
            0..0x80 => 1,
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0..=0xFF => 4,
            0x80..0xC0 => 1,
        };
        if let Err(instead) = self.wait(length) {
            return instead;
        }
        let bytes: Vec<u8> = self.input.iter().copied().take(length).collect();
        match std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| text.chars().next())
        {
            Some(c) => {
                self.input.drain(..bytes.len());
                Input::Char(c)
            }
            None => {
                self.input.pop_front();
                Input::Char(char::REPLACEMENT_CHARACTER)
            }
        }
    }

    fn ouch(&mut self, c: char) -> Result<(), String> {
        self.output.push(c).map_err(|error| {
            self.output_closed = self.output.is_closed();
            format!("the output cannot be written: {error}")
        })
    }

    fn answer(&mut self, request: &Request, most: usize) -> Result<Reply, String> {
        match self.granted {
            Some(granted) => granted.answer(request, most),
            None => Err(request.asked.not_granted()),
        }
    }

    fn picture(&mut self, picture: Picture) -> Result<(), String> {
        // What was printed before stands before it.
        let written = self.output.flush();
        let Some(shown) = self.gallery.take(&picture)? else {
            return Ok(());
        };
        let written = written.and_then(|()| self.output.write_below(shown.as_bytes()));
        written.map_err(|error| {
            self.output_closed = self.output.is_closed();
            format!("the picture cannot be written: {error}")
        })
    }
}

/// Bytes from standard input: as many as there are, `None` if there were none for a while.
#[cfg(unix)]
fn read_input(bytes: &mut [u8]) -> io::Result<Option<usize>> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    // Waiting for bytes and not in `read`, which a signal would not wake.
    let stdin = rustix::stdio::stdin();
    let tick = Timespec {
        tv_sec: 0,
        tv_nsec: i64::from(TICK.subsec_nanos()),
    };
    match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&tick)) {
        Ok(0) | Err(Errno::INTR) => return Ok(None),
        Ok(_) => {}
        Err(error) => return Err(error.into()),
    }
    match rustix::io::read(stdin, bytes) {
        Ok(count) => Ok(Some(count)),
        Err(Errno::INTR | Errno::AGAIN) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn read_input(bytes: &mut [u8]) -> io::Result<Option<usize>> {
    use std::io::Read;
    io::stdin().lock().read(bytes).map(Some)
}
