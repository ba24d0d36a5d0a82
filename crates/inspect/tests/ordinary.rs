//! Everyday texts without findings.
#![allow(
    clippy::panic,
    missing_docs,
    reason = "tests may fail loudly and are named by what they show"
)]

mod common;

use assent_inspect::ValueKind;
use common::{look, notation, whole};

/// Ordinary texts, one or more lines each.
const ORDINARY: &[&str] = &[
    // English, with the characters that keyboards and office programs produce.
    "Please pay “Ann’s Café” – £5.50 – by 5 o’clock… it’s naïve, isn’t it? © 2026 Acme™ ½ ¼ 90° ±5 §3 ¶ • †",
    "e-mail me: C++, C#, node.js, x86_64, I/O, l10n, IEEE 802.11ax, H₂O, CO₂, m², 10⁻³, №5, ﬁne",
    "Zalando, Łódź, Åsa, Çelik, İstanbul, Iğdır, kırmızı, São Tomé, Reykjavík, Þór, Ħal, Ǆ, ə, Ɓaare, Ŋoma",
    // German, French, Spanish, Polish, Czech, Turkish, Hungarian, Finnish, Maltese.
    "Fußgängerübergänge: Größe ≥ 3 m, „Straße“, STRASSE, GROẞ, 50 % Rabatt",
    "L’œuvre d’Hélène coûte « cher » : où ? À Nîmes, dès Noël",
    "¿Dónde está el niño? ¡Mañana! 1.ª y 2.º",
    "Zażółć gęślą jaźń. Příliš žluťoučký kůň. Pijamalı hasta yağız şoföre çabucak güvendi.",
    "Árvíztűrő tükörfúrógép; hääyöaie; Ġgantija",
    // Russian, Ukrainian, Serbian, Bulgarian, Kazakh, with adjacent and hyphenated Latin names.
    "Переведите 500 ₽ на счёт Сбербанка, Wi-Fi-роутер и USB-кабель для iPhone, IT-отдел",
    "МОСКВА, КОТ, РОСА, СССР и ТАСС: Нет, он оса. сухо",
    "plan а, section с",
    "МОСКВА (MOSCOW), КВН, СССР (USSR)",
    "{\"city\": \"Курск\", \"to\": \"Орск\"}",
    "Chapter Ⅳ, Henry Ⅷ, type Ⅱb, 300 \u{212A}, sin𝑥, 𝗯𝗼𝗹𝗱 and 𝖯",
    "Київ, їжак, ґанок, єдність; Београд, љубав, њива, џем, ђак; ѝ, ъгъл; Қазақстан, әке, ұлы",
    "VIPы, CDшка, 3Dпечать, USBшный, iPhoneом",
    // Greek, with old and new accents, and as symbols.
    "Καλημέρα κόσμε, Αθήνα ΑΘΗΝΑ, ἐν ἀρχῇ ἦν ὁ λόγος",
    "NFκB, TNFα, IFNγ, IL1β, PPARγ, Hα, Kα, α-helix, β-Carotin, γδ, γδT, μm, µm, kΩ, 5 MΩ, kΩ, Δx, ΔT, Δt, πr², λ, hν, ν_e, χ², σ, Σx, sinα, cosθ, 2π, ρgh",
    "∑ ∫ √ ∞ ≠ ≤ ∈ ∅ ℝ ℕ ⊂ → ⇒ 𝑥² + 𝑦² = 𝑧², 𝐀𝐁",
    // Armenian, Georgian.
    "Բարեւ Ձեզ, Երեւան",
    "გამარჯობა თბილისი ᲗᲑᲘᲚᲘᲡᲘ",
    // Arabic, Hebrew, Persian with its joiner, Urdu, Yiddish, with numbers and Latin names.
    "مرحبا بالعالم، السعر ١٢٣٫٤٥ ريال أو 123.45 في iPhone",
    "ادفع ٥٠٠ درهم عند 10:30",
    "שלום עולם, מחיר 50 ₪ ב-Windows וגם בWindows, צה״ל, ג׳ירפה, שָׁלוֹם",
    "می‌خواهم کتاب‌ها را ۱۲۳ بار بخوانم؛ نامه‌ای",
    "پاکستان ۱۹۴۷ء میں",
    "ײִדיש",
    // Scripts of India.
    "नमस्ते दुनिया, क्‍ष, र्‍य, ₹५०० या 500",
    "বাংলা ৳৫০",
    "ਪੰਜਾਬੀ",
    "ગુજરાતી",
    "ଓଡ଼ିଆ",
    "தமிழ் ஃ",
    "తెలుగు క్‌ష",
    "ಕನ್ನಡ",
    "മലയാളം ന്‍",
    "සිංහල ශ්‍රී",
    "नेपाली iPhone",
    // South-east Asia, with words separated by a zero width space.
    "สวัสดี iPhone ราคา ๕๐๐ บาท",
    "ใช้iPhoneได้",
    "ភាសា\u{200B}ខ្មែរ",
    "ພາສາ\u{200B}ລາວ",
    "မြန်မာ\u{200B}ဘာသာ",
    "བོད་ཡིག",
    // Vietnamese, in composed and in combining letters.
    "Tiếng Việt rất đẹp, Nguyễn Thị Hương",
    "Tie\u{302}\u{301}ng Vie\u{302}\u{323}t ra\u{302}\u{301}t dde\u{323}p",
    // Chinese, Japanese, Korean, with Latin in the middle.
    "请支付５００元给ABC公司,谢谢。「你好」",
    "ㄅㄆㄇ注音abc",
    "東京タワーへ行くとiPhoneのアプリがＯＫ。Tシャツ、ワイシャツ、ゲームを買う",
    "株式会社\u{3000}山田\u{3000}太郎",
    "葛\u{E0100}城市、辻\u{E0101}",
    "한국어 텍스트와 iPhone앱, K팝, 각",
    "ﾊﾝｶｸ ｶﾅ",
    // Alphabets with letters that look Latin, beside Latin words.
    "Cherokee (ᏣᎳᎩ), ᎦᏬᏂᎯᏍᏗ; Inuktitut ᐃᓄᒃᑎᑐᑦ, Cree ᓀᐦᐃᔭᐍᐏᐣ; Lisu ꓡꓲ-ꓢꓴ ꓥꓳꓽ; Բարեւ, իմ OK; ΝΑΤΟ και ΟΟΣΑ (OECD)",
    "The line ΑΒ meets ΚΗ at Ο",
    // As many marks as letters carry, and those of mathematics and phonetics.
    "Bǖ ṩ e\u{331}\u{302}\u{301} v\u{20D7} =\u{338} ∈\u{338} x\u{305}, ŋ̊ t̪ʰ ɔ̃ː, שָּׁ֥ בְּרֵאשִׁ֖ית, ٱللَّهِ ٱلرَّحْمَٰنِ, ที่นี่ น้ำ, ཧཱུྃ, క్ష్మి, மௌ",
    // White space: after a sentence, in columns and before lines.
    "One.  Two.\tThree.",
    "fn a() {\n        b();\n\t\t\t\tc();\n}\n",
    "name      size\nreport    12 kB\n",
    // Mongolian with its vowel separator, Ethiopic, Cherokee, Inuktitut, Tifinagh.
    "ᠮᠣᠩᠭᠣᠯ ᠬᠡᠯᠡ ᠪᠠᠢᠨ\u{180E}ᠠ",
    "አማርኛ ቋንቋ።",
    "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
    "ᐃᓄᒃᑎᑐᑦ",
    "ⵜⴰⵎⴰⵣⵉⵖⵜ",
    // Emoji: families, professions, skin colours, flags of both kinds, keycaps, text and picture
    // forms, hearts.
    "👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🏴‍☠️ 🧑‍⚕️ ❤️‍🔥 👁️‍🗨️ 🐻‍❄️ 👩‍❤️‍👨 🙋🏿‍♂️",
    "🇩🇪🇺🇸🇯🇵 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿",
    "1️⃣ 2️⃣ #️⃣ *️⃣ ☺️ ☎︎ ✈️ ©️ ™️ ↔️ ‼️ ㊙️ 〰️ 🅰️ ⏱️ ▶️ ⬆️",
    // Line breaks of all systems, tabs, Braille with its blank.
    "one\r\ntwo\nthree\tfour\n",
    "⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙",
    // Source code.
    "fn main() { println!(\"{}\", a[0] & 0xFF); } // → ok",
];

