//! Letters as mail programs write them, and what is read out of them.

use std::path::Path;

use crate::support::data::{DataFile, decoded_entry};
use crate::support::mails::{read_letter, site};
use turnpost::mail::Letter;
use turnpost::mail::incoming::{Envelope, EnvelopeSender, Incoming, read};

fn letter(bytes: &[u8]) -> Letter {
    read_letter(bytes, &Envelope::default())
}

/// `tests/data/letters.txt` says of the mails of `tests/letters` what is read out of them.
#[test]
fn letters_of_mail_programs() {
    for (name, lines) in DataFile::read("letters.txt").sections() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters").join(name);
        let letter = letter(&std::fs::read(path).unwrap());
        assert!(!letter.text.contains('\r'), "{name}");
        for line in lines.lines() {
            let (what, expected) = line.split_once(": ").unwrap();
            let expected = decoded_entry(expected);
            let found = match what {
                "Subject" => letter.subject.clone(),
                "sender" => letter.sender.clone().unwrap_or_default(),
                "Message-ID" => letter.message_id.clone().unwrap_or_default(),
                "References" => letter.references.join(" "),
                "token" => letter.token.as_ref().map(|token| token.0.clone()).unwrap_or_default(),
                "proof" => format!("{:?} {:?}", letter.proof, letter.answer),
                "text" => letter.text.clone(),
                "lines" => {
                    letter.text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
                }
                "text begins" if letter.text.starts_with(&expected) => continue,
                "text holds" if letter.text.contains(&expected) => continue,
                _ => panic!("{name}: {line}: {letter:?}"),
            };
            assert_eq!(found, expected, "{name}: {what}");
        }
    }
}

#[test]
fn in_flowed_text_only_a_plain_blank_continues_a_line() {
    let head = "From: ann@example.org\nContent-Type: text/plain; charset=utf-8; format=flowed\n\n";
    let text = |body: &str| letter(format!("{head}{body}").as_bytes()).text;
    assert_eq!(text("D1-E1\u{A0}\nE1-E2\n"), "D1-E1 \nE1-E2\n");
    assert_eq!(text("It was \na good game\n"), "It was a good game\n");
}

#[test]
fn damaged_base64_keeps_its_sound_beginning() {
    let head = "From: ann@example.org\nContent-Transfer-Encoding: BASE64 \n\n";
    assert_eq!(letter(format!("{head}aGVscCBkdm9ubg").as_bytes()).text, "help dvonn\n");
    for body in ["aGVscCBkdm9ubgo", "aGVscCBk\ndm9u*bgo=", "aGVscCBkdm9u~~~~"] {
        assert!(letter(format!("{head}{body}").as_bytes()).text.starts_with("help dvon"), "{body}");
    }
}

#[test]
fn a_forwarded_mail_and_an_attachment_do_not_play() {
    let mail = b"From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Type: message/rfc822\n\nFrom: x@y.org\n\nresign\n\
        --b\nContent-Disposition: inline; filename=x.txt\n\nresign\n\
        --bb\nnot a delimiter\n--b\n\nhelp\n--b--\nresign\n";
    assert_eq!(letter(mail).text, "help\n");
}

#[test]
fn a_multipart_without_parts_is_text() {
    let mail = b"From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\nhelp\n";
    assert_eq!(letter(mail).text, "help\n");
    let unended =
        b"From: ann@example.org\nContent-Type: multipart/mixed; boundary=\"b \"\n\nx\n--b  \n\nhelp";
    assert_eq!(letter(unended).text, "help\n");
}

#[test]
fn the_front_is_stripped() {
    for front in
        ["\n", "\r\n\r\n", " \n", "From a@b Mon Jan  1 00:00:00 2026\n", "\u{FEFF}", ">From a@b x\n", "  "]
    {
        let mail = format!("{front}From: ann@example.org\nSubject: help\n\nx\n");
        assert_eq!(letter(mail.as_bytes()).subject, "help", "{front:?}");
    }
}

