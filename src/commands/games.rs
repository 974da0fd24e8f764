//! Lists boards, one per row.
//!
//! ```text
//! game games [userid ...] [all|active|inactive|next] [option ...] [--before=board]
//! game history [userid ...] [option ...] [--before=board]
//! ```

use jiff::Timestamp;
use minijinja::context;
use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::commands::prelude::*;
use crate::commands::show::listed;
use crate::ids::{BoardId, Userid, Which};
use crate::language::args::Selection;
use crate::language::token::option;
use crate::language::values::word_of;
use crate::mail::{Operator, Proof};
use crate::notices::transcript::data;
use crate::notices::view::{GameRow, game_row};
use crate::store::{BoardFilter, Narrowing};

#[derive(Debug, Clone)]
pub struct Games {
    /// Empty means all games.
    pub games: Vec<&'static GameKind>,
    /// Empty means the boards that `unnamed` selects.
    pub userids: Vec<Userid>,
    pub unnamed: Unnamed,
    pub which: Which,
    pub narrowing: Narrowing,
    /// List only boards below this number.
    pub before: Option<BoardId>,
}

/// Which boards to list if the line names no userid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unnamed {
    /// The writer's boards, if the letter proves the writer.
    Writers,
    Everybodys,
}

impl Parameters for Games {
    fn line(&self, _: &str) -> String {
        let everyone = (self.unnamed == Unnamed::Everybodys).then_some(EVERYONE);
        let before = self.before.map(|board| format!("--before={board}"));
        let (game, games) = match *self.games {
            [game] => (Some(game), &[][..]),
            _ => (None, &*self.games),
        };
        let line = Written::new(game, GAMES_OF.word).and(games.iter().map(|game| game.key)).and(everyone);
        let options = self.narrowing.options().map(|(name, value)| option(name, Some(&value)));
        line.and(&self.userids).and(word_of(self.which)).and(options).and(before).end()
    }

    fn may_be_prose(&self) -> bool {
        self.userids.len() > 1
    }
}

/// A reserved word in the place of a userid: no player can have it as a userid.
const EVERYONE: &str = "everyone";

pub(crate) const GAMES_OF: Entry = Entry {
    aliases: &["list"],
    summary: "lists boards, a row each",
    details: "Each row has the number, the moves, the players, and whose turn it is or the result. The list has \
              the newest 50; `--before` and the last number continues it. Without a name it lists your games if \
              the mail proves who you are, otherwise those of all players. `GAME games everyone` always lists \
              those of all players. `games` without the game's name lists yours of all games.",
    example: "GAME games ann",
    without_game: &["games", "list"],
    ..Entry::of_game("games", "[userid ...] [all|active|inactive|next] [--before=board]", read_games)
};

pub(crate) const HISTORY: Entry = Entry {
    summary: "lists finished games",
    details: "Without a name it lists the finished games of all players; `history` without the game's name lists \
              all kinds of game. `-result=won`, `lost` or `drawn` lists only games that ended so for the player, \
              `-moves=20-40` only games of that length, and `-since=2027-07-01` and `-until=2027-07-31` only games \
              that ended then. `games` takes the same options.",
    example: "GAME history ann",
    without_game: &["history"],
    ..Entry::of_game("history", "[userid ...] [option ...] [--before=board]", read_history)
};

fn read_games(args: &mut Args) -> Result<Command, ArgumentError> {
    let (games, before, narrowing) = (named_games(args)?, before(args)?, narrowing(args)?);
    let unnamed = if args.take(EVERYONE) { Unnamed::Everybodys } else { Unnamed::Writers };
    let Selection { items: userids, which } = args.rest_and_which(|word| {
        word.text.parse::<Userid>().map_err(|_| word.error("a name is expected here"))
    })?;
    Ok(Command::Games(Games { games, userids, unnamed, which, narrowing, before }))
}

fn read_history(args: &mut Args) -> Result<Command, ArgumentError> {
    let (games, before, narrowing) = (named_games(args)?, before(args)?, narrowing(args)?);
    let mut userids = Vec::new();
    while !args.is_empty() {
        userids.push(args.userid("a userid")?);
    }
    let unnamed = Unnamed::Everybodys;
    Ok(Command::Games(Games { games, userids, unnamed, which: Which::Inactive, narrowing, before }))
}

/// Reads the game before the command and those after it: `list hex chess`.
fn named_games(args: &mut Args) -> Result<Vec<&'static GameKind>, ArgumentError> {
    let mut games = args.extract(|word| registry::find(word).map(Ok))?;
    games.extend(args.named_game());
    Ok(games)
}

/// Reads `--before=42` anywhere in the line.
fn before(args: &mut Args) -> Result<Option<BoardId>, ArgumentError> {
    let found = args.extract(|word| {
        let (name, number) = word.split_once('=')?;
        name.eq_ignore_ascii_case("--before").then(|| {
            number.parse::<BoardId>().map_err(|_| "a board's number is expected after the `=`".to_owned())
        })
    })?;
    Ok(found.last().copied())
}

