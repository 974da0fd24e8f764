//! Signing in on the pages: a mailed link signs one browser in, and the pages sign it out.
//!
//! ```text
//! signin userid
//! ```
//!
//! `signin` asks for the link; a page does the other steps by letters whose token is the link or the
//! browser's code.

use jiff::{SignedDuration, Timestamp};
use minijinja::context;

use crate::commands::answer::QuestionAnswer;
use crate::commands::{Command, Entry, invitation, invite, session};
use crate::credentials::Token;
use crate::credentials::claim::{must_play_all_boards, no_such_userid, nothing_proves};
use crate::credentials::token::{self, TokenSeat};
use crate::failure::{CommandError, Error, refuse};
use crate::ids::Userid;
use crate::language::token::Written;
use crate::language::{GivenPassword, Parameters, Password, PasswordPurpose};
use crate::mail::AnswerBy;
use crate::notices::mail::{Keep, Recipient};
use crate::notices::{Event, Mail};
use crate::play::Context;
use crate::push::Subscription;
use crate::store::{Account, BoardState, CodeHash, Store};

#[derive(Debug, Clone)]
pub struct SignIn {
    /// A userid, or an address of an account.
    pub who: String,
}

impl Parameters for SignIn {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and([&self.who]).end()
    }
}

pub(crate) const SIGN_IN: Entry = Entry {
    summary: "mails you a link that signs you in on the pages",
    details: "The link goes to the addresses of the account. It is good once, for a quarter of an hour. The \
              answer is the same whether or not the account exists.",
    example: "signin ann",
    ..Entry::of_server("signin", "userid", |args| {
        Ok(Command::SignIn(SignIn { who: args.word("your userid")?.text }))
    })
};

/// For this many seconds after a request, only proven letters cause another link.
const SOON: i64 = 120;

/// Maximum number of accounts at one address that get a link from one letter.
const ACCOUNTS: usize = 3;

/// The answer does not reveal whether the account exists.
pub(crate) fn sign_in(ctx: &mut Context<'_>, command: SignIn) -> Result<Event, CommandError> {
    let Some(pages) = ctx.pages else {
        return refuse!("This server has no pages, so there is nothing to sign in to: play by mail.");
    };
    if ctx.used.sign_ins > 0 && !ctx.writer.is_operator() {
        return refuse!("One `signin` a letter: send the other in a letter of its own.");
    }
    ctx.used.sign_ins += 1;
    let found = match command.who.parse() {
        Ok(userid) => ctx.store.player(&userid)?.into_iter().collect(),
        Err(_) => ctx.store.players_at(&command.who)?,
    };
    let may_sign_in =
        |account: &Account| account.is_active() && !account.id.is_robot() && account.suspended.is_none();
    let accounts: Vec<Account> = found.into_iter().filter(may_sign_in).take(ACCOUNTS).collect();
    // Pages and letters have separate budgets, so that forged letters cannot use up that of pages.
    let asks = if ctx.letter.answer == AnswerBy::Page { "" } else { "by mail" };
    // Unknown accounts count too; otherwise the count would reveal which accounts exist.
    let is_proven = !accounts.is_empty() && accounts.iter().all(|account| ctx.writer.proves(account.id));
    if !is_proven && let Some(until) = ctx.spend(ctx.limits.all_sign_ins(), asks)? {
        return refuse!(
            "All players together have asked for too many links that sign in: the next can be had after {until}. Until \
            then, reply to any mail about your boards with the line `signin YOURNAME`, and one comes.",
            until = ctx.time(until)?
        );
    }
    for account in accounts {
        // Proven letters of a player have a count of their own, which other senders cannot use up.
        let is_own = ctx.writer.proves(account.id);
        let key = format!("{} {}", account.userid.key(), if is_own { "proven" } else { asks });
        // A recent link is still good, so a repeated request sends no new one, and a visitor cannot use up a
        // day's links at once. Requests that cause no mail are not charged.
        if !is_own && ctx.store.was_asked_since(account.id, ctx.now - SignedDuration::from_secs(SOON))?
            || ctx.store.addresses(account.id)?.confirmed().next().is_none()
            || ctx.spend(ctx.limits.sign_ins(), key.trim_end())?.is_some()
        {
            continue;
        }
        let code = ctx.code();
        ctx.store.add_sign_in(account.id, CodeHash::of(&code), None, ctx.now)?;
        let link = format!("{pages}/sign-in/{}", token::of_mailed_link(account.id, &code));
        let data = context! { userid => account.userid.as_str(), link };
        let mail = Mail::page(Recipient::Player(account.id), "sign-in-link.md", data);
        ctx.notify(Mail { keep: Keep::Recipient, ..mail });
    }
    Ok(Event::page("sign-in.md", context! {}, None))
}

