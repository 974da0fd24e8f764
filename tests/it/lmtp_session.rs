//! LMTP without a socket: what is said, and what comes of it.

use crate::support::data::{DataFile, decoded, decoded_entry};
use proptest::prelude::*;
use turnpost::mail::lmtp::{Action, MailOutcome, MailTransaction, Session, Settings, delivered};

const SIZE: usize = 200;

fn session() -> Session {
    Session::new(Settings { recipients: 3, errors: 3, ..Settings::new("turnpost.example", SIZE) })
}

/// What a session does with this, in order.
fn said(bytes: &[u8]) -> Vec<Action> {
    session().feed(bytes)
}

/// The first three digits of each line of the replies, `-` behind those that go on; mails and the end by name.
fn codes(actions: &[Action]) -> String {
    let mut out = Vec::new();
    for action in actions {
        match action {
            Action::Reply(text) => {
                assert!(text.ends_with("\r\n") && !text.contains("\n\n"), "{text:?}");
                for line in text.lines() {
                    out.push(line.get(..4).unwrap().trim_end().to_owned());
                }
            }
            Action::Deliver(mail) => out.push(format!("<{} {}>", mail.sender, mail.recipients.join(","))),
            Action::Close => out.push("close".to_owned()),
        }
    }
    out.join(" ")
}

fn mails(actions: &[Action]) -> Vec<&MailTransaction> {
    let mut mails = Vec::new();
    for action in actions {
        if let Action::Deliver(mail) = action {
            mails.push(mail);
        }
    }
    mails
}

/// What stands in a section of `tests/data/lmtp.txt`, and what comes of it.
fn pairs(section: &str) -> Vec<(String, String)> {
    let file = DataFile::read("lmtp.txt");
    let pair = |line: &str| line.split_once(" | ").map(|(said, comes)| (decoded(said), decoded_entry(comes)));
    file.lines(section).map(|line| pair(&line.replace("{HELLO}", HELLO)).unwrap()).collect()
}

const LHLO: &str = "LHLO mx.example\r\n";
const HELLO: &str = "250- 250- 250- 250- 250- 250";
const MAIL: &str = "MAIL FROM:<ann@x.org>\r\nRCPT TO:<play@y.org>\r\n";

#[test]
fn a_session_ends_that_brings_no_mail() {
    let mut session = Session::new(Settings { idle: 5, ..Settings::new("turnpost.example", SIZE) });
    let mail = format!("{LHLO}NOOP\r\n{MAIL}DATA\r\n.\r\n");
    for _ in 0..3 {
        assert!(!codes(&session.feed(mail.as_bytes())).contains("421"));
    }
    for idle in ["NOOP", "RSET", "VRFY x", "HELP", "LHLO x", "MAIL FROM:<>\r\nRSET"] {
        let mut session = Session::new(Settings { idle: 50, ..Settings::new("turnpost.example", SIZE) });
        let actions = session.feed(format!("{LHLO}{}", format!("{idle}\r\n").repeat(60)).as_bytes());
        assert!(codes(&actions).ends_with("421 close"), "{idle}");
    }
}

#[test]
fn a_whole_session_by_pipeline() {
    let mut session = session();
    assert_eq!(session.greeting(), "220 turnpost.example LMTP Turnpost\r\n");
    let actions = session.feed(
        b"lhlo mx.example\r\nMAIL FROM:<ann@x.org> SIZE=100 BODY=8BITMIME SMTPUTF8\r\nRCPT TO:<play@y.org>\r\n\
          RCPT TO:<play+b42.abc@y.org>\r\nDATA\r\nSubject: F3\r\n\r\n..dot\r\n.\r\nMAIL FROM:<>\r\nRSET\r\nQUIT\r\nNOOP\r\n",
    );
    let expected =
        format!("{HELLO} 250 250 250 354 <ann@x.org play@y.org,play+b42.abc@y.org> 250 250 221 close");
    assert_eq!(codes(&actions), expected);
    assert_eq!(mails(&actions)[0].data, b"Subject: F3\r\n\r\n.dot\r\n");
    let Action::Reply(hello) = &actions[0] else { panic!() };
    for extension in
        ["250-PIPELINING", "250-ENHANCEDSTATUSCODES", "250-8BITMIME", "250-SMTPUTF8", "250 SIZE 200"]
    {
        assert!(hello.contains(&format!("{extension}\r\n")), "{extension}");
    }
    assert_eq!(session.feed(b"NOOP\r\n"), [], "nothing behind QUIT");
    let answers = delivered(&[MailOutcome::Taken, MailOutcome::Later, MailOutcome::TooLarge]);
    assert_eq!(
        answers.lines().map(|line| &line[..9]).collect::<Vec<_>>(),
        ["250 2.0.0", "451 4.3.0", "552 5.3.4"]
    );
}

#[test]
fn the_order_of_commands() {
    for (script, expected) in pairs("before LHLO") {
        assert_eq!(codes(&said(script.as_bytes())), expected, "{script}");
    }
    for (script, expected) in pairs("behind LHLO") {
        assert_eq!(
            codes(&said(format!("{LHLO}{script}").as_bytes())),
            format!("{HELLO} {expected}"),
            "{script}"
        );
    }
}

#[test]
fn too_many_errors_end_it() {
    assert_eq!(codes(&said(b"a\r\nb\r\nc\r\nd\r\nQUIT\r\n")), "500 500 500 421 close");
    // What was sent along with a MAIL that is refused is no error of the client's.
    let refused = format!("{LHLO}MAIL FROM:<> SIZE=999\r\n{}NOOP\r\n", "RCPT TO:<a@b>\r\n".repeat(9));
    assert_eq!(codes(&said(refused.as_bytes())), format!("{HELLO} 552{} 250", " 503".repeat(9)));
}

