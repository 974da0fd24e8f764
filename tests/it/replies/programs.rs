//! Replies as the mail programs of `tests/data/mail-programs.txt` write them.

use std::collections::HashMap;

use crate::support::Mail;
use crate::support::data::{DataFile, decoded};
use mailparse::parse_mail;

/// What the player writes below the move.
pub const WORDS: [&str; 2] = [
    "Well played, Bob!",
    "See https://example.org/games?id=1&line=D1-E1-a-rather-long-link-that-no-program-may-break",
];

/// The forms in which a program may send one reply.
pub const FORMS: [Form; 4] = [Form::Text, Form::Flowed, Form::Page, Form::Both];

#[derive(Debug, Clone, Copy)]
pub enum Form {
    Text,
    Flowed,
    Page,
    Both,
}

/// How programs write in a language: words by the names of their places.
pub struct Language {
    pub name: String,
    words: HashMap<String, String>,
}

/// A reply of a program: its text and its page, with places in braces.
pub struct Program {
    pub name: String,
    text: String,
    page: String,
}

/// All languages and programs.
pub struct MailPrograms {
    pub languages: Vec<Language>,
    pub programs: Vec<Program>,
    fields: Program,
    /// How programs mark a quotation in HTML; `*` stands for what is quoted.
    pub marks: Vec<String>,
    /// What the player writes below the move.
    pub words: &'static [&'static str],
}

impl MailPrograms {
    pub fn read() -> MailPrograms {
        let file = DataFile::read("mail-programs.txt");
        let language = |(name, text): (&str, &str)| {
            let lines = text.lines().map(|line| line.split_once(": ").unwrap());
            let words = lines.map(|(place, words)| (place.to_owned(), decoded(words))).collect();
            Language { name: name.to_owned(), words }
        };
        let program = |(name, text): (&str, &str)| {
            let (text, page) = text.split_once("\n--- html\n").unwrap();
            Program { name: name.to_owned(), text: decoded(text), page: page.replace('\n', "") }
        };
        MailPrograms {
            languages: file.of_kind("language").into_iter().map(language).collect(),
            programs: file.of_kind("program").into_iter().map(program).collect(),
            fields: file.of_kind("part").into_iter().map(program).next().unwrap(),
            marks: file.entries("marks of a quotation in HTML"),
            words: &WORDS,
        }
    }

    /// The mail of ann's by which she answers `board` with the lines of a move and with its words.
    pub fn reply(
        &self,
        (program, language, form): (&Program, &Language, Form),
        board: &Board,
        moves: &[&str],
        number: usize,
    ) -> Vec<u8> {
        let text = || self.text(&program.text, language, board, moves);
        let page = || in_page(&self.page(&program.page, language, board, moves));
        let content = match form {
            Form::Text => plain(&text(), ""),
            Form::Flowed => plain(&text(), "; format=flowed"),
            Form::Page => page(),
            Form::Both => format!(
                "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"xx\"\n\n--xx\n{}\n--xx\n{}\n--xx--\n",
                plain(&text(), ""),
                page()
            ),
        };
        letter(&content, number)
    }

    fn text(&self, template: &str, language: &Language, board: &Board, moves: &[&str]) -> String {
        filled(template, |place| match place {
            "new" => format!("{}\n\n{}", moves.join("\n"), self.words.join("\n")),
            "moves" => moves.join("\n"),
            "words" => self.words.join("\n"),
            "plain" => board.text.clone(),
            "indented" => board.text.lines().map(|line| format!("  {line}\n")).collect(),
            "quoted" => board.quoted(),
            "quoted to the drawing" => board.cut(&board.quoted(), "> ").0,
            "quoted below the drawing" => board.cut(&board.quoted(), "> ").1,
            "fields" => self.text(&self.fields.text, language, board, moves),
            _ => language.words[place].clone(),
        })
    }

