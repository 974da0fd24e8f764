//! Reply tokens, by which a plain reply plays.
//!
//! The Reply-To of a mail about a board carries a token for the board, the seat and the last event the mail shows. It
//! is an HMAC-SHA-256 keyed with the player's secret, cut to 128 bits, in lower-case base32, because some mail
//! servers fold the case of local parts.
//!
//! A ply ends the tokens of earlier positions, and a take-back does not revive them. A proposal leaves the position
//! alone: a reply to an older mail can still play, but cannot accept what that mail did not show.
//!
//! The link to a page where the player moves has a token of the same kind with another label: whoever reads the address
//! of a page cannot write mails with it.
//!
//! The mail that asks an address whether it is a player's carries a token for the address; the weekly mail, one that ends
//! it and opens nothing. A mail with the words of another player carries one for the way back to them, which plays
//! nothing.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::language::Seen;
use crate::mail::ReplyToken;
use crate::store::{BoardRow, CodeHash, MessageId, MessageRow, PlayerId, Store};

/// Bytes of the MAC that a token keeps.
const KEPT: usize = 16;

/// The kinds of mails that show a board.
const WITH_A_BOARD: [MailKind; 2] = [MailKind::Board, MailKind::Question];

/// The seat that a token speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenSeat {
    pub board: BoardId,
    pub player: PlayerId,
    /// The last event that the mail showed.
    pub event: u32,
    /// True when nobody has played since the mail.
    pub fresh: bool,
    /// True when nobody has proposed or answered anything since either.
    pub up_to_date: bool,
    pub mail: MailKind,
}

impl TokenSeat {
    /// True when the mail has shown what a command needs.
    pub fn has_seen(&self, needs: Seen) -> bool {
        match needs {
            Seen::Nothing => true,
            Seen::Position | Seen::PositionOrNamed => self.fresh,
            Seen::Board => self.fresh && self.mail == MailKind::Board,
            Seen::Proposals => self.fresh && self.up_to_date,
        }
    }
}

/// What the mail that a token came with was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// It showed the board.
    Board,
    /// It showed a move that is not played, and asked about it.
    Question,
    /// It brought the opponent's words, and no board.
    Chat,
    /// It showed the board; the token is that of its link.
    Page,
}

/// A player's token for a board after event `shown`, or as it stands; `None` where there is nothing to reply to.
pub fn give(
    store: &Store,
    board: BoardId,
    player: PlayerId,
    (mail, shown): (MailKind, Option<u32>),
) -> Result<Option<String>, Error> {
    let Some((seat, secret, last)) = store.reply_seat(board, player)? else { return Ok(None) };
    Ok(Some(format!("b{board}.{}", code(mac(&secret, board, seat, (mail, shown.unwrap_or(last)))))))
}

/// The seat of a token that came back; `None` when it is not ours.
pub fn token_seat(store: &Store, token: &ReplyToken) -> Result<Option<TokenSeat>, Error> {
    if let Some(message) = answered_message(store, token)? {
        let Some((board, event)) = message.about else { return Ok(None) };
        return seat_at(store, board, message.reader, event, MailKind::Chat).map(Some);
    }
    seat_of(store, token.0.strip_prefix('b'), &WITH_A_BOARD)
}

/// The token in the link to a player's page of a board after event `shown`; `None` as for [`give`].
pub fn of_page(
    store: &Store,
    board: BoardId,
    player: PlayerId,
    shown: Option<u32>,
) -> Result<Option<String>, Error> {
    let token = give(store, board, player, (MailKind::Page, shown))?;
    Ok(token.map(|token| token.replacen('b', "p", 1)))
}

/// The seat of a link that somebody follows; `None` when it is not ours.
pub fn page_seat(store: &Store, token: &str) -> Result<Option<TokenSeat>, Error> {
    seat_of(store, token.strip_prefix('p'), &[MailKind::Page])
}

fn seat_of(store: &Store, token: Option<&str>, kinds: &[MailKind]) -> Result<Option<TokenSeat>, Error> {
    let Some((board, code)) = token.and_then(|token| token.split_once('.')) else { return Ok(None) };
    let code = BASE32_NOPAD.decode(code.to_ascii_uppercase().as_bytes());
    let (Ok(board), Ok(code)) = (board.parse::<BoardId>(), code) else { return Ok(None) };
    let Some(row) = store.board(board)? else { return Ok(None) };
    if code.len() != KEPT {
        return Ok(None);
    }
    for seat in Seat::BOTH {
        let player = *seat.of(&row.players);
        let secret = store.secret(player)?;
        for event in (1..=row.events).rev() {
            for &mail in kinds {
                // Compared in constant time.
                if mac(&secret, board, seat, (mail, event)).verify_truncated_left(&code).is_ok() {
                    return seat_at(store, board, player, event, mail).map(Some);
                }
            }
        }
    }
    Ok(None)
}

