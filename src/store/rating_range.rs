//! Ranges of ratings, and how they are written.

use std::fmt;

use super::columns::stored_row;

stored_row! {
    /// Ratings of players at a game. Both bounds are included.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct RatingRange {
        pub least: u16,
        pub most: u16,
    }
}

impl RatingRange {
    /// Reads `1400-1800`.
    pub(crate) fn read(text: &str) -> Result<RatingRange, String> {
        let range = text.split_once('-').and_then(|(least, most)| {
            Some(RatingRange { least: least.parse().ok()?, most: most.parse().ok()? })
        });
        range.filter(|range| range.least <= range.most).ok_or_else(|| {
            "two ratings are expected after the `=`, the lower first, as in --rating=1400-1800".to_owned()
        })
    }

    pub(crate) fn contains(self, rating: i64) -> bool {
        (i64::from(self.least)..=i64::from(self.most)).contains(&rating)
    }
}

/// `1400-1800`
impl fmt::Display for RatingRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.least, self.most)
    }
}
