//! Chromium, driven by its own protocol through two pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(20);

/// A browser with one page.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser with a window of this size, in a theme.
    pub fn start(width: u32, height: u32, dark: bool) -> Browser {
        let profile = tempfile::tempdir().unwrap();
        // The protocol reads from file descriptor 3 and writes to 4.
        let mut command = Command::new("sh");
        command.args(["-c", "exec chromium \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"]).args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--remote-debugging-pipe",
        ]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut browser = Browser { child, to, from, session: None, last: 0, _profile: profile };
        let target = browser.ask("Target.createTarget", json!({"url": "about:blank"}));
        let attached =
            browser.ask("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        browser.ask("Page.enable", json!({}));
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        browser.ask("Emulation.setDeviceMetricsOverride", size);
        let theme = if dark { "dark" } else { "light" };
        browser.ask(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": theme}]}),
        );
        browser
    }

    /// Says something and waits for its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.tell(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The same, and the answer may be an error.
    fn tell(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let number = self.last;
        let mut message = json!({"id": number, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut text = Vec::new();
            self.from.read_until(0, &mut text).unwrap();
            assert!(!text.is_empty(), "the browser is gone at {method}");
            let answer: Value = serde_json::from_slice(text.strip_suffix(b"\0").unwrap()).unwrap();
            if answer["id"] == number {
                return answer;
            }
        }
    }

    /// What an expression is on the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true});
        let answer = self.ask("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// What an expression promises.
    pub fn promised(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        self.ask("Runtime.evaluate", asked)["result"]["value"].clone()
    }

    /// Waits until an expression holds.
    pub fn wait_for(&mut self, expression: &str) {
        let until = Instant::now() + PATIENCE;
        let asked = json!({"expression": expression, "returnByValue": true});
        // Between two pages there is nothing to ask.
        while self.tell("Runtime.evaluate", asked.clone())["result"]["result"]["value"] != json!(true) {
            assert!(Instant::now() < until, "not {expression} at {}", self.value("location.href"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Goes to an address.
    pub fn open(&mut self, address: &str) {
        self.ask("Page.navigate", json!({"url": address}));
        let path = serde_json::to_string(address.split('#').next().unwrap()).unwrap();
        self.wait_for(&format!(
            "document.readyState === 'complete' && (location.href === {path} || location.href.startsWith({path}))"
        ));
    }

    /// Shows a page that no server has.
    pub fn show(&mut self, html: &str) {
        let frames = self.ask("Page.getFrameTree", json!({}));
        let frame = &frames["frameTree"]["frame"]["id"];
        self.ask("Page.setDocumentContent", json!({"frameId": frame, "html": html}));
        self.promised("Promise.all([...document.images].map(image => image.decode()))");
    }

    /// Clicks with the mouse in the middle of what a selector finds, and waits for the next page.
    pub fn click(&mut self, selector: &str) {
        let found = serde_json::to_string(selector).unwrap();
        self.value(&format!("document.querySelector({found}).scrollIntoView({{block: 'center'}})"));
        // A page that is complete can still scroll to its fragment.
        let mut middle = self.middle_of(&found);
        loop {
            std::thread::sleep(Duration::from_millis(20));
            let before = std::mem::replace(&mut middle, self.middle_of(&found));
            if before == middle {
                break;
            }
        }
        self.value("window.before = true");
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", event);
        }
        self.wait_for("window.before === undefined && document.readyState === 'complete'");
    }

    /// The middle of what a selector finds, in pixels of the window. The selector is written in JSON.
    fn middle_of(&mut self, found: &str) -> Value {
        self.value(&format!(
            "(() => {{ const at = document.querySelector({found}).getBoundingClientRect(); \
             return [at.x + at.width / 2, at.y + at.height / 2] }})()"
        ))
    }

    /// Asks from here on as a proxy does for visitor `number`.
    pub fn comes_from(&mut self, number: u32) {
        let [.., high, low] = number.to_be_bytes();
        self.ask("Network.enable", json!({}));
        let headers = json!({"X-Forwarded-For": format!("10.0.{high}.{low}")});
        self.ask("Network.setExtraHTTPHeaders", json!({"headers": headers}));
    }

    /// Puts the pointer in the middle of what a selector finds.
    pub fn point(&mut self, selector: &str) {
        let found = serde_json::to_string(selector).unwrap();
        let middle = self.middle_of(&found);
        let event = json!({"type": "mouseMoved", "x": middle[0], "y": middle[1]});
        self.ask("Input.dispatchMouseEvent", event);
    }

    /// Keeps a picture of the page in the folder that `TURNPOST_PICTURES` names, if it names one.
    pub fn picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("TURNPOST_PICTURES") else { return };
        let [width, height] =
            ["Width", "Height"].map(|side| self.value(&format!("document.scrollingElement.scroll{side}")));
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
        let taken = self.ask("Page.captureScreenshot", json!({"captureBeyondViewport": true, "clip": clip}));
        let bytes = data_encoding::BASE64.decode(taken["data"].as_str().unwrap().as_bytes()).unwrap();
        std::fs::write(std::path::Path::new(&folder).join(format!("{name}.png")), bytes).unwrap();
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str, code: u32) {
        for kind in ["keyDown", "keyUp"] {
            let text = if key == "Enter" && kind == "keyDown" { "\r" } else { "" };
            let event =
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
            self.ask("Input.dispatchKeyEvent", event);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
