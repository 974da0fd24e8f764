//! Law 8: hidden text is not read. What a mail program would not show neither plays nor is passed on.

use crate::support::Stage;
use crate::support::data::{DataFile, decoded, decoded_entry};
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
