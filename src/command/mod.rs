//! The command language: from the text of a letter to commands.
//!
//! A file a command, or a family of commands that share their arguments: its grammar, its help text, its struct and its
//! parser. [`table`] lists them all. [`read`] finds the lines of a letter, [`line`] reads one of them.

pub(crate) mod account;
pub(crate) mod analyse;
mod args;
pub(crate) mod body;
pub(crate) mod challenge;
pub(crate) mod decline;
mod echo;
mod entry;
pub(crate) mod games;
pub(crate) mod help;
mod line;
pub(crate) mod list;
mod login;
pub(crate) mod nudge;
mod options;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod preview;
pub(crate) mod proposal;
pub(crate) mod queue;
mod read;
pub(crate) mod record;
pub(crate) mod rematch;
pub(crate) mod replay;
pub(crate) mod resend;
mod robot;
pub(crate) mod seek;
pub(crate) mod settings;
pub(crate) mod show;
mod spelling;
pub(crate) mod standings;
mod subject;
pub(crate) mod submit;
pub(crate) mod swap;
pub mod table;
pub(crate) mod talk;
pub(crate) mod token;
pub(crate) mod vacation;
pub(crate) mod watch;
pub(crate) mod who;

use crate::ids::BoardId;

pub(crate) use echo::mask_words;
pub use entry::{Entry, Scope};
pub use line::{Line, ParseError, Reading, read_line};
pub use login::{Login, NewPassword, OnBoard, Password};
pub use options::BoardOptions;
pub(crate) use read::{COMMANDS_AT_MOST, UNKNOWN_AT_MOST};
pub use read::{read, read_reply};
pub(crate) use robot::{looks_like_the_robot, robot_userid};
pub(crate) use spelling::closest;
pub(crate) use subject::is_in_subject;

/// What the server has to know of any command before it carries it out.
pub trait Parameters {
    /// The userid and password it acts with.
    fn login(&self) -> Option<&Login> {
        None
    }

    /// The board whose thread its answer belongs to.
    fn board(&self) -> Option<BoardId> {
        None
    }

    /// A password it sets.
    fn new_password(&self) -> Option<NewPassword<'_>> {
        None
    }

    /// A token or code in it, as secret as a password.
    fn token(&self) -> Option<&Password> {
        None
    }
}

macro_rules! commands {
    ($($command:ident($parameters:ty),)*) => {
        /// Something to do.
        #[derive(Debug, Clone)]
        pub enum Command {
            $($command($parameters),)*
        }

        impl Command {
            fn parameters(&self) -> &dyn Parameters {
                match self {
                    $(Command::$command(parameters) => parameters,)*
                }
            }
        }
    };
}

commands! {
    Help(help::Help),
    Signup(account::Signup),
    AddAddresses(account::AddAddresses),
    ChangePassword(account::ChangePassword),
    ChangeAddresses(account::ChangeAddresses),
    Forgot(account::Forgot),
    Reset(account::Reset),
    SignOff(Login),
    Delete(Login),
    Resend(resend::Resend),
    Who(who::Who),
    Set(settings::Set),
    Vacation(vacation::Vacation),
    Challenge(challenge::Challenge),
    Move(play::Move),
    Resign(OnBoard),
    Propose(OnBoard),
    Undo(OnBoard),
    Accept(OnBoard),
    Reject(OnBoard),
    Swap(OnBoard),
    Decline(OnBoard),
    Queue(queue::Queue),
    Submit(submit::Submit),
    Confirm(OnBoard),
    Rematch(OnBoard),
    Replay(replay::Replay),
    Seek(seek::Seek),
    SeekOff(seek::SeekOff),
    AcceptSeek(seek::AcceptSeek),
    Seeks(seek::Seeks),
    Nudge(OnBoard),
    Show(show::Show),
    ShowAs(show::ShowAs),
    AllShow(show::AllShow),
    Games(games::Games),
    Preview(preview::Preview),
    List(list::List),
    Standings(standings::Standings),
    Ratings(standings::Standings),
    Record(record::Record),
    Analyse(analyse::Analyse),
    Talk(talk::Talk),
    Subscribe(watch::Subscribe),
    Unsubscribe(watch::Unsubscribe),
    Notify(watch::Notify),
}

impl Command {
    /// What the first line of a reply about a board asks for.
    pub(crate) fn in_reply(at: OnBoard, text: &str) -> Command {
        play::moves_or_word(at, text.to_owned())
    }

    /// True for a yes or no to what the opponent proposed.
    pub(crate) fn answers_a_proposal(&self) -> bool {
        matches!(self, Command::Accept(_) | Command::Reject(_))
    }

    pub fn login(&self) -> Option<&Login> {
        self.parameters().login()
    }

    pub fn board(&self) -> Option<BoardId> {
        self.parameters().board()
    }

    pub fn new_password(&self) -> Option<NewPassword<'_>> {
        self.parameters().new_password()
    }

    /// Every password and token in it, so that it can be kept out of everything that is written.
    pub fn passwords(&self) -> impl Iterator<Item = &str> {
        let parameters = self.parameters();
        let login = parameters.login().map(|login| &login.password);
        let new = parameters.new_password().map(|new| new.password);
        login
            .into_iter()
            .chain(new)
            .chain(parameters.token())
            .filter(|password| !password.is_left_out())
            .map(|password| password.0.as_str())
    }
}
