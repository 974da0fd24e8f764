//! Tokens let a plain reply play a move, a `yes` confirm a question, and a link show a player's page.
//!
//! The Reply-To of a mail about a board carries a token. Its code covers the board, the seat and the record up to the
//! last event that the mail shows, so it fits no other game with the same number. A ply ends the tokens of earlier
//! positions, and a take-back does not revive them. A proposal does not change the position: a reply to an older mail
//! can still play, but cannot accept a proposal that the mail did not show. The link to a player's page has a code with
//! a different MAC purpose, so the URL of a page cannot be used to write mails.

mod mac;
mod question;
mod reader;

use jiff::Timestamp;

use self::mac::{
    address_mac, board_mac, code, contest_mac, decoded, fits, message_mac, page_mac, unsubscribe_mac,
};
pub use self::question::MailQuestion;
use self::question::contests;
pub(crate) use self::question::{
    of_address, of_contest_mail, of_watcher, that_invites, that_signs_in, that_unsubscribes,
};
pub use self::reader::ReaderMail;
pub(crate) use self::reader::of_reader;
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::language::Seen;
use crate::store::{BoardRow, CodeHash, MessageId, MessageRow, PlayerId, SessionRow, Store, StoreError};

const WITH_A_BOARD: [MailKind; 2] = [MailKind::Board, MailKind::Question];

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

/// What one of our tokens lets its holder do.
#[derive(Debug, Clone)]
pub enum Token {
    /// `b42.CODE`, or `m5.CODE` if the mail brought a chat: speak for a seat by mail.
    Board(TokenSeat),
    /// `p42.CODE`: see and use the page of a seat. No mail can be written with it.
    Page(TokenSeat),
    /// `m5.CODE`: write back to the player whose message the mail brought.
    Words(MessageRow),
    /// `c`, `w`, `i`, `e`, `u` and `s`: answer the question that the mail asked.
    Question(MailQuestion),
    /// `r7.CODE`: read the mail of a player. `a7.CODE`: the same, and confirm a guarded command.
    Reader(PlayerId, ReaderMail),
    /// `t0.CODE`: act as the player who is signed in to the browser.
    Session(SessionRow),
    /// `d4.CODE`: sign a browser out. Only a page accepts it.
    SignOut(SessionRow),
}

impl Token {
    /// Reads a token that came back; `None` if the server did not make it, or if it has expired by `now`.
    pub fn read(store: &Store, token: &str, now: Timestamp) -> Result<Option<Token>, Error> {
        let Some((kind, number, written)) = parts(token) else { return Ok(None) };
        let code = decoded(written);
        match (kind, number.parse::<BoardId>(), number.parse::<i64>()) {
            ("b", Ok(board), _) => match seat_of(store, board, &code, &WITH_A_BOARD)? {
                // The account was merged into another, but its games with that one were not.
                Some(seat) if store.player_by_id(seat.player)?.is_deleted() => Ok(None),
                seat => Ok(seat.map(Token::Board)),
            },
            ("p", ..) => Ok(Token::page(store, token)?.map(Token::Page)),
            ("m", _, Ok(number)) => of_words(store, MessageId(number), &code),
            ("r", _, Ok(player)) => reader::read(store, (ReaderMail::Any, PlayerId(player)), &code, now),
            ("a", _, Ok(player)) => reader::read(store, (ReaderMail::Asks, PlayerId(player)), &code, now),
            ("t", ..) => Ok(store.session(CodeHash::of(written), now)?.map(Token::Session)),
            ("d", _, Ok(number)) => {
                let key = store.bounce_key()?;
                let is_its = |session: &SessionRow| fits(page_mac(&key, SIGN_OUT, &named(session)), &code);
                Ok(store.session_numbered(number)?.filter(is_its).map(Token::SignOut))
            }
            (kind, _, Ok(number)) => {
                Ok(MailQuestion::read(store, (kind, number, written), now)?.map(Token::Question))
            }
            _ => Ok(None),
        }
    }

    /// The seat of a link to a player's page; `None` if the server did not make the link.
    pub fn page(store: &Store, link: &str) -> Result<Option<TokenSeat>, Error> {
        of_link(link).map_or(Ok(None), |(board, code)| seat_of(store, board, &code, &[MailKind::Page]))
    }

    /// Compares the token with the board again: a move might have been played since the token was read.
    pub fn again(self, store: &Store) -> Result<Token, Error> {
        Ok(match self {
            Token::Board(seat) => {
                Token::Board(seat_at(store, seat.board, seat.player, seat.event, seat.mail)?)
            }
            token => token,
        })
    }

