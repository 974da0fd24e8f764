//! Passwords: argon2id, 19 MiB, two passes.
//!
//! A check costs some 16 ms of a core, fifty times all the rest of a move: it is done before the transaction begins.

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};

/// The hasher with the parameters of new hashes. Verifying takes them from the hash itself.
fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

/// The PHC string of a new password.
///
/// # Errors
/// When the system has no randomness for the salt.
pub fn hash(password: &str) -> Result<String, argon2::password_hash::Error> {
    Ok(argon2().hash_password(password.as_bytes())?.to_string())
}

/// Whether `password` is the one `hash` was made from. A damaged hash lets nobody in.
pub fn verify(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_password_fits_its_own_hash_alone() {
        let hash = super::hash("plover-42").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(super::verify("plover-42", &hash));
        assert!(!super::verify("Plover-42", &hash));
        assert!(!super::verify("plover-42", "$argon2id$damaged"));
        assert_ne!(super::hash("plover-42").unwrap(), hash, "salted");
    }
}
