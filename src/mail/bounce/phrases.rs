//! What mail servers write in reports, in lower case. A phrase stands here when reports of real servers use it, and
//! people's letters and absence notes hardly do.

/// Delivery was given up, or goes on, because no server answered in time. These outweigh every code: servers close
/// such reports with 5.x.x too.
pub(super) const IN_TIME: &[&str] = &[
    "retry time not reached", "retry timeout exceeded", "retry limit exceeded",
    "delivery temporarily suspended", "temporarily deferred", "in the queue too long",
    "queued for too long", "too long in the queue", "message expired", "message has expired",
    "message timed out", "delivery expired", "queue expired", "delivery time expired", "delivery timed out",
    "has not been collected after", "within the allowed queue period", "delivery attempts will continue",
    "will be retried", "will retry", "will continue to try", "keep trying", "kept trying", "still trying",
    "still being retried", "only a temporary failure", "this is a warning message only",
    "this is just a warning", "advisory-only", "no action is required on your part",
    "do not need to re-send", "do not need to resend", "don't need to resend", "has been postponed",
    "not yet been delivered", "has been delayed", "is delayed", "was delayed", "delivery delayed",
    "delayed mail", "(delay)", "still undelivered", "still in queue", "still in the queue",
    "not been delivered yet", "not be delivered yet", "message frozen", "temporarily over quota",
    "greylist", "graylist",
];

/// The same, where a number of hours or days follows: `for 4 days`, not `for the following reason`.
pub(super) const FOR_SO_LONG: &[&str] = &[
    "could not be delivered for", "cannot send message for", "could not send message for",
    "could not send mail for", "could not deliver for", "unable to deliver in", "unable to deliver for",
    "not delivered within", "not be delivered within", "not been delivered after",
    "cannot be delivered after", "could not be delivered after", "failed to deliver after",
    "undelivered after", "undelivered for", "not been delivered in", "been trying for", "tried for",
    "retried for", "expired after", "was aborted after",
];

/// It may pass, unless a code says that it does not.
pub(super) const PASSING: &[&str] = &[
    "try again later", "retry your message later", "retry later", "temporary failure", "temporary error",
    "temporary problem", "temporary delivery", "transient failure", "temporarily unavailable",
    "temporarily rejected", "temporarily blocked", "verzögert", "vorübergehend", "weiterhin versuch",
    "erneut versuch", "retardé", "temporairement", "retrasad", "demorad", "temporalmente", "ritardat",
    "temporaneamente", "vertraagd", "tijdelijk", "atrasad", "temporariamente", "försenad", "tillfälligt",
    "forsinket", "midlertidig", "viivästy", "задерж", "отложен", "временно", "затриман", "opóźnion",
    "tymczasow", "zpožděn", "dočasn", "késleltet", "întârziat", "gecikti", "geçici", "遅延", "遅れ", "一時的",
    "延迟", "延遲", "暂时", "暫時", "지연", "일시적",
];

/// The other server was not reached. It is temporary, unless a code says that the address is bad.
pub(super) const UNREACHED: &[&str] = &[
    "timed out", "timeout", "time-out", "connection refused", "connection reset",
    "connection was dropped", "connection dropped", "lost connection", "requests to connect",
    "could not connect", "cannot connect", "unable to connect", "couldn't connect",
    "couldn't establish an smtp connection", "wasn't able to establish an smtp connection",
    "network is unreachable", "network unreachable", "no route to host", "network error",
    "host is unreachable", "host unreachable", "not responding", "did not respond", "socket error",
    "host not found, try again", "deferred:", "connection problem", "zeitüberschreitung",
];

/// A mailbox that has no room, as far as it is known from words.
pub(super) const FULL: &[&str] = &[
    "quota", "mailbox is full", "mailbox full", "mailbox size limit", "mailbox for user is full",
    "full mailbox", "inbox is full", "storage limit", "storage space", "out of storage",
    "storage allocation", "disk full", "disk space", "insufficient system storage", "enough space",
    "not enough storage", "exceeded the local limit", "exceeds allowed size",
    "exceeds the maximum size allowed for mail delivery", "space has been used up", "would exceed",
    "too many messages on", "too much mail data", "mailfolder is full", "mail box full", "mailbox_full",
    "mailboxfull", "over the limit", "postfach voll", "postfach ist voll", "boîte pleine",
    "boite du destinataire pleine", "boîte aux lettres pleine", "buzón lleno", "buzón está lleno",
    "casella piena", "casella è piena", "postvak is vol", "mailbox is vol", "caixa cheia",
    "caixa de correio está cheia", "переполнен", "メールボックスがいっぱい", "容量", "已满", "已滿", "용량",
];

