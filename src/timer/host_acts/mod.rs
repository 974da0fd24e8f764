//! Acts of the host: `turnpost admin` changes boards, contests, accounts, mails and addresses.
//!
//! One transaction writes an act, its log line and its mails. An act on a board becomes an event of the board's record.
//! If it changes a result, the game and all later ones are rated again.

mod account;
mod announce;
mod board;
mod contest;
mod mail;
mod options;

pub use account::export;
pub use announce::{Announcement, announce};
pub use options::{AddressAct, BoardAct, ContestAct, GameEnd, MailAct, NewSeat, UserAct};

use jiff::Timestamp;
use rand::Rng;
use rand_chacha::ChaCha12Rng;

use crate::failure::{CommandError, refuse};
use crate::ids::{BoardId, Userid};
use crate::mail::ServerIdentity;
use crate::notices::board_update::BoardNews;
use crate::notices::{Mail, Occasion, Outbox, audience};
use crate::play::decided;
use crate::store::{
    Account, AccountRole, ActKind, ClosedLetter, ContestId, Entrance, NewAct, PersonWords, PlayerId, Store,
};

/// An act with its reason.
#[derive(Debug, Clone)]
pub struct Order {
    pub act: Act,
    /// The reason; mails to the players quote it.
    pub reason: String,
    /// The operating-system user who runs the command, for the log.
    pub os_user: String,
}

#[derive(Debug, Clone)]
pub enum Act {
    OnBoard(BoardId, BoardAct),
    OnContest(String, ContestAct),
    OnUser(Userid, UserAct),
    Role(Userid, AccountRole),
    Rename {
        old: Userid,
        new: Userid,
    },
    Merge {
        from: Userid,
        into: Userid,
        games: GamesOfTwo,
    },
    Erase(Userid),
    OnMail(i64, MailAct),
    /// Sends again all mails that were sent since this time.
    RetryMails(Timestamp),
    OnAddress(String, AddressAct),
    /// Bans an address or a domain, or lifts its ban.
    OnSender(String, BanAct),
}

/// How a merge treats the games between its two accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GamesOfTwo {
    /// Refuse the merge if the two have met.
    None,
    /// Void these games.
    Void,
}

#[derive(Debug, Clone, Copy)]
pub enum BanAct {
    Ban,
    Lift,
}

/// The result of an order.
#[derive(Debug)]
pub struct Done {
    /// The sentence for the host.
    pub said: String,
    /// The number of mails that the order caused.
    pub mails: usize,
    /// The erased person, whose traces in the files next to the database must be removed too.
    pub erased: Option<Erased>,
}

/// How to find the traces of an erased person in files.
#[derive(Debug)]
pub struct Erased {
    /// The numbers of the mails to or about the person.
    pub mails: Vec<i64>,
    pub words: PersonWords,
}

/// Maximum tries of `erase` to clean the database files. Other readers can block a try, but only briefly.
const CLEANING_TRIES: u32 = 50;

