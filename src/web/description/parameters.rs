//! Parameters of addresses and fields of forms.

use serde_json::{Value, json};
use turnpost_games::registry;

/// A text field of a form.
pub fn told(says: &str) -> Value {
    json!({"type": "string", "description": says})
}

pub fn in_query(name: &str, says: &str, schema: Value) -> Value {
    json!({"name": name, "in": "query", "required": false, "description": says, "schema": schema})
}

pub fn flip(says: &str) -> Value {
    in_query("flip", says, json!({"type": "string"}))
}

pub fn in_path(name: &str, says: &str, example: &str) -> Value {
    let schema = json!({"type": "string"});
    json!({
        "name": name, "in": "path", "required": true, "description": says, "schema": schema, "example": example,
    })
}

/// The word of a game, in a path.
pub fn game() -> Value {
    let mut game = in_path("game", "The word of a game.", registry::first().key);
    let words: Vec<&str> = registry::games().iter().map(|game| game.key).collect();
    game["schema"]["enum"] = words.into();
    game
}

/// The number of a board, in a path.
pub fn board() -> Value {
    let mut board = in_path("board", "The number of a board.", "");
    (board["schema"]["type"], board["example"]) = ("integer".into(), 1.into());
    board
}
