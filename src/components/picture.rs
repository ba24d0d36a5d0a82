//! An image that a tool made, at the step of its run; and the preview of an image that the user
//! attaches. Images of tools are fetched from the service as all else is, with the user's access:
//! no address of one comes from an answer.

use assent_conversation::ToolImage;
use leptos::{
    html::Div,
    prelude::*,
    wasm_bindgen::{JsValue, prelude::*},
    web_sys::{File, HtmlElement, js_sys::Function},
};

use super::{dispatch::Dispatch, effect::on_load, escape_invisible::shown_name, strings};

#[wasm_bindgen(module = "/src/components/picture.js")]
extern "C" {
    /// Shows the image with this id in place of its description in `frame`, and returns a function
    /// that ends the loading and frees the image. `read` fetches the image, and `failed` is the
    /// text that is shown if that fails.
    #[wasm_bindgen(js_name = showImage)]
    fn show_image(frame: &HtmlElement, id: &str, read: &Function, failed: &str) -> Function;

    /// Draws a small picture of a file inside `frame`, if the file is an image that this browser
    /// can draw.
    #[wasm_bindgen(js_name = showPreview, catch)]
    pub(super) fn show_preview(frame: &HtmlElement, file: &File) -> Result<(), JsValue>;
}

/// An image that a tool made, as an item of the list of steps.
#[component]
pub(super) fn Picture(image: ToolImage) -> impl IntoView {
    let texts = strings::texts();
    let read = expect_context::<Dispatch>().image_reader();
    let description = texts.fill(strings::PICTURE_OF, &[("tool", &shown_name(&image.tool))]);
    let frame = NodeRef::<Div>::new();
    on_load(frame, move |frame| {
        let failed = texts.get(strings::IMAGE_FAILED);
        let end = show_image(&frame, &image.image_id, &read, failed);
        let end = StoredValue::new_local(end);
        on_cleanup(move || {
            end.try_with_value(|end| end.call0(&JsValue::UNDEFINED));
        });
    });
    view! {
        <li>
            <div class="picture" dir="auto" node_ref=frame>
                {description}
            </div>
        </li>
    }
}
