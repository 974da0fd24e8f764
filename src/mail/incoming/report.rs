//! Reads delivery reports (RFC 3464), reports in prose to one of the server's envelope senders, and
//! complaints (RFC 5965).

use std::sync::LazyLock;

use super::envelope::Envelope;
use super::headers::{Headers, without_comments};
use super::message::{BodyPart, Entity};
use super::{automatic, html, identity, subjects, text};
use crate::mail::bounce::{Cause, Diagnosis, Report, Status, Voice, is_verp};
use crate::mail::phrases::{BOUNCES, Phrases, section};
use crate::mail::{ServerIdentity, clean, ids};

/// The most recipients that are read. The server's mails have one each.
const MAX_RECIPIENTS: usize = 100;

/// The most text parts that are read: servers repeat themselves in several languages, or as text and HTML.
const MAX_TEXTS: usize = 4;

/// The most lines that are read. Reports are shorter, without the returned mail.
const MAX_LINES: usize = 200;

/// Longer lines are cut to this many characters.
const MAX_LINE: usize = 500;

/// Lines with these words introduce the returned mail.
static RETURNED: Phrases = LazyLock::new(|| section(BOUNCES, "returned"));

/// Longer diagnostic codes are cut to this many characters.
const MAX_DIAGNOSTIC: usize = 1000;

/// The most characters of a diagnostic code that are stored.
const KEPT_DIAGNOSTIC: usize = 200;

