//! Two people at once: what one does on a page, and what the page of the other shows of it.

use serde_json::json;

use crate::chromium::Browser;
use crate::games::click_on_space;
use crate::support::mails::letter;
use crate::{YOUR_MOVE, pair, send, served, served_after, served_with, soon, text};

/// Presses a button that is folded away.
fn press_rare(browser: &mut Browser, act: &str) {
    browser.value("document.querySelectorAll('details').forEach(one => (one.open = true))");
    browser.click(&format!("button[value={act}]"));
}

fn play(browser: &mut Browser, spaces: &[&str]) {
    spaces.iter().for_each(|space| click_on_space(browser, space));
    send(browser);
}

#[test]
fn a_swap_a_take_back_and_a_new_player_are_seen_on_the_page_that_is_open() {
    let (host, _served, url) =
        served_after("signup carol godwit-11 carol@example.org\nhex challenge -size=5 ann bob\n");
    let [mut ann, mut bob] = pair(&host, &url);
    [&mut ann, &mut bob].into_iter().for_each(|browser| browser.click(".list a.over"));
    play(&mut ann, &["c3"]);
    soon(&mut bob, YOUR_MOVE);
    bob.click("button[value=swap]");
    // Each plays on from the page that is open, in the other seat.
    soon(&mut ann, YOUR_MOVE);
    for (browser, who) in [(&mut ann, "ann"), (&mut bob, "bob")] {
        assert!(text(browser).contains("After move 1 bob changed seats with ann."), "{}", text(browser));
        let own = "[...document.querySelectorAll('.strip')].pop().querySelector('b').innerText";
        assert_eq!(browser.value(own), json!(who));
    }
    play(&mut ann, &["d3"]);
    soon(&mut bob, YOUR_MOVE);
    press_rare(&mut ann, "undo");
    // Nobody is asked as long as the other has not moved.
    soon(&mut bob, &format!("!{YOUR_MOVE}"));
    play(&mut ann, &["d4"]);
    soon(&mut bob, YOUR_MOVE);
    play(&mut bob, &["b2"]);
    soon(&mut ann, YOUR_MOVE);
    press_rare(&mut ann, "undo");
    soon(&mut bob, "!!document.querySelector('button[value=accept]')");
    bob.click("button[value=accept]");
    soon(&mut ann, &format!("{YOUR_MOVE} && !document.querySelector('ol.moves').innerText.includes('d4')"));
    host.run(&["admin", "board", "1", "--reseat", "1=carol", "--reason", "He asked for it."], b"").ok();
    soon(&mut bob, "document.querySelector('main').innerText.includes('carol has had your seat')");
    soon(&mut ann, "document.querySelector('main').innerText.includes(\"carol took bob's seat\")");
    host.assert_verified();
}

#[test]
fn words_that_arrive_leave_the_focus_where_it_is_and_a_space_with_it_takes_a_click() {
    let (host, _served, url) = served();
    let [mut ann, mut bob] = pair(&host, &url);
    [&mut ann, &mut bob].into_iter().for_each(|browser| browser.click(".list a.over"));
    let mut keeps = |bob: &mut Browser, at: &str, said: &str| {
        bob.value(&format!("document.querySelector(\"{at}\").focus()"));
        ann.value(&format!("document.querySelector('#words').value = '{said}'"));
        ann.click("form:has(#words) button");
        soon(bob, &format!("document.querySelector('ol.said')?.innerText.includes('{said}')"));
        assert_eq!(bob.value(&format!("document.activeElement.matches(\"{at}\")")), json!(true), "{at}");
    };
    keeps(&mut bob, ".board a[href$='from=k3']", "Hello");
    click_on_space(&mut bob, "K3");
    click_on_space(&mut bob, "J2");
    keeps(&mut bob, "#move button", "Well?");
}

#[test]
fn who_looks_back_while_a_move_is_made_comes_back_to_the_new_board() {
    let (host, served, url) = served();
    let mut reader = Browser::start(1120, 900, false);
    reader.open(&format!("{url}/dvonn/1"));
    reader.press("ArrowLeft", 37);
    reader.wait_for("location.search === '?ply=0'");
    served.connect().takes(&letter("bob@example.org", "dvonn move 1 bob dunlin-7 K3-J2", "", 2));
    host.wait_until_quiet();
    std::thread::sleep(std::time::Duration::from_millis(500));
    reader.press("ArrowRight", 39);
    soon(&mut reader, "document.querySelector('#told').innerText.includes('bob played')");
}

#[test]
fn lines_of_the_analysis_wait_on_the_board_and_notes_stay_private_until_they_are_shown() {
    let (host, _served, url) = served_with("chess challenge ann bob", "chess", "e2-e4");
    let [mut ann, mut bob] = pair(&host, &url);
    [&mut ann, &mut bob].into_iter().for_each(|browser| browser.click(".list a.over"));
    ann.click(".steps a[href$='/study']");
    let click = |browser: &mut Browser, spaces: &[&str]| {
        spaces.iter().for_each(|space| click_on_space(browser, space));
    };
    click(&mut ann, &["e7", "e5", "g1", "f3"]);
    ann.click("a[rel=prev]");
    ann.click("a[rel=prev]");
    click(&mut ann, &["c7", "c5", "b1", "c3"]);
    ann.click("form:has(#queue) button");
    ann.value("document.querySelector('details:has(#note)').open = true");
    ann.value("document.querySelector('#note').value = 'I fear the French.'");
    ann.click("form:has(#note) button");
    let [plan, note] = ["if c5 then Nc3", "I fear the French."];
    // A plan is a row of small boxes.
    let has = |browser: &mut Browser, words: &str| {
        text(browser).split_whitespace().collect::<Vec<_>>().join(" ").contains(words)
    };
    assert!(has(&mut ann, plan) && has(&mut ann, note), "{}", text(&mut ann));
    assert!(!has(&mut bob, plan) && !has(&mut bob, note));
    play(&mut bob, &["c7", "c5"]);
    soon(&mut bob, YOUR_MOVE);
    soon(&mut ann, "document.querySelector('ol.moves').innerText.includes('Nc3')");
    press_rare(&mut bob, "resign");
    soon(&mut ann, "document.querySelector('#told .big').innerText.startsWith('Game over')");
    assert!(has(&mut ann, "This game is not rated: it ended before"), "{}", text(&mut ann));
    bob.open(&format!("{url}/chess/1"));
    assert!(!has(&mut bob, note));
    press_rare(&mut ann, "share");
    bob.open(&format!("{url}/chess/1"));
    assert!(has(&mut bob, note), "{}", text(&mut bob));
    press_rare(&mut ann, "hide");
    bob.open(&format!("{url}/chess/1"));
    assert!(!has(&mut bob, note));
    host.assert_verified();
}
