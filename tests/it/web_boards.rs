//! The drawing of the board on its two pages.

use turnpost_games::{Setup, hexmeister};

use crate::support::host::Host;
use crate::support::pages::{At, Visitor, begun, get, links, newest, seated, strings};

#[test]
fn the_dot_of_a_player_has_the_colour_of_the_pieces() {
    let host = Host::after("go challenge -size=9 ann bob\nhex challenge ann bob\n");
    let at = At::database(&host.database());
    let dots = |page: &str| {
        let text = get(&at, page).text();
        let dots = text.split("<i class=\"disc ").skip(1).map(|dot| dot[..1].to_owned());
        dots.collect::<String>()
    };
    // The first player is below.
    assert_eq!((dots("/go/1"), dots("/hex/2")), ("wb".to_owned(), "bw".to_owned()));
}

/// True if the king is on this square, seen from White's side or from Black's.
fn king_is_low(page: &str, king: &str) -> bool {
    page.contains(&format!(
        "<use href=\"#{king}\" x=\"{}\" y=\"364\"/>",
        if king == "wK" { 208 } else { 156 }
    ))
}

#[test]
fn each_player_sees_the_own_side_below_and_can_flip_the_board() {
    let (host, _served, visitor) = begun("chess challenge", "e4");
    let [ann, bob] = ["ann", "bob"].map(|name| newest(&host, &format!("{name}@example.org")));
    let page = visitor.get(&bob).text();
    assert!(king_is_low(&page, "bK") && king_is_low(&visitor.get(&ann).text(), "wK"), "{page}");
    // The flipped board stays so through the choice of a move and back.
    let flipped = links(&page, "?flip").remove(0);
    let page = visitor.get(&flipped).text();
    assert!(king_is_low(&page, "wK") && links(&page, &bob).contains(&bob), "{page}");
    let from = links(&page, "from=e7").remove(0);
    let page = visitor.get(&from).text();
    assert!(
        king_is_low(&page, "wK") && links(&page, "from=").iter().all(|link| link.contains("?flip&")),
        "{page}"
    );
    let to = links(&page, "turn=e5").remove(0);
    let page = visitor.get(&to).text();
    assert!(king_is_low(&page, "wK"), "{page}");
    assert!(
        links(&page, &bob).iter().filter(|link| !link.ends_with("/pause")).any(|link| *link == flipped),
        "{page}"
    );
    // It stays so after a form, too.
    assert!(page.matches(&format!("action=\"{}\"", flipped.replace('/', "&#x2f;"))).count() > 2, "{page}");
    let refused = visitor.post(&flipped, "act=move&turn=e9").text();
    assert!(king_is_low(&refused, "wK"), "{refused}");
    for (form, act) in [("act=note&words=Sharp.&ply=1", "note"), ("act=move&turn=e5", "move")] {
        let done = visitor.post(&flipped, form).header("location").unwrap().to_owned();
        assert!(done.ends_with(&format!("?flip&done={act}")), "{done}");
        assert!(king_is_low(&visitor.get(&done).text(), "wK"), "{done}");
    }
    // The public page and its pictures, from ply to ply.
    let page = visitor.get("/chess/1?flip").text();
    assert!(king_is_low(&page, "bK") && king_is_low(&visitor.get("/chess/1").text(), "wK"));
    assert!(links(&page, "flip&ply=0").iter().all(|link| link == "?flip&ply=0"), "{page}");
    assert!(page.contains("data-steps=\"/chess/1.steps?flip\""), "{page}");
    assert!(king_is_low(&visitor.get("/chess/1?flip&ply=0").text(), "bK"));
    assert!(visitor.get("/chess/1.steps?flip").text().contains("y=\\\"364\\\""));
    assert!(king_is_low(&visitor.get("/chess/1.svg?flip").text(), "bK"));
    assert!(king_is_low(&visitor.get("/chess/1.svg").text(), "wK"));
    assert!(visitor.get("/chess/1.txt?flip").text().ends_with("     h   g   f   e   d   c   b   a\n"));
}

/// The page of ann, who is to move, and the link that chooses these spaces.
fn page_of_ann(host: &Host, visitor: &Visitor) -> (String, impl Fn(&str) -> String) {
    let home = newest(host, "ann@example.org");
    (visitor.get(&home).text(), move |chosen: &str| format!("{home}?{chosen}"))
}

