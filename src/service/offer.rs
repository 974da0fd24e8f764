//! Proposals, take-backs, the swap of seats, declining, rematch and replay.

use super::CommandError;
use super::challenge::Start;
use super::context::Context;
use super::play::AtBoard;
use super::transcript::Event;
use super::view::BoardEvent;
use crate::command::offer::{Offer, Word};
use crate::command::{BoardOptions, Seated};
use crate::ids::{BoardId, Ply, Seat, Userid};
use crate::service::board::{Board, Terms, taken_up_by};
use crate::service::challenge::ChallengeRefusal;
use crate::service::play::PlayRefusal;
use crate::service::query::QueryRefusal;
use crate::service::refusal::{Refuse, refuses};
use crate::store::{EventKind, PlayerId, Proposal, State};
use turnpost_games::GameKind;

/// Why it is refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum OfferRefusal {
    #[error("You have proposed that already, and {opponent} has not answered yet.")]
    ProposedAlready { opponent: Userid },
    #[error("{opponent} has proposed {what}: answer that with `accept` or `reject` first.")]
    AnswerFirst { opponent: Userid, what: &'static str },
    #[error("You have played no ply on board {board} that could be taken back.")]
    NothingToTakeBack { board: BoardId },
    #[error("{opponent} has proposed nothing on board {board} that you could answer.")]
    NothingProposed { opponent: Userid, board: BoardId },
    #[error(
        "Seats can be changed only by the second player, in answer to ply 1, on a board started with --swap."
    )]
    NoSwap,
    #[error(
        "Board {board} cannot be declined any more: {second} has played. `{game} resign {board}` gives it up."
    )]
    TooLateToDecline { board: BoardId, second: Userid, game: &'static str },
    #[error("Board {board} is still in play: a rematch can follow once it is over.")]
    StillRunning { board: BoardId },
}

impl Refuse for OfferRefusal {}

refuses!(OfferRefusal);

