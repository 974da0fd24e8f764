//! Messages that only the browser can read (RFC 8291), and tokens that only this server can sign (RFC 8292).

use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hmac::{HMAC_SHA256, Key, sign};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;
use ureq::http::Uri;

use super::Subscription;
use crate::store::{Store, StoreError};

/// The size of a record (RFC 8188). A push is one, and never as long.
const RECORD: u32 = 4096;

/// For how many seconds a signature is good. A day is the most.
const GOOD: i64 = 12 * 60 * 60;

/// The text for a browser; `None` if the browser's key is no key.
pub(super) fn sealed(to: &Subscription, text: &[u8]) -> Option<Vec<u8>> {
    let random = SystemRandom::new();
    let mut salt = [0; 16];
    random.fill(&mut salt).ok()?;
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random).ok()?;
    let public = own.compute_public_key().ok()?;
    let theirs = UnparsedPublicKey::new(&ECDH_P256, &to.key);
    agree_ephemeral(own, &theirs, |shared| record(to, (shared, public.as_ref()), &salt, text)).ok()?
}

/// The same for a shared secret and the server's key of this push.
fn record(to: &Subscription, (shared, public): (&[u8], &[u8]), salt: &[u8], text: &[u8]) -> Option<Vec<u8>> {
    let secret = derived(&to.secret, shared, &[b"WebPush: info\0", to.key.as_slice(), public].concat());
    let key = derived(salt, secret.as_ref(), b"Content-Encoding: aes128gcm\0");
    let nonce = derived(salt, secret.as_ref(), b"Content-Encoding: nonce\0");
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, key.as_ref().get(..16)?).ok()?);
    let nonce = Nonce::try_assume_unique_for_key(nonce.as_ref().get(..12)?).ok()?;
    // The two marks the last record.
    let mut body = [text, &[2]].concat();
    key.seal_in_place_append_tag(nonce, Aad::empty(), &mut body).ok()?;
    Some([salt, &RECORD.to_be_bytes(), &[65], public, &body].concat())
}

/// HKDF with SHA-256 (RFC 5869), of which 32 octets are enough here.
fn derived(salt: &[u8], secret: &[u8], info: &[u8]) -> ring::hmac::Tag {
    let hmac = |key: &[u8], text: &[u8]| sign(&Key::new(HMAC_SHA256, key), text);
    hmac(hmac(salt, secret).as_ref(), &[info, &[1]].concat())
}

/// The private key by which push services know the server.
pub struct PushKey(EcdsaKeyPair);

impl PushKey {
    /// The key of this database, made when it is wanted first.
    pub fn of(store: &mut Store) -> Result<PushKey, StoreError> {
        let (kind, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let wrong = || StoreError::Damaged("the key of pushes".to_owned());
        let fresh = EcdsaKeyPair::generate_pkcs8(kind, &random).ok().ok_or_else(wrong)?;
        let key = EcdsaKeyPair::from_pkcs8(kind, &store.push_key(fresh.as_ref())?, &random);
        key.map(PushKey).ok().ok_or_else(wrong)
    }

    /// The public key, as a browser takes it.
    pub fn public(&self) -> String {
        BASE64URL_NOPAD.encode(self.0.public_key().as_ref())
    }

    /// The `Authorization` of a request. `pages` tells the push service whose server it is.
    pub(super) fn authorization(&self, endpoint: &Uri, pages: &str, now: Timestamp) -> Option<String> {
        let audience = format!("https://{}", endpoint.host()?);
        let claims = json!({"aud": audience, "exp": now.as_second() + GOOD, "sub": pages});
        let parts = [json!({"typ": "JWT", "alg": "ES256"}), claims];
        let signed = parts.map(|part| BASE64URL_NOPAD.encode(part.to_string().as_bytes())).join(".");
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes()).ok()?;
        Some(format!("vapid t={signed}.{}, k={}", BASE64URL_NOPAD.encode(signature.as_ref()), self.public()))
    }
}

/// RFC 8291, appendix A.
#[test]
#[cfg(test)]
fn the_example_of_the_standard_has_its_octets() {
    let read = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap();
    let endpoint = "https://push.example.net/".parse().unwrap();
    let key = read("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4");
    let to = Subscription { endpoint, key, secret: read("BTBZMqHH6r4Tts7J_aSIgg") };
    let shared = read("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
    let public =
        read("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
    let (salt, text) = (read("DGv6ra1nlYgDCS1FRnbzlw"), b"When I grow up, I want to be a watermelon");
    let body = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w\
                EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
    assert_eq!(record(&to, (&shared, &public), &salt, text), Some(read(body)));
}
