//! `admin contest NAME --withdraw | --start | --end`.

use minijinja::context;

use super::{ActContext, Acted, BoardAct, ContestAct, GameEnd};
use crate::contest::events::BY_HOST;
use crate::contest::organised::ENDED_AT_ONCE;
use crate::contest::record::Contest;
use crate::failure::{CommandError, refuse};
use crate::ids::Userid;
use crate::store::{ActKind, ContestForm, ContestState};

impl ActContext<'_> {
    pub(crate) fn on_contest(&mut self, name: &str, act: &ContestAct) -> Result<Acted, CommandError> {
        self.needs_a_reason()?;
        let Some(row) = self.store.contest_named(name)? else {
            return refuse!("there is no contest {name}");
        };
        let mut contest = Contest::up_to_now(self.store, &row, self.now)?;
        if row.state == ContestState::Closed {
            return refuse!("{} is over", row.name);
        }
        let has_end = matches!(row.form, ContestForm::Event | ContestForm::Season);
        let acted = match act {
            ContestAct::Withdraw(userid) => self.withdraw_from(&mut contest, userid)?,
            ContestAct::Start | ContestAct::End if !has_end => {
                return refuse!("{} is a {}, which goes on for ever", row.name, row.form);
            }
            ContestAct::Start => self.start_contest(&mut contest)?,
            ContestAct::End => self.end_contest(&mut contest)?,
        };
        Ok(acted.contest(row.id).detail(row.name))
    }

    fn withdraw_from(&mut self, contest: &mut Contest, userid: &Userid) -> Result<Acted, CommandError> {
        let player = self.person(userid)?.id;
        let name = contest.row.name.clone();
        if !contest.take_out(self.store, player, BY_HOST, self.now)? {
            return refuse!("{userid} does not play in {name}");
        }
        let is_running = contest.row.state == ContestState::Running;
        self.tell(player, context! { kind => "withdrawn", contest => &name, is_running });
        let rest = if is_running { ": the clocks end the running games as lost" } else { "" };
        let said = format!("{userid} is taken out of {name}{rest}.");
        Ok(Acted::new(ActKind::Withdraw, said).player(player))
    }

    fn start_contest(&mut self, contest: &mut Contest) -> Result<Acted, CommandError> {
        let name = contest.row.name.clone();
        let least = contest.least();
        let players = contest.lineup(self.store)?;
        match contest.row.state {
            ContestState::Open if players.len() >= least => {}
            ContestState::Open => {
                return refuse!("an event needs {least} players, and {name} has {}", players.len());
            }
            _ => return refuse!("{name} has begun"),
        }
        contest.start(self.store, &[players], self.now)?;
        Ok(Acted::new(ActKind::StartContest, format!("{name} begins: the clocks make its boards.")))
    }

    /// Calls off a contest that has not begun; ends a running one and voids its boards.
    fn end_contest(&mut self, contest: &mut Contest) -> Result<Acted, CommandError> {
        let name = contest.row.name.clone();
        let running = contest.running_boards(self.store)?;
        for board in running.iter().take(ENDED_AT_ONCE) {
            self.on_board(*board, &BoardAct::End(GameEnd::Void))?;
        }
        let done = |said: String| Acted::new(ActKind::EndContest, said);
        if running.len() > ENDED_AT_ONCE {
            let left = running.len() - ENDED_AT_ONCE;
            return Ok(done(format!(
                "{ENDED_AT_ONCE} boards of {name} have no result; {left} run: say it again."
            )));
        }
        let was_open = contest.row.state == ContestState::Open;
        contest.end(self.store, BY_HOST, self.now)?;
        for player in contest.joined.iter().chain(&contest.waiting).filter(|_| was_open) {
            self.tell(*player, context! { kind => "off", contest => &name });
        }
        Ok(done(match running.len() {
            0 if was_open => format!("{name} is called off."),
            boards => format!("{name} is over; {boards} of its boards have no result."),
        }))
    }
}
