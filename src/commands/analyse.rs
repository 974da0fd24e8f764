//! Mails the robot's analysis of a finished game.
//!
//! ```text
//! game analyse board[#ply]
//! ```

use jiff::Timestamp;
use minijinja::context;
use std::sync::atomic::AtomicBool;
use turnpost_games::GameKind;
use turnpost_robot::Limits;
use turnpost_robot::analysis::{Analysis, Review, WrittenScore};

use crate::board::{BadRecord, Board, Terms, names, result_sentence};
use crate::commands::prelude::*;
use crate::commands::reply_words::over_words;
use crate::failure::Error;
use crate::ids::{BoardId, Ply};
use crate::language::values::written_ply;
use crate::language::{InReply, Offered, Seen};
use crate::notices::analysis_view::{AnalysisRow, AnalysisView};
use crate::notices::mail::{Purpose, Recipient};
use crate::notices::transcript::data;
use crate::notices::{Mail, Occasion, Outbox, Thread, afterword};
use crate::play::at_board::{self, no_such_ply};
use crate::play::robot::{LEASE, RobotConfig};
use crate::play::robot_opponent::{robot_is_off, robot_of};
use crate::store::{BoardState, ClosedLetter, Entrance, PlayerId, Store, StoreError, WantedAnalysis};

/// Maximum number of analyses per letter.
const ANALYSES_A_LETTER: u32 = 3;

#[derive(Debug, Clone)]
pub struct Analyse {
    pub game: &'static GameKind,
    pub board: BoardId,
    /// The only ply to show; `None` shows all plies.
    pub ply: Option<Ply>,
}

impl Parameters for Analyse {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and([written_ply(self.board, self.ply)]).end()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }
}

