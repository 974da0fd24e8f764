//! Adds the game's name to commands that leave it out. The number of a board or the name of a contest tells the game.

use std::borrow::Cow;

use turnpost_games::{GameKind, registry};

use crate::commands::{LANGUAGE, Reading};
use crate::credentials::limits::COMMANDS_A_LETTER;
use crate::ids::BoardId;
use crate::mail::{Letter, subject};
use crate::store::{ContestForm, ContestState, Store, StoreError};

/// The most contests of a sender that are looked through.
const CONTESTS: u32 = 50;

/// The letter with the games' names. A reply is left as it is: in its first line, `move 32 28` is a move.
pub fn complete<'l>(store: &Store, letter: &'l Letter) -> Result<Cow<'l, Letter>, StoreError> {
    let mut left = COMMANDS_A_LETTER;
    if letter.token.is_some() {
        return Ok(Cow::Borrowed(letter));
    }
    let mut complete = |line: &str| -> Result<Option<String>, StoreError> {
        if left == 0 || !LANGUAGE.needs_a_game(line) {
            return Ok(None);
        }
        left -= 1;
        let named = game_of(store, letter, line)?.map(|game| format!("{} {line}", game.key));
        Ok(named.filter(|line| matches!(LANGUAGE.read_line(line).reading, Reading::Command(_))))
    };
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
