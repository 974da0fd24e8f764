//! Any turn, in any dress, under any mail program's quoting, plays that turn and passes on the words beside it.
//!
//! The server has no addresses with `+` here, so the token comes back in what is quoted.

use super::made::Dresses;
use super::positions::{Chance, Position};
use super::programs::{Board, FORMS, MailPrograms, WORDS, in_page, letter};
use crate::support::{ANN, Stage, rounds};
use turnpost::ids::{BoardId, Seat};
use turnpost::mail::Operator;
use turnpost::mail::incoming::{Envelope, Incoming, read};
use turnpost::mail::reply_text::new_text;
use turnpost::meaning::moves::{self, ReplyMoves};
use turnpost::settings::BOARD;
use turnpost::store::PlayerId;

fn stage() -> Stage {
    Stage::with(|config| config.extensions = false).peopled()
}

fn words(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn any_turn_in_any_dress_is_read_as_that_turn() {
    let dresses = Dresses::read();
    let (mut read, mut asked, mut longer, mut wrong) = (0, 0, 0, Vec::new());
    for seed in 0..rounds(400, 4_000) {
        let mut chance = Chance::of(seed);
        let position = Position::random(&mut chance);
        for _ in 0..20 {
            let plies = position.turn(&mut chance);
            let dressed = dresses.dressed(&mut chance, &position, &plies);
            let below = *chance.pick(&["", "\nWell played!", "\n\nGood luck,\nAnn", "\nSee you at 5"]);
            let text = format!("{}{below}", dressed.lines().join("\n"));
            match moves::read(position.kind, Some(&*position.table), &text) {
                ReplyMoves::Plies(found) if found.plies == plies.join(" ") => {
                    read += 1;
                    longer += usize::from(plies.len() > 1);
                }
                // Blanks can mean one move or two plies; then both are named.
                ReplyMoves::TwoReadings { moves } if moves.contains(&plies.join(", ")) => asked += 1,
                other => wrong.push(format!("{} {plies:?}: {text:?}: {other:?}", position.kind.key)),
            }
        }
    }
    println!("{read} turns read, {longer} of them of several plies; {asked} asked back");
    assert!(wrong.is_empty(), "{} of {read}:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    assert!(asked * 50 < read && longer * 200 > read, "{read} {longer} {asked}");
}

#[test]
fn any_turn_in_any_dress_plays_under_any_programs_quoting() {
    let (dresses, mail_programs) = (Dresses::read(), MailPrograms::read());
    let (languages, programs) = (&mail_programs.languages, &mail_programs.programs);
    let (mut played, mut longer, mut asked) = (0, 0, 0);
    let mut stage = stage();
    for seed in 0..rounds(110, 600) {
        // A database that grows slows its own test.
        if seed % 100 == 99 {
            stage = self::stage();
        }
        let mut chance = Chance::of(seed);
        let position = Position::random(&mut chance);
        let plies = position.turn(&mut chance);
        let begin =
            format!("{} challenge \"-position={}\" ann bob", position.kind.key, position.table.position());
        for player in [PlayerId(1), PlayerId(2)] {
            stage.store.set(player, BOARD.to(chance.pick::<&str>(BOARD.values)), stage.now).unwrap();
        }
        let (said, done, mails) = stage.submit(Operator::AsAnyone, &begin);
        if said.contains("or its mirror") {
            continue;
        }
        assert!(done, "{begin}: {said}");
        let address = match position.table.turn() {
            Seat::First => "ann@example.org",
            Seat::Second => "bob@example.net",
        };
        let mail = mails.iter().find(|mail| mail.to == address).unwrap();
        let board = BoardId(stage.store.next_board().unwrap().0 - 1);
        let dressed = dresses.dressed(&mut chance, &position, &plies);
        let lines = dressed.lines();
        // Every program in every form, each time in another language.
        let nth = seed as usize;
        let (program, form) = (&programs[nth % programs.len()], FORMS[nth / programs.len() % FORMS.len()]);
        let language = chance.pick(languages);
        let what = format!("{} in {}, {form:?}: {lines:?}", program.name, language.name);
        let moves: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mails =
            stage.receive(&mail_programs.reply((program, language, form), &Board::of(mail), &moves, nth));
        let events = stage.store.events(board).unwrap();
        let by_players = events.iter().filter(|event| event.ply.is_some() && event.player.is_some());
        let found: Vec<&str> = by_players.map(|event| event.text.as_str()).collect();
        if found.is_empty() && dressed.blanks && mails.iter().any(|mail| mail.text.contains("can mean")) {
            asked += 1;
            continue;
        }
        assert_eq!(found, plies, "{what}\n{begin}\n{mails:#?}");
        let heard =
            mails.iter().find(|mail| mail.to != address).unwrap_or_else(|| panic!("{what}: {mails:#?}"));
        let (_, said) = heard.text.split_once(" writes:\n\n").unwrap_or_else(|| panic!("{what}: {mails:#?}"));
        let said: Vec<&str> = said.lines().map_while(|line| line.strip_prefix("| ")).collect();
        // A link too long for its line stands on the next one, whole.
        let written: Vec<&str> = dressed.greeting.iter().map(String::as_str).chain(WORDS).collect();
        assert_eq!(said.join(" "), written.join(" "), "{what}: {}", heard.text);
        played += 1;
        longer += usize::from(plies.len() > 1);
    }
    println!("{played} replies played, {longer} turns of several plies; {asked} asked back");
    assert!(asked * 20 < played, "{played} {longer} {asked}");
}

#[test]
fn every_program_in_every_language_brings_back_the_token_and_the_writers_own_words() {
    let mail_programs = MailPrograms::read();
    let mut stage = stage();
    let boards = BOARD.values.iter().map(|style| {
        stage.store.set(PlayerId(1), BOARD.to(style), stage.now).unwrap();
        let (_, _, mails) = stage.submit(Operator::AsAnyone, "dvonn challenge -symmetry -seed=7 ann bob");
        Board::of(mails.iter().find(|mail| mail.to == "ann@example.org").unwrap())
    });
    let boards: Vec<Board> = boards.collect();
    let expected = ["D1-E1", WORDS[0], WORDS[1]];
    let (mut count, mut wrong) = (0, Vec::new());
    for language in &mail_programs.languages {
        for (program, form) in
            mail_programs.programs.iter().flat_map(|program| FORMS.map(|form| (program, form)))
        {
            for board in &boards {
                count += 1;
                let what = format!("{} in {}, {form:?}", program.name, language.name);
                let reply = mail_programs.reply((program, language, form), board, &["D1-E1"], count);
                let Incoming::Letter(letter) = read(&reply, &Envelope::default(), &stage.site()) else {
                    panic!("{what} is no letter")
                };
                let new = words(&new_text(&letter.text).new);
                if letter.token.is_none() || new != expected {
                    wrong.push(format!(
                        "{what}: {:?} {:?}",
                        letter.token.is_some(),
                        &new[..new.len().min(7)]
                    ));
                }
            }
        }
    }
    println!("{count} replies, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 22 * 14 * 4 * 3);
}

#[test]
fn the_marks_of_quotations_in_html_are_known_without_any_words() {
    let site = Stage::new().site();
    let new_of = |html: &str| match read(&letter(&in_page(html), 1), &Envelope::default(), &site) {
        Incoming::Letter(letter) => words(&new_text(&letter.text).new),
        _ => panic!("{html}"),
    };
    for mark in MailPrograms::read().marks {
        let quote = mark.replace('*', "A3-B3<br>an older line");
        for new in ["<div>D1-E1</div><div>Hello</div>", "D1-E1<br>Hello<br>", "<p>D1-E1</p><p>Hello</p>"] {
            assert_eq!(new_of(&format!("<div>{new}{quote}</div>")), ["D1-E1", "Hello"], "{mark}");
            assert_eq!(new_of(&format!("{new}{quote}")), ["D1-E1", "Hello"], "{mark}");
        }
        // What has an end leaves the words below it to the writer.
        if !["divRply", "appendon", "<hr id", "border-top"].iter().any(|open| mark.contains(open)) {
            assert_eq!(
                new_of(&format!("{quote}<div>D1-E1</div><div>Hello</div>")),
                ["D1-E1", "Hello"],
                "{mark}"
            );
            assert_eq!(new_of(&format!("D1-E1{quote}<p>Hello</p>")), ["D1-E1", "Hello"], "{mark}");
        }
    }
    // Gmail and Proton leave the writer's words in the element of the quote, and indented words are no quote.
    for html in [
        "<div class=gmail_quote>no<br><blockquote>no</blockquote><div>D1-E1</div>Hello</div>",
        "<div class=protonmail_quote>no<br><blockquote>no</blockquote><div>D1-E1</div>Hello</div>",
        "<blockquote style=\"margin:0 0 0 40px;border:none;padding:0px\">D1-E1<br>Hello</blockquote>",
    ] {
        assert_eq!(new_of(html), ["D1-E1", "Hello"], "{html}");
    }
}

#[test]
fn a_link_is_passed_on_whole_however_long_it_is() {
    let mut stage = Stage::with_players();
    for (n, length) in [60, 90, 300, 1_500].into_iter().enumerate() {
        stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
        let link = format!("https://example.org/{}?a=b&c=d-e", "x".repeat(length));
        let text = format!("Look at this: {link} and tell me.");
        let mails = stage.mail("ann@example.org", &format!("dvonn move {} ann {ANN} D1-E1", n + 1), &text);
        let heard = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap();
        let whole = heard.text.lines().any(|line| line.split(' ').any(|word| word == link));
        assert!(whole, "{length}: {}", heard.text);
        assert!(heard.raw().lines().all(|line| line.len() <= 998), "RFC 5322 2.1.1");
    }
}
