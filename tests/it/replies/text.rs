//! What is new in a reply: `tests/data/new-text.txt` and its laws.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::data::DataFile;
use crate::support::mails::site;
use crate::support::{real_mails, rounds};
use proptest::prelude::*;
use turnpost::mail::incoming::{Envelope, Incoming, read};
use turnpost::mail::reply_text::new_text;

fn new(text: &str) -> String {
    new_text(text).new
}

/// Texts to their words: the corpus is compared up to white space.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// The corpus keeps quoted lines that a reply stands between; they are not new, so they are no part of what is
/// expected here.
fn unquoted(text: &str) -> String {
    text.lines()
        .filter(|line| !line.trim_start().starts_with('>'))
        .fold(String::new(), |all, line| all + line + "\n")
}

fn files(folder: &Path, ending: &str) -> BTreeMap<String, PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    named.filter(|(name, _)| name.ends_with(ending)).collect()
}

/// The text of a mail, by the way every mail comes in.
fn text_of(path: &Path) -> Option<String> {
    match read(&std::fs::read(path).unwrap(), &Envelope::default(), &site()) {
        Incoming::Letter(letter) => Some(letter.text),
        _ => None,
    }
}

/// At least 95 of a hundred replies of each corpus are found as people see them, and no quoted line is taken for a
/// new one.
#[test]
fn corpus() {
    let Some(folder) = real_mails().map(|root| root.join("replies")) else {
        println!("TURNPOST_EMAILS is not set: no corpus is read");
        return;
    };
    let mut cases = Vec::new();
    for (name, path) in files(&folder.join("trimmer-emails"), ".txt") {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let expected = std::fs::read(folder.join("trimmer-expected").join(&name)).unwrap();
        cases.push((name, text, unquoted(&String::from_utf8_lossy(&expected))));
    }
    for (name, path) in files(&folder.join("talon"), ".eml") {
        let text = text_of(&path).unwrap_or_else(|| panic!("{name} is no letter"));
        // The reply in each of them is this word.
        cases.push((name, text, "Hello".to_owned()));
    }
    // Replies, and those of them found as people see them, of each of the two corpora.
    let mut counts = [(0, 0); 2];
    for (name, text, expected) in &cases {
        let found = new_text(text);
        for line in found.new.lines() {
            assert!(!line.trim_start().starts_with('>'), "{name}: a quoted line is new: {line}");
        }
        if words(expected).is_empty() {
            assert_eq!(words(&found.new), Vec::<&str>::new(), "{name}: it holds no reply");
            continue;
        }
        let (replies, equal) = &mut counts[usize::from(name.ends_with(".eml"))];
        *replies += 1;
        if words(&found.new) == words(expected) {
            *equal += 1;
        } else {
            println!("--- {name}: expected\n{expected:.400}\n--- found\n{:.400}", found.new);
        }
    }
    println!("{counts:?} replies equal ({} texts)", cases.len());
    for ((replies, equal), least) in counts.into_iter().zip([60, 12]) {
        assert!(replies >= least && equal * 100 >= replies * 95, "{equal} of {replies}");
    }
}

/// Cases in which something else was found than was expected.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Wrong {
    fn compare(&mut self, mail: &str, expected: &str) {
        let found = new(mail);
        if found != expected {
            self.0.push(format!("{mail:?}\n    {found:?}\n    {expected:?}"));
        }
    }

    /// The same of a mail in which nothing is quoted, and a signature only where one is meant.
    fn compare_unquoted(&mut self, mail: &str, expected: &str, signed: bool) {
        self.compare(mail, expected);
        let found = new_text(mail);
        if (found.quoted, found.signed) != (false, signed) {
            self.0.push(format!("{mail:?}\n    quoted: {}, signed: {}", found.quoted, found.signed));
        }
    }
}

impl Drop for Wrong {
    fn drop(&mut self) {
        assert!(
            self.0.is_empty() || std::thread::panicking(),
            "{} wrong:\n{}",
            self.0.len(),
            self.0.join("\n")
        );
    }
}

/// A quotation ends the new text, or is left out of it, whatever line stands above.
#[test]
fn what_programs_write_above_a_quotation_is_not_new() {
    let (file, mut wrong) = (DataFile::read("new-text.txt"), Wrong::default());
    let unmarked = file.entries("above a quotation");
    let marked = file.entries("above a quotation that is marked");
    for attribution in unmarked.iter().chain(&marked) {
        for quote in ["> Your move\n> A3-B4", "\n> Your move\n>\n> A3-B4"] {
            let mail = format!("F3\n\nHello\n\n{attribution}\n{quote}\n\nGood luck!\n");
            wrong.compare(&mail, "F3\n\nHello\n\nGood luck!\n");
            let found = new_text(&mail);
            assert!(found.quoted && !found.signed, "{mail}");
        }
        // Without an empty line above.
        wrong.compare(&format!("F3\nHello\n{attribution}\n> A3-B4\n"), "F3\nHello\n");
    }
    for attribution in unmarked {
        let mail = format!("F3\n\nHello\n\n{attribution}\n\nYour move\nA3-B4\nresign\n");
        wrong.compare(&mail, "F3\n\nHello\n");
    }
}

