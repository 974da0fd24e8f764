//! Adds the first words of commands that leave them out. The number of a board or the name of a contest tells the game.

use std::borrow::Cow;

use turnpost_games::{GameKind, registry};

use crate::commands::{LANGUAGE, Reading};
use crate::credentials::Token;
use crate::credentials::limits::COMMANDS_A_LETTER;
use crate::ids::BoardId;
use crate::language::{InReply, Parameters};
use crate::mail::{Letter, subject};
use crate::store::{ContestForm, ContestState, Store, StoreError};

/// The most contests of a sender that are looked through.
const CONTESTS: u32 = 50;

/// The letter with the games' names. A reply is left as it is.
pub fn complete<'l>(store: &Store, letter: &'l Letter) -> Result<Cow<'l, Letter>, StoreError> {
    if letter.token.is_some() {
        return Ok(Cow::Borrowed(letter));
    }
    let mut left = COMMANDS_A_LETTER;
    let mut complete = |line: &str| completed(store, letter, None, &mut left, line);
    let subject = complete(subject::bare(&letter.subject))?;
    let mut text = Vec::new();
    for line in letter.text.lines() {
        text.push(complete(line.trim())?.map_or(Cow::Borrowed(line), Cow::Owned));
    }
    if subject.is_none() && text.iter().all(|line| matches!(line, Cow::Borrowed(_))) {
        return Ok(Cow::Borrowed(letter));
    }
    let subject = subject.unwrap_or_else(|| letter.subject.clone());
    Ok(Cow::Owned(Letter { subject, text: text.join("\n"), ..letter.clone() }))
}

/// The new text of a reply with the first words that its commands leave out; `most` of its lines are commands. A command
/// of a board is left as it is: `move 32 28` is a move. The game of the answered mail's board is the one meant if the line
/// names none.
pub fn complete_reply(
    store: &Store,
    letter: &Letter,
    token: Option<&Token>,
    new: &str,
    most: usize,
) -> Result<String, StoreError> {
    let board = token.and_then(Token::seat).map(|seat| store.board(seat.board)).transpose()?.flatten();
    let game = board.and_then(|row| registry::find(&row.game));
    let is_of_board = |line: &str| match LANGUAGE.read_line(line).reading {
        Reading::Command(request) => request.command.board().is_some(),
        _ => false,
    };
    // In a reply about a board this word means that board.
    let begins_alone = |line: &str| {
        let entry = line.split_whitespace().next().and_then(|word| LANGUAGE.of_reply(word));
        game.is_some() && entry.is_some_and(|entry| matches!(entry.in_reply, InReply::MayBegin(_)))
    };
    let (mut left, mut commands, mut text) = (COMMANDS_A_LETTER, most, Vec::new());
    for line in new.lines() {
        let is_read = commands > 0 && !line.trim().is_empty();
        let mut named = None;
        if is_read {
            commands -= 1;
            named = completed(store, letter, game, &mut left, line.trim())?;
            named = if named.is_some() { named } else { begun(store, line.trim())? };
        }
        let named = named.filter(|named| !is_of_board(named) && !begins_alone(line));
        text.push(named.map_or(Cow::Borrowed(line), Cow::Owned));
    }
    Ok(text.join("\n"))
}

fn is_command(line: &str) -> bool {
    matches!(LANGUAGE.read_line(line).reading, Reading::Command(_))
}

/// A command of a game that has no game before it, with the game: one that the line names at another place, that of the
/// board or the contest that it names, or else `game`.
fn completed(
    store: &Store,
    letter: &Letter,
    game: Option<&'static GameKind>,
    left: &mut usize,
    line: &str,
) -> Result<Option<String>, StoreError> {
    if *left == 0 || !LANGUAGE.needs_a_game(line) || is_command(line) {
        return Ok(None);
    }
    *left -= 1;
    if let Some(named) = LANGUAGE.with_its_game_first(line) {
        return Ok(Some(named));
    }
    let game = game_of(store, letter, line)?.or(game);
    Ok(game.map(|game| format!("{} {line}", game.key)).filter(|line| is_command(line)))
}

/// The command of a line without its first words: `set digest on` for `digest on`, `GAME event join spring` for
/// `join spring`, if there is a contest of that name.
fn begun(store: &Store, line: &str) -> Result<Option<String>, StoreError> {
    if let Some(named) = LANGUAGE.with_its_word_first(line) {
        return Ok(Some(named));
    }
    let contest = line.split_whitespace().nth(1).map(|name| store.contest_named(name)).transpose()?.flatten();
    let named = contest.map(|contest| format!("{} {} {line}", contest.game, contest.form));
    Ok(named.filter(|named| is_command(named)))
}

/// The game of the board or the event that a line names; for a league or a ladder, the game of the only one in which the
/// sender is.
fn game_of(store: &Store, letter: &Letter, line: &str) -> Result<Option<&'static GameKind>, StoreError> {
    let mut words = line.split_whitespace();
    let form = words.next().and_then(|word| word.to_lowercase().parse::<ContestForm>().ok());
    let named = match form {
        None => {
            let number = words.next().and_then(|word| word.split('#').next()?.parse::<BoardId>().ok());
            number.map(|number| store.board(number)).transpose()?.flatten().map(|board| board.game)
        }
        Some(ContestForm::Event) => {
            let name = words.nth(1);
            name.map(|name| store.contest_named(name)).transpose()?.flatten().map(|contest| contest.game)
        }
        Some(form) => {
            let mut games = Vec::new();
            for player in store.players_at(letter.sender.as_deref().unwrap_or_default())? {
                let own = store.contests_of(player.id, CONTESTS)?.into_iter();
                games.extend(
                    own.filter(|own| own.form == form && own.state != ContestState::Closed)
                        .map(|own| own.game),
                );
            }
            games.dedup();
            games.pop().filter(|_| games.is_empty())
        }
    };
    Ok(named.and_then(|game| registry::find(&game)))
}