pub(crate) const ANALYSE: Entry = Entry {
    aliases: &["analyze"],
    summary: "the robot's view of each move of a game that is over",
    details: "For each move it says what the robot thinks could be reached before and after it, and what would \
              have been better. Near the end the result is exact. Games in play are not analysed. An analysis \
              takes a while and comes by mail; after that the answer shows it at once. The mail that asks for it \
              must prove who you are: reply `analyse`, or write a command with your password above it.",
    example: "GAME analyse 1",
    in_reply: InReply::Alone(|at| Command::Analyse(Analyse { game: at.game, board: at.board, ply: None })),
    needs: Seen::Nothing,
    offered: Offered::OverWithRobot,
    ..Entry::of_game("analyse", "board[#ply]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let asked = args.board_and_ply("the board's number")?;
    let ply = asked.ply.filter(|ply| *ply > Ply::START);
    Ok(Command::Analyse(Analyse { game, board: asked.board, ply }))
}

fn nothing_played(board: BoardId) -> Refusal {
    refusal!("Board {board} was declined; there is nothing to analyse.")
}

/// Maximum length of the better line, in characters, so that a row fits in a mail.
const LINE_WIDTH: usize = 30;

#[derive(Debug)]
pub struct Analysed {
    pub board: BoardId,
    pub made: Made,
}

#[derive(Debug)]
pub enum Made {
    /// The analysis was stored, and mailed to the players who asked for it.
    Kept { mails: usize },
    /// The analysis was cancelled; the request stays queued.
    Stopped,
    /// The analysis failed; the server tries again when the lease ends.
    Lost(Error),
}

pub(crate) fn analyse(ctx: &mut Context<'_>, command: Analyse) -> Result<Event, CommandError> {
    let Analyse { game, board: number, ply } = command;
    let board = at_board::board(ctx, game, number)?;
    match board.row.state {
        BoardState::Running => {
            return refuse!("Board {number} is in play. Only games that are over are analysed.");
        }
        BoardState::Declined => return Err(nothing_played(number).into()),
        BoardState::Finished if board.row.plies == Ply::START => {
            return Err(nothing_played(number).into());
        }
        BoardState::Finished => {}
    }
    if ply.is_some_and(|ply| ply > board.row.plies) {
        return Err(no_such_ply(number, board.row.plies).into());
    }
    let thread = Thread::of(&board.row, &names(ctx.store, &board.row.players)?);
    if let Some(made) = kept(ctx.store, number)? {
        let view = view(ctx.store, &board, &made, ply)?;
        return Ok(Event::page("analyse.md", context! { a => data(&view) }, Some(thread)));
    }
    if !ctx.robot.rules.enabled {
        return Err(robot_is_off().into());
    }
    robot_of(game)?;
    let reader = match &ctx.letter.proof {
        crate::mail::Proof::Operator(crate::mail::Operator::As(speaker)) => {
            ctx.store.player(speaker)?.map(|account| account.id)
        }
        _ => ctx.player()?,
    };
    let Some(reader) = reader else {
        return refuse!("We mail an analysis to a player, and this mail comes from no player's address.");
    };
    take_from_budget(ctx, number, reader)?;
    ctx.store.want_analysis(number, reader, ply.map_or(WantedAnalysis::All, WantedAnalysis::Ply), ctx.now)?;
    Ok(Event::page("analysing.md", context! {}, Some(thread)))
}

/// Charges an analysis to the daily budget of the player who asks. The letter must prove that player, because
/// an analysis takes seconds.
fn take_from_budget(ctx: &mut Context<'_>, number: BoardId, reader: PlayerId) -> Result<(), CommandError> {
    if !ctx.writer.proves(reader) {
        return refuse!(
            "An analysis takes a while, so the mail must prove who asks. Reply `analyse` to a mail about board \
            {number}, or reply to this mail with the same line."
        );
    }
    ctx.used.analyses += 1;
    if ctx.used.analyses > ANALYSES_A_LETTER && !ctx.writer.is_operator() {
        return refuse!(
            "A letter may ask for {ANALYSES_A_LETTER} analyses. Ask for this one when they have come."
        );
    }
    match ctx.spend(ctx.limits.analyses(), &afterword::analyses_of(reader))? {
        Some(until) => refuse!(
            "As many analyses as a player may have in a day were made for you. Ask again after {until}.",
            until = ctx.time(until)?
        ),
        None => Ok(()),
    }
}

/// Makes the analysis that was requested first; `None` if none is requested.
pub fn analyse_one(
    store: &mut Store,
    robot: &RobotConfig,
    outbox: &impl Outbox,
    now: impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Option<Analysed>, Error> {
    if !robot.enabled || !store.analysis_is_wanted(now())? {
        return Ok(None);
    }
    let Some(board) = store.write(|store| store.lease_analysis(now(), LEASE))? else { return Ok(None) };
    let made = match analysis_of(store, robot, outbox, board, &now, cancel) {
        Ok(Some((_, mails))) => Made::Kept { mails },
        Ok(None) => Made::Stopped,
        Err(Error::Store(why)) if why.is_busy() => return Err(why.into()),
        Err(why) => Made::Lost(why),
    };
    if matches!(made, Made::Stopped) {
        store.write(|store| store.release_analysis(board))?;
    }
    Ok(Some(Analysed { board, made }))
}

/// Returns the analysis of a finished board, stored or new, and the number of mails sent. Stores a new one.
/// `None` if cancelled.
pub fn analysis_of(
    store: &mut Store,
    config: &RobotConfig,
    outbox: &impl Outbox,
    number: BoardId,
    now: impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Option<(Analysis, usize)>, Error> {
    if let Some(made) = kept(store, number)? {
        return Ok(Some((made, 0)));
    }
    let lost = |why: &str| Error::Record(BadRecord { number: 0, why: why.to_owned() });
    let board = Board::load(store, number)?.ok_or_else(|| lost("there is no such board"))?;
    if board.row.state != BoardState::Finished {
        return Err(lost("only games that are over are analysed"));
    }
    let events = store.events(number)?;
    let terms = events.first().map(Terms::of).transpose()?.ok_or_else(|| lost("it has no start"))?;
    let plies = store.plies(number, Ply(1), board.row.plies)?;
    let plies: Vec<String> = plies.into_iter().map(|ply| ply.text).collect();
    let robot =
        turnpost_robot::find(board.kind.key).ok_or_else(|| lost("the robot does not play this game"))?;
    let limits = Limits { memory: config.bytes(), ..Limits::nodes(config.analysis) };
    let analysis = robot.analyse(&terms.position, &plies, &limits, cancel).map_err(|why| lost(&why))?;
    let Some(analysis) = analysis else { return Ok(None) };
    let mails = store.write(|store| keep(store, outbox, &board, &analysis, now()))?;
    Ok(Some((analysis, mails)))
}

/// Stores an analysis, mails it to the players who asked for it, and returns the number of mails. Runs inside
/// the transaction.
fn keep(
    store: &Store,
    outbox: &impl Outbox,
    board: &Board,
    analysis: &Analysis,
    now: Timestamp,
) -> Result<usize, Error> {
    let text = serde_json::to_string(analysis).map_err(|why| StoreError::Damaged(why.to_string()))?;
    let waiting = store.keep_analysis(board.row.id, &text, now)?;
    let what = format!("analysis {}", board.row.id);
    // No player asked, or another process has stored the analysis already.
    if waiting.is_empty() {
        return Ok(0);
    }
    let Some(occasion) = Occasion::begin(store, Entrance::Robot, &what, now)? else { return Ok(0) };
    store.close_letter(occasion.id, &ClosedLetter::of(what))?;
    let thread = Thread::of(&board.row, &names(store, &board.row.players)?);
    let mut mails = Vec::new();
    for (reader, wanted) in waiting {
        let ply = match wanted {
            WantedAnalysis::Ply(ply) => Some(ply),
            WantedAnalysis::All | WantedAnalysis::Afterword => None,
        };
        let (template, data) = match (wanted, board.seat_of(reader)) {
            (WantedAnalysis::Afterword, Some(seat)) => {
                ("afterword.md", context! { a => data(&afterword::view(store, board, analysis, seat)?) })
            }
            (_, seat) => {
                let view = view(store, board, analysis, ply)?;
                let reply_words =
                    seat.map(|seat| over_words(board.kind.key, &board.row.players, seat.index()));
                ("analysis.md", context! { a => data(&view), reply_words })
            }
        };
        let mail = Mail::page(Recipient::Player(reader), template, data);
        mails.push(Mail { purpose: Purpose::News, thread: Some(thread.clone()), ..mail });
    }
    outbox.put(store, &occasion, mails, now)
}

/// The stored analysis of a board.
pub fn kept(store: &Store, board: BoardId) -> Result<Option<Analysis>, StoreError> {
    let Some(text) = store.analysis(board)? else { return Ok(None) };
    let damaged = |why: serde_json::Error| StoreError::Damaged(format!("analysis of {board}: {why}"));
    serde_json::from_str(&text).map(Some).map_err(damaged)
}

/// The analysis as templates show it: all plies, or only `ply`.
pub fn view(
    store: &Store,
    board: &Board,
    analysis: &Analysis,
    ply: Option<Ply>,
) -> Result<AnalysisView, StoreError> {
    let players = names(store, &board.row.players)?;
    let asked = |review: &&Review| ply.is_none_or(|ply| ply.0 == review.ply);
    let rows = analysis.plies.iter().filter(asked).map(|review| row(board.kind, review)).collect();
    Ok(AnalysisView {
        board: board.row.id.0,
        name: board.kind.name,
        unit: analysis.unit().to_owned(),
        result: result_sentence(&board.row, &players, board.kind.seats).unwrap_or_default(),
        players,
        sides: board.kind.seats,
        nodes: analysis.nodes,
        solved_from: analysis.solved_from,
        rows,
    })
}

fn row(game: &GameKind, review: &Review) -> AnalysisRow {
    let mut better = String::new();
    for ply in &review.better {
        if !better.is_empty() && better.len() + 1 + ply.len() > LINE_WIDTH {
            break;
        }
        if !better.is_empty() {
            better.push(' ');
        }
        better.push_str(ply);
    }
    AnalysisRow {
        ply: review.ply,
        side: game.seats.get(review.seat).copied().unwrap_or_default(),
        played: review.played.clone(),
        before: short(&review.before),
        after: short(&review.after),
        better,
    }
}

/// A score without its unit: `+3.00=` if exact, else `+3.00 `.
fn short(score: &WrittenScore) -> String {
    let number = score.text.split(' ').next().unwrap_or_default();
    format!("{number}{}", if score.exact { "=" } else { " " })
}
