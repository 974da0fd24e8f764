//! `turnpost receive`: a mail from a mail server's pipe.
//!
//! Only two exit codes mean the same to every mail server. 0 says that the mail is taken care of, 75 says "try again
//! later"; any other sends the player's mail back. A player's mistake exits 0, since the answer explains it. Our own
//! errors exit 75. Nothing is printed, for mail servers send what is printed to the player.

use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

use super::{Instance, Place};
use crate::clock;
use crate::config::Config;
use crate::data_dir;
use crate::delivery::Delivered;
use crate::error::{EX_TEMPFAIL, HostError};
use crate::mail::incoming::{Envelope, EnvelopeSender, MAX_MESSAGE};
use crate::pipeline::{self, Handled};

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

/// `turnpost receive` alone. A mail server starts it for every letter, and building the whole tree of subcommands
/// would take a good part of its short life.
#[derive(Parser)]
#[command(name = "turnpost")]
struct Alone {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    task: AloneTask,
}

#[derive(Subcommand)]
enum AloneTask {
    Receive(ReceiveArgs),
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

/// The arguments of a plain `receive`; `None` for every other command line.
pub(super) fn read_alone() -> Option<(Place, ReceiveArgs)> {
    if !is_asked() {
        return None;
    }
    let Alone { place, task: AloneTask::Receive(args) } = Alone::try_parse().ok()?;
    Some((place, args))
}

pub(super) fn run(place: &Place, args: &ReceiveArgs) -> ExitCode {
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
    let received = std::panic::catch_unwind(|| {
        let mut input = std::io::stdin().lock();
        // Before the settings, which another user may not be able to read.
        data_dir::refuse_others(&place.data)
            .and_then(|()| place.settings())
            .and_then(|config| receive(&place.data, config, &envelope, &mut input))
            // A mail server may take a pipe that closes early for a failure, so the rest is read.
            .inspect_err(|_| drop(std::io::copy(&mut input, &mut std::io::sink())))
    });
    let line = match received {
        Ok(Ok(Received::Acted | Received::CameBefore)) => return ExitCode::SUCCESS,
        Ok(Ok(Received::Ignored(why))) => {
            log(&place.data, &format!("mail set aside: {why}"));
            return ExitCode::SUCCESS;
        }
        Ok(Ok(Received::TurnedAway(why))) => {
            log(&place.data, &format!("mail not read: {why}"));
            return ExitCode::SUCCESS;
        }
        Ok(Err(error)) => format!("mail left with the mail server: {error}"),
        Err(_) => "mail left with the mail server: the program panicked".to_owned(),
    };
    log(&place.data, &line);
    ExitCode::from(EX_TEMPFAIL)
}

fn receive(
    data: &Path,
    config: Config,
    envelope: &Envelope,
    mut input: impl Read,
) -> Result<Received, HostError> {
    let bytes = read_all(&mut input).map_err(|why| HostError::Io("standard input".into(), why))?;
    let mut instance = Instance::open(data, config)?;
    // Every letter has a process, and one line in the log is enough.
    if let Some(warning) = data_dir::open_to_others(data).filter(|said| !data_dir::is_logged(data, said)) {
        log(data, &warning);
    }
    let Instance { store, app, .. } = &mut instance;
    let received = pipeline::receive(store, app, &bytes, envelope, clock::now(), &mut clock::rng()?)?;
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
        log(data, &format!("{aside} mails could not be written: see `turnpost admin outbox`"));
    }
    if instance.config.mail.after_receive {
        // The letter is committed. If sending fails, the next try sends the mail.
        if let Ok(Delivered { failed: failed @ 1.., .. }) = instance.deliver() {
            log(data, &format!("{failed} mails cannot be sent: see `turnpost admin outbox`"));
        }
    }
    instance.store.leave();
    if let Some(why) = turned_away {
        return Ok(Received::TurnedAway(why));
    }
    Ok(match handled {
        Handled::Acted { .. } => Received::Acted,
        Handled::Again | Handled::Counted(_) => Received::CameBefore,
    })
}

/// Reads to the end, even of a message too long to keep: a mail server may take a closed pipe for a failure.
fn read_all(input: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_MESSAGE as u64 + 1).read_to_end(&mut bytes)?;
    std::io::copy(input, &mut std::io::sink())?;
    Ok(bytes)
}

/// Appends a line to the log in the data directory, the only place where `receive` can report.
fn log(data: &Path, what: &str) {
    if let Ok(mut file) = data_dir::log(data) {
        let line: String = what.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(file, "{} {line}", clock::now());
    }
}
