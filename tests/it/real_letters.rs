//! A game played by letters as Gmail, Outlook, Apple Mail, Thunderbird, mutt and a telephone write them, through the
//! real program and back out of its files.

use std::path::{Path, PathBuf};

use crate::support::host::Host;
use crate::support::mails::{password_of, yes};
use crate::support::{ANN, BOB, files_below};
use turnpost_games::Setup;
use turnpost_games::dvonn::KIND;

/// What each letter plays, by the beginning of its file's name.
const PLIES: [(&str, &str); 6] =
    [("4", "D1-E1"), ("5", "K3-J2"), ("6", "E1-G1"), ("7", "I1-H1"), ("8", "A3-B3"), ("9", "H1-F1")];

fn letters() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters/game");
    let name = |file: PathBuf| file.file_name().unwrap().to_string_lossy().into_owned();
    files_below(&folder).into_iter().map(|(file, mail)| (name(file), mail)).collect()
}

#[test]
fn a_game_by_the_mail_programs_of_this_world() {
    let host = Host::set_up();
    let options = [("symmetry".to_owned(), None), ("seed".to_owned(), Some("7".to_owned()))];
    let mut table = (KIND.start)(&Setup { options: &options, seed: 7 }).unwrap();
    let mut seen = 0;
    for (name, letter) in letters() {
        host.receive(&letter).assert_silent(0);
        let mails = host.delivered();
        let new = mails.get(seen..).unwrap();
        seen = mails.len();
        let ply = PLIES.iter().find(|(begins, _)| name.starts_with(begins)).map(|(_, ply)| *ply);
        let Some(ply) = ply else {
            assert_eq!(new.len(), if name.starts_with('3') { 2 } else { 1 }, "{name}");
            // Whoever signs up is asked, and says yes.
            if let Some(yes) = new.first().and_then(|mail| yes(mail, seen as u32, &password_of(&letter)?)) {
                host.receive(&yes).assert_silent(0);
                seen = host.delivered().len();
            }
            continue;
        };
        table.play_text(ply).unwrap();
        assert_eq!(new.len(), 2, "{name}: to the mover and to the opponent");
        for mail in new {
            assert!(mail.text.contains(ply), "{name}\n{}", mail.text);
            let is_receipt = mail.subject.starts_with("Waiting for ");
            assert!(is_receipt || mail.subject.starts_with("Your move: dvonn 1 against "), "{name}");
            let drawing = format!("\n\n{}", table.drawing().board);
            assert!(is_receipt || mail.text.contains(&drawing), "{name}\n{}", mail.text);
            assert!(!mail.text.contains("no command"), "{name}\n{}", mail.text);
            for password in [ANN, BOB] {
                assert!(!mail.raw().contains(password) && !mail.text.contains(password), "{name}");
            }
        }
        // Each finds the opponent's mail below the ones before it.
        let opponent = new.last().unwrap();
        let earlier = mails.iter().find(|mail| mail.to == opponent.to && mail.subject.contains("dvonn 1"));
        assert!(opponent.references.contains(&earlier.unwrap().id), "{name}");
    }
    let board: serde_json::Value =
        serde_json::from_str(host.run(&["admin", "board", "1", "--json"], b"").ok()).unwrap();
    assert_eq!(board["position"], table.position());
    let played: Vec<&str> =
        board["plies"].as_array().unwrap().iter().map(|ply| ply["move"].as_str().unwrap()).collect();
    assert_eq!(played, PLIES.map(|(_, ply)| ply));
    // The same letters once more: all are known, nothing is sent.
    for (_, letter) in letters() {
        host.receive(&letter).assert_silent(0);
    }
    assert_eq!(host.delivered().len(), seen);
    host.assert_verified();
}
