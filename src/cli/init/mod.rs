//! `turnpost init`: makes the data directory and the configuration of a new server. It prints the lines for its mail server.
//! It changes nothing that exists, so a second call prints the lines again.

/// A file of `packaging`.
macro_rules! packaged {
    ($name:literal) => {
        include_str!(concat!("../../../packaging/", $name))
    };
}

mod lines;
mod mail_server;
mod owner;
mod standby;

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::ExitCode;

use self::lines::Server;
use super::{DataPath, complain, defaults, print};
use crate::config::{Config, FILE};
use crate::data_dir::{self, DATABASE, MARK, User};
use crate::error::HostError;
use crate::mail::clean;
use crate::private_files;

pub(crate) use mail_server::MailServer;

const CONFIGURATION: &str = include_str!("../../../packaging/turnpost.toml");

/// The line of the configuration that `serve` needs for Postfix.
const SERVE_FOR_POSTFIX: &str = include_str!("../../../packaging/postfix/serve.toml");

#[derive(clap::Args)]
pub(super) struct InitArgs {
    /// Where players write to, such as play@example.org; required if there is no configuration yet
    #[arg(long)]
    address: Option<String>,
    /// Who answers for the server; without it, postmaster of the same domain
    #[arg(long, value_name = "ADDRESS")]
    operator: Option<String>,
    /// The mail server whose lines are printed (default: the one on this machine)
    #[arg(long, value_name = "KIND")]
    mail_server: Option<MailServer>,
    /// The user that the server runs as (default: _turnpost if you are the superuser, else you)
    #[arg(long)]
    user: Option<String>,
    /// Print the lines of a second machine, which serves when this one is gone, instead of those of the mail server
    #[arg(long, conflicts_with = "mail_server")]
    standby: bool,
    /// The host name of this machine in these lines; without it, `first` in the domain of the address
    #[arg(long, value_name = "NAME", requires = "standby")]
    first: Option<String>,
    /// The host name of the second machine; without it, `second` in that domain
    #[arg(long, value_name = "NAME", requires = "standby")]
    second: Option<String>,
    /// The second machine serves: print the lines to let the first one follow it and then serve again
    #[arg(long, requires = "standby")]
    back: bool,
}

struct InitAddresses {
    address: String,
    operator: String,
}

