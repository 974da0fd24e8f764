//! The trait that every game implements, and the types of its answers.

use std::cmp::Ordering;
use std::fmt::Debug;

use crate::scene::{Ends, Scene};
use crate::{Cast, Chance, Seat};

/// A position of a game: the side to move, the legal plies, and what each ply changes.
///
/// Cloning must be cheap, because a search clones a position at every node.
pub trait Position: Clone + Debug + Send + 'static {
    /// One ply of one seat. A turn of several actions is several plies of the same seat.
    type Move: Copy + Eq + Debug;

    /// The seat that plays the next ply. The answer has no meaning after the end of the game.
    fn to_move(&self) -> Seat;

    /// How the game ended; `None` if it has not.
    fn outcome(&self) -> Option<Outcome>;

    /// What falls next. `None` if a seat is to move, or the game is over. Before a cast, `to_move` is the seat whose
    /// turn it is for.
    fn chance(&self) -> Option<Chance> {
        None
    }

    /// Plays a cast that [`chance`](Position::chance) allows. After any other cast the position has no meaning.
    fn make_chance(&mut self, _: Cast) {}

    /// Calls `visit` once with each legal ply, in an order that depends on the position alone. After the end of the
    /// game, and before a cast, no ply is legal. If a side must pass, the pass is its only legal ply.
    fn each_move(&self, visit: &mut impl FnMut(Self::Move));

    /// The legal plies, in the order of [`each_move`](Position::each_move).
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.each_move(&mut |ply| moves.push(ply));
        moves
    }

    /// The number of legal plies. A game overrides this if it can count plies without listing them.
    fn legal_count(&self) -> u64 {
        let mut count = 0;
        self.each_move(&mut |_| count += 1);
        count
    }

    /// The pass, if no other ply is legal. The server plays it for the player.
    fn forced(&self) -> Option<Self::Move>;

    /// The ply that most players choose here without a look at the board, such as to roll. A player can let the server
    /// play it.
    fn usual(&self) -> Option<Self::Move> {
        None
    }

    /// True if the side to move can have a [`usual`](Position::usual) ply in its next turn. Its player can ask for that
    /// choice with the ply of this turn.
    fn may_ask(&self) -> bool {
        false
    }

    /// The points that win the match of this board; 1 if it is a single game.
    fn match_length(&self) -> u16 {
        1
    }

    /// The ply that ends a turn of several plies if its player adds nothing. It is played if the text of a turn or the
    /// player's time ends before the turn does.
    fn closing(&self) -> Option<Self::Move> {
        None
    }

    /// The ply by which the side to move gives up the running game of a match. It is legal, but
    /// [`each_move`](Position::each_move) does not list it.
    fn give_up(&self) -> Option<Self::Move> {
        None
    }

    /// Checks that `ply` is legal.
    ///
    /// # Errors
    /// `ply` is illegal.
    fn check(&self, ply: Self::Move) -> Result<(), Illegal> {
        let is_legal = self.give_up() == Some(ply) || self.legal_moves().contains(&ply);
        if is_legal { Ok(()) } else { Err(Illegal { why: self.why_not(ply) }) }
    }

    /// Sentences for the player: the rule that forbids the illegal `ply`, and which plies are legal.
    fn why_not(&self, ply: Self::Move) -> String;

    /// Plays a legal ply: one that [`each_move`](Position::each_move) lists or [`check`](Position::check)
    /// accepts. After any other ply the position has no meaning.
    fn make(&mut self, ply: Self::Move);

    /// Checks and plays `ply`. An illegal ply changes nothing.
    ///
    /// # Errors
    /// `ply` is illegal.
    fn play(&mut self, ply: Self::Move) -> Result<(), Illegal> {
        self.check(ply)?;
        self.make(ply);
        Ok(())
    }

    /// Reads the ply at the start of `text`, legal or not, and returns it with the rest of the text. `text` begins
    /// without blanks. The rest can begin with the next ply, or with `#` and the number of the ply.
    ///
    /// # Errors
    /// `text` does not begin with a ply.
    fn read_move<'t>(&self, text: &'t str) -> Result<(Self::Move, &'t str), Unreadable>;

    /// Writes `ply` in its standard form. [`read_move`](Position::read_move) reads it back.
    fn write_move(&self, ply: Self::Move) -> String;

    /// Reads the text of a position.
    ///
    /// # Errors
    /// The text does not follow the format, or no game can reach the position.
    fn read(text: &str) -> Result<Self, SetupError>;

    /// The text of the position: one line of ASCII without quotes, its words separated by one blank each.
    /// [`read`](Position::read) turns it back into an equal position.
    fn write(&self) -> String;

    /// The text of the position without what only its history gives, such as earlier boards and counts of idle moves.
    /// Two games that reach the same position have the same text. Archives find positions by it.
    fn key_text(&self) -> String {
        self.write()
    }

    /// The board as a scene, from which text and pictures are drawn.
    fn scene(&self) -> Scene;

    /// The spaces that the notation of `ply` names.
    fn ends(&self, ply: Self::Move) -> Ends<impl ToString>;

    /// Other spaces that mean a legal ply if they are chosen one after the other; none by default.
    fn other_ends(&self, _: Self::Move) -> Option<Ends> {
        None
    }

    /// The turns that begin with `begun`, a step longer each, with the spaces of that step; `begun` is empty before the
    /// first step. By default a ply is one step. If other spaces mean a ply too, it is listed again with those.
    fn continued(&self, begun: &str) -> Vec<(String, Ends)> {
        if !begun.is_empty() {
            return Vec::new();
        }
        let ends = |ply| [Some(self.ends(ply).named()), self.other_ends(ply)].into_iter().flatten();
        let named = |ply| ends(ply).map(move |ends| (self.write_move(ply), ends));
        self.legal_moves().into_iter().flat_map(named).collect()
    }

    /// The board after the steps of `begun`, one of the texts of [`continued`](Position::continued).
    fn scene_begun(&self, _: &str) -> Scene {
        self.scene()
    }

    /// What a legal ply does, as a phrase to print after its notation. Example: `places a red DVONN piece, the first of
    /// three, on F3`.
    fn explain(&self, ply: Self::Move) -> String;

    /// Sentences about the other effects of the ply that led from here to `after`, such as captures. Usually none.
    fn remarks(&self, after: &Self) -> Vec<String>;
}

