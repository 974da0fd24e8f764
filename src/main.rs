//! The `turnpost` program: its subcommands and exit codes. All work is the library's.

use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use turnpost::cli::admin_args::{self, AdminTask};
use turnpost::cli::receive::{self, Received};
use turnpost::cli::robot::{self, RobotTask};
use turnpost::cli::submit::{Submission, line_of, submit};
use turnpost::cli::{Instance, print};
use turnpost::config::Config;
use turnpost::error::{EX_TEMPFAIL, HostError};
use turnpost::ids::Userid;
use turnpost::mail::Operator;
use turnpost::mail::incoming::{Envelope, EnvelopeSender};
use turnpost::server::serve;
use turnpost_games::registry;

/// `receive` ends itself before the mail server would: a mail server that loses patience sends the mail back.
const RECEIVE_LIMIT: Duration = Duration::from_secs(60);

/// `tick` lets the robot think for no longer: the next one is due then.
const ROBOT_LIMIT: Duration = Duration::from_secs(300);

/// A play-by-email turn server for board games.
#[derive(Parser)]
#[command(name = "turnpost", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    task: Task,
}

/// `turnpost receive` alone. A mail server starts it for every letter, and building the whole tree of subcommands
/// would take a good part of its short life.
#[derive(Parser)]
#[command(name = "turnpost")]
struct Pipe {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    task: PipeTask,
}

#[derive(Subcommand)]
enum PipeTask {
    Receive(ReceiveArgs),
}

/// Where the server is.
#[derive(Args)]
struct Place {
    /// The directory that holds database and mail
    #[arg(long, global = true, env = "TURNPOST_DATA", default_value = "turnpost-data", value_name = "DIR")]
    data: PathBuf,
    /// The configuration file; without it, turnpost.toml in the data directory, if it is there
    #[arg(long, global = true, env = "TURNPOST_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Task {
    /// Take in one mail from standard input (for a mail server's pipe; exits 0 or 75)
    Receive(ReceiveArgs),
    /// Carry out commands and print the answers; exits 1 when the last was not carried out
    Submit(SubmitArgs),
    /// Send the mails that wait
    Deliver,
    /// Remind, end what has run out of time, and rate; to be run every few minutes
    Tick,
    /// Take mail over LMTP, send what waits and run the clocks, until SIGTERM; see [serve] of the configuration
    Serve,
    /// Look at what is stored, check it, copy it
    Admin {
        #[command(subcommand)]
        task: AdminTask,
    },
    /// Count the sequences of legal plies from a position, depth by depth
    Perft {
        /// The game's word, such as dvonn
        game: String,
        /// The position's text
        position: String,
        /// How deep
        depth: u32,
    },
    /// Ask the robot for a ply, let it play another program, let its levels play each other
    Robot {
        #[command(subcommand)]
        task: RobotTask,
    },
    /// Print the settings in force
    Config,
}

#[derive(Args)]
struct ReceiveArgs {
    /// The address the mail was sent to, from the envelope
    #[arg(long, value_name = "ADDRESS", allow_hyphen_values = true)]
    recipient: Option<String>,
    /// The sender in the envelope; empty for bounces
    #[arg(long, value_name = "ADDRESS", allow_hyphen_values = true)]
    sender: Option<String>,
}

#[derive(Args)]
struct SubmitArgs {
    /// Speak for this player: `-` in the password's place will do
    #[arg(long = "as", value_name = "USERID", conflicts_with = "as_anyone")]
    speaks_for: Option<Userid>,
    /// Speak for whomever a command names
    #[arg(long)]
    as_anyone: bool,
    /// The address the commands come from, as a mail would
    #[arg(long, value_name = "ADDRESS")]
    from: Option<String>,
    /// One command; without it, commands are read from standard input, one a line
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
    words: Vec<String>,
}