pub fn carry_out(
    store: &mut Store,
    outbox: &impl Outbox,
    server: &ServerIdentity,
    order: &Order,
    now: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Done, CommandError> {
    let reason = match &order.act {
        Act::OnUser(_, UserAct::Suspend(why)) => why,
        _ => &order.reason,
    };
    let reason = decided::reason(reason)?;
    let erases = matches!(order.act, Act::Erase(_));
    let done = store.write(|store| {
        let mut host = ActContext {
            store,
            server,
            reason: &reason,
            now,
            rng,
            news: Vec::new(),
            mails: Vec::new(),
            erased: None,
        };
        let Acted { log, said, address } = host.act(&order.act)?;
        let reason = match address {
            // Put the address into the reason: the reason is erased together with the owner of the address.
            Some(address) => format!("{address}: {reason}").trim_end_matches(": ").to_owned(),
            None if erases => String::new(),
            None => reason.clone(),
        };
        let (news, mails, erased) = (host.news, host.mails, host.erased);
        let number = store.add_act(&log, &order.os_user, &reason, now)?;
        let name = format!("act {number}");
        let Some(occasion) = Occasion::begin(store, Entrance::Admin, &name, now)? else {
            return refuse!("{name} has mails already: the log of acts is not that of this database");
        };
        store.close_letter(occasion.id, &ClosedLetter::of(name))?;
        let mails = audience::of_events(store, now, &news, mails)?;
        Ok::<_, CommandError>(Done { said, mails: outbox.put(store, &occasion, mails, now)?, erased })
    })?;
    if erases {
        // If other readers block the cleaning, a later tick does it.
        store.clean_files(CLEANING_TRIES)?;
    }
    Ok(done)
}

/// The state of an act inside its transaction.
struct ActContext<'a> {
    store: &'a Store,
    server: &'a ServerIdentity,
    reason: &'a str,
    now: Timestamp,
    rng: &'a mut ChaCha12Rng,
    news: Vec<BoardNews>,
    mails: Vec<Mail>,
    erased: Option<Erased>,
}

/// The effect of an act: its line in the log, and a sentence for the host.
struct Acted {
    log: NewAct,
    said: String,
    /// The address that the act is about, if it belongs to a player; the log names it.
    address: Option<String>,
}

impl Acted {
    fn new(kind: ActKind, said: impl Into<String>) -> Acted {
        Acted { log: NewAct::of(kind), said: said.into(), address: None }
    }

    fn player(mut self, player: PlayerId) -> Acted {
        self.log.player = Some(player);
        self
    }

    fn other(mut self, other: PlayerId) -> Acted {
        self.log.other = Some(other);
        self
    }

    fn address(mut self, address: &str) -> Acted {
        self.address = Some(address.to_owned());
        self
    }

    fn contest(mut self, contest: ContestId) -> Acted {
        self.log.contest = Some(contest);
        self
    }

    fn detail(mut self, detail: impl Into<String>) -> Acted {
        self.log.detail = detail.into();
        self
    }
}

impl ActContext<'_> {
    fn act(&mut self, act: &Act) -> Result<Acted, CommandError> {
        match act {
            Act::OnBoard(board, act) => self.on_board(*board, act),
            Act::OnContest(name, act) => self.on_contest(name, act),
            Act::OnUser(userid, act) => self.on_user(userid, act),
            Act::Role(userid, role) => self.set_role(userid, *role),
            Act::Rename { old, new } => self.rename(old, new),
            Act::Merge { from, into, games } => self.merge(from, into, *games),
            Act::Erase(userid) => self.erase(userid),
            Act::OnMail(mail, act) => self.on_mail(*mail, act),
            Act::RetryMails(since) => self.retry_mails(*since),
            Act::OnAddress(address, act) => self.on_address(address, act),
            Act::OnSender(sender, act) => self.on_sender(sender, *act),
        }
    }

    fn needs_a_reason(&self) -> Result<(), CommandError> {
        match self.reason {
            "" => refuse!("say why, by --reason \"...\": the players are told"),
            _ => Ok(()),
        }
    }

    /// Finds the account of a person. Refuses programs, and merged or deleted accounts.
    fn person(&self, userid: &Userid) -> Result<Account, CommandError> {
        let Some(account) = self.store.player(userid)? else {
            return refuse!("there is no player {userid}");
        };
        if account.id.is_robot() {
            return refuse!("{userid} is a program");
        }
        if let Some(heir) = self.store.heir_of(account.id)? {
            let heir = self.store.player_by_id(heir)?.userid;
            return refuse!("{userid} is {heir} now: the two accounts were made one");
        }
        if account.is_deleted() {
            return refuse!("{userid} has left: only the finished games are there");
        }
        Ok(account)
    }

    fn secret(&mut self) -> [u8; 32] {
        let mut secret = [0; 32];
        self.rng.fill_bytes(&mut secret);
        secret
    }
}