fn seat_at(
    store: &Store,
    board: BoardId,
    player: PlayerId,
    event: u32,
    mail: MailKind,
) -> Result<TokenSeat, Error> {
    let [position, happening] = store.last_events(board)?;
    let (fresh, up_to_date) = (event >= position, event >= happening);
    Ok(TokenSeat { board, player, event, fresh, up_to_date, mail })
}

/// The token of a mail with words: `m5.TOKEN`.
pub(crate) fn of_message(store: &Store, message: &MessageRow) -> Result<String, Error> {
    let secret = store.secret(message.reader)?;
    Ok(format!("m{}.{}", message.id.0, code(message_mac(&secret, message))))
}

/// The mail with words of such a token that came back; `None` when it is not ours or too old.
pub fn answered_message(store: &Store, token: &ReplyToken) -> Result<Option<MessageRow>, Error> {
    let Some((number, code)) = token.0.strip_prefix('m').and_then(|token| token.split_once('.')) else {
        return Ok(None);
    };
    let code = BASE32_NOPAD.decode(code.to_ascii_uppercase().as_bytes());
    let (Ok(number), Ok(code)) = (number.parse().map(MessageId), code) else { return Ok(None) };
    let Some(message) = store.message(number)?.filter(|_| code.len() == KEPT) else { return Ok(None) };
    let secret = store.secret(message.reader)?;
    // Compared in constant time.
    let fits = message_mac(&secret, &message).verify_truncated_left(&code).is_ok();
    Ok(fits.then_some(message))
}

/// The token that asks an address whether it is a player's: `c7.TOKEN`.
pub(crate) fn of_address(secret: &[u8; 32], player: PlayerId, address: &str) -> String {
    format!("c{}.{}", player.0, code(address_mac(secret, address)))
}

/// The player and address of such a token that came back; `None` when it is not ours.
pub fn asked(store: &Store, token: &ReplyToken) -> Result<Option<(PlayerId, String)>, Error> {
    let Some((player, code)) = token.0.strip_prefix('c').and_then(|token| token.split_once('.')) else {
        return Ok(None);
    };
    let code = BASE32_NOPAD.decode(code.to_ascii_uppercase().as_bytes());
    let (Ok(player), Ok(code)) = (player.parse().map(PlayerId), code) else { return Ok(None) };
    if code.len() != KEPT {
        return Ok(None);
    }
    let addresses = store.addresses(player)?;
    // Compared in constant time.
    let fits = |address: &str| address_mac(&addresses.secret, address).verify_truncated_left(&code).is_ok();
    Ok(addresses.rows.iter().find(|row| fits(&row.address)).map(|row| (player, row.address.clone())))
}

/// The token that asks an address whether it wants to watch a board: `w42.CODE`, with the code that also works in
/// `subscribe`.
pub(crate) fn of_watcher(board: u32, code: &str) -> String {
    format!("w{board}.{code}")
}

/// The board and address of such a token that came back; `None` when it is not ours or was used.
pub fn asked_to_watch(store: &Store, token: &ReplyToken) -> Result<Option<(BoardId, String)>, Error> {
    let Some((board, code)) = token.0.strip_prefix('w').and_then(|token| token.split_once('.')) else {
        return Ok(None);
    };
    let Ok(board) = board.parse::<BoardId>() else { return Ok(None) };
    let address = store.asked_watcher(board, CodeHash::of(code))?;
    Ok(address.map(|address| (board, address)))
}

/// The token that ends a player's weekly mail: `u7.TOKEN`. It stays good, since people unsubscribe from old mails.
pub(crate) fn that_unsubscribes(secret: &[u8; 32], player: PlayerId) -> String {
    format!("u{}.{}", player.0, code(unsubscribe_mac(secret)))
}

/// The player of such a token that came back; `None` when it is not ours.
pub fn unsubscribing(store: &Store, token: &ReplyToken) -> Result<Option<PlayerId>, Error> {
    let Some((player, code)) = token.0.strip_prefix('u').and_then(|token| token.split_once('.')) else {
        return Ok(None);
    };
    let code = BASE32_NOPAD.decode(code.to_ascii_uppercase().as_bytes());
    let (Ok(player), Ok(code)) = (player.parse().map(PlayerId), code) else { return Ok(None) };
    let addresses = store.addresses(player)?;
    let fits = code.len() == KEPT
        // Nobody has the secret of an account that is not there, and no addresses.
        && !addresses.rows.is_empty()
        // Compared in constant time.
        && unsubscribe_mac(&addresses.secret).verify_truncated_left(&code).is_ok();
    Ok(fits.then_some(player))
}

