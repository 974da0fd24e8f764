//! Any octets as a mail, through the whole line: no mail takes more than a fixed amount of memory.
//!
//! The allocator of this program counts it. `benches/hostile.rs` measures the time.
#![no_main]

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use libfuzzer_sys::fuzz_target;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use turnpost::config::Config;
use turnpost::mail::incoming::{Envelope, EnvelopeSender};
use turnpost::pipeline;
use turnpost::store::Store;

use people::at;

#[path = "../../benches/stock/people.rs"]
mod people;

/// Longer mails are not tried.
const SIZE: usize = 64 * 1024;
/// The most bytes of memory for a mail. A password check alone takes nineteen of them.
const MEMORY: usize = 32 * 1024 * 1024;

/// Counts what the program holds, and the most of it.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// Safety: every call is passed unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A database with ann and bob. Each mail gets a copy, so that what fails fails alone.
fn model() -> &'static PathBuf {
    static MODEL: OnceLock<PathBuf> = OnceLock::new();
    MODEL.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("turnpost-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let store = folder.join("store.db");
        let _ = std::fs::remove_file(&store);
        let mut store = Store::make(&store).expect("a database");
        people::sign_up(&mut store);
        let _ = std::fs::remove_file(folder.join("model.db"));
        store.backup(&folder.join("model.db")).expect("a model");
        folder
    })
}

fuzz_target!(|bytes: &[u8]| {
    if bytes.len() > SIZE {
        return;
    }
    let folder = model();
    let database = folder.join("copy.db");
    for beside in ["copy.db-wal", "copy.db-shm"] {
        let _ = std::fs::remove_file(folder.join(beside));
    }
    std::fs::copy(folder.join("model.db"), &database).expect("a copy");
    let mut store = Store::open(&database).expect("a database");
    let app = Config::default().app();
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let sender = Some(EnvelopeSender::Address("ann@example.org".to_owned()));
    let envelope = Envelope { sender, recipient: Some("turnpost@localhost".to_owned()) };
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    pipeline::receive(&mut store, &app, bytes, &envelope, at(), &mut rng).expect("no error of ours");
    let held = PEAK.load(Ordering::Relaxed) - before;
    assert!(held <= MEMORY, "{held} bytes of memory for {}", bytes.len());
});
