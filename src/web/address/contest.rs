//! The pages of contests.

use super::form::Form;
use super::query::{Query, game_of, number_of};
use crate::commands::contest_entry::NamedContest;
use crate::store::ContestForm;

/// The page of an event or of a season.
#[derive(Debug, Clone)]
pub(crate) struct ContestPage {
    pub name: String,
    /// Number of the group, from 1.
    pub group: usize,
    pub form: Form,
}

/// A request for the league or the ladder of a game.
#[derive(Debug, Clone)]
pub(crate) struct GameContest {
    pub of: NamedContest,
    /// Page of the list of players, from 1.
    pub page: usize,
    pub form: Form,
}

impl ContestPage {
    /// Reads the last part of the path.
    pub(super) fn read(page: &str, query: &str) -> Option<ContestPage> {
        let (name, form) = match page.split_once('.') {
            None => (page, Form::Page),
            Some((name, "csv")) => (name, Form::Csv),
            Some((name, "trf")) => (name, Form::Trf),
            Some((name, ending)) => (name, Form::named(ending)?),
        };
        let group = Query::read(query, &["group"])?.optional("group", number_of)?.unwrap_or(1);
        let is_its =
            !name.is_empty() && matches!(form, Form::Page | Form::Text | Form::Atom | Form::Csv | Form::Trf);
        is_its.then(|| ContestPage { name: name.to_owned(), group: group as usize, form })
    }
}

impl GameContest {
    pub(super) fn league(game: &str, form: Form, query: &str) -> Option<GameContest> {
        GameContest::read(NamedContest::of_game(game_of(game)?, ContestForm::League), form, query)
    }

    pub(super) fn slow_league(game: &str, form: Form, query: &str) -> Option<GameContest> {
        GameContest::read(NamedContest::slow_league(game_of(game)?), form, query)
    }

    pub(super) fn ladder(game: &str, form: Form, query: &str) -> Option<GameContest> {
        GameContest::read(NamedContest::of_game(game_of(game)?, ContestForm::Ladder), form, query)
    }

    fn read(of: NamedContest, form: Form, query: &str) -> Option<GameContest> {
        Some(GameContest { of, page: page_of(query)?, form })
    }
}

/// The number of a page of a long list, from 1.
pub(super) fn page_of(query: &str) -> Option<usize> {
    Some(Query::read(query, &["page"])?.optional("page", number_of)?.unwrap_or(1) as usize)
}
