//! Go: after two passes the players say which stones are dead.

use turnpost_games::{Seat, Setup, Table, go, replay};

use crate::dice::{Dice, rounds};

/// Black holds A to E, White F to J. A white stone and a black one are lost inside: B2, and the chain G7 G8.
const DRAWN: &str = "\
    ....bw...\
    /....bwb..\
    /....bwb..\
    /....bw...\
    /....bw...\
    /....bw...\
    /....bw...\
    /.w..bw...\
    /....bw... b 0,14,1,0";

fn at(position: &str) -> Box<dyn Table> {
    (go::KIND.read)(position).unwrap()
}

/// The drawn board after these turns, each the text of a reply.
fn after(turns: &[&str]) -> Box<dyn Table> {
    let mut table = at(DRAWN);
    for turn in turns {
        let played = table.play_turn(turn).unwrap_or_else(|why| panic!("{turn}: {why}"));
        assert_eq!(played.rest, "", "{turn}");
    }
    table
}

fn score(table: &dyn Table) -> Option<[u16; 2]> {
    table.ended()?.score
}

#[test]
fn dead_stones_are_counted_for_the_other_side_once_both_agree() {
    // Black's area is 45 points, of which B2 is one; White's is 36 and a komi of 7.
    let mut table = after(&["pass", "pass"]);
    assert!(table.ended().is_none() && table.turn() == Seat::First);
    let turn = table.play_turn("dead b2 g8").unwrap();
    assert_eq!(turn.plies, ["dead-B2", "dead-G8", "count"]);
    assert_eq!(
        turn.remarks,
        [
            "White's stone on B2 is marked dead.",
            "Black's stones on G7 and G8 are marked dead.",
            "With these marks Black has 45 points, and White has 36 and a komi of 7: Black wins.",
        ]
    );
    assert!(table.turn() == Seat::Second && table.ended().is_none());
    for agrees in ["accept", "count", "ACCEPT"] {
        let mut table = table.copy();
        table.play_turn(agrees).unwrap();
        assert_eq!(score(&*table), Some([45, 43]), "{agrees}");
    }
    // As it lies, the two stones make the empty points around them nobody's.
    assert_eq!(score(&*after(&["pass", "pass", "dead none", "count"])), Some([11, 17]));
}

#[test]
fn the_answer_can_be_other_marks_and_these_are_accepted_or_the_game_resumes() {
    for counter in ["dead b2", "g7", "alive-g7", "clear b2 count"] {
        let mut table = after(&["pass", "pass", "dead b2 g7", counter]);
        assert_eq!(table.turn(), Seat::First, "{counter}");
        let why = table.play_text("dead g7").unwrap_err().to_string();
        assert_eq!(why, "Both sides have named the dead stones once. Black can accept, or resume.");
        table.play_turn("accept").unwrap();
        assert_eq!(score(&*table), Some([47, 16]), "{counter}");
    }
}

#[test]
fn a_resumed_game_continues_and_two_passes_at_once_count_it_as_it_lies() {
    for turns in [&["resume"][..], &["dead b2", "resume"], &["dead b2", "dead none", "resume"]] {
        let table = after(&[&["pass", "pass"], turns].concat());
        let by = if turns.len() == 2 { Seat::Second } else { Seat::First };
        assert!(table.turn() == by.other() && !table.position().contains(['x', 'o', 'B', 'W']));
        let mut counted = table.copy();
        replay(&mut *counted, ["pass", "pass"]).unwrap();
        assert_eq!(score(&*counted), Some([11, 17]));
        // With a stone between, two passes lead to marks again.
        let mut marked = table;
        replay(&mut *marked, ["D9", "pass", "pass"]).unwrap();
        assert!(marked.ended().is_none());
        marked.play_turn("dead b2").unwrap();
    }
}

#[test]
fn a_ply_that_does_not_fit_the_marking_is_explained() {
    for (turns, text, why) in [
        (&["pass"][..], "dead b2", "Dead stones are marked after two passes in a row."),
        (&["pass", "pass"], "dead c3", "There is no stone on C3."),
        (&["pass", "pass"], "dead", "Name the dead stones, as in `dead D4 K10`, or write `count`."),
        (&["pass", "pass"], "pass", "Both sides have passed."),
        (&["pass", "pass"], "dead k10", "There is no such space: the board has A1 to J9."),
        (&["pass", "pass", "dead b2"], "dead-b2", "The stone on B2 is marked dead already."),
    ] {
        let said = after(turns).play_turn(text).unwrap_err().to_string();
        assert!(said.starts_with(why), "{text}: {said}");
    }
}

#[test]
fn old_boards_end_with_two_passes() {
    let mut table = at(&DRAWN.replace("14,1,0", "14,0,0"));
    assert!(table.drawing().standing.ends_with("White gets 7 points."));
    replay(&mut *table, ["pass", "pass"]).unwrap();
    assert_eq!(score(&*table), Some([11, 17]));
    let start = |options: &[(String, Option<String>)]| {
        (go::KIND.start)(&Setup { options, seed: 0 }).unwrap().position()
    };
    assert!(start(&[]).ends_with(" b 0,14,0,0"));
    assert!(start(&[("marking".to_owned(), None)]).ends_with(" b 0,14,1,0"));
}

#[test]
fn dead_stones_are_seen_in_the_drawing_and_named_in_its_key() {
    let table = after(&["pass", "pass", "dead b2 g7"]);
    let (drawing, look) = (table.drawing(), table.look());
    assert_eq!(drawing.key, "b black, w white; x, o dead stone.");
    assert_eq!(after(&["pass", "pass"]).drawing().key, "b black, w white.");
    assert!(look.notes.iter().any(|note| note.contains("Black has")), "{:?}", look.notes);
    assert!(look.sentence(["black", "white"]).contains("F9, F8, F7, F6, F5, F4, F3, F2, F1; dead stone B2."));
    let position = table.position();
    assert!(position.contains("/.o..bw..."), "{position}");
    assert_eq!(at(&position).position(), position);
    // Marks are only where both have passed, and on whole chains.
    for wrong in [
        position.replace("2,14,1,2", "0,14,1,0"),
        position.replace("2,14,1,2", "2,14,0,2"),
        position.replacen("bwx", "bwb", 1),
        DRAWN.replace("0,14,1,0", "2,14,1,0"),
        DRAWN.replace("0,14,1,0", "0,14,3,0"),
    ] {
        assert!((go::KIND.read)(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn every_game_with_marks_ends_and_its_texts_mean_its_positions() {
    for seed in 0..rounds(30, 300) {
        let mut dice = Dice(seed);
        let mut table = at(DRAWN);
        for _ in 0..2000 {
            let plies = table.legal_plies();
            if plies.is_empty() {
                break;
            }
            // Passes are likely, so that there are many markings in a game.
            let pass = plies.iter().position(|ply| ply == "pass").filter(|_| dice.below(2) == 0);
            let ply = &plies[pass.unwrap_or_else(|| dice.below(plies.len()))];
            assert!(table.replay(ply).unwrap(), "{ply} in {}", table.position());
            let read = at(&table.position());
            assert_eq!((read.position(), read.legal_plies()), (table.position(), table.legal_plies()));
        }
        assert!(table.ended().is_some(), "{seed}: {}", table.position());
    }
}
