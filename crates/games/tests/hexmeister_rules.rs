//! The rules of Hexmeister one by one, on drawn boards.

use turnpost_games::hexmeister::cells::{Cell, CellKind, CellSet, GATES, cells};
use turnpost_games::hexmeister::{Hexmeister, KIND, Rules};
use turnpost_games::{Outcome, Position, Seat, Setup, SetupError, Table};

use Seat::{First as White, Second as Black};

/// The position drawn as rows 11 to 1, empty cells as `.`, `o` or `#`; `tail` is the rest of its text.
fn drawn(rows: &str, tail: &str) -> Hexmeister {
    Hexmeister::read(&text(rows, tail)).unwrap()
}

fn text(rows: &str, tail: &str) -> String {
    let rows: Vec<String> = rows
        .lines()
        .map(|row| row.split_whitespace().collect::<String>())
        .filter(|row| !row.is_empty())
        .collect();
    format!("{} {tail}", rows.join("/"))
}

/// The position with these stones only.
fn with(white: &str, black: &str, tail: &str) -> Hexmeister {
    Hexmeister::read(&stones(white, black, tail)).unwrap()
}

/// The text of that position.
fn stones(white: &str, black: &str, tail: &str) -> String {
    let sign = |cell: Cell| {
        let is_in = |names: &str| names.split_whitespace().any(|name| name == cell.to_string());
        match (is_in(white), is_in(black)) {
            (true, _) => 'w',
            (_, true) => 'b',
            _ => '.',
        }
    };
    let rows: Vec<String> = (1..=11).rev().map(|row| Cell::of_row(row).map(sign).collect()).collect();
    format!("{} {tail}", rows.join("/"))
}

fn played(position: &Hexmeister, text: &str) -> (Hexmeister, Vec<String>) {
    let (mut after, mut remarks, mut rest) = (position.clone(), Vec::new(), text);
    while !rest.is_empty() {
        let played = after.play_text(rest).unwrap_or_else(|why| panic!("{rest}: {why}"));
        // The others say why there are two moves.
        remarks.extend(played.remarks.into_iter().filter(|remark| remark.contains("captured")));
        rest = played.rest;
    }
    (after, remarks)
}

fn after(position: &Hexmeister, text: &str) -> Hexmeister {
    played(position, text).0
}

fn names(set: CellSet) -> String {
    let mut names: Vec<String> = cells(set).map(|cell| cell.to_string()).collect();
    names.sort();
    names.join(" ")
}

fn cell(name: &str) -> Cell {
    Cell::all().find(|cell| cell.to_string() == name).unwrap()
}

/// The cells to which the stone on `from` can move.
fn goals(position: &Hexmeister, from: &str) -> String {
    let start = format!("{from}-");
    let mut goals: Vec<String> =
        position.legal_plies().iter().filter_map(|ply| ply.strip_prefix(&start).map(str::to_owned)).collect();
    goals.sort();
    goals.join(" ")
}

fn can(position: &Hexmeister, ply: &str) -> bool {
    position.legal_plies().iter().any(|legal| legal == ply)
}

fn how(position: &Hexmeister) -> Option<(Option<Seat>, &'static str)> {
    position.outcome().map(|Outcome { winner, score, how }| {
        assert_eq!(score, None);
        (winner, how.unwrap())
    })
}

// The three checks of the specification.

#[test]
fn black_secures_a1_by_triangulation_and_no_other_gate() {
    let position = with("", "a6 c6 f6 c3", "w");
    assert_eq!(names(position.board().secured(Black) & GATES), "a1");
    assert_eq!(names(position.board().triangulated(Black)), "a1");
    assert_eq!(names(position.board().secured(White)), "");
}

