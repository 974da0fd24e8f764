//! The commands `event`, `league` and `ladder`. The form of a contest determines which subcommands it has.
//!
//! ```text
//! game event join | leave | start | withdraw name userid password
//! game event change name [-start=DATE] [-until=DATE] [-when-full] userid password
//! game event table name
//! game league [slow]
//! game league [slow] join [once] | leave | withdraw userid password
//! game league [slow] table [season]
//! game ladder
//! game ladder join | leave userid password
//! game ladder challenge [userid1] userid password
//! game ladder auto on | off userid password
//! ```

use crate::commands::contest_entry::NamedContest;
use crate::commands::event_days::EventDays;
use crate::commands::new_event::read_new;
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
    Join(Stay),
    Leave,
    Start,
    /// Moves the dates of an event.
    Change(EventDays),
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
            EntrantAct::Join(Stay::Once) => ("join", " once".to_owned()),
            EntrantAct::Join(Stay::UntilTheyLeave) => ("join", String::new()),
            EntrantAct::Leave => ("leave", String::new()),
            EntrantAct::Start => ("start", String::new()),
            EntrantAct::Change(days) => ("change", days.written()),
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
    details: "What may be: new, join, leave, start, change, withdraw, table. `event new NAME` makes one and joins you. It \
              begins when it is full (`-size=8`, from 3 to 16). With `-start=2027-01-15` it begins on that day, full or \
              not; with `-when-full` as well, before that day if it is full. `-until=2027-01-10` ends joining, and begins \
              the event if there is no `-start`. `event start NAME` begins it now, and `event change NAME` with the same \
              options moves its days; a letter tells the players who joined. All boards begin at once. With `-rounds=2` \
              each pair plays both ways. The other options are those of a challenge; without any of time, each board has `-clock=20d+36h`.\n\nBefore it begins you may leave. Later only \
              `event withdraw NAME` takes you out: it loses your running games. A win counts 1, a draw one half; ties are \
              broken by Sonneborn-Berger, then by the games between the two; equal players share the place. A \
              first loss on time brings you a letter. Another a week after it or later withdraws you, and so does no move \
              in three weeks.",
    example: "GAME event new spring-cup ann plover-42",
    keywords: &["new", "join", "leave", "start", "change", "withdraw", "table"],
    ..Entry::of_game("event", "what name [options] userid password", |args| read(args, ContestForm::Event))
};

pub(crate) const LEAGUE: Entry = Entry {
    by: Needs::Proven,
    summary: "the league of a game: how it stands, joining, leaving, its tables",
    details: "What may be: join, leave, withdraw, table. Who joins plays a season after the other, in a group of four to ten \
              of about their strength, all against all at once, until they leave; `join once` plays one season. Seasons \
              begin on Mondays, and a mail tells you a week before. The first two of a group go up and the last two go \
              down, among equals by the rating at the start; newcomers begin where their rating puts them.\n\n`leave` \
              takes you out after the season; only `withdraw` gives up its running games. A loss on time in a season brings a letter; another, a week after \
              the letter or later, withdraws you too, and so does no move at all within three weeks. Then you leave the \
              league as well; `join` brings you back. `league table 2` shows the second season.\n\nEach game has a slow \
              league too: `league slow join`, and `slow` in all else. Its boards have `-clock=40d+72h` instead of \
              `-clock=20d+36h`.",
    example: "GAME league join ann plover-42",
    keywords: &["slow", "join", "once", "leave", "withdraw", "table"],
    ..Entry::of_game("league", "[slow] [what] [once | season] [userid password]", |args| {
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
    ..Entry::of_game("ladder", "[what] [userid1 | on | off] [userid password]", |args| {
        read(args, ContestForm::Ladder)
    })
};

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
    let words = form.kind().words;
    let word = args.word(&any_of(words))?;
    let of = match is_event {
        true => NamedContest::event(game, read_name(args)?),
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
            args.writer()?;
            let stay = if once(args) || before { Stay::Once } else { Stay::UntilTheyLeave };
            return Ok(Command::Contest(OnContest { of, act: EntrantAct::Join(stay) }));
        }
        Some("leave") => EntrantAct::Leave,
        Some("start") => EntrantAct::Start,
        Some("change") => {
            let mut days = EventDays::default();
            args.extract(|word| days.take(word))?;
            EntrantAct::Change(days)
        }
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
