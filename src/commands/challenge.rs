//! Starting a board.
//!
//! ```text
//! game challenge [options] userid1 userid2      (`robot` with --level=N is `robot-N`)
//! game challenge [options] userid address
//! game challenge -from=board[#ply] [options] userid1 userid2
//! ```

use turnpost_games::GameKind;

use crate::board::{self, Board, Terms};
use crate::commands::prelude::*;
use crate::commands::set_up::{bad_setup, set_up, terms_of};
use crate::credentials::Actor;
use crate::credentials::claim::must_be_a_person;
use crate::failure::hint;
use crate::ids::{Seat, Userid};
use crate::language::args::{BoardAndPly, read_address, written_ply};
use crate::language::options::{board_options, no_level};
use crate::language::{BoardOptions, ROBOT, WriterPlace, robot_userid};
use crate::mail::{Operator, Proof};
use crate::notices::board_update::{BoardEvent, BoardStep};
use crate::play::at_board::{self, AtBoard, no_such_ply, passed, record};
use crate::play::{answers, robot_opponent};
use crate::store::{AccountRole, PlayerId};

/// Boards of a player without a move, beyond which letters that prove nothing start no more.
const UNMOVED_BOARDS: u32 = 10;

#[derive(Debug, Clone)]
pub struct Challenge {
    pub game: &'static GameKind,
    pub options: BoardOptions,
    /// Sits on the first seat; `None` for the writer.
    pub first: Option<Userid>,
    pub second: Userid,
    /// It names the robot and no level.
    pub any_level: bool,
    /// An old board to begin from; as it stands, or after a ply.
    pub from: Option<BoardAndPly>,
}

impl Parameters for Challenge {
    fn line(&self, word: &str) -> String {
        let robot = robot_userid(None).filter(|_| self.any_level);
        let players = self.first.iter().chain([&self.second]);
        let players =
            players.map(|player| if Some(player) == robot.as_ref() { ROBOT } else { player.as_str() });
        let from = self.from.as_ref().map(|old| format!("{FROM}={}", written_ply(old.board, old.ply)));
        Written::new(self.game, word).and(from).and(self.options.words()).and(players).end()
    }
}

/// A challenge of a person who might have no account.
#[derive(Debug, Clone)]
pub struct Invite {
    pub game: &'static GameKind,
    pub options: BoardOptions,
    /// `None` for a link to hand on.
    pub address: Option<String>,
}

impl Parameters for Invite {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and(self.options.words()).and(&self.address).end()
    }
}

const FROM: &str = "-from";

pub(crate) const CHALLENGE: Entry = Entry {
    by: Needs::Named,
    starts: true,
    aliases: &["chall", "replay"],
    summary: "starts a board at once; userid1 has the first move",
    details: "From mail, the sender must be one of the two; your own userid may be left out, and you have the first move \
              then: `GAME challenge robot`. The game's own options are on its help page. Those of every \
              game: `-position=\"...\"` starts from a position text, and `-from=12#9` from board 12 after ply 9, unrated; `--nagtime=D` days until a reminder (7), \
              `--forfeittime=D` days until the player to move loses (21), `--totaltime=D` days for all of a player's moves \
              (none), each with 0 for never; `-clock=20d+36h` in their place a bank of 20 days for all of a player's moves, to \
              which each move gives 36 hours back; `--unrated` keeps the board out of the ratings; `--lots` draws who is \
              first; `--swap` lets the second player answer ply 1 with `swap`, which some games do anyway. `robot` in place \
              of a userid is the robot: --level=N says how well it plays, from 1 (a beginner can beat it) up. Where it is \
              not given, it is 1 and the game unrated, on the tutorial's board, until you have finished three games, and 3 \
              after that. `robot-5` is the robot at level 5; each level has a rating of its own, which was measured and \
              stays. `help robot` names the levels of each game.\n\nThe robot \
              answers in the answer to your move, or, at the highest levels, in a mail that follows. It agrees to no draws, \
              lets you take back a ply in unrated games, and takes no seeks. Nobody plays more than a few \
              games with it at once. Nobody who has a game in play starts another of the same kind from a given position, \
              against anybody: it could be used to ask for advice.\n\nAn address in place of the second userid invites \
              somebody who has no account: `help invite`.",
    example: "GAME challenge ann bob",
    operands: 2,
    writer: WriterPlace::Named(
        "Nothing in this letter proves who wrote it, so the userid of the second player is missing at the end. In full:",
    ),
    ..Entry::of_game("challenge", "[options] userid1 userid2", read)
};

