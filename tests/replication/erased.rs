//! Who is erased is in no file of the database, of Litestream and of its replica, once the host has done what
//! `docs/operations.md` says.

use std::path::{Path, PathBuf};

use crate::litestream::Litestream;
use crate::support::host::Host;
use crate::support::serving::Served;
use crate::support::{files_below, letter};

const ADDRESS: &str = "ann@example.org";

/// The files below a folder that hold the address.
fn holding(folder: &Path) -> Vec<PathBuf> {
    let holds = |bytes: &[u8]| bytes.windows(ADDRESS.len()).any(|bytes| bytes == ADDRESS.as_bytes());
    // What left as files is no part of the database.
    let files = files_below(folder)
        .into_iter()
        .filter(|(path, _)| !path.components().any(|part| part.as_os_str() == "mail"));
    files.filter(|(_, bytes)| holds(bytes)).map(|(path, _)| path).collect()
}

#[test]
fn an_erased_address_is_in_no_file_after_the_lines_of_the_page() {
    let page = include_str!("../../docs/operations.md");
    let (_, lines) = page.split_once("## Erased with Litestream").unwrap();
    let lines: Vec<&str> = lines.lines().filter_map(|line| line.strip_prefix("    ")).take(5).collect();

    let host = Host::with_a_game();
    let served = Served::start(&host, &[]);
    let litestream = Litestream::start(&host);
    let mut client = served.connect();
    for number in 1..20 {
        client.takes(&letter(ADDRESS, "dvonn show 1", "", number));
    }
    host.wait_until_quiet();
    litestream.wait();
    assert!(!holding(&litestream.replica()).is_empty(), "it is packed, and can be read all the same");
    let ran = host.run(&["admin", "erase", "ann", "--yes"], b"");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains(".turnpost.db-litestream, the replica"), "{ran:?}");
    host.wait_until_quiet();

    for line in &lines {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["systemctl", "stop", "litestream"] => litestream.stop(),
            ["systemctl", "start", "litestream"] => litestream.start_again(),
            ["rm", "-r", own] => {
                assert!(own.ends_with("/.turnpost.db-litestream"));
                std::fs::remove_dir_all(litestream.own()).unwrap();
            }
            ["ssh", _, "rm", "-r", ltx] => {
                assert!(ltx.ends_with("/ltx"));
                std::fs::remove_dir_all(litestream.replica().join("ltx")).unwrap();
            }
            // She is called so since the first try.
            ["sudo", "-u", _, "turnpost", "admin", "erase", "eve", "--yes"] => {
                host.run(&["admin", "erase", "deleted-1", "--yes"], b"").ok();
            }
            _ => panic!("{line}"),
        }
    }
    client.takes(&letter("bob@example.net", "dvonn show 1", "", 1));
    litestream.wait();
    assert_eq!(holding(host.data()), Vec::<PathBuf>::new());
    assert_eq!(holding(&litestream.replica()), Vec::<PathBuf>::new());
    let second = Host::new();
    litestream.restore(&second.database());
    second.assert_verified();
    assert_eq!(holding(second.data()), Vec::<PathBuf>::new());
    served.stop();
}
