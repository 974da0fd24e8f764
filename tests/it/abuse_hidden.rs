//! Law 8: hidden text is not read. What a mail program would not show neither plays nor is passed on.

use crate::support::{ANN, Mail, Stage};
use turnpost::ids::BoardId;
use turnpost::mail::incoming::{Envelope, Incoming, read};

/// Ways to hide an element, as attributes. The text of such an element is not shown.
const HIDING: &[&str] = &[
    "style=\"display:none\"",
    "style='display:none'",
    "style=display:none",
    "STYLE=\"DISPLAY:NONE\"",
    "style=\"display : none ;\"",
    "style=\"display:none!important\"",
    "style=\"color:red; display: none !important; margin:0\"",
    "style=\"display&#58;none\"",
    "style=\"display:&#110;one\"",
    "style=\"&#x64;isplay:none\"",
    "style=\"display:/* x */none\"",
    "style=\"display:block;display:none\"",
    "style=\"display:none;display:nonsense\"",
    "style=\"display:none!important;display:block\"",
    "style=\"\ndisplay:\n\tnone\"",
    "style=\"visibility:hidden\"",
    "style=\"Visibility: Hidden\"",
    "style=\"visibility:collapse\"",
    "style=\"font-size:0\"",
    "style=\"font-size:0px\"",
    "style=\"font-size:0.0em\"",
    "style=\"font:0/0 a\"",
    "style=\"font: bold 0px Arial\"",
    "style=\"mso-hide:all\"",
    "style=\"mso-hide:all;display:none\"",
    "style=\"text-decoration:line-through\"",
    "style=\"text-decoration: red line-through\"",
    "style=\"text-decoration-line:line-through\"",
    "hidden",
    "hidden=\"\"",
    "HIDDEN=hidden",
    "class=\"gone\"",
    "class=\"a gone b\"",
    "class=\"Gone\"",
    "class=\"later\"",
    "class=\"struck\"",
    "class=\"urgent\" style=\"display:block\"",
];

/// Attributes that hide nothing.
const SHOWING: &[&str] = &[
    "",
    "style=\"display:block\"",
    "style=\"display:none;display:block\"",
    "style=\"display:none;DISPLAY:inline\"",
    "style=\"visibility:visible\"",
    "style=\"font-size:10px\"",
    "style=\"font-size:100%\"",
    "style=\"font:10px/0 Arial\"",
    "style=\"font:400 14px Arial\"",
    "style=\"font-size:1px\"",
    "style=\"text-decoration:underline\"",
    "style=\"margin:0;padding:0;border:0\"",
    "style=\"x-display:none\"",
    "style=\"display:none-such\"",
    "title=\"display:none\"",
    "class=\"goner\"",
    "class=\"both\"",
    "class=\"phone-only\"",
    "class=\"paper\"",
    "class=\"shown-again\"",
    "class=\"gone\" style=\"display:block\"",
    "hidden style=\"display:block\"",
];

const SHEET: &str = "<style type=\"text/css\"><!-- /* .x{} */ body{margin:0} .gone { DISPLAY : NONE } #both{display:none;}\n\
    .struck,h9{text-decoration:line-through} .urgent{display:none !important} .later{color:red}.later{font-size:0}\n\
    .shown-again{display:none}\n.shown-again{display:block}\n\
    @media only screen and (max-width:480px){.phone-only{display:none!important} p{display:none}}\n\
    @media print { .paper{display:none} } --></style>";

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
    for attributes in HIDING {
        for name in ["div", "span", "p", "td", "font"] {
            let page =
                format!("<html><head>{SHEET}</head><body>a <{name} {attributes}>no</{name}> b</body></html>");
            assert_eq!(seen(&page), "a b", "<{name} {attributes}>");
        }
    }
}

#[test]
fn what_a_mail_program_shows_is_read() {
    for attributes in SHOWING {
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
    for (html, text) in [
        ("a<template>no<div>no</div></template>b", "ab"),
        ("a<!-- no -->b", "ab"),
        ("a<!--[if mso]><p>no</p><![endif]-->b", "ab"),
        ("a<![if !mso]>yes<![endif]>b", "ayesb"),
        ("a<!--[if !mso]><!-->yes<!--<![endif]-->b", "ayesb"),
        ("<head><title>no</title><style>no</style></head>a", "a"),
        ("a<script>no</script>b", "ab"),
        ("a<noscript>yes</noscript>b", "ayesb"),
        ("a<svg><text>no</text></svg>b", "ab"),
        ("a<iframe>no</iframe>b", "ab"),
        ("a<img alt='no'>b", "ab"),
        ("a<input type=hidden value=no>b", "ab"),
    ] {
        assert_eq!(seen(html), text, "{html}");
    }
}

#[test]
fn a_hidden_element_ends_where_it_ends_and_not_before() {
    for (html, text) in [
        ("<div style=display:none>no<div>no</div>no<p>no</div>yes", "yes"),
        ("<div style=display:none>no<br>no<img>no<hr>no<input>no</div>yes", "yes"),
        ("<div style=display:none>no<span>no</b></i></span></p>no</div>yes", "yes"),
        ("<span style=display:none>no<span>no</span>no</span>yes", "yes"),
        ("<p style=display:none>no<p>yes", "yes"),
        ("<p hidden>no<div>yes</div>", "yes"),
        ("<ul><li hidden>no<li>yes</ul>", "* yes"),
        ("<table><tr><td hidden>no<td>yes</table>", "yes"),
        ("<table><tr style=display:none><td>no<td>no<tr><td>yes</table>", "yes"),
        ("<div hidden>no<table><tr><td>no</div>no</td></tr></table>no</div>yes", "yes"),
        ("<div style='display:none'/>no</div>yes", "yes"),
        ("<div hidden />no</div>yes", "yes"),
        ("<div hidden><div style=display:block>no</div></div>yes", "yes"),
        ("<div><b hidden>no</div>no</b>yes", "yes"),
        ("<div hidden>no", ""),
        ("<html><body style=display:none><p>no</p></body></html>no", ""),
        ("<html hidden><body>no", ""),
        ("<body style=font-size:0>no<p style=font-size:12px>yes</p>no", "yes"),
        ("<style>body{visibility:hidden} p{visibility:visible}</style><body>no<p>yes</p>", "yes"),
        // A child may be shown in a parent that is not.
        ("<div style=visibility:hidden>no<p style=visibility:visible>yes</p>no</div>", "yes"),
        (
            "<div style=font-size:0>no<p style=font-size:14px>yes</p>no<p style=font-size:2em>no</p></div>",
            "yes",
        ),
        ("<p>yes <s>no</s><strike>no <b>no</b></strike><del>no</del></p>yes", "yes yes"),
        ("<p style=text-decoration:line-through>no<b style=text-decoration:none>no</b></p>yes", "yes"),
        ("<s><p>no</p>no</s>yes", "yes"),
        // Rules stand where they like; those that ask for more than a name and a class do not count.
        ("<p class=x>no</p>yes<style>.x{display:none}</style>", "yes"),
        ("<style>p.x{display:none}</style><p class=x>no</p><b class=x>yes</b>", "yes"),
        ("<style>.a .x{display:none}</style><div class=a><b class=x>yes</b></div>", "yes"),
        ("<style>p{display:none}</style><p>no</p>yes", "yes"),
        ("<style>*{display:none}</style><p>no</p>", ""),
        ("<style>.x:hover{display:none} a[href]{display:none}</style><p class=x>yes</p>", "yes"),
    ] {
        assert_eq!(seen(html), text, "{html}");
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
