//! Decides what a reply means: a reply word, a move, or words for the opponent. This module uses no store and no clock.
//!
//! The server never guesses a move. It plays a line that is only a move. It shows a move inside prose to the writer and
//! asks for a `yes`. It does not pass on a text that names a space or begins like a command.

mod doubt;
pub(crate) mod for_the_server;
pub(crate) mod lines;
pub(crate) mod message;
pub mod moves;
mod word;

use turnpost_games::{GameKind, Table};

use crate::commands::play::Move;
use crate::commands::submit::Submit;
use crate::commands::wishes::PlainWish;
use crate::commands::{Command, LANGUAGE};
use crate::credentials::token::{MailKind, TokenSeat};
use crate::failure::{Refusal, refusal, refuse};
use crate::language::dress::plain_signs;
use crate::language::move_finder::MoveFinder;
use crate::language::phrasebook::{act_alone, act_meant, asks};
use crate::language::plan::Plan;
use crate::language::wish::{Wish, WishPlace, is_around, wish_meant};
use crate::language::{InReply, OnBoard, Seen};
use lines::{ReplyLines, bare, first_word, legal_plies, quoted};
use moves::{ReplyMoves, ReplyPlies};

/// The board of a reply as its writer sees it, and the mail that the reply answers.
pub struct ReplyBoard {
    pub game: &'static GameKind,
    pub table: Box<dyn Table>,
    pub running: bool,
    /// It is the writer's turn.
    pub moves: bool,
    /// The opponent has proposed something.
    pub is_asked: bool,
    /// The writer's move or word that waits for a `yes`.
    pub draft: Option<String>,
    pub token: TokenSeat,
    /// The position of the mail is so old that not even words in reply to it are passed on.
    pub expired: bool,
    /// The writer's userid.
    pub writer: String,
    pub opponent: String,
    pub with_robot: bool,
}

impl ReplyBoard {
    fn at(&self) -> OnBoard {
        OnBoard { game: self.game, board: self.token.board }
    }

    /// The position, if the writer is to move.
    fn to_move(&self) -> Option<&dyn Table> {
        self.moves.then_some(&*self.table)
    }

    /// The plies of a text, if the writer can play all of it in one turn.
    pub(crate) fn reads(&self, text: &str) -> Option<Vec<String>> {
        legal_plies(self.to_move()?, self.game.asks(), text)
    }

    /// True if the writer can `accept` something: a proposal, or marks of the game.
    fn is_offered(&self) -> bool {
        self.is_asked || self.reads("accept").is_some()
    }

    /// Asks for a `yes`. `words` go to the opponent with the move or the word.
    fn asking(&self, plies: impl Into<String>, because: impl Into<String>, words: String) -> Meaning {
        Meaning::Ask(Submit { at: self.at(), plies: plies.into(), because: because.into(), words })
    }

    /// A legal move and what it does; once the game is over, how its moves are written.
    fn example(&self) -> String {
        self.table.example().unwrap_or_else(|| self.game.notation.to_owned())
    }
}

