//! Signed in by mail: the link, the cookie, the page of one's games, and what none of them may do.

use crate::support::host::Host;
use crate::support::mails::{ADDRESS, Mail, letter};
use crate::support::pages::{OURS, URL, ask_with, links, mailed, reply_to, seated, sign_in, signs};

#[test]
fn a_mailed_link_signs_one_browser_in_and_its_games_are_a_click_away() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    let cookie = sign_in(&host, &visitor, "ann", "ann@example.org");
    let page = visitor.me(&cookie);
    assert!(page.contains("<title>(1) ") && page.contains("against </span>bob"), "{page}");
    let play = links(&page, "/play/").remove(0);
    assert!(visitor.get(&play).text().contains(">Your move.</p>"));
    // A browser that goes back after signing out asks anew.
    let kept = visitor.send("GET /me", &format!("Cookie: {cookie}"), "");
    assert_eq!(kept.header("cache-control"), Some("no-store"));
    // Behind a move the next board that waits is a click away.
    served.connect().takes(&letter("ann@example.org", "dvonn challenge -random ann bob", "", 2));
    host.wait_until_quiet();
    let legal = visitor.json(&play)["legal"][0].as_str().unwrap().to_owned();
    let moved = visitor.post(&play, &format!("act=move&turn={legal}"));
    let moved = moved.header("location").unwrap();
    let fields = format!("Cookie: {cookie}");
    assert!(visitor.send(&format!("GET {moved}"), &fields, "").text().contains("Next: DVONN 2, against bob"));
    assert!(!visitor.get(moved).text().contains("Next: "));
    // By the address too, for the other player, whose board waits for nobody.
    let other = sign_in(&host, &visitor, "bob@example.org", "bob@example.org");
    assert!(visitor.me(&other).contains("<title>(1) "));
    let end = letter("bob@example.org", "dvonn resign 1 bob dunlin-7", "", 3);
    served.connect().takes(&end);
    host.wait_until_quiet();
    assert!(
        visitor.me(&cookie).contains("<h2>Over</h2>")
            && visitor.me(&cookie).contains("<b>won by resignation</b>")
    );
    let end = letter("bob@example.org", "dvonn challenge -random bob ann", "", 4);
    served.connect().takes(&end);
    host.wait_until_quiet();
    let json = visitor.send("GET /me.json", &format!("Cookie: {cookie}"), "").text();
    assert!(json.contains("\"waiting\""), "{json}");
    host.assert_verified();
}

#[test]
fn a_link_is_good_once_and_only_from_a_page_of_ours() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    // Whoever exists, the answer is the same, and only who exists gets a mail.
    let [known, unknown] =
        ["ann", "nobody"].map(|who| visitor.send("POST /sign-in", OURS, &format!("who={who}")).text());
    assert_eq!(known, unknown);
    let link = mailed(&host, "ann@example.org").remove(0);
    // Mail programs look at links; that signs nobody in.
    let looked = visitor.get(&link);
    assert!(looked.status == 200 && looked.header("set-cookie").is_none(), "{}", looked.text());
    for fields in [
        "X: y",
        "Origin: null",
        "Origin: https://evil.example",
        "Sec-Fetch-Site: cross-site\r\nOrigin: https://play.turnpost.example",
    ] {
        let refused = visitor.send(&format!("POST {link}"), fields, "");
        assert!(refused.status == 403 && refused.header("set-cookie").is_none(), "{fields}");
        assert_eq!(visitor.send("POST /sign-in", fields, "who=ann").status, 403, "{fields}");
    }
    let opened = visitor.send(&format!("POST {link}"), "Sec-Fetch-Site: same-origin\r\nOrigin: null", "");
    assert_eq!(opened.status, 303);
    let again = visitor.send(&format!("POST {link}"), OURS, "");
    assert!(
        again.status == 410 && again.text().contains("has been used") && again.header("set-cookie").is_none()
    );
    assert!(visitor.get(&link).status == 410 && visitor.get(&link).text().contains("has been used"));
    // The token of the link and that of the browser are no addresses for mail.
    let cookie = opened.header("set-cookie").unwrap().split(';').next().unwrap();
    for token in
        [link.rsplit('/').next().unwrap().to_owned(), format!("t0.{}", cookie.split('=').nth(1).unwrap())]
    {
        let mail = String::from_utf8(letter("ann@example.org", "Re: hello", "out all", 7)).unwrap();
        let (before, behind) = mail.split_once("To: ").unwrap();
        let (local, rest) = behind.split_once('@').unwrap();
        served.connect().takes(format!("{before}To: {local}+{token}@{rest}").as_bytes());
    }
    host.wait_until_quiet();
    assert!(visitor.me(cookie).contains("My games</h1>"));
}

