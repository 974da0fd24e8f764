//! The rules of Hexmeister by examples from a data file, whose head explains it; and the drawings.

use turnpost_games::hexmeister::cells::{Cell, CellKind, CellSet, GATES, cells};
use turnpost_games::hexmeister::{Hexmeister, KIND};
use turnpost_games::{Position, Seat, Setup, SetupError, Table};

/// The position of a line `WHITE / BLACK / WORDS`.
fn at(line: &str) -> Hexmeister {
    let parts: Vec<&str> = line.splitn(3, '/').collect();
    let holds = |stones: &str, cell: Cell| stones.split_whitespace().any(|name| name == cell.to_string());
    let sign = |cell| match parts[..2].iter().position(|stones| holds(stones, cell)) {
        Some(side) => ['w', 'b'][side],
        None => '.',
    };
    let rows: Vec<String> = (1..=11).rev().map(|row| Cell::of_row(row).map(sign).collect()).collect();
    Hexmeister::read(&format!("{} {}", rows.join("/"), parts[2].trim())).unwrap()
}

/// The position after the plies of `turns`, and the remarks about them.
fn after(position: &Hexmeister, turns: &str) -> (Hexmeister, Vec<String>) {
    let (mut after, mut remarks, mut rest) = (position.clone(), Vec::new(), turns);
    while !rest.is_empty() {
        let played = after.play_text(rest).unwrap_or_else(|why| panic!("{rest}: {why}"));
        remarks.extend(played.remarks);
        rest = played.rest;
    }
    assert_eq!(Hexmeister::read(&after.write()).as_ref(), Ok(&after), "{turns}");
    (after, remarks)
}

/// The cells of `set` by name, sorted.
fn names(set: CellSet) -> Vec<String> {
    let mut names: Vec<String> = cells(set).map(|cell| cell.to_string()).collect();
    names.sort();
    names
}

fn answer(position: &Hexmeister, question: &str) -> String {
    let (question, about) = question.split_once(' ').unwrap_or((question, ""));
    let legal = position.legal_plies();
    let secured = |seat| names(position.board().secured(seat)).join(" ");
    match question {
        "legal" => legal.join(" "),
        "forced" => position.forced_ply().unwrap_or("none".to_owned()),
        "white" => secured(Seat::First),
        "black" => secured(Seat::Second),
        "can" => {
            let is_legal = |ply: &str| if legal.iter().any(|legal| legal == ply) { "yes" } else { "no" };
            about.split(' ').map(is_legal).collect::<Vec<_>>().join(" ")
        }
        "from" => {
            let mut goals: Vec<&str> =
                legal.iter().filter_map(|ply| ply.strip_prefix(about)?.strip_prefix('-')).collect();
            goals.sort_unstable();
            goals.join(" ")
        }
        "if" => {
            let (after, remarks) = after(position, about);
            let text = after.write();
            let words = text.split_once(' ').unwrap().1;
            if remarks.is_empty() { words.to_owned() } else { format!("{words} | {}", remarks.join(" ")) }
        }
        "reach" => {
            let from = Cell::all().find(|cell| cell.to_string() == about).unwrap();
            let straight = position.rules().straight;
            let reached = position.board().destinations(position.to_move(), from, straight);
            let count = |kind| cells(reached).filter(|cell| cell.kind() == kind).count();
            let [lanes, rings] = [CellKind::Lane, CellKind::Ring].map(count);
            let numbers = [format!("{lanes} lanes"), format!("{rings} rings")];
            numbers.into_iter().chain(names(reached & GATES)).collect::<Vec<_>>().join(", ")
        }
        "over" => match position.outcome() {
            None => "no".to_owned(),
            Some(outcome) => {
                let winner = outcome.winner.map_or("a draw", |seat| KIND.seat(seat));
                format!("{winner}, {}", outcome.how.unwrap())
            }
        },
        "notes" => position.scene().drawing().notes.join(" "),
        other => panic!("{other} is no question"),
    }
}

#[test]
fn the_rules_by_examples() {
    let mut position = at("/ / w");
    let lines = include_str!("data/hexmeister-rules.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if let Some(stones) = line.strip_prefix("at ") {
            position = at(stones);
        } else if let Some(turns) = line.strip_prefix("play ") {
            position = after(&position, turns).0;
        } else {
            let (question, expected) = line.split_once(':').unwrap();
            assert_eq!(answer(&position, question), expected.trim(), "{question}: {}", position.write());
        }
    }
}

#[test]
fn options_of_a_challenge() {
    let start = |options: &[(&str, Option<&str>)]| {
        let options: Vec<_> =
            options.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect();
        (KIND.start)(&Setup { options: &options, seed: 1 }).map(|table| table.position())
    };
    assert!(start(&[]).unwrap().ends_with(" w 18,18"));
    assert!(start(&[("straight", None)]).unwrap().ends_with(" w 18,18 straight"));
    assert!(start(&[("bonusdrop", None)]).unwrap().ends_with(" w 18,18 bonusdrop"));
    assert_eq!(start(&[("straight", Some("1"))]), Err(SetupError::Option("-straight takes no value".into())));
}

#[test]
fn the_board_is_drawn_with_its_gates_rings_and_lanes() {
    let position = at("a6 c6 f6 c3 e1 / f11 c11 b11 d9 / w 10,9");
    let drawing = position.scene().drawing();
    assert_eq!(drawing.board, include_str!("data/hexmeister-board.txt"));
    assert!(drawing.key.len() <= 78 && drawing.key.is_ascii());
    assert_eq!(
        drawing.standing,
        "White: 5 stones on the board, 10 in reserve, 3 captured. Black: 4 stones on the board, 9 in reserve, 5 captured."
    );
    let both = at("e6 f7 f5 / e5 e7 g6 / w");
    assert!(both.scene().drawing().board.contains("/*#\\"));
}

/// A stone on each cell in turn shows where the drawing has that cell, and there the map has its name.
#[test]
fn the_map_names_every_cell_where_the_drawing_has_it() {
    let map = (KIND.map.unwrap())();
    let names: Vec<&str> = map.lines().collect();
    assert!(names.iter().all(|line| line.len() <= 78));
    for cell in Cell::all() {
        let position = at(&format!("{cell} / / w"));
        let drawing = position.scene().drawing().board;
        let (line, column) =
            drawing.lines().enumerate().find_map(|(line, text)| Some((line, text.find('w')?))).unwrap();
        // Both leave a margin; a hexagon is three columns wide here and five there.
        let column = (column - 5) / 3 * 5 + 1;
        let name: String = names[line].chars().skip(column).take(4).collect();
        let gate = if cell.kind() == CellKind::Gate { "#" } else { " " };
        assert_eq!(name, format!("{:<3}{gate}", cell.to_string()));
    }
}