/// A browser's request to stay signed in or to sign out. The token of its letter names the player.
#[derive(Debug, Clone)]
pub enum BrowserAct {
    /// The button on a board's page: signs the browser in with a code from the form.
    Stay {
        code: Password,
        browser: String,
    },
    /// Makes the address of the player's feed, with this code. It takes the place of an earlier one.
    Feed {
        code: Password,
    },
    /// The address at which this browser is told of turns. It is in no log, because anyone who knows it can send there.
    Push {
        to: Option<Password>,
    },
    /// Answers an invitation to an address of the player.
    Invited {
        number: i64,
        answer: QuestionAnswer,
    },
    /// Keeps the player's note of another. No log has its words.
    Note {
        about: Userid,
        words: Password,
    },
    /// Keeps the browser signed in.
    Keep,
    SignOut(Browsers),
}

/// Which of a player's browsers to sign out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browsers {
    This,
    One(i64),
    All,
}

impl Parameters for BrowserAct {
    fn line(&self, _: &str) -> String {
        match self {
            BrowserAct::Stay { code, browser } => format!("stay {code:?} {browser}"),
            BrowserAct::Feed { code } => format!("feed {code:?}"),
            BrowserAct::Push { to } => format!("push {}", if to.is_some() { "on" } else { "off" }),
            BrowserAct::Invited { number, answer } => format!("invited {number} {}", answer.line("")),
            BrowserAct::Note { about, .. } => format!("note {about}"),
            BrowserAct::Keep => "keep".to_owned(),
            BrowserAct::SignOut(Browsers::This) => "sign out".to_owned(),
            BrowserAct::SignOut(Browsers::One(id)) => format!("sign out {id}"),
            BrowserAct::SignOut(Browsers::All) => "sign out all".to_owned(),
        }
    }

    fn password(&self) -> Option<GivenPassword<'_>> {
        match self {
            BrowserAct::Stay { code, .. } | BrowserAct::Feed { code } => {
                Some(GivenPassword { userid: None, password: code, purpose: PasswordPurpose::Code })
            }
            _ => None,
        }
    }
}

