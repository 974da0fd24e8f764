//! The pages in Debian's Chromium, with mouse and keyboard. Needs `chromium` on this machine, so it is not among the tests
//! of a plain `cargo test`: run by name, `cargo test --locked --test browser`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod chromium;
mod client;
mod dice;
mod games;
mod mails;
mod pages;
#[path = "../support/mod.rs"]
mod support;
mod two;

use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use chromium::Browser;
use serde_json::json;
use support::host::Host;
use support::mails::letter;
use support::played::late_game;
use support::serving::Served;
use turnpost::ids::BoardId;
use turnpost::store::Store;
use turnpost_games::{Seat, registry};

/// A place that is free, for the address that the mails name. It is below the ports that the system hands out (from
/// 32768 on), of which a browser may take any before the server has begun.
fn place() -> String {
    static NEXT: AtomicU16 = AtomicU16::new(21_000);
    loop {
        let place = format!("127.0.0.1:{}", NEXT.fetch_add(1, Ordering::Relaxed));
        if std::net::TcpListener::bind(&place).is_ok() {
            return place;
        }
    }
}

/// True on a page whose player is to move.
const YOUR_MOVE: &str = "document.title.startsWith('Your move')";

/// A server with the game of ann and bob, ann's first move played by mail so that links are on their way.
fn served() -> (Host, Served, String) {
    served_with("dvonn challenge -symmetry -seed=7 ann bob", "dvonn", "D1-E1")
}

fn served_with(challenge: &str, game: &str, first: &str) -> (Host, Served, String) {
    let (host, served, url) = served_after(&format!("{challenge}\n"));
    served.connect().takes(&letter(
        "ann@example.org",
        &format!("{game} move 1 ann plover-42 {first}"),
        "",
        1,
    ));
    (host, served, url)
}

/// A server with ann and bob, after these commands.
fn served_after(commands: &str) -> (Host, Served, String) {
    let host = Host::new();
    let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.org\n";
    host.run(&["submit"], format!("{players}{commands}").as_bytes()).ok();
    let place = place();
    let url = format!("http://{place}");
    let served = Served::start(
        &host,
        &[
            ("TURNPOST_WEB_LISTEN", &place),
            ("TURNPOST_WEB_URL", &url),
            ("TURNPOST_WEB_TRUSTED_PROXIES", "127.0.0.1"),
        ],
    );
    (host, served, url)
}

/// The link to the board in the newest mail to somebody.
fn link(host: &Host, to: &str) -> String {
    link_with(host, to, "/play/")
}

