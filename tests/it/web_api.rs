//! The description of the pages for programs is whole and true.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::description::{METHODS, document, operations, resolved};

const ADDRESSES: &str = concat!(
    include_str!("../../src/web/address/mod.rs"),
    include_str!("../../src/web/address/form.rs"),
    include_str!("../../src/web/address/contest.rs"),
    include_str!("../../src/web/address/finished.rs"),
);

#[test]
fn the_description_is_whole() {
    let document = document();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    fn follow(document: &Value, value: &Value) {
        resolved(document, value);
        match value {
            Value::Object(fields) => fields.values().for_each(|value| follow(document, value)),
            Value::Array(values) => values.iter().for_each(|value| follow(document, value)),
            _ => {}
        }
    }
    follow(&document, &document);
    let mut names = BTreeSet::new();
    for (path, method, operation) in operations(&document) {
        let at = format!("{method} {path}");
        assert!(names.insert(operation["operationId"].as_str().expect(&at)), "{at}: a second of its name");
        assert!(operation["summary"].is_string(), "{at}");
        let parameters: Vec<&Value> =
            operation["parameters"].as_array().unwrap().iter().map(|one| resolved(&document, one)).collect();
        for parameter in &parameters {
            let (name, place) = (parameter["name"].as_str().unwrap(), parameter["in"].as_str().unwrap());
            assert!(parameter["schema"]["type"].is_string(), "{at}: {name}");
            assert!(["path", "query"].contains(&place), "{at}: {name}");
            assert_eq!(path.contains(&format!("{{{name}}}")), place == "path", "{at}: {name}");
            assert!(place != "path" || parameter["required"] == true, "{at}: {name}");
        }
        let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path").count();
        assert_eq!(path.matches('{').count(), in_path, "{at}");
        for (status, answer) in operation["responses"].as_object().expect(&at) {
            assert!(status.parse::<u16>().is_ok_and(|status| (200..600).contains(&status)), "{at}: {status}");
            assert!(resolved(&document, answer)["description"].is_string(), "{at}: {status}");
        }
        assert_eq!(operation.get("requestBody").is_some(), method == "post", "{at}");
    }
    for (path, item) in document["paths"].as_object().unwrap() {
        assert!(item.as_object().unwrap().keys().all(|key| METHODS.contains(&key.as_str())), "{path}");
    }
}

/// `/{}/{}` for `/{game}/{board}.svg`.
fn shape(path: &str) -> String {
    let parts = path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[test]
fn every_address_is_described_and_none_besides() {
    let document = document();
    let (_, arms) = ADDRESSES.split_once("match *parts.as_slice() {").unwrap();
    let (arms, _) = arms.split_once("_ => return None").unwrap();
    let read: BTreeSet<String> = arms
        .lines()
        .filter_map(|line| line.trim().strip_prefix('[')?.split_once("] =>"))
        .map(|(parts, _)| {
            let parts = parts.split(", ").map(|part| match part.strip_prefix('"') {
                Some(word) => word.trim_end_matches('"'),
                None => "{}",
            });
            format!("/{}", parts.collect::<Vec<_>>().join("/"))
        })
        .collect();
    assert!(read.len() > 10, "{read:?}");
    // Each page has a twin as JSON, with the same methods, and what is beside a page has none.
    let mut twins = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let kinds = item["get"]["responses"]["200"]["content"].as_object().unwrap();
        if kinds.contains_key("text/html") {
            assert!(kinds.contains_key("application/json"), "{path}");
            let twin = if path == "/" { "/index.json".to_owned() } else { format!("{path}.json") };
            let its = document["paths"].get(&twin).unwrap_or_else(|| panic!("{path} has no twin"));
            assert!(
                METHODS.iter().all(|method| item.get(method).is_some() == its.get(method).is_some()),
                "{twin}"
            );
            twins.insert(twin);
        }
    }
    let described: BTreeSet<String> = document["paths"]
        .as_object()
        .unwrap()
        .keys()
        .filter(|path| !twins.contains(*path))
        .map(|path| shape(path))
        .collect();
    assert_eq!(described, read);
    let (_, endings) = ADDRESSES.split_once("match ending {").unwrap();
    let (endings, _) = endings.split_once("_ => return None").unwrap();
    for ending in endings.split('"').skip(1).step_by(2) {
        assert!(document["paths"].get(format!("/{{game}}/{{board}}.{ending}")).is_some(), "{ending}");
    }
    for call in [".take(\"", ".take_words(\""] {
        for name in ADDRESSES.split(call).skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let mut all = operations(&document).into_iter().flat_map(|(_, _, operation)| {
                operation["parameters"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|one| resolved(&document, one)["name"].clone())
            });
            assert!(all.any(|described| described == name), "{name} is not described");
        }
    }
}
