//! Pushes to browsers: who is told of a turn, of what, and where to.

use data_encoding::BASE64URL_NOPAD;
use jiff::SignedDuration;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hmac::{HMAC_SHA256, Key, sign};
use ring::rand::SystemRandom;
use ring::signature::{self, ECDSA_P256_SHA256_FIXED};
use serde_json::{Value, json};
use turnpost::ids::BoardId;
use turnpost::push::{PushKey, PushRequest, send_next};
use turnpost::store::{CodeHash, PlayerId, SessionRow};
use turnpost_games::{Seat, registry};

use crate::support::pages::sign_in;
use crate::support::pages::{At, URL, Visitor, seated};
use crate::support::{ANN, BOB, Mail, Stage};

const BOB_PLAYER: PlayerId = PlayerId(2);

/// A browser that takes one push.
struct Subscriber {
    own: EphemeralPrivateKey,
    public: Vec<u8>,
}

impl Subscriber {
    fn new() -> Subscriber {
        let own = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        Subscriber { public: own.compute_public_key().unwrap().as_ref().to_vec(), own }
    }

    fn subscription(&self, endpoint: &str) -> String {
        let [key, secret] = [self.public.as_slice(), &[7; 16]].map(|octets| BASE64URL_NOPAD.encode(octets));
        format!("{endpoint} {key} {secret}")
    }

    /// Decrypts as RFC 8188 and 8291 tell the receiver.
    fn opened(self, body: &[u8]) -> Value {
        let derived = |salt: &[u8], secret: &[u8], info: &[u8]| {
            let hmac = |key: &[u8], text: &[u8]| sign(&Key::new(HMAC_SHA256, key), text);
            hmac(hmac(salt, secret).as_ref(), &[info, &[1]].concat()).as_ref().to_vec()
        };
        let (head, sealed) = body.split_at(86);
        let (salt, theirs) = (&head[..16], &head[21..]);
        assert_eq!(head[16..21], [0, 0, 16, 0, 65]);
        let info = [b"WebPush: info\0".as_slice(), &self.public, theirs].concat();
        let peer = UnparsedPublicKey::new(&ECDH_P256, theirs);
        let secret = agree_ephemeral(self.own, &peer, |shared| derived(&[7; 16], shared, &info)).unwrap();
        let key =
            UnboundKey::new(&AES_128_GCM, &derived(salt, &secret, b"Content-Encoding: aes128gcm\0")[..16]);
        let nonce = &derived(salt, &secret, b"Content-Encoding: nonce\0")[..12];
        let nonce = Nonce::try_assume_unique_for_key(nonce).unwrap();
        let mut sealed = sealed.to_vec();
        let text = LessSafeKey::new(key.unwrap()).open_in_place(nonce, Aad::empty(), &mut sealed).unwrap();
        serde_json::from_slice(text.strip_suffix(&[2]).unwrap()).unwrap()
    }
}

/// A browser of bob's that is signed in, and takes pushes.
fn browser(stage: &Stage, number: u32, to: Option<&str>) -> SessionRow {
    let [link, cookie] = ["link", "cookie"].map(|what| CodeHash::of(&format!("{what} {number}")));
    stage.store.add_sign_in(BOB_PLAYER, link, None, stage.now).unwrap();
    stage.store.open_session(link, cookie, "Firefox on Linux", stage.now).unwrap();
    let session = stage.store.session(cookie, stage.now).unwrap().unwrap();
    stage.store.set_push(&session, to, stage.now).unwrap();
    session
}

/// Sends all that is due, and gives the requests. Each is answered so.
fn pushed(stage: &mut Stage, answer: Option<u16>) -> Vec<PushRequest> {
    let key = PushKey::of(&mut stage.store).unwrap();
    let mut requests = Vec::new();
    let mut post = |request: &PushRequest| {
        requests.push(request.clone());
        answer
    };
    while send_next(&mut stage.store, (&key, URL), &mut post, stage.now).unwrap() {}
    requests
}

/// Whoever is to move plays; the mails that this causes.
fn play(stage: &mut Stage) -> Vec<Mail> {
    let board = stage.store.board(BoardId(1)).unwrap().unwrap();
    let ply = (registry::find("dvonn").unwrap().read)(&board.position).unwrap().legal_plies().remove(0);
    match board.to_move {
        Some(Seat::First) => stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} {ply}"), ""),
        _ => stage.mail("bob@example.net", &format!("dvonn move 1 bob {BOB} {ply}"), ""),
    }
}

