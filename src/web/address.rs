//! Reads the path and the query of a request.

use std::collections::BTreeMap;

use turnpost_games::{GameKind, registry};

use crate::ids::{BoardId, Ply, Userid};
use crate::store::ContestForm;

/// A page or a file.
#[derive(Debug, Clone)]
pub(crate) enum Address {
    Home,
    Game(&'static GameKind),
    Board {
        game: &'static GameKind,
        board: BoardId,
        ply: Option<Ply>,
        form: Form,
    },
    Player(Userid),
    Help(String),
    Try(&'static GameKind, Trial),
    Play(OpenTurn),
    /// The holder of a link pauses their mails here.
    Pause(String),
    /// Players ask here for a link that signs them in.
    SignIn,
    /// The page of such a link, and of one that signs a browser out.
    SignInBy(String),
    Invite(String),
    /// The games of who is signed in.
    Me,
    Events,
    Contest {
        name: String,
        /// From 1.
        group: usize,
        form: Form,
    },
    /// The league of a game, or its ladder.
    GameContest(GameContest),
    Api,
    Style,
    Script,
    Robots,
}

/// What of a contest that each game has is asked for.
#[derive(Debug, Clone)]
pub(crate) struct GameContest {
    pub game: &'static GameKind,
    pub contest: ContestForm,
    /// Of its players, from 1.
    pub page: usize,
    pub form: Form,
}

/// A game of a visitor against the robot.
#[derive(Debug, Clone)]
pub(crate) enum Trial {
    /// One to begin.
    New {
        level: u8,
    },
    On {
        record: TrialRecord,
        code: String,
        step: Step,
    },
}

/// All of such a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TrialRecord {
    pub level: u8,
    pub seed: u64,
    pub plies: Vec<String>,
}

/// What the visitor does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Look,
    /// Chooses a space.
    From(String),
    /// Makes a ply.
    Make(String),
}

/// The choices of a link's holder so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenTurn {
    pub token: String,
    /// The plies of the turn so far.
    pub turn: Vec<String>,
    pub from: Option<String>,
    /// A turn as a player types it.
    pub typed: Option<String>,
    /// What was done just before, for the page to say so.
    pub done: Option<String>,
    /// What stood in a form that was refused, to be mended.
    pub words: Option<String>,
    pub queue: Option<String>,
    pub then: Option<String>,
}

/// The levels of the robot that strangers may play.
pub(super) const LEVELS: std::ops::RangeInclusive<u8> = 1..=3;

/// How a page is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A page for people.
    Html,
    /// Data for programs.
    Json,
}

/// How a board is asked for.
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
    /// Every position, for the page.
    Steps,
}

impl Form {
    /// True for a form that shows only the board: nothing in it changes after the game is over.
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
    /// Reads a path and a query: the page, and whether it is to come as JSON; `None` where we have no such page.
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
            ["robots.txt"] => Address::Robots,
            ["openapi.json"] => Address::Api,
            ["try", game] => Address::Try(game_of(game)?, trial_of(query)?),
            ["play", token] => chosen(link_of('p', token)?, query)?,
            ["play", token, "pause"] => Address::Pause(link_of('p', token)?.to_owned()),
            ["sign-in"] => Address::SignIn,
            ["sign-in", link] => {
                Address::SignInBy(link_of('s', link).or_else(|| link_of('d', link))?.to_owned())
            }
            ["invite", link] => Address::Invite(link_of('i', link)?.to_owned()),
            ["me"] => Address::Me,
            ["events"] => Address::Events,
            ["events", name] => contest_of(name, query)?,
            ["help"] => Address::Help("index".to_owned()),
            ["help", page] => Address::Help(page.to_owned()),
            ["players", userid] => Address::Player(userid.parse().ok()?),
            [game] => Address::Game(game_of(game)?),
            [game, "league"] => of_game(game, ContestForm::League, Form::Page, query)?,
            [game, "league.txt"] => of_game(game, ContestForm::League, Form::Text, query)?,
            [game, "league.atom"] => of_game(game, ContestForm::League, Form::Atom, query)?,
            [game, "ladder"] => of_game(game, ContestForm::Ladder, Form::Page, query)?,
            [game, "ladder.txt"] => of_game(game, ContestForm::Ladder, Form::Text, query)?,
            [game, "ladder.atom"] => of_game(game, ContestForm::Ladder, Form::Atom, query)?,
            [game, board] => board_of(game_of(game)?, board, query)?,
            _ => return None,
        };
        (!is_json || address.is_page()).then_some((address, is_json))
    }

    /// True for a page that looks for news while it is open.
    pub fn is_alive(&self) -> bool {
        matches!(self, Address::Me | Address::Play(_) | Address::Board { form: Form::Page, .. })
    }

    /// The link of a player, for those that take a form.
    pub fn link(&self) -> Option<&str> {
        match self {
            Address::Play(OpenTurn { token, .. }) | Address::Pause(token) => Some(token),
            _ => None,
        }
    }

    /// True where a form may be sent to.
    pub fn takes_forms(&self) -> bool {
        self.link().is_some()
            || matches!(self, Address::SignIn | Address::SignInBy(_) | Address::Invite(_) | Address::Me)
    }

    /// True for a page, which programs can have as JSON; false for a file.
    pub fn is_page(&self) -> bool {
        match self {
            Address::Style | Address::Script | Address::Robots | Address::Api => false,
            Address::Board { form, .. }
            | Address::Contest { form, .. }
            | Address::GameContest(GameContest { form, .. }) => *form == Form::Page,
            _ => true,
        }
    }
}

