//! The words of mail programs, in lower case.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The fields of a header block inside a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    From,
    Date,
    To,
    Subject,
    Other,
}

const HEADERS: &[(Header, &[&str])] = &[
    (
        Header::From,
        &[
            "from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "от", "від", "expéditeur",
            "mittente", "remitente", "kimden", "gönderen", "feladó", "de la", "από", "发件人", "寄件者", "寄件人", "差出人",
            "送信者", "보낸 사람", "보낸사람", "מאת", "من", "dari", "từ", "saatja", "nuo", "no", "šalje", "avsändare",
            "afzender", "absender", "sender",
            "expeditor", "remetente", "nadawca", "odesílatel", "odosielateľ", "отправитель", "відправник", "изпращач", "pošiljatelj", "afsender", "avsender", "المرسل", "שולח", "از", "فرستنده", "จาก", "người gửi", "pengirim", "daripada", "发信人", "发送人", "發件人", "送信元", "보낸이", "발신", "발신자", "보낸 이", "від кого", "от кого", "szerző", "siuntėjas", "nosūtītājs",
            
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
            "received", "sent at", "sent on", "date sent", "enviat", "enviada", "enviado em", "data d'enviament", "data wysłania", "wysłane", "odoslané", "odoslaná", "dňa", "изпратено", "послато", "poslano dana", "saadetud", "kuupäev", "išsiųsta", "nosūtīts", "datums", "inviato il", "inviata", "data invio", "envoyée", "envoyé le", "date d'envoi", "reçu", "message du", "fecha de envío", "fecha y hora", "enviados", "gönderilme tarihi", "gönderim tarihi", "tarih/saat", "tarihi", "küldve", "dátuma", "expediat", "trimis la", "sendt dato", "skickat den", "sänt", "skickad", "odoslano", "datum i vrijeme", "تم الإرسال", "تاريخ الإرسال", "التاريخ", "أرسل", "إرسال", "مرسل", "تاريخ", "مرسلة", "ارسال", "تاریخ", "ارسال شده", "ส่ง", "ส่งเมื่อ", "วันที่", "đã gửi lúc", "gửi", "gửi lúc", "ngày gửi", "tanggal", "tarikh", "dihantar", "terkirim", "发件时间", "寄出日期", "已傳送", "已发送", "发送日期", "日期时间", "时间", "時間", "傳送日期", "送信", "送信日", "受信日時", "보낸시간", "보낸 시간", "보낸날짜", "보낸일시", "보낸 일시", "일시", "전송", "भेजा गया", "дата и время", "дата отправки", "отправлен", "надіслане",
        ],
    ),
    (
        Header::To,
        &[
            "to", "an", "à", "a", "para", "aan", "till", "til", "vastaanottaja", "do", "komu", "кому",
            "destinataire", "destinatario", "kime", "alıcı", "címzett", "către", "pro", "προς", "收件人", "收件者",
            "宛先", "받는 사람", "받는사람", "אל", "إلى", "kepada", "tới", "cc", "kopie", "copie", "copia", "kopia",
            "копия", "抄送",
            "pour", "destinatari", "per a", "destinatarios", "destinatarie", "destinatários", "adresat", "ontvanger", "empfänger", "mottagare", "modtager", "mottaker", "saaja", "kellele", "adressaat", "kam", "gavėjas", "za", "prima", "primatelj", "prejemnik", "adresa", "prejemníkom", "príjemca", "příjemce", "получатель", "одержувач", "получател", "alıcılar", "kime/cc", "παραλήπτης", "κοινοποίηση", "إلى من", "المستلم", "نسخة", "למי", "עותק", "به", "گیرنده", "ถึง", "đến", "người nhận", "penerima", "收信人", "收件", "副本", "收件人地址", "宛て先", "받는이", "받는 이", "수신", "수신자", "참조", "प्रति", "kópia", "másolat", "dw", "udw", "bcc", "ccn", "cco", "cci", "copia carbone", "copie à", "kopi", "копія", "копие", "cópia", "kopija",
        ],
    ),
    (
        Header::Subject,
        &[
            "subject", "betreff", "objet", "asunto", "assunto", "oggetto", "onderwerp", "ämne", "emne", "aihe",
            "temat", "тема", "konu", "předmět", "predmet", "tárgy", "subiect", "θέμα", "主题", "主旨", "主題", "件名",
            "제목", "נושא", "الموضوع", "subjek", "chủ đề", "teema", "tema",
            "sujet", "assumpte", "tēma", "temats", "zadeva", "naslov", "věc", "относно", "заголовок", "предмет", "тема письма", "موضوع", "عنوان", "עניין", "เรื่อง", "หัวเรื่อง", "tiêu đề", "perihal", "judul", "tajuk", "邮件主题", "標題", "标题", "题目", "表題", "タイトル", "메일 제목", "विषय", "ämnesrad", "emnelinje",
        ],
    ),
    (
        Header::Other,
        &[
            "reply-to", "antwort an", "répondre à", "risposta", "importance", "attachments", "anlagen",
            "priority",
            "organization", "attachment", "antworten an", "antwort-an", "responder a", "rispondi a", "beantwoorden - aan", "odpowiedź do", "answer to", "priorität", "wichtigkeit", "importanza", "importancia", "importância", "priorité", "anhang", "pièces jointes", "allegati", "adjuntos", "anexos", "załączniki", "bijlagen", "вложения", "важность", "附件", "첨부", "添付ファイル", "organisation", "organización", "reply to", "mailed-by", "message-id", "in-reply-to", "references",
        ],
    ),
];

