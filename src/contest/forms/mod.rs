//! The forms of contests, a file each: what players may ask, and who may enter.

pub mod all_play_all;
pub mod ladder;
pub mod season;

use turnpost_games::GameKind;

use crate::contest::record::Contest;
use crate::failure::CommandError;
use crate::ids::Userid;
use crate::store::{ContestForm, PlayerId, Store};

/// What differs between the forms of contests.
pub struct FormKind {
    /// The words that its command takes.
    pub words: &'static [&'static str],
    /// Refuses a player who may not enter.
    pub enter: fn(&Store, &Contest, PlayerId, Stay) -> Result<(), CommandError>,
    /// The refusal of what only entrants may ask, with the name of the contest and that of the player.
    pub outside: fn(&GameKind, &str, &Userid) -> CommandError,
}

/// How long a player enters for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    UntilTheyLeave,
    /// For one season of a league.
    Once,
}

impl ContestForm {
    /// A season is entered through its league.
    pub fn kind(self) -> &'static FormKind {
        match self {
            ContestForm::Event => &all_play_all::FORM,
            ContestForm::League | ContestForm::Season => &season::FORM,
            ContestForm::Ladder => &ladder::FORM,
        }
    }
}
