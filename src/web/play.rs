//! The page of a player whose mail carries the link: a turn is chosen by links, and one button plays it.
//!
//! Reading changes nothing. What the button sends becomes a letter with the token of that mail, so the pipeline plays,
//! refuses and tells it as it would a reply.

use axum::http::StatusCode;
use minijinja::value::Serde;
use minijinja::{Value, context};
use turnpost_games::Table;
use turnpost_games::scene::{Ends, Scene};

use super::Site;
use super::address::Chosen;
use super::board::table;
use super::choosing::Choosing;
use super::page::Answer;
use crate::ids::Seat;
use crate::mail::{Letter, ReplyToken};
use crate::pipeline::Handled;
use crate::service::look::{Look, look};
use crate::service::token::{self, MailKind, TokenSeat};
use crate::service::{Error, board::Board};
use crate::store::Store;

/// The longest words for the opponent.
const WORDS: usize = 4000;

/// A player at a board, by a link.
struct Player {
    seat: TokenSeat,
    side: Seat,
    board: Board,
    look: Look,
}

impl Player {
    fn find(store: &Store, link: &str) -> Result<Option<Player>, Error> {
        let Some(seat) = token::page_seat(store, link)? else { return Ok(None) };
        let Some(board) = Board::load(store, seat.board)? else { return Ok(None) };
        let Some(look) = look(store, seat.board, None)? else { return Ok(None) };
        let side = if board.row.players[0] == seat.player { Seat::First } else { Seat::Second };
        Ok(Some(Player { seat, side, board, look }))
    }

    fn is_to_move(&self) -> bool {
        self.seat.fresh && self.board.row.to_move == Some(self.side)
    }

    /// What may be done beside moving, as the words of a reply.
    fn words(&self) -> Vec<&'static str> {
        let view = &self.look.view;
        if !self.seat.fresh {
            return Vec::new();
        }
        if self.board.row.to_move.is_none() {
            return vec!["rematch"];
        }
        let mut words = Vec::new();
        match view.proposal {
            // What the mail did not show, its link does not answer.
            Some((by, _)) if by != self.side.index() && self.seat.up_to_date => {
                words.extend(["accept", "reject"]);
            }
            Some(_) => {}
            None => words.push("propose"),
        }
        if view.plies > 0 {
            words.push("undo");
        }
        words.push("resign");
        words
    }
}

/// A turn as far as it is chosen.
struct Turn {
    table: Box<dyn Table>,
    plies: Vec<String>,
    last: Option<(Box<dyn Table>, Ends)>,
    remarks: Vec<String>,
    /// Why a ply of it cannot be played.
    refused: Option<String>,
}

impl Turn {
    fn of(player: &Player, plies: &[String]) -> Turn {
        let table = player.board.table.copy();
        let mut turn = Turn { table, plies: Vec::new(), last: None, remarks: Vec::new(), refused: None };
        for ply in plies.iter().filter(|_| player.is_to_move()) {
            if turn.is_over(player.side) {
                break;
            }
            let before = turn.table.copy();
            match turn.table.play_text(ply) {
                Ok(played) => {
                    turn.plies.push(played.ply);
                    turn.remarks.extend(played.remarks);
                    if played.ends.to.is_some() {
                        turn.last = Some((before, played.ends));
                    }
                }
                Err(why) => {
                    turn.refused = Some(why.to_string());
                    break;
                }
            }
        }
        turn
    }

    /// True when the player has nothing more to choose.
    fn is_over(&self, side: Seat) -> bool {
        self.table.ended().is_some() || self.table.turn() != side || self.table.forced_ply().is_some()
    }

    fn scene(&self, look: &Look) -> Scene {
        match &self.last {
            Some((before, ends)) => self.table.look().after(&before.look(), ends.clone()),
            None => look.scene.clone(),
        }
    }
}

/// The page of a link; `None` for a link that is not ours.
pub(super) fn page(site: &Site, store: &Store, chosen: &Chosen, json: bool) -> Result<Option<Answer>, Error> {
    let Some(player) = Player::find(store, &chosen.token)? else { return Ok(None) };
    let notice = if chosen.done { Some("Done.") } else { None };
    shown(site, &player, chosen, notice, json).map(Some)
}

