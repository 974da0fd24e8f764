//! What may happen in a scene: `tests/scenes.md` lists it.

use super::report::report;
use super::{host, phone_reply};
use crate::support::data::{decoded, decoded_entry};
use crate::support::mails::transported;
use crate::support::{ANN, BOB, Mail, Stage};
use turnpost::credentials::token::{self, MailKind};
use turnpost::ids::BoardId;
use turnpost::mail::incoming::{Envelope, EnvelopeSender};
use turnpost::mail::outgoing::Signer;
use turnpost::mail::{Operator, ReplyToken};
use turnpost::timer::tick::Ticked;

/// The players of the scenes: userid, address, password. The last is a stranger on every server.
pub const PLAYERS: [(&str, &str, &str); 6] = [
    ("ann", "ann@example.org", ANN),
    ("bob", "bob@example.net", BOB),
    ("cleo", "cleo@example.com", "gannet-33"),
    ("dora", "dora@example.com", "tern-9-x"),
    ("emma", "emma@example.com", "whimbrel-5"),
    ("eve", "eve@example.com", "hunter2-x"),
];

pub fn address(player: &str) -> String {
    let known = PLAYERS.iter().find(|(userid, ..)| *userid == player);
    known.map_or_else(|| player.to_owned(), |(_, address, _)| (*address).to_owned())
}

pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub struct Scene {
    pub stage: Stage,
    /// What came of the last that happened.
    pub mails: Vec<Mail>,
    pub said: String,
    steps: usize,
    /// All that players do as it was before that.
    pub before: String,
    /// How many mails had left at the last `count`.
    pub counted: usize,
    /// `admin verify` has something to find.
    pub is_damaged: bool,
    sent: (Envelope, Vec<u8>),
    pub remembered: Vec<(String, String)>,
}

impl Scene {
    pub fn new(settings: &[&str]) -> Scene {
        let stage = if settings.is_empty() {
            Stage::with_players()
        } else {
            let stage = Stage::with(|config| {
                for setting in settings {
                    match *setting {
                        "no extensions" => config.extensions = false,
                        "vouching" => config.authserv_id = "mx.turnpost.example".to_owned(),
                        "pages" => {
                            config.web.listen = "127.0.0.1:0".to_owned();
                            config.web.url = "https://play.turnpost.example".to_owned();
                        }
                        "no robot" => config.robot.enabled = false,
                        "nobody" | "signing" => {}
                        other => panic!("no setting: {other}"),
                    }
                }
            });
            let mut stage = if settings.contains(&"nobody") { stage } else { stage.peopled() };
            if settings.contains(&"signing") {
                let key = include_str!("../../data/dkim/key.pem");
                stage.app.signer = Some(Signer::new("club", "turnpost.example", key).unwrap());
            }
            stage
        };
        Scene {
            stage,
            mails: Vec::new(),
            said: String::new(),
            steps: 0,
            before: String::new(),
            counted: 0,
            is_damaged: false,
            sent: (Envelope::default(), Vec::new()),
            remembered: Vec::new(),
        }
    }

    /// What happens by a line; `text` is what stands below it.
    pub fn happens(&mut self, line: &str, text: &str) -> Result<(), String> {
        let (who, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (what, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        match (who, what) {
            ("count", _) => {
                self.counted = self.stage.left.len();
                return Ok(());
            }
            ("remember", name) => return self.remember(name, rest),
            _ => {}
        }
        self.said.clear();
        self.steps += 1;
        self.before = self.stage.dump();
        self.mails = match (who, what) {
            ("backup", _) => {
                let copy = self.stage.folder.path().join("copy.db");
                self.stage
                    .database()
                    .execute("VACUUM INTO ?1", [copy.to_str()])
                    .map_err(|why| why.to_string())?;
                Vec::new()
            }
            ("restore", _) => {
                self.stage.restore();
                Vec::new()
            }
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
            ("lose", _) => {
                let key = self.stage.folder.path().join(turnpost::store::DICE_KEY);
                std::fs::remove_file(key).map_err(|why| why.to_string())?;
                Vec::new()
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
            ("plays", count) => self.plays(count, rest)?,
            ("report", kind) => {
                self.sent = report(self, kind, rest, self.steps).ok_or("what report?")?;
                self.send()
            }
            ("again", _) => self.send(),
            (player, "sends") => {
                let sender = match player {
                    "nobody" => None,
                    "daemon" => Some(EnvelopeSender::Null),
                    player => Some(EnvelopeSender::Address(address(player))),
                };
                let recipient = rest.strip_prefix("to ").map(str::to_owned);
                self.sent = (Envelope { sender, recipient }, text.replace('\n', "\r\n").into_bytes());
                self.send()
            }
            (player, "proves") => {
                let from = address(player);
                let domain = from.split_once('@').ok_or("who?")?.1;
                let mail = format!(
                    "Authentication-Results: mx.turnpost.example; dmarc=pass header.from={domain}\nFrom: {from}\n\
                     Subject: {rest}\nMessage-ID: <proven.{}@{domain}>\n\n{text}",
                    self.steps
                );
                self.sent = (
                    Envelope { sender: Some(EnvelopeSender::Address(from)), recipient: None },
                    mail.replace('\n', "\r\n").into_bytes(),
                );
                self.send()
            }
            (player, "presses") => {
                let player = player.parse().map_err(|_| "who?".to_owned())?;
                let player = self.stage.store.player(&player).unwrap().ok_or("who?")?.id;
                let token = token::give(&self.stage.store, BoardId(1), player, (MailKind::Board, None));
                self.stage.press(ReplyToken(token.unwrap().ok_or("no board")?), rest)
            }
            ("fails", _) => {
                let failed = self.stage.database().execute_batch(line.strip_prefix("fails ").unwrap());
                self.said = failed.err().ok_or("it does not fail")?.to_string();
                Vec::new()
            }
            (player, "joins") => {
                let known = PLAYERS.iter().find(|(userid, ..)| *userid == player).ok_or("who?")?;
                self.stage.sign_up(known.1, known.0, known.2)
            }
            (player, "mails") => {
                let subject = decoded(&self.with_plies(rest));
                self.stage.mail(&address(player), &subject, text)
            }
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
                let reply = phone_reply(&mail, &text, self.steps);
                self.sent = (transported(&reply), reply);
                self.send()
            }
            ("host", "does" | "may") => {
                let refused = what == "may";
                let act = if refused { rest.strip_prefix("not ").ok_or("not what?")? } else { rest };
                let (act, why) = act.split_once(" because").unwrap_or((act, host::WHY));
                let why = why.trim_start();
                match self.stage.host(host::act(act, why)?, why) {
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

    fn send(&mut self) -> Vec<Mail> {
        self.stage.receive_from(&self.sent.0, &self.sent.1)
    }
}
