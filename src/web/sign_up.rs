//! The form of a person without an account: a name and an address. Its one mail brings the link that makes the account
//! and opens the first board. A player who is signed in gets the board at once.

use std::net::IpAddr;

use axum::http::StatusCode;
use minijinja::context;
use schemars::JsonSchema;
use serde::Serialize;

use super::address::{Format, Step, Trial, WantedBoard};
use super::answer::Answer;
use super::browser::Browser;
use super::form::{BUSY, field};
use super::session::STRANGE;
use super::{Site, trial};
use crate::commands::Command;
use crate::commands::begin::{Begin, NewPerson};
use crate::credentials::token;
use crate::failure::Error;
use crate::ids::{BoardId, Userid};
use crate::language::values::read_address;
use crate::pipeline::{About, Handled};

/// The longest name or address that is read.
const FIELD: usize = 254;

/// The notice for a visitor who asks too often.
const OFTEN: &str = "Many links were asked for from your address, so this form sends none today. A mail to us with the \
                     Subject `signup NAME` begins too.";

#[derive(Clone, Serialize, JsonSchema)]
pub(super) struct SignUpPage {
    /// What happened to the form, in a sentence.
    notice: Option<String>,
    /// The mail is on its way, if one may go to the address.
    is_sent: bool,
    /// What the link opens.
    opens: String,
    /// The address that the form is sent to.
    action: String,
    /// The name and the address that were typed.
    typed_name: String,
    typed_address: String,
    /// The code for the form of a player who is signed in, which takes no name and no address.
    code: Option<String>,
}

impl SignUpPage {
    fn new(wanted: &WantedBoard) -> SignUpPage {
        SignUpPage {
            notice: None,
            is_sent: false,
            opens: opens(wanted),
            action: action(wanted),
            typed_name: String::new(),
            typed_address: String::new(),
            code: None,
        }
    }

    fn shown(&self, site: &Site, status: StatusCode, format: Format) -> Result<Option<Answer>, Error> {
        let page = site.shown_with("sign-up", self, format, || Ok(context! { once => once(site) }))?;
        Ok(Some(Answer { status, ..page.private() }))
    }
}

/// The field that makes a form sent twice one letter.
pub(super) fn once(site: &Site) -> String {
    site.once().replace(' ', "")
}

/// The page with the form; `None` if the game in the address did not begin here.
pub(super) fn page(
    site: &Site,
    wanted: &WantedBoard,
    browser: &Browser,
    format: Format,
) -> Result<Option<Answer>, Error> {
    if trial::first_board(site, wanted).is_none() {
        return Ok(None);
    }
    let code = match site.session(browser)? {
        Some(_) if wanted.game.is_none() => return Ok(Some(Answer::see("/me".to_owned()).private())),
        signed_in => signed_in.map(|_| browser.form_code(site)),
    };
    SignUpPage { code, ..SignUpPage::new(wanted) }.shown(site, StatusCode::OK, format)
}

/// Carries out the form. For a name that is free, the answer does not tell whether the address has an account.
pub(super) fn send(
    site: &Site,
    wanted: &WantedBoard,
    browser: &Browser,
    visitor: IpAddr,
    body: &[u8],
    format: Format,
) -> Result<Option<Answer>, Error> {
    let Some(board) = trial::first_board(site, wanted) else { return Ok(None) };
    if let Some(code) = field(body, "code") {
        return match open(site, Begin { person: None, game: wanted.game, board }, browser, body)? {
            Ok(opened) => Ok(Some(opened)),
            Err((status, notice)) => {
                let (notice, code) = (Some(notice), Some(code));
                SignUpPage { notice, code, ..SignUpPage::new(wanted) }.shown(site, status, format)
            }
        };
    }
    let [typed_name, typed_address] = ["name", "address"].map(|name| typed(body, name));
    let page = SignUpPage { typed_name, typed_address, ..SignUpPage::new(wanted) };
    let told = |status: StatusCode, notice: &str| {
        SignUpPage { notice: Some(notice.to_owned()), ..page.clone() }.shown(site, status, format)
    };
    if !browser.is_from_our_page {
        return told(StatusCode::FORBIDDEN, STRANGE);
    }
    let person = match person(body) {
        Ok(person) => person,
        Err((status, notice)) => return told(status, &notice),
    };
    if !site.may_sign_in(visitor, &person.address) {
        return told(StatusCode::TOO_MANY_REQUESTS, OFTEN);
    }
    let person = Some(person);
    match site.ask(None, Command::Begin(Begin { person, game: wanted.game, board }), &site.once()) {
        Some(Handled::Acted { ends_well: false, answer, .. }) => told(StatusCode::CONFLICT, &answer),
        Some(_) => SignUpPage { is_sent: true, ..page }.shown(site, StatusCode::OK, format),
        None => told(StatusCode::SERVICE_UNAVAILABLE, BUSY),
    }
}

