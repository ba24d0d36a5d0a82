// @ts-check
// The tokens of the theme and their defaults, read from the style sheets of the widget.

/**
 * @typedef {object} Token
 * @property {string} name
 * @property {string} value the default, as the sheet has it
 * @property {[light: string, dark: string] | null} schemes the default of a colour
 * @property {string} property a CSS property that takes what the token takes
 */

const SHEETS = ["/style/tokens.css", "/style/code.css"];

/**
 * Names, and the property that judges their values. The others are lengths.
 * @type {[RegExp, string][]}
 */
const PROPERTIES = [
  [/-shadow/, "box-shadow"],
  [/-font(-mono)?$/, "font-family"],
  [/-font-size$/, "font-size"],
  [/-line-height$/, "line-height"],
  [/-z-index$/, "z-index"],
];

/** Words that say where a value comes from, which a token cannot hold. */
const KEYWORD = /^(inherit|initial|unset|revert|revert-layer)$/i;

/** @returns {Promise<Token[]>} */
export async function readTokens() {
  const texts = await Promise.all(SHEETS.map(async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return response.text();
  }));
  return texts.flatMap((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return [...sheet.cssRules].flatMap(declared);
  });
}

/** @param {CSSRule} rule @returns {Token[]} */
function declared(rule) {
  if (!(rule instanceof CSSStyleRule) || rule.selectorText !== ":host") return [];
  return [...rule.style].filter((name) => name.startsWith("--assent-")).map((name) => {
    const value = rule.style.getPropertyValue(name).trim();
    const schemes = split(value);
    const property = PROPERTIES.find(([pattern]) => pattern.test(name))?.[1] ?? "padding-inline-start";
    return { name, value, schemes, property: schemes ? "color" : property };
  });
}

/**
 * The two colours of `light-dark(…)`, where a value is nothing else.
 * @param {string} value
 * @returns {[string, string] | null}
 */
export function split(value) {
  const inside = /^light-dark\((.*)\)$/s.exec(value)?.[1];
  if (!inside) return null;
  let depth = 0;
  for (let place = 0; place < inside.length; place += 1) {
    if (inside[place] === "(") depth += 1;
    if (inside[place] === ")") depth -= 1;
    if (inside[place] === "," && depth === 0) return [inside.slice(0, place).trim(), inside.slice(place + 1).trim()];
  }
  return null;
}

/** One value for both schemes. @param {string} light @param {string} dark */
export const join = (light, dark) => (light === dark ? light : `light-dark(${light}, ${dark})`);

/** @param {Token} token @param {string} value */
export const takes = ({ property }, value) => !KEYWORD.test(value) && CSS.supports(property, value);

/** The CSS that a page needs for these values. @param {ReadonlyMap<string, string>} values */
export function css(values) {
  if (!values.size) return "";
  return `assent-chat {\n${[...values].map(([name, value]) => `  ${name}: ${value};\n`).join("")}}`;
}
