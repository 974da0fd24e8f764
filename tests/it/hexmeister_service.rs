//! Hexmeister through the whole house: turns of several plies from one word, from one letter and from several.

use std::path::Path;

use tempfile::TempDir;
use turnpost::board::verify::verify;
use turnpost::cli::Instance;
use turnpost::cli::submit::{Submission, SubmitOutcome, submit};
use turnpost::config::Config;
use turnpost::ids::{BoardId, Seat};
use turnpost::mail::Operator;
use turnpost::store::EventKind;

/// A server with ann and bob.
struct Conversation {
    server: Instance,
    _data: TempDir,
}

impl Conversation {
    fn begin() -> Conversation {
        let data = TempDir::new().unwrap();
        let server = Instance::open(data.path() as &Path, Config::default()).unwrap();
        let mut conversation = Conversation { server, _data: data };
        for line in ["signup ann plover-42 ann@example.org", "signup bob heron-77 bob@example.org"] {
            assert!(conversation.submit(line).ends_well);
        }
        conversation
    }

    fn submit(&mut self, text: &str) -> SubmitOutcome {
        let submission = Submission { speaks_for: Operator::AsAnyone, from: None, text: text.to_owned() };
        submit(&mut self.server, submission).unwrap()
    }

    /// What a command that is carried out answers.
    fn done(&mut self, text: &str) -> String {
        let answered = self.submit(text);
        assert!(answered.ends_well, "{text}: {}", answered.text);
        answered.text
    }

