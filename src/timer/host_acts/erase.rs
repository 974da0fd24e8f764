//! `admin erase`: nothing of a person stays but finished games under a number.

use super::{ActContext, Acted};
use crate::board::{Board, clocks};
use crate::credentials::limits::{mailbox, mailbox_key};
use crate::failure::{CommandError, refuse};
use crate::ids::Userid;
use crate::language::OF_THE_ERASED;
use crate::mail::outgoing;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate};
use crate::notices::view::board_view;
use crate::play::ended;
use crate::store::{ActKind, BoardFilter, EventKind, EventRow, PlayerId};

impl ActContext<'_> {
    /// Boards in play are resigned, as by `delete`. What the person wrote goes from the mails of others too, and mails
    /// with it that wait are not sent.
    pub(crate) fn erase(&mut self, userid: &Userid) -> Result<Acted, CommandError> {
        // One who has left by `delete` still has a name here.
        let player = match self.store.player(userid)? {
            Some(account) if account.is_deleted() => account.id,
            _ => self.person(userid)?.id,
        };
        let name = self.name_of_the_erased(player)?;
        self.store.restore_former_addresses(player)?;
        let addresses = self.store.addresses(player)?.rows.into_iter();
        let addresses: Vec<String> = addresses.map(|row| row.address.to_lowercase()).collect();
        let mut keys: Vec<String> = vec![userid.key(), format!("player {}", player.0)];
        for address in &addresses {
            keys.extend([address.clone(), mailbox(address), mailbox_key(address)]);
        }
        for waiting in self.store.waiting_mails_to_others()? {
            let text = outgoing::readable(&waiting.mail).to_lowercase();
            if addresses.iter().any(|address| text.contains(address.as_str())) {
                self.store.erase_mail(waiting.id, self.now)?;
            }
        }
        self.store.erase_mails_about(player, self.now)?;
        self.store.forget_counts_of(&keys)?;
        self.store.erase_commands_naming(userid)?;
        self.store.rename_player(player, &name)?;
        let resigned = self.resign_all(player)?;
        self.store.end_seeks(player)?;
        let secret = self.secret();
        self.store.erase_player(player, &secret)?;
        self.store.erase_reasons(player)?;
        self.erased = Some(name.clone());
        let said = format!(
            "Nothing is left but finished games, under the userid {name}. Boards resigned: {resigned}. Backups made \
             before still hold the rest."
        );
        Ok(Acted::new(ActKind::Erase, said).player(player))
    }

    fn name_of_the_erased(&self, player: PlayerId) -> Result<Userid, CommandError> {
        let mut name = format!("{OF_THE_ERASED}{}", player.0);
        loop {
            match name.parse::<Userid>() {
                Ok(free) if self.store.player(&free)?.is_none_or(|taken| taken.id == player) => {
                    return Ok(free);
                }
                // An earlier version let players have such names.
                Ok(_) => name.push('x'),
                Err(why) => return refuse!("{name}: {why}"),
            }
        }
    }

    /// Resigns the boards in play and tells the opponents; gives their number.
    fn resign_all(&mut self, player: PlayerId) -> Result<usize, CommandError> {
        let filter = BoardFilter {
            player: Some(player),
            which: crate::ids::Which::Active,
            limit: u32::MAX,
            ..BoardFilter::default()
        };
        let rows = self.store.boards(&filter)?;
        for row in &rows {
            let Some(mut board) = Board::load(self.store, row.id)? else { continue };
            let Some(seat) = board.seat_of(player) else { continue };
            let event = board.next_event(EventKind::Resignation, self.now);
            let event = EventRow { seat: Some(seat), player: Some(player), ..event };
            clocks::keep(self.store, &mut board, event)?;
            let changes = ended(self.store, &board.row, self.now)?;
            let mut view = board_view(self.store, &board)?;
            view.show_ratings(&changes);
            let update = BoardUpdate::new(BoardEvent::Resigned, seat, view);
            self.news.push(BoardNews::new(update, board.row.players, &[seat.other()]));
        }
        Ok(rows.len())
    }
}
