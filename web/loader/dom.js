// @ts-check
// Creation of elements without markup.

/** Creates an element.
 * @type {<T extends keyof HTMLElementTagNameMap>(tag: T, attributes: Record<string, string>,
 *   ...children: (Node | string)[]) => HTMLElementTagNameMap[T]} */
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** @param {string} name */
const svgElement = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);

/** Creates an icon. @param {string} shape the `d` of an SVG path on a 24 × 24 grid */
export function icon(shape) {
  const [svg, path] = ["svg", "path"].map(svgElement);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", shape);
  svg.append(path);
  return svg;
}
