//! The formats of other servers and programs: our records and those of others can be read.

use turnpost_games::{EndedBy, Finish, GameKind, Notation, Recorded, Seat, Setup, registry};

use crate::dice::{Dice, rounds};
use crate::registry_laws::{games, option_sets};

fn named(game: &str, format: &str) -> (&'static GameKind, &'static Notation) {
    let kind = registry::find(game).unwrap();
    (kind, kind.notations.iter().find(|notation| notation.name == format).unwrap())
}

fn read(game: &str, format: &str, text: &str) -> Vec<Recorded> {
    let (kind, notation) = named(game, format);
    (notation.read)(kind, text).unwrap_or_else(|why| panic!("{format}: {why}: {text}"))
}

fn refused(game: &str, format: &str, text: &str) -> String {
    let (kind, notation) = named(game, format);
    (notation.read)(kind, text).unwrap_err()
}

/// A game of random plies, which ends early by chance.
fn some_game(kind: &GameKind, options: &[(String, Option<String>)], seed: u64) -> Recorded {
    let mut dice = Dice(seed);
    let mut table = (kind.start)(&Setup { options, seed }).unwrap();
    let (start, mut plies) = (table.position(), Vec::new());
    let most = [4, 30, 80, 400][dice.below(4)];
    while table.ended().is_none() && plies.len() < most {
        if let Some(chance) = table.chance() {
            let cast = chance.casts().nth(dice.below(36)).unwrap();
            plies.extend(table.play_chance(cast));
            continue;
        }
        if let Some(give_up) =
            table.give_up_ply().filter(|_| table.forced_ply().is_none() && dice.below(20) == 0)
        {
            plies.push(table.play_text(&give_up).unwrap().ply);
            continue;
        }
        let legal = table.legal_plies();
        plies.push(table.play_text(&legal[dice.below(legal.len())]).unwrap().ply);
    }
    plies.extend(table.play_passes().into_iter().map(|pass| pass.ply));
    let either = Seat::BOTH[dice.below(2)];
    let end = |winner, by| Some(Finish { winner, by });
    let end = match (table.ended(), dice.below(8)) {
        (Some(outcome), _) => end(outcome.winner, EndedBy::Rules),
        (None, 0) => None,
        (None, 1) => end(Some(either), EndedBy::Resignation),
        (None, 2 | 3) => end(Some(table.turn().other()), EndedBy::Time),
        (None, 4) => end(None, EndedBy::Agreement),
        (None, 5) => end(Some(either), EndedBy::Ruling),
        (None, 6) => end(None, EndedBy::Ruling),
        (None, _) => end(None, EndedBy::Abandonment),
    };
    Recorded {
        players: [Some("ann".to_owned()), Some("Bob \"B]\\\" Hill".to_owned())],
        event: Some("Spring: cup".to_owned()),
        date: Some("2026-11-16".to_owned()),
        options: options.to_vec(),
        start,
        plies,
        end,
    }
}

#[test]
fn each_format_gives_back_what_it_is_given() {
    for kind in games().filter(|kind| !kind.notations.is_empty()) {
        for (seed, options) in (0..rounds(24, 120)).zip(option_sets(kind).iter().cycle()) {
            let game = some_game(kind, options, seed);
            for notation in kind.notations {
                let Ok(text) = (notation.write)(kind, &game) else {
                    assert_eq!(
                        (kind.key, options.is_empty()),
                        ("dvonn", false),
                        "{} {game:?}",
                        notation.name
                    );
                    continue;
                };
                let told = format!("{kind:?} {}: {text}", notation.name);
                let read =
                    |text: &str| (notation.read)(kind, text).unwrap_or_else(|why| panic!("{why}: {told}"));
                let again = read(&text).remove(0);
                if kind.family == "dice" {
                    // The order of dice is not written, and equal dice of an opening are left out.
                    let written = (notation.write)(kind, &again).unwrap();
                    assert_eq!((written, &again.options), (text, options), "{told}");
                    continue;
                }
                assert_eq!((&again.start, &again.plies), (&game.start, &game.plies), "{told}");
                // The servers of DVONN record plies, and who resigned.
                if again.players == [None, None] {
                    assert!(again.end.is_none() || again.end == game.end, "{told}");
                    continue;
                }
                assert_eq!(read(&format!("{text}\n{text}")), [again.clone(), again.clone()], "{told}");
                assert_eq!(Recorded { options: options.clone(), ..again }, game, "{told}");
            }
        }
    }
}

#[test]
fn matches_are_read_as_gnu_backgammon_writes_them() {
    let text = " 3 point match\n\n Game 1\n ann : 0                        bob h : 0\n\
        \x20 1)                                 31: 8/5 6/5\n\
        \x20 2) 64: 24/18 18/14                 55: 8/3 8/3 6/1 6/1\n\
        \x20 3)  Doubles => 2                   Drops\n      Wins 1 point\n\n\
        \x20Game 2\n ann : 1                       bob h : 0\n\
        \x20 1) 62: 24/18 13/11                 11: 8/7(2) 6/5(2)\n";
    let game = read("backgammon", "mat", text).remove(0);
    assert_eq!(game.players, [Some("ann".to_owned()), Some("bob h".to_owned())]);
    let plies = "roll,1-3,8/5 6/5,roll,6-4,24/14,roll,5-5,8/3(2) 6/1*(2),double,drop,6-2,24/18 13/11,roll,1-1,8/7*(2) 6/5(2)";
    assert_eq!(game.plies.join(","), plies);
    let why = refused("backgammon", "mat", &text.replace("24/18 18/14", "24/18 18/13"));
    assert!(why.starts_with("line 6, column 1: 24/18 18/13: With 6-4 "), "{why}");
    assert_eq!(
        refused("backgammon", "mat", "  1) 31: 8/5 6/5"),
        "line 1, column 1: `N point match` is missing above"
    );
}

