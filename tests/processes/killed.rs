//! Killed at any moment of a letter's life, the program loses nothing, plays nothing twice and leaves no mail out.
//!
//! `receive`, `deliver` and `serve` are killed by SIGKILL at moments spread over all of their measured lives, together as
//! often as `TURNPOST_KILLS` says, else 100 times. A mail server hands a letter in again until it was taken; `deliver` runs again, and what the killed one had
//! leased is free at once; the pause behind a failure the test does not wait for but makes go by.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::post_office::{Letter, PostOffice, hand_in};
use crate::support::serving::{PATIENCE, Served};
use rand::Rng;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;

/// How often the programs are killed: `serve` a fifth of the times, because it takes longest to start.
struct Kills {
    receive_and_deliver: usize,
    serve: usize,
}

impl Kills {
    fn asked_for() -> Kills {
        let kills = std::env::var("TURNPOST_KILLS").map_or(100, |kills| kills.parse().unwrap());
        Kills { receive_and_deliver: kills - kills / 5, serve: kills / 5 }
    }
}

/// Runs a program and kills it at a random moment of its life, unless it has ended by then.
struct Killer {
    rng: ChaCha12Rng,
    /// How long it lives when it is left alone, as far as is known: other work on the machine changes it.
    life: Duration,
    kills: usize,
    /// Kills in each tenth of a life; the last: behind it.
    tenths: [usize; 11],
}

impl Killer {
    fn of(seed: u64, life: Duration) -> Killer {
        // Of no life there would be no moment, and nothing would teach it better.
        let life = life.max(Duration::from_millis(1));
        Killer { rng: ChaCha12Rng::seed_from_u64(seed), life, kills: 0, tenths: [0; 11] }
    }

    /// A moment, at times behind the end of a usual life.
    fn moment(&mut self) -> Duration {
        self.life.mul_f64(f64::from(self.rng.next_u32() % 1000) / 900.0)
    }

    fn killed_after(&mut self, moment: Duration) {
        self.kills += 1;
        let tenth = (moment.as_secs_f64() / self.life.as_secs_f64() * 10.0) as usize;
        self.tenths[tenth.min(10)] += 1;
    }

    /// Whether the program was killed; else it ended well.
    fn kills(&mut self, mut command: Command, input: &[u8]) -> bool {
        let moment = self.moment();
        let start = Instant::now();
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input);
        std::thread::sleep(moment.saturating_sub(start.elapsed()));
        // It may have ended in between.
        let _ = child.kill();
        let ended = child.wait_with_output().unwrap();
        if ended.status.signal() == Some(9) {
            self.killed_after(moment);
            if moment > self.life {
                self.life = self.life.mul_f64(1.2);
            }
            return true;
        }
        if moment < self.life {
            self.life = self.life.mul_f64(0.9).max(Duration::from_millis(1));
        }
        assert!(ended.status.success(), "{ended:?}");
        false
    }
}

fn receive(office: &PostOffice, letter: &Letter) -> Command {
    office.command(&["receive", "--sender", "someone@example.org", "--recipient", &letter.recipient])
}

/// The middle one.
fn median(mut lives: Vec<Duration>) -> Duration {
    lives.sort();
    lives[lives.len() / 2]
}

#[test]
fn receive_and_deliver_are_killed_again_and_again() {
    let kills = Kills::asked_for().receive_and_deliver;
    let mut office = PostOffice::open();
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let (mut receiving, mut delivering) = (Vec::new(), Vec::new());
    for _ in 0..9 {
        let letter = office.next_letter(rng.next_u32());
        let start = Instant::now();
        crate::support::host::finish(crate::support::host::start(receive(&office, &letter), &letter.mail))
            .assert_silent(0);
        receiving.push(start.elapsed());
        let start = Instant::now();
        office.run(&["deliver"], b"").ok();
        delivering.push(start.elapsed());
    }
    let mut receives = Killer::of(2, median(receiving));
    let mut delivers = Killer::of(3, median(delivering));
    while receives.kills + delivers.kills < kills {
        let letter = office.next_letter(rng.next_u32());
        while receives.kills(receive(&office, &letter), &letter.mail) {}
        assert!(office.stands(), "after letter {}", office.letters);
        while delivers.kills(office.command(&["deliver"]), b"") {
            office.time_passes();
        }
        office.time_passes();
    }
    office.run(&["deliver"], b"").ok();
    let repeats = office.assert_all_left(delivers.kills);
    println!(
        "{} letters; receive (life {:?}) killed {} times, by tenths of its life {:?}; deliver (life {:?}) killed {} \
         times, {:?}; {repeats} mails left twice",
        office.letters,
        receives.life,
        receives.kills,
        receives.tenths,
        delivers.life,
        delivers.kills,
        delivers.tenths
    );
    for Killer { kills, tenths, .. } in [receives, delivers] {
        let halves = [&tenths[..5], &tenths[5..]].map(|half| half.iter().sum::<usize>());
        assert!(halves.iter().all(|half| half * 8 >= kills), "half of a life was spared: {tenths:?}");
    }
}

