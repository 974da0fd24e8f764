//! Starts a board between two players: checks whom one can challenge, takes it from the budget, sends the
//! first mails.

use turnpost_games::GameKind;

use crate::board::{self, Terms};
use crate::commands::prelude::*;
use crate::commands::set_up::{bad_setup, set_up};
use crate::failure::hint;
use crate::ids::{Seat, Userid};
use crate::language::BoardOptions;
use crate::notices::board_update::{BoardEvent, BoardStep};
use crate::play::at_board::{self, AtBoard, record};
use crate::play::plies::{forced, play_ply};
use crate::play::{answers, dice, robot_opponent};
use crate::store::PlayerId;

/// If a player has this many boards without a move, unproven letters start no more.
const UNMOVED_BOARDS: u32 = 10;

pub(crate) fn signed_off(userid: Userid) -> Refusal {
    refusal!("{userid} has signed off and takes no new challenges.")
}

/// Starts a board that both players want; the second has just agreed.
pub(crate) fn agreed(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    [first, second]: [PlayerId; 2],
    options: &BoardOptions,
) -> Result<Event, CommandError> {
    let first = challenged(ctx, &ctx.store.player_by_id(first)?.userid)?;
    let second = challenged(ctx, &ctx.store.player_by_id(second)?.userid)?;
    let terms = set_up(ctx, game, options)?;
    let players = [first, second];
    // Both players want this board, so their `reject` settings do not apply.
    may_play(ctx, game, &players, &Seat::BOTH)?;
    open_board(ctx, game, players, &Seat::BOTH, terms)
}

const MAY_DECLINE: &str = "You may decline the game until your first move: reply `decline`.";

/// Starts a board between two players who are allowed to play. Players on the `agreed` seats wanted it; the
/// last of these seats has just acted.
pub(crate) fn open_board(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    players: [Account; 2],
    agreed: &[Seat],
    terms: Terms,
) -> Result<Event, CommandError> {
    open_board_after(ctx, game, players, agreed, terms, &[])
}

/// Like [`open_board`], for a game of which some plies, passes among them, have been played elsewhere.
pub(crate) fn open_board_after(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    mut players: [Account; 2],
    agreed: &[Seat],
    terms: Terms,
    plies: &[String],
) -> Result<Event, CommandError> {
    let mut by = agreed.last().copied();
    let challenged = Seat::BOTH.into_iter().filter(|seat| !agreed.contains(seat));
    let challenged: Vec<PlayerId> = challenged.map(|seat| seat.of(&players).id).collect();
    if let Some(seat) = by {
        // A ladder limits its challenges itself, and blocks do not stop them.
        let (player, opponent) = (seat.of(&players), seat.other().of(&players));
        let is_of_a_contest = terms.contest.is_some();
        // The server offers these boards itself.
        let is_free = terms.tutorial || is_of_a_contest && opponent.id.is_robot();
        if !is_free && !is_between_friends(ctx, player, opponent)? {
            take_from_budget(ctx, player, Some(opponent).filter(|_| !is_of_a_contest))?;
        }
    }
    if terms.from_position {
        robot_opponent::may_choose_position(ctx, game, &players, &terms.position)?;
    }
    // The second player's word binds the dice, so that player is neither the robot nor the challenger.
    let has_to_change = match [players[0].id, players[1].id].map(PlayerId::is_robot) {
        [false, true] => true,
        [true, false] => false,
        _ => agreed == [Seat::Second] && terms.contest.is_none(),
    };
    let changes = if game.dice { has_to_change } else { terms.lots && ctx.seed() % 2 == 1 };
    if changes {
        players.reverse();
        by = by.map(Seat::other);
    }
    let ids = [players[0].id, players[1].id];
    let zones = ctx.zones(&ids)?;
    let terms = terms.between(game, ids).map_err(|why| bad_setup(why.to_string()))?;
    let (mut board, start) = board::start(ctx.store, &terms, ctx.now, by, Some(&zones))?;
    let dice = dice::begin(ctx, &mut board, start, (by, terms.salt.as_deref()))?;
    record(ctx, &mut board, &dice)?;
    // The server passes for a side without a move, as during play.
    let passes = board.play_passes(ctx.now, &zones);
    record(ctx, &mut board, &passes)?;
    let mut played = Vec::new();
    while let Some(ply) = plies.get(board.row.plies.0 as usize) {
        let mover = *board.table.turn().of(&board.row.players);
        play_ply(&mut board, ply, (Some(mover), ctx.now, &zones), &mut played)?;
    }
    record(ctx, &mut board, &played)?;

    let names = players.map(|player| player.userid.to_string());
    let mut at = AtBoard::new(board, by.unwrap_or(Seat::First), names);
    let mut notes: Vec<String> =
        passes.iter().filter_map(|event| Some(forced(game, event.seat?, &event.text))).collect();
    notes.extend(answers::robot_opens(ctx, &mut at)?);
    // `robot_opens` might have swapped the seats.
    let by = by.map(|_| at.seat);
    if terms.lots && !game.dice {
        notes.push("Lots were drawn for the first move.".to_owned());
    }
    if terms.may_swap {
        notes.push("The second player can answer the first move by changing seats: reply `swap`.".to_owned());
    }
    if by.is_some() {
        ctx.answer_to(at.player());
    }
    at.notes = Seat::BOTH.map(|seat| {
        // The mail of the player to move says it where it says what a reply can do.
        let is_told =
            at.board.row.to_move != Some(seat) && challenged.contains(seat.of(&at.board.row.players));
        let may_decline = is_told.then(|| MAY_DECLINE.to_owned());
        notes.iter().cloned().chain(may_decline).collect()
    });
    at.steps.push(BoardStep::new(BoardEvent::Started, at.seat));
    let update = at_board::tell_as(ctx, at, by)?;
    Ok(Event::Board(Box::new(update), by.map(Seat::index)))
}

