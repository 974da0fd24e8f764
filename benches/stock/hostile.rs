//! Mails of people who mean harm, of any size: what the bench `hostile` times.

/// A kind of mail that was, or could be, dear to read.
pub struct Shape {
    pub name: &'static str,
    /// The header after From and Message-ID, and the body, of about the given number of bytes.
    make: fn(usize) -> (String, String),
}

impl Shape {
    /// The mail of ann, with a Message-ID of its own.
    pub fn mail(&self, size: usize, number: usize) -> Vec<u8> {
        let (header, body) = (self.make)(size);
        let front = format!(
            "Return-Path: <ann@example.org>\nFrom: ann@example.org\nMessage-ID: <hostile.{number}@example.org>\n"
        );
        format!("{front}{header}\n{body}").into_bytes()
    }
}

/// Text of about `size` bytes, from pieces by number.
fn fill(size: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size + 100);
    for n in 0.. {
        if text.len() >= size {
            break;
        }
        text += &piece(n);
    }
    text
}

/// Four letters that no other number has below half a million.
fn word(n: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    [n, n / 26, n / 676, n / 17_576].map(letter).iter().collect()
}

fn plain(body: String) -> (String, String) {
    (String::new(), body)
}

/// The body below a command that passes it on.
fn said(body: String) -> (String, String) {
    ("Subject: message ann plover-42 bob\n".to_owned(), body)
}

fn html(body: String) -> (String, String) {
    ("Content-Type: text/html\n".to_owned(), body)
}

