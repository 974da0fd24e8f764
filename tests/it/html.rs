//! The second form of a mail says what the first says, and nothing else.

use crate::support::{ANN, BOB, Mail, Stage};
use mailparse::{ParsedMail, parse_mail};
use turnpost::board::Board;
use turnpost::ids::{BoardId, Identity, Seat};
use turnpost::mail::Letter;
use turnpost::notices::board_update::{BoardEvent, BoardUpdate};
use turnpost::notices::view::board_view;
use turnpost::notices::{self, Occasion, Outbox};
use turnpost::store::{Entrance, NewLetter, PlayerId};

/// A stage with a game whose mails have their pictures.
fn looked_at() -> Stage {
    let mut stage = Stage::with_a_game();
    stage.has_viewers = true;
    stage
}

/// The HTML of a mail, where it has some: the second of two parts, the text being the first.
fn html(mail: &Mail) -> Option<String> {
    let parsed: ParsedMail<'_> = parse_mail(&mail.bytes).unwrap();
    if parsed.subparts.is_empty() {
        assert_eq!(parsed.ctype.mimetype, "text/plain");
        return None;
    }
    assert_eq!(parsed.ctype.mimetype, "multipart/alternative");
    let kinds: Vec<&str> = parsed.subparts.iter().map(|part| part.ctype.mimetype.as_str()).collect();
    // With a picture it is the first of what belongs together.
    let html = parsed.subparts[1].subparts.first().unwrap_or(&parsed.subparts[1]);
    assert_eq!(kinds[0], "text/plain", "RFC 2046 5.1.4: the last is the best");
    assert_eq!((kinds.len(), html.ctype.mimetype.as_str()), (2, "text/html"));
    Some(html.get_body().unwrap().replace("\r\n", "\n"))
}

/// What a page shows, white space aside, without its title and the words that unfold a board.
fn shown(page: &str) -> String {
    let mut text = String::new();
    let mut is_left_out = false;
    for piece in page.split('<').skip(1) {
        let (tag, rest) = piece.split_once('>').unwrap();
        let name = tag.split(' ').next().unwrap().trim_start_matches('/');
        let known = "!DOCTYPE html head meta title body table tr td th p br pre ul ol li a code b details summary \
                     blockquote h2 img div";
        assert!(known.split(' ').any(|known| known == name), "<{tag}>");
        is_left_out = matches!(name, "title" | "summary") && !tag.starts_with('/');
        // Cells and items stand apart.
        text.push_str(if ["td", "th", "li"].contains(&name) { " " } else { "" });
        text.push_str(if is_left_out { "" } else { rest });
    }
    assert!(!is_left_out);
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    entities.iter().fold(text, |text, (name, c)| text.replace(name, c))
}

/// The words of a text, sorted: HTML with a picture has the drawing at its end.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(|word| word.replace('`', "")).collect();
    words.retain(|word| !["--", "|", "-", "1.", "2.", "3."].contains(&word.as_str()));
    words.sort_unstable();
    words
}

#[test]
fn both_forms_say_the_same_and_the_drawing_keeps_its_blanks() {
    let mut stage = looked_at();
    let words_of_ann = "<script>alert(1)</script> & \"tea\"\n</pre><b>F3</b>  -- 'x'";
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), words_of_ann);
    assert_eq!(mails.len(), 2);
    for mail in mails.iter().filter(|mail| mail.to == "bob@example.net") {
        let page = html(mail).unwrap();
        // Beside a picture with level rows the rows of the drawing are level too.
        let slanted = mail.text.split("\n\n").find(|part| part.contains("__/")).unwrap();
        let level = Board::load(&stage.store, BoardId(1)).unwrap().unwrap().table.look().narrow();
        assert!(page.contains(&format!("\">{}</pre>", level.trim_end())), "{page}");
        let drawn = slanted.lines().take_while(|line| !line.starts_with("w white")).collect::<Vec<_>>();
        let text = mail.text.replace(&drawn.join("\n"), &level);
        assert_eq!(words(&shown(&page)), words(&text), "{page}");
        assert!(!page.contains("<script") && !page.contains("<b>F3"), "{page}");
        let foreign = page.replace("src=\"cid:", "").contains("src=");
        assert!(!page.contains("http") && !foreign, "nothing is fetched: {page}");
        assert!(page.lines().all(|line| !line.ends_with(' ')), "{page}");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;tea&quot;<br>"), "{page}");
    }
}

