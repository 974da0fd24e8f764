//! Playing by page at `/play`, by the link of a mail; and the pages as programs see them.

use serde_json::Value;

use crate::support::mails::letter;
use crate::support::pages::{
    URL, ask, ask_with, begun, first_game, links, newest, reply_to, seated, strings,
};

#[test]
fn a_whole_game_half_by_mail_and_half_by_page() {
    let (host, served, visitor) = begun("dvonn challenge", "A1");
    let mut client = served.connect();
    let (mut by_page, mut by_mail) = (0_u32, 0_u32);
    let mut next = None;
    loop {
        // A page leads on to the next link, and mails none.
        let anns = next.take().unwrap_or_else(|| newest(&host, "ann@example.org"));
        let bobs = visitor.json(&newest(&host, "bob@example.org"));
        let state = if bobs["to_move"] == true { bobs } else { visitor.json(&anns) };
        if state["v"]["result"].is_string() {
            break;
        }
        assert_eq!(state["to_move"], true, "{state:#}");
        let legal = strings(&state["legal"]);
        let ply = &legal[(by_page + by_mail) as usize * 7 % legal.len()];
        if state["you"] == 1 {
            by_mail += 1;
            let to = reply_to(&host, "bob@example.org");
            let mail = format!(
                "From: bob@example.org\r\nTo: {to}\r\nSubject: Re: dvonn 1\r\nMessage-ID: <{by_mail}@bob.example>\r\n\r\n{ply}\r\n"
            );
            assert_eq!(client.mail("bob@example.org", &[&to], mail.as_bytes()), ["250 2.0.0 taken\r\n"]);
        } else {
            by_page += 1;
            let done = visitor.post(&anns, &format!("act=move&turn={ply}"));
            assert_eq!(done.status, 303, "{ply}: {}", done.text());
            let link = done.header("location").unwrap().split('?').next().unwrap().to_owned();
            next = Some(link).filter(|link| visitor.json(link)["to_move"] == true);
        }
    }
    assert!(by_page > 30 && by_mail > 30, "{by_page} by page, {by_mail} by mail");
    let log = served.stop();
    assert!(!log.contains("WARN") && !log.contains("ERROR") && !log.contains("/play/"), "{log}");
    host.assert_verified();
}

#[test]
fn the_page_shows_a_hint_and_its_link_plays_on() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    let unrated = "dvonn challenge -random -seed=7 --unrated --level=1 ann robot";
    served.connect().takes(&letter("ann@example.org", unrated, "", 1));
    let anns = newest(&host, "ann@example.org");
    assert!(visitor.get(&anns).text().contains("value=\"hint\""));
    let hint = visitor.post(&anns, "act=hint&once=1");
    let shown = hint.text();
    let notice =
        shown.split("notice\" role=").nth(1).and_then(|rest| rest.split(&['>', '<']).nth(1)).unwrap();
    let ply = notice.strip_prefix("Hint 1 of 5: ").and_then(|hint| hint.split('.').next()).unwrap();
    assert!(hint.status == 200 && shown.contains(">Your move.</p>"), "{shown}");
    // Sent again by a reload.
    assert!(visitor.post(&anns, "act=hint&once=1").text().contains("This was done already"));
    let played = visitor.post(&anns, &format!("act=move&turn={ply}"));
    assert_eq!(played.status, 303, "{}", played.text());
    // Where a person plays there is no button, and none is needed to ask.
    let other = letter("ann@example.org", "dvonn challenge -random ann bob", "", 2);
    served.connect().takes(&other);
    let between_people = newest(&host, "ann@example.org");
    assert!(!visitor.get(&between_people).text().contains("value=\"hint\""));
    let refused = visitor.post(&between_people, "act=hint");
    assert!(refused.status == 409 && refused.text().contains("between two people"), "{}", refused.text());
    host.assert_verified();
}

#[test]
fn looking_plays_nothing_and_the_button_plays_once() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let bobs = newest(&host, "bob@example.org");
    // The links alone lead to the board after the move, with the button.
    let page = visitor.get(&bobs).text();
    let chosen = visitor.get(links(&page, "from=k3").first().unwrap()).text();
    let after = visitor.get(links(&chosen, "turn=k3-j2").first().unwrap()).text();
    assert!(
        after.contains("<p class=\"big\">K3-J2</p>")
            && after.contains("Not played yet.")
            && after.contains("Play K3-J2</button>"),
        "{after}"
    );
    assert_eq!(visitor.json("/dvonn/1.json")["ply"], 1);
    let mails = host.wait_until_quiet();
    // A double click.
    let first = visitor.post(&bobs, "act=move&turn=K3-J2");
    let second = visitor.post(&bobs, "act=move&turn=K3-J2");
    assert_eq!((first.status, second.status), (303, 200));
    assert!(second.text().contains("This was done already"), "{}", second.text());
    assert_eq!(visitor.json("/dvonn/1.json")["ply"], 2);
    // The opponent is told; the page shows it to the player.
    assert_eq!(host.wait_until_quiet(), mails + 1);
    let next = visitor.get(first.header("location").unwrap()).text();
    assert!(next.contains("ann to move"), "{next}");
    assert!(visitor.get(&bobs).text().contains("This link is from an earlier mail"));
}

