//! Chess in the letters of other languages. python-chess made the positions and their plies; see `chess-san.txt`.

use turnpost_games::chess::KIND;

use crate::dice::rounds;

/// Knight, bishop, rook, queen and king.
const LETTERS: [(&str, [&str; 5]); 14] = [
    ("en", ["N", "B", "R", "Q", "K"]),
    ("de", ["S", "L", "T", "D", "K"]),
    ("fr", ["C", "F", "T", "D", "R"]),
    ("es", ["C", "A", "T", "D", "R"]),
    ("it", ["C", "A", "T", "D", "R"]),
    ("pt", ["C", "B", "T", "D", "R"]),
    ("nl", ["P", "L", "T", "D", "K"]),
    ("pl", ["S", "G", "W", "H", "K"]),
    ("da", ["S", "L", "T", "D", "K"]),
    ("sv", ["S", "L", "T", "D", "K"]),
    ("fi", ["R", "L", "T", "D", "K"]),
    ("is", ["R", "B", "H", "D", "K"]),
    ("ru", ["\u{41a}", "\u{421}", "\u{41b}", "\u{424}", "\u{41a}\u{440}"]),
    ("signs", ["\u{2658}", "\u{265d}", "\u{2656}", "\u{2655}", "\u{265a}"]),
];

fn in_letters(san: &str, letters: [&str; 5]) -> String {
    let letter = |c: char| "NBRQK".find(c).map_or_else(|| c.to_string(), |at| letters[at].to_owned());
    san.chars().map(letter).collect()
}

/// What is played for a text by a player of this language; the error is the question or refusal.
fn plays(position: &str, text: &str, language: &str) -> Result<String, String> {
    if let Some(read) = (KIND.letters.unwrap())(position, text, language)? {
        assert_eq!(read.rest, "", "{text}");
        return Ok(read.ply);
    }
    let mut table = (KIND.read)(position).unwrap();
    table.play_text(text).map(|played| played.ply).map_err(|why| why.to_string())
}

#[test]
fn every_ply_in_the_letters_of_each_language_plays_itself_or_is_asked() {
    let lines = include_str!("data/chess-san.txt").lines().filter(|line| !line.starts_with('#'));
    for line in lines.step_by(rounds(10, 1) as usize) {
        let (position, plies) = line.split_once(" | ").unwrap();
        let mut own = (KIND.read)(position).unwrap().legal_plies();
        own.sort();
        assert_eq!(own.join(" "), plies, "{position}");
        for san in &own {
            assert_eq!(&(KIND.read)(position).unwrap().play_text(san).unwrap().ply, san, "{position}");
            for (at, (language, letters)) in LETTERS.into_iter().enumerate() {
                let text = in_letters(san, letters);
                if at > 0 && text == *san && !san.contains('B') {
                    continue;
                }
                // A player who has never written a letter plays it, or is asked.
                match plays(position, &text, "any") {
                    Ok(ply) => assert_eq!(&ply, san, "{position}: {text} in {language}"),
                    Err(why) => assert!(why.contains(san), "{position}: {text} in {language}: {why}"),
                }
                if language != "signs" {
                    assert_eq!(plays(position, &text, language).as_ref(), Ok(san), "{position}: {text}");
                }
            }
        }
    }
}

/// A position, a text, the language of its writer, and the ply or the first words of the answer.
const WRITTEN: &[(&str, &str, &str, &str)] = &[
    (START, "Springer f3", "any", "Nf3"),
    (START, "Knight to f3", "any", "Nf3"),
    (START, "cavalier f3", "any", "Nf3"),
    (START, "Sg1-f3", "any", "Nf3"),
    (START, "Lg1-f3", "any", "Nf3"),
    (START, "1.e4", "any", "e4"),
    (START, "1 e4", "any", "e4"),
    (START, "Pe4", "any", "No knight of White can go to e4."),
    (START, "Pf3", "any", "Nf3"),
    (START, "Cc3", "any", "Did you mean the knight's Nc3 or the pawn's c3?"),
    (START, "Cc3", "es", "Nc3"),
    (START, "P-K4", "any", "This is the old notation"),
    (ANSWER, "1... e5", "any", "e5"),
    (ANSWER, "e4 e5", "any", "e5"),
    (ANSWER, "Bb5", "any", "No bishop of Black can go to b5."),
    (RICH, "Rf1", "any", "Did you mean the rook's Rf1 or the king's Kf1?"),
    (RICH, "Rf1", "en", "Rf1"),
    (RICH, "Rf1", "fr", "Kf1"),
    (RICH, "Re2", "en", "No rook of White can go to e2."),
    (RICH, "Re2", "fr", "Ke2"),
    (RICH, "Re2", "any", "Did you mean the king's Ke2?"),
    (RICH, "Rh1-f1", "fr", "Rf1"),
    (RICH, "castle", "any", "O-O"),
    (RICH, "castle kingside", "any", "O-O"),
    (RICH, "kurze Rochade", "any", "O-O"),
    (RICH, "short", "any", "O-O"),
    (RICH, "petit roque", "any", "O-O"),
    (RICH, "long", "any", "Castling is not possible here."),
    (RICH, "Ke1xh1", "any", "O-O"),
    (PAWNS, "exd", "any", "exd6"),
    (PAWNS, "ed6", "any", "exd6"),
    (PAWNS, "exd6ep", "any", "exd6"),
    (PAWNS, "exd6 en passant", "any", "exd6"),
    (PAWNS, "e5xd6 e.p.", "any", "exd6"),
    (PAWNS, "bxa8(Q)", "any", "bxa8=Q"),
    (PAWNS, "bxa8=D", "any", "bxa8=Q"),
    (PAWNS, "bxa8Q", "any", "bxa8=Q"),
    (PAWNS, "bxa8=R", "any", "Did you mean"),
    (PAWNS, "bxa8=R", "en", "bxa8=R"),
    (PAWNS, "bxa8", "any", "b7-a8 is not legal, but"),
    (PAWNS, "Exd6", "any", "That is no move"),
    (MATE, "Dh4 matt", "any", "Qh4#"),
    (MATE, "Qh4, mate", "any", "Qh4#"),
    (
        "4k3/8/8/8/1B6/2p5/1P1P4/4K3 w - - 0 1",
        "BXC3",
        "any",
        "Did you mean the bishop's Bxc3 or the pawn's bxc3?",
    ),
    (
        "4k3/8/8/8/8/1Bp5/1P6/4K3 w - - 0 1",
        "Bxc3",
        "any",
        "No other bishop of White can go to c3 than by bxc3.",
    ),
    ("4k3/8/8/8/1B6/2p5/8/4K3 w - - 0 1", "bxc3", "any", "No pawn of White can go to c3."),
];

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ANSWER: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const RICH: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
const PAWNS: &str = "rn2kbnr/1P2pppp/8/3pP3/8/8/2PP1PPP/RNBQKBNR w KQkq d6 0 9";
const MATE: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";

#[test]
fn a_ply_is_read_as_people_write_it() {
    let wrong = WRITTEN.iter().filter_map(|(position, text, language, expected)| {
        let found = plays(position, text, language).unwrap_or_else(|why| why);
        let is_right = found == *expected || expected.contains(' ') && found.starts_with(expected);
        (!is_right).then(|| format!("{text} in {language}: {found}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}