fn link_with(host: &Host, to: &str, part: &str) -> String {
    host.wait_until_quiet();
    let line = |text: &str| text.split_whitespace().find(|word| word.contains(part)).map(str::to_owned);
    host.newest_first().filter(|mail| mail.to == to).find_map(|mail| line(&mail.text)).unwrap()
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

/// The legal plies of a board, as it is stored.
fn legal(host: &Host, board: u32) -> (Seat, Vec<String>) {
    let store = Store::open_read_only(&host.database()).unwrap();
    let row = store.board(BoardId(board)).unwrap().unwrap();
    let table = (registry::find(&row.game).unwrap().read)(&row.position).unwrap();
    let plies = if table.ended().is_some() { Vec::new() } else { table.legal_plies() };
    (table.turn(), plies)
}

/// Chooses a ply with the mouse, on the page that is open.
fn choose(browser: &mut Browser, ply: &str) {
    let ply = ply.to_ascii_lowercase();
    if let Some((from, _)) = ply.split_once('-') {
        browser.click(&format!(".board a[href$='from={from}']"));
    }
    browser.click(&format!("main a[href$='{ply}']:not([href*='from='])"));
}

/// Sends the turn that is shown.
fn send(browser: &mut Browser) {
    // Dead stones of Go are sent by the button that counts.
    let says = text(browser);
    assert!(says.contains("Not played yet") || says.contains("Which stones are dead?"), "{says}");
    browser.click("#move button");
    assert!(text(browser).contains("Your move is played."), "{}", text(browser));
}

#[test]
fn a_turn_of_each_game_without_javascript() {
    for (game, first, turn) in
        [("dvonn", "A1", "B2"), ("dvonn", "D1-E1", "K3-J2"), ("hexmeister", "b1", "f11")]
    {
        let options = if first.contains('-') { "-symmetry -seed=7" } else { "" };
        let (host, _served, _) = served_with(&format!("{game} challenge {options} ann bob"), game, first);
        let mut browser = Browser::start(360, 700, false);
        browser.ask("Emulation.setScriptExecutionDisabled", json!({"value": true}));
        browser.open(&link(&host, "bob@example.org"));
        choose(&mut browser, turn);
        send(&mut browser);
        // Words, and the confirmation of a resignation.
        browser.value("document.querySelector('textarea[name=words]').value = 'Hello ann'");
        browser.click("textarea[name=words] + button");
        assert!(text(&mut browser).contains("Hello ann"), "{}", text(&mut browser));
        assert_eq!(
            browser.value("document.querySelector('button[value=resign]').checkVisibility()"),
            json!(false)
        );
        browser.value("document.querySelectorAll('details:has(button[value=resign])').forEach(one => (one.open = true))");
        browser.click("button[value=resign]");
        assert!(text(&mut browser).contains("You have resigned."), "{}", text(&mut browser));
    }
}

/// What has the focus.
fn focused(browser: &mut Browser) -> String {
    let href = browser.value("String(document.activeElement.getAttribute('href'))");
    href.as_str().unwrap().rsplit(['=', '/']).next().unwrap().to_owned()
}

#[test]
fn keys_and_pointer_make_it_pleasant() {
    let (host, _served, url) = served();
    let mut browser = Browser::start(1120, 900, false);
    browser.open(&format!("{url}/dvonn/1"));
    browser.value("window.before = true");
    browser.press("ArrowLeft", 37);
    browser.wait_for("location.search === '?ply=0' && document.readyState === 'complete'");
    browser.press("ArrowRight", 39);
    browser.wait_for("location.search === '' && document.readyState === 'complete'");

    browser.open(&link(&host, "bob@example.org"));
    // The arrows go from space to space, a name leads to its space, and Escape goes back.
    browser.press("ArrowRight", 39);
    let first = focused(&mut browser);
    browser.press("ArrowRight", 39);
    let second = focused(&mut browser);
    assert_eq!(first.as_bytes()[1], second.as_bytes()[1], "{first} {second}");
    browser.press("ArrowLeft", 37);
    assert_eq!(focused(&mut browser), first);
    browser.press("ArrowDown", 40);
    assert!(focused(&mut browser).as_bytes()[1] < first.as_bytes()[1], "{first}");
    browser.press("k", 75);
    browser.press("3", 51);
    assert_eq!(focused(&mut browser), "k3");
    browser.press("Enter", 13);
    browser.wait_for("location.search === '?from=k3' && document.readyState === 'complete'");
    browser.press("Escape", 27);
    browser.wait_for("location.search === '' && document.readyState === 'complete'");
    // Under the pointer a space shows where its stack could go.
    let shown =
        "[...document.querySelectorAll('.v')].filter(v => getComputedStyle(v).display !== 'none').length";
    assert_eq!(browser.value(shown), json!(0));
    browser.point("a[href$='from=k3'] .a");
    assert_eq!(browser.value(shown), json!(1));
}

#[test]
fn a_step_back_keeps_the_move_in_hand_and_three_keys_play_it() {
    let (host, _served, _url) = served();
    let mut browser = Browser::start(1120, 900, false);
    let home = link(&host, "bob@example.org");
    browser.open(&home);
    let enter = |browser: &mut Browser| {
        browser.value("window.before = true");
        browser.press("Enter", 13);
        browser.wait_for("window.before === undefined && document.readyState === 'complete'");
    };
    // Arrows step through the game until the board has the focus.
    browser.press("ArrowLeft", 37);
    browser.wait_for("location.search === '?ply=0'");
    assert!(text(&mut browser).contains("The start"), "{}", text(&mut browser));
    browser.press("Escape", 27);
    browser.wait_for("location.search === ''");
    browser.press("k", 75);
    browser.press("3", 51);
    enter(&mut browser);
    // The focus is on a space where the stack can go, and then on the button.
    assert!(focused(&mut browser).starts_with("k3-"), "{}", focused(&mut browser));
    enter(&mut browser);
    let play = "document.activeElement.matches('#move button')";
    assert_eq!(browser.value(play), json!(true));
    let turn = browser.value("location.search").as_str().unwrap().to_owned();
    browser.value("document.querySelector('#steps a').click()");
    browser.wait_for(&format!("location.search === '{turn}&ply=0'"));
    // A reload shows the same position, and from it leads back to the move in hand.
    browser.open(&format!("{home}{turn}&ply=0"));
    browser.click("#told a[data-back]");
    assert_eq!(browser.value("location.search"), json!(turn));
    browser.value("document.querySelector('#move button').focus()");
    enter(&mut browser);
    assert!(text(&mut browser).contains("Your move is played."), "{}", text(&mut browser));
}

#[test]
fn the_letter_of_a_piece_chooses_what_a_pawn_becomes() {
    let challenge = "chess challenge \"-position=8/8/8/8/8/2K5/p7/7k w - - 0 1\" ann bob";
    let (host, _served, _url) = served_with(challenge, "chess", "Kd3");
    let mut browser = Browser::start(1120, 900, false);
    browser.open(&format!("{}?from=a2-a1", link(&host, "bob@example.org")));
    browser.press("n", 78);
    assert_eq!(focused(&mut browser), "a1n");
    browser.press("Enter", 13);
    browser.wait_for("location.search === '?turn=a1n' && document.readyState === 'complete'");
    assert!(text(&mut browser).contains("Play a1=N"), "{}", text(&mut browser));
}

#[test]
fn a_phone_without_javascript_marks_dead_stones_and_counts() {
    let wall = "....bw.../....bwb../....bwb../....bw.../....bw.../....bw.../....bw.../.w..bw.../....bw...";
    let challenge = format!("go challenge \"-position={wall} b 0,14,1,0\" ann bob");
    let (host, _served, _url) = served_with(&challenge, "go", "pass");
    let mut browser = Browser::start(360, 740, true);
    browser.ask("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    let play = |browser: &mut Browser, to: &str, clicks: &[&str]| {
        browser.open(&link(&host, to));
        clicks.iter().for_each(|selector| browser.click(selector));
        browser.picture(&format!("go-count-{}", clicks.len()));
        browser.click("#move button");
        text(browser)
    };
    let told = play(&mut browser, "bob@example.org", &["details a[href$='turn=pass']"]);
    assert!(told.contains("Your move is played."), "{told}");
    // One chain by mistake, which the list brings back to life.
    let marks = ["b2", "e9", "g7"].map(|stone| format!(".board a[href$='dead-{stone}']"));
    let [lost, wrong, other] = marks.each_ref().map(String::as_str);
    let told =
        play(&mut browser, "ann@example.org", &[lost, wrong, other, ".rows a[href$='=dead-b2.dead-g7']"]);
    assert!(told.contains("Your move is played."), "{told}");
    let told = play(&mut browser, "bob@example.org", &[".act a[href$='accept']"]);
    assert!(told.contains("45") && told.contains("Game over"), "{told}");
    host.assert_verified();
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
    assert!(text(&mut browser).contains("Not played yet"), "{}", text(&mut browser));
}

#[test]
fn who_wants_no_question_plays_by_the_choice_itself() {
    let (host, served, _url) = served();
    served.connect().takes(&letter("bob@example.org", "set bob dunlin-7 confirm off", "", 2));
    let mut browser = Browser::start(1120, 900, false);
    let home = link(&host, "bob@example.org");
    // An address with a turn in it, which somebody may have handed on, plays nothing.
    browser.open(&format!("{home}?turn=k3-j2"));
    assert!(text(&mut browser).contains("Not played yet"));
    browser.open(&home);
    browser.click(".board a[href$='from=k3']");
    browser.value("document.querySelector(\".board a[href$='turn=k3-j2']\").dispatchEvent(new MouseEvent('click', {bubbles: true}))");
    browser.wait_for("document.body && document.body.innerText.includes('Your move is played.')");
    // Going back plays nothing again.
    browser.value("history.back()");
    assert_eq!(legal(&host, 1).0, Seat::First);
    host.assert_verified();
}

/// Signs a browser in, and leaves it at the player's games.
fn sign_in(browser: &mut Browser, host: &Host, url: &str, who: &str) {
    browser.open(&format!("{url}/sign-in"));
    browser.value(&format!("document.querySelector('input[name=who]').value = {who:?}"));
    browser.click("main button");
    browser.open(&link_with(host, &format!("{who}@example.org"), "/sign-in/s"));
    browser.click("main button");
}

/// Chromium itself asks a push service only with a network, so the test says what that would.
#[test]
fn a_browser_whose_player_asks_for_it_shows_turns() {
    let (host, _served, url) = served();
    let mut browser = Browser::start(390, 844, false);
    sign_in(&mut browser, &host, &url, "bob");
    browser.ask("Browser.grantPermissions", json!({"permissions": ["notifications"], "origin": url}));
    browser.picture("push-asked");
    browser.value(
        "PushManager.prototype.subscribe = async () => ({ toJSON: () => ({ endpoint: 'https://fcm.googleapis.com/wp/1', \
         keys: { p256dh: 'B'.padEnd(87, 'A'), auth: 'A'.repeat(22) } }) })",
    );
    browser.click("[data-push] button");
    assert!(
        text(&mut browser).contains("This browser is told when it is your turn."),
        "{}",
        text(&mut browser)
    );
    browser.picture("push-told");
    let data = json!({"title": "DVONN 1", "body": "Your move against ann.", "tag": "1"}).to_string();
    browser.ask("ServiceWorker.enable", json!({}));
    let push = json!({"origin": url, "registrationId": "0", "data": data});
    browser.ask("ServiceWorker.deliverPushMessage", push);
    let shown = browser.promised(
        "navigator.serviceWorker.ready.then(async (worker) => {
            for (let tries = 0; tries < 400; tries++) {
                const [shown] = await worker.getNotifications();
                if (shown) return `${shown.title}: ${shown.body}`;
                await new Promise((done) => setTimeout(done, 50));
            }
        })",
    );
    assert_eq!(shown, "DVONN 1: Your move against ann.");
    browser.click("button[value='no push']");
    assert_eq!(browser.value("document.querySelector('[data-push]').hidden"), false);
    host.assert_verified();
}

