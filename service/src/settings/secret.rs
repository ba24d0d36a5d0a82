//! Keys of models, tool servers and webhooks: named in a file of the operator, kept out of everything
//! else.

use std::{env, fmt, path::Path};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use serde::{Deserialize, de::IgnoredAny};

use crate::settings::key_file;

/// Where a key is to be found: never the key itself, so that files of the operator can be shown and
/// kept anywhere.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "SecretValue")]
pub(crate) struct SecretSource {
    place: SecretPlace,
    /// Text before the key, such as `Bearer `.
    prefix: String,
}

#[derive(Clone, Debug)]
enum SecretPlace {
    /// Name of an environment variable.
    Variable(String),
    /// Path of a file beside the one that names it; the first line of the file is the key.
    File(String),
}

/// What a file has where a key belongs. A key itself is read as `Other`, so that no error
/// quotes it.
#[derive(Deserialize)]
#[serde(untagged)]
enum SecretValue {
    Place(SecretPlaceConfig),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SecretPlaceConfig {
    env: Option<String>,
    file: Option<String>,
    #[serde(default)]
    prefix: String,
}

impl TryFrom<SecretValue> for SecretSource {
    type Error = &'static str;

    fn try_from(written: SecretValue) -> Result<Self, Self::Error> {
        let SecretValue::Place(written) = written else {
            return Err(NO_LITERAL);
        };
        let place = match (written.env, written.file) {
            (Some(name), None) => SecretPlace::Variable(name),
            (None, Some(file)) => SecretPlace::File(file),
            _ => return Err(NO_LITERAL),
        };
        Ok(Self {
            place,
            prefix: written.prefix,
        })
    }
}

const NO_LITERAL: &str =
    "a key is never written into this file: give { env = \"NAME\" } or { file = \"NAME\" }";

/// A key of a model, tool server or webhook. It has neither a `Debug` that shows it nor `Serialize`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret {
    prefix: String,
    key: String,
    /// The forms in which a text may hold the key, the plain one first.
    spellings: Vec<String>,
}

/// Shortest piece of a key that is looked for where a text ends, and shortest spelling besides the
/// plain one, in bytes: shorter ones occur in any text.
const MIN_PIECE_BYTES: usize = 8;

impl fmt::Debug for Secret {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Secret(hidden)")
    }
}

impl Secret {
    /// Returns the prefix and the key, for the header or variable that carries them.
    pub(crate) fn expose(&self) -> String {
        format!("{}{}", self.prefix, self.key)
    }

    fn new(prefix: &str, key: String) -> Self {
        Self {
            prefix: prefix.to_owned(),
            spellings: encoded_forms(&key),
            key,
        }
    }

    /// Returns the text without this key, also where it is encoded for an address or in base64, and
    /// where the text was cut within it.
    pub(crate) fn remove_from(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for spelling in &self.spellings {
            text = text.replace(spelling, HIDDEN);
            let pieces = (MIN_PIECE_BYTES..spelling.len()).rev();
            let mut pieces = pieces.filter_map(|length| spelling.get(..length));
            if let Some(piece) = pieces.find(|piece| text.ends_with(piece)) {
                text.truncate(text.len() - piece.len());
                text.push_str(HIDDEN);
            }
        }
        text
    }
}

/// The text that replaces a key.
const HIDDEN: &str = "[hidden]";

/// Returns the forms in which a text may hold a key: as it is, percent-encoded, and within base64
/// at each offset.
fn encoded_forms(key: &str) -> Vec<String> {
    let mut all = vec![key.to_owned()];
    let mut add = |spelling: String| {
        if spelling.len() >= MIN_PIECE_BYTES && !all.contains(&spelling) {
            all.push(spelling);
        }
    };
    for hex in ["0123456789ABCDEF", "0123456789abcdef"] {
        let encoded = percent_encoded(key, hex);
        add(encoded.replace("%20", "+"));
        add(encoded);
    }
    for before in 0..3_usize {
        let bytes = [vec![0; before], key.as_bytes().to_vec()].concat();
        // Signs of six bits each; those that other bytes have a part in are left out.
        let (first, end) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        for text in [
            STANDARD_NO_PAD.encode(&bytes),
            URL_SAFE_NO_PAD.encode(&bytes),
        ] {
            add(text.get(first..end).unwrap_or_default().to_owned());
        }
    }
    all
}

