//! Scenes of `tests/scenes`: what players do one after the other, and the sentences that come of it. `tests/scenes.md` says
//! what may stand in a scene.

mod holds;
mod host;
mod report;
mod scene;
mod words;

use std::path::Path;

use crate::support::Mail;
use crate::support::data::decoded;
use scene::Scene;

/// Plays the scenes of a file, and says what does not hold in it.
fn play(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes").join(format!("{name}.txt"));
    let file = std::fs::read_to_string(path).unwrap();
    let only = std::env::var("TURNPOST_SCENE").unwrap_or_default();
    let (head, _) = file.split_once("\n== ").unwrap();
    let short = head.lines().filter_map(|line| line.strip_prefix('$')?.split_once(" = "));
    let file = short.fold(file.clone(), |file, (name, words)| file.replace(&format!("${name}"), words));
    let mut wrong = Vec::new();
    for scene in file.split("\n== ").skip(1).filter(|scene| scene.contains(&only)) {
        let (title, text) = scene.split_once('\n').unwrap();
        let mut settings: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("with ")).collect();
        let is_twice = settings.contains(&"extensions and without");
        settings.retain(|setting| *setting != "extensions and without");
        for settings in [settings.clone(), [settings, vec!["no extensions"]].concat()]
            .iter()
            .take(1 + usize::from(is_twice))
        {
            if let Err(why) = play_scene(&repeated(text), settings) {
                wrong.push(format!("{name}: {title}\n    {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A scene with the lines that are said for each row of a table.
fn repeated(text: &str) -> String {
    let begins = if text.starts_with("each ") { Some(0) } else { text.find("\neach ").map(|at| at + 1) };
    let Some((before, rest)) = begins.map(|at| text.split_at(at)) else { return text.to_owned() };
    let rest = &rest["each ".len()..];
    let (names, rest) = rest.split_once('\n').unwrap();
    let (lines, rest) = rest.split_once("\nof\n").unwrap_or_else(|| panic!("no rows: {text}"));
    let (rows, behind) = rest.split_once("\ndone\n").unwrap_or((rest, ""));
    let names: Vec<&str> = names.split(" | ").collect();
    let mut all = before.to_owned();
    let rows = rows.lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
    let each = |row: &str| match row.strip_suffix(" times") {
        Some(times) => (0..times.parse().unwrap()).map(|number: u32| number.to_string()).collect(),
        None => vec![row.to_owned()],
    };
    for (number, row) in rows.flat_map(each).enumerate() {
        let values: Vec<&str> = row.split(" | ").collect();
        assert_eq!(values.len(), names.len(), "{row}");
        let pairs = names.iter().zip(values);
        let lines = lines.replace("ROW", &number.to_string());
        all += &pairs.fold(lines, |lines, (name, value)| lines.replace(name, value));
        all.push('\n');
    }
    all + &repeated(behind)
}

fn play_scene(text: &str, settings: &[&str]) -> Result<(), String> {
    let mut scene = Scene::new(settings);
    let mut lines = text.lines().peekable();
    let mut happened = "";
    while let Some(line) = lines.next() {
        if line.is_empty() || line.starts_with('#') || line.starts_with("with ") {
            continue;
        }
        if let Some(expected) = line.strip_prefix("  ") {
            let expected = &scene.filled(expected);
            if !scene.holds(expected) {
                return Err(format!("after {happened}\n    does not hold: {expected}\n{}", scene.told()));
            }
            continue;
        }
        happened = line;
        let mut below = Vec::new();
        while let Some(line) = lines.peek().and_then(|line| line.trim_start().strip_prefix('|')) {
            below.push(scene.filled(&decoded(line.strip_prefix(' ').unwrap_or(line))));
            lines.next();
        }
        scene.happens(&scene.filled(line), &below.join("\n")).map_err(|why| format!("{line}: {why}"))?;
    }
    let wrong = scene.stage.wrong();
    if wrong.is_empty() || scene.is_damaged { Ok(()) } else { Err(format!("{wrong:?}")) }
}

/// A reply as phones write it: the words, and all of the mail quoted below.
pub fn phone_reply(mail: &Mail, words: &str, number: usize) -> Vec<u8> {
    let raw = mail.raw().replace("\n ", " ");
    let field = |name: &str| raw.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let to = Some(field("Reply-To: ")).filter(|to| !to.is_empty()).unwrap_or(crate::support::ADDRESS);
    let quoted: String = mail.text.lines().map(|line| format!("> {line}\n")).collect();
    let reply = format!(
        "Return-Path: <{0}>\nFrom: {0}\nTo: {to}\nSubject: Re: {1}\nMessage-ID: <reply.{number}@phone.example>\n\
         References: {2} {3}\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{words}\n\n\
         Sent from my iPhone\n\nOn Mon, Nov 16, 2026 Turnpost <play@turnpost.example> wrote:\n\n{quoted}",
        mail.to,
        mail.subject,
        field("References: "),
        mail.id
    );
    reply.replace('\n', "\r\n").into_bytes()
}

/// A test for each file.
macro_rules! scenes {
    ($($name:ident)*) => {
        $(#[test] fn $name() { play(stringify!($name)); })*

        #[test]
        fn every_file_of_scenes_is_played() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes");
            let mut found: Vec<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
                .collect();
            found.sort_unstable();
            assert_eq!(found, [$(concat!(stringify!($name), ".txt")),*]);
        }
    };
}

scenes! {
    addresses afterword announce any_mail archive bots bounces budgets clocks contest_replies corners costs dead_stones dice dice_contests finding_people first_ten_minutes games greetings hexmeister
    hint host_acts identity invitations letters_of_go notes organisers own_acts pause ratings replies reply_purposes reply_tokens restore robot rounds secrets squatting take_backs tutorial wishes
}
