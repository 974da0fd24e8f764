//! Contests: the list of events, and an event or a season with the table of a group.

use jiff::Timestamp;
use minijinja::value::Serde;
use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::registry;

use super::Site;
use super::address::{Form, Format};
use super::answer::{Answer, AnswerKind};
use super::browser::Browser;
use super::graph;
use super::lists::{self, row};
use super::organising::EventForms;
use crate::commands::new_event::LATELY;
use crate::commands::set_up::terms_of;
use crate::contest::record::Contest;
use crate::contest::standing::GroupStanding;
use crate::contest::terms::EventDates;
use crate::contest::tournament_file::tournament_file;
use crate::failure::Error;
use crate::notices::contest_view::{ContestView, PlaceView, standings, view_of_groups};
use crate::notices::decisions::decisions_for;
use crate::notices::time_words::time_control;
use crate::store::{ContestForm, ContestRow, ContestState, PlayerId, SessionRow, Store};

/// The most events of each list.
const LISTED: usize = 50;

/// The most contests of a player.
const MINE: u32 = 50;

/// The most games of a feed.
const FED: u32 = 20;

/// A request for an event or a season.
pub(super) struct AskedContest<'a> {
    pub name: &'a str,
    /// Number of the group, from 1.
    pub group: usize,
    pub form: Form,
}

/// An event in a list.
#[derive(Serialize, JsonSchema)]
pub(super) struct EventLine {
    name: String,
    /// The word of its game.
    game: String,
    game_name: &'static str,
    /// Players who joined and did not leave.
    players: u32,
    /// Most players.
    size: u32,
    #[schemars(extend("enum" = ["all-play-all", "swiss", "knock-out", "teams"]))]
    pairing: &'static str,
    /// All play all: 2 if each pair plays both ways. Swiss: the number of rounds.
    rounds: u32,
    /// The options of its boards, as a challenge writes them.
    options: Vec<String>,
    #[serde(flatten)]
    dates: EventDates,
}

impl EventLine {
    pub(super) fn of(contest: &Contest) -> EventLine {
        let Contest { row, terms, .. } = contest;
        let began_at = contest.started_at.map(Timestamp::as_second);
        EventLine {
            name: row.name.clone(),
            game: row.game.clone(),
            game_name: contest.game_name(),
            players: row.entrants,
            size: terms.size,
            pairing: terms.pairing.as_str(),
            rounds: terms.rounds,
            options: terms.options.written(),
            dates: EventDates { starts_at: began_at.or(terms.dates.starts_at), ..terms.dates },
        }
    }
}

/// A contest of a player, which is not over.
#[derive(Serialize, JsonSchema)]
pub(super) struct OwnContest {
    name: String,
    /// What people call it.
    title: String,
    /// The word of its game.
    game: String,
    game_name: &'static str,
    #[schemars(extend("enum" = ["event", "league", "season", "ladder"]))]
    form: &'static str,
    #[schemars(extend("enum" = ["open", "running"]))]
    state: &'static str,
    /// The player's group, from 1.
    group: Option<u32>,
}

/// The contests that a player is in, and the events that the player can join.
pub(super) fn for_player(
    site: &Site,
    store: &Store,
    player: PlayerId,
) -> Result<(Vec<OwnContest>, Vec<EventLine>), Error> {
    let rows = store.contests_with(player, MINE)?;
    let mut own = Vec::new();
    for row in &rows {
        let group = store.group_with(row.id, player)?.map(|group| group + 1);
        let game_name = registry::find(&row.game).map_or("", |game| game.name);
        let (form, state) = (row.form.as_str(), row.state.as_str());
        own.push(OwnContest {
            name: row.name.clone(),
            title: row.title(),
            game: row.game.clone(),
            game_name,
            form,
            state,
            group,
        });
    }
    let now = (site.now)();
    let events = store.contests(ContestForm::Event, None, now)?;
    let has_room = |row: &&ContestRow| row.state == ContestState::Open && !rows.contains(row);
    let mut lines = Vec::new();
    for row in events.iter().filter(has_room) {
        if lines.len() == LISTED {
            break;
        }
        let event = Contest::load(store, row)?;
        if event.terms.dates.until().is_none_or(|until| until > now) && event.terms.entry.is_for(player) {
            lines.push(EventLine::of(&event));
        }
    }
    Ok((own, lines))
}

/// The list of open, running and recently ended events.
pub(super) fn list(site: &Site, store: &Store, format: Format) -> Result<Answer, Error> {
    let since = (site.now)().checked_sub(LATELY).unwrap_or_default();
    let rows = store.contests(ContestForm::Event, None, since)?;
    let in_state = |state: ContestState| {
        let rows = rows.iter().filter(|row| row.state == state).take(LISTED);
        let lines = rows.map(|row| Ok(EventLine::of(&Contest::load(store, row)?)));
        lines.collect::<Result<Vec<EventLine>, Error>>()
    };
    let page = EventsPage {
        open: in_state(ContestState::Open)?,
        running: in_state(ContestState::Running)?,
        closed: in_state(ContestState::Closed)?,
        zone: "UTC",
    };
    site.shown("contests", &page, format)
}

#[derive(Serialize, JsonSchema)]
pub(super) struct EventsPage {
    /// Events that players can join.
    open: Vec<EventLine>,
    running: Vec<EventLine>,
    /// Events that ended within a month.
    closed: Vec<EventLine>,
    /// The time zone of the page.
    zone: &'static str,
}

pub(super) fn page(
    site: &Site,
    browser: &Browser,
    wanted: &AskedContest<'_>,
) -> Result<Option<Answer>, Error> {
    let signed_in = site.session(browser)?;
    site.read(|store| shown(site, store, (signed_in.as_ref(), browser), wanted, None))
}

