//! A module that the page fetches late, or when it needs it.

use super::{content_hash, read};
use crate::error::Error;
use std::path::Path;

/// A module whose glue names its WebAssembly itself.
pub(super) struct LateModule {
    pub(super) glue_name: String,
    pub(super) glue: String,
    pub(super) wasm_name: String,
    pub(super) wasm: Vec<u8>,
}

impl LateModule {
    /// Both files, with their hashed names.
    pub(super) fn read(stage: &Path, name: &str) -> Result<LateModule, Error> {
        let plain = format!("{name}_bg.wasm");
        let wasm = read(&stage.join(&plain))?;
        let wasm_name = format!("{name}_bg-{}.wasm", content_hash(&wasm));
        let glue = read(&stage.join(format!("{name}.js")))?;
        let glue = String::from_utf8_lossy(&glue).replace(&plain, &wasm_name);
        if !glue.contains(&wasm_name) {
            return Err(Error::Wrong(format!("{name}.js does not name {plain}")));
        }
        Ok(LateModule {
            glue_name: format!("{name}-{}.js", content_hash(glue.as_bytes())),
            glue,
            wasm_name,
            wasm,
        })
    }
}
