//! Leagues: seasons by the clock, up and down, and games that still run when the next season begins.

use std::collections::BTreeMap;

use crate::support::pages::{At, Visitor};
use crate::support::{Mail, Stage};
use jiff::{SignedDuration, Timestamp};
use turnpost::board::Board;
use turnpost::config::{Config, LeagueConfig};
use turnpost::contest::record::Contest;
use turnpost::contest::standing;
use turnpost::mail::Operator;
use turnpost::store::{BoardState, ContestState, Store};
use turnpost::timer::host_acts::{Act, BoardAct, GamesOfTwo, UserAct};

/// A server whose players `p01` and on are in the league of DVONN.
fn stage(players: usize) -> Stage {
    let mut stage = Stage::with(|config| config.robot.enabled = false);
    for number in 1..=players {
        submit(&mut stage, &format!("signup p{number:02} plover-9 p{number:02}@example.org"));
        submit(&mut stage, &format!("dvonn league join p{number:02} plover-9"));
    }
    stage
}

fn submit(stage: &mut Stage, text: &str) -> (String, Vec<Mail>) {
    let (said, _, mails) = stage.submit(Operator::AsAnyone, text);
    (said, mails)
}

fn season(store: &Store, number: u32) -> Option<Contest> {
    let row = store.contest_named(&format!("dvonn-league-{number}")).unwrap()?;
    Some(Contest::load(store, &row).unwrap())
}

/// Lets hours go by until a season has all its boards; gives the mails.
fn until_season(stage: &mut Stage, number: u32) -> Vec<Mail> {
    let mut mails = Vec::new();
    let end = stage.now.checked_add(SignedDuration::from_hours(200 * 24)).unwrap();
    while season(&stage.store, number).is_none_or(|season| season.opened_groups() < season.groups.len()) {
        assert!(stage.now < end, "no season {number}");
        stage.wait(2);
        mails.extend(stage.tick().1);
    }
    mails
}

/// Who plays in which group, by userid.
fn groups(stage: &Stage, number: u32) -> Vec<Vec<String>> {
    let name = |player| stage.store.player_by_id(player).unwrap().userid.to_string();
    let season = season(&stage.store, number).unwrap();
    let sorted = |group: &Vec<turnpost::contest::terms::Competitor>| {
        let mut names: Vec<String> = group.iter().map(|competitor| name(competitor.player)).collect();
        names.sort();
        names
    };
    season.groups.iter().map(sorted).collect()
}

/// Of each running board of a season, who resigns is the player whose userid comes later; `spares` leaves boards out.
fn end_boards(stage: &mut Stage, number: u32, spares: impl Fn(&[String; 2]) -> bool) {
    let season = season(&stage.store, number).unwrap();
    for board in stage.store.contest_boards(season.row.id).unwrap() {
        if board.state != BoardState::Running {
            continue;
        }
        let names = board.players.map(|player| stage.store.player_by_id(player).unwrap().userid.to_string());
        if spares(&names) {
            continue;
        }
        let loser = names.iter().max().unwrap();
        submit(stage, &format!("dvonn resign {} {loser} plover-9", board.board));
    }
}

