//! The components, one a file.
//!
//! They read signals of [`crate::store`] and send [`assent_conversation::Intent`]s; they know
//! neither the service nor the page around them. Parts, roles and accessible names are the page's
//! contract (`docs/PARTS.md`). A `view!` writes `innerHTML` for an element, other than its root, in
//! which nothing is dynamic, and pages that enforce Trusted Types refuse that. Such an element is
//! the root of a component of its own; `cargo xtask dist` looks after it.

#![allow(
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a component owns its properties, and `#[component]` makes their type public"
)]

mod activity;
mod agent_name;
mod answer;
mod app;
mod approval;
mod attachments;
mod attribute;
mod composer;
mod composer_hint;
mod confirm;
mod day;
mod dispatch;
mod effect;
mod escape_invisible;
mod extras;
mod failure_note;
mod focus;
mod footnote;
mod header;
mod icons;
mod ids;
mod list_visibility;
mod listener;
mod live_regions;
mod menu;
mod message;
mod message_actions;
mod minute;
mod more_menu;
mod notice_bar;
mod own_sentences;
mod paragraphs;
mod picture;
mod plain_text;
mod question;
mod remount;
mod renderer;
mod request_data;
mod rows;
mod scroll;
mod scroll_to_latest;
mod show;
mod stalled;
mod strings;
mod suggestions;
mod thread_list;
mod thread_menu;
mod thread_row;
mod thread_window;
mod time;
mod tool_title;
mod transcript;
mod working;

pub use app::app;
#[cfg(feature = "split")]
pub use approval::link_approval;
pub use dispatch::{Dispatch, ExtensionAccess};
pub use escape_invisible::shown_name;
#[cfg(feature = "split")]
pub use extras::link_extras;
pub use extras::set_assets;
pub use focus::focus_part;
pub use renderer::{Lazy, Renderer, RendererModule, set_load_again, set_renderer};
pub use strings::{
    approval_needed, decisions_wait_text, failure_sentence as failure_text, is_text_key,
    new_messages,
};
