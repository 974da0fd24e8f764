//! Decides who gets which mail about a letter: players, watchers, players who want one "your move" mail at a time, and
//! the letter's writer.

use jiff::Timestamp;
use minijinja::{Value, context};

use crate::commands::asking::held_until;
use crate::commands::confirm_address::{asks, question, tell_of_stops};
use crate::commands::signup::proposed;
use crate::credentials::limits::HELP_PAGES;
use crate::credentials::{Limits, MailQuestion, Token};
use crate::failure::Error;
use crate::ids::{BoardId, same_address};
use crate::letter::answer_budget::Budget;
use crate::letter::gate::{admitted, gathered, reaches_watcher, with_chat};
use crate::letter::receipt;
use crate::mail::{AnswerBy, Letter, Proof};
use crate::meaning::for_the_server::parted;
use crate::notices::audience::{next_of_digest, players_of_ended, to_player};
use crate::notices::board_update::BoardNews;
use crate::notices::mail::{Content, Keep, Purpose, Recipient, Words};
use crate::notices::view::BoardView;
use crate::notices::{Answer, Event, Mail, Seated, Transcript};
use crate::play::Context;
use crate::store::{AboutBoard, BoardState, PlayerAddresses, PlayerId, Store, mailbox_key};

/// All mails that a letter's commands cause, in sending order: the answer, mails to players of its boards, other mails,
/// then boards held back for the digest. `words` is the text in addition to the commands.
pub fn of_letter(
    ctx: &mut Context<'_>,
    transcript: &mut Transcript,
    words: &str,
) -> Result<Vec<Mail>, Error> {
    let news = BoardNews::merged(std::mem::take(&mut ctx.news));
    let news = admitted(ctx, transcript.player, news)?;
    let mut mails = gathered(std::mem::take(&mut ctx.mails));
    let mut said = vec![(None, passed_on(ctx, transcript, &news, words)?)];
    for of_board in &news {
        let board = BoardId(of_board.update.view.board);
        if let Some(words) = ctx.words_on.remove(&board) {
            said.push((Some(board), passed_on(ctx, transcript, std::slice::from_ref(of_board), &words)?));
        }
    }
    for why in std::mem::take(&mut ctx.unmailed) {
        transcript.add_remark(&format!("{why} So this was not mailed, nor any words with it."));
    }
    for of_board in &news {
        let told = ctx.preferences.for_watchers(ctx.store, ctx.now, std::slice::from_ref(of_board))?;
        for mail in told {
            if reaches_watcher(ctx, transcript.player, of_board, &mail)? {
                mails.push(mail);
            }
        }
    }
    ctx.record_hits(transcript.player)?;
    complete(ctx, transcript)?;
    let is_heard = match ctx.letter.answer {
        AnswerBy::Mail => true,
        AnswerBy::Page => (transcript.ends_well() || transcript.asks_again()) && !ctx.pausing,
        AnswerBy::Terminal | AnswerBy::Nothing => false,
    };
    let by_mail = is_heard && is_mailed(ctx, transcript, &news)?;
    let addresses = match transcript.player.filter(|_| is_heard) {
        Some(player) => Some(ctx.store.addresses(player)?),
        None => None,
    };
    // A player who writes ends the pause of their mails.
    if let Some((player, addresses)) = transcript.player.zip(addresses.as_ref())
        && addresses.paused_until.is_some_and(|until| until > ctx.now)
        && ctx.writer.proves(player)
    {
        ctx.store.resume_mails(player, ctx.now)?;
    }
    let mut leaving = Vec::new();
    if by_mail {
        tell_of_stops(ctx, transcript, addresses.as_ref())?;
        leaving = answer(ctx, transcript, &mails, addresses.as_ref())?;
        receipt::shorten(ctx, transcript);
    }
    for of_board in &news {
        for seat in &of_board.to {
            let player = *seat.of(&of_board.players);
            // Each recipient gets the words once, in the first mail to them.
            let board = BoardId(of_board.update.view.board);
            let of_it = said.iter_mut().filter(|(of, _)| of.is_none_or(|of| of == board));
            let words = of_it.map(|(_, said)| said).find_map(|(words, readers)| {
                let at = readers.iter().position(|reader| *reader == player)?;
                readers.swap_remove(at);
                words.clone()
            });
            let words = with_chat(words, &mut mails, player, board);
            leaving.extend(to_player(ctx.store, ctx.now, &mut ctx.preferences, (of_board, *seat), words)?);
        }
    }
    leaving.extend(mails);
    // The writer, and the players of an ended board, get the next board that waits for them.
    let writer = transcript
        .player
        .filter(|_| !matches!(ctx.token, Some(Token::Question(MailQuestion::WeeklyMail(_)))));
    let over = players_of_ended(&news).filter(|player| Some(*player) != writer);
    for player in writer.into_iter().chain(over) {
        leaving.extend(next_of_digest(ctx.store, &ctx.preferences, player, ctx.now)?);
    }
    Ok(leaving)
}

