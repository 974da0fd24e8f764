//! Engines that the host seats: Stockfish and GNU Go, as Debian packs them, and scripts that fail in every way.
//!
//! Not among the tests of a plain `cargo test`: `apt install stockfish gnugo gnubg`, then `cargo test --test engines`. What is
//! missing is a failure, never passed over.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

#[path = "../support/mod.rs"]
mod support;

mod match_files;

use support::host::Host;
use support::{Mail, Stage};
use turnpost::config::Config;
use turnpost::ids::{BoardId, Seat};
use turnpost::mail::Operator;
use turnpost::store::BoardRow;
use turnpost::timer::host_acts::{Act, BoardAct};
use turnpost_games::registry;

/// The engines of `docs/hosting.md`, and their first words there.
fn of_the_docs() -> &'static str {
    let docs = include_str!("../../docs/hosting.md");
    let from = docs.find("[robot.engines.stockfish]").unwrap();
    docs[from..].split("\n```").next().unwrap()
}

/// A server with ann, bob and these engines.
fn stage(engines: &str) -> Stage {
    let config: Config = toml::from_str(engines).unwrap();
    config.robot.engines.check().unwrap();
    let engines = config.robot.engines;
    let stage = Stage::with(|config| config.robot.engines = engines).peopled();
    assert_eq!(stage.app.robot.engines.seat(&stage.store).unwrap(), None);
    stage
}

/// An engine of chess that does `go` when it is asked for a ply.
fn toy(name: &str, go: &str) -> String {
    let script = format!(
        "while read word rest; do case $word in uci) echo id name Toy; echo uciok;; isready) echo readyok;; go) {go};; \
         esac; done"
    );
    format!(
        "[robot.engines.{name}]\ngame = 'chess'\nprotocol = 'uci'\ntime = 1\ncommand = ['sh', '-c', '''{script}''']\n"
    )
}

fn board(stage: &Stage, number: u32) -> BoardRow {
    stage.store.board(BoardId(number)).unwrap().unwrap()
}

fn begin(stage: &mut Stage, line: &str) {
    let (answer, ends_well, _) = stage.submit(Operator::AsAnyone, line);
    assert!(ends_well, "{answer}");
}

/// Lets ann and the engine play `turns` turns each on board 1. Ann takes the ply in the middle of the list.
fn play(stage: &mut Stage, game: &str, turns: usize) {
    for _ in 0..turns {
        let row = board(stage, 1);
        let Some(seat) = row.to_move else { return };
        if seat.of(&row.players).is_robot() {
            stage.think();
            stage.post();
            continue;
        }
        let plies = (registry::find(game).unwrap().read)(&row.position).unwrap().legal_plies();
        begin(stage, &format!("{game} move 1 ann - {}", plies[plies.len() / 2]));
        stage.think();
        stage.post();
    }
}

#[test]
fn stockfish_plays_chess_and_gnugo_plays_go() {
    for (game, line, plies) in [
        ("chess", "chess challenge ann stockfish-3", 12),
        ("chess", "chess challenge -960 stockfish-1 ann", 12),
        ("go", "go challenge -size=9 gnugo-1 ann", 12),
        ("go", "go challenge -size=9 -handicap=3 ann gnugo-2", 12),
    ] {
        let mut stage = stage(of_the_docs());
        begin(&mut stage, line);
        assert!(!board(&stage, 1).rated, "engines have no ratings");
        play(&mut stage, game, 6);
        let row = board(&stage, 1);
        let by_engine = stage.robot_plies() as u32;
        assert!(
            row.plies.0 >= plies - 1 && by_engine >= plies / 2 - 1 || row.to_move.is_none(),
            "{line}: {row:?}"
        );
        // The mail of the engine's move is that of any move.
        assert!(stage.left.iter().any(|mail| mail.to == "ann@example.org"), "{line}");
        assert_eq!(stage.wrong(), [""; 0]);
    }
}

/// Whole games with the cube, in which ann doubles when she can. All dice and all turns fit the rules of both.
#[test]
fn gnubg_plays_backgammon() {
    for (line, doubles) in [
        ("backgammon challenge -match=3 ann gnubg-1", true),
        ("backgammon challenge ann gnubg-2", false),
        ("backgammon challenge -cube -jacoby ann gnubg-3", true),
    ] {
        let mut stage = stage(of_the_docs());
        begin(&mut stage, line);
        let game = line.split(' ').next().unwrap();
        // Ann has the first seat, and binds the dice.
        begin(&mut stage, &format!("{game} roll 1 ann - moonshine"));
        stage.post();
        for turn in 0..400 {
            let row = board(&stage, 1);
            let Some(seat) = row.to_move else { break };
            if seat.of(&row.players).is_robot() {
                stage.think();
                stage.post();
                assert_ne!(board(&stage, 1).plies, row.plies, "{line}: {row:?}");
                continue;
            }
            let plies = (registry::find(game).unwrap().read)(&row.position).unwrap().legal_plies();
            let double = plies.iter().find(|ply| doubles && *ply == "double");
            let ply = double.unwrap_or(&plies[turn % plies.len()]);
            begin(&mut stage, &format!("{game} move 1 ann - {ply}"));
            stage.post();
        }
        let row = board(&stage, 1);
        assert!(row.result.is_some(), "{line}: {row:?}");
        assert_eq!(stage.wrong(), [""; 0]);
    }
}

