//! `turnpost doctor`: what it finds, and that it changes nothing.

use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use simple_dns::rdata::{A, MX, RData, TXT};
use simple_dns::{CLASS, Name, Packet, PacketFlag, QTYPE, RCODE, ResourceRecord, TYPE};

use crate::support::host::{Host, Ran, finish, start};
use crate::support::serving::Served;
use crate::support::sink::{Fault, Sink, Stage, Taken};
use crate::support::{files_below, letter};

/// The DNS server of a test: a name, a kind and what it holds.
struct Zone {
    address: SocketAddr,
}

impl Zone {
    /// Answers on a port of UDP; what is too long for a datagram, on the same port of TCP.
    fn serve(records: &'static [(&'static str, TYPE, &'static str)]) -> Zone {
        let (udp, tcp) = loop {
            let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
            if let Ok(tcp) = TcpListener::bind(udp.local_addr().unwrap()) {
                break (udp, tcp);
            }
        };
        let address = udp.local_addr().unwrap();
        std::thread::spawn(move || {
            let mut query = [0; 512];
            while let Ok((length, from)) = udp.recv_from(&mut query) {
                let answer = answer(&query[..length], records, 512);
                let _ = udp.send_to(&answer, from);
            }
        });
        std::thread::spawn(move || {
            use std::io::{Read, Write};
            for stream in tcp.incoming() {
                let mut stream = stream.unwrap();
                let mut length = [0; 2];
                stream.read_exact(&mut length).unwrap();
                let mut query = vec![0; u16::from_be_bytes(length).into()];
                stream.read_exact(&mut query).unwrap();
                let answer = answer(&query, records, usize::MAX);
                stream.write_all(&(answer.len() as u16).to_be_bytes()).unwrap();
                stream.write_all(&answer).unwrap();
            }
        });
        Zone { address }
    }
}

fn answer(query: &[u8], records: &[(&str, TYPE, &str)], room: usize) -> Vec<u8> {
    let query = Packet::parse(query).unwrap();
    let question = &query.questions[0];
    let name = question.qname.to_string();
    let mut reply = Packet::new_reply(query.id());
    reply.questions.push(question.clone());
    if !records.iter().any(|(known, _, _)| *known == name) {
        *reply.rcode_mut() = RCODE::NameError;
    }
    for (known, kind, text) in records {
        if *known == name && question.qtype == QTYPE::TYPE(*kind) {
            let data = match kind {
                TYPE::MX => RData::MX(MX { preference: 10, exchange: Name::new_unchecked(text) }),
                TYPE::A => RData::A(A { address: 0x7f00_0001 }),
                _ => {
                    let mut pieces = TXT::new();
                    for piece in text.as_bytes().chunks(255) {
                        pieces.add_string(std::str::from_utf8(piece).unwrap()).unwrap();
                    }
                    RData::TXT(pieces)
                }
            };
            let name = Name::new_unchecked(known);
            reply.answers.push(ResourceRecord::new(name, CLASS::IN, 60, data));
        }
    }
    let bytes = reply.build_bytes_vec().unwrap();
    if bytes.len() <= room {
        return bytes;
    }
    reply.answers.clear();
    reply.set_flags(PacketFlag::TRUNCATION);
    reply.build_bytes_vec().unwrap()
}

const WELL: &[(&str, TYPE, &str)] = &[
    ("turnpost.example", TYPE::MX, "mx.turnpost.example"),
    ("turnpost.example", TYPE::TXT, "site-verification=1"),
    ("turnpost.example", TYPE::TXT, "v=spf1 mx -all"),
    ("_dmarc.turnpost.example", TYPE::TXT, "v=DMARC1; p=none"),
];

/// A host whose server can have worked: it has a database, and its clocks have run.
fn host() -> Host {
    let host = Host::new();
    host.run(&["submit", "help"], b"").ok();
    host.run(&["tick"], b"").ok();
    host
}

fn doctor(host: &Host, zone: &Zone, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    let resolver = zone.address.to_string();
    let mut command = host.command(&["doctor", "--resolver", &resolver]);
    command.args(arguments).envs(variables.iter().copied());
    finish(start(command, b""))
}

/// The state of what it says about something, and what it says.
fn found(ran: &Ran, about: &str) -> Vec<(String, String)> {
    let Ok(Value::Array(findings)) = serde_json::from_str(&ran.out) else { panic!("{ran:?}") };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of = findings.iter().filter(|finding| finding["about"] == about);
    of.map(|finding| (text(&finding["state"]), text(&finding["says"]))).collect()
}

