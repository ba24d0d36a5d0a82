//! Date-times as the service spells them: ISO 8601, with or without a zone (specification, `SseEventMessage`).

use serde::{Deserialize, Deserializer, Serialize};

/// An ISO 8601 date-time, kept as the text it arrived as; one without a zone is UTC.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Timestamp(pub String);

impl Timestamp {
    /// Milliseconds since 1970-01-01T00:00:00Z, or `None` where the text is no date-time.
    #[must_use]
    pub fn epoch_millis(&self) -> Option<i64> {
        let text = self.0.trim();
        let (date, rest) = text.split_at_checked(10)?;
        let mut parts = date.split('-');
        let (year, month, day) = (
            number(parts.next()?)?,
            number(parts.next()?)?,
            number(parts.next()?)?,
        );
        if parts.next().is_some() || !(1..=days_of_month(year, month)?).contains(&day) {
            return None;
        }
        let midnight = days_since_epoch(year, month, day) * 86_400_000;
        if rest.is_empty() {
            return Some(midnight);
        }
        let clock = rest.strip_prefix(['T', 't', ' '])?;
        let zone_at = clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len());
        let (clock, zone) = clock.split_at_checked(zone_at)?;
        Some(midnight + clock_millis(clock)? - zone_millis(zone)?)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        crate::lenient::text(from).map(Self)
    }
}

/// `HH:MM[:SS[.fraction]]`
fn clock_millis(clock: &str) -> Option<i64> {
    let mut parts = clock.split(':');
    let hour = number(parts.next()?)?;
    let minute = number(parts.next()?)?;
    let (second, millis) = match parts.next() {
        None => (0, 0),
        Some(text) => {
            let (second, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
            if !fraction.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let digits = fraction.bytes().chain([b'0'; 3]).take(3);
            let millis = digits.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
            (number(second)?, millis)
        }
    };
    if parts.next().is_some() || hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    Some(((hour * 60 + minute) * 60 + second) * 1000 + millis)
}

/// Nothing, `Z`, `±HH`, `±HHMM` or `±HH:MM`.
fn zone_millis(zone: &str) -> Option<i64> {
    if zone.is_empty() || zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, offset) = match zone.strip_prefix('-') {
        Some(offset) => (-1, offset),
        None => (1, zone.strip_prefix('+')?),
    };
    let digits: String = offset.chars().filter(|c| *c != ':').collect();
    let (hours, minutes) = digits.split_at_checked(2)?;
    let (hours, minutes) = match minutes.len() {
        0 => (number(hours)?, 0),
        2 => (number(hours)?, number(minutes)?),
        _ => return None,
    };
    if hours > 23 || minutes > 59 {
        return None;
    }
    Some(sign * (hours * 60 + minutes) * 60_000)
}

fn number(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// How many days the month has, or `None` where there is no such month.
fn days_of_month(year: i64, month: i64) -> Option<i64> {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => Some(29),
        2 => Some(28),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar, counted in 400-year eras that start on 1 March.
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
