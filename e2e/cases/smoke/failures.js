// Keeps what goes wrong on the page, in the words of its browser: errors, what the policy refused, and what was said as an error.

const failures = (globalThis.failures = []);
addEventListener("error", (event) => failures.push(event.message ?? `not loaded: ${event.target.src}`), true);
addEventListener("unhandledrejection", ({ reason }) => failures.push(String(reason)));
document.addEventListener("securitypolicyviolation", (event) => failures.push(`${event.violatedDirective} ${event.blockedURI}`));
const { error } = console;
console.error = (...words) => {
  failures.push(words.join(" "));
  error.apply(console, words);
};
