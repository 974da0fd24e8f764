//! A host of the real program: a data directory of its own, and processes.

use std::fs::{DirBuilder, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use turnpost::data_dir::DATABASE;

use super::files_below;
use super::mails::Mail;
use super::serving::PATIENCE;

/// What a process did.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code.
    pub code: Option<i32>,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

impl Ran {
    /// Panics unless it exited with `code` and printed nothing, as a mail server expects.
    pub fn assert_silent(&self, code: i32) {
        assert_eq!((self.code, self.out.as_str(), self.err.as_str()), (Some(code), "", ""));
    }

    /// Its standard output, after exit code 0.
    pub fn ok(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:?}");
        &self.out
    }
}

/// A data directory, and the program that keeps it.
pub struct Host {
    folder: TempDir,
}

/// The files of a data directory, made once and then copied.
pub struct HostFiles(Vec<(PathBuf, Vec<u8>)>);

impl Host {
    /// A new server.
    pub fn new() -> Host {
        let private = Permissions::from_mode(0o700);
        let host = Host { folder: tempfile::Builder::new().permissions(private).tempdir().unwrap() };
        std::fs::write(
            host.data().join("turnpost.toml"),
            format!("address = \"{}\"\noperator = \"operator@turnpost.example\"\n", super::ADDRESS),
        )
        .unwrap();
        host
    }

    /// A new server with its database, before the first letter.
    pub fn set_up() -> Host {
        let host = Host::new();
        std::fs::write(host.database(), &super::opening::EMPTY.database).unwrap();
        std::fs::set_permissions(host.database(), Permissions::from_mode(0o600)).unwrap();
        host
    }

    /// Lets mail leave by SMTP, as `turnpost init` notes it.
    pub fn sends_to(&self, port: u16) {
        let file = self.data().join("turnpost.toml");
        let settings = std::fs::read_to_string(&file).unwrap();
        let smtp = format!("[mail]\ntransport = \"smtp\"\n[smtp]\nport = {port}\n");
        std::fs::write(file, settings + &smtp).unwrap();
        let conn = rusqlite::Connection::open(self.database()).unwrap();
        conn.execute("UPDATE identity SET transport = 'smtp'", []).unwrap();
    }

    /// A server with the accounts ann and bob, at example.org and example.net.
    pub fn with_players() -> Host {
        static FILES: LazyLock<HostFiles> = LazyLock::new(|| {
            let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n";
            Host::new().files_after(players)
        });
        Host::copy_of(&FILES)
    }

    /// The same after these commands.
    pub fn after(commands: &str) -> Host {
        let host = Host::with_players();
        host.run(&["submit"], commands.as_bytes()).ok();
        host
    }

    /// How many plies a board has.
    pub fn plies(&self, board: u32) -> usize {
        let board = self.run(&["admin", "board", &board.to_string(), "--json"], b"");
        let board: serde_json::Value = serde_json::from_str(board.ok()).unwrap();
        board["plies"].as_array().unwrap().len()
    }

    /// The same as [`Host::with_players`], and board 1 of `-symmetry -seed=7`, of which both have been told. Ann is to move.
    pub fn with_a_game() -> Host {
        static FILES: LazyLock<HostFiles> =
            LazyLock::new(|| Host::with_players().files_after("dvonn challenge -symmetry -seed=7 ann bob\n"));
        Host::copy_of(&FILES)
    }

    /// A server that begins where another stood.
    pub fn copy_of(files: &HostFiles) -> Host {
        let host = Host::new();
        for (name, bytes) in &files.0 {
            let file = host.data().join(name);
            DirBuilder::new().recursive(true).mode(0o700).create(file.parent().unwrap()).unwrap();
            std::fs::write(&file, bytes).unwrap();
            std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        }
        host
    }

    /// The files after these commands.
    pub fn files_after(self, commands: &str) -> HostFiles {
        self.run(&["submit"], commands.as_bytes()).ok();
        self.files()
    }

