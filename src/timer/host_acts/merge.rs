//! `admin merge`: one account of two.

use minijinja::context;

use super::{ActContext, Acted};
use crate::board::ratings;
use crate::failure::{CommandError, refuse};
use crate::ids::Userid;
use crate::store::ActKind;

impl ActContext<'_> {
    /// Boards, addresses and letters of `from` become those of `into`; the userid of `from` is not given out again. Two
    /// who have met stay two: nobody plays themselves.
    pub(crate) fn merge(&mut self, from: &Userid, into: &Userid) -> Result<Acted, CommandError> {
        self.needs_a_reason()?;
        let (old, new) = (self.person(from)?, self.person(into)?);
        if old.id == new.id {
            return refuse!("{from} is one account already");
        }
        if self.store.have_met(old.id, new.id)? {
            return refuse!("{from} and {into} have met on a board, so they stay two");
        }
        let first = self.store.first_finish_of(old.id)?;
        self.store.merge_players(old.id, new.id)?;
        let secret = self.secret();
        self.store.erase_player(old.id, &secret)?;
        if let Some(first) = first {
            ratings::again_from(self.store, first)?;
        }
        let (from, into) = (old.userid.to_string(), new.userid.to_string());
        let said = format!("{from} is {into} now, with all boards and addresses.");
        self.tell(new.id, context! { kind => "merged", from, into });
        Ok(Acted::new(ActKind::Merge, said).player(old.id).other(new.id))
    }
}