/// Stands between rules above an earlier mail.
pub(super) const ORIGINALS: &[&str] = &[
    "original message", "original email", "original mail", "original appointment", "reply message",
    "ursprüngliche nachricht", "originalnachricht", "original-nachricht", "originalmail", "message d'origine",
    "message d'origine", "message original", "message initial", "mensaje original",
    "messaggio originale", "messaggio originario", "oorspronkelijk bericht", "originele bericht",
    "originalmeddelande", "ursprungligt meddelande", "oprindelig meddelelse", "original meddelelse",
    "opprinnelig melding", "alkuperäinen viesti", "mensagem original", "oryginalna wiadomość",
    "wiadomość oryginalna", "wiadomość pierwotna", "původní zpráva", "původní e-mail", "pôvodná správa",
    "исходное сообщение", "оригинальное сообщение", "первоначальное сообщение", "оригінальне повідомлення",
    "eredeti üzenet", "orijinal mesaj", "orijinal ileti", "özgün ileti", "mesaj original", "mesajul original",
    "αρχικό μήνυμα", "原始邮件", "原始郵件", "邮件原件", "原邮件", "原始信件", "元のメッセージ", "オリジナルメッセージ", "원본 메시지", "원본 메일",
    "הודעה מקורית", "الرسالة الأصلية", "pesan asli", "thư gốc", "izvorna poruka", "izvorno sporočilo",
    "missatge original", "quoted text", "in reply to",
    "original", "oprindelig besked", "oprindelig mail", "original besked", "oprindelig e-mail", "ursprüngliche mail", "ursprüngliche e-mail", "original-mail", "mail original", "courriel original", "oorspronkelijke e-mail", "origineel bericht", "originalt meddelande", "ursprungligt e-postmeddelande", "ursprungligt mail", "opprinnelig e-post", "opprinnelig epost", "opprinnelig beskjed", "alkuperäinen sähköposti", "mensaje originario", "correo original", "e-mail original", "mensagem de origem", "wiadomość źródłowa", "originální zpráva", "originálna správa", "původní mail", "исходное письмо", "исходящее сообщение", "оригинальное письмо", "початкове повідомлення", "вихідне повідомлення", "оригинално съобщение", "оригинална порука", "originali žinutė", "originalus laiškas", "originalus pranešimas", "oriģinālais ziņojums", "sākotnējais ziņojums", "algne kiri", "algne sõnum", "eredeti e-mail", "eredeti levél", "orijinal e-posta", "özgün e-posta", "özgün mesaj", "mesajul inițial", "mesaj inițial", "missatge d'origen", "الرسالة الأصليّة", "الرسالة الاصلية", "النص الأصلي", "پیام اصلی", "ההודעה המקורית", "ข้อความต้นฉบับ", "ข้อความเดิม", "tin nhắn gốc", "thư ban đầu", "thư nguyên bản", "mesej asal", "pesan awal", "原邮件内容", "原始訊息", "原始信息", "原件", "元メッセージ", "元のメール", "オリジナルメール", "원본메시지", "원본메일", "원래 메시지", "previous message", "previous mail", "reply", "reply mail", "replied message", "antwort", "mensaje anterior",
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
    "begin forwarded mail", "inizio del messaggio inoltrato", "inizio messaggio reindirizzato", "messaggio originale inoltrato", "forwarded mail", "forwarded by", "doorgestuurd", "videresendt", "videresendt besked", "videresendt mail", "vidarebefordrat", "edelleenlähetetty viesti", "przekazana", "wiadomość przekazana", "inicio de mensaje reenviado", "مرّرت رسالة", "رسالة معاد توجيهها", "بدء الرسالة المعاد توجيهها", "הודעה שהועברה", "转发邮件", "轉寄的郵件", "전달된 메일", "chuyển tiếp", "thư được chuyển tiếp", "เริ่มต้นข้อความที่ส่งต่อ", "ข้อความที่ส่งต่อ", "προωθημένο μήνυμα", "препратено съобщение", "prosljeđena poruka", "posredovano sporočilo", "missatge reenviat",
];

