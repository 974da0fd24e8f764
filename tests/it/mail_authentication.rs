//! Whose word is taken for who sent a mail.

use crate::support::data::DataFile;
use crate::support::mails::site;
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

/// The lines of a section of `tests/data/authentication.txt`.
fn all(section: &str) -> Vec<String> {
    let lines = DataFile::read("authentication.txt").entries(section).into_iter();
    lines
        .map(|line| line.replace("{ID}", ID).replace("{PASS}", "dmarc=pass header.from=example.org"))
        .collect()
}

/// One field of the configured server's.
fn says(results: &str) -> bool {
    proven(&format!("Authentication-Results: {ID}; {results}"))
}

#[test]
fn what_proves_and_what_does_not() {
    for results in all("results that prove") {
        assert!(says(&results), "{results}");
    }
    for results in all("results that prove nothing") {
        assert!(!says(&results), "{results}");
    }
    let above = [("Authentication-Results", format!("{ID}; dkim=pass header.d=example.org"))];
    let by = |row: &String| {
        let (signer, domain) = row.split_once(' ').unwrap();
        let field = [("Authentication-Results", format!("{ID}; dkim=pass header.d={signer}"))];
        proves(field, ID, &format!("ann@{domain}"))
    };
    for row in all("a signature is by the domain in From") {
        assert!(by(&row), "{row}");
    }
    for row in all("and by no other, above or below") {
        assert!(!by(&row), "{row}");
    }
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
    for header in all("fields that prove") {
        assert!(proven(&header), "{header}");
    }
    for header in all("fields that prove nothing") {
        assert!(!proven(&header), "{header}");
    }
}

#[test]
fn a_letter_is_proven_only_where_a_server_is_configured() {
    let proof = |authserv_id: Option<&str>, header: &str, from: &str| {
        let site = ServerIdentity { authserv_id: authserv_id.map(str::to_owned), ..site() };
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
