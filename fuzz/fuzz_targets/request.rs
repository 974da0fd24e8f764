//! Any octets as a request for a page. The server does not fail and tells no secret. No board changes except by a POST
//! with a link.
#![no_main]

mod club;
#[path = "../../benches/stock/people.rs"]
mod people;

use std::cell::RefCell;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::watch;
use turnpost::connections::{Caller, OpenConnection};
use turnpost::web::attend;

use club::Club;

thread_local! {
    // Made once, and anew after a letter.
    static CLUB: RefCell<Club> = RefCell::new(Club::new());
    static VISITORS: RefCell<u32> = const { RefCell::new(0) };
}

/// Texts that no answer contains unless the request did. The first is a failure of the server.
const SECRETS: [&str; 7] =
    ["HTTP/1.1 5", "ann@example.org", "bob@example.org", "argon2", "panicked", "SELECT ", "turnpost.db"];

/// All answers on one connection. Each connection comes from another address, so that no rate limit applies.
pub fn answers(club: &Club, octets: &[u8]) -> String {
    let number = VISITORS.with_borrow_mut(|number| {
        *number += 1;
        *number
    });
    let peer = SocketAddr::from((Ipv4Addr::from(number), 1));
    club.runtime.block_on(async {
        let (mut visitor, server) = tokio::io::duplex(1 << 22);
        let caller = Caller {
            number: 1,
            stream: Box::new(server),
            peer: Some(peer),
            connection: OpenConnection::default(),
        };
        let site = watch::channel(Arc::clone(&club.site)).1;
        let attending = tokio::spawn(attend(site, caller));
        visitor.write_all(octets).await.expect("room for a request");
        let mut answers = Vec::new();
        visitor.read_to_end(&mut answers).await.expect("an end");
        attending.await.expect("no panic");
        String::from_utf8_lossy(&answers).into_owned()
    })
}

fuzz_target!(|octets: &[u8]| {
    CLUB.with_borrow_mut(|club| {
        let asked = club.written_out(octets);
        let answers = answers(club, &asked);
        let asked = String::from_utf8_lossy(&asked);
        for secret in SECRETS {
            assert!(asked.contains(secret) || !answers.contains(secret), "{secret}: {asked}\n\n{answers}");
        }
        let mut holds_link = false;
        for seat in &club.seats {
            let has = seat.links.iter().any(|code| asked.contains(code));
            holds_link |= has;
            let told =
                seat.links.iter().filter(|_| !has).chain(&seat.replies).find(|code| answers.contains(*code));
            assert!(told.is_none(), "{told:?}: {asked}\n\n{answers}");
        }
        if club.has_acted() {
            assert!(holds_link && asked.contains("POST /play/"), "a letter of {asked}");
            *club = Club::new();
        } else {
            assert_eq!(club.boards(), club.begun, "{asked}");
        }
    });
});
