//! The signature of a message by Standard Webhooks: HMAC-SHA256 over id, time and body.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::settings::notify::SigningKey;

/// Returns the value of the header `webhook-signature`.
pub(super) fn sign(key: &SigningKey, id: &str, timestamp: u64, body: &str) -> String {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key.0) else {
        return String::new();
    };
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::sign;
    use crate::settings::notify::SigningKey;

    /// The example of the libraries of Standard Webhooks.
    #[test]
    fn the_signature_is_that_of_the_public_example() {
        let key = SigningKey::decode("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = sign(
            &key,
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            "{\"test\": 2432232314}",
        );
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn every_part_of_a_message_changes_the_signature() {
        let key = |byte| SigningKey(vec![byte; 32]);
        let signed = [
            sign(&key(1), "a", 1, "{}"),
            sign(&key(2), "a", 1, "{}"),
            sign(&key(1), "b", 1, "{}"),
            sign(&key(1), "a", 2, "{}"),
            sign(&key(1), "a", 1, "{ }"),
        ];
        let mut different = signed.to_vec();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), signed.len());
    }
}
