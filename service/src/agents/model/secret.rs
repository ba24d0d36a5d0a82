//! Keys of models and tool servers: named in an agent file, kept out of everything else.

use std::{env, fmt, fs, path::Path};

use serde::{Deserialize, de::IgnoredAny};

/// The place of a key: never the key itself, so that agent files can be shown and kept anywhere.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Written")]
pub(super) struct SecretSource {
    place: SecretPlace,
    /// Text before the key, such as `Bearer `.
    prefix: String,
}

#[derive(Clone, Debug)]
enum SecretPlace {
    /// Name of an environment variable.
    Variable(String),
    /// File beside the agent file; its first line counts.
    File(String),
}

/// The value in the place of a key in a file. A key itself is read as anything, so that no error
/// quotes it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Place(WrittenPlace),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlace {
    env: Option<String>,
    file: Option<String>,
    #[serde(default)]
    prefix: String,
}

impl TryFrom<Written> for SecretSource {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let Written::Place(written) = written else {
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

/// A key. It has neither `Debug` that shows it nor `Serialize`.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret {
    prefix: String,
    key: String,
}

impl fmt::Debug for Secret {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Secret(hidden)")
    }
}

impl Secret {
    /// Returns the key after its prefix, for the one place that carries it.
    pub(super) fn expose(&self) -> String {
        format!("{}{}", self.prefix, self.key)
    }

    /// Returns the text without this key.
    pub(super) fn remove_from(&self, text: &str) -> String {
        text.replace(&self.key, "[hidden]")
    }
}

/// A value that may be a key, such as a variable of a program: a text as it is, or where a key is.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum TextOrSecret {
    Text(String),
    Secret(SecretSource),
}

impl TextOrSecret {
    /// Returns the value, and the key in it.
    pub(super) fn read(&self, folder: &Path) -> Result<(String, Option<Secret>), String> {
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
    /// Reads the key; `folder` is that of the agent file.
    pub(super) fn read(&self, folder: &Path) -> Result<Secret, String> {
        let (value, place) = match &self.place {
            SecretPlace::Variable(name) => (env::var(name).ok(), format!("the variable {name}")),
            SecretPlace::File(file) => {
                let text = fs::read_to_string(folder.join(file)).ok();
                let line = text.and_then(|text| text.lines().next().map(str::to_owned));
                (line, format!("the file {file}"))
            }
        };
        let value = value.map(|value| value.trim().to_owned());
        match value {
            Some(key) if !key.is_empty() => Ok(Secret {
                prefix: self.prefix.clone(),
                key,
            }),
            _ => Err(format!("{place} holds no key")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::SecretSource;

    #[test]
    fn a_key_comes_from_a_file_and_is_never_printed() {
        let folder = std::env::temp_dir().join(format!("assent-secret-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("key"), "canary-1234\n").unwrap();
        let source: SecretSource = toml::from_str("file = \"key\"\nprefix = \"Bearer \"").unwrap();
        let secret = source.read(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        let secret = secret.unwrap();
        assert_eq!(secret.expose(), "Bearer canary-1234");
        assert!(!format!("{secret:?}").contains("canary"));
        assert_eq!(secret.remove_from("no canary-1234!"), "no [hidden]!");
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
