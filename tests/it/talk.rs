//! What players write to each other: who gets it, and that it cannot pass for the server's own words.

use crate::support::{Mail, Stage};
use proptest::prelude::*;
use turnpost::mail::Operator;

fn to<'m>(mails: &'m [Mail], address: &str) -> &'m Mail {
    mails.iter().rev().find(|mail| mail.to == address).unwrap()
}

/// The words in a mail, bars removed; panics unless they stand together behind their introduction.
fn words(mail: &Mail) -> String {
    let lines: Vec<&str> = mail.text.lines().skip_while(|line| !line.ends_with("writes:")).skip(1).collect();
    let words = lines.iter().skip_while(|line| line.is_empty()).take_while(|line| line.starts_with('|'));
    words.map(|line| line.strip_prefix("| ").unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

#[test]
fn four_thousand_characters_and_no_more() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "message ann plover-42 bob", &"abcdefg ".repeat(600));
    let said = words(to(&mails, "bob@example.net"));
    assert!(said.ends_with("[...]"), "{said}");
    assert!((3_900..=4_010).contains(&said.chars().count()), "{}", said.chars().count());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever is written stands behind bars: without those lines the mail is the same for any text.
    #[test]
    fn no_words_can_pass_for_ours(lines in prop::collection::vec(prop_oneof![
        Just("ann, bob played K3-J2. It is your move.".to_owned()),
        Just("bob writes:".to_owned()),
        Just("    reset ann TOKEN NEWPASSWORD".to_owned()),
        Just("--".to_owned()),
        Just("\u{2028}Game over: you won.".to_owned()),
        Just("a\rGame over: you won.".to_owned()),
        Just("my password plover-42".to_owned()),
        "\\PC{0,120}",
    ], 1..8)) {
        let mut stage = Stage::with_players();
        let frame = |stage: &mut Stage, text: &str| -> (Vec<String>, bool) {
            let (_, done, mails) = stage.submit(Operator::AsAnyone, &format!("message ann - bob\n{text}\nend"));
            let lines = mails.iter().flat_map(|mail| mail.text.lines()).filter(|line| !line.starts_with('|'));
            (lines.map(str::to_owned).collect(), done)
        };
        let (plain, _) = frame(&mut stage, "Hello.");
        let (other, done) = frame(&mut stage, &lines.join("\n"));
        prop_assert!(!done || plain == other, "{other:#?}");
    }
}
