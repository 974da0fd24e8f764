//! A mail keeps the shape that its template gives it, with any words in any value.

mod words;

use std::collections::BTreeMap;
use std::path::Path;

use minijinja::value::Serde;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use self::words::{is_hidden, words};
use super::templates::SAMPLES;
use super::*;
use crate::mail::ServerIdentity;

/// Each word of this template has the letter ŧ, and no value has it.
const EVERYWHERE: &str = r#"Subject: ŧGame {{ v }}
{% set block %}ŧbefore {{ v }} ŧafter{% endset %}

{{ v }} ŧbegins, {{ w }}, {{ v }} **ŧhas {{ v }}** ŧand _{{ v }}_ ŧends {{ v }}

{{ v }}

ŧline\
{{ v }}\
ŧline

# {{ v }} ŧheading {{ v }}

# {{ v }}

- {{ v }}
- ŧitem {{ v }}
  {{ w }}
- {{ v }}: ŧitem

1. {{ v }}

ŧCode `{{ v }}` ŧand `ŧcode {{ w }}`, {{ block }}, {{ block | trim }}, {{ block | replace("x", v) }}.

`{{ v }}`

{{ block ~ v }} ŧand {{ v ~ block }} ŧand {{ [block, v] | join(" ") }} ŧand {{ block | upper }} {{ v | upper }}

{{ v | safe }} ŧand {% autoescape false %}{{ v }} ŧand {{ v | safe }}{% endautoescape %} ŧand {% autoescape "html" %}{{ v }}{% endautoescape %}.

{% include "included.txt" %}

[ŧButton {{ v }}](https://t.example/{{ v }}?q={{ w }})

ŧSee [{{ v }}](https://t.example/{{ v }}) ŧand [ŧthis]({{ v }}) ŧand <https://t.example/> {{ v }} &amp; <{{ v }}> \{{ v }}

![{{ v }}](picture:)

```table
ŧhead {{ v }} | {{ v }}
---
{% for cell in [v, w] %}
{{ loop.index }} | {{ cell }}
{% endfor %}
{{ v }}
{{ v }} | {{ w }}
```

```words
{{ v }}
```

```lines
ŧ {{ w }}
```

```echo
{{ v }}
```

```board ŧtitle {{ v }}
  ŧ {{ v }}
```

```reply
ŧReply `{{ v }}` ŧor `ŧyes`.

- `{{ w }}` {{ v }}
```

---

{{ v }} ŧend
"#;

/// A host can include a file of any name.
const INCLUDED: &str = "ŧIncluded {{ v }} ŧhere.";

/// Sentences of the server that quote a person.
const QUOTING: &str = r#"ŧSays {{ v | ours }} ŧhere

{{ v | ours }}

- {{ v | ours }}

```table
ŧ {{ v | ours }} | {{ v | ours }}
```

```reply
ŧReply {{ v | ours }} ŧhere

{{ v | ours }}
```
"#;

struct Rendered {
    subject: String,
    text: String,
    html: String,
}

/// Templates of a folder that has these files too.
fn templates<'a>(files: impl IntoIterator<Item = (&'a str, String)>) -> (tempfile::TempDir, Templates) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let identity = ServerIdentity {
        name: "Turnpost".to_owned(),
        address: "play@t.example".to_owned(),
        aliases: Vec::new(),
        host: "t.example".to_owned(),
        extensions: true,
        authserv_id: None,
        banners: Vec::new(),
    };
    let folder_path = Some(folder.path().to_owned());
    (folder, Templates::new(folder_path, &identity, "operator@t.example", Some("https://t.example")))
}

fn everywhere() -> (tempfile::TempDir, Templates) {
    templates([("everywhere.md", EVERYWHERE.to_owned()), ("included.txt", INCLUDED.to_owned())])
}

fn render(templates: &Templates, name: &str, context: &Json) -> Rendered {
    let MailDocument { subject, blocks } = templates
        .document(name, Value::from(Serde(context)))
        .unwrap_or_else(|why| panic!("{name}: {why:#} with {context}"));
    let reply = html::Reply { address: "play+b1.aa@t.example", subject: "s", token_line: None };
    let page = Some("https://t.example/play/1");
    let frame = html::MailFrame { subject: &subject, reply: Some(reply), page, picture: None };
    let html = html::mail(&blocks, frame);
    Rendered { text: plain::written(&blocks, page), html, subject }
}

