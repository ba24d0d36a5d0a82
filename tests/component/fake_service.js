// Stands in for `fetch`, and for the service behind it. Answers are scripted by method and path; requests are kept.
(() => {
  const fake = {
    requests: [],
    withdrawn: [],
    answers: new Map(),
    streams: [],
    more: {},

    /** Scripts the answers to a method and path, `*` for any; the last one stays. */
    answer(route, status, type, body) {
      const list = fake.answers.get(route) ?? [];
      list.push({ status, type, body });
      fake.answers.set(route, list);
    },

    /** Adds headers to all answers to this path and query from now on, `*` for any. */
    adds(address, headers) {
      fake.more[address] = headers;
    },

    /** What an earlier test still asks for is noted where nobody looks. */
    forget() {
      fake.requests = [];
      fake.withdrawn = [];
      fake.streams = [];
      fake.answers = new Map();
      fake.more = {};
    },
  };

  function stream(signal, streams) {
    let control;
    const body = new ReadableStream({ start: (controller) => (control = controller), cancel: () => void (one.cancelled = true) });
    const bytes = new TextEncoder();
    const one = {
      aborted: false,
      cancelled: false,
      push: (text) => control.enqueue(bytes.encode(text)),
      pushBytes: (array) => control.enqueue(new Uint8Array(array)),
      close: () => control.close(),
      breakOff: () => control.error(new TypeError("network error")),
    };
    signal.addEventListener("abort", () => {
      one.aborted = true;
      control.error(new DOMException("aborted", "AbortError"));
    });
    streams.push(one);
    return body;
  }

  globalThis.fake = fake;
  globalThis.fetch = async (address, options) => {
    const { requests, withdrawn, answers, streams, more } = fake;
    const request = new Request(address, options);
    const { pathname: path, search } = new URL(request.url);
    const headers = Object.fromEntries(request.headers);
    const { method, url, credentials, cache, redirect } = request;
    // As in a browser, nothing leaves.
    if (request.signal.aborted) {
      withdrawn.push(url);
      throw request.signal.reason;
    }
    const body = method === "GET" ? "" : await request.clone().text();
    requests.push({ method, url, path, credentials, cache, redirect, headers, body, signal: request.signal });
    const list = answers.get(`${method} ${path}${search}`) ?? answers.get(`${method} ${path}`) ?? answers.get(`${method} *`) ?? [];
    const answer = list.length > 1 ? list.shift() : list[0];
    if (!answer) throw new TypeError("Failed to fetch");
    if (answer.status === -1) throw answer.body;
    if (answer.status === -2) {
      return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
    }
    const content = answer.body === "<stream>" ? stream(request.signal, streams) : answer.status === 204 ? null : answer.body;
    return new Response(content, { status: answer.status, headers: { ...(answer.type && { "content-type": answer.type }), ...more["*"], ...more[path + search] } });
  };
})();
