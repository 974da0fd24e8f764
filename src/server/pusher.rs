//! The pusher: tells browsers of turns. No mail waits for it.

use std::time::Duration;

use tracing::{error, info, warn};
use ureq::Agent;

use super::Shared;
use super::shared::POLL;
use crate::clock;
use crate::push::{PushKey, PushRequest, send_next};
use crate::store::Store;

/// How long a push service may take, and the pause after an error.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a push service keeps a push for a browser that is off, in seconds.
const KEPT: &str = "86400";

/// Tells browsers until shutdown.
pub(super) fn work(shared: &Shared, mut store: Store) {
    let config = Agent::config_builder().https_only(true).max_redirects(0).http_status_as_error(false);
    let agent: Agent = config.timeout_global(Some(PATIENCE)).build().into();
    let key = PushKey::of(&mut store).inspect_err(|why| error!("no browser is told of turns: {why}"));
    let Ok(key) = key else { return };
    while !shared.shutdown.is_requested() {
        let wakes = shared.shutdown.wakes();
        let pages = shared.in_force().config.web.pages().unwrap_or_default();
        match send_next(&mut store, (&key, &pages), |push| post(&agent, push), clock::now()) {
            Ok(true) => {}
            Ok(false) => shared.shutdown.wait_unless_woken(POLL, wakes),
            Err(why) => {
                error!("no push leaves: {why}");
                shared.shutdown.wait(PATIENCE);
            }
        }
    }
}

/// The status of the answer. The log names the service alone: the rest of the address is a secret of the browser.
fn post(agent: &Agent, push: &PushRequest) -> Option<u16> {
    let request = agent.post(&push.endpoint).header("TTL", KEPT).header("Topic", &push.topic);
    let request =
        request.header("Content-Encoding", "aes128gcm").header("Authorization", &push.authorization);
    let answer = request.send(&push.body).map(|answer| answer.status().as_u16());
    let (board, service) = (&push.topic, push.endpoint.host().unwrap_or_default());
    match &answer {
        Ok(status) => info!(board, status, "{service} answered a push"),
        Err(why) => warn!(board, "{service} did not answer a push: {why}"),
    }
    answer.ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_push_is_asked_for_as_the_standard_says() {
        let service = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}/wp/1", service.local_addr().unwrap()).parse().unwrap();
        let push = PushRequest {
            endpoint,
            topic: "7".into(),
            authorization: "vapid t=a, k=b".into(),
            body: vec![b'x'; 9],
        };
        let answers = std::thread::spawn(move || {
            let (mut caller, mut asked) = (service.accept().unwrap().0, Vec::new());
            while !asked.ends_with(&[b'x'; 9]) {
                let mut part = [0; 1000];
                let length = caller.read(&mut part).unwrap();
                asked.extend(&part[..length]);
            }
            caller.write_all(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n").unwrap();
            String::from_utf8(asked).unwrap().to_lowercase()
        });
        let agent = Agent::config_builder().proxy(None).build().into();
        assert_eq!(post(&agent, &push), Some(201));
        let asked = answers.join().unwrap();
        let head = [
            "post /wp/1 ",
            "ttl: 86400\r\n",
            "topic: 7\r\n",
            "content-encoding: aes128gcm\r\n",
            "authorization: vapid t=a, k=b\r\n",
            "content-length: 9\r\n",
        ];
        assert!(head.iter().all(|line| asked.contains(line)), "{asked}");
    }
}
