//! The pages that everybody sees, of a club that has played for a while.

use serde_json::json;

use crate::chromium::Browser;
use crate::support::host::Host;
use crate::support::played::{club, with_events};
use crate::support::serving::Served;
use crate::{found_by_axe, place};

/// Finished boards with an analysis and without, at a deciding turn too, players, games, help.
const PAGES: [&str; 17] = [
    "/",
    "/dvonn",
    "/hexmeister",
    "/dvonn/2",
    "/dvonn/2?ply=5",
    "/hexmeister/1",
    "/players/ann",
    "/players/robot-3",
    "/help",
    "/events",
    "/events/spring-cup",
    "/events/late-cup",
    "/dvonn/6",
    "/dvonn/league",
    "/dvonn/ladder",
    "/hex/league",
    "/hex/ladder",
];

fn served() -> (Host, Served, String) {
    let host = club();
    with_events(&host);
    let place = place();
    let url = format!("http://{place}");
    let served = Served::start(&host, &[("TURNPOST_WEB_LISTEN", &place), ("TURNPOST_WEB_URL", &url)]);
    (host, served, url)
}

#[test]
fn axe_finds_nothing_on_what_everybody_sees() {
    let (_host, _served, url) = served();
    let mut all: Vec<String> = Vec::new();
    for dark in [false, true] {
        let mut browser = Browser::start(1120, 900, dark);
        for page in PAGES {
            browser.open(&format!("{url}{page}"));
            let found = found_by_axe(&mut browser);
            if found != json!([]) {
                all.push(format!("{page}, dark: {dark}: {found:#}"));
            }
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn what_everybody_sees_fits_a_small_phone() {
    let (_host, _served, url) = served();
    let mut browser = Browser::start(320, 640, false);
    for page in PAGES {
        browser.open(&format!("{url}{page}"));
        browser.value("document.querySelectorAll('details').forEach(details => details.open = true)");
        assert_eq!(browser.value("document.documentElement.scrollWidth"), json!(320), "{page}");
    }
}

#[test]
fn no_text_of_a_help_page_is_cut() {
    let (_host, _served, url) = served();
    let mut cut = Vec::new();
    for width in [360, 1120] {
        let mut browser = Browser::start(width, 800, false);
        for page in turnpost::commands::help::pages().into_iter().chain(["index"]) {
            browser.open(&format!("{url}/help/{page}"));
            let wide = "[...document.querySelectorAll('main *')].filter(one => one.scrollWidth > one.clientWidth + 1 \
                && getComputedStyle(one).overflowX !== 'visible').map(one => one.innerText.slice(0, 60))";
            let wide = browser.value(wide);
            if wide != json!([]) {
                cut.push(format!("{page} at {width}: {wide}"));
            }
        }
    }
    assert!(cut.is_empty(), "{}", cut.join("\n"));
}

#[test]
fn the_graph_leads_to_the_turns_that_decided_the_game() {
    let (_host, _served, url) = served();
    let mut browser = Browser::start(1120, 900, false);
    browser.open(&format!("{url}/dvonn/2"));
    // Its links are SVG's, and step without another page.
    browser.value("const turn = document.querySelector('.turns a').getAttribute('href'); document.querySelector(`.graph a[href='${turn}']`).dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))");
    browser.wait_for("location.search !== ''");
    let here = browser.value("document.querySelector('#here').innerText");
    assert!(here.as_str().unwrap().contains("gave away"), "{here}");
    // On paper the board and the words stay, and what only leads elsewhere does not.
    browser.ask("Emulation.setEmulatedMedia", json!({"media": "print"}));
    let seen = |browser: &mut Browser, selector: &str| {
        browser.value(&format!("document.querySelector('{selector}').getBoundingClientRect().height > 0"))
    };
    assert_eq!(seen(&mut browser, ".board svg"), json!(true));
    assert_eq!(seen(&mut browser, "#here"), json!(true));
    assert_eq!(seen(&mut browser, ".steps"), json!(false));
    assert_eq!(seen(&mut browser, "header"), json!(false));
}

#[test]
fn who_steps_through_a_game_asks_once() {
    let (_host, _served, url) = served();
    let mut browser = Browser::start(1120, 900, false);
    browser.open(&format!("{url}/dvonn/2"));
    let plies = browser.value("document.querySelectorAll('ol.moves a').length").as_u64().unwrap();
    assert!(plies > 10);
    browser.value("window.stays = true; window.seen = []");
    let here = "document.getElementById('at').innerHTML";
    for ply in (0..plies).rev() {
        browser.press("ArrowLeft", 37);
        browser.wait_for(&format!("location.search === '?ply={ply}'"));
        browser.value(&format!(
            "window.seen[{ply}] = [{here}, document.querySelector('.graph .now').getAttribute('d')]"
        ));
    }
    assert_eq!(browser.value("window.stays"), json!(true));
    let asked =
        "performance.getEntriesByType('resource').filter(one => one.initiatorType === 'fetch').length";
    assert_eq!(browser.value(asked), json!(1));
    let on = "document.querySelector(\".steps a[aria-label='one move on']\")";
    browser.value(&format!("{on}.focus(); {on}.click()"));
    browser.wait_for("location.search === '?ply=1'");
    assert_eq!(browser.value("document.activeElement.getAttribute('aria-label')"), json!("one move on"));
    assert_eq!(browser.value("document.querySelector('ol.moves [aria-current]').innerText"), json!("A1-B1"));
    // What it shows at each ply is what the page at that ply shows.
    for ply in [0, 1, plies / 2, plies - 1] {
        let same = browser.promised(&format!(
            "fetch('/dvonn/2?ply={ply}').then(page => page.text()).then(text => {{ \
             const page = new DOMParser().parseFromString(text, 'text/html'); \
             return [page.getElementById('at').innerHTML.trim() === window.seen[{ply}][0].trim(), \
             page.querySelector('.graph .now').getAttribute('d') === window.seen[{ply}][1]] }})",
        ));
        assert_eq!(same, json!([true, true]), "{ply}");
    }
}