fn main() -> ExitCode {
    // Whatever is no plain `receive`, help and mistakes among it, is for the whole tree to read.
    if is_about_receiving()
        && let Ok(Pipe { place, task: PipeTask::Receive(args) }) = Pipe::try_parse()
    {
        return receive(&place, &args);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    if let Task::Receive(args) = &cli.task {
        return receive(&cli.place, args);
    }
    match run(&cli) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "turnpost: {error}");
            ExitCode::from(EX_TEMPFAIL)
        }
    }
}

/// A command line that cannot be read. Behind a mail server even that is "try again later": the host's mistake in a
/// configuration must not send players' mail back.
fn usage(error: &clap::Error) -> ExitCode {
    let asks_for_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if is_about_receiving() && !asks_for_help && !std::io::stdin().is_terminal() {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        return ExitCode::from(EX_TEMPFAIL);
    }
    let _ = error.print();
    if asks_for_help { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

fn is_about_receiving() -> bool {
    std::env::args_os().any(|arg| arg == "receive")
}

fn receive(place: &Place, args: &ReceiveArgs) -> ExitCode {
    // A panic prints to standard error, which mail servers pass on to the sender.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(|| {
        std::thread::sleep(RECEIVE_LIMIT);
        std::process::exit(i32::from(EX_TEMPFAIL));
    });
    let given = Envelope {
        sender: args.sender.as_deref().map(EnvelopeSender::read),
        recipient: args.recipient.clone(),
    };
    let envelope = given.or(Envelope::from_variables(|name| std::env::var(name).ok()));
    let received = std::panic::catch_unwind(|| {
        let mut input = std::io::stdin().lock();
        settings(place)
            .and_then(|config| receive::receive(&place.data, config, &envelope, &mut input))
            // Whatever went wrong before all was read: a mail server may take a closed pipe for a failure.
            .inspect_err(|_| drop(std::io::copy(&mut input, &mut std::io::sink())))
    });
    let line = match received {
        Ok(Ok(Received::Acted | Received::Again)) => return ExitCode::SUCCESS,
        Ok(Ok(Received::Ignored(why))) => {
            note(&place.data, &format!("mail set aside: {why}"));
            return ExitCode::SUCCESS;
        }
        Ok(Err(error)) => format!("mail left with the mail server: {error}"),
        Err(_) => "mail left with the mail server: the program panicked".to_owned(),
    };
    note(&place.data, &line);
    ExitCode::from(EX_TEMPFAIL)
}

/// One line in the log of the data directory: `receive` has no other place to say what happened.
fn note(data: &Path, what: &str) {
    let file = std::fs::OpenOptions::new().create(true).append(true).open(data.join("turnpost.log"));
    if let Ok(mut file) = file {
        let line: String = what.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(file, "{} {line}", turnpost::clock::now());
    }
}

fn settings(place: &Place) -> Result<Config, HostError> {
    Ok(Config::load(&place.data, place.config.as_deref(), |name| std::env::var(name).ok())?)
}