/// A filter or a rule of the other server took offence at the mail or at us, not at the address.
pub(super) const REFUSED: &[&str] = &[
    "spam", "blocked", "block list", "blocklist", "blacklist", "black list", "black-listed", "denylist",
    "dnsbl", " rbl", "uribl", "surbl", "reputation", "dmarc", "dkim", " spf", "unauthenticated",
    "not authenticated", "authentication required", "authentication-results", "content filter",
    "content rejected", "content-filter", "message content", "filtered", "virus", "malware", "phish",
    "bulk email", "bulk mail", "unsolicited", "policy", "policies", "banned", "poor sending",
    "suspicious", "reverse dns", "ptr record", "rdns", "helo command rejected",
    "sender address rejected", "sender denied", "sender rejected", "sender verify failed",
    "sender domain", "bad sender", "relay", "too large", "too big", "message size", "size limit",
    "maximum size", "exceeds size", "line limit", "too many", "rate limit", "limit exceeded", " tls",
    "starttls", "mail loop", "loops back", "loop detected", "message rejected", "mail rejected",
    "not permitted", "not allowed", "not accepting messages from", "restricted",
    "delivery restrictions", "security", "attachment", "postgrey", "迷惑メール", "スパム", "垃圾",
];

/// The address is gone or never was. These outweigh [`REFUSED`]: filters call unknown users by many names.
pub(super) const NOBODY: &[&str] = &[
    "user unknown", "unknown user", "user_unknown", "userunknown", "no such user", "no such mailbox",
    "no such recipient", "no such address", "no such account", "no such person", "no such local user",
    "no such domain", "no mailbox here", "no mailbox by that name", "no account by that name",
    "no existe", "mailbox not found", "mailbox unknown", "mailbox unavailable",
    "mailbox does not exist", "mailbox disabled", "mailbox is disabled", "mailbox is inactive",
    "mailbox inactive", "unknown recipient", "recipient unknown", "recipient not found",
    "recipnotfound", "recipientnotfound", "unknown address", "address unknown", "address not found",
    "unknown local part", "unknown local-part", "unknown mailbox", "unknown account", "unknown host",
    "host unknown", "unknown domain", "domain unknown", "domain not found", "host not found",
    "unrouteable", "unroutable", "invalid recipient", "invalid mailbox", "invalid user",
    "invalid address", "user invalid", "malformed address", "not a valid mailbox", "not a valid user",
    "not a known user", "not an active address", "not listed in", "user not found", "user is not found",
    "user not known", "not our customer", "address does not exist", "address doesn't exist",
    "account does not exist", "account that you tried to reach does not exist",
    "account that you tried to reach is disabled", "account is disabled", "account disabled",
    "account has been disabled", "account is inactive", "account inactive", "address couldn't be found",
    "address could not be found", "couldn't be found", "no longer in use", "no longer valid",
    "no longer active", "no longer accepts mail", "recipient address rejected", "is possibly incorrect",
    "empfänger unbekannt", "unbekannter empfänger", "benutzer unbekannt", "unbekannter benutzer",
    "existiert nicht", "n'existe pas", "destinataire inconnu", "destinataire invalide", "introuvable",
    "usuario desconocido", "destinatario desconocido", "non esiste", "utente sconosciuto",
    "destinatario sconosciuto", "bestaat niet", "onbekende gebruiker", "onbekende ontvanger",
    "não existe", "usuário desconhecido", "utilizador desconhecido", "destinatário desconhecido",
    "не существует", "пользователь не найден", "неизвестный пользователь", "адрес не найден",
    "не існує", "finns inte", "findes ikke", "finnes ikke", "ei ole olemassa", "nie istnieje",
    "neexistuje", "nem létezik", "nu există", "mevcut değil", "bulunamadı", "δεν υπάρχει", "לא קיים",
    "غير موجود", "存在しません", "存在しない", "見つかりません", "宛先不明", "ユーザー不明", "リストにありません", "ユーザが不明", "不存在", "존재하지 않",
    "찾을 수 없",
];

