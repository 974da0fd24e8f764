//! Reads the data after DATA (RFC 5321 4.5.2).

/// A mail that is arriving.
#[derive(Debug)]
pub(super) struct Data {
    kept: Vec<u8>,
    limit: usize,
    over: bool,
    at: LineState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineState {
    Start,
    Cr,
    /// After a dot at the start of a line, which is held back.
    Dot,
    /// After that dot and a CR.
    DotCr,
    Inside,
}

impl Data {
    pub fn new(limit: usize) -> Self {
        Data { kept: Vec::new(), limit, over: false, at: LineState::Start }
    }

    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// Takes octets up to CR LF `.` CR LF. Returns the octets after it once it has arrived.
    ///
    /// A bare LF starts no line: `\n.\n` and `\n.\r\n` belong to the mail.
    pub fn feed<'b>(&mut self, mut bytes: &'b [u8]) -> Option<&'b [u8]> {
        while let [octet, rest @ ..] = bytes {
            if self.at == LineState::Inside {
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
                (LineState::Start, b'.') => LineState::Dot,
                (LineState::Dot, b'\r') => LineState::DotCr,
                (LineState::DotCr, b'\n') => return Some(rest),
                // Not the end: the dot was stuffed and is removed (RFC 5321 4.5.2).
                (LineState::DotCr, b'\r') => self.keep_as(b"\r\r", LineState::Cr),
                (LineState::DotCr, octet) => self.keep_as(&[b'\r', *octet], LineState::Inside),
                (LineState::Cr, b'\n') => self.keep_as(b"\n", LineState::Start),
                (_, b'\r') => self.keep_as(b"\r", LineState::Cr),
                (_, octet) => self.keep_as(&[*octet], LineState::Inside),
            };
            bytes = rest;
        }
        None
    }

    /// The mail; `None` if it was over the limit.
    pub fn end(self) -> Option<Vec<u8>> {
        (!self.over).then_some(self.kept)
    }

    fn keep_as(&mut self, octets: &[u8], at: LineState) -> LineState {
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
