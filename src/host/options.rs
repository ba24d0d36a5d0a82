//! The element's attributes as typed values. A value that is not allowed becomes the default, with
//! one warning in the console.

use assent_i18n::{Texts, intl};
use assent_protocol::{AgentId, Dialect, ThreadId, is_user_id};
use js_sys::{Array, Object};
use leptos::prelude::WithUntracked;
use web_sys::Url;

use crate::components::is_text_key;
use crate::store::{ActivityLevel, ScrollMode, Settings, ThreadsPlacement, set_if_changed};
use assent_client::{
    Connection, Credentials, FirstThread, StorageKind, browser_storage, is_header_name,
    is_header_value, load_or_create_user_id, warn,
};

/// Default name of the HTTP header that tells the service the user's id (specification,
/// Authentication).
const USER_HEADER: &str = "X-Service-User-Id";

/// The values of all attributes when a widget starts.
pub struct Options {
    /// What every request to the service needs: its address, the agent's id, the user's id and the
    /// keys.
    pub connection: Connection,
    /// The conversation that is shown first.
    pub first_thread: FirstThread,
    /// The spelling of posts that the service expects (attribute `dialect`).
    pub dialect: Dialect,
    /// Names and texts of the given attributes that can change while the widget runs.
    pub settings: Vec<(&'static str, String)>,
}

/// Names of the attributes that can change while the widget runs and that [`apply_attribute`] sets.
const CHANGEABLE_ATTRIBUTES: [&str; 7] = [
    "locale",
    "threads",
    "activity",
    "scroll",
    "heading",
    "placeholder",
    "greeting",
];

/// Reads the attributes of an element on this page with `attribute`, which returns a value by name.
/// Warnings go to the console.
pub(super) fn from_page(attribute: &dyn Fn(&str) -> Option<String>) -> Options {
    parse_options(attribute, &base_address().unwrap_or_default(), &mut warn)
}

/// Returns the base of relative addresses: that of the page. A `<base>` of the same origin counts;
/// one of another origin would send what is meant for the page's own service, with the user's id,
/// to whoever serves the page's images. A page without an address of its own, such as that of an
/// `srcdoc`, has the base of the one around it.
fn base_address() -> Option<String> {
    let window = web_sys::window()?;
    let base = window.document()?.base_uri().ok().flatten()?;
    let own = Url::new(&window.location().href().ok()?).ok()?;
    let has_address = matches!(own.protocol().as_str(), "http:" | "https:");
    let leads_elsewhere = Url::new(&base).is_ok_and(|base| base.origin() != own.origin());
    Some(if has_address && leads_elsewhere {
        own.href()
    } else {
        base
    })
}

/// Parses the element's attributes; `attribute` returns the text of one by its name. `page` is the
/// base of relative addresses; `warn` takes one sentence for each bad value, which never contains
/// the API key.
pub fn parse_options(
    attribute: &dyn Fn(&str) -> Option<String>,
    page: &str,
    warn: &mut dyn FnMut(&str),
) -> Options {
    let storage = parse_choice(
        "storage",
        attribute("storage").as_deref(),
        &[
            ("local", StorageKind::Local),
            ("session", StorageKind::Session),
            ("none", StorageKind::None),
        ],
        warn,
    );
    let connection = Connection {
        storage,
        base_url: parse_base_url(attribute("base-url").as_deref(), page, warn),
        agent: AgentId(attribute("agent-id").unwrap_or_default()),
        every_agent: parse_choice(
            "view",
            attribute("view").as_deref(),
            &[("chat", false), ("approvals", true)],
            warn,
        ),
        user_id: parse_user(attribute("user-id"), storage, warn),
        user_id_header: parse_user_header(attribute("user-id-header"), warn),
        api_key: parse_api_key(attribute("api-key"), warn),
        credentials: parse_choice(
            "credentials",
            attribute("credentials").as_deref(),
            &[
                ("same-origin", Credentials::SameOrigin),
                ("include", Credentials::Include),
                ("omit", Credentials::Omit),
            ],
            warn,
        ),
    };
    let given = CHANGEABLE_ATTRIBUTES
        .into_iter()
        .filter_map(|name| Some((name, attribute(name)?)));
    let first_thread = match parse_first_thread(attribute("thread-id").as_deref()) {
        // What waits is listed first.
        FirstThread::LastUsed if connection.every_agent => FirstThread::New,
        first => first,
    };
    Options {
        connection,
        first_thread,
        dialect: read_dialect(attribute("dialect").as_deref(), warn),
        settings: given.collect(),
    }
}

/// Returns the conversation that the attribute `thread-id` names: a new one for `new`, the one that
/// was used last if the attribute is missing or empty, else the thread with this id.
pub(super) fn parse_first_thread(value: Option<&str>) -> FirstThread {
    match value.unwrap_or_default() {
        "" => FirstThread::LastUsed,
        "new" => FirstThread::New,
        id => FirstThread::Thread(ThreadId::from(id)),
    }
}

/// Returns the spelling of posts that the attribute `dialect` names; the default, with a warning in
/// the console, for an unknown value.
pub(super) fn parse_dialect(value: Option<&str>) -> Dialect {
    read_dialect(value, &mut warn)
}

fn read_dialect(value: Option<&str>, warn: &mut dyn FnMut(&str)) -> Dialect {
    let values = [("declared", Dialect::Declared), ("guide", Dialect::Guide)];
    parse_choice("dialect", value, &values, warn)
}

/// Sets the signal in `settings` for an attribute that can change while the widget runs. `value` is
/// `None` if the attribute was removed; other names are ignored.
pub(super) fn apply_attribute(settings: &Settings, name: &str, value: Option<&str>) {
    let text = || {
        value
            .filter(|text| !text.trim().is_empty())
            .map(str::to_owned)
    };
    match name {
        "threads" => set_if_changed(
            &settings.threads,
            parse_choice(
                name,
                value,
                &[
                    ("auto", ThreadsPlacement::Auto),
                    ("side", ThreadsPlacement::Side),
                    ("hidden", ThreadsPlacement::Hidden),
                ],
                &mut warn,
            ),
        ),
        "activity" => set_if_changed(
            &settings.activity,
            parse_choice(
                name,
                value,
                &[
                    ("brief", ActivityLevel::Brief),
                    ("full", ActivityLevel::Full),
                    ("off", ActivityLevel::Off),
                ],
                &mut warn,
            ),
        ),
        "scroll" => set_if_changed(
            &settings.scroll,
            parse_choice(
                name,
                value,
                &[
                    ("answer-top", ScrollMode::AnswerTop),
                    ("bottom", ScrollMode::Bottom),
                    ("none", ScrollMode::None),
                ],
                &mut warn,
            ),
        ),
        "locale" => {
            let locale = text().filter(|tag| {
                let is_known = intl::is_language_tag(tag);
                if !is_known {
                    warn_of_value(
                        &mut warn,
                        name,
                        tag,
                        "a language tag like \"de\" or \"pt-BR\"",
                    );
                }
                is_known
            });
            let given = settings.texts.with_untracked(|it| it.page_texts().to_vec());
            set_if_changed(&settings.texts, Texts::new(locale, given));
        }
        "heading" => set_if_changed(&settings.heading, text()),
        "placeholder" => set_if_changed(&settings.placeholder, text()),
        "greeting" => set_if_changed(&settings.greeting, text()),
        "notify" => set_if_changed(&settings.asks_permission, value.is_some()),
        _ => {}
    }
}

/// Sets the page's own texts by key; `None` removes them. Unknown keys are left out with a warning
/// in the console.
pub(super) fn apply_texts(settings: &Settings, given: Option<&Object>) {
    let given = given.map_or_else(Array::new, Object::entries);
    let given = given
        .iter()
        .map(|entry| Array::from(&entry))
        .filter_map(|entry| {
            let key = entry.get(0).as_string()?;
            let text = entry.get(1).as_string().filter(|_| is_text_key(&key));
            if text.is_none() {
                warn(
                    &[
                        "assent-chat: strings has \"",
                        &key,
                        "\", which is not a key with a text; left out.",
                    ]
                    .concat(),
                );
            }
            Some((key, text?))
        });
    let given = given.collect();
    let texts = &settings.texts;
    let locale = texts.with_untracked(|it| it.locale().map(str::to_owned));
    set_if_changed(texts, Texts::new(locale, given));
}

/// Parses an attribute with a closed set of values. Returns the default if the attribute is missing
/// or has none of them.
fn parse_choice<T: Copy + Default>(
    name: &str,
    value: Option<&str>,
    values: &[(&str, T)],
    warn: &mut dyn FnMut(&str),
) -> T {
    let Some(value) = value else {
        return T::default();
    };
    let found = values.iter().find(|(known, _)| *known == value);
    found.map_or_else(
        || {
            let allowed: Vec<_> = values.iter().map(|(known, _)| *known).collect();
            warn_of_value(warn, name, value, &format!("one of {}", allowed.join(", ")));
            T::default()
        },
        |(_, found)| *found,
    )
}

/// Returns the service's address from the attribute `base-url`, without query, fragment and final
/// slashes. Without a valid address it is the origin of `page`, the page's own address.
fn parse_base_url(value: Option<&str>, page: &str, warn: &mut dyn FnMut(&str)) -> String {
    let origin = || Url::new(page).map(|url| url.origin()).unwrap_or_default();
    let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) else {
        return origin();
    };
    match Url::new_with_base(value, page) {
        // Credentials in an address make `fetch` throw, and show the password to everybody.
        Ok(url)
            if matches!(url.protocol().as_str(), "http:" | "https:")
                && url.username().is_empty()
                && url.password().is_empty() =>
        {
            format!("{}{}", url.origin(), url.pathname().trim_end_matches('/'))
        }
        _ => {
            warn_of_value(
                warn,
                "base-url",
                value,
                "an http or https address without a password",
            );
            origin()
        }
    }
}

