//! The play page, which opens from the link in a player's mail. Links choose a turn, and one button plays it.
//!
//! Opening the page changes nothing. A form becomes a letter with the token of that mail ([`super::act`]), so the
//! pipeline treats it like a reply.

use minijinja::value::Serde;
use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use tracing::warn;
use turnpost_games::scene::Theme;

use super::Site;
use super::address::{Format, OpenTurn};
use super::answer::Answer;
use super::board::{ratings, table};
use super::choosing::Choosing;
use super::me;
use super::mine::Mine;
use super::turn::{TurnChoice, example, in_address};
use crate::board::Board;
use crate::commands::LANGUAGE;
use crate::commands::reply_words::offers;
use crate::commands::sign_in::may_stay;
use crate::credentials::Token;
use crate::credentials::token::TokenSeat;
use crate::failure::Error;
use crate::ids::Seat;
use crate::language::plan::Plan;
use crate::notices::look::{Look, Said, conversation, look};
use crate::notices::view::BoardView;
use crate::play::zone_of;
use crate::settings::CONFIRM;
use crate::store::{SessionRow, Store};

/// The notice after `act` was carried out, which led to this board.
fn done(act: &str, view: &BoardView) -> Option<&'static str> {
    match act {
        "undo" if view.proposal.is_none() => Some("Your move is taken back."),
        "move" => Some("Your move is played."),
        "unqueue" => Some("Your conditional moves are withdrawn."),
        word => LANGUAGE.of_reply(word)?.done,
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct PlayPage<'a> {
    v: &'a BoardView,
    /// Your seat, 0 or 1.
    you: usize,
    /// The link is from an earlier mail.
    spent: bool,
    to_move: bool,
    legal: Vec<String>,
    /// The plies that are chosen so far.
    turn: &'a [String],
    /// What these plies do in addition to moving.
    remarks: Vec<String>,
    notice: Option<&'a str>,
    /// What a reply to the mail may say now; most are an `act`.
    words: Vec<&'static str>,
    /// Your conditional moves.
    queue: Plan,
    /// The latest words of both players, the oldest first.
    said: Vec<Said>,
    sentence: &'a str,
    /// The board that waits for a player who is signed in.
    next: Option<&'a Mine>,
}

/// A player at a board, found by a link.
pub(super) struct Player {
    pub seat: TokenSeat,
    side: Seat,
    board: Board,
    look: Look,
    /// The next board of a player who is signed in.
    next: Option<Mine>,
    /// True if the page offers to sign this browser in.
    may_stay: bool,
}

impl Player {
    /// True if this turn is from a page that was made before the spaces of its board were renamed. Pages write them in
    /// capitals since.
    pub fn names_as_before(&self, store: &Store, turn: &str) -> Result<bool, Error> {
        let today = self.board.kind.renamed.and_then(|renamed| renamed(turn));
        let is_other = today.is_some_and(|today| !today.eq_ignore_ascii_case(turn));
        Ok(is_other && turn.starts_with(char::is_lowercase) && store.is_newly_renamed(self.board.row.id)?)
    }

    pub fn find(store: &Store, link: &str) -> Result<Option<Player>, Error> {
        Token::page(store, link)?.map_or(Ok(None), |seat| Player::at(store, seat))
    }

    pub fn at(store: &Store, seat: TokenSeat) -> Result<Option<Player>, Error> {
        let Some(board) = Board::load(store, seat.board)? else { return Ok(None) };
        let Some(look) = look(store, seat.board, None)? else { return Ok(None) };
        let side = if board.row.players[0] == seat.player { Seat::First } else { Seat::Second };
        Ok(Some(Player { seat, side, board, look, next: None, may_stay: false }))
    }

    fn is_to_move(&self) -> bool {
        self.seat.fresh && self.board.row.to_move == Some(self.side)
    }

    /// Words of a reply, other than a move, that the page offers.
    fn words(&self) -> Vec<&'static str> {
        if !self.seat.fresh {
            return Vec::new();
        }
        let offers = offers(&self.look.view, self.side.index()).into_iter();
        // A link cannot answer what its mail did not show.
        let buttons = offers.filter(|entry| entry.done.is_some() && self.seat.has_seen(entry.needs));
        buttons.map(|entry| entry.word).collect()
    }

    /// The player's conditional moves.
    fn plan(&self, store: &Store) -> Result<Plan, Error> {
        let text = store.queue(self.seat.board, self.seat.player)?.filter(|_| self.seat.fresh);
        let plan = text.map(|text| serde_json::from_str(&text)).transpose();
        Ok(plan
            .unwrap_or_else(|why| {
                warn!("queue on {}: {why}", self.seat.board);
                None
            })
            .unwrap_or_default())
    }
}

