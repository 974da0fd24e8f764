//! Replies as mail programs write them: twenty programs, fourteen languages, in text and in HTML, above the quote,
//! below it and between its lines. Each plays its move and passes on its writer's words, and nothing else.
//!
//! The server has no addresses with `+`, so the token comes back in what is quoted.

use crate::support::{Mail, Stage};
use mailparse::{ParsedMail, parse_mail};
use turnpost::mail::Operator;
use turnpost::mail::incoming::{Envelope, Incoming, read};
use turnpost::mail::reply_text::new_text;

/// How programs write in a language: attributions by Gmail, Apple Mail, Thunderbird, Yahoo and Proton; Outlook's
/// header; the words between rules; the lines of a telephone and of Outlook on one.
pub struct Language {
    pub name: &'static str,
    gmail: &'static str,
    apple: &'static str,
    thunderbird: &'static str,
    yahoo: &'static str,
    header: [&'static str; 4],
    original: &'static str,
    phone: &'static str,
    outlook: &'static str,
}

pub const LANGUAGES: [Language; 14] = [
    Language {
        name: "en",
        gmail: "On Mon, Nov 16, 2026 at 5:02\u{202F}PM Turnpost <play@turnpost.example> wrote:",
        apple: "On 16 Nov 2026, at 17:02, Turnpost <play@turnpost.example> wrote:",
        thunderbird: "On 16/11/2026 17:02, Turnpost wrote:",
        yahoo: "On Monday, November 16, 2026 at 05:02:00 PM GMT+1, Turnpost <play@turnpost.example> wrote:",
        header: ["From", "Sent", "To", "Subject"],
        original: "Original Message",
        phone: "Sent from my iPhone",
        outlook: "Get Outlook for iOS<https://aka.ms/o0ukef>",
    },
    Language {
        name: "de",
        gmail: "Am Mo., 16. Nov. 2026 um 17:02 Uhr schrieb Turnpost <play@turnpost.example>:",
        apple: "Am 16.11.2026 um 17:02 schrieb Turnpost <play@turnpost.example>:",
        thunderbird: "Am 16.11.26 um 17:02 schrieb Turnpost:",
        yahoo: "Am Montag, 16. November 2026 um 17:02:00 MEZ hat Turnpost <play@turnpost.example> Folgendes geschrieben:",
        header: ["Von", "Gesendet", "An", "Betreff"],
        original: "Urspr\u{fc}ngliche Nachricht",
        phone: "Von meinem iPhone gesendet",
        outlook: "Outlook f\u{fc}r Android<https://aka.ms/AAb9ysg> herunterladen",
    },
    Language {
        name: "fr",
        gmail: "Le lun. 16 nov. 2026 \u{e0} 17:02, Turnpost <play@turnpost.example> a \u{e9}crit :",
        apple: "Le 16 nov. 2026 \u{e0} 17:02, Turnpost <play@turnpost.example> a \u{e9}crit\u{a0}:",
        thunderbird: "Le 16/11/2026 \u{e0} 17:02, Turnpost a \u{e9}crit\u{a0}:",
        yahoo: "Le lundi 16 novembre 2026 \u{e0} 17:02:00 UTC+1, Turnpost <play@turnpost.example> a \u{e9}crit :",
        header: ["De", "Envoy\u{e9}", "\u{c0}", "Objet"],
        original: "Message d'origine",
        phone: "Envoy\u{e9} de mon iPhone",
        outlook: "T\u{e9}l\u{e9}charger Outlook pour iOS<https://aka.ms/o0ukef>",
    },
    Language {
        name: "es",
        gmail: "El lun, 16 nov 2026 a las 17:02, Turnpost (<play@turnpost.example>) escribi\u{f3}:",
        apple: "El 16 nov 2026, a las 17:02, Turnpost <play@turnpost.example> escribi\u{f3}:",
        thunderbird: "El 16/11/2026 a las 17:02, Turnpost escribi\u{f3}:",
        yahoo: "El lunes, 16 de noviembre de 2026, 17:02:00 CET, Turnpost <play@turnpost.example> escribi\u{f3}:",
        header: ["De", "Enviado", "Para", "Asunto"],
        original: "Mensaje original",
        phone: "Enviado desde mi iPhone",
        outlook: "Obtener Outlook para Android<https://aka.ms/AAb9ysg>",
    },
    Language {
        name: "it",
        gmail: "Il giorno lun 16 nov 2026 alle ore 17:02 Turnpost <play@turnpost.example> ha scritto:",
        apple: "Il giorno 16 nov 2026, alle ore 17:02, Turnpost <play@turnpost.example> ha scritto:",
        thunderbird: "Il 16/11/2026 17:02, Turnpost ha scritto:",
        yahoo: "Il luned\u{ec} 16 novembre 2026 alle ore 17:02:00 CET, Turnpost <play@turnpost.example> ha scritto:",
        header: ["Da", "Inviato", "A", "Oggetto"],
        original: "Messaggio originale",
        phone: "Inviato da iPhone",
        outlook: "Ottieni Outlook per iOS<https://aka.ms/o0ukef>",
    },
    Language {
        name: "pt",
        gmail: "Em seg., 16 de nov. de 2026 \u{e0}s 17:02, Turnpost <play@turnpost.example> escreveu:",
        apple: "No dia 16/11/2026, \u{e0}s 17:02, Turnpost <play@turnpost.example> escreveu:",
        thunderbird: "Em 16/11/2026 17:02, Turnpost escreveu:",
        yahoo: "Em segunda-feira, 16 de novembro de 2026 17:02:00 BRT, Turnpost <play@turnpost.example> escreveu:",
        header: ["De", "Enviado", "Para", "Assunto"],
        original: "Mensagem original",
        phone: "Enviado do meu iPhone",
        outlook: "Obter o Outlook para iOS<https://aka.ms/o0ukef>",
    },
    Language {
        name: "nl",
        gmail: "Op ma 16 nov 2026 om 17:02 schreef Turnpost <play@turnpost.example>:",
        apple: "Op 16 nov 2026, om 17:02 heeft Turnpost <play@turnpost.example> het volgende geschreven:",
        thunderbird: "Op 16-11-2026 om 17:02 schreef Turnpost:",
        yahoo: "Op maandag 16 november 2026 om 17:02:00 CET schreef Turnpost <play@turnpost.example>:",
        header: ["Van", "Verzonden", "Aan", "Onderwerp"],
        original: "Oorspronkelijk bericht",
        phone: "Verstuurd vanaf mijn iPhone",
        outlook: "Outlook voor Android<https://aka.ms/AAb9ysg> downloaden",
    },
    Language {
        name: "ru",
        gmail: "\u{43f}\u{43d}, 16 \u{43d}\u{43e}\u{44f}\u{431}. 2026\u{202F}\u{433}. \u{432} 17:02, Turnpost <play@turnpost.example>:",
        apple: "16 \u{43d}\u{43e}\u{44f}\u{431}. 2026 \u{433}., \u{432} 17:02, Turnpost <play@turnpost.example> \u{43d}\u{430}\u{43f}\u{438}\u{441}\u{430}\u{43b}(\u{430}):",
        thunderbird: "16.11.2026 17:02, Turnpost \u{43f}\u{438}\u{448}\u{435}\u{442}:",
        yahoo: "\u{41f}\u{43e}\u{43d}\u{435}\u{434}\u{435}\u{43b}\u{44c}\u{43d}\u{438}\u{43a}, 16 \u{43d}\u{43e}\u{44f}\u{431}\u{440}\u{44f} 2026, 17:02 +03:00 \u{43e}\u{442} Turnpost <play@turnpost.example>:",
        header: [
            "\u{41e}\u{442}",
            "\u{41e}\u{442}\u{43f}\u{440}\u{430}\u{432}\u{43b}\u{435}\u{43d}\u{43e}",
            "\u{41a}\u{43e}\u{43c}\u{443}",
            "\u{422}\u{435}\u{43c}\u{430}",
        ],
        original: "\u{418}\u{441}\u{445}\u{43e}\u{434}\u{43d}\u{43e}\u{435} \u{441}\u{43e}\u{43e}\u{431}\u{449}\u{435}\u{43d}\u{438}\u{435}",
        phone: "\u{41e}\u{442}\u{43f}\u{440}\u{430}\u{432}\u{43b}\u{435}\u{43d}\u{43e} \u{441} iPhone",
        outlook: "\u{421}\u{43a}\u{430}\u{447}\u{430}\u{442}\u{44c} Outlook \u{434}\u{43b}\u{44f} iOS<https://aka.ms/o0ukef>",
    },
    Language {
        name: "ja",
        gmail: "2026\u{5e74}11\u{6708}16\u{65e5}(\u{6708}) 17:02 Turnpost <play@turnpost.example>:",
        apple: "2026/11/16 17:02\u{3001}Turnpost <play@turnpost.example>\u{306e}\u{30e1}\u{30fc}\u{30eb}:",
        thunderbird: "On 2026/11/16 17:02, Turnpost wrote:",
        yahoo: "2026\u{5e74}11\u{6708}16\u{65e5} \u{6708}\u{66dc}\u{65e5} 17:02:00 JST\u{3001}Turnpost <play@turnpost.example> \u{304c}\u{66f8}\u{304d}\u{8fbc}\u{307f}\u{307e}\u{3057}\u{305f}:",
        header: [
            "\u{5dee}\u{51fa}\u{4eba}",
            "\u{9001}\u{4fe1}\u{65e5}\u{6642}",
            "\u{5b9b}\u{5148}",
            "\u{4ef6}\u{540d}",
        ],
        original: "\u{5143}\u{306e}\u{30e1}\u{30c3}\u{30bb}\u{30fc}\u{30b8}",
        phone: "iPhone\u{304b}\u{3089}\u{9001}\u{4fe1}",
        outlook: "iOS \u{7248} Outlook<https://aka.ms/o0ukef>\u{3092}\u{5165}\u{624b}",
    },
    Language {
        name: "pl",
        gmail: "pon., 16 lis 2026 o 17:02 Turnpost <play@turnpost.example> napisa\u{142}(a):",
        apple: "Wiadomo\u{15b}\u{107} napisana przez Turnpost <play@turnpost.example> w dniu 16 lis 2026, o godz. 17:02:",
        thunderbird: "W dniu 16.11.2026 o\u{a0}17:02, Turnpost pisze:",
        yahoo: "W dniu poniedzia\u{142}ek, 16 listopada 2026 17:02:00 CET Turnpost <play@turnpost.example> napisa\u{142}(a):",
        header: ["Od", "Wys\u{142}ane", "Do", "Temat"],
        original: "Wiadomo\u{15b}\u{107} oryginalna",
        phone: "Wys\u{142}ane z iPhone'a",
        outlook: "Pobierz aplikacj\u{119} Outlook dla systemu iOS<https://aka.ms/o0ukef>",
    },
    Language {
        name: "sv",
        gmail: "Den m\u{e5}n 16 nov. 2026 kl 17:02 skrev Turnpost <play@turnpost.example>:",
        apple: "16 nov. 2026 kl. 17:02 skrev Turnpost <play@turnpost.example>:",
        thunderbird: "Den 2026-11-16 kl. 17:02, skrev Turnpost:",
        yahoo: "m\u{e5}ndag 16 november 2026 17:02:00 CET skrev Turnpost <play@turnpost.example>:",
        header: ["Fr\u{e5}n", "Skickat", "Till", "\u{c4}mne"],
        original: "Ursprungligt meddelande",
        phone: "Skickat fr\u{e5}n min iPhone",
        outlook: "H\u{e4}mta Outlook f\u{f6}r iOS<https://aka.ms/o0ukef>",
    },
    Language {
        name: "da",
        gmail: "man. 16. nov. 2026 kl. 17.02 skrev Turnpost <play@turnpost.example>:",
        apple: "Den 16. nov. 2026 kl. 17.02 skrev Turnpost <play@turnpost.example>:",
        thunderbird: "Den 16.11.2026 kl. 17.02 skrev Turnpost:",
        yahoo: "mandag den 16. november 2026 17.02.00 CET skrev Turnpost <play@turnpost.example>:",
        header: ["Fra", "Sendt", "Til", "Emne"],
        original: "Oprindelig besked",
        phone: "Sendt fra min iPhone",
        outlook: "Hent Outlook til iOS<https://aka.ms/o0ukef>",
    },
    Language {
        name: "zh",
        gmail: "Turnpost <play@turnpost.example> \u{4e8e}2026\u{5e74}11\u{6708}16\u{65e5}\u{5468}\u{4e00} 17:02\u{5199}\u{9053}\u{ff1a}",
        apple: "\u{5728} 2026\u{5e74}11\u{6708}16\u{65e5}\u{ff0c}17:02\u{ff0c}Turnpost <play@turnpost.example> \u{5199}\u{9053}\u{ff1a}",
        thunderbird: "\u{5728} 2026/11/16 17:02, Turnpost \u{5199}\u{9053}:",
        yahoo: "At 2026-11-16 17:02:00, \"Turnpost\" <play@turnpost.example> wrote:",
        header: [
            "\u{53d1}\u{4ef6}\u{4eba}",
            "\u{53d1}\u{9001}\u{65f6}\u{95f4}",
            "\u{6536}\u{4ef6}\u{4eba}",
            "\u{4e3b}\u{9898}",
        ],
        original: "\u{539f}\u{59cb}\u{90ae}\u{4ef6}",
        phone: "\u{53d1}\u{81ea}\u{6211}\u{7684}iPhone",
        outlook: "\u{83b7}\u{53d6}\u{9002}\u{7528}\u{4e8e} iOS \u{7684} Outlook<https://aka.ms/o0ukef>",
    },
    Language {
        name: "ko",
        gmail: "2026\u{b144} 11\u{c6d4} 16\u{c77c} (\u{c6d4}) \u{c624}\u{d6c4} 5:02, Turnpost <play@turnpost.example>\u{b2d8}\u{c774} \u{c791}\u{c131}:",
        apple: "2026. 11. 16. \u{c624}\u{d6c4} 5:02, Turnpost <play@turnpost.example> \u{c791}\u{c131}:",
        thunderbird: "2026-11-16 \u{c624}\u{d6c4} 5:02\u{c5d0} Turnpost \u{c774}(\u{ac00}) \u{c4f4} \u{ae00}:",
        yahoo: "2026\u{b144} 11\u{c6d4} 16\u{c77c} \u{c6d4}\u{c694}\u{c77c} \u{c624}\u{d6c4} 05:02:00 GMT+9, Turnpost <play@turnpost.example>\u{b2d8}\u{c774} \u{c791}\u{c131}:",
        header: [
            "\u{bcf4}\u{b0b8} \u{c0ac}\u{b78c}",
            "\u{bcf4}\u{b0b8} \u{b0a0}\u{c9dc}",
            "\u{bc1b}\u{b294} \u{c0ac}\u{b78c}",
            "\u{c81c}\u{baa9}",
        ],
        original: "\u{c6d0}\u{bcf8} \u{ba54}\u{c2dc}\u{c9c0}",
        phone: "\u{b098}\u{c758} iPhone\u{c5d0}\u{c11c} \u{bcf4}\u{b0c4}",
        outlook: "iOS\u{c6a9} Outlook<https://aka.ms/o0ukef> \u{b2e4}\u{c6b4}\u{b85c}\u{b4dc}",
    },
];

/// What the player writes: the move, and words for the opponent.
const MOVE: &str = "D1-E1";
pub const WORDS: [&str; 2] = [
    "Well played, Bob!",
    "See https://example.org/games?id=1&line=D1-E1-a-rather-long-link-that-no-program-may-break",
];

/// A reply of a program, without the fields at its top.
pub struct Reply {
    pub what: String,
    pub content: String,
}

/// The page of a mail, which may stand beside the picture that it shows.
fn html_part<'a>(mail: &'a ParsedMail<'a>) -> &'a ParsedMail<'a> {
    let page = mail.parts().find(|part| part.ctype.mimetype == "text/html");
    page.expect("each mail has a page")
}