/// The report in a mail; `None` if it names no address and was sent to none of the server's envelope senders.
pub(super) fn read(
    root: &Entity<'_>,
    parts: &[BodyPart<'_>],
    envelope: &Envelope,
    server: &ServerIdentity,
) -> Option<Report> {
    let message_id = root.headers.first_id("message-id");
    let from = root.headers.addresses("from").into_iter().next().unwrap_or_default();
    let verp = envelope.recipient.clone().filter(|address| is_verp(server, address));
    let to = verp.as_deref().unwrap_or(&server.address);
    let mut report = Report {
        identity: identity::identity(message_id.as_deref(), &from, to, &root.headers, root.body),
        verp,
        ..Report::default()
    };
    let subject = root.headers.first("subject").unwrap_or_default();
    // Exim, and Google in the past, name addresses without reasons.
    let failed: Vec<String> = root
        .headers
        .raw("x-failed-recipients")
        .flat_map(|value| value.split(',').filter_map(clean::address).collect::<Vec<_>>())
        .collect();
    let by_daemon = automatic::is_from_daemon(&root.headers);
    let by_robot = by_daemon || automatic::is_from_robot(&root.headers);
    let absent = subjects::is_absence(&subject);
    let mut voice =
        if by_daemon || subjects::is_report_subject(&subject) { Voice::Program } else { Voice::Unknown };
    let mut counts = !absent;
    for part in parts {
        match part.kind.mimetype.as_str() {
            "message/delivery-status" | "message/global-delivery-status" => {
                voice = Voice::Program;
                delivery_status(&part.octets(), &mut report);
            }
            "message/feedback-report" => {
                counts = false;
                feedback(&part.octets(), &mut report, server);
            }
            // The mail was read, or deleted unread: either way it arrived.
            "message/disposition-notification" => counts = false,
            "message/rfc822"
            | "message/global"
            | "text/rfc822-headers"
            | "message/rfc822-headers"
            | "text/rfc822-header"
            | "message/global-headers" => {
                let octets = part.octets();
                let headers = Entity::parse(octets.trim_ascii_start()).headers;
                report.message_id = report.message_id.take().or_else(|| headers.first_id("message-id"));
            }
            _ => {}
        }
    }
    // A person's letter can contain addresses and numbers. Only reports arrive at one of the envelope senders.
    if (by_robot || report.verp.is_some() || !failed.is_empty()) && counts && report.recipients.is_empty() {
        in_words(parts, &subject, voice, &mut report);
    }
    for address in failed {
        let status = report.unnamed.unwrap_or(Status::Permanent);
        add(&mut report, address, status);
    }
    if by_robot && report.message_id.is_none() {
        report.message_id = parts.iter().take(MAX_TEXTS).find_map(|part| returned_id(&words(part)?));
    }
    (report.verp.is_some() || report.unwanted || !report.recipients.is_empty()).then_some(report)
}

/// Reads what a report says in words.
fn in_words(parts: &[BodyPart<'_>], subject: &str, voice: Voice, report: &mut Report) {
    for text in parts.iter().filter_map(words).take(MAX_TEXTS) {
        // Another mail can contain the report as plain text.
        if let Some(fields) = fields(&text) {
            delivery_status(fields.as_bytes(), report);
        }
        if !report.recipients.is_empty() {
            return;
        }
        let found = Diagnosis::of(&format!("{subject}\n{}", without_returned_mail(&text)), voice);
        if let Some(found) =
            found.filter(|found| found.status != Status::Delivered || voice == Voice::Program)
        {
            (report.unnamed, report.cause) = (Some(found.status), found.cause);
            return;
        }
    }
}

/// The lines of a report, without the mail that it returns.
fn without_returned_mail(text: &str) -> String {
    let mut said = String::new();
    for line in text.lines().take(MAX_LINES) {
        let is_begun = !said.trim().is_empty();
        if is_begun && introduces_returned_mail(line) {
            break;
        }
        if !line.starts_with('>') || line.starts_with(">>>") {
            said.extend(line.chars().take(MAX_LINE).chain(['\n']));
        }
    }
    said
}

/// True for the line above the returned mail, or for a line of its header.
fn introduces_returned_mail(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    // "The original message was received at" begins the reports of sendmail.
    let introduced =
        line.len() < 100 && !line.contains("was received") && RETURNED.iter().any(|mark| line.contains(mark));
    introduced || ["received: ", "return-path: ", "x-received: "].iter().any(|field| line.starts_with(field))
}

/// The text from the first recipient field (RFC 3464 2.3) to the end.
fn fields(text: &str) -> Option<&str> {
    let start = |line: &&str| {
        let name = line.get(..17).unwrap_or_default();
        name.eq_ignore_ascii_case("final-recipient: ") || name.eq_ignore_ascii_case("original-recipien")
    };
    let before: usize = text.split_inclusive('\n').take_while(|line| !start(line)).map(str::len).sum();
    text.get(before..).filter(|rest| !rest.is_empty())
}

/// The text of a part, if it has any.
fn words(part: &BodyPart<'_>) -> Option<String> {
    match part.kind.mimetype.as_str() {
        "text/html" => html::to_text(&text::decode(part)).ok().map(|text| clean::lines(&text)),
        kind if kind.starts_with("text/") && !kind.contains("rfc822") => {
            Some(clean::lines(&text::decode(part)))
        }
        _ => None,
    }
}

fn add(report: &mut Report, address: String, status: Status) {
    let known = report.recipients.iter().any(|(known, _)| known.eq_ignore_ascii_case(&address));
    if !known && report.recipients.len() < MAX_RECIPIENTS {
        report.recipients.push((address, status));
    }
}

/// The field groups of RFC 3464 2.1: one about the mail, then one for each recipient.
fn delivery_status(octets: &[u8], report: &mut Report) {
    let mut rest = octets;
    // Some groups name no recipient.
    for _ in 0..2 * MAX_RECIPIENTS {
        let group = Entity::parse(rest.trim_ascii_start());
        if group.headers.names().next().is_none() {
            // Words between the groups belong to none of them.
            let is_end = |octets: &[u8]| octets.starts_with(b"\n\n") || octets == b"\n\r\n";
            let Some(end) = rest.windows(3).position(is_end) else { return };
            rest = rest.get(end + 2..).unwrap_or_default();
            continue;
        }
        let known = !report.recipients.is_empty();
        if let Some((status, cause)) = status(&group.headers) {
            if status == Status::Permanent && report.said.is_none() {
                report.said = said(&group.headers);
            }
            match recipient(&group.headers) {
                Some(address) => add(report, address, status),
                None => report.unnamed = report.unnamed.or(Some(status)),
            }
            report.cause = if known { report.cause } else { cause };
        }
        rest = group.body;
    }
}

/// Reads the fields of RFC 5965 3. Of the types in 7.3, only the ones below are complaints of readers. Many reports
/// omit the recipient; the envelope sender then tells which mail it was.
fn feedback(octets: &[u8], report: &mut Report, server: &ServerIdentity) {
    let fields = Entity::parse(octets.trim_ascii_start()).headers;
    let of = |name: &str| without_comments(&fields.first(name).unwrap_or_default()).trim().to_lowercase();
    report.unwanted = matches!(of("feedback-type").as_str(), "abuse" | "fraud" | "opt-out" | "opt-out-list");
    let path = of("original-mail-from");
    let path = path.trim_matches(['<', '>']);
    report.verp = report.verp.take().or_else(|| is_verp(server, path).then(|| path.to_owned()));
}

/// The original recipient if known (RFC 3464 2.3.1), else the final one (2.3.2).
fn recipient(group: &Headers<'_>) -> Option<String> {
    let typed = |name: &str| {
        let value = without_comments(&group.first(name)?);
        let address = value.split_once(';').map_or(value.as_str(), |(_, address)| address);
        clean::address(address.trim().trim_matches(['<', '>']))
    };
    typed("original-recipient").or_else(|| typed("final-recipient"))
}

/// `Action` (2.3.3), with the class of `Status` (2.3.4) and the meaning of the diagnostic code (2.3.6); `None` for a
/// group without any of them.
fn status(group: &Headers<'_>) -> Option<(Status, Cause)> {
    let field = |name: &str| group.first(name).unwrap_or_default();
    let action = without_comments(&field("action"));
    let action = action.split_whitespace().next().unwrap_or_default().trim_end_matches(';');
    let said = format!("{} {}", without_comments(&field("status")), field("diagnostic-code"));
    let passing = without_comments(&field("status")).starts_with('4');
    let short: String = said.chars().take(MAX_DIAGNOSTIC).collect();
    let found = Diagnosis::of(&short, Voice::Program);
    let cause = found.map_or(Cause::Address, |found| found.cause);
    let status = match action {
        "delayed" => Status::Temporary,
        "delivered" | "relayed" | "expanded" => Status::Delivered,
        // A `Status` of 4.x.x makes a failure temporary, even if `Diagnostic-Code` says otherwise.
        "failed" if passing => Status::Temporary,
        "failed" => found.map_or(Status::Permanent, |found| match found.status {
            Status::Temporary => Status::Temporary,
            _ => Status::Permanent,
        }),
        "" if said.trim().is_empty() && recipient(group).is_none() => return None,
        // Without an action the failure counts as temporary.
        _ => found.map_or(Status::Temporary, |found| found.status),
    };
    Some((status, cause))
}

/// The words to store: `Status`, and `Diagnostic-Code` without its type (RFC 3464 2.3.6).
fn said(group: &Headers<'_>) -> Option<String> {
    let status = without_comments(&group.first("status").unwrap_or_default());
    let code = group.first("diagnostic-code").unwrap_or_default();
    let words = code.split_once(';').map_or(code.as_str(), |(_, words)| words);
    // Most servers repeat the status in the diagnostic code.
    let status = Some(status.trim()).filter(|status| !words.contains(*status)).unwrap_or_default();
    let said = clean::line(&format!("{status} {words}"));
    Some(said.chars().take(KEPT_DIAGNOSTIC).collect()).filter(|said: &String| !said.is_empty())
}

/// The Message-ID of a mail that is returned as text, on its own line.
fn returned_id(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("message-id").then(|| ids::scan(value).into_iter().next())?
    })
}
