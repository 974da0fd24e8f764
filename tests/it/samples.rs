//! The samples of `src/compose/samples.json`, with which a host's templates are tried, reach every block of all templates.
//!
//! When a template is new, or is given something else, make them anew:
//!
//! ```text
//! TEMPLATE_CONTEXTS=/tmp/contexts cargo test --locked --test it --test processes
//! SAMPLES_FROM=/tmp/contexts cargo test --locked --test it samples
//! ```
//!
//! The first writes down what each template is given in all tests, the second keeps a few that reach every block.
//! What no test reaches needs a sample that is written by hand.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support;
use minijinja::Value;
use minijinja::value::Serde;
use serde_json::Value as Json;
use turnpost::compose::{Templates, game_context};
use turnpost::config::Config;
use turnpost_games::registry;

/// What is given to each template.
type Samples = BTreeMap<String, Vec<Json>>;

const FILE: &str = "src/compose/samples.json";

/// Where a block of a template begins, and how deep it is in others.
struct Block {
    template: &'static str,
    at: usize,
    depth: usize,
}

fn text(template: &str) -> String {
    std::fs::read_to_string(Path::new("templates").join(template)).unwrap()
}

/// The beginning of every block, and of every template that does not extend another.
fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for template in Templates::names() {
        let text = text(template);
        if !text.starts_with("{% extends") {
            // A mail must begin with its Subject.
            let at = if text.starts_with("Subject: ") { "Subject: ".len() } else { 0 };
            blocks.push(Block { template, at, depth: 0 });
        }
        let mut depth = 0;
        for (start, _) in text.match_indices("{%") {
            let tag = &text[start..];
            let at = start + tag.find("%}").unwrap() + 2;
            let word = tag.split_whitespace().nth(1).unwrap();
            match word {
                "if" | "for" | "block" | "macro" => depth += 1,
                "endif" | "endfor" | "endblock" | "endmacro" => depth -= 1,
                _ => {}
            }
            if ["if", "elif", "else", "for", "block", "macro"].contains(&word) {
                blocks.push(Block { template, at, depth });
            }
        }
    }
    blocks
}

/// The templates of a host, whose files are these.
fn hosts_templates<'t>(files: impl IntoIterator<Item = (&'t str, String)>) -> (tempfile::TempDir, Templates) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let path = folder.path().to_owned();
    let config = Config::default();
    (folder, Templates::new(Some(path), &config.identity(), &config.operator, None))
}

/// The built-in templates, each block of which begins with a character of its own.
struct Marked {
    blocks: Vec<Block>,
    templates: Templates,
    _folder: tempfile::TempDir,
}

/// The first of the characters that mark blocks, of those that Unicode leaves to private use.
const FIRST_MARK: u32 = 0xE000;

impl Marked {
    fn new() -> Marked {
        let blocks = blocks();
        let mut texts: BTreeMap<&str, String> = BTreeMap::new();
        for (number, block) in blocks.iter().enumerate().rev() {
            let mark = char::from_u32(FIRST_MARK + number as u32).unwrap();
            texts.entry(block.template).or_insert_with(|| text(block.template)).insert(block.at, mark);
        }
        let (folder, templates) = hosts_templates(texts);
        Marked { blocks, templates, _folder: folder }
    }

    /// The blocks that a sample reaches; `None` where it lacks a value.
    fn reached(&self, template: &str, sample: &Json) -> Option<BTreeSet<usize>> {
        let rendered = self.templates.render(template, Value::from(Serde(sample))).ok()?;
        let marks = rendered.chars().filter_map(|c| Some((c as u32).checked_sub(FIRST_MARK)? as usize));
        Some(marks.filter(|number| *number < self.blocks.len()).collect())
    }
}

