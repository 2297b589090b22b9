// The DevTools protocol escapes control characters as six characters each, so a message is much
// larger than the text that the page made.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const consoleEscapes = buildBrowserFlood({
  name: "console-escapes",
  attack: "A page logs control characters, which the browser's protocol writes six times as long.",
  severity: "critical",
  script: (n) => `console.log("\\u0001".repeat(${1.1e8 * n}));`,
});
