//! What is around an engine's process: no network, limits of memory and processor time, low priority. The programs of
//! util-linux do this, because this server has no `unsafe` code of its own.

use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Niceness of an engine: mail comes first.
const NICE: [&str; 3] = ["nice", "-n", "10"];

const LIMITS: [&str; 2] = ["prlimit", "--core=0"];

/// Namespaces of its own: no network, and no process that outlives the engine.
const NO_NETWORK: [&str; 6] = ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"];

/// Whether limits and namespaces work on this machine.
fn tried() -> [bool; 2] {
    static TRIED: OnceLock<[bool; 2]> = OnceLock::new();
    let works = |words: &[&str]| {
        let mut command = Command::new(words.first().copied().unwrap_or_default());
        command.args(words.iter().skip(1)).arg("true");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    *TRIED.get_or_init(|| [works(&LIMITS), works(&NO_NETWORK)])
}

/// What this machine cannot do for engines, a sentence each.
pub fn missing_shelter() -> Vec<&'static str> {
    let [has_limits, has_no_network] = tried();
    let limits = "`prlimit` does not work here: engines have no limit of memory";
    let network = "`unshare --net` does not work here: engines can use the network";
    let missing = [(has_limits, limits), (has_no_network, network)];
    missing.into_iter().filter(|(has, _)| !has).map(|(_, why)| why).collect()
}

/// The words in front of an engine's command. `memory` is in MiB, and `time` in seconds per move. An engine whose server
/// was killed ends after thirty times of that.
pub(super) fn shelter(memory: u32, time: u32) -> Vec<String> {
    let [has_limits, has_no_network] = tried();
    let mut words = NICE.map(str::to_owned).to_vec();
    if has_limits {
        words.extend(LIMITS.map(str::to_owned));
        words.extend([format!("--as={}", u64::from(memory) << 20), format!("--cpu={}", 30 * time)]);
    }
    if has_no_network {
        words.extend(NO_NETWORK.map(str::to_owned));
    }
    words
}
