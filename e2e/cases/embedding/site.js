// Sites that have nothing to do with this project: the pages of one case, with the headers that they are sent with,
// on an origin of their own, and dist/ beside them.

import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, leave, test as base } from "../../fixtures.js";
import { DIST, fileServer } from "../../servers/files.js";
import { Post } from "../../servers/scripted.js";

export { DIST, expect };

/** An answer that needs everything: the reader, formulas and colours. */
const ANSWER = "# Everything\n\nA [link](https://example.org/), $x^2$ and a table:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst answer = 42;\n```\n";

export const test = base.extend({
  /**
   * Serves the pages beside the module `from`, and dist/ at /dist/; returns the origin.
   * `headers` come with every page; `instead` may answer a request by itself, and returns true if it did.
   */
  serve: async ({ context }, use) => {
    const servers = [];
    await use(async (from, { headers = {}, instead = () => false } = {}) => {
      const files = fileServer([["/dist/", DIST], ["/", fileURLToPath(new URL("./", from))]]);
      const server = createServer((request, response) => {
        const { pathname } = new URL(request.url, "http://site");
        if (instead(pathname, response)) return;
        if (/(\.html|\/)$/.test(pathname)) response.setHeaders(new Map(Object.entries(headers)));
        files.emit("request", request, response);
      });
      servers.push(server);
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${server.address().port}`;
    });
    await leave(context);
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  },
  /** Opens a page of such a site, whose chat talks to the scripted service and has no key. */
  visit: async ({ page, user, scripted }, use) => {
    await use((address, settings = {}) => {
      const query = new URLSearchParams({ csp: "off", without: "api-key", "base-url": scripted.origin, "user-id": user, ...settings });
      return page.goto(`${address}?${query}`);
    });
  },
});

/** A question, and an answer that is drawn with everything that there is to fetch. */
export async function converse(chat, scripted) {
  scripted.on.post = (request, response) => new Post(scripted, request, response).answer(ANSWER);
  await chat.askFormatted("Show me everything");
  await expect(chat.lastMessage.locator("math")).toBeVisible();
  await expect(chat.lastMessage.getByRole("link", { name: "link" })).toBeVisible();
}
