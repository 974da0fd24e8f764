//! Opens the session of a browser, for each command whose button signs it in.

use minijinja::context;

use crate::commands::prelude::*;
use crate::credentials::token;
use crate::store::{CodeHash, PlayerId};

/// Refusal for a link that no longer signs a browser in.
pub(crate) const LINK_IS_OVER: &str = "This link has been used, or is over: one that signs in is good for a quarter of an hour. Ask for another.";

/// Signs in the browser in which the player pressed the button of a mailed link.
pub(crate) fn open(
    ctx: &mut Context<'_>,
    player: PlayerId,
    code: &str,
    browser: &str,
) -> Result<Event, CommandError> {
    let link = CodeHash::of(code);
    if !ctx.store.is_sign_in(player, link, ctx.now)? {
        return refuse!("{LINK_IS_OVER}");
    }
    let cookie = token::of_session(&ctx.store.bounce_key()?, code);
    ctx.store.open_session(link, CodeHash::of(&cookie), browser, ctx.now)?;
    Ok(Event::page("signed-in.md", context! {}, None))
}