/// Verbs of writing, near the end of an attribution.
pub(super) const VERBS: &[&str] = &[
    "wrote", "writes", "said", "schrieb", "a écrit", "escribió", "escribio", "ha scritto", "scrisse", "schreef",
    "geschreven", "skrev", "skrifaði", "napisał", "napisała", "napisał(a)", "pisze", "napsal", "napsala",
    "napsal(a)", "napísal", "píše", "escreveu", "написал", "написала", "написал(а)", "пишет", "пише", "написав",
    "написа", "kirjoitti", "kirjutas", "yazdı", "írta", "a scris", "έγραψε", "napisao", "je napisao",
    "napisala", "rašė", "rakstīja", "menulis", "va escriure", "đã viết", "כתב", "כתבה", "كتب", "写道", "寫道", "写到",
    "작성", "썼습니다", "書きました", "のメッセージ",
    "geschrieben", "schrieben", "schreibt", "schrieb am", "skriver", "skrevet", "het volgende geschreven", "écrivait", "écrit", "escrit", "ha escrito", "ha escrit", "escribe", "a dit", "ha detto", "scrive", "scriveva", "escrevia", "disse", "dijo", "napísala", "napísal(a)", "napsáno", "piszesz", "nadesłał", "пишете", "писал", "писала", "писал(а)", "писали", "сообщил", "написали", "написало", "написав(-ла)", "написав(ла)", "écrivit", "yazmış", "yazdi", "şunları yazdı", "şunu yazdı", "írt", "ezt írta", "scris", "scrie", "a scris următoarele", "γράφει", "είπε", "piše", "pisao", "pisal", "je pisal", "zapisal", "kirjutas järgmist", "parašė", "tulis", "menuliskan", "viết", "đã viết vào", "เขียนว่า", "เขียน", "כתב/ה", "כותב", "מאת", "قال", "كتبت", "تمت كتابة", "يكتب", "نوشت", "نوشته است", "は書きました", "さんは書きました", "が書き込みました", "書き込みました", "wrote on", "написал(a)", "님이 작성", "님이 쓴 글", "쓴 글", "寫到", "写信", "说道", "寫信", "ने लिखा", "लिखा", "idatzi du", "scribis", "skribis",
];

