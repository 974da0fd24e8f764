//! Whole mails in, all mails out, compared byte for byte with the files of `tests/conversations`.
//!
//! A file begins with remarks, among them `# secret: WORD` for every password in it; then come sections:
//!
//! - `=== in INSTANT` and a mail, which is handed in with CR LF as line ends;
//! - `=== submit INSTANT [as USERID]` and commands, given on the machine itself;
//! - `=== ticks FROM UNTIL`: the timer runs twice an hour, both instants included;
//! - `=== signup INSTANT ADDRESS USERID PASSWORD`: a letter that signs up, whose question is answered by `yes`;
//! - `=== confirmed`: every address that was just asked for it says yes, and gets its answer;
//! - `=== replies-yes INSTANT`: the same, and what comes of it is shown;
//! - `=== reply INSTANT ADDRESS` [SUBJECT] and words: that address replies to the last mail it got, or the last of
//!   that Subject, as a phone does;
//! - `=== organiser USERID`: the administrator makes them one;
//! - behind each, what came of it: `=== out ADDRESS` and a mail, `=== printed` and an answer, `=== nothing out`,
//!   `=== known already`, `=== set aside: REASON`.
//!
//! Of a mail that came out stand here the Subject, a Reply-To, every other header whose value is not the usual one
//! (see [`is_usual`]), and its text, decoded. The usual footer is left out, `(no footer)` stands for another end.
//! Below it is each attached file: its media type, name and text.
//! Of a drawing stand here the lines in which it is not the last one (see [`Shown`]), and `(as above: ...)` stands for
//! a paragraph that came before. A file with the remark `# whole mails` shows all octets instead, of a mail in two forms
//! the first.
//!
//! A token or code (26 characters of base32) is written as `<code 1>`, `<code 2>` in the order in which they come, in
//! what comes out and in what is handed in. What comes out may go on being read, and no code is in the repository.
//!
//! `TURNPOST_BLESS=1 cargo test --test it conversations` writes down what comes out now.

use std::collections::HashSet;
use std::path::Path;

use crate::support::{LetterOutcome, Mail, Stage};
use turnpost::mail::Operator;
use turnpost::store::AccountRole;

