//! `turnpost admin analyse`: the robot's view of a game that is over.

use std::sync::atomic::AtomicBool;

use serde_json::json;

use crate::board::{Board, names, result_sentence};
use crate::cli::Instance;
use crate::commands::analyse::view;
use crate::commands::analysis_of;
use crate::error::HostError;
use crate::ids::BoardId;
use crate::store::BoardState;
use crate::{clock, compose};

#[derive(Debug, clap::Args)]
pub(crate) struct AnalyseArgs {
    /// The board's number
    board: BoardId,
    /// As JSON, for programs
    #[arg(long)]
    json: bool,
}

/// The analysis of a board, for printing. The first call makes it and stores it.
pub(super) fn analyse(server: &mut Instance, args: &AnalyseArgs) -> Result<String, HostError> {
    let asked = |why: &str| HostError::Asked(format!("board {}: {why}", args.board));
    let board = Board::load(&server.store, args.board)?.ok_or_else(|| asked("there is none"))?;
    match board.row.state {
        BoardState::Running => return Err(asked("only games that are over are analysed")),
        BoardState::Declined => return Err(asked("it was declined")),
        BoardState::Finished => {}
    }
    let never = AtomicBool::new(false);
    let made =
        analysis_of(&mut server.store, &server.app.robot, &server.app, args.board, clock::now, &never)?;
    let Some((analysis, _)) = made else { return Err(asked("the analysis was broken off")) };
    if !args.json {
        return Ok(compose::analysis_text(
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
