//! Tokens do not travel: what a player says to others holds none of ours, encoded once or wrapped.

use crate::support::data::DataFile;
use crate::support::{ANN, BOB, Mail, Stage};
use jiff::{SignedDuration, Timestamp};
use turnpost::credentials::Token;
use turnpost::credentials::token;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;

/// A stage with a board, and ann's token for it as her mail holds it: `b1.CODE`.
fn stage() -> (Stage, String) {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    let token = token_of(mails.iter().find(|mail| mail.to == "ann@example.org").unwrap());
    (stage, token)
}

fn token_of(mail: &Mail) -> String {
    let raw = mail.raw();
    let reply_to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
    reply_to.split_once('+').unwrap().1.split_once('@').unwrap().0.to_owned()
}

/// A token in each of the dresses of a section of `tests/data/token-dresses.txt`.
fn dressed(section: &str, token: &str) -> Vec<String> {
    let (number, code) = token.split_once('.').unwrap();
    let (left, right) = code.split_at(13);
    let names = [("NUMBER", number), ("LEFT", left), ("RIGHT", right), ("CODE", code), ("TOKEN", token)];
    let lines = DataFile::read("token-dresses.txt").entries(section).into_iter();
    lines.map(|line| names.iter().fold(line, |line, (name, value)| line.replace(name, value))).collect()
}

/// A token as mail programs encode and wrap it.
fn dresses(token: &str) -> Vec<String> {
    let each = |dress: &dyn Fn(char) -> String| token.chars().map(dress).collect::<String>();
    let code = token.split_once('.').unwrap().1;
    let mut all = dressed("by mail programs", token);
    all.extend([
        token.to_uppercase(),
        code.to_uppercase(),
        each(&|c| format!("%{:02X}", u32::from(c))),
        each(&|c| format!("={:02X}", u32::from(c))),
        each(&|c| format!("&#{};", u32::from(c))),
        each(&|c| format!("{c}\u{200b}")),
    ]);
    all
}

/// `text` as somebody could read it who undoes every dress: its letters and figures, decoded.
fn undone(text: &str) -> String {
    let mut text = text.replace("=\n", "");
    for code in 0x20..0x7F_u32 {
        let c = char::from_u32(code).unwrap().to_string();
        for dress in
            [format!("%{code:02X}"), format!("={code:02X}"), format!("&#{code};"), format!("&#x{code:x};")]
        {
            text = text.replace(&dress, &c);
        }
    }
    for soft in ["&shy;", "%C2%AD", "=E2=80=8B", "&period;"] {
        text = text.replace(soft, "");
    }
    text.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
}

fn assert_without(mails: &[Mail], token: &str, said: &str) {
    let code = token.split_once('.').unwrap().1;
    let heard: Vec<&Mail> = mails.iter().filter(|mail| mail.to == "bob@example.net").collect();
    assert!(!heard.is_empty(), "bob hears nothing of {said:?}");
    for mail in heard {
        // Bob's own token stands in his mail. It is another one.
        let words = undone(&mail.text);
        assert!(mail.text.contains("***"), "{said:?} as\n{}", mail.text);
        for part in [code, &code[..13], &code[13..]] {
            assert!(!words.contains(part), "{part} of {said:?} in\n{}", mail.text);
        }
    }
}

/// What a copied source, a program that quotes in its own way, or a careless hand makes of a token.
fn copied(token: &str) -> Vec<String> {
    let code = token.split_once('.').unwrap().1;
    let mut all = dressed("by hand", token);
    // Nearly all of a code: the rest is soon tried.
    all.extend([code[..25].to_owned(), code[1..].to_owned()]);
    all
}

const LEFT_OUT: &str = "A text was left out here: it holds part of a code";

#[test]
fn of_a_text_with_part_of_a_token_nothing_is_passed_on() {
    let (mut stage, token) = stage();
    for said in copied(&token) {
        let mails =
            stage.mail("ann@example.org", &format!("message ann {ANN} bob"), &format!("Hi,\n{said}\nbye"));
        let heard = &mails.iter().find(|mail| mail.to == "bob@example.net").unwrap().text;
        assert!(heard.contains(LEFT_OUT) && !heard.contains("Hi"), "{said:?} as\n{heard}");
        stage.wait(1);
    }
}

