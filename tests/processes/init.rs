//! `turnpost init`: a new server, and the lines for its mail server.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::host::{Host, Ran, finish};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Whoever runs the tests.
pub fn user() -> String {
    let id = Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(id.stdout).unwrap().trim().to_owned()
}

/// Runs the program with a data directory that is not there yet, below a folder of the test.
fn init(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
    command.env_clear().current_dir(folder).arg("init").args(["--user", &user()]).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(command.spawn().unwrap())
}

fn run(data: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
    command.env_clear().env("TURNPOST_DATA", data).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(command.spawn().unwrap())
}

#[test]
fn it_makes_a_server_that_works() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let arguments = [
        "--data",
        "data",
        "--address",
        "play@club.org",
        "--operator",
        "ann@club.org",
        "--mail-server",
        "mailbox",
    ];
    let ran = init(folder.path(), &arguments);
    assert_eq!(ran.err, "");
    let out = ran.ok();
    assert!(out.starts_with(&format!("# made {}, which belongs to {}", data.display(), user())), "{out}");
    assert!(out.contains(&format!("# wrote {}\n", data.join("turnpost.toml").display())), "{out}");
    assert!(!out.contains("from now on"), "{out}");
    assert_eq!(
        (mode(&data), mode(&data.join("turnpost.toml")), mode(&data.join("turnpost.db"))),
        (0o700, 0o600, 0o600)
    );
    let config = run(&data, &["config"]);
    assert!(
        config.ok().contains("address = \"play@club.org\"\n")
            && config.out.contains("operator = \"ann@club.org\"\n")
    );
    assert!(run(&data, &["submit", "help"]).ok().contains("signup"));
}

#[test]
fn what_is_there_stays_and_the_lines_come_again() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    init(folder.path(), &["--data", "data", "--address", "play@club.org"]).ok();
    assert!(run(&data, &["config"]).ok().contains("operator = \"postmaster@club.org\""));
    let file = data.join("turnpost.toml");
    std::fs::write(&file, "address = 'chess@club.org'\noperator = 'bob@club.org'\n").unwrap();
    let before = std::fs::read(data.join("turnpost.db")).unwrap();
    let ran = init(folder.path(), &["--data", "data", "--address", "play@club.org", "--mail-server", "exim"]);
    let out = ran.ok();
    assert!(out.contains("is there already and stays as it is: the address is chess@club.org"), "{out}");
    assert!(out.contains("  local_parts = chess\n"), "{out}");
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("address = 'chess@club.org'"));
    assert_eq!(std::fs::read(data.join("turnpost.db")).unwrap(), before);
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, says) in [
        (&["--data", "a", "--address", "nobody"][..], "a mail address such as play@example.org"),
        (&["--data", "a"], "which address do players write to?"),
        (&["--data", "a b", "--address", "play@club.org"], "characters that mail servers read"),
    ] {
        let ran = init(folder.path(), arguments);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains(says), "{}", ran.err);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A configuration elsewhere is one that the lines must name.
#[test]
fn the_lines_name_a_configuration_that_the_program_would_not_find() {
    let host = Host::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("t.toml");
    let data = host.data().to_str().unwrap();
    let named = file.to_str().unwrap();
    let arguments =
        ["--data", data, "--config", named, "--address", "play@club.org", "--mail-server", "postfix-pipe"];
    let ran = init(elsewhere.path(), &arguments);
    let line = format!("turnpost --data {data} --config {named} receive --sender ${{sender}}");
    assert!(ran.ok().contains(&line), "{}", ran.out);
    assert_eq!(mode(&file), 0o640);
}

/// The page that tells what to do with the second machine has the lines that are printed.
#[test]
fn the_lines_of_a_second_machine() {
    let folder = tempfile::tempdir().unwrap();
    let ran = init(folder.path(), &["--data", "data", "--address", "play@club.org", "--standby"]);
    let out = ran.ok();
    let data = folder.path().join("data").display().to_string();
    for line in [
        format!("  - path: {data}/turnpost.db"),
        "      host: second.club.org:22".to_owned(),
        "club.org.  MX  20 second.club.org.".to_owned(),
        "replica = \"litestream\"".to_owned(),
        format!("ExecStart=/usr/bin/litestream replicate -config {LITESTREAM}"),
    ] {
        assert!(out.lines().any(|printed| printed == line), "no {line:?} in\n{out}");
    }
    assert!(out.contains(" doctor --round-trip\n") && !out.contains("postmap"), "{out}");
    let page = include_str!("../../docs/operations.md");
    for lines in ["promotion", "aside", "alone", "switch"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/litestream").join(lines);
        for line in std::fs::read_to_string(file).unwrap().lines() {
            assert!(page.lines().any(|shown| shown.trim_start() == line), "{line}");
        }
    }

    let named = ["--data", "data", "--standby", "--first", "ada.club.org", "--second", "bo.example.net"];
    let there = init(folder.path(), &named).ok().to_owned();
    let back = init(folder.path(), &[&named[..], &["--back"]].concat()).ok().to_owned();
    for (lines, first, second) in
        [(&there, "ada.club.org", "bo.example.net"), (&back, "bo.example.net", "ada.club.org")]
    {
        assert!(lines.contains(&format!("      host: {second}:22\n")), "{lines}");
        assert!(
            lines.contains(&format!("club.org.  MX  10 {first}.\nclub.org.  MX  20 {second}.\n")),
            "{lines}"
        );
        assert!(!lines.contains("first.club.org") && !lines.contains("second.club.org"), "{lines}");
        assert!(lines.contains(&format!("\n# When {first} is gone")), "{lines}");
    }
    assert!(back.contains("\nsystemctl disable --now litestream\n"), "{back}");
    let ran = init(folder.path(), &["--data", "data", "--standby", "--second", "bo;reboot"]);
    assert!(ran.code == Some(1) && ran.err.contains("bo;reboot has characters"), "{ran:?}");
}

/// The first machine's database comes there; `serve` would work with one that `init` made.
#[test]
fn a_second_machine_has_no_database_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let settings =
        "address = \"play@club.org\"\n[keep]\nreplica = \"litestream\"\nreplica_folder = \"/replica\"\n";
    std::fs::write(folder.path().join("first.toml"), settings).unwrap();
    init(folder.path(), &["--data", "data", "--config", "first.toml"]).ok();
    assert!(!folder.path().join("data/turnpost.db").exists());
}

const LITESTREAM: &str = "/etc/turnpost/litestream.yml";
