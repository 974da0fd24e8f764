//! Each mail of ours has a purpose, and a reply to it is read for that purpose: words between people go back to their
//! writer, a move that answers words is asked back, and what answers help or a list is a command.

use crate::support::{ANN, BOB, Mail, Stage};
use turnpost::ids::BoardId;

const CLEO: &str = "gannet-33";

/// Three players of a server, which puts tokens into addresses or into texts.
struct Club {
    stage: Stage,
    replies: u32,
}

impl Club {
    fn new(extensions: bool) -> Club {
        let mut stage = Stage::with(|config| config.extensions = extensions).peopled();
        let mails = stage.sign_up("cleo@example.com", "cleo", CLEO);
        stage.confirm(&mails);
        Club { stage, replies: 0 }
    }

    fn both(test: impl Fn(Club)) {
        test(Club::new(true));
        test(Club::new(false));
    }

    fn mail(&mut self, userid: &str, subject: &str, text: &str) -> Vec<Mail> {
        self.stage.mail(address(userid), subject, text)
    }

    /// A message from one to another: the mail that the other gets.
    fn message(&mut self, from: &str, to: &str, text: &str) -> Mail {
        let mails = self.mail(from, &format!("message {from} {} {to}", password(from)), text);
        last(&mails, to)
    }

    /// A reply as phones write it, all of the mail quoted below.
    fn reply(&mut self, mail: &Mail, text: &str) -> Vec<Mail> {
        self.reply_marked(mail, "", text)
    }

    fn reply_marked(&mut self, mail: &Mail, field: &str, text: &str) -> Vec<Mail> {
        self.replies += 1;
        let raw = mail.raw().replace("\n ", " ");
        let header = |name: &str| raw.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        let to = header("Reply-To: ").unwrap_or_else(|| "play@turnpost.example".to_owned());
        let references = [header("References: "), header("Message-ID: ")]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ");
        let quoted: String = mail.text.lines().map(|line| format!("> {line}\n")).collect();
        let letter = format!(
            "Return-Path: <{0}>\nFrom: {0}\nTo: {to}\nSubject: Re: {1}\nMessage-ID: <reply.{2}@x.example>\n\
             References: {references}\n{field}\n{text}\n\nSent from my iPhone\n\nOn Mon, Nov 16, 2026 Turnpost \
             <play@turnpost.example> wrote:\n\n{quoted}",
            mail.to, mail.subject, self.replies
        );
        self.stage.receive(letter.replace('\n', "\r\n").as_bytes())
    }

    fn plies(&self, board: u32) -> Vec<String> {
        let events = self.stage.store.events(BoardId(board)).unwrap();
        events.into_iter().filter(|event| event.ply.is_some()).map(|event| event.text).collect()
    }
}

fn address(userid: &str) -> &'static str {
    match userid {
        "ann" => "ann@example.org",
        "bob" => "bob@example.net",
        _ => "cleo@example.com",
    }
}

fn password(userid: &str) -> &'static str {
    match userid {
        "ann" => ANN,
        "bob" => BOB,
        _ => CLEO,
    }
}

fn to<'m>(mails: &'m [Mail], userid: &str) -> Vec<&'m Mail> {
    mails.iter().filter(|mail| mail.to == address(userid)).collect()
}

fn last(mails: &[Mail], userid: &str) -> Mail {
    to(mails, userid).last().map(|mail| (*mail).clone()).unwrap_or_else(|| panic!("{}", texts(mails)))
}