#[test]
fn only_one_thing_ends_a_mail() {
    for (data, expected) in pairs("data") {
        let script = format!("{LHLO}{MAIL}DATA\r\n{data}QUIT\r\n");
        let actions = said(script.as_bytes());
        assert_eq!(mails(&actions).len(), 1, "{data:?}");
        assert_eq!(mails(&actions)[0].data, expected.as_bytes(), "{data:?}");
        assert!(codes(&actions).ends_with("> 221 close"), "{data:?}");
    }
    // A second mail hidden in the first stays in it.
    for end in DataFile::read("lmtp.txt").entries("no end of a mail") {
        let hidden = format!(
            "{LHLO}{MAIL}DATA\r\nx{end}MAIL FROM:<evil@x.org>\r\nRCPT TO:<play@y.org>\r\nDATA\r\ny\r\n.\r\n"
        );
        let actions = said(hidden.as_bytes());
        assert_eq!(mails(&actions).len(), 1, "{end:?}");
        assert_eq!(mails(&actions)[0].sender, "ann@x.org");
    }
    assert_eq!(
        codes(&said(b"NOOP\nQUIT\nNOOP\r\nNO\rOP\r\nNOOP\r\n")),
        "500 500 250",
        "lines end with CR LF"
    );
}

#[test]
fn a_mail_that_is_too_large_is_read_to_its_end_and_not_kept() {
    let mut session = session();
    session.feed(format!("{LHLO}{MAIL}RCPT TO:<play@z.org>\r\nDATA\r\n").as_bytes());
    for _ in 0..1000 {
        assert_eq!(session.feed(&[b'x'; 100]), []);
        assert!(session.kept() <= SIZE + 100);
    }
    assert!(!session.is_idle());
    assert_eq!(codes(&session.feed(b"\r\n.\r\nNOOP\r\n")), "552 552 250");
    assert!(session.is_idle());
    let fits = format!("{LHLO}{MAIL}DATA\r\n{}\r\n.\r\n", "x".repeat(SIZE - 2));
    assert_eq!(mails(&said(fits.as_bytes())).len(), 1);
    let over = format!("{LHLO}{MAIL}DATA\r\n{}\r\n.\r\n", "x".repeat(SIZE - 1));
    assert_eq!(mails(&said(over.as_bytes())).len(), 0);
}

#[test]
fn a_line_that_is_too_long_is_refused_and_not_kept() {
    let mut session = session();
    for _ in 0..1000 {
        assert_eq!(session.feed(&[b'x'; 1000]), []);
        assert!(session.kept() < 4096);
    }
    assert_eq!(session.feed(b"\r"), []);
    assert_eq!(codes(&session.feed(b"\nNOOP\r\n")), "500 250");
}

#[test]
fn a_server_that_stops_says_so() {
    let mut session = session();
    assert!(session.is_idle());
    session.feed(format!("{LHLO}MAIL FROM:<>\r\n").as_bytes());
    assert!(!session.is_idle());
    assert!(session.shut_down().starts_with("421 4.3.2 "));
    assert_eq!(session.feed(b"RCPT TO:<a@b>\r\n"), []);
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        "LHLO x\r\n",
        "MAIL FROM:<a@b.c>\r\n",
        "MAIL FROM:<> SIZE=10\r\n",
        "RCPT TO:<p@q.r>\r\n",
        "DATA\r\n",
        ".\r\n",
        "\r\n.\r\n",
        "\n.\n",
        "..\r\n",
        "text\r\n",
        "RSET\r\n",
        "QUIT\r\n",
        "NOOP\r\n",
        "\r",
        "\n",
        ".",
        "Subject: x\r\n\r\n",
    ]);
    prop_oneof![
        5 => known.prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..12),
        1 => (0_usize..3000).prop_map(|length| vec![b'x'; length]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_has_the_same_result(
        begun in any::<bool>(),
        pieces in prop::collection::vec(piece(), 0..25),
        cuts in prop::collection::vec(1_usize..40, 1..20),
    ) {
        let mut bytes = if begun { format!("{LHLO}{MAIL}DATA\r\n").into_bytes() } else { Vec::new() };
        bytes.extend(pieces.concat());
        let at_once = said(&bytes);
        let mut session = session();
        let mut in_pieces = Vec::new();
        let mut rest = bytes.as_slice();
        for cut in cuts.iter().cycle() {
            let (piece, after) = rest.split_at(rest.len().min(*cut));
            in_pieces.extend(session.feed(piece));
            prop_assert!(session.kept() <= 4096 + SIZE);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        prop_assert_eq!(&at_once, &in_pieces);
        for mail in mails(&at_once) {
            prop_assert!(!mail.recipients.is_empty() && mail.data.len() <= SIZE);
        }
        let closed = at_once.iter().position(|action| *action == Action::Close);
        prop_assert!(closed.is_none_or(|at| at + 1 == at_once.len()));
    }

    #[test]
    fn what_is_stuffed_arrives_as_it_was(lines in prop::collection::vec("[.a-c\\r\\n]{0,5}", 0..12)) {
        // Bare CRs and LFs inside, but none that make a line end of their own.
        prop_assume!(lines.iter().all(|line| !line.contains("\r\n") && !line.ends_with('\r')));
        let mail: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        prop_assume!(mail.len() <= SIZE);
        let stuffed: String = lines.iter().map(|line| if line.starts_with('.') { format!(".{line}\r\n") } else { format!("{line}\r\n") }).collect();
        let actions = said(format!("{LHLO}{MAIL}DATA\r\n{stuffed}.\r\n").as_bytes());
        prop_assert_eq!(&mails(&actions)[0].data, mail.as_bytes());
    }
}
