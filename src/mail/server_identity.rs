use crate::ids::address_key;
use crate::mail::ReplyToken;

/// The server's name and addresses.
#[derive(Debug, Clone)]
pub struct ServerIdentity {
    /// The name in From.
    pub name: String,
    /// The address in From, which takes commands.
    pub address: String,
    /// Other addresses of the server.
    pub aliases: Vec<String>,
    /// The right side of the server's Message-IDs.
    pub host: String,
    /// True if mail to the address with `+` and an extension arrives (RFC 5233).
    pub extensions: bool,
    /// The name that the host's mail server writes into `Authentication-Results`. If it is `None`, no such field is
    /// believed.
    pub authserv_id: Option<String>,
    /// The beginnings, in lower case, of the banners that the host's own gateway puts above mail from outside.
    pub banners: Vec<String>,
}

/// The beginning of the server's Message-IDs.
pub(super) const MESSAGE_ID_PREFIX: &str = "turnpost.";

impl ServerIdentity {
    /// True for the server's addresses, with or without an extension (RFC 5233).
    pub fn is_ours(&self, address: &str) -> bool {
        self.extension(address).is_some()
    }

    /// True for the local part of one of the server's addresses.
    pub fn is_called(&self, name: &str) -> bool {
        let mut own = std::iter::once(&self.address).chain(&self.aliases);
        own.any(|own| own.rsplit_once('@').is_some_and(|(local, _)| local.eq_ignore_ascii_case(name)))
    }

    /// The extension after `+`, or after `-` because some providers drop `+`. Empty for the plain address; `None` for
    /// an address that is not the server's.
    pub fn extension(&self, address: &str) -> Option<String> {
        let address = address_key(address.trim());
        let (local, domain) = address.rsplit_once('@')?;
        std::iter::once(&self.address).chain(&self.aliases).find_map(|own| {
            let own = address_key(own);
            let (own_local, own_domain) = own.rsplit_once('@')?;
            let rest = local.strip_prefix(own_local).filter(|_| domain == own_domain)?;
            match rest.strip_prefix(['+', '-']) {
                Some(extension) => Some(extension.to_owned()),
                None if rest.is_empty() => Some(String::new()),
                None => None,
            }
        })
    }

    /// The server's address with an extension; `None` if it would be too long.
    pub fn extended(&self, extension: &str) -> Option<String> {
        let (local, domain) = self.address.rsplit_once('@')?;
        // RFC 5321 4.5.3.1.1: at most 64 octets before the @.
        let fits = local.len() + 1 + extension.len() <= 64;
        (self.extensions && fits).then(|| format!("{local}+{extension}@{domain}"))
    }

    /// The token in a reply address, `b42.TOKEN`. Not verified.
    pub fn token(&self, address: &str) -> Option<ReplyToken> {
        ReplyToken::parse(&self.extension(address)?)
    }

    /// True for Message-IDs of [`super::outgoing::message_id`].
    pub fn wrote(&self, message_id: &str) -> bool {
        let id = message_id.trim_matches(['<', '>']).to_ascii_lowercase();
        id.starts_with(MESSAGE_ID_PREFIX)
            && id.rsplit_once('@').is_some_and(|(_, host)| host.eq_ignore_ascii_case(&self.host))
    }
}