#[test]
fn serve_is_killed_again_and_again() {
    let kills = Kills::asked_for().serve;
    let mut office = PostOffice::open();
    let mut rng = ChaCha12Rng::seed_from_u64(4);
    // From its readiness until both mails of a letter have left.
    let mut life = Duration::ZERO;
    for _ in 0..3 {
        let served = Served::start(&office.host, &[]);
        let letter = office.next_letter(rng.next_u32());
        let start = Instant::now();
        assert_eq!(hand_in(served.lmtp.unwrap(), &letter), Some(true));
        while office.sink.taken().len() < office.due {
            assert!(start.elapsed() < Duration::from_secs(20), "{}", served.log());
            std::thread::sleep(Duration::from_micros(200));
        }
        life = start.elapsed();
        served.stop();
    }
    let mut killer = Killer::of(5, life);
    while killer.kills < kills {
        let letter = office.next_letter(rng.next_u32());
        let mut tries = 0;
        loop {
            tries += 1;
            assert!(tries < 50, "no letter comes through");
            if tries % 5 == 0 {
                // The machine has more to do than when a life was measured.
                killer.life = killer.life.mul_f64(1.5);
            }
            let served = Served::start(&office.host, &[]);
            let (address, moment) = (served.lmtp.unwrap(), killer.moment());
            let start = Instant::now();
            let sending = std::thread::scope(|scope| {
                let sending = scope.spawn(|| hand_in(address, &letter));
                std::thread::sleep(moment);
                served.kill();
                sending.join().unwrap()
            });
            killer.killed_after(start.elapsed().min(moment));
            office.time_passes();
            match sending {
                // The mail server has its answer, and forgets the letter.
                Some(true) => break,
                Some(false) => panic!("the letter was put off"),
                // It may have been played all the same.
                None => {}
            }
        }
        assert!(office.stands(), "after letter {}", office.letters);
    }
    office.run(&["deliver"], b"").ok();
    let repeats = office.assert_all_left(killer.kills);
    println!(
        "{} letters; serve (life of a letter {life:?}) killed {} times, by tenths {:?}; {repeats} mails left twice",
        office.letters, killer.kills, killer.tenths
    );
}

#[test]
fn killed_while_another_writes_it_sends_few_mails_twice_and_loses_none() {
    let mut office = PostOffice::open();
    for choice in 0..30 {
        let letter = office.next_letter(choice);
        let arguments = ["receive", "--sender", "someone@example.org", "--recipient", &letter.recipient];
        office.run(&arguments, &letter.mail).assert_silent(0);
    }
    let other = rusqlite::Connection::open(office.host.database()).unwrap();
    other.busy_timeout(Duration::from_secs(10)).unwrap();
    let mut deliver = office.command(&["deliver"]).spawn().unwrap();
    let until = Instant::now() + PATIENCE;
    while office.sink.taken().len() < 30 {
        assert!(Instant::now() < until, "{} mails left", office.sink.taken().len());
        // As when many letters come in, but for gaps in which SQLite's patience gets its turn.
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        std::thread::sleep(Duration::from_millis(50));
        other.execute_batch("COMMIT").unwrap();
        std::thread::sleep(Duration::from_millis(5));
    }
    deliver.kill().unwrap();
    deliver.wait().unwrap();
    office.run(&["deliver"], b"").ok();
    let repeats = office.assert_all_left(16);
    println!("{repeats} of {} mails left twice", office.due);
}