/// True if the answer is mailed. A page shows its player what they did, so only what tells more is mailed.
fn is_mailed(ctx: &mut Context<'_>, transcript: &Transcript, news: &[BoardNews]) -> Result<bool, Error> {
    if ctx.letter.answer != AnswerBy::Page {
        return Ok(transcript.remark.is_some() || !receipt::is_unwanted(ctx, transcript)?);
    }
    let talk = transcript.player.filter(|_| news.iter().all(BoardNews::is_talk));
    // The page that comes next shows the board, in a browser that is signed in.
    let is_signed_in =
        matches!(ctx.token, Some(Token::Question(MailQuestion::Invitation(_)) | Token::Session(_)));
    let says_goodbye = !transcript.last_words.is_empty();
    Ok((transcript.tells_more_than_an_act() || transcript.asks_again() || says_goodbye)
        && !(is_signed_in && transcript.moves_a_board())
        && match talk {
            Some(writer) => ctx.take_mail(writer, writer)?.is_none(),
            None => true,
        })
}

/// The answer to a letter that is too large to read.
pub fn of_too_much(
    store: &Store,
    limits: &Limits,
    letter: &Letter,
    why: &str,
    now: Timestamp,
) -> Result<Vec<Mail>, Error> {
    let answer = |to| Mail { purpose: Purpose::Answer, ..Mail::page(to, "too-much.md", context! { why }) };
    let budget = Budget { store, limits, letter, now };
    let sender = letter.sender.as_deref().unwrap_or_default();
    match store.players_at(sender)?.first() {
        Some(player) => {
            let proven = letter.proof == Proof::Sender;
            budget.to_player(player.id, &store.addresses(player.id)?, proven, answer)
        }
        None => budget.to_stranger(false, answer),
    }
}

/// The one answer to a banned sender. A From can be forged, so it goes to the envelope sender.
pub fn of_banned(
    store: &Store,
    limits: &Limits,
    letter: &Letter,
    operator: &str,
    now: Timestamp,
) -> Result<Vec<Mail>, Error> {
    let Some(path) = &letter.return_path else { return Ok(Vec::new()) };
    let all = limits.strangers();
    if !all.has_room(store, "", now, 0)? || !store.hit_limit("banned", &mailbox_key(path), None, now)? {
        return Ok(Vec::new());
    }
    all.count(store, "", now)?;
    let why = format!(
        "the host takes no letters from you, and nothing was done. If that is a mistake, write to {operator}"
    );
    let mail = Mail::page(Recipient::Address(path.clone()), "too-much.md", context! { why });
    Ok(vec![Mail { purpose: Purpose::Answer, keep: Keep::Recipient, ..mail }])
}

/// Passes the words that come with a command to all readers of its news, if the letter proves its writer.
fn passed_on(
    ctx: &Context<'_>,
    transcript: &mut Transcript,
    news: &[BoardNews],
    words: &str,
) -> Result<(Option<Words>, Vec<PlayerId>), Error> {
    let recipients: Vec<PlayerId> = news.iter().flat_map(BoardNews::readers).collect();
    let (words, remark) = parted(words);
    if let Some(remark) = remark.filter(|_| !recipients.is_empty()) {
        transcript.add_remark(&remark);
    }
    if words.is_empty() || recipients.is_empty() {
        return Ok((None, Vec::new()));
    }
    // A `yes` to an invitation proves the mailbox of the account that it makes.
    let invited = matches!(ctx.token, Some(Token::Question(MailQuestion::Invitation(_))));
    let Some(by) = transcript.player.filter(|player| invited || ctx.writer.players().contains(player)) else {
        let why = "Your text was not passed on: nothing in the letter proves who wrote it.";
        transcript.remark = Some(why.to_owned());
        return Ok((None, Vec::new()));
    };
    if recipients.iter().any(|recipient| recipient.is_robot()) {
        transcript.remark = Some("Your text was not passed on: a program reads none.".to_owned());
    }
    let mut to: Vec<PlayerId> = Vec::new();
    for recipient in recipients.into_iter().filter(|recipient| *recipient != by && !recipient.is_robot()) {
        let userid = ctx.store.player_by_id(recipient)?.userid;
        if ctx.store.is_block_between(by, recipient)? {
            let why = format!("Your text was not passed on: there is a block between you and {userid}.");
            transcript.remark = Some(why);
        } else if !to.contains(&recipient) {
            if !receipt::is_unwanted(ctx, transcript)? {
                transcript.add_remark(&format!("Your text went to {userid} as well."));
            }
            let hears = |of_board: &&BoardNews| of_board.readers().any(|reader| reader == recipient);
            if let Some(of_board) = news.iter().find(hears) {
                let view = &of_board.update.view;
                let about = AboutBoard { board: BoardId(view.board), event: view.events, words: &words };
                ctx.store.add_message(by, recipient, Some(about), ctx.now)?;
            }
            to.push(recipient);
        }
    }
    if to.is_empty() {
        return Ok((None, to));
    }
    let words = Words { by: ctx.store.player_by_id(by)?.userid.to_string(), text: words };
    Ok((Some(words), to))
}

