//! The pages, asked for over HTTP as a browser asks: by a socket, or in this process.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use turnpost::connections::{Caller, OpenConnection};
use turnpost::play::robot::RobotConfig;
use turnpost::store::Store;
use turnpost::web::{CurrentSite, Setting, Site, attend};

use super::host::{Host, finish, start};
use super::mails::{Mail, letter};
use super::serving::{PATIENCE, Served};

pub const URL: &str = "https://play.turnpost.example";

/// What a browser says of a form that is on one of our pages.
pub const OURS: &str = "Origin: https://play.turnpost.example";

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

/// Who answers.
#[derive(Clone)]
pub enum At {
    /// A server.
    Port(SocketAddr),
    /// The pages of a database, which nothing can be done on.
    Site(CurrentSite),
}

impl From<SocketAddr> for At {
    fn from(port: SocketAddr) -> At {
        At::Port(port)
    }
}

impl From<&At> for At {
    fn from(at: &At) -> At {
        at.clone()
    }
}

impl At {
    /// The pages of a database in this process, with a proxy in front.
    pub fn database(path: &Path) -> At {
        let app = turnpost::config::Config::default().app();
        let setting = Setting {
            templates: app.templates,
            proxies: vec![Ipv4Addr::LOCALHOST.into()],
            url: URL,
            try_game: "",
            // Each server draws its own.
            rng: ChaCha12Rng::seed_from_u64(now().as_microsecond().unsigned_abs()),
            now,
            robot: &RobotConfig::default(),
            push: false,
            hand: Box::new(|_, _| None),
            answered: Box::new(|_| ()),
        };
        let site = Site::new(setting, || Store::open_existing(path)).unwrap();
        At::Site(tokio::sync::watch::channel(Arc::new(site)).1)
    }

    fn exchange(&self, said: &[u8]) -> Vec<u8> {
        let mut back = Vec::new();
        let site = match self {
            At::Port(port) => {
                let mut stream = TcpStream::connect(port).unwrap();
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                stream.write_all(said).unwrap();
                stream.read_to_end(&mut back).unwrap();
                return back;
            }
            At::Site(site) => site.clone(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let (mut visitor, server) = tokio::io::duplex(1 << 20);
            let peer = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 1)));
            let (stream, connection) = (Box::new(server), OpenConnection::default());
            tokio::spawn(attend(site, Caller { number: 1, stream, peer, connection }));
            visitor.write_all(said).await.unwrap();
            visitor.read_to_end(&mut back).await.unwrap();
        });
        back
    }
}

#[expect(clippy::disallowed_methods, reason = "the database is a server's, which has the real clock")]
pub fn now() -> Timestamp {
    Timestamp::now()
}

pub fn ask(at: impl Into<At>, request: &str) -> Page {
    ask_with(at, request, "")
}

/// Asks with a body, whose length the request tells.
pub fn ask_with(at: impl Into<At>, request: &str, body: &str) -> Page {
    let said = format!("{request}\r\nHost: localhost\r\nConnection: close\r\n\r\n{body}");
    let bytes = at.into().exchange(said.as_bytes());
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Page { status, head, body: bytes[end + 4..].to_vec() }
}

pub fn get(at: impl Into<At>, path: &str) -> Page {
    ask(at, &format!("GET {path} HTTP/1.1"))
}

/// The pages of the first game of the README.
pub fn first_game() -> (Host, At) {
    let host = Host::new();
    host.run(&["submit"], include_str!("../first-game.txt").as_bytes());
    let at = At::database(&host.database());
    (host, at)
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
    at: At,
    asked: std::cell::Cell<u16>,
}

impl Visitor {
    pub fn new(at: impl Into<At>) -> Visitor {
        Visitor { at: at.into(), asked: std::cell::Cell::new(0) }
    }

    /// The port of the server.
    pub fn at(&self) -> SocketAddr {
        let At::Port(port) = self.at else { panic!("these pages have no socket") };
        port
    }

    fn address(&self) -> String {
        self.asked.set(self.asked.get() + 1);
        let [high, low] = self.asked.get().to_be_bytes();
        format!("X-Forwarded-For: 10.0.{high}.{low}")
    }

    pub fn get(&self, path: &str) -> Page {
        ask(&self.at, &format!("GET {path} HTTP/1.1\r\n{}", self.address()))
    }

    pub fn get_json(&self, path: &str) -> Page {
        ask(&self.at, &format!("GET {path} HTTP/1.1\r\nAccept: application/json\r\n{}", self.address()))
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
        self.send(&format!("POST {path}"), "Content-Type: application/x-www-form-urlencoded", body)
    }

    pub fn post_for_json(&self, path: &str, body: &str) -> Page {
        let form = "Content-Type: application/x-www-form-urlencoded\r\nAccept: application/json";
        self.send(&format!("POST {path}"), form, body)
    }

    /// A request with fields of a browser.
    pub fn send(&self, request: &str, fields: &str, body: &str) -> Page {
        let (length, address) = (body.len(), self.address());
        let request = format!("{request} HTTP/1.1\r\n{address}\r\n{fields}\r\nContent-Length: {length}");
        ask_with(&self.at, &request, body)
    }

    /// The page of the games of the player who has this cookie.
    pub fn me(&self, cookie: &str) -> String {
        self.send("GET /me", &format!("Cookie: other=1; {cookie}"), "").text()
    }

    /// Sends a form of that page.
    pub fn post_me(&self, cookie: &str, body: &str) -> Page {
        let body = format!("{}&{body}", signs(&self.me(cookie)));
        self.send("POST /me", &format!("Cookie: {cookie}\r\n{OURS}"), &body)
    }
}

/// The code and the number of a form on the page of a player who is signed in.
pub fn signs(page: &str) -> String {
    let value = |name: &str| {
        page.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    format!("code={}&once={}", value("code"), value("once"))
}

/// The paths of the links that were mailed to somebody, the newest first.
pub fn mailed(host: &Host, to: &str) -> Vec<String> {
    host.wait_until_quiet();
    let is_link =
        |line: &str| line.strip_prefix(URL).filter(|path| path.starts_with("/sign-in/")).map(str::to_owned);
    host.newest_first()
        .filter(|mail| mail.to == to)
        .filter_map(|mail| mail.text.lines().find_map(is_link))
        .collect()
}

/// Signs a browser in; gives its cookie.
pub fn sign_in(host: &Host, visitor: &Visitor, who: &str, to: &str) -> String {
    let asked = visitor.send("POST /sign-in", OURS, &format!("who={who}"));
    assert_eq!(asked.status, 200, "{}", asked.text());
    let link = mailed(host, to).remove(0);
    let opened = visitor.send(&format!("POST {link}"), OURS, "");
    assert_eq!((opened.status, opened.header("location")), (303, Some("/me")), "{}", opened.text());
    let cookie = opened.header("set-cookie").unwrap();
    for part in ["Path=/", "HttpOnly", "SameSite=Strict", "Secure"] {
        assert!(cookie.split("; ").any(|one| one == part), "{cookie}");
    }
    cookie.split(';').next().unwrap().to_owned()
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
    let page = format!("{URL}/play/");
    mail.text.split_whitespace().find(|word| word.starts_with(&page))?.strip_prefix(URL).map(str::to_owned)
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
