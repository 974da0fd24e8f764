//! A plain reply plays.

use crate::support::{ANN, BOB, Mail, Stage};

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
fn a_reply_with_a_move_plays_and_no_password_is_typed() {
    let (mut stage, mails) = begun();
    // From another address than the registered one: the token is the proof, and the answer goes where it always goes.
    let mails = stage.receive(&reply(to(&mails, "ann@example.org"), "ann@work.example", "d1-e1", 1));
    assert_eq!(plies(&stage), 1);
    assert!(
        to(&mails, "ann@example.org").text.starts_with("ann, it is bob's move (ply 2): you played D1-E1.")
    );
    let notice = to(&mails, "bob@example.net").clone();
    assert!(notice.text.starts_with("bob, your move (ply 2): ann played D1-E1."));
    let mails = stage.receive(&reply(&notice, "bob@example.net", "K3\u{2013}J2#2", 2));
    assert_eq!(plies(&stage), 2);
    assert!(
        to(&mails, "bob@example.net").text.starts_with("bob, it is ann's move (ply 3): you played K3-J2.")
    );
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn the_same_reply_twice_plays_once_and_an_old_mail_answers_with_the_board_as_it_is() {
    let (mut stage, mails) = begun();
    let first = to(&mails, "ann@example.org").clone();
    let letter = reply(&first, "ann@example.org", "D1-E1", 1);
    assert_eq!(stage.receive(&letter).len(), 2);
    assert_eq!(stage.receive(&letter).len(), 0, "delivered twice");
    let mails = stage.receive(&reply(&first, "ann@example.org", "A3-B3", 2));
    assert_eq!((plies(&stage), mails.len()), (1, 1));
    let text = &mails[0].text;
    assert!(text.starts_with("The mail you answered is out of date: board 1 has changed since."), "{text}");
    assert!(text.contains("__/W2\\__") && text.contains("1  D1-E1"), "{text}");
}

#[test]
fn a_take_back_does_not_revive_a_token() {
    let (mut stage, mails) = begun();
    let first = to(&mails, "ann@example.org").clone();
    stage.receive(&reply(&first, "ann@example.org", "D1-E1", 1));
    stage.mail("ann@example.org", &format!("dvonn undo 1 ann {ANN}"), "");
    let mails = stage.mail("bob@example.net", &format!("dvonn accept 1 bob {BOB}"), "");
    assert_eq!(plies(&stage), 0);
    stage.receive(&reply(&first, "ann@example.org", "D1-E1", 2));
    assert_eq!(plies(&stage), 0);
    stage.receive(&reply(to(&mails, "ann@example.org"), "ann@example.org", "D1-E1", 3));
    assert_eq!(plies(&stage), 1);
}

#[test]
fn words_play_too_and_a_proposal_kills_no_token() {
    let (mut stage, mails) = begun();
    let first = to(&mails, "ann@example.org").clone();
    let mails = stage.receive(&reply(to(&mails, "bob@example.net"), "bob@example.net", "Propose.", 1));
    let proposal = to(&mails, "ann@example.org").clone();
    assert!(proposal.text.contains("bob proposes a draw."));
    // A word of agreement is good for what its mail asks, a move for the position it shows.
    let mails = stage.receive(&reply(&first, "ann@example.org", "accept", 5));
    assert!(mails[0].text.contains("out of date"), "there was nothing to accept");
    let mails = stage.receive(&reply(&proposal, "ann@example.org", "reject", 2));
    assert!(to(&mails, "bob@example.net").text.contains("ann did not agree"));
    stage.receive(&reply(&first, "ann@example.org", "D1-E1", 3));
    assert_eq!(plies(&stage), 1);
    let mails = stage.receive(&reply(to(&mails, "bob@example.net"), "bob@example.net", "K3-J2", 4));
    assert!(mails[0].text.contains("out of date"), "given before ann's move");
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
fn a_minus_does_for_a_plus() {
    let (mut stage, mails) = begun();
    let letter =
        String::from_utf8(reply(to(&mails, "ann@example.org"), "ann@work.example", "D1-E1", 1)).unwrap();
    stage.receive(letter.replace("play+b1.", "Play-b1.").as_bytes());
    assert_eq!(plies(&stage), 1);
}
