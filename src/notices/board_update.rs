//! The news of a board, as mails tell it.

use serde::Serialize;

use crate::ids::Seat;
use crate::notices::ply_view::PlyView;
use crate::notices::view::BoardView;
use crate::store::PlayerId;

/// What happened to a board. Each event has a template in `templates/board`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardEvent {
    Started,
    Played,
    /// The player's queue played.
    Queued,
    Resigned,
    /// The winner gave back a resigned game.
    Resumed,
    DrawProposed,
    UndoProposed,
    Rejected,
    /// A player withdrew a proposal.
    Withdrawn,
    /// The players agreed to a draw.
    Agreed,
    Undone,
    /// A player took back their own move at once.
    TakenBack,
    Swapped,
    Declined,
    TimedOut,
    /// The second player never accepted the challenge.
    Lapsed,
    Reminded,
    /// The loss on time is near.
    LastWarning,
    /// The bank of the player to move is empty, and their vacation days are being spent.
    DaySpent,
    Nudged,
    /// The host took plies back.
    HostUndid,
    /// The host decided the game.
    HostEnded,
    /// The host stopped the clocks.
    HostAdjourned,
    /// The host let the game continue.
    HostResumed,
    /// The host gave the seat `by` to another player.
    HostReseated,
    /// No event: a "your move" mail that was held back.
    Waits,
    /// No event: the reader begins to watch.
    Watched,
}

impl BoardEvent {
    /// True if only the player to move hears of it.
    pub(crate) fn is_a_reminder(self) -> bool {
        matches!(self, BoardEvent::Reminded | BoardEvent::LastWarning | BoardEvent::DaySpent)
    }

    /// True for talk about a game and for acts without a move that end it or set it back. Players can repeat these
    /// without limit.
    pub(crate) fn is_talk(self) -> bool {
        matches!(
            self,
            BoardEvent::DrawProposed
                | BoardEvent::UndoProposed
                | BoardEvent::Rejected
                | BoardEvent::Withdrawn
                | BoardEvent::Agreed
                | BoardEvent::Undone
                | BoardEvent::TakenBack
                | BoardEvent::Resigned
                | BoardEvent::Resumed
                | BoardEvent::Declined
        )
    }

    pub fn template(self) -> &'static str {
        match self {
            BoardEvent::Started => "board/started.md",
            BoardEvent::Played => "board/played.md",
            BoardEvent::Queued => "board/queued.md",
            BoardEvent::Resigned => "board/resigned.md",
            BoardEvent::Resumed => "board/resumed.md",
            BoardEvent::DrawProposed => "board/draw-proposed.md",
            BoardEvent::UndoProposed => "board/undo-proposed.md",
            BoardEvent::Rejected => "board/rejected.md",
            BoardEvent::Withdrawn => "board/withdrawn.md",
            BoardEvent::Agreed => "board/agreed.md",
            BoardEvent::Undone => "board/undone.md",
            BoardEvent::TakenBack => "board/taken-back.md",
            BoardEvent::Swapped => "board/swapped.md",
            BoardEvent::Declined => "board/declined.md",
            BoardEvent::TimedOut => "board/timed-out.md",
            BoardEvent::Lapsed => "board/lapsed.md",
            BoardEvent::Reminded => "board/reminded.md",
            BoardEvent::LastWarning => "board/last-warning.md",
            BoardEvent::DaySpent => "board/day-spent.md",
            BoardEvent::Nudged => "board/nudged.md",
            BoardEvent::HostUndid => "board/host-undid.md",
            BoardEvent::HostEnded => "board/host-ended.md",
            BoardEvent::HostAdjourned => "board/host-adjourned.md",
            BoardEvent::HostResumed => "board/host-resumed.md",
            BoardEvent::HostReseated => "board/host-reseated.md",
            BoardEvent::Waits => "board/waits.md",
            BoardEvent::Watched => "board/watched.md",
        }
    }
}

/// What one command, or the server, did to a board.
#[derive(Debug, Clone, Serialize)]
pub struct BoardStep {
    #[serde(skip)]
    pub event: BoardEvent,
    /// The seat that acted, 0 or 1.
    pub by: usize,
    /// The plies of the step, including the passes of both sides.
    pub played: Vec<PlyView>,
    /// What the step did in addition to moving.
    pub remarks: Vec<String>,
}

