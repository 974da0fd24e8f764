//! The command words that a reply to a board's mail can use now.

use turnpost_games::registry;

use crate::commands::{Entry, LANGUAGE};
use crate::language::Offered;
use crate::notices::view::BoardView;
use crate::store::PlayerId;

/// The words for the player at seat `reader`, in the order in which a mail lists them.
pub(crate) fn reply_words(view: &BoardView, reader: usize) -> Vec<&'static str> {
    offers(view, reader).into_iter().map(|entry| entry.word).collect()
}

/// The entries of those words.
pub(crate) fn offers(view: &BoardView, reader: usize) -> Vec<&'static Entry> {
    let is_person = plays_a_person(&view.player_ids, reader);
    let has_played = |seat: usize| view.last.iter().any(|ply| ply.seat == Some(seat));
    let binds = view.dice.as_ref().is_some_and(|dice| !dice.salts[1].is_empty());
    let is_taken_up = view.swapped || binds || has_played(0) && has_played(1);
    let is_asked = view.proposal.is_some_and(|(by, _)| by != reader);
    let may_ask = view.proposal.is_none();
    let in_play = view.turn.is_some();
    in_order(|offered| match offered {
        Offered::Never => false,
        Offered::Asked => in_play && is_asked,
        Offered::MaySwap => view.may_swap && view.turn == Some(reader),
        Offered::Challenged => {
            view.contest.is_none() && in_play && is_person && !is_taken_up && view.plies < 10
        }
        Offered::WithDice => in_play && view.dice.as_ref().is_some_and(|dice| dice.wait),
        Offered::HasPlayed => in_play && may_ask && has_played(reader) && (is_person || !view.rated),
        Offered::MayPropose => {
            in_play && may_ask && is_person && registry::find(view.game).is_some_and(|game| game.has_draws)
        }
        Offered::InPlay => in_play,
        Offered::MayHint => !is_person && !view.rated && view.turn == Some(reader),
        Offered::MayNudge => is_person && view.may_nudge && view.turn.is_some_and(|turn| turn != reader),
        Offered::Mapped => in_play && registry::find(view.game).is_some_and(|game| game.map.is_some()),
        Offered::Over => !in_play,
        Offered::OverWithRobot => !in_play && turnpost_robot::find(view.game).is_some(),
        Offered::ToPerson => is_person,
    })
}

/// The words for the player at seat `reader` once the game is over.
pub(crate) fn over_words(game: &str, players: &[PlayerId; 2], reader: usize) -> Vec<&'static str> {
    let is_person = plays_a_person(players, reader);
    let offers = in_order(|offered| match offered {
        Offered::Over => true,
        Offered::OverWithRobot => turnpost_robot::find(game).is_some(),
        Offered::ToPerson => is_person,
        _ => false,
    });
    offers.into_iter().map(|entry| entry.word).collect()
}

fn in_order(works: impl Fn(Offered) -> bool) -> Vec<&'static Entry> {
    let mut offers: Vec<_> = LANGUAGE.entries().filter(|entry| works(entry.offered)).collect();
    offers.sort_by_key(|entry| entry.offered);
    offers
}

fn plays_a_person(players: &[PlayerId; 2], reader: usize) -> bool {
    !players.get(1 - reader.min(1)).is_some_and(|other| other.is_robot())
}
