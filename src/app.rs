//! The parts of the server that every letter shares.

use std::path::PathBuf;
use std::sync::Arc;

use crate::compose::Templates;
use crate::contest::terms::LeagueOptions;
use crate::credentials::Limits;
use crate::mail::ServerIdentity;
use crate::mail::outgoing::Signer;
use crate::play::robot::RobotConfig;

pub struct App {
    pub server: ServerIdentity,
    pub templates: Arc<Templates>,
    /// The operator's address.
    pub operator: String,
    /// Signs outgoing mail (DKIM), if the host has set that up.
    pub signer: Option<Signer>,
    pub robot: RobotConfig,
    pub limits: Limits,
    /// Where the host set any.
    pub leagues: LeagueOptions,
    /// Where players find the pages, without a slash at the end, if there are any.
    pub pages: Option<String>,
}

impl App {
    /// Uses the host's templates where `templates` has them.
    pub fn new(server: ServerIdentity, operator: &str, templates: Option<PathBuf>) -> App {
        let templates = Arc::new(Templates::new(templates, &server, operator));
        App {
            server,
            templates,
            operator: operator.to_owned(),
            signer: None,
            robot: RobotConfig::default(),
            limits: Limits::default(),
            leagues: LeagueOptions::new(),
            pages: None,
        }
    }
}
