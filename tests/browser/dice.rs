//! Games with dice: turns of several clicks, and the check of the dice.

use serde_json::json;

use crate::chromium::Browser;
use crate::support::host::Host;
use crate::support::mails::letter;
use crate::support::serving::Served;
use crate::{YOUR_MOVE, link, send, served_after, text};

const BOARD: &str = ".board a[aria-label^='move to ']";
const CHECKER: &str = ".board a[aria-label^='move ']:not([aria-label^='move to '])";

/// A server with the game that ann has begun by mail.
fn begun(options: &str) -> (Host, Served, String) {
    let (host, served, url) = served_after("");
    let challenge = format!("backgammon challenge {options} ann bob");
    served.connect().takes(&letter("ann@example.org", &challenge, "", 1));
    for (who, password) in [("ann", "plover-42"), ("bob", "dunlin-7")] {
        let set = format!("set {who} {password} auto off");
        served.connect().takes(&letter(&format!("{who}@example.org"), &set, "", 2));
    }
    (host, served, url)
}

fn shows(browser: &mut Browser, selector: &str) -> bool {
    browser.value(&format!("document.querySelector(\"{selector}\") !== null")) == json!(true)
}

fn fits(browser: &mut Browser) {
    browser.value("document.querySelectorAll('details:not(.menu)').forEach(details => details.open = true)");
    let page = browser.value("[document.documentElement.scrollWidth, visualViewport.width, location.href]");
    assert_eq!(page[0], page[1], "{page}");
}

/// Chooses a checker and where it goes, until nothing is left to choose. Returns the number of steps.
fn choose_turn(browser: &mut Browser) -> usize {
    let steps = (0..=4).find(|_| {
        let is_chosen = shows(browser, "#move");
        if !is_chosen {
            browser.click(CHECKER);
            browser.click(BOARD);
        }
        is_chosen
    });
    steps.unwrap_or_else(|| panic!("{}", text(browser)))
}

/// Presses Enter on a link of the board or on a button.
fn enter(browser: &mut Browser, selector: &str) {
    browser.value(&format!("document.querySelector(\"{selector}\").focus(); window.before = true"));
    browser.press("Enter", 13);
    browser.wait_for("window.before === undefined && document.readyState === 'complete'");
}

