//! What a letter costs, as ratios within one run.
//!
//! `cargo bench --bench letters` prints four of them, and what a password costs:
//! - the way from a mail's bytes to both mails out, without SQL and password. The baseline is the bare calls of the
//!   libraries (mailparse, minijinja, lettre) for the same mail;
//! - `turnpost receive` of a move as a whole process. The password check is shown apart. The baseline is a minimal
//!   program that opens a copy of the same database in WAL with `synchronous=FULL` and commits one row;
//! - a move with a million boards stored against one with 1,000;
//! - a userid written wrong, whose nearest is to be found, among 20,000 players against among two.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod stock;

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use lettre::message::SinglePart;
use minijinja::context;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use turnpost::app::App;
use turnpost::board::Board;
use turnpost::commands::{self, LANGUAGE, Reading};
use turnpost::compose;
use turnpost::config::Config;
use turnpost::credentials::password;
use turnpost::ids::{BoardId, Seat};
use turnpost::mail::incoming::{self, Envelope, Incoming};
use turnpost::mail::{Letter, outgoing};
use turnpost::notices::board_update::{BoardEvent, BoardStep, BoardUpdate};
use turnpost::notices::mail::Recipient;
use turnpost::notices::ply_view::PlyView;
use turnpost::notices::view::view_of;
use turnpost::notices::{Answer, Answered, Event, Mail, Transcript};
use turnpost::pipeline::{self, Handled};
use turnpost::store::{PlayerId, Store};
use turnpost_games::Position;
use turnpost_games::dvonn::setup::symmetrical;

use stock::{SEED, at, stock, terms};

fn main() {
    // As `cargo bench --bench letters`; run by `cargo test` it only shows that it runs.
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, database] = arguments.as_slice()
        && flag == "--minimal"
    {
        return minimal(Path::new(database));
    }
    let full = arguments.iter().any(|argument| argument == "--bench");
    without_sql(full);
    whole_process(full);
    many_boards(full);
    nearest_userid(full);
    password(full);
}

fn app() -> App {
    Config::default().app()
}

/// A mail with a command in its Subject, as mail programs write them.
fn mail(n: usize, from: &str, subject: &str) -> Vec<u8> {
    format!(
        "Return-Path: <{from}@example.org>\r\nReceived: from mx.example.org (mx.example.org [192.0.2.7])\r\n\tby host.example.net \
         (Postfix) with ESMTPS id 4A1B2C3D;\r\n\tFri, 20 Nov 2026 12:00:00 +0000 (UTC)\r\nDate: Fri, 20 Nov 2026 13:00:00 +0100\r\n\
         From: {from} <{from}@example.org>\r\nTo: Turnpost <turnpost@localhost>\r\nMessage-ID: <bench.{n}@example.org>\r\n\
         Subject: {subject}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=\"=_b\"\r\n\r\n--=_b\r\n\
         Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nHave a nice day =E2=9C=89\r\n\
         --=_b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Have a nice day</p>\r\n--=_b--\r\n"
    )
    .into_bytes()
}

/// The moves of a game from the board of that seed, the first legal one each time.
fn moves() -> Vec<String> {
    let mut position = symmetrical(SEED);
    let mut plies = Vec::new();
    while position.outcome().is_none() && position.forced().is_none() {
        let ply = position.legal_moves()[0];
        plies.push(position.write_move(ply));
        position.make(ply);
    }
    plies
}

/// Bytes in, two mails out: all that happens to a move but SQL and the password.
fn path(app: &App, bytes: &[u8], board: &Board) -> (Vec<u8>, Vec<u8>) {
    let letter: Letter = match incoming::read(bytes, &Envelope::default(), &app.server) {
        Incoming::Letter(letter) => *letter,
        _ => panic!("no letter"),
    };
    let line = LANGUAGE.read(&letter.subject, &letter.text, 50).remove(0);
    let Reading::Command(request) = &line.reading else { panic!("no move") };
    let commands::Command::Move(played) = &request.command else { panic!("no move") };
    let mut board = Board { row: board.row.clone(), kind: board.kind, table: board.table.copy() };
    let zones = [TimeZone::UTC, TimeZone::UTC];
    let (event, played) = board.play(&played.plies, Some(PlayerId(1)), at(), &zones).unwrap();
    let ply = PlyView::of(&event).unwrap();
    let view = view_of(&board, ["ann".into(), "bob".into()], vec![ply.clone()]);
    let step = BoardStep {
        played: vec![ply],
        remarks: played.remarks,
        ..BoardStep::new(BoardEvent::Played, Seat::First)
    };
    let update = BoardUpdate::of(step, view);
    let event = Event::Board(Box::new(update.clone()), Some(0));
    let thread = event.thread();
    let mut transcript = Transcript::default();
    transcript.answers.push(Answered {
        echo: line.echo,
        kept: String::new(),
        answer: Answer::Done(event),
        begins: false,
        thread,
        now: None,
    });
    transcript.player = Some(PlayerId(1));
    let utc = compose::AsRead::by_default(jiff::Timestamp::UNIX_EPOCH);
    let to_ann = Mail::answer(Recipient::Player(PlayerId(1)));
    let to_bob = Mail::of_board(PlayerId(2), Seat::Second, update, None);
    let answer = compose::compose(&app.templates, &utc, &transcript, &to_ann).unwrap();
    let notice = compose::compose(&app.templates, &utc, &transcript, &to_bob).unwrap();
    let compose = |to: &str, reply: &compose::OutgoingMail, mark| {
        let draft = outgoing::Draft {
            to: to.into(),
            reply_to: None,
            message_id: outgoing::message_id(&letter.identity, to, "0", &[0; 32], "localhost"),
            in_reply_to: letter.message_id.clone(),
            references: letter.message_id.iter().cloned().collect(),
            subject: reply.subject.clone(),
            date: at(),
            mark,
            unsubscribe: None,
            text: compose::plain::write(&reply.blocks),
            html: None,
            files: Vec::new(),
        };
        outgoing::compose(&draft, &app.server).unwrap()
    };
    (
        compose("ann@example.org", &answer, outgoing::AutoSubmitted::Replied),
        compose("bob@example.org", &notice, outgoing::AutoSubmitted::Generated),
    )
}

