//! Playouts: a tree search that prefers moves that win random games (UCT). A game also counts for a move if the player
//! placed that stone later in the game (all moves as first, AMAF). This ranks spaces after few games.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::limits::Limits;
use super::search::SearchResult;
use super::tt::mix;
use turnpost_games::rules::{Cell, Cells, Game, Ply, Rules};
use turnpost_games::{Position, Seat};

/// The value of a certain win.
pub(crate) const WON: i32 = 5_000;

/// How fast the games in which the move was made next outweigh the games in which it came later.
const LATER: f32 = 0.004;
/// Games that decide the value of a position with one move.
const OF_ONE_MOVE: u64 = 64;
/// Games that show that a position is lost.
const OF_A_LOSS: u64 = 100;
/// A position is lost if the other side has more than this share of the points.
const LOST: f32 = 0.95;

/// A position of a game of placed stones, which random play can finish.
pub trait Playout: Clone {
    /// The game.
    type Rules: Rules;
    /// Weight of the bonus for moves that were tried rarely.
    const CURIOSITY: f32 = 0.15;
    /// A leaf is expanded after this many games.
    const OPEN_AT: f32 = 2.0;
    /// True if a side resigns a lost game once half of the spaces are taken.
    const RESIGNS: bool = false;

    /// The position of a game.
    fn of(game: &Game<Self::Rules>) -> Self;

    /// The only ply to consider, if it is clear without a search.
    fn without_search(_: &Game<Self::Rules>, _: &mut Chance) -> Option<Ply> {
        None
    }

    /// The side to move.
    fn mover(&self) -> Seat;

    /// Calls `visit` with each ply worth a try, and with games and points that it is taken to have had already. None if
    /// the game is over.
    fn each_try(&self, visit: &mut impl FnMut(Ply, f32, f32));

    /// Makes a ply.
    fn place(&mut self, ply: Ply);

    /// Plays at random to the end. Returns the winner, and the spaces that each side took first.
    fn finish(&mut self, chance: &mut Chance) -> (Option<Seat>, [Cells; 2]);
}

/// Random numbers.
#[derive(Debug)]
pub struct Chance {
    last: u64,
    /// The number of stones placed.
    pub placed: u64,
}

impl Chance {
    /// A number below `count`.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        self.last = mix(self.last);
        (((self.last >> 32) * count as u64) >> 32) as usize
    }

    /// Removes a random one of a list and returns it.
    #[inline]
    pub fn take<T>(&mut self, list: &mut Vec<T>) -> Option<T> {
        (!list.is_empty()).then(|| list.swap_remove(self.below(list.len())))
    }

    /// A random one of those that are good.
    pub fn pick<T: Copy>(&mut self, mut list: Vec<T>, is_good: impl Fn(T) -> bool) -> Option<T> {
        std::iter::from_fn(|| self.take(&mut list)).find(|one| is_good(*one))
    }
}

/// A move of the tree.
#[derive(Debug)]
struct TreeNode {
    /// The space of the stone; `None` for a pass.
    to: Option<Cell>,
    mover: Seat,
    /// Number of games with this move, and its player's points in them; a tie is half a point.
    games: f32,
    points: f32,
    /// Number of games in which its player took the space at any time.
    later_games: f32,
    later_points: f32,
    /// Empty until it is expanded.
    answers: Range<u32>,
}

impl TreeNode {
    /// The expected share of points, plus a bonus for uncertainty.
    fn worth(&self, bonus: f32) -> f32 {
        let (games, later) = (self.games, self.later_games);
        let share = |points: f32, games: f32| if games > 0.0 { points / games } else { 0.6 };
        let weight = later / (later + games + LATER * later * games).max(1.0);
        let expected = (1.0 - weight) * share(self.points, games) + weight * share(self.later_points, later);
        expected + bonus / (games + 1.0).sqrt()
    }
}

struct Tree(Vec<TreeNode>);

impl Tree {
    fn add(&mut self, ply: Ply, mover: Seat, later_games: f32, later_points: f32) {
        let to = ply.to;
        self.0.push(TreeNode {
            to,
            mover,
            games: 0.0,
            points: 0.0,
            later_games,
            later_points,
            answers: 0..0,
        });
    }

    /// Expands a move by the answers that are good.
    fn open(&mut self, at: usize, position: &impl Playout, is_good: impl Fn(Ply) -> bool) {
        let (first, mover) = (self.0.len() as u32, position.mover());
        position.each_try(&mut |ply, games, points| {
            if is_good(ply) {
                self.add(ply, mover, games, points);
            }
        });
        let end = self.0.len() as u32;
        if let Some(node) = self.0.get_mut(at) {
            node.answers = first..end;
        }
    }

    fn answers(&self, at: usize) -> Range<usize> {
        self.0.get(at).map_or(0..0, |node| node.answers.start as usize..node.answers.end as usize)
    }

    fn best(&self, at: usize, worth: impl Fn(&TreeNode) -> f32) -> Option<usize> {
        let answers = self.answers(at);
        let worths = self.0.get(answers.clone())?.iter().map(worth);
        answers.zip(worths).max_by(|one, other| one.1.total_cmp(&other.1)).map(|(place, _)| place)
    }

