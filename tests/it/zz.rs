//! A game that nobody wrote anything for: seventeen columns, no robot, no tutorial, no help page, and an option that 7 is
//! no value of.

use turnpost_games::scene::{Ends, Ground, Label, Scene, Shape, Side, Space, Thing, Tiling, ToldCaptures};
use turnpost_games::{
    GameKind, GameOption, Outcome, Plies, Position, Seat, Setup, SetupError, Table, Unreadable, registry,
};

/// The games that a test tries one by one: of the process in which the made-up one is, that one alone, since another process
/// tries the rest.
pub fn games_to_try() -> Vec<&'static GameKind> {
    let mut games = registry::games().to_vec();
    if games.iter().any(|game| game.key == KIND.key) {
        games.retain(|game| game.key == KIND.key);
    }
    games
}

pub const KIND: GameKind = GameKind {
    key: "zz",
    aliases: &[],
    name: "Zeez",
    family: "made up",
    seats: ["white", "black"],
    options: &[GameOption::number("stones", &["40", "30"], "how many stones are dropped, 30 or 40")],
    notation: "q3 drops a stone on q3",
    plies: Plies::of_columns('q'),
    start,
    read: |text| Ok(Box::new(Zeez::read(text)?)),
    letters: None,
    renamed: None,
    notations: &[],
    captures: ToldCaptures::Untold,
    dice: false,
    has_draws: true,
    pitch: "Drop stones until there are enough; who has the middle wins.",
    tutorial: None,
    map: None,
};

const COLUMNS: u8 = 17;
const ROWS: u8 = 3;
const CELLS: usize = COLUMNS as usize * ROWS as usize;
const MIDDLE: usize = CELLS / 2;

#[derive(Debug, Clone)]
pub struct Zeez {
    stones: [Option<Seat>; CELLS],
    enough: usize,
}

fn start(setup: &Setup<'_>) -> Result<Box<dyn Table>, SetupError> {
    let enough = match setup.options.first() {
        None => 30,
        Some((_, value)) => enough(value.as_deref().unwrap_or_default())?,
    };
    Ok(Box::new(Zeez { stones: [None; CELLS], enough }))
}

fn enough(text: &str) -> Result<usize, SetupError> {
    match text {
        "30" => Ok(30),
        "40" => Ok(40),
        _ => Err(SetupError::Option("-stones is 30 or 40".to_owned())),
    }
}

fn name(cell: usize) -> String {
    let column = char::from(b'a' + (cell % usize::from(COLUMNS)) as u8);
    format!("{column}{}", cell / usize::from(COLUMNS) + 1)
}

fn letter(stone: Option<Seat>) -> char {
    stone.map_or('.', |seat| *seat.of(&['w', 'b']))
}

impl Zeez {
    fn dropped(&self) -> usize {
        self.stones.iter().flatten().count()
    }
}

impl Position for Zeez {
    type Move = usize;

    fn to_move(&self) -> Seat {
        Seat::BOTH[self.dropped() % 2]
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = self.dropped() >= self.enough;
        is_over.then(|| Outcome { winner: self.stones[MIDDLE], score: None, how: Some("enough stones") })
    }

    fn each_move(&self, visit: &mut impl FnMut(usize)) {
        if self.outcome().is_none() {
            (0..CELLS).filter(|cell| self.stones[*cell].is_none()).for_each(visit);
        }
    }

    fn forced(&self) -> Option<usize> {
        None
    }

    fn why_not(&self, cell: usize) -> String {
        match self.legal_moves().first() {
            None => "The game is over, so no stone is dropped.".to_owned(),
            Some(free) => {
                format!("There is a stone on {} already, and none on {}.", name(cell), name(*free))
            }
        }
    }

    fn make(&mut self, cell: usize) {
        self.stones[cell] = Some(self.to_move());
    }

