//! Whose word is taken for who sent a mail.

use proptest::prelude::*;
use turnpost::mail::authentication::proves;
use turnpost::mail::incoming::{Envelope, Incoming, read};
use turnpost::mail::{Proof, ServerIdentity};

const ID: &str = "mx.turnpost.example";

/// Whether these fields, one a line, prove `ann@example.org`.
fn proven(header: &str) -> bool {
    let fields = header.lines().filter(|line| !line.is_empty()).map(|line| line.split_once(':').unwrap());
    proves(fields, ID, "ann@example.org")
}

/// One field of the configured server's.
fn says(results: &str) -> bool {
    proven(&format!("Authentication-Results: {ID}; {results}"))
}

#[test]
fn what_proves_and_what_does_not() {
    for results in [
        "dmarc=pass header.from=example.org",
        "dmarc=pass (p=reject dis=none) header.from=Example.ORG",
        "DMARC = PASS (ok (nested; dmarc=fail) \\) still) header.from = \"example.org\"",
        "spf=fail smtp.mailfrom=evil.example; dmarc=pass header.from=example.org",
        "dmarc/1=pass header.from=example.org;",
        "dmarc=pass reason=\"a;b\" header.from=ann@example.org",
        "dkim=pass header.d=example.org header.i=@example.org header.b=abc/d+e=",
        "dkim=pass (2048-bit key; unprotected) header.d=example.org",
        "dkim=fail header.d=example.org; dkim=pass header.d=list.example; dkim=pass header.d=example.org",
        "dkim=pass header.d=\"example.org\"",
        "dkim=pass header.d=example.org.",
    ] {
        assert!(says(results), "{results}");
    }
    for results in [
        "none",
        "",
        "spf=pass smtp.mailfrom=ann@example.org",
        "dmarc=fail header.from=example.org",
        "dmarc=pass",
        "dmarc=pass header.from=evil.example",
        "dmarc=pass header.from=org",
        "dmarc=pass header.from=mail.example.org",
        "dmarc=pass header.from=example.org header.from=evil.example",
        "dmarc=pass header.from=example.org; dmarc=fail header.from=example.org",
        "dmarc=fail header.from=example.org; dkim=pass header.d=example.org",
        "dmarc=pass policy.from=example.org",
        "dmarc/2=pass header.from=example.org",
        "dkim=pass header.d=evil.example",
        "dkim=pass header.d=mail.example.org",
        "dkim=pass header.d=org",
        "dkim=pass header.d=notexample.org",
        "dkim=pass header.i=@example.org",
        "dkim=pass",
        "dkim=neutral header.d=example.org",
        "dkim-atps=pass header.d=example.org",
        "(dmarc=pass header.from=example.org)",
        "spf=none (dmarc=pass header.from=example.org;) smtp.mailfrom=x",
        "spf=none reason=\"; dmarc=pass header.from=example.org\"",
        "spf=none smtp.mailfrom=\"; dmarc=pass header.from=example.org; \"@x",
        "dmarc=pass header.from=example.org (unended",
        "dmarc=pass header.from=\"example.org",
        "dmarc=pass header.from=example.org; =pass",
        "dmarc=pass header.from=example.org dmarc",
        "dmarc=pass(x)=y header.from=example.org",
    ] {
        assert!(!says(results), "{results}");
    }
    let above = [("Authentication-Results", format!("{ID}; dkim=pass header.d=example.org"))];
    assert!(proves(above.clone(), ID, "ann@mail.example.org"));
    assert!(!proves(above.clone(), ID, "ann@example.org.evil.example"));
    assert!(!proves(above.clone(), ID, "ann@badexample.org"));
    assert!(!proves(above.clone(), ID, "ann"));
    assert!(!proves(above, "", "ann@example.org"));
    assert!(!proves(
        [("Authentication-Results", "; dmarc=pass header.from=example.org")],
        "",
        "ann@example.org"
    ));
    assert!(!says(&format!("dmarc=pass header.from=example.org; x=y z.z={}", "a".repeat(9000))), "oversized");
    assert!(!says(&"(".repeat(5000)));
}

