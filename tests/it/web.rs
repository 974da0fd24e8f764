//! The pages that everybody sees, asked for over HTTP.

use std::cell::Cell;
use std::io::Read;

use flate2::read::GzDecoder;
use turnpost::contest::events::Ruling;
use turnpost::contest::record::Contest;
use turnpost::contest::terms::{Competitor, ContestTerms};
use turnpost::failure::Error;
use turnpost::store::Store;

use crate::support::pages::{At, Visitor, ask, begun, first_game, get, newest};
use crate::support::played::{club, with_events};

#[test]
fn every_page_is_there_and_tells_no_address() {
    let (_host, at) = first_game();
    let pages = [
        ("/", "Board games, a move when you have time"),
        ("/dvonn", "<h2>Rules</h2>"),
        ("/hexmeister", "No player has a rating yet."),
        ("/dvonn/1", "aria-current=\"true\">I1-H1</a>"),
        ("/dvonn/1?ply=2", "aria-current=\"true\">K3-J2</a>"),
        ("/dvonn/1?ply=0", "<p class=\"big\">The start</p>"),
        ("/players/ann", "<h1>ann</h1>"),
        ("/help", "reply"),
        ("/help/dvonn", "DVONN"),
        ("/dvonn/1.txt", "\\__/"),
        ("/dvonn/1.json", "\"drawing\""),
        ("/dvonn/1.svg", "<svg"),
        ("/dvonn/1.record", "1. D1-E1"),
        ("/dvonn/1", "<meta property=\"og:description\" content=\"ann is to move. "),
        ("/dvonn.svg", "<svg"),
        ("/dvonn.dark.svg", "<svg"),
        ("/help", "/help/start"),
        ("/icon.svg", "<svg"),
        ("/manifest.webmanifest", "\"start_url\": \"/me\""),
        ("/style.css", "@media"),
        ("/robots.txt", "Disallow"),
    ];
    for (path, words) in pages {
        let page = get(&at, path);
        assert_eq!(page.status, 200, "{path}: {}", page.text());
        let text = page.text();
        assert!(text.contains(words), "{path}: {text}");
        assert!(
            !text.contains("ann@example.org") && !text.contains("bob@example") && !text.contains("plover-42"),
            "{path} tells too much"
        );
        assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"), "{path}");
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"), "{path}");
        let referrer = if path == "/" { "strict-origin" } else { "no-referrer" };
        assert_eq!(page.header("referrer-policy"), Some(referrer), "{path}");
        if page.header("content-type").unwrap().starts_with("text/html") {
            // One script, in a file of ours.
            assert_eq!(text.matches("<script").count(), 1, "{path}");
            assert!(text.contains("<script src=\"/script.js\" defer></script>"), "{path}");
            assert!(!text.contains("style=\""), "{path}");
            assert_eq!(text.matches("<h1>").count(), 1, "{path}");
        }
    }
    let manifest: serde_json::Value =
        serde_json::from_slice(&get(&at, "/manifest.webmanifest").body).unwrap();
    let icon = get(&at, "/icon.png").body;
    let side = |at: usize| u32::from_be_bytes(icon[at..at + 4].try_into().unwrap());
    assert_eq!(manifest["icons"][1]["sizes"], format!("{}x{}", side(16), side(20)));
    let picture = get(&at, "/dvonn/1.png?ply=3");
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")));
    assert!(picture.body.starts_with(b"\x89PNG"));
}

#[test]
fn a_board_says_in_words_and_as_a_table_what_it_shows() {
    let (_host, at) = first_game();
    let page = get(&at, "/dvonn/1").text();
    assert!(page.contains("The last move was I1 to H1."), "{page}");
    assert!(page.contains("<td><b>G1</b> white, 3 high, with DVONN</td>"), "{page}");
    assert!(page.contains("<td><b>D1</b> empty</td>"), "{page}");
    let json: serde_json::Value = serde_json::from_slice(&get(&at, "/dvonn/1.json").body).unwrap();
    assert_eq!(json["plies"], serde_json::json!(["D1-E1", "K3-J2", "E1-G1", "I1-H1"]));
    let accepted = ask(&at, "GET /dvonn/1 HTTP/1.1\r\nAccept: application/json");
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&accepted.body).unwrap(), json);
}

