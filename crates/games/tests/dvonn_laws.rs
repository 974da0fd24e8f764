//! Laws of DVONN over many boards: the listed plies are the accepted ones, texts read back, and positions
//! drawn from a seed keep their promises.

use proptest::prelude::*;
use turnpost_games::dvonn::setup::{random, symmetrical};
use turnpost_games::dvonn::space::{DIRECTIONS, Space};
use turnpost_games::dvonn::{Dvonn, KIND, Move, Phase};
use turnpost_games::{Position, Seat, Setup, SetupError};

use crate::dice::rounds;

/// The position after at most `plies` plies, each picked by a number, from one of the three start positions.
fn reached(start: u8, seed: u64, plies: &[u16]) -> Dvonn {
    let mut position = match start {
        0 => Dvonn::EMPTY,
        1 => random(seed),
        _ => symmetrical(seed),
    };
    for pick in plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.make(moves[usize::from(*pick) % moves.len()]);
    }
    position
}

fn positions() -> impl Strategy<Value = Dvonn> {
    let plies = prop_oneof![
        prop::collection::vec(any::<u16>(), 0..60),
        prop::collection::vec(any::<u16>(), 15..30),
        prop::collection::vec(any::<u16>(), 60..120),
    ];
    (0_u8..3, any::<u64>(), plies).prop_map(|(start, seed, plies)| reached(start, seed, &plies))
}

