//! The pages of a person: signing up and in, invitations, and their own games.

use serde_json::json;
use turnpost_games::registry;

use super::parameters::{in_path, in_query, told};
use super::{Description, Operation, page, words};
use crate::commands::{Entry, LANGUAGE};
use crate::language::InReply;
use crate::settings::SETTINGS;
use crate::web::invite::InvitationPage;
use crate::web::mailed_link::SigningInPage;
use crate::web::me::MePage;
use crate::web::new_game::NewGame;
use crate::web::session::SignInPage;
use crate::web::sign_up::SignUpPage;

/// What else the form of `/me` does.
const ACTS: &str = "challenge, invite, tutorial, seek, unseek, join, leave, event, vacation, return, pause, back, set, fields, \
    accept, invited, uninvited, feed, push, no push, password, signoff, delete, add, change address";

const STRANGE: &str =
    "The form comes from no page of ours, by `Sec-Fetch-Site` or else `Origin`; nothing was done.";

impl Description {
    pub(super) fn sign_up(&mut self) {
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

    pub(super) fn sign_in(&mut self) {
        let (path, names) = ("/sign-in", ["signIn", "signInJson"]);
        let summary = "The form that asks for a link to sign in";
        self.page::<SignInPage>(&Operation { path, names, summary, parameters: &[] }, &[]);
        let summary =
            "Mails the link, if there is such an account; the answer is the same whether or not there is";
        let names = ["askForLink", "askForLinkJson"];
        let answers = [page(200, "Taken."), page(400, "There is no name in the form."), page(403, STRANGE)];
        let fields = json!({"type": "object", "required": ["who"], "properties": {
            "who": told("A userid, or an address of an account."),
        }});
        self.form::<SignInPage>(&Operation { path, names, summary, parameters: &[] }, &answers, fields);

        let link = "The code in a mail that signs in, asks for a yes or sets a password; good once.";
        let (path, parameters) = ("/sign-in/{link}", &[in_path("link", link, "s1.code")]);
        let summary = "What a mailed link does once its form is sent";
        let names = ["signInBy", "signInByJson"];
        let over = || words(410, "The link was used, or is too old.");
        self.page::<SigningInPage>(&Operation { path, names, summary, parameters }, &[over()]);
        let summary = "Does what the link is for; signing in sets the cookie `session`";
        let names = ["openSession", "openSessionJson"];
        let answers = [
            page(200, "Done, by any link but one that signs in; `notice` says what."),
            words(303, "Signed in; the games are at `Location`."),
            words(403, STRANGE),
            page(409, "Refused; `notice` says why."),
            over(),
        ];
        let operation = Operation { path, names, summary, parameters };
        let fields = json!({"type": "object", "properties": {
            "password": told("The new password, behind a link that sets one."),
        }});
        self.form::<SigningInPage>(&operation, &answers, fields);
    }

    pub(super) fn invitation(&mut self) {
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

    pub(super) fn me(&mut self) {
        let feed = "The code in the address of the player's feed, as /me shows it once.";
        let summary = "The boards that wait for a player, as a feed";
        let path = "/me/{feed}.atom";
        self.file(path, "myFeed", summary, &[in_path("feed", feed, "f0.code")], "application/atom+xml");
        let summary = "The records of all boards of the player whose cookie comes with the request";
        self.file("/me.record", "myRecords", summary, &[], "text/plain");
        let summary = "Tells of news of that player's boards, as server-sent events: the number of their events so far \
            and, after a dot, of the last words to the player";
        self.file("/me/events", "myNews", summary, &[], "text/event-stream");
        let summary = "Those of the games that have a format, in that format";
        let format = in_path("format", "The format.", "pgn");
        self.file("/me/{format}", "myRecordsInFormat", summary, &[format], "text/plain");
        let (path, names) = ("/me", ["me", "meJson"]);
        let summary = "The games of the player whose cookie, or whose bot's token, comes with the request; else what `/sign-in` shows";
        let word = |name, says| in_query(name, says, json!({"type": "string"}));
        let new_game = [
            word("game", "The game whose fields the form of a new game has."),
            word("against", "The opponent in that form."),
            word(
                "since",
                "The `since` of an earlier answer: this one waits for news of the boards, up to 25 seconds.",
            ),
        ];
        let no_token = page(401, "The token of the bot has ended, or this server did not make it.");
        self.page::<MePage>(&Operation { path, names, summary, parameters: &new_game }, &[no_token]);
        let summary = "What a signed-in player can ask: a new game, time away, settings; signing out";
        let names = ["askMe", "askMeJson"];
        let answers = [
            page(200, "Done; `notice` says what."),
            words(303, "Done: to the board that has begun, or where a browser goes that has signed out."),
            page(400, "Something is missing in the form; nothing was done."),
            words(
                403,
                "No page of this server sent the form, or it came with the token of a bot. Nothing was done.",
            ),
            page(409, "Refused; `notice` says why, and nothing was done."),
        ];
        // The words about one board, and a note of a player, are those of replies.
        let is_act = |entry: &&Entry| {
            matches!(entry.in_reply, InReply::Alone(_) | InReply::ForMove(_) | InReply::Keeps(_))
        };
        let mut acts: Vec<&str> = LANGUAGE.entries().filter(is_act).map(|entry| entry.word).collect();
        acts.extend(ACTS.split(", "));
        let day = |says: &str| json!({"type": "string", "format": "date", "description": says});
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
            "contest": told("For join, leave and event: the name of an event; without it the league of the game is meant."),
            "do": told("For event: `new`, `change`, `join`, `leave`, `withdraw`, `start`, `accept`, `reject`, `rule`, `appeal`, `remove`, `replace` or `end`, as by mail. An option such as `-size=` is a field `e-size`. The event's page is the answer."),
            "reason": told("For rule, appeal, remove, replace and end: a sentence."),
            "other": told("For replace: the player who waits."),
            "opponent": told("For challenge: a userid, or the address of a person without an account."),
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
            "push": told("For push: the endpoint of a subscription and its keys `p256dh` and `auth`, with spaces between."),
            "words": told("For note: what only its writer sees; empty for none. For event: the words between its name and the reason."),
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
