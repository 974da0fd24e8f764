//! PGN, the format of chess, and PDN, its form for draughts: tags, then numbered moves and the result.

use super::{EndedBy, Finish, RecordReader, Recorded, day, known, lines, some, wrong};
use crate::{GameKind, Seat};

/// The form of the format for a game whose first side is white.
pub(crate) struct Pgn {
    /// The results: the first side won, the second side won, a draw.
    pub(crate) results: [&'static str; 3],
    /// The tag that names a variant of the game.
    pub(crate) variant: &'static str,
    /// The variants that are this game, in lower case. The last one is written.
    pub(crate) variants: &'static [&'static str],
    /// True if the variant is written for each game, false if only for boards with options.
    pub(crate) names_variant: bool,
    /// Turns the text of a position into the value of the tag `FEN`.
    pub(crate) to_fen: fn(&str) -> String,
    /// Turns the value of the tag `FEN` into the text of a position.
    pub(crate) from_fen: fn(&str) -> Option<String>,
    /// The number of the first move from a position.
    pub(crate) number: fn(&str) -> usize,
}

/// Results that are read in each game.
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];
const WINNERS: [Option<Seat>; 3] = [Some(Seat::First), Some(Seat::Second), None];
const UNKNOWN: &str = "*";

impl Pgn {
    pub(crate) fn write(&self, kind: &GameKind, game: &Recorded) -> Result<String, String> {
        let table = game.table(kind)?;
        let fen = (self.to_fen)(&game.start);
        if self.start(kind, &fen).as_ref() != Some(&game.start) {
            return Err("its first position has a past, which this format cannot hold".to_owned());
        }
        let result = match game.end {
            None | Some(Finish { by: EndedBy::Abandonment, .. }) => UNKNOWN,
            Some(Finish { winner, .. }) => {
                let mut results = WINNERS.into_iter().zip(self.results);
                results.find(|(known, _)| *known == winner).map_or(UNKNOWN, |(_, result)| result)
            }
        };
        let termination = match game.end.map(|end| end.by) {
            None => "unterminated",
            Some(EndedBy::Rules | EndedBy::Resignation | EndedBy::Agreement) => "normal",
            Some(EndedBy::Time) => "time forfeit",
            Some(EndedBy::Ruling) => "adjudication",
            Some(EndedBy::Abandonment) => "abandoned",
        };
        let or_unknown = |text: &Option<String>| text.clone().unwrap_or_else(|| "?".to_owned());
        let [white, black] = game.players.each_ref().map(or_unknown);
        let date = game.date.as_ref().map_or("????.??.??".to_owned(), |date| date.replace('-', "."));
        let mut tags = vec![
            ("Event", or_unknown(&game.event)),
            ("Site", "?".to_owned()),
            ("Date", date),
            ("Round", "?".to_owned()),
            ("White", white),
            ("Black", black),
            ("Result", result.to_owned()),
        ];
        if let Some(variant) = self.variants.last().filter(|_| self.names_variant || !game.options.is_empty())
        {
            tags.push((self.variant, (*variant).to_owned()));
        }
        if Recorded::of(kind, Vec::new())?.start != game.start {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", fen)]);
        }
        tags.push(("Termination", termination.to_owned()));
        let quoted = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
        let tags: String =
            tags.iter().map(|(name, value)| format!("[{name} \"{}\"]\n", quoted(value))).collect();
        let (mut words, mut number, mut seat) = (Vec::new(), (self.number)(&game.start), table.turn());
        for ply in &game.plies {
            match seat {
                Seat::First => words.push(format!("{number}.")),
                Seat::Second if words.is_empty() => words.push(format!("{number}...")),
                Seat::Second => {}
            }
            words.push(ply.clone());
            number += seat.index();
            seat = seat.other();
        }
        words.push(result.to_owned());
        Ok(format!("{tags}\n{}", lines(&words)))
    }

    /// The text of the position with this FEN.
    fn start(&self, kind: &GameKind, fen: &str) -> Option<String> {
        Some((kind.read)(&(self.from_fen)(fen)?).ok()?.position())
    }

    pub(crate) fn read(&self, kind: &GameKind, text: &str) -> Result<Vec<Recorded>, String> {
        let mut games = Vec::new();
        let mut tokens = tokens(text)?.into_iter().peekable();
        while tokens.peek().is_some() {
            let tags: Vec<PgnToken<'_>> =
                std::iter::from_fn(|| tokens.next_if(|token| matches!(token, PgnToken::Tag(..)))).collect();
            let mut reading = self.begin(kind, text, &tags)?;
            let tag = |name: &str| {
                tags.iter().find_map(|tag| match tag {
                    PgnToken::Tag(known, value) if known.eq_ignore_ascii_case(name) => Some(*value),
                    _ => None,
                })
            };
            let mut result = None;
            while let Some(PgnToken::Word(word)) = tokens.next_if(|token| matches!(token, PgnToken::Word(_)))
            {
                result = self.result(word);
                if result.is_some() {
                    break;
                }
                let ply = unnumbered(word).trim_end_matches(['!', '?']);
                match ply {
                    "" | "e.p." => {}
                    "--" | "Z0" | "null" => {
                        return Err(wrong(text, word, "a null move, which is no move of a game"));
                    }
                    ply => reading.play(word, ply)?,
                }
            }
            let result = result.or_else(|| self.result(tag("Result")?));
            let winner = result.and_then(|result| WINNERS.get(result).copied());
            games.push(reading.end(ended(winner, tag("Termination").unwrap_or_default())));
        }
        some(games)
    }

