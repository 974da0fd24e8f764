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

/// At least 95 of a hundred replies of each corpus are found as people see them, and no quoted line is taken for a
/// new one.
#[test]
fn corpus() {
    let Some(folder) = crate::support::real_mails().map(|root| root.join("replies")) else {
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
    // Replies, and those of them found as people see them, of each of the two corpora.
    let mut counts = [(0, 0); 2];
    for (name, text, expected) in &cases {
        let found = new_text(text);
        for line in found.new.lines() {
            assert!(!line.trim_start().starts_with('>'), "{name}: a quoted line is new: {line}");
        }
        if words(expected).is_empty() {
            assert_eq!(words(&found.new), Vec::<&str>::new(), "{name}: it holds no reply");
            continue;
        }
        let (replies, equal) = &mut counts[usize::from(name.ends_with(".eml"))];
        *replies += 1;
        if words(&found.new) == words(expected) {
            *equal += 1;
        } else {
            println!("--- {name}: expected\n{expected:.400}\n--- found\n{:.400}", found.new);
        }
    }
    println!("{counts:?} replies equal ({} texts)", cases.len());
    for ((replies, equal), least) in counts.into_iter().zip([60, 12]) {
        assert!(replies >= least && equal * 100 >= replies * 95, "{equal} of {replies}");
    }
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

/// Lines above a quote that is marked with `>`, or is not marked at all.
const ATTRIBUTIONS: &[&str] = &[
    // Yahoo
    "Am Montag, 16. November 2026 um 17:02:00 MEZ hat Turnpost <play@turnpost.example> Folgendes geschrieben:",
    "Turnpost <play@turnpost.example> hat am Montag, 16. November 2026 um 17:02:00 MEZ Folgendes geschrieben:",
    "Am Montag, 16. November 2026 um 17:02:00 MEZ hat Turnpost\n<play@turnpost.example> Folgendes geschrieben:",
    "2026年11月16日 月曜日 17:02:00 JST、Turnpost <play@turnpost.example> が書き込みました:",
    "2026年11月16日月曜日 17:02:00 JST、Turnpost\n<play@turnpost.example> が書き込みました:",
    "On Monday, November 16, 2026 at 05:02:00 PM GMT+1, Turnpost via x\n<play@turnpost.example> wrote:",
    // No colon
    "On Mon, Nov 16, 2026 at 5:02 PM Turnpost <play@turnpost.example> wrote",
    "On Mon, Nov 16, 2026 at 5:02 PM Turnpost <play@turnpost.example>\nwrote",
    "Am 16.11.2026 um 17:02 schrieb Turnpost",
    "Am 16.11.26 um 17:02 schrieb Turnpost <play@turnpost.example>",
    "Le 16/11/2026 à 17:02, Turnpost a écrit",
    "El 16 nov 2026, a las 17:02, Turnpost <play@turnpost.example> escribió",
    // from x@y
    "Monday, November 16, 2026 5:02 PM +03:00 from Turnpost <play@turnpost.example>:",
    "Monday, 16 November 2026 from play@turnpost.example:",
    "Понедельник, 16 ноября 2026, 17:02 +03:00 от Turnpost <play@turnpost.example>:",
    "Nov 16, 2026, 17:02 by play@turnpost.example:",
    "16. Nov. 2026, 17:02 von play@turnpost.example:",
    "16.11.2026, 17:02, \"Turnpost\" <play@turnpost.example>:",
    "16 ноября 2026, 17:02, play@turnpost.example:",
    // On several lines
    "On Nov 16, 2026\nTurnpost\nwrote:",
    "16 November 2026 17:02\nTurnpost <play@turnpost.example>\nwrote:",
    "Monday, 16 November 2026\nTurnpost\nwrote:",
    "Am 16.11.2026\nschrieb Turnpost\n<play@turnpost.example>:",
    "Le 16 nov. 2026\nTurnpost <play@turnpost.example>\na écrit :",
    "Turnpost <play@turnpost.example>\n16/11/2026 17:02\nwrote:",
    "On Mon, 16 Nov 2026 at 17:02, Turnpost\n<play@turnpost.example>\nwrote:",
    // Programs
    "----- On Nov 16, 2026, at 5:02 PM, Turnpost play@turnpost.example wrote:",
    "----- Le 16 Nov 26, à 17:02, Turnpost play@turnpost.example a écrit :",
    "On 2026-11-16 17:02, Turnpost wrote:",
    "Am 2026-11-16 17:02, schrieb Turnpost:",
    "Turnpost писал 2026-11-16 17:02:",
    "Turnpost писал(а) 16.11.2026 17:02:",
    "2026-11-16 17:02 に Turnpost さんは書きました:",
    "於 2026-11-16 17:02，Turnpost 寫到：",
    "On Monday, November 16, 2026 17:02 CET, Turnpost <play@turnpost.example> wrote:",
    "Monday, November 16, 2026, 5:02:00 PM, you wrote:",
    "Am Montag, 16. November 2026 um 17:02 schrieben Sie:",
    "Вы писали 16 ноября 2026 г., 17:02:00:",
    "Am Montag, dem 16.11.2026 um 17:02 +0100 schrieb Turnpost:",
    "Il giorno lun, 16/11/2026 alle 17.02 +0100, Turnpost ha scritto:",
    "Dnia 2026-11-16, pon o godzinie 17:02 +0100, Turnpost pisze:",
    "W liście datowanym poniedziałek, 16 listopada 2026 17:02:00 CET piszesz:",
    "In data lunedì 16 novembre 2026 17:02:00 CET, Turnpost ha scritto:",
    "On Mon, Nov 16, 2026 at 05:02:00PM +0100, Turnpost wrote:",
    "* Turnpost <play@turnpost.example> [2026-11-16 17:02]:",
    "Turnpost <play@turnpost.example> writes:",
    "Turnpost <play@turnpost.example> schrieb am Mo., 16. Nov. 2026, 17:02:",
    "On Nov 16, 2026, 17:02 +0100, Turnpost <play@turnpost.example>, wrote:",
    "On 16 November 2026 at 17:02:00, Turnpost (play@turnpost.example) wrote:",
    "---- Am Mo., 16 Nov. 2026 17:02:00 +0100 Turnpost <play@turnpost.example> schrieb ----",
    "---- On Mon, 16 Nov 2026 17:02:00 +0100 Turnpost <play@turnpost.example> wrote ---",
    "Turnpost <play@turnpost.example> wrote on 16.11.2026 17:02:00:",
    "ann via Dvonn Players wrote:",
    "Zitat von Turnpost <play@turnpost.example>:",
    "Citando a Turnpost <play@turnpost.example>:",
    // Languages
    "Pe lun., 16 nov. 2026 la 17:02, Turnpost <play@turnpost.example> a scris:",
    "2026. nov. 16., hétfő 17:02 dátummal Turnpost <play@turnpost.example> ezt írta:",
    "po 16. 11. 2026 v 17:02 odesílatel Turnpost <play@turnpost.example> napsal:",
    "po 16. 11. 2026 o 17:02 Turnpost <play@turnpost.example> napísal(a):",
    "пн, 16 лист. 2026 р. о 17:02 Turnpost <play@turnpost.example> пише:",
    "На пн, 16.11.2026 г. в 17:02 Turnpost <play@turnpost.example> написа:",
    "Στις Δευ 16 Νοε 2026 στις 5:02 μ.μ., ο χρήστης Turnpost <play@turnpost.example> έγραψε:",
    "Turnpost <play@turnpost.example>, 16 Kas 2026 Pzt, 17:02 tarihinde şunu yazdı:",
    "\u{202b}בתאריך יום ב׳, 16 בנוב׳ 2026 ב-17:02 מאת \u{202a}Turnpost\u{202c}\u{200f} <\u{202a}play@turnpost.example\u{202c}\u{200f}>:\u{202c}",
    "في الاثنين، ١٦ نوفمبر ٢٠٢٦ في ٥:٠٢ م تمت كتابة ما يلي بواسطة Turnpost <play@turnpost.example>:",
    "เมื่อ จ. 16 พ.ย. 2026 เวลา 17:02 Turnpost <play@turnpost.example> เขียนว่า:",
    "Vào Th 2, 16 thg 11, 2026 vào lúc 17:02 Turnpost <play@turnpost.example> đã viết:",
    "Pada tanggal Sen, 16 Nov 2026 pukul 17.02 Turnpost <play@turnpost.example> menulis:",
    "2026년 11월 16일 (월) 오후 5:02, Turnpost <play@turnpost.example>님이 작성:",
    "2026年11月16日(月) 17:02 Turnpost <play@turnpost.example>:",
    "2026/11/16 17:02、Turnpost <play@turnpost.example>のメール:",
    "Turnpost <play@turnpost.example> 於 2026年11月16日 下午5:02 寫道：",
    "Turnpost <play@turnpost.example> 于2026年11月16日周一 17:02写道：",
    "El dl., 16 de nov. 2026, 17:02, Turnpost <play@turnpost.example> va escriure:",
];

/// Cases in which something else was found than was expected.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Wrong {
    fn compare(&mut self, mail: &str, expected: &str) {
        let found = new(mail);
        if found != expected {
            self.0.push(format!("{mail:?}\n    {found:?}\n    {expected:?}"));
        }
    }

    fn end(self) {
        assert!(self.0.is_empty(), "{} wrong:\n{}", self.0.len(), self.0.join("\n"));
    }
}

#[test]
fn attributions_of_programs_are_found() {
    let mut wrong = Wrong::default();
    for attribution in ATTRIBUTIONS {
        for gap in ["\n", "\n\n"] {
            let mail = format!("F3\n\nHello\n\n{attribution}{gap}> Your move\n> A3-B4\n\nGood luck!\n");
            wrong.compare(&mail, "F3\n\nHello\n\nGood luck!\n");
        }
        wrong.compare(&format!("F3\n\nHello\n\n{attribution}\n\nYour move\nA3-B4\n"), "F3\n\nHello\n");
        // Without an empty line above.
        wrong.compare(&format!("F3\nHello\n{attribution}\n> A3-B4\n"), "F3\nHello\n");
    }
    wrong.end();
}

/// How earlier mails begin that no attribution introduces.
const EARLIER: &[&str] = &[
    "Gesendet: Montag, 16. November 2026 um 17:02 Uhr\nVon: \"Turnpost\" <play@turnpost.example>\nAn: ann@example.org\nBetreff: dvonn 1",
    "Gesendet: Montag, 16. November 2026 um 17:02 Uhr\nAn: ann@example.org\nVon: Turnpost\nBetreff: dvonn 1",
    "Betreff: dvonn 1\nVon: \"Turnpost\" <play@turnpost.example>\nAn: ann@example.org\nGesendet: 16.11.2026 17:02",
    "*Gesendet:* Montag, 16. November 2026 um 17:02 Uhr\n*Von:* Turnpost\n*An:* Ann",
    "Sent: Monday, November 16, 2026 at 5:02 PM\nFrom: \"Turnpost\" <play@turnpost.example>\nTo: ann@example.org\nSubject: dvonn 1",
    "Date: Mon, 16 Nov 2026 17:02:00 +0100\nFrom: Turnpost <play@turnpost.example>\nTo: ann@example.org\nSubject: dvonn 1",
    "Date: Mon, 16 Nov 2026 17:02:00 +0100\nSubject: dvonn 1\nFrom: play@turnpost.example\nTo: ann@example.org",
    "Date : lundi 16 novembre 2026\nDe : Turnpost <play@turnpost.example>\nÀ : ann@example.org\nObjet : dvonn 1",
    "Message du : 16/11/2026 17:02\nDe : \"Turnpost\" <play@turnpost.example>\nA : ann@example.org\nObjet : dvonn 1",
    "Message du 16/11/26 17:02\nDe : \"Turnpost\" <play@turnpost.example>\nA : ann@example.org\nCopie à :\nObjet : dvonn 1",
    "Fecha: lunes, 16 de noviembre de 2026 17:02\nDe: Turnpost <play@turnpost.example>\nPara: ann@example.org\nAsunto: dvonn 1",
    "Data: 16/11/2026 17:02\nDa: Turnpost <play@turnpost.example>\nA: ann@example.org\nOggetto: dvonn 1",
    "Datum: 16-11-2026 17:02\nVan: Turnpost <play@turnpost.example>\nAan: ann@example.org\nOnderwerp: dvonn 1",
    "Дата: 16.11.2026 17:02\nОт: Turnpost <play@turnpost.example>\nКому: ann@example.org\nТема: dvonn 1",
    "Dato: 16.11.2026 17:02\nFra: Turnpost <play@turnpost.example>\nTil: ann@example.org\nEmne: dvonn 1",
    "Data: 16.11.2026 17:02\nOd: Turnpost <play@turnpost.example>\nDo: ann@example.org\nTemat: dvonn 1",
    "Od: Turnpost\nWysłane: poniedziałek, 16 listopada 2026 17:02\nDo: Ann\nTemat: dvonn 1",
    "日時: 2026年11月16日 17:02\n差出人: Turnpost <play@turnpost.example>\n宛先: ann@example.org\n件名: dvonn 1",
    "发送时间：2026年11月16日 17:02\n发件人：Turnpost <play@turnpost.example>\n收件人：ann@example.org\n主题：dvonn 1",
    "보낸 날짜: 2026년 11월 16일\n보낸 사람: Turnpost <play@turnpost.example>\n받는 사람: ann\n제목: dvonn 1",
    "من: Turnpost <play@turnpost.example>\nتم الإرسال: 16/11/2026 17:02\nإلى: ann\nالموضوع: dvonn 1",
    "מאת: Turnpost <play@turnpost.example>\nנשלח: 16/11/2026 17:02\nאל: ann\nנושא: dvonn 1",
    "Kimden: Turnpost <play@turnpost.example>\nGönderildi: 16 Kasım 2026 17:02\nKime: ann\nKonu: dvonn 1",
    "Από: Turnpost\nΣτάλθηκε: Δευτέρα, 16 Νοεμβρίου 2026 17:02\nΠρος: ann\nΘέμα: dvonn 1",
    "From: Turnpost <play@turnpost.example>\nSent: Monday, November 16, 2026 5:02 PM",
    "From: Turnpost <play@turnpost.example>\nSubject: dvonn 1",
    "----------------\nКому: ann@example.org (ann@example.org);\nТема: dvonn 1;\n16.11.2026, 17:02, \"Turnpost\" <play@turnpost.example>:",
    "------ Originalnachricht ------\nVon \"Turnpost\" <play@turnpost.example>\nAn ann@example.org",
    "**From:** play@turnpost.example\n**Sent:** Monday\n**To:** Ann\n**Subject:** dvonn 1",
    "[Original Message processed by david®]\nFW: dvonn 1",
    "  On Mon, Nov 16, 2026 at 17:02, Turnpost<play@turnpost.example> wrote:   Your move",
    "Sent from Yahoo Mail on Android \n \n  On Mon, Nov 16, 2026 at 17:02, Turnpost<play@turnpost.example> wrote:   Your move",
    "Yahoo Mail: Search, Organize, Conquer \n \n  Am Mo., 16. Nov. 2026 um 17:02 schrieb Turnpost<play@turnpost.example>:   Your move",
    "-----Oprindelig besked-----",
    "-----Oprindelig meddelelse-----",
    "---- Oprindelig besked ----",
    "-----Original Message-----",
    "-------- Original Message --------",
    "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐",
    "——— Original Message ———",
    "------ Originalnachricht ------",
    "-------- Ursprüngliche Nachricht --------",
    "----- Ursprüngliche Mail -----",
    "-----Message d'origine-----",
    "-----Message d’origine-----",
    "----- Mail original -----",
    "-------- Mensaje original --------",
    "-------- Messaggio originale --------",
    "-----Mensagem original-----",
    "-----Oorspronkelijk bericht-----",
    "-----Ursprungligt meddelande-----",
    "-----Opprinnelig melding-----",
    "-----Alkuperäinen viesti-----",
    "-----Исходное сообщение-----",
    "-------- Оригинальное сообщение --------",
    "-----Wiadomość oryginalna-----",
    "-------- Pôvodná správa --------",
    "-----Původní zpráva-----",
    "-----Eredeti üzenet-----",
    "-----Özgün İleti-----",
    "-------- Mesaj original --------",
    "-----Izvorna poruka-----",
    "-----Αρχικό μήνυμα-----",
    "------------------ 原始邮件 ------------------",
    "------------------ Original ------------------",
    "---原始邮件---",
    "----- 元のメッセージ -----",
    "-------- 원본 메시지 --------",
    "-----הודעה מקורית-----",
    "-----الرسالة الأصلية-----",
    "-------- Thư gốc --------",
    "---------- ข้อความต้นฉบับ ----------",
    "---------- Weitergeleitete Nachricht ----------",
    "Anfang der weitergeleiteten Nachricht:",
    "__",
    "__________",
    "—————",
    "--",
    "-- ",
    "–",
];

#[test]
fn earlier_mails_and_signatures_end_the_new_text() {
    let mut wrong = Wrong::default();
    for earlier in EARLIER {
        wrong.compare(&format!("F3\n\nHello\n\n{earlier}\n\nA3-B4\nresign\n"), "F3\n\nHello\n");
    }
    wrong.end();
}

/// What telephones and programs add, in 25 languages.
const FOOTERS: &[&str] = &[
    "Sent from my iPhone",
    "Sent from my Samsung Galaxy smartphone.",
    "Sent from my Verizon, Samsung Galaxy smartphone",
    "Sent from my T-Mobile 4G LTE Device",
    "Sent from Mail for Windows 10",
    "Sent from Yahoo Mail for iPhone",
    "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
    "Sent from my phone, please excuse typos",
    "Sent with Proton Mail secure email.",
    "Sent with [Proton Mail](https://proton.me/mail/home) secure email.",
    "Get Outlook for iOS",
    "Get Outlook for Android<https://aka.ms/AAb9ysg>",
    "Von meinem iPhone gesendet",
    "Von meinem Samsung Galaxy Smartphone gesendet.",
    "Gesendet mit der GMX Mail App",
    "Gesendet mit der mobilen Mail App",
    "Gesendet von Outlook für Android",
    "Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
    "Gesendet von Mail für Windows",
    "Holen Sie sich Outlook für iOS",
    "Envoyé de mon iPhone",
    "Envoyé depuis mon smartphone Samsung Galaxy.",
    "Envoyé à partir de Outlook pour Android",
    "Envoyé avec la messagerie sécurisée Proton Mail.",
    "Obtenir Outlook pour iOS",
    "Provenance : Courrier pour Windows 10",
    "Enviado desde mi iPhone",
    "Enviado desde mi smartphone Samsung Galaxy.",
    "Enviado do meu iPhone",
    "Enviado a partir do Outlook para Android",
    "Inviato da iPhone",
    "Inviato dal mio dispositivo Samsung",
    "Inviato da Posta per Windows 10",
    "Verstuurd vanaf mijn iPhone",
    "Verzonden vanaf Outlook voor Android",
    "Skickat från min iPhone",
    "Skickat från Outlook för Android",
    "Sendt fra min iPhone",
    "Sendt fra Outlook til Android",
    "Lähetetty iPhonesta",
    "Wysłane z iPhone'a",
    "Wysłane z mojego telefonu Samsung Galaxy.",
    "Odesláno z iPhonu",
    "Odoslané z iPhonu",
    "Отправлено с iPhone",
    "Отправлено из мобильной Почты Mail.ru",
    "Отправлено из мобильного приложения Яндекс.Почты",
    "Отправлено с устройства Samsung",
    "Надіслано з iPhone",
    "Изпратено от моя iPhone",
    "Elküldve az iPhone-omról",
    "Az iPhone-omról küldve",
    "Trimis de pe iPhone-ul meu",
    "Στάλθηκε από το iPhone μου",
    "Poslano s mog iPhonea",
    "iPhone'umdan gönderildi",
    "Samsung Galaxy akıllı telefonumdan gönderildi.",
    "iPhoneから送信",
    "私のiPhoneから送信",
    "Galaxyスマートフォンから送信",
    "iOS 版 Outlook を入手",
    "发自我的iPhone",
    "从我的iPhone发送",
    "發自我的 iPhone",
    "從我的 iPhone 傳送",
    "发自我的小米手机",
    "来自我的iPhone手机",
    "나의 iPhone에서 보냄",
    "내 Galaxy에서 보냄",
    "네이버 메일 앱에서 보냈습니다",
    "أُرسلت من الـ iPhone",
    "أرسلت من iPhone",
    "مرسل من هاتفي",
    "تم الإرسال من هاتفي",
    "נשלח מה-iPhone שלי",
    "נשלח מ-iPhone",
    "נשלח מהאייפון שלי",
    "Đã gửi từ iPhone của tôi",
    "ส่งจาก iPhone ของฉัน",
    "Dikirim dari iPhone saya",
    "Dihantar daripada iPhone saya",
    "ارسال شده از iPhone من",
    "मेरे iPhone से भेजा गया",
    "Enviat des del meu iPhone",
    "Išsiųsta iš mano iPhone",
    "Saadetud minu iPhone'ist",
];

#[test]
fn footers_of_telephones_are_no_words_of_their_owners() {
    let mut wrong = Wrong::default();
    for footer in FOOTERS {
        wrong.compare(&format!("F3\n\nHello\n\n{footer}\n"), "F3\n\nHello\n");
        wrong.compare(&format!("F3\n\n{footer}\n\nOn 16.11.2026 at 17:02 Turnpost wrote:\n> x\n"), "F3\n");
    }
    wrong.end();
}

/// What people write that begins like a line of a program.
const PEOPLE: &[&str] = &[
    "Sent from my desk, is much easier than my mobile phone.",
    "Sent from my desk, is much easier",
    "Sent from my phone, so I could not see the board.",
    "Sent from home, where it is warm.",
    "Sent by mail it was too late.",
    "Sent from the airport while I wait for my plane to Rome.",
    "Get Outlook if you want to read this.",
    "Get well soon!",
    "From my phone I cannot see the board.",
    "Von meinem Telefon aus ist das nicht leicht.",
    "Enviado tarde, pero enviado.",
    "Mit der Post gesendet habe ich es auch.",
    "On Monday I wrote to you",
    "On Monday I wrote to you:",
    "On 16.11.2026 I wrote to you",
    "On 16 November 2026 at 17:02 I wrote:",
    "On Monday, 16 November 2026, I played my first game.",
    "From now on I play faster",
    "From: here on it is easy",
    "Date night is tomorrow",
    "Date: tomorrow?",
    "To: or not to be",
    "To be: that is the question",
    "Subject: to change",
    "Am Montag schrieb ich dir",
    "Am 16.11.2026 um 17:02 schrieb ich dir einen Brief:",
    "Le lundi je joue mieux",
    "El lunes no puedo",
    "At 17:02 the train leaves:",
    "In 2024 I won every game.",
    "The plan for 2026:",
    "My mail is ann@example.org:",
    "I met bob@example.net yesterday",
    "He said: hello",
    "As Ann said in 2024 that the corner is strong, here is my plan:",
    "He wrote a book",
    "Ann wrote:",
    "A > B, and B > C",
    "1 - 2 - 3",
    "- one\n- two",
    "---",
    "I <3 this game",
    "Original message: see below",
    "The original message was nice",
    "Today 17:02",
    "An: idea",
    "De: nada",
    "A: yes\nB: no",
    "Q: who?\nA: me",
    "From: A3\nTo: B4",
    "Re: your move",
    "Von: dir\nich bin dran",
    "https://example.org/On-2026-11-16-Ann-wrote:",
    "Disclaimers are boring",
    "In message 3 you wrote that I win",
    "2. I take it\n3. you move",
    "Good game - see you on Mon 16 Nov",
    "Meeting notes 2026-11-16 10:30 with ann@example.org:",
    "Wie am 16.11.2026 17:02 besprochen:",
    "In reply to your mail:",
];

#[test]
fn what_people_write_like_programs_is_new() {
    let attribution = "On Mon, Nov 16, 2026 at 5:02 PM Turnpost <play@turnpost.example> wrote:";
    let mut wrong = Wrong::default();
    for text in PEOPLE {
        for mail in
            [format!("F3\n\n{text}\n"), format!("F3\n{text}\n\nBye\n"), format!("F3\n\n{text}\n\nBye\nAnn\n")]
        {
            wrong.compare(&mail, &mail);
        }
        // Above a reply's attribution too.
        wrong.compare(
            &format!("F3\n\n{text}\nBye\n\n{attribution}\n\n> x\n"),
            &format!("F3\n\n{text}\nBye\n"),
        );
        if *text != "---" {
            wrong.compare(&format!("F3\n{text}\n{attribution}\n> x\n"), &format!("F3\n{text}\n"));
        }
    }
    wrong.end();
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