#[test]
fn the_rules_have_pictures() {
    let (_host, at) = first_game();
    for path in ["/help/dvonn", "/dvonn"] {
        let page = get(&at, path).text();
        assert!(page.matches("<figcaption>").count() >= 3 && page.contains("aria-label=\"White: "), "{page}");
        assert!(page.contains("The last move was "), "{page}");
        let names: Vec<&str> =
            page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| other == &name).count(), 1, "{name} on {path}");
        }
        for used in page.split("<use href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(names.contains(&used), "{used} on {path}");
        }
    }
    let json: serde_json::Value = serde_json::from_slice(&get(&at, "/help/dvonn.json").body).unwrap();
    assert!(json["pictures"].as_array().unwrap().len() >= 3, "{json}");
    let none: serde_json::Value = serde_json::from_slice(&get(&at, "/help/reply.json").body).unwrap();
    assert_eq!(none["pictures"], serde_json::json!([]));
}

#[test]
fn what_is_not_there_tells_nothing_and_what_is_wrong_breaks_nothing() {
    let (_host, at) = first_game();
    let missing = get(&at, "/dvonn/2");
    assert_eq!(missing.status, 404);
    for path in [
        "/dvonn/1?ply=5",
        "/hexmeister/1",
        "/players/carol",
        "/play/b1.secret",
        "/dvonn/1?ply=%00",
        "/../../etc/passwd",
        "/dvonn/1.php",
        &format!("/help/{}", "x".repeat(5000)),
    ] {
        let page = get(&at, path);
        assert_eq!((page.status, &page.body), (404, &missing.body), "{path}");
    }
    assert_eq!(ask(&at, "POST /dvonn/1 HTTP/1.1\r\nContent-Length: 0").status, 405);
    assert_eq!(ask(&at, "GET /dvonn/1 HTTP/1.1\r\nX: \x01").status, 400);
    // No `Host`, and two (RFC 9112, 3.2).
    for hosts in ["Connection: close\r\n", "Host: localhost", "Host: elsewhere.example"] {
        assert_eq!(ask(&at, &format!("GET /dvonn/1 HTTP/1.1\r\n{hosts}")).status, 400, "{hosts}");
    }
    let huge = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(1 << 20));
    assert!(std::panic::catch_unwind(|| ask(&at, &huge)).map_or(true, |page| page.status >= 400));
    let large = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(17 << 10));
    assert_eq!(ask(&at, &large).status, 431);
    assert_eq!(get(&at, "/dvonn/1").status, 200);
}

#[test]
fn who_has_a_page_gets_no_second_copy_and_nobody_gets_too_many() {
    let (_host, at) = first_game();
    let page = get(&at, "/dvonn/1");
    let tag = page.header("etag").unwrap();
    let again = ask(&at, &format!("GET /dvonn/1 HTTP/1.1\r\nIf-None-Match: {tag}"));
    assert_eq!((again.status, again.body.len()), (304, 0));
    let head = ask(&at, "HEAD /dvonn/1 HTTP/1.1");
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), page.header("content-length"));
    let statuses: Vec<u16> = (0..60).map(|_| get(&at, "/robots.txt").status).collect();
    assert_eq!(statuses.last(), Some(&429));
    let refused = get(&at, "/dvonn/1");
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("60")));
    assert!(refused.text().contains("<p>Too many pages for one address"), "{}", refused.text());
}

