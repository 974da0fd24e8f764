//! The law that a game is a folder and a line of the registry: whatever the registry lists keeps these promises, with
//! nothing said here about any one game.
//!
//! Four random games of each (a thousand where `TURNPOST_LONG` is set) are played to their end or for 200 plies, with all
//! options the game offers; half of the plies are drawn among the shortest ones, or a game in which few plies are drops
//! would see few of them. The drawing of each third ply is looked at. Trying every legal ply of a position is done at every ply of the first game
//! and at one ply of each other.

use std::collections::BTreeSet;

use crate::support::rounds;
use crate::zz::games_to_try;
use turnpost::commands::LANGUAGE;
use turnpost::commands::help;
use turnpost::compose;
use turnpost::config::Config;
use turnpost::language::MULTIPLE;
use turnpost_games::registry;
use turnpost_games::replay;
use turnpost_games::{Cast, GameKind, MoveError, Seat, Setup, Spaces, Table};

const PLIES_AT_MOST: usize = 200;
const THOROUGH: u64 = 1;
const MUTATED: usize = 100;

/// Numbers that look random: Knuth's generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick<'a>(&mut self, plies: &'a [String]) -> &'a String {
        let ply = &plies[self.below(plies.len())];
        if self.below(2) == 0 {
            return ply;
        }
        let shortest = plies.iter().map(String::len).min().unwrap();
        let short: Vec<&String> = plies.iter().filter(|ply| ply.len() == shortest).collect();
        short[self.below(short.len())]
    }
}

type Options = Vec<(String, Option<String>)>;

/// Every set of one or two of the game's options that starts a board, and none.
fn starts(kind: &GameKind) -> Vec<Options> {
    let options: Vec<(String, Option<String>)> = kind
        .options
        .iter()
        .map(|option| (option.name.to_owned(), option.trial.first().map(|value| (*value).to_owned())))
        .collect();
    let mut sets = vec![Vec::new()];
    for (index, one) in options.iter().enumerate() {
        sets.push(vec![one.clone()]);
        sets.extend(options[index + 1..].iter().map(|other| vec![one.clone(), other.clone()]));
    }
    sets.retain(|set| (kind.start)(&Setup { options: set, seed: 7 }).is_ok());
    sets
}

fn start(kind: &GameKind, options: &Options, seed: u64) -> Box<dyn Table> {
    (kind.start)(&Setup { options, seed }).unwrap()
}

/// Plays random game `number`, showing every position, its legal plies, and whether it is the one position of this
/// game to look at closely.
fn play(kind: &GameKind, number: u64, visit: &mut impl FnMut(&dyn Table, &[String], bool)) -> Vec<String> {
    let sets = starts(kind);
    let mut dice = Dice(number);
    let mut table = start(kind, &sets[number as usize % sets.len()], number);
    let (mut record, close) = (Vec::new(), dice.below(PLIES_AT_MOST / 2));
    loop {
        let plies = table.legal_plies();
        visit(&*table, &plies, record.len() == close);
        if let Some(chance) = table.chance() {
            let casts: Vec<Cast> = chance.casts().collect();
            record.extend(table.play_chance(casts[dice.below(casts.len())]));
            continue;
        }
        if plies.is_empty() || record.len() == PLIES_AT_MOST {
            return record;
        }
        let played = table.play_text(dice.pick(&plies)).unwrap();
        assert_eq!(played.rest, "");
        record.push(played.ply);
    }
}

/// The same, for each third position, and the last.
fn each_third(kind: &GameKind, number: u64, mut visit: impl FnMut(&dyn Table)) {
    let mut count = 0;
    play(kind, number, &mut |table, plies, _| {
        count += 1;
        if count % 3 == 0 || plies.is_empty() {
            visit(table);
        }
    });
}

/// The same for every game, side by side.
fn for_each_game(check: impl Fn(&'static GameKind) + Sync) {
    let check = &check;
    std::thread::scope(|scope| {
        for kind in games_to_try() {
            scope.spawn(move || check(kind));
        }
    });
}

#[test]
fn names_are_unique_and_not_words_of_the_language() {
    let mut words = BTreeSet::new();
    for kind in registry::games() {
        for word in std::iter::once(kind.key).chain(kind.aliases.iter().copied()) {
            assert!(words.insert(word), "{word} is the word of two games");
            assert!(word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()), "{word}");
            assert_eq!(registry::find(&word.to_uppercase()).map(|found| found.key), Some(kind.key));
            assert!(!LANGUAGE.may_be_a_userid(word));
            let taken = LANGUAGE.entries().any(|entry| entry.word == word || entry.aliases.contains(&word));
            assert!(!taken && ![MULTIPLE, "game", "end", "quit"].contains(&word), "{word} is a command");
        }
        assert!(!kind.family.is_empty() && kind.family == kind.family.to_lowercase());
        assert_ne!(kind.seats[0], kind.seats[1]);
        assert!(kind.notation.is_ascii() && kind.notation.len() <= 67, "{}", kind.notation);
    }
}

