//! The way mail leaves, and the places where `serve` takes it.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::findings::Findings;
use crate::config::{Config, Listen, TransportKind};
use crate::mail::transport::Smtp;
use crate::private_files;

const ABOUT: &str = "mail out";

/// A greeting that takes longer never comes.
const PATIENCE: Duration = Duration::from_secs(10);

/// True when mail leaves the machine.
pub(super) fn check(findings: &mut Findings, data: &Path, config: &Config) -> bool {
    match config.mail.transport {
        TransportKind::Directory => {
            let says = format!(
                "none leaves this machine: it goes to files in {}",
                config.mail_folder(data).display()
            );
            findings.warning(
                ABOUT,
                says,
                "Set `transport` of [mail] to \"smtp\" when the server is to write to people.",
            );
            false
        }
        TransportKind::Sendmail if private_files::is_program(Path::new(&config.sendmail.program)) => {
            findings.ok(ABOUT, format!("by {}", config.sendmail.program));
            true
        }
        TransportKind::Sendmail => {
            let says = format!("{} is no program that this user can start", config.sendmail.program);
            findings.error(ABOUT, says, "Set `program` of [sendmail], or install a mail server.");
            false
        }
        TransportKind::Smtp => smtp(findings, config),
    }
}

fn smtp(findings: &mut Findings, config: &Config) -> bool {
    let place = format!("{} port {}", config.smtp.host, config.smtp.port);
    let tried = config.smtp_settings().map_err(|why| why.to_string()).and_then(|mut settings| {
        settings.timeout = settings.timeout.min(PATIENCE);
        Smtp::new(&settings).and_then(|smtp| smtp.try_connecting()).map_err(|why| why.to_string())
    });
    let login = if config.smtp.user.is_empty() { "" } else { ", and takes the login" };
    match tried {
        Ok(()) => {
            findings.ok(ABOUT, format!("the mail server at {place} answers{login}"));
            true
        }
        Err(why) => {
            let advice =
                "See `host`, `port`, `tls`, `user` and `password` of [smtp], and whether that server runs.";
            findings.error(ABOUT, format!("{place}: {why}"), advice);
            false
        }
    }
}

/// Whether somebody answers where `serve` is to listen.
pub(super) fn check_listeners(findings: &mut Findings, config: &Config) {
    const ABOUT: &str = "mail in";
    let places = config.serve.lmtp_places().unwrap_or_default();
    if places.is_empty() {
        findings
            .ok(ABOUT, "by `turnpost receive`, which the mail server starts (`lmtp` of [serve] is empty)");
    }
    for place in places {
        match greeting(&place) {
            Ok(line) if line.starts_with("220") => findings.ok(ABOUT, format!("`serve` listens at {place}")),
            Ok(_) => {
                findings.error(
                    ABOUT,
                    format!("another program listens at {place}"),
                    "Give `lmtp` of [serve] a place of its own.",
                );
            }
            Err(why) => {
                let advice =
                    "Start it: `systemctl start turnpost`. Until then mail waits at the mail server.";
                findings.error(ABOUT, format!("nobody listens at {place}: {why}"), advice);
            }
        }
    }
}

fn greeting(place: &Listen) -> std::io::Result<String> {
    let stream: Box<dyn Read> = match place {
        Listen::Port(address) => {
            let stream = TcpStream::connect_timeout(address, PATIENCE)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            Box::new(stream)
        }
        Listen::File(path) => {
            let stream = UnixStream::connect(path)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            Box::new(stream)
        }
    };
    let mut line = String::new();
    BufReader::new(stream.take(512)).read_line(&mut line)?;
    Ok(line)
}
