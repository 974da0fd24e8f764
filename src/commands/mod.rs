//! Carries out commands: a file a command family, with its refusals.

pub(crate) mod account;
pub mod analyse;
pub(crate) mod announce;
pub(crate) mod challenge;
pub(crate) mod confirm_address;
pub(crate) mod decline;
pub(crate) mod games;
pub(crate) mod grammar;
pub mod help;
pub(crate) mod list;
pub(crate) mod nudge;
pub mod pause;
pub(crate) mod play;
pub(crate) mod preview;
pub(crate) mod proposal;
pub(crate) mod queue;
pub(crate) mod record;
pub(crate) mod rematch;
pub(crate) mod replay;
pub(crate) mod resend;
pub(crate) mod seek;
pub(crate) mod settings;
pub(crate) mod show;
pub(crate) mod standings;
pub(crate) mod submit;
pub(crate) mod swap;
pub(crate) mod talk;
#[cfg(test)]
mod tests;
pub(crate) mod tutorial;
pub(crate) mod vacation;
pub(crate) mod watch;
pub(crate) mod who;

pub use analyse::{Analysed, Made, analyse_one, analysis_of, kept as kept_analysis, view as analysis_view};

use crate::failure::CommandError;
use crate::ids::BoardId;
use crate::language::{self, Language, Login, NewPassword, OnBoard, Parameters, Password};
use crate::notices::Event;
use crate::play::Context;

pub type Entry = language::Entry<Command>;
pub type LeftOut = language::LeftOut<Command>;
pub type Line = language::Line<Command>;
pub type Reading = language::Reading<Command>;

/// The language of the commands below.
pub static LANGUAGE: Language<Command> = Language::new(ENTRIES, grammar::account::MEANINGS);

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

            fn parameters_mut(&mut self) -> &mut dyn Parameters {
                match self {
                    $(Command::$command(parameters) => parameters,)*
                }
            }
        }

        const ENTRIES: &[Entry] = &[$($($entry,)*)*];

        /// Carries a command out.
        pub(crate) fn carry_out(ctx: &mut Context<'_>, command: Command) -> Result<Event, CommandError> {
            match command {
                $(Command::$command(parameters) => $module::$handler(ctx, parameters),)*
            }
        }
    };
}

// The one list of commands, in the order in which help shows them: the handler, the variant with what the parser makes of
// a line, and the entries that the parser, the help pages, replies and pages read.
commands! {
    help::help => Help(grammar::help::Help) [grammar::help::HELP],
    account::signup => Signup(grammar::account::Signup) [grammar::account::SIGNUP],
    account::add => AddAddresses(grammar::account::AddAddresses) [grammar::account::ADD],
    account::change_password => ChangePassword(grammar::account::ChangePassword) [grammar::account::CHANGE],
    account::change_address => ChangeAddresses(grammar::account::ChangeAddresses) [],
    account::forgot => Forgot(grammar::account::Forgot) [grammar::account::FORGOT],
    account::reset => Reset(grammar::account::Reset) [grammar::account::RESET],
    account::sign_off => SignOff(Login) [grammar::account::SIGNOFF],
    account::delete => Delete(Login) [grammar::account::DELETE],
    resend::resend => Resend(grammar::resend::Resend) [grammar::resend::RESEND],
    who::who => Who(grammar::who::Who) [grammar::who::WHO],
    who::near => Near(grammar::who::Near) [grammar::who::GAME_WHO],
    settings::set => Set(grammar::settings::Set) [grammar::settings::SET],
    vacation::vacation => Vacation(grammar::vacation::Vacation) [grammar::vacation::VACATION],
    tutorial::tutorial => Tutorial(grammar::tutorial::Tutorial) [grammar::tutorial::TUTORIAL],
    challenge::challenge => Challenge(grammar::challenge::Challenge) [grammar::challenge::CHALLENGE],
    play::play => Move(grammar::play::Move) [grammar::play::MOVE],
    play::resign => Resign(OnBoard) [grammar::play::RESIGN],
    proposal::propose => Propose(OnBoard) [grammar::proposal::PROPOSE],
    proposal::undo => Undo(OnBoard) [grammar::proposal::UNDO],
    proposal::accept => Accept(OnBoard) [grammar::proposal::ACCEPT],
    proposal::reject => Reject(OnBoard) [grammar::proposal::REJECT],
    swap::swap => Swap(OnBoard) [grammar::swap::SWAP],
    decline::decline => Decline(OnBoard) [grammar::decline::DECLINE],
    queue::queue => Queue(grammar::queue::Queue) [grammar::queue::QUEUE],
    submit::submit => Submit(grammar::submit::Submit) [grammar::submit::SUBMIT],
    submit::confirm => Confirm(OnBoard) [grammar::submit::CONFIRM],
    rematch::rematch => Rematch(OnBoard) [grammar::rematch::REMATCH],
    replay::replay => Replay(grammar::replay::Replay) [grammar::replay::REPLAY],
    seek::seek => Seek(grammar::seek::Seek) [grammar::seek::SEEK],
    seek::seek_off => SeekOff(grammar::seek::SeekOff) [],
    seek::accept_seek => AcceptSeek(grammar::seek::AcceptSeek) [],
    seek::seeks => Seeks(grammar::seek::Seeks) [grammar::seek::SEEKS],
    show::show_as => ShowAs(grammar::show::ShowAs) [grammar::show::SHOW_AS],
    show::all_show => AllShow(grammar::show::AllShow) [grammar::show::ALL_SHOW],
    nudge::nudge => Nudge(OnBoard) [grammar::nudge::NUDGE],
    show::show => Show(grammar::show::Show) [grammar::show::SHOW],
    games::games => Games(grammar::games::Games) [grammar::games::GAMES, grammar::games::HISTORY],
    preview::preview => Preview(grammar::preview::Preview) [grammar::preview::PREVIEW, grammar::help::GAME_HELP],
    list::list => List(grammar::list::List) [grammar::list::LIST],
    standings::standings => Standings(grammar::standings::Standings) [grammar::standings::STANDINGS],
    standings::ratings => Ratings(grammar::standings::Standings) [grammar::standings::RATINGS],
    record::record => Record(grammar::record::Record) [grammar::record::RECORD],
    analyse::analyse => Analyse(grammar::analyse::Analyse) [grammar::analyse::ANALYSE],
    talk::talk => Talk(grammar::talk::Talk) [grammar::talk::MESSAGE, grammar::talk::BROADCAST, grammar::talk::CHAT],
    watch::subscribe => Subscribe(grammar::watch::Subscribe) [grammar::watch::SUBSCRIBE],
    watch::unsubscribe => Unsubscribe(grammar::watch::Unsubscribe) [grammar::watch::UNSUBSCRIBE],
    watch::notify => Notify(grammar::watch::Notify) [grammar::watch::NOTIFY],
}

impl Parameters for Command {
    fn login(&self) -> Option<&Login> {
        self.parameters().login()
    }

    fn board(&self) -> Option<BoardId> {
        self.parameters().board()
    }

    fn new_password(&self) -> Option<NewPassword<'_>> {
        self.parameters().new_password()
    }

    fn token(&self) -> Option<&Password> {
        self.parameters().token()
    }

    fn text(&mut self) -> Option<&mut String> {
        self.parameters_mut().text()
    }

    fn may_be_prose(&self) -> bool {
        self.parameters().may_be_prose()
    }
}
