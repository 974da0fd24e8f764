//! The scene of a position.

use super::words::{capital, key, nobodys, piece_name};
use super::{Kind, Rules, State};
use crate::Seat;
use crate::notation::counted;
use crate::scene::{Edge, Scene, Space, Thing};

pub fn scene<R: Rules>(state: &State) -> Scene {
    let board = &state.board;
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
        let sign = seen.map(|(piece, kind)| kind.signs[piece.side.map_or(2, Seat::index)]);
        Space {
            name: board.name(cell),
            q,
            r,
            ground: R::ground(board, cell),
            thing,
            held: [false; 2],
            sign: sign.map(String::from).or_else(|| board.number(cell)).unwrap_or_default(),
            fell: false,
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
    let held = |seat: Seat| {
        let of = |(kind, Kind { name, .. }): (u8, &Kind)| {
            let count = (state.of(seat) & state.of_kind(kind)).count();
            (count > 0 || kind == 0).then(|| counted(count, name))
        };
        let kinds: Vec<String> = (0..).zip(R::KINDS).filter_map(of).collect();
        format!("{}: {}.", capital::<R>(seat), kinds.join(", "))
    };
    let more = R::standing(state);
    let standing = [held(Seat::First), held(Seat::Second), more];
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
        notes: Vec::new(),
        standing: standing.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" "),
        last: None,
    }
}
