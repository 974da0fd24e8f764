//! The description of the pages for programs: whole and true, and enough to play a game by.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::played::late_game;
use crate::web::Page;
use crate::web_play::{Visitor, begun, newest, strings};

const DOCUMENT: &str = include_str!("../../src/web/openapi.json");
const ADDRESSES: &str = include_str!("../../src/web/address.rs");
const METHODS: [&str; 2] = ["get", "post"];

fn document() -> Value {
    serde_json::from_str(DOCUMENT).unwrap()
}

/// What a value of the document is, through its `$ref`.
fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(place) => document
            .pointer(place.strip_prefix('#').unwrap())
            .unwrap_or_else(|| panic!("{place} leads nowhere")),
        None => value,
    }
}

/// Every operation: path, method, itself.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS {
            all.extend(item.get(method).map(|operation| (path.as_str(), method, operation)));
        }
    }
    all
}

/// A client whose calls are made from the document, as a generator would make them.
struct Client<'v> {
    document: Value,
    visitor: &'v Visitor,
}

impl Client<'_> {
    /// Calls an operation with its parameters and, where it takes a form, the fields of that.
    fn call(&self, operation: &str, arguments: &[(&str, &str)], form: &[(&str, &str)]) -> Page {
        let all = operations(&self.document);
        let found = all.into_iter().find(|(_, _, described)| described["operationId"] == operation);
        let (path, method, described) = found.unwrap_or_else(|| panic!("no operation {operation}"));
        let mut address = path.to_owned();
        let mut query: Vec<String> = Vec::new();
        let mut left: BTreeSet<&str> = arguments.iter().map(|(name, _)| *name).collect();
        for parameter in described["parameters"].as_array().unwrap() {
            let parameter = resolved(&self.document, parameter);
            let name = parameter["name"].as_str().unwrap();
            left.remove(name);
            match (arguments.iter().find(|(given, _)| *given == name), parameter["in"].as_str().unwrap()) {
                (None, _) => assert!(parameter["required"] != true, "{operation} needs {name}"),
                (Some((_, value)), place) => {
                    self.fits(&as_typed(value, &parameter["schema"]), &parameter["schema"], name);
                    match place {
                        "path" => address = address.replace(&format!("{{{name}}}"), value),
                        _ => query.push(format!("{name}={value}")),
                    }
                }
            }
        }
        assert!(left.is_empty(), "{operation} takes no {left:?}");
        if !query.is_empty() {
            address = format!("{address}?{}", query.join("&"));
        }
        let page = if method == "get" {
            self.visitor.get_json(&address)
        } else {
            const FORM: &str = "application/x-www-form-urlencoded";
            let schema = &described["requestBody"]["content"][FORM]["schema"];
            let fields: serde_json::Map<String, Value> =
                form.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
            self.fits(&Value::Object(fields), schema, operation);
            let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
            self.visitor.post_for_json(&address, &body)
        };
        self.is_described(operation, described, &page);
        page
    }

    /// The answer is one of those that the document names.
    fn is_described(&self, operation: &str, described: &Value, page: &Page) {
        let answer = resolved(&self.document, &described["responses"][page.status.to_string()]);
        assert!(answer["description"].is_string(), "{operation} answers {}: {}", page.status, page.text());
        let Some(kinds) = answer["content"].as_object() else { return };
        let kind = page.header("content-type").unwrap();
        let kind = kind.split(';').next().unwrap();
        let schema = &kinds.get(kind).unwrap_or_else(|| panic!("{operation} answers as {kind}"))["schema"];
        if kind == "application/json" {
            self.fits(&serde_json::from_slice(&page.body).unwrap(), schema, operation);
        }
    }

    /// Panics unless a value fits its schema.
    fn fits(&self, value: &Value, schema: &Value, at: &str) {
        let schema = resolved(&self.document, schema);
        if let Some(ways) = schema["oneOf"].as_array() {
            let is_it = |way: &&Value| (resolved(&self.document, way)["type"] == "null") == value.is_null();
            return self.fits(value, ways.iter().find(is_it).expect(at), at);
        }
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        match &schema["type"] {
            Value::String(one) => assert_eq!(kind, one, "{at}"),
            Value::Array(several) => assert!(several.contains(&Value::from(kind)), "{at} is of {kind}"),
            _ => {}
        }
        if let Some(known) = schema["enum"].as_array() {
            assert!(known.contains(value), "{at}: {value} is none of {known:?}");
        }
        for field in schema["required"].as_array().into_iter().flatten() {
            assert!(value.get(field.as_str().unwrap()).is_some(), "{at} lacks {field}");
        }
        // Nothing comes that is not described.
        for name in value.as_object().into_iter().flat_map(|fields| fields.keys()) {
            assert!(schema["properties"].get(name).is_some(), "{at}.{name} is not described");
        }
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(value) = value.get(name) {
                self.fits(value, schema, &format!("{at}.{name}"));
            }
        }
        for value in value.as_array().into_iter().flatten() {
            self.fits(value, &schema["items"], at);
        }
    }
}

