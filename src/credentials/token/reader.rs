//! `r7.CODE` and `a7.CODE`: the holder reads the mail of a player at one address. They need no row in the store.

use hmac::Hmac;
use jiff::Timestamp;
use sha2::Sha256;

use super::Token;
use super::mac::{code, fits, reader_mac};
use crate::failure::Error;
use crate::store::{PlayerAddresses, PlayerId, Store};

/// The mail that brought the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReaderMail {
    /// `r`: any mail to the player. Others might have it: people forward and quote mails.
    #[default]
    Any,
    /// `a`: it asks the player to send a guarded command again.
    Asks,
}

impl ReaderMail {
    fn kind(self) -> char {
        match self {
            ReaderMail::Any => 'r',
            ReaderMail::Asks => 'a',
        }
    }

    /// The days after its own on which the token is good.
    fn days(self) -> i64 {
        match self {
            ReaderMail::Any => 30,
            ReaderMail::Asks => 1,
        }
    }
}

fn day(now: Timestamp) -> i64 {
    now.as_second().div_euclid(24 * 60 * 60)
}

/// The token for a mail to an address of the player; `None` if the address is not confirmed.
pub(crate) fn of_reader(
    addresses: &PlayerAddresses,
    player: PlayerId,
    address: &str,
    (mail, now): (ReaderMail, Timestamp),
) -> Option<String> {
    let row = addresses.row(address).filter(|row| row.confirmed_at.is_some())?;
    let mac = reader_mac(&addresses.secret, row, mail.kind(), day(now));
    Some(format!("{}{}.{}", mail.kind(), player.0, code(mac)))
}

/// The MACs of the player's tokens of this kind that are good now.
fn macs(addresses: &PlayerAddresses, mail: ReaderMail, now: Timestamp) -> impl Iterator<Item = Hmac<Sha256>> {
    let rows = addresses.rows.iter().filter(|row| row.confirmed_at.is_some());
    let days = day(now) - mail.days()..=day(now);
    rows.flat_map(move |row| {
        days.clone().map(move |day| reader_mac(&addresses.secret, row, mail.kind(), day))
    })
}

/// Reads the token. It ends with its days, and with the address.
pub(super) fn read(
    store: &Store,
    (mail, player): (ReaderMail, PlayerId),
    written: &[u8],
    now: Timestamp,
) -> Result<Option<Token>, Error> {
    let is_good = macs(&store.addresses(player)?, mail, now).any(|mac| fits(mac, written));
    Ok(is_good.then_some(Token::Reader(player, mail)))
}

/// The codes of the player's tokens that are good now.
pub(super) fn codes(addresses: &PlayerAddresses, now: Timestamp) -> impl Iterator<Item = String> {
    [ReaderMail::Any, ReaderMail::Asks].into_iter().flat_map(move |mail| macs(addresses, mail, now)).map(code)
}
