//! The analysis board: a visitor plays both sides of a position. The whole study is in the address, and nothing is
//! stored.
//!
//! On the board of a player, the lines become conditional moves, by the form that the play page has for them.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use minijinja::value::Serde;
use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::scene::Scene;
use turnpost_games::{Chance, GameKind, Seat, Setup, Table};
use turnpost_robot::Limits;

use super::Site;
use super::address::{Format, Studied, Study};
use super::answer::Answer;
use super::board::table;
use super::branches::{branches, longest, plan};
use super::choosing::Choosing;
use super::seat::{NoteOn, Player, lost};
use super::variation::{Variation, VariationPly, in_address};
use crate::board::Board;
use crate::board::record::Record;
use crate::credentials::Token;
use crate::failure::Error;
use crate::ids::{BoardId, Ply};
use crate::notices::explored::Explored;
use crate::notices::look::look;
use crate::store::{BoardState, Store};

/// The most plies of a line, and the most other lines.
const LONGEST: usize = 400;
const LINES: usize = 20;
/// The most nodes of the robot's move, which a page can wait for.
const OF_ADVICE: u64 = 10_000;

/// The position where a study begins.
struct StudyStart {
    kind: &'static GameKind,
    table: Box<dyn Table>,
    /// The board with its last move, if the position is of a board.
    scene: Option<Scene>,
    /// The address of the study without its lines.
    home: String,
    flip: bool,
    /// The page that the study was opened from.
    back: Option<String>,
    /// The board, and how many plies were played on it before.
    board: Option<(BoardId, usize)>,
    /// The seat that the lines can be copied to as conditional moves; none in a game with dice.
    own: Option<Seat>,
    /// True if the board is shown from the second side.
    is_turned: bool,
    /// The position by its last move, if this is the board of a player.
    after: String,
    /// The player's notes, if this is the board of a player.
    notebook: Option<Vec<NoteOn>>,
    /// True if the robot may say what it would play: the game is over.
    may_ask: bool,
}

impl StudyStart {
    /// Finds the position; `None` if there is none.
    fn find(store: &Store, of: &Studied) -> Result<Option<StudyStart>, Error> {
        let start = |kind, table| StudyStart {
            kind,
            table,
            scene: None,
            home: String::new(),
            flip: false,
            back: None,
            board: None,
            own: None,
            is_turned: false,
            after: String::new(),
            notebook: None,
            may_ask: false,
        };
        Ok(match of {
            Studied::Own(link) => {
                let seat = Token::page(store, link)?;
                let Some(player) = seat.map_or(Ok(None), |seat| Player::at(store, seat))? else {
                    return Ok(None);
                };
                let board = &player.board;
                let is_over = board.row.state == BoardState::Finished;
                Some(StudyStart {
                    scene: Some(player.look.scene.clone()),
                    home: format!("/play/{link}/study"),
                    back: Some(format!("/play/{link}")),
                    board: Some((board.row.id, board.row.plies.0 as usize)),
                    is_turned: board.kind.is_turned_for(player.side),
                    own: (player.may_plan() && !board.kind.dice).then_some(player.side),
                    after: player.after(board.row.plies),
                    notebook: player.seat.fresh.then(|| player.notebook(store)).transpose()?,
                    may_ask: is_over,
                    ..start(board.kind, board.table.copy())
                })
            }
            Studied::Board { game, board, ply } => {
                let Some(shown) = look(store, *board, *ply)?.filter(|shown| shown.kind.key == game.key)
                else {
                    return Ok(None);
                };
                let at = shown.view.plies;
                let past = Board::past(*board, &store.events(*board)?, Ply(at))?;
                let is_over = store.board(*board)?.is_some_and(|row| row.state == BoardState::Finished);
                let page = format!("/{}/{board}", game.key);
                Some(StudyStart {
                    scene: Some(shown.scene),
                    home: format!("{page}/study?ply={at}"),
                    back: Some(format!("{page}?ply={at}")),
                    board: Some((*board, at as usize)),
                    may_ask: is_over,
                    ..start(game, past.table)
                })
            }
            Studied::Position { game, text } => {
                let read = match text {
                    Some(text) => (game.read)(text),
                    None => (game.start)(&Setup { options: &game.easy_options(), seed: 0 }),
                };
                read.ok().map(|table| StudyStart {
                    home: position_address(table.as_ref(), game),
                    ..start(game, table)
                })
            }
            Studied::Pasted { .. } => None,
        })
    }