/// The codes of all tokens of a board so far, of both seats.
pub(crate) fn codes_of_board(store: &Store, row: &BoardRow) -> Result<Vec<String>, Error> {
    let mut codes = Vec::new();
    for seat in Seat::BOTH {
        let player = *seat.of(&row.players);
        if !player.is_robot() {
            let secret = store.secret(player)?;
            for mail in WITH_A_BOARD.into_iter().chain([MailKind::Page]) {
                codes.extend((1..=row.events).map(|event| code(mac(&secret, row.id, seat, (mail, event)))));
            }
        }
    }
    Ok(codes)
}

/// The codes of a player's tokens that no board has: those that ask their addresses, and the one that unsubscribes.
pub(crate) fn codes_of_player(store: &Store, player: PlayerId) -> Result<Vec<String>, Error> {
    let addresses = store.addresses(player)?;
    let asking = addresses.rows.iter().map(|row| address_mac(&addresses.secret, &row.address));
    Ok(asking.chain([unsubscribe_mac(&addresses.secret)]).map(code).collect())
}

/// The codes of the latest mails with words to a player.
pub(crate) fn codes_of_messages(store: &Store, reader: PlayerId) -> Result<Vec<String>, Error> {
    const MOST: u32 = 1_000;
    let secret = store.secret(reader)?;
    let messages = store.messages_to(reader, MOST)?;
    Ok(messages.iter().map(|message| code(message_mac(&secret, message))).collect())
}

/// The code of a game that a visitor of the pages plays, so that only games begun here go on. `key` is the server's.
pub fn of_trial(key: &[u8; 32], record: &str) -> String {
    code(trial_mac(key, record))
}

/// True for the code of this record.
pub fn is_of_trial(key: &[u8; 32], record: &str, code: &str) -> bool {
    let code = BASE32_NOPAD.decode(code.to_ascii_uppercase().as_bytes()).unwrap_or_default();
    // Compared in constant time.
    code.len() == KEPT && trial_mac(key, record).verify_truncated_left(&code).is_ok()
}

fn trial_mac(key: &[u8; 32], record: &str) -> Hmac<Sha256> {
    let mut mac = keyed(key);
    mac.update(b"turnpost trial\0");
    mac.update(record.as_bytes());
    mac
}

/// A MAC as a token writes it.
fn code(mac: Hmac<Sha256>) -> String {
    let mac = mac.finalize().into_bytes();
    BASE32_NOPAD.encode(mac.get(..KEPT).unwrap_or_default()).to_ascii_lowercase()
}

fn address_mac(secret: &[u8; 32], address: &str) -> Hmac<Sha256> {
    let mut mac = keyed(secret);
    mac.update(b"turnpost address\0");
    mac.update(address.to_lowercase().as_bytes());
    mac
}

fn unsubscribe_mac(secret: &[u8; 32]) -> Hmac<Sha256> {
    let mut mac = keyed(secret);
    mac.update(b"turnpost unsubscribe\0");
    mac
}

/// The number may be given again when the mail is forgotten, so writer and time belong to it.
fn message_mac(secret: &[u8; 32], message: &MessageRow) -> Hmac<Sha256> {
    let mut mac = keyed(secret);
    mac.update(b"turnpost message\0");
    mac.update(&message.id.0.to_be_bytes());
    mac.update(&message.writer.0.to_be_bytes());
    mac.update(&message.sent_at.as_second().to_be_bytes());
    mac
}

fn mac(secret: &[u8; 32], board: BoardId, seat: Seat, (mail, event): (MailKind, u32)) -> Hmac<Sha256> {
    let mut mac = keyed(secret);
    mac.update(match mail {
        MailKind::Board | MailKind::Chat => b"turnpost reply token\0".as_slice(),
        MailKind::Question => b"turnpost question token\0",
        MailKind::Page => b"turnpost page token\0",
    });
    mac.update(&board.0.to_be_bytes());
    mac.update(&[seat.index() as u8]);
    mac.update(&event.to_be_bytes());
    mac
}

fn keyed(secret: &[u8; 32]) -> Hmac<Sha256> {
    // HMAC pads a short key with zeros to the block of its hash (RFC 2104 2).
    let mut key = [0; 64];
    key.iter_mut().zip(secret).for_each(|(byte, secret)| *byte = *secret);
    <Hmac<Sha256> as KeyInit>::new(&key.into())
}
