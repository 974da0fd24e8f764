//! The pages in Debian's Chromium, with mouse and keyboard. Needs `chromium` on this machine, so it is not among the tests
//! of a plain `cargo test`: run by name, `cargo test --locked --test browser`. The pages have no script, so what is seen
//! here is what everybody sees with JavaScript off.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    dead_code,
    unused_imports
)]

mod chromium;
mod pages;
#[path = "../it/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use chromium::Browser;
use serde_json::json;
use support::host::Host;
use support::mails::letter;
use support::serving::Served;

/// A place that is free, for the address that the mails name.
fn place() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// A server with the game of ann and bob, ann's first move played by mail so that links are on their way.
fn served() -> (Host, Served, String) {
    let host = Host::new();
    host.run(
        &["submit"],
        b"signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.org\n\
          dvonn challenge -symmetry -seed=7 ann bob\n",
    )
    .ok();
    let place = place();
    let url = format!("http://{place}");
    let served = Served::start(&host, &[("TURNPOST_WEB_LISTEN", &place), ("TURNPOST_WEB_URL", &url)]);
    served.connect().takes(&letter("ann@example.org", "dvonn move 1 ann plover-42 D1-E1", "", 1));
    (host, served, url)
}

/// The link in the newest mail to somebody.
fn link(host: &Host, to: &str) -> String {
    host.wait_until_quiet();
    let line = |text: &str| text.lines().find_map(|line| line.strip_prefix("On a page: ").map(str::to_owned));
    host.sent().iter().rev().filter(|mail| mail.to == to).find_map(|mail| line(&mail.text)).unwrap()
}

fn text(browser: &mut Browser) -> String {
    browser.value("document.querySelector('main').innerText").as_str().unwrap().to_owned()
}

#[test]
fn a_stranger_plays_the_robot_ten_seconds_after_the_first_page() {
    let (_host, _served, url) = served();
    let mut browser = Browser::start(1120, 900, false);
    let begun = Instant::now();
    browser.open(&format!("{url}/"));
    browser.click(".board a[href*='from=']");
    browser.click(".board a[href*='make=']");
    assert!(text(&mut browser).contains("The robot played"), "{}", text(&mut browser));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn two_browsers_and_a_mailbox_play() {
    let (host, served, _url) = served();
    let (mut anns, mut bobs) = (Browser::start(1120, 900, false), Browser::start(390, 844, true));
    let move_by = |browser: &mut Browser, to: &str, ply: &str| {
        let (from, _) = ply.split_once('-').unwrap();
        browser.open(&link(&host, to));
        browser.click(&format!(".board a[href$='from={from}']"));
        browser.click(&format!(".board a[href$='turn={ply}']"));
        assert!(text(browser).contains("The board after"), "{}", text(browser));
        browser.click("button");
        assert!(text(browser).contains("'s turn"), "{}", text(browser));
    };
    move_by(&mut bobs, "bob@example.org", "k3-j2");
    move_by(&mut anns, "ann@example.org", "e1-g1");
    served.connect().takes(&letter("bob@example.org", "dvonn move 1 bob dunlin-7 I1-H1", "", 2));
    move_by(&mut anns, "ann@example.org", "g1-g4");
    host.wait_until_quiet();
    let stored = host.run(&["admin", "board", "1"], b"");
    assert!(stored.ok().contains("G1-G4"), "{}", stored.out);
}

#[test]
fn the_keyboard_alone_chooses_a_move() {
    let (host, _served, _url) = served();
    let mut browser = Browser::start(1120, 900, false);
    browser.open(&link(&host, "bob@example.org"));
    for inside in ["from=", "turn="] {
        let mut pressed = 0;
        while browser.value(&format!("document.activeElement.matches(\".board a[href*='{inside}']\")"))
            != json!(true)
        {
            pressed += 1;
            assert!(pressed < 40, "no space with {inside} is reached");
            browser.press("Tab", 9);
        }
        assert!(browser.value("document.activeElement.getAttribute('aria-label').length").as_u64() > Some(5));
        browser.value("window.before = true");
        browser.press("Enter", 13);
        browser.wait_for("window.before === undefined && document.readyState === 'complete'");
    }
    assert!(text(&mut browser).contains("The board after"), "{}", text(&mut browser));
}

/// The pages of a server with a game, one of each kind.
fn pages(url: &str, link: &str) -> Vec<String> {
    let shared = [
        "/",
        "/dvonn",
        "/hexmeister",
        "/dvonn/1",
        "/players/ann",
        "/help/dvonn",
        "/try/dvonn",
        "/try/hexmeister",
    ];
    let of_link = [link.to_owned(), format!("{link}?from=k3"), format!("{link}?turn=k3-j2")];
    shared.iter().map(|page| format!("{url}{page}")).chain(of_link).collect()
}

#[test]
fn axe_finds_nothing() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/target/axe/package/axe.min.js");
    let axe = std::fs::read_to_string(file).expect("axe is there once `.ci/axe` ran");
    let (host, _served, url) = served();
    let link = link(&host, "bob@example.org");
    let mut all: Vec<String> = Vec::new();
    for dark in [false, true] {
        let mut browser = Browser::start(1120, 900, dark);
        for page in pages(&url, &link) {
            browser.open(&page);
            browser.value(&format!("{axe};true"));
            let found = browser.promised(
                "axe.run().then(found => found.violations.map(one => \
                 one.id + ': ' + one.nodes.map(node => node.html).slice(0, 3).join('   ')))",
            );
            if found != json!([]) {
                all.push(format!("{page}, dark: {dark}: {found:#}"));
            }
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn no_page_is_wider_than_a_small_phone() {
    let (host, _served, url) = served();
    let links = link(&host, "bob@example.org");
    for dark in [false, true] {
        let mut browser = Browser::start(320, 640, dark);
        for page in pages(&url, &links) {
            browser.open(&page);
            let wide = browser.value("document.documentElement.scrollWidth");
            assert_eq!(wide, json!(320), "{page}");
            let lit = browser.value("getComputedStyle(document.body).backgroundColor");
            assert_eq!(lit, json!(if dark { "rgb(22, 24, 29)" } else { "rgb(247, 243, 234)" }), "{page}");
            // What is to be touched is large enough for a finger.
            let small = browser.value(
                "[...document.querySelectorAll('.board a .a')].filter(a => a.getBoundingClientRect().width < 22).length",
            );
            assert_eq!(small, json!(0), "{page}");
        }
    }
}