/// Percent-encodes everything but the unreserved characters (RFC 3986, 2.3), with the digits of
/// `hex`.
pub(crate) fn percent_encoded(text: &str, hex: &str) -> String {
    let digit = |value: u8| hex.chars().nth(usize::from(value)).unwrap_or_default();
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        byte => String::from_iter(['%', digit(byte >> 4), digit(byte & 15)]),
    };
    text.bytes().map(encode).collect()
}

/// A value that may be a key, such as a variable of a program: the text itself, or where its key is
/// to be found.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum TextOrSecret {
    Text(String),
    Secret(SecretSource),
}

impl TextOrSecret {
    /// Returns the value, and the key in it if it has one; `folder` is that of the file.
    pub(crate) fn read(&self, folder: &Path) -> Result<(String, Option<Secret>), String> {
        match self {
            Self::Text(text) => Ok((text.clone(), None)),
            Self::Secret(source) => {
                let secret = source.read(folder)?;
                Ok((secret.expose(), Some(secret)))
            }
        }
    }
}

impl SecretSource {
    /// Reads the key; `folder` is that of the file that names it.
    pub(crate) fn read(&self, folder: &Path) -> Result<Secret, String> {
        let (value, place) = match &self.place {
            SecretPlace::Variable(name) => (env::var(name).ok(), format!("the variable {name}")),
            SecretPlace::File(file) => {
                let text = key_file::read(&folder.join(file));
                let text = text.map_err(|fault| format!("the file {file}: {fault}"))?;
                (
                    text.lines().next().map(str::to_owned),
                    format!("the file {file}"),
                )
            }
        };
        let value = value.map(|value| value.trim().to_owned());
        match value {
            Some(key) if !key.is_empty() => Ok(Secret::new(&self.prefix, key)),
            _ => Err(format!("{place} holds no key")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use base64::{
        Engine as _,
        engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
    };

    use super::{Secret, SecretSource};

    #[test]
    fn a_key_comes_from_a_file_and_is_never_printed() {
        let folder = std::env::temp_dir().join(format!("assent-secret-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&folder).unwrap();
        crate::settings::key_file::write(&folder.join("key"), "canary-1234\n");
        let source: SecretSource = toml::from_str("file = \"key\"\nprefix = \"Bearer \"").unwrap();
        let secret = source.read(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        let secret = secret.unwrap();
        assert_eq!(secret.expose(), "Bearer canary-1234");
        assert!(!format!("{secret:?}").contains("canary"));
        assert_eq!(secret.remove_from("no canary-1234!"), "no [hidden]!");
    }

    #[test]
    fn a_key_is_found_however_it_is_written_and_where_it_is_cut() {
        let key = "Ca/Na+ry canary~1234";
        let secret = Secret::new("", key.to_owned());
        let shown = |text: &str| secret.remove_from(text);
        for text in [
            "?key=Ca%2FNa%2Bry%20canary~1234&a=1",
            "?key=Ca%2fNa%2bry%20canary~1234&a=1",
            "?key=Ca%2FNa%2Bry+canary~1234&a=1",
        ] {
            assert_eq!(shown(text), "?key=[hidden]&a=1");
        }
        for before in ["", "u:", "user:", "Bearer "] {
            for after in ["", ":", "\n", " and more"] {
                for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
                    let text = engine.encode(format!("{before}{key}{after}"));
                    let shown = shown(&text);
                    assert!(
                        shown.contains("[hidden]") && shown.len() < text.len(),
                        "{shown}"
                    );
                }
            }
        }
        assert_eq!(shown("key: Ca/Na+ry c"), "key: [hidden]");
        assert_eq!(shown("key: Ca/Na+r"), "key: Ca/Na+r", "too little of it");
        assert_eq!(shown("all is well"), "all is well");
        // A short one is no word of a text.
        assert_eq!(
            Secret::new("", "k1".to_owned()).remove_from("k1, %6B1"),
            "[hidden], %6B1"
        );
    }

    #[test]
    fn a_literal_key_and_a_missing_one_do_not_load() {
        for text in ["value = \"sk-1\"", "env = \"A\"\nfile = \"b\"", ""] {
            let fault = toml::from_str::<SecretSource>(text).unwrap_err();
            assert!(fault.message().contains("never written"), "{fault}");
        }
        let missing: SecretSource = toml::from_str("env = \"ASSENT_NO_SUCH_KEY\"").unwrap();
        let fault = missing.read(Path::new(".")).unwrap_err();
        assert_eq!(fault, "the variable ASSENT_NO_SUCH_KEY holds no key");
    }
}
