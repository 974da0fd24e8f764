//! The round trip: the server mails itself at its address, once with and once without an extension. Both mails must
//! return through the mail server.

use std::path::Path;
use std::time::{Duration, Instant};

use rand::Rng;

use super::findings::Findings;
use crate::clock;
use crate::config::Config;
use crate::data_dir::DATABASE;
use crate::error::HostError;
use crate::mail::outgoing::{self, AutoSubmitted, Draft};
use crate::mail::round_trip;
use crate::mail::transport::OutEnvelope;
use crate::store::Store;

const ABOUT: &str = "round trip";

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// A mail on its way.
struct Traveller {
    code: String,
    to: String,
    came: bool,
}

pub(super) fn check(findings: &mut Findings, data: &Path, config: &Config, patience: Duration) {
    if let Err(why) = travel(findings, data, config, patience) {
        findings.error(ABOUT, why.to_string(), "");
    }
}

fn travel(
    findings: &mut Findings,
    data: &Path,
    config: &Config,
    patience: Duration,
) -> Result<(), HostError> {
    let identity = config.identity();
    let mut travellers = vec![send(data, config, identity.address.clone())?];
    if let Some(extended) = identity.extended("round-trip") {
        travellers.push(send(data, config, extended)?);
    }
    let begun = Instant::now();
    let store = Store::open_read_only(&data.join(DATABASE))?;
    loop {
        for traveller in travellers.iter_mut().filter(|traveller| !traveller.came) {
            traveller.came = store.came_round(&traveller.code)?;
        }
        if travellers.iter().all(|traveller| traveller.came) || begun.elapsed() >= patience {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    report(findings, &travellers, begun.elapsed());
    Ok(())
}

fn report(findings: &mut Findings, travellers: &[Traveller], waited: Duration) {
    let plain_came = travellers.first().is_some_and(|traveller| traveller.came);
    for Traveller { to, came, .. } in travellers {
        let says = format!("a mail to {to} did not come back within {} s", waited.as_secs());
        match (came, plain_came) {
            (true, _) => findings.ok(ABOUT, format!("a mail to {to} came back")),
            (false, true) => {
                let advice = "The mail server does not deliver addresses with `+`: in Postfix set `recipient_delimiter = +`. \
                              Where it cannot, set `extensions = false`.";
                findings.error(ABOUT, says, advice);
            }
            (false, false) => {
                let advice =
                    "Look for it in the log of the mail server: docs/operations.md, \"Nothing comes\".";
                findings.error(ABOUT, says, advice);
            }
        }
    }
}

/// Sends a mail with a code in its Message-ID, by which it is recognised.
fn send(data: &Path, config: &Config, to: String) -> Result<Traveller, HostError> {
    let mut octets = [0; 16];
    clock::rng()?.fill_bytes(&mut octets);
    let code = round_trip::code(octets);
    let app = config.signing_app()?;
    let now = clock::now();
    Store::expect_round_trip(&data.join(DATABASE), &code, now)?;
    let draft = Draft {
        to: to.clone(),
        reply_to: None,
        message_id: round_trip::message_id(&code, &app.server.host),
        in_reply_to: None,
        references: Vec::new(),
        subject: format!("{}: does mail come back?", app.server.name),
        date: now,
        mark: AutoSubmitted::Generated,
        unsubscribe: None,
        text: "`turnpost doctor` sent this mail to see whether it comes back.\n".to_owned(),
        html: None,
        files: Vec::new(),
    };
    let mail = outgoing::compose(&draft, &app.server)
        .map_err(|why| HostError::Asked(format!("the mail to {to}: {why}")))?;
    let mail = match &app.signer {
        Some(signer) => signer.signed(mail),
        None => mail,
    };
    let envelope = OutEnvelope { from: Some(app.server.address.clone()), to: to.clone(), number: None };
    let sent = config.transport(data)?.send(&envelope, &mail);
    sent.map_err(|why| HostError::Asked(format!("the mail to {to}: {why}")))?;
    Ok(Traveller { code, to, came: false })
}