#[test]
fn the_envelope_from_variables_and_from_trace_fields() {
    let set = |pairs: &'static [(&str, &str)]| {
        Envelope::from_variables(move |name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    };
    assert_eq!(set(&[]), Envelope::default());
    let null = set(&[("SENDER", ""), ("RECIPIENT", "play@turnpost.example"), ("ORIGINAL_RECIPIENT", "")]);
    assert_eq!(null.sender, Some(EnvelopeSender::Null));
    assert_eq!(null.recipient.as_deref(), Some("play@turnpost.example"));
    let exim =
        set(&[("LOCAL_PART", "play"), ("LOCAL_PART_SUFFIX", "+b42.abc"), ("DOMAIN", "turnpost.example")]);
    assert_eq!(exim.recipient.as_deref(), Some("play+b42.abc@turnpost.example"));
    let mail = b"From: ann@example.org\n\nD1-E1\n";
    assert_eq!(read_letter(mail, &exim).token.unwrap().0, "b42.abc");
    let topmost = b"Delivered-To: play+b7.abc@turnpost.example\nDelivered-To: play+b8.abc@turnpost.example\n\
        From: ann@example.org\n\n";
    assert_eq!(letter(topmost).token.unwrap().0, "b7.abc");
    let cc =
        b"From: ann@example.org\nTo: bob@example.net\nCc: Bob: x@y.org, <PBM+b9.ABC@Turnpost.example>;\n\n";
    assert_eq!(letter(cc).token.unwrap().0, "b9.abc");
}

/// Who is asked first, who second: each line of the list is shown to win over all below it.
#[test]
fn the_recipient_is_the_first_that_anybody_tells() {
    let recipient = |options: Option<&str>, variables: &[(&str, &str)], fields: &[&str]| {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let options = Envelope { sender: None, recipient: options.map(str::to_owned) };
        let envelope = options.or(Envelope::from_variables(variable));
        let mail = format!("{}From: ann@example.org\n\nD1-E1\n", fields.concat());
        read_letter(mail.as_bytes(), &envelope).token.map(|token| token.0)
    };
    let variables = [
        ("ORIGINAL_RECIPIENT", "play+b2.bb@turnpost.example"),
        ("RECIPIENT", "play+b3.cc@turnpost.example"),
        ("LOCAL_PART", "play"),
        ("LOCAL_PART_SUFFIX", "+b4.dd"),
        ("DOMAIN", "turnpost.example"),
    ];
    let fields = [
        "X-Original-To: play+b5.ee@turnpost.example\n",
        "Delivered-To: <play+b6.ff@turnpost.example>\n",
        "Envelope-To: play+b7.gg@turnpost.example\n",
        "To: Eve <eve@example.com>, Turnpost <play+b2.hh@turnpost.example>\n",
        "Cc: play-b3.ii@turnpost.example\n",
    ];
    let all = recipient(Some("play+b1.aa@turnpost.example"), &variables, &fields);
    assert_eq!(all.as_deref(), Some("b1.aa"), "--recipient");
    for (skipped, expected) in [(0, "b2.bb"), (1, "b3.cc"), (2, "b4.dd"), (5, "b5.ee")] {
        let found = recipient(Some(""), &variables[skipped..], &fields);
        assert_eq!(found.as_deref(), Some(expected), "without {:?}", &variables[..skipped]);
    }
    for (skipped, expected) in [(1, "b6.ff"), (2, "b7.gg"), (3, "b2.hh"), (4, "b3.ii"), (5, "")] {
        let found = recipient(None, &[], &fields[skipped..]);
        assert_eq!(found.unwrap_or_default(), expected, "without {:?}", &fields[..skipped]);
    }
    // Whoever wrote the field, what the extension holds proves itself: our own plain address does not hide it.
    let twice = ["X-Original-To: play@turnpost.example\n", "X-Original-To: play+b9.aa@turnpost.example\n"];
    assert_eq!(recipient(None, &[], &twice).as_deref(), Some("b9.aa"));
    assert_eq!(recipient(Some("play@turnpost.example"), &[], &fields).as_deref(), Some("b5.ee"));
    let theirs = ["Delivered-To: club@example.com\n", "To: play@turnpost.example\n"];
    assert_eq!(recipient(None, &[], &theirs), None);
    let prefixed = [("LOCAL_PART_PREFIX", "play-"), ("LOCAL_PART", "b8.aa"), ("DOMAIN", "Turnpost.example")];
    assert_eq!(recipient(None, &prefixed, &[]).as_deref(), Some("b8.aa"));
}

