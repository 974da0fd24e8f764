//! The rules of backgammon against GNU Backgammon: legal turns and their spelling, the cube, ends of games, counts.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};
use turnpost_games::backgammon::board::{Board, CheckerTurn, Dice, side_of};
use turnpost_games::backgammon::stakes::{Cube, MatchScore};
use turnpost_games::backgammon::{Backgammon, Move, Stakes, Standard};
use turnpost_games::{Cast, Position, Seat, Table, perft};

use crate::dice::rounds;

const MOVES: &str = include_str!("data/backgammon-moves.txt");
const MATCHES: &str = include_str!("data/cube-and-match.txt");

pub type Game = Backgammon<Standard>;

pub fn game(text: &str) -> Game {
    Game::read(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// The identifier that GNU gives to a board: for each checker of the opponent and then of the mover a one, and a zero
/// after each point, in base 64.
fn id(board: &Board) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut octets, mut at) = ([0; 12], 0);
    for count in [board.theirs, board.mine].iter().flat_map(|side| &side[1..]) {
        for _ in 0..*count {
            octets[at / 8] |= 1_u8 << (at % 8);
            at += 1;
        }
        at += 1;
    }
    let bit = |at: usize| usize::from(octets[at / 8] >> (7 - at % 8) & 1);
    let digit = |n: usize| (6 * n..6 * n + 6).fold(0, |digit, at| digit << 1 | bit(at));
    (0..14).map(|n| char::from(DIGITS[digit(n)])).collect()
}

fn turns(game: &Game) -> (Dice, BTreeMap<Board, CheckerTurn>) {
    let text = game.write();
    let (_, dice) = text.split_once(" move ").unwrap_or_else(|| panic!("{text}"));
    let cast: Cast = dice.split(' ').next().unwrap().parse().unwrap();
    let dice = cast.faces().try_into().unwrap();
    (dice, game.board().turns(dice))
}

/// A position, the answer, and the turns of which GNU's identifier and spelling are listed.
type Case = (Game, &'static str, Vec<(&'static str, &'static str)>);

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for line in MOVES.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if let Some(turn) = line.strip_prefix("  ") {
            let (_, _, turns): &mut Case = cases.last_mut().unwrap();
            turns.push(turn.split_once(' ').unwrap());
            continue;
        }
        let [head, sides, answer] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (its_id, roll) = head.split_once(' ').unwrap();
        let sides = sides.replace(" / ", "/").replace(' ', ",");
        let game = game(&format!("{sides} w move {roll}"));
        assert_eq!(id(&game.board()), its_id);
        cases.push((game, answer, Vec::new()));
    }
    cases
}

#[test]
fn the_legal_turns_are_those_of_gnu() {
    let cases = cases();
    assert_eq!(cases.len(), 300);
    for (game, answer, listed) in cases {
        let (_, turns) = turns(&game);
        let ids: BTreeSet<String> = turns.keys().map(id).collect();
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        let hash: String = Sha256::digest(lines).iter().take(8).map(|octet| format!("{octet:02x}")).collect();
        let is_pass = turns.values().eq([&CheckerTurn::PASS]);
        let ours = if is_pass { "0".to_owned() } else { format!("{} {hash}", turns.len()) };
        assert_eq!(ours, answer.split(' ').take(if is_pass { 1 } else { 2 }).collect::<Vec<_>>().join(" "));
        assert!(listed.iter().all(|(id, _)| ids.contains(*id)), "{game:?}");
        assert_eq!(game.forced().is_some(), turns.len() == 1);
    }
}

#[test]
fn turns_are_spelt_as_gnu_does_and_read_however_they_are_typed() {
    let mut spelt = 0;
    for (game, _, listed) in cases() {
        let (_, turns) = turns(&game);
        for (after, turn) in turns {
            let written = game.write_move(Move::Play(turn));
            if let Some((_, spelling)) = listed.iter().find(|(listed, _)| *listed == id(&after)) {
                assert_eq!(written, *spelling);
                spelt += 1;
            }
            let mut steps: Vec<String> =
                turn.steps().map(|step| format!("{}-{}", step.from, step.to)).collect();
            let forwards = steps.join(",");
            steps.reverse();
            let loose = [written.clone(), written.to_uppercase(), forwards, steps.join(", ")];
            for text in loose.into_iter().filter(|text| !text.is_empty()) {
                let (read, rest) = game.read_move(&text).unwrap_or_else(|why| panic!("{text}: {why}"));
                assert_eq!((read, rest), (Move::Play(turn), ""), "{text} for {written}");
            }
            for more in [" hello", "#12", ", and so on", " "] {
                let text = format!("{written}{more}");
                assert_eq!(game.read_move(&text), Ok((Move::Play(turn), more)), "{text}");
            }
        }
    }
    assert!(spelt > 400, "{spelt}");
}

#[test]
fn steps_lead_to_the_legal_turns_alone() {
    for (game, ..) in cases().into_iter().step_by(rounds(7, 1) as usize) {
        let (dice, turns) = turns(&game);
        if dice[0] == dice[1] && turns.len() > 40 {
            continue;
        }
        let (mut begun, mut reached) = (vec![String::new()], BTreeSet::new());
        while let Some(text) = begun.pop() {
            let next = Position::continued(&game, &text);
            if next.is_empty() {
                let (ply, rest) = game.read_move(&text).unwrap();
                assert_eq!((game.check(ply), rest), (Ok(()), ""), "{text}");
                reached.insert(game.write_move(ply));
            }
            assert!(next.iter().all(|(_, ends)| ends.to.is_some() || turns.len() == 1), "{text}");
            begun.extend(
                next.into_iter().map(|(text, _)| text).filter(|next| next != "pass" || text.is_empty()),
            );
            if text == "pass" {
                break;
            }
        }
        let all: BTreeSet<String> = turns.values().map(|turn| game.write_move(Move::Play(*turn))).collect();
        assert_eq!(reached, all, "{game:?}");
    }
}