#[test]
fn d8_c9_captures_c10_and_earns_one_bonus() {
    let position = drawn(
        "      # o o o o #
              o b w b . . o
             o . # o o # . o
            o . o b . . o . o
           o . o . o o . o . o
          # . # . o # o . # . #
           o . o . o o . o . o
            o . o . . . o . o
             o . # o o # . o
              o . . . . . o
               # o o o o #      ",
        "b",
    );
    assert_eq!(goals(&position, "d8").split(' ').filter(|goal| *goal == "c9").count(), 1);
    let (next, remarks) = played(&position, "d8-c9");
    assert_eq!(remarks, ["White's stone on c10 is captured."]);
    assert_eq!((next.bonus(), next.to_move(), next.captured(White)), (true, Black, 1));
    // Capturing and entering a gate at once earn one bonus, not two.
    let declined = after(&next, "done");
    assert_eq!((declined.bonus(), declined.to_move()), (false, White));
}

#[test]
fn a_stone_alone_on_c1_has_79_destinations() {
    let position = with("c1", "", "w 0,18");
    let reached = position.board().destinations(White, cell("c1"), false);
    let count = |kind| cells(reached).filter(|cell| cell.kind() == kind).count();
    assert_eq!([CellKind::Lane, CellKind::Ring, CellKind::Gate].map(count), [36, 41, 2]);
    assert_eq!(names(reached & GATES), "a1 f1");
    assert_eq!(position.legal_count(), 79);
}

// Rule 1.

#[test]
fn white_begins_and_drops_in_row_1() {
    let start = Hexmeister::start(Rules::default());
    assert_eq!(start.legal_plies(), ["a1", "b1", "c1", "d1", "e1", "f1"]);
    let black = after(&start, "C1");
    assert_eq!(black.legal_plies(), ["a11", "b11", "c11", "d11", "e11", "f11"]);
    assert_eq!((black.reserve(White), black.reserve(Black), black.to_move()), (17, 18, Black));
}

#[test]
fn no_drop_on_a_secured_cell_of_ones_own_base() {
    let position = with("", "a1 b2 c2", "w");
    assert_eq!(names(position.board().near(Black)), "b1");
    assert_eq!(position.legal_plies(), ["c1", "d1", "e1", "f1"]);
}

// Rule 2.

#[test]
fn lanes_and_gates_are_crossed_and_ring_cells_are_not() {
    // f6 is walled in by ring cells: its neighbours are all the stone can reach.
    let position = with("f6", "", "w 0,18");
    assert_eq!(goals(&position, "f6"), "e5 e6 e7 f5 f7 g6");
    // From the inner lanes the middle gates lead to the outer lanes: all but the other gates.
    let position = with("f8", "", "w 0,18");
    let reached = position.board().destinations(White, cell("f8"), false);
    assert_eq!(names(reached & GATES), "f9");
    assert_eq!(reached.count_ones(), 35 + 42 + 1);
    // Own stones on gates are crossed, enemy ones are not.
    let own = with("f8 c3 c6 c9 f3 f9", "", "w 0,18");
    assert!(can(&own, "f8-b10"));
    let enemy = with("f8", "c3 c6 c9 f3 f9 h6", "w 0,12");
    let inner = enemy.board().destinations(White, cell("f8"), false);
    assert_eq!(inner.count_ones(), 10 + 12 + 6, "inner lanes, the middle ring's ring cells, the inner ring");
    assert!(!can(&enemy, "f8-b10"));
}

#[test]
fn ones_own_base_is_crossed_while_it_is_empty() {
    // Out of b1 there is no other way than c1, and a2 behind the gate.
    let position = with("b1 a1", "b2 c2", "w 0,16");
    assert!(can(&position, "b1-e1") && can(&position, "b1-e2"));
    assert!(can(&position, "b1-f1"), "a gate of the own base");
    let blocked = with("b1 a1 c1", "b2 c2", "w 0,15");
    assert_eq!(goals(&blocked, "b1"), "a2");
    // The enemy's base is made of ring cells like any other.
    let black = with("a2 b2 c2", "b1 a1", "b 15,10");
    assert_eq!(goals(&black, "b1"), "c1");
}

#[test]
fn gates_are_entered_from_beside_them_or_within_the_base() {
    let position = with("d3 b1", "", "w 0,18");
    assert!(can(&position, "d3-c3"));
    assert!(can(&position, "b1-a1") && can(&position, "b1-f1"));
    assert!(!can(&position, "b1-c3"));
    // The whole way need not be in the base; the base gates of the other side are no exception.
    let round = with("b1 c1", "", "w 0,18");
    assert!(can(&round, "b1-f1"));
    let black = with("", "b1", "b 18,0");
    assert!(can(&black, "b1-a1") && !can(&black, "b1-f1"));
}

