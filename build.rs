//! Writes the list of the files of `templates`, so that a new one is built in by being there.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("templates");
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
        } else if name.ends_with(".txt") || name.ends_with(".html") {
            names.push(name);
        }
    }
    Ok(())
}
