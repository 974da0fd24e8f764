//! GGF, in which servers and programs keep games of reversi: the properties of SGF in one node, spaces by their names.

use super::sgf::{SgfProperty, extra, games, written};
use super::{EndedBy, Finish, RecordReader, Recorded, day, some, wrong};
use crate::{GameKind, Seat};

/// The signs of the discs: black, white, none.
const SIGNS: [(char, char); 3] = [('*', 'b'), ('O', 'w'), ('-', '.')];

/// A position in the value of `BO`: `8 ---...--- *`.
fn to_board(start: &str) -> String {
    let sign = |c: char| SIGNS.into_iter().find(|(_, own)| *own == c).map(|(sign, _)| sign);
    let (rows, side) = start.split_once(' ').unwrap_or((start, "b"));
    let rows: Vec<String> = rows.split('/').map(|row| row.chars().filter_map(sign).collect()).collect();
    format!("8 {} {}", rows.join(" "), side.chars().find_map(sign).unwrap_or('*'))
}

fn from_board(value: &str) -> Option<String> {
    let own =
        |c: char| SIGNS.into_iter().find(|(sign, _)| *sign == c.to_ascii_uppercase()).map(|(_, own)| own);
    let signs: Vec<char> = value.trim().strip_prefix('8')?.chars().filter_map(own).collect();
    let (side, board) = signs.split_last().filter(|(_, board)| board.len() == 64)?;
    let rows: Vec<String> = board.chunks(8).map(|row| row.iter().collect()).collect();
    Some(format!("{} {side}", rows.join("/")))
}

pub(crate) fn write(kind: &GameKind, game: &Recorded) -> Result<String, String> {
    let mut table = game.table(kind)?;
    let board = to_board(&game.start);
    if from_board(&board).as_ref() != Some(&game.start) {
        return Err("its first position has a past, which this format cannot hold".to_owned());
    }
    let mut moves = String::new();
    for ply in &game.plies {
        let value = if ply == "pass" { "PA".to_owned() } else { ply.to_uppercase() };
        moves += &written(["B", "W"][table.turn().index()], Some(&value));
        table.replay(ply).map_err(|why| why.to_string())?;
    }
    let [black, white] = table.ended().and_then(|outcome| outcome.score).unwrap_or_default().map(i32::from);
    // Who loses without a count loses all discs.
    let result = game.end.filter(|end| end.by != EndedBy::Abandonment).map(|Finish { winner, by }| {
        let all = winner.map_or(0, |winner| *winner.of(&[64, -64]));
        match by {
            EndedBy::Rules => format!("{:+}", black - white),
            EndedBy::Time => format!("{all:+}:t"),
            EndedBy::Resignation => format!("{all:+}:r"),
            _ => format!("{all:+}:s"),
        }
    });
    let [first, second] = &game.players;
    let properties = [
        ("GM", Some("Othello")),
        ("PC", Some("Turnpost")),
        ("DT", game.date.as_deref()),
        ("PB", first.as_deref()),
        ("PW", second.as_deref()),
        ("EV", game.event.as_deref()),
        ("RE", Some(result.as_deref().unwrap_or("?"))),
        ("XT", extra(game)),
        ("TY", Some("8")),
        ("BO", Some(&board)),
    ];
    let properties: String = properties.into_iter().map(|(name, value)| written(name, value)).collect();
    Ok(format!("(;{properties}{moves};)\n"))
}

pub(crate) fn read(kind: &GameKind, text: &str) -> Result<Vec<Recorded>, String> {
    some(games(text)?.iter().map(|game| read_one(kind, text, game)).collect::<Result<_, _>>()?)
}

fn read_one(kind: &GameKind, text: &str, properties: &[SgfProperty<'_>]) -> Result<Recorded, String> {
    let find = |name: &str| properties.iter().find(|property| property.name == name);
    let value = |name: &str| find(name).map(SgfProperty::value).unwrap_or_default();
    if let Some(other) = find("GM").filter(|game| !game.value().eq_ignore_ascii_case("othello")) {
        return Err(wrong(text, other.value(), format!("this is another game than {}", kind.name)));
    }
    let mut game = Recorded::of(kind, Vec::new())?;
    if let Some(board) = find("BO") {
        let start = from_board(board.value()).and_then(|start| (kind.read)(&start).ok());
        let start =
            start.ok_or_else(|| wrong(text, board.value(), "this is no position of 8 by 8 squares"))?;
        game.start = start.position();
    }
    game.players = ["PB", "PW"].map(|name| find(name)?.known());
    game.event = find("EV").and_then(SgfProperty::known);
    game.date = day(value("DT"));
    let mut reading = RecordReader::begin(text, kind, game)?;
    for property in properties.iter().filter(|property| ["B", "W"].contains(&property.name)) {
        // A value and a time can follow the move.
        let ply = property.value().split('/').next().unwrap_or_default().trim();
        let ply = if ply.eq_ignore_ascii_case("pa") { "pass" } else { ply };
        if property.name != ["B", "W"][reading.table.turn().index()] && reading.table.forced_ply().is_none() {
            return Err(wrong(text, property.value(), "the other colour is to move"));
        }
        reading.play(property.value(), ply)?;
    }
    let (score, how) = value("RE").split_once(':').unwrap_or((value("RE"), ""));
    let by = match how {
        _ if value("XT") == "ruled" => EndedBy::Ruling,
        "r" => EndedBy::Resignation,
        "t" => EndedBy::Time,
        _ => EndedBy::Rules,
    };
    let end = score.trim().parse::<f32>().ok().map(|score| Finish {
        winner: (score != 0.0).then_some(if score > 0.0 { Seat::First } else { Seat::Second }),
        by,
    });
    let void = (value("XT") == "void").then_some(Finish { winner: None, by: EndedBy::Abandonment });
    Ok(reading.end(void.or(end)))
}
