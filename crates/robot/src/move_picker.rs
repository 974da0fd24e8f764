//! The order in which moves are searched. The best move of the transposition table comes first, then killers, then the
//! rest by ordering score and history. If good moves come first, most positions need few moves.

use super::evaluate::{Evaluator, Node};
use turnpost_games::Seat;

/// The code for "no move".
pub const NO_MOVE: u16 = u16::MAX;

/// Entries of a side's history. Several codes share one entry.
const CODES: usize = 1 << 14;
/// Largest absolute value of an entry.
const HISTORY_MAX: i32 = 1 << 13;

/// Added to the score of the table's best move and of killers that are listed with the others.
const TT_GAIN: i32 = 1 << 17;
const KILLER_GAIN: i32 = 1 << 12;

/// Number of moves picked by score. If none of them causes a cut-off, the rest rarely do.
const SORTED: usize = 10;

/// Low bits of a word, which contain the place in the list. The bits above contain the score.
const PLACE_BITS: u32 = 12;
const PLACES: usize = 1 << PLACE_BITS;
const TAKEN: i32 = i32::MIN;

/// How often each move caused a cut-off, anywhere in the tree.
#[derive(Debug)]
pub struct MoveHistory([Box<[i16; CODES]>; 2]);

impl MoveHistory {
    pub fn new() -> MoveHistory {
        MoveHistory([Box::new([0; CODES]), Box::new([0; CODES])])
    }

    #[inline]
    fn score(&self, seat: Seat, code: u16) -> i32 {
        i32::from(self.0[seat.index()][usize::from(code) % CODES])
    }

    /// The move that caused the cut-off gains; those searched before it lose.
    pub fn update(&mut self, seat: Seat, cut_off: u16, before: &[u16], depth: i32) {
        self.add(seat, cut_off, depth * depth);
        for code in before {
            self.add(seat, *code, -depth * depth);
        }
    }

    /// Adds `weight`. An entry grows more slowly the greater it is.
    fn add(&mut self, seat: Seat, code: u16, weight: i32) {
        let entry = &mut self.0[seat.index()][usize::from(code) % CODES];
        let (old, weight) = (i32::from(*entry), weight.clamp(-1024, 1024));
        *entry = (old + weight - old * weight.abs() / HISTORY_MAX) as i16;
    }
}

/// Returns the moves of one position, one at a time. A picker is reused for other positions to keep its memory.
#[derive(Debug)]
pub struct MovePicker<M> {
    early: [u16; 3],
    early_tried: usize,
    is_listed: bool,
    /// True if no move that is not listed can be better.
    pub is_complete: bool,
    codes: Vec<u16>,
    moves: Vec<M>,
    words: Vec<i32>,
    /// Moves beyond [`SORTED`] come in list order; the search for the next starts here.
    rest: usize,
    tried: Vec<u16>,
}

impl<M> Default for MovePicker<M> {
    fn default() -> MovePicker<M> {
        MovePicker {
            early: [NO_MOVE; 3],
            early_tried: 0,
            is_listed: false,
            is_complete: true,
            codes: Vec::new(),
            moves: Vec::new(),
            words: Vec::new(),
            rest: 0,
            tried: Vec::new(),
        }
    }
}

impl<M: Copy> MovePicker<M> {
    #[inline]
    pub fn start(&mut self, tt_move: u16, [first, second]: [u16; 2]) {
        self.early = [tt_move, first, second];
        (self.early_tried, self.is_listed, self.rest) = (0, false, 0);
        self.codes.clear();
        self.moves.clear();
        self.words.clear();
        self.tried.clear();
    }

    /// The codes of the moves given so far.
    pub fn tried(&self) -> &[u16] {
        &self.tried
    }

    /// The next move. The early ones come before the list is made, because one of them usually causes a cut-off.
    #[inline]
    pub fn next<P: Evaluator<Move = M>>(&mut self, node: &Node<P>, history: &MoveHistory) -> Option<M> {
        while let Some(code) = self.early.get(self.early_tried).copied() {
            self.early_tried += 1;
            if code != NO_MOVE
                && !self.tried.contains(&code)
                && let Some(ply) = P::decode(code)
                && node.is_surely_legal(ply)
            {
                self.tried.push(code);
                return Some(ply);
            }
        }
        if !self.is_listed {
            let seat = node.to_move();
            self.is_complete = node.each_candidate(&mut |ply, score| {
                let code = P::encode(ply);
                self.add(ply, code, score + history.score(seat, code));
            });
            self.end_list();
        }
        self.pick()
    }

    /// The next move by ordering score alone.
    #[inline]
    pub fn next_plain<P: Evaluator<Move = M>>(&mut self, position: &P) -> Option<M> {
        if !self.is_listed {
            position.each_move(&mut |ply| self.add(ply, P::encode(ply), position.ordering_score(ply)));
            self.end_list();
        }
        self.pick()
    }

    #[inline]
    fn add(&mut self, ply: M, code: u16, mut score: i32) {
        let [tt_move, first, second] = self.early;
        if code == tt_move || code == first || code == second {
            if self.tried.contains(&code) {
                return;
            }
            score += if code == tt_move { TT_GAIN } else { KILLER_GAIN };
        }
        self.words.push(score << PLACE_BITS | !(self.codes.len() as i32) & (PLACES as i32 - 1));
        self.codes.push(code);
        self.moves.push(ply);
    }

    #[inline]
    fn end_list(&mut self) {
        self.is_listed = true;
        // A length divisible by eight lets the compiler find the maximum eight at a time.
        self.words.resize(self.words.len().next_multiple_of(8), TAKEN);
    }

    /// The best move by score, the first of equals. Beyond [`SORTED`], the next in list order.
    #[inline]
    fn pick(&mut self) -> Option<M> {
        let place = if self.tried.len() < SORTED && self.words.len() <= PLACES {
            let best = self.words.iter().copied().max().filter(|word| *word != TAKEN)?;
            !best as usize & (PLACES - 1)
        } else {
            self.rest + self.words.get(self.rest..)?.iter().position(|word| *word != TAKEN)?
        };
        if self.tried.len() >= SORTED {
            self.rest = place + 1;
        }
        *self.words.get_mut(place)? = TAKEN;
        let code = *self.codes.get(place)?;
        self.tried.push(code);
        self.moves.get(place).copied()
    }
}
