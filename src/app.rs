//! The parts of the server that all letters share.

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
    /// The host's board options for leagues.
    pub leagues: LeagueOptions,
    /// The URL of the pages, without a slash at the end, if there are any.
    pub pages: Option<String>,
}

impl App {
    /// `templates`: the folder of the host's templates.
    pub fn new(
        server: ServerIdentity,
        operator: &str,
        pages: Option<String>,
        templates: Option<PathBuf>,
    ) -> App {
        let templates = Arc::new(Templates::new(templates, &server, operator, pages.as_deref()));
        App {
            server,
            templates,
            operator: operator.to_owned(),
            signer: None,
            robot: RobotConfig::default(),
            limits: Limits::default(),
            leagues: LeagueOptions::new(),
            pages,
        }
    }
}
