//! The law of links: nothing that happens to a board makes a link of its players dead, or opens another's seat.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost::board::Board;
use turnpost::credentials::Token;
use turnpost::data_dir::DATABASE;
use turnpost::ids::{BoardId, Ply, Seat};
use turnpost::mail::Operator;
use turnpost::store::EventKind;
use turnpost::timer::host_acts::{Act, BoardAct, GameEnd, GamesOfTwo, NewSeat};

use crate::support::pages::{At, URL, Visitor};
use crate::support::{ANN, BOB, Mail, Stage};

/// Userids, passwords and addresses.
const PEOPLE: [(&str, &str, &str); 4] = [
    ("ann", ANN, "ann@example.org"),
    ("bob", BOB, "bob@example.net"),
    ("carol", "whimbrel-5", "carol@example.com"),
    ("dora", "gannet-33", "dora@example.com"),
];

/// A board of ann and bob whose mails have links, and two who may take a seat.
struct Table {
    stage: Stage,
    letters: u32,
}

impl Table {
    fn with(challenge: &str) -> Table {
        let mut stage = Stage::with(|config| {
            config.web.listen = "127.0.0.1:0".to_owned();
            config.web.url = URL.to_owned();
        });
        for (userid, password, address) in PEOPLE {
            stage.sign_up(address, userid, password);
        }
        assert!(stage.submit(Operator::AsAnyone, &format!("{challenge} ann bob")).1);
        Table { stage, letters: 0 }
    }

    fn board(&self) -> Board {
        Board::load(&self.stage.store, BoardId(1)).unwrap().unwrap()
    }

    /// The userid now of who had this one at first.
    fn name_of(&self, first: &str) -> String {
        let account = self.stage.store.player(&first.parse().unwrap()).unwrap().unwrap();
        let heir = self.stage.store.heir_of(account.id).unwrap();
        let first = self.stage.store.player_by_id(heir.unwrap_or(account.id)).unwrap();
        let heir = self.stage.store.heir_of(first.id).unwrap();
        self.stage.store.player_by_id(heir.unwrap_or(first.id)).unwrap().userid.to_string()
    }

    fn names(&self) -> [String; 2] {
        self.board()
            .row
            .players
            .map(|player| self.stage.store.player_by_id(player).unwrap().userid.to_string())
    }

    fn does(&mut self, seat: Seat, word: &str) -> bool {
        let (game, name) = (self.board().kind.key, seat.of(&self.names()).clone());
        let (word, rest) = word.split_once(' ').unwrap_or((word, ""));
        self.stage.submit(Operator::AsAnyone, &format!("{game} {word} 1 {name} - {rest}")).1
    }

    fn reseat(&mut self, seat: Seat, who: &str) -> bool {
        let new = NewSeat { seat, player: who.parse().unwrap() };
        self.stage.host(Act::OnBoard(BoardId(1), BoardAct::Reseat(new)), "A test.").is_ok()
    }

    fn merge(&mut self, from: &str, into: &str) -> bool {
        let (from, into) = (from.parse().unwrap(), into.parse().unwrap());
        self.stage.host(Act::Merge { from, into, games: GamesOfTwo::Void }, "One person.").is_ok()
    }

    /// Every mail of the board with a link, the first who got it, and the link.
    fn links(&self) -> Vec<(Mail, &'static str, String)> {
        let of = |mail: &Mail| {
            let start = format!("{URL}/play/");
            let link = mail.text.split_whitespace().find_map(|word| word.strip_prefix(&start))?.to_owned();
            let (userid, ..) = PEOPLE.into_iter().find(|(.., address)| *address == mail.to)?;
            Some((mail.clone(), userid, link))
        };
        self.stage.left.iter().filter_map(of).collect()
    }

    /// Panics unless each link leads its player to the seat that is theirs now, or to a page that says what happened.
    fn every_link_leads_home(&self) {
        let visitor = Visitor::new(At::database(&self.stage.folder.path().join(DATABASE)));
        let names = self.names();
        for (mail, first, link) in self.links() {
            let page = visitor.get(&format!("/play/{link}"));
            let (text, name) = (page.text(), self.name_of(first));
            match page.status {
                200 => {
                    assert!(text.contains(&format!("<b><a href=\"/players/{name}\">")), "{first}: {text}");
                    assert!(names.contains(&name), "{first} has the seat of {names:?}");
                }
                410 => {
                    let says = ["has had your seat at this board since", "is part of"];
                    assert!(says.iter().any(|words| text.contains(words)), "{first}: {text}");
                    assert!(text.contains("/1\">The board is here"), "{text}");
                    // Who was merged into another keeps the seats on boards where the two have met.
                    assert!(name != first || !names.contains(&name), "{first} has lost no seat: {text}");
                }
                status => panic!("{first}, {status}, of the mail {}", mail.subject),
            }
            assert_ne!(visitor.get(&format!("/play/{link}/pause")).status, 404, "{first}");
        }
    }

