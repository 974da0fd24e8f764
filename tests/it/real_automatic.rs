//! Real delivery reports, each come to an envelope sender of ours: what they count.

use std::path::PathBuf;

use crate::support::mails::{reported, site};
use turnpost::mail::bounce::{Status, verp};
use turnpost::mail::incoming::{Envelope, EnvelopeSender};

/// What a report says in fields of its own, wherever they stand: true for class 5, false for class 4 or a delay, nothing
/// where several recipients fared differently.
fn fields_say(mail: &str) -> Option<bool> {
    let has = |start: &str| mail.lines().any(|line| line.starts_with(start));
    match (has("status: 4") || has("action: delayed"), has("status: 5")) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => None,
    }
}

/// With a person in From, as if no server's name gave a report away: its words alone count.
#[test]
fn a_report_at_an_envelope_sender_of_ours_is_read_whoever_sends_it() {
    let Some(folder) = crate::support::real_mails().map(|root| root.join("bounces")) else {
        println!("TURNPOST_EMAILS is not set: no report is read");
        return;
    };
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let to = Envelope { sender: Some(EnvelopeSender::Null), recipient: Some(verp(&site(), 42, b"key")) };
    let (mut permanent, mut found, mut passing, mut wrong, mut silent) = (0, 0, 0, Vec::new(), Vec::new());
    for path in paths.iter().filter(|path| path.is_file()) {
        let bytes = std::fs::read(path).unwrap();
        let report = reported(&bytes, &to).unwrap_or_else(|| panic!("no report: {}", path.display()));
        let read = report.overall();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match fields_say(&String::from_utf8_lossy(&bytes).to_lowercase()) {
            Some(true) => {
                permanent += 1;
                found += usize::from(read == Some(Status::Permanent));
                if read != Some(Status::Permanent) {
                    println!("{name}: {read:?}");
                }
            }
            Some(false) => {
                passing += 1;
                if read == Some(Status::Permanent) {
                    wrong.push(name.clone());
                }
            }
            None => {}
        }
        if read.is_none() {
            silent.push(name);
        }
    }
    println!(
        "{found} of {permanent} permanent failures are found; {passing} passing ones, of which permanent: {wrong:?}"
    );
    println!("nothing is counted: {silent:?}");
    assert_eq!(wrong, Vec::<String>::new());
    assert!(found * 100 >= permanent * 97, "{found} of {permanent}");
}
