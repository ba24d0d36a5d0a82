// The configurations of docs/proxy/: a page without a key talks to the service through nginx and through Caddy,
// as the user that the site knows; what the browser says about key and user counts for nothing, and answers stream.

import { randomUUID } from "node:crypto";
import { request as send } from "node:http";
import { API_KEY, expect, leave, PAGE_ORIGIN, Service, SERVICE_ORIGIN, test as base } from "../../fixtures.js";
import { NAME, NAMES, ProxyServer } from "./proxies.js";
import { Post } from "../../servers/scripted.js";
import { Site } from "./site.js";

/** The key that the scripted service would want, if it wanted one. */
const SCRIPTED_KEY = "a-key-that-no-page-has";
const THREADS = "/api/assistants/threads";

const test = base.extend({
  /** Which server: set by each group of cases. */
  server: ["", { option: true }],
  /** The site, which knows one session: that of `user`. */
  site: async ({ user }, use) => {
    const site = await Site.start();
    site.sessions.set("good", user);
    await use(site);
    await site.stop();
  },
  /** The server in front of the real service. */
  shop: async ({ context, server, site }, use, info) => {
    const service = new URL(SERVICE_ORIGIN).host;
    await serve(await ProxyServer.start(server, { site: site.address, service, key: API_KEY }), context, use, info);
  },
  /** Whether the server in front of the scripted service asks for a password by itself. */
  asks: [false, { option: true }],
  /** The server in front of the scripted service. */
  scriptedShop: async ({ context, server, site, scripted, asks }, use, info) => {
    const service = new URL(scripted.origin).host;
    await serve(await ProxyServer.start(server, { site: site.address, service, key: SCRIPTED_KEY, asks }), context, use, info);
  },
  /** Gives the browser a session at the site. */
  signIn: async ({ context }, use) =>
    use((shop, session = "good") => context.addCookies([{ name: "session", value: session, url: shop.origin }])),
});

/** Uses the server, and stops it when no page can ask it for anything any more. What it said is attached to a test that failed. */
async function serve(shop, context, use, info) {
  await use(shop);
  await leave(context);
  await shop.stop();
  if (info.status !== info.expectedStatus) await info.attach("what the server said", { body: shop.said, contentType: "text/plain" });
}

/** Opens the page, with its chat ready to be used. */
async function open(chat, shop) {
  await chat.page.goto(shop.origin);
  await expect(chat.input).toBeVisible();
}

/** Reads to the end. */
async function drain(reader) {
  while (!(await reader.read()).done);
}

/** What a program that is no browser can send; the status of the answer. */
function statusOf(origin, path, headers, method = "GET") {
  return new Promise((resolve, reject) => {
    const request = send(`${origin}${path}`, { headers, method }, (response) => resolve(response.resume().statusCode));
    request.on("error", reject).end();
  });
}

