//! What an address of ours means: the one place that reads paths and queries.

use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::ids::{BoardId, Ply, Userid};

/// A page, or something beside one.
#[derive(Debug, Clone)]
pub(crate) enum Address {
    Home,
    Game(&'static GameKind),
    Board { game: &'static GameKind, board: BoardId, ply: Option<Ply>, form: Form },
    Player(Userid),
    Help(String),
    Style,
    Robots,
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
}

impl Form {
    fn named(ending: &str) -> Option<Form> {
        Some(match ending {
            "svg" => Form::Svg,
            "dark.svg" => Form::Dark,
            "png" => Form::Png,
            "txt" => Form::Text,
            "json" => Form::Json,
            "record" => Form::Record,
            _ => return None,
        })
    }
}

/// The longest query that is read; ours are shorter.
const LONGEST: usize = 256;

impl Address {
    /// Reads a path and a query; `None` where we have no such page.
    pub fn read(path: &str, query: &str) -> Option<Address> {
        if path.len() > LONGEST || query.len() > LONGEST {
            return None;
        }
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        Some(match *parts.as_slice() {
            [""] => Address::Home,
            ["style.css"] => Address::Style,
            ["robots.txt"] => Address::Robots,
            ["help"] => Address::Help("index".to_owned()),
            ["help", page] => Address::Help(page.to_owned()),
            ["players", userid] => Address::Player(userid.parse().ok()?),
            [game] => Address::Game(game_of(game)?),
            [game, board] => board_of(game_of(game)?, board, query)?,
            _ => return None,
        })
    }
}

/// A game by the word that its pages use, and no other spelling: each page has one address.
fn game_of(word: &str) -> Option<&'static GameKind> {
    registry::find(word).filter(|game| game.key == word)
}

fn board_of(game: &'static GameKind, board: &str, query: &str) -> Option<Address> {
    let (number, form) = match board.split_once('.') {
        None => (board, Form::Page),
        Some((number, ending)) => (number, Form::named(ending)?),
    };
    let ply = match query {
        "" => None,
        query => Some(Ply(number_of(query.strip_prefix("ply=")?)?)),
    };
    Some(Address::Board { game, board: BoardId(number_of(number)?), ply, form })
}

/// Digits without a sign or a leading zero.
fn number_of(text: &str) -> Option<u32> {
    let plain = !text.starts_with('0') || text == "0";
    let digits = text.bytes().all(|octet| octet.is_ascii_digit());
    (plain && digits).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_has_one_address() {
        let known = |path: &str, query: &str| Address::read(path, query).is_some();
        for (path, query) in [
            ("/", ""),
            ("/dvonn", ""),
            ("/hexmeister/7.svg", "ply=0"),
            ("/dvonn/42.dark.svg", ""),
            ("/players/ann", ""),
            ("/help/dvonn", ""),
        ] {
            assert!(known(path, query), "{path}?{query}");
        }
        for (path, query) in [
            ("", ""),
            ("dvonn", ""),
            ("/DVONN", ""),
            ("/dvonn/", ""),
            ("/dvonn/042", ""),
            ("/dvonn/+42", ""),
            ("/dvonn/99999999999", ""),
            ("/dvonn/42.exe", ""),
            ("/dvonn/42", "ply=01"),
            ("/dvonn/42", "ply=1&ply=2"),
            ("/dvonn/42/1", ""),
            ("/players/", ""),
            ("/players/..%2f", ""),
            ("//", ""),
        ] {
            assert!(!known(path, query), "{path}?{query}");
        }
    }

    #[test]
    fn no_request_breaks_the_reading() {
        const PIECES: &[&str] = &[
            "/",
            "dvonn",
            "hexmeister",
            "players",
            "help",
            "1",
            "42",
            ".svg",
            ".",
            "..",
            "%",
            "%00",
            "ann",
            "?",
            "\u{e9}",
            "ply=",
            "&",
            "=",
            " ",
            "-1",
            "4294967296",
            "style.css",
        ];
        let mut state = 7_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut found = 0;
        for _ in 0..10_000 {
            let mut text = |most: usize| -> String {
                let pieces = next(most);
                (0..pieces).filter_map(|_| PIECES.get(next(PIECES.len()))).copied().collect()
            };
            let (path, query) = (format!("/{}", text(8)), text(4));
            found += usize::from(Address::read(&path, &query).is_some());
        }
        assert!(found > 100, "only {found} of them mean a page");
    }
}
