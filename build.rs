//! Writes the list of the files of `templates`, so that a new one is built in by being there; and names the commit.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    name_commit(&package);
    let root = package.join("templates");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut names = Vec::new();
    list(&root, "", &mut names)?;
    names.sort();
    let mut code = String::from("&[\n");
    for name in names {
        let path = root.join(&name);
        println!("cargo::rerun-if-changed={}", path.display());
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    code.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("templates.rs");
    fs::write(out, code)
}

fn list(folder: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            println!("cargo::rerun-if-changed={}", entry.path().display());
            list(&entry.path(), &format!("{name}/"), names)?;
        } else if [".txt", ".md", ".html"].iter().any(|kind| name.ends_with(kind)) {
            names.push(name);
        }
    }
    Ok(())
}

/// Gives `--version` the commit, where the source comes from git: an archive of it may lie inside another repository. Not
/// for development, where each commit would then build all anew. Who builds from an archive may set the variable.
fn name_commit(package: &Path) {
    const COMMIT: &str = "TURNPOST_COMMIT";
    println!("cargo::rerun-if-env-changed={COMMIT}");
    if env::var_os(COMMIT).is_some() || env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        return;
    }
    let git = |words: &[&str]| -> Option<String> {
        let done = Command::new("git").arg("-C").arg(package).args(words).output().ok()?;
        let said = String::from_utf8(done.stdout).ok()?.trim().to_owned();
        (done.status.success() && !said.is_empty()).then_some(said)
    };
    if !package.join(".git").exists() {
        return;
    }
    // Both change by a commit or a change of branches; cargo would run this each time for a file that is not there.
    for file in ["HEAD", "logs/HEAD"].iter().filter_map(|file| git(&["rev-parse", "--git-path", file])) {
        if package.join(&file).exists() {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    if let Some(commit) = git(&["rev-parse", "HEAD"]) {
        println!("cargo::rustc-env={COMMIT}={commit}");
    }
}