#[test]
fn an_open_board_has_no_marks_and_says_why_a_point_is_forbidden() {
    let rows = format!("{}w......../.w.......", "........./".repeat(7));
    let (host, _served, visitor) = seated(&format!("go challenge \"-position={rows} b 0,14,0,0\""));
    let (page, link) = page_of_ann(&host, &visitor);
    assert_eq!(
        (page.matches("class=\"d\"").count(), page.matches("class=\"gh\"").count()),
        (0, 78),
        "{page}"
    );
    assert!(
        page.contains("Choose a point for your stone.") && page.contains("aria-label=\"place on J9\""),
        "{page}"
    );
    let tried = links(&page, "turn=a1").remove(0);
    assert_eq!(tried, link("turn=a1"));
    let page = visitor.get(&tried).text();
    assert!(page.contains("A stone must have an empty point"), "{page}");
    assert_eq!(page.matches("class=\"ba\"").count(), 1, "{page}");
    // Where the rules leave few spaces, they are marked.
    let (host, _served, visitor) = seated("reversi challenge");
    let (page, _) = page_of_ann(&host, &visitor);
    assert_eq!((page.matches("class=\"d\"").count(), page.matches("class=\"gh\"").count()), (4, 0), "{page}");
}

#[test]
fn the_amazon_is_on_her_new_square_while_the_arrow_is_chosen() {
    let (host, _served, visitor) = seated("amazons challenge");
    let (page, link) = page_of_ann(&host, &visitor);
    assert!(page.contains("Choose an amazon."), "{page}");
    let page = visitor.get(&link("from=d1-d7")).text();
    assert!(page.contains("Now the arrow. Choose the square that it closes."), "{page}");
    assert!(page.contains("<use href=\"#wa\" x=\"156\" y=\"156\"/>"), "{page}");
    assert!(page.contains("<use href=\"#s\" x=\"156\" y=\"468\" class=\"f\"/>"), "{page}");
    // One click back, the amazon is to be moved again.
    assert!(links(&page, "from=d1").contains(&link("from=d1")), "{page}");
}

#[test]
fn the_board_offers_what_a_pawn_becomes_the_queen_first() {
    let (host, _served, visitor) = seated("chess challenge \"-position=8/P6k/8/8/8/8/8/K7 w - - 0 1\"");
    let (_, link) = page_of_ann(&host, &visitor);
    let page = visitor.get(&link("from=a7-a8")).text();
    assert!(page.contains("Choose what the pawn becomes."), "{page}");
    let offers: Vec<&str> = page.split("aria-label=\"white ").skip(1).collect();
    let names: Vec<&str> = offers.iter().map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(names, ["queen on a8", "knight on a8", "rook on a8", "bishop on a8"]);
    let queen = links(&page, "turn=").remove(0);
    assert!(visitor.get(&queen).text().contains("Play a8=Q</button>"), "{queen}");
}

#[test]
fn dead_stones_are_listed_and_a_mark_is_taken_off() {
    let wall = "....bw.../....bwb../....bwb../....bw.../....bw.../....bw.../....bw.../.w..bw.../....bw...";
    let (host, _served, visitor) = begun(&format!("go challenge \"-position={wall} b 0,14,1,0\""), "pass");
    let bob = newest(&host, "bob@example.org");
    let page = visitor.get(&bob).text();
    assert!(
        page.contains("<summary>Pass</summary><p>A pass now stops play: both mark the dead stones"),
        "{page}"
    );
    assert_eq!(visitor.post(&bob, "act=move&turn=pass").status, 303);
    let (page, link) = page_of_ann(&host, &visitor);
    assert!(page.contains("Which stones are dead?") && !page.contains("Marked dead"), "{page}");
    let marked = visitor.get(&link("turn=dead-b2.dead-g7")).text();
    assert!(marked.contains("45 points, and White has 36 and a komi of 7: Black wins."), "{marked}");
    assert!(marked.contains("<b>1 white stone</b> <span class=\"quiet\">B2</span>"), "{marked}");
    assert!(marked.contains("<b>2 black stones</b> <span class=\"quiet\">G7 G8</span>"), "{marked}");
    assert_eq!([marked.matches("class=\"bh\"").count(), marked.matches("class=\"wh\"").count()], [35, 25]);
    assert!(
        marked.contains("<button class=\"button\">Count: proposes to count with these marks"),
        "{marked}"
    );
    // The list and the stones of the chain leave its mark out of the turn, so it can be marked again.
    assert_eq!(links(&marked, "turn=dead-b2").iter().filter(|to| **to == link("turn=dead-b2")).count(), 4);
    let unmarked = visitor.get(&link("turn=dead-b2")).text();
    assert!(links(&unmarked, "dead-g8").contains(&link("turn=dead-b2.dead-g8")), "{unmarked}");
}

