//! Reads delivery reports (RFC 3464), older reports in prose, and complaints (RFC 5965).

use super::automatic;
use super::envelope::Envelope;
use super::headers::{Headers, without_comments};
use super::message::{self, Entity, MAX_MESSAGE, Part};
use super::{charset, identity, prose, text};
use crate::mail::bounce::{Report, Status, is_verp};
use crate::mail::{ServerIdentity, clean, ids};

/// More recipients are not read: our mails have one each.
const MAX_RECIPIENTS: usize = 100;

/// The report in a mail; `None` when it names no address and did not come to an envelope sender of ours.
pub(super) fn read(root: Entity<'_>, envelope: &Envelope, server: &ServerIdentity) -> Option<Report> {
    let message_id = super::first_id(&root.headers, "message-id");
    let from = root.headers.addresses("from").into_iter().next().unwrap_or_default();
    let verp = envelope.recipient.clone().filter(|address| is_verp(server, address));
    let to = verp.as_deref().unwrap_or(&server.address);
    let mut report = Report {
        identity: identity::identity(message_id.as_deref(), &from, to, &root.headers, root.body),
        verp,
        ..Report::default()
    };
    let subject = root.headers.first("subject").unwrap_or_default().to_lowercase();
    let delayed = subject.contains("delay") || subject.contains("warning");
    // Exim, and Google in the past: addresses without reasons.
    let failed: Vec<String> = root
        .headers
        .raw("x-failed-recipients")
        .flat_map(|value| value.split(',').filter_map(clean::address).collect::<Vec<_>>())
        .collect();
    // A person's absence note may hold addresses and numbers, so prose is read from programs only.
    let by_program = automatic::is_from_robot(&root.headers);
    let parts =
        if root.body.len() > MAX_MESSAGE { Vec::new() } else { message::parts(root).unwrap_or_default() };
    for part in &parts {
        match part.kind.mimetype.as_str() {
            "message/delivery-status" | "message/global-delivery-status" => {
                delivery_status(&text::octets(&part.entity), &mut report);
            }
            "message/feedback-report" => feedback(&text::octets(&part.entity), &mut report, server),
            "message/rfc822"
            | "message/global"
            | "text/rfc822-headers"
            | "message/rfc822-headers"
            | "text/rfc822-header"
            | "message/global-headers" => {
                let octets = text::octets(&part.entity);
                let headers = Entity::parse(octets.trim_ascii_start()).headers;
                report.message_id =
                    report.message_id.take().or_else(|| super::first_id(&headers, "message-id"));
            }
            _ => {}
        }
    }
    let words =
        || parts.iter().find(|part| part.kind.mimetype == "text/plain").or(parts.first()).map(decoded);
    if by_program && report.recipients.is_empty() {
        for (address, status) in prose::recipients(&words().unwrap_or_default(), delayed) {
            add(&mut report, address, status);
        }
    }
    for address in failed {
        add(&mut report, address, if delayed { Status::Temporary } else { Status::Permanent });
    }
    if by_program && report.message_id.is_none() {
        report.message_id = returned_id(&words().unwrap_or_default());
    }
    (report.verp.is_some() || report.unwanted || !report.recipients.is_empty()).then_some(report)
}

fn decoded(part: &Part<'_>) -> String {
    let octets = text::octets(&part.entity);
    clean::lines(&charset::decode(&octets, part.kind.params.get("charset").map(String::as_str)))
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
    // Some groups name nobody.
    for _ in 0..2 * MAX_RECIPIENTS {
        let group = Entity::parse(rest.trim_ascii_start());
        if let Some(address) = recipient(&group.headers) {
            add(report, address, status(&group.headers));
        }
        rest = group.body;
    }
}

/// The fields of RFC 5965 3. These types are complaints of readers; the others in 7.3 are not. Many reports
/// omit the recipient, which our envelope sender reveals.
fn feedback(octets: &[u8], report: &mut Report, server: &ServerIdentity) {
    let fields = Entity::parse(octets.trim_ascii_start()).headers;
    let of = |name: &str| without_comments(&fields.first(name).unwrap_or_default()).trim().to_lowercase();
    report.unwanted = matches!(of("feedback-type").as_str(), "abuse" | "fraud" | "opt-out" | "opt-out-list");
    let path = of("original-mail-from");
    let path = path.trim_matches(['<', '>']);
    report.verp = report.verp.take().or_else(|| is_verp(server, path).then(|| path.to_owned()));
}

/// The original recipient if known (2.3.1), else the final one (2.3.2).
fn recipient(group: &Headers<'_>) -> Option<String> {
    let typed = |name: &str| {
        let value = without_comments(&group.first(name)?);
        let address = value.split_once(';').map_or(value.as_str(), |(_, address)| address);
        clean::address(address.trim().trim_matches(['<', '>']))
    };
    typed("original-recipient").or_else(|| typed("final-recipient"))
}

/// `Action` (2.3.3), with the class of `Status` (2.3.4) or of the diagnostic code (2.3.6).
fn status(group: &Headers<'_>) -> Status {
    let word = |name: &str| {
        let value = without_comments(&group.first(name).unwrap_or_default());
        value.split_whitespace().next().unwrap_or_default().to_owned()
    };
    let class = || {
        let said = group.first("diagnostic-code").unwrap_or_default();
        prose::class(&word("status")).or_else(|| prose::class(&said))
    };
    match word("action").trim_end_matches(';') {
        "delayed" => Status::Temporary,
        "delivered" | "relayed" | "expanded" => Status::Delivered,
        "failed" => class().filter(|class| *class != Status::Delivered).unwrap_or(Status::Permanent),
        // Without an action the failure counts as temporary.
        _ => class().unwrap_or(Status::Temporary),
    }
}

/// The Message-ID of a mail that is returned as text, on a line of its own.
fn returned_id(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("message-id").then(|| ids::scan(value).into_iter().next())?
    })
}
