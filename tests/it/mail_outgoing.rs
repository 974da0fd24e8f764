//! What is composed is what arrives; and nothing of people's words becomes a header.

use crate::support::mails::{site, why_ignored};
use mailparse::{MailHeaderMap, ParsedMail, parse_mail};
use proptest::prelude::*;
use turnpost::ids::Identity;
use turnpost::mail::ServerIdentity;
use turnpost::mail::incoming::{Envelope, Ignored, Mark};
use turnpost::mail::outgoing::{AttachedFile, AutoSubmitted, ComposeError, Draft, compose, message_id};

fn draft(text: &str) -> Draft {
    Draft {
        to: "ann@example.org".to_owned(),
        reply_to: Some("play+b42.abc@turnpost.example".to_owned()),
        message_id: message_id(&Identity([7; 32]), "ann@example.org", "answer", &[], "turnpost.example"),
        in_reply_to: Some("<parent@example.org>".to_owned()),
        references: vec!["<root@turnpost.example>".to_owned(), "<parent@example.org>".to_owned()],
        subject: "dvonn 42, ann v bob".to_owned(),
        date: "2026-11-20T10:00:00Z".parse().unwrap(),
        mark: AutoSubmitted::Replied,
        unsubscribe: None,
        text: text.to_owned(),
        html: None,
        files: Vec::new(),
    }
}

fn written(draft: &Draft) -> Vec<u8> {
    compose(draft, &site()).unwrap()
}

fn text_of(part: &ParsedMail<'_>) -> String {
    part.get_body().unwrap().replace("\r\n", "\n")
}

/// What no server on the way changes: 7 bits, short lines, CR LF, nothing at line ends or beginnings.
fn assert_fit_to_travel(mail: &[u8]) {
    let text = std::str::from_utf8(mail).unwrap();
    assert!(text.is_ascii());
    for line in text.split("\r\n") {
        assert!(!line.contains(['\r', '\n', '\0']), "{line:?}");
        assert!(line.len() <= 300, "{line:?}");
    }
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    for line in body.split("\r\n") {
        assert!(
            !line.ends_with([' ', '\t']) && !line.starts_with("From ") && !line.starts_with('.'),
            "{line:?}"
        );
    }
}

#[test]
fn headers() {
    let mail = written(&draft("Your move.\n"));
    assert_fit_to_travel(&mail);
    let text = String::from_utf8(mail).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let mut fields: Vec<&str> = head.split("\r\n").collect();
    fields.sort_unstable();
    let id = draft("").message_id;
    let mut expected = [
        " <parent@example.org>",
        "Auto-Submitted: auto-replied",
        "Content-Transfer-Encoding: 7bit",
        "Content-Type: text/plain; charset=utf-8",
        "Date: Fri, 20 Nov 2026 10:00:00 +0000",
        "From: Turnpost <play@turnpost.example>",
        "In-Reply-To: <parent@example.org>",
        &format!("Message-ID: {id}"),
        "MIME-Version: 1.0",
        "References: <root@turnpost.example>",
        "Reply-To: play+b42.abc@turnpost.example",
        "Subject: dvonn 42, ann v bob",
        "To: ann@example.org",
        "X-Auto-Response-Suppress: All",
        "X-Loop: play@turnpost.example",
    ];
    expected.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(body, "Your move.\r\n");
    let generated = Draft { mark: AutoSubmitted::Generated, ..draft("") };
    assert!(String::from_utf8(written(&generated)).unwrap().contains("Auto-Submitted: auto-generated\r\n"));
}

#[test]
fn our_own_mail_is_set_aside_when_it_comes_back() {
    let mail = written(&draft("resign\n"));
    let why = why_ignored(&mail, &Envelope::default());
    assert_eq!(why, Ignored::Automatic(Mark::Ours));
}

#[test]
fn a_message_id_belongs_to_letter_recipient_and_purpose() {
    let id = |letter: u8, to: &str, purpose: &str| {
        message_id(&Identity([letter; 32]), to, purpose, b"s", "turnpost.example")
    };
    let first = id(1, "ann@example.org", "answer");
    assert_eq!(first, id(1, "ann@example.org", "answer"));
    for other in [
        id(2, "ann@example.org", "answer"),
        id(1, "bob@example.org", "answer"),
        id(1, "ann@example.org", "ply"),
    ] {
        assert_ne!(first, other);
    }
    assert_ne!(id(1, "ab", "c"), id(1, "a", "bc"));
    assert!(first.starts_with('<') && first.ends_with("@turnpost.example>") && first.len() < 80);
}

