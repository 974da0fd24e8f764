//! The servers, each with the configuration of its package and our lines from `packaging`.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::world::{add_user, append, run, write};

/// Where the server for players' mail takes it, by LMTP.
const MAILBOXES: &str = "127.0.0.1:24";

/// Turnpost's user, its data directory, and settings with which it sends by the machine's own mail server.
pub fn turnpost(more: &str) {
    add_user("_turnpost", 901, "/var/lib/turnpost");
    write(
        "/var/lib/turnpost/turnpost.toml",
        &format!("address = \"play@example.org\"\noperator = \"you@example.org\"\n{more}\n"),
    );
    run("chown", &["-R", "_turnpost:_turnpost", "/var/lib/turnpost"]);
    run("chmod", &["700", "/var/lib/turnpost"]);
    as_turnpost(&["init"]);
}

/// Sends what a letter caused at once.
pub const SENDS: &str = "[mail]\ntransport = \"smtp\"\nafter_receive = true\n[smtp]\nport = 25\n";

/// Runs the program as Turnpost's user.
pub fn as_turnpost(arguments: &[&str]) -> String {
    let command = format!("/usr/local/bin/turnpost --data /var/lib/turnpost {}", arguments.join(" "));
    run("su", &["-s", "/bin/sh", "_turnpost", "-c", &command])
}

/// `turnpost serve` by Turnpost's user.
pub fn serve() -> Running {
    let command = "exec /usr/local/bin/turnpost --data /var/lib/turnpost serve";
    let running = start("su", &["-s", "/bin/sh", "_turnpost", "-c", command], "/var/log/turnpost.log");
    super::world::wait_for_log("serving ");
    running
}

