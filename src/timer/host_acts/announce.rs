//! `admin announce`: mails the host's text to all players.

use jiff::Timestamp;
use minijinja::context;

use crate::failure::Error;
use crate::notices::mail::{Purpose, Recipient, UnsubscribeBy};
use crate::notices::{Mail, Occasion, Outbox};
use crate::store::{ActKind, ClosedLetter, CodeHash, Entrance, NewAct, PlayerId, Store};

/// Players mailed per transaction. Letters wait for the transaction.
const BATCH: u32 = 50;

#[derive(Debug)]
pub struct Announcement {
    pub subject: String,
    pub text: String,
}

/// Mails all players who receive announcements. Returns the number of mails. The occasion contains a digest of subject
/// and text, so a second run mails only the players that the first did not reach.
pub fn announce(
    store: &mut Store,
    outbox: &impl Outbox,
    Announcement { subject, text }: &Announcement,
    os_user: &str,
    now: Timestamp,
) -> Result<usize, Error> {
    let words = CodeHash::of(&format!("{subject}\n{text}")).hex();
    store.write(|store| store.add_act(&NewAct::of(ActKind::Announce), os_user, "", now))?;
    let (mut mails, mut last) = (0, PlayerId(0));
    loop {
        let end = store.write(|store| {
            let readers = store.readers_of_announcements(last, BATCH)?;
            for reader in &readers {
                let name = format!("announcement {words} {}", reader.id.0);
                let Some(occasion) = Occasion::begin(store, Entrance::Admin, &name, now)? else { continue };
                store.close_letter(occasion.id, &ClosedLetter::of("announcement"))?;
                let userid = reader.userid.as_str();
                let data = context! { m => context! { subject, text, reader => userid } };
                let unsubscribe = Some(UnsubscribeBy::Command("set broadcast off".to_owned()));
                let mail = Mail::page(Recipient::Player(reader.id), "host-announcement.md", data);
                let mail = Mail { purpose: Purpose::News, unsubscribe, ..mail };
                mails += outbox.put(store, &occasion, vec![mail], now)?;
            }
            Ok::<_, Error>(readers.last().map(|reader| reader.id))
        })?;
        let Some(end) = end else { return Ok(mails) };
        last = end;
        store.yield_write_lock();
    }
}
