//! An account by page: one form, one mail, one button, and the board that one came for.

use crate::support::host::Host;
use crate::support::mails::letter;
use crate::support::pages::{OURS, Page, URL, Visitor, ask_with, links, seated, signs};

fn post(visitor: &Visitor, path: &str, body: &str) -> Page {
    visitor.send(&format!("POST {path}"), OURS, body)
}

fn sign_up(visitor: &Visitor, path: &str, name: &str, address: &str) -> Page {
    post(visitor, path, &format!("name={name}&address={address}"))
}

/// The subjects of the mails to somebody, the newest first, each with the path of its link.
fn mails(host: &Host, to: &str) -> Vec<(String, String)> {
    host.wait_until_quiet();
    let link = |text: &str| {
        let path = text.split_whitespace().find_map(|word| word.strip_prefix(URL));
        path.unwrap_or_default().to_owned()
    };
    host.newest_first()
        .filter(|mail| mail.to == to)
        .map(|mail| (mail.subject.clone(), link(&mail.text)))
        .collect()
}

/// Presses the button behind a mailed link; gives the board and the cookie.
fn press(visitor: &Visitor, link: &str) -> (Page, String) {
    let pressed = post(visitor, link, "answer=yes");
    assert_eq!(pressed.status, 303, "{}", pressed.text());
    let cookie = pressed.header("set-cookie").unwrap_or_default().split(';').next().unwrap().to_owned();
    (visitor.get(pressed.header("location").unwrap()), cookie)
}

#[test]
fn a_name_an_address_one_mail_and_a_button_lead_to_the_first_board() {
    let (host, _served, visitor) = seated("dvonn challenge -random");
    let home = visitor.get("/").text();
    let form = home.split("action=\"").nth(1).unwrap().split('"').next().unwrap().replace("&#x2f;", "/");
    assert_eq!(form, "/sign-up?game=dvonn");
    // A name that others see is refused at once, with what was typed.
    for (name, address, status, words) in [
        ("ann", "cleo@example.com", 409, "The name ann is taken"),
        ("help", "cleo@example.com", 409, "is taken, or a word"),
        ("7", "cleo@example.com", 409, "This is no name"),
        ("two+words", "cleo@example.com", 400, "in one word"),
        ("cleo", "cleo", 409, "A mail address"),
        ("cleo", "postmaster@example.com", 409, "the address of an office"),
        ("cleo", "", 400, "your address"),
    ] {
        let told = sign_up(&visitor, &form, name, address);
        assert!(told.status == status && told.text().contains(words), "{name} {address}: {}", told.text());
        let typed = format!("value=\"{}\"", name.replace('+', " "));
        assert!(told.text().contains(&typed), "{name} {address}: {}", told.text());
    }
    let strange = visitor.send(
        &format!("POST {form}"),
        "Origin: https://evil.example",
        "name=cleo&address=c@example.com",
    );
    assert_eq!(strange.status, 403);
    let sent = sign_up(&visitor, &form, "cleo", "cleo@example.com");
    assert!(
        sent.status == 200 && sent.text().contains("on its way to <b>cleo@example.com"),
        "{}",
        sent.text()
    );
    let [(subject, link)] = mails(&host, "cleo@example.com").try_into().unwrap();
    assert_eq!(subject, "Begin as cleo");
    // Mail programs look at links.
    for _ in 0..2 {
        let looked = visitor.get(&link);
        assert!(looked.status == 200 && looked.header("set-cookie").is_none(), "{}", looked.text());
        assert_eq!(looked.text().matches("<button").count(), 1, "{}", looked.text());
    }
    assert_eq!(visitor.get("/players/cleo").status, 404);
    assert_eq!(
        visitor.send(&format!("POST {link}"), "Origin: https://evil.example", "answer=yes").status,
        403
    );
    let (board, cookie) = press(&visitor, &link);
    assert!(board.text().contains("Lesson 1 of 6") && board.text().contains("Your move"), "{}", board.text());
    assert!(visitor.me(&cookie).contains("cleo: "));
    assert_eq!(mails(&host, "cleo@example.com").len(), 1);
    assert!(visitor.get(&link).status == 410 && post(&visitor, &link, "answer=yes").status == 410);
    host.assert_verified();
}