    /// The player for whom the token's holder speaks.
    pub fn player(&self) -> Option<PlayerId> {
        match self {
            Token::Board(seat) | Token::Page(seat) => Some(seat.player),
            Token::Words(message) => Some(message.reader),
            Token::Reader(player, _) => Some(*player),
            Token::Question(
                MailQuestion::Address(player, _)
                | MailQuestion::Contest(player, _)
                | MailQuestion::SignIn(player, _),
            ) => Some(*player),
            Token::Session(session) => Some(session.player),
            Token::Question(_) | Token::SignOut(_) => None,
        }
    }

    /// The seat for which the token's holder speaks by mail.
    pub fn seat(&self) -> Option<TokenSeat> {
        match self {
            Token::Board(seat) => Some(*seat),
            _ => None,
        }
    }

    /// The address that got the token's question; `None` if the question is for a player, or if there is none.
    pub fn asked(&self) -> Option<&str> {
        match self {
            Token::Question(MailQuestion::Address(_, address) | MailQuestion::Watch { address, .. }) => {
                Some(address)
            }
            Token::Question(MailQuestion::Invitation(row)) => row.address.as_deref(),
            _ => None,
        }
    }
}

/// Kind, number and code of a token.
fn parts(token: &str) -> Option<(&str, &str, &str)> {
    let (kind, rest) = token.split_at_checked(1)?;
    let (number, written) = rest.split_once('.')?;
    Some((kind, number, written))
}

/// Board and code of a link to a player's page.
fn of_link(link: &str) -> Option<(BoardId, Vec<u8>)> {
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

fn seat_of(
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
    board: BoardId,
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

    fn until(&self, event: u32) -> &[u8] {
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

/// Reads an `m` token. A chat speaks for the seat of its reader; a message belongs to no board.
fn of_words(store: &Store, number: MessageId, code: &[u8]) -> Result<Option<Token>, Error> {
    let Some(message) = store.message(number)? else { return Ok(None) };
    if !fits(message_mac(&store.secret(message.reader)?, &message), code) {
        return Ok(None);
    }
    Ok(Some(match message.about {
        Some((board, event)) => Token::Board(seat_at(store, board, message.reader, event, MailKind::Chat)?),
        None => Token::Words(message),
    }))
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

/// The token of a mail that brings a message or a chat: `m5.CODE`.
pub(crate) fn of_message(store: &Store, message: &MessageRow) -> Result<String, Error> {
    let secret = store.secret(message.reader)?;
    Ok(format!("m{}.{}", message.id.0, code(message_mac(&secret, message))))
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

/// The codes of a player's tokens that belong to no board: for their addresses, their mails, their contests and the
/// weekly mail.
pub(crate) fn codes_of_player(store: &Store, player: PlayerId, now: Timestamp) -> Result<Vec<String>, Error> {
    let addresses = store.addresses(player)?;
    let asking = addresses.rows.iter().map(|row| address_mac(&addresses.secret, row));
    let contests = contests(store, player)?.into_iter();
    let contests = contests.map(|contest| contest_mac(&addresses.secret, contest));
    let codes = asking.chain(contests).chain([unsubscribe_mac(&addresses.secret)]).map(code);
    Ok(codes.chain(reader::codes(&addresses, now)).collect())
}

/// The codes of the latest messages and chats to a player.
pub(crate) fn codes_of_messages(store: &Store, reader: PlayerId) -> Result<Vec<String>, Error> {
    const MOST: u32 = 1_000;
    let secret = store.secret(reader)?;
    let messages = store.messages_to(reader, MOST)?;
    Ok(messages.iter().map(|message| code(message_mac(&secret, message))).collect())
}

/// The token in a link that signs a browser out: `d4.CODE`.
pub(crate) fn that_signs_out(key: &[u8; 32], session: &SessionRow) -> String {
    format!("d{}.{}", session.id, code(page_mac(key, SIGN_OUT, &named(session))))
}

const SIGN_OUT: &str = "sign out";

/// The text that a sign-out code covers. A session number alone is not enough: a later session can get the same one.
fn named(session: &SessionRow) -> String {
    format!("{} {} {}", session.id, session.player.0, session.begun_at)
}

/// The session code of a browser that signed in by the link with the code `link`. It is made with the server's `key`,
/// so a later reader of the mail cannot derive it.
pub(crate) fn of_session(key: &[u8; 32], link: &str) -> String {
    code(page_mac(key, "session", link))
}

/// The hash of a feed's code. No cookie has a dot, so the code signs no browser in.
pub(crate) fn of_feed(code: &str) -> CodeHash {
    CodeHash::of(&format!("feed.{code}"))
}

/// A code for a text that a page hands out. It is made with the server's `key`, so only forms from this server fit.
pub fn page_code(key: &[u8; 32], purpose: &str, text: &str) -> String {
    code(page_mac(key, purpose, text))
}

/// True if `code` is the code of this text for this purpose.
pub fn is_page_code(key: &[u8; 32], purpose: &str, text: &str, code: &str) -> bool {
    fits(page_mac(key, purpose, text), &decoded(code))
}
