//! The terms of a board, built from the options of a challenge or a seek.

use turnpost_games::{GameKind, Setup};

use crate::board::Terms;
use crate::failure::{Refusal, refusal};
use crate::language::BoardOptions;
use crate::play::Context;
use crate::store::TimeControl;

/// Time limits of a board if the challenge names none.
const DAYS: TimeControl = TimeControl { nag: 7, forfeit: 21, total: 0, bank: None };

/// The terms of a board without its players, with the position set up.
pub(crate) fn set_up(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    options: &BoardOptions,
) -> Result<Terms, Refusal> {
    set_up_by(|| ctx.seed(), game, options)
}

/// Like [`set_up`]; calls `seed` if the options name no seed.
pub(crate) fn set_up_by(
    seed: impl FnOnce() -> u64,
    game: &'static GameKind,
    options: &BoardOptions,
) -> Result<Terms, Refusal> {
    let refuse = |why: turnpost_games::SetupError| bad_setup(why.to_string());
    if let Some(text) = &options.position {
        if !options.game.is_empty() {
            let why = "a position leaves nothing to the game's own options".to_owned();
            return Err(bad_setup(why));
        }
        let table = (game.read)(text).map_err(refuse)?;
        if table.ended().is_some() {
            let why = "in this position the game is over".to_owned();
            return Err(bad_setup(why));
        }
        return Ok(Terms { position: table.position(), ..terms_of(game, options) });
    }
    let given = options.game.iter().find(|(name, _)| name == "seed").and_then(|(_, value)| value.as_deref());
    // A seed that is not a number is refused by the game, in its own words.
    let seed = match given.map(str::parse) {
        Some(Ok(seed)) => seed,
        Some(Err(_)) | None => seed(),
    };
    let table = (game.start)(&Setup { options: &options.game, seed }).map_err(refuse)?;
    Ok(Terms {
        seed,
        from_position: false,
        position: table.position(),
        rated: is_rated(game, options),
        may_swap: options.swap || game.may_swap(&options.game),
        ..terms_of(game, options)
    })
}

/// True if a board with these options is rated.
pub(crate) fn is_rated(game: &GameKind, options: &BoardOptions) -> bool {
    let is_easy = |name: &str| game.options.iter().any(|option| option.unrated && option.name == name);
    !options.unrated && options.position.is_none() && !options.game.iter().any(|(name, _)| is_easy(name))
}

/// The terms of an unrated board from a position, without the position and the players.
pub(crate) fn terms_of(game: &GameKind, options: &BoardOptions) -> Terms {
    Terms {
        game: game.key.to_owned(),
        players: [0, 0],
        options: options.game.clone(),
        seed: 0,
        from_position: true,
        position: String::new(),
        rated: false,
        lots: options.lots,
        may_swap: options.swap,
        days: TimeControl {
            nag: options.nag.unwrap_or(DAYS.nag),
            // A clock bank replaces the forfeit time.
            forfeit: options.forfeit.unwrap_or(if options.clock.is_some() { 0 } else { DAYS.forfeit }),
            total: options.total.unwrap_or(DAYS.total),
            bank: options.clock,
        },
        grace: options.no_grace.then_some(false),
        rematch_of: None,
        contest: None,
        tutorial: false,
        imported: None,
        salt: options.salt.clone(),
    }
}

pub(crate) fn bad_setup(why: String) -> Refusal {
    refusal!("The board cannot be set up: {why}.")
}
