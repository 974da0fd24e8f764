//! The page of a link, with every kind of turn and every word: chosen, seen and then sent.

use serde_json::{Value, json};

use crate::support::pages::{Visitor, begun, links, newest, seated, strings};

/// One white piece is to be placed; white moves then at once.
const LAST_PLACEMENT: &str = "w,w,b,b,D,b,b,b,b/b,w,w,b,b,b,b,w,b,w/w,w,w,b,b,D,w,w,b,b,b/b,w,b,w,w,w,w,b,b,w/.,w,w,w,D,w,w,b,b w place 49";

/// White's B1 alone holds C1 and D1 to the red piece on A1.
const CUT: &str =
    "D,.,.,.,.,.,.,.,D/.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./D,w,b,b,.,.,.,.,. w";

/// Black's tower on C1 finds nothing in its reach.
const SHUT_IN: &str =
    "D,.,.,.,.,.,.,.,D/.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./D,w,b3,w,w,.,.,.,. w";

/// Black's d8-c9 takes c10 and earns a bonus.
const CAPTURE: &str =
    "....../.bwb..w/......../...b...../........../..........b/........../......w../......../......./...w.. b";

/// White fills a line of five gates in two plies.
const FIVE: &str =
    "....../......./......../........./........../w.w..w.w.w./........../........./......../......./...... w";

/// Both have passed, and Black is to name the dead stones.
const MARKED: &str =
    "....bw.../....bwb../....bwb../....bw.../....bw.../....bw.../....bw.../.w..bw.../....bw... b 2,14,1,1";

const ANN: &str = "ann@example.org";
const BOB: &str = "bob@example.org";

fn from_position(game: &str, position: &str) -> String {
    format!("{game} challenge \"-position={position}\"")
}

/// Follows the link of a page that ends with `end`.
fn choose(visitor: &Visitor, page: &str, end: &str) -> (String, String) {
    let found = links(page, "/play/").into_iter().find(|link| link.ends_with(end));
    let link = found.unwrap_or_else(|| panic!("no link ends with {end}: {page}"));
    let page = visitor.get(&link).text();
    (link, page)
}

/// What the page says beside the board.
fn said(page: &str) -> String {
    let part = page.split("aria-live=\"polite\">").nth(1).unwrap().split("</section>").next().unwrap();
    let part = part.split("<div class=\"act\">").next().unwrap();
    let mut words = String::new();
    let mut inside = false;
    for c in part.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => words.push(c),
            _ => {}
        }
    }
    words.replace("&#x27;", "'").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sends the one button of a page that shows a turn.