#[test]
fn what_the_rules_or_the_board_forbid_is_refused_as_in_a_mail() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let bobs = newest(&host, "bob@example.org");
    let mails = host.wait_until_quiet();
    let refused = visitor.post(&bobs, "act=move&turn=K3-A3");
    assert_eq!(refused.status, 409);
    assert!(refused.text().contains("class=\"card notice\""), "{}", refused.text());
    let anns = newest(&host, "ann@example.org");
    assert_eq!(visitor.post(&anns, "act=move&turn=A1-B1").status, 409);
    for body in
        ["", "act=move", "act=move&turn=", "act=signoff", "act=chat&words=+", "act=move&turn=resign%0Aresign"]
    {
        assert_eq!(visitor.post(&bobs, body).status, 400, "{body}");
    }
    assert_eq!((visitor.json("/dvonn/1.json")["ply"].clone(), host.wait_until_quiet()), (1.into(), mails));
    // What somebody wrote is there to be mended.
    let refused = visitor.post(&anns, "act=queue&queue=K3-J2+%3C+nothing");
    assert_eq!(refused.status, 409);
    let text = refused.text();
    assert!(
        text.contains("required>K3-J2 &lt; nothing</textarea>") && text.contains("<details open>"),
        "{text}"
    );
    let refused = visitor.post(&bobs, "act=move&turn=K3-J2&then=if+D1-A1+then+I1-H1").text();
    assert!(refused.contains(">if D1-A1 then I1-H1</textarea>"), "{refused}");
    assert!(refused.contains("Play K3-J2</button>") && refused.contains("K3-J2; if D"), "{refused}");
    // A turn in the address that cannot be played says why, and offers the board.
    assert!(visitor.get(&format!("{bobs}?turn=k3-a3")).text().contains("class=\"card notice\""));
    assert_eq!(visitor.post(&bobs, &format!("act=chat&words={}", "x".repeat(17_000))).status, 413);
}

#[test]
fn proposals_words_and_the_end_go_by_page_too() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let bobs = newest(&host, "bob@example.org");
    assert_eq!(visitor.post(&bobs, "act=chat&words=Well+played%21").status, 303);
    host.wait_until_quiet();
    assert!(host.sent().last().unwrap().text.contains("Well played!"));
    // A form quotes nothing: each of its lines is the player's own.
    assert_eq!(visitor.post(&bobs, "act=chat&words=I+see%3A%0A%3E+D1-E1%0A--+%0Abob").status, 303);
    host.wait_until_quiet();
    let text = host.sent().last().unwrap().text.clone();
    assert!(text.contains("> D1-E1") && text.contains("| bob"), "{text}");
    let anns = newest(&host, "ann@example.org");
    let undone = visitor.post(&anns, "act=undo");
    let shown = visitor.json(undone.header("location").unwrap());
    assert_eq!((&shown["v"]["plies"], &shown["notice"]), (&0.into(), &"Your move is taken back.".into()));
    let anns = undone.header("location").unwrap().split('?').next().unwrap().to_owned();
    assert_eq!(visitor.post(&anns, "act=propose").status, 303);
    // Bob's older mail did not show the proposal; the newest does.
    assert!(!strings(&visitor.json(&bobs)["words"]).contains(&"accept".to_owned()));
    let asked = newest(&host, "bob@example.org");
    assert_eq!(strings(&visitor.json(&asked)["words"])[..2], ["accept", "reject"]);
    assert_eq!(visitor.post(&asked, "act=reject").status, 303);
    let anns = newest(&host, "ann@example.org");
    assert_eq!(visitor.post(&anns, "act=resign").status, 303);
    assert!(visitor.json("/dvonn/1.json")["result"].as_str().unwrap().contains("resigned"));
    let over = newest(&host, "bob@example.org");
    assert_eq!(strings(&visitor.json(&over)["words"]), ["rematch", "chat"]);
    let again = visitor.post(&over, "act=rematch");
    assert_eq!(again.status, 303, "{}", again.text());
    // The link goes on at the new board.
    let new = visitor.json(again.header("location").unwrap());
    assert_eq!((&new["v"]["board"], &new["notice"]), (&2.into(), &"The new game has begun.".into()));
}

