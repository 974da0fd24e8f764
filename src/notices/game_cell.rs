//! The games of a player in a cross-table, and how its points are written.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contest::record::Contest;
use crate::contest::standing::GroupStanding;
use crate::contest::table::{GameResult, Place};
use crate::ids::Seat;
use crate::store::PlayerId;

/// A game as a table shows it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GameCell {
    /// `1`, `0`, `=` for a draw, `.` while it runs, `-` if it counts for neither, `+` for a round without an opponent.
    #[schemars(extend("enum" = ["1", "0", "=", ".", "-", "+"]))]
    pub result: &'static str,
    /// The line of the opponent, from 1.
    pub against: Option<usize>,
    /// The number of its board, if it has one.
    pub board: Option<u32>,
    /// Whether the player of the line moves first.
    pub first: bool,
}

/// The games of a player against each player, in the order of the table.
pub(super) fn of_pairs(
    group: &GroupStanding,
    places: &[Place<PlayerId>],
    player: PlayerId,
) -> Vec<Vec<GameCell>> {
    let mut games: Vec<Vec<GameCell>> = places.iter().map(|_| Vec::new()).collect();
    for (_, cell) in cells(group, places, player) {
        let games = cell.against.and_then(|line| games.get_mut(line - 1));
        games.into_iter().for_each(|games| games.push(cell.clone()));
    }
    games
}

/// The games of a player in each round.
pub(super) fn of_rounds(
    contest: &Contest,
    group: &GroupStanding,
    places: &[Place<PlayerId>],
    player: PlayerId,
) -> Vec<Vec<GameCell>> {
    let cells: Vec<(u32, GameCell)> = cells(group, places, player).collect();
    let of_round = |round| {
        let bye = contest.byes.contains(&(round, player));
        let bye = bye.then_some(GameCell { result: "+", against: None, board: None, first: false });
        let missed = round <= contest.missed(player);
        let bye =
            bye.or(missed.then_some(GameCell { result: "=", against: None, board: None, first: false }));
        cells.iter().filter(|(of, _)| *of == round).map(|(_, cell)| cell.clone()).chain(bye).collect()
    };
    (1..=contest.round()).map(of_round).collect()
}

/// The games of a player, each with its round.
fn cells(
    group: &GroupStanding,
    places: &[Place<PlayerId>],
    player: PlayerId,
) -> impl Iterator<Item = (u32, GameCell)> {
    let line = |player| places.iter().position(|place| place.player == player).map(|at| at + 1);
    let games = group.games.iter().zip(&group.boards).zip(&group.rounds);
    games.filter_map(move |((game, board), round)| {
        let seat = Seat::BOTH.into_iter().find(|seat| *seat.of(&game.players) == player)?;
        let result = match game.result {
            GameResult::Running => ".",
            GameResult::Draw => "=",
            GameResult::Void => "-",
            GameResult::Won(winner) if winner == seat => "1",
            GameResult::Won(_) => "0",
        };
        let against = line(*seat.other().of(&game.players));
        let board = board.map(|board| board.0);
        Some((*round, GameCell { result, against, board, first: seat == Seat::First }))
    })
}

/// Half points as a decimal number: `2.5`.
pub(super) fn halves(number: u32) -> String {
    let half = if number % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", number / 2)
}

/// Hundredths as a decimal number: `5.25`.
pub(super) fn hundredths(number: u32) -> String {
    format!("{}.{:02}", number / 100, number % 100)
}