/// The mail that is answered.
pub struct Board {
    text: String,
    html: String,
}

impl Board {
    pub fn of(mail: &Mail) -> Board {
        let parsed = parse_mail(&mail.bytes).unwrap();
        let page = html_part(&parsed).get_body().unwrap().replace("\r\n", "\n");
        let (_, body) = page.split_once("<body>").unwrap();
        let (body, _) = body.split_once("</body>").unwrap();
        Board { text: mail.text.clone(), html: body.to_owned() }
    }

    fn quoted(&self) -> String {
        self.text
            .lines()
            .map(|line| if line.is_empty() { ">\n".to_owned() } else { format!("> {line}\n") })
            .collect()
    }
}

fn plain(text: &str, flowed: bool) -> String {
    let parameter = if flowed { "; format=flowed" } else { "" };
    format!("Content-Type: text/plain; charset=utf-8{parameter}\nContent-Transfer-Encoding: 8bit\n\n{text}\n")
}

fn page(html: &str) -> String {
    format!(
        "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n\
         <html><head><meta charset=\"utf-8\"><style>p.MsoNormal {{margin:0}}</style></head><body>{html}</body></html>\n"
    )
}

fn both(text: &str, html: &str) -> String {
    let (text, html) = (plain(text, false), page(html));
    format!(
        "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"xx\"\n\n\
         --xx\n{text}\n--xx\n{html}\n--xx--\n"
    )
}

