//! Prints the lines for a mail server, with this server's names in place of those of the documentation.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::mail_server::{CHECK, MailServer, SetupStep};
use crate::error::HostError;

/// The names in the lines.
pub(super) struct Server {
    pub program: PathBuf,
    pub data: PathBuf,
    /// The configuration, if the program does not find it by itself.
    pub file: Option<PathBuf>,
    pub user: String,
    pub address: String,
    /// The host names of the first machine and of the one that follows it.
    pub first: String,
    pub second: String,
}

/// All steps, each below a remark; `None`: no mail server was found.
pub(super) fn print(steps: Option<&[SetupStep]>, server: &Server) -> Result<String, HostError> {
    let (local, domain) = server.address.rsplit_once('@').unwrap_or((&server.address, "localhost"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+@".contains(c);
    let names = [&server.address, &server.first, &server.second];
    if let Some(odd) = names.into_iter().find(|name| steps.is_some() && !name.chars().all(is_plain)) {
        return Err(HostError::Asked(format!(
            "{odd} has characters that mail servers read in their own way: write its lines by hand, from docs/mail-servers.md"
        )));
    }
    let (program, data) = (server.program.display().to_string(), server.data.display().to_string());
    let file = server.file.as_ref().map(|file| file.display().to_string());
    let escaped = |text: &str| text.replace('.', "\\.").replace('+', "\\+");
    let with_settings = |between: &str| match &file {
        Some(file) => format!("{data}{between}--config{between}{file}"),
        None => data.clone(),
    };
    let names = [
        ("/usr/local/bin/turnpost", program.as_str()),
        ("--data /var/lib/turnpost", &format!("--data {}", with_settings(" "))),
        // getmail's list of arguments.
        ("\"--data\", \"/var/lib/turnpost\"", &format!("\"--data\", \"{}\"", with_settings("\", \""))),
        ("/var/lib/turnpost", &data),
        ("_turnpost", &server.user),
        ("play@example.org", &server.address),
        ("local_parts = play", &format!("local_parts = {local}")),
        ("\"^play(", &format!("\"^{}(", escaped(local))),
        ("@example\\.org$", &format!("@{}$", escaped(domain))),
        ("imap.example.org", &format!("imap.{domain}")),
        ("smtp.example.org", &format!("smtp.{domain}")),
        ("first.example.org", &server.first),
        ("second.example.org", &server.second),
        ("example.org", domain),
    ];
    let mut text = String::new();
    if steps.is_none() {
        let kinds = MailServer::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let kinds: Vec<String> = kinds.map(|kind| kind.get_name().to_owned()).collect();
        text += &format!(
            "\n# No mail server was found here. `turnpost init --mail-server KIND` prints the lines of {}.\n",
            kinds.join(", ")
        );
    }
    for SetupStep { says, lines } in steps.unwrap_or_default().iter().chain([&CHECK]) {
        text += &format!("\n# {}\n\n{}", fill(says, &names), fill(lines, &names));
    }
    Ok(text)
}

/// Replaces names by others in one pass: a replacement is not replaced again.
pub(super) fn fill(text: &str, names: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        match names.iter().find_map(|(name, with)| Some((rest.strip_prefix(name)?, with))) {
            Some((behind, with)) => {
                filled += with;
                rest = behind;
            }
            None => {
                filled.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
    }
    filled
}

/// Refuses a path with characters that mail servers would read in different ways.
pub(super) fn check_path(path: &Path) -> Result<(), HostError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,@".contains(c);
    match path.to_str().is_some_and(|path| path.chars().all(is_plain)) {
        true => Ok(()),
        false => Err(HostError::Asked(format!(
            "{} has characters that mail servers read in their own way: take a path of letters, figures and ._-",
            path.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::standby::{RETURN, STANDBY, SWITCH};
    use super::*;

    fn tested() -> Server {
        Server {
            program: "/usr/local/bin/turnpost".into(),
            data: "/var/lib/turnpost".into(),
            file: None,
            user: "_turnpost".into(),
            address: "play@example.org".into(),
            first: "first.example.org".into(),
            second: "second.example.org".into(),
        }
    }

    #[test]
    fn the_lines_are_those_that_the_tests_play_by() {
        for &kind in MailServer::value_variants() {
            let printed = print(Some(kind.steps()), &tested()).unwrap();
            for step in kind.steps() {
                assert!(printed.contains(step.lines), "{kind:?}: {}", step.says);
            }
        }
    }

    #[test]
    fn no_name_of_theirs_is_left_for_another_server() {
        let server = Server {
            program: "/opt/t/turnpost".into(),
            data: "/srv/_turnpost/d".into(),
            file: Some("/etc/t.toml".into()),
            user: "games".into(),
            address: "dvonn.club@club.example.net".into(),
            first: "left.example.net".into(),
            second: "right.example.net".into(),
        };
        let second_machine = [RETURN, STANDBY, SWITCH];
        for steps in MailServer::value_variants().iter().map(|kind| kind.steps()).chain(second_machine) {
            let printed = print(Some(steps), &server).unwrap();
            for theirs in [
                "example.org",
                "example\\.org",
                "/var/lib/turnpost",
                "/usr/local",
                "play@",
                "^play",
                " _turnpost",
                "= play",
            ] {
                assert!(!printed.contains(theirs), "{theirs} is kept\n{printed}");
            }
            assert!(
                printed.contains("/opt/t/turnpost --data /srv/_turnpost/d --config /etc/t.toml doctor"),
                "{printed}"
            );
        }
        let exim = print(Some(MailServer::Exim.steps()), &server).unwrap();
        assert!(exim.contains("local_parts = dvonn.club\n") && exim.contains("user = games\n"), "{exim}");
        let opensmtpd = print(Some(MailServer::Opensmtpd.steps()), &server).unwrap();
        assert!(
            opensmtpd.contains(r#"regex "^dvonn\.club(\+[a-z0-9.-]+)?@club\.example\.net$""#),
            "{opensmtpd}"
        );
        let mailbox = print(Some(MailServer::Mailbox.steps()), &server).unwrap();
        assert!(
            mailbox.contains(r#"("--data", "/srv/_turnpost/d", "--config", "/etc/t.toml", "receive")"#),
            "{mailbox}"
        );
    }

    #[test]
    fn what_would_break_a_file_is_refused() {
        for path in ["/srv/my games", "/srv/a\"b", "/srv/a$b", "/srv/a;b", "/srv/a\nb"] {
            assert!(check_path(Path::new(path)).is_err(), "{path}");
        }
        let server = Server { address: "a'b@example.org".into(), ..tested() };
        assert!(print(Some(MailServer::Exim.steps()), &server).is_err());
        assert!(
            print(None, &server).unwrap().contains("--mail-server KIND` prints the lines of postfix-pipe, ")
        );
    }
}
