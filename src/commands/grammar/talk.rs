//! Words between players.
//!
//! ```text
//! message userid password to ...
//! broadcast userid password
//! game chat board userid password
//! ```
//!
//! The words are the text of the mail below a Subject command. Where commands stand in the text, one a line, they are
//! the lines behind the command up to a line `end`.

use crate::commands::{Command, Entry};
use crate::ids::{BoardId, Userid};
use crate::language::args::{Args, ArgumentError};
use crate::language::{InReply, Login, Offered, OnBoard, Parameters, Seen};

/// A message goes to no more people; whoever has more to tell is an organiser.
const RECIPIENTS_AT_MOST: usize = 10;

#[derive(Debug, Clone)]
pub struct Talk {
    pub to: Audience,
    /// The words, as they were written.
    pub text: String,
}

#[derive(Debug, Clone)]
pub enum Audience {
    /// `message`
    Players(Login, Vec<Userid>),
    /// `broadcast`: all who have not opted out.
    Everybody(Login),
    /// `chat`
    Opponent(OnBoard),
}

impl Parameters for Talk {
    fn login(&self) -> Option<&Login> {
        match &self.to {
            Audience::Players(login, _) | Audience::Everybody(login) => Some(login),
            Audience::Opponent(at) => Some(&at.login),
        }
    }

    fn board(&self) -> Option<BoardId> {
        match &self.to {
            Audience::Opponent(at) => Some(at.board),
            Audience::Players(..) | Audience::Everybody(_) => None,
        }
    }

    fn text(&mut self) -> Option<&mut String> {
        Some(&mut self.text)
    }
}

pub(crate) const MESSAGE: Entry = Entry {
    summary: "sends a message to other players",
    details: "The message is the text of the mail that has the command as its Subject. Where commands stand one a \
                  line, as with \"multiple\" or `turnpost submit`, it is the lines behind the command up to a line \
                  `end`. At most 4,000 characters to at most ten players; quoted lines and signatures are left out.",
    example: "message ann plover-42 bob\nShall we play on Friday?\nend",
    ..Entry::of_server("message", "userid password to ...", read_message)
};

pub(crate) const BROADCAST: Entry = Entry {
    summary: "sends a message to all players; for organisers, once a day",
    details: "Players who have `set` broadcast to off, or have signed off, are left out. The message stands where \
                  that of `message` does.",
    example: "broadcast ann plover-42\nThe autumn tournament begins on Monday.\nend",
    ..Entry::of_server("broadcast", "userid password", |args| {
        Ok(without_text(Audience::Everybody(args.login()?)))
    })
};

pub(crate) const CHAT: Entry = Entry {
    summary: "sends a message to your opponent on a board",
    details: "Watchers do not see it. The message stands where that of `message` does. The text of a mail with a \
                  move in its Subject reaches the opponent too, together with the move.",
    example: "GAME chat 1 ann plover-42\nA fine game so far.\nend",
    in_reply: InReply::BeginsWords(|at, text| Command::Talk(Talk { to: Audience::Opponent(at), text })),
    needs: Seen::Nothing,
    offered: Offered::ToPerson,
    done: Some("Your words are on their way."),
    ..Entry::of_game("chat", "board userid password", |args| {
        Ok(without_text(Audience::Opponent(args.on_board()?)))
    })
};

fn read_message(args: &mut Args) -> Result<Command, ArgumentError> {
    let login = args.login()?;
    let mut to: Vec<Userid> = Vec::new();
    while to.is_empty() || !args.is_empty() {
        let userid = args.userid("the userid of whom it is for")?;
        if to.len() == RECIPIENTS_AT_MOST {
            return Err(ArgumentError::at_end(format!(
                "a message goes to at most {RECIPIENTS_AT_MOST} players"
            )));
        }
        if !to.contains(&userid) {
            to.push(userid);
        }
    }
    Ok(without_text(Audience::Players(login, to)))
}

/// The text is found elsewhere in the letter.
fn without_text(to: Audience) -> Command {
    Command::Talk(Talk { to, text: String::new() })
}
