//! Who wrote a command that leaves its writer out.
//!
//! The letter has to prove one player: by a password of another command, a reply token, its sender's mail server, or the
//! operator's word. A token starts games and speaks for its own board, and nothing else. A challenge asks for no
//! password, so there the registered address is enough.

use crate::commands::{Command, LeftOut, Line, Reading};
use crate::credentials::Token;
use crate::credentials::token::TokenSeat;
use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::language::{Parameters, Seen};
use crate::mail::{Operator, Proof};
use crate::play::Context;
use crate::play::context::{self, no_such_userid};
use crate::store::{Account, ProvenBy, Store, StoreError};

/// Takes a line that can be read both ways without its writer, where the full form names nobody here.
pub fn settle(store: &Store, lines: &mut [Line]) -> Result<(), StoreError> {
    for line in lines {
        let Some(left_out) = line.otherwise.take() else { continue };
        let Reading::Command(command) = &line.reading else { continue };
        let Some(login) = command.login() else { continue };
        if store.player(&login.userid)?.is_none() {
            line.echo = line.strict_echo.clone();
            line.reading = Reading::LeftOut(left_out);
        }
    }
    Ok(())
}

/// A command with its writer filled in.
pub(crate) struct Written {
    pub by: Account,
    pub command: Command,
    /// False where only the address says who wrote it.
    pub is_proven: bool,
}

/// Fills in the player whom the letter names or proves.
pub(crate) fn fill_in(ctx: &mut Context<'_>, left_out: &LeftOut) -> Result<Written, CommandError> {
    let by = writer(ctx, left_out)?;
    context::must_be_a_person(&by)?;
    let command = left_out.by(&by.userid).ok_or_else(context::nothing_proves)?;
    if let Command::Challenge(challenge) = &command
        && challenge.first == challenge.second
    {
        return refuse!(
            "You are {userid}, and the userid of the second player is missing at the end.",
            userid = by.userid
        );
    }
    let is_proven = ctx.writer.proves(by.id);
    Ok(Written { by, command, is_proven })
}

fn writer(ctx: &Context<'_>, left_out: &LeftOut) -> Result<Account, CommandError> {
    let proven = ctx.writer.players().iter().map(|player| ctx.store.player_by_id(*player));
    let proven = proven.collect::<Result<Vec<Account>, StoreError>>()?;
    if let Proof::Operator(Operator::As(_)) = &ctx.letter.proof {
        return proven.into_iter().next().ok_or_else(|| no_such_userid(None).into());
    }
    if matches!(ctx.writer.by, ProvenBy::Operator | ProvenBy::Password) && !proven.is_empty() {
        return only(proven, left_out);
    }
    if let Some(seat) = ctx.token.as_ref().and_then(Token::seat) {
        let account = ctx.store.player_by_id(seat.player)?;
        let fits =
            left_out.board.is_none_or(|board| board == seat.board && is_seen(seat, left_out.entry().needs));
        let full = left_out.written(account.userid.as_str());
        return if fits {
            Ok(account)
        } else {
            refuse!(
                "A reply speaks for its own board as that mail showed it. Elsewhere the command is:\n\n    {full}"
            )
        };
    }
    let sender = ctx.letter.sender.as_deref().unwrap_or_default();
    let known = match &ctx.letter.proof {
        Proof::Operator(_) => Vec::new(),
        Proof::Sender | Proof::None => ctx.store.players_at(sender)?,
    };
    if ctx.letter.proof == Proof::Sender || !left_out.takes_password() {
        return only(known, left_out);
    }
    let userid = match known.as_slice() {
        [account] => account.userid.as_str(),
        _ => "USERID",
    };
    Err(nothing_proves(left_out, userid).into())
}

/// True where the mail that the letter answers has shown what the command acts on. The line names its board.
fn is_seen(seat: TokenSeat, needs: Seen) -> bool {
    needs == Seen::PositionOrNamed || seat.has_seen(needs)
}

fn nothing_proves(left_out: &LeftOut, userid: &str) -> Refusal {
    refusal!("{why}\n\n    {full}", why = left_out.unproven(), full = left_out.written(userid))
}

fn only(mut known: Vec<Account>, left_out: &LeftOut) -> Result<Account, CommandError> {
    if known.len() > 1 {
        let userids = known.iter().map(|account| account.userid.as_str()).collect::<Vec<_>>().join(" or ");
        let full = left_out.written("USERID");
        return refuse!("This letter is from {userids}, so the command has to say who plays:\n\n    {full}");
    }
    known.pop().ok_or_else(|| nothing_proves(left_out, "USERID").into())
}