#[test]
fn tokens_open_nothing_else() {
    let (host, served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let bobs = newest(&host, "bob@example.org");
    let missing = visitor.get("/dvonn/99");
    let mail_token = reply_to(&host, "bob@example.org");
    let mail_token = mail_token.split(['+', '@']).nth(1).unwrap();
    let code = bobs.rsplit('.').next().unwrap();
    for token in
        [mail_token, &format!("b1.{code}"), &format!("p2.{code}"), "p1.", "p1.aaaa", &format!("p01.{code}x")]
    {
        let page = visitor.get(&format!("/play/{token}"));
        assert_eq!((page.status, &page.body), (404, &missing.body), "{token}");
        // What does not look like a link of ours is an address like any other.
        let posted = visitor.post(&format!("/play/{token}"), "act=resign");
        let looks_like_one = token.starts_with("p1.") || token.starts_with("p2.");
        assert_eq!(posted.status, if looks_like_one { 404 } else { 405 }, "{token}");
    }
    // Nor does the code of a page open the mailbox.
    let to = format!("play+b1.{code}@turnpost.example");
    let reply = format!(
        "From: eve@example.net\r\nTo: {to}\r\nSubject: x\r\nMessage-ID: <1@eve.example>\r\n\r\nresign\r\n"
    );
    served.connect().mail("eve@example.net", &[&to], reply.as_bytes());
    assert_eq!(visitor.json("/dvonn/1.json")["result"], Value::Null);
    for method in ["PUT", "DELETE"] {
        let page =
            ask_with(visitor.at(), &format!("{method} {bobs} HTTP/1.1\r\nContent-Length: 10"), "act=resign");
        assert_eq!(page.status, 405, "{method}");
    }
    let page = visitor.get(&bobs);
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert!(!served.log().contains(code));
}

#[test]
fn without_an_address_of_the_pages_no_mail_names_one() {
    let (host, _) = first_game();
    host.wait_until_quiet();
    assert!(host.sent().iter().all(|mail| !mail.raw().contains("/play/")));
}

#[test]
fn every_address_that_is_described_answers() {
    let (host, served, visitor) = begun("dvonn challenge", "F3");
    let described = visitor.json("/openapi.json");
    let token = newest(&host, "bob@example.org");
    let asks = format!("POST /sign-in HTTP/1.1\r\nOrigin: {URL}\r\nContent-Length: 7");
    assert_eq!(ask_with(visitor.at(), &asks, "who=ann").status, 200);
    host.wait_until_quiet();
    served.connect().takes(&letter("ann@example.org", "dvonn invite ann plover-42", "", 50));
    served.connect().takes(&letter("ann@example.org", "dvonn event new spring-cup ann plover-42", "", 51));
    host.wait_until_quiet();
    let [link, invitation] = ["sign-in", "invite"].map(|page| {
        let page = format!("{URL}/{page}/");
        let is_link = |line: &str| line.trim().strip_prefix(&page).map(str::to_owned);
        host.newest_first().find_map(|mail| mail.text.lines().find_map(is_link)).unwrap()
    });
    let paths = described["paths"].as_object().unwrap();
    // These need a browser that has signed in: `web_sign_in` and `web_news` read them.
    let is_for_all = |path: &str| path != "/me/events" && !path.contains("{feed}");
    for (path, item) in paths.iter().filter(|(path, _)| is_for_all(path)) {
        let mut asked = path.clone();
        for parameter in item["get"]["parameters"].as_array().unwrap() {
            let parameter = parameter["$ref"]
                .as_str()
                .map_or(parameter, |place| described.pointer(place.trim_start_matches('#')).unwrap());
            let name = parameter["name"].as_str().unwrap();
            let example = match (name, &parameter["example"]) {
                ("link", _) if path.starts_with("/invite/") => invitation.clone(),
                ("link", _) => link.clone(),
                ("token", _) => token.trim_start_matches("/play/").to_owned(),
                (_, Value::String(text)) => text.clone(),
                (_, other) => other.to_string(),
            };
            asked = asked.replace(&format!("{{{name}}}"), &example);
        }
        let kinds = item["get"]["responses"]["200"]["content"].as_object().unwrap();
        // A stream has no end.
        let page = match kinds.contains_key("text/event-stream") {
            true => ask(visitor.at(), &format!("HEAD {asked} HTTP/1.1")),
            false => visitor.follow(&asked).1,
        };
        assert_eq!(page.status, 200, "{asked}");
        let kind = page.header("content-type").unwrap();
        assert!(kinds.keys().any(|known| kind.starts_with(known)), "{asked}: {kind}");
        if kinds.contains_key("application/json") {
            let json = visitor.json(&visitor.follow(&asked).0);
            let schema = &kinds["application/json"]["schema"]["$ref"];
            let Some(name) = schema.as_str().and_then(|name| name.rsplit('/').next()) else { continue };
            for field in described["components"]["schemas"][name]["required"].as_array().unwrap() {
                assert!(json.get(field.as_str().unwrap()).is_some(), "{asked} lacks {field}: {json:#}");
            }
        }
    }
    assert!(paths.len() > 10);
}