fn assert_finds(ran: &Ran, about: &str, state: &str, says: &str) {
    let found = found(ran, about);
    assert!(
        found.iter().any(|(is, text)| is == state && text.contains(says)),
        "{about}: {found:?}\n{}",
        ran.out
    );
    assert_eq!(ran.code, Some(i32::from(ran.out.contains("\"state\": \"error\""))), "{}", ran.out);
}

#[test]
fn a_server_that_is_well_has_a_line_for_each_part_and_stays_as_it_is() {
    let (host, zone) = (host(), Zone::serve(WELL));
    let config = host.data().join("turnpost.toml");
    std::fs::write(&config, "address = 'play@turnpost.example'\noperator = 'ann@club.example.net'\n")
        .unwrap();
    // In what SQLite keeps beside the database every reader leaves its marks.
    let files = || {
        let mut files = files_below(host.data());
        files.retain(|(path, _)| !["-shm", "-wal"].iter().any(|end| path.to_str().unwrap().ends_with(end)));
        files
    };
    let before = files();
    let ran = doctor(&host, &zone, &["--json"], &[("TURNPOST_ADDRESS", "play@turnpost.example")]);
    assert!(before == files(), "a file has changed");
    for (about, says) in [
        ("data directory", "no other user can read it"),
        ("disk", "are free"),
        ("configuration", "turnpost.toml can be read"),
        ("templates", "the built-in ones"),
        ("database", "is sound, is of version"),
        ("mail that waits", "none"),
        ("clocks", "ago"),
        ("mail in", "by `turnpost receive`"),
        ("pages", "none: `listen` of [web] is empty"),
        ("replication", "no Litestream"),
        ("MX", "mx.turnpost.example"),
        ("SPF", "v=spf1 mx -all"),
        ("DKIM", "left to the mail server"),
        ("DMARC", "v=DMARC1; p=none"),
    ] {
        assert_finds(&ran, about, "ok", says);
    }
    assert_finds(&ran, "mail out", "warning", "none leaves this machine");
    assert_eq!(ran.code, Some(0));
    let text = doctor(&host, &zone, &[], &[]).out;
    assert!(text.lines().all(|line| line.chars().count() <= 80 || !line.trim().contains(' ')), "{text}");
}

#[test]
fn what_is_wrong_with_the_settings_is_named() {
    let (host, zone) = (host(), Zone::serve(WELL));
    let doctor = |variables: &[(&str, &str)]| doctor(&host, &zone, &["--json"], variables);
    let ran = doctor(&[("TURNPOST_ADRESS", "play@turnpost.example")]);
    assert_finds(&ran, "environment", "error", "TURNPOST_ADRESS; did you mean TURNPOST_ADDRESS?");
    let ran = doctor(&[("TURNPOST_DKIM_KEY", "/nowhere"), ("TURNPOST_DKIM_SELECTOR", "k")]);
    assert_finds(&ran, "configuration", "error", "/nowhere");
    let ran = doctor(&[("TURNPOST_ADDRESS", "play@localhost")]);
    assert_finds(&ran, "configuration", "warning", "`address` is play@localhost");
    std::fs::write(host.data().join("turnpost.toml"), "[serve]\nlog = 'text'\nlmpt = ''\n").unwrap();
    let ran = doctor(&[]);
    assert_finds(&ran, "configuration", "error", "line 3: there is no setting `serve.lmpt`");
    assert_finds(&ran, "configuration", "error", "did you mean `serve.lmtp`?");
}

#[test]
fn the_file_that_decides_dice_is_read() {
    let (host, zone) = (host(), Zone::serve(WELL));
    let key = host.data().join("dice.key");
    std::fs::write(&key, [7; 32]).unwrap();
    assert_finds(&doctor(&host, &zone, &["--json"], &[]), "dice", "ok", "dice.key decides them");
    std::fs::write(&key, [7; 31]).unwrap();
    assert_finds(&doctor(&host, &zone, &["--json"], &[]), "dice", "error", "a key has 32 octets");
}

