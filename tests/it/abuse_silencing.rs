//! Law 4, no silencing: without a token or an envelope sender of ours, nothing stops a player's mail.

use crate::support::host::Host;
use crate::support::serving::Served;
use crate::support::{ANN, BOB, Mail, Stage, letter};
use turnpost::mail::incoming::{Envelope, EnvelopeSender};

/// Where a forged report goes, and from where.
fn envelope(to: &str, null: bool) -> Envelope {
    let sender =
        if null { EnvelopeSender::Null } else { EnvelopeSender::Address("eve@example.com".to_owned()) };
    Envelope { sender: Some(sender), recipient: Some(to.to_owned()) }
}

/// A failure (RFC 3464) that anybody can write who knows one Message-ID of ours.
fn forged_failure(to: &str, about: &str, message_id: &str, number: u32) -> Vec<u8> {
    format!(
        "From: MAILER-DAEMON@mx.example\r\nTo: {to}\r\nSubject: Undelivered Mail Returned to Sender\r\n\
         Message-ID: <forged.{number}@mx.example>\r\nContent-Type: multipart/report; report-type=delivery-status; \
         boundary=\"b\"\r\n\r\n--b\r\n\r\n<{about}>: 550 5.1.1 user unknown\r\n--b\r\n\
         Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n\
         Final-Recipient: rfc822; {about}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\n\
         Content-Type: message/rfc822\r\n\r\nFrom: play@turnpost.example\r\nTo: {about}\r\n\
         Message-ID: {message_id}\r\n\r\nx\r\n--b--\r\n"
    )
    .into_bytes()
}

/// The same in plain words.
fn forged_words(to: &str, about: &str, message_id: &str, number: u32) -> Vec<u8> {
    format!(
        "From: MAILER-DAEMON@mx.example\r\nTo: {to}\r\nSubject: failure notice\r\n\
         Message-ID: <words.{number}@mx.example>\r\nX-Failed-Recipients: {about}\r\n\r\n\
         <{about}>:\r\n550 5.1.1 no such user\r\n\r\n--- Below this line is a copy of the message.\r\n\r\n\
         Message-ID: {message_id}\r\n"
    )
    .into_bytes()
}

/// A complaint (RFC 5965).
fn forged_complaint(to: &str, about: &str, message_id: &str, number: u32) -> Vec<u8> {
    format!(
        "From: fbl@provider.example\r\nTo: {to}\r\nSubject: complaint\r\nMessage-ID: <fbl.{number}@provider.example>\r\n\
         Content-Type: multipart/report; report-type=feedback-report; boundary=\"b\"\r\n\r\n--b\r\n\r\nA report.\r\n\
         --b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nUser-Agent: Provider/1\r\n\
         Version: 1\r\nOriginal-Rcpt-To: <{about}>\r\nOriginal-Mail-From: <play+bounce-1.aaaaaaaaaaaaaaaa@turnpost.example>\r\n\
         \r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: play@turnpost.example\r\nTo: {about}\r\n\
         Message-ID: {message_id}\r\n\r\nx\r\n--b--\r\n"
    )
    .into_bytes()
}

type Forger = fn(&str, &str, &str, u32) -> Vec<u8>;
const FORGERS: [Forger; 3] = [forged_failure, forged_words, forged_complaint];

/// Ann's message reaches bob: the mail he gets.
fn board_mail_to_bob(stage: &mut Stage) -> Mail {
    let mails = stage.mail("ann@example.org", &format!("message ann {ANN} bob"), "Are you there?");
    let mail = mails.iter().find(|mail| mail.to == "bob@example.net");
    mail.unwrap_or_else(|| panic!("bob gets no mail: {mails:#?}")).clone()
}

#[test]
fn a_forged_report_with_a_message_id_of_ours_changes_nothing_where_reports_can_prove_themselves() {
    for forge in FORGERS {
        let mut stage = Stage::with_players();
        for n in 0..4 {
            let known = board_mail_to_bob(&mut stage).id;
            for (m, to) in ["play@turnpost.example", "play+bounce-1.aaaaaaaaaaaaaaaa@turnpost.example"]
                .into_iter()
                .enumerate()
            {
                for null in [true, false] {
                    let number = n * 10 + m as u32 * 2 + u32::from(null);
                    let caused = stage
                        .receive_from(&envelope(to, null), &forge(to, "bob@example.net", &known, number));
                    assert_eq!(caused, [], "nobody is told of a forged report");
                    assert_eq!(stage.post(), []);
                }
            }
        }
        board_mail_to_bob(&mut stage);
        assert_eq!(stage.store.bounces("bob@example.net").unwrap().map(|row| row.count), None);
    }
}