/// The browsers of ann, at a desk, and of bob, who has a phone. Both are signed in.
fn pair(host: &Host, url: &str) -> [Browser; 2] {
    [("ann", 1120), ("bob", 360)].map(|(who, width)| {
        let mut browser = Browser::start(width, 800, false);
        browser.comes_from(60_000 + width);
        sign_in(&mut browser, host, url, who);
        browser
    })
}

/// A person who counts the pages they see and their clicks.
struct Newcomer {
    browser: Browser,
    pages: u32,
    clicks: u32,
}

impl Newcomer {
    fn click(&mut self, selector: &str) {
        self.browser.click(selector);
        (self.pages, self.clicks) = (self.pages + 1, self.clicks + 1);
    }

    fn type_in(&mut self, name: &str, text: &str) {
        self.browser.value(&format!("document.querySelector('input[name={name}]').value = {text:?}"));
    }
}

#[test]
fn from_the_front_page_to_the_first_board_are_three_pages_one_mail_and_three_clicks() {
    let (host, served, url) = served();
    served.connect().takes(&letter("ann@example.org", "hex invite ann plover-42", "", 2));
    host.wait_until_quiet();
    let handed_on = link_with(&host, "ann@example.org", "/invite/");
    let handed_on = handed_on.strip_prefix(&url).unwrap();
    for (name, begins) in [("cleo", "/"), ("dora", "/try/reversi"), ("erin", handed_on)] {
        let browser = Browser::start(360, 740, false);
        let mut person = Newcomer { browser, pages: 1, clicks: 0 };
        person.browser.open(&format!("{url}{begins}"));
        if begins.starts_with("/try") {
            person.browser.click(".board a");
            person.browser.click(".board a");
            person.browser.value("document.querySelector('form').closest('details').open = true");
        }
        person.type_in("name", name);
        person.type_in("address", &format!("{name}@example.com"));
        person.click("form:has([name=address]) button");
        host.wait_until_quiet();
        let address = format!("{name}@example.com");
        let is_theirs = |mail: &&support::mails::Mail| mail.to == address;
        assert_eq!(host.sent().iter().filter(is_theirs).count(), 1);
        person.browser.open(&link_with(&host, &address, "/invite/"));
        (person.pages, person.clicks) = (person.pages + 1, person.clicks + 1);
        person.click("main button");
        let told = text(&mut person.browser);
        assert!(told.contains("Your move") || told.contains("ann to move"), "{told}");
        assert_eq!(person.browser.value("location.pathname.startsWith('/play/')"), json!(true));
        // The board is the fourth.
        assert_eq!((person.pages, person.clicks), (4, 3), "{name}");
        person.browser.open(&format!("{url}/me"));
        assert!(text(&mut person.browser).contains("My games"));
        host.wait_until_quiet();
        assert_eq!(host.sent().iter().filter(is_theirs).count(), 1);
    }
    host.assert_verified();
}

