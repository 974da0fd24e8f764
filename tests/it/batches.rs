//! Several letters in one transaction.

use crate::scenes::phone_reply;
use crate::support::{ADDRESS, ANN, BOB, Stage, letter};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use turnpost::app::App;
use turnpost::commands::Command;
use turnpost::commands::answer::QuestionAnswer;
use turnpost::config::Config;
use turnpost::failure::Error;
use turnpost::mail::incoming::{self, Envelope, Incoming};
use turnpost::mail::{Letter, ReplyToken};
use turnpost::pipeline::{Handled, Prepared, Waiting, Work, handle_batch};
use turnpost::play::Rollback;

fn first_move(board: u32) -> Vec<u8> {
    letter("ann@example.org", &format!("dvonn move {board} ann {ANN} D1-E1"), "", 1000 + board)
}

/// A letter as the clerk is handed it.
fn waiting(stage: &Stage, app: &App, mail: &[u8]) -> Waiting {
    let Incoming::Letter(letter) = incoming::read(mail, &Envelope::default(), &app.server) else {
        panic!("no letter")
    };
    let prepared = Prepared::new(&stage.store, app, (&letter, None), stage.now).unwrap().unwrap();
    Waiting { letter, work: Work::Act(Box::new(prepared)) }
}

/// The button of an invitation's page.
fn pressed(stage: &Stage, app: &App, token: &ReplyToken, once: &str) -> Waiting {
    let yes = Command::Answer(QuestionAnswer::Yes);
    let letter = Letter::by_page(Some(token.clone()), yes.to_string(), once);
    let prepared = Prepared::new(&stage.store, app, (&letter, Some(yes)), stage.now).unwrap().unwrap();
    Waiting { letter: Box::new(letter), work: Work::Act(Box::new(prepared)) }
}

#[test]
fn in_one_transaction_each_letter_has_its_own_fate() {
    let mut stage = Stage::with_a_game();
    for _ in 0..2 {
        stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    }
    let app = Config { address: ADDRESS.to_owned(), ..Config::default() }.app();
    let damage = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    damage.execute("UPDATE boards SET position = 'damaged' WHERE id = 2", []).unwrap();
    // The first letter twice: the second of them finds what the first did, though nothing is committed yet.
    let letters = [1, 2, 1, 3].map(|board| waiting(&stage, &app, &first_move(board)));
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let before = stage.store.letters(100).unwrap().len();
    let outcomes = handle_batch(&mut stage.store, &app, &letters, stage.now, &mut rng).unwrap();
    assert!(matches!(
        outcomes.as_slice(),
        [
            Ok(Handled::Acted { mails: 2, ends_well: true, .. }),
            Err(Rollback::Failed(Error::Record(_) | Error::Store(_))),
            Ok(Handled::Again),
            Ok(Handled::Acted { mails: 2, ends_well: true, .. }),
        ]
    ));
    // Nothing of the one that failed is left, so that it can come again.
    assert_eq!(stage.store.letters(100).unwrap().len(), before + 2);
    assert_eq!(stage.store.waiting_mails().unwrap(), 4);
    damage
        .execute("UPDATE boards SET position = (SELECT position FROM boards WHERE id = 3) WHERE id = 2", [])
        .unwrap();
}

#[test]
fn an_invitation_that_is_answered_twice_in_one_transaction_begins_one_game() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", &format!("dvonn invite frieda@example.com ann {ANN}"), "");
    let invitation = mails.iter().find(|mail| mail.to == "frieda@example.com").unwrap();
    let app = Config { address: ADDRESS.to_owned(), ..Config::default() }.app();
    let mail = |number| phone_reply(invitation, "yes", number);
    let mut letters = Vec::from([1, 2].map(|number| waiting(&stage, &app, &mail(number))));
    let token = letters[0].letter.token.clone().unwrap();
    for once in ["3", "4"] {
        letters.push(pressed(&stage, &app, &token, once));
    }
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let outcomes = handle_batch(&mut stage.store, &app, &letters, stage.now, &mut rng).unwrap();
    let ends_well = |outcome: &Result<Handled, Rollback>| match outcome {
        Ok(Handled::Acted { ends_well, answer, .. }) => (*ends_well, answer.contains("has been answered")),
        other => panic!("{other:?}"),
    };
    let outcomes: Vec<(bool, bool)> = outcomes.iter().map(ends_well).collect();
    assert_eq!(outcomes, [(true, false), (false, false), (false, true), (false, true)]);
    // As does the button of a page that was opened before.
    let late = [pressed(&stage, &app, &token, "5")];
    let outcomes = handle_batch(&mut stage.store, &app, &late, stage.now, &mut rng).unwrap();
    assert_eq!(outcomes.iter().map(ends_well).collect::<Vec<_>>(), [(false, true)]);
    let boards: i64 =
        stage.database().query_row("SELECT count(*) FROM boards", [], |row| row.get(0)).unwrap();
    assert_eq!(boards, 1);
}

#[test]
fn a_reply_that_waits_while_its_player_is_deleted_reaches_nobody() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    let to_bob = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap();
    let app = Config { address: ADDRESS.to_owned(), ..Config::default() }.app();
    let delete = letter("bob@example.net", &format!("delete bob {BOB}"), "", 2000);
    let letters = [delete, phone_reply(to_bob, "Thank you, that was lovely.", 2001)];
    let letters = letters.map(|mail| waiting(&stage, &app, &mail));
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let outcomes = handle_batch(&mut stage.store, &app, &letters, stage.now, &mut rng).unwrap();
    let [Ok(Handled::Acted { ends_well: true, .. }), Ok(Handled::Acted { ends_well, mails, answer, .. })] =
        outcomes.as_slice()
    else {
        panic!("{outcomes:?}")
    };
    assert!(!ends_well && *mails == 0, "{mails} {answer}");
}

#[test]
fn a_transaction_that_cannot_begin_is_the_failure_of_every_letter() {
    let mut stage = Stage::with_a_game();
    let app = Config { address: ADDRESS.to_owned(), ..Config::default() }.app();
    let letters: Vec<Waiting> = vec![waiting(&stage, &app, &first_move(1))];
    let lock = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    stage.store.set_patience(std::time::Duration::ZERO).unwrap();
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let outcomes = handle_batch(&mut stage.store, &app, &letters, stage.now, &mut rng);
    assert!(matches!(outcomes, Err(Error::Store(why)) if why.is_busy()));
    lock.execute_batch("ROLLBACK").unwrap();
    let letters = vec![waiting(&stage, &app, &first_move(1))];
    let outcomes = handle_batch(&mut stage.store, &app, &letters, stage.now, &mut rng).unwrap();
    assert!(matches!(outcomes.as_slice(), [Ok(Handled::Acted { .. })]));
}
