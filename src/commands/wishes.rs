//! Answers what players ask for in plain words, by reply or in a mail of its own. Most answers are those of a command.

use minijinja::context;
use turnpost_games::{GameKind, registry};

use crate::board::Board;
use crate::commands::prelude::*;
use crate::commands::submit::{self, Submit};
use crate::commands::{LANGUAGE, carry_out};
use crate::credentials::Actor;
use crate::credentials::claim::nothing_proves;
use crate::ids::{BoardId, Userid};
use crate::language::absence::absence;
use crate::language::phrasebook::is_of_a_phrase;
use crate::language::wish::{Wish, reported, subjects};
use crate::language::{OnBoard, ROBOT};
use crate::play::at_board;
use crate::store::{ActKind, BoardState, NewAct, PlayerId};
use crate::zone::day;

/// A request in plain words.
#[derive(Debug, Clone)]
pub struct PlainWish {
    pub(crate) wish: Wish,
    /// The board of the mail that the request answers.
    pub at: Option<OnBoard>,
    pub text: String,
}

impl Parameters for PlainWish {
    fn board(&self) -> Option<BoardId> {
        self.at.map(|at| at.board)
    }
}

/// How a reply announces a vacation.
const VACATION: &str = "vacation 2027-07-01 2027-07-14";

/// The most moves that an answer lists.
const MOVES_LISTED: usize = 60;

pub(crate) fn grant(ctx: &mut Context<'_>, by: &Actor, wanted: PlainWish) -> Result<Event, CommandError> {
    let PlainWish { wish, at, ref text } = wanted;
    let asker = match by {
        Actor::Player(account, _) => Some(account.clone()),
        Actor::Claimed(_) | Actor::Nobody => {
            ctx.player()?.map(|player| ctx.store.player_by_id(player)).transpose()?
        }
    };
    let named = asker.as_ref().map(|account| account.userid.to_string());
    let userid = named.as_deref().unwrap_or("USERID");
    let of_board = |word: &str| at.map(|at| format!("{} {word} {}", at.game.key, at.board));
    let line = match wish {
        Wish::Help => "help".to_owned(),
        Wish::Clock => "help time".to_owned(),
        Wish::Rules => match game_in(text).or(at.map(|at| at.game)) {
            Some(game) => {
                let page = std::iter::once(game.key.to_owned()).chain(subjects(text));
                return Ok(Event::Help(vec![page.collect::<Vec<_>>().join(" ")]));
            }
            None => "help rules".to_owned(),
        },
        Wish::Turn | Wish::Time => of_board("showas").unwrap_or(format!("games {userid}")),
        Wish::Games => format!("games {userid}"),
        Wish::Rating => format!("who {userid}"),
        Wish::Hint => of_board("hint").unwrap_or("help robot".to_owned()),
        Wish::Nudge => of_board("nudge").unwrap_or("help nudge".to_owned()),
        Wish::Forgot => format!("forgot {}", named.as_deref().unwrap_or_default()),
        Wish::Moves | Wish::Why => return legal_moves(ctx, at),
        Wish::HowToResign => return how("resign"),
        Wish::HowToPropose => return how("propose"),
        Wish::HowToSwap => return how("swap"),
        Wish::HowToUndo | Wish::Mistake => return how("undo"),
        Wish::Stop => return Err(how_to_stop().into()),
        Wish::Away => return away(ctx, asker.as_ref(), at, text),
        Wish::Robot | Wish::NewGame => return another_game(ctx, asker.as_ref(), &wanted),
        Wish::Operator => return to_operator(ctx, by, asker.as_ref(), &wanted),
        Wish::Password => {
            return refuse!(
                "To choose a new password, reply with this line alone:\n\n    forgot\n\nA mail with a code comes to your \
                address."
            );
        }
        Wish::Address => {
            return refuse!(
                "To change your address, reply with this line alone:\n\n    change address NEWADDRESS\n\nThe old address works until you confirm the new one."
            );
        }
        Wish::MoreTime => {
            return refuse!(
                "Nobody can lengthen one turn. Your clocks stop while you are on vacation; reply with the first and \
                the last day:\n\n    {VACATION}\n\n`help time` explains the clocks."
            );
        }
        Wish::Cancel => {
            return refuse!(
                "Nothing was cancelled. In reply to a mail of the board, `decline` refuses a game that has just begun, \
                `propose` offers a draw, and `resign` gives the game up."
            );
        }
        Wish::Picture => {
            return refuse!(
                "Each mail has the board as text too: your mail program may hide pictures until you allow them. \
                `map` in reply names the spaces. To get no pictures, reply:\n\n    set picture off"
            );
        }
    };
    if wish == Wish::Rating {
        ctx.remarks
            .push("`help rating` explains ratings: yours begins when your first rated game ends.".to_owned());
    }
    let command = LANGUAGE.canonical(&line).ok_or_else(nothing_proves)?;
    carry_out(ctx, by, command)
}