/// The three forms in which a program may send one reply.
fn forms(name: &str, language: &Language, text: &str, html: &str, replies: &mut Vec<Reply>) {
    let name = format!("{name}, {}", language.name);
    replies.push(Reply { what: format!("{name}, text"), content: plain(text, false) });
    replies.push(Reply { what: format!("{name}, flowed"), content: plain(text, true) });
    replies.push(Reply { what: format!("{name}, html"), content: page(html) });
    replies.push(Reply { what: format!("{name}, both"), content: both(text, html) });
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Every reply of every program in a language.
fn replies(language: &Language, board: &Board) -> Vec<Reply> {
    replies_with(language, board, &[MOVE])
}

/// The same with other lines in place of the move.
pub fn replies_with(language: &Language, board: &Board, moves: &[&str]) -> Vec<Reply> {
    let mut all = Vec::new();
    let lines = moves.join("\n");
    let escaped: Vec<String> = moves.iter().map(|line| escape(line)).collect();
    let move_divs: String = escaped.iter().map(|line| format!("<div>{line}</div>")).collect();
    let move_breaks = escaped.join("<br>");
    let Language { gmail, apple, thunderbird, yahoo, original, phone, outlook, .. } = language;
    let [from, sent, to, subject] = language.header;
    let new = format!("{lines}\n\n{}\n{}\n", WORDS[0], WORDS[1]);
    let link = escape(WORDS[1]);
    let divs = format!("{move_divs}<div><br></div><div>{}</div><div>{link}</div>", WORDS[0]);
    let (quoted, html) = (board.quoted(), &board.html);
    let block = |attribution: &str| format!("{attribution}\n\n{quoted}");
    let add =
        |name: &str, text: &str, html: &str, all: &mut Vec<Reply>| forms(name, language, text, html, all);

    // Those that quote with `>` and a blockquote: above, below, and between.
    let container = |attribution: &str, attributes: &str, below: &str| {
        format!(
            "<div class=\"gmail_quote\"><div dir=\"ltr\" class=\"gmail_attr\">{attribution}<br></div>\
             <blockquote class=\"gmail_quote\" style=\"margin:0px 0px 0px 0.8ex;{attributes}\">{html}</blockquote>{below}</div>"
        )
    };
    let line = "border-left:1px solid rgb(204,204,204);padding-left:1ex";
    let head = escape(gmail);
    add(
        "Gmail",
        &format!("{new}\n{}", block(gmail)),
        &format!("<div dir=\"ltr\">{divs}</div><br>{}", container(&head, line, "")),
        &mut all,
    );
    add(
        "Gmail below",
        &format!("{}\n{new}", block(gmail)),
        &format!("<div dir=\"ltr\"><br></div><br>{}", container(&head, line, &divs)),
        &mut all,
    );
    let k9 = format!(
        "{divs}<br><br><div class=\"gmail_quote\">{head}<blockquote class=\"gmail_quote\">{html}</blockquote></div>"
    );
    add("K-9", &format!("{new}\n{gmail}\n{quoted}"), &k9, &mut all);

    let cite = |attribution: &str, below: &str| {
        format!(
            "<div><br><blockquote type=\"cite\"><div>{}</div><br class=\"Apple-interchange-newline\"><div>{html}</div></blockquote></div>{below}",
            escape(attribution)
        )
    };
    add("Apple Mail", &format!("{new}\n{}", block(apple)), &format!("{divs}{}", cite(apple, "")), &mut all);
    let iphone = format!(
        "<div dir=\"ltr\">{divs}</div><div dir=\"ltr\"><br>{phone}</div><div dir=\"ltr\"><br><blockquote type=\"cite\">{}<br><br></blockquote></div><blockquote type=\"cite\"><div dir=\"ltr\">{html}</div></blockquote>",
        escape(apple)
    );
    add("iPhone", &format!("{new}\n{phone}\n\n> {apple}\n> \n{quoted}"), &iphone, &mut all);
    let above = format!("<div>{}</div><blockquote type=\"cite\">{html}</blockquote>", escape(apple));
    add(
        "iPhone, attribution outside",
        &format!("{new}\n{phone}\n\n{}", block(apple)),
        &format!("{divs}<br>{phone}<br><br>{above}"),
        &mut all,
    );

    let moz = |above: &str, below: &str| {
        format!(
            "{above}<div class=\"moz-cite-prefix\">{}<br></div><blockquote type=\"cite\" cite=\"mid:1@turnpost.example\">{html}</blockquote>{below}",
            escape(thunderbird)
        )
    };
    let paragraphs = format!("<p>{move_breaks}</p><p>{}<br>{link}</p>", WORDS[0]);
    add("Thunderbird", &format!("{new}\n{thunderbird}\n{quoted}"), &moz(&paragraphs, ""), &mut all);
    add("Thunderbird below", &format!("{thunderbird}\n{quoted}\n{new}"), &moz("", &paragraphs), &mut all);
    // Between two paragraphs of the quote; the drawing and the token stand above and below.
    let below_drawing = ["White controls", "To move", "In hand"]
        .into_iter()
        .find(|words| quoted.contains(&format!("\n> {words}")) && html.contains(words));
    let words_below = below_drawing.unwrap_or_else(|| panic!("no words below the drawing:\n{quoted}"));
    let (upper, lower) = quoted.split_once(&format!("> {words_below}")).unwrap();
    let between =
        format!("{thunderbird}\n{upper}\n{lines}\n\n> {words_below}{lower}\n{}\n{}\n", WORDS[0], WORDS[1]);
    let (upper, lower) = html.split_once(words_below).unwrap();
    let split = format!(
        "<div class=\"moz-cite-prefix\">{}</div><blockquote type=\"cite\">{upper}</p></blockquote><p>{move_breaks}</p><blockquote type=\"cite\"><p>{words_below}{lower}</blockquote><p>{}<br>{link}</p>",
        escape(thunderbird),
        WORDS[0]
    );
    add("Thunderbird between", &between, &split, &mut all);

    add(
        "mutt",
        &format!("{thunderbird}\n{quoted}\n{new}"),
        &format!(
            "<p id=\"reply-intro\">{}</p><blockquote type=\"cite\" style=\"padding: 0 0.4em; border-left: #1010ff 2px solid; margin: 0\">{html}</blockquote>{paragraphs}",
            escape(thunderbird)
        ),
        &mut all,
    );
    add(
        "Proton",
        &format!("{new}\n{}", block(yahoo)),
        &format!(
            "<div style=\"font-family: Arial;\">{divs}</div><div class=\"protonmail_signature_block\"><div class=\"protonmail_signature_block-proton\">Sent with <a href=\"https://proton.me\">Proton Mail</a> secure email.</div></div><div class=\"protonmail_quote\">{}<br><br><blockquote class=\"protonmail_quote\" type=\"cite\">{html}</blockquote><br></div>",
            escape(yahoo)
        ),
        &mut all,
    );
    add(
        "eM Client",
        &format!(
            "{new}\n------ {original} ------\n{from}: \"Turnpost\" <play@turnpost.example>\n{to}: ann@example.org\n{sent}: 16.11.2026 17:02:00\n{subject}: dvonn 1, ann v bob\n\n{quoted}"
        ),
        &format!(
            "{divs}<div>------ {original} ------</div><div>{from}: \"Turnpost\" &lt;play@turnpost.example&gt;</div><div>{to}: ann@example.org</div><div>{sent}: 16.11.2026 17:02:00</div><div>{subject}: dvonn 1</div><div><br></div><blockquote cite=\"1@x\" type=\"cite\" class=\"cite2\">{html}</blockquote>"
        ),
        &mut all,
    );

    // Those that write a header, and the earlier mail as it was.
    let fields = |mark: &str| {
        format!(
            "{mark}{from}:{mark} Turnpost <play@turnpost.example>\n{mark}{sent}:{mark} 16.11.2026 17:02\n{mark}{to}:{mark} ann@example.org\n{mark}{subject}:{mark} dvonn 1, ann v bob\n\n{}",
            board.text
        )
    };
    let bold = format!(
        "<b>{from}:</b> Turnpost &lt;play@turnpost.example&gt;<br><b>{sent}:</b> 16.11.2026 17:02<br><b>{to}:</b> ann@example.org<br><b>{subject}:</b> dvonn 1, ann v bob"
    );
    let normal = format!(
        "<p class=\"MsoNormal\">{move_breaks}<o:p></o:p></p><p class=\"MsoNormal\"><o:p>&nbsp;</o:p></p><p class=\"MsoNormal\">{}<br>{link}<o:p></o:p></p>",
        WORDS[0]
    );
    add(
        "Outlook",
        &format!("{new}\n{}", fields("")),
        &format!(
            "<div class=\"WordSection1\">{normal}<p class=\"MsoNormal\"><o:p>&nbsp;</o:p></p><div><div style=\"border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm\"><p class=\"MsoNormal\">{bold}<o:p></o:p></p></div></div><p class=\"MsoNormal\"><o:p>&nbsp;</o:p></p>{html}</div>"
        ),
        &mut all,
    );
    add(
        "Outlook, bold",
        &format!("{new}\n{}", fields("*")),
        &format!("<div class=\"WordSection1\">{normal}<p class=\"MsoNormal\">{bold}</p>{html}</div>"),
        &mut all,
    );
    add(
        "Outlook on the web",
        &format!("{new}\n________________________________\n{}", fields("")),
        &format!(
            "<div class=\"elementToProof\">{divs}</div><div id=\"appendonsend\"></div><hr style=\"display:inline-block;width:98%\" tabindex=\"-1\"><div id=\"divRplyFwdMsg\" dir=\"ltr\"><font>{bold}</font><div>&nbsp;</div></div><div>{html}</div>"
        ),
        &mut all,
    );
    let advertised = outlook.split_once('<').map_or_else(
        || (*outlook).to_owned(),
        |(name, rest)| format!("<a href=\"https://aka.ms/x\">{name}</a>{}", rest.split_once('>').unwrap().1),
    );
    add(
        "Outlook on a phone",
        &format!("{new}\n{outlook}\n________________________________\n{}", fields("")),
        &format!(
            "<div dir=\"ltr\">{divs}</div><div id=\"ms-outlook-mobile-signature\"><div><br></div>{advertised}</div><hr style=\"display:inline-block;width:98%\"><div id=\"x_divRplyFwdMsg\" dir=\"ltr\">{bold}</div><div class=\"x_BodyFragment\">{html}</div>"
        ),
        &mut all,
    );
    add(
        "Outlook for Mac, advertised in the text",
        &format!("{new}\n{outlook}\n\n{}", fields("")),
        &format!(
            "{divs}<div><br></div><div>{advertised}</div><div style=\"border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0in 0in 0in\">{bold}</div><div>{html}</div>"
        ),
        &mut all,
    );
    add(
        "Samsung",
        &format!("{new}\n\n-------- {original} --------\n{}", fields("")),
        &format!(
            "{divs}<div><br></div><div id=\"composer_signature\"><div dir=\"auto\">{phone}</div></div><div><br></div><div style=\"font-size:100%\"><div>-------- {original} --------</div><div>{bold}</div><div><br></div></div>{html}"
        ),
        &mut all,
    );
    add(
        "Zimbra",
        &format!("{new}\n----- {original} -----\n{}", fields("")),
        &format!(
            "<div style=\"font-family: arial\">{divs}<div><br></div><hr id=\"zwchr\" data-marker=\"__DIVIDER__\"><div data-marker=\"__HEADERS__\">{bold}</div><div data-marker=\"__QUOTED_TEXT__\">{html}</div></div>"
        ),
        &mut all,
    );
    let gmx = format!(
        "{sent}: Montag, 16. November 2026 um 17:02 Uhr\n{from}: \"Turnpost\" <play@turnpost.example>\n{to}: ann@example.org\n{subject}: dvonn 1, ann v bob\n\n{}",
        board.text
    );
    add(
        "GMX",
        &format!("{new}\n \n\n{gmx}"),
        &format!(
            "<div>{divs}<div>&nbsp;</div><div name=\"quote\" style=\"margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;\"><div style=\"margin:0 0 10px 0;\"><b>{sent}:</b> Montag<br><b>{from}:</b> Turnpost<br><b>{to}:</b> ann<br><b>{subject}:</b> dvonn</div><div name=\"quoted-content\">{html}</div></div></div>"
        ),
        &mut all,
    );
    let indented: String = board.text.lines().map(|line| format!("  {line}\n")).collect();
    add(
        "Yahoo",
        &format!("{new}\n    {yahoo}\n \n{indented}"),
        &format!(
            "<div class=\"ydp1yahoo-style-wrap\"><div dir=\"ltr\" data-setdir=\"false\">{divs}</div></div><div id=\"ydp77yahoo_quoted_1\" class=\"ydp77yahoo_quoted\"><div><div>{}</div><div><br></div><div>{html}</div></div></div>",
            escape(yahoo)
        ),
        &mut all,
    );
    add(
        "QQ",
        &format!("{new}\n\n------------------ {original} ------------------\n{}", fields("")),
        &format!(
            "{divs}<div><br></div><div><includetail><div style=\"font-size:12px\">------------------&nbsp;{original}&nbsp;------------------</div><div style=\"background:#efefef\">{bold}</div><div>{html}</div></includetail></div>"
        ),
        &mut all,
    );
    all
}

pub fn letter(reply: &Reply, number: usize) -> Vec<u8> {
    let head = format!(
        "From: Ann <ann@example.org>\nTo: play@turnpost.example\nSubject: Re: dvonn 1, ann v bob\n\
         Message-ID: <program.{number}@mail.example>\n"
    );
    (head + &reply.content).replace('\n', "\r\n").into_bytes()
}

fn words(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_program_in_every_language_brings_back_the_token_and_the_writers_own_words() {
    let mut stage = Stage::with(|config| config.extensions = false).peopled();
    let (_, _, mails) = stage.submit(Operator::AsAnyone, "dvonn challenge -symmetry -seed=7 ann bob");
    let board = Board::of(mails.iter().find(|mail| mail.to == "ann@example.org").unwrap());
    let expected = [MOVE, WORDS[0], WORDS[1]];
    let (mut count, mut wrong) = (0, Vec::new());
    for language in &LANGUAGES {
        for reply in replies(language, &board) {
            count += 1;
            let Incoming::Letter(letter) = read(&letter(&reply, count), &Envelope::default(), &stage.site())
            else {
                panic!("{} is no letter", reply.what)
            };
            let new = new_text(&letter.text).new;
            if letter.token.is_none() {
                wrong.push(format!("{}: no token", reply.what));
            }
            if words(&new) != expected {
                wrong.push(format!("{}: {:?}", reply.what, &words(&new)[..words(&new).len().min(7)]));
            }
        }
    }
    println!("{count} replies, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn such_a_reply_plays_and_the_opponent_reads_the_words_and_no_more() {
    let mut number = 0;
    for language in LANGUAGES.iter().step_by(5) {
        let mut stage = Stage::with(|config| config.extensions = false).peopled();
        let mut begin = || {
            let (said, done, mails) =
                stage.submit(Operator::AsAnyone, "dvonn challenge -symmetry -seed=7 ann bob");
            assert!(done, "{said}");
            mails.into_iter().find(|mail| mail.to == "ann@example.org").unwrap()
        };
        let many = replies(language, &Board::of(&begin())).len();
        for nth in (0..many).filter(|nth| nth % 4 == 2 || nth % 7 == 0) {
            number += 1;
            let mut begin = || {
                let (_, _, mails) =
                    stage.submit(Operator::AsAnyone, "dvonn challenge -symmetry -seed=7 ann bob");
                mails.into_iter().find(|mail| mail.to == "ann@example.org").unwrap()
            };
            let reply = replies(language, &Board::of(&begin())).swap_remove(nth);
            let mails = stage.receive(&letter(&reply, number));
            let heard = mails.iter().find(|mail| mail.to == "bob@example.net");
            let heard = heard.unwrap_or_else(|| panic!("{} does not play: {mails:#?}", reply.what));
            assert!(
                heard.text.starts_with("bob, your move (ply 2): ann played D1-E1."),
                "{}: {}",
                reply.what,
                heard.text
            );
            let said: Vec<&str> = heard.text.lines().filter_map(|line| line.strip_prefix("| ")).collect();
            // A link too long for its line stands on the next one, whole.
            assert_eq!(said.join(" "), WORDS.join(" "), "{}", reply.what);
            assert!(!heard.text.lines().any(|line| line == "|"), "{}", reply.what);
        }
    }
}

#[test]
fn a_link_is_passed_on_whole_however_long_it_is() {
    for length in [60, 90, 300, 1_500] {
        let mut stage = Stage::with_a_game();
        let link = format!("https://example.org/{}?a=b&c=d-e", "x".repeat(length));
        let text = format!("Look at this: {link} and tell me.");
        let mails =
            stage.mail("ann@example.org", &format!("dvonn move 1 ann {} D1-E1", crate::support::ANN), &text);
        let heard = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap();
        let whole = heard.text.lines().any(|line| line.split(' ').any(|word| word == link));
        assert!(whole, "{length}: {}", heard.text);
        assert!(heard.raw().lines().all(|line| line.len() <= 998), "RFC 5322 2.1.1");
    }
}

/// How programs mark a quote in HTML; `*` stands for what is quoted, which no words introduce.
const MARKS: &[&str] = &[
    "<blockquote>*</blockquote>",
    "<blockquote type=cite>*</blockquote>",
    "<BLOCKQUOTE TYPE=CITE>*</BLOCKQUOTE>",
    "<div class=gmail_quote>*</div>",
    "<div class='gmail_quote gmail_quote_container'>*</div>",
    "<div class=x_gmail_quote>*</div>",
    "<div class=x_x_gmail_quote>*</div>",
    "<div class=ecxgmail_quote>*</div>",
    "<div class=gmail_extra><br><div class=gmail_quote>* <blockquote>*</blockquote></div></div>",
    "<div class=gmail_quote><div class=gmail_attr>*</div><blockquote class=gmail_quote>*</blockquote></div>",
    "<div class=moz-cite-prefix>*</div><blockquote>*</blockquote>",
    "<div class=x_moz-cite-prefix>*</div><blockquote>*</blockquote>",
    "<div class=moz-forward-container>*</div>",
    "<div class=protonmail_quote>*<blockquote class=protonmail_quote type=cite>*</blockquote></div>",
    "<div class=yahoo_quoted>*<blockquote>*</blockquote>*</div>",
    "<div id=ydp1f2yahoo_quoted_77>*</div>",
    "<div id=isReplyContent>*</div>",
    "<div class=OutlookMessageHeader>*</div>",
    "<div id=divRplyFwdMsg>*</div><div>*</div><p>*</p>",
    "<hr><div id=x_divRplyFwdMsg>*</div><div>*</div>",
    "<div id=appendonsend></div><hr><div>*</div><p>*</p>",
    "<hr id=stopSpelling>*<div>*</div>",
    "<hr id=zwchr><b>*</b><div>*</div>",
    "<div data-marker=__QUOTED_TEXT__>*</div>",
    "<div name=quote style='border-left:2px solid #C3D9E5'>*<div name=quoted-content>*</div></div>",
    "<div style='border:none;border-left:solid blue 1.5pt;padding:0cm 0cm 0cm 4.0pt'><p>*</p>*</div>",
    "<div><div style='border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0in 0in 0in'>*</div></div><p>*</p>",
    "<div style='border:none; border-top:solid #E1E1E1 1.0pt; padding:3.0pt 0cm 0cm 0cm'>*</div><p>*</p>*",
    "<div style='border-style:solid none none;border-top-width:1pt;padding:3pt 0cm 0cm'>*</div><p>*</p>",
    "<p id=reply-intro>*</p><blockquote>*</blockquote>",
    "<div id=OLK_SRC_BODY_SECTION>*</div>",
    "<div class=zmail_extra>*<blockquote>*</blockquote></div>",
    "<div id=mail-editor-reference-message-container><div class=ms-outlook-mobile-reference-message>*</div></div>",
    "<div class=tutanota_quote>*</div>",
    "<div class=gmail_signature>*</div>",
];

/// What of a page is the writer's.
fn new_of(html: &str) -> Vec<String> {
    let reply = Reply { what: html.to_owned(), content: page(html) };
    let site = Stage::new().site();
    let Incoming::Letter(letter) = read(&letter(&reply, 1), &Envelope::default(), &site) else {
        panic!("{html}")
    };
    words(&new_text(&letter.text).new).into_iter().map(str::to_owned).collect()
}

#[test]
fn the_marks_of_quotes_in_html_are_known_without_any_words() {
    for mark in MARKS {
        let quote = mark.replace('*', "A3-B3<br>an older line");
        for new in ["<div>D1-E1</div><div>Hello</div>", "D1-E1<br>Hello<br>", "<p>D1-E1</p><p>Hello</p>"] {
            assert_eq!(new_of(&format!("<div>{new}{quote}</div>")), ["D1-E1", "Hello"], "{mark}");
            assert_eq!(new_of(&format!("{new}{quote}")), ["D1-E1", "Hello"], "{mark}");
        }
    }
}

#[test]
fn words_below_a_quote_in_html_are_new_where_it_ends() {
    let ends =
        |mark: &&&str| !mark.contains("divRply") && !mark.contains("appendon") && !mark.contains("<hr id");
    for mark in MARKS.iter().filter(ends).filter(|mark| !mark.contains("border-top")) {
        let quote = mark.replace('*', "A3-B3<br>an older line");
        assert_eq!(new_of(&format!("{quote}<div>D1-E1</div><div>Hello</div>")), ["D1-E1", "Hello"], "{mark}");
        assert_eq!(new_of(&format!("D1-E1{quote}<p>Hello</p>")), ["D1-E1", "Hello"], "{mark}");
    }
    // Gmail and Proton leave the writer's words in the element of the quote.
    for class in ["gmail_quote", "protonmail_quote"] {
        let html = format!("<div class={class}>no<br><blockquote>no</blockquote><div>D1-E1</div>Hello</div>");
        assert_eq!(new_of(&html), ["D1-E1", "Hello"]);
    }
    // Indented words are no quote.
    let indented =
        "<blockquote style=\"margin:0 0 0 40px;border:none;padding:0px\">D1-E1<br>Hello</blockquote>";
    assert_eq!(new_of(indented), ["D1-E1", "Hello"]);
}
