//! What is new in a reply.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::rounds;
use proptest::prelude::*;
use turnpost::mail::ServerIdentity;
use turnpost::mail::incoming::{Envelope, Incoming, read};
use turnpost::mail::reply_text::{first_line, new_text};

fn new(text: &str) -> String {
    new_text(text).new
}

/// Texts to their words: the corpus is compared up to white space.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// The corpus keeps quoted lines that a reply stands between; they are not new, so they are no part of what is
/// expected here.
fn unquoted(text: &str) -> String {
    text.lines()
        .filter(|line| !line.trim_start().starts_with('>'))
        .fold(String::new(), |all, line| all + line + "\n")
}

fn files(folder: &Path, ending: &str) -> BTreeMap<String, PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    named.filter(|(name, _)| name.ends_with(ending)).collect()
}

/// The text of a mail, by the way every mail comes in.
fn text_of(path: &Path) -> Option<String> {
    let site = ServerIdentity {
        name: "Turnpost".to_owned(),
        address: "play@turnpost.example".to_owned(),
        aliases: Vec::new(),
        host: "turnpost.example".to_owned(),
        authserv_id: None,
        extensions: true,
    };
    match read(&std::fs::read(path).unwrap(), &Envelope::default(), &site) {
        Incoming::Letter(letter) => Some(letter.text),
        _ => None,
    }
}

/// At least 95 of a hundred replies are found as people see them, and no quoted line is taken for a new one.
#[test]
fn corpus() {
    let Some(folder) = std::env::var_os("TURNPOST_EMAILS").map(|root| PathBuf::from(root).join("replies"))
    else {
        println!("TURNPOST_EMAILS is not set: no corpus is read");
        return;
    };
    let mut cases = Vec::new();
    for (name, path) in files(&folder.join("trimmer-emails"), ".txt") {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let expected = std::fs::read(folder.join("trimmer-expected").join(&name)).unwrap();
        cases.push((name, text, unquoted(&String::from_utf8_lossy(&expected))));
    }
    for (name, path) in files(&folder.join("talon"), ".eml") {
        let text = text_of(&path).unwrap_or_else(|| panic!("{name} is no letter"));
        // The reply in each of them is this word.
        cases.push((name, text, "Hello".to_owned()));
    }
    let (mut replies, mut equal) = (0, 0);
    for (name, text, expected) in &cases {
        let found = new_text(text);
        for line in found.new.lines() {
            assert!(!line.trim_start().starts_with('>'), "{name}: a quoted line is new: {line}");
        }
        if words(expected).is_empty() {
            assert_eq!(words(&found.new), Vec::<&str>::new(), "{name}: it holds no reply");
            continue;
        }
        replies += 1;
        if words(&found.new) == words(expected) {
            equal += 1;
        } else {
            println!("--- {name}: expected\n{expected:.400}\n--- found\n{:.400}", found.new);
        }
    }
    println!("{equal} of {replies} replies equal ({} texts)", cases.len());
    assert!(replies > 60 && equal * 100 >= replies * 95, "{equal} of {replies}");
}