/// Presses the button of a page. Returns the link to which it leads.
fn send(visitor: &Visitor, link: &str, page: &str) -> String {
    let hidden = page.split("name=\"turn\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let home = link.split('?').next().unwrap();
    let sent = visitor.post(home, &format!("act=move&turn={}", hidden.replace(' ', "+")));
    assert_eq!(sent.status, 303, "{hidden}: {}", sent.text());
    let link = sent.header("location").unwrap();
    let next = visitor.get(link).text();
    assert!(next.contains("Your move is played."), "{next}");
    link.split('?').next().unwrap().to_owned()
}

fn plies(visitor: &Visitor, board: &str) -> Vec<String> {
    strings(&visitor.json(&format!("/{board}.json"))["plies"])
}

#[test]
fn the_last_placement_and_the_first_move_are_one_turn() {
    let (host, _served, visitor) = seated(&from_position("dvonn", LAST_PLACEMENT));
    let home = newest(&host, ANN);
    let page = visitor.get(&home).text();
    assert!(said(&page).contains("Place a white piece, the last."), "{}", said(&page));
    let (_, page) = choose(&visitor, &page, "turn=a1");
    let told = said(&page);
    assert!(told.contains("White moves twice here") && told.contains("there is more to choose"), "{told}");
    let (_, page) = choose(&visitor, &page, "turn=a1&from=d1");
    let (link, page) = choose(&visitor, &page, "turn=a1.d1-e1");
    assert!(page.contains("Play A1 D1-E1</button>") && !page.contains("there is more"), "{page}");
    assert_eq!(plies(&visitor, "dvonn/1"), Vec::<String>::new());
    send(&visitor, &link, &page);
    assert_eq!(plies(&visitor, "dvonn/1"), ["A1", "D1-E1"]);
}

#[test]
fn what_would_fall_and_how_it_ends_is_seen_before() {
    let (host, _served, visitor) = seated(&from_position("dvonn", CUT));
    let page = visitor.get(&newest(&host, ANN)).text();
    assert!(!page.contains("class=\"x\""));
    let (_, page) = choose(&visitor, &page, "from=b1");
    let (link, page) = choose(&visitor, &page, "turn=b1-a1");
    assert_eq!(
        said(&page),
        "B1-A1 Not played yet. 2 pieces left the board: C1 (b), D1 (b). This ends the game. You win 2 to 0."
    );
    assert_eq!(page.matches("class=\"x\"").count(), 2);
    send(&visitor, &link, &page);
    assert!(visitor.json("/dvonn/1.json")["result"].as_str().unwrap().contains("ann (white) wins 2 to 0"));
}

#[test]
fn dead_stones_are_clicked_proposed_and_accepted() {
    let (host, _served, visitor) = seated(&from_position("go", MARKED));
    let page = visitor.get(&newest(&host, ANN)).text();
    assert!(said(&page).contains("Click a chain that is dead"), "{}", said(&page));
    let (_, page) = choose(&visitor, &page, "turn=dead-b2");
    assert!(page.contains("<b>1 white stone</b> <span class=\"quiet\">B2</span>"), "{page}");
    let (link, page) = choose(&visitor, &page, "turn=dead-b2.dead-g7");
    send(&visitor, &link, &page);
    let page = visitor.get(&newest(&host, BOB)).text();
    assert_eq!(page.matches("href=\"#bc\"").count(), 2, "{page}");
    let (link, page) = choose(&visitor, &page, "turn=accept");
    assert!(said(&page).ends_with("This ends the game. ann wins 45 to 43."), "{}", said(&page));
    send(&visitor, &link, &page);
    assert_eq!(plies(&visitor, "go/1"), ["dead-B2", "dead-G7", "count", "accept"]);
}

#[test]
fn a_pass_of_the_opponent_is_foretold() {
    let (host, _served, visitor) = seated(&from_position("dvonn", SHUT_IN));
    let (link, page) =
        choose(&visitor, &visitor.get(&format!("{}?from=e1", newest(&host, ANN))).text(), "turn=e1-d1");
    assert!(said(&page).ends_with("Black has no move and passes. It is your turn again."), "{}", said(&page));
    let next = send(&visitor, &link, &page);
    assert_eq!(visitor.json(&next)["to_move"], true);
}

#[test]
fn stones_are_dropped_and_bonuses_used_declined_and_seen() {
    let (host, _served, visitor) = seated("hexmeister challenge");
    let (link, page) = choose(&visitor, &visitor.get(&newest(&host, ANN)).text(), "turn=b1");
    send(&visitor, &link, &page);
    assert_eq!(plies(&visitor, "hexmeister/1"), ["b1"]);

    let (host, _served, visitor) = seated(&from_position("hexmeister", CAPTURE));
    let home = newest(&host, BOB);
    let first = visitor.get(&format!("{home}?turn=d8-c9")).text();
    assert!(said(&first).contains("White's stone on c10 is captured."), "{}", said(&first));
    assert!(links(&first, "turn=d8-c9.done").len() == 1 && said(&first).contains("there is more to choose"));
    let (_, page) = choose(&visitor, &first, "turn=d8-c9&from=k6");
    let (link, page) = choose(&visitor, &page, "turn=d8-c9.k6-j6");
    // What the first ply took is still marked after the second.
    assert_eq!((first.matches("class=\"x\"").count(), page.matches("class=\"x\"").count()), (1, 1));
    send(&visitor, &link, &page);
    assert_eq!(plies(&visitor, "hexmeister/1"), ["d8-c9", "k6-j6"]);
}

#[test]
fn a_move_is_typed_in_any_dress() {
    let (host, _served, visitor) = seated(&from_position("hexmeister", FIVE));
    let home = newest(&host, ANN);
    let page = visitor.get(&format!("{home}?typed=H6+to+i6")).text();
    assert!(said(&page).contains("h6-i6 Not played yet; there is more to choose."), "{}", said(&page));
    let page = visitor.get(&format!("{home}?typed=h6-i6%2Bj6-k6")).text();
    assert!(said(&page).ends_with("This ends the game. You win, five gates in a line."), "{}", said(&page));
    for (typed, why) in [
        ("hello", "class=\"card notice\""),
        ("h6-h6", "class=\"card notice\""),
        ("%3Cb%3E", "&lt;b&gt;"),
        ("%ff%00", "class=\"card notice\""),
    ] {
        let page = visitor.get(&format!("{home}?typed={typed}"));
        assert!(page.status == 200 && page.text().contains(why), "{typed}: {}", page.text());
    }
    assert_eq!(visitor.get(&format!("{home}?typed=a&typed=b")).status, 404);
    send(&visitor, &format!("{home}?"), &page);
    assert!(visitor.json("/hexmeister/1.json")["result"].is_string());
}

#[test]
fn conditional_moves_are_a_tree_that_can_be_withdrawn() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let anns = newest(&host, ANN);
    let mails = host.wait_until_quiet();
    let queue = "act=queue&queue=if+K3-J2+then+E1-G1%2C+G1-G4%0D%0Aif+I1-H1+then+B1-A1";
    let tree = json!([
        {"on": "K3-J2", "play": "E1-G1", "then": [{"play": "G1-G4"}]},
        {"on": "I1-H1", "play": "B1-A1"},
    ]);
    assert_eq!(visitor.post(&anns, &format!("{queue}&once=1")).status, 303);
    assert_eq!(visitor.json(&anns)["queue"], tree);
    let page = visitor.get(&anns).text();
    assert!(
        page.contains("name=\"line\" value=\"0\"")
            && page.contains("</div><ul class=\"tree\">")
            && page.contains("Withdraw them"),
        "{page}"
    );
    // Nobody else sees them.
    assert_eq!(visitor.json(&newest(&host, BOB))["queue"], json!([]));
    // The small button of a line withdraws that line, and what comes after it.
    let page = visitor.get(&anns).text();
    let lines = |page: &str| page.matches("name=\"line\" value=\"").count();
    assert!(lines(&page) == 3 && page.contains("value=\"2\" aria-label=\"Withdraw B1-A1\""), "{page}");
    let less = visitor.post(&anns, "act=unqueue&line=1&once=9");
    assert!(less.header("location").unwrap().ends_with("?done=queue"), "{}", less.text());
    let less = visitor.json(&anns)["queue"].clone();
    assert_eq!(
        (less[0]["play"].as_str(), less[0]["then"].is_null(), less[1]["play"].as_str()),
        (Some("E1-G1"), true, Some("B1-A1"))
    );
    assert_eq!(visitor.post(&anns, "act=unqueue&once=2").status, 303);
    assert_eq!(visitor.json(&anns)["queue"], json!([]));
    // Filled in again it is another form; sent twice it is the same.
    assert_eq!(visitor.post(&anns, &format!("{queue}&once=3")).status, 303);
    assert_eq!(visitor.post(&anns, &format!("{queue}&once=3")).status, 200);
    assert_eq!(visitor.json(&anns)["queue"], tree);
    for (form, status) in [("act=queue&queue=", 400), ("act=queue&queue=if+then", 409)] {
        assert_eq!(visitor.post(&anns, form).status, status, "{form}");
    }
    assert!(host.wait_until_quiet() >= mails);
    // Bob plays with an answer of his own behind the move, and all of it is played.
    let bobs = newest(&host, BOB);
    assert_eq!(visitor.post(&bobs, "act=move&turn=K3-J2&then=G1-G4").status, 400);
    let sent = visitor.post(&bobs, "act=move&turn=K3-J2&then=if+E1-G1+then+I1-H1%0Aelse+ask");
    assert_eq!(sent.status, 303, "{}", sent.text());
    assert_eq!(plies(&visitor, "dvonn/1"), ["D1-E1", "K3-J2", "E1-G1", "I1-H1", "G1-G4"]);
}

