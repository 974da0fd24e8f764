//! The rules of DVONN one by one, on drawn boards, and the sentences of refusals.

use turnpost_games::dvonn::space::Space;
use turnpost_games::dvonn::{Dvonn, Move};
use turnpost_games::{MoveError, Position, Seat, SetupError, Table};

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

/// D3 is surrounded, E3 is a white stack of two, F3 a lone DVONN piece, and black's stack on G3 holds the other two.
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
fn every_bad_ply_has_a_sentence_of_its_own() {
    let (white, black) = (drawn(MIDDLE, "w"), drawn(MIDDLE, "b"));
    let from = "White can move from C2, D2, C3, E3, D4 and E4.";
    let cases = [
        (&white, "D3-E3", format!("D3 is surrounded on all six sides and cannot move. {from}")),
        (&white, "F3-E3", format!("F3 holds a single DVONN piece, which belongs to nobody and never moves. {from}")),
        (&white, "G3-D3", format!("G3 holds black's stack of 3, and it is white's turn. {from}")),
        (&white, "A1-B2", format!("There is nothing on A1. {from}")),
        (&white, "pass", format!("A side may pass only when it has no legal move. {from}")),
        (&white, "A1", format!("All pieces are placed; a move now names two spaces, like A3-B4. {from}")),
        (
            &white,
            "E3",
            "All pieces are placed; a move now names two spaces, like A3-B4. From E3 the legal moves are E3-C3 and E3-G3.".to_owned(),
        ),
        (
            &white,
            "E3-C2",
            "E3-C2 is not a straight line along the spaces. From E3 the legal moves are E3-C3 and E3-G3.".to_owned(),
        ),
        (
            &white,
            "E3-F3",
            "A stack of 2 moves exactly 2 spaces; E3-F3 is 1. From E3 the legal moves are E3-C3 and E3-G3.".to_owned(),
        ),
        (
            &white,
            "C3-E3",
            "A single piece moves exactly 1 space; C3-E3 is 2. From C3 the legal moves are C3-C2, C3-D3 and C3-D4.".to_owned(),
        ),
        (
            &white,
            "E3-E5",
            "E5 is empty, and a move ends on a piece or a stack. From E3 the legal moves are E3-C3 and E3-G3.".to_owned(),
        ),
        (&white, "E3-E3", "E3-E3 does not move at all. From E3 the legal moves are E3-C3 and E3-G3.".to_owned()),
        (&black, "C3-C2", "C3 holds white's piece, and it is black's turn. Black can move from G3.".to_owned()),
        (
            &black,
            "G3-F3",
            "A stack of 3 moves exactly 3 spaces; G3-F3 is 1. From G3 the only legal move is G3-D3.".to_owned(),
        ),
    ];
    for (position, ply, why) in &cases {
        assert_eq!(refused(position, ply), *why, "{ply}");
    }
}

#[test]
fn bad_plies_while_placing() {
    let mut position = Dvonn::EMPTY;
    assert_eq!(
        refused(&position, "A3-B4"),
        "Nothing moves before all 49 pieces are on the board. Ply 1 puts a DVONN piece on an empty space: A1, B1, C1, D1, E1, F1 and 43 more."
    );
    for space in ["F3", "A1", "K5", "B1"] {
        position.play_text(space).unwrap();
    }
    assert_eq!(
        refused(&position, "f3"),
        "F3 is occupied already. Ply 5 puts a white piece on an empty space: C1, D1, E1, F1, G1, H1 and 39 more."
    );
    assert_eq!(
        refused(&position, "pass"),
        "There is no passing while the pieces are placed. Ply 5 puts a white piece on an empty space: C1, D1, E1, F1, G1, H1 and 39 more."
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
fn positions_that_cannot_be_read() {
    let empty = Dvonn::EMPTY.write();
    assert_eq!(
        empty,
        ".,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,. w place 1"
    );
    let middle = drawn(MIDDLE, "w").write();
    let texts = [
        String::new(),
        "w".into(),
        middle.replace(" w", ""),
        middle.replace(" w", " x"),
        middle.replace(" w", " w place"),
        middle.replace(" w", " w place 1 2"),
        middle.replace('/', ","),
        middle.replacen(".,.", ".", 1),
        middle.replacen(".,.", ".,,.", 1),
        empty.replace("place 1", "place 0"),
        empty.replace("place 1", "place 50"),
        empty.replace("place 1", "place x"),
    ];
    let stacks = ["w1", "w0", "w02", "w50", "w999", "w+2", "W", "W1", "d", "D2", "x", "..", "w 2", "\u{e4}"];
    let stacks = stacks.map(|stack| middle.replace("w2", stack));
    for text in texts.iter().chain(&stacks) {
        assert!(
            matches!(Dvonn::read(text), Err(SetupError::Unreadable(_))),
            "{text}: {:?}",
            Dvonn::read(text)
        );
    }
}

#[test]
fn positions_that_could_not_occur() {
    let middle = drawn(MIDDLE, "w").write();
    let (mut placing, mut text) = (Dvonn::EMPTY, Vec::new());
    for space in ["F3", "A1", "K5", "B1", "C1"] {
        placing.play_text(space).unwrap();
        text.push(placing.write());
    }
    let cases = [
        (middle.replace("w2", "w42"), "there are 52 pieces on the board"),
        (middle.replace(",D,", ",w,").replace("B3", "b3"), "0 spaces hold DVONN pieces"),
        (middle.replacen("w,w,.", "D,D,.", 1), "4 spaces hold DVONN pieces"),
        (middle.replace("B3", "B2"), "no room for all three"),
        (drawn(STUCK, "w").write().replace("D,D,b", "D,.,."), "no room for all three"),
        (middle.replace(".,.,.,.,.,.,.,.,./", "b,.,.,.,.,.,.,.,./"), "C5 is not linked"),
        (text[4].replace(" b place 6", " w place 6"), "ply 6 is placed by black"),
        (
            text[4].replace(" b place 6", " b place 8"),
            "before ply 8 there are 2 white pieces on the board, and here are 1",
        ),
        (text[4].replace("D,b,w", "D,b,W2"), "there are no stacks yet"),
        (text[4].replace("D,b,w", "b,b,w"), "3 DVONN pieces on the board, and here are 2"),
    ];
    for (text, why) in cases {
        match Dvonn::read(&text) {
            Err(SetupError::Unlawful(told)) => assert!(told.contains(why), "{text}: {told}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    // 24 of one colour on a full board.
    let full =
        "w,w,w,w,b,b,w,b,b/b,b,D,w,b,D,b,b,w,D/w,b,w,b,w,w,b,w,w,w,b/b,b,w,b,b,w,b,w,w,w/w,w,b,w,b,b,w,w,b w";
    assert_eq!(
        Dvonn::read(full),
        Err(SetupError::Unlawful("24 stacks have a white top, and a side has 23 pieces".to_owned()))
    );
}

#[test]
fn texts_of_positions_read_back() {
    for position in [drawn(MIDDLE, "w"), drawn(MIDDLE, "b"), drawn(STUCK, "w"), Dvonn::EMPTY] {
        assert_eq!(Dvonn::read(&position.write()), Ok(position));
    }
    assert_eq!(Space::all().count(), 49);
}
