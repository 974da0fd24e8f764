//! The match files of Jellyfish, GNU Backgammon and the servers of dice games: two columns of rolls and turns.
//!
//! They have neither the order of two dice nor equal dice of an opening, so a game that is read has the higher die
//! first. A game that its loser gives up is read if it is the loser's turn, before or after the roll, and if the loser loses
//! all that the checkers allow.

use super::{EndedBy, Finish, Recorded, day, known, some, wrong};
use crate::{Cast, GameKind, Seat, Table};

/// The words of a finish in a comment.
const ENDS: [(EndedBy, &str); 6] = [
    (EndedBy::Rules, "rules"),
    (EndedBy::Resignation, "resignation"),
    (EndedBy::Time, "time"),
    (EndedBy::Agreement, "agreement"),
    (EndedBy::Ruling, "ruling"),
    (EndedBy::Abandonment, "abandonment"),
];

/// The names of players whose names are unknown.
const UNNAMED: [&str; 2] = ["White", "Black"];

const WINNERS: [&str; 3] = ["first", "second", "none"];

/// The score and the length of the match in the text of a position; 0 for a single game with the cube.
fn score(position: &str) -> ([u16; 2], u16) {
    let behind = |word: &str| position.split_once(word).and_then(|(_, behind)| behind.split(' ').next());
    let pair = |text: &str| {
        text.split_once('-').map(|(first, second)| [first, second].map(|n| n.parse().unwrap_or(0)))
    };
    match (behind(" score "), behind(" money ")) {
        (Some(text), _) => {
            let (points, length) = text.split_once('/').unwrap_or((text, "1"));
            (pair(points).unwrap_or_default(), length.parse().unwrap_or(1))
        }
        (None, Some(text)) => (pair(text).unwrap_or_default(), 0),
        (None, None) => ([0, 0], 1),
    }
}

pub(crate) fn write(kind: &GameKind, game: &Recorded) -> Result<String, String> {
    let mut table = game.table(kind)?;
    let (_, length) = score(&game.start);
    let end = game.end.map(|Finish { winner, by }| {
        let how = ENDS.iter().find(|(other, _)| *other == by).map_or("", |(_, how)| how);
        format!("{} {how}", WINNERS[winner.map_or(2, Seat::index)])
    });
    let names = game.players.each_ref().map(|name| name.as_deref());
    let jacoby = game.start.ends_with(" jacoby").then_some("true");
    let comments = [
        ("Player 1", names[0]),
        ("Player 2", names[1]),
        ("Event", game.event.as_deref()),
        ("EventDate", game.date.as_deref()),
        ("Jacoby", jacoby),
        ("End", end.as_deref()),
    ];
    let mut text = String::new();
    for (name, value) in comments.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        text.push_str(&format!("; [{name} \"{}\"]\n", value.replace('\n', " ")));
    }
    text.push_str(&format!(" {length} point match\n"));
    let (mut actions, mut number, mut dice) = (Vec::new(), 1, String::new());
    for ply in &game.plies {
        let (before, seat) = (table.position(), table.turn());
        let falls = table.chance().is_some();
        table.replay(ply).map_err(|why| why.to_string())?;
        let [from, to] = [&before, &table.position()].map(|position| score(position).0);
        let written = match ply.as_str() {
            _ if falls => {
                let mut faces: Vec<&str> = ply.split('-').collect();
                faces.sort_unstable_by(|one, other| other.cmp(one));
                dice = faces.concat();
                continue;
            }
            "roll" => continue,
            "double" => format!(" Doubles => {}", 2 * cube(&before)),
            "take" => " Takes".to_owned(),
            "drop" => " Drops".to_owned(),
            resign if resign.starts_with("resign ") && before.contains(" move ") => format!("{dice}:"),
            resign if resign.starts_with("resign ") => String::new(),
            "pass" => format!("{dice}: Cannot Move"),
            turn => format!("{dice}: {turn}"),
        };
        actions.extend(Some((seat, written)).filter(|(_, written)| !written.is_empty()));
        if let Some(winner) = Seat::BOTH.into_iter().find(|seat| seat.of(&to) > seat.of(&from)) {
            let points = winner.of(&to) - winner.of(&from);
            let and = if table.ended().is_some() && length > 0 { " and the match" } else { "" };
            let wins = format!("Wins {points} point{}{and}", if points == 1 { "" } else { "s" });
            text.push_str(&written_game(number, names, from, &actions, Some((winner, &wins))));
            actions.clear();
            number += 1;
        }
    }
    if !actions.is_empty() {
        text.push_str(&written_game(number, names, score(&table.position()).0, &actions, None));
    }
    Ok(text)
}

