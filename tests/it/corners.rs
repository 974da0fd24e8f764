//! Where two commands meet, as far as no scene tells of it (`tests/scenes/corners.txt`).

use crate::support::Stage;
use turnpost::board::Board;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_position_whose_side_to_move_has_no_move_begins_with_a_pass() {
    let mut stage = Stage::with_players();
    // A position of a played game in which the server had to pass.
    let position = (1..200usize)
        .find_map(|step| {
            let options = [("symmetry".to_owned(), None)];
            let setup = turnpost_games::Setup { options: &options, seed: 7 };
            let mut table = (turnpost_games::dvonn::KIND.start)(&setup).unwrap();
            for round in 0.. {
                if table.forced_ply().is_some() || table.ended().is_some() {
                    break;
                }
                let legal = table.legal_plies();
                table.play_text(&legal[round * step % legal.len()]).unwrap();
            }
            table.forced_ply().map(|_| table.position())
        })
        .unwrap();
    let challenge = format!("dvonn challenge \"-position={position}\" ann bob");
    let mails = stage.mail("ann@example.org", &challenge, "");
    let board = Board::load(&stage.store, BoardId(1)).unwrap().unwrap_or_else(|| panic!("{mails:?}"));
    assert_eq!((board.row.plies.0, board.table.forced_ply()), (1, None));
    assert!(mails.iter().all(|mail| flat(&mail.text).contains("has no move and passes.")), "{mails:?}");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_mirrored_position_of_a_running_board_is_refused() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", "dvonn challenge -random -seed=7 ann bob", "");
    let position = Board::load(&stage.store, BoardId(1)).unwrap().unwrap().row.position;
    let (board, rest) = position.split_once(' ').unwrap();
    let mirror: Vec<String> =
        board.split('/').map(|row| row.split(',').rev().collect::<Vec<_>>().join(",")).collect();
    let turned: Vec<String> = mirror.iter().rev().cloned().collect();
    for rows in [mirror.join("/"), turned.join("/")] {
        let line = format!("dvonn challenge \"-position={rows} {rest}\" ann bob");
        let (answer, well, _) = stage.submit(Operator::AsAnyone, &line);
        assert!(!well && flat(&answer).contains("or its mirror, stands"), "{answer}");
    }
}
