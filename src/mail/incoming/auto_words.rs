//! Words of automatic mail: in addresses, and at the beginning of Subjects in the languages of the world.
//!
//! All in lower case. Two lists a kind: what only a program writes, and what a person may also begin with; the latter
//! counts only where nothing but punctuation or a date follows.

/// Local parts of programs without their separators: `no-reply`, `no.reply` and `noreply` are one.
pub(super) const ROBOTS: &[&str] = &[
    "mailerdaemon", "maildaemon", "mdaemon", "postmaster", "maildeliverysystem",
    "maildeliverysubsystem", "noreply", "noreplies", "noresponse", "donotreply", "donotrespond",
    "donotanswer", "dontreply", "neverreply", "unattended", "unmonitored", "autoreply", "autoresponder",
    "autoresponse", "autorespond", "autoanswer", "autoconfirm", "automailer", "bounce", "bounces",
    "bounced", "notification", "notifications", "listserv", "listmaster", "majordomo", "mailman",
    "nichtantworten", "bittenichtantworten", "keineantwort", "nepasrepondre", "noresponder",
    "nocontestar", "naoresponda", "naoresponder", "nonrispondere", "nietbeantwoorden", "nietantwoorden",
];

/// Robots that write reports.
pub(super) const DAEMONS: &[&str] = &[
    "mailerdaemon", "maildaemon", "mdaemon", "postmaster", "poostmaster", "maildeliverysystem",
    "maildeliverysubsystem",
];