/// Waits until somebody listens at a port of this machine.
pub fn wait_for(port: u16) {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "nobody listens at {port}\n{}",
            super::world::logs()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A server that ends with the test.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn start(program: &str, arguments: &[&str], log: &str) -> Running {
    let log = std::fs::File::create(log).unwrap();
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap_or_else(|why| panic!("{program}: {why}"));
    Running(child)
}

/// A certificate that nobody signed, and its key.
pub fn certificate(host: &str, key: &str, file: &str) {
    let (subject, names) = (format!("/CN={host}"), format!("subjectAltName=DNS:{host}"));
    run(
        "openssl",
        &[
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", &subject, "-addext",
            &names, "-keyout", key, "-out", file,
        ],
    );
}

/// The password of every mailbox.
pub const MAILBOX_PASSWORD: &str = "the-mailbox-password";

/// Dovecot: a mailbox for whoever mail comes for, read by IMAP, by TLS as well.
pub fn dovecot() -> Running {
    add_user("dovecot", 902, "/nonexistent");
    add_user("dovenull", 903, "/nonexistent");
    add_user("vmail", 904, "/var/vmail");
    std::fs::create_dir_all("/var/vmail").unwrap();
    run("chown", &["vmail:vmail", "/var/vmail"]);
    append("/etc/hosts", "127.0.0.1 imap.example.org\n");
    let (key, certificate_file) = ("/etc/dovecot/key.pem", "/etc/dovecot/certificate.pem");
    certificate("imap.example.org", key, certificate_file);
    write(
        "/etc/dovecot/dovecot.conf",
        &format!(
            "protocols = imap lmtp\n\
         listen = 127.0.0.1\n\
         ssl = yes\n\
         ssl_cert = <{certificate_file}\n\
         ssl_key = <{key}\n\
         disable_plaintext_auth = no\n\
         log_path = /var/log/dovecot.log\n\
         recipient_delimiter = +\n\
         lmtp_save_to_detail_mailbox = no\n\
         mail_location = maildir:~/Maildir\n\
         passdb {{\n  driver = static\n  args = password={MAILBOX_PASSWORD}\n}}\n\
         userdb {{\n  driver = static\n  args = uid=vmail gid=vmail home=/var/vmail/%u allow_all_users=yes\n}}\n\
         service lmtp {{\n  inet_listener lmtp {{\n    address = 127.0.0.1\n    port = 24\n  }}\n}}\n"
        ),
    );
    let running = start("/usr/sbin/dovecot", &["-F"], "/var/log/dovecot.out");
    wait_for(24);
    wait_for(143);
    running
}

/// Postfix on port 25, with Debian's `master.cf` and our lines. `transport` are lines of that map besides.
pub fn postfix(main: &str, master: &str, transport: &str, aliases: &str) {
    add_user("postfix", 905, "/var/spool/postfix");
    add_user("postdrop", 906, "/nonexistent");
    // Debian's services run in a chroot that its start script furnishes.
    let debian = std::fs::read_to_string("/usr/share/postfix/master.cf.dist").unwrap();
    let debian: Vec<String> = debian
        .lines()
        .map(|line| match line.split_whitespace().nth(4) {
            // Its client for LMTP needs nothing there but our socket.
            Some("y" | "-") if !line.starts_with([' ', '#']) && !line.starts_with("lmtp ") => {
                let mut words: Vec<&str> = line.split_whitespace().collect();
                words[4] = "n";
                words.join(" ")
            }
            _ => line.to_owned(),
        })
        .collect();
    write("/etc/postfix/master.cf", &format!("{}\n{master}", debian.join("\n")));
    write(
        "/etc/postfix/main.cf",
        &format!(
            "compatibility_level = 3.6\n\
             myhostname = mail.example.org\n\
             mydestination = example.org, localhost\n\
             inet_interfaces = loopback-only\n\
             inet_protocols = ipv4\n\
             mynetworks = 127.0.0.0/8\n\
             alias_maps = hash:/etc/aliases\n\
             alias_database = hash:/etc/aliases\n\
             maillog_file = /var/log/mail.log\n\
             daemon_directory = /usr/lib/postfix/sbin\n\
             {main}"
        ),
    );
    write("/etc/aliases", &format!("postmaster: root\n{aliases}"));
    write("/etc/postfix/transport", transport);
    let copies = [("main.cf.dist", "main.cf.proto"), ("master.cf.dist", "master.cf.proto")];
    for (from, to) in
        [("dynamicmaps.cf", "dynamicmaps.cf"), ("makedefs.out", "makedefs.out")].iter().chain(&copies)
    {
        std::fs::copy(format!("/usr/share/postfix/{from}"), format!("/etc/postfix/{to}")).unwrap();
    }
    run("newaliases", &[]);
    run("postmap", &["/etc/postfix/transport"]);
    run("postfix", &["set-permissions"]);
    run("postfix", &["start"]);
    wait_for(25);
}

/// Lines of Postfix's transport map that give the players mailboxes.
pub fn to_mailboxes(players: &[&str]) -> String {
    players.iter().map(|player| format!("{player}@example.org lmtp:inet:{MAILBOXES}\n")).collect()
}

/// OpenSMTPD on port 25 with our lines.
pub fn opensmtpd(lines: &str) -> Running {
    add_user("opensmtpd", 907, "/var/lib/opensmtpd/empty");
    add_user("opensmtpq", 908, "/nonexistent");
    std::fs::create_dir_all("/var/lib/opensmtpd/empty").unwrap();
    std::fs::create_dir_all("/var/spool/smtpd").unwrap();
    run("chmod", &["711", "/var/spool/smtpd"]);
    write("/etc/mail/aliases", "root: postmaster\n");
    write("/etc/mailname", "mail.example.org\n");
    write(
        "/etc/smtpd.conf",
        &format!(
            "listen on 127.0.0.1 port 25\n\
             action \"players\" lmtp \"{MAILBOXES}\" rcpt-to virtual {{ \"@\" = vmail }}\n\
             {lines}\n\
             match from any for domain \"example.org\" action \"players\"\n"
        ),
    );
    let running = start("/usr/sbin/smtpd", &["-d"], "/var/log/mail.log");
    wait_for(25);
    running
}

/// Exim on port 25 with our lines.
pub fn exim(router: &str, transport: &str) -> Running {
    add_user("Debian-exim", 909, "/var/spool/exim4");
    for folder in ["/var/spool/exim4", "/var/log/exim4"] {
        std::fs::create_dir_all(folder).unwrap();
        run("chown", &["-R", "Debian-exim:Debian-exim", folder]);
    }
    write(
        "/etc/exim4/exim4.conf",
        &format!(
            "primary_hostname = mail.example.org\n\
             domainlist local_domains = example.org\n\
             local_interfaces = 127.0.0.1\n\
             acl_smtp_rcpt = accept\n\
             begin acl\naccept:\n  accept\n\
             begin routers\n{router}\n\
             players:\n  driver = accept\n  domains = +local_domains\n  transport = mailboxes\n\
             begin transports\n{transport}\n\
             mailboxes:\n  driver = smtp\n  protocol = lmtp\n  hosts = 127.0.0.1\n  hosts_override\n  port = 24\n  \
             allow_localhost\n  rcpt_include_affixes\n"
        ),
    );
    append("/etc/mailname", "mail.example.org\n");
    let running = start("/usr/sbin/exim4", &["-bdf", "-q1m"], "/var/log/exim4/out");
    wait_for(25);
    running
}

/// getmail, started over and over by Turnpost's user as cron would.
pub fn getmail(settings: &str) -> Running {
    write("/var/lib/turnpost/getmail/getmailrc", settings);
    run("chown", &["-R", "_turnpost:_turnpost", "/var/lib/turnpost/getmail"]);
    let rounds = "while :; do getmail --quiet --getmaildir /var/lib/turnpost/getmail; sleep 0.1; done";
    start("su", &["-s", "/bin/sh", "_turnpost", "-c", rounds], "/var/log/getmail.log")
}

/// fetchmail, started over and over by Turnpost's user as cron would. It asks whether the certificate is the server's.
pub fn fetchmail(settings: &str) -> Running {
    const FILE: &str = "/var/lib/turnpost/fetchmailrc";
    write(FILE, settings);
    run("chown", &["_turnpost:_turnpost", FILE]);
    run("chmod", &["600", FILE]);
    let rounds = format!(
        "export SSL_CERT_FILE=/etc/dovecot/certificate.pem; \
         while :; do fetchmail --silent --fetchmailrc {FILE}; sleep 0.1; done"
    );
    start("su", &["-s", "/bin/sh", "_turnpost", "-c", &rounds], "/var/log/fetchmail.log")
}
