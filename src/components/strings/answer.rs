//! The texts of answers. The renderer draws them; it puts a name into `{host}` and `{name}`, and a
//! host behind `imageFrom`.

use assent_i18n::{Text, texts};

texts! { pub(in crate::components),
    COPY, "copy", "Copy";
    COPIED, "copied", "Copied";
    COPY_CODE, "copyCode", "Copy code";
    WRAP, "wrap", "Wrap lines";
    CODE, "code", "Code";
    IMAGE, "image", "Image not loaded";
    IMAGE_FROM, "imageFrom", "Image not loaded, from";
    LOAD_IMAGE, "loadImage", "Load image";
    LOAD_IMAGES_FROM, "loadImagesFrom", "Load all images from {host} in this conversation";
    IMAGE_FAILED, "imageFailed", "The image could not be loaded.";
    DONE, "done", "done";
    NOT_DONE, "notDone", "not done";
    LEADS_TO, "leadsTo", "Leads to {host}";
    FOOTNOTE, "footnote", "Footnote {name}";
    TABLE_LABEL, "table", "Table";
    FORMULA, "formula", "Formula";
}

/// The texts of answers, as the renderer takes them.
pub(in crate::components) const ANSWER: [Text; 16] = [
    COPY,
    COPIED,
    COPY_CODE,
    WRAP,
    CODE,
    IMAGE,
    IMAGE_FROM,
    LOAD_IMAGE,
    LOAD_IMAGES_FROM,
    IMAGE_FAILED,
    DONE,
    NOT_DONE,
    LEADS_TO,
    FOOTNOTE,
    TABLE_LABEL,
    FORMULA,
];

/// For the page's developer, in the console.
pub(in crate::components) const PLAIN_TEXT: &str = "assent-chat: answers are shown as plain text.";
