//! The edges of the pages: JSON of every page, methods, links with additions, and visitors who take their time.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::host::Host;
use crate::support::pages::{Visitor, ask, begun, first_game, get, newest, strings};
use crate::support::serving::{PATIENCE, Served};

#[test]
fn every_page_is_json_by_accept_and_by_address() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let link = newest(&host, "bob@example.org");
    let (trial, _) = visitor.follow("/try/dvonn?level=1");
    let (path, query) = trial.split_once('?').unwrap();
    let mut pages = vec![
        ("/".to_owned(), "/index.json".to_owned(), "games"),
        (trial.clone(), format!("{path}.json?{query}"), "legal"),
        (link.clone(), format!("{link}.json"), "legal"),
        (format!("{link}?turn=k3-j2"), format!("{link}.json?turn=k3-j2"), "turn"),
        (format!("{link}/pause"), format!("{link}/pause.json"), "until"),
    ];
    for (path, field) in [
        ("/dvonn", "standings"),
        ("/hexmeister", "rules"),
        ("/dvonn/1", "plies"),
        ("/players/ann", "userid"),
        ("/help", "text"),
        ("/help/dvonn", "text"),
    ] {
        pages.push((path.to_owned(), format!("{path}.json"), field));
    }
    for (page, twin, field) in pages {
        let html = visitor.get(&page);
        assert!(html.header("content-type").unwrap().starts_with("text/html"), "{page}");
        assert_eq!(html.header("vary"), Some("Accept, Accept-Encoding"), "{page}");
        let (accepted, by_address) = (visitor.json(&page), visitor.get(&twin));
        assert_eq!(by_address.header("content-type"), Some("application/json"), "{twin}");
        let by_address: Value = serde_json::from_slice(&by_address.body).unwrap();
        assert!(by_address.get(field).is_some(), "{twin} lacks {field}: {by_address:#}");
        assert_eq!(accepted, by_address, "{page}");
    }
    let missing = visitor.get("/dvonn/99.json");
    assert_eq!((missing.status, missing.header("content-type")), (404, Some("application/json")));
    assert_eq!(visitor.get("/play/p1.a.json").body, missing.body);
    assert_eq!(visitor.get("/style.css.json").status, 404);
}

#[test]
fn whoever_asks_for_json_by_the_address_is_led_on_so() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let link = newest(&host, "bob@example.org");
    let done = visitor.post(&format!("{link}.json"), "act=move&turn=K3-J2");
    assert_eq!(done.status, 303, "{}", done.text());
    let next = done.header("location").unwrap();
    assert!(next.contains(".json?done=move"), "{next}");
    assert_eq!(visitor.json(next)["to_move"], false);
    let (here, page) = visitor.follow("/try/hexmeister.json?level=1");
    let state: Value = serde_json::from_slice(&page.body).unwrap();
    assert!(here.contains("/try/hexmeister.json?"), "{here}");
    assert!(!strings(&state["legal"]).is_empty());
    let refused = visitor.post(&format!("{link}.json"), "act=resign");
    assert_eq!((refused.status, refused.header("content-type")), (409, Some("application/json")));
}

#[test]
fn what_others_add_to_a_link_changes_nothing() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let link = newest(&host, "bob@example.org");
    let (trial, _) = visitor.follow("/try/dvonn?level=1");
    for page in ["/", "/dvonn", "/dvonn/1", "/dvonn/1?ply=0", "/players/ann", "/help", &trial, &link] {
        let sign = if page.contains('?') { '&' } else { '?' };
        let added = format!("{page}{sign}utm_source=A%20club&fbclid=IwAR_0&x");
        let (plain, added) = (visitor.get(page), visitor.get(&added));
        assert_eq!(added.status, 200, "{page}");
        // The player's page has a number of its own each time.
        if page != link {
            assert!(plain.body == added.body, "{page}");
        }
    }
    // The order of what is ours does not matter, and nothing stands there twice.
    let (path, query) = trial.split_once('?').unwrap();
    let turned: Vec<&str> = query.split('&').rev().collect();
    assert_eq!(visitor.get(&format!("{path}?{}", turned.join("&"))).status, 200);
    for wrong in ["/dvonn/1?ply=0&ply=1", "/dvonn/1?ply=x", "/dvonn/1?ply=9"] {
        assert_eq!(visitor.get(wrong).status, 404, "{wrong}");
    }
}