/// Plays the letters of a file and gives the file as it should be.
fn play(file: &str, name: &str) -> String {
    let (remarks, sections) = file.split_once("\n=== ").unwrap_or_else(|| panic!("{name} has no section"));
    let secrets: Vec<&str> =
        remarks.lines().filter_map(|line| line.strip_prefix("# secret: ")).map(str::trim).collect();
    assert!(!secrets.is_empty(), "{name} names no password");
    let mut shown = Shown::default();
    let is_whole = remarks.lines().any(|line| line == "# whole mails");
    let mut stage = Stage::new();
    let mut played = format!("{remarks}\n");
    let mut given = String::new();
    let mut codes = Codes::default();
    let mut last = Vec::new();
    for section in sections.split("\n=== ") {
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        // What is split away at the end of a section is its last line end.
        let body = format!("{body}\n");
        let words: Vec<&str> = head.split_whitespace().collect();
        let mails = match words.as_slice() {
            ["in", at] => {
                stage.now = at.parse().unwrap();
                played.push_str(&format!("=== {head}\n{body}"));
                stage.receive(codes.put_in(&body).replace('\n', "\r\n").as_bytes())
            }
            ["submit", at, speaker @ ..] => {
                stage.now = at.parse().unwrap();
                let speaks_for = match speaker {
                    ["as", userid] => Operator::As(userid.parse().unwrap()),
                    _ => Operator::Nobody,
                };
                let (printed, _, mails) = stage.submit(speaks_for, &body);
                stage.outcome = LetterOutcome::Acted;
                let text = if is_whole { printed.clone() } else { shown.text(&printed) };
                played.push_str(&format!("=== {head}\n{body}=== printed\n{text}"));
                assert!(secrets.iter().all(|secret| !printed.contains(secret)), "{name}: {printed}");
                mails
            }
            ["ticks", from, until] => {
                stage.now = from.parse().unwrap();
                stage.outcome = LetterOutcome::Acted;
                played.push_str(&format!("=== {head}\n"));
                stage.ticks(until.parse().unwrap())
            }
            ["replies-yes", at] => {
                stage.now = at.parse().unwrap();
                played.push_str(&format!("=== {head}\n"));
                stage.confirm(&last)
            }
            ["reply", at, from, about @ ..] => {
                stage.now = at.parse().unwrap();
                stage.outcome = LetterOutcome::Acted;
                played.push_str(&format!("=== {head}\n{body}"));
                let about = about.join(" ");
                let is_meant = |mail: &&Mail| mail.to == *from && mail.subject.contains(&about);
                let mail = stage.left.iter().rev().find(is_meant);
                let letter = phone_reply(
                    mail.unwrap_or_else(|| panic!("{name} {at}: no mail to {from}: {:#?}", stage.left)),
                    &body,
                    given.len(),
                );
                stage.receive(&letter)
            }
            ["signup", at, address, userid, password] => {
                stage.now = at.parse().unwrap();
                let letter = format!(
                    "From: {address}\nSubject: signup {userid} {password}\nMessage-ID: <{userid}@signs.up>\n\n"
                );
                let asked = stage.receive(letter.replace('\n', "\r\n").as_bytes());
                stage.confirm(&asked);
                played.push_str(&format!("=== {head}\n"));
                given.push_str(password);
                continue;
            }
            ["confirmed"] => {
                stage.confirm(&last);
                played.push_str("=== confirmed\n");
                continue;
            }
            ["organiser", userid] => {
                let player = stage.store.player(&userid.parse().unwrap()).unwrap().unwrap();
                stage.store.set_role(player.id, AccountRole::Organiser).unwrap();
                played.push_str(&format!("=== {head}\n"));
                continue;
            }
            _ => continue,
        };
        given.push_str(&body);
        mails.iter().for_each(|mail| assert_can_be_answered(&stage, mail, &body));
        let show = |mails: &[Mail]| if is_whole { whole(mails) } else { shown.short(mails) };
        played.push_str(&codes.take_out(&outcome(&stage.outcome, &mails, show)));
        last = mails;
    }
    for secret in &secrets {
        assert!(given.contains(secret), "{name}: {secret} is in no letter, so the check proves nothing");
    }
    stage.assert_secret(&secrets);
    for code in &codes.0 {
        assert!(!stage.text().contains(code.as_str()), "{name}: a code is stored");
    }
    assert_eq!(stage.wrong(), Vec::<String>::new(), "{name}");
    played
}

/// A mail to a player has a token, and asks for no password, unless the letter asked for help.
fn assert_can_be_answered(stage: &Stage, mail: &Mail, letter: &str) {
    if stage.store.players_at(&mail.to).unwrap().is_empty() {
        return;
    }
    assert!(mail.raw().contains("\nReply-To: play+"), "{}", mail.raw());
    let asks = mail.text.split(|c: char| !c.is_ascii_uppercase()).any(|word| word == "PASSWORD");
    assert!(!asks || letter.contains("help") || letter.contains("PASSWORD"), "{}", mail.text);
}

/// A reply to a mail, with all of that quoted below. `number` tells it from others.
pub fn phone_reply(mail: &Mail, words: &str, number: usize) -> Vec<u8> {
    let (raw, from) = (mail.raw(), &mail.to);
    let to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap_or("play@turnpost.example");
    let quoted: String = mail.text.lines().map(|line| format!("> {line}\n")).collect();
    let reply = format!(
        "From: {from}\nTo: {to}\nSubject: Re: {}\nMessage-ID: <reply.{number}@phone.example>\nIn-Reply-To: {}\n\
         Content-Type: text/plain; charset=utf-8\n\n{words}\nSent from my phone\n\n\
         On Mon, Nov 16, 2026 Turnpost <play@turnpost.example> wrote:\n\n{quoted}",
        mail.subject, mail.id
    );
    reply.replace('\n', "\r\n").into_bytes()
}

