//! Boards in the formats of other servers and programs, and their games as records.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use turnpost_games::{EndedBy, Finish, GameKind, Notation, Recorded, Setup};

use crate::board::record::{BadText, By, Record, RecordLine};
use crate::board::{Board, Imported, Terms, names};
use crate::failure::Error;
use crate::ids::{Ply, Userid};
use crate::store::{BoardRow, Ending, EventKind, Ruling, Store, TimeControl};

/// The record of a board in another format. The inner error says why the format cannot hold the game.
pub fn write_as(store: &Store, board: &Board, notation: &Notation) -> Result<Result<String, String>, Error> {
    let row = &board.row;
    let Some(start) = store.events(row.id)?.into_iter().next() else { return Ok(Ok(String::new())) };
    let terms = Terms::of(&start)?;
    let plies = store.plies(row.id, Ply(1), row.plies)?;
    let recorded = Recorded {
        players: names(store, &row.players)?.map(Some),
        event: row.contest.as_ref().map(|contest| contest.name.clone()),
        date: Some(row.started_at.to_zoned(TimeZone::UTC).date().to_string()),
        options: if terms.from_position { Vec::new() } else { terms.options },
        start: terms.position,
        plies: plies.into_iter().map(|ply| ply.text).collect(),
        end: end(row),
    };
    Ok((notation.write)(board.kind, &recorded))
}

fn end(row: &BoardRow) -> Option<Finish> {
    let result = row.result.as_ref()?;
    let by = match result.ending {
        Ending::Normal => EndedBy::Rules,
        Ending::Resigned => EndedBy::Resignation,
        Ending::TimedOut => EndedBy::Time,
        Ending::Agreed => EndedBy::Agreement,
        Ending::Abandoned => EndedBy::Abandonment,
        Ending::Ruled => EndedBy::Ruling,
    };
    Some(Finish { winner: result.winner, by })
}

impl Record {
    /// Makes a record of a game that another format told of. Everything happened on its day, or at `now` if the day is
    /// unknown. The players are those named in the game, unless `players` names others.
    pub fn of(
        game: &'static GameKind,
        recorded: Recorded,
        players: Option<&[Userid; 2]>,
        now: Timestamp,
    ) -> Result<Record, BadText> {
        let Recorded { players: named, options, start, .. } = recorded;
        let unknown = |name: &str| {
            BadText::Whole(format!("{name} has no account here: say who they are by --players ann,bob"))
        };
        let account = |name: &Option<String>| {
            let name = name.as_deref().unwrap_or("a player without a name");
            name.parse::<Userid>().map_err(|_| unknown(name))
        };
        let players = match players {
            Some(players) => players.clone(),
            None => [account(&named[0])?, account(&named[1])?],
        };
        let day = recorded.date.and_then(|day| day.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok());
        let at = day.map_or(now, |day| day.timestamp());
        let table = (game.start)(&Setup { options: &options, seed: 0 });
        let from_position = !table.is_ok_and(|table| table.position() == start);
        let options = if from_position { Vec::new() } else { options };
        let terms = serde_json::json!({
            "game": game.key, "options": options, "seed": 0, "from_position": from_position, "position": start,
            "days": TimeControl::default(),
            "imported": Imported { board: 0, rated: false, events: 0, seed_hash: None },
        });
        let line = |kind, seat, by, ply, text| RecordLine { line: 0, kind, seat, by, ply, at, text };
        let plies = (1..).zip(recorded.plies);
        let mut events: Vec<RecordLine> =
            plies.map(|(ply, text)| line(EventKind::Ply, None, None, Some(Ply(ply)), text)).collect();
        if let Some(Finish { winner, by }) = recorded.end {
            let (loser, server) = (winner.map(|winner| winner.other()), Some(By::Server));
            let ruled = |ruling: Ruling, seat| {
                Some(line(EventKind::Ruling, seat, server, None, ruling.as_str().to_owned()))
            };
            events.extend(match (by, winner) {
                (EndedBy::Rules, _) => None,
                (EndedBy::Resignation, _) => {
                    Some(line(EventKind::Resignation, loser, loser.map(By::Player), None, String::new()))
                }
                (EndedBy::Time, _) => Some(line(EventKind::TimedOut, loser, server, None, String::new())),
                (EndedBy::Agreement, _) => {
                    Some(line(EventKind::Agreement, None, server, None, String::new()))
                }
                (EndedBy::Ruling, Some(_)) => ruled(Ruling::Won, winner),
                (EndedBy::Ruling, None) => ruled(Ruling::Draw, None),
                (EndedBy::Abandonment, _) => ruled(Ruling::Void, None),
            });
        }
        let terms = terms.as_object().cloned().unwrap_or_default();
        Ok(Record { players, result: None, terms, start: (at, None), events })
    }
}
