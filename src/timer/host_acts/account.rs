//! `admin user USERID --reset-password | --add-address | --suspend | --resume`, `admin rename`, `merge`, `export-user`
//! and `erase`.

use data_encoding::BASE32_NOPAD;
use minijinja::context;
use rand::Rng;
use serde_json::Value;

use super::{ActContext, Acted, BoardAct, Erased, GameEnd, GamesOfTwo, UserAct};
use crate::board::{Board, clocks, ratings};
use crate::commands::LANGUAGE;
use crate::commands::addresses::ADDRESSES_AT_MOST;
use crate::commands::password::token_mail;
use crate::contest::events::{BY_HOST, Entered};
use crate::contest::record::Contest;
use crate::credentials::limits::TOKEN_SECONDS;
use crate::credentials::one_entry::must_bring_no_second_entry;
use crate::failure::{CommandError, Error, refuse};
use crate::ids::{BoardId, Ply, Userid, mailbox};
use crate::language::OF_THE_ERASED;
use crate::language::values::read_address;
use crate::mail::{phrases, readable};
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate};
use crate::notices::ply_view::PlyView;
use crate::notices::view::board_view;
use crate::play::ended;
use crate::store::{
    Account, AccountRole, ActKind, BoardFilter, BoardRow, BoardState, CodeHash, ContestState, EventKind,
    EventRow, Met, PersonWords, PlayerId, Store, mailbox_key,
};

