//! The user's id: the one that the page gives, or one that was generated here and stored.

use assent_protocol::is_user_id;

use super::KeyValueStore;

/// The key of the user's stored id, which is the same for all agents and services.
const USER_ID_KEY: &str = "assent:user-id";

/// Returns the id that is used when the page names none; generated and stored at the first call.
#[must_use]
pub fn load_or_create_user_id(storage: &dyn KeyValueStore) -> String {
    if let Some(known) = storage.get(USER_ID_KEY).filter(|id| is_user_id(id)) {
        return known;
    }
    let id = random_id();
    storage.set(USER_ID_KEY, &id);
    id
}

/// Returns a version 4 UUID (RFC 9562). `crypto.randomUUID` would be shorter, but is missing on
/// pages without TLS.
pub(super) fn random_id() -> String {
    let mut bytes = [0_u8; 16];
    let crypto = web_sys::window().and_then(|window| window.crypto().ok());
    if crypto.is_none_or(|c| c.get_random_values_with_u8_array(&mut bytes).is_err()) {
        // Every browser since 2014 has it; the id only has to differ from those of other browsers.
        bytes.fill_with(|| (js_sys::Math::random() * 256.0) as u8);
    }
    let mut number = u128::from_be_bytes(bytes);
    number = number & !(0xF << 76) | (0x4 << 76);
    number = number & !(0x3 << 62) | (0x2 << 62);
    let digits = format!("{number:032x}");
    let mut id = String::with_capacity(36);
    for (index, digit) in digits.chars().enumerate() {
        if matches!(index, 8 | 12 | 16 | 20) {
            id.push('-');
        }
        id.push(digit);
    }
    id
}
