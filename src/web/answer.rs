//! The answer to a request, made from the store and the templates.

use std::io::{Read, Write};

use axum::http::StatusCode;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use minijinja::value::Serde;
use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Site;
use super::address::Format;
use crate::failure::Error;
use crate::store::Store;

#[derive(Clone)]
pub(crate) struct Answer {
    pub status: StatusCode,
    pub kind: AnswerKind,
    pub body: Vec<u8>,
    /// The ETag: a browser that already has these bytes does not load them again.
    pub tag: Option<String>,
    /// True if caches can keep the body for a day without asking.
    pub lasting: bool,
    /// The `Location` of a redirect.
    pub location: Option<String>,
    /// The value of `Set-Cookie`.
    pub cookie: Option<String>,
    /// True if the body is compressed by gzip.
    pub is_packed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    Html,
    Css,
    Script,
    Svg,
    Png,
    Json,
    Atom,
    Csv,
    /// Server-sent events.
    Events,
    Text,
}

impl Answer {
    pub fn of(kind: AnswerKind, body: impl Into<Vec<u8>>) -> Answer {
        let body = body.into();
        let tag = Some(tag(&body));
        Answer {
            status: StatusCode::OK,
            kind,
            body,
            tag,
            lasting: false,
            location: None,
            cookie: None,
            is_packed: false,
        }
    }

    pub fn json<T: Serialize>(page: &T) -> Answer {
        Answer::of(AnswerKind::Json, serde_json::to_string_pretty(page).unwrap_or_default())
    }

    pub fn plain(status: StatusCode, sentence: &str) -> Answer {
        Answer { status, tag: None, ..Answer::of(AnswerKind::Text, sentence) }
    }

    /// A redirect (303) to another page.
    pub fn see(address: String) -> Answer {
        Answer { location: Some(address), ..Answer::plain(StatusCode::SEE_OTHER, "") }
    }

    /// Marks the answer as meant for one visitor: no cache keeps a copy.
    pub fn private(self) -> Answer {
        Answer { tag: None, ..self }
    }

    /// Compresses a long text. A page for one visitor stays as it is: it holds secret links next to words of other
    /// people, and its compressed length would reveal the links (the attack is called BREACH).
    pub fn packed(self) -> Answer {
        let is_done = self.is_packed || self.kind == AnswerKind::Png;
        if self.tag.is_none() || is_done || self.body.len() <= UNPACKED {
            return self;
        }
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        match packer.write_all(&self.body).and_then(|()| packer.finish()) {
            Ok(body) => Answer { body, is_packed: true, ..self },
            Err(_) => self,
        }
    }

    /// Decompresses the body for a browser that does not accept gzip.
    pub fn unpacked(self) -> Answer {
        let mut body = Vec::new();
        match self.is_packed.then(|| GzDecoder::new(self.body.as_slice()).read_to_end(&mut body)) {
            None => self,
            Some(Ok(_)) => Answer { body, is_packed: false, ..self },
            Some(Err(_)) => Answer::broken(),
        }
    }

    /// The answer to a failure of the server. It does not tell the visitor the cause.
    pub fn broken() -> Answer {
        Answer::plain(StatusCode::INTERNAL_SERVER_ERROR, "This page cannot be shown at the moment.\n")
    }
}

/// Texts up to this many bytes are not compressed.
const UNPACKED: usize = 4 * 1024;

/// A weak ETag of these bytes. Their compressed form has the same ETag (RFC 9110, 8.8.1).
pub(super) fn tag(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let tag: String = digest.iter().take(12).map(|octet| format!("{octet:02x}")).collect();
    format!("W/\"{tag}\"")
}

impl Site {
    pub(super) fn read<T>(&self, read: impl FnOnce(&Store) -> Result<T, Error>) -> Result<T, Error> {
        // Each admitted request has a permit, and each permit has a store. If there is none, an earlier reader
        // panicked.
        self.reading(read).unwrap_or(Err(Error::Panicked))
    }

    pub(super) fn html(&self, template: &str, context: Value) -> Result<Answer, Error> {
        Ok(Answer::of(AnswerKind::Html, self.templates.render(&format!("web/{template}.html"), context)?))
    }

    /// Renders a refusal as a page. Returns the plain answer if that fails.
    pub(super) fn dressed(&self, answer: Answer) -> Answer {
        let notice = String::from_utf8_lossy(&answer.body);
        let page = self.html("missing", context! { notice, heading => "This did not work" });
        let status = answer.status;
        page.map_or(answer, |page| Answer { status, ..page.private() })
    }

    /// Renders a page with its template, or as JSON.
    pub(super) fn shown<T: Serialize>(
        &self,
        template: &str,
        page: &T,
        format: Format,
    ) -> Result<Answer, Error> {
        self.shown_with(template, page, format, || Ok(context! {}))
    }

    /// Like `shown`. `more` adds context that only the template needs.
    pub(super) fn shown_with<T: Serialize>(
        &self,
        template: &str,
        page: &T,
        format: Format,
        more: impl FnOnce() -> Result<Value, Error>,
    ) -> Result<Answer, Error> {
        match format {
            Format::Json => Ok(Answer::json(page)),
            Format::Html => self.html(template, context! { ..more()?, ..Value::from(Serde(page)) }),
        }
    }

    /// The answer if there is no such page.
    pub(super) fn missing(&self, format: Format) -> Result<Answer, Error> {
        let heading = context! { heading => "No such page" };
        self.instead(StatusCode::NOT_FOUND, "There is no such page.", heading, format)
    }

    /// A sentence for one visitor instead of the page. `more` has its heading.
    pub(super) fn instead(
        &self,
        status: StatusCode,
        notice: &str,
        more: Value,
        format: Format,
    ) -> Result<Answer, Error> {
        let answer = self.shown_with("missing", &MissingPage { notice }, format, || Ok(more))?;
        Ok(Answer { status, ..answer.private() })
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct MissingPage<'a> {
    notice: &'a str,
}
