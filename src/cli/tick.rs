//! `turnpost tick`: reminds, forfeits, rates, and lets the robot play.

use std::process::ExitCode;

use super::instance::RobotTasks;
use super::{DataPath, complain, print};
use crate::clock;
use crate::error::HostError;
use crate::timer::tick::Ticked;

/// The robot begins nothing after this time, so that `tick` ends within a minute.
pub const ROBOT_SECONDS: i64 = 40;

pub(super) fn run(place: &DataPath) -> Result<ExitCode, HostError> {
    let mut server = place.open()?;
    let ticked = server.tick(clock::now())?;
    print_ticked(&ticked)?;
    let forgotten = server.forget_mails(clock::now())?;
    if forgotten > 0 {
        print(&format!("{forgotten} old mails lost their text"))?;
    }
    let robot = server.think(ROBOT_SECONDS, clock::now)?;
    print_robot(&robot)?;
    let all_well = ticked.damaged.is_empty() && robot.lost.is_empty();
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn print_ticked(ticked: &Ticked) -> Result<(), HostError> {
    if let Some(down) = ticked.down {
        print(&format!("no timer ran for {} minutes: {} deadlines moved", down.as_mins(), ticked.moved))?;
    }
    for moved in &ticked.rated_again {
        print(&format!("a rating was worked out again: {moved}"))?;
    }
    for damaged in &ticked.damaged {
        complain(damaged);
    }
    if !ticked.damaged.is_empty() {
        complain("`turnpost doctor` says what to do");
    }
    let Ticked { reminded, timed_out, declined, mails, .. } = ticked;
    print(&format!(
        "{reminded} reminded, {timed_out} lost by time, {declined} gone unanswered, {mails} mails"
    ))
}

fn print_robot(robot: &RobotTasks) -> Result<(), HostError> {
    for lost in &robot.lost {
        complain(&format!("the robot: {lost}"));
    }
    let RobotTasks { played, analysed, mails, .. } = robot;
    if played + analysed > 0 {
        print(&format!("the robot: {played} turns, {analysed} analyses, {mails} mails"))?;
    }
    Ok(())
}
