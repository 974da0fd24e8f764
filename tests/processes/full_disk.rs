//! A disk that is full, or that can only be read, at every stage: letters stay with the mail server, nothing is done by
//! halves, and all goes on by itself when there is room again. The disk is a real one, of a few MiB.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::host::{Host, Ran, finish, start};
use crate::support::serving::{PATIENCE, Served};
use crate::support::{ADDRESS, ANN, BOB, files_below, letter};
use turnpost::board::Board;
use turnpost::ids::BoardId;
use turnpost::store::Store;

/// Where the disk is, for the process that has it.
const DISK: &str = "TURNPOST_TEST_DISK";

/// A disk of 8 MiB, below which all folders of a test are.
struct Disk(PathBuf);

/// Runs a test, which is told by its whole name, once more in a process that has such a disk.
fn on_a_small_disk(test: &str, body: impl FnOnce(&Disk)) {
    if let Some(disk) = std::env::var_os(DISK) {
        return body(&Disk(disk.into()));
    }
    let mount = "mount -t tmpfs -o size=8m,mode=700 tmpfs \"$1\"";
    run_on_a_disk(test, &["--map-root-user"], mount);
}

/// The same on one whose blocks are a quarter of a page. Only the superuser can make it.
fn on_a_disk_of_small_blocks(test: &str, body: impl FnOnce(&Disk)) {
    if let Some(disk) = std::env::var_os(DISK) {
        return body(&Disk(disk.into()));
    }
    if rustix::process::geteuid().is_root() {
        let mount = "truncate -s 8M \"$1.image\" && PATH=$PATH:/sbin mkfs.ext4 -q -b 1024 -m 0 \"$1.image\" && \
                     mount -o loop \"$1.image\" \"$1\" && rm \"$1.image\" && chmod 700 \"$1\"";
        run_on_a_disk(test, &[], mount);
    }
}

fn run_on_a_disk(test: &str, options: &[&str], mount: &str) {
    let folder = tempfile::tempdir().unwrap();
    // The mount ends with the process.
    let script = format!("{mount} && exec \"$0\" --exact \"$2\" --nocapture");
    let mut command = Command::new("timeout");
    command.args(["120", "unshare", "--mount"]).args(options).args(["sh", "-c", &script]);
    command.arg(std::env::current_exe().unwrap()).arg(folder.path()).arg(test);
    command.env(DISK, folder.path()).env("TMPDIR", folder.path());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "{said}");
}

impl Disk {
    fn ballast(&self) -> PathBuf {
        self.0.join("ballast")
    }

    /// Takes all the room but so many pages of 4 KiB.
    fn leave(&self, pages: u64) {
        let mut ballast = OpenOptions::new().append(true).create(true).open(self.ballast()).unwrap();
        let page = [1; 4096];
        loop {
            match ballast.write_all(&page) {
                Ok(()) => {}
                Err(why) if why.kind() == ErrorKind::StorageFull => break,
                Err(why) => panic!("{why}"),
            }
        }
        // Some disks give out blocks when they write.
        let _ = ballast.sync_all();
        while ballast.write_all(&page[..1024]).is_ok() && ballast.sync_all().is_ok() {}
        let length = ballast.metadata().unwrap().len();
        File::options().write(true).open(self.ballast()).unwrap().set_len(length - pages * 4096).unwrap();
    }

    fn make_room(&self) {
        fs::remove_file(self.ballast()).unwrap();
    }

    fn remount(&self, how: &str) {
        let mounted = Command::new("mount").args(["-o", &format!("remount,{how}")]).arg(&self.0).status();
        assert!(mounted.unwrap().success());
    }
}

/// Ann and bob, and a board between them.
fn host(options: &str) -> Host {
    let host = Host::new();
    let players = format!(
        "signup ann {ANN} ann@example.org\nsignup bob {BOB} bob@example.net\n\
         dvonn challenge -symmetry -seed=7 {options} ann bob\n"
    );
    host.run(&["submit"], players.as_bytes()).ok();
    host.delivered();
    host
}

fn board(host: &Host) -> Board {
    let store = Store::open_read_only(&host.database()).unwrap();
    Board::load(&store, BoardId(1)).unwrap().unwrap()
}

fn plies(host: &Host) -> u32 {
    board(host).row.plies.0
}

