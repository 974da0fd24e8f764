//! A visitor with TLS, whose address is one of this machine's.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::process::{Command, Stdio};

use rustix::net::{AddressFamily, SocketType};

/// Whoever asks from an address.
pub struct Visitor {
    from: &'static str,
}

/// All that came back, head and body.
#[derive(Debug)]
pub struct Answers {
    pub text: String,
}

impl Answers {
    /// The status of the first answer.
    pub fn status(&self) -> u16 {
        let status = self.text.split(' ').nth(1).and_then(|status| status.parse().ok());
        status.unwrap_or_else(|| panic!("no answer: {:?}", self.text))
    }

    /// A field of the first answer.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = self.text.split("\r\n\r\n").next()?;
        head.lines().find_map(|line| {
            let (field, value) = line.split_once(':')?;
            field.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    }
}

/// A connection from an address of this machine, without TLS.
pub fn plain(from: [u8; 4], port: u16) -> TcpStream {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    rustix::net::bind(&socket, &SocketAddrV4::new(from.into(), 0)).unwrap();
    rustix::net::connect(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)).unwrap();
    socket.into()
}

impl Visitor {
    pub fn at(from: &'static str) -> Visitor {
        Visitor { from }
    }

    pub fn get(&self, path: &str) -> Answers {
        self.ask(&[format!("GET {path} HTTP/1.1")])
    }

    pub fn post(&self, path: &str, form: &str) -> Answers {
        let kind = "Content-Type: application/x-www-form-urlencoded";
        let length = form.len();
        self.say(&[format!("POST {path} HTTP/1.1\r\n{kind}\r\nContent-Length: {length}")], form)
    }

    /// Asks for pages on one connection.
    pub fn ask(&self, requests: &[String]) -> Answers {
        self.say(requests, "")
    }

    fn say(&self, requests: &[String], body: &str) -> Answers {
        let mut said = String::new();
        for (number, request) in requests.iter().enumerate() {
            let connection = if number + 1 == requests.len() { "close" } else { "keep-alive" };
            said += &format!("{request}\r\nHost: play.example.org\r\nConnection: {connection}\r\n\r\n");
        }
        said += body;
        let mut client = Command::new("openssl")
            .args(["s_client", "-quiet", "-ign_eof", "-connect", "127.0.0.1:443", "-bind"])
            .args([&format!("{}:0", self.from), "-servername", "play.example.org"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A proxy may close before it has read all.
        let _ = client.stdin.take().unwrap().write_all(said.as_bytes());
        let output = client.wait_with_output().unwrap();
        Answers { text: String::from_utf8_lossy(&output.stdout).into_owned() }
    }
}