    /// The first position and the players that the tags name.
    fn begin<'t>(
        &self,
        kind: &GameKind,
        text: &'t str,
        tags: &[PgnToken<'t>],
    ) -> Result<RecordReader<'t>, String> {
        let mut game = Recorded::of(kind, Vec::new())?;
        for tag in tags {
            let PgnToken::Tag(name, value) = *tag else { continue };
            let plain = || known(&value.replace("\\\"", "\"").replace("\\\\", "\\"));
            match name {
                "White" => game.players[0] = plain(),
                "Black" => game.players[1] = plain(),
                "Event" => game.event = plain(),
                "Date" => game.date = day(value),
                "FEN" => {
                    let start = self.start(kind, value);
                    game.start =
                        start.ok_or_else(|| wrong(text, value, "this is no position of the game"))?;
                }
                name if name == self.variant => {
                    let variant = value.split(',').next().unwrap_or_default().trim().to_lowercase();
                    if !self.variants.iter().any(|known| known.eq_ignore_ascii_case(&variant)) {
                        return Err(wrong(
                            text,
                            value,
                            format!("{value} is another game than {}", kind.name),
                        ));
                    }
                }
                _ => {}
            }
        }
        RecordReader::begin(text, kind, game)
    }

    /// The index of the winner in `WINNERS`, or their number for the unknown result; `None` if the word is no result.
    fn result(&self, word: &str) -> Option<usize> {
        let of = |results: [&str; 3]| results.into_iter().chain([UNKNOWN]).position(|known| known == word);
        of(self.results).or_else(|| of(RESULTS))
    }
}

/// The end of a game with this winner, if its record names a result, by the words of the tag `Termination`. Servers write sentences there.
fn ended(winner: Option<Option<Seat>>, termination: &str) -> Option<Finish> {
    let termination = termination.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| termination.contains(word));
    let by = match winner {
        None if has(&["abandon"]) => EndedBy::Abandonment,
        None => return None,
        Some(_) if has(&["time"]) => EndedBy::Time,
        Some(_) if has(&["adjudicat", "infraction", "abandon", "emergency", "death"]) => EndedBy::Ruling,
        Some(_) => EndedBy::Rules,
    };
    Some(Finish { winner: winner.flatten(), by })
}

/// Removes the number from `12.e4`, `12...`, `12.` and `12`, but keeps `0-0` and `32-28`.
fn unnumbered(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// A part of the text. Comments, variations and judgements are none.
enum PgnToken<'t> {
    /// The name and the value as it is written.
    Tag(&'t str, &'t str),
    Word(&'t str),
}

fn tokens(text: &str) -> Result<Vec<PgnToken<'_>>, String> {
    let (mut found, mut rest, mut depth, mut starts_line) = (Vec::new(), text, 0_u32, true);
    while let Some(c) = rest.chars().next() {
        let line = || rest.find('\n').unwrap_or(rest.len());
        let unclosed = |what: &str| wrong(text, rest, format!("this {what} is not closed"));
        let length = match c {
            ';' => line(),
            '%' if starts_line => line(),
            '{' => 1 + rest.find('}').ok_or_else(|| unclosed("comment"))?,
            '[' if depth == 0 => {
                let (tag, length) = tag(rest).ok_or_else(|| unclosed("tag"))?;
                found.push(tag);
                length
            }
            '(' | ')' => {
                depth = if c == '(' { depth + 1 } else { depth.saturating_sub(1) };
                1
            }
            c if c.is_whitespace() || c == '\u{feff}' => c.len_utf8(),
            _ => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, ';' | '{' | '}' | '[' | '(' | ')');
                let end = |text: &str| text.find(is_end).unwrap_or(text.len());
                let (mut word, behind) = rest.split_at(end(rest).max(c.len_utf8()));
                // Some align the columns: `14-19  1- 7`.
                let number = behind.trim_start_matches(' ');
                let is_digit = |c: char| c.is_ascii_digit();
                if word.starts_with(is_digit) && word.ends_with(['-', 'x']) && number.starts_with(is_digit) {
                    word = rest.split_at(rest.len() - number.len() + end(number)).0;
                }
                found.extend((depth == 0 && !word.starts_with('$')).then_some(PgnToken::Word(word)));
                word.len()
            }
        };
        let (read, behind) = rest.split_at(length);
        starts_line = read.ends_with('\n');
        rest = behind;
    }
    if depth > 0 {
        return Err(wrong(text, rest, "a variation is not closed"));
    }
    Ok(found)
}

/// The tag at the start of a text, and its length.
fn tag(text: &str) -> Option<(PgnToken<'_>, usize)> {
    let (name, behind) = text.strip_prefix('[')?.split_once('"')?;
    let mut escaped = false;
    let length = behind.find(|c: char| {
        let is_end = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        is_end
    })?;
    let (value, behind) = behind.split_at(length);
    let rest = behind.strip_prefix('"')?.trim_start().strip_prefix(']')?;
    let name = name.trim();
    (!name.contains(char::is_whitespace)).then_some((PgnToken::Tag(name, value), text.len() - rest.len()))
}