#[test]
fn a_known_address_gets_the_same_page_and_signs_in() {
    let (host, _served, visitor) = seated("dvonn challenge -random");
    let page = |name: &str, address: &str| {
        let told = sign_up(&visitor, "/sign-up.json?game=hex", name, address);
        assert_eq!(told.status, 200, "{}", told.text());
        told.text().replace(address, "ADDRESS").replace(name, "NAME")
    };
    assert_eq!(page("cleo", "ann@example.org"), page("dora", "dora@example.com"));
    let (subject, link) = mails(&host, "ann@example.org").remove(0);
    assert_eq!(subject, "Sign in as ann");
    assert!(visitor.get(&link).text().contains("Sign in as ann"));
    let (board, cookie) = press(&visitor, &link);
    assert!(board.text().contains("Hex 2") && visitor.me(&cookie).contains("ann: "), "{}", board.text());
    assert_eq!(visitor.get("/players/cleo").status, 404);
    // Later than a link that signs in is good, it opens a board and signs nobody in.
    page("cleo", "bob@example.org");
    let (_, link) = mails(&host, "bob@example.org").remove(0);
    let database = rusqlite::Connection::open(host.database()).unwrap();
    database.execute("UPDATE invitations SET made_at = made_at - 1000", []).unwrap();
    let (board, cookie) = press(&visitor, &link);
    assert!(board.text().contains("Hex 3") && cookie.is_empty(), "{}", board.text());
    host.assert_verified();
}

#[test]
fn a_game_that_was_tried_continues_as_a_board() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    let (mut here, _) = visitor.follow("/try/reversi?level=2");
    for _ in 0..2 {
        let ply = visitor.json(&here)["legal"][0].as_str().unwrap().to_lowercase();
        here = visitor.follow(&format!("{here}&make={ply}")).0;
    }
    let tried = visitor.json(&here);
    let form = tried["sign_up"].as_str().unwrap();
    assert!(visitor.get(&here).text().replace("&#x2f;", "/").replace("&amp;", "&").contains(form));
    // Only a game that began here.
    assert_eq!(
        sign_up(&visitor, &form.replace("level=2", "level=3"), "cleo", "cleo@example.com").status,
        404
    );
    assert_eq!(sign_up(&visitor, form, "cleo", "cleo@example.com").status, 200);
    let (_, link) = mails(&host, "cleo@example.com").remove(0);
    let (board, cookie) = press(&visitor, &link);
    assert!(board.text().contains("Your move"), "{}", board.text());
    let shown = visitor.json("/reversi/2.json");
    assert_eq!(shown["players"], serde_json::json!(["cleo", "robot-2"]));
    assert_eq!((&shown["drawing"], &shown["rated"]), (&tried["drawing"], &false.into()));
    // Whoever is signed in needs no mail.
    let cookie = format!("Cookie: {cookie}");
    let body = signs(&visitor.send(&format!("GET {form}"), &cookie, "").text());
    let fields = format!("{cookie}\r\n{OURS}");
    assert_eq!(visitor.send(&format!("POST {form}"), OURS, &body).status, 403);
    let begun = visitor.send(&format!("POST {form}"), &fields, &body);
    assert!(visitor.get(begun.header("location").unwrap()).text().contains("Reversi 3"), "{}", begun.text());
    assert_eq!(visitor.json("/reversi/3.json")["drawing"], tried["drawing"]);
    // Nor for a link that a player handed on.
    served.connect().takes(&letter("ann@example.org", "hex invite ann plover-42", "", 1));
    let link = mails(&host, "ann@example.org").remove(0).1;
    let body = signs(&visitor.send(&format!("GET {link}"), &cookie, "").text());
    assert_eq!(visitor.send(&format!("POST {link}"), OURS, &body).status, 403);
    let begun = visitor.send(&format!("POST {link}"), &fields, &body);
    assert!(visitor.get(begun.header("location").unwrap()).text().contains("Hex 4"), "{}", begun.text());
    assert_eq!(visitor.get(&link).status, 410);
    let links = mails(&host, "cleo@example.com");
    assert_eq!(links.iter().filter(|(_, link)| link.starts_with("/invite/")).count(), 1, "{links:?}");
    host.assert_verified();
}

