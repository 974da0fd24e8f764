//! Mails with the board as a picture: whole mails as they leave, read by another parser.

use mailparse::{DispositionType, MailHeaderMap, ParsedMail, parse_content_disposition, parse_mail};
use turnpost::board::pictured;
use turnpost::ids::BoardId;
use turnpost::mail::outgoing::{self, Signer};
use turnpost::picture;
use turnpost::store::Pictured;

use crate::support::{ANN, BOB, Mail, Stage};

const RELATED: &str = "multipart/related";

/// The parts of a mail with a picture.
struct Parts {
    text: String,
    html: String,
    content_id: String,
    file_name: String,
    png: Vec<u8>,
}

/// A stage with a game whose mails have their pictures.
fn looked_at() -> Stage {
    let mut stage = Stage::with_a_game();
    stage.has_viewers = true;
    stage
}

fn kind<'m>(part: &'m ParsedMail<'_>) -> &'m str {
    &part.ctype.mimetype
}

impl Parts {
    fn of(bytes: &[u8]) -> Parts {
        let mail = parse_mail(bytes).unwrap();
        assert_eq!(kind(&mail), "multipart/alternative");
        let [text, related] = &mail.subparts[..] else { panic!("two forms") };
        assert_eq!((kind(text), kind(related)), ("text/plain", RELATED));
        assert_eq!(related.ctype.params["type"], "text/html");
        let [html, image] = &related.subparts[..] else { panic!("HTML and a picture") };
        assert_eq!((kind(html), kind(image)), ("text/html", "image/png"));
        let disposition =
            parse_content_disposition(&image.headers.get_first_value("Content-Disposition").unwrap());
        assert_eq!(disposition.disposition, DispositionType::Inline);
        Parts {
            text: text.get_body().unwrap(),
            html: html.get_body().unwrap().replace("\r\n", "\n"),
            content_id: image.headers.get_first_value("Content-ID").unwrap(),
            file_name: disposition.params["filename"].clone(),
            png: image.get_body_raw().unwrap(),
        }
    }
}

fn has_picture(mail: &Mail) -> bool {
    mail.raw().contains(RELATED)
}

fn to<'m>(mails: &'m [Mail], address: &str) -> &'m Mail {
    mails.iter().find(|mail| mail.to == address).unwrap_or_else(|| panic!("no mail to {address}"))
}

