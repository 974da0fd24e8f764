//! Reads the path and the query of a request.

mod contest;
mod finished;
mod form;
mod query;
mod study;
mod trial;
mod turn;

use turnpost_games::scene::Theme;
use turnpost_games::{GameKind, registry};

pub(crate) use self::contest::{ContestPage, GameContest};
pub(crate) use self::finished::FinishedBoards;
pub(crate) use self::form::{Form, Format};
pub(crate) use self::study::{Studied, Study};
pub(crate) use self::trial::{LEVELS, Step, Trial, TrialRecord, WantedBoard};
pub(crate) use self::turn::OpenTurn;

use self::contest::page_of;
use self::query::{Query, game_of, number_of};
use crate::ids::{BoardId, Ply, Userid};

/// A page or a file.
#[derive(Debug, Clone)]
pub(crate) enum Address {
    Home,
    /// The page of a game; its list of finished boards can be narrowed.
    Game(&'static GameKind, FinishedBoards),
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
        /// The state that the visitor knows: the answer waits for another one.
        since: Option<String>,
    },
    /// The feed of a player's turns, by its link.
    Feed(String),
    /// The records of the signed-in player's boards, in the format of this name or in our own.
    MyRecords(Option<&'static str>),
    Events,
    /// A page of the contests that are over, from 1.
    PastEvents(usize),
    Contest(ContestPage),
    /// The league of a game, or its ladder.
    GameContest(GameContest),
    Api,
    Style,
    Script,
    /// The script that checks the dice of a record.
    DiceScript,
    Worker,
    Robots,
    Icon,
    IconPng,
    Manifest,
}

/// The subject of a stream of news.
#[derive(Debug, Clone)]
pub(crate) enum Followed {
    Board(&'static GameKind, BoardId),
    /// The board of a player's link, and the words of its players.
    Link(String),
    /// All boards of the signed-in player.
    Me,
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
        let address = match *parts.as_slice() {
            [""] => Address::Home,
            ["style.css"] => Address::Style,
            ["script.js"] => Address::Script,
            ["dice.js"] => Address::DiceScript,
            ["sw.js"] => Address::Worker,
            ["robots.txt"] => Address::Robots,
            ["icon.svg"] => Address::Icon,
            ["icon.png"] => Address::IconPng,
            ["manifest.webmanifest"] => Address::Manifest,
            ["openapi.json"] => Address::Api,
            ["try", game] => Address::Try(game_of(game)?, Trial::read(query)?),
            ["play", token] => Address::Play(OpenTurn::read(link_of('p', token)?, query)?),
            ["play", token, "study"] => {
                Address::Study(Study::read(Studied::Own(link_of('p', token)?.to_owned()), query)?)
            }
            ["play", token, "events"] => Address::News(Followed::Link(link_of('p', token)?.to_owned())),
            ["play", token, "pause"] => Address::Pause(link_of('p', token)?.to_owned()),
            ["sign-in"] => Address::SignIn,
            ["sign-in", link] => {
                Address::SignInBy(link_of('s', link).or_else(|| link_of('d', link))?.to_owned())
            }
            ["sign-up"] => Address::SignUp(WantedBoard::read(query)?),
            ["invite", link] => Address::Invite(link_of('i', link)?.to_owned()),
            ["me"] => me(query)?,
            ["me", "events"] => Address::News(Followed::Me),
            ["me.record"] => Address::MyRecords(None),
            ["me", file] => match file.strip_suffix(".atom") {
                Some(feed) => Address::Feed(link_of('f', feed)?.to_owned()),
                None => Address::MyRecords(Some(notation(registry::games(), file)?)),
            },
            ["events"] => Address::Events,
            ["events", "past"] => Address::PastEvents(page_of(query)?),
            ["events", name] => Address::Contest(ContestPage::read(name, query)?),
            ["help"] => Address::Help("index".to_owned()),
            ["help", page] => Address::Help(page.to_owned()),
            ["players", userid] => Address::Player(userid.parse().ok()?),
            [game] => match game.split_once('.') {
                None => Address::Game(game_of(game)?, FinishedBoards::read(query)?),
                Some((game, "svg")) => Address::GamePicture(game_of(game)?, Theme::Light),
                Some((game, "dark.svg")) => Address::GamePicture(game_of(game)?, Theme::Dark),
                Some(_) => return None,
            },
            [game, "study"] => Address::Study(Study::read(Studied::position(game_of(game)?, query)?, query)?),
            [game, board, "study"] => {
                Address::Study(Study::read(Studied::board(game_of(game)?, board, query)?, query)?)
            }
            [game, "league"] => Address::GameContest(GameContest::league(game, Form::Page, query)?),
            [game, "league.txt"] => Address::GameContest(GameContest::league(game, Form::Text, query)?),
            [game, "league.atom"] => Address::GameContest(GameContest::league(game, Form::Atom, query)?),
            [game, "slow-league"] => Address::GameContest(GameContest::slow_league(game, Form::Page, query)?),
            [game, "slow-league.txt"] => {
                Address::GameContest(GameContest::slow_league(game, Form::Text, query)?)
            }
            [game, "slow-league.atom"] => {
                Address::GameContest(GameContest::slow_league(game, Form::Atom, query)?)
            }
            [game, "ladder"] => Address::GameContest(GameContest::ladder(game, Form::Page, query)?),
            [game, "ladder.txt"] => Address::GameContest(GameContest::ladder(game, Form::Text, query)?),
            [game, "ladder.atom"] => Address::GameContest(GameContest::ladder(game, Form::Atom, query)?),
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

    /// The state of [`Address::Me`] that the visitor knows.
    pub fn since(&self) -> Option<String> {
        match self {
            Address::Me { since, .. } => since.clone(),
            _ => None,
        }
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
                    | Address::Study(Study { of: Studied::Position { .. }, .. })
            )
    }

    /// True for a page, which also exists as JSON; false for a file.
    pub fn is_page(&self) -> bool {
        match self {
            Address::Style
            | Address::Script
            | Address::DiceScript
            | Address::Worker
            | Address::Robots
            | Address::Api
            | Address::Icon
            | Address::IconPng
            | Address::Manifest
            | Address::GamePicture(..)
            | Address::News(_)
            | Address::Feed(_)
            | Address::MyRecords(_) => false,
            Address::Board { form, .. }
            | Address::Contest(ContestPage { form, .. })
            | Address::GameContest(GameContest { form, .. }) => *form == Form::Page,
            _ => true,
        }
    }
}

/// The form of a new game can come with a game and an opponent.
fn me(query: &str) -> Option<Address> {
    let query = Query::read(query, &["game", "against", "since"])?;
    let against = query.optional("against", |userid| userid.parse().ok())?;
    let since = query.take("since").map(str::to_owned);
    Some(Address::Me { game: query.optional("game", game_of)?, against, since })
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
        Some((number, ending)) => {
            (number, Form::named(ending).or_else(|| notation(&[game], ending).map(Form::Notation))?)
        }
    };
    let query = Query::read(query, &["ply", "flip"])?;
    let ply = query.optional("ply", number_of)?.map(Ply);
    Some(Address::Board { game, board: BoardId(number_of(number)?), ply, form, flip: query.has("flip") })
}

/// The name of the format with this ending, if one of the games has it.
fn notation(games: &[&'static GameKind], ending: &str) -> Option<&'static str> {
    let mut names = games.iter().flat_map(|game| game.notations).map(|notation| notation.name);
    names.find(|name| *name == ending)
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
            /play/p1.abc/pause.json /play/p1.abc/events /dvonn/42/events /me/events /?utm_source=x /?/play/p.abry/dvonnc\u{71e}? /help?%00 \
            /dvonn/42?fbclid=Iw&ply=3 /dvonn/42.svg?flip /dvonn/42?flip&ply=3 /play/p1.abc?flip&turn=a1-b1 /events.json \
            /dvonn/league /hex/ladder.json?page=2 /dvonn/ladder.txt /dvonn/league.atom /dvonn/slow-league \
            /dvonn/42/study?ply=3&line=d8-c9.a1-b1&kept=d8-c9.a1-a2..d8-c7&from=b2 /play/p1.abc/study.json \
            /chess/study?start=8%2F8+w&line=e4 /chess/study?paste=1.+e4 /chess/study \
            /sign-up /sign-up?game=hex&level=2 /sign-up.json?game=hex&seek=12 /sign-up?game=dvonn&level=1&seed=7&code=abc&plies=a1 \
            /chess/42.pgn /me/sgf /me.json?since=17.3 /events/spring-cup.json?group=3 /events/spring-cup.atom /events/spring-cup.txt?group=2 /play/p1.abc?utm_source=Mail%20x&turn=a1-b1";
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
            /dvonn/42.pgn /me/exe /dvonn/42.analysis /dvonn/42/analysis /dvonn/42.svg/study /dvonn/42/study?line=A1 /dvonn/study?start=a&paste=b /dvonn.png /dvonn.svg.json /dvonn.atom.json /players/%61nn /players/ann.xml /players/ann@example.org \
            /try/dvonn?level=0 /try/shogi /sign-up?game=shogi /sign-up?game=hex&seek=x /sign-up?game=hex&seed=7";
        for none in none.split(' ').chain([""]) {
            assert!(!known(none), "{none}");
        }
    }
}
