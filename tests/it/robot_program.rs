//! `turnpost robot` as a program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

use turnpost_games::dvonn::space::{Space, spaces};
use turnpost_games::dvonn::{Dvonn, Phase};
use turnpost_games::{Position, Seat};
use turnpost_robot::{Limits, mix, search};

const BOARD: &str =
    "w,w,w,w,b,b,w,b,b/b,b,D,w,b,D,b,b,w,D/w,b,w,b,w,w,b,w,w,w,b/b,b,w,b,b,w,b,w,w,w/w,b,b,w,b,b,w,w,b w";

fn robot(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_turnpost")).arg("robot").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_move_is_printed_with_what_it_rests_on() {
    for bound in [["--nodes", "3000"], ["--level", "2"], ["--time", "100ms"], ["--depth", "3"]] {
        let out = text(&robot(&[&["move", BOARD][..], &bound].concat()));
        let fields: Vec<(&str, &str)> = out.lines().map(|line| line.split_once(' ').unwrap()).collect();
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["move", "value", "depth", "nodes", "line"]);
        let position = Dvonn::read(BOARD).unwrap();
        let ply = fields[0].1.trim();
        assert!(position.legal_moves().iter().any(|legal| legal.to_string() == ply), "{out}");
        assert!(fields[4].1.trim().starts_with(ply), "{out}");
    }
    let hexmeister = turnpost_games::hexmeister::Hexmeister::start(Default::default()).write();
    assert!(
        text(&robot(&["move", &hexmeister, "--game", "hexmeister", "--level", "1"])).starts_with("move ")
    );
}

