//! Who the server is in the mails it reads and writes.

use crate::mail::ReplyToken;

/// The server's own name and addresses.
#[derive(Debug, Clone)]
pub struct ServerIdentity {
    /// The name in the From field of our mails.
    pub name: String,
    /// The address that takes commands, and the one our mails are from.
    pub address: String,
    /// Other addresses at which mail reaches the server.
    pub aliases: Vec<String>,
    /// The right side of our Message-IDs.
    pub host: String,
    /// Whether mail to our address with `+` and an extension reaches us (RFC 5233).
    pub extensions: bool,
    /// The name under which the host's own mail server writes `Authentication-Results`; `None`: nothing in a mail
    /// is believed about who sent it.
    pub authserv_id: Option<String>,
}

/// The beginning of the left side of every Message-ID of ours.
pub(super) const MESSAGE_ID_PREFIX: &str = "turnpost.";

impl ServerIdentity {
    /// Whether mail to `address` comes to this server, with an extension (RFC 5233) or without.
    pub fn is_ours(&self, address: &str) -> bool {
        self.extension(address).is_some()
    }

    /// What stands between our local part with its `+` (or `-`: some providers drop `+`) and the `@`;
    /// empty for the bare address, `None` for somebody else's.
    pub fn extension(&self, address: &str) -> Option<String> {
        let address = address.trim().to_lowercase();
        let (local, domain) = address.rsplit_once('@')?;
        std::iter::once(&self.address).chain(&self.aliases).find_map(|own| {
            let own = own.to_lowercase();
            let (own_local, own_domain) = own.rsplit_once('@')?;
            let rest = local.strip_prefix(own_local).filter(|_| domain == own_domain)?;
            match rest.strip_prefix(['+', '-']) {
                Some(extension) => Some(extension.to_owned()),
                None if rest.is_empty() => Some(String::new()),
                None => None,
            }
        })
    }

    /// Our address with an extension; `None` where it would be longer than an address may be.
    pub fn extended(&self, extension: &str) -> Option<String> {
        let (local, domain) = self.address.rsplit_once('@')?;
        // RFC 5321 4.5.3.1.1: at most 64 octets before the @.
        let fits = local.len() + 1 + extension.len() <= 64;
        (self.extensions && fits).then(|| format!("{local}+{extension}@{domain}"))
    }

    /// The token of a reply address: `b42.TOKEN`, as raw text in lower case. Nothing is verified here.
    pub fn token(&self, address: &str) -> Option<ReplyToken> {
        ReplyToken::parse(&self.extension(address)?)
    }

    /// Whether a Message-ID was made by [`super::outgoing::message_id`] for this server.
    pub fn wrote(&self, message_id: &str) -> bool {
        let id = message_id.trim_matches(['<', '>']).to_ascii_lowercase();
        id.starts_with(MESSAGE_ID_PREFIX)
            && id.rsplit_once('@').is_some_and(|(_, host)| host.eq_ignore_ascii_case(&self.host))
    }
}
