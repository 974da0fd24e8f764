//! `turnpost serve`.

use std::process::ExitCode;

use super::Place;
use crate::error::HostError;

pub(super) fn run(place: &Place) -> Result<ExitCode, HostError> {
    crate::server::serve(&place.data, place.settings()?)?;
    Ok(ExitCode::SUCCESS)
}
