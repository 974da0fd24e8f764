//! The settings of players, told once. The command `set`, its help and answer, the form of `/me` with its description,
//! and the stored rows follow from this list.

use serde::Serialize;

/// A setting that has one of a few values.
#[derive(Debug, PartialEq, Eq)]
pub struct Setting {
    /// Names it in `set`, in the form of `/me` and in the store.
    pub word: &'static str,
    pub values: &'static [&'static str],
    pub default: &'static str,
    /// The label in the form of `/me`.
    pub label: &'static str,
}

/// A setting with the value that it gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenValue {
    pub setting: &'static Setting,
    pub value: &'static str,
    /// The setting changes only if it has this value now.
    pub in_place_of: Option<&'static str>,
}

/// A setting as it is for a player.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct CurrentSetting {
    pub word: &'static str,
    pub value: String,
    values: &'static [&'static str],
    label: &'static str,
}

impl Setting {
    /// True if its values are `on` and `off`.
    pub fn is_switch(&self) -> bool {
        self.values == ["on", "off"]
    }

    /// The value of that name; case does not count.
    pub fn value(&self, text: &str) -> Option<&'static str> {
        self.values.iter().copied().find(|value| value.eq_ignore_ascii_case(text))
    }

    /// Chooses `value`, independent of the current one.
    pub fn to(&'static self, value: &'static str) -> ChosenValue {
        ChosenValue { setting: self, value, in_place_of: None }
    }

    pub fn with(&'static self, value: String) -> CurrentSetting {
        CurrentSetting { word: self.word, value, values: self.values, label: self.label }
    }
}

/// Makes a static of each setting, and from all of them: the list, the words that `set` knows, and its help.
macro_rules! settings {
    (
        settings { $(
            $(#[$says:meta])*
            $name:ident: $word:literal, $first:literal $(| $other:literal)+, $default:literal, $label:literal, $help:literal;
        )+ }
        others { $($key:literal, $key_help:literal;)+ }
        spellings { $($old:literal { $($old_value:literal: $is:ident $value:literal, $in_place_of:expr;)+ })+ }
        $end:literal
    ) => {
        $(
            $(#[$says])*
            pub static $name: Setting =
                Setting { word: $word, values: &[$first $(, $other)+], default: $default, label: $label };
        )+

        /// All settings, in the order in which they are shown.
        pub static SETTINGS: &[&Setting] = &[$(&$name),+];

        /// Other spellings, such as `html off` for `mail text`.
        pub(crate) static SPELLINGS: &[(&str, &str, ChosenValue)] = &[$($(
            ($old, $old_value, ChosenValue { setting: &$is, value: $value, in_place_of: $in_place_of }),
        )+)+];

        /// Every word that can follow `set userid password`.
        pub(crate) const KEYS: &[&str] = &[$($word,)+ $($key,)+ $($old),+];

        /// The help of `set`.
        pub(crate) const HELP: &str = concat!(
            $("`", $word, " ", $first, $("|", $other,)+ "`: ", $help, " ",)+ "\n\n", $($key_help, " ",)+ "\n\n", $end
        );
    };
}

settings! {
    settings {
        /// What a mail holds in addition to text.
        MAIL: "mail", "text" | "html" | "picture", "picture", "Mails",
            "mails in text only, with HTML as well, or also with the board as a picture.";
        /// How the text of mails shows boards.
        BOARD: "board", "wide" | "compact" | "words", "wide", "Board in text",
            "boards in their text: as at first, narrow for a phone, or as sentences for a screen reader.";
        /// Whether the player gets organisers' mails to everybody.
        BROADCAST: "broadcast", "on" | "off", "on", "letters of the organisers",
            "mail of the organisers to all players.";
        /// Whether the player gets only one "your move" mail until they act.
        DIGEST: "digest", "on" | "off", "off", "one “your move” mail at a time",
            "only one \"your move\" mail until you write.";
        /// Whether opponents see the player's address.
        OPENNESS: "openness", "on" | "off", "off", "opponents see my address",
            "opponents see your address.";
        /// Whether the player gets the robot's view of a long game when it ends.
        AFTERWORD: "afterword", "on" | "off", "on", "the robot's view of a long game, at its end",
            "the robot's view of a long game after its end.";
        /// Whether the player gets a weekly mail of open seeks and finished games.
        ANNOUNCE: "announce", "on" | "off", "off", "once a week, open challenges and finished games",
            "at most one mail a week with open seeks, finished games and your contests; off at first.";
        /// Whether a page asks before it plays a turn.
        CONFIRM: "confirm", "on" | "off", "on", "on pages, ask before a move is played",
            "with `off` a page plays a move as soon as you choose it.";
        /// Whether a move by mail is answered by a line.
        RECEIPTS: "receipts", "on" | "off", "on", "a mail that confirms each move of mine",
            "with `off` no mail comes after a move of yours; refusals and questions still come.";
        /// The language whose letters for pieces the player writes; `any` until a move shows it.
        LETTERS: "letters", "any" | "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "da" | "no" | "sv" | "fi"
            | "is" | "ru", "any", "my letters for pieces",
            "the language of your letters for pieces (`Sf3`, `Cf3`); your moves show it if you do not set it.";
        /// Whether the server rolls for a player who could do something else, such as double.
        AUTO: "auto", "on" | "off", "on", "the server rolls for me, also when I could double",
            "with `off` you are asked before each roll of yours that you could precede by a double.";
        /// Whether the player's banks run on Saturdays and Sundays.
        WEEKENDS: "weekends", "on" | "off", "on", "my banks of time run on Saturdays and Sundays",
            "with `off` your bank (`-clock`) stops on Saturdays and Sundays in your zone; opponents see it.";
    }
    others {
        "zone", "`zone Europe/Paris`: the zone of your days.";
        "limit", "`limit GAME 5`: no challenges beyond five games (`off`: no limit; a game counts once both players have \
            moved).";
        "reject", "`reject GAME` and `accept GAME`: no challenges to that game, and challenges again.";
        "block", "`block userid` and `unblock userid`: only moves pass between the two of you, no words, challenges or \
            seeks. A game in play continues, and you can still meet in contests.";
        "accept", "";
        "unblock", "";
    }
    spellings {
        "html" { "on": MAIL "picture", Some("text"); "off": MAIL "text", None; }
        "picture" { "on": MAIL "picture", None; "off": MAIL "html", Some("picture"); }
        "drawing" {
            "full": BOARD "wide", None; "compact": BOARD "compact", None; "words": BOARD "words", None;
        }
    }
    "One command can have several. Without any it shows your settings."
}