/// The page of a link; `None` if the link is invalid.
pub(super) fn page(
    site: &Site,
    store: &Store,
    chosen: &OpenTurn,
    signed_in: Option<&SessionRow>,
    format: Format,
) -> Result<Option<Answer>, Error> {
    let Some(mut player) = Player::find(store, &chosen.token)? else { return Ok(None) };
    let is_known = signed_in.is_some_and(|session| session.plays(player.seat.board));
    player.may_stay = !is_known && may_stay(store, &player.seat, (site.now)())?;
    let its = signed_in.filter(|session| session.player == player.seat.player && session.board.is_none());
    if let Some(session) = its.filter(|_| !player.is_to_move()) {
        player.next = me::next(store, session, (site.now)())?;
    }
    let notice =
        chosen.done.as_deref().and_then(|act| done(act, &player.look.view)).filter(|_| player.seat.fresh);
    shown(site, store, &player, chosen, notice, format).map(Some)
}

/// The play page, with the choices so far.
pub(super) fn shown(
    site: &Site,
    store: &Store,
    player: &Player,
    chosen: &OpenTurn,
    notice: Option<&str>,
    format: Format,
) -> Result<Answer, Error> {
    let Look { kind, view, plies, .. } = &player.look;
    let view = &view.clone().with_left(store, (site.now)())?;
    let opponent = view.players.get(player.side.other().index()).map(String::as_str).unwrap_or_default();
    let mut turn = TurnChoice::new(player.board.kind, player.board.table.as_ref(), player.side);
    if player.is_to_move() {
        turn.play(&chosen.turn);
        chosen.typed.iter().for_each(|typed| turn.play_typed(typed));
    }
    let home = format!("/play/{}", chosen.token);
    let address = |plies: &[String]| match plies {
        [] => home.clone(),
        plies => format!("{home}?turn={}", plies.join(".")),
    };
    let here = address(&turn.in_address);
    let choose = |space: Option<&str>| match space {
        Some(space) => {
            let sign = if turn.plies.is_empty() { '?' } else { '&' };
            format!("{here}{sign}from={}", space.to_ascii_lowercase())
        }
        None => here.clone(),
    };
    let make =
        |ply: &str| address(&[turn.in_address.as_slice(), &[in_address(turn.table.as_ref(), ply)]].concat());
    let may_choose = player.is_to_move() && !turn.is_over();
    let from = chosen.from.as_deref();
    let choosing = may_choose.then(|| Choosing::new(turn.table.as_ref(), kind.seats, from, &choose, &make));
    let scene = turn.scene().unwrap_or_else(|| player.look.scene.clone());
    let sentence = scene.sentence(kind.seats);
    let mut remarks = turn.remarks.clone();
    if !turn.plies.is_empty() {
        remarks.extend(turn.consequences(opponent));
    }
    let said = if player.seat.fresh { conversation(store, player.seat.board)? } else { Vec::new() };
    let notice = turn.refused.as_deref().or(notice);
    let page = PlayPage {
        v: view,
        you: player.side.index(),
        spent: !player.seat.fresh,
        to_move: player.is_to_move(),
        legal: choosing.as_ref().map(Choosing::plies).unwrap_or_default(),
        turn: &turn.plies,
        remarks,
        notice,
        words: player.words(),
        queue: player.plan(store)?,
        said,
        sentence: &sentence,
        next: player.next.as_ref(),
    };
    let more = || {
        let svg = match &choosing {
            Some(choosing) => choosing.svg(&scene, &sentence),
            None => scene.svg(Theme::Page, &sentence, |_| Default::default()),
        };
        let back = turn.in_address.split_last().map(|(_, before)| address(before));
        let zone = zone_of(store, player.seat.player)?;
        Ok(context! {
            svg, back, opponent,
            home => &home,
            typed => &chosen.typed,
            written => &chosen.words,
            conditions => &chosen.queue,
            then => &chosen.then,
            table => table(&scene, kind.seats),
            advice => choosing.as_ref().map(Choosing::advice),
            chosen => choosing.as_ref().is_some_and(Choosing::has_chosen),
            first => page.legal.first(),
            buttons => choosing.as_ref().map(Choosing::buttons).unwrap_or_default(),
            here => &here,
            example => example(turn.table.as_ref(), player.side),
            once => site.seed(),
            legend => scene.legend(),
            may_stay => player.may_stay,
            confirm => store.is_on(player.seat.player, &CONFIRM)?,
            pieces => Seat::BOTH.map(|side| scene.pieces(side)),
            ratings => ratings(store, &player.board.row)?,
            now => (site.now)().as_second(),
            zone => zone.iana_name().unwrap_or("UTC"),
            plies => Value::from(Serde(plies)),
        })
    };
    Ok(site.shown_with("play", &page, format, more)?.private())
}
