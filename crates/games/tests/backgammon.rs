//! The rules of backgammon against GNU Backgammon: legal turns and their spelling, the cube, ends of games, counts.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};
use turnpost_games::backgammon::board::{Board, CheckerTurn, Dice, side_of};
use turnpost_games::backgammon::stakes::{Cube, MatchScore};
use turnpost_games::backgammon::{Backgammon, KIND, Move, Stage, Stakes, Standard};
use turnpost_games::scene::{Choice, Scene, Theme};
use turnpost_games::{Cast, Position, Seat, Setup, SetupError, Table, perft};

use crate::dice::rounds;

const MOVES: &str = include_str!("data/backgammon-moves.txt");
const MATCHES: &str = include_str!("data/cube-and-match.txt");
const BOARDS: &str = include_str!("data/backgammon-boards.txt");

type Game = Backgammon<Standard>;

fn game(text: &str) -> Game {
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
    let Stage::Moving(dice) = game.stage() else { panic!("{game:?}") };
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
fn boards_are_drawn_for_the_side_to_move() {
    for case in BOARDS.split("\n## ").skip(1) {
        let (_, case) = case.split_once("\nat ").unwrap();
        let (text, drawn) = case.split_once('\n').unwrap();
        let drawing = game(text).scene().drawing();
        let notes: String = drawing.notes.iter().map(|note| format!("  {note}\n")).collect();
        assert_eq!(
            format!("{}{notes}", drawing.board),
            drawn.trim_start_matches('\n').trim_end().to_owned() + "\n"
        );
    }
}

#[test]
fn the_second_side_sees_its_home_at_the_lower_right() {
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5";
    let [white, black] = ["w", "b"].map(|side| game(&format!("{start} {side} move 3-1")).scene());
    let seen = KIND.facing(Some(Seat::Second), black);
    assert_eq!(seen.drawing().board, white.drawing().board);
    assert_eq!(KIND.facing(Some(Seat::First), white.clone()), white);
}

#[test]
fn the_picture_shows_each_checker_the_dice_and_the_last_turn() {
    let mut table = game("21:1,13:6,6:4/bar:1,6:2,2:2,1:3 w move 6-4 cube 2 b score 2-1/5");
    let before = table.look();
    let count =
        |scene: &Scene, part: &str| scene.svg(Theme::Page, "", |_| Choice::default()).matches(part).count();
    // Of six checkers on a point five are shown, with their number.
    assert_eq!(
        ["href=\"#wo\"", "href=\"#bo\"", "height=\"10\""].map(|part| count(&before, part)),
        [10, 8, 11]
    );
    assert_eq!(["class=\"pi\"", "class=\"cu\""].map(|part| count(&before, part)), [10, 1]);
    let ends = table.play_text("13/7 13/9").unwrap().ends;
    let after = table.look().after(&before, ends);
    assert_eq!(["class=\"t\"", "class=\"f\""].map(|class| count(&after, class)), [2, 1]);
    assert!(after.sentence(KIND.seats).ends_with("The last move left: 12 four high. It reached: 16, 18."));
    // The marks of a turn are not taken over to the next game.
    let mut table = game("1:1/6:15 w move 2-1 cube 1 - score 0-0/5");
    let before = table.look();
    let ends = table.play_text("1/off").unwrap().ends;
    assert_eq!(count(&table.look().after(&before, ends), "class=\"t\""), 0);
}

#[test]
fn texts_that_are_no_positions() {
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5";
    for rest in [
        "w",
        "x rolling",
        "w move",
        "w move 7-1",
        "w move 1-3",
        "w rolling cube",
        "w rolling cube 2",
        "w rolling score 0-0/1",
        "w rolling cube 1 - score 0-0/26",
        "w rolling cube 1 - money 0-0 crawford",
        "w rolling  x",
        "w rolling 1",
    ] {
        assert!(matches!(Game::read(&format!("{start} {rest}")), Err(SetupError::Unreadable(_))), "{rest}");
    }
    for sides in
        ["", "24:2", "13:5,24:2/6:1", "24:16/6:1", "24:0/6:1", "off/24:02", "0:1/6:1", "26:1/6:1", "25:1/6:1"]
    {
        let read = Game::read(&format!("{sides} w rolling"));
        assert!(matches!(read, Err(SetupError::Unreadable(_))), "{sides}");
    }
    for (text, why) in [
        ("24:1/1:1 w rolling", "both sides"),
        ("6:1/off w rolling", "without checkers"),
        ("off/6:1 w rolling", "without checkers"),
        ("6:1/6:1 w over score 1-0/1", "borne off"),
        ("off/6:1 w over score 1-1/1", "score"),
        ("off/6:1 b over score 1-0/1", "over"),
        ("6:1/6:1 w invited", "start of a board"),
        ("6:1/6:1 w opening", "start of a game"),
        ("6:1/6:1 w choice", "not allowed to double"),
        ("6:1/6:1 w choice cube 2 b money 0-0", "not allowed to double"),
        ("6:1/6:1 w rolling cube 3 w money 0-0", "the cube"),
        ("6:1/6:1 w rolling cube 2 - money 0-0", "the cube"),
        ("6:1/6:1 w rolling cube 4 w score 0-3/5", "the cube"),
        ("6:1/6:1 w rolling cube 1 - score 3-0/5 crawford", "Crawford"),
        ("6:1/6:1 w rolling cube 1 - score 5-0/5", "over"),
        ("6:1/6:1 w rolling cube 1 - money 1-0", "over"),
    ] {
        match Game::read(text) {
            Err(SetupError::Unlawful(told)) => assert!(told.contains(why), "{text}: {told}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_refused_turn_says_which_rule_it_breaks() {
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5";
    for (position, ply, why) in [
        (
            format!("{start} w move 3-1"),
            "8/5",
            "With 3-1 both dice are played, as in 24/23 24/21 or 24/20 or 24/23 13/10.",
        ),
        (format!("{start} w move 6-5"), "24/18 24/19", "With 6-5 point 19 is blocked, as in 24/13 or "),
        (format!("{start} w move 3-1"), "9/5", "You have no checker on 9. With 3-1 you can play"),
        (format!("{start} w move 3-1"), "roll", "The dice show 3-1, so move your checkers, as in"),
        (format!("{start} w invited"), "8/5 6/5", "Checkers move after a roll. Write `roll` here."),
        (
            format!("{start} w choice cube 1 - money 0-0"),
            "take",
            "No double is offered. Write `roll` or `double` here.",
        ),
        (
            format!("{start} w doubled cube 1 - money 0-0"),
            "roll",
            "The dice do not wait for you. Write `take` or `drop` here.",
        ),
        (
            "bar:1,6:5/24:2,13:5,8:3 w move 3-1".to_owned(),
            "6/2",
            "With 3-1 checkers on the bar enter first, as in",
        ),
    ] {
        let before = game(&position);
        let mut tried = before;
        let told = tried.play_text(ply).unwrap_err().to_string();
        assert!(told.starts_with(why), "{ply}: {told}");
        assert_eq!(tried, before);
    }
    let hits = game("24:1,8:1/5:1,3:1,2:1 w move 4-2");
    let told = hits.read_move("24/18").unwrap_err().why;
    assert_eq!(told, "This can mean 24/22*/18, or 24/20*/18.");
}

#[test]
fn options_say_what_is_played_for() {
    let start = |options: &str| {
        let options: Vec<_> = options.split_whitespace().map(turnpost_games::read_option).collect();
        (KIND.start)(&Setup { options: &options, seed: 0 })
    };
    for (options, tail) in [
        ("", ""),
        ("-match=1", ""),
        ("-match=5", " cube 1 - score 0-0/5"),
        ("-cube", " cube 1 - money 0-0"),
        ("-cube -jacoby", " cube 1 - money 0-0 jacoby"),
    ] {
        let position = start(options).unwrap().position();
        assert_eq!(position, format!("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w invited{tail}"));
    }
    for options in
        ["-match=0", "-match=26", "-match", "-match=5 -cube", "-jacoby", "-match=5 -jacoby", "-cube=2"]
    {
        assert!(matches!(start(options), Err(SetupError::Option(_))), "{options}");
    }
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