#[test]
fn templates_are_parsed_and_rendered() {
    let (host, zone) = (host(), Zone::serve(WELL));
    let folder = host.data().join("texts");
    let named = folder.display().to_string();
    let doctor = || doctor(&host, &zone, &["--json"], &[("TURNPOST_TEMPLATES", &named)]);
    assert_finds(&doctor(), "templates", "error", "No such file or directory");
    std::fs::create_dir_all(folder.join("board")).unwrap();
    assert_finds(&doctor(), "templates", "ok", "can be used");
    for (file, text, state, says) in [
        (
            "fotter.md",
            "x",
            "error",
            "fotter.md: no mail uses a template of this name; did you mean footer.md?",
        ),
        ("footer.md", "{{ name", "error", "footer.md, line 1: syntax error"),
        ("footer.md", "{{ nmae }}", "error", "footer.md, line 1: undefined value"),
        ("board/played.md", "{{ v.plyers }}", "error", "board/played.md, line 1: undefined value"),
        (
            "moved.md",
            "{{ reader }}",
            "error",
            "moved.md: invalid operation: the first line must be the Subject",
        ),
        ("show.md", "{{ now|clib }}", "error", "show.md, line 1: unknown filter"),
        ("away.md", "{{ operatr }}", "error", "away.md, line 1: undefined value"),
        (
            "message.txt",
            "Subject: x\n\n{{ m.text | said }}",
            "error",
            "message.txt: mails are made of Markdown now; rename it to message.md, and put it over from line 3 on, which has said",
        ),
    ] {
        std::fs::write(folder.join(file), text).unwrap();
        assert_finds(&doctor(), "templates", state, says);
        std::fs::remove_file(folder.join(file)).unwrap();
    }
}

#[test]
fn a_folder_that_others_read_or_that_is_not_there_is_named() {
    let (host, zone) = (host(), Zone::serve(WELL));
    std::fs::set_permissions(host.data(), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::set_permissions(host.database(), PermissionsExt::from_mode(0o644)).unwrap();
    let ran = doctor(&host, &zone, &["--json"], &[]);
    assert_finds(&ran, "data directory", "warning", "chmod 700");
    assert_finds(&ran, "data directory", "warning", "turnpost.db");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(host.data()), mode(&host.database())), (0o755, 0o644), "it mends nothing");
    let nowhere = host.data().join("nowhere").display().to_string();
    let ran = doctor(&host, &zone, &["--json", "--data", &nowhere], &[]);
    assert_finds(&ran, "data directory", "error", "No such file or directory");
    assert!(!Path::new(&nowhere).exists());
}

#[test]
fn a_flipped_page_is_found_and_a_later_version_is_named() {
    let (host, zone) = (host(), Zone::serve(WELL));
    host.run(&["submit"], include_bytes!("../first-game.txt")).ok();
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let page: u32 = conn
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'players'", [], |row| row.get(0))
        .unwrap();
    drop(conn);
    let page = page as usize;
    let sound = std::fs::read(host.database()).unwrap();
    let mut flipped = sound.clone();
    flipped[(page - 1) * 4096..page * 4096].fill(0x5a);
    std::fs::write(host.database(), &flipped).unwrap();
    let ran = doctor(&host, &zone, &["--json"], &[]);
    let says =
        format!("turnpost.db is damaged: page {page} of the file, where rows of players are, cannot be read");
    assert_finds(&ran, "database", "error", &says);
    assert!(found(&ran, "database").iter().all(|(state, _)| state == "error"), "{}", ran.out);
    assert_finds(&doctor(&host, &zone, &["--json", "--quick"], &[]), "database", "ok", "not read as a whole");

    // Without its head a file is none of SQLite's.
    flipped[..4096].fill(0x5a);
    std::fs::write(host.database(), &flipped).unwrap();
    assert_finds(&doctor(&host, &zone, &["--json"], &[]), "database", "error", "turnpost.db is damaged: ");

    // For SQLite a wrong word in a record is as good as another.
    std::fs::write(host.database(), &sound).unwrap();
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    let moved = conn.execute("UPDATE events SET text = 'E1-D1' WHERE board = 1 AND ply = 1", []).unwrap();
    drop(conn);
    assert_eq!(moved, 1);
    assert_finds(&doctor(&host, &zone, &["--json"], &[]), "database", "error", "is damaged: board 1: ");

    std::fs::write(host.database(), &sound).unwrap();
    let _ = std::fs::remove_file(host.database().with_extension("db-wal"));
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.pragma_update(None, "user_version", 999).unwrap();
    drop(conn);
    assert_finds(&doctor(&host, &zone, &["--json"], &[]), "database", "error", "use a later Turnpost");
}

