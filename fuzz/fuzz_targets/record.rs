//! Any text as a game record. A loaded record is sound, and is written as a record that loads again.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use turnpost::board::Board;
use turnpost::board::record::{BadText, Record, write};
use turnpost::board::verify::verify;
use turnpost::ids::BoardId;
use turnpost::store::{Store, StoreError};

#[path = "../../benches/stock/people.rs"]
mod people;

thread_local! {
    // Made once: bringing the tables up takes longer than all that is measured here.
    static STORE: RefCell<Store> = RefCell::new(store());
}

fn store() -> Store {
    let mut store = Store::in_memory().expect("a database in memory");
    people::sign_up(&mut store);
    store
}

/// What undoes a load.
enum Done {
    Load(Box<BadText>),
    Looked,
}

impl From<StoreError> for Done {
    fn from(error: StoreError) -> Done {
        Done::Load(Box::new(error.into()))
    }
}

fn written(store: &Store, id: BoardId) -> String {
    let board = Board::load(store, id).expect("a look at the board").expect("the board that was made");
    write(store, &board).expect("its record")
}

/// All lines but the one with the board's number.
fn but_for_the_number(record: &str) -> Vec<&str> {
    record.lines().filter(|line| !line.starts_with("board: ")).collect()
}

fuzz_target!(|text: &str| {
    let Ok(record) = Record::read(text) else { return };
    STORE.with_borrow_mut(|store| {
        let done = store.write(|store| {
            let id = record.load(store).map_err(|why| Done::Load(Box::new(why)))?;
            let text = written(store, id);
            let again = Record::read(&text).expect("what is written is read");
            let again = again.load(store).map_err(|why| Done::Load(Box::new(why)))?;
            assert_eq!(but_for_the_number(&written(store, again)), but_for_the_number(&text));
            // A rated history without its ratings is what an import is.
            let wrong = verify(store).expect("a look at all boards").wrong;
            let wrong: Vec<_> = wrong.iter().filter(|why| !why.contains("no place")).collect();
            assert!(wrong.is_empty(), "a board that does not stand up: {wrong:?}");
            Err::<(), Done>(Done::Looked)
        });
        if let Err(Done::Load(why)) = done {
            assert!(!matches!(*why, BadText::Error(_)), "our failure: {why}");
        }
    });
});
