// What pages send to the service, with the bodies.
// Playwright knows the bodies of Chromium's requests and not those of Firefox's; there, the page's own `fetch` is watched.

const BINDING = "assentTestSent";
/** Functions that want to know, by page, in the contexts whose `fetch` is watched. */
const LISTENERS = new WeakMap();

/** Watches `fetch` in all pages of a context that are opened from now on. */
export async function watchFetch(context) {
  const listeners = new Map();
  LISTENERS.set(context, listeners);
  await context.exposeBinding(BINDING, ({ page }, request) => {
    for (const listener of listeners.get(page) ?? []) listener(request);
  });
  await context.addInitScript((binding) => {
    const { fetch } = window;
    let noted = Promise.resolve();
    window.fetch = (input, init) => {
      const copy = new Request(input instanceof Request ? input.clone() : input, init);
      const { method, url } = copy;
      // One after the other, so that they are noted in the order in which they are sent.
      const body = copy.text();
      noted = noted.then(async () => window[binding]({ method, url, body: (await body) || null })).catch(() => {});
      return fetch.call(window, input, init);
    };
  }, BINDING);
}

/** Requests of a page to the service from now on, as `{method, path, body}`. */
export function recordRequests(page) {
  const seen = [];
  const note = ({ method, url, body }) => {
    const { pathname } = new URL(url);
    if (pathname.startsWith("/api/")) seen.push({ method, path: pathname, body });
  };
  const listeners = LISTENERS.get(page.context());
  if (listeners) listeners.set(page, [...(listeners.get(page) ?? []), note]);
  else page.on("request", (request) => note({ method: request.method(), url: request.url(), body: request.postData() }));
  return seen;
}
