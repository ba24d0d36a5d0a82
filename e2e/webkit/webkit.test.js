// The conversation of cases/smoke in WebKit, the engine of Safari.

import { writeFileSync } from "node:fs";
import { test as base } from "@playwright/test";
import { converse } from "../cases/smoke/steps.js";
import { Session } from "./session.js";

const test = base.extend({
  session: async ({ baseURL }, use, info) => {
    const session = new Session(baseURL);
    try {
      await session.start();
      await use(session);
      if (info.status !== info.expectedStatus) writeFileSync(info.outputPath("screenshot.png"), await session.picture());
    } finally {
      await session.end();
    }
  },
});

test("a conversation with an approved action and a drawn answer", async ({ session }) => {
  await converse(session);
});
