//! The context of a game's help page.

use minijinja::{Value, context};
use turnpost_games::{Drawing, GameKind, Setup};

pub fn game_context(game: &GameKind) -> Value {
    let options = game.options.iter();
    let options: Vec<Value> =
        options.map(|option| context! { written => option.written(), help => option.help }).collect();
    let map = game.map.map(|map| map());
    let [drawing, key, standing] = match sample(game) {
        Some(Drawing { board, key, standing, .. }) => [board, key, standing],
        None => Default::default(),
    };
    let no_draw_offers = !game.has_draws;
    let [name, pitch, notation] = [game.name, game.pitch, game.notation];
    context! { game => context! { name, pitch, notation, options, map, drawing, key, standing, no_draw_offers } }
}

/// Draws the start of a game for the player who begins, with its first option that takes no value. Such a start can show
/// more signs.
pub(super) fn sample(game: &GameKind) -> Option<Drawing> {
    let plain = game.options.iter().find(|option| option.value.is_none());
    let options: Vec<_> = plain.into_iter().map(|option| (option.name.to_owned(), None)).collect();
    let table = (game.start)(&Setup { options: &options, seed: 7 }).ok()?;
    Some(game.facing(Some(table.turn()), table.look()).drawing())
}
