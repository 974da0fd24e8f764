//! A position as one line of text.
//!
//! `24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w move 3-1 cube 2 b score 2-1/5`: the checkers of white and of black, each by
//! its own points with the highest first, `bar` for the bar and `off` for a side without checkers; the side on roll; the
//! stage; with a cube its value and its owner, `w`, `b` or `-`; the score of a match and its length, and `crawford` in
//! the Crawford game. In a single game with the cube `money 0-0` replaces the score, followed by `jacoby` under that
//! rule. A single game without a cube has neither.

use super::board::{BAR, Dice, OFF, Side};
use super::notation::point_name;
use super::position::{Backgammon, Stage, Variant};
use super::stakes::{Cube, MatchScore, Stakes};
use crate::notation::{plain_number, side_to_move};
use crate::{Position, Seat, SetupError};

const LETTERS: [&str; 2] = ["w", "b"];

const STAGES: [(&str, Stage); 6] = [
    ("invited", Stage::Invited),
    ("opening", Stage::Opening),
    ("choice", Stage::Choice),
    ("rolling", Stage::Rolling),
    ("doubled", Stage::Doubled),
    ("over", Stage::Over),
];

pub(super) fn write<V: Variant>(position: &Backgammon<V>) -> String {
    let Backgammon { sides, on_roll, stage, game, .. } = position;
    let stage = match stage {
        Stage::Moving([high, low]) => format!("move {high}-{low}"),
        stage => STAGES.iter().find(|(_, other)| other == stage).map_or("", |(word, _)| word).to_owned(),
    };
    let [first, second] = sides.each_ref().map(write_side);
    let mut text = format!("{first}/{second} {} {stage}", on_roll.of(&LETTERS));
    let MatchScore { stakes: Stakes { length, jacoby }, score: [first, second], cube, is_crawford } = game;
    if game.has_cube() {
        let owner = cube.owner.map_or("-", |owner| *owner.of(&LETTERS));
        text.push_str(&format!(" cube {} {owner}", cube.value));
    }
    match length {
        0 => text.push_str(&format!(" money {first}-{second}{}", if *jacoby { " jacoby" } else { "" })),
        1 if game.winner().is_none() => {}
        _ => {
            let crawford = if *is_crawford { " crawford" } else { "" };
            text.push_str(&format!(" score {first}-{second}/{length}{crawford}"));
        }
    }
    text
}

fn write_side(side: &Side) -> String {
    let points = (1..=BAR).rev().zip(side.iter().rev()).filter(|(_, count)| **count > 0);
    let points: Vec<String> = points.map(|(point, count)| format!("{}:{count}", point_name(point))).collect();
    if points.is_empty() { point_name(OFF) } else { points.join(",") }
}

pub(super) fn read<V: Variant>(text: &str) -> Result<Backgammon<V>, SetupError> {
    let why = "it is the checkers of both sides, w or b for the side on roll, what happens next, and the cube and the \
               score if there are any, such as 24:2,6:1/8:3 w move 3-1 cube 1 - score 0-0/5";
    let words: Vec<&str> = text.split_whitespace().collect();
    let position = read_words::<V>(&words)?.ok_or_else(|| SetupError::Unreadable(why.to_owned()))?;
    // Each position is written in one way only.
    if position.write() != words.join(" ") {
        return SetupError::unreadable(why);
    }
    lawful(&position).map_err(SetupError::Unlawful)?;
    Ok(position)
}

/// `None` if the words do not follow the format.
fn read_words<V: Variant>(words: &[&str]) -> Result<Option<Backgammon<V>>, SetupError> {
    let [sides, side, stage, rest @ ..] = words else { return Ok(None) };
    let on_roll = side_to_move(side, LETTERS)?;
    Ok(read_rest::<V>(sides, on_roll, stage, rest))
}

fn read_rest<V: Variant>(
    sides: &str,
    on_roll: Seat,
    stage: &str,
    mut rest: &[&str],
) -> Option<Backgammon<V>> {
    let (first, second) = sides.split_once('/')?;
    let sides = [read_side::<V>(first)?, read_side::<V>(second)?];
    let stage = match (stage, rest) {
        ("move", [dice, behind @ ..]) => {
            rest = behind;
            Stage::Moving(read_dice(dice)?)
        }
        _ => STAGES.into_iter().find(|(word, _)| *word == stage)?.1,
    };
    let mut game = MatchScore::new(Stakes { length: 1, jacoby: false });
    if let ["cube", value, owner, behind @ ..] = rest {
        let seat = Seat::BOTH.into_iter().find(|seat| seat.of(&LETTERS) == owner);
        game.cube = Cube { value: plain_number(value)?, owner: seat };
        rest = behind;
    }
    match rest {
        [] => {}
        ["money", score, jacoby @ ..] => {
            game.stakes = Stakes { length: 0, jacoby: *jacoby == ["jacoby"] };
            game.score = read_score(score)?;
        }
        ["score", score, crawford @ ..] => {
            let (score, length) = score.split_once('/')?;
            game.stakes.length = plain_number(length).filter(|length| (1..=LONGEST).contains(length))?;
            game.score = read_score(score)?;
            game.is_crawford = *crawford == ["crawford"];
        }
        _ => return None,
    }
    Some(Backgammon { sides, on_roll, stage, game, variant: Default::default() })
}

