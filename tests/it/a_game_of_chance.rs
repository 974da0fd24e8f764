//! A record with dice: what lists plies, replays them or takes them back copes with rolls, which no seat plays.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use turnpost::board::record::{Record, write};
use turnpost::board::verify::verify;
use turnpost::board::{Board, Replay, Terms, pictured};
use turnpost::dice::{Dice, Secret};
use turnpost::ids::{BoardId, Ply, Seat};
use turnpost::notices::look::look;
use turnpost::store::{BoardState, EventKind, EventRow, Pictured, PlayerId, Store, StoreError, TimeControl};
use turnpost_games::{Setup, pig};

fn begins() -> Timestamp {
    "2026-11-16T09:00:00Z".parse().unwrap()
}

/// A game of Pig in which each side holds twenty points.
fn played(store: &mut Store) -> (BoardId, Vec<EventRow>) {
    let terms = Terms {
        game: "pig".to_owned(),
        players: [1, 2],
        options: Vec::new(),
        seed: 0,
        from_position: false,
        position: (pig::KIND.start)(&Setup { options: &[], seed: 0 }).unwrap().position(),
        rated: true,
        lots: false,
        may_swap: false,
        days: TimeControl::default(),
        grace: None,
        rematch_of: None,
        contest: None,
        tutorial: false,
        imported: None,
        salt: None,
    };
    let (id, utc) = (store.next_board().unwrap(), [TimeZone::UTC, TimeZone::UTC]);
    let secret = Secret::of_board(&[1; 32], id, &[2; 32]);
    let dice = Dice { secret, board: id, salts: vec![String::new(), "moonshine".to_owned()] };
    let mut events = vec![terms.event(begins(), Some(Seat::First), None).unwrap()];
    let mut board = Board::start(id, &events[0]).unwrap();
    let (mut rolls, mut at) = (0, begins());
    while board.row.state == BoardState::Running {
        at = at.checked_add(SignedDuration::from_hours(1)).unwrap();
        let position = board.table.position();
        let at_stake: u16 = position.split(',').nth(2).map_or(0, |points| points.parse().unwrap());
        let text = if at_stake < 20 { "roll" } else { "hold" };
        let player = *board.table.turn().of(&board.row.players);
        events.push(board.play(text, Some(player), at, &utc).unwrap().0);
        let mut roll = |chance| {
            rolls += 1;
            dice.roll(rolls, chance)
        };
        events.extend(board.play_until_choice(&mut roll, at, &utc));
    }
    store
        .write(|store| {
            for name in ["ann", "bob"] {
                store.add_player(&name.parse().unwrap(), "x", &[1; 32], begins())?;
            }
            store.add_board(&board.row)?;
            events.iter().try_for_each(|event| store.add_event(id, event))
        })
        .map_err(|why: StoreError| why)
        .unwrap();
    (id, events)
}

fn with_pig(test: impl FnOnce(Store, BoardId, Vec<EventRow>)) {
    let mut store = Store::in_memory().unwrap();
    let (id, events) = played(&mut store);
    test(store, id, events);
}

#[test]
fn a_record_with_rolls_is_written_read_and_verified() {
    with_pig(|mut store, id, events| {
        let rolls: Vec<&EventRow> = events.iter().filter(|event| event.seat.is_none()).collect();
        assert!(rolls.len() > 5 && rolls.iter().all(|roll| roll.text.parse::<u8>().is_ok()), "{rolls:?}");
        let text = write(&store, &Board::load(&store, id).unwrap().unwrap()).unwrap();
        assert!(
            text.contains("\n1. roll 2026") && text.contains(&format!("\n2. {} 2026", rolls[0].text)),
            "{text}"
        );
        let forced = events.iter().filter(|event| event.seat.is_some() && event.player.is_none()).count();
        assert!(forced > 0, "a side that can only roll rolls");
        assert_eq!(text.matches("Z server\n").count(), forced, "{text}");
        let record = Record::read(&text).unwrap();
        let copy = store.write(|store| record.load(store)).unwrap();
        let lines = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
        let again = write(&store, &Board::load(&store, copy).unwrap().unwrap()).unwrap();
        assert_eq!(lines(&again), lines(&text));
        let mut wrong = verify(&store).unwrap().wrong;
        wrong.retain(|why| !why.contains("no place"));
        // The hand-made board has told no hash; the copy is imported.
        assert_eq!(wrong, [format!("board {id}: roll 1 fell before a player's word")]);
        let by_a_player = text.replace(
            &format!("\n2. {} 2026-11-16T10:00:00Z", rolls[0].text),
            "\n2. hold 2026-11-16T10:00:00Z",
        );
        let record = Record::read(&by_a_player).unwrap();
        let why = store.write(|store| record.load(store)).unwrap_err().to_string();
        assert!(why.contains("A cast of the dice is written as its numbers"), "{why}");
    });
}

#[test]
fn every_position_of_a_game_with_rolls_is_shown() {
    with_pig(|store, id, events| {
        let last = events.last().unwrap().ply.unwrap();
        for ply in 0..=last.0 {
            let look = look(&store, id, Some(Ply(ply))).unwrap().unwrap();
            assert_eq!(look.plies.len(), last.0 as usize);
        }
        for event in &events {
            assert!(pictured(&store, Pictured { board: id, event: event.number }).unwrap().is_some());
        }
        let plies = look(&store, id, None).unwrap().unwrap().plies;
        assert_eq!((plies[0].seat, plies[1].seat, plies[1].number().as_str()), (Some(1), None, "1…"));
    });
}

#[test]
fn only_the_host_takes_back_what_the_dice_showed() {
    with_pig(|_, id, events| {
        let undone = |until: usize, seat: Option<Seat>, ply: u32| {
            let mut replay = Replay::begin(id, events[0].clone()).unwrap();
            events[1..until].iter().for_each(|event| replay.apply(event).unwrap());
            let last = &events[until - 1];
            let player = seat.map(|_| PlayerId(2));
            let number = last.number + 1;
            let kind = EventKind::Undo;
            replay.apply(&EventRow {
                number,
                kind,
                seat,
                player,
                ply: Some(Ply(ply)),
                text: String::new(),
                ..last.clone()
            })
        };
        // Event 2 is the first `roll`, event 3 what fell.
        let why = undone(3, Some(Seat::Second), 0).unwrap_err().to_string();
        assert!(why.contains("takes back what the dice showed"), "{why}");
        undone(2, Some(Seat::Second), 0).unwrap();
        undone(3, None, 0).unwrap();
        let mut replay = Replay::begin(id, events[0].clone()).unwrap();
        replay.apply(&events[1]).unwrap();
        let why = replay.apply(&EventRow { seat: Some(Seat::Second), ..events[2].clone() }).unwrap_err();
        assert!(why.to_string().contains("by the seat that is not to move"), "{why}");
    });
}
