//! More than a year of a club whose players have strengths and habits: seasons of leagues, a ladder, and events. Some block
//! others whom they then meet, games end in circles, the host changes a game of an event that is over, and the server stops
//! over the begin of a season. What is told here is compared with what the boards say, and with what each player would see.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::scenes::phone_reply;
use crate::support::{Mail, Stage, rounds};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use turnpost::board::Board;
use turnpost::contest::pairing::Pairing;
use turnpost::contest::record::Contest;
use turnpost::contest::standing;
use turnpost::ids::{BoardId, Seat, Which};
use turnpost::mail::Operator;
use turnpost::store::{
    BoardFilter, BoardState, ContestBoardRow, ContestForm, ContestRow, ContestState, Ending, EventKind,
    PlayerId, VacationRow,
};
use turnpost::timer::host_acts::{Act, BoardAct, GameEnd};

const HOUR: SignedDuration = SignedDuration::from_hours(1);

struct Member {
    id: PlayerId,
    userid: String,
    /// As a rating.
    strength: f64,
    /// Hours until a move, in the mean.
    hours: u64,
    /// Forgets a move now and then.
    is_late: bool,
}

struct Club {
    stage: Stage,
    rng: ChaCha12Rng,
    members: Vec<Member>,
    games: &'static [&'static str],
    /// Plies of a game, after which the weaker player mostly resigns: enough that it counts for the ratings.
    plies: u32,
    /// What is to happen on boards, the soonest on top.
    moves: BinaryHeap<Reverse<(Timestamp, u32)>>,
    seen: BTreeSet<BoardId>,
    /// When the server stopped over the begin of a season.
    stopped_at: Option<Timestamp>,
    /// Days on which a present member had no board of the leagues, and all such days.
    idle: [usize; 2],
}

