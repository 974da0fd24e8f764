//! Code that events, leagues and ladders share: names, the host's board options, entry, and tables.

use minijinja::context;
use turnpost_games::GameKind;

use crate::commands::set_up::set_up_by;
use crate::contest::record::Contest;
use crate::contest::terms::{ContestTerms, in_contest, slow_league, usual_options};
use crate::credentials::one_entry::has_entry;
use crate::failure::{CommandError, Error, refuse};
use crate::ids::mailbox;
use crate::language::BoardOptions;
use crate::language::args::Args;
use crate::language::options::{board_options, no_level};
use crate::language::token::words;
use crate::notices::Event;
use crate::notices::contest_view::ContestView;
use crate::notices::transcript::data;
use crate::play::Context;
use crate::store::{Account, ContestForm};

/// The league or the ladder of a game, or one of its events.
#[derive(Debug, Clone)]
pub struct NamedContest {
    pub game: &'static GameKind,
    pub form: ContestForm,
    pub name: String,
}

impl NamedContest {
    pub(crate) fn event(game: &'static GameKind, name: String) -> NamedContest {
        NamedContest { game, form: ContestForm::Event, name }
    }

    /// The league or the ladder of a game.
    pub(crate) fn of_game(game: &'static GameKind, form: ContestForm) -> NamedContest {
        NamedContest { game, form, name: form.name_of(game.key) }
    }

    /// The slow league of a game.
    pub(crate) fn slow_league(game: &'static GameKind) -> NamedContest {
        NamedContest { game, form: ContestForm::League, name: slow_league(game.key) }
    }

    /// The title of a league or a ladder.
    pub(crate) fn title(&self) -> String {
        self.form.title_of(self.game.key, &self.name)
    }

    /// The words of commands about it, as in `hex league slow`.
    pub(crate) fn words(&self) -> String {
        let slow = if self.name == slow_league(self.game.key) { " slow" } else { "" };
        format!("{} {}{slow}", self.game.key, self.form)
    }

    /// The canonical line. `more` begins with a space, unless it is empty.
    pub(crate) fn line(&self, act: &str, more: &str) -> String {
        let (words, space) = (self.words(), if act.is_empty() { "" } else { " " });
        match self.form {
            ContestForm::Event => format!("{words} {act} {}{more}", self.name),
            _ => format!("{words}{space}{act}{more}"),
        }
    }
}

/// Parses the host's options for the boards of a contest.
pub fn contest_options(game: &'static GameKind, text: &str) -> Result<BoardOptions, String> {
    let words = words(text).map_err(|_| "a quote has no end".to_owned())?;
    let mut args = Args::new(game, true, words, 0);
    let options = board_options(&mut args).and_then(no_level).and_then(|options| {
        args.finish()?;
        Ok(in_contest(options))
    });
    let options = options.map_err(|why| why.why)?;
    if options.position.is_some() || options.unrated {
        return Err("games of leagues and ladders begin as usual and are rated: no -position=, no --unrated"
            .to_owned());
    }
    set_up_by(|| 1, game, &options).map_err(|why| why.to_string())?;
    Ok(options)
}

/// Refuses a second entry from the same mailbox.
pub(crate) fn must_have_one_entry(
    ctx: &Context<'_>,
    account: &Account,
    contest: &Contest,
) -> Result<(), CommandError> {
    if has_other_entry(ctx, account, contest)? {
        let name = &contest.row.name;
        return refuse!("A player with your mail address plays in {name}. A mailbox has one entry.");
    }
    Ok(())
}

/// True if another account of the same mailbox is in the contest.
pub(crate) fn has_other_entry(
    ctx: &Context<'_>,
    account: &Account,
    contest: &Contest,
) -> Result<bool, Error> {
    let addresses = ctx.store.addresses(account.id)?;
    let own: Vec<String> = addresses.confirmed().map(mailbox).collect();
    has_entry(ctx.store, contest.row.id, account.id, &own)
}

/// Creates the league or the ladder of a game.
pub(crate) fn open_contest(ctx: &Context<'_>, of: &NamedContest) -> Result<Contest, Error> {
    let terms = ContestTerms::new(of.form, of.game.key, of.name.clone(), usual_options(of.game));
    Contest::make(ctx.store, &terms, None, ctx.now)
}

/// The answer with the table, or with the list of players who have joined.
pub(crate) fn table_of(view: &ContestView) -> Event {
    Event::page("contest/table.md", context! { c => data(view) }, None)
}

/// The name of an event or of a team, if the text can be one.
pub(crate) fn name_of(text: &str) -> Option<String> {
    let fits = (3..=24).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    fits.then(|| text.to_owned())
}
