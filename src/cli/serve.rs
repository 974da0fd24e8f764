//! `turnpost serve`.

use std::process::ExitCode;

use super::{DataPath, unknown_variables};
use crate::data_dir;
use crate::error::HostError;

pub(super) fn run(place: &DataPath) -> Result<ExitCode, HostError> {
    // Before the settings, which another user may not be able to read.
    data_dir::refuse_others(&place.data)?;
    crate::server::serve(&place.data, place.settings()?, &unknown_variables())?;
    Ok(ExitCode::SUCCESS)
}
