//! Reports by mail servers and providers about our mails.

/// What a report says, and where it goes.
#[derive(Default)]
pub struct Report<'a> {
    pub to: &'a str,
    /// To whom the mail went.
    pub about: &'a str,
    /// Its Message-ID.
    pub id: &'a str,
    /// The status of a failure, `5.1.1` unless it is told.
    pub status: &'a str,
    /// What the other server said.
    pub said: &'a str,
    /// The kind of a complaint, `abuse` unless it is told.
    pub kind: &'a str,
    /// The origin of the mail according to a complaint. Most complaints leave the recipient out.
    pub path: &'a str,
    /// Makes it another than those before.
    pub number: usize,
}

const PARTS: &str = "Content-Type: multipart/report; boundary=b; report-type=";

impl Report<'_> {
    /// A failure as Postfix writes it (RFC 3464).
    pub fn failure(&self) -> Vec<u8> {
        let said = if self.said.is_empty() { "" } else { "Diagnostic-Code: smtp; " };
        let status = if self.status.is_empty() { "5.1.1" } else { self.status };
        self.mail(&format!(
            "Subject: Undelivered Mail Returned to Sender\n{PARTS}delivery-status\n\n--b\n\nSorry.\n--b\n\
             Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n\
             Final-Recipient: rfc822; {}\nAction: failed\nStatus: {status}\n{said}{}\n--b\n\
             Content-Type: text/rfc822-headers\n\nMessage-ID: {}\n\n--b--\n",
            self.about, self.said, self.id
        ))
    }

    /// The same in plain words.
    pub fn words(&self) -> Vec<u8> {
        let Report { about, id, .. } = self;
        self.mail(&format!(
            "Subject: failure notice\nX-Failed-Recipients: {about}\n\n<{about}>:\n550 5.1.1 no such user\n\n\
             --- Below this line is a copy of the message.\n\nMessage-ID: {id}\n"
        ))
    }

    /// A complaint (RFC 5965): what a provider writes when a reader of its own calls a mail unwanted.
    pub fn complaint(&self) -> Vec<u8> {
        let kind = if self.kind.is_empty() { "abuse" } else { self.kind };
        let about = match self.path {
            "" => format!("Original-Rcpt-To: <{}>", self.about),
            path => format!("Original-Mail-From: <{path}>"),
        };
        self.mail(&format!(
            "Subject: FW: dvonn\n{PARTS}feedback-report\n\n--b\n\nA report.\n--b\n\
             Content-Type: message/feedback-report\n\nFeedback-Type: {kind}\nUser-Agent: Provider/1\nVersion: 1\n\
             {about}\n\n--b\nContent-Type: message/rfc822\n\nFrom: play@turnpost.example\nMessage-ID: {}\n\nx\n--b--\n",
            self.id
        ))
    }

    fn mail(&self, rest: &str) -> Vec<u8> {
        let Report { to, number, .. } = self;
        let head =
            format!("From: MAILER-DAEMON@mx.example\nTo: {to}\nMessage-ID: <report.{number}@mx.example>\n");
        (head + rest).replace('\n', "\r\n").into_bytes()
    }
}