impl ActContext<'_> {
    pub(crate) fn on_user(&mut self, userid: &Userid, act: &UserAct) -> Result<Acted, CommandError> {
        let account = self.person(userid)?;
        let player = account.id;
        let acted = match act {
            UserAct::ResetPassword => self.reset_password(&account)?,
            UserAct::AddAddress(address) => self.add_address(&account, address)?,
            UserAct::Suspend(_) => self.suspend(&account)?,
            UserAct::Resume => {
                if account.suspended.is_none() {
                    return refuse!("{userid} is not suspended");
                }
                self.store.set_suspended(player, None)?;
                Acted::new(ActKind::ResumeUser, format!("{userid} is a player like others again."))
            }
        };
        Ok(acted.player(player))
    }

    pub(crate) fn set_role(&self, userid: &Userid, role: AccountRole) -> Result<Acted, CommandError> {
        let player = self.person(userid)?.id;
        self.store.set_role(player, role)?;
        let what = match role {
            AccountRole::Organiser => "is an organiser: challenges for others, and may write to all players",
            AccountRole::Player => "is a player like others",
        };
        Ok(Acted::new(ActKind::Role, format!("{userid} {what}")).detail(role.as_str()).player(player))
    }

    fn reset_password(&mut self, account: &Account) -> Result<Acted, CommandError> {
        let userid = &account.userid;
        if self.store.addresses(account.id)?.confirmed().next().is_none() {
            return refuse!("{userid} has no confirmed address to send a token to: add one first");
        }
        let mut octets = [0; 16];
        self.rng.fill_bytes(&mut octets);
        let token = BASE32_NOPAD.encode(&octets).to_lowercase();
        // No minimum pause: the host can send another token at once. Players must wait an hour.
        self.store.add_reset(account.id, CodeHash::of(&token), self.now, i64::MIN / 2)?;
        self.mails.push(token_mail(account, &token, None));
        let minutes = TOKEN_SECONDS / 60;
        let said = format!(
            "A token to set a new password goes to the addresses of {userid}; it is good for {minutes} minutes, and the \
             old password until then."
        );
        Ok(Acted::new(ActKind::ResetPassword, said))
    }

    fn add_address(&mut self, account: &Account, address: &str) -> Result<Acted, CommandError> {
        let userid = &account.userid;
        let address = match read_address(address) {
            Ok(address) => address,
            Err(why) => return refuse!("{why}"),
        };
        if self.server.is_ours(&address) {
            return refuse!("{address} is an address of this server");
        }
        must_bring_no_second_entry(self.store, account.id, &address)?;
        let addresses = self.store.addresses(account.id)?;
        match addresses.row(&address) {
            Some(row) if row.confirmed_at.is_some() => {
                return refuse!("{userid} has this address already");
            }
            Some(_) => {}
            None if addresses.rows.iter().filter(|row| !row.leaves).count() >= ADDRESSES_AT_MOST => {
                return refuse!(
                    "{userid} has {ADDRESSES_AT_MOST} addresses, and an account has no more: `turnpost submit --as \
                     {userid} change address {userid} - ADDRESS` puts others in their place"
                );
            }
            None => {}
        }
        self.store.add_address(account.id, &address, self.now, Some(self.now))?;
        self.store.confirm_address(account.id, &address, self.now)?;
        let mut said = format!("{userid} gets mail at {address} from now on.");
        for (other, _, _) in
            self.store.owners_of(&address)?.iter().filter(|(owner, _, _)| *owner != account.id)
        {
            said += &format!(" It is an address of {} too.", self.store.player_by_id(*other)?.userid);
        }
        Ok(Acted::new(ActKind::AddAddress, said).address(&address))
    }

    /// Suspends an account: its letters are only answered with the reason, and its challenges, invitations and sessions
    /// end. Its boards and clocks continue.
    fn suspend(&mut self, account: &Account) -> Result<Acted, CommandError> {
        let userid = &account.userid;
        if self.reason.is_empty() {
            return refuse!("say why: the player is told");
        }
        if account.suspended.is_some() {
            return refuse!("{userid} is suspended already");
        }
        self.store.set_suspended(account.id, Some(self.reason))?;
        self.store.end_offers(account.id)?;
        self.store.end_sessions(account.id)?;
        let said = format!(
            "Letters of {userid} are answered with the reason and do nothing. Boards and clocks run on: `admin board N \
             --adjourn` stops one."
        );
        Ok(Acted::new(ActKind::Suspend, said))
    }

    pub(crate) fn rename(&mut self, old: &Userid, new: &Userid) -> Result<Acted, CommandError> {
        self.needs_a_reason()?;
        let account = self.person(old)?;
        if self.server.is_called(new.as_str()) || !LANGUAGE.may_be_a_userid(new.as_str()) {
            return refuse!("{new} is a word of the server's own");
        }
        if account.userid.as_str() == new.as_str() {
            return refuse!("{old} has that userid already");
        }
        if self.store.player(new)?.is_some_and(|other| other.id != account.id) {
            return refuse!("{new} is taken");
        }
        self.store.rename_player(account.id, new)?;
        self.store.add_former_name(account.id, old.as_str())?;
        let old_name = account.userid.to_string();
        self.tell(account.id, context! { kind => "renamed", old => old_name, new => new.to_string() });
        Ok(Acted::new(ActKind::Rename, format!("{old} is {new} now.")).player(account.id))
    }
}

/// All data about a player: a list of rows for each table. Of mails to other players, only the text is exported,
/// because the header names an address.
pub fn export(store: &Store, player: PlayerId) -> Result<Value, Error> {
    let mut all = store.export_player(player)?;
    let mails = all.get_mut("mails_to_others").and_then(Value::as_array_mut);
    for mail in mails.into_iter().flatten() {
        if let Some(text) = mail.get_mut("text") {
            *text = readable::text(text.as_str().unwrap_or_default().as_bytes()).into();
        }
    }
    for note in all.get_mut("notebook").and_then(Value::as_array_mut).into_iter().flatten() {
        let number =
            |name: &str| note.get(name).and_then(Value::as_u64).and_then(|number| number.try_into().ok());
        let (Some(board), Some(ply)) = (number("board").map(BoardId), number("ply").map(Ply)) else {
            continue;
        };
        let Some(row) = store.board(board)? else { continue };
        let plies = PlyView::all(store, &row, store.plies(board, Ply(1), ply)?)?;
        let after = PlyView::after(&plies, ply);
        if let Some(note) = note.as_object_mut() {
            note.insert("after".to_owned(), after.into());
        }
    }
    Ok(all)
}

