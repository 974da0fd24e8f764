//! Passwords: argon2id, 19 MiB, two passes.
//!
//! A check takes some 16 ms of a core, fifty times the rest of a move, so it happens before the transaction. The number
//! of databases that `serve` lends to threads limits how many checks run at once.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};

use crate::failure::{Refusal, refuse};
use crate::ids::Userid;
use crate::language::Password;
use crate::mail::clean;

/// Hashes a new password to a PHC string. Each check of this hash uses `kib` KiB of memory.
pub fn hash(password: &str, kib: u32) -> Result<String, argon2::password_hash::Error> {
    let params = Params::new(kib, Params::DEFAULT_T_COST, Params::DEFAULT_P_COST, None)?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    Ok(argon2.hash_password(password.as_bytes())?.to_string())
}

/// True if `hash` was made from `password`. A damaged hash fits no password.
pub fn fits(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash)
        .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

const SHORTEST: usize = 4;
const LONGEST: usize = 100;

/// Refuses the placeholder, a mail address, the account's userid, and a password that is too short or too long.
pub(crate) fn check(userid: &Userid, password: &Password) -> Result<(), Refusal> {
    if password.is_placeholder() {
        return refuse!(
            "Put a password of your choice in the place of `PASSWORD`. Choose one that is hard to \
            guess."
        );
    }
    let is_address = clean::address(&password.0)
        .is_some_and(|address| address.rsplit_once('@').is_some_and(|(_, domain)| domain.contains('.')));
    if is_address {
        return refuse!(
            "The password is missing: what you wrote in its place looks like a mail address. Put a password of your choice \
            there, and addresses after it."
        );
    }
    let length = password.0.chars().count();
    let allowed = (SHORTEST..=LONGEST).contains(&length);
    if allowed && !password.0.eq_ignore_ascii_case(userid.as_str()) {
        return Ok(());
    }
    refuse!("A password has from {SHORTEST} to {LONGEST} characters and is not your name.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credentials::Limits;

    fn of(password: &str) -> String {
        hash(password, Limits::default().password_kib).unwrap()
    }

    #[test]
    fn a_password_fits_its_own_hash_alone() {
        let of_plover = of("plover-42");
        assert!(of_plover.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{of_plover}");
        assert!(fits("plover-42", &of_plover));
        assert!(!fits("Plover-42", &of_plover));
        assert!(!fits("plover-42", "$argon2id$damaged"));
        assert!(!fits("plover-42", of_plover.rsplit_once('$').unwrap().0), "a hash without its output");
        assert_ne!(of("plover-42"), of_plover, "salted");
    }

    #[test]
    fn a_hash_of_other_parameters_still_fits() {
        let small = Params::new(64, 3, 2, Some(20)).unwrap();
        let small = Argon2::new(Algorithm::Argon2id, Version::V0x13, small);
        let theirs = small.hash_password(b"dunlin-7").unwrap().to_string();
        assert!(fits("dunlin-7", &theirs));
        assert!(!fits("dunlin-8", &theirs));
    }
}