impl Club {
    fn new(players: u64, games: &'static [&'static str], plies: u32) -> Club {
        let mut club = Club {
            stage: Stage::with(|config| config.robot.enabled = false),
            rng: ChaCha12Rng::seed_from_u64(20_261_126),
            members: Vec::new(),
            games,
            plies,
            moves: BinaryHeap::new(),
            seen: BTreeSet::new(),
            stopped_at: None,
            idle: [0, 0],
        };
        for number in 0..players {
            let userid = format!("p{number:03}");
            club.submit(&format!("signup {userid} plover-9 {userid}@example.org"));
            // Nearly normal, about 300 wide.
            let spread: f64 = (0..12).map(|_| club.below(1000) as f64 / 1000.0).sum::<f64>() - 6.0;
            let id = club.stage.store.player(&userid.parse().unwrap()).unwrap().unwrap().id;
            let hours = 6 + club.below(42);
            let is_late = number % 20 == 7;
            club.members.push(Member { id, userid, strength: 1500.0 + 300.0 * spread, hours, is_late });
        }
        club
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.next_u64() % bound
    }

    fn submit(&mut self, text: &str) {
        self.stage.submit(Operator::AsAnyone, text);
    }

    /// How many mails about contests each player got: no two in less than twenty hours.
    fn told(&self) -> Vec<usize> {
        let conn = self.stage.database();
        let sql = "SELECT outbox.player, outbox.created_at FROM outbox JOIN letters ON letters.id = letter
                   WHERE commands LIKE 'contests %' ORDER BY outbox.player, outbox.id";
        let mut mails = conn.prepare(sql).unwrap();
        let mails = mails.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let mut told: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        mails
            .map(Result::unwrap)
            .for_each(|(player, at): (i64, i64)| told.entry(player).or_default().push(at));
        for (player, at) in &told {
            assert!(at.windows(2).all(|two| two[1] - two[0] >= 20 * 3_600), "{player}: {at:?}");
        }
        told.into_values().map(|at| at.len()).collect()
    }

    /// Takes up boards that were made since, in the order of their numbers.
    fn take_up_boards(&mut self) {
        // No tick makes more, and the newest are in front.
        let filter = BoardFilter { limit: rounds(200, 3_000) as u32, ..BoardFilter::default() };
        for row in self.stage.store.boards(&filter).unwrap() {
            if self.seen.insert(row.id) {
                let at = self.next_move(row.players[0]);
                self.moves.push(Reverse((at, row.id.0)));
            }
        }
    }

    fn member(&self, player: PlayerId) -> &Member {
        self.members.iter().find(|member| member.id == player).unwrap()
    }

    /// When this player moves, if it is their turn now.
    fn next_move(&mut self, player: PlayerId) -> Timestamp {
        let (hours, is_late) = (self.member(player).hours, self.member(player).is_late);
        let forgets = is_late && self.below(8) == 0;
        let hours = if forgets { 24 * 60 } else { 1 + self.below(2 * hours) };
        self.stage.now + HOUR * hours as i32
    }

    /// Somebody moves, or resigns at the end of the game.
    fn play(&mut self, id: u32) {
        let mut board = Board::load(&self.stage.store, BoardId(id)).unwrap().unwrap();
        if board.row.state != BoardState::Running {
            return;
        }
        let (now, zones) = (self.stage.now, [TimeZone::UTC, TimeZone::UTC]);
        let mut events = Vec::new();
        if board.row.plies.0 >= self.plies {
            let [first, second] = board.row.players.map(|player| self.member(player).strength);
            let wins = 1.0 / (1.0 + 10_f64.powf((second - first) / 400.0));
            let loser =
                if (self.below(10_000) as f64) < 10_000.0 * wins { Seat::Second } else { Seat::First };
            events.push(board.act(EventKind::Resignation, loser, "", now));
        } else {
            let legal = board.table.legal_plies();
            let ply = legal[self.below(legal.len() as u64) as usize].clone();
            let mover = *board.table.turn().of(&board.row.players);
            events.push(board.play(&ply, Some(mover), now, &zones).unwrap().0);
            events.extend(board.play_passes(now, &zones));
        }
        let row = board.row.clone();
        self.stage
            .store
            .write(|store| {
                for event in &events {
                    store.add_event(row.id, event)?;
                }
                store.update_board(&row)
            })
            .unwrap();
        if let Some(mover) = row.to_move {
            let at = self.next_move(*mover.of(&row.players));
            self.moves.push(Reverse((at, id)));
        }
    }

    /// Lets time go by, six hours a tick.
    fn until(&mut self, end: Timestamp) {
        while self.stage.now < end {
            let now = self.stage.now;
            while let Some(Reverse((at, id))) = self.moves.peek().copied()
                && at <= now
            {
                self.moves.pop();
                self.play(id);
            }
            assert_eq!(self.stage.tick().0.damaged, Vec::<String>::new());
            self.take_up_boards();
            if self.stopped_at.is_none() && self.season_is_near() {
                self.stopped_at = Some(now);
                self.stage.wait(60);
            }
            if now.as_second() % 86_400 < 6 * 3_600 {
                self.count_idle();
                self.challenge();
            }
            self.stage.wait(6);
        }
    }

    /// Whether the second season of the league begins today.
    fn season_is_near(&self) -> bool {
        let row = self.stage.store.contest_named(&format!("{}-league", self.games[0])).unwrap().unwrap();
        let league = Contest::load(&self.stage.store, &row).unwrap().league;
        let left = league.next.map_or(i64::MAX, |next| next.starts_at - self.stage.now.as_second());
        league.seasons == 1 && league.announced && left < 24 * 3_600
    }

    fn event(&self, name: &str) -> Contest {
        let row = self.stage.store.contest_named(name).unwrap().unwrap();
        Contest::load(&self.stage.store, &row).unwrap()
    }

    /// Three players of an event win one game each.
    fn end_in_a_circle(&mut self, name: &str) {
        for board in self.stage.store.contest_boards(self.event(name).row.id).unwrap() {
            let mut names = board.players.map(|player| self.member(player).userid.clone());
            names.sort();
            let loser = if names == ["p017", "p019"] { "p017" } else { &names[1] };
            self.submit(&format!("dvonn resign {} {loser} plover-9", board.board));
        }
    }

    /// The host gives a game of an event to its loser, and has another go on, after the event is over.
    fn host_changes_a_closed_event(&mut self, name: &str) {
        let event = self.event(name);
        assert_eq!(event.row.state, ContestState::Closed, "{name}");
        let boards = self.stage.store.contest_boards(event.row.id).unwrap();
        let won = boards.iter().find(|board| board.winner.is_some()).unwrap();
        let loser = *won.winner.unwrap().other().of(&won.players);
        let given = BoardAct::End(GameEnd::Won(self.member(loser).userid.parse().unwrap()));
        self.stage.host(Act::OnBoard(won.board, given), "The clock was wrong.").unwrap();
        let resumed = boards.iter().rfind(|board| board.winner.is_some()).unwrap();
        self.stage.host(Act::OnBoard(resumed.board, BoardAct::Resume), "They agreed to go on.").unwrap();
        let to_move = self.stage.store.board(resumed.board).unwrap().unwrap().to_move.unwrap();
        let at = self.next_move(*to_move.of(&resumed.players));
        self.moves.push(Reverse((at, resumed.board.0)));
    }

    /// A player of three events, of which one letter tells, asks for their tables by replies to it.
    fn reply_to_a_letter_about_three(&mut self, userid: &str) {
        let to = format!("{userid}@example.org");
        let told = |mail: &&Mail| (0..3).all(|cup| mail.text.contains(&format!("cup-{cup}")));
        let letter = self.stage.left.iter().filter(|mail| mail.to == to).find(told).unwrap().clone();
        let reply = phone_reply(&letter, "table", self.stage.left.len());
        let answer = self.stage.receive(&reply).swap_remove(0).text;
        assert!((0..3).all(|cup| answer.contains(&format!("cup-{cup}, DVONN"))), "{answer}");
    }

    /// Somebody asks for a game of the ladder, where nothing is in the way.
    fn challenge(&mut self) {
        let member = self.below(self.members.len() as u64) as usize;
        let userid = self.members[member].userid.clone();
        self.submit(&format!("{} ladder challenge {userid} plover-9", self.games[0]));
    }

    /// The players of the ladder, the top in front.
    fn ladder(&self) -> Vec<PlayerId> {
        let name = format!("{}-ladder", self.games[0]);
        let row = self.stage.store.contest_named(&name).unwrap().unwrap();
        let contest = Contest::load(&self.stage.store, &row).unwrap();
        contest.ladder.places(&self.stage.store.contest_boards(row.id).unwrap())
    }

    /// Counts who of the leagues has no board today, once the first season has begun.
    fn count_idle(&mut self) {
        let filter = BoardFilter { limit: 100_000, which: Which::Active, ..BoardFilter::default() };
        let rows = self.stage.store.boards(&filter).unwrap();
        let busy: BTreeSet<PlayerId> = rows.iter().flat_map(|row| row.players).collect();
        let mut present = BTreeSet::new();
        for game in self.games {
            let Some(row) = self.stage.store.contest_named(&format!("{game}-league")).unwrap() else {
                continue;
            };
            let league = Contest::load(&self.stage.store, &row).unwrap();
            if league.league.seasons > 0 {
                present.extend(league.joined);
            }
        }
        self.idle[0] += present.difference(&busy).count();
        self.idle[1] += present.len();
    }

    fn seasons(&self) -> Vec<ContestRow> {
        let begins = Timestamp::MIN;
        let mut rows = self.stage.store.contests(ContestForm::Season, None, begins).unwrap();
        rows.extend(self.stage.store.contests(ContestForm::Event, None, begins).unwrap());
        rows
    }

    /// Each pair of a contest has one board, nobody moves first twice more than second, and each table says what its boards
    /// say.
    fn check(&self) {
        for row in self.seasons() {
            let contest = Contest::load(&self.stage.store, &row).unwrap();
            let boards = self.stage.store.contest_boards(row.id).unwrap();
            match contest.terms.pairing {
                Pairing::AllPlayAll => {}
                Pairing::Swiss | Pairing::KnockOut => {
                    check_rounds(&contest, &boards);
                    continue;
                }
                Pairing::Teams => {
                    check_teams(&contest, &boards);
                    continue;
                }
            }
            let mut points: BTreeMap<PlayerId, u32> = BTreeMap::new();
            let mut firsts: BTreeMap<PlayerId, i32> = BTreeMap::new();
            let mut games: BTreeMap<[PlayerId; 2], u32> = BTreeMap::new();
            let mut pairs = BTreeSet::new();
            for board in &boards {
                let [first, second] = board.players;
                assert!(
                    pairs.insert((first.min(second), first.max(second))),
                    "{}: {board:?} twice",
                    row.name
                );
                *firsts.entry(first).or_default() += 1;
                *firsts.entry(second).or_default() -= 1;
                let halves = halves(board);
                for (two, halves) in [[first, second], [second, first]].into_iter().zip(halves) {
                    *points.entry(two[0]).or_default() += halves;
                    games.insert(two, halves);
                }
            }
            assert!(firsts.values().all(|surplus| surplus.abs() <= 1), "{}: {firsts:?}", row.name);
            // A block takes no board away.
            let sizes = contest.groups[..contest.opened_groups()].iter().map(Vec::len);
            assert_eq!(boards.len(), sizes.map(|size| size * (size - 1) / 2).sum::<usize>(), "{}", row.name);
            for group in standing::all_groups(&contest, &boards) {
                let places = group.places();
                // Points, then points of the beaten, then the game of two who are equal; else a place is shared.
                let by_points = |player: PlayerId| {
                    let met = games.range([player, PlayerId(i64::MIN)]..=[player, PlayerId(i64::MAX)]);
                    let beaten = met.map(|([_, other], halves)| halves * points[other]).sum::<u32>();
                    (points.get(&player).copied().unwrap_or_default(), beaten)
                };
                let strength = |player: PlayerId| {
                    let others = places.iter().map(|place| place.player).filter(|other| *other != player);
                    let equal: Vec<PlayerId> =
                        others.filter(|other| by_points(*other) == by_points(player)).collect();
                    let between = match equal[..] {
                        [other] => games.get(&[player, other]).copied().unwrap_or_default(),
                        _ => 0,
                    };
                    (by_points(player), between)
                };
                for place in &places {
                    let own = strength(place.player);
                    let better = places.iter().filter(|other| strength(other.player) > own).count();
                    assert_eq!((place.points, place.place), (own.0.0, better + 1), "{} {places:?}", row.name);
                }
            }
        }
        assert_eq!(self.stage.wrong(), Vec::<String>::new());
    }

    /// How well the places of a season's groups agree with the strengths.
    fn agreement(&self, game: &str, number: u32) -> Option<f64> {
        let row = self.stage.store.contest_named(&format!("{game}-league-{number}")).unwrap()?;
        let contest = Contest::load(&self.stage.store, &row).unwrap();
        let groups = standing::all_groups(&contest, &self.stage.store.contest_boards(row.id).unwrap());
        let order: Vec<PlayerId> =
            groups.iter().flat_map(|group| group.places()).map(|place| place.player).collect();
        Some(self.agrees(&order))
    }

    /// How well an order of players, the first in front, agrees with their strengths.
    fn agrees(&self, order: &[PlayerId]) -> f64 {
        let strengths: Vec<f64> = order.iter().map(|player| self.member(*player).strength).collect();
        correlation(&(0..order.len()).collect::<Vec<_>>(), &strengths)
    }
}

