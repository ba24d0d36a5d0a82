// Where the time of a stretch goes: the browser's sampling profiler, summed by function.

/** Profiles `act`, and returns `[milliseconds, function]` of the functions that took the most time themselves. */
export async function profiled(session, act, count = 25) {
  await session.send("Profiler.enable");
  await session.send("Profiler.setSamplingInterval", { interval: 200 });
  await session.send("Profiler.start");
  await act();
  const { profile } = await session.send("Profiler.stop");
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map();
  profile.samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = frames.get(id);
    const file = url.split("/").pop().split("?")[0];
    const name = `${functionName || "(anonymous)"} ${file && `${file}:${lineNumber + 1}`}`;
    times.set(name, (times.get(name) ?? 0) + profile.timeDeltas[index] / 1000);
  });
  return [...times].sort(([, a], [, b]) => b - a).slice(0, count).map(([name, time]) => [time, name]);
}

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "blink", "cc", "v8"];

/** Traces `act`, and returns `[milliseconds, name, count]` of what took the most time itself on the page's main thread. */
export async function traced(browser, page, act, count = 25) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  const { traceEvents: events } = JSON.parse((await browser.stopTracing()).toString());
  const mains = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const isMain = ({ pid, tid }) => mains.some((main) => main.pid === pid && main.tid === tid);
  const whole = events.filter((event) => event.ph === "X" && isMain(event));
  whole.sort((a, b) => a.pid - b.pid || a.ts - b.ts || b.dur - a.dur);
  const sums = new Map();
  const add = (name, time, one) => {
    const [sum, times] = sums.get(name) ?? [0, 0];
    sums.set(name, [sum + time / 1000, times + one]);
  };
  const open = [];
  for (const event of whole) {
    while (open.length && (open.at(-1).pid !== event.pid || open.at(-1).ts + open.at(-1).dur <= event.ts)) open.pop();
    const { name, dur = 0 } = event;
    add(name, dur, 1);
    // A part's time is not the whole's own.
    if (open.length) add(open.at(-1).name, -dur, 0);
    open.push(event);
  }
  return [...sums].sort(([, a], [, b]) => b[0] - a[0]).slice(0, count).map(([name, [time, times]]) => [time, name, times]);
}
