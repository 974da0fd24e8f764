//! Reads a reply to a mail about contests: moves on the reader's boards, or a word such as `table` or `leave`.
//!
//! A line that begins with the number of a board is a turn on that board. Each turn of a reply stands alone, as the
//! commands of a letter do.

use turnpost_games::registry;

use crate::commands::contest::{EntrantAct, LookAtContest, OnContest, ShownTable};
use crate::commands::contest_entry::NamedContest;
use crate::commands::{Command, LANGUAGE};
use crate::contest::forms::Stay;
use crate::contest::terms::slow_league;
use crate::failure::{CommandError, Error, refuse};
use crate::ids::BoardId;
use crate::language::Offered;
use crate::language::greeting::{is_greeting, only_greets};
use crate::language::move_finder::MoveFinder;
use crate::play::Context;
use crate::store::{ContestForm, ContestId, ContestRow, ContestState, PlayerId, Store};

/// How many contests of a player are looked through for the one that a word means.
pub(crate) const CONTESTS: u32 = 50;

/// How many tables answer a `table` that names no contest.
const TABLES: usize = 10;

/// Polite words around a word for the server.
const POLITE: &[&str] = &["please", "thanks", "thank", "you", "the", "from"];

/// A word for a contest, and the words after it, which name the contest.
struct ContestWord {
    word: &'static str,
    surely: bool,
    named: Vec<String>,
}

/// Splits a reply into its turns. A turn is the lines of a board, of which the first begins with the board's number, or
/// a line that is a word alone. Lines above the first turn belong to it, unless they only greet. A reply without such
/// a line is one turn.
fn turns(text: &str) -> Vec<String> {
    let mut turns: Vec<String> = Vec::new();
    let mut above = String::new();
    for line in text.lines() {
        match turns.last_mut() {
            // A word such as `leave` is for the server, not for an opponent.
            _ if numbered(line).is_some() || is_word(line) => turns.push(line.to_owned()),
            Some(turn) => turn.extend(["\n", line]),
            None => above.extend([line, "\n"]),
        }
    }
    match turns.first_mut() {
        Some(first) if !only_greets(&above) => first.extend(["\n", &above]),
        Some(_) => {}
        None => turns.push(above),
    }
    turns
}

/// The number of a board that begins a line, and the move after it: `13 h8`, `#13: h8`, `hex 13 h8`.
pub(crate) fn numbered(line: &str) -> Option<(BoardId, &str)> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let mut rest = line.trim_start_matches(is_mark);
    let (first, behind) = rest.split_once(|c: char| c.is_whitespace() || c == '#').unwrap_or((rest, ""));
    let is_label = ["board", "game"].iter().any(|word| first.eq_ignore_ascii_case(word))
        || registry::find(&first.to_lowercase()).is_some();
    if is_label {
        rest = behind.trim_start_matches(is_mark);
    }
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    let (number, behind) = rest.split_at_checked(end)?;
    let parted = behind.trim_start_matches([':', '.', ')', ',']);
    let is_apart = parted.len() < behind.len() || behind.starts_with(char::is_whitespace);
    let turn = parted.trim_start_matches(|c: char| c.is_whitespace() || c == '-').trim_end();
    // `3 cheers` is no turn, but `3 z99` is one, though a wrong one. A move between numbered spaces can have blanks.
    let finder = MoveFinder::of_any_game();
    let is_square = || !turn.contains(' ') && turn.contains(|c: char| c.is_ascii_digit());
    let is_numbered = || turn.chars().all(|c| c.is_ascii_digit() || " -x:".contains(c));
    let is_move = || finder.is_moves_only(turn) || !finder.named(turn).is_empty();
    let is_roll = || {
        let entry = LANGUAGE.of_reply(turn.split(' ').next().unwrap_or_default());
        entry.is_some_and(|entry| entry.offered == Offered::WithDice)
    };
    let is_turn = is_label || is_square() || is_numbered() || is_move() || is_roll();
    let board = number.parse().ok().filter(|_| is_apart && is_turn && !turn.is_empty())?;
    Some((board, turn))
}

/// True if the line is a word for a contest, alone or with polite words.
fn is_word(line: &str) -> bool {
    read(line).is_some_and(|word| word.named.is_empty())
}

/// True if a line of the reply is a move of some game, with or without the number of a board.
pub(crate) fn is_a_move(text: &str) -> bool {
    let finder = MoveFinder::of_any_game();
    text.lines().any(|line| finder.is_moves_only(numbered(line).map_or(line, |(_, turn)| turn)))
}

/// True if the reply holds a word or a move for the server, as only a person's does.
pub(crate) fn is_meant(text: &str) -> bool {
    is_a_move(text) || read(text).is_some()
}

/// Reads the word in the first line that does more than greet, and the words after it.
fn read(text: &str) -> Option<ContestWord> {
    let is_said = |word: &&str| !word.is_empty() && !POLITE.contains(word) && !is_greeting(word);
    let said = |line: &str| -> Vec<String> {
        let line = line.to_lowercase();
        let words = line.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        words.filter(is_said).map(str::to_owned).collect()
    };
    let line = text.lines().filter(|line| !only_greets(line)).map(said).find(|words| !words.is_empty())?;
    let mut words = line.iter().map(String::as_str);
    let first = words.next()?;
    let word = ["join", "leave", "table", "withdraw"].into_iter().find(|word| *word == first)?;
    let (surely, named): (Vec<&str>, Vec<&str>) = words.partition(|said| *said == "surely");
    let named = named.into_iter().map(str::to_owned).collect();
    Some(ContestWord { word, surely: !surely.is_empty(), named })
}

