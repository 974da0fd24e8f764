//! The userids of the robot.

use crate::ids::Userid;

/// The word that stands for the robot, and begins the userids of its accounts.
pub(crate) const ROBOT: &str = "robot";

/// The level of `robot` where none is given.
const DEFAULT_LEVEL: u8 = 3;

/// The userid of the robot at a level.
pub(crate) fn robot_userid(level: Option<u8>) -> Option<Userid> {
    format!("{ROBOT}-{}", level.unwrap_or(DEFAULT_LEVEL)).parse().ok()
}

/// True for a word that could be taken for an account of the robot: `Robot_5`, `r0bot`, `ro-bot-3`.
pub(crate) fn looks_like_the_robot(word: &str) -> bool {
    let signs = word.chars().filter(|c| c.is_ascii_alphanumeric());
    let letters = signs.map(|c| if c == '0' { 'o' } else { c.to_ascii_lowercase() });
    letters.collect::<String>().starts_with(ROBOT)
}
