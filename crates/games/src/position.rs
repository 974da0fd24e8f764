//! What every game implements, and what its methods answer with.

use std::cmp::Ordering;
use std::fmt::Debug;

use crate::Seat;
use crate::scene::{Ends, Scene};

/// A position of a game: who is to move, which plies are legal, and what each leads to.
///
/// Cloning must be cheap: a search clones a position at every node.
pub trait Position: Clone + Debug + Send + 'static {
    /// One ply of one seat. A turn of several actions is several plies of the same seat.
    type Move: Copy + Eq + Debug;

    /// The seat that plays the next ply. Once the game is over the answer means nothing.
    fn to_move(&self) -> Seat;

    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Calls `visit` once with each legal ply, in an order that depends on the position alone. There are none when
    /// the game is over, and only the pass when the side to move must pass.
    fn each_move(&self, visit: &mut impl FnMut(Self::Move));

    /// The legal plies, in the order of [`each_move`](Position::each_move).
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.each_move(&mut |ply| moves.push(ply));
        moves
    }

    /// The number of legal plies. A game overrides this where it can count faster than it can list.
    fn legal_count(&self) -> u64 {
        let mut count = 0;
        self.each_move(&mut |_| count += 1);
        count
    }

    /// The forced pass, if the rules leave no choice. The server plays it by itself.
    fn forced(&self) -> Option<Self::Move>;

    /// Checks `ply` against the rules.
    ///
    /// # Errors
    /// The rule that forbids `ply`.
    fn check(&self, ply: Self::Move) -> Result<(), Illegal> {
        let is_legal = self.legal_moves().contains(&ply);
        if is_legal { Ok(()) } else { Err(Illegal { why: self.why_not(ply) }) }
    }

    /// Sentences for the player of an illegal `ply`: the rule that forbids it, and what is legal.
    fn why_not(&self, ply: Self::Move) -> String;

    /// Plays a legal ply: one that [`each_move`](Position::each_move) listed or [`check`](Position::check)
    /// accepted. Any other ply leaves a meaningless position behind.
    fn make(&mut self, ply: Self::Move);

    /// Checks and plays `ply`. A refused ply changes nothing.
    ///
    /// # Errors
    /// The rule that forbids `ply`.
    fn play(&mut self, ply: Self::Move) -> Result<(), Illegal> {
        self.check(ply)?;
        self.make(ply);
        Ok(())
    }

    /// Reads the first ply of `text`, which begins without blanks, and returns it with the rest of the text.
    ///
    /// This reads and does not judge: the ply may be illegal. The rest may begin with `#` and a ply number, which
    /// the caller reads, or with the next ply.
    ///
    /// # Errors
    /// The word that is no ply.
    fn read_move<'t>(&self, text: &'t str) -> Result<(Self::Move, &'t str), Unreadable>;

    /// Writes `ply` in its one standard form, which [`read_move`](Position::read_move) reads in this position.
    fn write_move(&self, ply: Self::Move) -> String;

    /// Reads a position's text.
    ///
    /// # Errors
    /// The text does not follow the format, or no game can reach the position.
    fn read(text: &str) -> Result<Self, SetupError>;

    /// The position's text: a line of ASCII without quotes, its words parted by one blank each.
    /// [`read`](Position::read) turns it back into an equal position.
    fn write(&self) -> String;

    /// The board as it is seen.
    fn scene(&self) -> Scene;

    /// The spaces that a ply names.
    fn ends(&self, ply: Self::Move) -> Ends<impl ToString>;

    /// What a legal ply does, in words that follow its notation: `places a red DVONN piece, the first of three, on F3`.
    fn explain(&self, ply: Self::Move) -> String;

    /// Sentences about what the ply from here to `after` did beside moving, such as pieces captured. Usually none.
    fn remarks(&self, after: &Self) -> Vec<String>;
}

/// How a game ended by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` in a tie.
    pub winner: Option<Seat>,
    /// The points of the first and the second seat, in games that count points.
    pub score: Option<[u16; 2]>,
    /// What decided the game, where it can end in several ways: `five gates in a line`.
    pub how: Option<&'static str>,
}

impl Outcome {
    /// Won, without points.
    pub fn won(winner: Seat, how: &'static str) -> Outcome {
        Outcome { winner: Some(winner), score: None, how: Some(how) }
    }

    /// Who has more points wins.
    pub fn counted(score: [u16; 2]) -> Outcome {
        let [first, second] = score;
        let winner = match first.cmp(&second) {
            Ordering::Greater => Some(Seat::First),
            Ordering::Equal => None,
            Ordering::Less => Some(Seat::Second),
        };
        Outcome { winner, score: Some(score), how: None }
    }

    /// Drawn, without points.
    pub fn tie(how: &'static str) -> Outcome {
        Outcome { winner: None, score: None, how: Some(how) }
    }
}

/// A board drawn as text, with the lines that explain it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Lines of 7-bit text, at most 78 columns wide, without trailing blanks, each ended by `\n`.
    pub board: String,
    /// One line that explains the signs.
    pub key: String,
    /// What does not fit into the drawing: `F3 is w12`.
    pub notes: Vec<String>,
    /// A sentence or two that count what each side holds.
    pub standing: String,
}

/// A text that is no ply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Unreadable {
    /// The word that is no ply. It may be a misplaced password, so mask it before you print it.
    pub word: String,
    /// A sentence for the player that says what to write instead. It does not repeat `word`.
    pub why: String,
}

/// A ply that the rules forbid here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Illegal {
    /// A sentence for the player that names the rule and a legal ply.
    pub why: String,
}

/// Why a board cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The text does not follow the format of this game's positions.
    #[error("the position cannot be read: {0}")]
    Unreadable(String),
    /// The text follows the format, and no game can reach the position.
    #[error("the position is not lawful: {0}")]
    Unlawful(String),
    /// The options of a challenge contradict each other, or one has a value it cannot take.
    #[error("{0}")]
    Option(String),
}

impl SetupError {
    pub(crate) fn unreadable<T>(why: impl Into<String>) -> Result<T, SetupError> {
        Err(SetupError::Unreadable(why.into()))
    }
}

/// The number of legal sequences of exactly `depth` plies from `position`. A pass is a ply.
///
/// It counts the last plies with [`legal_count`](Position::legal_count) and does not make them.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_count(),
        _ => {
            let mut count = 0;
            position.each_move(&mut |ply| {
                let mut next = position.clone();
                next.make(ply);
                count += perft(&next, depth - 1);
            });
            count
        }
    }
}
