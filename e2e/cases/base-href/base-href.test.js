// A page whose <base> leads to another host: what is meant for the page's own service goes to no other one.

import { expect, test } from "../embedding/site.js";

test.use({ expectedConsole: /404|no answer|without a word of the service/ });

for (const [how, attributes, path] of [
  ["without base-url", "", "/api/assistants/"],
  ["with a relative one", 'base-url="chat"', "/chat/api/assistants/"],
]) {
  test(`${how}, requests stay with the page`, { tag: "@firefox" }, async ({ page, user, serve }) => {
    const heard = { own: [], other: [] };
    const note = (list) => (path, response) => {
      if (!path.includes("/api/")) return false;
      list.push(path);
      response.writeHead(404, { "access-control-allow-origin": "*" }).end();
      return true;
    };
    const other = await serve(import.meta.url, { instead: note(heard.other) });
    const answer = note(heard.own);
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Base</title><base href="${other}/shop/"></head>
      <body><assent-chat agent-id="demo" user-id="${user}" ${attributes}></assent-chat>
      <script type="module" src="${other}/dist/assent.js"></script></body></html>`;
    const instead = (path, response) => {
      if (path !== "/page") return answer(path, response);
      response.writeHead(200, { "content-type": "text/html" }).end(html);
      return true;
    };
    await page.goto(`${await serve(import.meta.url, { instead })}/page`);
    await expect.poll(() => heard.own.length).toBeGreaterThan(0);
    expect(heard.own[0]).toContain(path);
    expect(heard.other).toEqual([]);
  });
}
