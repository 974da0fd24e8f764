//! Acts that are options of `turnpost admin`, such as `--undo PLY`. A command takes only one of them.

use std::str::FromStr;

use crate::ids::{Ply, Seat, Userid};

/// Defines an enum with a variant for each option of a group. The doc comment of an option is its help; the second
/// string is the name of its value. `is required`: one option of the group must be given. `with`: each option also
/// requires this other option.
macro_rules! options {
    ($(#[$about:meta])* $act:ident in $group:literal $(is $required:ident)? $(with $other:literal)? {
        $(#[doc = $help:literal] $long:literal $($value:literal)? => $variant:ident $(($type:ty))?,)+
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone)]
        pub enum $act { $(#[doc = $help] $variant $(($type))?),+ }

        impl clap::Args for $act {
            fn group_id() -> Option<clap::Id> {
                Some($group.into())
            }

            fn augment_args(command: clap::Command) -> clap::Command {
                let option = |name: &'static str, help: &'static str| {
                    clap::Arg::new(name).long(name).help(help.trim()).action(clap::ArgAction::SetTrue)$(.requires($other))?
                };
                $(let command = command.arg({
                    let option = option($long, $help);
                    $(let option = option.action(clap::ArgAction::Set).value_name($value);)?
                    $(let option = option.value_parser(|text: &str| text.parse::<$type>());)?
                    option
                });)+
                let group = clap::ArgGroup::new($group).args([$($long),+]);
                command.group(group$(.$required(true))?)
            }

            fn augment_args_for_update(command: clap::Command) -> clap::Command {
                Self::augment_args(command)
            }
        }

        impl clap::FromArgMatches for $act {
            fn from_arg_matches(matches: &clap::ArgMatches) -> Result<$act, clap::Error> {
                let missing = || clap::Error::new(clap::error::ErrorKind::MissingRequiredArgument);
                let is_given = |option: &str| matches.get_one::<clap::Id>($group).is_some_and(|id| id == option);
                $(if is_given($long) {
                    return Ok($act::$variant $((matches.get_one::<$type>($long).cloned().ok_or_else(missing)?))?);
                })+
                Err(missing())
            }

            fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

options! {
    /// What the host does to a board.
    BoardAct in "board_act" with "reason" {
        /// Take back this ply and all after it, also after the end of the game
        "undo" "PLY" => Undo(Ply),
        /// End the game, or correct its result: the userid of the winner, `draw`, or `none`, which rates nothing
        "end" "RESULT" => End(GameEnd),
        /// Stop the clocks until the next move, or until --resume
        "adjourn" => Adjourn,
        /// Continue an adjourned game, or one that did not end by its rules; the player to move has a whole turn
        "resume" => Resume,
        /// Give the seat, 1 or 2, to another player, who plays on
        "reseat" "SEAT=USERID" => Reseat(NewSeat),
    }
}

options! {
    /// What the host does to a contest.
    ContestAct in "contest_act" with "reason" {
        /// Take a player out: the running games are lost
        "withdraw" "USERID" => Withdraw(Userid),
        /// Begin an event that has players enough
        "start" => Start,
        /// Call it off, or end it: boards in play have no result
        "end" => End,
    }
}

options! {
    /// What the host does to an account.
    UserAct in "user_act" {
        /// Mail the player a token to set a new password
        "reset-password" => ResetPassword,
        /// Send the player's mail to this address too, as though it had been confirmed
        "add-address" "ADDRESS" => AddAddress(String),
        /// Answer the player's letters only with this reason; boards and clocks run on
        "suspend" "REASON" => Suspend(String),
        /// Let a suspended player play again
        "resume" => Resume,
    }
}

options! {
    /// What the host does to a mail.
    MailAct in "mail_act" {
        /// Send it again, or at once if it waits
        "retry" => Retry,
        /// Do not send it
        "cancel" => Cancel,
    }
}

options! {
    /// What the host does to an address.
    AddressAct in "address_act" is required {
        /// Send mail there again, after it was stopped
        "resume" => Resume,
        /// Send no more mail there
        "stop" => Stop,
    }
}

/// How the host decides a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameEnd {
    Won(Userid),
    Draw,
    Void,
}

impl FromStr for GameEnd {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<GameEnd, Self::Err> {
        Ok(match text {
            "draw" => GameEnd::Draw,
            "none" => GameEnd::Void,
            userid => GameEnd::Won(userid.parse().map_err(|_| "a userid, `draw` or `none` is expected")?),
        })
    }
}

/// A seat and the player who gets it.
#[derive(Debug, Clone)]
pub struct NewSeat {
    pub seat: Seat,
    pub player: Userid,
}

impl FromStr for NewSeat {
    type Err = String;

    fn from_str(text: &str) -> Result<NewSeat, String> {
        let (seat, player) =
            text.split_once('=').ok_or("the seat and the player are expected, as in 1=carol")?;
        let seat = match seat.trim() {
            "1" => Seat::First,
            "2" => Seat::Second,
            _ => return Err("the seat is 1, which moves first, or 2".to_owned()),
        };
        Ok(NewSeat { seat, player: player.trim().parse::<Userid>().map_err(|why| why.to_string())? })
    }
}
