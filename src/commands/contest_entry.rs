//! What events, leagues and ladders share: the clock of their boards, who may enter, and how one withdraws.

use turnpost_games::GameKind;

use crate::commands::set_up::set_up_by;
use crate::contest::record::Contest;
use crate::contest::terms::ContestTerms;
use crate::credentials::Token;
use crate::credentials::one_entry::has_entry;
use crate::failure::{CommandError, Error, refuse};
use crate::ids::mailbox;
use crate::language::BoardOptions;
use crate::language::args::Args;
use crate::language::options::{board_options, no_level};
use crate::language::token::words;
use crate::play::Context;
use crate::store::{Account, Bank, ContestForm, ContestRow, ContestState};

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

/// The options of boards of a contest as the host writes them.
pub fn contest_options(game: &'static GameKind, text: &str) -> Result<BoardOptions, String> {
    let words = words(text).map_err(|_| "a quote has no end".to_owned())?;
    let mut args = Args::new(game, true, words, 0);
    let options = board_options(&mut args).and_then(no_level).and_then(|options| {
        args.finish()?;
        Ok(in_contest(options))
    });
    let options = options.map_err(|why| why.why)?;
    if options.position.is_some() || options.unrated {
        return Err("games of leagues and ladders begin as usual and are rated: no -position=, no --unrated"
            .to_owned());
    }
    set_up_by(|| 1, game, &options).map_err(|why| why.to_string())?;
    Ok(options)
}

/// Those of a game's league and ladder where the host sets none: the shorter start, if the game has one.
pub(crate) fn usual_options(game: &GameKind) -> BoardOptions {
    let random = game.options.iter().find(|option| option.name == "random");
    let own = random.map(|option| (option.name.to_owned(), None)).into_iter().collect();
    in_contest(BoardOptions { game: own, ..BoardOptions::default() })
}

/// Withdraws a player from an event or a season, once they say that they mean it.
pub(crate) fn withdraw(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    surely: bool,
    account: &Account,
) -> Result<(), CommandError> {
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
    if has_entry(ctx.store, contest.row.id, account.id, &own)? {
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
    let terms = ContestTerms {
        form: form.as_str().to_owned(),
        game: game.key.to_owned(),
        name: format!("{}-{form}", game.key),
        size: 0,
        rounds: 1,
        starts_at: None,
        options: usual_options(game),
        season: None,
    };
    Contest::make(ctx.store, &terms, None, ctx.now)
}
