//! A visitor's game against the robot. The whole game is in the address, and nothing is stored.
//!
//! The address contains a code that the server made for the record. So only games that began here continue, and a
//! visitor cannot ask the robot about a position of another game.

use std::sync::atomic::AtomicBool;

use minijinja::{Value, context};
use rand::Rng;
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::scene::Scene;
use turnpost_games::{GameKind, Seat, Setup, Table, registry};
use turnpost_robot::{Limits, Robot, mix};

use super::Site;
use super::address::{Format, LEVELS, Step, Trial, TrialRecord, WantedBoard};
use super::answer::Answer;
use super::board::table;
use super::browser::Browser;
use super::choosing::Choosing;
use super::turn::ending;
use super::variation::{Variation, in_address};
use crate::commands::begin::FirstBoard;
use crate::credentials::token;
use crate::failure::Error;

const VISITOR: Seat = Seat::First;

/// The most plies of a game. It cannot continue after them, because its address would be too long.
const LONGEST: usize = 600;

/// A game replayed from its record.
struct TrialGame {
    kind: &'static GameKind,
    robot: &'static Robot,
    level: u8,
    seed: u64,
    line: Variation,
    /// The number of plies at the beginning of each turn of the visitor.
    turns: Vec<usize>,
    /// The robot's plies since the visitor's last one.
    answer: Vec<String>,
    /// True if the visitor sees the board from its other side.
    flip: bool,
}

impl TrialGame {
    fn begin(kind: &'static GameKind, level: u8, seed: u64) -> Option<TrialGame> {
        let robot = robot_of(kind).filter(|robot| robot.level(level).is_some())?;
        let table = (kind.start)(&Setup { options: &kind.easy_options(), seed }).ok()?;
        let line = Variation::new(table);
        Some(TrialGame { kind, robot, level, seed, line, turns: vec![0], answer: Vec::new(), flip: false })
    }

    /// Replays a record; `None` if a ply is illegal.
    fn replay(kind: &'static GameKind, record: &TrialRecord) -> Option<TrialGame> {
        let mut game = TrialGame::begin(kind, record.level, record.seed)?;
        record.plies.iter().try_for_each(|ply| game.play(ply))?;
        Some(game)
    }

    /// Replays a record that this server has made.
    fn of_ours(site: &Site, kind: &'static GameKind, record: &TrialRecord, code: &str) -> Option<TrialGame> {
        let is_ours = token::is_page_code(&site.key, TRIAL, &written(kind, record), code);
        is_ours.then(|| TrialGame::replay(kind, record))?
    }

    fn play(&mut self, ply: &str) -> Option<()> {
        if self.line.plies.len() >= LONGEST {
            return None;
        }
        let mover = self.line.table.turn();
        let played = self.line.play_word(ply)?;
        if mover == VISITOR {
            self.answer.clear();
        } else {
            self.answer.push(played);
        }
        if mover != VISITOR && self.is_visitors() {
            self.turns.push(self.line.plies.len());
        }
        Some(())
    }

    /// True if it is the visitor's turn and no ply is forced.
    fn is_visitors(&self) -> bool {
        self.line.table.ended().is_none()
            && self.line.table.turn() == VISITOR
            && self.line.table.forced_ply().is_none()
    }

    /// Plays forced plies and the robot's moves until the visitor has a choice.
    fn answer(&mut self, memory: usize) -> Option<()> {
        while self.line.table.ended().is_none() && !self.is_visitors() {
            let ply = match self.line.table.forced_ply() {
                Some(pass) => pass,
                None => {
                    let plies = self.line.plies.len() as u64;
                    let level = self.robot.level(self.level)?;
                    let limits = Limits { memory, ..level.limits(1.0, mix(self.seed ^ plies)) };
                    let position = self.line.table.position();
                    self.robot.choose_move(&position, &limits, &AtomicBool::new(false)).ok()??.best_move
                }
            };
            self.play(&ply)?;
        }
        Some(())
    }

    /// The board with the last move.
    fn scene(&self) -> Scene {
        self.line.scene().unwrap_or_else(|| self.line.table.look())
    }

