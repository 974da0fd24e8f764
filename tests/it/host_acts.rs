//! What the host does to boards, accounts, mails and addresses: whom it tells, what it leaves, what it refuses.

use crate::support::host::{Host, Ran, finish, start};
use crate::support::{ANN, Mail, Stage};
use jiff::Timestamp;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost::app::App;
use turnpost::board::Board;
use turnpost::board::record::{Record, write};
use turnpost::board::verify::verify;
use turnpost::data_dir::DATABASE;
use turnpost::failure::Error;
use turnpost::ids::{BoardId, Ply, Seat};
use turnpost::mail::Operator;
use turnpost::notices::{Mail as Notice, Occasion, Outbox};
use turnpost::settings::BROADCAST;
use turnpost::store::{BoardState, PlayerId, RatingRow, Store};
use turnpost::timer::host_acts::{Act, AddressAct, Announcement, BoardAct, GameEnd, NewSeat, announce};

const WHY: &str = "The clock of the server was wrong.";

const CAROL: &str = "whimbrel-5";

/// Ann and bob with board 1, of which four plies are played, and carol.
fn stage() -> Stage {
    let mut stage = Stage::with_a_game();
    stage.sign_up("carol@example.com", "carol", CAROL);
    assert!(
        stage
            .submit(
                Operator::AsAnyone,
                "dvonn move 1 ann - D1-E1\ndvonn move 1 bob - K3-J2\ndvonn move 1 ann - E1-G1\ndvonn move 1 bob - I1-H1"
            )
            .1
    );
    stage
}

fn on_board(stage: &mut Stage, act: BoardAct) -> Result<(String, Vec<Mail>), String> {
    let done = stage.host(Act::OnBoard(BoardId(1), act), WHY);
    assert_eq!(stage.wrong(), Vec::<String>::new());
    done
}

fn carol() -> turnpost::ids::Userid {
    "carol".parse().unwrap()
}

#[test]
fn a_reason_is_short() {
    let mut stage = stage();
    let before = stage.dump();
    assert!(
        stage
            .host(Act::OnBoard(BoardId(1), BoardAct::Adjourn), &"why ".repeat(200))
            .unwrap_err()
            .contains("500 characters")
    );
    assert_eq!(stage.dump(), before);
}

/// Plays eight plies of a new rated board and has the second player resign.
fn rated_game(stage: &mut Stage, first: &str, second: &str) {
    assert!(stage.submit(Operator::AsAnyone, &format!("dvonn challenge {first} {second}")).1);
    let board = stage.store.board_numbers_from(BoardId(1), u32::MAX).unwrap().last().unwrap().0;
    for (n, space) in ["F3", "E3", "D3", "C3", "B3", "A3", "G3", "H3"].iter().enumerate() {
        let name = [first, second][n % 2];
        assert!(stage.submit(Operator::AsAnyone, &format!("dvonn move {board} {name} - {space}")).1);
    }
    assert!(stage.submit(Operator::AsAnyone, &format!("dvonn resign {board} {second} -")).1);
}

fn ratings(stage: &Stage) -> Vec<RatingRow> {
    stage.store.ratings("dvonn", 1, 100).unwrap()
}

