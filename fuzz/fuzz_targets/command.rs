//! Any Subject and text as commands: read without a panic, and no password in what is repeated.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnpost::commands::{LANGUAGE, Reading};

fuzz_target!(|text: &str| {
    let (subject, body) = text.split_once('\n').unwrap_or((text, ""));
    for line in LANGUAGE.read(subject, body, 50).into_iter().chain(LANGUAGE.read_reply(body)) {
        assert!(!line.echo.contains('\n'), "an echo of several lines: {:?}", line.echo);
        match &line.reading {
            Reading::Command(command) => {
                // A word that is long enough to be a password, and is no other word of the line.
                for password in command.passwords().into_iter().filter(|password| password.len() >= 4) {
                    let shown = line.echo.split_whitespace().any(|word| word == password);
                    let elsewhere = text.matches(password).count() > 1;
                    assert!(!shown || elsewhere, "{password:?} in {:?}", line.echo);
                }
            }
            Reading::Malformed(error) => assert!(!error.why.is_empty()),
            _ => {}
        }
    }
});
