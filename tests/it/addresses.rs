//! An address becomes its player's by a reply from there, and until then gets one mail a day.

use crate::support::{ANN, BOB, Mail, Stage};
use turnpost::mail::incoming::Envelope;

fn recipients(mails: &[Mail]) -> Vec<&str> {
    mails.iter().map(|mail| mail.to.as_str()).collect()
}

fn reply_to(mail: &Mail) -> String {
    mail.raw().lines().find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned)).unwrap()
}

/// A reply from `from` to the address with the token, with these words.
fn reply(to: &str, from: &str, words: &str, number: u32) -> Vec<u8> {
    format!(
        "Return-Path: <{from}>\r\nFrom: {from}\r\nTo: {to}\r\nSubject: Re: welcome\r\nMessage-ID: <r.{number}@{from}>\r\n\r\n{words}\r\n"
    )
    .into_bytes()
}

fn is_confirmed(stage: &Stage, userid: &str, address: &str) -> bool {
    let player = stage.store.player(&userid.parse().unwrap()).unwrap().unwrap();
    stage.store.addresses(player.id).unwrap().row(address).is_some_and(|row| row.confirmed_at.is_some())
}

#[test]
fn nothing_goes_to_an_address_before_somebody_there_says_yes() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("eve@example.com", "signup eve ruff-2026 carl@example.net", "");
    assert_eq!(recipients(&mails), ["eve@example.com"], "another address is asked after the sender's");
    let welcome = mails[0].clone();
    assert!(welcome.text.starts_with("Welcome, eve. Somebody, most likely you,"), "{}", welcome.text);
    // Whatever eve does next without a yes, nothing goes to carl.
    for subject in ["set eve ruff-2026 digest on", "help", "who"] {
        let from_eve = stage.mail("eve@example.com", subject, "");
        assert!(!recipients(&from_eve).contains(&"carl@example.net"), "{subject}");
    }
    let refused = stage.mail("bob@example.net", "dvonn challenge bob eve", "");
    assert!(
        refused[0].text.contains("No mail reaches eve yet, who has confirmed no address."),
        "{}",
        refused[0].text
    );
    // Her yes has carl asked, once.
    let answer = stage.receive(&reply(&reply_to(&welcome), "eve@example.com", "Yes.", 1));
    let mut asked = recipients(&answer);
    asked.sort_unstable();
    assert_eq!(asked, ["carl@example.net", "eve@example.com"]);
    let question = answer.iter().find(|mail| mail.to == "carl@example.net").unwrap().clone();
    assert!(question.raw().contains("\nAuto-Submitted: auto-generated\n"), "carl did not write");
    assert!(
        recipients(&stage.mail("eve@example.com", "add eve ruff-2026 carl@example.net", ""))
            .iter()
            .all(|to| *to == "eve@example.com")
    );
    // Carl writes of his own: he is asked again, once a day.
    stage.wait(25);
    assert_eq!(recipients(&stage.mail("carl@example.net", "help", "")), ["carl@example.net"]);
    assert_eq!(recipients(&stage.mail("carl@example.net", "help", "")), [""; 0]);
    let answer = stage.receive(&reply(&reply_to(&question), "carl@example.net", "yes", 1));
    assert!(answer[0].text.starts_with("Welcome, eve. Your mail goes to carl@example.net from now on."));
    let mut told = stage.mail("bob@example.net", "dvonn challenge bob eve", "");
    told.sort_by(|one, other| one.to.cmp(&other.to));
    assert_eq!(recipients(&told), ["bob@example.net", "carl@example.net", "eve@example.com"]);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn what_confirms_and_what_does_not() {
    for (words, confirms, words_back) in [
        ("yes", true, "from now on"),
        ("\"Yes.\"", true, "from now on"),
        ("Yes ann", true, "from now on"),
        ("Yes zoe", false, "reply with `yes`"),
        ("OK.", false, "reply with `yes`"),
        ("", false, "reply with `yes`"),
        ("> only quoted", false, "reply with `yes`"),
        ("help tutorial", false, "not confirmed yet"),
        ("no", false, "reply with `yes`"),
        ("Who are you? Leave me alone!", false, "reply with `yes`"),
        ("stop", false, "reply with `yes`"),
    ] {
        let mut stage = Stage::new();
        let mails = stage.mail("ann@example.org", &format!("signup ann {ANN}"), "");
        let answer = stage.receive(&reply(&reply_to(&mails[0]), "ann@example.org", words, 1));
        assert_eq!(is_confirmed(&stage, "ann", "ann@example.org"), confirms, "{words}");
        assert_eq!(recipients(&answer), ["ann@example.org"], "{words}");
        assert!(answer[0].text.contains(words_back), "{words}: {}", answer[0].text);
    }
}

