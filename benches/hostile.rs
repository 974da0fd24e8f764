//! What a hostile mail costs, by its size.
//!
//! `cargo bench --bench hostile` hands in mails of thirty shapes. It prints the time and the peak memory for each:
//! - the ratio of 400 KB to 100 KB, which is to be under five;
//! - a mail of one mebibyte, the largest that is read: at most half a second of a core and 64 MiB.
//!
//! It fails where a goal is missed. Each mail goes through `receive` in a process of its own, since only a process has a
//! peak of memory.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "stock/hostile.rs"]
mod hostile;
mod stock;

use std::process::Command;
use std::time::{Duration, Instant};

use hostile::{SHAPES, Shape};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use turnpost::config::Config;
use turnpost::mail::incoming::{Envelope, EnvelopeSender};
use turnpost::pipeline;

use stock::{at, stock};

const SIZES: [usize; 3] = [100_000, 400_000, 1024 * 1024 - 20_000];

/// What a mail cost.
#[derive(Clone, Copy)]
struct Cost {
    time: Duration,
    /// MiB on top of what the process had before.
    memory: f64,
}

fn main() {
    // As `cargo bench --bench hostile`; run by `cargo test` it only shows that it runs.
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, shape, size] = arguments.as_slice()
        && flag == "--shape"
    {
        let cost = cost(&SHAPES[shape.parse::<usize>().unwrap()], size.parse().unwrap(), 15);
        return println!("{} {}", cost.time.as_micros(), cost.memory);
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        SHAPES.iter().for_each(|shape| assert!(cost(shape, 2_000, 1).time > Duration::ZERO));
        return;
    }
    let (mut worst, mut slowest, mut largest) = (0.0_f64, 0.0_f64, 0.0_f64);
    println!("{:45} {:>9} {:>9} {:>6} {:>9} {:>8}", "", "100 KB", "400 KB", "ratio", "1 MiB", "peak");
    for (number, shape) in SHAPES.iter().enumerate() {
        let [small, medium, large] = SIZES.map(|size| apart(number, size));
        let milliseconds = |cost: Cost| cost.time.as_secs_f64() * 1000.0;
        let ratio = milliseconds(medium) / milliseconds(small);
        println!(
            "{:45} {:6.1} ms {:6.1} ms {ratio:6.2} {:6.1} ms {:4.1} MiB",
            shape.name,
            milliseconds(small),
            milliseconds(medium),
            milliseconds(large),
            large.memory
        );
        worst = worst.max(ratio);
        slowest = slowest.max(milliseconds(large));
        largest = largest.max(large.memory);
    }
    println!("the worst ratio: {worst:.2} (goal: under 5)");
    println!("the slowest mail of 1 MiB: {slowest:.0} ms (goal: at most 500)");
    println!("the most memory for one: {largest:.1} MiB (goal: at most 64)");
    assert!(worst < 5.0 && slowest <= 500.0 && largest <= 64.0, "a goal is missed");
}

/// The cost in a process of its own.
fn apart(shape: usize, size: usize) -> Cost {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.arg("--shape").arg(shape.to_string()).arg(size.to_string()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let (time, memory) = text.trim().split_once(' ').unwrap();
    Cost { time: Duration::from_micros(time.parse().unwrap()), memory: memory.parse().unwrap() }
}

/// The quickest of some tries, each with a mail of its own, and the peak of the first.
fn cost(shape: &Shape, size: usize, tries: usize) -> Cost {
    let data = tempfile::tempdir().unwrap();
    let mut store = stock(data.path(), 1);
    let app = Config::default().app();
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let sender = Some(EnvelopeSender::Address("ann@example.org".to_owned()));
    let envelope = Envelope { sender, recipient: Some("turnpost@localhost".to_owned()) };
    let mails: Vec<Vec<u8>> = (0..tries).map(|n| shape.mail(size, n)).collect();
    let before = peak();
    let mut memory = None;
    let mut time = Duration::MAX;
    for mail in mails {
        let started = Instant::now();
        pipeline::receive(&mut store, &app, &mail, &envelope, at(), &mut rng).unwrap();
        time = time.min(started.elapsed());
        memory.get_or_insert_with(|| peak() - before);
    }
    Cost { time, memory: memory.unwrap_or_default() }
}

/// The most memory that this process has held so far, in MiB; zero where the system does not tell.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    number.unwrap_or_default() / 1024.0
}
