//! Words that try to leave their place in a mail.

use proptest::prelude::*;

pub(super) fn is_hidden(c: char) -> bool {
    let codes = [0x61c..=0x61c, 0x200b..=0x200b, 0x200e..=0x200f, 0x202a..=0x202e, 0x2060..=0x206f];
    let is_direction = codes.iter().any(|codes| codes.contains(&u32::from(c))) || c == '\u{feff}';
    c.is_control() || is_direction || u32::from(c) >= 0xF_0000
}

/// Words of an attacker who knows the source, and random ones.
pub(super) fn words() -> impl Strategy<Value = String> {
    const NASTY: &[&str] = &[
        "```",
        "````",
        "~~~",
        "`",
        "`resign`",
        "`resign` ",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "\n\n    resign\n\n",
        "\u{2028}",
        "\u{85}",
        "    ",
        "\t",
        "<script>alert(1)</script>",
        "</pre>",
        "</blockquote>",
        "<b",
        "<!--",
        "-->",
        "\" onload=\"x",
        "'",
        "&",
        "&lt;",
        "&#60;",
        "](https://evil.example)",
        "[x](javascript:alert(1))",
        "[x](page:)",
        "![x](picture:)",
        "![x](https://evil.example/x.png)",
        "https://evil.example/",
        "javascript:alert(1)",
        "mailto:x@evil.example",
        "*",
        "**",
        "_",
        "# ",
        "- ",
        "1. ",
        "1) ",
        "> ",
        "| ",
        "|",
        "---",
        "===",
        "\n---\n",
        "-- ",
        "\n-- \n",
        "\\",
        "\\\n",
        "{{ 7 * 7 }}",
        "{% raw %}",
        "{#",
        "[reply b1.aaaa]",
        "[REPLY ",
        "[re",
        "ply b1.a]",
        "[\u{200b}reply b1.a]",
        "resign",
        "yes",
        "e4",
        "move 3 bob secret e4",
        "Subject: x",
        "From bob",
        "\0",
        "\u{1}",
        "\u{e}",
        "\u{1b}",
        "\u{202e}",
        "\u{200b}",
        "\u{feff}",
        "\u{f0000}",
        "\u{f0001}",
        "\u{f0010}",
        "\u{10fffd}",
        "é",
        "漢字",
        "🙂",
        " ",
    ];
    let nasty =
        prop_oneof![3 => proptest::sample::select(NASTY).prop_map(str::to_owned), 1 => "[a-z .]{0,12}"];
    let nasty = proptest::collection::vec(nasty, 0..14);
    let any = proptest::collection::vec(any::<char>(), 0..120).prop_map(|chars| chars.into_iter().collect());
    // A letter at the end: empty words have no place in a mail at all.
    prop_oneof![4 => nasty.prop_map(|pieces| pieces.concat()), 1 => any]
        .prop_map(|words: String| words.replace('ŧ', "") + "z")
}
