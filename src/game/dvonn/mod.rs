//! DVONN.
use super::{GameKind, Setup, SetupError, Table};
/// DVONN, as the registry knows it.
pub const KIND: GameKind = GameKind {
    key: "dvonn",
    aliases: &[],
    name: "DVONN",
    seats: ["white", "black"],
    options: &[],
    notation: "F3 places, A3-B4 moves",
    start,
    read,
};
fn start(_: &Setup<'_>) -> Result<Box<dyn Table>, SetupError> {
    Err(SetupError::Option(String::new()))
}
fn read(_: &str) -> Result<Box<dyn Table>, SetupError> {
    Err(SetupError::Option(String::new()))
}