/// The news of a board for one reader.
#[derive(Debug, Clone, Serialize)]
pub struct BoardUpdate {
    #[serde(flatten)]
    pub last: BoardStep,
    /// Steps before `last` and after the reader's last mail, oldest first.
    #[serde(skip)]
    pub earlier: Vec<BoardStep>,
    /// Further sentences for the reader.
    pub notes: Vec<String>,
    /// True if at the deadline the board closes without a result, because the second player has not accepted it.
    pub lapses: bool,
    /// What the deadline brings in place of a loss on time: ``the server plays `count` for you``.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<String>,
    /// The organiser's decision that ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruling: Option<RulingView>,
    /// The board after the last step. Templates get it in addition to the update.
    #[serde(skip)]
    pub view: BoardView,
}

/// A decision of the organiser of an event, with the organiser's words.
#[derive(Debug, Clone, Serialize)]
pub struct RulingView {
    /// A userid.
    pub by: String,
    pub contest: String,
    pub reason: String,
}

/// The news of a board for all its readers.
#[derive(Debug)]
pub struct BoardNews {
    pub update: BoardUpdate,
    /// Further sentences for one seat.
    pub notes: [Vec<String>; 2],
    pub players: [PlayerId; 2],
    /// The seats that get a mail.
    pub to: Vec<Seat>,
}

impl BoardNews {
    pub(crate) fn new(update: BoardUpdate, players: [PlayerId; 2], to: &[Seat]) -> BoardNews {
        BoardNews { update, notes: [Vec::new(), Vec::new()], players, to: to.to_vec() }
    }

    /// Merges all news of a board into one. The last state counts, but the news of a new game stays news of a new game.
    pub(crate) fn merged(news: Vec<BoardNews>) -> Vec<BoardNews> {
        let mut merged: Vec<BoardNews> = Vec::new();
        for mut news in news {
            let is_before = |before: &BoardNews| {
                // News from before a swap of seats stays separate.
                before.update.view.board == news.update.view.board && before.players == news.players
            };
            match merged.iter().position(is_before) {
                Some(at) => {
                    news.follow(merged.remove(at));
                    merged.insert(at, news);
                }
                None => merged.push(news),
            }
        }
        merged
    }

    fn follow(&mut self, before: BoardNews) {
        let BoardNews { update, notes, to, .. } = before;
        let BoardUpdate { last, earlier, view, .. } = &mut self.update;
        // Notes can be outdated if the player has acted since or the game is over.
        for (seat, before) in Seat::BOTH.into_iter().zip(notes) {
            let acted = earlier.iter().chain([&*last]).any(|step| step.by == seat.index());
            if !acted && view.result.is_none() {
                self.notes[seat.index()].splice(0..0, before);
            }
        }
        self.to.extend(to);
        self.to.sort();
        self.to.dedup();
        let mut steps = update.earlier;
        if update.last.event == BoardEvent::Started && view.result.is_none() {
            steps.append(earlier);
            steps.push(std::mem::replace(last, update.last));
        } else {
            steps.push(update.last);
            steps.append(earlier);
        }
        *earlier = steps;
    }

    /// True if every step is talk.
    pub(crate) fn is_talk(&self) -> bool {
        let BoardUpdate { last, earlier, .. } = &self.update;
        earlier.iter().chain([last]).all(|step| step.event.is_talk())
    }

    /// True if talk ended the game, with or without plies before.
    pub(crate) fn ends_by_talk(&self) -> bool {
        self.update.view.result.is_some() && self.update.last.event.is_talk()
    }

    /// True if the players must know: the game ended, was resumed after its end, or had plies taken back.
    pub(crate) fn changes_play(&self) -> bool {
        let BoardUpdate { last, earlier, view, .. } = &self.update;
        let sets_back = |step: &BoardStep| {
            matches!(step.event, BoardEvent::Resumed | BoardEvent::Undone | BoardEvent::TakenBack)
        };
        view.result.is_some() || earlier.iter().chain([last]).any(sets_back)
    }

    pub(crate) fn for_seat(&self, seat: Seat) -> BoardUpdate {
        let mut update = self.update.clone();
        update.notes.extend(seat.of(&self.notes).iter().cloned());
        update
    }

    /// The update for readers who are not players: it has no notes, and no reasons.
    pub(crate) fn for_public(&self) -> BoardUpdate {
        BoardUpdate { notes: Vec::new(), ruling: None, ..self.update.clone() }
    }

    /// The players who get a mail, including the robot.
    pub(crate) fn readers(&self) -> impl Iterator<Item = PlayerId> {
        self.to.iter().map(|seat| *seat.of(&self.players))
    }
}

impl BoardStep {
    pub fn new(event: BoardEvent, by: Seat) -> BoardStep {
        BoardStep { event, by: by.index(), played: Vec::new(), remarks: Vec::new() }
    }

