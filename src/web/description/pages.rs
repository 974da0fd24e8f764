//! Every address, with its parameters and what it answers.

use serde_json::{Value, json};
use turnpost_games::registry;

use super::{Description, Operation, page, words};
use crate::commands::{Entry, LANGUAGE};
use crate::language::InReply;
use crate::notices::contest_view::ContestView;
use crate::settings::SETTINGS;
use crate::web::address::LEVELS;
use crate::web::board::BoardPage;
use crate::web::contests::EventsPage;
use crate::web::game_contests::{LadderPage, LeaguePage};
use crate::web::invite::InvitationPage;
use crate::web::lists::{GamePage, HomePage};
use crate::web::me::MePage;
use crate::web::new_game::NewGame;
use crate::web::pause::PausePage;
use crate::web::play::PlayPage;
use crate::web::player::PlayerPage;
use crate::web::prose::HelpPage;
use crate::web::session::{SignInPage, SigningInPage};
use crate::web::sign_up::SignUpPage;
use crate::web::steps::StepChange;
use crate::web::study::StudyPage;
use crate::web::trial::TrialPage;

const STRANGE: &str =
    "The form comes from no page of ours, by `Sec-Fetch-Site` or else `Origin`; nothing was done.";

const ELSEWHERE: &str = "To the page of a league or a ladder.";

impl Description {
    /// Describes every address.
    pub(super) fn tell_all(&mut self) {
        self.read_only();
        self.boards();
        self.contests();
        self.play();
        self.sign_in();
        self.sign_up();
        self.invitation();
        self.me();
    }

    fn read_only(&mut self) {
        let summary = "The server: its games and the boards in play";
        let home = Operation { path: "/", names: ["home", "homeJson"], summary, parameters: &[] };
        self.page::<HomePage>(&home, &[]);
        let parameters = &[game()];
        let summary = "A game: rules, standings, boards";
        let of_game = Operation { path: "/{game}", names: ["game", "gameJson"], summary, parameters };
        self.page::<GamePage>(&of_game, &[]);
        let parameters = &[in_path("userid", "A userid.", "ann")];
        let summary = "A player: ratings and games";
        let path = "/players/{userid}";
        let player = Operation { path, names: ["player", "playerJson"], summary, parameters };
        self.page::<PlayerPage>(&player, &[]);
        let summary = "The first page of the help";
        let help =
            Operation { path: "/help", names: ["helpIndex", "helpIndexJson"], summary, parameters: &[] };
        self.page::<HelpPage>(&help, &[]);
        let parameters = &[in_path("page", "The subject.", registry::first().key)];
        let summary = "A page of the help";
        let help = Operation { path: "/help/{page}", names: ["help", "helpJson"], summary, parameters };
        self.page::<HelpPage>(&help, &[]);
        self.file("/openapi.json", "description", "This description", &[], "application/json");
        self.file("/style.css", "style", "The style sheet", &[], "text/css");
        self.file("/script.js", "script", "The script", &[], "text/javascript");
        let summary = "A position of a game as a picture";
        self.file("/{game}.svg", "gamePicture", summary, &[game()], "image/svg+xml");
        let summary = "A position of a game as a picture for dark pages";
        self.file("/{game}.dark.svg", "gameDarkPicture", summary, &[game()], "image/svg+xml");
        self.file("/icon.svg", "icon", "The icon", &[], "image/svg+xml");
        self.file("/icon.png", "iconPng", "The icon, 512 pixels wide", &[], "image/png");
        let summary = "What installs the pages as an app";
        self.file("/manifest.webmanifest", "manifest", summary, &[], "application/json");
        self.file("/robots.txt", "robots", "What search engines leave alone", &[], "text/plain");
    }

