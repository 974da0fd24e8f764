//! Whole games of DVONN by mail: every mail says what happened, shows the board, and comes in its thread.

use crate::support::{ANN, BOB, Mail, Stage};
use turnpost_games::dvonn::KIND;
use turnpost_games::{Seat, Setup, Table};

const GAMES: &str = include_str!("../../crates/games/tests/data/dvonn-games.txt");
const SUBJECT: &str = "dvonn 1, ann v bob";
const NAMES: [&str; 2] = ["ann", "bob"];
const SIDES: [&str; 2] = ["white", "black"];
const FROM: [&str; 2] = ["ann@example.org", "bob@example.net"];
const PASSWORDS: [&str; 2] = [ANN, BOB];

/// A game of the file, with its board kept beside the server's.
struct Game {
    stage: Stage,
    table: Box<dyn Table>,
    /// Every ply so far, as it is written.
    plies: Vec<String>,
    /// The first and the latest Message-ID of the thread of each player.
    threads: [Vec<String>; 2],
}

impl Game {
    fn begin() -> Game {
        let mut stage = Stage::with_players();
        let mails = stage.mail(FROM[0], "dvonn challenge ann bob", "");
        let table = (KIND.start)(&Setup { options: &[], seed: 0 }).unwrap();
        let mut game = Game { stage, table, plies: Vec::new(), threads: Default::default() };
        assert_eq!(
            mails[0].first_line(),
            "ann, your move (ply 1): a new game of DVONN with bob; you are white."
        );
        assert_eq!(
            mails[1].first_line(),
            "bob, it is ann's move (ply 1): a new game of DVONN; you are black."
        );
        game.check(&mails, Seat::First, &[]);
        game
    }

    /// Sends the plies that one player has in a row as one command, and checks both mails.
    fn play(&mut self, own: &[&str]) -> Vec<Mail> {
        self.stage.wait(1);
        let seat = self.table.turn();
        let mut remarks = Vec::new();
        for ply in own {
            assert_eq!(self.table.turn(), seat, "{ply}");
            let played = self.table.play_text(ply).unwrap();
            remarks.extend(played.remarks);
            self.plies.push((*ply).to_owned());
        }
        let passed = self.table.play_passes();
        let passes = passed.len();
        self.plies.extend(passed.into_iter().map(|pass| pass.ply));
        let (name, password) = (NAMES[seat.index()], PASSWORDS[seat.index()]);
        let command = format!("dvonn move 1 {name} {password} {}", own.join(" "));
        let mails = self.stage.mail(FROM[seat.index()], &command, "");
        let happened = format!("{} played {}", "{}", own.join(", "));
        for (mail, (reader, actor)) in mails.iter().zip([(seat, "you"), (seat.other(), name)]) {
            let what = happened.replacen("{}", actor, 1);
            let (me, other) = (NAMES[reader.index()], NAMES[reader.other().index()]);
            let next = self.plies.len() + 1;
            let lead = match (self.table.ended(), self.table.turn()) {
                (Some(_), _) => format!("{me}, "),
                (None, turn) if turn != reader => format!("{me}, it is {other}'s move (ply {next}): {what}"),
                // In a turn of several the reader has played and is to move.
                (None, _) if reader == seat && passes.is_multiple_of(2) => {
                    format!("{me}, your move (ply {next}) against {other}: {what}")
                }
                (None, _) => format!("{me}, your move (ply {next}): {what}"),
            };
            let first = mail.first_line();
            assert!(first.starts_with(&lead) && first.contains(&what), "{first:?} instead of {lead:?}");
            // A pass of one's own that lasts to one's next turn is the only one that is told of in the first line.
            let passed =
                if reader == seat { "has no move and passes." } else { "you have no move and pass." };
            assert_eq!(first.contains(passed), passes % 2 == 1, "{first:?}");
        }
        self.check(&mails, seat, &remarks);
        mails
    }

    /// Both mails hold what the board's page of rules asks of them, in its order.
    fn check(&mut self, mails: &[Mail], mover: Seat, remarks: &[String]) {
        assert_eq!(mails.len(), 2);
        for (mail, seat) in mails.iter().zip([mover, mover.other()]) {
            assert_eq!((mail.to.as_str(), mail.subject.as_str()), (FROM[seat.index()], SUBJECT));
            let mut order = Vec::new();
            let drawing = self.table.drawing();
            order.push(format!(".\n\n{}\n{}\n", drawing.board, drawing.key));
            order.extend(drawing.notes);
            order.extend(remarks.iter().map(|remark| first_words(remark)));
            order.push(format!("\n{}\n\n", drawing.standing));
            order.push(self.turn_or_result());
            order.extend(self.last_plies());
            if self.table.ended().is_none() && self.table.turn() == seat {
                order.push(format!("\n    dvonn move 1 {} PASSWORD MOVE\n", NAMES[seat.index()]));
            }
            order.push("\n-- \nTurnpost <play@turnpost.example> - ".to_owned());
            order.push("\nOperator: operator@turnpost.example\n".to_owned());
            let mut rest = mail.text.as_str();
            for expected in order {
                let Some(at) = rest.find(&expected) else { panic!("{expected:?} not in {rest:?}") };
                // A line end may close one thing and open the next.
                rest = rest.get(at + expected.trim_end().len()..).unwrap();
            }
            assert_eq!(rest, "\n", "nothing behind the footer");
            if self.table.ended().is_some() || self.table.turn() != seat {
                assert!(!mail.text.contains("PASSWORD MOVE"), "not their turn");
            }
            let thread = &mut self.threads[seat.index()];
            if let (Some(root), Some(last)) = (thread.first(), thread.last()) {
                assert!(mail.references.contains(root));
                assert!(mail.references.contains(last));
            }
            thread.push(mail.id.clone());
        }
    }

