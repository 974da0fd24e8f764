//! What the data of other engines does not say of Havannah: how a game was won.

use turnpost_games::{GameKind, Outcome, Seat, Setup, Table, havannah, replay};

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
