//! The arithmetic of contests: groups and pairings, cross-tables, up and down, places of a ladder. Values in, values out:
//! no store, no time, no mail, no chance.
//!
//! A player is any key `P` of the caller's. Ratings and deviations are hundredths, as they are stored.

pub mod groups;
pub mod movement;
pub mod table;
