//! What clients may read without a call: the library's files, and what findings mean.

use frank_library::{BUILTIN, LIBRARY};
use rmcp::model::{Resource, ResourceTemplate};

const LIBRARY_URI: &str = "frank://library/";
const EXPLAIN_URI: &str = "frank://explain/";

/// What a resource is made of.
#[derive(Debug, PartialEq, Eq)]
pub enum Wanted<'u> {
    /// This text, a program.
    Program(&'static str),
    /// The page of a finding with this code.
    Explanation(&'u str),
}

/// The library's files.
pub fn all() -> Vec<Resource> {
    let files = [("builtin", BUILTIN)];
    let files = files.iter().chain(LIBRARY);
    files
        .map(|(name, text)| {
            let what = match *name {
                "builtin" => "What every Frank program has".to_owned(),
                name => format!("What `include {name}` gives a Frank program"),
            };
            Resource::new(format!("{LIBRARY_URI}{name}.fk"), format!("{name}.fk"))
                .with_description(what)
                .with_mime_type("text/plain")
                .with_size(u64::try_from(text.len()).unwrap_or(u64::MAX))
        })
        .collect()
}

/// The pages of findings.
pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{EXPLAIN_URI}{{code}}"), "explanation")
            .with_title("What a finding means")
            .with_description(
                "For a code such as FK0201: what it means, with a wrong and a right program",
            )
            .with_mime_type("text/plain"),
    ]
}

/// The resource with an address.
pub fn find(uri: &str) -> Option<Wanted<'_>> {
    if let Some(code) = uri.strip_prefix(EXPLAIN_URI) {
        let is_code = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        return is_code.then_some(Wanted::Explanation(code));
    }
    let name = uri.strip_prefix(LIBRARY_URI)?.strip_suffix(".fk")?;
    if name == "builtin" {
        return Some(Wanted::Program(BUILTIN));
    }
    let (_, text) = LIBRARY.iter().find(|(known, _)| *known == name)?;
    Some(Wanted::Program(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_can_be_read() {
        let all = all();
        assert_eq!(all.len(), LIBRARY.len() + 1);
        for resource in all {
            assert!(matches!(find(&resource.uri), Some(Wanted::Program(_))));
        }
        assert_eq!(
            find("frank://explain/FK0201"),
            Some(Wanted::Explanation("FK0201"))
        );
        for wrong in [
            "",
            "frank://explain/",
            "frank://explain/--help",
            "frank://explain/FK0201/..",
            "frank://library/../../etc/passwd.fk",
            "file:///etc/passwd",
        ] {
            assert_eq!(find(wrong), None, "{wrong}");
        }
    }
}