/// The tokens and codes of a conversation, in the order in which they came.
#[derive(Default)]
struct Codes(Vec<String>);

impl Codes {
    /// With the codes themselves where `<code 1>` stands.
    fn put_in(&self, text: &str) -> String {
        let named = self.0.iter().enumerate();
        named.fold(text.to_owned(), |text, (n, code)| text.replace(&format!("<code {}>", n + 1), code))
    }

    /// With `<code 1>` where codes stand.
    fn take_out(&mut self, text: &str) -> String {
        let is_code = |word: &str| {
            word.len() == 26
                && word.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'))
                && word.bytes().any(|b| b.is_ascii_digit())
        };
        // A code at the end of a line that quoted-printable would fold stands whole on the next.
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| is_code(word)) {
            if !self.0.iter().any(|code| code == word) {
                self.0.push(word.to_owned());
            }
        }
        let named = self.0.iter().enumerate();
        named.fold(text.to_owned(), |text, (n, code)| {
            text.replace(code.as_str(), &format!("<code {}>", n + 1))
        })
    }
}

fn outcome(outcome: &LetterOutcome, mails: &[Mail], show: impl FnOnce(&[Mail]) -> String) -> String {
    match outcome {
        LetterOutcome::Again => "=== known already\n".to_owned(),
        LetterOutcome::Ignored(why) => format!("=== set aside: {why}\n"),
        LetterOutcome::Acted if mails.is_empty() => "=== nothing out\n".to_owned(),
        LetterOutcome::Acted => show(mails),
    }
}

/// What a conversation has shown so far. Of what comes again stands only what is new, so that a change of a mail's words
/// changes few lines here.
#[derive(Default)]
struct Shown {
    drawing: Option<String>,
    paragraphs: HashSet<String>,
}

impl Shown {
    /// Mails as their readers see them.
    fn short(&mut self, mails: &[Mail]) -> String {
        let mut shown = String::new();
        for mail in mails {
            let raw = mail.raw();
            let (head, _) = raw.split_once("\n\n").unwrap();
            let head = head.replace("\n ", " ");
            let fields = head.lines().filter(|line| {
                line.split_once(": ").is_none_or(|(name, value)| !is_usual(name, value, mail))
            });
            let fields: String = fields.map(|line| format!("{line}\n")).collect();
            let footed = mail.text.strip_suffix(FOOTER).map(str::to_owned);
            let text = footed.unwrap_or_else(|| format!("{}\n(no footer)", mail.text.trim_end()));
            let text = self.text(&text);
            shown.push_str(&format!(
                "=== out {}\n{}\n{}\n",
                mail.to,
                without_tokens(&fields),
                text.trim_end()
            ));
            let files = mail.files().into_iter();
            shown.extend(
                files.map(|[kind, name, text]| format!("(attached) {kind} {name}\n{}\n", text.trim_end())),
            );
        }
        shown
    }

    fn text(&mut self, text: &str) -> String {
        text.split("\n\n").map(|part| self.paragraph(part)).collect::<Vec<_>>().join("\n\n")
    }

    fn paragraph(&mut self, part: &str) -> String {
        if part.contains("\\__/") {
            let last = self.drawing.replace(part.to_owned());
            return last.map_or_else(|| part.to_owned(), |last| changed(&last, part));
        }
        match part.lines().collect::<Vec<_>>().as_slice() {
            [first, _, _, ..] if !self.paragraphs.insert(part.to_owned()) => {
                format!("(as above: {first} ...)")
            }
            _ => part.to_owned(),
        }
    }
}