/// Beginnings of the Subjects of reports.
pub(super) const REPORTS: &[&str] = &[
    "undeliverable", "undelivered", "undeliver", "returned mail", "returned message", "returned to sender",
    "mail returned", "mail failure", "mail system error", "mail could not be delivered",
    "mail undeliverable", "delivery status", "delivery failure", "delivery failed", "delivery has failed",
    "delivery notification", "delivery report", "delivery receipt", "delivery error", "delivery problem",
    "delivery delayed", "delivery delay", "delivery unsuccessful", "delivery incomplete", "delayed mail",
    "delayed delivery", "failure notice", "failure delivery", "failed delivery", "failed mail",
    "failed to deliver", "could not send message", "message delayed", "message undeliverable",
    "message not delivered", "message could not be delivered", "message status - undeliverable",
    "message you sent blocked", "message blocked", "message rejected", "message returned",
    "warning: could not send", "warning--could not send", "warning: message", "warning: mail",
    "non-delivery", "nondelivery", "nondeliverable", "non-deliverable", "not delivered",
    "permanent delivery failure", "permanent failure", "postmaster notify", "[postmaster]",
    "notice: mail delivery", "there was an error sending your mail", "your message could not be delivered",
    "your mail could not be delivered", "rejected mail", "rejected:", "user unknown", "unknown user",
    "address not found", "mailbox full", "bounced mail",
    "bounced message", "bounced email", "mail not delivered", "email not delivered", "e-mail not delivered",
    "mail rejected", "email rejected", "message refused", "unable to deliver", "could not deliver",
    "problem delivering", "error sending your", "unknown address", "address unknown", "invalid address", "mailbox is full", "over quota", "quota exceeded",
    "return receipt", "read receipt", "not read:", "read:", "delivered:", "relayed:", "expanded:",
    "mail delivery failed", "mail delivery failure", "mail delivery failures", "mail delivery error",
    "mail delivery problem", "mail delivery status", "mail delivery subsystem", "mail delivery system",
    "mail delivery notification", "mail delivery report", "mail delivery delayed",
    "mail delivery unsuccessful", "mail delivery has failed", "mail delivery impossible",
    "mail delivery warning", "email delivery failed", "email delivery failure", "email delivery failures",
    "email delivery error", "email delivery problem", "email delivery status",
    "email delivery notification", "email delivery report", "email delivery delayed",
    "email delivery unsuccessful", "email delivery has failed", "email delivery impossible",
    "email delivery warning", "e-mail delivery failed", "e-mail delivery failure",
    "e-mail delivery failures", "e-mail delivery error", "e-mail delivery problem",
    "e-mail delivery status", "e-mail delivery notification", "e-mail delivery report",
    "e-mail delivery delayed", "e-mail delivery unsuccessful", "e-mail delivery has failed",
    "e-mail delivery impossible", "e-mail delivery warning", "message delivery failed",
    "message delivery failure", "message delivery failures", "message delivery error",
    "message delivery problem", "message delivery status", "message delivery notification",
    "message delivery report", "message delivery delayed", "message delivery unsuccessful",
    "message delivery has failed", "message delivery impossible", "message delivery warning",
    // German, French, Spanish.
    "unzustellbar", "nicht zustellbar", "nicht zugestellt", "nachricht nicht zugestellt",
    "nachricht unzustellbar", "mail unzustellbar", "zustellung fehlgeschlagen", "zustellung verzögert",
    "zustellungsbenachrichtigung", "zustellbenachrichtigung", "zustellbericht", "fehler bei der zustellung",
    "fehlgeschlagene zustellung", "benachrichtigung zum übermittlungsstatus",
    "benachrichtigung über den zustellungsstatus", "übermittlungsstatus", "unzustellbarkeit", "gelesen:", "lesebestätigung",
    "zugestellt:", "non remis", "non distribuable", "non délivré", "message non remis",
    "message non délivré", "courrier non remis", "échec de la remise", "échec de remise",
    "échec de la distribution", "échec de distribution", "échec de livraison", "echec de la remise",
    "echec de remise", "notification d'état de remise", "notification d'état de la distribution",
    "notification d'échec", "avis de non-remise", "avis de non remise", "rapport de non-remise", "lu :",
    "lu:", "no se puede entregar", "no se pudo entregar", "no se ha podido entregar", "no entregado",
    "no entregable", "correo devuelto", "correo no entregado", "mensaje devuelto", "mensaje no entregado",
    "mensaje no entregable", "notificación de estado de entrega", "notificación del estado de entrega",
    "entrega fallida", "error de entrega", "error en la entrega", "fallo en la entrega", "fallo de entrega",
    "leído:",
    // Italian, Dutch, Portuguese.
    "non recapitabile", "mancato recapito", "mancata consegna", "notifica di mancato recapito",
    "notifica di mancata consegna", "notifica stato del recapito", "notifica dello stato di consegna",
    "impossibile recapitare", "messaggio non recapitato", "messaggio non consegnato", "avviso di mancat",
    "errore di consegna", "letto:", "onbestelbaar", "niet bezorgd", "niet afgeleverd",
    "kan niet worden bezorgd", "bezorging mislukt", "aflevering mislukt", "melding van bezorgingsstatus",
    "bezorgingsstatus", "gelezen:", "não é possível entregar", "não foi possível entregar", "não entregue",
    "não entregável", "falha na entrega", "falha de entrega", "falha no envio",
    "notificação de status de entrega", "notificação de estado de entrega",
    "notificação do estado de entrega", "mensagem não entregue", "mensagem devolvida", "e-mail devolvido",
    "lida:", "lido:",
    // Slavic.
    "недоставлен", "не доставлен", "не удалось доставить", "невозможно доставить",
    "сообщение не доставлено", "ваше сообщение не доставлено", "письмо не доставлено",
    "уведомление о состоянии доставки", "уведомление о недоставке", "уведомление о доставке",
    "ошибка доставки", "прочитано:", "не вдалося доставити", "помилка доставки", "niedostarcz",
    "nie dostarczono", "powiadomienie o stanie dostarczenia", "zwrot poczty", "zwrot wiadomości",
    "błąd dostarcz", "nedoruč", "nelze doručit", "oznámení o stavu doručení", "chyba doručení",
    // Northern.
    "det gick inte att leverera", "kunde inte levereras", "olevererb", "ej levererat",
    "meddelande om leveransstatus", "leveransstatus", "leveransmisslyckande", "kan ikke leveres",
    "kunne ikke leveres", "ikke leveret", "ikke levert", "uleverbar", "uleveret", "leveringsstatus",
    "ei voi toimittaa", "ei voitu toimittaa", "viestiä ei", "toimittaminen epäonnistui",
    "toimitus epäonnistui", "toimitustila",
    // Others.
    "kézbesíthet", "kézbesítési", "sikertelen kézbesítés", "nelivrabil", "nu se poate livra",
    "mesaj nelivrat", "notificare privind starea livrării", "teslim edilem", "iletilemedi",
    "teslimat durumu", "αδύνατη η παράδοση", "δεν παραδόθηκε", "δεν είναι δυνατή η παράδοση",
    "ειδοποίηση κατάστασης παράδοσης", "לא ניתן למס", "לא נמסר", "הודעה שלא נמסרה", "تعذر التسليم",
    "تعذر تسليم", "غير قابل للتسليم", "配信不能", "配信不可", "配信できません", "配信エラー", "配信に失敗", "配信状況通知", "配信状態通知",
    "未配信", "送信エラー", "送信できません", "メール送信エラー", "メール配信エラー", "メールを送信できません", "宛先不明", "エラーメール", "開封済み", "開封通知",
    "退信", "系统退信", "系統退信", "邮件退回", "退件", "投递失败", "郵件無法", "邮件无法", "未送达", "未送達", "无法投递", "無法投遞", "无法送达",
    "無法傳遞", "无法传递", "传递状态通知", "傳遞狀態通知", "发送失败", "已读:", "배달되지 않", "배달 상태 알림", "배달 실패", "전송 실패", "발송 실패",
    "전달되지 않", "반송", "반송된 메일", "읽음:",
];

