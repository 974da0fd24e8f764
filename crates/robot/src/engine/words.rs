//! The plies of a position as the protocols write them.

use turnpost_games::scene::{Ends, Scene, Space, Tiling};
use turnpost_games::{Seat, Table};

/// The games of UCI.
pub(super) const UCI_GAMES: &[&str] = &["chess"];

/// The games of GTP: a ply is a stone on a space, or a pass.
pub(super) const GTP_GAMES: &[&str] = &["go", "hex", "y", "havannah", "gomoku"];

/// The games of GNU Backgammon's rules with the cube and without.
pub(super) const GNUBG_GAMES: &[&str] = &["backgammon", "nackgammon"];

/// The pass, in GTP and in the games.
const PASS: &str = "pass";

/// The legal plies as UCI writes them, each a word and the ply in its standard form. Castling is there twice: the king
/// goes two squares, then onto its own rook, which is the form of Chess960.
///
/// ```
/// use turnpost_robot::engine::uci_words;
///
/// let kind = turnpost_games::registry::find("chess").ok_or("no such game")?;
/// let words = uci_words(&*(kind.read)("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")?);
/// let words_of = |ply: &str| words.iter().filter(|(_, of)| of == ply).map(|(word, _)| word.as_str()).collect::<Vec<_>>();
/// assert_eq!((words_of("O-O"), words_of("a8=N")), (vec!["e1g1", "e1h1"], vec!["a7a8n"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn uci_words(table: &dyn Table) -> Vec<(String, String)> {
    let word = |(ply, ends): (String, Ends)| {
        let becomes = ply.split_once('=').and_then(|(_, piece)| piece.get(..1)).unwrap_or_default();
        let word = format!("{}{}{becomes}", ends.from?, ends.to?).to_ascii_lowercase();
        Some((word, ply))
    };
    table.choices().into_iter().filter_map(word).collect()
}

/// The legal plies as GTP writes them, each a word and the ply in its standard form. Plies that are no stones and no
/// passes are left out.
///
/// On a board of points GTP has no column I. If ours has one, the columns from I are one letter further.
pub fn gtp_words(table: &dyn Table) -> Vec<(String, String)> {
    let scene = table.look();
    let word = |(ply, ends): (String, Ends)| match (ends.from, ends.to) {
        (None, Some(at)) => Some((vertex(&scene, &at), ply)),
        (None, None) if ply == PASS => Some((PASS.to_owned(), ply)),
        _ => None,
    };
    table.choices().into_iter().filter_map(word).collect()
}

/// The stones on the board, each with its seat and the name of its space in GTP.
pub(super) fn gtp_stones(scene: &Scene) -> Vec<(Seat, String)> {
    let stone = |space: &Space| Some((space.thing?.side?, vertex(scene, &space.name)));
    scene.spaces.iter().filter_map(stone).collect()
}

/// The name of a space in GTP.
fn vertex(scene: &Scene, name: &str) -> String {
    let is_i = |space: &Space| space.name.starts_with(['i', 'I']);
    let (column, row) = name.split_at_checked(1).unwrap_or_default();
    let column = column.chars().next().map_or('?', |column| column.to_ascii_uppercase());
    let is_moved = column >= 'I' && scene.tiling == Tiling::Points && scene.spaces.iter().any(is_i);
    format!("{}{row}", if is_moved { char::from(column as u8 + 1) } else { column })
}
