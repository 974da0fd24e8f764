//! Mails as gateways, lists, robots and other mail servers leave them: those of `tests/cases`, and their kin in
//! `tests/data/real-mail.txt`. Each comes to a new server with ann and bob on a board where D1-E1 is legal.

use std::path::Path;

use crate::support::data::{DataFile, decoded};
use crate::support::{ADDRESS, ANN, Stage};
use turnpost::mail::incoming::{Envelope, EnvelopeSender};

/// The header of a mail of ann's, but for what begins its body.
const HEAD: &str = "From: Ann <ann@example.org>\nTo: @TOKEN@\nSubject: Re: dvonn 1, ann v bob\n\
    Message-ID: <case@example.org>\nMIME-Version: 1.0\n";

fn reply_to(raw: &str) -> String {
    let field = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
    field.rsplit_once('<').map_or(field, |(_, address)| address.trim_end_matches('>')).to_owned()
}

/// What is wrong about what a mail does, come through a door as `tests/cases/INDEX.tsv` names them.
fn wrong(door: &str, want: &str, mail: &str) -> Option<String> {
    let mut stage = Stage::with_a_game();
    let board = stage
        .left
        .iter()
        .rev()
        .find(|mail| mail.to == "ann@example.org" && mail.raw().contains("+b1."))
        .unwrap();
    let (token, id) = (reply_to(&board.raw()), board.id.clone());
    let verp =
        stage.envelopes.iter().rev().find(|envelope| envelope.to == "bob@example.net").unwrap().from.clone();
    let confirm = match door {
        "confirm" => reply_to(&stage.mail("carl@example.org", "signup carl heron-12", "")[0].raw()),
        _ => String::new(),
    };
    let verp = verp.unwrap_or_default();
    let mail = mail.replace("play@example.net", ADDRESS).replace("bob@example.com", "bob@example.net");
    let mail = mail
        .replace("@TOKEN@", &token)
        .replace("@VERP@", &verp)
        .replace("@CONFIRM@", &confirm)
        .replace("@ID@", &id);
    let (to, from) = match door.split_once(' ').unwrap_or((door, "")) {
        ("token", _) => (Some(token.as_str()), "ann@example.org"),
        ("bare", _) => (Some(ADDRESS), "ann@example.org"),
        ("verp", _) => (Some(verp.as_str()), ""),
        ("confirm", _) => (Some(confirm.as_str()), "carl@example.org"),
        ("noflag", _) => (None, "ann@example.org"),
        ("stranger", address) => (Some(ADDRESS), address),
        _ => panic!("no door {door}"),
    };
    let envelope = Envelope { sender: Some(EnvelopeSender::read(from)), recipient: to.map(str::to_owned) };
    let sent = stage.receive_from(&envelope, mail.as_bytes());
    let plies = stage.store.board("1".parse().unwrap()).unwrap().unwrap().plies.0;
    let told = |name: &str| sent.iter().any(|mail| mail.to.starts_with(name));
    let to_bob = sent.iter().filter(|mail| mail.to == "bob@example.net").flat_map(|mail| mail.text.lines());
    let hears: Vec<&str> = to_bob.filter_map(|line| line.strip_prefix("| ")).map(str::trim).collect();
    let hears = hears.join(" / ");
    let expected = want.split_once("hears \"").map(|(_, words)| words.split_once('"').unwrap().0);
    let is_heard = expected.is_none_or(|words| hears == words);
    let conn = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    let count = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
    let is_right = match want.split([' ', ';', ',', ':']).next().unwrap() {
        "silent" => sent.is_empty() && plies == 0,
        "plays" => plies == 1 && is_heard,
        "hears" => plies == 0 && is_heard,
        "confirms" => {
            count("SELECT count(*) FROM addresses WHERE address LIKE 'carl%' AND confirmed_at > 0") == 1
        }
        "counts" | "temporary" => count("SELECT coalesce(sum(count), 0) FROM bounces") == 0,
        "gone" => count("SELECT coalesce(sum(count), 0) FROM bounces") == 1,
        "an" => plies == 0 && told("ann"),
        "answered" => {
            sent.len() == 1 && plies == 0 && expected_words(want).all(|words| sent[0].raw().contains(words))
        }
        _ => panic!("{want}"),
    };
    let said: Vec<String> = sent.iter().map(|mail| format!("to {}: {}", mail.to, mail.text)).collect();
    (!is_right)
        .then(|| format!("plies {plies}, bob hears {hears:?}, {:?}\n{}", stage.outcome, said.join("\n---\n")))
}