#[test]
fn mail_that_waits_and_clocks_that_stand_are_told() {
    let (host, zone) = (host(), Zone::serve(WELL));
    let lines = b"signup dora plover-42 dora@example.org\ndvonn event new cup dora plover-42";
    host.run(&["submit"], lines).ok();
    host.delivered();
    host.receive(&letter("eve@example.com", "help", "", 1)).assert_silent(0);
    assert_finds(
        &doctor(&host, &zone, &["--json"], &[]),
        "mail that waits",
        "ok",
        "1 in all, the oldest for ",
    );
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.execute_batch("UPDATE outbox SET created_at = created_at - 7300, due_at = due_at - 7300; UPDATE ticks SET last_at = last_at - 90000; UPDATE contests SET due_at = unixepoch() - 700000").unwrap();
    drop(conn);
    let ran = doctor(&host, &zone, &["--json"], &[]);
    assert_finds(&ran, "mail that waits", "error", "1 in all, the oldest for 2 hours");
    assert_finds(&ran, "clocks", "error", "they ran 25 hours ago");
    assert_finds(&ran, "contest", "warning", "cup has waited for the clocks for over a week");
}

#[test]
fn copies_that_are_old_or_missing_are_told() {
    let (host, zone) = (host(), Zone::serve(WELL));
    let folder = host.data().join("copies");
    let named = folder.display().to_string();
    let doctor = |arguments: &[&str]| doctor(&host, &zone, &[&["--json"], arguments].concat(), &[]);
    assert_finds(&doctor(&[]), "backup", "warning", "not looked for, and nothing else copies the database");
    assert_finds(&doctor(&["--backups", &named]), "backup", "warning", "No such file");
    std::fs::create_dir(&folder).unwrap();
    assert_finds(&doctor(&["--backups", &named]), "backup", "warning", "holds no copy");
    std::fs::write(folder.join("turnpost-20200101T033000Z.db"), "x").unwrap();
    // What a full disk left is none, and what a wrong clock named is not new.
    std::fs::write(folder.join("turnpost-20980101T033000Z.db"), "x").unwrap();
    std::fs::write(folder.join("turnpost-20990101T033000Z.db"), "").unwrap();
    assert_finds(
        &doctor(&["--backups", &named]),
        "backup",
        "error",
        "20980101T033000Z.db is of a time to come",
    );
    host.run(&["admin", "backup", &format!("{named}/by-hand.db")], b"").ok();
    assert_finds(&doctor(&["--backups", &named]), "backup", "ok", " ago");

    let in_settings = [("TURNPOST_KEEP_BACKUPS", named.as_str()), ("TURNPOST_KEEP_REPLICA", "litestream")];
    let ran = crate::doctor::doctor(&host, &zone, &["--json"], &in_settings);
    assert_finds(&ran, "backup", "ok", " ago");
    assert_finds(&ran, "replication", "error", "has replicated nothing yet");
    let read = host.data().join(".turnpost.db-litestream/ltx/0");
    std::fs::create_dir_all(&read).unwrap();
    // `doctor` runs in the moment in which Litestream starts.
    let first = read.join("1.ltx");
    let starts = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        std::fs::write(first, "x").unwrap();
    });
    assert_finds(&doctor(&[]), "replication", "ok", "Litestream has read what was written ");
    starts.join().unwrap();
    let file = std::fs::File::options().write(true).open(read.join("1.ltx")).unwrap();
    let written = file.metadata().unwrap().modified().unwrap();
    // What another machine writes there shows whether it serves.
    let standby = Host::new();
    let as_standby = [in_settings[1], ("TURNPOST_KEEP_REPLICA_FOLDER", read.to_str().unwrap())];
    let looks = |age: u64| {
        file.set_modified(written - Duration::from_secs(age)).unwrap();
        crate::doctor::doctor(&standby, &zone, &["--json"], &as_standby)
    };
    for (age, state, says) in [
        (100, "ok", "the replica has what was written "),
        (240, "warning", "4 minutes ago, and nothing since"),
        (3700, "error", "61 minutes ago, and nothing since"),
    ] {
        let ran = looks(age);
        assert_finds(&ran, "replication", state, says);
        assert_finds(&ran, "mail in", "ok", "this is a second machine");
        assert_finds(&ran, "database", "ok", "this is a second machine");
        assert_finds(&ran, "backup", "ok", "the first machine");
    }
    file.set_modified(written + Duration::from_secs(100_000)).unwrap();
    let ran = crate::doctor::doctor(&standby, &zone, &["--json"], &as_standby);
    assert_finds(&ran, "replication", "error", "has replicated nothing yet");
    looks(3700);
    host.run(&["tick"], b"").ok();
    let served = crate::doctor::doctor(&host, &zone, &["--json"], &as_standby);
    assert_finds(&served, "mail in", "ok", "by `turnpost receive`");
    assert_finds(&served, "replication", "error", "nothing has copied the database for 61 minutes");
    // Nor does another machine's new replica help a machine that serves now.
    host.run(&["admin", "backup", standby.database().to_str().unwrap()], b"").ok();
    assert_finds(&looks(0), "replication", "error", "nothing has copied the database for ");
    file.set_modified(written - Duration::from_secs(240)).unwrap();
    assert_finds(
        &doctor(&[]),
        "replication",
        "error",
        "Litestream has read what was written 4 minutes ago, and nothing since",
    );
}

