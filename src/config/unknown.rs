//! Finds unknown settings in the file and in the environment, and suggests the setting that was meant.

use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use super::{Config, ConfigError};
use crate::language::closest;

/// The prefix of the environment variables of settings.
const PREFIX: &str = "TURNPOST_";

/// Variables that the command line reads.
const OF_THE_COMMAND_LINE: [&str; 2] = ["TURNPOST_DATA", "TURNPOST_CONFIG"];

/// Settings of earlier versions. A server that has one in its configuration starts and ignores it.
const STRUCK: &str = "\
    limits.analyses_a_letter limits.answer_kib limits.boards_a_line limits.boards_between_two_a_day \
    limits.claimed_boards_unmoved limits.commands_a_letter limits.help_pages_a_day \
    limits.help_pages_a_line limits.new_mailboxes_a_letter limits.passwords_a_letter \
    limits.recipients_a_letter limits.replies_passed_on_a_day limits.stranger_answer_kib \
    limits.vacation_mails_a_day robot.analysis robot.threads serve.connections serve.gather \
    serve.idle_seconds serve.poll_seconds serve.session_seconds";

/// An environment variable that has the prefix but belongs to no setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownVariable {
    pub name: String,
    pub nearest: Option<String>,
    /// True if an earlier version had a setting of this name.
    pub is_struck: bool,
}

impl std::fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_struck {
            return write!(f, "{} is no longer a setting", self.name);
        }
        write!(f, "no setting has the variable {}", self.name)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean {nearest}?"),
            None => Ok(()),
        }
    }
}

/// The variables among `names` that have the prefix of settings but belong to none.
pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<UnknownVariable> {
    let variable = |key: &str| format!("{PREFIX}{}", key.to_uppercase().replace('.', "_"));
    let known: Vec<String> =
        keys().iter().map(|key| variable(key)).chain(OF_THE_COMMAND_LINE.map(str::to_owned)).collect();
    let mut unknown: Vec<UnknownVariable> = names
        .filter(|name| name.starts_with(PREFIX) && !known.contains(name))
        .map(|name| {
            let is_struck = STRUCK.split(' ').any(|key| variable(key) == name);
            let known = known.iter().map(String::as_str).filter(|_| !is_struck);
            let nearest = closest(&name.to_lowercase(), known).map(str::to_owned);
            UnknownVariable { name, nearest, is_struck }
        })
        .collect();
    unknown.sort_by(|a, b| a.name.cmp(&b.name));
    unknown
}

/// Reads a file without the settings that are [`STRUCK`]; `None` if it has none of them.
pub(super) fn without_struck(text: &str, place: &str) -> Option<Result<Config, ConfigError>> {
    let mut table = DeTable::parse(text).ok()?;
    let remove = |key: &str| {
        let (section, name) = key.split_once('.')?;
        let DeValue::Table(section) = table.get_mut().get_mut(section)?.get_mut() else { return None };
        section.remove(name)?;
        Some(format!("`{key}` is no longer a setting"))
    };
    let struck: Vec<String> = STRUCK.split(' ').filter_map(remove).collect();
    if struck.is_empty() {
        return None;
    }
    Some(match Config::deserialize(toml::Deserializer::from(table)) {
        Ok(config) => Ok(Config { struck, ..config }),
        Err(mut why) => {
            why.set_input(Some(text));
            Err(ConfigError::Toml(place.to_owned(), Box::new(why)))
        }
    })
}