#[test]
fn ordinary_texts_are_plain() {
    for text in ORDINARY {
        let seen = look("text", text);
        assert_eq!(notation(&seen.value), *text);
        assert_eq!(whole(&seen.value), *text);
        assert_eq!(seen.findings, [], "{text}");
        assert_eq!(notation(&look(text, "value").name), *text);
    }
}

#[test]
fn spaces_marks_and_the_byte_order_mark_of_ordinary_texts_are_notes() {
    for (text, expected) in [
        (
            "5\u{A0}000\u{202F}€",
            "5(no-break space)000(narrow no-break space)€",
        ),
        ("a\u{2009}b\u{2003}c", "a(thin space)b(em space)c"),
        ("\u{FEFF}hello", "(byte order mark)hello"),
        (
            "שלום\u{200F}, C++\u{200E}!",
            "שלום(right-to-left mark), C++(left-to-right mark)!",
        ),
        ("a\u{3000}b", "a(ideographic space)b"),
    ] {
        let seen = look("text", text);
        assert_eq!(notation(&seen.value), expected);
        assert_eq!(seen.findings, [], "{text}");
    }
}

#[test]
fn hosts_in_one_language_are_fine() {
    for (url, unicode) in [
        ("https://münchen.de/straße", Some("münchen.de")),
        ("https://MÜNCHEN.de", Some("münchen.de")),
        ("https://xn--mnchen-3ya.de", Some("münchen.de")),
        ("https://пример.рф", Some("пример.рф")),
        ("https://ПОЧТА.com", Some("почта.com")),
        ("https://курск.com", Some("курск.com")),
        ("https://рост.рф", Some("рост.рф")),
        ("https://xn--n1afgi.xn--p1acf", Some("сухо.рус")),
        ("https://ουτοπία.gr", Some("ουτοπία.gr")),
        ("https://東京タワー.jp", Some("東京タワー.jp")),
        ("https://ラーメンshop.jp", Some("ラーメンshop.jp")),
        ("https://例え.テスト", Some("例え.テスト")),
        ("https://한국kbs.kr", Some("한국kbs.kr")),
        ("https://中国abc.cn", Some("中国abc.cn")),
        ("https://مثال.إختبار", Some("مثال.إختبار")),
        ("https://דוגמה.example", Some("דוגמה.example")),
        ("https://उदाहरण.परीक्षा", Some("उदाहरण.परीक्षा")),
        ("https://ไทยshop.com", Some("ไทยshop.com")),
        ("https://WWW.Bank.Example:8443/a?b#c", None),
        ("mailto:ann@bank.example", None),
        ("tel:+4930123", None),
    ] {
        let seen = look("target", url);
        assert_eq!(seen.findings, [], "{url}");
        let ValueKind::Address(address) = seen.kind else {
            panic!("{url}: {:?}", seen.kind)
        };
        assert_eq!(address.unicode.as_ref().map(notation).as_deref(), unicode);
    }
}
