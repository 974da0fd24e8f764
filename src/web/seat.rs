//! The player whose link a visitor has, at the board of the link.

use axum::http::StatusCode;
use minijinja::context;
use schemars::JsonSchema;
use serde::Serialize;
use tracing::warn;
use turnpost_games::registry;

use super::Site;
use super::address::Format;
use super::answer::Answer;
use super::mine::Mine;
use crate::board::{Board, seats};
use crate::commands::reply_words::offers;
use crate::credentials::token::TokenSeat;
use crate::failure::Error;
use crate::ids::{Ply, Seat};
use crate::language::plan::Plan;
use crate::notices::look::{Look, look};
use crate::notices::ply_view::PlyView;
use crate::play::zone_of;
use crate::store::{NoteRow, Store};

/// A player at a board, found by a link.
pub(super) struct Player {
    pub seat: TokenSeat,
    pub side: Seat,
    pub board: Board,
    /// The board with its last move.
    pub look: Look,
    /// The next board of a player who is signed in.
    pub next: Option<Mine>,
    /// True if the page offers to sign this browser in.
    pub may_stay: bool,
}

impl Player {
    /// True if this turn is from a page that was made before the spaces of its board were renamed. Pages write them in
    /// capitals since.
    pub fn names_as_before(&self, store: &Store, turn: &str) -> Result<bool, Error> {
        let today = self.board.kind.renamed.and_then(|renamed| renamed(turn));
        let is_other = today.is_some_and(|today| !today.eq_ignore_ascii_case(turn));
        Ok(is_other && turn.starts_with(char::is_lowercase) && store.is_newly_renamed(self.board.row.id)?)
    }

    pub fn at(store: &Store, seat: TokenSeat) -> Result<Option<Player>, Error> {
        let Some(board) = Board::load(store, seat.board)? else { return Ok(None) };
        let Some(look) = look(store, seat.board, None)? else { return Ok(None) };
        let side = if board.row.players[0] == seat.player { Seat::First } else { Seat::Second };
        Ok(Some(Player { seat, side, board, look, next: None, may_stay: false }))
    }

    /// True if the player can make conditional moves with this link.
    pub fn may_plan(&self) -> bool {
        self.is_to_move() || self.words().contains(&"queue")
    }

    pub fn is_to_move(&self) -> bool {
        self.seat.fresh && self.board.row.to_move == Some(self.side)
    }

    /// Words of a reply, other than a move, that the page offers.
    pub fn words(&self) -> Vec<&'static str> {
        if !self.seat.fresh {
            return Vec::new();
        }
        let offers = offers(&self.look.view, self.side.index()).into_iter();
        // A link cannot answer what its mail did not show.
        let buttons = offers.filter(|entry| entry.done.is_some() && self.seat.has_seen(entry.needs));
        buttons.map(|entry| entry.word).collect()
    }

    /// The player's notebook. A link from an earlier mail does not show it.
    pub fn notebook(&self, store: &Store) -> Result<Vec<NoteOn>, Error> {
        let notes = store.notes(self.seat.board, self.seat.player)?.into_iter().filter(|_| self.seat.fresh);
        let note = |note: NoteRow| NoteOn {
            ply: note.ply.0,
            after: self.after(note.ply),
            text: note.text,
            shown: note.shown,
        };
        Ok(notes.map(note).collect())
    }

    /// A position by its last move, as the list of moves has it: `2. exd5`.
    pub fn after(&self, ply: Ply) -> String {
        PlyView::after(&self.look.plies, ply)
    }

    /// The player's conditional moves.
    pub fn plan(&self, store: &Store) -> Result<Plan, Error> {
        let text = store.queue(self.seat.board, self.seat.player)?.filter(|_| self.seat.fresh);
        let plan = text.map(|text| serde_json::from_str(&text)).transpose();
        Ok(plan
            .unwrap_or_else(|why| {
                warn!("queue on {}: {why}", self.seat.board);
                None
            })
            .unwrap_or_default())
    }
}

/// A private note of the player.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct NoteOn {
    /// The number of plies before it.
    ply: u32,
    /// The last of them as the list of moves has it: `2. exd5`.
    after: String,
    text: String,
    /// True if every reader of the board sees it.
    shown: bool,
}

/// What became of the seat of a link; `None` if the player of the link still has it.
pub(super) fn lost(
    site: &Site,
    store: &Store,
    seat: &TokenSeat,
    format: Format,
) -> Result<Option<Answer>, Error> {
    let userid = |player| Ok::<_, Error>(store.player_by_id(player)?.userid);
    let account = store.player_by_id(seat.player)?;
    let notice = if let Some(given) = seats::lost(store, seat.board, seat.player)? {
        let day = given.at.to_zoned(zone_of(store, seat.player)?).strftime("%a %-d %b %Y");
        format!("{} has had your seat at this board since {day}.", userid(given.to)?)
    } else if let Some(heir) = store.heir_of(seat.player)?.filter(|_| account.is_deleted()) {
        format!("The account {} is part of {} now.", account.userid, userid(heir)?)
    } else {
        return Ok(None);
    };
    let Some(row) = store.board(seat.board)? else { return Ok(None) };
    let heading = format!("{} {}", registry::find(&row.game).map_or("Board", |kind| kind.name), row.id);
    let more = context! { heading, game => row.game, board => row.id.0 };
    site.instead(StatusCode::GONE, &notice, more, format).map(Some)
}