impl Context<'_> {
    pub(super) fn offer(&mut self, offer: Offer) -> Result<Event, CommandError> {
        match offer {
            Offer::Word(at, word) => {
                let at = self.sit_down(&at)?;
                match word {
                    Word::Propose => self.propose(at, Proposal::Draw),
                    Word::Undo => self.propose(at, Proposal::Undo),
                    Word::Accept => self.accept(at),
                    Word::Reject => self.reject(at),
                    Word::Swap => self.swap(at),
                    Word::Decline => self.decline(at),
                }
            }
            Offer::Queue(at, plan) => self.queue(&at, plan),
            Offer::Submit(at, plies) => self.submit(&at, &plies),
            Offer::Confirm(at) => self.confirm(&at),
            Offer::Rematch(at) => self.rematch(&at),
            Offer::Replay { game, board, ply, players, options } => {
                self.replay(game, board, ply, &players, &options)
            }
            Offer::Seek { game, login, options, rating } => self.seek(game, &login, &options, rating),
            Offer::SeekOff(game, login) => self.seek_off(game, &login),
            Offer::AcceptSeek(game, number, login) => self.accept_seek(game, number, &login),
            Offer::Seeks(game) => self.seeks(game),
            Offer::ShowAs { game, login, boards, which } => self.show_as(game, &login, &boards, which),
            Offer::AllShow(userid, which) => self.all_show(&userid, which),
        }
    }

    fn propose(&mut self, mut at: AtBoard, proposal: Proposal) -> Result<Event, CommandError> {
        if Context::is_against_robot(&at) {
            return self.propose_to_robot(at, proposal);
        }
        if at.board.row.proposal == Some((proposal, at.seat)) {
            return Err(OfferRefusal::ProposedAlready { opponent: self.opponent(&at)? }.into());
        }
        match at.board.row.proposal {
            // Two who both want a draw have agreed; two who both take back have not said how far.
            Some((Proposal::Draw, by)) if by != at.seat && proposal == Proposal::Draw => {
                return self.accept(at);
            }
            Some((open, by)) if by != at.seat => {
                return Err(
                    OfferRefusal::AnswerFirst { opponent: self.opponent(&at)?, what: open.what() }.into()
                );
            }
            _ => {}
        }
        if proposal == Proposal::Undo && self.before_last_ply(&at.board, at.player)?.is_none() {
            return Err(OfferRefusal::NothingToTakeBack { board: at.board.row.id }.into());
        }
        self.happen(&mut at, EventKind::Proposal, proposal.as_str())?;
        let event = match proposal {
            Proposal::Draw => BoardEvent::DrawProposed,
            Proposal::Undo => BoardEvent::UndoProposed,
        };
        self.tell(event, &at)
    }

    fn accept(&mut self, mut at: AtBoard) -> Result<Event, CommandError> {
        match self.proposed(&at)? {
            Proposal::Draw => {
                self.happen(&mut at, EventKind::Agreement, "")?;
                self.tell(BoardEvent::Agreed, &at)
            }
            Proposal::Undo => self.take_back(at),
        }
    }

    fn reject(&mut self, mut at: AtBoard) -> Result<Event, CommandError> {
        let proposal = self.proposed(&at)?;
        self.happen(&mut at, EventKind::Rejection, proposal.as_str())?;
        self.tell(BoardEvent::Rejected, &at)
    }

    /// What the opponent has proposed.
    fn proposed(&self, at: &AtBoard) -> Result<Proposal, CommandError> {
        match at.board.row.proposal {
            Some((proposal, by)) if by == at.seat.other() => Ok(proposal),
            _ => {
                let opponent = self.opponent(at)?;
                Err(OfferRefusal::NothingProposed { opponent, board: at.board.row.id }.into())
            }
        }
    }

    /// Takes back the opponent's last ply and all after it, as they have proposed.
    pub(super) fn take_back(&mut self, mut at: AtBoard) -> Result<Event, CommandError> {
        let id = at.board.row.id;
        let opponent = *at.seat.other().of(&at.board.row.players);
        let Some(stands) = self.before_last_ply(&at.board, opponent)? else {
            return Err(OfferRefusal::NothingToTakeBack { board: id }.into());
        };
        let events = self.store.events(id)?;
        let zones = self.zones(&at.board.row.players)?;
        let event = at.board.take_back(&events, stands, at.seat, self.now, &zones)?;
        self.store.add_event(id, &event)?;
        self.store.update_board(&at.board.row)?;
        self.settle(&mut at.board)?;
        self.drop_plans(&at.board)?;
        self.tell(BoardEvent::Undone, &at)
    }

    /// The ply before the last one that `player` played. What was played before seats were changed stands.
    pub(super) fn before_last_ply(
        &self,
        board: &Board,
        player: PlayerId,
    ) -> Result<Option<Ply>, CommandError> {
        // Only ply 1 can be answered by a swap.
        let first = if board.row.swapped { Ply(2) } else { Ply(1) };
        let plies = self.store.plies(board.row.id, first, board.row.plies)?;
        let last = plies.iter().rev().find(|ply| ply.player == Some(player));
        Ok(last.map(|ply| Ply(ply.ply.0.saturating_sub(1))))
    }

    fn swap(&mut self, mut at: AtBoard) -> Result<Event, CommandError> {
        let row = &at.board.row;
        if !row.may_swap || row.plies != Ply(1) || at.seat != Seat::Second {
            return Err(OfferRefusal::NoSwap.into());
        }
        self.drop_plans(&at.board)?;
        self.happen(&mut at, EventKind::Swap, "")?;
        self.store.seat_players(&at.board.row)?;
        // Whoever swapped sits on the first seat now.
        at.seat = at.seat.other();
        let update = self.update(BoardEvent::Swapped, &at, &[], Vec::new())?;
        self.notify_other(&at, &update);
        if at.board.row.is_with_robot() {
            return self.go_on(at, update);
        }
        Ok(Event::Board(Box::new(update), Some(at.seat.index())))
    }

    fn decline(&mut self, mut at: AtBoard) -> Result<Event, CommandError> {
        let row = &at.board.row;
        if let Some(second) = taken_up_by(&self.store.events(row.id)?) {
            let second = self.store.player_by_id(second)?.userid;
            return Err(
                OfferRefusal::TooLateToDecline { board: row.id, second, game: at.board.kind.key }.into()
            );
        }
        self.happen(&mut at, EventKind::Decline, "")?;
        self.tell(BoardEvent::Declined, &at)
    }

    fn opponent(&self, at: &AtBoard) -> Result<Userid, CommandError> {
        Ok(self.store.player_by_id(*at.seat.other().of(&at.board.row.players))?.userid)
    }

    /// A new board of the same players and options, sides changed.
    fn rematch(&mut self, at: &Seated) -> Result<Event, CommandError> {
        let account = self.prove(&at.login)?;
        let old = self.board(at.game, at.board)?;
        let seat = self.seat_at(&old, &account)?;
        if old.row.state == State::Running {
            return Err(OfferRefusal::StillRunning { board: at.board }.into());
        }
        let [first, second] = old.row.players;
        let userids = [self.store.player_by_id(second)?.userid, self.store.player_by_id(first)?.userid];
        let players = [self.challenged(&userids[0], "first")?, self.challenged(&userids[1], "second")?];
        let events = self.store.events(at.board)?;
        let terms = events.first().and_then(|start| serde_json::from_str::<Terms>(&start.text).ok());
        let Some(terms) = terms else {
            return Err(PlayRefusal::NoSuchBoard { board: at.board, game: at.game.key }.into());
        };
        let days = terms.days;
        let options = BoardOptions {
            position: terms.from_position.then(|| terms.position.clone()),
            game: terms.options,
            nag: Some(days.nag),
            forfeit: Some(days.forfeit),
            total: Some(days.total),
            unrated: !terms.rated,
            // Sides are changed on purpose, not drawn again.
            lots: false,
            swap: terms.may_swap,
            level: None,
        };
        self.may_play(at.game, &players, &[seat.other()])?;
        let start = self.set_up(at.game, &options)?;
        self.open_board(at.game, players, Some(seat.other()), &options, start)
    }

    /// A new, unrated board from a position of an old one.
    fn replay(
        &mut self,
        game: &'static GameKind,
        number: BoardId,
        ply: Option<Ply>,
        userids: &[Userid; 2],
        options: &BoardOptions,
    ) -> Result<Event, CommandError> {
        let players = self.two_players(userids)?;
        let by = self.challenger(&players)?;
        let board = self.board(game, number)?;
        let ply = ply.unwrap_or(board.row.plies);
        if ply > board.row.plies {
            return Err(QueryRefusal::NoSuchPly { board: number, plies: board.row.plies }.into());
        }
        let past = Board::past(number, &self.store.events(number)?, ply)?;
        if past.table.ended().is_some() {
            let why = format!("after ply {ply} the game is over");
            return Err(ChallengeRefusal::Setup { why }.into());
        }
        if past.table.forced_ply().is_some() {
            let why = format!("after ply {ply} the side to move has no move; name the ply behind the pass");
            return Err(ChallengeRefusal::Setup { why }.into());
        }
        self.may_play(game, &players, by.as_slice())?;
        let start = Start { table: past.table, seed: 0, from_position: true, rated: false };
        self.open_board(game, players, by, options, start)
    }
}
