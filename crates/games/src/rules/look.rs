//! The scene of a position.

use super::words::{key, letters, nobodys, piece_name};
use super::{Rules, State};
use crate::Seat;
use crate::scene::{Edge, Scene, Shape, Space, Thing};

pub fn scene<R: Rules>(state: &State) -> Scene {
    let board = &state.board;
    let (in_check, winners) = (R::in_check(state), R::winners(state));
    let held = Seat::BOTH.map(|seat| R::held(state, seat));
    let spaces = board.reading().map(|cell| {
        let ([q, r], piece) = (board.place(cell), state.at(cell));
        let seen = piece.and_then(|piece| Some((piece, R::KINDS.get(usize::from(piece.kind))?)));
        let thing = seen.map(|(piece, kind)| Thing {
            side: piece.side,
            height: 1,
            marked: false,
            shape: kind.shape,
            name: if piece.side.is_some() && kind.name == piece_name::<R>() { "" } else { kind.name },
        });
        let sign = seen.map(|(piece, kind)| match (kind.shape, piece.side) {
            (Shape::Numbered(number), Some(seat)) => format!("{}{number}", seat.of(&letters::<R>())),
            _ => kind.signs[piece.side.map_or(2, Seat::index)].to_string(),
        });
        Space {
            name: board.name(cell),
            q,
            r,
            ground: R::ground(board, cell),
            thing,
            held: held.map(|cells| cells.has(cell)),
            sign: sign.into_iter().chain(board.number(cell)).collect(),
            fell: false,
            in_check: in_check == Some(cell),
            wins: winners.has(cell),
            shift: 0,
        }
    });
    let edges = board.cells.iter().flat_map(|cell| {
        let outside = board.ways().iter().filter(move |way| board.step(cell, **way).is_none());
        let [q, r] = board.place(cell);
        outside.filter_map(move |way| {
            let beyond = board.beyond(cell, *way);
            Some(Edge { q, r, beyond, seat: R::edge(board, cell, *way)? })
        })
    });
    Scene {
        tiling: board.tiling,
        spaces: spaces.collect(),
        labels: board.labels(),
        edges: edges.collect(),
        colours: R::COLOURS.map(|colour| if colour == "white" { 'w' } else { 'b' }),
        // Room for the names of rows and columns.
        origin: [2, 4],
        mark: nobodys::<R>(),
        key: key::<R>(state),
        notes: Some(R::note(state)).filter(|note| !note.is_empty()).into_iter().collect(),
        holds: Seat::BOTH.map(|seat| R::holds(state, seat)),
        standing: R::standing(state),
        asks: R::ASKS.map(str::to_owned),
        props: Vec::new(),
        last: None,
    }
}
