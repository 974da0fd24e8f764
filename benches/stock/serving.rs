//! `serve` as a process, those who hand letters in, and a server that takes its mails.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Variables of a server.
pub type Settings<'a> = &'a [(&'a str, &'a str)];

pub struct Served {
    child: Child,
    pub lmtp: SocketAddr,
    pub http: SocketAddr,
}

impl Served {
    pub fn start(data: &Path, settings: Settings<'_>) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
        command.env("TURNPOST_DATA", data).arg("serve").stderr(Stdio::piped());
        // As the unit of the package has it.
        command.env("MALLOC_MMAP_THRESHOLD_", "262144");
        for key in ["LMTP", "HTTP"] {
            command.env(format!("TURNPOST_SERVE_{key}"), "127.0.0.1:0");
        }
        let mut child = command.envs(settings.iter().copied()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("serving") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "it did not start");
        }
        // The log is read, as systemd does, and not kept.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        let behind = |word: &str| {
            let rest = line.split_once(word).unwrap().1;
            rest[..rest.find([';', '\n']).unwrap_or(rest.len())].trim().parse().unwrap()
        };
        Served { child, lmtp: behind("LMTP at "), http: behind("/metrics at http://") }
    }

    pub fn metric(&self, name: &str) -> u64 {
        let mut stream = TcpStream::connect(self.http).unwrap();
        write!(stream, "GET /metrics HTTP/1.1\r\n\r\n").unwrap();
        let lines = BufReader::new(stream).lines().map(Result::unwrap);
        let found = lines.filter_map(|line| line.strip_prefix(name).map(str::to_owned)).next();
        found.unwrap_or_else(|| panic!("no {name}")).trim().parse().unwrap()
    }

    /// The time of a core that it has taken so far, in seconds.
    pub fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let ticks = fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<f64>().unwrap());
        // Linux reports a hundred ticks a second to all programs.
        ticks.sum::<f64>() / 100.0
    }

    /// Its memory now, and the most it had, in MiB.
    pub fn memory(&self) -> (f64, f64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let mib = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
            line.trim_start_matches(':').split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1024.0
        };
        (mib("VmRSS"), mib("VmHWM"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

/// A connection to a server of LMTP or SMTP, with the least that a client does.
pub struct Client {
    reader: BufReader<TcpStream>,
}

impl Client {
    pub fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut client = Client { reader: BufReader::new(stream) };
        client.replies(1, "220");
        client.say(b"LHLO mx.example\r\n");
        client.replies(1, "250");
        client
    }

    fn say(&mut self, octets: &[u8]) {
        self.reader.get_mut().write_all(octets).unwrap();
    }

    fn replies(&mut self, count: usize, code: &str) {
        let mut line = String::new();
        let mut seen = 0;
        while seen < count {
            line.clear();
            assert!(self.reader.read_line(&mut line).unwrap() > 0, "the connection was closed");
            assert!(line.starts_with(code), "{line}");
            seen += usize::from(line.as_bytes().get(3) == Some(&b' '));
        }
    }

    pub fn mail(&mut self, recipient: &str, mail: &[u8]) {
        self.say(format!("MAIL FROM:<ann@example.org>\r\nRCPT TO:<{recipient}>\r\nDATA\r\n").as_bytes());
        self.replies(2, "250");
        self.replies(1, "354");
        self.say(mail);
        self.replies(1, "250");
    }
}

/// A reply from a phone: the move, and below it the mail it answers.
pub fn reply(n: usize, from: &str, to: &str, word: &str) -> Vec<u8> {
    let quoted: String = (0..30).map(|line| format!("> {line:02} \\__/w \\__/b \\__/w \\__/\r\n")).collect();
    format!(
        "Return-Path: <{from}@example.org>\r\nReceived: from mx.example.org (mx.example.org [192.0.2.7])\r\n\tby host.example.net \
         (Postfix) with ESMTPS id 4A1B2C3D;\r\n\tFri, 20 Nov 2026 12:00:00 +0000 (UTC)\r\nDate: Fri, 20 Nov 2026 13:00:00 +0100\r\n\
         From: {from} <{from}@example.org>\r\nTo: Turnpost <{to}>\r\nMessage-ID: <bench.{n}@example.org>\r\n\
         In-Reply-To: <turnpost.1@localhost>\r\nSubject: Re: dvonn 1, ann v bob\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n{word}\r\n\r\nOn Fri, 20 Nov 2026, Turnpost wrote:\r\n{quoted}.\r\n"
    )
    .into_bytes()
}

/// A server of SMTP that takes everything and keeps nothing.
pub fn sink() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || swallow(stream.unwrap()));
        }
    });
    address
}

fn swallow(stream: TcpStream) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    let mut inside = false;
    let _ = reader.get_mut().write_all(b"220 sink\r\n");
    while {
        line.clear();
        reader.read_line(&mut line).is_ok_and(|got| got > 0)
    } {
        let answer = match line.trim_end() {
            "." if inside => {
                inside = false;
                "250 taken\r\n"
            }
            _ if inside => continue,
            "DATA" => {
                inside = true;
                "354 go on\r\n"
            }
            "QUIT" => "221 bye\r\n",
            hello if hello.starts_with("EHLO") => "250-sink\r\n250 8BITMIME\r\n",
            _ => "250 yes\r\n",
        };
        if reader.get_mut().write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}
