//! Any octets as an LMTP session, at once and in pieces. The results are equal, and the session keeps few bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnpost::mail::lmtp::{Action, Session, Settings};

const SIZE: usize = 500;

fn session() -> Session {
    Session::new(Settings { recipients: 3, errors: 3, ..Settings::new("turnpost.example", SIZE) })
}

fuzz_target!(|bytes: &[u8]| {
    // The first octets say how long the pieces are.
    let (lengths, said) = bytes.split_at(bytes.len().min(4));
    let at_once = session().feed(said);
    let mut session = session();
    let mut in_pieces = Vec::new();
    let mut rest = said;
    for length in lengths.iter().cycle() {
        let (piece, after) = rest.split_at(rest.len().min(usize::from(*length) + 1));
        in_pieces.extend(session.feed(piece));
        assert!(session.kept() <= 4096 + SIZE, "{} octets kept", session.kept());
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    assert_eq!(at_once, in_pieces);
    for (at, action) in at_once.iter().enumerate() {
        match action {
            Action::Reply(text) => assert!(text.ends_with("\r\n")),
            Action::Deliver(mail) => assert!(!mail.recipients.is_empty() && mail.data.len() <= SIZE),
            Action::Close => assert_eq!(at + 1, at_once.len()),
        }
    }
});
