//! Knock-out events: a player who loses a match is out. A match has two games, in which each player moves first once. If
//! it is drawn, a third game decides. If that is drawn too, the player who moved second in it wins the match.

use super::{Due, FormKind, NextStep, all_play_all, played};
use crate::contest::bracket::Matches;
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::store::{ContestState, Store};

pub const FORM: FormKind = FormKind { next, ..all_play_all::FORM };

fn next(store: &Store, event: &Contest, due: &Due) -> Result<NextStep, Error> {
    if event.row.state != ContestState::Running {
        return all_play_all::begin(store, event, due);
    }
    played::next_of_rounds(store, event, due, |boards| Matches::of(event, boards).next)
}