#[test]
fn whose_field_it_is() {
    let pass = "dmarc=pass header.from=example.org";
    for header in [
        format!("authentication-results: MX.Turnpost.Example; {pass}"),
        format!("Authentication-Results : (us) {ID} 1 (v) ; {pass}"),
        format!("Authentication-Results: \"{ID}\"; {pass}"),
        format!(
            "Return-Path: <a@b>\nReceived: from x (by y [1.2.3.4]) by {ID} (Postfix)\nAuthentication-Results: {ID}; {pass}\nReceived: by z"
        ),
        format!("Received: by a.{ID} with LMTP id 1;\nAuthentication-Results: {ID}; {pass}"),
        format!("Authentication-Results: {ID}; {pass}\nAuthentication-Results: evil.example; dmarc=fail"),
        format!(
            "Authentication-Results: {ID}; {pass}\nAuthentication-Results: {ID}; dmarc=fail header.from=example.org"
        ),
        format!("Authentication-Results: {ID}; {pass}\nAuthentication-Results: {ID}; (broken"),
    ] {
        assert!(proven(&header), "{header}");
    }
    for header in [
        format!("Authentication-Results: evil.example; {pass}"),
        format!("Authentication-Results: {ID}.evil.example; {pass}"),
        format!("Authentication-Results: {ID} 2; {pass}"),
        format!("Authentication-Results: ({ID}) evil.example; {pass}"),
        format!("Authentication-Results: {ID} evil.example; {pass}"),
        "Authentication-Results:".to_owned(),
        format!("Received: from x by mx.evil.example\nAuthentication-Results: {ID}; {pass}"),
        format!("Received: by evil{ID}\nAuthentication-Results: {ID}; {pass}"),
        format!("Received: nonsense\nAuthentication-Results: {ID}; {pass}"),
        format!("Authentication-Results: evil.example; none\nAuthentication-Results: {ID}; {pass}"),
        format!(
            "Authentication-Results: {ID}; none\nReceived: by {ID}\nAuthentication-Results: {ID}; {pass}"
        ),
        format!("Authentication-Results: {ID}; spf=pass\nX: y\nAuthentication-Results: {ID}; {pass}"),
        // The server's own stands above one that it should have deleted.
        format!(
            "Authentication-Results: {ID}; dkim=pass header.d=x.example\nAuthentication-Results: {ID}; {pass}"
        ),
        format!(
            "Authentication-Results: {ID}; dmarc=none header.from=example.org\nAuthentication-Results: {ID}; {pass}"
        ),
        format!(
            "Authentication-Results: {ID}; dmarc=fail\nAuthentication-Results: {ID}; dkim=pass header.d=example.org"
        ),
        format!("ARC-Authentication-Results: i=1; {ID}; {pass}"),
        format!("X-Authentication-Results: {ID}; {pass}"),
        format!("Subject: Authentication-Results: {ID}; {pass}"),
    ] {
        assert!(!proven(&header), "{header}");
    }
}

#[test]
fn a_letter_is_proven_only_where_a_server_is_configured() {
    let proof = |authserv_id: Option<&str>, header: &str, from: &str| {
        let site = ServerIdentity {
            name: "Turnpost".to_owned(),
            address: "play@turnpost.example".to_owned(),
            aliases: Vec::new(),
            host: "turnpost.example".to_owned(),
            authserv_id: authserv_id.map(str::to_owned),
            extensions: true,
        };
        let mail = format!("{header}\r\nFrom: {from}\r\nSubject: F3\r\n\r\nF3\r\n");
        match read(mail.as_bytes(), &Envelope::default(), &site) {
            Incoming::Letter(letter) => letter.proof,
            other => panic!("{other:?}"),
        }
    };
    let field = format!(
        "Authentication-Results: {ID};\r\n\tdkim=pass header.d=example.org;\r\n\tdmarc=pass header.from=example.org"
    );
    assert_eq!(proof(Some(ID), &field, "Ann <ann@Example.org>"), Proof::Sender);
    assert_eq!(proof(None, &field, "ann@example.org"), Proof::None);
    assert_eq!(proof(Some("other.example"), &field, "ann@example.org"), Proof::None);
    assert_eq!(proof(Some(ID), &field, "ann@evil.example"), Proof::None);
    assert_eq!(proof(Some(ID), &field, "\"ann@example.org\" <ann@evil.example>"), Proof::None);
    assert_eq!(proof(Some(ID), &format!("{field} (\u{200b}"), "ann@example.org"), Proof::None);
    let encoded = format!("Authentication-Results: {ID}; =?utf-8?Q?dmarc=3Dpass_header.from=3Dexample.org?=");
    assert_eq!(proof(Some(ID), &encoded, "ann@example.org"), Proof::None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_field_is_too_strange(value in "\\PC{0,80}", tail in "[a-z=;.() \"\\\\]{0,40}") {
        let fields = [("Authentication-Results", value.clone()), ("Authentication-Results", format!("{ID}; {tail}"))];
        prop_assert!(!proves(fields, ID, "ann@example.org"));
        let fields = [("Received", value), ("Authentication-Results", format!("{ID}; {tail}"))];
        prop_assert!(!proves(fields, ID, "ann@example.org"));
    }

    #[test]
    fn nothing_inside_a_quoted_string_or_a_comment_counts(inside in "[a-z=;. ]{0,30}") {
        let hidden = format!("{inside}; dmarc=pass header.from=example.org; {inside}");
        let comment = format!("spf=none ({hidden})");
        prop_assert!(!says(&comment));
        let quoted = format!("spf=none reason=\"{hidden}\"");
        prop_assert!(!says(&quoted));
    }
}