#[test]
fn long_texts_are_packed_for_who_takes_them_so() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let (at, visitor) = (visitor.at(), Cell::new(0));
    let asked = |path: &str, fields: &str| {
        visitor.set(visitor.get() + 1);
        ask(at, &format!("GET {path} HTTP/1.1\r\nX-Forwarded-For: 10.0.0.{}{fields}", visitor.get()))
    };
    for path in ["/dvonn/1", "/dvonn/1.svg", "/dvonn/1.json", "/style.css", "/script.js", "/help/dvonn"] {
        let plain = asked(path, "");
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
        let packed = asked(path, "\r\nAccept-Encoding: br, gzip;q=0.8");
        assert_eq!(packed.header("vary"), Some("Accept, Accept-Encoding"), "{path}");
        let is_long = plain.body.len() > 4 * 1024;
        assert_eq!(packed.header("content-encoding"), is_long.then_some("gzip"), "{path}");
        let mut body = Vec::new();
        match is_long {
            true => drop(GzDecoder::new(&packed.body[..]).read_to_end(&mut body).unwrap()),
            false => body.clone_from(&packed.body),
        }
        assert!(body == plain.body, "{path}");
        assert!(!is_long || packed.body.len() < plain.body.len() / 2, "{path}");
        assert_eq!(packed.header("content-length"), Some(packed.body.len().to_string().as_str()));
        // Whichever of the two a visitor has, and however it was named, is not sent again.
        let tag = packed.header("etag").unwrap();
        assert_eq!(plain.header("etag"), Some(tag));
        for coding in ["identity", "gzip"] {
            for seen in [tag, tag.trim_start_matches("W/")] {
                let fields = format!("\r\nAccept-Encoding: {coding}\r\nIf-None-Match: {seen}");
                let again = asked(path, &fields);
                assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
                assert_eq!(again.header("etag"), Some(tag), "{path}");
            }
        }
    }
    for (path, fields) in [
        ("/dvonn/1", "\r\nAccept-Encoding: gzip;q=0"),
        ("/dvonn/1.png", "\r\nAccept-Encoding: gzip"),
        // For one visitor, with links that are secrets.
        (asked("/try/dvonn", "").header("location").unwrap(), "\r\nAccept-Encoding: gzip"),
        (&newest(&host, "bob@example.org"), "\r\nAccept-Encoding: gzip"),
    ] {
        let page = asked(path, fields);
        let whole = page.status == 200 && page.body.len() > 4 * 1024;
        assert!(whole && page.header("content-encoding").is_none(), "{path}: {}", page.status);
    }
}

#[test]
fn the_tag_of_a_finished_board_is_another_when_its_page_is() {
    let host = club();
    let at = At::database(&host.database());
    let visitor = Visitor::new(&at);
    let now = |visitor: &Visitor, path: &str| {
        let page = visitor.get(path);
        (page.header("etag").unwrap().to_owned(), page.body)
    };
    assert!(visitor.get("/hexmeister/1").text().contains("1500 \u{2192} 1662"));
    let database = rusqlite::Connection::open(host.database()).unwrap();
    for (path, change) in [
        ("/dvonn/2", "UPDATE players SET userid = 'somebody' WHERE userid = 'bob'"),
        ("/dvonn/2", "UPDATE analyses SET made = NULL WHERE board = 2"),
        ("/dvonn/2", "UPDATE seats SET player = 3 - player WHERE board = 2"),
        (
            "/hexmeister/1",
            "UPDATE rating_steps SET rating = 123400 WHERE finish IN (SELECT number FROM finishes WHERE board = 1)",
        ),
        ("/hexmeister/1", "UPDATE boards SET rated = 0 WHERE id = 1"),
    ] {
        let before = now(&visitor, path);
        assert!(now(&visitor, path) == before, "nothing has changed");
        assert!(database.execute(change, []).unwrap() > 0, "{change}");
        let then = now(&visitor, path);
        assert!(then.0 != before.0 && then.1 != before.1, "{change}");
        let fields = format!("If-None-Match: {}\r\nX-Forwarded-For: 192.0.2.9", before.0);
        assert_eq!(ask(&at, &format!("GET {path} HTTP/1.1\r\n{fields}")).status, 200, "{change}");
    }
    // Another version may have other templates.
    let before = now(&visitor, "/hexmeister/1");
    // Who only asks whether it is the same has a budget of their own.
    let again = format!("GET /hexmeister/1 HTTP/1.1\r\nIf-None-Match: {}", before.0);
    assert!((0..100).all(|_| ask(&at, &format!("{again}\r\nX-Forwarded-For: 192.0.2.8")).status == 304));
    let at = At::database(&host.database());
    assert!(now(&Visitor::new(&at), "/hexmeister/1").0 != before.0);
}

#[test]
fn the_bank_of_both_players_stands_on_the_page_of_a_board_and_in_its_json() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7 -clock=20d+36h", "D1-E1");
    host.run(&["submit"], b"set ann plover-42 weekends off\n");
    let page = visitor.get("/dvonn/1").text();
    assert!(page.contains("20 days for all your moves, and each move gives a day and a half back"), "{page}");
    assert!(page.contains(">20 days left</span>") && page.contains("\"clock\">20 days</span>"), "{page}");
    assert!(page.contains("ann&#x27;s bank stands still on Saturdays and Sundays."), "{page}");
    let json = visitor.json("/dvonn/1");
    assert_eq!(json["bank"], serde_json::json!({ "hours": 480, "refill": 36 }));
    assert_eq!(json["left"][0], 480 * 3_600);
    assert!(json["time"].as_str().unwrap().starts_with("20 days for all your moves"), "{json}");
}

