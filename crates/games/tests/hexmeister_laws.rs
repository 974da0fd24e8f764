//! Laws of Hexmeister over many games: a second, naive implementation of the rules agrees at every ply, the listed
//! plies are the accepted ones, texts read back, and no stone is lost.
//!
//! The games are random and prefer drops and bonuses, because otherwise captures are too rare.

use std::collections::BTreeSet;

use proptest::prelude::*;
use turnpost_games::hexmeister::cells::{CENTRE, Cell};
use turnpost_games::hexmeister::{Hexmeister, Move, Rules};
use turnpost_games::{Position, Seat};

use crate::dice::Dice;

fn rules(number: u64) -> Rules {
    Rules { straight: number & 1 == 1, bonusdrop: number & 2 == 2 }
}

/// Plays game `seed` to its end, or for at most `plies` plies, and shows each position with the ply that leaves it.
fn play(seed: u64, plies: usize, visit: &mut impl FnMut(&Hexmeister, Move, &Hexmeister)) -> Hexmeister {
    let mut dice = Dice(seed);
    let mut position = Hexmeister::start(rules(seed));
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let ply = pick(&position, &moves, &mut dice);
        let before = position.clone();
        position.make(ply);
        visit(&before, ply, &position);
    }
    position
}

fn pick(position: &Hexmeister, moves: &[Move], dice: &mut Dice) -> Move {
    let drops = moves.iter().take_while(|ply| matches!(ply, Move::Drop(_))).count();
    match dice.below(8) {
        0..3 if drops > 0 => moves[dice.below(drops)],
        3..6 => {
            // One that earns a bonus, if a few tries find one.
            let earns = |ply: &Move| {
                let mut after = position.clone();
                after.make(*ply);
                after.bonus()
            };
            let tries: Vec<Move> = (0..30).map(|_| moves[dice.below(moves.len())]).collect();
            tries.into_iter().find(earns).unwrap_or_else(|| moves[dice.below(moves.len())])
        }
        _ => moves[dice.below(moves.len())],
    }
}

/// The rules as the specification states them, by names and neighbours, without bit sets.
mod naive {
    use std::collections::BTreeSet;

    use turnpost_games::Seat;
    use turnpost_games::hexmeister::Rules;

    /// The board of the specification, row 11 first.
    const PICTURE: [&str; 11] = [
        "#oooo#",
        "o.....o",
        "o.#oo#.o",
        "o.o...o.o",
        "o.o.oo.o.o",
        "#.#.o#o.#.#",
        "o.o.oo.o.o",
        "o.o...o.o",
        "o.#oo#.o",
        "o.....o",
        "#oooo#",
    ];
    const WINNING: [&str; 5] =
        ["a6 c6 f6 i6 k6", "a1 c3 f6 f9 f11", "a11 c9 f6 f3 f1", "a1 a6 a11 f11 k6 f1", "c3 c6 c9 f9 i6 f3"];
    const TRIANGLES: [&str; 6] = [
        "f6 i6 f9 k6 f11",
        "f6 f9 c9 f11 a11",
        "f6 c9 c6 a11 a6",
        "f6 c6 c3 a6 a1",
        "f6 c3 f3 a1 f1",
        "f6 f3 i6 f1 k6",
    ];

    /// A cell by place and row, both from 0: row 0 here is row 1 of the board.
    pub type Place = (i32, i32);

    fn length(row: i32) -> i32 {
        PICTURE.get(row as usize).map_or(0, |row| row.len() as i32)
    }

    pub fn name((place, row): Place) -> String {
        format!("{}{}", (b'a' + place as u8) as char, row + 1)
    }

    fn places(names: &str) -> Vec<Place> {
        let place =
            |name: &str| (i32::from(name.as_bytes()[0] - b'a'), name[1..].parse::<i32>().unwrap() - 1);
        names.split(' ').map(place).collect()
    }

    /// The neighbours in the six directions, in the same order for every cell; `None` beyond the edge.
    fn around((place, row): Place) -> [Option<Place>; 6] {
        // Below the middle the row above is longer and its cells lie half a cell further left; above, the other way.
        let up = if row < 5 { place } else { place - 1 };
        let down = if row > 5 { place } else { place - 1 };
        [
            (place + 1, row),
            (up + 1, row + 1),
            (up, row + 1),
            (place - 1, row),
            (down, row - 1),
            (down + 1, row - 1),
        ]
        .map(|(place, row)| (row >= 0 && place >= 0 && place < length(row)).then_some((place, row)))
    }

    fn sign((place, row): Place) -> char {
        char::from(PICTURE[10 - row as usize].as_bytes()[place as usize])
    }

