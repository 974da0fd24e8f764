//! A transport in its own thread, so that shutdown does not wait for a mail server that hangs.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::shared::thread;
use super::shutdown::{LAST_WORDS, Shutdown};
use crate::error::HostError;
use crate::mail::transport::{OutEnvelope, SendError, Transport};

/// How often a waiting courier checks for shutdown.
const LOOK: Duration = Duration::from_millis(200);

type Answer = Result<(), SendError>;
type Errand = Box<dyn FnOnce(&dyn Transport) -> Answer + Send>;

/// Hands mails over in its own thread. If a mail server does not answer, that thread ends with the process. The mail
/// stays in the outbox and is sent again with the same Message-ID.
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
        // The result of disconnecting does not matter.
        let _ = self.run(Box::new(|transport| {
            transport.disconnect();
            Ok(())
        }));
    }

    fn has_viewers(&self) -> bool {
        self.has_viewers
    }
}