/// A failure for good, in reports without a code.
pub(super) const FAILED: &[&str] = &[
    "\"bouncetype\":\"permanent\"", "undeliverable", "undelivered", "not deliverable",
    "non-deliverable", "nondeliverable", "cannot be delivered", "can't be delivered",
    "can not be delivered", "could not be delivered", "couldn't be delivered", "couldn't deliver",
    "could not deliver", "cannot deliver", "was not delivered", "wasn't delivered",
    "not been delivered", "unable to deliver", "unable to send", "not able to be delivered",
    "able to deliver your message", "delivery failed", "delivery failure", "delivery has failed",
    "delivery to the following", "failed delivery", "failed to deliver", "failed permanently",
    "failure notice", "mail failure", "permanent error", "permanent failure", "permanent fatal error",
    "did not reach the following", "returned mail", "returned to sender", "returning message to sender",
    "returning your message", "had delivery problems", "had delivery errors", "error delivering",
    "trouble delivering", "error sending your mail", "unzustellbar", "nicht zugestellt",
    "nicht zustellbar", "zustellung fehlgeschlagen", "nicht ausgeliefert", "non remis", "pu être remis",
    "pu être distribué", "pu être délivré", "pas été remis", "pas été distribué", "non distribuable",
    "échec de la remise", "échec de remise", "échec de la distribution", "no se pudo entregar",
    "no se puede entregar", "no se ha podido entregar", "no pudo ser entregad",
    "no ha podido ser entregad", "no entregado", "error en la entrega", "non recapitabile",
    "mancato recapito", "mancata consegna", "impossibile recapitare", "possibile recapitare",
    "stato recapitato", "possibile consegnare", "onbestelbaar", "niet worden bezorgd",
    "niet worden afgeleverd", "niet afgeleverd", "niet bezorgd", "pôde ser entregue",
    "possível entregar", "não entregue", "foi entregue", "falha na entrega", "недоставленн",
    "может быть доставлен", "не доставлен", "не удалось доставить", "не было доставлен",
    "невозможно доставить", "може бути доставлен", "не вдалося доставити", "kunde inte levereras",
    "att leverera", "inte levererats", "kunne ikke leveres", "kan ikke leveres", "ikke leveret",
    "ikke levert", "voitu toimittaa", "toimittaminen epäonnistui", "nie dostarczono",
    "można dostarczyć", "zostać dostarczon", "niedostarcz", "nelze doručit", "možné doručit", "nedoruč",
    "kézbesíthet", "sikerült kézbesíteni", "putut fi livrat", "nelivrat", "teslim edilem",
    "iletilemedi", "δυνατή η παράδοση", "δεν παραδόθηκε", "לא נמסר", "ניתן למסור", "تعذر تسليم",
    "لم يتم تسليم", "配信できません", "配信不能", "配信できなかった", "配信に失敗", "配達できません", "送信できません", "送信できない", "送信に失敗",
    "届けることができません", "お届けできません", "お届けできませんでした", "届きません", "送達できません", "退信", "退回", "无法投递", "投递失败", "無法投遞",
    "无法送达", "無法傳遞", "无法传递", "未送达", "发送失败", "전송 실패", "발송 실패", "배달되지 않", "배달할 수 없", "전달할 수 없", "전달되지 않",
    "반송",
];

/// Loose words for a failure, believed only of a program.
pub(super) const FAILED_SAYS_A_PROGRAM: &[&str] = &[
    "permanent", "unknown", "not exist", "not found", "no such", "invalid", "incorrectly constructed",
    "rejected", "refused", "not accepted", "not recognized", "not recognised", "did not like our",
    "bounced", "failed", "disabled", "expired",
];

/// What people's absence notes say.
pub(super) const ABSENT: &[&str] = &[
    "out of the office", "out of office", "on vacation", "on holiday", "on annual leave", "on leave",
    "maternity leave", "parental leave", "sabbatical", "i am away", "i'm away", "i will be away",
    "i'll be away", "i am currently", "i'm currently", "currently away", "i will be out", "i'll be out",
    "be traveling", "be travelling", "am traveling", "am travelling", "upon my return", "on my return",
    "when i return", "i will return", "i will be back", "i'll be back", "limited access to",
    "intermittent access", "no longer work", "no longer with", "no longer employed", "left the company",
    "auto-reply", "autoreply", "automatic reply", "automatic response", "abwesend", "abwesenheit",
    "im urlaub", "nicht im büro", "nicht im haus", "außer haus", "automatische antwort", "absent",
    "en congé", "en vacances", "réponse automatique", "hors du bureau", "fuera de la oficina",
    "de vacaciones", "ausente", "respuesta automática", "fuori ufficio", "fuori sede", "in ferie",
    "assente", "risposta automatica", "afwezig", "op vakantie", "met vakantie", "automatisch antwoord",
    "semester", "inte på kontoret", "frånvar", "autosvar", "automatiskt svar", "automatisk svar",
    "på ferie", "fravær", "ikke på kontoret", "lomalla", "poissa", "automaattinen vastaus", "de férias",
    "fora do escritório", "resposta automática", "отпуск", "отсутств", "автоответ", "відпуст",
    "відсутн", "urlop", "nieobecn", "poza biurem", "dovolen", "nepřítom", "szabadság", "házon kívül",
    "concediu", "tatil", "izinde", "ofis dışı", "εκτός γραφείου", "άδεια", "απουσ", "בחופשה",
    "מחוץ למשרד", "不在", "休暇", "出張", "自動返信", "自动回复", "自動回覆", "休假", "부재", "휴가",
];
