//! The moves of a board: a list in two columns by side, with the number of each turn, and the links that step.

use minijinja::{Value, context};

use crate::notices::ply_view::PlyView;

/// The list of moves and the links to positions, for a page that shows the board after `at` plies. `to` returns the
/// address of the page after a number of plies.
pub(super) fn moves(plies: &[PlyView], at: usize, to: &dyn Fn(usize) -> String) -> Value {
    let last = plies.len();
    let mut rows: Vec<[Vec<Value>; 2]> = Vec::new();
    for ply in plies {
        if rows.len() < ply.row {
            rows.push(Default::default());
        }
        let shown = ply.ply as usize;
        let link = context! { href => to(shown), text => &ply.text, here => shown == at, by => &ply.by };
        if let Some(cell) = rows.last_mut().and_then(|row| row.get_mut(ply.column)) {
            cell.push(link);
        }
    }
    let steps = [0, at.saturating_sub(1), (at + 1).min(last), last];
    context! {
        rows => rows.into_iter().map(|[first, second]| Value::from(vec![first, second])).collect::<Vec<_>>(),
        steps => steps.map(|ply| (ply != at).then(|| to(ply))),
        numbers => plies.iter().map(PlyView::number).collect::<Vec<_>>(),
    }
}