    fn page(&self, template: &str, language: &Language, board: &Board, moves: &[&str]) -> String {
        let lines: Vec<String> = moves.iter().map(|line| escape(line)).collect();
        let words = self.words.iter().map(|line| escape(line)).collect::<Vec<_>>().join("<br>");
        let breaks = lines.join("<br>");
        filled(template, |place| match place {
            "new" => {
                let divs: String = lines.iter().map(|line| format!("<div>{line}</div>")).collect();
                format!("{divs}<div><br></div><div>{}</div>", words.replace("<br>", "</div><div>"))
            }
            "new as paragraphs" => format!("<p>{breaks}</p><p>{words}</p>"),
            "new in Outlook" => {
                let paragraph = |text| format!("<p class=\"MsoNormal\">{text}</p>");
                [
                    format!("{breaks}<o:p></o:p>"),
                    "<o:p>&nbsp;</o:p>".to_owned(),
                    format!("{words}<o:p></o:p>"),
                ]
                .map(paragraph)
                .concat()
            }
            "moves" => breaks.clone(),
            "words" => words.clone(),
            "quoted" => board.page.clone(),
            "quoted to the drawing" => board.cut(&board.page, "").0,
            "quoted below the drawing" => board.cut(&board.page, "").1,
            "fields" => self.page(&self.fields.page, language, board, moves),
            "outlook" => {
                let (name, rest) = language.words[place].split_once('<').unwrap();
                format!("<a href=\"https://aka.ms/x\">{name}</a>{}", rest.split_once('>').unwrap().1)
            }
            _ => escape(&language.words[place]),
        })
    }
}

/// A template with what stands for each place.
fn filled(template: &str, of: impl Fn(&str) -> String) -> String {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (place, rest) = part.split_once('}').unwrap();
        text += of(place).trim_end_matches('\n');
        text += rest;
    }
    text
}

/// The mail that is answered.
pub struct Board {
    text: String,
    page: String,
}

impl Board {
    pub fn of(mail: &Mail) -> Board {
        let parsed = parse_mail(&mail.bytes).unwrap();
        // The page may stand beside the picture that it shows.
        let page =
            parsed.parts().find(|part| part.ctype.mimetype == "text/html").expect("each mail has a page");
        let page = page.get_body().unwrap().replace("\r\n", "\n");
        let (_, body) = page.split_once("<body").and_then(|(_, body)| body.split_once('>')).unwrap();
        let (body, _) = body.split_once("</body>").unwrap();
        Board { text: mail.text.clone(), page: body.to_owned() }
    }

    fn quoted(&self) -> String {
        let lines = self.text.lines();
        lines.map(|line| if line.is_empty() { ">\n".to_owned() } else { format!("> {line}\n") }).collect()
    }

    /// A form of the mail cut at the first words below the drawing. The drawing and the token stand on either side.
    fn cut(&self, form: &str, mark: &str) -> (String, String) {
        let known = ["White controls", "White: ", "You may decline", "This game is "];
        let is_below = |words: &&str| self.text.contains(&format!("\n{words}")) && self.page.contains(*words);
        let words =
            known.into_iter().find(is_below).unwrap_or_else(|| panic!("no words below: {}", self.text));
        let (upper, lower) = form.split_once(&format!("{mark}{words}")).unwrap();
        (upper.to_owned(), format!("{mark}{words}{lower}"))
    }
}

fn plain(text: &str, parameter: &str) -> String {
    format!("Content-Type: text/plain; charset=utf-8{parameter}\nContent-Transfer-Encoding: 8bit\n\n{text}\n")
}

/// The body of a page as a mail.
pub fn in_page(html: &str) -> String {
    format!(
        "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n\
         <html><head><meta charset=\"utf-8\"><style>p.MsoNormal {{margin:0}}</style></head><body>{html}</body></html>\n"
    )
}

/// A mail of ann's to the server.
pub fn letter(content: &str, number: usize) -> Vec<u8> {
    let head = format!(
        "From: Ann <ann@example.org>\nTo: play@turnpost.example\nSubject: Re: dvonn 1, ann v bob\n\
         Message-ID: <program.{number}@mail.example>\n"
    );
    (head + content).replace('\n', "\r\n").into_bytes()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