/// Half points of both players of a board.
fn halves(board: &ContestBoardRow) -> [u32; 2] {
    match (board.state, board.ending, board.winner) {
        (BoardState::Finished, _, Some(Seat::First)) => [2, 0],
        (BoardState::Finished, _, Some(Seat::Second)) => [0, 2],
        (BoardState::Finished, Some(Ending::Abandoned), None) => [0, 0],
        (BoardState::Finished, _, None) => [1, 1],
        _ => [0, 0],
    }
}

/// Each board of a team plays the same board of every other team, and the table is that of the boards.
fn check_teams(event: &Contest, boards: &[ContestBoardRow]) {
    let teams = event.teams();
    let seat = |player: PlayerId| {
        let found = teams
            .iter()
            .enumerate()
            .find_map(|(team, of)| Some((team, of.players.iter().position(|other| *other == player)?)));
        found.unwrap()
    };
    let mut matches: BTreeMap<[usize; 2], (u32, usize)> = BTreeMap::new();
    for board in boards {
        let [one, other] = board.players.map(seat);
        assert_eq!(one.1, other.1, "boards of two numbers");
        for (two, halves) in [[one.0, other.0], [other.0, one.0]].into_iter().zip(halves(board)) {
            let (sum, over) = matches.entry(two).or_default();
            *sum += halves;
            *over += usize::from(board.state == BoardState::Finished);
        }
    }
    assert_eq!(boards.len(), event.boards_a_team() * teams.len() * (teams.len() - 1) / 2);
    let group = &standing::all_groups(event, boards)[0];
    for line in event.team_table(group) {
        let own = teams.iter().position(|team| *team == line.team).unwrap();
        let played: Vec<_> = matches.iter().filter(|(two, _)| two[0] == own).collect();
        let points = played.iter().filter(|(_, (_, over))| *over == event.boards_a_team());
        let points = points.map(|(two, (sum, _))| 1 + sum.cmp(&matches[&[two[1], two[0]]].0) as i32);
        assert_eq!(line.match_points as i32, points.sum::<i32>(), "{line:?}");
        assert_eq!(line.board_points, played.iter().map(|(_, (sum, _))| sum).sum::<u32>(), "{line:?}");
    }
}

