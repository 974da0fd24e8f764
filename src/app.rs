//! The parts of the server that stay the same from letter to letter.

use std::path::PathBuf;

use crate::mail::ServerIdentity;
use crate::mail::outgoing::Signer;
use crate::reply::Templates;
use crate::service::Passwords;
use crate::service::robot::RobotConfig;

pub struct App {
    /// Who the server is in its mails.
    pub server: ServerIdentity,
    pub templates: Templates,
    pub passwords: Passwords,
    /// Where the operator is reached.
    pub operator: String,
    /// Who signs its mails.
    pub signer: Option<Signer>,
    pub robot: RobotConfig,
}

impl App {
    /// An app of that identity, with the host's own texts from `templates` where it has them.
    pub fn new(server: ServerIdentity, operator: &str, templates: Option<PathBuf>) -> App {
        let templates = Templates::new(templates, &server, operator);
        App {
            server,
            templates,
            passwords: Passwords::default(),
            operator: operator.to_owned(),
            signer: None,
            robot: RobotConfig::default(),
        }
    }
}
