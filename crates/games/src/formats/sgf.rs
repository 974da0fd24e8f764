//! SGF (FF[4]), a tree of nodes with properties, of which the first line of play is read.
//!
//! The server says in properties of its own what the format has no words for: `XO` has options, `XP` a ply that is no
//! point, such as the mark of a dead stone, and `XT` an end by the host.

use super::{EndedBy, Finish, RecordReader, Recorded, day, known, some, wrong};
use crate::scene::Space;
use crate::{GameKind, Outcome, Seat, Table};

/// The form of the format for a game in which stones are put down.
pub(crate) struct Sgf {
    /// The number of the game; `None` if the format has none.
    pub(crate) game: Option<u8>,
    /// The size of the board if the record names none; empty if it is the usual one.
    pub(crate) size: &'static str,
    /// True if points are written as two letters, `aa` at the upper left; false if by their names.
    pub(crate) has_letters: bool,
    /// The margin of a win: `3.5`.
    pub(crate) margin: fn(&Outcome) -> String,
}

impl Sgf {
    /// The form for a game that has no number. Points are written by their names.
    pub(crate) const NAMED: Sgf = Sgf { game: None, size: "", has_letters: false, margin: |_| String::new() };
}

/// A property with its values as they are written.
pub(super) struct SgfProperty<'t> {
    pub(super) name: &'t str,
    pub(super) values: Vec<&'t str>,
}

impl SgfProperty<'_> {
    pub(super) fn value(&self) -> &str {
        self.values.first().copied().unwrap_or_default()
    }

    /// The value as a name.
    pub(super) fn known(&self) -> Option<String> {
        known(&plain(self.value()))
    }
}

/// A value without escapes.
fn plain(value: &str) -> String {
    let (mut text, mut chars) = (String::new(), value.chars());
    while let Some(c) = chars.next() {
        text.extend(if c == '\\' { chars.next().filter(|c| *c != '\n') } else { Some(c) });
    }
    text
}

/// A property, if it has a value.
pub(super) fn written(name: &str, value: Option<&str>) -> String {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace(']', "\\]");
    value.map(|value| format!("{name}[{}]", escaped(value))).unwrap_or_default()
}

/// The value of `XT`: an end that no other property tells.
pub(super) fn extra(game: &Recorded) -> Option<&'static str> {
    match game.end?.by {
        EndedBy::Ruling => Some("ruled"),
        EndedBy::Abandonment => Some("void"),
        _ => None,
    }
}

/// The properties of the main line of each game.
pub(super) fn games(text: &str) -> Result<Vec<Vec<SgfProperty<'_>>>, String> {
    let mut games: Vec<Vec<SgfProperty<'_>>> = Vec::new();
    // For each open tree, whether one below it is closed: those after it are variations.
    let mut closed: Vec<bool> = Vec::new();
    let (mut rest, mut name) = (text, "");
    while let Some(c) = rest.chars().next() {
        let behind = rest.get(c.len_utf8()..).unwrap_or_default();
        let mut next = behind;
        match c {
            '(' if !closed.is_empty() || behind.trim_start().starts_with(';') => {
                if closed.is_empty() {
                    games.push(Vec::new());
                }
                closed.push(false);
            }
            ')' => {
                closed.pop();
                closed.last_mut().into_iter().for_each(|has_closed| *has_closed = true);
            }
            _ if closed.is_empty() => {}
            '[' => {
                let mut escaped = false;
                let end = behind.find(|c: char| {
                    let is_end = c == ']' && !escaped;
                    escaped = c == '\\' && !escaped;
                    is_end
                });
                let end = end.ok_or_else(|| wrong(text, rest, "this value is not closed"))?;
                let (value, after) = behind.split_at(end);
                next = after.get(1..).unwrap_or_default();
                if let Some(game) = games.last_mut().filter(|_| !closed.contains(&true)) {
                    match game.last_mut().filter(|_| name.is_empty()) {
                        Some(last) => last.values.push(value),
                        None => game.push(SgfProperty { name, values: vec![value] }),
                    }
                }
                name = "";
            }
            ';' => name = "",
            c if c.is_ascii_alphabetic() => {
                let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
                (name, next) = rest.split_at(end);
            }
            c if c.is_whitespace() => {}
            _ => return Err(wrong(text, rest, format!("a property is expected here, not {c}"))),
        }
        rest = next;
    }
    if closed.is_empty() { Ok(games) } else { Err(wrong(text, rest, "the last game is not closed")) }
}

