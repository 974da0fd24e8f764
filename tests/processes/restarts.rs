//! The server is stopped and started while a mail server hands letters in: whatever it hears, it brings again what was
//! not taken, and each letter is played once.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::support::post_office::{Letter, PostOffice};
use crate::support::serving::{Client, PATIENCE, Served};
use rand::Rng;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use std::io::{Read, Write};

/// All that is said to a mail server about a letter, by one connection.
fn hand_in(address: SocketAddr, letter: &Letter, pause: Duration) -> String {
    let mut heard = String::new();
    let Ok(mut stream) = TcpStream::connect(address) else { return heard };
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mail = crate::support::serving::stuffed(&letter.mail);
    let (half, rest) = mail.split_at(mail.len() / 2);
    let envelope = format!(
        "LHLO mx.example\r\nMAIL FROM:<someone@example.org>\r\nRCPT TO:<{}>\r\nDATA\r\n",
        letter.recipient
    );
    let pieces = [envelope.as_bytes(), half, rest, b".\r\n", b"QUIT\r\n"];
    for piece in pieces {
        if stream.write_all(piece).is_err() {
            break;
        }
        std::thread::sleep(pause);
    }
    // What was said before a connection was reset counts.
    let _ = stream.read_to_string(&mut heard);
    heard
}

#[test]
fn letters_come_while_the_server_is_restarted_and_each_is_played_once() {
    let mut office = PostOffice::open();
    let mut rng = ChaCha12Rng::seed_from_u64(7);
    let (mut taken, mut put_off, mut cut) = (0, 0, 0);
    let mut served = Served::start(&office.host, &[]);
    for _ in 0..30 {
        let letter = office.next_letter(rng.next_u32());
        loop {
            let pause = Duration::from_micros(u64::from(rng.next_u32() % 6000));
            // On a fast machine no letter is cut off by a stop in its middle: some begin when the server is going.
            let [late, moment] = [rng.next_u32(), rng.next_u32()]
                .map(|number| Duration::from_micros(u64::from(number % 25_000)));
            let address = served.lmtp.unwrap();
            let heard = std::thread::scope(|scope| {
                let handing = scope.spawn(|| {
                    std::thread::sleep(late);
                    hand_in(address, &letter, pause)
                });
                std::thread::sleep(moment);
                served.terminate();
                handing.join().unwrap()
            });
            let (code, log) = served.end();
            assert_eq!(code, Some(0), "{log}");
            served = Served::start(&office.host, &[]);
            let behind = heard.split_once("354 ").map(|(_, behind)| behind).unwrap_or_default();
            match behind.lines().nth(1).map(|line| &line[..4]) {
                Some("250 ") => {
                    taken += 1;
                    break;
                }
                Some("451 " | "421 ") => put_off += 1,
                Some(other) => panic!("{other}: {heard}"),
                // Before the mail was handed over: 421, or a connection that nobody took.
                None => {
                    assert!(
                        heard.is_empty() || heard.contains("421 4.3.2") || !heard.contains("354 "),
                        "{heard}"
                    );
                    cut += 1;
                }
            }
        }
        assert!(office.stands(), "after letter {}", office.letters);
    }
    served.stop();
    office.run(&["deliver"], b"").ok();
    // Stopped, and not killed: what was on its way left once.
    office.assert_all_left(0);
    println!("{taken} taken at a stop, {put_off} put off, {cut} cut off before the mail");
    assert!(taken == 30 && put_off + cut > 0, "{taken}, {put_off}, {cut}");
}

#[test]
fn a_session_that_is_cut_off_by_a_restart_goes_on_with_the_next_server() {
    let mut office = PostOffice::open();
    let path = office.host.data().join("lmtp");
    let place = format!("unix:{}", path.display());
    let variables = [("TURNPOST_SERVE_LMTP", place.as_str())];
    let served = Served::start(&office.host, &variables);
    let mut client = Client::unix(&path);
    client.hello();
    let first = office.next_letter(1);
    let replies = client.mail("someone@example.org", &[&first.recipient], &first.mail);
    assert_eq!(replies, ["250 2.0.0 taken\r\n"]);
    served.stop();
    assert!(client.reply().starts_with("421 4.3.2 "));
    assert_eq!(client.reply(), "");
    // While it is down nobody answers, and the mail server waits.
    assert!(std::os::unix::net::UnixStream::connect(&path).is_err());
    let second = office.next_letter(2);
    let served = Served::start(&office.host, &variables);
    let mut client = Client::unix(&path);
    client.hello();
    // The first again, for a mail server that did not hear its answer, and the second.
    for letter in [&first, &second, &second] {
        let replies = client.mail("someone@example.org", &[&letter.recipient], &letter.mail);
        assert_eq!(replies, ["250 2.0.0 taken\r\n"]);
    }
    assert!(office.stands());
    served.stop();
    office.run(&["deliver"], b"").ok();
}