#[test]
fn both_players_see_the_board_with_the_move() {
    let mut stage = looked_at();
    let mut mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    assert!(!has_picture(to(&mails, "ann@example.org")), "the receipt of a move is one line");
    mails.retain(|mail| mail.to == "bob@example.net");
    mails.extend(stage.mail("ann@example.org", &format!("dvonn showas ann {ANN} 1"), ""));
    let of_event = |event| pictured(&stage.store, Pictured { board: BoardId(1), event }).unwrap().unwrap();
    let shown = of_event(2);
    assert_eq!(shown.scene.last.as_ref().and_then(|last| last.to.as_deref()), Some("E1"));
    let png = picture::png(&shown.scene).unwrap();
    assert_ne!(png, picture::png(&of_event(1).scene).unwrap());
    let mut ids = Vec::new();
    for address in ["ann@example.org", "bob@example.net"] {
        let mail = to(&mails, address);
        let parts = Parts::of(&mail.bytes);
        assert!(parts.png == png, "the board itself");
        assert_eq!(parts.file_name, "dvonn-1.png");
        let id = parts.content_id.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap();
        assert!(id.ends_with("@turnpost.example"), "{id}");
        assert_eq!(parts.html.matches("<img").count(), 1);
        assert!(parts.html.contains(&format!("<img src=\"cid:{id}\"")), "{}", parts.html);
        // It stands above the drawing, with what to do between them, and says the same in words.
        let (before, after) = parts.html.split_once("<img").unwrap();
        let (element, after) = after.split_once('>').unwrap();
        let (to_do, _) = after.split_once("<pre aria-hidden=\"true\"").expect(after);
        assert!(!before.contains("<pre"), "{before}");
        assert_eq!(to_do.contains("mailto:"), address == "bob@example.net", "{after}");
        assert!(element.replace('\n', " ").contains(&shown.scene.sentence(shown.kind.seats)), "{element}");
        assert!(parts.html.len() < 30 * 1024);
        assert!(!parts.html.contains("http"), "nothing to fetch");
        // PNG: width and height stand behind the signature.
        let width = u32::from_be_bytes(parts.png[16..20].try_into().unwrap());
        assert!(element.contains(&format!("width=\"{}\"", width * 2 / 3)), "{element}: {width}");
        assert!(mail.raw().lines().all(|line| line.len() <= 998 && line.is_ascii()));
        assert!(mail.bytes.len() < 64 * 1024, "{}", mail.bytes.len());
        ids.push(parts.content_id);
    }
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn the_text_is_that_of_a_mail_without_picture_and_a_player_decides() {
    let sent = |setting: &str| {
        let mut stage = looked_at();
        stage.mail("bob@example.net", &format!("set bob {BOB} {setting}"), "");
        let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
        to(&mails, "bob@example.net").clone()
    };
    let with = sent("picture on");
    let without = sent("picture off");
    let bare = sent("html off");
    let parsed = parse_mail(&without.bytes).unwrap();
    let [text, html] = &parsed.subparts[..] else { panic!("two forms") };
    let parts = Parts::of(&with.bytes);
    assert_eq!(text.get_body().unwrap(), parts.text);
    // The drawing stands elsewhere beside a picture, and is turned as that is.
    let paragraphs = |html: &str| {
        let is_text = |line: &&str| line.starts_with("<p ");
        let mut lines: Vec<String> = html.lines().filter(is_text).map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(paragraphs(&html.get_body().unwrap()), paragraphs(&parts.html));
    assert!(!bare.raw().contains("multipart") && !bare.raw().contains("cid:"));
}

#[test]
fn mails_that_do_not_show_one_board_have_no_picture() {
    let mut stage = looked_at();
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let asked = |stage: &mut Stage, subject: &str| stage.mail("ann@example.org", subject, "");
    assert!(has_picture(to(&asked(&mut stage, "dvonn show 1"), "ann@example.org")));
    for subject in ["dvonn show 1 0", "help", "who", "dvonn preview 1 K3-J2"] {
        let mails = asked(&mut stage, subject);
        assert!(!mails.is_empty());
        assert!(mails.iter().all(|mail| !has_picture(mail) && !mail.raw().contains("cid:")), "{subject}");
    }
    for mail in stage.mail("eve@example.org", "dvonn show 1", "") {
        assert!(!has_picture(&mail), "a stranger");
    }
    // What is drawn twice stands on two boards.
    let twice = stage.mail("ann@example.org", "commands", "dvonn show 1\ndvonn show 1\n");
    assert!(twice.iter().all(|mail| !has_picture(mail)));
}

#[test]
fn a_mail_sent_again_has_the_same_octets_with_and_without_a_key() {
    for signs in [false, true] {
        let mut stage = looked_at();
        if signs {
            let key = include_str!("../data/dkim/key.pem");
            stage.app.signer = Some(Signer::new("club", "turnpost.example", key).unwrap());
        }
        let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
        let first = to(&mails, "bob@example.net").clone();
        assert_eq!(first.raw().starts_with("DKIM-Signature:"), signs);
        assert!(has_picture(&first));
        // Time goes by and the game goes on.
        stage.wait(30);
        let again = stage.mail("bob@example.net", &format!("resend bob {BOB} 1"), "");
        assert!(again.iter().any(|mail| mail.bytes == first.bytes), "signs: {signs}");
    }
}

#[test]
fn a_board_that_cannot_be_drawn_leaves_no_hole() {
    let mut stage = looked_at();
    stage.put_in("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 500);
    stage.change("UPDATE outbox SET pictured = 0");
    let mails = stage.post();
    assert_eq!(mails.len(), 2);
    for mail in mails.into_iter().filter(|mail| mail.to == "bob@example.net") {
        let parsed = parse_mail(&mail.bytes).unwrap();
        let [_, html] = &parsed.subparts[..] else { panic!("two forms") };
        let html = html.get_body().unwrap();
        assert!(html.contains("<pre") && !html.contains("<img"), "{html}");
        assert!(!has_picture(&mail));
    }
}

#[test]
fn a_file_stays_beside_the_picture() {
    let mut stage = looked_at();
    stage.mail("ann@example.org", "chess challenge ann bob", "");
    let mails = stage.mail("ann@example.org", "both", "chess show 2\nchess record 2 --format=pgn\n");
    let parsed = parse_mail(&mails[0].bytes).unwrap();
    let kinds: Vec<&str> = parsed.parts().map(kind).collect();
    let body = ["multipart/alternative", "text/plain", RELATED, "text/html", "image/png"];
    assert_eq!(kinds, [&["multipart/mixed"], &body[..], &["application/vnd.chess-pgn"]].concat());
}

#[test]
fn a_mail_of_an_earlier_version_leaves_as_it_was_written() {
    let signer = Signer::new("club", "turnpost.example", include_str!("../data/dkim/key.pem")).unwrap();
    let old = b"From: a\r\nDKIM-Signature: v=1; a=rsa-sha256\r\n\r\nb\r\n".to_vec();
    assert_eq!(signer.signed(old.clone()), old);
    let id = "<turnpost.1@turnpost.example>";
    assert_eq!(outgoing::with_picture(old.clone(), id, None), old);
}

#[test]
fn the_second_player_sees_the_board_from_its_far_side() {
    let mut stage = looked_at();
    stage.mail("ann@example.org", "chess challenge ann bob", "");
    let mut mails = stage.mail("ann@example.org", &format!("chess move 2 ann {ANN} e4"), "");
    mails.retain(|mail| mail.to == "bob@example.net");
    mails.extend(stage.mail("ann@example.org", &format!("chess showas ann {ANN} 2"), ""));
    let event = stage.store.events(BoardId(2)).unwrap().len() as u32;
    let shown = pictured(&stage.store, Pictured { board: BoardId(2), event }).unwrap().unwrap();
    for (address, scene, first) in [
        ("ann@example.org", shown.scene.clone(), " 8 | r | n | b | q | k "),
        ("bob@example.net", shown.scene.clone().turned(), " 1 | R | N | B | K | Q "),
    ] {
        let parts = Parts::of(&to(&mails, address).bytes);
        assert!(parts.png == picture::png(&scene).unwrap(), "{address}");
        let row = parts.text.lines().find(|line| line.contains("| ")).unwrap();
        assert!(row.starts_with(first), "{address}: {}", parts.text);
    }
}
