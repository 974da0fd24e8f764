//! How boards of backgammon are drawn, which texts are positions, and what refusals and options say.

use turnpost_games::backgammon::KIND;
use turnpost_games::scene::{Choice, Prop, Scene, Theme};
use turnpost_games::{Position, Seat, Setup, SetupError, Table};

use crate::backgammon::{Game, game};

const BOARDS: &str = include_str!("data/backgammon-boards.txt");

#[test]
fn boards_are_drawn_for_the_side_to_move() {
    for case in BOARDS.split("\n## ").skip(1) {
        let (_, case) = case.split_once("\nat ").unwrap();
        let (text, drawn) = case.split_once('\n').unwrap();
        let drawing = game(text).scene().drawing();
        let notes: String = drawing.notes.iter().map(|note| format!("  {note}\n")).collect();
        assert_eq!(
            format!("{}{notes}", drawing.board),
            drawn.trim_start_matches('\n').trim_end().to_owned() + "\n"
        );
    }
}

#[test]
fn the_second_side_sees_its_home_at_the_lower_right() {
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5";
    let [white, black] = ["w", "b"].map(|side| game(&format!("{start} {side} move 3-1")).scene());
    let seen = KIND.facing(Some(Seat::Second), black);
    assert_eq!(seen.drawing().board, white.drawing().board);
    assert_eq!(KIND.facing(Some(Seat::First), white.clone()), white);
}

#[test]
fn the_picture_shows_each_checker_the_dice_and_the_last_turn() {
    let mut table = game("21:1,13:6,6:4/bar:1,6:2,2:2,1:3 w move 6-4 cube 2 b score 2-1/5");
    let before = table.look();
    let count =
        |scene: &Scene, part: &str| scene.svg(Theme::Page, "", |_| Choice::default()).matches(part).count();
    // Of six checkers on a point five are shown, with their number.
    assert_eq!(
        ["href=\"#wo\"", "href=\"#bo\"", "height=\"10\""].map(|part| count(&before, part)),
        [10, 8, 11]
    );
    assert_eq!(["class=\"pi\"", "class=\"cu\""].map(|part| count(&before, part)), [10, 1]);
    let ends = table.play_text("13/7 13/9").unwrap().ends;
    let after = table.look().after(&before, ends);
    assert_eq!(["class=\"t\"", "class=\"f\""].map(|class| count(&after, class)), [2, 1]);
    assert!(after.sentence(KIND.seats).ends_with("The last move left: 12 four high. It reached: 16, 18."));
    // The marks of a turn are not taken over to the next game.
    let mut table = game("1:1/6:15 w move 2-1 cube 1 - score 0-0/5");
    let before = table.look();
    let ends = table.play_text("1/off").unwrap().ends;
    assert_eq!(count(&table.look().after(&before, ends), "class=\"t\""), 0);
}