/// First words of attributions with a date.
const LEADS: &[&str] = &[
    "on", "at", "am", "le", "el", "il", "op", "den", "em", "dnia", "w", "dne", "dňa", "в", "у", "на", "pe",
    "la", "în", "il giorno", "vào", "pada", "ons", "kl", "el día", "στις", "בתאריך", "ב", "dana", "ma", "ti",
    "ke", "su", "mån", "tis", "tors", "fre", "lör", "sön", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
    "pon", "wt", "śr", "czw", "pt", "sob", "niedz", "пн", "вт", "ср", "чт", "пт", "сб", "вс",
    "in", "no", "les", "vom", "om", "i", "av", "v", "kuo", "kuupäeval", "tarihinde", "ngày", "เมื่อ", "في", "بتاريخ", "در", "tanggal", "um", "from", "message", "dia", "data", "date", "du", "a", "az", "от", "a les", "τη", "την", "ב-", "ביום", "יום", "um", "nel", "we", "de",
];

/// First words of attributions without a verb.
pub(super) const CITING: &[&str] =
    &["quoting ", "zitat von ", "citando ", "quotando ", "citat från ", "citát ",
    "citando a ", "citing ", "citat fra ", "citaat van ", "cytowanie ", "cytat od ", "citace: ", "idézet ", "alıntı ", "цитирую ", "цитата от ", "zitiere ", "je cite ", "citation de ", "quote from ", "in reply to ", "in message ", "according to ", "selon ", "laut ", "según ", "secondo ", "引用 ", "引述 ", "citat de la ", "lainaus ",
];

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

/// Verbs and nouns at the very end of an attribution that say nothing elsewhere.
pub(super) const CLOSINGS: &[&str] = &["のメール", "のメッセージ", "からのメッセージ", "からのメール", "님의 말", "님의 메일", "的邮件", "的郵件"];

/// Verbs that stand before the writer's name.
pub(super) const NAMES_LAST: &[&str] = &[" schrieb ", " schreef ", " skrev ", " scrisse ", " skrifaði "];

/// Who writes such a verb is no program.
pub(super) const MINE: &[&str] = &[
    "i", "we", "he", "she", "they", "ich", "wir", "er", "je", "j'ai", "yo", "jag", "jeg", "ik", "wij", "я", "мы", "io",
    "eu", "who", "that", "which", "and", "und", "also", "already",
];

/// Parts of the words for `original` and `forwarded`.
pub(super) const STEMS: &[&str] = &[
    "original", "origin", "orijinal", "orygin", "oryginal", "ursprüng", "urspr", "oprind", "opprinn", "oorspronk",
    "pierwotn", "původn", "pôvodn", "исходн", "оригин", "первонач", "вихідн", "оригін", "eredeti", "özgün", "izvorn",
    "alkuper", "αρχικ", "原始", "元の", "オリジナル", "원본", "מקורי", "الأصل", "الاصل", "gốc", "ต้นฉบับ", "forward",
    "fwd", "weitergel", "transf", "transmis", "reenv", "inoltr", "doorgest", "vidarebef", "viderese", "välitet",
    "przekaz", "přepos", "prepos", "перес", "переадр", "tovább", "yönlend", "iletilen", "encaminh", "redirec",
    "转发", "轉寄", "転送", "전달", "הועבר", "previous message", "reply message", "replied",
];

/// Two lists as one that can be searched; a set would be built anew in each process, for one letter.
const fn sorted<const N: usize>(first: &[&'static str], second: &[&'static str]) -> [&'static str; N] {
    let mut all = [""; N];
    let mut filled = 0;
    while filled < N {
        let word = if filled < first.len() { first[filled] } else { second[filled - first.len()] };
        let mut at = filled;
        while at > 0 && is_before(word, all[at - 1]) {
            all[at] = all[at - 1];
            at -= 1;
        }
        all[at] = word;
        filled += 1;
    }
    all
}

/// The order of `str`, which constants cannot ask for.
const fn is_before(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return one[at] < other[at];
        }
        at += 1;
    }
    one.len() < other.len()
}