#[test]
fn secured_cells_are_crossed_and_not_ended_on() {
    // b2's only way out is across c2.
    let position = with("b2 b3", "b1 c1 c3", "w 0,15");
    assert_eq!(names(position.board().secured(Black)), "c2");
    assert!(can(&position, "b2-d2") && !can(&position, "b2-c2"));
}

#[test]
fn straight_moves_do_not_turn() {
    // Along the base to both its gates; up to the first ring cell each way, across the gate c3 and not onto it.
    let position = with("c1", "", "w 0,18 straight");
    assert_eq!(goals(&position, "c1"), "a1 b1 c2 c4 d1 d2 e1 e3 f1");
    // Across the gates f6, which is entered, c3 and a1, which are not.
    let inner = with("e5", "", "w 0,18 straight");
    assert_eq!(goals(&inner, "e5"), "b2 c5 d4 d5 e3 e4 e6 f5 f6 f7");
}

// Rule 3.

#[test]
fn three_neighbours_secure_a_cell() {
    let two = with("e6 f7", "", "w");
    assert_eq!(names(two.board().secured(White)), "");
    let three = with("e6 f7 e5", "", "w");
    assert_eq!(names(three.board().secured(White)), "f6");
    // Both sides may secure one cell, and an own stone on it changes nothing.
    let both = with("e6 f7 f5", "e5 e7 g6", "w");
    assert_eq!([names(both.board().near(White)), names(both.board().near(Black))], ["f6", "f6"]);
    assert!(!can(&both, "e6-f6"));
}

#[test]
fn four_gates_secure_the_fifth() {
    let triangles = [
        "f6 i6 f9 k6 f11",
        "f6 f9 c9 f11 a11",
        "f6 c9 c6 a11 a6",
        "f6 c6 c3 a6 a1",
        "f6 c3 f3 a1 f1",
        "f6 f3 i6 f1 k6",
    ];
    for triangle in triangles {
        for missing in triangle.split(' ') {
            let held: Vec<&str> = triangle.split(' ').filter(|gate| *gate != missing).collect();
            let position = with("", &held.join(" "), "w");
            assert_eq!(names(position.board().triangulated(Black)), missing);
            let three = with("", &held[1..].join(" "), "w");
            assert_eq!(names(three.board().triangulated(Black)), "");
        }
    }
}

#[test]
fn eight_gates_keep_the_centre_from_being_triangulated() {
    // White holds the triangle around the centre but for the centre; black seven of the other eight gates.
    let seven = with("i6 f9 k6 f11 d7", "c9 a11 c6 a6 c3 a1 f3", "b");
    assert_eq!(names(seven.board().triangulated(White)), "f6");
    let eight = with("i6 f9 k6 f11 d7", "c9 a11 c6 a6 c3 a1 f3 f1 e6", "b");
    assert!(!names(eight.board().triangulated(White)).contains("f6"));
    assert!(can(&eight, "e6-f6"));
}

#[test]
fn legality_is_judged_before_the_stone_moves() {
    // f6 would be black's eighth gate, and is secured until black has eight.
    let seven = with("i6 f9 k6 f11", "c9 a11 c6 a6 c3 a1 f3 e6", "b");
    assert!(!can(&seven, "e6-f6"));
}

#[test]
fn only_the_movers_own_ply_captures_what_loses_its_gates() {
    let eight = with("i6 f9 k6 f11 d7", "f6 c9 a11 c6 a6 c3 a1 f3", "b");
    assert_eq!(names(eight.board().secured(White) & cell("f6").set()), "");
    let exposed = after(&eight, "f3-e3");
    assert_eq!(exposed.board().owner(cell("f6")), Some(Black));
    assert_eq!(names(exposed.board().secured(White) & cell("f6").set()), "f6");
    assert_eq!(Hexmeister::read(&exposed.write()), Ok(exposed.clone()));
    let (taken, remarks) = played(&exposed, "d7-d8");
    assert_eq!(remarks, ["Black's stone on f6 is captured."]);
    assert_eq!((taken.board().owner(cell("f6")), taken.bonus()), (None, true));
}

