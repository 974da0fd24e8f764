//! The program as an operator uses it: words and lines, exit codes, listings, settings.

use crate::support::data::DataFile;
use crate::support::host::{Host, finish, start};
use crate::support::{ANN, Stage};
use serde_json::Value;
use turnpost::mail::Operator;

const FIRST_GAME: &str = include_str!("../first-game.txt");

/// The moment until which a player has time depends on the day the test runs.
fn without_days(text: &str) -> String {
    let is_day = |words: &[&str]| match words {
        [week, day, ..] => "Mon Tue Wed Thu Fri Sat Sun".contains(week) && day.parse::<u8>().is_ok(),
        _ => false,
    };
    let line = |line: &str| {
        // Deadlines are those of today on one side.
        let line = line.split_once(", until ").map_or(line, |(before, _)| before);
        let words: Vec<&str> = line.split_whitespace().collect();
        let day = words.windows(3).position(is_day);
        day.map_or(words.join(" "), |at| [&words[..at], &words[at + 3..]].concat().join(" "))
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn with_a_game() -> Host {
    let host = Host::new();
    host.run(&["submit"], FIRST_GAME.as_bytes()).ok();
    host
}

fn json(host: &Host, arguments: &[&str]) -> Value {
    serde_json::from_str(host.run(arguments, b"").ok()).unwrap()
}

#[test]
fn the_first_command_of_the_readme() {
    let mut stage = Stage::new();
    let (answers, ends_well, _) = stage.submit(Operator::Nobody, FIRST_GAME);
    assert!(ends_well);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/first-game-answers.txt");
    if std::env::var_os("TURNPOST_BLESS").is_some() {
        std::fs::write(&path, &answers).unwrap();
    }
    assert_eq!(answers, std::fs::read_to_string(path).unwrap());
    let host = Host::new();
    let ran = host.run(&["submit"], FIRST_GAME.as_bytes());
    let answers = answers.replace(crate::support::ADDRESS, "play@turnpost.example");
    assert_eq!(without_days(ran.ok()), without_days(answers.trim_end()));
    let folder = host.data().join("mail");
    assert_eq!(ran.err, format!("\nturnpost: 2 mails sent, as files in {}\n", folder.display()));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 2);
}

#[test]
fn the_program_names_its_version_and_that_of_its_databases() {
    let host = Host::new();
    let version = env!("CARGO_PKG_VERSION");
    let said = host.run(&["--version"], b"");
    let database = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap().count();
    assert!(said.ok().starts_with(&format!("turnpost {version}\ndatabase {database}\n")), "{said:?}");
    assert_eq!(host.run(&["-V"], b"").ok(), format!("turnpost {version}\n"));
}

#[test]
fn submit_says_by_its_exit_code_how_the_last_command_ended() {
    let host = with_a_game();
    for (words, code) in [
        (&["help"][..], 0),
        (&["dvonn", "show", "1"], 0),
        (&["dvonn", "show", "7"], 1),
        (&["dvonn", "move", "1"], 1),
        (&["nonsense"], 1),
        (&["dvonn", "move", "1", "bob", "dunlin-7", "J2-K3"], 1),
    ] {
        let ran = host.run(&[&["submit"], words].concat(), b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""), "{words:?}");
        assert!(!ran.out.is_empty());
    }
    let last = |lines: &str| host.run(&["submit"], lines.as_bytes()).code;
    assert_eq!(last("nonsense\nhelp\n"), Some(0));
    assert_eq!(last("help\nnonsense\n"), Some(1));
    assert_eq!(last(""), Some(1), "nothing was carried out");
    assert_eq!(host.run(&["submit", "--as", "no such userid", "help"], b"").code, Some(2));
}