/// The page with its forms for a signed-in reader, and a notice about one that was sent.
pub(super) fn shown(
    site: &Site,
    store: &Store,
    (signed_in, browser): (Option<&SessionRow>, &Browser),
    wanted: &AskedContest<'_>,
    notice: Option<&str>,
) -> Result<Option<Answer>, Error> {
    let Some(row) = store.contest_named(wanted.name)? else { return Ok(None) };
    if !matches!(row.form, ContestForm::Event | ContestForm::Season) {
        // Boards link here by the contest's name, but a league and a ladder have pages of their own.
        let ending = match wanted.form {
            Form::Text => ".txt",
            Form::Atom => ".atom",
            _ => "",
        };
        return Ok(Some(Answer::see(format!("/{}{ending}", row.name.replacen('-', "/", 1)))));
    }
    if wanted.form == Form::Atom {
        return feed(site, store, Some(&row), &row.name, &format!("/events/{}", row.name)).map(Some);
    }
    let contest = Contest::load(store, &row)?;
    let Some(group) = wanted.group.checked_sub(1).filter(|at| *at < contest.groups.len().max(1)) else {
        return Ok(None);
    };
    // A browser that plays one board alone is a stranger here.
    let reader = signed_in
        .filter(|session| session.board.is_none())
        .map(|session| store.player_by_id(session.player))
        .transpose()?;
    let decisions = decisions_for(store, &contest, reader.as_ref().map(|reader| reader.id))?;
    let c = ContestView { decisions, ..view_of_groups(store, &contest, group..group + 1)? };
    let data = || Value::from(Serde(&c));
    let answer = match wanted.form {
        Form::Text => {
            let text = site.templates.text("contest/table.md", context! { c => data(), zone => "UTC" })?;
            Answer::of(AnswerKind::Text, text)
        }
        Form::Json => Answer::json(&c),
        Form::Csv => Answer::of(AnswerKind::Csv, comma_separated(&c)),
        Form::Trf => {
            let standing =
                standings(store, &contest, group..group + 1)?.into_iter().next().unwrap_or_default();
            let name = |player| Ok::<_, Error>(store.player_by_id(player)?.userid.to_string());
            let Some(text) = tournament_file(&contest, &standing, name)? else { return Ok(None) };
            Answer::of(AnswerKind::Text, text)
        }
        _ => {
            let days = registry::find(&row.game).map(|game| terms_of(game, &contest.terms.options).days);
            let time = days.map(time_control);
            let course = match contest.terms.pairing.is_all_play_all() {
                true => standings(store, &contest, group..group + 1)?.first().map(GroupStanding::course),
                false => None,
            };
            let label = "The places after each game, which the table has as they are now";
            let drawn = course.filter(|lines| lines.first().is_some_and(|line| line.len() > 2));
            let course = drawn.map(|lines| Value::from_safe_string(graph::places(&lines, label)));
            let is_event = row.form == ContestForm::Event;
            let forms = reader.as_ref().filter(|_| is_event);
            let forms =
                forms.map(|reader| EventForms::of(store, &contest, reader, (site.now)())).transpose()?;
            let forms = forms.flatten().map(|forms| Value::from(Serde(&forms)));
            let (code, once) = (reader.as_ref().map(|_| browser.form_code(site)), site.seed());
            site.html(
                "contest",
                context! {
                    c => data(), time, course, forms, code, once, notice, group => wanted.group, url => &site.url,
                    zone => "UTC",
                },
            )?
        }
    };
    Ok(Some(if reader.is_some() { answer.private() } else { answer }))
}

/// The lines of the shown table. No value needs quotes: userids have letters, digits and hyphens.
fn comma_separated(c: &ContestView) -> String {
    let mut text =
        "place,player,points,buchholz_cut_1,buchholz,sonneborn_berger,won,drawn,lost,running\r\n".to_owned();
    for row in c.groups.iter().flat_map(|group| &group.rows) {
        let [cut, whole] = row.buchholz.as_ref().map_or(["", ""], |[cut, whole]| [cut, whole]);
        let PlaceView { place, player, points, sonneborn_berger, won, drawn, lost, running, .. } = row;
        text += &format!(
            "{place},{player},{points},{cut},{whole},{sonneborn_berger},{won},{drawn},{lost},{running}\r\n"
        );
    }
    text
}

/// The last finished games of a contest, newest first, each with its time.
pub(super) fn finished(
    store: &Store,
    contest: Option<&ContestRow>,
) -> Result<Vec<(lists::Row, Timestamp)>, Error> {
    let boards = contest.map_or(Ok(Vec::new()), |contest| store.finished_in_contest(contest.id, FED))?;
    let known = boards.iter().filter_map(|board| Some((registry::find(&board.game)?, board)));
    known.map(|(game, board)| Ok((row(store, game, board)?, board.changed_at))).collect()
}

/// The last finished games of a contest as a feed (RFC 4287) for the page at `path`.
pub(super) fn feed(
    site: &Site,
    store: &Store,
    contest: Option<&ContestRow>,
    title: &str,
    path: &str,
) -> Result<Answer, Error> {
    let entry = |(row, at): &(lists::Row, Timestamp)| context! { row => Value::from(Serde(row)), at => at.to_string() };
    let entries: Vec<Value> = finished(store, contest)?.iter().map(entry).collect();
    let changed = contest.map(|contest| Value::from(contest.changed_at.to_string()));
    let updated = entries.first().map(|entry| entry.get_attr("at")).transpose()?.or(changed);
    let context =
        context! { title, page => format!("{}{path}", site.url), url => &site.url, entries, updated };
    let text = site.templates.render("web/contest.atom.html", context)?;
    Ok(Answer::of(AnswerKind::Atom, text))
}