// Rule 4.

#[test]
fn several_stones_are_captured_at_once_and_a_drop_captures_too() {
    let position = with("b2 c2", "b1", "w");
    let (next, remarks) = played(&position, "c1");
    assert_eq!(remarks, ["Black's stone on b1 is captured."]);
    assert_eq!((next.bonus(), next.to_move(), next.reserve(White)), (true, White, 15));
    assert!(can(&next, "b2-b1") && can(&next, "done"));
    let two = with("e6 f7 d5 g7 c4", "f6 e5", "w");
    let (_, remarks) = played(&two, "c4-f5");
    assert_eq!(remarks, ["Black's stones on e5 and f6 are captured."]);
}

#[test]
fn captures_go_on_until_nothing_changes() {
    // White takes c6, black's eighth gate, and with it f6, which eight gates had protected from the triangle.
    let position = with("i6 f9 k6 f11 b6 b5 d7", "f6 c9 a11 c6 a6 c3 a1 f3", "w");
    assert!(names(position.board().triangulated(White)) != "f6");
    assert_eq!(position.board().stones(Black).count_ones(), 8);
    let (next, remarks) = played(&position, "d7-c7");
    assert_eq!(remarks, ["Black's stones on c6 and f6 are captured."]);
    assert_eq!((next.captured(Black), next.bonus()), (2, true));
}

#[test]
fn ones_own_security_protects_nothing() {
    // Black secures f6 by a triangle and stands on it; white's third stone beside it captures.
    let position = with("e6 e5 f4", "f6 i6 f9 k6 f11", "w");
    assert_eq!(names(position.board().secured(Black) & cell("f6").set()), "f6");
    assert_eq!(played(&position, "f4-f5").1, ["Black's stone on f6 is captured."]);
}

#[test]
fn only_the_mover_captures() {
    // A stone that walks into a cell with two enemies beside it stands; a third then captures it.
    let position = with("e6 f7 c2", "e7 b10", "b");
    assert!(played(&position, "e7-f6").1.is_empty());
    let next = after(&position, "e7-f6+");
    assert_eq!(played(&next, "c2-f5").1, ["Black's stone on f6 is captured."]);
}

// Rule 5.

#[test]
fn entering_a_gate_earns_a_bonus_but_not_within_the_base() {
    let position = with("b2 b1 e5", "c11", "w");
    assert!(after(&position, "b2-a1").bonus(), "into the base from outside it");
    assert!(after(&position, "e5-f6").bonus());
    assert!(!after(&position, "b1-a1").bonus());
    assert!(!after(&position, "b1-f1").bonus());
    assert!(!after(&position, "a1").bonus(), "a drop");
    assert!(!after(&position, "b2-b3").bonus());
    let from_gate = with("a1", "c11", "w");
    assert!(!after(&from_gate, "a1-f1").bonus());
}

#[test]
fn a_move_within_the_base_earns_a_bonus_when_it_captures() {
    let (next, remarks) = played(&with("b1 b2 b3", "a2", "w"), "b1-a1");
    assert_eq!(remarks, ["Black's stone on a2 is captured."]);
    assert!(next.bonus());
}

#[test]
fn a_turn_in_one_word_or_several() {
    let start = with("b2 e5 d3", "c11", "w");
    let whole = after(&start, "b2-a1+e5-f6+d3-c3+");
    let steps = after(&after(&after(&after(&start, "b2-a1"), "e5-f6"), "d3-c3"), "done");
    assert_eq!(whole, steps);
    assert_eq!((whole.to_move(), whole.bonus()), (Black, false));
    assert_eq!(after(&start, "b2-a1 e5-f6 d3-c3 done"), whole);
    assert_eq!(after(&start, "b2-a1 +e5-f6 +d3-c3 +"), whole);
    // A bonus that earns none ends the turn.
    let ended = after(&start, "b2-a1+e5-d4");
    assert_eq!((ended.to_move(), ended.bonus()), (Black, false));
    // Numbers of plies are left for the caller to read.
    let mut table = start.clone();
    assert_eq!(table.play_text("b2-a1#7+e5-f6#8+#9").unwrap().rest, "#7+e5-f6#8+#9");
    let second = table.play_text("+e5-f6#8+#9").unwrap();
    assert_eq!((second.ply.as_str(), second.rest), ("e5-f6", "#8+#9"));
    let third = table.play_text("+#9").unwrap();
    assert_eq!((third.ply.as_str(), third.rest), ("done", "#9"));
    assert_eq!(table.turn(), Black);
}

