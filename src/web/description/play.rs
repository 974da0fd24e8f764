//! The pages on which a visitor or a player chooses moves.

use serde_json::json;

use super::parameters::{board, flip, game, in_path, in_query, told};
use super::{Description, Operation, page, words};
use crate::commands::LANGUAGE;
use crate::web::address::LEVELS;
use crate::web::pause::PausePage;
use crate::web::play::PlayPage;
use crate::web::study::StudyPage;
use crate::web::trial::TrialPage;

impl Description {
    pub(super) fn play(&mut self) {
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
            flip("Present to see the board from its other side."),
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
        let summary = "A position or a record to begin from, too long for an address";
        let (path, names) = ("/{game}/study", ["pasteStudy", "pasteStudyJson"]);
        let fields = json!({"type": "object", "properties": {"paste": {"type": "string"}}});
        let operation = Operation { path, names, summary, parameters: &[game()] };
        let unread = page(200, "`notice` says why the text is neither.");
        self.form::<StudyPage>(&operation, &[unread, leads()], fields);
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
        let acts: Vec<&str> =
            ["move", "unqueue", "resign match", "stay"].into_iter().chain(replies).collect();
        let fields = json!({"type": "object", "required": ["act"], "properties": {
            "act": {"type": "string", "enum": acts},
            "once": told("Up to 32 letters and digits. The same form with the same `once` is done once; a move needs \
                none."),
            "turn": told("For move: the plies of the turn, parted by blanks."),
            "line": told("For unqueue: the line to withdraw, counted from 0; without it all are."),
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
}
