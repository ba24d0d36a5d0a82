//! Images in the results of tools, as the reader is told of them and gets them.

#![cfg(target_os = "linux")]

use std::sync::Arc;

use assent_service::{
    Settings,
    agents::{Agent, Answer as AgentsAnswer, AnswerFuture, Ending, Turn},
    profile::Profile,
    settings::StoreLimits,
    transcript::ImageKeeping,
};
use axum::http::Method;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{
    common::{
        self, Answer, THREADS, USER,
        agents::profile,
        content,
        desk::Desk,
        event,
        model::{Reply, calls, says},
        request, service, service_in, service_with, settings,
        tool_server::{one_tool, tool_server},
        types,
    },
    openapi::check,
};

const UPLOADS: &str = "/api/assistants/uploads";
/// Letters alone, so that it can be compared as a text.
const GIF: &str = "GIF89a and the rest";
const IN_PROGRESS: &str = "NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS";

fn image(bytes: &str) -> Value {
    json!({ "type": "image", "data": STANDARD.encode(bytes), "mimeType": "image/png" })
}

/// A desk whose tool `charts/draw` returns these blocks, to a model that sees no images.
async fn charts(content: Value, settings: Settings, end: Reply) -> Desk {
    let url = tool_server(move |heard| {
        let answer = match heard.method.as_str() {
            "tools/list" => Some(one_tool("draw", "Draws.")),
            "tools/call" => Some(json!({ "content": content })),
            _ => None,
        };
        async move { answer }
    })
    .await;
    let server = format!("[[mcp]]\nid = \"charts\"\nurl = {url:?}\n[policy]\ndefault = \"auto\"\n");
    let replies = vec![calls("", &[("charts__draw", json!({}))]), end];
    Desk::with_settings(replies, &server, settings).await
}

async fn read_as(desk: &Desk, user: &str, id: &Value) -> Answer {
    let path = format!("{UPLOADS}/{}", id.as_str().unwrap());
    desk.service
        .send(request(Method::GET, &path, user, None))
        .await
}

#[tokio::test]
async fn an_image_of_a_tool_is_told_with_its_step_and_stored_with_the_answer() {
    let blocks = json!([{ "type": "text", "text": "Drawn." }, image(GIF), image(GIF)]);
    let desk = charts(blocks, settings(), says("Here it is.")).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "draw").await;
    let told: Vec<Value> = events
        .iter()
        .map(|event| serde_json::to_value(event).unwrap())
        .filter(|event| event["eventMessage"]["toolImages"].is_array())
        .collect();
    let [told] = &told[..] else {
        panic!("{told:?}");
    };
    assert_eq!(told["type"], IN_PROGRESS);
    let words = &told["eventMessage"]["content"];
    assert_eq!(words, "Running a tool: charts/draw");
    let images = &told["eventMessage"]["toolImages"];
    assert_eq!(images.as_array().unwrap().len(), 2);
    assert_eq!(images[0]["tool"], "charts/draw");
    // What the page reads is what the service wrote.
    let read = event(&told.to_string()).event_message.tool_images;
    assert_eq!(images[1]["imageId"], json!(read[1].image_id));

    let messages = desk.service.messages(&thread).await;
    let document = desk.service.get("/openapi.json").await.json();
    check(&document, "SseEvent", told);
    check(&document, "StoredMessage", &messages[1]);
    assert_eq!(messages[1]["content"], "Here it is.");
    assert_eq!(messages[1]["toolImages"], *images);
    assert_eq!(messages[0].get("toolImages"), None);
    // The next answer has none of its own.
    desk.service.say(&thread, "thanks").await;
    let messages = desk.service.messages(&thread).await;
    assert_eq!(messages[3].get("toolImages"), None);
}

#[tokio::test]
async fn an_image_is_given_to_its_user_alone_until_its_thread_is_deleted() {
    let desk = charts(json!([image(GIF)]), settings(), says("Here.")).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "draw").await;
    let id = desk.service.messages(&thread).await[1]["toolImages"][0]["imageId"].take();
    let read = read_as(&desk, USER, &id).await;
    assert_eq!((read.status.as_u16(), read.text.as_str()), (200, GIF));
    for (header, value) in [
        // By its bytes: the tool said something else.
        ("content-type", "image/gif"),
        ("content-length", "19"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(read.headers[header], value);
    }
    read_as(&desk, "bob", &id).await.failure(404);
    let path = format!("{UPLOADS}/{}", id.as_str().unwrap());
    let mut nobody = request(Method::GET, &path, USER, None);
    nobody.headers_mut().remove("authorization");
    desk.service.send(nobody).await.failure(401);

    desk.service.delete(&format!("{THREADS}/{thread}")).await;
    read_as(&desk, USER, &id).await.failure(404);
    assert_eq!(desk.service.get(UPLOADS).await.json(), json!([]));
    assert_eq!(desk.service.folder.kept(), [""; 0]);
}

