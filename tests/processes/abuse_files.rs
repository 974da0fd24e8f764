//! Law 7, private files: what Turnpost writes is its owner's alone, whatever the umask and the folder's mode.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use turnpost::mail::transport::{Directory, OutEnvelope, Transport};
use turnpost::store::Store;

use crate::support::host::{Host, Ran, finish, start};
use crate::support::serving::{Client, Served};
use crate::support::{ANN, letter};

const SIGN_UPS: &[u8] =
    b"signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\ndvonn challenge ann bob\n";

/// A user without rights, who need not exist.
const SOMEBODY: u32 = 901;
const ANOTHER: u32 = 902;

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

/// A host whose data directory has this mode.
fn host(of: u32) -> Host {
    let host = Host::new();
    chmod(host.data(), of);
    host
}

/// The program of a host behind a shell command, such as one that sets the umask.
fn behind(shell: &str, plain: &Command) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{shell}; exec \"$@\""), "sh"])
        .arg(plain.get_program())
        .args(plain.get_args());
    command.env_clear().envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(host: &Host, umask: &str, arguments: &[&str], input: &[u8]) -> Ran {
    finish(start(behind(&format!("umask {umask}"), &host.command(arguments)), input))
}

/// All that stands below a folder and was not put there by a test.
fn written(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(written(&path));
        }
        if path.file_name().unwrap() != "turnpost.toml" {
            found.push(path);
        }
    }
    found
}

/// Panics where somebody else may look; gives how many files there are.
fn assert_private(folder: &Path) -> usize {
    let all = written(folder);
    for path in &all {
        // A file may go between the list and the look.
        let Ok(found) = fs::symlink_metadata(path) else { continue };
        let expected = match found.file_type() {
            kind if kind.is_dir() => 0o700,
            // The mail server's user is of its group.
            kind if kind.is_socket() => 0o660,
            _ => 0o600,
        };
        assert_eq!(found.mode() & 0o7777, expected, "{}", path.display());
    }
    all.len()
}

#[test]
fn every_command_writes_private_files_whatever_the_umask_and_the_folder() {
    for (umask, folder) in [("000", 0o755), ("022", 0o755), ("000", 0o777), ("077", 0o700), ("027", 0o750)] {
        let host = host(folder);
        run(&host, umask, &["submit"], SIGN_UPS).ok();
        assert_private(host.data());
        run(&host, umask, &["receive"], &letter("ann@example.org", &format!("games ann {ANN}"), "", 1))
            .assert_silent(0);
        run(&host, umask, &["receive"], b"no mail at all").assert_silent(0);
        run(&host, umask, &["deliver"], b"").ok();
        run(&host, umask, &["tick"], b"").ok();
        let copy = host.data().join("copy.db");
        run(&host, umask, &["admin", "backup", copy.to_str().unwrap()], b"").ok();
        run(&host, umask, &["admin", "verify"], b"").ok();
        assert!(host.data().join("turnpost.log").exists() && copy.exists());
        assert!(host.sent().len() > 2);
        assert!(assert_private(host.data()) > 7);
        assert_eq!(mode(host.data()), folder, "the folder's mode is for its owner to mend");
    }
}

#[test]
fn a_data_directory_that_is_made_is_private() {
    let host = host(0o755);
    let data = host.data().join("a/b");
    let mut command = behind("umask 000", &host.command(&["submit"]));
    command.env("TURNPOST_DATA", &data);
    finish(start(command, SIGN_UPS)).ok();
    assert_private(&host.data().join("a"));
    assert_eq!((mode(&data), mode(data.parent().unwrap())), (0o700, 0o700));
}

#[test]
fn serve_writes_private_files_and_a_socket_for_its_group() {
    for umask in ["000", "022"] {
        let host = host(0o755);
        run(&host, umask, &["submit"], SIGN_UPS).ok();
        let socket = host.data().join("lmtp");
        let place = format!("unix:{}", socket.display());
        let mut command = behind(&format!("umask {umask}"), &host.command(&["serve"]));
        command.env("TURNPOST_SERVE_LMTP", &place);
        let served = Served::of(command);
        let mut client = Client::unix(&socket);
        client.hello();
        client.takes(&letter("ann@example.org", &format!("games ann {ANN}"), "", 1));
        host.wait_until_quiet();
        assert!(assert_private(host.data()) > 6, "database, its logs, mails, socket");
        served.stop();
        assert_private(host.data());
    }
}

