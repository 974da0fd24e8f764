//! The mind that values each ply of a game with dice.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use turnpost_games::{Setup, registry};
use turnpost_robot::{Choice, Limits, find};

static NEVER: AtomicBool = AtomicBool::new(false);

fn choice(position: &str) -> Option<Choice> {
    find("backgammon").unwrap().choose_move(position, &Limits::nodes(1), &NEVER).unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_search_never_sees_the_dice() {
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5";
    assert_eq!(choice(&format!("{start} w rolling")), None, "it waits for the dice and makes none");
    // All that a search gets is text without dice to come, and no code of the robot makes a cast.
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = read_to_string(&path).unwrap();
        let makes = ["make_chance", "play_chance", "play_until_choice", "Cast::of", "casts()"];
        assert!(makes.iter().all(|word| !text.contains(word)), "{}", path.display());
    }
}

#[test]
fn a_race_is_doubled_at_eight_percent_redoubled_at_nine_and_taken_up_to_twelve() {
    // 100 pips against 107, 108, 109, 112 and 113.
    let [seven, eight, nine, twelve, thirteen] = [
        "9:4,8:4,6:5,5:1,4:1",
        "9:4,8:4,6:5,5:2",
        "9:4,8:5,6:4,5:1,4:1",
        "9:4,8:4,7:4,6:1,5:2",
        "9:5,8:3,7:4,6:1,5:2",
    ];
    for (other, next, best) in [
        (seven, "choice cube 1 - score 0-0/5", "roll"),
        (eight, "choice cube 1 - score 0-0/5", "double"),
        (eight, "choice cube 2 w score 0-0/5", "roll"),
        (nine, "choice cube 2 w score 0-0/5", "double"),
        (twelve, "doubled cube 1 - score 0-0/5", "take"),
        (thirteen, "doubled cube 1 - score 0-0/5", "drop"),
        (thirteen, "doubled cube 1 - money 0-0", "drop"),
        // A double costs nothing if the game decides the match anyway.
        (seven, "choice cube 1 - score 1-4/5", "double"),
    ] {
        let position = format!("8:5,7:4,6:4,4:2/{other} w {next}");
        assert_eq!(choice(&position).unwrap().best_move, best, "{position}");
    }
}

#[test]
fn plain_turns_are_found() {
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5";
    for (board, dice, best) in [
        (start, "3-1", "8/5 6/5"),
        (start, "4-2", "8/4 6/4"),
        (start, "6-1", "13/7 8/7"),
        (start, "6-5", "24/13"),
        // A hit in place of a safe turn, and the last checkers.
        ("24:2,13:5,8:3,6:5/24:1,20:1,13:5,8:3,6:5", "4-1", "6/5*/1*"),
        ("6:1,2:1/3:2", "6-2", "6/off 2/off"),
    ] {
        assert_eq!(choice(&format!("{board} w move {dice}")).unwrap().best_move, best, "{board} {dice}");
    }
}

#[test]
fn an_analysis_passes_over_rolls_and_blames_the_turn_that_gives_something_away() {
    let kind = registry::find("backgammon").unwrap();
    let start = (kind.start)(&Setup { options: &[], seed: 0 }).unwrap().position();
    let plies = ["roll", "1-3", "24/23 24/21", "6-1", "13/7 8/7", "4-2"].map(str::to_owned);
    let robot = find("backgammon").unwrap();
    let reviews = robot.analyse(&start, &plies, &Limits::nodes(1), &NEVER).unwrap().unwrap().plies;
    let told: Vec<_> = reviews.iter().map(|review| (review.ply, review.better.join(" "))).collect();
    assert_eq!(told, [(1, String::new()), (3, "8/5 6/5".to_owned()), (5, String::new())]);
    assert!(reviews[1].loss() > 300, "{reviews:?}");
}