#[test]
fn attributions_in_many_languages() {
    for attribution in [
        "On Mon, 16 Nov 2026 at 17:02, Turnpost <play@turnpost.example> wrote:",
        "On Mon, Nov 16, 2026 at 5:02\u{202F}PM Turnpost <\nplay@turnpost.example> wrote:",
        "On Monday, November 16, 2026, 05:02:00 PM GMT+1, Turnpost\n<play@turnpost.example> wrote: ",
        "On 11/16/26 17:02, Turnpost wrote:",
        "Am 16.11.26 um 17:02 schrieb Turnpost:",
        "Am Mo., 16. Nov. 2026 um 17:02 Uhr schrieb Turnpost <\nplay@turnpost.example>:",
        "Le 16/11/2026 \u{e0} 17:02, Turnpost a \u{e9}crit\u{a0}:",
        "Le lun. 16 nov. 2026 \u{e0} 17:02, Turnpost <play@turnpost.example> a\n\u{e9}crit :",
        "El lun, 16 nov 2026 a las 17:02, Turnpost (<play@turnpost.example>) escribi\u{f3}:",
        "Il giorno lun 16 nov 2026 alle ore 17:02 Turnpost <play@turnpost.example> ha\nscritto:",
        "Il 16/11/2026 17:02, Turnpost ha scritto:",
        "Op ma 16 nov. 2026 om 17:02 schreef Turnpost <play@turnpost.example>:",
        "Op 16-11-2026 om 17:02 schreef Turnpost:",
        "Den m\u{e5}n 16 nov. 2026 kl 17:02 skrev Turnpost <play@turnpost.example>:",
        "man. 16. nov. 2026 kl. 17:02 skrev Turnpost <play@turnpost.example>:",
        "W dniu 16.11.2026 o\u{a0}17:02, Turnpost pisze:",
        "pon., 16 lis 2026 o 17:02 Turnpost <play@turnpost.example> napisa\u{142}(a):",
        "Em seg., 16 de nov. de 2026 \u{e0}s 17:02, Turnpost <play@turnpost.example>\nescreveu:",
        "\u{43f}\u{43d}, 16 \u{43d}\u{43e}\u{44f}\u{431}. 2026 \u{433}. \u{432} 17:02, Turnpost <play@turnpost.example>:\n",
        "16.11.2026 17:02, Turnpost \u{43f}\u{438}\u{448}\u{435}\u{442}:",
        "Dne 16. 11. 2026 v 17:02 Turnpost napsal(a):",
        "ma 16. marrask. 2026 klo 17.02 Turnpost (play@turnpost.example) kirjoitti:",
        "16 Kas 2026 Pzt 17:02 tarihinde Turnpost <play@turnpost.example> \u{15f}unu\nyazd\u{131}:",
        "Turnpost <play@turnpost.example> ezt \u{ed}rta (id\u{151}pont: 2026. nov. 16., H, 17:02):",
        "2026\u{5e74}11\u{6708}16\u{65e5}(\u{6708}) 17:02 Turnpost <play@turnpost.example>:",
        "Turnpost <play@turnpost.example> \u{4e8e}2026\u{5e74}11\u{6708}16\u{65e5}\u{5468}\u{4e00} 17:02\u{5199}\u{9053}\u{ff1a}",
        "\u{5728} 2026\u{5e74}11\u{6708}16\u{65e5}\u{ff0c}17:02\u{ff0c}Turnpost <play@turnpost.example> \u{5199}\u{9053}\u{ff1a}",
        "---- On Mon, 16 Nov 2026 17:02:00 +0100 Turnpost <play@turnpost.example> wrote ----",
        "Quoting Turnpost <play@turnpost.example>:",
        "On Friday Turnpost wrote:",
    ] {
        let quoted = new_text(&format!("F3\n\n{attribution}\n\n> Your move\n>\n> A3-B4\n\nGood luck!\n"));
        assert_eq!(quoted.new, "F3\n\nGood luck!\n", "{attribution}");
        assert!(quoted.quoted && !quoted.signed);
        if attribution.chars().any(|c| c.is_ascii_digit())
            && attribution.contains(':')
            && !attribution.ends_with('\n')
        {
            assert_eq!(new(&format!("F3\n\n{attribution}\n\nA3-B4\nresign\n")), "F3\n", "{attribution}");
        }
    }
}

#[test]
fn outlook_and_forwarded_mails() {
    for earlier in [
        "-----Original Message-----\nFrom: x",
        "________________________________\nVon: Turnpost\nGesendet: heute",
        "________________________________________",
        "-----Urspr\u{fc}ngliche Nachricht-----",
        "----- Mensaje original -----",
        "---------- Forwarded message ---------",
        "Begin forwarded message:",
        "*-------- Original Message --------*",
        "From: Turnpost <play@turnpost.example>\nSent: Monday\nTo: Ann\nSubject: dvonn 42",
        "*Von:* Turnpost\n*Gesendet:* Montag\n*An:* Ann",
        "De : Turnpost\nEnvoy\u{e9} : lundi\n\u{c0} : Ann\nObjet : dvonn 42",
        "De: Turnpost\nEnviado el: lunes\nPara: Ann\nAsunto: dvonn 42",
        "\u{53d1}\u{4ef6}\u{4eba}: Turnpost\n\u{65e5}\u{671f}: 2026\n\u{4e3b}\u{9898}: dvonn",
        "From: Turnpost\n <play@turnpost.example>\n\nDate: Monday\n\nTo: Ann",
    ] {
        let found = new_text(&format!("F3\n\nHello\n\n{earlier}\n\nA3-B4\nresign\n"));
        assert_eq!(found.new, "F3\n\nHello\n", "{earlier}");
    }
}

#[test]
fn signatures() {
    for signature in [
        "-- \nAnn\nresign",
        "--\nAnn",
        "\u{2014}\nAnn",
        "Sent from my iPhone",
        "Envoy\u{e9} de mon iPhone",
        "Von meinem iPhone gesendet",
        "Diese Nachricht wurde von meinem Android-Ger\u{e4}t mit K-9 Mail gesendet.",
        "Enviado desde mi iPhone",
        "Inviato da iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Skickat fr\u{e5}n min iPhone",
        "Get Outlook for Android<https://aka.ms/x>",
        "\u{53d1}\u{81ea}\u{6211}\u{7684} iPhone",
        "iPhone\u{304b}\u{3089}\u{9001}\u{4fe1}",
        "CONFIDENTIALITY NOTICE: nobody may read this.\nresign",
    ] {
        let found = new_text(&format!("F3\n\n{signature}\n"));
        assert_eq!((found.new.as_str(), found.signed), ("F3\n", true), "{signature}");
        let above = new_text(&format!("F3\n\n{signature}\n\nOn 16.11.2026 at 17:02 Turnpost wrote:\n> x\n"));
        assert_eq!(above.new, "F3\n", "{signature}");
    }
}