/// Beginnings of the Subjects of absence notes and other answers by programs.
pub(super) const ANSWERS: &[&str] = &[
    "automatic reply", "automatic response", "automatic answer", "automatic message", "automated reply",
    "automated response", "automated message", "auto-reply", "auto reply", "autoreply", "auto-response",
    "auto response", "autoresponse", "auto-responder", "autoresponder", "auto responder", "auto answer",
    "auto-answer", "auto:", "out of office", "out of the office", "out-of-office", "ooo:", "ooo -",
    "ooo re:", "not in the office", "not in office", "away from the office", "away from office",
    "away from my mail", "away from my desk", "i am currently out",
    "i am currently away", "currently out of", "currently away", "currently unavailable", "on annual leave",
    "vacation reply", "vacation response", "vacation notice", "vacation notification", "vacation auto",
    "vacation message", "holiday notice", "absence note", "away message", "away notice", "away notification", "absence message", "absence notice", "absence notification",
    "notice of absence", "thank you for your email", "thank you for your e-mail",
    "thank you for contacting", "thanks for contacting", "we have received your", "we've received your",
    "your message has been received", "your email has been received", "your request has been received",
    "acknowledgement of receipt", "i am out of the office", "i'm out of the office",
    // German.
    "automatische antwort", "automatische rückantwort", "automatische rückmeldung",
    "automatische nachricht", "automatische eingangsbestätigung", "automatisch generierte",
    "autom. antwort", "auto-antwort", "autoantwort", "abwesenheit", "ich bin nicht im", "urlaubsnotiz",
    "urlaubsmeldung", "urlaubsbenachrichtigung", "urlaubsabwesenheit", "nicht im büro", "nicht im haus",
    "außer haus", "ausser haus", "eingangsbestätigung",
    // French.
    "réponse automatique", "reponse automatique", "message automatique", "message d'absence",
    "avis d'absence", "notification d'absence", "absence du bureau", "absent du bureau",
    "absente du bureau", "hors du bureau", "accusé de réception",
    // Spanish.
    "respuesta automática", "respuesta automatica", "respuesta de fuera", "autorespuesta", "autorrespuesta",
    "auto respuesta", "auto-respuesta", "mensaje automático", "fuera de la oficina", "fuera de oficina",
    "aviso de ausencia",
    // Italian.
    "risposta automatica", "messaggio automatico", "fuori ufficio", "fuori sede", "fuori dall'ufficio",
    "avviso di assenza", "assente dall",
    // Dutch.
    "automatisch antwoord", "automatische reply", "automatisch bericht", "automatische beantwoording",
    "afwezigheid", "niet op kantoor", "buiten kantoor", "ontvangstbevestiging",
    // Swedish, Danish, Norwegian, Finnish.
    "autosvar", "automatiskt svar", "automatiskt meddelande", "ej på kontoret", "inte på kontoret",
    "jag är inte på", "automatisk svar", "automatisk besvarelse", "ikke på kontoret", "ikke til stede",
    "ude af kontoret", "ute av kontoret", "borte fra kontoret", "jeg er ikke på kontoret",
    "automaattinen vastaus", "automaattivastaus", "automaattinen viesti", "poissa toimistosta",
    // Portuguese.
    "resposta automática", "resposta automatica", "mensagem automática", "fora do escritório",
    "fora do escritorio", "fora da empresa", "aviso de ausência", "ausência temporária",
    // Russian, Ukrainian, Bulgarian, Serbian, Croatian, Slovenian.
    "автоматический ответ", "автоматическое уведомление", "автоматическое сообщение", "автоответ",
    "вне офиса", "нет на месте", "нет в офисе", "уведомление об отсутствии", "автоматична відповідь",
    "автовідповідь", "поза офісом", "відсутн", "автоматичен отговор", "извън офиса", "аутоматски одговор",
    "automatski odgovor", "samodejni odgovor",
    // Polish, Czech, Slovak.
    "automatyczna odpowiedź", "odpowiedź automatyczna", "autoodpowiedź", "poza biurem", "jestem nieobecn",
    "informacja o nieobecności", "automatická odpověď", "automatická odpoveď", "automaticka odpoved",
    "mimo kancelář", "mimo kancelári", "nejsem v kanceláři", "oznámení o nepřítomnosti",
    // Hungarian, Romanian, Turkish, Greek, Baltic.
    "automatikus válasz", "automatikus valasz", "házon kívül", "irodán kívül", "nem vagyok az irodában",
    "răspuns automat", "raspuns automat", "mesaj automat", "în afara biroului", "otomatik yanit",
    "otomatik cevap", "otomatik mesaj", "ofis dişinda", "ofis dişi", "αυτόματη απάντηση", "αυτόματο μήνυμα",
    "εκτός γραφείου", "automaatvastus", "automātiskā atbilde", "automatinis atsakymas",
    // Catalan, Hebrew, Arabic, Persian, Hindi.
    "resposta automàtica", "תשובה אוטומטית", "מענה אוטומטי", "הודעה אוטומטית", "לא במשרד", "איני במשרד",
    "رد تلقائي", "الرد التلقائي", "خارج المكتب", "پاسخ خودکار", "स्वचालित उत्तर",
    // Japanese, Chinese, Korean, Vietnamese, Thai, Indonesian.
    "自動返信", "自動応答", "自動送信", "自動配信", "不在通知", "不在のお知らせ", "不在の為", "不在のため", "不在:", "休暇のお知らせ", "休暇中", "休業のお知らせ",
    "出張中", "外出中", "自动回复", "自动答复", "自动应答", "自動回覆", "自動回復", "自動答覆", "不在办公室", "不在辦公室", "外出自动", "外出通知", "我不在",
    "我正在休假", "休假通知", "离开办公室", "자동 회신", "자동회신", "자동 응답", "자동응답", "자동 답장", "부재중", "부재 중", "부재 알림", "휴가 중",
    "휴가중", "trả lời tự động", "ตอบกลับอัตโนมัติ", "balasan otomatis", "di luar kantor",
];

