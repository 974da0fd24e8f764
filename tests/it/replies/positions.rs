//! Random positions of every game, and random turns in them.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost::credentials::token::{MailKind, TokenSeat};
use turnpost::ids::BoardId;
use turnpost::meaning::ReplyBoard;
use turnpost::store::PlayerId;
use turnpost_games::registry;
use turnpost_games::{GameKind, Setup, Table};

/// Chance from a seed.
pub struct Chance(ChaCha12Rng);

impl Chance {
    pub fn of(seed: u64) -> Chance {
        Chance(ChaCha12Rng::seed_from_u64(seed))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }

    pub fn text<'t>(&mut self, texts: &'t [String]) -> &'t str {
        self.pick::<String>(texts)
    }
}

/// A position of a random game in which somebody can move. In a game with dice the dice have fallen.
pub struct Position {
    pub kind: &'static GameKind,
    pub table: Box<dyn Table>,
}

impl Position {
    /// Half of DVONN's are of the placement, some with a turn of two plies; Hexmeister's have bonuses open.
    pub fn random(chance: &mut Chance) -> Position {
        loop {
            let kind = *chance.pick(registry::games());
            let placed = vec![("random".to_owned(), None)];
            let straight = vec![("straight".to_owned(), None)];
            let bonus_drop = vec![("bonusdrop".to_owned(), None)];
            let options = match (kind.key, chance.below(4)) {
                ("dvonn", 0 | 1) => placed,
                ("hexmeister", 0) => straight,
                ("hexmeister", 1) => bonus_drop,
                _ => Vec::new(),
            };
            let seed = chance.below(1_000) as u64;
            let mut table = (kind.start)(&Setup { options: &options, seed }).unwrap();
            // A third of the placements end a ply or two before the first move.
            let length = if kind.key == "dvonn" && options.is_empty() && chance.once_in(3) {
                47 + chance.below(2)
            } else {
                chance.below(70)
            };
            for _ in 0..length {
                let plies = table.legal_plies();
                if plies.is_empty() || table.ended().is_some() {
                    break;
                }
                table.play_text(chance.pick::<String>(&plies)).unwrap();
                table.play_until_choice(&mut |dice| dice.casts().nth(chance.below(dice.casts().count())));
            }
            table.play_passes();
            // A `roll` is a word of the server.
            let rolls = table.legal_plies().iter().any(|ply| ply == "roll");
            if table.ended().is_none() && !rolls {
                return Position { kind, table };
            }
        }
    }

    /// The board of a mail that ann answers, whose turn it is against bob.
    pub fn reply_board(&self) -> ReplyBoard {
        let (board, player, mail) = (BoardId(1), PlayerId(1), MailKind::Board);
        ReplyBoard {
            game: self.kind,
            table: self.table.copy(),
            running: true,
            moves: true,
            is_asked: false,
            draft: None,
            token: TokenSeat {
                board,
                player,
                event: 1,
                fresh: true,
                saw_others: true,
                up_to_date: true,
                mail,
            },
            expired: false,
            writer: "ann".to_owned(),
            opponent: "bob".to_owned(),
            with_robot: false,
        }
    }

    /// True where plies can be played.
    pub fn plays(&self, plies: &str) -> bool {
        let mut table = self.table.copy();
        let mut rest = plies;
        while !rest.is_empty() {
            let Ok(played) = table.play_text(rest) else { return false };
            rest = played.rest.trim_start_matches(|c: char| c == '#' || c.is_ascii_digit()).trim_start();
        }
        true
    }

    /// A legal turn: as many plies as the seat may play before the other, or fewer.
    pub fn turn(&self, chance: &mut Chance) -> Vec<String> {
        let mut table = self.table.copy();
        let mut plies = Vec::new();
        while !table.legal_plies().is_empty() && table.turn() == self.table.turn() {
            if !plies.is_empty() && chance.once_in(4) {
                break;
            }
            let legal = table.legal_plies();
            plies.push(chance.pick(&legal).clone());
            table.play_text(plies.last().unwrap()).unwrap();
            table.play_passes();
        }
        plies
    }
}
