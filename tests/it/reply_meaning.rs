//! A reply does the obvious: moves in any dress, words, and talk.

use turnpost::ids::BoardId;

use crate::support::{Mail, Stage};

pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub struct Game {
    stage: Stage,
    /// The last mail to each player.
    ann: Mail,
    bob: Mail,
    replies: u32,
}

impl Game {
    pub fn new(challenge: &str) -> Game {
        let mut stage = Stage::with_players();
        let mails = stage.mail("ann@example.org", challenge, "");
        let last = |to: &str| mails.iter().rev().find(|mail| mail.to == to).unwrap().clone();
        let (ann, bob) = (last("ann@example.org"), last("bob@example.net"));
        Game { stage, ann, bob, replies: 0 }
    }

    fn dvonn() -> Game {
        Game::new("dvonn challenge -symmetry -seed=7 ann bob")
    }

    /// A reply to the last mail of a player, as a phone writes it.
    pub fn reply(&mut self, userid: &str, text: &str) -> Vec<Mail> {
        let mail = if userid == "ann" { self.ann.clone() } else { self.bob.clone() };
        self.reply_to(&mail, text)
    }

    fn reply_to(&mut self, mail: &Mail, text: &str) -> Vec<Mail> {
        self.replies += 1;
        let reply_to =
            mail.raw().lines().find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned)).unwrap();
        let quoted: String = mail.text.lines().map(|line| format!("> {line}\n")).collect();
        let letter = format!(
            "Return-Path: <{0}>\nFrom: {0}\nTo: {reply_to}\nSubject: Re: {1}\nMessage-ID: <reply.{2}@x.example>\n\
             Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}\n\nSent from my iPhone\n\n\
             On Mon, Nov 16, 2026 Turnpost <play@turnpost.example> wrote:\n\n{quoted}",
            mail.to, mail.subject, self.replies
        );
        let mails = self.stage.receive(letter.replace('\n', "\r\n").as_bytes());
        for mail in &mails {
            match mail.to.as_str() {
                "ann@example.org" => self.ann = mail.clone(),
                "bob@example.net" => self.bob = mail.clone(),
                _ => {}
            }
        }
        mails
    }

    pub fn plies(&self) -> Vec<String> {
        let events = self.stage.store.events(BoardId(1)).unwrap();
        events.into_iter().filter(|event| event.ply.is_some()).map(|event| event.text).collect()
    }
}

fn to<'m>(mails: &'m [Mail], address: &str) -> Vec<&'m Mail> {
    mails.iter().filter(|mail| mail.to == address).collect()
}

#[test]
fn a_move_plays_in_any_dress() {
    for dressed in [
        "D1-E1",
        "\"D1-E1\"",
        "\u{201C}D1-E1\u{201D}",
        "'D1-E1'",
        "*D1-E1*",
        "_D1-E1_",
        "(D1-E1)",
        "- D1-E1",
        "D1-E1.",
        "D1-E1!",
        "D1-E1 :)",
        "D1->E1",
        "D1 \u{2192} E1",
        "D1\u{2013}E1",
        "D1\u{2014}E1",
        "D1 \u{2212} E1",
        "D1 to E1",
        "D1xE1",
        "D1 x E1",
        "D1:E1",
        "D1 E1",
        "d1e1",
        "\u{FF24}\u{FF11}\u{FF0D}\u{FF25}\u{FF11}",
        "move D1-E1",
        "My move: D1-E1",
        "I play D1-E1",
        "Hi Bob,\n\nD1-E1",
        "Hello!\nI play D1 to E1.",
        "D1-E1 \u{1F600}",
        "> \nD1-E1",
        "Good evening\nsorry for the delay\nD1-E1\nAnn",
        "D1-E1 #1",
    ] {
        let mut game = Game::dvonn();
        game.reply("ann", dressed);
        assert_eq!(game.plies(), ["D1-E1"], "{dressed:?}");
    }
}

#[test]
fn a_piece_is_placed_in_any_dress() {
    for dressed in
        ["F3", "\"F3\"", "*f3*", "(F3).", "- F3", "I play F3!", "My move is f3 :-)", "Hi\n\u{FF26}\u{FF13}"]
    {
        let mut game = Game::new("dvonn challenge ann bob");
        game.reply("ann", dressed);
        assert_eq!(game.plies(), ["F3"], "{dressed:?}");
    }
}

