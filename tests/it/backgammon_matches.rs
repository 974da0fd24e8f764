//! Whole matches of backgammon to three between two people, by mail and by page, and their records.

use form_urlencoded::byte_serialize;
use turnpost::ids::{BoardId, Seat};
use turnpost::mail::Operator;
use turnpost::store::{BoardRow, Store};
use turnpost_games::Table;
use turnpost_games::backgammon::KIND;

use crate::scenes::phone_reply;
use crate::support::pages::{links, newest, seated};
use crate::support::played::ply_of_a_match;
use crate::support::{ANN, BOB, Mail, Stage};

/// What a match must have: a double that is taken, and one that is dropped.
const CUBE: [&str; 3] = ["double", "take", "drop"];

fn board(store: &Store) -> BoardRow {
    store.board(BoardId(1)).unwrap().unwrap()
}

fn table(row: &BoardRow) -> Box<dyn Table> {
    (KIND.read)(&row.position).unwrap()
}

/// A ply as players type it: in capitals, in steps from the last to the first, with short names, or as it is written. A
/// form that means another turn, such as one without the star of a hit, is not used.
fn typed(table: &dyn Table, ply: &str, number: usize) -> String {
    let bare = ply.replace('*', "").replace('/', "-");
    let loose = match number % 4 {
        0 => ply.to_uppercase(),
        1 => bare.split(' ').rev().collect::<Vec<_>>().join(", "),
        2 => bare.replace("bar", "25").replace("off", "o"),
        _ => ply.to_owned(),
    };
    let is_meant =
        table.copy().play_text(&loose).is_ok_and(|played| played.ply == ply && played.rest.is_empty());
    if is_meant { loose } else { ply.to_owned() }
}

/// The match file tells the whole match: it is read back, to the end of the match and with every double.
fn check_record(record: &str, cube: &[String]) {
    let notation = &KIND.notations[0];
    let game = (notation.read)(&KIND, record).unwrap().remove(0);
    let mut table = game.table(&KIND).unwrap();
    game.plies.iter().for_each(|ply| assert!(table.replay(ply).unwrap(), "{ply}"));
    let outcome = table.ended().unwrap_or_else(|| panic!("{record}"));
    assert_eq!(game.end.unwrap().winner, outcome.winner);
    assert!(outcome.score.unwrap().iter().max() >= Some(&3), "{record}");
    let told: Vec<&String> = game.plies.iter().filter(|ply| CUBE.contains(&ply.as_str())).collect();
    assert!(told.iter().eq(&cube.iter().collect::<Vec<_>>()), "{record}");
    assert!(CUBE.iter().all(|word| cube.iter().any(|said| said == word)), "{cube:?}");
    assert_eq!((notation.write)(&KIND, &game).unwrap(), record);
}

#[test]
fn a_match_to_three_is_played_by_mail() {
    const PLAYERS: [&str; 2] = ["ann@example.org", "bob@example.net"];
    let mut stage = Stage::with_players();
    stage.submit(Operator::AsAnyone, &format!("set ann {ANN} auto off\nset bob {BOB} auto off"));
    stage.mail(PLAYERS[0], "backgammon challenge -match=3 ann bob", "");
    let flat = |mail: &Mail| mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let newest = |mails: &[Mail], to: &str| mails.iter().rev().find(|mail| mail.to == to).cloned();
    let (mut letters, mut cube) = (0, Vec::new());
    loop {
        let before = board(&stage.store);
        let Some(seat) = before.to_move else { break };
        letters += 1;
        let table = table(&before);
        let ply = ply_of_a_match(table.as_ref());
        let words = typed(table.as_ref(), &ply, letters);
        let last = newest(&stage.left, PLAYERS[seat.index()]).unwrap();
        let mails = stage.receive(&phone_reply(&last, &words, letters));
        let after = board(&stage.store);
        let told: Vec<String> = mails.iter().map(flat).collect();
        assert!(after.plies > before.plies, "{words} at {}: {told:?}", before.position);
        assert!(PLAYERS.iter().all(|to| mails.iter().filter(|mail| mail.to == *to).count() <= 1), "{told:?}");
        let heard = newest(&mails, PLAYERS[seat.other().index()]).map(|mail| flat(&mail)).unwrap_or_default();
        let is_theirs = after.to_move == Some(seat.other());
        assert!(!is_theirs || heard.contains("It is your move"), "{words}: {told:?}");
        let said = [("double", "doubled;"), ("take", "took the double;"), ("drop", "dropped the double;")];
        if let Some((_, said)) = said.into_iter().find(|(word, _)| *word == ply) {
            assert!(heard.replace('.', ";").contains(said), "{words}: {told:?}");
            cube.push(ply);
        }
        stage.wait(1);
    }
    for to in PLAYERS {
        assert!(flat(&newest(&stage.left, to).unwrap()).contains("The secret of the dice was"));
    }
    let (record, ..) = stage.submit(Operator::AsAnyone, "backgammon record 1 --format=mat");
    check_record(&record, &cube);
    assert_eq!(stage.wrong(), [""; 0]);
}

fn encoded(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect()
}

/// The value of the first field of this name on a page.
fn value(page: &str, name: &str) -> String {
    let behind = page.split(&format!("name=\"{name}\" value=\"")).nth(1);
    let behind = behind.unwrap_or_else(|| panic!("no {name}: {page}"));
    behind.split('"').next().unwrap().replace("&#x2f;", "/")
}

