//! The questions that our mails ask. The token of a mail says which question, and to whom.

use jiff::Timestamp;

use super::mac::{address_mac, code, contest_mac, decoded, fits, unsubscribe_mac};
use crate::credentials::limits::TOKEN_SECONDS;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{AddressRow, CodeHash, ContestId, InvitationRow, PlayerAddresses, PlayerId, Store};

/// How many contests of a player have mails that can be answered: open contests first, then the newest.
const CONTESTS: u32 = 50;

/// What a mail asks. A reply or a button answers it.
#[derive(Debug, Clone)]
pub enum MailQuestion {
    /// `c7.CODE`: whether an address is a player's.
    Address(PlayerId, String),
    /// `w42.CODE`: whether an address wants to watch a board.
    Watch { board: BoardId, address: String, code: CodeHash },
    /// `i3.CODE`: whether its reader accepts an invitation.
    Invitation(InvitationRow),
    /// `e7.CODE`: whether a player wants to join, leave or see a contest.
    Contest(PlayerId, ContestId),
    /// `u7.CODE`: whether a player wants to end the weekly mail. It never expires: people unsubscribe from old mails.
    WeeklyMail(PlayerId),
    /// `s7.CODE`: whether a player wants to sign a browser in. Only a page answers it.
    SignIn(PlayerId, String),
    /// `s7.CODE` too: whether a player confirms a line. Only a page answers it.
    Line { player: PlayerId, link: CodeHash, line: String },
    /// `s7.CODE` too: whether a player sets a password, with the code of `forgot`. Only the page of the link reads it.
    Password(PlayerId, String),
}

impl MailQuestion {
    pub(super) fn read(
        store: &Store,
        (kind, number, written): (&str, i64, &str),
        now: Timestamp,
    ) -> Result<Option<MailQuestion>, Error> {
        let (player, mac, hash) = (PlayerId(number), decoded(written), CodeHash::of(written));
        let PlayerAddresses { rows, secret, .. } = store.addresses(player)?;
        Ok(match kind {
            "c" => {
                let row = rows.into_iter().find(|row| fits(address_mac(&secret, row), &mac));
                row.map(|row| MailQuestion::Address(player, row.address))
            }
            "w" => {
                let board = BoardId(u32::try_from(number).unwrap_or_default());
                let address = store.asked_watcher(board, hash)?;
                address.map(|address| MailQuestion::Watch { board, address, code: hash })
            }
            "i" => store.invitation(number, hash)?.map(MailQuestion::Invitation),
            "e" => {
                let is_its = |contest: &ContestId| fits(contest_mac(&secret, *contest), &mac);
                let contest = contests(store, player)?.into_iter().find(is_its);
                contest.map(|contest| MailQuestion::Contest(player, contest))
            }
            // An account that does not exist has no secret and no addresses.
            "u" if !rows.is_empty() && fits(unsubscribe_mac(&secret), &mac) => {
                Some(MailQuestion::WeeklyMail(player))
            }
            "s" => match store.mailed_link(player, hash, now)? {
                Some(line) if line.is_empty() => Some(MailQuestion::SignIn(player, written.to_owned())),
                Some(line) => Some(MailQuestion::Line { player, link: hash, line }),
                None => store
                    .is_reset(player, hash, now, TOKEN_SECONDS)?
                    .then(|| MailQuestion::Password(player, written.to_owned())),
            },
            _ => None,
        })
    }
}

/// The player's contests whose mails can be answered.
pub(super) fn contests(store: &Store, player: PlayerId) -> Result<Vec<ContestId>, Error> {
    let mut contests: Vec<ContestId> =
        store.contests_of(player, CONTESTS)?.into_iter().map(|contest| contest.id).collect();
    if !contests.is_empty() {
        contests.push(ContestId::SEVERAL);
    }
    Ok(contests)
}

pub(crate) fn of_address(secret: &[u8; 32], player: PlayerId, row: &AddressRow) -> String {
    format!("c{}.{}", player.0, code(address_mac(secret, row)))
}

pub(crate) fn of_watcher(board: BoardId, code: &str) -> String {
    format!("w{board}.{code}")
}

pub(crate) fn that_invites(number: i64, code: &str) -> String {
    format!("i{number}.{code}")
}

pub(crate) fn of_contest_mail(store: &Store, player: PlayerId, contest: ContestId) -> Result<String, Error> {
    Ok(format!("e{}.{}", player.0, code(contest_mac(&store.secret(player)?, contest))))
}

pub(crate) fn that_unsubscribes(secret: &[u8; 32], player: PlayerId) -> String {
    format!("u{}.{}", player.0, code(unsubscribe_mac(secret)))
}

/// The token in a link that signs a browser in, confirms a line, or sets a password.
pub(crate) fn of_mailed_link(player: PlayerId, code: &str) -> String {
    format!("s{}.{code}", player.0)
}
