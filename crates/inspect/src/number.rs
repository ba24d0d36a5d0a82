//! Decimal numbers and amounts of money, by their spelling.

/// Codes of ISO 4217 for the currencies that most payments are made in.
const CODES: &str = "AED ARS AUD BDT BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GEL GHS HKD HUF IDR ILS INR ISK \
    JOD JPY KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD \
    TZS UAH UGX USD UYU UZS VND XAF XOF ZAR BTC ETH USDT USDC";

/// Signs that are no `Sc` of Unicode.
const WORDS: &str = "kr Kr zł Kč Ft Fr Rs R$ US$ A$ C$ лв руб";

/// Whether it is a decimal number: a sign, digits in groups of three, a fraction, an exponent.
pub(crate) fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix(['+', '-', '\u{2212}']).unwrap_or(value);
    let (digits, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    is_digits(exponent) && is_grouped(digits)
}

/// Whether it is a number beside a currency's sign or code.
pub(crate) fn is_amount(value: &str) -> bool {
    let is_numeral = |character: char| character.is_ascii_digit();
    let (Some(first), Some(last)) = (value.find(is_numeral), value.rfind(is_numeral)) else {
        return false;
    };
    let (Some(before), Some(number), Some(after)) = (
        value.get(..first),
        value.get(first..=last),
        value.get(last + 1..),
    ) else {
        return false;
    };
    // The sign may stand on either side of the currency: `-5 €`, `€-5`, `$ 5.-`.
    let is_sign = |character: char| "+-\u{2212}.".contains(character);
    let clean = |text| str::trim(text).trim_matches(is_sign).trim();
    let (before, after) = (clean(before), clean(after));
    is_number(number)
        && ((is_currency(before) && after.is_empty()) || (before.is_empty() && is_currency(after)))
}

fn is_currency(text: &str) -> bool {
    let mut characters = text.chars();
    let is_sign = characters.next().is_some_and(
        |first| matches!(first, '$' | '¢'..='¥' | '֏' | '؋' | '৳' | '฿' | '៛' | '₠'..='⃏' | '﷼'),
    );
    let among = |list: &str| list.split_ascii_whitespace().any(|one| one == text);
    (is_sign && characters.next().is_none()) || among(CODES) || among(WORDS)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits with one separator of fractions, and one of groups of three.
fn is_grouped(text: &str) -> bool {
    let is_separator = |character: char| !character.is_ascii_digit();
    let Some(first) = text.find(is_separator) else {
        return is_digits(text);
    };
    let (head, mut rest) = text.split_at(first);
    // `.5`, `-.25`
    if !head.is_empty() && !is_digits(head) {
        return false;
    }
    let separator = rest.chars().next().unwrap_or_default();
    let groups = rest.split(separator).skip(1).count();
    let fraction = rest.get(separator.len_utf8()..).unwrap_or_default();
    if groups == 1 && matches!(separator, '.' | ',') && is_digits(fraction) {
        return true;
    }
    if !" .,'_’\u{A0}\u{2009}\u{202F}".contains(separator) || head.is_empty() || head.len() > 3 {
        return false;
    }
    // Four groups between dots are an address of the internet.
    let mut count = 1;
    while let Some(group) = rest.strip_prefix(separator) {
        let end = group.find(is_separator).unwrap_or(group.len());
        if end != 3 {
            return false;
        }
        rest = group.get(end..).unwrap_or_default();
        count += 1;
    }
    let fraction = rest.strip_prefix(['.', ',']).unwrap_or("0");
    let is_whole = rest.is_empty() || is_digits(fraction);
    is_whole && !(separator == '.' && count == 4 && rest.is_empty())
}
