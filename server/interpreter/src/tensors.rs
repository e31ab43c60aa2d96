//! Whole operations on arrays of floats: what the library's `ad-tensor` is computed with.
//!
//! Tensors lie row by row: the last axis changes fastest. A shape goes into another one as NumPy has it: axes are compared
//! from the last on, and a missing one or one of size 1 is repeated.
#![allow(clippy::indexing_slicing)] // Sizes are compared before anything is computed.

use frank_staging::{Binary, Unary, value1, value2};
use ndarray::ArrayView2;
use ndarray::linalg::general_mat_mul;

/// About so many multiplications of a product of matrices pass between two looks at the limits.
const BLOCK: usize = 1 << 24;

/// What it takes to write a number of a product, in multiplications.
const WRITTEN: usize = 16;

/// So many numbers of another operation pass between two looks at the limits.
const PIECE: usize = 1 << 16;

/// An operation with what it takes beside numbers.
#[derive(Debug, Clone)]
pub enum Operation<'a> {
    /// Of each number.
    Map(Unary),
    /// Of the numbers at each position of two arrays.
    Zip(Binary, &'a [f64]),
    /// The product of matrices, the first of which has so many columns.
    Product(i64, &'a [f64]),
    /// From a shape to one that it goes into.
    Stretch(Vec<i64>, Vec<i64>),
    /// The sums over what [`Operation::Stretch`] repeats: from the larger shape to the smaller one.
    Sum(Vec<i64>, Vec<i64>),
    /// The axes of a shape in another order.
    Permute(Vec<i64>, Vec<i64>),
    /// Rows of a width at positions.
    Gather(i64, &'a [i64]),
    /// An array of a size, of zeros, to whose rows at positions the rows are added.
    Scatter(i64, &'a [i64]),
}

/// An operation on numbers that has a result, but for what memory and time allow.
#[derive(Debug)]
pub struct Kernel<'a> {
    xs: &'a [f64],
    what: What<'a>,
    size: usize,
}

#[derive(Debug)]
enum What<'a> {
    Map(Unary),
    Zip(Binary, &'a [f64]),
    Product {
        rows: usize,
        inner: usize,
        columns: usize,
        ys: &'a [f64],
    },
    Stretch(Walk),
    Sum(Walk),
    Permute(Walk),
    Gather(usize, &'a [i64]),
    Scatter(usize, &'a [i64]),
}

/// A way through a shape, row by row, and along it through numbers that lie otherwise.
#[derive(Debug)]
struct Walk {
    shape: Vec<usize>,
    strides: Vec<usize>,
}

impl Walk {
    /// Visits rows along the last axis, long ones in pieces: where each begins here, where there, and how many numbers
    /// it has. Gives whether it has come to the end.
    fn rows(&self, pace: &mut Pace, mut visit: impl FnMut(usize, usize, usize)) -> bool {
        let Some((last, outer)) = self.shape.split_last() else {
            visit(0, 0, 1);
            return true;
        };
        if self.shape.contains(&0) {
            return true;
        }
        let stride = self.stride();
        let mut position = vec![0; outer.len()];
        let (mut here, mut there) = (0, 0);
        loop {
            for start in (0..*last).step_by(PIECE) {
                let count = PIECE.min(last - start);
                if !pace.goes_on(count) {
                    return false;
                }
                visit(here + start, there + start * stride, count);
            }
            here += last;
            let mut axis = outer.len();
            loop {
                if axis == 0 {
                    return true;
                }
                axis -= 1;
                position[axis] += 1;
                there += self.strides[axis];
                if position[axis] < outer[axis] {
                    break;
                }
                there -= self.strides[axis] * outer[axis];
                position[axis] = 0;
            }
        }
    }

    /// How far the numbers of a row lie apart there.
    fn stride(&self) -> usize {
        self.strides.last().copied().unwrap_or(0)
    }
}

/// Asks after each piece of the work whether to go on.
struct Pace<'a> {
    since: usize,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Pace<'_> {
    /// Before so many numbers are computed: whether they are to be.
    fn goes_on(&mut self, numbers: usize) -> bool {
        self.since = self.since.saturating_add(numbers);
        if self.since < PIECE {
            return true;
        }
        self.since = 0;
        (self.go_on)()
    }
}

/// A shape as a list in Frank.
fn shown(shape: &[i64]) -> String {
    let sizes: Vec<String> = shape.iter().map(i64::to_string).collect();
    format!("[{}]", sizes.join(", "))
}

/// A shape and how many numbers it has.
fn sizes(shape: &[i64]) -> Result<(Vec<usize>, usize), String> {
    let wrong = || format!("there is no tensor of shape {}", shown(shape));
    let sizes: Result<Vec<usize>, _> = shape.iter().map(|size| usize::try_from(*size)).collect();
    let sizes = sizes.map_err(|_| wrong())?;
    // Zeros among large sizes make no large number.
    let product = |all: usize, size: &usize| all.checked_mul((*size).max(1));
    let most = sizes.iter().try_fold(1, product).ok_or_else(wrong)?;
    let volume = if sizes.contains(&0) { 0 } else { most };
    Ok((sizes, volume))
}

/// How far the numbers along each axis lie apart.
fn strides(sizes: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; sizes.len()];
    for axis in (1..sizes.len()).rev() {
        strides[axis - 1] = strides[axis] * sizes[axis];
    }
    strides
}

/// The way through a larger shape, and along it through a smaller one.
fn repeating(small: &[i64], large: &[i64]) -> Result<(Walk, usize, usize), String> {
    let (small_sizes, small_volume) = sizes(small)?;
    let (large_sizes, large_volume) = sizes(large)?;
    let no = || {
        format!(
            "shape {} does not go into shape {}",
            shown(small),
            shown(large)
        )
    };
    let missing = large_sizes
        .len()
        .checked_sub(small_sizes.len())
        .ok_or_else(no)?;
    let mut all = vec![0; missing];
    all.extend(strides(&small_sizes));
    for (axis, size) in small_sizes.iter().enumerate() {
        let stride = &mut all[missing + axis];
        match (*size, large_sizes[missing + axis]) {
            (own, other) if own == other => {}
            (1, _) => *stride = 0,
            _ => return Err(no()),
        }
    }
    let walk = Walk {
        shape: large_sizes,
        strides: all,
    };
    Ok((walk, small_volume, large_volume))
}

fn wanted(found: usize, volume: usize, shape: &[i64]) -> Result<(), String> {
    match found == volume {
        true => Ok(()),
        false => Err(format!(
            "{found} numbers are no tensor of shape {}",
            shown(shape)
        )),
    }
}

/// So many numbers as rows of a width.
fn rows_of(numbers: usize, width: i64, what: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("{numbers} numbers are no {what} of {width}");
    let width = usize::try_from(width).map_err(|_| wrong())?;
    match (numbers.checked_div(width), numbers) {
        (Some(rows), _) if rows * width == numbers => Ok((rows, width)),
        (None, 0) => Ok((0, 0)),
        _ => Err(wrong()),
    }
}

impl<'a> Kernel<'a> {
    /// An operation on numbers; what is wrong if there is no such result.
    pub fn new(operation: Operation<'a>, xs: &'a [f64]) -> Result<Kernel<'a>, String> {
        let (what, size) = match operation {
            Operation::Map(unary) => (What::Map(unary), xs.len()),
            Operation::Zip(binary, ys) if xs.len() == ys.len() => (What::Zip(binary, ys), xs.len()),
            Operation::Zip(_, ys) => {
                return Err(format!("{} numbers beside {} numbers", xs.len(), ys.len()));
            }
            Operation::Product(inner, ys) => {
                let (rows, inner) = rows_of(xs.len(), inner, "rows")?;
                let (columns, _) = rows_of(ys.len(), inner as i64, "columns")?;
                let size = rows.saturating_mul(columns);
                let what = What::Product {
                    rows,
                    inner,
                    columns,
                    ys,
                };
                (what, size)
            }
            Operation::Stretch(from, to) => {
                let (walk, small, large) = repeating(&from, &to)?;
                wanted(xs.len(), small, &from)?;
                (What::Stretch(walk), large)
            }
            Operation::Sum(from, to) => {
                let (walk, small, large) = repeating(&to, &from)?;
                wanted(xs.len(), large, &from)?;
                (What::Sum(walk), small)
            }
            Operation::Permute(shape, order) => {
                let (from, volume) = sizes(&shape)?;
                wanted(xs.len(), volume, &shape)?;
                let mut sorted = order.clone();
                sorted.sort_unstable();
                if !sorted.iter().copied().eq(0..from.len() as i64) {
                    return Err(format!(
                        "{} is no order of the axes of shape {}",
                        shown(&order),
                        shown(&shape)
                    ));
                }
                let all = strides(&from);
                let order = order.iter().map(|axis| *axis as usize);
                let walk = Walk {
                    shape: order.clone().map(|axis| from[axis]).collect(),
                    strides: order.map(|axis| all[axis]).collect(),
                };
                (What::Permute(walk), volume)
            }
            Operation::Gather(width, at) => {
                let (rows, width) = rows_of(xs.len(), width, "rows")?;
                // Of rows without numbers it cannot be told how many there are.
                if width > 0 {
                    positions(at, rows)?;
                }
                let size = at.len().saturating_mul(width);
                (What::Gather(width, at), size)
            }
            Operation::Scatter(size, at) => {
                let size = usize::try_from(size)
                    .map_err(|_| format!("there is no array of {size} numbers"))?;
                let (width, _) = rows_of(xs.len(), at.len() as i64, "columns")?;
                let rows = size.checked_div(width).unwrap_or(0);
                if width > 0 && rows * width != size {
                    return Err(format!("{size} numbers are no rows of {width}"));
                }
                if width > 0 || size > 0 {
                    positions(at, rows)?;
                }
                (What::Scatter(width, at), size)
            }
        };
        Ok(Kernel { xs, what, size })
    }

    /// How many numbers the result has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// About how many numbers are computed on the way.
    pub fn cost(&self) -> usize {
        match self.what {
            What::Product { inner, .. } => self.size.saturating_mul(inner),
            _ => self.size.max(self.xs.len()),
        }
    }

    /// Computes the result into an array of its size that holds zeros. Asks now and then whether to go on; gives whether
    /// it has come to the end.
    pub fn run(&self, out: &mut [f64], go_on: &mut dyn FnMut() -> bool) -> bool {
        let xs = self.xs;
        let mut pace = Pace { since: 0, go_on };
        match &self.what {
            What::Map(unary) => {
                let pieces = out.chunks_mut(PIECE).zip(xs.chunks(PIECE));
                for (to, xs) in pieces {
                    if !pace.goes_on(to.len()) {
                        return false;
                    }
                    let all = to.iter_mut().zip(xs);
                    all.for_each(|(to, x)| *to = value1(*unary, *x));
                }
                true
            }
            What::Zip(binary, ys) => {
                let pairs = xs.chunks(PIECE).zip(ys.chunks(PIECE));
                for (to, (xs, ys)) in out.chunks_mut(PIECE).zip(pairs) {
                    if !pace.goes_on(to.len()) {
                        return false;
                    }
                    zip(*binary, xs, ys, to);
                }
                true
            }
            What::Product {
                rows,
                inner,
                columns,
                ys,
            } => product((*rows, *inner, *columns), xs, ys, out, pace.go_on),
            What::Stretch(walk) => {
                let stride = walk.stride();
                walk.rows(&mut pace, |here, there, count| {
                    let row = &mut out[here..here + count];
                    match stride {
                        0 => row.fill(xs[there]),
                        _ => row.copy_from_slice(&xs[there..there + count]),
                    }
                })
            }
            What::Sum(walk) => {
                let stride = walk.stride();
                walk.rows(&mut pace, |here, there, count| {
                    let row = &xs[here..here + count];
                    match stride {
                        0 => out[there] += row.iter().sum::<f64>(),
                        _ => {
                            let to = out[there..there + count].iter_mut();
                            to.zip(row).for_each(|(to, x)| *to += x);
                        }
                    }
                })
            }
            What::Permute(walk) => {
                let stride = walk.stride();
                walk.rows(&mut pace, |here, there, count| {
                    let row = out[here..here + count].iter_mut();
                    row.enumerate()
                        .for_each(|(i, to)| *to = xs[there + i * stride]);
                })
            }
            What::Gather(width, at) => at.iter().enumerate().all(|(i, row)| {
                let row = *row as usize * width;
                out[i * width..(i + 1) * width].copy_from_slice(&xs[row..row + width]);
                pace.goes_on(*width)
            }),
            What::Scatter(width, at) => at.iter().enumerate().all(|(i, row)| {
                let row = *row as usize * width;
                let to = out[row..row + width].iter_mut();
                to.zip(&xs[i * width..(i + 1) * width])
                    .for_each(|(to, x)| *to += x);
                pace.goes_on(*width)
            }),
        }
    }
}

fn positions(at: &[i64], rows: usize) -> Result<(), String> {
    let outside = at.iter().find(|row| !(0..rows as i64).contains(row));
    outside.map_or(Ok(()), |row| {
        Err(format!(
            "there is no row {row} among {rows}, which count from 0"
        ))
    })
}

/// The usual operations each have a loop of their own, which the compiler makes wide.
fn zip(binary: Binary, xs: &[f64], ys: &[f64], out: &mut [f64]) {
    let all = out.iter_mut().zip(xs.iter().zip(ys));
    match binary {
        Binary::Plus => all.for_each(|(to, (x, y))| *to = x + y),
        Binary::Minus => all.for_each(|(to, (x, y))| *to = x - y),
        Binary::Times => all.for_each(|(to, (x, y))| *to = x * y),
        Binary::Divide => all.for_each(|(to, (x, y))| *to = x / y),
        _ => all.for_each(|(to, (x, y))| *to = value2(binary, *x, *y)),
    }
}

fn product(
    (rows, inner, columns): (usize, usize, usize),
    xs: &[f64],
    ys: &[f64],
    out: &mut [f64],
    go_on: &mut dyn FnMut() -> bool,
) -> bool {
    let Ok(ys) = ArrayView2::from_shape((inner, columns), ys) else {
        return false;
    };
    if inner == 0 || columns == 0 {
        return true;
    }
    let row = columns.saturating_mul(inner.saturating_add(WRITTEN));
    let block = (BLOCK / row).max(1);
    for start in (0..rows).step_by(block) {
        if start > 0 && !go_on() {
            return false;
        }
        let count = block.min(rows - start);
        let xs = &xs[start * inner..(start + count) * inner];
        let to = &mut out[start * columns..(start + count) * columns];
        let xs = ArrayView2::from_shape((count, inner), xs);
        let to = ndarray::ArrayViewMut2::from_shape((count, columns), to);
        if let (Ok(xs), Ok(mut to)) = (xs, to) {
            general_mat_mul(1.0, &xs, &ys, 0.0, &mut to);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_can_be_ended() {
        let many = 4 * PIECE;
        let size = many as i64;
        let numbers = vec![1.0; many];
        let places: Vec<i64> = (0..size).collect();
        let all = [
            (Operation::Map(Unary::Exp), &numbers[..]),
            (Operation::Zip(Binary::Plus, &numbers), &numbers),
            (Operation::Product(1, &numbers[..512]), &numbers),
            (Operation::Stretch(vec![1], vec![size]), &numbers[..1]),
            (Operation::Stretch(vec![size, 1], vec![size, 2]), &numbers),
            (Operation::Sum(vec![size], vec![1]), &numbers),
            (Operation::Permute(vec![2, size / 2], vec![1, 0]), &numbers),
            (Operation::Gather(1, &places), &numbers),
            (Operation::Scatter(size, &places), &numbers),
        ];
        for (operation, xs) in all {
            let what = format!("{operation:?}");
            let what = &what[..what.len().min(40)];
            let kernel = Kernel::new(operation, xs).unwrap();
            let mut out = vec![0.0; kernel.size()];
            let mut asked = 0;
            assert!(
                kernel.run(&mut out, &mut || {
                    asked += 1;
                    true
                }),
                "{what}"
            );
            assert!(asked >= 3, "{what}: {asked}");
            assert!(!kernel.run(&mut out, &mut || false), "{what}");
        }
    }

    #[test]
    fn rows_without_numbers_can_be_anywhere() {
        let places = [0, 1, 1];
        let kernel = Kernel::new(Operation::Gather(0, &places), &[]).unwrap();
        assert_eq!(kernel.size(), 0);
        assert!(kernel.run(&mut [], &mut || true));
        assert!(Kernel::new(Operation::Gather(1, &places), &[]).is_err());
    }
}