    /// Answers a mail with a move, and panics unless it is the move of who got the mail, on the board that it showed.
    fn answer(&mut self, (mail, first, _): &(Mail, &'static str, String), ply: &str) {
        let raw = mail.raw();
        let Some(to) = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")) else { return };
        let token =
            to.split_once('+').and_then(|(_, rest)| rest.split_once('@')).map(|(token, _)| token.to_owned());
        let read = Token::read(&self.stage.store, &token.unwrap_or_default(), self.stage.now).unwrap();
        let (events, name) = (self.stage.store.events(BoardId(1)).unwrap().len(), self.name_of(first));
        self.letters += 1;
        let reply = format!(
            "From: {}\nTo: {to}\nSubject: Re: {}\nMessage-ID: <old.{}@example.org>\n\n{ply}\n",
            mail.to, mail.subject, self.letters
        );
        self.stage.receive(reply.replace('\n', "\r\n").as_bytes());
        for event in &self.stage.store.events(BoardId(1)).unwrap()[events..] {
            let fresh = read.as_ref().and_then(Token::seat).is_some_and(|seat| seat.fresh);
            assert!(event.kind != EventKind::Ply || fresh, "an old mail of {first} played {ply}");
            let by = event.player.map(|player| self.stage.store.player_by_id(player).unwrap().userid);
            assert!(by.is_none_or(|by| by.as_str() == name), "a mail to {first} spoke for another");
        }
    }
}

#[test]
fn no_event_of_a_board_makes_a_link_dead() {
    for seed in 0..crate::support::rounds(6, 80) {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let mut pick = |most: usize| rng.next_u32() as usize % most;
        let game =
            ["hex challenge -size=5", "dvonn challenge --swap -symmetry", "y challenge"][seed as usize % 3];
        let mut table = Table::with(game);
        for _ in 0..40 {
            table.stage.wait(pick(20) as i64);
            let board = table.board();
            let (plies, seat) = (board.row.plies.0, Seat::BOTH[pick(2)]);
            let on_board =
                |table: &mut Table, act| table.stage.host(Act::OnBoard(BoardId(1), act), "A test.").is_ok();
            let legal = board.table.legal_plies();
            match pick(16) {
                0 | 1 if plies == 1 => drop(table.does(Seat::Second, "swap")),
                0 => drop(table.does(seat, "propose")),
                1 => drop(table.does(seat, ["accept", "reject"][pick(2)])),
                2 => drop(table.does(seat, "undo")),
                3 => drop(on_board(&mut table, BoardAct::Undo(Ply(pick(plies as usize + 2) as u32)))),
                4 => drop(on_board(&mut table, [BoardAct::Adjourn, BoardAct::Resume][pick(2)].clone())),
                5 => drop(on_board(&mut table, BoardAct::Resume)),
                6 | 7 => drop(table.reseat(seat, PEOPLE[pick(4)].0)),
                8 if pick(4) == 0 => drop(table.does(seat, ["resign", "decline"][pick(2)])),
                8 if pick(4) == 0 => drop(on_board(&mut table, BoardAct::End(GameEnd::Draw))),
                8 if pick(3) == 0 => drop(table.merge(PEOPLE[pick(4)].0, PEOPLE[pick(4)].0)),
                9 | 10 if !legal.is_empty() => {
                    let links = table.links();
                    if !links.is_empty() {
                        let ply = legal[pick(legal.len())].clone();
                        table.answer(&links[pick(links.len())], &ply);
                    }
                }
                _ => {
                    let Some(turn) = board.row.to_move else { continue };
                    let ply = format!("move \"{}\"", legal[pick(legal.len())]);
                    table.does(turn, &ply);
                }
            }
        }
        assert!(table.links().len() > 5, "{seed}");
        table.every_link_leads_home();
        assert_eq!(table.stage.wrong(), Vec::<String>::new(), "{seed}");
    }
}

#[test]
fn after_a_swap_the_old_page_is_the_same_players_and_the_list_says_who_moved() {
    let mut table = Table::with("hex challenge -size=5");
    table.does(Seat::First, "move \"a3\"");
    assert!(table.does(Seat::Second, "swap"));
    table.every_link_leads_home();
    let (mail, ..) = table.links().into_iter().rev().find(|(_, first, _)| *first == "ann").unwrap();
    assert!(mail.text.contains("1. a3 (by ann). The seats have changed since."), "{}", mail.text);
    let visitor = Visitor::new(At::database(&table.stage.folder.path().join(DATABASE)));
    for path in ["/hex/1".to_owned(), format!("/play/{}", table.links()[0].2)] {
        let page = visitor.get(&path).text();
        assert!(page.contains("After move 1 bob changed seats with ann."), "{page}");
        assert!(page.contains("ann played 1. <b>a3</b>.") && page.contains("by ann</span>"), "{page}");
    }
}

#[test]
fn who_lost_a_seat_hears_to_whom() {
    let mut table = Table::with("hex challenge -size=5");
    let of_bob = table.links().into_iter().find(|(_, first, _)| *first == "bob").unwrap();
    assert!(table.reseat(Seat::Second, "dora"));
    table.does(Seat::First, "move \"a3\"");
    table.answer(&of_bob, "b2");
    let answer = table.stage.left.last().unwrap();
    assert!(
        answer.to == "bob@example.net" && answer.text.contains("dora has had your seat at board 1 since")
    );
    // A merge brings dora's mails to carol.
    assert!(table.merge("dora", "carol"));
    table.every_link_leads_home();
    let of_dora = table.links().into_iter().rev().find(|(_, first, _)| *first == "dora").unwrap();
    let visitor = Visitor::new(At::database(&table.stage.folder.path().join(DATABASE)));
    assert!(visitor.get(&format!("/play/{}", of_dora.2)).text().contains("<b><a href=\"/players/carol\">"));
    table.answer(&of_dora, "b2");
    assert_eq!(table.board().row.plies, Ply(2));
    // A host who erases carol ends the links of both accounts.
    table.stage.host(Act::Erase("carol".parse().unwrap()), "Asked for it.").unwrap();
    assert!(Token::page(&table.stage.store, &of_dora.2).unwrap().is_none());
}
