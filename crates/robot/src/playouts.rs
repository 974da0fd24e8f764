//! Playouts: a tree search that prefers moves that win random games (UCT). A game also counts for a move if the player
//! placed that stone later in the game (all moves as first, AMAF). This ranks spaces after few games.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::limits::Limits;
use super::search::SearchResult;
use super::tt::mix;
use turnpost_games::rules::{Cell, Game, Ply, Rules, State};
use turnpost_games::{Position, Seat};

/// The value of a certain win.
pub(crate) const WON: i32 = 5_000;

/// Weight of the bonus for moves that were tried rarely.
const CURIOSITY: f32 = 0.15;
/// How fast the games in which the move was made next outweigh the games in which it came later.
const LATER: f32 = 0.004;
/// A leaf is expanded after this many games.
const OPEN_AT: f32 = 2.0;

/// A game of placed stones that random play finishes.
pub trait Playout: Rules {
    /// True if a full board always has exactly one winner, and the order of the stones does not matter.
    const FILLS: bool = false;

    /// Plays at random to the end and returns the winner.
    fn playout(state: &mut State, chance: &mut Chance) -> Option<Seat> {
        let mut empties: Vec<Cell> = state.empties().iter().collect();
        while let Some(cell) = chance.take(&mut empties) {
            let ply = Ply::put(cell);
            if Self::FILLS {
                state.go(ply);
                continue;
            }
            Self::make(state, ply);
            if let Some(outcome) = Self::outcome(state, Some(cell)) {
                return outcome.winner;
            }
        }
        let mut won = |seat: Seat| {
            state.to_move = seat.other();
            Self::outcome(state, None).is_some_and(|outcome| outcome.winner == Some(seat))
        };
        Seat::BOTH.into_iter().find(|seat| Self::FILLS && won(*seat))
    }
}

/// Random numbers.
#[derive(Debug)]
pub struct Chance {
    last: u64,
    drawn: u64,
}

impl Chance {
    /// A number below `count`.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        self.last = mix(self.last);
        self.drawn += 1;
        (((self.last >> 32) * count as u64) >> 32) as usize
    }

    /// Removes a random cell and returns it.
    #[inline]
    pub fn take(&mut self, cells: &mut Vec<Cell>) -> Option<Cell> {
        (!cells.is_empty()).then(|| cells.swap_remove(self.below(cells.len())))
    }
}

/// A move of the tree.
#[derive(Debug)]
struct TreeNode {
    ply: Ply,
    mover: Seat,
    /// Number of games with this move, and its player's points in them; a tie is half a point.
    games: f32,
    points: f32,
    /// Number of games in which its player took the space at any time.
    later_games: f32,
    later_points: f32,
    /// Empty until it is expanded.
    answers: Range<usize>,
}

impl TreeNode {
    fn new(ply: Ply, mover: Seat) -> TreeNode {
        TreeNode { ply, mover, games: 0.0, points: 0.0, later_games: 0.0, later_points: 0.0, answers: 0..0 }
    }

    /// The expected share of points, plus a bonus for uncertainty.
    fn worth(&self, log: f32) -> f32 {
        let (games, later) = (self.games, self.later_games);
        let share = |points: f32, games: f32| if games > 0.0 { points / games } else { 0.6 };
        let weight = later / (later + games + LATER * later * games).max(1.0);
        let expected = (1.0 - weight) * share(self.points, games) + weight * share(self.later_points, later);
        expected + CURIOSITY * (log / (games + 1.0)).sqrt()
    }
}

struct Tree(Vec<TreeNode>);

impl Tree {
    fn open<R: Rules>(&mut self, at: usize, game: &Game<R>) {
        let first = self.0.len();
        game.each_move(&mut |ply| self.0.push(TreeNode::new(ply, game.to_move())));
        let end = self.0.len();
        if let Some(node) = self.0.get_mut(at) {
            node.answers = first..end;
        }
    }

    fn answers(&self, at: usize) -> Range<usize> {
        self.0.get(at).map_or(0..0, |node| node.answers.clone())
    }