#[test]
fn texts_that_are_no_positions() {
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5";
    for rest in [
        "w",
        "x rolling",
        "w move",
        "w move 7-1",
        "w move 1-3",
        "w rolling cube",
        "w rolling cube 2",
        "w rolling score 0-0/1",
        "w rolling cube 1 - score 0-0/26",
        "w rolling cube 1 - money 0-0 crawford",
        "w rolling  x",
        "w rolling 1",
    ] {
        assert!(matches!(Game::read(&format!("{start} {rest}")), Err(SetupError::Unreadable(_))), "{rest}");
    }
    for sides in
        ["", "24:2", "13:5,24:2/6:1", "24:16/6:1", "24:0/6:1", "off/24:02", "0:1/6:1", "26:1/6:1", "25:1/6:1"]
    {
        let read = Game::read(&format!("{sides} w rolling"));
        assert!(matches!(read, Err(SetupError::Unreadable(_))), "{sides}");
    }
    for (text, why) in [
        ("24:1/1:1 w rolling", "both sides"),
        ("6:1/off w rolling", "without checkers"),
        ("off/6:1 w rolling", "without checkers"),
        ("6:1/6:1 w over score 1-0/1", "borne off"),
        ("off/6:1 w over score 1-1/1", "score"),
        ("off/6:1 b over score 1-0/1", "over"),
        ("6:1/6:1 w invited", "start of a board"),
        ("6:1/6:1 w opening", "start of a game"),
        ("6:1/6:1 w choice", "not allowed to double"),
        ("6:1/6:1 w choice cube 2 b money 0-0", "not allowed to double"),
        ("6:1/6:1 w rolling cube 3 w money 0-0", "the cube"),
        ("6:1/6:1 w rolling cube 2 - money 0-0", "the cube"),
        ("6:1/6:1 w rolling cube 4 w score 0-3/5", "the cube"),
        ("6:1/6:1 w rolling cube 1 - score 3-0/5 crawford", "Crawford"),
        ("6:1/6:1 w rolling cube 1 - score 5-0/5", "over"),
        ("6:1/6:1 w rolling cube 1 - money 1-0", "over"),
    ] {
        match Game::read(text) {
            Err(SetupError::Unlawful(told)) => assert!(told.contains(why), "{text}: {told}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_refused_turn_says_which_rule_it_breaks() {
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5";
    for (position, ply, why) in [
        (
            format!("{start} w move 3-1"),
            "8/5",
            "With 3-1 both dice are played, as in 24/23 24/21 or 24/20 or 24/23 13/10.",
        ),
        (format!("{start} w move 6-5"), "24/18 24/19", "With 6-5 point 19 is blocked, as in 24/13 or "),
        (format!("{start} w move 3-1"), "9/5", "You have no checker on 9. With 3-1 you can play"),
        (format!("{start} w move 3-1"), "roll", "The dice show 3-1, so move your checkers, as in"),
        (format!("{start} w invited"), "8/5 6/5", "Checkers move after a roll. Write `roll` here."),
        (
            format!("{start} w choice cube 1 - money 0-0"),
            "take",
            "No double is offered. Write `roll` or `double` here.",
        ),
        (
            format!("{start} w doubled cube 1 - money 0-0"),
            "roll",
            "The dice do not wait for you. Write `take` or `drop` here.",
        ),
        (
            "bar:1,6:5/24:2,13:5,8:3 w move 3-1".to_owned(),
            "6/2",
            "With 3-1 checkers on the bar enter first, as in",
        ),
    ] {
        let before = game(&position);
        let mut tried = before;
        let told = tried.play_text(ply).unwrap_err().to_string();
        assert!(told.starts_with(why), "{ply}: {told}");
        assert_eq!(tried, before);
    }
    let hits = game("24:1,8:1/5:1,3:1,2:1 w move 4-2");
    let told = hits.read_move("24/18").unwrap_err().why;
    assert_eq!(told, "This can mean 24/22*/18, or 24/20*/18.");
}

#[test]
fn options_say_what_is_played_for() {
    let start = |options: &str| {
        let options: Vec<_> = options.split_whitespace().map(turnpost_games::read_option).collect();
        (KIND.start)(&Setup { options: &options, seed: 0 })
    };
    for (options, tail) in [
        ("", ""),
        ("-match=1", ""),
        ("-match=5", " cube 1 - score 0-0/5"),
        ("-cube", " cube 1 - money 0-0"),
        ("-cube -jacoby", " cube 1 - money 0-0 jacoby"),
    ] {
        let position = start(options).unwrap().position();
        assert_eq!(position, format!("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w invited{tail}"));
    }
    for options in
        ["-match=0", "-match=26", "-match", "-match=5 -cube", "-jacoby", "-match=5 -jacoby", "-cube=2"]
    {
        assert!(matches!(start(options), Err(SetupError::Option(_))), "{options}");
    }
}

#[test]
fn a_die_that_the_turn_has_played_is_pale() {
    let start = "24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w move";
    for (position, begun, used) in [
        (format!("{start} 3-1"), "8/5", [true, false]),
        (format!("{start} 3-1"), "6/5", [false, true]),
        (format!("{start} 3-1"), "8/5 6/5", [true, true]),
        (format!("{start} 3-1"), "24/20", [true, true]),
        (format!("{start} 1-1"), "8/7", [false, false]),
        (format!("{start} 1-1"), "8/7 8/7 6/5", [true, false]),
        (format!("{start} 1-1"), "8/7(2) 6/5(2)", [true, true]),
        ("6:1,5:1/24:2,13:5,8:3,6:5 w move 6-5".to_owned(), "5/off", [false, true]),
        // Either die bears the checker off.
        ("5:3/24:2,13:5,8:3,6:5 w move 6-5".to_owned(), "5/off", [true, false]),
    ] {
        let scene = Position::scene_begun(&game(&position), begun);
        let dice = scene.props.iter().filter_map(|prop| match prop {
            Prop::Die { is_used, .. } => Some(*is_used),
            Prop::Cube { .. } => None,
        });
        assert_eq!(dice.collect::<Vec<_>>(), used, "{position}: {begun}");
        let pale = used.iter().filter(|used| **used).count();
        assert_eq!(
            scene.svg(Theme::Page, "", |_| Choice::default()).matches("opacity=\".38\"").count(),
            pale
        );
    }
}
