//! In which order plies are searched: the better the first, the less there is to search.

use turnpost_games::Seat;

/// Places of the history by ply; codes beyond share one.
const CODES: usize = 1 << 14;

/// No entry of the history passes this.
const MOST: i32 = 1 << 13;

/// What cut positions off so far, wherever it was.
#[derive(Debug)]
pub struct History([Box<[i16; CODES]>; 2]);

/// The history of one side.
#[derive(Debug, Clone, Copy)]
pub struct Side<'h>(&'h [i16; CODES]);

impl History {
    /// Nothing yet.
    pub fn new() -> History {
        History([Box::new([0; CODES]), Box::new([0; CODES])])
    }

    /// What the plies of `seat` did; nothing if it is not to be `used`.
    #[inline]
    pub fn side(&self, seat: Seat, used: bool) -> Side<'_> {
        static NOTHING: [i16; CODES] = [0; CODES];
        Side(if used { &self.0[seat.index()] } else { &NOTHING })
    }

    /// The ply cut a position off, or failed to, `weight` being above or below 0. What is great already grows slowly.
    #[inline]
    pub fn learn(&mut self, seat: Seat, code: u16, weight: i32) {
        let entry = &mut self.0[seat.index()][place(code)];
        let (old, weight) = (i32::from(*entry), weight.clamp(-1024, 1024));
        *entry = (old + weight - old * weight.abs() / MOST) as i16;
    }
}

impl Side<'_> {
    /// How well the ply did.
    #[inline]
    pub fn of(&self, code: u16) -> i32 {
        i32::from(self.0[place(code)])
    }
}

fn place(code: u16) -> usize {
    usize::from(code) & (CODES - 1)
}

/// So many of the plies are looked for; where none of them cut the position off, the rest hardly will.
const PICKED: usize = 10;

/// Bits of a score's word that say which ply it is of; in longer lists plies stay in their order.
const PLACE: u32 = 12;
const PLACES: usize = 1 << PLACE;
const MASK: i32 = PLACES as i32 - 1;

/// The score of a ply that was taken, below all others.
const TAKEN: i32 = i32::MIN;

/// Scores are looked at so many at a time.
const TOGETHER: usize = 8;

/// No ply has this code.
pub const NONE: u16 = u16::MAX;

/// So many plies may be taken before any are listed.
const EARLY: usize = 3;

/// The plies of positions, by their codes, and how early each is to be searched.
///
/// To find the best takes no branch that depends on the plies, for nobody can foretell those: scores stand by themselves
/// and hold the place of their plies below them, so the greatest word is the first of the best.
#[derive(Debug)]
pub struct Plies {
    early: [u16; EARLY],
    tried: usize,
    codes: Vec<u16>,
    words: Vec<i32>,
}

impl Plies {
    /// None yet.
    pub fn new() -> Plies {
        Plies { early: [NONE; EARLY], tried: 0, codes: Vec::new(), words: Vec::new() }
    }

    /// How many there are, those taken early among them.
    pub fn len(&self) -> usize {
        self.tried + self.codes.len()
    }

    /// How many were taken early.
    pub fn early(&self) -> usize {
        self.tried
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        (self.early, self.tried) = ([NONE; EARLY], 0);
        self.truncate(0);
    }

    /// Leaves the first `len`, none of which was taken early.
    pub fn truncate(&mut self, len: usize) {
        self.codes.truncate(len);
        self.words.truncate(len);
    }

    /// Takes a ply before any are listed, where there is room.
    #[inline]
    pub fn take_early(&mut self, code: u16) {
        if let Some(place) = self.early.get_mut(self.tried) {
            *place = code;
            self.tried += 1;
        }
    }

    /// Whether a ply was taken early.
    #[inline]
    pub fn was_early(&self, code: u16) -> bool {
        self.early.contains(&code)
    }

    /// One more: the higher the score, the earlier. Scores stay below 2<sup>18</sup>, or the order is another.
    #[inline]
    pub fn push(&mut self, code: u16, score: i32) {
        self.words.push(word(score << PLACE, self.codes.len()));
        self.codes.push(code);
    }

