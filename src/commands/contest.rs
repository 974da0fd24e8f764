//! Events, leagues and ladders: what players ask of them. The form of a contest says which words it takes.
//!
//! ```text
//! game event join | leave | start | withdraw name userid password
//! game event table name
//! game league
//! game league join [once] | leave | withdraw userid password
//! game league table [season]
//! game ladder
//! game ladder join | leave userid password
//! game ladder challenge [userid1] userid password
//! game ladder auto on | off userid password
//! ```

use minijinja::{Value, context};
use turnpost_games::GameKind;

use crate::commands::contest_entry::{NamedContest, must_have_one_entry, open_contest, table_of};
use crate::commands::ladder_challenge::challenge;
use crate::commands::new_event::read_new;
use crate::commands::opening::challenged;
use crate::commands::{Command, Entry};
use crate::contest::forms::Stay;
use crate::contest::forms::all_play_all::{SIZES, must_be_open};
use crate::contest::ladder_games::Ladder;
use crate::contest::league::season;
use crate::contest::record::Contest;
use crate::credentials::Token;
use crate::failure::{CommandError, Error, refuse};
use crate::ids::Userid;
use crate::language::args::{Args, ArgumentError};
use crate::language::{Needs, Parameters, WriterPlace};
use crate::notices::Event;
use crate::notices::contest_view::{ContestView, contest_view, view_of_player};
use crate::notices::ladder_view::{LadderView, ladder_view};
use crate::notices::transcript::data;
use crate::play::Context;
use crate::store::{
    Account, AccountRole, ContestEventKind, ContestForm, ContestRow, ContestState, PlayerId, Store,
};

/// Shows how a contest stands.
#[derive(Debug, Clone)]
pub struct LookAtContest {
    pub of: NamedContest,
    pub table: ShownTable,
}

#[derive(Debug, Clone)]
pub enum ShownTable {
    /// What concerns the reader.
    Own,
    /// All groups of a season of a league: of this number, or the last.
    Season(Option<u32>),
}

impl Parameters for LookAtContest {
    fn line(&self, _: &str) -> String {
        match (&self.table, self.of.form) {
            (ShownTable::Own, ContestForm::Event) => self.of.line("table", ""),
            (ShownTable::Own, _) => self.of.line("", ""),
            (ShownTable::Season(None), _) => self.of.line("table", ""),
            (ShownTable::Season(Some(number)), _) => self.of.line("table", &format!(" {number}")),
        }
    }
}

/// What a player asks of a contest.
#[derive(Debug, Clone)]
pub struct OnContest {
    pub of: NamedContest,
    pub act: EntrantAct,
}

#[derive(Debug, Clone)]
pub enum EntrantAct {
    Join(Stay),
    Leave,
    Start,
    Withdraw {
        /// The question has been answered.
        surely: bool,
    },
    Challenge {
        /// `None`: the nearest player who is free.
        other: Option<Userid>,
    },
    /// Whether Mondays pair the player.
    Auto(bool),
}

impl Parameters for OnContest {
    fn line(&self, _: &str) -> String {
        let (act, more) = match &self.act {
            EntrantAct::Join(Stay::Once) => ("join", " once".to_owned()),
            EntrantAct::Join(Stay::UntilTheyLeave) => ("join", String::new()),
            EntrantAct::Leave => ("leave", String::new()),
            EntrantAct::Start => ("start", String::new()),
            EntrantAct::Withdraw { surely } => ("withdraw", if *surely { " -surely" } else { "" }.to_owned()),
            EntrantAct::Challenge { other } => {
                ("challenge", other.as_ref().map_or(String::new(), |other| format!(" {other}")))
            }
            EntrantAct::Auto(on) => ("auto", if *on { " on" } else { " off" }.to_owned()),
        };
        self.of.line(act, &more)
    }
}

pub(crate) const EVENT: Entry = Entry {
    by: Needs::Proven,
    summary: "makes an event, in which all play all; joins or leaves it; shows its table",
    details: "What may be: new, join, leave, start, withdraw, table. `event new NAME` makes one and joins you. It begins when \
              it is full (`-size=8`, from 3 to 16), on the day of `-start=2027-01-15`, or when you send `event start NAME`; \
              all boards begin at once. With `-rounds=2` each pair plays both ways. The other options are those of a \
              challenge; without any of time, each board has `-clock=20d+36h`.\n\nBefore it begins you may leave. Later only \
              `event withdraw NAME` takes you out: it loses your running games. A win counts 1, a draw one half; ties are \
              broken by Sonneborn-Berger, then by the games between the two, then by the rating at the start. Who loses two \
              games of it on time, or makes no move for three weeks, is withdrawn.",
    example: "GAME event new spring-cup ann plover-42",
    keywords: &["new", "join", "leave", "start", "withdraw", "table"],
    writer: WriterPlace::LastWithPassword,
    ..Entry::of_game("event", "what name [options] userid password", |args| read(args, ContestForm::Event))
};

