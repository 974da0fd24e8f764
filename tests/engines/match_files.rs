//! The match files of our games with dice, read and written again by GNU Backgammon.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use turnpost_games::backgammon::KIND;
use turnpost_games::{EndedBy, Finish, Recorded, Setup};

/// Numbers of a linear congruential generator, below `bound`.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A whole match of random plies, with doubles, drops and games that are given up.
fn some_match(seed: u64) -> Recorded {
    let mut dice = Dice(seed);
    let length = ["1", "3", "5", "7"][dice.below(4)];
    let options: Vec<_> =
        (length != "1").then(|| ("match".to_owned(), Some(length.to_owned()))).into_iter().collect();
    let mut table = (KIND.start)(&Setup { options: &options, seed }).unwrap();
    let (start, mut plies) = (table.position(), Vec::new());
    while table.ended().is_none() {
        if let Some(chance) = table.chance() {
            plies.extend(table.play_chance(chance.casts().nth(dice.below(36)).unwrap()));
            continue;
        }
        let legal = table.legal_plies();
        // GNU Backgammon writes a lone roll of the second player as one of the first.
        let has_begun = table.position().split(' ').next() != start.split(' ').next();
        let can_give_up = has_begun && table.forced_ply().is_none() && dice.below(200) == 0;
        let give_up = table.give_up_ply().filter(|_| can_give_up);
        let ply = give_up.unwrap_or_else(|| legal[dice.below(legal.len())].clone());
        plies.push(table.play_text(&ply).unwrap().ply);
        plies.extend(table.play_passes().into_iter().map(|pass| pass.ply));
    }
    let players = ["ann", "bob"].map(|name| Some(name.to_owned()));
    let end = table.ended().map(|outcome| Finish { winner: outcome.winner, by: EndedBy::Rules });
    Recorded { players, event: None, date: None, options, start, plies, end }
}

/// What a match file says of the scores: those before each game, and the points won.
fn scores(text: &str) -> Vec<String> {
    let is_score = |line: &&str| line.contains(" : ") || line.contains("Wins ");
    // GNU Backgammon does not tell the end of the match.
    let told = |line: &str| {
        let points = line.split("Wins ").last().unwrap().trim_end_matches(" and the match");
        points.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    text.lines().filter(|line| !line.starts_with(';')).filter(is_score).map(told).collect()
}

#[test]
fn gnubg_reads_matches_and_writes_them_back() {
    let folder = tempfile::tempdir().unwrap();
    let notation = &KIND.notations[0];
    let mut commands = "set confirm new off\nset automatic game off\n".to_owned();
    let ours: Vec<String> = (0..1000)
        .map(|seed| {
            let text = (notation.write)(&KIND, &some_match(seed)).unwrap();
            fs::write(folder.path().join(format!("{seed}.mat")), &text).unwrap();
            writeln!(commands, "import mat \"{seed}.mat\"\nexport match mat \"{seed}.out\"").unwrap();
            text
        })
        .collect();
    let mut gnubg = Command::new("/usr/games/gnubg")
        .args(["--tty", "--quiet", "--no-rc", "--prefsdir=."])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = gnubg.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(commands.as_bytes()).unwrap());
    let said = gnubg.wait_with_output().unwrap();
    writer.join().unwrap();
    let mut games = 0;
    for (seed, ours) in ours.iter().enumerate() {
        let said = || String::from_utf8_lossy(&said.stdout).chars().take(2000).collect::<String>();
        let theirs = fs::read_to_string(folder.path().join(format!("{seed}.out")))
            .unwrap_or_else(|why| panic!("{seed}: {why}: {ours}\n{}", said()));
        assert_eq!(scores(&theirs), scores(ours), "{ours}\n{theirs}");
        let read =
            |text: &str| (notation.read)(&KIND, text).unwrap_or_else(|why| panic!("{why}: {text}")).remove(0);
        let [own, again] = [read(ours), read(&theirs)];
        assert_eq!((&again.plies, again.end), (&own.plies, own.end), "{ours}\n{theirs}");
        games += ours.matches("Game ").count();
    }
    println!("{games} games");
}
