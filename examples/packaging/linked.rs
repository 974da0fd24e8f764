//! The crates that are linked into the program: their licences, and a bill of materials as CycloneDX 1.5 says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use serde_json::{Value, json};

/// What cargo knows of a package.
struct Package(Value);

impl Package {
    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }

    /// As `cargo tree` names it.
    fn named(&self) -> String {
        format!("{} v{}", self.text("name"), self.text("version"))
    }

    /// Older crates part the licences of which one may be chosen by a slash.
    fn licence(&self) -> String {
        self.text("license").replace(" / ", "/").replace('/', " OR ")
    }

    fn authors(&self) -> String {
        let authors = self.0["authors"].as_array().into_iter().flatten();
        authors.filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
    }

    /// The files that tell its licence.
    fn licence_texts(&self) -> io::Result<BTreeMap<String, String>> {
        let folder = Path::new(self.text("manifest_path")).parent().unwrap_or(Path::new("."));
        let mut texts = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let begins = |word: &&str| name.to_uppercase().starts_with(word);
            if ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"].iter().any(begins) {
                texts.insert(name, String::from_utf8_lossy(&fs::read(entry.path())?).into_owned());
            }
        }
        Ok(texts)
    }
}

/// What is linked into the program on this machine; the program itself is among it.
pub struct Linked(Vec<Package>);

impl Linked {
    pub fn read() -> io::Result<Linked> {
        let version = cargo(&["-vV"])?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
        let tree = "tree --locked --package turnpost --edges normal,no-proc-macro --prefix none --format {p}";
        let tree = cargo(&tree.split(' ').collect::<Vec<_>>())?;
        let linked: BTreeSet<String> =
            tree.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
        let known = cargo(&["metadata", "--locked", "--format-version=1", "--filter-platform", host])?;
        let mut known: Value = serde_json::from_str(&known)?;
        let Value::Array(packages) = known["packages"].take() else {
            return Err(io::Error::other("no packages"));
        };
        let mut packages: Vec<Package> = packages.into_iter().map(Package).collect();
        packages.retain(|package| linked.contains(&package.named()));
        packages.sort_by_key(Package::named);
        if packages.len() < linked.len() {
            return Err(io::Error::other("cargo tree and cargo metadata tell of different crates"));
        }
        Ok(Linked(packages))
    }

    fn program(&self) -> io::Result<&Package> {
        self.0.iter().find(|package| package.text("name") == "turnpost").ok_or(io::ErrorKind::NotFound.into())
    }

    /// Where mistakes are reported.
    pub fn bugs(&self) -> io::Result<&str> {
        let bugs = self.program()?.0["metadata"]["turnpost"]["bugs"].as_str();
        bugs.ok_or(io::Error::other("Cargo.toml names no address for bugs"))
    }

    /// A line for each crate, then every text once.
    pub fn licences(&self) -> io::Result<String> {
        let mut page = "Turnpost has these in it, under these licences, whose texts follow.\n\n".to_owned();
        // By its words: crates break the lines of one text in many ways.
        let mut texts: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
        for package in &self.0 {
            let _ = writeln!(page, "{}: {}", package.named(), package.licence());
            let found = package.licence_texts()?;
            if found.is_empty() {
                let _ = writeln!(page, "    (without a text of its own; by {})", package.authors());
            }
            for (file, text) in found {
                let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let (_, of) = texts.entry(words).or_insert((text, Vec::new()));
                of.push(format!("{} ({file})", package.named()));
            }
        }
        let _ = writeln!(page, "SQLite {}: in the public domain, in libsqlite3-sys", rusqlite::version());
        let mut texts: Vec<_> = texts.into_values().collect();
        texts.sort_by(|(_, one), (_, other)| one.cmp(other));
        for (text, of) in texts {
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            let _ = write!(
                page,
                "\n{}\n{}:\n\n{}\n",
                "-".repeat(78),
                of.join("\n"),
                lines.join("\n").trim_matches('\n')
            );
        }
        Ok(page)
    }

    /// With no time and no serial number, so that one commit has one bill.
    pub fn bill(&self) -> io::Result<String> {
        let program = self.program()?;
        let lock: toml::Table = include_str!("../../Cargo.lock").parse().map_err(io::Error::other)?;
        let locked = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
        let sums: BTreeMap<String, &str> = locked
            .filter_map(|package| {
                let text = |key: &str| package.get(key)?.as_str();
                Some((format!("{} v{}", text("name")?, text("version")?), text("checksum")?))
            })
            .collect();
        let component = |package: &Package, kind: &str| {
            let (name, version) = (package.text("name"), package.text("version"));
            let purl = format!("pkg:cargo/{name}@{version}");
            let mut component = json!({
                "type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl,
                "licenses": [{ "expression": package.licence() }],
            });
            if let Some(sum) = sums.get(&package.named()) {
                component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
            }
            component
        };
        let mut itself = component(program, "application");
        itself["supplier"] = json!({ "name": program.authors() });
        itself["externalReferences"] = json!([
            { "type": "website", "url": program.text("homepage") },
            { "type": "issue-tracker", "url": self.bugs()? },
        ]);
        let crates = self.0.iter().filter(|package| package.text("name") != "turnpost");
        let mut components: Vec<Value> = crates.map(|package| component(package, "library")).collect();
        let sqlite = format!("pkg:generic/sqlite@{}", rusqlite::version());
        components.push(json!({
            "type": "library", "bom-ref": sqlite, "name": "sqlite", "version": rusqlite::version(), "purl": sqlite,
            "licenses": [{ "license": { "name": "public domain" } }],
        }));
        let bill = json!({
            "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": { "component": itself }, "components": components,
        });
        Ok(format!("{}\n", serde_json::to_string_pretty(&bill)?))
    }
}

fn cargo(words: &[&str]) -> io::Result<String> {
    let done = Command::new(env!("CARGO")).args(words).current_dir(env!("CARGO_MANIFEST_DIR")).output()?;
    if !done.status.success() {
        return Err(io::Error::other(format!("cargo {words:?}: {}", String::from_utf8_lossy(&done.stderr))));
    }
    String::from_utf8(done.stdout).map_err(io::Error::other)
}
