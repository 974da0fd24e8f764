//! `turnpost robot` as a program: asked for a move, and as an engine of other programs.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

use turnpost_games::dvonn::Dvonn;
use turnpost_games::{Position, Setup, registry};
use turnpost_robot::engine::{Answer, Engine, EngineSetup, GameSoFar, Protocol};

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
    ] {
        let output = robot(arguments);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

/// A conversation with the robot as an engine.
struct Talk {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Talk {
    fn with(arguments: &[&str]) -> Talk {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
        command.arg("robot").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Talk { child, input, lines: BufReader::new(output).lines() }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }

    /// Hears lines up to one that begins with `word`, and gives this.
    fn hear_word(&mut self, word: &str) -> String {
        std::iter::repeat_with(|| self.hear()).find(|line| line.starts_with(word)).unwrap()
    }

    /// The whole answer to a GTP command.
    fn gtp(&mut self, command: &str) -> String {
        self.say(command);
        let lines: Vec<String> =
            std::iter::repeat_with(|| self.hear()).take_while(|line| !line.is_empty()).collect();
        lines.join("/")
    }

    fn quit(mut self) {
        self.say("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_chess_program_talks_with_the_robot_by_uci() {
    let mut talk = Talk::with(&["uci", "--level", "2"]);
    talk.say("uci");
    assert!(talk.hear_word("option name Level").contains("default 2 min 1 max "));
    talk.hear_word("uciok");
    for line in ["ucinewgame", "what is this", "setoption name Level value 1", "\u{1}", "position fen x y"] {
        talk.say(line);
    }
    assert!(talk.hear().starts_with("info string the position cannot be read"));
    // White mates by a8; the bounds of `go` and the clock are kept.
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/RK6 w - - 0 1");
    for go in [
        "go",
        "go depth 2",
        "go nodes 300",
        "go movetime 50",
        "go wtime 900 btime 1 winc 10",
        "go wtime 9223372036854775807 winc 9223372036854775807 movestogo 0",
        "go movetime -1",
    ] {
        talk.say(go);
        assert_eq!(talk.hear_word("bestmove"), "bestmove a1a8", "{go}");
    }
    // A search without an end answers other lines, and gives its move when it is stopped.
    for line in ["position startpos moves e2e4 e7e5", "go infinite", "isready"] {
        talk.say(line);
    }
    assert_eq!(talk.hear(), "readyok");
    talk.say("stop");
    assert!(talk.hear().contains(" pv "));
    assert!(talk.hear().starts_with("bestmove "));
    // The third repetition is a draw only if a player claims it.
    talk.say(&format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(4)));
    talk.say("go depth 1");
    assert_ne!(talk.hear_word("bestmove"), "bestmove 0000");
    talk.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
    talk.say("go");
    assert_eq!(talk.hear(), "bestmove 0000");
    talk.quit();
}

#[test]
fn a_program_of_go_talks_with_the_robot_by_gtp() {
    let mut talk = Talk::with(&["gtp", "go", "--level", "1"]);
    assert_eq!(talk.gtp("1 protocol_version"), "=1 2");
    assert_eq!(talk.gtp("# a remark\n\n7 known_command\tgenmove # as this"), "=7 true");
    assert!(talk.gtp("list_commands").starts_with("= protocol_version/name/version/"));
    assert_eq!(talk.gtp("12 fly away"), "?12 unknown command");
    assert_eq!(talk.gtp("play black"), "? syntax error");
    assert!(talk.gtp("boardsize 10").starts_with("? unacceptable size"));
    assert_eq!((talk.gtp("boardsize 9"), talk.gtp("clear_board")), ("= ".into(), "= ".into()));
    assert_eq!((talk.gtp("play B e5"), talk.gtp("komi 7.5")), ("= ".into(), "= ".into()));
    assert_eq!(talk.gtp("play w E5"), "? illegal move");
    assert_eq!(talk.gtp("play b A1"), "? illegal move: it is the turn of white");
    let answer = talk.gtp("genmove w");
    assert!(answer.starts_with("= ") && talk.gtp("showboard").contains(" b "), "{answer}");
    assert_eq!((talk.gtp("undo"), talk.gtp("final_score")), ("= ".into(), "? the game is not over".into()));
    assert_eq!((talk.gtp("play w pass"), talk.gtp("play b pass")), ("= ".into(), "= ".into()));
    assert_eq!(
        (talk.gtp("final_score"), talk.gtp("genmove w")),
        ("= B+73.5".into(), "? the game is over".into())
    );
    talk.quit();
    let refused = robot(&["gtp", "chess"]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("go"));
}

#[test]
fn the_robot_plays_itself_by_the_protocols() {
    for (game, arguments, protocol, size) in [
        ("chess", &["uci", "--level", "1"][..], Protocol::Uci, None),
        ("hex", &["gtp", "hex", "--level", "1"], Protocol::Gtp, Some("5")),
        ("gomoku", &["gtp", "gomoku", "--level", "1"], Protocol::Gtp, None),
    ] {
        let kind = registry::find(game).unwrap();
        let options: Vec<_> =
            size.map(|size| ("size".to_owned(), Some(size.to_owned()))).into_iter().collect();
        let mut table = (kind.start)(&Setup { options: &options, seed: 0 }).unwrap();
        let program = [env!("CARGO_BIN_EXE_turnpost"), "robot"].iter().chain(arguments);
        let command = program.map(|word| (*word).to_owned()).collect();
        let setup =
            EngineSetup { protocol, command, options: Default::default(), go: Some("nodes 200".into()) };
        let soon = || Instant::now() + Duration::from_secs(60);
        let mut engine = Engine::start(&setup, soon(), |_| {}).unwrap();
        let (start, mut plies) = (table.position(), Vec::new());
        while table.ended().is_none() && plies.len() < 30 {
            let answer = engine.choose(&GameSoFar { kind, start: &start, plies: &plies }, soon());
            let Ok(Answer::Ply(ply)) = answer else { panic!("{game} {plies:?}: {answer:?}") };
            table.play_text(&ply).unwrap();
            plies.push(ply);
        }
    }
}