#[test]
fn earlier_mails_and_signatures_end_the_new_text() {
    let (file, mut wrong) = (DataFile::read("new-text.txt"), Wrong::default());
    for earlier in file.entries("the beginning of an earlier mail") {
        wrong.compare(&format!("F3\n\nHello\n\n{earlier}\n\nA3-B4\nresign\n"), "F3\n\nHello\n");
    }
    for footer in file.entries("the beginning of a signature") {
        wrong.compare_unquoted(&format!("F3\n\nHello\n\n{footer}\n"), "F3\n\nHello\n", true);
        wrong.compare(&format!("F3\n\n{footer}\n\nOn 16.11.2026 at 17:02 Turnpost wrote:\n> x\n"), "F3\n");
    }
}

#[test]
fn what_people_write_is_new() {
    let (file, mut wrong) = (DataFile::read("new-text.txt"), Wrong::default());
    for mail in file.entries("people, the whole text").into_iter().chain([String::new()]) {
        wrong.compare_unquoted(&mail, &mail, false);
    }
    let attribution = "On Mon, Nov 16, 2026 at 5:02 PM Turnpost <play@turnpost.example> wrote:";
    for text in file.entries("people, anywhere in their text") {
        for mail in
            [format!("F3\n\n{text}\n"), format!("F3\n{text}\n\nBye\n"), format!("F3\n\n{text}\n\nBye\nAnn\n")]
        {
            wrong.compare(&mail, &mail);
        }
        // Above a reply's attribution too.
        wrong.compare(
            &format!("F3\n\n{text}\nBye\n\n{attribution}\n\n> x\n"),
            &format!("F3\n\n{text}\nBye\n"),
        );
        if text != "---" {
            wrong.compare(&format!("F3\n{text}\n{attribution}\n> x\n"), &format!("F3\n{text}\n"));
        }
    }
}

#[test]
fn quotes_at_the_top_between_and_wrapped() {
    assert_eq!(new("> Your move\n>> older\n\nF3\n"), "F3\n");
    assert_eq!(new("> one?\nyes\n> two?\nno\n"), "yes\nno\n");
    assert_eq!(new("\u{feff}\u{200b}> resign\n  > resign\n\u{a0}> resign\nF3"), "F3");
    let unknown = "Turnpost <play@turnpost.example> skribis 16.11.2026 17.02 horo:";
    assert_eq!(new(&format!("{unknown}\n> resign\n\nF3\n")), "F3\n");
    assert_eq!(new("Ann> resign\nF3\n"), "F3\n");
    let wide = "x".repeat(70);
    assert_eq!(new(&format!("> {wide}\nF3\n> more\n")), "", "the end of a quoted line that was wrapped");
    // In doubt nothing plays: no mark tells the earlier mail from a new one.
    assert_eq!(new("On 16.11.2026 at 17:02 Ann <ann@x.org> wrote:\n\nresign\n"), "");
}

#[test]
fn a_mebibyte_of_the_worst_is_read() {
    let length = rounds(1 << 17, 1 << 20) as usize;
    for piece in [
        "On 1 <\n",
        "a@b.c wrote\n",
        "> \n\n",
        "From: x\n",
        "\n",
        "x",
        "<",
        "On Friday Ann wrote:\n\n",
        "Sent from my x\n",
        "2026-1\n",
        "--- On 1:1 wrote @\n",
    ] {
        let found = new_text(&piece.repeat(length / piece.len()));
        assert!(found.new.len() <= length, "{piece:?}");
    }
    // A square of the length would take hours.
}

fn strange_line() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        "[>|<@:. a-z0-9-]{0,20}",
        prop::sample::select(vec![
            "> quoted",
            "On 3 Apr 2026, Ann <ann@x.org> wrote:",
            "On 3 Apr 2026, Ann",
            "<ann@x.org> wrote:",
            "-- ",
            "",
            "From: ann",
            "Sent: now",
            "To: bob",
            "Subject: x",
            "-----Original Message-----",
            "Sent from my iPhone",
            "F3",
            "____________",
            ">:",
            "\u{5728} 2026",
            "&gt; x",
            "***",
            "Ann> x",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn new_lines_are_lines_of_the_mail_in_order(
        lines in prop::collection::vec((strange_line(), prop::sample::select(vec!["\n", "\r\n"])), 0..30),
    ) {
        let text: String = lines.iter().map(|(line, end)| format!("{line}{end}")).collect();
        let found = new_text(&text);
        let mut rest = text.split_inclusive('\n');
        for line in found.new.split_inclusive('\n') {
            prop_assert!(rest.any(|old| old == line), "{line:?} is not in its place");
            if found.quoted || found.signed {
                prop_assert!(!line.trim_start().starts_with('>'));
            }
        }
        prop_assert!(found.quoted || found.signed || found.new == text);
        prop_assert!(!found.new.split('\n').any(|line| line.trim_start().starts_with('>')));
        // Nothing is left in it to be found.
        let again = new_text(&found.new);
        prop_assert!(again.new.len() <= found.new.len());
    }

    #[test]
    fn a_text_without_quotes_and_signatures_is_new(text in "([a-zA-Z,.!? ]{0,40}\n){0,12}") {
        prop_assume!(!text.to_lowercase().contains("sent") && !text.to_lowercase().contains("wrote"));
        prop_assert_eq!(new_text(&text).new, text);
    }

    #[test]
    fn no_text_is_too_strange(text in ".{0,400}") {
        let _ = new_text(&text);
    }
}
