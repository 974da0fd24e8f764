//! The analysis board: lines by clicks, and how they become conditional moves.

use crate::support::mails::letter;
use crate::support::pages::{Visitor, begun, first_game, links, newest, strings};

/// Plays the first legal ply after the study at `page`, by the link that a click follows. Dice differ, because equal ones of
/// an opening fall again.
fn step(visitor: &Visitor, page: &str) -> String {
    let json = visitor.json(&page.replacen("study", "study.json", 1));
    let legal = strings(&json["legal"]);
    let is_plain = |ply: &&String| ply.chars().all(|c| c.is_ascii_alphanumeric() || "-/ ".contains(c));
    let is_equal = |ply: &&String| ply.split_once('-').is_some_and(|(one, other)| one == other);
    let ply = legal.iter().filter(|ply| !is_equal(ply)).find(is_plain).expect("a legal ply");
    let ply = ply.to_ascii_lowercase().replace('/', "-").replace(' ', "_");
    let sign = if page.contains('?') { '&' } else { '?' };
    match page.split_once("line=") {
        Some((before, line)) => {
            let (line, rest) =
                line.split_once('&').map_or((line, String::new()), |(line, rest)| (line, format!("&{rest}")));
            format!("{before}line={line}.{ply}{rest}")
        }
        None => format!("{page}{sign}line={ply}"),
    }
}

#[test]
fn lines_played_by_clicks_become_conditional_moves_of_the_board() {
    let (host, _served, visitor) = begun("chess challenge", "e2-e4");
    let waits = newest(&host, "ann@example.org");
    let study = format!("{waits}/study");
    assert_eq!(links(&visitor.get(&waits).text(), "/study"), [study.as_str()]);
    // Bob has two answers that ann has replies to.
    let one = format!("{study}?line=e5.nf3.nc6.bb5");
    // From the beginning of the line, another move of his.
    let start = links(&visitor.get(&one).text(), "kept=").into_iter().find(|link| !link.contains("line="));
    let both = format!("{}&line=c5.nf3", start.expect("a link to the start that keeps the line"));
    let page = visitor.get(&both).text();
    for text in ["e5", "Nf3", "Nc6", "Bb5", "c5"] {
        assert!(page.contains(&format!(">{text}</a>")), "{text}: {page}");
    }
    let json = visitor.json(&both.replacen("study", "study.json", 1));
    let plan = json["plan"].as_str().unwrap();
    let kept = visitor
        .post(&waits, &format!("act=queue&once=1&queue={}", plan.replace(' ', "+").replace('\n', "%0A")));
    assert_eq!(kept.status, 303, "{plan}: {}", kept.text());
    let queue = visitor.json(&waits)["queue"].to_string();
    for answer in ["\"on\":\"e5\"", "\"on\":\"c5\"", "\"play\":\"Bb5\""] {
        assert!(queue.contains(answer), "{queue}");
    }
    // Bob is to move: his first move is chosen on his board, with the answers after it.
    let moves = newest(&host, "bob@example.org");
    let json = visitor.json(&format!("{moves}/study.json?line=e5.nf3.nc6"));
    assert_eq!(
        (json["turn"].as_str(), json["plan"].as_str()),
        (Some("e5"), Some("if Nf3 then Nc6")),
        "{json}"
    );
    let alone = visitor.get(&format!("{moves}/study?line=e5")).text();
    assert!(
        alone.contains(&format!("{moves}?turn=e5").replace('/', "&#x2f;"))
            || alone.contains(&format!("{moves}?turn=e5")),
        "{alone}"
    );
    // Each side sees its own pieces below, and can flip the board and keep the line.
    let flipped = links(&alone, "flip");
    assert!(flipped[0].contains("line=e5"), "{flipped:?}");
    let drawn = |page: &str| page.split("class=\"board\"").nth(1).unwrap().to_owned();
    assert_ne!(drawn(&visitor.get(&flipped[0]).text()), drawn(&alone));
    // Nothing of this was played or told.
    assert_eq!(visitor.json("/chess/1.json")["ply"], 1);
    host.assert_verified();
}

#[test]
fn a_study_goes_on_to_the_end_of_every_game_and_a_wrong_one_is_not_there() {
    let (_host, at) = first_game();
    let visitor = Visitor::new(&at);
    for game in turnpost_games::registry::games() {
        let mut page = format!("/{}/study", game.key);
        for _ in 0..12 {
            page = step(&visitor, &page);
        }
        assert_eq!(visitor.get(&page).status, 200, "{page}");
    }
    for wrong in
        ["/chess/study?line=e2-e5", "/chess/1/study", "/dvonn/1/study?ply=99", "/chess/study?start=x"]
    {
        assert_eq!(visitor.get(wrong).status, 404, "{wrong}");
    }
    let past = visitor.json("/dvonn/1/study.json?ply=1");
    assert_eq!(past["plies"].as_array().unwrap().len(), 0);
    assert!(past["turn"].is_null() && past["advice"].is_null(), "{past}");
    assert!(!visitor.get("/dvonn/1/study?ply=1").text().contains("Ask the robot"));
}