#[test]
fn the_conversation_is_on_the_page_of_both() {
    let (host, served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let (anns, bobs) = (newest(&host, ANN), newest(&host, BOB));
    assert_eq!(visitor.post(&anns, "act=chat&words=%3Ci%3EHello%0Abob&once=1").status, 303);
    let mails = host.wait_until_quiet();
    assert_eq!(visitor.post(&anns, "act=chat&words=%3Ci%3EHello%0Abob&once=1").status, 200);
    assert_eq!(host.wait_until_quiet(), mails);
    assert_eq!(visitor.post(&anns, "act=chat&words=%3Ci%3EHello%0Abob&once=2").status, 303);
    // Words beside a move, by mail.
    let move_with_words =
        crate::support::mails::letter(BOB, "dvonn move 1 bob dunlin-7 K3-J2", "Well, well.", 5);
    served.connect().takes(&move_with_words);
    for home in [newest(&host, ANN), newest(&host, BOB)] {
        let said = visitor.json(&home)["said"].clone();
        let words: Vec<(&str, &str)> = said
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["by"].as_str().unwrap(), one["words"].as_str().unwrap()))
            .collect();
        assert_eq!(words, [("ann", "<i>Hello\nbob"), ("ann", "<i>Hello\nbob"), ("bob", "Well, well.")]);
        assert!(visitor.get(&home).text().contains("<p>&lt;i&gt;Hello\nbob</p>"));
    }
    // A spent link shows the board, and neither words nor anything that acts.
    let spent = visitor.json(&bobs);
    assert_eq!((&spent["spent"], &spent["said"], &spent["words"]), (&true.into(), &json!([]), &json!([])));
    let page = visitor.get(&bobs).text();
    assert!(
        page.contains("This link is from an earlier mail") && !page.contains("method=\"post\""),
        "{page}"
    );
    let mails = host.wait_until_quiet();
    for form in ["act=chat&words=Hi", "act=resign", "act=queue&queue=A1-B1", "act=move&turn=I1-H1"] {
        let refused = visitor.post(&bobs, form);
        assert!(refused.status == 409 && refused.text().contains("Nothing was done"), "{form}");
    }
    assert_eq!(
        (host.wait_until_quiet(), visitor.json("/dvonn/1.json")["result"].clone()),
        (mails, Value::Null)
    );
}

