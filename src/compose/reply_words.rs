//! The words that a reply to a board's mail may hold now.

use crate::notices::view::BoardView;

/// The words for the player at seat `reader`, in the order in which a mail lists them.
pub(crate) fn reply_words(view: &BoardView, reader: usize) -> Vec<&'static str> {
    let is_person = plays_a_person(&view.players, reader);
    let has_played = |seat: usize| view.last.iter().any(|ply| ply.seat == seat);
    let is_asked = view.proposal.is_some_and(|(by, _)| by != reader);
    let may_ask = view.proposal.is_none();
    if view.turn.is_none() {
        return over_words(&view.players, reader);
    }
    let words = [
        ("accept", is_asked),
        ("reject", is_asked),
        ("swap", view.may_swap && view.turn == Some(reader)),
        ("decline", is_person && !has_played(1) && view.plies < 10),
        ("undo", may_ask && has_played(reader) && (is_person || !view.rated)),
        ("propose", may_ask && is_person),
        ("resign", true),
        ("queue", true),
        ("preview", true),
        ("chat", is_person),
    ];
    words.into_iter().filter_map(|(word, works)| works.then_some(word)).collect()
}

/// The words for the player at seat `reader` once the game is over.
pub(super) fn over_words(players: &[String; 2], reader: usize) -> Vec<&'static str> {
    let mut words = vec!["rematch", "analyse", "record"];
    words.extend(plays_a_person(players, reader).then_some("chat"));
    words
}

fn plays_a_person(players: &[String; 2], reader: usize) -> bool {
    !players.get(1 - reader.min(1)).is_some_and(|other| other.starts_with("robot-"))
}
