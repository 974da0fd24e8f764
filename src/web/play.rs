//! The play page, which opens from the link in a player's mail. Links choose a turn, and one button plays it.
//!
//! Opening the page changes nothing. A form becomes a letter with the token of that mail ([`super::act`]), so the
//! pipeline treats it like a reply.

use std::fmt::Display;

use minijinja::value::Serde;
use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::scene::Theme;

use super::Site;
use super::address::{Format, OpenTurn};
use super::answer::Answer;
use super::board::{fell, notes, pace, strips, table};
use super::choosing::Choosing;
use super::dead_chain::DeadChain;
use super::me;
use super::mine::Mine;
use super::moves::moves;
use super::seat::{NoteOn, Player, lost};
use super::turn::{TurnChoice, example};
use super::variation::{VariationPly, in_address};
use crate::commands::LANGUAGE;
use crate::commands::sign_in::may_stay;
use crate::credentials::Token;
use crate::credentials::token::{self, TokenSeat};
use crate::failure::Error;
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
        "late" => Some("The board has moved on since your page was made. Nothing was done."),
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
    /// Your private notes.
    notebook: Vec<NoteOn>,
    sentence: &'a str,
    /// The board that waits for a player who is signed in.
    next: Option<&'a Mine>,
}

/// The page of a link; `None` if the link is invalid.
pub(super) fn page(
    site: &Site,
    store: &Store,
    chosen: &OpenTurn,
    signed_in: Option<&SessionRow>,
    format: Format,
) -> Result<Option<Answer>, Error> {
    let Some(seat) = Token::page(store, &chosen.token)? else { return Ok(None) };
    if let Some(lost) = lost(site, store, &seat, format)? {
        return Ok(Some(lost));
    }
    // The page shows what was proposed after the mail of its link, so its forms can answer that. It shows the moves of its
    // player too, if the dice or a pass have left that player to move.
    if (seat.fresh && !seat.up_to_date || !seat.fresh && is_left_to_move(store, &seat)?)
        && let Some(token) = token::of_page(store, seat.board, seat.player, None)?
    {
        let newest = OpenTurn { token, ..chosen.clone() };
        return page(site, store, &newest, signed_in, format);
    }
    let Some(mut player) = Player::at(store, seat)? else { return Ok(None) };
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

/// True if only the player has moved since the mail of the link, and is to move again.
fn is_left_to_move(store: &Store, seat: &TokenSeat) -> Result<bool, Error> {
    let Some(row) = store.board(seat.board)?.filter(|_| seat.saw_others) else { return Ok(false) };
    Ok(row.to_move.is_some_and(|mover| *mover.of(&row.players) == seat.player))
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
    // The choice is last, because the keys of the page find a space at the end of its link.
    let from_side = |flip: bool, plies: &[String]| match (flip, plies) {
        (false, []) => home.clone(),
        (true, []) => format!("{home}?flip"),
        (false, plies) => format!("{home}?turn={}", plies.join(".")),
        (true, plies) => format!("{home}?flip&turn={}", plies.join(".")),
    };
    let words = |plies: Vec<VariationPly>| plies.into_iter().map(|ply| ply.in_address).collect::<Vec<_>>();
    let (in_address_so_far, played) = (words(turn.line.so_far()), turn.line.in_address());
    let address = |plies: &[String]| from_side(chosen.flip, plies);
    let here = address(&in_address_so_far);
    let with = |address: &str, name: &str, value: &dyn Display| {
        format!("{address}{}{name}={value}", if address.contains('?') { '&' } else { '?' })
    };
    let choose = |space: Option<&str>| match space {
        Some(space) => with(&here, "from", &space.to_ascii_lowercase()),
        None => here.clone(),
    };
    let make =
        |ply: &str| address(&[played.as_slice(), &[in_address(turn.line.table.as_ref(), ply)]].concat());
    let may_choose = player.is_to_move() && !turn.is_over();
    let from = chosen.from.as_deref();
    let closing = turn.line.table.closing_ply().filter(|_| may_choose);
    let dead = closing.as_ref().map(|_| DeadChain::all(&turn, &address)).unwrap_or_default();
    let choosing = may_choose.then(|| {
        Choosing::new(kind, (turn.line.table.as_ref(), &turn.line.begun), from, &choose, &make)
            .explaining(turn.tried.as_deref())
            .unmarking(&dead)
    });
    // A look back keeps the choices so far in its addresses.
    let stay = choose(from.filter(|_| choosing.as_ref().is_some_and(Choosing::has_chosen)));
    let past = match chosen.ply.filter(|ply| (ply.0 as usize) < plies.len()) {
        Some(ply) => look(store, player.seat.board, Some(ply))?,
        None => None,
    };
    let shown = past.as_ref().unwrap_or(&player.look);
    let scene = turn.scene().filter(|_| past.is_none()).unwrap_or_else(|| shown.scene.clone());
    let sentence = scene.sentence(kind.seats);
    let is_turned = kind.is_turned_for(player.side) != chosen.flip;
    let scene = if is_turned { scene.turned() } else { scene };
    let mut remarks = turn.remarks.clone();
    if !turn.line.plies.is_empty() {
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
        turn: &turn.line.texts(),
        remarks,
        notice,
        words: player.words(),
        queue: player.plan(store)?,
        said,
        notebook: player.notebook(store)?,
        sentence: &sentence,
        next: player.next.as_ref(),
    };
    let more = || {
        let svg = match &choosing {
            Some(choosing) if past.is_none() => choosing.svg(&scene, &sentence),
            _ => scene.svg(Theme::Page, &sentence, |_| Default::default()),
        };
        let back = turn.line.back().map(|before| address(&words(before)));
        let zone = zone_of(store, player.seat.player)?;
        let beside = turn.line.beside(&scene).into_iter().map(|(way, ply)| {
            let mut plies = in_address_so_far.clone();
            let href = ply.map(|ply| {
                plies.pop();
                address(&[plies, vec![ply]].concat())
            });
            context! { way, href }
        });
        let pad: Vec<Value> = beside.collect();
        Ok(context! {
            pad,
            closing => closing.as_ref().map(|ply| {
                context! { ply, does => turn.line.table.explained(ply), marks => choosing.as_ref().is_some_and(Choosing::is_marking) }
            }),
            dead => dead.iter().map(|chain| chain.told(kind.seats)).collect::<Vec<_>>(),
            svg, back, opponent,
            begun => &turn.line.begun,
            listed => choosing.as_ref().filter(|_| past.is_none() && turn.line.begun.is_empty()).map(Choosing::listed).unwrap_or_default(),
            home => &home,
            flip => chosen.flip,
            flipped => from_side(!chosen.flip, &in_address_so_far),
            typed => &chosen.typed,
            written => &chosen.words,
            draft_of_note => "",
            note_on => player.after(player.board.row.plies),
            conditions => &chosen.queue,
            then => &chosen.then,
            table => table(&scene, kind.seats),
            advice => choosing.as_ref().map(Choosing::advice),
            chosen => choosing.as_ref().is_some_and(Choosing::has_chosen),
            first => page.legal.first(),
            buttons => choosing.as_ref().map(Choosing::buttons).unwrap_or_default(),
            here => &here,
            example => example(turn.line.table.as_ref(), player.side),
            once => site.seed(),
            legend => scene.legend(),
            may_stay => player.may_stay,
            is_match => player.board.table.match_length() > 1,
            gives_up => player.board.table.give_up_ply().filter(|_| player.is_to_move()),
            confirm => store.is_on(player.seat.player, &CONFIRM)?,
            strips => strips(store, &player.board.row, shown, &scene)?,
            pace => pace(player.board.row.days),
            moves => moves(plies, past.as_ref().map_or(plies.len(), |past| past.view.plies as usize), &|ply| {
                if ply == plies.len() { stay.clone() } else { with(stay.strip_prefix(&home).unwrap_or_default(), "ply", &ply) }
            }),
            past => past.is_some(),
            url => &site.url,
            study => format!("{home}/study"),
            is_turned,
            order => match chosen.flip {
                false => [player.side.other().index(), player.side.index()],
                true => [player.side.index(), player.side.other().index()],
            },
            stay => &stay,
            moved => shown.view.last.last().map(|ply| Value::from(Serde(ply))),
            analysis => Value::from(()),
            fell => fell(&scene),
            notes => match page.turn {
                [] => notes(&scene),
                _ => notes(&turn.line.table.look()),
            },
            live => store.news_of_board(player.seat.board)?.map(|news| news.text(true)),
            now => (site.now)().as_second(),
            zone => zone.iana_name().unwrap_or("UTC"),
        })
    };
    Ok(site.shown_with("play", &page, format, more)?.private())
}
