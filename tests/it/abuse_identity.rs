//! One mail is one letter, whatever addresses of ours it came to. Only a valid token makes it another.

use crate::support::host::Host;
use crate::support::serving::Served;
use crate::support::{ADDRESS, ANN, letter};

fn extended(extension: &str) -> String {
    let (local, domain) = ADDRESS.split_once('@').unwrap();
    format!("{local}+{extension}@{domain}")
}

fn host() -> Host {
    Host::after(&"dvonn challenge -symmetry -seed=7 ann bob\n".repeat(2))
}

#[test]
fn by_lmtp_a_mail_is_read_once_and_answered_once_for_all_its_recipients() {
    let host = host();
    let served = Served::start(&host, &[]);
    let before = host.sent().len();
    let mut client = served.connect();
    let recipients: Vec<String> = (0..100).map(|n| extended(&format!("x{n}"))).collect();
    let recipients: Vec<&str> = recipients.iter().map(String::as_str).collect();
    let mail = letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 1);
    let replies = client.mail("ann@example.org", &recipients, &mail);
    assert!(
        replies.len() == 100 && replies.iter().all(|reply| reply == "250 2.0.0 taken\r\n"),
        "{replies:?}"
    );
    host.wait_for_mails(before + 2);
    let log = served.stop();
    assert_eq!((host.plies(1), host.sent().len()), (1, before + 2));
    assert_eq!(log.matches("letter acted on").count(), 1, "{log}");
}

#[test]
fn by_lmtp_each_valid_token_plays_on_its_board() {
    let host = host();
    let tokens: Vec<String> = ["dvonn 1", "dvonn 2"]
        .iter()
        .map(|subject| {
            let mails = host.sent();
            let of_board = mails.iter().filter(|mail| mail.to == "ann@example.org");
            let mut of_board = of_board.filter(|mail| mail.subject.contains(subject));
            let raw = of_board.next_back().unwrap().raw();
            raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap().to_owned()
        })
        .collect();
    let served = Served::start(&host, &[]);
    let mut client = served.connect();
    let report = extended("bounce-1.aaaaaaaaaaaaaaaa");
    let plain = extended("x");
    let recipients = [plain.as_str(), &tokens[0], &report, &tokens[1], ADDRESS, &tokens[0]];
    let mail = letter("ann@example.org", "Re: my boards", "D1-E1\n", 1);
    for _ in 0..2 {
        let replies = client.mail("ann@example.org", &recipients, &mail);
        assert!(replies.iter().all(|reply| reply.starts_with("250 ")) && replies.len() == 6, "{replies:?}");
    }
    served.stop();
    assert_eq!((host.plies(1), host.plies(2)), (1, 1));
    host.assert_verified();
}

#[test]
fn by_lmtp_what_is_refused_is_refused_for_every_recipient() {
    let host = host();
    let served = Served::start(&host, &[]);
    let mut client = served.connect();
    let recipients = [ADDRESS, &extended("x"), &extended("y")];
    // Too large to take at all, then too many parts to read.
    let large = letter("ann@example.org", "who", &"x\n".repeat(600_000), 1);
    let replies = client.mail("ann@example.org", &recipients, &large);
    assert!(replies.len() == 3 && replies.iter().all(|reply| reply.starts_with("552 ")), "{replies:?}");
    let parts = "--b\r\n\r\nx\r\n".repeat(200);
    let many = format!(
        "From: ann@example.org\r\nMessage-ID: <parts@x>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n{parts}--b--\r\n"
    );
    let before = host.sent().len();
    let replies = client.mail("ann@example.org", &recipients, many.as_bytes());
    assert!(replies.len() == 3 && replies.iter().all(|reply| reply.starts_with("250 ")), "{replies:?}");
    host.wait_for_mails(before + 1);
    served.stop();
    assert_eq!(host.sent().len(), before + 1);
    // Its own failure leaves the mail with the mail server, for all of them.
    let served = Served::start(&host, &[("TURNPOST_BUSY_SECONDS", "0")]);
    let lock = rusqlite::Connection::open(host.database()).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut client = served.connect();
    let mail = letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 2);
    let replies = client.mail("ann@example.org", &recipients, &mail);
    assert!(replies.len() == 3 && replies.iter().all(|reply| reply.starts_with("451 ")), "{replies:?}");
    lock.execute_batch("ROLLBACK").unwrap();
    let replies = client.mail("ann@example.org", &recipients, &mail);
    assert!(replies.iter().all(|reply| reply.starts_with("250 ")), "{replies:?}");
    served.stop();
    assert_eq!(host.plies(1), 1);
}