#[test]
fn a_board_that_is_looked_at_shows_the_opponents_move_without_a_reload() {
    let (host, served, url) = served();
    let mut browser = Browser::start(1120, 900, false);
    sign_in(&mut browser, &host, &url, "ann");
    browser.picture("me");
    assert!(text(&mut browser).contains("No game waits for you"), "{}", text(&mut browser));
    browser.click(".list a.over");
    browser.value("window.stays = true; document.querySelector('#words').value = 'Well'; document.querySelector('#words').focus()");
    let (_, legal) = legal(&host, 1);
    let by_bob = format!("dvonn move 1 bob dunlin-7 {}", legal[0]);
    served.connect().takes(&letter("bob@example.org", &by_bob, "", 2));
    host.wait_until_quiet();
    browser.wait_for(YOUR_MOVE);
    for (what, expected) in [
        ("window.stays", json!(true)),
        ("document.querySelector('#words').value", json!("Well")),
        ("document.activeElement.id", json!("words")),
        ("document.querySelector('#news').innerText.startsWith('Your move')", json!(true)),
        ("document.querySelectorAll('.board svg a').length > 0", json!(true)),
    ] {
        assert_eq!(browser.value(what), expected, "{what}");
    }
    browser.picture("live");
    browser.open(&format!("{url}/me"));
    assert_eq!(browser.value("document.title.startsWith('(1) ')"), json!(true));
    // The page of her games hears of it too.
    browser.value("window.stays = true");
    served.connect().takes(&letter("bob@example.org", "dvonn propose 1 bob dunlin-7", "", 3));
    let offered = Instant::now();
    browser.wait_for("document.querySelector('main').innerText.includes('offers a draw in')");
    assert!(offered.elapsed() < Duration::from_secs(2), "{:?}", offered.elapsed());
    assert_eq!(browser.value("window.stays"), json!(true));
}