    /// What a command that is refused answers, in one line; nothing has changed.
    fn refused(&mut self, text: &str) -> String {
        let before = self.record();
        let answered = self.submit(text);
        assert!(!answered.ends_well, "{text}: {}", answered.text);
        assert_eq!(self.record(), before);
        answered.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The plies of board 1 with their numbers and seats: `1w c1`.
    fn record(&self) -> Vec<String> {
        let events = self.server.store.events(BoardId(1)).unwrap();
        events
            .iter()
            .filter(|event| event.kind == EventKind::Ply)
            .map(|event| {
                format!("{}{} {}", event.ply.unwrap(), event.seat.unwrap().of(&["w", "b"]), event.text)
            })
            .collect()
    }

    fn turn(&self) -> Option<Seat> {
        self.server.store.board(BoardId(1)).unwrap().unwrap().to_move
    }

    fn verified(&self) {
        let findings = verify(&self.server.store).unwrap();
        assert!(findings.wrong.is_empty() && findings.boards > 0, "{:?}", findings.wrong);
    }
}

/// White's c10 has two black stones beside it, and black's d8 can go beside it too.
const CAPTURE: &str =
    "....../.bwb..w/......../...b...../........../..........b/........../......w../......../......./...w..";

/// White's only stone stands in the corner a11, behind ring cells that black secures.
const SHUT_IN: &str =
    "w.b.../.bb..../bb....../........b/........../.........../........../........./......../......./......";

/// White wants i6 and k6 for a line of five.
const FIVE: &str =
    "....../......./......../........./........../w.w..w.w.w./........../........./......../......./......";

#[test]
fn a_game_from_challenge_to_resignation() {
    let mut app = Conversation::begin();
    let answer = app.done("hexmeister challenge ann bob");
    assert!(answer.contains("a11 __") && answer.contains("It is ann's turn (white), ply 1"), "{answer}");
    app.done("hexmeister move 1 ann - e1#1");
    app.done("hexmeister move 1 bob - d11#2");
    let refusal = app.refused("hexmeister move 1 bob - d11-d10#3");
    assert!(refusal.contains("It is ann's turn on board 1 (ply 3)"), "{refusal}");
    let refusal = app.refused("hexmeister move 1 ann - e1-e2#4");
    assert!(refusal.contains("This is ply 3, and your move is marked for ply 4"), "{refusal}");
    let refusal = app.refused("hexmeister move 1 ann - e1-f6");
    assert!(
        refusal.contains("f6 is a gate, and a stone enters a gate only from a cell next to it."),
        "{refusal}"
    );

    // A stone beside a gate for each: then ann enters it, and her bonus in the same word enters nothing.
    for (player, ply) in [("ann", "e1-f5"), ("bob", "d11-e7"), ("ann", "d1"), ("bob", "c11")] {
        app.done(&format!("hexmeister move 1 {player} - {ply}"));
    }
    let preview = app.done("hexmeister preview 1 f5-f6+d1-d2");
    assert!(
        preview.contains("/w#\\") && preview.contains("It would be bob's turn (black), ply 9"),
        "{preview}"
    );
    assert_eq!(app.record().len(), 6);
    let preview = app.done("hexmeister preview 1 f5-f6");
    assert!(preview.contains("White has a bonus move, to be used or declined with `done`."), "{preview}");
    let answer = app.done("hexmeister move 1 ann - f5-f6#7+d1-d2#8");
    assert!(answer.contains("it is bob's move (ply 9): you played f5-f6, d1-d2."), "{answer}");
    assert_eq!(
        app.record(),
        ["1w e1", "2b d11", "3w e1-f5", "4b d11-e7", "5w d1", "6b c11", "7w f5-f6", "8w d1-d2"]
    );

    // Bob's turn takes two letters.
    for (player, ply) in [("bob", "c11-c10"), ("ann", "d2-e2")] {
        app.done(&format!("hexmeister move 1 {player} - {ply}"));
    }
    let answer = app.done("hexmeister move 1 bob - c10-c9#11");
    assert!(answer.contains("your move (ply 12) against ann: you played c10-c9."), "{answer}");
    assert!(answer.contains("Black has a bonus move, to be used or declined with `done`."), "{answer}");
    assert_eq!(app.turn(), Some(Seat::Second));
    let refusal = app.refused("hexmeister move 1 ann - e2-d2");
    assert!(refusal.contains("It is bob's turn on board 1 (ply 12)"), "{refusal}");
    let refusal = app.refused("hexmeister move 1 bob - b11");
    assert!(refusal.contains("A bonus is a move with a stone on the board, not a drop"), "{refusal}");
    app.done("hexmeister move 1 bob - done#12");
    assert_eq!(app.turn(), Some(Seat::First));

    // A bonus declined in the same word, and one more ply than the turn has.
    app.done("hexmeister move 1 ann - f6-f5");
    app.done("hexmeister move 1 bob - e7-f6+");
    assert_eq!(app.record()[12..], ["13w f6-f5", "14b e7-f6", "15b done"]);
    let refusal = app.refused("hexmeister move 1 ann - e2-d2+d2-e2");
    assert!(
        refusal.contains("After e2-d2 it is bob's turn (ply 17), and your command goes on."),
        "{refusal}"
    );
    let refusal = app.refused("hexmeister move 1 ann - +e2-d2");
    assert!(refusal.contains("A + stands before a bonus, and there is none to use here"), "{refusal}");

    let shown = app.done("hexmeister show 1#7");
    assert!(shown.contains("/w#\\") && shown.contains("White has a bonus move"), "{shown}");
    assert!(app.done("hexmeister show 1#0").contains("white 0, 18, 0; black 0, 18, 0."));
    let answer = app.done("hexmeister resign 1 bob -");
    assert!(answer.contains("ann (white) wins"), "{answer}");
    assert!(app.done("hexmeister games ann all").contains("ann v bob"));
    app.verified();
}

#[test]
fn a_capture_from_a_given_position_and_a_forced_pass() {
    let mut app = Conversation::begin();
    app.done(&format!("hexmeister challenge \"-position={CAPTURE} b\" ann bob"));
    let answer = app.done("hexmeister move 1 bob - d8-c9+k6-j6");
    let answer: String = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(answer.contains("White's stone on c10 is captured."), "{answer}");
    assert_eq!(app.record(), ["1b d8-c9", "2b k6-j6"]);

    // White's only stone is shut in and there is none to drop: the server passes for white.
    app.done("hexmeister resign 1 bob -");
    app.done(&format!("hexmeister challenge \"-position={SHUT_IN} b 0,12\" ann bob"));
    let answer = app.done("hexmeister move 2 bob - i8-h8");
    assert!(answer.replace('\n', " ").contains("ann has no move and passes"), "{answer}");
    let events = app.server.store.events(BoardId(2)).unwrap();
    assert_eq!(events.iter().map(|event| event.text.as_str()).skip(1).collect::<Vec<_>>(), ["i8-h8", "pass"]);
    app.verified();
}

#[test]
fn a_game_that_is_won_in_the_middle_of_a_word() {
    let mut app = Conversation::begin();
    app.done(&format!("hexmeister challenge \"-position={FIVE} w\" ann bob"));
    let refusal = app.refused("hexmeister move 1 ann - h6-i6+j6-k6+");
    assert!(refusal.contains("After h6-i6, j6-k6 the game is over, and your command goes on."), "{refusal}");
    let answer = app.done("hexmeister move 1 ann - h6-i6+j6-k6");
    assert!(answer.contains("Game over: ann (white) wins, five gates in a line."), "{answer}");
    let refusal = app.refused("hexmeister move 1 bob - a11");
    assert!(refusal.contains("Board 1 is over"), "{refusal}");
    app.verified();
}