#[test]
fn a_game_with_dice_is_played_by_clicks_and_its_dice_are_checked() {
    let (host, served, url) = begun("-match=3");
    let mut bob = Browser::start(360, 740, false);
    bob.open(&link(&host, "bob@example.org"));
    fits(&mut bob);
    // The script proposes a word, and the player writes another.
    let word = bob.value("document.querySelector('#word').value");
    assert!(word.as_str().is_some_and(|word| word.len() == 16), "{word}");
    bob.picture("dice-word");
    bob.value("document.querySelector('#word').value = 'moonshine & co'");
    bob.click("form:has(#word) button");
    let told = text(&mut bob);
    assert!(told.contains("the dice fell"), "{told}");
    let mut ann = Browser::start(1120, 900, false);
    ann.ask("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    // One visitor gets fewer pages a minute than this takes.
    let (mut turns, mut doubles, mut visitor) = ([0, 0], false, 100_000);
    for _ in 0..4 {
        for (seat, (browser, address)) in
            [(&mut ann, "ann@example.org"), (&mut bob, "bob@example.org")].into_iter().enumerate()
        {
            visitor += 1;
            browser.comes_from(visitor);
            // The page that is open can have the same address.
            browser.value("window.before = true");
            browser.open(&link(&host, address));
            browser.wait_for("window.before === undefined && document.readyState === 'complete'");
            if browser.value(YOUR_MOVE) != json!(true) {
                continue;
            }
            turns[seat] += 1;
            // A double comes once, and is taken.
            let word = ["take", if doubles { "roll" } else { "double" }]
                .map(|word| format!(".act a[href*='turn={word}']"))
                .into_iter()
                .find(|word| shows(browser, word));
            if let Some(word) = word {
                doubles |= word.contains("double");
                browser.click(&word);
                send(browser);
                continue;
            }
            fits(browser);
            browser.picture(&format!("backgammon-{seat}"));
            let steps = choose_turn(browser);
            // A step is taken back, and chosen again.
            browser.click("a[data-back]");
            assert!(steps == 1 || text(browser).contains(" …"), "{}", text(browser));
            browser.picture(&format!("backgammon-back-{seat}"));
            assert!(!shows(browser, "#move"));
            if seat == 1 {
                for selector in [CHECKER, BOARD] {
                    enter(browser, selector);
                }
                assert!(browser.value("document.activeElement.matches('#move button')") == json!(true));
                browser.picture("backgammon-chosen");
            }
            choose_turn(browser);
            send(browser);
        }
    }
    assert!(doubles && turns[0] > 1 && turns[1] > 1, "{turns:?}");
    // The dice can be checked once the game is over.
    served.connect().takes(&letter("bob@example.org", "backgammon resign 1 bob dunlin-7 match", "", 3));
    host.wait_until_quiet();
    bob.open(&format!("{url}/backgammon/1"));
    fits(&mut bob);
    assert!(
        text(&mut bob).contains("Salt of bob\n599dbd64457939f48fc2556d4d800f02\nSecret\n"),
        "{}",
        text(&mut bob)
    );
    bob.picture("dice-over");
    for (forge, verdict) in [
        ("", "All "),
        (
            ".replace(/^(\\d+\\. )(\\d)-(\\d)/m, (all, begin, one, two) => begin + (one % 6 + 1) + '-' + two)",
            "Forged: roll 1 ",
        ),
        (".replace(/(?<=salt\\s+)599d/, '699d')", "Forged: roll "),
        (".replace(/hash ./, 'hash x')", "Forged: the secret "),
    ] {
        bob.open(&format!("{url}/help/dice"));
        bob.promised(
            "fetch('/backgammon/1.record').then(page => page.text()).then(text => (window.record = text))",
        );
        bob.value(&format!(
            "const field = document.querySelector('#record'); field.value = window.record{forge}; \
             field.dispatchEvent(new Event('input'))"
        ));
        bob.wait_for("document.querySelector('output').value !== ''");
        let says = bob.value("document.querySelector('output').value");
        assert!(says.as_str().unwrap().starts_with(verdict), "{forge}: {says}");
    }
    fits(&mut bob);
    bob.picture("dice-checked");
    // Every form of the board is there, and the analysis board throws any dice.
    let last = host.plies(1);
    let pages = (0..=last)
        .flat_map(|ply| [format!("?ply={ply}"), format!("/study?ply={ply}"), format!(".svg?ply={ply}")]);
    for page in pages.chain([".png", ".txt", ".json", ".atom", ".steps", "?flip"].map(str::to_owned)) {
        visitor += 1;
        bob.comes_from(visitor);
        let status = bob.promised(&format!("fetch('/backgammon/1{page}').then(page => page.status)"));
        assert_eq!(status, json!(200), "{page}");
    }
    bob.open(&format!("{url}/backgammon/study"));
    for link in ["roll", "6-1", "13-7", "13-7_8-7"] {
        let from = match link {
            "13-7" => Some("13"),
            "13-7_8-7" => Some("8"),
            _ => None,
        };
        if let Some(from) = from {
            fits(&mut bob);
            bob.click(&format!(".board a[href$='from={from}']"));
        }
        bob.click(&format!("main a[href$='{link}']"));
    }
    assert!(text(&mut bob).contains("13/7 8/7. The dice are next."), "{}", text(&mut bob));
    host.assert_verified();
}

#[test]
fn checkers_enter_from_the_bar_and_leave_the_board_by_clicks() {
    for (position, clicks, turn) in [
        ("bar:1,6:2/6:2 w move 4-1", ["bar", "21", "6", "5"], "bar/21 6/5"),
        ("4:2,2:2/6:2 w move 4-1", ["4", "off", "2", "1"], "4/off 2/1"),
    ] {
        let (host, _served, _url) = begun(&format!("-position=\"{position}\""));
        let mut browser = Browser::start(360, 740, false);
        browser.open(&link(&host, "ann@example.org"));
        for space in clicks {
            browser.click(&format!(
                ".board a:is([aria-label^='move {space}:'], [aria-label^='move to {space}:'])"
            ));
        }
        assert!(text(&mut browser).contains(&format!("Play {turn}")), "{}", text(&mut browser));
    }
}
