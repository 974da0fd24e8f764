//! Passwords that were right a moment ago.
//!
//! A mark is a keyed hash over userid, password and stored hash. Each process makes its own key and keeps it to
//! itself, so a mark is useless elsewhere. A changed password has another stored hash, so its old mark no longer
//! fits.

use std::collections::HashMap;

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;

const KNOWN_FOR: SignedDuration = SignedDuration::from_mins(10);

/// When full, it forgets all marks; each costs one more check.
const AT_MOST: usize = 10_000;

pub(crate) type Mark = [u8; 32];

pub(crate) struct Remembered {
    key: [u8; 32],
    marks: HashMap<Mark, Timestamp>,
}

impl Remembered {
    pub fn new(key: [u8; 32]) -> Remembered {
        Remembered { key, marks: HashMap::new() }
    }

    pub fn mark(&self, userid: &str, password: &str, hash: &str) -> Mark {
        let mut key = [0; 64];
        key.iter_mut().zip(self.key).for_each(|(byte, secret)| *byte = secret);
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&key.into());
        for part in [userid, password, hash] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac.finalize().into_bytes().into()
    }

    pub fn knows(&self, mark: &Mark, now: Timestamp) -> bool {
        // A clock that was set back proves nothing.
        self.marks.get(mark).is_some_and(|since| *since <= now && now.duration_since(*since) < KNOWN_FOR)
    }

    pub fn add(&mut self, mark: Mark, now: Timestamp) {
        if self.marks.len() >= AT_MOST {
            self.marks.retain(|_, since| now.duration_since(*since) < KNOWN_FOR);
        }
        if self.marks.len() >= AT_MOST {
            self.marks.clear();
        }
        self.marks.insert(mark, now);
    }
}