fn cube(position: &str) -> u32 {
    let value = position.split_once(" cube ").and_then(|(_, behind)| behind.split(' ').next()?.parse().ok());
    value.unwrap_or(1)
}

fn written_game(
    number: u32,
    names: [Option<&str>; 2],
    score: [u16; 2],
    actions: &[(Seat, String)],
    wins: Option<(Seat, &str)>,
) -> String {
    let mut rows: Vec<[&str; 2]> = Vec::new();
    for (seat, action) in actions {
        match (seat, rows.last_mut()) {
            (Seat::Second, Some([_, free])) if free.is_empty() => *free = action,
            (Seat::Second, _) => rows.push(["", action]),
            (Seat::First, _) => rows.push([action, ""]),
        }
    }
    let mut lines: Vec<String> =
        (1..).zip(rows).map(|(row, [first, second])| format!("{row:>3}) {first:<32} {second}")).collect();
    // GNU reads a drop without points after it, in the column of the winner, as another double.
    match (wins, lines.last_mut(), actions.last()) {
        (Some((Seat::Second, wins)), Some(line), Some((Seat::First, _))) => {
            line.push_str(&format!(" {wins}"))
        }
        (Some((winner, wins)), ..) => lines.push(format!("{:1$}{wins}", "", winner.of(&[6, 38]))),
        _ => {}
    }
    // A colon would end the name.
    let names = [0, 1].map(|at| names[at].unwrap_or(UNNAMED[at]).replace([':', '\n'], " "));
    let [first, second] = [0, 1].map(|at| format!("{} : {}", names[at], score[at]));
    let lines: String = lines.iter().map(|line| format!("{}\n", line.trim_end())).collect();
    format!("\n Game {number}\n {first:<36}{second}\n{lines}")
}

pub(crate) fn read(kind: &GameKind, text: &str) -> Result<Vec<Recorded>, String> {
    let (mut games, mut comments): (Vec<MatReader<'_>>, Vec<(&str, &str)>) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let bare = line.trim();
        if let Some(comment) = bare.strip_prefix(';') {
            let inside = comment.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix("\"]"));
            comments.extend(inside.and_then(|inside| inside.split_once(" \"")));
        } else if let Some(length) = bare.strip_suffix("point match") {
            let begun = MatReader::begin(kind, length.trim(), &comments);
            games.push(begun.map_err(|why| wrong(text, line, why))?);
            comments.clear();
        } else if let Some((number, actions)) = bare.split_once(')')
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            let game =
                games.last_mut().ok_or_else(|| wrong(text, line, "`N point match` is missing above"))?;
            game.read_row(actions).map_err(|why| wrong(text, line, why))?;
            game.read_end(line).map_err(|why| wrong(text, line, why))?;
        } else if let (Some(game), true) = (games.last_mut(), bare.starts_with("Wins ")) {
            game.read_end(line).map_err(|why| wrong(text, line, why))?;
        } else if let (Some(game), Some((first, behind))) = (games.last_mut(), bare.split_once(" : "))
            && let Some((second, _)) =
                behind.trim_start_matches(|c: char| c.is_ascii_digit()).split_once(" : ")
            && game.game.players == [None, None]
        {
            game.game.players =
                [0, 1].map(|at| known([first, second][at]).filter(|name| name != UNNAMED[at]));
        }
    }
    some(games.into_iter().map(MatReader::end).collect())
}

struct MatReader<'t> {
    table: Box<dyn Table>,
    game: Recorded,
    end: Option<&'t str>,
}