    /// The address of the game after `plies` plies: the record and its code.
    fn query(&self, key: &[u8; 32], plies: usize) -> String {
        let (level, seed) = (self.level, self.seed);
        let plies = self.line.in_address().into_iter().take(plies).collect();
        let record = TrialRecord { level, seed, plies };
        let code = token::page_code(key, TRIAL, &written(self.kind, &record));
        let plies = record.plies.join(".");
        let flip = if self.flip { FLIP } else { "" };
        format!("/try/{}?level={level}&seed={seed}&code={code}&plies={plies}{flip}", self.kind.key)
    }
}

/// The most memory for the robot's tables, in bytes. A search at these levels needs no more.
pub(super) const MEMORY: usize = 16 << 20;

/// The end of the address of a game that is seen from its other side.
const FLIP: &str = "&flip";

/// The purpose of the code of a record.
const TRIAL: &str = "trial";

/// The text that the code of a record covers.
fn written(kind: &GameKind, record: &TrialRecord) -> String {
    format!("{} {} {} {}", kind.key, record.level, record.seed, record.plies.join("."))
}

/// The page of a game, or a redirect to the game after a ply. `None` if the game did not begin here, or if a ply is
/// illegal.
pub(super) fn page(
    site: &Site,
    kind: &'static GameKind,
    trial: Trial,
    browser: &Browser,
    format: Format,
) -> Result<Option<Answer>, Error> {
    let Some(memory) = site.robot else { return Ok(None) };
    let (record, code, step, flip) = match trial {
        Trial::New { level } => {
            let Some(game) = TrialGame::begin(kind, level, site.seed()) else { return Ok(None) };
            return Ok(Some(Answer::see(game.query(&site.key, 0))));
        }
        Trial::On { record, code, step, flip } => (record, code, step, flip),
    };
    let Some(mut game) = TrialGame::of_ours(site, kind, &record, &code) else { return Ok(None) };
    game.flip = flip;
    let from = match step {
        Step::Look => None,
        Step::From(from) => Some(from),
        Step::Make(ply) => {
            if !game.is_visitors() {
                return Ok(None);
            }
            let played = game.play(&ply).and_then(|()| game.answer(memory));
            return Ok(played.map(|()| Answer::see(game.query(&site.key, game.line.plies.len()))));
        }
    };
    let is_signed_in = site.session(browser)?.is_some();
    Ok(Some(shown(site, &game, from.as_deref(), is_signed_in, format)?.private()))
}

/// The first board of a person who asks for it from here; `None` if the game did not begin here. A game that is over is
/// followed by another.
pub(super) fn first_board(site: &Site, wanted: &WantedBoard) -> Option<FirstBoard> {
    let WantedBoard { game, seek, trial } = wanted;
    let (level, begun) = match trial {
        Trial::New { level } => (*level, None),
        Trial::On { record, code, step: Step::Look, .. } => {
            let game = TrialGame::of_ours(site, (*game)?, record, code)?;
            let begun = game.is_visitors().then(|| (record.seed, record.plies.clone()));
            (record.level, begun.filter(|(_, plies)| !plies.is_empty()))
        }
        Trial::On { .. } => return None,
    };
    Some(FirstBoard { level, begun, seek: *seek, link: None })
}

#[derive(Serialize, JsonSchema)]
pub(super) struct TrialPage<'a> {
    /// The word of the game.
    game: &'static str,
    /// The name of the game.
    title: &'static str,
    level: u8,
    result: Option<String>,
    /// The page on which a person signs up to continue this game, or after its end to begin another.
    sign_up: String,
    /// The address before the visitor's last turn.
    undo: Option<String>,
    sentence: &'a str,
    /// The address of this page.
    here: &'a str,
    plies: &'a [String],
    /// The robot's plies since the visitor's last one.
    answer: String,
    /// Facts that the board does not show.
    notes: &'a [String],
    /// A line about both sides, such as the komi; empty if the drawing shows all.
    standing: &'a str,
    legal: Vec<String>,
    drawing: String,
}

