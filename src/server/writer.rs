//! The writer: the one thread that acts on letters. Letters that arrive during a commit share the next one.

use std::sync::mpsc::{self, Receiver, Sender, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use rand_chacha::ChaCha12Rng;
use tracing::error;

use super::Shared;
use crate::clock;
use crate::failure::Error;
use crate::pipeline::{Handled, Outcomes, Prepared, Waiting, Work, handle_batch};
use crate::play::Rollback;
use crate::play::robot::Question;
use crate::store::Store;

/// The most letters that share a commit.
const LETTERS_A_COMMIT: usize = 64;

/// The outcome of a letter. When a transaction fails, every letter in it gets the error.
pub(super) type LetterOutcome = Result<Handled, Arc<Error>>;

struct Job {
    waiting: Waiting,
    answer: SyncSender<HandOver>,
}

enum HandOver {
    Done(LetterOutcome),
    /// The robot must answer these questions first; then the letter is submitted again.
    Asks(Waiting, Vec<Question>),
}

/// The sending side: hands letters to the writer.
pub(super) struct WriterHandle(Mutex<Option<Sender<Job>>>);

/// The receiving side.
pub(super) struct BatchWriter(Receiver<Job>);

pub(super) fn channel() -> (WriterHandle, BatchWriter) {
    let (sender, receiver) = mpsc::channel();
    (WriterHandle(Mutex::new(Some(sender))), BatchWriter(receiver))
}

impl WriterHandle {
    /// Submits a letter and waits for its outcome; `None` if the writer is gone. `think` answers the questions that the
    /// letter has for the robot.
    pub fn submit(
        &self,
        mut waiting: Waiting,
        think: impl Fn(&mut Prepared, Vec<Question>),
    ) -> Option<LetterOutcome> {
        loop {
            let (answer, answered) = sync_channel(1);
            let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
            sender?.send(Job { waiting, answer }).ok()?;
            match answered.recv().ok()? {
                HandOver::Done(outcome) => return Some(outcome),
                HandOver::Asks(mut back, questions) => {
                    if let Work::Act(prepared) = &mut back.work {
                        think(prepared, questions);
                    }
                    waiting = back;
                }
            }
        }
    }

    /// Takes no more letters; the writer ends after those already submitted.
    pub fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl BatchWriter {
    /// Acts on letters until [`WriterHandle::close`].
    pub fn work(self, shared: &Shared, mut store: Store, mut rng: ChaCha12Rng) {
        while let Ok(first) = self.0.recv() {
            let in_force = shared.in_force();
            let mut jobs = vec![first];
            while jobs.len() < LETTERS_A_COMMIT
                && let Ok(next) = self.0.try_recv()
            {
                jobs.push(next);
            }
            shared.metrics.commits.one();
            let (letters, answers): (Vec<_>, Vec<_>) =
                jobs.into_iter().map(|job| (job.waiting, job.answer)).unzip();
            let outcomes = handle_batch(&mut store, &in_force.app, &letters, clock::now(), &mut rng);
            answer_connections(shared, outcomes, letters, &answers);
        }
    }
}

fn answer_connections(
    shared: &Shared,
    outcomes: Result<Outcomes, Error>,
    letters: Vec<Waiting>,
    answers: &[SyncSender<HandOver>],
) {
    let replies: Vec<HandOver> = match outcomes {
        Ok(outcomes) => {
            outcomes.into_iter().zip(letters).map(|(outcome, letter)| reply(outcome, letter)).collect()
        }
        Err(failure) => {
            error!(letters = answers.len(), "a transaction was given up: {failure}");
            let failure = Arc::new(failure);
            answers.iter().map(|_| HandOver::Done(Err(Arc::clone(&failure)))).collect()
        }
    };
    let has_mail =
        |reply: &HandOver| matches!(reply, HandOver::Done(Ok(Handled::Acted { mails, .. })) if *mails > 0);
    if replies.iter().any(has_mail) {
        shared.shutdown.wake();
    }
    for (answer, reply) in answers.iter().zip(replies) {
        // When the connection is gone, the mail server brings the letter again and gets the answer then.
        let _ = answer.send(reply);
    }
}

fn reply(outcome: Result<Handled, Rollback>, letter: Waiting) -> HandOver {
    match outcome {
        Ok(handled) => HandOver::Done(Ok(handled)),
        Err(Rollback::Failed(failure)) => HandOver::Done(Err(Arc::new(failure))),
        Err(Rollback::Asks(questions)) => HandOver::Asks(letter, questions),
    }
}
