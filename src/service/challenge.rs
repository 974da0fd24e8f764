//! `challenge`.

use super::board::{Board, Terms, days_later};
use super::context::Context;
use super::play::AtBoard;
use super::transcript::{Event, Notice};
use super::view::{BoardUpdate, board_view};
use super::{CommandError, Objection, Refusal};
use crate::command::BoardOptions;
use crate::ids::{Seat, Userid};
use crate::mail::{Operator, Proof};
use crate::store::{Account, Days, PlayerId, Role};
use turnpost_games::{GameKind, Setup, Table};

/// The days of a board whose challenge names none.
const DAYS: Days = Days { nag: 7, forfeit: 21, total: 0 };

/// A position to begin with.
pub(super) struct Start {
    pub table: Box<dyn Table>,
    pub seed: u64,
    pub from_position: bool,
    pub rated: bool,
}

impl Context<'_> {
    pub(super) fn challenge(
        &mut self,
        game: &'static GameKind,
        options: &BoardOptions,
        first: &Userid,
        second: &Userid,
    ) -> Result<Event, CommandError> {
        let players = self.two_players(&[first.clone(), second.clone()])?;
        let by = self.challenger(&players)?;
        self.may_play(game, &players, by.as_slice())?;
        let start = self.set_up(game, options)?;
        self.open_board(game, players, by, options, start)
    }

    /// Starts a board between two players who may play; `by` is the seat of whoever asked for it.
    pub(super) fn open_board(
        &mut self,
        game: &'static GameKind,
        mut players: [Account; 2],
        mut by: Option<Seat>,
        options: &BoardOptions,
        start: Start,
    ) -> Result<Event, CommandError> {
        if start.from_position {
            self.may_choose_position(game, &players)?;
        }
        if options.lots && self.seed() % 2 == 1 {
            players.reverse();
            by = by.map(Seat::other);
        }
        let ids = [players[0].id, players[1].id];
        let zones = self.zones(&ids)?;
        let days = Days {
            nag: options.nag.unwrap_or(DAYS.nag),
            forfeit: options.forfeit.unwrap_or(DAYS.forfeit),
            total: options.total.unwrap_or(DAYS.total),
        };
        let terms = Terms {
            game: game.key.to_owned(),
            players: ids.map(|id| id.0),
            options: options.game.clone(),
            seed: start.seed,
            from_position: start.from_position,
            position: start.table.position(),
            rated: start.rated,
            lots: options.lots,
            may_swap: options.swap,
            days,
            imported: None,
        };
        let mover = start.table.turn();
        let deadline_at = (days.forfeit > 0).then(|| days_later(self.at, days.forfeit, mover.of(&zones)));
        let event = terms.event(self.at, by, by.map(|seat| *seat.of(&ids)), deadline_at)?;
        let id = self.store.next_board()?;
        let mut board = Board::start(id, &event)?;
        self.store.add_board(&board.row)?;
        self.store.add_event(id, &event)?;
        self.settle(&mut board)?;

        let names = players.map(|player| player.userid.to_string());
        let (seat, player) = (Seat::First, ids[0]);
        let (AtBoard { board, .. }, opening) = self.robot_opens(AtBoard { board, seat, player, names })?;
        let mut view = board_view(self.store, &board)?;
        view.seed = (!start.from_position && !options.game.is_empty()).then_some(start.seed);
        let mut update = BoardUpdate::new("started", by.unwrap_or(Seat::First), view);
        update.notes.extend(opening);
        if options.lots {
            update.notes.push("Lots were drawn for the first move.".to_owned());
        }
        if options.swap {
            let game = game.key;
            update.notes.push(format!(
                "The second player may answer ply 1 by changing seats: `{game} swap {id} userid password`."
            ));
        }
        for seat in Seat::BOTH.into_iter().filter(|seat| Some(*seat) != by) {
            let to = *seat.of(&ids);
            self.notify(Notice { to, seat: seat.index(), update: update.clone(), in_answer: false });
        }
        if let Some(seat) = by {
            self.acts_for(*seat.of(&ids));
        }
        Ok(Event::Board(Box::new(update), by.map(Seat::index)))
    }

    /// Sets up what `challenge` and `preview new` ask for.
    pub(super) fn set_up(
        &mut self,
        game: &'static GameKind,
        options: &BoardOptions,
    ) -> Result<Start, CommandError> {
        let refuse = |why: turnpost_games::SetupError| Refusal::Setup { why: why.to_string() };
        if let Some(text) = &options.position {
            if !options.game.is_empty() {
                let why = "a position leaves nothing to the game's own options".to_owned();
                return Err(Refusal::Setup { why }.into());
            }
            let table = (game.read)(text).map_err(refuse)?;
            if table.ended().is_some() || table.forced_ply().is_some() {
                let why = "in this position the side to move has no move".to_owned();
                return Err(Refusal::Setup { why }.into());
            }
            return Ok(Start { table, seed: 0, from_position: true, rated: false });
        }
        let given =
            options.game.iter().find(|(name, _)| name == "seed").and_then(|(_, value)| value.as_deref());
        // What is no number is told by the game, with its sentence.
        let seed = match given.map(str::parse) {
            Some(Ok(seed)) => seed,
            Some(Err(_)) | None => self.seed(),
        };
        let table = (game.start)(&Setup { options: &options.game, seed }).map_err(refuse)?;
        let unrated = options.game.iter().any(|(name, _)| {
            game.options.iter().any(|option| option.unrated && option.name == name.as_str())
        });
        Ok(Start { table, seed, from_position: false, rated: !(unrated || options.unrated) })
    }

    pub(super) fn challenged(&self, userid: &Userid, place: &'static str) -> Result<Account, CommandError> {
        let Some(account) = self.store.player(userid)?.filter(|account| !account.is_deleted()) else {
            return Err(Refusal::NoSuchPlayer { place, near: self.nearest(userid)? }.into());
        };
        if account.is_signed_off() {
            return Err(Refusal::SignedOff { userid: account.userid }.into());
        }
        if !account.id.is_robot() && self.store.addresses(account.id)?.confirmed().next().is_none() {
            return Err(Objection::Unreachable { userid: account.userid }.into());
        }
        Ok(account)
    }

    /// Whether nothing that players have set is against a new board that those on `asked` want.
    pub(super) fn may_play(
        &self,
        game: &'static GameKind,
        players: &[Account; 2],
        asked: &[Seat],
    ) -> Result<(), CommandError> {
        let [one, two] = players;
        if self.store.is_block_between(one.id, two.id)? {
            let (first, second) = (one.userid.clone(), two.userid.clone());
            return Err(Objection::BlockedBoard { first, second }.into());
        }
        self.robot_may_play(game, players)?;
        for seat in Seat::BOTH {
            let player = seat.of(players);
            let userid = player.userid.clone();
            let set = self.store.game_settings(player.id, game.key)?;
            if set.rejects && !asked.contains(&seat) {
                return Err(Objection::Rejects { userid, game: game.name }.into());
            }
            if self.is_at_the_limit(game, player.id)? {
                return Err(Objection::AtTheLimit { userid, game: game.name }.into());
            }
        }
        Ok(())
    }

    /// Whether a player has set a limit to their boards of a game and reached it.
    pub(super) fn is_at_the_limit(
        &self,
        game: &'static GameKind,
        player: PlayerId,
    ) -> Result<bool, CommandError> {
        let limit = self.store.game_settings(player, game.key)?.at_most;
        Ok(match limit {
            Some(limit) => self.store.boards_in_play(player, game.key)? >= limit,
            None => false,
        })
    }

    /// The seat of whoever challenges; nobody's when the operator or an organiser does. From mail an address of one of the two is
    /// enough: the board can be declined.
    pub(super) fn challenger(&mut self, players: &[Account; 2]) -> Result<Option<Seat>, CommandError> {
        let speakers: Vec<Account> = match &self.letter.proof {
            Proof::Operator(Operator::AsAnyone | Operator::Nobody) => return Ok(None),
            Proof::Operator(Operator::As(speaker)) => {
                let speaker = self.store.player(speaker)?;
                speaker.iter().try_for_each(Context::must_be_a_person)?;
                speaker.into_iter().collect()
            }
            Proof::Sender | Proof::None => {
                self.store.players_at(self.letter.sender.as_deref().unwrap_or_default())?
            }
        };
        let is_theirs = |seat: &Seat| speakers.iter().any(|speaker| speaker.id == seat.of(players).id);
        if let Some(seat) = Seat::BOTH.into_iter().find(is_theirs) {
            return Ok(Some(seat));
        }
        for speaker in speakers {
            if self.store.role(speaker.id)? == Role::Organiser {
                self.acts_for(speaker.id);
                return Ok(None);
            }
        }
        Err(Refusal::NotOneOfThem.into())
    }
}
