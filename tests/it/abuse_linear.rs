//! Doubling a hostile mail at most doubles the work.
//!
//! Counted is what is looked at, not time. `benches/hostile.rs` times the same mails.

use crate::support::{ADDRESS, ANN, Stage};
use turnpost::mail::Operator;
use turnpost::mail::incoming::{Envelope, EnvelopeSender, Incoming, read};
use turnpost::work;

#[path = "../../benches/stock/hostile.rs"]
mod hostile;

use hostile::SHAPES;

/// Bytes of the smaller mail.
const SIZE: usize = 100_000;

/// How often a mail's bytes may be looked at, whatever is in it.
const PASSES: u64 = 100;

/// Work that a letter makes whatever its size.
const ALWAYS: u64 = 500_000;

fn envelope() -> Envelope {
    Envelope {
        sender: Some(EnvelopeSender::Address("ann@example.org".to_owned())),
        recipient: Some(ADDRESS.to_owned()),
    }
}

#[test]
fn twice_the_mail_is_at_most_twice_the_work() {
    let mut stage = Stage::with_players();
    let mut number = 0;
    for shape in SHAPES {
        let mut spent = |size| {
            number += 1;
            let mail = shape.mail(size, number);
            // So that no limit of answers hides what an answer costs.
            stage.wait(48);
            work::take();
            stage.receive_from(&envelope(), &mail);
            work::take()
        };
        let (once, twice) = (spent(SIZE), spent(2 * SIZE));
        println!("{:45} {once:>10} {twice:>10} {:.2}", shape.name, twice as f64 / once as f64);
        assert!(twice <= 2 * once + once / 10 + 5_000, "{}: {once}, then {twice}", shape.name);
        assert!(twice <= PASSES * 2 * SIZE as u64 + ALWAYS, "{}: {twice}", shape.name);
    }
}

#[test]
fn a_mail_is_counted_wherever_it_is_read() {
    // The counter is no use where it counts nothing: each shape is looked at once at least.
    let stage = Stage::new();
    for shape in SHAPES {
        let mail = shape.mail(SIZE, 1);
        work::take();
        let read = read(&mail, &envelope(), &stage.site());
        assert!(work::take() >= mail.len() as u64, "{}", shape.name);
        drop(read);
    }
}

#[test]
fn the_token_of_a_reply_is_found_however_long_the_mail_is() {
    let stage = Stage::new();
    let quoted: String = (0..50_000).map(|n| format!("> {n}\r\n")).collect();
    let mail = format!(
        "From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\nF3\r\n\r\nOn Friday Ann wrote:\r\n{quoted}> [reply b7.aaaa]\r\n"
    );
    let Incoming::Letter(letter) = read(mail.as_bytes(), &envelope(), &stage.site()) else { panic!() };
    assert_eq!(letter.token.map(|token| token.0).as_deref(), Some("b7.aaaa"));
}

#[test]
fn fifty_commands_of_a_letter_are_carried_out_and_the_operator_has_no_limit() {
    let mut stage = Stage::with_players();
    let many = "who ann\n".repeat(80);
    let answer = stage.mail("ann@example.org", "multiple", &many);
    assert_eq!(answer[0].text.matches("> who ann").count(), 50, "{}", answer[0].text);
    assert!(answer[0].text.contains("The rest of this mail was not read"));
    let (printed, ends_well, _) = stage.submit(Operator::Nobody, &many);
    assert!(ends_well && !printed.contains("not read"), "{printed}");
    assert_eq!(printed.matches("> who ann").count(), 80);
    // A password among them counts like any other.
    let (printed, ends_well, _) =
        stage.submit(Operator::Nobody, &format!("{many}games ann\nwho ann {ANN}\n"));
    assert!(!ends_well || !printed.contains(ANN), "{printed}");
}