#[test]
fn words_keep_their_bounds() {
    let host = Host::new();
    let submit = |words: &[&str]| host.run(&[&["submit"], words].concat(), b"").code;
    assert_eq!(submit(&["signup", "ann", "two words", "ann@example.org"]), Some(0));
    assert_eq!(submit(&["signup", "bob", "a \"quoted\" word", "bob@example.net"]), Some(0));
    let position = "-position=w,w,w,w,b,b,w,b,b/b,b,D,w,b,D,b,b,w,D/w,b,w,b,w,w,b,w,w,w,b/b,b,w,b,b,w,b,w,w,w/w,b,b,w,b,b,w,w,b w";
    assert_eq!(submit(&["dvonn", "challenge", position, "--unrated", "ann", "bob"]), Some(0));
    assert_eq!(submit(&["dvonn", "move", "1", "ann", "two", "words", "A1-B1"]), Some(1));
    assert_eq!(submit(&["dvonn", "resign", "1", "ann", "two words"]), Some(0));
    assert_eq!(submit(&["dvonn", "challenge", "ann", "bob"]), Some(0));
    assert_eq!(submit(&["dvonn", "resign", "2", "bob", "a \"quoted\" word"]), Some(0));
    // One argument of several words is a line.
    assert_eq!(submit(&["who ann"]), Some(0));
}

#[test]
fn the_operator_speaks_for_players() {
    let host = with_a_game();
    let submit = |words: &[&str]| host.run(&[&["submit"], words].concat(), b"");
    let play = ["dvonn", "move", "1", "ann", "-", "G1-G4"];
    assert_eq!(submit(&play).code, Some(1), "nobody speaks");
    let ran = submit(&[&["--as", "bob"], &play[..]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "You speak for bob, and this command is ann's.\n"));
    assert_eq!(submit(&[&["--as", "Ann"], &play[..]].concat()).code, Some(0));
    assert_eq!(submit(&["--as-anyone", "dvonn", "resign", "1", "bob", "-"]).code, Some(0));
    assert_eq!(submit(&["--as-anyone", "dvonn", "resign", "1", "nobody", "-"]).code, Some(1));
    assert_eq!(submit(&["--as-anyone", "--as", "ann", "help"]).code, Some(2));
    // One who speaks for a player challenges for that player and nobody else.
    assert_eq!(submit(&["--as", "carol", "dvonn", "challenge", "ann", "bob"]).code, Some(1));
    assert_eq!(submit(&["--as", "bob", "dvonn", "challenge", "ann", "bob"]).code, Some(0));
    // The address commands come from is the one an account gets that names none.
    assert_eq!(submit(&["signup", "carol", "ruff-88"]).code, Some(1));
    assert_eq!(submit(&["--from", "carol@example.com", "signup", "carol", "ruff-88"]).code, Some(0));
    assert_eq!(
        json(&host, &["admin", "user", "carol", "--json"])["addresses"][0]["address"],
        "carol@example.com"
    );
}

#[test]
fn listings_for_programs() {
    let host = with_a_game();
    let board = json(&host, &["admin", "board", "1", "--json"]);
    for field in ["board", "game", "players", "position", "state", "result", "plies"] {
        assert!(board.get(field).is_some(), "{field} in {board}");
    }
    assert_eq!(
        (&board["board"], &board["game"], &board["state"]),
        (&1.into(), &"dvonn".into(), &"running".into())
    );
    assert_eq!(board["result"], Value::Null);
    let ply = &board["plies"][0];
    assert_eq!((&ply["ply"], &ply["seat"], &ply["move"]), (&1.into(), &"white".into(), &"D1-E1".into()));
    let at: jiff::Timestamp = ply["at"].as_str().unwrap().parse().unwrap();
    assert!(at > crate::support::BEGINS.parse().unwrap());
    let earlier = json(&host, &["admin", "board", "1", "--ply", "1", "--json"]);
    assert_eq!(earlier["plies"].as_array().unwrap().len(), 1);
    assert_ne!(earlier["position"], board["position"]);
    host.run(&["submit", "--as", "bob", "dvonn", "resign", "1", "bob", "-"], b"").ok();
    let over = json(&host, &["admin", "board", "1", "--json"]);
    assert_eq!((&over["state"], &over["result"]["winner"]), (&"finished".into(), &"white".into()));

    let boards = json(&host, &["admin", "boards", "--finished", "--user", "bob", "--json"]);
    assert_eq!(boards.as_array().unwrap().len(), 1);
    assert_eq!(json(&host, &["admin", "boards", "--running", "--json"]), Value::Array(Vec::new()));
    let users = json(&host, &["admin", "users", "--json"]);
    assert_eq!((&users[1]["userid"], &users[0]["addresses"][0]), (&"ann".into(), &"bob@example.org".into()));
    let letters = json(&host, &["admin", "letters", "--json"]);
    assert_eq!((&letters[1]["done"], &letters[1]["refused"]), (&9.into(), &1.into()));
    let outbox = json(&host, &["admin", "outbox", "--json"]);
    assert_eq!((outbox.as_array().unwrap().len(), &outbox[0]["state"]), (3, &"sent".into()));
    for listing in [users, letters, outbox, boards, over] {
        let text = listing.to_string();
        assert!(!text.contains(ANN) && !text.contains("argon2"), "{text}");
    }
}