for (const name of NAMES) {
  test.describe(name, () => {
    test.use({ server: name });

    test("a conversation needs no key in the page", async ({ page, chat, shop, service, signIn, console }) => {
      const requests = [];
      const responses = [];
      page.on("request", (request) => requests.push(request));
      page.on("response", (response) => responses.push(response));
      await signIn(shop);
      await open(chat, shop);
      await chat.ask("hello");
      await expect(chat.lastMessage).toContainText("Hello!");
      expect(await chat.element.getAttribute("api-key")).toBeNull();
      // Nothing that the browser sent or got has the key, and nothing went anywhere else.
      expect(requests.some((request) => request.url().includes("/api/"))).toBe(true);
      for (const request of requests) {
        const headers = await request.allHeaders();
        expect(headers).not.toHaveProperty("authorization");
        expect(JSON.stringify([headers, request.url(), request.postData()])).not.toContain(API_KEY);
        expect(new URL(request.url()).origin).toBe(shop.origin);
      }
      for (const response of responses) expect(JSON.stringify(await response.allHeaders())).not.toContain(API_KEY);
      const markup = await chat.element.evaluate((element) => [document, element.shadowRoot].map((root) => new XMLSerializer().serializeToString(root)));
      expect(markup.join()).toContain("Hello!");
      expect(markup.join()).not.toContain(API_KEY);
      expect(console).toEqual([]);
      // The browser made up an id for the user; the conversation belongs to the user that the site knows.
      const generated = await page.evaluate(() => localStorage.getItem("assent:user-id"));
      const sent = await Promise.all(requests.map((request) => request.headerValue("x-service-user-id")));
      expect(sent).toContain(generated);
      expect(await service.threads()).toHaveLength(1);
      expect(await new Service(generated).threads()).toEqual([]);
    });

    for (const framing of ["in chunks", "until the connection closes"]) {
      test(`the start of an answer that is sent ${framing} is on the page before its end is written`, async ({ page, chat, scripted, scriptedShop, signIn }) => {
        const posted = new Promise((resolve) => {
          scripted.on.post = (request, response) => {
            response.useChunkedEncodingByDefault = framing === "in chunks";
            resolve(new Post(scripted, request, response));
          };
        });
        await signIn(scriptedShop);
        await open(chat, scriptedShop);
        const answered = page.waitForResponse((response) => response.url().endsWith("/messages") && response.request().method() === "POST");
        await chat.say("a long story");
        const post = await posted;
        post.begin();
        post.say("Once upon a time");
        await expect(chat.lastMessage).toContainText("Once upon a time");
        await expect(chat.lastMessage).toHaveAttribute("data-state", "streaming");
        const headers = (await answered).headers();
        expect(headers["content-type"]).toContain("text/event-stream");
        expect(headers).not.toHaveProperty("content-encoding");
        post.say(" there was a chat.");
        await expect(chat.lastMessage).toContainText("Once upon a time there was a chat.");
        post.complete("Once upon a time there was a chat.");
        await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
      });
    }

    test("Stop reaches the service", async ({ chat, scripted, scriptedShop, signIn }) => {
      await signIn(scriptedShop);
      await open(chat, scriptedShop);
      const post = await chat.post(scripted, "a long story");
      const closed = post.closed;
      await chat.stop.click();
      await closed;
    });

    test("what the browser says about key, user and session does not reach the service", async ({ page, user, scripted, scriptedShop, signIn }) => {
      await signIn(scriptedShop);
      await page.goto(scriptedShop.origin);
      const status = await page.evaluate(async (path) => {
        const headers = { Authorization: "Bearer forged", "X-Service-User-Id": "forged" };
        return (await fetch(path, { headers })).status;
      }, `${THREADS}/demo`);
      expect(status).toBe(200);
      const forgeries = [
        { "X-Service-User-Id": ["forged", "forged-again"], Authorization: "Bearer forged" },
        { "x-service-user-id": "", "X-SERVICE-USER-ID": "forged", authorization: "Basic Zm9yZ2VkOg==" },
        { "X-User-Id": "forged" },
      ];
      for (const forgery of forgeries) {
        expect(await statusOf(scriptedShop.origin, `${THREADS}/demo`, { Cookie: "session=good", ...forgery })).toBe(200);
      }
      const seen = scripted.requests.filter(({ path }) => path === `${THREADS}/demo`).map(({ headers }) => headers);
      expect(seen.length).toBeGreaterThan(forgeries.length);
      for (const headers of seen) {
        expect(headers["x-service-user-id"]).toBe(user);
        expect(headers.authorization).toBe(`Bearer ${SCRIPTED_KEY}`);
        expect(headers).not.toHaveProperty("cookie");
      }
    });

    test("nobody can name a user where the site names none", async ({ site, shop }) => {
      site.sessions.set("nameless", "");
      for (const forged of [{}, { "X-Service-User-Id": "forged" }, { "X-User-Id": "forged" }]) {
        const headers = { Cookie: "session=nameless", ...forged };
        expect(await statusOf(shop.origin, `${THREADS}/demo`, headers)).toBe(401);
      }
      expect(await new Service("forged").threads()).toEqual([]);
    });

    test.describe("asked from another origin", () => {
      test.use({ expectedConsole: /blocked by CORS policy|Cross-Origin Request Blocked|Failed to load resource|^request: http:\/\/(www\.shop\.|news\.shop\.)?localhost/ });

      test("no page of another origin can change anything @firefox", async ({ page, user, site, shop, service }) => {
        // A site that knows its visitors by their network: no cookie decides.
        site.sessions.set(undefined, user);
        const statuses = [];
        page.context().on("response", (response) => response.request().method() === "POST" && statuses.push(response.status()));
        const act = (origin, paths) =>
          page.evaluate(async (addresses) => {
            for (const address of addresses) await fetch(address, { method: "POST", mode: "no-cors", body: "a file" }).catch(() => {});
          }, paths.map((path) => `${origin}${path}`));
        const named = (address, name) => address.replace("127.0.0.1", name);
        const { id } = await service.call("POST", "", { agentId: "demo" });
        const paths = ["/api/assistants/uploads", THREADS, `${THREADS}/${id}/messages`];
        // Another port of the same host, another site, a sibling of the service, the shop itself, and an origin that the service was told to allow.
        for (const [address, expected, origin = shop.origin] of [
          [`http://${site.address}/a-page`, [403, 403, 403]],
          [`http://${named(site.address, "localhost")}/a-page`, [403, 403, 403]],
          [`http://${named(site.address, "news.shop.localhost")}/a-page`, [403, 403, 403], named(SERVICE_ORIGIN, "www.shop.localhost")],
          [`${shop.origin}/assent/assent.js`, [201, 415, 415]],
          [`${PAGE_ORIGIN}/dist/assent.js`, [201, 415, 415]],
        ]) {
          await page.goto(address);
          statuses.length = 0;
          await act(origin, paths);
          await expect.poll(() => statuses).toEqual(expected);
        }
        expect(await service.messages(id)).toEqual([]);
      });
    });

    test("a page of another origin is told by its name and the host where the browser says nothing more", async ({ shop }) => {
      // Browsers leave Sec-Fetch-Site out on pages without TLS, but not on a loopback address.
      for (const [origin, status] of [[shop.origin, 415], [shop.origin.replace("127.0.0.1", "localhost"), 403], ["null", 403]]) {
        expect(await statusOf(shop.origin, THREADS, { Cookie: "session=good", Origin: origin }, "POST")).toBe(status);
      }
    });

    test.describe("with a password of the server's own", () => {
      test.use({ asks: true, httpCredentials: { username: NAME, password: "secret" } });

      test("the name that goes with the password is the user", async ({ page, chat, site, scripted, scriptedShop }) => {
        await open(chat, scriptedShop);
        await chat.ask("hello");
        await page.evaluate((path) => fetch(path, { headers: { "X-Service-User-Id": "forged" } }), `${THREADS}/demo`);
        expect(scripted.to("post")).toHaveLength(1);
        for (const { headers } of scripted.requests) {
          expect(headers["x-service-user-id"]).toBe(NAME);
          expect(headers.authorization).toBe(`Bearer ${SCRIPTED_KEY}`);
        }
        expect(await statusOf(scriptedShop.origin, `${THREADS}/demo`, { Cookie: "session=good" })).toBe(401);
        expect(site.asked).toEqual([]);
      });
    });

    test("what is not part of the interface stays inside, and whom the site refuses outside", async ({ site, shop }) => {
      for (const path of ["/openapi.json", "/healthz", "/assent-session", "/session"]) {
        expect(await statusOf(shop.origin, path, { Cookie: "session=good" })).toBe(404);
      }
      site.sessions.set("banned", 403);
      for (const [session, status] of [[randomUUID(), 401], ["banned", 403]]) {
        expect(await statusOf(shop.origin, `${THREADS}/demo`, { Cookie: `session=${session}` })).toBe(status);
      }
    });
  });
}

test.describe("nginx alone", () => {
  test.use({ server: "nginx" });

  test("a stream that breaks does not look like one that ended", async ({ scripted, scriptedShop }) => {
    scripted.hold = true;
    const { id } = scripted.addThread("Orders");
    const answer = fetch(`${scriptedShop.origin}${THREADS}/${id}/messages`, {
      method: "POST",
      headers: { Cookie: "session=good", "Content-Type": "application/json" },
      body: JSON.stringify({ content: [{ type: "text", text: "a long story" }] }),
    });
    const post = await scripted.nextPost();
    post.begin();
    const { status, body } = await answer;
    expect(status).toBe(200);
    const reader = body.getReader();
    expect((await reader.read()).done).toBe(false);
    post.cut();
    await expect(drain(reader)).rejects.toThrow();
  });
});