#[test]
fn a_turn_of_many_marks_is_played() {
    let rows = ["...................", ".w.w.w.w.w.w.w.w.w."];
    let rows: Vec<&str> = (0..19).map(|row| rows[usize::from(row > 10 && row % 2 == 0)]).collect();
    let position = format!("{} b 0,14,1,0", rows.join("/"));
    let (host, _served, visitor) = begun(&format!("go challenge \"-position={position}\""), "pass");
    assert_eq!(visitor.post(&newest(&host, "bob@example.org"), "act=move&turn=pass").status, 303);
    let dead =
        ["1", "3", "5", "7"].map(|row| "BDFHKMOQS".chars().map(move |column| format!("dead-{column}{row}")));
    let dead: Vec<String> = dead.into_iter().flatten().collect();
    let (_, link) = page_of_ann(&host, &visitor);
    let played = visitor.post(link("").trim_end_matches('?'), &format!("act=move&turn={}", dead.join("+")));
    assert_eq!(played.status, 303, "{}", played.text());
    assert_eq!(host.plies(1), 2 + dead.len() + 1);
}

#[test]
fn a_stone_in_hand_is_moved_by_one() {
    let (host, _served, visitor) = begun("go challenge -size=9", "D5");
    let home = newest(&host, "bob@example.org");
    let page = visitor.get(&format!("{home}?turn=d4")).text();
    let (_, pad) = page.split_once("<div class=\"pad\"").unwrap();
    let pad = links(pad.split_once("</div>").unwrap().0, "turn=");
    // D5 is taken.
    assert_eq!(pad, ["d6", "c4", "d3", "e4"].map(|to| format!("{home}?turn={to}")));
    let corner = visitor.get(&format!("{home}?turn=a1")).text();
    assert!(corner.contains("aria-label=\"up\"") && !corner.contains("aria-label=\"left\""), "{corner}");
}

#[test]
fn a_word_says_what_it_does() {
    let (host, _served, visitor) = begun("go challenge -size=9", "D5");
    let page = visitor.get(&newest(&host, "bob@example.org")).text();
    assert!(page.contains("<summary>Pass</summary><p>A pass leaves the move to the other side"), "{page}");
    // The page of a bonus has `done` with these words.
    let mut table = (hexmeister::KIND.start)(&Setup { options: &[], seed: 0 }).unwrap();
    for ply in ["e1", "d11", "e1-f5", "d11-e7", "d1", "c11", "f5-f6"] {
        table.play_text(ply).unwrap();
    }
    assert_eq!(table.explained("done").unwrap(), "gives up the bonus, a move");
}

#[test]
fn a_note_has_the_number_of_the_list_of_moves_everywhere() {
    let (host, _served, visitor) = begun("chess challenge", "e4");
    let bob = newest(&host, "bob@example.org");
    assert_eq!(visitor.post(&bob, "act=move&turn=e5").status, 303);
    let (_, link) = page_of_ann(&host, &visitor);
    let home = link("").trim_end_matches('?').to_owned();
    assert_eq!(visitor.post(&home, "act=note&once=1&ply=1&words=The+usual.").status, 303);
    let page = visitor.get(&home).text();
    assert!(page.contains("?ply=1\">1. e4</a><br>The usual."), "{page}");
    let export = host.run(&["admin", "export-user", "ann"], b"").ok().to_owned();
    assert!(export.contains("\"after\": \"1. e4\"") && export.contains("The usual."), "{export}");
}

