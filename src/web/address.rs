//! Reads the path and the query of a request.

use std::collections::BTreeMap;

use turnpost_games::scene::Theme;
use turnpost_games::{GameKind, registry};

use crate::commands::contest_entry::NamedContest;
use crate::ids::{BoardId, Ply, Userid};
use crate::store::ContestForm;

/// A page or a file.
#[derive(Debug, Clone)]
pub(crate) enum Address {
    Home,
    Game(&'static GameKind),
    /// A position of a game, as a picture for lists.
    GamePicture(&'static GameKind, Theme),
    Board {
        game: &'static GameKind,
        board: BoardId,
        ply: Option<Ply>,
        form: Form,
        flip: bool,
    },
    Player(Userid),
    Help(String),
    Try(&'static GameKind, Trial),
    Study(Study),
    Play(OpenTurn),
    /// The stream that tells an open page of news.
    News(Followed),
    /// The page that pauses the mails of the player with this link.
    Pause(String),
    /// The form that asks for a sign-in link.
    SignIn,
    /// The page of a mailed link that signs in, or that signs a browser out.
    SignInBy(String),
    Invite(String),
    /// The form of a person without an account, with the board that it opens.
    SignUp(WantedBoard),
    /// The games of the signed-in player, with the form of a new game.
    Me {
        game: Option<&'static GameKind>,
        against: Option<Userid>,
    },
    /// The feed of a player's turns, by its link.
    Feed(String),
    /// The records of the signed-in player's boards.
    MyRecords,
    Events,
    Contest {
        name: String,
        /// Number of the group, from 1.
        group: usize,
        form: Form,
    },
    /// The league of a game, or its ladder.
    GameContest(GameContest),
    Api,
    Style,
    Script,
    Robots,
    Icon,
    IconPng,
    Manifest,
}

/// What a stream of news is about.
#[derive(Debug, Clone)]
pub(crate) enum Followed {
    Board(&'static GameKind, BoardId),
    /// The board of a player's link, and the words of its players.
    Link(String),
}

/// A request for the league or the ladder of a game.
#[derive(Debug, Clone)]
pub(crate) struct GameContest {
    pub of: NamedContest,
    /// Page of the list of players, from 1.
    pub page: usize,
    pub form: Form,
}

/// The first board that a person asks for.
#[derive(Debug, Clone)]
pub(crate) struct WantedBoard {
    pub game: Option<&'static GameKind>,
    /// The number of the seek to accept; else the board is against the robot.
    pub seek: Option<u32>,
    pub trial: Trial,
}

/// A visitor's game against the robot.
#[derive(Debug, Clone)]
pub(crate) enum Trial {
    /// A game to begin.
    New {
        level: u8,
    },
    On {
        record: TrialRecord,
        code: String,
        step: Step,
    },
}

/// The full state of a visitor's game: replaying the plies gives the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TrialRecord {
    pub level: u8,
    pub seed: u64,
    pub plies: Vec<String>,
}

/// What the visitor does in a running game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Look,
    /// Chooses the first spaces of a ply.
    From(String),
    /// Plays a ply.
    Make(String),
}

/// An analysis board: lines of plies after a position.
#[derive(Debug, Clone)]
pub(crate) struct Study {
    pub of: Studied,
    /// The line that is shown.
    pub line: Vec<String>,
    /// The other lines that the visitor keeps.
    pub kept: Vec<Vec<String>>,
    /// The first spaces of the next ply.
    pub from: Option<String>,
    /// True if the visitor asks what the robot would play.
    pub asks: bool,
    /// True if the board is shown from its other side.
    pub flip: bool,
}

/// Where a study begins.
#[derive(Debug, Clone)]
pub(crate) enum Studied {
    /// The board of the player with this link, as it is now.
    Own(String),
    Board {
        game: &'static GameKind,
        board: BoardId,
        ply: Option<Ply>,
    },
    /// A position; `None` for the start of the game.
    Position {
        game: &'static GameKind,
        text: Option<String>,
    },
    /// A position or a record that the visitor has pasted.
    Pasted {
        game: &'static GameKind,
        text: String,
    },
}

/// A player's choices on the play page so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenTurn {
    pub token: String,
    /// The plies of the turn so far.
    pub turn: Vec<String>,
    pub from: Option<String>,
    /// The board is seen from its other side.
    pub flip: bool,
    /// An earlier position to look at.
    pub ply: Option<Ply>,
    /// A turn as a player types it.
    pub typed: Option<String>,
    /// The act that was just carried out; the page confirms it.
    pub done: Option<String>,
    /// The fields of a refused form, shown again for correction.
    pub words: Option<String>,
    pub queue: Option<String>,
    pub then: Option<String>,
}

/// The robot levels that visitors without an account can play.
pub(super) const LEVELS: std::ops::RangeInclusive<u8> = 1..=3;

/// The format of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A page for people.
    Html,
    /// Data for programs.
    Json,
}

