//! Game records: what is written is read again, whatever happened on a board.

use crate::support::Stage;
use crate::support::host::Host;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use turnpost::board::record::{Record, write, write_as};
use turnpost::board::verify::verify;
use turnpost::board::{Board, Terms};
use turnpost::ids::{BoardId, Seat};
use turnpost::mail::Operator;
use turnpost::store::{BoardState, EventKind, EventRow, PlayerId, Store, StoreError, TimeControl};
use turnpost_games::registry;
use turnpost_games::{Chance, GameKind, Recorded, Setup};

const DVONN_GAMES: &str = include_str!("../../crates/games/tests/data/dvonn-games.txt");

fn begins() -> Timestamp {
    "2026-11-16T09:00:00Z".parse().unwrap()
}

fn store() -> Store {
    let mut store = Store::in_memory().unwrap();
    store
        .write(|store| {
            for name in ["ann", "bob", "carol"] {
                store.add_player(&name.parse().unwrap(), "x", &[1; 32], begins())?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
    store
}

/// How a random board comes to its end, if it does.
#[derive(Debug, Clone, Copy)]
enum End {
    InPlay,
    Resigned,
    TimedOut,
    Agreed,
    Drawn,
    Won,
    Declined,
}

/// A board of random plies, with an event of another kind now and then.
fn play(
    store: &mut Store,
    game: &'static GameKind,
    option: usize,
    choices: &[u16],
    end: End,
    position: bool,
) -> BoardId {
    let options: Vec<(String, Option<String>)> = game
        .options
        .iter()
        .filter(|option| option.value.is_none())
        .nth(option)
        .map(|option| (option.name.to_owned(), None))
        .into_iter()
        .collect();
    // An option can need another one.
    let starts = (game.start)(&Setup { options: &options, seed: 11 }).is_ok();
    let options = if starts { options } else { Vec::new() };
    let table = (game.start)(&Setup { options: &options, seed: 11 }).unwrap();
    let terms = Terms {
        game: game.key.into(),
        players: [1, 2],
        options: if position { Vec::new() } else { options },
        seed: 11,
        from_position: position,
        position: table.position(),
        rated: !position,
        lots: false,
        may_swap: false,
        days: TimeControl { nag: 7, forfeit: 21, total: 300, bank: None },
        grace: None,
        rematch_of: None,
        contest: None,
        tutorial: false,
        imported: None,
        salt: None,
    };
    let players = terms.players.map(PlayerId);
    let start = terms.event(begins(), Some(Seat::Second), Some(begins())).unwrap();
    let id = store.next_board().unwrap();
    let mut board = Board::start(id, &start).unwrap();
    let mut events = vec![start];
    let mut at = begins();
    let other = |board: &Board, kind, seat, player, text: String, at| EventRow {
        number: board.row.events + 1,
        kind,
        at,
        seat,
        player,
        ply: None,
        text,
        deadline_at: None,
    };
    for choice in choices {
        if board.row.state != BoardState::Running {
            break;
        }
        at = at.checked_add(SignedDuration::from_secs(i64::from(*choice))).unwrap();
        if choice % 9 == 0 {
            // Earlier versions wrote such events.
            let moved = r#"{"why":"stop","zone":"Europe/Paris","stopped":[[1,2]]}"#.to_owned();
            let event = other(&board, EventKind::Deadline, board.row.to_move, None, moved, at);
            board.apply(&event).unwrap();
            events.push(event);
        }
        let utc = [jiff::tz::TimeZone::UTC, jiff::tz::TimeZone::UTC];
        if board.table.chance().is_some() {
            let mut fallen = usize::from(*choice);
            let mut cast = |dice: Chance| {
                fallen += 5;
                dice.casts().nth(fallen % dice.casts().count())
            };
            events.extend(board.play_until_choice(&mut cast, at, &utc));
            continue;
        }
        let legal = board.table.legal_plies();
        let ply = legal[usize::from(*choice) % legal.len()].clone();
        let forced = board.table.forced_ply().is_some();
        let player = (!forced).then(|| *board.table.turn().of(&players));
        events.push(board.play(&ply, player, at, &utc).unwrap().0);
    }
    if board.row.state == BoardState::Running {
        let turn = board.table.turn();
        let last = match end {
            End::InPlay => None,
            End::Resigned => {
                Some((EventKind::Resignation, Some(turn.other()), Some(*turn.other().of(&players))))
            }
            End::TimedOut => Some((EventKind::TimedOut, Some(turn), None)),
            End::Agreed => Some((EventKind::Agreement, Some(turn), Some(*turn.of(&players)))),
            End::Drawn => Some((EventKind::Ruling, None, None)),
            End::Won => Some((EventKind::Ruling, Some(Seat::Second), None)),
            End::Declined => Some((EventKind::Decline, Some(Seat::Second), None)),
        };
        if let Some((kind, seat, player)) = last {
            let at = board.row.deadline_at.map_or(at, |deadline| deadline.max(at));
            let ruling = ["won", "draw"][usize::from(seat.is_none())];
            let text = if kind == EventKind::Ruling { ruling.to_owned() } else { String::new() };
            let event = other(&board, kind, seat, player, text, at);
            board.apply(&event).unwrap();
            events.push(event);
        }
    }
    store
        .write(|store| {
            store.add_board(&board.row)?;
            events.iter().try_for_each(|event| store.add_event(id, event))
        })
        .unwrap();
    id
}

fn record(store: &Store, id: BoardId) -> String {
    write(store, &Board::load(store, id).unwrap().unwrap()).unwrap()
}

/// All lines but the one with the board's number.
fn but_for_the_number(record: &str) -> Vec<&str> {
    record.lines().filter(|line| !line.starts_with("board: ")).collect()
}

fn load(store: &mut Store, text: &str) -> Result<BoardId, String> {
    let record = Record::read(text).map_err(|why| why.to_string())?;
    store.write(|store| record.load(store)).map_err(|why| why.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_record_is_loaded_as_the_board_it_was(
        game in prop::sample::select(registry::games().to_vec()),
        option in 0_usize..4,
        choices in prop::collection::vec(any::<u16>(), 0..120),
        end in prop::sample::select(vec![End::InPlay, End::Resigned, End::TimedOut, End::Agreed, End::Won, End::Declined]),
        position in any::<bool>(),
    ) {
        let mut store = store();
        let id = play(&mut store, game, option, &choices, end, position);
        let text = record(&store, id);
        prop_assert!(text.is_ascii() && !text.contains("Paris"), "it names nobody's zone");
        prop_assert!(text.lines().all(|line| line.len() <= 78 && !line.ends_with(' ')), "{}", text);
        // With the rest of a mail around it.
        let copy = load(&mut store, &format!("Hello,\n> dvonn record 1\n\n{text}\n-- \nTurnpost\n")).unwrap();
        prop_assert_ne!(copy, id);
        let again = record(&store, copy);
        prop_assert_eq!(but_for_the_number(&again), but_for_the_number(&text));
        let again_and_again = load(&mut store, &again).unwrap();
        let third = record(&store, again_and_again);
        prop_assert_eq!(but_for_the_number(&third), but_for_the_number(&text));
        let (was, is) = (store.board(id).unwrap().unwrap(), store.board(copy).unwrap().unwrap());
        prop_assert_eq!((&was.position, &was.result, was.state, was.plies, was.changed_at),
            (&is.position, &is.result, is.state, is.plies, is.changed_at));
        prop_assert!(!is.rated && is.deadline_at.is_none());
        // A hand-made board has told no hash of its dice.
        let is_known = |why: &&String| why.contains("no place") || why.ends_with("fell before a player's word");
        prop_assert_eq!(verify(&store).unwrap().wrong.iter().filter(|why| !is_known(why)).count(), 0);
    }

    #[test]
    fn a_damaged_record_loads_nothing_or_a_sound_board(
        choices in prop::collection::vec(any::<u16>(), 0..40),
        cut in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        put in "[ -~\n]{0,6}",
    ) {
        let mut store = store();
        let id = play(&mut store, registry::games()[0], 1, &choices, End::Resigned, false);
        let mut text = record(&store, id);
        let (from, to) = (cut.index(text.len()), other.index(text.len()));
        text.replace_range(from..to.clamp(from, (from + 9).min(text.len())), &put);
        let before = store.board_numbers_from(BoardId(1), u32::MAX).unwrap().len();
        let loaded = load(&mut store, &text);
        prop_assert_eq!(store.board_numbers_from(BoardId(1), u32::MAX).unwrap().len(), before + usize::from(loaded.is_ok()));
        prop_assert_eq!(verify(&store).unwrap().wrong.iter().filter(|why| why.starts_with("board 2")).count(), 0);
    }
}

const FIRST: &str = include_str!("../../fuzz/seeds/record/first-game");

/// The seed of a running game could foretell what it draws later.
#[test]
fn a_record_tells_the_seed_once_the_game_is_over_and_its_hash_before() {
    let (mut store, dvonn) = (store(), registry::find("dvonn").unwrap());
    let running = play(&mut store, dvonn, 0, &[5, 7], End::InPlay, false);
    let text = record(&store, running);
    // SHA-256 of "turnpost seed 1\n1\n11\n".
    let hash = "seed-hash: 18126c76f1adb40195642fcd16b933a53961a00b68d1fa0a61628f3b722464b8\n";
    assert!(text.contains("options: -random\n") && !text.contains("seed: ") && text.contains(hash), "{text}");
    let over = play(&mut store, dvonn, 0, &[5, 7], End::Resigned, false);
    assert!(record(&store, over).contains("\nseed: 11\n"));
    let copy = load(&mut store, &text).unwrap();
    assert!(record(&store, copy).contains(hash), "the seed is not known here");
    assert_eq!(verify(&store).unwrap().wrong.iter().filter(|why| !why.contains("no place")).count(), 0);
    for (forged, why) in [
        // Without chance the start is known.
        (text.replace("options: -random\n", ""), "its start position is not the one its options"),
        (text.replace(hash, "seed: 12\n"), "its start position is not the one its options"),
        (text.replace(hash, "seed-hash: 12\n"), "64 hexadecimal digits"),
    ] {
        let refused = load(&mut store, &forged).unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
}

fn with_options(more: &str) -> String {
    let lines = FIRST.lines().map(|line| match line.strip_prefix("options: ") {
        Some(options) => format!("options: {options} {more}\n"),
        None => format!("{line}\n"),
    });
    lines.collect()
}

/// What a record with these options is written as again, if it can be loaded.
fn written_again(more: &str) -> Result<String, String> {
    let mut store = store();
    let loaded = load(&mut store, &with_options(more))?;
    let once = record(&store, loaded);
    let loaded = load(&mut store, &once).unwrap();
    assert_eq!(but_for_the_number(&record(&store, loaded)), but_for_the_number(&once));
    Ok(once)
}

/// Found by fuzzing: an option without a value may be one that no game has, with blanks in its name.
#[test]
fn an_odd_option_is_written_as_it_was_read() {
    let once = written_again("\"-a -b\" -c=\"d -e\" -f\"g").unwrap();
    assert!(once.contains(r#""-a -b""#) && once.contains("d -e"), "{once}");
}

/// Found by fuzzing: outside of texts in quotes there is no way to write other characters in seven bits.
#[test]
fn an_option_of_other_characters_is_refused() {
    for odd in ["-caf\u{e9}", "-a=\u{1}", "\"-a\u{c}b\"", "-a\u{7f}"] {
        let why = written_again(odd).unwrap_err();
        assert!(why.contains("line 8") && why.contains("printable ASCII"), "{why}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::support::rounds(64, 256) as u32))]

    #[test]
    fn any_option_is_refused_or_written_as_it_was_read(more in "(-[ -~]{0,9} ?){0,4}|[-=\"\\PC\\s]{0,30}") {
        let _ = written_again(&more);
    }
}

/// The games of the file, with all their plies.
fn dvonn_games() -> Vec<Vec<String>> {
    let field = |block: &str, key: &str| -> Vec<String> {
        let line = block.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    };
    DVONN_GAMES
        .split("\n\n")
        .filter(|block| block.starts_with("game "))
        .map(|block| [field(block, "place:"), field(block, "move:")].concat())
        .collect()
}

#[test]
fn dvonn_goes_to_other_servers_and_comes_back() {
    let kind = &turnpost_games::dvonn::KIND;
    let start = (kind.start)(&Setup { options: &[], seed: 0 }).unwrap().position();
    let games: Vec<Recorded> = dvonn_games().into_iter().map(|plies| of_plies(&start, plies)).collect();
    assert!(games.len() > 5);
    for game in &games {
        let plies = &game.plies;
        for notation in kind.notations {
            let text = (notation.write)(kind, game).unwrap();
            for reader in kind.notations {
                let read = (reader.read)(kind, &format!("{text}{text}")).unwrap();
                assert_eq!([&read[0].plies, &read[1].plies], [plies; 2], "{} {}", notation.name, reader.name);
            }
            // The 49th placement missing, all passes missing, and no dash anywhere.
            let shorter: Vec<String> = plies
                .iter()
                .enumerate()
                .filter(|(index, ply)| *index != 48 && *ply != "pass")
                .map(|(_, ply)| ply.replace('-', ""))
                .collect();
            for text in [shorter.join(" "), shorter.join("\n").to_lowercase(), shorter.join(", ")] {
                assert_eq!((notation.read)(kind, &text).unwrap()[0].plies, *plies, "{text}");
            }
        }
    }
    let golem = (kind.notations[0].write)(kind, &games[0]).unwrap();
    assert!(
        golem.starts_with("1. d2 2. b3 3. d4 ") && golem.contains(" 50. d1-d2 51. a3-b4 52. d2-f4"),
        "{golem}"
    );
    assert!(golem.lines().all(|line| line.len() <= 78));
    let cup = (kind.notations[1].write)(kind, &games[0]).unwrap();
    assert!(
        cup.starts_with("D2\nB3\n") && cup.contains("\nD1D2\nA3B4\n") && cup.contains("\nPASS\n"),
        "{cup}"
    );
}

/// A game in play without players.
fn of_plies(start: &str, plies: Vec<String>) -> Recorded {
    let (start, options) = (start.to_owned(), Vec::new());
    Recorded { players: [None, None], event: None, date: None, options, start, plies, end: None }
}

#[test]
fn what_other_servers_never_wrote_is_refused() {
    let kind = &turnpost_games::dvonn::KIND;
    let read = kind.notations[0].read;
    for (text, why) in [
        ("", "line 1, column 1: there is no game in it"),
        ("1. f3 2. f3", "line 1, column 10: f3: "),
        ("f3 e3\n zz", "line 2, column 2: zz: "),
        ("f3 a3-b4", "line 1, column 4: a3-b4: "),
    ] {
        let said = read(kind, text).unwrap_err();
        assert!(said.starts_with(why), "{text}: {said}");
    }
    let resigned = &read(kind, "Start F3 E3 resign Start F3").unwrap()[0];
    assert_eq!((resigned.plies.len(), resigned.end.unwrap().winner), (2, Some(Seat::Second)));
}

/// Whatever ended a board, in each format: the copy has the same result and players, and is over.
#[test]
fn a_board_goes_to_a_format_and_comes_back_as_it_ended() {
    let mut store = store();
    for game in registry::games().iter().filter(|game| !game.notations.is_empty()) {
        for end in
            [End::InPlay, End::Resigned, End::TimedOut, End::Agreed, End::Drawn, End::Won, End::Declined]
        {
            for plies in [5, 6, 500] {
                let choices: Vec<u16> = (1..).step_by(7).take(plies).collect();
                let id = play(&mut store, game, 9, &choices, end, false);
                let board = Board::load(&store, id).unwrap().unwrap();
                for notation in game.notations {
                    let text = write_as(&store, &board, notation).unwrap().unwrap();
                    let read = (notation.read)(game, &text).unwrap().remove(0);
                    let named = read.players[0].is_some();
                    let players = ["ann", "bob"].map(|name| name.parse().unwrap());
                    let copy = Record::of(game, read, (!named).then_some(&players), begins()).unwrap();
                    let copy =
                        store.write(|store| copy.load(store)).unwrap_or_else(|why| panic!("{why}: {text}"));
                    let copy = store.board(copy).unwrap().unwrap();
                    let told = format!("{end:?} {text}");
                    assert_eq!(copy.players, board.row.players, "{told}");
                    // A roll without a move is not in such a file.
                    assert!(game.dice || copy.position == board.row.position, "{told}");
                    if named {
                        assert_eq!(
                            (&copy.result, copy.to_move),
                            (&board.row.result, board.row.to_move),
                            "{told}"
                        );
                    }
                }
            }
        }
    }
    let is_known = |why: &&String| why.contains("no place") || why.ends_with("fell before a player's word");
    assert_eq!(verify(&store).unwrap().wrong.iter().filter(|why| !is_known(why)).count(), 0);
}

#[test]
fn a_board_from_a_record_stands_still_until_somebody_plays_on() {
    let mut stage = Stage::with_a_game();
    stage.tick();
    let (text, _, _) = stage.submit(Operator::Nobody, "dvonn record 1");
    let record = Record::read(&text).unwrap();
    let copy = stage.store.write(|store| record.load(store)).unwrap();
    let mails = stage.ticks("2027-03-01T00:00:00Z".parse().unwrap());
    assert!(mails.iter().all(|mail| mail.subject.contains("dvonn 1 ")), "nothing about the copy");
    assert_eq!(stage.store.board(copy).unwrap().unwrap().state, BoardState::Running);
    let (answer, well, _) = stage.submit(Operator::AsAnyone, "dvonn move 2 ann - D1-E1");
    assert!(well, "{answer}");
    stage.ticks("2027-03-22T00:00:00Z".parse().unwrap());
    assert_eq!(stage.store.board(copy).unwrap().unwrap().state, BoardState::Declined, "bob never played");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_mail_attaches_the_record_that_reads_back() {
    let mut stage = Stage::with_players();
    let choices: Vec<u16> = (1..).step_by(7).take(60).collect();
    for game in registry::games().iter().filter(|game| !game.notations.is_empty()) {
        let id = play(&mut stage.store, game, 9, &choices, End::Resigned, false);
        for notation in game.notations {
            let asked = format!("{} record {id} --format={}", game.key, notation.name);
            let mails = stage.mail("ann@example.org", &asked, "");
            let [[_, name, text]] = &mails[0].files()[..] else { panic!("{asked}: {}", mails[0].raw()) };
            assert_eq!(*name, format!("{}-{id}.{}", game.key, notation.name));
            let board = Board::load(&stage.store, id).unwrap().unwrap();
            assert_eq!(*text, write_as(&stage.store, &board, notation).unwrap().unwrap(), "{asked}");
            let read = (notation.read)(game, text).unwrap_or_else(|why| panic!("{why}: {text}"));
            assert!(!read[0].plies.is_empty(), "{text}");
        }
    }
}

#[test]
fn the_operator_loads_records() {
    let host = Host::after(
        "dvonn challenge -symmetry -seed=7 ann bob\ndvonn move 1 ann plover-42 D1-E1\ndvonn resign 1 bob dunlin-7\n",
    );
    let record = host.run(&["submit", "dvonn", "record", "1"], b"").ok().to_owned();
    let file = host.data().join("record.txt");
    std::fs::write(&file, &record).unwrap();
    let path = file.to_str().unwrap();
    let loaded = host.run(&["admin", "import", path], b"");
    assert_eq!(loaded.ok(), "board 2, which does not count for the ratings\n");
    let again = host.run(&["submit", "dvonn", "record", "2"], b"").ok().to_owned();
    assert!(again.contains("\nboard: 2 (loaded from the record of a board 1)\n"), "{again}");
    assert_eq!(but_for_the_number(&again), but_for_the_number(&record));
    assert!(host.run(&["admin", "board", "2"], b"").ok().contains("rated       no: loaded from a record"));
    // By the names of others, on standard input, and from the plies alone.
    host.run(&["submit", "signup", "carol", "ruff-88", "c@example.com"], b"").ok();
    host.run(&["admin", "import", "-", "--players", "carol,ann"], record.as_bytes()).ok();
    assert!(
        host.run(&["submit", "dvonn", "record", "3"], b"")
            .ok()
            .contains("players: carol (white) v ann (black)")
    );
    let plies = dvonn_games()[0].join("\n").replace('-', "");
    let cup = ["admin", "import", "-", "--format", "codecup", "--players", "bob,ann"];
    host.run(&cup, plies.as_bytes()).ok();
    assert!(host.run(&["submit", "dvonn", "show", "4"], b"").ok().contains("ann (black) wins 15 to 6"));
    for (arguments, input, why) in [
        (&["admin", "import", "-"][..], "nothing", "a record begins with the line"),
        (&["admin", "import", "-"], &record.replace("ann", "zoe"), "zoe has no account here"),
        (&["admin", "import", "-"], &record.replace("D1-E1", "A1-K5"), "line 16: "),
        (&["admin", "import", "-"], &record.replace("wins", "loses"), "its result is "),
        (&["admin", "import", "-"], &record.replace("seed: 7", "seed: x"), "a number is expected"),
        (&["admin", "import", "-", "--format", "codecup"], "F3", "--players ann,bob"),
        (
            &["admin", "import", "-", "--format", "gif"],
            "F3",
            "there is no format \"gif\"; there are codecup, ggf, ",
        ),
        (&["admin", "import", "-", "--format", "sgf"], "(;)", "say which by --game, of hex, havannah, "),
        (&["admin", "import", "-", "--format", "pgn"], "1. e4\n2. e9", "line 2, column 4: e9: "),
        (
            &["admin", "import", "-", "--format", "pgn"],
            "[White \"ann\"]\n1. e4 *\n[White \"Bobby F\"]\n1. d4",
            "without a name",
        ),
        (&["admin", "import", "/nowhere"], "", "/nowhere"),
    ] {
        let ran = host.run(arguments, input.as_bytes());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains(why), "{why}: {}", ran.err);
    }
    assert!(
        !host.run(&["submit", "dvonn", "record", "5"], b"").out.contains("game record"),
        "nothing was kept"
    );
    host.assert_verified();
    // Several in a file.
    let games = host.run(&["submit", "dvonn", "record", "1"], b"").ok().to_owned() + &record;
    let two = host.run(&["admin", "import", "-"], games.as_bytes());
    assert_eq!(two.ok(), "boards 5 to 6, which do not count for the ratings\n");
    let pgn = "[White \"ann\"]\n[Black \"bob\"]\n1. e4 1/2-1/2\n[Date \"1999.12.31\"]\n[White \"bob\"]\n[Black \"ann\"]\n1. d4 0-1";
    let two = host.run(&["admin", "import", "-", "--format", "pgn"], pgn.as_bytes());
    assert_eq!(two.ok(), "boards 7 to 8, which do not count for the ratings\n");
    let drawn = host.run(&["submit", "chess", "record", "7"], b"").ok().to_owned();
    assert!(drawn.contains("\nresult: Game over: a draw by agreement.\n"), "{drawn}");
    let lost = host.run(&["submit", "chess", "record", "8", "--format=pgn"], b"").ok().to_owned();
    assert!(lost.contains("[Date \"1999.12.31\"]") && lost.contains("[White \"bob\"]"), "{lost}");
    assert!(lost.contains("\n1. d4 0-1\n"), "{lost}");
    host.assert_verified();
    let tick = host.run(&["tick"], b"");
    assert_eq!(tick.ok(), "0 reminded, 0 lost by time, 0 gone unanswered, 0 mails\n");
}
