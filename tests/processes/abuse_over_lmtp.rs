//! The laws hold over LMTP too, and the host sees who went beyond a limit.

use std::time::{Duration, Instant};

use crate::support::host::Host;
use crate::support::letter;
use crate::support::serving::{Client, Served};

fn running_boards(host: &Host) -> usize {
    host.run(&["admin", "boards", "--running", "--json"], b"").ok().matches("\"board\"").count()
}

fn mail(client: &mut Client, from: &str, subject: &str, text: &str, number: u32) {
    let replies = client.mail(from, &[crate::support::ADDRESS], &letter(from, subject, text, number));
    assert_eq!(replies, ["250 2.0.0 taken\r\n"]);
}

#[test]
fn floods_are_small_and_the_host_is_told_whose_they_were() {
    let host = Host::with_players();
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
    let host = Host::with_players();
    let file = host.data().join("turnpost.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{before}[limits]\nclaimed_boards_a_day = 2\n")).unwrap();
    host.receive(&letter("ann@example.org", "multiple", &"dvonn challenge ann bob\n".repeat(5), 1))
        .assert_silent(0);
    assert_eq!(running_boards(&host), 2);
}

#[test]
fn the_operator_sees_what_was_set_aside_and_the_letter_is_taken() {
    let host = Host::with_players();
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.execute(
        "UPDATE addresses SET address = 'bob@[192.0.2.1]', address_key = address WHERE player IN
        (SELECT id FROM players WHERE userid = 'bob')",
        [],
    )
    .unwrap();
    drop(conn);
    host.receive(&letter("ann@example.org", "dvonn challenge ann bob", "", 1)).assert_silent(0);
    assert!(host.log().contains("could not be written"), "{}", host.log());
    let shown = host.run(&["admin", "outbox"], b"");
    assert!(shown.ok().contains("bob@[192.0.2.1]") && shown.out.contains("aside"), "{}", shown.out);
    let json = host.run(&["admin", "outbox", "--json"], b"");
    assert!(json.ok().contains("\"state\":\"aside\""), "{}", json.out);
    // Over LMTP as by a pipe.
    let served = Served::start(&host, &[("TURNPOST_SERVE_HTTP", "127.0.0.1:0")]);
    let mut client = served.connect();
    client.takes(&letter("ann@example.org", "dvonn challenge ann bob", "", 2));
    assert!(served.page("/metrics").1.contains("\nturnpost_outbox_aside 2\n"));
    let log = served.stop();
    assert!(log.contains("mail set aside: no mail can be sent to this address"), "{log}");
}

#[test]
fn over_a_port_that_every_local_user_can_reach_it_is_believed_only_when_the_host_says_so() {
    let ours = "Received: from mail.example.org (mail.example.org [192.0.2.1])\n\tby mx.turnpost.example (Postfix) \
                with ESMTPS id 4XyZ; Mon, 16 Nov 2026 09:00:00 +0000 (UTC)\n";
    let pass = "Authentication-Results: mx.turnpost.example; dmarc=pass header.from=example.org\n";
    let theirs = "Received: from laptop by mail.example.org with ESMTPSA; Mon, 16 Nov 2026 08:59:59 +0000\n";
    for (place, trust, believed) in
        [("127.0.0.1:0", "false", false), ("127.0.0.1:0", "true", true), ("unix", "false", true)]
    {
        let host = Host::with_players();
        host.run(&["submit", "--as", "ann"], b"dvonn challenge -symmetry -seed=7 ann bob").ok();
        let socket = host.data().join("lmtp.sock");
        let listen = if place == "unix" { format!("unix:{}", socket.display()) } else { place.to_owned() };
        let variables = [
            ("TURNPOST_AUTHSERV_ID", "mx.turnpost.example"),
            ("TURNPOST_SERVE_LMTP", listen.as_str()),
            ("TURNPOST_SERVE_TRUST_LOCAL_USERS", trust),
        ];
        let served = Served::start(&host, &variables);
        let mail =
            format!("{ours}{pass}{theirs}From: ann@example.org\nSubject: dvonn move 1 ann - D1-E1\n\n");
        let mail = mail.replace('\n', "\r\n");
        let mut client = match served.lmtp {
            Some(_) => served.connect(),
            None => {
                let mut client = Client::unix(&socket);
                client.hello();
                client
            }
        };
        client.takes(mail.as_bytes());
        let record = host.run(&["submit", "--as", "ann"], b"dvonn record 1");
        assert_eq!(record.out.contains("D1-E1"), believed, "{place} {trust}: {record:?}");
        served.stop();
    }
}

/// Between two mails, within one, and with a word now and then: a place is for who brings a mail.
#[test]
fn clients_that_bring_no_mail_give_way() {
    let host = Host::with_players();
    let served = Served::start(&host, &[]);
    let says = ["NOOP\r\n", "MAIL FROM:<>\r\n", "MAIL FROM:<>\r\nRCPT TO:<a@b>\r\nDATA\r\nx"];
    for (number, says) in says.into_iter().enumerate() {
        let mut crowd: Vec<Client> = (0..200).map(|_| served.connect()).collect();
        std::thread::sleep(Duration::from_millis(1100));
        for client in &mut crowd {
            client.say(says.as_bytes());
        }
        let begun = Instant::now();
        let number = u32::try_from(number).unwrap();
        served.connect().takes(&letter("ann@example.org", "who", "", number));
        assert!(begun.elapsed() < Duration::from_secs(3), "{says:?}: {:?}", begun.elapsed());
        // Below the answers to what it said.
        assert!((0..4).any(|_| crowd[0].reply().starts_with("421 4.3.2 ")), "{says:?}");
    }
    served.stop();
}

/// Over LMTP too, with the reason in the log.
#[test]
fn the_daemon_knows_robots_from_players() {
    let prose = "Dear customer,\n\nhelp is on its way. We resign from nothing.\n\nThe team\n";
    let host = Host::new();
    let players = "signup ann plover-42 ann@example.org\nsignup zoe dunlin-7 zoe-noreply@example.net\n";
    host.run(&["submit"], players.as_bytes()).ok();
    let served = Served::start(&host, &[]);
    let mut client = served.connect();
    client.takes(&letter("newsalerts-noreply@example.com", "This week", prose, 1));
    served.wait_for("mail set aside: automatic mail: its sender is a program");
    client.takes(&letter("ann@example.org", "Undeliverable: x", prose, 2));
    served.wait_for("mail set aside: automatic mail: its Subject is that of a report");
    client.takes(&letter("zoe-noreply@example.net", "who", "", 3));
    host.wait_for_mails(1);
    assert_eq!(host.sent()[0].to, "zoe-noreply@example.net");
    client.takes(&letter("ann@example.org", "failure notice", "who ann plover-42\nset ann plover-42\n", 4));
    client.takes(&letter("ann@example.org", "failure notice", "set ann plover-42\n", 5));
    host.wait_for_mails(2);
    served.stop();
    host.assert_verified();
}