#[test]
fn who_is_signed_out_or_has_a_new_password_is_a_stranger() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    let [first, second] = [(); 2].map(|()| sign_in(&host, &visitor, "ann", "ann@example.org"));
    let form = |cookie: &str| {
        let page = visitor.me(cookie);
        page.split("name=\"code\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let code = form(&first);
    // From elsewhere, without its code, and with that of another browser.
    for (fields, body) in [
        (format!("Cookie: {first}\r\nOrigin: https://evil.example"), format!("out=all&code={code}")),
        (format!("Cookie: {first}\r\n{OURS}"), "out=all".to_owned()),
        (format!("Cookie: {second}\r\n{OURS}"), format!("out=all&code={code}")),
    ] {
        assert_eq!(visitor.send("POST /me", &fields, &body).status, 403, "{fields}");
    }
    assert!(visitor.me(&first).contains("Sign out everywhere"));
    let left = visitor.send("POST /me", &format!("Cookie: {first}\r\n{OURS}"), &format!("out=&code={code}"));
    assert_eq!((left.status, left.header("location")), (303, Some("/sign-in")));
    assert!(left.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert!(visitor.me(&first).contains("<h1>Sign in</h1>"));
    assert!(visitor.me(&second).contains("My games</h1>"));
    served.connect().takes(&letter("ann@example.org", "forgot ann", "", 5));
    host.wait_until_quiet();
    let mail = host.newest_first().find(|mail| mail.text.contains("reset ann ")).unwrap();
    let token = mail.text.split("reset ann ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    served.connect().takes(&letter("ann@example.org", &format!("reset ann {token} godwit-17"), "", 6));
    host.wait_until_quiet();
    assert!(visitor.me(&second).contains("<h1>Sign in</h1>"));
    // So does signing off.
    let third = sign_in(&host, &visitor, "ann", "ann@example.org");
    served.connect().takes(&letter("ann@example.org", "signoff ann godwit-17", "", 7));
    host.wait_until_quiet();
    served.connect().takes(&letter("ann@example.org", "signup ann godwit-17", "", 8));
    host.wait_until_quiet();
    assert!(visitor.me(&third).contains("<h1>Sign in</h1>"));
    // A suspension ends what was open, for good.
    let third = sign_in(&host, &visitor, "ann", "ann@example.org");
    assert!(visitor.me(&third).contains("My games</h1>"));
    host.run(&["admin", "user", "ann", "--suspend", "Abuse."], b"").ok();
    host.run(&["admin", "user", "ann", "--resume"], b"").ok();
    assert!(visitor.me(&third).contains("<h1>Sign in</h1>"));
}

#[test]
fn nobody_gets_a_second_link_in_two_minutes_that_they_may_not_have_asked_for() {
    let (host, _served, visitor) = seated("dvonn challenge -random");
    for _ in 0..5 {
        assert_eq!(visitor.send("POST /sign-in", OURS, "who=ann").status, 200);
    }
    assert_eq!(mailed(&host, "ann@example.org").len(), 1);
}

#[test]
fn nobody_uses_up_the_links_of_others() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    let ask = |address: &str, who: &str| {
        let fields = format!("{OURS}\r\nX-Forwarded-For: {address}\r\nContent-Length: {}", who.len() + 4);
        ask_with(visitor.at(), &format!("POST /sign-in HTTP/1.1\r\n{fields}"), &format!("who={who}"))
    };
    // One visitor cannot have ten mails a day sent to one player, and so cannot use up that player's day.
    for who in ["ann", "ANN", "ann"] {
        assert_eq!(ask("192.0.2.1", who).status, 200);
    }
    let often = ask("192.0.2.1", "ann");
    assert!(often.status == 429 && often.text().contains("signin YOURNAME"), "{}", often.text());
    assert_eq!((ask("192.0.2.1", "nobody").status, ask("192.0.2.2", "ann").status), (200, 200));
    // A visitor has 2^64 addresses of IPv6.
    let asked = (0..30).filter(|n| ask(&format!("2001:db8::{n}"), &format!("nobody{n}")).status == 200);
    assert_eq!(asked.count(), 20);
    // When all together have used up theirs, everybody hears it, and it costs the player nothing.
    let database = rusqlite::Connection::open(host.database()).unwrap();
    let all = "INSERT OR REPLACE INTO limits VALUES ('sign-in links together', '', unixepoch(), 200)";
    database.execute(all, []).unwrap();
    let [known, unknown] = ["bob", "nobody"].map(|who| ask("198.51.100.1", who));
    assert!(known.status == 409 && known.text().contains("signin YOURNAME"), "{}", known.text());
    assert_eq!(known.text(), unknown.text());
    let spent = "SELECT count(*) FROM limits WHERE what = 'sign-in links' AND key LIKE 'bob%'";
    assert_eq!(database.query_row(spent, [], |row| row.get::<_, u32>(0)), Ok(0));
    // Letters that prove nothing have a budget of their own, and one that proves its player needs none.
    served.connect().takes(&letter("bob@example.org", "signin bob", "", 11));
    assert_eq!(mailed(&host, "bob@example.org").len(), 1);
    let mail = String::from_utf8(letter("bob@example.org", "Re: DVONN 1", "signin bob", 12)).unwrap();
    let mail = mail.replace(ADDRESS, &reply_to(&host, "bob@example.org"));
    database.execute(&all.replace("''", "'by mail'"), []).unwrap();
    served.connect().takes(mail.as_bytes());
    assert_eq!(mailed(&host, "bob@example.org").len(), 2);
}

#[test]
fn who_is_signed_in_joins_and_leaves_events_and_leagues() {
    let (host, _served, visitor) = seated("dvonn challenge -random");
    host.run(&["submit"], b"dvonn event new cup ann plover-42").ok();
    let bob = sign_in(&host, &visitor, "bob", "bob@example.org");
    let post = |body: &str| {
        let answer = visitor.post_me(&bob, body);
        (answer.status, answer.text())
    };
    let json = || -> serde_json::Value {
        let page = visitor.send("GET /me.json", &format!("Cookie: {bob}"), "");
        serde_json::from_slice(&page.body).unwrap()
    };
    assert!(visitor.me(&bob).contains("1 of 8 have joined"));
    assert_eq!((json()["events"][0]["name"].as_str(), json()["contests"][0].is_null()), (Some("cup"), true));
    let (status, page) = post("act=join&game=dvonn&contest=cup");
    assert!(status == 200 && page.contains("cup, DVONN, all play all: 2 of 8 have joined."), "{page}");
    assert!(page.contains("Leave cup") && !page.contains("Join cup"), "{page}");
    let own = serde_json::json!([{"name": "cup", "game": "dvonn", "game_name": "DVONN", "form": "event",
        "state": "open", "group": null, "title": "cup"}]);
    assert_eq!((&json()["contests"], json()["events"].as_array().unwrap().len()), (&own, 0));
    assert!(post("act=leave&game=dvonn&contest=cup").1.contains("Join cup"));
    let (status, page) = post("act=league+join&game=dvonn");
    assert!(status == 200 && page.contains("The DVONN league has 1 member"), "{page}");
    assert!(page.contains("Leave DVONN league"), "{page}");
    assert!(!post("act=league+leave&game=dvonn").1.contains("Leave DVONN league"));
    let (status, page) = post("act=league+slow+join&game=dvonn");
    assert!(status == 200 && page.contains("value=\"league slow leave\">Leave DVONN slow league"), "{page}");
    assert!(page.contains("<a href=\"/dvonn/slow-league\">DVONN slow league</a>"), "{page}");
    assert!(!post("act=league+slow+leave&game=dvonn").1.contains("Leave DVONN slow league"));
    let page = post("act=ladder+join&game=dvonn").1;
    assert!(page.contains("you are number 1") && page.contains("Leave DVONN ladder"), "{page}");
    assert!(page.contains("<a href=\"/dvonn/ladder\">DVONN ladder</a>"), "{page}");
    assert!(post("act=ladder+challenge&game=dvonn").1.contains("You are at the top"));
    assert!(!post("act=ladder+leave&game=dvonn").1.contains("Leave DVONN ladder"));
    for (body, status, words) in [
        ("act=join&game=dvonn&contest=mug", 409, "There is no event of that name."),
        ("act=join&game=dvonn&contest=cup+-surely", 400, "Something is missing"),
        ("act=withdraw&game=dvonn&contest=cup", 400, "Something is missing"),
    ] {
        let refused = post(body);
        assert!(refused.0 == status && refused.1.contains(words), "{body}: {refused:?}");
    }
    // Who plays finds their table.
    for number in 1..=2 {
        let lines = format!(
            "signup p{number}x plover-9 p{number}x@example.org\ndvonn event join cup p{number}x plover-9"
        );
        host.run(&["submit"], lines.as_bytes()).ok();
    }
    post("act=join&game=dvonn&contest=cup");
    host.run(&["submit"], b"dvonn event start cup ann plover-42").ok();
    let own = &json()["contests"][0];
    assert_eq!((own["state"].as_str(), own["group"].as_u64()), (Some("running"), Some(1)));
    let page = visitor.me(&bob);
    assert!(page.contains("<a href=\"/events/cup\">cup</a>") && !page.contains("Leave cup"), "{page}");
    assert_eq!(visitor.get("/help/league").status, 200);
}

#[test]
fn who_is_signed_in_challenges_seeks_accepts_goes_away_and_sets_without_a_mail() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    let [ann, bob] = ["ann", "bob"].map(|who| sign_in(&host, &visitor, who, &format!("{who}@example.org")));
    let post = |cookie: &str, body: &str| visitor.post_me(cookie, body);
    // A challenge leads to its board, and whose turn it is plays there at once.
    let begun = post(&ann, "act=challenge&game=hex&opponent=bob&first=me");
    let link = begun.header("location").expect("a board").to_owned();
    assert!(begun.status == 303 && visitor.get(&link).text().contains(">Your move.</p>"), "{}", begun.text());
    let mail_of_hex = link;
    host.wait_until_quiet();
    let is_of_hex =
        |to: &str| host.newest_first().any(|mail| mail.to == to && mail.subject.contains("hex 2"));
    assert_eq!(["ann@example.org", "bob@example.org"].map(is_of_hex), [false, true]);
    // The options of the game are fields.
    let options = "o-size=9&o-komi=6.5&o-960=on&clock=3";
    let theirs = post(&ann, &format!("act=challenge&game=go&opponent=bob&first=opponent&{options}"));
    let link = theirs.header("location").unwrap();
    assert!(visitor.get(link).text().contains("bob to move"));
    let view = &visitor.json(link)["v"];
    assert!(view["drawing"].as_str().unwrap().lines().any(|line| line.starts_with("  9 ")), "{view}");
    assert_eq!(
        (view["rated"].as_bool(), view["time"].as_str()),
        (Some(false), Some("3 days for each move; a reminder comes after 1"))
    );
    // What waits for an answer is first on the other's page, with its buttons; so is what was written.
    visitor.post(&mail_of_hex, "act=propose");
    visitor.post(&mail_of_hex, "act=chat&words=Hello+bob");
    let page = visitor.me(&bob);
    let (asks, rows) = page.split_once("<h2>Your move").unwrap();
    assert!(asks.contains("offers a draw in") && rows.contains(">1<span class=\"away\"> unread"), "{page}");
    assert!(asks.contains("unrated, 3 days a move. You are black."), "{asks}");
    let of_go = links(rows, "/play/p3.").remove(0);
    assert_eq!(visitor.post(&of_go, "act=decline").status, 303);
    let page = visitor.me(&bob);
    assert!(
        !page.contains("challenges you: <a href=\"/play/p3.") && page.contains("<td>declined</td>"),
        "{page}"
    );
    // An offer to anybody waits on the other's page, whose button starts it.
    let offered = post(&ann, "act=seek&game=amazons&opponent=");
    assert!(offered.status == 200 && offered.text().contains("Your seek is number 1"), "{}", offered.text());
    assert!(offered.text().contains("Take back my offers of Amazons"));
    let page = visitor.me(&bob);
    let open = page.split("<summary>Open to you: 1 game</summary>").nth(1).expect("a folded list");
    assert!(open.contains("Play ann"), "{page}");
    let accepted = post(&bob, "act=accept&game=amazons&number=1");
    assert!(accepted.status == 303 && accepted.header("location").unwrap().starts_with("/play/"));
    assert!(!visitor.me(&bob).contains("Play ann"));
    // A friend without an account gets a mail, or the player a link to hand on, which no mail has.
    assert_eq!(post(&ann, "act=challenge&game=y&opponent=frieda@example.com&first=opponent").status, 200);
    let page = post(&ann, "act=invite&game=y&o-size=9").text();
    let link = page.split("<code class=\"hash\">").nth(1).expect("a link").split('<').next().unwrap();
    let invited = visitor.get(link.replace("&#x2f;", "/").strip_prefix(URL).unwrap()).text();
    assert!(invited.contains("ann") && invited.contains("-size=9"), "{invited}");
    host.wait_until_quiet();
    let has_link = |to: &str| host.newest_first().any(|mail| mail.to == to && mail.text.contains("/invite/"));
    assert_eq!(["frieda@example.com", "ann@example.org"].map(has_link), [true, false]);
    let kept = served_log_and_commands(&host);
    assert!(!kept.contains("/invite/") && !served.log().contains("/invite/"), "{kept}");
    // A player who is invited by an address answers at /me.
    for (answer, status) in [("uninvited", 200), ("invited", 409)] {
        if answer == "uninvited" {
            post(&ann, "act=challenge&game=loa&opponent=bob@example.org");
            assert!(visitor.me(&bob).contains("<b>ann</b> invites you to a game of Lines of Action."));
        }
        assert_eq!(post(&bob, &format!("act={answer}&number=3")).status, status, "{answer}");
        assert!(!visitor.me(&bob).contains("invites you"));
    }
    let database = rusqlite::Connection::open(host.database()).unwrap();
    database.execute("UPDATE invitations SET made_at = unixepoch() WHERE id = 3", []).unwrap();
    let begun = post(&bob, "act=invited&number=3");
    assert!(begun.header("location").unwrap().starts_with("/play/"), "{}", begun.text());
    let lessons = post(&bob, "act=tutorial&game=dvonn");
    assert!(visitor.get(lessons.header("location").unwrap()).text().contains("Lesson 1 of 6"));
    // Away, and back.
    let away = post(&ann, "act=vacation&from=2027-07-01&to=2027-07-14");
    assert!(away.status == 200 && away.text().contains("2027-07-14"), "{}", away.text());
    assert!(visitor.me(&ann).contains("You will be on vacation from 2027-07-01 to 2027-07-14"));
    assert_eq!(post(&ann, "act=return").status, 200);
    let mine = visitor.send("GET /me.json", &format!("Cookie: {ann}"), "").text();
    let mine: serde_json::Value = serde_json::from_str(&mine).unwrap();
    let now = jiff::Timestamp::from_second(mine["browsers"][0]["used"].as_i64().unwrap()).unwrap();
    let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
    let until = today.saturating_add(jiff::Span::new().days(3));
    post(&ann, &format!("act=vacation&from={today}&to={until}"));
    assert!(visitor.me(&ann).contains(&format!("You are on vacation until {until}")));
    post(&ann, "act=return");
    assert!(post(&ann, "act=pause").text().contains("Your mails are paused until"));
    assert!(!post(&ann, "act=back").text().contains("Your mails are paused until"));
    let set = post(&ann, "act=set&mail=html&digest=on&board=words&zone=Europe%2FParis");
    assert!(set.status == 200 && set.text().contains("Paris"), "{}", set.text());
    let page = visitor.me(&ann);
    assert!(
        page.contains("name=\"digest\" checked")
            && page.contains("<option selected>words")
            && page.contains("<option selected>html"),
        "{page}"
    );
    // What a form names with `off` is off, as its description says.
    post(&ann, "act=set&mail=text&digest=off&afterword=on&board=wide&zone=UTC");
    let page = visitor.me(&ann);
    assert!(page.contains("name=\"digest\">") && page.contains("name=\"afterword\" checked"), "{page}");
    // A mistake says so, and nothing else is done by a page.
    for (body, status, words) in [
        ("act=challenge&game=hex&opponent=nobody9&first=me", 409, "There is no player nobody9."),
        ("act=challenge&game=hex&opponent=ann&first=me", 409, "both names are ann"),
        ("act=challenge&game=hex&opponent=&first=me", 409, "Nothing was done: write against whom"),
        ("act=challenge&game=hex&opponent=bob&o-size=99", 409, "5 to 19"),
        ("act=challenge&game=hex&opponent=bob&o-size=9+-x", 409, "Size is one value, without blanks."),
        ("act=challenge&game=hex&opponent=bob&clock=fast", 409, "none of those offered"),
        ("act=tutorial&game=hex", 409, "Hex has no tutorial"),
        ("act=add&address=nowhere", 400, "Something is missing"),
        ("act=set&mail=text&board=wide&digest=maybe&zone=UTC", 400, "Something is missing"),
        ("act=set&mail=loud&board=wide&zone=UTC", 400, "Something is missing"),
        ("act=vacation&from=2027-07-01&to=tomorrow", 409, "This cannot be read"),
        ("act=challenge&game=delete+ann+-%0A&opponent=bob", 400, "Something is missing"),
        ("act=challenge&game=password&opponent=bob&first=me", 400, "Something is missing"),
    ] {
        let refused = post(&ann, body);
        assert!(refused.status == status && refused.text().contains(words), "{body}: {}", refused.text());
    }
    // A form that fails keeps what was typed.
    let kept =
        post(&ann, "act=challenge&game=go&opponent=nobody9&o-size=13&o-komi=6.5&clock=7&first=lots").text();
    for words in [
        "<p class=\"warn\" role=\"alert\">",
        "value=\"go\" selected",
        "value=\"nobody9\"",
        "<option selected>13",
        "value=\"6.5\"",
        "value=\"7\" selected",
        "value=\"lots\" selected",
        "name=\"rated\"> Rated",
    ] {
        assert!(kept.contains(words), "{words}: {kept}");
    }
    // A link leads to the fields of a game.
    let page = visitor.send("GET /me?game=havannah&against=bob", &format!("Cookie: {ann}"), "").text();
    assert!(page.contains("value=\"havannah\" selected") && page.contains("id=\"o-size\""), "{page}");
    assert!(page.contains("name=\"rated\" checked") && page.contains("value=\"bob\""), "{page}");
    // The same form sent twice is one challenge; without its code it is none.
    let signs = signs(&visitor.me(&ann));
    let body = format!("{signs}&act=challenge&game=hex&opponent=bob&first=me");
    let fields = format!("Cookie: {ann}\r\n{OURS}");
    let [first, second] = [(); 2].map(|()| visitor.send("POST /me", &fields, &body));
    assert_eq!((first.status, second.status), (303, 200));
    assert!(second.text().contains("once is enough"));
    let bare = "act=challenge&game=hex&opponent=bob&first=me";
    assert_eq!(visitor.send("POST /me", &fields, bare).status, 403);
    let (code, _) = signs.split_once('&').unwrap();
    assert_eq!(visitor.send("POST /me", &fields, &format!("{code}&{bare}")).status, 400);
    host.assert_verified();
}

#[test]
fn a_feed_has_a_private_address_that_ends_with_sign_out_everywhere() {
    let (host, _served, visitor) = seated("dvonn challenge -random");
    let ann = sign_in(&host, &visitor, "ann", "ann@example.org");
    let fields = format!("Cookie: {ann}\r\n{OURS}");
    let ask = || {
        let page = visitor.post_me(&ann, "act=feed").text().replace("&#x2f;", "/");
        let link = page.split(&format!("{URL}/me/")).nth(1).expect("a link").split('<').next().unwrap();
        format!("/me/{link}")
    };
    let first = ask();
    let feed = visitor.get(&first);
    assert_eq!((feed.status, feed.header("cache-control")), (200, Some("no-store")));
    assert!(feed.text().contains("<title>Your move: DVONN 1 against bob</title>"), "{}", feed.text());
    assert!(!feed.text().contains("/play/"));
    // Another takes its place, and the code is no cookie.
    let second = ask();
    assert_eq!((visitor.get(&first).status, visitor.get(&second).status), (404, 200));
    let code = second.split("f0.").nth(1).unwrap().strip_suffix(".atom").unwrap();
    for cookie in [code.to_owned(), format!("feed.{code}"), format!("feed{code}")] {
        let name = ann.split('=').next().unwrap();
        assert!(visitor.me(&format!("{name}={cookie}")).contains("<h1>Sign in</h1>"), "{cookie}");
    }
    assert!(visitor.me(&ann).contains("a feed reader"));
    let records = visitor.send("GET /me.record", &fields, "").text();
    assert!(records.contains("ann") && records.contains("bob"), "{records}");
    assert!(visitor.me(&ann).contains(" download=\"games.codecup\">as CODECUP</a>"));
    let codecup = visitor.send("GET /me/codecup", &fields, "").text();
    assert!(codecup.contains("begins with the empty board, and this one did not"), "{codecup}");
    assert_eq!(visitor.send("GET /me/pgn", &fields, "").text(), "");
    let (code, _) =
        signs(&visitor.me(&ann)).split_once('&').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    visitor.send("POST /me", &fields, &format!("{code}&out=all"));
    assert_eq!(visitor.get(&second).status, 404);
    assert!(visitor.get("/me.record").text().contains("/sign-in first"));
    host.assert_verified();
}

#[test]
fn a_note_on_a_player_is_seen_by_its_writer_alone_and_goes_with_the_account() {
    let (host, _served, visitor) = seated("dvonn challenge -random");
    let [ann, bob] = ["ann", "bob"].map(|who| sign_in(&host, &visitor, who, &format!("{who}@example.org")));
    let of_bob = |cookie: &str| visitor.send("GET /players/bob", &format!("Cookie: {cookie}"), "").text();
    let signs = signs(&of_bob(&ann));
    let note = format!("{signs}&act=note&about=bob&words=Plays+the+Dutch.");
    let kept = visitor.send("POST /me", &format!("Cookie: {ann}\r\n{OURS}"), &note);
    assert_eq!((kept.status, kept.header("location")), (303, Some("/players/bob")), "{}", kept.text());
    assert!(of_bob(&ann).contains(">Plays the Dutch.</textarea>"));
    let json = visitor.send("GET /players/bob.json", &format!("Cookie: {ann}"), "").text();
    assert!(json.contains("\"note\": \"Plays the Dutch.\"") && !of_bob(&bob).contains("Your note"), "{json}");
    assert!(!of_bob("x=y").contains("Dutch") && !served_log_and_commands(&host).contains("Dutch"));
    let export = |who: &str| host.run(&["admin", "export-user", who], b"").ok().to_owned();
    assert!(export("ann").contains("Plays the Dutch.") && !export("bob").contains("Dutch"));
    host.run(&["submit"], b"delete bob dunlin-7").ok();
    assert!(!export("ann").contains("Dutch"));
    host.assert_verified();
}

/// What the database keeps of the commands of letters.
fn served_log_and_commands(host: &Host) -> String {
    let letters = "SELECT group_concat(commands) || group_concat(outcomes) FROM letters";
    let database = rusqlite::Connection::open(host.database()).unwrap();
    database.query_row(letters, [], |row| row.get(0)).unwrap()
}

#[test]
fn leaving_and_addresses_are_confirmed_by_mail_and_the_zone_comes_from_the_browser() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    let ann = sign_in(&host, &visitor, "ann", "ann@example.org");
    let post = |body: &str| visitor.post_me(&ann, body);
    let last = |to: &str| {
        host.wait_until_quiet();
        host.newest_first().find(|mail| mail.to == to).unwrap()
    };
    assert!(visitor.me(&ann).contains("name=\"tz\" data-zone"));
    let asked = post("act=add&address=ann%40example.net&tz=Europe%2FParis");
    assert!(asked.status == 200 && asked.text().contains("Nothing is done yet."), "{}", asked.text());
    let mail = last("ann@example.org");
    assert!(mail.text.contains("add ann@example.net"), "{}", mail.text);
    assert!(!host.newest_first().any(|mail| mail.to == "ann@example.net"));
    // Its link leads to a button, which a mail program that looks at links does not press. The reply works too.
    let link = mailed(&host, "ann@example.org").remove(0);
    let looked = visitor.get(&link);
    assert!(
        looked.status == 200
            && looked.text().contains("<b>add ann@example.net</b>. It sends your mail to more addresses."),
        "{}",
        looked.text()
    );
    let reply =
        String::from_utf8(letter("ann@example.org", "Re: Not done", "add ann@example.net", 21)).unwrap();
    let reply_to =
        mail.raw().lines().find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned)).unwrap();
    served.connect().takes(reply.replace(ADDRESS, &reply_to).as_bytes());
    assert!(last("ann@example.net").text.contains("ann"));
    // The zone that the form told is hers, and no later form changes it.
    let page = visitor.me(&ann);
    assert!(page.contains("value=\"Europe&#x2f;Paris\"") && !page.contains("data-zone"), "{page}");
    post("act=return&tz=Asia%2FTokyo");
    assert!(visitor.me(&ann).contains("value=\"Europe&#x2f;Paris\""));
    let press = |link: &str, body: &str| visitor.send(&format!("POST {link}"), OURS, body);
    post("act=change+address&address=ann%40example.com");
    let link = mailed(&host, "ann@example.org").remove(0);
    assert_eq!(visitor.send(&format!("POST {link}"), "Origin: https://evil.example", "").status, 403);
    let pressed = press(&link, "");
    assert!(pressed.status == 200 && pressed.text().contains("ann@example.com"), "{}", pressed.text());
    assert!(last("ann@example.com").text.contains("ann"));
    assert_eq!((press(&link, "").status, visitor.get(&link).status), (410, 410));
    // The link signs nobody in, and is no address for mail.
    assert!(pressed.header("set-cookie").is_none());
    post("act=signoff");
    let link = mailed(&host, "ann@example.org").remove(0);
    let (local, domain) = ADDRESS.split_once('@').unwrap();
    let token = link.rsplit('/').next().unwrap();
    let by_mail = String::from_utf8(letter("ann@example.org", "Re: Not done", "yes", 22)).unwrap();
    served.connect().takes(by_mail.replace(ADDRESS, &format!("{local}+{token}@{domain}")).as_bytes());
    host.wait_until_quiet();
    assert!(visitor.me(&ann).contains("My games</h1>"));
    post("act=password");
    assert!(last("ann@example.org").text.contains("reset ann "));
    let link = mailed(&host, "ann@example.org").remove(0);
    assert!(visitor.get(&link).text().contains("name=\"password\" type=\"password\""));
    for (password, status) in [("ann", 409), ("two+words", 409), ("godwit-17", 200), ("godwit-18", 410)] {
        let set = press(&link, &format!("password={password}"));
        assert_eq!(set.status, status, "{password}: {}", set.text());
    }
    assert!(visitor.me(&ann).contains("<h1>Sign in</h1>"));
    host.run(&["submit"], b"set ann godwit-17 digest off").ok();
    let kept = served_log_and_commands(&host);
    for secret in ["/sign-in/", token, "godwit"] {
        assert!(!kept.contains(secret) && !served.log().contains(secret), "{secret}: {kept}");
    }
    let ann = sign_in(&host, &visitor, "ann", "ann@example.org");
    assert!(visitor.post_me(&ann, "act=delete").text().contains("Nothing is done yet."));
    assert!(last("ann@example.org").text.contains("deletes your account"));
    assert!(visitor.me(&ann).contains("My games</h1>"));
    let gone = press(&mailed(&host, "ann@example.org")[0], "");
    assert!(gone.status == 200 && gone.text().contains("Goodbye, ann."), "{}", gone.text());
    assert!(last("ann@example.org").text.contains("Goodbye, ann."));
    assert!(visitor.me(&ann).contains("<h1>Sign in</h1>"));
    host.assert_verified();
}

