//! GTP: `boardsize`, `clear_board`, `komi`, `play`, `genmove`. The first seat is black.

use std::time::Instant;

use turnpost_games::Seat;

use super::process::EngineProcess;
use super::words::{gtp_stones, gtp_words};
use super::{Answer, EngineSetup, Fault, GameSoFar, ply_of, table_after};

#[derive(Debug)]
pub(super) struct GtpTalk {
    pub name: String,
    /// The number of the last command. Its answer has the same, so no earlier answer is taken for it.
    number: u32,
}

impl GtpTalk {
    pub(super) fn begin(
        process: &mut EngineProcess,
        setup: &EngineSetup,
        deadline: Instant,
    ) -> Result<GtpTalk, Fault> {
        let mut talk = GtpTalk { name: String::new(), number: 0 };
        let [name, version] = ["name", "version"].map(|asked| talk.ask(process, asked, deadline));
        talk.name = format!("{} {}", name?, version.unwrap_or_default()).trim().chars().take(80).collect();
        for (command, value) in &setup.options {
            talk.ask(process, &format!("{command} {value}"), deadline)?;
        }
        Ok(talk)
    }

    pub(super) fn choose(
        &mut self,
        process: &mut EngineProcess,
        game: &GameSoFar<'_>,
        deadline: Instant,
    ) -> Result<Answer, Fault> {
        let start = (game.kind.read)(game.start).map_err(|why| Fault::Untold(why.to_string()))?;
        let scene = start.look();
        // The first row of hexagons is a side of the board; that of squares and points is as long as the others.
        let size = scene.rows().first().map_or(0, Vec::len);
        let mut lines = vec![format!("boardsize {size}"), "clear_board".to_owned()];
        let komi = scene.holds.iter().find_map(|holds| holds.strip_prefix("komi "));
        lines.extend(komi.map(|komi| format!("komi {komi}")));
        let mut play = |seat: Seat, at: &str| lines.push(format!("play {} {at}", colour(seat)));
        gtp_stones(&scene).iter().for_each(|(seat, at)| play(*seat, at));
        let table = table_after(game, |before, ply| {
            // Plies that mark stones as dead are none of the protocol.
            let word = gtp_words(before).into_iter().find(|(_, of)| of == ply);
            word.iter().for_each(|(word, _)| play(before.turn(), word));
            Ok(())
        })?;
        if let Some(closing) = table.closing_ply() {
            return Ok(Answer::Ply(closing));
        }
        for line in lines {
            self.ask(process, &line, deadline)?;
        }
        let word = self.ask(process, &format!("genmove {}", colour(table.turn())), deadline)?;
        if word.eq_ignore_ascii_case("resign") {
            return Ok(Answer::Resigns);
        }
        ply_of(gtp_words(&*table), &word)
    }

    /// Sends a command and gives the first line of its answer.
    fn ask(
        &mut self,
        process: &mut EngineProcess,
        command: &str,
        deadline: Instant,
    ) -> Result<String, Fault> {
        self.number += 1;
        process.say(&format!("{} {command}", self.number))?;
        let [done, failed] = ["=", "?"].map(|sign| format!("{sign}{}", self.number));
        let says = |line: &str, sign: &str| {
            let said = line.strip_prefix(sign)?;
            said.is_empty()
                .then_some("")
                .or_else(|| said.strip_prefix(' '))
                .map(|said| said.trim().to_owned())
        };
        let answer = process
            .hear(deadline, |line| says(line, &done).map(Ok).or_else(|| says(line, &failed).map(Err)))?;
        answer.map_err(|why| Fault::Lied(format!("it answers {command:.40} with: {why:.80}")))
    }
}

fn colour(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "black",
        Seat::Second => "white",
    }
}
