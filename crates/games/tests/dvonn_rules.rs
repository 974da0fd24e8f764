//! The rules of DVONN one by one, on drawn boards.

use turnpost_games::dvonn::space::Space;
use turnpost_games::dvonn::{Dvonn, Move};
use turnpost_games::{MoveError, Position, Seat, Table};

/// The position drawn as rows 5 to 1, with the side to move.
fn drawn(rows: &str, to_move: &str) -> Dvonn {
    let rows: Vec<String> = rows
        .lines()
        .map(|row| row.split_whitespace().collect::<Vec<_>>().join(","))
        .filter(|row| !row.is_empty())
        .collect();
    Dvonn::read(&format!("{} {to_move}", rows.join("/"))).unwrap()
}

fn played(position: &Dvonn, ply: &str) -> (Dvonn, Vec<String>) {
    let mut after = *position;
    let played = after.play_text(ply).unwrap();
    (after, played.remarks)
}

/// The sentence that refuses `ply`, which changes nothing.
fn refused(position: &Dvonn, ply: &str) -> String {
    let mut after = *position;
    match after.play_text(ply) {
        Err(MoveError::Illegal(illegal)) => {
            assert_eq!(after, *position, "{ply} was refused and changed the position");
            illegal.why
        }
        other => panic!("{ply}: {other:?}"),
    }
}

fn plies(position: &Dvonn) -> String {
    position.legal_plies().join(" ")
}

/// D3 is surrounded, E3 is a white stack of two, F3 a lone DVONN piece, and black's stack on G3 holds the
/// other two.
const MIDDLE: &str = "
          .  .  .  .  .  .  .  .  .
        .  .  w  w  .  .  .  .  .  .
      .  .  w  w  w2 D  B3 .  .  .  .
        .  .  w  w  .  .  .  .  .  .
          .  .  .  .  .  .  .  .  .  ";

#[test]
fn a_stack_moves_as_many_spaces_as_it_has_pieces_onto_an_occupied_one() {
    assert_eq!(plies(&drawn(MIDDLE, "b")), "G3-D3");
    let white = drawn(MIDDLE, "w");
    // Not D3, which is surrounded; from E3 two spaces and not one, over the DVONN piece.
    assert_eq!(
        plies(&white),
        "C2-D2 C2-C3 C2-D3 D2-C2 D2-D3 D2-E3 C3-C2 C3-D3 C3-D4 E3-C3 E3-G3 D4-C3 D4-D3 D4-E4 E4-D3 E4-E3 E4-D4"
    );
    let (after, remarks) = played(&white, "E3-G3");
    assert_eq!(
        after.write(),
        ".,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,D,W5,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,. b"
    );
    assert_eq!(remarks, ["6 pieces left the board: C2 (w), D2 (w), C3 (w), D3 (w), D4 (w), E4 (w)."]);
    assert_eq!(after.score(), [5, 0]);
}

#[test]
fn bad_plies_while_placing() {
    let mut position = Dvonn::EMPTY;
    assert_eq!(
        refused(&position, "A3-B4"),
        "Nothing moves before all 49 pieces are on the board. Move 1 puts a DVONN piece on an empty space: A1, B1, C1, D1, E1, F1 and 43 more."
    );
    for space in ["F3", "A1", "K5", "B1"] {
        position.play_text(space).unwrap();
    }
    assert_eq!(
        refused(&position, "f3"),
        "F3 is occupied already. Move 5 puts a white piece on an empty space: C1, D1, E1, F1, G1, H1 and 39 more."
    );
    assert_eq!(
        refused(&position, "pass"),
        "There is no passing while the pieces are placed. Move 5 puts a white piece on an empty space: C1, D1, E1, F1, G1, H1 and 39 more."
    );
    assert_eq!(position.scene().drawing().standing, "Placed so far: 3 DVONN, 0 white, 1 black; 45 to come.");
}

/// White's stack of four reaches nothing; black can move.
const STUCK: &str = "
          .  .  .  .  .  .  .  .  D
        .  .  .  .  .  .  .  .  .  .
      .  .  .  .  .  .  D  D  b  .  .
        .  .  .  .  .  w4 .  .  .  .
          .  .  .  .  .  .  .  .  .  ";

#[test]
fn a_side_without_a_move_must_pass_and_the_game_ends_when_neither_has_one() {
    let position = drawn(STUCK, "w");
    assert_eq!(position.forced(), Some(Move::Pass));
    assert_eq!((position.outcome(), position.legal_count(), plies(&position).as_str()), (None, 1, "pass"));
    assert_eq!(refused(&position, "F2-J2"), "White has no legal move and must pass.");
    let (black, _) = played(&position, "Pass");
    assert_eq!((black.to_move(), plies(&black).as_str(), black.forced()), (Seat::Second, "I3-H3", None));
    let (end, remarks) = played(&black, "i3-h3");
    assert!(remarks.is_empty());
    let outcome = end.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.score), (Some(Seat::First), Some([4, 2])));
    assert_eq!((end.forced(), end.legal_count(), plies(&end).as_str()), (None, 0, ""));
    for ply in ["pass", "H3-F3", "A1"] {
        assert_eq!(refused(&end, ply), "The game is over: neither side has a move left.");
    }
    let drawing = end.scene().drawing();
    assert_eq!(drawing.standing, "White controls 4 pieces, black 2.");
    assert!(drawing.notes.is_empty());
}

#[test]
fn an_equal_score_is_a_tie() {
    let position = drawn(&STUCK.replace("w4", "w2").replace("D  b ", "B2 . "), "b");
    let outcome = position.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.score), (None, Some([2, 2])));
}

#[test]
fn a_move_may_cut_off_its_own_stack() {
    // C3 links B3 to the DVONN pieces; by moving onto B3 it cuts off both (rule F.2).
    let position = drawn(
        "
          .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .
      .  b  w  D  D  D  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .
          .  .  .  .  .  .  .  .  .  ",
        "w",
    );
    let (after, remarks) = played(&position, "C3-B3");
    assert_eq!(remarks, ["2 pieces left the board: B3 (w2)."]);
    assert_eq!(after.outcome().unwrap().score, Some([0, 0]));
}

#[test]
fn one_piece_left_is_one_piece() {
    let position = drawn(
        "
          .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .
      .  b  w  D  D  D  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .
          .  .  .  .  .  .  .  .  .  ",
        "w",
    );
    assert_eq!(played(&position, "C3-D3").1, ["1 piece left the board: B3 (b)."]);
}

#[test]
fn high_stacks_are_drawn_with_a_plus_and_a_note() {
    let rows = MIDDLE.replace("w2", "w12").replace("B3", "B11").replacen("w  w ", "w  W9", 1);
    let position = drawn(&rows, "w");
    let drawing = position.scene().drawing();
    assert_eq!(drawing.notes, ["E3 is w12", "G3 is B11"].map(str::to_owned));
    assert!(
        drawing.board.contains("/w+\\") && drawing.board.contains("/B+\\") && drawing.board.contains("/W9\\")
    );
    assert!(drawing.key.is_ascii() && drawing.key.len() <= 78, "{}", drawing.key.len());
}

#[test]
fn texts_of_positions_read_back() {
    for position in [drawn(MIDDLE, "w"), drawn(MIDDLE, "b"), drawn(STUCK, "w"), Dvonn::EMPTY] {
        assert_eq!(Dvonn::read(&position.write()), Ok(position));
    }
    assert_eq!(Space::all().count(), 49);
}