/// The form in which a board or a contest is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Page,
    Svg,
    Dark,
    Png,
    Text,
    Json,
    Record,
    Atom,
    /// All positions, for the page that steps through them.
    Steps,
}

impl Form {
    /// True if the form shows only the board: it never changes after the game is over.
    pub fn is_drawn(self) -> bool {
        matches!(self, Form::Svg | Form::Dark | Form::Png | Form::Text)
    }

    /// The page as JSON, if a program asks for it.
    pub fn or_json(self, format: Format) -> Form {
        if format == Format::Json && self == Form::Page { Form::Json } else { self }
    }

    fn named(ending: &str) -> Option<Form> {
        Some(match ending {
            "svg" => Form::Svg,
            "dark.svg" => Form::Dark,
            "png" => Form::Png,
            "txt" => Form::Text,
            "record" => Form::Record,
            "atom" => Form::Atom,
            "steps" => Form::Steps,
            _ => return None,
        })
    }
}

/// The longest path and the longest query, in bytes. A query can hold a whole game.
const LONGEST_PATH: usize = 256;
const LONGEST_QUERY: usize = 6 * 1024;

impl Address {
    /// Reads a path and a query. Returns the page and whether JSON is wanted; `None` if there is no such page.
    pub fn read(path: &str, query: &str) -> Option<(Address, bool)> {
        if path.len() > LONGEST_PATH || query.len() > LONGEST_QUERY {
            return None;
        }
        let (page, is_json) = match path.strip_suffix(".json") {
            Some("/index") => ("/", true),
            Some(page) if page != "/openapi" && !page.ends_with('/') => (page, true),
            _ => (path, false),
        };
        let parts: Vec<&str> = page.strip_prefix('/')?.split('/').collect();
        let usual = |game| NamedContest::of_game(game, ContestForm::League);
        let slow = NamedContest::slow_league;
        let ladder = |game| NamedContest::of_game(game, ContestForm::Ladder);
        let address = match *parts.as_slice() {
            [""] => Address::Home,
            ["style.css"] => Address::Style,
            ["script.js"] => Address::Script,
            ["robots.txt"] => Address::Robots,
            ["icon.svg"] => Address::Icon,
            ["icon.png"] => Address::IconPng,
            ["manifest.webmanifest"] => Address::Manifest,
            ["openapi.json"] => Address::Api,
            ["try", game] => Address::Try(game_of(game)?, trial_of(query)?),
            ["play", token] => chosen(link_of('p', token)?, query)?,
            ["play", token, "study"] => study_of(Studied::Own(link_of('p', token)?.to_owned()), query)?,
            ["play", token, "events"] => Address::News(Followed::Link(link_of('p', token)?.to_owned())),
            ["play", token, "pause"] => Address::Pause(link_of('p', token)?.to_owned()),
            ["sign-in"] => Address::SignIn,
            ["sign-in", link] => {
                Address::SignInBy(link_of('s', link).or_else(|| link_of('d', link))?.to_owned())
            }
            ["sign-up"] => Address::SignUp(wanted_board(query)?),
            ["invite", link] => Address::Invite(link_of('i', link)?.to_owned()),
            ["me"] => me(query)?,
            ["me.record"] => Address::MyRecords,
            ["me", feed] => Address::Feed(link_of('f', feed.strip_suffix(".atom")?)?.to_owned()),
            ["events"] => Address::Events,
            ["events", name] => contest_of(name, query)?,
            ["help"] => Address::Help("index".to_owned()),
            ["help", page] => Address::Help(page.to_owned()),
            ["players", userid] => Address::Player(userid.parse().ok()?),
            [game] => match game.split_once('.') {
                None => Address::Game(game_of(game)?),
                Some((game, "svg")) => Address::GamePicture(game_of(game)?, Theme::Light),
                Some((game, "dark.svg")) => Address::GamePicture(game_of(game)?, Theme::Dark),
                Some(_) => return None,
            },
            [game, "study"] => study_of(position_of(game_of(game)?, query)?, query)?,
            [game, board, "study"] => study_of(studied_board(game_of(game)?, board, query)?, query)?,
            [game, "league"] => of_game(usual(game_of(game)?), Form::Page, query)?,
            [game, "league.txt"] => of_game(usual(game_of(game)?), Form::Text, query)?,
            [game, "league.atom"] => of_game(usual(game_of(game)?), Form::Atom, query)?,
            [game, "slow-league"] => of_game(slow(game_of(game)?), Form::Page, query)?,
            [game, "slow-league.txt"] => of_game(slow(game_of(game)?), Form::Text, query)?,
            [game, "slow-league.atom"] => of_game(slow(game_of(game)?), Form::Atom, query)?,
            [game, "ladder"] => of_game(ladder(game_of(game)?), Form::Page, query)?,
            [game, "ladder.txt"] => of_game(ladder(game_of(game)?), Form::Text, query)?,
            [game, "ladder.atom"] => of_game(ladder(game_of(game)?), Form::Atom, query)?,
            [game, board, "events"] => {
                Address::News(Followed::Board(game_of(game)?, BoardId(number_of(board)?)))
            }
            [game, board] => board_of(game_of(game)?, board, query)?,
            _ => return None,
        };
        (!is_json || address.is_page()).then_some((address, is_json))
    }

