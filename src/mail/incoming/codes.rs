//! Character codes of mail that the Web has dropped, and so the library that follows it.

use charset::Charset;

/// A code that we decode ourselves.
#[derive(Debug, Clone, Copy)]
pub(super) enum Code {
    /// RFC 1557.
    Iso2022Kr,
    /// RFC 1843.
    HzGb2312,
    /// A code page of DOS: the characters of its upper half.
    Page(&'static str),
}

impl Code {
    /// The code of a label in lower case.
    pub fn for_label(label: &str) -> Option<Code> {
        let page = label.trim_start_matches("x-").trim_start_matches("cs").trim_start_matches("pc");
        let page = page.trim_start_matches("ibm").trim_start_matches("cp").trim_start_matches(['-', '_']);
        Some(match (label, page) {
            ("iso-2022-kr" | "iso2022-kr" | "iso2022kr" | "csiso2022kr", _) => Code::Iso2022Kr,
            ("hz-gb-2312" | "hz" | "hzgb2312" | "x-hz", _) => Code::HzGb2312,
            (_, "437" | "8codepage437") => Code::Page(CP437),
            (_, "850" | "850multilingual") => Code::Page(CP850),
            (_, "852" | "p852") => Code::Page(CP852),
            (_, "858" | "00858" | "multilingual850euro") => Code::Page(CP858),
            _ => return None,
        })
    }

    pub fn decode(self, bytes: &[u8]) -> String {
        match self {
            Code::Iso2022Kr => by_library("euc-kr", &iso_2022_kr(bytes)),
            Code::HzGb2312 => by_library("gbk", &hz(bytes)),
            Code::Page(upper) => {
                let upper: Vec<char> = upper.chars().collect();
                let character = |b: &u8| match b.checked_sub(128) {
                    Some(place) => {
                        upper.get(usize::from(place)).copied().unwrap_or(char::REPLACEMENT_CHARACTER)
                    }
                    None => char::from(*b),
                };
                bytes.iter().map(character).collect()
            }
        }
    }
}

fn by_library(label: &str, bytes: &[u8]) -> String {
    match Charset::for_label(label.as_bytes()) {
        Some(charset) => charset.decode(bytes).0.into_owned(),
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// As EUC-KR: behind SO two octets stand for a character, up to SI or the end of the line.
fn iso_2022_kr(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut korean = false;
    let mut rest = bytes;
    while let [octet, after @ ..] = rest {
        rest = match (octet, rest.strip_prefix(b"\x1B$)C")) {
            (_, Some(after)) => after,
            (0x0E, _) => {
                korean = true;
                after
            }
            (0x0F, _) => {
                korean = false;
                after
            }
            _ => {
                korean &= *octet != b'\n';
                let is_half = korean && (0x21..=0x7E).contains(octet);
                out.push(if is_half { octet | 0x80 } else { *octet });
                after
            }
        };
    }
    out
}

/// As GBK: between `~{` and `~}` two octets stand for a character; `~~` is a tilde; `~` at its end joins a line.
fn hz(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut chinese = false;
    let mut rest = bytes;
    while let [octet, after @ ..] = rest {
        rest = match rest {
            [b'~', b'{', after @ ..] if !chinese => {
                chinese = true;
                after
            }
            [b'~', b'}', after @ ..] if chinese => {
                chinese = false;
                after
            }
            [b'~', b'~', after @ ..] if !chinese => {
                out.push(b'~');
                after
            }
            [b'~', b'\n', after @ ..] | [b'~', b'\r', b'\n', after @ ..] if !chinese => after,
            [high @ 0x21..=0x7D, low @ 0x21..=0x7E, after @ ..] if chinese => {
                out.extend([high | 0x80, low | 0x80]);
                after
            }
            _ => {
                // RFC 1843: a line ends in ASCII.
                chinese &= *octet != b'\n';
                out.push(*octet);
                after
            }
        };
    }
    out
}

const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}";

const CP852: &str = "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
    └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\u{A0}";

const CP858: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}";

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn every_code() {
        for (label, bytes, text) in [
            ("iso-2022-kr", &b"\x1B$)C\x0E>H3g\x0F hi \x0EGQ\x0F\nx"[..], "안녕 hi 한\nx"),
            ("iso-2022-kr", b"\x1B$)C\x0EGQ\nhelp", "한\nhelp"),
            ("hz-gb-2312", b"~{<:Ky2;S{#,NpJ)l6HK!#~}Bye. ~~ a~\nb", "己所不欲，勿施於人。Bye. ~ ab"),
            ("cp437", b"\x80\xE1\xFF\x9B", "Çß\u{A0}¢"),
            ("ibm850", b"\x81\xE1\xF0\xD5", "üß\u{AD}ı"),
            ("cp858", b"\xD5", "€"),
            ("x-cp852", b"\x9F\xFE", "č■"),
            ("cspc8codepage437", b"\x84", "ä"),
        ] {
            assert_eq!(Code::for_label(label).unwrap().decode(bytes), text, "{label}");
        }
        assert!(Code::for_label("utf-8").is_none());
        for page in [super::CP437, super::CP850, super::CP852, super::CP858] {
            assert_eq!(page.chars().count(), 128);
        }
    }
}