/// Every ply that the type can hold.
fn conceivable() -> impl Iterator<Item = Move> {
    let places = Space::all().map(Move::Place);
    let moves = Space::all().flat_map(|from| Space::all().map(move |to| Move::Stack(from, to)));
    places.chain(moves).chain([Move::Pass])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(rounds(25, 200) as u32) })]

    #[test]
    fn accepted_is_listed_and_listed_is_accepted(position in positions()) {
        let listed = position.legal_moves();
        for ply in conceivable() {
            let times = listed.iter().filter(|other| **other == ply).count();
            let told = position.check(ply);
            prop_assert_eq!(usize::from(told.is_ok()), times, "{} in {}: {:?}", position.write_move(ply), position.write(), told);
            let mut after = position;
            if let Err(refusal) = after.play(ply) {
                prop_assert_eq!(after, position);
                prop_assert!(refusal.why.is_ascii() && refusal.why.ends_with('.') && refusal.why.len() < 300, "{}", refusal.why);
            }
        }
        prop_assert_eq!(position.legal_count(), listed.len() as u64);
        prop_assert_eq!(position.outcome().is_some(), listed.is_empty());
        prop_assert_eq!(position.forced().into_iter().collect::<Vec<_>>(), listed.into_iter().filter(|ply| *ply == Move::Pass).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_written_reads_back(position in positions()) {
        prop_assert_eq!(Dvonn::read(&position.write()), Ok(position));
        for ply in conceivable() {
            let text = position.write_move(ply);
            prop_assert_eq!(position.read_move(&text), Ok((ply, "")));
            let followed = format!("{} #3", text.to_lowercase());
            prop_assert_eq!(position.read_move(&followed), Ok((ply, " #3")));
        }
        let drawing = position.scene().drawing();
        prop_assert!(drawing.board.is_ascii() && drawing.board.lines().count() == 20);
        prop_assert!(drawing.board.lines().all(|line| line.len() <= 39 && line.trim_end() == line));
    }

    /// After a ply exactly the linked stacks, found over the whole board, are left. The remark counts the lost pieces.
    #[test]
    fn only_what_is_cut_off_leaves(position in positions()) {
        for ply in position.legal_moves() {
            let mut after = position;
            after.make(ply);
            let remarks = position.remarks(&after);
            let Move::Stack(from, to) = ply else {
                // Nothing leaves. The side that places last is told that it also moves first.
                let last = position.write().ends_with(" place 49") && ply != Move::Pass;
                prop_assert_eq!(remarks.len(), usize::from(last), "{:?}", remarks);
                continue;
            };
            let stays = linked_after(&position, from, to);
            for space in Space::all() {
                let height = match space {
                    _ if !stays.contains(&space) => 0,
                    _ if space == to => position.board().height(from) + position.board().height(to),
                    _ => position.board().height(space),
                };
                prop_assert_eq!(after.board().height(space), height, "{} after {}", space, position.write_move(ply));
            }
            let all = |position: &Dvonn| position.board().pieces(position.board().occupied());
            let gone = all(&position) - all(&after);
            prop_assert_eq!(remarks.len(), usize::from(gone > 0));
            if let Some(remark) = remarks.first() {
                prop_assert!(remark.starts_with(&format!("{gone} piece")), "{}", remark);
            }
        }
    }

    #[test]
    fn reading_never_panics(text in "\\PC{0,40}|[a-lA-L0-9xX:# ,\u{2013}-]{0,12}", start in 0_u8..2) {
        let position = reached(start, 1, &[]);
        if let Ok((ply, rest)) = position.read_move(&text) {
            prop_assert!(text.ends_with(rest));
            prop_assert_eq!(position.read_move(&position.write_move(ply)).map(|(ply, _)| ply), Ok(ply));
        }
        let _ = Dvonn::read(&text);
    }
}

/// The spaces that stay occupied when the stack on `from` moves to `to`: those linked to a DVONN piece, found
/// from neighbour to neighbour.
fn linked_after(position: &Dvonn, from: Space, to: Space) -> Vec<Space> {
    let board = position.board();
    let holds = |space: Space| space != from && board.height(space) > 0;
    let red = |space: Space| {
        let carries = |space: Space| board.red() & space.set() != 0;
        holds(space) && (carries(space) || space == to && carries(from))
    };
    let mut linked: Vec<Space> = Space::all().filter(|space| red(*space)).collect();
    let mut next = 0;
    while let Some(space) = linked.get(next).copied() {
        for (right, up) in DIRECTIONS {
            if let Some(near) = Space::at(space.column() + right, space.row() + up)
                && holds(near)
                && !linked.contains(&near)
            {
                linked.push(near);
            }
        }
        next += 1;
    }
    linked
}

fn neighbours(space: Space) -> Vec<Space> {
    DIRECTIONS.iter().filter_map(|(right, up)| Space::at(space.column() + right, space.row() + up)).collect()
}

fn full(position: &Dvonn) {
    assert_eq!((position.phase(), position.to_move()), (Phase::Stacking, Seat::First));
    let owners: Vec<Option<Seat>> = Space::all().map(|space| position.board().owner(space)).collect();
    let count = |owner| owners.iter().filter(|other| **other == owner).count();
    assert_eq!((count(None), count(Some(Seat::First)), count(Some(Seat::Second))), (3, 23, 23));
    assert_eq!(Dvonn::read(&position.write()).as_ref(), Ok(position));
}

#[test]
fn random_layouts_are_balanced() {
    for seed in 0..rounds(1_000, 10_000) {
        let position = random(seed);
        full(&position);
        let owner = |space| position.board().owner(space);
        let difference = |part: &dyn Fn(Space) -> bool| {
            let count =
                |seat| Space::all().filter(|space| part(*space) && owner(*space) == Some(seat)).count();
            count(Seat::First).abs_diff(count(Seat::Second))
        };
        assert!(difference(&|space| neighbours(space).len() < 6) <= 2, "edge, seed {seed}");
        assert!(difference(&|space| space.column() < 5) <= 2, "left half, seed {seed}");
        assert!(difference(&|space| space.column() > 5) <= 2, "right half, seed {seed}");
        for space in Space::all().filter(|space| owner(*space).is_some()) {
            let near = neighbours(space);
            let hemmed_in = near.len() == 6 && near.iter().all(|other| owner(*other) == owner(space));
            assert!(!hemmed_in, "{space}, seed {seed}");
        }
    }
}

#[test]
fn symmetrical_layouts_are_symmetrical() {
    let mut second = std::collections::BTreeMap::new();
    for seed in 0..10_000 {
        let position = symmetrical(seed);
        full(&position);
        for space in Space::all() {
            let (own, image) = (position.board().owner(space), position.board().owner(space.half_turn()));
            assert_eq!(own.map(Seat::other), image, "{space}, seed {seed}");
            if own.is_none() {
                *second.entry(space).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(second.remove(&Space::at(5, 3).unwrap()), Some(10_000), "F3 always holds one");
    // 24 pairs, equally likely: 417 times each on average, with a standard deviation of 20.
    assert_eq!(second.len(), 48);
    assert!(second.values().all(|times| (317..517).contains(times)), "{second:?}");
}

fn start(options: &[(&str, Option<&str>)], seed: u64) -> Result<String, SetupError> {
    let options: Vec<_> =
        options.iter().map(|(name, value)| (name.to_string(), value.map(str::to_owned))).collect();
    (KIND.start)(&Setup { options: &options, seed }).map(|table| table.position())
}

/// Players rely on it that a seed gives the same board in every version.
#[test]
fn seeds_that_must_never_change() {
    assert_eq!(start(&[("symmetry", None), ("seed", Some("7"))], 7).unwrap(), SYMMETRY_7);
    assert_eq!(start(&[("random", None)], 7).unwrap(), RANDOM_7);
    assert_eq!(start(&[("random", None)], u64::MAX).unwrap(), RANDOM_MAX);
}

const SYMMETRY_7: &str =
    "w,w,b,b,D,b,b,b,b/b,w,w,b,b,b,b,w,b,w/w,w,w,b,b,D,w,w,b,b,b/b,w,b,w,w,w,w,b,b,w/w,w,w,w,D,w,w,b,b w";
const RANDOM_7: &str =
    "b,w,w,D,w,b,b,w,w/w,w,w,b,w,w,b,w,w,b/D,b,b,b,w,b,b,w,b,w,w/b,b,w,w,b,w,b,b,b,w/b,b,w,w,D,b,b,b,w w";
const RANDOM_MAX: &str =
    "b,w,b,b,D,b,b,b,w/w,b,b,b,b,w,b,b,b,b/w,w,w,w,w,w,w,b,w,w,w/w,b,w,w,b,b,w,w,D,b/b,b,w,D,b,w,w,b,w w";

#[test]
fn options_that_contradict_each_other() {
    assert_eq!(start(&[], 7).unwrap(), Dvonn::EMPTY.write());
    let seed = |value| ("seed", value);
    for (options, why) in [
        (vec![("random", None), ("symmetry", None)], "exclude each other"),
        (vec![seed(Some("7"))], "-seed goes with"),
        (vec![("random", Some("7"))], "-random takes no value"),
        (vec![("random", None), seed(None)], "whole number"),
        (vec![("random", None), seed(Some(""))], "whole number"),
        (vec![("random", None), seed(Some("-1"))], "whole number"),
        (vec![("random", None), seed(Some("+1"))], "whole number"),
        (vec![("symmetry", None), seed(Some("18446744073709551616"))], "whole number"),
        (vec![("symmetry", None), seed(Some("seven"))], "whole number"),
    ] {
        match start(&options, 7) {
            Err(SetupError::Option(told)) => assert!(told.contains(why), "{told}"),
            other => panic!("{options:?}: {other:?}"),
        }
    }
    assert!(start(&[("symmetry", None), seed(Some("18446744073709551615"))], u64::MAX).is_ok());
}
