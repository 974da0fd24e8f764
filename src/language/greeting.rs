//! Words by which people begin a letter, or ask whether anybody is there.

/// First words of a greeting, in the languages of those who write to us.
const GREETINGS: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "hallo",
    "hullo",
    "dear",
    "good",
    "morning",
    "greetings",
    "moin",
    "servus",
    "liebe",
    "lieber",
    "guten",
    "salut",
    "bonjour",
    "bonsoir",
    "cher",
    "ch\u{E8}re",
    "hola",
    "buenos",
    "buenas",
    "estimado",
    "querido",
    "ciao",
    "buongiorno",
    "caro",
    "cara",
    "ol\u{E1}",
    "oi",
    "bom",
    "hoi",
    "beste",
    "dag",
    "hej",
    "hei",
    "kj\u{E6}re",
    "cze\u{15B}\u{107}",
    "dzie\u{144}",
    "witaj",
    "ahoj",
    "szia",
    "merhaba",
    "selam",
    "shalom",
    "\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}",
];

/// Words that are near to a command and mean none.
const SMALL_TALK: &[&str] = &["test", "testing", "thanks", "thank", "bye", "cheers"];

/// True for a word, in lower case and without marks, that greets.
pub(crate) fn is_greeting(word: &str) -> bool {
    GREETINGS.contains(&word)
}

/// True for the first word of a line that is no misspelt command.
pub(super) fn is_small_talk(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    is_greeting(bare) || SMALL_TALK.contains(&bare)
}
