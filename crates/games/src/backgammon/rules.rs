//! The rules as a [`Position`].

use super::board::{CheckerStep, CheckerTurn, times_lost};
use super::notation::{TypedTurn, point_name, write};
use super::position::{Backgammon, Move, Stage, Variant};
use super::{draw, text, words};
use crate::notation::{ends_a_ply, first_word, keyword, unreadable};
use crate::scene::{Ends, Scene};
use crate::{Cast, Chance, Outcome, Position, Seat, SetupError, Unreadable};

const DICE: Chance = Chance::Dice { count: 2, sides: 6 };

/// The plies that are words.
const WORDS: [(&str, Move); 8] = [
    ("roll", Move::Roll),
    ("double", Move::Double),
    ("take", Move::Take),
    ("drop", Move::Drop),
    ("pass", Move::Play(CheckerTurn::PASS)),
    ("resign game", Move::Resign(1)),
    ("resign gammon", Move::Resign(2)),
    ("resign backgammon", Move::Resign(3)),
];

impl<V: Variant> Position for Backgammon<V> {
    type Move = Move;

    fn to_move(&self) -> Seat {
        match self.stage {
            Stage::Invited => Seat::Second,
            Stage::Doubled => self.on_roll.other(),
            _ => self.on_roll,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = self.game.winner()?;
        let how = match self.board_of(winner).won() {
            None => "a game is given up",
            Some(1) => "all checkers are off",
            Some(2) => "a gammon",
            Some(_) => "a backgammon",
        };
        Some(Outcome { score: self.game.has_cube().then_some(self.game.score), ..Outcome::won(winner, how) })
    }

    fn chance(&self) -> Option<Chance> {
        matches!(self.stage, Stage::Opening | Stage::Rolling).then_some(DICE)
    }

    fn make_chance(&mut self, cast: Cast) {
        self.fall(cast);
    }

    fn each_move(&self, visit: &mut impl FnMut(Move)) {
        match self.stage {
            Stage::Opening | Stage::Rolling | Stage::Over => {}
            Stage::Invited => visit(Move::Roll),
            Stage::Choice => [Move::Roll, Move::Double].into_iter().for_each(visit),
            Stage::Doubled => [Move::Take, Move::Drop].into_iter().for_each(visit),
            Stage::Moving(dice) => self.board().turns(dice).into_values().map(Move::Play).for_each(visit),
        }
    }

    fn forced(&self) -> Option<Move> {
        let Stage::Moving(dice) = self.stage else { return None };
        let mut turns = self.board().turns(dice).into_values();
        turns.next().filter(|_| turns.next().is_none()).map(Move::Play)
    }

    fn usual(&self) -> Option<Move> {
        (self.stage == Stage::Choice).then_some(Move::Roll)
    }

    fn may_ask(&self) -> bool {
        match self.stage {
            Stage::Moving(_) => self.game.may_double(self.on_roll),
            Stage::Doubled => self.game.may_redouble(self.to_move()),
            _ => false,
        }
    }

    fn give_up(&self) -> Option<Move> {
        let has_dice = matches!(self.stage, Stage::Choice | Stage::Moving(_));
        (has_dice && self.match_length() > 1).then(|| Move::Resign(times_lost(&self.board().mine)))
    }

    fn match_length(&self) -> u16 {
        self.game.stakes.length.max(1)
    }

    fn why_not(&self, ply: Move) -> String {
        words::why_not(self, ply)
    }

    fn make(&mut self, ply: Move) {
        self.go(ply);
    }

    fn read_move<'t>(&self, text: &'t str) -> Result<(Move, &'t str), Unreadable> {
        let word = WORDS.iter().find_map(|(word, ply)| Some((*ply, keyword(text, word)?)));
        if let Some((ply, rest)) = word.filter(|(_, rest)| rest.chars().next().is_none_or(ends_a_ply)) {
            return Ok((ply, rest));
        }
        let (typed, rest) = TypedTurn::read(text)?;
        if typed.ways.is_empty() {
            return Err(unreadable(first_word(text), words::expected(self)));
        }
        let Stage::Moving(dice) = self.stage else { return Ok((Move::Play(typed.as_typed()), rest)) };
        let turn = typed.meant(&self.board(), dice).map_err(|turns| {
            let meant = turns.into_iter().take(3).map(Move::Play).map(|ply| self.write_move(ply));
            let why = format!("This can mean {}.", meant.collect::<Vec<_>>().join(", or "));
            unreadable(&text[..text.len() - rest.len()], why)
        })?;
        Ok((Move::Play(turn), rest))
    }

    fn write_move(&self, ply: Move) -> String {
        match ply {
            Move::Play(turn) => write(self.board(), &turn),
            _ => WORDS.iter().find(|(_, word)| *word == ply).map_or("", |(word, _)| word).to_owned(),
        }
    }

    fn read(text: &str) -> Result<Self, SetupError> {
        text::read(text)
    }

    fn write(&self) -> String {
        text::write(self)
    }

    fn scene(&self) -> Scene {
        draw::scene(self)
    }

    fn ends(&self, ply: Move) -> Ends<impl ToString> {
        let first = match ply {
            Move::Play(turn) => turn.steps().next(),
            _ => None,
        };
        Ends {
            from: first.map(|step| point_name(step.from)),
            to: first.map(|step| point_name(step.to)),
            then: None,
        }
    }

    fn continued(&self, begun: &str) -> Vec<(String, Ends)> {
        let Stage::Moving(dice) = self.stage else {
            let plies = self.legal_moves().into_iter().filter(|_| begun.is_empty());
            return plies.map(|ply| (self.write_move(ply), Ends::default())).collect();
        };
        let Ok((TypedTurn { ways, .. }, "")) = TypedTurn::read(begun) else { return Vec::new() };
        let mut board = self.board();
        let is_possible = ways.iter().all(|step| {
            let is_mine = board.mine[usize::from(step.from)] > 0;
            is_mine.then(|| board.step(*step)).is_some()
        });
        if !is_possible {
            return Vec::new();
        }
        let steps = self.board().next_steps(dice, &ways);
        if steps.is_empty() && begun.is_empty() {
            return vec![("pass".to_owned(), Ends::default())];
        }
        let named = |step: CheckerStep| {
            let text = format!("{begun} {}", write(board, &CheckerTurn::PASS.with(step)));
            let (from, to) = (Some(point_name(step.from)), Some(point_name(step.to)));
            (text.trim_start().to_owned(), Ends { from, to, then: None })
        };
        steps.into_iter().map(named).collect()
    }

    fn scene_begun(&self, begun: &str) -> Scene {
        let Ok((typed, _)) = TypedTurn::read(begun) else { return self.scene() };
        let turn = typed.as_typed();
        let (mut after, board) = (*self, self.board().after(&turn));
        after.sides[self.on_roll.index()] = board.mine;
        after.sides[self.on_roll.other().index()] = board.theirs;
        let scene = after.scene().after(&self.scene(), self.ends(Move::Play(turn)).named());
        let Stage::Moving(dice) = self.stage else { return scene };
        let left = self.board().dice_left(dice, &typed.ways);
        Scene { props: draw::props(&after, Some(&left)), ..scene }
    }

    fn explain(&self, ply: Move) -> String {
        words::explain(self, ply)
    }

    fn remarks(&self, after: &Self) -> Vec<String> {
        words::remarks(self, after)
    }
}
