//! The list of commands. Each command has a file with its grammar, help, arguments, handler and refusals.
//! Commands with the same arguments can share a file.

#[macro_use]
mod define;

pub(crate) mod addresses;
pub(crate) mod admission;
pub mod analyse;
pub(crate) mod announce;
pub mod answer;
pub(crate) mod asking;
pub(crate) mod begin;
pub(crate) mod bot;
pub(crate) mod challenge;
pub(crate) mod confirm_address;
pub(crate) mod contest;
pub(crate) mod contest_entry;
pub(crate) mod contest_look;
pub(crate) mod contest_reply;
pub(crate) mod decline;
pub(crate) mod entrant;
pub(crate) mod event_days;
pub(crate) mod event_teams;
pub(crate) mod explore;
pub(crate) mod games;
pub mod help;
pub(crate) mod hint;
pub(crate) mod invitation;
pub(crate) mod invite;
pub(crate) mod ladder_challenge;
pub(crate) mod leaving;
pub(crate) mod map;
pub(crate) mod new_event;
pub(crate) mod note;
pub(crate) mod nudge;
pub(crate) mod opening;
pub(crate) mod organiser;
pub(crate) mod password;
pub mod pause;
pub(crate) mod play;
mod prelude;
pub(crate) mod preview;
pub(crate) mod proposal;
pub(crate) mod questions;
pub(crate) mod queue;
pub(crate) mod record;
pub(crate) mod rematch;
pub(crate) mod replacement;
pub(crate) mod reply_words;
pub(crate) mod resend;
pub(crate) mod resume;
pub(crate) mod roll;
pub(crate) mod rulings;
pub(crate) mod seek;
pub(crate) mod session;
pub(crate) mod set_up;
pub(crate) mod settings;
pub(crate) mod show;
pub(crate) mod sign_in;
pub(crate) mod signup;
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
pub(crate) mod wishes;

pub use analyse::{Analysed, Made, analyse_one, analysis_of, kept as kept_analysis, view as analysis_view};

use crate::credentials::Actor;
use crate::failure::CommandError;
use crate::language::{self, Language, OnBoard, Parameters};
use crate::notices::Event;
use crate::play::Context;

pub type Entry = language::Entry<Command>;
pub type Line = language::Line<Command>;
pub type Reading = language::Reading<Command>;
pub type Request = language::Request<Command>;

/// The language of the commands below.
pub static LANGUAGE: Language<Command> = Language::new(ENTRIES, signup::MEANINGS);

