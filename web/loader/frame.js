// @ts-check
// The style sheet of launcher and frame.

import { newSheet } from "./realm.js";

// The fallbacks repeat style/tokens.css, which arrives with the application. What is inside
// `.frame` has the boxes of header.css, thread_list.css and composer.css, so that nothing moves
// when the application takes over.
const FRAME = `
:host { all: initial; display: block; block-size: 560px; }
:host([theme="light"]) .root { color-scheme: light; }
:host([theme="dark"]) .root { color-scheme: dark; }
:host(:dir(rtl)) .root:not([dir="ltr"]), .root[dir="rtl"] { direction: rtl; }
:host([mode="launcher"]), :host([mode="fullscreen"]) { display: contents; }
:host([hidden]), .root [hidden] { display: none; }
.root {
  --accent: var(--assent-color-accent, light-dark(#3b5bdb, #8ea2ff));
  --on-accent: var(--assent-color-on-accent, light-dark(#ffffff, #10142b));
  --text: var(--assent-color-text, light-dark(#1b1d22, #eceef2));
  --line: var(--assent-color-line, light-dark(#e2e5ea, #32353d));
  --surface: var(--assent-color-surface, light-dark(#ffffff, #17181c));
  --sunken: var(--assent-color-sunken, light-dark(#f5f6f8, #1f2126));
  --muted: var(--assent-color-muted, light-dark(#5d6370, #a3a9b6));
  --space: var(--assent-space, 16px); --launcher: var(--assent-launcher-size, 56px);
  --target: max(32px, 2.1333em); --control: 2.6667em; --below: 0px; --above: 0px;
  --bottom: calc(20px + env(safe-area-inset-bottom, 0px) + var(--below)); all: initial;
  color-scheme: light dark; direction: ltr; visibility: inherit; color: var(--text); display: block;
  block-size: 100%; position: relative; isolation: isolate; -webkit-text-size-adjust: 100%;
  font: 400 var(--assent-font-size, max(15px, 0.9375 * var(--medium, 16px)))/1.5 var(--assent-font,
    system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
}
*, ::before { box-sizing: border-box; }
.panel {
  border: 1px solid var(--line); border-radius: var(--assent-radius, 16px);
  background: var(--surface); block-size: 100%; overflow: clip;
}
.panel, .app, .frame { display: flex; flex-direction: column; }
.app, .frame { flex: 1; min-block-size: 0; }
[data-mode]:not([data-mode="inline"]) {
  position: fixed; inset: 0 auto auto 0; inline-size: 0; block-size: 0;
  z-index: var(--assent-z-index, 2147483000);
}
[data-mode]:not([data-mode="inline"]) .panel { container: panel / size; }
[data-mode="fullscreen"] .panel {
  position: fixed; inset: var(--above) 0 var(--below); block-size: auto; border: 0;
  border-radius: 0;
}
[data-mode="launcher"] .panel {
  position: fixed; inset-block-end: calc(var(--launcher) + 16px + var(--bottom));
  inset-inline-end: 20px; overscroll-behavior: contain;
  inline-size: min(var(--assent-panel-width, max(400px, 25 * var(--medium, 16px))), 100% - 40px);
  block-size: min(var(--assent-panel-height, max(640px, 40 * var(--medium, 16px))), 100% - 112px -
    var(--below) - var(--above));
  box-shadow: var(--assent-shadow, 0 12px 40px light-dark(rgb(20 24 40 / 0.18), rgb(0 0 0 / 0.6)));
}
.launcher, .frame [role] button {
  all: unset; background: var(--accent); color: var(--on-accent); cursor: pointer;
}
.launcher {
  position: fixed; inset-block-end: var(--bottom); inset-inline-end: 20px; z-index: 1;
  display: grid; place-items: center; inline-size: var(--launcher); block-size: var(--launcher);
  border-radius: 50%; -webkit-tap-highlight-color: transparent;
  box-shadow: 0 6px 20px light-dark(rgb(20 24 40 / 0.24), rgb(0 0 0 / 0.5));
}
.launcher:focus-visible, .frame [role] button:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 3px;
}
.launcher svg { inline-size: 26px; }
.waiting {
  font-size: medium; position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.frame {
  container-type: inline-size; line-height: var(--assent-line-height, 1.55);
  overflow-wrap: break-word;
}
.frame header {
  display: flex; align-items: center; min-block-size: 3.8em; padding-block: 6px;
  padding-inline: calc(20px + var(--control)) calc(28px + var(--control) + var(--target));
  border-block-end: 1px solid var(--line);
}
.frame[data-threads="hidden"] header { padding-inline: 12px calc(20px + var(--target)); }
.frame h2 {
  flex: 1; margin: 0; min-inline-size: 0;
  font-size: calc(var(--assent-font-size, max(15px, 0.9375 * var(--medium, 16px))) * 1.1333);
  font-weight: 600; line-height: 1.3; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis;
}
.frame > div, .frame > div > div { display: flex; flex: 1; min-inline-size: 0; min-block-size: 0; }
.frame > div > div { flex-direction: column; }
@container (width >= 719.5px) {
  .frame:not([data-threads="hidden"]) > div::before {
    content: ""; flex: none;
    inline-size: min(var(--assent-list-width, max(264px, 16.5 * var(--medium, 16px))), 40%);
    border-inline-end: 1px solid var(--line); background: var(--sunken);
  }
  .frame:not([data-threads="hidden"]) header { padding-inline-end: calc(20px + var(--target)); }
}
@container (width < 719.5px) {
  .frame[data-threads="side"] form { visibility: hidden; }
}
.frame [role] {
  flex: 1; min-block-size: 0; overflow: auto; display: grid; place-content: center;
  place-items: center; gap: 16px; padding: 24px; text-align: center;
}
.frame p { margin: 0; max-inline-size: 40ch; }
.frame [role] button {
  padding: 8px 16px; min-block-size: var(--target); border-radius: 10px; font-weight: 600;
}
.frame [role="status"] { color: var(--muted); }
.frame form {
  flex: none; inline-size: 100%;
  max-inline-size: calc(var(--assent-measure, max(720px, 45 * var(--medium, 16px))) + 2 *
    var(--space));
  margin-inline: auto; padding: 4px var(--space) calc(12px + env(safe-area-inset-bottom, 0px));
}
.box {
  display: flex; align-items: flex-end; gap: 4px; padding: 5px;
  border: 1px solid var(--assent-color-control, light-dark(#868d9b, #7b8291));
  border-radius: calc(var(--assent-radius, 16px) + 6px);
  background: var(--assent-color-raised, light-dark(#ffffff, #26282e));
}
.box:has(:focus-visible) { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
[data-attach] .box::before {
  content: ""; flex: none; inline-size: var(--control); block-size: var(--control);
}
.box .grow {
  display: grid; flex: 1; align-self: center; min-inline-size: 0; max-block-size: 12em;
  overflow-y: auto;
}
@supports not (field-sizing: content) {
  .box .grow::after { content: attr(data-text); visibility: hidden; }
}
.box textarea {
  margin: 0; font: inherit; letter-spacing: inherit; color: inherit; overflow: hidden;
  background: transparent; outline: none; resize: none; field-sizing: content;
}
.box .grow::after, .box textarea {
  grid-area: 1 / 1; min-inline-size: 0; padding: max(7px, (var(--target) - 1.45em) / 2) 10px;
  border: 0; font-size: max(16px, 1em); line-height: 1.45; white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.box textarea:placeholder-shown { direction: inherit; }
.box textarea::placeholder {
  color: var(--muted); opacity: 1; white-space: nowrap; overflow: hidden;
}
.box textarea[aria-busy] { color: var(--muted); }
.box button {
  display: grid; flex: none; place-items: center; margin: 0; inline-size: var(--control);
  block-size: var(--control); padding: 0; border: 0; font: inherit; border-radius: 50%;
  background: var(--sunken); color: var(--muted);
}
.box svg { inline-size: 1.3333em; block-size: 1.3333em; }
textarea::placeholder {
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
.frame p { unicode-bidi: plaintext; }
.launcher svg, .box svg {
  fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round;
  stroke-linejoin: round;
}
@container panel (height < 500px) {
  .frame header { min-block-size: 44px; padding-block: 0; }
}
@container panel (height < 320px) {
  .frame form { padding-block: 2px; }
  .box .grow { max-block-size: 40px; }
  .frame [role] { padding: 4px; gap: 4px; }
}
@media (max-width: 480px), (max-height: 480px) {
  [data-mode="launcher"] .panel {
    inset: var(--above) 0 var(--below); inline-size: auto; block-size: auto; border: 0;
    border-radius: 0; padding-block: env(safe-area-inset-top, 0px) env(safe-area-inset-bottom, 0px);
  }
  [data-open] .launcher {
    inset-block: calc(6px + env(safe-area-inset-top, 0px) + var(--above)) auto;
    inset-inline-end: 6px; inline-size: 44px; block-size: 44px; background: none;
    color: var(--text); box-shadow: none;
  }
  [data-open] .frame header { padding-inline-end: calc(74px + var(--control) + var(--target)); }
  [data-open] .frame[data-threads="hidden"] header {
    padding-inline-end: calc(66px + var(--target));
  }
  [data-open] .launcher:focus-visible { outline-offset: -3px; }
  [data-open] .launcher svg { inline-size: 22px; }
}
@media (pointer: coarse) {
  .root { --target: max(44px, 2.9333em); --control: var(--target); }
}
@media (prefers-reduced-motion: no-preference) {
  .launcher { transition: scale 0.15s; }
  .launcher:hover { scale: 1.05; }
  [data-mode="launcher"] .panel { animation: fade 0.18s ease-out; }
  @keyframes fade {
    from { opacity: 0; }
  }
}
@media (forced-colors: active) {
  .launcher, .panel, .frame [role] button { border: 1px solid; }
  .box button { border: 1px solid ButtonText; }
  .box:has(:focus-visible) { outline: 2px solid Highlight; outline-offset: 2px; }
}
@media print {
  [data-mode="launcher"] { display: none; }
}
`;

export const frameSheet = newSheet(FRAME);