pub(super) fn run(place: &DataPath, args: &InitArgs) -> Result<ExitCode, HostError> {
    let owner = owner::find(args.user.as_deref())?;
    let is_the_machines = defaults::is_installed() && private_files::user() == 0;
    let data = match is_the_machines && place.data == Path::new(defaults::HERE) {
        true => Path::new(defaults::DATA),
        false => &place.data,
    };
    let data = std::path::absolute(data).map_err(HostError::at(data))?;
    lines::check_path(&data)?;
    // A file in the data directory is used if the machine has no other.
    let of_the_machine = defaults::settings(&data).filter(|file| file.exists() || !data.join(FILE).exists());
    let file = place.config.clone().or(of_the_machine).unwrap_or_else(|| data.join(FILE));
    let file = std::path::absolute(&file).map_err(HostError::at(&file))?;
    lines::check_path(&file)?;

    let configured = match file.exists() {
        true => Some(Config::load(&data, Some(&file), &BTreeMap::new())?),
        false => None,
    };
    let InitAddresses { address, operator } = match &configured {
        Some(config) => InitAddresses { address: config.address.clone(), operator: config.operator.clone() },
        None => addresses(args)?,
    };
    // A second machine gets the database of the first.
    let is_second = configured.as_ref().is_some_and(|config| !config.keep.replica_folder.is_empty());
    let kind = args.mail_server.or_else(MailServer::of_this_machine);

    say(&make_directory(&data, &owner)?)?;
    match configured {
        Some(_) => {
            say(&format!(
                "{} is there already and stays as it is: the address is {address}",
                file.display()
            ))?;
        }
        None => {
            write_configuration(
                &file,
                &data,
                &owner,
                &configuration(&address, &operator, &data, &file, kind),
            )?;
            say(&format!("wrote {}", file.display()))?;
        }
    }
    if !is_second || data.join(DATABASE).exists() {
        let config = Config::load(&data, Some(&file), &place.variables())?;
        let changes = data_dir::set_up(&data, &config)?;
        let database = data.join(DATABASE);
        let made = private_files::of_database(&database).chain([data.join(MARK)]);
        for file in made.filter(|file| file.exists()) {
            chown(&file, Some(owner.uid), Some(owner.gid)).map_err(HostError::at(&file))?;
        }
        changes.iter().try_for_each(|change| say(change))?;
    }
    let program = std::env::current_exe().map_err(|why| HostError::Io("this program".to_owned(), why))?;
    lines::check_path(&program)?;
    let is_found = data.join(FILE) == file || defaults::settings(&data).as_ref() == Some(&file);
    let domain = address.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
    let mut first = args.first.clone().unwrap_or_else(|| format!("first.{domain}"));
    let mut second = args.second.clone().unwrap_or_else(|| format!("second.{domain}"));
    let steps = match kind {
        _ if args.back => {
            std::mem::swap(&mut first, &mut second);
            Some([standby::RETURN, standby::STANDBY, standby::SWITCH].concat())
        }
        _ if args.standby => Some(standby::STANDBY.to_vec()),
        kind => kind.map(|kind| kind.steps().to_vec()),
    };
    let file = (!is_found).then_some(file);
    let server = Server { program, data, file, user: owner.name, address, first, second };
    print(lines::print(steps.as_deref(), &server)?.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

fn addresses(args: &InitArgs) -> Result<InitAddresses, HostError> {
    let mail_address = |text: &str| {
        let wrong = || format!("a mail address such as play@example.org is expected, and {text:?} is none");
        clean::address(text).ok_or_else(|| HostError::Asked(wrong()))
    };
    let missing = || {
        let says = "which address do players write to? Name it, such as --address play@example.org";
        HostError::Asked(says.to_owned())
    };
    let address = mail_address(args.address.as_deref().ok_or_else(missing)?)?;
    let domain = address.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
    let postmaster = format!("postmaster@{domain}");
    let operator = mail_address(args.operator.as_deref().unwrap_or(&postmaster))?;
    Ok(InitAddresses { address, operator })
}

/// Makes the directory if it is missing; returns a sentence about it.
fn make_directory(data: &Path, owner: &User) -> Result<String, HostError> {
    let shown = data.display();
    match std::fs::metadata(data) {
        Ok(found) if !found.is_dir() => Err(HostError::Asked(format!("{shown} is no folder"))),
        Ok(found) if found.uid() != owner.uid => {
            let of = data_dir::name_of(found.uid());
            Err(HostError::Asked(format!(
                "{shown} belongs to {of}, not to {}: name {of} by --user, or another folder by --data",
                owner.name
            )))
        }
        Ok(_) => {
            if let Some(warning) = data_dir::open_to_others(data) {
                complain(&warning);
            }
            Ok(format!("{shown} is there already"))
        }
        Err(_) => {
            private_files::create_folder(data).map_err(HostError::at(data))?;
            // Only the directory itself: the folders above may belong to others.
            chown(data, Some(owner.uid), Some(owner.gid)).map_err(HostError::at(data))?;
            Ok(format!("made {shown}, which belongs to {} and no other user can read", owner.name))
        }
    }
}

/// The configuration of the package's documentation, for this server.
fn configuration(
    address: &str,
    operator: &str,
    data: &Path,
    file: &Path,
    kind: Option<MailServer>,
) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let (sends, lmtp) = match kind {
        Some(MailServer::PostfixLmtp) => {
            (true, SERVE_FOR_POSTFIX.lines().find(|line| line.starts_with("lmtp")))
        }
        Some(MailServer::Mailbox) => (false, Some("lmtp = \"\"")),
        Some(_) => (true, Some("lmtp = \"\"")),
        // Keep the socket file of the package's unit.
        None if data == Path::new(defaults::DATA) => (false, None),
        None => (false, Some("lmtp = \"\"")),
    };
    let line = |line: &str| match line.split_once(" = ") {
        Some(("address", _)) => format!("address = {}", quoted(address)),
        Some(("operator", _)) => format!("operator = {}", quoted(operator)),
        Some(("transport", _)) if sends => "transport = \"smtp\"".to_owned(),
        Some(("lmtp", _)) => lmtp.unwrap_or(line).to_owned(),
        _ => lines::fill(
            line,
            &[
                (defaults::SETTINGS, &file.display().to_string()),
                (defaults::DATA, &data.display().to_string()),
            ],
        ),
    };
    CONFIGURATION.lines().map(|text| line(text) + "\n").collect()
}

/// Writes the configuration so that only the server can read it, since it may hold a password. Outside the data
/// directory it belongs to the superuser.
fn write_configuration(file: &Path, data: &Path, owner: &User, text: &str) -> Result<(), HostError> {
    let is_apart = !file.starts_with(data);
    if let Some(folder) = file.parent().filter(|folder| is_apart && !folder.exists()) {
        std::fs::create_dir_all(folder).map_err(HostError::at(folder))?;
        std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).map_err(HostError::at(folder))?;
    }
    let mut made = private_files::create_new(file).map_err(HostError::at(file))?;
    made.write_all(text.as_bytes()).map_err(HostError::at(file))?;
    let (uid, mode) = if is_apart { (private_files::user(), 0o640) } else { (owner.uid, 0o600) };
    chown(file, Some(uid), Some(owner.gid)).map_err(HostError::at(file))?;
    made.set_permissions(PermissionsExt::from_mode(mode)).map_err(HostError::at(file))
}

/// Prints a remark among the lines for a mail server.
fn say(line: &str) -> Result<(), HostError> {
    print(&format!("# {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(kind: Option<MailServer>) -> toml::Table {
        let (data, file) = (Path::new("/srv/play"), Path::new("/srv/play/turnpost.toml"));
        let text = configuration("play@club.org", "ann@club.org", data, file, kind);
        assert!(!text.contains("example.org") && !text.contains("/etc/turnpost"), "{text}");
        text.parse().unwrap()
    }

    #[test]
    fn a_configuration_sends_by_the_mail_server_that_was_named() {
        let transport = |kind| written(kind)["mail"]["transport"].as_str().unwrap().to_owned();
        assert_eq!(transport(None), "directory");
        assert_eq!(transport(Some(MailServer::Mailbox)), "directory");
        assert_eq!(transport(Some(MailServer::Exim)), "smtp");
        let table = written(Some(MailServer::PostfixLmtp));
        assert_eq!(table["address"].as_str(), Some("play@club.org"));
        assert_eq!(table["operator"].as_str(), Some("ann@club.org"));
        assert_eq!(table["serve"]["lmtp"].as_str(), Some("unix:/var/spool/postfix/turnpost/lmtp"));
    }
}
