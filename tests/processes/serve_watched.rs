//! What `turnpost serve` tells those who watch over it: log, pages, systemd.

use std::os::unix::net::UnixDatagram;
use std::time::{Duration, Instant};

use crate::support::host::Host;
use crate::support::serving::{PATIENCE, Served, wait_until};
use crate::support::{ADDRESS, ANN, letter};

/// Waits until a page shows a line.
fn wait_for_metric(served: &Served, line: &str) {
    let until = Instant::now() + PATIENCE;
    loop {
        let (_, page) = served.page("/metrics");
        if page.lines().any(|found| found == line) {
            return;
        }
        assert!(Instant::now() < until, "no {line:?} in\n{page}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn pages() {
    let host = Host::with_players();
    let served = Served::start(&host, &[("TURNPOST_SERVE_HTTP", "127.0.0.1:0")]);
    assert_eq!(served.page("/healthz"), ("HTTP/1.1 200 OK".to_owned(), "ok\n".to_owned()));
    assert_eq!(served.page("/").0, "HTTP/1.1 404 Not Found");
    let mut client = served.connect();
    host.run(&["submit"], format!("dvonn event new cup ann {ANN}").as_bytes()).ok();
    let mail = letter("ann@example.org", &format!("games ann {ANN}"), "", 1);
    client.takes(&mail);
    client.takes(&mail);
    client.mail("", &[ADDRESS], &letter("ann@example.org", "help", "", 2));
    for line in [
        "turnpost_letters_total{outcome=\"acted\"} 1",
        "turnpost_letters_total{outcome=\"again\"} 1",
        "turnpost_letters_total{outcome=\"aside\"} 1",
        "turnpost_letters_total{outcome=\"later\"} 0",
        "turnpost_commits_total 2",
        "turnpost_ignored_total{reason=\"null_sender\"} 1",
        "turnpost_letter_seconds_count 3",
        "turnpost_mail_seconds_bucket{le=\"+Inf\"} 1",
        "turnpost_outbox_oldest_seconds 0",
        "turnpost_connections 1",
        "turnpost_mails_total{outcome=\"sent\"} 1",
        "turnpost_mails_total{outcome=\"failed\"} 0",
        "turnpost_outbox_waiting 0",
        "turnpost_ticks_total 1",
        "turnpost_contests{state=\"open\"} 1",
        "turnpost_contests{state=\"closed\"} 0",
    ] {
        wait_for_metric(&served, line);
    }
    let (_, page) = served.page("/metrics");
    for line in page.lines() {
        let words = line.strip_prefix("# HELP ").or(line.strip_prefix("# TYPE ")).unwrap_or(line);
        let value = words.split_once(' ').unwrap().1;
        assert!(words.starts_with("turnpost_") || words.starts_with("process_"), "{line}");
        assert!(line.starts_with("# ") || value.parse::<f64>().is_ok(), "{line}");
    }
    // Whatever else is said there.
    for (said, answer) in [
        ("POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 "),
        ("nonsense\r\n\r\n", "HTTP/1.1 400 "),
        ("GET /healthz HTTP/1.0\n\n", "HTTP/1.0 200 "),
    ] {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(served.http.unwrap()).unwrap();
        stream.write_all(said.as_bytes()).unwrap();
        let mut heard = String::new();
        stream.read_to_string(&mut heard).unwrap();
        assert!(heard.starts_with(answer), "{said:?}: {heard}");
    }
    served.stop();
}

#[test]
fn a_database_that_cannot_be_read_is_no_health() {
    let host = Host::with_players();
    let served = Served::start(
        &host,
        &[
            ("TURNPOST_SERVE_HTTP", "127.0.0.1:0"),
            ("TURNPOST_SERVE_WORKER", "false"),
            ("TURNPOST_SERVE_TIMER", "false"),
            ("TURNPOST_BUSY_SECONDS", "0"),
        ],
    );
    assert_eq!(served.page("/healthz").0, "HTTP/1.1 200 OK");
    let thief = rusqlite::Connection::open(host.database()).unwrap();
    thief.execute_batch("ALTER TABLE outbox RENAME TO outbox_of_another").unwrap();
    let (status, body) = served.page("/healthz");
    assert_eq!(status, "HTTP/1.1 503 Service Unavailable");
    assert!(body.contains("database"), "{body}");
    served.stop();
}

#[test]
fn nothing_in_the_log_is_secret() {
    let host = Host::with_players();
    let token = "b1.abcdefghijklmnopqrstuvwxyz";
    for style in ["text", "json"] {
        let served = Served::start(&host, &[("TURNPOST_SERVE_LOG", style), ("RUST_LOG", "trace")]);
        let mut client = served.connect();
        let to = format!("play+{token}@turnpost.example");
        let subject = "a subject with bobs password dunlin-7";
        let wrong = letter("ann@example.org", "games ann plover-43", "", 1);
        for mail in [
            letter("ann@example.org", &format!("games ann {ANN}"), "", 2),
            letter("eve@example.org", subject, "change bob dunlin-7 -password=stint-99", 3),
            wrong,
        ] {
            client.mail("ann@example.org", &[ADDRESS, &to], &mail);
        }
        client.mail("", &[&to], &letter("bounce@example.org", subject, "", 4));
        host.wait_until_quiet();
        let log = served.stop();
        for secret in [ANN, "plover-43", "dunlin-7", "stint-99", token, "a subject", "games ann"] {
            assert!(!log.contains(secret), "{secret} in:\n{log}");
        }
        for line in log.lines() {
            match style {
                "json" => {
                    let line: serde_json::Value = serde_json::from_str(line).unwrap();
                    assert!(line["level"].is_string() && line["message"].is_string(), "{line}");
                }
                _ => assert!(line.contains(" INFO ") || line.contains(" WARN ") || line.contains(" ERROR ")),
            }
        }
        assert!(log.contains("<ann.2@example.org>"), "{log}");
    }
}

#[test]
fn systemd_is_told() {
    let host = Host::with_players();
    let path = host.data().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let served = Served::start(&host, &[("NOTIFY_SOCKET", path.to_str().unwrap())]);
    let heard = || {
        let mut message = [0; 200];
        let length = socket.recv(&mut message).unwrap();
        String::from_utf8_lossy(&message[..length]).trim().to_owned()
    };
    assert_eq!(heard(), "READY=1");
    served.stop();
    assert_eq!(heard(), "STOPPING=1");
}

#[test]
fn a_hangup_reads_settings_and_templates_again_and_keeps_the_old_where_they_are_wrong() {
    let host = Host::with_a_game();
    let (file, templates) = (host.data().join("turnpost.toml"), host.data().join("templates"));
    let settings = |more: &str| {
        let places = format!("templates = {templates:?}\n{more}\n[web]\nlisten = '127.0.0.1:0'\n");
        std::fs::write(&file, format!("address = {ADDRESS:?}\n{places}")).unwrap();
    };
    let footer = |text: &str| std::fs::write(templates.join("footer.md"), text).unwrap();
    std::fs::create_dir(&templates).unwrap();
    footer("of {{ name }}, first");
    settings("name = 'Old'");
    // As systemd starts it; what it starts writes elsewhere.
    let mut command = std::process::Command::new("sh");
    let served = host.command(&["serve"]);
    command.args(["-c", "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec \"$0\" serve"]);
    command
        .arg(served.get_program())
        .envs(served.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("TURNPOST_SERVE_LMTP", "127.0.0.1:0").stderr(std::process::Stdio::piped());
    let served = Served::of(command);
    let mut client = served.connect();
    let mut number = 0;
    let mut says = |folder: &str, words: &str| {
        number += 1;
        client.takes(&letter("ann@example.org", "dvonn show 1", "", number));
        wait_until(words, || {
            // The server makes the folder with its first mail, and writes each under another name first.
            let files = std::fs::read_dir(host.data().join(folder)).into_iter().flatten().flatten();
            let mut mails = files.filter_map(|file| std::fs::read(file.path()).ok());
            mails.any(|mail| String::from_utf8_lossy(&mail).contains(words))
        });
        assert!(crate::support::pages::get(served.web.unwrap(), "/").text().contains(&words[3..6]));
    };
    says("mail", "of Old, first");
    footer("of {{ name }}, second");
    says("mail", "of Old, first");
    let elsewhere = host.data().join("elsewhere");
    settings(&format!("name = 'New'\n[robot]\nenabled = false\n[directory]\npath = {elsewhere:?}"));
    served.signal("HUP");
    served.wait_for("`robot.enabled` keeps its old value until");
    served.wait_for("settings and templates were read again");
    says("elsewhere", "of New, second");
    let right = std::fs::read_to_string(&file).unwrap();
    let stays = || {
        served.signal("HUP");
        served.wait_for("settings and templates stay as they were: ")
    };
    footer("of {{ nothing }}");
    assert!(stays().ends_with("footer.md, line 1: undefined value"));
    footer("of {{ name }}, third");
    settings("name = ");
    assert!(stays().contains("turnpost.toml"));
    std::fs::remove_file(&file).unwrap();
    assert!(stays().contains("turnpost.toml"));
    for signal in ["USR1", "USR2", "ALRM", "VTALRM", "PROF", "IO", "PIPE", "WINCH"] {
        served.signal(signal);
    }
    says("elsewhere", "of New, second");
    std::fs::write(&file, right).unwrap();
    served.signal("HUP");
    served.wait_for("read again");
    says("elsewhere", "of New, third");
    let log = served.stop();
    assert!(
        log.lines().all(|line| ["<3>", "<4>", "<6>"].iter().any(|level| line.starts_with(level))),
        "{log}"
    );
    assert!(
        log.contains(
            "\n<6>letter acted on connection=1 letter=\"<ann.1@example.org>\" player=\"ann\" board=\"1\""
        ),
        "{log}"
    );
    assert!(log.contains("\n<4>SIGUSR1 means nothing"), "{log}");
}

#[test]
fn without_settings_it_says_what_it_does_and_does_it() {
    let host = Host::with_players();
    let served = Served::start(&host, &[("TURNPOST_SERVE_LMTP", "")]);
    let sentence = served.log();
    for part in ["no LMTP", "mail goes to files in ", "clocks every 60 s", "no /healthz and /metrics"] {
        assert!(sentence.contains(part), "{sentence}");
    }
    let before = host.wait_until_quiet();
    // Mail that another process wrote leaves without being asked for.
    let mut submit = host.command(&["submit", "dvonn", "challenge", "ann", "bob"]);
    submit.env("TURNPOST_MAIL_AFTER_SUBMIT", "false");
    crate::support::host::finish(crate::support::host::start(submit, b"")).ok();
    host.wait_for_mails(before + 2);
    served.stop();
}

#[test]
fn it_does_not_start_where_it_cannot_serve() {
    let host = Host::with_players();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (lmtp, why) in [
        (taken.as_str(), "listening at "),
        ("0.0.0.0:2400", "open to other machines"),
        ("unix:relative", "from the root"),
        ("unix:/nowhere/lmtp", "listening at unix:/nowhere/lmtp"),
    ] {
        let mut command = host.command(&["serve"]);
        command.env("TURNPOST_SERVE_LMTP", lmtp);
        let ran = crate::support::host::finish(crate::support::host::start(command, b""));
        assert_eq!(ran.code, Some(1));
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}

/// The words of a text that name a metric of ours.
fn metrics_in(text: &str) -> std::collections::BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words
        .filter(|word| word.starts_with("turnpost_") || word.starts_with("process_"))
        .map(str::to_owned)
        .collect()
}

/// Every metric that the dashboard and the alerts look at exists, and the dashboard looks at nearly all there are.
#[test]
fn dashboard_and_alerts_name_metrics_that_are_there() {
    let host = Host::with_players();
    host.receive(&letter("eve@example.com", "signup eve", "", 1)).assert_silent(0);
    host.run(&["tick"], b"").ok();
    host.run(&["submit", "dvonn", "challenge", "ann", "bob"], b"").ok();
    let copies = host.data().join("copies").display().to_string();
    host.run(&["admin", "backup", "--keep", "1", &copies], b"").ok();
    let replica = host.data().join("replica");
    std::fs::create_dir_all(replica.join("ltx/0")).unwrap();
    std::fs::write(replica.join("ltx/0/1.ltx"), "x").unwrap();
    let variables = [
        ("TURNPOST_SERVE_HTTP", "127.0.0.1:0"),
        ("TURNPOST_WEB_LISTEN", "127.0.0.1:0"),
        ("TURNPOST_KEEP_BACKUPS", copies.as_str()),
        ("TURNPOST_KEEP_REPLICA", "litestream"),
        ("TURNPOST_KEEP_REPLICA_FOLDER", replica.to_str().unwrap()),
    ];
    let served = Served::start(&host, &variables);
    wait_for_metric(&served, "turnpost_ticks_total 1");
    crate::support::pages::get(served.web.unwrap(), "/nowhere");
    let (_, page) = served.page("/metrics");
    served.stop();
    for line in [
        r#"turnpost_web_requests_total{status="4xx"} 1"#,
        r#"turnpost_players{state="active"} 2"#,
        r#"turnpost_players{state="unconfirmed"} 1"#,
        r#"turnpost_boards{state="running"} 1"#,
        r#"turnpost_robot_queue{state="turn"} 0"#,
        r#"turnpost_robot_queue{state="analysis"} 0"#,
    ] {
        assert!(page.lines().any(|found| found == line), "no {line} in {page}");
    }
    let database = format!("database=\"{}\"}} 1", turnpost::store::LATEST);
    assert!(page.lines().any(|line| line.starts_with("turnpost_build_info{") && line.ends_with(&database)));
    let mut known = std::collections::BTreeSet::new();
    for line in page.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let (name, kind) = line.split_once(' ').unwrap();
        let endings: &[&str] = if kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
        known.extend(endings.iter().map(|ending| format!("{name}{ending}")));
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (dashboard, alerts) = (read("grafana.json"), read("alerts.yml"));
    let dashboard: serde_json::Value = serde_json::from_str(&dashboard).unwrap();
    let of_dashboard = metrics_in(&dashboard["panels"].to_string());
    let rules: Vec<&str> = alerts.lines().filter(|line| line.trim_start().starts_with("expr: ")).collect();
    let of_alerts = metrics_in(&rules.join("\n"));
    assert!(of_dashboard.len() > 10 && of_alerts.len() > 5, "{of_dashboard:?} {of_alerts:?}");
    for name in of_dashboard.union(&of_alerts) {
        assert!(known.contains(name), "{name} is not in\n{page}");
    }
    let unseen: Vec<&String> =
        known.iter().filter(|name| !name.ends_with("_sum") && !of_dashboard.contains(*name)).collect();
    assert_eq!(unseen, ["turnpost_mail_seconds_count", "turnpost_ticks_total"]);
    // A rule is a name, a condition, a weight and a sentence.
    let count = |word: &str| alerts.lines().filter(|line| line.trim_start().starts_with(word)).count();
    let rules = count("- alert: ");
    assert_eq!([count("expr: "), count("severity: "), count("summary: ")], [rules; 3]);
}
