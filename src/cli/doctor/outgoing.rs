//! Whether mail can leave, and whether `serve` answers at its ports and sockets.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::findings::Findings;
use crate::config::{Config, TransportKind};
use crate::connections::Listen;
use crate::mail::transport::Smtp;
use crate::private_files;

const ABOUT: &str = "mail out";

/// The time limit for a greeting.
const PATIENCE: Duration = Duration::from_secs(10);

/// True if mail can leave the machine.
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

/// Whether a server answers where `serve` is configured to listen.
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
                findings.error(ABOUT, format!("no server listens at {place}: {why}"), advice);
            }
        }
    }
}

/// Whether the pages of [web] answer, at their port and at their URL.
pub(super) fn check_pages(findings: &mut Findings, config: &Config) {
    const ABOUT: &str = "pages";
    let url = config.web.pages();
    let Some(place) = config.web.place().ok().flatten() else {
        return match url {
            None => findings.ok(ABOUT, "none: `listen` of [web] is empty"),
            Some(url) => findings.error(
                ABOUT,
                format!("mails name {url}, and `listen` of [web] is empty"),
                "Set `listen`, such as \"127.0.0.1:8080\", or empty `url`.",
            ),
        };
    };
    match page(&place) {
        Ok(answer) if answer.starts_with("HTTP/1.1 200") && answer.contains("\"openapi\"") => {
            findings.ok(ABOUT, format!("`serve` shows them at http://{place}"));
        }
        Ok(answer) => {
            let says = format!(
                "what answers at {place} is no Turnpost: {}",
                answer.lines().next().unwrap_or_default()
            );
            findings.error(ABOUT, says, "Give `listen` of [web] a place of its own.");
        }
        Err(why) => {
            let advice = "Start it: `systemctl start turnpost`. Until then the links in mails lead nowhere.";
            findings.error(ABOUT, format!("no server listens at {place}: {why}"), advice);
        }
    }
    match url {
        None => findings.warning(
            ABOUT,
            "no mail names them: `url` of [web] is empty",
            "Set it to where people find them.",
        ),
        Some(url) if url.starts_with("https://") && config.web.trusted_proxies.is_empty() => findings
            .warning(
                ABOUT,
                "`trusted_proxies` of [web] is empty: all visitors share the budget of one",
                "Name the web server in front, such as [\"127.0.0.1\"].",
            ),
        Some(_) => {}
    }
}

/// The beginning of a page that only Turnpost has.
fn page(place: &SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(place, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(
        format!("GET /openapi.json HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n").as_bytes(),
    )?;
    let mut answer = Vec::new();
    stream.take(4096).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
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