impl ActContext<'_> {
    /// Moves the boards, addresses and letters of `from` to `into`. No new account can get the userid of `from`. On
    /// common boards `from` keeps its seat and resigns; from common contests it is withdrawn.
    pub(crate) fn merge(
        &mut self,
        from: &Userid,
        into: &Userid,
        games: GamesOfTwo,
    ) -> Result<Acted, CommandError> {
        self.needs_a_reason()?;
        let (old, new) = (self.person(from)?, self.person(into)?);
        if old.id == new.id {
            return refuse!("{from} is one account already");
        }
        if old.is_bot != new.is_bot {
            return refuse!("one of {from} and {into} is a bot, whose games count otherwise than a person's");
        }
        let met = self.store.met(old.id, new.id)?;
        let have_met = !(met.boards.is_empty() && met.contests.is_empty());
        if have_met && games == GamesOfTwo::None {
            return refuse!(
                "{from} and {into} have met on a board or in a contest: with `--void-games` their games against each other \
                 have no result, and {from} leaves the contests that both are in"
            );
        }
        let mut joined = Vec::new();
        for player in [new.id, old.id] {
            for row in self.store.contests_with(player, u32::MAX)? {
                let contest = Contest::up_to_now(self.store, &row, self.now)?;
                if contest.joined.contains(&player) && row.state == ContestState::Open {
                    joined.push((row.id, contest.league.once.contains(&player)));
                }
            }
        }
        self.part(old.id, new.id, &met)?;
        let first = self.store.first_finish_of(old.id)?;
        self.store.merge_players(old.id, new.id, &met)?;
        self.store.add_former_name(new.id, old.userid.as_str())?;
        // The links in the mails of `from` now lead its owner to the seats of `into`.
        let secret = self.store.secret(old.id)?;
        self.store.erase_account(old.id, &secret, self.now)?;
        // If both accounts had joined a contest, it now has one entrant fewer.
        for row in self.store.contests_of(new.id, u32::MAX)? {
            let mut contest = Contest::load(self.store, &row)?;
            self.store.update_entrants(&contest.row)?;
            // One account may have left a contest that the other is in. Then the merged account joins it again.
            let is_in = joined.iter().find(|(id, _)| *id == row.id && !contest.joined.contains(&new.id));
            if let Some((_, once)) = is_in {
                let entered = Entered { once: *once, seat: None };
                contest.take_in(self.store, new.id, &entered, self.now)?;
            }
        }
        if let Some(first) = first {
            ratings::again_from(self.store, first)?;
        }
        let (from, into) = (old.userid.to_string(), new.userid.to_string());
        let said = format!("{from} is {into} now, with all boards and addresses.");
        self.tell(new.id, context! { kind => "merged", from, into });
        let detail = if have_met { "games between the two are void" } else { "" };
        Ok(Acted::new(ActKind::Merge, said).player(old.id).other(new.id).detail(detail))
    }

    /// Voids the games of two players against each other. Withdraws `player` from their common contests, and resigns
    /// the player's other games there.
    fn part(&mut self, player: PlayerId, other: PlayerId, met: &Met) -> Result<(), CommandError> {
        let told = self.news.len();
        for id in &met.boards {
            let Some(row) = self.store.board(*id)? else { continue };
            let counts = row.state == BoardState::Running || row.state == BoardState::Finished && row.rated;
            if counts && row.players.contains(&player) && row.players.contains(&other) {
                self.on_board(*id, &BoardAct::End(GameEnd::Void))?;
            }
        }
        // The mail about the merge replaces the mails about these boards.
        self.news.truncate(told);
        for id in &met.contests {
            let Some(row) = self.store.contest(*id)? else { continue };
            let mut contest = Contest::up_to_now(self.store, &row, self.now)?;
            if row.state != ContestState::Closed {
                contest.take_out(self.store, player, BY_HOST, self.now)?;
            }
        }
        let is_common = |row: &BoardRow| {
            let of_contest = row.contest.as_ref().is_some_and(|of| met.contests.contains(&of.contest));
            of_contest || met.boards.contains(&row.id)
        };
        self.resign(player, is_common).map(drop)
    }
}

