//! Pausing one's mails by one tap (RFC 8058), and coming back.

use jiff::civil::{Date, date};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use turnpost::credentials::token::{self, MailKind};
use turnpost::ids::BoardId;
use turnpost::mail::outgoing::Signer;
use turnpost::mail::{Letter, ReplyToken};
use turnpost::pipeline;
use turnpost::store::PlayerId;

use crate::support::pages::URL;
use crate::support::{ANN, BOB, Mail, Stage};

const BOBS: PlayerId = PlayerId(2);

fn stage() -> Stage {
    let mut stage = Stage::with(|config| {
        config.web.listen = "127.0.0.1:0".to_owned();
        config.web.url = URL.to_owned();
    })
    .peopled();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    stage
}

/// Bob presses a button of his page; gives the mails that it caused.
fn bob_asks(stage: &mut Stage, text: &str) -> Vec<Mail> {
    let token = token::give(&stage.store, BoardId(1), BOBS, (MailKind::Board, None)).unwrap().unwrap();
    let letter = Letter::by_page(ReplyToken(token), text.to_owned(), "");
    let mut rng = ChaCha12Rng::seed_from_u64(2);
    pipeline::handle(&mut stage.store, &stage.app, &letter, stage.now, &mut rng).unwrap();
    stage.post()
}

fn to(mails: &[Mail]) -> Vec<&str> {
    mails.iter().map(|mail| mail.to.as_str()).collect()
}

fn days(stage: &Stage) -> Vec<(Date, Date)> {
    let vacations = stage.store.vacations(BOBS).unwrap();
    vacations.iter().map(|vacation| (vacation.first, vacation.last)).collect()
}

#[test]
fn a_mail_of_a_turn_can_be_answered_by_one_tap() {
    let mut stage = stage();
    let key = include_str!("../data/dkim/key.pem");
    stage.app.signer = Some(Signer::new("club", "turnpost.example", key).unwrap());
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let bobs = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap().raw();
    let page = token::of_page(&stage.store, BoardId(1), BOBS, Some(2)).unwrap().unwrap();
    assert!(bobs.contains(&format!("\nList-Unsubscribe: <{URL}/play/{page}/pause>\n")), "{bobs}");
    assert!(bobs.contains("\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n"), "{bobs}");
    let signed = bobs.split_once(" bh=").unwrap().0;
    assert!(signed.contains(" list-unsubscribe:\n list-unsubscribe-post:\n"), "{signed}");
    // When the game is over there is nothing to pause, and without pages nowhere to do it.
    let over = stage.mail("bob@example.net", &format!("dvonn resign 1 bob {BOB}"), "");
    assert!(over.iter().all(|mail| !mail.raw().contains("List-Unsubscribe")));
    let mut stage = Stage::with_a_game();
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    assert!(mails.iter().all(|mail| !mail.raw().contains("List-Unsubscribe")));
}

#[test]
fn for_two_weeks_no_mail_comes_and_no_clock_runs() {
    let mut stage = stage();
    let begins = stage.now;
    let told = bob_asks(&mut stage, "pause 1");
    assert_eq!(to(&told), ["ann@example.org"]);
    assert!(
        told[0].text.contains("bob goes on vacation") || told[0].subject.contains("vacation"),
        "{told:?}"
    );
    let first = begins.to_zoned(jiff::tz::TimeZone::UTC).date();
    let last = first + jiff::Span::new().days(13);
    assert_eq!(days(&stage), [(first, last)]);
    // The same tap once more changes nothing.
    assert_eq!(bob_asks(&mut stage, "pause 2"), []);
    assert_eq!(days(&stage), [(first, last)]);
    let moved = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    assert_eq!(to(&moved), ["ann@example.org"]);
    let until = begins + jiff::SignedDuration::from_hours(14 * 24);
    stage.now = until - jiff::SignedDuration::from_mins(1);
    assert_eq!(stage.post(), []);
    stage.now = until;
    let came = stage.post();
    assert_eq!(to(&came), ["bob@example.net"]);
    assert!(came[0].text.contains("D1-E1"), "{}", came[0].text);
    assert_eq!(stage.wrong(), Vec::<String>::new());
    assert!(stage.store.board(BoardId(1)).unwrap().unwrap().to_move.is_some());
}

#[test]
fn who_writes_to_us_has_come_back() {
    for (back, vacation_runs) in [("", true), ("back 3", false)] {
        let mut stage = stage();
        bob_asks(&mut stage, "pause 1");
        stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
        stage.wait(24);
        let came = match back {
            "" => stage.mail("bob@example.net", &format!("dvonn move 1 bob {BOB} K3-J2"), ""),
            back => bob_asks(&mut stage, back),
        };
        let bobs: Vec<&Mail> = came.iter().filter(|mail| mail.to == "bob@example.net").collect();
        assert!(bobs[0].text.contains("D1-E1"), "{bobs:?}");
        assert_eq!(stage.store.addresses(BOBS).unwrap().paused_until, None);
        let now = stage.now;
        let runs = stage.store.vacations(BOBS).unwrap().iter().any(|vacation| vacation.ends_at > now);
        assert_eq!(runs, vacation_runs);
        // What strangers write in his name changes nothing.
        bob_asks(&mut stage, "pause 4");
        stage.mail("eve@example.com", "dvonn move 1 bob wrong-9 K3-J2", "");
        assert!(stage.store.addresses(BOBS).unwrap().paused_until.is_some());
    }
}

#[test]
fn clocks_stand_still_as_far_as_the_days_of_the_year_reach() {
    let mut stage = stage();
    let today = stage.now.to_zoned(jiff::tz::TimeZone::UTC).date();
    let year = today.year();
    let planned = (today + jiff::Span::new().days(2), today + jiff::Span::new().days(3));
    let later = (date(year, 12, 1), date(year, 12, 23));
    for (first, last) in [planned, later] {
        stage.mail("bob@example.net", &format!("vacation bob {BOB} {first} {last}"), "");
    }
    // Twenty-five days are taken: two are left before the vacation that was planned, and three behind it.
    bob_asks(&mut stage, "pause 1");
    let mut expected = vec![
        (today, today + jiff::Span::new().days(1)),
        planned,
        (today + jiff::Span::new().days(4), today + jiff::Span::new().days(6)),
        later,
    ];
    expected.sort_unstable();
    assert_eq!(days(&stage), expected);
}