/// Nobody is twice in a round. In a Swiss event no pair meets twice, seats are even, and the table is that of the boards; a
/// knock-out goes on with the winners of its matches.
fn check_rounds(event: &Contest, boards: &[ContestBoardRow]) {
    let name = &event.row.name;
    let mut rounds: BTreeMap<PlayerId, BTreeSet<u32>> = BTreeMap::new();
    let byes = |player: PlayerId| event.byes.iter().filter(|(_, other)| *other == player).count() as u32;
    for (round, player) in &event.byes {
        rounds.entry(*player).or_default().insert(*round);
    }
    let mut met: BTreeMap<[PlayerId; 2], u32> = BTreeMap::new();
    for pair in event.pairs.values() {
        let [first, second] = pair.players;
        *met.entry([first.min(second), first.max(second)]).or_default() += 1;
        for player in pair.players {
            let is_first = rounds.entry(player).or_default().insert(pair.round);
            assert!(
                is_first || event.terms.pairing == Pairing::KnockOut,
                "{name}: {player:?} twice in a round"
            );
        }
    }
    let mut scored: BTreeMap<PlayerId, Vec<(PlayerId, u32)>> = BTreeMap::new();
    for board in boards.iter().filter(|board| board.state == BoardState::Finished) {
        for (side, halves) in halves(board).into_iter().enumerate() {
            scored.entry(board.players[side]).or_default().push((board.players[1 - side], halves));
        }
    }
    let places = standing::all_groups(event, boards).into_iter().flat_map(|group| group.places());
    let places: Vec<_> = places.collect();
    if event.terms.pairing == Pairing::KnockOut {
        assert!(met.values().all(|games| (2..=3).contains(games)), "{name}: {met:?}");
        for (at, place) in places.iter().enumerate() {
            let played = rounds.get(&place.player).map_or(0, BTreeSet::len) as u32;
            let is_over = event.row.state == ContestState::Closed;
            let won = place.points / 2;
            let in_play = !is_over && won + 1 != played;
            assert!(
                won + u32::from(at > 0 || !is_over) == played || in_play && won == played,
                "{name}: {place:?}"
            );
        }
        return;
    }
    assert!(met.values().all(|games| *games == 1), "{name}: a pair meets twice");
    let points = |player: PlayerId| {
        2 * byes(player) + scored.get(&player).into_iter().flatten().map(|(_, halves)| halves).sum::<u32>()
    };
    let strength = |player: PlayerId| {
        let of = |other: PlayerId| match event.withdrawn.contains(&other) {
            true => points(other) + event.round() - rounds.get(&other).map_or(0, BTreeSet::len) as u32,
            false => points(other),
        };
        let met = scored.get(&player).into_iter().flatten().map(|(other, _)| of(*other));
        let mut scores: Vec<u32> = met.chain((0..byes(player)).map(|_| points(player))).collect();
        scores.sort_unstable();
        (points(player), scores.iter().skip(1).sum::<u32>(), scores.iter().sum::<u32>())
    };
    for two in places.windows(2) {
        assert!(strength(two[0].player) >= strength(two[1].player), "{name}: {places:?}");
    }
    assert!(places.iter().all(|place| place.points == points(place.player)), "{name}: {places:?}");
    for place in &places {
        let first = event.pairs.values().filter(|pair| pair.players[0] == place.player).count() as i32;
        let second = event.pairs.values().filter(|pair| pair.players[1] == place.player).count() as i32;
        assert!((first - second).abs() <= 2, "{name}: {first} first and {second} second");
    }
}

