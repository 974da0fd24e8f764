//! `cargo run --example packaging -- DIR` writes the manual pages and the shell completions. It also writes the
//! description of the pages for programs, and what is linked into the program.
//!
//! The pages of the commands come from the description by which the program reads its command line. The pages about
//! settings and mail servers are made of `docs`, whose blocks the tests compare with what there is.

#![allow(clippy::print_stdout)]

mod linked;

mod roff {
    //! Markdown as a manual page.

    /// Around lines that stay as they are.
    const BEGIN: &str = ".PP\n.RS 4\n.nf\n";
    const END: &str = ".fi\n.RE\n";

    /// The page, from the text below its first heading.
    pub fn page(name: &str, section: u8, summary: &str, markdown: &str) -> String {
        let title = format!("{} {section}", name.to_uppercase());
        let mut page =
            format!(".TH {title} \"\" \"Turnpost\"\n.SH NAME\n{name} \\- {summary}\n.SH DESCRIPTION\n");
        let (mut fenced, mut indented) = (false, false);
        let mut lines = markdown.lines().peekable();
        while let Some(line) = lines.next() {
            let code = line.strip_prefix("    ").filter(|_| !fenced);
            if indented && code.is_none() {
                page += END;
            }
            if line.starts_with("```") {
                page += if fenced { END } else { BEGIN };
                fenced = !fenced;
            } else if fenced {
                page += &format!("{}\n", text(line));
            } else if let Some(code) = code {
                let begin = if indented { "" } else { BEGIN };
                page += &format!("{begin}{}\n", text(code));
            } else if line.starts_with("<!--") || lines.next_if(|next| next.starts_with("|---")).is_some() {
                // A mark for the tests, or the head of a table.
            } else if let Some(heading) = line.strip_prefix("## ") {
                page += &format!(".SS {}\n", text(heading));
            } else if let Some((key, meaning)) = row(line) {
                page += &format!(".TP\n{}\n{}\n", inline(key), inline(meaning));
            } else {
                page += &if line.is_empty() { ".PP\n".to_owned() } else { format!("{}\n", inline(line)) };
            }
            indented = code.is_some();
        }
        page
    }

    /// The two cells of a row.
    fn row(line: &str) -> Option<(&str, &str)> {
        line.strip_prefix("| ")?.trim_end_matches(" |").split_once(" | ")
    }

    /// Octets as they are: a backslash, a dash and a dot at the beginning mean something to roff.
    fn text(line: &str) -> String {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
    }

    /// With `code` and **weight** in bold, and links as their words.
    fn inline(line: &str) -> String {
        let mut out = String::new();
        for (number, piece) in line.split('`').enumerate() {
            if number % 2 == 1 {
                out += &format!("\\fB{}\\fR", text(piece));
                continue;
            }
            for (number, piece) in piece.split("**").enumerate() {
                out += &if number % 2 == 1 { format!("\\fB{}\\fR", text(piece)) } else { unlinked(piece) };
            }
        }
        if out.starts_with(['.', '\'']) { format!("\\&{out}") } else { out }
    }

    fn unlinked(piece: &str) -> String {
        match piece.split_once('[').and_then(|(before, rest)| Some((before, rest.split_once("](")?))) {
            Some((before, (words, rest))) => {
                let behind = rest.split_once(')').map_or("", |(_, behind)| behind);
                before.replace('\\', "\\e") + words + &unlinked(behind)
            }
            None => piece.replace('\\', "\\e"),
        }
    }
}

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;
use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("say into which folder"))?;
    let (man, completions) = (folder.join("man"), folder.join("completions"));
    std::fs::create_dir_all(&man)?;
    std::fs::create_dir_all(&completions)?;
    // Without the commit, so that the pages of every build are the same.
    let mut command = turnpost::cli::Cli::command().long_version(env!("CARGO_PKG_VERSION"));
    // Without the pages of `help` itself.
    clap_mangen::generate_to(command.clone().disable_help_subcommand(true), &man)?;
    let write = |name: &str, section: u8, summary: &str, markdown: &str| {
        std::fs::write(man.join(format!("{name}.{section}")), roff::page(name, section, summary, markdown))
    };
    let settings = chapter(include_str!("../../docs/hosting.md"), "Settings");
    let settings = settings.ok_or_else(|| io::Error::other("hosting.md has no chapter on settings"))?;
    write("turnpost.toml", 5, "the settings of turnpost", settings)?;
    let (_, servers) = include_str!("../../docs/mail-servers.md").split_once('\n').unwrap_or_default();
    write("turnpost-mail-servers", 7, "what a mail server needs to hand mail to turnpost", servers)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut command, "turnpost", &completions)?;
    }
    let linked = linked::Linked::read()?;
    let mut first = OpenOptions::new().append(true).open(man.join("turnpost.1"))?;
    writeln!(first, ".SH BUGS\nReport them at {}", linked.bugs()?)?;
    let mut changelog = GzEncoder::new(File::create(folder.join("changelog.gz"))?, Compression::best());
    changelog.write_all(include_bytes!("../../CHANGELOG.md"))?;
    changelog.finish()?;
    std::fs::write(folder.join("openapi.json"), turnpost::web::description())?;
    std::fs::write(folder.join("crates.txt"), linked.licences()?)?;
    std::fs::write(folder.join("turnpost.cdx.json"), linked.bill()?)?;
    println!("{}", folder.display());
    Ok(())
}

/// The text below a heading of the second rank, up to the next one.
fn chapter<'m>(markdown: &'m str, heading: &str) -> Option<&'m str> {
    markdown.split("\n## ").find_map(|chapter| chapter.strip_prefix(heading)?.strip_prefix('\n'))
}
