//! A compiled program as bytes, for who keeps it and runs it elsewhere.
//!
//! An image has the code, and of the program what a run shows: the names of files, the types of
//! fields and of entries. It has no terms. Equal programs have equal images. One is read by the
//! same version of this crate alone.

use frank_core::{Constructor, Entry, File, Program, Type};
use la_arena::{Idx, RawIdx};
use serde::{Deserialize, Serialize};

use crate::code::{Callable, Code, NONE};

/// Bytes that are no image of this version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadImage {
    pub message: String,
}

impl std::fmt::Display for BadImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BadImage {}

#[derive(Serialize, Deserialize)]
struct Image<C> {
    files: Vec<(String, bool)>,
    constructors: Vec<Fields>,
    entries: Vec<(String, Vec<Token>)>,
    code: C,
}

/// A constructor's name, data type and tag, and the types of its arguments.
type Fields = (String, u32, u32, Vec<Vec<Token>>);

/// A type is written from the outside in, each followed by its arguments: its depth costs no stack.
#[derive(Clone, Serialize, Deserialize)]
enum Token {
    Int,
    Float,
    Char,
    /// So many types follow.
    Data(u32, u32),
    Parameter(u32),
    Computation,
    Unknown,
}

fn id<T>(number: u32) -> Idx<T> {
    Idx::from_raw(RawIdx::from_u32(number))
}

fn number<T>(id: Idx<T>) -> u32 {
    id.into_raw().into_u32()
}

fn flat(ty: &Type) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = vec![ty];
    while let Some(ty) = rest.pop() {
        tokens.push(match ty {
            Type::Int => Token::Int,
            Type::Float => Token::Float,
            Type::Char => Token::Char,
            Type::Data(data, arguments) => {
                rest.extend(arguments.iter().rev());
                Token::Data(number(*data), arguments.len() as u32)
            }
            Type::Parameter(parameter) => Token::Parameter(*parameter),
            Type::Computation => Token::Computation,
            Type::Unknown => Token::Unknown,
        });
    }
    tokens
}

fn tree(tokens: &[Token]) -> Result<Type, BadImage> {
    let mut done: Vec<Type> = Vec::new();
    for token in tokens.iter().rev() {
        let ty = match *token {
            Token::Int => Type::Int,
            Token::Float => Type::Float,
            Token::Char => Type::Char,
            Token::Data(data, arguments) => {
                let from = done.len().checked_sub(arguments as usize);
                let from = from.ok_or_else(|| bad("a type lacks an argument"))?;
                let mut arguments = done.split_off(from);
                arguments.reverse();
                Type::Data(id(data), arguments)
            }
            Token::Parameter(parameter) => Type::Parameter(parameter),
            Token::Computation => Type::Computation,
            Token::Unknown => Type::Unknown,
        };
        done.push(ty);
    }
    match (done.pop(), done.is_empty()) {
        (Some(ty), true) => Ok(ty),
        _ => Err(bad("there is not one type where one should be")),
    }
}

fn bad(message: impl ToString) -> BadImage {
    BadImage {
        message: message.to_string(),
    }
}

/// The image of a program and its code.
///
/// # Errors
/// Of a program that has no image, which none is known to be.
pub fn write_image(program: &Program, code: &Code) -> Result<Vec<u8>, BadImage> {
    let files = program.files.values();
    let constructors = program.constructors.values();
    let entries = program.entries.iter();
    let image = Image {
        files: files
            .map(|file| (file.path.clone(), file.library))
            .collect(),
        constructors: constructors
            .map(|one| {
                let fields = one.fields.iter().map(flat).collect();
                (one.name.clone(), number(one.data), one.tag, fields)
            })
            .collect(),
        entries: entries
            .map(|entry| (entry.name.clone(), flat(&entry.ty)))
            .collect(),
        code,
    };
    postcard::to_allocvec(&image).map_err(bad)
}

