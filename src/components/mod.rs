//! The components, one a file.
//!
//! They read signals of [`crate::store`] and send [`assent_conversation::Intent`]s; they know neither the service nor
//! the page around them.
//! Parts, roles and accessible names are the page's contract (`docs/PARTS.md`).
//! Elements are made by `element::el`. A `view!` is compiled anew for each element, and writes `innerHTML` where a
//! subtree is static, which pages that enforce Trusted Types refuse.

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
mod button;
mod composer;
mod confirm;
mod contributions;
mod day;
mod dispatch;
mod element;
mod erased;
mod escape_invisible;
mod failure_note;
mod focus;
mod footnote;
mod header;
mod icons;
mod list_visibility;
mod live_regions;
mod menu;
mod message;
mod message_actions;
mod minute;
mod more_menu;
mod notice_bar;
mod paragraphs;
mod queued_message;
mod record;
mod renderer;
mod scroll;
mod scroll_to_latest;
mod stalled;
mod strings;
mod suggestions;
mod thread_list;
mod thread_menu;
mod thread_row;
mod time;
mod transcript;

pub use app::app;
pub use dispatch::Dispatch;
pub use focus::focus_part;
pub use renderer::render_with;
pub use strings::{actions_need_approval, approval_needed, failure as failure_text, is_key};