#[test]
fn hexmeisters_moves_play_in_any_dress() {
    for dressed in ["c1", "\"C1\"", "drop c1", "I play c1.", "Moin Bob,\n(c1)"] {
        let mut game = Game::new("hexmeister challenge ann bob");
        game.reply("ann", dressed);
        let plays = usize::from(!dressed.starts_with("drop"));
        assert_eq!(game.plies(), vec!["c1"; plays], "{dressed:?}");
    }
    // A drop each, then a move by words.
    let mut game = Game::new("hexmeister challenge ann bob");
    game.reply("ann", "c1");
    game.reply("bob", "c11");
    game.reply("ann", "c1 to c5");
    assert_eq!(game.plies(), ["c1", "c11", "c1-c5"]);
}

#[test]
fn the_words_beside_a_move_go_to_the_opponent() {
    let mut game = Game::dvonn();
    let mails = game.reply("ann", "Hi Bob,\nD1-E1\nYour turn, and good luck!");
    let bobs = to(&mails, "bob@example.net")[0];
    assert!(bobs.text.contains("ann says:\n| Hi Bob,\n| Your turn, and good luck!"), "{}", bobs.text);
    assert_eq!(game.plies(), ["D1-E1"]);
}

#[test]
fn two_moves_play_together_only_where_the_turn_has_room() {
    let mut game = Game::dvonn();
    for text in ["D1-E1\nE1-F1", "D1-E1\nwell, or\nA3-B3", "D1-E1 A3-B3"] {
        let mails = game.reply("ann", text);
        assert_eq!((game.plies().len(), to(&mails, "bob@example.net").len()), (0, 0), "{text:?}");
        assert!(
            mails[0].text.to_lowercase().replace('\n', " ").contains("nothing was played"),
            "{}",
            mails[0].text
        );
    }
}

#[test]
fn a_move_inside_prose_is_shown_and_asked_back() {
    let mut game = Game::dvonn();
    let mails = game.reply("ann", "D1-E1 and good luck!");
    assert_eq!((game.plies().len(), mails.len()), (0, 1), "never guessed, and told nobody");
    let asked = mails[0].text.clone();
    assert!(asked.replace('\n', " ").contains("Reply `yes` to play D1-E1"), "{asked}");
    game.reply("ann", "Yes!");
    assert_eq!(game.plies(), ["D1-E1"]);
    // A no, or another move, takes its place.
    game.reply("bob", "I think K3 to J2 is best here");
    game.reply("bob", "no");
    let mails = game.reply("bob", "yes");
    assert!(mails[0].text.contains("Nothing on this board waits for a `yes`"), "{}", mails[0].text);
    assert_eq!(game.plies(), ["D1-E1"]);
    let mails = game.reply("bob", "either K3-J2 or I1-H1, who knows");
    assert!(mails[0].text.contains("K3-J2, I1-H1"), "{}", mails[0].text);
    assert_eq!(game.plies(), ["D1-E1"]);
}

#[test]
fn a_yes_to_words_plays_no_move_that_was_shown_before() {
    // Her own words after it, and the opponent's.
    for (userid, words) in [("ann", "How was your holiday?"), ("bob", "Shall we play faster?")] {
        let mut game = Game::dvonn();
        let board = if userid == "ann" { game.ann.clone() } else { game.bob.clone() };
        game.reply("ann", "D1-E1 and good luck!");
        game.reply_to(&board, words);
        let mails = game.reply("ann", "Yes.");
        assert_eq!(game.plies(), Vec::<String>::new(), "{words}");
        // What answers the opponent's words is words.
        let answer = if userid == "ann" {
            "Nothing on this board waits for a `yes`"
        } else {
            "Your message went to bob."
        };
        assert!(mails[0].text.contains(answer), "{}", mails[0].text);
    }
}

#[test]
fn words_reach_the_other_whoever_is_to_move() {
    let mut game = Game::dvonn();
    for userid in ["bob", "ann"] {
        let other = if userid == "bob" { "ann@example.org" } else { "bob@example.net" };
        let mails = game.reply(userid, "Sorry, I am on a train.\nMore tomorrow!");
        let words = to(&mails, other);
        assert_eq!(words.len(), 1, "{userid}");
        assert!(words[0].text.contains("| Sorry, I am on a train.\n| More tomorrow!"), "{}", words[0].text);
        assert!(mails.iter().any(|mail| mail.to != other && mail.text.contains("Your message went to")));
    }
    // An answer to that is words too.
    let mails = game.reply("bob", "No hurry.");
    assert_eq!(to(&mails, "ann@example.org").len(), 1);
    assert_eq!(game.plies(), Vec::<String>::new());
}

