//! `turnpost receive`: a mail from a mail server's pipe.
//!
//! Only two exit codes mean the same to every mail server. 0 says that the mail is taken care of, 75 says "try again
//! later"; any other sends the player's mail back. A player's mistake exits 0, since the answer explains it. Our own
//! errors exit 75. Nothing is printed, for mail servers send what is printed to the player.

use std::io::Read;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::time::Duration;

use super::receive_log::{Log, Severity};
use super::{DataPath, Instance};
use crate::config::Config;
use crate::delivery::Delivered;
use crate::error::{EX_TEMPFAIL, HostError};
use crate::mail::incoming::{Envelope, EnvelopeSender, MAX_MESSAGE};
use crate::pipeline::{self, Handled};
use crate::{clock, data_dir};

/// `receive` ends itself before the mail server would: a mail server that loses patience sends the mail back.
const TIME_LIMIT: Duration = Duration::from_secs(60);

#[derive(clap::Args)]
pub(super) struct ReceiveArgs {
    /// The address the mail was sent to, from the envelope
    #[arg(long, value_name = "ADDRESS", allow_hyphen_values = true)]
    recipient: Option<String>,
    /// The sender in the envelope; empty for bounces
    #[arg(long, value_name = "ADDRESS", allow_hyphen_values = true)]
    sender: Option<String>,
}

/// What became of a message, for the log.
enum Received {
    Acted,
    CameBefore,
    Ignored(String),
    TurnedAway(String),
}

pub(super) fn is_asked() -> bool {
    std::env::args_os().any(|arg| arg == "receive")
}

pub(super) fn run(place: &DataPath, args: &ReceiveArgs) -> ExitCode {
    // A panic prints to standard error, which mail servers pass on to the sender.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(|| {
        std::thread::sleep(TIME_LIMIT);
        std::process::exit(i32::from(EX_TEMPFAIL));
    });
    let given = Envelope {
        sender: args.sender.as_deref().map(EnvelopeSender::read),
        recipient: args.recipient.clone(),
    };
    let envelope = given.or(Envelope::from_variables(|name| std::env::var(name).ok()));
    // Before the settings, which another user may not be able to read.
    let config = guarded(|| data_dir::refuse_others(&place.data).and_then(|()| place.settings()));
    let syslog = config.as_ref().map_or_else(|_| Config::default().syslog, |config| config.syslog.clone());
    let log = Log::new(&place.data, syslog);
    let mut input = std::io::stdin().lock();
    let received = config.and_then(|config| guarded(|| receive(&log, config, &envelope, &mut input)));
    match received {
        Ok(Received::Acted | Received::CameBefore) => ExitCode::SUCCESS,
        Ok(Received::Ignored(why)) => {
            log.say(Severity::Info, &format!("mail set aside: {why}"));
            ExitCode::SUCCESS
        }
        Ok(Received::TurnedAway(why)) => {
            log.say(Severity::Info, &format!("mail not read: {why}"));
            ExitCode::SUCCESS
        }
        Err(why) => {
            // A mail server may take a pipe that closes early for a failure, so the rest is read.
            let _ = std::io::copy(&mut input, &mut std::io::sink());
            log.say(Severity::Error, &format!("mail left with the mail server: {why}"));
            ExitCode::from(EX_TEMPFAIL)
        }
    }
}

/// Runs `work`, which must not end the process by a panic.
fn guarded<T>(work: impl FnOnce() -> Result<T, HostError>) -> Result<T, String> {
    // What it had in hand is not used again.
    match std::panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(|why| why.to_string()),
        Err(_) => Err("the program panicked".to_owned()),
    }
}

fn receive(
    log: &Log,
    config: Config,
    envelope: &Envelope,
    mut input: impl Read,
) -> Result<Received, HostError> {
    let bytes = read_all(&mut input).map_err(|why| HostError::Io("standard input".into(), why))?;
    let mut instance = Instance::open(log.data(), config)?;
    if let Some(warning) = data_dir::open_to_others(log.data()) {
        log.say_once(Severity::Warning, &warning);
    }
    let Instance { store, app, .. } = &mut instance;
    let received = pipeline::receive(store, app, &bytes, envelope, clock::now(), &mut clock::rng()?)?;
    for fault in app.templates.faults() {
        log.say_once(Severity::Warning, &fault);
    }
    let mut turned_away = None;
    let handled = match received {
        pipeline::Received::Ignored(why, None) => return Ok(Received::Ignored(why.to_string())),
        pipeline::Received::Ignored(why, Some(counted)) => {
            return Ok(Received::Ignored(format!("{why} ({counted})")));
        }
        pipeline::Received::Handled(handled) => handled,
        pipeline::Received::TurnedAway(why, handled) => {
            turned_away = Some(why.to_string());
            handled
        }
    };
    if let Handled::Acted { aside: aside @ 1.., .. } = handled {
        let said = format!("{aside} mails could not be written: see `turnpost admin outbox`");
        log.say(Severity::Warning, &said);
    }
    if instance.config.mail.after_receive {
        // The letter is committed. If sending fails, the next try sends the mail.
        if let Ok(Delivered { failed: failed @ 1.., .. }) = instance.deliver() {
            let said = format!("{failed} mails cannot be sent: see `turnpost admin outbox`");
            log.say(Severity::Warning, &said);
        }
    }
    instance.store.close_quickly();
    if let Some(why) = turned_away {
        return Ok(Received::TurnedAway(why));
    }
    Ok(match handled {
        Handled::Acted { .. } => Received::Acted,
        Handled::Again | Handled::Counted(_) | Handled::SetAside => Received::CameBefore,
    })
}

/// Reads to the end, even of a message too long to keep: a mail server may take a closed pipe for a failure.
fn read_all(input: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_MESSAGE as u64 + 1).read_to_end(&mut bytes)?;
    std::io::copy(input, &mut std::io::sink())?;
    Ok(bytes)
}