/// The tags of a page with the names of their attributes. Lines of words are as many as the person wrote.
fn tags(html: &str) -> Vec<String> {
    let names = |tag: &str| tag.split('"').step_by(2).collect::<String>();
    let tags = html.split('<').skip(1).map(|piece| names(piece.split('>').next().unwrap_or_default()));
    tags.filter(|tag| tag != "br").collect()
}

/// The tags that a sentence of the server can make of a person's backticks and blank lines are left out.
fn tags_of_templates(html: &str) -> Vec<String> {
    let is_of_sentences = |tag: &String| matches!(tag.as_str(), "code style=" | "/code" | "p style=" | "/p");
    tags(html).into_iter().filter(|tag| !is_of_sentences(tag)).collect()
}

fn unescaped(html: &str) -> String {
    let html = html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    html.replace("&nbsp;", " ").replace("&amp;", "&")
}

fn assert_fit(mail: &Rendered, harmless: &Rendered) -> Result<(), TestCaseError> {
    prop_assert!(!mail.subject.chars().any(is_hidden), "{:?}", mail.subject);
    prop_assert!(mail.text.split('\n').all(|line| !line.chars().any(is_hidden)), "{}", mail.text);
    prop_assert!(!mail.text.to_lowercase().contains("[reply"), "{}", mail.text);
    let signatures = |mail: &Rendered| mail.text.split('\n').filter(|line| *line == "-- ").count();
    prop_assert_eq!(signatures(mail), signatures(harmless));
    prop_assert!(
        mail.text.split('\n').all(|line| line == "-- " || line.trim_end() == line),
        "blanks at an end: {:?}",
        mail.text
    );
    prop_assert!(
        !mail.text.contains("\n\n\n") && !mail.text.starts_with('\n'),
        "blank lines: {:?}",
        mail.text
    );
    for href in mail.html.split("href=\"").skip(1) {
        let is_known = ["https://", "http://", "mailto:"].iter().any(|scheme| href.starts_with(scheme));
        prop_assert!(is_known, "{}", href);
    }
    prop_assert!(!mail.html.contains("src="), "{}", mail.html);
    Ok(())
}

/// True for a line that is marked as no sentence of the server: words, a row, lines to copy, or an echo.
fn is_apart(line: &str) -> bool {
    line.is_empty()
        || line == "-- "
        || ["| ", "|", "- | ", "1. | ", "    ", "> "].iter().any(|mark| line.starts_with(mark))
}

fn cases(number: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(number) }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_words_change_the_shape_of_a_mail(v in words(), w in words()) {
        let (_folder, templates) = everywhere();
        let mail = render(&templates, "everywhere.md", &json!({ "v": v, "w": w }));
        let harmless = render(&templates, "everywhere.md", &json!({ "v": "z", "w": "z" }));
        assert_fit(&mail, &harmless)?;
        // A value that is a whole target is a link if it is a page, and none if it is not.
        let address: String = v.chars().filter(|c| !is_hidden(*c)).collect();
        let is_page = ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme));
        prop_assert!(is_page || tags(&mail.html) == tags(&harmless.html), "{}", mail.html);
        for line in mail.text.lines() {
            let is_link = line.contains("https://t.example") || (is_page && line.contains("<http"));
            prop_assert!(is_apart(line) || is_link || line.contains(['ŧ', 'Ŧ']), "{:?} in\n{}", line, mail.text);
        }
    }

    #[test]
    fn words_of_a_person_arrive_as_they_were_written(v in words()) {
        let (_folder, templates) = everywhere();
        let mail = render(&templates, "everywhere.md", &json!({ "v": v, "w": "z" }));
        let quote = mail.html.split("<blockquote").nth(1).unwrap().split_once('>').unwrap().1;
        let seen = unescaped(quote.split("</blockquote>").next().unwrap()).replace("<br>\n", "\n");
        let lines = v.replace("\r\n", "\n").replace('\t', " ");
        let visible = |line: &str| line.chars().filter(|c| !is_hidden(*c)).collect::<String>();
        let lines: Vec<String> = lines.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).map(visible).collect();
        let lines: Vec<String> =
            lines.join("\n").trim_matches('\n').lines().map(|line| line.trim().to_owned()).collect();
        let same = |text: &str| text.to_lowercase().replace("(reply", "[reply").replace("<br>", "");
        prop_assert_eq!(same(&seen), same(&lines.join("\n")));
    }

    /// At the most, a person's words become code, or a paragraph of their own.
    #[test]
    fn a_sentence_that_quotes_a_person_has_no_link_of_theirs(v in words()) {
        let (_folder, templates) = templates([("quoting.md", QUOTING.to_owned())]);
        let mail = render(&templates, "quoting.md", &json!({ "v": v }));
        let harmless = render(&templates, "quoting.md", &json!({ "v": "z" }));
        assert_fit(&mail, &harmless)?;
        prop_assert_eq!(tags_of_templates(&mail.html), tags_of_templates(&harmless.html));
        prop_assert!(!mail.html.contains("href"), "{}", mail.html);
    }
}

