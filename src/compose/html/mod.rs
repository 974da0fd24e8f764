//! The HTML of a mail: one column, styles that mail programs keep, nothing to fetch. Pages of the site print the same
//! blocks without styles.
//!
//! Text and ground have no colour. A program with a dark theme shows its own, and one that inverts has little to invert.
//! Rules and grounds are half transparent greys; only the button has a colour.

mod frame;
mod table;
mod writer;

pub use self::frame::{MailFrame, Reply};
use self::writer::{HtmlWriter, QUIET, RULE, escape};
use super::document::Block;
use crate::mail::outgoing::HIDDEN;

const FONT: &str = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";

/// The whole HTML of a mail.
pub fn mail(blocks: &[Block], frame: MailFrame<'_>) -> String {
    let mut writer = HtmlWriter::new(frame, true);
    let (body, signature) = match blocks.iter().position(|block| *block == Block::Signature) {
        Some(at) => (blocks.get(..at).unwrap_or_default(), blocks.get(at + 1..).unwrap_or_default()),
        None => (blocks, &[][..]),
    };
    if body.iter().any(|block| matches!(block, Block::Board { drawing, .. } if drawing.in_words)) {
        // Screen readers read the sentences.
        writer.picture = writer.picture.map(|picture| format!("<div{HIDDEN}>\n{picture}</div>\n"));
    }
    for (n, block) in body.iter().enumerate() {
        match block {
            // The sentence that counts.
            Block::Paragraph(inlines) if n == 0 => {
                writer.tagged("p", "margin:0 0 16px;font-size:20px;line-height:1.4", inlines);
            }
            block => writer.block(block),
        }
    }
    let folded = std::mem::take(&mut writer.folded);
    writer.out.push_str(&folded);
    if !signature.is_empty() {
        writer.out.push_str(&format!("<div style=\"margin-top:28px;padding-top:12px;border-top:{RULE}\">\n"));
        for block in signature {
            match block {
                Block::Paragraph(inlines) => writer.tagged("p", &format!("margin:0;{QUIET}"), inlines),
                block => writer.block(block),
            }
        }
        writer.out.push_str("</div>\n");
    }
    whole(&writer.out, frame.subject)
}

/// The HTML of blocks on a page of the site, which has its own styles.
pub fn fragment(blocks: &[Block]) -> String {
    let mut writer = HtmlWriter::new(MailFrame::default(), false);
    blocks.iter().for_each(|block| writer.block(block));
    writer.out
}

fn whole(body: &str, subject: &str) -> String {
    let mut title = String::new();
    escape(subject, &mut title);
    format!(
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
        <meta name=\"color-scheme\" content=\"light dark\">\n\
        <meta name=\"supported-color-schemes\" content=\"light dark\">\n<title>{title}</title>\n</head>\n\
        <body style=\"margin:0;padding:0\">\n\
        <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\">\
        <tr><td align=\"center\" style=\"padding:28px 18px\">\n\
        <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" style=\"max-width:480px\">\
        <tr><td align=\"left\" style=\"{FONT};font-size:16px;line-height:1.55;overflow-wrap:anywhere;word-break:break-word\">\n\
        {body}</td></tr></table>\n</td></tr></table>\n</body>\n</html>\n"
    )
}