#[test]
fn the_newest_link_to_a_board_keeps_a_browser_signed_in() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    let cookie = sign_in(&host, &visitor, "ann", "ann@example.org");
    let play = links(&visitor.me(&cookie), "/play/").remove(0);
    assert!(visitor.get(&play).text().contains("Stay signed in on this device"));
    let stay = |fields: &str, body: &str| visitor.send(&format!("POST {play}"), fields, body);
    let strange = stay("Origin: https://evil.example", "act=stay&once=1");
    assert!(strange.status == 403 && strange.header("set-cookie").is_none());
    let stayed = stay(OURS, "act=stay&once=1");
    let kept = stayed.header("set-cookie").unwrap().split(';').next().unwrap();
    host.wait_until_quiet();
    let is_told = |mail: &Mail| {
        let words = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
        mail.to == "ann@example.org"
            && words
                .contains("a browser (a program) is signed in as you, by the link of a mail about board 1.")
    };
    assert!(host.newest_first().any(|mail| is_told(&mail)));
    assert!(visitor.me(kept).contains("My games</h1>") && kept != cookie);
    let page = visitor.send(&format!("GET {play}"), &format!("Cookie: {kept}"), "").text();
    assert!(!page.contains("Stay signed in"));
    // The same form again, as the back button of a browser that signed out sends it, signs nobody in.
    assert!(stay(OURS, "act=stay&once=1").header("set-cookie").is_none());
    let legal = visitor.json(&play)["legal"][0].as_str().unwrap().to_owned();
    visitor.post(&play, &format!("act=move&turn={legal}"));
    assert!(!visitor.get(&play).text().contains("Stay signed in"));
    assert!(visitor.me(kept).contains("No game waits for you"));
    assert!(stay(OURS, "act=stay&once=2").header("set-cookie").is_none());
    // The last link to a game that is over may be handed on.
    let end = letter("bob@example.org", "dvonn resign 1 bob dunlin-7", "", 3);
    served.connect().takes(&end);
    host.wait_until_quiet();
    let is_link = |line: &str| {
        line.split(' ')
            .find_map(|word| word.strip_prefix(URL))
            .filter(|link| link.starts_with("/play/"))
            .map(str::to_owned)
    };
    let mut mails = host.newest_first().filter(|mail| mail.to == "ann@example.org");
    let over = mails.find_map(|mail| mail.text.lines().find_map(is_link)).unwrap();
    assert!(visitor.get(&over).text().contains("Game over"));
    assert!(!visitor.get(&over).text().contains("Stay signed in"));
    let stayed = visitor.send(&format!("POST {over}"), OURS, "act=stay&once=3");
    assert!(stayed.status == 303 && stayed.header("set-cookie").is_none(), "{over}: {}", stayed.text());
    // No command stands in the place of a move.
    for turn in ["dvonn+challenge+bob", "dvonn+invite+frieda%40example.com", "seeks"] {
        let refused = visitor.post(&play, &format!("act=move&turn={turn}"));
        assert!(refused.text().contains("There is no move in this form"), "{turn}: {}", refused.text());
    }
}

