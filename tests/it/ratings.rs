//! Ratings follow from the order in which games were finished.

use crate::support::Stage;
use crate::support::pages::{At, get};
use proptest::prelude::*;
use turnpost::board::ratings::{Counted, after, hundredths, unrated};
use turnpost::data_dir::DATABASE;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::store::{PlayerId, RatingRow};
use turnpost::timer::host_acts::{Act, BoardAct, GameEnd};

/// The result of a single game.
fn single(outcome: skillratings::Outcomes) -> Counted {
    Counted { outcome, length: 1 }
}

/// Glicko-2 for one game, after the paper (Glickman, "Example of the Glicko-2 system", 2022), in its own words.
fn paper(own: (f64, f64, f64), other: (f64, f64), score: f64) -> (f64, f64, f64) {
    let pi = std::f64::consts::PI;
    let (mu, phi, sigma) = ((own.0 - 1500.0) / 173.7178, own.1 / 173.7178, own.2);
    let (mu_j, phi_j) = ((other.0 - 1500.0) / 173.7178, other.1 / 173.7178);
    let g = 1.0 / (1.0 + 3.0 * phi_j * phi_j / (pi * pi)).sqrt();
    let e = 1.0 / (1.0 + (-g * (mu - mu_j)).exp());
    let v = 1.0 / (g * g * e * (1.0 - e));
    let delta = v * g * (score - e);
    let (tau, a) = (0.5_f64, (sigma * sigma).ln());
    let f = |x: f64| {
        let ex = x.exp();
        ex * (delta * delta - phi * phi - v - ex) / (2.0 * (phi * phi + v + ex).powi(2))
            - (x - a) / (tau * tau)
    };
    // f falls: halving finds its root as well as the paper's quicker way.
    let (mut low, mut high) = (a - 20.0, a + 20.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    let sigma = (low / 2.0).exp();
    let phi_star = (phi * phi + sigma * sigma).sqrt();
    let phi = 1.0 / (1.0 / (phi_star * phi_star) + 1.0 / v).sqrt();
    let mu = mu + phi * phi * g * (score - e);
    (173.7178 * mu + 1500.0, 173.7178 * phi, sigma)
}

proptest! {
    #[test]
    fn the_library_does_what_the_paper_says(
        ratings in prop::array::uniform2(100_000_i64..200_000),
        deviations in prop::array::uniform2(3_000_i64..35_000),
        volatility in 30_000_000_i64..90_000_000,
        outcome in prop::sample::select(vec![1.0, 0.0, 0.5]),
    ) {
        let row = |seat: usize| RatingRow {
            player: PlayerId(seat as i64), rating: ratings[seat], deviation: deviations[seat], volatility,
            won: 0, lost: 0, tied: 0,
        };
        let result = match outcome {
            1.0 => skillratings::Outcomes::WIN,
            0.0 => skillratings::Outcomes::LOSS,
            _ => skillratings::Outcomes::DRAW,
        };
        let new = after(&row(0), &row(1), single(result));
        let of = |seat: usize| (ratings[seat] as f64 / 100.0, deviations[seat] as f64 / 100.0, volatility as f64 / 1e9);
        for (seat, score) in [(0, outcome), (1, 1.0 - outcome)] {
            let other = of(1 - seat);
            let (rating, deviation, sigma) = paper(of(seat), (other.0, other.1), score);
            prop_assert!((new[seat].rating as f64 / 100.0 - rating).abs() < 0.0101, "{new:?} {rating}");
            prop_assert!((new[seat].deviation as f64 / 100.0 - deviation).abs() < 0.0101, "{new:?} {deviation}");
            prop_assert!((new[seat].volatility as f64 / 1e9 - sigma).abs() < 1e-5, "{new:?} {sigma}");
        }
    }
}

/// A first game with the robot says less of a newcomer than one with a person, which moves them by 162 points.
#[test]
fn the_robot_moves_a_newcomer_by_dozens_and_stays_where_it_was_measured() {
    let newcomer = unrated("chess", PlayerId(1));
    for level in 1..=turnpost_robot::find("chess").unwrap().levels.len() as u8 {
        let robot = unrated("chess", PlayerId::robot(level));
        for (outcome, least, most) in
            [(skillratings::Outcomes::LOSS, -70, 0), (skillratings::Outcomes::WIN, 0, 70)]
        {
            let [person, machine] = after(&newcomer, &robot, single(outcome));
            assert_eq!(RatingRow { won: 0, lost: 0, ..machine }, robot);
            assert_eq!((person.deviation, machine.won + machine.lost), (newcomer.deviation, 1));
            assert!((least..=most).contains(&((person.rating - newcomer.rating) / 100)), "level {level}");
        }
    }
}

/// Who is rated by many games with people is moved by one with the robot as by one with a person of its rating.
#[test]
fn a_rating_that_is_sure_moves_as_among_people() {
    let sure = |player| RatingRow { rating: 160_000, deviation: 6_000, ..unrated("chess", PlayerId(player)) };
    let robot = unrated("chess", PlayerId::robot(2));
    let person = RatingRow { player: PlayerId(2), ..robot };
    for outcome in [skillratings::Outcomes::WIN, skillratings::Outcomes::DRAW] {
        let outcome = single(outcome);
        assert_eq!(after(&sure(1), &robot, outcome)[0], after(&sure(1), &person, outcome)[0]);
    }
}

/// FIBS multiplies what a match moves by the root of its length, and its difference of ratings too.
#[test]
fn a_longer_match_says_more() {
    let row = |player, rating, deviation| RatingRow {
        rating,
        deviation,
        ..unrated("backgammon", PlayerId(player))
    };
    let gain = |ratings: [i64; 2], deviation, length| {
        let [first, second] = [0, 1].map(|seat| row(seat as i64 + 1, ratings[seat], deviation));
        let result = Counted { outcome: skillratings::Outcomes::WIN, length };
        let new = after(&first, &second, result)[0];
        assert!((new.volatility - first.volatility).abs() < 1_000_000, "{new:?}");
        (new.rating - first.rating) as f64 / 100.0
    };
    for (ratings, deviation, least, most) in [
        // Settled equals: the root of 9.
        ([160_000, 160_000], 3_000, 2.6, 3.0),
        // A favourite of 300 points wins nearly every long match.
        ([175_000, 145_000], 3_000, 0.0, 0.3),
        ([145_000, 175_000], 3_000, 3.0, 4.0),
        // A newcomer's match says as little as the rating of the opponent is known.
        ([150_000, 150_000], 35_000, 1.0, 1.2),
    ] {
        let ratio = gain(ratings, deviation, 9) / gain(ratings, deviation, 1);
        assert!((least..most).contains(&ratio), "{ratings:?} {deviation}: {ratio}");
    }
}

#[test]
fn hundredths_are_written_with_two_digits() {
    assert_eq!([150_000, 166_205, 5, -105].map(hundredths), ["1500.00", "1662.05", "0.05", "-1.05"]);
}

/// Plays `plies` on a new board and has the second player resign; gives its number.
fn game(stage: &mut Stage, options: &str, plies: usize) -> u32 {
    let (_, well, _) = stage.submit(Operator::AsAnyone, &format!("dvonn challenge {options} ann bob"));
    assert!(well);
    let board = stage.store.board_numbers_from(BoardId(1), u32::MAX).unwrap().last().unwrap().0;
    let spaces = ["F3", "E3", "D3", "C3", "B3", "A3", "G3", "H3"];
    for (n, space) in spaces.iter().enumerate().take(plies) {
        let name = if n % 2 == 0 { "ann" } else { "bob" };
        assert!(stage.submit(Operator::AsAnyone, &format!("dvonn move {board} {name} - {space}")).1);
    }
    board
}

fn rating(stage: &Stage, player: i64) -> Option<RatingRow> {
    stage.store.rating("dvonn", PlayerId(player)).unwrap()
}

/// Two games that end in one letter, the later board first: their order is the one they ended in.
#[test]
fn games_of_one_second_have_a_stable_order() {
    let mut ratings = Vec::new();
    for order in [[1, 2], [2, 1]] {
        let mut stage = Stage::with_players();
        let boards = [game(&mut stage, "", 8), game(&mut stage, "", 8)];
        assert_eq!(boards, [1, 2]);
        let loser = |board: u32| if board == 1 { "ann" } else { "bob" };
        let lines = order.map(|board| format!("dvonn resign {board} {} -", loser(board)));
        assert!(stage.submit(Operator::AsAnyone, &lines.join("\n")).1);
        assert_eq!(stage.wrong(), Vec::<String>::new());
        ratings.push(rating(&stage, 1).unwrap().rating);
    }
    assert_ne!(ratings[0], ratings[1], "the order matters, and is kept");
}

#[test]
fn verify_works_the_ratings_out_again() {
    let mut stage = Stage::with_players();
    for _ in 0..3 {
        let board = game(&mut stage, "", 8);
        assert!(stage.submit(Operator::AsAnyone, &format!("dvonn resign {board} ann -")).1);
    }
    assert_eq!(stage.wrong(), Vec::<String>::new());
    let path = stage.folder.path().join(DATABASE);
    for (wrong, right) in [
        (
            "UPDATE ratings SET rating = rating + 1 WHERE player = 1",
            "UPDATE ratings SET rating = rating - 1 WHERE player = 1",
        ),
        (
            "UPDATE ratings SET won = won + 1 WHERE player = 2",
            "UPDATE ratings SET won = won - 1 WHERE player = 2",
        ),
        (
            "UPDATE finishes SET board = 99 WHERE board = 1; UPDATE finishes SET board = 1 WHERE board = 2; UPDATE finishes SET board = 2 WHERE board = 99",
            "UPDATE finishes SET board = 99 WHERE board = 1; UPDATE finishes SET board = 1 WHERE board = 2; UPDATE finishes SET board = 2 WHERE board = 99",
        ),
        ("DELETE FROM finishes WHERE board = 3", "INSERT INTO finishes VALUES (3, 3)"),
    ] {
        let other = rusqlite::Connection::open(&path).unwrap();
        other.pragma_update(None, "foreign_keys", false).unwrap();
        other.execute_batch(wrong).unwrap();
        // Three games alike: which of them came first does not show.
        if !wrong.contains("99") {
            assert!(!stage.wrong().is_empty(), "{wrong}");
        }
        other.execute_batch(right).unwrap();
        assert_eq!(stage.wrong(), Vec::<String>::new(), "{right}");
    }
}

#[test]
fn a_rated_game_that_ends_too_early_says_so() {
    const SAYS: &str = "This game is not rated: it ended before each player had made 4 moves.";
    let mut stage = Stage::with_players();
    for board in 1..=2 {
        stage
            .submit(Operator::AsAnyone, &format!("hex challenge -size=5 ann bob\nhex move {board} ann - a3"));
    }
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mails = stage.submit(Operator::AsAnyone, "hex resign 1 ann -").2;
    assert!(
        flat(&mails.iter().find(|mail| mail.to == "bob@example.net").unwrap().text).contains(SAYS),
        "{mails:?}"
    );
    let void = Act::OnBoard(BoardId(2), BoardAct::End(GameEnd::Void));
    let (_, mails) = stage.host(void, "A test.").unwrap();
    assert!(mails.iter().all(|mail| !flat(&mail.text).contains(SAYS)), "{mails:?}");
    let at = At::database(&stage.folder.path().join(DATABASE));
    let says = |path: &str| get(&at, path).text().contains(SAYS);
    assert_eq!(["/hex/1", "/hex/1?ply=0", "/hex/2"].map(says), [true, false, false]);
}