/// Reads `-result=won` and such anywhere in the line.
fn narrowing(args: &mut Args) -> Result<Narrowing, ArgumentError> {
    let mut narrowing = Narrowing::default();
    args.extract(|word| {
        let (name, value) = word.strip_prefix('-')?.split_once('=')?;
        narrowing.set(name.trim_start_matches('-'), value)
    })?;
    Ok(narrowing)
}

const ROWS_AT_MOST: u32 = 50;

pub(crate) fn games(ctx: &mut Context<'_>, command: Games) -> Result<Event, CommandError> {
    let mut command = command;
    if command.userids.is_empty() && command.unnamed == Unnamed::Writers {
        command.userids.extend(reader(ctx, &command.games)?);
    }
    if let [game] = *command.games {
        return Ok(Event::page("games.md", data(&list(ctx, game, &command)?.of(game)), None));
    }
    let is_asked = |game: &&&GameKind| {
        command.games.is_empty() || command.games.iter().any(|named| named.key == game.key)
    };
    let mut lists = BoardLists::default();
    for game in registry::games().iter().filter(is_asked) {
        lists.add(game, list(ctx, game, &command)?);
    }
    Ok(Event::page("list.md", context! { lists => data(&lists.shown()) }, None))
}

/// A list of boards as `games.txt` shows it.
#[derive(Debug, Clone, Serialize)]
struct BoardList {
    /// The title without the game's name.
    title: String,
    rows: Vec<GameRow>,
    /// The command that lists more.
    more: Option<String>,
}

impl BoardList {
    fn of(self, game: &GameKind) -> BoardList {
        BoardList { title: format!("{} {}", game.name, self.title), ..self }
    }
}

/// One list for each game that has boards. If no game has any, a single list says so.
#[derive(Debug, Default)]
struct BoardLists {
    found: Vec<BoardList>,
    none: Vec<BoardList>,
}

impl BoardLists {
    fn add(&mut self, game: &GameKind, list: BoardList) {
        if !list.rows.is_empty() {
            self.found.push(list.of(game));
        } else if !self.none.iter().any(|none| none.title == list.title) {
            self.none.push(list);
        }
    }

    fn shown(self) -> Vec<BoardList> {
        let all = |list: BoardList| BoardList { title: format!("All {}", list.title), ..list };
        if self.found.is_empty() { self.none.into_iter().map(all).collect() } else { self.found }
    }
}

/// The player who asks. With a game's name, the letter must prove the player; else everybody's boards are
/// listed.
fn reader(ctx: &Context<'_>, games: &[&GameKind]) -> Result<Option<Userid>, CommandError> {
    if let Proof::Operator(Operator::As(speaker)) = &ctx.letter.proof {
        return Ok(Some(speaker.clone()));
    }
    let player = if games.is_empty() { ctx.player()? } else { ctx.writer.player() };
    Ok(player.map(|player| ctx.store.player_by_id(player)).transpose()?.map(|account| account.userid))
}

/// The boards of one game, as `games.txt` shows them.
fn list(ctx: &Context<'_>, game: &'static GameKind, command: &Games) -> Result<BoardList, CommandError> {
    let Games { userids, which, before, narrowing, .. } = command;
    let (which, before, narrowing) = (*which, *before, *narrowing);
    let (game_key, limit) = (Some(game.key.to_owned()), ROWS_AT_MOST + 1);
    let mut filter = BoardFilter { game: game_key, player: None, which, limit, before, narrowing };
    let mut boards = Vec::new();
    if userids.is_empty() {
        boards = ctx.store.boards(&filter)?;
    }
    let mut of = Vec::new();
    for userid in userids {
        let player = listed(ctx, userid)?;
        filter.player = Some(player);
        boards.extend(ctx.store.boards(&filter)?);
        of.push(ctx.store.player_by_id(player)?.userid.to_string());
    }
    boards.sort_by_key(|row| std::cmp::Reverse(row.id));
    boards.dedup_by_key(|row| row.id);
    let more = boards.len() > ROWS_AT_MOST as usize;
    boards.truncate(ROWS_AT_MOST as usize);
    let last = boards.last().filter(|_| more).map(|row| row.id);
    if let [_] = userids.as_slice() {
        // The sort is stable: boards without a deadline stay at the end, newest first.
        boards.sort_by_key(|row| row.deadline_at.map_or(i64::MAX, Timestamp::as_second));
    }
    let rows = boards.iter().map(|row| game_row(ctx.store, row, game.seats)).collect::<Result<_, _>>()?;
    let state = match which {
        Which::All => "",
        Which::Active => " in play",
        Which::Inactive => " that are over",
        Which::Next => " waiting for a move",
    };
    let more = last.map(|last| Games { games: vec![game], before: Some(last), ..command.clone() }.line(""));
    let of = if of.is_empty() { String::new() } else { format!(" of {}", of.join(" and ")) };
    let options: String = narrowing.options().map(|(name, value)| format!(", {name} {value}")).collect();
    Ok(BoardList { title: format!("games{of}{state}{options}"), rows, more })
}