#[test]
fn a_study_begins_from_a_pasted_position_or_record() {
    let (_host, at) = first_game();
    let visitor = Visitor::new(&at);
    let record = visitor.get("/dvonn/1.record").text();
    let form: String = form_urlencoded::byte_serialize(record.as_bytes()).collect();
    let (_, page) = visitor.follow(&format!("/dvonn/study?paste={form}"));
    assert!(page.text().contains(">K3-J2</a>"), "{}", page.text());
    let (_, page) = visitor.follow("/chess/study?paste=1.+e4+e5+2.+Nf3+*");
    assert!(page.text().contains(">Nf3</a>"), "{}", page.text());
    let (at, page) = visitor.follow("/chess/study?paste=4k3/8/8/8/8/8/8/R3K3+w+Q+-+0+1");
    assert!(page.status == 200 && at.contains("start=4k3"), "{at}");
    let wrong = visitor.get("/chess/study?paste=1.+e4%0Ahello").text();
    assert!(wrong.contains("no position and no record of this game"), "{wrong}");
    assert!(wrong.contains("line 2, column 1: hello: "), "{wrong}");
    // A record with comments is too long for an address.
    let long = format!("paste=1.+e4+{{{}}}+e5", "+%5Bclk%5D".repeat(700));
    let long = visitor.post("/chess/study", &long);
    assert_eq!(
        (long.status, long.header("location").is_some_and(|at| at.ends_with("line=e4.e5"))),
        (303, true)
    );
    let (at, page) = visitor.follow("/go/study?paste=(;GM[1]SZ[9]HA[2]AB[cg][gc];W[ee];B[ce])");
    assert!(page.text().contains(">C5</a>") && at.contains("start="), "{at}");
}

#[test]
fn a_board_is_downloaded_in_the_formats_of_its_game() {
    let (_host, _served, visitor) = begun("chess challenge", "e2-e4");
    assert!(visitor.get("/chess/1").text().contains(".pgn\" download>Record (PGN)</a>"));
    let pgn = visitor.get("/chess/1.pgn").text();
    assert!(pgn.contains("[White \"ann\"]\n[Black \"bob\"]\n") && pgn.ends_with("\n1. e4 *\n"), "{pgn}");
    assert_eq!(visitor.get("/chess/1.sgf").status, 404);
}

#[test]
fn a_notebook_is_private_until_its_writer_shows_it_after_the_game() {
    let (host, served, visitor) = begun("chess challenge", "e2-e4");
    let own = newest(&host, "ann@example.org");
    let kept = visitor.post(&own, "act=note&once=1&ply=0&words=I+play+the+Vienna.%0AAlways.");
    assert_eq!(kept.status, 303, "{}", kept.text());
    let reads = |page: &str| visitor.get(page).text().contains("I play the Vienna.");
    assert!(reads(&own) && reads(&format!("{own}/study")));
    assert_eq!(visitor.json(&own)["notebook"][0]["ply"], 0);
    let others = [newest(&host, "bob@example.org"), "/chess/1".to_owned(), "/chess/1/study".to_owned()];
    assert!(!others.iter().any(|page| reads(page)));
    served.connect().takes(&letter("bob@example.org", "chess resign 1 bob dunlin-7", "", 2));
    host.wait_until_quiet();
    let before = visitor.get("/chess/1");
    assert!(!before.text().contains("Vienna"));
    let over = newest(&host, "ann@example.org");
    assert_eq!(visitor.post(&over, "act=note&once=2&words=share").status, 303);
    let after = visitor.get("/chess/1");
    assert!(after.text().contains("ann: I play the Vienna."), "{}", after.text());
    assert_ne!(before.header("etag"), after.header("etag"));
}

#[test]
fn a_study_says_what_was_played_before() {
    let (host, _served, visitor) = begun("dvonn challenge", "A1");
    let page = |line: &str| visitor.json(&format!("/dvonn/1/study.json?ply=0{line}"));
    assert_eq!(page("")["archive"]["results"]["games"], 0);
    host.run(&["submit", "dvonn resign 1 bob dunlin-7"], b"").ok();
    host.run(&["tick"], b"").ok();
    let archive = &page("")["archive"];
    assert_eq!(archive["sentence"], "1 rated game reached this position: 1 won by white, 0 by black.");
    assert_eq!((&archive["plies"][0]["ply"], &archive["plies"][0]["games"]), (&"A1".into(), &1.into()));
    let text = visitor.get("/dvonn/1/study?ply=0").text();
    assert!(text.contains("line=a1\">A1</a>") && text.contains("/dvonn/1?ply=0"), "{text}");
    let html = visitor.get("/dvonn/1/study?ply=0&line=a1").text();
    assert!(html.contains("1 rated game reached this position"), "{html}");
}
