//! Abilities drawn one above the other, instance by instance.

use crate::infer::table::group;
use crate::program::InterfaceDef;
use crate::show::Show;
use crate::types::{AbilityData, Instance, Tail};

/// One instance of the one ability above one of the other, or above nothing.
struct Column {
    above: String,
    below: String,
}

impl Column {
    fn width(&self) -> usize {
        self.above.chars().count().max(self.below.chars().count())
    }
}

/// Draws two abilities so that instances that must agree stand above each other, the active ones
/// of each interface last, and marks where they differ:
///
/// ```text
/// needed  [Smooth X,        Smooth (Dual X)]
/// here    [Smooth (Dual X), Smooth X       ]
///          ^^^^^^^^^^^^^^^  ^^^^^^^^^^^^^^^
/// ```
pub fn draw(
    show: &Show<'_>,
    labels: [&str; 2],
    above: &AbilityData,
    below: &AbilityData,
) -> String {
    // A tail that is not decided takes what there is.
    let flexible = |tail| matches!(tail, Tail::Meta(_) | Tail::Error);
    let tail = if flexible(above.tail) || flexible(below.tail) {
        Column {
            above: String::new(),
            below: String::new(),
        }
    } else {
        Column {
            above: show_tail(show, above.tail),
            below: show_tail(show, below.tail),
        }
    };
    let mut columns = Vec::new();
    let (groups_above, groups_below) = (group(&above.instances), group(&below.instances));
    let mut interfaces: Vec<InterfaceDef> = Vec::new();
    for (interface, _) in groups_above.iter().chain(&groups_below) {
        if !interfaces.contains(interface) {
            interfaces.push(*interface);
        }
    }
    let of = |groups: &[(InterfaceDef, Vec<Instance>)], interface| {
        let found = groups.iter().find(|(other, _)| *other == interface);
        found.map_or_else(Vec::new, |(_, list)| list.clone())
    };
    for interface in interfaces {
        let upper = texts(show, &of(&groups_above, interface));
        let lower = texts(show, &of(&groups_below, interface));
        let most = upper.len().max(lower.len());
        for i in 0..most {
            let pick = |texts: &[String]| {
                let from_left = (i + texts.len()).checked_sub(most);
                from_left
                    .and_then(|i| texts.get(i))
                    .cloned()
                    .unwrap_or_default()
            };
            columns.push(Column {
                above: pick(&upper),
                below: pick(&lower),
            });
        }
    }
    let label = labels
        .iter()
        .map(|label| label.chars().count())
        .max()
        .unwrap_or(0);
    let bar = if tail.above.is_empty() && tail.below.is_empty() {
        ""
    } else {
        "|"
    };
    let mut lines = [
        format!(
            "{:label$}  [{:w$}{bar}",
            labels[0],
            tail.above,
            w = tail.width()
        ),
        format!(
            "{:label$}  [{:w$}{bar}",
            labels[1],
            tail.below,
            w = tail.width()
        ),
        format!("{:label$}   {}{}", "", marks(&tail), " ".repeat(bar.len())),
    ];
    let is_taken = |column: &Column| {
        (column.above.is_empty() && flexible(above.tail))
            || (column.below.is_empty() && flexible(below.tail))
            || agrees(&column.above, &column.below)
            || agrees(&column.below, &column.above)
    };
    // An undecided tail takes what there is more, and an undecided type is any. Where nothing else differs, that
    // does.
    let all_taken = columns.iter().all(is_taken);
    for (i, column) in columns.iter().enumerate() {
        let width = column.width();
        let dash_above = dash(&column.above, width, flexible(above.tail));
        let dash_below = dash(&column.below, width, flexible(below.tail));
        let separator = if i == 0 { "" } else { ", " };
        lines[0].push_str(&format!("{separator}{dash_above:width$}"));
        lines[1].push_str(&format!("{separator}{dash_below:width$}"));
        let marked = match is_taken(column) && !all_taken {
            true => " ".repeat(width),
            false => marks(column),
        };
        lines[2].push_str(&format!("{}{marked}", " ".repeat(separator.len())));
    }
    lines[0].push(']');
    lines[1].push(']');
    lines
        .iter()
        .map(|line| line.trim_end())
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether a text is another one but for what is undecided in it.
fn agrees(open: &str, text: &str) -> bool {
    match open.split_once('_') {
        Some((before, after)) => {
            !after.contains('_')
                && text.len() >= before.len() + after.len()
                && text.starts_with(before)
                && text.ends_with(after)
        }
        None => open == text,
    }
}

fn texts(show: &Show<'_>, instances: &[Instance]) -> Vec<String> {
    instances
        .iter()
        .map(|instance| show.instance(instance))
        .collect()
}

fn dash(text: &str, width: usize, is_open: bool) -> String {
    if text.is_empty() {
        match is_open {
            true => "…".to_owned(),
            false => "-".repeat(width),
        }
    } else {
        text.to_owned()
    }
}

fn marks(column: &Column) -> String {
    let mark = if column.above == column.below {
        " "
    } else {
        "^"
    };
    mark.repeat(column.width())
}

fn show_tail(show: &Show<'_>, tail: Tail) -> String {
    match tail {
        Tail::Closed => "0".to_owned(),
        Tail::Variable(index) => show
            .effects
            .get(index as usize)
            .map_or_else(String::new, |name| name.to_string()),
        Tail::Meta(_) | Tail::Error => String::new(),
    }
}

/// The instances of one interface in an ability, in order.
pub fn instances(row: &AbilityData, interface: InterfaceDef) -> Vec<Instance> {
    row.instances
        .iter()
        .filter(|instance| instance.interface == interface)
        .cloned()
        .collect()
}

/// `Smooth Int, Smooth (Dual Int)`, or `none`.
pub fn list(show: &Show<'_>, instances: &[Instance]) -> String {
    if instances.is_empty() {
        return "none".to_owned();
    }
    texts(show, instances).join(", ")
}
