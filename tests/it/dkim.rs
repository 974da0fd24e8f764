//! Signatures of our mails, checked by another implementation than the one that made them.
//!
//! What is signed is put together here from RFC 6376 3.4 and 3.7, and the signature is checked by ring.

use crate::support::host::Host;
use data_encoding::BASE64;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use sha2::{Digest, Sha256};
use turnpost::mail::outgoing::Signer;

/// The fields of a mail, unfolded, with their names as written.
fn fields(mail: &str) -> Vec<(String, String)> {
    let (head, _) = mail.split_once("\r\n\r\n").unwrap();
    let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    unfolded
        .split("\r\n")
        .map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_owned(), value.to_owned())
        })
        .collect()
}

/// Relaxed, 3.4.2.
fn relaxed_field(name: &str, value: &str) -> String {
    let words: Vec<&str> = value.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect();
    format!("{}:{}", name.trim().to_lowercase(), words.join(" "))
}

/// Relaxed, 3.4.4.
fn relaxed_body(mail: &str) -> String {
    let body = mail.split_once("\r\n\r\n").unwrap().1;
    let mut lines: Vec<String> = body
        .split("\r\n")
        .map(|line| {
            let words: Vec<&str> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
            let lead = if line.starts_with([' ', '\t']) && !words.is_empty() { " " } else { "" };
            format!("{lead}{}", words.join(" "))
        })
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.iter().map(|line| format!("{line}\r\n")).collect()
}

fn tag<'s>(signature: &'s str, name: &str) -> &'s str {
    let tags = signature.split(';').map(str::trim);
    tags.filter_map(|tag| tag.split_once('=')).find(|(tag, _)| tag.trim() == name).unwrap().1.trim()
}

/// Whether the signature of a mail fits the public key (the DER of an RSAPublicKey).
fn verifies(mail: &str, public: &[u8]) -> bool {
    let fields = fields(mail);
    let (name, signature) =
        fields.iter().find(|(name, _)| name.eq_ignore_ascii_case("DKIM-Signature")).unwrap();
    assert_eq!((tag(signature, "d"), tag(signature, "s")), ("turnpost.example", "club"));
    assert_eq!(tag(signature, "c"), "relaxed/relaxed");
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    if bare(tag(signature, "bh")) != BASE64.encode(&Sha256::digest(relaxed_body(mail))) {
        return false;
    }
    let mut signed = String::new();
    for wanted in tag(signature, "h").split(':').map(str::trim) {
        if let Some((name, value)) = fields.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(wanted)) {
            signed.push_str(&format!("{}\r\n", relaxed_field(name, value)));
        }
    }
    let (before, _) = signature.rsplit_once("b=").unwrap();
    signed.push_str(&relaxed_field(name, &format!("{before}b=")));
    let octets = BASE64.decode(bare(tag(signature, "b")).as_bytes()).unwrap();
    match tag(signature, "a") {
        "rsa-sha256" => UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public)
            .verify(signed.as_bytes(), &octets)
            .is_ok(),
        // RFC 8463 3.
        "ed25519-sha256" => {
            UnparsedPublicKey::new(&ED25519, public).verify(&Sha256::digest(&signed), &octets).is_ok()
        }
        other => panic!("{other}"),
    }
}

/// The public half of the tests' own key, the DER of an RSAPublicKey. Both were made by `openssl genrsa -traditional 2048`
/// and `openssl rsa -RSAPublicKey_out -outform DER`, and are of no use elsewhere.
const PUBLIC: &[u8] = include_bytes!("../data/dkim/public.der");

