//! The form of a new game on `/me`: fields of the chosen game in place of the options of its command.

use std::collections::BTreeMap;

use minijinja::{Value, context};
use turnpost_games::{GameKind, GameOption, Setup, registry};

use crate::ids::{ROBOT_LEVELS, Userid};

/// Before the name of a game's own option.
const OWN: &str = "o-";

/// The longest text of a field, in bytes.
const LONGEST: usize = 200;

/// The choices of a clock, in words, with the options of a challenge that they mean.
const CLOCKS: [(&str, &str, &str); 7] = [
    ("", "21 days", ""),
    ("1", "1 day", "--nagtime=0 --forfeittime=1"),
    ("3", "3 days", "--nagtime=1 --forfeittime=3"),
    ("7", "7 days", "--nagtime=3 --forfeittime=7"),
    ("14", "14 days", "--nagtime=7 --forfeittime=14"),
    ("bank", "a bank of 20 days; each move gives 36 hours back", "-clock=20d+36h"),
    ("none", "any time", "--forfeittime=0"),
];

/// What the form of a new game holds.
#[derive(Debug, Default)]
pub(super) struct NewGame {
    /// The fields as they were sent; empty for a fresh form.
    pub typed: BTreeMap<String, String>,
    pub game: Option<&'static GameKind>,
    /// Why the form did nothing.
    pub wrong: Option<String>,
    /// The fields of a new event as they were sent.
    pub event: BTreeMap<String, String>,
    /// The link to hand on that the form has made.
    pub link: Option<String>,
}

impl NewGame {
    /// A fresh form, with the game and the opponent of a link to it.
    pub fn fresh(game: Option<&'static GameKind>, against: Option<&Userid>) -> NewGame {
        let typed = against.map(|userid| ("opponent".to_owned(), userid.to_string()));
        let typed = typed.into_iter().chain(against.map(|_| ("rated".to_owned(), "on".to_owned()))).collect();
        NewGame { typed, game, ..NewGame::default() }
    }

    /// A fresh form, above that of a new event as it was sent.
    pub fn with_event(body: &[u8]) -> NewGame {
        let pairs = form_urlencoded::parse(body).filter(|(_, value)| value.len() <= LONGEST);
        let event = pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
        NewGame { event, ..NewGame::default() }
    }

    pub fn of_form(body: &[u8]) -> NewGame {
        let known = ["game", "opponent", "first", "clock", "rated"];
        let is_field = |name: &str, value: &str| {
            (known.contains(&name) || name.starts_with(OWN))
                && value.len() <= LONGEST
                && !value.contains(char::is_control)
        };
        let pairs = form_urlencoded::parse(body).filter(|(name, value)| is_field(name, value));
        let typed: BTreeMap<_, _> =
            pairs.map(|(name, value)| (name.into_owned(), value.trim().to_owned())).collect();
        let game = typed.get("game").and_then(|game| registry::find(game));
        NewGame { typed, game, ..NewGame::default() }
    }

    /// The name of the field for a game's own option.
    pub fn field_of(option: &GameOption) -> String {
        format!("{OWN}{}", option.name)
    }