/// Adds vacations and public addresses to every board in the answer.
fn complete(ctx: &mut Context<'_>, transcript: &mut Transcript) -> Result<(), Error> {
    let mut complete =
        |view: &mut BoardView, reader| ctx.preferences.complete(ctx.store, ctx.now, view, reader);
    for answered in &mut transcript.answers {
        match &mut answered.answer {
            Answer::Done(Event::Board(update, reader)) => complete(&mut update.view, *reader)?,
            Answer::Done(Event::Shown(views)) => {
                views.iter_mut().try_for_each(|view| complete(view, None))?
            }
            _ => {}
        }
    }
    match &mut transcript.seated {
        Some(Seated { view, seat, .. }) => complete(view, Some(*seat)),
        None => Ok(()),
    }
}

/// The answer goes to the confirmed addresses of the player for whom the letter acted, never to an unconfirmed one. A
/// sender without an account gets a short help.
fn answer(
    ctx: &mut Context<'_>,
    transcript: &Transcript,
    mails: &[Mail],
    addresses: Option<&PlayerAddresses>,
) -> Result<Vec<Mail>, Error> {
    if is_answer(transcript, mails, ctx.letter.sender.as_deref()) {
        return Ok(Vec::new());
    }
    let farewell =
        |address: &String| Mail { keep: Keep::Nothing, ..Mail::answer(Recipient::Address(address.clone())) };
    let mut leaving: Vec<Mail> = transcript.last_words.iter().map(farewell).collect();
    let addresses = addresses.filter(|addresses| addresses.confirmed().next().is_some());
    let budget = Budget { store: ctx.store, limits: ctx.limits, letter: ctx.letter, now: ctx.now };
    let stranger = ctx.letter.sender.as_deref().filter(|_| transcript.player.is_none());
    let name = stranger.and_then(|sender| proposed(ctx, sender).ok()).map(|name| name.to_string());
    let strangers_help = |to| Mail::strangers_help(to, name.clone());
    leaving.extend(match (transcript.player.zip(addresses), &transcript.asked) {
        (Some((player, addresses)), _) => {
            // A program that answers our answers has a token too, and no command.
            let always = ctx.writer.is_proven() && !transcript.holds_no_command()
                || transcript.moves_a_board()
                || !transcript.is_spent && of_their_board(ctx, transcript, player)?
                || is_free_help(ctx, transcript, player)?;
            budget.to_player(player, addresses, always, Mail::answer)?
        }
        (None, Some(asked)) => budget.to_asked(asked)?,
        // A sender who answers our mail is not new, even if the account no longer exists.
        (None, None) if transcript.is_spent => {
            let asked = ask_again(ctx)?.unwrap_or_default();
            let in_words = || budget.to_stranger(true, Mail::answer);
            if asked.is_empty() { in_words()? } else { asked }
        }
        (None, None) if asks_sender(mails, ctx.letter.sender.as_deref()) => Vec::new(),
        // A newcomer who has not confirmed the address gets help, and once a day the question again.
        (None, None) if transcript.asks_to_begin() && transcript.player.is_none() && may_be_told(ctx)? => {
            let mut leaving = budget.to_stranger(true, strangers_help)?;
            leaving.extend(ask_again(ctx)?.unwrap_or_default());
            leaving
        }
        (None, None) => match first_yes(ctx, transcript, &budget)? {
            told if !told.is_empty() => told,
            _ => match ask_again(ctx)? {
                Some(asked) => asked,
                None if transcript.player.is_some() => Vec::new(),
                None => budget.to_stranger(false, strangers_help)?,
            },
        },
    });
    // Do not keep mails that any sender can cause, that repeat a word that might be a password, or that have a link which
    // confirms.
    if !ctx.writer.is_proven() || !transcript.suspects.is_empty() || transcript.confirmed_at.is_some() {
        let kept = leaving.iter_mut().filter(|mail| mail.keep == Keep::Mail);
        kept.for_each(|mail| mail.keep = Keep::Recipient);
    }
    Ok(leaving)
}