/// True for the first word of an attribution with a date: a preposition, a weekday or a month.
pub(super) fn leads(word: &str) -> bool {
    static KNOWN: [&str; LEADS.len() + DAYS.len()] = sorted(LEADS, DAYS);
    // The declension and the length of the abbreviation differ, so a month's beginning counts.
    KNOWN.binary_search(&word).is_ok() || MONTHS.iter().any(|month| month_is(month, word))
}

/// True for a verb of writing and nothing else.
pub(super) fn is_verb(words: &str) -> bool {
    static KNOWN: [&str; VERBS.len() + CLOSINGS.len()] = sorted(VERBS, CLOSINGS);
    KNOWN.binary_search(&words).is_ok()
}

/// The field of a header block with this name.
pub(super) fn field(name: &str) -> Option<Header> {
    static KNOWN: LazyLock<HashMap<&str, Header>> = LazyLock::new(|| {
        // Of a name that stands for several, the first counts.
        let all = HEADERS.iter().rev().flat_map(|(kind, names)| names.iter().map(|name| (*name, *kind)));
        all.collect()
    });
    KNOWN.get(name).copied()
}

fn month_is(month: &str, word: &str) -> bool {
    word.strip_prefix(month).is_some_and(|rest| rest.len() <= 14 && rest.chars().all(char::is_alphabetic))
}

/// Weekdays, whole and short.
const DAYS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "tues", "wed", "thu",
    "thur", "thurs", "fri", "sat", "sun", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag",
    "sonnabend", "sonntag", "mo", "di", "mi", "do", "fr", "sa", "so", "lundi", "mardi", "mercredi", "jeudi",
    "vendredi", "samedi", "dimanche", "lun", "mar", "mer", "jeu", "ven", "sam", "dim", "lunes", "martes", "miércoles",
    "jueves", "viernes", "sábado", "domingo", "mié", "jue", "vie", "sáb", "dom", "lunedì", "martedì", "mercoledì",
    "giovedì", "venerdì", "sabato", "domenica", "gio", "sab", "segunda-feira", "terça-feira", "quarta-feira",
    "quinta-feira", "sexta-feira", "segunda", "terça", "quarta", "quinta", "sexta", "seg", "ter", "qua", "qui", "sex",
    "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag", "ma", "wo", "vr", "za", "zo",
    "måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag", "söndag", "mån", "tis", "ons", "tors", "tor", "fre",
    "lör", "sön", "mandag", "tirsdag", "lørdag", "søndag", "man", "tir", "lør", "søn", "maanantai", "maanantaina",
    "tiistai", "tiistaina", "keskiviikko", "keskiviikkona", "torstai", "torstaina", "perjantai", "perjantaina",
    "lauantai", "lauantaina", "sunnuntai", "sunnuntaina", "ti", "ke", "to", "pe", "la", "su", "poniedziałek",
    "wtorek", "środa", "czwartek", "piątek", "sobota", "niedziela", "pon", "wt", "śr", "czw", "pt", "sob", "niedz",
    "nd", "pondělí", "úterý", "středa", "čtvrtek", "pátek", "neděle", "po", "út", "st", "čt", "pá", "so", "ne",
    "понедельник", "вторник", "среда", "среду", "четверг", "пятница", "пятницу", "суббота", "субботу", "воскресенье",
    "пн", "вт", "ср", "чт", "пт", "сб", "вс", "понеділок", "вівторок", "середа", "четвер", "п'ятниця", "субота",
    "неділя", "нд", "pazartesi", "salı", "çarşamba", "perşembe", "cuma", "cumartesi", "pazar", "hétfő", "kedd",
    "szerda", "csütörtök", "péntek", "szombat", "vasárnap", "luni", "marți", "miercuri", "joi", "vineri", "sâmbătă",
    "duminică", "δευτέρα", "τρίτη", "τετάρτη", "πέμπτη", "παρασκευή", "σάββατο", "κυριακή", "ponedjeljak", "utorak",
    "srijeda", "četvrtak", "petak", "subota", "nedjelja", "thứ", "senin", "selasa", "rabu", "kamis", "jumat", "sabtu",
    "minggu", "الاثنين", "الإثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت", "الأحد",
];

