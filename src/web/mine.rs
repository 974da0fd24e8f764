//! The boards of a player as the player sees them: rows of `/me`.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::{GameKind, Seat, registry};

use super::board::pace;
use super::lists::{Row, row};
use crate::board::clocks::may_nudge;
use crate::board::outcome_for;
use crate::board::ratings::whole_points;
use crate::commands::kept_analysis;
use crate::credentials::token;
use crate::failure::Error;
use crate::ids::Ply;
use crate::store::{BoardRow, BoardState, Proposal, SessionRow, Store};

/// A game with this many plies can no longer be declined.
const TAKEN_UP: Ply = Ply(10);

/// A board in play.
#[derive(Serialize, JsonSchema)]
pub(super) struct Mine {
    /// The page on which the player plays.
    pub href: String,
    /// True if this browser can play the board.
    plays: bool,
    opponent: String,
    /// True if the picture of the board is turned for the player.
    turned: bool,
    /// The opponent's rating at the game.
    rating: Option<i64>,
    /// The number of events in the board's record.
    events: u32,
    /// The last move.
    last: Option<String>,
    /// What the opponent proposes.
    #[schemars(extend("enum" = ["draw", "undo", null]))]
    proposal: Option<&'static str>,
    /// The terms of the opponent's challenge, while the player can decline it.
    challenge: Option<String>,
    /// The number of messages from the opponent since the player's last move.
    unread: u32,
    /// Seconds until the player to move loses on time.
    left: Option<i64>,
    /// True if that is today, in the player's zone.
    today: bool,
    /// The last day of the opponent's vacation.
    back: Option<String>,
    /// True if conditional moves are kept for the opponent's next one.
    planned: bool,
    may_nudge: bool,
    #[serde(flatten)]
    pub row: Row,
}

impl Mine {
    /// A board of the player. It leads to the play page if this browser can play the board, otherwise to the public
    /// page. `None` if the player has no link to the board.
    pub fn new(
        store: &Store,
        signed_in: &SessionRow,
        board: &BoardRow,
        now: Timestamp,
    ) -> Result<Option<Mine>, Error> {
        let player = signed_in.player;
        let game = registry::games().iter().find(|game| game.key == board.game);
        let link = token::of_page(store, board.id, player, None)?;
        let Some((game, link)) = game.zip(link) else { return Ok(None) };
        let seat = if board.players[0] == player { Seat::First } else { Seat::Second };
        let is_mine = board.to_move == Some(seat);
        let other = store.player_by_id(*seat.other().of(&board.players))?;
        let plays = signed_in.plays(board.id);
        let href = if plays { format!("/play/{link}") } else { format!("/{}/{}", game.key, board.id) };
        let plies = store.plies(board.id, board.plies.min(TAKEN_UP), board.plies)?;
        let proposed = board.proposal.filter(|(_, by)| *by != seat).map(|(proposal, _)| proposal);
        let zone = crate::play::zone_of(store, player)?;
        let day = |at: Timestamp| at.to_zoned(zone.clone()).date();
        let away = store.next_vacation(&other.userid, now)?.filter(|away| away.starts_at <= now);
        Ok(Some(Mine {
            href,
            plays,
            turned: game.is_turned_for(seat),
            rating: store.rating(game.key, other.id)?.map(|row| whole_points(row.rating)),
            events: board.events,
            last: plies.last().map(|ply| ply.text.clone()),
            proposal: proposed.map(|proposal| match proposal {
                Proposal::Draw => "draw",
                Proposal::Undo => "undo",
            }),
            challenge: challenge(store, game, board, seat)?,
            unread: store.words_since_move(board.id, player)?,
            left: board.deadline_at.map(|until| until.as_second() - now.as_second()),
            today: board.deadline_at.is_some_and(|until| day(until) <= day(now)),
            back: away.map(|away| away.last.to_string()),
            planned: !is_mine && store.queue(board.id, player)?.is_some(),
            may_nudge: !is_mine && !other.id.is_robot() && may_nudge(store, board, now)?,
            opponent: other.userid.to_string(),
            row: row(store, game, board)?,
        }))
    }
}

/// The terms of a challenge that the player at `seat` has not taken up. `None` if the player cannot decline it.
fn challenge(store: &Store, game: &GameKind, board: &BoardRow, seat: Seat) -> Result<Option<String>, Error> {
    if board.contest.is_some() || board.swapped || board.plies >= TAKEN_UP {
        return Ok(None);
    }
    let events = store.events(board.id)?;
    let is_theirs = events.first().and_then(|start| start.player) == Some(*seat.other().of(&board.players));
    let has_played = events.iter().any(|event| event.number > 1 && event.seat == Some(seat));
    if !is_theirs || has_played {
        return Ok(None);
    }
    let rated = if board.rated { "rated" } else { "unrated" };
    Ok(Some(format!("{rated}, {}. You are {}", pace(board.days), game.seat(seat))))
}

/// A board that is over.
#[derive(Serialize, JsonSchema)]
pub(super) struct Over {
    key: &'static str,
    name: &'static str,
    board: u32,
    opponent: String,
    /// The result for the player: `won`, `lost by resignation`, `draw`.
    result: String,
    /// The player's rating after the game, and by how much the game changed it.
    rating: Option<[i64; 2]>,
    /// When it ended, in seconds since 1970.
    ended: i64,
    /// Whether an analysis exists, or can be asked for.
    #[schemars(extend("enum" = ["made", "possible", null]))]
    analysis: Option<&'static str>,
}

impl Over {
    pub fn new(store: &Store, signed_in: &SessionRow, board: &BoardRow) -> Result<Option<Over>, Error> {
        let game = registry::games().iter().find(|game| game.key == board.game);
        let seat = if board.players[0] == signed_in.player { Seat::First } else { Seat::Second };
        let Some((game, result)) = game.zip(outcome_for(board, seat)) else { return Ok(None) };
        let around = store.rating_around(board.id, signed_in.player)?;
        let is_played = board.state == BoardState::Finished && board.plies > Ply::START;
        let analysis = match kept_analysis(store, board.id)? {
            Some(_) => Some("made"),
            None => (is_played && turnpost_robot::find(game.key).is_some()).then_some("possible"),
        };
        Ok(Some(Over {
            key: game.key,
            name: game.name,
            board: board.id.0,
            opponent: store.player_by_id(*seat.other().of(&board.players))?.userid.to_string(),
            result,
            rating: around
                .map(|(before, after)| [whole_points(after), whole_points(after) - whole_points(before)]),
            ended: board.changed_at.as_second(),
            analysis,
        }))
    }
}
