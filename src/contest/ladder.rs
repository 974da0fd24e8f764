//! A ladder: a list of players, the top first. A win moves a player up. Places count from 0 here: the place of a player
//! equals the number of players above.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Most running games that a player can have asked for.
pub const GAMES_OUT: usize = 3;
/// Most running games that others can have asked of a player.
pub const GAMES_IN: usize = 3;

/// How a game ended for the challenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LadderResult {
    Won,
    WonOnTime,
    Draw,
    Lost,
    LostOnTime,
}

/// The places that `place` can challenge: the next ten above, or two fifths of all above if that is more.
pub fn reach(place: usize) -> Range<usize> {
    let above = (place * 2 / 5).max(10);
    place.saturating_sub(above)..place
}

/// Inserts a newcomer in the middle.
pub fn enter<P>(ladder: &mut Vec<P>, player: P) {
    ladder.insert(ladder.len() / 2, player);
}

/// Applies the result of a game to the current places of its two players. A challenger who wins moves directly above
/// the other, after a draw directly below, unless the challenger is already higher. A challenged player who loses on
/// time drops one place; a challenger who does so drops to the bottom.
pub fn settle<P: PartialEq>(ladder: &mut [P], challenger: &P, other: &P, result: LadderResult) {
    // Half of all games move no player, so skip the search for the two.
    if result == LadderResult::Lost {
        return;
    }
    let place = |player: &P| ladder.iter().position(|one| one == player);
    match (result, place(challenger), place(other)) {
        (LadderResult::Won, Some(from), Some(to)) if to < from => ladder[to..=from].rotate_right(1),
        (LadderResult::Draw, Some(from), Some(at)) if at < from => ladder[at + 1..=from].rotate_right(1),
        // The loser on time changes places with the next player below.
        (LadderResult::WonOnTime, _, Some(at)) if at + 1 < ladder.len() => ladder.swap(at, at + 1),
        (LadderResult::LostOnTime, Some(from), _) => ladder[from..].rotate_left(1),
        _ => {}
    }
}

/// Numbers of a player's running games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderGames {
    /// Games that the player asked for.
    pub asked: usize,
    /// Games that others asked of the player.
    pub given: usize,
}

impl LadderGames {
    pub fn count(self) -> usize {
        self.asked + self.given
    }

    pub fn can_ask(&self) -> bool {
        self.asked < GAMES_OUT
    }

    pub fn can_be_asked(&self) -> bool {
        self.given < GAMES_IN
    }
}

/// A player of the ladder, as the Monday pairing sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LadderPlayer<P> {
    pub player: P,
    pub games: LadderGames,
    /// True if `auto` is on and the player can play now.
    pub is_paired: bool,
}

impl<P> LadderPlayer<P> {
    fn waits(&self) -> bool {
        self.is_paired && self.games.count() == 0
    }
}

/// A game that begins. The challenger is the lower of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LadderGame<P> {
    pub challenger: P,
    pub other: P,
}

/// Monday's games: one within reach for each player without a game. `met` is true for two players who met too recently.
///
/// From the bottom up, each player without a game meets a player above who has none either. The one nearest to the
/// middle of the reach is chosen. If there is none, it is the player with the fewest games in reach, above or below.
pub fn mondays_games<P: Copy>(ladder: &[LadderPlayer<P>], met: impl Fn(P, P) -> bool) -> Vec<LadderGame<P>> {
    let mut ladder = ladder.to_vec();
    let mut games = Vec::new();
    for place in (0..ladder.len()).rev() {
        if !ladder[place].waits() {
            continue;
        }
        let may_play = |other: &usize| {
            let (challenger, other) = (&ladder[place.max(*other)], &ladder[place.min(*other)]);
            let have_room = challenger.games.can_ask() && other.games.can_be_asked();
            other.is_paired && challenger.is_paired && have_room && !met(challenger.player, other.player)
        };
        let within = reach(place);
        let middle = within.start + within.len() / 2;
        let about_middle = (0..=within.len()).flat_map(|off| [middle.checked_sub(off), Some(middle + off)]);
        let above = about_middle.flatten().filter(|other| within.contains(other) && may_play(other));
        let below =
            (place + 1..ladder.len()).take_while(|other| reach(*other).contains(&place)).filter(may_play);
        let waiting = above.clone().find(|other| ladder[*other].waits());
        let Some(other) =
            waiting.or_else(|| above.chain(below).min_by_key(|other| ladder[*other].games.count()))
        else {
            continue;
        };
        let (low, high) = (place.max(other), place.min(other));
        ladder[low].games.asked += 1;
        ladder[high].games.given += 1;
        games.push(LadderGame { challenger: ladder[low].player, other: ladder[high].player });
    }
    games
}