/// The colours of the seats as letters, in their order.
fn colours(kind: &GameKind) -> [&'static str; 2] {
    kind.seats.map(|seat| if seat.starts_with('b') { "B" } else { "W" })
}

impl Sgf {
    pub(crate) fn write(&self, kind: &GameKind, game: &Recorded) -> Result<String, String> {
        let mut table = game.table(kind)?;
        let (spaces, colours) = (table.look().spaces, colours(kind));
        let given = |name: &str| {
            let option = game.options.iter().find(|(known, _)| known == name);
            option.and_then(|(_, value)| value.clone())
        };
        // The triangle and the hexagon have as many spaces in a row as their size says, or more.
        let widest = 1 + spaces.iter().map(|space| space.q).max().unwrap_or_default();
        let size = given("size").or_else(|| (!self.size.is_empty()).then(|| widest.to_string()));
        let mut text = "(;FF[4]CA[UTF-8]AP[Turnpost]".to_owned();
        let mut tell = |name: &str, value: Option<&str>| text += &written(name, value);
        tell("GM", self.game.map(|game| game.to_string()).as_deref());
        tell("SZ", size.as_deref());
        tell("KM", given("komi").as_deref());
        tell("HA", given("handicap").as_deref());
        for (colour, name) in colours.into_iter().zip(&game.players) {
            tell(&format!("P{colour}"), name.as_deref());
        }
        tell("EV", game.event.as_deref());
        tell("DT", game.date.as_deref());
        for (name, _) in game.options.iter().filter(|(_, value)| value.is_none()) {
            tell("XO", Some(name));
        }
        for seat in Seat::BOTH {
            let is_own = |space: &&Space| space.thing.is_some_and(|thing| thing.side == Some(seat));
            let stones = spaces.iter().filter(is_own).map(|space| format!("[{}]", self.point(space)));
            let stones: String = stones.collect();
            text += &if stones.is_empty() { stones } else { format!("A{}{stones}", seat.of(&colours)) };
        }
        text += &format!("PL[{}]", table.turn().of(&colours));
        let again = self.read(kind, &format!("{text})"))?;
        if again.first().is_none_or(|again| again.start != game.start) {
            return Err("its first position has a past, which this format cannot hold".to_owned());
        }
        let mut words = Vec::new();
        for ply in &game.plies {
            let space = spaces.iter().find(|space| space.name == *ply);
            let point = space.map(|space| self.point(space)).or_else(|| (ply == "pass").then(String::new));
            let name = if point.is_some() { table.turn().of(&colours) } else { "XP" };
            words.push(format!(";{}", written(name, Some(point.as_ref().unwrap_or(ply)))));
            table.replay(ply).map_err(|why| why.to_string())?;
        }
        let margin = table.ended().map(|outcome| (self.margin)(&outcome)).unwrap_or_default();
        let result = game.end.map(|end| match (end.winner, end.by) {
            (_, EndedBy::Abandonment) => "Void".to_owned(),
            (None, _) => "Draw".to_owned(),
            (Some(winner), EndedBy::Resignation) => format!("{}+R", winner.of(&colours)),
            (Some(winner), EndedBy::Time) => format!("{}+T", winner.of(&colours)),
            (Some(winner), EndedBy::Ruling) => format!("{}+F", winner.of(&colours)),
            (Some(winner), _) => format!("{}+{margin}", winner.of(&colours)),
        });
        let lines: Vec<String> = words.chunks(10).map(<[String]>::concat).collect();
        let end = written("RE", result.as_deref()) + &written("XT", extra(game));
        Ok(format!("{text}{end}\n{})\n", lines.join("\n")))
    }

    /// A point as a move names it.
    fn point(&self, space: &Space) -> String {
        let letter = |at: i32| char::from(b'a' + u8::try_from(at).unwrap_or_default());
        if self.has_letters { [space.q, space.r].map(letter).iter().collect() } else { space.name.clone() }
    }

    pub(crate) fn read(&self, kind: &GameKind, text: &str) -> Result<Vec<Recorded>, String> {
        some(games(text)?.iter().map(|game| self.game(kind, text, game)).collect::<Result<_, _>>()?)
    }