#[test]
fn what_may_be_meant_for_the_server_is_nobodys_chat() {
    let mut game = Game::dvonn();
    for text in
        ["I like E5 best", "resign? never", "if K3-J2 then A3-B3", "show me the board please", "dvonn is fun"]
    {
        let mails = game.reply("ann", text);
        assert_eq!(to(&mails, "bob@example.net").len(), 0, "{text}");
        assert_eq!((game.plies().len(), mails.len()), (0, 1), "{text}");
    }
    // I'd never / resign.
    let mails = game.reply("ann", "I'd never\nresign");
    assert_eq!(to(&mails, "bob@example.net").len(), 0);
    assert_eq!(game.stage.store.board(BoardId(1)).unwrap().unwrap().result, None);
}

#[test]
fn words_are_passed_on_five_times_until_a_ply_is_played() {
    let mut game = Game::dvonn();
    let sent = (0..8)
        .map(|n| to(&game.reply("ann", &format!("Hello number {n}")), "bob@example.net").len())
        .sum::<usize>();
    assert_eq!(sent, 5);
    game.reply("ann", "D1-E1");
    assert_eq!(to(&game.reply("ann", "There it is."), "bob@example.net").len(), 1);
}

#[test]
fn after_chat_nothing_plays() {
    let mut game = Game::dvonn();
    let mails = game.reply("ann", "chat what about\nD1-E1\nnext time?");
    assert_eq!(game.plies(), Vec::<String>::new());
    let words = &to(&mails, "bob@example.net")[0].text;
    assert!(words.contains("| what about\n| D1-E1\n| next time?"), "{words}");
}

#[test]
fn a_finished_board_answers_rematch_record_analyse_and_talk() {
    let mut game = Game::dvonn();
    game.reply("ann", "resign");
    assert!(game.bob.text.contains("Reply `rematch` for another game"), "{}", game.bob.text);
    let bobs = game.bob.clone();
    assert!(game.reply_to(&bobs, "record")[0].text.contains("dvonn"), "record");
    assert!(game.reply_to(&bobs, "Thanks for the game!").iter().any(|mail| mail.to == "ann@example.org"));
    assert!(game.reply_to(&bobs, "K3-J2")[0].text.contains("Board 1 is over"));
    assert!(game.reply_to(&bobs, "resign")[0].text.contains("Board 1 is over"));
    game.reply_to(&bobs, "Rematch!");
    assert_eq!(game.stage.store.board_numbers().unwrap().len(), 2);
    // A month later the mail is only a mail.
    game.stage.wait(31 * 24);
    let mails = game.reply_to(&bobs, "rematch");
    assert!(mails.iter().all(|mail| mail.to == "bob@example.net"), "{mails:?}");
    assert_eq!(game.stage.store.board_numbers().unwrap().len(), 2);
}

#[test]
fn a_spent_mail_brings_words_and_plays_nothing() {
    let mut game = Game::dvonn();
    let first = game.ann.clone();
    game.reply("ann", "D1-E1");
    for text in ["A3-B3", "resign", "A3-B3 perhaps"] {
        let mails = game.reply_to(&first, text);
        assert_eq!(to(&mails, "bob@example.net").len(), 0, "{text}");
    }
    assert_eq!(game.plies(), ["D1-E1"]);
    assert_eq!(to(&game.reply_to(&first, "Hello again"), "bob@example.net").len(), 1);
}

