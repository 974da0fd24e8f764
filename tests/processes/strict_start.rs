//! Mistakes of a host that are found at the start of the server, and what `receive` tells the system's log.

use std::os::unix::net::UnixDatagram;
use std::process::Command;
use std::time::Duration;

use crate::support::ADDRESS;
use crate::support::host::{Host, finish, start};
use crate::support::letter;
use crate::support::serving::Served;

#[test]
fn a_broken_template_is_logged_at_the_start_and_the_built_in_one_used() {
    let host = Host::set_up();
    let folder = host.data().join("texts");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("footer.md"), "The club\n{{ nmae }}\n").unwrap();
    std::fs::write(folder.join("fotter.md"), "x").unwrap();
    let named = folder.display().to_string();
    let served = Served::start(&host, &[("TURNPOST_TEMPLATES", &named), ("TURNPOST_ADRESS", "x@y.org")]);
    let log = served.log();
    for said in [
        "no setting has the variable TURNPOST_ADRESS; did you mean TURNPOST_ADDRESS?",
        "fotter.md: no mail uses a template of this name; did you mean footer.md?",
        "footer.md, line 2: undefined value; the built-in one is used",
    ] {
        assert_eq!(log.matches(said).count(), 1, "{said}\n{log}");
    }
    served.connect().takes(&letter("eve@example.com", "help", "", 1));
    host.wait_for_mails(1);
    let mail = host.sent().remove(0);
    assert!(
        mail.text.contains("operator@turnpost.example") && !mail.text.contains("The club"),
        "{}",
        mail.text
    );
    served.stop();
}

#[test]
fn receive_uses_the_built_in_template_and_notes_the_broken_one_once() {
    let host = Host::set_up();
    let folder = host.data().join("texts");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("footer.md"), "{% if %}\n").unwrap();
    for number in [1, 2] {
        let mut command = host.command(&["receive"]);
        command.env("TURNPOST_TEMPLATES", &folder);
        let mail = letter(&format!("eve{number}@example.com"), "help", "", number);
        finish(start(command, &mail)).assert_silent(0);
    }
    assert_eq!(host.log().matches("footer.md, line 1: syntax error").count(), 1, "{}", host.log());
    assert_eq!(host.delivered().len(), 2);
}

/// What the system's log got so far.
fn logged(socket: &UnixDatagram) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = [0; 2048];
    while let Ok(length) = socket.recv(&mut line) {
        lines.push(String::from_utf8(line[..length].to_vec()).unwrap());
    }
    lines
}

#[test]
fn receive_tells_the_systems_log_and_no_secret() {
    let host = Host::set_up();
    let path = host.data().join("log");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let receive = |mail: &[u8], variables: &[(&str, &str)]| {
        let mut command = host.command(&["receive", "--recipient", ADDRESS]);
        command.env("TURNPOST_SYSLOG", &path).envs(variables.iter().copied());
        finish(start(command, mail))
    };
    receive(&letter("ann@example.org", "signup ann plover-42", "", 1), &[]).assert_silent(0);
    assert_eq!(logged(&socket), Vec::<String>::new(), "a letter that was acted on is in the database");
    receive(b"From: ann@example.org\nAuto-Submitted: auto-replied\nSubject: plover-42\n\nplover-42\n", &[])
        .assert_silent(0);
    receive(&letter("ann@example.org", "plover-42", "", 2), &[("TURNPOST_SMTP_PORT", "many")])
        .assert_silent(75);
    std::fs::write(host.database(), "plover-42 is no database").unwrap();
    receive(&letter("ann@example.org", "plover-42", "", 3), &[]).assert_silent(75);
    let lines = logged(&socket);
    let ends: Vec<(&str, &str)> =
        lines.iter().map(|line| (&line[..4], line.split_once("]: ").unwrap().1)).collect();
    assert_eq!(ends[0], ("<22>", "mail set aside: automatic mail: Auto-Submitted says so"));
    assert_eq!(ends.len(), 2, "{lines:?}");
    assert_eq!(ends[1].0, "<19>");
    assert!(ends[1].1.starts_with("mail left with the mail server: database: "), "{lines:?}");
    assert!(lines.iter().all(|line| line.contains(" turnpost[") && !line.contains("plover-42")), "{lines:?}");

    // Without a socket there is no log, and the mail is none the worse.
    drop(socket);
    std::fs::remove_file(&path).unwrap();
    receive(&letter("ann@example.org", "help", "", 4), &[]).assert_silent(75);
    assert!(host.log().lines().count() >= 4, "{}", host.log());
}

#[test]
fn serve_does_not_start_on_a_disk_that_can_only_be_read() {
    let host = Host::new();
    host.run(&["submit", "help"], b"").ok();
    let data = host.data().to_str().unwrap();
    // A mount of its own, which ends with the process.
    let script =
        "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && exec \"$0\" --data \"$1\" serve";
    // One that starts all the same would stay.
    let mut command = Command::new("timeout");
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.args([
        "30",
        "unshare",
        "--mount",
        "--map-root-user",
        "sh",
        "-c",
        script,
        env!("CARGO_BIN_EXE_turnpost"),
        data,
    ]);
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, format!("turnpost: {data}: the disk can only be read; mount it for writing\n"));
    assert_eq!(output.status.code(), Some(75));
}