fn how(word: &str) -> Result<Event, CommandError> {
    refuse!(
        "Nothing was done. Reply to a mail of the board with this word alone in the first line:\n\n    \
        {word}\n\n`help {word}` explains it."
    )
}

/// What to send in place of `stop` or `delete my account`.
fn how_to_stop() -> Refusal {
    refusal!(
        "Nothing was stopped. The `unsubscribe` of your mail program pauses our mails. Or reply with one of these \
        lines:\n\n    {VACATION}\n    set digest on\n    signoff\n    delete\n\n`vacation` stops the clocks, `digest` sends one mail at a time, `signoff` leaves \
        the mail of your running games alone, and `delete` ends your account. `resign` in reply to the mail of a game \
        gives that game up."
    )
}

fn legal_moves(ctx: &Context<'_>, at: Option<OnBoard>) -> Result<Event, CommandError> {
    let Some(OnBoard { game, board }) = at else {
        return refuse!(
            "The answer to a move says why it was refused. Ask again in a reply to the mail of the board."
        );
    };
    let board = at_board::board(ctx, game, board)?;
    let mut moves = board.table.legal_plies();
    let reader = ctx.player()?.and_then(|player| board.seat_of(player));
    if board.row.to_move.is_none() || board.row.to_move != reader || moves.is_empty() {
        return refuse!("It is not your turn on board {}.", board.row.id);
    }
    let more = moves.len().saturating_sub(MOVES_LISTED);
    moves.truncate(MOVES_LISTED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    refuse!(
        "You can play {moves}{more}. Reply with one of them. `help {game}` tells the rules.",
        moves = moves.join(", "),
        game = game.key
    )
}

/// The first game that a text names.
fn game_in(text: &str) -> Option<&'static GameKind> {
    words_of(text).find_map(|word| registry::find(&word.to_lowercase()))
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_').filter(|word| !word.is_empty())
}

/// Offers a vacation with the days that a text tells.
fn away(
    ctx: &mut Context<'_>,
    asker: Option<&Account>,
    at: Option<OnBoard>,
    text: &str,
) -> Result<Event, CommandError> {
    let zone = asker.map(|account| ctx.zone(account.id)).transpose()?;
    let today = ctx.now.to_zoned(zone.unwrap_or(jiff::tz::TimeZone::UTC)).date();
    match (absence(text, today), asker) {
        (Some((first, last)), Some(account)) => {
            let line = format!("vacation {first} {last}");
            let asks = format!(
                "Shall I announce a vacation from {} to {}? Your clocks stop, and your opponents are told.",
                day(first, ctx.now),
                day(last, ctx.now)
            );
            offer(ctx, account, at, [&line, &line, &asks])
        }
        _ => refuse!(
            "To stop your clocks, reply with the first and the last day of your vacation, written like this:\n\n    \
            {VACATION}"
        ),
    }
}

