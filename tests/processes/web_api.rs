//! The description of the pages for programs is enough to play a game by.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::description::{document, operations, resolved};
use crate::support::pages::{Page, Visitor, begun, newest, server, strings};
use crate::support::played::{club, late_game, with_events};

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
        if let Some(ways) = schema["anyOf"].as_array() {
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
        let tuple = schema["prefixItems"].as_array();
        for (place, value) in value.as_array().into_iter().flatten().enumerate() {
            self.fits(value, tuple.map_or(&schema["items"], |schemas| &schemas[place]), at);
        }
    }
}

#[test]
fn nothing_comes_that_is_not_described() {
    let host = club();
    with_events(&host);
    let (_served, at) = server(&host);
    let visitor = Visitor::new(at);
    let client = Client { document: document(), visitor: &visitor };
    for operation in ["homeJson", "helpIndexJson", "signInJson"] {
        client.call(operation, &[], &[]);
    }
    for game in ["dvonn", "hexmeister"] {
        for operation in ["gameJson", "leagueJson", "ladderJson"] {
            client.call(operation, &[("game", game)], &[]);
        }
        client.call("helpJson", &[("page", game)], &[]);
        let begun = client.call("tryRobotJson", &[("game", game)], &[]);
        let here = begun.header("location").unwrap().to_owned();
        client.call("tryRobotJson", &[&[("game", game)], values(&here).as_slice()].concat(), &[]);
    }
    for player in ["ann", "bob", "robot-3"] {
        client.call("playerJson", &[("userid", player)], &[]);
    }
    client.call("eventsJson", &[], &[]);
    for contest in ["spring-cup", "late-cup"] {
        client.call("contestJson", &[("name", contest)], &[]);
    }
    let mut over = 0;
    for (game, number) in
        [("dvonn", "1"), ("dvonn", "2"), ("dvonn", "3"), ("dvonn", "6"), ("hexmeister", "1")]
    {
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
fn a_client_made_from_the_description_plays_games() {
    let (challenge, ply) = late_game();
    let (host, served, visitor) = begun(&format!("{challenge} -clock=20d+36h"), ply);
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
