//! Tokens: with them a plain reply plays, a `yes` confirms, and a link shows a player's page.
//!
//! The Reply-To of a mail about a board carries a token for the board, the seat and the record up to the last event that
//! the mail shows, so that it fits no other game with the same number. A ply ends the tokens of earlier
//! positions, and a take-back does not revive them. A proposal leaves the position alone: a
//! reply to an older mail can still play, but cannot accept what that mail did not show. The link to a player's page has
//! a code of another label: the address of a page cannot be used to write mails.

mod mac;
mod question;

use jiff::Timestamp;

use self::mac::{
    address_mac, board_mac, code, contest_mac, decoded, fits, message_mac, page_mac, unsubscribe_mac,
};
pub use self::question::MailQuestion;
use self::question::contests;
pub(crate) use self::question::{
    of_address, of_contest_mail, of_watcher, that_invites, that_signs_in, that_unsubscribes,
};
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::language::Seen;
use crate::store::{BoardRow, CodeHash, MessageId, MessageRow, PlayerId, SessionRow, Store};

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
    /// True if no proposal was made or answered since either.
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

/// What one of our tokens lets its holder do.
#[derive(Debug, Clone)]
pub enum Token {
    /// `b42.CODE`, and that of a mail with a chat: speak for a seat by mail.
    Board(TokenSeat),
    /// `p42.CODE`: see and use the page of a seat. No mail can be written with it.
    Page(TokenSeat),
    /// `m5.CODE`: write back to the player whose message the mail brought.
    Words(MessageRow),
    /// `c`, `w`, `i`, `e`, `u` and `s`: answer what the mail asked.
    Question(MailQuestion),
    /// `t0.CODE`: held by a browser that is signed in.
    Session(SessionRow),
    /// `d4.CODE`: signs that browser out, by a page alone.
    SignOut(SessionRow),
}

