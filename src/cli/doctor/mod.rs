//! `turnpost doctor`: checks all that a host sets up, and says what to do. It changes nothing.
//!
//! Reading order: [`findings`], `settings`, `database`, `copies`, `outgoing`, `dns`, `engines`, `round_trip`.

mod copies;
mod database;
mod dns;
mod engines;
mod findings;
mod outgoing;
mod resolver;
mod round_trip;
mod settings;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use self::database::SchemaReading;
use self::findings::Findings;
use super::{DataPath, print};
use crate::clock;
use crate::copies::{Machine, machine};
use crate::error::HostError;

#[derive(clap::Args)]
pub(super) struct DoctorArgs {
    /// Send the server two mails of its own, and wait SECONDS for them to come back
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "60")]
    round_trip: Option<u32>,
    /// The DNS server to ask, with its port; without it, the first of /etc/resolv.conf
    #[arg(long, value_name = "ADDRESS:PORT")]
    resolver: Option<SocketAddr>,
    /// The folder that `admin backup --keep` copies to; without it, `backups` of [keep]
    #[arg(long, value_name = "DIR")]
    backups: Option<PathBuf>,
    /// Do not read the whole database and replay its boards to find damage, which takes minutes if it is large
    #[arg(long)]
    quick: bool,
    /// As JSON, for programs
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &DataPath, args: &DoctorArgs) -> Result<ExitCode, HostError> {
    let findings = examine(place, args);
    print(if args.json { findings.json() } else { findings.text() }.trim_end())?;
    Ok(if findings.is_well() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn examine(place: &DataPath, args: &DoctorArgs) -> Findings {
    let mut findings = Findings::default();
    // The rest can be examined only in a data directory that belongs to this user.
    if !settings::check_data(&mut findings, &place.data) {
        return findings;
    }
    let Some(config) = settings::check(&mut findings, place) else { return findings };
    let reading = if args.quick { SchemaReading::Quick } else { SchemaReading::Whole };
    let now = clock::now();
    let machine = machine(&place.data, &config);
    let is_open = database::check(&mut findings, &place.data, &config, reading, machine, now);
    copies::check(&mut findings, &place.data, &config, args.backups.as_deref(), machine, now);
    let reaches_the_world = outgoing::check(&mut findings, &place.data, &config);
    if machine == Machine::Second {
        findings.ok("mail in", "this is a second machine: it listens only when the first is gone");
    } else {
        outgoing::check_listeners(&mut findings, &config);
        outgoing::check_pages(&mut findings, &config);
    }
    dns::check(&mut findings, &config, args.resolver);
    engines::check(&mut findings, &config);
    if let Some(seconds) = args.round_trip {
        let patience = Duration::from_secs(seconds.into());
        if is_open && reaches_the_world {
            round_trip::check(&mut findings, &place.data, &config, patience);
        } else {
            findings.warning("round trip", "not tried: mend the errors above first", "");
        }
    }
    findings
}