/// Waits for what a page shows within two seconds of what the other player did.
fn soon(browser: &mut Browser, shows: &str) {
    let done = Instant::now();
    browser.wait_for(shows);
    assert!(done.elapsed() < Duration::from_secs(2), "{shows} after {:?}", done.elapsed());
}

/// One offers and the other accepts, each on the page that is open.
#[test]
fn an_offer_is_answered_where_it_is_seen() {
    let (host, _served, url) = served();
    let [mut ann, mut bob] = pair(&host, &url);
    let [ann, bob] = [&mut ann, &mut bob];
    ann.click(".list a.over");
    bob.click(".list a.over");
    // It is bob's turn, and he is writing.
    bob.value("window.stays = true; document.querySelector('#words').value = 'Well'; document.querySelector('#typed').value = 'k3'");
    ann.value("document.querySelector('details.rare').open = true");
    ann.click("button[value=propose]");
    soon(bob, "!!document.querySelector('button[value=accept]')");
    for (what, expected) in [
        ("window.stays", true),
        ("document.querySelector('#words').value === 'Well'", true),
        ("document.querySelector('#typed').value === 'k3'", true),
    ] {
        assert_eq!(bob.value(what), json!(expected), "{what}");
    }
    bob.click("button[value=accept]");
    soon(ann, "document.querySelector('main').innerText.includes('a draw by agreement')");
    // They go on talking.
    bob.value("document.querySelector('#words').value = 'Thank you!'");
    bob.click("form:has(#words) button");
    ann.wait_for("document.querySelector('ol.said').innerText.includes('Thank you!')");
}

#[test]
fn a_page_that_gets_no_stream_looks_by_itself() {
    let (host, served, url) = served();
    let at = served.web.unwrap();
    let streams: Vec<std::net::TcpStream> = (0..4)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(at).unwrap();
            std::io::Write::write_all(&mut stream, b"GET /dvonn/1/events HTTP/1.1\r\nHost: x\r\n\r\n")
                .unwrap();
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(500));
    let mut browser = Browser::start(1120, 900, false);
    browser.open(&format!("{url}/dvonn/1"));
    let (_, legal) = legal(&host, 1);
    let by_bob = format!("dvonn move 1 bob dunlin-7 {}", legal[0]);
    served.connect().takes(&letter("bob@example.org", &by_bob, "", 2));
    std::thread::sleep(Duration::from_secs(5));
    let sees = "document.querySelector('main').innerText.includes('bob played')";
    assert_eq!(browser.value(sees), json!(false));
    std::thread::sleep(Duration::from_secs(15));
    browser.wait_for(sees);
    // The stream comes when there is room.
    drop(streams);
    std::thread::sleep(Duration::from_secs(21));
    let by_ann = "dvonn propose 1 ann plover-42";
    served.connect().takes(&letter("ann@example.org", by_ann, "", 3));
    let heard = Instant::now();
    browser.wait_for("document.querySelector('main').dataset.live === '4'");
    assert!(heard.elapsed() < Duration::from_secs(2), "{:?}", heard.elapsed());
}

