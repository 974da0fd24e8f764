//! Each page: from an address to bytes.

use axum::http::StatusCode;
use minijinja::{Value, context};
use sha2::{Digest, Sha256};
use turnpost_games::scene::Theme;

use super::address::{Address, Form};
use super::{Site, act, board, lists, pause, play, player, prose, trial};
use crate::reply::help;
use crate::service::{self, Error};
use crate::store::Store;

/// What a request gets.
pub(crate) struct Answer {
    pub status: StatusCode,
    pub kind: Kind,
    pub body: Vec<u8>,
    /// Names these bytes, so that a visitor who has them need not get them again.
    pub tag: Option<String>,
    /// It never changes again.
    pub lasting: bool,
    /// Where the visitor goes next.
    pub location: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    Css,
    Script,
    Svg,
    Png,
    Json,
    Atom,
    Text,
}

impl Answer {
    pub fn of(kind: Kind, body: impl Into<Vec<u8>>) -> Answer {
        let body = body.into();
        let tag = Some(tag(&body));
        Answer { status: StatusCode::OK, kind, body, tag, lasting: false, location: None }
    }

    pub fn plain(status: StatusCode, sentence: &str) -> Answer {
        let kind = Kind::Text;
        Answer { status, kind, body: sentence.into(), tag: None, lasting: false, location: None }
    }

    /// Another page, which the visitor asks for next.
    pub fn see(address: String) -> Answer {
        Answer { location: Some(address), ..Answer::plain(StatusCode::SEE_OTHER, "") }
    }

    /// For one visitor: nobody keeps a copy.
    pub fn private(self) -> Answer {
        Answer { tag: None, ..self }
    }

    /// Our failure, of which a visitor learns nothing.
    pub fn broken() -> Answer {
        Answer::plain(StatusCode::INTERNAL_SERVER_ERROR, "This page cannot be shown at the moment.\n")
    }
}

/// A tag of these bytes.
pub(super) fn tag(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let tag: String = digest.iter().take(12).map(|octet| format!("{octet:02x}")).collect();
    format!("\"{tag}\"")
}

/// What a visitor asks for.
pub(super) struct Asked {
    pub address: Option<Address>,
    pub wants_json: bool,
    /// The body of a POST.
    pub posted: Option<Vec<u8>>,
    /// The tags of what the visitor has already.
    pub seen: Option<String>,
}

pub(super) fn page(site: &Site, asked: Asked) -> Result<Answer, Error> {
    let json = asked.wants_json;
    let found = match asked.address {
        None => None,
        Some(Address::Style) => Some(Answer { lasting: true, ..Answer::of(Kind::Css, style()) }),
        Some(Address::Script) => {
            Some(Answer { lasting: true, ..Answer::of(Kind::Script, include_str!("script.js")) })
        }
        Some(Address::Robots) => Some(Answer::of(Kind::Text, ROBOTS)),
        Some(Address::Api) => Some(Answer::of(Kind::Json, include_str!("openapi.json"))),
        Some(Address::Help(subject)) => help_page(site, &subject, json)?,
        Some(Address::Home) => Some(site.read(|store| lists::home(site, store, json))?),
        Some(Address::Game(game)) => Some(site.read(|store| lists::game(site, store, game, json))?),
        Some(Address::Player(userid)) => site.read(|store| player::page(site, store, &userid, json))?,
        Some(Address::Try(game, trial)) => trial::page(site, game, trial, json)?,
        Some(Address::Play(chosen)) => match asked.posted {
            None => site.read(|store| play::page(site, store, &chosen, json))?,
            Some(body) => act::act(site, &chosen.token, &body, json)?,
        },
        Some(Address::Pause(link)) => match asked.posted {
            None => site.read(|store| pause::page(site, store, &link, json))?,
            Some(body) => pause::act(site, &link, &body, json)?,
        },
        Some(Address::Board { game, board, ply, form }) => {
            let form = if json && form == Form::Page { Form::Json } else { form };
            let wanted = board::Wanted { game, number: board, ply, form, seen: asked.seen.as_deref() };
            site.read(|store| board::page(site, store, &wanted))?
        }
    };
    found.map_or_else(|| missing(site, json), Ok)
}

const ROBOTS: &str = "User-agent: *\nDisallow: /play/\nDisallow: /try/\n";

impl Site {
    pub(super) fn read<T>(&self, read: impl FnOnce(&Store) -> Result<T, Error>) -> Result<T, Error> {
        // There is a store for each request that is let in.
        self.reading(read).unwrap_or(Err(Error::Panicked))
    }

    pub(super) fn html(&self, template: &str, context: Value) -> Result<Answer, Error> {
        Ok(Answer::of(Kind::Html, self.templates.render(&format!("web/{template}.html"), context)?))
    }

    /// A page for people or, with the same content, for programs.
    pub(super) fn shown(&self, template: &str, context: Value, json: bool) -> Result<Answer, Error> {
        if !json {
            return self.html(template, context);
        }
        let text = serde_json::to_string_pretty(&context).unwrap_or_default();
        Ok(Answer::of(Kind::Json, text))
    }
}

/// The one style sheet, with the colours of the boards in both themes.
fn style() -> String {
    let (light, dark) = (Theme::Light.style(), Theme::Dark.style());
    format!("{}\n{light}\n@media (prefers-color-scheme:dark){{\n{dark}}}\n", include_str!("style.css"))
}

fn missing(site: &Site, json: bool) -> Result<Answer, Error> {
    let answer = site.shown("missing", context! { notice => "There is no such page." }, json)?;
    Ok(Answer { status: StatusCode::NOT_FOUND, tag: None, ..answer })
}

fn help_page(site: &Site, subject: &str, json: bool) -> Result<Option<Answer>, Error> {
    let Some(page) = service::help::page(subject).filter(|page| page == subject) else { return Ok(None) };
    let text = help::render(&site.templates, &page)?;
    let context = match json {
        true => context! { subject, text },
        false => context! { subject, blocks => prose::blocks(&text) },
    };
    site.shown("help", context, json).map(Some)
}