#[test]
fn what_cannot_be_answered_is_said_in_a_sentence() {
    for arguments in [
        &["move", "nonsense"][..],
        &["move", BOARD, "--level", "10"],
        &["move", BOARD, "--game", "chess"],
        &["move", BOARD, "--time", "soon"],
        &["match", "--level", "1", "--level", "2", "--level", "3"],
    ] {
        let output = robot(arguments);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

/// A program that plays in the CodeCup manner.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(arguments: &[&str]) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnpost"))
            .args(["robot", "play"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Program { child, input, output: BufReader::new(output) }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

/// The referee: plays both programs against each other and checks every ply.
fn referee(players: [&[&str]; 2]) -> Dvonn {
    let mut players = players.map(Program::start);
    let mut position = Dvonn::EMPTY;
    players[0].tell("Start");
    while position.outcome().is_none() {
        let mover = position.to_move().index();
        let line = players[mover].hear();
        let right = match position.phase() {
            Phase::Placement => line.len() == 2,
            Phase::Stacking => line.len() == 4,
        };
        assert!(right && line.to_ascii_uppercase() == line, "{line:?}");
        let (ply, rest) = position.read_move(&line).unwrap();
        assert_eq!(rest, "");
        position.play(ply).unwrap();
        players[1 - mover].tell(&line);
    }
    for mut player in players {
        player.tell("Quit");
        assert!(player.child.wait().unwrap().success());
        assert_eq!(player.hear(), "");
    }
    position
}

#[test]
fn a_whole_game_in_the_codecup_manner() {
    let end = referee([&["--level", "2", "--seed", "5"], &["--nodes", "300"]]);
    assert!(end.outcome().unwrap().score.is_some_and(|[white, black]| white + black > 0));
    referee([
        &["--game-time", "1s", "--memory", "1"],
        &["--time", "10ms", "--memory", "1", "--threads", "2"],
    ]);
}

#[test]
fn a_ply_that_cannot_be_played_ends_the_game_with_a_sentence() {
    let mut program = Program::start(&["--nodes", "50"]);
    program.tell("A5");
    assert_eq!(program.hear(), "");
    assert!(!program.child.wait().unwrap().success());
}

/// The robot against another process of itself.
fn meet(arguments: &[&str], program: &[&str]) -> Output {
    robot(&[&["meet"], arguments, &["--"], program].concat())
}

#[test]
fn games_against_another_program_are_reported_one_by_one() {
    let other = [env!("CARGO_BIN_EXE_turnpost"), "robot", "play", "--nodes", "60", "--memory", "1"];
    let out = text(&meet(&["--games", "4", "--nodes", "3000"], &other));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 5, "{out}");
    let mut won = 0;
    for (n, line) in lines[..4].iter().enumerate() {
        let colour = ["white", "black"][n % 2];
        let rest = line.strip_prefix(&format!("game {}: the robot {colour}, ", n + 1)).unwrap();
        let (score, times) = rest.split_once(", ").unwrap();
        let (own, others) = score.split_once(" to ").unwrap();
        let [own, others] = [own, others].map(|pieces| pieces.parse::<u8>().unwrap());
        assert!(own + others <= 49 && times.ends_with(" s"), "{line}");
        won += u32::from(own > others);
    }
    let total = format!("the robot against the other program: 4 games, {won} won, ");
    assert!(lines[4].starts_with(&total), "{out}");
    assert!(won >= 3, "fifty times as many positions: {out}");
}

#[test]
fn a_program_that_breaks_off_loses_and_one_that_is_not_there_is_named() {
    let quiet = text(&meet(&["--games", "2", "--nodes", "100"], &["true"]));
    assert!(quiet.contains("won, for the other broke off: it ended before the game did"), "{quiet}");
    assert!(quiet.contains("2 games, 2 won"), "{quiet}");
    let wrong = text(&meet(&["--games", "2", "--nodes", "100"], &["yes", "Z9"]));
    assert!(wrong.contains("broke off: \"Z9\": "), "{wrong}");
    let missing = meet(&["--games", "2"], &["/nowhere/player"]);
    assert!(!missing.status.success());
    assert!(String::from_utf8_lossy(&missing.stderr).contains("/nowhere/player"));
}

#[test]
fn the_robot_places_better_than_chance() {
    // The same strength afterwards, so that the layout alone decides.
    let mut won = 0;
    for seed in 0..60 {
        let mut position = Dvonn::EMPTY;
        let robot = [Seat::First, Seat::Second][seed as usize % 2];
        let mut rng = seed;
        while position.outcome().is_none() {
            let placing = position.phase() == Phase::Placement;
            let plies = position.legal_moves();
            rng = mix(rng);
            let ply = if placing && position.to_move() != robot {
                plies[(rng >> 32) as usize % plies.len()]
            } else {
                let limits = Limits { seed: rng, noise: 5, ..Limits::nodes(500) };
                search(&position, &limits, &AtomicBool::new(false)).unwrap().best_move
            };
            position.make(ply);
        }
        won += u32::from(position.outcome().unwrap().winner == Some(robot));
    }
    // Thirty would be chance, and forty-eight hardly ever are.
    assert!(won >= 48, "{won} of 60");
}

#[test]
fn dvonn_pieces_are_placed_far_from_each_other() {
    let mut position = Dvonn::EMPTY;
    for _ in 0..3 {
        position.make(search(&position, &Limits::nodes(500), &AtomicBool::new(false)).unwrap().best_move);
    }
    let dvonns: Vec<Space> = spaces(position.board().red()).collect();
    for (n, one) in dvonns.iter().enumerate() {
        for other in &dvonns[n + 1..] {
            let (columns, rows) = (other.column() - one.column(), other.row() - one.row());
            assert!(columns.abs().max(rows.abs()).max((columns - rows).abs()) >= 3, "{dvonns:?}");
        }
    }
}

#[test]
fn a_match_reports_its_score_and_the_bounds() {
    let arguments = ["match", "--level", "3", "--level", "1", "--games", "40", "--nodes-scale", "0.05"];
    let out = text(&robot(&arguments));
    assert!(out.starts_with("level 3 against level 1: 40 games, "), "{out}");
    assert_eq!(out, text(&robot(&arguments)), "the same games again");
    let (_, bounds) = out.split_once('(').unwrap();
    let low: f64 = bounds.split(' ').next().unwrap().parse().unwrap();
    assert!(low > 0.5, "{out}");
}
