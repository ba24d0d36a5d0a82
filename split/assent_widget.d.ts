// What `link.js` knows of the glue that wasm-bindgen makes.
export function complete(): void;
export function initSync(): WebAssembly.ModuleImports & { __indirect_function_table: WebAssembly.Table };