impl Token {
    /// Reads a token that came back; `None` if it is not ours, or if it has expired by `now`.
    pub fn read(store: &Store, token: &str, now: Timestamp) -> Result<Option<Token>, Error> {
        let Some((kind, number, written)) = parts(token) else { return Ok(None) };
        let code = decoded(written);
        match (kind, number.parse::<BoardId>(), number.parse::<i64>()) {
            ("b", Ok(board), _) => Ok(seat_of(store, board, &code, &WITH_A_BOARD)?.map(Token::Board)),
            ("p", ..) => Ok(Token::page(store, token)?.map(Token::Page)),
            ("m", _, Ok(number)) => of_words(store, MessageId(number), &code),
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

    /// The seat of the link to a player's page; `None` when it is not ours.
    pub fn page(store: &Store, link: &str) -> Result<Option<TokenSeat>, Error> {
        match parts(link).map(|(kind, number, written)| (kind, number.parse(), written)) {
            Some(("p", Ok(board), written)) => seat_of(store, board, &decoded(written), &[MailKind::Page]),
            _ => Ok(None),
        }
    }

    /// The token as the board stands now: a move might have been played since it was read.
    pub fn again(self, store: &Store) -> Result<Token, Error> {
        Ok(match self {
            Token::Board(seat) => {
                Token::Board(seat_at(store, seat.board, seat.player, seat.event, seat.mail)?)
            }
            token => token,
        })
    }

    /// The player for whom its holder speaks.
    pub fn player(&self) -> Option<PlayerId> {
        match self {
            Token::Board(seat) | Token::Page(seat) => Some(seat.player),
            Token::Words(message) => Some(message.reader),
            Token::Question(
                MailQuestion::Address(player, _)
                | MailQuestion::Contest(player, _)
                | MailQuestion::SignIn(player, _),
            ) => Some(*player),
            Token::Session(session) => Some(session.player),
            Token::Question(_) | Token::SignOut(_) => None,
        }
    }

    /// The seat for which its holder speaks by mail.
    pub fn seat(&self) -> Option<TokenSeat> {
        match self {
            Token::Board(seat) => Some(*seat),
            _ => None,
        }
    }

    /// The address that the mail of the token asked; `None` if it asked a player, or nothing.
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

fn seat_of(
    store: &Store,
    board: BoardId,
    code: &[u8],
    kinds: &[MailKind],
) -> Result<Option<TokenSeat>, Error> {
    let Some(row) = store.board(board)? else { return Ok(None) };
    let record = TokenRecord::of(store, board)?;
    let [first, second] = row.players;
    let secrets = [store.secret(first)?, store.secret(second)?];
    for &mail in kinds {
        let asked = [asked(store, board, first, mail)?, asked(store, board, second, mail)?];
        // Nearly every reply answers the newest mail.
        for event in (1..=row.events).rev() {
            for seat in Seat::BOTH {
                let moves: &String = seat.of(&asked);
                let mac = board_mac(seat.of(&secrets), &record, seat, (mail, event), moves);
                if fits(mac, code) {
                    return seat_at(store, board, *seat.of(&row.players), event, mail).map(Some);
                }
            }
        }
    }
    Ok(None)
}

/// The move that a question of this kind is about, now or the last time: the `yes` to an older one is for another move.
fn asked(store: &Store, board: BoardId, player: PlayerId, mail: MailKind) -> Result<String, Error> {
    Ok(match mail {
        MailKind::Question => store.draft(board, player)?.map(|(_, plies)| plies).unwrap_or_default(),
        MailKind::Board | MailKind::Chat | MailKind::Page => String::new(),
    })
}

/// The record of a board, as its tokens cover it.
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

    /// A player's token for the board after event `shown`, or as it stands; `None` where there is nothing to reply to.
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

/// A message belongs to no board, a chat to the seat of its reader.
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

/// A player's token for a board after event `shown`, or as it stands; `None` where there is nothing to reply to.
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

/// The seat of the link to a player's page, and the token by which a mail that showed the same would speak for it; `None`
/// for a link that is not ours.
pub(crate) fn mail_of_page(store: &Store, link: &str) -> Result<Option<(TokenSeat, String)>, Error> {
    let Some(seat) = Token::page(store, link)? else { return Ok(None) };
    let mail = give(store, seat.board, seat.player, (MailKind::Board, Some(seat.event)))?;
    Ok(mail.map(|mail| (seat, mail)))
}

/// The token of a mail with words: `m5.TOKEN`.
pub(crate) fn of_message(store: &Store, message: &MessageRow) -> Result<String, Error> {
    let secret = store.secret(message.reader)?;
    Ok(format!("m{}.{}", message.id.0, code(message_mac(&secret, message))))
}

/// The codes of all tokens of a board so far, of both seats.
pub(crate) fn codes_of_board(store: &Store, row: &BoardRow) -> Result<Vec<String>, Error> {
    let mut codes = Vec::new();
    let record = TokenRecord::of(store, row.id)?;
    for seat in Seat::BOTH {
        let player = *seat.of(&row.players);
        if !player.is_robot() {
            let secret = store.secret(player)?;
            for mail in WITH_A_BOARD.into_iter().chain([MailKind::Page]) {
                let asked = asked(store, row.id, player, mail)?;
                let mac = |event| board_mac(&secret, &record, seat, (mail, event), &asked);
                codes.extend((1..=row.events).map(|event| code(mac(event))));
            }
        }
    }
    Ok(codes)
}

/// The codes of a player's tokens that no board has: those that ask their addresses, and the one that unsubscribes.
pub(crate) fn codes_of_player(store: &Store, player: PlayerId) -> Result<Vec<String>, Error> {
    let addresses = store.addresses(player)?;
    let asking = addresses.rows.iter().map(|row| address_mac(&addresses.secret, row));
    let contests = contests(store, player)?.into_iter();
    let contests = contests.map(|contest| contest_mac(&addresses.secret, contest));
    Ok(asking.chain(contests).chain([unsubscribe_mac(&addresses.secret)]).map(code).collect())
}

/// The codes of the latest mails with words to a player.
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

/// The number alone is not enough: a later browser can get the same.
fn named(session: &SessionRow) -> String {
    format!("{} {} {}", session.id, session.player.0, session.begun_at)
}

/// The code of a browser that the link with the code `link` has signed in. `key` is the server's, so that who reads the
/// mail later learns nothing.
pub(crate) fn of_session(key: &[u8; 32], link: &str) -> String {
    code(page_mac(key, "session", link))
}

/// A code for what a page hands out, by its purpose, so that only a form made here is accepted. `key` is the server's.
pub fn page_code(key: &[u8; 32], purpose: &str, text: &str) -> String {
    code(page_mac(key, purpose, text))
}

/// True for the code of this text.
pub fn is_page_code(key: &[u8; 32], purpose: &str, text: &str, code: &str) -> bool {
    fits(page_mac(key, purpose, text), &decoded(code))
}
