//! Laws of all forms of contests, whatever players and the host do at any time.

use std::collections::HashMap;

use crate::support::{Stage, rounds};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost::contest::pairing::Pairing;
use turnpost::contest::record::Contest;
use turnpost::contest::standing;
use turnpost::contest::table::GameResult;
use turnpost::mail::Operator;
use turnpost::store::{BoardState, ContestForm};
use turnpost::timer::host_acts::{Act, BoardAct, GameEnd};

const PLAYERS: usize = 7;

/// What players ask of a contest, after `dvonn` and before userid and password.
fn acts(form: ContestForm) -> &'static [&'static str] {
    match form {
        ContestForm::Event => &[
            "event join cup",
            "event join cup otters",
            "event join cup herons",
            "event leave cup",
            "event withdraw cup -surely",
        ],
        ContestForm::League | ContestForm::Season => {
            &["league join", "league leave", "league withdraw -surely"]
        }
        ContestForm::Ladder => {
            &["ladder join", "ladder challenge", "ladder challenge", "ladder leave", "ladder auto off"]
        }
    }
}

fn club(form: ContestForm, new: &str, seed: u64) {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let mut stage = Stage::with(|config| config.robot.enabled = false);
    let submit = |stage: &mut Stage, text: String| {
        stage.submit(Operator::AsAnyone, &text);
    };
    for number in 1..=PLAYERS {
        submit(&mut stage, format!("signup p{number}x plover-9 p{number}x@example.org"));
        let act = match number {
            1 => new,
            _ if new.contains("teams") => acts(form)[1 + number % 2],
            _ => acts(form)[0],
        };
        submit(&mut stage, format!("dvonn {act} p{number}x -"));
    }
    for _ in 0..60 {
        let mut below = |end: usize| rng.next_u32() as usize % end;
        let player = format!("p{}x", 1 + below(PLAYERS));
        let boards = stage.store.next_board().unwrap().0 as usize;
        let board = turnpost::ids::BoardId(1 + below(boards.max(2) - 1) as u32);
        match below(12) {
            0..=1 => {
                let act = acts(form)[below(acts(form).len())];
                submit(&mut stage, format!("dvonn {act} {player} -"));
            }
            2 => submit(&mut stage, format!("set {player} - block p{}x", 1 + below(PLAYERS))),
            3 => {
                let end = if below(2) == 0 { GameEnd::Draw } else { GameEnd::Won(player.parse().unwrap()) };
                let _ = stage.host(Act::OnBoard(board, BoardAct::End(end)), "It was agreed.");
            }
            4 => {
                let _ = stage.host(Act::OnBoard(board, BoardAct::Resume), "It was an error.");
            }
            5 if below(8) == 0 => {
                let _ = stage.host(Act::Erase(player.parse().unwrap()), "They asked.");
            }
            5..=6 if form == ContestForm::Event && below(2) == 0 => {
                let act = match below(20) {
                    0 => "end cup".to_owned(),
                    1..=4 => format!("remove cup {player}"),
                    5..=6 => format!("replace cup {player} p{}x", 1 + below(PLAYERS)),
                    7..=8 => format!("rule cup {board} draw"),
                    9..=14 => {
                        let answer = if below(3) == 0 { "reject" } else { "accept" };
                        submit(&mut stage, format!("dvonn event {answer} cup {player} p1x -"));
                        continue;
                    }
                    _ => format!("rule cup {board} {player}"),
                };
                submit(&mut stage, format!("dvonn event {act} \"It was agreed.\" p1x -"));
            }
            5..=8 => submit(&mut stage, format!("dvonn resign {board} {player} -")),
            _ => {
                stage.wait(1 + below(9 * 24) as i64);
                stage.tick();
            }
        }
        holds(&stage, form);
    }
}

fn holds(stage: &Stage, form: ContestForm) {
    assert_eq!(stage.wrong(), Vec::<String>::new());
    for row in stage.store.all_contests().unwrap() {
        let contest = Contest::load(&stage.store, &row).unwrap();
        let boards = stage.store.contest_boards(row.id).unwrap();
        assert!(
            contest.pairs.values().all(|pair| pair.has_board),
            "{}: a block takes a board away",
            row.name
        );
        assert!(
            form != ContestForm::Event || contest.joined.len() <= contest.terms.size as usize,
            "too many joined"
        );
        assert!(!contest.waiting.iter().any(|player| contest.joined.contains(player)), "joined and waiting");
        let mut met: HashMap<[i64; 2], usize> = HashMap::new();
        // A pair of a ladder meets again after its game, other pairs do not.
        let counts = |state| form != ContestForm::Ladder || state == BoardState::Running;
        for board in boards.iter().filter(|board| counts(board.state)) {
            let mut players = board.players.map(|player| player.0);
            players.sort_unstable();
            *met.entry(players).or_default() += 1;
        }
        let most = match (form, contest.terms.pairing) {
            (_, Pairing::KnockOut) => 3,
            // A game that the host resumes can run beside the next one.
            (ContestForm::Ladder, _) => 2,
            _ => 1,
        };
        assert!(met.values().all(|times| *times <= most), "{}: {met:?}", row.name);
        if contest.terms.pairing == Pairing::Swiss {
            let games =
                contest.pairs.values().flat_map(|pair| pair.players.map(|player| (pair.round, player)));
            let mut plays: Vec<_> = games.chain(contest.byes.iter().copied()).collect();
            let all = plays.len();
            plays.sort_unstable();
            plays.dedup();
            assert_eq!(all, plays.len(), "a player is twice in a round");
        }
        for group in standing::all_groups(&contest, &boards) {
            let places = group.places();
            let over = group.games.iter().filter(|game| game.result != GameResult::Running);
            let counted = over.filter(|game| game.result != GameResult::Void).count() as u32;
            let points: u32 = places.iter().map(|place| place.points).sum();
            let is_knock_out = contest.terms.pairing == Pairing::KnockOut;
            assert!(is_knock_out || points >= 2 * counted, "{}: a table says less than its games", row.name);
            assert!(places.windows(2).all(|next| next[0].points >= next[1].points), "{}", row.name);
        }
    }
}

#[test]
fn contests_of_every_form_stay_whole() {
    for (form, new) in [
        (ContestForm::Event, "event new cup -size=6"),
        (ContestForm::Event, "event new cup -size=6 -form=swiss -rounds=3 -weeks=1"),
        (ContestForm::Event, "event new cup -size=6 -form=knock-out"),
        (ContestForm::Event, "event new cup -size=2 -form=teams -boards=3 -team=herons"),
        (ContestForm::Event, "event new cup -size=4 -by-request"),
        (ContestForm::Event, "event new cup -size=4 -start=2026-11-25 -rating=1400-1600"),
        (ContestForm::League, "league join"),
        (ContestForm::Ladder, "ladder join"),
    ] {
        (0..rounds(1, 20)).for_each(|seed| club(form, new, seed));
    }
}
