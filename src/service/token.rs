//! Reply tokens: what lets a plain reply play.
//!
//! The Reply-To of a mail about a board carries one for that board, seat and position. It is an HMAC-SHA-256 keyed
//! with the player's secret, cut to 128 bits, in lower-case base32, since some mail servers fold the case of local
//! parts. The position is named by the number of the event that made it: a ply kills the tokens of the position before
//! it, and a take-back does not revive them. Proposals make no new position and kill none.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::Failure;
use crate::ids::{BoardId, Seat};
use crate::mail::ReplyToken;
use crate::store::{PlayerId, Store};

/// Bytes of the MAC that are kept.
const KEPT: usize = 16;

/// Whom a token speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bearer {
    /// The board.
    pub board: BoardId,
    /// The player.
    pub player: PlayerId,
    /// Whether the board still stands as it did when the token was given.
    pub fresh: bool,
}

/// The token of a player for the board as it stands; `None` where there is nothing to reply to.
///
/// # Errors
/// When the store fails.
pub fn give(store: &Store, board: BoardId, player: PlayerId) -> Result<Option<String>, Failure> {
    let Some((seat, secret, position)) = store.reply_seat(board, player)? else { return Ok(None) };
    let mac = mac(&secret, board, seat, position).finalize().into_bytes();
    let kept = mac.get(..KEPT).unwrap_or_default();
    Ok(Some(format!("b{board}.{}", BASE32_NOPAD.encode(kept).to_ascii_lowercase())))
}

/// Whom a token that came back speaks for; `None` when it is none of ours.
///
/// # Errors
/// When the store fails.
pub fn bearer(store: &Store, token: &ReplyToken) -> Result<Option<Bearer>, Failure> {
    let Some((board, code)) = token.0.strip_prefix('b').and_then(|token| token.split_once('.')) else {
        return Ok(None);
    };
    let code = BASE32_NOPAD.decode(code.to_ascii_uppercase().as_bytes());
    let (Ok(board), Ok(code)) = (board.parse::<BoardId>(), code) else { return Ok(None) };
    let Some(row) = store.board(board)? else { return Ok(None) };
    if code.len() != KEPT {
        return Ok(None);
    }
    let positions = store.position_events(board)?;
    for seat in Seat::BOTH {
        let player = *seat.of(&row.players);
        let secret = store.secret(player)?;
        for position in positions.iter().rev() {
            // Compared in constant time.
            if mac(&secret, board, seat, *position).verify_truncated_left(&code).is_ok() {
                return Ok(Some(Bearer { board, player, fresh: Some(position) == positions.last() }));
            }
        }
    }
    Ok(None)
}

fn mac(secret: &[u8; 32], board: BoardId, seat: Seat, position: u32) -> Hmac<Sha256> {
    // HMAC fills a short key up with zeros to the block of its hash (RFC 2104 2).
    let mut key = [0; 64];
    key.iter_mut().zip(secret).for_each(|(byte, secret)| *byte = *secret);
    let mut mac = <Hmac<Sha256> as KeyInit>::new(&key.into());
    mac.update(b"turnpost reply token\0");
    mac.update(&board.0.to_be_bytes());
    mac.update(&[seat.index() as u8]);
    mac.update(&position.to_be_bytes());
    mac
}