#[test]
fn every_block_of_every_template_is_reached() {
    if let Some(contexts) = std::env::var_os("SAMPLES_FROM") {
        make(&Marked::new(), Path::new(&contexts));
    }
    let marked = Marked::new();
    let samples = read_samples();
    let mut reached = BTreeSet::new();
    for (template, samples) in &samples {
        for sample in samples {
            reached.extend(marked.reached(template, sample).unwrap());
        }
    }
    for game in registry::games() {
        let page = |kind| Templates::names().find(|name| *name == format!("help/{}.{kind}", game.key));
        let Some(page) = page("md").or_else(|| page("txt")) else { continue };
        let context = serde_json::to_value(game_context(game)).unwrap();
        reached.extend(marked.reached(page, &context).into_iter().flatten());
    }
    assert_eq!(marked.templates.faults(), []);
    let line = |block: &Block| text(block.template)[..block.at].lines().count();
    let numbered = marked.blocks.iter().enumerate().filter(|(number, _)| !reached.contains(number));
    let missed: Vec<String> =
        numbered.map(|(_, block)| format!("{}:{}", block.template, line(block))).collect();
    assert!(missed.is_empty(), "{} of {}: {missed:#?}", missed.len(), marked.blocks.len());
}

#[test]
fn a_template_that_is_broken_in_its_innermost_block_is_found() {
    let blocks = blocks();
    for template in Templates::names().step_by(support::rounds(5, 1) as usize) {
        let of_template = blocks.iter().filter(|block| block.template == template);
        let block = of_template.max_by_key(|block| block.depth).unwrap();
        let mut broken = text(template);
        broken.insert_str(block.at, "{{ 1 // 0 }}");
        let (_folder, templates) = hosts_templates([(template, broken)]);
        templates.check();
        let faults = templates.faults();
        assert!(faults.len() == 1 && faults[0].why.contains(template), "{template}: {faults:?}");
    }
}

#[test]
fn the_file_that_the_documentation_shows_is_used_and_its_old_form_is_found() {
    let documentation = std::fs::read_to_string("docs/hosting.md").unwrap();
    let shown: Vec<&str> =
        documentation.split("\n````\n").filter(|part| part.starts_with("Subject: ")).collect();
    let [new, old] = shown[..] else { panic!("{shown:?}") };
    let (_folder, templates) = hosts_templates([("message.md", new.to_owned())]);
    templates.check();
    assert_eq!(templates.faults(), []);
    let (_folder, templates) = hosts_templates([("message.txt", old.to_owned())]);
    templates.check();
    assert!(templates.faults()[0].why.contains("rename it to message.md, and put it over from line 3 on"));
}

#[test]
fn a_board_that_a_host_prints_without_its_drawing_is_found() {
    let old = text("board.md").replace("{{ v | drawing }}", "{{ v.drawing }}");
    let (_folder, templates) = hosts_templates([("board.md", old.clone())]);
    templates.check();
    let faults = templates.faults();
    assert!(faults.len() == 1 && faults[0].why.contains("board.md: it lacks `| drawing`"), "{faults:?}");
    let (_folder, templates) = hosts_templates([("board.md", format!("{old}{{# no | drawing #}}"))]);
    templates.check();
    assert_eq!(templates.faults(), []);
}

#[test]
fn a_file_of_a_host_from_before_markdown_is_found_with_the_line_to_change() {
    let old = "{# ours #}\n{{ v.name }}\n\n{{ v | drawing }}\n{{ v.key|key }}\n    yes\n".to_owned();
    let subject = "{% filter bullets %}\n{% endfilter %}\n".to_owned();
    let (_folder, templates) = hosts_templates([
        ("board.txt", old),
        ("submit.txt", subject),
        ("queue.txt", "{{ v.queue | length }}\n".to_owned()),
    ]);
    templates.check();
    let faults: Vec<String> = templates.faults().iter().map(ToString::to_string).collect();
    let [board, queue, submit] = &faults[..] else { panic!("{faults:?}") };
    let told = "board.txt: mails are made of Markdown now; rename it to board.md, and put it over from line 5 on, which has key";
    assert!(board.contains(told) && board.ends_with("; the built-in one is used"), "{board}");
    assert!(queue.contains("rename it to queue.md (docs"), "{queue}");
    assert!(submit.contains("line 1 on, which has bullets"), "{submit}");
}

fn read_samples() -> Samples {
    serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap()
}