    /// True for a page that asks the robot.
    pub fn thinks(&self) -> bool {
        matches!(
            self,
            Address::Try(_, Trial::On { step: Step::Make(_), .. }) | Address::Study(Study { asks: true, .. })
        )
    }

    /// True for a page that looks for news while it is open in the browser.
    pub fn is_alive(&self) -> bool {
        matches!(self, Address::Me { .. } | Address::Play(_) | Address::Board { form: Form::Page, .. })
    }

    /// The player's link in the address of the play page or of the pause page.
    pub fn link(&self) -> Option<&str> {
        match self {
            Address::Play(OpenTurn { token, .. }) | Address::Pause(token) => Some(token),
            _ => None,
        }
    }

    /// True if the page accepts forms (POST).
    pub fn takes_forms(&self) -> bool {
        self.link().is_some()
            || matches!(
                self,
                Address::SignIn
                    | Address::SignInBy(_)
                    | Address::SignUp(_)
                    | Address::Invite(_)
                    | Address::Me { .. }
            )
    }

    /// True for a page, which also exists as JSON; false for a file.
    pub fn is_page(&self) -> bool {
        match self {
            Address::Style
            | Address::Script
            | Address::Robots
            | Address::Api
            | Address::Icon
            | Address::IconPng
            | Address::Manifest
            | Address::GamePicture(..)
            | Address::News(_)
            | Address::Feed(_)
            | Address::MyRecords => false,
            Address::Board { form, .. }
            | Address::Contest { form, .. }
            | Address::GameContest(GameContest { form, .. }) => *form == Form::Page,
            _ => true,
        }
    }
}