/// `5 3-4 2 theirs crawford` for the first seat.
fn match_of(words: &[&str]) -> MatchScore {
    let jacoby = words.contains(&"jacoby");
    let words: Vec<&str> = words.iter().filter(|word| **word != "jacoby").copied().collect();
    let (mine, theirs) = words[1].split_once('-').unwrap();
    let owner = match words[3] {
        "mine" => Some(Seat::First),
        "theirs" => Some(Seat::Second),
        _ => None,
    };
    MatchScore {
        score: [mine.parse().unwrap(), theirs.parse().unwrap()],
        cube: Cube { value: words[2].parse().unwrap(), owner },
        is_crawford: words.contains(&"crawford"),
        ..MatchScore::new(Stakes { length: words[0].parse().unwrap_or(0), jacoby })
    }
}

#[test]
fn doubles_and_ends_of_games_are_those_of_gnu() {
    let (mut doubles, mut ends) = (0, 0);
    for line in MATCHES.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (head, answer) = line.split_once(": ").unwrap();
        let words: Vec<&str> = head.split(' ').collect();
        let mut game = match_of(&words);
        if let "yes" | "no" = answer {
            assert_eq!(game.may_double(Seat::First), answer == "yes", "{line}");
            doubles += 1;
            continue;
        }
        let theirs: &[(u8, u8)] = match words[words.len() - 1] {
            "single" | "drop" => &[(0, 1), (6, 7), (5, 7)],
            "gammon" => &[(6, 8), (5, 7)],
            "backgammon" => &[(6, 8), (5, 6), (19, 1)],
            "bar" => &[(6, 8), (5, 6), (25, 1)],
            "off" => &[(0, 1), (6, 7), (5, 6), (19, 1)],
            "far" => &[(6, 8), (5, 6), (18, 1)],
            other => panic!("{other}"),
        };
        let board = Board { mine: side_of(&[(0, 15)]), theirs: side_of(theirs) };
        game.count(Seat::First, game.points(board.won().unwrap()));
        let is_over = game.stakes.length > 0 && game.winner().is_some();
        let next = if is_over {
            "over"
        } else if game.is_crawford {
            "crawford"
        } else {
            "plain"
        };
        assert_eq!(format!("{}-{} {next}", game.score[0], game.score[1]), answer, "{line}");
        ends += 1;
    }
    assert_eq!((doubles, ends), (101, 84));
}

/// Equal dice of the opening are rolled again, and are not counted by GNU.
#[test]
fn the_counts_with_chance_are_those_of_gnu() {
    let opening = game("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w opening");
    let count = |depth: u32| -> u64 {
        let casts =
            Position::chance(&opening).unwrap().casts().filter(|cast| cast.faces()[0] != cast.faces()[1]);
        let after = |cast: Cast| {
            let mut next = opening;
            next.make_chance(cast);
            next
        };
        casts.map(|cast| perft(&after(cast), depth)).sum()
    };
    assert_eq!([count(1), count(3)], [380, 255_748]);
}

#[test]
fn a_dropped_double_ends_the_game_and_the_next_begins() {
    let mut table = game("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w doubled cube 1 - score 1-0/3");
    assert_eq!(table.turn(), Seat::Second);
    let told = table.play_text("drop").unwrap().remarks;
    assert_eq!(
        told,
        [
            "White wins 1 point with this game.",
            "White has 2 and Black 0 of 3 points.",
            "The next is the Crawford game, in which the cube is out of play."
        ]
    );
    assert_eq!(
        table.position(),
        "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w opening cube 1 - score 2-0/3 crawford"
    );
    let mut table = game("1:1/6:15 w move 2-1 cube 4 w money 0-0");
    assert_eq!(table.play_pass().unwrap().ply, "1/off");
    let outcome = Table::ended(&table).unwrap();
    assert_eq!(
        (outcome.winner, outcome.score, outcome.how),
        (Some(Seat::First), Some([8, 0]), Some("a gammon"))
    );
}

#[test]
fn a_game_of_a_match_is_given_up_for_all_that_can_be_lost() {
    for (checkers, stage, ply, score) in [
        ("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5", "move 3-1", "resign backgammon", "0-3"),
        ("13:5,8:3,6:7/24:2,13:5,8:3,6:5", "choice", "resign gammon", "0-2"),
        ("8:3,6:7/24:2,13:5,8:3,6:5", "move 3-1", "resign game", "0-1"),
    ] {
        let before = game(&format!("{checkers} w {stage} cube 1 - score 0-0/7"));
        assert!(before.legal_moves().iter().all(|listed| !before.write_move(*listed).contains("resign")));
        for other in ["resign game", "resign gammon", "resign backgammon"] {
            let (typed, _) = before.read_move(other).unwrap();
            let mut after = before;
            match after.play(typed) {
                Ok(()) => assert!(
                    other == ply && after.write().contains(&format!("opening cube 1 - score {score}/7"))
                ),
                Err(why) => assert!(other != ply && why.to_string().contains(ply), "{why}"),
            }
        }
    }
    let last = game("8:3,6:7/24:2,13:5,8:3,6:5 w choice cube 1 - score 0-6/7");
    let mut over = last;
    over.play(last.read_move("resign game").unwrap().0).unwrap();
    assert_eq!(over.outcome().unwrap().winner, Some(Seat::Second));
    assert_eq!(over, game(&over.write()));
    let single = game("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w move 3-1");
    assert_eq!(single.give_up(), None);
    assert!(single.why_not(single.read_move("resign game").unwrap().0).contains("`resign` gives up"));
}
