//! The club: what its members write, and what the server makes of it.

use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost_games::registry::GAMES;

use super::SimulateArgs;
use super::agenda::{Agenda, Doing, Member};
use super::mails::{self, Mail, userid};
use crate::board::Board;
use crate::cli::Instance;
use crate::credentials::token;
use crate::delivery::deliver;
use crate::error::HostError;
use crate::ids::BoardId;
use crate::mail::incoming::{self, Incoming};
use crate::mail::transport::{OutEnvelope, SendError, Transport};
use crate::pipeline::{self, Handled, Prepared, Waiting, Work, handle_batch};
use crate::store::State;

/// When every club begins: the first of January 2025.
const BEGINS: i64 = 1_735_689_600;

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

/// Between two runs of the timer: short enough that the server never counts as down.
const TICK: i64 = 2 * HOUR;

/// Letters that come within this time share a commit, as they do when many come at once.
const WINDOW: i64 = 10 * 60;

/// A game of a club without haste takes no more plies than this; the pauses between them are such that it ends in time.
const PLIES_OF_A_GAME: i64 = 160;

/// One mail of so many comes back.
const COMES_BACK: u64 = 2000;

/// What there is so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Figures {
    /// Simulated days.
    pub day: i64,
    pub boards: u32,
    pub finished: u32,
    pub letters: u32,
    /// Letters whose last command was refused.
    pub refused: u32,
    /// Mails that left.
    pub mails: u32,
    pub reports: u32,
}

pub(super) struct Club<'a> {
    server: Instance,
    args: &'a SimulateArgs,
    /// What the members choose.
    rng: ChaCha12Rng,
    /// What the server draws.
    chance: ChaCha12Rng,
    agenda: Agenda,
    /// Mails written, for their Message-IDs.
    written: u32,
    outside: Outside,
    forgotten_at: i64,
    figures: Figures,
}

/// A letter on its way, and what it was written for.
struct Written {
    doing: Doing,
    mail: Mail,
}

