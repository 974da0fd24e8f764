//! Automatic mail that only its address or its Subject betrays is not answered, and no person's letter is lost for it.

use crate::support::host::Host;
use crate::support::serving::Served;
use crate::support::{ANN, LetterOutcome, Stage, letter};

/// Prose as programs send it, in which nothing is a command.
const PROSE: &str = "Dear customer,\n\nhelp is on its way. We resign from nothing.\n\nThe team\n";

const ROBOTS: &[&str] = &[
    "newsalerts-noreply@mail.example",
    "noreply-iphonedev@example.com",
    "group-bounce@lists.example",
    "no-reply@example.com",
    "No.Reply@example.com",
    "do_not_reply@example.com",
    "donotreply@example.com",
    "do-not-reply-7@example.com",
    "dont-reply@example.com",
    "shop.noreply@example.com",
    "noreply2@example.com",
    "googleplay-noreply@example.com",
    "bounces@example.com",
    "bounce-42@example.com",
    "msg.bounces+7@example.com",
    "mailer-daemon@example.com",
    "Mail-Daemon@example.com",
    "postmaster@example.com",
    "autoresponder@example.com",
    "auto-reply@example.com",
    "auto-confirm@shop.example",
    "notifications@hub.example",
    "notification.sender@x.example",
    "dvonn-owner@lists.example",
    "dvonn-request@lists.example",
    "owner-dvonn@lists.example",
    "ne-pas-repondre@x.example",
    "listserv@x.example",
    "nicht-antworten@x.example",
];

const PEOPLE: &[&str] = &[
    "bouncer@example.com",
    "jbounceman@example.com",
    "noreplyman@example.com",
    "ann+noreply@example.com",
    "reply@example.com",
    "daemon@example.com",
    "robot.fan@example.com",
    "notary@example.com",
    "auto@example.com",
    "marie.dupont@example.com",
    "mailer@example.com",
    "responder@example.com",
    "owner@example.com",
];

const AUTOMATIC: &[&str] = &[
    // Reports.
    "Undeliverable",
    "Undeliverable: dvonn 1, ann v bob",
    "Delivery Status",
    "Delivery Status Notification (Failure)",
    "Returned mail: see transcript for details",
    "Mail delivery failed: returning message to sender",
    "failure notice",
    "Undelivered Mail Returned to Sender",
    "FAILURE NOTICE :",
    "**Message you sent blocked by our bulk email filter**",
    "Warning: could not send message for past 4 hours",
    "[Postmaster] Email Delivery Failure",
    "DELIVERY FAILURE: x",
    "Mail System Error - Returned Mail",
    "***SPAM*** Undelivered Mail Returned to Sender",
    "Message delivery has failed",
    "Unzustellbar: dvonn 1",
    "Nicht zustellbar: x",
    "Non remis : dvonn 1",
    "Échec de la remise",
    "No se puede entregar: x",
    "Correo devuelto: mensaje",
    "Non recapitabile: x",
    "Mancato recapito",
    "Onbestelbaar: x",
    "Não é possível entregar: x",
    "Falha na entrega",
    "Недоставленное сообщение",
    "Ваше сообщение не доставлено. Mail failure.",
    "配信不能: x",
    "送信エラー",
    "退信: x",
    "系统退信/Systems bounce",
    "未送达: x",
    "배달되지 않음: x",
    "Det gick inte att leverera: x",
    "Kan ikke leveres: x",
    "Ei voi toimittaa: x",
    "Niedostarczone: x",
    "Nedoručitelné: x",
    "Teslim Edilemedi: x",
    "Kézbesíthetetlen: x",
    "Read: dvonn 1, ann v bob",
    "Gelesen: dvonn 1",
    // Absences.
    "Out of Office",
    "Out of office: dvonn 1",
    "OUT OF OFFICE AutoReply: x",
    "Automatic reply: dvonn 1, ann v bob",
    "Auto-Reply",
    "[Auto-Reply] Re: dvonn 1, ann v bob",
    "Re: dvonn 1, ann v bob (Out of office)",
    "Away until May 5",
    "AutoReply: x",
    "Auto: Re: x",
    "Automatische Antwort: x",
    "Abwesenheitsnotiz",
    "Abwesend",
    "Urlaub bis 5.5.",
    "Abwesenheitsbenachrichtigung: x",
    "Réponse automatique : x",
    "Réponse automatique\u{a0}: x",
    "Absent jusqu'au 5 mai",
    "Message d’absence",
    "Respuesta automática: x",
    "Fuera de la oficina",
    "Ausente del 5 al 9 de mayo",
    "Risposta automatica: x",
    "Fuori ufficio",
    "In ferie dal 5 al 9 maggio",
    "Automatisch antwoord: x",
    "Afwezig",
    "Afwezigheidsbericht",
    "Autosvar: x",
    "Automatiskt svar: x",
    "Frånvaro",
    "Automatisk svar: x",
    "Fravær: x",
    "Automaattinen vastaus: x",
    "Poissa",
    "Lomalla 1.7. asti",
    "Resposta automática: x",
    "Fora do escritório",
    "Estou de férias",
    "Автоматический ответ: x",
    "Автоответ",
    "В отпуске до 5 мая",
    "Отсутствие",
    "Автоматична відповідь: x",
    "自動返信: x",
    "【自動返信】 お問い合わせ",
    "不在通知",
    "休暇のお知らせ",
    "자동 회신: x",
    "부재중",
    "부재 중 알림",
    "תשובה אוטומטית: x",
    "מענה אוטומטי: x",
    "מחוץ למשרד",
    "Otomatik yanıt: x",
    "OTOMATİK YANIT: x",
    "Ofis Dışında",
    "Odpowiedź automatyczna: x",
    "Automatyczna odpowiedź: x",
    "Nieobecność",
    "Automatická odpověď: x",
    "Mimo kancelář",
    "自动回复: x",
    "自動回覆: x",
    "Αυτόματη απάντηση: x",
    "Εκτός γραφείου",
    "Automatikus válasz: x",
    "Házon kívül",
    "Răspuns automat: x",
    "رد تلقائي: x",
];

