//! The pages that everybody sees: finished boards with their analysis, players, lists, feeds; and what a copy costs.

use std::net::SocketAddr;

use serde_json::json;

use crate::support::host::Host;
use crate::support::mails::letter;
use crate::support::pages::{At, URL, Visitor, ask, get, links, server};
use crate::support::played::club;
use crate::support::serving::Served;

/// The server of a club.
fn served_club() -> (Host, Served, SocketAddr) {
    let host = club();
    let (served, at) = server(&host);
    (host, served, at)
}

fn pages_of_club() -> (Host, At) {
    let host = club();
    let at = At::database(&host.database());
    (host, at)
}

#[test]
fn a_finished_board_shows_its_analysis_and_steps_through_the_turns_that_decided_it() {
    let (_host, at) = pages_of_club();
    let visitor = Visitor::new(&at);
    let page = visitor.get("/dvonn/2").text();
    assert!(page.contains("<h2>Analysis</h2>") && page.contains("class=\"graph\""), "{page}");
    assert!(page.contains("The lead ") || page.contains("Neither side"), "{page}");
    assert!(page.contains(" gave away ") && page.contains("; better was "), "{page}");
    // From the last ply back over every turn that is named, and then on again.
    let named = page.matches("; better was ").count();
    let step = |page: &str, words: &str| {
        let before = page.split(words).next().filter(|before| before.len() < page.len())?;
        before.rsplit("href=\"").next()?.split('"').next().map(|link| link.replace("&#x2f;", "/"))
    };
    let mut back = vec!["/dvonn/2".to_owned()];
    while let Some(link) =
        step(&visitor.get(&back[back.len() - 1]).text(), "\" aria-label=\"the deciding turn before")
    {
        back.push(link);
    }
    assert_eq!(back.len(), named + 1, "{back:?}");
    let first = visitor.get(&back[named]).text();
    assert!(first.contains("id=\"here\"") && first.contains("Better was <b "), "{first}");
    assert!(first.contains("which gave away "), "{first}");
    let next = step(&first, "\" aria-label=\"the next deciding turn");
    assert_eq!(next.as_ref(), back.get(named - 1).filter(|_| named > 1), "{back:?}");
    // The same for programs.
    let json = visitor.json("/dvonn/2.json");
    let plies = json["analysis"]["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 30);
    assert!(plies[0]["before"]["value"].is_i64() && plies[0]["better"].is_array(), "{}", plies[0]);
}

#[test]
fn without_an_analysis_a_finished_board_says_how_to_get_one() {
    let (_host, served, at) = served_club();
    let visitor = Visitor::new(at);
    let over = visitor.get("/hexmeister/1").text();
    assert!(!over.contains("class=\"graph\"") && over.contains("<b>hexmeister analyse 1</b>"), "{over}");
    assert_eq!(visitor.json("/hexmeister/1.json")["analysis"], json!(null));
    let in_play = visitor.get("/dvonn/4").text();
    assert!(!in_play.contains("Analysis"), "{in_play}");
    // The Subject that the page names asks for it, and then it is there.
    let before = visitor.get("/hexmeister/1");
    let proven = "hexmeister showas bob dunlin-7 1\nhexmeister analyse 1\n";
    served.connect().takes(&letter("bob@example.org", "multiple", proven, 1));
    let until = std::time::Instant::now() + 3 * crate::support::serving::PATIENCE;
    while !visitor.get("/hexmeister/1").text().contains("class=\"graph\"") {
        assert!(std::time::Instant::now() < until, "{}", served.log());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_ne!(visitor.get("/hexmeister/1").header("etag"), before.header("etag"));
}

#[test]
fn a_player_is_shown_with_how_the_ratings_went_and_without_addresses() {
    let (_host, at) = pages_of_club();
    let visitor = Visitor::new(&at);
    let ann = visitor.json("/players/ann.json");
    let rated = &ann["games"][1];
    assert_eq!((&rated["lost"], &rated["running"]), (&json!(2), &json!(1)), "{ann:#}");
    let history = rated["history"].as_array().unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!((&history[0]["board"], &history[0]["before"]), (&json!(1), &json!(1500)));
    assert_eq!(history[0]["after"], history[1]["before"]);
    assert_eq!(history[1]["after"], rated["rating"]);
    assert!(history[1]["after"].as_i64() < history[0]["after"].as_i64());
    let page = visitor.get("/players/ann").text();
    assert!(
        page.contains("Here since 2") && page.contains("The rating at Hexmeister after each of 2 games"),
        "{page}"
    );
    assert!(page.contains(&format!("<td class=\"num\">{}</td>", history[0]["after"])), "{page}");
    assert!(!page.contains("ann@") && !page.contains("plover"), "{page}");
    // Whoever takes a break is still the one who played.
    let robot = visitor.get("/players/robot-3");
    assert_eq!(robot.status, 200, "{}", robot.text());
    assert!(robot.text().contains("The robot at level 3"));
}

#[test]
fn the_first_page_leads_to_boards_games_and_seeks() {
    let (_host, _served, at) = served_club();
    let visitor = Visitor::new(at);
    let home = visitor.get("/").text();
    for link in ["/dvonn/4", "/hexmeister/5", "/players/bob", "/try/dvonn", "/try/hexmeister"] {
        assert!(!links(&home, link).is_empty(), "{link}: {home}");
    }
    assert!(
        home.contains("bob looks for an opponent in DVONN, rating 1200-1700")
            || home.contains(">bob</a> looks for an opponent in DVONN, rating 1200-1700"),
        "{home}"
    );
    assert_eq!(links(&home, "seek=").len(), 1, "{home}");
}

#[test]
fn a_game_has_its_rules_standings_seeks_and_boards() {
    let (_host, at) = pages_of_club();
    let visitor = Visitor::new(&at);
    let page = visitor.get("/hexmeister").text().replace("&#x2f;", "/");
    for words in [
        "Boards in play",
        "There are no open challenges at the moment.",
        "Standings and ratings",
        "<abbr title",
        "Boards that are over",
        "<section id=\"rules\">",
        "href=\"/try/hexmeister\"",
        "wins; ann resigned",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(visitor.get("/dvonn").text().contains("/sign-up?game=dvonn&amp;seek="));
    let json = visitor.json("/hexmeister.json");
    let best = &json["standings"][0];
    assert_eq!(
        (&best["userid"], &best["place"], &best["provisional"]),
        (&json!("bob"), &json!(1), &json!(true))
    );
    assert_eq!((&json["boards"][0]["board"], &json["finished"][1]["board"]), (&json!(5), &json!(1)));
    assert!(json["rules"].as_str().unwrap().len() > 500);
    let over = |query: &str| -> Vec<u64> {
        let json = visitor.json(&format!("/hexmeister.json?{query}"));
        json["finished"].as_array().unwrap().iter().map(|row| row["board"].as_u64().unwrap()).collect()
    };
    let all = over("player=&result=&moves=");
    let by = |result: &str| over(&format!("player=ann&result={result}"));
    let mut decided = [by("won"), by("lost")].concat();
    decided.sort_by_key(|board| std::cmp::Reverse(*board));
    assert_eq!((&decided, over("result=won")), (&all, all.clone()));
    assert_eq!(
        (over("player=carol"), over("moves=999-"), over("until=2020-01-01")),
        (vec![], vec![], vec![])
    );
    assert_eq!(over(&format!("before={}", all[0])), all[1..]);
    assert_eq!(visitor.get("/hexmeister?moves=some").status, 404);
    assert!(visitor.get("/hexmeister?moves=999-").text().contains("No board is like that."));
    assert_eq!(visitor.json("/dvonn.json")["seeks"][0]["by"], "bob");
}

#[test]
fn a_finished_board_costs_a_second_visit_nothing() {
    let (_host, at) = pages_of_club();
    let visitor = Visitor::new(&at);
    for (path, cache) in [
        ("/dvonn/2", "no-cache"),
        ("/dvonn/2?ply=3", "no-cache"),
        ("/dvonn/2.json", "no-cache"),
        ("/dvonn/2.atom", "no-cache"),
        ("/style.css", "no-cache"),
        ("/script.js", "no-cache"),
        ("/dvonn/2.png", "public, max-age=86400"),
        ("/dvonn/2.svg?ply=3", "public, max-age=86400"),
    ] {
        let page = visitor.get(path);
        assert_eq!((page.status, page.header("cache-control")), (200, Some(cache)), "{path}");
        let tag = page.header("etag").unwrap();
        for seen in [tag.to_owned(), format!("W/{tag}"), format!("\"x\", {tag}")] {
            let again = ask(
                &at,
                &format!("GET {path} HTTP/1.1\r\nIf-None-Match: {seen}\r\nX-Forwarded-For: 192.0.2.9"),
            );
            assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
            assert_eq!(again.header("etag"), Some(tag), "{path}");
        }
    }
    let tags: std::collections::BTreeSet<String> =
        ["/dvonn/2", "/dvonn/2?ply=3", "/hexmeister/1", "/dvonn/2.svg", "/dvonn/2.dark.svg"]
            .iter()
            .map(|path| visitor.get(path).header("etag").unwrap().to_owned())
            .collect();
    assert_eq!(tags.len(), 5);
    // A board of another game has no tag, whatever the visitor has.
    let tag = visitor.get("/dvonn/2").header("etag").unwrap().to_owned();
    assert_eq!(ask(&at, &format!("GET /hexmeister/2 HTTP/1.1\r\nIf-None-Match: {tag}")).status, 404);
    // A board in play may change at any time.
    assert_eq!(visitor.get("/dvonn/4.svg").header("cache-control"), Some("no-cache"));
}

#[test]
fn a_link_to_a_board_shows_it_in_a_chat_and_tells_what_happened() {
    let (_host, at) = pages_of_club();
    let visitor = Visitor::new(&at);
    let page = visitor.get("/dvonn/2?ply=5").text().replace("&#x2f;", "/");
    for tag in [
        "og:title\" content=\"DVONN 2: ann v bob\"".to_owned(),
        format!("og:url\" content=\"{URL}/dvonn/2?ply=5\""),
        format!("og:image\" content=\"{URL}/dvonn/2.png?ply=5\""),
        "og:image:alt\" content=\"White: ".to_owned(),
        "og:description\"".to_owned(),
        "<p class=\"big\">3. ".to_owned(),
    ] {
        assert!(page.contains(&tag), "{tag}: {page}");
    }
    let robots = visitor.get("/robots.txt").text();
    assert!(robots.contains("Disallow: /play/") && robots.contains("Disallow: /try/"), "{robots}");
    let style = visitor.get("/style.css").text();
    assert!(style.contains("@media print") && style.contains("prefers-color-scheme:dark"));
    // Nothing moves, so nobody has to ask for less of it.
    assert!(!style.contains("transition") && !style.contains("animation"));
}

#[test]
fn pictures_beside_a_page_do_not_use_up_its_pages() {
    let (_host, at) = pages_of_club();
    let pictures: Vec<u16> = (0..70).map(|_| get(&at, "/dvonn/4.svg").status).collect();
    assert!(pictures.iter().all(|status| *status == 200), "{pictures:?}");
    assert_eq!(get(&at, "/dvonn/4").status, 200);
}
