//! A letter: the form in which mails, commands and pages reach the server.

use sha2::{Digest, Sha256};

use crate::ids::{Identity, Userid, same_address};

/// A received message. Claims and proofs are kept apart.
#[derive(Debug, Clone)]
pub struct Letter {
    /// The same for every delivery of the message, to any address of the server.
    pub identity: Identity,
    /// With angle brackets, if it is valid (RFC 5322).
    pub message_id: Option<String>,
    /// The one mail that In-Reply-To names.
    pub in_reply_to: Option<String>,
    /// The ids of References, oldest first.
    pub references: Vec<String>,
    /// The address in From. A claim, not an identity.
    pub sender: Option<String>,
    /// The return path (RFC 5321 4.4): the answer to a sender without an account goes there (RFC 3834 4). If it is
    /// `None`, only players are answered.
    pub return_path: Option<String>,
    /// How the sender is proven, apart from the letter's text.
    pub proof: Proof,
    pub token: Option<ReplyToken>,
    /// Decoded, as one clean line.
    pub subject: String,
    /// Decoded; lines end with `\n`.
    pub text: String,
    pub answer: AnswerBy,
}

impl Letter {
    /// True if From names this address. A claim, not a proof.
    pub fn is_from(&self, address: &str) -> bool {
        self.sender.as_ref().is_some_and(|sender| same_address(sender, address))
    }

    /// A letter that the server writes to cause mails.
    pub fn by_server(identity: Identity) -> Letter {
        Letter {
            identity,
            message_id: None,
            in_reply_to: None,
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

impl Letter {
    /// A letter from a page, by the holder of a token or by a visitor. The same token, text and `once` make the same
    /// letter.
    pub fn by_page(token: Option<ReplyToken>, text: String, once: &str) -> Letter {
        let mut hash = Sha256::new();
        hash.update(b"turnpost page\0");
        hash.update(once);
        hash.update(b"\0");
        hash.update(&text);
        let identity = Identity(hash.finalize().into());
        Letter { token, text, answer: AnswerBy::Page, ..Letter::by_server(identity) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// The address is a claim.
    None,
    /// The host's mail server authenticated the address.
    Sender,
    /// The operator runs the command on this machine.
    Operator(Operator),
}

/// The player for whom the operator speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operator {
    /// No player; commands need passwords.
    Nobody,
    As(Userid),
    /// Any player that a command names.
    AsAnyone,
}

/// The token in a reply, in lower case: `b42.TOKEN` of `pbm+b42.TOKEN@…`.
#[derive(Clone, PartialEq, Eq)]
pub struct ReplyToken(pub String);

impl std::fmt::Debug for ReplyToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReplyToken(***)")
    }
}

/// How the answer reaches the sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerBy {
    Mail,
    Terminal,
    /// On the page it came from.
    Page,
    /// Not at all: a program wrote the letter.
    Nothing,
}
