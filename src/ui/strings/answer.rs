//! The texts of answers.

/// The texts that the renderer needs, by the names that it has for them. It puts a name into `{host}` and `{name}`, and
/// a host behind `imageFrom`.
pub(in crate::ui) const ANSWER: [(&str, &str); 16] = [
    ("copy", "Copy"),
    ("copied", "Copied"),
    ("copyCode", "Copy code"),
    ("wrap", "Wrap lines"),
    ("code", "Code"),
    ("image", "Image not loaded"),
    ("imageFrom", "Image not loaded, from"),
    ("loadImage", "Load image"),
    (
        "loadImagesFrom",
        "Load all images from {host} in this conversation",
    ),
    ("imageFailed", "The image could not be loaded."),
    ("done", "done"),
    ("notDone", "not done"),
    ("leadsTo", "Leads to {host}"),
    ("footnote", "Footnote {name}"),
    ("table", "Table"),
    ("formula", "Formula"),
];

/// For the page's developer, in the console.
pub(in crate::ui) const PLAIN_TEXT: &str = "assent-chat: answers are shown as plain text.";