#[test]
fn each_reply_word_is_a_link_that_plays_with_two_taps_and_the_page_stays_small() {
    let mut stage = looked_at();
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let bobs = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap();
    let page = html(bobs).unwrap();
    let raw = bobs.raw();
    let reply_to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
    for word in ["decline", "H1-G1"] {
        let link = format!(
            "mailto:{reply_to}?subject=Re%3A%20Your%20move%3A%20dvonn%201%20against%20ann&amp;body={word}\""
        );
        assert!(page.contains(&link), "{link}\n{page}");
    }
    assert!(page.len() < 5120, "{}", page.len());
    // What the link writes is what the server reads.
    let letter = format!(
        "From: bob@example.net\r\nTo: {reply_to}\r\nSubject: Re: Your move: dvonn 1 against ann\r\n\
         Message-ID: <tap@example.net>\r\n\r\ndecline\r\n"
    );
    stage.receive(letter.as_bytes());
    let row = stage.store.board(BoardId(1)).unwrap().unwrap();
    assert_eq!(row.state, turnpost::store::BoardState::Declined);
}

/// What the first link to us that holds `what` writes: a mail with this Subject and text, to this address.
fn tapped(page: &str, what: &str) -> [String; 3] {
    let link = page.split("href=\"mailto:").skip(1).map(|link| link.split('"').next().unwrap());
    let link = link.into_iter().find(|link| link.contains(what)).expect(page).replace("&amp;", "&");
    let (to, rest) = link.split_once("?subject=").unwrap();
    let (subject, text) = rest.split_once("&body=").unwrap_or((rest, ""));
    [to, subject, text].map(|part| part.replace("%20", " ").replace("%3A", ":").replace("%2C", ","))
}

#[test]
fn a_stranger_signs_up_and_begins_with_two_taps_for_each_mail() {
    let mut stage = looked_at();
    for first in ["help", "hello"] {
        let address = format!("eve.{first}@example.com");
        let mut mails = stage.mail(&address, first, "");
        for what in ["signup%20eve", "body=yes", "tutorial"] {
            let page = html(mails.iter().find(|mail| mail.to == address).unwrap()).unwrap();
            assert_eq!(words(&shown(&page)), words(&mails[0].text), "{page}");
            let [to, subject, text] = tapped(&page, what);
            let letter = format!(
                "From: {address}\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{what}@{first}>\r\n\r\n{text}\r\n"
            );
            mails = stage.receive(letter.as_bytes());
        }
        assert!(mails[0].text.contains("Lesson 1"), "{}", mails[0].text);
    }
}

#[test]
fn who_wants_words_gets_no_drawing_in_html_either() {
    let mut stage = looked_at();
    stage.mail("bob@example.net", &format!("set bob {BOB} drawing words"), "");
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let page = html(mails.iter().find(|mail| mail.to == "bob@example.net").unwrap()).unwrap();
    let (_, below) = page.split_once("<img").unwrap();
    let (_, words) = below.split_once(">White: ").expect(&page);
    assert!(words.contains("<br>\nLast move: white D1-E1.</p>\n") && !page.contains("\\__/"), "{page}");
}

