//! A scene as it is played: what may happen, and what may be said of it.
//!
//! What happens: `PLAYER mails SUBJECT` (lines behind `|` below are its text); `PLAYER replies TEXT` to the last mail they
//! got, `PLAYER replies to WORDS: TEXT` to the last that holds these; `PLAYER does COMMANDS` on the machine itself, where
//! `anyone` needs no passwords and `nobody` has no name; `PLAYER may not COMMANDS`, which changes nothing; `host does ACT because REASON`, `host may not ACT`;
//! `PLAYER joins`; `wait HOURS`, `at INSTANT` without the timer, `tick`, `until INSTANT` with it; `sql STATEMENTS`; `damage STATEMENTS`,
//! after which nothing is verified.
//!
//! What holds: `PLAYER: WORDS` in a mail to them, `^WORDS` at its beginning, `!WORDS` in none, white space folded; the
//! same of the `Subject`, of the `raw` mail, and of what the machine or the timer `said`; `PLAYER hears nothing`; `heard by PLAYERS`; `nowhere WORD` in the
//! database; `N mails`; `N boards`; `N done`,
//! `N refused` of the lines of a letter; `at most N lines`; `N lines begin with WORDS`; `plies [BOARD:] PLIES`; `board N: 3 plies, Running, First to move, until INSTANT`; `no address of another`; `nothing changed`;
//! `no plans are left`.

use super::host;
use crate::data::{decoded, decoded_entry};
use crate::support::{ANN, BOB, Mail, Stage};
use turnpost::board::Board;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::store::EventKind;
use turnpost::timer::tick::Ticked;

/// The players of the scenes: userid, address, password. The last is a stranger on every server.
const PLAYERS: [(&str, &str, &str); 6] = [
    ("ann", "ann@example.org", ANN),
    ("bob", "bob@example.net", BOB),
    ("cleo", "cleo@example.com", "gannet-33"),
    ("dora", "dora@example.com", "tern-9-x"),
    ("emma", "emma@example.com", "whimbrel-5"),
    ("eve", "eve@example.com", "hunter2-x"),
];

