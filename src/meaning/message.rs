//! Decides what a reply to another player's message means. Words in the reply go to the writer of the message.
//!
//! The message showed no board, so a move in the reply is not played. If exactly one move is legal on exactly one board
//! of the two players, the server shows that board with the move and asks for a `yes`.

use turnpost_games::Table;

use crate::commands::Command;
use crate::commands::submit::Submit;
use crate::commands::talk::{Audience, Talk};
use crate::commands::wishes::PlainWish;
use crate::failure::{Refusal, refuse};
use crate::ids::{BoardId, Userid};
use crate::language::OnBoard;
use crate::language::move_finder::MoveFinder;
use crate::language::wish::{WishPlace, wish_meant};
use crate::meaning::lines::{ReplyLines, begins_like_a_command, legal_plies};

/// A running board of the two players.
pub struct SharedBoard {
    pub at: OnBoard,
    /// Its position, if the reader of the message is to move.
    pub to_move: Option<Box<dyn Table>>,
}

/// The command that a reply of `reader` to a message of `writer` means: a move to ask about, or words for the writer.
pub fn meaning(
    text: &str,
    reader: &Userid,
    writer: &Userid,
    shared: &[SharedBoard],
) -> Result<Command, Refusal> {
    let lines = ReplyLines::new(MoveFinder::of_any_game(), text);
    let says = |text| Command::Talk(Talk { to: Audience::Players(vec![writer.clone()]), text });
    if let Some(words) = lines.words() {
        return Ok(says(words));
    }
    let wish = wish_meant(text, &[reader.as_str(), writer.as_str()], WishPlace::Reply);
    if let Some(wish) = wish.filter(|wish| !wish.is_for_both()) {
        return Ok(Command::PlainWish(PlainWish { wish, at: None, text: text.to_owned() }));
    }
    let mut found = Vec::new();
    let mut ours = Some(lines).filter(|_| text.lines().any(begins_like_a_command));
    for board in shared {
        let lines = ReplyLines::about(board.at.game, text);
        let mut moves = lines.finder.named(text);
        moves.extend(lines.moves_of(|line| line).into_iter().map(|line| line.plies));
        moves.dedup();
        let (table, asks) = (board.to_move.as_deref(), board.at.game.asks());
        let legal =
            moves.iter().filter(|text| table.and_then(|table| legal_plies(table, asks, text)).is_some());
        found.extend(legal.map(|text| (board.at, text.clone())));
        ours = Some(lines).filter(|lines| !moves.is_empty() || lines.meant_for_us().is_some()).or(ours);
    }
    match found.as_slice() {
        [] => {}
        [(at, plies)] => {
            return Ok(Command::Submit(Submit {
                at: *at,
                plies: plies.clone(),
                because: String::new(),
                words: String::new(),
            }));
        }
        several => {
            let mut moves: Vec<&str> = Vec::new();
            for (_, text) in several {
                if !moves.contains(&text.as_str()) {
                    moves.push(text);
                }
            }
            let mut boards: Vec<BoardId> = several.iter().map(|(at, _)| at.board).collect();
            boards.dedup();
            let boards: Vec<String> = boards.iter().map(|board| format!("board {board}")).collect();
            return refuse!(
                "Your reply names {moves}, which you can play on {boards}. Nothing was played or sent: reply to the \
                mail of the board you mean.",
                moves = moves.join(", "),
                boards = boards.join(" and ")
            );
        }
    }
    if let Some(lines) = ours {
        let why = lines.why_ours(lines.meant_for_us().unwrap_or(lines.first()));
        return refuse!(
            "Your reply went to nobody: {why}. To send it to {writer} as it is, begin it with the word `chat`."
        );
    }
    Ok(says(text.to_owned()))
}