/// What an answer must hold: the words behind `answered:`, each behind a `;`.
fn expected_words(want: &str) -> impl Iterator<Item = &str> {
    want.split_once(": ").map_or("", |(_, words)| words).split("; ").filter(|words| !words.is_empty())
}

fn none_wrong(all: impl Iterator<Item = (String, Option<String>)>) {
    let wrong: Vec<String> =
        all.filter_map(|(name, why)| why.map(|why| format!("=== {name}\n{why}"))).collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_cases_that_were_read_wrongly() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let index = std::fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    none_wrong(index.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, door, want, ..] = columns.as_slice() else { panic!("{line}") };
        let mail = std::fs::read_to_string(folder.join(file)).unwrap();
        (format!("{file}: {want}"), wrong(door, want, &mail))
    }));
}

/// Sections `DOOR: WANT`, an entry `name | mail` a line.
#[test]
fn their_kin() {
    let file = DataFile::read("real-mail.txt");
    none_wrong(file.sections().filter(|(section, _)| section.contains(": ")).flat_map(|(section, table)| {
        let (door, want) = section.split_once(": ").unwrap();
        table.lines().map(move |line| {
            let (name, mail) = line.split_once(" | ").unwrap_or_else(|| panic!("{line}"));
            (format!("{section}: {name}"), wrong(door, want, &decoded(mail).replace("HEAD", HEAD)))
        })
    }));
}

/// A banner above a move, in plain text and in HTML, and above the `yes` that confirms.
#[test]
fn banners_are_not_read_and_what_people_write_is() {
    let file = DataFile::read("real-mail.txt");
    let html = |banner: &str, block: &str| {
        let lines: Vec<String> = banner.lines().map(|line| line.replace('<', "&lt;")).collect();
        format!(
            "{HEAD}Content-Type: text/html; charset=utf-8\n\n<{block}>{}</{block}><div>D1-E1</div><div>Nice game!</div>\n",
            lines.join("<br>")
        )
    };
    let plain = format!("{HEAD}Content-Type: text/plain; charset=utf-8\n\n");
    let hears = "plays D1-E1; bob hears \"Nice game!\"";
    none_wrong(file.entries("banners").into_iter().flat_map(|banner| {
        let table = html(&banner, "table><tr><td").replace("</table><tr><td>", "</td></tr></table>");
        let mails = [
            ("plain", format!("{plain}{banner}\n\nD1-E1\n\nNice game!\n")),
            ("close above", format!("{plain}{banner}\nD1-E1\n\nNice game!\n")),
            ("div", html(&banner, "div")),
            ("table", table),
        ];
        let yes = format!(
            "From: carl@example.org\nTo: @CONFIRM@\nSubject: Re: welcome\nMessage-ID: <y@x.example>\n\
            Content-Type: text/plain; charset=utf-8\n\n{banner}\n\nyes\n"
        );
        let moves = mails.map(|(name, mail)| (format!("{name}: {banner}"), wrong("token", hears, &mail)));
        moves.into_iter().chain([(format!("yes: {banner}"), wrong("confirm", "confirms", &yes))])
    }));
    none_wrong(file.entries("no banners").into_iter().map(|words| {
        let heard: Vec<&str> = words.lines().filter(|line| !line.is_empty()).collect();
        let want = format!("plays D1-E1; bob hears \"{}\"", heard.join(" / "));
        (words.clone(), wrong("token", &want, &format!("{plain}D1-E1\n\n{words}\n")))
    }));
    // Above the move they are words as much as below it.
    none_wrong(file.entries("no banners").into_iter().map(|words| {
        let mail = format!("{plain}{words}\n");
        let want = format!(
            "hears \"{}\"",
            words.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" / ")
        );
        (words, wrong("token", &want, &mail))
    }));
}

#[test]
fn a_banner_of_the_hosts_own_is_not_read() {
    let mut stage = Stage::with(|config| config.banners = vec!["Scanned for Acme Ltd".to_owned()]).peopled();
    let text = format!("[Scanned for ACME Ltd:\nno threat found]\n\nset ann {ANN} digest on\n");
    let mails = stage.mail("ann@example.org", "", &text);
    assert!(!mails[0].text.contains("threat") && mails[0].text.contains("digest"), "{}", mails[0].text);
}