#[test]
fn mails_are_signed_and_every_change_shows() {
    let host = Host::new();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dkim/key.pem");
    let mut config = std::fs::read_to_string(host.data().join("turnpost.toml")).unwrap();
    config.push_str(&format!("[dkim]\nselector = \"club\"\nkey = \"{}\"\n", file.display()));
    std::fs::write(host.data().join("turnpost.toml"), config).unwrap();
    let commands = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n\
                    set bob dunlin-7 html off\ndvonn challenge -symmetry -seed=7 ann bob\n\
                    dvonn move 1 ann plover-42 D1-E1\n";
    host.run(&["submit"], commands.as_bytes()).ok();
    let mails = host.delivered();
    assert!(mails.len() >= 2);
    assert!(mails.iter().any(|mail| mail.raw().contains("multipart/related")), "one with a picture");
    let two_forms = mails.iter().filter(|mail| mail.raw().contains("multipart/alternative")).count();
    assert!(two_forms > 0 && two_forms < mails.len(), "{two_forms}");
    for mail in &mails {
        let text = String::from_utf8(mail.bytes.clone()).unwrap();
        assert!(verifies(&text, PUBLIC), "{text}");
        for (from, to) in
            [("Subject: dvonn 1", "Subject: dvonn 2"), ("ann's", "bob's"), ("Date: ", "Date: x")]
        {
            if text.contains(from) {
                assert!(!verifies(&text.replacen(from, to, 1), PUBLIC), "{from}");
            }
        }
        let added = text.replacen("From: ", "List-Unsubscribe: <mailto:x@y.org>\r\nFrom: ", 1);
        assert!(!verifies(&added, PUBLIC), "a field that was signed as absent");
        // What servers on the way may do.
        assert!(verifies(&text.replacen("Subject: ", "subject:   ", 1), PUBLIC));
    }
}

#[test]
fn an_ed25519_key_signs_what_canonical_forms_change_at_the_time_of_the_mail() {
    let seed = [7; 32];
    let pair = Ed25519KeyPair::from_seed_unchecked(&seed).unwrap();
    let signer = Signer::new("club", "turnpost.example", &BASE64.encode(&seed)).unwrap();
    for body in ["", "\r\n\r\n", "one", " one  two\t \r\n\r\n\tthree \r\n\r\n\r\n"] {
        let mail = format!(
            "From: A <a@turnpost.example>\r\nDate: Mon, 16 Nov 2026 09:00:00 +0000\r\nSubject:  two  blanks\r\n \
             folded\r\nReferences: <1@x>\r\n <2@x>\r\n\r\n{body}"
        );
        let signed = String::from_utf8(signer.signed(mail.clone().into_bytes())).unwrap();
        assert!(signed.ends_with(&mail));
        assert!(verifies(&signed, pair.public_key().as_ref()), "{signed}");
        assert!(!verifies(&signed.replace("folded", "changed"), pair.public_key().as_ref()));
        assert!(signed.contains(" t=1794819600;"), "{signed}");
        assert!(signed.lines().all(|line| line.len() <= 78), "{signed}");
    }
}

#[test]
fn a_key_that_is_none_keeps_mail_with_the_mail_server_and_says_so() {
    let host = Host::set_up();
    let file = host.data().join("key");
    std::fs::write(&file, "-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n").unwrap();
    let config = std::fs::read_to_string(host.data().join("turnpost.toml")).unwrap();
    for (section, says, code) in [
        (format!("selector = \"club\"\nkey = \"{}\"", file.display()), "openssl genrsa -traditional 2048", 1),
        (format!("key = \"{}\"", file.display()), "`selector` of [dkim] is missing", 1),
        ("selector = \"club\"\nkey = \"/nowhere/key\"".to_owned(), "/nowhere/key", 75),
    ] {
        std::fs::write(host.data().join("turnpost.toml"), format!("{config}[dkim]\n{section}\n")).unwrap();
        let ran = host.run(&["submit", "help"], b"");
        assert_eq!(ran.code, Some(code), "{section}");
        assert!(ran.err.contains(says) && !ran.err.contains("nonsense"), "{}", ran.err);
        host.receive(&crate::support::letter("ann@example.org", "help", "", 1)).assert_silent(75);
    }
}
