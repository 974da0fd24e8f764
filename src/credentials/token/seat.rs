//! Tokens that speak for a seat of a board.
//!
//! The Reply-To of a mail about a board carries a token. Its code covers the board, the seat and the record up to the
//! last event that the mail shows, so it fits no other game with the same number. A ply ends the tokens of earlier
//! positions, and a take-back does not revive them. A proposal does not change the position: a reply to an older mail
//! can still play, but cannot accept a proposal that the mail did not show. The link to a player's page has a code with
//! a different MAC purpose, so the URL of a page cannot be used to write mails.

use super::mac::{board_mac, code, decoded, fits};
use super::parts;
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::language::Seen;
use crate::store::{BoardRow, PlayerId, Store, StoreError};

pub(super) const WITH_A_BOARD: [MailKind; 2] = [MailKind::Board, MailKind::Question];

/// The seat that a token speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenSeat {
    pub board: BoardId,
    pub player: PlayerId,
    /// The last event that the mail showed.
    pub event: u32,
    /// True if no move was played since the mail.
    pub fresh: bool,
    /// True if since the mail only the player has moved.
    pub saw_others: bool,
    /// True if also no proposal was made or answered since the mail.
    pub up_to_date: bool,
    pub mail: MailKind,
}

impl TokenSeat {
    /// True if the mail has shown what a command needs.
    pub fn has_seen(&self, needs: Seen) -> bool {
        match needs {
            Seen::Nothing => true,
            Seen::Position | Seen::PositionOrNamed => self.fresh,
            Seen::Board => self.fresh && self.mail == MailKind::Board,
            Seen::OthersMoves => self.saw_others,
            Seen::Proposals => self.fresh && self.up_to_date,
        }
    }
}

/// The kind of mail that carried a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// It showed the board.
    Board,
    /// It showed a move that is not played yet, and asked about it.
    Question,
    /// It brought a chat from the opponent, without the board.
    Chat,
    /// It showed the board. The token is from its link to the player's page.
    Page,
}

/// Board and code of a link to a player's page.
pub(super) fn of_link(link: &str) -> Option<(BoardId, Vec<u8>)> {
    let (kind, number, written) = parts(link)?;
    (kind == "p").then(|| Some((number.parse().ok()?, decoded(written))))?
}

/// A key of a board's codes: that of a player for a seat.
struct SeatKey {
    player: PlayerId,
    seat: Seat,
    secret: [u8; 32],
}

impl SeatKey {
    /// The keys of everyone who has or had a seat. A swap, the host and a merge of accounts change seats, and the codes
    /// of mails from before stay good. `secrets` gives the keys of a player.
    fn all(
        store: &Store,
        board: BoardId,
        secrets: impl Fn(PlayerId) -> Result<Vec<[u8; 32]>, StoreError>,
    ) -> Result<Vec<SeatKey>, Error> {
        let mut keys = Vec::new();
        for player in store.sitters(board)? {
            for secret in secrets(player)? {
                keys.extend(Seat::BOTH.map(|seat| SeatKey { player, seat, secret }));
            }
        }
        Ok(keys)
    }
}

/// What the code of a token covers, and the key that it was made with.
struct FoundCode {
    key: SeatKey,
    mail: MailKind,
    event: u32,
}

fn find(store: &Store, board: BoardId, code: &[u8], kinds: &[MailKind]) -> Result<Option<FoundCode>, Error> {
    let Some(row) = store.board(board)? else { return Ok(None) };
    let record = TokenRecord::of(store, board)?;
    let found = |keys: Vec<SeatKey>| {
        for &mail in kinds {
            let asked: Vec<String> =
                keys.iter().map(|key| asked(store, board, key.player, mail)).collect::<Result<_, _>>()?;
            // Nearly every reply answers the newest mail.
            for event in (1..=row.events).rev() {
                let fits = |(key, asked): &(&SeatKey, &String)| {
                    fits(board_mac(&key.secret, &record, key.seat, (mail, event), asked), code)
                };
                if let Some(at) = keys.iter().zip(&asked).position(|pair| fits(&pair)) {
                    return Ok(keys.into_iter().nth(at).map(|key| FoundCode { key, mail, event }));
                }
            }
        }
        Ok(None)
    };
    // Few accounts are merged, and only old mails are from before.
    match found(SeatKey::all(store, board, |player| Ok(vec![store.secret(player)?]))?)? {
        Some(its) => Ok(Some(its)),
        None => found(SeatKey::all(store, board, |player| store.merged_secrets(player))?),
    }
}

pub(super) fn seat_of(
    store: &Store,
    board: BoardId,
    code: &[u8],
    kinds: &[MailKind],
) -> Result<Option<TokenSeat>, Error> {
    let found = find(store, board, code, kinds)?;
    found.map(|FoundCode { key, mail, event }| seat_at(store, board, key.player, event, mail)).transpose()
}