/// Refuses a key that no setting has. Called for a file that could not be read; its reader reports all other mistakes.
pub(super) fn refuse_unknown_keys(text: &str, place: &str) -> Result<(), ConfigError> {
    let Ok(table) = DeTable::parse(text) else { return Ok(()) };
    let known = keys();
    let is_section = |name: &str| known.iter().any(|key| key.starts_with(&format!("{name}.")));
    for (key, value) in table.get_ref() {
        let name = key.get_ref();
        // The sections of `league` are the keys of games, and those of `robot.engines` the names of engines.
        if name == "league" {
            continue;
        }
        let inner = value.get_ref().as_table().filter(|_| is_section(name));
        let written = match inner {
            Some(section) => {
                section.keys().map(|key| (format!("{name}.{}", key.get_ref()), key.span())).collect()
            }
            None if is_section(name) => Vec::new(),
            None => vec![(name.to_string(), key.span())],
        };
        let is_known = |key: &String| {
            known.contains(key) || key == "robot.engines" || STRUCK.split(' ').any(|struck| struck == key)
        };
        if let Some((key, span)) = written.into_iter().find(|(key, _)| !is_known(key)) {
            let line = text.get(..span.start).unwrap_or_default().matches('\n').count() + 1;
            return Err(ConfigError::Unknown {
                place: format!("{place}, line {line}"),
                hint: hint(&key, &known),
                key,
            });
        }
    }
    Ok(())
}

/// Every key, with its section before a dot.
fn keys() -> Vec<String> {
    let table = toml::Table::try_from(Config::default()).unwrap_or_default();
    let of = |(name, value): (&String, &toml::Value)| match value {
        toml::Value::Table(section) => section.keys().map(|key| format!("{name}.{key}")).collect(),
        _ => vec![name.clone()],
    };
    table.iter().flat_map(of).collect()
}

/// Suggests the same key of another section, or else the most similar key.
fn hint(key: &str, known: &[String]) -> String {
    let last = key.rsplit('.').next().unwrap_or(key);
    let elsewhere = known.iter().find(|known| known.rsplit('.').next() == Some(last));
    match elsewhere.map(|known| known.split_once('.').map_or(("", known.as_str()), |parts| parts)) {
        Some(("", name)) => format!("; `{name}` belongs above the first section"),
        Some((section, name)) => format!("; `{name}` belongs into [{section}]"),
        None => {
            let sections = known.iter().filter_map(|known| Some(known.split_once('.')?.0));
            let names = sections.chain(known.iter().map(String::as_str));
            let nearest = closest(&key.to_lowercase(), names);
            nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_named_with_their_line_and_what_was_meant() {
        for (text, said) in [
            ("# x\n\nadress = 'a@x.org'", "f, line 3: there is no setting `adress`; did you mean `address`?"),
            ("[smtp]\nhots = 'x'", "f, line 2: there is no setting `smtp.hots`; did you mean `smtp.host`?"),
            ("lmtp = 'unix:/x'", "f, line 1: there is no setting `lmtp`; `lmtp` belongs into [serve]"),
            (
                "[smtp]\noperator = 'x'",
                "f, line 2: there is no setting `smtp.operator`; `operator` belongs above the first section",
            ),
            ("[smpt]\nhost = 'x'", "f, line 1: there is no setting `smpt`; did you mean `smtp`?"),
            ("zzzzzzzzz = 1", "f, line 1: there is no setting `zzzzzzzzz`"),
        ] {
            let found = refuse_unknown_keys(text, "f").unwrap_err().to_string();
            assert!(found.starts_with(said), "{found}");
        }
        assert!(refuse_unknown_keys(&Config::default().print(), "f").is_ok());
        assert!(refuse_unknown_keys("no toml", "f").is_ok());
    }

    #[test]
    fn unknown_variables_are_named_with_what_was_meant() {
        let names = [
            "TURNPOST_ADRESS",
            "TURNPOST_SMTP_HOST",
            "PATH",
            "TURNPOST_DATA",
            "TURNPOST_QQQQQQQQQ",
            "TURNPOST_SERVE_GATHER",
        ];
        let found = unknown_variables(names.iter().map(|name| (*name).to_owned()));
        let said: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "no setting has the variable TURNPOST_ADRESS; did you mean TURNPOST_ADDRESS?",
                "no setting has the variable TURNPOST_QQQQQQQQQ",
                "TURNPOST_SERVE_GATHER is no longer a setting"
            ]
        );
    }
}
