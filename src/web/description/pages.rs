//! The pages that everybody reads, with their parameters and what they answer.

use serde_json::json;
use turnpost_games::registry;

use super::parameters::{board, flip, game, in_path, in_query};
use super::{Description, Operation, words};
use crate::notices::contest_view::ContestView;
use crate::notices::past_contests::PastContests;
use crate::web::board::BoardPage;
use crate::web::contests::EventsPage;
use crate::web::game_contests::{LadderPage, LeaguePage};
use crate::web::lists::{GamePage, HomePage};
use crate::web::player::PlayerPage;
use crate::web::prose::HelpPage;
use crate::web::steps::StepChange;

const ELSEWHERE: &str = "To the page of a league or a ladder.";

impl Description {
    pub(super) fn read_only(&mut self) {
        let summary = "The server: its games and the boards in play";
        let home = Operation { path: "/", names: ["home", "homeJson"], summary, parameters: &[] };
        self.page::<HomePage>(&home, &[]);
        let word = |name, says| in_query(name, says, json!({"type": "string"}));
        let day = |name, says| in_query(name, says, json!({"type": "string", "format": "date"}));
        let parameters = &[
            game(),
            word("player", "Only finished boards of this player."),
            word(
                "result",
                "Only finished boards that are `won`, `lost` or `drawn`, by the player if one is named.",
            ),
            word("moves", "Only finished boards with so many moves: `20-40`, `20-` or `-40`."),
            day("since", "Only boards that ended on this day in UTC or later."),
            day("until", "Only boards that ended on this day in UTC or earlier."),
            in_query("before", "Only finished boards with a smaller number.", json!({"type": "integer"})),
        ];
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
        self.file(
            "/dice.js",
            "diceScript",
            "The script that checks the dice of a record",
            &[],
            "text/javascript",
        );
        self.file("/sw.js", "worker", "The script that shows pushes", &[], "text/javascript");
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

    pub(super) fn boards(&mut self) {
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
        let example = registry::first().notations.last().map_or("", |notation| notation.name);
        let format = in_path("format", "A format that the help page of the game names.", example);
        let in_format = &[game(), board(), format];
        let summary = "The record of a board in a format of others";
        self.file("/{game}/{board}.{format}", "boardInFormat", summary, in_format, "text/plain");
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

    pub(super) fn contests(&mut self) {
        let summary = "Events that one can join, that run, and that ended lately";
        let events = Operation { path: "/events", names: ["events", "eventsJson"], summary, parameters: &[] };
        self.page::<EventsPage>(&events, &[]);
        let summary = "Events and seasons that are over, with their winners";
        let page = in_query("page", "Which thirty of them, from 1.", json!({"type": "integer"}));
        let (path, names) = ("/events/past", ["pastEvents", "pastEventsJson"]);
        self.page::<PastContests>(&Operation { path, names, summary, parameters: &[page] }, &[]);
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
        let summary = "The table as comma-separated values";
        self.file("/events/{name}.csv", "contestCsv", summary, of_contest, "text/csv");
        let summary = "The table as a tournament file of FIDE (TRF16); a knock-out has none";
        self.file("/events/{name}.trf", "contestTrf", summary, of_contest, "text/plain");
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
}