#[test]
fn every_game_has_its_page() {
    let app = Config::default().app();
    for kind in registry::games() {
        assert!(help::pages().contains(&kind.key));
        let page = compose::help::render(&app.templates, &help::page(kind.key).unwrap()).unwrap();
        assert!(page.is_ascii() && page.contains(kind.name), "{page}");
        assert!(page.replace('\n', " ").contains(kind.notation), "{page}");
        assert!(kind.options.iter().all(|option| page.contains(&option.written())), "{page}");
        assert!(page.lines().all(|line| line.trim_end() == line && line.len() <= 82), "{page}");
        for alias in kind.aliases {
            assert_eq!(help::page(alias).as_deref(), Some(kind.key));
        }
    }
}

#[test]
fn every_option_starts_a_board() {
    for kind in registry::games() {
        let sets = starts(kind);
        for option in kind.options {
            assert!(!option.help.is_empty() && option.name == option.name.to_lowercase());
            let used = sets.iter().any(|set| set.iter().any(|(name, _)| name == option.name));
            assert_eq!(option.value.is_some(), !option.trial.is_empty(), "{}", option.name);
            assert!(used, "{} of {} starts nothing", option.name, kind.key);
        }
        for set in &sets {
            let table = start(kind, set, 7);
            assert!(
                table.ended().is_none() && table.forced_ply().is_none() && !table.legal_plies().is_empty()
            );
            assert_eq!(table.position(), start(kind, set, 7).position(), "the same seed, the same board");
            for space in table.look().spaces {
                let letters = space.name.chars().filter(char::is_ascii_alphabetic);
                let last = match kind.plies.spaces {
                    Spaces::Lettered(last) => last,
                    // Beside the numbers there are words, such as bar.
                    Spaces::Numbered(_) => continue,
                };
                let mut beyond = letters.filter(|c| c.to_ascii_lowercase() > last);
                assert_eq!(beyond.next(), None, "{} has columns to {last}", kind.key);
            }
        }
    }
}

#[test]
fn drawings_fit_a_mail_at_every_ply() {
    for_each_game(|kind| {
        for number in 0..rounds(4, 1_000) {
            each_third(kind, number, |table| {
                let drawing = table.drawing();
                assert!(drawing.board.ends_with('\n') && drawing.board.lines().count() <= 30);
                let lines = drawing.board.lines().chain([drawing.key.as_str()]);
                for line in lines.chain(drawing.notes.iter().map(String::as_str)) {
                    let plain = line.bytes().all(|b| (b' '..=b'~').contains(&b));
                    assert!(plain && line.len() <= 78 && line.trim_end() == line, "{}: {line:?}", kind.key);
                }
                assert!(drawing.standing.is_ascii() && drawing.standing.len() <= 2 * 78);
            });
        }
    });
}

/// What stands in each word of `text` but for commas and the like.
fn named(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).collect()
}

#[test]
fn a_board_in_words_names_each_piece_once_and_a_narrow_one_fits_a_phone() {
    for_each_game(|kind| {
        for number in 0..rounds(4, 1_000) {
            each_third(kind, number, |table| {
                let scene = table.look();
                let words = scene.in_words(kind.seats);
                for (side, title) in [Some(Seat::First), Some(Seat::Second), None].into_iter().zip([
                    kind.seats[0],
                    kind.seats[1],
                    scene.mark,
                ]) {
                    let begins =
                        |line: &&str| line.to_lowercase().starts_with(&format!("{}: ", title.to_lowercase()));
                    let line = words.lines().find(begins).unwrap_or_default();
                    for space in &scene.spaces {
                        let is_theirs = space.thing.is_some_and(|thing| thing.side == side);
                        let times = named(line).iter().filter(|word| **word == space.name).count();
                        assert_eq!(times, usize::from(is_theirs), "{}: {}: {words}", kind.key, space.name);
                    }
                }
                let tall =
                    scene.spaces.iter().filter_map(|space| space.thing).filter(|thing| thing.height > 1);
                assert_eq!(words.matches(" high").count(), tall.count(), "{words}");
                let narrow = scene.narrow();
                assert!(narrow.lines().all(|line| line.len() <= 44 && line.trim_end() == line), "{narrow}");
                assert!(narrow.lines().count() <= 20, "{narrow}");
            });
        }
    });
}

