//! The words of mail programs, in lower case.

/// The fields of a header block inside a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    From,
    Date,
    To,
    Subject,
    Other,
}

pub(super) const HEADERS: &[(Header, &[&str])] = &[
    (
        Header::From,
        &[
            "from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "от", "від", "expéditeur",
            "mittente", "remitente", "kimden", "gönderen", "feladó", "de la", "από", "发件人", "寄件者", "寄件人", "差出人",
            "送信者", "보낸 사람", "보낸사람", "מאת", "من", "dari", "từ", "saatja", "nuo", "no", "šalje", "avsändare",
            "afzender", "absender", "sender",
        ],
    ),
    (
        Header::Date,
        &[
            "sent", "date", "gesendet", "datum", "gesendet am", "envoyé", "enviado", "enviado el", "enviada em",
            "fecha", "data", "inviato", "verzonden", "skickat", "sendt", "dato", "lähetetty", "päivämäärä",
            "päiväys", "wysłano", "отправлено", "дата", "надіслано", "gönderme tarihi", "tarih", "gönderildi",
            "odesláno", "poslané", "elküldve", "dátum", "trimis", "στάλθηκε", "ημερομηνία", "发送时间", "日期",
            "寄件日期", "傳送時間", "送信日時", "日付", "日時", "보낸 날짜", "날짜", "נשלח", "תאריך", "dikirim", "đã gửi", "ngày",
            "poslano",
        ],
    ),
    (
        Header::To,
        &[
            "to", "an", "à", "a", "para", "aan", "till", "til", "vastaanottaja", "do", "komu", "кому",
            "destinataire", "destinatario", "kime", "alıcı", "címzett", "către", "pro", "προς", "收件人", "收件者",
            "宛先", "받는 사람", "받는사람", "אל", "إلى", "kepada", "tới", "cc", "kopie", "copie", "copia", "kopia",
            "копия", "抄送",
        ],
    ),
    (
        Header::Subject,
        &[
            "subject", "betreff", "objet", "asunto", "assunto", "oggetto", "onderwerp", "ämne", "emne", "aihe",
            "temat", "тема", "konu", "předmět", "predmet", "tárgy", "subiect", "θέμα", "主题", "主旨", "主題", "件名",
            "제목", "נושא", "الموضوع", "subjek", "chủ đề", "teema", "tema",
        ],
    ),
    (
        Header::Other,
        &[
            "reply-to", "antwort an", "répondre à", "risposta", "importance", "attachments", "anlagen",
            "priority",
        ],
    ),
];

/// Stands between rules above an earlier mail.
pub(super) const ORIGINALS: &[&str] = &[
    "original message", "original email", "original mail", "original appointment", "reply message",
    "ursprüngliche nachricht", "originalnachricht", "original-nachricht", "originalmail", "message d'origine",
    "message d\u{2019}origine", "message original", "message initial", "mensaje original",
    "messaggio originale", "messaggio originario", "oorspronkelijk bericht", "originele bericht",
    "originalmeddelande", "ursprungligt meddelande", "oprindelig meddelelse", "original meddelelse",
    "opprinnelig melding", "alkuperäinen viesti", "mensagem original", "oryginalna wiadomość",
    "wiadomość oryginalna", "wiadomość pierwotna", "původní zpráva", "původní e-mail", "pôvodná správa",
    "исходное сообщение", "оригинальное сообщение", "первоначальное сообщение", "оригінальне повідомлення",
    "eredeti üzenet", "orijinal mesaj", "orijinal ileti", "özgün ileti", "mesaj original", "mesajul original",
    "αρχικό μήνυμα", "原始邮件", "原始郵件", "邮件原件", "原邮件", "原始信件", "元のメッセージ", "オリジナルメッセージ", "원본 메시지", "원본 메일",
    "הודעה מקורית", "الرسالة الأصلية", "pesan asli", "thư gốc", "izvorna poruka", "izvorno sporočilo",
    "missatge original", "quoted text", "in reply to",
];

/// Stands above a forwarded mail; Apple uses no rules.
pub(super) const FORWARDS: &[&str] = &[
    "forwarded message", "begin forwarded message", "weitergeleitete nachricht",
    "anfang der weitergeleiteten nachricht", "anfang der weitergeleiteten e-mail", "message transféré",
    "début du message transféré", "début du message réexpédié", "mensaje reenviado",
    "inicio del mensaje reenviado", "messaggio inoltrato", "inizio messaggio inoltrato", "doorgestuurd bericht",
    "begin doorgestuurd bericht", "vidarebefordrat meddelande", "vidarebefordrat brev",
    "videresendt meddelelse", "videresendt melding", "start på videresendt besked", "välitetty viesti",
    "mensagem encaminhada", "mensagem reencaminhada", "início da mensagem encaminhada",
    "wiadomość przekazana dalej", "przekazana wiadomość", "přeposlaná zpráva", "пересылаемое сообщение",
    "пересланное сообщение", "начало переадресованного сообщения", "переслане повідомлення",
    "továbbított üzenet", "yönlendirilmiş ileti", "iletilen mesaj", "mesaj redirecționat", "转发的邮件", "已转发邮件",
    "轉寄郵件", "已轉寄郵件", "転送メッセージ", "転送されたメッセージ", "전달된 메시지", "pesan terusan",
];

