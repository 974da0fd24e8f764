//! The drawing of the board on its two pages.

use crate::support::host::Host;
use crate::support::pages::{At, begun, get, links, newest};

#[test]
fn the_dot_of_a_player_has_the_colour_of_the_pieces() {
    let host = Host::after("go challenge -size=9 ann bob\nhex challenge ann bob\n");
    let at = At::database(&host.database());
    let dots = |page: &str| {
        let text = get(&at, page).text();
        let dots = text.split("<i class=\"side ").skip(1).map(|dot| dot[..1].to_owned());
        dots.collect::<String>()
    };
    assert_eq!((dots("/go/1"), dots("/hex/2")), ("bw".to_owned(), "wb".to_owned()));
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
    // The public page and its pictures, from ply to ply.
    let page = visitor.get("/chess/1?flip").text();
    assert!(king_is_low(&page, "bK") && king_is_low(&visitor.get("/chess/1").text(), "wK"));
    assert!(links(&page, "ply=0").iter().all(|link| link == "/chess/1?flip&ply=0"), "{page}");
    assert!(page.contains("data-steps=\"/chess/1.steps?flip\""), "{page}");
    assert!(king_is_low(&visitor.get("/chess/1?flip&ply=0").text(), "bK"));
    assert!(visitor.get("/chess/1.steps?flip").text().contains("y=\\\"364\\\""));
    assert!(king_is_low(&visitor.get("/chess/1.svg?flip").text(), "bK"));
    assert!(king_is_low(&visitor.get("/chess/1.svg").text(), "wK"));
    assert!(visitor.get("/chess/1.txt?flip").text().ends_with("     h   g   f   e   d   c   b   a\n"));
}
