//! The commands `event`, `league` and `ladder`. The form of a contest determines which subcommands it has.
//!
//! ```text
//! game event new name [-form=FORM] [-size=N] [-rounds=N] [-weeks=N] [options] userid password
//! game event join | leave | start | withdraw name userid password
//! game event change name [-start=DATE] [-until=DATE] [-when-full] userid password
//! game event rule name board userid1|draw "reason" userid password
//! game event appeal name board "reason" userid password
//! game event remove name userid1 "reason" userid password
//! game event end name "reason" userid password
//! game event accept | reject name userid1 userid password
//! game event table name
//! game league [slow]
//! game league [slow] join [once] | leave | withdraw userid password
//! game league [slow] table [season]
//! game ladder
//! game ladder join | leave userid password
//! game ladder challenge [userid1] userid password
//! game ladder auto on | off userid password
//! ```

use crate::commands::admission::ANSWERS;
use crate::commands::contest_entry::{NamedContest, name_of};
use crate::commands::event_days::EventDays;
use crate::commands::new_event::read_new;
use crate::commands::organiser::OrganiserAct;
use crate::commands::{Command, Entry};
use crate::contest::forms::Stay;
use crate::ids::Userid;
use crate::language::args::{Args, ArgumentError};
use crate::language::{Needs, Parameters};
use crate::store::ContestForm;

/// Shows the state of a contest.
#[derive(Debug, Clone)]
pub struct LookAtContest {
    pub of: NamedContest,
    pub table: ShownTable,
}

