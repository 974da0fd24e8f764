//! The board as the side to move sees it, with what stands below it in text.
//!
//! White's home is at the lower right. The points have the numbers of the side to move, because its turns are written
//! with them.

use super::board::{BAR, OFF, pips};
use super::notation::point_name;
use super::position::{Backgammon, Stage, Variant};
use crate::notation::colour;
use crate::scene::{self, Ground, Label, Prop, Scene, Shape, Space, Thing, Tiling};
use crate::{Position, Seat};

pub(super) fn scene<V: Variant>(position: &Backgammon<V>) -> Scene {
    let viewer = position.to_move();
    let spaces: Vec<Space> = places().map(|(place, q, r)| space(position, viewer, place, [q, r])).collect();
    let numbers = spaces.iter().filter(|space| space.name.bytes().all(|byte| byte.is_ascii_digit()));
    let label = |space: &Space| {
        let side = if space.r == 0 { scene::Side::Above } else { scene::Side::Below };
        Label { text: space.name.clone(), beside: [space.q, space.r], side }
    };
    let asks = match position.stage {
        Stage::Moving(_) => ["Choose a checker to move.", "Choose where it goes.", ""],
        _ => [""; 3],
    };
    Scene {
        tiling: Tiling::Triangles,
        labels: numbers.map(label).collect(),
        spaces,
        edges: Vec::new(),
        colours: ['w', 'b'],
        origin: [0, 0],
        mark: "",
        key: format!("X {}, O {}; a number counts six or more.", colour(viewer), colour(viewer.other())),
        notes: notes(position, viewer),
        holds: Seat::BOTH.map(|seat| holds(position, seat)),
        standing: String::new(),
        asks: asks.map(str::to_owned),
        props: props(position, None),
        last: None,
    }
}

/// A place of the board, as white counts it.
#[derive(Clone, Copy)]
enum CheckerPlace {
    Point(u8),
    Bar(Seat),
    Off(Seat),
}

/// The places in reading order, with columns to the right and rows down.
fn places() -> impl Iterator<Item = (CheckerPlace, i32, i32)> {
    let row = |points: [u8; 12], bar: Seat, off: Seat, r: i32| {
        let mut places = points.map(CheckerPlace::Point).to_vec();
        places.insert(6, CheckerPlace::Bar(bar));
        places.push(CheckerPlace::Off(off));
        (0..).zip(places).map(move |(q, place)| (place, q, r))
    };
    let upper = row(std::array::from_fn(|at| 13 + at as u8), Seat::First, Seat::Second, 0);
    upper.chain(row(std::array::from_fn(|at| 12 - at as u8), Seat::Second, Seat::First, 1))
}

fn space<V: Variant>(position: &Backgammon<V>, viewer: Seat, place: CheckerPlace, [q, r]: [i32; 2]) -> Space {
    let count = |seat: Seat, point: u8| seat.of(&position.sides)[usize::from(point)];
    let name = |seat: Seat, point: u8| {
        // The places of the other side, from which no turn of this side begins.
        format!("{}{}", point_name(point), if seat == viewer { "" } else { "2" })
    };
    let (name, checkers) = match place {
        CheckerPlace::Bar(seat) => (name(seat, BAR), (seat, count(seat, BAR))),
        CheckerPlace::Off(seat) => (name(seat, OFF), (seat, count(seat, OFF))),
        CheckerPlace::Point(point) => {
            let (own, theirs) = (count(Seat::First, point), count(Seat::Second, BAR - point));
            let checkers = if own > 0 { (Seat::First, own) } else { (Seat::Second, theirs) };
            (if viewer == Seat::First { point } else { BAR - point }.to_string(), checkers)
        }
    };
    let (seat, height) = checkers;
    let thing = Thing { side: Some(seat), height, marked: false, shape: Shape::Checker, name: "" };
    Space {
        name,
        q,
        r,
        ground: Ground::Plain,
        thing: (height > 0).then_some(thing),
        held: [false; 2],
        sign: if height > 0 { sign(seat, viewer) } else { "" }.to_owned(),
        fell: false,
        in_check: false,
        wins: false,
        shift: 0,
    }
}

/// X is the side to move.
fn sign(seat: Seat, viewer: Seat) -> &'static str {
    if seat == viewer { "X" } else { "O" }
}

/// `161 pips, 0 off, 2 of 5`.
fn holds<V: Variant>(position: &Backgammon<V>, seat: Seat) -> String {
    let side = seat.of(&position.sides);
    let counts = format!("{} pips, {} off", pips(side), side[usize::from(OFF)]);
    match position.game.stakes.length {
        0 | 1 => counts,
        length => format!("{counts}, {} of {length}", seat.of(&position.game.score)),
    }
}

/// The lines below the board: both sides, then the dice and the cube.
fn notes<V: Variant>(position: &Backgammon<V>, viewer: Seat) -> Vec<String> {
    let side = |seat: Seat| format!("{} {}: {}", sign(seat, viewer), colour(seat), holds(position, seat));
    let game = &position.game;
    let cube = match game.cube.owner {
        _ if !game.has_cube() => None,
        _ if game.is_crawford => Some("no cube in the Crawford game".to_owned()),
        None => Some(format!("cube {} in the middle", game.cube.value)),
        Some(owner) => Some(format!("cube {} at {}", game.cube.value, colour(owner))),
    };
    let on_roll = sign(position.on_roll, viewer);
    let next = match position.stage {
        Stage::Invited => Some(format!("{} rolls to begin the game", sign(viewer, viewer))),
        Stage::Moving([high, low]) => Some(format!("{on_roll} rolled {high}-{low}")),
        Stage::Choice => Some(format!("{on_roll} may roll or double")),
        Stage::Doubled => {
            Some(format!("{on_roll} doubles to {}: take or drop", game.cube.value.saturating_mul(2)))
        }
        Stage::Opening | Stage::Rolling | Stage::Over => None,
    };
    let last = next.into_iter().chain(cube).collect::<Vec<_>>().join("; ");
    let lines = [side(viewer), side(viewer.other()), last];
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// The dice that were rolled, and the cube while it is in play. `left` are the dice that a begun turn has not played.
pub(super) fn props<V: Variant>(position: &Backgammon<V>, left: Option<&[u8]>) -> Vec<Prop> {
    let dice = match position.stage {
        Stage::Moving(dice) => dice.to_vec(),
        _ => Vec::new(),
    };
    // Each of two equal dice is played twice.
    let is_used = |(number, face): (usize, &u8)| {
        left.is_some_and(|left| match dice.iter().all(|other| other == face) {
            true => left.len() <= 2 * (1 - number),
            false => !left.contains(face),
        })
    };
    let dice = dice
        .iter()
        .enumerate()
        .map(|(number, face)| Prop::Die { face: *face, is_used: is_used((number, face)) });
    let dice: Vec<Prop> = dice.collect();
    let game = &position.game;
    let is_offered = position.stage == Stage::Doubled;
    let value = if is_offered { game.cube.value.saturating_mul(2) } else { game.cube.value };
    // White's home is in the lower row.
    let row = game.cube.owner.map(|owner| *owner.of(&[1, 0]));
    let cube = Prop::Cube { value, row, is_offered };
    let cube = Some(cube).filter(|_| game.has_cube() && !game.is_crawford);
    dice.into_iter().chain(cube).collect()
}
