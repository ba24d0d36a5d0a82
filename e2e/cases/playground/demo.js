// The demo's pages, with the service of all tests behind them or another one.

import { expect, SERVICE_ORIGIN, test as base } from "../../fixtures.js";
import { demo } from "../../servers/demo.js";
import { serving } from "../../servers/serving.js";

export { expect };

export const test = base.extend({
  /** Starts the demo with the service at `service`, and returns its origin. */
  serveDemo: async ({ context }, use) => {
    await serving(context, (start) => use(({ service = SERVICE_ORIGIN, agents } = {}) => start(demo({ service, agents }))));
  },
});

/** The widest thing of a page, and the page's own width: more is scrolled sideways. */
export const widths = (page) => page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