const HUMAN: &[&str] = &[
    "Re: dvonn 1, ann v bob",
    "Re: Out of office",
    "AW: Abwesenheitsnotiz",
    "Re: Undeliverable: dvonn 1",
    "Fwd: failure notice",
    "Vacation plans",
    "On holiday soon: how do I stop my clock?",
    "I am away next week",
    "Absent friends",
    "Away game",
    "Urlaub in Dänemark",
    "Bounce",
    "Read the rules",
    "Your message to bob",
    "Mail delivery is slow here",
    "Auto-play?",
    "Automatic moves",
    "Notification settings",
    "Délai de réponse",
    "Vacaciones en Italia",
    "Отпуск в Крыму",
    "休みの日",
    "Delivering my move",
    "Ooops",
    "Semesterferien an der Uni",
    "Ferien",
    "Assenzio",
    "",
];

fn aside(stage: &Stage) -> Option<&str> {
    match &stage.outcome {
        LetterOutcome::Ignored(why) => Some(why),
        LetterOutcome::Acted | LetterOutcome::Again => None,
    }
}

#[test]
fn an_address_with_a_robots_word_gets_no_answer_and_the_log_says_why() {
    let mut stage = Stage::new();
    for robot in ROBOTS {
        let mails = stage.receive(&letter(robot, "This week", PROSE, 1));
        assert_eq!(
            (mails.len(), aside(&stage)),
            (0, Some("automatic mail: its sender is a program")),
            "{robot}"
        );
    }
    for person in PEOPLE {
        assert_eq!(stage.receive(&letter(person, "help", "", 1)).len(), 1, "{person}");
    }
}

#[test]
fn a_subject_of_a_report_or_an_absence_gets_no_answer_and_no_persons_subject_is_taken_for_one() {
    let mut stage = Stage::with_players();
    for subject in AUTOMATIC {
        for from in ["stranger@example.com", "ann@example.org"] {
            let mails = stage.mail(from, subject, "I am away until Monday.\n\nAnn\n");
            assert!(mails.is_empty(), "{subject}: {}", mails[0].text);
            let why = aside(&stage).unwrap_or_else(|| panic!("not set aside: {subject}"));
            assert!(why.contains("its Subject") || why.contains("automatic reply"), "{subject}: {why}");
        }
    }
    for subject in HUMAN {
        let mails = stage.mail("ann@example.org", subject, "Hello, how does this work?\n");
        assert_eq!((mails.len(), aside(&stage)), (1, None), "{subject}");
        stage.wait(1);
    }
}

