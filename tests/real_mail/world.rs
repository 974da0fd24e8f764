//! A machine of the test's own: namespaces with mail servers unpacked over the files of this one.
//!
//! A test calls [`on`] first. Outside it starts itself again inside and judges by how that ends; inside it goes on.
//! When the test ends, so does every process of that machine, and its files were in memory.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const INSIDE: &str = "TURNPOST_REAL_MAIL";

/// Whether the test goes on here, on a machine with these servers (folders that `.ci/servers` fills).
pub fn on(test: &str, servers: &[&str]) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let place = tempfile::tempdir().unwrap();
    let packages: Vec<String> = servers.iter().map(|name| folder(name).display().to_string()).collect();
    let entered = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--net", "--ipc"])
        .args(["sh", "-c", include_str!("enter.sh"), "enter"])
        .arg(place.path())
        .arg(packages.join(" "))
        .arg(std::env::current_exe().unwrap())
        .arg(env!("CARGO_BIN_EXE_turnpost"))
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env_clear()
        .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
        .env(INSIDE, "yes")
        .output()
        .expect("unshare and sh are needed, and the rights of the superuser");
    // What the test says of its game, without what its harness says of the test.
    for line in String::from_utf8_lossy(&entered.stdout).lines().filter(|line| line.contains(" plies in ")) {
        println!("{}", line.split_once(" ... ").map_or(line, |(_, said)| said));
    }
    let said = String::from_utf8_lossy(&entered.stderr);
    assert!(entered.status.success(), "{test} failed on its own machine, or that could not be made:\n{said}");
    false
}

/// Where a server lies unpacked.
pub fn folder(name: &str) -> PathBuf {
    let servers = match std::env::var_os("TURNPOST_SERVERS") {
        Some(folder) => PathBuf::from(folder),
        None => {
            let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
            let home = || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache");
            cache.unwrap_or_else(home).join("turnpost/servers")
        }
    };
    let folder = servers.join(name);
    assert!(folder.is_dir(), "{} is missing: run .ci/servers, which unpacks it", folder.display());
    folder
}

/// Writes a file, and the folders above it.
pub fn write(path: &str, text: &str) {
    std::fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Adds to the end of a file.
pub fn append(path: &str, text: &str) {
    let before = std::fs::read_to_string(path).unwrap_or_default();
    write(path, &format!("{before}{text}"));
}

/// Adds a user with a group of that name.
pub fn add_user(name: &str, number: u32, home: &str) {
    append("/etc/group", &format!("{name}:x:{number}:\n"));
    append("/etc/passwd", &format!("{name}:x:{number}:{number}::{home}:/usr/sbin/nologin\n"));
    append("/etc/shadow", &format!("{name}:!:20000:0:99999:7:::\n"));
}

/// Runs a program to its end, which must be a good one, and gives what it printed.
pub fn run(program: &str, arguments: &[&str]) -> String {
    let ran = Command::new(program).args(arguments).output().unwrap_or_else(|why| panic!("{program}: {why}"));
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{program} {arguments:?}: {}\n{out}{err}", ran.status);
    out.into_owned()
}

/// Where the servers of the machine say what they do.
const LOGS: [&str; 12] = [
    "/var/log/mail.log",
    "/var/log/dovecot.log",
    "/var/log/exim4/mainlog",
    "/var/log/getmail.log",
    "/var/log/fetchmail.log",
    "/var/log/turnpost.log",
    "/var/lib/turnpost/turnpost.log",
    "/var/log/caddy.log",
    "/var/log/nginx.out",
    "/var/log/nginx/error.log",
    "/var/log/apache.out",
    "/var/log/apache2/error.log",
];

/// The ends of all logs, for a test that fails.
pub fn logs() -> String {
    let mut all = String::new();
    for log in LOGS {
        if let Ok(text) = std::fs::read_to_string(log) {
            let lines: Vec<&str> = text.lines().collect();
            all.push_str(&format!("== {log}\n{}\n", lines[lines.len().saturating_sub(60)..].join("\n")));
        }
    }
    all
}

/// Waits until one of the logs has these words.
pub fn wait_for_log(words: &str) {
    let start = Instant::now();
    while !LOGS.iter().any(|log| std::fs::read_to_string(log).is_ok_and(|text| text.contains(words))) {
        assert!(start.elapsed() < Duration::from_secs(20), "no log has {words:?}\n{}", logs());
        std::thread::sleep(Duration::from_millis(20));
    }
}
