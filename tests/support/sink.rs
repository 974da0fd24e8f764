//! A mail server that keeps what it is given, and misbehaves where it is told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use turnpost::mail::transport::{SmtpSettings, Tls};

/// Where in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Greeting,
    Ehlo,
    Mail,
    Rcpt,
    Data,
    /// After the mail.
    End,
}

impl Stage {
    /// All, in order.
    pub const ALL: [Stage; 6] =
        [Stage::Greeting, Stage::Ehlo, Stage::Mail, Stage::Rcpt, Stage::Data, Stage::End];
}

/// What goes wrong there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No answer, until the client goes.
    Stall,
    /// The connection ends without an answer.
    Close,
    /// This code for an answer.
    Say(u16),
}

/// A mail that was taken, whether the client heard of it or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Its Message-ID.
    pub id: String,
    /// To whom.
    pub to: String,
    /// All of it.
    pub mail: Vec<u8>,
}

type Hook = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Shared {
    fault: Mutex<Option<(Stage, Fault)>>,
    taken: Mutex<Vec<Taken>>,
    before_answer: Mutex<Option<Hook>>,
}

/// The server. Its threads end with the test.
pub struct Sink {
    /// Its port.
    pub port: u16,
    shared: Arc<Shared>,
}

impl Sink {
    /// Starts one that takes everything.
    pub fn start() -> Sink {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&own);
                // Clients come and go as they please; that is for the test to judge.
                std::thread::spawn(move || serve(stream, &shared));
            }
        });
        Sink { port, shared }
    }

    /// Misbehaves from now on, or no longer.
    pub fn misbehave(&self, fault: Option<(Stage, Fault)>) {
        *self.shared.fault.lock().unwrap() = fault;
    }

    /// Does this once, when the next mail has been taken and nothing has been said yet.
    pub fn before_answer(&self, hook: impl FnOnce() + Send + 'static) {
        *self.shared.before_answer.lock().unwrap() = Some(Box::new(hook));
    }

    /// All mails taken so far.
    pub fn taken(&self) -> Vec<Taken> {
        self.shared.taken.lock().unwrap().clone()
    }
}

/// One connection, to its end.
fn serve(mut stream: TcpStream, shared: &Shared) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut lines = BufReader::new(stream.try_clone().ok()?);
    let mut to = String::new();
    let mut say = |stage: Option<Stage>, answer: &str| {
        let fault = shared.fault.lock().unwrap().filter(|(at, _)| Some(*at) == stage);
        match fault.map(|(_, fault)| fault) {
            None => stream.write_all(format!("{answer}\r\n").as_bytes()).ok(),
            Some(Fault::Say(code)) => stream.write_all(format!("{code} no\r\n").as_bytes()).ok(),
            Some(Fault::Close) => None,
            Some(Fault::Stall) => {
                // It is over when the client has had enough.
                let _ = stream.read_to_end(&mut Vec::new());
                None
            }
        }
    };
    say(Some(Stage::Greeting), "220 sink")?;
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
        match verb.as_str() {
            "EHLO" => say(Some(Stage::Ehlo), "250-sink\r\n250-8BITMIME\r\n250 SMTPUTF8")?,
            "MAIL" => say(Some(Stage::Mail), "250 ok")?,
            "RCPT" => {
                to = line.split(['<', '>']).nth(1)?.to_owned();
                say(Some(Stage::Rcpt), "250 ok")?;
            }
            "DATA" => {
                let refused = matches!(*shared.fault.lock().unwrap(), Some((Stage::Data, Fault::Say(_))));
                say(Some(Stage::Data), "354 go on")?;
                if refused {
                    continue;
                }
                let mail = read_mail(&mut lines)?;
                let refused = matches!(*shared.fault.lock().unwrap(), Some((Stage::End, Fault::Say(_))));
                if !refused {
                    let text = String::from_utf8_lossy(&mail);
                    let id =
                        text.lines().find_map(|line| line.strip_prefix("Message-ID: "))?.trim().to_owned();
                    shared.taken.lock().unwrap().push(Taken { id, to: to.clone(), mail });
                }
                let hook = shared.before_answer.lock().unwrap().take();
                if let Some(hook) = hook {
                    hook();
                }
                say(Some(Stage::End), "250 taken")?;
            }
            "QUIT" => {
                say(None, "221 bye")?;
                return Some(());
            }
            _ => say(None, "250 ok")?,
        }
    }
}

/// The lines up to the one with a dot; `None` for a mail without end, which is not taken.
fn read_mail(lines: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut mail = Vec::new();
    loop {
        let mut line = Vec::new();
        if lines.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        if line == b".\r\n" {
            return Some(mail);
        }
        mail.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
    }
}

/// How a mail server on this machine is reached.
pub fn settings(port: u16) -> SmtpSettings {
    SmtpSettings {
        host: "127.0.0.1".to_owned(),
        port,
        tls: Tls::None,
        login: None,
        hello: "turnpost.example".to_owned(),
        timeout: Duration::from_secs(10),
    }
}
