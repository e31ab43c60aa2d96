//! Words that messages are made of.

/// `no arguments`, `1 argument`, `2 arguments`
pub fn count(n: usize, plural: &str) -> String {
    match n {
        0 => format!("no {plural}"),
        1 => format!("1 {}", plural.strip_suffix('s').unwrap_or(plural)),
        n => format!("{n} {plural}"),
    }
}

/// `none is`, `1 is`, `2 are`
pub fn are(n: usize) -> String {
    match n {
        0 => "none is".to_owned(),
        1 => "1 is".to_owned(),
        n => format!("{n} are"),
    }
}

/// `no pattern is`, `1 pattern is`, `2 patterns are`
pub fn patterns_are(n: usize) -> String {
    match n {
        0 => "no pattern is".to_owned(),
        1 => "1 pattern is".to_owned(),
        n => format!("{n} patterns are"),
    }
}

/// `x`, `x y`, `x y z`, then `x1 x2 …`
pub fn variables(n: usize) -> String {
    let names: Vec<String> = match n {
        0..=3 => ["x", "y", "z"]
            .iter()
            .take(n)
            .map(|name| (*name).to_owned())
            .collect(),
        n => (1..=n).map(|i| format!("x{i}")).collect(),
    };
    names.join(" ")
}

/// `first`, `second`, …, for positions from 0.
pub fn ordinal(index: usize) -> String {
    match index {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        3 => "fourth".to_owned(),
        n => {
            let n = n + 1;
            let suffix = match (n % 100, n % 10) {
                (11..=13, _) => "th",
                (_, 1) => "st",
                (_, 2) => "nd",
                (_, 3) => "rd",
                _ => "th",
            };
            format!("{n}{suffix}")
        }
    }
}

/// `a Dual`, `an Int`: a word with its article, in code marks.
pub fn article(name: &str) -> String {
    let word: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
    // A letter on its own is spoken by its name: an X, an F.
    let vowels = if word.chars().count() == 1 {
        "AEFHILMNORSXaefhilmnorsx"
    } else {
        "AEIOaeio"
    };
    let vowel = word.chars().next().is_some_and(|c| vowels.contains(c));
    let article = if vowel { "an" } else { "a" };
    format!("{article} `{name}`")
}

/// `a`, `a and b`, `a, b and c`; after the first `limit` the rest is counted.
pub fn listed(names: &[String], limit: usize) -> String {
    let shown = names.get(..limit.min(names.len())).unwrap_or_default();
    let rest = names.len() - shown.len();
    if rest > 0 {
        let more = if rest == 1 {
            "one other".to_owned()
        } else {
            format!("{rest} others")
        };
        return format!("{} and {more}", shown.join(", "));
    }
    match shown.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_and_counted() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        assert_eq!(listed(&names[..1], 3), "a");
        assert_eq!(listed(&names[..2], 3), "a and b");
        assert_eq!(listed(&names[..3], 3), "a, b and c");
        assert_eq!(listed(&names, 2), "a, b and 2 others");
        assert_eq!(listed(&names, 3), "a, b, c and one other");
    }

    #[test]
    fn articles_go_with_the_word() {
        assert_eq!(article("Int"), "an `Int`");
        assert_eq!(article("Dual Int"), "a `Dual Int`");
        assert_eq!(article("Unit"), "a `Unit`");
        assert_eq!(article("X"), "an `X`");
        assert_eq!(article("{Int -> Int}"), "a `{Int -> Int}`");
    }

    #[test]
    fn positions_have_ordinals() {
        let of = |n: usize| ordinal(n - 1);
        assert_eq!(
            [of(1), of(4), of(11), of(22), of(113)].join(" "),
            "first fourth 11th 22nd 113th"
        );
    }
}
