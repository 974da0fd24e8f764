//! Dispatches each address to the code that makes its page.

use std::net::IpAddr;

use axum::http::StatusCode;
use minijinja::context;
use turnpost_games::scene::Theme;

use super::address::{Address, ContestPage, Format, Studied};
use super::answer::{Answer, AnswerKind};
use super::browser::Browser;
use super::form::field;
use super::new_game::NewGame;
use super::session;
use super::{
    Site, act, board, contests, description, game_contests, invite, lists, mailed_link, me, me_form, pause,
    play, player, prose, sign_up, study, trial,
};
use crate::credentials::Token;
use crate::failure::Error;
use crate::notices::past_contests::past_contests;
use crate::picture;

/// A request for a page.
pub(super) struct PageRequest {
    pub address: Option<Address>,
    pub format: Format,
    /// The body of a POST.
    pub posted: Option<Vec<u8>>,
    /// The value of `If-None-Match`: the ETags of the visitor's copies.
    pub seen: Option<String>,
    pub browser: Browser,
    pub visitor: IpAddr,
}

pub(super) fn page(site: &Site, asked: PageRequest) -> Result<Answer, Error> {
    let format = asked.format;
    let found = match asked.address {
        None => None,
        // A browser asks for these again, so that no page has the style or the script of an earlier release.
        Some(Address::Style) => Some(Answer::of(AnswerKind::Css, style())),
        Some(Address::Script) => Some(Answer::of(AnswerKind::Script, include_str!("script.js"))),
        Some(Address::DiceScript) => Some(Answer::of(AnswerKind::Script, include_str!("dice.js"))),
        Some(Address::Worker) => Some(Answer::of(AnswerKind::Script, include_str!("sw.js"))),
        Some(Address::Icon) => Some(Answer { lasting: true, ..Answer::of(AnswerKind::Svg, ICON) }),
        Some(Address::IconPng) => Some(match picture::of_svg(ICON, ICON_SCALE) {
            Ok(bytes) => Answer { lasting: true, ..Answer::of(AnswerKind::Png, bytes) },
            Err(_) => Answer::broken(),
        }),
        Some(Address::Manifest) => {
            Some(Answer::of(AnswerKind::Json, site.templates.render("web/manifest.html", context! {})?))
        }
        Some(Address::GamePicture(game, theme)) => Some(prose::game_picture(site, game, theme)?),
        Some(Address::Robots) => Some(Answer::of(AnswerKind::Text, ROBOTS)),
        Some(Address::Api) => Some(Answer::of(AnswerKind::Json, description::description())),
        Some(Address::Help(subject)) => prose::help(site, &subject, format)?,
        Some(Address::Home) => Some(site.read(|store| lists::home(site, store, format))?),
        Some(Address::Game(game, over)) => {
            Some(site.read(|store| lists::game(site, store, game, &over, format))?)
        }
        Some(Address::Events) => Some(site.read(|store| contests::list(site, store, format))?),
        Some(Address::PastEvents(page)) => site.read(|store| match past_contests(store, None, page)? {
            Some(past) => site.shown("past_contests", &past, format).map(Some),
            None => Ok(None),
        })?,
        Some(Address::Contest(ContestPage { name, group, form })) => {
            let wanted = contests::AskedContest { name: &name, group, form: form.or_json(format) };
            contests::page(site, &asked.browser, &wanted)?
        }
        Some(Address::GameContest(mut wanted)) => {
            wanted.form = wanted.form.or_json(format);
            site.read(|store| game_contests::page(site, store, &wanted))?
        }
        Some(Address::Player(userid)) => player::page(site, &asked.browser, &userid, format)?,
        Some(Address::Try(game, trial)) => trial::page(site, game, trial, &asked.browser, format)?,
        Some(Address::Study(mut study)) => {
            let text = asked.posted.and_then(|body| field(&body, "paste"));
            if let (Studied::Position { game, .. }, Some(text)) = (&study.of, text) {
                study.of = Studied::Pasted { game, text };
            }
            site.read(|store| study::page(site, store, &study, format))?
        }
        Some(Address::Play(chosen)) => match asked.posted {
            None => {
                let signed_in = site.session(&asked.browser)?;
                match session::newer_link(site, signed_in.as_ref(), &chosen.token)? {
                    Some(link) => Some(Answer::see(chosen.at(&link)).private()),
                    None => {
                        site.read(|store| play::page(site, store, &chosen, signed_in.as_ref(), format))?
                    }
                }
            }
            Some(body) if field(&body, "act").as_deref() == Some("stay") => {
                session::stay(site, &chosen, &asked.browser, &body)?
            }
            Some(body) => match act::act(site, &chosen, &body, format)? {
                // If the form came from an older page and did nothing, a signed-in player is sent to the newest page.
                Some(refused) if refused.status == StatusCode::CONFLICT => {
                    let signed_in = site.session(&asked.browser)?;
                    let newer = session::newer_link(site, signed_in.as_ref(), &chosen.token)?;
                    let see = |link: String| Answer::see(chosen.done_at(&link, "late")).private();
                    Some(newer.map_or(refused, see))
                }
                answer => answer,
            },
        },
        // The router makes the stream.
        Some(Address::News(_)) => None,
        Some(Address::Pause(link)) => match asked.posted {
            None => site.read(|store| pause::page(site, store, &link, format))?,
            Some(body) => pause::act(site, &link, &body, format)?,
        },
        Some(Address::SignIn) => Some(match asked.posted {
            None => session::ask(site, format)?,
            Some(body) => session::send(site, &asked.browser, asked.visitor, &body, format)?,
        }),
        Some(Address::SignInBy(link)) => Some(match asked.posted {
            None => mailed_link::page(site, &link, format)?,
            Some(body) => mailed_link::open(site, &link, &asked.browser, &body, format)?,
        }),
        Some(Address::SignUp(wanted)) => match asked.posted {
            None => sign_up::page(site, &wanted, &asked.browser, format)?,
            Some(body) => sign_up::send(site, &wanted, &asked.browser, asked.visitor, &body, format)?,
        },
        Some(Address::Invite(link)) => Some(match asked.posted {
            None => invite::page(site, &link, &asked.browser, format)?,
            Some(body) => invite::answer(site, &link, &asked.browser, &body, format)?,
        }),
        Some(Address::Me { game, against, .. }) => Some(match asked.posted {
            None => me::page(site, &asked.browser, NewGame::fresh(game, against.as_ref()), format)?,
            Some(body) => me_form::act(site, &asked.browser, &body, format)?,
        }),
        Some(Address::Feed(link)) => me::feed(site, &link)?,
        Some(Address::MyRecords(format)) => Some(me::records(site, &asked.browser, format)?),
        Some(Address::Board { game, board, ply, form, flip }) => {
            let wanted = board::Wanted { game, number: board, ply, form: form.or_json(format), flip };
            site.read(|store| board::page(site, store, &wanted))?
        }
    };
    found.map_or_else(|| site.missing(format), Ok)
}

