//! The engines of `[robot.engines]`: whether each starts, takes its options and says its name.

use super::findings::Findings;
use crate::config::Config;
use crate::play::robot::missing_shelter;

const ABOUT: &str = "engines";

pub(super) fn check(findings: &mut Findings, config: &Config) {
    let engines = &config.robot.engines;
    if engines.is_empty() {
        return;
    }
    for missing in missing_shelter() {
        let advice = "Install util-linux, and let the user of the server make namespaces; docs/hosting.md, \"Engines\".";
        findings.warning(ABOUT, missing, advice);
    }
    for seated in engines.seated() {
        let userid = seated.userid().map(|userid| userid.to_string()).unwrap_or_default();
        match seated.start() {
            Ok(engine) => findings.ok(ABOUT, format!("{userid} is {}", engine.name())),
            Err(why) => {
                let advice =
                    "Try the command as the user of the server. Until it answers, its boards are adjourned.";
                findings.error(ABOUT, format!("{userid} does not answer: {why}"), advice);
            }
        }
    }
}
