//! The description of the pages for programs.

use serde_json::Value;

pub const METHODS: [&str; 2] = ["get", "post"];

pub fn document() -> Value {
    serde_json::from_str(&turnpost::web::description()).unwrap()
}

/// A value of the document, with its `$ref` followed.
pub fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(place) => document
            .pointer(place.strip_prefix('#').unwrap())
            .unwrap_or_else(|| panic!("{place} leads nowhere")),
        None => value,
    }
}

/// Every operation: path, method, itself.
pub fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS {
            all.extend(item.get(method).map(|operation| (path.as_str(), method, operation)));
        }
    }
    all
}
