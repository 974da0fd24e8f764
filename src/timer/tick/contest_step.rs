//! What the timer finds to do in a contest, before the transaction that does it.

use jiff::Timestamp;

use crate::contest::terms::{Competitor, SeasonPlan};
use crate::ids::BoardId;
use crate::language::BoardOptions;
use crate::store::PlayerId;

/// What is to be done next in a contest, as far as it is due.
pub(crate) enum NextStep {
    /// Nothing before then, or before something happens.
    Until(Option<Timestamp>),
    /// Look again.
    Again,
    /// A ladder is looked at in the transaction.
    Ladder,
    /// It begins with these groups.
    Start(Vec<Vec<Competitor>>),
    CallOff,
    /// Only its maker ever joined it.
    Forget,
    /// The next groups get their boards.
    Open,
    /// Running boards of players who withdrew.
    EndBoards(Vec<BoardId>),
    Change(Vec<ContestChange>),
    /// Of a league: what the host set for the boards of its coming seasons.
    Set(BoardOptions),
    /// Of a league: when its next season begins.
    Plan(SeasonPlan),
    /// These are told of the next season.
    Announce(Vec<PlayerId>),
    /// The season begins later, of which these are told.
    PutOff(SeasonPlan, Vec<PlayerId>),
    /// The season begins with these groups, and the next is planned.
    Begin(Vec<Vec<Competitor>>, SeasonPlan),
}

/// What the boards of a contest lead to.
pub(crate) enum ContestChange {
    /// And why.
    Withdraw(PlayerId, &'static str),
    Warn(PlayerId),
    Close,
}
