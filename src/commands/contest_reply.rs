//! Reads a reply to a mail about a contest: a subcommand of `event`, `league` or `ladder` in one word.

use turnpost_games::registry;

use crate::commands::Command;
use crate::commands::contest::{EntrantAct, LookAtContest, OnContest, ShownTable};
use crate::commands::contest_entry::NamedContest;
use crate::contest::forms::Stay;
use crate::credentials::claim::nothing_proves;
use crate::failure::{CommandError, refuse};
use crate::play::Context;
use crate::store::{ContestForm, ContestId};

/// The request in a reply to a mail about a contest.
pub(crate) enum ContestWord {
    Table,
    Act(EntrantAct),
}

/// Reads the word in the first line of the reply, and the contest name after it, if any.
pub(crate) fn read(text: &str) -> Option<(ContestWord, Option<String>)> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    let line = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let mut words = line.split_whitespace().peekable();
    let word = match words.next()? {
        "join" => ContestWord::Act(EntrantAct::Join(Stay::UntilTheyLeave)),
        "leave" => ContestWord::Act(EntrantAct::Leave),
        "table" => ContestWord::Table,
        "withdraw" => {
            ContestWord::Act(EntrantAct::Withdraw { surely: words.next_if_eq(&"surely").is_some() })
        }
        _ => return None,
    };
    let name = words.next().map(str::to_owned);
    words.next().is_none().then_some((word, name))
}

/// Turns a reply to a mail about a contest into a command.
pub(crate) fn command(ctx: &Context<'_>, contest: ContestId, text: &str) -> Result<Command, CommandError> {
    let said = read(text);
    let row = match said.as_ref().and_then(|(_, name)| name.as_ref()) {
        Some(name) => ctx.store.contest_named(name)?,
        None if contest == ContestId::SEVERAL => {
            return refuse!(
                "The mail tells of several contests. Write the name behind the word, in the first line, as in `leave \
                NAME`. Moves go to the mail of their board."
            );
        }
        None => ctx.store.contest(contest)?,
    };
    let Some(row) = row else { return refuse!("There is no contest of that name.") };
    let Some(game) = registry::find(&row.game) else { return Err(nothing_proves().into()) };
    let of = match row.form {
        ContestForm::Event => NamedContest::event(game, row.name.clone()),
        ContestForm::League | ContestForm::Season => NamedContest::of_game(game, ContestForm::League),
        ContestForm::Ladder => NamedContest::of_game(game, row.form),
    };
    let act = match said.map(|(word, _)| word) {
        Some(ContestWord::Table) => {
            return Ok(Command::LookAtContest(LookAtContest { of, table: ShownTable::Own }));
        }
        Some(ContestWord::Act(EntrantAct::Withdraw { .. })) if row.form == ContestForm::Ladder => {
            return refuse!(
                "`leave` takes you off the ladder. Your games go on; `resign` gives one up, and `{game} ladder \
                 challenge` begins another.",
                game = game.key
            );
        }
        Some(ContestWord::Act(act)) => act,
        None => {
            return refuse!(
                "A reply to this mail is one word in its first line: `table` shows how {name} stands, `join` and `leave` \
                enter and leave it, and `withdraw` gives up your games of an event or a season. Moves go to the mail of \
                their board.",
                name = row.name
            );
        }
    };
    Ok(Command::Contest(OnContest { of, act }))
}
