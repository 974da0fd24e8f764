//! Pausing one's mails by one tap (RFC 8058), and coming back.

use crate::support::dump;
use crate::web::get;
use crate::web_play::{begun, newest};

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
    assert!(host.sent().last().unwrap().subject.contains("bob goes on vacation"));
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
