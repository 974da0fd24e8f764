//! Programs that speak UCI and GTP, most of them made up of a few lines of shell.

use std::process::Command;
use std::time::{Duration, Instant};

use turnpost_games::{Setup, registry};
use turnpost_robot::engine::{Answer, Engine, EngineSetup, Fault, GameSoFar, Protocol, gtp_words, uci_words};

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

fn setup(protocol: Protocol, script: &str) -> EngineSetup {
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    EngineSetup { protocol, command, options: Default::default(), go: None }
}

/// What the script answers after `plies`, within `time` of a start that is given five seconds.
fn answer(
    (game, options): (&str, &[(&str, &str)]),
    script: &str,
    plies: &str,
    time: Duration,
) -> Result<Answer, Fault> {
    let kind = registry::find(game).unwrap();
    let options: Vec<_> =
        options.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned()))).collect();
    let start = (kind.start)(&Setup { options: &options, seed: 0 }).unwrap().position();
    let plies: Vec<String> = plies.split_whitespace().map(str::to_owned).collect();
    let protocol = if Protocol::Uci.knows(kind) { Protocol::Uci } else { Protocol::Gtp };
    let mut engine = Engine::start(&setup(protocol, script), soon(), |_| {})?;
    engine.choose(&GameSoFar { kind, start: &start, plies: &plies }, Instant::now() + time)
}

/// A chess engine that does `go` when it is asked for a ply. Like real ones, it continues to read.
fn uci(go: &str) -> String {
    format!(
        "while read word rest; do case $word in uci) echo id name Toy; echo uciok;; isready) echo readyok;;
         position) told=$rest;; go) {go};; esac; done"
    )
}

/// A GTP engine that answers `genmove` so, and keeps what it was told in `$told`.
fn gtp(genmove: &str) -> String {
    format!(
        "while read id word rest; do case $word in genmove) {genmove};; quit) exit;;
         *) told=\"$told $word $rest\"; echo =$id; echo;; esac; done"
    )
}

const CHESS: (&str, &[(&str, &str)]) = ("chess", &[]);

#[test]
fn an_engine_that_dies_hangs_floods_or_lies_is_a_fault() {
    let chess = |go: &str| answer(CHESS, &uci(go), "", Duration::from_secs(5));
    assert_eq!(chess("echo bestmove e2e4"), Ok(Answer::Ply("e4".into())));
    assert_eq!(chess("exit"), Err(Fault::Died));
    assert_eq!(chess("yes"), Err(Fault::Flooded));
    assert_eq!(chess("yes | tr -d '\\n'"), Err(Fault::Flooded));
    for lie in ["e2e5", "e7e5", "(none)", "0000", ""] {
        assert!(matches!(chess(&format!("echo 'bestmove {lie}'")), Err(Fault::Lied(_))), "{lie}");
    }
    let began = Instant::now();
    assert_eq!(answer(CHESS, &uci("exec sleep 60"), "", Duration::from_millis(200)), Err(Fault::Hung));
    assert!(began.elapsed() < Duration::from_secs(5));
    let refused = answer(("hex", &[]), &gtp("echo '?'$id no idea; echo"), "", Duration::from_secs(5));
    assert_eq!(refused, Err(Fault::Lied("it answers genmove black with: no idea".into())));
}

#[test]
fn a_program_that_does_not_start_or_has_no_such_option_is_told() {
    let mut missing = setup(Protocol::Uci, "");
    missing.command = vec!["/no/such/engine".into()];
    let started = Engine::start(&missing, soon(), |_| {});
    assert!(matches!(started, Err(Fault::Absent(why)) if why.contains("No such file")));
    let mut wrong = setup(Protocol::Uci, &uci(""));
    wrong.options.insert("Skil Level".into(), "3".into());
    assert_eq!(Engine::start(&wrong, soon(), |_| {}).unwrap_err().to_string(), "it has no option Skil Level");
}

/// What an engine wrote before it was asked is no answer.
#[test]
fn an_early_answer_is_not_taken() {
    let early = format!("echo bestmove a2a3; {}", uci("echo bestmove e2e4"));
    assert_eq!(answer(CHESS, &early, "", Duration::from_secs(5)), Ok(Answer::Ply("e4".into())));
    let early = format!("echo =99 A1; echo; {}", gtp("echo =$((id - 1)) A1; echo; echo =$id B2; echo"));
    assert_eq!(answer(("hex", &[]), &early, "", Duration::from_secs(5)), Ok(Answer::Ply("b2".into())));
}

