//! Compares what is stored of contests with their records.

use crate::contest::record::Contest;
use crate::failure::Error;
use crate::store::{ContestBoardRow, ContestForm, ContestRow, Store};

impl Contest {
    /// Compares the stored row and boards with the record. Returns a sentence for each difference.
    pub fn faults(&self, stored: &ContestRow, boards: &[ContestBoardRow]) -> Vec<String> {
        let mut wrong = Vec::new();
        if *stored != self.row {
            wrong.push(format!("its row is {stored:?}, and its record makes {:?}", self.row));
        }
        let made = self.pairs.iter().filter(|(_, pair)| pair.has_board).map(|(number, _)| *number);
        if !made.clone().eq(boards.iter().map(|board| board.pair)) {
            let (made, found) = (made.count(), boards.len());
            wrong.push(format!("its record makes {made} boards, and {found} are there"));
        }
        wrong
    }
}

/// Checks all contests of a database. Returns a sentence for each fault.
pub fn faults(store: &Store) -> Result<Vec<String>, Error> {
    let mut wrong = Vec::new();
    for row in store.all_contests()? {
        let faults = match Contest::rebuild(row.id, &store.contest_events(row.id)?) {
            Ok(contest) => {
                let boards = store.contest_boards(row.id)?;
                let mut faults = contest.faults(&row, &boards);
                if row.form == ContestForm::Ladder
                    && Contest::load(store, &row)?.ladder.places(&boards) != contest.ladder.places(&boards)
                {
                    faults.push("its snapshot has other places than its record".to_owned());
                }
                faults
            }
            Err(why) => vec![why.to_string()],
        };
        wrong.extend(faults.into_iter().map(|why| format!("contest {}: {why}", row.name)));
    }
    Ok(wrong)
}