    /// The line of these plies; `None` if one is illegal. Forced passes that the plies leave out are played.
    fn line(&self, plies: &[String]) -> Option<Variation> {
        let mut line = Variation::new(self.table.copy());
        let pass = |line: &mut Variation, next: Option<&String>| {
            while let Some(pass) = line.table.forced_ply() {
                if next.is_some_and(|next| *next == in_address(line.table.as_ref(), &pass)) {
                    break;
                }
                line.play(&pass).ok()?;
            }
            Some(())
        };
        for ply in plies.iter().take(LONGEST) {
            pass(&mut line, Some(ply))?;
            line.play_word(ply)?;
        }
        pass(&mut line, None)?;
        Some(line)
    }

    /// The address of a study that shows this line and keeps others. A line that another one continues is left out.
    fn address(&self, line: &[VariationPly], kept: &[&[VariationPly]]) -> String {
        self.address_from(self.flip, line, kept)
    }

    fn address_from(&self, flip: bool, line: &[VariationPly], kept: &[&[VariationPly]]) -> String {
        let kept = longest(kept.iter().copied().filter(|other| !line.starts_with(other)));
        let plies = |line: &[VariationPly]| {
            line.iter().map(|ply| ply.in_address.as_str()).collect::<Vec<_>>().join(".")
        };
        let mut address = self.home.clone();
        if flip {
            address = format!("{address}{}flip", sign(&address));
        }
        let kept = kept.iter().map(|line| plies(line)).collect::<Vec<_>>().join("..");
        for (name, value) in [("line", plies(line)), ("kept", kept)] {
            if !value.is_empty() {
                address = format!("{address}{}{name}={value}", sign(&address));
            }
        }
        address
    }
}

/// The sign before the next parameter of an address.
fn sign(address: &str) -> char {
    if address.contains('?') { '&' } else { '?' }
}

fn position_address(table: &dyn Table, game: &GameKind) -> String {
    let start: String = form_urlencoded::byte_serialize(table.position().as_bytes()).collect();
    format!("/{}/study?start={start}", game.key)
}

#[derive(Serialize, JsonSchema)]
pub(super) struct StudyPage<'a> {
    /// The word of the game.
    game: &'static str,
    /// The name of the game.
    title: &'static str,
    /// The number of the board, if the position is of one.
    board: Option<u32>,
    /// The address of this page.
    here: &'a str,
    /// The plies of the line.
    plies: Vec<String>,
    sentence: &'a str,
    /// A line about both sides, such as the komi; empty if the drawing shows all.
    standing: &'a str,
    /// How the game ends here.
    result: Option<String>,
    legal: Vec<String>,
    drawing: String,
    /// The robot's move, if the reader asked for it.
    advice: Option<String>,
    /// The player's first turn, and the answers after it or from now on, as the play page takes them.
    turn: Option<String>,
    plan: Option<String>,
    /// What rated games that are over played here.
    archive: Explored,
    /// Why a pasted text was not read.
    notice: Option<&'a str>,
}