impl ActContext<'_> {
    /// Erases a person. Resigns the boards in play, as `delete` does. Removes the person's names and addresses from
    /// every stored text. Deletes the mails to or about the person. A waiting mail to another player that only mentions
    /// the person is sent first.
    pub(crate) fn erase(&mut self, userid: &Userid) -> Result<Acted, CommandError> {
        // An account that was closed by `delete` still has a userid.
        let player = match self.store.player(userid)? {
            Some(account) if account.is_deleted() => account.id,
            _ => self.person(userid)?.id,
        };
        let name = self.name_of_the_erased(player)?;
        self.store.restore_former_addresses(player)?;
        let mut words = vec![userid.key()];
        for former in self.store.take_names(player)? {
            // If `former` is the userid of an account that was merged into this one, rename that account too.
            if let Ok(old) = former.parse()
                && let Some(old) = self.store.player(&old)?
                && self.store.heir_of(old.id)?.is_some()
            {
                self.store.rename_player(old.id, &self.name_of_the_erased(old.id)?)?;
            }
            words.push(former);
        }
        // Words that can occur in any mail do not identify a person.
        words.retain(|word| !LANGUAGE.is_of_the_language(word) && !is_ordinary(word));
        for row in self.store.addresses(player)?.rows {
            // Keep an address that another player has too.
            if self.store.owners_of(&row.address)?.len() == 1 {
                words.extend([row.address.clone(), mailbox(&row.address), mailbox_key(&row.address)]);
            }
        }
        let words = PersonWords::new(words);
        let names = |mail: &[u8]| words.without(&readable::about_people(mail)).is_some();
        let mails = self.store.erase_mails_about(player, self.now, names)?;
        self.store.rename_player(player, &name)?;
        let resigned = self.resign(player, |_| true)?;
        self.store.end_offers(player)?;
        let secret = self.secret();
        self.store.erase_person(player, &words, &secret, self.now)?;
        self.erased = Some(Erased { mails, words });
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

    /// Resigns the player's boards in play that `which` selects, and tells the opponents. Returns the number of boards.
    fn resign(&mut self, player: PlayerId, which: impl Fn(&BoardRow) -> bool) -> Result<usize, CommandError> {
        let filter = BoardFilter {
            player: Some(player),
            which: crate::ids::Which::Active,
            limit: u32::MAX,
            ..BoardFilter::default()
        };
        let mut rows = self.store.boards(&filter)?;
        rows.retain(which);
        for row in &rows {
            let Some(mut board) = Board::load(self.store, row.id)? else { continue };
            let Some(seat) = board.seat_of(player) else { continue };
            let event = board.next_event(EventKind::Resignation, self.now);
            let event = EventRow { seat: Some(seat), player: Some(player), ..event };
            clocks::keep(self.store, &mut board, event)?;
            let changes = ended(self.store, None, &mut board, self.now)?;
            let mut view = board_view(self.store, &board)?;
            view.show_ratings(&changes);
            let update = BoardUpdate::new(BoardEvent::Resigned, seat, view);
            self.news.push(BoardNews::new(update, board.row.players, &[seat.other()]));
        }
        Ok(rows.len())
    }
}

fn is_ordinary(word: &str) -> bool {
    let lines = phrases::section(phrases::ORDINARY_WORDS, "words");
    lines.iter().flat_map(|line| line.split(' ')).any(|known| known.eq_ignore_ascii_case(word))
}