#[test]
fn the_database_and_the_mails_are_private_without_the_program_around_them() {
    let folder = tempfile::tempdir().unwrap();
    chmod(folder.path(), 0o755);
    let store = Store::make(&folder.path().join("turnpost.db")).unwrap();
    let mails = Directory::new(folder.path().join("deep/mail"));
    let envelope = OutEnvelope { from: None, to: "ann@example.org".into(), number: Some(1) };
    for _ in 0..2 {
        mails.send(&envelope, b"Subject: x\r\n\r\n").unwrap();
    }
    store.backup(&folder.path().join("copy")).unwrap();
    assert_private(folder.path());
    drop(store);
    assert_private(folder.path());
}

#[test]
fn files_that_an_earlier_version_left_open_are_closed() {
    for arguments in [&["receive"][..], &["submit", "help"], &["admin", "users"], &["deliver"]] {
        let host = host(0o755);
        let settings = host.data().join("turnpost.toml");
        if arguments == ["deliver"] {
            let path = format!("[directory]\npath = \"{}\"\n", host.data().join("out/going").display());
            fs::write(&settings, fs::read_to_string(&settings).unwrap() + &path).unwrap();
        }
        host.run(&["submit"], SIGN_UPS).ok();
        host.run(&["receive"], b"no mail at all").assert_silent(0);
        let served = Served::start(&host, &[]);
        for path in written(host.data()).into_iter().filter(|path| !path.ends_with("out")) {
            chmod(&path, if path.is_dir() { 0o755 } else { 0o644 });
        }
        host.run(arguments, &letter("ann@example.org", "help", "", 1));
        assert!(assert_private(host.data()) > 5);
        served.stop();
    }
}

#[test]
fn a_folder_of_mails_that_the_host_chose_keeps_its_mode() {
    let host = host(0o700);
    let folder = tempfile::tempdir().unwrap();
    chmod(folder.path(), 0o755);
    let mut command = host.command(&["submit"]);
    command.env("TURNPOST_DIRECTORY_PATH", folder.path());
    finish(start(command, SIGN_UPS)).ok();
    assert_eq!(mode(folder.path()), 0o755);
    assert!(assert_private(folder.path()) > 0);
}

#[test]
fn a_data_directory_that_others_can_read_is_told_once_with_the_command_that_mends_it() {
    for (of, is_told) in [(0o755, true), (0o750, true), (0o777, true), (0o702, true), (0o700, false)] {
        let host = host(of);
        let mends = format!("chmod 700 {}", host.data().display());
        let told = |text: &str| text.matches(&mends).count();
        let once = usize::from(is_told);
        let ran = host.run(&["submit"], SIGN_UPS);
        assert_eq!((told(&ran.err), told(&ran.out)), (once, 0), "{of:o}: {}", ran.err);
        assert_eq!(told(&host.run(&["admin", "users"], b"").err), once);
        // Behind a mail server nothing is printed, and the log is not filled with it.
        for number in 1..4 {
            host.receive(&letter("ann@example.org", "help", "", number)).assert_silent(0);
        }
        assert_eq!(told(&host.log()), once, "{}", host.log());
        let served = Served::start(&host, &[]);
        assert_eq!(told(&served.stop()), once);
        // The command does mend it.
        assert!(Command::new("sh").args(["-c", &mends]).status().unwrap().success());
        assert_eq!(host.run(&["admin", "users"], b"").err, "");
    }
}

#[test]
fn the_command_that_mends_fits_a_folder_of_any_name() {
    let host = host(0o700);
    let data = host.data().join("it's a \"folder\" $HOME");
    fs::create_dir(&data).unwrap();
    chmod(&data, 0o755);
    let mut command = host.command(&["submit", "help"]);
    command.env("TURNPOST_DATA", &data);
    let told = finish(start(command, b"")).err;
    let mends = told.split_once('`').unwrap().1.rsplit_once('`').unwrap().0;
    assert!(Command::new("sh").args(["-c", mends]).status().unwrap().success(), "{mends}");
    assert_eq!(mode(&data), 0o700);
}