/// The address of the page's forms.
fn home_of(page: &str) -> String {
    let (_, form) = page.split_once("method=\"post\" action=\"").unwrap_or_else(|| panic!("{page}"));
    form.split('"').next().unwrap().replace("&#x2f;", "/")
}

#[test]
fn a_match_to_three_is_played_by_page() {
    let asked = format!("set ann {ANN} auto off\nset bob {BOB} auto off\n");
    let (host, _served, visitor) = seated(&format!("{asked}backgammon challenge -match=3"));
    let store = Store::open_read_only(&host.database()).unwrap();
    let (mut forms, mut cube) = (0, Vec::new());
    loop {
        let before = board(&store);
        let Some(seat) = before.to_move else { break };
        forms += 1;
        let page = visitor.get(&newest(&host, ["ann@example.org", "bob@example.org"][seat.index()])).text();
        let home = home_of(&page);
        let form = if before.plies.0 == 0 {
            format!("act=roll&once={}&words=moonshine", value(&page, "once"))
        } else {
            let table = table(&before);
            let ply = ply_of_a_match(table.as_ref());
            // A word has a link; a turn is typed, and shown before it is played.
            let shown = match links(&page, &format!("turn={ply}")).into_iter().next() {
                Some(link) => visitor.get(&link).text(),
                None => {
                    let typed = encoded(&typed(table.as_ref(), &ply, forms));
                    visitor.get(&format!("{home}?typed={typed}")).text()
                }
            };
            assert_eq!(value(&shown, "turn"), ply, "{shown}");
            cube.extend(Some(ply.clone()).filter(|ply| CUBE.contains(&ply.as_str())));
            format!("act=move&turn={}", encoded(&ply))
        };
        let done = visitor.post(&home, &form);
        assert_eq!(done.status, 303, "{form}: {}", done.text());
        assert!(board(&store).plies > before.plies, "{form}");
    }
    let over = visitor.get("/backgammon/1").text();
    assert!(over.contains(" wins ") && over.contains("The secret of the dice is told"), "{over}");
    let record = host.run(&["submit"], b"backgammon record 1 --format=mat");
    check_record(record.ok(), &cube);
    host.assert_verified();
}

#[test]
fn a_page_asks_before_the_next_roll_and_gives_up_a_game() {
    let checkers = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5";
    let position = format!("{checkers} w choice cube 1 - score 0-0/3");
    let (host, _served, visitor) = seated(&format!("backgammon challenge -position=\"{position}\""));
    let store = Store::open_read_only(&host.database()).unwrap();
    let home = newest(&host, "ann@example.org");
    let once = value(&visitor.get(&home).text(), "once");
    let done = visitor.post(&home, &format!("act=roll&once={once}&words=moonshine"));
    let (home, _) = done.header("location").unwrap().split_once('?').unwrap();
    let ply = table(&board(&store)).legal_plies().remove(0);
    let page = visitor.get(&format!("{home}?typed={}", encoded(&ply))).text();
    assert!(page.contains("Ask me before my next roll"), "{page}");
    let form = format!("act=move&turn={}&ask={}", encoded(&ply), value(&page, "ask"));
    assert_eq!(visitor.post(home, &form).status, 303);
    let asks = |event: &turnpost::store::EventRow| event.text == "ask";
    assert!(store.events(BoardId(1)).unwrap().iter().any(asks));
    let home = newest(&host, "bob@example.org");
    let page = visitor.get(&home).text();
    let (_, whole) = page.split_once("wins the whole match").unwrap();
    assert_eq!(whole.split_once("name=\"act\" value=\"").unwrap().1.split('"').next(), Some("resign match"));
    assert_eq!(visitor.post(&home, &format!("act=resign&once={}", value(&page, "once"))).status, 409);
    let (_, give_up) = page.split_once("Give up this game of the match").unwrap();
    let turn = value(give_up, "turn");
    assert_eq!(turn, "resign backgammon");
    assert_eq!(visitor.post(&home, &format!("act=move&turn={}", encoded(&turn))).status, 303);
    assert!(table(&board(&store)).ended().unwrap().score == Some([3, 0]));
    host.assert_verified();
}

#[test]
fn a_page_mails_its_player_whom_the_dice_leave_to_move() {
    assert!((0..5).any(|_| is_left_to_move()));
}

/// False if the dice let bob in: one roll in 36, six-six, leaves ann a single turn, which opens her board.
fn is_left_to_move() -> bool {
    let closed_board = "8:3,6:2,5:2,4:2,3:2,2:2,1:2/bar:1,13:5,8:3,6:6 w move 2-1";
    let (host, _served, visitor) = seated(&format!("backgammon challenge -position=\"{closed_board}\""));
    let store = Store::open_read_only(&host.database()).unwrap();
    let first = newest(&host, "ann@example.org");
    let once = value(&visitor.get(&first).text(), "once");
    assert_eq!(visitor.post(&first, &format!("act=roll&once={once}&words=moonshine")).status, 303);
    let half = visitor.get(&format!("{first}?turn=8-6")).text();
    assert_eq!(half.matches("opacity=\".38\"").count(), 1, "the 2 is played: {half}");
    assert_eq!(visitor.post(&first, "act=move&turn=8%2F6 8%2F7").status, 303);
    if board(&store).to_move != Some(Seat::First) {
        return false;
    }
    let last = newest(&host, "ann@example.org");
    assert_ne!(first, last);
    for link in [first, last] {
        let page = visitor.get(&link).text();
        assert!(
            page.contains("name=\"typed\"") && !page.contains("is from an earlier mail"),
            "{link}: {page}"
        );
    }
    host.assert_verified();
    true
}
