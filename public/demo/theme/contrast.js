// @ts-check
// How well a text can be read on its background, by the rules of WCAG 2.

/** What text needs. */
export const ENOUGH = 4.5;

/** Texts and the backgrounds that the widget puts them on. @type {Record<string, string[]>} */
const ON = {
  "color-surface": ["color-text", "color-muted", "color-accent", "color-good", "color-bad", "color-ask"],
  "color-sunken": ["color-text", "color-muted", ...["keyword", "string", "number", "comment", "name", "type", "operator", "meta", "inserted", "deleted"].map((name) => `code-${name}`)],
  "color-raised": ["color-text", "color-muted", "color-bad"],
  "color-accent": ["color-on-accent"],
  "color-own": ["color-on-own"],
  "color-bad": ["color-on-bad"],
  "color-bad-surface": ["color-bad", "color-text"],
  "color-ask-surface": ["color-text", "color-muted", "color-ask", "color-bad"],
  "color-ask": ["color-surface"],
  "color-good": ["color-surface"],
};

/** Names of text and background. @type {[text: string, background: string][]} */
export const PAIRS = Object.entries(ON).flatMap(([background, texts]) =>
  texts.map((text) => /** @type {[string, string]} */ ([`--assent-${text}`, `--assent-${background}`])));

/** @typedef {[red: number, green: number, blue: number, alpha: number]} Rgba of 0 to 1 each */

const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });

/**
 * A colour as numbers; null where it depends on the page that it will stand on, as `var(…)` does.
 * @param {string} color
 * @returns {Rgba | null}
 */
export function read(color) {
  if (!canvas) return null;
  // What a canvas does not take leaves it as it was.
  const [one, two] = ["#000", "#fff"].map((before) => { canvas.fillStyle = before; canvas.fillStyle = color; return canvas.fillStyle; });
  if (one !== two) return null;
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
  return [red, green, blue, alpha];
}

/** @param {Rgba} top @param {Rgba} below an opaque colour @returns {Rgba} */
const over = (top, below) => /** @type {Rgba} */ ([0, 1, 2].map((part) => top[part] * top[3] + below[part] * (1 - top[3])).concat(1));

/** @param {Rgba} color */
function luminance(color) {
  const [red, green, blue] = color.slice(0, 3).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Between 1 and 21; null where a colour cannot be known here.
 * @param {string} text
 * @param {string} background
 * @param {string} surface what is behind the background
 */
export function contrast(text, background, surface) {
  const [front, back, wall] = [text, background, surface].map(read);
  if (!front || !back || !wall) return null;
  const ground = over(back, over(wall, [1, 1, 1, 1]));
  const [dark, light] = [luminance(over(front, ground)), luminance(ground)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Two digits after the point, never rounded up to what is not reached. @param {number} ratio */
export const spelled = (ratio) => (Math.floor(ratio * 100) / 100).toFixed(2);
