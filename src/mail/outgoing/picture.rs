//! The picture of a mail, added when it is sent.
//!
//! ```text
//! stored: multipart/alternative(text, HTML with the place of a picture)
//! sent:   multipart/alternative(text, multipart/related(HTML, PNG)), or without the place
//! ```

use lettre::message::header::ContentType;
use lettre::message::{Attachment, SinglePart};
use sha2::{Digest, Sha256};

use super::{boundary, hex, part};

/// A picture with its description in HTML.
#[derive(Debug, Clone)]
pub struct Picture {
    pub png: Vec<u8>,
    pub file_name: String,
    /// The picture in words.
    pub alt: String,
    /// In CSS pixels: a high-density screen has several device pixels for each.
    pub width: u32,
}

/// The Content-ID of a mail's picture. It reveals no more than the Message-ID.
pub fn content_id(message_id: &str) -> String {
    let host = message_id.trim_end_matches('>').rsplit('@').next().unwrap_or_default();
    let hash = Sha256::digest(format!("picture {message_id}"));
    format!("{}@{host}", hex(&hash, 16))
}

/// Hides the drawing from screen readers, which read the picture's text. People's words cannot contain it: their quotes
/// are entities.
pub const HIDDEN: &str = " aria-hidden=\"true\"";

/// The HTML that is replaced by the picture.
pub fn place(content_id: &str) -> String {
    format!("<p><img src=\"cid:{content_id}\" alt=\"\"></p>\n")
}

/// A stored mail as it is sent: with its picture or, if none could be drawn, without the placeholder.
pub fn with_picture(mail: Vec<u8>, message_id: &str, picture: Option<&Picture>) -> Vec<u8> {
    illustrate(&mail, message_id, picture).unwrap_or(mail)
}

/// `None` if the mail has no placeholder.
fn illustrate(mail: &[u8], message_id: &str, picture: Option<&Picture>) -> Option<Vec<u8>> {
    let outer = boundary(message_id);
    let open = format!("--{outer}\r\n").into_bytes();
    let close = format!("--{outer}--").into_bytes();
    let start = mail.windows(open.len()).rposition(|octets| octets == open)? + open.len();
    let end = mail.windows(close.len()).rposition(|octets| octets == close)?;
    let html = mailparse::parse_mail(mail.get(start..end)?).ok()?.get_body().ok()?.replace("\r\n", "\n");
    // The line end before a delimiter belongs to it.
    let html = html.strip_suffix('\n').unwrap_or(&html);
    let id = content_id(message_id);
    let (before, after) = html.split_once(place(&id).as_str())?;
    let mut sent = mail.get(..start)?.to_vec();
    match picture {
        None => {
            let html = format!("{before}{after}").replace(HIDDEN, "");
            sent.extend_from_slice(&part(ContentType::TEXT_HTML, &html).formatted())
        }
        Some(picture) => {
            let html = format!("{before}{}{after}", element(&id, picture));
            // RFC 2387 3.1 requires the type of the root.
            let inner = boundary(&id);
            let kind = format!(
                "Content-Type: multipart/related; type=\"text/html\";\r\n boundary=\"{inner}\"\r\n\r\n"
            );
            sent.extend_from_slice(kind.as_bytes());
            for part in [part(ContentType::TEXT_HTML, &html), image(&id, picture)?] {
                sent.extend_from_slice(format!("--{inner}\r\n").as_bytes());
                sent.extend_from_slice(&part.formatted());
            }
            sent.extend_from_slice(format!("--{inner}--\r\n").as_bytes());
        }
    }
    sent.extend_from_slice(mail.get(end..)?);
    Some(sent)
}

fn element(content_id: &str, picture: &Picture) -> String {
    let Picture { alt, width, .. } = picture;
    let alt = alt.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let alt = textwrap::fill(&alt, 72);
    format!(
        "<p><img src=\"cid:{content_id}\" width=\"{width}\"\nstyle=\"max-width:100%;height:auto\" alt=\"{alt}\"></p>\n"
    )
}

fn image(content_id: &str, picture: &Picture) -> Option<SinglePart> {
    let kind = ContentType::parse("image/png").ok()?;
    let inline = Attachment::new_inline_with_name(content_id.to_owned(), picture.file_name.clone());
    Some(inline.body(picture.png.clone(), kind))
}
