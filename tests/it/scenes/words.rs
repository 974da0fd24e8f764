//! What stands for other words in the lines of a scene, and plies that a scene does not name.

use super::scene::{Scene, address};
use crate::support::Mail;
use crate::support::data::decoded;
use turnpost::board::Board;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;

impl Scene {
    /// A line with what was remembered in place of its names.
    pub fn filled(&self, line: &str) -> String {
        let names = self.remembered.iter().rev();
        let line =
            names.fold(line.to_owned(), |line, (name, value)| line.replace(&format!("{{{name}}}"), value));
        let whose = |start: &str| line.strip_prefix(start)?.strip_suffix('}');
        let last = |player: &str| {
            let to = address(player);
            self.stage.left.iter().rev().find(|mail| mail.to == to).unwrap().text.clone()
        };
        match (whose("{quoted "), whose("{copy ")) {
            (Some(player), _) => last(player).lines().map(|line| format!("> {line}\n")).collect(),
            (_, Some(player)) => last(player),
            _ => line,
        }
    }

    /// `of PLAYER: BEFORE .. AFTER`, or `of PLAYER`.
    pub fn remember(&mut self, name: &str, rest: &str) -> Result<(), String> {
        let rest = rest.strip_prefix("of ").ok_or("of whom?")?;
        let Some((player, words)) = rest.split_once(": ") else {
            let to = address(rest);
            let envelope = self.stage.envelopes.iter().rev().find(|envelope| envelope.to == to);
            let path = envelope.and_then(|envelope| envelope.from.clone()).ok_or("no return path")?;
            self.remembered.push((name.to_owned(), path));
            return Ok(());
        };
        let (before, after) = words.split_once(" .. ").ok_or("between what?")?;
        let before = decoded(before);
        let to = address(player);
        let mails = self.stage.left.iter().rev().filter(|mail| mail.to == to);
        let mut texts = mails.map(|mail| format!("{}\n{}", mail.raw().replace("\n ", " "), mail.text));
        let found = texts.find_map(|text| {
            let behind = text.split_once(&before)?.1.trim_start();
            let end = behind.find(|c: char| c.is_whitespace() || after.contains(c))?;
            Some(behind[..end].to_owned())
        });
        let found = found.ok_or("no such mail")?;
        let other = if found.starts_with('a') { "b" } else { "a" };
        self.remembered.push((format!("{name}~"), format!("{other}{}", found.get(1..).unwrap_or_default())));
        self.remembered.push((name.to_owned(), found));
        Ok(())
    }

    /// So many plies of a board, each the first legal one; gives the mails of the last.
    pub fn plays(&mut self, count: &str, rest: &str) -> Result<Vec<Mail>, String> {
        let number: u32 = rest.strip_prefix("on ").unwrap_or("1").parse().map_err(|_| "where?".to_owned())?;
        let mut mails = Vec::new();
        for _ in 0..count.parse().map_err(|_| "how many?".to_owned())? {
            let board = Board::load(&self.stage.store, BoardId(number)).unwrap().ok_or("no board")?;
            let seat = board.row.to_move.ok_or("it is over")?;
            let player = self.stage.store.player_by_id(board.row.players[seat.index()]).unwrap().userid;
            let ply = &board.table.legal_plies()[0];
            let line = format!("{} move {number} {player} - {ply}", board.kind.key);
            let (said, well, told) = self.stage.submit(Operator::AsAnyone, &line);
            if !well {
                return Err(said);
            }
            mails = told;
        }
        Ok(mails)
    }

    /// Words with a legal ply of board 1 for `{ply}`, and for `{next}` the one that a lesson names.
    pub fn with_plies(&self, words: &str) -> String {
        if words.contains("{ply}") {
            let board = Board::load(&self.stage.store, BoardId(1)).unwrap().unwrap();
            return words.replace("{ply}", &board.table.legal_plies()[0]);
        }
        let lesson = self.stage.left.last().and_then(|mail| mail.text.split("\nNext: ").nth(1));
        let next = lesson.and_then(|text| text.split("\n\n").next()?.split_whitespace().last());
        next.map_or(words.to_owned(), |ply| words.replace("{next}", ply.trim_end_matches('.')))
    }
}