/// The lines of a drawing that are not those of the last one; all of them where most are not.
fn changed(last: &str, drawing: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (last.lines().collect(), drawing.lines().collect());
    let lines: Vec<String> = new
        .iter()
        .enumerate()
        .filter(|(number, line)| old.get(*number) != Some(*line))
        .map(|(number, line)| format!("{:>2}:{line}", number + 1))
        .collect();
    match lines.len() {
        0 if old.len() == new.len() => "(the board above)".to_owned(),
        few if old.len() == new.len() && few < new.len() / 2 => {
            format!("(the board above, but)\n{}", lines.join("\n"))
        }
        _ => drawing.to_owned(),
    }
}

/// How mails end.
const FOOTER: &str = "-- \nTurnpost, board games by mail: play@turnpost.example. Reply `help` and we\n\
                      explain. Operator: operator@turnpost.example\n";

/// Whether a header says what it says in every mail, or goes by the letter that is answered: the conversations with
/// whole mails show those.
fn is_usual(name: &str, value: &str, mail: &Mail) -> bool {
    match name {
        "From" => value == "Turnpost <play@turnpost.example>",
        "To" => value == mail.to,
        "Auto-Submitted" => ["auto-replied", "auto-generated"].contains(&value),
        "X-Loop" => value == "play@turnpost.example",
        "X-Auto-Response-Suppress" => value == "All",
        "Content-Type" => value == "text/plain; charset=utf-8" || value.starts_with("multipart/alternative;"),
        "Date" | "Message-ID" | "In-Reply-To" | "References" => true,
        "MIME-Version" | "Content-Transfer-Encoding" => true,
        _ => false,
    }
}

/// Mails with all that a mail program sees.
fn whole(mails: &[Mail]) -> String {
    mails.iter().map(|mail| format!("=== out {}\n{}", mail.to, without_tokens(&as_text(mail)))).collect()
}

/// A mail of two forms without the second, which says the same: `tests/html.rs` holds it to that.
fn as_text(mail: &Mail) -> String {
    let raw = mail.raw();
    let Some((head, body)) =
        raw.split_once("\n\n").filter(|(head, _)| head.contains("multipart/alternative"))
    else {
        return raw;
    };
    let boundary = head.split_once("boundary=\"").and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
    let delimiter = format!("--{boundary}");
    let text = body.split(&delimiter).nth(1).unwrap().trim_start_matches('\n');
    let head = head.lines().filter(|line| !line.starts_with("Content-") && !line.contains("boundary="));
    format!("{}\nContent-Type: multipart/alternative\n\n{text}", head.collect::<Vec<_>>().join("\n"))
}

/// A reply token opens a seat, so none is written down.
fn without_tokens(mail: &str) -> String {
    let mut shown = String::new();
    for line in mail.lines() {
        match line.strip_prefix("Reply-To: ").and_then(|address| address.split_once('.')) {
            Some((before, rest)) => {
                let domain = rest.split_once('@').map_or("", |(_, domain)| domain);
                shown.push_str(&format!("Reply-To: {before}.TOKEN@{domain}\n"));
            }
            None if ["References: ", " <", "List-Unsubscribe: <mailto:play+r"]
                .iter()
                .any(|begin| line.starts_with(begin)) =>
            {
                shown.push_str(&format!("{}\n", turnpost::mail::token::mask(line, |_| false)));
            }
            None => shown.push_str(&format!("{line}\n")),
        }
    }
    shown
}

#[test]
fn every_conversation_goes_as_it_is_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversations");
    let bless = std::env::var_os("TURNPOST_BLESS").is_some();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let written = std::fs::read_to_string(&path).unwrap();
        let played = play(&written, &name);
        count += 1;
        if bless {
            std::fs::write(&path, played).unwrap();
            continue;
        }
        for (number, (written, played)) in written.lines().zip(played.lines()).enumerate() {
            assert_eq!(written, played, "{name}, line {}", number + 1);
        }
        assert_eq!(written, played, "{name}");
    }
    assert!(count >= 6, "{count} conversations");
}