#[test]
fn a_bonus_stays_until_it_is_used_or_declined() {
    let pending = after(&with("b2 e5", "c11", "w"), "b2-a1");
    assert_eq!(pending.forced(), None);
    assert!(!pending.legal_plies().iter().any(|ply| !ply.contains('-') && ply != "done"));
    assert_eq!(
        pending.scene().drawing().notes,
        ["White has a bonus move, to be used or declined with `done`."]
    );
}

#[test]
fn a_bonus_that_nothing_can_be_done_with_is_declined_by_the_server() {
    // White's only stone stands in black's corner behind ring cells that black secures.
    let stuck = with("a11", "b10 c11 c10 a9 b9", "w 3,13 bonus");
    assert_eq!(stuck.legal_plies(), ["done"]);
    assert_eq!(stuck.forced_ply().as_deref(), Some("done"));
    assert_eq!(after(&stuck, "done").to_move(), Black);
    let drops = with("a11", "b10 c11 c10 a9 b9", "w 3,13 bonus bonusdrop");
    assert_eq!((drops.forced(), drops.legal_plies().len()), (None, 7));
}

#[test]
fn bonusdrop_lets_a_bonus_be_a_drop() {
    let pending = after(&with("b2 e5", "c11", "w bonusdrop"), "b2-a1");
    assert!(can(&pending, "b1") && !can(&pending, "a1") && can(&pending, "e5-f6"));
    let (next, _) = played(&pending, "b1");
    assert_eq!((next.to_move(), next.bonus()), (Black, false));
    assert_eq!(
        pending.scene().drawing().notes,
        ["White has a bonus move or drop, to be used or declined with `done`."]
    );
    // A bonus drop that captures earns another.
    let pending = after(&with("b2 c2 e5", "b1", "w bonusdrop"), "e5-f6");
    assert!(after(&pending, "c1").bonus());
}

// Rule 6.

#[test]
fn five_in_a_line_or_six_of_a_ring_win() {
    let wins = [
        ("a6 c6 f6 i6 j6", "j6-k6", "five gates in a line"),
        ("a1 c3 e5 f9 f11", "e5-f6", "five gates in a line"),
        ("a11 c9 f6 f4 f1", "f4-f3", "five gates in a line"),
        ("a1 a6 a11 f11 k6 e1", "e1-f1", "all six outer gates"),
        ("c3 c6 c9 f9 i6 f4", "f4-f3", "all six middle gates"),
    ];
    for (stones, ply, why) in wins {
        let white = with(stones, "d11", "w");
        assert_eq!(how(&white), None, "{stones}");
        let won = after(&white, ply);
        assert_eq!(how(&won), Some((Some(White), why)));
        assert!(!won.bonus() && won.legal_plies().is_empty() && won.forced().is_none());
        assert_eq!(Hexmeister::read(&won.write()), Ok(won));
        // The same for black, of whose stones white's lone one on d11 is none.
        if !ply.starts_with('e') {
            let black = with("d1", stones, "b");
            assert_eq!(how(&after(&black, ply)), Some((Some(Black), why)));
        }
    }
    let dropped = with("a1 a6 a11 f11 k6", "d11", "w");
    assert_eq!(how(&after(&dropped, "f1")), Some((Some(White), "all six outer gates")));
}

#[test]
fn a_win_counts_in_the_middle_of_a_turn_and_through_a_capture_before_it() {
    let position = with("a6 c6 f6 h6 j6", "d11", "w");
    let pending = after(&position, "h6-i6");
    assert_eq!((how(&pending), pending.bonus()), (None, true));
    assert_eq!(how(&after(&pending, "j6-k6")), Some((Some(White), "five gates in a line")));
}