#[derive(Debug, Clone)]
pub enum ShownTable {
    /// The part that concerns the reader.
    Own,
    /// All groups of a league season; `None` is the latest season.
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

/// A player's act in a contest.
#[derive(Debug, Clone)]
pub struct OnContest {
    pub of: NamedContest,
    pub act: EntrantAct,
}

#[derive(Debug, Clone)]
pub enum EntrantAct {
    Join {
        stay: Stay,
        /// In an event of teams, the player's own.
        team: Option<String>,
    },
    Leave,
    Start,
    /// Moves the dates of an event.
    Change(EventDays),
    /// The organiser answers a player who asked to join.
    Admit {
        player: Userid,
        accepts: bool,
    },
    /// An act with a reason.
    Organise(OrganiserAct),
    Withdraw {
        /// The player has confirmed the withdrawal.
        surely: bool,
    },
    Challenge {
        /// `None` challenges the nearest free player above.
        other: Option<Userid>,
    },
    /// Whether the Monday pairing includes the player.
    Auto(bool),
}

impl Parameters for OnContest {
    fn line(&self, _: &str) -> String {
        let (act, more) = match &self.act {
            EntrantAct::Join { stay: Stay::Once, .. } => ("join", " once".to_owned()),
            EntrantAct::Join { team, .. } => ("join", team.iter().map(|team| format!(" {team}")).collect()),
            EntrantAct::Leave => ("leave", String::new()),
            EntrantAct::Start => ("start", String::new()),
            EntrantAct::Change(days) => ("change", days.written()),
            EntrantAct::Admit { player, accepts } => {
                (if *accepts { "accept" } else { "reject" }, format!(" {player}"))
            }
            EntrantAct::Organise(act) => act.written(),
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
    summary: "makes, joins or leaves an event (all play all, Swiss, knock-out or teams); shows its table",
    details: "Subcommands: new, join, leave, start, change, withdraw, table, rule, appeal, remove, replace, \
              end, accept, reject. `event new NAME` makes an event and joins you. In it all play all, unless \
              it has another form. It begins when it is full (`-size=8`, from 3 to 16; in a Swiss event or a \
              knock-out 4 to 256). With `-start=2027-01-15` it begins on that day, full or not; with \
              `-when-full` as well, it begins earlier if it is full. `-until=2027-01-10` ends joining, and \
              begins the event if there is no `-start`. Both days begin at midnight where its maker lives. \
              `event start NAME` begins it now. `event change NAME` with the same options moves its days, \
              and a letter tells the players who joined.\n\nAll boards of an all-play-all begin at once, and \
              one mail brings them. With `-rounds=2` each pair plays both ways.\n\nIn a Swiss event, \
              `-form=swiss -rounds=5`, each round gives you one game, against a player with about your \
              points whom you have not met. A round begins a day after the last game of the one before, or \
              after `-weeks=6`. A game that still runs then counts one half until it ends. Until its third \
              round begins, `event join NAME` lets you in late, with half a point for each round that you \
              missed.\n\nIn a knock-out, `-form=knock-out`, a match has two games, in which each player \
              moves first once. The loser is out. If the match is drawn, a third game decides; if that is \
              drawn too, the player who moved second in it wins.\n\nIn an event of teams, `-form=teams \
              -boards=4 -size=6 -team=otters`, board 1 of each team plays board 1 of every other, and so on. \
              `event join NAME otters` puts you on the next board of that team, or names a new one. A \
              player who joins a complete team is a substitute: the captain, on its first board, can use `event \
              replace`. A team that is not complete at the start does not play. A match won counts 2, a \
              drawn one 1; between equal teams the points of their games decide.\n\nThe other options are \
              those of a challenge; without an option of time, each board has `-clock=20d+36h`. A block \
              stops messages here, not games.\n\nA win counts 1, a draw one half, a round without an \
              opponent 1. Ties are broken by Sonneborn-Berger, then by the games between the two; in a Swiss \
              event first by the points of the opponents, without the least (Buchholz). Players who are \
              still equal share the place.\n\nBefore the event begins, `event leave NAME` takes you out. \
              Later `event withdraw NAME` does, and you lose your running games. Your first loss on time \
              brings you a letter. If you lose another on time a week after that letter or later, you are \
              withdrawn. A player without a move in three weeks is withdrawn too; days of a vacation that \
              you set do not count. The event is over a day after its last game.\n\nThe player who makes an \
              event organises it: `help organiser`.",
    example: "GAME event new spring-cup ann plover-42",
    keywords: &[
        "new", "join", "leave", "start", "change", "withdraw", "table", "rule", "appeal", "remove",
        "replace", "end", "accept", "reject",
    ],
    ..Entry::of_game("event", "what name [options] userid password", read_event)
};

pub(crate) const LEAGUE: Entry = Entry {
    by: Needs::Proven,
    summary: "a league of the game: its tables, joining, leaving",
    details: "Subcommands: join, leave, withdraw, table. After `league join` you play each season until you \
              leave; `league join once` plays one. You play in a group of four to ten players of about your \
              strength, all against all at once. Seasons begin on Mondays, and a mail tells you a week before. A \
              season lasts 8 to 26 weeks, depending on how long the last seasons took. `league table 2` shows \
              the second season.\n\nThe first two of a group go up and the last two go down; in groups of fewer \
              than six, one each. Among equals the rating at the start decides. Newcomers begin in the group \
              that fits their rating. A game that still runs counts half a point for each player in the new \
              groups.\n\n`leave` takes you out after the season. `withdraw` also gives up your running games. \
              Points, ties and losses on time are as in events; a withdrawn player leaves the league, and `join` \
              brings them back. A player on vacation for more than three weeks at the start is left out and \
              keeps the place. With fewer than four players the season waits a week.\n\nEach game has a slow \
              league too: `league slow join`, and `slow` in all other commands. Its boards have `-clock=40d+72h` \
              instead of `-clock=20d+36h`.",
    example: "GAME league join ann plover-42",
    keywords: &["slow", "join", "once", "leave", "withdraw", "table"],
    ..Entry::of_game("league", "[slow] [what] [once | season] [userid password]", |args| {
        read(args, ContestForm::League)
    })
};

pub(crate) const LADDER: Entry = Entry {
    by: Needs::Proven,
    summary: "the ladder of a game: its places, joining, leaving, challenging a player above",
    details: "Subcommands: join, leave, challenge, auto. A newcomer enters in the middle. `ladder challenge bob` \
              begins a game with bob at once, `ladder challenge` one with the nearest free player above you. You \
              can challenge ten places up, or two fifths of the places above you if that is more. These games \
              are rated, have `-clock=20d+36h`, and cannot be declined. You can have three games that you asked \
              for and three that others asked of you. Two players meet again after seven days at the earliest. \
              Players on vacation cannot be challenged.\n\nA challenger who wins gets the place directly above \
              the opponent; after a draw, directly below. A challenger who loses keeps the place. A player who \
              loses on time to a challenger goes down one place, and a challenger who loses on time goes to the \
              bottom.\n\nEvery Monday the server pairs the players who have no game and are not away; `ladder \
              auto off` stops that for you. A player without a move for thirty days outside vacations leaves the \
              ladder; a letter comes a week before. `leave` ends no game. A player who leaves during a game \
              comes back at the bottom.",
    example: "GAME ladder join ann plover-42",
    keywords: &["join", "leave", "challenge", "auto", "on", "off"],
    ..Entry::of_game("ladder", "[what] [userid1 | on | off] [userid password]", |args| {
        read(args, ContestForm::Ladder)
    })
};

/// Reads the words after `GAME event`, which a form sends.
pub(crate) fn read_event(args: &mut Args) -> Result<Command, ArgumentError> {
    read(args, ContestForm::Event)
}

fn read(args: &mut Args, form: ContestForm) -> Result<Command, ArgumentError> {
    let game = args.game;
    let is_event = form == ContestForm::Event;
    let is_slow = |args: &mut Args| form == ContestForm::League && args.take("slow");
    let slow = is_slow(args);
    let of_game =
        |slow| if slow { NamedContest::slow_league(game) } else { NamedContest::of_game(game, form) };
    let look = |of, table| Ok(Command::LookAtContest(LookAtContest { of, table }));
    if args.is_empty() && !is_event {
        return look(of_game(slow), ShownTable::Own);
    }
    let words = [form.kind().words, if is_event { ANSWERS } else { &[] }].concat();
    let word = args.word(&any_of(&words))?;
    let of = match is_event {
        true => NamedContest::event(game, read_name_of(args, "event")?),
        false => of_game(slow || is_slow(args)),
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
            let is_named = is_event && args.left_before_writer() > 0;
            let team = is_named.then(|| read_name_of(args, "team")).transpose()?;
            args.writer()?;
            let stay = if once(args) || before { Stay::Once } else { Stay::UntilTheyLeave };
            return Ok(Command::Contest(OnContest { of, act: EntrantAct::Join { stay, team } }));
        }
        Some("leave") => EntrantAct::Leave,
        Some("start") => EntrantAct::Start,
        Some("change") => {
            let mut days = EventDays::default();
            args.extract(|word| days.take(word))?;
            EntrantAct::Change(days)
        }
        Some(word @ ("accept" | "reject")) => {
            let player = args.userid("the name of the player who asked")?;
            EntrantAct::Admit { player, accepts: word == "accept" }
        }
        Some(word @ ("rule" | "appeal" | "remove" | "replace" | "end")) => {
            EntrantAct::Organise(OrganiserAct::read(word, args)?)
        }
        Some("withdraw") => EntrantAct::Withdraw { surely: args.take("-surely") },
        Some("challenge") => {
            let is_named = args.left_before_writer() > 0;
            EntrantAct::Challenge { other: is_named.then(|| args.userid("whom you challenge")).transpose()? }
        }
        Some("auto") => EntrantAct::Auto(args.on_or_off()?),
        _ => return Err(word.error(format!("{} is expected here", any_of(&words)))),
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

fn read_name_of(args: &mut Args, what: &str) -> Result<String, ArgumentError> {
    let name = args.word(&format!("the name of the {what}"))?;
    let a = if what == "event" { "an" } else { "a" };
    name_of(&name.text).ok_or_else(|| {
        name.error(format!(
            "the name of {a} {what} has 3 to 24 letters, digits and hyphens and begins with a letter"
        ))
    })
}