/// The result of a game that ended by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` for a tie.
    pub winner: Option<Seat>,
    /// The points of the first and the second seat, if the game counts points.
    pub score: Option<[u16; 2]>,
    /// What decided the game, if it can end in several ways: `five gates in a line`.
    pub how: Option<&'static str>,
}

impl Outcome {
    /// A win without points.
    pub fn won(winner: Seat, how: &'static str) -> Outcome {
        Outcome { winner: Some(winner), score: None, how: Some(how) }
    }

    /// A win for more points, or a tie.
    pub fn counted(score: [u16; 2]) -> Outcome {
        let [first, second] = score;
        let winner = match first.cmp(&second) {
            Ordering::Greater => Some(Seat::First),
            Ordering::Equal => None,
            Ordering::Less => Some(Seat::Second),
        };
        Outcome { winner, score: Some(score), how: None }
    }

    /// A tie without points.
    pub fn tie(how: &'static str) -> Outcome {
        Outcome { winner: None, score: None, how: Some(how) }
    }
}

/// A board in text, with the lines that explain it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Lines of 7-bit text, at most 78 columns wide, without trailing blanks, each ended by `\n`.
    pub board: String,
    /// One line that explains the signs.
    pub key: String,
    /// Facts that do not fit into the drawing: `F3 is w12`.
    pub notes: Vec<String>,
    /// A line about both sides; see [`Scene::standing`].
    pub standing: String,
}

/// A text that does not begin with a ply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Unreadable {
    /// The word that is not a ply. It can be a misplaced password, so mask it before you print it.
    pub word: String,
    /// A sentence for the player: what to write instead. It does not repeat `word`.
    pub why: String,
}

/// A ply that the rules forbid in this position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Illegal {
    /// Sentences for the player: the broken rule, and legal plies.
    pub why: String,
}

/// Why a board cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The text does not follow the format of this game's positions.
    #[error("the position cannot be read: {0}")]
    Unreadable(String),
    /// No game can reach the position.
    #[error("the position is not lawful: {0}")]
    Unlawful(String),
    /// The options of a challenge contradict each other, or a value is invalid.
    #[error("{0}")]
    Option(String),
}

impl SetupError {
    pub(crate) fn unreadable<T>(why: impl Into<String>) -> Result<T, SetupError> {
        Err(SetupError::Unreadable(why.into()))
    }
}

/// The number of legal sequences of `depth` plies from `position`. A pass is a ply, and so is each cast.
///
/// It does not play the last ply of a sequence: [`legal_count`](Position::legal_count) counts these plies.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    let Some(deeper) = depth.checked_sub(1) else { return 1 };
    let mut count = 0;
    let mut follow = |make: &dyn Fn(&mut P)| {
        let mut next = position.clone();
        make(&mut next);
        count += perft(&next, deeper);
    };
    match position.chance() {
        Some(chance) => chance.casts().for_each(|cast| follow(&|next| next.make_chance(cast))),
        None if deeper == 0 => return position.legal_count(),
        None => position.each_move(&mut |ply| follow(&|next| next.make(ply))),
    }
    count
}
