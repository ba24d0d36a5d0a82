//! A page written in Leptos with the chat in it.

mod app;
pub mod chat;

use wasm_bindgen::prelude::*;

/// Puts the page into the body.
#[wasm_bindgen(start)]
pub fn start() {
    leptos::mount::mount_to_body(app::App);
}
