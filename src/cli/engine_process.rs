//! Another program that plays in the CodeCup manner, as a process of its own.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use turnpost_robot::engine_match::Engine;

/// The process. It is ended when this is dropped.
pub struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts it. What it says on standard error is not heard.
    pub fn start(program: &str, arguments: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no standard input and output"));
        };
        Ok(Process { child, input, output: BufReader::new(output) })
    }
}

impl Engine for Process {
    fn receive(&mut self) -> String {
        let mut line = String::new();
        while line.trim().is_empty() {
            line.clear();
            match self.output.read_line(&mut line) {
                Ok(count) if count > 0 => {}
                _ => return String::new(),
            }
        }
        line.trim().to_owned()
    }

    fn send(&mut self, line: &str) {
        let told = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        told.unwrap_or_default();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}