    /// The plies of the side that acted, without those that the server played for it after them.
    pub fn own(&self) -> Vec<&str> {
        self.played.iter().filter(|ply| self.is_own(ply)).map(|ply| ply.text.as_str()).collect()
    }

    fn is_own(&self, ply: &PlyView) -> bool {
        let chose = self.played.iter().any(|ply| ply.seat == Some(self.by) && !ply.by_server);
        ply.seat == Some(self.by) && !(chose && ply.by_server)
    }

    /// These plies as a text; `None` if there are none.
    pub(crate) fn own_plies(&self) -> Option<String> {
        Some(self.own().join(", ")).filter(|played| !played.is_empty())
    }

    /// What followed the plies of the side that acted, a phrase each: rolls, and plies that the server played for a player.
    /// A last roll is for the seat `turn`.
    pub fn followed(&self, players: &[String; 2], turn: Option<usize>, reader: Option<usize>) -> Vec<String> {
        let now =
            |is_reader: bool| if is_reader { "have no move and pass" } else { "has no move and passes" };
        let who = |seat: Option<usize>| match seat.and_then(|seat| players.get(seat)) {
            Some(_) if seat == reader => "you",
            Some(name) => name.as_str(),
            None => "the dice",
        };
        let told = |(at, ply): (usize, &PlyView)| match (ply.seat, ply.text.as_str()) {
            (None, roll) => {
                let next = self.played.iter().skip(at).find_map(|ply| ply.seat).or(turn);
                let verb = if next.is_some() { "rolled" } else { "showed" };
                Some(format!("{} {verb} {roll}", who(next)))
            }
            // The roll itself is told.
            (_, "roll") => None,
            (seat, "pass") => Some(format!("{} {}", who(seat), now(seat == reader))),
            (seat, text) => Some(format!("{} can only play {text}", who(seat))),
        };
        self.played.iter().enumerate().filter(|(_, ply)| !self.is_own(ply)).filter_map(told).collect()
    }

    /// The step as a sentence for the player at `reader`; `None` for a step that always has its own mail.
    pub(crate) fn sentence(&self, players: &[String; 2], reader: Option<usize>) -> Option<String> {
        let by_reader = reader == Some(self.by);
        let name = players.get(self.by)?;
        let played = self.own_plies().unwrap_or_default();
        let mut told = match (self.event, by_reader) {
            (BoardEvent::Played, true) => format!("You played {played}."),
            (BoardEvent::Queued, true) => format!("Your queue played {played}."),
            (BoardEvent::Played | BoardEvent::Queued, false) => format!("{name} played {played}."),
            (BoardEvent::Swapped, true) => "You changed seats.".to_owned(),
            (BoardEvent::Swapped, false) => format!("{name} changed seats."),
            _ => return None,
        };
        for followed in self.followed(players, None, reader) {
            let (first, rest) = followed.split_at(1);
            told.push_str(&format!(" {}{rest}.", first.to_uppercase()));
        }
        for remark in &self.remarks {
            told.push(' ');
            told.push_str(remark);
        }
        Some(told)
    }
}

impl BoardUpdate {
    pub fn new(event: BoardEvent, by: Seat, view: BoardView) -> BoardUpdate {
        BoardUpdate::of(BoardStep::new(event, by), view)
    }

    pub fn of(last: BoardStep, view: BoardView) -> BoardUpdate {
        BoardUpdate {
            last,
            earlier: Vec::new(),
            notes: Vec::new(),
            lapses: false,
            fate: None,
            ruling: None,
            view,
        }
    }

    /// True for the news that a game begins or has ended.
    pub(crate) fn begins_or_ends(&self) -> bool {
        let begins = |step: &BoardStep| step.event == BoardEvent::Started;
        self.view.result.is_some() || self.earlier.iter().chain([&self.last]).any(begins)
    }

    /// True if after their turn, a player is to move again. A `roll` by itself is no turn, unless it bound the dice.
    pub(crate) fn leaves_to_move(&self) -> bool {
        let BoardUpdate { last, view, notes, .. } = self;
        let has_moved = last.event == BoardEvent::Played && (last.own() != ["roll"] || !notes.is_empty());
        has_moved && view.turn == Some(last.by)
    }

    /// The steps before the last, as one paragraph for the player at `reader`.
    pub fn before(&self, reader: Option<usize>) -> String {
        let told = self.earlier.iter().filter_map(|step| step.sentence(&self.view.players, reader));
        told.collect::<Vec<_>>().join(" ")
    }
}