pub(crate) fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let (game, place) = (args.game, args.place());
    let from = args.extract(old_board)?.pop();
    let mut options = board_options(args)?;
    let mut addresses =
        args.extract(|word| word.contains('@').then(|| read_address(word).map_err(str::to_owned)))?;
    if from.is_some() && !(options.game.is_empty() && options.position.is_none() && addresses.is_empty()) {
        let why =
            "a game from an old board takes its position from there, only days as options, and no address";
        return Err(ArgumentError::at_end(why));
    }
    if let Some(address) = addresses.pop() {
        if !addresses.is_empty() {
            return Err(ArgumentError::at_end("one address is invited at a time"));
        }
        let options = no_level(options)?;
        args.writer_by_name(place)?;
        return Ok(Command::Invite(Invite { game, options, address: Some(address) }));
    }
    let level = options.level.take();
    let any_level = level.is_none() && from.is_none() && args.holds(ROBOT);
    let (first, second) = if args.leaves_writer_out() {
        args.means_writer(place, "")?;
        let [second] = named(args, level, ["the userid of the second player"])?;
        (None, second)
    } else {
        let [first, second] = players(args, level)?;
        (Some(first), second)
    };
    Ok(Command::Challenge(Challenge { game, options, first, second, any_level, from }))
}

/// `-from=12#9`, or `12#9` alone: no userid begins with a digit.
fn old_board(word: &str) -> Option<Result<BoardAndPly, String>> {
    let named = word.split_once('=').filter(|(name, _)| name.eq_ignore_ascii_case(FROM));
    let is_bare = word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('@');
    named.map(|(_, old)| old).or(is_bare.then_some(word)).map(str::parse)
}

/// Two userids; `robot` is the robot at `level`.
pub(crate) fn players(args: &mut Args, level: Option<u8>) -> Result<[Userid; 2], ArgumentError> {
    named(args, level, ["the userid of the first player", "the userid of the second player"])
}

fn named<const N: usize>(
    args: &mut Args,
    level: Option<u8>,
    what: [&str; N],
) -> Result<[Userid; N], ArgumentError> {
    let mut players = Vec::new();
    for what in what {
        players.push(args.userid(what)?);
    }
    let mut named = 0;
    for player in &mut players {
        if player.as_str().eq_ignore_ascii_case(ROBOT)
            && let Some(robot) = robot_userid(level)
        {
            *player = robot;
            named += 1;
        }
    }
    if level.is_some() && named == 0 {
        return Err(ArgumentError::at_end("--level is for a game against `robot`"));
    }
    players.try_into().map_err(|_| ArgumentError::at_end("the userid of a player is missing at the end"))
}

pub(crate) fn signed_off(userid: Userid) -> Refusal {
    refusal!("{userid} has signed off and takes no new challenges.")
}

pub(crate) fn challenge(
    ctx: &mut Context<'_>,
    by: &Actor,
    command: Challenge,
) -> Result<Event, CommandError> {
    let Challenge { game, mut options, first, second, any_level, from } = command;
    let first = match first {
        Some(first) => first,
        None if by.player()?.userid == second => {
            return refuse!("You are {second}, and the userid of the second player is missing at the end.");
        }
        None => by.player()?.userid.clone(),
    };
    let mut players = two_players(ctx, &[first, second])?;
    let by = challenger(ctx, by, game, &players)?;
    let new_here = match by.filter(|_| any_level) {
        Some(seat) => ctx.store.boards_finished(seat.of(&players).id, game.key)? < EASY_GAMES,
        None => false,
    };
    if new_here {
        make_easy(ctx, game, &mut options, &mut players)?;
    }
    may_play(ctx, game, &players, by.as_slice())?;
    let terms = match &from {
        Some(old) => terms_from(ctx, game, old, &options)?,
        None => set_up(ctx, game, &options)?,
    };
    let mut event = open_board(ctx, game, players, by.as_slice(), terms)?;
    if let Event::Board(update, _) = &mut event
        && new_here
    {
        // The line has no room for more, and the mail of a first game is a page.
        let note = "Your first three games are unrated; `--level=1` is rated.";
        update.notes.push(note.to_owned());
    }
    Ok(event)
}