/// The next move, as a letter.
fn next(host: &Host, number: u32) -> Vec<u8> {
    let board = board(host);
    let seat = board.row.to_move.unwrap().index();
    let (from, userid, password) = [("ann@example.org", "ann", ANN), ("bob@example.net", "bob", BOB)][seat];
    let ply = &board.table.legal_plies()[0];
    // With words, so that no newer mail takes the place of these.
    letter(from, &format!("dvonn move 1 {userid} {password} {ply}"), "A fine game so far.", number)
}

/// Runs a program with more and more room, until it does its work; gives how often it could not. In between `nothing`
/// must hold.
fn until_there_is_room(disk: &Disk, run: impl Fn() -> Ran, nothing: impl Fn()) -> usize {
    for (failures, pages) in (0..1000).step_by(3).enumerate() {
        disk.leave(pages);
        let ran = run();
        disk.make_room();
        if ran.code == Some(0) {
            return failures;
        }
        assert_eq!(ran.code, Some(75), "{pages} pages: {ran:?}");
        nothing();
    }
    panic!("it never has room");
}

#[test]
fn receive_deliver_tick_and_backup_do_all_or_nothing() {
    on_a_small_disk("full_disk::receive_deliver_tick_and_backup_do_all_or_nothing", |disk| {
        let host = host("--nagtime=0 --forfeittime=2");
        for round in 0..2 {
            let move_ = next(&host, round);
            let receive = || host.receive(&move_);
            let refused = until_there_is_room(disk, receive, || {
                assert_eq!(plies(&host), round);
                host.assert_verified();
            });
            assert!(refused > 0, "the disk was never full");
            assert_eq!(plies(&host), round + 1);
            // It comes again, for its mail server heard nothing.
            host.receive(&move_).assert_silent(0);
            assert_eq!(plies(&host), round + 1);
        }
        let before = host.sent().len();
        let deliver = || host.run(&["deliver"], b"");
        until_there_is_room(disk, || deliver_all(&host), || ());
        deliver().ok();
        let sent = host.sent();
        assert_eq!(sent.len(), before + 4);
        assert!(sent.iter().all(|mail| mail.raw().ends_with('\n')), "half a mail");

        // Ann loses on time.
        let conn = rusqlite::Connection::open(host.database()).unwrap();
        conn.execute_batch(
            "INSERT OR REPLACE INTO ticks VALUES (1, unixepoch() - 600);
             UPDATE events SET at = at - 3 * 86400, deadline_at = deadline_at - 3 * 86400;
             UPDATE boards SET started_at = started_at - 3 * 86400, changed_at = changed_at - 3 * 86400,
                 deadline_at = deadline_at - 3 * 86400;",
        )
        .unwrap();
        drop(conn);
        let tick = || host.run(&["tick"], b"");
        let refused = until_there_is_room(disk, tick, || host.assert_verified());
        assert!(refused > 0, "the disk was never full");
        tick().ok();
        assert_eq!(host.delivered().len(), before + 6, "each is told once");
        assert!(board(&host).row.result.is_some());

        let copies = host.data().join("copies");
        fs::create_dir(&copies).unwrap();
        let copy = copies.join("copy.db");
        let backup = || host.run(&["admin", "backup", copy.to_str().unwrap()], b"");
        let refused = until_there_is_room(disk, backup, || {
            assert_eq!(fs::read_dir(&copies).unwrap().count(), 0, "what failed left something");
        });
        assert!(refused > 0, "the disk was never full");
        assert_eq!(fs::read_dir(&copies).unwrap().count(), 1);
        assert_eq!(Store::open(&copy).unwrap().integrity().unwrap(), Vec::<String>::new());
        host.assert_verified();
    });
}

/// Sends; mails that cannot be written for want of room wait, which is a failure here.
fn deliver_all(host: &Host) -> Ran {
    let mut ran = host.run(&["deliver"], b"");
    if ran.code == Some(0) && !ran.out.contains(" 0 to be tried again, 0 refused") {
        ran.code = Some(75);
    }
    ran
}

