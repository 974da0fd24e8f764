//! Law 8: hidden text is not read. What a mail program would not show neither plays nor is passed on.

use crate::data::{DataFile, decoded, decoded_entry};
use crate::support::{ANN, Mail, Stage};
use turnpost::ids::BoardId;
use turnpost::mail::incoming::{Envelope, Incoming, read};

const SHEET: &str = "<style type=\"text/css\"><!-- /* .x{} */ body{margin:0} .gone { DISPLAY : NONE } #both{display:none;}\n\
    .struck,h9{text-decoration:line-through} .urgent{display:none !important} .later{color:red}.later{font-size:0}\n\
    .shown-again{display:none}\n.shown-again{display:block}\n\
    @media only screen and (max-width:480px){.phone-only{display:none!important} p{display:none}}\n\
    @media print { .paper{display:none} } --></style>";

/// The pages of a section of `tests/data/hidden.txt`, and what is read of each.
fn pairs(section: &str) -> Vec<(String, String)> {
    let pair = |line: &str| line.split_once(" | ").map(|(html, text)| (decoded(html), decoded_entry(text)));
    DataFile::read("hidden.txt").lines(section).map(|line| pair(line).unwrap()).collect()
}

fn letter(html: &str) -> Vec<u8> {
    format!(
        "From: ann@example.org\r\nTo: play@turnpost.example\r\nSubject: hello\r\n\
         Content-Type: text/html; charset=utf-8\r\n\r\n{html}\r\n"
    )
    .into_bytes()
}

/// What of a page is read, its lines joined.
fn seen(html: &str) -> String {
    let stage = Stage::new();
    match read(&letter(html), &Envelope::default(), &stage.site()) {
        Incoming::Letter(letter) => letter.text.split_whitespace().collect::<Vec<_>>().join(" "),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_mail_program_hides_is_not_read() {
    for attributes in DataFile::read("hidden.txt").entries("attributes that hide") {
        for name in ["div", "span", "p", "td", "font"] {
            let page =
                format!("<html><head>{SHEET}</head><body>a <{name} {attributes}>no</{name}> b</body></html>");
            assert_eq!(seen(&page), "a b", "<{name} {attributes}>");
        }
    }
}

#[test]
fn what_a_mail_program_shows_is_read() {
    for attributes in DataFile::read("hidden.txt").entries("attributes that show") {
        for name in ["div", "span", "p"] {
            let page = format!(
                "<html><head>{SHEET}</head><body>a <{name} {attributes}>yes</{name}> b</body></html>"
            );
            assert_eq!(seen(&page), "a yes b", "<{name} {attributes}>");
        }
    }
}

#[test]
fn what_is_no_text_of_the_page_is_not_read() {
    for (html, text) in pairs("what is no text") {
        assert_eq!(seen(&html), text, "{html}");
    }
}

#[test]
fn a_hidden_element_ends_where_it_ends_and_not_before() {
    for (html, text) in pairs("where a hidden element ends") {
        assert_eq!(seen(&html), text, "{html}");
    }
}

fn plies(stage: &Stage) -> u32 {
    stage.store.board(BoardId(1)).unwrap().unwrap().plies.0
}

#[test]
fn a_hidden_move_does_not_play_and_hidden_words_are_not_passed_on() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    let board: &Mail = mails.iter().find(|mail| mail.to == "ann@example.org").unwrap();
    let raw = board.raw();
    let reply_to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();
    let reply = |html: &str, number: u32| {
        format!(
            "From: ann@example.org\r\nTo: {reply_to}\r\nDelivered-To: {reply_to}\r\nSubject: Re: dvonn 1\r\n\
             Message-ID: <hidden.{number}@mail.example>\r\nContent-Type: text/html\r\n\r\n{html}\r\n"
        )
        .into_bytes()
    };
    stage.receive(&reply("<div style=\"display:none\">D1-E1</div><div>Hello!</div>", 1));
    assert_eq!(plies(&stage), 0);
    let hidden = "<style>.pre{display:none}</style><div class=pre>A3-B3 no</div><div>D1-E1</div><p>Hello!</p>\
                  <p hidden>no</p><p><s>no</s></p>";
    let mails = stage.receive(&reply(hidden, 2));
    assert_eq!(plies(&stage), 1);
    let heard = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap();
    assert!(heard.text.starts_with("bob, your move (ply 2): ann played D1-E1."), "{}", heard.text);
    let said: Vec<&str> = heard.text.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(said, ["| Hello!"]);
}

#[test]
fn a_hidden_command_is_none() {
    let mut stage = Stage::with_a_game();
    let html = format!("<p>dvonn show 1</p><p hidden>dvonn move 1 ann {ANN} D1-E1</p>");
    stage.receive(&letter(&html));
    assert_eq!(plies(&stage), 0);
}

#[test]
fn a_page_of_the_worst_is_read_in_time() {
    let rules: String = (0..2_400).map(|n| format!(".a .b .c{n},.x{{display:none}}")).collect();
    let elements = "<p class='a b c1 x' style='display:none;display:block'>no".repeat(4_000);
    let blanks = format!("<pre>{}{}", "\n".repeat(200_000), "<b></b>x".repeat(3_000));
    let marks = "<div id=divRplyFwdMsg>x</div>".repeat(4_000);
    let escapes = format!("<p style=\"{}\">x", "\\69 ".repeat(100_000));
    let classes = "c ".repeat(30_000);
    let again = format!("<div><b hidden class='{classes}'></div>{}", "<div>x</div>".repeat(4_000));
    for page in [format!("<style>{rules}</style>{elements}"), blanks, marks, escapes, again] {
        let start = std::time::Instant::now();
        let _ = seen(&page);
        assert!(start.elapsed().as_secs() < 10, "{:.60}", page);
    }
}