#[test]
fn the_return_path_is_the_first_that_anybody_tells_or_not_known() {
    let of = |option: Option<&str>, variable: Option<&str>, head: &str| {
        let told = Envelope::from_variables(|name| variable.filter(|_| name == "SENDER").map(str::to_owned));
        let given = Envelope { sender: option.map(EnvelopeSender::read), recipient: None };
        let mail = format!("{head}From: ann@example.org\n\nhelp\n");
        match read(mail.as_bytes(), &given.or(told), &site()) {
            Incoming::Letter(letter) => letter.return_path.unwrap_or_else(|| "unknown".to_owned()),
            Incoming::Ignored { .. } | Incoming::Doubtful { .. } => "null".to_owned(),
            other => panic!("{other:?}"),
        }
    };
    let field = "Return-Path: <field@example.org>\n";
    assert_eq!(of(Some("option@example.org"), Some(""), field), "option@example.org");
    assert_eq!(of(Some(""), Some("variable@example.org"), field), "null");
    assert_eq!(of(None, Some("variable@Example.org"), field), "variable@example.org");
    assert_eq!(of(None, Some(""), field), "null");
    // Whichever says so: a program that fetches mail hands a report on in an envelope of its own.
    assert_eq!(of(None, None, &format!("{field}Return-Path: <>\n")), "null");
    assert_eq!(of(None, None, &format!("Return-Path: <>\n{field}")), "null");
    assert_eq!(of(None, None, "From mbox@example.org Mon Jan  1 00:00:00 2026\n"), "mbox@example.org");
    assert_eq!(of(None, None, ""), "unknown");
    // Nothing that mail cannot be sent to, and no option of a sendmail program, is ever written to.
    assert_eq!(of(Some("-oQ/tmp@example.org"), None, ""), "unknown");
    assert_eq!(of(Some("no address"), None, ""), "unknown");
}

#[test]
fn identity_is_of_the_letter_and_not_of_its_route() {
    let of = |bytes: &[u8]| letter(bytes).identity;
    for id in ["Message-ID: <a@b.c>\n", ""] {
        let mail = |trace: &str, to: &str, from: &str| {
            of(format!("{trace}{id}From: {from}\nTo: {to}\nDate: x\nSubject: y\n\nz\n").as_bytes())
        };
        let plain = mail("", "play@turnpost.example", "ann@example.org");
        let trace = "Received: by x\nReturn-Path: <ann@example.org>\nAuthentication-Results: y; none\n";
        assert_eq!(plain, mail(trace, "play@turnpost.example", "ann@example.org"));
        assert_eq!(plain, mail("Delivered-To: PLAY@turnpost.example\n", "x@y.org", "Ann <ann@EXAMPLE.org>"));
        // Only a valid token makes another letter of it, and whether one is valid is not known here.
        assert_eq!(plain, mail("", "play+b1.abc@turnpost.example", "ann@example.org"));
        assert_eq!(plain, mail("Delivered-To: play+x@turnpost.example\n", "x@y.org", "ann@example.org"));
        assert_ne!(plain, mail("", "play@turnpost.example", "bob@example.org"));
    }
    let line_ends = of(b"From: a@example.org\r\nSubject: s\r\n\r\nx\r\n\r\n");
    assert_eq!(line_ends, of(b"From: a@example.org\nSubject: s\n\nx\n"));
    assert_ne!(line_ends, of(b"From: a@example.org\nSubject: s\n\ny\n"));
    assert_ne!(line_ends, of(b"From: a@example.org\nSubject: sx\n\n\n"));
}

#[test]
fn the_token_of_a_reply_is_found_however_long_the_mail_is() {
    let quoted: String = (0..50_000).map(|n| format!("> {n}\r\n")).collect();
    let mail = format!(
        "From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\nF3\r\n\r\nOn Friday Ann wrote:\r\n{quoted}> [reply b7.aaaa]\r\n"
    );
    assert_eq!(letter(mail.as_bytes()).token.map(|token| token.0).as_deref(), Some("b7.aaaa"));
}
