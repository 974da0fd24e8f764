//! What players and the robot do to each other within a letter.

use super::PrecomputedMoves;
use super::RobotConfig;
use super::precomputed::Question;
use crate::ids::Userid;
use crate::service::CommandError;
use crate::service::context::Context;
use crate::service::notification::{Notification, Recipient};
use crate::service::offer;
use crate::service::offer::OfferRefusal;
use crate::service::play;
use crate::service::play::AtBoard;
use crate::service::queue;
use crate::service::refusal::{Refuse, refuses};
use crate::service::transcript::Event;
use crate::service::view::{BoardEvent, BoardUpdate};
use crate::store::{Account, EventKind, PlayerId, Proposal};
use turnpost_games::GameKind;

/// Why it is refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum RobotRefusal {
    #[error("The robot of this server is switched off.")]
    Off,
    #[error("One of the two players must be a person: the robot does not play itself here.")]
    TwoRobots,
    #[error("The robot does not play {game}.")]
    NotItsGame { game: &'static str },
    #[error("The robot plays {game} at levels 1 to {levels}: {}.", accounts(*levels))]
    NoSuchLevel { game: &'static str, levels: u8 },
    #[error("{userid} has {most} games with the robot in play, which is as many as one player may have.")]
    Enough { userid: Userid, most: u32 },
    #[error(
        "{userid} has a game of {game} in play. A board from a given position could be used to ask for advice on it, so \
        one is started only for players who have none."
    )]
    PlaysAlready { userid: Userid, game: &'static str },
    #[error("The robot agrees to no draws: play on, or resign.")]
    NoDraws,
    #[error("The robot lets you take back a ply in unrated games only, and this one is rated.")]
    NothingBack,
    #[error("{userid} is the robot, and nobody speaks for it.")]
    NobodySpeaks { userid: Userid },
}

impl Refuse for RobotRefusal {}

refuses!(RobotRefusal);

/// The robot as a letter meets it.
pub(in crate::service) struct RobotMoves<'a> {
    /// What the host has decided about it.
    pub rules: &'a RobotConfig,
    /// What it has thought about.
    pub precomputed: &'a PrecomputedMoves,
    /// What it should think about before the letter is carried out.
    pub questions: Vec<Question>,
}

impl RobotMoves<'_> {
    /// The plies of the robot's turn, when they are known. Else they are asked for, if that is worth it.
    fn plies(&mut self, question: Question) -> Option<String> {
        let known = self.precomputed.answer(&question).map(str::to_owned);
        if known.is_none() && self.rules.enabled && self.precomputed.is_worth_asking(&question) {
            self.questions.push(question);
        }
        known
    }
}

/// Lets the robot play, if it is its turn and known what it plays; gives whether it did.
pub(in crate::service) fn robot_plays(ctx: &mut Context<'_>, at: &mut AtBoard) -> Result<bool, CommandError> {
    let Some((question, seat)) = Question::of(&at.board).zip(at.board.row.to_move) else {
        return Ok(false);
    };
    let Some(plies) = ctx.robot.plies(question) else { return Ok(false) };
    at.seat = seat;
    at.player = *seat.of(&at.board.row.players);
    let (events, remarks) = play::play_plies(ctx, at, &plies)?;
    let update = play::update(ctx, BoardEvent::Played, at, &events, remarks)?;
    play::notify_other(ctx, at, &update);
    Ok(true)
}

/// Lets queues and the robot answer what the player at `at` has done. Against the robot the player is told all of it
/// at once, as the board stands then.
pub(in crate::service) fn go_on(
    ctx: &mut Context<'_>,
    at: AtBoard,
    update: BoardUpdate,
) -> Result<Event, CommandError> {
    let (seat, player) = (at.seat, at.player);
    let from = ctx.notifications.len();
    let (at, _) = queue::run_queues(ctx, at)?;
    let update = if at.board.row.is_with_robot() { in_one(ctx, from, player, &at, update) } else { update };
    Ok(Event::Board(Box::new(update), Some(seat.index())))
}

/// What a player is told of a board from notice `from` on, together with `news`, as one.
fn in_one(
    ctx: &mut Context<'_>,
    from: usize,
    player: PlayerId,
    at: &AtBoard,
    update: BoardUpdate,
) -> BoardUpdate {
    let board = at.board.row.id;
    let mut told = update;
    for told_too in ctx.notifications_from(from) {
        if told_too.to != Recipient::Player(player) {
            continue;
        }
        let Some(notice) = told_too.board_mut().filter(|notice| notice.update.view.board == board.0) else {
            continue;
        };
        notice.in_answer = true;
        let mut next = notice.update.clone();
        let mut notes = std::mem::take(&mut told.notes);
        notes.extend(told.sentence(notice.reader.seat()));
        notes.append(&mut next.notes);
        next.notes = notes;
        told = next;
    }
    told.notes.extend(robot_thinks(ctx, at));
    told
}

/// What is said of a robot that has not answered yet.
fn robot_thinks(ctx: &Context<'_>, at: &AtBoard) -> Option<String> {
    at.board.row.robot_to_move().filter(|_| ctx.robot.rules.enabled)?;
    let name = at.board.row.to_move?.of(&at.names);
    Some(format!("{name} thinks about its move, which comes in a mail of its own."))
}

