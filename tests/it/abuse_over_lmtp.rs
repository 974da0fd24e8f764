//! The laws hold over LMTP too, and the host sees who went beyond a limit.

use crate::support::host::Host;
use crate::support::letter;
use crate::support::serving::{Client, Served};

fn host() -> Host {
    let host = Host::new();
    host.run(&["submit"], b"signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n")
        .ok();
    host
}

fn running_boards(host: &Host) -> usize {
    host.run(&["admin", "boards", "--running", "--json"], b"").ok().matches("\"board\"").count()
}

fn mail(client: &mut Client, from: &str, subject: &str, text: &str, number: u32) {
    let replies = client.mail(from, &[crate::support::ADDRESS], &letter(from, subject, text, number));
    assert_eq!(replies, ["250 2.0.0 taken\r\n"]);
}

#[test]
fn floods_are_small_and_the_host_is_told_whose_they_were() {
    let host = host();
    let served = Served::start(&host, &[("TURNPOST_SERVE_HTTP", "127.0.0.1:0")]);
    let mut client = served.connect();
    mail(&mut client, "ann@example.org", "multiple", &"dvonn challenge ann bob\n".repeat(50), 1);
    let signups: String = (0..50).map(|n| format!("signup eve{n} ruff-2026 a{n}@example.net\n")).collect();
    mail(&mut client, "eve@example.com", "multiple", &signups, 2);
    let help = format!("help{}\n", " commands".repeat(1100)).repeat(11);
    mail(&mut client, "ann@example.org", "multiple", &help, 3);
    let watch: String = (0..49).map(|n| format!("dvonn subscribe 1 b{n}@example.net\n")).collect();
    mail(&mut client, "bob@example.net", "multiple", &watch, 4);
    host.wait_until_quiet();
    assert_eq!(running_boards(&host), 5);
    let sent = host.sent();
    assert!(sent.iter().all(|mail| !mail.to.ends_with("@example.net") || mail.to == "bob@example.net"));
    assert!(sent.iter().all(|mail| mail.raw().len() <= 256 * 1024));
    assert_eq!(sent.iter().filter(|mail| mail.to == "eve@example.com").count(), 1);

    let (_, page) = served.page("/metrics");
    assert!(page.contains("turnpost_limit_hits_total{limit=\"claimed_boards\"} 45\n"), "{page}");
    served.stop();
    let user = host.run(&["admin", "user", "ann"], b"");
    assert!(user.ok().contains("limit       claimed boards: 45 times, last "), "{}", user.out);
    let users = host.run(&["admin", "users"], b"");
    assert!(users.ok().contains("limits hit"), "{}", users.out);
    let config = host.run(&["config"], b"");
    assert!(config.ok().contains("[limits]\nanswers_an_hour = 20\n"), "{}", config.out);
}

#[test]
fn a_host_may_set_other_limits() {
    let host = host();
    let file = host.data().join("turnpost.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{before}[limits]\nclaimed_boards_a_day = 2\ncommands_a_letter = 4\n"))
        .unwrap();
    host.receive(&letter("ann@example.org", "multiple", &"dvonn challenge ann bob\n".repeat(5), 1))
        .assert_silent(0);
    assert_eq!(running_boards(&host), 2);
    let answer = host.delivered().into_iter().find(|mail| mail.to == "ann@example.org").unwrap();
    assert!(answer.text.contains("a mail ends after 4 commands"), "{}", answer.text);
}
