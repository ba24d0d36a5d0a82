// A server that sends WebAssembly as something else: compiling while it arrives is refused, and the chat compiles it afterwards.

import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { converse, DIST, expect, test } from "../embedding/site.js";

// Said by the code that wasm-bindgen writes.
test.use({ expectedConsole: /^warning: `WebAssembly.instantiateStreaming` failed because your server does not serve Wasm with `application\/wasm`/ });

for (const type of ["application/octet-stream", "text/plain; charset=utf-8", undefined]) {
  test(`a conversation with files of type ${type}`, async ({ chat, scripted, serve, visit, console }) => {
    const instead = (path, response) => {
      if (!path.endsWith(".wasm")) return false;
      response.writeHead(200, type && { "content-type": type });
      createReadStream(DIST + basename(path)).pipe(response);
      return true;
    };
    await visit(`${await serve(import.meta.url, { instead })}/`);
    await converse(chat, scripted);
    // The widget, the renderer and the formulas.
    expect(console).toHaveLength(3);
  });
}
