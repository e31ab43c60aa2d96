//! Numbers with perturbations, and power series.

/// A number with infinitely small parts: a coefficient for each set of generators, of which each
/// has the square 0. The set is the binary digits of the index; a number that does not have a
/// generator is as short as one to which it is unknown.
#[derive(Debug, Clone, PartialEq)]
pub struct Number(pub Vec<f64>);

impl Number {
    pub fn new(value: f64) -> Number {
        Number(vec![value])
    }

    /// Without its infinitely small parts.
    pub fn value(&self) -> f64 {
        self.0[0]
    }

    /// The coefficient of a set of generators.
    pub fn coefficient(&self, set: usize) -> f64 {
        self.0.get(set).copied().unwrap_or(0.0)
    }

    /// How many generators it can have.
    fn generators(&self) -> usize {
        self.0.len().trailing_zeros() as usize
    }

    /// This and `direction` times a generator that neither has.
    pub fn perturbed(&self, generator: usize, direction: &Number) -> Number {
        let half = 1 << generator;
        let sets = 0..2 * half;
        Number(
            sets.map(|set| match set < half {
                true => self.coefficient(set),
                false => direction.coefficient(set - half),
            })
            .collect(),
        )
    }

    /// What stands with a generator, of which there is none after it.
    pub fn along(&self, generator: usize) -> Number {
        let half = 1 << generator;
        Number((0..half).map(|set| self.coefficient(set | half)).collect())
    }

    pub fn combine(&self, other: &Number, f: impl Fn(f64, f64) -> f64) -> Number {
        let sets = 0..self.0.len().max(other.0.len());
        Number(
            sets.map(|set| f(self.coefficient(set), other.coefficient(set)))
                .collect(),
        )
    }

    pub fn plus(&self, other: &Number) -> Number {
        self.combine(other, |x, y| x + y)
    }

    pub fn minus(&self, other: &Number) -> Number {
        self.combine(other, |x, y| x - y)
    }

    pub fn times(&self, other: &Number) -> Number {
        let size = self.0.len().max(other.0.len());
        let mut product = vec![0.0; size];
        for (i, x) in self.0.iter().enumerate() {
            for (j, y) in other.0.iter().enumerate() {
                if i & j == 0 {
                    product[i | j] += x * y;
                }
            }
        }
        Number(product)
    }

    /// A function of this, by its power series at the value.
    pub fn apply(&self, function: impl Fn(&Series) -> Series) -> Number {
        let order = self.generators();
        let series = function(&Series::variable(self.value(), order));
        let mut small = self.clone();
        small.0[0] = 0.0;
        let mut sum = Number::new(series.0[order]);
        for coefficient in series.0[..order].iter().rev() {
            sum = sum.times(&small).plus(&Number::new(*coefficient));
        }
        sum
    }
}

/// The beginning of a power series.
#[derive(Debug, Clone)]
pub struct Series(pub Vec<f64>);

impl Series {
    pub fn variable(at: f64, order: usize) -> Series {
        let mut series = Series::constant(at, order);
        if order > 0 {
            series.0[1] = 1.0;
        }
        series
    }

    pub fn constant(value: f64, order: usize) -> Series {
        let mut series = vec![0.0; order + 1];
        series[0] = value;
        Series(series)
    }

    pub fn order(&self) -> usize {
        self.0.len() - 1
    }

    pub fn scaled(&self, factor: f64) -> Series {
        Series(self.0.iter().map(|x| factor * x).collect())
    }

    /// This with a number added.
    pub fn shifted(&self, by: f64) -> Series {
        let mut series = self.clone();
        series.0[0] += by;
        series
    }

    pub fn plus(&self, other: &Series) -> Series {
        Series(self.0.iter().zip(&other.0).map(|(x, y)| x + y).collect())
    }

    pub fn times(&self, other: &Series) -> Series {
        let at = |k: usize| (0..=k).map(|j| self.0[j] * other.0[k - j]).sum();
        Series((0..=self.order()).map(at).collect())
    }

    pub fn over(&self, other: &Series) -> Series {
        let mut quotient: Vec<f64> = Vec::new();
        for k in 0..=self.order() {
            let known: f64 = (0..k).map(|j| quotient[j] * other.0[k - j]).sum();
            quotient.push((self.0[k] - known) / other.0[0]);
        }
        Series(quotient)
    }

    /// The series of which this is the derivative, of the same order.
    fn integral(&self, constant: f64) -> Series {
        let mut series = vec![constant];
        series.extend((0..self.order()).map(|k| self.0[k] / (k + 1) as f64));
        Series(series)
    }

    /// The derivative, of the same order; the last coefficient is not known, and 0.
    fn derivative(&self) -> Series {
        let mut series: Vec<f64> = (1..=self.order()).map(|k| k as f64 * self.0[k]).collect();
        series.push(0.0);
        Series(series)
    }

    pub fn exp(&self) -> Series {
        let mut series = vec![self.0[0].exp()];
        for k in 1..=self.order() {
            let sum: f64 = (1..=k).map(|j| j as f64 * self.0[j] * series[k - j]).sum();
            series.push(sum / k as f64);
        }
        Series(series)
    }

    pub fn log(&self) -> Series {
        self.derivative().over(self).integral(self.0[0].ln())
    }

    /// A power of a series that begins above 0.
    pub fn power(&self, exponent: f64) -> Series {
        let mut series = vec![self.0[0].powf(exponent)];
        for k in 1..=self.order() {
            let weight = |j: usize| exponent * j as f64 - (k - j) as f64;
            let sum: f64 = (1..=k).map(|j| weight(j) * self.0[j] * series[k - j]).sum();
            series.push(sum / (k as f64 * self.0[0]));
        }
        Series(series)
    }

    /// The sine and the cosine.
    pub fn sin_cos(&self) -> (Series, Series) {
        let (mut sin, mut cos) = (vec![self.0[0].sin()], vec![self.0[0].cos()]);
        for k in 1..=self.order() {
            let sum = |of: &[f64]| -> f64 {
                let terms = (1..=k).map(|j| j as f64 * self.0[j] * of[k - j]);
                terms.sum::<f64>() / k as f64
            };
            let (next_sin, next_cos) = (sum(&cos), -sum(&sin));
            sin.push(next_sin);
            cos.push(next_cos);
        }
        (Series(sin), Series(cos))
    }

    pub fn atan(&self) -> Series {
        let slope = self.derivative().over(&self.times(self).shifted(1.0));
        slope.integral(self.0[0].atan())
    }

    pub fn asin(&self) -> Series {
        let below = self.times(self).scaled(-1.0).shifted(1.0).power(0.5);
        self.derivative().over(&below).integral(self.0[0].asin())
    }
}
