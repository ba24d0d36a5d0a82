//! Recognises decimal numbers and amounts of money by their spelling.

use crate::among::is_among;

/// Codes of currencies that most payments are made in (ISO 4217), and the symbols of some.
const CURRENCIES: &str = "AED ARS AUD BDT BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GEL GHS HKD HUF IDR ILS INR ISK \
    JOD JPY KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD \
    TZS UAH UGX USD UYU UZS VND XAF XOF ZAR BTC ETH USDT USDC kr zł Kč Ft Fr Rs R$ US$ A$ C$ лв руб";

/// Returns true for a decimal number, which may have a sign, digits in groups of three, a fraction
/// and an exponent.
pub(crate) fn is_number(value: &str) -> bool {
    let is_exponent = |byte: u8| byte.eq_ignore_ascii_case(&b'e');
    let (digits, exponent) = match value.bytes().position(is_exponent) {
        Some(at) => value.split_at(at),
        None => (value, "e0"),
    };
    is_grouped(without_sign(digits))
        && is_digits(without_sign(exponent.get(1..).unwrap_or_default()))
}

fn without_sign(value: &str) -> &str {
    value.strip_prefix(is_sign).unwrap_or(value)
}

/// Returns true for a number with a currency's sign or code before or after it, such as `5 EUR`.
pub(crate) fn is_amount(value: &str) -> bool {
    // The text before the first digit, from there to the last one, and after it.
    let (mut before, mut number, mut after) = (value, "", "");
    for (at, byte) in value.bytes().enumerate() {
        if byte.is_ascii_digit() {
            if number.is_empty() {
                before = value.get(..at).unwrap_or_default();
            }
            number = value.get(before.len()..=at).unwrap_or_default();
            after = value.get(at + 1..).unwrap_or_default();
        }
    }
    // The sign may stand on either side of the currency: `-5 €`, `€-5`, `$ 5.-`.
    let is_around = |character: &char| {
        !is_sign(*character) && !matches!(character, '.' | ' ' | '\u{A0}' | '\u{202F}')
    };
    let clean = |text: &str| text.chars().filter(is_around).collect::<String>();
    let (before, after) = (clean(before), clean(after));
    let currency = if before.is_empty() { &after } else { &before };
    is_currency(currency) && (before.is_empty() || after.is_empty()) && is_number(number)
}

fn is_currency(text: &str) -> bool {
    let mut characters = text.chars();
    let is_sign = matches!(
        characters.next(),
        Some('$' | '¢'..='¥' | '֏' | '؋' | '৳' | '฿' | '៛' | '₠'..='⃏' | '﷼')
    );
    (is_sign && characters.next().is_none()) || is_among(CURRENCIES, text)
}

fn is_sign(character: char) -> bool {
    matches!(character, '+' | '-' | '\u{2212}')
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true for digits that may be in groups of three, with one kind of separator between them,
/// and may have one decimal separator.
fn is_grouped(text: &str) -> bool {
    // The first separator, and a different one if there is one; digits since the last one.
    let (mut first, mut other, mut digits, mut groups) = (None, None, 0_usize, 0_usize);
    for character in text.chars() {
        if character.is_ascii_digit() {
            digits += 1;
            continue;
        }
        // No separator follows the decimal separator; a group has three digits, the first one may
        // have fewer.
        let is_group = if groups == 0 { digits < 4 } else { digits == 3 };
        match first {
            _ if other.is_some() => return false,
            None => first = Some((character, is_group && digits > 0)),
            Some((separator, true)) if separator == character && is_group => {}
            Some((_, true)) if is_group && is_point(character) => other = Some(character),
            _ => return false,
        }
        groups += 1;
        digits = 0;
    }
    match (first, groups) {
        (None, _) => digits > 0,
        (Some((separator, _)), 1) if is_point(separator) => digits > 0,
        (Some((separator, is_grouped)), _) => {
            let is_last = if other.is_some() {
                digits > 0
            } else {
                digits == 3
            };
            // Four groups between dots are an IP address.
            let is_internet = separator == '.' && groups == 3 && other.is_none();
            is_grouped && is_last && is_separator(separator) && !is_internet
        }
    }
}

fn is_point(character: char) -> bool {
    matches!(character, '.' | ',')
}

fn is_separator(character: char) -> bool {
    matches!(
        character,
        ' ' | '.' | ',' | '\'' | '_' | '’' | '\u{A0}' | '\u{2009}' | '\u{202F}'
    )
}