/// How months begin.
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär", "mai", "okt", "dez",
    "janv", "févr", "avr", "juin", "juil", "août", "déc", "ene", "abr", "ago", "dic", "gen", "mag", "giu", "lug",
    "set", "ott", "fev", "out", "maa", "mei", "sty", "lut", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis",
    "gru", "янв", "фев", "мар", "апр", "мая", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек", "oca", "şub",
    "nis", "haz", "tem", "ağu", "eyl", "eki", "kas", "ara", "noi", "ian", "led", "úno", "bře", "dub", "kvě", "čer",
    "srp", "zář", "říj", "pro", "tammi", "helmi", "maalis", "huhti", "touko", "kesä", "heinä", "elo", "syys", "loka",
    "marras", "joulu",
];

/// How footers begin, and how those end that have their verb last.
pub(super) const FOOTERS: &[(&str, &str)] = &[
    ("sent from", ""), ("sent via ", ""), ("sent with ", ""), ("sent using ", ""), ("sent by ", ""), ("sent on ", ""),
    ("sent through ", ""), ("sent securely from", ""), ("sent securely with", ""), ("from my ", ""), ("from mobile", ""),
    ("written on my ", ""), ("typed on my ", ""), ("composed on my ", ""), ("get bluemail for", ""),
    ("get yahoo mail", ""), ("get ", " for ios"), ("get ", " for android"), ("mailed from ", ""), ("posted from my", ""),
    ("gesendet von", ""), ("gesendet mit", ""), ("gesendet über", ""), ("gesendet aus", ""), ("gesendet via", ""),
    ("gesendet vom", ""), ("gesendet per", ""), ("gesendet durch", ""), ("von meine", "gesendet"),
    ("von meine", "geschickt"), ("von meine", "versendet"), ("von meine", "verschickt"), ("von meinem iphone", ""),
    ("von meinem ipad", ""), ("von meinem android", ""), ("von ", "gesendet"), ("vom ", "gesendet"), ("mit ", "gesendet"),
    ("diese nachricht wurde", "gesendet"), ("diese nachricht wurde", "verschickt"),
    ("diese e-mail wurde", "gesendet"), ("diese mail wurde", "gesendet"), ("versendet mit", ""), ("versendet von", ""),
    ("verschickt von", ""), ("verschickt mit", ""), ("envoyé de", ""), ("envoyé d'", ""), ("envoyé depuis", ""),
    ("envoyé à partir", ""), ("envoyé avec", ""), ("envoyé par", ""), ("envoyé via", ""), ("envoyé du", ""),
    ("envoyée de", ""), ("envoyé sur", ""), ("provenance : ", ""), ("ce message a été envoyé", ""), ("posté depuis", ""),
    ("enviado desde", ""), ("enviado do ", ""), ("enviado a partir", ""), ("enviado con", ""), ("enviado de", ""),
    ("enviado via ", ""), ("enviado vía ", ""), ("enviado por ", ""), ("enviado pelo ", ""), ("enviado através", ""),
    ("enviado com", ""), ("enviada do", ""), ("enviat des", ""), ("enviat amb", ""), ("este mensaje ha sido enviado", ""),
    ("inviato da", ""), ("inviato con", ""), ("inviato tramite", ""), ("inviato via", ""), ("inviato dal", ""),
    ("inviata da", ""), ("verzonden vanaf", ""), ("verzonden met", ""), ("verzonden via", ""), ("verzonden vanuit", ""),
    ("verzonden van", ""), ("verstuurd vanaf", ""), ("verstuurd via", ""), ("verstuurd met", ""), ("verstuurd vanuit", ""),
    ("gestuurd vanaf", ""), ("vanaf mijn ", ""), ("skickat från", ""), ("skickat via", ""), ("skickad från", ""),
    ("skickades från", ""), ("skickat med", ""), ("sänt från", ""), ("sendt fra", ""), ("sendt med", ""),
    ("sendt via", ""), ("sendt på", ""), ("lähetetty ", ""), ("sent frá", ""), ("wysłane z", ""), ("wysłano z", ""),
    ("wysłane przez", ""), ("wysłano za", ""), ("wysłane za", ""), ("wiadomość wysłana", ""), ("odesláno z", ""),
    ("odesláno pomocí", ""), ("posláno z", ""), ("odoslané z", ""), ("odoslané pomocou", ""), ("poslané z", ""),
    ("отправлено с", ""), ("отправлено из", ""), ("отправлено через", ""), ("отправлено при помощи", ""),
    ("послано с", ""), ("надіслано з", ""), ("надіслано від", ""), ("надіслано через", ""), ("відправлено з", ""),
    ("изпратено от", ""), ("изпратено с", ""), ("послато са", ""), ("пратено од", ""), ("elküldve ", ""), ("küldve ", ""),
    ("az ", "küldve"), ("a ", "küldve"), ("trimis de", ""), ("trimis din", ""), ("trimis cu", ""), ("trimis prin", ""),
    ("expediat de", ""), ("στάλθηκε από", ""), ("εστάλη από", ""), ("απεστάλη από", ""), ("poslano s", ""),
    ("poslano iz", ""), ("poslato sa", ""), ("poslato s", ""), ("išsiųsta ", ""), ("nosūtīts ", ""), ("sūtīts no", ""),
    ("saadetud ", ""), ("", "gönderildi"), ("", "gönderilmiştir"), ("dikirim dari", ""), ("dikirim menggunakan", ""),
    ("dihantar daripada", ""), ("dihantar dari", ""), ("được gửi từ", ""), ("đã gửi từ", ""), ("gửi từ", ""),
    ("đã được gửi từ", ""), ("ส่งจาก", ""), ("ส่งมาจาก", ""), ("ส่งด้วย", ""), ("发自", ""), ("發自", ""), ("寄自", ""),
    ("来自", ""), ("來自", ""), ("从我的", "发送"), ("從我的", "傳送"), ("從我的", "發送"), ("从", "发送"), ("從", "傳送"),
    ("由", "发送"), ("由", "傳送"), ("使用", "发送"), ("通过", "发送"), ("", "から送信"), ("", "から送信されました"),
    ("", "で送信"), ("", "からの送信"), ("", "より送信"), ("", "から送りました"), ("", "에서 보냄"), ("", "에서 보냈습니다"),
    ("", "에서 발송"), ("", "에서 전송"), ("", "에서 전송됨"), ("", "로 보냄"), ("", "에서 보낸 메일"), ("", "से भेजा गया"),
    ("נשלח מ", ""), ("נשלח ב", ""), ("נשלחה מ", ""), ("נשלח באמצעות", ""), ("أرسلت من", ""), ("ارسلت من", ""),
    ("أرسل من", ""), ("ارسل من", ""), ("مرسل من", ""), ("مرسلة من", ""), ("تم الإرسال من", ""), ("تم الارسال من", ""),
    ("تم إرساله من", ""), ("تم إرسالها من", ""), ("تم الإرسال باستخدام", ""), ("أرسلت بواسطة", ""), ("ارسال شده از", ""),
    ("فرستاده شده از", ""), ("ارسال از", ""), ("télécharger ", ""), ("obtener ", ""), ("obtenir ", ""), ("scarica ", ""),
];