#[test]
fn a_season_begins_on_its_monday_and_the_first_go_up() {
    let mut stage = stage(11);
    let joined = stage.now;
    let mails = until_season(&mut stage, 1);
    let monday = season(&stage.store, 1).unwrap().started_at.unwrap();
    assert_eq!(monday.strftime("%a").to_string(), "Mon");
    assert!(monday.duration_since(joined) >= SignedDuration::from_hours(7 * 24));
    let told = |subject: &str| mails.iter().filter(|mail| mail.subject.ends_with(subject)).count();
    assert_eq!(
        (told("Season 1 of the DVONN league begins on Monday"), told(" games in the DVONN league")),
        (11, 11)
    );
    let before = groups(&stage, 1);
    assert_eq!(before.iter().map(Vec::len).collect::<Vec<_>>(), [6, 5]);

    end_boards(&mut stage, 1, |_| false);
    let mails = stage.tick().1;
    assert!(mails.iter().all(|mail| !mail.subject.contains("is over")), "{mails:?}");
    stage.wait(24);
    let mails = stage.tick().1;
    assert_eq!(season(&stage.store, 1).unwrap().row.state, ContestState::Closed);
    let over: Vec<&Mail> = mails
        .iter()
        .filter(|mail| mail.subject.starts_with("The DVONN league, season 1, is over: "))
        .collect();
    assert_eq!(over.len(), 11);
    let [up, down] = [&before[1][0], &before[0][5]];
    for (group, player, goes) in [(1, down, "Down"), (2, up, "Up")] {
        let tells = |mail: &&&Mail| {
            let named =
                mail.text.split(&format!("{goes}: ")).nth(1).and_then(|names| names.split('.').next());
            named.is_some_and(|names| names.contains(player.as_str()))
        };
        let text = &over.iter().find(tells).unwrap().text;
        assert!(text.contains(&format!("\nDVONN league, season 1, group {group} of 2:\n")), "{text}");
        let mark = format!("  {}", goes.to_lowercase());
        let marked: Vec<&str> = text.lines().filter(|line| line.ends_with(&mark)).collect();
        assert!(marked.iter().any(|line| line.contains(player.as_str())) && marked.len() <= 2, "{text}");
    }
    let page = Visitor::new(At::database(&stage.folder.path().join("turnpost.db")));
    let page = page.get("/events/dvonn-league-1?group=2").text();
    assert!(page.contains("<h1>DVONN league, season 1, group 2 of 2</h1>"), "{page}");
    assert!(page.contains(&format!(">{up}</a> <span role=\"img\" aria-label=\"goes up\"")), "{page}");

    until_season(&mut stage, 2);
    let after = groups(&stage, 2);
    assert!(after[0].contains(up) && after[1].contains(down), "{before:?} {after:?}");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Among equals the rating at the start says who goes up, and the letter says so.
#[test]
fn promotion_among_equals_follows_the_rating_at_the_start() {
    let mut stage = stage(11);
    until_season(&mut stage, 1);
    // The seat decides where ratings are equal too; the last of the second group began with the best rating.
    let number = season(&stage.store, 1).unwrap();
    let best = number.groups[1].last().unwrap().player;
    let name = stage.store.player_by_id(best).unwrap().userid.to_string();
    stage.change(&format!(
        "UPDATE contest_events SET text = json_set(text, '$.seat.rating', 160000) WHERE player = {} AND text LIKE '{{\"seat%'",
        best.0
    ));
    for board in stage.store.contest_boards(number.row.id).unwrap() {
        let act = Act::OnBoard(board.board, BoardAct::End(turnpost::timer::host_acts::GameEnd::Draw));
        stage.host(act, "A test of seasons.").unwrap();
    }
    stage.tick();
    stage.wait(25);
    let mails = stage.tick().1;
    let over: Vec<String> = mails.iter().map(|mail| mail.text.replace('\n', " ")).collect();
    let rule = "Equals are ordered by their rating at the start.";
    assert!(over.iter().any(|text| text.contains(&format!("Up: {name}. {rule}"))), "{over:?}");
    // A ruling after the end is told to the players of the group.
    stage.wait(1);
    let board = stage.store.contest_boards_of(number.row.id, best).unwrap().remove(0);
    let won = BoardAct::End(turnpost::timer::host_acts::GameEnd::Won(name.parse().unwrap()));
    stage.host(Act::OnBoard(board.board, won), "A test of seasons.").unwrap();
    stage.tick();
    stage.wait(25);
    let mails = stage.tick().1;
    let told: Vec<&Mail> = mails
        .iter()
        .filter(|mail| mail.subject == "Correction: the table of the DVONN league, season 1")
        .collect();
    assert_eq!(told.len(), number.groups[1].len());
    let stays = "The groups of a season that has begun stay as they are.";
    assert!(told[0].text.replace('\n', " ").contains(stays), "{}", told[0].text);
    assert!(told[0].text.contains(&format!("  {name} won\n")), "{}", told[0].text);
    until_season(&mut stage, 2);
    assert!(groups(&stage, 2)[0].contains(&name), "{:?}", groups(&stage, 2));
}

/// A table promises only what the next season can hold: in a single group nobody goes up or down.
#[test]
fn a_group_that_will_be_missing_is_not_promised() {
    let mut stage = stage(11);
    until_season(&mut stage, 1);
    for player in ["p02", "p05", "p09"] {
        submit(&mut stage, &format!("dvonn league leave {player} plover-9"));
    }
    end_boards(&mut stage, 1, |_| false);
    let over = std::iter::repeat_with(|| {
        stage.wait(3);
        stage.tick().1
    });
    let over = over.take(20).flatten().filter(|mail| mail.subject.contains("The DVONN league, season "));
    let over: Vec<Mail> = over.collect();
    assert_eq!(over.len(), 11);
    for Mail { text, .. } in over {
        assert!(!text.contains("Up:") && !text.contains("Down:") && !text.contains("  down"), "{text}");
    }
}

/// Who moved first once more owes it even if a season of odd groups, which owe nothing, lies between.
#[test]
fn colours_are_balanced_over_a_year() {
    let mut stage = stage(4);
    let mut surplus: BTreeMap<String, i32> = BTreeMap::new();
    for number in 1..=3 {
        let fifth = if number == 2 { "join" } else { "leave" };
        if number == 2 {
            submit(&mut stage, "signup p05 plover-9 p05@example.org");
        }
        submit(&mut stage, &format!("dvonn league {fifth} p05 plover-9"));
        until_season(&mut stage, number);
        let season = season(&stage.store, number).unwrap();
        for pair in season.pairs.values() {
            for (player, by) in pair.players.into_iter().zip([1, -1]) {
                *surplus.entry(stage.store.player_by_id(player).unwrap().userid.to_string()).or_default() +=
                    by;
            }
        }
        end_boards(&mut stage, number, |_| false);
    }
    assert!(surplus.values().all(|surplus| *surplus == 0), "{surplus:?}");
}

/// A game that runs on counts half for the new groups, and what its end changes is made up for a season later.
#[test]
fn a_place_kept_by_stalling_is_lost_a_season_later() {
    stalling_costs_a_place(2);
}

#[test]
fn a_place_kept_by_stalling_for_two_seasons_is_lost_after_them() {
    stalling_costs_a_place(3);
}

/// Games of the first season end in a later one.
fn stalling_costs_a_place(in_season: u32) {
    let mut stage = stage(11);
    until_season(&mut stage, 1);
    let first = groups(&stage, 1);
    // The last but two of the first group is kept from the places that go down by its running games alone.
    let (stalls, names) = (first[0][4].clone(), first[0].clone());
    let is_stalled = |players: &[String; 2]| players.contains(&stalls);
    end_boards(&mut stage, 1, is_stalled);
    keep_alive(&mut stage, 1);
    for number in 2..=in_season {
        until_season(&mut stage, number);
        let now = groups(&stage, number);
        assert!(now[0].contains(&stalls), "{stalls} {now:?}");
        if number < in_season {
            end_boards(&mut stage, number, |_| false);
        }
    }
    // Now the stalled games end, and are lost.
    let season_1 = season(&stage.store, 1).unwrap();
    for board in stage.store.contest_boards(season_1.row.id).unwrap() {
        if board.state == BoardState::Running {
            submit(&mut stage, &format!("dvonn resign {} {stalls} plover-9", board.board));
        }
    }
    stage.tick();
    stage.wait(24);
    stage.tick();
    assert_eq!(season(&stage.store, 1).unwrap().row.state, ContestState::Closed);
    // In the running season the staller is behind the first three and before the rest.
    for board in stage.store.contest_boards(season(&stage.store, in_season).unwrap().row.id).unwrap() {
        let names = board.players.map(|player| stage.store.player_by_id(player).unwrap().userid.to_string());
        if names.contains(&stalls) {
            let other = names.iter().find(|name| **name != stalls).unwrap();
            let loser =
                if names[..].iter().any(|name| first[0][..3].contains(name)) { &stalls } else { other };
            submit(&mut stage, &format!("dvonn resign {} {loser} plover-9", board.board));
        }
    }
    end_boards(&mut stage, in_season, |_| false);
    until_season(&mut stage, in_season + 1);
    let after = groups(&stage, in_season + 1);
    assert!(after[1].contains(&stalls), "{names:?} {stalls} {after:?}");
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// The host's options hold from the next season that is not announced yet, and none are the usual ones again.
#[test]
fn the_host_sets_the_options_of_a_league() {
    let mut stage = Stage::new();
    for number in 1..=4 {
        submit(&mut stage, &format!("signup p{number:02} plover-9 p{number:02}@example.org"));
        submit(&mut stage, &format!("hex league join p{number:02} plover-9"));
    }
    let options = |options: &str| {
        let league = [("hex".to_owned(), LeagueConfig { options: options.to_owned() })];
        Config { league: league.into(), ..Config::default() }.app().leagues
    };
    let mut sizes = Vec::new();
    let end = stage.now.checked_add(SignedDuration::from_hours(600 * 24)).unwrap();
    for (number, set) in [(1, "-size=9 -clock=10d+12h"), (2, "-size=13"), (3, "")] {
        stage.app.leagues = options(set);
        let name = format!("hex-league-{number}");
        let season = loop {
            stage.wait(12);
            stage.tick();
            if let Some(row) = stage.store.contest_named(&name).unwrap() {
                break Contest::load(&stage.store, &row).unwrap();
            }
            assert!(stage.now < end, "no season {number}");
            // What is announced stays.
            let row = stage.store.contest_named("hex-league").unwrap().unwrap();
            if Contest::load(&stage.store, &row).unwrap().league.announced {
                stage.app.leagues = options("-size=11");
            }
        };
        stage.tick();
        let clock = season.terms.options.clock.unwrap();
        sizes.push((season.terms.options.game.clone(), clock.hours, clock.refill));
        for board in stage.store.contest_boards(season.row.id).unwrap() {
            let loser = stage.store.player_by_id(board.players[0]).unwrap().userid;
            submit(&mut stage, &format!("hex resign {} {loser} plover-9", board.board));
        }
    }
    let size = |size: &str| vec![("size".to_owned(), Some(size.to_owned()))];
    assert_eq!(sizes, [(size("9"), 240, 12), (size("13"), 480, 36), (Vec::new(), 480, 36)]);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// The slow league of a game has members, seasons, a bank and a page of its own.
#[test]
fn a_slow_league_stands_beside_the_usual_one() {
    let mut stage = stage(4);
    let league = [("dvonn".to_owned(), LeagueConfig { options: "-clock=10d+12h".to_owned() })];
    stage.app.leagues = Config { league: league.into(), ..Config::default() }.app().leagues;
    for (player, words) in
        [("p01", "slow join"), ("p02", "join slow"), ("p03", "slow join once"), ("p04", "join slow")]
    {
        let said =
            submit(&mut stage, &format!("dvonn league {words} {player} plover-9")).0.replace('\n', " ");
        assert!(
            said.contains("The DVONN slow league has ") && said.contains("`dvonn league slow leave`"),
            "{said}"
        );
    }
    let named = |stage: &Stage, name: &str| {
        let row = stage.store.contest_named(name).unwrap().unwrap();
        Contest::load(&stage.store, &row).unwrap()
    };
    let mut told = until_season(&mut stage, 1);
    stage.wait(2);
    told.extend(stage.tick().1);
    let slow = named(&stage, "dvonn-slow-league-1");
    assert_eq!(slow.row.title(), "DVONN slow league, season 1");
    let bank = slow.terms.options.clock.unwrap();
    assert_eq!((bank.hours, bank.refill, slow.row.entrants), (960, 72, 4));
    assert_eq!(season(&stage.store, 1).unwrap().terms.options.clock.unwrap().hours, 240);
    let weeks = |name: &str| named(&stage, name).league.next.unwrap().weeks;
    assert_eq!((weeks("dvonn-league"), weeks("dvonn-slow-league")), (15, 26));
    let is_told =
        |mail: &&Mail| mail.text.replace('\n', " ").contains("season 1 of the DVONN slow league begins on");
    assert_eq!(told.iter().filter(is_told).count(), 4);
    let members =
        |stage: &Stage| ["dvonn-league", "dvonn-slow-league"].map(|name| named(stage, name).joined.len());
    assert_eq!(members(&stage), [4, 3]);

    // Its table, withdrawing from it, and leaving it touch nothing of the usual league.
    let said = submit(&mut stage, "dvonn league slow table 1").0;
    assert!(said.contains("DVONN slow league, season 1, all play all: 0 of 6"), "{said}");
    let said = submit(&mut stage, "dvonn league slow withdraw p01 plover-9").0;
    assert!(said.contains("reply\n\n    dvonn league slow withdraw -surely"), "{said}");
    submit(&mut stage, "dvonn league slow withdraw -surely p01 plover-9");
    let seasons = ["dvonn-league-1", "dvonn-slow-league-1"];
    assert_eq!(seasons.map(|name| named(&stage, name).withdrawn.len()), [0, 1]);
    submit(&mut stage, "dvonn league leave slow p02 plover-9");
    assert_eq!(members(&stage), [4, 1]);
    let visitor = Visitor::new(At::database(&stage.folder.path().join("turnpost.db")));
    let page = visitor.get("/dvonn/slow-league").text();
    assert!(page.contains("<h1>DVONN slow league</h1>") && page.contains("dvonn-slow-league-1"), "{page}");
    assert!(
        page.contains("dvonn%20league%20slow%20join") && page.contains("href=\"/dvonn/league\""),
        "{page}"
    );
    assert!(visitor.get("/dvonn/league").text().contains("href=\"/dvonn/slow-league\""));
    assert_eq!(visitor.get("/events/dvonn-slow-league").header("location"), Some("/dvonn/slow-league"));
    assert!(visitor.get("/dvonn/slow-league.txt").text().starts_with("The DVONN slow league has 1 member"));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Both players of each running board move, and the host stops its clocks.
fn keep_alive(stage: &mut Stage, number: u32) {
    let season = season(&stage.store, number).unwrap();
    for row in stage.store.contest_boards(season.row.id).unwrap() {
        if row.state != BoardState::Running {
            continue;
        }
        for _ in 0..2 {
            let board = Board::load(&stage.store, row.board).unwrap().unwrap();
            let mover = *board.row.to_move.unwrap().of(&board.row.players);
            let userid = stage.store.player_by_id(mover).unwrap().userid;
            let ply = board.table.legal_plies()[0].clone();
            submit(stage, &format!("dvonn move {} {userid} plover-9 {ply}", row.board));
        }
        let adjourn = Act::OnBoard(row.board, BoardAct::Adjourn);
        stage.host(adjourn, "A test of seasons.").unwrap();
    }
}

/// A block moves nobody to another group, where the opponents may be weaker.
#[test]
fn a_block_changes_no_group_and_no_board() {
    let with = |blocks: &str| {
        let mut stage = stage(11);
        submit(&mut stage, blocks);
        until_season(&mut stage, 1);
        let season = season(&stage.store, 1).unwrap();
        assert_eq!(stage.store.contest_boards(season.row.id).unwrap().len(), 15 + 10);
        groups(&stage, 1)
    };
    assert_eq!(with("set p03 plover-9 block p01 block p02 block p04"), with(""));
}

/// Where the games of the server are short, so is the first season.
#[test]
fn the_first_season_lasts_as_long_as_usual_games_take() {
    for (plies, weeks) in [(30, 11), (60, 15), (200, 21)] {
        let mut stage = stage(4);
        for _ in 0..10 {
            submit(&mut stage, "dvonn challenge -random p01 p02");
        }
        stage.change(&format!(
            "UPDATE boards SET state = 'finished', ending = 'normal', to_move = NULL, plies = {plies}"
        ));
        until_season(&mut stage, 1);
        let league = stage.store.contest_named("dvonn-league").unwrap().unwrap();
        let next = Contest::load(&stage.store, &league).unwrap().league.next.unwrap();
        assert_eq!(next.weeks, weeks, "{plies} plies");
    }
}

fn league(stage: &Stage) -> Contest {
    let row = stage.store.contest_named("dvonn-league").unwrap().unwrap();
    Contest::load(&stage.store, &row).unwrap()
}

/// The planned start of the next season.
fn planned(stage: &Stage) -> Timestamp {
    Timestamp::from_second(league(stage).league.next.unwrap().starts_at).unwrap()
}

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// A server that was down on the Monday begins the season when it is up again, and the next on a Monday all the same.
#[test]
fn a_season_that_begins_late_moves_no_other() {
    let mut stage = stage(4);
    stage.tick();
    let monday = planned(&stage);
    stage.now = monday - days(7);
    stage.tick();
    stage.now = monday + SignedDuration::from_hours(40);
    stage.tick();
    assert_eq!(season(&stage.store, 1).unwrap().started_at, Some(stage.now));
    assert_eq!(planned(&stage).strftime("%a %H:%M").to_string(), "Mon 06:00");
}

/// A server that was down when a season was to be announced, or longer, announces it first and begins it a week later.
#[test]
fn no_season_begins_unannounced() {
    for down_until in [-5, 0, 1, 100] {
        let mut stage = stage(4);
        stage.tick();
        stage.now = planned(&stage) + days(down_until) + SignedDuration::from_hours(2);
        let up = stage.now;
        let mut told = Vec::new();
        while season(&stage.store, 1).is_none() && stage.now < up + days(40) {
            for mail in stage.tick().1 {
                if mail.subject.ends_with("begins on Monday") {
                    told.push((mail.to, stage.now));
                }
            }
            stage.wait(3);
        }
        let began = season(&stage.store, 1).unwrap().started_at.unwrap();
        assert_eq!(began.strftime("%a").to_string(), "Mon");
        let near = |at: &Timestamp| (began.duration_since(*at) - days(7)).abs() < days(1);
        assert!(told.len() == 4 && told.iter().all(|(_, at)| near(at)), "{down_until}: {began} {told:?}");
        assert_eq!(stage.wrong(), Vec::<String>::new());
    }
}

/// The next season begins a week after the last game, if that is before its planned week.
#[test]
fn a_season_that_is_over_brings_the_next_one_forward() {
    let mut stage = stage(5);
    submit(&mut stage, "dvonn ladder join p01 plover-9");
    until_season(&mut stage, 1);
    let usual = planned(&stage);
    for player in ["p04", "p05"] {
        submit(&mut stage, &format!("dvonn league leave {player} plover-9"));
    }
    end_boards(&mut stage, 1, |_| false);
    let mut over = Vec::new();
    for _ in 0..20 {
        stage.wait(3);
        over.extend(
            stage.tick().1.into_iter().filter(|mail| mail.subject.contains("The DVONN league, season ")),
        );
    }
    assert_eq!(planned(&stage), usual, "three members are too few");
    let text = |number: usize| over[number].text.replace('\n', " ");
    assert!(text(0).contains("the ladder gives you games: you are on it"), "{}", text(0));
    assert!(text(1).contains("`dvonn ladder join`"), "{}", text(1));

    submit(&mut stage, "dvonn league join p04 plover-9");
    stage.tick();
    let next = planned(&stage);
    assert!((days(7)..=days(14)).contains(&next.duration_since(stage.now)), "{next}");
    let mails = until_season(&mut stage, 2);
    assert!(season(&stage.store, 2).unwrap().started_at.unwrap() < next + days(1));
    let told = mails.iter().filter(|mail| mail.text.contains("season 2 of the DVONN league begins"));
    let told: Vec<&str> = told.map(|mail| mail.to.as_str()).collect();
    assert_eq!(told.len(), 5, "four members, and one who played the last season: {told:?}");

    // The mail about its end names the new date.
    end_boards(&mut stage, 2, |_| false);
    let over = std::iter::repeat_with(|| {
        stage.wait(3);
        stage.tick().1
    });
    let over =
        over.take(20).flatten().find(|mail| mail.subject.contains("The DVONN league, season ")).unwrap();
    let date = planned(&stage).strftime("%a %-d %b").to_string();
    assert!(over.text.replace('\n', " ").contains(&format!("next season begins on {date}")), "{}", over.text);
    assert!(planned(&stage) < stage.now + days(14));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn too_few_members_wait_a_week_and_keep_their_places() {
    let mut stage = stage(3);
    let end = stage.now.checked_add(SignedDuration::from_hours(30 * 24)).unwrap();
    let mut put_off = 0;
    while stage.now < end {
        stage.wait(6);
        let mails = stage.tick().1;
        put_off += mails.iter().filter(|mail| mail.subject == "The DVONN league begins a week later").count();
    }
    assert_eq!(put_off, 3, "each hears of it once");
    assert!(season(&stage.store, 1).is_none());
    submit(&mut stage, "signup p04 plover-9 p04@example.org\ndvonn league join p04 plover-9");
    let joined = stage.now;
    until_season(&mut stage, 1);
    assert!(stage.now.duration_since(joined) >= days(7), "it is announced a week before");
    assert_eq!(groups(&stage, 1)[0].len(), 4);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Who has left the server makes a league no larger, and hears of it no more.
#[test]
fn members_who_are_gone_do_not_count() {
    let mut stage = stage(5);
    submit(&mut stage, "delete p04 plover-9");
    for player in ["p03", "p05"] {
        let suspend = Act::OnUser(player.parse().unwrap(), UserAct::Suspend("A test.".to_owned()));
        stage.host(suspend, "").unwrap();
    }
    let end = stage.now.checked_add(SignedDuration::from_hours(40 * 24)).unwrap();
    let mut told = Vec::new();
    while stage.now < end {
        stage.wait(6);
        let mails = stage.tick().1.into_iter();
        told.extend(mails.map(|mail| format!("{} {}", mail.to, mail.subject)));
    }
    told.retain(|mail| mail.contains("DVONN league begins"));
    let once = ["Season 1 of the DVONN league begins on Monday", "The DVONN league begins a week later"]
        .map(|what| ["p01", "p02"].map(|player| format!("{player}@example.org {what}")));
    told.sort();
    let mut once = once.concat();
    once.sort();
    assert_eq!(told, once);
    let row = stage.store.contest_named("dvonn-league").unwrap().unwrap();
    assert_eq!(Contest::load(&stage.store, &row).unwrap().joined.len(), 4);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

/// Where one of two accounts was a member when they became one, that one is.
#[test]
fn a_merge_keeps_whoever_was_a_member() {
    for (from, into) in [("p04", "p01"), ("p01", "p04")] {
        let mut stage = stage(4);
        submit(&mut stage, "dvonn ladder join p01 plover-9\ndvonn ladder join p04 plover-9");
        submit(&mut stage, "dvonn league leave p04 plover-9\ndvonn ladder leave p04 plover-9");
        let merge =
            Act::Merge { from: from.parse().unwrap(), into: into.parse().unwrap(), games: GamesOfTwo::None };
        stage.host(merge, "One person.").unwrap();
        let player = stage.store.player(&into.parse().unwrap()).unwrap().unwrap().id;
        for name in ["dvonn-league", "dvonn-ladder"] {
            let row = stage.store.contest_named(name).unwrap().unwrap();
            let contest = Contest::load(&stage.store, &row).unwrap();
            assert!(contest.joined.contains(&player), "{into} {name}");
        }
        assert_eq!(stage.wrong(), Vec::<String>::new());
    }
}

/// Who lost two games of a season on time is out of the league, until they join again.
#[test]
fn a_withdrawn_player_leaves_the_league() {
    let mut stage = stage(4);
    until_season(&mut stage, 1);
    let end = stage.now.checked_add(SignedDuration::from_hours(80 * 24)).unwrap();
    let mut last: BTreeMap<String, Timestamp> = BTreeMap::new();
    let mut texts = String::new();
    while season(&stage.store, 1).unwrap().row.state == ContestState::Running && stage.now < end {
        stage.wait(12);
        for mail in stage.tick().1.iter().filter(|mail| mail.subject.contains("DVONN league")) {
            texts += &mail.text.replace('\n', " ");
            let before = last.insert(mail.to.clone(), stage.now);
            assert!(before.is_none_or(|at| stage.now.duration_since(at) >= SignedDuration::from_hours(20)));
        }
    }
    let season = season(&stage.store, 1).unwrap();
    assert_eq!(season.row.state, ContestState::Closed);
    assert!(!season.withdrawn.is_empty());
    assert!(texts.contains("You are not in the DVONN league any more. To come back, reply `join`."));
    let league = stage.store.contest_named("dvonn-league").unwrap().unwrap();
    let league = Contest::load(&stage.store, &league).unwrap();
    for player in &season.withdrawn {
        assert!(!league.joined.contains(player));
        let userid = stage.store.player_by_id(*player).unwrap().userid;
        submit(&mut stage, &format!("dvonn league join {userid} plover-9"));
    }
    let standings = standing::all_groups(&season, &stage.store.contest_boards(season.row.id).unwrap());
    assert!(standings[0].closed_at().is_some());
    let league = stage.store.contest_named("dvonn-league").unwrap().unwrap();
    let league = Contest::load(&stage.store, &league).unwrap();
    assert!(season.withdrawn.iter().all(|player| league.joined.contains(player)));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}
