//! What the token of a reply proves, how it comes back, and what it does not prove.

use crate::scenes::phone_reply;
use crate::support::{ANN, Mail, Stage};

/// A reply as phones write it: two letters, and all of the mail quoted below.
fn reply(to: &Mail, from: &str, text: &str, number: u32) -> Vec<u8> {
    let reply_to =
        to.raw().lines().find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned)).unwrap();
    let quoted: String = to.text.lines().map(|line| format!("> {line}\r\n")).collect();
    format!(
        "From: {from}\r\nTo: {reply_to}\r\nDelivered-To: {reply_to}\r\nSubject: Re: {}\r\n\
         Message-ID: <reply.{number}@phone.example>\r\n\r\n{text}\r\n\r\nSent from my phone\r\n\r\n\
         On Mon, Nov 16, 2026 Turnpost <play@turnpost.example> wrote:\r\n\r\n{quoted}",
        to.subject
    )
    .into_bytes()
}

fn to<'m>(mails: &'m [Mail], address: &str) -> &'m Mail {
    mails.iter().rev().find(|mail| mail.to == address).unwrap()
}

fn plies(stage: &Stage) -> u32 {
    stage.store.board(turnpost::ids::BoardId(1)).unwrap().unwrap().plies.0
}

/// A stage with board 1 (`-symmetry -seed=7`), and the mails its players got about it.
fn begun() -> (Stage, Vec<Mail>) {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    (stage, mails)
}

#[test]
fn the_same_reply_twice_plays_once() {
    let (mut stage, mails) = begun();
    let letter = reply(to(&mails, "ann@example.org"), "ann@example.org", "D1-E1", 1);
    assert_eq!(stage.receive(&letter).len(), 2);
    assert_eq!(stage.receive(&letter).len(), 0, "delivered twice");
    assert_eq!(plies(&stage), 1);
}

#[test]
fn a_token_is_good_for_its_seat_and_board_alone() {
    let (mut stage, mails) = begun();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    // Bob's token moves nothing of ann's.
    let mails_of_bob = stage.receive(&reply(to(&mails, "bob@example.net"), "ann@example.org", "D1-E1", 1));
    assert_eq!(plies(&stage), 0);
    assert_eq!(mails_of_bob.len(), 1);
    assert!(mails_of_bob[0].to == "bob@example.net" && mails_of_bob[0].text.contains("ann's turn"));
    // Ann's token for board 1, with another board's number or one letter changed, is none; and it proves nothing for
    // a whole command.
    let letter =
        String::from_utf8(reply(to(&mails, "ann@example.org"), "eve@example.com", "D1-E1", 2)).unwrap();
    let token = letter.split_once("+b1.").unwrap().1.split_once('@').unwrap().0.to_owned();
    let changed = format!("{}{}", if token.starts_with('a') { 'b' } else { 'a' }, &token[1..]);
    for forged in [letter.replace("+b1.", "+b2."), letter.replace(&token, &changed)] {
        stage.receive(forged.as_bytes());
    }
    let command = letter.replace("D1-E1", "dvonn resign 2 ann -").replace("<reply.2@", "<reply.3@");
    stage.receive(command.as_bytes());
    for board in [1, 2] {
        let row = stage.store.board(turnpost::ids::BoardId(board)).unwrap().unwrap();
        assert_eq!((row.plies.0, row.result), (0, None), "board {board}");
    }
}

/// A server whose mail server drops what stands behind `+`, and its board 1.
fn without_extensions() -> (Stage, Vec<Mail>) {
    let mut stage = Stage::with(|config| config.extensions = false).peopled();
    let mails = stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    (stage, mails)
}

/// The token of a mail: its line, as `b1.TOKEN`.
fn token_of(mail: &Mail) -> String {
    let line = mail.text.lines().find(|line| line.starts_with("[reply ")).unwrap();
    line.trim_start_matches("[reply ").trim_end_matches(']').to_owned()
}

/// A reply to the bare address.
fn bare(fields: &str, text: &str, number: u32) -> Vec<u8> {
    format!(
        "From: ann@work.example\r\nTo: play@turnpost.example\r\nSubject: Re: dvonn 1, ann v bob\r\n{fields}\
         Message-ID: <bare.{number}@phone.example>\r\n\r\n{text}\r\n"
    )
    .into_bytes()
}