/// Footers that name no device.
pub(super) const FOOTERS_WHOLE: &[&str] = &[
    "sent from nine", "sent from spark", "sent from canary", "sent from newton", "sent from hey", "sent from tuta",
    "sent from type", "sent from boxer", "sent from airmail", "sent from front", "sent from superhuman",
    "sent via superhuman", "sent with spark", "sent with airmail", "sent with mailspring", "sent with shortwave",
    "sent on the go", "sent while mobile", "sent from the road", "gesendet von unterwegs", "von unterwegs gesendet",
    "envoyé en déplacement", "sent from my mac", "sent from my pc", "发自我的", "via newton mail", "yahoo mail: search, organize, conquer",
];

/// Devices and mail programs, in the forms in which footers name them.
pub(super) const PRODUCTS: &[&str] = &[
    "phone", "iphon", "ipad", "ipod", "imac", "macbook", "android", "galaxy", "samsung", "huawei", "honor", "xiaomi", "redmi",
    "oppo", "oneplus", "pixel", "nokia", "lumia", "htc", "xperia", "sony", "motorola", "moto g", "lg ", "zte", "realme",
    "blackberry", "nexus", "windows", "verizon", "t-mobile", "mobil", "tablet", "laptop", "computer", "device", "gerät",
    "smartfon", "téléphone", "teléfono", "telefono", "telefon", "telefón", "celular", "móvil", "cellulare", "portable",
    "handy", "telefoon", "toestel", "komórk", "puhelim", "dispositiv", "appareil", "apparaat", "urządzeni", "zařízení",
    "enhet", "laite", "cihaz", "outlook", "mail", "yahoo", "gmx", "web.de", "proton", "tutanota", "k-9", "k9",
    "thunderbird", "typeapp", "type app", "fastmail", "zoho", "icloud", "aol", "hotmail", "orange", "email", "e-mail",
    "courriel", "correo", "posta", "pošt", "poczt", "почт", "пошт", "поща", "телефон", "смартфон", "мобил", "мобіл",
    "устройств", "пристро", "планшет", "айфон", "андроид", "κινητ", "τηλέφων", "συσκευ", "手机", "手機", "小米", "华为",
    "邮", "郵", "設備", "设备", "平板", "メール", "携帯", "スマホ", "スマートフォン", "タブレット", "端末", "휴대폰", "휴대전화",
    "스마트폰", "핸드폰", "메일", "갤럭시", "아이폰", "모바일", "هاتف", "جوال", "آيفون", "ايفون", "أيفون", "جهاز", "محمول",
    "موبايل", "بريد", "طلفون", "گوشی", "تلفن", "טלפון", "אייפון", "נייד", "מכשיר", "גלקסי", "אנדרואיד", "דואר",
    "โทรศัพท์", "ไอโฟน", "มือถือ", "điện thoại", "फ़ोन", "फोन",
];