fn address(player: &str) -> String {
    let known = PLAYERS.iter().find(|(userid, ..)| *userid == player);
    known.map_or_else(|| player.to_owned(), |(_, address, _)| (*address).to_owned())
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub struct Scene {
    pub stage: Stage,
    /// What came of the last that happened.
    mails: Vec<Mail>,
    said: String,
    steps: usize,
    /// All that players do as it was before that.
    before: String,
    /// `admin verify` has something to find.
    pub is_damaged: bool,
}

impl Scene {
    pub fn new(extensions: bool) -> Scene {
        let stage = if extensions {
            Stage::with_players()
        } else {
            Stage::with(|config| config.extensions = false).peopled()
        };
        Scene {
            stage,
            mails: Vec::new(),
            said: String::new(),
            steps: 0,
            before: String::new(),
            is_damaged: false,
        }
    }

    /// What happens by a line; `text` is what stands below it.
    pub fn happens(&mut self, line: &str, text: &str) -> Result<(), String> {
        let (who, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (what, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        self.said.clear();
        self.steps += 1;
        self.before = self.stage.dump();
        self.mails = match (who, what) {
            ("wait", hours) => {
                self.stage.wait(hours.parse().map_err(|_| "how many hours?".to_owned())?);
                Vec::new()
            }
            ("at", instant) => {
                self.stage.now = instant.parse().map_err(|_| "when?".to_owned())?;
                Vec::new()
            }
            ("tick", _) => {
                let (ticked, mails) = self.stage.tick();
                self.said =
                    if ticked == Ticked::default() { "nothing".to_owned() } else { format!("{ticked:?}") };
                mails
            }
            ("damage", _) => {
                self.is_damaged = true;
                self.stage.change(line.strip_prefix("damage ").unwrap());
                Vec::new()
            }
            ("until", instant) => self.stage.ticks(instant.parse().map_err(|_| "when?".to_owned())?),
            ("sql", _) => {
                self.stage.change(line.strip_prefix("sql ").unwrap());
                Vec::new()
            }
            (player, "joins") => {
                let known = PLAYERS.iter().find(|(userid, ..)| *userid == player).ok_or("who?")?;
                self.stage.sign_up(known.1, known.0, known.2)
            }
            (player, "mails") => self.stage.mail(&address(player), &decoded(rest), text),
            (player, "replies") => {
                let (about, words) = match rest.strip_prefix("to ") {
                    Some(rest) => rest.split_once(": ").unwrap_or((rest.trim_end_matches(':'), "")),
                    None => ("", rest),
                };
                let to = address(player);
                let is_meant = |mail: &&Mail| mail.to == to && flat(&mail.text).contains(about);
                let mail = self.stage.left.iter().rev().find(is_meant).ok_or("no such mail")?.clone();
                let text =
                    if text.is_empty() { decoded_entry(&self.with_plies(words)) } else { text.to_owned() };
                self.stage.receive(&phone_reply(&mail, &text, self.steps))
            }
            ("host", "does" | "may") => {
                let refused = what == "may";
                let act = if refused { rest.strip_prefix("not ").ok_or("not what?")? } else { rest };
                let (act, why) = act.split_once(" because").unwrap_or((act, host::WHY));
                match self.stage.host(host::act(act)?, why.trim_start()) {
                    Ok((said, mails)) if !refused => {
                        self.said = flat(&said);
                        mails
                    }
                    Err(why) if refused && self.stage.dump() == self.before => {
                        self.said = flat(&why);
                        Vec::new()
                    }
                    other => return Err(format!("{other:?}")),
                }
            }
            (player, "does" | "may") => {
                let commands = decoded(rest.strip_prefix("not ").unwrap_or(rest));
                let speaks_for = match player {
                    "anyone" => Operator::AsAnyone,
                    "nobody" => Operator::Nobody,
                    userid => Operator::As(userid.parse().map_err(|_| "who?".to_owned())?),
                };
                let (said, well, mails) = self.stage.submit(speaks_for, &commands);
                if well != (what == "does") {
                    return Err(format!("ends well: {well}\n{said}"));
                }
                if !well && (self.stage.dump() != self.before || !mails.is_empty()) {
                    return Err(format!("it is refused and changes something: {mails:#?}"));
                }
                self.said = flat(&said);
                mails
            }
            _ => return Err("nothing that can happen".to_owned()),
        };
        Ok(())
    }

    /// Words with a legal ply of board 1 for `{ply}`, and for `{next}` the one that a lesson names.
    fn with_plies(&self, words: &str) -> String {
        if words.contains("{ply}") {
            let board = Board::load(&self.stage.store, BoardId(1)).unwrap().unwrap();
            return words.replace("{ply}", &board.table.legal_plies()[0]);
        }
        let lesson = self.stage.left.last().and_then(|mail| mail.text.split("\nNext: ").nth(1));
        let next = lesson.and_then(|text| text.split("\n\n").next()?.split_whitespace().last());
        next.map_or(words.to_owned(), |ply| words.replace("{next}", ply.trim_end_matches('.')))
    }

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
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            [player, "hears", "nothing"] => !self.mails.iter().any(|mail| mail.to == address(player)),
            [count, "mails" | "mail"] => count.parse() == Ok(self.mails.len()),
            [count, "boards"] => count.parse() == Ok(self.stage.store.board_numbers().unwrap().len()),
            [count, tally @ ("done" | "refused")] => {
                let last = self.stage.store.letters(1).unwrap().remove(0).tally;
                count.parse() == Ok(if *tally == "done" { last.done } else { last.refused })
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
        format!("{:?} {:?}\nsaid: {}\n{shown}", self.board(1), self.plies(1), self.said)
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

/// A reply as phones write it: the words, and all of the mail quoted below.
pub fn phone_reply(mail: &Mail, words: &str, number: usize) -> Vec<u8> {
    let raw = mail.raw().replace("\n ", " ");
    let field = |name: &str| raw.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let to = Some(field("Reply-To: ")).filter(|to| !to.is_empty()).unwrap_or(crate::support::ADDRESS);
    let quoted: String = mail.text.lines().map(|line| format!("> {line}\n")).collect();
    let reply = format!(
        "Return-Path: <{0}>\nFrom: {0}\nTo: {to}\nSubject: Re: {1}\nMessage-ID: <reply.{number}@phone.example>\n\
         References: {2} {3}\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{words}\n\n\
         Sent from my iPhone\n\nOn Mon, Nov 16, 2026 Turnpost <play@turnpost.example> wrote:\n\n{quoted}",
        mail.to,
        mail.subject,
        field("References: "),
        mail.id
    );
    reply.replace('\n', "\r\n").into_bytes()
}
