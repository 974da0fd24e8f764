//! The HTML of mails, as wide as on a desk and on a phone. Pictures of some are kept in `tests/browser/pictures`.

use std::collections::BTreeMap;

use mailparse::{ParsedMail, parse_mail};
use minijinja::Value;
use minijinja::value::Serde;
use serde_json::{Value as Json, json};
use turnpost::compose::html::{self, MailFrame, Reply};
use turnpost::compose::{AsRead, Templates, compose};
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::notices::mail::{Content, Keep, Purpose, Recipient};
use turnpost::notices::{self, Transcript};
use turnpost_games::registry;

use crate::chromium::Browser;
use crate::support::mails::site;
use crate::support::{BEGINS, Mail, Stage};

const SITE: &str = "https://turnpost.example";

/// The HTML of a mail.
struct Page {
    name: String,
    html: String,
}

/// Every block of every template.
fn samples() -> Vec<Page> {
    let templates = Templates::new(None, &site(), "operator@turnpost.example", Some(SITE));
    let samples: BTreeMap<String, Vec<Json>> =
        serde_json::from_str(include_str!("../../src/compose/samples.json")).unwrap();
    let at = AsRead::by_default(BEGINS.parse().unwrap());
    let page = |template: &'static str, sample: &Json| {
        let mail = notices::Mail {
            to: Recipient::Address("ann@example.org".to_owned()),
            content: Content::Page { template, data: Value::from(Serde(sample)) },
            purpose: Purpose::News,
            thread: None,
            token: None,
            unsubscribe: None,
            keep: Keep::Mail,
        };
        let written = compose(&templates, &at, &Transcript::default(), &mail).unwrap();
        let reply = Reply { address: "play@turnpost.example", subject: &written.subject, token_line: None };
        let page = Some("https://turnpost.example/play/1");
        let frame = MailFrame { subject: &written.subject, reply: Some(reply), picture: None, page };
        Page { name: template.to_owned(), html: html::mail(&written.blocks, frame) }
    };
    let of = |template: &'static str| {
        samples.get(template).into_iter().flatten().map(move |sample| page(template, sample))
    };
    Templates::names().filter(|name| name.ends_with(".md")).flat_map(of).collect()
}

/// Mails as they leave: each game with its picture, a full event, lists, help, and the first mails of newcomers. Their
/// players have the longest names there can be.
fn sent() -> Vec<Page> {
    let mut stage = Stage::with(|config| config.web.url = SITE.to_owned());
    stage.has_viewers = true;
    let names: Vec<String> = (0..16).map(|number| format!("Bartholomew-Long-N{number:02}")).collect();
    let (ann, bob) = (&names[0], &names[1]);
    let told = |stage: &mut Stage, what: &str, line: &str| -> Vec<Page> {
        stage.submit(Operator::Nobody, line).2.iter().map(|mail| page(what, mail)).collect()
    };
    for (number, name) in names.iter().enumerate() {
        told(&mut stage, "", &format!("signup {name} plover-4{number} p{number}@example.org\n"));
    }
    let mut pages = Vec::new();
    let games = registry::games().iter().map(|game| game.key);
    let largest = ["hex -size=19", "havannah -size=10", "y -size=15", "go -size=19"];
    for (board, challenge) in (1..).zip(games.chain(largest)) {
        let (key, options) = challenge.split_once(' ').unwrap_or((challenge, ""));
        let start = format!("{key} challenge {options} {ann} {bob}\n");
        pages.extend(told(&mut stage, &format!("{challenge} start"), &start));
        let row = stage.store.board(BoardId(board)).unwrap().unwrap();
        let ply = (registry::find(key).unwrap().read)(&row.position).unwrap().legal_plies()[0].clone();
        let turn = format!("{key} move {board} {ann} plover-40 {ply}\n");
        pages.extend(told(&mut stage, &format!("{challenge} turn"), &turn));
    }
    // An event whose cross-table has a column for each player, and one that is too large for that.
    for (event, size) in [("spring-cup-of-the-club", 8), ("winter-cup-of-the-club", 16)] {
        told(&mut stage, "", &format!("dvonn event new {event} -size={size} {ann} plover-40\n"));
        for (number, name) in names.iter().enumerate().take(size).skip(1) {
            told(&mut stage, "", &format!("dvonn event join {event} {name} plover-4{number}\n"));
        }
        pages.extend(stage.tick().1.iter().take(1).map(|mail| page(event, mail)));
    }
    let questions = [
        "event table spring-cup-of-the-club",
        "event table winter-cup-of-the-club",
        "games",
        "who",
        "events",
        "help time",
        &format!("chess invite frieda@example.com {ann} plover-40"),
    ]
    .map(str::to_owned);
    for question in questions {
        let mails = stage.mail("p0@example.org", &question, "");
        let name = question.split(' ').take(3).collect::<Vec<_>>().join(" ");
        pages.extend(mails.iter().map(|mail| page(&name, mail)));
    }
    let receipt = stage.mail("p1@example.org", &format!("dvonn move 1 {bob} plover-41 B1"), "");
    pages.extend(receipt.iter().map(|mail| page("receipt", mail)));
    let welcome = stage.sign_up("eve@example.com", "eve", "dunlin-7");
    pages.extend(welcome.iter().map(|mail| page("welcome", mail)));
    pages
}