    /// The values of the field `clock`.
    pub fn clocks() -> Vec<&'static str> {
        CLOCKS.iter().map(|(value, ..)| *value).collect()
    }

    pub fn field(&self, name: &str) -> &str {
        self.typed.get(name).map_or("", String::as_str)
    }

    /// The options as a command has them. The error says which field is wrong.
    pub fn options(&self, game: &GameKind) -> Result<String, String> {
        let mut words = Vec::new();
        for option in game.options {
            let value = self.field(&Self::field_of(option));
            if value.contains(|c: char| c.is_whitespace() || c == '"') {
                return Err(format!("{} is one value, without blanks", label(option)));
            }
            match (option.value, value) {
                (_, "") => {}
                (None, _) => words.push(format!("-{}", option.name)),
                (Some(_), value) => words.push(format!("-{}={value}", option.name)),
            }
        }
        let clock = CLOCKS.iter().find(|(value, ..)| *value == self.field("clock"));
        let (.., clock) = clock.ok_or("the time for a move is none of those offered")?;
        words.push((*clock).to_owned());
        words.extend(self.field("rated").is_empty().then(|| "--unrated".to_owned()));
        words.extend((self.field("first") == "lots").then(|| "--lots".to_owned()));
        Ok(words.join(" "))
    }

    /// The form as its template shows it.
    pub fn shown(&self) -> Value {
        let game = self.game.unwrap_or_else(registry::first);
        let own = |option: &GameOption| {
            let name = Self::field_of(option);
            let value = self.field(&name).to_owned();
            let (label, help, trial) = (label(option), option.help, option.trial.first().copied());
            context! { name, value, label, help, trial, takes_value => option.value.is_some(),
            choices => choices(game, option) }
        };
        let game_line = |game: &&GameKind| context! { key => game.key, name => game.name };
        context! {
            key => game.key,
            name => game.name,
            has_lessons => game.tutorial.is_some(),
            own => game.options.iter().map(own).collect::<Vec<_>>(),
            clocks => CLOCKS.map(|(value, label, _)| context! { value, label }),
            games => registry::games().iter().map(game_line).collect::<Vec<_>>(),
            robots => (1..=ROBOT_LEVELS).map(|level| format!("robot-{level}")).collect::<Vec<_>>(),
            is_fresh => self.typed.is_empty(),
            is_open => self.typed.keys().any(|name| !["game", "opponent", "rated"].contains(&name.as_str())),
            opponent => self.field("opponent"),
            first => self.field("first"),
            clock => self.field("clock"),
            rated => self.field("rated"),
            event => &self.event,
            wrong => &self.wrong,
            link => &self.link,
        }
    }
}

fn label(option: &GameOption) -> String {
    let mut letters = option.name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The values of an option that takes one of a few whole numbers, found by setting up the game with each. Empty for
/// any other option.
fn choices(game: &GameKind, option: &GameOption) -> Vec<String> {
    const MOST: u32 = 20;
    let works = |value: &String| {
        let options = [(option.name.to_owned(), Some(value.clone()))];
        (game.start)(&Setup { options: &options, seed: 0 }).is_ok()
    };
    let all = (1..=MOST).map(|number| number.to_string()).filter(|_| option.value.is_some());
    let some: Vec<String> = all.filter(works).collect();
    if some.len() == MOST as usize { Vec::new() } else { some }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_game_are_the_options_of_its_command() {
        let go = NewGame::of_form(b"game=go&o-size=9&o-komi=6.5&clock=3&rated=on&first=lots&o-960=on");
        let options = go.options(go.game.unwrap()).unwrap();
        assert_eq!(options, "-size=9 -komi=6.5 --nagtime=1 --forfeittime=3 --lots");
        let chess = NewGame::of_form(b"game=chess&o-960=on&clock=&o-size=9");
        assert_eq!(chess.options(chess.game.unwrap()).unwrap(), "-960  --unrated");
        for (wrong, names) in [("o-komi=6+-x", "Komi"), ("clock=fast", "the time for a move")] {
            let form = NewGame::of_form(format!("game=go&{wrong}").as_bytes());
            let why = form.options(form.game.unwrap()).unwrap_err();
            assert!(why.starts_with(names), "{why}");
        }
    }

    #[test]
    fn an_option_with_few_values_offers_them() {
        let of = |key: &str, name: &str| {
            let game = registry::find(key).unwrap();
            choices(game, game.options.iter().find(|option| option.name == name).unwrap()).join(" ")
        };
        assert_eq!(of("go", "size"), "9 13 19");
        assert_eq!(of("go", "handicap"), "2 3 4 5 6 7 8 9");
        assert_eq!(of("havannah", "size"), "4 5 6 7 8 9 10");
        assert_eq!((of("dvonn", "seed"), of("chess", "960")), (String::new(), String::new()));
    }
}
