//! Streams that tell open pages of news.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::support::mails::letter;
use crate::support::pages::{begun, get, newest, sign_in};
use crate::support::serving::PATIENCE;

/// A change reaches an open page within this time.
const SOON: Duration = Duration::from_secs(2);

/// A page that listens.
struct Listener {
    stream: BufReader<TcpStream>,
    head: String,
}

impl Listener {
    /// Asks for the news of a page, as the visitor with this number.
    fn of(at: SocketAddr, path: &str, visitor: u8) -> Listener {
        Listener::with(at, path, visitor, "X: y")
    }

    fn with(at: SocketAddr, path: &str, visitor: u8, field: &str) -> Listener {
        let mut stream = TcpStream::connect(at).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let asked = format!(
            "GET {path}/events HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.1.0.{visitor}\r\n{field}\r\n\r\n"
        );
        stream.write_all(asked.as_bytes()).unwrap();
        let mut listener = Listener { stream: BufReader::new(stream), head: String::new() };
        while !listener.head.ends_with("\r\n\r\n") {
            listener.stream.read_line(&mut listener.head).unwrap();
        }
        listener
    }

    /// The next news; `None` if the stream has ended. Panics if none come in time.
    fn hears(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            // The last chunk, or the end of the connection.
            if self.stream.read_line(&mut line).unwrap() == 0 || line == "0\r\n" {
                return None;
            }
            if let Some(news) = line.strip_prefix("data: ") {
                return Some(news.trim_end().to_owned());
            }
        }
    }
}

#[test]
fn an_open_page_hears_what_happens_within_two_seconds() {
    let (host, served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let (at, page) = (visitor.at(), newest(&host, "bob@example.org"));
    let mut of_bob = Listener::of(at, &page, 1);
    let mut of_all = Listener::of(at, "/dvonn/1", 2);
    assert!(of_bob.head.starts_with("HTTP/1.1 200"), "{}", of_bob.head);
    for field in ["content-type: text/event-stream", "x-accel-buffering: no", "cache-control: no-store"] {
        assert!(of_bob.head.to_lowercase().contains(field), "{}", of_bob.head);
    }
    // A page that was made before something happened hears of it at once.
    assert_eq!((of_bob.hears().unwrap(), of_all.hears().unwrap()), ("2".to_owned(), "2".to_owned()));
    let live = |path: &str| {
        let page = visitor.get(path).text();
        page.split("data-live=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    assert_eq!((live(&page), live("/dvonn/1")), ("2".to_owned(), "2".to_owned()));
    let mut client = served.connect();
    let mut write = |number: u32, line: &str, text: &str| {
        client.takes(&letter("ann@example.org", line, text, number));
        Instant::now()
    };
    // The words of two players are no news for others.
    let said = write(2, "dvonn chat 1 ann plover-42", "A fine day.");
    let words = of_bob.hears().unwrap();
    assert!(words.starts_with("2.") && said.elapsed() < SOON, "{words}");
    assert_eq!(live(&page), words);
    let offered = write(3, "dvonn propose 1 ann plover-42", "");
    assert_eq!(of_all.hears().unwrap(), "3");
    assert!(of_bob.hears().unwrap().starts_with("3.") && offered.elapsed() < SOON);
    // By the link of the mail from before the offer.
    assert!(visitor.get(&page).text().contains("value=\"accept\""));
    let moved = visitor.post(&page, "act=move&turn=K3-J2");
    assert_eq!(moved.status, 303, "{}", moved.text());
    let begun = Instant::now();
    assert!(of_bob.hears().unwrap().starts_with("4.") && begun.elapsed() < SOON);
    assert_eq!(of_all.hears().unwrap(), "4");
    // A command of another process.
    host.run(&["submit", "--as-anyone", "dvonn", "resign", "1", "ann", "-"], b"").ok();
    assert_eq!(of_all.hears().unwrap(), "5");
    served.terminate();
    assert!(of_bob.hears().is_some_and(|news| news.starts_with("5.")));
    assert_eq!((of_bob.hears(), of_all.hears()), (None, None));
    assert_eq!(served.end().0, Some(0));
}

#[test]
fn the_page_of_ones_games_hears_of_each_of_its_boards() {
    let (host, served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let cookie = sign_in(&host, &visitor, "bob", "bob@example.org");
    let live = || {
        let page = visitor.me(&cookie);
        page.split("data-live=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    assert!(visitor.me(&cookie).contains("data-news=\"/me/events\""));
    let mut news = Listener::with(visitor.at(), "/me", 1, &format!("Cookie: {cookie}"));
    let mut hears = || {
        let heard = news.hears().unwrap();
        assert_eq!(heard, live());
        heard
    };
    assert_eq!(hears(), "2");
    let mut client = served.connect();
    let mut write = |number: u32, line: &str, text: &str| {
        client.takes(&letter("ann@example.org", line, text, number));
        Instant::now()
    };
    for (line, text, expected) in [
        ("dvonn undo 1 ann plover-42", "", "3"),
        ("hex challenge ann bob", "", "4"),
        ("hex move 2 ann plover-42 c3", "", "5"),
        ("dvonn chat 1 ann plover-42", "A fine day.", "5."),
    ] {
        let written = write(expected.len() as u32 * 10 + line.len() as u32, line, text);
        let heard = hears();
        assert!(heard.starts_with(expected) && written.elapsed() < SOON, "{line}: {heard}");
    }
    let stranger = Listener::of(visitor.at(), "/me", 2);
    assert!(stranger.head.starts_with("HTTP/1.1 404"), "{}", stranger.head);
    drop((news, stranger));
    served.stop();
}

#[test]
fn streams_are_counted_and_keep_no_page_waiting() {
    let (_host, served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let at = visitor.at();
    let mut open: Vec<Listener> = (0..4).map(|_| Listener::of(at, "/dvonn/1", 1)).collect();
    let says = |visitor: u8, path: &str| Listener::of(at, path, visitor).head[9..12].to_owned();
    assert_eq!(says(1, "/dvonn/1"), "429");
    for path in ["/dvonn/2", "/hex/1", "/play/p1.aaaaaaaaaaaaaaaaaaaaaaaaaa"] {
        assert_eq!(says(2, path), "404", "{path}");
    }
    open.extend((10..73).flat_map(|visitor| (0..4).map(move |_| Listener::of(at, "/dvonn/1", visitor))));
    assert!(open.iter().all(|listener| listener.head.contains(" 200 ")));
    assert_eq!(says(9, "/dvonn/1"), "503");
    assert_eq!(get(at, "/dvonn/1").status, 200);
    assert!(open.iter_mut().all(|listener| listener.hears().as_deref() == Some("2")));
    // A place is free again when its page has gone.
    open.truncate(200);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(says(9, "/dvonn/1"), "200");
    // New settings end the streams, and the browsers ask again.
    served.signal("HUP");
    assert_eq!(open[0].hears(), None);
    served.stop();
}