    fn game(&self, kind: &GameKind, text: &str, properties: &[SgfProperty<'_>]) -> Result<Recorded, String> {
        let find = |name: &str| properties.iter().find(|property| property.name == name);
        let is_other =
            |number: &&SgfProperty<'_>| self.game.is_none_or(|own| number.value().trim() != own.to_string());
        if let Some(other) = find("GM").filter(is_other) {
            return Err(wrong(
                text,
                other.value(),
                format!("this number is of another game than {}", kind.name),
            ));
        }
        let mut reading = RecordReader::begin(text, kind, self.start(kind, text, properties)?)?;
        reading.game.event = find("EV").and_then(SgfProperty::known);
        reading.game.date = find("DT").and_then(|date| day(date.value()));
        let spaces = reading.table.look().spaces;
        let may_pass = may_pass(&*reading.table);
        // In a game without passes either colour can begin, and after a swap either can move next.
        let (mut colours, mut is_open, mut claim) = (colours(kind), !may_pass, None);
        for property in properties {
            let (name, at) = (property.name, property.value());
            let word = at.trim().to_ascii_lowercase();
            let is_pass = word.is_empty() || word == "tt" && self.has_letters;
            match name {
                "XP" => reading.play(at, &plain(at))?,
                "B" | "W" if word == "resign" || word == "forfeit" => {
                    let winner =
                        colours.iter().position(|colour| *colour != name).and_then(|at| Seat::BOTH.get(at));
                    claim = Some(Finish { winner: winner.copied(), by: EndedBy::Resignation });
                }
                "B" | "W"
                    if word.starts_with("swap") && word != "swap-pieces" && reading.game.plies.len() == 1 =>
                {
                    colours.reverse();
                    is_open = true;
                }
                "B" | "W" if is_pass && reading.table.ended().is_some() => {}
                "B" | "W" => {
                    let is_other = name != *reading.table.turn().of(&colours);
                    match (is_other, is_open) {
                        (true, true) => colours.reverse(),
                        (true, false) if may_pass => reading.play(at, "pass")?,
                        (true, false) => return Err(wrong(text, at, "the other colour is to move")),
                        (false, _) => {}
                    }
                    is_open = false;
                    let found = self.find(&word, &spaces);
                    let ply = if is_pass { "pass" } else { found.map_or(word.as_str(), |space| &space.name) };
                    reading.play(at, ply)?;
                }
                _ => {}
            }
        }
        let of = |colour: &str| Seat::BOTH.into_iter().find(|seat| *seat.of(&colours) == colour);
        reading.game.players = colours.map(|colour| find(&format!("P{colour}"))?.known());
        let value = |name: &str| find(name).map(SgfProperty::value).unwrap_or_default();
        let claim = ended(value("RE"), value("XT"), of).or(claim);
        Ok(reading.end(claim))
    }

    /// The space of a point: two letters, or its name.
    fn find<'s>(&self, word: &str, spaces: &'s [Space]) -> Option<&'s Space> {
        let letters: Vec<i32> = word.trim().bytes().map(|c| i32::from(c) - i32::from(b'a')).collect();
        let is_it =
            |space: &&Space| letters == [space.q, space.r] || space.name.eq_ignore_ascii_case(word.trim());
        spaces.iter().find(is_it)
    }

    /// The board that the first properties set up.
    fn start(&self, kind: &GameKind, text: &str, properties: &[SgfProperty<'_>]) -> Result<Recorded, String> {
        let moves = ["B", "W", "XP"];
        let first = properties.iter().position(|property| moves.contains(&property.name));
        let (before, after) = properties.split_at(first.unwrap_or(properties.len()));
        let is_set = |property: &&SgfProperty<'_>| ["AB", "AW", "AE"].contains(&property.name);
        if let Some(late) = after.iter().find(is_set) {
            return Err(wrong(text, late.value(), "stones are put down here without a move"));
        }
        let find = |name: &str| before.iter().find(|property| property.name == name);
        let option = |name: &str, property: &str| {
            let number = find(property)?.value().trim();
            let whole = number.trim_end_matches('0').trim_end_matches('.');
            let number = if number.contains('.') { whole } else { number };
            let is_known = kind.options.iter().any(|option| option.name == name);
            is_known.then(|| (name.to_owned(), Some(number.to_owned())))
        };
        let usual = (!self.size.is_empty()).then(|| ("size".to_owned(), Some(self.size.to_owned())));
        let mut options: Vec<_> =
            option("size", "SZ").or(usual).into_iter().chain(option("komi", "KM")).collect();
        let others = before.iter().filter(|property| property.name == "XO");
        options.extend(others.map(|property| (plain(property.value()), None)));
        let at = |name: &str| find(name).map_or(text, SgfProperty::value);
        let mut game = Recorded::of(kind, options).map_err(|why| wrong(text, at("SZ"), why))?;
        let colours = colours(kind);
        let table = game.table(kind)?;
        let stones: Vec<&SgfProperty<'_>> = before.iter().filter(is_set).collect();
        let mover = after.first().filter(|_| !stones.is_empty()).map(|first| first.name);
        let first = find("PL").map(SgfProperty::value).or(mover);
        let is_black = |first: &str| first.starts_with(['B', 'b', '1']);
        let turn = first.map_or(colours[0], |first| if is_black(first) { "B" } else { "W" });
        let is_usual = first.is_none() || turn == *table.turn().of(&colours) || !may_pass(&*table);
        if stones.is_empty() && is_usual {
            return Ok(game);
        }
        let spaces = table.look().spaces;
        let mut set = vec![None; spaces.len()];
        for (stones, value) in
            stones.iter().flat_map(|stones| stones.values.iter().map(move |value| (stones, value)))
        {
            // `aa:cc` is a rectangle.
            let (from, to) = value.split_once(':').unwrap_or((value, value));
            let ends = [from, to].map(|point| self.find(&point.to_ascii_lowercase(), &spaces));
            let [Some(from), Some(to)] = ends else {
                return Err(wrong(text, value, "the board has no such point"));
            };
            let is_in =
                |space: &Space| (from.q..=to.q).contains(&space.q) && (from.r..=to.r).contains(&space.r);
            let sign = match stones.name {
                "AB" => 'b',
                "AW" => 'w',
                _ => '.',
            };
            set.iter_mut()
                .zip(&spaces)
                .filter(|(_, space)| is_in(space))
                .for_each(|(set, _)| *set = Some(sign));
        }
        // The text of a position has a sign for each space, the side to move and the rest.
        let (signs, rest) = game.start.split_once(' ').unwrap_or((&game.start, ""));
        let mut set = set.into_iter();
        let signs: String =
            signs.chars().map(|c| if c == '/' { c } else { set.next().flatten().unwrap_or(c) }).collect();
        let handicap = game.options.iter().cloned().chain(option("handicap", "HA")).collect();
        if let Ok(handicap) = Recorded::of(kind, handicap)
            && handicap.start.starts_with(&format!("{signs} {}", turn.to_ascii_lowercase()))
        {
            return Ok(handicap);
        }
        let start = format!("{signs} {}{}", turn.to_ascii_lowercase(), rest.get(1..).unwrap_or_default());
        let read = (kind.read)(&start).map_err(|why| wrong(text, at("AB"), why))?;
        game.start = read.position();
        Ok(game)
    }
}

fn may_pass(table: &dyn Table) -> bool {
    table.legal_plies().iter().any(|ply| ply == "pass")
}

/// The end that the values of `RE` and `XT` tell; `seat` knows the seat of a colour.
fn ended(result: &str, extra: &str, seat: impl Fn(&str) -> Option<Seat>) -> Option<Finish> {
    let result = result.trim().to_ascii_lowercase();
    let (winner, how) = result.split_once('+').unwrap_or((&result, ""));
    let by = match how.trim_start().get(..1).unwrap_or_default() {
        _ if extra == "ruled" => EndedBy::Ruling,
        "r" => EndedBy::Resignation,
        "t" => EndedBy::Time,
        "f" => EndedBy::Ruling,
        _ => EndedBy::Rules,
    };
    match winner.trim() {
        "b" | "black" => Some(Finish { winner: seat("B"), by }),
        "w" | "white" => Some(Finish { winner: seat("W"), by }),
        "0" | "draw" | "jigo" => Some(Finish { winner: None, by }),
        "void" => Some(Finish { winner: None, by: EndedBy::Abandonment }),
        _ => None,
    }
}
