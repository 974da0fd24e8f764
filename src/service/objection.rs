//! Why accounts, words and watching are refused, each with its sentence. What [`Refusal`](super::Refusal) is for boards.

use jiff::civil::Date;

use super::{CommandError, Refusal};
use crate::ids::{BoardId, Userid};

/// A command about accounts, talk or watching that was read and not carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Objection {
    /// More addresses than an account has.
    #[error(
        "An account has at most three addresses, and yours has {have}. `change address` puts others in their place."
    )]
    TooManyAddresses {
        /// How many there are.
        have: usize,
    },
    /// A player whom no mail reaches.
    #[error(
        "No mail reaches {userid}: no address of that player is confirmed. A game can begin once one is."
    )]
    Unreachable {
        /// Who.
        userid: Userid,
    },
    /// A reply to the mail that asks an address.
    #[error("To confirm the address, reply with `yes` in the first line.")]
    SayYes,
    /// Too many wrong passwords.
    #[error(
        "Too many wrong passwords were tried, so none is looked at for an hour. Replies to the server's mails play all \
         the same."
    )]
    TooManyTries,
    /// No token of `forgot`, or one too old.
    #[error(
        "The userid and the token do not belong together, or the token is older than an hour or used. `forgot userid` \
         mails another."
    )]
    BadToken,
    /// Signing off twice.
    #[error("You have signed off already. `signup` with the same userid and password takes you back.")]
    SignedOffAlready,
    /// No such zone.
    #[error(
        "There is no time zone of that name. Zones are written as Europe/Paris or America/New_York, or UTC."
    )]
    NoSuchZone,
    /// Blocking oneself.
    #[error("Nobody blocks themselves.")]
    BlocksThemselves,
    /// A vacation that has begun.
    #[error("A vacation cannot begin in the past; it is {today} in your zone.")]
    VacationPast {
        /// The day in the player's zone.
        today: Date,
    },
    /// The last day before the first.
    #[error("The last day of a vacation is not before its first.")]
    VacationBackwards,
    /// A vacation nobody can foresee.
    #[error("A vacation begins and ends within the next two years.")]
    VacationFar,
    /// Two at once.
    #[error(
        "Your vacation from {first} to {last} shares days with it. `vacation userid password off` takes that back."
    )]
    VacationOverlaps {
        /// The first day of the other.
        first: Date,
        /// Its last.
        last: Date,
    },
    /// More days than a year has for it.
    #[error("There are 30 days of vacation for a year, and you have {left} left for {year}.")]
    VacationTooLong {
        /// Which year.
        year: i16,
        /// How many are left.
        left: usize,
    },
    /// No mail is kept that could be sent again.
    #[error("There is no mail to you that could be sent again.")]
    NothingToResend,
    /// An empty text.
    #[error(
        "There is nothing to send. The message is the text of the mail; among several commands, the lines behind this \
         one up to a line `end`."
    )]
    NothingToSay,
    /// A message to oneself.
    #[error("One of those you write to is yourself.")]
    SpeaksToThemselves,
    /// Somebody who gets no mail of others.
    #[error("{userid} has signed off and gets no messages.")]
    GetsNoMessages {
        /// Who.
        userid: Userid,
    },
    /// One of two keeps the other away.
    #[error("There is a block between you and {userid}. Nothing was sent.")]
    Blocked {
        /// The other.
        userid: Userid,
    },
    /// One of two keeps the other away from a board.
    #[error("There is a block between {first} and {second}: no board is started.")]
    BlockedBoard {
        /// One.
        first: Userid,
        /// The other.
        second: Userid,
    },
    /// Writing to everybody is not for everybody.
    #[error("Only organisers write to all players; the operator of the server makes them.")]
    NotAnOrganiser,
    /// Twice in a day.
    #[error("You have written to all players less than a day ago. Nothing was sent.")]
    BroadcastToday,
    /// A player takes no challenges to a game.
    #[error("{userid} takes no challenges to {game}.")]
    Rejects {
        /// Who.
        userid: Userid,
        /// The game's name.
        game: &'static str,
    },
    /// A player has as many games as they want.
    #[error("{userid} has as many games of {game} as they want at once.")]
    AtTheLimit {
        /// Who.
        userid: Userid,
        /// The game's name.
        game: &'static str,
    },
    /// The address watches already.
    #[error("Board {board} is watched from this address already.")]
    WatchesAlready {
        /// The board.
        board: BoardId,
    },
    /// The address does not watch.
    #[error("Board {board} is not watched from this address.")]
    WatchesNot {
        /// The board.
        board: BoardId,
    },
    /// One question a day.
    #[error(
        "This address was asked less than a day ago whether it wants to watch a board. The code in that mail is good; \
         another is sent tomorrow at the earliest."
    )]
    AskedToday,
    /// No code of ours, or one too old.
    #[error(
        "The code is not the one that was mailed to this address for this board, or it is older than a week."
    )]
    BadCode,
    /// Somebody else's subscription.
    #[error("A subscription is ended from the address that gets the mails. Write from there.")]
    WriteFromThere,
}

impl From<Objection> for CommandError {
    fn from(objection: Objection) -> CommandError {
        CommandError::Refused(Refusal::Objection(objection))
    }
}