/// The terms of an unrated game from a position of an old one.
fn terms_from(
    ctx: &Context<'_>,
    game: &'static GameKind,
    old: &BoardAndPly,
    options: &BoardOptions,
) -> Result<Terms, CommandError> {
    let board = at_board::board(ctx, game, old.board)?;
    let ply = old.ply.unwrap_or(board.row.plies);
    if ply > board.row.plies {
        return Err(no_such_ply(old.board, board.row.plies).into());
    }
    let past = Board::past(old.board, &ctx.store.events(old.board)?, ply)?;
    if past.table.ended().is_some() {
        return Err(bad_setup(format!("after ply {ply} the game is over")).into());
    }
    Ok(Terms { position: past.table.position(), ..terms_of(game, options) })
}

/// A beginner can beat it.
pub(crate) const EASIEST: u8 = 1;

/// Number of finished games before a challenge of the robot without a level is no longer an easy game.
pub(crate) const EASY_GAMES: u32 = 3;

/// Makes what a challenge of the robot leaves open as in the tutorial.
fn make_easy(
    ctx: &Context<'_>,
    game: &'static GameKind,
    options: &mut BoardOptions,
    players: &mut [Account; 2],
) -> Result<(), CommandError> {
    options.unrated = true;
    if options.game.is_empty() && options.position.is_none() {
        options.game = game.easy_options();
    }
    for player in players.iter_mut().filter(|player| player.id.is_robot()) {
        if let Some(robot) = robot_userid(Some(EASIEST)) {
            *player = challenged(ctx, &robot)?;
        }
    }
    Ok(())
}

/// Starts a board that both players want, the second of whom has said so now.
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
    // Both players want this board, so their limits on challenges do not matter.
    may_play(ctx, game, &players, &Seat::BOTH)?;
    open_board(ctx, game, players, &Seat::BOTH, terms)
}

const MAY_DECLINE: &str = "You may decline the game until your first move: reply with \"decline\".";

/// Starts a board between two players who may play. Those on the `agreed` seats wanted it, the last of them just now.
pub(crate) fn open_board(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    mut players: [Account; 2],
    agreed: &[Seat],
    mut terms: Terms,
) -> Result<Event, CommandError> {
    let mut by = agreed.last().copied();
    let challenged = Seat::BOTH.into_iter().filter(|seat| !agreed.contains(seat));
    let challenged: Vec<PlayerId> = challenged.map(|seat| seat.of(&players).id).collect();
    if let Some(seat) = by {
        take_from_budget(ctx, game, seat.of(&players), seat.other().of(&players))?;
    }
    if terms.from_position {
        robot_opponent::may_choose_position(ctx, game, &players, &terms.position)?;
    }
    if terms.lots && ctx.seed() % 2 == 1 {
        players.reverse();
        by = by.map(Seat::other);
    }
    let ids = [players[0].id, players[1].id];
    let zones = ctx.zones(&ids)?;
    terms.players = ids.map(|id| id.0);
    let (mut board, _) = board::start(ctx.store, &terms, ctx.now, by, Some(&zones))?;
    let id = board.row.id;
    // The server passes for a side that has no move, as in play.
    let passes = board.play_passes(ctx.now, &zones);
    record(ctx, &mut board, &passes)?;

    let names = players.map(|player| player.userid.to_string());
    let mut at = AtBoard::new(board, by.unwrap_or(Seat::First), names);
    let mut notes: Vec<String> =
        passes.iter().filter_map(|event| event.seat).map(|seat| passed(game, seat)).collect();
    notes.extend(answers::robot_opens(ctx, &mut at)?);
    // The robot may have changed seats.
    let by = by.map(|_| at.seat);
    if terms.lots {
        notes.push("Lots were drawn for the first move.".to_owned());
    }
    if terms.may_swap {
        let game = game.key;
        notes.push(format!(
            "The second player may answer ply 1 by changing seats: `{game} swap {id} userid password`."
        ));
    }
    if by.is_some() {
        ctx.answer_to(at.player());
    }
    at.notes = Seat::BOTH.map(|seat| {
        let may_decline = challenged.contains(seat.of(&at.board.row.players)).then(|| MAY_DECLINE.to_owned());
        notes.iter().cloned().chain(may_decline).collect()
    });
    at.steps.push(BoardStep::new(BoardEvent::Started, at.seat));
    let update = at_board::tell_as(ctx, at, by)?;
    Ok(Event::Board(Box::new(update), by.map(Seat::index)))
}

