//! Reads reports in sentences, as servers wrote them before RFC 3464: an address at the beginning of a line,
//! and the other server's words near it.

use crate::mail::bounce::{Diagnosis, Status, Voice};
use crate::mail::clean;

/// Reports are shorter than this, without the returned mail.
const MAX_LINES: usize = 200;

/// Longer lines are cut, in characters.
const MAX_LINE: usize = 500;

/// Lines with these words introduce the returned mail.
const RETURNED: &[&str] = &[
    "original message",
    "original mail",
    "copy of the message",
    "copy of your message",
    "message follows",
    "message headers follow",
    "returned message",
    "below this line",
    "message header",
    "header of the",
    "undelivered message",
    "unsent message",
    "ursprüngliche nachricht",
    "message d'origine",
    "message original",
    "mensaje original",
    "messaggio originale",
    "oorspronkelijk bericht",
    "mensagem original",
    "исходное сообщение",
];

/// What a report says in words, without the mail that it returns.
pub(super) struct Prose {
    /// The lines of the report.
    pub text: String,
    /// Each address that begins a line, with what is said of it.
    pub recipients: Vec<(String, Option<Diagnosis>)>,
}

impl Prose {
    pub fn read(text: &str) -> Prose {
        let mut prose = Prose { text: String::new(), recipients: Vec::new() };
        for line in text.lines().take(MAX_LINES) {
            let end = line.char_indices().nth(MAX_LINE).map_or(line.len(), |(end, _)| end);
            let line = line.get(..end).unwrap_or(line);
            if prose.returned_begins(line) {
                break;
            }
            if line.starts_with('>') && !line.starts_with(">>>") {
                continue;
            }
            let said = said(line);
            match address(line) {
                Some(address) => match prose.recipients.iter_mut().find(|(known, _)| *known == address) {
                    Some((_, known)) => *known = known.or(said),
                    None => prose.recipients.push((address, said)),
                },
                None if said.is_some() => {
                    let open = prose.recipients.iter_mut().rev().find(|(_, known)| known.is_none());
                    if let Some((_, known)) = open {
                        *known = said;
                    }
                }
                None => {}
            }
            prose.text.push_str(line);
            prose.text.push('\n');
        }
        prose
    }

    /// True for the line above the returned mail, or for a line of its header.
    fn returned_begins(&self, line: &str) -> bool {
        let line = line.trim().to_lowercase();
        let early = self.text.trim().is_empty();
        let introduced = RETURNED.iter().any(|mark| line.contains(mark)) && line.len() < 100;
        // "The original message was received at" opens the reports of sendmail.
        let introduced = introduced && !line.contains("was received");
        !early
            && (introduced
                || ["received: ", "return-path: ", "x-received: "].iter().any(|f| line.starts_with(f)))
    }
}

/// What a line says with a code.
fn said(line: &str) -> Option<Diagnosis> {
    line.contains(|c: char| c.is_ascii_digit()).then(|| Diagnosis::by_code(line))?
}

/// The address at the beginning of a line, or the one in brackets that a code is about: `554 <ann@x.org>...
/// unknown`.
fn address(line: &str) -> Option<String> {
    let first = line.split_whitespace().next()?;
    let first = first.split_once("<mailto:").map_or(first, |(address, _)| address);
    let bare = first.trim_matches(|c: char| "<>[]()\"':;,.*".contains(c));
    let inner = || {
        let (_, rest) = line.split_once('<')?;
        let (address, _) = rest.split_once('>')?;
        said(line).and_then(|_| clean::address(address))
    };
    clean::address(bare).or_else(inner)
}

/// The diagnosis of the whole text, the Subject included. Time that ran out outweighs what single lines say.
pub(super) fn overall(subject: &str, prose: &Prose, voice: Voice) -> Option<Diagnosis> {
    Diagnosis::of(&format!("{subject}\n{}", prose.text), voice)
        .filter(|found| found.status != Status::Delivered || voice == Voice::Program)
}
