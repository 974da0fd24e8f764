//! Reads the data behind DATA (RFC 5321 4.5.2).

/// A mail that is arriving.
#[derive(Debug)]
pub(super) struct Data {
    kept: Vec<u8>,
    limit: usize,
    over: bool,
    at: At,
}

/// The place in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// At the start of a line.
    Start,
    Cr,
    /// Behind a dot at the start of a line, which is held back.
    Dot,
    /// Behind that dot and a CR.
    DotCr,
    Inside,
}

impl Data {
    pub fn new(limit: usize) -> Self {
        Data { kept: Vec::new(), limit, over: false, at: At::Start }
    }

    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// Takes octets up to CR LF `.` CR LF; gives the rest behind it once it has arrived.
    ///
    /// A bare LF starts no line: `\n.\n` and `\n.\r\n` belong to the mail.
    pub fn feed<'b>(&mut self, mut bytes: &'b [u8]) -> Option<&'b [u8]> {
        while let [octet, rest @ ..] = bytes {
            if self.at == At::Inside {
                // Most of a mail takes this fast path, up to the next CR.
                let end = bytes.iter().position(|octet| *octet == b'\r').unwrap_or(bytes.len());
                let (plain, rest) = bytes.split_at_checked(end).unwrap_or((bytes, &[]));
                if !plain.is_empty() {
                    self.keep(plain);
                    bytes = rest;
                    continue;
                }
            }
            self.at = match (self.at, octet) {
                (At::Start, b'.') => At::Dot,
                (At::Dot, b'\r') => At::DotCr,
                (At::DotCr, b'\n') => return Some(rest),
                // Not the end: the dot was stuffed and is removed (RFC 5321 4.5.2).
                (At::DotCr, b'\r') => self.keep_as(b"\r\r", At::Cr),
                (At::DotCr, octet) => self.keep_as(&[b'\r', *octet], At::Inside),
                (At::Cr, b'\n') => self.keep_as(b"\n", At::Start),
                (_, b'\r') => self.keep_as(b"\r", At::Cr),
                (_, octet) => self.keep_as(&[*octet], At::Inside),
            };
            bytes = rest;
        }
        None
    }

    /// The mail; `None` if it was over the limit.
    pub fn end(self) -> Option<Vec<u8>> {
        (!self.over).then_some(self.kept)
    }

    fn keep_as(&mut self, octets: &[u8], at: At) -> At {
        self.keep(octets);
        at
    }

    fn keep(&mut self, octets: &[u8]) {
        if self.over || self.kept.len() + octets.len() > self.limit {
            // The rest is read and dropped.
            self.over = true;
            self.kept = Vec::new();
            return;
        }
        self.kept.extend_from_slice(octets);
    }
}