/// Chooses a ply and plays it, by keys alone.
fn play_by_keys(browser: &mut Browser, ply: &str) {
    let press = |browser: &mut Browser, space: &str| {
        for key in space.to_ascii_lowercase().chars() {
            browser.press(&key.to_string(), u32::from(key.to_ascii_uppercase()));
        }
        browser.value("window.before = true");
        browser.press("Enter", 13);
        browser.wait_for("window.before === undefined && document.readyState === 'complete'");
    };
    ply.split('-').for_each(|space| press(browser, space));
    for _ in 0..80 {
        if browser.value("document.activeElement.matches('#move button')") == json!(true) {
            press(browser, "");
            return;
        }
        browser.press("Tab", 9);
    }
    panic!("the button is not reached: {}", text(browser));
}

#[test]
fn keys_alone_play_a_game_against_mails() {
    let (host, served, url) = served();
    let mut anns = Browser::start(1120, 900, false);
    sign_in(&mut anns, &host, &url, "ann");
    // The last dozen plies of a game.
    let (challenge, _) = late_game();
    host.run(&["submit"], format!("dvonn showas ann plover-42\n{challenge} ann bob\n").as_bytes()).ok();
    anns.open(&format!("{url}/me"));
    anns.click(".list a[href*='/play/p2.']");
    let (mut client, mut turns) = (served.connect(), [0, 0]);
    loop {
        host.wait_until_quiet();
        let (seat, plies) = legal(&host, 2);
        let Some(ply) = plies.first() else { break };
        turns[seat.index()] += 1;
        match seat {
            // Ann's page comes to life, her keys choose, and what she hears is a sentence.
            Seat::First => {
                anns.comes_from(turns[0]);
                soon(&mut anns, YOUR_MOVE);
                play_by_keys(&mut anns, ply);
                let said = anns.value("document.querySelector('[role=status].notice').innerText");
                assert_eq!(said, json!("Your move is played."));
            }
            Seat::Second => {
                let by_bob = format!("dvonn move 2 bob dunlin-7 {ply}");
                client.takes(&letter("bob@example.org", &by_bob, "", 100 + turns[1]));
            }
        }
    }
    assert!(turns[0] > 2 && turns[1] > 2, "{turns:?}");
    anns.open(&link(&host, "ann@example.org"));
    let told = text(&mut anns);
    assert!(told.contains("Game over") && told.contains("Rematch"), "{told}");
    // Signed out, the page is nobody's.
    anns.open(&format!("{url}/me"));
    anns.click("button[value='']");
    anns.open(&format!("{url}/me"));
    assert!(text(&mut anns).contains("Sign in") && !text(&mut anns).contains("My games\n"));
    host.assert_verified();
}

#[test]
fn the_form_of_a_new_game_has_the_fields_of_the_game_that_is_chosen() {
    let (host, _served, url) = served();
    for (board, script) in [(2, true), (3, false)] {
        let mut browser = Browser::start(360, 740, false);
        browser.ask("Emulation.setTimezoneOverride", json!({"timezoneId": "Asia/Tokyo"}));
        sign_in(&mut browser, &host, &url, "ann");
        browser.ask("Emulation.setScriptExecutionDisabled", json!({"value": !script}));
        browser.open(&format!("{url}/me"));
        // On a phone it is what one sees first.
        let top = browser.value("document.getElementById('new').getBoundingClientRect().top");
        assert!(top.as_f64().unwrap() < 300.0, "{top}");
        browser.value(
            "document.querySelector('#new summary').click(); document.querySelector('#opponent').value = 'bob'",
        );
        browser.value("document.querySelector('#game').value = 'go'");
        if script {
            browser
                .value("document.querySelector('#game').dispatchEvent(new Event('change', {bubbles: true}))");
            browser.wait_for("document.getElementById('o-komi') !== null");
        } else {
            browser.click("#new button[value=fields]");
        }
        assert_eq!(browser.value("document.querySelector('#opponent').value"), json!("bob"));
        browser.value("document.querySelector('#o-size').value = '9'");
        browser.click("#new button[value=challenge]");
        assert!(text(&mut browser).contains(&format!("Go {board}")), "{}", text(&mut browser));
        // A point each, and the pass.
        assert_eq!(legal(&host, board).1.len(), 82);
        browser.open(&format!("{url}/me"));
        assert_eq!(browser.value("document.querySelector('[name=zone]').value"), json!("Asia/Tokyo"));
    }
    host.assert_verified();
}