    /// Makes the most promising moves from the root to a leaf. Returns the path.
    fn descend<P: Playout>(&mut self, position: &mut P, most: usize) -> Vec<usize> {
        let (mut path, mut at) = (vec![0], 0);
        while let Some(games) = self.0.get(at).map(|node| node.games) {
            if self.answers(at).is_empty() && games >= P::OPEN_AT && self.0.len() < most {
                self.open(at, position, |_| true);
            }
            let bonus = P::CURIOSITY * (games + 1.0).ln().sqrt();
            let Some(next) = self.best(at, |node| node.worth(bonus)) else { break };
            position.place(Ply { to: self.0.get(next).and_then(|node| node.to), ..Ply::PASS });
            path.push(next);
            at = next;
        }
        path
    }

    /// Counts a game that followed `path`. `taken` has the spaces that each side took first after it.
    fn count(&mut self, path: &[usize], winner: Option<Seat>, mut taken: [Cells; 2]) {
        let points = |seat: Seat| winner.map_or(0.5, |winner| if winner == seat { 1.0 } else { 0.0 });
        for at in path.iter().rev() {
            let answers = self.answers(*at);
            for node in self.0.get_mut(answers).into_iter().flatten() {
                if node.to.is_some_and(|to| node.mover.of(&taken).has(to)) {
                    node.later_games += 1.0;
                    node.later_points += points(node.mover);
                }
            }
            let Some(node) = self.0.get_mut(*at) else { continue };
            node.games += 1.0;
            node.points += points(node.mover);
            if let Some(to) = node.to {
                taken.iter_mut().for_each(|cells| cells.remove(to));
                taken[node.mover.index()].add(to);
            }
        }
    }
}

/// Returns the move that was tried most, or with noise the move that seemed best; `None` if the game is over.
pub fn search<P: Playout>(
    game: &Game<P::Rules>,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Option<SearchResult<Ply>> {
    let started = Instant::now();
    let most = limits.memory / size_of::<TreeNode>();
    let mut chance = Chance { last: mix(limits.seed), placed: 0 };
    let root = P::of(game);
    let mut tree = Tree(Vec::new());
    tree.add(Ply::PASS, root.mover().other(), 0.0, 0.0);
    let legal = P::without_search(game, &mut chance).map_or_else(|| game.legal_moves(), |ply| vec![ply]);
    tree.open(0, &root, |ply| ply != Ply::PASS && legal.contains(&ply));
    if tree.answers(0).is_empty() {
        tree.add(*legal.last()?, root.mover(), 0.0, 0.0);
        tree.0.first_mut()?.answers = 1..2;
    }
    let most_playouts = if tree.answers(0).len() == 1 { OF_ONE_MOVE } else { u64::MAX };
    let (mut nodes, mut playouts, mut deepest) = (0, 0, 0);
    while playouts == 0
        || !cancel.load(Relaxed)
            && playouts < most_playouts
            && limits.nodes.is_none_or(|most| nodes < most)
            && limits.time.is_none_or(|time| started.elapsed() < time)
    {
        let mut position = root.clone();
        let path = tree.descend(&mut position, most);
        let (winner, taken) = position.finish(&mut chance);
        tree.count(&path, winner, taken);
        nodes = chance.placed + playouts;
        playouts += 1;
        deepest = deepest.max(path.len() as u32 - 1);
    }
    let noise = limits.noise as f32 / WON as f32 / 2.0;
    let seemed = |node: &TreeNode| {
        let random = mix(limits.seed ^ mix(node.to.map_or(0, Cell::index) as u64)) >> 40;
        node.worth(0.0) + noise * (random as f32 / (1 << 23) as f32 - 1.0)
    };
    let tried = |node: &TreeNode| node.games;
    let state = game.state();
    let resigns = P::RESIGNS
        && playouts >= OF_A_LOSS
        && 2 * state.taken().count() > state.board.cells.count()
        && tree.0.first().is_some_and(|root| root.points > LOST * root.games);
    let mut best = if noise > 0.0 { tree.best(0, seemed) } else { tree.best(0, tried) };
    let found = best.and_then(|best| tree.0.get(best))?;
    let best_move = *legal.iter().find(|ply| ply.to == found.to)?;
    let value = if found.games > 0.0 { found.points / found.games } else { 0.5 };
    let mut line = vec![best_move];
    while let Some(next) = best.and_then(|at| tree.best(at, tried))
        && let Some(node) = tree.0.get(next).filter(|node| node.games > 0.0)
    {
        line.push(Ply { to: node.to, ..Ply::PASS });
        best = Some(next);
    }
    Some(SearchResult {
        best_move,
        value: ((value - 0.5) * 2.0 * WON as f32) as i32,
        exact: false,
        resigns,
        depth: deepest,
        nodes,
        evaluations: playouts,
        tt_hits: 0,
        variation: line,
        elapsed: started.elapsed(),
    })
}
