//! Pages over a small store: ann and bob, and a board of each game.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use turnpost::app::App;
use turnpost::config::Config;
use turnpost::credentials::token::{self, MailKind};
use turnpost::ids::{BoardId, Identity};
use turnpost::mail::{Letter, Operator, Proof};
use turnpost::pipeline;
use turnpost::store::{PlayerId, Store};
use turnpost::web::{Setting, Site};

use super::people::{self, at};

const BOARDS: [BoardId; 2] = [BoardId(1), BoardId(2)];
const PLAYERS: [(&str, PlayerId); 2] = [("ann", PlayerId(1)), ("bob", PlayerId(2))];

pub struct Club {
    pub site: Arc<Site>,
    /// Its clock runs when there is nothing else to do, so that no deadline takes its time.
    pub runtime: tokio::runtime::Runtime,
    pub seats: Vec<Seat>,
    /// The boards as they began.
    pub begun: String,
    store: Store,
    acted: Arc<AtomicBool>,
    /// The query of a visitor's game, whose code is another for each store.
    trial: String,
    path: PathBuf,
}

impl Drop for Club {
    fn drop(&mut self) {
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{ending}", self.path.display()));
        }
    }
}

/// A player at a board, and the codes of all tokens that speak for it now and soon.
pub struct Seat {
    /// The placeholder of the newest link in a seed.
    name: String,
    link: String,
    pub links: Vec<String>,
    pub replies: Vec<String>,
}

fn app() -> App {
    let mut config = Config::default();
    "https://play.example.org".clone_into(&mut config.web.url);
    config.app()
}

/// A database as all clubs begin.
fn model() -> &'static Path {
    static MODEL: OnceLock<PathBuf> = OnceLock::new();
    MODEL.get_or_init(|| {
        // In memory where there is room for that: a letter costs a disk more than all the rest.
        let memory = Some(PathBuf::from("/dev/shm")).filter(|folder| folder.is_dir());
        let folder =
            memory.unwrap_or_else(std::env::temp_dir).join(format!("turnpost-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for old in ["model.db", "first.db", "first.db-wal", "first.db-shm"] {
            let _ = std::fs::remove_file(folder.join(old));
        }
        let mut store = Store::make(&folder.join("first.db")).expect("a database");
        people::sign_up(&mut store);
        for (number, line) in (0..).zip([
            "dvonn challenge -symmetry -seed=7 ann bob",
            "hexmeister challenge ann bob",
            "dvonn move 1 ann - D1-E1",
            "hexmeister chat 2 ann -\nHave fun!\nend",
        ]) {
            let mut letter = Letter::by_server(Identity([number; 32]));
            letter.proof = Proof::Operator(Operator::AsAnyone);
            line.clone_into(&mut letter.text);
            let mut rng = ChaCha12Rng::seed_from_u64(1);
            let done =
                pipeline::handle(&mut store, &app(), &letter, at(), &mut rng).expect("no error of ours");
            assert!(matches!(done, pipeline::Handled::Acted { ends_well: true, .. }), "{line}: {done:?}");
        }
        store.backup(&folder.join("model.db")).expect("a model");
        folder
    })
}

impl Club {
    pub fn new() -> Club {
        static CLUBS: AtomicU32 = AtomicU32::new(0);
        let path = model().join(format!("club-{}.db", CLUBS.fetch_add(1, Ordering::SeqCst)));
        std::fs::copy(model().join("model.db"), &path).expect("a copy");
        let open = || Store::open(&path);
        let acted = Arc::new(AtomicBool::new(false));
        let hand = {
            let (acted, app) = (Arc::clone(&acted), app());
            let store = Mutex::new((open().expect("a database"), ChaCha12Rng::seed_from_u64(2)));
            move |letter: Box<Letter>, command| {
                acted.store(true, Ordering::SeqCst);
                let (store, rng) = &mut *store.lock().expect("no panic");
                let asked = (&*letter, command);
                Some(pipeline::handle_button(store, &app, asked, at(), rng).expect("no error of ours"))
            }
        };
        let app = app();
        let setting = Setting {
            templates: app.templates,
            proxies: Vec::new(),
            url: "https://play.example.org",
            try_game: "",
            rng: ChaCha12Rng::seed_from_u64(3),
            now: at,
            robot: &app.robot,
            push: false,
            hand: Box::new(hand),
            answered: Box::new(|_| ()),
        };
        let store = open().expect("a database");
        let mut club = Club {
            site: Arc::new(Site::new(setting, open).expect("pages")),
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .max_blocking_threads(1)
                .build()
                .expect("a runtime"),
            seats: seats(&store),
            begun: String::new(),
            store,
            acted,
            trial: String::new(),
            path: path.clone(),
        };
        club.begun = club.boards();
        let begins = super::answers(&club, b"GET /try/dvonn?level=1 HTTP/1.1\r\nHost: x\r\n\r\n");
        let trial = begins.split("/try/dvonn?").nth(1).and_then(|rest| rest.lines().next());
        trial.expect("a game that begins").clone_into(&mut club.trial);
        club
    }

    /// An input in which links and games replace all placeholders.
    pub fn written_out(&self, octets: &[u8]) -> Vec<u8> {
        let mut all = Vec::with_capacity(octets.len());
        let mut rest = octets;
        let names = self.seats.iter().map(|seat| (seat.name.as_str(), seat.link.as_str()));
        let names: Vec<(&str, &str)> = names.chain([("{try}", self.trial.as_str())]).collect();
        while let Some((first, behind)) = rest.split_first() {
            match names.iter().find(|(name, _)| rest.starts_with(name.as_bytes())) {
                Some((name, meant)) => {
                    all.extend(meant.as_bytes());
                    rest = rest.get(name.len()..).unwrap_or_default();
                }
                None => {
                    all.push(*first);
                    rest = behind;
                }
            }
        }
        all
    }

    /// True when a letter reached the pipeline since the club began.
    pub fn has_acted(&self) -> bool {
        self.acted.load(Ordering::SeqCst)
    }

    /// The boards as they are stored.
    pub fn boards(&self) -> String {
        BOARDS.map(|board| format!("{:?}", self.store.board(board).expect("a look at a board"))).join("\n")
    }
}

fn seats(store: &Store) -> Vec<Seat> {
    let code = |token: Option<String>| {
        let token = token.expect("a token");
        token.split_once('.').expect("a token with a code").1.to_owned()
    };
    let mut seats = Vec::new();
    for board in BOARDS {
        for (name, player) in PLAYERS {
            let link = token::of_page(store, board, player, None).expect("a token").expect("a seat");
            let replies = [MailKind::Board, MailKind::Question].into_iter().flat_map(|kind| {
                (1..9).map(move |event| {
                    token::give(store, board, player, (kind, Some(event))).expect("a token")
                })
            });
            seats.push(Seat {
                name: format!("{{{name}{board}}}"),
                link,
                replies: replies.map(code).collect(),
                links: (1..9)
                    .map(|event| code(token::of_page(store, board, player, Some(event)).expect("a token")))
                    .collect(),
            });
        }
    }
    seats
}