    fn boards(&mut self) {
        let at_ply = [
            game(),
            board(),
            flip("Present to see the board from its far side."),
            in_query("ply", "The board after this ply.", json!({"type": "integer"})),
        ];
        let (whole, flipped) = (&at_ply[..2], &at_ply[..3]);
        let (path, summary) = ("/{game}/{board}", "A board: players, plies, result");
        let shown = Operation { path, names: ["boardPage", "board"], summary, parameters: &at_ply };
        self.page::<BoardPage>(&shown, &[]);
        for (ending, name, summary, kind) in [
            ("svg", "boardSvg", "A board as a picture", "image/svg+xml"),
            ("dark.svg", "boardDarkSvg", "A board as a picture for dark pages", "image/svg+xml"),
            ("png", "boardPng", "A board as a picture", "image/png"),
            ("txt", "boardText", "A board as text", "text/plain"),
        ] {
            self.file(&format!("{path}.{ending}"), name, summary, &at_ply, kind);
        }
        self.file("/{game}/{board}.record", "boardRecord", "The record of a board", whole, "text/plain");
        let summary = "Tells of news of a board, as server-sent events: the number of its events so far";
        self.file("/{game}/{board}/events", "boardNews", summary, whole, "text/event-stream");
        let summary = "The last plies as a feed";
        self.file("/{game}/{board}.atom", "boardFeed", summary, whole, "application/atom+xml");
        let summary = "Every position of a board, from the start on, as the page of the board shows it in HTML: each \
            as what changes from the one before. A page is made of parts, each of which ends with `>` or a line feed; \
            the first page changes one without parts.";
        let steps = self.schemas.subschema_for::<Vec<Vec<StepChange>>>();
        let steps = json!({"application/json": {"schema": steps}});
        self.file_of("/{game}/{board}.steps", "boardSteps", summary, flipped, steps);
    }

    fn contests(&mut self) {
        let summary = "Events that one can join, that run, and that ended lately";
        let events = Operation { path: "/events", names: ["events", "eventsJson"], summary, parameters: &[] };
        self.page::<EventsPage>(&events, &[]);
        let name = in_path("name", "The name of an event, or of a season.", "spring-cup");
        let group = in_query("group", "A group of a season, from 1.", json!({"type": "integer"}));
        let of_contest = &[name, group];
        let path = "/events/{name}";
        let summary = "An event, or a season of a league: who joined, or the table of a group";
        let names = ["contest", "contestJson"];
        let contest = Operation { path, names, summary, parameters: of_contest };
        self.page::<ContestView>(&contest, &[words(303, ELSEWHERE)]);
        let page = in_query("page", "Which hundred of its players, from 1.", json!({"type": "integer"}));
        let of_game = &[game(), page];
        let summary = "The league of a game: its season, its members, its first group";
        let (path, names) = ("/{game}/league", ["leaguePage", "leagueJson"]);
        self.page::<LeaguePage>(&Operation { path, names, summary, parameters: of_game }, &[]);
        let summary = "The slow league of a game: its season, its members, its first group";
        let (path, names) = ("/{game}/slow-league", ["slowLeaguePage", "slowLeagueJson"]);
        self.page::<LeaguePage>(&Operation { path, names, summary, parameters: of_game }, &[]);
        let summary = "The ladder of a game: who stands where, and their boards";
        let (path, names) = ("/{game}/ladder", ["ladderPage", "ladderJson"]);
        self.page::<LadderPage>(&Operation { path, names, summary, parameters: of_game }, &[]);
        for (path, names, parameters) in [
            ("/events/{name}", ["contestText", "contestFeed"], of_contest),
            ("/{game}/league", ["leagueText", "leagueFeed"], of_game),
            ("/{game}/slow-league", ["slowLeagueText", "slowLeagueFeed"], of_game),
            ("/{game}/ladder", ["ladderText", "ladderFeed"], of_game),
        ] {
            let [text, feed] = names;
            self.file(&format!("{path}.txt"), text, "The same as text", parameters, "text/plain");
            let summary = "The last games of it that are over, as a feed";
            let path = format!("{path}.atom");
            self.file(&path, feed, summary, &parameters[..1], "application/atom+xml");
        }
        for ending in ["txt", "atom"] {
            let path = format!("/events/{{name}}.{ending}");
            self.paths[&path]["get"]["responses"]["303"] = json!({"description": ELSEWHERE});
        }
    }