/// A game by the word that its pages use, and no other spelling: each page has one address.
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

fn chosen(token: &str, query: &str) -> Option<Address> {
    let mut chosen = OpenTurn { token: token.to_owned(), ..OpenTurn::default() };
    // What a form makes of a text field, which has characters that our links do not.
    let mut typed = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "typed");
    chosen.typed = typed.next().map(|(_, value)| value.into_owned());
    let query = Query::read(query, &["turn", "from", "done"])?;
    chosen.turn = query.take_words("turn");
    chosen.from = query.take("from").map(str::to_owned);
    chosen.done = query.take("done").map(str::to_owned);
    (typed.next().is_none() && (chosen.typed.is_none() || chosen.turn.is_empty()))
        .then_some(Address::Play(chosen))
}

/// A link as our mails write it. Another spelling of it opens nothing: the logs of a proxy know one.
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
    let ply = match Query::read(query, &["ply"])?.take("ply") {
        None => None,
        Some(ply) => Some(Ply(number_of(ply)?)),
    };
    Some(Address::Board { game, board: BoardId(number_of(number)?), ply, form })
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

fn of_game(game: &str, contest: ContestForm, form: Form, query: &str) -> Option<Address> {
    let page = Query::read(query, &["page"])?.take("page").map_or(Some(1), number_of)? as usize;
    Some(Address::GameContest(GameContest { game: game_of(game)?, contest, page, form }))
}

/// Digits without a sign or a leading zero.
fn number_of(text: &str) -> Option<u32> {
    let plain = !text.starts_with('0') || text == "0";
    let digits = text.bytes().all(|octet| octet.is_ascii_digit());
    (plain && digits).then(|| text.parse().ok())?
}

/// The pairs of a query that a page knows. Other pairs are ignored: people and mail programs add some to a link, to learn
/// who followed it.
pub(super) struct Query<'a> {
    pairs: BTreeMap<&'a str, &'a str>,
}

impl<'a> Query<'a> {
    /// `None` if a name occurs twice, or if a value has characters that no link has.
    pub fn read(text: &'a str, names: &[&str]) -> Option<Query<'a>> {
        let plain =
            |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || b".-".contains(&octet);
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

    /// Plies or other words, separated by dots.
    pub fn take_words(&self, name: &str) -> Vec<String> {
        let words = self.take(name).unwrap_or_default();
        words.split('.').filter(|word| !word.is_empty()).map(str::to_owned).collect()
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
        let pages = "/ /dvonn /hexmeister/7.svg?ply=0 /dvonn/42.dark.svg /players/ann /help/dvonn /try/dvonn \
            /try/dvonn?level=3 /try/dvonn?level=1&seed=7&code=abc&plies=a1-b1.b2-c3&make=d1-e1 \
            /play/p1.abc?turn=d8-c9.done&from=c9 /play/p1.abc?typed=D8+to+c9%21 /dvonn/42.atom \
            /dvonn/42.json?ply=3 /index.json /help.json /help/dvonn.json \
            /try/dvonn.json?make=d1-e1&seed=7&plies=&level=1&code=abc /play/p1.abc.json?turn=d8-c9 \
            /play/p1.abc/pause.json /?utm_source=x /?/play/p.abry/dvonnc\u{71e}? /help?%00 \
            /dvonn/42?fbclid=Iw&ply=3 /events.json \
            /dvonn/league /hex/ladder.json?page=2 /dvonn/ladder.txt /dvonn/league.atom \
            /events/spring-cup.json?group=3 /events/spring-cup.atom /events/spring-cup.txt?group=2 /play/p1.abc?utm_source=Mail%20x&turn=a1-b1";
        for page in pages.split(' ') {
            assert!(known(page), "{page}");
        }
        let none = "dvonn /DVONN /dvonn/ /dvonn/042 /dvonn/+42 /dvonn/99999999999 /dvonn/42.exe /dvonn/42?ply=01 \
            /dvonn/42?ply=1&ply=2 /dvonn/42/1 /try/dvonn?level=4 /try/dvonn?seed=7&level=1 \
            /try/dvonn?level=1&seed=7 /try/dvonn?level=1&seed=7&code=abc&from=a1&make=a1-b1 \
            /play/p1.abc?turn=A1-B1 /play/p1.abc?typed=a&typed=b /play/p01.abc /play/p+1.abc \
            /play/P1.abc /play/p1.ABC /play/p1%2eabc /%70lay/p1.abc /play/p01.abc/pause /play//p1.abc /x/../play/p1.abc /.json /style.css.json /dvonn/42.svg.json \
            /dvonn/42.json.json /openapi /play/p1.abc/x /players/ /players/..%2f \
            /events/ /events/cup.svg /events/cup.txt.json /events/cup?group=x /events/cup/3 // \
            /chess960/ladder /dvonn/ladder.svg /dvonn/league?page=x /dvonn/ladder/1 /dvonn/42?ply=-1 /dvonn/42?ply=4294967296 \
            /dvonn/42.analysis /dvonn/42/analysis /dvonn.atom.json /players/%61nn /players/ann.xml /players/ann@example.org \
            /try/dvonn?level=0 /try/shogi";
        for none in none.split(' ').chain([""]) {
            assert!(!known(none), "{none}");
        }
    }
}