impl<'a> Club<'a> {
    pub fn new(server: Instance, args: &'a SimulateArgs) -> Club<'a> {
        Club {
            server,
            args,
            rng: ChaCha12Rng::seed_from_u64(args.seed),
            chance: ChaCha12Rng::seed_from_u64(args.seed ^ u64::MAX),
            agenda: Agenda::default(),
            written: 0,
            outside: Outside::default(),
            forgotten_at: BEGINS,
            figures: Figures::default(),
        }
    }

    /// Lets the days go by; gives what there is at their end.
    pub fn play(mut self, mut progress: impl FnMut(&Figures)) -> Result<Figures, HostError> {
        self.plan();
        let end = BEGINS + i64::from(self.args.days) * DAY;
        while let Some((at, doing)) = self.agenda.next()
            && at < end
        {
            self.figures.day = (at - BEGINS) / DAY;
            match doing {
                Doing::Tick => self.tick(at)?,
                first => self.letters(at, first)?,
            }
            progress(&self.figures);
        }
        self.tick(end)?;
        self.figures.finished = self.server.store.finished_boards()?;
        Ok(self.figures)
    }

    /// Everybody signs up on the first day. From then on boards begin evenly, in the last tenth of the time none.
    fn plan(&mut self) {
        self.agenda.add(BEGINS, Doing::Tick);
        let days = i64::from(self.args.days);
        for member in 1..=self.args.players {
            let at = BEGINS + HOUR + i64::from(member) * 12 * HOUR / i64::from(self.args.players);
            self.agenda.add(at, Doing::SignUp(member));
            if self.once_in(5) {
                let at = self.between(DAY, (days * DAY).max(DAY + 1));
                self.agenda.add(BEGINS + at, Doing::Vacation(member));
            }
        }
        for _ in 0..self.args.boards {
            let at = BEGINS + self.between(DAY * 3 / 4, days * DAY * 9 / 10);
            if self.once_in(20) {
                self.agenda.add(at, Doing::Seek);
                self.agenda.add(at + 6 * HOUR, Doing::Accept);
            } else {
                self.agenda.add(at, Doing::Challenge);
            }
        }
    }

    /// Hands in the letters of the next minutes, in one commit.
    fn letters(&mut self, at: i64, first: Doing) -> Result<(), HostError> {
        let now = instant(at);
        let most = self.server.config.serve.gather as usize;
        let mut letters: Vec<Written> = self.write(first, now)?.into_iter().collect();
        while letters.len() < most
            && let Some(doing) = self.agenda.next_letter(at + WINDOW)
        {
            letters.extend(self.write(doing, now)?);
        }
        let mut waiting = Vec::with_capacity(letters.len());
        for Written { mail, .. } in &letters {
            let app = &self.server.app;
            if let Incoming::Letter(letter) = incoming::read(&mail.bytes, &mail.envelope, &app.server)
                && let Some(prepared) = Prepared::new(&self.server.store, app, &letter, now)?
            {
                waiting.push(Waiting { letter, work: Work::Act(Box::new(prepared)) });
            }
        }
        let Instance { store, app, .. } = &mut self.server;
        let last_board = store.next_board()?.0;
        for outcome in handle_batch(store, app, &waiting, now, &mut self.chance)? {
            self.figures.letters += 1;
            let well = matches!(outcome, Ok(Handled::Acted { ends_well: true, .. }));
            self.figures.refused += u32::from(!well);
        }
        let next_board = self.server.store.next_board()?.0;
        for board in last_board..next_board {
            self.figures.boards += 1;
            self.move_later(at, BoardId(board));
            if self.once_in(10) {
                let pause = self.pause();
                self.agenda.add(at + pause * 3, Doing::Chat(BoardId(board)));
            }
        }
        for Written { doing, .. } in letters {
            if let Doing::Move(board) = doing {
                self.move_later(at, board);
            }
        }
        Ok(())
    }

    fn move_later(&mut self, at: i64, board: BoardId) {
        let pause = self.pause();
        self.agenda.add(at + pause, Doing::Move(board));
    }

    /// Writes the letter that is due; `None` where there is nothing to write any more.
    fn write(&mut self, doing: Doing, now: Timestamp) -> Result<Option<Written>, HostError> {
        let ours = self.server.app.server.address.clone();
        let (member, to, subject, text) = match &doing {
            Doing::SignUp(member) => {
                (*member, ours, format!("signup {} plover-{member}", userid(*member)), String::new())
            }
            Doing::Challenge => {
                let [first, second] = self.pair();
                let (game, options) = self.terms();
                let command = format!("{game} challenge {options} {} {}", userid(first), userid(second));
                (first, ours, command, String::new())
            }
            Doing::Seek => {
                let [member, _] = self.pair();
                let (game, options) = self.terms();
                (member, ours, format!("{game} seek {options} {} -", userid(member)), String::new())
            }
            Doing::Accept => {
                let open = GAMES.iter().map(|game| self.server.store.open_seeks(game.key, Timestamp::MIN));
                let open: Vec<_> = open.collect::<Result<Vec<_>, _>>()?.concat();
                let Some(seek) = open.last() else { return Ok(None) };
                let own = u32::try_from(seek.player.0).unwrap_or_default();
                let others = self.pair();
                let member = if others[0] == own { others[1] } else { others[0] };
                let command = format!("{} accept seek {} {} -", seek.game, seek.id, userid(member));
                (member, ours, command, String::new())
            }
            Doing::Move(board) => match self.ply(*board)? {
                Some((member, to, text)) => (member, to, format!("Re: board {board}"), text),
                None => return Ok(None),
            },
            Doing::Chat(board) => {
                let Some(board) = Board::load(&self.server.store, *board)? else { return Ok(None) };
                let Some(seat) = board.row.to_move else { return Ok(None) };
                let member = u32::try_from(seat.of(&board.row.players).0).unwrap_or_default();
                let command = format!("{} chat {} {} -", board.kind.key, board.row.id, userid(member));
                (member, ours, command, "I have to think about this one; more tomorrow.".to_owned())
            }
            Doing::Vacation(member) => {
                let day = |days: i64| now.as_second().saturating_add(days * DAY);
                let [first, last] = [day(2), day(9)].map(|at| instant(at).strftime("%Y-%m-%d").to_string());
                (*member, ours, format!("vacation {} - {first} {last}", userid(*member)), String::new())
            }
            Doing::Tick => return Ok(None),
        };
        self.written += 1;
        Ok(Some(Written { doing, mail: mails::of_member(member, self.written, &to, &subject, &text) }))
    }

    /// The reply that plays on a board: who writes it, where to, and its text.
    fn ply(&mut self, board: BoardId) -> Result<Option<(Member, String, String)>, HostError> {
        let Some(board) = Board::load(&self.server.store, board)? else { return Ok(None) };
        let Some(seat) = board.row.to_move.filter(|_| board.row.state == State::Running) else {
            return Ok(None);
        };
        let enough = self.args.plies.is_some_and(|most| board.row.plies.0 >= most);
        // One such game in fifty goes on, one in four is given up, and the rest stand.
        let [goes_on, is_given_up] = [50, 4].map(|of| board.row.id.0 % of == 1);
        if enough && !goes_on && !is_given_up {
            return Ok(None);
        }
        let gives_up = enough && !goes_on || self.once_in(400);
        let plies = board.table.legal_plies();
        let chosen = self.below(plies.len() as u64) as usize;
        let word = match plies.get(chosen) {
            Some(ply) if !gives_up => ply.clone(),
            _ => "resign".to_owned(),
        };
        let player = *seat.of(&board.row.players);
        let Some(token) =
            token::give(&self.server.store, board.row.id, player, (token::MailKind::Board, None))?
        else {
            return Ok(None);
        };
        let to = self.server.app.server.extended(&token);
        let to = to.unwrap_or_else(|| self.server.app.server.address.clone());
        let quoted = board.table.drawing().board.replace('\n', "\r\n> ");
        let text = format!("{word}\r\n\r\nOn some day, Turnpost wrote:\r\n> {quoted}");
        Ok(Some((u32::try_from(player.0).unwrap_or_default(), to, text)))
    }

    /// Two members, none twice.
    fn pair(&mut self) -> [Member; 2] {
        let members = u64::from(self.args.players);
        let first = self.below(members);
        let second = (first + 1 + self.below(members - 1)) % members;
        [first, second].map(|member| member as u32 + 1)
    }

    /// A game and its options. Of the boards that stop early most have no deadline, or they would be forfeited.
    fn terms(&mut self) -> (&'static str, &'static str) {
        let game = if self.once_in(2) { "hexmeister" } else { "dvonn" };
        let stops = self.args.plies.is_some() && !self.once_in(20);
        (game, if stops { "--forfeittime=0 --nagtime=0" } else { "" })
    }

    /// Runs the timer and lets the mails leave, as far as they are due.
    fn tick(&mut self, at: i64) -> Result<(), HostError> {
        let now = instant(at);
        self.server.tick(now)?;
        let Instance { store, app, .. } = &mut self.server;
        self.figures.mails += deliver(store, &self.outside, app, || now)?.sent;
        for OutEnvelope { from, to, .. } in self.outside.come_back() {
            let Some(return_path) = from else { continue };
            self.written += 1;
            let Mail { bytes, envelope } = mails::report(self.written, &return_path, &to);
            let Instance { store, app, .. } = &mut self.server;
            pipeline::receive(store, app, &bytes, &envelope, now, &mut self.chance)?;
            self.figures.reports += 1;
        }
        if at - self.forgotten_at >= DAY {
            self.forgotten_at = at;
            self.server.forget_mails(now)?;
        }
        self.agenda.add(at + TICK, Doing::Tick);
        Ok(())
    }

    /// The time a member takes for a ply, so long that a game takes up to half of all days.
    fn pause(&mut self) -> i64 {
        let most = i64::from(self.args.days) * DAY / PLIES_OF_A_GAME;
        self.between(60, most.max(120))
    }

    fn between(&mut self, from: i64, to: i64) -> i64 {
        from + self.below((to - from).unsigned_abs()) as i64
    }

    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.next_u64() % bound.max(1)
    }
}

fn instant(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap_or(Timestamp::MAX)
}

/// The world outside: takes every mail, and sends some back.
#[derive(Debug, Default)]
struct Outside {
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    mails: u64,
    coming_back: Vec<OutEnvelope>,
}

impl Outside {
    fn come_back(&self) -> Vec<OutEnvelope> {
        std::mem::take(&mut self.taken.lock().unwrap_or_else(PoisonError::into_inner).coming_back)
    }
}

impl Transport for Outside {
    fn send(&self, envelope: &OutEnvelope, _: &[u8]) -> Result<(), SendError> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.mails += 1;
        if taken.mails.is_multiple_of(COMES_BACK) {
            taken.coming_back.push(envelope.clone());
        }
        Ok(())
    }

    fn has_viewers(&self) -> bool {
        false
    }
}