#[test]
fn the_pages_are_looked_for_where_they_are_to_be() {
    let (host, zone) = (host(), Zone::serve(WELL));
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = other.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut visitor, _) = other.accept().unwrap();
        let _ = visitor.read(&mut [0; 512]);
        visitor.write_all(b"HTTP/1.1 200 OK\r\n\r\nhello").unwrap();
    });
    let listen = ("TURNPOST_WEB_LISTEN", place.as_str());
    let url = ("TURNPOST_WEB_URL", "https://play.turnpost.example");
    let doctor = |variables: &[(&str, &str)]| doctor(&host, &zone, &["--json"], variables);
    assert_finds(&doctor(&[url]), "pages", "error", "mails name https://play.turnpost.example, and `listen`");
    assert_finds(&doctor(&[listen, url]), "pages", "error", "is no Turnpost: HTTP/1.1 200 OK");
    let ran = doctor(&[listen]);
    assert_finds(&ran, "pages", "error", "no server listens at");
    assert_finds(&ran, "pages", "warning", "`url` of [web] is empty");
    let served = Served::start(&host, &[listen]);
    let ran = doctor(&[listen, url]);
    assert_finds(&ran, "pages", "ok", "`serve` shows them at http://127.0.0.1:");
    assert_finds(&ran, "pages", "warning", "`trusted_proxies`");
    served.stop();
}