#[test]
fn run_as_another_user_than_the_owner_it_refuses_in_one_sentence_and_touches_nothing() {
    // Only the superuser can become somebody else.
    let Ok(()) = std::os::unix::fs::chown(Host::new().data(), Some(SOMEBODY), None) else { return };
    for (user, of) in
        [(None, 0o700), (None, 0o755), (Some(ANOTHER), 0o700), (Some(ANOTHER), 0o755), (Some(ANOTHER), 0o777)]
    {
        let host = host(of);
        std::os::unix::fs::chown(host.data(), Some(SOMEBODY), Some(SOMEBODY)).unwrap();
        let command = |arguments: &[&str]| {
            let mut command = host.command(arguments);
            if let Some(user) = user {
                command.uid(user).gid(user);
            }
            command
        };
        for arguments in [&["submit", "help"][..], &["admin", "users"], &["deliver"], &["tick"], &["serve"]] {
            let ran = finish(start(command(arguments), b""));
            assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
            assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
            assert!(ran.err.contains(&format!("`sudo -u '#{SOMEBODY}'")), "{}", ran.err);
            assert!(written(host.data()).is_empty(), "{:?}", written(host.data()));
        }
        let ran = finish(start(command(&["receive"]), &letter("ann@example.org", "help", "", 1)));
        ran.assert_silent(75);
        if user.is_none() {
            // What the superuser notes belongs to the owner, who appends to it later.
            let log = host.data().join("turnpost.log");
            assert!(host.log().contains("sudo -u"), "{}", host.log());
            assert_eq!((fs::metadata(&log).unwrap().uid(), mode(&log)), (SOMEBODY, 0o600));
        }
        assert!(!host.database().exists());
    }
}

#[test]
fn the_refusal_names_the_owner() {
    let host = Host::new();
    let Ok(()) = std::os::unix::fs::chown(host.data(), Some(1), None) else { return };
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let Some(name) = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == "1").then_some(name)
    }) else {
        return;
    };
    let ran = host.run(&["admin", "users"], b"");
    assert!(ran.err.contains(&format!("belongs to {name}")), "{}", ran.err);
    assert!(ran.err.contains(&format!("`sudo -u {name}")), "{}", ran.err);
}

/// A host with a game, and a folder beside it for copies.
fn with_copies() -> (Host, tempfile::TempDir) {
    let host = host(0o700);
    host.run(&["submit"], SIGN_UPS).ok();
    (host, tempfile::tempdir().unwrap())
}

#[test]
fn a_backup_is_made_new_and_never_through_a_link() {
    let (host, folder) = with_copies();
    let (target, elsewhere) = (folder.path().join("copy"), folder.path().join("elsewhere"));
    let backup = || host.run(&["admin", "backup", target.to_str().unwrap()], b"");
    let refuses = || {
        let ran = backup();
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
        assert!(ran.err.contains("is there already"), "{}", ran.err);
    };
    // A dangling link, a link to a file, a link to a folder, a file, an empty file, a folder.
    symlink(&elsewhere, &target).unwrap();
    refuses();
    assert!(!elsewhere.exists());
    fs::write(&elsewhere, "mine").unwrap();
    refuses();
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
    fs::remove_file(&target).unwrap();
    symlink(folder.path(), &target).unwrap();
    refuses();
    fs::remove_file(&target).unwrap();
    fs::write(&target, "mine").unwrap();
    refuses();
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    fs::write(&target, "").unwrap();
    refuses();
    fs::remove_file(&target).unwrap();
    fs::create_dir(&target).unwrap();
    refuses();
    fs::remove_dir(&target).unwrap();
    fs::remove_file(&elsewhere).unwrap();
    backup().ok();
    assert_eq!(mode(&target), 0o600);
    assert_eq!(written(folder.path()), [target.as_path()], "nothing beside it");
    refuses();
    // It is whole.
    let other = host_of_copy(&target);
    other.assert_verified();
}

