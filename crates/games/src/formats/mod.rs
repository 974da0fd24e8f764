//! The formats in which other servers and programs record games: what they share.
//!
//! [`pgn`] reads and writes tags and numbered moves, [`sgf`] trees of properties, [`mat`] matches with dice. The games name the formats that they
//! have in [`GameKind::notations`].

pub(crate) mod ggf;
pub(crate) mod mat;
pub(crate) mod pgn;
pub(crate) mod sgf;

use std::fmt::{self, Display};

use crate::{GameKind, Seat, Setup, Table};

/// A format in which others record a game.
#[derive(Clone, Copy)]
pub struct Notation {
    /// The name in commands and the ending of files, in lower case.
    pub name: &'static str,
    /// Writes a game. The error says why this format cannot hold it.
    pub write: fn(&GameKind, &Recorded) -> Result<String, String>,
    /// Reads all games of a text. The error names the line and the column.
    pub read: fn(&GameKind, &str) -> Result<Vec<Recorded>, String>,
}

impl fmt::Debug for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A game in play or ended, as far as a format tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The names of the players of the first and the second seat.
    pub players: [Option<String>; 2],
    /// The contest.
    pub event: Option<String>,
    /// The day on which the game began: `2026-11-16`.
    pub date: Option<String>,
    /// The options of the board, with their values.
    pub options: Vec<(String, Option<String>)>,
    /// The text of the first position.
    pub start: String,
    /// The plies in their standard form, with forced passes.
    pub plies: Vec<String>,
    /// How the game ended; `None` if it has not.
    pub end: Option<Finish>,
}

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finish {
    /// The winner; `None` for a tie, or if there is no result.
    pub winner: Option<Seat>,
    /// What ended the game.
    pub by: EndedBy,
}

/// What ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedBy {
    /// The rules of the game.
    Rules,
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Time,
    /// The players agreed to a draw.
    Agreement,
    /// An arbiter or the host.
    Ruling,
    /// Nothing: it has no result.
    Abandonment,
}

impl Recorded {
    /// A game on a board with these options.
    pub(crate) fn of(kind: &GameKind, options: Vec<(String, Option<String>)>) -> Result<Recorded, String> {
        let table = (kind.start)(&Setup { options: &options, seed: 0 }).map_err(|why| why.to_string())?;
        let start = table.position();
        Ok(Recorded {
            players: [None, None],
            event: None,
            date: None,
            options,
            start,
            plies: Vec::new(),
            end: None,
        })
    }

    /// The first position.
    ///
    /// # Errors
    /// The text of the position cannot be read.
    pub fn table(&self, kind: &GameKind) -> Result<Box<dyn Table>, String> {
        (kind.read)(&self.start).map_err(|why| why.to_string())
    }
}

/// A game that is read: its plies are played.
pub(crate) struct RecordReader<'t> {
    text: &'t str,
    pub(crate) table: Box<dyn Table>,
    pub(crate) game: Recorded,
}

impl<'t> RecordReader<'t> {
    pub(crate) fn begin(text: &'t str, kind: &GameKind, game: Recorded) -> Result<RecordReader<'t>, String> {
        Ok(RecordReader { text, table: game.table(kind)?, game })
    }

    /// Plays the ply that stands at `part` of the text. Plays a forced pass before it, if the format leaves it out.
    pub(crate) fn play(&mut self, part: &str, ply: &str) -> Result<(), String> {
        if self.table.forced_ply().is_some_and(|pass| !pass.eq_ignore_ascii_case(ply)) {
            self.pass();
        }
        let played =
            self.table.play_text(ply).map_err(|why| wrong(self.text, part, format!("{ply}: {why}")))?;
        if !played.rest.is_empty() {
            return Err(wrong(self.text, part, format!("{ply}: there is text after the move.")));
        }
        self.game.plies.push(played.ply);
        Ok(())
    }

    fn pass(&mut self) {
        self.game.plies.extend(self.table.play_pass().map(|pass| pass.ply));
    }

    /// The game with the end that its record claims. The rules of the game decide what they can; a side that lost
    /// otherwise resigned, if the record does not say how it lost.
    pub(crate) fn end(mut self, claim: Option<Finish>) -> Recorded {
        while self.table.forced_ply().is_some() {
            self.pass();
        }
        let ended = self.table.ended().map(|outcome| outcome.winner);
        self.game.end = match (claim, ended) {
            (None, None) => None,
            (None, Some(winner)) => Some(Finish { winner, by: EndedBy::Rules }),
            (Some(Finish { winner, by }), Some(ended)) => Some(match by {
                EndedBy::Abandonment => Finish { winner: None, by },
                _ if winner == ended => Finish { winner, by: EndedBy::Rules },
                _ => Finish { winner, by: EndedBy::Ruling },
            }),
            (Some(Finish { winner, by }), None) => Some(Finish {
                winner,
                by: match (by, winner) {
                    (EndedBy::Rules, Some(_)) => EndedBy::Resignation,
                    (EndedBy::Rules | EndedBy::Resignation | EndedBy::Time, None) => EndedBy::Agreement,
                    // Only the side to move runs out of time.
                    (EndedBy::Time, winner) if winner == Some(self.table.turn()) => EndedBy::Ruling,
                    (EndedBy::Agreement | EndedBy::Abandonment, Some(_)) => EndedBy::Ruling,
                    (by, _) => by,
                },
            }),
        };
        self.game
    }
}

/// The notation of this name, in the form that it has for a game.
macro_rules! notation {
    ($name:literal, $form:expr) => {
        crate::Notation {
            name: $name,
            write: |kind, game| $form.write(kind, game),
            read: |kind, text| $form.read(kind, text),
        }
    };
}
pub(crate) use notation;

/// Says what is wrong at `part`, which is a part of `text`.
pub(crate) fn wrong(text: &str, part: &str, why: impl Display) -> String {
    let at = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.get(..at).unwrap_or_default();
    let (line, last) = (1 + before.matches('\n').count(), before.rsplit('\n').next().unwrap_or_default());
    format!("line {line}, column {}: {why}", last.chars().count() + 1)
}

/// The games, if there are any.
pub(crate) fn some(games: Vec<Recorded>) -> Result<Vec<Recorded>, String> {
    if games.is_empty() { Err("line 1, column 1: there is no game in it".to_owned()) } else { Ok(games) }
}

/// The name of a player or an event; `None` if it is unknown.
pub(crate) fn known(name: &str) -> Option<String> {
    Some(name.trim()).filter(|name| !name.is_empty() && *name != "?").map(str::to_owned)
}

/// The day at the start of a text: `2026.11.16` and `2026-11-16`, as the latter; `None` if a part of it is unknown.
pub(crate) fn day(text: &str) -> Option<String> {
    let text = text.trim().get(..10)?;
    let is_day = text.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => matches!(byte, b'.' | b'-' | b'/'),
        _ => byte.is_ascii_digit(),
    });
    is_day.then(|| text.replace(['.', '/'], "-"))
}

/// Words with blanks between them, in lines of at most 78 characters.
pub(crate) fn lines(words: &[String]) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for word in words {
        let fits = width == 0 || width + word.len() < 78;
        text.push_str(match (width, fits) {
            (0, _) => "",
            (_, true) => " ",
            (_, false) => "\n",
        });
        width = if fits { width + 1 + word.len() } else { 1 + word.len() };
        text.push_str(word);
    }
    text + "\n"
}
