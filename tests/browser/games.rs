//! Every game to its end by clicks: ann at a desk, and bob with a phone.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

use serde_json::json;
use turnpost_games::scene::Ends;
use turnpost_games::{GameKind, Seat, Setup, Table, registry};
use turnpost_robot::Limits;

use crate::chromium::Browser;
use crate::{YOUR_MOVE, pair, send, served_after, soon};

/// A ply, and the position before it.
struct Step {
    position: String,
    seat: Seat,
    ply: String,
    /// The spaces to click on.
    spaces: Vec<String>,
    ends_turn: bool,
}

/// The next ply of a game that comes to an end: the first side knows how to win, and the second does not. In Go both pass
/// after a while, and one chain is marked as dead.
fn next(kind: &GameKind, table: &dyn Table, made: usize) -> String {
    let plies = table.legal_plies();
    let known = |word: &str| plies.iter().find(|ply| ply.starts_with(word)).cloned();
    let is_marked = known("alive").is_some();
    let counts = known("accept").or_else(|| known(if is_marked { "count" } else { "dead" }));
    let passes = known("pass").filter(|_| made > 80);
    counts.or(passes).unwrap_or_else(|| match table.turn() {
        Seat::First => {
            let robot = turnpost_robot::find(kind.key).unwrap();
            let choice = robot.choose_move(&table.position(), &Limits::nodes(3_000), &AtomicBool::new(false));
            choice.unwrap().unwrap().best_move
        }
        Seat::Second => plies[0].clone(),
    })
}

/// The last turns of a game.
fn late_steps(kind: &GameKind) -> Vec<Step> {
    let options = kind.more_between_people(&[]);
    let mut table = (kind.start)(&Setup { options: &options, seed: 7 }).unwrap();
    let mut steps: Vec<Step> = Vec::new();
    while table.ended().is_none() {
        let (position, seat) = (table.position(), table.turn());
        let ply = next(kind, table.as_ref(), steps.len());
        let Ends { from, to, then } = table.choices().into_iter().find(|(legal, _)| *legal == ply).unwrap().1;
        let spaces = [from, to, then].into_iter().flatten().collect();
        table.play_text(&ply).unwrap();
        let ends_turn = table.turn() != seat || table.forced_ply().is_some() || table.ended().is_some();
        steps.push(Step { position, seat, ply, spaces, ends_turn });
        table.play_passes();
    }
    let first = (0..steps.len() - 6).rev().find(|at| *at == 0 || steps[at - 1].ends_turn).unwrap();
    steps.split_off(first)
}

pub fn click_on_space(browser: &mut Browser, space: &str) {
    let says = ["^='move ", "^='move to ", "^='mark "].map(|says| format!("[aria-label{says}{space}:']"));
    browser.click(&format!(".board a:is({}, [aria-label$=' on {space}']) .a", says.join(",")));
}

/// Clicks on the spaces of a ply, and on its button where the board leaves a choice.
fn click_on(browser: &mut Browser, step: &Step) {
    step.spaces.iter().for_each(|space| click_on_space(browser, space));
    let button = format!(".act a[href$='{}']", step.ply.to_ascii_lowercase());
    if browser.value(&format!("document.querySelector(\"{button}\") !== null")) == json!(true) {
        // A pass is folded.
        browser.value(&format!(
            "document.querySelector(\"{button}\").closest('details')?.setAttribute('open', '')"
        ));
        browser.click(&button);
    }
}

/// Opens a board from the player's own games. Neither page is wider than the window.
fn open(browser: &mut Browser, me: &str, board: &str) {
    static OPENED: AtomicU32 = AtomicU32::new(0);
    // Nobody gets as many pages a minute as this takes.
    browser.comes_from(OPENED.fetch_add(1, Ordering::Relaxed));
    let fits = |browser: &mut Browser| {
        let page =
            browser.value("[document.documentElement.scrollWidth, visualViewport.width, location.href]");
        assert_eq!(page[0], page[1], "{page}");
    };
    browser.open(me);
    fits(browser);
    let number = board.rsplit('/').next().unwrap();
    browser.click(&format!("main a:is([href*='/play/p{number}.'], [href='{board}'])"));
    fits(browser);
}

/// The games without dice.
fn without_dice() -> impl Iterator<Item = &'static GameKind> {
    registry::games().iter().copied().filter(|kind| !kind.dice)
}

/// Ann's page stays open, and bob's phone has no script.
#[test]
fn every_game_is_played_to_its_end_by_clicks() {
    let games: Vec<Vec<Step>> = without_dice().map(late_steps).collect();
    let challenges = without_dice()
        .zip(&games)
        .map(|(kind, steps)| format!("{} challenge -position=\"{}\" ann bob\n", kind.key, steps[0].position));
    let (host, _served, url) = served_after(&challenges.collect::<String>());
    let [mut ann, mut bob] = pair(&host, &url);
    bob.ask("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    let me = format!("{url}/me");
    for ((number, kind), steps) in (1..).zip(without_dice()).zip(&games) {
        let (begun, board) = (Instant::now(), format!("/{}/{number}", kind.key));
        open(&mut ann, &me, &board);
        let mut turn_begins = true;
        for step in steps {
            let player = match step.seat {
                Seat::First => &mut ann,
                Seat::Second => &mut bob,
            };
            match step.seat {
                Seat::First => soon(player, YOUR_MOVE),
                Seat::Second if turn_begins => open(player, &me, &board),
                Seat::Second => {}
            }
            click_on(player, step);
            turn_begins = step.ends_turn;
            if step.ends_turn {
                send(player);
            }
        }
        soon(&mut ann, "document.querySelector('.strip .clock.on') === null");
        open(&mut bob, &me, &board);
        let ends = [&mut ann, &mut bob]
            .map(|browser| browser.value("document.querySelector('#told .big').innerText"));
        println!("{board}: {} after {:?}", ends[0], begun.elapsed());
        assert!(
            ends[0] == ends[1] && ends[0].as_str().unwrap().starts_with("Game over: "),
            "{board}: {ends:?}"
        );
    }
    host.assert_verified();
}
