//! Ladders: places, and a win against somebody above moves up.
//!
//! ```text
//! game ladder
//! game ladder join | leave userid password
//! game ladder challenge [userid1] userid password
//! game ladder auto on | off userid password
//! ```

use minijinja::{Value, context};
use turnpost_games::GameKind;

use crate::commands::challenge::{challenged, may_play, open_board};
use crate::commands::contest_entry::{must_have_one_entry, open_contest};
use crate::commands::set_up::set_up;
use crate::commands::{Command, Entry};
use crate::contest::ladder::{GAMES_IN, GAMES_OUT, reach};
use crate::contest::ladder_games::Ladder;
use crate::contest::record::Contest;
use crate::contest::terms::ladder_name;
use crate::credentials::Actor;
use crate::failure::{CommandError, refuse};
use crate::ids::{Seat, Userid};
use crate::language::args::{Args, ArgumentError};
use crate::language::{Needs, Parameters, WriterPlace};
use crate::notices::Event;
use crate::notices::ladder_view::{LadderView, ladder_view};
use crate::notices::transcript::data;
use crate::play::Context;
use crate::store::{Account, ContestEventKind, ContestForm, PlayerId};

/// A command about the ladder of a game.
#[derive(Debug, Clone)]
pub struct OnLadder {
    pub game: &'static GameKind,
    pub act: LadderAct,
}

#[derive(Debug, Clone)]
pub enum LadderAct {
    Look,
    Join,
    Leave,
    Challenge {
        /// The nearest who is free, where nobody is named.
        other: Option<Userid>,
    },
    Auto(bool),
}

impl Parameters for OnLadder {
    fn line(&self, word: &str) -> String {
        let act = match &self.act {
            LadderAct::Look => String::new(),
            LadderAct::Join => " join".to_owned(),
            LadderAct::Leave => " leave".to_owned(),
            LadderAct::Challenge { other: Some(other) } => format!(" challenge {other}"),
            LadderAct::Challenge { other: None } => " challenge".to_owned(),
            LadderAct::Auto(on) => format!(" auto {}", if *on { "on" } else { "off" }),
        };
        format!("{} {word}{act}", self.game.key)
    }
}

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
    ..Entry::of_game("ladder", "[what] [userid1 | on | off] [userid password]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let act = if args.is_empty() {
        LadderAct::Look
    } else if args.take("join") {
        LadderAct::Join
    } else if args.take("leave") {
        LadderAct::Leave
    } else if args.take("challenge") {
        let is_named = args.left_before_writer() > 0;
        LadderAct::Challenge { other: is_named.then(|| args.userid("whom you challenge")).transpose()? }
    } else if args.take("auto") {
        LadderAct::Auto(args.on_or_off()?)
    } else {
        let word = args.word("`join`")?;
        return Err(word.error("`join`, `leave`, `challenge` or `auto` is expected here"));
    };
    if !matches!(act, LadderAct::Look) {
        args.writer()?;
    }
    Ok(Command::Ladder(OnLadder { game, act }))
}

pub(crate) fn ladder(ctx: &mut Context<'_>, by: &Actor, command: OnLadder) -> Result<Event, CommandError> {
    let OnLadder { game, act } = command;
    let row = ctx.store.contest_named(&ladder_name(game.key))?;
    let found =
        row.map(|row| Ladder::follow(ctx.store, Contest::load(ctx.store, &row)?, ctx.now)).transpose()?;
    match act {
        LadderAct::Look => {
            let reader = ctx.player()?;
            look(ctx, game, found.as_ref(), reader)
        }
        LadderAct::Join => join(ctx, game, found, by.proven()?),
        LadderAct::Leave => {
            let (mut ladder, account) = member(game, found, by)?;
            ladder.contest.note(ctx.store, ContestEventKind::Left, Some(account.id), "", ctx.now)?;
            look_again(ctx, game, ladder, account.id)
        }
        LadderAct::Auto(auto) => {
            let (mut ladder, account) = member(game, found, by)?;
            let word = if auto { "on" } else { "off" };
            ladder.contest.note(ctx.store, ContestEventKind::Auto, Some(account.id), word, ctx.now)?;
            look_again(ctx, game, ladder, account.id)
        }
        LadderAct::Challenge { other } => {
            let (ladder, account) = member(game, found, by)?;
            challenge(ctx, game, ladder, account.clone(), other)
        }
    }
}

fn look(
    ctx: &Context<'_>,
    game: &'static GameKind,
    ladder: Option<&Ladder>,
    reader: Option<PlayerId>,
) -> Result<Event, CommandError> {
    let userid = reader.map(|player| ctx.store.player_by_id(player)).transpose()?.map(|reader| reader.userid);
    let view = ladder.map(|ladder| ladder_view(ctx.store, ladder, reader, ctx.now)).transpose()?;
    let reader = userid.as_ref().map_or("USERID", |userid| userid.as_str());
    Ok(Event::page("ladder.txt", shown(game, reader, view.as_ref()), None))
}

/// What `ladder.txt` says of a ladder.
pub(crate) fn shown(game: &GameKind, reader: &str, view: Option<&LadderView>) -> Value {
    context! { game => game.key, game_name => game.name, reader, l => view.map(data) }
}

