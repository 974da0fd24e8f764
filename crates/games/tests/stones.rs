//! Facts that the data of other engines does not have: how a game was won and by which pieces, who begins, half points,
//! the draws of draughts.

use turnpost_games::{GameKind, Outcome, Seat, Setup, Table, draughts, go, gomoku, havannah, hex, replay, y};

fn played(kind: &GameKind, options: &[(&str, &str)], plies: &str) -> Box<dyn Table> {
    let options: Vec<_> =
        options.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned()))).collect();
    let mut table = (kind.start)(&Setup { options: &options, seed: 0 }).unwrap();
    replay(&mut *table, plies.split_whitespace()).unwrap();
    table
}

#[test]
fn havannah_names_what_won() {
    for (plies, how) in [
        ("d4 a1 e4 d1 e5 g4 d5 g7 c4 d7 c3 a4 d3", "a ring"),
        ("c2 a1 c3 d1 e3 g4 e4 g7 d4 d7 d2", "a ring"),
        ("a1 c3 a2 d5 a3 e4 a4", "a bridge"),
        ("b1 d1 b2 g4 b3 g7 b4 d7 b5 e3 a3", "a fork"),
    ] {
        let table = played(&havannah::KIND, &[("size", "4")], plies);
        assert_eq!(table.ended(), Some(Outcome::won(Seat::First, how)), "{plies}");
    }
    // A corner is on no side.
    let table = played(&havannah::KIND, &[("size", "4")], "a1 d1 b2 g4 b3 g7 b4 d7 b5");
    assert_eq!(table.ended(), None);
}

#[test]
fn a_stone_of_go_may_not_kill_itself_or_bring_a_board_back() {
    let mut table = played(&go::KIND, &[], "c5 f5 d6 e6 d4 e4 e5 d5");
    let why = table.play_text("e5").unwrap_err().to_string();
    assert!(
        why.starts_with("A stone may not bring back a board that has been there before. Black can"),
        "{why}"
    );
    replay(&mut *table, ["b1", "pass", "a2"]).unwrap();
    let why = table.play_text("a1").unwrap_err().to_string();
    assert!(why.starts_with("A stone must have an empty point beside it"), "{why}");
}

#[test]
fn columns_of_go_have_no_i_and_words_name_points() {
    let on = |size: &str, text: &str| {
        let mut table = played(&go::KIND, &[("size", size)], "");
        let text = text.to_owned();
        table.play_text(&text).map(|played| played.ply).map_err(|why| why.to_string())
    };
    for (size, text, ply) in [
        ("9", "j9", "J9"),
        ("19", "q16", "Q16"),
        ("19", "T1", "T1"),
        ("13", "tengen", "G7"),
        ("9", "Center", "E5"),
        ("9", "天元", "E5"),
        ("9", "5-5", "E5"),
        ("9", "PASS", "pass"),
    ] {
        assert_eq!(on(size, text).as_deref(), Ok(ply), "{text}");
    }
    for (size, text, why) in [
        ("9", "i5", "There is no column I: columns are A to H and J."),
        ("19", "I5", "There is no column I: columns are A to H and J to T."),
        ("9", "K1", "There is no such space: the board has A1 to J9."),
        ("19", "3-3", "Which of C17, R17, C3 and R3 do you mean?"),
        ("9", "3-4", "Which of D7, F7, C6, G6, C4, G4, D3 and F3 do you mean?"),
    ] {
        assert_eq!(on(size, text), Err(why.to_owned()), "{text}");
    }
    let names = played(&go::KIND, &[("size", "19")], "").legal_plies();
    assert!(names.iter().all(|name| !name.starts_with('I')) && names.len() == 362);
    let renamed = go::KIND.renamed.unwrap();
    for (old, new) in [("h9", "H9"), ("i9", "J9"), ("J5", "K5"), ("s19", "T19")] {
        assert_eq!(renamed(old).as_deref(), Some(new));
    }
    assert!(["pass", "t5", "3-3", "", "j", "é5"].iter().all(|text| renamed(text).is_none()));
}