#[test]
fn pgn_is_read_as_others_write_it() {
    let plies = ["f3", "e5", "g4", "Qh4#"];
    let games = read(
        "chess",
        "pgn",
        "\u{feff}[White \"A; \\\"B\\\"\"]\n[Date \"1994.??.??\"]\n\n% escaped\n1.f3 {weak [sic]} e7-e5 (1...d5 2. d4 (2. c4)) 2 g4?? $4 ; so\n\
         2...Qh4 1-0\n\n[Result \"1/2-1/2\"]\n[FEN \"4k3/8/8/8/3p4/8/4P3/4K3 b - -\"]\n\n7... Kd8\n\n[Variant \"chess 960\"]\n\
         [FEN \"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1\"]\n1. e4 e5 2. Ne3 Ne6 3. O-O 0-1",
    );
    assert_eq!(
        (games[0].plies.as_slice(), games[0].players[0].as_deref()),
        (&plies.map(str::to_owned)[..], Some("A; \"B\""))
    );
    let ends: Vec<_> = games.iter().map(|game| game.end.map(|end| (end.winner, end.by))).collect();
    let [ruled, drawn, lost] = [
        (Some(Seat::First), EndedBy::Ruling),
        (None, EndedBy::Agreement),
        (Some(Seat::Second), EndedBy::Resignation),
    ];
    assert_eq!(ends, [Some(ruled), Some(drawn), Some(lost)], "the mate of Black is not 1-0 by the rules");
    for (text, why) in [
        ("", "line 1, column 1: there is no game in it"),
        ("1. e4\n  e4", "line 2, column 3: e4: "),
        ("1. e4 --", "line 1, column 7: a null move"),
        ("[Variant \"Atomic\"]\n1. e4", "line 1, column 11: Atomic is another game"),
        ("[FEN \"8/8\"]\n1. e4", "line 1, column 7: this is no position"),
        ("1. e4 {so", "line 1, column 7: this comment is not closed"),
    ] {
        assert!(refused("chess", "pgn", text).starts_with(why), "{}", refused("chess", "pgn", text));
    }
}

#[test]
fn pdn_is_read_as_others_write_it() {
    let text = "[GameType \"20,W,10,10,N1,0\"]\n1. 32-28 {[%clock]} 19-23! 2. 28x19 14x23 3. 37-32  9- 14 1-1\n\
                [FEN \"B:W31-33,K6:BK45,20.\"]\n1... 20-25 0-2";
    let games = read("draughts", "pdn", text);
    assert_eq!(games[0].end, Some(Finish { winner: None, by: EndedBy::Agreement }));
    assert_eq!(games[1].start, "...../W..../...../....b/...../...../www../...../....B/..... b");
    assert!(refused("draughts", "pdn", "[GameType \"21\"]\n1. 11-15").contains("another game"));
}

#[test]
fn sgf_is_read_as_others_write_it() {
    let go = "some words (;GM[1]FF[3]SZ[9]KM[5.50]HA[2]AB[cg][gc]PB[B\\]b]PW[W]RE[W+Resign];W[ee];B[ce](;W[tt]C[\\]x])(;W[aa]))";
    let game = &read("go", "sgf", go)[0];
    assert_eq!(game.plies, ["E5", "C5", "pass"]);
    assert_eq!(game.options.len(), 3, "the stones are those of the handicap");
    assert_eq!(game.players[0].as_deref(), Some("B]b"));
    assert_eq!(game.end, Some(Finish { winner: Some(Seat::Second), by: EndedBy::Resignation }));
    // The second to play has taken the stone of the first, and wins with it.
    let swapped = "(;FF[4]EV[x]PB[bea]PW[will]SZ[4]RE[B];W[E4];B[swap];W[F5];B[D3];W[resign])";
    let game = &read("havannah", "sgf", swapped)[0];
    assert_eq!(game.players.each_ref().map(|name| name.as_deref().unwrap()), ["bea", "will"]);
    assert_eq!(game.end.unwrap().winner, Some(Seat::First));
    // Either colour can begin.
    assert_eq!(
        read("gomoku", "sgf", "(;GM[4]PW[will]PL[W];W[hh];B[aa])")[0].players[0].as_deref(),
        Some("will")
    );
    for (text, why) in [
        ("(;GM[4];B[aa])", "line 1, column 6: this number is of another game than Go"),
        ("(;GM[1]SZ[9]\n;B[aa];W[aa])", "line 2, column 10: A9: A9 is occupied"),
        ("(;GM[1];B[aa];AW[bb])", "line 1, column 18: stones are put down here"),
        ("(;GM[1];B[aa)", "line 1, column 10: this value is not closed"),
        ("(;GM[1]KM[7.25])", "line 1, column 1: -komi is 0 to 50 points"),
    ] {
        assert!(refused("go", "sgf", text).starts_with(why), "{}", refused("go", "sgf", text));
    }
}

#[test]
fn ggf_is_read_as_others_write_it() {
    let text = "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[one]PW[two]TI[05:00//02:00]TY[8]RE[-12.000:t]\
                BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[d3//0.01]W[C3/0.2/1];)";
    let game = &read("reversi", "ggf", text)[0];
    assert_eq!((game.plies.join(" ").as_str(), game.date.as_deref()), ("d3 c3", Some("2003-12-15")));
    assert_eq!(game.end, Some(Finish { winner: Some(Seat::Second), by: EndedBy::Time }));
}
