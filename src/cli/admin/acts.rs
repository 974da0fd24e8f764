//! What the host does to boards, contests, accounts, mails and addresses; each act stands in `admin log`.

use clap::Args;
use serde_json::{Value, json};

use super::listing::{Column, ListFilter, ListLine, Output, Rows};
use super::tables::{Whom, minute, userid};
use crate::cli::Instance;
use crate::copies::litestreams_own;
use crate::data_dir::DATABASE;
use crate::error::HostError;
use crate::failure::CommandError;
use crate::ids::{BoardId, Ply, Seat, Userid};
use crate::store::{ActRow, PlayerId, RowFilter, Store};
use crate::timer::host_acts::{Act, AddressAct, BoardAct, ContestAct, GameEnd, MailAct, Order, UserAct};
use crate::{clock, data_dir, pipeline};

#[derive(Args)]
#[group(id = "board_act", multiple = false)]
pub(crate) struct BoardActArgs {
    /// Take back this ply and all after it, also after the end of the game
    #[arg(long, value_name = "PLY", requires = "reason")]
    undo: Option<Ply>,
    /// End the game, or correct its result: the userid of the winner, `draw`, or `none`, which rates nothing
    #[arg(long, value_name = "RESULT", requires = "reason", value_parser = game_end)]
    end: Option<GameEnd>,
    /// Stop the clocks until somebody moves, or until --resume
    #[arg(long, requires = "reason")]
    adjourn: bool,
    /// Let an adjourned game go on, or one that ended otherwise than by its rules; whoever is to move has a whole turn
    #[arg(long, requires = "reason")]
    resume: bool,
    /// Give the seat, 1 or 2, to another player, who plays on
    #[arg(long, value_name = "SEAT=USERID", requires = "reason", value_parser = seat)]
    reseat: Option<(Seat, Userid)>,
}