#[test]
fn methods_and_targets_that_are_not_ours_are_refused_by_the_standard() {
    let (_host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let at = visitor.at();
    let mut number = 0;
    let mut asked = |line: &str| {
        number += 1;
        ask(at, &format!("{line}\r\nX-Forwarded-For: 10.9.0.{number}"))
    };
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST", "BREW", "get"] {
        let page = asked(&format!("{method} /dvonn/1 HTTP/1.1"));
        assert_eq!((page.status, page.header("allow")), (405, Some("GET, HEAD")), "{method}");
    }
    assert_eq!(asked("PUT /play/p1.a HTTP/1.1").header("allow"), Some("GET, HEAD, POST"));
    assert_eq!(asked("OPTIONS * HTTP/1.1").status, 405);
    for (line, status) in [
        ("GET /dvonn/1 HTTP/1.0", 200),
        ("GET http://elsewhere.example/dvonn/1 HTTP/1.1", 200),
        ("GET /dvonn/1#x HTTP/1.1", 200),
        ("GET /dvonn/1/ HTTP/1.1", 404),
        ("GET //dvonn/1 HTTP/1.1", 404),
        ("GET /%64vonn/1 HTTP/1.1", 404),
        ("GET /dvonn/1%00 HTTP/1.1", 404),
        ("GET /dvonn/../players/ann HTTP/1.1", 404),
        ("GET /dvonn/%2e%2e/%2e%2e/etc/passwd HTTP/1.1", 404),
        ("GET /help/..%2f..%2fhelp HTTP/1.1", 404),
        ("GET /dvonn/1\0 HTTP/1.1", 400),
        ("GET dvonn/1 HTTP/1.1", 400),
        ("GET /dvonn/1 HTTP/7.1", 400),
    ] {
        assert_eq!(asked(line).status, status, "{line:?}");
    }
    let long = "x".repeat(9_000);
    assert_eq!(asked(&format!("GET /{long} HTTP/1.1")).status, 404);
    assert_eq!(asked(&format!("GET /?{long} HTTP/1.1")).status, 404);
    let endless = format!("GET /{} HTTP/1.1", "x".repeat(60_000));
    assert!((400..500).contains(&asked(&endless).status));
}

#[test]
fn a_picture_may_bring_its_style_and_a_page_may_not() {
    let (_host, at) = first_game();
    let policy = |path: &str| get(&at, path).header("content-security-policy").unwrap().to_owned();
    for picture in ["/dvonn/1.svg", "/dvonn/1.dark.svg"] {
        assert!(get(&at, picture).text().contains("<style>"), "{picture}");
        assert_eq!(
            policy(picture),
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
        );
    }
    for page in ["/", "/dvonn/1", "/dvonn/1.json", "/dvonn/9"] {
        assert!(!policy(page).contains("unsafe"), "{page}");
    }
}

/// How long a connection stays open after these bytes, and what came back.
fn patience(at: SocketAddr, said: &[u8]) -> (Duration, String) {
    let mut stream = TcpStream::connect(at).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(said).unwrap();
    let begun = Instant::now();
    let mut back = Vec::new();
    stream.read_to_end(&mut back).unwrap();
    (begun.elapsed(), String::from_utf8_lossy(&back).into_owned())
}

/// A form that is on its way, and stays there.
fn half_a_form(link: &str, visitor: u8) -> String {
    format!(
        "POST {link} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.8.0.{visitor}\r\nContent-Length: 100\r\n\r\na"
    )
}