/// A field, without the blanks around it.
pub(super) fn typed(body: &[u8], name: &str) -> String {
    field(body, name).unwrap_or_default().trim().to_owned()
}

/// A field of one word; `None` if it is empty, too long, or several words.
fn word(body: &[u8], name: &str) -> Option<String> {
    Some(typed(body, name))
        .filter(|text| !text.is_empty() && text.len() <= FIELD && !text.contains(char::is_whitespace))
}

/// The name in a form, if it has one. The error is a status and a notice.
pub(super) fn name(body: &[u8]) -> Result<Option<Userid>, (StatusCode, String)> {
    let name = word(body, "name").map(|name| name.parse()).transpose();
    name.map_err(|why| (StatusCode::CONFLICT, format!("This is no name to play under: {why}.")))
}

/// The name and the address in a form. The error is a status and a notice.
pub(super) fn person(body: &[u8]) -> Result<NewPerson, (StatusCode, String)> {
    let wrong = |status, notice: &str| (status, notice.to_owned());
    let (Some(userid), Some(address)) = (name(body)?, word(body, "address")) else {
        return Err(wrong(StatusCode::BAD_REQUEST, "Write a name in one word, and your address."));
    };
    let expected = "A mail address such as ann@example.org is expected.";
    let address = read_address(&address).map_err(|_| wrong(StatusCode::CONFLICT, expected))?;
    Ok(NewPerson { userid, address })
}

/// Opens a board for the player who is signed in. The error is a status and a notice.
pub(super) fn open(
    site: &Site,
    begin: Begin,
    browser: &Browser,
    body: &[u8],
) -> Result<Result<Answer, (StatusCode, String)>, Error> {
    if !browser.has_sent(site, body) {
        return Ok(Ok(Answer::plain(StatusCode::FORBIDDEN, STRANGE)));
    }
    let once = field(body, "once").unwrap_or_default();
    let to = match site.ask_as(browser, Command::Begin(begin), &once) {
        Some(Handled::Acted { ends_well: true, about, .. }) => begun(site, &about)?,
        Some(Handled::Acted { answer, .. }) => return Ok(Err((StatusCode::CONFLICT, answer))),
        Some(_) => None,
        None => return Ok(Err((StatusCode::SERVICE_UNAVAILABLE, BUSY.to_owned()))),
    };
    Ok(Ok(Answer::see(to.unwrap_or_else(|| "/me".to_owned())).private()))
}

/// The page of the board that a letter has begun, for its player.
pub(super) fn begun(site: &Site, about: &About) -> Result<Option<String>, Error> {
    let board = about.board.as_ref().and_then(|board| board.parse::<BoardId>().ok());
    let userid = about.player.as_ref().and_then(|player| player.parse::<Userid>().ok());
    let Some((board, userid)) = board.zip(userid) else { return Ok(None) };
    let link = site.read(|store| match store.player(&userid)? {
        Some(player) => token::of_page(store, board, player.id, None),
        None => Ok(None),
    })?;
    Ok(link.map(|link| format!("/play/{link}")))
}

/// The address of the form.
fn action(wanted: &WantedBoard) -> String {
    let Some(game) = wanted.game else { return "/sign-up".to_owned() };
    let seek = wanted.seek.map(|seek| format!("&seek={seek}")).unwrap_or_default();
    let trial = match &wanted.trial {
        Trial::New { level } => format!("&level={level}"),
        Trial::On { record, code, .. } => {
            let plies = record.plies.join(".");
            format!("&level={}&seed={}&code={code}&plies={plies}", record.level, record.seed)
        }
    };
    format!("/sign-up?game={}{seek}{trial}", game.key)
}

/// What the link opens, as the end of a sentence.
fn opens(wanted: &WantedBoard) -> String {
    match (wanted.game, wanted.seek, &wanted.trial) {
        (None, ..) => "the games you can begin".to_owned(),
        (Some(game), Some(_), _) => format!("a game of {} with the player who waits", game.name),
        (Some(game), None, Trial::New { level }) => {
            format!("a game of {} against the robot, level {level}", game.name)
        }
        (Some(game), None, Trial::On { step: Step::Look, .. }) => {
            format!("your game of {}, as it stands now", game.name)
        }
        (Some(game), None, _) => format!("a game of {}", game.name),
    }
}
