//! Dice against the rolls of other programs, against chance, and against forgery.

use std::collections::BTreeMap;

use turnpost::dice::{Dice, Secret, salt_of_letter, salt_of_word};
use turnpost::ids::BoardId;
use turnpost_games::{Cast, Chance};

const VECTORS: &str = include_str!("../data/dice-vectors.txt");
const TWO: Chance = Chance::Dice { count: 2, sides: 6 };

/// The fields of each case.
fn cases() -> Vec<BTreeMap<&'static str, &'static str>> {
    let fields = |case: &'static str| case.lines().filter_map(|line| line.split_once(": ")).collect();
    VECTORS.split("\n\n").skip(1).map(fields).collect()
}

fn casts(text: &str) -> Vec<Cast> {
    text.split(' ').map(|cast| cast.parse().unwrap()).collect()
}

fn dice(secret: &str, board: u32, salts: [&str; 2]) -> Dice {
    let secret = Secret::read(secret).unwrap();
    Dice { secret, board: BoardId(board), salts: salts.map(str::to_owned).into() }
}

#[test]
fn rolls_and_salts_are_those_of_other_programs() {
    let (mut rolls, mut letters) = (0, 0);
    for case in cases() {
        if let Some(letter) = case.get("letter") {
            assert_eq!(salt_of_letter(letter), case["salt"]);
            letters += 1;
            continue;
        }
        let dice = dice(case["secret"], case["board"].parse().unwrap(), [case["first"], case["second"]]);
        assert_eq!(
            (dice.secret.hash().as_str(), dice.secret.write().as_str()),
            (case["hash"], case["secret"])
        );
        let mut n = 0;
        for (key, count, sides) in [("rolls", 2, 6), ("die", 1, 6), ("three of 200", 3, 200)] {
            for cast in casts(case[key]) {
                n += 1;
                assert_eq!(dice.roll(n, Chance::Dice { count, sides }), Some(cast), "{case:?} {n}");
            }
        }
        rolls += n;
    }
    assert_eq!((rolls, letters), (320, 2));
}

/// Squared differences from what equal chances give, in units of what they give.
fn chi_squared(counts: &[u32]) -> f64 {
    let even = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|count| (f64::from(*count) - even).powi(2) / even).sum()
}

/// Limits that fair dice keep 998 times of 1000.
#[test]
fn a_hundred_thousand_rolls_are_even_in_pairs_and_successions() {
    let (mut pairs, mut successions) = (vec![0; 36], vec![0; 36 * 36]);
    for board in 1..=1_000 {
        let secret = Secret::of_board(&[7; 32], BoardId(board), &[9; 32]);
        let dice = Dice { secret, board: BoardId(board), salts: vec!["moonshine".to_owned(); 2] };
        let mut last = None;
        for n in 1..=100 {
            let cast = dice.roll(n, TWO).unwrap();
            let [first, second] = [0, 1].map(|die| usize::from(cast.faces()[die]) - 1);
            let pair = 6 * first + second;
            pairs[pair] += 1;
            if let Some(last) = last.replace(pair) {
                successions[36 * last + pair] += 1;
            }
        }
    }
    let (pairs, successions) = (chi_squared(&pairs), chi_squared(&successions));
    assert!((14.7..66.6).contains(&pairs), "{pairs} of 35 degrees");
    assert!((1142.0..1458.0).contains(&successions), "{successions} of 1295 degrees");
}

#[test]
fn dice_depend_on_the_key_the_board_and_the_nonce() {
    let hash = |key, board, nonce| Secret::of_board(&[key; 32], BoardId(board), &[nonce; 32]).hash();
    let first = hash(1, 1, 1);
    assert!([hash(2, 1, 1), hash(1, 2, 1), hash(1, 1, 2)].iter().all(|other| *other != first));
    assert_eq!(hash(1, 1, 1), first);
}

#[test]
fn a_forged_octet_is_found() {
    let case = &cases()[1];
    let (secret, hash, second) = (case["secret"], case["hash"], case["second"]);
    let rolls = (1..).zip(casts(case["rolls"])).map(|(n, cast)| (n, TWO, cast));
    let rolls: Vec<(u32, Chance, Cast)> = rolls.collect();
    let is_forged = |secret: &str, hash: &str, board, salts: [&str; 2], rolls: &[(u32, Chance, Cast)]| {
        dice(secret, board, salts).forged(hash, rolls).is_some()
    };
    assert!(!is_forged(secret, hash, 42, ["", second], &rolls));
    let forged = |text: &str, at: usize| {
        let other = if text.as_bytes()[at] == b'0' { "1" } else { "0" };
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    };
    for at in 0..64 {
        assert!(is_forged(&forged(secret, at), hash, 42, ["", second], &rolls), "secret {at}");
        assert!(is_forged(secret, &forged(hash, at), 42, ["", second], &rolls), "hash {at}");
    }
    for at in 0..second.len() {
        assert!(is_forged(secret, hash, 42, ["", &forged(second, at)], &rolls), "salt {at}");
    }
    assert!(is_forged(secret, hash, 43, ["", second], &rolls));
    assert!(is_forged(secret, hash, 42, [second, ""], &rolls));
    for at in 0..rolls.len() {
        for die in 0..2 {
            let mut faces = rolls[at].2.faces().to_vec();
            faces[die] = faces[die] % 6 + 1;
            let mut rolls = rolls.clone();
            rolls[at].2 = Cast::of(&faces).unwrap();
            let why = dice(secret, 42, ["", second]).forged(hash, &rolls).unwrap();
            assert_eq!(why, format!("roll {} does not follow from the secret of its dice", at + 1));
        }
    }
}

#[test]
fn a_word_for_the_dice_is_one_line_of_plain_signs() {
    // printf 'turnpost word 1\nmoonshine, and more!\n' | sha256sum
    assert_eq!(salt_of_word(" moonshine, and more! ").as_deref(), Some("72523479ffdb44f9557b81cb7af61385"));
    for word in ["", "  ", "two\nlines", "caf\u{e9}", "a\tb", &"x".repeat(201)] {
        assert_eq!(salt_of_word(word), None, "{word:?}");
    }
}