/// Finds a game by its key and by no other spelling, so that each page has one address.
fn game_of(word: &str) -> Option<&'static GameKind> {
    registry::find(word).filter(|game| game.key == word)
}

fn trial_of(query: &str) -> Option<Trial> {
    let query = Query::read(query, &["level", "seed", "code", "plies", "from", "make"])?;
    let level = query.take("level").map_or(Some(1), number_of)?;
    let level = u8::try_from(level).ok().filter(|level| LEVELS.contains(level))?;
    let (code, plies) = (query.take("code"), query.take_words("plies"));
    let step = match (query.take("from"), query.take("make")) {
        (None, None) => Step::Look,
        (Some(from), None) => Step::From(from.to_owned()),
        (None, Some(ply)) => Step::Make(ply.to_owned()),
        (Some(_), Some(_)) => return None,
    };
    match query.take("seed") {
        Some(seed) => {
            let record = TrialRecord { level, seed: seed.parse().ok()?, plies };
            Some(Trial::On { record, code: code?.to_owned(), step })
        }
        None => (code.is_none() && plies.is_empty() && step == Step::Look).then_some(Trial::New { level }),
    }
}

fn wanted_board(query: &str) -> Option<WantedBoard> {
    let known = Query::read(query, &["game", "seek"])?;
    let game = known.take("game").map(|word| game_of(word).ok_or(()));
    let seek = known.take("seek").map(|number| number_of(number).ok_or(()));
    let trial = trial_of(query)?;
    Some(WantedBoard { game: game.transpose().ok()?, seek: seek.transpose().ok()?, trial })
}

fn chosen(token: &str, query: &str) -> Option<Address> {
    let mut chosen = OpenTurn { token: token.to_owned(), ..OpenTurn::default() };
    // `typed` comes from a text field and can contain any character, so `Query` does not read it.
    let mut typed = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "typed");
    chosen.typed = typed.next().map(|(_, value)| value.into_owned());
    let query = Query::read(query, &["turn", "from", "flip", "ply", "done"])?;
    chosen.flip = query.take("flip").is_some();
    chosen.turn = query.take_words("turn");
    chosen.from = query.take("from").map(str::to_owned);
    chosen.ply = query.take("ply").and_then(number_of).map(Ply);
    chosen.done = query.take("done").map(str::to_owned);
    (typed.next().is_none() && (chosen.typed.is_none() || chosen.turn.is_empty()))
        .then_some(Address::Play(chosen))
}

/// The position, or the pasted text, of a study. Both contain characters that `Query` does not read.
fn position_of(game: &'static GameKind, query: &str) -> Option<Studied> {
    let given = |wanted: &str| {
        let mut values = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == wanted);
        values.next().map(|(_, value)| value.into_owned())
    };
    match (given("start"), given("paste")) {
        (Some(_), Some(_)) => None,
        (text, None) => Some(Studied::Position { game, text }),
        (None, Some(text)) => Some(Studied::Pasted { game, text }),
    }
}

fn studied_board(game: &'static GameKind, board: &str, query: &str) -> Option<Studied> {
    match board_of(game, board, query)? {
        Address::Board { game, board, ply, form: Form::Page, .. } => {
            Some(Studied::Board { game, board, ply })
        }
        _ => None,
    }
}

fn study_of(of: Studied, query: &str) -> Option<Address> {
    let query = Query::read(query, &["line", "kept", "from", "ask", "flip"])?;
    let kept = query.take("kept").unwrap_or_default().split("..");
    let kept = kept.map(words).filter(|line| !line.is_empty()).collect();
    let [asks, flip] = ["ask", "flip"].map(|name| query.take(name).is_some());
    let from = query.take("from").map(str::to_owned);
    Some(Address::Study(Study { of, line: query.take_words("line"), kept, from, asks, flip }))
}

