//! Tokens let a plain reply play a move, a `yes` confirm a question, and a link show a player's page.

mod browser;
mod mac;
mod question;
mod reader;
mod seat;

use jiff::Timestamp;

use self::browser::is_of_sign_out;
pub use self::browser::{is_page_code, page_code};
pub(crate) use self::browser::{of_feed, of_session, that_signs_out};
use self::mac::{address_mac, code, contest_mac, decoded, fits, message_mac, unsubscribe_mac};
pub use self::question::MailQuestion;
use self::question::contests;
pub(crate) use self::question::{
    of_address, of_contest_mail, of_mailed_link, of_watcher, that_invites, that_unsubscribes,
};
pub use self::reader::ReaderMail;
pub(crate) use self::reader::of_reader;
pub use self::seat::{MailKind, TokenRecord, TokenSeat, give, of_page};
use self::seat::{WITH_A_BOARD, of_link, seat_of};
pub(crate) use self::seat::{codes_of_board, mail_of_page, seat_at};
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{CodeHash, MessageId, MessageRow, PlayerId, SessionRow, Store};

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
                let is_its = |session: &SessionRow| is_of_sign_out(&key, session, &code);
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
                | MailQuestion::SignIn(player, _)
                | MailQuestion::Line { player, .. },
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

/// The token of a mail that brings a message or a chat: `m5.CODE`.
pub(crate) fn of_message(store: &Store, message: &MessageRow) -> Result<String, Error> {
    let secret = store.secret(message.reader)?;
    Ok(format!("m{}.{}", message.id.0, code(message_mac(&secret, message))))
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