#[test]
fn nobody_is_waited_for_longer_than_five_seconds() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let at = visitor.at();
    let half = half_a_form(&newest(&host, "bob@example.org"), 1);
    let said: [(&str, &[u8], &str); 4] = [
        ("nothing", b"", ""),
        ("half a head", b"GET / HTTP/1.1\r\nHost: x\r\n", ""),
        ("half a body", half.as_bytes(), "HTTP/1.1 408 "),
        ("no second request", b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 "),
    ];
    std::thread::scope(|scope| {
        for (what, said, status) in said {
            scope.spawn(move || {
                let (time, back) = patience(at, said);
                assert!(time > Duration::from_secs(4) && time < Duration::from_secs(12), "{what}: {time:?}");
                assert!(back.starts_with(status), "{what}: {back}");
            });
        }
        // Whoever listens to no answer is not kept either.
        scope.spawn(move || {
            let mut stream = TcpStream::connect(at).unwrap();
            stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
            let begun = Instant::now();
            let requests = b"GET /style.css HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100);
            let gone = loop {
                match stream.write(&requests) {
                    Err(why) if !matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                        break why;
                    }
                    _ => assert!(begun.elapsed() < PATIENCE, "it listens for ever"),
                }
            };
            assert!(matches!(gone.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{gone}");
        });
    });
}

/// Another visitor is answered within a second.
fn assert_answers(visitor: &Visitor) {
    let begun = Instant::now();
    assert_eq!(visitor.get("/dvonn/1").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}

#[test]
fn whoever_keeps_us_waiting_keeps_nobody_out() {
    let (host, served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let at = visitor.at();
    let link = newest(&host, "bob@example.org");
    // The latest come with a byte each time: that is no request.
    let open = |said: &str| -> Vec<TcpStream> {
        let crowd = 0..300_u16;
        let streams = crowd.map(|number| {
            let mut stream = TcpStream::connect(at).unwrap();
            let said = said.replace("10.8.0.1", &format!("10.8.0.{}", number / 4));
            stream.write_all(said.as_bytes()).unwrap();
            stream
        });
        streams.collect()
    };
    for said in
        ["", "GET / HTTP/1.1\r\n", "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n", &half_a_form(&link, 1)]
    {
        let mut crowd = open(said);
        assert_answers(&visitor);
        for stream in &mut crowd {
            let _ = stream.write_all(b"G");
        }
        assert_answers(&visitor);
    }
    assert!(!served.log().contains("WARN") && !served.log().contains("ERROR"), "{}", served.log());
}

#[test]
fn a_form_is_read_when_visitor_and_link_may_send_one() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let at = visitor.at();
    let link = newest(&host, "bob@example.org");
    let answer = |said: &str| patience(at, said.as_bytes());
    // None of these is waited for.
    for (said, status) in [
        (half_a_form("/play/p1.aaaa", 1), "HTTP/1.1 404 "),
        (half_a_form("/play/p1.aaaa/pause", 1), "HTTP/1.1 404 "),
        (half_a_form(&link, 1).replace("POST", "GET"), "HTTP/1.1 200 "),
        (half_a_form("/dvonn/1", 1), "HTTP/1.1 405 "),
    ] {
        let (time, back) = answer(&said);
        assert!(back.starts_with(status) && time < Duration::from_secs(4), "{time:?} {said}: {back}");
    }
    let crowd: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(at).unwrap();
            stream.write_all(half_a_form(&link, 2).as_bytes()).unwrap();
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    let (time, back) = answer(&half_a_form(&link, 2));
    assert!(back.starts_with("HTTP/1.1 429 ") && time < Duration::from_secs(4), "{time:?}: {back}");
    assert_eq!(visitor.post(&link, "act=move&turn=K3-J2").status, 303, "another visitor");
    drop(crowd);
    (0..60).for_each(|_| drop(ask(at, "GET /robots.txt HTTP/1.1\r\nX-Forwarded-For: 10.8.0.3")));
    let (time, back) = answer(&half_a_form(&link, 3));
    assert!(back.starts_with("HTTP/1.1 429 ") && time < Duration::from_secs(4), "{time:?}: {back}");
}

#[test]
fn a_feed_is_atom() {
    let host = Host::new();
    host.run(&["submit"], include_str!("../first-game.txt").as_bytes());
    let at_url = [("TURNPOST_WEB_LISTEN", "127.0.0.1:0"), ("TURNPOST_WEB_URL", "https://play.example.org")];
    let served = Served::start(&host, &at_url);
    let visitor = Visitor::new(served.web.unwrap());
    let page = visitor.get("/dvonn/1.atom");
    assert_eq!(page.header("content-type"), Some("application/atom+xml; charset=utf-8"));
    // The slashes of its addresses are written as entities.
    let feed = page.text().replace("&#x2f;", "/");
    // One of each that RFC 4287 asks of a feed, and of each entry.
    let entries: Vec<&str> = feed.split("<entry>").skip(1).collect();
    assert_eq!(entries.len(), 4);
    let head = feed.split("<entry>").next().unwrap();
    for part in entries.iter().chain([&head]) {
        for element in ["<id>https://play.example.org/dvonn/1", "<title>", "<updated>2"] {
            assert_eq!(part.matches(element).count(), 1, "{element} in {part}");
        }
        let updated = part.split("<updated>").nth(1).unwrap().split('<').next().unwrap();
        assert!(updated.parse::<jiff::Timestamp>().is_ok(), "{updated}");
    }
    assert!(head.contains("<author><name>") && head.contains("rel=\"self\""), "{head}");
    assert!(entries[0].contains("<title>4. I1-H1</title>"), "{feed}");
    let mut ids: Vec<&str> = feed.split("<id>").skip(1).filter_map(|rest| rest.split('<').next()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 5);
}