#[test]
fn the_games_after_a_corrected_one_are_rated_again() {
    let mut stage = Stage::with_players();
    stage.sign_up("carol@example.com", "carol", CAROL);
    for (first, second) in [("ann", "bob"), ("bob", "carol"), ("carol", "ann"), ("ann", "bob")] {
        rated_game(&mut stage, first, second);
    }
    let before = ratings(&stage);
    on_board(&mut stage, BoardAct::End(GameEnd::Won("bob".parse().unwrap()))).unwrap();
    let corrected = ratings(&stage);
    assert_ne!(corrected, before);
    assert_ne!(
        stage.store.rating("dvonn", PlayerId(3)).unwrap().unwrap(),
        *before.iter().find(|row| row.player == PlayerId(3)).unwrap(),
        "carol was not on the board, and met its players later"
    );
    on_board(&mut stage, BoardAct::End(GameEnd::Won("ann".parse().unwrap()))).unwrap();
    assert_eq!(ratings(&stage), before);
    let (_, mails) = on_board(&mut stage, BoardAct::Resume).unwrap();
    assert_eq!(mails.len(), 2);
    assert_eq!(ratings(&stage).iter().map(|row| row.won).sum::<u32>(), 3);
    assert!(stage.submit(Operator::AsAnyone, "dvonn resign 1 bob -").1);
    assert_eq!(ratings(&stage).iter().map(|row| row.won).sum::<u32>(), 4);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Whatever the host and the players do, each board is what its record makes, the ratings are what the games make, and
/// the record is read back from its text.
#[test]
fn a_record_holds_whatever_the_host_does() {
    for seed in 0..crate::support::rounds(6, 60) {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let mut stage = Stage::with_players();
        stage.sign_up("carol@example.com", "carol", CAROL);
        stage.sign_up("dora@example.com", "dora", CAROL);
        let game = ["dvonn challenge --swap", "hexmeister challenge", "dvonn challenge --totaltime=30"]
            [seed as usize % 3];
        assert!(stage.submit(Operator::AsAnyone, &format!("{game} ann bob")).1);
        let mut acts = 0;
        for _ in 0..60 {
            stage.wait(i64::from(rng.next_u32() % 30));
            let board = Board::load(&stage.store, BoardId(1)).unwrap().unwrap();
            let plies = board.row.plies.0;
            let names: Vec<String> = board
                .row
                .players
                .iter()
                .map(|player| stage.store.player_by_id(*player).unwrap().userid.to_string())
                .collect();
            let act = match rng.next_u32() % 10 {
                0 if rng.next_u32() % 2 == 0 => BoardAct::Undo(Ply(rng.next_u32() % (plies + 2))),
                1 => match rng.next_u32() % 3 {
                    0 => BoardAct::End(GameEnd::Draw),
                    1 => BoardAct::End(GameEnd::Void),
                    _ => BoardAct::End(GameEnd::Won(names[0].parse().unwrap())),
                },
                2 => BoardAct::Adjourn,
                3 | 4 => BoardAct::Resume,
                5 => {
                    let seat = [Seat::First, Seat::Second][rng.next_u32() as usize % 2];
                    let who = ["ann", "bob", "carol", "dora"][rng.next_u32() as usize % 4];
                    BoardAct::Reseat(NewSeat { seat, player: who.parse().unwrap() })
                }
                6 if plies == 1 => {
                    let line = format!("dvonn swap 1 {} -", names[1]);
                    stage.submit(Operator::AsAnyone, &line);
                    continue;
                }
                _ => {
                    let Some(turn) = board.row.to_move else { continue };
                    let legal = board.table.legal_plies();
                    let ply = &legal[rng.next_u32() as usize % legal.len()];
                    let line = format!("{} move 1 {} - \"{ply}\"", board.kind.key, names[turn.index()]);
                    let (said, well, _) = stage.submit(Operator::AsAnyone, &line);
                    assert!(well, "{line}: {said}");
                    continue;
                }
            };
            acts += usize::from(on_board(&mut stage, act).is_ok());
        }
        assert!(acts > 3, "seed {seed}: {acts} acts");
        let board = Board::load(&stage.store, BoardId(1)).unwrap().unwrap();
        if board.row.state == BoardState::Declined {
            continue;
        }
        let text = write(&stage.store, &board).unwrap();
        let record = Record::read(&text).unwrap();
        let copy =
            stage.store.write(|store| record.load(store)).unwrap_or_else(|why| panic!("{why}:\n{text}"));
        let is = stage.store.board(copy).unwrap().unwrap();
        assert_eq!(
            (&is.position, &is.result, is.state, is.players, is.plies),
            (&board.row.position, &board.row.result, board.row.state, board.row.players, board.row.plies)
        );
        let again = write(&stage.store, &Board::load(&stage.store, copy).unwrap().unwrap()).unwrap();
        let events = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
        assert_eq!(events(&again), events(&text));
        assert_eq!(verify(&stage.store).unwrap().wrong, Vec::<String>::new());
    }
}

/// What the host did is held to the rules like a ply, in the database and in a record that comes from elsewhere.
#[test]
fn acts_that_cannot_be_are_found() {
    let mut stage = stage();
    on_board(&mut stage, BoardAct::Reseat(NewSeat { seat: Seat::First, player: carol() })).unwrap();
    let text = write(&stage.store, &Board::load(&stage.store, BoardId(1)).unwrap().unwrap()).unwrap();
    assert!(text.contains("* reseat first by server at 2026-11-16T09:00:00Z \"carol\"\n"), "{text}");
    for (name, why) in [
        ("nobody", "line 19: nobody has no account here"),
        ("no one", "line 19: the userid of a player is expected"),
        ("bob", "line 19: seats nobody, or a player of the board"),
    ] {
        let record = Record::read(&text.replace("\"carol\"", &format!("\"{name}\""))).unwrap();
        assert_eq!(stage.store.write(|store| record.load(store)).unwrap_err().to_string(), why);
    }
    on_board(&mut stage, BoardAct::End(GameEnd::Won(carol()))).unwrap();
    let conn = rusqlite::Connection::open(stage.folder.path().join(DATABASE)).unwrap();
    for (wrong, right, why) in [
        ("text = 'draw'", "text = 'won'", "names a winner exactly when somebody won"),
        ("text = 'lost'", "text = 'won'", "in place of a Ruling"),
        ("kind = 'resumption', seat = NULL", "kind = 'ruling', seat = 0", "its events make"),
        ("kind = 'adjournment', seat = NULL", "kind = 'ruling', seat = 0", "its events make"),
    ] {
        let set =
            |values: &str| conn.execute(&format!("UPDATE events SET {values} WHERE number = 7"), []).unwrap();
        set(wrong);
        assert!(stage.wrong()[0].contains(why), "{wrong}: {:?}", stage.wrong());
        set(right);
        assert_eq!(stage.wrong(), Vec::<String>::new());
    }
}

/// The commands as the host types them.
#[test]
fn the_commands_say_what_they_did() {
    let host = Host::new();
    host.run(&["submit"], include_bytes!("../first-game.txt")).ok();
    let admin = |words: &[&str]| host.run(&[&["admin"], words].concat(), b"");
    let json = |ran: &Ran| -> serde_json::Value { serde_json::from_str(ran.ok()).unwrap() };
    assert_eq!(
        admin(&["board", "1", "--undo", "4", "--reason", "Wrong board."]).ok(),
        "Board 1: ply 4 and all after it are taken back.\n2 mails tell of it.\n"
    );
    assert_eq!(
        admin(&["user", "ann", "--add-address", "ann@new.example"]).ok(),
        "ann gets mail at ann@new.example from now on.\n"
    );
    assert_eq!(admin(&["user", "ann", "--suspend", "Abuse."]).code, Some(0));
    let page = admin(&["user", "ann"]);
    assert!(page.ok().contains("suspended") && page.out.contains("Abuse."), "{page:?}");
    assert!(admin(&["users"]).ok().contains("suspended"));
    assert_eq!(json(&admin(&["user", "ann", "--json"]))["suspended"], "Abuse.");
    assert!(admin(&["users", "--json"]).ok().contains("Abuse."));
    let log = admin(&["log"]);
    let lines: Vec<&str> = log.ok().lines().collect();
    assert!(
        lines[0].starts_with("act  at ") && lines.iter().all(|line| line.chars().count() <= 80),
        "{log:?}"
    );
    for (what, why) in [("undo, board 1, ply 4", "Wrong board."), ("suspend, player 1 (ann)", "Abuse.")] {
        let at = lines.iter().position(|line| line.ends_with(what)).unwrap();
        assert_eq!(lines[at + 1].trim_start(), why);
    }
    let acts = json(&admin(&["log", "--json"]));
    assert_eq!((acts[2]["what"].as_str(), acts[2]["board"].as_u64()), (Some("undo"), Some(1)));
    assert_eq!(log.out, admin(&["log", "--since", "2d"]).ok());
    assert_eq!(admin(&["log", "--since", "2999-01-01"]).ok(), "no acts\n");
    assert_eq!(admin(&["log", "--board", "1"]).ok().lines().count(), 3);
    assert_eq!(admin(&["log", "--board", "99"]).ok(), "no acts\n");
    let cut = admin(&["log", "--limit", "1"]);
    assert!(cut.ok().ends_with("the list is cut after 1 row; --limit 2 shows more\n"), "{}", cut.out);
    assert_eq!(admin(&["log", "--limit", "0"]).ok(), "the list is cut after 0 rows; --limit 1 shows more\n");
    assert_eq!(admin(&["log", "--user", "bob"]).ok(), "no acts\n");
    let mut by_sudo = host.command(&["admin", "user", "ann", "--resume"]);
    by_sudo.env("SUDO_USER", "keeper");
    finish(start(by_sudo, b"")).ok();
    let log = admin(&["log", "--limit", "1"]);
    assert!(
        log.ok().lines().nth(1).unwrap().ends_with(" by keeper  resume user, player 1 (ann)"),
        "{}",
        log.out
    );
    host.assert_verified();
}

/// An outbox that breaks off.
struct Breaks<'a>(&'a App, std::cell::Cell<u32>);