/// The longest match.
pub(super) const LONGEST: u16 = 25;

fn read_side<V: Variant>(text: &str) -> Option<Side> {
    let mut side = [0; 26];
    for point in text.split(',').filter(|_| text != "off") {
        let (point, count) = point.split_once(':')?;
        let point =
            if point == "bar" { BAR.into() } else { plain_number(point).filter(|point| *point < 25)? };
        let count = plain_number(count).filter(|count| *count <= V::CHECKERS.into())?;
        *side.get_mut(usize::from(point)).filter(|_| point > 0)? = count as u8;
    }
    let off =
        V::CHECKERS.checked_sub(side.iter().map(|count| u16::from(*count)).sum::<u16>().try_into().ok()?)?;
    side[usize::from(OFF)] = off;
    Some(side)
}

fn read_dice(text: &str) -> Option<Dice> {
    let (high, low) = text.split_once('-')?;
    let die = |text| plain_number(text).filter(|die| (1..=6).contains(die)).map(|die| die as u8);
    Some([die(high)?, die(low)?]).filter(|[high, low]| high >= low)
}

fn read_score(text: &str) -> Option<[u16; 2]> {
    let (first, second) = text.split_once('-')?;
    Some([plain_number(first)?, plain_number(second)?])
        .filter(|score| score.iter().all(|points| *points < 20_000))
}

/// Refuses what no game reaches.
fn lawful<V: Variant>(position: &Backgammon<V>) -> Result<(), String> {
    let Backgammon { sides, on_roll, stage, game, .. } = position;
    let board = position.board_of(Seat::First);
    let shared = (1..=24).find(|point| board.mine[usize::from(*point)] > 0 && board.theirs_at(*point) > 0);
    if let Some(point) = shared {
        return Err(format!("both sides have checkers on point {point} of white"));
    }
    let is_start = *sides == [V::START; 2] && *on_roll == Seat::First && game.cube == Cube::CENTRED;
    let fault = match stage {
        Stage::Invited if !is_start || game.score != [0, 0] => "it is not the start of a board",
        Stage::Opening if !is_start => "it is not the start of a game, in which white is first",
        Stage::Choice | Stage::Doubled if !game.may_double(*on_roll) => {
            "the side on roll is not allowed to double"
        }
        _ => lawful_end(position).or_else(|| lawful_cube(game)).unwrap_or_default(),
    };
    if fault.is_empty() { Ok(()) } else { Err(fault.to_owned()) }
}

/// What is wrong with the end of the game and the score, if something is.
fn lawful_end<V: Variant>(position: &Backgammon<V>) -> Option<&'static str> {
    let Backgammon { on_roll, stage, game, .. } = position;
    let is_off = |seat: Seat| position.board_of(seat).won().is_some();
    let is_over = *stage == Stage::Over;
    let length = game.stakes.length;
    if is_off(on_roll.other()) || (is_off(*on_roll) && !is_over) {
        return Some("the game of a side without checkers is over");
    }
    if is_over != game.winner().is_some() || (is_over && game.winner() != Some(*on_roll)) {
        return Some("a board is over when the side on roll has won it");
    }
    if is_over && !game.has_cube() && !is_off(*on_roll) {
        return Some("the winner has borne off all checkers");
    }
    let loser = *on_roll.other().of(&game.score);
    // A loser's points are fewer than the match needs, and a single game leaves none.
    let is_score_reached = if is_over { loser < length.max(1) } else { length > 0 || game.score == [0, 0] };
    (!is_score_reached).then_some("no board reaches this score")
}

/// What is wrong with the cube, if something is.
fn lawful_cube(game: &MatchScore) -> Option<&'static str> {
    let MatchScore { cube: Cube { value, owner }, .. } = *game;
    let is_value = value.is_power_of_two() && value <= 4096 && (value == 1) == owner.is_none();
    // Its opponent turned it last, at half the value.
    let is_turned = owner.is_none_or(|owner| game.is_alive(owner.other(), value / 2) && !game.is_crawford);
    if !is_value || !is_turned {
        return Some("no game turns the cube like this");
    }
    let is_crawford = game.is_near(game.score) && game.score[0] != game.score[1];
    (game.is_crawford && !is_crawford).then_some("a side is a point from winning in the Crawford game")
}
