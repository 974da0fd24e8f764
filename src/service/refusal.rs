//! What players may not do, each with its sentence.

use crate::command::{COMMANDS_AT_MOST, UNKNOWN_AT_MOST};
use crate::ids::{BoardId, Ply, Userid};

/// A command that was read and not carried out. It changed nothing.
///
/// The sentences name no userid that nobody has: it may be a password in the wrong place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// About accounts, talk and watching.
    #[error(transparent)]
    Objection(#[from] super::Objection),
    /// About the robot and analysis.
    #[error(transparent)]
    Robot(#[from] super::robot::Excuse),
    /// The userid and the password do not belong together.
    #[error(
        "The userid or the password is not right. Both are written as at sign-up; upper and lower case matter in passwords."
    )]
    NotProven,
    /// `-` in the password's place, and nothing that proves who writes.
    #[error(
        "`-` in the password's place needs a letter that proves who sent it, and this one does not. Write your password there."
    )]
    NothingProves,
    /// The operator speaks for somebody else.
    #[error("You speak for {speaker}, and this command is {named}'s.")]
    SpeaksForAnother {
        /// Who `--as` named.
        speaker: Userid,
        /// Whom the command named.
        named: Userid,
    },
    /// The userid is a word of the command language.
    #[error("This userid is a word the server uses itself. Choose another.")]
    ReservedUserid,
    /// Somebody has that userid.
    #[error("The userid {userid} is taken. Choose another; if it is yours, there is nothing to do.")]
    Taken {
        /// The userid as its owner writes it.
        userid: Userid,
    },
    /// The password is too short, too long, or the userid over again.
    #[error("A password has from {min} to {max} characters and is not the userid.")]
    BadPassword {
        /// At least.
        min: usize,
        /// At most.
        max: usize,
    },
    /// There is nowhere to send mail to.
    #[error("There is no address to send your mail to. Write it behind the password.")]
    NoAddress,
    /// A challenge names somebody who has no account.
    #[error("The {place} userid is nobody's here.{}", hint(near))]
    NoSuchPlayer {
        /// `first` or `second`.
        place: &'static str,
        /// The nearest account.
        near: Option<Userid>,
    },
    /// A list or show names somebody who has no account.
    #[error("Nobody here has the userid you asked for.{}", hint(near))]
    NoSuchUserid {
        /// The nearest account.
        near: Option<Userid>,
    },
    /// An account that takes no new challenges.
    #[error("{userid} has signed off and takes no new challenges.")]
    SignedOff {
        /// Whose.
        userid: Userid,
    },
    /// Nobody plays themselves.
    #[error("A game needs two players, and both userids are {userid}.")]
    PlaysThemselves {
        /// Who.
        userid: Userid,
    },
    /// A challenge for others.
    #[error(
        "A challenge is sent by one of its two players, and this letter comes from an address of neither. Write from an \
         address you gave at sign-up."
    )]
    NotOneOfThem,
    /// The options cannot be met.
    #[error("The board cannot be set up: {why}.")]
    Setup {
        /// The game's sentence.
        why: String,
    },
    /// There is no such board.
    #[error("There is no board {board}. `{game} games userid` lists a player's boards.")]
    NoSuchBoard {
        /// The number.
        board: BoardId,
        /// The game the command named.
        game: &'static str,
    },
    /// The board is another game's.
    #[error("Board {board} is a game of {actual}, not of {named}: begin the command with `{key}`.")]
    OtherGame {
        /// The number.
        board: BoardId,
        /// The board's game.
        actual: &'static str,
        /// Its word.
        key: &'static str,
        /// The game the command named.
        named: &'static str,
    },
    /// The player sits at another board.
    #[error("Board {board} is not {userid}'s: it is played by {first} and {second}.")]
    NotYourBoard {
        /// The number.
        board: BoardId,
        /// Who asked.
        userid: Userid,
        /// Who sits there.
        first: Userid,
        /// Who sits there.
        second: Userid,
    },
    /// The game has ended.
    #[error("Board {board} has ended: {result}")]
    Over {
        /// The number.
        board: BoardId,
        /// How, as a sentence.
        result: String,
    },
    /// What the opponent has proposed comes first.
    #[error("{opponent} has proposed {what}: answer that with `accept` or `reject` first.")]
    AnswerFirst {
        /// Who.
        opponent: Userid,
        /// What.
        what: &'static str,
    },
    /// A reply to a mail that is out of date.
    #[error(
        "The mail you answered is out of date: board {board} has changed since. Nothing was played; this is the board now."
    )]
    StaleReply {
        /// The number.
        board: BoardId,
    },
    /// The opponent is to move.
    #[error("It is {opponent}'s turn on board {board} (ply {ply}), not yours.")]
    NotYourTurn {
        /// The number.
        board: BoardId,
        /// Whose turn it is.
        opponent: Userid,
        /// The ply to come.
        ply: Ply,
    },
    /// More moves than the player has in a row.
    #[error(
        "After {played} it is {opponent}'s turn (ply {ply}), and your command goes on. Nothing was played: moves of one \
         command are played together or not at all."
    )]
    TooManyMoves {
        /// The plies before.
        played: String,
        /// Whose turn it would be.
        opponent: Userid,
        /// The ply to come.
        ply: Ply,
    },
    /// The game ends before the moves do.
    #[error("After {played} the game is over, and your command goes on. Nothing was played.")]
    EndsBefore {
        /// The plies before.
        played: String,
    },
    /// `#` with the number of another ply.
    #[error("This is ply {ply}, and your move is marked for ply {wanted}. Nothing was played.")]
    OtherPly {
        /// The ply to come.
        ply: Ply,
        /// The ply asked for.
        wanted: Ply,
    },
    /// `#` without a number.
    #[error("Behind `#` the number of a ply is expected, as in `{notation}#50`. Nothing was played.")]
    BadPly {
        /// A move that would do.
        notation: String,
    },
    /// A move that cannot be read or is against the rules.
    #[error("{}{why}", after(played))]
    BadMove {
        /// The plies of the same command before it.
        played: String,
        /// The game's sentence.
        why: String,
    },
    /// A proposal is on offer already.
    #[error("You have proposed that already, and {opponent} has not answered yet.")]
    ProposedAlready {
        /// Whose answer it waits for.
        opponent: Userid,
    },
    /// Nothing is proposed, or by the player themselves.
    #[error("{opponent} has proposed nothing on board {board} that you could answer.")]
    NothingProposed {
        /// The opponent.
        opponent: Userid,
        /// The number.
        board: BoardId,
    },
    /// There is no ply of the player's to take back.
    #[error("You have played no ply on board {board} that could be taken back.")]
    NothingToTakeBack {
        /// The number.
        board: BoardId,
    },
    /// Seats change only in answer to ply 1, on boards started so.
    #[error(
        "Seats can be changed only by the second player, in answer to ply 1, on a board started with --swap."
    )]
    NoSwap,
    /// The second player has played.
    #[error(
        "Board {board} cannot be declined any more: {second} has played. `{game} resign {board}` gives it up."
    )]
    TooLateToDecline {
        /// The number.
        board: BoardId,
        /// The second player.
        second: Userid,
        /// The game's word.
        game: &'static str,
    },
    /// A queue names a move that cannot be read.
    #[error("A move of the queue cannot be read: {why}")]
    BadQueue {
        /// The game's sentence.
        why: String,
    },
    /// A queue on its owner's own turn that cannot play.
    #[error("It is your turn, and the queue cannot play: {why}")]
    QueueDoesNotFit {
        /// Why.
        why: String,
    },
    /// What is read of one letter ended before this command.
    #[error(
        "From here on the letter was not read: it ends after {COMMANDS_AT_MOST} commands, or after {UNKNOWN_AT_MOST} lines in a row that are none."
    )]
    RestNotRead,
    /// There is no draft, or it is out of date.
    #[error(
        "There is nothing to confirm on board {board}: submit a move first. A submitted move lapses when anything happens on the board."
    )]
    NoDraft {
        /// The number.
        board: BoardId,
    },
    /// A rematch of a game that goes on.
    #[error("Board {board} is still in play: a rematch can follow once it is over.")]
    StillRunning {
        /// The number.
        board: BoardId,
    },
    /// A seek that is not open.
    #[error("There is no open seek of that number. `{game} seeks` lists them.")]
    NoSuchSeek {
        /// The game's word.
        game: &'static str,
    },
    /// A player's own seek.
    #[error("This seek is your own; somebody else has to accept it. `{game} seek off` takes it back.")]
    OwnSeek {
        /// The game's word.
        game: &'static str,
    },
    /// A seek for players of other strength.
    #[error("This seek is for ratings from {least} to {most}, and yours is {rating}.")]
    RatingOutside {
        /// At least.
        least: u16,
        /// At most.
        most: u16,
        /// The player's.
        rating: i64,
    },
    /// As many seeks as a player may have.
    #[error("You have {most} open seeks already; `{game} seek off` takes them back.")]
    TooManySeeks {
        /// How many are allowed.
        most: usize,
        /// The game's word.
        game: &'static str,
    },
    /// A ply the board has not reached.
    #[error(
        "Board {board} stands after ply {plies}: `{board}#0` is the start, `{board}#{plies}` the latest."
    )]
    NoSuchPly {
        /// The number.
        board: BoardId,
        /// How many there are.
        plies: Ply,
    },
    /// The player to move nudges.
    #[error("On board {board} it is your own turn.")]
    NudgesThemselves {
        /// The number.
        board: BoardId,
    },
    /// A nudge before its time.
    #[error("{opponent} has had less than 24 hours for this move. Nudge after that.")]
    NudgedTooSoon {
        /// Whose turn it is.
        opponent: Userid,
    },
    /// A second nudge in a day.
    #[error("{opponent} was nudged less than 24 hours ago; once a day is enough.")]
    NudgedToday {
        /// Whose turn it is.
        opponent: Userid,
    },
    /// A nudge of somebody who is away.
    #[error("{opponent} is on vacation until {until}; the clocks of the game stand still.")]
    OnVacation {
        /// Whose turn it is.
        opponent: Userid,
        /// The last day, in their zone.
        until: String,
    },
    /// A record that cannot be written in a game's other notation.
    #[error("The record cannot be written like that: {why}.")]
    NoRecord {
        /// The game's sentence.
        why: String,
    },
    /// Help about what nobody knows.
    #[error("There is no help page of that name. There are: {pages}.")]
    NoSuchPage {
        /// All pages.
        pages: String,
    },
}

fn hint(near: &Option<Userid>) -> String {
    near.as_ref().map_or_else(String::new, |near| format!(" Did you mean {near}?"))
}

fn after(played: &str) -> String {
    if played.is_empty() { String::new() } else { format!("After {played}, and nothing was played: ") }
}
