//! The league and the ladder of each game. If no player has joined yet, the page tells how to be the first.

use std::ops::Range;

use minijinja::value::Serde;
use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;

use super::Site;
use super::address::{Form, GameContest};
use super::answer::{Answer, AnswerKind};
use super::contests::{feed, finished};
use super::lists;
use crate::commands::contest_entry::NamedContest;
use crate::commands::contest_look::{ladder_shown, league_shown};
use crate::contest::ladder_games::Ladder;
use crate::contest::league::{season, season_name};
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::notices::contest_view::{ContestView, view_of_groups};
use crate::notices::ladder_view::view_of_places;
use crate::store::{ContestForm, PlayerId, Store, StoreError};

/// Players of one page.
const PAGE: usize = 100;

/// The most earlier seasons on a league's page.
const SEASONS: usize = 50;

/// A place of the ladder with its boards in play.
#[derive(Serialize, JsonSchema)]
struct PlaceLine {
    /// From 1.
    place: usize,
    /// A userid.
    player: String,
    away: bool,
    /// Boards in play.
    boards: Vec<LadderBoard>,
}

#[derive(Serialize, JsonSchema)]
struct LadderBoard {
    board: u32,
    opponent: String,
}

pub(super) fn page(site: &Site, store: &Store, wanted: &GameContest) -> Result<Option<Answer>, Error> {
    let GameContest { of, form: shown, .. } = wanted;
    let row = store.contest_named(&of.name)?;
    if *shown == Form::Atom {
        // A league has no games of its own: take those of its running or last season.
        let row = match (of.form, row) {
            (ContestForm::League, Some(row)) => {
                season(store, Some(&Contest::load(store, &row)?), None)?.map(|season| season.row)
            }
            (_, row) => row,
        };
        return feed(site, store, row.as_ref(), &of.title(), &path(of)).map(Some);
    }
    let found = row.map(|row| Contest::load(store, &row)).transpose()?;
    let form = of.form;
    let shown = match form {
        ContestForm::Ladder => of_ladder(site, store, wanted, found)?,
        _ => of_league(store, wanted, found)?,
    };
    let Some((text, page)) = shown else { return Ok(None) };
    let zone = "UTC";
    Ok(Some(match wanted.form {
        Form::Text => {
            let text = site.templates.text(&format!("{form}.md"), context! { zone, ..text })?;
            Answer::of(AnswerKind::Text, text)
        }
        Form::Json => Answer::json(&page),
        _ => {
            let page = Value::from(Serde(&page));
            site.html(form.as_str(), context! { url => &site.url, zone, ..page })?
        }
    }))
}

/// The address of the page of a league or a ladder.
fn path(of: &NamedContest) -> String {
    format!("/{}", of.name.replacen('-', "/", 1))
}

/// The data of either page.
#[derive(Serialize)]
#[serde(untagged)]
enum GameContestPage {
    League(Box<LeaguePage>),
    Ladder(LadderPage),
}

#[derive(Serialize, JsonSchema)]
pub(super) struct LeaguePage {
    /// The word of the game.
    game: &'static str,
    title: String,
    /// The address of the page.
    path: String,
    /// The first words of commands about the league.
    words: String,
    /// Players of the next season.
    members: usize,
    page: usize,
    /// Pages of members.
    pages: usize,
    /// The members of this page.
    joined: Vec<String>,
    /// The number of the next season.
    next: u32,
    /// When that begins, in seconds since 1970.
    starts_at: Option<i64>,
    /// The running or last season, with its first group.
    season: Option<ContestView>,
    /// The names of earlier seasons, the latest first.
    earlier: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct LadderPage {
    /// The word of the game.
    game: &'static str,
    game_name: &'static str,
    players: usize,
    page: usize,
    /// Pages of players.
    pages: usize,
    /// The places of this page, the highest first.
    rows: Vec<PlaceLine>,
    /// The last games that are over.
    finished: Vec<lists::Row>,
}

/// The text's context and the page's data of a ladder; `None` if there is no page of this number.
fn of_ladder(
    site: &Site,
    store: &Store,
    &GameContest { of: NamedContest { game, .. }, page, .. }: &GameContest,
    found: Option<Contest>,
) -> Result<Option<(Value, GameContestPage)>, Error> {
    let now = (site.now)();
    let ladder = found.map(|contest| Ladder::look(store, contest, now)).transpose()?;
    let all = ladder.as_ref().map_or(&[][..], |ladder| &ladder.places);
    let Some((shown, pages)) = cut(all, page) else { return Ok(None) };
    let view = ladder
        .as_ref()
        .map(|ladder| view_of_places(store, ladder, None, |place| shown.contains(&place), now))
        .transpose()?;
    let mut rows = Vec::new();
    for (row, player) in view.iter().flat_map(|view| &view.rows).zip(&all[shown.clone()]) {
        let mut boards = Vec::new();
        for board in ladder.as_ref().map_or(Ok(Vec::new()), |ladder| ladder.boards_of(store, *player))? {
            let [first, second] = board.players;
            let opponent = name(store, if first == *player { second } else { first })?;
            boards.push(LadderBoard { board: board.board.0, opponent });
        }
        rows.push(PlaceLine { place: row.place, player: row.player.clone(), away: row.away, boards });
    }
    let finished = finished(store, ladder.as_ref().map(|ladder| &ladder.contest.row))?;
    let finished: Vec<lists::Row> = finished.into_iter().map(|(row, _)| row).collect();
    let shown =
        LadderPage { game: game.key, game_name: game.name, players: all.len(), page, pages, rows, finished };
    Ok(Some((ladder_shown(game, "USERID", view.as_ref()), GameContestPage::Ladder(shown))))
}

/// The text's context and the page's data of a league; `None` if there is no page of this number.
fn of_league(
    store: &Store,
    GameContest { of, page, .. }: &GameContest,
    league: Option<Contest>,
) -> Result<Option<(Value, GameContestPage)>, Error> {
    let league = league.as_ref();
    let members = league.map_or(&[][..], |league| &league.joined);
    let (game, page) = (of.game, *page);
    let Some((shown, pages)) = cut(members, page) else { return Ok(None) };
    let joined: Vec<String> =
        members[shown].iter().map(|player| name(store, *player)).collect::<Result<_, _>>()?;
    let season = season(store, league, None)?;
    let first = season.map(|season| view_of_groups(store, &season, 0..1)).transpose()?;
    let last = league.map_or(0, |league| league.league.seasons);
    let earlier = (1..last).rev().take(SEASONS).map(|number| season_name(&of.name, number));
    let text = league_shown(store, of, league, None, first.as_ref())?;
    let shown = LeaguePage {
        game: game.key,
        title: of.title(),
        path: path(of),
        words: of.words(),
        members: members.len(),
        page,
        pages,
        joined,
        next: last + 1,
        starts_at: league.and_then(|league| league.league.next).map(|next| next.starts_at),
        season: first,
        earlier: earlier.collect(),
    };
    Ok(Some((text, GameContestPage::League(Box::new(shown)))))
}

/// The places on a page, from 0, and the number of pages; `None` if there is no such page.
fn cut(players: &[PlayerId], page: usize) -> Option<(Range<usize>, usize)> {
    let pages = players.len().div_ceil(PAGE).max(1);
    let first = page.checked_sub(1).filter(|_| page <= pages)? * PAGE;
    Some((first..players.len().min(first + PAGE), pages))
}

fn name(store: &Store, player: PlayerId) -> Result<String, StoreError> {
    Ok(store.player_by_id(player)?.userid.to_string())
}