pub const SHAPES: &[Shape] = &[
    Shape {
        name: "distinct lines beside a reply marker",
        make: |size| plain(fill(size, |n| format!("{}\n", word(n))) + "see [reply x]\n"),
    },
    Shape {
        name: "quoted lines beside a reply marker",
        make: |size| plain(fill(size, |n| format!("> {}\nx{n}\n", word(n))) + "> see [reply b1.aa]\n"),
    },
    Shape {
        name: "lines like attributions",
        make: |size| {
            plain(fill(size, |n| format!("On Mon, 16 Nov 2026 at 12:{:02}, Ann <a@x.org>\n\n", n % 60)))
        },
    },
    Shape {
        name: "attributions with quotes",
        make: |size| plain(fill(size, |n| format!("On 16 Nov 2026 Ann wrote:\n\n> {}\n\nyes\n", word(n)))),
    },
    Shape {
        name: "empty lines",
        make: |size| plain(fill(size, |_| "\n".into()) + "On Friday Ann wrote:\n\n"),
    },
    Shape {
        name: "encoded words",
        make: |size| {
            let subject = fill(size / 8, |n| format!(" =?utf-8?Q?{}=C3=A9?=\n", word(n)));
            (format!("Subject:{subject}"), fill(size / 8 * 7, |n| format!("=?utf-8?B?{}?=\n", word(n))))
        },
    },
    Shape {
        name: "encoded words in the headers of parts",
        make: |size| {
            let value = fill(size / 90, |_| " =?utf-8?Q?=C3=A9?=\n".into());
            let parts = fill(size, |_| format!("--b\nContent-Type:{value}Content-Disposition:{value}\nx\n"));
            ("Content-Type: multipart/mixed; boundary=b\n".into(), parts + "--b--\n")
        },
    },
    Shape {
        name: "a flood of header fields",
        make: |size| (fill(size, |n| format!("{}: x\n", word(n))), "help\n".into()),
    },
    Shape {
        name: "short header fields",
        make: |size| (fill(size / 8, |_| "A:\n".into()), fill(size / 8 * 7, |_| "a: \n".into())),
    },
    Shape {
        name: "parts in parts",
        make: |size| {
            let mut header = "Content-Type: multipart/mixed; boundary=b0\n".to_owned();
            let mut body = String::new();
            for n in 0..18 {
                body += &format!("--b{n}\nContent-Type: multipart/mixed; boundary=b{}\n\n", n + 1);
            }
            header += "MIME-Version: 1.0\n";
            (header, body + &fill(size, |n| format!("--b{}x{}\n", n % 18, word(n))))
        },
    },
    Shape {
        name: "many parts",
        make: |size| {
            let text = fill(size / 98, |n| format!("{} ", word(n)));
            let parts = fill(size, |_| format!("--b\nContent-Type: text/plain\n\n{text}\n"));
            ("Content-Type: multipart/mixed; boundary=b\n".into(), parts + "--b--\n")
        },
    },
    Shape {
        name: "html tables",
        make: |size| {
            let cell = "x".repeat(size / 9_000);
            html(fill(size, |n| if n % 190 == 0 { "</table><table>".into() } else { format!("<td>{cell}") }))
        },
    },
    Shape {
        name: "html that is never closed",
        make: |size| {
            let text = "x &amp; ".repeat(size / 1_500);
            html(
                "<div><b><i><table>".repeat(40) + &fill(size, |_| format!("<a href='x'>{text}<p")) + "<!-- <",
            )
        },
    },
    Shape {
        name: "html attributes",
        make: |size| html(format!("<p {}", fill(size, |n| format!("{}=x ", word(n))))),
    },
    Shape {
        name: "html line breaks",
        make: |size| html(fill(size, |n| format!("<br>{}", " ".repeat(size / 9_000 + n % 2)))),
    },
    Shape {
        name: "base64 noise",
        make: |size| {
            let body = fill(size, |n| format!("{}*{}=\n", word(n), word(n + 7)));
            ("Content-Transfer-Encoding: base64\n".into(), body)
        },
    },
    Shape {
        name: "soft line ends",
        make: |size| {
            let header = "Content-Type: text/plain; charset=utf-7; format=flowed; delsp=yes\nContent-Transfer-Encoding: quoted-printable\n";
            (header.into(), fill(size, |n| format!("{}=\n> =3D+A{} \n", word(n), word(n))))
        },
    },
    Shape {
        name: "characters of utf-7",
        make: |size| ("Content-Type: text/plain; charset=utf-7\n".into(), "+AGE-".repeat(size / 5)),
    },
    Shape {
        name: "passwords to mask",
        make: |size| said(fill(size, |n| format!("dvonn move {n} ann {} F3\n", word(n)))),
    },
    Shape {
        name: "passwords of people who are not there",
        make: |size| said(fill(size, |n| format!("dvonn move {n} u{} {} F3\n", word(n), word(n)))),
    },
    Shape { name: "one long password", make: |size| said(format!("who ann {}\n", "a ".repeat(size / 2))) },
    Shape {
        name: "words like tokens",
        make: |size| {
            said(fill(size, |n| format!("b{n}.{}\n>{} %25{}&#46;", word(n).repeat(3), word(n), word(n))))
        },
    },
    Shape { name: "one run of base32", make: |size| said(fill(size, word)) },
    Shape {
        name: "fifty commands",
        make: |size| {
            plain(fill(size, |n| format!("dvonn preview {}\n", format!("{} ", word(n)).repeat(size / 300))))
        },
    },
    Shape {
        name: "messages without an end",
        make: |size| {
            plain("dvonn chat 1 ann plover-42\n".repeat(45) + &fill(size, |n| format!("{}\n", word(n))))
        },
    },
    Shape {
        name: "lines near commands",
        make: |size| plain(fill(size, |n| format!("sho{} mov{}\n", word(n), word(n)))),
    },
    Shape {
        name: "many addresses",
        make: |size| {
            let list = fill(size / 16, |n| format!(" {} <{}@x.org>,\n", word(n), word(n)));
            let body = fill(size / 8 * 7, |n| format!("<{}@x.org>\n", word(n)));
            (format!("To:{list} play@turnpost.example\nReferences:{}", list.replace(',', "")), body)
        },
    },
    Shape { name: "long words", make: |size| plain(format!("{}\n", "x".repeat(9_000)).repeat(size / 9_001)) },
    Shape { name: "one line", make: |size| said("\u{e9} ".repeat(size / 3)) },
    Shape {
        name: "a report of many recipients",
        make: |size| {
            let groups =
                fill(size, |n| format!("\nFinal-Recipient: rfc822; {}@x.org\nStatus: 5.1.1\n", word(n)));
            let body = format!("--b\nContent-Type: message/delivery-status\n\n{groups}\n--b--\n");
            ("Content-Type: multipart/report; boundary=b\nX-Failed-Recipients: a@x.org\n".into(), body)
        },
    },
    Shape {
        name: "a report in prose",
        make: |size| {
            let body = fill(size, |n| format!("<{}@x.org>: 550 unknown\n", word(n)));
            ("Auto-Submitted: auto-replied\nSubject: failure\n".into(), body)
        },
    },
];
