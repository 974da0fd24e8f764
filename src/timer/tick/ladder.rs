//! Ladders by the clock.

use crate::contest::ladder_games::Ladder;
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::notices::Outbox;
use crate::store::Store;
use crate::timer::tick::Timer;
use crate::timer::tick::contests::NextStep;

impl<O: Outbox> Timer<'_, O> {
    pub(crate) fn follow_ladder(&mut self, store: &Store, contest: Contest) -> Result<NextStep, Error> {
        Ladder::follow(store, contest, self.now)?;
        Ok(NextStep::Until(None))
    }
}