#[test]
fn a_browser_signed_in_by_the_link_of_a_board_does_nothing_else() {
    let (host, served, visitor) = seated("dvonn challenge -random");
    served.connect().takes(&letter("bob@example.org", "hex challenge bob ann", "", 2));
    let full = sign_in(&host, &visitor, "ann", "ann@example.org");
    let page = visitor.me(&full);
    let old = links(&page, "/play/p1.").remove(0);
    let stayed = visitor.send(&format!("POST {old}"), OURS, "act=stay&once=1");
    let kept = stayed.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    // It plays its board, and sees the others.
    let page = visitor.me(&kept);
    assert!(page.contains("My games</h1>") && links(&page, "/hex/2").len() == 1, "{page}");
    assert_eq!((links(&page, "/play/p1.").len(), links(&page, "/play/p2.").len()), (1, 0));
    assert!(!page.contains("name=\"act\""), "{page}");
    let mine = visitor.send("GET /me.json", &format!("Cookie: {kept}"), "").text();
    assert!(!mine.contains("/play/p2."), "{mine}");
    // An old link leads to the newest of its own board alone.
    let other = links(&visitor.me(&full), "/play/p2.").remove(0);
    let legal = visitor.json(&old)["legal"][0].as_str().unwrap().to_owned();
    visitor.post(&old, &format!("act=move&turn={legal}"));
    served.connect().takes(&letter("bob@example.org", "hex move 2 bob dunlin-7 c3", "", 3));
    host.wait_until_quiet();
    let is_led = |link: &str| {
        visitor.send(&format!("GET {link}"), &format!("Cookie: {kept}"), "").header("location").is_some()
    };
    assert_eq!((is_led(&old), is_led(&other)), (true, false));
    // So does the form of an old page, which does nothing more.
    let late =
        visitor.send(&format!("POST {old}"), &format!("Cookie: {kept}\r\n{OURS}"), "act=resign&once=2");
    let newest = visitor.get(late.header("location").expect("the newest page")).text();
    assert!(newest.contains("Nothing was done") && newest.contains("bob to move"), "{newest}");
    // It challenges, invites, sets and signs out nobody else, whatever form it makes up.
    let code = page.split("name=\"code\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let fields = format!("Cookie: {kept}\r\n{OURS}");
    let forms = "challenge&game=hex&opponent=bob&first=me invite&game=hex \
        seek&game=hex league+join&game=hex tutorial&game=dvonn vacation&from=2027-07-01&to=2027-07-14 \
        return pause back set&mail=html&board=words&zone=Europe%2FParis delete add&address=a%40example.net password";
    for (number, form) in forms.split(' ').enumerate() {
        let body = format!("code={code}&once=a{number}&act={form}");
        let refused = visitor.send("POST /me", &fields, &body);
        assert!(refused.status == 409 && refused.text().contains("link to board 1"), "{}", refused.text());
    }
    let out = |which| visitor.send("POST /me", &fields, &format!("code={code}&out={which}")).status;
    assert_eq!(["all", "1"].map(out), [303, 303]);
    // The mail about it ends it: by a button, since mail programs open links. Its code is for nothing else.
    host.wait_until_quiet();
    let is_link =
        |line: &str| line.strip_prefix(URL).filter(|path| path.starts_with("/sign-in/d")).map(str::to_owned);
    let ends = host.newest_first().find_map(|mail| mail.text.lines().find_map(is_link)).unwrap();
    let looked = visitor.get(&ends);
    assert!(looked.status == 200 && looked.text().contains("a program"), "{}", looked.text());
    assert_eq!(visitor.send(&format!("POST {ends}"), "Origin: https://evil.example", "").status, 403);
    let code = ends.rsplit('/').next().unwrap();
    let mail = String::from_utf8(letter("ann@example.org", "Re: hello", "out", 8)).unwrap();
    let (local, domain) = ADDRESS.split_once('@').unwrap();
    served.connect().takes(mail.replace(ADDRESS, &format!("{local}+{code}@{domain}")).as_bytes());
    assert_eq!(visitor.get(&format!("/play/{code}")).status, 404);
    assert!(visitor.me(&kept).contains("My games</h1>"));
    let ended = visitor.send(&format!("POST {ends}"), OURS, "");
    assert!(ended.status == 200 && ended.header("set-cookie").is_none(), "{}", ended.text());
    assert!(visitor.me(&kept).contains("<h1>Sign in</h1>") && visitor.me(&full).contains("My games</h1>"));
    assert_eq!(
        (visitor.get(&ends).status, visitor.send(&format!("POST {ends}"), OURS, "").status),
        (410, 410)
    );
    host.assert_verified();
}