pub(crate) fn challenged(ctx: &Context<'_>, userid: &Userid) -> Result<Account, CommandError> {
    let Some(account) = ctx.store.player(userid)?.filter(|account| !account.is_deleted()) else {
        // A player might have typed a password here by mistake, so mask it.
        let (named, near) = (ctx.proofs.mask(userid.as_str()), ctx.nearest(userid)?);
        return refuse!("There is no player {named}.{}", hint(&near));
    };
    if account.is_signed_off() {
        return Err(signed_off(account.userid).into());
    }
    if account.suspended.is_some() {
        return refuse!("{userid} is suspended and takes no new challenges.", userid = account.userid);
    }
    if !account.id.is_robot() && ctx.store.addresses(account.id)?.confirmed().next().is_none() {
        return refuse!(
            "No mail reaches {userid} yet, who has confirmed no address. A game can begin after that.",
            userid = account.userid
        );
    }
    Ok(account)
}

/// Checks blocks, limits and the robot's rules; see [`have_room`].
pub(crate) fn may_play(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
    asked: &[Seat],
) -> Result<(), CommandError> {
    let [one, two] = players;
    if ctx.store.is_block_between(one.id, two.id)? {
        let (first, second) = (one.userid.clone(), two.userid.clone());
        return refuse!("There is a block between {first} and {second}. No game was started.");
    }
    have_room(ctx, game, players, asked)
}

/// Checks limits and the robot's rules. The `reject` setting does not apply to players on the `asked`
/// seats, who wanted this board.
pub(crate) fn have_room(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
    asked: &[Seat],
) -> Result<(), CommandError> {
    robot_opponent::robot_may_play(ctx, game, players)?;
    for seat in Seat::BOTH {
        let player = seat.of(players);
        let userid = player.userid.clone();
        let set = ctx.store.game_settings(player.id, game.key)?;
        if set.rejects && !asked.contains(&seat) {
            return refuse!("{userid} takes no challenges to {game}.", game = game.name);
        }
        if ctx.store.is_at_the_limit(player.id, game.key)? {
            return refuse!("{userid} plays as many games of {game} as they want at once.", game = game.name);
        }
    }
    Ok(())
}

/// Two players who have finished this many boards with each other are friends.
const FRIENDS_AFTER: u32 = 5;

/// True if the board is one of the day's boards between friends. Charges it to their budget.
fn is_between_friends(ctx: &mut Context<'_>, one: &Account, two: &Account) -> Result<bool, CommandError> {
    if two.id.is_robot() || ctx.store.boards_finished_between(one.id, two.id)? < FRIENDS_AFTER {
        return Ok(false);
    }
    let mut pair = [one.userid.key(), two.userid.key()];
    pair.sort();
    Ok(ctx.spend(ctx.limits.friend_boards(), &pair.join(" "))?.is_none())
}

/// Charges a board to the challenger's budget, and its first mail to that of mails to `mailed`.
fn take_from_budget(
    ctx: &mut Context<'_>,
    player: &Account,
    mailed: Option<&Account>,
) -> Result<(), CommandError> {
    let (userid, key) = (player.userid.clone(), player.userid.key());
    if let Some(opponent) = mailed.filter(|opponent| !opponent.id.is_robot())
        && let Some(why) = ctx.take_mail(player.id, opponent.id)?
    {
        return refuse!("{why} No game was started.");
    }
    if ctx.writer.proves(player.id) {
        return match ctx.spend(ctx.limits.boards(), &key)? {
            Some(until) => refuse!(
                "{userid} has started as many games as a player can in a day. The next can start after {until}.",
                until = ctx.time(until)?
            ),
            None => Ok(()),
        };
    }
    if ctx.store.unmoved_boards(player.id)? >= UNMOVED_BOARDS {
        ctx.hits(ctx.limits.claimed_boards(), &key);
        return refuse!(
            "{userid} has {UNMOVED_BOARDS} games without a move. Until one comes, a mail must prove who wrote it to start \
            another: reply to this one with the same line."
        );
    }
    match ctx.spend(ctx.limits.claimed_boards(), &key)? {
        Some(until) => refuse!(
            "{userid} has started as many games today as mails without a password can. The next can start after \
             {until}. To start one now, reply to this mail with the same line.",
            until = ctx.time(until)?
        ),
        None => Ok(()),
    }
}

/// Finds both accounts; refuses if they are the same.
pub(crate) fn two_players(ctx: &Context<'_>, userids: &[Userid; 2]) -> Result<[Account; 2], CommandError> {
    let [first, second] = userids;
    let players = [challenged(ctx, first)?, challenged(ctx, second)?];
    if players[0].id == players[1].id {
        return refuse!("A game needs two players, and both names are {userid}.", userid = players[0].userid);
    }
    Ok(players)
}