#[test]
fn the_dns_is_asked_for_what_mail_needs() {
    const ODD: &[(&str, TYPE, &str)] = &[
        ("turnpost.example", TYPE::A, ""),
        ("turnpost.example", TYPE::TXT, "v=spf1 mx -all"),
        ("turnpost.example", TYPE::TXT, "v=spf1 a -all"),
        ("k._domainkey.turnpost.example", TYPE::TXT, "v=DKIM1; p="),
    ];
    let (host, zone) = (host(), Zone::serve(ODD));
    let key = host.data().join("key");
    std::fs::write(&key, "x").unwrap();
    let signs = [("TURNPOST_DKIM_KEY", key.to_str().unwrap()), ("TURNPOST_DKIM_SELECTOR", "k")];
    let ran = doctor(&host, &zone, &["--json"], &signs);
    assert_finds(&ran, "MX", "warning", "turnpost.example has none; mail goes to its address");
    assert_finds(&ran, "SPF", "error", "2 policies, and so none");
    assert_finds(&ran, "DKIM", "error", "k._domainkey.turnpost.example holds no key");
    assert_finds(&ran, "DMARC", "warning", "_dmarc.turnpost.example says nothing");
    assert_finds(&doctor(&host, &Zone::serve(&[]), &["--json"], &[]), "MX", "error", "no mail can come");

    // Longer than a datagram.
    let long: &str = format!("v=DKIM1; k=rsa; p={}", "A".repeat(600)).leak();
    let signed = vec![
        ("turnpost.example", TYPE::MX, "mx.example"),
        ("k._domainkey.turnpost.example", TYPE::TXT, long),
    ];
    let ran = doctor(&host, &Zone::serve(signed.leak()), &["--json"], &signs);
    assert_finds(&ran, "DKIM", "ok", "holds a key");

    // Nobody at all, which costs one patience.
    let nobody = UdpSocket::bind("127.0.0.1:0").unwrap();
    let begun = Instant::now();
    let ran = doctor(&host, &Zone { address: nobody.local_addr().unwrap() }, &["--json"], &[]);
    assert_finds(&ran, "DNS", "warning", "does not answer");
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn the_server_is_looked_for_where_it_is_to_listen() {
    let (host, zone) = (host(), Zone::serve(WELL));
    let socket = format!("unix:{}", host.data().join("lmtp").display());
    let settings = [("TURNPOST_SERVE_LMTP", socket.as_str())];
    assert_finds(&doctor(&host, &zone, &["--json"], &settings), "mail in", "error", "no server listens at");
    let served = Served::start(&host, &settings);
    assert_finds(&doctor(&host, &zone, &["--json"], &settings), "mail in", "ok", "`serve` listens at");
    served.stop();
}

/// Runs `doctor --round-trip`, and gives each mail that it sends to `carry`.
fn round_trip(host: &Host, sink: &Sink, mut carry: impl FnMut(&Taken)) -> Ran {
    let zone = Zone::serve(WELL);
    let resolver = zone.address.to_string();
    host.sends_to(sink.port);
    let mut command = host.command(&["doctor", "--json", "--resolver", &resolver, "--round-trip", "5"]);
    let mut child = command.spawn().unwrap();
    let mut carried = 0;
    while child.try_wait().unwrap().is_none() {
        for taken in sink.taken().iter().skip(carried) {
            carry(taken);
            carried += 1;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(carried, 2);
    finish(child)
}

#[test]
fn mail_that_comes_back_by_a_pipe_is_recognised_and_never_answered() {
    let (host, sink) = (host(), Sink::start());
    let ran = round_trip(&host, &sink, |taken| {
        let recipient = ["receive", "--sender", "play@turnpost.example", "--recipient", &taken.to];
        host.run(&recipient, &taken.mail).assert_silent(0);
    });
    assert_finds(&ran, "mail out", "ok", "answers");
    assert_finds(&ran, "round trip", "ok", "a mail to play@turnpost.example came back");
    assert_finds(&ran, "round trip", "ok", "a mail to play+round-trip@turnpost.example came back");
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(host.log().contains("our own mail came back"), "{}", host.log());
    assert_eq!((sink.taken().len(), host.delivered().len()), (2, 0));
}

#[test]
fn mail_that_comes_back_by_lmtp_is_recognised() {
    let (host, sink) = (host(), Sink::start());
    let served = Served::start(&host, &[]);
    let ran = round_trip(&host, &sink, |taken| {
        let mut client = served.connect();
        assert_eq!(client.mail("play@turnpost.example", &[&taken.to], &taken.mail), ["250 2.0.0 taken\r\n"]);
    });
    served.stop();
    assert!(found(&ran, "round trip").iter().all(|(state, _)| state == "ok"), "{}", ran.out);
}

#[test]
fn an_extension_that_does_not_arrive_is_told_from_mail_that_does_not() {
    let (host, sink) = (host(), Sink::start());
    let ran = round_trip(&host, &sink, |taken| {
        if !taken.to.contains('+') {
            host.run(&["receive", "--recipient", &taken.to], &taken.mail).assert_silent(0);
        }
    });
    assert_finds(&ran, "round trip", "ok", "a mail to play@turnpost.example came back");
    assert_finds(&ran, "round trip", "error", "a mail to play+round-trip@turnpost.example did not come back");
    assert!(ran.out.contains("recipient_delimiter = +"), "{}", ran.out);
}

#[test]
fn an_outgoing_server_that_refuses_is_told() {
    let (host, zone, sink) = (host(), Zone::serve(WELL), Sink::start());
    host.sends_to(sink.port);
    let doctor = |variables: &[(&str, &str)]| doctor(&host, &zone, &["--json"], variables);
    assert_finds(&doctor(&[]), "mail out", "ok", "answers");
    sink.misbehave(Some((Stage::Greeting, Fault::Say(554))));
    assert_finds(&doctor(&[]), "mail out", "error", "554");
    sink.misbehave(None);
    let login = [("TURNPOST_SMTP_USER", "play"), ("TURNPOST_SMTP_PASSWORD", "plover-42")];
    let ran = doctor(&login);
    assert_finds(&ran, "mail out", "error", "port");
    assert!(!ran.out.contains("plover-42"), "{}", ran.out);
    assert!(sink.taken().is_empty(), "it sent a mail");
    let nothing =
        doctor(&[("TURNPOST_MAIL_TRANSPORT", "sendmail"), ("TURNPOST_SENDMAIL_PROGRAM", "/nowhere")]);
    assert_finds(&nothing, "mail out", "error", "/nowhere is no program");
}