    fn read_move<'t>(&self, text: &'t str) -> Result<(usize, &'t str), Unreadable> {
        let cell = (0..CELLS).find(|cell| {
            text.get(..2).is_some_and(|head| head.eq_ignore_ascii_case(&name(*cell)))
                && !text[2..].starts_with(|c: char| c.is_alphanumeric() || c == '-')
        });
        match cell {
            Some(cell) => Ok((cell, &text[2..])),
            None => Err(Unreadable {
                word: text.split([' ', '#']).next().unwrap_or_default().to_owned(),
                why: "A space from a1 to q3 is expected here.".to_owned(),
            }),
        }
    }

    fn write_move(&self, cell: usize) -> String {
        name(cell)
    }

    fn read(text: &str) -> Result<Zeez, SetupError> {
        let unreadable = || SetupError::Unreadable("three rows, the side to move and a number".to_owned());
        let [rows, side, number] = text.split(' ').collect::<Vec<_>>()[..] else { return Err(unreadable()) };
        let mut position = Zeez { stones: [None; CELLS], enough: enough(number)? };
        let cells: Vec<char> = rows.chars().filter(|c| *c != '/').collect();
        if cells.len() != CELLS || cells.iter().any(|c| !".wb".contains(*c)) {
            return Err(unreadable());
        }
        for (stone, read) in position.stones.iter_mut().zip(cells) {
            *stone = Seat::BOTH.into_iter().find(|seat| letter(Some(*seat)) == read);
        }
        let [white, black] =
            Seat::BOTH.map(|seat| position.stones.iter().flatten().filter(|s| **s == seat).count());
        let sound = white == black + position.dropped() % 2 && position.dropped() <= position.enough;
        match sound && letter(Some(position.to_move())).to_string() == side {
            true => Ok(position),
            false => Err(SetupError::Unlawful("the sides have dropped in turn".to_owned())),
        }
    }

    fn write(&self) -> String {
        let rows = self.stones.chunks(usize::from(COLUMNS));
        let rows = rows.map(|row| row.iter().map(|stone| letter(*stone)).collect::<String>());
        format!("{} {} {}", rows.collect::<Vec<_>>().join("/"), letter(Some(self.to_move())), self.enough)
    }

    fn scene(&self) -> Scene {
        let place =
            |cell: usize| [(cell % usize::from(COLUMNS)) as i32, (cell / usize::from(COLUMNS)) as i32];
        let space = |cell: usize| {
            let stone = self.stones[cell];
            let [q, r] = place(cell);
            let thing = stone.map(|seat| Thing {
                side: Some(seat),
                height: 1,
                marked: false,
                shape: Shape::Disc,
                name: "",
            });
            let sign = if stone.is_some() { format!("{} ", letter(stone)) } else { "  ".to_owned() };
            Space {
                name: name(cell),
                q,
                r,
                ground: Ground::Plain,
                thing,
                held: [false; 2],
                sign,
                fell: false,
                in_check: false,
                wins: false,
                shift: 0,
            }
        };
        let columns = (CELLS - usize::from(COLUMNS)..CELLS).map(|cell| Label {
            text: name(cell)[..1].to_owned(),
            beside: place(cell),
            side: Side::Below,
        });
        Scene {
            spaces: (0..CELLS).map(space).collect(),
            labels: columns.collect(),
            tiling: Tiling::Squares,
            edges: Vec::new(),
            origin: [2, 4],
            colours: ['w', 'b'],
            mark: "",
            key: "w white, b black.".to_owned(),
            notes: Vec::new(),
            holds: Default::default(),
            standing: format!("{} of {} stones are dropped.", self.dropped(), self.enough),
            asks: ["Choose a space for your stone.", "", ""].map(str::to_owned),
            props: Vec::new(),
            last: None,
        }
    }

    fn ends(&self, cell: usize) -> Ends<impl ToString> {
        Ends { to: Some(name(cell)), ..Ends::default() }
    }

    fn explain(&self, cell: usize) -> String {
        format!("drops a stone on {}", name(cell))
    }

    fn remarks(&self, _: &Zeez) -> Vec<String> {
        Vec::new()
    }
}
