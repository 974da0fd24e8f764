//! Sentences about plies: what they do, why they are refused, and what a player can do instead.

use super::board::{BAR, CheckerTurn, Dice};
use super::notation::{point_name, write};
use super::position::{Backgammon, Move, Stage, Variant};
use crate::notation::{colour_capital, counted, listed};
use crate::{Position, Seat};

/// What can be written here, for a text that is no ply.
pub(super) fn expected<V: Variant>(position: &Backgammon<V>) -> String {
    match position.stage {
        Stage::Moving(dice) => {
            format!("Write a turn for {}, such as {}.", rolled(dice), examples(position, dice))
        }
        _ => format!("Here you can write {}.", choices(position.stage)),
    }
}

/// The rule that forbids an illegal ply, and what is legal.
pub(super) fn why_not<V: Variant>(position: &Backgammon<V>, ply: Move) -> String {
    if let Move::Resign(_) = ply {
        return match position.give_up() {
            Some(ply) => {
                format!("As the checkers are, this game is given up by `{}`.", position.write_move(ply))
            }
            None => "No game of a match can be given up here. `resign` gives up the whole board.".to_owned(),
        };
    }
    let Stage::Moving(dice) = position.stage else {
        let rule = match (ply, position.stage) {
            (_, Stage::Over) => return "The game is over.".to_owned(),
            (Move::Double, Stage::Invited) => "The game begins with a roll.",
            (Move::Double, _) => "You cannot double now.",
            (Move::Take | Move::Drop, _) => "No double is offered.",
            (Move::Play(_), Stage::Doubled) => "Answer the double first.",
            (Move::Play(_), _) => "Checkers move after a roll.",
            (Move::Roll | Move::Resign(_), _) => "The dice do not wait for you.",
        };
        return match position.stage {
            Stage::Opening | Stage::Rolling => format!("{rule} The dice are next."),
            stage => format!("{rule} Write {} here.", choices(stage)),
        };
    };
    let instead = examples(position, dice);
    let Move::Play(turn) = ply else {
        return format!("The dice show {}, so move your checkers, as in {instead}.", rolled(dice));
    };
    let board = position.board();
    let starts = |point: u8| turn.steps().any(|step| step.to == point);
    let absent = turn.steps().map(|step| step.from);
    if let Some(point) = absent.into_iter().find(|from| board.mine[usize::from(*from)] == 0 && !starts(*from))
    {
        return format!(
            "You have no checker on {}. With {} you can play {instead}.",
            point_name(point),
            rolled(dice)
        );
    }
    let blocked = turn.steps().find(|step| board.theirs_at(step.to) > 1);
    let dice_played = board.turns(dice).into_values().next().map_or(0, |turn| turn.steps().count());
    let rule = match dice_played {
        0 => "no checker can move".to_owned(),
        _ if board.mine[usize::from(BAR)] > 0 && turn.steps().all(|step| step.from != BAR) => {
            "checkers on the bar enter first".to_owned()
        }
        _ if let Some(step) = blocked => format!("point {} is blocked", step.to),
        1 if dice[0] != dice[1] => "one die can be played, the higher one if either can".to_owned(),
        2 if dice[0] != dice[1] => "both dice are played".to_owned(),
        4 => "all four dice are played".to_owned(),
        most => format!("{} can be played, as many as possible", counted(most as u32, "step")),
    };
    format!("With {} {rule}, as in {instead}.", rolled(dice))
}

fn rolled([high, low]: Dice) -> String {
    format!("{high}-{low}")
}

fn choices(stage: Stage) -> &'static str {
    match stage {
        Stage::Choice => "`roll` or `double`",
        Stage::Doubled => "`take` or `drop`",
        _ => "`roll`",
    }
}

/// Up to three legal turns.
fn examples<V: Variant>(position: &Backgammon<V>, dice: Dice) -> String {
    let board = position.board();
    let turns: Vec<String> = board.turns(dice).values().take(3).map(|turn| write(board, turn)).collect();
    turns.join(" or ")
}

/// What a ply does.
pub(super) fn explain<V: Variant>(position: &Backgammon<V>, ply: Move) -> String {
    let cube = position.game.cube.value;
    match ply {
        Move::Roll if position.stage == Stage::Invited => "begins the game and rolls the dice".to_owned(),
        Move::Roll => "rolls the dice".to_owned(),
        Move::Double => format!("doubles the cube to {}", cube.saturating_mul(2)),
        Move::Take => format!("takes the cube at {}", cube.saturating_mul(2)),
        Move::Drop => format!("drops the double and loses {}", counted(cube.into(), "point")),
        Move::Resign(times) => {
            format!("gives this game up and loses {}", counted(position.game.points(times).into(), "point"))
        }
        Move::Play(CheckerTurn::PASS) => "moves no checker, because none can move".to_owned(),
        Move::Play(turn) => {
            let steps = turn.steps().map(|step| match step.to {
                0 => format!("off from {}", point_name(step.from)),
                to => format!("from {} to {}", point_name(step.from), point_name(to)),
            });
            format!("moves {}", listed(steps))
        }
    }
}

/// The end of a game of a match, and what follows it.
pub(super) fn remarks<V: Variant>(before: &Backgammon<V>, after: &Backgammon<V>) -> Vec<String> {
    let gains = |seat: &Seat| seat.of(&after.game.score) - seat.of(&before.game.score);
    let winner = Seat::BOTH.into_iter().find(|seat| after.game.has_cube() && gains(seat) > 0);
    let Some(winner) = winner else { return Vec::new() };
    let points = counted(gains(&winner).into(), "point");
    let won = format!("{} wins {points} with this game.", colour_capital(winner));
    if after.outcome().is_some() {
        return vec![won];
    }
    let [first, second] = after.game.score;
    let score = format!("White has {first} and Black {second} of {} points.", after.game.stakes.length);
    let crawford = "The next is the Crawford game, in which the cube is out of play.".to_owned();
    [won, score].into_iter().chain(after.game.is_crawford.then_some(crawford)).collect()
}
