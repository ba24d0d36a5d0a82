//! Conversion of host names to Unicode: a decoder of Punycode (RFC 3492) for the labels, the parts
//! between dots, that begin with `xn--`.

/// Maximum length of a host's label in characters; a longer one stays as it is.
const MAX_LABEL_LENGTH: usize = 63;

/// Returns the host in Unicode; `None` if none of its labels is Punycode that can be decoded.
pub(crate) fn to_unicode(host: &str) -> Option<String> {
    let mut unicode = String::with_capacity(host.len());
    let mut any = false;
    for (index, label) in host.split('.').enumerate() {
        if index > 0 {
            unicode.push('.');
        }
        match label.strip_prefix("xn--").and_then(decode_label) {
            Some(decoded) => {
                any = true;
                unicode.extend(decoded);
            }
            None => unicode.push_str(label),
        }
    }
    any.then_some(unicode)
}

/// Decodes the part of a label behind `xn--` by RFC 3492, section 6.2, with the parameters of
/// section 5. Invalid Punycode gives `None` or any text; a browser opens no such host.
fn decode_label(label: &str) -> Option<Vec<char>> {
    if label.len() > MAX_LABEL_LENGTH {
        return None;
    }
    let dash = label.bytes().rposition(|byte| byte == b'-');
    let (basic, extended) = match dash {
        Some(dash) => (label.get(..dash)?, label.get(dash + 1..)?),
        None => ("", label),
    };
    let mut output: Vec<char> = basic.chars().collect();
    let (mut code, mut index, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = extended.bytes();
    while digits.len() > 0 {
        let (before, mut weight, mut place) = (index, 1_u32, 36_u32);
        loop {
            let digit = match digits.next()? {
                letter @ b'a'..=b'z' => u32::from(letter - b'a'),
                digit @ b'0'..=b'9' => u32::from(digit - b'0') + 26,
                _ => return None,
            };
            index = index.wrapping_add(digit.wrapping_mul(weight));
            let threshold = place.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.wrapping_mul(36 - threshold);
            place += 36;
        }
        let length = u32::try_from(output.len()).ok()? + 1;
        bias = adapt_bias(index.wrapping_sub(before), length, before == 0);
        code = code.wrapping_add(index / length);
        index %= length;
        output.insert(usize::try_from(index).ok()?, char::from_u32(code)?);
        index += 1;
    }
    Some(output)
}

/// Returns the bias with which the next number of a label is decoded (RFC 3492, section 6.1).
fn adapt_bias(delta: u32, length: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / length;
    let mut bias = 0;
    while delta > 455 {
        delta /= 35;
        bias += 36;
    }
    bias + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_decoded() {
        for (ascii, unicode) in [
            ("xn--mnchen-3ya.de", "münchen.de"),
            ("xn--80ak6aa92e.com", "аррӏе.com"),
            ("xn--e1afmkfd.xn--p1ai", "пример.рф"),
            ("xn--r8jz45g.xn--zckzah", "例え.テスト"),
            (
                "xn--bcher-und-zeitschriften-ber-ffentliche-grten-zyd92f4hxa.de",
                "bücher-und-zeitschriften-über-öffentliche-gärten.de",
            ),
            (
                "xn--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-4xc85041geth8f",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa😀é漢",
            ),
            ("xn--lfr66pzul20sireh92a", "軫劓縪杯稱婵"),
            ("xn--knq070aokz34or30dojilseivi", "诽嫳仡쪨윃뷋稯쑣"),
            (
                "xn--3b-ww4c5e180e575a65lsy2b.example",
                "3年b組金八先生.example",
            ),
        ] {
            assert_eq!(to_unicode(ascii).as_deref(), Some(unicode));
        }
    }

    #[test]
    fn what_is_no_punycode_stays() {
        for host in [
            "",
            "bank.example",
            "xn--\u{fc}",
            "xn--!",
            "xn--99999999999",
            "xn--a-b",
            "[::1]",
            "xn--tdaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa39176ibabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
        ] {
            assert_eq!(to_unicode(host), None, "{host}");
        }
    }
}