#[test]
fn a_token_confirms_its_own_address_alone_and_proves_nothing_else() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", &format!("add ann {ANN} one@example.org two@example.org"), "");
    let to: Vec<String> = mails.iter().filter(|mail| mail.to != "ann@example.org").map(reply_to).collect();
    assert_eq!(to.len(), 2);
    stage.receive(&reply(&to[0], "two@example.org", "yes", 1));
    assert!(
        is_confirmed(&stage, "ann", "one@example.org") && !is_confirmed(&stage, "ann", "two@example.org")
    );
    // Another account's number, one letter changed: neither.
    let token = to[1].split_once("+c1.").unwrap().1.split_once('@').unwrap().0;
    let changed = format!("{}{}", if token.starts_with('a') { 'b' } else { 'a' }, &token[1..]);
    for forged in [to[1].replace("+c1.", "+c2."), to[1].replace(token, &changed)] {
        stage.receive(&reply(&forged, "two@example.org", "yes", 2));
        assert!(!is_confirmed(&stage, "ann", "two@example.org"), "{forged}");
    }
    let mails = stage.receive(&reply(&to[1], "eve@example.com", "signoff ann -", 4));
    assert!(mails.iter().all(|mail| mail.text.contains("works in a mail that proves")), "{mails:?}");
    assert_eq!(
        stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap().state,
        turnpost::store::AccountState::Active
    );
}

#[test]
fn an_absence_note_confirms_nothing() {
    let mut stage = Stage::new();
    let mails = stage.mail("ann@example.org", &format!("signup ann {ANN}"), "");
    let mut note = b"Auto-Submitted: auto-replied\r\n".to_vec();
    note.extend(reply(&reply_to(&mails[0]), "ann@example.org", "yes", 1));
    assert_eq!(stage.receive(&note), []);
    assert!(!is_confirmed(&stage, "ann", "ann@example.org"));
}

#[test]
fn the_old_address_stays_until_the_new_one_is_confirmed() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", &format!("change address ann {ANN} typo@example.org"), "");
    assert_eq!(recipients(&mails), ["ann@example.org", "typo@example.org"]);
    assert!(is_confirmed(&stage, "ann", "ann@example.org"));
    let mails = stage.mail("ann@example.org", &format!("change address ann {ANN} new@example.org"), "");
    assert_eq!(recipients(&mails), ["ann@example.org", "new@example.org"]);
    let answers = stage.confirm(&mails);
    let mut to = recipients(&answers);
    to.sort_unstable();
    assert_eq!(to, ["ann@example.org", "new@example.org"]);
    let player = stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap();
    let left: Vec<String> =
        stage.store.addresses(player.id).unwrap().rows.into_iter().map(|row| row.address).collect();
    assert_eq!(left, ["new@example.org"]);
    let goodbye = answers.iter().find(|mail| mail.to == "ann@example.org").unwrap();
    assert!(goodbye.text.contains("your mail no longer comes to this address"), "{}", goodbye.text);
}

#[test]
fn what_the_mail_server_proves_needs_no_asking() {
    let mut stage = Stage::with(|config| config.authserv_id = "mx.turnpost.example".to_owned());
    let proven = |from: &str, subject: &str, number: u32| {
        let domain = from.split_once('@').unwrap().1;
        format!(
            "Return-Path: <{from}>\r\nAuthentication-Results: mx.turnpost.example; dmarc=pass header.from={domain}\r\n\
             From: {from}\r\nSubject: {subject}\r\nMessage-ID: <p.{number}@{domain}>\r\n\r\n"
        )
        .into_bytes()
    };
    let mails = stage.receive(&proven("ann@example.org", &format!("signup ann {ANN}"), 1));
    assert_eq!(recipients(&mails), ["ann@example.org"]);
    assert!(mails[0].text.starts_with("Welcome, ann. Your mail goes to ann@example.org."));
    // Named by somebody else's proven letter it is asked; a letter of its own, proven, confirms it.
    let mails = stage.receive(&proven("ann@example.org", &format!("add ann {ANN} ann@work.example"), 2));
    assert!(
        recipients(&mails).contains(&"ann@work.example") && !is_confirmed(&stage, "ann", "ann@work.example")
    );
    stage.receive(&proven("ann@work.example", "set ann - html off", 3));
    assert!(is_confirmed(&stage, "ann", "ann@work.example"));
}