// The only list of commands, in the order in which help shows them. Each line names the handler, the variant
// of `Command` with its parameters, and the entries that the parser, help, replies and pages read.
commands! {
    help::help => Help(help::Help) [help::HELP],
    signup::signup => Signup(signup::Signup) [signup::SIGNUP],
    questions::answer => Answer(answer::QuestionAnswer) [],
    addresses::add(proven) => AddAddresses(addresses::AddAddresses) [addresses::ADD],
    password::change_password(proven) => ChangePassword(password::ChangePassword) [password::CHANGE],
    addresses::change_address(proven) => ChangeAddresses(addresses::ChangeAddresses) [] of password::CHANGE,
    password::forgot => Forgot(password::Forgot) [password::FORGOT],
    password::reset => Reset(password::Reset) [password::RESET],
    sign_in::sign_in => SignIn(sign_in::SignIn) [sign_in::SIGN_IN],
    sign_in::browser => Browser(sign_in::BrowserAct) [],
    bot::bot(proven) => Bot(bot::BotToken) [bot::BOT],
    begin::begin(actor) => Begin(begin::Begin) [],
    pause::pause(proven) => Pause(pause::Ask) [],
    leaving::sign_off(proven) => SignOff(leaving::SignOff) [leaving::SIGNOFF],
    leaving::delete(proven) => Delete(leaving::Delete) [leaving::DELETE],
    resend::resend(proven) => Resend(resend::Resend) [resend::RESEND],
    who::who => Who(who::Who) [who::WHO],
    settings::set(proven) => Set(settings::Set) [settings::SET],
    vacation::vacation(proven) => Vacation(vacation::SetVacation) [vacation::VACATION],
    tutorial::tutorial(actor) => Tutorial(tutorial::Tutorial) [tutorial::TUTORIAL],
    challenge::challenge(actor) => Challenge(challenge::Challenge) [challenge::CHALLENGE],
    invite::invite(actor) => Invite(challenge::Invite) [invite::INVITE],
    submit::play_or_ask(proven) => Move(play::Move) [play::MOVE],
    play::resign(proven) => Resign(play::Resign) [play::RESIGN],
    roll::roll(proven) => Roll(roll::Roll) [roll::ROLL],
    resume::resume(proven) => Resume(OnBoard) [resume::RESUME],
    proposal::propose(proven) => Propose(OnBoard) [proposal::PROPOSE],
    proposal::undo(proven) => Undo(proposal::TakeBack) [proposal::UNDO],
    proposal::accept(proven) => Accept(OnBoard) [proposal::ACCEPT],
    proposal::reject(proven) => Reject(OnBoard) [proposal::REJECT],
    swap::swap(proven) => Swap(OnBoard) [swap::SWAP],
    decline::decline(proven) => Decline(OnBoard) [decline::DECLINE],
    hint::hint(proven) => Hint(OnBoard) [hint::HINT],
    queue::queue(proven) => Queue(queue::Queue) [queue::QUEUE],
    submit::submit(proven) => Submit(submit::Submit) [submit::SUBMIT],
    submit::confirm(proven) => Confirm(OnBoard) [submit::CONFIRM],
    rematch::rematch(proven) => Rematch(OnBoard) [rematch::REMATCH],
    seek::seek(proven) => Seek(seek::Seek) [seek::SEEK],
    seek::seek_off(proven) => SeekOff(seek::SeekOff) [] of seek::SEEK,
    seek::accept_seek(proven) => AcceptSeek(seek::AcceptSeek) [] of proposal::ACCEPT,
    seek::seeks => Seeks(seek::Seeks) [seek::SEEKS],
    contest_look::look => LookAtContest(contest::LookAtContest) [contest::EVENT],
    new_event::new(proven) => NewEvent(new_event::NewEvent) [],
    new_event::events => Events(new_event::Events) [new_event::EVENTS],
    entrant::contest(proven) => Contest(contest::OnContest) [contest::LEAGUE, contest::LADDER],
    show::show_as(proven) => ShowAs(show::ShowAs) [show::SHOW_AS],
    nudge::nudge(proven) => Nudge(OnBoard) [nudge::NUDGE],
    show::show(actor) => Show(show::Show) [show::SHOW],
    games::games => Games(games::Games) [games::GAMES_OF, games::HISTORY],
    preview::preview => Preview(preview::Preview) [preview::PREVIEW, help::GAME_HELP],
    explore::explore => Explore(explore::Explore) [explore::EXPLORE],
    map::map => Map(map::Map) [map::MAP],
    standings::standings => Standings(standings::Standings) [standings::STANDINGS],
    standings::ratings => Ratings(standings::Standings) [standings::RATINGS],
    record::record => Record(record::Record) [record::RECORD],
    analyse::analyse => Analyse(analyse::Analyse) [analyse::ANALYSE],
    talk::talk(proven) => Talk(talk::Talk) [talk::MESSAGE, talk::BROADCAST, talk::CHAT],
    note::note(proven) => Note(note::Note) [note::NOTE],
    watch::subscribe => Subscribe(watch::Watching) [watch::SUBSCRIBE],
    watch::unsubscribe => Unsubscribe(watch::Watching) [watch::UNSUBSCRIBE],
    watch::notify(proven) => Notify(watch::Notify) [watch::NOTIFY],
    wishes::grant(actor) => PlainWish(wishes::PlainWish) [],
}