fn host_of_copy(copy: &Path) -> Host {
    let host = Host::new();
    fs::copy(copy, host.database()).unwrap();
    host
}

#[test]
fn a_backup_that_fails_leaves_nothing() {
    let (host, folder) = with_copies();
    let target = folder.path().join("copy");
    // So many blocks of 512 octets, as on a full disk.
    for blocks in [0, 8, 64] {
        let command = host.command(&["admin", "backup", target.to_str().unwrap()]);
        let ran = finish(start(behind(&format!("trap '' XFSZ; ulimit -f {blocks}"), &command), b""));
        assert_eq!(ran.code, Some(75), "{ran:?}");
        assert!(written(folder.path()).is_empty(), "{:?}", written(folder.path()));
    }
    // A plain name is one in the folder at hand, and one of odd letters is one too.
    for name in ["plain", "a b'\u{e9}\n?#%"] {
        let mut command = host.command(&["admin", "backup", name]);
        command.current_dir(folder.path());
        finish(start(command, b"")).ok();
        assert_eq!(written(folder.path()), [folder.path().join(name)]);
        fs::remove_file(folder.path().join(name)).unwrap();
    }
}

#[test]
fn a_link_in_the_folder_of_mails_is_replaced_and_not_followed() {
    let host = host(0o700);
    let elsewhere = host.data().join("elsewhere");
    let folder = host.data().join("mail");
    fs::create_dir(&folder).unwrap();
    symlink(&elsewhere, folder.join("00000001.eml")).unwrap();
    host.run(&["submit"], SIGN_UPS).ok();
    assert!(!elsewhere.exists());
    assert!(fs::symlink_metadata(folder.join("00000001.eml")).unwrap().is_file());
}

#[test]
fn a_socket_is_made_in_place_of_nothing_but_an_old_socket() {
    let host = Host::with_a_game();
    let place = host.data().join("lmtp.sock");
    let other = host.data().join("letter.txt");
    let serve = || {
        let mut command = host.command(&["serve"]);
        command.env("TURNPOST_SERVE_LMTP", format!("unix:{}", place.display()));
        command
    };
    fs::write(&other, "dear ann").unwrap();
    for is_hard in [true, false] {
        if is_hard { fs::hard_link(&other, &place) } else { symlink(&other, &place) }.unwrap();
        let ran = finish(start(serve(), b""));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("what stands there is no socket: move it away"), "{}", ran.err);
        assert_eq!(fs::read_to_string(&place).unwrap(), "dear ann");
        fs::remove_file(&place).unwrap();
    }
    drop(std::os::unix::net::UnixListener::bind(&place).unwrap());
    let served = Served::of(serve());
    assert!(fs::symlink_metadata(&place).unwrap().file_type().is_socket());
    // What was put there meanwhile stays, too.
    fs::rename(&other, &place).unwrap();
    served.stop();
    assert_eq!(fs::read_to_string(&place).unwrap(), "dear ann");
}

#[test]
fn a_picture_is_written_through_no_link() {
    let host = Host::with_a_game();
    let path = |name: &str| host.data().join(name);
    fs::write(path("letter.txt"), "dear ann").unwrap();
    symlink(path("letter.txt"), path("link.svg")).unwrap();
    symlink(path("nothing"), path("dangling.svg")).unwrap();
    fs::hard_link(path("letter.txt"), path("hard.svg")).unwrap();
    let draw = |name: &str, option: &str| {
        host.run(&["admin", "board", "1", option, path(name).to_str().unwrap()], b"")
    };
    for (name, option) in [("link.svg", "--svg"), ("dangling.svg", "--png")] {
        let ran = draw(name, option);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("no plain file, so nothing was written there"), "{}", ran.err);
    }
    draw("hard.svg", "--svg").ok();
    draw("hard.svg", "--svg").ok();
    assert!(fs::read_to_string(path("hard.svg")).unwrap().contains("<svg"));
    assert_eq!(fs::read_to_string(path("letter.txt")).unwrap(), "dear ann");
    assert!(!path("nothing").exists());
}