pub(crate) const LEAGUE: Entry = Entry {
    by: Needs::Proven,
    summary: "the league of a game: how it stands, joining, leaving, its tables",
    details: "What may be: join, leave, withdraw, table. Who joins plays a season after the other, in a group of four to ten \
              of about their strength, all against all at once, until they leave; `join once` plays one season. Seasons \
              begin on Mondays, and a mail tells you a week before. The first two of a group go up and the last two go \
              down; newcomers begin where their rating puts them.\n\n`leave` takes you out after the season; only \
              `withdraw` gives up its running games. A second loss on time in a season withdraws you too, and so does no \
              move at all within three weeks; `join` brings you back. `league table 2` shows the second season.",
    example: "GAME league join ann plover-42",
    keywords: &["join", "once", "leave", "withdraw", "table"],
    writer: WriterPlace::LastWithPassword,
    ..Entry::of_game("league", "[what] [once | season] [userid password]", |args| {
        read(args, ContestForm::League)
    })
};

pub(crate) const LADDER: Entry = Entry {
    by: Needs::Proven,
    summary: "the ladder of a game: its places, joining, leaving, challenging somebody above",
    details: "What may be: join, leave, challenge, auto. A newcomer enters in the middle. `ladder challenge bob` begins a game \
              with bob at once, `ladder challenge` one with the nearest above you who is free: ten places up or two fifths \
              of the places above you, whichever is more. Nobody has more than three games that they asked for and three \
              that others asked of them, and two do not meet again within seven days. These games are not declined.\n\nThe \
              challenger who wins stands directly above where the other then stands, after a draw directly below. Who loses \
              on time to a challenger goes down one place, and a challenger who loses on time goes to the bottom. Every \
              Monday pairs who has no game and is not away; `ladder auto off` stops that for you. Who makes no move for \
              thirty days outside vacations leaves the ladder, and hears of it a week before. `leave` ends no game; who \
              leaves while one is in play comes back at the bottom.",
    example: "GAME ladder join ann plover-42",
    keywords: &["join", "leave", "challenge", "auto", "on", "off"],
    writer: WriterPlace::LastWithPassword,
    ..Entry::of_game("ladder", "[what] [userid1 | on | off] [userid password]", |args| {
        read(args, ContestForm::Ladder)
    })
};

fn read(args: &mut Args, form: ContestForm) -> Result<Command, ArgumentError> {
    let game = args.game;
    let is_event = form == ContestForm::Event;
    let look = |of, table| Ok(Command::LookAtContest(LookAtContest { of, table }));
    if args.is_empty() && !is_event {
        return look(NamedContest::of_game(game, form), ShownTable::Own);
    }
    let words = form.kind().words;
    let word = args.word(&any_of(words))?;
    let of = match is_event {
        true => NamedContest::event(game, read_name(args)?),
        false => NamedContest::of_game(game, form),
    };
    let once = |args: &mut Args| form == ContestForm::League && args.take("once");
    let said = word.text.to_ascii_lowercase();
    let act = match words.iter().find(|word| **word == said).copied() {
        Some("new") => return read_new(args, of),
        Some("table") if is_event => return look(of, ShownTable::Own),
        Some("table") => {
            let season = if args.is_empty() { None } else { Some(args.word("the number of a season")?) };
            let season = season.map(|word| {
                word.text.parse().map_err(|_| word.error("the number of a season is expected here"))
            });
            return look(of, ShownTable::Season(season.transpose()?));
        }
        Some("join") => {
            let before = once(args);
            args.writer()?;
            let stay = if once(args) || before { Stay::Once } else { Stay::UntilTheyLeave };
            return Ok(Command::Contest(OnContest { of, act: EntrantAct::Join(stay) }));
        }
        Some("leave") => EntrantAct::Leave,
        Some("start") => EntrantAct::Start,
        Some("withdraw") => EntrantAct::Withdraw { surely: args.take("-surely") },
        Some("challenge") => {
            let is_named = args.left_before_writer() > 0;
            EntrantAct::Challenge { other: is_named.then(|| args.userid("whom you challenge")).transpose()? }
        }
        Some("auto") => EntrantAct::Auto(args.on_or_off()?),
        _ => return Err(word.error(format!("{} is expected here", any_of(words)))),
    };
    args.writer()?;
    Ok(Command::Contest(OnContest { of, act }))
}