fn shown(
    site: &Site,
    player: &Player,
    chosen: &Chosen,
    notice: Option<&str>,
    json: bool,
) -> Result<Answer, Error> {
    let turn = Turn::of(player, &chosen.turn);
    let kind = player.look.kind;
    let home = format!("/play/{}", chosen.token);
    let address = |plies: &[String]| match plies {
        [] => home.clone(),
        plies => format!("{home}?turn={}", plies.join(".").to_ascii_lowercase()),
    };
    let here = address(&turn.plies);
    let choose = |space: Option<&str>| match space {
        Some(space) => {
            let sign = if turn.plies.is_empty() { '?' } else { '&' };
            format!("{here}{sign}from={}", space.to_ascii_lowercase())
        }
        None => here.clone(),
    };
    let make = |ply: &str| address(&[turn.plies.as_slice(), &[ply.to_owned()]].concat());
    let may_choose = player.is_to_move() && !turn.is_over(player.side);
    let from = chosen.from.as_deref();
    let choosing = may_choose.then(|| Choosing::new(turn.table.as_ref(), kind.seats, from, &choose, &make));
    let scene = turn.scene(&player.look);
    let sentence = scene.sentence(kind.seats);
    let notice = turn.refused.as_deref().or(notice);
    let common = context! {
        v => Value::from(Serde(&player.look.view)),
        you => player.side.index(),
        spent => !player.seat.fresh,
        to_move => player.is_to_move(),
        turn => &turn.plies,
        remarks => &turn.remarks,
        words => player.words(),
        notice => notice,
        sentence => &sentence,
    };
    if json {
        let legal = choosing.as_ref().map(Choosing::plies).unwrap_or_default();
        return Ok(site.shown("play", context! { legal, ..common }, json)?.private());
    }
    let svg = match &choosing {
        Some(choosing) => choosing.svg(&scene, &sentence),
        None => scene.svg(turnpost_games::scene::Theme::Page, &sentence, |_| Default::default()),
    };
    let back = turn.plies.split_last().map(|(_, before)| address(before));
    let context = context! {
        svg, back,
        home => &home,
        table => table(&scene, kind.seats),
        advice => choosing.as_ref().map(Choosing::advice),
        chosen => choosing.as_ref().is_some_and(Choosing::has_chosen),
        buttons => choosing.as_ref().map(Choosing::buttons).unwrap_or_default(),
        here => &here,
        talks => player.seat.fresh && !player.board.row.is_with_robot(),
        plies => Value::from(Serde(&player.look.plies)),
        ..common
    };
    Ok(site.html("play", context)?.private())
}

/// Does what a form of the page asks; `None` for a link that is not ours.
pub(super) fn act(site: &Site, link: &str, body: &[u8], json: bool) -> Result<Option<Answer>, Error> {
    let found = site.read(|store| {
        let Some(player) = Player::find(store, link)? else { return Ok(None) };
        let TokenSeat { board, player: who, event, .. } = player.seat;
        Ok(token::give(store, board, who, (MailKind::Board, Some(event)))?.map(|mail| (player, mail)))
    })?;
    let Some((player, mail)) = found else { return Ok(None) };
    let chosen = Chosen { token: link.to_owned(), turn: Vec::new(), from: None, done: false };
    let told = |status, words: &str| {
        let page = shown(site, &player, &chosen, Some(words), json)?;
        Ok(Some(Answer { status, ..page }))
    };
    let Some(text) = text_of(body) else {
        return told(StatusCode::BAD_REQUEST, "This form is not one of ours; nothing was done.");
    };
    let letter = Box::new(Letter::by_page(ReplyToken(mail), text));
    match (site.hand)(letter) {
        Some(Handled::Acted { ends_well: true, .. }) => {
            let next =
                site.read(|store| token::of_page(store, player.seat.board, player.seat.player, None))?;
            let next = next.unwrap_or_else(|| link.to_owned());
            Ok(Some(Answer::see(format!("/play/{next}?done=1")).private()))
        }
        Some(Handled::Acted { answer, .. }) => told(StatusCode::CONFLICT, &answer),
        Some(Handled::Again | Handled::Counted(_) | Handled::SetAside) => {
            told(StatusCode::OK, "This was done already; once is enough.")
        }
        None => told(
            StatusCode::SERVICE_UNAVAILABLE,
            "The server could not do this at the moment, and nothing was done. Try again in a minute.",
        ),
    }
}

/// What a form says, as the reply that says the same.
fn text_of(body: &[u8]) -> Option<String> {
    let field = |name: &str| {
        form_urlencoded::parse(body).find(|(field, _)| field == name).map(|(_, value)| value.into_owned())
    };
    match field("act")?.as_str() {
        "move" => {
            let turn = field("turn")?;
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ' ';
            (!turn.trim().is_empty() && turn.len() <= 200 && turn.chars().all(plain)).then_some(turn)
        }
        word @ ("resign" | "propose" | "undo" | "accept" | "reject" | "rematch") => Some(word.to_owned()),
        "chat" => {
            let words = field("words").filter(|words| !words.trim().is_empty() && words.len() <= WORDS)?;
            Some(format!("chat {}", words.trim()))
        }
        _ => None,
    }
}