#[test]
fn without_extensions_such_a_report_makes_the_server_ask_once_in_thirty_days_and_silence_changes_nothing() {
    for forge in FORGERS {
        let mut stage = Stage::with(|config| config.extensions = false).peopled();
        let mut asked = Vec::new();
        for n in 0..5 {
            let known = board_mail_to_bob(&mut stage).id;
            stage.receive_from(
                &envelope("play@turnpost.example", true),
                &forge("play@turnpost.example", "Bob@example.net", &known, n),
            );
            asked.extend(stage.post());
            stage.wait(24);
        }
        let [question] = asked.as_slice() else { panic!("asked {} times: {asked:#?}", asked.len()) };
        assert_eq!(question.to, "bob@example.net");
        for words in ["Anybody can write such a report", "there is nothing to do", "signoff bob PASSWORD"] {
            assert!(
                question.text.split_whitespace().collect::<Vec<_>>().join(" ").contains(words),
                "{}",
                question.text
            );
        }
        // He keeps silent, and his mail comes as before; a month later he may be asked again.
        stage.wait(31 * 24);
        let known = board_mail_to_bob(&mut stage).id;
        stage.receive_from(
            &envelope("play@turnpost.example", true),
            &forge("play@turnpost.example", "bob@example.net", &known, 77),
        );
        assert_eq!(stage.post().len(), 1);
        board_mail_to_bob(&mut stage);
        // What the question offers works.
        let mails = stage.mail("bob@example.net", &format!("signoff bob {BOB}"), "");
        assert!(mails[0].text.contains("You have signed off, bob"), "{}", mails[0].text);
    }
}

#[test]
fn a_report_about_an_unknown_mail_or_another_recipient_asks_nobody() {
    let mut stage = Stage::with(|config| config.extensions = false).peopled();
    let known = board_mail_to_bob(&mut stage).id;
    let to = "play@turnpost.example";
    for (n, (about, id)) in
        [("eve@example.com", known.as_str()), ("bob@example.net", "<turnpost.aaaa@turnpost.example>")]
            .into_iter()
            .enumerate()
    {
        for forge in [forged_failure, forged_words] {
            stage.receive_from(&envelope(to, true), &forge(to, about, id, n as u32));
            assert_eq!(stage.post(), [], "{about} {id}");
        }
    }
}

/// The last mail to bob: its Message-ID.
fn last_id(host: &Host) -> String {
    host.sent().iter().rev().find(|mail| mail.to == "bob@example.net").unwrap().id.clone()
}

/// The same through LMTP, with the daemon that delivers at once.
#[test]
fn forged_reports_by_lmtp_leave_a_player_their_mail() {
    for extensions in [true, false] {
        let host = Host::new();
        if !extensions {
            let settings = host.data().join("turnpost.toml");
            let text = std::fs::read_to_string(&settings).unwrap();
            std::fs::write(&settings, format!("{text}extensions = false\n")).unwrap();
        }
        let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n";
        host.run(&["submit"], players.as_bytes()).ok();
        let served = Served::start(&host, &[]);
        let mut client = served.connect();
        let to = "play@turnpost.example";
        let questions = usize::from(!extensions);
        for n in 1..=3 {
            let before = host.sent().len();
            client.takes(&letter("ann@example.org", "message ann plover-42 bob", "Hello.", n));
            host.wait_for_mails(before + 2);
            let id = last_id(&host);
            for (m, forge) in FORGERS.into_iter().enumerate() {
                let report = forge(to, "bob@example.net", &id, n * 10 + m as u32);
                assert_eq!(client.mail("", &[to], &report), ["250 2.0.0 taken\r\n"]);
            }
            if n == 1 {
                host.wait_for_mails(before + 2 + questions);
            }
        }
        host.wait_until_quiet();
        let before = host.sent().len();
        client.takes(&letter("ann@example.org", "message ann plover-42 bob", "Still there?", 9));
        host.wait_for_mails(before + 2);
        assert!(host.sent().iter().skip(before).any(|mail| mail.to == "bob@example.net"));
        served.wait_for(if extensions {
            "not shown to be about a mail of ours"
        } else {
            "its player is asked"
        });
        served.stop();
        host.assert_verified();
    }
}

/// What is kept about the question goes with the account.
#[test]
fn nothing_of_the_question_outlives_the_account() {
    let mut stage = Stage::with(|config| config.extensions = false).peopled();
    let known = board_mail_to_bob(&mut stage).id;
    let report = forged_failure("play@turnpost.example", "bob@example.net", &known, 1);
    let asked = stage.receive_from(&envelope("play@turnpost.example", true), &report);
    assert_eq!(asked, [], "a report has no answer");
    assert!(stage.post().iter().any(|mail| mail.to == "bob@example.net"), "bob is asked");
    assert!(stage.text().contains("bob@example.net"));
    stage.mail("bob@example.net", &format!("delete bob {BOB}"), "");
    let kept = stage.text();
    let lines: Vec<&str> = kept.lines().filter(|line| line.contains("bob@example.net")).collect();
    assert_eq!(lines, Vec::<&str>::new());
}