/// "`join`, `leave` or `table`"
fn any_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn read_name(args: &mut Args) -> Result<String, ArgumentError> {
    let name = args.word("the name of the event")?;
    name_of(&name.text).ok_or_else(|| {
        name.error("the name of an event has 3 to 24 letters, digits and hyphens and begins with a letter")
    })
}

pub(crate) fn name_of(text: &str) -> Option<String> {
    let fits = (3..=24).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    fits.then(|| text.to_owned())
}

/// The contest as it is now; `None` for a league or a ladder without members so far.
fn find(ctx: &Context<'_>, of: &NamedContest) -> Result<Option<Contest>, CommandError> {
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
        let Some(season) = season(ctx.store, of.game, found.as_ref(), number)? else {
            return refuse!("There is no such season of the {game} league.", game = of.game.name);
        };
        return Ok(table_of(&contest_view(ctx.store, &season)?));
    }
    let reader = ctx.player()?;
    show(ctx, of.game, of.form, found, reader)
}

fn show(
    ctx: &Context<'_>,
    game: &'static GameKind,
    form: ContestForm,
    contest: Option<Contest>,
    reader: Option<PlayerId>,
) -> Result<Event, CommandError> {
    let store = ctx.store;
    let (page, shown) = match (form, contest) {
        (ContestForm::Ladder, contest) => {
            let ladder = contest.map(|contest| Ladder::follow(store, contest, ctx.now)).transpose()?;
            let view = ladder.map(|ladder| ladder_view(store, &ladder, reader, ctx.now)).transpose()?;
            let reader = reader.map(|player| store.player_by_id(player)).transpose()?;
            let userid = reader.as_ref().map_or("USERID", |reader| reader.userid.as_str());
            ("ladder.txt", ladder_shown(game, userid, view.as_ref()))
        }
        (ContestForm::League, league) => {
            let season = season(store, game, league.as_ref(), None)?;
            let own = season.map(|season| view_of_player(store, &season, reader.unwrap_or(PlayerId(0))));
            ("league.txt", league_shown(store, game, league.as_ref(), reader, own.transpose()?.as_ref())?)
        }
        (_, Some(contest)) => return Ok(table_of(&contest_view(store, &contest)?)),
        (_, None) => return refuse!("There is no contest of that name."),
    };
    Ok(Event::page(page, shown, None))
}

/// What `ladder.txt` says of a ladder.
pub(crate) fn ladder_shown(game: &GameKind, reader: &str, view: Option<&LadderView>) -> Value {
    context! { game => game.key, game_name => game.name, reader, l => view.map(data) }
}

/// What `league.txt` says to a reader of a league and a view of its season.
pub(crate) fn league_shown(
    store: &Store,
    game: &GameKind,
    league: Option<&Contest>,
    reader: Option<PlayerId>,
    season: Option<&ContestView>,
) -> Result<Value, Error> {
    let account = reader.map(|player| store.player_by_id(player)).transpose()?;
    let members = league.map_or(&[][..], |league| &league.joined);
    Ok(context! {
        game => game.key, game_name => game.name,
        is_in => reader.is_some_and(|reader| members.contains(&reader)),
        reader => account.as_ref().map_or("USERID", |reader| reader.userid.as_str()),
        members => members.len(),
        next => league.and_then(|league| league.league.next).map(|next| next.starts_at),
        c => season.map(data),
    })
}

pub(crate) fn contest(
    ctx: &mut Context<'_>,
    by: &Account,
    command: OnContest,
) -> Result<Event, CommandError> {
    let OnContest { of, act } = command;
    let found = find(ctx, &of)?;
    let NamedContest { game, form, name } = of;
    if let EntrantAct::Withdraw { surely } = act {
        return withdraw(ctx, game, form, found, surely, by);
    }
    let mut contest = match (found, &act) {
        (Some(contest), _) => contest,
        (None, EntrantAct::Join(_)) => open_contest(ctx, game, form)?,
        (None, _) => return Err((form.kind().outside)(game, &name, &by.userid)),
    };
    let needs_entry = matches!(act, EntrantAct::Leave | EntrantAct::Challenge { .. } | EntrantAct::Auto(_));
    if needs_entry && !contest.joined.contains(&by.id) {
        return Err((form.kind().outside)(game, &contest.row.name, &by.userid));
    }
    match act {
        EntrantAct::Join(stay) => join(ctx, &mut contest, stay, by)?,
        EntrantAct::Leave => leave(ctx, &mut contest, by)?,
        EntrantAct::Start => start(ctx, &mut contest, by)?,
        EntrantAct::Challenge { other } => return challenge(ctx, game, contest, by.clone(), other),
        EntrantAct::Auto(on) => {
            let word = if on { "on" } else { "off" };
            contest.note(ctx.store, ContestEventKind::Auto, Some(by.id), word, ctx.now)?;
        }
        EntrantAct::Withdraw { .. } => {}
    }
    show(ctx, game, form, Some(contest), Some(by.id))
}