#[test]
fn conditions_play_with_the_move() {
    for text in [
        "D1-E1; if K3-J2 then E1-G1; if I1-H1 then A3-B3; else ask",
        "Hi Bob\n\u{201C}D1\u{2192}E1\u{201D}; If K3\u{2013}J2 then E1 - G1\nif I1-H1 then A3-B3\nelse ask\nGood luck!",
        "D1-E1\nif K3-J2 then E1-G1",
    ] {
        let mut game = Game::dvonn();
        let mails = game.reply("ann", text);
        assert_eq!(game.plies(), ["D1-E1"], "{text}");
        let answer = to(&mails, "ann@example.org")[0];
        assert!(answer.text.contains("Your queue:\n    if K3-J2 then E1"), "{}", answer.text);
        let bobs = to(&mails, "bob@example.net")[0];
        assert!(
            !bobs.text.contains("K3-J2") && !bobs.text.contains("queue:"),
            "nobody else sees it: {}",
            bobs.text
        );
        assert_eq!(bobs.text.contains("| Good luck!"), text.contains("Good luck"), "{}", bobs.text);
        game.reply("bob", "K3-J2");
        assert_eq!(game.plies(), ["D1-E1", "K3-J2", "E1-G1"], "{text}");
    }
    // Where no answer fits she is asked.
    let mut game = Game::dvonn();
    game.reply("ann", "D1-E1; if K3-J2 then E1-G1");
    game.reply("bob", "I1-H1");
    assert_eq!(game.plies(), ["D1-E1", "I1-H1"]);
    // Conditions that cannot be read keep the move back too.
    let mut game = Game::dvonn();
    let mails = game.reply("ann", "D1-E1; if K3-J2 then");
    assert_eq!(game.plies(), Vec::<String>::new());
    assert!(mails[0].text.contains("a move is missing in this queue"), "{}", mails[0].text);
}

#[test]
fn words_to_the_robot_say_how_to_move() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "dvonn challenge ann robot-1", "");
    let ann = mails.iter().rev().find(|mail| mail.to == "ann@example.org").unwrap().clone();
    let mut game = Game { stage, bob: ann.clone(), ann, replies: 0 };
    let mails = game.reply("ann", "Hello robot, how are you?");
    let said = flat(&mails[0].text);
    assert!(said.contains("which begins `Hello robot, how are you?`. Write your move alone"), "{said}");
}

#[test]
fn a_refusal_repeats_the_line_that_it_read_without_a_password() {
    let mut game = Game::dvonn();
    let said = game.reply("bob", "What a start!\nI would never play Z9 or F3 here");
    assert!(
        flat(&said[0].text).contains("`I would never play Z9 or F3 here` names F3, and it is ann's turn."),
        "{}",
        said[0].text
    );
    let said = game.reply("bob", "Please help, said ann\ndvonn move 1 bob plover-43 over there");
    let text = flat(&said[0].text);
    assert!(text.contains("`dvonn move 1 ") && !text.contains("plover"), "{text}");
}

#[test]
fn accept_answers_a_challenge_by_saying_whose_move_it_is() {
    let mut game = Game::dvonn();
    let said = game.reply("bob", "accept");
    let text = flat(&said[0].text);
    assert!(text.contains("board 1 with ann is in play, and it is ann's move."), "{text}");
    assert!(text.contains("To turn the game down, reply `decline`."), "{text}");
    let said = game.reply("ann", "accept");
    assert!(flat(&said[0].text).contains("and it is your move."), "{}", said[0].text);
    assert_eq!(game.plies(), Vec::<String>::new());
}

#[test]
fn a_reply_without_a_word_is_told_where_to_write() {
    let mut game = Game::dvonn();
    let said = game.reply("ann", "");
    assert!(
        flat(&said[0].text).contains("Write your move, a word or your text in the first line"),
        "{said:?}"
    );
    assert_eq!(said.len(), 1);
    // It is answered in the thread of the board, so that the next reply plays.
    game.reply("ann", "D1-E1");
    assert_eq!(game.plies(), ["D1-E1"]);
}

#[test]
fn a_finished_board_names_what_still_works() {
    let mut game = Game::dvonn();
    game.reply("ann", "resign");
    let said = game.reply("ann", "D1-E1");
    assert!(flat(&said[0].text).contains("Reply `rematch` for another game,"), "{}", said[0].text);
    let said = game.reply("ann", "Next time I play D1 first");
    let text = flat(&said[0].text);
    assert!(text.contains("names D1, and board 1 is over. To write to bob"), "{text}");
}

#[test]
fn a_queue_that_cannot_be_read_is_repeated() {
    let mut game = Game::dvonn();
    let said = game.reply("bob", "queue K3-J2 if E1-G1 then J2-H1");
    let text = flat(&said[0].text);
    assert!(text.starts_with("`queue K3-J2 if *** then ***` cannot be read: behind this queue"), "{text}");
    assert!(text.contains("`help queue` explains it."), "{text}");
}