#[test]
fn both_forms_of_a_mail() {
    let html = Some("<pre>D1-E1 ⬡</pre>\n<p>.</p>\n".to_owned());
    let mail = written(&Draft { html: html.clone(), ..draft("D1-E1 ⬡\n--fake\n-- \nann\n") });
    assert_fit_to_travel(&mail);
    assert_eq!(mail, written(&Draft { html: html.clone(), ..draft("D1-E1 ⬡\n--fake\n-- \nann\n") }));
    let parsed = parse_mail(&mail).unwrap();
    assert_eq!(parsed.ctype.mimetype, "multipart/alternative");
    let kinds: Vec<&str> = parsed.subparts.iter().map(|part| part.ctype.mimetype.as_str()).collect();
    assert_eq!(kinds, ["text/plain", "text/html"]);
    assert_eq!(text_of(&parsed.subparts[0]), "D1-E1 ⬡\n--fake\n-- \nann\n");
    assert_eq!(Some(text_of(&parsed.subparts[1])), html);
}

#[test]
fn a_file_beside_both_forms_of_a_mail() {
    let record = format!("  1) 31: ⬡ \n.\nFrom x\n--=_\n\n{}", "e4 e5 ".repeat(300));
    let file = AttachedFile { name: "chess-1.pgn".to_owned(), text: record.clone() };
    for html in [Some("<p>x</p>\n".to_owned()), None] {
        let mail = written(&Draft { html: html.clone(), files: vec![file.clone()], ..draft("x\n") });
        assert_fit_to_travel(&mail);
        let parsed = parse_mail(&mail).unwrap();
        assert_eq!(parsed.ctype.mimetype, "multipart/mixed");
        let [body, attached] = &parsed.subparts[..] else { panic!("a body and a file") };
        let kind = if html.is_some() { "multipart/alternative" } else { "text/plain" };
        assert_eq!(body.ctype.mimetype, kind);
        assert_eq!(attached.ctype.mimetype, "application/vnd.chess-pgn");
        assert_eq!(text_of(attached), record);
    }
}

#[test]
fn a_known_boundary_divides_nothing() {
    let html = Some("<p>x</p>".to_owned());
    let mail = String::from_utf8(written(&Draft { html: html.clone(), ..draft("x\n") })).unwrap();
    let start = mail.find("--=_").unwrap();
    let delimiter = mail[start..].split("\r\n").next().unwrap();
    let text = format!("{delimiter}\n\ninserted\n{delimiter}--\n");
    let mail = written(&Draft { html, ..draft(&text) });
    let parsed = parse_mail(&mail).unwrap();
    assert_eq!(parsed.subparts.len(), 2);
    assert_eq!(text_of(&parsed.subparts[0]), text);
}

#[test]
fn peoples_words_become_no_headers() {
    let evil = "x\r\nBcc: eve@example.org\r\n\r\nbody\0\u{85}\u{2028}\u{202E}y";
    let site = ServerIdentity { name: evil.to_owned(), ..site() };
    let evil_ids =
        vec![format!("<a@b>{evil}"), "<a b@c>".to_owned(), "<é@c>".to_owned(), "<good@c>".to_owned()];
    let draft = Draft {
        subject: evil.to_owned(),
        in_reply_to: Some("<a@b>\r\nBcc: eve@example.org".to_owned()),
        references: evil_ids,
        ..draft(evil)
    };
    let mail = compose(&draft, &site).unwrap();
    let parsed = parse_mail(&mail).unwrap();
    assert!(parsed.headers.get_first_value("Bcc").is_none());
    assert!(parsed.headers.get_first_value("In-Reply-To").is_none());
    assert_eq!(parsed.headers.get_first_value("References").unwrap(), "<good@c>");
    assert_eq!(parsed.headers.get_first_value("Subject").unwrap(), "x Bcc: eve@example.org body y");
    assert_eq!(parsed.headers.get_all_headers("From").len(), 1);
    let nameless = ServerIdentity { name: "\u{7} ".to_owned(), ..site };
    let mail = String::from_utf8(compose(&draft, &nameless).unwrap()).unwrap();
    assert!(mail.contains("From: play@turnpost.example\r\n"));
}

