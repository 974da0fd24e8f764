//! The table of a group as a tournament file of FIDE (TRF16), which other pairing programs read.

use std::fmt::Write;

use jiff::Timestamp;

use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::standing::GroupStanding;
use crate::contest::table::GameResult;
use crate::ids::Seat;
use crate::store::PlayerId;

/// What a player did in a round, in ten columns: the number of the opponent, the color and the result.
struct Cell {
    round: usize,
    text: String,
}

/// A whole file. `None` for a knock-out, whose rounds have two games of a pair, and for teams, which have another
/// format. `name` gives the userid of a player.
pub fn tournament_file<E>(
    contest: &Contest,
    group: &GroupStanding,
    name: impl Fn(PlayerId) -> Result<String, E>,
) -> Result<Option<String>, E> {
    let players = group.entrants.len();
    let (rounds, system) = match contest.terms.pairing {
        Pairing::AllPlayAll => {
            (seats_of(players).saturating_sub(1) * contest.terms.rounds as usize, "Individual: Round-Robin")
        }
        Pairing::Swiss => (contest.terms.rounds as usize, "Individual: Swiss-System (FIDE Dutch)"),
        Pairing::KnockOut | Pairing::Teams => return Ok(None),
    };
    let mut text = format!("012 {}\n", contest.row.title());
    for (number, at) in [("042", contest.started_at), ("052", contest.closed_at)] {
        if let Some(at) = at {
            _ = writeln!(text, "{number} {}", day(at));
        }
    }
    _ = writeln!(text, "062 {players}\n092 {system}\nXXR {rounds}");
    if contest.terms.pairing == Pairing::Swiss {
        // The strongest player moves first in the first round.
        text.push_str("XXC white1\n");
    }
    let places = group.places();
    for (at, entrant) in group.entrants.iter().enumerate() {
        let line = places.iter().zip(1..).find(|(place, _)| place.player == entrant.player);
        let (points, rank) = line.map_or((0, 0), |(place, rank)| (place.points, rank));
        let (points, half) = (points / 2, if points % 2 == 1 { 5 } else { 0 });
        let (name, rating) = (name(entrant.player)?, entrant.rating / 100);
        _ = write!(
            text,
            "001 {:>4}      {name:<33} {rating:>4}{:>28}{points:>2}.{half} {rank:>4}",
            at + 1,
            ""
        );
        let cells = cells(contest, group, at);
        for round in 1..=rounds {
            let cell = cells.iter().find(|cell| cell.round == round);
            // Z: not in this round.
            let absent = if round <= contest.round() as usize { "0000 - Z" } else { "" };
            _ = write!(text, "  {:<8}", cell.map_or(absent, |cell| cell.text.as_str()));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    Ok(Some(text))
}

fn day(at: Timestamp) -> String {
    at.strftime("%Y/%m/%d").to_string()
}

fn seats_of(players: usize) -> usize {
    players.next_multiple_of(2)
}

fn cells(contest: &Contest, group: &GroupStanding, at: usize) -> Vec<Cell> {
    let number = |player: PlayerId| group.entrants.iter().position(|other| other.player == player);
    let own = group.entrants.get(at).map(|entrant| entrant.player);
    let mut cells = Vec::new();
    for (game, round) in group.games.iter().zip(&group.rounds) {
        let Some(seat) = Seat::BOTH.into_iter().find(|seat| Some(*seat.of(&game.players)) == own) else {
            continue;
        };
        let Some(other) = number(*seat.other().of(&game.players)) else { continue };
        let round = match contest.terms.pairing {
            Pairing::AllPlayAll => {
                let first = if seat == Seat::First { at } else { other };
                round_of(group.entrants.len(), [at, other], first)
            }
            _ => *round as usize,
        };
        let result = match game.result {
            GameResult::Running => ' ',
            GameResult::Draw => '=',
            GameResult::Void => '-',
            GameResult::Won(winner) if winner == seat => '1',
            GameResult::Won(_) => '0',
        };
        let color = if seat == Seat::First { 'w' } else { 'b' };
        cells.push(Cell { round, text: format!("{:>4} {color} {result}", other + 1) });
    }
    let byes = contest.byes.iter().filter(|(_, player)| Some(*player) == own);
    let missed = own.map_or(0, |own| contest.missed(own) as usize);
    cells.extend((1..=missed).map(|round| Cell { round, text: "0000 - H".to_owned() }));
    cells.extend(byes.map(|(round, _)| Cell { round: *round as usize, text: "0000 - U".to_owned() }));
    cells
}

/// A round of an all-play-all, from 1, in which each player has one game, although all games begin together. The games in
/// which the pair has the seats of a second cycle come after all others.
fn round_of(players: usize, pair: [usize; 2], first: usize) -> usize {
    let last = seats_of(players) - 1;
    let (low, high) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
    let round = if high == last { 2 * low } else { low + high } % last;
    let is_second = (first == low) != ((low + high) % 2 == 1);
    1 + round + if is_second { last } else { 0 }
}