#[tokio::test]
async fn nothing_but_images_is_read_by_the_address_of_a_file() {
    let service = service().await;
    for (kind, bytes) in [
        ("image/png", "<html><script>alert(1)</script>"),
        ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("text/plain", "a plan"),
        ("image/gif", "GIF8"),
    ] {
        let uploaded = service.upload("a.png", kind, bytes.as_bytes()).await;
        let id = uploaded["fileId"].as_str().unwrap();
        service.get(&format!("{UPLOADS}/{id}")).await.failure(404);
    }
    service
        .get(&format!("{UPLOADS}/..%2Ftest.sqlite"))
        .await
        .failure(404);
    // An image may be longer than what is read at once.
    let long = [GIF, &"x".repeat(200_000)].concat();
    let own = service.upload("a", "text/plain", long.as_bytes()).await;
    let path = format!("{UPLOADS}/{}", own["imageId"].as_str().unwrap());
    assert_eq!(service.get(&path).await.text, long);
}

#[tokio::test]
async fn the_model_is_told_which_images_are_left_out_and_why() {
    let files = |user_files| Settings {
        limits: StoreLimits {
            user_files,
            ..StoreLimits::default()
        },
        ..settings()
    };
    let uploads = Settings {
        upload_limit: 18,
        ..settings()
    };
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'/>";
    let large = [GIF, &"x".repeat(6 * 1024 * 1024)].concat();
    for (settings, images, said, kept) in [
        (
            files(20),
            json!([image(GIF), image(GIF)]),
            "(an image)\n(an image)\n\
             (Image 2 of 2 was left out: the user's files have no room for it.)",
            1,
        ),
        (
            uploads,
            json!([image(GIF), image("GIF89a short")]),
            "(an image)\n(an image)\n(Image 1 of 2 was left out: it is larger than 18 bytes.)",
            1,
        ),
        (
            settings(),
            json!([image(svg), image("<html>"), image(&large)]),
            "(an image that was left out: it is no PNG, JPEG, GIF or WebP)\n\
             (an image that was left out: it is no PNG, JPEG, GIF or WebP)\n\
             (an image that was left out: it is larger than 5 MB)",
            0,
        ),
        (
            settings(),
            json!(vec![image(GIF); 9]),
            &[
                &"(an image)\n".repeat(8),
                "(an image that was left out: there are 8 before it)",
            ]
            .concat(),
            8,
        ),
        // Some servers say no type; the bytes have one.
        (
            settings(),
            json!([{ "type": "image", "data": STANDARD.encode(GIF) }]),
            "(an image)",
            1,
        ),
    ] {
        let desk = charts(images, settings, says("Done.")).await;
        let thread = desk.service.thread("desk").await;
        let events = desk.service.say(&thread, "draw").await;
        assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Done.");
        assert_eq!(desk.results(), [said]);
        let listed = desk.service.get(UPLOADS).await.json();
        assert_eq!(listed.as_array().unwrap().len(), kept, "{said}");
        let told = desk.service.messages(&thread).await[1]["toolImages"].take();
        assert_eq!(told.as_array().map_or(0, Vec::len), kept, "{said}");
    }
}

#[tokio::test]
async fn an_answer_that_fails_names_the_images_that_came_before() {
    let failure = Reply::Status(400, Vec::new(), "no".to_owned());
    let desk = charts(json!([image(GIF)]), settings(), failure).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "draw").await;
    assert_eq!(types(&events).last(), Some(&"ERROR"));
    let id = desk.service.settled(&thread).await[1]["toolImages"][0]["imageId"].take();
    assert_eq!(read_as(&desk, USER, &id).await.text, GIF);
}

#[tokio::test]
async fn an_answer_that_a_crash_cut_off_names_its_images() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let accepted = common::accept_text(store, &thread, "draw").await;
    let kept = store
        .keep_image(&accepted.run, "charts/draw", GIF.into())
        .await;
    let ImageKeeping::Kept(id) = kept.unwrap() else {
        panic!("there is room");
    };
    let folder = service.folder.clone();
    store.close().await;
    drop(service);
    let service = service_in(folder, settings(), Vec::new()).await;
    let (ended, _) = common::recover(service.state.store(), &|_| false).await;
    assert_eq!(ended, 1);
    let answer = service.messages(&thread).await.remove(1);
    assert_eq!(answer["toolImages"][0]["imageId"], id);
}

/// An agent that makes an image and says nothing.
struct Silent(Profile);

impl Agent for Silent {
    fn profile(&self) -> &Profile {
        &self.0
    }

    fn answer<'a>(&'a self, _: Turn, answer: &'a mut dyn AgentsAnswer) -> AnswerFuture<'a> {
        Box::pin(async move {
            let journal = answer.journal();
            let kept = journal.keep_image("charts/draw", GIF.into()).await?;
            assert!(matches!(kept, ImageKeeping::Kept(_)), "{kept:?}");
            Ok(Ending::Done)
        })
    }
}

#[tokio::test]
async fn an_answer_of_an_image_alone_is_stored() {
    let service = service_with(settings(), vec![Arc::new(Silent(profile("silent")))]).await;
    let thread = service.thread("silent").await;
    service.say(&thread, "draw").await;
    let messages = service.messages(&thread).await;
    assert_eq!(messages[1]["content"], "");
    assert_eq!(messages[1]["toolImages"][0]["tool"], "charts/draw");
}
