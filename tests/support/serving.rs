//! The server as a process, and a mail server that speaks LMTP with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::host::Host;

/// The longest step of a test. A letter waits up to twenty seconds for the server's threads, and as long for other processes.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something is so, and panics with `what` where that takes too long.
pub fn wait_until(what: &str, is: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A `turnpost serve` at work.
pub struct Served {
    child: Child,
    lines: Mutex<Receiver<String>>,
    log: Arc<Mutex<String>>,
    listener: Option<JoinHandle<()>>,
    /// The address at which it takes mail.
    pub lmtp: Option<SocketAddr>,
    /// Where its pages for monitoring are.
    pub http: Option<SocketAddr>,
    /// Where its web pages are.
    pub web: Option<SocketAddr>,
}

impl Served {
    /// Starts the server of a host, LMTP on any free port, with variables on top.
    pub fn start(host: &Host, variables: &[(&str, &str)]) -> Served {
        let mut command = host.command(&["serve"]);
        command.env("TURNPOST_SERVE_LMTP", "127.0.0.1:0").envs(variables.iter().copied());
        Served::of(command)
    }

    /// Starts the server that a command is.
    pub fn of(mut command: Command) -> Served {
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let log = Arc::new(Mutex::new(String::new()));
        let (stderr, copy) = (child.stderr.take().unwrap(), Arc::clone(&log));
        let listener = std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                *copy.lock().unwrap() += &format!("{line}\n");
                let _ = sender.send(line);
            }
        });
        let mut served = Served {
            child,
            lines: Mutex::new(lines),
            log,
            listener: Some(listener),
            lmtp: None,
            http: None,
            web: None,
        };
        let sentence = served.wait_for("serving ");
        let behind = |word: &str| {
            let rest = sentence.split_once(word)?.1;
            let end = rest.find([' ', ';', '"']).unwrap_or(rest.len());
            rest[..end].parse().ok()
        };
        served.lmtp = behind("LMTP at ");
        served.http = behind("/metrics at http://");
        served.web = behind("web pages at http://");
        served
    }

    /// Waits for a line of the log that holds `words`.
    pub fn wait_for(&self, words: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.lines.lock().unwrap().recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) if line.contains(words) => return line,
                Ok(_) => {}
                Err(_) => panic!("no {words:?} in the log:\n{}", self.log()),
            }
        }
    }

    /// All that it said so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Its number as a process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        self.signal("TERM");
    }

    /// Sends it a signal.
    pub fn signal(&self, name: &str) {
        let kill = Command::new("kill").args(["-s", name, &self.process().to_string()]).status();
        assert!(kill.unwrap().success());
    }

    /// Waits for its end; gives its exit code and its log.
    pub fn end(mut self) -> (Option<i32>, String) {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                // Its last lines are in the pipe.
                self.listener.take().unwrap().join().unwrap();
                return (status.code(), self.log());
            }
            assert!(Instant::now() < until, "it does not end:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Stops it, and panics unless it ends as it should; gives its log.
    pub fn stop(self) -> String {
        self.terminate();
        let (code, log) = self.end();
        assert_eq!(code, Some(0), "{log}");
        log
    }

    /// Kills it where it stands.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// A connection, greeted.
    pub fn connect(&self) -> Client {
        let mut client = Client::tcp(self.lmtp.unwrap());
        client.hello();
        client
    }

    /// What its page says: the first line and the body.
    pub fn page(&self, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(self.http.unwrap()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap().to_owned(), body.to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // A test that failed leaves nothing running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The mail server's side of a connection.
pub struct Client {
    reader: BufReader<Box<dyn Read + Send>>,
    writer: Box<dyn Write + Send>,
}

impl Client {
    /// A connection to a port.
    pub fn tcp(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let other = stream.try_clone().unwrap();
        Client { reader: BufReader::new(Box::new(other)), writer: Box::new(stream) }
    }

    /// A connection to a socket in the file system.
    pub fn unix(path: &Path) -> Client {
        let stream = UnixStream::connect(path).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let other = stream.try_clone().unwrap();
        Client { reader: BufReader::new(Box::new(other)), writer: Box::new(stream) }
    }

    /// Writes.
    pub fn say(&mut self, octets: &[u8]) {
        self.writer.write_all(octets).unwrap();
        self.writer.flush().unwrap();
    }

    /// Reads one reply, all of its lines; empty at the end of the connection.
    pub fn reply(&mut self) -> String {
        let mut reply = String::new();
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line).unwrap_or(0) == 0 {
                return reply;
            }
            reply += &line;
            if line.as_bytes().get(3) != Some(&b'-') {
                return reply;
            }
        }
    }

    /// Reads the greeting, says LHLO.
    pub fn hello(&mut self) {
        assert!(self.reply().starts_with("220 "));
        self.say(b"LHLO mx.example\r\n");
        assert!(self.reply().starts_with("250-"));
    }

    /// Hands in a mail, envelope and all in two pieces as RFC 2920 allows; gives the replies to its recipients.
    pub fn mail(&mut self, sender: &str, recipients: &[&str], mail: &[u8]) -> Vec<String> {
        self.begin(sender, recipients);
        self.say(&stuffed(mail));
        self.say(b".\r\n");
        recipients.iter().map(|_| self.reply()).collect()
    }

    /// Says all that comes before a mail's octets.
    pub fn begin(&mut self, sender: &str, recipients: &[&str]) {
        let mut envelope = format!("MAIL FROM:<{sender}>\r\n");
        for recipient in recipients {
            envelope += &format!("RCPT TO:<{recipient}>\r\n");
        }
        self.say(format!("{envelope}DATA\r\n").as_bytes());
        for _ in 0..=recipients.len() {
            assert!(self.reply().starts_with("250 "));
        }
        assert!(self.reply().starts_with("354 "));
    }

    /// Hands in a mail to the server's address, which must be taken.
    pub fn takes(&mut self, mail: &[u8]) {
        let replies = self.mail("someone@example.org", &[super::ADDRESS], mail);
        assert_eq!(replies, ["250 2.0.0 taken\r\n"]);
    }
}

/// A mail as sent after DATA, without its end.
pub fn stuffed(mail: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in mail.split_inclusive(|octet| *octet == b'\n') {
        if line.starts_with(b".") {
            out.push(b'.');
        }
        out.extend(line);
    }
    if !out.ends_with(b"\r\n") {
        out.extend(b"\r\n");
    }
    out
}
