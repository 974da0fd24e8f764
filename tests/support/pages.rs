//! The pages, asked for over HTTP as a browser asks.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

use super::host::{Host, finish, start};
use super::mails::{Mail, letter};
use super::serving::{PATIENCE, Served};

pub const URL: &str = "https://play.turnpost.example";

/// What came back.
pub struct Page {
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl Page {
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (field, value) = line.split_once(':')?;
            field.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

pub fn ask(at: SocketAddr, request: &str) -> Page {
    ask_with(at, request, "")
}

/// Asks with a body, whose length the request tells.
pub fn ask_with(at: SocketAddr, request: &str, body: &str) -> Page {
    let mut stream = TcpStream::connect(at).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
        .write_all(format!("{request}\r\nHost: localhost\r\nConnection: close\r\n\r\n{body}").as_bytes())
        .unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Page { status, head, body: bytes[end + 4..].to_vec() }
}

pub fn get(at: SocketAddr, path: &str) -> Page {
    ask(at, &format!("GET {path} HTTP/1.1"))
}

/// A server with the first game of the README.
pub fn served() -> (Host, Served, SocketAddr) {
    let host = Host::new();
    host.run(&["submit"], include_str!("../first-game.txt").as_bytes());
    let served = Served::start(&host, &[("TURNPOST_WEB_LISTEN", "127.0.0.1:0")]);
    let at = served.web.unwrap();
    (host, served, at)
}

/// A server with a proxy in front, so that each request of a test can come from another visitor.
pub fn server(host: &Host) -> (Served, SocketAddr) {
    let served = Served::start(
        host,
        &[
            ("TURNPOST_WEB_LISTEN", "127.0.0.1:0"),
            ("TURNPOST_WEB_URL", URL),
            ("TURNPOST_WEB_TRUSTED_PROXIES", "127.0.0.1"),
        ],
    );
    let at = served.web.unwrap();
    (served, at)
}

/// Asks as visitors do, each request from another address.
pub struct Visitor {
    at: SocketAddr,
    asked: std::cell::Cell<u16>,
}

impl Visitor {
    pub fn new(at: SocketAddr) -> Visitor {
        Visitor { at, asked: std::cell::Cell::new(0) }
    }

    pub fn at(&self) -> SocketAddr {
        self.at
    }

    fn address(&self) -> String {
        self.asked.set(self.asked.get() + 1);
        let [high, low] = self.asked.get().to_be_bytes();
        format!("X-Forwarded-For: 10.0.{high}.{low}")
    }

    pub fn get(&self, path: &str) -> Page {
        ask(self.at, &format!("GET {path} HTTP/1.1\r\n{}", self.address()))
    }

    pub fn get_json(&self, path: &str) -> Page {
        ask(self.at, &format!("GET {path} HTTP/1.1\r\nAccept: application/json\r\n{}", self.address()))
    }

    pub fn json(&self, path: &str) -> Value {
        let page = self.get_json(path);
        assert_eq!(page.status, 200, "{path}: {}", page.text());
        serde_json::from_slice(&page.body).unwrap()
    }

    /// Follows one link as a browser does.
    pub fn follow(&self, path: &str) -> (String, Page) {
        let page = self.get(path);
        match page.status {
            303 => self.follow(page.header("location").unwrap()),
            _ => (path.to_owned(), page),
        }
    }

    pub fn post(&self, path: &str, body: &str) -> Page {
        self.post_with(path, "Content-Type: application/x-www-form-urlencoded", body)
    }

    pub fn post_for_json(&self, path: &str, body: &str) -> Page {
        let form = "Content-Type: application/x-www-form-urlencoded\r\nAccept: application/json";
        self.post_with(path, form, body)
    }

    fn post_with(&self, path: &str, form: &str, body: &str) -> Page {
        let length = body.len();
        ask_with(
            self.at,
            &format!("POST {path} HTTP/1.1\r\n{}\r\n{form}\r\nContent-Length: {length}", self.address()),
            body,
        )
    }
}

pub fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The links of a page that hold `what`.
pub fn links(page: &str, what: &str) -> Vec<String> {
    page.split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(|link| link.replace("&amp;", "&").replace("&#x2f;", "/"))
        .filter(|link| link.contains(what))
        .collect()
}

/// The link to the page in a mail.
fn link(mail: &Mail) -> Option<String> {
    let line = mail.text.lines().find_map(|line| line.strip_prefix("On a page: "))?;
    Some(line.strip_prefix(URL).unwrap().to_owned())
}

/// The link in the newest mail to an address.
pub fn newest(host: &Host, to: &str) -> String {
    host.wait_until_quiet();
    host.newest_first().filter(|mail| mail.to == to).find_map(|mail| link(&mail)).unwrap()
}

pub fn reply_to(host: &Host, to: &str) -> String {
    let raw = host.newest_first().find(|mail| mail.to == to && link(mail).is_some()).unwrap().raw();
    raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap().to_owned()
}

/// A host with ann and bob and their game, whose mails have links.
fn host(challenge: &str) -> Host {
    let host = Host::new();
    let text = format!(
        "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.org\n{challenge} ann bob\n"
    );
    let mut submit = host.command(&["submit"]);
    submit.envs([("TURNPOST_WEB_LISTEN", "127.0.0.1:0"), ("TURNPOST_WEB_URL", URL)]);
    finish(start(submit, text.as_bytes())).ok();
    host
}

/// A game that has begun, and its pages.
pub fn seated(challenge: &str) -> (Host, Served, Visitor) {
    let host = host(challenge);
    let (served, at) = server(&host);
    (host, served, Visitor::new(at))
}

/// The same after ann's first move, by mail.
pub fn begun(challenge: &str, first: &str) -> (Host, Served, Visitor) {
    let (host, served, visitor) = seated(challenge);
    let game = challenge.split(' ').next().unwrap();
    let mail = letter("ann@example.org", &format!("{game} move 1 ann plover-42 {first}"), "", 1);
    served.connect().takes(&mail);
    host.wait_until_quiet();
    (host, served, visitor)
}