/// The player's last drafted move, if the mail is a question; else empty. The code of a question covers the move, so a
/// `yes` to an older question about another move does not fit.
fn asked(store: &Store, board: BoardId, player: PlayerId, mail: MailKind) -> Result<String, Error> {
    Ok(match mail {
        MailKind::Question => store.asked_plies(board, player)?,
        MailKind::Board | MailKind::Chat | MailKind::Page => String::new(),
    })
}

/// The hashes of a board's record, which its tokens cover.
pub struct TokenRecord {
    pub(super) board: BoardId,
    /// The hash of the record up to each event.
    digests: Vec<[u8; 32]>,
}

impl TokenRecord {
    pub fn of(store: &Store, board: BoardId) -> Result<TokenRecord, Error> {
        Ok(TokenRecord { board, digests: store.record_digests(board)? })
    }

    pub fn is_of(&self, board: BoardId) -> bool {
        self.board == board
    }

    pub(super) fn until(&self, event: u32) -> &[u8] {
        let last = (event as usize).checked_sub(1).and_then(|last| self.digests.get(last));
        last.map_or(&[], |digest| digest.as_slice())
    }

    /// A player's token for the board after event `shown` (default: the last); `None` if there is nothing to reply to.
    pub fn give(
        &self,
        store: &Store,
        player: PlayerId,
        (mail, shown): (MailKind, Option<u32>),
    ) -> Result<Option<String>, Error> {
        let Some((seat, secret, last)) = store.reply_seat(self.board, player)? else { return Ok(None) };
        let asked = asked(store, self.board, player, mail)?;
        let mac = board_mac(&secret, self, seat, (mail, shown.unwrap_or(last)), &asked);
        let kind = if mail == MailKind::Page { 'p' } else { 'b' };
        Ok(Some(format!("{kind}{}.{}", self.board, code(mac))))
    }
}

/// The seat for which a mail speaks that showed the board up to `event`.
pub(crate) fn seat_at(
    store: &Store,
    board: BoardId,
    player: PlayerId,
    event: u32,
    mail: MailKind,
) -> Result<TokenSeat, Error> {
    let [position, happening] = store.last_events(board)?;
    // The mail of a player who has lost the seat still proves who wrote a reply, and shows no position of theirs.
    let is_seated = store.is_seated(board, player)?;
    let fresh = is_seated && event >= position;
    let up_to_date = is_seated && event >= happening;
    let saw_others = fresh || is_seated && event >= store.last_move_of_others(board, player)?;
    Ok(TokenSeat { board, player, event, fresh, up_to_date, saw_others, mail })
}

/// A player's token for a board after event `shown` (default: the last); `None` if there is nothing to reply to.
pub fn give(
    store: &Store,
    board: BoardId,
    player: PlayerId,
    (mail, shown): (MailKind, Option<u32>),
) -> Result<Option<String>, Error> {
    TokenRecord::of(store, board)?.give(store, player, (mail, shown))
}

/// The token in the link to a player's page of a board after event `shown`; `None` as for [`give`].
pub fn of_page(
    store: &Store,
    board: BoardId,
    player: PlayerId,
    shown: Option<u32>,
) -> Result<Option<String>, Error> {
    give(store, board, player, (MailKind::Page, shown))
}

/// The seat of a link to a player's page, and the token of a board mail that shows the same event; `None` if the server
/// did not make the link.
pub(crate) fn mail_of_page(store: &Store, link: &str) -> Result<Option<(TokenSeat, String)>, Error> {
    let Some((board, code)) = of_link(link) else { return Ok(None) };
    let Some(FoundCode { key, mail, event }) = find(store, board, &code, &[MailKind::Page])? else {
        return Ok(None);
    };
    let seat = seat_at(store, board, key.player, event, mail)?;
    let record = TokenRecord::of(store, board)?;
    let mac = board_mac(&key.secret, &record, key.seat, (MailKind::Board, event), "");
    Ok(Some((seat, format!("b{board}.{}", self::code(mac)))))
}

/// The codes of all tokens of a board up to its last event, for everyone who has or had a seat. A robot has none.
pub(crate) fn codes_of_board(store: &Store, row: &BoardRow) -> Result<Vec<String>, Error> {
    let mut codes = Vec::new();
    let record = TokenRecord::of(store, row.id)?;
    let secrets = |player| Ok([vec![store.secret(player)?], store.merged_secrets(player)?].concat());
    for SeatKey { player, seat, secret } in SeatKey::all(store, row.id, secrets)? {
        if !player.is_robot() {
            for mail in WITH_A_BOARD.into_iter().chain([MailKind::Page]) {
                let asked = asked(store, row.id, player, mail)?;
                let mac = |event| board_mac(&secret, &record, seat, (mail, event), &asked);
                codes.extend((1..=row.events).map(|event| code(mac(event))));
            }
        }
    }
    Ok(codes)
}
