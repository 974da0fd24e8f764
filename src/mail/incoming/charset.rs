//! Decodes text, with missing and wrong labels.

use charset::Charset;

/// Decodes as UTF-8 if the bytes are valid UTF-8 and the label is missing or a one-byte code. Otherwise the
/// label decides. Unlabelled bytes that are no UTF-8 are mostly windows-1252.
pub(super) fn decode(bytes: &[u8], label: Option<&str>) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let declared = label.and_then(|label| Charset::for_label_no_replacement(label.trim().as_bytes()));
    let utf8 = std::str::from_utf8(bytes);
    match (declared, utf8) {
        (None, Ok(text)) => text.to_owned(),
        // RFC 2045 5.2 takes a missing label for US-ASCII, but US-ASCII has no eighth bit.
        (None, Err(_)) => {
            let western =
                Charset::for_label(b"windows-1252").map(|western| western.decode(bytes).0.into_owned());
            western.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned())
        }
        // Text in a one-byte code is hardly ever valid UTF-8 by accident.
        (Some(declared), Ok(text)) if of_one_octet(declared.name()) => text.to_owned(),
        (Some(declared), _) => declared.decode(bytes).0.into_owned(),
    }
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
        assert_eq!(decode(b"h\0i\0", Some("utf-16le")), "hi");
        assert_eq!(decode(b"\xF0\xE5", Some("koi8-r")), "ПЕ");
    }
}
