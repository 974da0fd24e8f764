//! Real mails, each taken in by one server: nothing panics, no bounce is answered, nothing is answered twice.
//!
//! `TURNPOST_EMAILS` names the folder; without it the test says so and reads `tests/letters`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::support::mails::transported;
use crate::support::{ADDRESS, LetterOutcome, Mail, Stage, files_below};
use mailparse::{MailAddr, addrparse_header, parse_headers};
use turnpost::mail::Operator;
use turnpost::mail::incoming::{Envelope, EnvelopeSender};

/// Folders whose mails are delivery reports: none of them is ever to be answered.
const REPORTS: [&str; 2] = ["bounces", "multipart_report_emails"];

/// A server on which every address that writes in the corpus is a player's, with a board in play against bob.
struct Club {
    stage: Stage,
    /// Each writer's address, with the address that lets their plain replies play.
    writers: Vec<(String, String)>,
}

impl Club {
    fn of(mails: &[(PathBuf, Vec<u8>)]) -> Club {
        let mut stage = Stage::with_a_game();
        let addresses: BTreeSet<String> = mails.iter().flat_map(|(_, mail)| senders(mail)).collect();
        let mut writers = Vec::new();
        for (number, address) in addresses.into_iter().enumerate() {
            let signup = format!("signup writer{number} grebe-{number} {address}");
            // Some are no addresses, and some are the server's own: their mail comes from strangers then.
            if !stage.submit(Operator::Nobody, &signup).1 {
                continue;
            }
            let begin = format!("dvonn challenge -symmetry -seed=7 writer{number} bob");
            let (said, done, mails) = stage.submit(Operator::AsAnyone, &begin);
            assert!(done, "{said}");
            let board = mails.iter().find(|mail| mail.to == address && mail.raw().contains("\nReply-To: "));
            let board = board.unwrap_or_else(|| panic!("no mail about the board to {address}"));
            writers.push((address, reply_to(board)));
        }
        Club { stage, writers }
    }

    /// The envelopes in which a mail is taken in: the one it says it came in, and one that makes it a plain reply of its
    /// writer's to a mail about a board, where a move in its first line would be played.
    fn envelopes(&self, mail: &[u8]) -> Vec<Envelope> {
        let mut envelopes = vec![transported(mail)];
        for sender in senders(mail) {
            if let Some((address, reply_to)) = self.writers.iter().find(|(address, _)| *address == sender) {
                envelopes.push(Envelope {
                    sender: Some(EnvelopeSender::Address(address.clone())),
                    recipient: Some(reply_to.clone()),
                });
            }
        }
        envelopes
    }
}

/// Every address of the From fields that can be one, as the server writes it.
fn senders(mail: &[u8]) -> BTreeSet<String> {
    let Ok((headers, _)) = parse_headers(mail) else { return BTreeSet::new() };
    let fields = headers.iter().filter(|header| header.get_key_ref().eq_ignore_ascii_case("from"));
    let named = fields.filter_map(|header| addrparse_header(header).ok()).flat_map(|list| list.into_inner());
    let single = named.filter_map(|address| match address {
        MailAddr::Single(info) => Some(info.addr.to_lowercase()),
        MailAddr::Group(_) => None,
    });
    single.filter(|address| address.is_ascii() && address.parse::<lettre::Address>().is_ok()).collect()
}

fn reply_to(mail: &Mail) -> String {
    let raw = mail.raw();
    let (_, rest) = raw.split_once("\nReply-To: ").unwrap();
    let (field, _) = rest.split_once('\n').unwrap();
    field.rsplit_once('<').map_or(field, |(_, address)| address.trim_end_matches('>')).to_owned()
}

fn is_report(path: &Path) -> bool {
    path.components().any(|part| REPORTS.iter().any(|folder| part.as_os_str() == *folder))
}

#[test]
fn every_mail_is_taken_in_and_none_is_answered_twice() {
    let folder = crate::support::real_mails();
    if folder.is_none() {
        println!("TURNPOST_EMAILS is not set: only tests/letters is read");
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters");
    let mails = files_below(folder.as_deref().unwrap_or(&own));
    assert!(!mails.is_empty(), "no file was read");

    let mut club = Club::of(&mails);
    let (mut taken, mut answered, mut aside) = (0, 0, 0);
    let mut slowest = (Duration::ZERO, PathBuf::new());
    for (path, mail) in &mails {
        for envelope in club.envelopes(mail) {
            let name = path.display();
            let start = Instant::now();
            let sent = club.stage.receive_from(&envelope, mail);
            slowest = slowest.max((start.elapsed(), path.clone()));
            taken += 1;
            answered += usize::from(!sent.is_empty());
            aside += usize::from(matches!(club.stage.outcome, LetterOutcome::Ignored(_)));
            assert!(!is_report(path) || sent.is_empty(), "a report is answered: {name}\n{sent:#?}");
            assert!(sent.iter().all(|mail| mail.to != ADDRESS), "we write to ourselves: {name}");
            // Others hear of a letter that plays, as those of tests/letters may.
            let answers: Vec<&Mail> =
                sent.iter().filter(|mail| mail.raw().contains("\nAuto-Submitted: auto-replied\n")).collect();
            assert!(answers.len() <= 1, "{} answers to {name}\n{answers:#?}", answers.len());
            for answer in answers {
                let writers = senders(mail);
                // In our own letters people give passwords, and may write from an address that is not theirs.
                let own = folder.is_none();
                assert!(
                    own || writers.is_empty() || writers.contains(&answer.to),
                    "{name}: to {}",
                    answer.to
                );
            }
            let again = club.stage.receive_from(&envelope, mail);
            assert!(again.is_empty(), "answered when it came again: {name}\n{again:#?}");
        }
    }
    println!(
        "{} files, taken in {taken} times by a server with {} boards: {answered} answered, {aside} set aside; \
         the slowest took {:?}: {}",
        mails.len(),
        club.writers.len() + 1,
        slowest.0,
        slowest.1.display()
    );
    assert!(answered > 0 && (aside > 0 || folder.is_none()));
    assert_eq!(club.stage.wrong(), Vec::<String>::new());
}
