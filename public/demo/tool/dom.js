// @ts-check
// Elements, made without markup.

/**
 * @type {<T extends keyof HTMLElementTagNameMap>(
 *   tag: T, attributes: Record<string, string>, ...children: (Node | string)[]
 * ) => HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  element.append(...children);
  return element;
}

/**
 * An element that the page has.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`This page has no ${type.name} with the id ${id}.`);
  return element;
}
