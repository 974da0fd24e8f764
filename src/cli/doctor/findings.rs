//! The findings of `doctor`, as lines for people or as JSON.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FindingState {
    Ok,
    /// The server works, but the host should know.
    Warning,
    /// The server does not work.
    Error,
}

#[derive(Debug, Serialize)]
struct Finding {
    state: FindingState,
    /// The part that was examined.
    about: &'static str,
    says: String,
    /// What to do; may be empty.
    advice: String,
}

#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    pub fn ok(&mut self, about: &'static str, says: impl Into<String>) {
        self.add(FindingState::Ok, about, says.into(), String::new());
    }

    pub fn warning(&mut self, about: &'static str, says: impl Into<String>, advice: impl Into<String>) {
        self.add(FindingState::Warning, about, says.into(), advice.into());
    }

    pub fn error(&mut self, about: &'static str, says: impl Into<String>, advice: impl Into<String>) {
        self.add(FindingState::Error, about, says.into(), advice.into());
    }

    fn add(&mut self, state: FindingState, about: &'static str, says: String, advice: String) {
        self.0.push(Finding { state, about, says, advice });
    }

    pub fn is_well(&self) -> bool {
        self.count(FindingState::Error) == 0
    }

    fn count(&self, state: FindingState) -> usize {
        self.0.iter().filter(|finding| finding.state == state).count()
    }

    pub fn json(&self) -> String {
        serde_json::to_string_pretty(&self.0).unwrap_or_default()
    }

    /// Lines of at most 80 columns, longer only for a long word, and a sum.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Finding { state, about, says, advice } in &self.0 {
            let word = match state {
                FindingState::Ok => "ok",
                FindingState::Warning => "warning",
                FindingState::Error => "ERROR",
            };
            text += &folded(&format!("{word:<8} {about}: {says}"), "         ");
            if !advice.is_empty() {
                text += &folded(&format!("         -> {advice}"), "            ");
            }
        }
        let (errors, warnings) = (self.count(FindingState::Error), self.count(FindingState::Warning));
        text += &format!("\n{}, {}\n", counted(errors, "error"), counted(warnings, "warning"));
        text
    }
}

fn folded(line: &str, indent: &str) -> String {
    // Paths and commands stay whole, so that they can be copied.
    let options = textwrap::Options::new(80)
        .subsequent_indent(indent)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(line, options) + "\n"
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// A length of time in its largest unit.
pub(super) fn length(seconds: i64) -> String {
    let (count, unit) = match seconds.max(0) {
        seconds @ 0..120 => (seconds, "second"),
        seconds @ 120..7200 => (seconds / 60, "minute"),
        seconds @ 7200..172_800 => (seconds / 3600, "hour"),
        seconds => (seconds / 86_400, "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        let said: Vec<String> = [1, 119, 120, 7200, 200_000].into_iter().map(length).collect();
        assert_eq!(said, ["1 second", "119 seconds", "2 minutes", "2 hours", "2 days"]);
    }

    #[test]
    fn findings_are_lines_and_a_sum() {
        let mut findings = Findings::default();
        findings.ok("disk", "12 GiB are free");
        assert!(findings.is_well());
        findings.error(
            "mail out",
            "nobody answers at 127.0.0.1 port 25, and this sentence goes on and on",
            "Start it.",
        );
        assert!(!findings.is_well());
        assert_eq!(
            findings.text(),
            "ok       disk: 12 GiB are free\n\
             ERROR    mail out: nobody answers at 127.0.0.1 port 25, and this sentence goes\n         \
             on and on\n         -> Start it.\n\n1 error, no warnings\n"
        );
        assert!(findings.json().contains("\"state\": \"error\""));
    }
}
