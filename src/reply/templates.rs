//! The files of `templates/`. They are built in, and a file of the same name in the host's folder replaces one.

use std::path::PathBuf;

use jiff::{Timestamp, Zoned};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Value};

use super::text;
use crate::mail::ServerIdentity;

/// Every built-in template, with its path below `templates/`.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// The texts of the mails. We parse a template at its first use, so a letter pays only for those it needs.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
    name: String,
}

impl Templates {
    /// Reads templates from `folder` first, then from the built-in ones. Each can use `name`, `address`, `operator`
    /// and `extensions`: true when the server's replies carry the token in their address.
    pub fn new(folder: Option<PathBuf>, server: &ServerIdentity, operator: &str) -> Templates {
        let mut environment = Environment::new();
        // A block on a line of its own leaves no blank line.
        let mut syntax = SyntaxConfig::builder();
        syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
        environment.set_syntax(syntax.build().unwrap_or_default());
        let escaped = |name: &str| if name.ends_with(".html") { AutoEscape::Html } else { AutoEscape::None };
        environment.set_auto_escape_callback(escaped);
        environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
        environment.set_loader(move |name| load(folder.as_deref(), name));
        environment.add_global("name", server.name.as_str());
        environment.add_global("address", server.address.as_str());
        environment.add_global("operator", operator);
        environment.add_global("extensions", server.extensions);
        environment.add_filter("wrap", |prose: String| text::wrap(&prose));
        environment.add_filter("indent_by", |prose: String, blanks: usize| text::indent(&prose, blanks));
        environment.add_filter("clip", |line: String| text::clip(&line));
        environment.add_filter("instant", instant);
        environment.add_filter("deadline", deadline);
        environment.add_filter("left_in_days", left_in_days);
        environment.add_filter("possessive", |name: String| format!("{name}'s"));
        environment.add_filter("plies", plies);
        environment.add_filter("game_row", game_row);
        environment.add_filter("left", |text: String, width: usize| format!("{text:<width$}"));
        environment.add_filter("right", |text: String, width: usize| format!("{text:>width$}"));
        Templates { environment, name: server.name.clone() }
    }

    /// The server's name; Subjects begin with it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Fails when the template is missing or names a value it is not given.
    pub fn render(&self, name: &str, context: Value) -> Result<String, Error> {
        self.environment.get_template(name)?.render(context)
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }
}

fn load(folder: Option<&std::path::Path>, name: &str) -> Result<Option<String>, Error> {
    if let Some(file) = folder.map(|folder| folder.join(name)) {
        match std::fs::read_to_string(&file) {
            Ok(text) => return Ok(Some(text)),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
            Err(why) => {
                return Err(Error::new(ErrorKind::InvalidOperation, format!("{}: {why}", file.display())));
            }
        }
    }
    Ok(BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned()))
}

/// A date and time in a zone, from seconds since 1970: `2026-12-11 18:00 Europe/Paris`.
fn instant(seconds: i64, zone: String) -> Result<String, Error> {
    let at = zoned(seconds, &zone)?;
    Ok(format!("{} {zone}", at.strftime("%Y-%m-%d %H:%M")))
}

/// A deadline with its weekday and how far away it is: `Tue 2026-12-08 10:25 UTC, in 4 days`.
fn deadline(seconds: i64, zone: String, now: i64) -> Result<String, Error> {
    let (until, now) = (zoned(seconds, &zone)?, zoned(now, &zone)?);
    Ok(format!("{} {zone}, {}", until.strftime("%a %Y-%m-%d %H:%M"), text::away(&now, &until)))
}

/// A length of time as days: `12 days`, `3 hours`.
fn left_in_days(seconds: i64) -> String {
    text::length(jiff::SignedDuration::from_secs(seconds.max(0)))
}

/// One or two numbered plies in two columns.
fn plies(pair: Vec<Value>) -> Result<String, Error> {
    let mut line = String::new();
    for ply in pair {
        let text = ply.get_attr("text")?.to_string();
        line.push_str(&format!("{:>5}  {text:<16}", ply.get_attr("ply")?.to_string()));
    }
    Ok(line)
}

/// One line of a board list, `dated` where any has a deadline: number, plies, deadline, players, and whose turn it is or the result.
fn game_row(row: Value, zone: String, now: i64, dated: bool) -> Result<String, Error> {
    let players = row.get_attr("players")?;
    let names = format!("{} v {}", players.get_item(&0.into())?, players.get_item(&1.into())?);
    let (board, plies) = (row.get_attr("board")?.to_string(), row.get_attr("plies")?.to_string());
    let status = row.get_attr("status")?.to_string();
    let until = match i64::try_from(row.get_attr("deadline")?) {
        Ok(seconds) => {
            let (until, now) = (zoned(seconds, &zone)?, zoned(now, &zone)?);
            format!("{:<27}  ", format!("{}, {}", until.strftime("%a %Y-%m-%d"), text::away(&now, &until)))
        }
        Err(_) if dated => " ".repeat(29),
        Err(_) => String::new(),
    };
    let room = if until.is_empty() { 26 } else { 0 };
    let line = format!("{board:>7}  ply {plies:>3}  {until}{names:<room$}  {status}");
    if line.chars().count() <= text::WIDTH {
        return Ok(line);
    }
    // With long userids, the turn or result goes below them, and both below a deadline.
    if until.trim().is_empty() {
        return Ok(format!("{board:>7}  ply {plies:>3}  {names}\n{}", text::indent(&status, 9)));
    }
    let below = text::indent(&format!("{names}: {status}"), 9);
    Ok(format!("{board:>7}  ply {plies:>3}  {}\n{below}", until.trim_end()))
}

/// An instant in a zone, from seconds since 1970.
fn zoned(seconds: i64, zone: &str) -> Result<Zoned, Error> {
    let wrong = |why: String| Error::new(ErrorKind::InvalidOperation, why);
    let tz = crate::zone::find(zone).ok_or_else(|| wrong(format!("no time zone {zone}")))?;
    Ok(Timestamp::from_second(seconds).map_err(|why| wrong(why.to_string()))?.to_zoned(tz))
}