#[test]
fn addresses_that_are_none() {
    for to in
        ["", "ann", "-oQ/tmp@x.org", "a@x.org\r\nBcc: b@x.org", "a@x.org, b@x.org", "<a@x.org>", "a b@x.org"]
    {
        let result = compose(&Draft { to: to.to_owned(), ..draft("") }, &site());
        assert!(matches!(result, Err(ComposeError::Recipient)), "{to:?}");
        let result = compose(&Draft { reply_to: Some(to.to_owned()), ..draft("") }, &site());
        assert!(matches!(result, Err(ComposeError::ReplyTo)), "{to:?}");
    }
    for id in ["", "x", "<a@b", "<a@b> <c@d>", "<a\r\n@b>", "<é@b>"] {
        let result = compose(&Draft { message_id: id.to_owned(), ..draft("") }, &site());
        assert!(matches!(result, Err(ComposeError::MessageId)), "{id:?}");
    }
    let early = Draft { date: "1969-12-31T00:00:00Z".parse().unwrap(), ..draft("") };
    assert!(matches!(compose(&early, &site()), Err(ComposeError::Date)));
}

#[test]
fn long_threads_and_subjects() {
    let references = (0..500).map(|n| format!("<{n}.{}@example.org>", "r".repeat(220))).collect();
    let draft = Draft { references, subject: "é".repeat(5000), ..draft("x\n") };
    let mail = written(&draft);
    assert_fit_to_travel(&mail);
    let parsed = parse_mail(&mail).unwrap();
    assert_eq!(parsed.headers.get_first_value("References").unwrap().split(' ').count(), 11);
    assert_eq!(parsed.headers.get_first_value("Subject").unwrap(), "é".repeat(200));
    let ascii = Draft { subject: "x".repeat(5000), ..draft };
    assert_fit_to_travel(&written(&ascii));
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("From here".to_owned()),
        Just(".".to_owned()),
        Just("..".to_owned()),
        Just("-- ".to_owned()),
        Just("--=_b--".to_owned()),
        Just("    A   B   C".to_owned()),
        Just("   / \\ / \\   ".to_owned()),
        Just("=20=".to_owned()),
        Just("\tx\t".to_owned()),
        " {0,90}",
        "[ -~]{0,200}",
        "[ -~é⬡●]{0,100}",
        "[.= -]{0,9}From [ -~]{70,80}",
        "[a-z]{70,80}[ .é]{0,4}",
    ]
}

proptest! {
    #[test]
    fn what_is_composed_arrives(lines in prop::collection::vec(line(), 0..12), both in any::<bool>(), ended in any::<bool>()) {
        let text = lines.join("\n") + if ended { "\n" } else { "" };
        let html = both.then(|| text.clone());
        let mail = written(&Draft { html, ..draft(&text) });
        assert_fit_to_travel(&mail);
        let parsed = parse_mail(&mail).unwrap();
        if both {
            prop_assert_eq!(parsed.subparts.len(), 2);
            prop_assert_eq!(text_of(&parsed.subparts[0]), text.clone());
            prop_assert_eq!(text_of(&parsed.subparts[1]), text);
        } else {
            prop_assert_eq!(text_of(&parsed), text);
        }
    }

    #[test]
    fn any_words_make_a_mail(subject in any::<String>(), text in any::<String>(), id in any::<String>(), to in any::<String>()) {
        let some = Draft { subject, in_reply_to: Some(id.clone()), references: vec![id], ..draft(&text) };
        let mail = written(&some);
        assert_fit_to_travel(&mail);
        // Only that it does not panic: nearly all of these are no addresses.
        let _ = compose(&Draft { to, ..some }, &site());
    }
}

#[test]
fn a_mail_to_many_says_how_it_ends() {
    assert!(!String::from_utf8(written(&draft("x\n"))).unwrap().contains("List-"));
    let subject = "dvonn unsubscribe 1 e+v@x.org\r\nBcc: y";
    let mail = written(&Draft { unsubscribe: Some(subject.to_owned().into()), ..draft("x\n") });
    let mail = parse_mail(&mail).unwrap();
    let field = mail.headers.get_first_value("List-Unsubscribe").unwrap();
    assert_eq!(
        field,
        format!(
            "<mailto:{}?subject=dvonn%20unsubscribe%201%20e%2Bv%40x.org%0D%0ABcc%3A%20y>",
            site().address
        )
    );
    assert!(mail.headers.get_first_value("Bcc").is_none());
}