#[test]
fn nothing_comes_that_is_not_described() {
    let host = crate::support::played::club();
    let (_served, at) = crate::web_play::server(&host);
    let visitor = Visitor::new(at);
    let client = Client { document: document(), visitor: &visitor };
    client.call("homeJson", &[], &[]);
    client.call("helpIndexJson", &[], &[]);
    for game in ["dvonn", "hexmeister"] {
        client.call("gameJson", &[("game", game)], &[]);
        client.call("helpJson", &[("page", game)], &[]);
        let begun = client.call("tryRobotJson", &[("game", game)], &[]);
        let here = begun.header("location").unwrap().to_owned();
        client.call("tryRobotJson", &[&[("game", game)], values(&here).as_slice()].concat(), &[]);
    }
    for player in ["ann", "bob", "robot-3"] {
        client.call("playerJson", &[("userid", player)], &[]);
    }
    let mut over = 0;
    for (game, number) in [("dvonn", "1"), ("dvonn", "2"), ("dvonn", "3"), ("hexmeister", "1")] {
        let board = client.call("board", &[("game", game), ("board", number)], &[]);
        over += usize::from(board.status == 200 && json(&board)["analysis"].is_object());
    }
    assert!(over > 0, "no board with an analysis");
}

/// An argument as its schema wants it.
fn as_typed(text: &str, schema: &Value) -> Value {
    match schema["type"] == "integer" {
        true => Value::from(text.parse::<i64>().unwrap()),
        false => Value::from(text),
    }
}

fn json(page: &Page) -> Value {
    serde_json::from_slice(&page.body).unwrap()
}

/// The values of a link, by name.
fn values(link: &str) -> Vec<(&str, &str)> {
    let query = link.split_once('?').unwrap().1;
    query.split('&').map(|pair| pair.split_once('=').unwrap()).collect()
}

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

#[test]
fn a_client_made_from_the_description_plays_games() {
    let (challenge, ply) = late_game();
    let (host, served, visitor) = begun(&challenge, ply);
    let client = Client { document: document(), visitor: &visitor };
    let board = [("game", "dvonn"), ("board", "1")];
    let mut made = 0;
    loop {
        let state = json(&client.call("board", &board, &[]));
        if state["result"].is_string() {
            break;
        }
        let to = ["ann@example.org", "bob@example.org"][state["turn"].as_u64().unwrap() as usize];
        let link = newest(&host, to);
        let token = link.rsplit('/').next().unwrap();
        let seat = json(&client.call("seat", &[("token", token)], &[]));
        let legal = strings(&seat["legal"]);
        let ply = &legal[made % legal.len()];
        let shown = client.call("seat", &[("token", token), ("turn", &ply.to_lowercase())], &[]);
        assert_eq!(strings(&json(&shown)["turn"]), [ply.as_str()]);
        let done = client.call("act", &[("token", token)], &[("act", "move"), ("turn", ply)]);
        assert_eq!(done.status, 303, "{ply}: {}", done.text());
        made += 1;
    }
    assert!(made > 3, "{made} plies");
    let refused = newest(&host, "bob@example.org");
    let token = [("token", refused.rsplit('/').next().unwrap())];
    assert_eq!(client.call("act", &token, &[("act", "resign")]).status, 409);
    assert!(json(&client.call("mails", &token, &[]))["until"].is_null());
    assert_eq!(client.call("board", &[("game", "dvonn"), ("board", "9")], &[]).status, 404);

    // And a few against the robot.
    let begun = client.call("tryRobot", &[("game", "dvonn"), ("level", "1")], &[]);
    let mut here = begun.header("location").unwrap().to_owned();
    for _ in 0..4 {
        let mut arguments = vec![("game", "dvonn")];
        arguments.extend(values(&here));
        let state = json(&client.call("tryRobot", &arguments, &[]));
        let make = strings(&state["legal"])[0].to_lowercase();
        arguments.push(("make", &make));
        let next = client.call("tryRobot", &arguments, &[]);
        assert_eq!(next.status, 303);
        here = next.header("location").unwrap().to_owned();
    }
    assert!(here.contains(".") && !served.log().contains("WARN"), "{here} {}", served.log());
}