    fn play(&mut self) {
        let space = || in_query("from", "A space that is chosen, in lower case.", json!({"type": "string"}));
        let text = |name: &str, says: &str| in_query(name, says, json!({"type": "string"}));
        let level = json!({"type": "integer", "minimum": LEVELS.start(), "maximum": LEVELS.end()});
        let ply = "The ply to play, in lower case and without signs, or its spaces parted by dashes.";
        let parameters = &[
            game(),
            in_query("level", "The robot's level.", level),
            in_query("seed", "From `here`.", json!({"type": "integer"})),
            text("code", "From `here`."),
            text("plies", "From `here`."),
            space(),
            text("make", ply),
        ];
        let summary = "A game against the robot, kept in the address. Without `seed` a new one begins. Each answer \
            names its own address in `here`; append `&make=PLY` with one of `legal` to play.";
        let (path, names) = ("/try/{game}", ["tryRobot", "tryRobotJson"]);
        let goes_on = words(303, "The game begins or goes on at `Location`.");
        self.page::<TrialPage>(&Operation { path, names, summary, parameters }, &[goes_on]);

        let token = in_path("token", "The token of the link in a mail about a board.", "p1.code");
        let lines = [
            text("line", "Plies in lower case, parted by dots: the line that is shown."),
            text("kept", "Other lines, parted by two dots."),
            space(),
            text("ask", "Present to ask what the robot would play, if the game is over."),
        ];
        let (start, paste) = (
            text("start", "The text of a position."),
            text("paste", "A position or a record to begin from."),
        );
        let ply = in_query("ply", "The board after this ply.", json!({"type": "integer"}));
        let leads = || words(303, "The study of the pasted text is at `Location`.");
        for (path, names, first) in [
            ("/{game}/study", ["study", "studyJson"], vec![game(), start, paste]),
            ("/{game}/{board}/study", ["studyBoard", "studyBoardJson"], vec![game(), board(), ply]),
            ("/play/{token}/study", ["studyOwn", "studyOwnJson"], vec![token.clone()]),
        ] {
            let summary = "An analysis board: both sides are played, and nothing is stored";
            let parameters = &[first.as_slice(), &lines].concat();
            self.page::<StudyPage>(&Operation { path, names, summary, parameters }, &[leads()]);
        }
        let turn = "Plies of the turn chosen so far, in lower case, parted by dots: the answer shows the board after \
            them.";
        let typed = "A turn as a reply may write it, alone: the answer shows the board after it, or says in `notice` \
            why not.";
        let parameters = &[
            token.clone(),
            text("turn", turn),
            text("typed", typed),
            in_query("ply", "An earlier position to look at.", json!({"type": "integer"})),
            flip("Present to see the board from the other player's side."),
            space(),
            text("done", "Present where something was just done."),
        ];
        let summary = "A player's board, with the legal plies of the turn";
        let (path, names) = ("/play/{token}", ["seat", "seatJson"]);
        let lost = || words(410, "The seat is another player's now; the page says whose.");
        self.page::<PlayPage>(&Operation { path, names, summary, parameters }, &[lost()]);
        let summary = "Tells of news of a player's board, as server-sent events: the number of its events so far and, \
            after a dot, of the last words of its players";
        let of_link = &parameters[..1];
        self.file("/play/{token}/events", "seatNews", summary, of_link, "text/event-stream");
        let summary = "Plays a turn, or answers, proposes, resigns or writes, as a reply to the mail would";
        let (names, parameters) = (["act", "actJson"], &[token][..]);
        let next = "Done. `Location` is the player's link from now on; after rematch, that of the new board.";
        let answers = [
            words(303, next),
            page(200, "Done, or done before; `notice` says which."),
            page(400, "The form is none of these."),
            page(409, "Refused; `notice` says why."),
            lost(),
        ];
        let replies = LANGUAGE.entries().filter(|entry| entry.done.is_some()).map(|entry| entry.word);
        let acts: Vec<&str> = ["move", "unqueue", "stay"].into_iter().chain(replies).collect();
        let fields = json!({"type": "object", "required": ["act"], "properties": {
            "act": {"type": "string", "enum": acts},
            "once": told("Up to 32 letters and digits. The same form with the same `once` is done once; a move needs \
                none."),
            "turn": told("For move: the plies of the turn, parted by blanks."),
            "then": told("For move: what to answer afterwards, a condition a line: if K5-K4 then A3-B4."),
            "queue": told("For queue: conditional moves, one a line. They take the place of earlier ones; unqueue \
                withdraws them."),
            "words": told("For chat."),
        }});
        self.form::<PlayPage>(&Operation { path, names, summary, parameters }, &answers, fields);

        let path = "/play/{token}/pause";
        let (names, summary) = (["mails", "mailsJson"], "Whether the mails of a player are paused");
        self.page::<PausePage>(&Operation { path, names, summary, parameters }, &[]);
        let summary = "Pauses the player's mails for two weeks and, as far as the days of vacation reach, the clocks; \
            with `act=back` ends the pause (RFC 8058)";
        let names = ["pauseMails", "pauseMailsJson"];
        let answers = [
            page(200, "How it stands now."),
            page(400, "The form is none of these; nothing was done."),
            page(409, "Refused; `notice` says why."),
        ];
        let fields = json!({"type": "object", "properties": {
            "List-Unsubscribe": {"type": "string", "enum": ["One-Click"]},
            "act": {"type": "string", "enum": ["pause", "back"]},
        }});
        self.form::<PausePage>(&Operation { path, names, summary, parameters }, &answers, fields);
    }

