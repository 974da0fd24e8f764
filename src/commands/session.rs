//! What the buttons of mailed links do: open the session of a browser, or confirm a line.

use minijinja::context;

use crate::commands::prelude::*;
use crate::commands::{LANGUAGE, Reading, carry_out};
use crate::credentials::{Actor, token};
use crate::failure::Error;
use crate::store::{CodeHash, PlayerId, ProvenBy};

/// Refusal for a link that no longer signs a browser in.
pub(crate) const LINK_IS_OVER: &str =
    "This link has been used, or is over: a link is good once, for a quarter of an hour. Ask for another.";

/// Signs in the browser in which the player pressed the button of a mailed link.
pub(crate) fn open(
    ctx: &mut Context<'_>,
    player: PlayerId,
    code: &str,
    browser: &str,
) -> Result<Event, CommandError> {
    let link = CodeHash::of(code);
    if ctx.store.mailed_link(player, link, ctx.now)?.is_none_or(|line| !line.is_empty()) {
        return refuse!("{LINK_IS_OVER}");
    }
    let cookie = token::of_session(&ctx.store.bounce_key()?, code);
    ctx.store.open_session(link, CodeHash::of(&cookie), browser, ctx.now)?;
    Ok(Event::page("signed-in.md", context! {}, None))
}

/// The link of the mail that asks the player for `line` once more; `None` without pages.
pub(crate) fn that_confirms(
    ctx: &mut Context<'_>,
    player: PlayerId,
    line: &str,
) -> Result<Option<String>, Error> {
    let Some(pages) = ctx.pages else { return Ok(None) };
    let code = ctx.code();
    ctx.store.add_confirming(player, CodeHash::of(&code), line, ctx.now)?;
    Ok(Some(format!("{pages}/sign-in/{}", token::of_mailed_link(player, &code))))
}

/// Carries out the line that the button of a link has confirmed.
pub(crate) fn confirmed(
    ctx: &mut Context<'_>,
    player: PlayerId,
    link: CodeHash,
    line: &str,
) -> Result<Event, CommandError> {
    let is_new = ctx.store.end_confirming(link)?;
    let account = ctx.store.player_by_id(player)?;
    let read = LANGUAGE.read("", line, 1).into_iter().next().map(|line| line.reading);
    let Some(Reading::Command(request)) = read.filter(|_| is_new) else { return refuse!("{LINK_IS_OVER}") };
    ctx.answer_to(player);
    carry_out(ctx, &Actor::Player(account, ProvenBy::Token), request.command)
}
