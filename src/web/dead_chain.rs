//! The chains of a board that are marked dead.

use minijinja::{Value, context};
use turnpost_games::Seat;
use turnpost_games::scene::Shape;

use super::turn::TurnChoice;
use super::variation::in_address;

/// A chain that is marked dead.
#[derive(Clone)]
pub(super) struct DeadChain {
    side: Option<Seat>,
    pub stones: Vec<String>,
    /// The position after the ply that says that it lives. The plies for all its stones lead there.
    after: String,
    /// The address of the page without the mark.
    pub href: String,
}

impl DeadChain {
    /// The chains that the player can unmark now. `address` returns the address of the page with a turn.
    pub fn all(turn: &TurnChoice, address: &dyn Fn(&[String]) -> String) -> Vec<DeadChain> {
        let table = turn.line.table.as_ref();
        let look = table.look();
        let mut chains: Vec<DeadChain> = Vec::new();
        for (ply, ends) in table.choices().into_iter().filter(|(_, ends)| ends.to.is_none()) {
            let Some(at) = ends.from else { continue };
            let thing = look.space(&at).and_then(|space| space.thing);
            let Some(thing) = thing.filter(|thing| thing.shape == Shape::Dead) else { continue };
            let mut lives = table.copy();
            let _ = lives.play_text(&ply);
            let after = lives.position();
            if let Some(chain) = chains.iter_mut().find(|chain| chain.after == after) {
                chain.stones.push(at);
                continue;
            }
            let href = address(&[turn.line.in_address(), vec![in_address(table, &ply)]].concat());
            chains.push(DeadChain { side: thing.side, stones: vec![at], after, href });
        }
        for chain in &mut chains {
            // A mark of this turn is left out of it. Other chains of the turn can then be marked as before.
            let is_its = |ply: &String| chain.stones.iter().any(|stone| ply.ends_with(&format!("-{stone}")));
            let mut plies = turn.line.in_address();
            if let Some(marked) = turn.line.texts().iter().position(is_its) {
                plies.remove(marked);
                chain.href = address(&plies);
            }
        }
        chains
    }

    /// The chain as the list of the page names it: `2 black stones`, with the points and the link.
    pub fn told(&self, seats: [&str; 2]) -> Value {
        let side = self.side.map_or("", |seat| *seat.of(&seats));
        let many = self.stones.len();
        context! {
            what => format!("{many} {side} {}", if many == 1 { "stone" } else { "stones" }),
            points => self.stones.join(" "),
            lives => if many == 1 { "It lives" } else { "They live" },
            href => &self.href,
        }
    }
}