/// The pages of a server, one of each kind: a game in play and one that is over, with all that can stand on them.
fn pages(url: &str, host: &Host, served: &Served) -> Vec<String> {
    let mut client = served.connect();
    let mut says = |number: u32, from: &str, subject: &str| {
        client.takes(&letter(&format!("{from}@example.org"), subject, "", 900 + number));
        host.wait_until_quiet();
    };
    let (link, waiting) = (link(host, "bob@example.org"), link(host, "ann@example.org"));
    // Words, conditional moves, a proposal.
    says(1, "ann", "dvonn queue 1 ann plover-42 if K3-J2 then E1-G1");
    says(2, "ann", "dvonn chat 1 ann plover-42 Have fun!");
    says(3, "ann", "dvonn propose 1 ann plover-42");
    // The second game, its drops, its end; then a third.
    says(4, "ann", "hexmeister challenge ann bob");
    let drops = self::link(host, "ann@example.org");
    says(5, "ann", "hexmeister move 2 ann plover-42 b1");
    let spent = drops.clone();
    let answers = self::link(host, "bob@example.org");
    says(6, "ann", "hexmeister challenge ann bob");
    says(7, "bob", "hexmeister resign 3 bob dunlin-7");
    let over = self::link(host, "ann@example.org");
    says(8, "ann", "hex invite frieda@example.com ann plover-42");
    says(9, "ann", "hex invite ann plover-42");
    // An event of her own, one to join.
    says(10, "ann", "dvonn event new spring-cup ann plover-42");
    says(11, "bob", "hexmeister event new late-cup -rounds=2 bob dunlin-7");
    let invitations = ["frieda@example.com", "ann@example.org"].map(|to| link_with(host, to, "/invite/"));
    let shared = [
        "/",
        "/dvonn",
        "/hexmeister",
        "/dvonn/1",
        "/dvonn/1?ply=0",
        "/hexmeister/2",
        "/hexmeister/3",
        "/players/ann",
        "/players/nobody",
        "/help",
        "/help/dvonn",
        "/help/hexmeister",
        "/try/dvonn",
        "/try/hexmeister",
        "/dvonn/study?line=a1",
        "/dvonn/1/study?ply=1",
        "/sign-in",
        "/sign-up?game=hex",
    ];
    let of_link = [
        format!("{link}?from=k3"),
        format!("{link}?turn=k3-j2"),
        format!("{link}?typed=hello"),
        format!("{link}/pause"),
        format!("{link}/study?line=k3-j2.e1-g1"),
        format!("{answers}?turn=f11"),
        link,
        waiting,
        answers,
        spent,
        over,
    ];
    let own = [format!("{url}/me")];
    shared.iter().map(|page| format!("{url}{page}")).chain(of_link).chain(invitations).chain(own).collect()
}

/// Opens a page as ann does, who signs in for her own.
fn visit(browser: &mut Browser, host: &Host, page: &str) {
    match page.strip_suffix("/me") {
        Some(url) => sign_in(browser, host, url, "ann"),
        None => browser.open(page),
    }
}

/// What axe finds on the page that is open, with all that is folded.
fn found_by_axe(browser: &mut Browser) -> serde_json::Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/target/axe/package/axe.min.js");
    let axe = std::fs::read_to_string(file).expect("axe is there once `.ci/axe` ran");
    browser.value("document.querySelectorAll('details').forEach(details => details.open = true)");
    browser.value(&format!("{axe};true"));
    browser.promised(
        "axe.run().then(found => found.violations.map(one => \
         one.id + ': ' + one.nodes.map(node => node.html).slice(0, 3).join('   ')))",
    )
}

