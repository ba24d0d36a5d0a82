//! Dates with times as the service spells them: ISO 8601, with or without a zone (specification,
//! `SseEventMessage`).

use serde::{Deserialize, Serialize};

use crate::{FromJson, Json};

/// An ISO 8601 date-time, kept as the text it arrived as; one without a zone is UTC.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub String);

impl Timestamp {
    /// Returns milliseconds since 1970-01-01T00:00:00Z, or `None` if the text is no date-time.
    #[must_use]
    pub fn epoch_millis(&self) -> Option<i64> {
        let mut rest = RestOfText(self.0.as_bytes().trim_ascii());
        let midnight = parse_date(&mut rest)?;
        if rest.0.is_empty() {
            return Some(midnight);
        }
        rest.skip(|byte| matches!(byte, b'T' | b't' | b' '))?;
        let millis = parse_time(&mut rest)? - parse_zone(&mut rest)?;
        rest.0.is_empty().then_some(midnight + millis)
    }
}

/// The part of a timestamp that was not parsed yet; each function takes what it parses from its
/// beginning.
struct RestOfText<'a>(&'a [u8]);

impl RestOfText<'_> {
    /// Takes a number of exactly `digits` digits from the beginning and returns it; `None` if it is
    /// not there.
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        let number = number.iter().try_fold(0, |sum, byte| {
            byte.is_ascii_digit()
                .then(|| sum * 10 + i64::from(byte - b'0'))
        })?;
        self.0 = rest;
        Some(number)
    }

    /// Takes the first byte if `is_known` returns true for it, and returns it; `None` otherwise.
    fn skip(&mut self, is_known: fn(u8) -> bool) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        is_known(*first).then(|| {
            self.0 = rest;
            *first
        })
    }
}

impl FromJson for Timestamp {
    fn from_json(json: Json<'_>) -> Option<Self> {
        json.text().map(Self)
    }
}

/// Parses `YYYY-MM-DD`. Returns the beginning of that day in milliseconds since 1970-01-01; `None`
/// if there is no such day.
fn parse_date(rest: &mut RestOfText<'_>) -> Option<i64> {
    let year = rest.number(4)?;
    rest.skip(|byte| byte == b'-')?;
    let month = rest.number(2)?;
    rest.skip(|byte| byte == b'-')?;
    let day = rest.number(2)?;
    let is_day = (1..=days_of_month(year, month)?).contains(&day);
    is_day.then(|| days_since_epoch(year, month, day) * 86_400_000)
}

/// Parses a time `HH:MM[:SS[.fraction]]`. Returns the milliseconds since midnight; `None` if there
/// is no such time.
fn parse_time(rest: &mut RestOfText<'_>) -> Option<i64> {
    let is_colon = |byte| byte == b':';
    let hour = rest.number(2)?;
    rest.skip(is_colon)?;
    let minute = rest.number(2)?;
    let (mut second, mut millis) = (0, 0);
    if rest.skip(is_colon).is_some() {
        second = rest.number(2)?;
        if rest.skip(|byte| matches!(byte, b'.' | b',')).is_some() {
            let mut unit = 100;
            while let Some(digit) = rest.number(1) {
                millis += digit * unit;
                unit /= 10;
            }
        }
    }
    let is_time = hour <= 24 && minute <= 59 && second <= 60;
    is_time.then_some(((hour * 60 + minute) * 60 + second) * 1000 + millis)
}

/// Parses a time zone: nothing, `Z`, `±HH`, `±HHMM` or `±HH:MM`. Returns its offset from UTC in
/// milliseconds; `None` if it is none of these.
fn parse_zone(rest: &mut RestOfText<'_>) -> Option<i64> {
    if rest.0.is_empty() || rest.skip(|byte| matches!(byte, b'Z' | b'z')).is_some() {
        return Some(0);
    }
    let sign = match rest.skip(|byte| matches!(byte, b'+' | b'-'))? {
        b'-' => -1,
        _ => 1,
    };
    let hours = rest.number(2)?;
    let mut minutes = 0;
    if !rest.0.is_empty() {
        rest.skip(|byte| byte == b':');
        minutes = rest.number(2)?;
    }
    let is_zone = hours <= 23 && minutes <= 59;
    is_zone.then_some(sign * (hours * 60 + minutes) * 60_000)
}

/// Returns the number of days of a month, or `None` if there is no such month.
fn days_of_month(year: i64, month: i64) -> Option<i64> {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => Some(29),
        2 => Some(28),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

/// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar; negative before.
/// It counts in periods of 400 years that start on 1 March.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    fn check(text: &str, expected: Option<i64>) {
        assert_eq!(
            Timestamp(text.to_owned()).epoch_millis(),
            expected,
            "{text}"
        );
    }

    #[test]
    fn a_zone_is_honoured_and_its_absence_is_utc() {
        check("1970-01-01T00:00:00Z", Some(0));
        check("2024-02-29T12:00:00.5", Some(1_709_208_000_500));
        check("2024-02-29T12:00:00.500123456Z", Some(1_709_208_000_500));
        check("2024-02-29T12:00:00+02:00", Some(1_709_200_800_000));
        check("2024-02-29T12:00:00-0130", Some(1_709_213_400_000));
        check("2024-02-29 12:00", Some(1_709_208_000_000));
        check("2024-02-29", Some(1_709_164_800_000));
        check("1969-12-31T23:59:59.999Z", Some(-1));
    }

    #[test]
    fn what_is_no_date_time_is_none() {
        for text in [
            "",
            "now",
            "2024-13-01",
            "2024-00-01",
            "2024-02-30",
            "2023-02-29",
            "1900-02-29",
            "2024-04-31",
            "2024-02-00",
            "2024-02-29T12:00:00.123x",
            "2024-02-29T12:00:00.x",
            "2024-02-29Tnoon",
            "2024-02-29T25:00",
            "\u{1F600}",
        ] {
            check(text, None);
        }
        check("2024-02-29T12:00:00+99999999999", None);
    }
}