/// Carries out a browser's request. A browser signed in by a board's link can only stay signed in or sign
/// itself out.
pub(crate) fn browser(ctx: &mut Context<'_>, act: BrowserAct) -> Result<Event, CommandError> {
    match (act, ctx.token.clone()) {
        (BrowserAct::Stay { code, browser }, Some(Token::Board(seat))) => {
            return stay(ctx, &seat, &code.0, &browser);
        }
        (BrowserAct::Feed { code }, Some(Token::Session(session))) => {
            must_play_all_boards(&session)?;
            ctx.store.open_feed(session.player, token::of_feed(&code.0), ctx.now)?
        }
        (BrowserAct::Push { to }, Some(Token::Session(session))) => {
            must_play_all_boards(&session)?;
            if to.as_ref().is_some_and(|to| Subscription::read(&to.0).is_none()) {
                return refuse!("This server knows no push service like that of this browser.");
            }
            ctx.store.set_push(&session, to.as_ref().map(|to| to.0.as_str()), ctx.now)?
        }
        (BrowserAct::Invited { number, answer }, Some(Token::Session(session))) => {
            must_play_all_boards(&session)?;
            let mut open = ctx.store.invitations_to(session.player, ctx.now)?.into_iter();
            let row = open.find(|row| row.id == number).ok_or_else(invite::over)?;
            match answer {
                // By mail a `no` stops all invitations. Here it is about one of them.
                QuestionAnswer::No => ctx.store.expire_invitation(row.id)?,
                answer => return invitation::answered(ctx, &row, Some(answer)),
            }
        }
        (BrowserAct::Note { about, words }, Some(Token::Session(session))) => {
            must_play_all_boards(&session)?;
            let about = ctx.store.player(&about)?.filter(|account| !account.is_deleted());
            let about = about.ok_or_else(|| no_such_userid(None))?;
            ctx.store.set_note_about(session.player, about.id, &words.0)?
        }
        (BrowserAct::Keep, Some(Token::Session(session))) => {
            ctx.store.use_session(session.player, session.id, ctx.now)?
        }
        (BrowserAct::SignOut(Browsers::This), Some(Token::Session(session) | Token::SignOut(session))) => {
            ctx.store.end_session(session.player, session.id)?
        }
        (BrowserAct::SignOut(which), Some(Token::Session(session))) => {
            must_play_all_boards(&session)?;
            match which {
                Browsers::One(id) => ctx.store.end_session(session.player, id)?,
                Browsers::This | Browsers::All => ctx.store.end_sessions(session.player)?,
            }
        }
        _ => return Err(nothing_proves().into()),
    }
    Ok(Event::page("signed-in.md", context! {}, None))
}

/// For this many seconds, the link in a mail about a board can sign a browser in.
const STAYS: i64 = 7 * 24 * 60 * 60;

/// True while the link of a board's mail can sign a browser in. It ends with the game, because players then
/// hand links on or forget them. A bot has its token.
pub(crate) fn may_stay(store: &Store, seat: &TokenSeat, now: Timestamp) -> Result<bool, Error> {
    let is_running = store.board(seat.board)?.is_some_and(|row| row.state == BoardState::Running);
    let shown = store.events(seat.board)?.into_iter().find(|event| event.number == seat.event);
    let is_new = shown.is_some_and(|event| now.as_second() - event.at.as_second() < STAYS);
    Ok(seat.fresh && is_running && is_new && !store.player_by_id(seat.player)?.is_bot)
}

/// Signs a browser in for one board, by the link of a mail about it. A mail tells the player. It has a link to sign the
/// browser out.
fn stay(ctx: &mut Context<'_>, seat: &TokenSeat, code: &str, browser: &str) -> Result<Event, CommandError> {
    if !may_stay(ctx.store, seat, ctx.now)? {
        return refuse!("This link no longer works: ask for a new one at `/sign-in`.");
    }
    let player = seat.player;
    let account = ctx.store.player_by_id(player)?;
    // A separate count, so that another holder of the link does not use up the player's own sign-ins.
    if ctx.spend(ctx.limits.sign_ins(), &format!("{} stays", account.userid.key()))?.is_some() {
        return refuse!("You have signed in often today; try again tomorrow.");
    }
    ctx.store.add_sign_in(player, CodeHash::of(code), Some(seat.board), ctx.now)?;
    let opened = session::open(ctx, player, code, browser)?;
    let key = ctx.store.bounce_key()?;
    let session = ctx.store.session(CodeHash::of(&token::of_session(&key, code)), ctx.now)?;
    let link = session.map(|session| token::that_signs_out(&key, &session));
    let (userid, pages) = (account.userid.as_str(), ctx.pages);
    let told = context! { userid, browser, pages, link, board => seat.board.to_string() };
    ctx.notify(Mail { keep: Keep::Recipient, ..Mail::page(Recipient::Player(player), "stays.md", told) });
    Ok(opened)
}