    fn in_base(seat: Seat, (_, row): Place) -> bool {
        row == if seat == Seat::First { 0 } else { 10 }
    }

    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Game {
        pub stones: [BTreeSet<Place>; 2],
        pub reserves: [u8; 2],
        pub to_move: Seat,
        pub bonus: bool,
        pub rules: Rules,
    }

    impl Game {
        pub fn start(rules: Rules) -> Game {
            let stones = [BTreeSet::new(), BTreeSet::new()];
            Game { stones, reserves: [18; 2], to_move: Seat::First, bonus: false, rules }
        }

        fn own(&self, seat: Seat) -> &BTreeSet<Place> {
            seat.of(&self.stones)
        }

        fn empty(&self, cell: Place) -> bool {
            self.stones.iter().all(|stones| !stones.contains(&cell))
        }

        pub fn secures(&self, seat: Seat, cell: Place) -> bool {
            let holds = |cell: &Place| self.own(seat).contains(cell);
            let near = around(cell).into_iter().flatten().filter(holds).count() >= 3;
            let eight = self.own(seat.other()).iter().filter(|cell| sign(**cell) == '#').count() >= 8;
            let triangle = TRIANGLES.iter().map(|triangle| places(triangle)).any(|triangle| {
                triangle.contains(&cell) && triangle.iter().all(|gate| *gate == cell || holds(gate))
            });
            near || triangle && !(eight && cell == (5, 5))
        }

        fn crossable(&self, seat: Seat, cell: Place) -> bool {
            let free = self.empty(cell);
            match sign(cell) {
                '.' => free,
                '#' => free || self.own(seat).contains(&cell),
                _ => free && in_base(seat, cell),
            }
        }

        fn may_end(&self, seat: Seat, from: Place, to: Place) -> bool {
            let home = in_base(seat, from) && in_base(seat, to);
            let beside = around(from).contains(&Some(to));
            self.empty(to) && !self.secures(seat.other(), to) && (sign(to) != '#' || beside || home)
        }

        fn moves(&self, seat: Seat) -> Vec<(Place, Place)> {
            let mut moves = Vec::new();
            for &from in self.own(seat) {
                let mut touched = BTreeSet::new();
                if self.rules.straight {
                    for turn in 0..6 {
                        let mut next = around(from)[turn];
                        while let Some(cell) = next {
                            touched.insert(cell);
                            next = around(cell)[turn].filter(|_| self.crossable(seat, cell));
                        }
                    }
                } else {
                    let mut to_visit = vec![from];
                    while let Some(cell) = to_visit.pop() {
                        for near in around(cell).into_iter().flatten() {
                            if touched.insert(near) && self.crossable(seat, near) {
                                to_visit.push(near);
                            }
                        }
                    }
                }
                moves.extend(
                    touched.into_iter().filter(|to| self.may_end(seat, from, *to)).map(|to| (from, to)),
                );
            }
            moves
        }

        fn drops(&self, seat: Seat) -> Vec<Place> {
            let row = if seat == Seat::First { 0 } else { 10 };
            let free = |cell: &Place| self.empty(*cell) && !self.secures(seat.other(), *cell);
            let left = *seat.of(&self.reserves) > 0;
            (0..6).map(|place| (place, row)).filter(|cell| left && free(cell)).collect()
        }

        pub fn won(&self, seat: Seat) -> bool {
            WINNING.iter().any(|gates| places(gates).iter().all(|gate| self.own(seat).contains(gate)))
        }

        pub fn stuck(&self, seat: Seat) -> bool {
            self.moves(seat).is_empty() && self.drops(seat).is_empty()
        }

        /// The legal plies of a game that is not over, in their standard form.
        pub fn plies(&self) -> BTreeSet<String> {
            let mut plies: BTreeSet<String> = self
                .moves(self.to_move)
                .iter()
                .map(|(from, to)| format!("{}-{}", name(*from), name(*to)))
                .collect();
            if !self.bonus || self.rules.bonusdrop {
                plies.extend(self.drops(self.to_move).into_iter().map(name));
            }
            if self.bonus {
                plies.insert("done".into());
            } else if plies.is_empty() {
                plies.insert("pass".into());
            }
            plies
        }

        fn capture(&mut self, seat: Seat) -> bool {
            let mut any = false;
            loop {
                let lost: Vec<Place> =
                    self.own(seat.other()).iter().copied().filter(|cell| self.secures(seat, *cell)).collect();
                if lost.is_empty() {
                    return any;
                }
                any = true;
                lost.iter().for_each(|cell| {
                    self.stones[seat.other().index()].remove(cell);
                });
            }
        }