/// The HTML of a mail with its picture in it.
fn page(name: &str, mail: &Mail) -> Page {
    let parsed = parse_mail(&mail.bytes).unwrap();
    let parts: Vec<&ParsedMail<'_>> = parsed.parts().collect();
    let of_kind = |kind: &str| parts.iter().find(|part| part.ctype.mimetype == kind);
    let html = of_kind("text/html").unwrap().get_body().unwrap();
    let png = of_kind("image/png").map(|part| data_encoding::BASE64.encode(&part.get_body_raw().unwrap()));
    let html = match (html.split_once("cid:"), png) {
        (Some((before, after)), Some(png)) => {
            let (_, after) = after.split_once('"').unwrap();
            format!("{before}data:image/png;base64,{png}\"{after}")
        }
        _ => html,
    };
    Page { name: format!("{name} to {}", mail.to.split('@').next().unwrap()), html }
}

/// The mails of which pictures are kept, with their width and whether they are dark.
const KEPT: [(&str, u32, bool); 8] = [
    ("chess turn to p1", 360, false),
    ("dvonn turn to p1", 600, false),
    ("go -size=19 turn to p1", 360, true),
    ("welcome to eve", 360, false),
    ("chess invite frieda@example.com to frieda", 360, true),
    ("help time to p0", 360, false),
    ("event table spring-cup-of-the-club to p0", 360, false),
    ("receipt to p1", 360, true),
];

#[test]
fn no_mail_is_wider_than_its_window() {
    let pages: Vec<Page> = samples().into_iter().chain(sent()).collect();
    let mut wide = Vec::new();
    for (width, dark) in [(600, false), (360, false), (360, true)] {
        let mut browser = Browser::start(width, 800, dark);
        for Page { name, html } in &pages {
            browser.show(html);
            if KEPT.contains(&(name.as_str(), width, dark)) {
                let theme = if dark { "-dark" } else { "" };
                browser.picture(&format!("{}-{width}{theme}", name.replace([' ', '@'], "-")));
            }
            browser.value("document.querySelectorAll('details').forEach(details => details.open = true)");
            let found = browser.value("document.scrollingElement.scrollWidth");
            if found != json!(width) {
                wide.push(format!("{name}: {found} of {width}"));
            }
        }
    }
    assert!(wide.is_empty(), "{wide:#?}");
    let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
    assert!(KEPT.iter().all(|(name, ..)| names.contains(name)), "{names:#?}");
}