#[test]
fn axe_finds_nothing() {
    let (host, served, url) = served();
    let pages = pages(&url, &host, &served);
    let mut all: Vec<String> = Vec::new();
    for dark in [false, true] {
        let mut browser = Browser::start(1120, 900, dark);
        for (number, page) in (0..).zip(&pages) {
            browser.comes_from(number);
            visit(&mut browser, &host, page);
            let found = found_by_axe(&mut browser);
            if found != json!([]) {
                all.push(format!("{page}, dark: {dark}: {found:#}"));
            }
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn no_page_is_wider_than_a_small_phone() {
    let (host, served, url) = served();
    let pages = pages(&url, &host, &served);
    for dark in [false, true] {
        let mut browser = Browser::start(320, 640, dark);
        for (number, page) in (0..).zip(&pages) {
            browser.comes_from(number);
            visit(&mut browser, &host, page);
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

#[test]
fn a_reader_hears_the_board_and_nothing_moves_for_who_wants_it_still() {
    let (host, _served, url) = served();
    let mut browser = Browser::start(1120, 900, false);
    for page in [format!("{url}/dvonn/1"), link(&host, "bob@example.org"), format!("{url}/try/dvonn")] {
        browser.open(&page);
        // The last move as a sentence that is said when it changes, and the spaces as a table.
        let said = browser.value("document.querySelector('[aria-live]').innerText.trim()");
        let is_said = if page.contains("/try/") { "Your move." } else { "D1" };
        assert!(said.as_str().unwrap().contains(is_said), "{page}: {said}");
        let cells = browser.value("document.querySelectorAll('table td b').length");
        assert!(cells.as_u64() >= Some(49), "{page}: {cells}");
        browser.ask(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}),
        );
        let moving = browser.value(
            "[...document.querySelectorAll('*')].filter(one => { const s = getComputedStyle(one); \
             return parseFloat(s.transitionDuration) > 0 || (s.animationName !== 'none' && parseFloat(s.animationDuration) > 0) })\
             .length",
        );
        assert_eq!(moving, json!(0), "{page}");
        // On paper there is the board, and nothing to press.
        browser.ask("Emulation.setEmulatedMedia", json!({"media": "print", "features": []}));
        let printed = browser.value(
            "[...document.querySelectorAll('button, form, nav')].filter(one => one.checkVisibility()).length",
        );
        assert_eq!(printed, json!(0), "{page}");
        assert_eq!(
            browser.value("document.querySelector('.board svg').checkVisibility()"),
            json!(true),
            "{page}"
        );
        browser.ask("Emulation.setEmulatedMedia", json!({"media": "", "features": []}));
    }
}

#[test]
fn a_picture_opened_alone_has_its_colours() {
    let (_host, _served, url) = served();
    let mut browser = Browser::start(1120, 900, false);
    for picture in ["/dvonn/1.svg", "/dvonn/1.dark.svg"] {
        browser.open(&format!("{url}{picture}"));
        let colours = browser.value(
            "new Set([...document.querySelectorAll('path, polygon, circle, rect, use')]\
             .map(one => getComputedStyle(one).fill)).size",
        );
        assert!(colours.as_u64() > Some(3), "{picture}: {colours} colours");
    }
}

#[test]
fn a_piece_shows_under_the_pointer_and_a_board_stays_flipped_from_ply_to_ply() {
    let (host, _served, url) = served_with("go challenge -size=9 ann bob", "go", "D4");
    let mut browser = Browser::start(1120, 900, false);
    browser.open(&link(&host, "bob@example.org"));
    let shown = "[...document.querySelectorAll('.gh')].filter(one => getComputedStyle(one).display !== 'none').length";
    assert_eq!(browser.value(shown), json!(0));
    browser.point(".board a[href$='turn=e5']");
    assert_eq!(browser.value(shown), json!(1));
    let height = "document.querySelector('.board use[href=\"#bd\"]').getAttribute('y')";
    browser.open(&format!("{url}/go/1?flip"));
    assert_eq!(browser.value(height), json!("156"));
    browser.value("document.querySelector('a[rel=prev]').click()");
    browser.wait_for("!document.querySelector('.board use[href=\"#bd\"]')");
    browser.value("document.querySelector('a[rel=next]').click()");
    browser.wait_for("!!document.querySelector('.board use[href=\"#bd\"]')");
    assert_eq!((browser.value(height), browser.value("location.search")), (json!("156"), json!("?flip")));
    browser.click(".tools a[href='/go/1']");
    browser.wait_for(&format!("{height} === '260'"));
}