fn join(ctx: &mut Context<'_>, contest: &mut Contest, stay: Stay, by: &Account) -> Result<(), CommandError> {
    challenged(ctx, &by.userid)?;
    (contest.row.form.kind().enter)(ctx.store, contest, by.id, stay)?;
    must_have_one_entry(ctx, by, contest)?;
    let text = if stay == Stay::Once { "once" } else { "" };
    contest.note(ctx.store, ContestEventKind::Joined, Some(by.id), text, ctx.now)?;
    // The timer begins an event that is full, plans a first season, and looks at ladders on Mondays.
    Ok(ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?)
}

fn leave(ctx: &mut Context<'_>, contest: &mut Contest, by: &Account) -> Result<(), CommandError> {
    let ContestRow { name, game, state, form, .. } = &contest.row;
    if *state == ContestState::Running {
        return refuse!(
            "{name} runs, and your games go on: nothing was done. To give them up, which loses those that still run: \
            `{game} {form} withdraw {name} {userid} PASSWORD`.",
            userid = by.userid
        );
    }
    must_be_open(&contest.row)?;
    let is_event = *form == ContestForm::Event;
    contest.note(ctx.store, ContestEventKind::Left, Some(by.id), "", ctx.now)?;
    if is_event && contest.joined.is_empty() {
        contest.note(ctx.store, ContestEventKind::Closed, None, "everybody left", ctx.now)?;
        ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?;
    }
    Ok(())
}

fn start(ctx: &mut Context<'_>, contest: &mut Contest, by: &Account) -> Result<(), CommandError> {
    let name = &contest.row.name;
    if contest.maker != Some(by.id) && ctx.store.role(by.id)? != AccountRole::Organiser {
        return refuse!("Who made {name} may begin it; it also begins by itself when it is full.");
    }
    must_be_open(&contest.row)?;
    let least = *SIZES.start() as usize;
    let players = contest.who_can_play(ctx.store)?;
    if players.len() < least {
        return refuse!("An event needs {least} players, and {name} has {}.", players.len());
    }
    Ok(contest.start(ctx.store, &[players], ctx.now)?)
}

/// Withdraws a player from an event or the last season of a league, once they say that they mean it.
fn withdraw(
    ctx: &mut Context<'_>,
    game: &GameKind,
    form: ContestForm,
    found: Option<Contest>,
    surely: bool,
    by: &Account,
) -> Result<Event, CommandError> {
    let (found, line) = match form {
        ContestForm::League => {
            (season(ctx.store, game, found.as_ref(), None)?, format!("{} {form} withdraw", game.key))
        }
        _ => {
            let name = found.as_ref().map_or("", |contest| &contest.row.name);
            let line = format!("{} {form} withdraw {name}", game.key);
            (found, line)
        }
    };
    let Some(mut contest) = found else {
        return refuse!("No season of the {game} league has begun yet.", game = game.name);
    };
    let ContestRow { name, state, .. } = &contest.row;
    if *state != ContestState::Running || contest.place_of(by.id).is_none() {
        return refuse!("{name} is not running with you in it, so there is nothing to withdraw from.");
    }
    if contest.withdrawn.contains(&by.id) {
        return refuse!("You have withdrawn from {name} already.");
    }
    if !surely {
        let how = match ctx.token {
            Some(Token::Contest(..)) => "reply `withdraw surely`.".to_owned(),
            _ => format!("send\n\n    {line} -surely {} PASSWORD", by.userid),
        };
        return refuse!(
            "This would lose your running games of {name}, so nothing was done. If you mean it, {how}"
        );
    }
    contest.withdraw(ctx.store, by.id, "asked", ctx.now)?;
    Ok(table_of(&view_of_player(ctx.store, &contest, by.id)?))
}
