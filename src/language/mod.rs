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
pub(crate) mod dress;
mod echo;
mod entry;
pub(crate) mod games;
pub(crate) mod greeting;
pub(crate) mod help;
mod left_out;
mod line;
pub(crate) mod list;
mod login;
mod mail_role;
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
pub(crate) mod tutorial;
pub(crate) mod vacation;
pub(crate) mod watch;
pub(crate) mod who;

use crate::ids::BoardId;

pub(crate) use echo::Secrets;
pub use entry::{Entry, Scope};
pub use left_out::LeftOut;
pub use line::{Line, ParseError, Reading, read_line};
pub use login::{Login, NewPassword, OnBoard, Password};
pub use options::BoardOptions;
pub(crate) use read::UNKNOWN_AT_MOST;
pub use read::{read, read_reply};
pub(crate) use robot::{looks_like_the_robot, robot_userid};
pub(crate) use spelling::{closest, one_slip_from};
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

/// The one list of commands, in the order in which help shows them: the handler in `commands`, the variant with what the
/// parser makes of a line, and the entries that the parser and the help pages read.
macro_rules! with_commands {
    ($macro:ident) => {
        $macro! {
            help::help => Help(help::Help) [help::HELP],
            account::signup => Signup(account::Signup) [account::SIGNUP],
            account::add => AddAddresses(account::AddAddresses) [account::ADD],
            account::change_password => ChangePassword(account::ChangePassword) [account::CHANGE],
            account::change_address => ChangeAddresses(account::ChangeAddresses) [],
            account::forgot => Forgot(account::Forgot) [account::FORGOT],
            account::reset => Reset(account::Reset) [account::RESET],
            account::sign_off => SignOff(Login) [account::SIGNOFF],
            account::delete => Delete(Login) [account::DELETE],
            resend::resend => Resend(resend::Resend) [resend::RESEND],
            who::who => Who(who::Who) [who::WHO],
            who::near => Near(who::Near) [who::GAME_WHO],
            settings::set => Set(settings::Set) [settings::SET],
            vacation::vacation => Vacation(vacation::Vacation) [vacation::VACATION],
            tutorial::tutorial => Tutorial(tutorial::Tutorial) [tutorial::TUTORIAL],
            challenge::challenge => Challenge(challenge::Challenge) [challenge::CHALLENGE],
            play::play => Move(play::Move) [play::MOVE],
            play::resign => Resign(OnBoard) [play::RESIGN],
            proposal::propose => Propose(OnBoard) [proposal::PROPOSE],
            proposal::undo => Undo(OnBoard) [proposal::UNDO],
            proposal::accept => Accept(OnBoard) [proposal::ACCEPT],
            proposal::reject => Reject(OnBoard) [proposal::REJECT],
            swap::swap => Swap(OnBoard) [swap::SWAP],
            decline::decline => Decline(OnBoard) [decline::DECLINE],
            queue::queue => Queue(queue::Queue) [queue::QUEUE],
            submit::submit => Submit(submit::Submit) [submit::SUBMIT],
            submit::confirm => Confirm(OnBoard) [submit::CONFIRM],
            rematch::rematch => Rematch(OnBoard) [rematch::REMATCH],
            replay::replay => Replay(replay::Replay) [replay::REPLAY],
            seek::seek => Seek(seek::Seek) [seek::SEEK],
            seek::seek_off => SeekOff(seek::SeekOff) [],
            seek::accept_seek => AcceptSeek(seek::AcceptSeek) [],
            seek::seeks => Seeks(seek::Seeks) [seek::SEEKS],
            show::show_as => ShowAs(show::ShowAs) [show::SHOW_AS],
            show::all_show => AllShow(show::AllShow) [show::ALL_SHOW],
            nudge::nudge => Nudge(OnBoard) [nudge::NUDGE],
            show::show => Show(show::Show) [show::SHOW],
            games::games => Games(games::Games) [games::GAMES, games::HISTORY],
            preview::preview => Preview(preview::Preview) [preview::PREVIEW, help::GAME_HELP],
            list::list => List(list::List) [list::LIST],
            standings::standings => Standings(standings::Standings) [standings::STANDINGS],
            standings::ratings => Ratings(standings::Standings) [standings::RATINGS],
            record::record => Record(record::Record) [record::RECORD],
            analyse::analyse => Analyse(analyse::Analyse) [analyse::ANALYSE],
            talk::talk => Talk(talk::Talk) [talk::MESSAGE, talk::BROADCAST, talk::CHAT],
            watch::subscribe => Subscribe(watch::Subscribe) [watch::SUBSCRIBE],
            watch::unsubscribe => Unsubscribe(watch::Unsubscribe) [watch::UNSUBSCRIBE],
            watch::notify => Notify(watch::Notify) [watch::NOTIFY],
        }
    };
}
pub(crate) use with_commands;

macro_rules! commands {
    ($($module:ident::$handler:ident => $command:ident($parameters:ty) [$($entry:path),*],)*) => {
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

        const ENTRIES: &[Entry] = &[$($($entry,)*)*];
    };
}
with_commands!(commands);

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
