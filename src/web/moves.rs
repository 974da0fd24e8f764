//! The moves of a board: a list in two columns by side, with the number of each turn, and the links that step.

use minijinja::{Value, context};

use crate::notices::ply_view::PlyView;

/// The list of moves and the links to positions, for a page that shows the board after `at` plies. `to` returns the
/// address of the page after a number of plies.
pub(super) fn moves(plies: &[PlyView], at: usize, to: &dyn Fn(usize) -> String) -> Value {
    let (last, numbers) = (plies.len(), numbers(plies));
    let mut rows: Vec<[Vec<Value>; 2]> = Vec::new();
    for (ply, (row, _)) in plies.iter().zip(&numbers) {
        if rows.len() < *row {
            rows.push(Default::default());
        }
        let shown = ply.ply as usize;
        let link = context! { href => to(shown), text => &ply.text, here => shown == at, by => &ply.by };
        if let Some(cell) = rows.last_mut().and_then(|row| row.get_mut(ply.seat)) {
            cell.push(link);
        }
    }
    let steps = [0, at.saturating_sub(1), (at + 1).min(last), last];
    context! {
        rows => rows.into_iter().map(|[first, second]| Value::from(vec![first, second])).collect::<Vec<_>>(),
        steps => steps.map(|ply| (ply != at).then(|| to(ply))),
        numbers => numbers.into_iter().map(|(_, number)| number).collect::<Vec<_>>(),
    }
}

/// The row of each ply in the list, from 1, and its number: `12.` for the first side, `12…` for the second.
pub(super) fn numbers(plies: &[PlyView]) -> Vec<(usize, String)> {
    let (mut row, mut before) = (0, None);
    let number = |ply: &PlyView| {
        if before.is_none() || before != Some(ply.seat) && ply.seat == 0 {
            row += 1;
        }
        before = Some(ply.seat);
        (row, format!("{row}{}", if ply.seat == 0 { "." } else { "…" }))
    };
    plies.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_several_plies_has_one_number() {
        let told = |seats: &[usize]| {
            let ply =
                |(ply, seat): (u32, &usize)| PlyView { ply, seat: *seat, text: String::new(), by: None };
            let plies: Vec<PlyView> = (1..).zip(seats).map(ply).collect();
            numbers(&plies).into_iter().map(|(_, number)| number).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told(&[0, 1, 0, 0, 1, 1, 0]), "1. 1… 2. 2. 2… 2… 3.");
        // The second side begins after a handicap.
        assert_eq!(told(&[1, 0, 1]), "1… 2. 2…");
    }
}