#[derive(Args)]
pub(crate) struct Reason {
    /// Why: the players are told
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Reason {
    pub(super) fn text(&self) -> &str {
        self.reason.as_deref().unwrap_or_default()
    }
}

impl BoardActArgs {
    pub(super) fn act(&self, board: BoardId) -> Option<Act> {
        let act = match self {
            BoardActArgs { undo: Some(ply), .. } => BoardAct::Undo(*ply),
            BoardActArgs { end: Some(end), .. } => BoardAct::End(end.clone()),
            BoardActArgs { adjourn: true, .. } => BoardAct::Adjourn,
            BoardActArgs { resume: true, .. } => BoardAct::Resume,
            BoardActArgs { reseat: Some((seat, userid)), .. } => BoardAct::Reseat(*seat, userid.clone()),
            _ => return None,
        };
        Some(Act::OnBoard(board, act))
    }
}

#[derive(Args)]
#[group(id = "contest_act", multiple = false)]
pub(crate) struct ContestActArgs {
    /// Take a player out: the running games are lost
    #[arg(long, value_name = "USERID", requires = "reason")]
    withdraw: Option<Userid>,
    /// Begin an event that has players enough
    #[arg(long, requires = "reason")]
    start: bool,
    /// Call it off, or end it: boards in play have no result
    #[arg(long, requires = "reason")]
    end: bool,
}

impl ContestActArgs {
    pub(super) fn act(&self, name: &str) -> Option<Act> {
        let act = match self {
            ContestActArgs { withdraw: Some(userid), .. } => ContestAct::Withdraw(userid.clone()),
            ContestActArgs { start: true, .. } => ContestAct::Start,
            ContestActArgs { end: true, .. } => ContestAct::End,
            _ => return None,
        };
        Some(Act::OnContest(name.to_owned(), act))
    }
}

#[derive(Args)]
#[group(id = "user_act", multiple = false)]
pub(crate) struct UserActArgs {
    /// Mail the player a token to set a new password
    #[arg(long)]
    reset_password: bool,
    /// Send the player's mail to this address too, as though it had been confirmed
    #[arg(long, value_name = "ADDRESS")]
    add_address: Option<String>,
    /// Answer the player's letters with this reason and nothing else; boards and clocks run on
    #[arg(long, value_name = "REASON")]
    suspend: Option<String>,
    /// Let a suspended player play again
    #[arg(long)]
    resume: bool,
}

impl UserActArgs {
    /// The act, and its reason where the option holds one.
    pub(super) fn act(&self) -> Option<(UserAct, Option<&str>)> {
        Some(match self {
            UserActArgs { reset_password: true, .. } => (UserAct::ResetPassword, None),
            UserActArgs { add_address: Some(address), .. } => (UserAct::AddAddress(address.clone()), None),
            UserActArgs { suspend: Some(why), .. } => (UserAct::Suspend, Some(why.as_str())),
            UserActArgs { resume: true, .. } => (UserAct::Resume, None),
            _ => return None,
        })
    }
}

#[derive(Args)]
#[group(id = "mail_act", multiple = false)]
pub(crate) struct MailActArgs {
    /// Send it again, or at once if it waits
    #[arg(long)]
    retry: bool,
    /// Do not send it
    #[arg(long)]
    cancel: bool,
}

impl MailActArgs {
    pub(super) fn act(&self, mail: i64) -> Option<Act> {
        match (self.retry, self.cancel) {
            (true, _) => Some(Act::OnMail(mail, MailAct::Retry)),
            (_, true) => Some(Act::OnMail(mail, MailAct::Cancel)),
            _ => None,
        }
    }
}

#[derive(Args)]
#[group(id = "address_act", required = true, multiple = false)]
pub(crate) struct AddressActArgs {
    /// Send mail there again, after it was stopped
    #[arg(long)]
    resume: bool,
    /// Send no more mail there
    #[arg(long)]
    stop: bool,
}

impl AddressActArgs {
    pub(super) fn act(&self, address: &str) -> Act {
        let act = if self.resume { AddressAct::Resume } else { AddressAct::Stop };
        Act::OnAddress(address.to_owned(), act)
    }
}

/// Carries an act out; gives what to print.
pub(super) fn carry_out(server: &mut Instance, act: Act, reason: &Reason) -> Result<String, HostError> {
    carry_out_because(server, act, reason.text())
}

/// Carries out an act on a player.
pub(super) fn on_user(
    server: &mut Instance,
    whom: &Whom,
    act: UserAct,
    why: &str,
) -> Result<String, HostError> {
    let userid = whom.userid(&server.store)?;
    carry_out_because(server, Act::OnUser(userid, act), why)
}

pub(super) fn carry_out_because(server: &mut Instance, act: Act, reason: &str) -> Result<String, HostError> {
    let order = Order { act, reason: reason.to_owned(), os_user: os_user() };
    let mut rng = clock::rng()?;
    match pipeline::carry_out(&mut server.store, &server.app, &order, clock::now(), &mut rng) {
        Ok(done) => {
            let mails = match done.mails {
                0 => String::new(),
                1 => "\n1 mail tells of it.".to_owned(),
                mails => format!("\n{mails} mails tell of it."),
            };
            Ok(done.said + &mails)
        }
        Err(CommandError::Refused(why)) => Err(HostError::Asked(why.to_string())),
        Err(CommandError::Failed(failure)) => Err(HostError::Service(failure)),
    }
}

/// A sentence about the files in which somebody who was erased still stands.
pub(super) fn left_of_the_erased(server: &Instance) -> Result<Option<String>, HostError> {
    let database = server.data.join(DATABASE).display().to_string();
    let mut files = Vec::new();
    if server.store.held_in_files_since()?.is_some() {
        files.extend([format!("{database}-wal"), database]);
    }
    let replicated = litestreams_own(&server.data);
    if replicated.is_dir() {
        files.extend([replicated.display().to_string(), "the replica that Litestream makes".to_owned()]);
    }
    let says = format!(
        "what was erased still stands in {}, because another program reads the database, or the disk is full; docs/operations.md, \
         \"Erased beside Litestream\"",
        files.join(", ")
    );
    Ok((!files.is_empty()).then_some(says))
}

/// Who is at the keyboard: behind `sudo`, who called it too.
fn os_user() -> String {
    let user = data_dir::user_name();
    match std::env::var("SUDO_USER") {
        Ok(by) if is_a_name(&by) && by != user => format!("{user} by {by}"),
        _ => user,
    }
}

fn is_a_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

fn game_end(text: &str) -> Result<GameEnd, String> {
    Ok(match text {
        "draw" => GameEnd::Draw,
        "none" => GameEnd::Void,
        userid => GameEnd::Won(userid.parse().map_err(|_| "a userid, `draw` or `none` is expected")?),
    })
}

fn seat(text: &str) -> Result<(Seat, Userid), String> {
    let (seat, userid) = text.split_once('=').ok_or("the seat and the player are expected, as in 1=carol")?;
    let seat = match seat.trim() {
        "1" => Seat::First,
        "2" => Seat::Second,
        _ => return Err("the seat is 1, which moves first, or 2".to_owned()),
    };
    Ok((seat, userid.trim().parse::<Userid>().map_err(|why| why.to_string())?))
}

const ACTS: &[Column] = &[Column("act", 9), Column("at", 16), Column("by", 24), Column("what, and why", 700)];

pub(super) fn log(store: &Store, whose: &ListFilter, output: &Output) -> Result<(), HostError> {
    let mut rows = Rows::new(output, ACTS)?;
    // A board may have gone since.
    let about = RowFilter { player: whose.player(store)?, board: whose.board };
    store.each_act(about, |act| {
        let called = |player: Option<PlayerId>| player.map(|player| userid(store, player)).transpose();
        let named = Named { player: called(act.act.player)?, other: called(act.act.other)? };
        let cells = vec![act.number.to_string(), minute(act.at), act.os_user.clone(), what(&act, &named)];
        rows.add(ListLine { at: Some(act.at), cells, json: as_json(&act, &named) })
    })?;
    rows.end("no acts")
}

/// How the players of an act are called now: the log itself has their numbers alone.
struct Named {
    player: Option<String>,
    other: Option<String>,
}

fn as_json(row: &ActRow, named: &Named) -> Value {
    json!({
        "act": row.number,
        "at": row.at.to_string(),
        "os_user": row.os_user,
        "what": row.act.kind.as_str(),
        "board": row.act.board,
        "mail": row.act.mail,
        "player": row.act.player.map(|PlayerId(number)| number),
        "userid": named.player,
        "other": row.act.other.map(|PlayerId(number)| number),
        "other_userid": named.other,
        "detail": row.act.detail,
        "reason": row.reason,
    })
}

/// `undo, board 12, ply 17`, and below it the reason.
fn what(row: &ActRow, named: &Named) -> String {
    let act = &row.act;
    let mut what = vec![act.kind.to_string()];
    what.extend(act.board.map(|board| format!("board {board}")));
    what.extend(act.mail.map(|mail| format!("mail {mail}")));
    let with_name = |number: i64, name: &Option<String>| match name {
        Some(name) => format!("player {number} ({name})"),
        None => format!("player {number}"),
    };
    what.extend(act.player.map(|PlayerId(number)| with_name(number, &named.player)));
    what.extend(act.other.map(|PlayerId(number)| format!("other {}", with_name(number, &named.other))));
    what.extend(Some(act.detail.clone()).filter(|detail| !detail.is_empty()));
    format!("{}\n{}", what.join(", "), row.reason).trim_end().to_owned()
}
