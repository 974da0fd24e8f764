//! What events, leagues and ladders share: the clock of their boards, who may enter, and how one withdraws.

use std::collections::HashSet;

use turnpost_games::GameKind;

use crate::contest::record::Contest;
use crate::contest::terms::ContestTerms;
use crate::credentials::Token;
use crate::credentials::limits::mailbox;
use crate::failure::{CommandError, Error, refuse};
use crate::language::{BoardOptions, Login};
use crate::play::Context;
use crate::store::{Account, Bank, ContestForm, ContestRow, ContestState, PlayerId};

/// Of regular players hardly one in a hundred games is lost on time with it, and it bounds the whole game.
const CONTEST_CLOCK: Bank = Bank { hours: 20 * 24, refill: 36 };

/// The options of boards of a contest: where they name no limit of time, a bank that each move refills.
pub(crate) fn in_contest(options: BoardOptions) -> BoardOptions {
    // Without a limit a board, and with it the contest, could run for ever.
    let has_limit = |days: Option<u32>| days.is_some_and(|days| days > 0);
    match options.clock.is_some() || has_limit(options.forfeit) || has_limit(options.total) {
        true => options,
        false => BoardOptions { clock: Some(CONTEST_CLOCK), forfeit: None, total: None, ..options },
    }
}

/// Withdraws a player from an event or a season, once they say that they mean it.
pub(crate) fn withdraw(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    surely: bool,
    login: &Login,
) -> Result<(), CommandError> {
    let account: Account = ctx.prove(login)?;
    let ContestRow { name, game, state, form, .. } = &contest.row;
    let userid = &account.userid;
    let words = match form {
        ContestForm::Event => format!("{game} event withdraw {name}"),
        _ => format!("{game} league withdraw"),
    };
    if *state != ContestState::Running || contest.place_of(account.id).is_none() {
        return refuse!("{name} is not running with you in it, so there is nothing to withdraw from.");
    }
    if contest.withdrawn.contains(&account.id) {
        return refuse!("You have withdrawn from {name} already.");
    }
    if !surely {
        let how = match ctx.token {
            Some(Token::Contest(..)) => "reply `withdraw surely`.".to_owned(),
            _ => format!("send\n\n    {words} -surely {userid} PASSWORD"),
        };
        return refuse!(
            "This would lose your running games of {name}, so nothing was done. If you mean it, {how}"
        );
    }
    Ok(contest.withdraw(ctx.store, account.id, "asked", ctx.now)?)
}

/// Refuses a second entry for a mailbox.
pub(crate) fn must_have_one_entry(
    ctx: &Context<'_>,
    account: &Account,
    contest: &Contest,
) -> Result<(), CommandError> {
    let addresses = ctx.store.addresses(account.id)?;
    let own: Vec<String> = addresses.confirmed().map(mailbox).collect();
    let joined: HashSet<PlayerId> =
        contest.joined.iter().copied().filter(|player| *player != account.id).collect();
    let others = ctx.store.addresses_in_contest(contest.row.id)?;
    if others.iter().any(|(other, address)| joined.contains(other) && own.contains(&mailbox(address))) {
        let name = &contest.row.name;
        return refuse!("Somebody with your mail address plays in {name}. A mailbox has one entry.");
    }
    Ok(())
}

/// Makes the league or the ladder of a game.
pub(crate) fn open_contest(
    ctx: &Context<'_>,
    game: &'static GameKind,
    form: ContestForm,
) -> Result<Contest, Error> {
    // The shorter start, where a game has one.
    let random = game.options.iter().find(|option| option.name == "random");
    let own = random.map(|option| (option.name.to_owned(), None)).into_iter().collect();
    let terms = ContestTerms {
        form: form.as_str().to_owned(),
        game: game.key.to_owned(),
        name: format!("{}-{form}", game.key),
        size: 0,
        rounds: 1,
        starts_at: None,
        options: in_contest(BoardOptions { game: own, ..BoardOptions::default() }),
        season: None,
    };
    Contest::make(ctx.store, &terms, None, ctx.now)
}