/// Beginnings that count only where nothing else of a sentence follows: a person may begin so too.
pub(super) const ANSWERS_ALONE: &[&str] = &[
    "absence", "away", "ooo", "oof", "out of town", "out of the country", "i am out", "on vacation", "on holiday", "on leave", "annual leave", "maternity leave",
    "parental leave", "urlaub", "im urlaub", "abwesend", "absent", "absente", "congés", "en congé",
    "en congés", "en vacances", "ausente", "ausencia", "ausência", "de vacaciones", "vacaciones", "assente",
    "assenza", "in ferie", "ferie", "afwezig", "op vakantie", "met vakantie", "semester", "poissa",
    "de férias", "em férias", "férias", "в отпуске", "отпуск", "у відпустці", "відпустка", "urlop",
    "na urlopie", "nieobecny", "nieobecna", "dovolená", "na dovolené", "dovolenka", "szabadság", "concediu",
    "în concediu", "in concediu", "izinde", "tatil", "άδεια", "σε άδεια", "בחופשה", "חופשה", "إجازة", "不在",
    "休暇", "休假", "外出", "휴가", "부재", "i am away", "i'm away", "i am on vacation", "i'm on vacation",
    "i am on holiday", "i'm on holiday", "i am on leave", "ich bin abwesend", "ich bin im urlaub",
    "je suis absent", "je suis en congé", "estoy de vacaciones", "estoy fuera", "estaré fuera",
    "sono in ferie", "ik ben afwezig", "ik ben op vakantie", "ik ben met vakantie", "frånvaro",
    "frånvarande", "jag är på semester", "på semester", "fravær", "jeg er på ferie", "jeg holder ferie",
    "på ferie", "poissaolo", "olen lomalla", "olen poissa", "lomalla", "estou de férias", "estou ausente",
    "меня нет", "я в отпуске", "нахожусь в отпуске", "отсутствую", "отсутствие", "я у відпустці",
    "nieobecność", "nieobecnosc", "jestem na urlopie", "nepřítomnost", "neprítomnosť", "jsem na dovolené",
    "som na dovolenke", "szabadságon", "távollét", "sunt în concediu", "sunt in concediu", "izindeyim",
    "yillik izin", "tatildeyim", "απουσία", "απουσιάζω", "אני בחופשה", "vắng mặt", "odsutan", "odsoten",
    "מחוץ למשרד",
];

/// Words behind which an absence is dated: `Away until May 5`, `Urlaub bis 5.5.`
pub(super) const UNTIL: &[&str] = &[
    "until", "till", "from", "bis", "vom", "von", "jusqu", "du", "hasta", "del", "fino", "dal", "tot",
    "van", "t.o.m", "til", "fra", "från", "até", "de", "до", "с", "по", "do", "od",
];
