//! The one who acts on letters. Those that come while a commit is on its way share the next one.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use rand_chacha::ChaCha12Rng;
use tracing::error;

use super::Common;
use crate::clock;
use crate::service::robot::Question;
use crate::service::together::{Fates, Waiting, Work, handle_together};
use crate::service::{Failure, Handled, Prepared, Unkept};
use crate::store::Store;

/// What became of a letter. The failure of a whole transaction is that of each letter in it.
pub(super) type Fate = Result<Handled, Arc<Failure>>;

/// A letter on its way to the clerk.
struct Job {
    waiting: Waiting,
    answer: SyncSender<Word>,
}

/// What the clerk says of a letter.
enum Word {
    /// What became of it.
    Done(Fate),
    /// Nothing yet: the robot is to think about these, and the letter is to be handed in again.
    Asks(Waiting, Vec<Question>),
}

/// Where letters are handed to the clerk.
pub(super) struct Desk(Mutex<Option<Sender<Job>>>);

/// The other side of the desk.
pub(super) struct Clerk(Receiver<Job>);

/// A desk and its clerk.
pub(super) fn desk() -> (Desk, Clerk) {
    let (sender, receiver) = channel();
    (Desk(Mutex::new(Some(sender))), Clerk(receiver))
}

impl Desk {
    /// Hands a letter in and waits for what becomes of it; `None` when the clerk is gone. What the robot is asked on the
    /// way is for `think` to answer.
    pub fn hand_in(
        &self,
        mut waiting: Waiting,
        think: impl Fn(&mut Prepared, Vec<Question>),
    ) -> Option<Fate> {
        loop {
            let (answer, answered) = sync_channel(1);
            let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
            sender?.send(Job { waiting, answer }).ok()?;
            match answered.recv().ok()? {
                Word::Done(fate) => return Some(fate),
                Word::Asks(mut back, questions) => {
                    if let Work::Act(prepared) = &mut back.work {
                        think(prepared, questions);
                    }
                    waiting = back;
                }
            }
        }
    }

    /// Takes no more letters: the clerk ends when those handed in are done.
    pub fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Clerk {
    /// Acts on letters until the desk is closed.
    pub fn work(self, common: &Common, mut store: Store, mut chance: ChaCha12Rng) {
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
            let fates = handle_together(&mut store, &common.house, &letters, clock::now(), &mut chance);
            tell(common, fates, letters, &answers);
        }
    }
}

fn tell(common: &Common, fates: Result<Fates, Failure>, letters: Vec<Waiting>, answers: &[SyncSender<Word>]) {
    let words: Vec<Word> = match fates {
        Ok(fates) => fates.into_iter().zip(letters).map(|(fate, letter)| word(fate, letter)).collect(),
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

fn word(fate: Result<Handled, Unkept>, letter: Waiting) -> Word {
    match fate {
        Ok(handled) => Word::Done(Ok(handled)),
        Err(Unkept::Failed(failure)) => Word::Done(Err(Arc::new(failure))),
        Err(Unkept::Asks(questions)) => Word::Asks(letter, questions),
    }
}
