//! Odd requests by the real handler, ten thousand of them where `TURNPOST_LONG` is set: none breaks it, and none is told
//! anything.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use crate::support::data::DataFile;
use crate::support::pages::{begun, links, newest};
use crate::support::rounds;
use crate::support::serving::PATIENCE;

/// A section of `tests/data/odd-requests.txt`.
fn section(name: &str) -> Vec<String> {
    DataFile::read("odd-requests.txt").entries(name)
}

/// A connection that is made anew whenever the server ends it.
struct Line {
    at: SocketAddr,
    open: Option<BufReader<TcpStream>>,
}

impl Line {
    /// Asks; `None` where the server ends the connection without an answer.
    fn ask(&mut self, request: &[u8], with_body: bool) -> Option<(u16, Vec<u8>)> {
        let mut stream = self.open.take().unwrap_or_else(|| {
            let stream = TcpStream::connect(self.at).unwrap();
            stream.set_nodelay(true).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            BufReader::new(stream)
        });
        stream.get_mut().write_all(request).ok()?;
        let mut line = String::new();
        stream.read_line(&mut line).ok()?;
        let status = line.split(' ').nth(1)?.parse().unwrap();
        let (mut length, mut closes) = (0, !(200..400).contains(&status));
        loop {
            line.clear();
            assert!(stream.read_line(&mut line).unwrap() > 0, "half an answer");
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            match name {
                "content-length" => length = value.parse().unwrap(),
                "connection" => closes |= value == "close",
                _ => {}
            }
        }
        let mut body = vec![0; if with_body && status != 304 { length } else { 0 }];
        stream.read_exact(&mut body).unwrap();
        // What stands behind an odd request may be taken for the next one.
        self.open = Some(stream).filter(|_| !closes);
        Some((status, body))
    }
}

#[test]
fn odd_requests_break_nothing_and_learn_nothing() {
    let (host, served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let token = newest(&host, "bob@example.org");
    let (here, _) = visitor.follow("/try/hexmeister?level=1");
    let mut known: Vec<String> =
        ["/", "/dvonn/1", "/dvonn/1.json?ply=0", "/players/ann", "/help/dvonn"].map(str::to_owned).into();
    known.extend(links(&visitor.get(&token).text(), "/play/"));
    known.push(here);
    let mut rng = ChaCha12Rng::seed_from_u64(25);
    let mut line = Line { at: served.web.unwrap(), open: None };
    let mut statuses = std::collections::BTreeMap::new();
    let (methods, fields, bodies) = (section("methods"), section("fields"), section("bodies"));
    let all_pieces = section("pieces of addresses");
    let requests: u32 = u32::try_from(rounds(1_000, 10_000)).unwrap();
    for number in 0..requests {
        let count = rng.random_range(1..9);
        let mut pick = |from: &[String]| from[rng.random_range(0..from.len())].clone();
        let (method, field, body) = (pick(&methods), pick(&fields), pick(&bodies));
        let pieces: String = (0..count).map(|_| pick(&all_pieces)).collect();
        let address = match rng.random_range(0..4) {
            // A true address, cut or lengthened somewhere.
            0 => {
                let known = &known[rng.random_range(0..known.len())];
                let cut = known.char_indices().nth(rng.random_range(0..known.len())).map_or(0, |(at, _)| at);
                format!("{}{pieces}", &known[..cut])
            }
            1 => format!(
                "{}{}",
                known[rng.random_range(0..known.len())],
                ["", "?", "&", "/", "x"][rng.random_range(0..5)]
            ),
            _ => format!("/{pieces}"),
        };
        let [_, high, middle, low] = number.to_be_bytes();
        let mut request = format!(
            "{method} {address} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.{high}.{middle}.{low}\r\n"
        );
        if rng.random_range(0..3) == 0 {
            request += &format!("{field}\r\n");
        }
        if method == "POST" && !request.contains("Content-Length") && !request.contains("chunked") {
            request += &format!("Content-Length: {}\r\n", body.len());
        }
        request += "\r\n";
        if method == "POST" {
            request += &body;
        }
        let mut octets = request.into_bytes();
        // One in twenty has a broken octet.
        if rng.random_range(0..20) == 0 {
            let at = rng.random_range(0..octets.len() - 4);
            octets[at] = rng.random();
        }
        if String::from_utf8_lossy(&octets).contains("chunked")
            || String::from_utf8_lossy(&octets).contains("Content-Length: 3")
        {
            octets.extend(b"0\r\n\r\n");
        }
        let answered = line.ask(&octets, method != "HEAD");
        let (status, body) = answered.unwrap_or_default();
        assert!(status < 500, "{status}: {}", String::from_utf8_lossy(&octets));
        let text = String::from_utf8_lossy(&body);
        for secret in ["@example.org", "plover-42", "dunlin-7", "panicked", "sqlite", "SELECT "] {
            assert!(!text.contains(secret), "{secret} for {}", String::from_utf8_lossy(&octets));
        }
        *statuses.entry(status).or_insert(0) += 1;
    }
    for status in [200, 400, 404, 405] {
        assert!(statuses.get(&status).is_some_and(|count| *count > requests / 100), "{statuses:?}");
    }
    assert_eq!(visitor.get("/").status, 200);
    let log = served.stop();
    assert!(!log.contains("WARN") && !log.contains("ERROR") && !log.contains("panicked"), "{log}");
    host.assert_verified();
}