#[test]
fn without_extensions_the_thread_or_the_quoted_text_brings_the_token_back() {
    for way in ["references", "in-reply-to", "quoted", "outlook"] {
        let (mut stage, mails) = without_extensions();
        let mail = to(&mails, "ann@example.org");
        let token = token_of(mail);
        assert!(!mail.raw().contains("\nReply-To: "), "{}", mail.raw());
        assert!(mail.references.contains(&format!("<{token}@turnpost.example>")), "{:?}", mail.references);
        assert!(mail.text.replace('\n', " ").contains("brackets, in what you quote"), "{}", mail.text);
        let quoted: String = mail.text.lines().map(|line| format!("> {line}\r\n")).collect();
        let letter = match way {
            // RFC 5322 3.6.4: the References of the mail that is answered, and its Message-ID.
            "references" => {
                let thread = format!("References: {}\r\n {}\r\n", mail.references.join(" "), mail.id);
                bare(&thread, "D1-E1", 1)
            }
            "in-reply-to" => bare(&format!("In-Reply-To: <{token}@Turnpost.example>\r\n"), "D1-E1", 1),
            "quoted" => bare("", &format!("D1-E1\r\n\r\nOn Monday, Turnpost wrote:\r\n{quoted}"), 1),
            _ => {
                let copy = mail.text.replace('\n', "\r\n");
                bare(
                    "",
                    &format!("D1-E1\r\n\r\n-----Original Message-----\r\nFrom: Turnpost\r\n\r\n{copy}"),
                    1,
                )
            }
        };
        let mails = stage.receive(&letter);
        assert_eq!(plies(&stage), 1, "{way}");
        assert!(
            to(&mails, "ann@example.org")
                .text
                .starts_with("ann, it is bob's move (ply 2): you played D1-E1.")
        );
        // The token is dead now, by every way.
        let mails = stage.receive(&bare(&format!("References: <{token}@turnpost.example>\r\n"), "A3-B3", 2));
        assert!(
            mails.len() == 1 && mails[0].text.starts_with("The mail you answered is out of date"),
            "{way}"
        );
        let mails = stage.receive(&bare("", &format!("A3-B3\r\n> [reply {token}]"), 3));
        assert!(
            mails.len() == 1 && mails[0].text.starts_with("The mail you answered is out of date"),
            "{way}"
        );
        assert_eq!(plies(&stage), 1);
    }
}

#[test]
fn another_hosts_thread_and_a_changed_line_prove_nothing() {
    let (mut stage, mails) = without_extensions();
    let token = token_of(to(&mails, "ann@example.org"));
    let other = token.replace("b1.", "b2.");
    for (number, letter) in [
        bare(&format!("References: <{token}@evil.example>\r\n"), "D1-E1", 1),
        bare("", &format!("D1-E1\r\n> [reply {other}]"), 2),
        bare("", &format!("D1-E1\r\n> [reply {}]", &token[..token.len() - 1]), 3),
        bare("", &format!("D1-E1\r\n> {token}"), 4),
    ]
    .iter()
    .enumerate()
    {
        stage.receive(letter);
        assert_eq!(plies(&stage), 0, "{number}");
    }
}

#[test]
fn a_token_reaches_no_other_player() {
    let (mut stage, mails) = without_extensions();
    let (anns, bobs) = (token_of(to(&mails, "ann@example.org")), token_of(to(&mails, "bob@example.net")));
    let words = format!("See what I got:\n[reply {anns}]\nand play+{anns}@turnpost.example and {bobs}");
    let mails = stage.mail("ann@example.org", &format!("dvonn chat 1 ann {ANN}"), &words);
    let heard = to(&mails, "bob@example.net");
    assert!(
        heard.text.contains("| See what I got:\n| [reply ***]\n| and play+***@turnpost.example and ***"),
        "{}",
        heard.text
    );
    assert!(!heard.raw().contains(&anns));
    // Beside a move too, and in a reply that carries the token itself.
    let reply = format!("D1-E1\r\n\r\nLook: {anns}\r\n\r\n> [reply {anns}]");
    let mails = stage.receive(&bare("", &reply, 9));
    let heard = to(&mails, "bob@example.net");
    assert!(heard.text.contains("| Look: ***") && !heard.raw().contains(&anns), "{}", heard.text);
}

