//! Begins at the pages. A person gives a name and an address; the link in one mail makes the account and opens the first
//! board. A player who is signed in gets the board at once.
//!
//! That mail is an invitation by the robot. Its link, its reply and its end are those of any invitation.

use minijinja::context;
use serde::{Deserialize, Serialize};
use turnpost_games::{GameKind, registry};

use crate::board::Terms;
use crate::commands::asking::{has_stopped, one_a_letter};
use crate::commands::challenge::EASIEST;
use crate::commands::invite::{game_of, options_of, over, send};
use crate::commands::opening::{agreed, challenged, may_play, open_board_after};
use crate::commands::prelude::*;
use crate::commands::seek::{AcceptSeek, accept_seek};
use crate::commands::set_up::set_up_by;
use crate::commands::signup::must_be_free;
use crate::credentials::claim::nothing_proves;
use crate::credentials::{Actor, MailQuestion, Token};
use crate::failure::Error;
use crate::ids::{Seat, Userid};
use crate::language::{BoardOptions, robot_userid};
use crate::store::{InvitationRow, PlayerId, mailbox_key};

/// The form of a page.
#[derive(Debug, Clone)]
pub struct Begin {
    /// `None` for a player who is signed in.
    pub person: Option<NewPerson>,
    /// `None` opens no board.
    pub game: Option<&'static GameKind>,
    pub board: FirstBoard,
}

#[derive(Debug, Clone)]
pub struct NewPerson {
    pub userid: Userid,
    pub address: String,
}

/// The board to open: against the robot, unless it names a seek or a link.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FirstBoard {
    pub level: u8,
    /// The seed and the plies of a game that was begun without an account.
    pub begun: Option<(u64, Vec<String>)>,
    pub seek: Option<u32>,
    /// The token of the link that a player handed on.
    pub link: Option<String>,
}

impl Parameters for Begin {
    fn line(&self, _: &str) -> String {
        let game = self.game.map_or("", |game| game.key);
        match &self.person {
            Some(NewPerson { userid, address }) => format!("begin {game} {userid} {address}"),
            None => format!("begin {game}"),
        }
    }
}

pub(crate) fn begin(ctx: &mut Context<'_>, by: &Actor, command: Begin) -> Result<Event, CommandError> {
    let Begin { person, game, board } = command;
    let row = InvitationRow {
        id: 0,
        player: PlayerId::robot(EASIEST),
        game: game.map_or("", |game| game.key).to_owned(),
        options: serde_json::to_string(&board).unwrap_or_default(),
        address: person.as_ref().map(|person| person.address.clone()),
        userid: person.as_ref().map(|person| person.userid.to_string()),
        link: None,
        made_at: ctx.now,
    };
    match (by, person) {
        (Actor::Nobody, Some(person)) => mail_link(ctx, &person, &row),
        (Actor::Player(..), None) => open_first(ctx, by.proven()?.id, &row),
        _ => Err(nothing_proves().into()),
    }
}

/// Mails the link. The answer does not tell whether the address has an account, which then gets a link to sign in.
fn mail_link(ctx: &mut Context<'_>, person: &NewPerson, row: &InvitationRow) -> Result<Event, CommandError> {
    let NewPerson { userid, address } = person;
    must_be_free(ctx, userid, "Choose another.")?;
    one_a_letter(ctx, address)?;
    // Pages and letters have separate budgets, so that forged letters cannot use up that of pages.
    let mailbox = mailbox_key(address);
    let counts = [
        (ctx.limits.questions_of_a_mailbox(), format!("page {mailbox}")),
        (ctx.limits.questions(), "page".to_owned()),
    ];
    if let Some(until) = ctx.take_all(&counts)? {
        let until = ctx.time(until)?;
        return refuse!(
            "As many links as may go to this address for now have gone. Look for one there, among the spam too; the \
            next can go after {until}."
        );
    }
    if may_get_a_link(ctx, address, &mailbox)? {
        send(ctx, row)?;
    }
    Ok(Event::page("signed-in.md", context! {}, None))
}

fn may_get_a_link(ctx: &Context<'_>, address: &str, mailbox: &str) -> Result<bool, Error> {
    let owners = ctx.store.players_at(address)?;
    Ok(!has_stopped(ctx, address)?
        && match owners.is_empty() {
            true => !ctx.store.refuses_invitations(mailbox)?,
            false => owners.iter().any(|owner| owner.is_active() && owner.suspended.is_none()),
        })
}

/// Opens the board for which a person signed up.
pub(crate) fn open_first(
    ctx: &mut Context<'_>,
    player: PlayerId,
    row: &InvitationRow,
) -> Result<Event, CommandError> {
    let Some(game) = registry::find(&row.game) else {
        return Ok(Event::page("signed-in.md", context! {}, None));
    };
    let FirstBoard { level, begun, seek, link } = first_board_of(row);
    if let Some(link) = link {
        return accept_link(ctx, player, &link);
    }
    let player = ctx.store.player_by_id(player)?;
    if let Some(number) = seek {
        return accept_seek(ctx, &player, AcceptSeek { game, number });
    }
    let robot = robot_userid(Some(level)).ok_or_else(nothing_proves)?;
    let players = [challenged(ctx, &player.userid)?, challenged(ctx, &robot)?];
    may_play(ctx, game, &players, &[Seat::First])?;
    let is_lesson = level == EASIEST
        && begun.is_none()
        && game.tutorial.is_some()
        && ctx.store.tutorial_of(player.id, game.key)?.is_none();
    let (seed, plies) = begun.unwrap_or_else(|| (ctx.seed(), Vec::new()));
    // The robot may have been asked about any position of such a game.
    let options = BoardOptions { game: game.easy_options(), unrated: true, ..BoardOptions::default() };
    let terms = Terms { tutorial: is_lesson, ..set_up_by(|| seed, game, &options)? };
    open_board_after(ctx, game, players, &[Seat::First], terms, &plies)
}

/// Begins the game of a link that another player handed on.
fn accept_link(ctx: &mut Context<'_>, player: PlayerId, link: &str) -> Result<Event, CommandError> {
    let row = match Token::read(ctx.store, link, ctx.now)? {
        Some(Token::Question(MailQuestion::Invitation(row))) if row.address.is_none() => row,
        _ => return Err(over().into()),
    };
    if !ctx.store.is_open_invitation(row.id, ctx.now)? {
        return Err(over().into());
    }
    if row.player == player {
        return refuse!("This invitation is your own, for others to accept.");
    }
    ctx.store.end_invitation(row.id)?;
    agreed(ctx, game_of(&row)?, [row.player, player], &options_of(&row))
}

/// The board that the link of a sign-up opens.
pub(crate) fn first_board_of(row: &InvitationRow) -> FirstBoard {
    serde_json::from_str(&row.options).unwrap_or_default()
}
