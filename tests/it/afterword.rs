//! The letter after the game: the turns that decided it, on one page.

use crate::support::{ANN, BOB, Mail, Stage};
use turnpost_games::dvonn::KIND;
use turnpost_games::{Seat, Setup, Table};

/// Plays so many plies of a shuffled board, each the first legal one, and lets ann resign.
fn played(stage: &mut Stage, plies: usize) -> Vec<Mail> {
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    let options = [("symmetry".to_owned(), None)];
    let mut table: Box<dyn Table> = (KIND.start)(&Setup { options: &options, seed: 7 }).unwrap();
    for _ in 0..plies {
        let (from, name, password) = match table.turn() {
            Seat::First => ("ann@example.org", "ann", ANN),
            Seat::Second => ("bob@example.net", "bob", BOB),
        };
        let ply = table.legal_plies()[0].clone();
        table.play_text(&ply).unwrap();
        stage.mail(from, &format!("dvonn move 1 {name} {password} {ply}"), "");
    }
    stage.mail("ann@example.org", &format!("dvonn resign 1 ann {ANN}"), "")
}

fn words_after(stage: &mut Stage) -> Vec<Mail> {
    stage.think();
    stage.post()
}

#[test]
fn each_player_gets_the_three_turns_that_decided_a_long_game() {
    let mut stage = Stage::with_players();
    let mails = played(&mut stage, 31);
    assert_eq!(mails.len(), 2, "it delays nothing");
    let mut letters = words_after(&mut stage);
    letters.sort_by(|one, other| one.to.cmp(&other.to));
    assert_eq!(
        letters.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(),
        ["ann@example.org", "bob@example.net"]
    );
    for (letter, name, other) in [(&letters[0], "ann", "bob"), (&letters[1], "bob", "ann")] {
        let text = letter.text.replace('\n', " ");
        let opening =
            format!("{name}, here is the robot's view of your game with {other}. Game over: bob (black)");
        assert!(text.starts_with(&opening), "{text}");
        assert_eq!(letter.subject, "dvonn 1, ann v bob");
        // What `proven` means is told where a turn is.
        assert!(text.contains("These turns decided it, in the robot's opinion."), "{text}");
        assert_eq!(text.matches("The board before").count(), 3, "{text}");
        assert!(text.contains(" pieces more"), "{text}");
    }
    assert!(
        letters[0].text.contains(": you played") && letters[0].text.contains(": bob played"),
        "{}",
        letters[0].text
    );
    assert_eq!(words_after(&mut stage), [], "once");
    // The analysis it was made of is kept for whoever asks.
    let answer = stage.mail("bob@example.net", "dvonn analyse 1", "");
    assert!(answer[0].text.contains("Analysis of DVONN 1"), "{}", answer[0].text);
}

#[test]
fn short_games_and_players_who_want_none_get_none() {
    let mut stage = Stage::with_players();
    played(&mut stage, 30);
    assert_eq!(words_after(&mut stage), []);
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", &format!("set ann {ANN} afterword off"), "");
    played(&mut stage, 31);
    let letters = words_after(&mut stage);
    assert_eq!(letters.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["bob@example.net"]);
}
