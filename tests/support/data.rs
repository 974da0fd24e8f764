//! The files of `tests/data`: sections that begin with `== NAME`, remarks with `#` above the first.

use std::path::Path;

/// A file of `tests/data`, its sections by name in their order.
pub struct DataFile(Vec<(String, String)>);

impl DataFile {
    pub fn read(name: &str) -> DataFile {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let sections = text.split("\n== ").skip(1);
        let named = sections.map(|section| section.split_once('\n').unwrap());
        DataFile(
            named.map(|(name, text)| (name.to_owned(), text.trim_end_matches('\n').to_owned())).collect(),
        )
    }

    /// All sections, by name.
    pub fn sections(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The lines of a section.
    pub fn lines(&self, section: &str) -> std::str::Lines<'_> {
        let found = self.0.iter().find(|(name, _)| name == section);
        found.unwrap_or_else(|| panic!("no section `{section}`")).1.lines()
    }

    /// The entries of a section, one a line, decoded.
    pub fn entries(&self, section: &str) -> Vec<String> {
        self.lines(section).map(decoded_entry).collect()
    }

    /// The texts of the sections `KIND NAME`, by name.
    pub fn of_kind(&self, kind: &str) -> Vec<(&str, &str)> {
        self.sections()
            .filter_map(|(name, text)| Some((name.strip_prefix(kind)?.strip_prefix(' ')?, text)))
            .collect()
    }
}

/// An entry that is a line; `(nothing)` is the empty one.
pub fn decoded_entry(line: &str) -> String {
    if line == "(nothing)" { String::new() } else { decoded(line) }
}

/// A line of a data file with `\n`, `\r`, `\\` and `\u{20}` decoded.
pub fn decoded(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('\\') {
        text.push_str(before);
        let (character, length) = match behind.as_bytes().first() {
            Some(b'n') => ('\n', 1),
            Some(b'r') => ('\r', 1),
            Some(b'\\') => ('\\', 1),
            _ => {
                let number = behind.strip_prefix("u{").and_then(|rest| rest.split_once('}'));
                let (number, _) = number.unwrap_or_else(|| panic!("an unknown escape in {line:?}"));
                let code = u32::from_str_radix(number, 16).unwrap();
                (char::from_u32(code).unwrap(), number.len() + 3)
            }
        };
        text.push(character);
        rest = &behind[length..];
    }
    text + rest
}