fn texts(mails: &[Mail]) -> String {
    mails.iter().map(|mail| format!("to {}:\n{}\n", mail.to, mail.text)).collect()
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn words_in_answer_to_a_message_go_back_to_its_writer_and_to_nobody_else() {
    Club::both(|mut club| {
        let mails = club.mail("ann", &format!("message ann {ANN} bob cleo"), "Shall we play on Friday?");
        let (bobs, cleos) = (last(&mails, "bob"), last(&mails, "cleo"));
        let mails = club.reply(&bobs, "Yes, gladly!\nAfter eight.");
        assert_eq!(to(&mails, "cleo").len(), 0);
        let back = last(&mails, "ann");
        assert!(back.text.contains("| Yes, gladly!\n| After eight.\n"), "{}", back.text);
        assert!(flat(&last(&mails, "bob").text).contains("Your message went to ann."), "{}", texts(&mails));
        // One word is words too, and a mail may be answered again, and the answer.
        for text in ["Yes", "no", "Friday suits me."] {
            let mails = club.reply(&cleos, text);
            assert!(last(&mails, "ann").text.contains(&format!("| {text}")), "{text}");
        }
        let mails = club.reply(&back, "Fine!");
        assert!(last(&mails, "bob").text.contains("| Fine!"), "{}", texts(&mails));
        // Nobody's address is shown, and no token reaches anybody else.
        for mail in &mails {
            let others = ["ann", "bob", "cleo"].map(address).into_iter().filter(|other| *other != mail.to);
            assert!(others.into_iter().all(|other| !mail.raw().contains(other)), "{}", mail.raw());
        }
        assert_eq!(club.stage.wrong(), Vec::<String>::new());
    });
}

#[test]
fn what_may_be_meant_for_the_server_goes_to_nobody() {
    Club::both(|mut club| {
        let mail = club.message("ann", "bob", "Hello Bob");
        for text in ["", "resign? never", "show me the board please", "if you like, we can play"] {
            let mails = club.reply(&mail, text);
            assert_eq!((mails.len(), to(&mails, "ann").len()), (1, 0), "{text:?} {}", texts(&mails));
        }
        let mails = club.reply(&mail, "chat if you like, we can play");
        assert!(last(&mails, "ann").text.contains("| if you like, we can play"), "{}", texts(&mails));
        // No board of the two is in play, so a space is only a word.
        let mails = club.reply(&mail, "I stood on E5 of the car park");
        assert!(last(&mails, "ann").text.contains("| I stood on E5"), "{}", texts(&mails));
        // A whole command is one.
        let mails = club.reply(&mail, "dvonn seeks");
        assert!(
            to(&mails, "ann").is_empty() && last(&mails, "bob").text.contains("Open seeks for DVONN"),
            "{}",
            texts(&mails)
        );
    });
}

#[test]
fn a_move_in_answer_to_a_message_is_asked_back_on_the_board_of_the_two() {
    Club::both(|mut club| {
        club.mail("ann", "dvonn challenge -symmetry -seed=7 ann bob", "");
        let mail = club.message("bob", "ann", "Your turn, I think");
        for text in ["D1-E1", "Sorry!\nD1 to E1", "is D1-E1 any good?"] {
            let mails = club.reply(&mail, text);
            assert_eq!((mails.len(), club.plies(1).len()), (1, 0), "{text}");
            assert!(flat(&mails[0].text).contains("Reply `yes` to play D1"), "{}", mails[0].text);
        }
        let asked = last(&club.reply(&mail, "D1-E1"), "ann");
        let mails = club.reply(&asked, "yes");
        assert_eq!(club.plies(1), ["D1-E1"], "{}", texts(&mails));
        // A space that cannot be played now goes to nobody.
        let mails = club.reply(&mail, "E5 was the better one");
        assert_eq!(to(&mails, "bob").len(), 0, "{}", texts(&mails));
        // What fits two boards is asked about neither.
        club.mail("bob", "dvonn challenge -symmetry -seed=7 ann bob", "");
        club.mail("bob", "dvonn challenge -symmetry -seed=7 ann bob", "");
        let mails = club.reply(&mail, "D1-E1");
        assert!(
            flat(&mails[0].text).contains("D1-E1, which you can play on board 3 and board 2"),
            "{}",
            texts(&mails)
        );
        assert_eq!(club.plies(2).len() + club.plies(3).len(), 0);
    });
}

#[test]
fn a_chat_is_answered_by_words_the_words_of_the_board_and_a_move_that_is_asked_back() {
    Club::both(|mut club| {
        club.mail("ann", "dvonn challenge -symmetry -seed=7 ann bob", "");
        let mails = club.mail("bob", &format!("dvonn chat 1 bob {BOB}"), "Nice weather here.");
        let chat = last(&mails, "ann");
        let mails = club.reply(&chat, "Here too.\nAnd no wind.");
        assert!(last(&mails, "bob").text.contains("| Here too.\n| And no wind."), "{}", texts(&mails));
        for text in ["Yes", "No!"] {
            let mails = club.reply(&chat, text);
            assert!(last(&mails, "bob").text.contains(&format!("| {text}")), "{text} {}", texts(&mails));
        }
        // A move in any dress is shown, and a `yes` to that mail plays it.
        let mails = club.reply(&chat, "D1-E1");
        assert_eq!((mails.len(), club.plies(1).len()), (1, 0));
        assert!(flat(&mails[0].text).contains("Reply `yes` to play D1-E1"), "{}", mails[0].text);
        club.reply(&last(&mails, "ann"), "yes");
        assert_eq!(club.plies(1), ["D1-E1"]);
        let mails = club.reply(&chat, "D1-E1; if K3-J2 then E1-G1");
        assert_eq!((mails.len(), club.plies(1).len()), (1, 1), "{}", texts(&mails));
        // A word about a position that is gone does nothing; talk goes on.
        let mails = club.reply(&chat, "resign");
        assert!(mails[0].text.contains("out of date"), "{}", mails[0].text);
        // A word of the board counts while the position stands.
        let mails = club.mail("bob", &format!("dvonn chat 1 bob {BOB}"), "Give up?");
        club.reply(&last(&mails, "ann"), "resign");
        let row = club.stage.store.board(BoardId(1)).unwrap().unwrap();
        assert!(row.result.is_some());
        assert_eq!(club.stage.wrong(), Vec::<String>::new());
    });
}

#[test]
fn blocks_the_messages_of_a_day_and_automatic_mail_hold_for_replies() {
    let mut club = Club::new(true);
    let mail = club.message("ann", "bob", "Hello");
    for field in ["Auto-Submitted: auto-replied\n", "Precedence: bulk\n", "X-Autoreply: yes\n"] {
        assert_eq!(club.reply_marked(&mail, field, "I am away.").len(), 0, "{field}");
    }
    club.mail("ann", &format!("set ann {ANN} block bob"), "");
    let mails = club.reply(&mail, "Why?");
    assert!(to(&mails, "ann").is_empty() && flat(&mails[0].text).contains("block"), "{}", texts(&mails));
    club.mail("ann", &format!("set ann {ANN} unblock bob"), "");
    let went: usize = (0..60).map(|n| to(&club.reply(&mail, &format!("Number {n}")), "ann").len()).sum();
    let most = turnpost::credentials::Limits::default().messages_a_day as usize;
    assert!(went <= most && went > most / 2, "{went} of {most}");
}

#[test]
fn a_message_can_be_answered_for_thirty_days_and_by_its_reader_alone() {
    let mut club = Club::new(true);
    let mail = club.message("ann", "bob", "Hello");
    let raw = mail.raw();
    let reply_to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
    assert!(reply_to.contains("+m1."), "{reply_to}");
    // Its token plays nothing and proves nothing else.
    club.mail("ann", "dvonn challenge -symmetry -seed=7 bob ann", "");
    for line in ["dvonn move 1 bob - D1-E1", "dvonn move 1 D1-E1", "dvonn resign 1", "set bob - digest on"] {
        let mails = club.reply(&mail, line);
        assert!(mails.iter().all(|mail| mail.to == address("bob")), "{line} {}", texts(&mails));
        assert_eq!(club.plies(1), Vec::<String>::new(), "{line}");
    }
    assert!(club.stage.store.board(BoardId(1)).unwrap().unwrap().result.is_none());
    // A code that somebody made up is nobody's.
    let forged = Mail { bytes: raw.replace("+m1.", "+m1.a").into_bytes(), ..mail.clone() };
    assert!(to(&club.reply(&forged, "Hello"), "ann").is_empty());
    // A new password of bob's account ends it, and so does time.
    club.stage.wait(29 * 24);
    assert_eq!(to(&club.reply(&mail, "Late, I know"), "ann").len(), 1);
    club.stage.wait(2 * 24);
    assert!(to(&club.reply(&mail, "Too late"), "ann").is_empty());
    // The number is given again, and the old mail is still too old.
    club.message("cleo", "bob", "Hello");
    let mails = club.reply(&mail, "Much too late");
    assert!(to(&mails, "ann").is_empty() && to(&mails, "cleo").is_empty(), "{}", texts(&mails));
}

#[test]
fn no_token_of_a_message_is_passed_on() {
    let mut club = Club::new(true);
    let mail = club.message("ann", "bob", "Hello");
    let raw = mail.raw();
    let reply_to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
    let code = reply_to.split_once('.').unwrap().1.split_once('@').unwrap().0;
    for text in [format!("I wrote to {reply_to}"), format!("the code was {code}"), format!("m1.\n{code}")] {
        let mails = club.reply(&mail, &text);
        let back = last(&mails, "ann");
        assert!(!back.raw().contains(code) && back.text.contains("***"), "{}", back.text);
    }
}

#[test]
fn a_question_is_answered_by_yes_or_no_and_a_move_takes_the_place_of_the_one_asked_about() {
    Club::both(|mut club| {
        let mails = club.mail("ann", "dvonn challenge -symmetry -seed=7 ann bob", "");
        let asked = last(&club.reply(&last(&mails, "ann"), "D1-E1 looks good"), "ann");
        let mails = club.reply(&asked, "well, why not");
        assert_eq!(to(&mails, "bob").len(), 0);
        assert!(flat(&mails[0].text).contains("Reply `yes` to play it"), "{}", texts(&mails));
        let other = last(&club.reply(&asked, "A3-B3"), "ann");
        assert!(flat(&other.text).contains("Reply `yes` to play A3-B3"), "{}", other.text);
        assert_eq!(club.plies(1), Vec::<String>::new());
        club.reply(&other, "Yes");
        assert_eq!(club.plies(1), ["A3-B3"]);
        // What was asked about is gone, and its mail plays nothing any more.
        let mails = club.reply(&asked, "yes");
        assert_eq!((to(&mails, "bob").len(), club.plies(1).len()), (0, 1), "{}", texts(&mails));
        assert_eq!(club.stage.wrong(), Vec::<String>::new());
    });
}

#[test]
fn what_answers_help_or_a_list_is_a_command() {
    Club::both(|mut club| {
        club.mail("ann", "dvonn challenge -symmetry -seed=7 ann bob", "");
        for asked in ["help", "help dvonn", "dvonn seeks", "games", "who", "dvonn standings"] {
            let answer = last(&club.mail("ann", asked, ""), "ann");
            let mails = club.reply(&answer, "show 1");
            assert!(
                mails.len() == 1 && mails[0].text.contains("DVONN 1, ann (white) v bob (black)"),
                "{asked}"
            );
            let mails = club.reply(&answer, "D1-E1");
            assert_eq!((to(&mails, "bob").len(), club.plies(1).len()), (0, 0), "{asked}");
        }
    });
}

#[test]
fn what_answers_a_welcome_or_a_confirmation_is_explained() {
    Club::both(|mut club| {
        let mut mails = club.stage.mail("dora@example.com", "signup dora tern-9-x", "");
        for text in ["", "D1-E1", "Thank you!", "sure, yes"] {
            // People answer the mail that came last.
            mails = club.reply(&mails[0], text);
            assert!(mails.len() == 1 && mails[0].text.contains("`yes`"), "{text:?} {}", texts(&mails));
        }
        assert!(club.reply(&mails[0], "Yes!")[0].text.contains("Welcome, dora"));
    });
}

#[test]
fn the_mail_that_explains_a_question_is_answered_like_the_question() {
    Club::both(|mut club| {
        club.mail("ann", "dvonn challenge ann bob", "");
        let mails = club.mail("cleo", "dvonn subscribe 1 cleo@example.com", "");
        let question = last(&mails, "cleo");
        let explained = last(&club.reply(&question, "Sure!"), "cleo");
        let mails = club.reply(&explained, "yes");
        assert!(texts(&mails).contains("You watch board"), "{}", texts(&mails));

        let message = club.message("ann", "bob", "Shall we play on Sunday?");
        let explained = last(&club.reply(&message, "help is what I need first"), "bob");
        let mails = club.reply(&explained, "chat help is what I need first");
        assert!(last(&mails, "ann").text.contains("| help is what I need first"), "{}", texts(&mails));
    });
}