fn run(cli: &Cli) -> Result<ExitCode, HostError> {
    match &cli.task {
        Task::Receive(args) => Ok(receive(&cli.place, args)),
        Task::Submit(args) => run_submit(cli, args),
        Task::Deliver => {
            let delivered = Instance::open(&cli.place.data, settings(&cli.place)?)?.deliver()?;
            let counts = format!("{} sent, {} to be tried again", delivered.sent, delivered.later);
            print(&format!("{counts}, {} refused for good", delivered.failed))?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Tick => run_tick(cli),
        Task::Serve => {
            serve(&cli.place.data, settings(&cli.place)?)?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Admin { task } => {
            admin_args::run(&mut Instance::open(&cli.place.data, settings(&cli.place)?)?, task)
        }
        Task::Perft { game, position, depth } => perft(game, position, *depth),
        Task::Robot { task } => {
            robot::run(task)?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Config => {
            let config = settings(&cli.place)?;
            let database = cli.place.data.join(turnpost::data_dir::DATABASE);
            let mail = config.mail_folder(&cli.place.data);
            print(&format!("# database: {}", database.display()))?;
            print(&format!("# mail of the directory transport: {}", mail.display()))?;
            print(config.print().trim_end())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn run_submit(cli: &Cli, args: &SubmitArgs) -> Result<ExitCode, HostError> {
    let text = if args.words.is_empty() {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(1 << 20).read_to_end(&mut bytes);
        read.map_err(|why| HostError::Io("standard input".into(), why))?;
        String::from_utf8_lossy(&bytes).into_owned()
    } else {
        line_of(&args.words)
    };
    let speaks_for = match (&args.speaks_for, args.as_anyone) {
        (Some(userid), _) => Operator::As(userid.clone()),
        (None, true) => Operator::AsAnyone,
        (None, false) => Operator::Nobody,
    };
    let mut server = Instance::open(&cli.place.data, settings(&cli.place)?)?;
    let answered = submit(&mut server, Submission { speaks_for, from: args.from.clone(), text })?;
    print(answered.text.trim_end())?;
    if answered.mails > 0 && server.config.mail.after_submit {
        // To standard error, so that standard output holds the answers and nothing else.
        let told = match server.deliver() {
            Ok(delivered) => format!("{} mails sent{}", delivered.sent, to_where(&server)),
            Err(error) => format!("the mails wait in the outbox: {error}"),
        };
        let _ = writeln!(std::io::stderr(), "\nturnpost: {told}");
    }
    Ok(if answered.ends_well { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn run_tick(cli: &Cli) -> Result<ExitCode, HostError> {
    let mut server = Instance::open(&cli.place.data, settings(&cli.place)?)?;
    let ticked = server.tick(turnpost::clock::now())?;
    if let Some(down) = ticked.down {
        print(&format!("no timer ran for {} minutes: {} deadlines moved", down.as_mins(), ticked.moved))?;
    }
    for damaged in &ticked.damaged {
        let _ = writeln!(std::io::stderr(), "turnpost: {damaged}");
    }
    let (reminded, timed_out, declined) = (ticked.reminded, ticked.timed_out, ticked.declined);
    print(&format!(
        "{reminded} reminded, {timed_out} lost by time, {declined} gone unanswered, {} mails",
        ticked.mails
    ))?;
    let thoughts = server.think(ROBOT_LIMIT)?;
    for lost in &thoughts.lost {
        let _ = writeln!(std::io::stderr(), "turnpost: the robot: {lost}");
    }
    if thoughts.played + thoughts.analysed > 0 {
        let (played, analysed) = (thoughts.played, thoughts.analysed);
        print(&format!("the robot: {played} turns, {analysed} analyses, {} mails", thoughts.mails))?;
    }
    Ok(if ticked.damaged.is_empty() && thoughts.lost.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

fn to_where(server: &Instance) -> String {
    match server.config.mail.transport {
        turnpost::config::TransportKind::Directory => {
            format!(", as files in {}", server.config.mail_folder(&server.data).display())
        }
        turnpost::config::TransportKind::Smtp | turnpost::config::TransportKind::Sendmail => String::new(),
    }
}

fn perft(game: &str, position: &str, depth: u32) -> Result<ExitCode, HostError> {
    let kind = registry::find(game).ok_or_else(|| {
        let known: Vec<&str> = registry::GAMES.iter().map(|game| game.key).collect();
        HostError::Asked(format!("there is no game {game:?}; there are {}", known.join(", ")))
    })?;
    let table = (kind.read)(position).map_err(|why| HostError::Asked(why.to_string()))?;
    let start = Instant::now();
    for depth in 1..=depth {
        print(&format!("{depth} {}", table.perft(depth)))?;
    }
    print(&format!("{:.3} s", start.elapsed().as_secs_f64()))?;
    Ok(ExitCode::SUCCESS)
}