#[test]
fn perft_counts() {
    let host = Host::new();
    let position =
        "w,w,w,w,b,b,w,b,b/b,b,D,w,b,D,b,b,w,D/w,b,w,b,w,w,b,w,w,w,b/b,b,w,b,b,w,b,w,w,w/w,b,b,w,b,b,w,w,b w";
    let known = include_str!("../../crates/games/tests/data/dvonn-perft.txt");
    let row = known.lines().find(|line| line.contains(position)).unwrap();
    let ran = host.run(&["perft", "dvonn", position, "3"], b"");
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert_eq!(lines.len(), 4);
    for (depth, line) in (1..).zip(&lines[..3]) {
        let count = line.strip_prefix(&format!("{depth} ")).unwrap();
        assert!(row.contains(count), "{line} not in {row}");
    }
    assert!(lines[3].ends_with(" s"));
    for wrong in [["perft", "shogi", position, "1"], ["perft", "dvonn", "w w", "1"]] {
        assert_eq!(host.run(&wrong, b"").code, Some(1));
    }
    assert_eq!(host.run(&["perft", "dvonn", position, "many"], b"").code, Some(2));
}

#[test]
fn config_prints_what_is_in_force() {
    let host = Host::new();
    std::fs::write(
        host.data().join("turnpost.toml"),
        "name = 'Club'\naddress = 'a@x.org'\n[smtp]\nport = 26\n",
    )
    .unwrap();
    let mut command = host.command(&["config"]);
    command.envs([
        ("TURNPOST_ADDRESS", "b@y.org"),
        ("TURNPOST_SMTP_PASSWORD", "hunter2"),
        ("TURNPOST_MAIL_AFTER_RECEIVE", "true"),
    ]);
    let ran = finish(start(command, b""));
    for line in [
        "name = \"Club\"",
        "address = \"b@y.org\"",
        "port = 26",
        "after_receive = true",
        "busy_seconds = 20",
        "password = \"***\"",
    ] {
        assert!(ran.ok().lines().any(|other| other == line), "{line}\n{}", ran.out);
    }
    assert!(!ran.out.contains("hunter2"));
    assert!(ran.out.contains(&format!("# database: {}", host.database().display())));
    assert!(!host.database().exists(), "looking at settings makes no database");
    std::fs::write(host.data().join("turnpost.toml"), "adress = 'a@x.org'").unwrap();
    let ran = host.run(&["config"], b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("line 1: there is no setting `adress`; did you mean `address`?"), "{}", ran.err);
}

#[test]
fn mails_leave_at_once_or_when_they_are_sent() {
    let host = Host::new();
    let folder = host.data().join("mail");
    host.run(&["submit"], b"signup ann plover-42 ann@example.org").ok();
    host.receive(&crate::support::letter("ann@example.org", "help", "", 1)).assert_silent(0);
    assert!(!folder.exists());
    assert_eq!(host.run(&["deliver"], b"").ok(), "1 sent, 0 to be tried again, 0 refused for good\n");
    assert_eq!(host.run(&["deliver"], b"").ok(), "0 sent, 0 to be tried again, 0 refused for good\n");
    let mut command = host.command(&["receive"]);
    command.env("TURNPOST_MAIL_AFTER_RECEIVE", "true");
    finish(start(command, &crate::support::letter("ann@example.org", "help", "", 2))).assert_silent(0);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    // Where it cannot leave it waits, and the letter is taken care of all the same.
    let mut command = host.command(&["receive"]);
    command.env("TURNPOST_MAIL_AFTER_RECEIVE", "true").env("TURNPOST_DIRECTORY_PATH", "/dev/null/mail");
    finish(start(command, &crate::support::letter("ann@example.org", "help", "", 3))).assert_silent(0);
    assert_eq!(json(&host, &["admin", "outbox", "--json"])[0]["state"], "waiting");
}