    fn sign_up(&mut self) {
        let text = |name: &str, says: &str| in_query(name, says, json!({"type": "string"}));
        let number = |name: &str, says: &str| in_query(name, says, json!({"type": "integer"}));
        let parameters = &[
            text("game", "The word of the game of the first board; without it none is opened."),
            number("seek", "The seek to accept; else the board is against the robot."),
            number("level", "The robot's level."),
            number("seed", "From `sign_up` of a game at `/try`, which the board continues."),
            text("code", "From `sign_up`."),
            text("plies", "From `sign_up`."),
        ];
        let (path, names) = ("/sign-up", ["signUp", "signUpJson"]);
        let to_me = || words(303, "The visitor is signed in: to `/me`, or to the board that has begun.");
        let summary = "The form of a person without an account";
        self.page::<SignUpPage>(&Operation { path, names, summary, parameters }, &[to_me()]);
        let summary = "Mails the link that makes the account; for a name that is free the answer is the same whoever \
            has the address";
        let names = ["askForAccount", "askForAccountJson"];
        let answers = [
            page(200, "Taken."),
            to_me(),
            page(400, "A field is missing."),
            page(403, STRANGE),
            page(409, "Why nothing was done, as of a name that is taken."),
        ];
        let fields = json!({"type": "object", "properties": {
            "name": told("The userid to play under."),
            "address": told("Where the mail goes."),
            "code": told("Of a player who is signed in, in place of both: the `code` of the page."),
            "once": told("The same form with the same `once` is done once."),
        }});
        self.form::<SignUpPage>(&Operation { path, names, summary, parameters }, &answers, fields);
    }