/// The page; `None` if there is no such position, or if a ply is illegal.
pub(super) fn page(
    site: &Site,
    store: &Store,
    study: &Study,
    format: Format,
) -> Result<Option<Answer>, Error> {
    if let Studied::Own(link) = &study.of
        && let Some(seat) = Token::page(store, link)?
        && let Some(lost) = lost(site, store, &seat, format)?
    {
        return Ok(Some(lost));
    }
    let mut notice = None;
    let standard;
    let of = match &study.of {
        Studied::Pasted { game, text } => match pasted(game, text) {
            Ok(address) => return Ok(Some(Answer::see(address))),
            Err(why) => {
                let known = if why.is_empty() { why } else { format!(" {why}") };
                notice = Some(format!(
                    "This is no position and no record of this game: paste the text of a position, or a record \
                     from its first line to its last.{known}"
                ));
                standard = Studied::Position { game, text: None };
                &standard
            }
        },
        of => of,
    };
    let Some(mut start) = StudyStart::find(store, of)? else { return Ok(None) };
    start.flip = study.flip;
    let Some(line) = start.line(&study.line) else { return Ok(None) };
    let kept: Option<Vec<Variation>> = study.kept.iter().take(LINES).map(|plies| start.line(plies)).collect();
    let Some(kept) = kept else { return Ok(None) };
    let archive = Explored::find(store, start.kind, line.table.as_ref())?;
    Ok(Some(shown(site, &start, study, (&line, archive), &kept, notice.as_deref(), format)?.private()))
}

fn shown(
    site: &Site,
    start: &StudyStart,
    study: &Study,
    (line, archive): (&Variation, Explored),
    kept: &[Variation],
    notice: Option<&str>,
    format: Format,
) -> Result<Answer, Error> {
    let kind = start.kind;
    let kept: Vec<&[VariationPly]> = kept.iter().map(|line| line.plies.as_slice()).collect();
    let here = start.address(&line.so_far(), &kept);
    let choose = |space: Option<&str>| match space {
        Some(space) => format!("{here}{}from={}", sign(&here), space.to_ascii_lowercase()),
        None => here.clone(),
    };
    let make = |ply: &str| {
        let next = VariationPly {
            seat: line.table.turn(),
            text: ply.to_owned(),
            in_address: in_address(line.table.as_ref(), ply),
            is_forced: false,
        };
        start.address(&[line.plies.as_slice(), &[next]].concat(), &kept)
    };
    let choosing =
        Choosing::new(kind, (line.table.as_ref(), &line.begun), study.from.as_deref(), &choose, &make);
    let scene = line.scene().or_else(|| start.scene.clone()).unwrap_or_else(|| line.table.look());
    let sentence = scene.sentence(kind.seats);
    let scene = if start.is_turned == study.flip { scene } else { scene.turned() };
    let all = longest(kept.iter().copied().chain([line.plies.as_slice()]));
    let (turn, plan) =
        start.own.map(|own| plan(&all, &line.plies, start.table.turn(), own)).unwrap_or_default();
    let result = line.table.ended().map(|outcome| {
        let how = outcome.how.map(|how| format!(", {how}")).unwrap_or_default();
        match outcome.winner {
            Some(winner) => format!("A win for {}{how}.", kind.seat(winner)),
            None => format!("A tie{how}."),
        }
    });
    let advice = (study.asks && start.may_ask).then(|| advice(site, kind, line.table.as_ref())).flatten();
    let page = StudyPage {
        game: kind.key,
        title: kind.name,
        board: start.board.map(|(board, _)| board.0),
        here: &here,
        plies: line.texts(),
        sentence: &sentence,
        standing: &scene.standing,
        result,
        legal: rolls(line.table.as_ref()).chain(choosing.plies()).collect(),
        drawing: line.table.drawing().board,
        advice,
        turn,
        plan,
        archive,
        notice,
    };
    site.shown_with("study", &page, format, || {
        let played = line.plies.iter().rposition(|ply| !ply.is_forced);
        let undo = played.and_then(|last| line.plies.get(..last)).map(<[_]>::to_vec);
        let undo = if line.begun.is_empty() { undo } else { line.back() };
        let undo = undo.map(|before| start.address(&before, &kept));
        let others: Vec<&[VariationPly]> =
            all.iter().copied().filter(|other| !other.starts_with(&line.plies)).collect();
        let first = start.address(&[], &all);
        let of_turn = line.plies.iter().take_while(|ply| Some(ply.seat) == start.own);
        let first_turn = of_turn.map(|ply| ply.in_address.as_str()).collect::<Vec<_>>().join(".");
        Ok(context! {
            svg => choosing.svg(&scene, &sentence),
            table => table(&scene, kind.seats),
            advice_of_board => choosing.advice(),
            chosen => choosing.has_chosen(),
            buttons => choosing.buttons(),
            sides => kind.seats,
            side => kind.seat(line.table.turn()),
            // A line stays when the visitor goes to an earlier ply of it.
            tree => branches(&all, &line.plies, 0, &|line| start.address(line, &all)),
            forget => (all.len() > 1).then(|| start.address(&[], &others)),
            ask => start.may_ask.then(|| format!("{here}{}ask=1", sign(&here))),
            back => &start.back,
            flipped => start.address_from(!start.flip, &line.plies, &kept),
            home => &start.back,
            notebook => Value::from(Serde(&start.notebook)),
            ply => start.board.map(|(_, plies)| plies),
            note_on => &start.after,
            draft_of_note => line.texts().join(" "),
            once => site.seed(),
            ways => page.archive.plies.iter().map(|next| make(&next.ply)).collect::<Vec<_>>(),
            first, undo, first_turn,
            begun => &line.begun,
            listed => if line.begun.is_empty() { choosing.listed() } else { Vec::new() },
            rolls => rolls(line.table.as_ref()).map(|cast| context! { href => make(&cast), text => cast, does => () }).collect::<Vec<_>>(),
        })
    })
}