/// The sample with each text replaced, but for those that decide what a template prints.
fn filled(sample: &Json, next: &mut dyn FnMut() -> String) -> Json {
    const KEPT: &str = "zone drawn_as drawn_for reply_words drawing compact words pointer grammar example details only key kind map record site link page pages";
    match sample {
        Json::String(text) if text == "watches" => sample.clone(),
        Json::String(_) => Json::String(next()),
        Json::Array(items) => items.iter().map(|item| filled(item, next)).collect(),
        Json::Object(fields) => {
            let fill = |(name, value): (&String, &Json)| {
                let is_kept = KEPT.split(' ').any(|kept| kept == name) && !value.is_object();
                (name.clone(), if is_kept { value.clone() } else { filled(value, next) })
            };
            Json::Object(fields.iter().map(fill).collect())
        }
        other => other.clone(),
    }
}

/// The built-in templates, but a person's words are in no sentence of the server.
fn with_plain_values() -> (tempfile::TempDir, Templates) {
    let text = |name: &'static str| std::fs::read_to_string(Path::new("templates").join(name)).unwrap();
    let names = Templates::names().filter(|name| name.ends_with(".md"));
    templates(names.map(|name| (name, text(name).replace(" | ours", ""))))
}

proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn no_template_lets_words_out(pool in proptest::collection::vec(words(), 8)) {
        let samples: BTreeMap<String, Vec<Json>> = serde_json::from_str(SAMPLES).unwrap();
        let (_folder, built_in) = templates([]);
        let (_other, plain_values) = with_plain_values();
        for (name, sample) in samples.iter().flat_map(|(name, all)| all.iter().map(move |one| (name, one))) {
            if !name.ends_with(".md") {
                continue;
            }
            // The same words differ in both.
            let with = |templates: &Templates, word: &dyn Fn(usize) -> String| {
                let mut n = 0;
                let mut next = || {
                    n += 1;
                    word(n)
                };
                render(templates, name, &filled(sample, &mut next))
            };
            let attack = |n: usize| format!("{}{n}", pool[n % pool.len()]);
            let harmless = |n: usize| format!("z{n}");
            let mail = with(&built_in, &attack);
            let other = with(&built_in, &harmless);
            assert_fit(&mail, &other)?;
            prop_assert_eq!(tags_of_templates(&mail.html), tags_of_templates(&other.html), "{}", name);
            let mail = with(&plain_values, &attack);
            let other = with(&plain_values, &harmless);
            assert_fit(&mail, &other)?;
            prop_assert_eq!(tags(&mail.html), tags(&other.html), "{}", name);
            let words = pool.iter().flat_map(|words| words.split(['\n', '\r'])).map(str::trim);
            let words: Vec<&str> = words.filter(|line| line.len() > 1).collect();
            for line in mail.text.lines().filter(|line| !is_apart(line)) {
                prop_assert!(!words.contains(&line.trim()), "{:?} in {}:\n{}", line, name, mail.text);
            }
        }
    }
}
