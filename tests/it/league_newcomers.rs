//! Who joins a league between its seasons has games at once, which count for ratings alone.

use crate::support::{Mail, Stage};
use jiff::SignedDuration;
use turnpost::contest::record::Contest;
use turnpost::mail::Operator;
use turnpost::timer::host_acts::{Act, GamesOfTwo};

const SIGNED_UP: [&str; 8] = ["ann", "bob", "carol", "dora", "emma", "finn", "gus", "hal"];

fn stage() -> Stage {
    let mut stage = Stage::new();
    for name in SIGNED_UP {
        submit(&mut stage, &format!("signup {name} plover-9 {name}@example.org"));
    }
    stage
}

/// What was said, on one line.
fn submit(stage: &mut Stage, text: &str) -> (String, Vec<Mail>) {
    let (said, _, mails) = stage.submit(Operator::AsAnyone, text);
    (said.split_whitespace().collect::<Vec<_>>().join(" "), mails)
}

fn join(stage: &mut Stage, name: &str) -> String {
    submit(stage, &format!("dvonn league join {name} plover-9")).0
}

fn league(stage: &Stage) -> Contest {
    let row = stage.store.contest_named("dvonn-league").unwrap().unwrap();
    Contest::load(&stage.store, &row).unwrap()
}

/// The games between seasons, who moves first in front; a `*` marks those that count for ratings.
fn games(stage: &Stage) -> Vec<String> {
    let game = |board| {
        let row = stage.store.board(board).unwrap().unwrap();
        let [first, second] = row.players.map(|player| stage.store.player_by_id(player).unwrap().userid);
        format!("{first} {second}{}", if row.rated { " *" } else { "" })
    };
    let boards = stage.store.contest_boards(league(stage).row.id).unwrap();
    boards.into_iter().map(|board| game(board.board)).collect()
}

/// A season runs, in which ann, bob, carol and dora play.
fn in_season() -> Stage {
    let mut stage = stage();
    // Who is away gets no games, and the others join within the week before the season.
    submit(&mut stage, "vacation hal plover-9 2026-11-16 2026-11-20");
    join(&mut stage, "hal");
    stage.tick();
    stage.wait(8 * 24);
    for name in &SIGNED_UP[..4] {
        let said = join(&mut stage, name);
        assert!(!said.contains("between seasons"), "{said}");
    }
    submit(&mut stage, "dvonn league leave hal plover-9");
    while league(&stage).league.seasons == 0 {
        stage.wait(6);
        stage.tick();
    }
    stage.tick();
    assert_eq!(games(&stage), Vec::<String>::new());
    stage
}

