//! Decodes text, even if its label is missing or wrong.

use charset::Charset;

/// Decodes by the label, unless the bytes are valid UTF-8 and the label is missing or clearly wrong. Without a label,
/// other bytes are windows-1252.
pub(super) fn decode(bytes: &[u8], label: Option<&str>) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let label = label.map(plain).unwrap_or_default();
    let utf8 = std::str::from_utf8(bytes).ok();
    if let Some(text) = escaped(bytes) {
        return text;
    }
    match (Charset::for_label_no_replacement(label.as_bytes()), utf8) {
        // RFC 2045 5.2 reads a missing label as US-ASCII, but US-ASCII has no eighth bit.
        (None, Some(text)) => text.to_owned(),
        (None, None) => western(bytes),
        (Some(declared), Some(text)) if is_wrong(declared, bytes, text) => text.to_owned(),
        (Some(declared), utf8) => {
            // Text in other Japanese encodings is also labelled ISO-2022-JP.
            let other = ["euc-jp", "shift_jis"].map(|label| Charset::for_label(label.as_bytes()));
            let other = other.into_iter().flatten().filter(|_| declared.name() == "ISO-2022-JP");
            if let Some(text) = other.map(|other| other.decode(bytes)).find(|(.., has_errors)| !has_errors) {
                return text.0.into_owned();
            }
            let text = decoded(declared, bytes);
            // Labelled UTF-8, but without one valid character beyond ASCII.
            let all_wrong = || text.chars().all(|c| c.is_ascii() || c == char::REPLACEMENT_CHARACTER);
            if declared.name() == "UTF-8" && utf8.is_none() && all_wrong() { western(bytes) } else { text }
        }
    }
}

/// Text in ISO-2022 (RFC 1468, 1557, 1922), recognised by its escapes under any label. -KR and -CN are decoded as
/// EUC-KR and GBK, after setting the eighth bit.
fn escaped(bytes: &[u8]) -> Option<String> {
    const JAPANESE: [&str; 5] = ["$B", "$@", "(J", "(I", "$(D"];
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.is_ascii() && text.contains('\x1B'))?;
    let escapes = || text.split('\x1B').skip(1);
    let is_set = |set: &str| escapes().any(|behind| behind.starts_with(set));
    let shifted = [("$)C", "euc-kr"), ("$)A", "gbk")].into_iter().find(|(set, _)| is_set(set));
    let Some((set, label)) = shifted else {
        let is_japanese = JAPANESE.into_iter().any(is_set);
        return is_japanese.then(|| Charset::for_label(b"iso-2022-jp").map(|code| decoded(code, bytes)))?;
    };
    let mut eighth = 0;
    let mut octets = Vec::with_capacity(bytes.len());
    for octet in text.replace(&format!("\x1B{set}"), "").bytes() {
        match octet {
            0x0E => eighth = 0x80,
            0x0F => eighth = 0,
            0x21..=0x7E => octets.push(octet | eighth),
            _ => octets.push(octet),
        }
    }
    Some(decoded(Charset::for_label(label.as_bytes())?, &octets))
}

/// The label in a `<meta>` near the front of HTML. A label of UTF-16 is ignored: the `<meta>` could not be read then.
pub(super) fn in_meta(html: &[u8]) -> Option<String> {
    const FRONT: usize = 4096;
    let front = String::from_utf8_lossy(html.get(..FRONT).unwrap_or(html)).to_ascii_lowercase();
    front.split("<meta").skip(1).find_map(|tag| {
        let (_, value) = tag.split('>').next()?.split_once("charset")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start_matches(['"', '\'', ' ']);
        let label = value.split(['"', '\'', ' ', ';', '/']).next()?;
        (!label.is_empty() && !label.starts_with("utf-16")).then(|| label.to_owned())
    })
}

/// True for a label that covers only ASCII, or is unknown.
pub(super) fn is_ascii(label: &str) -> bool {
    Charset::for_label_no_replacement(plain(label).as_bytes()).is_none() || plain(label).ends_with("ascii")
}

/// Decodes UTF-7 in pieces, because the library takes quadratic time. Its only state is in base64, which ends at the
/// first other octet.
fn decoded(charset: Charset, bytes: &[u8]) -> String {
    const PIECE: usize = 1024;
    if charset.name() != UTF_7 {
        return charset.decode(bytes).0.into_owned();
    }
    let is_base64 = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/');
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let behind = rest.get(PIECE..).unwrap_or_default();
        let end = behind.iter().position(|octet| !is_base64(octet)).map_or(rest.len(), |at| PIECE + at + 1);
        let (piece, after) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        text.push_str(&charset.decode_without_bom_handling(piece).0);
        rest = after;
    }
    text
}

const UTF_7: &str = "UTF-7";

fn western(bytes: &[u8]) -> String {
    let western = Charset::for_label(b"windows-1252").map(|western| western.decode(bytes).0.into_owned());
    western.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned())
}

/// A text with this number of long UTF-8 sequences is not in another encoding by accident.
const NO_ACCIDENT: usize = 5;

