//! A letter: what any door hands to the service.

use crate::ids::{Identity, Userid};

/// A message taken in, with its claims and its proofs kept apart.
#[derive(Debug, Clone)]
pub struct Letter {
    /// The same for every delivery of the same message.
    pub identity: Identity,
    /// The Message-ID with its angle brackets, when there is one that RFC 5322 would let pass.
    pub message_id: Option<String>,
    /// The message ids of References (or else In-Reply-To), oldest first, each with angle brackets.
    pub references: Vec<String>,
    /// The one address of the one From field. A claim, not an identity.
    pub sender: Option<String>,
    /// The return path (RFC 5321 4.4): where somebody who is no player is answered (RFC 3834 4). `None` where nobody
    /// told it, or it is no address: then only players are answered.
    pub return_path: Option<String>,
    /// What the door knows about who speaks, beside what the letter itself says.
    pub proof: Proof,
    /// The reply token the letter carries.
    pub token: Option<ReplyToken>,
    /// The Subject, decoded, in one line, without control characters.
    pub subject: String,
    /// The text, decoded, lines ended by `\n`.
    pub text: String,
    /// Who takes the answer to the person.
    pub answer: AnswerBy,
}

impl Letter {
    /// A letter that nobody wrote, for mails that the server sends of its own.
    pub fn by_server(identity: Identity) -> Letter {
        Letter {
            identity,
            message_id: None,
            references: Vec::new(),
            sender: None,
            return_path: None,
            proof: Proof::None,
            token: None,
            subject: String::new(),
            text: String::new(),
            answer: AnswerBy::Terminal,
        }
    }
}

/// What a door vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// Nothing: the sender's address is a claim.
    None,
    /// The host's own mail server authenticated the sender's address.
    Sender,
    /// The operator gave the command on this machine.
    Operator(Operator),
}

/// For whom the operator speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operator {
    /// For nobody: commands need their passwords.
    Nobody,
    /// For one player.
    As(Userid),
    /// For whomever a command names.
    AsAnyone,
}

/// The token of a reply, in lower case: `b42.TOKEN` of `pbm+b42.TOKEN@…`.
#[derive(Clone, PartialEq, Eq)]
pub struct ReplyToken(pub String);

impl std::fmt::Debug for ReplyToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReplyToken(***)")
    }
}

/// Who takes the answer to the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerBy {
    /// It is mailed.
    Mail,
    /// It is printed.
    Terminal,
}