/// The bare calls of the libraries for the same mail: parsed, two templates filled in, two messages built.
fn bare(app: &App, bytes: &[u8], texts: &[String; 2], views: &[minijinja::Value; 2]) -> usize {
    let mail = mailparse::parse_mail(bytes).unwrap();
    let text = mail.subparts[0].get_body().unwrap();
    let mut sizes = text.len();
    for (view, text) in views.iter().zip(texts) {
        sizes += app.templates.render("board/played.md", view.clone()).unwrap().len();
        sizes += app.templates.render("footer.md", context! {}).unwrap().len();
        let message = lettre::Message::builder()
            .from("Turnpost <turnpost@localhost>".parse().unwrap())
            .to("ann@example.org".parse().unwrap())
            .subject("dvonn 1, ann v bob")
            .message_id(Some("<bench.1@localhost>".into()))
            .in_reply_to("<bench.1@example.org>".into())
            .references("<bench.1@example.org>".into())
            .singlepart(SinglePart::plain(text.clone()))
            .unwrap();
        sizes += message.formatted().len();
    }
    sizes
}

fn without_sql(full: bool) {
    let app = app();
    let board = Board::start(BoardId(1), &terms().event(at(), None, None).unwrap()).unwrap();
    let bytes = mail(1, "ann", &format!("dvonn move 1 ann plover-42 {}", moves()[0]));
    let mut played = Board { row: board.row.clone(), kind: board.kind, table: board.table.copy() };
    let (event, _) = played.play(&moves()[0], None, at(), &[TimeZone::UTC, TimeZone::UTC]).unwrap();
    let ply = PlyView::of(&event).unwrap();
    let view = view_of(&played, ["ann".into(), "bob".into()], vec![ply.clone()]);
    let update = BoardUpdate::of(
        BoardStep { played: vec![ply], ..BoardStep::new(BoardEvent::Played, Seat::First) },
        view,
    );
    let utc = compose::AsRead::by_default(jiff::Timestamp::UNIX_EPOCH);
    let views = Seat::BOTH.map(|seat| compose::board_context(&utc, &update, Some(seat.index()), None));
    let texts = views.clone().map(|view| app.templates.render("board/played.md", view).unwrap());
    if !full {
        black_box(path(&app, &bytes, &board));
        black_box(bare(&app, &bytes, &texts, &views));
        return;
    }
    let ours = median(2000, || drop(black_box(path(&app, &bytes, &board))));
    let theirs = median(2000, || {
        black_box(bare(&app, &bytes, &texts, &views));
    });
    ratio("letter to mails without SQL and password / bare library calls", ours, theirs, 2.5);
}

/// The baseline of the whole process: opens the database as the server does and commits one row.
fn minimal(database: &Path) {
    let connection = rusqlite::Connection::open(database).unwrap();
    connection.pragma_update(None, "journal_mode", "wal").unwrap();
    connection.pragma_update(None, "synchronous", "full").unwrap();
    connection.execute("INSERT INTO bench (at) VALUES (1)", []).unwrap();
}

