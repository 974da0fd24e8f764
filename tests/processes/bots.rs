//! `examples/bot.py` against a person, and what its token does not do.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::mails::letter;
use crate::support::pages::{OURS, newest, seated, strings};
use crate::support::serving::{PATIENCE, wait_until};

#[test]
fn the_example_plays_a_person_until_its_token_ends() {
    let (host, served, visitor) = seated("breakthrough challenge --unrated");
    let mut client = served.connect();
    client.takes(&letter("bob@example.org", "bot bob dunlin-7", "", 1));
    host.wait_until_quiet();
    let mail = host.newest_first().find(|mail| mail.text.contains("Bearer ")).unwrap();
    let token = mail.text.split("Bearer ").nth(1).unwrap().split_whitespace().next().unwrap();
    let bearer = format!("Authorization: Bearer {token}");
    let asks = |request: &str, fields: &str, body: &str| visitor.send(request, fields, body);
    let me = |fields: &str| -> serde_json::Value {
        serde_json::from_slice(&asks("GET /me.json", fields, "").body).unwrap()
    };
    let known = me(&bearer);
    assert_eq!((&known["userid"], &known["others"][0]["opponent"]), (&"bob".into(), &"ann".into()));

    // It is no cookie, and no form takes it or waits for news.
    assert!(me(&format!("Cookie: __Host-turnpost={token}"))["userid"].is_null());
    let form = format!("code={}&once=1&act=set&zone=Europe/Paris", known["code"].as_str().unwrap());
    let (asked, since) = (Instant::now(), known["since"].as_str().unwrap());
    let to = format!("POST /me?since={since}");
    assert_eq!(asks(&to, &format!("{bearer}\r\n{OURS}"), &form).status, 403);
    let stay = format!("POST {}", known["others"][0]["href"].as_str().unwrap());
    assert_eq!(asks(&stay, OURS, "act=stay&once=1").header("set-cookie"), None);
    let other = asks("GET /me.json?since=1", "Authorization: Bearer abc", "");
    assert_eq!((other.status, other.header("www-authenticate")), (401, Some("Bearer")));

    let moves = || {
        let link = newest(&host, "ann@example.org");
        let legal = strings(&visitor.json(&link)["legal"]);
        let done = visitor.post(&link, &format!("act=move&turn={}", legal[0]));
        assert_eq!(done.status, 303, "{}", done.text());
    };
    // An answer waits for news, and comes with them.
    let news = std::thread::scope(|scope| {
        let waits = scope.spawn(|| me_since(served.web.unwrap(), &bearer, since));
        std::thread::sleep(Duration::from_millis(500));
        assert!(!waits.is_finished());
        moves();
        waits.join().unwrap()
    });
    assert!(asked.elapsed() < Duration::from_secs(20));
    assert!(news["since"] != known["since"] && news["waiting"][0]["opponent"] == "ann", "{news:#}");

    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bot.py");
    let mut bot = Command::new("python3")
        .arg(file)
        .env("TURNPOST_URL", format!("http://{}", visitor.at()))
        .env("TURNPOST_TOKEN", token)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    for plies in [2, 4, 6] {
        wait_until("the bot moves", || host.plies(1) == plies);
        if plies < 6 {
            moves();
        }
    }
    client.takes(&letter("bob@example.org", "bot bob dunlin-7 off", "", 2));
    moves();
    let until = Instant::now() + PATIENCE;
    while bot.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "the bot still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
    let said = bot.wait_with_output().unwrap();
    let said = (said.status.code(), String::from_utf8(said.stderr).unwrap());
    assert!(said.0 == Some(1) && said.1.contains("This token has ended"), "{said:?}");
    assert_eq!(host.plies(1), 7);
    assert!(!served.log().contains(token) && !served.stop().contains("WARN"));
    host.assert_verified();
}

/// `/me.json` with the state that is known, from another visitor.
fn me_since(at: std::net::SocketAddr, bearer: &str, since: &str) -> serde_json::Value {
    let asked = format!("GET /me.json?since={since} HTTP/1.1\r\nX-Forwarded-For: 10.9.9.9\r\n{bearer}");
    serde_json::from_slice(&crate::support::pages::ask(at, &asked).body).unwrap()
}
