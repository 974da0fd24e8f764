//! Playing the robot by page at `/try`, without an account.

use turnpost_games::registry;

use crate::support::host::Host;
use crate::support::pages::{Visitor, ask, get, links, server, strings};
use crate::support::serving::Served;

/// Plays at `/try` by following links alone; gives the last page and the number of links followed.
fn tried(visitor: &Visitor, start: &str) -> (String, String, usize) {
    let (mut here, mut page) = visitor.follow(start);
    for followed in 0..2000 {
        assert_eq!(page.status, 200, "{here}");
        let text = page.text();
        if text.contains("Another, on a board of your own") {
            return (here, text, followed);
        }
        // A first choice and then a second one; a button, where there is nothing else to choose.
        let (makes, starts) = (links(&text, "&make="), links(&text, "&from="));
        let choices =
            if makes.is_empty() || (!here.contains("&from=") && followed % 2 == 1 && !starts.is_empty()) {
                starts
            } else {
                makes
            };
        assert!(!choices.is_empty(), "{here}: {text}");
        // No pattern of its own: one in step with the page chooses the same two pieces for ever.
        (here, page) = visitor.follow(&choices[((followed * 2_654_435_761) >> 13) % choices.len()]);
    }
    panic!("no end: {here}");
}

#[test]
fn a_stranger_plays_the_robot_by_links_alone() {
    let host = Host::set_up();
    let (served, at) = server(&host);
    let visitor = Visitor::new(at);
    let home = visitor.get("/").text();
    let first = links(&home, "/try/dvonn?level=1&seed=");
    assert!(!first.is_empty(), "{home}");
    let (here, end, followed) = tried(&visitor, &first[0]);
    assert!(followed > 5 && (end.contains("wins") || end.contains("win ") || end.contains("tie")), "{here}");
    // A game in an address has no dice: their secret needs a board.
    for game in registry::games().iter().filter(|game| !game.dice) {
        let (here, _, followed) = tried(&visitor, &format!("/try/{}?level=1", game.key));
        assert!(followed > 5, "{here}");
    }
    let (here, ..) = tried(&visitor, "/try/hexmeister?level=1");
    // Taking back leads to games that go on.
    let back = links(&visitor.get(&here).text(), "/try/hexmeister?level=1&seed=");
    assert!(back.iter().any(|link| link.len() < here.len() && visitor.get(link).status == 200), "{back:?}");
    assert!(!served.log().contains("WARN"), "{}", served.log());
    assert_eq!(host.sent(), []);
}

#[test]
fn where_the_robot_is_off_nobody_is_offered_a_game() {
    let host = Host::set_up();
    let variables = [("TURNPOST_WEB_LISTEN", "127.0.0.1:0"), ("TURNPOST_ROBOT_ENABLED", "false")];
    let served = Served::start(&host, &variables);
    let at = served.web.unwrap();
    assert_eq!(get(at, "/try/dvonn").status, 404);
    let home = get(at, "/").text();
    assert!(home.contains("Everything here also works by mail") && !home.contains("/try/"), "{home}");
}

#[test]
fn only_games_that_began_here_go_on() {
    let host = Host::set_up();
    let (_served, at) = server(&host);
    let visitor = Visitor::new(at);
    let (here, _) = visitor.follow("/try/dvonn?level=2");
    let state = visitor.json(&here);
    let ply = strings(&state["legal"])[0].to_lowercase();
    let (next, _) = visitor.follow(&format!("{here}&make={ply}"));
    assert_eq!(strings(&visitor.json(&next)["plies"]).len(), 2);
    // The board can be turned, and stays so after a move.
    let text = visitor.get(&here).text();
    let turned = format!("{here}&flip");
    assert!(links(&text, "&flip").contains(&turned), "{text}");
    let (moved, _) = visitor.follow(&format!("{turned}&make={ply}"));
    assert!(moved.ends_with("&flip"), "{moved}");
    let places = |text: &str| text.split("<svg").last().unwrap().to_owned();
    assert_ne!(places(&text), places(&visitor.get(&turned).text()));
    assert!(links(&visitor.get(&turned).text(), "/try/").contains(&here));
    let forged = [
        next.replace("level=2", "level=1"),
        next.replace("seed=", "seed=1"),
        next.replace("/dvonn", "/hexmeister"),
        next.replace("plies=", "plies=a1-b1."),
        next.rsplit_once('.').unwrap().0.to_owned(),
        next.replace("code=", "code=a"),
        format!("{here}&make=a1-k5"),
        format!("{here}&make=pass"),
        format!("{here}&make={ply}.{ply}"),
    ];
    for path in forged {
        assert_eq!(visitor.get(&path).status, 404, "{path}");
    }
    // The robot thinks for one address only so often.
    let make = format!("GET {here}&make={ply} HTTP/1.1\r\nX-Forwarded-For: 192.0.2.1");
    let statuses: Vec<u16> = (0..21).map(|_| ask(at, &make).status).collect();
    assert_eq!((statuses[19], statuses[20]), (303, 429));
}
