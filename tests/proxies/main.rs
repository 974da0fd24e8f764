//! The pages behind Caddy, nginx and Apache, as Debian packs them, with the very lines of `packaging/web`.
//!
//! Not among the tests of a plain `cargo test`: `.ci/servers` unpacks the proxies, then `cargo test --test proxies` starts
//! each on a machine of its own (see [`world`]), which takes the rights of the superuser. What is missing is a failure,
//! never passed over.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    dead_code
)]

#[path = "../support/mail.rs"]
mod mail;
mod proxies;
#[path = "../real_mail/servers.rs"]
mod servers;
mod visitor;
#[path = "../real_mail/world.rs"]
mod world;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use mail::Mail;
use servers::{Running, as_turnpost};
use visitor::Visitor;

/// The section of `docs/hosting.md` that goes with the lines.
const WEB: &str = "[web]\nlisten = \"127.0.0.1:8080\"\nurl = \"https://play.example.org\"\n\
                   trusted_proxies = [\"127.0.0.1\"]\n";

/// A server with a game, whose pages a proxy shows, and ann's link without the server's name.
fn turnpost() -> (Running, String) {
    assert!(include_str!("../../docs/hosting.md").contains(WEB), "the docs show other lines");
    servers::turnpost(WEB);
    let commands = "/var/lib/turnpost/commands";
    world::write(
        commands,
        "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.org\n\
         dvonn challenge -symmetry -seed=7 ann bob\n",
    );
    as_turnpost(&["submit", "<", commands]);
    as_turnpost(&["deliver"]);
    let user = ["--reuid=901", "--regid=901", "--clear-groups"];
    let command = ["/usr/local/bin/turnpost", "--data", "/var/lib/turnpost", "serve"];
    let serving = servers::start("setpriv", &[&user[..], &command].concat(), "/var/log/turnpost.log");
    servers::wait_for(8080);
    (serving, link())
}

fn link() -> String {
    let folder = Path::new("/var/lib/turnpost/mail");
    let mails = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    let line = |bytes: Vec<u8>| {
        let is_anns = String::from_utf8_lossy(&bytes).contains("To: ann@example.org");
        let mail = is_anns.then(|| Mail::read("ann@example.org", &bytes))?;
        let link =
            mail.text.split_whitespace().find_map(|word| word.strip_prefix("https://play.example.org"))?;
        Some(link.to_owned())
    };
    mails.filter_map(line).next().expect("a mail with a link")
}

/// Everything that any program of the machine has logged.
fn logged(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            all += &logged(&path);
        } else {
            all += &String::from_utf8_lossy(&std::fs::read(&path).unwrap());
        }
    }
    all
}

/// Six hundred visitors with half a form each, by a good link, keep nobody else waiting.
fn a_crowd_keeps_nobody_out(proxy: &str, link: &str) {
    let half = format!("POST {link} HTTP/1.1\r\nHost: play.example.org\r\nContent-Length: 100\r\n\r\na");
    let crowd: Vec<TcpStream> = (0..600_u16)
        .map(|number| {
            let [high, low] = number.to_be_bytes();
            let mut stream = visitor::plain([127, 1, high, low], proxies::PLAIN);
            stream.write_all(half.as_bytes()).unwrap();
            stream
        })
        .collect();
    for number in 1..4 {
        let begun = Instant::now();
        let mut stream = visitor::plain([127, 2, 0, number], proxies::PLAIN);
        stream
            .write_all(b"GET /dvonn/1 HTTP/1.1\r\nHost: play.example.org\r\nConnection: close\r\n\r\n")
            .unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let mut page = String::new();
        let _ = stream.read_to_string(&mut page);
        let status = page.lines().next().unwrap_or_default();
        assert!(status.contains(" 200 "), "{proxy}: {status}");
        assert!(begun.elapsed() < Duration::from_secs(1), "{proxy}: {:?}", begun.elapsed());
        proxies::settle();
    }
    drop(crowd);
}