#[test]
fn a_browser_is_told_of_a_turn_once_its_service_is_there() {
    let mut stage = Stage::with_a_game();
    let subscriber = Subscriber::new();
    let to = subscriber.subscription("https://updates.push.services.mozilla.com/wpush/v2/abc");
    browser(&stage, 1, Some(&to));
    assert!(pushed(&mut stage, Some(201)).is_empty());
    assert!(play(&mut stage).iter().any(|mail| mail.to == "bob@example.net"), "a mail comes as before");
    assert_eq!(pushed(&mut stage, None).len(), 1);
    assert!(pushed(&mut stage, Some(201)).is_empty(), "the next try is a minute away");
    stage.now += SignedDuration::from_mins(1);
    let push = pushed(&mut stage, Some(201)).remove(0);
    // All that is in it: no link, no token.
    let text = json!({"title": "DVONN 1", "body": "Your move against ann.", "tag": "1"});
    assert_eq!((subscriber.opened(&push.body), push.topic.as_str()), (text, "1"));
    // The service knows the server by its key.
    let (token, key) = push.authorization.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let [key, signature, claims] = [key, signature, signed.split_once('.').unwrap().1]
        .map(|text| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap());
    let key = signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key);
    key.verify(signed.as_bytes(), &signature).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!(
        (&claims["aud"], &claims["sub"]),
        (&"https://updates.push.services.mozilla.com".into(), &URL.into())
    );
    // Told is told; and a board that waits no more is not told of.
    stage.wait(24);
    assert!(pushed(&mut stage, Some(201)).is_empty());
    for _ in 0..3 {
        play(&mut stage);
    }
    assert!(pushed(&mut stage, Some(201)).is_empty());
    // Neither is a player who pauses mails.
    stage.change("UPDATE players SET paused_until = 4000000000 WHERE id = 2");
    play(&mut stage);
    assert!(pushed(&mut stage, Some(201)).is_empty());
    assert_eq!(stage.wrong(), [""; 0]);
}

#[test]
fn a_push_is_given_up_in_the_end_and_a_dead_endpoint_is_forgotten() {
    let mut stage = Stage::with_a_game();
    let to = |number: u32| Subscriber::new().subscription(&format!("https://fcm.googleapis.com/wp/{number}"));
    let browsers: Vec<SessionRow> = (0..6).map(|number| browser(&stage, number, Some(&to(number)))).collect();
    play(&mut stage);
    let mut tries = Vec::new();
    for _ in 0..100 {
        tries.push(pushed(&mut stage, Some(503)).len());
        stage.now += SignedDuration::from_mins(2);
    }
    assert_eq!(tries.iter().sum::<usize>(), 25, "five browsers of a player, five times: {tries:?}");
    play(&mut stage);
    // Whose owner has signed it out meanwhile hears nothing.
    play(&mut stage);
    stage.store.end_session(BOB_PLAYER, browsers[5].id).unwrap();
    assert_eq!(pushed(&mut stage, Some(410)).len(), 4);
    assert!(stage.store.sessions(BOB_PLAYER, stage.now).unwrap().iter().all(|session| !session.takes_pushes));
}

#[test]
fn a_browser_is_told_if_its_player_asks_there_and_nowhere_else_than_at_push_services() {
    let (host, _served, visitor) = seated("dvonn challenge -random");
    let ann = sign_in(&host, &visitor, "ann", "ann@example.org");
    let button =
        |page: &str| page.split("data-push=\"").nth(1).map(|rest| rest.split('"').next().unwrap().len());
    assert_eq!(button(&visitor.me(&ann)), Some(87), "the key of the server");
    let ask = |endpoint: &str| {
        let push = Subscriber::new().subscription(endpoint).replace(' ', "+").replace('/', "%2F");
        let page = visitor.post_me(&ann, &format!("act=push&push={push}"));
        (page.status, page.text())
    };
    let refused = "https://10.0.0.1/x http://fcm.googleapis.com/x https://fcm.googleapis.com:80/x https://[::1]/x \
        https://localhost/x https://fcm.googleapis.com@127.0.0.1/x https://me@web.push.apple.com/x /x \
        https://x.fcm.googleapis.com/x https://evil-push.apple.com/x https://x.notify.windows.com.example/x";
    for endpoint in refused.split_whitespace() {
        let (status, page) = ask(endpoint);
        assert!(status == 409 && page.contains("knows no push service"), "{endpoint}: {status} {page}");
    }
    let exported = || host.run(&["admin", "export-user", "ann"], b"").ok().to_owned();
    let (status, page) = ask("https://fcm.googleapis.com/wp/abc");
    assert!(status == 200 && page.contains("told when it is your turn") && button(&page).is_none(), "{page}");
    assert!(exported().contains("https://fcm.googleapis.com/wp/abc "), "{}", exported());
    // A server whose host sends none has no button.
    let silent = Visitor::new(At::database(&host.database()));
    assert!(button(&silent.me(&ann)).is_none());
    assert!(button(&visitor.post_me(&ann, "act=no+push").text()).is_some());
    assert!(!exported().contains("googleapis"));
    ask("https://fcm.googleapis.com/wp/abc");
    visitor.post_me(&ann, "out=all");
    assert!(!exported().contains("googleapis"));
    let worker = visitor.get("/sw.js");
    assert!(worker.header("content-type").unwrap().starts_with("text/javascript"));
    assert!(worker.header("content-security-policy").unwrap().contains("worker-src 'self'"));
    host.assert_verified();
}