#[test]
fn records_and_position_texts_lead_to_the_same_place() {
    for_each_game(|kind| {
        let sets = starts(kind);
        for number in 0..rounds(4, 1_000) {
            let (mut plies, mut last) = (0, String::new());
            let record = play(kind, number, &mut |table, legal, close| {
                plies += 1;
                last = table.position();
                if close || plies % 10 == 0 || legal.is_empty() {
                    let read = (kind.read)(&last).unwrap_or_else(|why| panic!("{last}: {why}"));
                    assert_eq!(
                        (read.position(), read.turn(), read.ended()),
                        (last.clone(), table.turn(), table.ended())
                    );
                    assert_eq!(read.legal_plies(), legal, "{last}");
                    assert_eq!(read.key_text(), table.key_text());
                    assert_eq!(read.drawing(), table.drawing());
                    assert!(last.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"'), "{last:?}");
                    assert!(!last.contains("  ") && last.trim() == last, "{last:?}");
                }
            });
            let mut again = start(kind, &sets[number as usize % sets.len()], number);
            replay(&mut *again, record.iter().map(String::as_str)).unwrap();
            assert_eq!(again.position(), last);
        }
    });
}

#[test]
fn every_legal_ply_prints_parses_and_plays() {
    for_each_game(|kind| {
        for number in 0..rounds(4, 1_000) {
            play(kind, number, &mut |table, plies, close| {
                assert_eq!(table.ended().is_some() || table.chance().is_some(), plies.is_empty());
                let example = table.example();
                let tells = |(example, ply): (String, &String)| example.starts_with(&format!("{ply} "));
                assert!(example.zip(plies.first()).map_or(plies.is_empty(), tells));
                if let Some(forced) = table.forced_ply() {
                    assert_eq!(plies, [forced]);
                }
                if number >= THOROUGH && !close || table.chance().is_some() {
                    return;
                }
                assert_eq!(plies.iter().collect::<BTreeSet<_>>().len(), plies.len(), "each once");
                assert_eq!(table.perft(1), plies.len() as u64);
                for ply in plies {
                    let text = format!("  {ply}#12");
                    let mut after = table.copy();
                    let played = after.play_text(&text).unwrap_or_else(|why| panic!("{ply}: {why}"));
                    assert_eq!((&played.ply, played.rest), (ply, "#12"));
                    assert_ne!(after.position(), table.position());
                }
            });
        }
    });
}

/// `ply` with a slip of the pen, or the ply of another position.
fn mutated(ply: &str, other: &str, dice: &mut Dice) -> String {
    const SIGNS: &[u8] = b"abcdefghijklmnz0123456789-+#,x ";
    let mut text = ply.as_bytes().to_vec();
    let place = dice.below(text.len());
    let sign = SIGNS[dice.below(SIGNS.len())];
    match dice.below(6) {
        0 | 1 => text[place] = sign,
        2 => text.insert(place, sign),
        3 => drop(text.remove(place)),
        4 => text.rotate_left(1),
        _ => return other.to_owned(),
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn what_is_illegal_is_refused_with_a_sentence_and_changes_nothing() {
    for_each_game(|kind| {
        let (mut refused, mut other) = (0, String::from("pass"));
        let mut dice = Dice(1);
        for number in 0.. {
            play(kind, number, &mut |table, plies, _| {
                if plies.is_empty() || refused >= MUTATED || dice.below(10) > 0 {
                    return;
                }
                let ply = dice.pick(plies);
                let text = mutated(ply, &other, &mut dice);
                other.clone_from(ply);
                let before = table.position();
                let mut tried = table.copy();
                match tried.play_text(&text) {
                    Ok(played) => assert!(plies.contains(&played.ply), "{text:?} played {}", played.ply),
                    Err(why) => {
                        refused += 1;
                        let sentence = why.to_string();
                        assert_eq!(tried.position(), before, "{text:?}");
                        assert!(
                            sentence.is_ascii() && sentence.ends_with('.') && sentence.len() > 20,
                            "{sentence}"
                        );
                        if let MoveError::Unreadable(why) = why {
                            assert!(text.contains(&why.word), "{text:?}: {:?}", why.word);
                        }
                    }
                }
            });
            if refused >= MUTATED {
                break;
            }
        }
    });
}

#[test]
fn every_tutorial_is_a_board_that_can_be_set_up() {
    let mut found = 0;
    for game in registry::games().iter() {
        let Some(tutorial) = game.tutorial else { continue };
        found += 1;
        let options: Vec<_> = tutorial.options.iter().map(|option| ((*option).to_owned(), None)).collect();
        let table = (game.start)(&Setup { options: &options, seed: 7 }).unwrap();
        let lessons: Vec<String> =
            (1..).map_while(|number| tutorial.lesson(number, table.as_ref())).collect();
        assert!((5..=6).contains(&lessons.len()), "{}", game.key);
        for (number, lesson) in lessons.iter().enumerate() {
            assert!(lesson.starts_with(&format!("Lesson {} of {}: ", number + 1, lessons.len())), "{lesson}");
        }
        for lesson in &lessons {
            assert!(!lesson.contains(['{', '}']), "{lesson}");
        }
        assert_eq!(tutorial.lesson(0, table.as_ref()), None);
    }
    assert!(found > 0);
}