// Rule 7.

#[test]
fn the_same_position_a_third_time_is_a_draw() {
    let mut position = with("b2", "b10", "w");
    for turn in 0..8 {
        assert_eq!(how(&position), None, "turn {turn}");
        let notes = position.scene().drawing().notes;
        assert_eq!(notes.iter().any(|note| note.contains("second time")), turn >= 4, "turn {turn}");
        position = after(&position, ["b2-c2", "b10-c10", "c2-b2", "c10-b10"][turn % 4]);
    }
    assert_eq!(how(&position), Some((None, "the same position a third time")));
    assert_eq!(Hexmeister::read(&position.write()), Ok(position));
}

#[test]
fn the_other_side_to_move_is_another_position() {
    // White needs three moves to come back and black two, so all stand as before with black to move.
    let mut position = with("b2", "b10", "w");
    for ply in ["b2-c2", "b10-c10", "c2-d2", "c10-b10", "d2-b2", "b10-c10", "b2-c2", "c10-b10", "c2-b2"] {
        position = after(&position, ply);
    }
    // b2 and b10 with black to move: seen twice so far, once with white.
    assert_eq!((how(&position), position.to_move()), (None, Black));
    assert_eq!(position.history().times(), 2);
}

#[test]
fn a_drop_or_a_capture_begins_a_new_history() {
    let mut position = with("b2", "b10", "w");
    for ply in ["b2-c2", "b10-c10", "c2-b2", "c10-b10"] {
        position = after(&position, ply);
    }
    assert_eq!((position.quiet_turns(), position.history().times()), (4, 2));
    let dropped = after(&position, "e1");
    assert_eq!((dropped.quiet_turns(), dropped.history().len()), (0, 1));
    assert!(!dropped.write().contains("since"));
    let next = after(&dropped, "b10-c10");
    assert_eq!((next.quiet_turns(), next.history().len()), (1, 2));
}

#[test]
fn a_hundred_turns_without_a_drop_or_a_capture_are_a_draw() {
    // Two stones walk round the outer lanes, in steps whose numbers keep boards from coming back.
    let lanes: Vec<&str> = "b2 c2 d2 e2 f2 f3".split(' ').take(5).collect();
    let mut position = with("b2", "b10", "w");
    let others: Vec<&str> = "b10 c10 d10 e10 f10".split(' ').collect();
    let free = ["g4", "g5", "h5", "i5", "i7", "h7", "g8", "b4", "b5", "b7", "b8", "b9", "b3"];
    let mut turns = 0;
    let (mut white, mut black) = (0, 0);
    let spots: Vec<&str> = lanes.iter().chain(&free).copied().collect();
    while how(&position).is_none() {
        let mover = position.to_move();
        let ply = if mover == White {
            let from = spots[white % spots.len()];
            white += 1;
            format!("{from}-{}", spots[white % spots.len()])
        } else {
            let from = others[black % others.len()];
            black += 1;
            format!("{from}-{}", others[black % others.len()])
        };
        let legal = position.legal_plies();
        assert!(legal.contains(&ply), "{ply} after {turns} turns: {}", position.write());
        position = after(&position, &ply);
        turns += 1;
        let notes = position.scene().drawing().notes.join(" ");
        assert_eq!(notes.contains("turns without"), (50..100).contains(&turns), "{turns}: {notes}");
    }
    assert_eq!((turns, how(&position)), (100, Some((None, "100 turns without a drop or a capture"))));
    assert_eq!(Hexmeister::read(&position.write()), Ok(position));
}

#[test]
fn fewer_than_five_stones_on_both_sides_are_a_draw() {
    let four = with("b2 c3 d4", "b10 c10", "w 1,2");
    assert_eq!(how(&four), Some((None, "both have fewer than five stones")));
    let five = with("b2 c3 d4", "b10 c10", "w 2,2");
    assert_eq!(how(&five), None);
    // The capture that leaves both with four ends the game, whatever bonus it earns.
    let five = with("b2 c2 d4", "b1 c10 d10", "w 1,2");
    assert_eq!(how(&five), None);
    let taken = after(&five, "c1");
    assert_eq!(how(&taken), Some((None, "both have fewer than five stones")));
}