    fn best(&self, at: usize, worth: impl Fn(&TreeNode) -> f32) -> Option<usize> {
        let answers = self.answers(at);
        let worths = self.0.get(answers.clone())?.iter().map(worth);
        answers.zip(worths).max_by(|one, other| one.1.total_cmp(&other.1)).map(|(place, _)| place)
    }

    /// Makes the most promising moves from the root to a leaf. Returns the path.
    fn descend<R: Rules>(&mut self, game: &mut Game<R>, most: usize) -> Vec<usize> {
        let (mut path, mut at) = (vec![0], 0);
        while let Some(games) = self.0.get(at).map(|node| node.games) {
            if self.answers(at).is_empty() && games >= OPEN_AT && self.0.len() < most {
                self.open(at, game);
            }
            let log = (games + 1.0).ln();
            let Some(next) = self.best(at, |node| node.worth(log)) else { break };
            game.make(self.0.get(next).map_or(Ply::PASS, |node| node.ply));
            path.push(next);
            at = next;
        }
        path
    }

    /// Counts a game that followed `path` and ended with this board.
    fn count(&mut self, path: &[usize], end: &State, winner: Option<Seat>) {
        let points = |seat: Seat| winner.map_or(0.5, |winner| if winner == seat { 1.0 } else { 0.0 });
        let stones = Seat::BOTH.map(|seat| end.of(seat));
        for at in path {
            if let Some(node) = self.0.get_mut(*at) {
                node.games += 1.0;
                node.points += points(node.mover);
            }
            let answers = self.answers(*at);
            for node in self.0.get_mut(answers).into_iter().flatten() {
                if node.ply.to.is_some_and(|to| node.mover.of(&stones).has(to)) {
                    node.later_games += 1.0;
                    node.later_points += points(node.mover);
                }
            }
        }
    }
}

/// Returns the move that was tried most, or with noise the move that seemed best; `None` if the game is over.
pub fn search<R: Playout>(
    position: &Game<R>,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Option<SearchResult<Ply>> {
    let started = Instant::now();
    let most = limits.memory / size_of::<TreeNode>();
    let mut tree = Tree(vec![TreeNode::new(Ply::PASS, position.to_move().other())]);
    tree.open(0, position);
    let first = tree.0.get(1)?.ply;
    let mut chance = Chance { last: mix(limits.seed), drawn: 0 };
    let (mut nodes, mut playouts, mut deepest) = (0, 0, 0);
    while playouts == 0
        || !cancel.load(Relaxed)
            && limits.nodes.is_none_or(|most| nodes < most)
            && limits.time.is_none_or(|time| started.elapsed() < time)
    {
        let mut game = position.clone();
        let path = tree.descend(&mut game, most);
        let mut state = game.state().clone();
        let winner = match game.outcome() {
            Some(outcome) => outcome.winner,
            None => R::playout(&mut state, &mut chance),
        };
        tree.count(&path, &state, winner);
        nodes = chance.drawn + playouts;
        playouts += 1;
        deepest = deepest.max(path.len() as u32 - 1);
    }
    let noise = limits.noise as f32 / WON as f32 / 2.0;
    let seemed = |node: &TreeNode| {
        let random = mix(limits.seed ^ mix(node.ply.to.map_or(0, Cell::index) as u64)) >> 40;
        node.worth(0.0) + noise * (random as f32 / (1 << 23) as f32 - 1.0)
    };
    let tried = |node: &TreeNode| node.games;
    let mut best = if noise > 0.0 { tree.best(0, seemed) } else { tree.best(0, tried) };
    let value = best.and_then(|best| tree.0.get(best)).map_or(0.5, |node| node.points / node.games.max(1.0));
    let mut line = Vec::new();
    while let Some((at, node)) = best.and_then(|at| Some((at, tree.0.get(at)?))) {
        line.push(node.ply);
        best = tree.best(at, tried).filter(|at| tree.0.get(*at).is_some_and(|node| node.games > 0.0));
    }
    Some(SearchResult {
        best_move: line.first().copied().unwrap_or(first),
        value: ((value - 0.5) * 2.0 * WON as f32) as i32,
        exact: false,
        depth: deepest,
        nodes,
        evaluations: playouts,
        tt_hits: 0,
        variation: line,
        elapsed: started.elapsed(),
    })
}
