// Sites that have nothing to do with this project: the pages of one case, with the headers that they are sent with,
// on an origin of their own, and dist/ beside them.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test as base } from "../../fixtures.js";
import { DIST, fileServer } from "../../servers/files.js";
import { Post } from "../../servers/scripted.js";
import { serving } from "../../servers/serving.js";

export { DIST, expect };

const folder = (path, from) => fileURLToPath(new URL(path, from));
/** The pages of cases that have none of their own. */
const PAGES = folder("./", import.meta.url);
/** An answer that needs everything: the renderer, formulas and colours. */
const ANSWER = "# Everything\n\nA [link](https://example.org/), $x^2$ and a table:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst answer = 42;\n```\n";

export const test = base.extend({
  /**
   * Serves the pages beside the module `from`, or those of here where it has none, and dist/ at /dist/; returns the origin.
   * `headers` come with every page; `instead` may answer a request by itself, and returns true if it did.
   */
  serve: async ({ context }, use) => {
    await serving(context, (start) =>
      use((from, { headers = {}, instead = () => false } = {}) => {
        const own = folder("./", from);
        const files = fileServer([["/dist/", DIST], ["/embedding/", PAGES], ["/", readdirSync(own).some((name) => name.endsWith(".html")) ? own : PAGES]]);
        return start((request, response) => {
          const { pathname } = new URL(request.url, "http://site");
          if (instead(pathname, response)) return;
          if (/(\.html|\/)$/.test(pathname)) response.setHeaders(new Map(Object.entries(headers)));
          files.emit("request", request, response);
        });
      }),
    );
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
