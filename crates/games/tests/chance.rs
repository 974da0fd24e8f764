//! Casts, and the laws of chance with Pig.

use turnpost_games::{Cast, Chance, Pass, Seat, Table, pig, replay};

use crate::dice::Dice;

fn cast(text: &str) -> Cast {
    text.parse().unwrap()
}

/// The first position, with this side to move and these counts.
fn pig(text: &str) -> Box<dyn Table> {
    (pig::KIND.read)(&at(text)).unwrap()
}

fn at(text: &str) -> String {
    format!("../../../../../wb {text}")
}

#[test]
fn the_casts_of_some_dice_are_all_that_can_fall() {
    for (count, sides, all) in
        [(1, 6, 6), (2, 6, 36), (4, 3, 81), (2, 255, 255 * 255), (0, 6, 0), (2, 0, 0), (5, 6, 0)]
    {
        let dice = Chance::Dice { count, sides };
        let casts: Vec<Cast> = dice.casts().collect();
        assert_eq!(casts.len(), all, "{dice:?}");
        assert!(casts.is_sorted_by(|one, other| one < other), "each once");
        assert!(casts.iter().all(|cast| dice.allows(*cast) && cast.to_string().parse() == Ok(*cast)));
    }
    let dice = Chance::Dice { count: 2, sides: 6 };
    for other in ["3", "3-7", "1-1-1"] {
        assert!(!dice.allows(cast(other)), "{other}");
    }
    assert!(!dice.allows(Cast::of(&[0, 1]).unwrap()));
    for no_cast in ["", "-", "3-", "03-1", "+3-1", "3 1", "3-1-1-1-1", "256", "roll", " 3"] {
        assert!(no_cast.parse::<Cast>().is_err(), "{no_cast:?}");
    }
}

#[test]
fn a_cast_counts_as_a_ply() {
    let pig = pig("b");
    // Roll; six faces; after a 1 the other side can only roll, after another face it can hold too; and so on.
    let counts = [1, 1, 6, 1 + 5 * 2, 6 + 5 * (6 + 1), 11 + 5 * (11 + 6)];
    for (depth, count) in (0..).zip(counts) {
        assert_eq!(pig.perft(depth), count, "depth {depth}");
    }
}

#[test]
fn only_the_dice_make_a_cast() {
    let mut table = pig("w 0,0,4,2");
    let before = table.position();
    assert!(table.play_text("3").is_err() && table.play_text("roll").is_err());
    assert!(table.play_turn("hold").is_err() && table.play_chance(cast("3-1")).is_none());
    for no_cast in ["7", "3-1", "roll", "03"] {
        let why = table.replay(no_cast).unwrap_err().to_string();
        assert!(why.ends_with('.'), "{why}");
    }
    assert_eq!(table.play_passes(), []);
    assert_eq!(table.position(), before);
    assert_eq!(table.play_chance(cast("3")).as_deref(), Some("3"));
    assert_eq!(table.position(), at("w 0,0,7,1"));
    assert_eq!(table.play_chance(cast("3")), None, "nothing is rolled now");
}

#[test]
fn a_turn_stops_before_the_dice_and_the_rest_is_kept() {
    let mut table = pig("b");
    let turn = table.play_turn("roll hold").unwrap();
    assert_eq!((turn.plies, turn.passes, turn.rest), (vec!["roll".to_owned()], vec![], "hold"));
    assert_eq!(table.position(), at("b 0,0,0,2"));
}

#[test]
fn casts_and_forced_plies_are_played_until_a_seat_has_a_choice() {
    let mut table = pig("b 0,0,3,2");
    let mut faces = ["1", "1", "5"].into_iter().map(cast);
    let passes = table.play_until_choice(&mut |_| faces.next());
    let pass = |seat, ply: &str| Pass { seat, ply: ply.to_owned() };
    let (white, black) = (Some(Seat::First), Some(Seat::Second));
    let all = [pass(None, "1"), pass(white, "roll"), pass(None, "1"), pass(black, "roll"), pass(None, "5")];
    assert_eq!(passes, all);
    assert_eq!(table.position(), at("b 0,0,5,1"));
    // It waits for dice of its own kind.
    let mut table = pig("b 0,0,3,2");
    for others in [None, Some(cast("6-6"))] {
        assert_eq!(table.play_until_choice(&mut |_| others), []);
        assert_eq!(table.position(), at("b 0,0,3,2"));
    }
}

#[test]
fn a_record_with_casts_replays() {
    for seed in 0..50 {
        let (mut dice, mut record) = (Dice(seed), Vec::new());
        let mut table = pig("b");
        while table.ended().is_none() {
            let plies = table.legal_plies();
            let ply = plies[dice.below(plies.len())].clone();
            table.play_text(&ply).unwrap();
            record.push(ply);
            let mut fall = |chance: Chance| chance.casts().nth(dice.below(6));
            record.extend(table.play_until_choice(&mut fall).into_iter().map(|pass| pass.ply));
        }
        let mut again = pig("b");
        replay(&mut *again, record.iter().map(String::as_str)).unwrap();
        assert_eq!(again.position(), table.position());
    }
}