fn parse_user(value: Option<String>, storage: StorageKind, warn: &mut dyn FnMut(&str)) -> String {
    let given = value.filter(|id| !id.is_empty());
    if let Some(id) = &given {
        if is_user_id(id) {
            return id.clone();
        }
        warn_of_value(
            warn,
            "user-id",
            id,
            "at most 256 bytes without control characters, and without blanks at its ends",
        );
    }
    load_or_create_user_id(&*browser_storage(storage))
}

fn parse_user_header(value: Option<String>, warn: &mut dyn FnMut(&str)) -> String {
    match value {
        Some(name) if is_header_name(&name) => name,
        Some(name) => {
            warn_of_value(warn, "user-id-header", &name, "the name of a header");
            USER_HEADER.to_owned()
        }
        None => USER_HEADER.to_owned(),
    }
}

/// Returns the API key from the attribute `api-key`; `None` if it is missing or cannot stand in a
/// header. The key is never part of a warning.
fn parse_api_key(value: Option<String>, warn: &mut dyn FnMut(&str)) -> Option<String> {
    let key = value
        .map(|key| key.trim().to_owned())
        .filter(|key| !key.is_empty())?;
    if is_header_value(&key) {
        warn(
            "assent-chat: everybody who opens this page can read its api-key. \
             Use it for development only; in production put a proxy in front of the service that adds the key.",
        );
        return Some(key);
    }
    warn("assent-chat: api-key holds signs that cannot stand in a header; it is not sent.");
    None
}

fn warn_of_value(warn: &mut dyn FnMut(&str), name: &str, value: &str, allowed: &str) {
    warn(&format!(
        "assent-chat: {name}=\"{value}\" is not {allowed}; using the default."
    ));
}
