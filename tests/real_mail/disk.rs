//! A disk of the test's own that runs full: what the system says then (ENOSPC) no limit of a process says.

use std::io::Write;
use std::process::{Command, Stdio};

use super::world::{run, write};

const DATA: &str = "/var/lib/turnpost";
const FILLER: &str = "/var/lib/turnpost/filler";
const PAGE: u64 = 4096;

/// Runs the program; gives its exit code and what it printed.
fn turnpost(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut child = Command::new("/usr/local/bin/turnpost")
        .args(["--data", DATA])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let ran = child.wait_with_output().unwrap();
    let said = [ran.stdout, ran.stderr].concat();
    (ran.status.code(), String::from_utf8(said).unwrap())
}

fn well(arguments: &[&str], input: &str) -> String {
    let (code, said) = turnpost(arguments, input);
    assert_eq!(code, Some(0), "{arguments:?}: {said}");
    said
}

/// Plays plies, each on a disk that has no room at first and then more, a page at a time; gives how often a letter was
/// left with the mail server.
pub fn fill_up() -> usize {
    run("mkdir", &["-p", DATA]);
    run("mount", &["-t", "tmpfs", "-o", "size=2m,mode=0700", "turnpost", DATA]);
    write(
        &format!("{DATA}/turnpost.toml"),
        "address = \"play@example.org\"\noperator = \"you@example.org\"\n",
    );
    well(&["submit"], "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.org\n");
    well(&["submit", "--as-anyone"], "dvonn challenge ann bob\n");
    let mut refused = 0;
    for (number, (userid, password, ply)) in
        [("ann", "plover-42", "F3"), ("bob", "dunlin-7", "E3"), ("ann", "plover-42", "G3")]
            .into_iter()
            .enumerate()
    {
        let letter = format!(
            "From: {userid}@example.org\nTo: play@example.org\nMessage-ID: <{number}@example.org>\n\
             Subject: dvonn move 1 {userid} {password} {ply}\n\n"
        );
        let before = well(&["admin", "board", "1"], "");
        let mut room = fill();
        loop {
            let (code, said) = turnpost(&["receive"], &letter);
            assert_eq!(said, "");
            if code == Some(0) {
                break;
            }
            assert_eq!(code, Some(75));
            assert_eq!(well(&["admin", "board", "1"], ""), before, "played, and left with the mail server");
            refused += 1;
            room = room.saturating_sub(PAGE);
            std::fs::File::options().write(true).open(FILLER).unwrap().set_len(room).unwrap();
        }
        std::fs::remove_file(FILLER).unwrap();
        let after = well(&["admin", "board", "1"], "");
        assert_ne!(after, before);
        // It comes again: it was taken.
        assert_eq!(turnpost(&["receive"], &letter), (Some(0), String::new()));
        assert_eq!(well(&["admin", "board", "1"], ""), after);
        well(&["admin", "verify"], "");
    }
    assert!(refused >= 3, "the disk was never full");
    refused
}

/// Writes until there is no room left; gives how much was written.
fn fill() -> u64 {
    let mut filler = std::fs::File::create(FILLER).unwrap();
    let mut written = 0;
    loop {
        match filler.write(&[0; PAGE as usize]) {
            Ok(0) | Err(_) => return written,
            Ok(octets) => written += octets as u64,
        }
    }
}
