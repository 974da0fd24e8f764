//! `admin board N --undo | --end | --adjourn | --resume | --reseat`.

use jiff::tz::TimeZone;
use minijinja::{Value, context};

use super::{ActContext, Acted, BoardAct, GameEnd, NewSeat};
use crate::board::{Board, clocks, ratings};
use crate::failure::{CommandError, refuse};
use crate::ids::{BoardId, Ply, Seat};
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate};
use crate::notices::view::board_view;
use crate::play::reseat;
use crate::play::{decided, ended, reopened, zone_of};
use crate::store::{ActKind, BoardState, EventRow, PlayerId, Ruling};

/// A board before the host's act.
struct Before {
    board: Board,
    events: Vec<EventRow>,
    zones: [TimeZone; 2],
}

/// The result of the act.
struct Changed {
    event: EventRow,
    happened: BoardEvent,
    /// The seat that the event concerns.
    seat: Seat,
    acted: Acted,
}

impl ActContext<'_> {
    pub(crate) fn on_board(&mut self, id: BoardId, act: &BoardAct) -> Result<Acted, CommandError> {
        self.needs_a_reason()?;
        let Some(board) = Board::load(self.store, id)? else {
            return refuse!("there is no board {id}");
        };
        if board.row.state == BoardState::Declined {
            return refuse!("board {id} was declined before it began: the players start another");
        }
        let [first, second] = board.row.players;
        let zones = [zone_of(self.store, first)?, zone_of(self.store, second)?];
        let events = self.store.events(id)?;
        let mut before = Before { board, events, zones };
        let was = before.board.row.clone();
        if was.state != BoardState::Running && matches!(act, BoardAct::Undo(_) | BoardAct::Resume) {
            for player in was.players {
                let account = self.store.player_by_id(player)?;
                if account.is_deleted() {
                    return refuse!("{} has left, so board {id} cannot go on", account.userid);
                }
            }
        }
        let mut changed = match act {
            BoardAct::Undo(ply) => self.undo(&mut before, *ply)?,
            BoardAct::End(end) => self.end(&mut before, end)?,
            BoardAct::Adjourn => self.adjourn(&mut before)?,
            BoardAct::Resume => self.resume(&mut before)?,
            BoardAct::Reseat(new) => self.reseat(&mut before, new)?,
        };
        changed.acted.log.board = Some(id);
        changed.acted.log.contest = was.contest.as_ref().map(|of| of.contest);
        let mut board = before.board;
        self.store.seat_players(&board.row)?;
        for player in was.players {
            let fits = match act {
                BoardAct::Undo(_) => false,
                BoardAct::End(_) | BoardAct::Adjourn | BoardAct::Resume => true,
                BoardAct::Reseat(_) => board.row.players.contains(&player),
            };
            if !fits {
                self.store.set_queue(id, player, None)?;
                self.store.set_draft(id, player, None)?;
            }
        }
        let (was_over, is_over) = (was.state != BoardState::Running, board.row.state != BoardState::Running);
        let changes = if was_over && !is_over {
            reopened(self.store, &mut board, &changed.event, self.now)?
        } else {
            self.store.add_event(id, &changed.event)?;
            let finish = self.store.finish_of(id)?;
            self.store.update_board(&board.row)?;
            match finish {
                Some(finish) => ratings::again_from(self.store, finish)?,
                None if is_over && !was_over => ended(self.store, None, &mut board, self.now)?,
                None if is_over => ratings::rate_finished_games(self.store)?,
                None => {
                    clocks::settle_now(self.store, &mut board, self.now)?;
                    Vec::new()
                }
            }
        };
        let mut view = board_view(self.store, &board)?;
        view.show_ratings(&changes);
        let mut update = BoardUpdate::new(changed.happened, changed.seat, view);
        update.notes.push(format!("The host's reason: {}", self.reason));
        for player in was.players.into_iter().filter(|player| !board.row.players.contains(player)) {
            let players = update.view.players.clone();
            let game = board.kind.key;
            self.tell(player, context! { kind => "unseated", game, board => id.0, players });
        }
        self.news.push(BoardNews::new(update, board.row.players, &Seat::BOTH));
        Ok(changed.acted)
    }

    /// Mails a player about the act.
    pub(crate) fn tell(&mut self, player: PlayerId, what: Value) {
        self.mails.push(decided::mail(player, what, None, self.reason));
    }

    fn undo(&self, before: &mut Before, ply: Ply) -> Result<Changed, CommandError> {
        let row = &before.board.row;
        let (id, plies) = (row.id, row.plies);
        if plies == Ply::START {
            return refuse!("board {id} has no ply that could be taken back");
        }
        if ply == Ply::START || ply > plies {
            return refuse!("board {id} has the plies 1 to {plies}, and no ply {ply}");
        }
        if ply == Ply(1) && row.swapped {
            return refuse!("the players have changed seats after ply 1, so it stands");
        }
        let stands = Ply(ply.0.saturating_sub(1));
        let event = before.board.host_takes_back(&before.events, stands, self.now, &before.zones)?;
        let rest = if stands == Ply::START { "it stands".into() } else { format!("take back ply {stands}") };
        if before.board.table.forced_ply().is_some() {
            return refuse!("ply {ply} is a pass that the rules force: {rest}");
        }
        if before.board.table.chance().is_some() {
            return refuse!("ply {ply} is what the dice showed: {rest}");
        }
        let said = format!("Board {id}: ply {ply} and all after it are taken back.");
        let acted = Acted::new(ActKind::Undo, said).detail(format!("ply {ply}"));
        Ok(Changed { event, happened: BoardEvent::HostUndid, seat: before.board.table.turn(), acted })
    }

    fn end(&self, before: &mut Before, end: &GameEnd) -> Result<Changed, CommandError> {
        let id = before.board.row.id;
        let (ruling, winner) = match end {
            GameEnd::Won(userid) => {
                let player = self.store.player(userid)?.map(|account| account.id);
                match player.and_then(|player| before.board.seat_of(player)) {
                    Some(seat) => (Ruling::Won, Some(seat)),
                    None => return refuse!("{userid} does not play on board {id}"),
                }
            }
            GameEnd::Draw => (Ruling::Draw, None),
            GameEnd::Void => (Ruling::Void, None),
        };
        let event = before.board.rules(ruling, winner, None, self.now)?;
        let said = match end {
            GameEnd::Won(userid) => format!("Board {id}: {userid} won."),
            GameEnd::Draw => format!("Board {id}: a draw."),
            GameEnd::Void => format!("Board {id}: nobody won, and nothing is rated."),
        };
        let mut acted = Acted::new(ActKind::End, said).detail(ruling.in_log(winner));
        if let Some(seat) = winner {
            acted = acted.player(*seat.of(&before.board.row.players));
        }
        Ok(Changed { event, happened: BoardEvent::HostEnded, seat: winner.unwrap_or(Seat::First), acted })
    }

    fn adjourn(&self, before: &mut Before) -> Result<Changed, CommandError> {
        let id = before.board.row.id;
        if before.board.row.state != BoardState::Running {
            return refuse!("board {id} is over, and its clocks stand still");
        }
        if clocks::is_adjourned(&before.events) {
            return refuse!("board {id} is adjourned already");
        }
        let event = before.board.host_adjourns(self.now)?;
        let said = format!("Board {id}: no clock runs until somebody moves, or `--resume`.");
        let acted = Acted::new(ActKind::Adjourn, said);
        Ok(Changed { event, happened: BoardEvent::HostAdjourned, seat: before.board.table.turn(), acted })
    }

    fn resume(&self, before: &mut Before) -> Result<Changed, CommandError> {
        let id = before.board.row.id;
        if before.board.table.ended().is_some() {
            return refuse!("board {id} ended by the rules of its game: take back its last ply instead");
        }
        if before.board.row.state == BoardState::Running && !clocks::is_adjourned(&before.events) {
            return refuse!("board {id} is in play, and its clocks run");
        }
        let event = before.board.resumes(&before.events, None, self.now, &before.zones)?;
        let acted = Acted::new(ActKind::ResumeBoard, format!("Board {id}: the game goes on."));
        Ok(Changed { event, happened: BoardEvent::HostResumed, seat: before.board.table.turn(), acted })
    }

    fn reseat(&self, before: &mut Before, new: &NewSeat) -> Result<Changed, CommandError> {
        let (id, seat, userid) = (before.board.row.id, new.seat, &new.player);
        if before.board.row.state != BoardState::Running {
            return refuse!("board {id} is over: its players stay who they were");
        }
        let account = self.person(userid)?;
        if before.board.seat_of(account.id).is_some() {
            return refuse!("{userid} plays on board {id} already");
        }
        if account.suspended.is_some() {
            return refuse!("{userid} is suspended");
        }
        if self.store.addresses(account.id)?.confirmed().next().is_none() {
            return refuse!("{userid} has no confirmed address, and would not hear of it");
        }
        let left = *seat.of(&before.board.row.players);
        let event = reseat::reseat(self.store, &mut before.board, (seat, account.id), self.now)?;
        let side = before.board.kind.seat(seat);
        let said = format!("Board {id}: {userid} plays {side} from now on.");
        let acted = Acted::new(ActKind::Reseat, said).player(account.id).other(left);
        let acted = acted.detail(format!("seat {}", seat.index() + 1));
        Ok(Changed { event, happened: BoardEvent::HostReseated, seat, acted })
    }
}
