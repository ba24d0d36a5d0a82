// Medians, percentiles, and tables of them.

/** The value below which this share of the values lies. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The median with the smallest and the largest value. */
export function spread(values, digits = 0) {
  const text = (value) => value.toFixed(digits);
  return `${text(median(values))} (${text(Math.min(...values))}–${text(Math.max(...values))})`;
}

/** `held` or `MISSED`, with the goal. */
export function against(value, goal, unit = "") {
  return `${value <= goal ? "held" : "MISSED"}: ≤ ${goal}${unit}`;
}

/** Prints rows of texts as a Markdown table. */
export function print(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  console.log([line(all[0]), rule, ...all.slice(1).map(line)].join("\n"));
}