#[test]
fn a_placement_says_what_is_placed() {
    for (challenge, asks) in [
        ("dvonn challenge", "Place a red DVONN piece, the first of three."),
        ("hexmeister challenge", "Drop a stone on your base; 18 are in reserve."),
    ] {
        let (host, _served, visitor) = seated(challenge);
        let (page, _) = page_of_ann(&host, &visitor);
        assert!(page.contains(asks), "{page}");
    }
}

#[test]
fn each_strip_tells_what_its_side_holds_and_has_captured() {
    let mut commands =
        String::from("chess challenge ann bob\ngo challenge -size=9 ann bob\nhex challenge ann bob\n");
    for (board, plies) in
        ["chess", "go"].iter().zip(["e4 d5 exd5 Qxd5 Nc3 Qxd2+ Bxd2", "A2 A1 B1 pass pass count"])
    {
        for (number, ply) in plies.split(' ').enumerate() {
            let player = ["ann plover-42", "bob dunlin-7"][number % 2];
            let number = if *board == "chess" { 1 } else { 2 };
            commands += &format!("{board} move {number} {player} {ply}\n");
        }
    }
    let host = Host::after(&commands);
    let at = At::database(&host.database());
    let holds = |page: &str, all: &[&str]| {
        let text = get(&at, page).text();
        all.iter().for_each(|held| assert!(text.contains(held), "{held}: {text}"));
    };
    holds("/chess/1", &["captured: 1 pawn, 1 queen", "captured: 2 pawns", "<b>+8</b>"]);
    holds("/chess/1?ply=3", &["captured: 1 pawn\"", "<b>+1</b>", "<p class=\"big\">2. exd5</p>"]);
    holds("/go/2", &[">1 prisoner</span>", ">komi 7</span>"]);
    holds("/hex/3", &[">joins 1 and 11</span>", ">joins a and k</span>"]);
}

#[test]
fn a_look_back_keeps_the_move_in_hand() {
    let (host, _served, visitor) = begun("dvonn challenge -symmetry -seed=7", "D1-E1");
    let home = newest(&host, "bob@example.org");
    let turn = format!("{home}?turn=k3-j2");
    let page = visitor.get(&turn).text();
    assert!(links(&page, "ply=0").iter().all(|link| link == "?turn=k3-j2&ply=0"), "{page}");
    let past = visitor.get(&format!("{turn}&ply=0")).text();
    assert!(past.contains("<p class=\"big\">The start</p>") && links(&past, "from=").is_empty(), "{past}");
    assert!(links(&past, "k3-j2").contains(&turn), "{past}");
    assert!(!past.contains("Play K3-J2"), "{past}");
    assert!(page.contains("Play K3-J2</button>"), "{page}");
}

#[test]
fn no_draw_is_offered_where_none_is_usual() {
    for (game, ply, is_offered) in [("go", "E5", false), ("chess", "e4", true)] {
        let (host, _served, visitor) = begun(&format!("{game} challenge"), ply);
        let words = strings(&visitor.json(&newest(&host, "bob@example.org"))["words"]);
        assert_eq!(words.contains(&"propose".to_owned()), is_offered, "{game}: {words:?}");
    }
}

#[test]
fn a_king_in_check_is_marked_and_castles_onto_its_rook_and_stalemate_is_named() {
    let of = |position: &str| seated(&format!("chess challenge \"-position={position}\""));
    let (host, _served, visitor) = of("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1");
    let (page, _) = page_of_ann(&host, &visitor);
    assert!(page.contains("The king is in check.") && page.contains("king, in check"), "{page}");
    let (host, _served, visitor) = of("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let (_, link) = page_of_ann(&host, &visitor);
    let page = visitor.get(&link("from=e1")).text();
    for says in ["move to g1: empty", "move to h1: white rook"] {
        let (before, _) = page.split_once(says).expect(says);
        assert!(before.rsplit("<a ").next().unwrap().contains("turn=o-o\""), "{says}: {page}");
    }
    let (host, _served, visitor) = of("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    let home = newest(&host, "ann@example.org");
    assert_eq!(visitor.post(&home, "act=move&turn=Qf7").status, 303);
    let page = visitor.get(&home).text();
    assert!(page.contains("a draw by stalemate"), "{page}");
}