/// Keeps of the contexts in a file some that reach every block, and at least one for each template. Samples that are there
/// already and can still be rendered fill what is left: some were written by hand.
fn make(marked: &Marked, contexts: &Path) {
    // For each template and the blocks that it reaches, the shortest context.
    let mut found: BTreeMap<(String, BTreeSet<usize>), String> = BTreeMap::new();
    let lines = std::fs::read_to_string(contexts).unwrap();
    let of_games: Vec<String> =
        registry::games().iter().map(|game| format!("help/{}.txt", game.key)).collect();
    for line in lines.lines().collect::<BTreeSet<_>>() {
        let Ok((template, mut context)) = serde_json::from_str::<(String, Json)>(line) else { continue };
        if of_games.contains(&template) {
            continue;
        }
        for extensions in [true, false] {
            // What the configuration says, a sample says itself.
            context["extensions"] = extensions.into();
            let Some(reached) = marked.reached(&template, &context) else { continue };
            let short = [(2, 40), (12, 40), (usize::MAX, 40)].map(|limits| shortened(&context, limits));
            let is_as_good = |short: &&Json| marked.reached(&template, short).as_ref() == Some(&reached);
            let written = short.iter().find(is_as_good).unwrap_or(&context).to_string();
            let best = found.entry((template.clone(), reached)).or_insert_with(|| written.clone());
            if written.len() < best.len() {
                *best = written;
            }
        }
    }
    let mut candidates: Vec<_> = found.into_iter().collect();
    candidates.sort_by_key(|((_, reached), context)| (Reverse(reached.len()), context.len()));
    for (template, sample) in
        read_samples().iter().flat_map(|(name, all)| all.iter().map(move |one| (name, one)))
    {
        if let Some(reached) = marked.reached(template, sample) {
            candidates.push(((template.clone(), reached), sample.to_string()));
        }
    }
    let mut reached: BTreeSet<usize> = BTreeSet::new();
    let mut kept: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for ((template, of_context), context) in candidates {
        if !of_context.is_subset(&reached) || !kept.contains_key(&template) {
            reached.extend(of_context);
            kept.entry(template).or_default().push(context);
        }
    }
    let written = kept.iter().map(|(template, all)| format!("{template:?}: [\n{}\n]", all.join(",\n")));
    std::fs::write(FILE, format!("{{\n{}\n}}\n", written.collect::<Vec<_>>().join(",\n"))).unwrap();
}

/// The same with so many alike of the elements of a list, and so many characters of a text.
fn shortened(context: &Json, (alike, characters): (usize, usize)) -> Json {
    let inner = |value: &Json| shortened(value, (alike, characters));
    match context {
        Json::String(text) => without_codes(text).chars().take(characters).collect::<String>().into(),
        Json::Array(list) => {
            let mut seen: BTreeMap<String, usize> = BTreeMap::new();
            let is_kept = |element: &&Json| {
                let count = seen.entry(shape(element).to_string()).or_default();
                *count += 1;
                *count <= alike
            };
            list.iter().filter(is_kept).map(inner).collect()
        }
        Json::Object(map) => map.iter().map(|(key, value)| (key.clone(), inner(value))).collect(),
        other => other.clone(),
    }
}

/// The text with the codes of tokens blotted out: no stored text holds one, not even of a made-up player.
fn without_codes(text: &str) -> String {
    let is_of_code = |c: char| c.is_ascii_lowercase() || ('2'..='7').contains(&c);
    let mut rest = text;
    let mut blotted = String::new();
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !is_of_code(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (run, behind) = rest.split_at(end);
        blotted.push_str(&if run.len() < 20 { run.to_owned() } else { "x".repeat(run.len()) });
        rest = behind;
    }
    blotted
}

/// The samples hold no code of a token, however they were made.
#[test]
fn no_sample_holds_a_code() {
    let samples = std::fs::read_to_string(FILE).unwrap();
    assert!(!samples.is_empty());
    assert_eq!(without_codes(&samples), samples);
}

/// What elements that are alike have in common: their keys, and which of their values are empty.
fn shape(value: &Json) -> Json {
    match value {
        Json::String(text) => text.chars().take(1).map(|_| 'x').collect::<String>().into(),
        Json::Number(_) => 0.into(),
        Json::Array(list) => list.first().map(shape).into_iter().collect(),
        Json::Object(map) => map.iter().map(|(key, value)| (key.clone(), shape(value))).collect(),
        other => other.clone(),
    }
}