fn whole_process(full: bool) {
    let data = tempfile::tempdir().unwrap();
    let rounds = if full { 40 } else { 1 };
    drop(stock(data.path(), rounds));
    let database = data.path().join("turnpost.db");
    // A copy, or the baseline would find and empty the log of the measured program.
    let minimal_database = data.path().join("minimal.db");
    Store::open(&database).unwrap().backup(&minimal_database).unwrap();
    let connection = rusqlite::Connection::open(&minimal_database).unwrap();
    connection.execute_batch("CREATE TABLE bench (at INTEGER NOT NULL) STRICT").unwrap();
    drop(connection);
    let moves = moves();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut number = 0;
    for board in 1..=rounds {
        for (ply, text) in moves.iter().enumerate().take(if full { 10 } else { 1 }) {
            let who = ["ann", "bob"][ply % 2];
            number += 1;
            let bytes = mail(number, who, &format!("dvonn move {board} {who} plover-42 {text}"));
            let mut receive = Command::new(env!("CARGO_BIN_EXE_turnpost"));
            receive.arg("--data").arg(data.path()).arg("receive");
            ours.push(run(&mut receive, &bytes));
            let mut minimal = Command::new(std::env::current_exe().unwrap());
            minimal.arg("--minimal").arg(&minimal_database);
            theirs.push(run(&mut minimal, &[]));
        }
    }
    let mut store = Store::open(&database).unwrap();
    let played = store.write(|store| store.board(BoardId(1))).unwrap().unwrap().plies.0;
    assert_eq!(played, if full { 10 } else { 1 }, "every letter was played");
    if full {
        ratio(
            "receive of a move, whole process / open and commit one row",
            middle(ours),
            middle(theirs),
            1.5,
        );
    }
}

fn run(command: &mut Command, input: &[u8]) -> Duration {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input).unwrap();
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}");
    started.elapsed()
}

fn many_boards(full: bool) {
    let sizes = if full { [1_000, 1_000_000] } else { [10, 20] };
    let mut times = sizes.map(|_| Vec::new());
    let mut stages = sizes.map(|boards| {
        let data = tempfile::tempdir().unwrap();
        let store = stock(data.path(), boards);
        (data, store)
    });
    let app = app();
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let moves = moves();
    let rounds = if full { 300 } else { 2 };
    for round in 0..rounds {
        // The same letters by turns, so that what else the machine does falls on both alike.
        for ((times, (_, store)), boards) in times.iter_mut().zip(&mut stages).zip(sizes) {
            let board = 1 + (round as u32 / 2) * 7919 % boards;
            let who = ["ann", "bob"][round % 2];
            let bytes = mail(round, who, &format!("dvonn move {board} {who} plover-42 {}", moves[round % 2]));
            let Incoming::Letter(letter) = incoming::read(&bytes, &Envelope::default(), &app.server) else {
                panic!("no letter")
            };
            let started = Instant::now();
            let handled = pipeline::handle(store, &app, &letter, at(), &mut rng).unwrap();
            times.push(started.elapsed());
            assert!(matches!(handled, Handled::Acted { ends_well: true, .. }));
        }
    }
    if full {
        let [few, many] = times;
        ratio("a move with 1,000,000 boards / with 1,000", middle(many), middle(few), 1.3);
    }
}

fn nearest_userid(full: bool) {
    let sizes = if full { [2, 20_000] } else { [2, 20] };
    let mut times = sizes.map(|_| Vec::new());
    let mut stages = sizes.map(|players| {
        let data = tempfile::tempdir().unwrap();
        let store = stock(data.path(), 1);
        let sql = "WITH RECURSIVE n (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
            INSERT INTO players (id, userid, userid_key, secret, created_at)
            SELECT n, 'member' || n, 'member' || n, randomblob(32), 0 FROM n WHERE n <= ?1";
        rusqlite::Connection::open(data.path().join("turnpost.db")).unwrap().execute(sql, [players]).unwrap();
        (data, store)
    });
    let app = app();
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    for round in 0..if full { 300 } else { 2 } {
        for (times, (_, store)) in times.iter_mut().zip(&mut stages) {
            let bytes = mail(round, "ann", ["who memebr12345", "who anm"][round % 2]);
            let Incoming::Letter(letter) = incoming::read(&bytes, &Envelope::default(), &app.server) else {
                panic!("no letter")
            };
            let started = Instant::now();
            pipeline::handle(store, &app, &letter, at(), &mut rng).unwrap();
            times.push(started.elapsed());
        }
    }
    if full {
        let [few, many] = times;
        ratio("a wrong userid among 20,000 players / among 2", middle(many), middle(few), 2.0);
    }
}

fn password(full: bool) {
    let hash = password::hash("plover-42", app().limits.password_kib).unwrap();
    assert!(password::fits("plover-42", &hash));
    if full {
        let time = median(5, || assert!(password::fits("plover-42", &hash)));
        println!("apart from these: a password check takes {time:.1?}");
    }
}

fn median(calls: u32, mut work: impl FnMut()) -> Duration {
    let runs = (0..9).map(|_| {
        let started = Instant::now();
        (0..calls).for_each(|_| work());
        started.elapsed() / calls
    });
    middle(runs.collect())
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ratio(what: &str, ours: Duration, baseline: Duration, goal: f64) {
    let ratio = ours.as_secs_f64() / baseline.as_secs_f64();
    println!("{what}: {ours:.1?} / {baseline:.1?} = {ratio:.2} (goal: at most {goal})");
}