/// Tries are counted for the userid and for the sender, before anything is hashed.
#[test]
fn guessing_ends_and_tokens_go_on() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    let anns = mails.iter().find(|mail| mail.to == "ann@example.org").unwrap().clone();
    let looked_at = |mails: &[Mail], stage: &Stage| {
        assert!(mails.len() <= 1);
        stage.store.letters(1).unwrap()[0].tally.refused == 1
    };
    for n in 0..10 {
        let mails = stage.mail("eve@example.com", &format!("dvonn move 1 ann guess-{n} D1-E1"), "");
        assert!(looked_at(&mails, &stage));
    }
    // The eleventh of that sender is not looked at, though it is right; and a mail of another sender is.
    stage.mail("eve@example.com", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let board = |stage: &Stage| stage.store.board(turnpost::ids::BoardId(1)).unwrap().unwrap().plies.0;
    assert_eq!(board(&stage), 0);
    for n in 0..10 {
        let from = format!("eve{n}@example.com");
        stage.mail(&from, &format!("dvonn move 1 ann guess-{n} D1-E1"), "");
    }
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    assert!(
        mails[0]
            .text
            .starts_with("Too many wrong passwords came, so we look at none before 2026-11-16 10:00 UTC."),
        "{}",
        mails[0].text
    );
    assert_eq!(board(&stage), 0);
    // Bob is not ann, her token is no password, and an hour is an hour.
    stage.mail("bob@example.net", &format!("set bob {BOB} html off"), "");
    assert_eq!(stage.store.letters(1).unwrap()[0].tally.done, 1);
    stage.receive(&reply(&reply_to(&anns), "ann@example.org", "D1-E1", 1));
    assert_eq!(board(&stage), 1);
    stage.wait(1);
    stage.mail("ann@example.org", &format!("set ann {ANN} html off"), "");
    assert_eq!(stage.store.letters(1).unwrap()[0].tally.done, 1);
    assert!(!stage.text().contains("guess-"), "a wrong password is kept");
}

#[test]
fn a_letter_full_of_guesses_has_five_tries() {
    let mut stage = Stage::with_players();
    let lines: String = (0..30).map(|n| format!("set ann guess-{n} html off\n")).collect();
    stage.mail("eve@example.com", "multiple", &format!("{lines}set ann {ANN} html off\n"));
    let letter = &stage.store.letters(1).unwrap()[0];
    assert_eq!((letter.tally.done, letter.tally.refused), (0, 31));
    let ann = stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap();
    let hits = stage.store.limit_hits_of(ann.id).unwrap();
    assert_eq!(
        hits.iter().map(|hits| (hits.what.as_str(), hits.hits)).collect::<Vec<_>>(),
        [("passwords a letter", 26)]
    );
    // What is no userid may be a password in the wrong place.
    stage.mail("carl@example.com", "set sanderling-5 ann html off", "");
    assert!(!stage.text().contains("sanderling-5"));
}

#[test]
fn answers_end_after_twenty_and_the_mails_of_a_ply_do_not() {
    let mut stage = Stage::with_a_game();
    stage.wait(1);
    let ask = |stage: &mut Stage| stage.mail("ann@example.org", "who", "");
    for n in 0..20 {
        let mails = ask(&mut stage);
        assert!(mails.len() == 1 && mails[0].text.contains("Players"), "{n}");
    }
    let last = ask(&mut stage);
    assert!(
        last[0].text.starts_with("This address has had many answers within an hour."),
        "{}",
        last[0].text
    );
    assert!(last[0].text.contains("begin again at 2026-11-16 11:00 UTC."), "{}", last[0].text);
    assert_eq!(ask(&mut stage), []);
    // A password proves who asks.
    assert_eq!(stage.mail("ann@example.org", &format!("resend ann {ANN}"), "").len(), 1);
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    assert_eq!(recipients(&mails), ["ann@example.org", "bob@example.net"]);
    // Bob has his own count, and the next hour is another.
    assert_eq!(stage.mail("bob@example.net", "who", "").len(), 1);
    stage.wait(1);
    assert_eq!(ask(&mut stage).len(), 1);
}

#[test]
fn a_refused_letter_of_a_waiting_address_is_not_a_strangers() {
    let mut stage = Stage::new();
    stage.mail("ann@example.org", &format!("signup ann {ANN}"), "");
    let help = b"From: ann@example.org\r\nSubject: help\r\nMessage-ID: <9@example.org>\r\n\r\n";
    assert_eq!(stage.receive_from(&Envelope::default(), help), [], "asked today already");
}