/// The casts that can fall now. Of casts that lead to the same position, only the first is listed.
fn rolls(table: &dyn Table) -> impl Iterator<Item = String> {
    let mut seen = BTreeSet::new();
    let casts = table.chance().into_iter().flat_map(Chance::casts);
    casts.filter_map(move |cast| {
        let mut after = table.copy();
        let text = after.play_chance(cast)?;
        seen.insert(after.position()).then_some(text)
    })
}

/// The robot's move here.
fn advice(site: &Site, kind: &GameKind, table: &dyn Table) -> Option<String> {
    let robot = turnpost_robot::find(kind.key)?;
    let level = robot.levels.iter().take_while(|level| level.nodes <= OF_ADVICE).last()?;
    let limits = Limits { memory: site.robot?, noise: 0, ..level.limits(1.0, 0) };
    let choice = robot.choose_move(&table.position(), &limits, &AtomicBool::new(false)).ok()??;
    Some(choice.best_move)
}

/// The address of the study of a pasted position or record. The error says why the text is neither, if a format knows.
fn pasted(game: &'static GameKind, text: &str) -> Result<String, String> {
    let text = text.trim();
    if let Ok(table) = (game.read)(text) {
        return Ok(position_address(table.as_ref(), game));
    }
    let (start, plies) = match Record::read(text).ok().as_ref().and_then(Record::moves) {
        Some((of, start, plies)) if of == game.key => {
            (start.to_owned(), plies.into_iter().map(str::to_owned).collect())
        }
        _ => {
            let mut why = String::new();
            let read = game.notations.iter().find_map(|notation| {
                let read = (notation.read)(game, text).map_err(|told| why = told).ok()?;
                read.into_iter().next()
            });
            read.map(|read| (read.start, read.plies)).ok_or(why)?
        }
    };
    let table = (game.read)(&start).map_err(|why| why.to_string())?;
    let mut line = Variation::new(table.copy());
    plies.iter().try_for_each(|ply: &String| line.play(ply).map(|_| ())).map_err(|why| why.to_string())?;
    let home = position_address(table.as_ref(), game);
    Ok(format!("{home}&line={}", line.in_address().join(".")))
}
