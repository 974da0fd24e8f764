//! The drawing of the board on its two pages.

use crate::support::host::Host;
use crate::support::pages::{At, get};

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
