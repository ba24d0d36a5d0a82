//! The table `[notify]` of a file of the operator: a webhook that is told of decisions that wait.

mod address;

use std::{fmt, fs, path::Path, time::Duration};

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use jiff::SignedDuration;
use reqwest::Url;
use serde::Deserialize;

use super::{
    fault::{AtPlace as _, Fault, describe_parse_error},
    secret::{SecretSource, percent_encoded},
};
use crate::{Error, Result, http_client::is_loopback_url};
use address::Allowed;
pub(crate) use address::NotPublic;

/// The longest time that may be waited for a decision before anybody is told: a day.
const LONGEST_DELAY: SignedDuration = SignedDuration::from_hours(24);

/// The fewest bytes of a key, as Standard Webhooks wants them.
const MIN_KEY_BYTES: usize = 24;

/// A webhook that is told of decisions that wait.
#[derive(Clone)]
pub struct NotifySettings {
    /// The address of the receiver. It may be a secret by itself, as those of team chats are.
    pub(crate) url: Url,
    pub(crate) key: SigningKey,
    /// The time without a decision after which the receiver is told.
    pub delay: Duration,
    /// The time before the end of a request at which the receiver is told of it once more.
    pub(crate) remind: Duration,
    /// The address of the page where the person decides.
    pub(crate) link: Option<LinkTemplate>,
    /// True if the receiver is told the arguments of tools, too.
    pub(crate) tells_arguments: bool,
    /// The addresses that the receiver's host may have.
    pub(crate) allowed: Allowed,
    /// The time that the receiver has for its answer.
    pub timeout: Duration,
    /// The pause after the first attempt that failed; it doubles with each further one.
    pub first_pause: Duration,
    /// The time after the first attempt after which no further one is made.
    pub give_up_after: Duration,
}

impl fmt::Debug for NotifySettings {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "NotifySettings({})", self.place())
    }
}

/// The key by which the receiver knows that this service has sent something.
#[derive(Clone)]
pub(crate) struct SigningKey(pub(crate) Vec<u8>);

/// The address of a page, in which `{user}`, `{agent}` and `{thread}` stand for ids.
#[derive(Clone, Debug)]
pub(crate) struct LinkTemplate(String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NotifyFile {
    notify: NotifyTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NotifyTable {
    url: String,
    secret: SecretSource,
    #[serde(default = "default_delay")]
    delay: String,
    #[serde(default = "default_remind")]
    remind: String,
    link: Option<String>,
    include: Option<Include>,
    #[serde(default)]
    private_hosts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Include {
    Arguments,
}

fn default_delay() -> String {
    "30s".to_owned()
}

fn default_remind() -> String {
    "10m".to_owned()
}

impl NotifySettings {
    /// Reads a file with the table `[notify]`, and the key that it names.
    ///
    /// # Errors
    ///
    /// [`Error::File`], or [`Error::Option`] with the fault and its line.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|source| Error::File {
            path: path.to_owned(),
            source,
        })?;
        let folder = path.parent().unwrap_or(Path::new("."));
        Self::parse(&text, folder).map_err(|fault| Error::Option {
            option: "--notify",
            reason: format!("{}, {fault}", path.display()),
        })
    }

    fn parse(text: &str, folder: &Path) -> Result<Self, String> {
        let file: NotifyFile =
            toml::from_str(text).map_err(|error| describe_parse_error(text, &error))?;
        let read = file.notify.open(folder).at("notify");
        read.map_err(|fault| fault.say(text))
    }

    /// Returns the receiver without what may be secret of its address.
    pub(crate) fn place(&self) -> String {
        let url = &self.url;
        format!("{}://{}", url.scheme(), url.host_str().unwrap_or_default())
    }
}

impl NotifyTable {
    fn open(self, folder: &Path) -> Result<NotifySettings, Fault> {
        let secret = self.secret.read(folder).at("secret")?;
        let url = receiver(&self.url).at("url")?;
        let allowed = Allowed::of(&url, &self.private_hosts);
        let checked = allowed.check(&url).map_err(|fault| fault.to_string());
        checked.at("url")?;
        Ok(NotifySettings {
            url,
            key: SigningKey::decode(&secret.expose()).at("secret")?,
            delay: delay(&self.delay).at("delay")?,
            remind: delay(&self.remind).at("remind")?,
            link: self.link.map(LinkTemplate::new).transpose().at("link")?,
            tells_arguments: matches!(self.include, Some(Include::Arguments)),
            allowed,
            timeout: Duration::from_secs(15),
            first_pause: Duration::from_secs(5),
            give_up_after: Duration::from_secs(24 * 3600),
        })
    }
}

fn receiver(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text).map_err(|_| "it is no address: give it whole, with https://")?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a key does not belong into an address");
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback_url(&url) => Ok(url),
        _ => Err("it begins with https://, or with http:// for this machine"),
    }
}

fn delay(text: &str) -> Result<Duration, String> {
    let time = text.parse::<SignedDuration>();
    let time = time.ok().filter(|time| *time <= LONGEST_DELAY);
    time.and_then(|time| time.try_into().ok())
        .ok_or_else(|| format!("{text:?} is no time such as \"30s\" or \"10m\", of a day at most"))
}

impl SigningKey {
    /// Reads a key as Standard Webhooks writes it: base64, with or without `whsec_` before it.
    pub(crate) fn decode(text: &str) -> Result<Self, &'static str> {
        let config =
            GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        let base64 = GeneralPurpose::new(&alphabet::STANDARD, config);
        let key = base64.decode(text.strip_prefix("whsec_").unwrap_or(text));
        let key =
            key.map_err(|_| "the key is not in base64: make one by openssl rand -base64 32")?;
        if key.len() < MIN_KEY_BYTES {
            return Err("the key has fewer than 24 bytes: make one by openssl rand -base64 32");
        }
        Ok(Self(key))
    }
}

/// The names of what a link may hold.
const LINK_NAMES: [&str; 3] = ["user", "agent", "thread"];

impl LinkTemplate {
    fn new(template: String) -> Result<Self, String> {
        let link = Self(template);
        let example = link.fill(["a", "b", "c"]);
        if let Some((_, after)) = example.split_once('{') {
            let name = after.split('}').next().unwrap_or_default();
            return Err(format!(
                "{{{name}}} is none of {{user}}, {{agent}}, {{thread}}"
            ));
        }
        match Url::parse(&example) {
            Ok(url) if matches!(url.scheme(), "https" | "http") => Ok(link),
            _ => Err("it is the address of a page, with https://".to_owned()),
        }
    }

    /// Returns the link with the ids of user, agent and thread.
    pub(crate) fn fill(&self, ids: [&str; 3]) -> String {
        // What an id holds is encoded, so that it is taken for no name.
        let named = LINK_NAMES.iter().zip(ids);
        named.fold(self.0.clone(), |link, (name, id)| {
            link.replace(
                &format!("{{{name}}}"),
                &percent_encoded(id, "0123456789ABCDEF"),
            )
        })
    }
}

#[cfg(test)]
mod tests;
