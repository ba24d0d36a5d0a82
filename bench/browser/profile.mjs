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
