//! Law 9: proof is only what our host's server wrote.

use crate::support::{Mail, Stage};
use turnpost::mail::authentication::proves;

const ID: &str = "mx.turnpost.example";
const OURS: &str = "Received: from mail.example.org (mail.example.org [192.0.2.1])\n\tby mx.turnpost.example (Postfix) \
    with ESMTPS id 4XyZ; Mon, 16 Nov 2026 09:00:00 +0000 (UTC)\n";
const THEIRS: &str =
    "Received: from laptop by mail.example.org with ESMTPSA; Mon, 16 Nov 2026 08:59:59 +0000\n";
const PASS: &str = "Authentication-Results: mx.turnpost.example; dmarc=pass header.from=example.org\n";

fn proven(header: &str) -> bool {
    let mail = format!("{header}From: ann@example.org\n\n");
    let (fields, _) = mailparse::parse_headers(mail.as_bytes()).unwrap();
    proves(fields.iter().map(|field| (field.get_key(), field.get_value())), ID, "ann@example.org")
}

#[test]
fn a_field_above_our_servers_mark_or_directly_below_it_is_believed() {
    assert!(proven(PASS));
    assert!(proven(&format!("{PASS}{OURS}{THEIRS}")));
    assert!(proven(&format!("Return-Path: <ann@example.org>\nDelivered-To: play\n{OURS}{PASS}{THEIRS}")));
    assert!(proven(&format!("{OURS}Received-SPF: pass\nX-Spam: no\n{PASS}{THEIRS}")));
    // OpenDMARC writes above OpenDKIM.
    let dkim = "Authentication-Results: mx.turnpost.example; dkim=pass header.d=example.org\n";
    assert!(proven(&format!("{OURS}{PASS}{dkim}{THEIRS}")));
    assert!(proven(&format!("{OURS}{dkim}{THEIRS}")));
}

#[test]
fn from_the_next_received_down_nothing_is_believed() {
    assert!(!proven(&format!("{OURS}{THEIRS}{PASS}")));
    assert!(!proven(&format!("{THEIRS}{PASS}")));
    // A stranger writes our server's name as well as we do.
    assert!(!proven(&format!("{OURS}{OURS}{PASS}")));
    assert!(!proven(&format!("{OURS}{THEIRS}{OURS}{PASS}")));
    assert!(!proven(&format!("{OURS}Received: by localhost\n{PASS}")));
    assert!(!proven(&format!("{OURS}Received: nonsense\n{PASS}")));
    assert!(!proven(&format!("{OURS}rEcEiVeD : from x\n{PASS}")));
}

#[test]
fn where_our_servers_field_says_nothing_of_a_method_no_lower_field_does() {
    for ours in [
        "none",
        "spf=pass smtp.mailfrom=eve@example.com",
        "dkim=none",
        "dmarc=none header.from=example.org",
        "x=y (z",
    ] {
        let own = format!("Authentication-Results: {ID}; {ours}\n");
        for between in ["", "X-Spam: no\n", THEIRS] {
            assert!(!proven(&format!("{own}{between}{PASS}")), "{ours} {between}");
            assert!(!proven(&format!("{OURS}{own}{between}{PASS}")), "{ours} {between}");
            assert!(!proven(&format!("{own}{OURS}{between}{PASS}")), "{ours} {between}");
        }
    }
    // Another server's field on top leaves nothing to believe either.
    assert!(!proven(&format!("Authentication-Results: evil.example; none\n{PASS}")));
}

/// A move without a password plays only when the mail server has proven who sent it.
#[test]
fn a_strangers_field_plays_no_move() {
    let plays = |header: &str| {
        let mut stage = Stage::with(|config| config.authserv_id = ID.to_owned()).peopled();
        stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
        let mail = format!(
            "{header}From: ann@example.org\nSubject: dvonn move 1 ann - D1-E1\nMessage-ID: <m@example.org>\n\n"
        );
        let mails: Vec<Mail> = stage.receive(mail.as_bytes());
        mails.iter().any(|mail| mail.to == "bob@example.net")
    };
    assert!(plays(&format!("{OURS}{PASS}{THEIRS}")));
    assert!(!plays(&format!("{OURS}{THEIRS}{PASS}")));
    assert!(!plays(&format!("{OURS}{OURS}{PASS}")));
    assert!(!plays(&format!("{OURS}Authentication-Results: {ID}; spf=none\n{PASS}")));
    // Not by a line end that only some see, nor without the From that was checked.
    assert!(!plays(&format!("{OURS}{THEIRS}X-A: b\r{PASS}")));
    let mut stage = Stage::with(|config| config.authserv_id = ID.to_owned()).peopled();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    let sender = format!("{OURS}{PASS}Sender: ann@example.org\nSubject: dvonn move 1 ann - D1-E1\n\n");
    assert!(stage.receive(sender.as_bytes()).iter().all(|mail| mail.to != "bob@example.net"));
}