#[test]
fn a_stone_adds_little_to_the_text_of_a_position() {
    let plies: Vec<String> =
        (0..40).map(|at| format!("{}{}", &"abcdefghj"[at % 9..=at % 9], 1 + at / 9)).collect();
    let text = played(&go::KIND, &[], &plies.join(" ")).position();
    let board = played(&go::KIND, &[], "").position();
    assert!(text.len() <= board.len() + " since".len() + 40 * 9, "{text}");
}

#[test]
fn white_begins_where_black_has_stones_on_the_board_and_gets_half_a_point() {
    let table = played(&go::KIND, &[("handicap", "2")], "");
    assert_eq!(
        (table.turn(), table.position().as_str()),
        (
            Seat::Second,
            "........./........./......b../........./........./........./..b....../........./......... w 0,1,0,0",
        )
    );
}

#[test]
fn halves_of_points_decide_what_is_level_without_them() {
    // Black has columns a to e without e1, which are 44 points, and White the rest.
    let walls: Vec<String> = (2..=9).map(|row| format!("e{row} f{row}")).collect();
    let plies = format!("{} d1 f1 pass e1 pass pass", walls.join(" "));
    for (komi, winner, score, how) in [
        ("6.5", Some(Seat::First), [44, 43], Some("and White has half a point more")),
        ("7", None, [44, 44], None),
        ("7.5", Some(Seat::Second), [44, 44], Some("and White has half a point more")),
    ] {
        let table = played(&go::KIND, &[("komi", komi)], &plies);
        assert_eq!(table.ended(), Some(Outcome { winner, score: Some(score), how }));
    }
    for komi in ["", "7.25", "-1", "51", "much", "inf", "nan"] {
        let options = [("komi".to_owned(), Some(komi.to_owned()))];
        assert!((go::KIND.start)(&Setup { options: &options, seed: 0 }).is_err(), "{komi}");
    }
}

#[test]
fn the_board_shows_what_won() {
    for (kind, size, plies, winners) in [
        (&gomoku::KIND, "15", "h8 a1 i8 b1 j8 c1 k8 o15 g8", "g8 h8 i8 j8 k8"),
        (&hex::KIND, "7", "b1 c2 b2 c3 b3 c4 b4 c5 b5 c6 b6 c7 d1 e1 b7", "b1 b2 b3 b4 b5 b6 b7"),
        (&y::KIND, "7", "a7 c1 a6 c2 a5 c3 a4 d1 a3 d2 a2 e2 g1 d3 a1", "a1 a2 a3 a4 a5 a6 a7"),
        (&havannah::KIND, "4", "a1 c3 a2 d5 a3 e4 a4", "a4 a3 a2 a1"),
    ] {
        let options = if size == "15" { &[][..] } else { &[("size", size)] };
        let table = played(kind, options, plies);
        assert!(table.ended().is_some(), "{}", kind.key);
        let scene = table.look();
        let shown: Vec<&str> =
            scene.spaces.iter().filter(|space| space.wins).map(|space| space.name.as_str()).collect();
        assert_eq!(shown.join(" "), winners, "{}", kind.key);
    }
}

/// FMJD, official rules, 6.3 and 6.4: all moves count in an ending of a king against few pieces, also those of men.
#[test]
fn a_king_alone_holds_for_its_moves_of_kings_and_men() {
    let three = "B..../...../...../...../...../...../...../.w.../...../W...W";
    let two = "B..../...../...../...../...../...../...../.w.../...../....W";
    for (position, ply, is_draw) in [
        (format!("{three} w 0,30,0,0"), "37-32", false),
        (format!("{three} w 0,31,0,0"), "37-32", true),
        (format!("{three} w 31,31,0,0"), "46-41", true),
        (format!("{two} w 0,8,0,0"), "37-32", false),
        (format!("{two} w 0,9,0,0"), "37-32", true),
        // Men alone are no such ending, and a capture begins another count.
        ("B..../...../...../...../...../...../...../.w.../...../w...w w 0,31,0,0".to_owned(), "37-32", false),
        ("...../...../...../...../...../..B../.w.../...../.W.../....W b 0,31,0,0".to_owned(), "28x48", false),
    ] {
        let mut table = (draughts::KIND.read)(&position).unwrap();
        table.play_text(ply).unwrap();
        assert_eq!(
            table.ended().is_some_and(|outcome| outcome.winner.is_none()),
            is_draw,
            "{position} {ply}"
        );
    }
}
