//! `turnpost submit`: commands as words or lines, answers on standard output.

use std::io::{Read, Write};
use std::process::ExitCode;

use rand::Rng;

use super::{DataPath, Instance, print};
use crate::clock;
use crate::config::TransportKind;
use crate::error::HostError;
use crate::ids::{Identity, Userid};
use crate::language::token::quote;
use crate::mail::{AnswerBy, Letter, Operator, Proof};
use crate::pipeline::Handled;

#[derive(clap::Args)]
pub(super) struct SubmitArgs {
    /// Speak for this player: write `-` in place of the password
    #[arg(long = "as", value_name = "USERID", conflicts_with = "as_anyone")]
    speaks_for: Option<Userid>,
    /// Speak for every player that a command names
    #[arg(long)]
    as_anyone: bool,
    /// The address the commands come from, as a mail would
    #[arg(long, value_name = "ADDRESS")]
    from: Option<String>,
    /// One command; without it, commands are read from standard input, one a line
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
    words: Vec<String>,
}

#[derive(Debug)]
pub struct Submission {
    pub speaks_for: Operator,
    /// The address it claims to come from.
    pub from: Option<String>,
    /// The commands, one a line.
    pub text: String,
}

#[derive(Debug)]
pub struct SubmitOutcome {
    pub text: String,
    /// True when the last command was carried out.
    pub ends_well: bool,
    /// How many mails it caused.
    pub mails: usize,
}

pub(super) fn run(place: &DataPath, args: &SubmitArgs) -> Result<ExitCode, HostError> {
    let text = if args.words.is_empty() { standard_input()? } else { line_of(&args.words) };
    let speaks_for = match (&args.speaks_for, args.as_anyone) {
        (Some(userid), _) => Operator::As(userid.clone()),
        (None, true) => Operator::AsAnyone,
        (None, false) => Operator::Nobody,
    };
    let mut server = place.open_or_make()?;
    let answered = submit(&mut server, Submission { speaks_for, from: args.from.clone(), text })?;
    print(answered.text.trim_end())?;
    if answered.mails > 0 && server.config.mail.after_submit {
        send(&mut server);
    }
    Ok(if answered.ends_well { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Acts on commands given on this machine. Each call is a letter of its own.
pub fn submit(server: &mut Instance, submission: Submission) -> Result<SubmitOutcome, HostError> {
    let mut identity = [0; 32];
    clock::rng()?.fill_bytes(&mut identity);
    let letter = Letter {
        sender: submission.from,
        proof: Proof::Operator(submission.speaks_for),
        text: submission.text,
        answer: AnswerBy::Terminal,
        ..Letter::by_server(Identity(identity))
    };
    match server.handle(&letter, clock::now())? {
        Handled::Acted { answer, ends_well, mails, .. } => {
            Ok(SubmitOutcome { text: answer, ends_well, mails })
        }
        // A random identity of 256 bits does not come twice.
        Handled::Again | Handled::Counted(_) | Handled::SetAside => {
            Ok(SubmitOutcome { text: String::new(), ends_well: false, mails: 0 })
        }
    }
}

/// Sends the mails of the commands, and says so on standard error: standard output holds only the answers.
fn send(server: &mut Instance) {
    let told = match server.deliver() {
        Ok(delivered) => format!("{} mails sent{}", delivered.sent, to_where(server)),
        Err(error) => format!("the mails wait in the outbox: {error}"),
    };
    let _ = writeln!(std::io::stderr(), "\nturnpost: {told}");
}

fn to_where(server: &Instance) -> String {
    match server.config.mail.transport {
        TransportKind::Directory => {
            format!(", as files in {}", server.config.mail_folder(&server.data).display())
        }
        TransportKind::Smtp | TransportKind::Sendmail => String::new(),
    }
}

fn standard_input() -> Result<String, HostError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(1 << 20).read_to_end(&mut bytes);
    read.map_err(|why| HostError::Io("standard input".into(), why))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The words of a command line as one command, with quotes around words with blanks. A single word is taken as a whole
/// line.
fn line_of(words: &[String]) -> String {
    if let [line] = words {
        return line.clone();
    }
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}