#[test]
fn who_has_nothing_to_drop_or_move_passes() {
    let black = with("a11", "b10 c11 c10 a9 b9", "b 0,13");
    assert!(!can(&black, "pass"));
    let stuck = with("a11", "b10 c11 c10 a9 b9", "w 0,13");
    assert_eq!(stuck.legal_plies(), ["pass"]);
    assert_eq!(stuck.forced_ply().as_deref(), Some("pass"));
    let passed = after(&stuck, "pass");
    assert_eq!((passed.to_move(), passed.quiet_turns()), (Black, 1));
    assert!(passed.write().ends_with(" since >"));
    assert_eq!(Hexmeister::read(&passed.write()), Ok(passed));
}

// Position texts.

#[test]
fn texts_and_what_may_be_left_out() {
    let start = Hexmeister::start(Rules { straight: true, bonusdrop: true });
    let empty = start.write();
    assert_eq!(
        empty,
        "....../......./......../........./........../.........../........../........./......../......./...... w 18,18 straight bonusdrop"
    );
    assert_eq!(Hexmeister::read(&empty), Ok(start));
    let short = with("b2", "b10", "w");
    assert_eq!(short.write().split_once(' ').unwrap().1, "w 17,17");
    assert_eq!(Hexmeister::read(&short.write()), Ok(short.clone()));
    let pending = after(&with("b2 e5", "b10", "w"), "b2-a1");
    assert_eq!(pending.write().split_once(' ').unwrap().1, "w 16,17 bonus since b2>a1");
    assert_eq!(Hexmeister::read(&pending.write()), Ok(pending));
}

#[test]
fn options_of_a_challenge() {
    let start = |options: &[(&str, Option<&str>)]| {
        let options: Vec<_> =
            options.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect();
        (KIND.start)(&Setup { options: &options, seed: 1 }).map(|table| table.position())
    };
    assert!(start(&[]).unwrap().ends_with(" w 18,18"));
    assert!(start(&[("straight", None)]).unwrap().ends_with(" w 18,18 straight"));
    assert!(start(&[("bonusdrop", None)]).unwrap().ends_with(" w 18,18 bonusdrop"));
    assert_eq!(start(&[("straight", Some("1"))]), Err(SetupError::Option("-straight takes no value".into())));
}

// The drawing.

#[test]
fn the_board_is_drawn_with_its_gates_rings_and_lanes() {
    let position = with("a6 c6 f6 c3 e1", "f11 c11 b11 d9", "w 10,9");
    let drawing = position.scene().drawing();
    assert_eq!(drawing.board, include_str!("data/hexmeister-board.txt"));
    assert!(drawing.key.len() <= 78 && drawing.key.is_ascii());
    assert_eq!(
        drawing.standing,
        "White: 5 stones on the board, 10 in reserve, 3 captured. Black: 4 stones on the board, 9 in reserve, 5 captured."
    );
    let both = with("e6 f7 f5", "e5 e7 g6", "w");
    assert!(both.scene().drawing().board.contains("/*#\\"));
}

/// A stone on each cell in turn shows where the drawing has that cell, and there the map has its name.
#[test]
fn the_map_names_every_cell_where_the_drawing_has_it() {
    let map = (KIND.map.unwrap())();
    let names: Vec<&str> = map.lines().collect();
    assert!(names.iter().all(|line| line.len() <= 78));
    for cell in Cell::all() {
        let position = with(&cell.to_string(), "", "w 17,18");
        let drawing = position.scene().drawing().board;
        let (line, column) =
            drawing.lines().enumerate().find_map(|(line, text)| Some((line, text.find('w')?))).unwrap();
        // Both leave a margin; a hexagon is three columns wide here and five there.
        let column = (column - 5) / 3 * 5 + 1;
        let name: String = names[line].chars().skip(column).take(4).collect();
        let gate = if cell.kind() == CellKind::Gate { "#" } else { " " };
        assert_eq!(name, format!("{:<3}{gate}", cell.to_string()));
    }
}