/// Verbs of writing, near the end of an attribution.
pub(super) const VERBS: &[&str] = &[
    "wrote", "writes", "said", "schrieb", "a écrit", "escribió", "escribio", "ha scritto", "scrisse", "schreef",
    "geschreven", "skrev", "skrifaði", "napisał", "napisała", "napisał(a)", "pisze", "napsal", "napsala",
    "napsal(a)", "napísal", "píše", "escreveu", "написал", "написала", "написал(а)", "пишет", "пише", "написав",
    "написа", "kirjoitti", "kirjutas", "yazdı", "írta", "a scris", "έγραψε", "napisao", "je napisao",
    "napisala", "rašė", "rakstīja", "menulis", "va escriure", "đã viết", "כתב", "כתבה", "كتب", "写道", "寫道", "写到",
    "작성", "썼습니다", "書きました", "のメッセージ",
];

/// First words of attributions with a date.
pub(super) const LEADS: &[&str] = &[
    "on", "at", "am", "le", "el", "il", "op", "den", "em", "dnia", "w", "dne", "dňa", "в", "у", "на", "pe",
    "la", "în", "il giorno", "vào", "pada", "ons", "kl", "el día", "στις", "בתאריך", "ב", "dana", "ma", "ti",
    "ke", "su", "mån", "tis", "tors", "fre", "lör", "sön", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
    "pon", "wt", "śr", "czw", "pt", "sob", "niedz", "пн", "вт", "ср", "чт", "пт", "сб", "вс",
];

/// First words of attributions without a verb.
pub(super) const CITING: &[&str] =
    &["quoting ", "zitat von ", "citando ", "quotando ", "citat från ", "citát "];

/// How disclaimers begin.
pub(super) const DISCLAIMERS: &[&str] = &[
    "confidentiality notice", "confidentiality:", "disclaimer:", "legal disclaimer",
    "this email and any attachments", "this e-mail and any attachments", "this message and any attachments",
    "this email message and any attachments", "this e-mail message and any attachments",
    "this email and any files transmitted", "this e-mail and any files transmitted",
    "this message contains confidential", "the information contained in this e-mail",
    "the information contained in this email", "the information contained in this message",
    "the information in this email is confidential", "this communication is confidential",
    "this transmission is confidential", "diese e-mail enthält vertrauliche", "diese e-mail kann vertrauliche",
    "der inhalt dieser e-mail ist vertraulich", "ce message et toutes les pièces",
    "ce courriel et toutes les pièces", "este mensaje y sus archivos", "este correo electrónico y sus archivos",
    "este mensaje puede contener información confidencial", "questo messaggio e i suoi allegati",
    "le informazioni contenute in questo messaggio", "dit bericht kan vertrouwelijke",
    "de informatie in dit e-mailbericht", "esta mensagem pode conter informa", "ta wiadomość może zawierać",
];

/// How the lines of phones and mail programs begin.
pub(super) const DEVICE_STARTS: &[&str] = &[
    "sent from my", "sent from a ", "sent from an ", "sent from the all-new", "sent from [", "sent from mail",
    "sent from outlook", "sent from yahoo", "sent from windows", "sent from gmail", "sent from proton",
    "sent from samsung", "sent from mobile", "sent from phone", "sent from iphone", "sent from ipad",
    "sent from android", "sent from nine", "sent from bluemail", "sent from spark", "sent from type",
    "sent from tutanota", "sent from k-9", "sent from canary", "sent from thunderbird", "sent from hey",
    "sent from blackberry", "sent from myphone", "from my iphone", "from my ipad", "from my android",
    "sent via ", "sent with ", "sent using ", "sent by ", "sent on the go", "get outlook for",
    "get [outlook for", "get bluemail for", "envoyé de mon", "envoyé depuis", "envoyé à partir de",
    "envoyé avec", "envoyé par", "provenance : ", "télécharger outlook pour", "gesendet von", "gesendet mit",
    "von meinem iphone", "von meinem ipad", "von meinem android", "outlook für ", "enviado desde",
    "enviado do ", "enviado a partir", "enviado con", "enviado de ", "enviado via ", "obtener outlook para",
    "obter o outlook para", "inviato da", "inviato con", "scarica outlook per", "verzonden vanaf",
    "verzonden met", "verzonden via", "verzonden vanuit", "verstuurd vanaf", "verstuurd via", "outlook voor ",
    "skickat från", "skickades från", "skickat med", "sänt från", "sendt fra", "sendt med", "hent outlook",
    "lähetetty ", "wysłane z", "wysłano z", "wysłane przez", "odesláno z", "odoslané z", "отправлено с",
    "отправлено из", "надіслано з", "надіслано від", "elküldve ", "trimis de pe", "στάλθηκε από", "发自我的", "发自 ",
    "發自我的", "寄自", "נשלח מ", "أرسلت من", "dikirim dari", "được gửi từ", "poslano s", "poslané z", "trimis din",
    "saadetud minu", "išsiųsta iš",
];

/// Beginnings and ends of lines with the verb last.
pub(super) const DEVICE_ENDS: &[(&str, &str)] = &[
    ("von meine", "gesendet"), ("von unterwegs", "gesendet"), ("diese nachricht wurde von", "gesendet"),
    ("diese nachricht wurde mit", "gesendet"), ("從我的", "傳送"), ("从我的", "发送"), ("iphone", "から送信"),
    ("ipad", "から送信"), ("android", "から送信"), ("私の", "から送信"), ("나의", "에서 보냄"), ("내", "에서 보냄"),
    ("iphone", "gönderildi"), ("ipad", "gönderildi"), ("android", "gönderildi"),
];

/// How short lines of phones end.
pub(super) const DEVICES: &[&str] =
    &["from mobile", "from my mobile", "from my phone", "from my iphone", "from my ipad", "from phone"];