    fn sign_in(&mut self) {
        let (path, names) = ("/sign-in", ["signIn", "signInJson"]);
        let summary = "Where somebody asks for a link that signs them in";
        self.page::<SignInPage>(&Operation { path, names, summary, parameters: &[] }, &[]);
        let summary =
            "Mails the link, if there is such an account; the answer is the same whether or not there is";
        let names = ["askForLink", "askForLinkJson"];
        let answers = [page(200, "Taken."), page(400, "There is no name in the form."), page(403, STRANGE)];
        let fields = json!({"type": "object", "required": ["who"], "properties": {
            "who": told("A userid, or an address of an account."),
        }});
        self.form::<SignInPage>(&Operation { path, names, summary, parameters: &[] }, &answers, fields);

        let link = "The code in a mail that signs in, good once and for a quarter of an hour.";
        let (path, parameters) = ("/sign-in/{link}", &[in_path("link", link, "s1.code")]);
        let summary = "Whom a mailed link signs in, or which browser it signs out, once its form is sent";
        let names = ["signInBy", "signInByJson"];
        let over = || words(410, "The link was used, or is too old.");
        self.page::<SigningInPage>(&Operation { path, names, summary, parameters }, &[over()]);
        let summary = "Signs the browser in: the answer sets the cookie `session`";
        let names = ["openSession", "openSessionJson"];
        let answers = [
            page(200, "Another browser is signed out, by the link for that."),
            words(303, "Signed in; the games are at `Location`."),
            words(403, STRANGE),
            over(),
        ];
        let operation = Operation { path, names, summary, parameters };
        self.form::<SignInPage>(&operation, &answers, json!({"type": "object"}));
    }

    fn invitation(&mut self) {
        let link = "The code in a mail that invites, or in a link that was handed on, good for a week.";
        let (path, parameters) = ("/invite/{link}", &[in_path("link", link, "i1.code")]);
        let over = || page(410, "The invitation has been answered, or is older than a week.");
        let (names, summary) = (["invitation", "invitationJson"], "Who invites, and to what");
        self.page::<InvitationPage>(&Operation { path, names, summary, parameters }, &[over()]);
        let summary =
            "Answers a mailed invitation, or has one mailed; that answer is the same whoever has the address";
        let names = ["answerInvitation", "answerInvitationJson"];
        let answers = [
            page(200, "Taken."),
            words(303, "Accepted, and the browser signed in by a cookie: the board is at `Location`."),
            page(400, "A field is missing."),
            page(403, STRANGE),
            page(409, "Why nothing was done, as of a name that is taken."),
            over(),
        ];
        let fields = json!({"type": "object", "properties": {
            "answer": {"type": "string", "enum": ["yes", "no"], "description": "To a mailed invitation."},
            "name": told("The userid to play under: with a `yes` where it may be left out, and behind a link that was \
                handed on."),
            "address": told("Behind such a link: where the mail goes whose `yes` begins the game."),
            "code": told("Behind such a link, of a player who is signed in, in place of both: the `code` of the page."),
            "once": told("The same form with the same `once` is done once."),
        }});
        self.form::<InvitationPage>(&Operation { path, names, summary, parameters }, &answers, fields);
    }

