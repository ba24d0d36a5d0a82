// The whole chat under `default-src 'none'` and Trusted Types, with the service on another origin: nothing is refused, and nothing is said.

import { converse, expect, test } from "../embedding/site.js";

for (const [name, file] of [["inline", ""], ["launcher", "launcher.html"]]) {
  test(`a conversation without a word on the console, ${name}`, async ({ chat, scripted, serve, visit, console }) => {
    const policy = [
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'",
      `connect-src 'self' ${scripted.origin}; img-src 'self'; require-trusted-types-for 'script'`,
    ].join("; ");
    const site = await serve(import.meta.url, { headers: { "content-security-policy": policy } });
    const response = await visit(`${site}/${file}`);
    expect(response.headers()["content-security-policy"]).toBe(policy);
    if (name === "launcher") {
      await chat.button("Open chat").click();
      await chat.ask("hello");
    } else await converse(chat, scripted);
    expect(console).toEqual([]);
  });
}