#[test]
fn a_reply_plays_where_its_words_are_left_out() {
    let (mut stage, token) = stage();
    let (left, right) = token.split_once('.').unwrap().1.split_at(13);
    let letter = format!(
        "From: ann@example.org\nTo: play+{token}@turnpost.example\nSubject: Re: dvonn 1\n\
         Message-ID: <part@example.org>\n\nD1-E1\nHi,\n{left} {right}\n"
    );
    let mails = stage.receive(letter.as_bytes());
    let heard = &mails.iter().find(|mail| mail.to == "bob@example.net").unwrap().text;
    assert!(
        heard.contains("ann played D1-E1") && heard.contains(LEFT_OUT) && !heard.contains("Hi"),
        "{heard}"
    );
}

#[test]
fn no_dress_of_a_token_passes_with_a_chat() {
    let (mut stage, token) = stage();
    for said in dresses(&token) {
        let mails =
            stage.mail("ann@example.org", &format!("dvonn chat 1 ann {ANN}"), &format!("Hi,\n{said}\nbye"));
        assert_without(&mails, &token, &said);
        stage.wait(1);
    }
}

#[test]
fn no_dress_of_a_token_passes_with_a_message_or_beside_a_move() {
    for said in dresses(&stage().1) {
        let (mut stage, token) = stage();
        assert!(said.to_lowercase().contains(&token[3..9]) || said.len() > token.len(), "seeded alike");
        let (_, _, mails) =
            stage.submit(Operator::Nobody, &format!("message ann {ANN} bob\nHi,\n{said}\nbye\nend\n"));
        assert_without(&mails, &token, &said);
        let mails =
            stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), &format!("Hi,\n{said}"));
        assert_without(&mails, &token, &said);
    }
}

#[test]
fn a_token_in_form_is_masked_whosever_it_is() {
    let (mut stage, _) = stage();
    for said in
        dresses("b977.q2w7e4r6tzuiopasdfghjklyxc").into_iter().filter(|said| undone(said).contains("b977"))
    {
        let mails = stage.mail("ann@example.org", &format!("dvonn chat 1 ann {ANN}"), &said);
        let heard = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap();
        assert!(
            heard.text.contains("***") && !undone(&heard.text).contains("q2w7e4"),
            "{said}:\n{}",
            heard.text
        );
    }
}

#[test]
fn a_token_that_was_cut_off_at_the_end_is_not_left_in_half() {
    let (mut stage, token) = stage();
    // Masks shorten the text, so that what stood far behind moves into what is passed on.
    let said = format!("{token}\n").repeat(3000);
    let mails = stage.mail("ann@example.org", &format!("dvonn chat 1 ann {ANN}"), &said);
    let heard = &mails.iter().find(|mail| mail.to == "bob@example.net").unwrap().text;
    assert!(!heard.contains(&token[..6]) && heard.contains("[...]"), "{heard}");
    let passwords = format!("dvonn resign 1 bob {BOB}\n").repeat(3000);
    let mails = stage.mail("ann@example.org", &format!("message ann {ANN} bob"), &passwords);
    assert!(mails.iter().all(|mail| !mail.text.contains(BOB)));
}

#[test]
fn codes_of_forgotten_passwords_and_of_watchers_do_not_pass() {
    let (mut stage, _) = stage();
    let code = |mails: &[Mail], to: &str| -> String {
        let texts = mails.iter().filter(|mail| mail.to == to).map(|mail| mail.text.as_str());
        let mut words = texts.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
        words.find(|word| word.len() == 26).unwrap().to_owned()
    };
    let reset = code(&stage.mail("ann@example.org", "forgot ann", ""), "ann@example.org");
    let of_bob = code(&stage.mail("bob@example.net", "forgot bob", ""), "bob@example.net");
    for code in [reset, of_bob] {
        let (left, right) = code.split_at(13);
        for said in [format!("it is {code}."), code.to_uppercase(), format!("{left}=\n{right}")] {
            let mails =
                stage.mail("ann@example.org", &format!("message ann {ANN} bob"), &format!("Hi,\n{said}\n"));
            assert_without(&mails, &format!("b1.{code}"), &said);
        }
    }
}

/// The link in a mail of the lost time opens nothing, whatever board has its number now.
#[test]
fn a_link_of_the_time_before_a_restore_opens_no_other_game() {
    let (mut stage, _) = stage();
    let page = |stage: &Stage| {
        let ann = stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap().id;
        token::of_page(&stage.store, BoardId(1), ann, None).unwrap().unwrap()
    };
    let copy = stage.folder.path().join("copy.db");
    stage.database().execute("VACUUM INTO ?1", [copy.to_str()]).unwrap();
    let before = page(&stage);
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let lost = page(&stage);
    stage.restore();
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} B1-C1"), "");
    assert!(Token::page(&stage.store, &lost).unwrap().is_none());
    assert!(Token::page(&stage.store, &before).unwrap().is_some_and(|seat| !seat.fresh));
    assert!(Token::page(&stage.store, &page(&stage)).unwrap().is_some_and(|seat| seat.fresh));
}

