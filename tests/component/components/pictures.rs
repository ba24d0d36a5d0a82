//! Pictures of tools: at their step, fetched by the page's reader once they are near the screen.

use assent_conversation::{Input, Intent, StreamEnd, StreamId};
use assent_widget::store::ActivityLevel;
use js_sys::Promise;
use leptos::prelude::Set;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::fake_service::{holds, js, text, until};
use crate::widget::{Widget, frames};

/// The smallest picture, of one point.
const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const INITIATED: &str = "NOTIFICATION_TOOL_EXECUTION_INITIATED";
const IN_PROGRESS: &str = "NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS";

/// Answers all reads of images with this expression of JavaScript.
fn reads(blob: &str) {
    js("globalThis.imagesRead = [];");
    js(&format!(
        "globalThis.readImage = async (id) => {{ imagesRead.push(id); return {blob}; }};"
    ));
}

fn gif(kind: &str) -> String {
    format!(
        "new Blob([Uint8Array.from(atob('{GIF}'), (it) => it.charCodeAt(0))], {{ type: '{kind}' }})"
    )
}

/// A widget whose tool ran and made a picture; its steps are closed.
async fn drawn() -> (Widget, StreamId) {
    let mut widget = Widget::new();
    let stream = widget.send("draw").await;
    widget.event(
        stream,
        INITIATED,
        r#""content":"Starting a tool: charts/draw""#,
    );
    widget.event(
        stream,
        IN_PROGRESS,
        r#""content":"Running a tool: charts/draw",
           "toolImages":[{"imageId":"upload-1","tool":"charts/draw"}]"#,
    );
    widget.settle().await;
    (widget, stream)
}

/// Opens the steps, or closes them, and looks at their pictures.
async fn open_steps(widget: &mut Widget) {
    widget.one(".activity-line").click();
    widget.settle().await;
    for picture in widget.all(".picture") {
        picture.scroll_into_view();
        frames().await;
    }
}

async fn picture(widget: &Widget) -> HtmlElement {
    until("the picture", || widget.all(".picture img").len() == 1).await;
    widget.one(".picture img")
}

#[wasm_bindgen_test]
async fn a_picture_is_at_the_step_of_its_tool_and_has_a_name() {
    reads(&gif("image/gif"));
    let (mut widget, stream) = drawn().await;
    frames().await;
    assert!(holds("imagesRead.length === 0"), "the steps are closed");
    assert_eq!(widget.all(".picture").len(), 0);

    open_steps(&mut widget).await;
    let image = picture(&widget).await;
    assert_eq!(
        image.get_attribute("alt").unwrap(),
        "Picture of charts/draw"
    );
    // No address of the service, and none of an answer.
    let address = image.get_attribute("src").unwrap();
    assert!(address.starts_with("blob:"), "{address}");
    assert_eq!(text("imagesRead"), "upload-1");
    let item = image.closest("li").unwrap().unwrap();
    let before = item.previous_element_sibling();
    assert_eq!(before.unwrap().class_name(), "step");

    // What comes after it does not fetch it again.
    widget.event(
        stream,
        IN_PROGRESS,
        r#""content":"Running a tool: charts/draw""#,
    );
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", r#""content":"Here.""#);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    widget.settle().await;
    frames().await;
    assert_eq!(picture(&widget).await, image);
    assert_eq!(text("imagesRead"), "upload-1");
    assert_eq!(widget.read(".step-text"), "Ran charts/draw");

    // Its bytes are given back with the steps.
    open_steps(&mut widget).await;
    assert_eq!(widget.all(".picture").len(), 0);
    let shown = "new Promise((resolve, reject) => Object.assign(new Image(), { onload: resolve, onerror: reject, src";
    let gone: Promise = js(&format!("{shown}: '{address}' }}))")).into();
    assert!(JsFuture::from(gone).await.is_err());
}

#[wasm_bindgen_test]
async fn a_picture_that_cannot_be_shown_says_so() {
    for blob in [
        // The service refused, or cannot be reached.
        "await Promise.reject(null)".to_owned(),
        // Types that are no raster image, whatever the bytes are.
        "new Blob(['<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>'], { type: 'image/svg+xml' })".to_owned(),
        gif("text/html"),
        // Bytes that are no image.
        "new Blob(['no'], { type: 'image/png' })".to_owned(),
    ] {
        reads(&blob);
        let (mut widget, _) = drawn().await;
        open_steps(&mut widget).await;
        let said = || widget.read(".picture");
        until(&blob, || said().contains("could not be loaded")).await;
        assert_eq!(
            said(),
            "Picture of charts/draw The image could not be loaded."
        );
        assert_eq!(widget.all(".picture img").len(), 0);
        // With its steps it is tried again.
        reads(&gif("image/png"));
        open_steps(&mut widget).await;
        open_steps(&mut widget).await;
        picture(&widget).await;
    }
}

#[wasm_bindgen_test]
async fn a_stored_answer_shows_its_pictures_as_steps() {
    reads(&gif("image/gif"));
    let mut widget = Widget::new();
    widget.input(Input::Intent(Intent::OpenThread("t1".into())));
    let stored = r#"[{"id":"m","role":"assistant","content":"Here.","toolImages":[
        {"imageId":"upload-1","tool":"charts/draw"},{"imageId":"upload-2","tool":"charts/draw"}]},
        {"id":"n","role":"assistant","content":"No more."}]"#;
    widget.read_messages(Ok(serde_json::from_str(stored).unwrap()));
    widget.settle().await;
    assert_eq!(widget.all("[part=activity]").len(), 1);
    assert_eq!(widget.read(".activity-current"), "Ran charts/draw");
    open_steps(&mut widget).await;
    until("both", || widget.all(".picture img").len() == 2).await;
    assert_eq!(text("imagesRead.sort()"), "upload-1,upload-2");
}

#[wasm_bindgen_test]
async fn a_picture_far_from_the_screen_is_fetched_once_it_is_near() {
    reads(&gif("image/gif"));
    let (mut widget, _) = drawn().await;
    let above = widget.container.style();
    above.set_property("padding-top", "300vh").unwrap();
    js("window.scrollTo(0, 0)");
    widget.settings.activity.set(ActivityLevel::Full);
    widget.settle().await;
    frames().await;
    assert_eq!(widget.read(".picture"), "Picture of charts/draw");
    assert!(holds("imagesRead.length === 0"));
    widget.one(".picture").scroll_into_view();
    picture(&widget).await;
}

#[wasm_bindgen_test]
async fn steps_without_pictures_have_no_node_for_them() {
    reads(&gif("image/gif"));
    let mut widget = Widget::new();
    let stream = widget.send("draw").await;
    widget.event(
        stream,
        INITIATED,
        r#""content":"Starting a tool: notes/list""#,
    );
    widget.settle().await;
    open_steps(&mut widget).await;
    assert_eq!(widget.one(".steps").child_element_count(), 1);
    assert!(holds("imagesRead.length === 0"));
}
