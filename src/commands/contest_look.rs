//! The state of a contest, as `event`, `league` and `ladder` show it.

use minijinja::{Value, context};
use turnpost_games::GameKind;

use crate::commands::contest::{LookAtContest, ShownTable};
use crate::commands::contest_entry::{NamedContest, table_of};
use crate::contest::ladder_games::Ladder;
use crate::contest::league::season;
use crate::contest::record::Contest;
use crate::failure::{CommandError, Error, refuse};
use crate::notices::Event;
use crate::notices::contest_view::{ContestView, contest_view, view_of_player};
use crate::notices::decisions::decisions_for;
use crate::notices::ladder_view::{LadderView, ladder_view};
use crate::notices::transcript::data;
use crate::play::Context;
use crate::store::{ContestForm, ContestRow, PlayerId, Store};

/// The contest, brought up to now; `None` for a league or a ladder that does not exist yet.
pub(super) fn find(ctx: &Context<'_>, of: &NamedContest) -> Result<Option<Contest>, CommandError> {
    let row = ctx.store.contest_named(&of.name)?.filter(|row| row.form == of.form);
    match row {
        Some(ContestRow { game, name, .. }) if game != of.game.key => {
            refuse!("{name} is an event of {game}: write `{game} event ...`.")
        }
        Some(row) => Ok(Some(Contest::up_to_now(ctx.store, &row, ctx.now)?)),
        None if of.form == ContestForm::Event => {
            refuse!("There is no event of that name. `events` lists those that one can join.")
        }
        None => Ok(None),
    }
}

pub(crate) fn look(ctx: &mut Context<'_>, command: LookAtContest) -> Result<Event, CommandError> {
    let LookAtContest { of, table } = command;
    let found = find(ctx, &of)?;
    if let ShownTable::Season(number) = table {
        let Some(season) = season(ctx.store, found.as_ref(), number)? else {
            return refuse!("There is no such season of the {}.", of.title());
        };
        return Ok(table_of(&contest_view(ctx.store, &season)?));
    }
    let reader = ctx.player()?;
    show(ctx, &of, found, reader)
}

pub(super) fn show(
    ctx: &Context<'_>,
    of: &NamedContest,
    contest: Option<Contest>,
    reader: Option<PlayerId>,
) -> Result<Event, CommandError> {
    let store = ctx.store;
    let (page, shown) = match (of.form, contest) {
        (ContestForm::Ladder, contest) => {
            let ladder = contest.map(|contest| Ladder::follow(store, contest, ctx.now)).transpose()?;
            let view = ladder.map(|ladder| ladder_view(store, &ladder, reader, ctx.now)).transpose()?;
            let reader = reader.map(|player| store.player_by_id(player)).transpose()?;
            let userid = reader.as_ref().map_or("USERID", |reader| reader.userid.as_str());
            ("ladder.md", ladder_shown(of.game, userid, view.as_ref()))
        }
        (ContestForm::League, league) => {
            let season = season(store, league.as_ref(), None)?;
            let own = season.map(|season| view_of_player(store, &season, reader.unwrap_or(PlayerId(0))));
            ("league.md", league_shown(store, of, league.as_ref(), reader, own.transpose()?.as_ref())?)
        }
        (_, Some(contest)) => {
            let decisions = decisions_for(store, &contest, reader)?;
            return Ok(table_of(&ContestView { decisions, ..contest_view(store, &contest)? }));
        }
        (_, None) => return refuse!("There is no contest of that name."),
    };
    Ok(Event::page(page, shown, None))
}

/// The data of `ladder.txt`.
pub(crate) fn ladder_shown(game: &GameKind, reader: &str, view: Option<&LadderView>) -> Value {
    context! { game => game.key, game_name => game.name, reader, l => view.map(data) }
}

/// The data of `league.txt` for a reader and a view of the season.
pub(crate) fn league_shown(
    store: &Store,
    of: &NamedContest,
    league: Option<&Contest>,
    reader: Option<PlayerId>,
    season: Option<&ContestView>,
) -> Result<Value, Error> {
    let account = reader.map(|player| store.player_by_id(player)).transpose()?;
    let members = league.map_or(&[][..], |league| &league.joined);
    Ok(context! {
        words => of.words(), title => of.title(),
        is_in => reader.is_some_and(|reader| members.contains(&reader)),
        reader => account.as_ref().map_or("USERID", |reader| reader.userid.as_str()),
        members => members.len(),
        next => league.and_then(|league| league.league.next).map(|next| next.starts_at),
        c => season.map(data),
    })
}