#[test]
fn a_contest_shows_who_joined_and_then_its_table_with_the_boards() {
    let host = club();
    with_events(&host);
    host.run(&["admin", "board", "6", "--end", "bob", "--reason", "A test."], b"").ok();
    let at = At::database(&host.database());
    let visitor = Visitor::new(&at);
    let list = visitor.get("/events").text();
    assert!(
        list.contains("<a href=\"/events/late-cup\">late-cup</a>: Hexmeister, 1 of 8 have joined, all play all, both ways"),
        "{list}"
    );
    let join = "?subject=hexmeister%20event%20join%20late-cup\">Join late-cup by mail";
    assert!(list.contains(join) && visitor.get("/events/late-cup").text().contains(&join[..46]), "{list}");
    assert!(list.contains("<a href=\"/events/spring-cup\">spring-cup</a>: DVONN, 3 players"), "{list}");
    let json = visitor.json("/events/late-cup.json");
    assert_eq!((json["joined"][0].as_str(), json["groups"].as_array().unwrap().len()), (Some("bob"), 0));

    let page = visitor.get("/events/SPRING-cup").text();
    assert!(page.contains("1 of 3 games are over."), "{page}");
    for cell in [
        "<td><a href=\"/dvonn/6\">0</a><i>\u{2022}</i> </td>",
        "<td><a href=\"/dvonn/6\">1</a> </td>",
        "<td><a href=\"/dvonn/7\">\u{2026}</a>",
        "<td class=\"own\"></td>",
    ] {
        assert!(page.contains(cell), "{cell}: {page}");
    }
    assert!(page.contains("Time: 20 days for all your moves"), "{page}");
    assert!(
        visitor.get("/dvonn/6").text().contains("<a href=\"/events/spring-cup\">spring-cup</a> \u{b7} rated")
    );
    let text = visitor.get("/events/spring-cup.txt").text();
    assert_eq!(
        text,
        "spring-cup, DVONN, all play all: 1 of 3 games are over.\n\n    \
         Place  player  points    SB  1 2 3\n    \
         1      bob          1  0.00  * 1 .\n    \
         2=     ann          0  0.00  0 * .\n    \
         2=     carol        0  0.00  . . *\n"
    );
    let json = visitor.json("/events/spring-cup.json?group=1");
    let cell = serde_json::json!([{"result": "1", "against": 2, "board": 6, "first": false}]);
    let rows = &json["groups"][0]["rows"];
    assert_eq!(rows[0]["games"][1], cell, "{json}");
    assert_eq!(
        (&rows[2]["place"], &rows[2]["shared"], &rows[0]["shared"]),
        (&2.into(), &true.into(), &false.into())
    );
    let feed = visitor.get("/events/spring-cup.atom");
    assert!(feed.header("content-type").unwrap().starts_with("application/atom+xml"));
    let feed = feed.text().replace("&#x2f;", "/");
    assert_eq!(feed.matches("<entry>").count(), 1, "{feed}");
    assert!(feed.contains("<link href=\"https://play.turnpost.example/dvonn/6\"/>"), "{feed}");
    // What nobody has played yet is as new as its last event.
    for unplayed in ["/events/late-cup.atom", "/dvonn/7.atom"] {
        let feed = visitor.get(unplayed).text();
        assert!(feed.matches("<updated>").count() == 1 && feed.contains("<updated>2"), "{unplayed}: {feed}");
    }
    for missing in ["/events/cup", "/events/spring-cup?group=2", "/events/spring-cup?group=0"] {
        assert_eq!(visitor.get(missing).status, 404, "{missing}");
    }
    // From the second game that ends, lines show how it came.
    assert!(!visitor.get("/events/spring-cup").text().contains("<svg"));
    host.run(&["admin", "board", "7", "--end", "carol", "--reason", "A test."], b"").ok();
    let page = visitor.get("/events/spring-cup").text();
    let lines = page.split("<path class=\"line\" d=\"").skip(1).map(|line| line.split('"').next().unwrap());
    // All are equal before any game ends; bob and carol win one each and share the first place.
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            "M8.0 26.7L320.0 26.7L632.0 26.7",
            "M8.0 26.7L320.0 80.0L632.0 26.7",
            "M8.0 26.7L320.0 80.0L632.0 133.3"
        ],
        "{page}"
    );
    let tag = visitor.get("/events/spring-cup").header("etag").unwrap().to_owned();
    let fields =
        format!("GET /events/spring-cup HTTP/1.1\r\nX-Forwarded-For: 10.9.9.9\r\nIf-None-Match: {tag}");
    assert_eq!(ask(&at, &fields).status, 304);
}

