//! `turnpost admin simulate`: fills an empty data directory with the games of a made-up club, for measuring.
//!
//! Its members write mails, which go the way of every mail: read, acted on, answered, delivered. Their time is made up,
//! and so are they; the rows are what a server writes that has run as long.

mod agenda;
mod club;
mod mails;

use std::path::Path;
use std::time::Instant;

use clap::Args;

use self::club::{Club, Figures};
use crate::cli::progress::Progress;
use crate::cli::{Instance, Place};
use crate::config::Config;
use crate::credentials::Limits;
use crate::error::HostError;

/// Stands in the mails of members as their proof. No host has this name.
const AUTHSERV_ID: &str = "simulate.invalid";

#[derive(Args)]
pub(crate) struct SimulateArgs {
    /// How many boards begin
    #[arg(long, value_name = "N", default_value_t = 1000)]
    boards: u32,
    /// In how many days
    #[arg(long, value_name = "D", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=36500))]
    days: u32,
    /// By how many players
    #[arg(long, value_name = "P", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..))]
    players: u32,
    /// The same seed makes the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Stop most games after so many plies, which makes many boards sooner; without it, they are played to their end
    #[arg(long, value_name = "K")]
    plies: Option<u32>,
}

/// Simulates; gives a sentence about what there is now.
pub(super) fn simulate(place: &Place, args: &SimulateArgs) -> Result<String, HostError> {
    refuse_used(&place.data)?;
    let mut server = Instance::open(&place.data, open_to_all(place.settings()?))?;
    server.store.force_nothing()?;
    let begun = Instant::now();
    let progress = Progress::on_a_terminal();
    let figures = Club::new(server, args).play(|Figures { day, boards, letters, .. }| {
        progress.show(|| format!("day {day}: {boards} boards, {letters} letters"));
    })?;
    drop(progress);
    let seconds = begun.elapsed().as_secs_f64();
    let Figures { boards, finished, letters, refused, mails, reports, .. } = figures;
    Ok(format!(
        "{boards} boards, {finished} of them finished, of {letters} letters ({refused} refused), {mails} mails and \
         {reports} delivery reports in {seconds:.0} seconds: {:.0} boards a minute, {:.0} letters a second",
        f64::from(boards) * 60.0 / seconds,
        f64::from(letters) / seconds,
    ))
}

/// Refuses a directory in which there is anything: made-up games must not come among real ones.
fn refuse_used(data: &Path) -> Result<(), HostError> {
    match std::fs::read_dir(data).map(|mut entries| entries.next()) {
        Ok(None) => Ok(()),
        Ok(Some(_)) => Err(HostError::Asked(format!(
            "{} is not empty: `simulate` makes a database of its own in a new directory, named by --data",
            data.display()
        ))),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(why) => Err(HostError::Io(data.display().to_string(), why)),
    }
}

/// The settings with proof for members, and without the limits that hold strangers back.
fn open_to_all(config: Config) -> Config {
    let most = u32::MAX;
    Config {
        authserv_id: AUTHSERV_ID.to_owned(),
        limits: Limits {
            answers_an_hour: most,
            questions_a_mailbox: most,
            questions_a_sender: most,
            questions_an_hour: most,
            boards_a_day: most,
            messages_a_day: most,
            vacation_mails_a_day: most,
            ..config.limits
        },
        ..config
    }
}
