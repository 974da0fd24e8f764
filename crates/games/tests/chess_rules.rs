//! Chess beyond the moves: draws that the server claims, the start of Chess960, castling there, and PGN.

use turnpost_games::{GameKind, Outcome, Seat, Setup, Table, chess, replay};

const KIND: GameKind = chess::KIND;

fn behind(start: &str, plies: &str) -> Box<dyn Table> {
    let mut table = (KIND.read)(start).unwrap();
    replay(&mut *table, plies.split_whitespace()).unwrap();
    table
}

fn ended(start: &str, plies: &str) -> Option<Outcome> {
    behind(start, plies).ended()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_position_for_the_third_time_is_a_draw() {
    let there_and_back = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
    assert_eq!(ended(START, there_and_back), None);
    let third = Some(Outcome::tie("the same position for the third time"));
    assert_eq!(ended(START, &format!("{there_and_back} Ng8")), third);
    // The position is read with what was there before.
    let text = behind(START, there_and_back).position();
    assert_eq!(ended(&text, "Ng8"), third);
    // The right to castle, and to capture in passing, make other positions.
    let kings = "r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    assert_eq!(ended(kings, "Ra2 Rb8 Ra1 Ra8 Ra2 Rb8 Ra1 Ra8"), None);
    let passing = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    assert_eq!(ended(passing, "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1"), None);
    assert_eq!(ended(passing, "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1 Kd8"), third);
}

#[test]
fn fifty_idle_moves_and_dead_material_are_draws_and_mate_is_not() {
    let idle = "50 moves without a capture or a pawn's move";
    assert_eq!(ended("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "Ra2"), Some(Outcome::tie(idle)));
    let mate = Some(Outcome::won(Seat::First, "checkmate"));
    assert_eq!(ended("7k/5Q2/6K1/8/8/8/8/8 w - - 99 80", "Qg7#"), mate);
    assert_eq!(ended("7k/8/6K1/5Q2/8/8/8/8 w - - 0 80", "Qf7"), Some(Outcome::tie("stalemate")));
    let dead = |text: &str| ended(text, "") == Some(Outcome::tie("nobody can be mated any more"));
    for text in ["4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4KN2", "4k1b1/8/8/8/8/8/8/4KB2"] {
        assert!(dead(&format!("{text} w - - 0 1")), "{text}");
    }
    for text in
        ["4kb2/8/8/8/8/8/8/4KB2", "4kn2/8/8/8/8/8/8/4KN2", "4k3/8/8/8/8/8/8/4KNN1", "4k3/8/8/8/8/8/P7/4K3"]
    {
        assert!(!dead(&format!("{text} w - - 0 1")), "{text}");
    }
}

#[test]
fn chess960_begins_by_its_number_and_castles_to_the_usual_squares() {
    let options = [("960".to_owned(), None)];
    let start = |seed| (KIND.start)(&Setup { options: &options, seed }).unwrap().position();
    assert_eq!(start(518), START);
    assert_eq!(start(960), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
    // The king is on b1 and his rook on a1: he goes to c1 and the rook to d1.
    let table = behind("1k6/8/8/8/8/8/8/RK5R w AH - 0 1", "O-O-O");
    assert_eq!(table.position(), "1k6/8/8/8/8/8/8/2KR3R b - - 1 1");
    let ends = behind("1k6/8/8/8/8/8/8/RK5R w AH - 0 1", "").choices();
    let spaces = |ply| ends.iter().find(|(name, _)| name == ply).map(|(_, ends)| ends.to.clone().unwrap());
    assert_eq!((spaces("O-O-O"), spaces("O-O")), (Some("a1".to_owned()), Some("g1".to_owned())));
    // The king can be put onto his rook too.
    let short = ends.iter().filter(|(name, _)| name == "O-O").filter_map(|(_, ends)| ends.to.as_deref());
    assert_eq!(short.collect::<Vec<_>>(), ["g1", "h1"]);
}

#[test]
fn a_ply_is_known_without_its_position() {
    let length = KIND.plies.other.unwrap();
    for (text, expected) in [
        ("Nf3 good luck", 3),
        ("O-O-O, nice", 5),
        ("exd5+ hi", 5),
        ("e8=Q#", 5),
        ("Qh5##7", 4),
        ("0-0", 3),
        ("nf3", 3),
        ("d2+ :)", 3),
        ("Knight to f3", 12),
        ("kurze Rochade!", 13),
        ("P-K4", 4),
    ] {
        assert_eq!(length(text), Some(expected), "{text}");
    }
    for text in ["Not now", "00", "10:00", "Be quick", "bad luck", "long ago", "The knight", ""] {
        assert_eq!(length(text), None, "{text}");
    }
}

#[test]
fn a_b_in_capitals_alone_is_not_guessed() {
    let table = || behind("4k3/8/8/8/1B6/2p5/1P6/4K3 w - - 0 1", "");
    for (text, ply) in [("Bxc3", "Bxc3"), ("bxc3", "bxc3"), ("b2c3", "bxc3"), ("bd6", "Bd6")] {
        assert_eq!(table().play_text(text).unwrap().ply, ply, "{text}");
    }
    let refused = table().play_text("BXC3").unwrap_err().to_string();
    assert!(refused.contains("Bxc3") && refused.contains("bxc3"), "{refused}");
}
