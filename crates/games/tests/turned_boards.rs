//! Boards as the far side sees them.

use std::collections::BTreeMap;

use turnpost_games::scene::{Choice, Scene, Theme, Tiling};
use turnpost_games::{Seat, Setup, Table, registry};

use crate::dice::Dice;
use crate::registry_laws::{games, option_sets};

fn position(game: &str, text: &str) -> Box<dyn Table> {
    (registry::find(game).unwrap().read)(text).unwrap()
}

#[test]
fn the_side_that_begins_at_the_top_sees_its_pieces_below() {
    let turned = games().filter(|game| game.is_turned_for(Seat::Second)).map(|game| game.key);
    let expected = "breakthrough amazons chess draughts backgammon nackgammon hypergammon einstein";
    assert_eq!(turned.collect::<Vec<_>>().join(" "), expected);
    assert!(!games().any(|game| game.is_turned_for(Seat::First)));
}

#[test]
fn black_sees_h1_above_and_its_own_pieces_below() {
    let table = position("chess", "4k3/8/8/8/8/8/PP6/4K2R w - - 0 1");
    let board = table.look().turned().drawing().board;
    let lines: Vec<&str> = board.lines().collect();
    assert_eq!(lines[1], " 1 | R |   |   | K |   |   |   |   |");
    assert_eq!(lines[3], " 2 |   |   |   |   |   |   | P | P |");
    assert_eq!(lines[15], " 8 |   |   |   | k |   |   |   |   |");
    assert_eq!(lines[17], "     h   g   f   e   d   c   b   a");
    // Numbered squares go with their numbers.
    let draughts = registry::find("draughts").unwrap();
    let table = (draughts.start)(&Setup { options: &[], seed: 0 }).unwrap();
    let board = table.look().turned().drawing().board;
    let row = board.lines().nth(9).unwrap();
    let numbers: Vec<&str> = row.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).collect();
    assert_eq!(numbers, ["30", "29", "28", "27", "26"], "{board}");
}

#[test]
fn a_triangle_stands_on_its_other_point() {
    let y = registry::find("y").unwrap();
    let size = [("size".to_owned(), Some("7".to_owned()))];
    let scene = (y.start)(&Setup { options: &size, seed: 0 }).unwrap().look().turned();
    assert_eq!(
        scene.narrow(),
        "      . 7\n     . . 6\n    . . . 5\n   . . . . 4\n  . . . . . 3\n . . . . . . 2\n. . . . . . . 1\n g f e d c b a\n"
    );
}

/// The middle of each space in the picture, by its name.
fn places(scene: &Scene) -> BTreeMap<String, [i32; 2]> {
    let svg = scene.svg(Theme::Page, "", |space| Choice {
        link: Some((space.name.clone(), space.name.clone())),
        ..Choice::default()
    });
    let number = |text: &str, name: &str| -> i32 {
        text.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let links = svg.split("<a href=\"").skip(1);
    links
        .map(|link| (link.split('"').next().unwrap().to_owned(), [number(link, " x"), number(link, " y")]))
        .collect()
}

#[test]
fn each_name_is_across_the_middle_and_turning_twice_changes_nothing() {
    for game in games() {
        for options in option_sets(game) {
            let mut table = (game.start)(&Setup { options: &options, seed: 7 }).unwrap();
            let mut dice = Dice(7);
            for _ in 0..40 {
                let plies = table.legal_plies();
                if plies.is_empty() {
                    break;
                }
                table.play_text(&plies[dice.below(plies.len())]).unwrap();
            }
            let scene = table.look();
            let turned = scene.clone().turned();
            assert_eq!(turned.clone().turned(), scene, "{game:?}");
            let (before, after) = (places(&scene), places(&turned));
            let middle = |all: &BTreeMap<String, [i32; 2]>, axis: usize| {
                let along = || all.values().map(|place| place[axis]);
                along().min().unwrap() + along().max().unwrap()
            };
            // The rows of hexagons are slanted, so the board as a whole can move sideways.
            let across = |axis: usize| middle(&before, axis) + middle(&after, axis);
            for (name, place) in &before {
                for axis in [0, 1] {
                    // On triangles the trays stay at the right.
                    let stays = axis == 0 && scene.tiling == Tiling::Triangles;
                    let mirrored = if stays { place[axis] } else { across(axis) / 2 - place[axis] };
                    assert_eq!(after[name][axis], mirrored, "{name} of {game:?}");
                }
                let [space, other] = [&scene, &turned].map(|scene| scene.space(name).unwrap());
                assert_eq!((space.thing, &space.sign), (other.thing, &other.sign), "{name} of {game:?}");
            }
            // Every name next to the board is still drawn.
            let (board, drawn) = (scene.drawing().board, turned.drawing().board);
            let is_lost = |text: &str| board.contains(text) && !drawn.contains(text);
            assert!(!turned.labels.iter().any(|label| is_lost(&label.text)), "{game:?}:\n{drawn}");
        }
    }
}

#[test]
fn each_letter_next_to_the_largest_board_is_drawn() {
    let size = [("size".to_owned(), Some("19".to_owned()))];
    let scene = (registry::find("go").unwrap().start)(&Setup { options: &size, seed: 0 }).unwrap().look();
    let svg = scene.svg(Theme::Page, "", |_| Choice::default());
    assert!(svg.contains("id=\"_T\"") && !svg.contains("d=\"\""), "{svg}");
}