fn shown(
    site: &Site,
    game: &TrialGame,
    from: Option<&str>,
    is_signed_in: bool,
    format: Format,
) -> Result<Answer, Error> {
    let plies = game.line.plies.len();
    let here = game.query(&site.key, plies);
    let (choose, make) = links(&here, game.line.table.as_ref());
    let choosing =
        Choosing::new(game.kind, (game.line.table.as_ref(), &game.line.begun), from, &choose, &make);
    let scene = if game.flip { game.scene().turned() } else { game.scene() };
    let sentence = scene.sentence(game.kind.seats);
    let result = game.line.table.ended().map(|outcome| ending(&outcome, VISITOR, "The robot"));
    let undo = game.turns.iter().rev().find(|turn| **turn < plies).map(|turn| game.query(&site.key, *turn));
    let key = game.kind.key;
    let sign_up = match here.split_once('?').filter(|_| result.is_none()) {
        Some((_, record)) => format!("/sign-up?game={key}&{record}"),
        None => format!("/sign-up?game={key}&level={}", game.level),
    };
    let page = TrialPage {
        sign_up,
        game: game.kind.key,
        title: game.kind.name,
        level: game.level,
        result,
        undo,
        sentence: &sentence,
        here: &here,
        plies: &game.line.texts(),
        answer: game.answer.join(" "),
        notes: &scene.notes,
        standing: &scene.standing,
        legal: choosing.plies(),
        drawing: game.line.table.drawing().board,
    };
    site.shown_with("try", &page, format, || {
        Ok(context! {
            is_signed_in,
            svg => choosing.svg(&scene, &sentence),
            table => table(&scene, game.kind.seats),
            advice => choosing.advice(),
            chosen => choosing.has_chosen(),
            buttons => choosing.buttons(),
            flipped => here.strip_suffix(FLIP).map_or_else(|| format!("{here}{FLIP}"), str::to_owned),
            side => game.kind.seat(VISITOR),
            levels => LEVELS.collect::<Vec<u8>>(),
        })
    })
}

/// The robot of a game that can be tried. A game in an address has no dice: their secret needs a board.
pub(super) fn robot_of(kind: &GameKind) -> Option<&'static Robot> {
    turnpost_robot::find(kind.key).filter(|_| !kind.dice)
}

/// The games that can be tried.
pub(super) fn games() -> impl Iterator<Item = &'static GameKind> {
    registry::games().iter().copied().filter(|kind| robot_of(kind).is_some())
}

/// The offer on the first page: a game against the robot, ready for the first move.
pub(super) fn first(site: &Site) -> Option<Value> {
    site.robot?;
    let game = TrialGame::begin(site.first_game?, *LEVELS.start(), site.first_seed)?;
    let here = game.query(&site.key, 0);
    let (choose, make) = links(&here, game.line.table.as_ref());
    let choosing = Choosing::new(game.kind, (game.line.table.as_ref(), ""), None, &choose, &make);
    let scene = game.scene();
    Some(context! {
        side => game.kind.seat(VISITOR),
        advice => choosing.advice(),
        key => game.kind.key,
        pitch => game.kind.pitch,
        svg => Value::from_safe_string(choosing.svg(&scene, &scene.sentence(game.kind.seats))),
        games => games().map(|kind| context! { key => kind.key, name => kind.name }).collect::<Vec<_>>(),
    })
}

/// Functions that return the address after choosing a space, and after playing a ply.
fn links<'a>(
    here: &'a str,
    table: &'a dyn Table,
) -> (impl Fn(Option<&str>) -> String + 'a, impl Fn(&str) -> String + 'a) {
    let choose = move |space: Option<&str>| match space {
        Some(space) => format!("{here}&from={}", space.to_ascii_lowercase()),
        None => here.to_owned(),
    };
    (choose, move |ply: &str| format!("{here}&make={}", in_address(table, ply)))
}

impl Site {
    /// An unpredictable number.
    pub(super) fn seed(&self) -> u64 {
        let mut rng = self.rng.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // 32 bits keep the address short.
        u64::from(rng.next_u32())
    }
}