impl<'t> MatReader<'t> {
    fn begin(
        kind: &GameKind,
        length: &str,
        comments: &[(&'t str, &'t str)],
    ) -> Result<MatReader<'t>, String> {
        let find = |name: &str| comments.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
        let option = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        let jacoby = find("Jacoby").filter(|is_on| *is_on == "true").map(|_| option("jacoby", None));
        let options = match length {
            "0" => [option("cube", None)].into_iter().chain(jacoby).collect(),
            "1" => Vec::new(),
            length => vec![option("match", Some(length))],
        };
        let mut game = Recorded::of(kind, options)?;
        game.players = ["Player 1", "Player 2"].map(|name| find(name).and_then(known));
        game.event = find("Event").and_then(known);
        game.date = find("EventDate").and_then(day);
        Ok(MatReader { table: game.table(kind)?, game, end: find("End") })
    }

    /// The actions of a row. The column of the first one tells which seat begins a game.
    fn read_row(&mut self, row: &str) -> Result<(), String> {
        let begins = if row.len() - row.trim_start().len() > 9 { Seat::Second } else { Seat::First };
        let mut words = row.split_whitespace().peekable();
        let is_roll =
            |word: &str| word.len() == 3 && word.ends_with(':') && word.as_bytes()[0].is_ascii_digit();
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "doubles" => self.play("double")?,
                "takes" => self.play("take")?,
                "drops" => self.play("drop")?,
                "wins" => return Ok(()),
                _ if is_roll(word) => {
                    self.roll(word, begins)?;
                    let mut turn = Vec::new();
                    let is_action = |word: &str| is_roll(word) || ["Doubles", "Wins"].contains(&word);
                    while let Some(step) = words.next_if(|word| !is_action(word)) {
                        turn.push(step);
                    }
                    let turn = turn.join(" ");
                    let is_pass = turn.is_empty() || turn.eq_ignore_ascii_case("cannot move");
                    let played = self.play(if is_pass { "pass" } else { &turn });
                    // A loser who gives the game up after a roll plays nothing.
                    played.or_else(|why| if turn.is_empty() { Ok(()) } else { Err(why) })?;
                }
                // The `=> 2` after a double.
                _ => {}
            }
        }
        Ok(())
    }

    /// The end of a game, if the line tells it. A game that is not over on the board is given up by its loser.
    fn read_end(&mut self, line: &str) -> Result<(), String> {
        let Some((before, points)) = line.split_once("Wins ") else { return Ok(()) };
        let position = self.table.position();
        if self.table.ended().is_some() || position.contains(" opening") {
            return Ok(());
        }
        // The column of the second player is to the right of the first.
        let loser = if before.len() > 20 { Seat::First } else { Seat::Second };
        let given_up = self.table.give_up_ply().filter(|_| self.table.turn() == loser);
        self.play(&given_up.ok_or("the loser gives this game up outside of a turn")?)?;
        let lost = score(&self.table.position()).0[1 - loser.index()] - score(&position).0[1 - loser.index()];
        let is_all = points.split(' ').next() == Some(lost.to_string().as_str());
        if is_all { Ok(()) } else { Err(format!("the loser can lose {lost} here")) }
    }

    fn roll(&mut self, word: &str, begins: Seat) -> Result<(), String> {
        let faces: Vec<u8> = word.bytes().take(2).map(|byte| byte.wrapping_sub(b'0')).collect();
        let mut faces = [faces[0].max(faces[1]), faces[0].min(faces[1])];
        if self.table.chance().is_none() {
            self.play("roll")?;
        }
        if self.table.position().contains(" opening") && begins == Seat::Second {
            faces.reverse();
        }
        let cast = Cast::of(&faces).and_then(|cast| self.table.play_chance(cast));
        self.game.plies.push(cast.ok_or_else(|| format!("{word} no dice fall here"))?);
        Ok(())
    }

    fn play(&mut self, ply: &str) -> Result<(), String> {
        let played = self.table.play_text(ply).map_err(|why| format!("{ply}: {why}"))?;
        self.game.plies.push(played.ply);
        Ok(())
    }

    fn end(mut self) -> Recorded {
        let told = self.end.and_then(|end| end.split_once(' ')).and_then(|(winner, how)| {
            let winner = WINNERS.iter().position(|other| *other == winner)?;
            let by = ENDS.iter().find(|(_, other)| *other == how)?.0;
            Some(Finish { winner: Seat::BOTH.get(winner).copied(), by })
        });
        let by_rules =
            self.table.ended().map(|outcome| Finish { winner: outcome.winner, by: EndedBy::Rules });
        self.game.end = told.or(by_rules);
        self.game
    }
}