#[test]
fn a_server_goes_on_when_there_is_room_again() {
    on_a_small_disk("full_disk::a_server_goes_on_when_there_is_room_again", |disk| {
        let host = host("");
        let before = host.sent().len();
        // It starts on a disk that is full already, as when the machine comes up.
        disk.leave(0);
        let served = Served::start(&host, &[("TURNPOST_SERVE_HTTP", "127.0.0.1:0")]);
        let mut client = served.connect();
        let mut played = 0;
        for round in 0..3 {
            disk.leave(0);
            // The log of the database may have some room of its own.
            let mut letters = 0;
            let waiting = loop {
                let mail = next(&host, 100 + played);
                letters += 1;
                assert!(letters < 100, "the disk was never full");
                let replies = client.mail("ann@example.org", &[ADDRESS], &mail);
                if replies[0].starts_with("451 ") {
                    assert_eq!(plies(&host), played, "played, and left with the mail server all the same");
                    break mail;
                }
                assert_eq!(replies, ["250 2.0.0 taken\r\n"]);
                played += 1;
                assert_eq!(plies(&host), played);
            };
            if round == 0 {
                assert!(served.page("/healthz").0.contains("503"), "{:?}", served.page("/healthz"));
            }
            disk.make_room();
            // The mail server comes again.
            client.takes(&waiting);
            played += 1;
            assert_eq!(plies(&host), played);
        }
        let until = Instant::now() + PATIENCE;
        while host.sent().len() < before + 2 * played as usize {
            assert!(Instant::now() < until, "{}", served.log());
            std::thread::sleep(Duration::from_millis(50));
        }
        served.stop();
        assert_eq!(host.delivered().len(), before + 2 * played as usize);
        host.assert_verified();
    });
}

/// SQLite maps a file of the log into memory, and where blocks are smaller than a page, its place is found when it is used.
#[test]
fn a_full_disk_of_small_blocks_is_a_sentence_and_no_signal() {
    on_a_disk_of_small_blocks("full_disk::a_full_disk_of_small_blocks_is_a_sentence_and_no_signal", |disk| {
        let host = host("");
        let (mut number, mut lost) = (0, 0);
        for pages in 0..12 {
            for arguments in [&["receive"][..], &["admin", "users"], &["tick"], &["deliver"], &["serve"]] {
                number += 1;
                let mail = letter("eve@example.com", "help", "", number);
                disk.leave(pages);
                let command = host.command(arguments);
                let command = if arguments == ["serve"] { for_a_moment(&command) } else { command };
                let ran = finish(start(command, &mail));
                disk.make_room();
                assert!([Some(0), Some(75)].contains(&ran.code), "{pages} pages, {arguments:?}: {ran:?}");
                if arguments != ["receive"] {
                    assert_eq!(ran.code == Some(75), ran.err.contains("turnpost: "), "{pages}: {ran:?}");
                }
                lost += usize::from(ran.err.ends_with(": the disk is full\n"));
            }
            host.assert_verified();
        }
        assert!(lost > 0, "no page was lost");
        let move_ = next(&host, 1000);
        host.receive(&move_).assert_silent(0);
        assert_eq!(plies(&host), 1);
    });
}

/// The same command, asked to end after two seconds.
fn for_a_moment(command: &Command) -> Command {
    let mut timed = Command::new("timeout");
    timed
        .args(["--foreground", "--preserve-status", "2"])
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear();
    timed.envs(command.get_envs().map(|(name, value)| (name, value.unwrap())));
    timed.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    timed
}

#[test]
fn a_disk_that_can_only_be_read_changes_nothing_and_everything_waits() {
    on_a_small_disk("full_disk::a_disk_that_can_only_be_read_changes_nothing_and_everything_waits", |disk| {
        let host = host("");
        let first = next(&host, 1);
        host.receive(&first).assert_silent(0);
        let before = host.sent().len();
        let second = next(&host, 2);
        let stood = files_below(host.data());
        disk.remount("ro");
        host.receive(&second).assert_silent(75);
        for arguments in [&["deliver"][..], &["tick"], &["serve"], &["submit", "help"]] {
            let ran = host.run(arguments, b"");
            assert_eq!(ran.code, Some(75), "{arguments:?}: {ran:?}");
            assert!(!ran.err.is_empty(), "{arguments:?}");
        }
        let copy = host.data().join("copy.db");
        assert_eq!(host.run(&["admin", "backup", copy.to_str().unwrap()], b"").code, Some(75));
        assert!(files_below(host.data()) == stood, "a file has changed");
        disk.remount("rw");
        assert_eq!(plies(&host), 1);
        host.receive(&second).assert_silent(0);
        assert_eq!(plies(&host), 2);
        assert_eq!(host.delivered().len(), before + 4);
        host.assert_verified();
    });
}
