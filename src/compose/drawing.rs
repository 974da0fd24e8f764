//! A board as text: the filter `drawing` makes it, a `board` fence shows it.

use minijinja::{Error, State, Value};

use super::document::DrawnBoard;
use super::holes::{self, Hole};
use crate::ids::BoardId;
use crate::store::Pictured;

/// The filter `drawing`. It draws the board of a view in the style that the reader has set (`drawn_as`), as seen from the
/// side of the reader (`drawn_for`). A text, such as a map, keeps its lines.
pub fn drawing(state: &mut State<'_, '_>, shown: Value) -> Result<Value, Error> {
    let [style, reader] = ["drawn_as", "drawn_for"].map(|name| state.lookup(name));
    let reader = reader.filter(|reader| !reader.is_none());
    let drawing = read(&shown, style.as_ref().and_then(Value::as_str), reader.as_ref())?;
    holes::marked(state, Hole::Board(drawing))
}

fn read(shown: &Value, style: Option<&str>, reader: Option<&Value>) -> Result<DrawnBoard, Error> {
    let text = |lines: &Value| holes::clean(&lines.to_string()).trim_matches('\n').to_owned();
    if shown.as_str().is_some() {
        return Ok(DrawnBoard { lines: text(shown), ..DrawnBoard::default() });
    }
    let attribute = |of: &Value, name: &str| {
        of.get_attr(name).map(|value| Some(value).filter(|value| !value.is_undefined()))
    };
    // Only games with a far side have turned drawings. They are for the second player.
    let turned = match (attribute(shown, "turned")?, attribute(shown, "players")?) {
        (Some(turned), Some(players)) => {
            let is_reader = |seat: usize| players.get_item(&Value::from(seat)).map(|it| reader == Some(&it));
            (is_reader(1)? && !is_reader(0)?).then_some(turned)
        }
        _ => None,
    };
    let side = turned.as_ref().unwrap_or(shown);
    let in_words = style == Some("words") && attribute(shown, "words")?.is_some();
    let styled =
        style.map(|style| attribute(if in_words { shown } else { side }, style)).transpose()?.flatten();
    let lines = match styled {
        Some(styled) => styled,
        None => side.get_attr("drawing")?,
    };
    let number =
        |name: &str| Ok::<_, Error>(attribute(shown, name)?.and_then(|value| u32::try_from(value).ok()));
    let is_past = shown.get_attr("past")?.is_true();
    let now = number("board")?.zip(number("events")?).filter(|_| !is_past);
    let is_slanted = !in_words && shown.get_attr("slanted")?.is_true();
    Ok(DrawnBoard {
        lines: text(&lines),
        level: is_slanted.then(|| shown.get_attr("compact")).transpose()?.as_ref().map(text),
        pictured: now.map(|(board, event)| Pictured { board: BoardId(board), event }),
        in_words,
    })
}