#[test]
fn a_club_plays_for_more_than_a_year() {
    let is_long = rounds(0, 1) == 1;
    let games: &[&str] = if is_long { &["hex", "breakthrough", "reversi"] } else { &["dvonn"] };
    let mut club = Club::new(rounds(24, 120), games, rounds(8, 32) as u32);
    for number in 0..club.members.len() {
        let userid = club.members[number].userid.clone();
        for game in games {
            club.submit(&format!("{game} league join {userid} plover-9"));
        }
        if is_long || number % 2 == 0 {
            club.submit(&format!("{} ladder join {userid} plover-9", games[0]));
        }
        if number % 9 == 4 {
            let player = club.members[number].id;
            let away = vacation("2027-01-04", "2027-01-20");
            club.stage.store.write(|store| store.add_vacation(player, &away)).unwrap();
        }
    }
    for number in 0..3_u32 {
        club.submit(&format!("dvonn event new cup-{number} -size=8 p00{number} plover-9"));
        for member in 10..17 {
            club.submit(&format!("dvonn event join cup-{number} p0{member} plover-9"));
        }
    }
    club.submit("dvonn event new cup-3 -size=3 p017 plover-9");
    club.submit("dvonn event join cup-3 p018 plover-9\ndvonn event join cup-3 p019 plover-9");
    let all = club.members.len().min(60);
    club.submit(&format!("dvonn event new open -form=swiss -size={all} -rounds=5 p020 plover-9"));
    club.submit("dvonn event new pokal -form=knock-out -size=16 p021 plover-9");
    for number in (0..all).filter(|number| *number != 20) {
        club.submit(&format!("dvonn event join open p{number:03} plover-9"));
    }
    (0..15).for_each(|number| club.submit(&format!("dvonn event join pokal p{number:03} plover-9")));
    club.submit("dvonn event new match -form=teams -size=4 -boards=5 -team=team-3 p023 plover-9");
    for number in 3..22 {
        club.submit(&format!("dvonn event join match team-{} p{number:03} plover-9", number % 4));
    }
    for (blocks, other) in [("p014", "p015"), ("p002", "p010"), ("p004", "p006"), ("p021", "p005")] {
        club.submit(&format!("set {blocks} plover-9 block {other}"));
    }
    club.stage.tick();
    club.reply_to_a_letter_about_three("p010");
    club.end_in_a_circle("cup-3");
    let months = [4, 8, 12, rounds(12, 16) as i32].map(|month| club.stage.now + HOUR * (month * 30 * 24));
    for (number, month) in months.into_iter().enumerate() {
        club.until(month);
        club.check();
        if number == 0 {
            let circle = club.event("cup-3");
            let boards = club.stage.store.contest_boards(circle.row.id).unwrap();
            let places = standing::all_groups(&circle, &boards)[0].places();
            assert!(places.iter().all(|place| place.place == 1), "{places:?}");
            club.host_changes_a_closed_event("cup-1");
            club.check();
            // Some leave, and go on with what runs.
            for member in [3, 9] {
                club.submit(&format!("{} league leave p{member:03} plover-9", games[0]));
            }
        }
    }
    for game in games {
        let agreements: Vec<f64> = (1..).map_while(|number| club.agreement(game, number)).collect();
        println!("{game}: places and strengths agree by {agreements:.2?}, season by season");
        assert!(agreements.iter().skip(2).any(|agreement| *agreement > 0.7), "{game}: {agreements:?}");
    }
    assert!(["open", "pokal", "match"].iter().all(|name| club.event(name).row.state == ContestState::Closed));
    let places = club.ladder();
    let agreement = club.agrees(&places);
    println!("{}: places of the ladder's {} players agree by {agreement:.2}", games[0], places.len());
    // A ladder of many takes its time: who wins moves by a few places.
    let least = if is_long { 0.2 } else { 0.5 };
    assert!(agreement > least && 3 * places.len() > club.members.len(), "{agreement} {}", places.len());
    let idle = club.idle[0] as f64 / club.idle[1] as f64;
    assert!(club.stopped_at.is_some());
    let mails = club.told();
    println!("without a board on {:.0} % of days", 100.0 * idle);
    println!(
        "mails of contests: {} at most, {} in all",
        mails.iter().max().unwrap(),
        mails.iter().sum::<usize>()
    );
    // The games of the short club are over in two weeks.
    assert!(idle < 0.25 || !is_long, "{idle}");
}