/// Lets the robot open a board that has just been started; gives what its player should know of that.
pub(in crate::service) fn robot_opens(
    ctx: &mut Context<'_>,
    at: AtBoard,
) -> Result<(AtBoard, Vec<String>), CommandError> {
    if !at.board.row.is_with_robot() {
        return Ok((at, Vec::new()));
    }
    let from = ctx.notifications.len();
    let (at, _) = queue::run_queues(ctx, at)?;
    let mut notes: Vec<String> =
        ctx.notifications_from(from).iter().filter_map(|told| told.board()?.update.sentence(None)).collect();
    // The mail about the start of the board tells it.
    ctx.notifications.truncate(from);
    notes.extend(robot_thinks(ctx, &at));
    Ok((at, notes))
}

/// Whether a board against the robot may be started.
pub(in crate::service) fn robot_may_play(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
) -> Result<(), CommandError> {
    let [first, second] = players;
    let (level, person) = match (first.id.level(), second.id.level()) {
        (None, None) => return Ok(()),
        (Some(_), Some(_)) => return Err(RobotRefusal::TwoRobots.into()),
        (Some(level), None) => (level, second),
        (None, Some(level)) => (level, first),
    };
    let rules = ctx.robot.rules;
    if !rules.enabled {
        return Err(RobotRefusal::Off.into());
    }
    let Some(robot) = turnpost_robot::find(game.key) else {
        return Err(RobotRefusal::NotItsGame { game: game.name }.into());
    };
    if robot.level(level).is_none() {
        let levels = u8::try_from(robot.levels.len()).unwrap_or(u8::MAX);
        return Err(RobotRefusal::NoSuchLevel { game: game.name, levels }.into());
    }
    if ctx.store.games_with_robot(person.id)? >= rules.games {
        return Err(RobotRefusal::Enough { userid: person.userid.clone(), most: rules.games }.into());
    }
    Ok(())
}

/// A board from a given position is not for players who could take it for a copy of another they play.
pub(in crate::service) fn may_choose_position(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
) -> Result<(), CommandError> {
    for player in players.iter().filter(|player| !player.id.is_robot()) {
        if ctx.store.has_a_running_game(player.id, game.key)? {
            let userid = player.userid.clone();
            return Err(RobotRefusal::PlaysAlready { userid, game: game.name }.into());
        }
    }
    Ok(())
}

/// The robot agrees to no draw, and to take back where nothing is at stake; both at once.
pub(in crate::service) fn propose_to_robot(
    ctx: &mut Context<'_>,
    mut at: AtBoard,
    proposal: Proposal,
) -> Result<Event, CommandError> {
    if proposal == Proposal::Draw {
        return Err(RobotRefusal::NoDraws.into());
    }
    if at.board.row.rated {
        return Err(RobotRefusal::NothingBack.into());
    }
    if offer::before_last_ply(ctx, &at.board, at.player)?.is_none() {
        return Err(OfferRefusal::NothingToTakeBack { board: at.board.row.id }.into());
    }
    let (seat, from) = (at.seat, ctx.notifications.len());
    play::happen(ctx, &mut at, EventKind::Proposal, proposal.as_str())?;
    at.seat = seat.other();
    at.player = *at.seat.of(&at.board.row.players);
    let agreed = offer::take_back(ctx, at)?;
    for notice in ctx.notifications_from(from).iter_mut().filter_map(Notification::board_mut) {
        notice.in_answer = true;
    }
    Ok(match agreed {
        Event::Board(update, _) => Event::Board(update, Some(seat.index())),
        other => other,
    })
}

/// Whether the opponent at a board is the robot.
pub(in crate::service) fn is_against_robot(at: &AtBoard) -> bool {
    at.seat.other().of(&at.board.row.players).is_robot()
}

/// Refuses what nobody does in the robot's name.
pub(in crate::service) fn must_be_a_person(account: &Account) -> Result<(), CommandError> {
    match account.id.is_robot() {
        true => Err(RobotRefusal::NobodySpeaks { userid: account.userid.clone() }.into()),
        false => Ok(()),
    }
}

impl BoardUpdate {
    /// What happened, as a sentence for whoever sits at `reader`; `None` where a mail says it otherwise.
    fn sentence(&self, reader: Option<usize>) -> Option<String> {
        let by_reader = reader == Some(self.by);
        let name = self.view.players.get(self.by)?;
        let played: Vec<&str> =
            self.played.iter().filter(|ply| ply.seat == self.by).map(|ply| ply.text.as_str()).collect();
        let played = played.join(", ");
        Some(match (self.event, by_reader) {
            (BoardEvent::Played, true) => format!("You played {played}."),
            (BoardEvent::Played, false) => format!("{name} played {played}."),
            (BoardEvent::Queued, true) => format!("Your queue played {played}."),
            (BoardEvent::Swapped, true) => "You changed seats.".to_owned(),
            _ => return None,
        })
    }
}

fn accounts(levels: u8) -> String {
    let names: Vec<String> = (1..=levels).map(|level| format!("robot-{level}")).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => names.join(""),
    }
}
