//! What a move would do is told before it is played, in the words that tell it afterwards.

use crate::support::{ANN, BOB, Stage};
use turnpost::board::Board;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;

const LETTERS: [(&str, &str, &str); 2] = [("ann@example.org", "ann", ANN), ("bob@example.net", "bob", BOB)];

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Plays a game that takes what it can, and looks at each move that does more than move before it plays it.
fn looks_ahead(game: &str, options: &str, choose: impl Fn(usize) -> usize) -> usize {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", &format!("{game} challenge {options} ann bob"), "");
    let mut told = 0;
    for round in 0..200 {
        let board = Board::load(&stage.store, BoardId(1)).unwrap().unwrap();
        let Some(seat) = board.row.to_move.filter(|_| told < 12) else { break };
        let legal = board.table.legal_plies();
        let takes = |ply: &&String| !board.table.copy().play_text(ply).unwrap().remarks.is_empty();
        let chosen = &legal[choose(round) % legal.len()];
        let ply = legal.iter().find(takes).unwrap_or(chosen).clone();
        let mut table = board.table.copy();
        let remarks = table.play_text(&ply).unwrap().remarks;
        let passes = table.forced_ply().is_some() && table.turn() != seat;
        let (from, userid, password) = LETTERS[seat.index()];
        if !remarks.is_empty() || passes {
            told += 1;
            let (preview, _, _) = stage.submit(Operator::Nobody, &format!("{game} preview 1 {ply}"));
            let submit = stage.mail(from, &format!("{game} submit 1 {userid} {password} {ply}"), "");
            let (shown, _, _) =
                stage.submit(Operator::Nobody, &format!("{game} showas {userid} {password} 1"));
            for remark in &remarks {
                for text in [&preview, &submit[0].text, &shown] {
                    assert!(flat(text).contains(remark.as_str()), "{remark}\n{text}");
                }
            }
            if passes {
                for text in [&preview, &submit[0].text, &shown] {
                    assert!(flat(text).contains("has no move and passes."), "{text}");
                }
            }
        }
        let mails = stage.mail(from, &format!("{game} move 1 {userid} {password} {ply}"), "");
        for remark in &remarks {
            assert!(
                mails.iter().all(|mail| flat(&mail.text).contains(remark.as_str())),
                "{remark}\n{mails:?}"
            );
        }
    }
    assert_eq!(stage.wrong(), Vec::<String>::new());
    told
}

#[test]
fn what_would_leave_the_board_is_told_before_the_move_as_after_it() {
    assert!(looks_ahead("dvonn", "-symmetry -seed=7", |round| round * 7) > 3);
}

#[test]
fn a_capture_is_told_before_the_move_as_after_it() {
    assert!(looks_ahead("hexmeister", "", |round| round * 7919 + round * round * 31) > 0);
}

#[test]
fn a_queue_tells_what_its_moves_would_do() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    for round in 0..200 {
        let board = Board::load(&stage.store, BoardId(1)).unwrap().unwrap();
        let Some(seat) = board.row.to_move else { break };
        let (from, userid, password) = LETTERS[seat.index()];
        let (_, other, theirs) = LETTERS[1 - seat.index()];
        let legal = board.table.legal_plies();
        // The other side's answer to a ply of this side, if some such answer removes pieces.
        for ply in &legal {
            let mut table = board.table.copy();
            table.play_text(ply).unwrap();
            if table.turn() == seat || table.forced_ply().is_some() {
                continue;
            }
            for answer in table.legal_plies() {
                let remarks = table.copy().play_text(&answer).unwrap().remarks;
                if remarks.is_empty() {
                    continue;
                }
                let queue = format!("dvonn queue 1 {other} {theirs} if {ply} then {answer}");
                let (queued, well, _) = stage.submit(Operator::Nobody, &queue);
                assert!(well, "{queued}");
                let expected = format!("After {ply}, {answer}: {}", remarks[0]);
                assert!(flat(&queued).contains(&expected), "{expected}\n{queued}");
                return;
            }
        }
        let ply = &legal[round * 7 % legal.len()];
        stage.mail(from, &format!("dvonn move 1 {userid} {password} {ply}"), "");
    }
    panic!("no answer removed anything");
}