    pub fn files(&self) -> HostFiles {
        let name = |path: &Path| path.strip_prefix(self.data()).unwrap().to_owned();
        let files = files_below(self.data()).into_iter().map(|(path, bytes)| (name(&path), bytes));
        HostFiles(files.collect())
    }

    /// Its data directory.
    pub fn data(&self) -> &Path {
        self.folder.path()
    }

    /// Its database.
    pub fn database(&self) -> PathBuf {
        self.data().join(DATABASE)
    }

    /// The program, to be run with `arguments`; nothing of the tests' environment reaches it but what it needs.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
        command.env_clear().env("TURNPOST_DATA", self.data()).args(arguments);
        // The log of the machine that tests run on is not theirs.
        command.env("TURNPOST_SYSLOG", "");
        // See `samples.rs`.
        command.envs(std::env::var_os("TEMPLATE_CONTEXTS").map(|file| ("TEMPLATE_CONTEXTS", file)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program and waits for its end.
    pub fn run(&self, arguments: &[&str], input: &[u8]) -> Ran {
        finish(start(self.command(arguments), input))
    }

    /// Hands a mail in, from an envelope that says nothing.
    pub fn receive(&self, mail: &[u8]) -> Ran {
        self.run(&["receive"], mail)
    }

    /// What `receive` noted in its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.data().join("turnpost.log")).unwrap_or_default()
    }

    /// Sends what waits, and gives all mails that were ever sent, in order.
    pub fn delivered(&self) -> Vec<Mail> {
        self.run(&["deliver"], b"").ok();
        self.sent()
    }

    /// Waits until `count` mails were sent; more are a mistake.
    pub fn wait_for_mails(&self, count: usize) {
        let until = Instant::now() + PATIENCE;
        while self.mail_files().len() < count {
            assert!(Instant::now() < until, "{} mails, not {count}", self.mail_files().len());
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(self.mail_files().len(), count);
    }

    /// Waits until no mail waits to be sent; gives the number of sent mails.
    pub fn wait_until_quiet(&self) -> usize {
        let until = Instant::now() + PATIENCE;
        let store = turnpost::store::Store::open_read_only(&self.database()).unwrap();
        while store.waiting_mails().unwrap() > 0 {
            assert!(Instant::now() < until, "{} mails wait", store.waiting_mails().unwrap());
            std::thread::sleep(Duration::from_millis(5));
        }
        self.mail_files().len()
    }

    /// All mails that were ever sent, in order.
    pub fn sent(&self) -> Vec<Mail> {
        self.mail_files().iter().map(|file| read_file(file)).collect()
    }

    /// The same, the newest first, each read when it is asked for.
    pub fn newest_first(&self) -> impl Iterator<Item = Mail> {
        self.mail_files().into_iter().rev().map(|file| read_file(&file))
    }

    fn mail_files(&self) -> Vec<PathBuf> {
        let Ok(folder) = std::fs::read_dir(self.data().join("mail")) else { return Vec::new() };
        let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        // Others are being written.
        files.retain(|file| file.extension().is_some_and(|extension| extension == "eml"));
        files.sort();
        files
    }

    /// Panics unless `admin verify` finds everything as it should be.
    pub fn assert_verified(&self) {
        self.run(&["admin", "verify"], b"").ok();
    }
}

fn read_file(file: &Path) -> Mail {
    use mailparse::MailHeaderMap;
    let bytes = std::fs::read(file).unwrap();
    let (headers, _) = mailparse::parse_headers(&bytes).unwrap();
    Mail::read(&headers.get_first_value("To").unwrap(), &bytes)
}

/// Starts a process and gives it all of its input.
pub fn start(mut command: Command, input: &[u8]) -> Child {
    let mut child = command.spawn().unwrap();
    // A process that ends without reading is for the test to judge, not for the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    child
}

/// Waits for the end of a process.
pub fn finish(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