/// Counts help pages. True if the letter asks only for help and the pages fit into their own budget.
fn is_free_help(ctx: &Context<'_>, transcript: &Transcript, player: PlayerId) -> Result<bool, Error> {
    let Some(pages) = transcript.only_help() else { return Ok(false) };
    let (limit, key) = (HELP_PAGES, format!("player {}", player.0));
    if !limit.has_room(ctx.store, &key, ctx.now, pages.saturating_sub(1))? {
        return Ok(false);
    }
    for _ in 0..pages {
        limit.count(ctx.store, &key, ctx.now)?;
    }
    Ok(true)
}

/// True if an answer refuses a command about a running board of the player.
fn of_their_board(ctx: &Context<'_>, transcript: &Transcript, player: PlayerId) -> Result<bool, Error> {
    for answered in &transcript.answers {
        if let (Answer::Refused(_), Some(thread)) = (&answered.answer, &answered.thread)
            && let Some(board) = ctx.store.board(thread.board)?
            && board.state == BoardState::Running
            && board.players.contains(&player)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if one of the letter's mails asks the sender's address for confirmation.
fn asks_sender(mails: &[Mail], sender: Option<&str>) -> bool {
    mails
        .iter()
        .any(|mail| asks(mail).is_some_and(|asked| sender.is_some_and(|sender| same_address(sender, asked))))
}

/// True if another mail already answers the letter: a mail sent again, or a mail to a sender without an account, such
/// as the one about watching.
fn is_answer(transcript: &Transcript, mails: &[Mail], sender: Option<&str>) -> bool {
    let is_senders = |mail: &Mail| {
        matches!(&mail.to, Recipient::Address(address)
            if sender.is_some_and(|sender| same_address(sender, address)))
    };
    let says_all = transcript.remark.is_none() && transcript.player.is_none();
    transcript.is_resent() || says_all && mails.iter().any(is_senders)
}

/// False if the sender's address waits for confirmation, and each account that it waits for has a confirmed address.
fn may_be_told(ctx: &Context<'_>) -> Result<bool, Error> {
    let waiting = match &ctx.letter.sender {
        Some(sender) => ctx.store.waiting_at(sender)?,
        None => Vec::new(),
    };
    for player in &waiting {
        if ctx.store.addresses(*player)?.confirmed().next().is_none() {
            return Ok(true);
        }
    }
    Ok(waiting.is_empty())
}

/// If a newcomer's commands did nothing before the address is confirmed, says so and asks again. The mail goes only to
/// the address that waits for confirmation.
fn first_yes(ctx: &Context<'_>, transcript: &Transcript, budget: &Budget<'_>) -> Result<Vec<Mail>, Error> {
    let sender = ctx.letter.sender.as_deref();
    let path = ctx
        .letter
        .return_path
        .as_deref()
        .filter(|path| sender.is_some_and(|sender| same_address(sender, path)));
    let Some(path) = path.filter(|_| transcript.player.is_none() && !transcript.holds_no_command()) else {
        return Ok(Vec::new());
    };
    // The newest account: an older one might be another player's.
    let Some(newest) = ctx.store.waiting_at(path)?.pop() else { return Ok(Vec::new()) };
    let (account, addresses) = (ctx.store.player_by_id(newest)?, ctx.store.addresses(newest)?);
    if addresses.confirmed().next().is_some() {
        return Ok(Vec::new());
    }
    let echoes = transcript.answers.iter().map(|answered| answered.echo.clone()).take(3);
    let undone = Value::from_iter(echoes);
    budget.to_stranger(true, |_| {
        let mut mail = question(&account, &addresses, path);
        if let Content::Page { data, .. } = &mut mail.content {
            *data = context! { undone => undone.clone(), ..data.clone() };
        }
        mail
    })
}

/// Asks an unconfirmed address again, once a day for each account; `None` if no account waits for the address.
fn ask_again(ctx: &mut Context<'_>) -> Result<Option<Vec<Mail>>, Error> {
    let Some(sender) = ctx.letter.sender.clone() else { return Ok(None) };
    let waiting = ctx.store.waiting_at(&sender)?;
    if waiting.is_empty() {
        return Ok(None);
    }
    // The newest account first: an older one might be another player's.
    for player in waiting.into_iter().rev() {
        let account = ctx.store.player_by_id(player)?;
        if held_until(ctx, &account.userid.key(), &sender)?.is_none() {
            let asked = question(&account, &ctx.store.addresses(player)?, &sender);
            return Ok(Some(vec![asked]));
        }
    }
    Ok(Some(Vec::new()))
}
