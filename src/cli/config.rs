//! `turnpost config`: prints the settings in force.

use std::process::ExitCode;

use super::{DataPath, complain, print, unknown_variables};
use crate::config::FILE;
use crate::data_dir::DATABASE;
use crate::error::HostError;

pub(super) fn run(place: &DataPath) -> Result<ExitCode, HostError> {
    let config = place.settings()?;
    for unknown in unknown_variables() {
        complain(&unknown.to_string());
    }
    let file = place.settings_file().unwrap_or_else(|| place.data.join(FILE));
    let is_there = if file.exists() { "" } else { " (not there)" };
    print(&format!("# configuration: {}{is_there}", file.display()))?;
    print(&format!("# database: {}", place.data.join(DATABASE).display()))?;
    print(&format!("# mail of the directory transport: {}", config.mail_folder(&place.data).display()))?;
    print(config.print().trim_end())?;
    Ok(ExitCode::SUCCESS)
}