#[test]
fn a_players_address_is_a_persons_whatever_it_is_called() {
    let mut stage = Stage::new();
    // Nobody plays from a mail server's own address.
    let robots = ROBOTS.iter().filter(|address| !address.to_lowercase().starts_with("mail"));
    for (n, address) in robots.enumerate() {
        let signup = format!("signup player{n} plover-42 {address}");
        let (said, done, _) = stage.submit(turnpost::mail::Operator::Nobody, &signup);
        assert!(done, "{said}");
        let mails = stage.mail(address, "who", "");
        assert!(mails.iter().any(|mail| mail.to == *address), "{address}: {:?}", stage.outcome);
        let mails = stage.mail(address, "a question", "What shall I write?\n");
        assert!(!mails.is_empty(), "{address}: {:?}", stage.outcome);
        // What tells of a mail that came back is no letter, even from there.
        let report = "Your message to bob@example.net could not be delivered:\n550 5.1.1 user unknown\n";
        let news =
            "{\"type\":\"Delivery\"}\n\nPlease do not reply to this mail. To unsubscribe, visit our site.\n";
        for text in [report, news] {
            assert_eq!(stage.mail(address, &format!("Notice {n}"), text), [], "{address}: {text}");
        }
    }
}

#[test]
fn a_command_is_a_persons_whatever_its_subject_says_and_an_absence_that_quotes_one_is_none() {
    let mut stage = Stage::with_players();
    // `message` is a command, which these Subjects would be.
    for subject in AUTOMATIC.iter().filter(|subject| !subject.starts_with("Message ")) {
        let mails = stage.mail("ann@example.org", subject, &format!("set ann {ANN} digest on\n"));
        assert_eq!((mails.len(), aside(&stage)), (1, None), "{subject}");
        stage.wait(1);
        // A note that quotes our help below its own words, and one whose first word is a command's.
        for note in [
            format!("I am away.\n\nYou wrote:\ndvonn resign 1 ann {ANN}\n"),
            "help desk closed\nresign\n".to_owned(),
            "resign\n".to_owned(),
        ] {
            let mails = stage.mail("ann@example.org", subject, &note);
            assert_eq!((mails.len(), aside(&stage).is_some()), (0, true), "{subject}: {note}");
        }
    }
}

#[test]
fn an_absence_note_to_a_reply_address_plays_nothing() {
    let mut stage = Stage::with_a_game();
    let board = stage.left.iter().find(|mail| mail.to == "ann@example.org" && mail.raw().contains("+b1."));
    let raw = board.unwrap().raw();
    let to = raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap().to_owned();
    let to = to.rsplit_once('<').map_or(to.as_str(), |(_, to)| to.trim_end_matches('>')).to_owned();
    for (n, subject) in AUTOMATIC.iter().enumerate() {
        let note = format!(
            "Return-Path: <ann@example.org>\r\nDelivered-To: {to}\r\nFrom: ann@example.org\r\nTo: {to}\r\n\
             Subject: {subject}\r\nMessage-ID: <away.{n}@example.org>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
             D1-E1\r\nresign\r\n"
        );
        let mails = stage.receive(note.as_bytes());
        assert!(mails.is_empty(), "{subject}: {}", mails[0].text);
        assert!(aside(&stage).is_some(), "{subject}");
    }
    assert_eq!(stage.store.board("1".parse().unwrap()).unwrap().unwrap().plies.0, 0);
}

/// Over LMTP too, with the reason in the log.
#[test]
fn the_daemon_knows_robots_from_players() {
    let host = Host::new();
    let players = "signup ann plover-42 ann@example.org\nsignup zoe dunlin-7 zoe-noreply@example.net\n";
    host.run(&["submit"], players.as_bytes()).ok();
    let served = Served::start(&host, &[]);
    let mut client = served.connect();
    client.takes(&letter("newsalerts-noreply@example.com", "This week", PROSE, 1));
    served.wait_for("mail set aside: automatic mail: its sender is a program");
    client.takes(&letter("ann@example.org", "Undeliverable: x", PROSE, 2));
    served.wait_for("mail set aside: automatic mail: its Subject is that of a report");
    client.takes(&letter("zoe-noreply@example.net", "who", "", 3));
    host.wait_for_mails(1);
    assert_eq!(host.sent()[0].to, "zoe-noreply@example.net");
    client.takes(&letter("ann@example.org", "failure notice", "who ann plover-42\nset ann plover-42\n", 4));
    client.takes(&letter("ann@example.org", "failure notice", "set ann plover-42\n", 5));
    host.wait_for_mails(2);
    served.stop();
    host.assert_verified();
}
