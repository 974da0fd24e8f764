//! Challenges: two players, the terms of the game, and the challenger.
//!
//! ```text
//! game challenge [options] userid1 userid2      (`robot` with --level=N is `robot-N`)
//! game challenge [options] userid address
//! game challenge -from=board[#ply] [options] userid1 userid2
//! ```

use turnpost_games::GameKind;

use crate::board::{Board, Terms};
use crate::commands::opening::{challenged, may_play, open_board, two_players};
use crate::commands::prelude::*;
use crate::commands::set_up::{bad_setup, set_up, terms_of};
use crate::credentials::Actor;
use crate::credentials::claim::must_be_a_person;
use crate::ids::{Seat, Userid};
use crate::language::options::{board_options, no_level};
use crate::language::values::{BoardAndPly, read_address, written_ply};
use crate::language::{BoardOptions, ROBOT, WriterPlace, robot_userid};
use crate::mail::{Operator, Proof};
use crate::play::at_board::{self, no_such_ply};
use crate::store::AccountRole;

#[derive(Debug, Clone)]
pub struct Challenge {
    pub game: &'static GameKind,
    pub options: BoardOptions,
    /// The player with the first seat; `None` for the writer.
    pub first: Option<Userid>,
    pub second: Userid,
    /// The line names `robot` without a level.
    pub any_level: bool,
    /// The old board to start from: its current position, or the position after a ply.
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

/// A challenge to a person who might not have an account.
#[derive(Debug, Clone)]
pub struct Invite {
    pub game: &'static GameKind,
    pub options: BoardOptions,
    /// `None` asks for a link that the player can hand on.
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
    summary: "starts a game at once; the first name has the first move",
    details: "You must be one of the two players. You can leave your own name out, and then you have the first \
              move: `GAME challenge robot`. An address in place of the second name invites a friend without an \
              account: `help invite`.\n\nThe game's own options are on its help page. These options work in \
              every game. `-position=\"...\"` starts from a position text, and `-from=12#9` from board 12 after \
              move 9, unrated. `--nagtime=D` sets the days until a reminder (7), `--forfeittime=D` the days \
              until the player to move loses (21), and `--totaltime=D` the days for all moves of a player (no \
              limit). 0 means never. `-clock=20d+36h` replaces them by a bank of 20 days for all moves of a \
              player, and each move gives 36 hours back. `--unrated` keeps the game out of the ratings. `--lots` \
              draws lots for the first move. `--swap` lets the second player answer the first move with `swap`, \
              which some games always allow. `-nograce` lets no move be taken back without consent.\n\n`robot` in place of a name is the robot, and --level=N says how \
              well it plays: a beginner can beat level 1. `robot-5` is the robot at level 5. If you name no \
              level, you play level 1, unrated and on the tutorial's board, until you have finished three games; \
              after that you play level 3. `help robot` has the levels of each game. A player with a game in \
              play cannot start another of the same kind from a given position: it could be used to ask for \
              advice.",
    example: "GAME challenge ann bob",
    operands: 2,
    writer: WriterPlace::Named(
        "Nothing in this letter proves who wrote it, so the name of the second player is missing at the end. In \
        full:",
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
        let [second] = named(args, level, ["the name of the second player"])?;
        (None, second)
    } else {
        let [first, second] = players(args, level)?;
        (Some(first), second)
    };
    Ok(Command::Challenge(Challenge { game, options, first, second, any_level, from }))
}

/// Reads `-from=12#9`, or `12#9` alone: no userid begins with a digit.
fn old_board(word: &str) -> Option<Result<BoardAndPly, String>> {
    let named = word.split_once('=').filter(|(name, _)| name.eq_ignore_ascii_case(FROM));
    let is_bare = word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('@');
    named.map(|(_, old)| old).or(is_bare.then_some(word)).map(str::parse)
}

/// Reads two userids; `robot` means the robot at `level`.
pub(crate) fn players(args: &mut Args, level: Option<u8>) -> Result<[Userid; 2], ArgumentError> {
    named(args, level, ["the name of the first player", "the name of the second player"])
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
    players.try_into().map_err(|_| ArgumentError::at_end("the name of a player is missing at the end"))
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
            return refuse!("You are {second}, and the name of the second player is missing at the end.");
        }
        None => by.player()?.userid.clone(),
    };
    let mut players = two_players(ctx, &[first, second])?;
    let by = challenger(ctx, by, &players)?;
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
        // Keep the note to one line: the mail of a first game is already a page long.
        let note = "Your first three games are unrated and easy; `--level=3` is harder.";
        update.notes.push(note.to_owned());
    }
    Ok(event)
}

/// The terms of an unrated game that starts from a position of an old board.
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
        return Err(bad_setup(format!("after move {ply} the game is over")).into());
    }
    Ok(Terms { position: past.table.position(), ..terms_of(game, options) })
}

/// The level that a beginner can beat.
pub(crate) const EASIEST: u8 = 1;

/// A challenge of the robot without a level is an easy game until the player has finished this many games.
pub(crate) const EASY_GAMES: u32 = 3;

/// Fills in the tutorial's values for options that a challenge of the robot leaves open.
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

/// The challenger's seat; `None` if the operator or an organiser challenges for others. The sender's address
/// is enough proof, because the other player can decline.
pub(crate) fn challenger(
    ctx: &mut Context<'_>,
    by: &Actor,
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
    // An organiser can start a game between two other players, so the letter must prove the organiser.
    for speaker in speakers {
        if ctx.store.role(speaker.id)? == AccountRole::Organiser {
            if !ctx.writer.proves(speaker.id) {
                return refuse!(
                    "An organiser who starts a game for others must be proven. Reply to this mail with the same line."
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
