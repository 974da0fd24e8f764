//! Passwords: argon2id, 19 MiB, two passes.
//!
//! A check takes some 16 ms of a core, fifty times the rest of a move. So it happens before the transaction, at most
//! one a core at a time, in memory that is reused. A long-lived process remembers for ten minutes which passwords
//! were right.

mod remembered;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use jiff::Timestamp;
use remembered::Remembered;

use crate::ids::Userid;

/// Makes and checks password hashes.
#[derive(Default)]
pub struct Passwords {
    room: Mutex<Room>,
    left: Condvar,
    remembered: Option<Mutex<Remembered>>,
}

/// Shared by all threads that hash.
#[derive(Default)]
struct Room {
    /// How many threads hash now.
    at_work: usize,
    /// Unused memory. We keep one piece, however many there were.
    spare: Option<Vec<Block>>,
}

/// Memory to hash in and a place among the threads that hash. Dropping it frees both.
struct Place<'a> {
    passwords: &'a Passwords,
    blocks: Vec<Block>,
}

impl Passwords {
    /// For a long-lived process: remembers a right password for ten minutes, by a hash keyed with `key`, which stays
    /// secret.
    pub fn remembering(key: [u8; 32]) -> Passwords {
        Passwords { remembered: Some(Mutex::new(Remembered::new(key))), ..Passwords::default() }
    }

    /// The PHC string of a new password.
    pub fn hash(&self, password: &str) -> Result<String, argon2::password_hash::Error> {
        let (algorithm, version, params) = (Algorithm::Argon2id, Version::V0x13, Params::default());
        let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
        let salt = Salt::new(&argon2::password_hash::try_generate_salt()?)?;
        let hash = PasswordHash {
            algorithm: algorithm.ident(),
            version: Some(version.into()),
            params: ParamsString::try_from(&params)?,
            salt: Some(salt),
            hash: None,
        };
        let mut place = self.place(params.block_count());
        Argon2::new(algorithm, version, params).hash_password_into_with_memory(
            password.as_bytes(),
            &salt,
            &mut output,
            &mut place.blocks,
        )?;
        Ok(PasswordHash { hash: Some(Output::new(&output)?), ..hash }.to_string())
    }

    /// True when `hash` was made from `password`. A damaged hash fits no password.
    pub fn fits(&self, userid: &Userid, password: &str, hash: &str, now: Timestamp) -> bool {
        let Some(remembered) = &self.remembered else { return self.computes_to(password, hash) };
        let mark = lock(remembered).mark(&userid.key(), password, hash);
        if lock(remembered).knows(&mark, now) {
            return true;
        }
        let fits = self.computes_to(password, hash);
        if fits {
            lock(remembered).add(mark, now);
        }
        fits
    }

    fn computes_to(&self, password: &str, hash: &str) -> bool {
        PasswordHash::new(hash)
            .is_ok_and(|hash| self.recompute(password, &hash).is_some_and(|output| Some(output) == hash.hash))
    }

    /// Hashes a password with the salt and parameters of `hash`. Outputs compare in constant time.
    fn recompute(&self, password: &str, hash: &PasswordHash) -> Option<Output> {
        let params = Params::try_from(hash).ok()?;
        let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
        let version = Version::try_from(hash.version?).ok()?;
        let mut place = self.place(params.block_count());
        let argon2 = Argon2::new(algorithm, version, params);
        let mut output = [0; Output::MAX_LENGTH];
        let output = output.get_mut(..hash.hash?.len())?;
        argon2
            .hash_password_into_with_memory(
                password.as_bytes(),
                hash.salt.as_ref()?,
                output,
                &mut place.blocks,
            )
            .ok()?;
        Output::new(output).ok()
    }

    /// Waits until a core is free to hash.
    fn place(&self, blocks: usize) -> Place<'_> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut room = lock(&self.room);
        while room.at_work >= cores {
            room = self.left.wait(room).unwrap_or_else(PoisonError::into_inner);
        }
        room.at_work += 1;
        let spare = room.spare.take();
        drop(room);
        let mut spare = spare.unwrap_or_default();
        spare.resize(blocks, Block::default());
        Place { passwords: self, blocks: spare }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut room = lock(&self.passwords.room);
        room.at_work -= 1;
        room.spare = Some(std::mem::take(&mut self.blocks));
        drop(room);
        self.passwords.left.notify_one();
    }
}

/// A poisoned lock is safe here: no holder panics halfway through a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {

    use super::*;

    fn ann() -> Userid {
        "ann".parse().unwrap()
    }

    #[test]
    fn a_password_fits_its_own_hash_alone() {
        let passwords = Passwords::default();
        let fits = |password, hash: &str| passwords.fits(&ann(), password, hash, Timestamp::UNIX_EPOCH);
        let hash = passwords.hash("plover-42").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(fits("plover-42", &hash));
        assert!(!fits("Plover-42", &hash));
        assert!(!fits("plover-42", "$argon2id$damaged"));
        assert!(!fits("plover-42", hash.rsplit_once('$').unwrap().0), "a hash without its output");
        assert_ne!(passwords.hash("plover-42").unwrap(), hash, "salted");
    }

    #[test]
    fn hashes_are_those_of_the_library() {
        use argon2::password_hash::{PasswordHasher, PasswordVerifier};
        let passwords = Passwords::default();
        let ours = PasswordHash::new(&passwords.hash("plover-42").unwrap()).unwrap();
        assert!(Argon2::default().verify_password(b"plover-42", &ours).is_ok());
        // Other parameters, in memory that held a larger hash before.
        let small = Params::new(64, 3, 2, Some(20)).unwrap();
        let small = Argon2::new(Algorithm::Argon2id, Version::V0x13, small);
        let theirs = small.hash_password(b"dunlin-7").unwrap().to_string();
        assert!(passwords.fits(&ann(), "dunlin-7", &theirs, Timestamp::UNIX_EPOCH));
        assert!(!passwords.fits(&ann(), "dunlin-8", &theirs, Timestamp::UNIX_EPOCH));
    }

    #[test]
    fn what_fitted_is_known_for_a_while_and_only_with_the_same_hash() {
        let passwords = Passwords::remembering([7; 32]);
        let hash = passwords.hash("plover-42").unwrap();
        let at = |second| Timestamp::from_second(second).unwrap();
        let took = |password, hash: &str, second| {
            let remembered = passwords.remembered.as_ref().unwrap();
            let mark = lock(remembered).mark(&ann().key(), password, hash);
            let is_known = lock(remembered).knows(&mark, at(second));
            (passwords.fits(&ann(), password, hash, at(second)), is_known)
        };
        assert_eq!(took("plover-42", &hash, 0), (true, false));
        assert_eq!(took("plover-42", &hash, 599), (true, true));
        assert_eq!(took("plover-43", &hash, 599), (false, false));
        assert_eq!(took("plover-43", &hash, 599), (false, false), "what did not fit is not remembered");
        assert_eq!(took("plover-42", &hash, 700), (true, false), "ten minutes are over");
        let changed = passwords.hash("dunlin-7").unwrap();
        assert_eq!(took("plover-42", &changed, 701), (false, false), "the password was changed");
    }

    #[test]
    fn many_at_once_leave_one_piece_of_memory() {
        let passwords = Passwords::default();
        let hash = passwords.hash("plover-42").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert!(passwords.fits(&ann(), "plover-42", &hash, Timestamp::UNIX_EPOCH)));
            }
        });
        let room = lock(&passwords.room);
        assert_eq!(room.at_work, 0);
        assert_eq!(room.spare.as_ref().map(Vec::len), Some(19456));
    }
}
