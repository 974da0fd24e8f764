//! The words that a reply to a board's mail may hold now.

use crate::service::view::BoardView;

/// The words for the player at seat `reader`, in the order in which a mail lists them.
pub(crate) fn reply_words(view: &BoardView, reader: usize) -> Vec<&'static str> {
    let other = view.players.get(1 - reader.min(1)).map(String::as_str).unwrap_or_default();
    let is_person = !other.starts_with("robot-");
    let has_played = |seat: usize| view.last.iter().any(|ply| ply.seat == seat);
    let is_asked = view.proposal.is_some_and(|(by, _)| by != reader);
    let may_ask = view.proposal.is_none();
    let open = view.turn.is_some();
    let words = [
        ("accept", open && is_asked),
        ("reject", open && is_asked),
        ("decline", open && is_person && !has_played(1) && view.plies < 10),
        ("undo", open && may_ask && has_played(reader) && (is_person || !view.rated)),
        ("propose", open && may_ask && is_person),
        ("resign", open),
        ("queue", open),
        ("preview", open),
        ("rematch", !open),
        ("analyse", !open),
        ("record", !open),
        ("chat", is_person),
    ];
    words.into_iter().filter_map(|(word, works)| works.then_some(word)).collect()
}