    fn turn_or_result(&self) -> String {
        let Some(outcome) = self.table.ended() else {
            let turn = self.table.turn().index();
            let ply = self.plies.len() + 1;
            return format!("\nIt is {}'s turn ({}), ply {ply}, until ", NAMES[turn], SIDES[turn]);
        };
        let [white, black] = outcome.score.unwrap();
        match outcome.winner {
            None => format!("Game over: a tie {white} to {black}.\n"),
            Some(Seat::First) => format!("Game over: ann (white) wins {white} to {black}.\n"),
            Some(Seat::Second) => format!("Game over: bob (black) wins {black} to {white}.\n"),
        }
    }

    /// The last ten plies in two columns, numbered.
    fn last_plies(&self) -> Vec<String> {
        let from = self.plies.len().saturating_sub(10);
        let numbered: Vec<String> = self
            .plies
            .iter()
            .enumerate()
            .skip(from)
            .map(|(index, ply)| format!("{:>5}  {ply:<16}", index + 1))
            .collect();
        numbered.chunks(2).map(|pair| format!("\n{}\n", pair.concat().trim_end())).collect()
    }
}

/// As much of a sentence as is sure to stand on one line.
fn first_words(sentence: &str) -> String {
    sentence.split_whitespace().take(5).collect::<Vec<_>>().join(" ")
}

fn field<'b>(block: &'b str, key: &str) -> Vec<&'b str> {
    let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).unwrap();
    line.split_whitespace().collect()
}

fn block(number: usize) -> &'static str {
    GAMES.split("\n\n").find(|block| block.starts_with(&format!("game {number}\n"))).unwrap()
}

/// Plays a game of the file to its end; with `together` White plays plies 49 and 50 in one command.
fn play_out(number: usize, together: bool) -> Game {
    let block = block(number);
    let mut game = Game::begin();
    let placements = field(block, "place");
    let moves = field(block, "move");
    let (all_but_last, last) = placements.split_at(48);
    for ply in all_but_last {
        game.play(&[ply]);
    }
    if together {
        game.play(&[last[0], moves[0]]);
    } else {
        game.play(last);
        game.play(&moves[..1]);
    }
    for ply in moves.iter().skip(1).filter(|ply| **ply != "pass") {
        game.play(&[ply]);
    }
    let written: Vec<&str> = placements.iter().chain(&moves).copied().collect();
    assert_eq!(game.plies, written, "passes among them");
    let score: Vec<u16> = field(block, "score").iter().map(|score| score.parse().unwrap()).collect();
    assert_eq!(game.table.ended().unwrap().score.unwrap().to_vec(), score);
    assert_eq!(game.stage.wrong(), Vec::<String>::new());
    game.stage.assert_secret(&PASSWORDS);
    game
}

#[test]
fn a_whole_game_with_placement_and_a_forced_pass() {
    let mut game = play_out(1, false);
    let moves = field(block(1), "move");
    assert!(moves.contains(&"pass"));
    let passed = game.stage.left.iter().filter(|mail| mail.text.contains("no move and pass")).count();
    assert!(passed >= 2, "both are told");
    let last: Vec<&str> = game.stage.left.iter().rev().take(2).map(Mail::first_line).collect();
    assert!(last.iter().any(|line| line.starts_with("bob, the game is over: you won 15-6")), "{last:?}");
    assert!(last.iter().any(|line| line.starts_with("ann, the game is over: bob won 15-6; ")), "{last:?}");
    // Over is over: nothing more is played, and nobody else is written to.
    let before = game.stage.dump();
    let mails = game.stage.mail(FROM[0], &format!("dvonn move 1 ann {ANN} A1-A2"), "");
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.starts_with("Board 1 is over: bob (black) wins 15 to 6.\n"), "{}", mails[0].text);
    assert_eq!(game.stage.dump(), before);
}

#[test]
fn white_plays_plies_49_and_50_in_one_command() {
    let game = play_out(2, true);
    let together = game.stage.left.iter().filter(|mail| {
        let first = mail.first_line();
        first.starts_with("ann, it is bob's move (ply 51): you played ") && first.matches(", ").count() == 2
    });
    assert_eq!(together.count(), 1);
    let stored =
        game.stage.store.plies(turnpost::ids::BoardId(1), turnpost::ids::Ply(49), turnpost::ids::Ply(50));
    assert!(stored.unwrap().iter().all(|ply| ply.seat == Seat::First));
}