fn vacation(first: &str, last: &str) -> VacationRow {
    let (first, last): (Date, Date) = (first.parse().unwrap(), last.parse().unwrap());
    let at = |day: Date| day.to_zoned(TimeZone::UTC).unwrap().timestamp();
    VacationRow { first, last, starts_at: at(first), ends_at: at(last.tomorrow().unwrap()), automatic: false }
}

/// How well the order of a list goes with strength: Spearman's.
fn correlation(order: &[usize], strengths: &[f64]) -> f64 {
    let mut by_strength = order.to_vec();
    by_strength.sort_by(|one, other| strengths[*other].total_cmp(&strengths[*one]));
    let rank: BTreeMap<usize, usize> = by_strength.into_iter().zip(0..).collect();
    let squares: f64 =
        order.iter().enumerate().map(|(at, player)| (at as f64 - rank[player] as f64).powi(2)).sum();
    let count = order.len() as f64;
    1.0 - 6.0 * squares / (count * (count * count - 1.0))
}

/// Nobody needs a page or a password: each move, and the end of each game, is a reply to the last mail about it.
#[test]
fn a_season_is_played_by_replies_alone() {
    let mut club = Club::new(4, &["dvonn"], 8);
    for number in 0..4 {
        club.submit(&format!("dvonn league join p{number:03} plover-9"));
    }
    let name = "dvonn-league-1";
    while club.stage.store.contest_named(name).unwrap().is_none() {
        club.stage.wait(6);
        club.stage.tick();
    }
    club.stage.tick();
    let letters = club.stage.left.clone();
    while club.event(name).row.state == ContestState::Running {
        for row in club.stage.store.contest_boards(club.event(name).row.id).unwrap() {
            let board = Board::load(&club.stage.store, row.board).unwrap().unwrap();
            let Some(seat) = board.row.to_move else { continue };
            let mover = club.member(*seat.of(&board.row.players)).userid.clone();
            let is_to = |mail: &&Mail| mail.to == format!("{mover}@example.org");
            let is_about = |mail: &&Mail| mail.subject.contains(&format!(" dvonn {} ", row.board));
            let ply = board.table.legal_plies()[0].to_string();
            let is_long = board.row.plies.0 >= club.plies;
            let words = if is_long { "resign".to_owned() } else { ply };
            let (mail, words) = match club.stage.left.iter().rev().filter(is_to).find(is_about) {
                Some(mail) => (mail, words),
                None => (letters.iter().rev().find(is_to).unwrap(), format!("{} {words}", row.board)),
            };
            let (reply, subject) = (phone_reply(mail, &words, club.stage.left.len()), mail.subject.clone());
            club.stage.receive(&reply);
            let after = Board::load(&club.stage.store, row.board).unwrap().unwrap();
            assert!(after.row.events > board.row.events, "{mover}: {words} in reply to {subject}");
        }
        club.stage.wait(6);
        club.stage.tick();
    }
    club.check();
    club.told();
    let boards = club.stage.store.contest_boards(club.event(name).row.id).unwrap();
    assert_eq!(boards.iter().filter(|board| board.ending == Some(Ending::Resigned)).count(), 6);
}