    fn me(&mut self) {
        let feed = "The code in the address of the player's feed, as /me shows it once.";
        let summary = "The boards that wait for a player, as a feed";
        let path = "/me/{feed}.atom";
        self.file(path, "myFeed", summary, &[in_path("feed", feed, "f0.code")], "application/atom+xml");
        let summary = "The records of all boards of the player whose cookie comes with the request";
        self.file("/me.record", "myRecords", summary, &[], "text/plain");
        let (path, names) = ("/me", ["me", "meJson"]);
        let summary =
            "The games of the player whose cookie comes with the request; without one, what `/sign-in` shows";
        let word = |name, says| in_query(name, says, json!({"type": "string"}));
        let new_game = [
            word("game", "The game whose fields the form of a new game has."),
            word("against", "The opponent in that form."),
        ];
        self.page::<MePage>(&Operation { path, names, summary, parameters: &new_game }, &[]);
        let summary = "What somebody who is signed in may ask: a new game, time away, settings; signing out";
        let names = ["askMe", "askMeJson"];
        let answers = [
            page(200, "Done; `notice` says what."),
            words(303, "Done: to the board that has begun, or where a browser goes that has signed out."),
            page(400, "Something is missing in the form; nothing was done."),
            words(403, STRANGE),
            page(409, "Refused; `notice` says why, and nothing was done."),
        ];
        let is_of_board = |entry: &&Entry| matches!(entry.in_reply, InReply::Alone(_) | InReply::ForMove(_));
        let mut acts: Vec<&str> = LANGUAGE.entries().filter(is_of_board).map(|entry| entry.word).collect();
        acts.extend(
            "challenge invite tutorial seek unseek join leave vacation return pause back set fields invited uninvited \
             feed password signoff delete add"
                .split(' '),
        );
        acts.push("change address");
        acts.push("accept");
        let day = |says: &str| json!({"type": "string", "format": "date", "description": says});
        acts.extend(
            LANGUAGE
                .entries()
                .filter(|entry| matches!(entry.in_reply, InReply::Keeps(_)))
                .map(|entry| entry.word),
        );
        let mut fields = json!({"type": "object", "required": ["code"], "properties": {
            "code": told("The `code` of the page."),
            "once": told("The same form with the same `once` is done once."),
            "out": told("To sign out: empty for this browser, `all`, or the number of another."),
            "act": {
                "type": "string",
                "description": "Anything else to do. A challenge or an accepted offer leads to its board by 303.",
                "enum": acts,
            },
            "game": told("For all but vacation, return, pause, back and set: the word of a game."),
            "contest": told("For join and leave: the name of an event; without it the league of the game is meant."),
            "opponent": told("For challenge: a userid, or the address of somebody who has no account."),
            "first": {
                "type": "string",
                "description": "For challenge: who has the first move.",
                "enum": ["me", "opponent", "lots"],
            },
            "clock": {
                "type": "string",
                "description": "For challenge, invite and seek: the days for a move; empty for the usual ones.",
                "enum": NewGame::clocks(),
            },
            "rated": told("For challenge, invite and seek: a game without it is unrated."),
            "number": {"type": "integer", "description": "For accept, invited and uninvited."},
            "board": {"type": "integer", "description": "For nudge and analyse."},
            "address": told("For add and change address, which a mail asks about first, as about signoff and delete."),
            "about": told("For note: a userid."),
            "words": told("For note: what only its writer sees; empty for none."),
            "tz": told("The zone of the browser, for a player who has set none."),
            "from": day("For vacation: the first day."),
            "to": day("For vacation: the last day."),
            "zone": told("For set, such as Europe/Paris. A setting of `on` and `off` that the form leaves out is off."),
        }});
        for game in registry::games() {
            for option in game.options {
                let says = "For challenge, invite and seek: an option of the game.";
                fields["properties"][NewGame::field_of(option)] = told(says);
            }
        }
        for setting in SETTINGS {
            let says = format!("For set: {}.", setting.label);
            fields["properties"][setting.word] =
                json!({"type": "string", "description": says, "enum": setting.values});
        }
        self.form::<MePage>(&Operation { path, names, summary, parameters: &[] }, &answers, fields);
    }
}

/// A text field of a form.
fn told(says: &str) -> Value {
    json!({"type": "string", "description": says})
}

fn in_query(name: &str, says: &str, schema: Value) -> Value {
    json!({"name": name, "in": "query", "required": false, "description": says, "schema": schema})
}

fn flip(says: &str) -> Value {
    in_query("flip", says, json!({"type": "string"}))
}

fn in_path(name: &str, says: &str, example: &str) -> Value {
    let schema = json!({"type": "string"});
    json!({
        "name": name, "in": "path", "required": true, "description": says, "schema": schema, "example": example,
    })
}

/// The word of a game, in a path.
fn game() -> Value {
    let mut game = in_path("game", "The word of a game.", registry::first().key);
    let words: Vec<&str> = registry::games().iter().map(|game| game.key).collect();
    game["schema"]["enum"] = words.into();
    game
}

/// The number of a board, in a path.
fn board() -> Value {
    let mut board = in_path("board", "The number of a board.", "");
    (board["schema"]["type"], board["example"]) = ("integer".into(), 1.into());
    board
}
