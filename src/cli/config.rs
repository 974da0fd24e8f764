//! `turnpost config`: prints the settings in force.

use std::process::ExitCode;

use super::{Place, print};
use crate::data_dir::DATABASE;
use crate::error::HostError;

pub(super) fn run(place: &Place) -> Result<ExitCode, HostError> {
    let config = place.settings()?;
    print(&format!("# database: {}", place.data.join(DATABASE).display()))?;
    print(&format!("# mail of the directory transport: {}", config.mail_folder(&place.data).display()))?;
    print(config.print().trim_end())?;
    Ok(ExitCode::SUCCESS)
}
