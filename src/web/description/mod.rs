//! The description of the pages for programs (OpenAPI 3.1), made from the types of their data.

mod account;
mod pages;
mod parameters;
mod play;

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::answer::MissingPage;

const ABOUT: &str = "Boards of games played by mail. Every page is JSON too, by `Accept` or by an address with \
    `.json`; a token from a mail plays. A bot sends its token to `/me`, as `Authorization: Bearer TOKEN`, and plays by \
    the links of its boards. Any address may also answer 405 to a method it does not have, 408 to a \
    request that does not come whole in ten seconds, 431 to more than 16 KiB of fields, and 504 where the page \
    itself takes as long.";

/// The document that `/openapi.json` returns.
pub fn description() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut all = Description { schemas: settings.into_generator(), paths: Map::new() };
    all.tell_all();
    let missing = all.schemas.subschema_for::<MissingPage<'_>>();
    let document = Document {
        openapi: "3.1.0",
        info: json!({"title": "Turnpost", "version": "1", "description": ABOUT}),
        components: json!({
            "schemas": all.schemas.take_definitions(true),
            "securitySchemes": {"bot": {"type": "http", "scheme": "bearer"}},
            "responses": {
                "Missing": {
                    "description": "There is no such page.",
                    "content": {"text/html": {}, "application/json": {"schema": missing}},
                },
                "TooMany": {"description": "Too many pages for one address.", "content": {"text/plain": {}}},
                "Busy": {
                    "description": "Others are being served; ask again in a moment.",
                    "content": {"text/plain": {}},
                },
            },
        }),
        paths: all.paths,
    };
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// The OpenAPI document. `doctor` recognises a Turnpost server by the first field.
#[derive(Serialize)]
struct Document {
    openapi: &'static str,
    info: Value,
    paths: Map<String, Value>,
    components: Value,
}

struct Description {
    schemas: SchemaGenerator,
    paths: Map<String, Value>,
}

/// One method of a page and of its JSON twin. `names` are the operation ids of both.
struct Operation<'a> {
    path: &'a str,
    names: [&'a str; 2],
    summary: &'a str,
    parameters: &'a [Value],
}

/// A status of an answer, and what it means.
struct DescribedAnswer {
    status: u16,
    says: &'static str,
    shows: Shows,
}

/// The body of an answer.
#[derive(PartialEq, Eq)]
enum Shows {
    /// The page, with its type as JSON.
    Page,
    /// A sentence, or nothing.
    Words,
}

fn page(status: u16, says: &'static str) -> DescribedAnswer {
    DescribedAnswer { status, says, shows: Shows::Page }
}

fn words(status: u16, says: &'static str) -> DescribedAnswer {
    DescribedAnswer { status, says, shows: Shows::Words }
}

fn reference(response: &str) -> Value {
    json!({ "$ref": format!("#/components/responses/{response}") })
}

impl Description {
    /// Describes every address.
    fn tell_all(&mut self) {
        self.read_only();
        self.boards();
        self.contests();
        self.play();
        self.sign_in();
        self.sign_up();
        self.invitation();
        self.me();
    }

    /// Describes GET of a page.
    fn page<T: JsonSchema>(&mut self, operation: &Operation<'_>, others: &[DescribedAnswer]) {
        let busy = |_: &Value| reference("Busy");
        let shown = page(200, "What was asked for.");
        let answers = [&shown].into_iter().chain(others).collect();
        self.put::<T>(operation, "get", answers, busy, &json!({}));
    }

    /// Describes POST of a form to a page.
    fn form<T: JsonSchema>(&mut self, operation: &Operation<'_>, answers: &[DescribedAnswer], fields: Value) {
        let busy = |shown: &Value| {
            let mut content = shown.clone();
            content["text/plain"] = json!({});
            json!({"description": "Nothing was done; try again.", "content": content})
        };
        let long = words(413, "The form is longer than 16 KiB.");
        let answers = answers.iter().chain([&long]).collect();
        let schema = json!({"application/x-www-form-urlencoded": {"schema": &fields}});
        // A form that needs no field can come without a body.
        let body = json!({"requestBody": {"required": fields["required"].is_array(), "content": schema}});
        self.put::<T>(operation, "post", answers, busy, &body);
    }

    /// Adds an operation to the page and to its JSON twin.
    fn put<T: JsonSchema>(
        &mut self,
        operation: &Operation<'_>,
        method: &str,
        answers: Vec<&DescribedAnswer>,
        busy: impl Fn(&Value) -> Value,
        body: &Value,
    ) {
        let Operation { path, names, summary, parameters } = operation;
        let twin = if *path == "/" { "/index.json".to_owned() } else { format!("{path}.json") };
        let schema = json!({"schema": self.schemas.subschema_for::<T>()});
        let json = json!({"application/json": schema});
        let html = json!({"text/html": {}, "application/json": schema});
        let ways = [(*path, names[0], *summary, html), (&twin, names[1], "The same as JSON", json)];
        for (path, name, summary, shown) in ways {
            let mut responses = json!({
                "404": reference("Missing"), "429": reference("TooMany"), "503": busy(&shown),
            });
            for DescribedAnswer { status, says, shows } in &answers {
                responses[status.to_string()] = match shows {
                    Shows::Page => json!({"description": says, "content": shown}),
                    Shows::Words => json!({"description": says}),
                };
            }
            let mut described = body.clone();
            described["operationId"] = name.into();
            described["summary"] = summary.into();
            described["parameters"] = (*parameters).into();
            described["responses"] = responses;
            self.paths.entry(path).or_insert_with(|| json!({}))[method] = described;
        }
    }

    /// Describes a file, which has no JSON twin.
    fn file(&mut self, path: &str, name: &str, summary: &str, parameters: &[Value], kind: &str) {
        self.file_of(path, name, summary, parameters, json!({ kind: {} }));
    }

    fn file_of(&mut self, path: &str, name: &str, summary: &str, parameters: &[Value], content: Value) {
        let responses = json!({
            "200": {"description": "What was asked for.", "content": content},
            "404": reference("Missing"), "429": reference("TooMany"), "503": reference("Busy"),
        });
        let described = json!({
            "operationId": name, "summary": summary, "parameters": parameters, "responses": responses,
        });
        self.paths.insert(path.to_owned(), json!({ "get": described }));
    }
}