/// Offers a game of the kind and with the player that a text names, or with the robot.
fn another_game(
    ctx: &mut Context<'_>,
    asker: Option<&Account>,
    PlainWish { wish, at, text }: &PlainWish,
) -> Result<Event, CommandError> {
    let game = game_in(text).or(at.map(|at| at.game));
    let userid = asker.map_or("USERID", |account| account.userid.as_str());
    let other = match wish {
        Wish::Robot => Some(ROBOT.to_owned()),
        _ => player_in(ctx, text, asker)?,
    };
    if let (Some(game), Some(other), Some(account)) = (game, &other, asker) {
        let line = format!("{} challenge {userid} {other}", game.key);
        let whom = if other == ROBOT { "the robot" } else { other.as_str() };
        let asks = format!("Shall I challenge {whom} to {}?", game.name);
        return offer(ctx, account, *at, [&format!("{} challenge {other}", game.key), &line, &asks]);
    }
    let game = game.unwrap_or(registry::first()).key;
    let other = other.unwrap_or("OPPONENT".to_owned());
    refuse!(
        "To start a game, send one of these lines as the Subject of a mail; `rematch` in reply to a game that is over \
        starts another against the same player:\n\n    \
        {game} challenge {userid} {other}\n    {game} challenge {userid} {ROBOT}\n    seeks"
    )
}

/// The player whose userid a text names last.
fn player_in(ctx: &Context<'_>, text: &str, asker: Option<&Account>) -> Result<Option<String>, CommandError> {
    let mut found = None;
    for word in
        words_of(text).filter(|word| registry::find(&word.to_lowercase()).is_none() && !is_of_a_phrase(word))
    {
        let Ok(userid) = word.parse::<Userid>() else { continue };
        let player = ctx.store.player(&userid)?.filter(Account::is_active);
        let other = player.filter(|player| asker.is_none_or(|asker| asker.id != player.id));
        found = other.map(|other| other.userid.to_string()).or(found);
    }
    Ok(found)
}

/// Asks whether to do what a line says. In reply to a mail of a running board a `yes` does it; elsewhere the player sends
/// the line in full.
fn offer(
    ctx: &mut Context<'_>,
    account: &Account,
    at: Option<OnBoard>,
    [line, full, asks]: [&str; 3],
) -> Result<Event, CommandError> {
    let board = at.map(|at| Board::load(ctx.store, at.board)).transpose()?.flatten();
    match at.filter(|_| board.is_some_and(|board| board.row.state == BoardState::Running)) {
        Some(at) => {
            let (plies, because) = (line.to_owned(), asks.to_owned());
            submit::submit(ctx, account, Submit { at, plies, because, words: String::new() })
        }
        None => {
            refuse!("{asks} Then reply with this line, or send it as the Subject of a mail:\n\n    {full}")
        }
    }
}

/// Says how to reach the operator, and keeps a report with a reason for `admin reports`.
fn to_operator(
    ctx: &mut Context<'_>,
    by: &Actor,
    asker: Option<&Account>,
    PlainWish { at, text, .. }: &PlainWish,
) -> Result<Event, CommandError> {
    let board = at.map(|at| Board::load(ctx.store, at.board)).transpose()?.flatten();
    let opponent = |player: PlayerId| {
        let seat = board.as_ref()?.seat_of(player)?;
        Some(*seat.other().of(&board.as_ref()?.row.players))
    };
    let other = asker.and_then(|account| opponent(account.id));
    let reason = reported(text).filter(|_| by.proven().is_ok());
    if let (Some(reason), Some(account)) = (&reason, asker) {
        if let Some(until) = ctx.spend(ctx.limits.messages(), &account.userid.key())? {
            return refuse!("That is a lot for a day. Report it again after {}.", ctx.time(until)?);
        }
        let (board, player) = (at.map(|at| at.board), Some(account.id));
        let act = NewAct { board, player, other, ..NewAct::of(ActKind::Report) };
        ctx.store.add_act(&act, "", reason, ctx.now)?;
    }
    let other = other.map(|player| ctx.store.player_by_id(player)).transpose()?;
    let other = other.map_or("OPPONENT".to_owned(), |account| account.userid.to_string());
    let thread = ctx.thread(at.map(|at| at.board))?;
    Ok(Event::page("to-operator.md", context! { other, reported => reason.is_some() }, thread))
}
