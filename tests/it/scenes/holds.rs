//! What may be said of a scene, of what happened last: `tests/scenes.md` lists it.

use super::scene::{PLAYERS, Scene, address, flat};
use crate::support::LetterOutcome;
use crate::support::data::decoded;
use rusqlite::types::Value;
use turnpost::ids::BoardId;
use turnpost::store::EventKind;

impl Scene {
    /// Whether a line holds of what happened last.
    pub fn holds(&self, line: &str) -> bool {
        if let Some((player, words)) = line.split_once(": ").filter(|(who, _)| !who.contains(' ')) {
            let words = flat(&decoded(words));
            let of_player = self.mails.iter().filter(|mail| mail.to == address(player));
            let mut texts: Vec<String> = of_player.map(|mail| flat(&mail.text)).collect();
            match player {
                "said" => texts = vec![self.said.clone()],
                "raw" => texts = self.mails.iter().map(|mail| flat(&mail.raw())).collect(),
                "Subject" => texts = self.mails.iter().map(|mail| mail.subject.clone()).collect(),
                _ => {}
            }
            if let Some(words) = words.strip_prefix('!') {
                return !texts.iter().any(|text| text.contains(words));
            }
            return match words.strip_prefix('^') {
                Some(words) => texts.iter().any(|text| text.starts_with(words)),
                None => texts.iter().any(|text| text.contains(&words)),
            };
        }
        if let Some((count, words)) = line.split_once(" lines begin with ") {
            let lines = self.mails.iter().flat_map(|mail| mail.text.lines());
            return count.parse() == Ok(lines.filter(|line| line.trim_start().starts_with(words)).count());
        }
        if let Some((count, words)) = line.split_once(" times ") {
            let found = self.mails.iter().map(|mail| flat(&mail.text).matches(words).count());
            return count.parse() == Ok(found.sum::<usize>());
        }
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            [player, "hears", "nothing"] => !self.mails.iter().any(|mail| mail.to == address(player)),
            [count, "mails" | "mail"] => count.parse() == Ok(self.mails.len()),
            [count, "mails", "since", to @ ..] => {
                let mails = self.stage.left[self.counted..].iter();
                let to = to.last().map(|player| address(player));
                count.parse() == Ok(mails.filter(|mail| to.as_ref().is_none_or(|to| mail.to == *to)).count())
            }
            ["no", "return", "path"] => self.stage.envelopes.last().unwrap().from.is_none(),
            ["the", "letter", "is", outcome] => format!("{:?}", self.stage.outcome).starts_with(outcome),
            ["set", "aside:", ..] => match &self.stage.outcome {
                LetterOutcome::Ignored(why) => why.contains(line.strip_prefix("set aside: ").unwrap()),
                LetterOutcome::Acted | LetterOutcome::Again => false,
            },
            ["finds", value, "by", ..] => {
                let query = line.split_once(" by ").unwrap().1;
                let found = self.stage.database().query_row(query, [], |row| row.get::<_, Value>(0)).unwrap();
                *value
                    == match found {
                        Value::Integer(number) => number.to_string(),
                        Value::Text(text) => text,
                        _ => "nothing".to_owned(),
                    }
            }
            [count, "boards"] => {
                count.parse() == Ok(self.stage.store.board_numbers_from(BoardId(1), u32::MAX).unwrap().len())
            }
            [count, tally @ ("done" | "refused")] => {
                let last = self.stage.store.letters(1).unwrap().remove(0).tally;
                count.parse() == Ok(if *tally == "done" { last.done } else { last.refused })
            }
            ["at", "most", size, "KiB"] => {
                let bytes: usize = self.mails.iter().map(|mail| mail.bytes.len()).sum();
                bytes <= size.parse::<usize>().unwrap() * 1024
            }
            ["at", bound, count, "lines"] => self.mails.iter().all(|mail| {
                let (lines, count) = (mail.text.lines().count(), count.parse().unwrap());
                if *bound == "most" { lines <= count } else { lines >= count }
            }),
            ["heard", "by", players @ ..] => {
                let mut expected: Vec<String> = players.iter().map(|player| address(player)).collect();
                let mut found: Vec<&str> = self.mails.iter().map(|mail| mail.to.as_str()).collect();
                expected.sort_unstable();
                found.sort_unstable();
                found == expected
            }
            ["nowhere", word] => !self.stage.text().contains(word),
            ["nothing", "changed"] => self.stage.dump() == self.before,
            ["no", "plans", "are", "left"] => self.stage.store.plans_left_over().unwrap().is_empty(),
            ["no", "address", "of", "another"] => self.mails.iter().all(|mail| {
                let raw = mail.raw();
                PLAYERS.iter().all(|(_, address, _)| mail.to == *address || !raw.contains(address))
            }),
            ["plies", plies @ ..] => {
                let board = plies.first().and_then(|first| first.strip_suffix(':')?.parse().ok());
                let plies = if board.is_some() { &plies[1..] } else { plies };
                self.plies(board.unwrap_or(1)) == plies
            }
            ["board", number, ..] => {
                let (_, expected) = line.split_once(": ").unwrap();
                let state = self.board(number.trim_end_matches(':').parse().unwrap());
                expected.split(", ").all(|item| state.iter().any(|known| known == item))
            }
            _ => panic!("nothing that can hold: {line}"),
        }
    }

    fn plies(&self, board: u32) -> Vec<String> {
        let mut plies = Vec::new();
        for event in self.stage.store.events(BoardId(board)).unwrap() {
            match (event.kind, event.ply) {
                (EventKind::Ply, _) => plies.push(event.text),
                (EventKind::Undo, Some(stands)) => plies.truncate(stands.0 as usize),
                _ => {}
            }
        }
        plies
    }

    /// All that came of what happened last.
    pub fn told(&self) -> String {
        let mails = self.mails.iter();
        let shown: String =
            mails.map(|mail| format!("to {}: {}\n{}\n", mail.to, mail.subject, mail.text)).collect();
        let (outcome, said, since) = (&self.stage.outcome, &self.said, self.stage.left.len() - self.counted);
        format!("{:?} {:?} {outcome:?}, {since} since\nsaid: {said}\n{shown}", self.board(1), self.plies(1))
    }

    /// All that can be said of a board.
    fn board(&self, number: u32) -> Vec<String> {
        let Some(row) = self.stage.store.board(BoardId(number)).unwrap() else { return Vec::new() };
        let mut all = vec![format!("{} plies", row.plies.0), format!("{} events", row.events)];
        all.push(format!("{:?}", row.state));
        all.push(if row.rated { "rated" } else { "unrated" }.to_owned());
        all.extend(row.to_move.map(|seat| format!("{seat:?} to move")));
        if row.result.is_none() {
            all.push("no result".to_owned());
        }
        if let Some(result) = row.result {
            all.push(format!("{:?}", result.ending));
            all.extend(result.winner.map(|seat| format!("won by {seat:?}")));
        }
        all.extend(row.deadline_at.filter(|at| *at > self.stage.now).map(|_| "deadline ahead".to_owned()));
        all.push(row.deadline_at.map_or("no deadline".to_owned(), |at| format!("until {at}")));
        all.push(format!("may swap: {}", row.may_swap));
        all
    }
}