#[test]
fn newcomers_meet_and_who_finds_nobody_plays_the_robot() {
    let mut stage = stage();
    let said = join(&mut stage, "ann");
    assert_eq!(games(&stage), ["ann robot-1", "robot-1 ann"]);
    let told = "Your games between seasons: robot-1 on board 1 and robot-1 on board 2. You wait for 2 rated games, with \
                whoever joins next or wants more games.";
    assert!(said.contains(told), "{said}");

    let (said, mails) = submit(&mut stage, "dvonn league join bob plover-9");
    assert!(said.contains("ann on board 3 and robot-1 on board 4. You wait for a rated game"), "{said}");
    let to_ann: Vec<&Mail> = mails.iter().filter(|mail| mail.to == "ann@example.org").collect();
    assert_eq!((to_ann.len(), to_ann[0].subject.as_str()), (1, "dvonn 3, bob v ann, dvonn-league"));
    let text = to_ann[0].text.replace('\n', " ");
    assert!(
        text.contains("league between its seasons, which counts in no table. This game is rated."),
        "{text}"
    );

    join(&mut stage, "carol");
    assert_eq!(games(&stage)[2..], ["bob ann *", "robot-1 bob", "ann carol *", "carol bob *"]);
    // Everybody has two now.
    join(&mut stage, "dora");
    assert_eq!(games(&stage)[6..], ["dora robot-1", "robot-1 dora"]);
    // What follows makes none again.
    stage.tick();
    for again in ["dvonn league join dora plover-9 once", "dvonn league leave dora plover-9"] {
        submit(&mut stage, again);
    }
    join(&mut stage, "dora");
    stage.tick();
    assert_eq!(games(&stage).len(), 8);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn members_play_newcomers_once_they_ask_for_more() {
    let mut stage = in_season();
    let said = submit(&mut stage, "dvonn league more ann plover-9").0;
    assert!(said.contains("`dvonn league more off ann PASSWORD` ends that."), "{said}");
    join(&mut stage, "emma");
    assert_eq!(games(&stage), ["emma ann *", "robot-1 emma"]);
    // Emma still waits for one.
    submit(&mut stage, "dvonn league more bob plover-9");
    assert_eq!(games(&stage)[2..], ["bob emma *"]);
    // Nobody has more than two such games at once.
    join(&mut stage, "finn");
    assert_eq!(games(&stage)[3..], ["ann finn *", "finn bob *"]);
    join(&mut stage, "gus");
    assert_eq!(games(&stage)[5..], ["gus robot-1", "robot-1 gus"]);
    let board = stage.store.contest_boards(league(&stage).row.id).unwrap()[0].board;
    submit(&mut stage, &format!("dvonn resign {board} emma plover-9"));
    submit(&mut stage, "dvonn league more off bob plover-9");
    join(&mut stage, "hal");
    assert_eq!(games(&stage)[7..], ["hal gus *", "ann hal *"]);
    // Who leaves wants no more, and a stranger to the league cannot.
    submit(&mut stage, "dvonn league leave ann plover-9");
    assert_eq!(league(&stage).league.more, []);
    let said = submit(&mut stage, "dvonn league more ann plover-9").0;
    assert!(said.contains("You are not in the DVONN league."), "{said}");
    // Nor does who played in the season wait for anything when they come back.
    join(&mut stage, "ann");
    assert_eq!(games(&stage).len(), 9);
    let season = stage.store.contest_named("dvonn-league-1").unwrap().unwrap();
    assert_eq!(stage.store.contest_boards(season.id).unwrap().len(), 6);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn who_is_blocked_or_away_is_left_out() {
    let mut stage = in_season();
    submit(&mut stage, "set emma plover-9 block ann");
    submit(&mut stage, "dvonn league more ann plover-9\ndvonn league more bob plover-9");
    submit(&mut stage, "vacation bob plover-9 2026-11-30 2026-12-20");
    join(&mut stage, "emma");
    assert_eq!(games(&stage), ["emma robot-1", "robot-1 emma"]);
    submit(&mut stage, "vacation finn plover-9 2026-11-30 2026-12-20");
    join(&mut stage, "finn");
    assert_eq!(games(&stage).len(), 2);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Where too few have joined for a season, nobody knows how long it takes.
#[test]
fn a_league_that_was_put_off_gives_games_until_it_has_enough_members() {
    let mut stage = stage();
    join(&mut stage, "ann");
    while league(&stage).league.next.is_none_or(|next| !next.put_off) {
        stage.tick();
        stage.wait(6);
    }
    join(&mut stage, "bob");
    assert_eq!(games(&stage)[2..], ["bob ann *", "robot-1 bob"]);
    join(&mut stage, "carol");
    assert_eq!(games(&stage)[4..], ["ann carol *", "carol bob *"]);
    join(&mut stage, "dora");
    assert_eq!(games(&stage).len(), 6);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Their games go on, and they play in the next season like others.
#[test]
fn newcomers_enter_the_next_season() {
    let mut stage = in_season();
    submit(&mut stage, "dvonn league more ann plover-9");
    join(&mut stage, "emma");
    let season = stage.store.contest_named("dvonn-league-1").unwrap().unwrap();
    for board in stage.store.contest_boards(season.id).unwrap() {
        let loser = stage.store.player_by_id(board.players[1]).unwrap().userid;
        submit(&mut stage, &format!("dvonn resign {} {loser} plover-9", board.board));
    }
    let end = stage.now.checked_add(SignedDuration::from_hours(200 * 24)).unwrap();
    while league(&stage).league.seasons == 1 && stage.now < end {
        stage.wait(12);
        stage.tick();
    }
    let row = stage.store.contest_named("dvonn-league-2").unwrap().unwrap();
    let season = Contest::load(&stage.store, &row).unwrap();
    let emma = stage.store.player(&"emma".parse().unwrap()).unwrap().unwrap().id;
    assert!(season.place_of(emma).is_some());
    // Ann still wants games, and none of hers runs.
    join(&mut stage, "finn");
    join(&mut stage, "gus");
    assert_eq!(games(&stage)[2..], ["ann finn *", "finn robot-1", "gus finn *", "ann gus *"]);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn one_who_was_two_has_the_games_of_both() {
    let mut stage = in_season();
    submit(&mut stage, "dvonn league more ann plover-9");
    join(&mut stage, "emma");
    submit(&mut stage, "set finn plover-9 block emma");
    join(&mut stage, "finn");
    let merge =
        Act::Merge { from: "emma".parse().unwrap(), into: "finn".parse().unwrap(), games: GamesOfTwo::None };
    let _said = stage.host(merge, "They are one.").unwrap();
    let finn = stage.store.player(&"finn".parse().unwrap()).unwrap().unwrap().id;
    assert_eq!(league(&stage).league.newcomers, [finn]);
    join(&mut stage, "gus");
    let own = games(&stage).into_iter().filter(|game| game.ends_with('*') && game.contains("finn"));
    assert_eq!(own.collect::<Vec<_>>(), ["finn ann *", "ann finn *"]);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}
