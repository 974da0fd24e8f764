//! Pausing one's mails by page.

use crate::support::dump;
use crate::support::pages::{Page, ask_with, begun, get, newest};

#[test]
fn the_page_pauses_by_a_post_alone() {
    let (host, served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let page = format!("{}/pause", newest(&host, "bob@example.org"));
    let before = dump(&host.database());
    for _ in 0..3 {
        let asked = visitor.get(&page);
        assert_eq!((asked.status, asked.header("cache-control")), (200, Some("no-store")));
        assert!(asked.text().contains("Pause for two weeks</button>"), "{}", asked.text());
    }
    assert_eq!(dump(&host.database()), before);
    let paused = visitor.post(&page, "List-Unsubscribe=One-Click");
    assert_eq!(paused.status, 200);
    assert!(paused.text().contains("Your mails are paused until"), "{}", paused.text());
    assert!(paused.text().contains("Come back now</button>"), "{}", paused.text());
    assert!(visitor.json(&page)["until"].is_string() && visitor.json(&page)["vacation"].is_string());
    host.wait_until_quiet();
    assert!(host.sent().last().unwrap().subject.starts_with("bob is away until "));
    let back = visitor.post(&page, "act=back");
    assert!(back.text().contains("Pause for two weeks</button>"), "{}", back.text());
    assert!(visitor.json(&page)["vacation"].is_null());
    // Nobody is paused by a link that is not ours.
    let missing = visitor.get("/dvonn/99");
    for page in [page.replace("/play/p1.", "/play/p2."), page.replace("/pause", "/pauses")] {
        let asked = visitor.post(&page, "List-Unsubscribe=One-Click");
        assert!(asked.status == 405 || (asked.status, &asked.body) == (404, &missing.body), "{page}");
    }
    assert_eq!(visitor.json("/dvonn/1.json")["result"], serde_json::Value::Null);
    let at = served.web.unwrap();
    assert_eq!(get(at, "/robots.txt").status, 200);
    assert!(!served.log().contains("WARN") && !served.log().contains("/play/"), "{}", served.log());
    host.assert_verified();
}

#[test]
fn mails_are_paused_by_one_click_alone_and_by_an_old_link_too() {
    let (host, served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let page = format!("{}/pause", newest(&host, "bob@example.org"));
    for body in ["", "act=paws", "List-Unsubscribe=", "x=One-Click", "\u{0}"] {
        let refused = visitor.post(&page, body);
        assert_eq!(refused.status, 400, "{body:?}");
        assert!(visitor.json(&page)["until"].is_null(), "{body:?}");
    }
    // The game goes on and ends; a mail program may unsubscribe from any mail of it, in either form of RFC 8058.
    let moved = visitor.post(page.trim_end_matches("/pause"), "act=move&turn=K3-J2");
    assert_eq!(moved.status, 303);
    let resigned = visitor.post(&newest(&host, "ann@example.org"), "act=resign");
    assert_eq!(resigned.status, 303);
    let body =
        "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n";
    let length = body.len();
    let head = format!(
        "POST {page} HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: {length}\r\n\
         X-Forwarded-For: 10.8.0.1"
    );
    let paused: Page = ask_with(visitor.at(), &head, body);
    assert_eq!(paused.status, 200, "{}", paused.text());
    assert!(paused.text().contains("To come back sooner"), "{}", paused.text());
    assert!(visitor.json(&page)["until"].is_string());
    assert!(!served.log().contains("WARN"), "{}", served.log());
    host.assert_verified();
}