#[test]
fn quotes_at_the_top_between_and_wrapped() {
    assert_eq!(new("> Your move\n>> older\n\nF3\n"), "F3\n");
    assert_eq!(new("> one?\nyes\n> two?\nno\n"), "yes\nno\n");
    assert_eq!(new("\u{feff}\u{200b}> resign\n  > resign\n\u{a0}> resign\nF3"), "F3");
    let unknown = "Turnpost <play@turnpost.example> skribis 16.11.2026 17.02 horo:";
    assert_eq!(new(&format!("{unknown}\n> resign\n\nF3\n")), "F3\n");
    assert_eq!(new("Ann> resign\nF3\n"), "F3\n");
    let wide = "x".repeat(70);
    assert_eq!(new(&format!("> {wide}\nF3\n> more\n")), "", "the end of a quoted line that was wrapped");
    // In doubt nothing plays: no mark tells the earlier mail from a new one.
    assert_eq!(new("On 16.11.2026 at 17:02 Ann <ann@x.org> wrote:\n\nresign\n"), "");
}

#[test]
fn what_people_write_is_left_alone() {
    for text in [
        "",
        "\n",
        "F3",
        "F3\r\nI wrote: a letter\r\n",
        "On my second move I wrote:\n\nA3-B4\n",
        "Not from: me\nto: you\n",
        "From: here on it is easy\nwe shall see\n",
        "- A\n- B\n---\n+---+---+\n| x | o |\n+---+---+\n",
        "a > b\n1 > 0\nA3>B4\n",
        "Sent from my iPhone\nis what it said\n",
        "At 5 I leave\non 3 occasions: none\n",
        "\u{200b}\n\u{a0}D1\u{2013}E1\n\n\n",
    ] {
        let found = new_text(text);
        assert_eq!((found.new.as_str(), found.quoted, found.signed), (text, false, false));
    }
}

#[test]
fn the_first_line_that_can_be_seen() {
    assert_eq!(first_line("\n\u{200b}\u{a0}\r\n\u{feff}D1\u{2013}E1 \r\nx"), Some("\u{feff}D1\u{2013}E1 "));
    assert_eq!(first_line(" \n\u{200b}\n"), None);
    assert_eq!(new_text("> x\n\nF3\n\n> y\n").first_line(), Some("F3"));
}

#[test]
fn a_mebibyte_of_the_worst_is_read() {
    let length = rounds(1 << 17, 1 << 20) as usize;
    for piece in [
        "On 1 <\n",
        "a@b.c wrote\n",
        "> \n\n",
        "From: x\n",
        "\n",
        "x",
        "<",
        "On Friday Ann wrote:\n\n",
        "Sent from my x\n",
        "2026-1\n",
        "--- On 1:1 wrote @\n",
    ] {
        let found = new_text(&piece.repeat(length / piece.len()));
        assert!(found.new.len() <= length, "{piece:?}");
    }
    // A square of the length would take hours.
}

fn strange_line() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        "[>|<@:. a-z0-9-]{0,20}",
        prop::sample::select(vec![
            "> quoted",
            "On 3 Apr 2026, Ann <ann@x.org> wrote:",
            "On 3 Apr 2026, Ann",
            "<ann@x.org> wrote:",
            "-- ",
            "",
            "From: ann",
            "Sent: now",
            "To: bob",
            "Subject: x",
            "-----Original Message-----",
            "Sent from my iPhone",
            "F3",
            "____________",
            ">:",
            "\u{5728} 2026",
            "&gt; x",
            "***",
            "Ann> x",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn new_lines_are_lines_of_the_mail_in_order(
        lines in prop::collection::vec((strange_line(), prop::sample::select(vec!["\n", "\r\n"])), 0..30),
    ) {
        let text: String = lines.iter().map(|(line, end)| format!("{line}{end}")).collect();
        let found = new_text(&text);
        let mut rest = text.split_inclusive('\n');
        for line in found.new.split_inclusive('\n') {
            prop_assert!(rest.any(|old| old == line), "{line:?} is not in its place");
            if found.quoted || found.signed {
                prop_assert!(!line.trim_start().starts_with('>'));
            }
        }
        prop_assert!(found.quoted || found.signed || found.new == text);
        prop_assert!(!found.new.split('\n').any(|line| line.trim_start().starts_with('>')));
        // Nothing is left in it to be found.
        let again = new_text(&found.new);
        prop_assert!(again.new.len() <= found.new.len());
        let _ = first_line(&text);
    }

    #[test]
    fn a_text_without_quotes_and_signatures_is_new(text in "([a-zA-Z,.!? ]{0,40}\n){0,12}") {
        prop_assume!(!text.to_lowercase().contains("sent") && !text.to_lowercase().contains("wrote"));
        prop_assert_eq!(new_text(&text).new, text);
    }

    #[test]
    fn no_text_is_too_strange(text in ".{0,400}") {
        let _ = new_text(&text);
    }
}
