//! `turnpost deliver`: sends the mails that wait.

use std::process::ExitCode;

use super::{DataPath, print};
use crate::error::HostError;

pub(super) fn run(place: &DataPath) -> Result<ExitCode, HostError> {
    let delivered = place.open_existing()?.deliver()?;
    print(&format!(
        "{} sent, {} to be tried again, {} refused for good",
        delivered.sent, delivered.later, delivered.failed
    ))?;
    Ok(ExitCode::SUCCESS)
}