/// Plies or other words, separated by dots.
fn words(text: &str) -> Vec<String> {
    text.split('.').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The form of a new game can come with a game and an opponent.
fn me(query: &str) -> Option<Address> {
    let query = Query::read(query, &["game", "against"])?;
    let game = query.take("game").map_or(Some(None), |game| game_of(game).map(Some))?;
    let against = query.take("against").map_or(Some(None), |userid| userid.parse().map(Some).ok())?;
    Some(Address::Me { game, against })
}

/// Checks that a link is spelt as mails write it. Other spellings are invalid, so the logs of a proxy know only one.
fn link_of(kind: char, token: &str) -> Option<&str> {
    let (number, code) = token.strip_prefix(kind)?.split_once('.')?;
    let is_plain = code.bytes().all(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit());
    (is_plain && number_of(number).is_some()).then_some(token)
}

fn board_of(game: &'static GameKind, board: &str, query: &str) -> Option<Address> {
    let (number, form) = match board.split_once('.') {
        None => (board, Form::Page),
        Some((number, ending)) => (number, Form::named(ending)?),
    };
    let query = Query::read(query, &["ply", "flip"])?;
    let ply = match query.take("ply") {
        None => None,
        Some(ply) => Some(Ply(number_of(ply)?)),
    };
    let flip = query.take("flip").is_some();
    Some(Address::Board { game, board: BoardId(number_of(number)?), ply, form, flip })
}

fn contest_of(page: &str, query: &str) -> Option<Address> {
    let (name, form) = match page.split_once('.') {
        None => (page, Form::Page),
        Some((name, ending)) => (name, Form::named(ending)?),
    };
    let group = Query::read(query, &["group"])?.take("group").map_or(Some(1), number_of)?;
    let is_its = !name.is_empty() && matches!(form, Form::Page | Form::Text | Form::Atom);
    is_its.then(|| Address::Contest { name: name.to_owned(), group: group as usize, form })
}

fn of_game(of: NamedContest, form: Form, query: &str) -> Option<Address> {
    let page = Query::read(query, &["page"])?.take("page").map_or(Some(1), number_of)? as usize;
    Some(Address::GameContest(GameContest { of, page, form }))
}

/// Reads digits without a sign or a leading zero.
fn number_of(text: &str) -> Option<u32> {
    let plain = !text.starts_with('0') || text == "0";
    let digits = text.bytes().all(|octet| octet.is_ascii_digit());
    (plain && digits).then(|| text.parse().ok())?
}

/// The parameters of a query that the page knows. Others are ignored: people and mail programs append some to a link,
/// to learn who followed it.
pub(super) struct Query<'a> {
    pairs: BTreeMap<&'a str, &'a str>,
}

impl<'a> Query<'a> {
    /// `None` if a name occurs twice, or if a value contains other characters than `a-z`, `0-9`, `.`, `-` and `_`.
    pub fn read(text: &'a str, names: &[&str]) -> Option<Query<'a>> {
        let plain =
            |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || b".-_".contains(&octet);
        let mut pairs = BTreeMap::new();
        for pair in text.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if names.contains(&name) && (!value.bytes().all(plain) || pairs.insert(name, value).is_some()) {
                return None;
            }
        }
        Some(Query { pairs })
    }