/// Mails that were sent before the server was changed are still answered: each code below was made by itself, by what its
/// mail asked.
#[test]
fn the_questions_of_mails_that_were_sent_are_read() {
    let stage = Stage::with_a_game();
    stage.change(
        "UPDATE players SET secret = unhex(replace(hex(zeroblob(32)), '00', '07')) WHERE userid = 'ann';
         CREATE TEMP TABLE asked AS SELECT id AS ann, unixepoch('2025-06-01') AS at FROM players WHERE userid = 'ann';
         INSERT INTO addresses (player, address, address_key, added_at) SELECT ann, 'New@example.org', 'new@example.org', 1000 FROM asked;
         INSERT INTO contests VALUES (3, 'ladder', 'dvonn', 'dvonn ladder', 'dvonn ladder', 'running', 1, 1, 0, NULL);
         INSERT INTO contest_events (contest, number, kind, at, player, text) SELECT 3, 1, 'entered', at, ann, '{}' FROM asked;
         INSERT INTO watchers (board, address, address_key, code, asked_at) SELECT 1, 'eva@example.org', 'eva@example.org',
             unhex('9976d549a25115dab4e36d0c1fb8f31cb07da87dd83275977360eb7dc09e88de'), at FROM asked;
         INSERT INTO invitations (id, player, game, options, code, address, made_at) SELECT 5, ann, 'dvonn', '{}',
             unhex('c9ca6164dd79234f6dd18075205c763bb5930efdc0026b46157f8a75ab44fbdc'), 'eva@example.org', at FROM asked;
         INSERT INTO sessions (player, code, begun_at) SELECT ann,
             unhex('5c637d48cd349889246bc9f73fcdaddafeca49ba9df0ec4551b02cf705a493e6'), unixepoch('2025-06-01') FROM asked;
         INSERT INTO resets (player, token, sent_at) SELECT ann,
             unhex('72e7fd18f3ce18987d9c95e4454e466148ab18d000cc23d7ae11afc0815edc21'), at FROM asked;",
    );
    let ann = stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap().id.0;
    let read = |token: &str, at: Timestamp| match Token::read(&stage.store, token, at).unwrap() {
        Some(Token::Question(question)) => format!("{question:?}"),
        other => format!("{other:?}"),
    };
    let sent: Timestamp = "2025-06-01T00:00:00Z".parse().unwrap();
    let month = sent + SignedDuration::from_hours(30 * 24);
    let (w, i, s, p) = ("a".repeat(26), "b".repeat(26), "c".repeat(26), "d".repeat(26));
    for (token, at, asks) in [
        (
            format!("c{ann}.k7ifnclq5vf2d5quvt2vndptbu"),
            month,
            format!("Address(PlayerId({ann}), \"New@example.org\")"),
        ),
        (
            format!("e{ann}.ofj6bfho4hiofobbxwe2gnqwke"),
            month,
            format!("Contest(PlayerId({ann}), ContestId(3))"),
        ),
        (
            format!("e{ann}.dnslylpbuimevr4a4bmd4bnm5e"),
            month,
            format!("Contest(PlayerId({ann}), ContestId(0))"),
        ),
        (format!("u{ann}.5cug5x62tlkekayln4hmd5eon4"), month, format!("WeeklyMail(PlayerId({ann}))")),
        (format!("w1.{w}"), month, "Watch { board: BoardId(1), address: \"eva@example.org\"".to_owned()),
        (format!("i5.{i}"), month, "Invitation(InvitationRow { id: 5".to_owned()),
        (format!("s{ann}.{s}"), sent, format!("SignIn(PlayerId({ann}), \"{s}\")")),
        (format!("s{ann}.{p}"), sent, format!("Password(PlayerId({ann}), \"{p}\")")),
        // Another's number, another kind of question, and a link that is over.
        (format!("c{}.k7ifnclq5vf2d5quvt2vndptbu", ann + 1), month, "None".to_owned()),
        (format!("u{ann}.k7ifnclq5vf2d5quvt2vndptbu"), month, "None".to_owned()),
        (format!("i1.{w}"), month, "None".to_owned()),
        (format!("w2.{w}"), month, "None".to_owned()),
        (format!("s{ann}.{s}"), month, "None".to_owned()),
        (format!("s{ann}.{p}"), month, "None".to_owned()),
        (format!("s{}.{p}", ann + 1), sent, "None".to_owned()),
    ] {
        let found = read(&token, at);
        assert!(found.starts_with(&asks), "{token}: {found}");
    }
}
