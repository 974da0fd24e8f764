//! Limits the mails that one player causes to another. A letter causes one mail for each reader and board, with all its
//! words. Each pair of causer and reader has a budget. A block stops all mails but those of moves and ends of games.

use crate::failure::Error;
use crate::ids::BoardId;
use crate::notices::Mail;
use crate::notices::board_update::BoardNews;
use crate::notices::mail::{Recipient, Words};
use crate::play::Context;
use crate::store::{PlayerId, mailbox_key};

/// The news that is mailed. Talk counts as a mail from `by` to its reader. If no more mails are allowed, only talk that
/// changes play is mailed.
pub(super) fn admitted(
    ctx: &mut Context<'_>,
    by: Option<PlayerId>,
    news: Vec<BoardNews>,
) -> Result<Vec<BoardNews>, Error> {
    let mut admitted = Vec::new();
    for of_board in news {
        let reader = of_board.readers().find(|reader| Some(*reader) != by && !reader.is_robot());
        if let Some((by, reader)) = by.zip(reader).filter(|_| of_board.is_talk())
            && let Some(why) = ctx.take_mail(by, reader)?
            && !of_board.changes_play()
        {
            ctx.unmailed.push(why);
            continue;
        }
        admitted.push(of_board);
    }
    Ok(admitted)
}

/// False if talk by `by` causes the mail, and a block or a used-up budget stops mails from `by` to this watcher.
pub(super) fn reaches_watcher(
    ctx: &mut Context<'_>,
    by: Option<PlayerId>,
    of_board: &BoardNews,
    mail: &Mail,
) -> Result<bool, Error> {
    let Some(by) = by.filter(|_| of_board.is_talk() || of_board.ends_by_talk()) else { return Ok(true) };
    Ok(match &mail.to {
        Recipient::Player(reader) | Recipient::PlayerAt(reader, _) => ctx.take_mail(by, *reader)?.is_none(),
        Recipient::Address(address) => ctx.take_mail_to(by, &mailbox_key(address))?.is_none(),
    })
}

/// Leaves out mails that a later mail replaces.
pub(super) fn gathered(mails: Vec<Mail>) -> Vec<Mail> {
    let mut gathered: Vec<Mail> = Vec::new();
    for mut mail in mails {
        gathered.retain(|before| !mail.gather(before));
        gathered.push(mail);
    }
    gathered
}

/// Adds the letter's chat about a board to the words for a reader, if both are by the same player. The chat then gets
/// no mail of its own.
pub(super) fn with_chat(
    words: Option<Words>,
    mails: &mut Vec<Mail>,
    player: PlayerId,
    board: BoardId,
) -> Option<Words> {
    let is_chat = |mail: &Mail| {
        mail.to == Recipient::Player(player)
            && mail.words().is_some_and(|chat| words.as_ref().is_none_or(|words| words.by == chat.by))
            && mail.thread.as_ref().is_some_and(|thread| thread.board == board)
    };
    let Some(at) = mails.iter().position(is_chat) else { return words };
    let chat = mails.remove(at).words()?;
    let text = words.map(|words| format!("{}\n\n{}", words.text, chat.text)).unwrap_or(chat.text);
    Some(Words { text, ..chat })
}
