//! What a player may write for a ply, from data files, whose heads say how to read them.

use turnpost_games::Position;
use turnpost_games::dvonn::Dvonn;
use turnpost_games::hexmeister::Hexmeister;

/// What may follow a ply in a mail.
const RESTS: [&str; 4] = ["#50", " #50", ", C1-C2", "\u{a0}\u{e4}"];

/// The notation of the ply and the rest, or the word that is refused and why.
fn read<P: Position>(position: &P, text: &str) -> Result<(String, String), (String, String)> {
    let read = position.read_move(text);
    read.map(|(ply, rest)| (position.write_move(ply), rest.to_owned())).map_err(|why| (why.word, why.why))
}

fn check<P: Position>(file: &str, line: &str, position: &P) {
    if let Some((text, expected)) = line.split_once('|') {
        let (ply, rest) = expected.split_once('|').unwrap();
        assert_eq!(read(position, text), Ok((ply.to_owned(), rest.to_owned())), "{file}: {text}");
        for more in RESTS.iter().filter(|_| rest.is_empty() && text.ends_with(char::is_alphanumeric)) {
            let read = read(position, &format!("{text}{more}"));
            assert_eq!(read, Ok((ply.to_owned(), (*more).to_owned())), "{file}: {text}{more}");
        }
        return;
    }
    let (text, expected) = line.split_once('!').unwrap_or_else(|| panic!("{file}: {line}"));
    let (word, sentence) = expected.split_once('!').unwrap_or((expected, ""));
    let (found, why) = read(position, text).unwrap_err();
    assert!(text.contains(&found) && [&found, ""].contains(&word), "{file}: {text} is refused for {found}");
    assert!(why.ends_with('.') && why.is_ascii(), "{why}");
    assert!(found.len() < 6 || !why.contains(&found), "{text}: {why}");
    assert!(sentence.is_empty() || sentence == why, "{file}: {text} is refused: {why}");
}

fn check_file<P: Position>(file: &str, lines: &str) {
    let (mut positions, mut are_complete) = (Vec::<P>::new(), true);
    for line in lines.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        if let Some(position) = line.strip_prefix("at ") {
            if are_complete {
                positions.clear();
            }
            positions.push(P::read(position).unwrap());
            are_complete = false;
        } else {
            positions.iter().for_each(|position| check(file, line, position));
            are_complete = true;
        }
    }
}

#[test]
fn each_way_of_writing_a_ply_is_read_and_nothing_else() {
    check_file::<Dvonn>("dvonn-notation", include_str!("data/dvonn-notation.txt"));
    check_file::<Hexmeister>("hexmeister-notation", include_str!("data/hexmeister-notation.txt"));
}
