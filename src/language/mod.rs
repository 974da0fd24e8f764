//! The command language: from the text of a letter to commands.
//!
//! [`Language`] is the grammar around any table of commands: it knows an [`Entry`] and no command by name. The one table
//! is `commands`. `read` finds the lines of a letter, `line` reads one of them, `args` takes its arguments.

pub(crate) mod absence;
pub(crate) mod args;
pub(crate) mod body;
mod claim;
pub(crate) mod dress;
mod entry;
pub(crate) mod greeting;
mod line;
pub(crate) mod move_finder;
pub(crate) mod options;
mod parameters;
pub(crate) mod phrasebook;
pub(crate) mod plain;
pub(crate) mod plan;
mod read;
mod reserved;
mod secrets;
mod spelling;
mod table;
pub(crate) mod token;
mod told;
pub(crate) mod values;
pub(crate) mod wish;

pub use claim::{Claim, FullForm, Needs, Request};
pub use entry::{Entry, Scope, Seen};
pub(crate) use entry::{InReply, NO_USERID, Offered, WriterPlace, read_behind};
pub use line::{Line, ParseError, Reading};
pub use options::BoardOptions;
pub(crate) use parameters::ON_BOARD;
pub use parameters::{GivenPassword, Login, OnBoard, Parameters, Password, PasswordPurpose};
pub(crate) use read::{UNKNOWN_AT_MOST, words_beside};
pub(crate) use reserved::{ROBOT, is_a_mail_role, looks_like_the_robot, robot_userid};
pub(crate) use secrets::Secrets;
pub(crate) use spelling::{closest, one_slip_from};
pub(crate) use table::OF_THE_ERASED;
pub use table::{Language, MULTIPLE, WordsElsewhere};
pub(crate) use told::{account_change, passwords_told, suspects, without_told};
