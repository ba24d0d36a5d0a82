// Runs what wasm-bindgen made of src/. A file of its own: strict policies refuse scripts inside of pages.

import start from "/pkg/assent_example_leptos.js";

await start();
