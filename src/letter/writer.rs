//! Settles lines that can be read with a writer's userid or without one.

use crate::commands::{Line, Reading};
use crate::store::{Store, StoreError};

/// If the userid in the full form does not exist, reads the line as one that leaves its writer out.
pub fn settle(store: &Store, lines: &mut [Line]) -> Result<(), StoreError> {
    for line in lines {
        let Some(left_out) = line.otherwise.take() else { continue };
        let Reading::Command(request) = &line.reading else { continue };
        let Some(userid) = request.userid() else { continue };
        if store.player(userid)?.is_none() {
            line.echo = line.strict_echo.clone();
            line.reading = Reading::Command(left_out);
        }
    }
    Ok(())
}
