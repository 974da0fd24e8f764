//! A transport that the end of the server does not wait for.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::shared::thread;
use super::shutdown::{LAST_WORDS, Shutdown};
use crate::error::HostError;
use crate::mail::transport::{OutEnvelope, SendError, Transport};

/// How often a courier that waits looks whether the server is to end.
const LOOK: Duration = Duration::from_millis(200);

type Answer = Result<(), SendError>;
type Errand = Box<dyn FnOnce(&dyn Transport) -> Answer + Send>;

/// Hands mails over in a thread of its own. A mail server that does not answer keeps that thread, which then ends with the
/// process; the mail waits, and leaves again with the same Message-ID.
pub(super) struct Courier<'a> {
    shutdown: &'a Shutdown,
    errands: Sender<(Errand, Sender<Answer>)>,
    has_viewers: bool,
}

impl Courier<'_> {
    pub fn start(shutdown: &Shutdown, transport: Box<dyn Transport>) -> Result<Courier<'_>, HostError> {
        let has_viewers = transport.has_viewers();
        let (errands, tasks) = channel::<(Errand, Sender<Answer>)>();
        thread("courier", move || {
            for (errand, tell) in tasks {
                // The asker may have stopped waiting.
                let _ = tell.send(errand(transport.as_ref()));
            }
        })?;
        Ok(Courier { shutdown, errands, has_viewers })
    }

    fn run(&self, errand: Errand) -> Answer {
        let gone = || SendError::Down("the courier is gone".to_owned());
        let (tell, told) = channel();
        self.errands.send((errand, tell)).map_err(|_| gone())?;
        loop {
            match told.recv_timeout(LOOK) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) if self.shutdown.is_requested_for(LAST_WORDS) => {
                    let why = "the server was stopped before the mail server answered";
                    return Err(SendError::Temporary(why.to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Transport for Courier<'_> {
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Answer {
        let (envelope, mail) = (envelope.clone(), mail.to_vec());
        self.run(Box::new(move |transport| transport.send(&envelope, &mail)))
    }

    fn disconnect(&self) {
        // How the mail server says good-bye says nothing.
        let _ = self.run(Box::new(|transport| {
            transport.disconnect();
            Ok(())
        }));
    }

    fn has_viewers(&self) -> bool {
        self.has_viewers
    }
}