/// What holds behind each proxy.
fn holds_behind(proxy: &str, _running: Running, (serving, link): (Running, String)) {
    let ann = Visitor::at("127.0.0.2");
    let home = ann.get("/");
    assert_eq!(home.status(), 200, "{proxy}: {home:?}");
    assert!(home.text.contains("a move when you have time"), "{home:?}");
    let head = home.text.to_ascii_lowercase();
    for header in ["content-security-policy: default-src 'none'", "referrer-policy: strict-origin"] {
        assert!(head.contains(header), "{proxy}: {home:?}");
    }

    // Looking plays nothing; the button plays once, and leads on to an address of this site.
    assert!(ann.get(&link).text.contains("Choose a piece"), "{proxy}");
    let played = ann.post(&link, "act=move&turn=D1-E1");
    assert_eq!(played.status(), 303, "{proxy}: {played:?}");
    let next = played.header("location").unwrap();
    let next = next.strip_prefix("https://play.example.org").unwrap_or(&next);
    assert!(next.starts_with("/play/p1."), "{proxy}: {next}");
    assert!(ann.get(next).text.contains("bob"), "{proxy}");
    assert!(ann.get("/dvonn/1.json").text.contains("D1-E1"), "{proxy}");

    a_crowd_keeps_nobody_out(proxy, next);

    // One spelling opens the page; what follows of the logs holds for all.
    let page = next.split('?').next().unwrap();
    for (plain, odd) in [
        ("/play/", "/%70lay/"),
        ("/play/", "/x/../play/"),
        ("/play/", "/PLAY/"),
        ("/play/", "/./play/"),
        ("/play/", "/play/%2e/"),
        ("/play/", "/x/%2e%2e/%50lay/"),
        ("/p1.", "/p01."),
        ("/p1.", "/%701."),
    ] {
        let status = ann.get(&page.replacen(plain, odd, 1)).status();
        assert!([400, 404].contains(&status), "{proxy} {odd}: {status}");
    }
    // Apache folds these slashes.
    ann.get(&format!("/{page}"));

    // More than a page takes.
    assert_eq!(ann.post(&link, &format!("act=chat&words={}", "x".repeat(17_000))).status(), 413, "{proxy}");
    // The server reads such a head to its end. It closes the connection within a longer one, and then a proxy that is
    // still sending may see no answer.
    let header = format!("X-Odd: {}", "x".repeat(20_000));
    let refused = ann.ask(&[format!("GET / HTTP/1.1\r\n{header}")]).status();
    assert!((400..500).contains(&refused), "{proxy}: {refused}");

    // Sixty pages for each visitor, whoever they say they are.
    let forged = |n: u8| {
        format!(
            "GET /robots.txt HTTP/1.1\r\nForwarded: for=198.51.100.{n}\r\nX-Forwarded-For: 198.51.100.{n}\r\n\
             X-Real-IP: 198.51.100.{n}"
        )
    };
    let eve = Visitor::at("127.0.0.3");
    let asked: Vec<String> = (1..=61).map(forged).collect();
    let answers = eve.ask(&asked);
    let count = |status: &str| answers.text.matches(&format!("HTTP/1.1 {status} ")).count();
    assert_eq!((count("200"), count("429")), (60, 1), "{proxy}");
    assert_eq!(Visitor::at("127.0.0.4").get("/robots.txt").status(), 200, "{proxy}");

    // Where nobody answers behind the proxy, it says so, and the link is told to no log either.
    drop(serving);
    assert!((502..=504).contains(&ann.get(&link).status()), "{proxy}");
    assert!((502..=504).contains(&ann.get("/dvonn/1?ply=0").status()), "{proxy}");
    proxies::settle();
    let logged = logged(Path::new("/var/log"));
    assert!(logged.contains("/dvonn/1.json") && logged.contains("/dvonn/1?ply=0"), "{proxy} logs:\n{logged}");
    let code = link.rsplit('.').next().unwrap();
    let next = next.split('?').next().unwrap().rsplit('.').next().unwrap();
    let told: Vec<&str> = logged.lines().filter(|line| line.contains(code) || line.contains(next)).collect();
    assert!(told.is_empty(), "{proxy} tells of the link:\n{}", told.join("\n"));
}

#[test]
fn behind_caddy() {
    if world::on("behind_caddy", &["caddy"]) {
        let serving = turnpost();
        holds_behind("Caddy", proxies::caddy(include_str!("../../packaging/web/Caddyfile")), serving);
    }
}

#[test]
fn behind_nginx() {
    if world::on("behind_nginx", &["nginx"]) {
        let serving = turnpost();
        holds_behind("nginx", proxies::nginx(include_str!("../../packaging/web/nginx.conf")), serving);
    }
}

#[test]
fn behind_apache() {
    if world::on("behind_apache", &["apache"]) {
        let serving = turnpost();
        let lines = include_str!("../../packaging/web/apache.conf");
        let server = include_str!("../../packaging/web/apache-server.conf");
        holds_behind("Apache", proxies::apache(lines, server), serving);
    }
}
