//! `turnpost admin analyse`: the robot's view of a game that is over.

use std::sync::atomic::AtomicBool;

use serde_json::json;

use super::Instance;
use crate::clock;
use crate::error::HostError;
use crate::ids::BoardId;
use crate::reply;
use crate::service::board::Board;
use crate::service::robot::{analysis_of, view};
use crate::service::view::{names, result_sentence};
use crate::store::State;

/// What is asked for.
#[derive(Debug, clap::Args)]
pub struct AnalyseArgs {
    /// The board's number
    board: BoardId,
    /// As JSON, for programs
    #[arg(long)]
    json: bool,
}

/// Prints the analysis of a board. It is made if it is not kept yet, and kept then.
///
/// # Errors
/// When there is no such board, it is not over, or the store fails.
pub fn analyse(server: &mut Instance, args: &AnalyseArgs) -> Result<String, HostError> {
    let asked = |why: &str| HostError::Asked(format!("board {}: {why}", args.board));
    let board = Board::load(&server.store, args.board)?.ok_or_else(|| asked("there is none"))?;
    match board.row.state {
        State::Running => return Err(asked("only games that are over are analysed")),
        State::Declined => return Err(asked("it was declined")),
        State::Finished => {}
    }
    let never = AtomicBool::new(false);
    let made =
        analysis_of(&mut server.store, &server.app.robot, &server.app, args.board, clock::now, &never)?;
    let Some((analysis, _)) = made else { return Err(asked("the analysis was broken off")) };
    if !args.json {
        return Ok(reply::analysis_text(
            &server.app.templates,
            &view(&server.store, &board, &analysis, None)?,
        )?);
    }
    let players = names(&server.store, &board.row.players)?;
    let value = json!({
        "board": board.row.id,
        "game": board.kind.key,
        "players": players,
        "result": result_sentence(&board.row, &players, board.kind.seats),
        "nodes": analysis.nodes,
        "solved_from": analysis.solved_from,
        "plies": analysis.plies,
    });
    Ok(serde_json::to_string_pretty(&value).unwrap_or_default())
}