#[test]
fn who_waits_for_an_opponent_gets_one_from_the_first_page() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    served.connect().takes(&letter("ann@example.org", "hex seek ann plover-42", "", 1));
    host.wait_until_quiet();
    let form = links(&visitor.get("/").text(), "seek=").remove(0);
    assert!(visitor.get(&form).text().contains("a game of Hex with the player who waits"));
    for name in ["cleo", "dora"] {
        assert_eq!(sign_up(&visitor, &form, name, &format!("{name}@example.com")).status, 200);
    }
    let links = ["cleo", "dora"].map(|name| mails(&host, &format!("{name}@example.com")).remove(0).1);
    let (board, _) = press(&visitor, &links[0]);
    assert!(board.text().contains("/players/ann\">ann</a>"), "{}", board.text());
    // The second finds the seek taken, and has an account all the same.
    let late = post(&visitor, &links[1], "answer=yes");
    assert!(late.status == 200 && late.text().contains("There is no open seek"), "{}", late.text());
    assert!(visitor.me(late.header("set-cookie").unwrap().split(';').next().unwrap()).contains("dora: "));
    host.assert_verified();
}

#[test]
fn an_address_gets_three_mails_a_day_and_none_against_its_will() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    let form = "/sign-up?game=hex";
    // The same mailbox, from three visitors.
    let statuses = [1, 2, 3, 4].map(|number| {
        sign_up(&visitor, form, &format!("cleo{number}"), &format!("cleo%2B{number}@example.com")).status
    });
    assert_eq!(statuses, [200, 200, 200, 409]);
    // One visitor asks three times for one address.
    let often = [1, 2, 3, 4].map(|number| {
        let body = format!("name=eve{number}&address=eve@example.com");
        let fields = format!("{OURS}\r\nContent-Length: {}", body.len());
        ask_with(visitor.at(), &format!("POST {form} HTTP/1.1\r\n{fields}"), &body).status
    });
    assert_eq!(often, [200, 200, 200, 429]);
    // Whoever wants no invitation gets none from strangers either, and the page does not tell.
    served.connect().takes(&letter("ann@example.org", "hex invite gus@example.com ann plover-42", "", 1));
    let (_, link) = mails(&host, "gus@example.com").remove(0);
    assert_eq!(post(&visitor, &link, "answer=no").status, 200);
    assert_eq!(sign_up(&visitor, form, "gus", "gus@example.com").status, 200);
    assert_eq!(mails(&host, "gus@example.com").len(), 1);
    // A name that somebody took meanwhile is asked for once more, on the page of the link.
    assert_eq!(sign_up(&visitor, form, "hal", "hal@example.com").status, 200);
    let (_, link) = mails(&host, "hal@example.com").remove(0);
    host.run(&["submit"], b"signup hal plover-9 other@example.org\n").ok();
    let taken = post(&visitor, &link, "answer=yes");
    assert!(taken.status == 409 && taken.text().contains("name=\"name\""), "{}", taken.text());
    let begun = post(&visitor, &link, "answer=yes&name=hal-2");
    assert_eq!(begun.status, 303, "{}", begun.text());
    // Who asks for no game finds those that there are.
    assert_eq!(sign_up(&visitor, "/sign-up", "ida", "ida@example.com").status, 200);
    let (_, link) = mails(&host, "ida@example.com").remove(0);
    let begun = post(&visitor, &link, "answer=yes");
    assert_eq!((begun.header("location"), begun.header("set-cookie").is_some()), (Some("/me"), true));
    host.assert_verified();
}
