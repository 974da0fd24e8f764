//! Whole games and drawn boards of DVONN, from data files. `data/README.md` names their sources.

use turnpost_games::dvonn::{Dvonn, KIND, Phase};
use turnpost_games::{Position, Seat, Setup, Table, replay};

const GAMES: &str = include_str!("data/dvonn-games.txt");
const PASS_AND_RETURN: &str = include_str!("data/dvonn-pass-and-return.txt");

/// The value of a line `key: value` of a block.
fn field<'b>(block: &'b str, key: &str) -> &'b str {
    block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).unwrap()
}

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    text.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

fn winner(score: &[u16]) -> Option<Seat> {
    match score[0].cmp(&score[1]) {
        std::cmp::Ordering::Greater => Some(Seat::First),
        std::cmp::Ordering::Less => Some(Seat::Second),
        std::cmp::Ordering::Equal => None,
    }
}

/// Plays the stacking phase of `block`, and compares each ply with the file.
fn play_out(table: &mut dyn Table, block: &str, name: &str) {
    for ply in field(block, "move").split_whitespace() {
        assert_eq!(table.ended(), None, "{name} before {ply}");
        assert_eq!(table.forced_ply().as_deref(), (ply == "pass").then_some("pass"), "{name} at {ply}");
        let played = table.play_text(ply).unwrap();
        assert_eq!((played.ply.as_str(), played.rest), (ply, ""), "{name}");
    }
    let score: Vec<u16> = numbers(field(block, "score"));
    let outcome = table.ended().unwrap();
    assert_eq!(outcome.score.map(|score| score.to_vec()), Some(score.clone()), "{name}");
    assert_eq!(outcome.winner, winner(&score), "{name}");
    assert_eq!((table.legal_plies(), table.forced_ply()), (vec![], None), "{name}");
}

#[test]
fn games_played_to_the_end() {
    let games: Vec<&str> = GAMES.split("\n\n").filter(|block| block.starts_with("game")).collect();
    assert_eq!(games.len(), 25);
    for block in games {
        let name = block.lines().next().unwrap();
        let mut position = Dvonn::EMPTY;
        for (ply, space) in (1..).zip(field(block, "place").split_whitespace()) {
            assert_eq!(position.to_move(), if ply % 2 == 1 { Seat::First } else { Seat::Second });
            assert_eq!((position.legal_count(), position.phase()), (50 - ply, Phase::Placement), "{name}");
            position.play_text(space).unwrap();
        }
        // White has placed the last piece and plays again (rule E.1).
        assert_eq!((position.phase(), position.to_move()), (Phase::Stacking, Seat::First));
        let mut counted = position;
        let legal: Vec<u64> = numbers(field(block, "legal"));
        let plies: Vec<&str> = field(block, "move").split_whitespace().collect();
        assert_eq!(legal.len(), plies.len(), "{name}");
        for (index, (ply, count)) in plies.into_iter().zip(legal).enumerate() {
            assert_eq!(counted.legal_count(), count, "{name}, ply {index}");
            assert_eq!(counted.legal_moves().len() as u64, count, "{name}, ply {index}");
            counted.play_text(ply).unwrap();
        }
        play_out(&mut position, block, name);
        assert_eq!(position, counted);
        assert_eq!(position.write(), field(block, "final"), "{name}");
        assert_eq!(Dvonn::read(&position.write()), Ok(position), "{name}");

        let mut table = (KIND.start)(&Setup { options: &[], seed: 0 }).unwrap();
        let record = ["place", "move"].into_iter().flat_map(|key| field(block, key).split_whitespace());
        replay(table.as_mut(), record).unwrap();
        assert_eq!(table.position(), field(block, "final"), "{name}");
    }
}

#[test]
fn a_side_passes_and_later_moves_again() {
    let mut table = (KIND.read)(field(PASS_AND_RETURN, "start")).unwrap();
    let plies: Vec<&str> = field(PASS_AND_RETURN, "move").split_whitespace().collect();
    let passed = plies.iter().position(|ply| *ply == "pass").unwrap();
    assert!(
        plies[passed..].iter().skip(2).step_by(2).any(|ply| *ply != "pass"),
        "the file shows what it says"
    );
    play_out(table.as_mut(), PASS_AND_RETURN, "pass and return");
}

#[test]
fn the_boards_of_the_help_page_byte_for_byte() {
    let random =
        "w,w,w,w,b,b,w,b,b/b,b,D,w,b,D,b,b,w,D/w,b,w,b,w,w,b,w,w,w,b/b,b,w,b,b,w,b,w,w,w/w,b,b,w,b,b,w,w,b w";
    let symmetry =
        "w,b,b,b,w,w,b,D,b/b,b,w,w,w,b,b,w,b,b/b,b,b,b,w,D,b,w,w,w,w/w,w,b,w,w,b,b,b,w,w/w,D,w,b,b,w,w,w,b w";
    let drawn = |text: &str| Dvonn::read(text).unwrap().scene().drawing().board;
    assert_eq!(drawn(random), include_str!("data/dvonn-random.txt"));
    assert_eq!(drawn(symmetry), include_str!("data/dvonn-symmetry.txt"));
    assert_eq!(Dvonn::EMPTY.scene().drawing().board, include_str!("data/dvonn-empty.txt"));
}
