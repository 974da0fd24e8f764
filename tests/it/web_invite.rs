//! Invitations on pages: the buttons of a mailed one, and the form behind a link that was handed on.

use crate::support::description::document;
use crate::support::host::Host;
use crate::support::mails::letter;
use crate::support::pages::{OURS, Page, URL, Visitor, ask_with, seated};
use crate::support::serving::Served;

fn post(visitor: &Visitor, path: &str, fields: &str, body: &str) -> Page {
    let length = body.len();
    let request =
        format!("POST {path} HTTP/1.1\r\n{fields}\r\nX-Forwarded-For: 10.9.8.7\r\nContent-Length: {length}");
    ask_with(visitor.at(), &request, body)
}

/// The paths of the invitations that were mailed to somebody, the newest first.
fn mailed(host: &Host, to: &str) -> Vec<String> {
    host.wait_until_quiet();
    let is_link =
        |word: &str| word.strip_prefix(URL).filter(|path| path.starts_with("/invite/")).map(str::to_owned);
    host.newest_first()
        .filter(|mail| mail.to == to)
        .filter_map(|mail| mail.text.split_whitespace().find_map(is_link))
        .collect()
}

/// The mails to somebody that hold some words.
fn heard(host: &Host, to: &str, words: &str) -> usize {
    host.wait_until_quiet();
    let is_it = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").contains(words);
    host.newest_first().filter(|mail| mail.to == to && is_it(&mail.text)).count()
}

fn invite(served: &Served, host: &Host, address: &str, number: u32) {
    let subject = format!("dvonn invite {address} ann plover-42");
    served.connect().takes(&letter("ann@example.org", &subject, "", number));
    host.wait_until_quiet();
}

#[test]
fn the_buttons_of_a_mailed_invitation_say_what_a_reply_would() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    invite(&served, &host, "frieda@example.com", 1);
    let link = mailed(&host, "frieda@example.com").remove(0);
    // Mail programs look at links, and other sites send forms.
    for _ in 0..2 {
        let page = visitor.get(&link);
        assert!(
            page.status == 200 && page.text().contains("ann invites you to a game of DVONN"),
            "{}",
            page.text()
        );
        assert_eq!(page.header("cache-control"), Some("no-store"));
    }
    assert!(visitor.get(&link).text().contains("value=\"frieda\""), "{}", visitor.get(&link).text());
    assert_eq!(post(&visitor, &link, "Origin: https://evil.example", "answer=yes").status, 403);
    assert_eq!(post(&visitor, &link, OURS, "answer=perhaps").status, 400);
    assert_eq!(heard(&host, "frieda@example.com", ""), 1);
    let taken = post(&visitor, &link, OURS, "answer=yes&name=ann");
    assert!(taken.status == 409 && taken.text().contains("ann is taken"), "{}", taken.text());
    assert!(taken.text().contains("value=\"ann\""), "{}", taken.text());
    let taken = post(&visitor, &link, OURS, "answer=yes&name=fritzi");
    let board = visitor.get(taken.header("location").unwrap()).text();
    assert!(taken.status == 303 && board.contains("ann to move") && board.contains("fritzi"), "{board}");
    assert!(taken.header("set-cookie").is_some());
    // The page has shown it, so no second mail does.
    assert_eq!(heard(&host, "frieda@example.com", ""), 1);
    assert_eq!(heard(&host, "ann@example.org", "a new game of DVONN with fritzi"), 1);
    for over in [visitor.get(&link), post(&visitor, &link, OURS, "answer=yes")] {
        assert!(over.status == 410 && over.text().contains("has been answered"), "{}", over.text());
    }
    // A no, and nothing more goes there.
    invite(&served, &host, "gus@example.com", 2);
    let link = mailed(&host, "gus@example.com").remove(0);
    // Whatever stands in the field for a name.
    let refused = post(&visitor, &link, OURS, "answer=no&name=7");
    assert!(refused.status == 200 && refused.text().contains("Nobody can have us invite you"));
    assert_eq!((visitor.get(&link).status, heard(&host, "gus@example.com", "")), (410, 1));
    invite(&served, &host, "gus@example.com", 3);
    assert_eq!(heard(&host, "gus@example.com", ""), 1);
    host.assert_verified();
}

