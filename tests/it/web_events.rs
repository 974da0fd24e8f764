//! The page of an event: its organiser runs it there, and its players enter, leave and appeal.

use crate::support::pages::{OURS, Page, Visitor, links, now, seated, sign_in, signs};

/// What the reader with this cookie sees.
fn seen(visitor: &Visitor, cookie: &str) -> String {
    visitor.send("GET /events/cup", &format!("Cookie: {cookie}"), "").text()
}

fn post(visitor: &Visitor, cookie: &str, form: &str) -> Page {
    visitor.post_me(cookie, &format!("act=event&game=gomoku&contest=cup&{form}"))
}

#[test]
fn an_event_is_organised_on_its_page() {
    let (host, _served, visitor) = seated("dvonn challenge -random");
    host.run(&["submit"], b"signup cleo gannet-33 cleo@example.org\nsignup dora tern-9-x dora@example.org")
        .ok();
    let [ann, bob, cleo, dora] = ["ann", "bob", "cleo", "dora"]
        .map(|who| sign_in(&host, &visitor, who, &format!("{who}@example.org")));
    let made = "do=new&e-form=&e-size=4&e-rounds=&e-start=&e-by-request=on";
    // What the server has to say of it stands on the page, and else the page is the answer.
    let done = |cookie: &str, form: &str| {
        let answer = post(&visitor, cookie, form);
        let is_there =
            answer.header("location") == Some("/events/cup") || answer.text().contains("<h1>cup</h1>");
        assert!(
            is_there && [200, 303].contains(&answer.status),
            "{form}: {} {}",
            answer.status,
            answer.text()
        );
        answer.text()
    };
    let refused = |cookie: &str, form: &str, why: &str| {
        let (status, page) = (post(&visitor, cookie, form).status, post(&visitor, cookie, form).text());
        assert!(
            status == 409 && page.contains(why) && page.contains("<h1>cup</h1>"),
            "{form}: {status} {page}"
        );
    };
    let unfit =
        visitor.post_me(&ann, &format!("act=event&game=gomoku&contest=cup&{}", made.replace("=4", "=40")));
    let page = unfit.text();
    assert!(unfit.status == 409 && page.contains("a number from 3 to 16 is expected"), "{page}");
    assert!(page.contains("name=\"contest\" value=\"cup\"") && page.contains("value=\"40\""), "{page}");
    done(&ann, made);
    let day = now() + jiff::SignedDuration::from_hours(30 * 24);
    done(&ann, &format!("do=change&e-start={}&e-when-full=on", day.strftime("%F")));
    assert!(
        seen(&visitor, &ann)
            .contains(&format!("It begins when it is full or on {}", day.strftime("%a %-d %b")))
    );
    // Who is not signed in has no forms, and each other reader those of their part.
    let stranger = visitor.get("/events/cup").text();
    assert!(!stranger.contains("<form method=\"post\" action=\"/me\""), "{stranger}");
    assert!(
        seen(&visitor, &ann).contains("You organise it") && !seen(&visitor, &bob).contains("You organise it")
    );
    for player in [&bob, &cleo, &dora] {
        assert!(seen(&visitor, player).contains("Join cup"));
        let page = done(player, "do=join");
        assert!(page.contains("ann, who organises cup, decides whether you are in."), "{page}");
    }
    let body = format!("act=event&game=gomoku&contest=cup&do=accept&words=bob&{}", signs(&visitor.me(&bob)));
    let json = visitor.send("POST /me.json", &format!("Cookie: {bob}\r\n{OURS}"), &body);
    assert!(json.status == 409 && json.text().contains("\"notice\": \"Who made cup"), "{}", json.text());
    let page = seen(&visitor, &bob);
    assert!(page.contains("You wait for a place.") && !page.contains("Join cup"), "{page}");
    refused(&bob, "do=accept&words=bob", "Who made cup organises it, and decides this.");
    refused(&ann, "do=accept&words=nobody", "nobody has not asked to join cup.");
    assert!(seen(&visitor, &ann).contains("<a href=\"/players/dora\">dora</a> asks to join."));
    done(&ann, "do=accept&words=bob");
    done(&ann, "do=accept&words=cleo");
    done(&ann, "do=reject&words=dora");
    done(&ann, "do=start");
    host.run(&["tick"], b"").ok();
    // A decision needs a sentence, which its players read, and strangers do not.
    let page = seen(&visitor, &ann);
    let ours = |player: &str| {
        let choice = page.split("value=\"").filter_map(|rest| rest.split('"').next());
        choice
            .filter(|value| value.ends_with(player))
            .find_map(|value| value.split_once(' '))
            .unwrap()
            .0
            .to_owned()
    };
    let board = ours(" cleo");
    assert_eq!(board, ours(" bob"), "ann decides no game of her own");
    refused(&ann, &format!("do=rule&words={board}+cleo&reason=Away"), "the reason is expected here");
    refused(
        &ann,
        &format!("do=rule&words={board}+cleo+ann+plover-42&reason=Bob+is+away."),
        "This cannot be read",
    );
    done(
        &ann,
        &format!(
            "do=rule&words={board}+cleo&reason=Bob+wrote+%E2%80%9CI+am+away%E2%80%9D%2C+%22for+long%22."
        ),
    );
    let decision =
        format!("board {board}: cleo won</a>. Bob wrote &quot;I am away&quot;, &quot;for long&quot;.");
    for (reader, reads) in [(&ann, true), (&bob, true), (&dora, false), (&String::new(), false)] {
        let page = seen(&visitor, reader).replace("&#34;", "&quot;");
        assert_eq!(page.contains(&decision), reads, "{page}");
    }
    // Nor does a browser that plays one board alone.
    let play = links(&visitor.me(&bob), "/play/").remove(0);
    let stays = visitor.send(&format!("POST {play}"), OURS, "act=stay&once=1");
    let one_board = stays.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert!(!seen(&visitor, &one_board).contains("Bob wrote"));
    let own = visitor.me(&one_board);
    let code = own.split("name=\"code\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let body = format!("act=event&game=gomoku&contest=cup&do=join&once=7&code={code}");
    let page = visitor.send("POST /me", &format!("Cookie: {one_board}\r\n{OURS}"), &body).text();
    assert!(page.contains("plays that board alone") && !page.contains("Bob wrote"), "{page}");
    host.run(&["admin", "role", "dora", "organiser", "--reason", "She asked."], b"").ok();
    assert!(seen(&visitor, &dora).replace("&#34;", "&quot;").contains(&decision));
    let appeal = format!("do=appeal&words={board}&reason=I+was+not+away.");
    assert!(seen(&visitor, &bob).contains("Appeal to the host"));
    done(&bob, &appeal);
    refused(&bob, &appeal, "You have appealed against that already");
    assert!(!seen(&visitor, &bob).contains("Appeal to the host"));
    let told = host.run(&["admin", "contest", "cup"], b"");
    assert!(told.ok().contains(&format!("ann: board {board}: cleo won. Bob wrote")), "{told:?}");
    host.run(&["admin", "board", &board, "--resume", "--reason", "Bob was here."], b"").ok();
    let page = seen(&visitor, &cleo);
    assert!(page.contains("the host: ") && page.contains(&format!("board {board}: in play again")), "{page}");
    assert!(!page.contains("Bob was here."), "the host tells the two players alone: {page}");
    done(&ann, &format!("do=rule&words={board}+draw&reason=Both+agreed+on+that."));
    assert!(seen(&visitor, &bob).contains(&format!("board {board}: a draw</a>. Both agreed on that.")));
    done(&ann, "do=remove&words=bob&reason=He+is+away+for+long.");
    assert!(seen(&visitor, &cleo).contains("bob was taken out. He is away for long."));
    done(&cleo, "do=withdraw&words=-surely");
    done(&ann, "do=end&reason=Nobody+is+left.");
    assert!(seen(&visitor, &ann).contains("it ended. Nobody is left."));
    refused(&ann, "do=end&reason=Nobody+is+left.", "cup is over.");
    host.assert_verified();
}
