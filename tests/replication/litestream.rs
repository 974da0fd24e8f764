//! Litestream as a process, with a folder for its replica.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use tempfile::TempDir;

use crate::support::host::Host;
use crate::support::serving::wait_until;
use crate::world;

pub struct Litestream {
    folder: TempDir,
    database: PathBuf,
    child: Mutex<Child>,
}

impl Litestream {
    /// Follows the database of a host, and looks at it every second.
    pub fn start(host: &Host) -> Litestream {
        let (folder, database) = (tempfile::tempdir().unwrap(), host.database());
        let config = format!(
            "dbs:\n  - path: {}\n    replica:\n      type: file\n      path: {}\n      sync-interval: 1s\n",
            database.display(),
            folder.path().join("replica").display()
        );
        std::fs::write(folder.path().join("litestream.yml"), config).unwrap();
        let child = Mutex::new(replicate(folder.path()));
        Litestream { folder, database, child }
    }

    /// The same replica once more, after it was stopped.
    pub fn start_again(&self) {
        *self.child.lock().unwrap() = replicate(self.folder.path());
    }

    pub fn replica(&self) -> PathBuf {
        self.folder.path().join("replica")
    }

    /// The folder beside the database.
    pub fn own(&self) -> PathBuf {
        self.database.with_file_name(".turnpost.db-litestream")
    }

    /// Waits until the replica holds what was written until now.
    pub fn wait(&self) {
        let newest = |folder: &Path| {
            let files = std::fs::read_dir(folder.join("ltx/0")).into_iter().flatten().flatten();
            files.map(|file| file.file_name()).max()
        };
        // It looks every second, and copies what it has found.
        std::thread::sleep(std::time::Duration::from_millis(2500));
        wait_until("a replica", || {
            newest(&self.own()).is_some_and(|newest_read| newest(&self.replica()) >= Some(newest_read))
        });
    }

    pub fn kill(&self) {
        let mut child = self.child.lock().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// As a service manager stops it.
    pub fn stop(&self) {
        let mut child = self.child.lock().unwrap();
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        child.wait().unwrap();
    }

    /// Makes a database of the replica.
    pub fn restore(&self, to: &Path) {
        let from = format!("file://{}", self.replica().display());
        let ran =
            Command::new(program()).args(["restore", "-o", to.to_str().unwrap(), &from]).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
}

impl Drop for Litestream {
    fn drop(&mut self) {
        // A test that failed leaves nothing running.
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn replicate(folder: &Path) -> Child {
    let log = std::fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
    let config = folder.join("litestream.yml");
    Command::new(program())
        .args(["replicate", "-config", config.to_str().unwrap()])
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

fn program() -> PathBuf {
    world::folder("litestream").join("usr/bin/litestream")
}
