/** The title of a tool with this identifier. @param {string} name */
export function titleOf(name) {
  const words = name.replaceAll(/[_-]/g, " ");
  return /^[a-z][\w-]*$/i.test(name) ? words[0].toUpperCase() + words.slice(1) : name;
}