        pub fn play(&mut self, ply: &str) {
            let seat = self.to_move;
            self.bonus = match ply.split_once('-') {
                Some((from, to)) => {
                    let (from, to) = (places(from)[0], places(to)[0]);
                    self.stones[seat.index()].remove(&from);
                    self.stones[seat.index()].insert(to);
                    let captured = self.capture(seat);
                    captured || sign(to) == '#' && !(in_base(seat, from) && in_base(seat, to))
                }
                None if ply == "done" || ply == "pass" => false,
                None => {
                    self.stones[seat.index()].insert(places(ply)[0]);
                    self.reserves[seat.index()] -= 1;
                    self.capture(seat)
                }
            };
            if self.won(seat) {
                self.bonus = false;
            }
            if !self.bonus {
                self.to_move = seat.other();
            }
        }
    }
}

/// True when the naive implementation has the same position.
fn same(position: &Hexmeister, game: &naive::Game) -> bool {
    let stones = |seat: Seat| -> BTreeSet<naive::Place> {
        let own = Cell::all().filter(|cell| position.board().owner(*cell) == Some(seat));
        own.map(|cell| (cell.place(), cell.row() - 1)).collect()
    };
    let made = naive::Game {
        stones: Seat::BOTH.map(stones),
        reserves: Seat::BOTH.map(|seat| position.reserve(seat)),
        to_move: position.to_move(),
        bonus: position.bonus(),
        rules: position.rules(),
    };
    made == *game
}

#[test]
fn the_naive_implementation_plays_the_same_games() {
    let (mut plies, mut captures, mut bonuses) = (0, 0, 0);
    for seed in 0..20 {
        let mut game = naive::Game::start(rules(seed));
        // Boards at the starts of turns, and the turns without a drop or a capture.
        let mut starts = vec![game.clone()];
        let (mut quiet, mut turn_is_quiet) = (0, true);
        play(seed, 700, &mut |before, ply, after| {
            let listed: Vec<String> = before.legal_moves().into_iter().map(|ply| ply.to_string()).collect();
            let set: BTreeSet<String> = listed.iter().cloned().collect();
            assert_eq!(set.len(), listed.len(), "each once in {}", before.write());
            assert_eq!(set, game.plies(), "{}", before.write());
            let stones: usize = game.stones.iter().map(BTreeSet::len).sum();
            game.play(&ply.to_string());
            assert!(same(after, &game), "{ply} in {}", before.write());
            let left: usize = game.stones.iter().map(BTreeSet::len).sum();
            let captured = left < stones + usize::from(matches!(ply, Move::Drop(_)));
            turn_is_quiet &= !captured && !matches!(ply, Move::Drop(_));
            (plies, captures, bonuses) =
                (plies + 1, captures + usize::from(captured), bonuses + usize::from(game.bonus));
            if !game.bonus {
                quiet = if turn_is_quiet { quiet + 1 } else { 0 };
                turn_is_quiet = true;
                starts.push(game.clone());
            }
            let few = Seat::BOTH
                .iter()
                .all(|seat| seat.of(&game.stones).len() + usize::from(*seat.of(&game.reserves)) < 5);
            assert_eq!(after.quiet_turns(), if turn_is_quiet { quiet } else { 0 });
            let repeated = starts.iter().filter(|start| **start == game).count() >= 3;
            let winner = Seat::BOTH.into_iter().find(|seat| game.won(*seat));
            let drawn = few
                || !game.bonus
                    && (repeated || quiet >= 100 || Seat::BOTH.iter().all(|seat| game.stuck(*seat)));
            let outcome = after.outcome();
            assert_eq!(outcome.is_some(), winner.is_some() || drawn, "{}", after.write());
            assert_eq!(outcome.and_then(|outcome| outcome.winner), winner);
        });
    }
    println!("{plies} plies, {captures} captures, {bonuses} bonuses");
    assert!(captures > 100 && bonuses > 500, "{captures} captures and {bonuses} bonuses in {plies} plies");
}

