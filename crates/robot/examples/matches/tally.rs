//! The score of a match, with its bounds.

use std::fmt;

use turnpost_games::Seat;

/// Games won, lost and tied by the first player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won by the first player.
    pub won: u32,
    /// Lost.
    pub lost: u32,
    /// Tied.
    pub tied: u32,
    /// Half points of the first player in each pair of games from the same opening, 0 to 4.
    pub pairs: Vec<u32>,
}

impl Tally {
    /// Counts a game in which the first player had the seat `first`. Gives its half points.
    pub fn count(&mut self, winner: Option<Seat>, first: Seat) -> u32 {
        let (count, half_points) = match winner {
            Some(winner) if winner == first => (&mut self.won, 2),
            Some(_) => (&mut self.lost, 0),
            None => (&mut self.tied, 1),
        };
        *count += 1;
        half_points
    }

    /// Games.
    pub fn games(&self) -> u32 {
        self.won + self.lost + self.tied
    }

    /// The share of the points that the first player won, and its 95 % bounds. The bounds count pairs, for the two games
    /// of an opening are not independent.
    pub fn score(&self) -> (f64, f64, f64) {
        let count = self.pairs.len().max(1) as f64;
        let shares: Vec<f64> = self.pairs.iter().map(|half_points| f64::from(*half_points) / 4.0).collect();
        let mean = shares.iter().sum::<f64>() / count;
        let spread = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        let reach = 1.96 * (spread / count).sqrt();
        (mean, mean - reach, mean + reach)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (score, low, high) = self.score();
        let Tally { won, lost, tied, .. } = self;
        let games = self.games();
        write!(
            f,
            "{games} games, {won} won, {lost} lost, {tied} tied, score {score:.3} ({low:.3} to {high:.3})"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_about_the_mean_and_narrow_with_the_games() {
        let tally = |pairs: &[u32]| Tally { pairs: pairs.to_vec(), ..Tally::default() };
        assert_eq!(tally(&[2; 100]).score(), (0.5, 0.5, 0.5));
        let few = tally(&[0, 1, 2, 3, 4].repeat(4)).score();
        let many = tally(&[0, 1, 2, 3, 4].repeat(40)).score();
        assert!((few.0 - 0.5).abs() < 1e-9 && (many.0 - 0.5).abs() < 1e-9);
        assert!(few.1 < many.1 && many.1 < 0.5 && 0.5 < many.2 && many.2 < few.2);
        // A spread of sqrt(1/8) over two hundred pairs.
        assert!((many.2 - 0.5 - 1.96 * (0.125_f64 / 199.0).sqrt()).abs() < 1e-3);
    }
}