#[test]
fn an_administrator_makes_organisers() {
    let host = with_a_game();
    let broadcast = b"broadcast ann plover-42\nThe tournament begins.\nend\n";
    assert_eq!(host.run(&["submit"], broadcast).code, Some(1));
    assert!(host.run(&["admin", "role", "ANN", "organiser"], b"").ok().starts_with("ann is an organiser"));
    assert_eq!(host.run(&["submit"], broadcast).code, Some(0));
    assert_eq!(host.run(&["admin", "role", "ann", "player"], b"").ok(), "ann is a player like others\n");
    assert_eq!(host.run(&["submit"], broadcast).code, Some(1));
    assert_eq!(host.run(&["admin", "role", "nobody", "organiser"], b"").code, Some(1));
    assert_eq!(host.run(&["admin", "role", "ann", "king"], b"").code, Some(2));
}

#[test]
fn a_hosts_mistakes_exit_with_a_code_and_a_sentence() {
    let host = Host::after(
        "signup carol ruff-88 carol@example.com\ndvonn challenge -symmetry -seed=7 ann bob\n\
         dvonn move 1 ann plover-42 D1-E1\ndvonn move 1 bob dunlin-7 K3-J2\n",
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rubbish"), "rubbish").unwrap();
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    let mut rows = 0;
    for (_, section) in DataFile::read("host-mistakes.txt").sections() {
        for row in section.lines() {
            let [code, line, says] = row.splitn(3, " | ").collect::<Vec<_>>()[..] else { panic!("{row}") };
            let line = line.replace("{dir}", folder.path().to_str().unwrap());
            let is_variable = |word: &&str| word.starts_with("TURNPOST_");
            let (variables, words): (Vec<&str>, Vec<&str>) = line.split(' ').partition(is_variable);
            let mut command = host.command(&words);
            command.envs(variables.iter().map(|variable| variable.split_once('=').unwrap()));
            let ran = finish(start(command, b""));
            assert_eq!(ran.code, code.parse().ok(), "{row}\n{ran:?}");
            let said = if ran.code == Some(0) { &ran.out } else { &ran.err };
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains(says.trim()) || ran.out.contains(says), "{row}\n{ran:?}");
            rows += 1;
        }
    }
    assert!(rows > 60, "{rows} rows");
    // Who was meant, though players are numbers there, and what the act was about.
    let log = host.run(&["admin", "log"], b"").ok().split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [
        "role, player 3 (carol), organiser",
        "merge, player 3 (carol), other player 4 (dora) x",
        "stop address, player 1 (ann) ann@example.org: x",
        "add address, player 1 (ann) bob@example.net",
    ] {
        assert!(log.contains(line), "{line}\n{log}");
    }
    host.run(&["admin", "erase", "ann", "--yes"], b"").ok();
    let log = host.run(&["admin", "log", "--json"], b"");
    assert!(!log.ok().contains("ann@example.org") && log.out.contains("deleted-1"), "{}", log.out);
    host.assert_verified();
}

