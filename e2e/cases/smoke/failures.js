// Keeps what goes wrong on the page, as its browser says it: errors, what the policy refused, and what was said as an error.

const failures = (globalThis.failures = []);
addEventListener("error", (event) => failures.push(event.message ?? `not loaded: ${event.target.src}`), true);
addEventListener("unhandledrejection", ({ reason }) => failures.push(String(reason)));
document.addEventListener("securitypolicyviolation", (event) => failures.push(`${event.violatedDirective} ${event.blockedURI}`));
const { error } = console;
console.error = (...values) => {
  failures.push(values.join(" "));
  error.apply(console, values);
};