/// The answer if a finished board has not changed since the visitor's copy. It needs one query, so it runs without a
/// thread of its own. `None` in any other case, or if all databases are in use.
pub(super) fn unchanged(site: &Site, asked: &PageRequest) -> Option<Answer> {
    let (Some(Address::Board { game, board, ply, form, flip }), Some(seen)) = (&asked.address, &asked.seen)
    else {
        return None;
    };
    let _permit = site.free.try_acquire().ok()?;
    let wanted =
        board::Wanted { game, number: *board, ply: *ply, form: form.or_json(asked.format), flip: *flip };
    site.read(|store| board::unchanged(site, store, &wanted, seen)).ok()?
}

const ICON: &str = include_str!("icon.svg");

/// The PNG has 512 pixels in a row.
const ICON_SCALE: f32 = 8.0;

const ROBOTS: &str = "User-agent: *\nDisallow: /play/\nDisallow: /try/\nDisallow: /sign-in/\nDisallow: /invite/\nDisallow: /me\n";

/// The one style sheet, with the colours of the boards in both themes.
fn style() -> String {
    let (light, dark) = (Theme::Light.style(), Theme::Dark.style());
    format!("{}\n{light}\n@media (prefers-color-scheme:dark){{\n{dark}}}\n", include_str!("style.css"))
}

/// The answer to a form whose link is invalid; `None` if the link is valid.
pub(super) fn unless_ours(site: &Site, link: &str, format: Format) -> Result<Option<Answer>, Error> {
    match site.read(|store| Token::page(store, link))? {
        Some(_) => Ok(None),
        None => site.missing(format).map(Some),
    }
}