/// A club asks: who has this name, who is quiet, is that one person, what is new; and no answer is wider than a terminal.
#[test]
fn what_a_club_asks_is_answered_within_80_columns() {
    let host = with_a_game();
    let position = "-position=w,w,w,w,b,b,w,b,b/b,b,D,w,b,D,b,b,w,D/w,b,w,b,w,w,b,w,w,w,b/b,b,w,b,b,w,b,w,w,w/w,b,b,w,b,b,w,w,b w";
    host.run(&["submit", "--as-anyone", "dvonn", "challenge", position, "--unrated", "ann", "bob"], b"").ok();
    host.run(&["submit"], "games\n".repeat(60).as_bytes()).ok();
    host.run(&["submit"], b"signup zoe plover-43 ann+zoe@example.org").ok();
    rusqlite::Connection::open(host.data().join(turnpost::data_dir::DATABASE))
        .unwrap()
        .execute_batch(
            r#"INSERT INTO sessions (player, code, begun_at, used_at, browser)
                   SELECT id, randomblob(32), unixepoch(), unixepoch(), 'Firefox on Linux' FROM players WHERE id IN (1, 3);
               INSERT INTO analyses (board, asked_at, made) VALUES (1, 1, '{"nodes":1,"plies":[{"seat":0,"better":[]},
                   {"seat":1,"better":[]},{"seat":0,"better":[]},{"seat":0,"better":["A1-B1"]}]}');"#,
        )
        .unwrap();
    let words = host.data().join("words.txt");
    std::fs::write(&words, "Subject: A week off\n\nWe are away.\n").unwrap();
    let words = words.to_str().unwrap();
    let letter = json(&host, &["admin", "letters", "--json"])[1]["letter"].to_string();
    let mail = json(&host, &["admin", "outbox", "--json"])[0]["message_id"].as_str().unwrap().to_owned();
    host.run(&["admin", "ban", "spam.example", "--reason", "floods"], b"").ok();
    host.run(&["admin", "user", "bob", "--suspend", "he shouts"], b"").ok();
    for (question, answers, not) in [
        (&["users", "--sort", "name"][..], &["ann", "zoe", "last letter"][..], "argon2"),
        (&["user", "ann"], &["ann@example.org"], ANN),
        (&["users"], &["ann", "bob"], ANN),
        (&["letters"], &["signup"], ANN),
        (&["outbox"], &["sent"], ANN),
        (&["board", "1", "--ply", "0"], &["ann"], "argon2"),
        (&["boards"], &["ann"], "no boards"),
        (&["users", "--game", "dvonn"], &["ann", "bob"], "zoe"),
        (&["users", "--game", "hex"], &["no accounts"], "ann"),
        (&["users", "--suspended"], &["bob"], "ann"),
        (&["users", "--dormant", "1d"], &["no accounts"], "ann"),
        (&["users", "--sort", "letter", "--since", "1d"], &["ann", "zoe"], "bob"),
        (&["boards", "--game", "dvonn", "--suspended"], &["1      dvonn", "2      dvonn"], "no boards"),
        (&["boards", "--game", "hex"], &["no boards"], "dvonn"),
        (&["boards", "--dormant", "1d"], &["no boards"], "dvonn"),
        (&["board", "2"], &["position", "options"], "cannot"),
        (
            &["letter", &letter],
            &["of 60 commands the list is cut after 50 rows; --limit 100 shows more"],
            "none",
        ),
        (&["letter", &letter, "--limit", "100"], &["60 done"], "cut"),
        (&["stats"], &["games begun"], "nothing"),
        (
            &["compare", "ann", "ZOE"],
            &[
                "mailbox         1    1      ann@example.org",
                "browser         1    1      Firefox on Linux",
                "plies analysed  2    0      as good as the robot's",
                "plies analysed  1    0      worse",
            ],
            "nothing",
        ),
        (&["find", "ANN"], &["player ann", "turnpost admin user ann"], "board"),
        (&["find", "Ann@Example.org"], &["address of player ann", "turnpost admin user ann"], "board"),
        (&["find", "2"], &["turnpost admin board 2"], "player"),
        (&["find", &mail], &["turnpost admin mail "], "player"),
        (&["ban"], &["spam.example", "floods"], "@"),
        (&["log"], &["ban, @spam.example", "floods"], "no acts"),
        (&["announce", words, "--dry-run"], &["A week off", "2 players hear"], "leave"),
        (&["announce", words], &["2 mails leave with the next ones."], "hear"),
        (&["announce", words], &["0 mails leave with the next ones."], "hear"),
        (&["mail", "--retry", "--since", "1h"], &["leave again, under"], "none"),
    ] {
        let ran = host.run(&[&["admin"], question].concat(), b"");
        assert!(answers.iter().all(|answer| ran.ok().contains(answer)), "{question:?}: {}", ran.out);
        assert!(!ran.out.contains(not), "{question:?}: {}", ran.out);
        let mut lines = ran.out.lines().filter(|line| !line.starts_with("position "));
        assert!(lines.all(|line| line.chars().count() <= 80), "{question:?}: {}", ran.out);
    }
    for (wrong, why) in [
        (&["find", "nobody@example.org"][..], "is no name, address, Message-ID"),
        (&["mail", "--since", "1h"], "--retry"),
        (&["users", "--game", "nogame"], "no such game"),
        (&["ban", "spam.example"], "--lift"),
    ] {
        let ran = host.run(&[&["admin"], wrong].concat(), b"");
        assert!(ran.code != Some(0) && ran.err.contains(why), "{wrong:?}: {}", ran.err);
    }
}