#[test]
fn an_engine_is_a_player_without_rights() {
    let mut stage = stage(of_the_docs());
    let mut says = |line: &str| stage.submit(Operator::AsAnyone, line).0;
    assert!(says("who stockfish-2").contains("the program stockfish at level 2"));
    assert!(says("who").contains("The program gnugo plays Go, unrated: gnugo-1 and gnugo-2."));
    assert!(says("go challenge ann stockfish-2").contains("stockfish-2 does not play Go, but Chess."));
    assert!(says("go challenge gnugo-1 robot-1").contains("must be a person"));
    assert!(says("chess challenge ann stockfish-4").contains("There is no player stockfish-4"));
    for line in [
        "ladder join chess stockfish-2 -",
        "message stockfish-2 ann hello",
        "signup gnugo-1 plover-42 x@example.org",
    ] {
        let (answer, ends_well, mails) = stage.submit(Operator::AsAnyone, line);
        assert!(!ends_well && mails.is_empty(), "{line}: {answer}");
    }
}

/// Dies, hangs, floods or lies: each time the board waits for the operator, and the others go on.
#[test]
fn a_board_whose_engine_fails_goes_to_the_operator() {
    for (go, said) in [
        ("exit", "the program ended without an answer"),
        ("sleep 60", "no answer came in time"),
        ("yes", "it wrote more than an answer can be"),
        ("echo bestmove e7e4", "it played e7e4, which is no legal move here"),
    ] {
        let mut stage = stage(&format!("{}{}", toy("bad", go), toy("good", "echo bestmove e7e5")));
        begin(&mut stage, "chess challenge ann bad-1");
        begin(&mut stage, "chess challenge ann good-1");
        begin(&mut stage, "chess move 1 ann - e4");
        begin(&mut stage, "chess move 2 ann - e4");
        stage.think();
        let mails = stage.post();
        let to = |address: &str| -> Vec<String> {
            let text = |mail: &Mail| format!("{} {}", mail.subject, mail.text);
            let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
            mails.iter().filter(|mail| mail.to == address).map(text).map(words).collect()
        };
        let operators = to("operator@turnpost.example");
        assert_eq!(operators.len(), 1, "{operators:?}");
        assert!(operators[0].starts_with("bad-1 does not play on board 1"), "{operators:?}");
        assert!(operators[0].contains(&format!("gave no move: {said}.")), "{operators:?}");
        let stopped = format!("bad-1 gave no move, and the operator has been told: {said}.");
        let anns = to("ann@example.org");
        assert_eq!(anns.iter().filter(|mail| mail.contains(&stopped)).count(), 1, "{anns:?}");
        let row = board(&stage, 1);
        assert_eq!(
            (row.plies.0, row.to_move, row.deadline_at),
            (1, Some(Seat::Second), None),
            "no move is lost"
        );
        assert_eq!(board(&stage, 2).plies.0, 2, "other boards go on");
        // It is asked again only when the host says so.
        stage.wait(1);
        stage.think();
        assert_eq!(stage.post(), []);
        stage.host(Act::OnBoard(BoardId(1), BoardAct::Resume), "mended").unwrap();
        let mended = toml::from_str::<Config>(&toy("bad", "echo bestmove c7c5")).unwrap();
        stage.app.robot.engines = mended.robot.engines;
        stage.think();
        assert_eq!(board(&stage, 1).plies.0, 2);
        assert_eq!(stage.wrong(), [""; 0]);
    }
}

/// No network, no variables of the server, limits of memory and processor time, low priority.
#[test]
fn an_engine_is_alone() {
    let checks = [
        "[ $(grep -c : /proc/net/dev) = 1 ]",
        "[ $(ulimit -v) = 1048576 ]",
        "[ $(ulimit -t) = 30 ]",
        "[ -z \"$CARGO_MANIFEST_DIR\" ]",
        "[ $(nice) -ge 10 ]",
    ];
    let mut stage = stage(&toy("alone", &format!("{} && echo bestmove e7e5 || exit", checks.join(" && "))));
    begin(&mut stage, "chess challenge ann alone-1");
    begin(&mut stage, "chess move 1 ann - e4");
    stage.think();
    assert_eq!(board(&stage, 1).plies.0, 2, "{:?}", stage.post());
}

#[test]
fn an_engine_can_resign() {
    let script = "while read id word rest; do case $word in genmove) echo =$id resign;; *) echo =$id;; esac; echo; done";
    let engine = format!(
        "[robot.engines.meek]\ngame = 'hex'\nprotocol = 'gtp'\ncommand = ['sh', '-c', '''{script}''']\n"
    );
    let mut stage = stage(&engine);
    begin(&mut stage, "hex challenge -noswap ann meek-1");
    begin(&mut stage, "hex move 1 ann - f6");
    stage.think();
    let row = board(&stage, 1);
    assert_eq!(row.result.and_then(|result| result.winner), Some(Seat::First));
    assert!(stage.post().iter().any(|mail| mail.text.contains("meek-1 resigned")));
    assert_eq!(stage.wrong(), [""; 0]);
}

#[test]
fn doctor_names_each_engine() {
    let host = Host::set_up();
    let file = host.data().join("turnpost.toml");
    let settings = std::fs::read_to_string(&file).unwrap();
    let dead = toy("dead", "").replace("while", "exit; while");
    std::fs::write(&file, format!("{settings}{}\n{dead}", of_the_docs())).unwrap();
    let says = host.run(&["doctor", "--quick"], b"").out;
    let says = says.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(says.contains("stockfish-3 is Stockfish"), "{says}");
    assert!(says.contains("gnugo-2 is GNU Go"), "{says}");
    assert!(says.contains("gnubg-2 is GNU Backgammon"), "{says}");
    assert!(says.contains("dead-1 does not answer: the program ended without an answer"), "{says}");
}
