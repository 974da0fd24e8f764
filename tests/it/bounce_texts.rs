//! Reports in words, as servers of many makes and countries write them, come to an envelope sender of ours. Some come
//! from addresses that no server's name gives away.

use turnpost::mail::ServerIdentity;
use turnpost::mail::bounce::{Cause, Status, verp};
use turnpost::mail::incoming::{Envelope, EnvelopeSender, Ignored, Incoming, read};

const GONE: Option<(Status, Cause)> = Some((Status::Permanent, Cause::Address));
const FULL: Option<(Status, Cause)> = Some((Status::Permanent, Cause::Full));
const REFUSED: Option<(Status, Cause)> = Some((Status::Permanent, Cause::Refused));
const PASSES: Option<(Status, Cause)> = Some((Status::Temporary, Cause::Address));

/// What a report says, by From, Subject and text.
fn said(from: &str, subject: &str, text: &str) -> Option<(Status, Cause)> {
    let server = ServerIdentity {
        name: "Turnpost".to_owned(),
        address: "play@turnpost.example".to_owned(),
        aliases: Vec::new(),
        host: "turnpost.example".to_owned(),
        authserv_id: None,
        extensions: true,
    };
    let to = verp(&server, 42, b"key");
    let envelope = Envelope { sender: Some(EnvelopeSender::Null), recipient: Some(to.clone()) };
    let mail = format!(
        "From: {from}\r\nTo: {to}\r\nSubject: {subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    );
    match read(mail.as_bytes(), &envelope, &server) {
        Incoming::Ignored { why: Ignored::Report { report, .. }, .. }
        | Incoming::Doubtful { why: Ignored::Report { report, .. }, .. } => {
            report.overall().map(|status| (status, report.cause))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn servers_of_many_makes() {
    let daemon = "Mail Delivery System <MAILER-DAEMON@mx.example>";
    let admin = "System Administrator <admin@corp.example>";
    for (from, subject, text, expected) in [
        // Exim, qmail, Postfix, Sendmail, Courier, OpenSMTPD, MDaemon.
        (
            daemon,
            "Mail delivery failed: returning message to sender",
            "A message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  bob@example.net\n    Unrouteable address",
            GONE,
        ),
        (
            daemon,
            "Mail delivery failed: returning message to sender",
            "  bob@example.net\n    retry timeout exceeded",
            PASSES,
        ),
        (
            daemon,
            "Mail delivery failed",
            "  bob@example.net\n    SMTP error from remote mail server after RCPT TO:<bob@example.net>:\n    host mx.example.net [192.0.2.7]: 550 5.1.1 <bob@example.net>: user unknown:\n    retry timeout exceeded",
            PASSES,
        ),
        (
            daemon,
            "Warning: message 1a-B-c delayed 24 hours",
            "This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue on mx.example.\nNo action is required on your part.",
            PASSES,
        ),
        (
            daemon,
            "failure notice",
            "Hi. This is the qmail-send program at mx.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<bob@example.net>:\nSorry, no mailbox here by that name. vpopmail (#5.1.1)",
            GONE,
        ),
        (
            daemon,
            "failure notice",
            "<bob@example.net>:\nSorry, I wasn't able to establish an SMTP connection. (#4.4.1)\nI'm not going to try again; this message has been in the queue too long.",
            PASSES,
        ),
        (
            daemon,
            "failure notice",
            "<bob@example.net>:\nCNAME lookup failed temporarily. (#4.4.3)\nI'm not going to try again; this message has been in the queue too long.",
            PASSES,
        ),
        (
            daemon,
            "Undelivered Mail Returned to Sender",
            "<bob@example.net>: host mx.example.net[192.0.2.7] said: 452 4.2.2 Over quota\n    (in reply to RCPT TO command)",
            PASSES,
        ),
        (
            daemon,
            "Undelivered Mail Returned to Sender",
            "<bob@example.net>: delivery temporarily suspended: lost connection with\n    mx.example.net[192.0.2.7] while receiving the initial server greeting",
            PASSES,
        ),
        (
            daemon,
            "Undelivered Mail Returned to Sender",
            "<bob@example.net>: Host or domain name not found. Name service error for\n    name=example.net type=A: Host not found",
            GONE,
        ),
        (
            daemon,
            "Returned mail: Host unknown (Name server: example.net: host not found)",
            "   ----- The following addresses had permanent fatal errors -----\n<bob@example.net>",
            GONE,
        ),
        (
            daemon,
            "Warning: could not send message for past 4 hours",
            "    **      THIS IS A WARNING MESSAGE ONLY      **\n    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **",
            PASSES,
        ),
        (
            daemon,
            "Returned mail: Cannot send message for 5 days",
            "<bob@example.net>... Deferred: Connection refused by mx.example.net.\nMessage could not be delivered for 5 days\nMessage will be deleted from queue",
            PASSES,
        ),
        (
            "MDaemon@mx.example",
            "[Postmaster] Permanent Delivery Failure",
            "Failed address: bob@example.net\n\n--- Session Transcript ---\n<-- 550 <bob@example.net>, Recipient unknown",
            GONE,
        ),
        // Exchange, Outlook, Domino, Groupwise, Zimbra, MailEnable, Notes, X.400.
        (
            admin,
            "Undeliverable: dvonn 1, ann v bob",
            "Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\n      bob@example.net on 11/20/2026 10:01 AM\n            The e-mail account does not exist at the organization this message was sent to.\n            <mx.example.net #5.1.1>",
            GONE,
        ),
        (
            admin,
            "Unzustellbar: dvonn 1, ann v bob",
            "Ihre Nachricht hat einige oder alle Empfänger nicht erreicht.\n\nDie E-Mail-Adresse konnte nicht gefunden werden.\n#550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup##",
            GONE,
        ),
        (
            admin,
            "Non remis : dvonn 1, ann v bob",
            "Échec de la remise pour ces destinataires ou groupes :\nbob@example.net\nLa boîte aux lettres du destinataire est pleine.\n#554 5.2.2 mailbox full##",
            FULL,
        ),
        (
            admin,
            "No se puede entregar: dvonn 1",
            "Error al entregar a estos destinatarios: bob@example.net. 550 5.1.1 User unknown",
            GONE,
        ),
        (
            admin,
            "Non recapitabile: dvonn 1",
            "Impossibile recapitare il messaggio a bob@example.net: utente sconosciuto",
            GONE,
        ),
        (
            admin,
            "Onbestelbaar: dvonn 1",
            "Uw bericht kon niet worden bezorgd bij bob@example.net. Het e-mailadres bestaat niet.",
            GONE,
        ),
        (
            admin,
            "DELIVERY FAILURE: User bob (bob@example.net) not listed in Domino Directory",
            "Your message was not delivered to: bob@example.net because: User bob not listed in Domino Directory",
            GONE,
        ),
        (
            admin,
            "Mail System Error - Returned Mail",
            "The message that you sent was undeliverable to the following: bob (user not found)",
            GONE,
        ),
        (
            admin,
            "Message Delivery Failure",
            "MailEnable: Message Delivery Failure.\n\nReason: ME-E0049: [bob@example.net] Remote SMTP Server Returned: 550 5.1.1 no such user",
            GONE,
        ),
        (
            "postmaster@x400.example",
            "Delivery Report (failure) for bob@example.net",
            "Unknown Address\nMTS Status: diagnostic code unrecognised-OR-name",
            GONE,
        ),
        // Large providers.
        (
            "mailer-daemon@googlemail.com",
            "Delivery Status Notification (Failure)",
            "Address not found\n\nYour message wasn't delivered to bob@example.net because the address couldn't be found, or is unable to receive mail.\n\nThe response from the remote server was:\n550 5.1.1 The email account that you tried to reach does not exist. Please try\n5.1.1 double-checking the recipient's email address",
            GONE,
        ),
        (
            "mailer-daemon@googlemail.com",
            "Delivery Status Notification (Delay)",
            "Delivery incomplete\n\nThere was a temporary problem delivering your message to bob@example.net. Gmail will retry for 46 more hours.",
            PASSES,
        ),
        (
            "mailer-daemon@googlemail.com",
            "Delivery Status Notification (Failure)",
            "Message blocked\n\nYour message to bob@example.net has been blocked. See technical details below.\n550 5.7.26 This mail has been blocked because the sender is unauthenticated.",
            REFUSED,
        ),
        (
            "mailer-daemon@googlemail.com",
            "Delivery Status Notification (Failure)",
            "The recipient's inbox is full. 552 5.2.2 The email account that you tried to reach is over quota.",
            FULL,
        ),
        (
            "MAILER-DAEMON@yahoo.example",
            "Failure Notice",
            "Sorry, we were unable to deliver your message to the following address.\n\n<bob@example.net>:\n554: 554 delivery error: dd This user doesn't have a yahoo.example account (bob@example.net) [0]",
            GONE,
        ),
        (
            "MAILER-DAEMON@yahoo.example",
            "Failure Notice",
            "<bob@example.net>:\nRemote host said: 421 4.7.0 [TS01] Messages from 192.0.2.1 temporarily deferred due to user complaints",
            PASSES,
        ),
        // Countries.
        (
            "postmaster@t-online.example",
            "Mail konnte nicht zugestellt werden",
            "Die Nachricht an bob@example.net konnte nicht zugestellt werden: Benutzer unbekannt",
            GONE,
        ),
        (
            "service@laposte.example",
            "Message non distribué",
            "Votre message n'a pas pu être distribué à bob@example.net : destinataire inconnu",
            GONE,
        ),
        (
            "info@correo.example",
            "Correo devuelto",
            "Su mensaje no pudo ser entregado. El buzón está lleno.",
            FULL,
        ),
        (
            "info@libero.example",
            "Avviso di mancata consegna",
            "Il messaggio non è stato recapitato: la casella è piena.",
            FULL,
        ),
        (
            "poczta@wp.example",
            "Zwrot poczty",
            "Wiadomość nie mogła zostać dostarczona: użytkownik nie istnieje",
            GONE,
        ),
        ("posta@seznam.example", "Nedoručitelná zpráva", "Zprávu nelze doručit, adresa neexistuje.", GONE),
        (
            "robot@mail.example",
            "Недоставленное сообщение",
            "Ваше письмо не может быть доставлено одному или нескольким получателям: пользователь не найден",
            GONE,
        ),
        (
            "mail@docomo.example",
            "Mail",
            "次のあて先へのメッセージはエラーのため送信できませんでした。\n送信先メールアドレスが見つかりません。\n<bob@example.net>",
            GONE,
        ),
        ("post@qq.example", "系统退信", "您的邮件被退回，原因：收件人邮箱不存在", GONE),
        ("post@163.example", "系统退信/Systems bounce", "抱歉，您的邮件被退回来了……\n收件人信箱已满", FULL),
        (
            "post@naver.example",
            "발송 실패",
            "메일이 정상적으로 발송되지 못했습니다. 존재하지 않는 사용자입니다.",
            GONE,
        ),
        ("posta@mynet.example", "Teslim edilemedi", "İletiniz teslim edilemedi: kullanıcı bulunamadı", GONE),
        // From whomever: with an envelope sender of ours the text is enough.
        (
            "Bob <bob@example.net>",
            "dvonn 1",
            "Your message to bob@example.net could not be delivered: user unknown.",
            GONE,
        ),
        ("support@corp.example", "Your mail", "This mailbox does not exist.", GONE),
        (
            "filter@corp.example",
            "Your mail",
            "Your message was not delivered: it was blocked as spam.",
            REFUSED,
        ),
        (
            "filter@corp.example",
            "Your mail",
            "Your message could not be delivered for the following reason: mailbox is full",
            FULL,
        ),
    ] {
        assert_eq!(said(from, subject, text), expected, "{subject}\n{text}");
    }
}

#[test]
fn absence_notes_and_other_answers_count_nothing() {
    let bob = "Bob <bob@example.net>";
    for (from, subject, text) in [
        (
            bob,
            "Re: dvonn 1, ann v bob",
            "I am out of the office until 5.1.27. Mail that could not be delivered is not read. Call 550 5511.",
        ),
        (
            bob,
            "Automatic reply: dvonn 1",
            "I am no longer with the company and this address does not exist any more. 550 5.1.1",
        ),
        (bob, "Abwesenheitsnotiz", "Ich bin im Urlaub. Diese Adresse existiert nicht mehr lange."),
        (bob, "Re: dvonn 1", "Je suis absent. Votre message n'a pas pu être remis."),
        (bob, "自動返信: dvonn 1", "休暇をいただいております。このメールアドレスは存在しません。"),
        (bob, "Re: dvonn 1", "Thank you for your mail. Our office is at 550 Main Street, room 5.1.1."),
        (bob, "Re: dvonn 1, ann v bob", "D1-E1\n\n> 550 5.1.1 user unknown\n> could not be delivered"),
        (bob, "Thank you for contacting us", "Your ticket number is 5.1.1. We answer within 450 hours."),
        ("no-reply@example.net", "Your request has been received", "Ticket 550."),
        (bob, "hello", "help"),
    ] {
        assert_eq!(said(from, subject, text), None, "{subject}\n{text}");
    }
}