#[test]
fn stones_are_never_lost_and_nothing_secured_is_left_standing() {
    let mut ends = std::collections::BTreeMap::new();
    for seed in 0..1_000 {
        let last = play(seed, 5_000, &mut |before, _, after| {
            let mover = before.to_move();
            let board = after.board();
            assert_eq!(board.stones(mover.other()) & board.secured(mover), 0, "{}", after.write());
            // Only the centre can become secured by the side that is not moving.
            assert_eq!(board.stones(mover) & board.secured(mover.other()) & !CENTRE, 0, "{}", after.write());
            for seat in Seat::BOTH {
                let all =
                    board.stones(seat).count_ones() + u32::from(after.reserve(seat)) + after.captured(seat);
                assert_eq!(all, 18);
                assert!(after.captured(seat) >= before.captured(seat));
                assert!(after.reserve(seat) <= before.reserve(seat));
            }
            assert_eq!(board.stones(Seat::First) & board.stones(Seat::Second), 0);
            let lost = after.captured(mover.other()) - before.captured(mover.other());
            let goes_on = after.bonus() && after.outcome().is_none() && after.forced().is_none();
            assert_eq!(before.remarks(after).len(), usize::from(lost > 0) + usize::from(goes_on));
            // The turn stays with the side that has a bonus, and passes otherwise.
            assert_eq!(after.to_move() == mover, after.bonus());
            assert!(after.quiet_turns() <= 100 && after.history().len() <= 101);
        });
        *ends.entry(last.outcome().unwrap().how.unwrap()).or_insert(0) += 1;
    }
    println!("{ends:?}");
    assert!(ends.len() > 3, "{ends:?}");
}

#[test]
fn what_is_written_reads_back() {
    for seed in 0..300 {
        let mut plies = Vec::new();
        let last = play(seed, 400, &mut |before, ply, after| {
            let text = after.write();
            assert_eq!(Hexmeister::read(&text).as_ref(), Ok(after), "{text}");
            let written = before.write_move(ply);
            assert_eq!(before.read_move(&written), Ok((ply, "")));
            plies.push(written);
        });
        let mut replayed = Hexmeister::start(rules(seed));
        for ply in &plies {
            let (ply, _) = replayed.read_move(ply).unwrap();
            replayed.play(ply).unwrap();
        }
        assert_eq!(replayed, last);
        // From the text of any moment the game goes on the same way.
        let mut half = Hexmeister::start(rules(seed));
        for (index, ply) in plies.iter().enumerate() {
            if index == plies.len() / 2 {
                half = Hexmeister::read(&half.write()).unwrap();
            }
            half.make(half.read_move(ply).unwrap().0);
        }
        assert_eq!(half, last);
    }
}

/// Every ply that the type can hold.
fn conceivable() -> impl Iterator<Item = Move> {
    let moves = Cell::all().flat_map(|from| Cell::all().map(move |to| Move::Go(from, to)));
    Cell::all().map(Move::Drop).chain(moves).chain([Move::Done, Move::Pass])
}

#[test]
fn accepted_is_listed_and_listed_is_accepted() {
    let (mut number, mut positions) = (0, 0);
    for seed in 0..40 {
        let last = play(seed, 300, &mut |position, _, _| {
            number += 1;
            if number % 97 == 0 {
                positions += 1;
                compare(position);
            }
        });
        if seed % 8 == 0 {
            compare(&last);
        }
    }
    assert!(positions > 80);
}

fn compare(position: &Hexmeister) {
    let listed = position.legal_moves();
    for ply in conceivable() {
        let told = position.check(ply);
        assert_eq!(told.is_ok(), listed.contains(&ply), "{ply} in {}: {told:?}", position.write());
        if let Err(refusal) = told {
            let why = &refusal.why;
            assert!(why.is_ascii() && why.ends_with('.') && why.len() < 300, "{why}");
            assert!(!why.contains("  "), "{why}");
        }
    }
    assert_eq!(position.legal_count(), listed.len() as u64);
    assert_eq!(position.outcome().is_some(), listed.is_empty());
    let only = [Move::Pass, Move::Done].into_iter().find(|ply| listed == [*ply]);
    assert_eq!(position.forced(), only);
}

#[test]
fn a_refusal_changes_nothing() {
    for seed in 0..30 {
        play(seed, 200, &mut |position, _, after| {
            // What was legal a ply ago mostly is no longer.
            for ply in position.legal_moves().into_iter().step_by(29) {
                let mut tried = after.clone();
                if tried.play(ply).is_err() {
                    assert_eq!(tried, *after);
                }
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn reading_never_panics(text in "\\PC{0,40}|[+a-lA-L0-9xX:# ,\u{2013}-]{0,12}", words in "[a-m0-9.wb/>, ]{0,60}", bonus: bool) {
        let base = "....../......./......../........./........../.....w...../........../........./......../......./......";
        let position = Hexmeister::read(&format!("{base} w {}", if bonus { "bonus" } else { "" })).unwrap();
        if let Ok((ply, rest)) = position.read_move(&text) {
            prop_assert!(text.ends_with(rest));
            prop_assert_eq!(position.read_move(&position.write_move(ply)).map(|(ply, _)| ply), Ok(ply));
        }
        let _ = Hexmeister::read(&text);
        let _ = Hexmeister::read(&words);
        let _ = Hexmeister::read(&format!("{base} w since {words}"));
    }
}
