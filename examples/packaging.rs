//! Writes the manual pages and the shell completions: `cargo run --example packaging -- DIR`.
//!
//! Those of the commands come from the same description by which the program reads its command line. The pages about
//! settings and mail servers are the README's chapters, whose lines the tests run.

#![allow(clippy::print_stdout)]

mod roff {
    //! A chapter of the README as a manual page.

    /// Around lines that stay as they are.
    const BEGIN: &str = ".PP\n.RS 4\n.nf\n";
    const END: &str = ".fi\n.RE\n";

    /// The page, from the chapter below this heading to the next of its rank.
    pub fn page(name: &str, section: u8, summary: &str, readme: &str, heading: &str) -> Option<String> {
        let (_, chapter) = readme.split_once(&format!("\n## {heading}\n"))?;
        let chapter = chapter.split("\n## ").next()?;
        let title = format!("{} {section}", name.to_uppercase());
        let mut page =
            format!(".TH {title} \"\" \"Turnpost\"\n.SH NAME\n{name} \\- {summary}\n.SH DESCRIPTION\n");
        let (mut fenced, mut indented) = (false, false);
        for line in chapter.lines() {
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
            } else if line.starts_with("<!--") || line.starts_with("|---") || line.starts_with("| key") {
                // The README's own marks.
            } else if let Some(heading) = line.strip_prefix("### ") {
                page += &format!(".SS {}\n", text(heading));
            } else if let Some(row) = line.strip_prefix("| ") {
                let (key, meaning) = row.trim_end_matches(" |").split_once(" | ")?;
                page += &format!(".TP\n{}\n{}\n", inline(key), inline(meaning));
            } else {
                page += &if line.is_empty() { ".PP\n".to_owned() } else { format!("{}\n", inline(line)) };
            }
            indented = code.is_some();
        }
        Some(page)
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
        match piece.split_once('[').and_then(|(before, rest)| Some((before, rest.split_once("](#")?))) {
            Some((before, (words, rest))) => {
                let behind = rest.split_once(')').map_or("", |(_, behind)| behind);
                format!("{before}{words}{behind}").replace('\\', "\\e")
            }
            None => piece.replace('\\', "\\e"),
        }
    }
}

use std::io;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_complete::Shell;

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("say into which folder"))?;
    let (man, completions) = (folder.join("man"), folder.join("completions"));
    std::fs::create_dir_all(&man)?;
    std::fs::create_dir_all(&completions)?;
    let mut command = turnpost::cli::Cli::command();
    // Without the pages of `help` itself.
    clap_mangen::generate_to(command.clone().disable_help_subcommand(true), &man)?;
    let readme = include_str!("../README.md");
    chapter(&man, "turnpost.toml", 5, "the settings of turnpost", readme, "Settings")?;
    let mail = "what a mail server needs to hand mail to turnpost";
    chapter(&man, "turnpost-mail-servers", 7, mail, readme, "Behind a mail server")?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut command, "turnpost", &completions)?;
    }
    println!("{}", folder.display());
    Ok(())
}

fn chapter(
    folder: &Path,
    name: &str,
    section: u8,
    summary: &str,
    readme: &str,
    heading: &str,
) -> io::Result<()> {
    let page = roff::page(name, section, summary, readme, heading);
    let page = page.ok_or_else(|| io::Error::other(format!("the README has no chapter {heading:?}")))?;
    std::fs::write(folder.join(format!("{name}.{section}")), page)
}