impl Outbox for Breaks<'_> {
    fn pages(&self) -> Option<&str> {
        None
    }

    fn put(&self, store: &Store, to: &Occasion, mails: Vec<Notice>, now: Timestamp) -> Result<usize, Error> {
        self.1.set(self.1.get() - 1);
        if self.1.get() == 0 { Err(Error::Panicked) } else { self.0.put(store, to, mails, now) }
    }
}

#[test]
fn an_announcement_reaches_each_player_once_however_often_it_is_run() {
    let mut stage = Stage::with_players();
    for number in 3..=80 {
        stage.change(&format!(
            "INSERT INTO players (id, userid, userid_key, secret, created_at) VALUES ({number}, 'p{number}', 'p{number}', zeroblob(32), 1);
             INSERT INTO addresses (player, address, address_key, added_at, confirmed_at)
             VALUES ({number}, 'p{number}@x.org', 'p{number}@x.org', 1, 1);"
        ));
    }
    for (number, change) in [
        (4, "players SET suspended = 'why'"),
        (5, "players SET state = 'signed-off'"),
        (6, "players SET paused_until = 4000000000"),
    ] {
        stage.change(&format!("UPDATE {change} WHERE id = {number}"));
    }
    stage.store.set(PlayerId(3), BROADCAST.to("off"), stage.now).unwrap();
    stage.host(Act::OnAddress("p7@x.org".to_owned(), AddressAct::Stop), "").unwrap();
    let words = Announcement { subject: "A week off".to_owned(), text: "We are away.".to_owned() };
    let Stage { store, app, now, .. } = &mut stage;
    let breaks = Breaks(app, std::cell::Cell::new(60));
    assert!(announce(store, &breaks, &words, "keeper", *now).is_err());
    assert_eq!(announce(store, &*app, &words, "keeper", *now).unwrap(), 76 - 50);
    assert_eq!(announce(store, &*app, &words, "keeper", *now).unwrap(), 0);
    assert_eq!(store.waiting_mails().unwrap(), 76);
    let mails = stage.post();
    assert_eq!(mails.len(), 75, "one has paused");
    let ann = mails.iter().find(|mail| mail.to == "ann@example.org").unwrap();
    assert!(ann.raw().contains("List-Unsubscribe: ") && ann.text.contains("We are away."), "{}", ann.raw());
}