    /// Brings plies forward, when all are there.
    #[inline]
    pub fn promote(&mut self, gain: impl Fn(u16) -> i32) {
        for (word, code) in self.words.iter_mut().zip(&self.codes) {
            *word += gain(*code) << PLACE;
        }
        self.words.resize(self.words.len().next_multiple_of(TOGETHER), TAKEN);
    }

    /// The ply at a place of the order, early ones first.
    #[inline]
    pub fn at(&self, place: usize) -> Option<u16> {
        match place.checked_sub(self.tried) {
            None => self.early.get(place).copied(),
            Some(listed) => self.codes.get(listed).copied(),
        }
    }

    /// Takes the best of those behind the first `base`, `place` of which were taken before: a position is mostly cut off
    /// by one of the first, so sorting them all would be a waste.
    #[inline]
    pub fn pick(&mut self, base: usize, place: usize) -> Option<u16> {
        let Some(front) = place.checked_sub(self.tried) else { return self.early.get(place).copied() };
        let front = base + front;
        if front >= self.codes.len() {
            return None;
        }
        if place < PICKED && self.codes.len() <= PLACES {
            let best = self.words.get(base..)?.iter().copied().max()?;
            let at = (!best & MASK) as usize;
            // The one in front goes where the best was.
            let moved = *self.words.get(front)?;
            *self.words.get_mut(at)? = word(moved, at);
            *self.words.get_mut(front)? = TAKEN;
            self.codes.swap(front, at);
        }
        self.codes.get(front).copied()
    }
}

/// A score with another place below it.
#[inline]
fn word(score: i32, place: usize) -> i32 {
    score & !MASK | !(place as i32) & MASK
}

/// How much less deep the ply at `place` is searched at first. In whole numbers, so that it is the same everywhere.
#[inline]
pub fn reduction(depth: i32, place: usize) -> i32 {
    let (depth, place) = (depth.max(1).ilog2() as i32, (place.max(1)).ilog2() as i32);
    (depth * place + place) / 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::mix;

    #[test]
    fn every_ply_comes_once_and_the_best_come_first() {
        for seed in 0..2000_u64 {
            let (base, count) = ((mix(seed) % 5) as usize, (mix(seed ^ 99) % 40) as usize);
            let mut plies = Plies::new();
            let score = |code: u16| (mix(seed ^ u64::from(code) << 32) % 30) as i32 * 1000 - 15_000;
            for code in 0..(base + count) as u16 {
                plies.push(code, score(code));
            }
            if base == 0 && seed % 2 == 0 {
                plies.promote(|_| 0);
            }
            let order: Vec<u16> = (0..).map_while(|place| plies.pick(base, place)).collect();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (base as u16..(base + count) as u16).collect::<Vec<_>>());
            let mut best: Vec<i32> = sorted.into_iter().map(score).collect();
            best.sort_unstable_by(|a, b| b.cmp(a));
            let first: Vec<i32> = order.iter().take(PICKED).map(|code| score(*code)).collect();
            assert_eq!(first, best[..first.len()]);
        }
    }

    #[test]
    fn plies_taken_early_come_before_all_others() {
        let mut plies = Plies::new();
        for code in [7, 3, 9, 4] {
            plies.take_early(code);
        }
        // There is room for three.
        assert_eq!((plies.early(), plies.was_early(9), plies.was_early(4)), (3, true, false));
        for code in 0..20 {
            if !plies.was_early(code) {
                plies.push(code, 100 * i32::from(code));
            }
        }
        plies.promote(|code| if code == 5 { 10_000 } else { 0 });
        let order: Vec<u16> = (0..).map_while(|place| plies.pick(0, place)).collect();
        assert_eq!(order[..7], [7, 3, 9, 5, 19, 18, 17]);
        assert_eq!((order.len(), plies.len()), (20, 20));
        assert!((0..20).all(|place| plies.at(place) == Some(order[place])));
        plies.clear();
        assert_eq!((plies.len(), plies.early(), plies.was_early(7), plies.pick(0, 0)), (0, 0, false, None));
    }
}