/// How it stands after something was noted.
fn look_again(
    ctx: &Context<'_>,
    game: &'static GameKind,
    ladder: Ladder,
    reader: PlayerId,
) -> Result<Event, CommandError> {
    let ladder = Ladder::follow(ctx.store, ladder.contest, ctx.now)?;
    look(ctx, game, Some(&ladder), Some(reader))
}

fn join(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    found: Option<Ladder>,
    account: &Account,
) -> Result<Event, CommandError> {
    challenged(ctx, &account.userid)?;
    let mut ladder = match found {
        Some(ladder) => ladder,
        None => {
            let contest = open_contest(ctx, game, ContestForm::Ladder)?;
            // The timer looks at it on Mondays.
            ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?;
            Ladder::follow(ctx.store, contest, ctx.now)?
        }
    };
    if ladder.place_of(account.id).is_some() {
        return refuse!("You are on the {game} ladder already.", game = game.name);
    }
    must_have_one_entry(ctx, account, &ladder.contest)?;
    ladder.contest.note(ctx.store, ContestEventKind::Joined, Some(account.id), "", ctx.now)?;
    look_again(ctx, game, ladder, account.id)
}

/// The ladder and a player of it, who is proven.
fn member<'a>(
    game: &'static GameKind,
    found: Option<Ladder>,
    by: &'a Actor,
) -> Result<(Ladder, &'a Account), CommandError> {
    let account = by.proven()?;
    match found.filter(|ladder| ladder.place_of(account.id).is_some()) {
        Some(ladder) => Ok((ladder, account)),
        None => refuse!(
            "You are not on the {name} ladder. `{game} ladder join {userid} PASSWORD` puts you there.",
            name = game.name,
            game = game.key,
            userid = account.userid
        ),
    }
}

/// Begins a game with a player above, who is told by the board's own mail as by any challenge.
fn challenge(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    mut ladder: Ladder,
    account: Account,
    other: Option<Userid>,
) -> Result<Event, CommandError> {
    if !ladder.games_of(account.id).can_ask() {
        return refuse!("You have asked for {GAMES_OUT} games that are in play. One of them must end first.");
    }
    let other = match other {
        Some(userid) => {
            let other = challenged(ctx, &userid)?;
            may_meet(ctx, game, &ladder, &account, &other)?;
            other
        }
        None => nearest(ctx, game, &ladder, &account)?,
    };
    let seat = ladder.seat_of_challenger(account.id, other.id);
    let mut terms = set_up(ctx, game, &ladder.contest.terms.options)?;
    terms.contest = Some(ladder.next_game());
    let ids = [account.id, other.id];
    let told =
        format!("{} challenges you on the {} ladder, where no game is declined.", account.userid, game.name);
    let mut players = [account, other];
    if seat == Seat::Second {
        players.reverse();
    }
    // Who is on a ladder has agreed to its games.
    let event = open_board(ctx, game, players, &[seat.other(), seat], terms)?;
    if let Some(news) = ctx.news.last_mut() {
        news.notes[seat.other().index()].push(told);
    }
    ladder.note_game(ctx.store, ids[0], ids[1], seat, ctx.now)?;
    Ok(event)
}

/// The nearest player above who may be challenged.
fn nearest(
    ctx: &Context<'_>,
    game: &'static GameKind,
    ladder: &Ladder,
    account: &Account,
) -> Result<Account, CommandError> {
    let place = ladder.place_of(account.id).unwrap_or_default();
    for other in reach(place).rev().filter_map(|place| ladder.places.get(place)) {
        let userid = ctx.store.player_by_id(*other)?.userid;
        let free = challenged(ctx, &userid)
            .and_then(|other| may_meet(ctx, game, ladder, account, &other).map(|()| other));
        match free {
            Err(CommandError::Refused(_)) => {}
            found => return found,
        }
    }
    match place {
        0 => refuse!("You are at the top: others challenge you."),
        _ => refuse!("Nobody within your reach is free. Mondays pair whoever has no game."),
    }
}

/// Refuses a game that the rules of the ladder, or one of the two, do not allow.
fn may_meet(
    ctx: &Context<'_>,
    game: &'static GameKind,
    ladder: &Ladder,
    account: &Account,
    other: &Account,
) -> Result<(), CommandError> {
    let name = &other.userid;
    let Some((from, to)) = ladder.place_of(account.id).zip(ladder.place_of(other.id)) else {
        return refuse!("{name} is not on the {game} ladder.", game = game.name);
    };
    let within = reach(from);
    if !within.contains(&to) {
        let (place, from, to) = (to + 1, within.start + 1, within.end);
        return match from > to {
            true => refuse!("You are at the top: others challenge you."),
            false => refuse!("{name} is number {place}, and you may challenge numbers {from} to {to}."),
        };
    }
    if !ladder.games_of(other.id).can_be_asked() {
        return refuse!(
            "{name} has {GAMES_IN} games in play that others asked for. One of them must end first."
        );
    }
    if ladder.have_met(account.id, other.id) {
        return refuse!("{name} and you play, or did so within the last seven days.");
    }
    if ctx.store.is_away(other.id, ctx.now)? {
        return refuse!("{name} is on vacation.");
    }
    may_play(ctx, game, &[account.clone(), other.clone()], &Seat::BOTH)
}