#[test]
fn seats_are_changed_and_games_declined_by_page() {
    let (host, _served, visitor) = begun("dvonn challenge --swap", "A1");
    let bobs = newest(&host, BOB);
    assert_eq!(strings(&visitor.json(&bobs)["words"])[..2], ["swap", "decline"]);
    assert!(!strings(&visitor.json(&newest(&host, ANN))["words"]).contains(&"swap".to_owned()));
    let page = visitor.get(&bobs).text();
    assert!(page.contains("value=\"swap\"") && page.contains("<details><summary>Resign</summary>"), "{page}");
    assert_eq!(visitor.post(&bobs, "act=swap").status, 303);
    assert_eq!(visitor.json("/dvonn/1.json")["players"], json!(["bob", "ann"]));

    let (host, _served, visitor) = begun("dvonn challenge", "A1");
    assert_eq!(visitor.post(&newest(&host, BOB), "act=decline").status, 303);
    assert!(visitor.json("/dvonn/1.json")["result"].as_str().unwrap().contains("declined"));
}

#[test]
fn a_draw_is_proposed_rejected_and_agreed_by_page() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let old = newest(&host, ANN);
    assert_eq!(visitor.post(&old, "act=propose&once=1").status, 303);
    let again = visitor.post(&newest(&host, ANN), "act=propose&once=2");
    assert_eq!(again.status, 409);
    assert!(again.text().contains("You have proposed that already"), "{}", again.text());
    let bobs = newest(&host, BOB);
    assert!(visitor.get(&bobs).text().contains("ann offers a draw."));
    assert_eq!(visitor.post(&bobs, "act=reject&once=1").status, 303);
    assert_eq!(visitor.json(&newest(&host, ANN))["v"]["proposal"], Value::Null);
    assert_eq!(visitor.post(&newest(&host, BOB), "act=propose&once=3").status, 303);
    // What the older mail did not show, its link does not answer.
    assert_eq!(visitor.post(&old, "act=accept&once=4").status, 409);
    assert_eq!(visitor.post(&newest(&host, ANN), "act=accept&once=5").status, 303);
    let over = visitor.json("/dvonn/1.json");
    assert!(over["result"].as_str().unwrap().contains("a draw by agreement"), "{over}");
}

#[test]
fn the_one_script_is_small_and_ours() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let script = visitor.get("/script.js");
    assert!(script.status == 200 && script.body.len() < 13_000, "{}", script.body.len());
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert!(!script.text().contains("http"), "it fetches nothing");
    let page = visitor.get(&newest(&host, BOB));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    let text = page.text();
    assert!(
        text.matches("<script").count() == 1 && text.contains("<script src=\"/script.js\" defer></script>")
    );
    assert!(!text.contains("style=") && !text.contains(" onclick"), "{text}");
}