/// True if the declared encoding is wrong for bytes that are valid UTF-8, which `text` is.
fn is_wrong(declared: Charset, bytes: &[u8], text: &str) -> bool {
    if declared.name().starts_with("UTF-16") {
        return !bytes.contains(&0);
    }
    if text.is_ascii() {
        return false;
    }
    // UTF-7 has no eighth bit.
    if declared.name() == UTF_7 {
        return true;
    }
    // Text in a one-byte code is rarely valid UTF-8, and UTF-8 read in a multi-byte code rarely makes sense.
    of_one_octet(declared.name())
        || declared.decode_without_bom_handling(bytes).1
        || text.chars().filter(|c| c.len_utf8() > 2).count() >= NO_ACCIDENT
}

/// A label as the library spells it: `"ISO 8859-1"` and `iso8859_1;` are `iso-8859-1`.
fn plain(label: &str) -> String {
    let label = label.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '<' | '>'));
    let label = label.to_ascii_lowercase();
    let short: String = label.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect();
    match short.as_str() {
        "utf8" | "utf8mb4" | "xutf8" | "unicode11utf8" | "unicode20utf8" => return "utf-8".to_owned(),
        "cp932" | "xmscp932" | "mscp932" => return "shift_jis".to_owned(),
        "iso88598i" | "iso88598e" => return "iso-8859-8-i".to_owned(),
        "cp936" | "ms936" | "xgbk" => return "gbk".to_owned(),
        "cp949" | "ms949" | "uhc" | "ksc5601" => return "euc-kr".to_owned(),
        "cp950" | "big5eten" => return "big5".to_owned(),
        "cp866" | "ibm866" | "xcp866" => return "ibm866".to_owned(),
        _ => {}
    }
    if let Some(part) = short.strip_prefix("iso8859").filter(|part| part.len() <= 2) {
        return format!("iso-8859-{part}");
    }
    if let Some(page) =
        short.strip_prefix("windows").or(short.strip_prefix("cp")).or(short.strip_prefix("xcp"))
        && page.starts_with("125")
    {
        return format!("windows-{page}");
    }
    label
}

fn of_one_octet(name: &str) -> bool {
    ["windows-", "ISO-8859-", "KOI8-", "IBM866", "macintosh", "x-mac-"]
        .iter()
        .any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn labels_missing_and_wrong() {
        assert_eq!(decode("zoë ⬡".as_bytes(), None), "zoë ⬡");
        assert_eq!(decode("zoë ⬡".as_bytes(), Some("iso-8859-1")), "zoë ⬡");
        assert_eq!(decode("zoë ⬡".as_bytes(), Some("us-ascii")), "zoë ⬡");
        assert_eq!(decode(b"zo\xEB", None), "zoë");
        assert_eq!(decode(b"zo\xEB", Some("x-nobody-knows")), "zoë");
        assert_eq!(decode(b"zo\xEB \x96", Some("iso-8859-1")), "zoë –");
        assert_eq!(decode(b"\x1B$B$\"\x1B(B", Some("ISO-2022-JP")), "あ");
        assert_eq!(decode(b"zo+AOs-", Some("utf-7")), "zoë");
        assert_eq!(decode(b"zo+AOs-", Some("unicode-1-1-utf-7")), "zoë");
        for shift in 0..8 {
            let long = format!("{}{}", "x".repeat(shift), "zo+AOs- a+-b +AOs.".repeat(400));
            let plain = format!("{}{}", "x".repeat(shift), "zoë a+b ë.".repeat(400));
            assert_eq!(decode(long.as_bytes(), Some("utf-7")), plain);
        }
        assert_eq!(decode(b"h\0i\0", Some("utf-16le")), "hi");
        assert_eq!(decode(b"\xF0\xE5", Some("koi8-r")), "ПЕ");
    }

    #[test]
    fn utf_8_wins_over_any_label_that_is_plainly_wrong() {
        let chinese = "輪到您了，請下棋";
        for label in
            ["big5", "gbk", "gb18030", "shift_jis", "euc-kr", "euc-jp", "utf-16", "iso-2022-jp", "utf-7"]
        {
            assert_eq!(decode(chinese.as_bytes(), Some(label)), chinese, "{label}");
        }
        for label in
            ["hz-gb-2312", "iso-2022-kr", "cp437", "windows-1251", "koi8-r", "ansi_x3.110", "unknown-8bit"]
        {
            assert_eq!(decode(chinese.as_bytes(), Some(label)), chinese, "{label}");
        }
        assert_eq!(decode(b"\xB1z\xA6n", Some("big5")), "您好");
        assert_eq!(decode(b"\xC4\xE3\xBA\xC3", Some("gb2312")), "你好");
        assert_eq!(decode(b"zo\xEB", Some("utf-8")), "zoë");
        assert_eq!(decode(b"zo\xEB \xE2\x98\x83", Some("utf-8")), "zo\u{FFFD} ☃");
    }

    #[test]
    fn labels_in_every_dress() {
        for label in
            ["'ISO-8859-2'", "iso8859_2", "ISO 8859-2", "\"iso-8859-2\";", "latin2", "ISO_8859-2:1987"]
        {
            assert_eq!(decode(b"\xE8", Some(label)), "č", "{label}");
        }
        for label in ["cp1251", "windows-1251", "windows1251", "x-cp1251", "CP-1251"] {
            assert_eq!(decode(b"\xF5\xEE\xE4", Some(label)), "ход", "{label}");
        }
        assert_eq!(decode(b"\x95\xAE\xA4", Some("cp866")), "Ход");
        assert_eq!(decode(b"\x82\xA0", Some("cp932")), "あ");
    }
}