#[test]
fn each_game_has_a_page_of_its_league_and_of_its_ladder() {
    let host = club();
    with_events(&host);
    let at = At::database(&host.database());
    let visitor = Visitor::new(&at);
    let page = visitor.get("/dvonn/ladder").text();
    // ann stood last and asked carol, who stands in the middle.
    for part in [
        "3 players are on it",
        "<td>2</td><td><a href=\"/players/carol\">carol</a></td><td><a class=\"together\" href=\"/dvonn/9\">9 v ann</a></td>",
        "<td>1</td><td><a href=\"/players/bob\">bob</a></td><td></td>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    host.run(&["admin", "board", "9", "--end", "ann", "--reason", "A test."], b"").ok();
    let json = visitor.json("/dvonn/ladder.json");
    let names: Vec<_> = json["rows"].as_array().unwrap().iter().map(|row| &row["player"]).collect();
    assert_eq!(names, ["bob", "ann", "carol"]);
    assert_eq!(
        json["rows"][1],
        serde_json::json!({"place": 2, "player": "ann", "away": false, "boards": []})
    );
    assert_eq!(
        (&json["players"], &json["pages"], &json["finished"][0]["board"]),
        (&3.into(), &1.into(), &9.into())
    );
    assert!(visitor.get("/dvonn/ladder.txt").text().contains("\n    2      ann         0\n"));
    let feed = visitor.get("/dvonn/ladder.atom").text().replace("&#x2f;", "/");
    assert!(feed.contains("<id>https://play.turnpost.example/dvonn/ladder</id>"), "{feed}");
    assert_eq!(feed.matches("<entry>").count(), 1, "{feed}");

    let page = visitor.get("/dvonn/league").text();
    assert!(page.contains(", with 1 member so far; a season needs four."), "{page}");
    assert!(page.contains(">ann</a>") && !page.contains("Earlier seasons"), "{page}");
    let json = visitor.json("/dvonn/league.json");
    assert_eq!(
        (&json["joined"][0], &json["next"], json["season"].is_null()),
        (&"ann".into(), &1.into(), true)
    );
    assert!(visitor.get("/dvonn/league.txt").text().starts_with("The DVONN league has 1 member"));

    // Nobody is there yet.
    let page = visitor.get("/hex/ladder").text();
    assert!(page.contains("It is empty so far") && page.contains("?subject=hex%20ladder%20join\""), "{page}");
    assert!(visitor.get("/hex/ladder.txt").text().contains("has no players yet"));
    let page = visitor.get("/hex/league").text();
    assert!(
        page.contains("It has no members yet") && page.contains("?subject=hex%20league%20join\""),
        "{page}"
    );
    assert_eq!(visitor.get("/hex/league.atom").text().matches("<entry>").count(), 0);
    for missing in
        ["/chess960/league", "/dvonn/ladder?page=2", "/dvonn/league?page=0", "/hex/ladder.json?page=2"]
    {
        assert_eq!(visitor.get(missing).status, 404, "{missing}");
    }
    for (name, page) in [("ladder.json", "ladder.json"), ("ladder.txt", "ladder.txt"), ("league", "league")] {
        let led = visitor.get(&format!("/events/dvonn-{name}"));
        assert_eq!((led.status, led.header("location")), (303, Some(format!("/dvonn/{page}").as_str())));
    }
    for page in ["/dvonn", "/events"] {
        let page = visitor.get(page).text();
        assert!(page.contains("href=\"/dvonn/league\"") && page.contains("href=\"/dvonn/ladder\""), "{page}");
    }
    let places = host.run(&["admin", "contest", "dvonn-ladder"], b"").ok().to_owned();
    assert!(places.contains("\n    2      ann         0\n"), "{places}");
    let json: serde_json::Value =
        serde_json::from_str(host.run(&["admin", "contest", "dvonn-ladder", "--json"], b"").ok()).unwrap();
    assert_eq!(json["places"][2]["player"], "carol", "{json}");
}

#[test]
fn a_season_shows_a_group_at_a_time() {
    let host = club();
    with_events(&host);
    let mut store = Store::open_existing(&host.database()).unwrap();
    let players = ["ann", "bob", "carol", "robot-3"].map(|userid| {
        let player = store.player(&userid.parse().unwrap()).unwrap().unwrap().id;
        Competitor { player, rating: 150_000, deviation: 20_000, sent: 0 }
    });
    store
        .write(|store| {
            let cup = Contest::load(store, &store.contest_named("spring-cup")?.unwrap())?;
            let (form, name) = ("season".to_owned(), "dvonn-league-1".to_owned());
            let terms = ContestTerms { form, name, season: Some(1), ..cup.terms };
            let now = cup.made_at;
            let mut league = Contest::load(store, &store.contest_named("dvonn-league")?.unwrap())?;
            league.rule(store, None, &Ruling::Began, now)?;
            let mut season = Contest::make(store, &terms, None, now)?;
            season.start(store, &[players[..2].to_vec(), players[2..].to_vec()], now)?;
            store.set_contest_due(season.row.id, None).map_err(Error::from)
        })
        .unwrap();
    let at = At::database(&host.database());
    let visitor = Visitor::new(&at);
    let first = visitor.get("/events/dvonn-league-1").text();
    assert!(
        first.contains("group 1 of 2") && first.contains(">bob<") && !first.contains(">carol<"),
        "{first}"
    );
    assert!(first.contains("href=\"/events/dvonn-league-1?group=2\" aria-label=\"group 2\""), "{first}");
    // The league leads there.
    let league = visitor.get("/dvonn/league").text();
    assert!(
        league.contains("Season 1") && league.contains(">bob<") && !league.contains(">carol<"),
        "{league}"
    );
    assert!(league.contains("<a href=\"/events/dvonn-league-1\">All groups</a>"), "{league}");
    let second = visitor.get("/events/dvonn-league-1?group=2").text();
    assert!(
        second.contains("0 of 1 games of this group are over.") && second.contains(">carol<"),
        "{second}"
    );
    assert!(!second.contains(">bob<") && second.contains("/events/dvonn-league-1.txt?group=2"), "{second}");
    assert!(
        visitor
            .get("/events/dvonn-league-1.txt?group=2")
            .text()
            .contains("\nDVONN league, season 1, group 2 of 2:\n")
    );
    let json = visitor.json("/events/dvonn-league-1.json?group=2");
    assert_eq!((json["all_groups"].as_u64(), json["groups"][0]["number"].as_u64()), (Some(2), Some(2)));
    assert_eq!(visitor.get("/events/dvonn-league-1?group=3").status, 404);
}

#[test]
fn steps_carry_what_changes_and_nothing_twice() {
    let (_host, at) = first_game();
    let packed = || ask(&at, "GET /dvonn/1.steps HTTP/1.1\r\nAccept-Encoding: gzip");
    let [first, second] = [(); 2].map(|()| packed());
    assert!(first.header("content-encoding") == Some("gzip") && first.body == second.body);
    let mut unpacked = Vec::new();
    GzDecoder::new(first.body.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert!(get(&at, "/dvonn/1.steps").body == unpacked);
    let steps: Vec<Vec<(usize, usize, String)>> = serde_json::from_slice(&unpacked).unwrap();
    let (mut parts, mut whole) = (Vec::<String>::new(), 0);
    for (ply, changes) in steps.iter().enumerate() {
        let mut rest = std::mem::take(&mut parts).into_iter();
        for (kept, dropped, put) in changes {
            parts.extend(rest.by_ref().take(*kept));
            rest.by_ref().take(*dropped).for_each(drop);
            parts.extend(put.split_inclusive(['>', '\n']).map(str::to_owned));
        }
        parts.extend(rest);
        whole += parts.concat().len();
        let page = get(&at, &format!("/dvonn/1?ply={ply}")).text();
        // Each part of a step has its own place on the page.
        let step = parts.concat();
        let (board, rest) = step.split_once("<section class=\"card\" id=\"told\"").unwrap();
        let (told, moves) = rest.split_once("<nav class=\"steps\" id=\"steps\"").unwrap();
        assert!([board, told, moves].iter().all(|part| page.contains(part.trim())), "{ply}: {step}");
    }
    assert!(steps.len() == 5 && 2 * unpacked.len() < whole, "{} of {whole}", unpacked.len());
    assert_eq!(get(&at, "/hex/1.steps").status, 404);
}
