//! Pig, a made-up game of chance: the player to move rolls a die until they hold their points, or lose them to a 1. The
//! second seat begins, with `roll`, and 20 points win.

use turnpost_games::scene::{Ends, Ground, Scene, Shape, Space, Thing, Tiling, ToldCaptures};
use turnpost_games::{Cast, Chance, GameKind, Outcome, Plies, Position, Seat, SetupError, Unreadable};

pub const KIND: GameKind = GameKind {
    key: "pig",
    aliases: &[],
    name: "Pig",
    family: "made up",
    seats: ["white", "black"],
    options: &[],
    notation: "roll rolls the die, hold keeps the points",
    plies: Plies { words: &["roll", "hold"], ..Plies::of_columns('j') },
    start: |_| Ok(Box::new(Pig { score: [0, 0], turn: 0, to_move: Seat::Second, phase: Phase::Invited })),
    read: |text| Ok(Box::new(Pig::read(text)?)),
    letters: None,
    renamed: None,
    notations: &[],
    captures: ToldCaptures::Untold,
    dice: true,
    has_draws: false,
    pitch: "Roll until you dare no longer.",
    tutorial: None,
    map: None,
};

const GOAL: u16 = 20;
const COLUMNS: u16 = 10;
const DIE: Chance = Chance::Dice { count: 1, sides: 6 };

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    Invited,
    Choice,
    Rolling,
}

const PHASES: [(Phase, &str); 3] =
    [(Phase::Invited, "invited"), (Phase::Choice, "choice"), (Phase::Rolling, "rolling")];

#[derive(Debug, Clone, PartialEq)]
pub struct Pig {
    score: [u16; 2],
    turn: u16,
    to_move: Seat,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    Roll,
    Hold,
}

impl Position for Pig {
    type Move = Move;

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.score.iter().any(|points| *points >= GOAL).then(|| Outcome::counted(self.score))
    }

    fn chance(&self) -> Option<Chance> {
        (self.phase == Phase::Rolling).then_some(DIE)
    }

    fn make_chance(&mut self, cast: Cast) {
        self.phase = Phase::Choice;
        match cast.faces() {
            [1] => (self.turn, self.to_move) = (0, self.to_move.other()),
            faces => self.turn += faces.iter().map(|face| u16::from(*face)).sum::<u16>(),
        }
    }

    fn each_move(&self, visit: &mut impl FnMut(Move)) {
        if self.phase == Phase::Rolling || self.outcome().is_some() {
            return;
        }
        visit(Move::Roll);
        if self.turn > 0 {
            visit(Move::Hold);
        }
    }

    fn forced(&self) -> Option<Move> {
        let is_forced = self.phase == Phase::Choice && self.legal_count() == 1;
        is_forced.then_some(Move::Roll)
    }

    fn usual(&self) -> Option<Move> {
        self.legal_moves().first().copied()
    }

    fn why_not(&self, _: Move) -> String {
        "Roll first, and wait for the die.".to_owned()
    }

    fn make(&mut self, ply: Move) {
        self.phase = Phase::Choice;
        match ply {
            Move::Roll => self.phase = Phase::Rolling,
            Move::Hold => {
                self.score[self.to_move.index()] += self.turn;
                (self.turn, self.to_move) = (0, self.to_move.other());
            }
        }
    }

    fn read_move<'t>(&self, text: &'t str) -> Result<(Move, &'t str), Unreadable> {
        for ply in [Move::Roll, Move::Hold] {
            let word = self.write_move(ply);
            if text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(&word)) {
                return Ok((ply, &text[word.len()..]));
            }
        }
        let word = text.split([' ', '#']).next().unwrap_or_default().to_owned();
        Err(Unreadable { word, why: "Write `roll` or `hold` here.".to_owned() })
    }

    fn write_move(&self, ply: Move) -> String {
        format!("{ply:?}").to_lowercase()
    }

    fn read(text: &str) -> Result<Pig, SetupError> {
        let read = || {
            let [first, second, turn, side, phase] = text.split(' ').collect::<Vec<_>>()[..] else {
                return None;
            };
            Some(Pig {
                score: [first.parse().ok()?, second.parse().ok()?],
                turn: turn.parse().ok()?,
                to_move: Seat::BOTH.into_iter().find(|seat| *seat.of(&["w", "b"]) == side)?,
                phase: PHASES.into_iter().find(|(_, name)| *name == phase)?.0,
            })
        };
        read().ok_or_else(|| SetupError::Unreadable("three numbers, a side and a phase".to_owned()))
    }

    fn write(&self) -> String {
        let (side, [first, second]) = (self.to_move.of(&["w", "b"]), self.score);
        let phase = PHASES[self.phase as usize].1;
        format!("{first} {second} {} {side} {phase}", self.turn)
    }

    fn scene(&self) -> Scene {
        let space = |number: u16| {
            let (column, row) = (number % COLUMNS, number / COLUMNS);
            let seat = Seat::BOTH[usize::from(row)];
            let is_here = (seat.of(&self.score) / 2).min(COLUMNS - 1) == column;
            let side = Some(seat);
            let piece = Thing { side, height: 1, marked: false, shape: Shape::Disc, name: "" };
            Space {
                name: format!("{}{}", char::from(b'a' + column as u8), 2 - row),
                q: column.into(),
                r: row.into(),
                ground: Ground::Plain,
                thing: is_here.then_some(piece),
                held: [false; 2],
                sign: if is_here { format!("{} ", seat.of(&["w", "b"])) } else { ". ".to_owned() },
                fell: false,
                in_check: false,
                wins: false,
                shift: 0,
            }
        };
        Scene {
            spaces: (0..2 * COLUMNS).map(space).collect(),
            labels: Vec::new(),
            tiling: Tiling::Squares,
            edges: Vec::new(),
            origin: [2, 4],
            colours: ['w', 'b'],
            mark: "",
            key: "w white, b black.".to_owned(),
            notes: Vec::new(),
            holds: Default::default(),
            standing: format!("{} to {}, and {} at stake.", self.score[0], self.score[1], self.turn),
            asks: Default::default(),
            props: Vec::new(),
            last: None,
        }
    }

    fn ends(&self, _: Move) -> Ends<impl ToString> {
        Ends::<String>::default()
    }

    fn explain(&self, ply: Move) -> String {
        match ply {
            Move::Roll => "rolls the die".to_owned(),
            Move::Hold => "keeps the points".to_owned(),
        }
    }

    fn remarks(&self, _: &Pig) -> Vec<String> {
        Vec::new()
    }
}
