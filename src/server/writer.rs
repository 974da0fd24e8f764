//! The one who acts on letters. Those that come while a commit is on its way share the next one.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use rand_chacha::ChaCha12Rng;
use tracing::error;

use super::Common;
use crate::clock;
use crate::pipeline::{Handled, Outcomes, Prepared, Waiting, Work, handle_batch};
use crate::service::robot::Question;
use crate::service::{Error, Rollback};
use crate::store::Store;

/// What became of a letter. The failure of a whole transaction is that of each letter in it.
pub(super) type LetterOutcome = Result<Handled, Arc<Error>>;

/// A letter on its way to the writer.
struct Job {
    waiting: Waiting,
    answer: SyncSender<Word>,
}

/// What the writer says of a letter.
enum Word {
    /// What became of it.
    Done(LetterOutcome),
    /// Nothing yet: the robot is to think about these, and the letter is to be handed in again.
    Asks(Waiting, Vec<Question>),
}

/// Where letters are handed to the writer.
pub(super) struct WriterHandle(Mutex<Option<Sender<Job>>>);

/// The other side of the writer_handle.
pub(super) struct Writer(Receiver<Job>);

/// A writer_handle and its writer.
pub(super) fn writer_handle() -> (WriterHandle, Writer) {
    let (sender, receiver) = channel();
    (WriterHandle(Mutex::new(Some(sender))), Writer(receiver))
}

impl WriterHandle {
    /// Hands a letter in and waits for what becomes of it; `None` when the writer is gone. What the robot is asked on the
    /// way is for `think` to answer.
    pub fn hand_in(
        &self,
        mut waiting: Waiting,
        think: impl Fn(&mut Prepared, Vec<Question>),
    ) -> Option<LetterOutcome> {
        loop {
            let (answer, answered) = sync_channel(1);
            let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
            sender?.send(Job { waiting, answer }).ok()?;
            match answered.recv().ok()? {
                Word::Done(outcome) => return Some(outcome),
                Word::Asks(mut back, questions) => {
                    if let Work::Act(prepared) = &mut back.work {
                        think(prepared, questions);
                    }
                    waiting = back;
                }
            }
        }
    }

    /// Takes no more letters: the writer ends when those handed in are done.
    pub fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Writer {
    /// Acts on letters until the writer_handle is closed.
    pub fn work(self, common: &Common, mut store: Store, mut rng: ChaCha12Rng) {
        let gather = usize::try_from(common.config.serve.gather).unwrap_or(1);
        while let Ok(first) = self.0.recv() {
            let mut jobs = vec![first];
            while jobs.len() < gather
                && let Ok(next) = self.0.try_recv()
            {
                jobs.push(next);
            }
            common.counts.commits.one();
            let (letters, answers): (Vec<_>, Vec<_>) =
                jobs.into_iter().map(|job| (job.waiting, job.answer)).unzip();
            let outcomes = handle_batch(&mut store, &common.app, &letters, clock::now(), &mut rng);
            tell(common, outcomes, letters, &answers);
        }
    }
}

fn tell(
    common: &Common,
    outcomes: Result<Outcomes, Error>,
    letters: Vec<Waiting>,
    answers: &[SyncSender<Word>],
) {
    let words: Vec<Word> = match outcomes {
        Ok(outcomes) => {
            outcomes.into_iter().zip(letters).map(|(outcome, letter)| word(outcome, letter)).collect()
        }
        Err(failure) => {
            error!(letters = answers.len(), "a transaction was given up: {failure}");
            let failure = Arc::new(failure);
            answers.iter().map(|_| Word::Done(Err(Arc::clone(&failure)))).collect()
        }
    };
    let has_mail = |word: &Word| matches!(word, Word::Done(Ok(Handled::Acted { mails, .. })) if *mails > 0);
    if words.iter().any(has_mail) {
        common.stop.call();
    }
    for (answer, word) in answers.iter().zip(words) {
        // A connection that is gone gets its letter's answer when the mail server brings it again.
        let _ = answer.send(word);
    }
}

fn word(outcome: Result<Handled, Rollback>, letter: Waiting) -> Word {
    match outcome {
        Ok(handled) => Word::Done(Ok(handled)),
        Err(Rollback::Failed(failure)) => Word::Done(Err(Arc::new(failure))),
        Err(Rollback::Asks(questions)) => Word::Asks(letter, questions),
    }
}