/// A program and its code, of their image. The program is one to run the code with, and to show
/// values and places: its entries' terms do not exist, and it cannot be compiled.
///
/// What instructions say is not looked at, and the machine relies on it. So who reads an image that
/// may have been damaged compares a checksum before.
///
/// # Errors
/// Of bytes that are no image.
pub fn read_image(bytes: &[u8]) -> Result<(Program, Code), BadImage> {
    let image: Image<Code> = postcard::from_bytes(bytes).map_err(bad)?;
    let mut program = Program::default();
    let mut code = image.code;
    for (path, library) in image.files {
        let file = program.files.alloc(File { path, library });
        if library {
            code.library.insert(file);
        }
    }
    for (name, data, tag, fields) in image.constructors {
        let fields = fields.iter().map(|field| tree(field));
        program.constructors.alloc(Constructor {
            name,
            data: id(data),
            tag,
            fields: fields.collect::<Result<_, _>>()?,
        });
    }
    for (name, ty) in image.entries {
        program.entries.push(Entry {
            name,
            term: id(0),
            ty: tree(&ty)?,
            locals: 0,
        });
    }
    match fits(&program, &code) {
        true => Ok((program, code)),
        false => Err(bad("its parts do not fit together")),
    }
}

/// Whether the tables of a program and its code refer to what there is.
fn fits(program: &Program, code: &Code) -> bool {
    let instruction = |pc: u32| (pc as usize) < code.instrs.len();
    let debug = |number: u32| number == NONE || (number as usize) < code.debugs.len();
    let function = |number: u32| (number as usize) < code.functions.len();
    code.debug_of.len() == code.instrs.len()
        && code.first_of.len() == code.ports.len()
        && code.constructors.len() == program.constructors.len()
        && code.entries.len() == program.entries.len()
        && code.entries.iter().all(|entry| function(*entry))
        && code.functions.iter().all(|one| instruction(one.pc))
        && code.debug_of.iter().all(|number| debug(*number))
        && code.debugs.iter().all(|one| {
            let file = one.place.map(|place| number(place.file) as usize);
            file.is_none_or(|file| file < program.files.len())
        })
        && code.operators.iter().flatten().all(|one| match one {
            Callable::Function(number) => function(*number),
            Callable::Builtin(_) => true,
        })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::compile;
    use frank_core::Term;

    fn image() -> Vec<u8> {
        let mut program = Program::default();
        let term = program.terms.alloc(Term::Int(7));
        program.entries.push(Entry {
            name: "seven".to_owned(),
            term,
            ty: Type::Int,
            locals: 0,
        });
        let code = compile(&program).unwrap();
        write_image(&program, &code).unwrap()
    }

    #[test]
    fn types_stay_however_deep_they_are() {
        let wide = Type::Data(
            id(3),
            vec![
                Type::Int,
                Type::Data(id(1), vec![Type::Parameter(2), Type::Char]),
                Type::Data(id(0), Vec::new()),
                Type::Computation,
            ],
        );
        assert_eq!(tree(&flat(&wide)), Ok(wide));
        let mut tokens = vec![Token::Data(0, 1); 100_000];
        tokens.push(Token::Float);
        let mut ty = tree(&tokens).unwrap();
        assert_eq!(flat(&ty).len(), tokens.len());
        // Dropped from the outside in.
        while let Type::Data(_, arguments) = &mut ty {
            ty = arguments.pop().unwrap();
        }
        assert!(tree(&tokens[..9]).is_err());
        assert!(tree(&[Token::Int, Token::Int]).is_err());
    }

    /// A part of an image, or one with a changed byte, is refused or read, and nothing else.
    #[test]
    fn damage_is_no_accident() {
        let image = image();
        let (program, code) = read_image(&image).unwrap();
        assert_eq!(write_image(&program, &code).unwrap(), image);
        for length in 0..image.len() {
            assert!(read_image(&image[..length]).is_err(), "{length}");
        }
        for at in 0..image.len() {
            for bit in 0..8 {
                let mut damaged = image.clone();
                damaged[at] ^= 1 << bit;
                let _ = read_image(&damaged);
            }
        }
    }
}