#[test]
fn the_help_page_and_the_first_mails_have_the_map_of_names() {
    let map = (turnpost_games::hexmeister::KIND.map.unwrap())();
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "hexmeister challenge ann bob", "");
    assert_eq!(mails.len(), 2);
    for mail in &mails {
        assert!(mail.text.contains(&map), "{}", mail.text);
        // The HTML part keeps its blanks.
        let page = html(mail).unwrap();
        assert!(page.contains("The name of each space, gates with a # (a reply of <code"), "{page}");
        // A hexagon of the map is five characters wide, and the last is closed on the right.
        let widest = map.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(
            widest <= 57 && page.contains("font-size:9px;line-height:1.25\">                          ____"),
            "{page}"
        );
        assert!(page.contains(map.trim_matches('\n')), "{page}");
    }
    let help = stage.mail("ann@example.org", "help hexmeister", "");
    assert!(help[0].text.contains(&map), "{}", help[0].text);
    for mail in stage.mail("ann@example.org", &format!("hexmeister move 1 ann {ANN} c1"), "") {
        assert!(!mail.text.contains("____"), "{}", mail.text);
    }
}

/// A drawing without a hexagon, or a blank that must be kept.
const SQUARES: &str = "+-+-+\n|w|b|\n+-+-+\n|.|w|\n+-+-+\n";

#[test]
fn a_board_of_squares_has_its_picture_above_its_drawing() {
    let mut stage = looked_at();
    let board = Board::load(&stage.store, BoardId(1)).unwrap().unwrap();
    let mut view = board_view(&stage.store, &board).unwrap();
    view.drawing = SQUARES.to_owned();
    view.others.slanted = false;
    let update = BoardUpdate::new(BoardEvent::Nudged, Seat::Second, view);
    let letter = Letter::by_server(Identity([7; 32]));
    let new =
        NewLetter { identity: letter.identity, entrance: Entrance::Robot, sender: None, message_id: None };
    let id = stage.store.add_letter(&new, stage.now).unwrap().unwrap();
    let mails = vec![notices::Mail::of_board(PlayerId(1), Seat::First, update, None)];
    stage.app.put(&stage.store, &Occasion { letter, id }, mails, stage.now).unwrap();
    let mails = stage.post();
    assert!(mails[0].text.contains(&format!("\n\n{SQUARES}")), "{}", mails[0].text);
    let page = html(&mails[0]).unwrap();
    let (_, below) = page.split_once("<img src=\"cid:").expect(&page);
    // What to do stands between the picture and the drawing, which a screen reader leaves out.
    let (to_do, drawing) = below.split_once("<pre aria-hidden=\"true\" ").expect(&page);
    assert!(to_do.contains("Reply with your move") && to_do.contains("mailto:"), "{page}");
    let (drawing, key) = drawing.split_once("</pre>").unwrap();
    assert!(drawing.ends_with(&format!("\">{}", SQUARES.trim_end())), "{page}");
    assert!(key.contains("w white, b black, D DVONN piece"), "{page}");
}

#[test]
fn words_of_people_are_no_drawing_no_link_and_no_picture() {
    let mut stage = looked_at();
    // Marks of blocks, too, by which templates say what a line is.
    let words = "look: \\__/ \\__/\n\nReply with a move, or: undo, resign.\n\nReply `resign` now.\n\
        \u{1}\u{11}\0\u{12}+-+-+\n\u{4}Reply: undo.\nOn a page: https://evil.example\n-- \u{3}\n";
    let mails = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), words);
    let bobs = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap();
    assert!(bobs.text.contains("| Reply: undo.\n"), "{}", bobs.text);
    let page = html(bobs).unwrap();
    // The words are one quote, the board has the one picture, and what to reply stands below it.
    let (_, said) = page.split_once("<blockquote").expect(&page);
    let (said, _) = said.split_once("</blockquote>").unwrap();
    for line in ["look: \\__/ \\__/", "Reply with a move, or: undo, resign.", "Reply `resign` now.", "+-+-+"]
    {
        assert!(said.contains(&format!("{line}<br>\n")), "{line}: {page}");
    }
    assert!(!said.contains("<a ") && !page.contains("href=\"http"), "{page}");
    assert_eq!((page.matches("<img").count(), page.matches("<pre").count()), (1, 1), "{page}");
    let (before, _) = page.split_once("<img").unwrap();
    assert!(before.contains("<blockquote") && !before.contains("mailto:"), "{page}");
}