/// The engine hears the whole game in its own words, and its words are read.
#[test]
fn a_game_is_told_in_the_words_of_the_protocol() {
    // It dies unless it was told what is expected.
    let chess = |told: &str, options: &str| {
        let script = uci(&format!("case \"$told\" in *'{told}') echo bestmove e7e5;; *) exit;; esac"));
        script.replace("echo uciok", &format!("{options} echo uciok"))
    };
    let castled = "e4 a6 Nf3 a5 Bc4 a4 O-O";
    let has_960 = "echo option name UCI_Chess960 type check default false;";
    for (word, options) in [("e1g1", ""), ("e1h1", has_960)] {
        let told = format!("KQkq - 0 1 moves e2e4 a7a6 g1f3 a6a5 f1c4 a5a4 {word}");
        let answer = answer(CHESS, &chess(&told, options), castled, Duration::from_secs(5));
        assert_eq!(answer, Ok(Answer::Ply("e5".into())), "{word}");
    }
    let told = |told: &str, vertex: &str| {
        gtp(&format!("case \"$told $rest\" in *'{told}') echo =$id {vertex}; echo;; *) exit;; esac"))
    };
    for (game, options, plies, expected, vertex, ply) in [
        (
            "go",
            &[("size", "9")][..],
            "C3 pass",
            "boardsize 9 clear_board  komi 7 play black C3 play white pass black",
            "J9",
            "J9",
        ),
        (
            "go",
            &[("size", "9"), ("handicap", "2")],
            "",
            "komi 0.5 play black G7 play black C3 white",
            "PASS",
            "pass",
        ),
        ("gomoku", &[], "h8 i9", "boardsize 15 clear_board  play black H8 play white J9 black", "P15", "o15"),
        ("havannah", &[], "a1", "boardsize 8 clear_board  play black A1 white", "b1", "b1"),
        ("y", &[], "", "boardsize 13 clear_board  black", "a1", "a1"),
    ] {
        let answer = answer((game, options), &told(expected, vertex), plies, Duration::from_secs(5));
        assert_eq!(answer, Ok(Answer::Ply(ply.into())), "{game} {plies}");
    }
    let resigns = gtp("echo =$id resign; echo");
    assert_eq!(answer(("hex", &[]), &resigns, "", Duration::from_secs(5)), Ok(Answer::Resigns));
}

/// Every legal ply has a word, and no word means two plies.
#[test]
fn words_and_plies_are_pairs() {
    for kind in registry::games() {
        for options in [vec![], vec![("960".to_owned(), None), ("size".to_owned(), Some("9".to_owned()))]] {
            let Ok(mut table) = (kind.start)(&Setup { options: &options, seed: 77 }) else { continue };
            let words: fn(&dyn turnpost_games::Table) -> Vec<(String, String)> = match kind {
                kind if Protocol::Uci.knows(kind) => uci_words,
                kind if Protocol::Gtp.knows(kind) => gtp_words,
                _ => continue,
            };
            for turn in 0..120 {
                let (plies, words) = (table.legal_plies(), words(&*table));
                assert!(plies.iter().all(|ply| words.iter().any(|(_, of)| of == ply)), "{kind:?} {plies:?}");
                let mut once: Vec<&String> = words.iter().map(|(word, _)| word).collect();
                once.sort();
                once.dedup();
                assert_eq!(once.len(), words.len(), "{kind:?}: {words:?}");
                let Some(ply) = plies.get(turn * 7919 % plies.len().max(1)) else { break };
                table.play_text(ply).unwrap();
            }
        }
    }
}

/// A child that waits for input is gone when its engine is dropped.
#[test]
fn a_dropped_engine_is_killed() {
    let mut id = 0;
    let folder = std::env::temp_dir().join(format!("turnpost-engine-{}", std::process::id()));
    let script = format!("echo $$ > {}; {}", folder.display(), uci("exec sleep 60"));
    drop(Engine::start(&setup(Protocol::Uci, &script), soon(), |_: &mut Command| id = 1).unwrap());
    let child = std::fs::read_to_string(&folder).unwrap();
    std::fs::remove_file(&folder).unwrap();
    assert!(id == 1 && !std::path::Path::new("/proc").join(child.trim()).exists());
}