#[test]
fn a_link_to_hand_on_begins_one_game_with_whoever_proves_a_mailbox() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    invite(&served, &host, "", 1);
    let link = mailed(&host, "ann@example.org").remove(0);
    assert!(visitor.get(&link).text().contains("Mail address"));
    // It is no address for mail, and has no buttons.
    let mail =
        String::from_utf8(letter("eve@example.com", "Re: hello", "yes as eve eve@example.com", 7)).unwrap();
    let token = link.rsplit('/').next().unwrap();
    served.connect().takes(mail.replace("To: play@", &format!("To: play+{token}@")).as_bytes());
    for (body, status) in [
        ("answer=yes", 400),
        ("name=frieda&address=", 400),
        ("name=fri+eda&address=frieda@example.com", 400),
        ("name=ann&address=frieda@example.com", 409),
        ("name=help&address=frieda@example.com", 409),
        ("name=7&address=frieda@example.com", 409),
        ("name=frieda&address=frieda", 409),
    ] {
        let page = post(&visitor, &link, OURS, body);
        assert_eq!(page.status, status, "{body}: {}", page.text());
    }
    assert_eq!(post(&visitor, &link, "X: y", "name=eve&address=eve@example.com").status, 403);
    // Two may try; the first yes begins the game.
    for (name, address) in [("frieda", "frieda@example.com"), ("gus", "gus@example.com")] {
        let asked = post(&visitor, &link, OURS, &format!("name={name}-7&address={address}"));
        assert!(asked.status == 200 && asked.text().contains("Its link opens the board"), "{}", asked.text());
        assert_eq!(heard(&host, address, "You opened the link with which ann invites"), 1);
    }
    // The same mailbox gets one a week, by whichever link.
    invite(&served, &host, "", 2);
    let second = mailed(&host, "ann@example.org").remove(0);
    assert_eq!(post(&visitor, &second, OURS, "name=eve&address=frieda%2Bx@example.com").status, 200);
    assert_eq!(heard(&host, "frieda+x@example.com", ""), 0);
    assert_eq!(post(&visitor, &link, OURS, "name=eve&address=frieda@example.com").status, 200);
    assert_eq!(heard(&host, "frieda@example.com", "opened the link"), 1);
    // One inviter causes ten a day, by all links together.
    let by_second = |number| format!("name=eve&address=eve{number}@example.com");
    let statuses: Vec<u16> =
        (0..7).map(|number| post(&visitor, &second, OURS, &by_second(number)).status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 409]);
    let together = "SELECT count FROM limits WHERE what = 'invitations together'";
    let database = rusqlite::Connection::open(host.database()).unwrap();
    assert_eq!(database.query_row(together, [], |row| row.get::<_, i64>(0)).unwrap(), 12);
    let [frieda, gus] = ["frieda@example.com", "gus@example.com"].map(|to| mailed(&host, to).remove(0));
    assert_eq!(post(&visitor, &gus, OURS, "answer=yes").status, 303);
    assert_eq!(heard(&host, "ann@example.org", "a new game of DVONN with gus-7"), 1);
    for over in [&link, &frieda, &gus] {
        assert_eq!(visitor.get(over).status, 410, "{over}");
    }
    host.assert_verified();
}

#[test]
fn what_a_page_says_does_not_tell_who_has_an_account() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    invite(&served, &host, "", 1);
    let link = mailed(&host, "ann@example.org").remove(0);
    // Bob's, ann's own, and nobody's.
    let said = ["bob@example.org", "ann@example.org", "frieda@example.com"].map(|address| {
        let page = post(&visitor, &format!("{link}.json"), OURS, &format!("name=cleo&address={address}"));
        (page.status, page.text())
    });
    assert!(said[0].0 == 200 && said.iter().all(|one| *one == said[0]), "{said:?}");
    assert_eq!(heard(&host, "bob@example.org", "Reply `yes`, and the game begins."), 1);
    // Who says yes to their own invitation plays nobody.
    let own = mailed(&host, "ann@example.org").remove(0);
    let refused = post(&visitor, &own, OURS, "answer=yes");
    assert!(refused.status == 409 && refused.text().contains("is your own"), "{}", refused.text());
    let described = document();
    let fields = &described["components"]["schemas"]["OpenInvitation"]["properties"];
    let shown = visitor.json(&link);
    let shown: Vec<&String> = shown["invitation"].as_object().unwrap().keys().collect();
    assert!(shown.len() == 13 && shown.iter().all(|field| fields.get(field.as_str()).is_some()), "{shown:?}");
}