#[test]
fn a_minus_does_for_a_plus_and_the_token_is_the_proof_wherever_it_comes_from() {
    let (mut stage, mails) = begun();
    let letter =
        String::from_utf8(reply(to(&mails, "ann@example.org"), "ann@work.example", "D1-E1", 1)).unwrap();
    let mails = stage.receive(letter.replace("play+b1.", "Play-b1.").as_bytes());
    assert_eq!(plies(&stage), 1);
    // The answer goes where it always goes.
    assert!(
        to(&mails, "ann@example.org").text.starts_with("ann, it is bob's move (ply 2): you played D1-E1.")
    );
}

/// A message of ann's to bob, as he gets it.
fn message(stage: &mut Stage) -> Mail {
    to(&stage.mail("ann@example.org", &format!("message ann {ANN} bob"), "Hello"), "bob@example.net").clone()
}

fn hears(mails: &[Mail], address: &str) -> usize {
    mails.iter().filter(|mail| mail.to == address).count()
}

#[test]
fn the_messages_of_a_day_and_automatic_mail_hold_for_replies() {
    let mut stage = Stage::with_players();
    let mail = message(&mut stage);
    for (n, field) in
        ["Auto-Submitted: auto-replied", "Precedence: bulk", "X-Autoreply: yes"].iter().enumerate()
    {
        let reply = String::from_utf8(phone_reply(&mail, "I am away.", n)).unwrap();
        let marked = reply.replacen("\r\n\r\n", &format!("\r\n{field}\r\n\r\n"), 1);
        assert_eq!(stage.receive(marked.as_bytes()).len(), 0, "{field}");
    }
    let went: usize = (10..70)
        .map(|n| hears(&stage.receive(&phone_reply(&mail, &format!("Number {n}"), n)), "ann@example.org"))
        .sum();
    let most = turnpost::credentials::Limits::default().messages_a_day as usize;
    assert!(went <= most && went > most / 2, "{went} of {most}");
}

#[test]
fn a_message_can_be_answered_for_thirty_days_and_by_its_reader_alone() {
    let mut stage = Stage::with_players();
    stage.sign_up("cleo@example.com", "cleo", "gannet-33");
    let mail = message(&mut stage);
    let raw = mail.raw();
    assert!(raw.contains("\nReply-To: play+m1."), "{raw}");
    // Its token plays nothing and proves nothing else.
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 bob ann", "");
    let lines = ["dvonn move 1 bob - D1-E1", "dvonn move 1 D1-E1", "dvonn resign 1", "set bob - digest on"];
    for (n, line) in lines.into_iter().enumerate() {
        let mails = stage.receive(&phone_reply(&mail, line, n));
        assert!(mails.iter().all(|mail| mail.to == "bob@example.net"), "{line} {mails:?}");
        let row = stage.store.board(turnpost::ids::BoardId(1)).unwrap().unwrap();
        assert_eq!((row.plies.0, row.result), (0, None), "{line}");
    }
    // A code that somebody made up is nobody's.
    let forged = Mail { bytes: raw.replace("+m1.", "+m1.a").into_bytes(), ..mail.clone() };
    assert_eq!(hears(&stage.receive(&phone_reply(&forged, "Hello", 10)), "ann@example.org"), 0);
    stage.wait(29 * 24);
    assert_eq!(hears(&stage.receive(&phone_reply(&mail, "Late, I know", 11)), "ann@example.org"), 1);
    stage.wait(2 * 24);
    assert_eq!(hears(&stage.receive(&phone_reply(&mail, "Too late", 12)), "ann@example.org"), 0);
    // The number is given again, and the old mail is still too old.
    stage.mail("cleo@example.com", "message cleo gannet-33 bob", "Hello");
    let mails = stage.receive(&phone_reply(&mail, "Much too late", 13));
    assert!(mails.iter().all(|mail| mail.to == "bob@example.net"), "{mails:?}");
}

#[test]
fn no_token_of_a_message_is_passed_on() {
    let mut stage = Stage::with_players();
    let mail = message(&mut stage);
    let raw = mail.raw();
    let reply_to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
    let code = reply_to.split_once('.').unwrap().1.split_once('@').unwrap().0;
    let texts = [format!("I wrote to {reply_to}"), format!("the code was {code}"), format!("m1.\n{code}")];
    for (n, text) in texts.iter().enumerate() {
        let mails = stage.receive(&phone_reply(&mail, text, n));
        let back = to(&mails, "ann@example.org");
        assert!(!back.raw().contains(code) && back.text.contains("***"), "{}", back.text);
    }
}