/// Words that a footer does not have: the line is a sentence of the writer's.
pub(super) const PROSE: &[&str] = &[
    "is", "was", "are", "were", "isn't", "it", "it's", "because", "but", "so", "i", "i'm", "i'll", "we", "he", "she",
    "they", "much", "easier", "now", "yesterday", "today", "tomorrow", "when", "if", "not", "very", "has", "had",
    "have", "will", "would", "can", "could", "should", "while", "since", "until", "desk", "home", "last", "before",
    "after", "there", "here", "too", "ist", "war", "aber", "ich", "weil", "nicht", "heute", "gestern", "morgen",
    "auch", "habe", "sind", "est", "était", "mais", "pas", "hier", "suis", "j'ai", "pero", "ayer", "hoy", "era",
    "ieri", "oggi", "ontem", "hoje", "mas", "não", "maar", "ik", "niet", "gisteren", "vandaag", "men", "inte", "ikke",
    "jag", "jeg", "но", "это", "вчера", "сегодня", "я", "не", "ale", "nie", "wczoraj", "dzisiaj",
];

/// How what follows a footer begins, where it belongs to it.
pub(super) const APOLOGIES: &[&str] = &[
    "please excuse", "please forgive", "please pardon", "excuse ", "forgive ", "pardon ", "sorry for", "apolog",
    "get ", "download", "powered by", "typos", "http", "www.", "bitte entschuldig", "entschuldig", "bitte verzeih",
    "désolé", "merci d'excuser", "veuillez excuser", "veuillez m'excuser", "excusez", "disculp", "perdon", "scus",
    "desculp", "excuses voor", "ursäkta", "undskyld", "przeprasz", "prosím", "извин", "простите", "brief",
];
