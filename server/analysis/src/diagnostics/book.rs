//! The book's pages about findings, made from their declarations.

use super::{Code, Severity};

/// What the fence of a block says that is wrong on purpose.
const WRONG: &str = "frank,wrong";

/// The page about a kind of finding, in Markdown.
pub fn page(code: Code) -> String {
    let declaration = code.declaration();
    let mut page = format!("# {}: {}\n\n", declaration.code, declaration.title);
    page.push_str(match declaration.severity {
        Severity::Error => "*An error.*",
        Severity::Warning => "*A warning.*",
        Severity::Hint => "*A hint.*",
    });
    page.push_str(" [All findings](README.md)\n\n");
    page.push_str(&labelled(declaration.explanation));
    page
}

/// All that there is to say about a code on its own, in Markdown.
pub fn explanation(code: Code) -> String {
    let declaration = code.declaration();
    format!(
        "# {} ({}): {}\n\n{}\n",
        declaration.code,
        declaration.severity.word(),
        declaration.title,
        labelled(declaration.explanation)
    )
}

/// An explanation whose programs say which of them is wrong.
fn labelled(explanation: &str) -> String {
    explanation
        .replace("```frank,wrong\n", "**Wrong:**\n\n```frank,wrong\n")
        .replace("```frank\n", "**Right:**\n\n```frank\n")
}

/// The list of all pages, in Markdown.
pub fn index() -> String {
    let mut index = String::from(
        "# Findings\n\nWhat `frank check` and editors report, by code. `frank explain FK0202` shows a page in \
         the terminal.\n",
    );
    let mut family = "";
    for code in Code::ALL {
        let declaration = code.declaration();
        if declaration.family != family {
            family = declaration.family;
            index.push_str(&format!("\n## {family}\n\n| code | | |\n|---|---|---|\n"));
        }
        index.push_str(&format!(
            "| [{code}]({code}.md) | {} | {} |\n",
            declaration.severity.word(),
            declaration.title,
            code = declaration.code,
        ));
    }
    index
}

/// The wrong program of an explanation, which has this finding and no other, and the right one,
/// which has none.
pub fn programs(code: Code) -> (String, String) {
    let block = |fence: &str| -> String {
        let explanation = code.declaration().explanation;
        let begin = format!("```{fence}\n");
        let body = explanation.split_once(&begin).map_or("", |(_, body)| body);
        body.split_once("```")
            .map_or("", |(body, _)| body)
            .to_owned()
    };
    (block(WRONG), block("frank"))
}