#[test]
fn all_of_a_person_is_exported() {
    let mut stage = stage();
    stage.mail("ann@example.org", "dvonn chat 1 ann plover-42", "Grüße! A godwit flew by.\n");
    on_board(&mut stage, BoardAct::Adjourn).unwrap();
    stage.change(
        "INSERT INTO invitations (player, game, options, code, address, made_at)
         SELECT 2, 'hex', '{}', randomblob(32), address, 1 FROM addresses",
    );
    let all = turnpost::timer::host_acts::export(&stage.store, PlayerId(1)).unwrap();
    assert_eq!(all["invited"].as_array().map(Vec::len), Some(1));
    assert_eq!((&all["invited"][0]["by"], &all["boards"][0]["hints"]), (&"bob".into(), &0.into()));
    assert_eq!(all["account"][0]["userid"], "ann");
    assert_eq!(all["addresses"][0]["address"], "ann@example.org");
    assert_eq!(all["boards"][0]["opponent"], "bob");
    assert_eq!(all["words"][0]["words"].as_str().map(str::trim), Some("Grüße! A godwit flew by."));
    assert!(all["letters"].as_array().unwrap().iter().any(|letter| letter["sender"] == "ann@example.org"));
    assert!(all["mails_to_others"].to_string().contains("Grüße! A godwit flew by."));
    assert!(all["mails"].to_string().contains("dvonn 1 against bob"));
    let text = all.to_string();
    for secret in ["bob@example.net", ANN, "argon2"] {
        assert!(!text.contains(secret), "{secret}");
    }
}
