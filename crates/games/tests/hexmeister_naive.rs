//! The rules of Hexmeister as the specification states them, by names and neighbours, without bit sets: what
//! the laws compare the game with.

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
    let place = |name: &str| (i32::from(name.as_bytes()[0] - b'a'), name[1..].parse::<i32>().unwrap() - 1);
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
        let holds_all = |triangle: &str| {
            let gates = places(triangle);
            gates.contains(&cell) && gates.iter().all(|gate| *gate == cell || holds(gate))
        };
        near || sign(cell) == '#' && TRIANGLES.into_iter().any(holds_all) && !(eight && cell == (5, 5))
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
            moves.extend(touched.into_iter().filter(|to| self.may_end(seat, from, *to)).map(|to| (from, to)));
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