pub(crate) fn challenged(ctx: &Context<'_>, userid: &Userid) -> Result<Account, CommandError> {
    let Some(account) = ctx.store.player(userid)?.filter(|account| !account.is_deleted()) else {
        // A password may stand here by mistake.
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

/// Checks blocks, limits and the robot's rules. Players on the `asked` seats wanted this board, so they may have set
/// `reject`.
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

/// The challenger's seat; `None` when the operator or an organiser challenges for others. By mail the sender's
/// address is proof enough: the other player can decline.
pub(crate) fn challenger(
    ctx: &mut Context<'_>,
    by: &Actor,
    game: &'static GameKind,
    players: &[Account; 2],
) -> Result<Option<Seat>, CommandError> {
    if let Actor::Player(writer, _) = by
        && let Some(seat) = Seat::BOTH.into_iter().find(|seat| seat.of(players).id == writer.id)
    {
        return Ok(Some(seat));
    }
    let speakers: Vec<Account> = match &ctx.letter.proof {
        Proof::Operator(Operator::AsAnyone | Operator::Nobody) => return Ok(None),
        Proof::Operator(Operator::As(speaker)) => {
            let speaker = ctx.store.player(speaker)?;
            speaker.iter().try_for_each(must_be_a_person)?;
            speaker.into_iter().collect()
        }
        Proof::Sender | Proof::None => {
            ctx.store.players_at(ctx.letter.sender.as_deref().unwrap_or_default())?
        }
    };
    let is_theirs = |seat: &Seat| speakers.iter().any(|speaker| speaker.id == seat.of(players).id);
    if let Some(seat) = Seat::BOTH.into_iter().find(is_theirs) {
        return Ok(Some(seat));
    }
    // An organiser can set two others to play, so a letter must prove that its writer is one.
    for speaker in speakers {
        if ctx.store.role(speaker.id)? == AccountRole::Organiser {
            if !ctx.writer.proves(speaker.id) {
                let (userid, game) = (speaker.userid, game.key);
                return refuse!(
                    "An organiser who starts a game for others must be proven. Write a command with your password \
                    above it, such as `{game} showas {userid} PASSWORD`."
                );
            }
            ctx.answer_to(speaker.id);
            return Ok(None);
        }
    }
    refuse!(
        "A challenge is sent by one of its two players, and this letter comes from an address of neither. Write from \
        an address you gave at sign-up."
    )
}

/// Takes a board from the challenger's budget.
fn take_from_budget(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    player: &Account,
    opponent: &Account,
) -> Result<(), CommandError> {
    let (userid, key, game) = (player.userid.clone(), player.userid.key(), game.key);
    if !opponent.id.is_robot()
        && let Some(why) = ctx.take_mail(player.id, opponent.id)?
    {
        return refuse!("{why} No game was started.");
    }
    if ctx.writer.proves(player.id) {
        return match ctx.spend(ctx.limits.boards(), &key)? {
            Some(until) => refuse!(
                "{userid} has started as many games as a player may in a day. The next can start after {until}.",
                until = ctx.time(until)?
            ),
            None => Ok(()),
        };
    }
    if ctx.store.unmoved_boards(player.id)? >= UNMOVED_BOARDS {
        ctx.hits(ctx.limits.claimed_boards(), &key);
        return refuse!(
            "{userid} has {UNMOVED_BOARDS} games without a move. Until one comes, a mail must prove who wrote it to start \
            another: write a command with your password above it, such as `{game} showas {userid} PASSWORD`."
        );
    }
    match ctx.spend(ctx.limits.claimed_boards(), &key)? {
        Some(until) => refuse!(
            "{userid} has started as many games today as mails without a password may; the next may after {until}. To \
            start one now, write a command with your password above it, such as `{game} showas {userid} PASSWORD`.",
            until = ctx.time(until)?
        ),
        None => Ok(()),
    }
}

/// Finds both accounts and refuses twice the same.
pub(crate) fn two_players(ctx: &Context<'_>, userids: &[Userid; 2]) -> Result<[Account; 2], CommandError> {
    let [first, second] = userids;
    let players = [challenged(ctx, first)?, challenged(ctx, second)?];
    if players[0].id == players[1].id {
        return refuse!(
            "A game needs two players, and both userids are {userid}.",
            userid = players[0].userid
        );
    }
    Ok(players)
}