    pub fn take(&self, name: &str) -> Option<&'a str> {
        self.pairs.get(name).copied()
    }

    pub fn take_words(&self, name: &str) -> Vec<String> {
        words(self.take(name).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_has_one_address() {
        let known = |address: &str| {
            let (path, query) = address.split_once('?').unwrap_or((address, ""));
            Address::read(path, query).is_some()
        };
        // What others add to a link changes nothing.
        let pages = "/ /dvonn /dvonn.svg /dvonn.dark.svg /icon.png /hexmeister/7.svg?ply=0 /dvonn/42.dark.svg /players/ann /help/dvonn /try/dvonn \
            /try/dvonn?level=3 /try/dvonn?level=1&seed=7&code=abc&plies=a1-b1.b2-c3&make=d1-e1 \
            /play/p1.abc?turn=d8-c9.done&from=c9 /play/p1.abc?typed=D8+to+c9%21 /dvonn/42.atom \
            /dvonn/42.json?ply=3 /index.json /help.json /help/dvonn.json \
            /try/dvonn.json?make=d1-e1&seed=7&plies=&level=1&code=abc /play/p1.abc.json?turn=d8-c9 \
            /play/p1.abc/pause.json /play/p1.abc/events /dvonn/42/events /?utm_source=x /?/play/p.abry/dvonnc\u{71e}? /help?%00 \
            /dvonn/42?fbclid=Iw&ply=3 /dvonn/42.svg?flip /dvonn/42?flip&ply=3 /play/p1.abc?flip&turn=a1-b1 /events.json \
            /dvonn/league /hex/ladder.json?page=2 /dvonn/ladder.txt /dvonn/league.atom /dvonn/slow-league \
            /dvonn/42/study?ply=3&line=d8-c9.a1-b1&kept=d8-c9.a1-a2..d8-c7&from=b2 /play/p1.abc/study.json \
            /chess/study?start=8%2F8+w&line=e4 /chess/study?paste=1.+e4 /chess/study \
            /sign-up /sign-up?game=hex&level=2 /sign-up.json?game=hex&seek=12 /sign-up?game=dvonn&level=1&seed=7&code=abc&plies=a1 \
            /events/spring-cup.json?group=3 /events/spring-cup.atom /events/spring-cup.txt?group=2 /play/p1.abc?utm_source=Mail%20x&turn=a1-b1";
        for page in pages.split(' ') {
            assert!(known(page), "{page}");
        }
        let none = "dvonn /DVONN /dvonn/ /dvonn/042 /dvonn/+42 /dvonn/99999999999 /dvonn/42.exe /dvonn/42?ply=01 \
            /dvonn/42?ply=1&ply=2 /dvonn/42/1 /try/dvonn?level=4 /try/dvonn?seed=7&level=1 \
            /try/dvonn?level=1&seed=7 /try/dvonn?level=1&seed=7&code=abc&from=a1&make=a1-b1 \
            /play/p1.abc?turn=A1-B1 /play/p1.abc?typed=a&typed=b /play/p01.abc /play/p+1.abc \
            /play/P1.abc /play/p1.ABC /play/p1%2eabc /%70lay/p1.abc /play/p01.abc/pause /play//p1.abc /x/../play/p1.abc /.json /style.css.json /dvonn/42.svg.json \
            /dvonn/42.json.json /openapi /play/p1.abc/x /play/p1.abc/events.json /dvonn/042/events /dvonn/42.svg/events /players/ /players/..%2f \
            /events/ /events/cup.svg /events/cup.txt.json /events/cup?group=x /events/cup/3 // \
            /chess960/ladder /dvonn/ladder.svg /dvonn/league?page=x /dvonn/ladder/1 /dvonn/42?ply=-1 /dvonn/42?ply=4294967296 \
            /dvonn/42.analysis /dvonn/42/analysis /dvonn/42.svg/study /dvonn/42/study?line=A1 /dvonn/study?start=a&paste=b /dvonn.png /dvonn.svg.json /dvonn.atom.json /players/%61nn /players/ann.xml /players/ann@example.org \
            /try/dvonn?level=0 /try/shogi /sign-up?game=shogi /sign-up?game=hex&seek=x /sign-up?game=hex&seed=7";
        for none in none.split(' ').chain([""]) {
            assert!(!known(none), "{none}");
        }
    }
}
