//! Reads any octets as a mail without a panic. All that is read can be part of a mail from the server.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnpost::mail::ServerIdentity;
use turnpost::mail::incoming::{Envelope, EnvelopeSender, Incoming, read};
use turnpost::mail::reply_text::new_text;

fuzz_target!(|bytes: &[u8]| {
    let site = ServerIdentity {
        name: "Turnpost".to_owned(),
        address: "play@turnpost.example".to_owned(),
        aliases: vec!["pbm@turnpost.example".to_owned()],
        host: "turnpost.example".to_owned(),
        authserv_id: Some("mx.turnpost.example".to_owned()),
        extensions: true,
        banners: vec!["scanned for acme".to_owned()],
    };
    // How much the door was told goes by the length, so that a plain mail can be a seed.
    let told = bytes.len();
    let envelope = Envelope {
        sender: (told & 1 != 0).then(|| EnvelopeSender::Address("ann@example.org".to_owned())),
        recipient: (told & 2 != 0).then(|| "play+b1.abcdefghijklmnopqrstuvwxyz@turnpost.example".to_owned()),
    };
    match read(bytes, &envelope, &site) {
        Incoming::Letter(letter) => {
            for text in [&letter.subject, letter.sender.as_ref().expect("a mail has a sender")] {
                assert!(!text.chars().any(char::is_control), "a control character in {text:?}");
            }
            for id in letter.message_id.iter().chain(&letter.in_reply_to).chain(&letter.references) {
                assert!(id.is_ascii() && id.starts_with('<') && id.ends_with('>'), "an id like {id:?}");
            }
            let words = new_text(&letter.text).new;
            assert!(words.len() <= letter.text.len() + 1, "more new words than words");
        }
        Incoming::Refused { letter, .. } => assert!(letter.text.is_empty()),
        Incoming::Ignored { why, .. } | Incoming::Doubtful { why, .. } => {
            assert!(!why.to_string().is_empty())
        }
    }
});
