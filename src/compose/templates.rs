//! The files of `templates/`. They are built in; a file of the same name in the host's folder replaces one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{Timestamp, Zoned};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, Value, context};
use turnpost_games::{GameKind, registry};

use super::document::MailDocument;
use super::drawing::drawing;
use super::game_page::game_context;
use super::holes::{self, Holes};
use super::{markdown, plain, text};
use crate::language::closest;
use crate::mail::ServerIdentity;
use crate::notices::time_words::in_words;

/// Every built-in template, with its path below `templates/`.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// Contexts of every rendered template except the pages of games. Together they reach every block of all templates.
/// `tests/it/samples.rs` makes them and checks that.
pub(super) const SAMPLES: &str = include_str!("samples.json");

/// The templates of mails and pages. A template is parsed at its first use, so a letter pays only for those it needs.
///
/// If a file of the host cannot be used, the fault is noted and the built-in file is used.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
    /// The host's folder, and the built-in templates alone.
    replaced: Option<(PathBuf, Environment<'static>)>,
    /// What is wrong with the host's files, by template.
    faults: Mutex<BTreeMap<String, TemplateFault>>,
}

/// What is wrong with a host's file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}{instead}")]
pub struct TemplateFault {
    /// The file and its mistake.
    pub why: String,
    /// The end of the sentence, which names the template used instead; empty if the host's file is used anyway.
    instead: &'static str,
}

impl Templates {
    /// Reads templates from `folder` first, then the built-in ones. Each can use `name`, `address`, `operator`, `site`
    /// (the URL of the site, or an empty text) and `extensions` (true if Reply-To addresses carry the token).
    pub fn new(
        folder: Option<PathBuf>,
        server: &ServerIdentity,
        operator: &str,
        pages: Option<&str>,
    ) -> Templates {
        let environment = environment(folder.clone(), server, operator, pages);
        let replaced = folder.map(|folder| (folder, self::environment(None, server, operator, pages)));
        Templates { environment, replaced, faults: Mutex::default() }
    }

    /// Fails if the template does not exist or uses a value that it is not given.
    pub fn render(&self, name: &str, context: Value) -> Result<String, Error> {
        #[cfg(debug_assertions)]
        record(name, &context);
        match (render(&self.environment, name, context.clone()), &self.replaced) {
            (Err(why), Some((_, built_in))) => {
                self.note(&why, name);
                render(built_in, name, context)
            }
            (rendered, _) => rendered,
        }
    }

    /// Renders a template as the blocks of a mail. Its Subject is empty if it has none.
    pub(crate) fn document(&self, name: &str, context: Value) -> Result<MailDocument, Error> {
        #[cfg(debug_assertions)]
        record(name, &context);
        match (document(&self.environment, name, context.clone()), &self.replaced) {
            (Err(why), Some((_, built_in))) => {
                self.note(&why, name);
                document(built_in, name, context)
            }
            (rendered, _) => rendered,
        }
    }

    /// Renders a template as the text of a mail.
    pub(crate) fn text(&self, name: &str, context: Value) -> Result<String, Error> {
        Ok(plain::write(&self.document(name, context)?.blocks))
    }