/// A contest that a mail told of: as the commands name it, and its own name, such as that of a season.
struct ToldContest {
    of: NamedContest,
    name: String,
}

impl ToldContest {
    fn of(row: ContestRow) -> Option<ToldContest> {
        let game = registry::find(&row.game)?;
        let of = match row.form {
            ContestForm::Event => NamedContest::event(game, row.name.clone()),
            ContestForm::League | ContestForm::Season => {
                NamedContest { game, form: ContestForm::League, name: row.league_name().to_owned() }
            }
            ContestForm::Ladder => NamedContest::of_game(game, row.form),
        };
        Some(ToldContest { of, name: row.name })
    }

    fn is_slow(&self) -> bool {
        self.of.name == slow_league(self.of.game.key)
    }

    /// True if the word names the contest, its game or its form.
    fn fits(&self, word: &str) -> bool {
        let names = [&self.name, &self.of.name];
        names.iter().any(|name| name.eq_ignore_ascii_case(word))
            || self.of.game.answers_to(word)
            || self.of.form.as_str() == word
            || self.is_slow() && word == "slow"
    }
}

/// The contests that a word can mean in reply to a mail about this contest; a league and its season are one.
fn told(store: &Store, player: PlayerId, contest: ContestId, word: &str) -> Result<Vec<ToldContest>, Error> {
    let rows = match (contest, word) {
        (ContestId::SEVERAL, "leave" | "withdraw") => store.contests_with(player, CONTESTS)?,
        (ContestId::SEVERAL, _) => store.contests_of(player, CONTESTS)?,
        (contest, _) => return Ok(store.contest(contest)?.and_then(ToldContest::of).into_iter().collect()),
    };
    let in_play = rows.into_iter().filter(|row| row.state != ContestState::Closed);
    let mut told: Vec<ToldContest> = Vec::new();
    for one in in_play.filter_map(ToldContest::of) {
        let gives_up = word != "withdraw" || one.of.form != ContestForm::Ladder;
        if gives_up && told.iter().all(|known| known.of.name != one.of.name) {
            told.push(one);
        }
    }
    Ok(told)
}

/// The turns of a reply. A bare `table` in reply to a mail about several contests is one for each of them.
pub(crate) fn parts(
    store: &Store,
    player: PlayerId,
    contest: ContestId,
    text: &str,
) -> Result<Vec<String>, Error> {
    let is_bare = |said: &ContestWord| said.word == "table" && said.named.is_empty();
    if contest != ContestId::SEVERAL || !read(text).as_ref().is_some_and(is_bare) {
        return Ok(turns(text));
    }
    let told = told(store, player, contest, "table")?;
    Ok(told.iter().take(TABLES).map(|told| format!("table {}", told.of.name)).collect())
}

/// Turns a word in reply to a mail about contests into a command.
pub(crate) fn command(
    ctx: &Context<'_>,
    player: PlayerId,
    contest: ContestId,
    text: &str,
) -> Result<Command, CommandError> {
    let Some(ContestWord { word, surely, named }) = read(text) else {
        return refuse!(
            "Nothing was done. Reply with the board and your move, like `13 h8`, one line for each board, or with one \
            of these words: `table` shows how it stands, `join` and `leave` enter and leave it, `withdraw` gives up \
            your games. Anything else goes to the mails of a board."
        );
    };
    let row = match named.as_slice() {
        [name] => ctx.store.contest_named(name)?,
        _ => None,
    };
    let mut meant = match row {
        Some(row) => ToldContest::of(row).into_iter().collect(),
        None => told(ctx.store, player, contest, word)?,
    };
    meant.retain(|told| named.iter().all(|word| told.fits(word)));
    // A game's `league` without `slow` is the usual one.
    if meant.len() > 1
        && named.iter().any(|word| word == "league")
        && !named.iter().any(|word| word == "slow")
    {
        meant.retain(|told| !told.is_slow());
    }
    if meant.len() > 1 {
        let surely = if surely { " surely" } else { "" };
        let line = |told: &ToldContest| format!("\n    {word}{surely} {}", told.of.name);
        let lines: String = meant.iter().map(line).collect();
        return refuse!("Which one do you mean? Reply with one of these lines:\n{lines}");
    }
    let Some(ToldContest { of, .. }) = meant.pop() else {
        return refuse!("There is no contest of that name.");
    };
    let act = match word {
        "table" => return Ok(Command::LookAtContest(LookAtContest { of, table: ShownTable::Own })),
        "withdraw" if of.form == ContestForm::Ladder => {
            return refuse!(
                "`leave` takes you off the ladder. Your games continue; `resign` gives one up, and `{game} ladder \
                challenge` begins another.",
                game = of.game.key
            );
        }
        "withdraw" => EntrantAct::Withdraw { surely },
        "leave" => EntrantAct::Leave,
        _ => EntrantAct::Join { stay: Stay::UntilTheyLeave, team: None },
    };
    Ok(Command::Contest(OnContest { of, act }))
}
