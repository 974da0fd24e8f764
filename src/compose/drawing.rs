//! A board as text: the filter `drawing` makes it, a `board` fence shows it.

use minijinja::{Error, State, Value};

use super::document::DrawnBoard;
use super::holes::{self, Hole};
use crate::ids::BoardId;
use crate::store::Pictured;

/// The filter `drawing`. It draws the board of a view in the style that the reader has set (`drawn_as`). A text, such as a
/// map, keeps its lines.
pub fn drawing(state: &mut State<'_, '_>, shown: Value) -> Result<Value, Error> {
    let style = state.lookup("drawn_as");
    let drawing = read(&shown, style.as_ref().and_then(Value::as_str))?;
    holes::marked(state, Hole::Board(drawing))
}

fn read(shown: &Value, style: Option<&str>) -> Result<DrawnBoard, Error> {
    let text = |lines: &Value| holes::clean(&lines.to_string()).trim_matches('\n').to_owned();
    if shown.as_str().is_some() {
        return Ok(DrawnBoard { lines: text(shown), ..DrawnBoard::default() });
    }
    let attribute =
        |name: &str| shown.get_attr(name).map(|value| Some(value).filter(|value| !value.is_undefined()));
    let styled = style.map(&attribute).transpose()?.flatten();
    let in_words = styled.is_some() && style == Some("words");
    let lines = match styled {
        Some(styled) => styled,
        None => shown.get_attr("drawing")?,
    };
    let number = |name: &str| Ok::<_, Error>(attribute(name)?.and_then(|value| u32::try_from(value).ok()));
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