    pub fn has(name: &str) -> bool {
        built_in(name).is_some()
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    pub fn faults(&self) -> Vec<TemplateFault> {
        self.lock().values().cloned().collect()
    }

    /// Renders the host's files with the samples, so that faults are noted before a mail needs a file.
    pub fn check(&self) {
        let Some((folder, _)) = &self.replaced else { return };
        match serde_json::from_str::<BTreeMap<String, Vec<Value>>>(SAMPLES) {
            Ok(samples) => samples.iter().for_each(|(name, contexts)| self.check_rendering(name, contexts)),
            Err(why) => self.add("", format!("templates: no sample can be read to try them with: {why}"), ""),
        }
        for game in registry::games() {
            let name = format!("help/{}.md", game.key);
            if built_in(&name).is_some() {
                self.check_rendering(&name, &[game_context(game)]);
            }
        }
        match files(folder) {
            Ok(files) => files.iter().for_each(|name| self.check_file(folder, name)),
            Err(why) => {
                let instead = "; the built-in ones are used";
                self.add("", format!("templates: {}: {why}", folder.display()), instead);
            }
        }
    }

    fn check_file(&self, folder: &Path, name: &str) {
        let path = folder.join(name);
        let own = std::fs::read_to_string(&path).unwrap_or_default();
        let new_name = name.replace(".txt", ".md");
        if new_name != name && built_in(&new_name).is_some() {
            let old = own.lines().zip(1..).find_map(|(line, number)| Some((number, old_form(line)?)));
            let change =
                old.map(|(line, what)| format!(", and put it over from line {line} on, which has {what}"));
            let why = format!(
                "{}: mails are made of Markdown now; rename it to {new_name}{} (docs/hosting.md shows how)",
                path.display(),
                change.unwrap_or_default()
            );
            return self.add(name, why, "; the built-in one is used");
        }
        let Some(built_in) = built_in(name) else {
            let nearest = closest(&name.to_lowercase(), Templates::names());
            let meant = nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
            let why = format!("{}: no mail uses a template of this name{meant}", path.display());
            return self.add(name, why, "");
        };
        for (mark, what) in [("| drawing", "`| drawing`"), ("```reply", "a fence `reply`")] {
            if built_in.contains(mark) && !own.contains(mark) {
                let lost = "so mails lack a picture or links; docs/hosting.md tells of it";
                self.add(name, format!("{}: it lacks {what}, {lost}", path.display()), "");
            }
        }
    }

    fn check_rendering(&self, name: &str, contexts: &[Value]) {
        for context in contexts {
            let rendered = match name.ends_with(".html") {
                true => render(&self.environment, name, context.clone()).map(drop),
                false => document(&self.environment, name, context.clone()).map(drop),
            };
            if let Err(why) = rendered {
                self.note(&why, name);
            }
        }
    }

    fn note(&self, why: &Error, name: &str) {
        let Some((folder, _)) = &self.replaced else { return };
        // The source of an error is the error in the included template.
        let mut why = why;
        while let Some(inner) = why.source().and_then(|inner| inner.downcast_ref::<Error>()) {
            why = inner;
        }
        let name = why.name().unwrap_or(name);
        let line = why.line().map(|line| format!(", line {line}")).unwrap_or_default();
        let what = match why.detail() {
            Some(detail) => format!("{}: {detail}", why.kind()),
            None => why.kind().to_string(),
        };
        let why = format!("{}{line}: {what}", folder.join(name).display());
        self.add(name, why, "; the built-in one is used");
    }

    /// Keeps the first fault of a template. A server logs it at once; `receive` and `doctor` report it.
    fn add(&self, name: &str, why: String, instead: &'static str) {
        let fault = TemplateFault { why, instead };
        if let Entry::Vacant(first) = self.lock().entry(name.to_owned()) {
            tracing::warn!("{fault}");
            first.insert(fault);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, TemplateFault>> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Begins every template whose mail is not in a board's thread.
const SUBJECT: &str = "Subject: ";

/// Adds the context of a template to the file named by `TEMPLATE_CONTEXTS`. The tests make samples from it.
#[cfg(debug_assertions)]
fn record(name: &str, context: &Value) {
    if let Some(path) = std::env::var_os("TEMPLATE_CONTEXTS") {
        let line = format!("{}\n", serde_json::json!([name, context]));
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        drop(file.and_then(|mut file| std::io::Write::write_all(&mut file, line.as_bytes())));
    }
}

fn render(environment: &Environment<'_>, name: &str, context: Value) -> Result<String, Error> {
    environment.get_template(name)?.render(context)
}

fn document(environment: &Environment<'_>, name: &str, context: Value) -> Result<MailDocument, Error> {
    let captured = environment.get_template(name)?.render_captured(context)?;
    let rendered = captured.output().trim_start();
    let (subject, body) = match rendered.strip_prefix(SUBJECT) {
        Some(below) => below.split_once('\n').unwrap_or((below, "")),
        None if built_in(name).is_some_and(|text| text.starts_with(SUBJECT)) => return Err(no_subject()),
        None => ("", rendered),
    };
    let holes = Holes::of(captured.state());
    let wrong = |why| Error::new(ErrorKind::InvalidOperation, why);
    Ok(MailDocument { subject: holes.line(subject), blocks: markdown::read(body, &holes).map_err(wrong)? })
}

/// What a line of a template had before templates were Markdown. `None` if the line can stay.
fn old_form(line: &str) -> Option<&'static str> {
    const FILTERS: &[&str] = &[
        "wrap",
        "indent_by",
        "said",
        "reply",
        "bullets",
        "key",
        "subject",
        "picture",
        "plies",
        "game_row",
        "left",
        "right",
    ];
    let line_of_words = line.replace('|', " | ");
    let is_between = |c: char| !c.is_alphanumeric() && !"_|".contains(c);
    let mut words = line_of_words.split(is_between).filter(|word| !word.is_empty());
    let mut above = "";
    let filter = words.find_map(|word| {
        let is_filter = above == "|" || above == "filter";
        above = word;
        FILTERS.iter().find(|filter| is_filter && **filter == word)
    });
    let is_indented = line.starts_with("    ") && !line.trim().is_empty();
    filter.copied().or(is_indented.then_some("four blanks"))
}

fn no_subject() -> Error {
    let why = "the first line must be the Subject of the mail, as in `Subject: {{ name }}: news`";
    Error::new(ErrorKind::InvalidOperation, why)
}

fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

fn environment(
    folder: Option<PathBuf>,
    server: &ServerIdentity,
    operator: &str,
    pages: Option<&str>,
) -> Environment<'static> {
    let mut environment = Environment::new();
    // A block on its own line leaves no blank line.
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build().unwrap_or_default());
    // With any mode but `None`, minijinja remembers which strings a template has made.
    environment.set_auto_escape_callback(|name| match name.ends_with(".html") {
        true => AutoEscape::Html,
        false => holes::markdown(),
    });
    environment.set_formatter(holes::format);
    // No file of a mail can print a value as markup, not even one of the host's.
    environment.add_filter("safe", |state: &State<'_, '_>, value: Value| match holes::is_markdown(state) {
        true => value,
        false => Value::from_safe_string(value.to_string()),
    });
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_loader(move |name| load(folder.as_deref(), name));
    environment.add_global("name", server.name.as_str());
    environment.add_global("address", server.address.as_str());
    environment.add_global("operator", operator);
    environment.add_global("site", pages.unwrap_or_default());
    let family = |(family, games): (&str, Vec<&GameKind>)| {
        let games = games.iter().map(|game| context! { key => game.key, name => game.name });
        context! { name => family, games => games.collect::<Vec<_>>() }
    };
    environment.add_global("families", registry::families().into_iter().map(family).collect::<Vec<_>>());
    environment.add_global("first_game", registry::first().key);
    let mut formats: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for game in registry::games() {
        game.notations.iter().for_each(|notation| formats.entry(notation.name).or_default().push(game.key));
    }
    environment.add_global("games_of_format", formats);
    let played = registry::games().iter().find(|game| turnpost_robot::find(game.key).is_some());
    environment.add_global("robot_game", played.map(|game| game.key));
    environment.add_global("extensions", server.extensions);
    environment.add_filter("listed", |words: Vec<String>, and: String| text::listed(&words, &and));
    environment.add_filter("ours", holes::ours);
    environment.add_filter("drawing", drawing);
    environment.add_filter("clip", |line: String| text::clip(&line));
    environment.add_filter("instant", instant);
    environment.add_filter("left_in_days", left_in_days);
    environment.add_filter("in_words", in_words);
    environment.add_filter("possessive", |name: String| format!("{name}'s"));
    environment.add_filter("moves", moves);
    environment.add_filter("day", day);
    environment
}

fn load(folder: Option<&Path>, name: &str) -> Result<Option<String>, Error> {
    if let Some(file) = folder.map(|folder| folder.join(name)) {
        match std::fs::read_to_string(&file) {
            Ok(text) => return Ok(Some(text)),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
            Err(why) => {
                return Err(Error::new(ErrorKind::InvalidOperation, format!("{}: {why}", file.display())));
            }
        }
    }
    Ok(built_in(name).map(str::to_owned))
}

/// The files below the host's folder, by their names relative to it. Hidden files and backups belong to editors.
fn files(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') {
            found.extend(files(&path)?.into_iter().map(|inner| format!("{name}/{inner}")));
        } else if !name.starts_with('.') && !name.ends_with('~') {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// A date and time in a zone, from seconds since 1970: `Fri 11 Dec 18:00 Europe/Paris`.
fn instant(seconds: i64, zone: String) -> Result<String, Error> {
    let at = zoned(seconds, &zone)?;
    Ok(crate::zone::instant(at.timestamp(), at.time_zone().clone()))
}

/// The day of an instant: `Thu 17 Dec`.
fn day(seconds: i64, zone: String) -> Result<String, Error> {
    Ok(zoned(seconds, &zone)?.strftime("%a %-d %b").to_string())
}

/// Numbered moves: `9 e4, 10 e5`; `1 a3 (by ann)` if the seat is another player's now.
fn moves(plies: Vec<Value>) -> Result<String, Error> {
    let (mut told, mut before) = (String::new(), 0);
    for (index, ply) in plies.iter().enumerate() {
        let row = usize::try_from(ply.get_attr("row")?).unwrap_or_default();
        if !told.is_empty() {
            told.push_str(if row > 0 && row == before { " " } else { ", " });
        }
        if row != before {
            // The dice are those of the next ply.
            let seats = plies.iter().skip(index).filter_map(|ply| ply.get_attr("seat").ok());
            let is_second = seats.into_iter().find(|seat| !seat.is_none()).is_some_and(|seat| seat.is_true());
            told.push_str(&format!("{row}{} ", if is_second { "..." } else { "." }));
        }
        before = row;
        told.push_str(&ply.get_attr("text")?.to_string());
        let by = ply.get_attr("by")?;
        if by.is_true() {
            told.push_str(&format!(" (by {by})"));
        }
    }
    Ok(told)
}

/// A duration in days: `12 days`, `3 hours`.
fn left_in_days(seconds: i64) -> String {
    text::length(jiff::SignedDuration::from_secs(seconds.max(0)))
}

fn zoned(seconds: i64, zone: &str) -> Result<Zoned, Error> {
    let wrong = |why: String| Error::new(ErrorKind::InvalidOperation, why);
    let tz = crate::zone::find(zone).ok_or_else(|| wrong(format!("no time zone {zone}")))?;
    Ok(Timestamp::from_second(seconds).map_err(|why| wrong(why.to_string()))?.to_zoned(tz))
}