/// What a reply to a mail about a board means.
#[derive(Debug)]
pub enum Meaning {
    /// A turn; `words` are for the opponent.
    Play { turn: Move, words: String },
    /// A move or a word that its writer must confirm.
    Ask(Submit),
    /// A command in one word, such as `resign`; `words` are for the opponent.
    Do { command: Command, words: String },
    /// The text is for the opponent; with `refused` it is not passed on. Its writer gets the remark in both cases.
    Tell { remark: Option<String>, refused: Option<Refusal> },
    /// A `no`: discards the move or word that waits for a `yes`. No player reads `words`.
    Drop { plies: String, words: String },
    /// The reply would act on a position that is out of date.
    Outdated,
    /// A `yes` or `no`, but nothing on the board waits for one.
    NothingAsked(&'static str),
}

/// What a text means in reply to a mail about a board. A refusal changes nothing.
pub fn meaning(text: &str, at: &ReplyBoard) -> Result<Meaning, Refusal> {
    let lines = ReplyLines::about(at.game, text).between([&at.writer, &at.opponent]);
    let mail = at.token.mail;
    let drops = at.draft.is_some() && word::drops(&lines, mail);
    let instead = Some(lines.below()).filter(|_| drops && !lines.moves().is_empty());
    if let Some(plies) = at.draft.as_ref().filter(|_| drops && instead.is_none()) {
        return Ok(Meaning::Drop { plies: plies.clone(), words: lines.below() });
    }
    if at.expired {
        return Ok(Meaning::Outdated);
    }
    // A move after a `yes` or below a `no` replaces the one that was shown.
    let without_word = instead.or_else(|| at.draft.as_ref().and_then(|_| word::behind_yes(&lines)));
    let text = without_word.as_deref().unwrap_or(text);
    let lines = ReplyLines::about(at.game, text).between([&at.writer, &at.opponent]);
    if let Some((meaning, needs)) = word::read(at, &lines)? {
        // If the game is over, the command reports that.
        let seen = match at.running {
            true => at.token.has_seen(needs),
            false => needs != Seen::Proposals || at.token.up_to_date,
        };
        return Ok(if seen { meaning } else { Meaning::Outdated });
    }
    let found = moves::read_lines(&lines, at.to_move(), Some(at.token.board));
    if found != ReplyMoves::None && !at.token.fresh && at.running && mail == MailKind::Board {
        return Ok(Meaning::Outdated);
    }
    let written = match &found {
        ReplyMoves::None => text,
        ReplyMoves::Plies(found) if at.reads(&found.plies).is_none() => &found.plies,
        _ => "",
    };
    if at.running
        && let Some(refusal) = no_such_space(at, lines.finder, written)
    {
        return Err(refusal);
    }
    match found {
        ReplyMoves::None => prose(at, &lines, text),
        ReplyMoves::TooMany { moves } => {
            refuse!("Your reply holds {moves}, which is more than one turn. Reply with your move alone.")
        }
        ReplyMoves::TwoReadings { moves } => {
            refuse!("Your line can mean {moves}. Reply with the one you mean.")
        }
        ReplyMoves::Plies(found) if at.running && (mail != MailKind::Board || found.doubt.is_some()) => {
            let shown = at.draft.as_ref().filter(|_| mail == MailKind::Question && found.doubt.is_none());
            let shown = shown.and_then(|shown| at.reads(shown));
            match shown.is_some() && shown == at.reads(&found.plies) {
                true => Ok(Meaning::Do { command: Command::Confirm(at.at()), words: found.words }),
                false => asked_back(at, found),
            }
        }
        ReplyMoves::Plies(ReplyPlies { plies, conditions, words, .. }) => {
            Ok(Meaning::Play { turn: Move { at: at.at(), plies, conditions }, words })
        }
    }
}

/// Refuses a line that is a move and names a column or a row that the board does not have.
fn no_such_space(at: &ReplyBoard, finder: MoveFinder, text: &str) -> Option<Refusal> {
    let parts = |name: &str| {
        let number = name.trim_start_matches(char::is_alphabetic).parse::<u16>().ok()?;
        Some((name.chars().next().filter(|c| c.is_alphabetic()), number))
    };
    let spaces = at.table.look().spaces;
    let names: Vec<_> = spaces.iter().filter_map(|space| parts(&space.name)).collect();
    let is_missing = |space: &String| {
        let lower = |column: Option<char>| column.map(|c| c.to_ascii_lowercase());
        parts(space).is_some_and(|(column, row)| {
            !names.iter().any(|name| lower(name.0) == lower(column))
                || !names.iter().any(|name| name.1 == row)
        })
    };
    let missing = finder.on_larger_boards().find_map(|finder| {
        let moves = ReplyLines::new(finder, text).between([&at.writer, &at.opponent]).moves();
        moves.iter().flat_map(|line| finder.spaces_in(&line.plies)).find(is_missing)
    })?;
    // A name of earlier mails, such as I5 of Go: the game explains it, or the move is asked about.
    let today = at.game.renamed.and_then(|renamed| renamed(&missing));
    if today.is_some_and(|today| spaces.iter().any(|space| space.name.eq_ignore_ascii_case(&today))) {
        return None;
    }
    let (first, last) = (names.iter().map(|name| name.1).min()?, names.iter().map(|name| name.1).max()?);
    let columns = || names.iter().filter_map(|name| name.0);
    let board = match (columns().min(), columns().max()) {
        (Some(a), Some(z)) => {
            let left_out = (a..=z).find(|column| !columns().any(|known| known == *column));
            let left_out = left_out.map(|column| format!(" without {column}")).unwrap_or_default();
            format!("its columns are {a} to {z}{left_out}, its rows {first} to {last}")
        }
        _ => format!("its spaces are {first} to {last}"),
    };
    Some(refusal!("There is no {missing} on this board: {board}."))
}

/// Shows a move to its writer, who plays it with a `yes`. This happens if the mail that they answer showed no board, or
/// if another line of the reply contradicts the move. In reply to a question, the move replaces the one asked about.
fn asked_back(at: &ReplyBoard, found: ReplyPlies) -> Result<Meaning, Refusal> {
    let ReplyPlies { plies, conditions, words, doubt } = found;
    let says = doubt.map(|line| format!("Your reply says `{}` as well", quoted(&line)));
    match (conditions.as_str(), says) {
        ("", None) => Ok(at.asking(plies, "", words)),
        ("", Some(says)) => Ok(at.asking(plies, format!("{says}."), words)),
        (_, Some(says)) => {
            refuse!("{says}. If you mean the move, reply with it alone:\n\n    {plies}; {conditions}")
        }
        (_, None) => refuse!("Conditions go with a move in reply to a mail that shows the board as it is."),
    }
}

/// Decides what a text means in which no line is a move.
fn prose(at: &ReplyBoard, lines: &ReplyLines<'_>, text: &str) -> Result<Meaning, Refusal> {
    let (finder, mail) = (lines.finder, at.token.mail);
    // Below a move that is asked about, as in `D1-E1?`, a wish does not hide the move.
    let first = lines.first();
    let asks_a_move = || asks(first) && finder.named(first).iter().any(|text| at.reads(text).is_some());
    let wished = if lines.all.len() > 1 && asks_a_move() { wish(at, first) } else { wish(at, text) };
    if let Some(wished) = wished {
        return Ok(wished);
    }
    let mut named = finder.named(text);
    if named.is_empty() {
        named = finder.named(&finder.with_spelt_spaces(text));
    }
    if named.is_empty() && asks(text) {
        // A ply that is a word, as in `should I pass?`.
        named = text.split_whitespace().map(bare).filter(|word| finder.holds_moves_only(word)).collect();
    }
    // A reply to a chat mail never plays without a `yes`, so the current position is used.
    if at.running && (at.token.fresh || mail == MailKind::Chat) {
        // Ask for a `yes`. Several moves can be one turn, such as the last placement and the first move.
        let turn = named.join(" ");
        if at.reads(&turn).is_some() {
            return Ok(at.asking(turn, "", moves::words_around(lines)));
        }
        named.retain(|text| at.reads(text).is_some());
        match named.as_slice() {
            [] => {}
            [one] => return Ok(at.asking(one, "", moves::words_around(lines))),
            several => {
                return refuse!(
                    "Your reply names {moves}, which can all be played. Reply with your move alone.",
                    moves = several.join(", ")
                );
            }
        }
    }
    let act =
        act_meant(text).map(|word| format!("This did not {word}: to do that, reply with `{word}` alone."));
    if at.with_robot {
        return refuse!(
            "{act}Your opponent is a program and reads no words. No move of yours is in this reply, which begins `{line}`. Write \
            your move alone in the first line ({example}).",
            act = act.map(|act| format!("{act} ")).unwrap_or_default(),
            line = quoted(lines.first()),
            example = at.example()
        );
    }
    if let Some(line) = lines.meant_for_us() {
        return Err(is_nobodys(at, lines, line));
    }
    let asks_back = mail == MailKind::Question && at.draft.is_some();
    let refused = asks_back.then(|| {
        refusal!(
            "Your reply went to nobody: the mail asks whether to play a move. Reply `yes` to play it, `no` to drop \
            it, or with another move; `chat` and your words go to your opponent."
        )
    });
    Ok(Meaning::Tell { remark: act, refused })
}

/// What a text without a move asks for in plain words: an answer of the server, or a proposal to the opponent, who reads
/// the words of a proposal.
fn wish(at: &ReplyBoard, text: &str) -> Option<Meaning> {
    let words = text.to_owned();
    if let Some(entry) = act_alone(text, is_around).and_then(|word| LANGUAGE.of_reply(word))
        && let InReply::ForMove(command) = entry.in_reply
        && at.token.has_seen(entry.needs)
    {
        return Some(Meaning::Do { command: command(at.at()), words });
    }
    Some(match wish_meant(text, &[&at.writer, &at.opponent], WishPlace::Reply)? {
        Wish::Mistake if at.running => at.asking("undo", "", words),
        wish => {
            let wanted = PlainWish { wish, at: Some(at.at()), text: words };
            Meaning::Do { command: Command::PlainWish(wanted), words: String::new() }
        }
    })
}

/// Explains why a text with a `line` meant for the server is not passed on, and what to send instead.
fn is_nobodys(at: &ReplyBoard, lines: &ReplyLines<'_>, line: &str) -> Refusal {
    let (word, rest) = first_word(lines.first());
    let opponent = &at.opponent;
    if word == "if" && at.running {
        let conditions = plain_signs(lines.first());
        if Plan::parse(&conditions).is_ok() {
            let (what, before) = match at.moves {
                true => ("Put your move before them", "MOVE;"),
                false => ("To keep them for your turn, reply with this line", "queue"),
            };
            return refusal!(
                "Your reply holds conditions and no move, so it did nothing. {what}:\n\n    {before} {conditions}"
            );
        }
    }
    let stands_alone = LANGUAGE.of_reply(&word).is_some_and(|entry| entry.in_reply.stands_alone());
    if stands_alone && !bare(rest).is_empty() {
        return refusal!(
            "Nothing was done, and your reply went to nobody: it begins with the word `{word}` and goes on. If you \
            mean the word, let it stand alone in the first line:\n\n    {word}\n\nTo write to {opponent}, begin with \
            the word `chat`."
        );
    }
    let why = lines.why_ours(line);
    match at.running {
        true if at.moves => refusal!(
            "There is no move of yours in this reply, and it went to nobody: {why}. To move, write your move alone in \
            the first line ({example}); to write to {opponent}, begin with the word `chat`.",
            example = at.example()
        ),
        true => refusal!(
            "Your reply went to nobody: {why}, and it is {opponent}'s turn. To write to {opponent}, begin with the \
            word `chat`; to keep a move for your turn, with the word `queue`."
        ),
        false => refusal!(
            "Your reply went to nobody: {why}, and board {board} is over. To write to {opponent}, begin with the word \
            `chat`.",
            board = at.token.board
        ),
    }
}
